/* host.c - matrixmul: C = A B, tiled.
 *
 * The kernel adds the products of one element in the order of k, each fused, so the
 * check repeats exactly that.
 */
#include <math.h>

#include "../workload.h"

enum { TILE = 32 };

struct shape {
    int rows, inner, cols;
};

/* Row by row of B for locality; every c still sees k in rising order. */
static void multiply(const struct shape *s, const float *a, const float *b, float *c)
{
    for (int i = 0; i < s->rows; i++)
        for (int k = 0; k < s->inner; k++)
            for (int j = 0; j < s->cols; j++)
                c[i * s->cols + j] =
                    fmaf(a[i * s->inner + k], b[k * s->cols + j], c[i * s->cols + j]);
}

static void fill(struct rng *rng, float *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        m[i] = rng_unit(rng) - 0.5f;
}

static int matrixmul_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 64, 96, 128 },
        { 256, 256, 256 },
        { 320, 320, 640 },
    };
    struct shape s = shapes[env->size];
    size_t n_a = (size_t)(s.rows * s.inner), n_b = (size_t)(s.inner * s.cols);
    size_t n_c = (size_t)(s.rows * s.cols);
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 2);
    float *a = rig_host(&r, n_a, sizeof *a), *b = rig_host(&r, n_b, sizeof *b);
    float *want = rig_host(&r, n_c, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    fill(&rng, a, n_a);
    fill(&rng, b, n_b);
    multiply(&s, a, b, want);

    CUdeviceptr da = rig_upload(&r, a, n_a * sizeof *a);
    CUdeviceptr db = rig_upload(&r, b, n_b * sizeof *b);
    CUdeviceptr dc = rig_alloc(&r, n_c * sizeof(float));
    rig_launch(&r,
               &(struct launch){
                   .kernel = "matrixmul",
                   .grid = { (unsigned)(s.cols / TILE), (unsigned)(s.rows / TILE) },
                   .block = { TILE, TILE },
               },
               RIG_ARGS(RIG_ARG(da), RIG_ARG(db), RIG_ARG(dc), RIG_ARG(s.inner),
                        RIG_ARG(s.cols)));
    rig_result(&r, "c", dc, want, n_c);
    return rig_end(&r);
}

const struct workload workload_matrixmul = {
    .name = "matrixmul",
    .summary = "matrix product, tiles in shared memory",
    .suite = "CUDA SDK",
    .theirs = "matrixMul",
    .papers = "darsie",
    .sizes = { "64x96 by 96x128", "256x256 by 256x256", "320x320 by 320x640" },
    .run = matrixmul_run,
};
