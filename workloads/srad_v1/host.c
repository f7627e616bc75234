/* host.c - srad_v1: some iterations of speckle reduction on a random image.
 *
 * What extract made of the image is checked against exp() within a bound and then taken
 * as it is: the iterations are repeated from it operation by operation, sums in the
 * order of the kernels' trees, so their check is exact. compress is checked against
 * log() within a bound again.
 */
#include <math.h>
#include <string.h>

#include "../reference.h"
#include "../workload.h"

enum { THREADS = 512, MAX_ITERATIONS = 16 };

/* expf, logf: two units in the last place, one more for the division or product. */
#define BOUND 0x1p-22f

struct shape {
    int rows, cols, iterations;
};

struct slopes {
    CUdeviceptr north, south, west, east;
};

struct around {
    CUdeviceptr north, south, west, east;
};

struct image {
    int rows, cols, n;
    float *pixels, *coefficient;
    float *slopes[4]; /* north, south, west, east */
    float *sums, *squares;
};

static const float rate = 0.5f;

/* Sum of n numbers in the order of kernel reduce, in place. */
static float fold_all(float *v, int n)
{
    while (n > 1) {
        int blocks = 0;

        for (int first = 0; first < n; first += THREADS) {
            int here = n - first < THREADS ? n - first : THREADS, folded = THREADS;
            float *sum = v + first, total;

            while (folded > here)
                folded /= 2;
            for (int step = 2; step <= folded; step *= 2)
                for (int i = step - 1; i < folded; i += step)
                    sum[i] = sum[i] + sum[i - step / 2];
            total = sum[folded - 1];
            for (int i = folded; i < here; i++)
                total = total + sum[i];
            v[blocks++] = total;
        }
        n = blocks;
    }
    return v[0];
}

/* Coefficient of variation of the whole image, squared: how strong its speckle is. */
static float speckle_of(int n, const float total[2])
{
    float mean = total[0] / (float)n;
    float variance = total[1] / (float)n - mean * mean;

    return variance / (mean * mean);
}

static float diffusion(float mid, const float d[4], float speckle)
{
    float magnitude = fmaf(d[3], d[3], fmaf(d[2], d[2], fmaf(d[1], d[1], d[0] * d[0])));
    float gradient = magnitude / (mid * mid);
    float laplacian = (d[0] + d[1] + d[2] + d[3]) / mid;
    float square = laplacian * laplacian;
    float above = (float)fma(0.5, (double)gradient, -0.0625 * (double)square);
    float below = (float)fma(0.25, (double)laplacian, 1.0);
    float variation = above / (below * below);
    float excess = (variation - speckle) / (speckle * (1.0f + speckle));
    float c = (float)(1.0 / (1.0 + (double)excess));

    return c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
}

static void find_slopes(struct image *m, float speckle)
{
    for (int at = 0; at < m->n; at++) {
        int row = at % m->rows, col = at / m->rows;
        const int to[4] = { row > 0 ? at - 1 : at, row < m->rows - 1 ? at + 1 : at,
                            col > 0 ? at - m->rows : at,
                            col < m->cols - 1 ? at + m->rows : at };
        float d[4];

        for (int i = 0; i < 4; i++)
            m->slopes[i][at] = d[i] = m->pixels[to[i]] - m->pixels[at];
        m->coefficient[at] = diffusion(m->pixels[at], d, speckle);
    }
}

static void diffuse(struct image *m)
{
    for (int at = 0; at < m->n; at++) {
        int row = at % m->rows, col = at / m->rows;
        const float *c = m->coefficient;
        float flow = c[at] * m->slopes[0][at];

        flow = fmaf(c[row < m->rows - 1 ? at + 1 : at], m->slopes[1][at], flow);
        flow = fmaf(c[at], m->slopes[2][at], flow);
        flow = fmaf(c[col < m->cols - 1 ? at + m->rows : at], m->slopes[3][at], flow);
        m->pixels[at] =
            (float)fma(0.25 * (double)rate, (double)flow, (double)m->pixels[at]);
    }
}

/* One iteration on the CPU; total: sum of the pixels and of their squares before it. */
static void iterate(struct image *m, float total[2])
{
    for (int i = 0; i < m->n; i++) {
        m->sums[i] = m->pixels[i];
        m->squares[i] = m->pixels[i] * m->pixels[i];
    }
    total[0] = fold_all(m->sums, m->n);
    total[1] = fold_all(m->squares, m->n);
    find_slopes(m, speckle_of(m->n, total));
    diffuse(m);
}

static void sum_on_device(struct rig *r, CUdeviceptr image, const CUdeviceptr sums[2],
                          int n, float total[2])
{
    struct launch l = { "prepare", { div_up((unsigned)n, THREADS) }, { THREADS }, 0 };

    rig_launch(
        r, &l,
        RIG_ARGS(RIG_ARG(image), RIG_ARG(sums[0]), RIG_ARG(sums[1]), RIG_ARG(n)));
    l.kernel = "reduce";
    for (int left = n, stride = 1; left > 1; stride *= THREADS) {
        l.grid[0] = div_up((unsigned)left, THREADS);
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(sums[0]), RIG_ARG(sums[1]), RIG_ARG(left),
                            RIG_ARG(stride)));
        left = (int)l.grid[0];
    }
    rig_download(r, &total[0], sums[0], sizeof total[0]);
    rig_download(r, &total[1], sums[1], sizeof total[1]);
}

/* Table of neighbours of n rows or columns, one before or one after. */
static CUdeviceptr neighbours(struct rig *r, int n, int step)
{
    int *to = rig_host(r, (size_t)n, sizeof *to);

    if (r->failed)
        return 0;
    for (int i = 0; i < n; i++)
        to[i] = i + step < 0 || i + step >= n ? i : i + step;
    return rig_upload(r, to, (size_t)n * sizeof *to);
}

static void diffuse_on_device(struct rig *r, CUdeviceptr image, const struct shape *s,
                              float total[][2])
{
    int n = s->rows * s->cols, rows = s->rows;
    size_t bytes = (size_t)n * sizeof(float);
    struct launch l = { "srad", { div_up((unsigned)n, THREADS) }, { THREADS }, 0 };
    CUdeviceptr sums[2] = { rig_alloc(r, bytes), rig_alloc(r, bytes) };
    CUdeviceptr coefficient = rig_alloc(r, bytes);
    struct slopes slopes = { rig_alloc(r, bytes), rig_alloc(r, bytes),
                             rig_alloc(r, bytes), rig_alloc(r, bytes) };
    struct around around = { neighbours(r, s->rows, -1), neighbours(r, s->rows, 1),
                             neighbours(r, s->cols, -1), neighbours(r, s->cols, 1) };

    for (int i = 0; i < s->iterations && !r->failed; i++) {
        float speckle;

        sum_on_device(r, image, sums, n, total[i]);
        speckle = speckle_of(n, total[i]);
        l.kernel = "srad";
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(image), RIG_ARG(around), RIG_ARG(slopes),
                            RIG_ARG(coefficient), RIG_ARG(rows), RIG_ARG(n),
                            RIG_ARG(speckle)));
        l.kernel = "srad2";
        rig_launch(r, &l,
                   RIG_ARGS(RIG_ARG(image), RIG_ARG(around), RIG_ARG(slopes),
                            RIG_ARG(coefficient), RIG_ARG(rows), RIG_ARG(n),
                            RIG_ARG(rate)));
    }
}

static void image_make(struct rig *r, struct image *m, const struct shape *s)
{
    struct rng rng = rng_start(r->env, 101);
    size_t n;

    m->rows = s->rows;
    m->cols = s->cols;
    m->n = s->rows * s->cols;
    n = (size_t)m->n;
    m->pixels = rig_host(r, n, sizeof *m->pixels);
    m->coefficient = rig_host(r, n, sizeof *m->coefficient);
    m->sums = rig_host(r, n, sizeof *m->sums);
    m->squares = rig_host(r, n, sizeof *m->squares);
    for (int i = 0; i < 4; i++)
        m->slopes[i] = rig_host(r, n, sizeof *m->slopes[i]);
    for (size_t i = 0; i < n && !r->failed; i++)
        m->pixels[i] = (float)(64 + rng_below(&rng, 64) + (i / 32 % 2) * 100);
}

static int srad_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 61, 29, 2 },
        { 502, 458, 1 },
        { 502, 458, 10 },
    };
    const struct shape *s = &shapes[env->size];
    struct rig r = rig_begin(env);
    struct image m;
    size_t n = (size_t)(s->rows * s->cols), bytes = n * sizeof(float);
    struct launch l = { "extract", { div_up((unsigned)n, THREADS) }, { THREADS }, 0 };
    float got[MAX_ITERATIONS][2] = { 0 }, want[MAX_ITERATIONS][2] = { 0 };
    float *near = rig_host(&r, n, sizeof *near);

    image_make(&r, &m, s);
    if (r.failed)
        return rig_end(&r);
    CUdeviceptr image = rig_upload(&r, m.pixels, bytes);
    for (size_t i = 0; i < n; i++)
        near[i] = (float)reference_exp((double)(m.pixels[i] / 255.0f));
    rig_launch(&r, &l, RIG_ARGS(RIG_ARG(image), RIG_ARG(m.n)));
    rig_near(&r, "extracted", image, near, n, BOUND);
    rig_download(&r, m.pixels, image, bytes);

    diffuse_on_device(&r, image, s, got);
    for (int i = 0; i < s->iterations; i++)
        iterate(&m, want[i]);
    rig_output(&r, "totals", got, want, (size_t)s->iterations * 2);
    rig_result(&r, "diffused", image, m.pixels, n);

    for (size_t i = 0; i < n; i++)
        near[i] = (float)(reference_log((double)m.pixels[i]) * 255.0);
    l.kernel = "compress";
    rig_launch(&r, &l, RIG_ARGS(RIG_ARG(image), RIG_ARG(m.n)));
    rig_near(&r, "image", image, near, n, BOUND);
    return rig_end(&r);
}

const struct workload workload_srad_v1 = {
    .name = "srad_v1",
    .summary = "speckle-reducing anisotropic diffusion of an image",
    .suite = "Rodinia",
    .papers = "ghost socgpu darsie",
    .sizes = { "61x29, 2 iterations", "502x458, 1 iteration",
               "502x458, 10 iterations" },
    .run = srad_run,
};
