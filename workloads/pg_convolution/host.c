/* host.c - pg_convolution: small images under a separable filter, one block per task.
 *
 * Two launches of one block per image. Sums are taken in the kernel's order: exact.
 */
#include <math.h>

#include "../workload.h"

enum { THREADS = 128, RADIUS = 8, TAPS = 2 * RADIUS + 1 };

struct shape {
    int images, side;
};

/* along: distance of neighbours in the direction of the filter; place: of the pixel in
 * that direction. */
static float convolve(const float *src, const float *filter, int along, int place,
                      int side)
{
    float sum = 0.0f;

    for (int k = -RADIUS; k <= RADIUS; k++)
        if (place + k >= 0 && place + k < side)
            sum = fmaf(src[k * along], filter[RADIUS - k], sum);
    return sum;
}

static void convolve_image(const float *image, const float *filter, int side,
                           float *rows, float *both)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            rows[y * side + x] = convolve(&image[y * side + x], filter, 1, x, side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            both[y * side + x] = convolve(&rows[y * side + x], filter, side, y, side);
}

static void image_on_device(struct rig *r, int side, CUdeviceptr image,
                            CUdeviceptr filter, CUdeviceptr rows, CUdeviceptr both)
{
    const struct launch along_x = { "convolve_rows", { 1 }, { THREADS }, 0 };
    const struct launch along_y = { "convolve_columns", { 1 }, { THREADS }, 0 };
    int radius = RADIUS;

    rig_launch(r, &along_x,
               RIG_ARGS(RIG_ARG(image), RIG_ARG(filter), RIG_ARG(rows), RIG_ARG(side),
                        RIG_ARG(radius)));
    rig_launch(r, &along_y,
               RIG_ARGS(RIG_ARG(rows), RIG_ARG(filter), RIG_ARG(both), RIG_ARG(side),
                        RIG_ARG(radius)));
}

static int pg_convolution_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 3, 32 },
        { 4, 128 },
        { 16, 128 },
    };
    const struct shape *s = &shapes[env->size];
    size_t pixels = (size_t)(s->side * s->side), all = pixels * (size_t)s->images;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 102);
    float filter[TAPS];
    float *image = rig_host(&r, all, sizeof *image);
    float *rows = rig_host(&r, pixels, sizeof *rows);
    float *want = rig_host(&r, all, sizeof *want);

    if (r.failed)
        return rig_end(&r);
    for (int i = 0; i < TAPS; i++)
        filter[i] = rng_unit(&rng) / TAPS;
    for (size_t i = 0; i < all; i++)
        image[i] = rng_unit(&rng);

    CUdeviceptr d_image = rig_upload(&r, image, all * sizeof *image);
    CUdeviceptr d_filter = rig_upload(&r, filter, sizeof filter);
    CUdeviceptr d_rows = rig_alloc(&r, all * sizeof *rows);
    CUdeviceptr both = rig_alloc(&r, all * sizeof *want);
    for (int i = 0; i < s->images; i++) {
        size_t first = (size_t)i * pixels, at = first * sizeof *image;

        image_on_device(&r, s->side, d_image + at, d_filter, d_rows + at, both + at);
        convolve_image(&image[first], filter, s->side, rows, &want[first]);
    }
    rig_result(&r, "filtered", both, want, all);
    return rig_end(&r);
}

const struct workload workload_pg_convolution = {
    .name = "pg_convolution",
    .summary = "separable filters over small images, one small block per task",
    .suite = "Pagoda",
    .theirs = "convolution",
    .papers = "ghost",
    .sizes = { "3 images of 32x32", "4 images of 128x128", "16 images of 128x128" },
    .run = pg_convolution_run,
};
