/* groups.h - in which order the groups of a warp ran: launches a kernel of
 * tests/data/converge/groups.cu and puts the logs of its lanes together. It is written for
 * CUDA's driver API, so that tools/hw/groups.c can ask a GPU the same.
 *
 * The program that includes it defines TRY(call), which ends it if the call fails.
 */
#ifndef LENO_TESTS_GROUPS_H
#define LENO_TESTS_GROUPS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_LANES = 32,
    GROUP_KERNELS = 40,   /* g0, g1, ... */
    GROUP_SEEDS = 4,      /* inputs of each */
    GROUP_ENTRIES = 2000, /* at most, per lane */
    GROUP_INPUTS = 16,    /* words per lane */
    GROUP_LOG =
        4 * GROUP_ENTRIES, /* words per lane; after the logs, a length per lane */
    GROUP_WORDS = (GROUP_LOG + 1) * GROUP_LANES
};

struct groups {
    CUmodule module;
    CUdeviceptr log, in, out;
    uint32_t *words; /* the log on the host */
};

/* What ran: how many groups logged, and a hash of their places and lanes in order; and,
 * counted by others, the instructions of the warp. */
struct group_order {
    unsigned n;
    uint32_t hash;
    unsigned long long insts;
};

static void groups_init(struct groups *g, const char *cubin)
{
    TRY(cuModuleLoad(&g->module, cubin));
    TRY(cuMemAlloc(&g->log, sizeof(uint32_t) * GROUP_WORDS));
    TRY(cuMemAlloc(&g->in, sizeof(uint32_t) * GROUP_LANES * GROUP_INPUTS));
    TRY(cuMemAlloc(&g->out, sizeof(uint32_t) * GROUP_LANES));
    g->words = malloc(sizeof(uint32_t) * GROUP_WORDS);
}

static void groups_launch(struct groups *g, int kernel, int seed)
{
    uint32_t in[GROUP_LANES * GROUP_INPUTS];
    uint64_t x = (uint64_t)seed * 88172645463325252u + (uint64_t)kernel * 7919;
    void *params[] = { &g->log, &g->in, &g->out };
    char name[16];
    CUfunction f;

    for (int n = 0; n < GROUP_LANES * GROUP_INPUTS; n++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        in[n] = (uint32_t)(x >> 20);
    }
    snprintf(name, sizeof name, "g%d", kernel);
    TRY(cuModuleGetFunction(&f, g->module, name));
    TRY(cuMemcpyHtoD(g->in, in, sizeof in));
    TRY(cuMemsetD32(g->log, 0, GROUP_WORDS));
    TRY(cuLaunchKernel(f, 1, 1, 1, GROUP_LANES, 1, 1, 0, NULL, params, NULL));
    TRY(cuCtxSynchronize());
    TRY(cuMemcpyDtoH(g->words, g->log, sizeof(uint32_t) * GROUP_WORDS));
}

/* A lane's entry: place, lanes that run with it, clock, nothing. NULL: there is none. */
static const uint32_t *groups_entry(const struct groups *g, unsigned lane, unsigned n)
{
    uint32_t length = g->words[GROUP_LOG * GROUP_LANES + lane];

    return n < length && n < GROUP_ENTRIES ? &g->words[GROUP_LOG * lane + 4 * n] : NULL;
}

/* The next entry by the clock; at: how many entries of each lane were taken. */
static const uint32_t *groups_next(const struct groups *g, const unsigned *at)
{
    const uint32_t *first = NULL;

    for (unsigned l = 0; l < GROUP_LANES; l++) {
        const uint32_t *e = groups_entry(g, l, at[l]);

        if (e && (!first || (int32_t)(e[2] - first[2]) < 0))
            first = e;
    }
    return first;
}

static struct group_order groups_run(struct groups *g, int kernel, int seed)
{
    struct group_order order = { 0, 2166136261u, 0 };
    unsigned at[GROUP_LANES] = { 0 };
    const uint32_t *first;

    groups_launch(g, kernel, seed);
    while ((first = groups_next(g, at)) != NULL) {
        uint32_t place = first[0], clock = first[2], lanes = 0;

        for (unsigned l = 0; l < GROUP_LANES; l++) {
            const uint32_t *e = groups_entry(g, l, at[l]);

            if (!e || e[0] != place || e[2] != clock)
                continue;
            lanes |= 1u << l;
            at[l]++;
        }
        order.hash = ((order.hash ^ place) * 16777619u ^ lanes) * 16777619u;
        order.n++;
    }
    return order;
}

#endif
