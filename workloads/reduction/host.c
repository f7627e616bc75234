/* host.c - reduction: the sum of floats and of integers, two launches each.
 *
 * The float check repeats the kernel's order of additions (per thread by stride, per
 * warp by the shuffle-down tree, per block again), so it is exact.
 */
#include "../workload.h"

enum { THREADS = 256, WARPS = THREADS / 32, MAX_BLOCKS = 256 };

/* Shuffle-down tree over 32 lanes. Lanes whose source is beyond the warp add their
 * own value on hardware; lane 0 never sees those. */
static float fold_warp(const float lane[32])
{
    float v[32];

    for (int i = 0; i < 32; i++)
        v[i] = lane[i];
    for (int step = 16; step > 0; step /= 2)
        for (int i = 0; i < step; i++)
            v[i] += v[i + step];
    return v[0];
}

static float fold_block(const float thread[THREADS])
{
    float warp[32] = { 0 };

    for (int w = 0; w < WARPS; w++)
        warp[w] = fold_warp(thread + w * 32);
    return fold_warp(warp);
}

static void fold_floats(const float *in, unsigned n, unsigned blocks, float *out)
{
    unsigned stride = blocks * THREADS;

    for (unsigned b = 0; b < blocks; b++) {
        float thread[THREADS];

        for (unsigned t = 0; t < THREADS; t++) {
            float sum = 0.0f;

            for (unsigned i = b * THREADS + t; i < n; i += stride)
                sum += in[i];
            thread[t] = sum;
        }
        out[b] = fold_block(thread);
    }
}

static void fold_ints(const unsigned *in, unsigned n, unsigned blocks, unsigned *out)
{
    for (unsigned b = 0; b < blocks; b++)
        out[b] = 0;
    for (unsigned i = 0; i < n; i++)
        out[i / THREADS % blocks] += in[i];
}

static void reduce(struct rig *r, const char *kernel, CUdeviceptr in, CUdeviceptr part,
                   CUdeviceptr sum, const unsigned shape[2])
{
    unsigned n = shape[0], blocks = shape[1];
    struct launch l = { kernel, { blocks }, { THREADS }, WARPS * sizeof(float) };

    rig_launch(r, &l, RIG_ARGS(RIG_ARG(in), RIG_ARG(part), RIG_ARG(n)));
    l.grid[0] = 1;
    rig_launch(r, &l, RIG_ARGS(RIG_ARG(part), RIG_ARG(sum), RIG_ARG(blocks)));
}

/* Elements come from one sequence, in turns: a float, an integer. */
static CUdeviceptr upload_floats(struct rig *r, const unsigned shape[2], float *part)
{
    unsigned n = shape[0];
    float *in = rig_host(r, n, sizeof *in);
    struct rng rng = rng_start(r->env, 3);
    CUdeviceptr at;

    for (unsigned i = 0; in && i < n; i++) {
        in[i] = rng_unit(&rng) - 0.25f;
        rng_next(&rng);
    }
    if (in)
        fold_floats(in, n, shape[1], part);
    at = rig_upload(r, in, n * sizeof *in);
    rig_drop(r, in);
    return at;
}

static CUdeviceptr upload_ints(struct rig *r, const unsigned shape[2], unsigned *part)
{
    unsigned n = shape[0];
    unsigned *in = rig_host(r, n, sizeof *in);
    struct rng rng = rng_start(r->env, 3);
    CUdeviceptr at;

    for (unsigned i = 0; in && i < n; i++) {
        rng_unit(&rng);
        in[i] = (unsigned)rng_next(&rng);
    }
    if (in)
        fold_ints(in, n, shape[1], part);
    at = rig_upload(r, in, n * sizeof *in);
    rig_drop(r, in);
    return at;
}

static int reduction_run(struct workload_env *env)
{
    static const unsigned shapes[N_WORKLOAD_SIZE][2] = {
        { 40001, 16 },
        { 4000001, 136 },
        { 1u << 24, 64 },
    };
    const unsigned *shape = shapes[env->size];
    unsigned blocks = shape[1];
    struct rig r = rig_begin(env);
    float part[MAX_BLOCKS] = { 0 }, sum;
    unsigned int_part[MAX_BLOCKS] = { 0 }, int_sum;
    CUdeviceptr d_in = upload_floats(&r, shape, part);
    CUdeviceptr d_ints = upload_ints(&r, shape, int_part);

    if (r.failed)
        return rig_end(&r);
    fold_floats(part, blocks, 1, &sum);
    fold_ints(int_part, blocks, 1, &int_sum);

    CUdeviceptr d_part = rig_alloc(&r, blocks * sizeof(float));
    CUdeviceptr d_int_part = rig_alloc(&r, blocks * sizeof(unsigned));
    CUdeviceptr d_sum = rig_alloc(&r, sizeof(float));
    CUdeviceptr d_int_sum = rig_alloc(&r, sizeof(unsigned));
    reduce(&r, "reduce_float", d_in, d_part, d_sum, shape);
    reduce(&r, "reduce_int", d_ints, d_int_part, d_int_sum, shape);
    rig_result(&r, "part", d_part, part, blocks);
    rig_result(&r, "sum", d_sum, &sum, 1);
    rig_result(&r, "int_part", d_int_part, int_part, blocks);
    rig_result(&r, "int_sum", d_int_sum, &int_sum, 1);
    return rig_end(&r);
}

const struct workload workload_reduction = {
    .name = "reduction",
    .summary = "sum of floats and of integers by warp shuffles",
    .suite = "CUDA SDK",
    .sizes = { "40001 elements, 16 blocks", "4000001 elements, 136 blocks",
               "16777216 elements, 64 blocks" },
    .run = reduction_run,
};
