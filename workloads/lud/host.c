/* host.c - lud: LU factors of a diagonally dominant matrix.
 *
 * The check keeps the kernels' blocking, since it fixes the rounding: inside a block
 * row or column products are subtracted one by one, an internal block subtracts the
 * sum of its sixteen products. That makes it exact. That the factors are factors at
 * all is checked apart: rows of L U against the input, to rounding.
 */
#include <math.h>
#include <string.h>

#include "../workload.h"

enum { B = 16 };

/* One element of L or U from the k first elements of its row and column. */
static float minus_dot(const float *row, const float *col, int dim, int k, float v)
{
    for (int i = 0; i < k; i++)
        v = fmaf(-row[i], col[i * dim], v);
    return v;
}

/* The block row and block column of the diagonal block at `at`, itself included. */
static void factor_edges(float *m, int dim, int at)
{
    const float *corner = m + at * dim + at;

    for (int i = 0; i < B; i++) {
        float *row = m + (at + i) * dim + at;

        for (int x = i; x < dim - at; x++)
            row[x] = minus_dot(row, corner + x, dim, i, row[x]);
        for (int y = at + i + 1; y < dim; y++) {
            float *left = m + y * dim + at;

            left[i] = minus_dot(left, corner + i, dim, i, left[i]) / row[i];
        }
    }
}

static void factor_rest(float *m, int dim, int at)
{
    for (int y = at + B; y < dim; y++) {
        for (int x = at + B; x < dim; x++) {
            float sum = 0.0f;

            for (int k = at; k < at + B; k++)
                sum = fmaf(m[y * dim + k], m[k * dim + x], sum);
            m[y * dim + x] -= sum;
        }
    }
}

/* A few rows of L U, in double. Bound: dim roundings of 2^-24 relative to the sum of
 * magnitudes, which for a dominant matrix is near the diagonal's, 2 dim. */
static void check_product(struct rig *r, const float *lu, const float *m, int dim)
{
    double bound = 2.0 * dim * dim * 0x1p-24;

    for (int y = 0; y < dim; y += dim / 8 + 1) {
        for (int x = 0; x < dim; x++) {
            int n = x < y ? x + 1 : y;
            double sum = x < y ? 0.0 : (double)lu[y * dim + x];

            for (int k = 0; k < n; k++)
                sum += (double)lu[y * dim + k] * (double)lu[k * dim + x];
            if (!(fabs(sum - (double)m[y * dim + x]) <= bound))
                rig_fail(r, "L U differs from the matrix at %d,%d: %g, %g", y, x, sum,
                         (double)m[y * dim + x]);
        }
    }
}

static void factor_on_device(struct rig *r, CUdeviceptr m, int dim)
{
    for (int at = 0; at < dim; at += B) {
        unsigned rest = (unsigned)((dim - at) / B - 1);

        rig_launch(r, &(struct launch){ "lud_diagonal", { 1 }, { B }, 0 },
                   RIG_ARGS(RIG_ARG(m), RIG_ARG(dim), RIG_ARG(at)));
        if (rest == 0)
            break;
        rig_launch(r, &(struct launch){ "lud_perimeter", { rest }, { 2 * B }, 0 },
                   RIG_ARGS(RIG_ARG(m), RIG_ARG(dim), RIG_ARG(at)));
        rig_launch(r, &(struct launch){ "lud_internal", { rest, rest }, { B, B }, 0 },
                   RIG_ARGS(RIG_ARG(m), RIG_ARG(dim), RIG_ARG(at)));
    }
}

static int lud_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE] = { 64, 256, 256 };
    int dim = sizes[env->size];
    size_t n = (size_t)dim * (size_t)dim;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 9);
    float *m = rig_host(&r, n, sizeof *m), *want = rig_host(&r, n, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < n; i++)
        m[i] = 2.0f * rng_unit(&rng) - 1.0f;
    for (int i = 0; i < dim; i++)
        m[i * dim + i] += (float)dim;
    memcpy(want, m, n * sizeof *m);
    for (int at = 0; at < dim; at += B) {
        factor_edges(want, dim, at);
        factor_rest(want, dim, at);
    }
    CUdeviceptr d_m = rig_upload(&r, m, n * sizeof *m);
    factor_on_device(&r, d_m, dim);
    rig_result(&r, "lu", d_m, want, n);
    check_product(&r, want, m, dim);
    return rig_end(&r);
}

const struct workload workload_lud = {
    .name = "lud",
    .summary = "blocked LU decomposition",
    .suite = "Rodinia",
    .papers = "ghost socgpu",
    .sizes = { "64x64", "256x256", "256x256" },
    .run = lud_run,
};
