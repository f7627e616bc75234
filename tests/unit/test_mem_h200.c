/* test_mem_h200.c - the parameters of an H200's memory side, against what was measured
 * on one: latencies of every level, lines, halves of L2, translation, stores.
 */
#include "mem/address.h"
#include "mem_rig.h"

static void h200(struct rig *r)
{
    struct l1_params *l1 = &r->lc.l1;
    struct l2_params *l2 = &r->mp.l2;
    struct dram_params *d = &r->mp.dram;

    l1->sets = 4;
    l1->ways = 432; /* 216 KB */
    l1->unified_kb = 256;
    l1->reserved_kb = 40;
    l1->write = CACHE_WRITE_THROUGH;
    l1->allocate = CACHE_ALLOCATE_FILL;
    l1->store_fills = true;
    l1->mshrs = 1024;
    l1->merges = 32;
    l1->miss_queue = 64;
    l1->banks = 1;
    l1->bank_bytes = 128;
    l1->port_bytes = 128;
    l1->latency = 28;
    l1->line_quarters = 4;
    l1->bypass = L1_BYPASS_THROUGH;
    r->lc.shared.latency = 18;
    r->lc.shared.conflict_latency = 1;
    r->lc.shared.wide = 1;
    r->lc.lsu.coalesce = 1;
    r->lc.lsu.atomics = 1;
    r->lc.lsu.queue = 9;
    r->lc.lsu.replies = 2;
    r->lc.constant.perfect = false;
    r->lc.constant.sets = 4;
    r->lc.constant.ways = 8; /* 2 KB */
    r->lc.constant.latency = 25;
    r->lc.constant.l2_latency = 94;
    l2->sets = 256;
    l2->ways = 20; /* 94 slices: 60 MB */
    l2->fill_bytes = l2->port_bytes = 64;
    l2->latency = 239;
    l2->partition_hash = 2;
    l2->partitions = 2;
    l2->far_copies = true;
    l2->copy_bytes = 64;
    l2->home_mask = 0x6ab;
    l2->far_latency = 175;
    l2->far_atomic = 195;
    l2->atomic_word = l2->atomic_sector = 8;
    l2->atomic_latency = 60;
    d->channels = 47;
    d->core_clock = 1980000;
    d->clock = 1600500;
    d->bus_bytes = 32;
    d->burst = 2;
    d->data_rate = 2;
    d->dual_bus = true;
    d->ccd = 1;
    d->ccdl = 2;
    d->rrd = 4;
    d->rcd = 22;
    d->ras = 53;
    d->rp = 22;
    d->rc = 75;
    d->cl = 22;
    d->wl = 4;
    d->cdlr = 6;
    d->wr = 19;
    d->rtpl = 6;
    d->latency = 253;
    r->mp.icnt.rate = 2;
    r->mp.icnt.serialise = 1;
    r->mp.tlb.enabled = true;
}

static double chain(struct chain c)
{
    struct rig r;
    double cycles;

    rig_defaults(&r, 1);
    h200(&r);
    rig_build(&r);
    cycles = rig_chain(&r, &c);
    rig_free(&r);
    return cycles;
}

static bool near(double value, double measured, double share)
{
    if (value > measured * (1 - share) && value < measured * (1 + share))
        return true;
    print_error("%g, measured %g\n", value, measured);
    return false;
}

static void latencies_of_the_sm(void **state)
{
    (void)state;
    assert_true(
        near(chain((struct chain){ RIG_LOAD, SPACE_GLOBAL, 0, 0, 1, 20 }), 32, 0.01));
    for (int lines = 1; lines <= 32; lines *= 2) /* about 2.2 for each further line */
        assert_true(
            near(chain((struct chain){ RIG_LOAD, SPACE_GLOBAL, 0, 4 * lines, 1, 20 }),
                 32 + 2.2 * (lines - 1), 0.07));
    for (int ways = 1; ways <= 32; ways *= 2)
        assert_true(
            near(chain((struct chain){ RIG_LOAD, SPACE_SHARED, 0, 4 * ways, 1, 20 }),
                 23 + 2 * (ways - 1), 0.01));
    assert_true(
        near(chain((struct chain){ RIG_LOAD, SPACE_CONST, 0, 0, 1, 20 }), 28, 0.01));
    assert_true(
        near(chain((struct chain){ RIG_LOAD, SPACE_CONST, 64, 0, 100, 20 }), 98, 0.01));
}

/* A chase through 2 MB, again and again: its far half is copied by the first pass. */
static void l2_near_far_and_copies(void **state)
{
    struct chain c = { RIG_LOAD_CG, SPACE_GLOBAL, 4096, 0, 0, 512 };
    struct rig r;
    double first, second;

    (void)state;
    rig_defaults(&r, 1);
    h200(&r);
    r.mp.tlb.enabled = false;
    rig_build(&r);
    memory_warm(r.memory, 0x7f0000000000, 2 << 20);
    first = rig_chain(&r, &c);
    second = rig_chain(&r, &c);
    assert_int_equal(memory_stats(r.memory)->l2_far, 256);
    assert_int_equal(memory_stats(r.memory)->l2_copies, 256);
    assert_true(near(second, 280, 0.01)); /* as long as a miss of L1 */
    assert_true(near(2 * first - second, 280 + 175, 0.02));
    rig_free(&r);
}

/* An H200's memory with some of the far half (SM 0) in L2. */
enum { FAR = 4096 };
static void far_rig(struct rig *r)
{
    rig_defaults(r, 2);
    h200(r);
    r->mp.tlb.enabled = false;
    rig_build(r);
    memory_warm(r->memory, 0, 2 << 20);
}

/* Performs an access and returns how long it took. */
static uint64_t perform(struct rig *r, unsigned sm, enum rig_op op, uint64_t addr,
                        int64_t stride)
{
    uint64_t from = r->cycle;

    rig_take(r, sm, rig_uop(r, sm, op, SPACE_GLOBAL, addr, stride));
    rig_drain(r, 4000);
    return r->cycle - from;
}

static bool is_far_read(struct rig *r, unsigned sm, uint64_t addr)
{
    uint64_t before = memory_stats(r->memory)->l2_far;

    perform(r, sm, RIG_LOAD_CG, addr, 0);
    return memory_stats(r->memory)->l2_far != before;
}

/* Pieces of 4 KB that an SM of one half found far on an H200. */
static void homes_are_hashed(void **state)
{
    static const uint8_t far[] = { 17, 18, 21, 22, 24, 27, 28, 31, 32, 35, 36, 39 };
    struct rig r;
    unsigned n = 0;

    (void)state;
    far_rig(&r);
    for (uint64_t page = 16; page < 40; page++)
        if (is_far_read(&r, 0, page * 4096))
            assert_int_equal(page, far[n++]);
    assert_int_equal(n, sizeof far);
    rig_free(&r);
}

/* Of a chase by 32 B through far lines every other load is slow. */
static void copies_are_64_bytes(void **state)
{
    struct rig r;

    (void)state;
    far_rig(&r);
    for (uint64_t at = 0; at < 256; at += 32)
        assert_int_equal(is_far_read(&r, 0, FAR + at), at % 64 == 0);
    for (uint64_t at = 0; at < 256; at += 32)
        assert_false(is_far_read(&r, 1, FAR + at)); /* at home */
    rig_free(&r);
}

/* A store from the far half leaves a copy there of the sectors that it writes
 * completely, and keeps one that is there; a store from home and an atomic drop it. */
static void stores_leave_copies(void **state)
{
    struct rig r;

    (void)state;
    far_rig(&r);
    perform(&r, 0, RIG_STORE, FAR, 4);
    assert_false(is_far_read(&r, 0, FAR));
    assert_false(is_far_read(&r, 0, FAR + 96));
    perform(&r, 0, RIG_STORE, FAR + 128, 0); /* one word of a sector */
    assert_true(is_far_read(&r, 0, FAR + 128));
    perform(&r, 0, RIG_STORE, FAR + 128, 0);
    assert_false(is_far_read(&r, 0, FAR + 128));
    perform(&r, 1, RIG_STORE, FAR, 4);
    assert_true(is_far_read(&r, 0, FAR));
    perform(&r, 0, RIG_ATOMIC, FAR + 128, 0);
    assert_true(is_far_read(&r, 0, FAR + 160)); /* the other half of the copy */
    rig_free(&r);
}

/* Loads that bypass L1, and atomics, drop their line from it, and no other. */
static void bypasses_drop_their_line(void **state)
{
    static const enum rig_op ops[] = { RIG_LOAD_CG, RIG_ATOMIC, RIG_RED };
    struct rig r;

    (void)state;
    far_rig(&r);
    for (unsigned k = 0; k < 3; k++) {
        uint64_t hits = lsu_stats(r.lsu[0])->l1_read_hits;

        for (uint64_t at = 0; at < 256; at += 32)
            perform(&r, 0, RIG_LOAD, at, 0);
        perform(&r, 0, RIG_LOAD, 64, 0);
        assert_int_equal(lsu_stats(r.lsu[0])->l1_read_hits - hits, k ? 5 : 1);
        hits = lsu_stats(r.lsu[0])->l1_read_hits;
        perform(&r, 0, ops[k], 0, 0);
        perform(&r, 0, RIG_LOAD, 32, 0);
        assert_int_equal(lsu_stats(r.lsu[0])->l1_read_hits, hits);
        perform(&r, 0, RIG_LOAD, 128, 0);
        assert_int_equal(lsu_stats(r.lsu[0])->l1_read_hits, hits + 1);
        perform(&r, 0, ops[k], 0, 0);
    }
    rig_free(&r);
}

static void atomics_near_and_far(void **state)
{
    struct chain one = { RIG_ATOMIC, SPACE_GLOBAL, 0, 4, 1, 20 };
    struct chain both = { RIG_ATOMIC, SPACE_GLOBAL, 4096, 4, 64, 64 };
    double near_one = chain(one);

    (void)state;
    assert_true(near_one > 310 && near_one < 380);
    both.warm = 0;
    assert_true(2 * chain(both) - near_one > 490);
}

static void dram_latency(void **state)
{
    struct chain c = { RIG_LOAD, SPACE_GLOBAL, 65536 + 4096 + 128, 0, 16, 200 };

    (void)state;
    assert_true(near(chain(c), 685, 0.05));
}

/* One sector asked: the other of its 64 bytes is in L2 as well, the rest is not. */
static void fills_are_64_bytes(void **state)
{
    struct rig r;
    const struct memory_stats *s;

    (void)state;
    rig_defaults(&r, 1);
    h200(&r);
    rig_build(&r);
    for (unsigned i = 0; i < 4; i++) {
        rig_take(&r, 0, rig_uop(&r, 0, RIG_LOAD, SPACE_GLOBAL, 0x1000 + i * 32, 0));
        rig_drain(&r, 2000);
    }
    s = memory_stats(r.memory);
    assert_int_equal(s->l2_read_misses, 2);
    assert_int_equal(s->l2_read_hits, 2);
    rig_free(&r);
}

static uint64_t stream_cycles(enum rig_op op, int64_t stride, unsigned n, bool warm)
{
    struct rig r;
    unsigned sent = 0;

    rig_defaults(&r, 1);
    h200(&r);
    r.lc.l1.ways = 0; /* nothing stays in L1 */
    r.lc.l1.unified_kb = 0;
    r.mp.tlb.enabled = false;
    rig_build(&r);
    if (warm)
        memory_warm(r.memory, 0, 1 << 20);
    while (r.n_done < n) {
        rig_step(&r);
        for (unsigned k = 0; k < 4 && sent < n; k++) {
            struct uop *u;

            if (!lsu_has_room(r.lsu[0], k))
                continue;
            u = rig_uop(&r, 0, op, SPACE_GLOBAL, (uint64_t)sent * 128 % (1 << 20),
                        stride);
            if (!u)
                continue;
            u->warp = (uint8_t)k;
            rig_take(&r, 0, u);
            sent++;
        }
    }
    rig_free(&r);
    return r.cycle;
}

/* One SM: 122 B per cycle of reads from L2, 32 B of writes. */
static void bandwidth_of_one_sm(void **state)
{
    double reads = 2000 * 128.0 / (double)stream_cycles(RIG_LOAD, 4, 2000, true);
    double writes = 1000 * 128.0 / (double)stream_cycles(RIG_STORE, 4, 1000, true);

    (void)state;
    assert_true(reads > 100 && reads <= 128);
    assert_true(writes > 27 && writes <= 34);
}

/* l2.partition_hash = mix: each slice has its share of lines side by side, and no stride
 * meets in few slices. */
static void slices_are_even(void **state)
{
    enum { SLICES = 94, CHUNK = 256, ROUNDS = 40, MIX = 3 };
    struct address_map map;
    struct err err = { 0 };
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    h200(&r);
    r.mp.l2.partition_hash = MIX;
    r.mp.l2.slices_per_channel = 2;
    assert_int_equal(address_map_init(&map, &r.mp, SLICES / 2, &err), 0);
    for (uint64_t stride = 1; stride <= 4096; stride *= 2) {
        unsigned n[SLICES] = { 0 }, most = 0;

        for (uint64_t i = 0; i < SLICES * ROUNDS; i++) {
            uint32_t slice = address_place(&map, i * stride * CHUNK).slice;

            assert_true(slice < SLICES);
            most = ++n[slice] > most ? n[slice] : most;
        }
        assert_true(stride == 1 ? most == ROUNDS : most <= 2 * ROUNDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_of_the_sm),
        cmocka_unit_test(l2_near_far_and_copies),
        cmocka_unit_test(homes_are_hashed),
        cmocka_unit_test(copies_are_64_bytes),
        cmocka_unit_test(stores_leave_copies),
        cmocka_unit_test(bypasses_drop_their_line),
        cmocka_unit_test(atomics_near_and_far),
        cmocka_unit_test(dram_latency),
        cmocka_unit_test(fills_are_64_bytes),
        cmocka_unit_test(bandwidth_of_one_sm),
        cmocka_unit_test(slices_are_even),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
