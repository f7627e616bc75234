/* test_view.c - what SMs see of global memory within a window, and after it. */
#include "check.h"
#include "frontend/sass/exec/view.h"
#include "isa/turns.h"

enum { N_SMS = 3, BYTES = 2 * VIEW_LINE, AT = VIEW_LINE + 8 };

struct rig {
    struct views *views;
    struct view_sm *sm;
    struct kernel_turns turns; /* nobody waits: parts run one after another */
    _Alignas(VIEW_LINE) uint8_t memory[BYTES];
};

static struct rig *rig_new(void)
{
    struct rig *r = aligned_alloc(_Alignof(struct rig), sizeof *r);
    struct err err = { 0 };

    assert_non_null(r);
    memset(r, 0, sizeof *r);
    r->views = views_new(N_SMS, &err);
    assert_non_null(r->views);
    r->sm = views_each(r->views);
    views_begin(r->views, &r->turns);
    return r;
}

static void rig_free(struct rig *r)
{
    views_free(r->views);
    free(r);
}

/* Addresses are offsets into the memory. */
static void put(struct rig *r, unsigned sm, uint64_t addr, uint8_t value)
{
    struct view_line *l =
        view_write(view_of_part(r->views, &r->sm[sm]), addr, r->memory + addr);

    l->data[addr % VIEW_LINE] = value;
    view_mark(l, addr, 1);
}

static uint8_t get(struct rig *r, unsigned sm, uint64_t addr)
{
    struct view_line *l = view_find(&r->sm[sm], addr);

    if (l)
        view_fill(l, addr, 1);
    return l ? l->data[addr % VIEW_LINE] : r->memory[addr];
}

/* Its own stores at once, those of other SMs after the window. */
static void plain_parts(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    for (unsigned sm = 0; sm < N_SMS; sm++)
        view_begin_part(r->views, sm, sm);
    put(r, 0, AT, 10);
    put(r, 1, AT + 1, 11);
    assert_int_equal(get(r, 0, AT), 10);
    assert_int_equal(get(r, 1, AT), 0);
    assert_int_equal(get(r, 2, AT + 1), 0);
    assert_int_equal(r->memory[AT], 0);
    views_end_window(r->views, N_SMS);
    assert_int_equal(r->memory[AT], 10);
    assert_int_equal(r->memory[AT + 1], 11);
    assert_int_equal(get(r, 2, AT), 10);
    rig_free(r);
}

/* The last of several parts that wrote a byte counts, whoever ran first. */
static void order_of_parts(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    for (unsigned sm = 0; sm < N_SMS; sm++)
        view_begin_part(r->views, sm, sm);
    put(r, 2, AT, 30);
    put(r, 0, AT, 10);
    put(r, 1, AT, 20);
    view_begin_part(r->views, 0, N_SMS); /* SM 0 goes on in the same window */
    assert_int_equal(get(r, 0, AT), 10);
    put(r, 0, AT + 2, 13);
    views_end_window(r->views, N_SMS);
    assert_int_equal(r->memory[AT], 30);
    assert_int_equal(r->memory[AT + 2], 13);
    rig_free(r);
}

/* An ordered part sees what all parts before it wrote, and none after it; so do later parts of
 * its SM. */
static void ordered_parts(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    for (unsigned sm = 0; sm < N_SMS; sm++)
        view_begin_part(r->views, sm, sm);
    put(r, 0, AT, 10);
    put(r, 2, AT + 1, 31);
    assert_int_equal(get(r, 1, AT), 0);
    view_order(r->views, &r->sm[1]);
    assert_true(r->sm[1].is_ordered);
    assert_int_equal(get(r, 1, AT), 10);
    assert_int_equal(get(r, 1, AT + 1), 0);
    put(r, 1, AT, 21);
    view_begin_part(r->views, 1, N_SMS);
    assert_true(r->sm[1].was_ordered && !r->sm[1].is_ordered);
    view_order(r->views, &r->sm[1]);
    assert_int_equal(get(r, 1, AT), 21);
    assert_int_equal(get(r, 1, AT + 1), 31);
    views_end_window(r->views, N_SMS);
    assert_false(r->sm[1].was_ordered);
    assert_int_equal(r->memory[AT], 21);
    assert_int_equal(r->memory[AT + 1], 31);
    rig_free(r);
}

/* Parts after the last that counts, because one failed, leave nothing. */
static void dropped_parts(void **state)
{
    struct rig *r = rig_new();

    (void)state;
    for (unsigned sm = 0; sm < N_SMS; sm++) {
        view_begin_part(r->views, sm, sm);
        put(r, sm, AT + sm, 1);
    }
    views_end_window(r->views, 1);
    assert_int_equal(r->memory[AT] + r->memory[AT + 1], 2);
    assert_int_equal(r->memory[AT + 2], 0);
    rig_free(r);
}

/* Random stores and loads of some lines by SMs with several parts each: an SM sees memory as
 * the window began and its own stores, and memory holds them in the order of parts. */
enum { STEPS = 200 };

struct store {
    uint64_t part, addr;
    unsigned bytes;
    uint8_t value;
};

static void replay(uint8_t *memory, const struct store *all, unsigned n, uint64_t parts)
{
    for (uint64_t part = 0; part < parts; part++)
        for (unsigned k = 0; k < n; k++)
            if (all[k].part == part)
                memset(memory + all[k].addr, all[k].value, all[k].bytes);
}

static void put_some(struct rig *r, unsigned sm, const struct store *w)
{
    struct view_line *l =
        view_write(view_of_part(r->views, &r->sm[sm]), w->addr, r->memory + w->addr);

    view_mark_range(l, w->addr, w->bytes);
    memset(l->data + w->addr % VIEW_LINE, w->value, w->bytes);
}

static void random_bytes(void **state)
{
    struct rig *r = rig_new();
    uint64_t random = 1;

    (void)state;
    for (unsigned window = 0; window < 100; window++) {
        uint8_t seen[N_SMS][BYTES], after[BYTES];
        struct store all[STEPS];
        uint64_t parts = 0, part[N_SMS];
        unsigned n = 0;

        memcpy(after, r->memory, BYTES);
        for (unsigned sm = 0; sm < N_SMS; sm++) {
            memcpy(seen[sm], r->memory, BYTES);
            view_begin_part(r->views, sm, part[sm] = parts++);
        }
        for (unsigned step = 0; step < STEPS; step++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned sm = (unsigned)(random >> 60) % N_SMS;
            unsigned bytes = 1u << (random >> 40) % 7;
            uint64_t addr = (random >> 48) % BYTES / bytes * bytes;

            if (!((random >> 33) % 16))
                view_begin_part(r->views, sm, part[sm] = parts++);
            if ((random >> 32) % 2) {
                all[n] = (struct store){ part[sm], addr, bytes, (uint8_t)step };
                put_some(r, sm, &all[n++]);
                memset(seen[sm] + addr, (uint8_t)step, bytes);
            } else {
                assert_int_equal(get(r, sm, addr), seen[sm][addr]);
            }
        }
        replay(after, all, n, parts);
        views_end_window(r->views, parts);
        assert_memory_equal(r->memory, after, BYTES);
    }
    rig_free(r);
}

/* More lines than a view begins with. */
static void many_lines(void **state)
{
    enum { LINES = 1000 };
    uint8_t *memory = lines_alloc(LINES * VIEW_LINE);
    struct rig *r = rig_new();

    (void)state;
    view_begin_part(r->views, 0, 0);
    for (uint64_t n = 0; n < LINES; n++) {
        uint64_t addr = n * VIEW_LINE + n % VIEW_LINE;
        struct view_line *l =
            view_write(view_of_part(r->views, r->sm), addr, memory + addr);

        l->data[addr % VIEW_LINE] = (uint8_t)(1 + n % 255);
        view_mark_range(l, addr, 1);
    }
    for (uint64_t n = 0; n < LINES; n++)
        assert_int_equal(view_find(r->sm, n * VIEW_LINE)->data[n % VIEW_LINE],
                         1 + n % 255);
    views_end_window(r->views, 0);
    for (uint64_t n = 0; n < LINES; n++)
        assert_int_equal(memory[n * VIEW_LINE + n % VIEW_LINE], 1 + n % 255);
    rig_free(r);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_parts),   cmocka_unit_test(order_of_parts),
        cmocka_unit_test(ordered_parts), cmocka_unit_test(dropped_parts),
        cmocka_unit_test(random_bytes),  cmocka_unit_test(many_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
