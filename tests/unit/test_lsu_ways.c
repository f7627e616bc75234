/* test_lsu_ways.c - the short ways through a load/store unit against the long ones.
 *
 * Sectors of a line go through L1 together, what it is filled with is chosen ahead, and
 * replies that are known, if memory works ahead, are taken ahead. All stop where a
 * parameter could make a difference, so that the same unit can be had without them: under
 * the same random traffic every end of an instruction and every statistic must be the same.
 */
#include "mem_rig.h"

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* No more than four transactions each, for which l1.line_quarters = 1 adds nothing. */
static const struct {
    int64_t stride;
    uint32_t mask;
} habits[] = { { 4, UINT32_MAX }, { 8, 0xffff }, { 32, 0xf }, { 128, 0xf },
               { 0, UINT32_MAX }, { 64, 0xf },   { 4, 0x77 }, { 1, UINT32_MAX } };

/* An L1 that is soon short of everything, and small enough for lines to come back. */
static void build(struct rig *r, uint64_t seed, bool is_long, unsigned lead)
{
    rig_defaults(r, 1);
    r->lead = lead;
    r->lc.l1.latency = 1 + rng(&seed) % 12;
    r->lc.l1.miss_queue = 3 + rng(&seed) % 14;
    r->lc.l1.mshrs = rng(&seed) % 2 ? 6 : 256;
    r->lc.l1.merges = 1 + rng(&seed) % 4;
    r->lc.l1.banks = 4u << rng(&seed) % 2;
    r->lc.l1.sets = rng(&seed) % 2 ? 1 : 4;
    r->lc.l1.ways = 4 + rng(&seed) % 3 * 14;
    r->lc.l1.allocate = rng(&seed) % 2 ? CACHE_ALLOCATE_MISS : CACHE_ALLOCATE_FILL;
    r->lc.l1.write_allocate = rng(&seed) % 2;
    r->lc.l1.port_bytes = rng(&seed) % 4 ? 32 : 8;
    r->lc.shared.latency = 2 + rng(&seed) % 30;
    r->mp.l2.latency = lead + 1 + rng(&seed) % 40;
    if (is_long) {
        r->lc.l1.line_quarters = 1;
        r->lc.lsu.texture_latency = 1;
    }
    rig_build(r);
}

static void take_one(struct rig *r, uint64_t *seed)
{
    unsigned habit = rng(seed) % (sizeof habits / sizeof *habits), kind = rng(seed) % 8;
    enum rig_op op = kind == 7 ? RIG_STORE : kind == 6 ? RIG_LOAD_CG : RIG_LOAD;
    uint64_t base = 0x7f0000000000 + rng(seed) % 500 * 32;
    struct uop *u = rig_uop(r, 0, op, kind == 5 ? SPACE_SHARED : SPACE_GLOBAL, base,
                            habits[habit].stride);

    if (!u)
        return;
    u->dyn.mask = habits[habit].mask;
    rig_take(r, 0, u);
}

/* On by a cycle; a window of them ends where memory runs on. */
static void go_on(struct rig *r)
{
    unsigned lead = memory_lead(r->memory);

    if (!lead) {
        rig_step(r);
        return;
    }
    if (++r->cycle % lead == 0)
        memory_run(r->memory, r->cycle - lead, r->cycle);
    memory_now(r->memory, 0, r->cycle);
    rig_tick_lsus(r);
}

/* One cycle of one of the two; what has ended so far, as a number. */
static uint64_t step(struct rig *r, uint64_t *seed, unsigned pause)
{
    uint64_t ended = r->n_result * (uint64_t)0x10001 + r->n_done;

    go_on(r);
    if (lsu_can_take(r->lsu[0]) && !(rng(seed) % pause))
        take_one(r, seed);
    return ended;
}

/* What is under way when nothing more comes. */
static void drain(struct rig *r)
{
    for (unsigned n = 0; n < 20000 && !lsu_is_idle(r->lsu[0]); n++)
        go_on(r);
    assert_true(lsu_is_idle(r->lsu[0]));
}

/* How often L1 was filled. */
static uint64_t both_ways(uint64_t start, unsigned lead)
{
    uint64_t seed[2] = { start, start };
    unsigned pause = 1 + (unsigned)(start % 5);
    struct rig r[2];
    uint64_t fills;

    for (unsigned k = 0; k < 2; k++)
        build(&r[k], start, k, lead);
    for (unsigned n = 0; n < 6000; n++) {
        uint64_t first = step(&r[0], &seed[0], pause);

        assert_int_equal(first, step(&r[1], &seed[1], pause));
        assert_int_equal(seed[0], seed[1]);
    }
    for (unsigned k = 0; k < 2; k++)
        drain(&r[k]);
    assert_memory_equal(r[0].done_at, r[1].done_at, sizeof r[0].done_at);
    assert_memory_equal(r[0].result_at, r[1].result_at, sizeof r[0].result_at);
    assert_memory_equal(lsu_stats(r[0].lsu[0]), lsu_stats(r[1].lsu[0]),
                        sizeof *lsu_stats(r[0].lsu[0]));
    assert_memory_equal(memory_stats(r[0].memory), memory_stats(r[1].memory),
                        sizeof *memory_stats(r[0].memory));
    fills = lsu_stats(r[0].lsu[0])->l1_fills;
    for (unsigned k = 0; k < 2; k++)
        rig_free(&r[k]);
    return fills;
}

static void long_and_short_ways_are_the_same(void **state)
{
    uint64_t fills = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        fills += both_ways(seed * 0x9e3779b97f4a7c15u, 0);
    assert_true(fills > 20000);
}

static void so_they_are_with_memory_ahead(void **state)
{
    uint64_t fills = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        fills += both_ways(seed * 0x9e3779b97f4a7c15u, 20 + (unsigned)seed);
    assert_true(fills > 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_and_short_ways_are_the_same),
        cmocka_unit_test(so_they_are_with_memory_ahead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
