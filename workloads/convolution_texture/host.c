/* host.c - convolution_texture: a random image filtered along rows and then columns.
 *
 * The check repeats the kernels' operations in order: exact.
 */
#include <math.h>

#include "../workload.h"

enum { SIDE = 16, REACH = 8, N_TAPS = 2 * REACH + 1 };

struct image {
    int width, height;
    float *pixels;
};

static int clamp(int v, int n)
{
    return v < 0 ? 0 : v < n ? v : n - 1;
}

/* dx, dy: the step from one neighbour to the next. */
static void filter(const struct image *from, struct image *to, const float *taps,
                   int dx, int dy)
{
    for (int y = 0; y < from->height; y++) {
        for (int x = 0; x < from->width; x++) {
            float sum = 0.0f;

            for (int i = 0; i < N_TAPS; i++) {
                int column = clamp(x + (i - REACH) * dx, from->width);
                int row = clamp(y + (i - REACH) * dy, from->height);

                sum = fmaf(from->pixels[row * from->width + column], taps[i], sum);
            }
            to->pixels[y * to->width + x] = sum;
        }
    }
}

static int convolution_texture_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE][2] = { { 88, 56 },
                                                   { 512, 384 },
                                                   { 3072, 1536 } };
    int width = sizes[env->size][0], height = sizes[env->size][1];
    size_t n = (size_t)width * (size_t)height;
    struct launch l = { "convolve_rows",
                        { div_up((unsigned)width, SIDE),
                          div_up((unsigned)height, SIDE) },
                        { SIDE, SIDE },
                        0 };
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 25);
    struct image image = { width, height, rig_host(&r, n, sizeof(float)) };
    struct image half = { width, height, rig_host(&r, n, sizeof(float)) };
    float taps[N_TAPS];

    if (r.failed)
        return rig_end(&r);
    for (int i = 0; i < N_TAPS; i++)
        taps[i] = rng_unit(&rng);
    for (size_t i = 0; i < n; i++)
        image.pixels[i] = 16.0f * rng_unit(&rng);
    rig_write(&r, rig_global(&r, "taps", sizeof taps), taps, sizeof taps);
    CUdeviceptr plane = rig_upload(&r, image.pixels, n * sizeof(float));
    struct rig_texture texture =
        rig_texture(&r, CU_AD_FORMAT_FLOAT, 1, (unsigned)width, (unsigned)height);

    rig_texture_copy(&r, &texture, plane);
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(plane), RIG_ARG(width), RIG_ARG(height),
                        RIG_ARG(texture.object)));
    filter(&image, &half, taps, 1, 0);
    rig_result(&r, "rows", plane, half.pixels, n);

    rig_texture_copy(&r, &texture, plane);
    l.kernel = "convolve_columns";
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(plane), RIG_ARG(width), RIG_ARG(height),
                        RIG_ARG(texture.object)));
    filter(&half, &image, taps, 0, 1);
    rig_result(&r, "image", plane, image.pixels, n);
    return rig_end(&r);
}

const struct workload workload_convolution_texture = {
    .name = "convolution_texture",
    .summary = "separable filter of 17 taps, pixels through a texture",
    .suite = "CUDA SDK",
    .theirs = "convolutionTexture",
    .papers = "darsie",
    .sizes = { "88x56", "512x384", "3072x1536" },
    .run = convolution_texture_run,
};
