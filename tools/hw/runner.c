/* runner.c - runs one workload on a real GPU and says what came out.
 *
 * runner NAME tiny|small|paper [FILE]     prints one line a result buffer,
 *     output SIZE BUFFER BYTES HASH       (FNV-1a, 64 bits), and with FILE writes the
 *                                         buffers' bytes there, in the same order
 * runner --list                           prints the workloads' names
 *
 * Run from the repository's root: the cubin is workloads/NAME/sm_90.cubin. Exit 0 if
 * the workload's own check passed. workloads.def (one WORKLOAD(name) a line) comes
 * from record.sh, which also builds this.
 */
#include <cuda.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../workloads/workload.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads.def"
#undef WORKLOAD

static const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads.def"
#undef WORKLOAD
};

static const char *const size_names[N_WORKLOAD_SIZE] = { "tiny", "small", "paper" };

/* What the output hook needs beside the environment it is given. */
struct run {
    struct workload_env env; /* first: the hook gets its address */
    FILE *bytes;             /* NULL: only hashes are wanted */
    bool write_failed;
};

static uint64_t fnv1a(const unsigned char *bytes, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static void record(struct workload_env *env, const char *name, const void *bytes,
                   size_t n)
{
    struct run *run = (struct run *)env;

    printf("output %s %s %zu %016" PRIx64 "\n", size_names[env->size], name, n,
           fnv1a(bytes, n));
    if (run->bytes && fwrite(bytes, 1, n, run->bytes) != n)
        run->write_failed = true;
}

static bool cu_ok(CUresult result, const char *what)
{
    const char *name = NULL;

    if (result == CUDA_SUCCESS)
        return true;
    cuGetErrorName(result, &name);
    fprintf(stderr, "runner: %s: %s\n", what, name ? name : "unknown error");
    return false;
}

/* A context by the primary one: its calls are the same in every CUDA version. */
static bool open_module(const char *workload, CUmodule *module)
{
    CUdevice device;
    CUcontext context;
    char path[512];

    snprintf(path, sizeof path, "workloads/%s/sm_90.cubin", workload);
    return cu_ok(cuInit(0), "cuInit") && cu_ok(cuDeviceGet(&device, 0), "device 0") &&
           cu_ok(cuDevicePrimaryCtxRetain(&context, device), "context") &&
           cu_ok(cuCtxSetCurrent(context), "context") &&
           cu_ok(cuModuleLoad(module, path), path);
}

static int run_workload(const struct workload *w, enum workload_size size,
                        const char *file)
{
    struct run run = {
        .env = { .size = size, .seed = WORKLOAD_SEED, .output = record },
    };
    int failed;

    if (!open_module(w->name, &run.env.module))
        return 1;
    if (file && !(run.bytes = fopen(file, "wb"))) {
        perror(file);
        return 1;
    }
    failed = w->run(&run.env);
    if (failed)
        fprintf(stderr, "runner: %s %s: %s\n", w->name, size_names[size],
                run.env.message);
    if (run.bytes && (fclose(run.bytes) != 0 || run.write_failed)) {
        fprintf(stderr, "runner: %s: could not be written\n", file);
        return 1;
    }
    return failed ? 3 : 0;
}

static int usage(void)
{
    fputs("usage: runner NAME tiny|small|paper [FILE] | runner --list\n", stderr);
    return 1;
}

int main(int argc, char **argv)
{
    const size_t n = sizeof workloads / sizeof workloads[0];
    unsigned size;

    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < n; i++)
            puts(workloads[i]->name);
        return 0;
    }
    if (argc < 3 || argc > 4)
        return usage();
    for (size = 0; size < N_WORKLOAD_SIZE; size++)
        if (strcmp(argv[2], size_names[size]) == 0)
            break;
    for (size_t i = 0; i < n && size < N_WORKLOAD_SIZE; i++)
        if (strcmp(argv[1], workloads[i]->name) == 0)
            return run_workload(workloads[i], (enum workload_size)size, argv[3]);
    return usage();
}
