/* gemm.c - the host of matrix products by tensor copies.
 *
 * Elements are whole numbers from -2 to 2, which all types have, and |c| stays below 2^13:
 * every sum is exact in any order, also in the accumulators of 8-bit floats, which keep 13 bits
 * below their largest addend. So the check is exact, in integers.
 */
#include "gemm.h"

#include <string.h>

enum { LARGEST = 2, ALIGNMENT = 1024 };

/* Bits of the exponent and of the fraction. */
static const struct {
    unsigned exponent, fraction;
} formats[] = {
    [RIG_F16] = { 5, 10 },
    [RIG_BF16] = { 8, 7 },
    [RIG_TF32] = { 8, 23 },
    [RIG_E4M3] = { 4, 3 },
};

/* A whole number from -3 to 3 in the format of an element. */
static uint32_t encode(int value, enum rig_element element)
{
    unsigned e = formats[element].exponent, f = formats[element].fraction;
    uint32_t size = (uint32_t)(value < 0 ? -value : value), bias = (1u << (e - 1)) - 1;
    uint32_t sign = (uint32_t)(value < 0) << (e + f);

    if (size < 2)
        return sign | (size ? bias << f : 0);
    return sign | (bias + 1) << f | (size & 1) << (f - 1);
}

static void fill(struct rng *rng, int8_t *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        m[i] = (int8_t)(rng_below(rng, 2 * LARGEST + 1) - LARGEST);
}

/* The matrix in the element's format, on the device. */
static CUdeviceptr upload(struct rig *r, const int8_t *m, size_t n,
                          enum rig_element element)
{
    unsigned bytes = rig_element_bytes(element);
    uint8_t *coded = rig_host(r, n, bytes);
    CUdeviceptr at;

    for (size_t i = 0; coded && i < n; i++) {
        uint32_t word = encode(m[i], element);

        memcpy(coded + i * bytes, &word, bytes); /* the low bytes come first */
    }
    at = rig_upload(r, coded, n * bytes);
    rig_drop(r, coded);
    return at;
}

static void multiply(const struct hopper_shape *s, const int8_t *a, const int8_t *b,
                     float *c)
{
    for (int i = 0; i < s->m; i++) {
        for (int j = 0; j < s->n; j++) {
            const int8_t *x = a + (size_t)i * (size_t)s->k;
            const int8_t *y = b + (size_t)j * (size_t)s->k;
            int sum = 0;

            for (int k = 0; k < s->k; k++)
                sum += x[k] * y[k];
            *c++ = (float)sum;
        }
    }
}

static void launch(struct rig *r, const struct hopper_gemm *g,
                   const struct hopper_shape *s, const CUdeviceptr at[3])
{
    unsigned m = (unsigned)s->m, n = (unsigned)s->n, k = (unsigned)s->k;
    const struct rig_matrix a = { g->element, m, k, g->rows };
    const struct rig_matrix b = { g->element, n, k, g->cols / g->cluster };
    CUtensorMap map_a, map_b;

    rig_tensor_map(r, &map_a, at[0], &a);
    rig_tensor_map(r, &map_b, at[1], &b);
    rig_launch(
        r,
        &(struct launch){
            .kernel = g->kernel,
            .grid = { div_up(n, g->cols),
                      div_up(m, g->rows * g->cluster) * g->cluster },
            .block = { (1 + g->rows / 64) * 128 },
            .shared = g->stages * ((g->rows + g->cols) * RIG_LINE + 16) + ALIGNMENT,
        },
        RIG_ARGS(RIG_ARG(map_a), RIG_ARG(map_b), RIG_ARG(at[2]), RIG_ARG(s->m),
                 RIG_ARG(s->n), RIG_ARG(s->k)));
}

static int run(struct workload_env *env, const struct hopper_gemm *g, uint64_t salt)
{
    const struct hopper_shape *s = &g->shapes[env->size];
    size_t n_a = (size_t)s->m * (size_t)s->k, n_b = (size_t)s->n * (size_t)s->k;
    size_t n_c = (size_t)s->m * (size_t)s->n;
    struct rng rng = rng_start(env, salt);
    struct rig r = rig_begin(env);
    int8_t *a = rig_host(&r, n_a, sizeof *a), *b = rig_host(&r, n_b, sizeof *b);
    float *want = rig_host(&r, n_c, sizeof *want);
    CUdeviceptr at[3];

    if (r.failed)
        return rig_end(&r);
    fill(&rng, a, n_a);
    fill(&rng, b, n_b);
    multiply(s, a, b, want);
    at[0] = upload(&r, a, n_a, g->element);
    at[1] = upload(&r, b, n_b, g->element);
    at[2] = rig_alloc(&r, n_c * sizeof(float));
    launch(&r, g, s, at);
    rig_result(&r, g->kernel, at[2], want, n_c);
    return rig_end(&r);
}

int hopper_gemm_run(struct workload_env *env, const struct hopper_gemm *gemms, size_t n)
{
    int failed = 0;

    for (size_t i = 0; i < n && !failed; i++)
        failed = run(env, &gemms[i], i);
    return failed;
}
