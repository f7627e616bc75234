/* test_addresses.c - the lanes' addresses in their forms, against plain lists of them. */
#include "check.h"
#include "isa/addresses.h"

static uint64_t draw(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

/* A line, two halves, a line but for one lane, or anything. */
static uint32_t make(uint64_t *addr, uint64_t *s)
{
    uint64_t base = draw(s) << 12, stride = draw(s) % 40 - 16;
    uint64_t half = draw(s) % 3 ? draw(s) % 4000 - 2000 : stride * 16;
    unsigned shape = (unsigned)draw(s) % 8, lane = (unsigned)draw(s) % 32;
    uint32_t mask = draw(s) % 2 ? UINT32_MAX : (uint32_t)(draw(s) << 1 ^ draw(s));

    for (unsigned l = 0; l < 32; l++)
        addr[l] = base + l % 16 * stride + l / 16 * half;
    if (shape == 1)
        addr[lane] += 4;
    if (shape == 2)
        for (unsigned l = 0; l < 32; l++)
            addr[l] = draw(s) << 32 ^ draw(s);
    if (draw(s) % 4 == 0)
        mask &= (uint32_t)(draw(s) & draw(s));
    return mask ? mask : 1u << lane;
}

static void every_lane_has_its_address(void **state)
{
    uint64_t addr[32], list[32], again[32], seed = 1;
    unsigned n_even = 0, n_uneven = 0;

    (void)state;
    for (unsigned n = 0; n < 50000; n++) {
        uint32_t mask = make(addr, &seed);
        struct addresses a = { .list = list };

        addresses_set(&a, addr, mask);
        addresses_spread(&a, again);
        for (unsigned l = 0; l < 32; l++)
            if (mask >> l & 1) {
                assert_int_equal(addresses_at(&a, l), addr[l]);
                assert_int_equal(again[l], addr[l]);
            }
        a.stride == UNEVEN ? n_uneven++ : n_even++;
    }
    assert_in_range(n_even, 30000, 45000); /* lines are found */
    assert_in_range(n_uneven, 5000, 20000);
}

static void even_lanes_are_found_in_any_mask(void **state)
{
    uint64_t addr[32], seed = 3;

    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        uint64_t base = draw(&seed), stride = draw(&seed) % 64 - 32, half = draw(&seed);
        uint32_t mask = (uint32_t)(draw(&seed) << 1 ^ draw(&seed)) | 1u << n % 32;
        struct addresses a = { 0 }; /* no room for a list */

        if (n % 2)
            half = 16 * stride;
        half &= INT32_MAX;
        for (unsigned l = 0; l < 32; l++)
            addr[l] =
                mask >> l & 1 ? base + l % 16 * stride + l / 16 * half : draw(&seed);
        assert_true(addresses_find(&a, addr, mask));
        assert_int_equal(addresses_at(&a, n % 32), addr[n % 32]);
    }
}

static void steps_that_do_not_fit_are_lists(void **state)
{
    static const struct {
        int64_t stride, half;
        bool fits;
    } rows[] = {
        { 4, 64, true },
        { INT32_MIN, 0, false }, /* the sign of a list */
        { INT32_MIN + 1, INT32_MAX, true },
        { INT32_MAX + 1ll, 0, false },
        { 4, INT32_MAX + 1ll, false },
        { 4, INT32_MIN, false },
        { 1ll << 60, 1ll << 62, false },
    };
    uint64_t list[32], addr[32];

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct addresses a = { .list = list };

        for (unsigned l = 0; l < 32; l++)
            addr[l] = 0xfffffffffffff000 + l % 16 * (uint64_t)rows[n].stride +
                      l / 16 * (uint64_t)rows[n].half;
        addresses_set_halves(&a, addr[0], rows[n].stride, rows[n].half);
        assert_int_equal(a.stride != UNEVEN, rows[n].fits);
        for (unsigned l = 0; l < 32; l++)
            assert_int_equal(addresses_at(&a, l), addr[l]);
        addresses_set(&a, addr, UINT32_MAX);
        assert_int_equal(a.stride != UNEVEN, rows[n].fits);
    }
}

static void a_line_goes_over_both_halves(void **state)
{
    struct addresses a;

    (void)state;
    addresses_set_line(&a, 100, -4);
    assert_int_equal(addresses_at(&a, 16), 100 - 64);
    assert_true(addresses_are_line(&a));
    addresses_set_halves(&a, 100, -4, 64);
    assert_int_equal(addresses_at(&a, 17), 100 + 64 - 4);
    assert_false(addresses_are_line(&a));
}

/* Marks the bytes of an extent, each of which lies within 64 KB of from. */
static void mark(uint8_t *bytes, uint64_t from, struct extent e)
{
    for (uint64_t at = e.low; at < e.high; at++)
        bytes[(uint16_t)(at - from)] = 1;
}

/* What is taken, all in all, is what the lanes touch; extents are its ends. */
static void lanes_are_taken_with_their_bytes(void **state)
{
    static uint8_t taken[65536], touched[65536];
    uint64_t addr[32], list[32], seed = 7;

    (void)state;
    for (unsigned n = 0; n < 3000; n++) {
        uint32_t mask = make(addr, &seed), left = mask;
        unsigned bytes = 1u << draw(&seed) % 5;
        struct addresses a = { .list = list };
        struct extent all, own = { UINT64_MAX, 0 };

        for (unsigned l = 0; l < 32; l++)
            addr[l] &= 0x7fff;
        addresses_set(&a, addr, mask);
        all = addresses_extent(&a, bytes, mask);
        memset(taken, 0, sizeof taken);
        memset(touched, 0, sizeof touched);
        while (left) {
            uint32_t before = left;

            mark(taken, 0, addresses_take(&a, bytes, &left));
            assert_int_equal(left & ~before, 0);
            assert_true(left < before); /* the last one first */
        }
        for (unsigned l = 0; l < 32; l++)
            if (mask >> l & 1) {
                mark(touched, 0, (struct extent){ addr[l], addr[l] + bytes });
                own.low = addr[l] < own.low ? addr[l] : own.low;
                own.high = addr[l] + bytes > own.high ? addr[l] + bytes : own.high;
            }
        assert_memory_equal(taken, touched, sizeof taken);
        assert_int_equal(all.low, own.low);
        assert_int_equal(all.high, own.high);
    }
}

static void neighbours_are_taken_together(void **state)
{
    static const struct {
        int64_t stride, half;
        uint32_t mask, left;
        struct extent taken;
    } rows[] = {
        { 4, 64, 0xffffffff, 0, { 0, 128 } },
        { 4, 64, 0xff00ff00, 0x0000ff00, { 96, 128 } },
        { 4, 64, 0x000ff000, 0, { 48, 80 } }, /* across the halves */
        { 4, 96, 0x000ff000, 0x0000f000, { 96, 112 } },
        { 4, 96, 0x00000ff0, 0, { 16, 48 } },
        { 0, 0, 0x80000001, 0, { 0, 4 } },
        { 0, 8, 0x80010001, 1, { 8, 12 } },
        { 8, 128, 0x7, 0x3, { 16, 20 } },
        { -4, -64, 0x3, 0x1, { (uint64_t)-4, 0 } },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t mask = rows[n].mask;
        struct addresses a;
        struct extent e;

        addresses_set_halves(&a, 0, rows[n].stride, rows[n].half);
        e = addresses_take(&a, 4, &mask);
        assert_int_equal(mask, rows[n].left);
        assert_int_equal(e.low, rows[n].taken.low);
        assert_int_equal(e.high, rows[n].taken.high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_has_its_address),
        cmocka_unit_test(even_lanes_are_found_in_any_mask),
        cmocka_unit_test(steps_that_do_not_fit_are_lists),
        cmocka_unit_test(a_line_goes_over_both_halves),
        cmocka_unit_test(lanes_are_taken_with_their_bytes),
        cmocka_unit_test(neighbours_are_taken_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
