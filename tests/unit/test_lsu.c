/* test_lsu.c - load/store units: latencies at every level, as Accel-Sim has them, bank
 * conflicts, stores, atomics, constants, textures, translation, skipped cycles.
 */
#include "core/lsu/base.h"
#include "mem_rig.h"

static double chain(void (*change)(struct rig *r), struct chain c)
{
    struct rig r;
    double cycles;

    rig_defaults(&r, 1);
    if (change)
        change(&r);
    rig_build(&r);
    cycles = rig_chain(&r, &c);
    rig_free(&r);
    return cycles;
}

/* Accel-Sim, RTX 2060 Super, single warp: 24, 25, 175, 315. */
static void distances_are_accel_sims(void **state)
{
    double dram;

    (void)state;
    assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_GLOBAL, 0, 4, 1, 20 }) ==
                24);
    assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_SHARED, 0, 4, 1, 20 }) ==
                25);
    assert_true(chain(NULL, (struct chain){ RIG_LOAD_CG, SPACE_GLOBAL, 0, 4, 1, 20 }) ==
                175);
    dram = chain(NULL, (struct chain){ RIG_LOAD, SPACE_GLOBAL, 4096, 4, 16, 256 });
    assert_true(dram > 314 && dram < 317);
}

/* Bypassing loads leave one sector a cycle: the first of four comes back after 172. */
static void one_sector_saves_three_cycles(void **state)
{
    (void)state;
    assert_true(chain(NULL, (struct chain){ RIG_LOAD_CG, SPACE_GLOBAL, 0, 0, 1, 20 }) ==
                172);
}

/* 32 lanes in 32 sectors of one bank: one starts a cycle. */
static void l1_bank_conflicts_take_a_cycle_each(void **state)
{
    (void)state;
    assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_GLOBAL, 0, 128, 1, 20 }) ==
                24 + 31);
    /* four banks: four a cycle */
    assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_GLOBAL, 0, 32, 1, 20 }) ==
                24 + 7);
}

static void shared_conflicts_take_a_cycle_each(void **state)
{
    (void)state;
    for (int ways = 1; ways <= 32; ways *= 2)
        assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_SHARED, 0, 4 * ways, 1,
                                                10 }) == 25 + ways - 1);
    assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_SHARED, 0, 0, 1, 10 }) ==
                25);
    /* a store is done when it leaves the latch, at t + 4 */
    assert_true(chain(NULL, (struct chain){ RIG_STORE, SPACE_SHARED, 0, 4, 1, 10 }) ==
                4);
}

/* A store is answered by L2: latency of L1, the queue of misses, four sectors. */
static void stores_wait_for_their_answers(void **state)
{
    struct rig r;
    struct uop *u;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    u = rig_uop(&r, 0, RIG_STORE, SPACE_GLOBAL, 0x1000, 4);
    rig_take(&r, 0, u);
    rig_drain(&r, 1000);
    assert_int_equal(r.n_result, 0);
    assert_int_equal(r.n_done, 1);
    assert_true(r.done_at[0][u->id] > 190 && r.done_at[0][u->id] < 205);
    assert_int_equal(lsu_stats(r.lsu[0])->l1_writes, 4);
    assert_int_equal(memory_stats(r.memory)->l2_writes, 4);
    rig_free(&r);
}

static uint64_t atomic_requests(unsigned merge, enum rig_op op, int64_t stride,
                                uint32_t *results)
{
    struct rig r;
    uint64_t n;

    rig_defaults(&r, 1);
    r.lc.lsu.atomics = merge;
    rig_build(&r);
    rig_take(&r, 0, rig_uop(&r, 0, op, SPACE_GLOBAL, 0x1000, stride));
    rig_drain(&r, 3000);
    assert_int_equal(r.n_done, 1);
    *results = r.n_result;
    n = memory_stats(r.memory)->l2_atomics;
    rig_free(&r);
    return n;
}

static void atomics_on_one_word_are_split_or_merged(void **state)
{
    uint32_t results;

    (void)state;
    assert_int_equal(atomic_requests(0, RIG_ATOMIC, 0, &results), 32);
    assert_int_equal(results, 1);
    assert_int_equal(atomic_requests(0, RIG_RED, 0, &results), 32);
    assert_int_equal(results, 0);
    assert_int_equal(atomic_requests(1, RIG_ATOMIC, 0, &results), 1);
    assert_int_equal(atomic_requests(0, RIG_ATOMIC, 4, &results), 4);
}

/* Cycles of an atomic of all lanes on one word of shared memory. */
static uint64_t turns_on_one_word(uint16_t flags)
{
    struct rig r;
    uint64_t n;

    rig_defaults(&r, 1);
    rig_build(&r);
    r.inst[RIG_ATOMIC].flags |= flags;
    rig_take(&r, 0, rig_uop(&r, 0, RIG_ATOMIC, SPACE_SHARED, 0x100, 0));
    rig_drain(&r, 1000);
    n = lsu_stats(r.lsu[0])->shared_cycles;
    rig_free(&r);
    return n;
}

static void counters_take_lanes_of_one_word_together(void **state)
{
    (void)state;
    assert_int_equal(turns_on_one_word(0), 32);
    assert_int_equal(turns_on_one_word(INST_COUNTS), 1);
}

static void atomics_see_no_l1(void **state)
{
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    rig_take(&r, 0, rig_uop(&r, 0, RIG_ATOMIC, SPACE_GLOBAL, 0x1000, 4));
    rig_drain(&r, 1000);
    assert_int_equal(lsu_stats(r.lsu[0])->l1_reads, 0);
    assert_int_equal(lsu_stats(r.lsu[0])->bypassed, 4);
    rig_free(&r);
}

/* Latency of a load that hits, taken so many cycles after one that misses. */
static uint64_t hit_after(bool fill_first, unsigned delay)
{
    struct rig r;
    struct uop *u;
    uint64_t taken, done;

    rig_defaults(&r, 1);
    r.lc.l1.fill_first = fill_first;
    rig_build(&r);
    rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x1000, 0));
    rig_drain(&r, 1000);
    rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x9000, 0));
    while (delay--)
        rig_step(&r);
    taken = r.cycle;
    u = rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x1000, 0);
    rig_take(&r, 0, u);
    rig_drain(&r, 1000);
    done = r.done_at[0][u->id];
    rig_free(&r);
    return done - taken;
}

/* A fill of one sector takes one cycle, in which nothing is looked up. */
static void a_fill_takes_the_cycle_of_a_lookup(void **state)
{
    uint64_t late = 0;

    (void)state;
    for (unsigned delay = 1; delay < 500; delay++)
        late += hit_after(true, delay) - hit_after(false, delay);
    assert_int_equal(late, 1);
}

/* 32 sectors of one bank hold the unit for 32 cycles, of four banks for 8. */
static void bank_conflicts_hold_the_unit(void **state)
{
    (void)state;
    for (unsigned banks = 1; banks <= 4; banks += 3) {
        struct rig r;
        unsigned held = 0;

        rig_defaults(&r, 1);
        rig_build(&r);
        rig_take(&r, 0,
                 rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x1000, banks == 1 ? 128 : 32));
        while (!lsu_can_take(r.lsu[0])) {
            rig_step(&r);
            held++;
        }
        assert_int_equal(held, 32 / banks);
        assert_int_equal(lsu_stats(r.lsu[0])->latch_cycles, held);
        assert_int_equal(lsu_stats(r.lsu[0])->latch_stalls, held - 1);
        rig_drain(&r, 2000);
        rig_free(&r);
    }
}

/* A shared load in every cycle: the one from memory still gets its turn. */
static void results_take_turns(void **state)
{
    struct rig r;
    struct uop *u;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    u = rig_uop(&r, 0, RIG_LOAD_CG, SPACE_GLOBAL, 0x1000, 0);
    rig_take(&r, 0, u);
    while (r.cycle < 600 && !r.done_at[0][u->id]) {
        rig_step(&r);
        if (lsu_can_take(r.lsu[0]))
            rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_SHARED, 0, 4));
    }
    assert_true(r.done_at[0][u->id] > 200 && r.done_at[0][u->id] < 350);
    rig_free(&r);
}

/* No lane takes part: done at once, nothing sent. */
static void empty_mask_is_done_at_once(void **state)
{
    struct rig r;

    (void)state;
    for (unsigned op = RIG_LOAD; op <= RIG_LOAD_CG; op++) {
        struct uop *u;

        rig_defaults(&r, 1);
        rig_build(&r);
        u = rig_uop(&r, 0, op, SPACE_GLOBAL, 0x1000, 4);
        u->dyn.mask = 0;
        rig_take(&r, 0, u);
        rig_step(&r);
        assert_int_equal(r.n_done, 1);
        assert_true(rig_is_idle(&r));
        rig_free(&r);
    }
}

static void local_memory_of_a_warp_is_whole_lines(void **state)
{
    struct rig r;

    (void)state;
    rig_defaults(&r, 2);
    rig_build(&r);
    /* every lane at the same offset: one line; 128 bits a lane: four */
    rig_take(&r, 1, rig_uop(&r, 1, RIG_STORE, SPACE_LOCAL, 64, 0));
    rig_drain(&r, 1000);
    assert_int_equal(lsu_stats(r.lsu[1])->transactions, 4);
    r.inst[RIG_STORE].bytes = 16;
    rig_take(&r, 1, rig_uop(&r, 1, RIG_STORE, SPACE_LOCAL, 64, 0));
    rig_drain(&r, 1000);
    assert_int_equal(lsu_stats(r.lsu[1])->transactions, 4 + 16);
    assert_int_equal(lsu_stats(r.lsu[1])->local_stores, 2);
    rig_free(&r);
}

/* The lowest address that a warp of SM 1 of 2 touches at an offset of local memory. */
static uint64_t local_line(struct rig *r, unsigned warp, uint64_t offset)
{
    struct uop *u = rig_uop(r, 1, RIG_LOAD, SPACE_LOCAL, offset, 0);
    struct transaction tx[MAX_TRANSACTIONS];

    u->warp = (uint8_t)warp;
    return tx[lsu_make_transactions(r->lsu[1], u, false, false, tx) - 1].line;
}

/* By slots: SM after SM. By blocks (here of 2 warps): the first ones of all SMs, then the
 * second ones; as many per SM as fit, 4, or as the grid has for each. */
static void local_memory_follows_slots_or_blocks(void **state)
{
    const uint64_t line = WARP_LANES * 4, base = 0x1f880000;
    struct rig r;

    (void)state;
    rig_defaults(&r, 2);
    r.lc.lsu.local_base = base >> 16;
    rig_build(&r);
    assert_int_equal(local_line(&r, 3, 0), base + line * (64 + 3));
    assert_int_equal(local_line(&r, 3, 8), base + line * (64 + 3 + 2 * 128));
    rig_free(&r);
    for (unsigned grid = 5; grid <= 9; grid++) {
        unsigned per_sm = grid == 5 || grid == 6 ? 3 : 4;

        rig_defaults(&r, 2);
        r.lc.lsu.local_base = base >> 16;
        r.lc.lsu.local_map = LSU_LOCAL_BLOCKS;
        r.grid_blocks = grid;
        rig_build(&r);
        assert_int_equal(local_line(&r, 1, 0), base + line * (2 + 1));
        assert_int_equal(local_line(&r, 5, 0), base + line * (2 * 4 + 2 + 1));
        assert_int_equal(local_line(&r, 5, 4),
                         base + line * (2 * 4 + 2 + 1 + 2 * 2 * per_sm));
        rig_free(&r);
    }
}

/* Global stores evict from L1, local stores stay in it. */
static void l1_writes_local_back_and_global_through(void **state)
{
    struct rig r;
    const struct lsu_stats *s;
    const uint8_t spaces[] = { SPACE_GLOBAL, SPACE_LOCAL };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        rig_defaults(&r, 1);
        rig_build(&r);
        s = lsu_stats(r.lsu[0]);
        rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, spaces[i], 0x100, i ? 0 : 4));
        rig_drain(&r, 1000);
        rig_take(&r, 0, rig_uop(&r, 0, RIG_STORE, spaces[i], 0x100, i ? 0 : 4));
        rig_drain(&r, 1000);
        assert_int_equal(s->l1_write_hits, 4);
        rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, spaces[i], 0x100, i ? 0 : 4));
        rig_drain(&r, 1000);
        assert_int_equal(s->l1_read_hits, i ? 4 : 0);
        assert_int_equal(memory_stats(r.memory)->l2_writes, i ? 0 : 4);
        rig_free(&r);
    }
}

static void constants_hit_or_go_to_l2(void **state)
{
    struct rig r;
    struct uop *u;
    uint64_t first;

    (void)state;
    rig_defaults(&r, 1);
    r.lc.constant.perfect = false;
    rig_build(&r);
    u = rig_uop(&r, 0, RIG_LOAD, SPACE_CONST, 0x40, 0);
    rig_take(&r, 0, u);
    rig_drain(&r, 1000);
    first = r.done_at[0][u->id];
    assert_true(first > 250);
    rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_CONST, 0x44, 0));
    rig_step(&r);
    assert_int_equal(r.n_done, 2);
    /* 32 lanes in four lines of 64 bytes: one line a cycle, one miss each */
    rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_CONST, 0x1000, 8));
    rig_drain(&r, 2000);
    assert_int_equal(r.n_done, 3);
    assert_int_equal(lsu_stats(r.lsu[0])->const_misses, 1 + 4);
    u = rig_uop(&r, 0, RIG_LOAD, SPACE_CONST, 0, 0); /* a value for each half warp */
    addresses_set_halves(&u->dyn.addr, 0x2000, 0, 0x40);
    rig_take(&r, 0, u);
    rig_drain(&r, 1000);
    assert_int_equal(lsu_stats(r.lsu[0])->const_misses, 1 + 4 + 2);
    rig_free(&r);
}

/* Cycles of a load of 32 constants, 2 bytes apart in a line that is there already. */
static uint64_t time_of_constants(uint32_t address_cycles)
{
    struct rig r;
    struct uop *u;
    uint64_t start;

    rig_defaults(&r, 1);
    r.lc.constant.perfect = false;
    r.lc.constant.address_cycles = address_cycles;
    rig_build(&r);
    rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_CONST, 0x40, 0));
    rig_drain(&r, 1000);
    start = r.cycle;
    u = rig_uop(&r, 0, RIG_LOAD, SPACE_CONST, 0x40, 2);
    rig_take(&r, 0, u);
    rig_drain(&r, 1000);
    start = r.done_at[0][u->id] - start;
    rig_free(&r);
    return start;
}

static void different_constants_take_turns(void **state)
{
    (void)state;
    assert_int_equal(time_of_constants(2) - time_of_constants(0), 31 * 2);
}

static void textures_take_their_fixed_time(void **state)
{
    (void)state;
    assert_true(chain(NULL, (struct chain){ RIG_LOAD, SPACE_TEXTURE, 0, 4, 1, 5 }) ==
                4 + 200 + 1);
}

static void narrow_port(struct rig *r)
{
    r->lc.l1.port_bytes = 2;
}

/* Four sectors through a port of 2 bytes: 16 cycles each. */
static void fills_hold_the_port(void **state)
{
    struct chain c = { RIG_LOAD, SPACE_GLOBAL, 4096, 4, 16, 64 };
    double plain = chain(NULL, c), narrow = chain(narrow_port, c);

    (void)state;
    assert_true(narrow > plain + 36 && narrow < plain + 3 * 16);
}

static void with_tlb(struct rig *r)
{
    r->mp.tlb.enabled = true;
    r->mp.tlb.l1_entries = 16;
    r->mp.tlb.l1_ways = 16;
    r->mp.tlb.l2_entries = 64;
    r->mp.tlb.l2_ways = 64;
}

static void translations_of_one_instruction_serialise(void **state)
{
    struct chain hit = { RIG_LOAD_CG, SPACE_GLOBAL, 0, 0, 1, 20 };
    struct chain second = { RIG_LOAD_CG, SPACE_GLOBAL, 0, 2 << 20, 1, 20 };
    double plain, missed;

    (void)state;
    assert_true(chain(with_tlb, hit) == chain(NULL, hit));
    /* 32 pages in a first level of 16, all in the second: nothing hits */
    plain = chain(NULL, second);
    missed = chain(with_tlb, second);
    assert_true(missed == plain + 31 * 16 + 9);
}

static void says_when_addresses_are_checked(void **state)
{
    struct lsu_event e;
    struct rig r;
    struct uop *u;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    lsu_tell_checked(r.lsu[0]);
    u = rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x1000, 4);
    rig_take(&r, 0, u);
    lsu_tick(r.lsu[0], ++r.cycle);
    assert_true(lsu_event(r.lsu[0], &e));
    assert_int_equal(e.kind, LSU_CHECKED);
    assert_int_equal(e.uop, u->id);
    assert_false(lsu_event(r.lsu[0], &e));
    rig_drain(&r, 1000);
    rig_free(&r);
}

/* A deadlock report says who asks for which cycle. */
static void report_names_the_next_cycles(void **state)
{
    struct buf out = { 0 };
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x1000, 4));
    rig_step(&r);
    lsu_dump(r.lsu[0], &out);
    assert_non_null(strstr(buf_text(&out), "1 instructions, 4 transactions in L1"));
    assert_non_null(strstr(buf_text(&out), "wakes: lookup of L1 in cycle 22;"));
    assert_non_null(strstr(buf_text(&out), "reply never"));
    buf_free(&out);
    rig_drain(&r, 1000);
    rig_free(&r);
}

/* A queue before the unit: room for each sub-core's own. */
static void queues_of_sub_cores(void **state)
{
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    r.lc.lsu.queue = 2;
    rig_build(&r);
    for (unsigned i = 0; i < 8; i++) {
        struct uop *u = rig_uop(&r, 0, RIG_LOAD, SPACE_SHARED, 0, 128);

        u->warp = (uint8_t)(i % 4);
        assert_true(lsu_has_room(r.lsu[0], i % 4));
        rig_take(&r, 0, u);
    }
    assert_false(lsu_can_take(r.lsu[0]));
    assert_false(lsu_has_room(r.lsu[0], 3));
    rig_step(&r);
    assert_true(lsu_has_room(r.lsu[0], 0));
    assert_false(lsu_has_room(r.lsu[0], 1));
    rig_drain(&r, 1000);
    assert_int_equal(r.n_done, 8);
    rig_free(&r);
}

static void carve_out_sizes_l1(void **state)
{
    struct rig r;
    double small, large;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct chain c = { RIG_LOAD, SPACE_GLOBAL, 128, 4, 0, 400 };

        rig_defaults(&r, 1);
        r.lc.l1.unified_kb = 128;
        r.lc.l1.ways = 512;
        rig_build(&r);
        rig_kernel_start(&r, 0, i ? 60 * 1024 : 0);
        rig_chain(&r, &c);
        rig_kernel_start(&r, 0, i ? 60 * 1024 : 0);
        assert_int_equal(lsu_stats(r.lsu[0])->l1_read_hits, 0); /* and is emptied */
        rig_free(&r);
    }
    /* 96 KB of lines, used twice, fit 128 KB and not 64 */
    for (unsigned i = 0; i < 2; i++) {
        struct chain c = { RIG_LOAD, SPACE_GLOBAL, 128, 4, 0, 768 };

        rig_defaults(&r, 1);
        r.lc.l1.unified_kb = 128;
        rig_build(&r);
        rig_kernel_start(&r, 0, i ? 60 * 1024 : 0);
        rig_chain(&r, &c);
        *(i ? &small : &large) = rig_chain(&r, &c);
        rig_free(&r);
    }
    assert_true(large == 24);
    assert_true(small > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_accel_sims),
        cmocka_unit_test(one_sector_saves_three_cycles),
        cmocka_unit_test(l1_bank_conflicts_take_a_cycle_each),
        cmocka_unit_test(shared_conflicts_take_a_cycle_each),
        cmocka_unit_test(stores_wait_for_their_answers),
        cmocka_unit_test(atomics_on_one_word_are_split_or_merged),
        cmocka_unit_test(counters_take_lanes_of_one_word_together),
        cmocka_unit_test(atomics_see_no_l1),
        cmocka_unit_test(bank_conflicts_hold_the_unit),
        cmocka_unit_test(results_take_turns),
        cmocka_unit_test(empty_mask_is_done_at_once),
        cmocka_unit_test(local_memory_of_a_warp_is_whole_lines),
        cmocka_unit_test(local_memory_follows_slots_or_blocks),
        cmocka_unit_test(l1_writes_local_back_and_global_through),
        cmocka_unit_test(constants_hit_or_go_to_l2),
        cmocka_unit_test(different_constants_take_turns),
        cmocka_unit_test(textures_take_their_fixed_time),
        cmocka_unit_test(fills_hold_the_port),
        cmocka_unit_test(a_fill_takes_the_cycle_of_a_lookup),
        cmocka_unit_test(translations_of_one_instruction_serialise),
        cmocka_unit_test(says_when_addresses_are_checked),
        cmocka_unit_test(report_names_the_next_cycles),
        cmocka_unit_test(queues_of_sub_cores),
        cmocka_unit_test(carve_out_sizes_l1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
