/* test_vortex_core.c - what a Vortex core must do whatever its issue stage: the same
 * cycles twice, and when nothing sleeps; orders kept where numbers begin anew, where masks
 * change and where memory is written; barriers, local memory, limits, deadlocks.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tables.h"

static const char *const schemes[] = { "inorder", "ghost", "loog", "loog.rrs" };
enum { N_SCHEMES = sizeof schemes / sizeof *schemes };

/* A rig and a program on the heap: both are large. */
struct bench {
    struct rig rig;
    struct code code;
};

static struct bench *bench_new(const char *scheme, unsigned warps, unsigned threads)
{
    struct bench *b = calloc(1, sizeof *b);

    assert_non_null(b);
    rig_init(&b->rig, scheme, warps, threads);
    return b;
}

static void bench_free(struct bench *b)
{
    rig_free(&b->rig);
    free(b);
}

/* A parameter of the issue stage. */
static void set(struct bench *b, const char *key, const char *value)
{
    struct param_binding p = { b->rig.config.issue->params,
                               (void *)(uintptr_t)b->rig.config.issue_params };

    assert_int_equal(param_set(&p, 1, key, value, "test", NULL), 0);
}

static void run_body(struct bench *b, unsigned warps)
{
    if (rig_run(&b->rig, &b->code, warps))
        fail_msg("%s: %s\n%s", b->rig.config.issue->name, b->rig.err.text,
                 vortex_report(b->rig.vortex));
}

static void run_code(struct bench *b)
{
    if (rig_launch(&b->rig, &b->code))
        fail_msg("%s: %s\n%s", b->rig.config.issue->name, b->rig.err.text,
                 vortex_report(b->rig.vortex));
}

static uint64_t loog_stat(struct bench *b, const char *row)
{
    struct stat_binding s = { b->rig.config.issue->stats,
                              vortex_issue_stats(b->rig.vortex) };
    struct stat_report r = { .groups = &s, .n_groups = 1 };
    uint64_t value;

    assert_true(stat_find(&r, row, &value));
    return value;
}

/* All kinds of instructions, some of them dependent, with a branch and a barrier. */
static void mixed_body(struct code *c)
{
    for (unsigned n = 0; n < 12; n++) {
        put(c, op_i(OP_LW, 7, RIG_DATA, 4 * (int)n));
        put(c, op_r(OP_MUL, 8, 7, RIG_ONE));
        put(c, op_r(OP_ADD, 7, 8, 7));
        put(c, op_s(OP_SW, RIG_DATA, RIG_DATA, 4 * (int)n));
        put(c, op_r(OP_FDIV, 1, 2, 3));
        put(c, op_r(OP_FDIV, 4, 2, 3)); /* with the next, more than the FPU takes */
        put(c, op_r(OP_FMADD | 1u << 27, 2, 1, 3));
        put(c, op_r(OP_SPLIT, 9, RIG_ONE, 0));
        put(c, op_r(OP_JOIN, 0, 9, 0));
        put(c, op_b(OP_BNE, RIG_ONE, RIG_ONE, 8));
        if (n % 4 == 3)
            put(c, OP_FENCE | 0xffu << 20);
    }
}

static void both_models_agree(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++)
        for (unsigned warps = 1; warps <= 16; warps *= 4) {
            struct bench *a = bench_new(schemes[s], warps, 4);
            struct bench *b = bench_new(schemes[s], warps, 4);
            const struct stat_group *g = a->rig.config.issue->stats;

            a->rig.is_alone = true; /* a listener would make it the plain model */
            b->rig.config.core.eager = true;
            mixed_body(&a->code);
            mixed_body(&b->code);
            run_body(a, warps);
            run_body(b, warps);
            assert_memory_equal(vortex_stats(a->rig.vortex),
                                vortex_stats(b->rig.vortex),
                                sizeof(struct vortex_stats));
            if (g)
                assert_memory_equal(vortex_issue_stats(a->rig.vortex),
                                    vortex_issue_stats(b->rig.vortex), g->size);
            bench_free(a);
            bench_free(b);
        }
}

static void same_again(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++) {
        struct bench *a = bench_new(schemes[s], 8, 8);
        struct vortex_stats first;

        mixed_body(&a->code);
        run_body(a, 8);
        first = *vortex_stats(a->rig.vortex);
        run_body(a, 8);
        assert_memory_equal(&first, vortex_stats(a->rig.vortex), sizeof first);
        assert_true(first.warp_insts > 8 * 100 && first.loads == 8 * 12);
        bench_free(a);
    }
}

/* Cycle in which warp 0's n-th instruction of the body was taken. */
static uint64_t taken(const struct bench *b, unsigned n)
{
    return b->rig.body[n];
}

/* A store waits for a chain of quotients; a load after it reads the same word. */
static void memory_stays_in_order(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++) {
        struct bench *b = bench_new(schemes[s], 4, 4);

        put(&b->code, op_r(OP_FDIV, 1, 1, 2));
        put(&b->code, op_r(OP_FDIV, 1, 1, 2));
        put(&b->code, op_s(0x2027, RIG_DATA, 1, 0)); /* fsw */
        put(&b->code, op_i(OP_LW, 7, RIG_DATA, 0));
        put(&b->code, op_i(OP_ADDI, 8, 0, 1));
        run_body(b, 1);
        assert_true(taken(b, 3) > taken(b, 2));
        /* What needs nothing passes them where the stage is out of order. */
        assert_int_equal(taken(b, 4) < taken(b, 2), s >= 2);
        bench_free(b);
    }
}

/* An older instruction has not read a register yet that a younger one writes. */
static void war_is_kept(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++) {
        struct bench *b = bench_new(schemes[s], 4, 4);

        for (unsigned n = 0; n < 16; n++) {
            put(&b->code, op_r(OP_FMADD | 7u << 27, 1, 5, 6));
            put(&b->code, op_r(OP_FMADD | 7u << 27, 2, 5, 6));
            put(&b->code, op_r(OP_ADD, 8, 9, 10));
            put(&b->code, op_i(OP_ADDI, 10, 0, 1)); /* ready at once */
        }
        run_body(b, 4);
        bench_free(b);
    }
}

/* Whoever writes a register goes as soon as an older one has read it, whatever that still
 * waits for. The younger is there before the read: both waited for units, of which two
 * become free at once, and then nothing else of the warp is dispatched. */
static void war_ends_with_the_read(void **state)
{
    (void)state;
    for (unsigned s = 2; s < N_SCHEMES; s++) {
        struct bench *b = bench_new(schemes[s], 1, 4);

        set(b, "vxloog.cus", "3");
        set(b, "vxloog.rrs_percent", "100");
        put(&b->code,
            op_i(OP_LW, 9, 0, RISCV_IO_BASE + 0x100)); /* from memory, always */
        put(&b->code, op_r(OP_FDIV, 1, 2, 3));
        put(&b->code, op_r(OP_FSQRT, 7, 2, 0));
        put(&b->code, op_r(OP_ADD, 8, 9, 10)); /* waits for the load */
        put(&b->code, op_i(OP_ADDI, 10, 0, 1));
        run_body(b, 1);
        assert_true(taken(b, 4) < taken(b, 3));
        bench_free(b);
    }
}

/* Numbers begin anew every 31 instructions; a store waits for longer than that. */
static void numbers_begin_anew(void **state)
{
    (void)state;
    for (unsigned s = 2; s < N_SCHEMES; s++) {
        struct bench *b = bench_new(schemes[s], 4, 4);

        set(b, "vxloog.cus", "32");
        set(b, "vxloog.uuid_bits", "5");
        for (unsigned round = 0; round < 8; round++) {
            for (unsigned n = 0; n < 14; n++)
                put(&b->code, op_r(OP_FDIV, 1, 1, 2));
            put(&b->code, op_s(0x2027, RIG_DATA, 1, 0));
            for (unsigned n = 0; n < 23 + round; n++)
                put(&b->code, op_i(OP_ADDI, 8 + n % 7, 0, 1));
            put(&b->code, op_i(OP_LW, 7, RIG_DATA, 0));
        }
        for (unsigned round = 0; round < 24; round++) {
            for (unsigned n = 0; n < 5; n++)
                put(&b->code, op_r(OP_FDIV, 1, 1, 2));
            put(&b->code, op_s(0x2027, RIG_DATA, 1, 0));
            for (unsigned n = 0; n < 5 + round % 3; n++)
                put(&b->code, op_i(OP_ADDI, 8 + n % 7, 0, 1));
            put(&b->code, op_i(OP_LW, 7, RIG_DATA, 0));
        }
        run_body(b, 2);
        assert_true(loog_stat(b, "vxloog.uuid_stalls") > 0);
        bench_free(b);
    }
}

/* Few pass a sum that waits for a quotient, and not from afar, wherever its number is. */
static void distances_begin_anew(void **state)
{
    struct bench *b = bench_new("loog", 1, 4);

    (void)state;
    set(b, "vxloog.uuid_bits", "5");
    for (unsigned round = 0; round < 40; round++) {
        put(&b->code, op_r(OP_FDIV, 1, 2, 3));
        put(&b->code, op_r(OP_FADD, 4, 1, 1));
        for (unsigned n = 0; n < 6; n++)
            put(&b->code, op_i(OP_ADDI, 8 + n, 0, 1));
    }
    run_body(b, 1);
    assert_true(loog_stat(b, "vxloog.distance_1") >= 40);
    assert_int_equal(loog_stat(b, "vxloog.distance_15"), 0);
    bench_free(b);
}

/* Those of a chain leave one after another, though all units hold them; what is around it
 * may do otherwise. */
static void a_chain_passes_nobody(void **state)
{
    struct bench *b = bench_new("loog", 1, 4);

    (void)state;
    for (unsigned n = 0; n < 200; n++)
        put(&b->code, op_r(OP_FADD, 1, 1, 2));
    run_body(b, 1);
    assert_true(loog_stat(b, "vxloog.no_cu") > 0);
    assert_true(loog_stat(b, "vxloog.reordered") < 20);
    bench_free(b);
}

/* The thesis' counter of cycles without a unit also counts those in which no instruction
 * waits for one: here the warp fetches nothing before its branch. */
static void all_units_count_without_need(void **state)
{
    struct bench *b = bench_new("loog", 1, 4);

    (void)state;
    set(b, "vxloog.cus", "2");
    for (unsigned n = 0; n < 50; n++) {
        put(&b->code, op_r(OP_DIV, 7, RIG_ONE, RIG_ONE));
        put(&b->code, op_b(OP_BNE, 7, 7, 8));
    }
    run_body(b, 1);
    assert_true(loog_stat(b, "vxloog.no_cu") >= 50 * 10);
    bench_free(b);
}

/* Cycles that numbers of five bits are waited for when a sum waits for a long quotient, so
 * many instructions into the body. */
static uint64_t number_stalls(unsigned before)
{
    struct bench *b = bench_new("loog", 1, 4);
    uint64_t stalls;

    b->rig.config.core.fdiv = 64;
    set(b, "vxloog.cus", "32");
    set(b, "vxloog.uuid_bits", "5");
    for (unsigned n = 0; n < before; n++)
        put(&b->code, op_i(OP_ADDI, 7, 0, 1));
    put(&b->code, op_r(OP_FDIV, 1, 2, 3));
    put(&b->code, op_r(OP_FADD, 4, 1, 1));
    for (unsigned n = 0; n < 24; n++)
        put(&b->code, op_i(OP_ADDI, 8 + n % 7, 0, 1));
    run_body(b, 1);
    stalls = loog_stat(b, "vxloog.uuid_stalls");
    bench_free(b);
    return stalls;
}

/* What waits stops its warp before the first quarter, unless it is in the last, and before
 * the second then: of the places where it can be, two runs stop it. */
static void quarters_stop(void **state)
{
    enum { NUMBERS = 31 };
    uint64_t stalls[NUMBERS], least = UINT64_MAX;
    unsigned runs = 0;

    (void)state;
    for (unsigned n = 0; n < NUMBERS; n++) {
        stalls[n] = number_stalls(n);
        least = stalls[n] < least ? stalls[n] : least;
    }
    for (unsigned n = 0; n < NUMBERS; n++)
        runs += stalls[n] == least && stalls[(n + 1) % NUMBERS] > least;
    assert_int_equal(runs, 2);
}

/* The lowest unit first: high ones starve for a quarter of eight bits, where the RTL
 * hangs; of twenty bits the quarter is never used up. */
static void starved_units_are_waited_for(void **state)
{
    static const char *const bits[] = { "8", "20" };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench *b = bench_new("loog", 4, 4);

        set(b, "vxloog.uuid_bits", bits[i]);
        for (unsigned n = 0; n < 1200; n++)
            put(&b->code, op_r(OP_ADD, 7 + n % 8, RIG_ONE, RIG_ONES));
        run_body(b, 4);
        assert_int_equal(loog_stat(b, "vxloog.uuid_stalls") > 0, !i);
        assert_true(loog_stat(b, "vxloog.cu_allocs") > 4800);
        bench_free(b);
    }
}

/* GhOST: an instruction without dependences leaves before older ones that wait. */
static void ghost_passes_those_who_wait(void **state)
{
    struct bench *b = bench_new("ghost", 1, 4);

    (void)state;
    put(&b->code, op_r(OP_FDIV, 1, 2, 3));
    for (unsigned n = 0; n < 30; n++) /* faster fetched than executed */
        put(&b->code, op_r(OP_FADD, 1, 1, 2));
    for (unsigned n = 8; n < 12; n++)
        put(&b->code, op_r(OP_ADD, n, RIG_ONE, RIG_ONES));
    run_body(b, 1);
    assert_true(loog_stat(b, "vxghost.reordered") >= 4);
    assert_true(taken(b, 31) < taken(b, 30)); /* an add before the last fadd */
    bench_free(b);
}

/* Fewer lanes overwrite a result in flight, all lanes read it. */
static void lanes_are_merged(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++) {
        struct bench *b = bench_new(schemes[s], 4, 4);

        for (unsigned n = 0; n < 8; n++) {
            put(&b->code, op_r(OP_FDIV, 1, 2, 3)); /* longer in flight than a tmc */
            put(&b->code, op_i(OP_ADDI, 8, 0, 5));
            put(&b->code, op_r(OP_TMC, 0, 8, 0)); /* lanes 0 and 2 */
            put(&b->code, op_r(OP_FDIV, 1, 2, 3));
            put(&b->code, op_r(OP_TMC, 0, RIG_ONES, 0));
            put(&b->code, op_r(OP_FADD, 4, 1, 2));
        }
        run_body(b, 4);
        if (s >= 2)
            assert_true(loog_stat(b, "vxloog.mask_stalls") > 0);
        bench_free(b);
    }
}

static void lui(struct code *c, unsigned rd, uint32_t value)
{
    put(c, 0x37 | rd << 7 | (value & 0xfffff000u));
}

/* Lanes of local memory that meet in a bank go one after another, even for one word: the
 * crossbar before the banks knows requests, not addresses. */
static void local_memory_has_banks(void **state)
{
    static const struct {
        int shift; /* of the lane's number: where it reads */
        unsigned conflicts;
    } rows[] = { { 2, 0 }, { 3, 1 }, { 4, 3 }, { 0, 3 } };
    uint64_t cycles[4];

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct bench *b = bench_new("inorder", 4, 4);

        lui(&b->code, 7, RISCV_LOCAL);
        put(&b->code, OP_CSRRS | 8 << 7 | 0xcc0u << 20); /* lane */
        put(&b->code, op_i(OP_SLLI, 8, 8, rows[i].shift));
        put(&b->code, op_i(0x7013, 8, 8, -4)); /* andi: whole words */
        put(&b->code, op_r(OP_ADD, 7, 7, 8));
        put(&b->code, op_i(OP_LW, 9, 7, 0));
        put(&b->code, op_r(OP_ADD, 10, 9, 9));
        run_body(b, 1);
        cycles[i] = taken(b, 6) - taken(b, 5);
        assert_int_equal(vortex_stats(b->rig.vortex)->local_reads, 1);
        assert_int_equal(vortex_stats(b->rig.vortex)->local_conflicts,
                         rows[i].conflicts);
        assert_int_equal(cycles[i] - cycles[0], rows[i].conflicts);
        bench_free(b);
    }
}

/* Lanes in one word of the cache are one request. */
static void lanes_coalesce(void **state)
{
    static const struct {
        int shift;
        uint64_t reads;
    } rows[] = { { 0, 1 }, { 2, 1 }, { 3, 2 }, { 4, 4 }, { 6, 4 } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench *b = bench_new("inorder", 4, 4);

        put(&b->code, OP_CSRRS | 8 << 7 | 0xcc0u << 20);
        put(&b->code, op_i(0x1013, 8, 8, rows[i].shift));
        put(&b->code, op_i(0x7013, 8, 8, -4)); /* andi: whole words */
        put(&b->code, op_r(OP_ADD, 7, RIG_DATA, 8));
        put(&b->code, op_i(OP_LW, 9, 7, 0));
        run_body(b, 1);
        assert_int_equal(vortex_stats(b->rig.vortex)->dcache_reads, rows[i].reads);
        bench_free(b);
    }
}

/* Warps that come late to a barrier hold the others; across cores too. */
static void barriers_meet(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++)
        for (unsigned cores = 1; cores <= 2; cores++) {
            struct bench *b = bench_new(schemes[s], 4, 4);
            struct code *c = &b->code;

            b->rig.config.core.cores = cores;
            put(c, op_i(OP_ADDI, 1, 0, 4));
            put(c, 0x17 | 2 << 7);
            put(c, op_i(OP_ADDI, 2, 2, 12));
            put(c, op_r(OP_WSPAWN, 0, 1, 2));
            put(c, op_i(OP_ADDI, 4, 0, 4));
            put(c, op_r(OP_BAR, 0, 0, 4));
            if (cores > 1) {
                lui(c, 5, 0x80000000u);
                put(c, op_i(OP_ADDI, 6, 0, 2));
                put(c, op_r(OP_BAR, 0, 5, 6));
            }
            put(c, op_r(OP_TMC, 0, 0, 0));
            run_code(b);
            assert_int_equal(vortex_stats(b->rig.vortex)->barriers, 4 * cores * cores);
            bench_free(b);
        }
}

static void a_lonely_barrier_is_a_deadlock(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2 * N_SCHEMES; n++) {
        struct bench *b = bench_new(schemes[n / 2], 4, 4);
        const char *report;

        b->rig.is_alone = n % 2;
        put(&b->code, op_i(OP_ADDI, 4, 0, 2));
        put(&b->code, op_r(OP_BAR, 0, 0, 4));
        put(&b->code, op_r(OP_TMC, 0, 0, 0));
        assert_int_equal(rig_launch(&b->rig, &b->code), -1);
        assert_int_equal(b->rig.err.code, ERR_DEADLOCK);
        report = vortex_report(b->rig.vortex);
        assert_non_null(strstr(report, "waits: barrier"));
        assert_non_null(strstr(report, b->rig.is_alone ? "; scheduler never; memory"
                                                       : "wakes: in every cycle"));
        bench_free(b);
    }
}

static void counters_count(void **state)
{
    struct bench *b = bench_new("loog", 4, 4);
    struct vortex *v;

    (void)state;
    mixed_body(&b->code);
    run_body(b, 4);
    v = b->rig.vortex;
    assert_int_equal(vortex_counter(v, 0, 0xb02), vortex_stats(v)->thread_insts);
    assert_int_equal(vortex_counter(v, 0, 0xb07), 0);
    vortex_set_counter_class(v, 1);
    assert_int_equal(vortex_counter(v, 0, 0xb07), vortex_stats(v)->rf_reads);
    assert_int_equal(vortex_counter(v, 0, 0xb09), loog_stat(b, "vxloog.reordered"));
    assert_true(vortex_counter(v, 0, 0xb09) > 0);
    vortex_set_counter_class(v, 2);
    assert_int_equal(vortex_counter(v, 0, 0xb06), vortex_stats(v)->dcache_reads);
    assert_int_equal(vortex_counter(v, 1, 0xb06), 0);
    bench_free(b);
}

/* Reads mcycle and some other counters, and goes on for hundred instructions of six cycles
 * each: the cycles between what the host is shown and the end. */
static uint64_t unseen_cycles(unsigned n_counters)
{
    struct bench *b = bench_new("inorder", 4, 4);
    const struct vortex_stats *s;
    uint64_t unseen;

    for (unsigned n = 0; n < 2; n++)
        put(&b->code, OP_CSRRS | 7 << 7 | 0xb00u << 20);
    for (unsigned n = 0; n < n_counters; n++)
        put(&b->code, OP_CSRRS | 7 << 7 | (0xb03u + n % 28) << 20);
    for (unsigned n = 0; n < 100; n++)
        put(&b->code, op_i(OP_ADDI, 8 + n % 4, 0, 1));
    put(&b->code, op_r(OP_TMC, 0, 0, 0));
    run_code(b);
    s = vortex_stats(b->rig.vortex);
    assert_int_equal(vortex_cycles(b->rig.vortex), s->host_cycles);
    unseen = s->cycles - s->host_cycles;
    bench_free(b);
    return unseen;
}

/* A program that saves its counters is over for its host when it reads mcycle; one that
 * only looks at it is not. */
static void hosts_see_the_saved_mcycle(void **state)
{
    (void)state;
    assert_in_range(unseen_cycles(30), 800, 1200); /* lines come from memory */
    assert_int_equal(unseen_cycles(4), 0);
}

/* The mcycle of a read after an addition whose operand, if it is loaded, comes late. */
static uint64_t mcycle_after_add(bool is_loaded)
{
    struct bench *b = bench_new("inorder", 4, 4);
    uint64_t shown;

    put(&b->code, is_loaded ? op_i(OP_LW, 8, 0, 512) : op_i(OP_ADDI, 8, 0, 1));
    put(&b->code, op_r(OP_ADD, 9, 8, 8));
    put(&b->code, OP_CSRRS | 7 << 7 | 0xb00u << 20);
    for (unsigned n = 0; n < 30; n++)
        put(&b->code, OP_CSRRS | 7 << 7 | (0xb03u + n % 28) << 20);
    put(&b->code, op_r(OP_TMC, 0, 0, 0));
    run_code(b);
    shown = vortex_stats(b->rig.vortex)->host_cycles;
    bench_free(b);
    return shown;
}

/* Counters are read when the instruction executes: one that must wait for an older one
 * shows the time at which it went on, not that of its fetch. */
static void counters_are_read_at_execution(void **state)
{
    (void)state;
    assert_true(mcycle_after_add(true) > mcycle_after_add(false) + 25);
}

/* A cycle of decode takes an instruction, or one waits there, or there is none: where units
 * are slow it is hardly ever the last, and others behind that one are not counted. */
/* The RTL counts a warp's instructions in two registers: a CSR of the FPU is taken five
 * cycles after the ALU took the instruction before it, whose commit it waits for. */
static void float_csrs_see_the_count_late(void **state)
{
    struct bench *b = bench_new("inorder", 1, 4);

    (void)state;
    put(&b->code, op_r(OP_ADD, 7, RIG_ONE, RIG_ONE));
    put(&b->code, op_i(OP_CSRRS, 8, 0, 1)); /* fflags */
    run_body(b, 1);
    assert_int_equal(taken(b, 1) - taken(b, 0), 5);
    bench_free(b);
}

static void one_waits_at_decode(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_SCHEMES; s++) {
        struct bench *b = bench_new(schemes[s], 16, 2);
        const struct vortex_stats *stats;

        for (unsigned n = 0; n < 30; n++)
            put(&b->code, op_r(OP_FDIV, 4, 4, 5));
        run_body(b, 16);
        stats = vortex_stats(b->rig.vortex);
        assert_true(stats->stall_ibuffer > stats->core_cycles / 4);
        assert_true(stats->stall_ibuffer + stats->fetched <= stats->core_cycles);
        bench_free(b);
    }
}

/* Arbiters and buffers that the RTL does not have run the same programs. */
static void variants_run(void **state)
{
    static const char *const settings[][2] = {
        { "vxloog.arbiter", "rr" },
        { "vxloog.arbiter", "rr+rr" },
        { "vxloog.dispatch", "oldest" },
        { "vxloog.ibuffer", "warp" },
        { "vxloog.alloc_interval", "1" },
        { "vxloog.cus", "1" },
        { "vxloog.cus", "2" },
        { "vxloog.cus", "31" },
        { "vxloog.rrs_percent", "400" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (unsigned s = 2; s < N_SCHEMES; s++) {
            struct bench *b = bench_new(schemes[s], 16, 2);

            set(b, settings[i][0], settings[i][1]);
            mixed_body(&b->code);
            run_body(b, 16);
            assert_int_equal(vortex_stats(b->rig.vortex)->loads, 16 * 12);
            bench_free(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_models_agree),
        cmocka_unit_test(same_again),
        cmocka_unit_test(memory_stays_in_order),
        cmocka_unit_test(war_is_kept),
        cmocka_unit_test(war_ends_with_the_read),
        cmocka_unit_test(numbers_begin_anew),
        cmocka_unit_test(distances_begin_anew),
        cmocka_unit_test(a_chain_passes_nobody),
        cmocka_unit_test(all_units_count_without_need),
        cmocka_unit_test(quarters_stop),
        cmocka_unit_test(starved_units_are_waited_for),
        cmocka_unit_test(ghost_passes_those_who_wait),
        cmocka_unit_test(lanes_are_merged),
        cmocka_unit_test(local_memory_has_banks),
        cmocka_unit_test(lanes_coalesce),
        cmocka_unit_test(barriers_meet),
        cmocka_unit_test(a_lonely_barrier_is_a_deadlock),
        cmocka_unit_test(counters_count),
        cmocka_unit_test(hosts_see_the_saved_mcycle),
        cmocka_unit_test(counters_are_read_at_execution),
        cmocka_unit_test(float_csrs_see_the_count_late),
        cmocka_unit_test(one_waits_at_decode),
        cmocka_unit_test(variants_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
