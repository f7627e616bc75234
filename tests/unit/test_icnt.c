/* test_icnt.c - in which order inputs that want the same output are served, and how long
 * requests are.
 */
#include <stdio.h>

#include "check.h"
#include "mem/icnt.h"

enum { N_IN = 5, EACH = 2, N = N_IN * EACH };

/* The inputs in the order in which output 0 gets two packets of each. */
static void serve(uint32_t arbiter, uint32_t order[N])
{
    struct icnt_params p = {
        .arbiter = arbiter, .in_buffer = 8, .out_buffer = 8, .flit_bytes = 40
    };
    uint32_t left[N_IN];
    struct xbar x;
    struct err err = { 0 };

    assert_int_equal(xbar_init(&x, &p, N_IN, 1, &err), 0);
    for (uint32_t i = 0; i < N_IN; i++) {
        left[i] = EACH;
        xbar_want(&x, i, 0);
    }
    for (uint32_t i = 0; i < N; i++) {
        xbar_tick(&x, i);
        assert_int_equal(x.n_moved, 1);
        order[i] = x.moved->in;
        if (--left[order[i]])
            xbar_want(&x, order[i], 0);
    }
    assert_int_equal(x.n_waiting, 0);
    xbar_free(&x);
}

static void expect(uint32_t arbiter, const uint32_t right[N])
{
    uint32_t order[N];

    serve(arbiter, order);
    assert_memory_equal(order, right, sizeof order);
}

static void test_in_turn(void **state)
{
    static const uint32_t turns[N] = { 0, 1, 2, 3, 4, 0, 1, 2, 3, 4 };

    (void)state;
    expect(ICNT_ROUND_ROBIN, turns);
    expect(ICNT_ISLIP, turns);
}

/* After input 0 comes 2, and after the last one or the one before it 0 again: the others
 * wait until these have no more packets. */
static void test_neighbour_comes_last(void **state)
{
    static const uint32_t turns[N] = { 0, 2, 4, 0, 2, 4, 1, 3, 1, 3 };

    (void)state;
    expect(ICNT_ISLIP_SKIP, turns);
}

/* Moves what moves in a cycle; an input has packets for these outputs, 0 ends them. */
static void chain(struct xbar *x, uint64_t cycle, const uint32_t **packets, char *text)
{
    struct xbar_move i;

    *text = 0;
    for (uint32_t out = 0; xbar_chain(x, cycle, &out, &i);) {
        text += sprintf(text, " %u>%u", i.in, i.out);
        if (*++packets[i.in])
            xbar_want(x, i.in, *packets[i.in]);
    }
}

/* The artifact's replies in cycles 1577 to 1580 of histogram: slice 3 has replies for SMs
 * 4, 6, 1 and 6. SM 4 is served by another slice first; then both 4 and 6 get theirs in one
 * cycle, and so do 1 and 6. */
static void test_chain(void **state)
{
    static const uint32_t others[] = { 4, 0 }, slice[] = { 4, 6, 1, 6, 0 };
    const uint32_t *packets[N_IN] = { others, others + 1, others + 1, slice,
                                      slice + 4 };
    struct icnt_params p = {
        .arbiter = ICNT_ISLIP, .chain = true, .in_buffer = 8, .out_buffer = 8
    };
    char text[64];
    struct err err = { 0 };
    struct xbar x;

    (void)state;
    assert_int_equal(xbar_init(&x, &p, N_IN, 100, &err), 0);
    xbar_want(&x, 0, 4);
    xbar_want(&x, 3, 4);
    chain(&x, 1577, packets, text);
    assert_string_equal(text, " 0>4");
    chain(&x, 1578, packets, text);
    assert_string_equal(text, " 3>4 3>6");
    chain(&x, 1579, packets, text);
    assert_string_equal(text, " 3>1 3>6");
    chain(&x, 1580, packets, text);
    assert_string_equal(text, "");
    assert_int_equal(x.n_waiting, 0);
    assert_int_equal(x.n_conflicts, 1);
    xbar_free(&x);
}

/* The set of inputs that are due in a cycle, as bits. */
static uint64_t due(struct xbar *x, uint64_t cycle)
{
    bool any = xbar_begin(x, cycle);
    uint64_t set = x->due[0];

    assert_int_equal(any, set != 0);
    x->due[0] = 0;
    return set;
}

/* Inputs are due in the cycle in which they are awaited, once, or when cycles have been
 * passed over in the next; one that is too far off comes early, never late. */
static void test_awaited(void **state)
{
    struct icnt_params p = { .in_buffer = 8, .out_buffer = 8, .flit_bytes = 40 };
    struct err err = { 0 };
    struct xbar x;

    (void)state;
    assert_int_equal(xbar_init(&x, &p, N_IN, 1, &err), 0);
    assert_int_equal(xbar_next(&x), UINT64_MAX);
    xbar_await(&x, 0, 10);
    xbar_await(&x, 3, 10);
    xbar_await(&x, 3, 10); /* twice is once */
    xbar_await(&x, 1, 12);
    assert_int_equal(xbar_next(&x), 10);
    assert_int_equal(due(&x, 9), 0);
    assert_int_equal(due(&x, 10), 1 << 0 | 1 << 3);
    assert_int_equal(xbar_next(&x), 12);
    assert_int_equal(due(&x, 500), 1 << 1);
    assert_int_equal(xbar_next(&x), UINT64_MAX);
    xbar_await(&x, 2, 500 + XBAR_AHEAD + 5);
    assert_int_equal(xbar_next(&x), 505);
    xbar_free(&x);
}

/* As an H200's one SM sends them: tests/h200/recorded.txt. */
static void test_flits_of_requests(void **state)
{
    static const struct {
        struct mem_request r;
        unsigned flits;
    } rows[] = {
        { { .kind = MEM_READ, .sectors = 15 }, 1 },
        { { .kind = MEM_WRITE, .sectors = 1, .words = 0xff }, 1 },
        { { .kind = MEM_WRITE, .sectors = 3, .words = 0xffff }, 2 },
        { { .kind = MEM_WRITE, .sectors = 7, .words = 0xffffff }, 3 },
        { { .kind = MEM_WRITE, .sectors = 15, .words = 0xffffffff }, 4 },
        { { .kind = MEM_WRITE, .sectors = 1, .words = 1 }, 2 },
        { { .kind = MEM_WRITE, .sectors = 1, .words = 0 }, 2 }, /* bytes of a word */
        { { .kind = MEM_WRITE, .sectors = 5, .words = 0x10001 }, 3 },
        { { .kind = MEM_WRITE, .sectors = 15, .words = 0x55555555 }, 5 },
        { { .kind = MEM_ATOMIC, .sectors = 1, .words = 1 }, 1 },
        { { .kind = MEM_ATOMIC, .sectors = 1, .words = 1, .has_result = true }, 2 },
        { { .kind = MEM_ATOMIC, .sectors = 1, .words = 0xff }, 2 },
        { { .kind = MEM_ATOMIC, .sectors = 3, .words = 0xffff }, 3 },
        { { .kind = MEM_ATOMIC, .sectors = 15, .words = 0xffffffff }, 5 },
    };
    static const struct icnt_params p = { .flit_bytes = 40,
                                          .header_bytes = 8,
                                          .mask_bytes = 32 };

    (void)state;
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_int_equal(icnt_request_flits(&p, &rows[k].r), rows[k].flits);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_in_turn),
                                        cmocka_unit_test(test_neighbour_comes_last),
                                        cmocka_unit_test(test_chain),
                                        cmocka_unit_test(test_awaited),
                                        cmocka_unit_test(test_flits_of_requests) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
