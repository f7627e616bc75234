/* host.c - pg_dct: cosine transforms of small images, one block of 64 threads per task.
 *
 * The check repeats the kernel's arithmetic operation by operation: exact.
 */
#include <math.h>

#include "../workload.h"

enum { THREADS = 64, PATCH = 8 };

struct shape {
    int images, side;
};

/* Rows of the odd outputs 1, 3, 5, 7 over the four differences. */
static const double odd_factors[4][4] = {
    { 1.387039845322148, -1.175875602419359, 0.785694958387102, -0.275899379282943 },
    { 1.175875602419359, 0.275899379282943, -1.387039845322148, 0.785694958387102 },
    { 0.785694958387102, 1.387039845322148, 0.275899379282943, -1.175875602419359 },
    { 0.275899379282943, 0.785694958387102, 1.175875602419359, 1.387039845322148 },
};

static void transform(float *v, int step)
{
    const double norm = 0.3535533905932737, b = 1.306562964876377,
                 e = 0.541196100146197;
    float in[PATCH], sum[4], outer, inner;
    double dif[4], outer_odd, inner_odd;

    for (int i = 0; i < PATCH; i++)
        in[i] = v[i * step];
    for (int i = 0; i < 4; i++) {
        sum[i] = in[i] + in[7 - i];
        dif[i] = (double)(i % 2 ? in[7 - i] - in[i] : in[i] - in[7 - i]);
    }
    outer = sum[0] + sum[3];
    inner = sum[1] + sum[2];
    outer_odd = (double)(sum[0] - sum[3]);
    inner_odd = (double)(sum[1] - sum[2]);
    v[0] = (float)(norm * (double)(outer + inner));
    v[2 * step] = (float)(norm * fma(b, outer_odd, e * inner_odd));
    v[4 * step] = (float)(norm * (double)(outer - inner));
    v[6 * step] = (float)(norm * fma(e, outer_odd, -(b * inner_odd)));
    for (int i = 0; i < 4; i++) {
        const double *f = odd_factors[i];
        double value = fma(f[0], dif[0], f[1] * dif[1]);

        value = fma(f[3], dif[3], fma(f[2], dif[2], value));
        v[(2 * i + 1) * step] = (float)(norm * value);
    }
}

static void transform_image(float *image, int side)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x += PATCH)
            transform(&image[y * side + x], 1);
    for (int y = 0; y < side; y += PATCH)
        for (int x = 0; x < side; x++)
            transform(&image[y * side + x], side);
}

static int pg_dct_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 4, 64 },
        { 64, 128 },
        { 128, 128 },
    };
    const struct launch l = { "dct_image", { 1 }, { THREADS }, 0 };
    const struct shape *s = &shapes[env->size];
    size_t pixels = (size_t)(s->side * s->side), all = pixels * (size_t)s->images;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 103);
    float *image = rig_host(&r, all, sizeof *image);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < all; i++)
        image[i] = (float)rng_below(&rng, 256) - 128.0f;

    CUdeviceptr src = rig_upload(&r, image, all * sizeof *image);
    CUdeviceptr dst = rig_alloc(&r, all * sizeof *image);
    for (int i = 0; i < s->images; i++) {
        size_t first = (size_t)i * pixels;
        CUdeviceptr from = src + first * sizeof *image,
                    to = dst + first * sizeof *image;

        rig_launch(&r, &l, RIG_ARGS(RIG_ARG(from), RIG_ARG(to), RIG_ARG(s->side)));
        transform_image(&image[first], s->side);
    }
    rig_result(&r, "transformed", dst, image, all);
    return rig_end(&r);
}

const struct workload workload_pg_dct = {
    .name = "pg_dct",
    .summary = "8x8 cosine transforms of small images, one small block per task",
    .suite = "Pagoda",
    .theirs = "dct",
    .papers = "ghost",
    .sizes = { "4 images of 64x64", "64 images of 128x128", "128 images of 128x128" },
    .run = pg_dct_run,
};
