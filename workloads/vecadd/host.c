/* host.c - vecadd: c = a + b. The last block is only partly used. */
#include "../workload.h"

static int vecadd_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE] = { 20000, 1000000, 4000000 };
    int n = sizes[env->size];
    size_t bytes = (size_t)n * sizeof(float);
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 1);
    float *a = rig_host(&r, (size_t)n, sizeof *a);
    float *b = rig_host(&r, (size_t)n, sizeof *b);
    float *want = rig_host(&r, (size_t)n, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    for (int i = 0; i < n; i++) {
        a[i] = rng_unit(&rng);
        b[i] = rng_unit(&rng) - 0.5f;
        want[i] = a[i] + b[i];
    }
    CUdeviceptr da = rig_upload(&r, a, bytes), db = rig_upload(&r, b, bytes);
    CUdeviceptr dc = rig_alloc(&r, bytes);
    rig_launch(&r,
               &(struct launch){ .kernel = "vecadd",
                                 .grid = { div_up((unsigned)n, 256) },
                                 .block = { 256 } },
               RIG_ARGS(RIG_ARG(da), RIG_ARG(db), RIG_ARG(dc), RIG_ARG(n)));
    rig_result(&r, "c", dc, want, (size_t)n);
    return rig_end(&r);
}

const struct workload workload_vecadd = {
    .name = "vecadd",
    .summary = "vector addition",
    .suite = "CUDA SDK",
    .theirs = "vectorAdd",
    .sizes = { "20000 elements", "1000000 elements", "4000000 elements" },
    .run = vecadd_run,
};
