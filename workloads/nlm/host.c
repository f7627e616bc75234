/* host.c - nlm: a noisy image denoised by non-local means.
 *
 * The check does what the kernel does, in its order and in float; only exp() is not the
 * kernel's fast one, whose weights are off by less than 1e-5. So a colour may differ by one
 * step, and where a weight lies that near to its threshold either mix is right.
 */
#include <math.h>
#include <stdlib.h>

#include "../reference.h"
#include "../workload.h"

enum { SIDE = 16, REACH = 3, N_COLOURS = 3 };

static const float noise = 1.0f / (1.45f * 1.45f), share = 0.2f;

struct image {
    int width, height;
    uint32_t *pixels; /* a byte per colour, the first in the lowest */
    float *colours;   /* of all pixels, 0 to 1 */
};

struct shape {
    int width, height, reach; /* reach: of the window, on each side of its middle */
};

static void image_make(struct rig *r, struct image *image)
{
    struct rng rng = rng_start(r->env, 23);

    for (int i = 0; i < image->width * image->height; i++) {
        int x = i % image->width, y = i / image->width;
        int shade = (x / 5 + y / 7) % 2 ? 170 : 60; /* a chequered floor */

        for (int c = 0; c < N_COLOURS; c++) {
            uint32_t byte = (uint32_t)(shade + 10 * c) + rng_below(&rng, 40);

            image->pixels[i] |= byte << 8 * c;
            image->colours[i * N_COLOURS + c] = (float)byte / 255.0f;
        }
    }
}

static int clamp(int v, int n)
{
    return v < 0 ? 0 : v < n ? v : n - 1;
}

static const float *colours_at(const struct image *image, int x, int y)
{
    return image->colours + N_COLOURS * (clamp(y, image->height) * image->width +
                                         clamp(x, image->width));
}

static float patch_distance(const struct image *image, int x, int y, int dx, int dy)
{
    float sum = 0.0f;

    for (int v = -REACH; v <= REACH; v++) {
        for (int u = -REACH; u <= REACH; u++) {
            const float *a = colours_at(image, x + dx + u, y + dy + v);
            const float *b = colours_at(image, x + u, y + v);
            float red = b[0] - a[0], green = b[1] - a[1], blue = b[2] - a[2];

            sum += fmaf(blue, blue, fmaf(green, green, red * red));
        }
    }
    return sum;
}

/* What a pixel becomes, before it is mixed with itself. */
struct mean {
    float colours[N_COLOURS];
    int surely,
        perhaps; /* number of alike pixels in the window, at least and at most */
};

static struct mean window_mean(const struct image *image, int x, int y, int reach)
{
    struct mean m = { 0 };
    float weights = 0.0f, part = 1.0f / (float)((2 * reach + 1) * (2 * reach + 1));

    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            const float *colour = colours_at(image, x + dx, y + dy);
            float far = (float)(dx * dx + dy * dy) * part;
            float unlike = patch_distance(image, x, y, dx, dy);
            float weight = (float)reference_exp((double)-fmaf(unlike, noise, far));

            for (int c = 0; c < N_COLOURS; c++)
                m.colours[c] = fmaf(colour[c], weight, m.colours[c]);
            weights += weight;
            m.surely += weight > 0.10001f;
            m.perhaps += weight > 0.09999f;
        }
    }
    for (int c = 0; c < N_COLOURS; c++)
        m.colours[c] *= 1.0f / weights;
    return m;
}

static bool is_mix(const struct mean *m, const float *colour, float own, uint32_t got)
{
    for (int c = 0; c < N_COLOURS; c++) {
        float want = fmaf(own, colour[c] - m->colours[c], m->colours[c]);

        if (abs((int)(got >> 8 * c & 255) - (int)(want * 255.0f)) > 1)
            return false;
    }
    return got >> 24 == 0;
}

static void check(struct rig *r, const struct image *image, int reach,
                  const uint32_t *got)
{
    float area = (float)((2 * reach + 1) * (2 * reach + 1));

    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            struct mean m = window_mean(image, x, y, reach);
            const float *colour = colours_at(image, x, y);
            uint32_t pixel = got[y * image->width + x];
            bool may_be_many = (float)m.perhaps > 0.1f * area;
            bool may_be_few = (float)m.surely <= 0.1f * area;

            if (!(may_be_many && is_mix(&m, colour, share, pixel)) &&
                !(may_be_few && is_mix(&m, colour, 1.0f - share, pixel)))
                rig_fail(r, "pixel %d,%d is 0x%06x, expected near %g %g %g", x, y,
                         (unsigned)pixel, 255.0 * (double)m.colours[0],
                         255.0 * (double)m.colours[1], 255.0 * (double)m.colours[2]);
        }
    }
}

static int nlm_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 20, 10, 1 },
        { 64, 48, 3 },
        { 320, 408, 3 },
    };
    const struct shape *s = &shapes[env->size];
    size_t n = (size_t)(s->width * s->height), bytes = n * sizeof(uint32_t);
    unsigned width = (unsigned)s->width, height = (unsigned)s->height;
    float reach = (float)s->reach;
    struct rig r = rig_begin(env);
    struct image image = { s->width, s->height, rig_host(&r, n, sizeof(uint32_t)),
                           rig_host(&r, n * N_COLOURS, sizeof(float)) };
    uint32_t *got = rig_host(&r, n, sizeof *got);

    if (r.failed)
        return rig_end(&r);
    image_make(&r, &image);
    CUdeviceptr out = rig_upload(&r, image.pixels, bytes);
    struct rig_texture texture =
        rig_texture(&r, CU_AD_FORMAT_UNSIGNED_INT8, 4, width, height);

    rig_texture_copy(&r, &texture, out);
    rig_launch(
        &r,
        &(struct launch){
            "nlm", { div_up(width, SIDE), div_up(height, SIDE) }, { SIDE, SIDE }, 0 },
        RIG_ARGS(RIG_ARG(out), RIG_ARG(width), RIG_ARG(height), RIG_ARG(reach),
                 RIG_ARG(noise), RIG_ARG(share), RIG_ARG(texture.object)));
    rig_download(&r, got, out, bytes);
    rig_output(&r, "image", got, NULL, n);
    if (!r.failed)
        check(&r, &image, s->reach, got);
    return rig_end(&r);
}

const struct workload workload_nlm = {
    .name = "nlm",
    .summary = "image denoising by non-local means",
    .suite = "CUDA SDK",
    .theirs = "imageDenoising",
    .papers = "darsie",
    .sizes = { "20x10, window 3x3", "64x48, window 7x7", "320x408, window 7x7" },
    .run = nlm_run,
};
