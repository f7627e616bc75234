/* gemm.c - hosts of matrix products. See gemm.h. */
#include "gemm.h"

#include <math.h>

const struct gemm_tile gemm_large = { 128, 64, 128 };
const struct gemm_tile gemm_square = { 64, 64, 64 };
const struct gemm_tile gemm_tall = { 128, 32, 128 };
const struct gemm_tile gemm_flat = { 32, 128, 128 };
const struct gemm_tile gemm_small = { 32, 32, 64 };
const struct gemm_tile gemm_tensor = { 64, 64, 128 };
const struct gemm_tile gemm_skinny = { 4, 4, 128 };

struct launch gemm_launch(const char *kernel, const struct gemm_tile *tile, unsigned m,
                          unsigned n)
{
    return (struct launch){
        kernel, { div_up(n, tile->cols), div_up(m, tile->rows) }, { tile->threads }, 0
    };
}

float *gemm_floats(struct rig *r, size_t n, uint64_t salt)
{
    struct rng rng = rng_start(r->env, salt);
    float *v = rig_host(r, n, sizeof *v);

    for (size_t i = 0; v && i < n; i++)
        v[i] = 2.0f * rng_unit(&rng) - 1.0f;
    return v;
}

/* Bits of a half that is a whole number of magnitude up to 4. */
static uint16_t half_bits(int v)
{
    static const uint16_t magnitude[] = { 0x0000, 0x3c00, 0x4000, 0x4200, 0x4400 };

    return (uint16_t)(magnitude[v < 0 ? -v : v] | (v < 0 ? 0x8000 : 0));
}

float *gemm_halves(struct rig *r, size_t n, uint64_t salt, CUdeviceptr *device)
{
    struct rng rng = rng_start(r->env, salt);
    float *v = rig_host(r, n, sizeof *v);
    uint16_t *half = rig_host(r, n, sizeof *half);

    if (r->failed)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        int whole = (int)rng_below(&rng, 9) - 4;

        v[i] = (float)whole;
        half[i] = half_bits(whole);
    }
    *device = rig_upload(r, half, n * sizeof *half);
    return v;
}

/* One side of a product on the host. */
struct side {
    const float *at;
    size_t line, depth; /* strides */
};

/* Every sum in the order of depth. */
static void multiply_in_order(float *c, const unsigned size[3], struct side a,
                              struct side b)
{
    for (size_t row = 0; row < size[0]; row++, c += size[1]) {
        for (size_t col = 0; col < size[1]; col++)
            c[col] = 0.0f;
        for (size_t d = 0; d < size[2]; d++) {
            float left = a.at[row * a.line + d * a.depth];

            for (size_t col = 0; col < size[1]; col++)
                c[col] = fmaf(left, b.at[col * b.line + d * b.depth], c[col]);
        }
    }
}

enum { LANES = 32, LANE_RUN = 4 };

/* The sum of one warp of skinny.cuh: each lane has runs of four, then lanes are added in
 * pairs that are 16, 8, 4, 2 and 1 apart. */
static float dot_by_lanes(const float *a, const float *b, size_t k)
{
    float lane[LANES] = { 0 };

    for (size_t d = 0; d < k; d++) {
        size_t l = d / LANE_RUN % LANES;

        lane[l] = fmaf(a[d], b[d], lane[l]);
    }
    for (size_t apart = LANES / 2; apart > 0; apart /= 2)
        for (size_t l = 0; l < apart; l++)
            lane[l] += lane[l + apart];
    return lane[0];
}

static void multiply_by_lanes(float *c, const unsigned size[3], const float *a,
                              const float *b)
{
    for (size_t row = 0; row < size[0]; row++)
        for (size_t col = 0; col < size[1]; col++)
            c[row * size[1] + col] =
                dot_by_lanes(a + row * size[2], b + col * size[2], size[2]);
}

static float *make_operand(struct rig *r, const struct gemm *g, size_t n, uint64_t salt,
                           CUdeviceptr *device)
{
    float *v;

    if (g->form == GEMM_HALF)
        return gemm_halves(r, n, salt, device);
    v = gemm_floats(r, n, salt);
    if (v)
        *device = rig_upload(r, v, n * sizeof *v);
    return v;
}

static struct side side_of(const float *at, bool is_across, size_t lines, size_t depth)
{
    return is_across ? (struct side){ at, 1, lines } : (struct side){ at, depth, 1 };
}

void gemm_run(struct rig *r, const struct gemm *g)
{
    const unsigned *size = g->size[r->env->size];
    unsigned m = size[0], n = size[1], k = size[2];
    size_t n_c = (size_t)m * n;
    struct launch l = gemm_launch(g->kernel, g->tile, m, n);
    CUdeviceptr d_a = 0, d_b = 0;
    float *a = make_operand(r, g, (size_t)m * k, 31, &d_a);
    float *b = make_operand(r, g, (size_t)n * k, 32, &d_b);
    float *want = rig_host(r, n_c, sizeof *want);

    if (r->failed)
        return;
    CUdeviceptr c = rig_alloc(r, n_c * sizeof *want);
    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(d_a), RIG_ARG(d_b), RIG_ARG(c), RIG_ARG(m), RIG_ARG(n),
                        RIG_ARG(k)));
    if (g->form == GEMM_SKINNY)
        multiply_by_lanes(want, size, a, b);
    else
        multiply_in_order(want, size, side_of(a, g->a_across, m, k),
                          side_of(b, g->b_across, n, k));
    rig_result(r, g->kernel, c, want, n_c);
}

int gemm_run_all(struct workload_env *env, const struct gemm *products, unsigned n)
{
    struct rig r = rig_begin(env);

    for (unsigned i = 0; i < n; i++)
        gemm_run(&r, &products[i]);
    return rig_end(&r);
}
