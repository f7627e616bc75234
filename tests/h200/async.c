/* async.c - asynchronous work: barriers in shared memory, bulk and tensor copies, groups of
 * cp.async, products of warpgroups. The kernels of tools/hw/hopper.cu and wgmma.py, as nvcc
 * 13.0 compiled them (async.sm_90a.cubin, products.sm_90a.cubin), are run for the rows of
 * async.txt that the model has. Kernels measure themselves, four times in one launch; the
 * first is cold, and the least of the others counts, as on the GPU. The first counts only where
 * it shows how long a tensor map takes: its data must have been in L2, and near, on the GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "driver/cuda_tensor.h"
#include "rows.h"

enum { REPEATS = 4, VALUES = 40, SHARED = 200 * 1024, GLOBAL = 64 << 20 };

static const char section[] = "8 Asynchronous work, compiled: cycles";

/* A row of async.txt and what its kernel has measured. */
struct timing {
    char name[64];
    double measured[3];
    double ours[3];
    double first, our_first; /* of the value at the end */
};

struct copies {
    struct bench bench;
    unsigned cluster; /* blocks of a launch, which are a cluster; 0: one block */
    CUdeviceptr out, global;
};

/* Runs a kernel in one block or cluster. */
static bool can_run(struct copies *c, const char *kernel, unsigned threads, void **args)
{
    CUlaunchAttribute a = { .id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                            .value.clusterDim = { c->cluster, 1, 1 } };
    CUlaunchConfig config = { .gridDimX = c->cluster ? c->cluster : 1,
                              .gridDimY = 1,
                              .gridDimZ = 1,
                              .blockDimX = threads,
                              .blockDimY = 1,
                              .blockDimZ = 1,
                              .sharedMemBytes = SHARED,
                              .attrs = &a,
                              .numAttrs = c->cluster != 0 };
    CUfunction f;

    return !cuModuleGetFunction(&f, c->bench.module, kernel) &&
           !cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               SHARED) &&
           !cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                               1) &&
           !cuLaunchKernelEx(&config, f, args, NULL);
}

static void run(struct copies *c, const char *kernel, unsigned threads, void **args)
{
    if (!can_run(c, kernel, threads, args))
        bench_stop(kernel, driver_last_error(c->bench.driver)->text);
}

/* The least of each of the first values, the first repetition excepted. */
static void take(struct copies *c, struct timing *t, unsigned row)
{
    uint32_t values[REPEATS * VALUES];

    cuMemcpyDtoH(values, c->out, sizeof values);
    for (unsigned k = 0; k < 3; k++) {
        uint32_t least = UINT32_MAX;

        for (unsigned r = 1; r < REPEATS; r++)
            if (values[r * row + k] < least)
                least = values[r * row + k];
        t->ours[k] = least;
    }
    t->our_first = values[1];
}

/* What a row of async.txt says after `first`: two values of its first repetition. */
static void read_first(const char *line, struct timing *t)
{
    const char *first = strstr(line, "| first ");

    if (first)
        sscanf(first, "| first %*s %lf", &t->first);
}

/* With the map fetched by the copy, and ahead of it. */
static bool shows_map(const struct timing *t)
{
    return !strncmp(t->name, "tile.in.1.64x1.", 15) ||
           !strncmp(t->name, "tile.ahead.1.64x1.", 18) ||
           !strncmp(t->name, "tile.out.1.64x1.", 16) ||
           !strncmp(t->name, "tile.in.1.64x8.", 15) ||
           !strncmp(t->name, "tile.ahead.1.64x8.", 18);
}

static bool run_barriers(struct copies *c, const char *name)
{
    static const char *const modes[] = { "arrive-wait16", "try-holds16", "test-fails16",
                                         "try-gives-up", "arrive16" };
    uint32_t delay;

    for (uint32_t k = 0; k < 5; k++)
        if (!strcmp(name, modes[k])) {
            run(c, "_Z8barriersPjj", 32, (void *[]){ &c->out, &k });
            return true;
        }
    if (sscanf(name, "wake.%u", &delay) != 1)
        return false;
    run(c, "_Z4wakePjj", 64, (void *[]){ &c->out, &delay });
    return true;
}

static bool run_bulk(struct copies *c, const char *name)
{
    char way[8], apart[8] = "", kernel[64];
    unsigned n;
    uint32_t bytes, step;

    if (sscanf(name, "%3[a-z].%u.%u.%7s", way, &n, &bytes, apart) < 3)
        return false;
    step = *apart ? 8192 : bytes;
    snprintf(kernel, sizeof kernel,
             strcmp(way, "in") ? "_Z8bulk_outILi%uEEvPhPjjj"
                               : "_Z7bulk_inILi%uEEvPKhPjjj",
             n);
    run(c, kernel, 32, (void *[]){ &c->global, &c->out, &bytes, &step });
    return true;
}

static bool run_tiles(struct copies *c, const char *name)
{
    char way[8], kernel[80];
    unsigned n, columns, rows, pitch, swizzle;
    uint32_t bytes, ahead;
    _Alignas(64) CUtensorMap map;
    cuuint64_t size[2], stride[1];
    cuuint32_t box[2], step[2] = { 1, 1 };

    if (sscanf(name, "%7[a-z].%u.%ux%u.p%u.s%u", way, &n, &columns, &rows, &pitch,
               &swizzle) != 6)
        return false;
    size[0] = pitch / 2, size[1] = GLOBAL / pitch, stride[0] = pitch;
    box[0] = columns, box[1] = rows;
    if (cuTensorMapEncodeTiled(
            &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void *)(uintptr_t)c->global,
            size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
            (CUtensorMapSwizzle)swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        bench_stop(name, driver_last_error(c->bench.driver)->text);
    bytes = columns * rows * 2;
    ahead = n > 1 || !strcmp(way, "ahead");
    if (!strcmp(way, "out") || !strcmp(way, "add")) {
        snprintf(kernel, sizeof kernel, "_Z9tiles_outILi%uELb%uEEv14CUtensorMap_stPjjj",
                 n, !strcmp(way, "add"));
        run(c, kernel, 32, (void *[]){ &map, &c->out, &bytes, &rows });
        return true;
    }
    if (!strcmp(way, "all")) /* needs all SMs */
        return false;
    snprintf(kernel, sizeof kernel, "_Z8tiles_inILi%uEEv14CUtensorMap_stPjjjj", n);
    run(c, kernel, 32, (void *[]){ &map, &c->out, &bytes, &rows, &ahead });
    return true;
}

/* Block 0 casts tiles to all blocks of its cluster; barriers of a cluster; arrivals at each
 * other's barriers. */
static bool run_clusters(struct copies *c, const char *name)
{
    cuuint64_t size[2] = { 2048, GLOBAL / 4096 }, stride[1] = { 4096 };
    cuuint32_t box[2] = { 64, 64 }, step[2] = { 1, 1 };
    uint32_t bytes = 8192, rows = 64, blocks = 2;
    _Alignas(64) CUtensorMap map;
    char kernel[64];
    unsigned n;

    if (cuTensorMapEncodeTiled(
            &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, (void *)(uintptr_t)c->global,
            size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        bench_stop(name, driver_last_error(c->bench.driver)->text);
    if (!strcmp(name, "ping8")) {
        c->cluster = 2;
        run(c, "_Z4pingPj", 32, (void *[]){ &c->out });
    } else if (sscanf(name, "barrier8.%u", &blocks) == 1) {
        c->cluster = blocks > 1 ? blocks : 0;
        run(c, "_Z16cluster_barriersPj", 128, (void *[]){ &c->out });
    } else if (sscanf(name, "cast%u.%u", &n, &blocks) == 2) {
        c->cluster = blocks;
        snprintf(kernel, sizeof kernel, "_Z5castsILi%uEEv14CUtensorMap_stPjjjj", n);
        run(c, kernel, 32, (void *[]){ &map, &c->out, &bytes, &rows, &blocks });
    } else {
        return false;
    }
    c->cluster = 0;
    return true;
}

/* Block 0 of four reads, writes or adds to shared memory of one of them. */
static bool run_remote(struct copies *c, const char *name)
{
    static const char *const modes[] = { "load8", "load16x16", "store16x16", "atom8" };
    char what[16];
    uint32_t threads, where;

    if (sscanf(name, "%15[a-z0-9].%u.to%u", what, &threads, &where) != 3)
        return false;
    for (uint32_t mode = 0; mode < 4; mode++)
        if (!strcmp(what, modes[mode])) {
            c->cluster = 4;
            run(c, "_Z6remotePjjj", threads, (void *[]){ &c->out, &where, &mode });
        }
    c->cluster = 0;
    return true;
}

static bool run_lanes(struct copies *c, const char *name)
{
    char kernel[64];
    unsigned n, threads;

    if (sscanf(name, "%u.%u", &n, &threads) != 2)
        return false;
    snprintf(kernel, sizeof kernel, "_Z11lane_copiesILi%uEEvPKhPj", n);
    run(c, kernel, threads, (void *[]){ &c->global, &c->out });
    return true;
}

static const struct {
    const char *prefix;
    bool (*run)(struct copies *c, const char *name);
} kinds[] = { { "mbarrier.", run_barriers }, { "bulk.", run_bulk },
              { "tile.", run_tiles },        { "cpasync.", run_lanes },
              { "cluster.", run_clusters },  { "remote.", run_remote } };

/* Runs a row's kernel; false: the model does not have it. */
static bool run_row(struct copies *c, struct timing *t)
{
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t n = strlen(kinds[k].prefix);

        if (strncmp(t->name, kinds[k].prefix, n) || !kinds[k].run(c, t->name + n))
            continue;
        take(c, t, VALUES);
        return true;
    }
    return false;
}

/* Does its kernel wait twice, until its copies are read and until they are written? */
static bool is_written(const struct timing *t)
{
    return strstr(t->name, ".out.") || !strncmp(t->name, "tile.add.", 9);
}

/* Until the last is issued, and until the end: products have the end first. One copy alone
 * issues as it is written, so that says nothing; barriers have one value. */
static void add_rows(struct report *r, const struct timing *t)
{
    bool is_product = !strncmp(t->name, "wgmma.", 6), has_two = t->measured[1] > 0;
    unsigned end = has_two && !is_product;

    if (!strncmp(t->name, "cluster.", 8)) {
        row_add(r, ROW(section, ROW_RATE, t->measured[0], t->ours[0]), "%s", t->name);
        if (has_two)
            row_add(r, ROW(section, ROW_RATE, t->measured[1], t->ours[1]),
                    "%s, block 1", t->name);
        return;
    }
    if (has_two && !strstr(t->name, ".1."))
        row_add(r, ROW(section, ROW_RATE, t->measured[!end], t->ours[!end]),
                "%s, issued", t->name);
    row_add(r, ROW(section, ROW_RATE, t->measured[end], t->ours[end]), "%s", t->name);
    if (is_written(t))
        row_add(r, ROW(section, ROW_RATE, t->measured[2], t->ours[2]), "%s, written",
                t->name);
    if (shows_map(t))
        row_add(r, ROW(section, ROW_RATE, t->first, t->our_first), "%s, first",
                t->name);
}

/* Runs the rows of async.txt that a set of kernels has. */
static void run_rows(struct report *r, struct copies *c,
                     bool (*run_one)(struct copies *c, struct timing *t))
{
    FILE *f = fopen("tests/h200/async.txt", "r");
    char line[1024];

    if (!f)
        bench_stop("tests/h200/async.txt", "cannot be read");
    while (fgets(line, sizeof line, f)) {
        struct timing t = { 0 };

        if (sscanf(line, "%63s %lf %lf %lf", t.name, &t.measured[0], &t.measured[1],
                   &t.measured[2]) >= 2 &&
            run_one(c, &t)) {
            read_first(line, &t);
            add_rows(r, &t);
        }
    }
    fclose(f);
}

/* wgmma.TYPE.FACTORS.nN.gGROUPS.xCOUNT; some of them. */
static bool run_product(struct copies *c, struct timing *t)
{
    char type[8], factors[4], kernel[64];
    unsigned columns, groups, n;
    CUfunction f;

    if (sscanf(t->name, "wgmma.%7[a-z0-9].%3[a-z].n%u.g%u.x%u", type, factors, &columns,
               &groups, &n) != 5)
        return false;
    n = (unsigned)snprintf(
        kernel, sizeof kernel, "_Z%ik_%s_%s_n%u_x%uPj",
        snprintf(NULL, 0, "k_%s_%s_n%u_x%u", type, factors, columns, n), type, factors,
        columns, n);
    if (cuModuleGetFunction(&f, c->bench.module, kernel))
        return false;
    run(c, kernel, 128 * groups, (void *[]){ &c->out });
    take(c, t, 2);
    return true;
}

static void start(struct copies *c, const char *file, const char *scheme,
                  const char *setting)
{
    bench_start(&c->bench, file, scheme, setting);
    if (cuMemAlloc(&c->out, sizeof(uint32_t) * REPEATS * VALUES) ||
        cuMemAlloc(&c->global, GLOBAL))
        bench_stop("start", driver_last_error(c->bench.driver)->text);
}

void rows_async(struct report *r)
{
    struct copies c = { .bench.sms = 18 };

    start(&c, "tests/h200/async.sm_90a.cubin", "control", NULL);
    run_rows(r, &c, run_row);
    bench_end(&c.bench);
    start(&c, "tests/h200/products.sm_90a.cubin", "control", NULL);
    run_rows(r, &c, run_product);
    bench_end(&c.bench);
}

/* Copies, a wait and a group under a scheme: the cycles of the launches; 0: refused. */
static uint64_t run_scheme(const char *scheme, const char *setting, char *why)
{
    struct copies c = { 0 };
    uint32_t bytes = 2048;
    uint64_t cycles = 0;

    start(&c, "tests/h200/async.sm_90a.cubin", scheme, setting);
    if (can_run(&c, "_Z7bulk_inILi8EEvPKhPjjj", 32,
                (void *[]){ &c.global, &c.out, &bytes, &bytes }))
        cycles = c.bench.cycles;
    snprintf(why, 256, "%.255s", driver_last_error(c.bench.driver)->text);
    if (cycles && can_run(&c, "_Z8bulk_outILi32EEvPhPjjj", 32,
                          (void *[]){ &c.global, &c.out, &bytes, &bytes }))
        cycles += c.bench.cycles;
    bench_end(&c.bench);
    return cycles;
}

unsigned async_count_wrong(void)
{
    static const char *const runs[] = { "inorder", "ghost", "socgpu", "limit" };
    char why[256];
    uint64_t cycles = run_scheme("control", NULL, why);
    unsigned wrong = !cycles || run_scheme("control", "core.eager=on", why) != cycles;

    for (unsigned k = 0; k < sizeof runs / sizeof *runs; k++)
        if (!run_scheme(runs[k], NULL, why)) {
            fprintf(stderr, "async: %s: %s\n", runs[k], why);
            wrong++;
        }
    if (run_scheme("loog", NULL, why) || !strstr(why, "reservation stations")) {
        fprintf(stderr, "async: loog: %s\n", why);
        wrong++;
    }
    return wrong;
}
