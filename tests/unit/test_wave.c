/* test_wave.c - the order of blocks and warps where nothing is timed. */
#include "base/buf.h"
#include "check.h"
#include "isa/wave.h"

enum { MAX_BLOCKS = 64, WARPS = 2 };

/* Blocks of two warps. Each turn of a warp is written down; a warp lasts some turns. */
struct rig {
    struct buf order;
    unsigned n_turns, cycles[WARPS];
    unsigned had[MAX_BLOCKS][WARPS];
    uint8_t block[MAX_BLOCKS];
    unsigned open, most_open;
    int waits_for; /* block 0 sleeps until this one has ended; -1: none */
    bool all_wait; /* so do the other blocks before it */
    unsigned n_slept;
    bool waits, has_ended[MAX_BLOCKS];
};

static void *open_block(void *to, uint64_t cluster, uint32_t rank, unsigned *n_warps,
                        struct err *err)
{
    struct rig *r = to;

    (void)rank, (void)err;
    *n_warps = WARPS;
    r->open++;
    r->most_open = r->open > r->most_open ? r->open : r->most_open;
    return &r->block[cluster];
}

static int run_turn(void *to, void *block, unsigned warp, struct wave_turn *turn,
                    struct err *err)
{
    struct rig *r = to;
    unsigned b = (unsigned)((uint8_t *)block - r->block);

    (void)err;
    *turn = (struct wave_turn){ .cycles = r->cycles[warp] };
    if (r->waits) {
        *turn = (struct wave_turn){ .end = WAVE_WAITS };
        return 0;
    }
    if ((!b || (r->all_wait && (int)b != r->waits_for)) && r->waits_for >= 0 &&
        !r->has_ended[r->waits_for]) {
        r->n_slept++;
        turn->end = WAVE_SLEPT;
        return 0;
    }
    buf_printf(&r->order, "%u%c ", b, 'a' + (int)warp);
    if (++r->had[b][warp] == r->n_turns)
        turn->end = WAVE_ENDED;
    return 0;
}

static int close_block(void *to, void *block, struct err *err)
{
    struct rig *r = to;

    (void)err;
    r->has_ended[(uint8_t *)block - r->block] = true;
    r->open--;
    return 0;
}

static void report_stuck(void *to, void *block, unsigned warp, struct err *err)
{
    (void)to, (void)block;
    err_kind(err, ERR_DEADLOCK, "warp %u", warp);
}

static const struct wave_ops ops = {
    .open = open_block, .run = run_turn, .close = close_block, .stuck = report_stuck
};

static int run_rig(struct rig *r, uint64_t n_blocks, uint64_t resident, struct err *err)
{
    struct wave v = {
        .ops = &ops, .to = r, .n_clusters = n_blocks, .cluster = 1, .resident = resident
    };
    int failed = wave_run(&v, err);

    wave_free(&v);
    return failed;
}

static void warps_take_turns(void **state)
{
    struct rig r = { .n_turns = 3, .cycles = { 10, 10 }, .waits_for = -1 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_rig(&r, 1, 4, &err), 0);
    assert_string_equal(buf_text(&r.order), "0a 0b 0a 0b 0a 0b ");
    buf_free(&r.order);
}

/* One that waits longer gets fewer turns. */
static void turns_come_by_time(void **state)
{
    struct rig r = { .n_turns = 4, .cycles = { 10, 30 }, .waits_for = -1 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_rig(&r, 1, 4, &err), 0);
    assert_string_equal(buf_text(&r.order), "0a 0b 0a 0a 0a 0b 0b 0b ");
    buf_free(&r.order);
}

/* Long blocks run in turn, as many as there is room for; short ones one by one. */
static void blocks_run_together(void **state)
{
    struct rig r = { .n_turns = 3, .cycles = { 2000, 2000 }, .waits_for = -1 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_rig(&r, 3, 2, &err), 0);
    assert_int_equal(r.most_open, 2);
    assert_string_equal(buf_text(&r.order),
                        "0a 0b 0a 0b 1a 1b 1a 1b 0a 0b 1a 1b 2a 2b 2a 2b 2a 2b ");
    buf_free(&r.order);
    r = (struct rig){ .n_turns = 3, .cycles = { 10, 10 }, .waits_for = -1 };
    assert_int_equal(run_rig(&r, 3, 2, &err), 0);
    assert_int_equal(r.most_open, 1);
    buf_free(&r.order);
}

/* A block that waits for one which does not fit gets company. */
static void sleeping_blocks_get_company(void **state)
{
    struct rig r = { .n_turns = 2, .cycles = { 10, 10 }, .waits_for = 3 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_rig(&r, 4, 1, &err), 0);
    assert_int_equal(r.most_open, 2);
    assert_true(r.has_ended[0]);
    buf_free(&r.order);
}

/* Where all wait for a block that the device holds, it comes soon: there are never many more
 * turns without it. One that the device does not hold comes, too. */
static void device_fills_soon(void **state)
{
    static const int waits_for[] = { 39, 41 };
    struct err err = { 0 };

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct rig r = { .n_turns = 2,
                         .cycles = { 10, 10 },
                         .waits_for = waits_for[k],
                         .all_wait = true };
        struct wave v = { .ops = &ops,
                          .to = &r,
                          .n_clusters = MAX_BLOCKS,
                          .cluster = 1,
                          .resident = 2,
                          .holds = 40 };

        assert_int_equal(wave_run(&v, &err), 0);
        wave_free(&v);
        assert_int_equal(r.most_open, waits_for[k] + 1);
        assert_in_range(r.n_slept, 1, k ? 1300 : 600);
        buf_free(&r.order);
    }
}

static void deadlock_is_reported(void **state)
{
    struct rig r = {
        .n_turns = 2, .cycles = { 10, 10 }, .waits = true, .waits_for = -1
    };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_rig(&r, 4, 2, &err), -1);
    assert_int_equal(err.code, ERR_DEADLOCK);
    assert_int_equal(r.most_open, 4);
    buf_free(&r.order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_take_turns),
        cmocka_unit_test(turns_come_by_time),
        cmocka_unit_test(blocks_run_together),
        cmocka_unit_test(sleeping_blocks_get_company),
        cmocka_unit_test(device_fills_soon),
        cmocka_unit_test(deadlock_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
