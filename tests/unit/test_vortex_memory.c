/* test_vortex_memory.c - caches, the LSU and fetch of a Vortex core with memory behind
 * them: times worked out from the RTL's registers, orders, and that sleeping through
 * misses changes nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tables.h"

enum {
    BASE = 0x10000000, /* memory that is never written */
    ADDR = 8,
    STRIDE = 9,
    GROUPS = 64,
    NEXT_LINE = 2 * 64,              /* of the same channel and row */
    NEXT_ROW = 16 * 256 * 64,        /* of the same bank */
    MISS = 6 + 12 + 1 + 2,           /* out, memory (its row open), fill, replay */
    CONFLICT = MISS + (16 + 16) / 2, /* rp, rcd */
};

struct bench {
    struct rig rig;
    struct code code;
};

static struct bench *bench_new(unsigned warps, unsigned threads)
{
    struct bench *b = calloc(1, sizeof *b);

    assert_non_null(b);
    rig_init(&b->rig, "inorder", warps, threads);
    b->rig.config.memory.refi = 0;
    return b;
}

static void bench_free(struct bench *b)
{
    rig_free(&b->rig);
    free(b);
}

static void run(struct bench *b, unsigned warps)
{
    if (rig_run(&b->rig, &b->code, warps))
        fail_msg("%s\n%s", b->rig.err.text, vortex_report(b->rig.vortex));
}

static void lui(struct code *c, unsigned rd, uint32_t value)
{
    put(c, 0x37 | rd << 7 | (value & 0xfffff000u));
    if (value & 0xfff)
        put(c, op_i(OP_ADDI, rd, rd, (int)(value & 0xfff)));
}

/* ADDR := BASE + what, different for every warp and lane by shifts of its number. */
static void own_address(struct code *c, unsigned warp_shift, unsigned lane_shift)
{
    lui(c, ADDR, BASE);
    put(c, OP_CSRRS | 10 << 7 | 0xcc1u << 20);
    put(c, op_i(0x1013, 10, 10, (int)warp_shift)); /* slli */
    put(c, op_r(OP_ADD, ADDR, ADDR, 10));
    put(c, OP_CSRRS | 10 << 7 | 0xcc0u << 20);
    put(c, op_i(0x1013, 10, 10, (int)lane_shift));
    put(c, op_r(OP_ADD, ADDR, ADDR, 10));
}

/* Cycles of a group of loads whose addresses depend on each other, so far apart. */
static double chase(uint32_t base, uint32_t stride)
{
    struct bench *b = bench_new(1, 4);
    struct code *c = &b->code;
    unsigned first;
    double cycles;

    lui(c, ADDR, base);
    lui(c, STRIDE, stride);
    first = c->n + 3 * 8;
    for (unsigned n = 0; n < GROUPS; n++) {
        put(c, op_i(OP_LW, 7, ADDR, 0)); /* zero */
        put(c, op_r(OP_ADD, ADDR, ADDR, 7));
        put(c, op_r(OP_ADD, ADDR, ADDR, STRIDE));
    }
    b->rig.config.cache.dcache_bytes = 1024; /* too short for what a pass reads */
    b->rig.passes = 2;                       /* the program is in its cache */
    run(b, 1);
    cycles = (double)(b->rig.body[c->n - 3] - b->rig.body[first]) / (GROUPS - 9);
    bench_free(b);
    return cycles;
}

static void misses_take_the_way_to_memory(void **state)
{
    double hit = chase(BASE, 0);

    (void)state;
    assert_true(fabs(chase(BASE, NEXT_LINE) - hit - MISS) < .5);
    assert_true(fabs(chase(BASE, NEXT_ROW) - hit - CONFLICT) < .5);
}

/* Behind the LSU's switch are a coalescer of 2 cycles and a hit of 6, or 4 cycles; and
 * there the last of four lanes that want one word comes 3 cycles after the first. */
static void local_memory_is_nearer(void **state)
{
    (void)state;
    assert_true(fabs(chase(BASE, 0) - chase(RISCV_LOCAL, 0) - (2 + 6 - 4 - 3)) < .5);
}

/* All warps want one line: it is read once, and they get it one after another. */
static void a_line_is_read_once(void **state)
{
    uint64_t reads[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench *b = bench_new(4, 4);
        const struct vortex_stats *s;

        lui(&b->code, ADDR, BASE);
        put(&b->code, i ? op_i(OP_LW, 7, ADDR, 0) : op_i(OP_ADDI, 7, ADDR, 0));
        put(&b->code, op_r(OP_ADD, 7, 7, 7));
        run(b, 4);
        s = vortex_stats(b->rig.vortex);
        reads[i] = s->mem_reads;
        assert_int_equal(s->dcache_reads, 4 * i);
        assert_int_equal(s->dcache_read_misses > 1, i);
        bench_free(b);
    }
    assert_int_equal(reads[1] - reads[0], 1);
}

/* Loads of a line, each before a fence: cycles, and how many words missed. */
static uint64_t load_and_fence(uint32_t line, uint64_t *misses)
{
    struct bench *b = bench_new(1, 4);
    struct code *c = &b->code;
    uint64_t cycles;

    lui(c, ADDR, BASE + line);
    for (unsigned n = 0; n < 2; n++) {
        put(c, op_i(OP_LW, 7, ADDR, 0));
        put(c, op_r(OP_ADD, 7, 7, 7));
        put(c, OP_FENCE);
    }
    run(b, 1);
    cycles = rig_cycles(&b->rig, 0);
    assert_int_equal(vortex_stats(b->rig.vortex)->dcache_reads, 4);
    *misses = vortex_stats(b->rig.vortex)->dcache_read_misses;
    bench_free(b);
    return cycles;
}

/* A fence reads address 0: it takes the place of a line of the same set, which takes it
 * back; lines of other sets stay. */
static void a_fence_is_a_load(void **state)
{
    uint64_t same, other, cycles;

    (void)state;
    cycles = load_and_fence(0, &same) - load_and_fence(NEXT_LINE, &other);
    assert_int_equal(same, 4);
    assert_int_equal(other, 2);
    assert_true(cycles > MISS);
}

/* Lines that have arrived go before new requests. Of eight lanes that miss in one bank the
 * first line is there after the way to memory; then each takes three cycles, and a request
 * of the next load is taken after the last: loads never overlap. */
static void lines_go_before_requests(void **state)
{
    struct bench *b = bench_new(1, 8);
    struct code *c = &b->code;
    unsigned first;
    double cycles;

    (void)state;
    own_address(c, 0, 8);
    lui(c, STRIDE, 16384);
    put(c, op_r(OP_ADD, STRIDE, STRIDE, ADDR));
    first = c->n;
    for (unsigned n = 0; n < GROUPS; n++)
        put(c, op_i(OP_LW, 7 + 4 * (n % 2), n % 2 ? STRIDE : ADDR, 0));
    b->rig.passes = 2;
    run(b, 1);
    cycles = (double)(b->rig.body[c->n - 1] - b->rig.body[first]) / (GROUPS - 1);
    assert_true(fabs(cycles - (6 + 12 + 1 + 8 * 3)) < 1);
    bench_free(b);
}

/* The narrowest words and the widest warps: every lane waits for a line of its own. */
static void every_lane_may_miss(void **state)
{
    struct bench *b = bench_new(32, 32);
    const struct vortex_stats *s;

    (void)state;
    b->rig.config.cache.word_bytes = 4;
    own_address(&b->code, 16, 8);
    for (int n = 0; n < 4; n++)
        put(&b->code, op_i(OP_LW, 11 + (unsigned)n, ADDR, 64 * n));
    run(b, 32);
    s = vortex_stats(b->rig.vortex);
    assert_int_equal(s->dcache_reads, 4 * 32 * 32);
    assert_int_equal(s->dcache_read_misses, s->dcache_reads);
    bench_free(b);
}

/* A program of stores by all warps, to lines of their own or all to one. */
static struct bench *stores(unsigned lane_shift, bool to_one)
{
    struct bench *b = bench_new(4, 4);
    struct code *c = &b->code;

    own_address(c, 16, lane_shift);
    for (unsigned n = 0; n < GROUPS; n++) {
        put(c, op_s(OP_SW, ADDR, RIG_ONE, 0));
        put(c, op_i(OP_ADDI, ADDR, ADDR, to_one ? 0 : NEXT_LINE));
    }
    run(b, 4);
    return b;
}

/* Memory never refuses: stores take their time in the LSU and none after it. Scattered
 * lanes take the coalescer two cycles each. */
static void stores_do_not_wait_for_memory(void **state)
{
    struct bench *one = stores(2, true), *far = stores(2, false),
                 *wide = stores(12, false);
    uint64_t cycles = rig_cycles(&one->rig, 3);

    (void)state;
    assert_int_equal(rig_cycles(&far->rig, 3), cycles);
    assert_int_equal(vortex_stats(far->rig.vortex)->mem_writes, 4 * GROUPS);
    assert_int_equal(vortex_stats(wide->rig.vortex)->mem_writes, 16 * GROUPS);
    assert_true(rig_cycles(&wide->rig, 3) >= 4 * GROUPS * 4 * 2);
    bench_free(one);
    bench_free(far);
    bench_free(wide);
}

/* ... but loads wait for what they have written: as vecadd does, with and without its
 * store. */
static void loads_wait_behind_stores(void **state)
{
    double latency[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench *b = bench_new(4, 4);
        struct code *c = &b->code;
        const struct vortex_stats *s;

        own_address(c, 16, 8);
        for (unsigned n = 0; n < GROUPS; n++) {
            put(c, op_i(OP_LW, 11, ADDR, 0));
            put(c, op_i(OP_LW, 12, ADDR, NEXT_LINE));
            put(c, op_r(OP_ADD, 11, 11, 12));
            put(c, i ? op_s(OP_SW, ADDR, 11, 1024) : op_r(OP_ADD, 13, 11, 12));
            put(c, op_i(OP_ADDI, ADDR, ADDR, 2 * NEXT_LINE));
        }
        run(b, 4);
        s = vortex_stats(b->rig.vortex);
        latency[i] = (double)s->mem_latency / (double)s->mem_reads;
        bench_free(b);
    }
    assert_true(latency[0] > 12 && latency[0] < 14); /* rows are open */
    assert_true(latency[1] > latency[0] + 3);
}

/* Cycles that memory takes for all reads of a program that stores 40 bytes there, and
 * then reads from I/O, which is no cache's. */
static uint64_t latency_behind_io(int addr)
{
    struct bench *b = bench_new(1, 4);
    struct code *c = &b->code;
    uint64_t latency;

    put(c, op_i(OP_ADDI, ADDR, 0, addr));
    for (unsigned n = 0; n < 40; n++)
        put(c, addr ? op_s(0x23, ADDR, RIG_ONE, 0) : op_i(OP_ADDI, 10, 0, 0)); /* sb */
    put(c, op_i(OP_LW, 7, 0, 0x440)); /* the console's channel and row */
    put(c, op_r(OP_ADD, 7, 7, 7));
    run(b, 1);
    latency = vortex_stats(b->rig.vortex)->mem_latency;
    assert_int_equal(vortex_stats(b->rig.vortex)->mem_writes, addr ? 40 : 0);
    bench_free(b);
    return latency;
}

/* What is written to the console ends at the port; other I/O does not. */
static void the_console_is_not_memory(void **state)
{
    uint64_t none = latency_behind_io(0);

    (void)state;
    assert_int_equal(latency_behind_io(0x40), none);
    assert_true(latency_behind_io(0x4c0) != none); /* the row is open */
}

/* The first instruction waits until the tags are cleared, one line per cycle. */
static void caches_are_cleared_first(void **state)
{
    uint64_t at[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench *b = bench_new(1, 4);

        b->rig.config.cache.reset_lines = i;
        put(&b->code, op_i(OP_ADDI, 7, 0, 1));
        run(b, 1);
        at[i] = b->rig.at[0][0];
        bench_free(b);
    }
    assert_int_equal(at[1] - at[0], 16384 / 64 - 2); /* two cycles on its way there */
}

/* Seven warps fill the places before decode; the others come when these are done. */
static void seven_fetches_are_under_way(void **state)
{
    (void)state;
    for (unsigned places = 7; places <= 16; places += 9) {
        struct bench *b = bench_new(16, 4);
        unsigned early = 0;

        b->rig.config.core.fetches = places;
        while (b->code.n < 256)
            put(&b->code, op_r(OP_ADD, 7 + b->code.n % 8, RIG_ONE, RIG_ONES));
        b->rig.passes = 2; /* no miss lets others in */
        run(b, 16);
        for (unsigned w = 0; w < 16; w++)
            early += b->rig.at[0][w] < b->rig.at[1][0];
        if (places == 7)
            assert_in_range(early, 7, 8);
        else
            assert_int_equal(early, 16);
        bench_free(b);
    }
}

/* Misses, stores and refreshes of all warps: slept through, or cycle by cycle. */
static void both_models_agree_on_misses(void **state)
{
    static const char *const schemes[] = { "inorder", "ghost", "loog", "loog.rrs" };

    (void)state;
    for (unsigned s = 0; s < 4; s++) {
        struct vortex_stats stats[2];

        for (unsigned eager = 0; eager < 2; eager++) {
            struct bench *b = calloc(1, sizeof *b);
            struct code *c = &b->code;

            assert_non_null(b);
            rig_init(&b->rig, schemes[s], 8, 8);
            b->rig.config.core.eager = eager;
            b->rig.is_alone = !eager;
            b->rig.config.memory.refi = 700;
            own_address(c, 14, 9);
            for (unsigned n = 0; n < 40; n++) {
                put(c, op_i(OP_LW, 11, ADDR, 0));
                put(c, op_s(OP_SW, ADDR, RIG_ONE, 64));
                put(c, op_i(OP_LW, 12, ADDR, 64));
                put(c, op_r(OP_ADD, 11, 11, 12));
                put(c, op_i(OP_ADDI, ADDR, ADDR, 512));
            }
            run(b, 8);
            stats[eager] = *vortex_stats(b->rig.vortex);
            bench_free(b);
        }
        assert_memory_equal(&stats[0], &stats[1], sizeof *stats);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_take_the_way_to_memory),
        cmocka_unit_test(local_memory_is_nearer),
        cmocka_unit_test(a_line_is_read_once),
        cmocka_unit_test(a_fence_is_a_load),
        cmocka_unit_test(lines_go_before_requests),
        cmocka_unit_test(every_lane_may_miss),
        cmocka_unit_test(stores_do_not_wait_for_memory),
        cmocka_unit_test(loads_wait_behind_stores),
        cmocka_unit_test(the_console_is_not_memory),
        cmocka_unit_test(caches_are_cleared_first),
        cmocka_unit_test(seven_fetches_are_under_way),
        cmocka_unit_test(both_models_agree_on_misses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
