/* compiled.c - loops as nvcc compiles them (kernels.cu), run through the driver on one
 * SM: instructions a cycle by number of warps, and pieces of control flow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/driver.h"
#include "frontend/sass/kernel.h"
#include "rig.h"
#include "rows.h"

static void stop(const char *what, const char *why)
{
    fprintf(stderr, "compiled: %s: %s\n", what, why);
    abort();
}

/* One SM of the machine with a driver before it. */
struct bench {
    struct rig *rig;
    struct driver *driver;
    CUcontext context;
    CUmodule module;
    CUdeviceptr out, in;
    uint64_t cycles; /* of the last launch */
};

static int launch(void *to, const struct sass_launch *l, struct driver_cost *cost,
                  struct err *err)
{
    struct bench *b = to;
    uint64_t before = gpu_cycle(b->rig->gpu);
    struct kernel *k = sass_kernel_new(l, err);
    int failed;

    if (!k)
        return -1;
    failed = gpu_run(b->rig->gpu, k, err);
    b->cycles = gpu_cycle(b->rig->gpu) - before;
    *cost = (struct driver_cost){ .nanoseconds = 1 };
    sass_kernel_free(k);
    return failed;
}

static void bench_start(struct bench *b)
{
    struct driver_config config = { .arch = SM90, .launch = launch, .launch_to = b };
    struct err err = { 0 };
    struct file image = { 0 };
    CUdevice device;

    b->rig = rig_new(1, NULL, 0);
    b->driver = driver_new(&config, &err);
    if (!b->driver ||
        file_read("tests/h200/kernels.sm_90.cubin", 1 << 24, &image, &err))
        stop("start", err.text);
    driver_make_current(b->driver);
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&b->context, 0, device) ||
        driver_module_load(&b->module, "kernels", image.data, image.size) ||
        cuMemAlloc(&b->out, 1 << 16) || cuMemAlloc(&b->in, 1 << 16))
        stop("start", driver_last_error(b->driver)->text);
    file_free(&image);
}

static void bench_end(struct bench *b)
{
    driver_make_current(NULL);
    driver_free(b->driver);
    rig_free(b->rig);
}

/* Cycles of a launch with so many trips. */
static uint64_t run_trips(struct bench *b, const char *name, unsigned warps, int trips,
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
    if (cuModuleGetFunction(&f, b->module, full) ||
        cuLaunchKernel(f, blocks, 1, 1, warps * 32 / blocks, 1, 1, 0, NULL, args, NULL))
        stop(name, driver_last_error(b->driver)->text);
    return b->cycles;
}

struct kind {
    const char *name, *kernel;
    unsigned insts; /* of a trip */
    unsigned wide;  /* arguments of 8 bytes */
    double rate[6]; /* with 1, 4, 8, 16, 32, 64 warps */
};

static const struct kind kinds[] = {
    { "FFMA", "ffma", 256, 0, { 0.91, 3.62, 3.82, 3.87, 3.90, 3.89 } },
    { "FADD", "fadd", 256, 0, { 0.93, 3.66, 3.85, 3.88, 3.89, 3.89 } },
    { "FMUL", "fmul", 256, 0, { 0.93, 3.66, 3.85, 3.88, 3.89, 3.89 } },
    { "LOP3", "lop3", 256, 0, { 0.48, 1.9, 1.96, 1.97, 1.98, 1.98 } },
    { "SHF", "shf", 256, 0, { 0.48, 1.9, 1.96, 1.97, 1.98, 1.98 } },
    { "PRMT", "prmt", 256, 0, { 0.48, 1.9, 1.96, 1.97, 1.98, 1.98 } },
    { "IMAD", "imad", 256, 0, { 0.48, 1.90, 1.96, 1.98, 1.99, 1.99 } },
    { "DFMA", "dfma", 256, 1, { 0.47, 1.85, 1.94, 1.96, 1.98, 1.98 } },
    { "DADD", "dadd", 256, 1, { 0.47, 1.85, 1.94, 1.96, 1.98, 1.98 } },
    { "MUFU.EX2", "mufu", 256, 0, { 0.12, 0.49, 0.50, 0.50, 0.50, 0.50 } },
    { "POPC", "popc", 256, 0, { 0.12, 0.49, 0.50, 0.50, 0.50, 0.50 } },
    { "F2F with 64 bits", "f2f", 512, 1, { 0.12, 0.47, 0.47, 0.47, 0.47, 0.47 } },
    { "SHFL", "shfl", 256, 0, { 0.16, 0.65, 0.99, 0.99, 0.99, 0.99 } },
    { "LDS.32", "lds32", 256, 0, { 0.17, 0.68, 0.98, 0.98, 0.99, 0.99 } },
    { "LDS.64", "lds64", 256, 0, { 0.16, 0.49, 0.50, 0.50, 0.50, 0.50 } },
    { "LDS.128", "lds128", 256, 0, { 0.12, 0.25, 0.25, 0.25, 0.25, 0.25 } },
    { "ATOMS.ADD", "atoms", 256, 0, { 0.14, 0.57, 0.95, 0.98, 0.98, 0.98 } },
    { "HMMA.16816.F32", "hmma", 64, 0, { 0.08, 0.32, 0.62, 0.63, 0.64, 0.64 } },
    { "HMMA.1688.F32", "hmma8", 64, 0, { 0.12, 0.47, 0.94, 0.95, 0.96, 0.96 } },
};

/* Cycles of a trip with so many choices. */
static double choice_trip(struct bench *b, const char *kernel, unsigned n,
                          unsigned choices)
{
    char name[24];
    uint64_t some;

    snprintf(name, sizeof name, "%s%u_%u", kernel, n, choices);
    run_trips(b, name, 1, 2, 0); /* the caches */
    some = run_trips(b, name, 1, 2, 0);
    return (double)(run_trips(b, name, 1, 6, 0) - some) / 4;
}

static void choices(struct report *r, struct bench *b)
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
    struct bench b = { 0 };

    bench_start(&b);
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (unsigned w = 0; w < 6; w++) {
            unsigned warps = w ? 2u << w : 1;
            uint64_t some, more;

            run_trips(&b, kinds[k].kernel, warps, 1, kinds[k].wide); /* the caches */
            some = run_trips(&b, kinds[k].kernel, warps, 2, kinds[k].wide);
            more = run_trips(&b, kinds[k].kernel, warps, 4, kinds[k].wide);
            row_add(r,
                    ROW("4 Throughput, compiled: instructions a cycle and SM", ROW_RATE,
                        kinds[k].rate[w],
                        2.0 * kinds[k].insts * warps / (double)(more - some)),
                    "%s, %u warps", kinds[k].name, warps);
        }
    choices(r, &b);
    bench_end(&b);
}
