/* test_lsu_ways.c - the load/store unit that works ahead against the one that goes cycle
 * by cycle, which specifies it (core/lsu/plain.c).
 *
 * Both get the same random traffic on the same machine. In every cycle both must have room
 * for the same sub-cores and report the same events in the same order; in the end all
 * statistics of the units and of their memories must be equal. Machines are presets, as
 * they are and with an L1 that is soon short of everything; memory goes cycle by cycle or
 * works ahead; the unit that works ahead is ticked in every cycle or only when it wakes
 * its SM.
 */
#include "mem_rig.h"
#include "sim/machine.h"

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* Lanes of an instruction. */
static const struct {
    int64_t stride;
    uint32_t mask;
} habits[] = { { 4, UINT32_MAX },   { 8, 0xffff },     { 32, 0xf },
               { 128, 0xf },        { 0, UINT32_MAX }, { 64, 0xf },
               { 4, 0x77 },         { 1, UINT32_MAX }, { 32, UINT32_MAX },
               { 128, UINT32_MAX }, { 64, 0xff0 },     { 4, 0 } };

/* Kinds of instructions; loads and stores of global memory are the most frequent. */
static const struct {
    enum rig_op op;
    uint8_t space;
} kinds[] = {
    { RIG_LOAD, SPACE_GLOBAL },    { RIG_LOAD, SPACE_GLOBAL },
    { RIG_LOAD, SPACE_GLOBAL },    { RIG_LOAD, SPACE_GLOBAL },
    { RIG_STORE, SPACE_GLOBAL },   { RIG_STORE, SPACE_GLOBAL },
    { RIG_LOAD_CG, SPACE_GLOBAL }, { RIG_LOAD, SPACE_SHARED },
    { RIG_STORE, SPACE_SHARED },   { RIG_ATOMIC, SPACE_SHARED },
    { RIG_LOAD, SPACE_LOCAL },     { RIG_STORE, SPACE_LOCAL },
    { RIG_LOAD, SPACE_NONE },      { RIG_LOAD, SPACE_CONST },
    { RIG_LOAD, SPACE_TEXTURE },   { RIG_ATOMIC, SPACE_GLOBAL },
    { RIG_RED, SPACE_GLOBAL },
};

struct trial {
    const char *gpu;
    uint64_t seed;
    unsigned lead;  /* cycles that memory works ahead */
    unsigned span;  /* sectors that addresses start in */
    bool is_short;  /* L1 is soon short of everything */
    bool sleeps;    /* the unit that works ahead is ticked only when it must be */
    bool is_varied; /* all kinds of instructions, not only of L1 */
};

/* An L1 in which lines come back and lookups fail for all reasons. */
static void make_short(struct lsu_config *c, uint64_t *seed)
{
    c->l1.latency = 1 + rng(seed) % 12;
    c->l1.miss_queue = 3 + rng(seed) % 14;
    c->l1.mshrs = rng(seed) % 2 ? 6 : 256;
    c->l1.merges = 1 + rng(seed) % 4;
    c->l1.banks = 1u << rng(seed) % 4;
    c->l1.sets = rng(seed) % 2 ? 1 : 4;
    c->l1.ways = 4 + rng(seed) % 3 * 14;
    c->l1.unified_kb = 0;
    c->l1.allocate = rng(seed) % 2 ? CACHE_ALLOCATE_MISS : CACHE_ALLOCATE_FILL;
    c->l1.write_allocate = rng(seed) % 2;
    c->l1.port_bytes = rng(seed) % 4 ? 32 : 8;
    c->l1.line_quarters = rng(seed) % 3 ? 0 : 5;
    c->l1.bypass = rng(seed) % 2;
    c->shared.latency = 2 + rng(seed) % 30;
    c->lsu.writebacks = rng(seed) % 3 ? 1 : 2;
    c->lsu.replies = rng(seed) % 3 ? 1 : 2;
    c->lsu.texture_latency = 1 + rng(seed) % 40;
    c->constant.perfect = rng(seed) % 2;
    c->constant.latency = 1 + rng(seed) % 8;
    c->constant.address_cycles = rng(seed) % 3;
    c->l1.store_fills = rng(seed) % 2;
    c->l1.store_cycles = rng(seed) % 2 ? 17 : 0;
    c->l1.store_join = rng(seed) % 12;
    c->l1.fill_first = rng(seed) % 2;
    c->l1.posted = rng(seed) % 3 * (rng(seed) % 20);
}

static void build(struct rig *r, const struct trial *t, bool is_plain)
{
    static const uint8_t sizes[] = { 4, 4, 8, 16, 2 };
    struct err err = { 0 };
    struct machine *m = machine_new(t->gpu, NULL, &err);
    uint64_t seed = t->seed;

    assert_non_null(m);
    rig_defaults(r, 1);
    r->lc = m->lsu;
    r->mp = m->memory;
    machine_free(m);
    r->is_plain = is_plain;
    r->lead = t->lead;
    if (t->is_short)
        make_short(&r->lc, &seed);
    r->mp.l2.latency = t->lead + 1 + rng(&seed) % 40;
    r->mp.tlb.enabled = rng(&seed) % 4 == 0;
    for (unsigned op = 0; op < 5; op++)
        r->inst[op].bytes = sizes[rng(&seed) % sizeof sizes];
    rig_build(r);
    r->inst[RIG_ATOMIC].n_src = 2;
    if (rng(&seed) % 4 == 0)
        lsu_tell_checked(r->lsu[0]);
}

static void take_one(struct rig *r, const struct trial *t, uint64_t *seed)
{
    unsigned habit = rng(seed) % (sizeof habits / sizeof *habits);
    size_t kind = rng(seed) % (t->is_varied ? sizeof kinds / sizeof *kinds : 7);
    uint64_t first = kinds[kind].space == SPACE_GLOBAL ? 0x7f0000000000 : 0;
    struct uop *u = rig_uop(r, 0, kinds[kind].op, kinds[kind].space,
                            first + rng(seed) % t->span * 32, habits[habit].stride);
    unsigned warp = rng(seed) % 8;

    if (!u || !lsu_has_room(r->lsu[0], warp % 4))
        return;
    u->warp = (uint8_t)warp;
    u->dyn.mask = habits[habit].mask;
    rig_take(r, 0, u);
}

/* One cycle of memory; a window of them ends where memory that works ahead runs on. */
static void run_memory(struct rig *r)
{
    unsigned lead = memory_lead(r->memory);

    r->cycle++;
    if (!lead)
        memory_tick(r->memory, r->cycle);
    else if (r->cycle % lead == 0)
        memory_run(r->memory, r->cycle - lead, r->cycle);
    memory_now(r->memory, 0, r->cycle);
}

/* One cycle; the events of it, of which there are few. */
enum { MOST_EVENTS = 64 };
static unsigned step(struct rig *r, bool may_sleep, struct lsu_event *e)
{
    struct lsu *l = r->lsu[0];
    unsigned n = 0;

    run_memory(r);
    if (may_sleep && lsu_run(l, r->cycle + 1, false) > r->cycle)
        return 0;
    lsu_tick(l, r->cycle);
    for (; lsu_event(l, &e[n]); n++) {
        assert_true(n + 1 < MOST_EVENTS);
        r->n_done += e[n].kind == LSU_DONE;
        if (e[n].kind == LSU_DONE)
            r->busy[0][e[n].uop] = 0;
    }
    return n;
}

/* One cycle of both, the plain unit second; both may then take an instruction. */
static void step_both(struct rig *r, const struct trial *t, uint64_t *seed, bool takes)
{
    struct lsu_event e[2][MOST_EVENTS];
    unsigned n = step(&r[0], t->sleeps && !takes, e[0]);

    assert_int_equal(step(&r[1], false, e[1]), n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(e[0][i].uop, e[1][i].uop);
        assert_int_equal(e[0][i].kind, e[1][i].kind);
        assert_int_equal(e[0][i].has_result, e[1][i].has_result);
    }
    if (!takes)
        return;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(lsu_has_room(r[0].lsu[0], i), lsu_has_room(r[1].lsu[0], i));
    assert_int_equal(lsu_await_stores(r[0].lsu[0], (unsigned)(seed[0] >> 40) % 8),
                     lsu_await_stores(r[1].lsu[0], (unsigned)(seed[0] >> 40) % 8));
    for (unsigned k = 0; k < 2; k++)
        take_one(&r[k], t, &seed[k]);
}

/* Runs both until they are empty; returns how often L1 was filled. */
static uint64_t compare(const struct trial *t)
{
    uint64_t seed[2] = { t->seed, t->seed }, when = t->seed, fills;
    unsigned pause = 1 + (unsigned)(t->seed % 5), idle = 0;
    struct rig *r = calloc(2, sizeof *r);

    assert_non_null(r);
    for (unsigned k = 0; k < 2; k++)
        build(&r[k], t, k);
    for (unsigned n = 0; n < 2500; n++)
        step_both(r, t, seed, !(rng(&when) % pause));
    for (; idle < 500000 && !lsu_is_idle(r[1].lsu[0]); idle++)
        step_both(r, t, seed, false);
    assert_true(lsu_is_idle(r[0].lsu[0]) && lsu_is_idle(r[1].lsu[0]));
    assert_memory_equal(lsu_stats(r[0].lsu[0]), lsu_stats(r[1].lsu[0]),
                        sizeof *lsu_stats(r[0].lsu[0]));
    assert_memory_equal(memory_stats(r[0].memory), memory_stats(r[1].memory),
                        sizeof *memory_stats(r[0].memory));
    fills = lsu_stats(r[0].lsu[0])->l1_fills;
    for (unsigned k = 0; k < 2; k++)
        rig_free(&r[k]);
    free(r);
    return fills;
}

static void compare_machines(bool is_ahead)
{
    static const char *const gpus[] = { "rtx2060s", "rtx2060s-traced", "gtx1080ti",
                                        "v100",     "rtx3070",         "h200" };
    uint64_t fills = 0;

    for (unsigned n = 0; n < sample_of(500); n++) {
        struct trial t = { .gpu = gpus[n % 6],
                           .seed = (n + 1) * 0x9e3779b97f4a7c15u,
                           .lead = is_ahead ? 20 + n % 140 : 0,
                           .span = n % 7 < 4 ? 60 : 500,
                           .is_short = n / 6 % 4 != 0,
                           .sleeps = n / 12 % 2,
                           .is_varied = n % 5 < 3 };

        fills += compare(&t);
    }
    assert_true(fills > sample_of(50000));
}

static void both_forms_agree(void **state)
{
    (void)state;
    compare_machines(false);
}

static void both_forms_agree_with_memory_ahead(void **state)
{
    (void)state;
    compare_machines(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_agree),
        cmocka_unit_test(both_forms_agree_with_memory_ahead),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
