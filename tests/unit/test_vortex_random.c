/* test_vortex_random.c - random programs on Vortex cores under every scheme that they serve,
 * with every setting that changes what a scheme asks of its host, on machines of random
 * shape. The core checks orders of registers and memory and that every cycle is charged;
 * this test compares that all schemes execute the same instructions, and that ahead.c gives
 * what the plain model (plain.c, vortex.eager) gives, in every statistic.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/needs.h"
#include "rig.h"
#include "sim/machine.h"

enum { N_PROGRAMS = 90, BODY = 90, MASK = 12, POINTER = 13, LANES = 14, LANE = 15 };

static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

static unsigned any_x(uint64_t *seed)
{
    return 7 + below(seed, 5);
}

static void put_compute(struct code *c, uint64_t *seed)
{
    static const uint32_t ops[] = { OP_ADD, OP_MUL, OP_DIV, OP_SUB };
    static const uint32_t floats[] = { OP_FADD, OP_FMUL, OP_FDIV };
    unsigned rd = below(seed, 6), rs = below(seed, 6);

    if (below(seed, 3))
        put(c, op_r(ops[below(seed, 4)], any_x(seed), any_x(seed), any_x(seed)));
    else if (below(seed, 3))
        put(c, op_r(floats[below(seed, 3)], rd, rs, below(seed, 6)));
    else
        put(c, op_r(OP_FMADD | below(seed, 6) << 27, rd, rs, below(seed, 6)));
}

/* All lanes at one word, or each at its own, so that lanes meet each other's. */
static void put_memory(struct code *c, uint64_t *seed)
{
    unsigned base = below(seed, 2) ? RIG_DATA : LANES;
    int offset = 4 * (int)below(seed, 6);

    if (below(seed, 2))
        put(c, op_i(OP_LW, any_x(seed), base, offset));
    else
        put(c, op_s(OP_SW, base, any_x(seed), offset));
}

static void put_some(struct code *c, uint64_t *seed)
{
    for (unsigned n = 1 + below(seed, 4); n; n--)
        (below(seed, 3) ? put_compute : put_memory)(c, seed);
}

/* Lanes part and meet again, or some of them are off for a while. */
static void put_lanes(struct code *c, uint64_t *seed)
{
    if (below(seed, 2)) {
        put(c, op_r(OP_SPLIT, POINTER, LANE, 0));
        put_some(c, seed);
        put(c, op_r(OP_JOIN, 0, POINTER, 0));
    } else {
        put(c, op_i(OP_ADDI, MASK, 0, 1 + (int)below(seed, 15)));
        put(c, op_r(OP_TMC, 0, MASK, 0));
        put_some(c, seed);
        put(c, op_r(OP_TMC, 0, RIG_ONES, 0));
    }
}

static void put_control(struct code *c, uint64_t *seed)
{
    switch (below(seed, 4)) {
    case 0:
        put(c, op_b(OP_BNE, RIG_ONE, 0, 8));
        put(c, op_i(OP_ADDI, 7, 0, 1)); /* never */
        break;
    case 1:
        put(c, op_b(OP_BNE, RIG_ONE, RIG_ONE, 8));
        break;
    case 2:
        put(c, OP_FENCE | 0xffu << 20);
        break;
    default:
        put(c, op_r(OP_BAR, 0, 0, RIG_ONE));
    }
}

static void random_body(struct code *c, uint64_t seed)
{
    put(c, op_i(OP_CSRRS, LANE, 0, 0xcc0)); /* number of the lane */
    put(c, op_i(OP_SLLI, LANES, LANE, 2));
    put(c, op_r(OP_ADD, LANES, LANES, RIG_DATA));
    while (c->n < BODY)
        switch (below(&seed, 8)) {
        case 0:
            put_lanes(c, &seed);
            break;
        case 1:
            put_control(c, &seed);
            break;
        default:
            put_some(c, &seed);
        }
}

/* What is set, "" for the defaults. The last three are issue stages of their own. */
static const struct {
    const char *scheme, *set;
} runs[] = {
    { "inorder", "" },
    { "inorder", "inorder.war=on" },
    { "inorder", "inorder.war=on inorder.war_written=on" },
    { "inorder", "inorder.resolve=on inorder.refill=room" },
    { "ghost.precise", "" },
    { "ghost.precise", "ghost.precise.fallback=on ghost.precise.release_at_issue=on" },
    { "limit", "" },
    { "limit", "limit.window=6" },
    { "limit", "limit.rename=on" },
    { "limit", "limit.alias=on" },
    { "limit", "limit.branch=on" },
    { "limit", "limit.release_at_issue=on limit.alias=on" },
    { "limit", "limit.ideal=on" },
    { "socgpu", "" },
    { "socgpu", "socgpu.oldest=on socgpu.entries=32" },
    { "socgpu", "socgpu.stop_at_issue=on" },
    { "socgpu", "socgpu.hold_stores=on" },
    { "socgpu", "socgpu.entries=1" },
    { "ghost", "" },
    { "loog", "" },
    { "loog.rrs", "" },
};
enum { N_RUNS = sizeof runs / sizeof *runs, N_HOSTED = N_RUNS - 3 };

/* "key=value key=value" */
static void set_all(struct param_binding *b, const char *settings)
{
    while (*settings) {
        size_t n = strcspn(settings, " ");
        char key[64], *value;

        assert_true(n < sizeof key);
        memcpy(key, settings, n);
        key[n] = '\0';
        value = strchr(key, '=');
        *value++ = '\0';
        assert_int_equal(param_set(b, 1, key, value, "test", NULL), 0);
        settings += n + (settings[n] == ' ');
    }
}

/* A rig and a program on the heap: both are large. */
struct bench {
    struct rig rig;
    struct code code;
};

/* The scheme takes the place of the rig's. */
static void host(struct vx_hosted *h, unsigned which)
{
    struct param_binding values;

    free((void *)(uintptr_t)h->params);
    h->scheme = scheme_find(runs[which].scheme, NULL);
    assert_non_null(h->scheme);
    values.group = h->scheme->params;
    values.values = calloc(1, h->scheme->params->size);
    param_defaults(&values, 1);
    set_all(&values, runs[which].set);
    h->params = values.values;
}

/* Queues, buffers and caches of some size; every third machine has the defaults. */
static void set_shape(struct vortex_config *c, uint64_t seed)
{
    if (seed / 3 % 3 == 0)
        return;
    c->core.threads = 4u << below(&seed, 3);
    c->core.fetches = 2 + below(&seed, 6);
    c->core.ibuffer = 1 + below(&seed, 5);
    c->core.load_queue = 1 + below(&seed, 4);
    c->core.fpu_queue = 1 + below(&seed, 3);
    c->core.fdiv = 1 + below(&seed, 20);
    c->core.sfu_lanes = 1u << below(&seed, 4);
    c->cache.icache_bytes = 512u << below(&seed, 5);
    c->cache.dcache_bytes = 256u << below(&seed, 5);
    c->cache.l2_bytes = 4096 * below(&seed, 3);
    c->core.cores = 1 + below(&seed, 2);
    c->core.socket = 1 + below(&seed, c->core.cores);
}

/* Up to a cycle; 0: to the end. */
static struct bench *run_until(unsigned which, uint64_t seed, unsigned warps,
                               bool eager, uint64_t max_cycles)
{
    struct bench *b = calloc(1, sizeof *b);
    bool is_hosted = which < N_HOSTED;

    assert_non_null(b);
    rig_init(&b->rig, is_hosted ? "inorder" : runs[which].scheme, warps, 4);
    if (is_hosted)
        host(&b->rig.config.hosted, which);
    set_shape(&b->rig.config, seed);
    b->rig.is_alone = !eager;
    b->rig.config.core.eager = eager;
    random_body(&b->code, seed);
    b->rig.max_cycles = max_cycles;
    if (rig_run(&b->rig, &b->code, warps) && b->rig.err.code != ERR_LIMIT)
        fail_msg("%s %s, program %u, %u warps: %s\n%s", runs[which].scheme,
                 runs[which].set, (unsigned)seed, warps, b->rig.err.text,
                 vortex_report(b->rig.vortex));
    return b;
}

static struct bench *run_one(unsigned which, uint64_t seed, unsigned warps, bool eager)
{
    return run_until(which, seed, warps, eager, 0);
}

static void bench_free(struct bench *b)
{
    rig_free(&b->rig);
    free(b);
}

/* The instructions of a program, which no scheme changes. */
static void same_work(struct bench *a, struct bench *b)
{
    const struct vortex_stats *x = vortex_stats(a->rig.vortex),
                              *y = vortex_stats(b->rig.vortex);

    assert_int_equal(x->warp_insts, y->warp_insts);
    assert_int_equal(x->thread_insts, y->thread_insts);
    assert_int_equal(x->loads, y->loads);
    assert_int_equal(x->stores, y->stores);
}

static void same_statistics(struct bench *a, struct bench *b)
{
    const struct stat_group *g = a->rig.config.hosted.scheme->stats,
                            *own = a->rig.config.issue->stats;

    assert_memory_equal(vortex_stats(a->rig.vortex), vortex_stats(b->rig.vortex),
                        sizeof(struct vortex_stats));
    if (g)
        assert_memory_equal(vortex_scheme_stats(a->rig.vortex),
                            vortex_scheme_stats(b->rig.vortex), g->size);
    if (own)
        assert_memory_equal(vortex_issue_stats(a->rig.vortex),
                            vortex_issue_stats(b->rig.vortex), own->size);
}

static void random_programs(void **state)
{
    (void)state;
    for (unsigned program = 0; program < sample_of(N_PROGRAMS); program++) {
        unsigned warps = 1u << 2 * (program % 3); /* 1, 4, 16 */
        struct bench *first = run_one(0, program, warps, false);

        for (unsigned n = 0; n < N_RUNS; n++) {
            struct bench *a = run_one(n, program, warps, false);
            struct bench *b = run_one(n, program, warps, true);

            same_work(first, a);
            same_statistics(a, b);
            bench_free(a);
            bench_free(b);
        }
        bench_free(first);
    }
}

/* What has been counted when a run is stopped does not depend on the model either. */
static void stopped_programs(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (unsigned program = 0; program < sample_of(N_PROGRAMS); program++)
        for (unsigned n = 0; n < N_RUNS; n++) {
            uint64_t stop = 300 + below(&seed, 3000);
            struct bench *a = run_until(n, program, 4, false, stop);
            struct bench *b = run_until(n, program, 4, true, stop);

            same_statistics(a, b);
            bench_free(a);
            bench_free(b);
        }
}

/* Every scheme there is runs above, or is refused. */
static void all_are_known(void **state)
{
    static const char *const others[] = { "control", "ghost.artifact", "turbulence" };
    unsigned n_known = 0, n = 0;

    (void)state;
    for (; scheme_at(n); n++) {
        bool known = false;

        for (unsigned k = 0; k < N_RUNS; k++)
            known |= !strcmp(scheme_at(n)->name, runs[k].scheme);
        for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
            known |= !strcmp(scheme_at(n)->name, others[k]);
        n_known += known;
    }
    assert_int_equal(n_known, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(stopped_programs),
        cmocka_unit_test(all_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
