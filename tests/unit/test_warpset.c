/* test_warpset.c - sets of warps against plain arrays of flags. */
#include "base/hash.h"
#include "check.h"
#include "core/warpset.h"

struct flags {
    bool has[MAX_WARP_SLOTS];
};

/* A set with about one warp in `one_in`. */
static struct warpset random_set(uint64_t seed, unsigned one_in, struct flags *f)
{
    struct warpset s = { 0 };

    for (unsigned k = 0; k < MAX_WARP_SLOTS; k++) {
        f->has[k] = hash_mix(seed * MAX_WARP_SLOTS + k) % one_in == 0;
        if (f->has[k])
            warpset_add(&s, k);
    }
    return s;
}

static unsigned next_from(const struct flags *f, unsigned k)
{
    while (k < MAX_WARP_SLOTS && !f->has[k])
        k++;
    return k;
}

static void one_warp_goes_in_and_out(void **state)
{
    (void)state;
    for (unsigned k = 0; k < MAX_WARP_SLOTS; k++) {
        struct warpset s = { 0 };

        warpset_add(&s, k);
        assert_true(warpset_any(&s));
        assert_int_equal(warpset_count(&s), 1);
        assert_int_equal(warpset_first(&s), k);
        for (unsigned n = 0; n < MAX_WARP_SLOTS; n++) {
            assert_int_equal(warpset_has(&s, n), n == k);
            assert_int_equal(warpset_after(&s, n), k);
        }
        warpset_drop(&s, k);
        assert_false(warpset_any(&s));
    }
}

static void taking_gives_each_once_in_order(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 64; seed++) {
        struct flags f;
        struct warpset m = random_set(seed, 1 + seed % 40, &f);
        unsigned k = next_from(&f, 0), left = warpset_count(&m);

        for (; warpset_any(&m); k = next_from(&f, k + 1), left--)
            assert_int_equal(warpset_take(&m), k);
        assert_int_equal(k, MAX_WARP_SLOTS);
        assert_int_equal(left, 0);
    }
}

/* From 63 to 64 the word changes, from 127 on it begins again. */
static void turns_go_round_all_slots(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 64; seed++) {
        struct flags f;
        struct warpset s = random_set(seed, 1 + seed % 60, &f);

        for (unsigned last = 0; last < MAX_WARP_SLOTS && warpset_any(&s); last++) {
            unsigned next = next_from(&f, last + 1);

            if (next == MAX_WARP_SLOTS)
                next = next_from(&f, 0);
            assert_int_equal(warpset_after(&s, last), next);
        }
    }
}

static void two_sets_meet(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 64; seed++) {
        struct flags f, g;
        struct warpset a = random_set(seed, 1 + seed % 50, &f);
        struct warpset b = random_set(seed + 1000, 1 + seed % 30, &g);
        struct warpset all = warpset_union(&a, &b), both = warpset_common(&a, &b);
        struct warpset rest = warpset_without(&a, &b);
        bool meet = false;

        for (unsigned k = 0; k < MAX_WARP_SLOTS; k++) {
            assert_int_equal(warpset_has(&all, k), f.has[k] || g.has[k]);
            assert_int_equal(warpset_has(&both, k), f.has[k] && g.has[k]);
            assert_int_equal(warpset_has(&rest, k), f.has[k] && !g.has[k]);
            meet |= f.has[k] && g.has[k];
        }
        assert_int_equal(warpset_meets(&a, &b), meet);
    }
}

static void sets_differ_in_any_warp(void **state)
{
    (void)state;
    for (unsigned k = 0; k < MAX_WARP_SLOTS; k++) {
        struct flags f;
        struct warpset a = random_set(k, 2, &f), b = a;

        assert_true(warpset_same(&a, &b));
        if (f.has[k])
            warpset_drop(&b, k);
        else
            warpset_add(&b, k);
        assert_false(warpset_same(&a, &b));
        warpset_clear(&b);
        assert_false(warpset_any(&b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_goes_in_and_out),
        cmocka_unit_test(taking_gives_each_once_in_order),
        cmocka_unit_test(turns_go_round_all_slots),
        cmocka_unit_test(two_sets_meet),
        cmocka_unit_test(sets_differ_in_any_warp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
