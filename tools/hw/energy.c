/* energy.c - reads the energy that a GPU's board counts while it runs one thing again and
 * again. energy.py builds and calls it, from the repository's root.
 *
 * energy rows CUBINS <rows        loops of energy.cu, one per line of input, as energy.py
 *                                 writes them; CUBINS is the folder of their cubins
 * energy count N CUBINS <rows     each row once on one SM, N times round, unmeasured: for leno
 *                                 exec, which counts its events
 * energy kernel NAME SIZE KERNEL  a workload's first launch of a kernel, again and again
 * energy repeat N NAME SIZE KERNEL  the same launch N times, unmeasured: for leno exec
 *
 * A result is a line: "row" or "kernel", the name, then KEY=VALUE. The work is put into a
 * queue that never runs empty; after a time to warm up, energy is counted from one step of
 * NVML's counter to another one, so that the time between its steps is no error.
 *
 *   seconds joules   between these two steps
 *   step launches    seconds from the end of a launch to that of the next; launches per step
 *   sm_mhz mem_mhz celsius reasons   mean clocks, temperature at the end, why clocks were held
 *   half watts       joules of the first half over those of the second; power as NVML gives it
 */
#include <cuda.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../workloads/workload.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads.def"
#undef WORKLOAD

static const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads.def"
#undef WORKLOAD
};

static void fail(const char *what)
{
    fprintf(stderr, "energy: %s\n", what);
    exit(1);
}

static void check(CUresult result, const char *what)
{
    const char *name = NULL;

    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorName(result, &name);
    fprintf(stderr, "energy: %s: %s\n", what, name ? name : "unknown error");
    exit(1);
}
#define CK(x) check(x, #x)

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);

    return text ? atof(text) : otherwise;
}

/* ---- NVML, by name: its header need not be there ---- */

typedef void *nvml_device;

static struct {
    nvml_device device;
    int (*energy)(nvml_device, unsigned long long *);
    int (*power)(nvml_device, unsigned *);
    int (*clock)(nvml_device, int, unsigned *);
    int (*temperature)(nvml_device, int, unsigned *);
    int (*reasons)(nvml_device, unsigned long long *);
    int (*limit)(nvml_device, unsigned *);
} nvml;

static void nvml_open(void)
{
    void *lib = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    int (*init)(void), (*device)(unsigned, nvml_device *);
    unsigned long long mj;

    if (!lib)
        fail("libnvidia-ml.so.1 cannot be loaded");
    *(void **)&init = dlsym(lib, "nvmlInit_v2");
    *(void **)&device = dlsym(lib, "nvmlDeviceGetHandleByIndex_v2");
    *(void **)&nvml.energy = dlsym(lib, "nvmlDeviceGetTotalEnergyConsumption");
    *(void **)&nvml.power = dlsym(lib, "nvmlDeviceGetPowerUsage");
    *(void **)&nvml.clock = dlsym(lib, "nvmlDeviceGetClockInfo");
    *(void **)&nvml.temperature = dlsym(lib, "nvmlDeviceGetTemperature");
    *(void **)&nvml.reasons = dlsym(lib, "nvmlDeviceGetCurrentClocksThrottleReasons");
    *(void **)&nvml.limit = dlsym(lib, "nvmlDeviceGetEnforcedPowerLimit");
    if (!init || !device || !nvml.energy || !nvml.power || !nvml.clock ||
        !nvml.temperature || !nvml.reasons || !nvml.limit)
        fail("libnvidia-ml.so.1 lacks a function");
    if (init() || device(0, &nvml.device))
        fail("NVML cannot be started");
    if (nvml.energy(nvml.device, &mj))
        fail("this board counts no energy");
}

static unsigned long long millijoules(void)
{
    unsigned long long mj = 0;

    if (nvml.energy(nvml.device, &mj))
        fail("the board's energy cannot be read");
    return mj;
}

/* Clocks and power, as seen at some moments. */
struct seen {
    unsigned n;
    double sm, mem, watts;
    unsigned long long reasons;
};

static void look(struct seen *s)
{
    unsigned sm = 0, mem = 0, mw = 0;
    unsigned long long reasons = 0;

    nvml.clock(nvml.device, 1, &sm);
    nvml.clock(nvml.device, 2, &mem);
    nvml.power(nvml.device, &mw);
    nvml.reasons(nvml.device, &reasons);
    s->n++;
    s->sm += sm;
    s->mem += mem;
    s->watts += mw / 1000.0;
    s->reasons |= reasons;
}

/* ---- a queue that never runs empty ---- */

enum { IN_FLIGHT = 4 };

struct queue {
    CUstream stream;
    CUevent done[IN_FLIGHT];
    uint64_t n;                    /* steps put in */
    void (*put)(void *, CUstream); /* a step: a few milliseconds of work */
    void *what;
};

/* Puts a step in once there is room for it. Without work: waits a little. */
static void queue_step(struct queue *q)
{
    CUevent *done = &q->done[q->n % IN_FLIGHT];

    if (!q->put) {
        nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
        return;
    }
    if (q->n >= IN_FLIGHT)
        CK(cuEventSynchronize(*done));
    q->put(q->what, q->stream);
    CK(cuEventRecord(*done, q->stream));
    q->n++;
}

/* A moment: time, energy, and a mark in the queue. */
struct moment {
    double at;
    unsigned long long mj;
    uint64_t n;
    CUevent mark;
};

/* Goes on until the counter has moved. */
static struct moment next_change(struct queue *q, double no_longer)
{
    const unsigned long long before = millijoules();
    const double start = now();
    struct moment m = { 0 };

    do {
        queue_step(q);
        m.mj = millijoules();
        m.at = now();
        if (m.at - start > no_longer)
            fail("the board's energy counter stands still");
    } while (m.mj == before);
    m.n = q->n;
    CK(cuEventCreate(&m.mark, CU_EVENT_DEFAULT));
    CK(cuEventRecord(m.mark, q->stream));
    return m;
}

static void measure(const char *kind, const char *name, struct queue *q,
                    double launches)
{
    const double warm = setting("WARM", 0.4), last = setting("LAST", 1.0);
    struct moment first, middle, end;
    struct seen seen = { 0 };
    double start = now(), looked = 0, step = 0;
    unsigned celsius = 0;
    float ms = 0;

    CK(cuStreamCreate(&q->stream, CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < IN_FLIGHT; i++)
        CK(cuEventCreate(&q->done[i], CU_EVENT_BLOCKING_SYNC));
    while (now() - start < warm)
        queue_step(q);
    first = next_change(q, 3);
    for (int half = 1; half <= 2; half++) {
        while (now() - first.at < last * half / 2) {
            queue_step(q);
            if (now() - looked > 0.1) {
                look(&seen);
                looked = now();
            }
        }
        *(half == 1 ? &middle : &end) = next_change(q, 3);
    }
    nvml.temperature(nvml.device, 0, &celsius);
    CK(cuStreamSynchronize(q->stream));
    if (end.n > first.n) {
        CK(cuEventElapsedTime(&ms, first.mark, end.mark));
        step = ms * 1e-3 / (double)(end.n - first.n) / launches;
    }
    printf(
        "%s %s seconds=%.4f joules=%.3f step=%.6g launches=%g sm_mhz=%.0f mem_mhz=%.0f "
        "celsius=%u reasons=%#llx half=%.4f watts=%.1f",
        kind, name, end.at - first.at, (double)(end.mj - first.mj) * 1e-3, step,
        launches, seen.sm / seen.n, seen.mem / seen.n, celsius, seen.reasons,
        (double)(middle.mj - first.mj) / (middle.at - first.at) /
            ((double)(end.mj - middle.mj) / (end.at - middle.at)),
        seen.watts / seen.n);
    for (int i = 0; i < IN_FLIGHT; i++)
        CK(cuEventDestroy(q->done[i]));
    CK(cuStreamDestroy(q->stream));
}

/* ---- rows: loops of energy.cu ---- */

struct row {
    char name[64], cubin[64], kernel[64], data[16], events[512];
    unsigned grid, block, shared, arg;
    unsigned long long bytes;
    unsigned n; /* times round, filled in by calibration */
    CUfunction function;
    CUdeviceptr in, out;
};

static void row_launch(void *what, CUstream stream)
{
    struct row *r = what;
    void *args[] = { &r->in, &r->out, &r->n, &r->arg, &r->bytes };

    CK(cuLaunchKernel(r->function, r->grid, 1, 1, r->block, 1, 1, r->shared, stream,
                      args, NULL));
}

/* A generator as in workload.h. */
static uint32_t fill_next(uint64_t *state)
{
    struct rng r = { *state };
    uint64_t v = rng_next(&r);

    *state = r.state;
    return (uint32_t)(v >> 32);
}

/* One word of a kind of data; i: its place. Floats are in [1, 2), with a random fraction. */
static uint32_t fill_word(const char *kind, size_t i, uint64_t *state)
{
    uint32_t v = fill_next(state);

    if (strcmp(kind, "zero") == 0)
        return 0;
    if (strcmp(kind, "int") == 0)
        return v >> 16; /* 16 bits */
    if (strcmp(kind, "f32") == 0)
        return 0x3f800000 | v >> 9;
    if (strcmp(kind, "f64") == 0)
        return i % 2 ? 0x3ff00000 | v >> 12 : v;
    if (strcmp(kind, "f16") == 0)
        return 0x3c003c00 | (v & 0x03ff03ff);
    if (strcmp(kind, "same") == 0)
        return 0x3fc90fdb; /* everywhere the same */
    if (strcmp(kind, "bits") != 0)
        fail("no such data");
    return v;
}

enum { DATA_BYTES = 1 << 20 };

/* The first DATA_BYTES are made here, the rest of a large buffer are copies of them. */
static void row_fill(const struct row *r, size_t bytes)
{
    uint32_t *words = malloc(DATA_BYTES);
    uint64_t state = 1;

    if (!words)
        fail("out of memory");
    for (size_t i = 0; i < DATA_BYTES / 4; i++)
        words[i] = fill_word(r->data, i, &state);
    CK(cuMemcpyHtoD(r->in, words, DATA_BYTES));
    for (size_t at = DATA_BYTES; at < bytes; at *= 2)
        CK(cuMemcpyDtoD(r->in + at, r->in, at < bytes - at ? at : bytes - at));
    free(words);
}

/* ---- textures of rows whose kernels begin with "tex": `bytes` is the object ---- */

enum { TEXTURE_SIDE = 64 };

static CUDA_RESOURCE_DESC line_of_texels(const struct row *r)
{
    CUDA_RESOURCE_DESC from = { .resType = CU_RESOURCE_TYPE_LINEAR };

    from.res.linear.devPtr = r->in;
    from.res.linear.format = CU_AD_FORMAT_FLOAT;
    from.res.linear.numChannels = 1;
    from.res.linear.sizeInBytes = TEXTURE_SIDE * TEXTURE_SIDE * sizeof(float);
    return from;
}

/* Four channels for tex4, of bytes if the data is bits; floats otherwise. */
static CUDA_RESOURCE_DESC square_of_texels(const struct row *r)
{
    const bool is_bytes = strcmp(r->data, "bits") == 0;
    const unsigned channels = strcmp(r->kernel, "tex4") == 0 ? 4 : 1;
    const size_t across = TEXTURE_SIDE * channels * (is_bytes ? 1 : sizeof(float));
    CUDA_ARRAY_DESCRIPTOR shape = { TEXTURE_SIDE, TEXTURE_SIDE,
                                    is_bytes ? CU_AD_FORMAT_UNSIGNED_INT8
                                             : CU_AD_FORMAT_FLOAT,
                                    channels };
    CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = r->in,
                           .srcPitch = across,
                           .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                           .WidthInBytes = across,
                           .Height = TEXTURE_SIDE };
    CUDA_RESOURCE_DESC from = { .resType = CU_RESOURCE_TYPE_ARRAY };

    CK(cuArrayCreate(&copy.dstArray, &shape));
    CK(cuMemcpy2D(&copy));
    from.res.array.hArray = copy.dstArray;
    return from;
}

/* Points, clamped, coordinates in texels. */
static void row_texture(struct row *r)
{
    CUDA_TEXTURE_DESC how = { .filterMode = CU_TR_FILTER_MODE_POINT };
    CUDA_RESOURCE_DESC from;
    CUtexObject object;

    if (strncmp(r->kernel, "tex", 3) != 0)
        return;
    from = strcmp(r->kernel, "tex_line") == 0 ? line_of_texels(r) : square_of_texels(r);
    for (int i = 0; i < 3; i++)
        how.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    CK(cuTexObjectCreate(&object, &from, &how, NULL));
    r->bytes = object;
}

/* Times round such that a launch lasts some milliseconds. */
static void row_calibrate(struct row *r)
{
    CUevent a, b;
    float ms = 0;

    CK(cuEventCreate(&a, CU_EVENT_DEFAULT));
    CK(cuEventCreate(&b, CU_EVENT_DEFAULT));
    for (r->n = 8; r->n < 1u << 24; r->n *= 4) {
        for (int i = 0; i < 2; i++) {
            CK(cuEventRecord(a, NULL));
            row_launch(r, NULL);
            CK(cuEventRecord(b, NULL));
            CK(cuEventSynchronize(b));
            CK(cuEventElapsedTime(&ms, a, b));
        }
        if (ms > 1)
            break;
    }
    r->n = (unsigned)((double)r->n * 5.0 / (ms > 0.01 ? ms : 0.01)) + 1;
    CK(cuEventDestroy(a));
    CK(cuEventDestroy(b));
}

/* The module of a row, or that of the row before it. */
static CUfunction row_function(const char *folder, const struct row *r)
{
    static CUmodule module;
    static char loaded[64];
    CUfunction f;
    char path[512];

    if (strcmp(loaded, r->cubin) != 0) {
        if (module)
            CK(cuModuleUnload(module));
        snprintf(path, sizeof path, "%s/%s", folder, r->cubin);
        check(cuModuleLoad(&module, path), path);
        snprintf(loaded, sizeof loaded, "%s", r->cubin);
    }
    check(cuModuleGetFunction(&f, module, r->kernel), r->kernel);
    CK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536));
    return f;
}

/* Launches of nothing, many per step, as a graph. */
struct graph {
    CUgraphExec exec;
    unsigned launches;
};

static void graph_launch(void *what, CUstream stream)
{
    CK(cuGraphLaunch(((struct graph *)what)->exec, stream));
}

typedef void launcher(void *what, CUstream stream);

static struct graph graph_of(launcher *launch, void *what, unsigned launches)
{
    struct graph g = { .launches = launches };
    CUstream stream;
    CUgraph graph;

    CK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    for (unsigned i = 0; i < launches; i++)
        launch(what, stream);
    CK(cuStreamEndCapture(stream, &graph));
    CK(cuGraphInstantiate(&g.exec, graph, 0));
    CK(cuGraphDestroy(graph));
    CK(cuStreamDestroy(stream));
    return g;
}

/* One block, and a buffer that is filled in its first part only. */
static void row_count(struct row *r, const char *folder, unsigned n)
{
    enum { MOST_BYTES = 64 << 20 };

    if (strcmp(r->kernel, "none") == 0)
        return;
    r->function = row_function(folder, r);
    r->bytes = r->bytes < MOST_BYTES ? r->bytes : MOST_BYTES;
    r->grid = 1;
    r->n = n;
    CK(cuMemAlloc(&r->in, r->bytes > DATA_BYTES ? r->bytes : DATA_BYTES));
    CK(cuMemAlloc(&r->out, 1 << 20));
    row_fill(r, DATA_BYTES);
    row_texture(r);
    row_launch(r, NULL);
    CK(cuCtxSynchronize());
    CK(cuMemFree(r->in));
    CK(cuMemFree(r->out));
}

static void row_run(struct row *r, const char *folder)
{
    struct queue q = { .put = row_launch, .what = r };
    struct graph g = { 0 };
    size_t bytes = r->bytes > DATA_BYTES ? r->bytes : DATA_BYTES;

    if (strcmp(r->kernel, "none") == 0) {
        q.put = NULL;
        measure("row", r->name, &q, 1);
        printf("\n");
        return;
    }
    r->function = row_function(folder, r);
    CK(cuMemAlloc(&r->in, bytes));
    CK(cuMemAlloc(&r->out, 1 << 20));
    row_fill(r, bytes);
    row_texture(r);
    if (strcmp(r->kernel, "empty") == 0 || strncmp(r->kernel, "sweep", 5) == 0) {
        r->n = 1;
        g = graph_of(row_launch, r, 200);
        q = (struct queue){ .put = graph_launch, .what = &g };
    } else {
        row_calibrate(r);
    }
    measure("row", r->name, &q, g.launches ? g.launches : 1);
    printf(" kernel=%s data=%s grid=%u block=%u arg=%u bytes=%llu n=%u\n", r->kernel,
           r->data, r->grid, r->block, r->arg, r->bytes, r->n);
    if (g.launches)
        CK(cuGraphExecDestroy(g.exec));
    CK(cuMemFree(r->in));
    CK(cuMemFree(r->out));
}

/* NAME CUBIN KERNEL DATA GRID BLOCK SHARED ARG BYTES; count 0: measures, else counts */
static void rows(const char *folder, unsigned count)
{
    struct row r;
    char line[1024];

    while (fgets(line, sizeof line, stdin)) {
        memset(&r, 0, sizeof r);
        if (sscanf(line, "%63s %63s %63s %15s %u %u %u %u %llu", r.name, r.cubin,
                   r.kernel, r.data, &r.grid, &r.block, &r.shared, &r.arg,
                   &r.bytes) != 9)
            fail("a row of input has other than nine words");
        if (count)
            row_count(&r, folder, count);
        else
            row_run(&r, folder);
        fflush(stdout);
    }
}

/* ---- kernels of the workloads ---- */

/* What to repeat, and what its function is once the host has asked for it. */
static struct {
    const char *workload, *kernel, *size;
    CUfunction function;
    unsigned repeat; /* 0: measure */
    bool done;
} chosen;

CUresult __real_cuModuleGetFunction(CUfunction *f, CUmodule module, const char *name);
CUresult __real_cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CUstream stream, void **args, void **extra);
CUresult __wrap_cuModuleGetFunction(CUfunction *f, CUmodule module, const char *name);
CUresult __wrap_cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CUstream stream, void **args, void **extra);

CUresult __wrap_cuModuleGetFunction(CUfunction *f, CUmodule module, const char *name)
{
    CUresult result = __real_cuModuleGetFunction(f, module, name);

    if (result == CUDA_SUCCESS && chosen.kernel && strcmp(name, chosen.kernel) == 0)
        chosen.function = *f;
    return result;
}

struct launch_again {
    CUfunction f;
    unsigned grid[3], block[3], shared;
    void **args, **extra;
};

static void again(void *what, CUstream stream)
{
    const struct launch_again *a = what;

    CK(__real_cuLaunchKernel(a->f, a->grid[0], a->grid[1], a->grid[2], a->block[0],
                             a->block[1], a->block[2], a->shared, stream, a->args,
                             a->extra));
}

static double time_of(struct launch_again *a, CUstream stream, int n)
{
    double start;

    CK(cuStreamSynchronize(stream));
    start = now();
    for (int i = 0; i < n; i++)
        again(a, stream);
    CK(cuStreamSynchronize(stream));
    return (now() - start) / n;
}

static void measure_launch(struct launch_again *a)
{
    char name[128];
    struct graph g;
    struct queue q = { .put = graph_launch };
    const double first = time_of(a, NULL, 1);
    double each = time_of(a, NULL, 20);
    unsigned launches;

    each = each > 1e-6 ? each : 1e-6;
    launches = (unsigned)(0.005 / each) + 1;
    g = graph_of(again, a, launches < 2000 ? launches : 2000);
    q.what = &g;
    snprintf(name, sizeof name, "%s.%s.%s", chosen.workload, chosen.kernel,
             chosen.size);
    measure("kernel", name, &q, g.launches);
    printf(" grid=%ux%ux%u block=%ux%ux%u first=%.3g\n", a->grid[0], a->grid[1],
           a->grid[2], a->block[0], a->block[1], a->block[2], first);
    fflush(stdout);
}

CUresult __wrap_cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                               unsigned bx, unsigned by, unsigned bz, unsigned shared,
                               CUstream stream, void **args, void **extra)
{
    struct launch_again a = { f, { gx, gy, gz }, { bx, by, bz }, shared, args, extra };

    if (chosen.function && f == chosen.function && !chosen.done) {
        chosen.done = true;
        if (!chosen.repeat)
            measure_launch(&a);
        for (unsigned i = 0; i < chosen.repeat; i++)
            again(&a, stream);
        exit(0); /* what the host does next would see results of repeated launches */
    }
    return __real_cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, args,
                                 extra);
}

static void no_output(struct workload_env *env, const char *name, const void *bytes,
                      size_t n)
{
    (void)env, (void)name, (void)bytes, (void)n;
}

static int kernel(const char *name, const char *size, const char *kernel_name)
{
    static const char *const sizes[] = { "tiny", "small", "paper" };
    struct workload_env env = { .seed = WORKLOAD_SEED, .output = no_output };
    char path[512];

    while (env.size < N_WORKLOAD_SIZE && strcmp(sizes[env.size], size) != 0)
        env.size++;
    snprintf(path, sizeof path, "workloads/%s/sm_90.cubin", name);
    check(cuModuleLoad(&env.module, path), path);
    chosen.workload = name;
    chosen.kernel = kernel_name;
    chosen.size = size;
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
        if (env.size < N_WORKLOAD_SIZE && strcmp(workloads[i]->name, name) == 0)
            workloads[i]->run(&env);
    fprintf(stderr, "energy: %s %s never launched %s: %s\n", name, size, kernel_name,
            env.message);
    return 1;
}

static int usage(void)
{
    fputs(
        "usage: energy rows CUBINS | energy count N CUBINS | energy kernel NAME SIZE KERNEL | "
        "energy repeat N NAME SIZE KERNEL\n",
        stderr);
    return 1;
}

int main(int argc, char **argv)
{
    const bool is_rows = argc == 3 && strcmp(argv[1], "rows") == 0;
    const bool is_count = argc == 4 && strcmp(argv[1], "count") == 0;
    const bool is_kernel = argc == 5 && strcmp(argv[1], "kernel") == 0;
    const bool is_repeat = argc == 6 && strcmp(argv[1], "repeat") == 0;
    unsigned mw = 0;
    CUdevice device;
    CUcontext context;

    if (!is_rows && !is_count && !is_kernel && !is_repeat)
        return usage();
    CK(cuInit(0));
    CK(cuDeviceGet(&device, 0));
    CK(cuDevicePrimaryCtxRetain(&context, device));
    CK(cuCtxSetCurrent(context));
    if (is_count) {
        rows(argv[3], (unsigned)atoi(argv[2]));
        return 0;
    }
    if (is_repeat) {
        chosen.repeat = (unsigned)atoi(argv[2]);
        return kernel(argv[3], argv[4], argv[5]);
    }
    nvml_open();
    nvml.limit(nvml.device, &mw);
    if (is_kernel)
        return kernel(argv[2], argv[3], argv[4]);
    printf("# power limit %u W\n", mw / 1000);
    rows(argv[2], 0);
    return 0;
}
