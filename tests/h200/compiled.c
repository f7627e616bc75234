/* compiled.c - loops as nvcc compiles them (kernels.cu), run through the driver on one
 * SM: instructions per cycle by number of warps, and pieces of control flow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "rows.h"

/* One SM with a buffer for results and one for choices. */
struct loops {
    struct bench bench;
    CUdeviceptr out, in;
};

static void loops_start(struct loops *b)
{
    bench_start(&b->bench, "tests/h200/kernels.sm_90.cubin", NULL, NULL);
    if (cuMemAlloc(&b->out, 1 << 16) || cuMemAlloc(&b->in, 1 << 16))
        bench_stop("start", driver_last_error(b->bench.driver)->text);
}

/* Cycles of a launch with so many trips. */
static uint64_t run_trips(struct loops *b, const char *name, unsigned warps, int trips,
                          unsigned wide)
{
    uint64_t one = 0x3ff0000000000001u;
    /* What is added to addresses must leave them alone. */
    uint32_t small = strcmp(name, "atoms") ? 0x3f800001u : 0;
    void *x = wide ? (void *)&one : (void *)&small;
    CUdeviceptr in = b->in;
    bool chooses = !strncmp(name, "either", 6) || !strncmp(name, "maybe", 5);
    void *args[] = { &b->out, &trips, chooses ? (void *)&in : x,
                     chooses ? (void *)&in : x };
    unsigned blocks = warps > 32 ? 2 : 1;
    char full[32];
    CUfunction f;

    snprintf(full, sizeof full, "run_%s", name);
    if (cuModuleGetFunction(&f, b->bench.module, full) ||
        cuLaunchKernel(f, blocks, 1, 1, warps * 32 / blocks, 1, 1, 0, NULL, args, NULL))
        bench_stop(name, driver_last_error(b->bench.driver)->text);
    return b->bench.cycles;
}

struct kind {
    const char *name, *kernel;
    unsigned insts; /* of a trip */
    unsigned wide;  /* arguments of 8 bytes */
    double rate[6]; /* with 1, 4, 8, 16, 32, 64 warps */
};

/* As an H200 ran this very cubin (recorded.txt); the products of matrices as it ran a loop
 * of them timed by its own clock, which falls while they run. */
static const struct kind kinds[] = {
    { "FFMA", "ffma", 256, 0, { 0.955, 3.817, 3.964, 3.953, 3.974, 3.951 } },
    { "FADD", "fadd", 256, 0, { 0.956, 3.830, 3.967, 3.967, 3.962, 3.957 } },
    { "FMUL", "fmul", 256, 0, { 0.958, 3.830, 3.955, 3.967, 3.959, 3.950 } },
    { "LOP3", "lop3", 256, 0, { 0.489, 1.958, 1.993, 1.992, 1.993, 1.988 } },
    { "SHF", "shf", 256, 0, { 0.489, 1.957, 1.993, 1.992, 1.992, 2.001 } },
    { "PRMT", "prmt", 256, 0, { 0.490, 1.961, 1.994, 1.994, 1.995, 1.992 } },
    { "IMAD", "imad", 256, 0, { 0.490, 1.959, 2.000, 2.003, 1.999, 1.997 } },
    { "DFMA", "dfma", 256, 1, { 0.491, 1.964, 2.004, 2.002, 2.002, 2.000 } },
    { "DADD", "dadd", 256, 1, { 0.492, 1.968, 2.003, 2.002, 2.005, 2.000 } },
    { "MUFU.EX2", "mufu", 256, 0, { 0.125, 0.499, 0.502, 0.503, 0.501, 0.501 } },
    { "POPC", "popc", 256, 0, { 0.125, 0.498, 0.501, 0.501, 0.501, 0.501 } },
    { "F2F with 64 bits", "f2f", 512, 1, { 0.117, 0.471, 0.471, 0.473, 0.471, 0.470 } },
    { "SHFL", "shfl", 256, 0, { 0.167, 0.666, 1.002, 1.003, 1.002, 1.000 } },
    { "LDS.32", "lds32", 256, 0, { 0.173, 0.692, 1.002, 1.000, 1.002, 1.000 } },
    { "LDS.32 2-way", "lds64", 256, 0, { 0.159, 0.500, 0.501, 0.501, 0.503, 0.500 } },
    { "LDS.32 4-way", "lds128", 256, 0, { 0.124, 0.251, 0.250, 0.251, 0.251, 0.250 } },
    { "ATOMS.ADD", "atoms", 256, 0, { 0.151, 0.604, 0.989, 1.000, 1.000, 1.001 } },
    { "HMMA.16816.F32", "hmma", 64, 0, { 0.08, 0.32, 0.62, 0.63, 0.64, 0.64 } },
    { "HMMA.1688.F32", "hmma8", 64, 0, { 0.12, 0.47, 0.94, 0.95, 0.96, 0.96 } },
};

/* Cycles of a trip with so many choices. */
static double choice_trip(struct loops *b, const char *kernel, unsigned n,
                          unsigned choices)
{
    char name[24];
    uint64_t some;

    snprintf(name, sizeof name, "%s%u_%u", kernel, n, choices);
    run_trips(b, name, 1, 2, 0); /* the caches */
    some = run_trips(b, name, 1, 2, 0);
    return (double)(run_trips(b, name, 1, 6, 0) - some) / 4;
}

static void choices(struct report *r, struct loops *b)
{
    static const char *const section = "3.3 Control flow, compiled: cycles of a choice";
    static const struct {
        const char *kernel, *what;
        uint32_t low, high; /* bits of the lower and upper lanes */
        double base, each;
    } rows[] = {
        { "either", "if, else: half each way", ~0u, 0, 53, 8 },
        { "maybe", "if: all skip", 0, 0, 27, 0 },
        { "maybe", "if: none skips", ~0u, ~0u, 25, 4 },
        { "maybe", "if: half skip", ~0u, 0, 43, 4 },
    };

    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint32_t bits[32];

        for (unsigned l = 0; l < 32; l++)
            bits[l] = l < 16 ? rows[k].low : rows[k].high;
        cuMemcpyHtoD(b->in, bits, sizeof bits);
        for (unsigned n = 16; n <= 24; n += 8) {
            double two = choice_trip(b, rows[k].kernel, n, 2);
            double four = choice_trip(b, rows[k].kernel, n, 4);

            row_add(r,
                    ROW(section, ROW_RATE, rows[k].base + rows[k].each * n,
                        (four - two) / 2),
                    "%s, %u operations", rows[k].what, n);
        }
    }
}

void rows_compiled(struct report *r)
{
    struct loops b = { 0 };

    loops_start(&b);
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned w = 0; w < 6; w++) {
            unsigned warps = w ? 2u << w : 1;
            uint64_t some, more;

            run_trips(&b, kinds[k].kernel, warps, 1, kinds[k].wide); /* the caches */
            some = run_trips(&b, kinds[k].kernel, warps, 2, kinds[k].wide);
            more = run_trips(&b, kinds[k].kernel, warps, 4, kinds[k].wide);
            row_add(r,
                    ROW("4 Throughput, compiled: instructions per cycle and SM",
                        ROW_RATE, kinds[k].rate[w],
                        2.0 * kinds[k].insts * warps / (double)(more - some)),
                    "%s, %u warps", kinds[k].name, warps);
        }
    choices(r, &b);
    bench_end(&b.bench);
}
