/* host.c - dct8x8: an image to quantised cosine coefficients and back.
 *
 * The check repeats the kernels' operations in order: exact.
 */
#include <math.h>
#include <string.h>

#include "../reference.h"
#include "../workload.h"

enum { SIDE = 8 };

struct tile {
    float at[SIDE][SIDE];
};

struct codec {
    struct tile cosine; /* row u, column x: the factor of point x in coefficient u */
    int16_t quantum[SIDE][SIDE];
};

static void codec_make(struct codec *c)
{
    const double eighth_turn = 0x1.921fb54442d18p-3; /* pi / 16 */

    for (int u = 0; u < SIDE; u++) {
        for (int x = 0; x < SIDE; x++) {
            double scale = u ? 0.5 : sqrt(0.125);

            c->cosine.at[u][x] =
                (float)(scale * reference_cos((2 * x + 1) * u * eighth_turn));
            c->quantum[u][x] =
                (int16_t)(12 + 6 * u + 5 * x); /* high ones are coarser */
        }
    }
}

/* Points are values about 0, smooth with some noise. */
static void image_make(struct rig *r, float *image, int width, int height)
{
    struct rng rng = rng_start(r->env, 22);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            image[y * width + x] = (float)((x * 3 + y * 2) % 256 - 128) +
                                   floorf(16.0f * rng_unit(&rng)) - 8.0f;
}

/* Cosines times the tile times cosines transposed; the inverse has the cosines transposed on
 * the other side. */
static struct tile product(const struct tile *cosine, const struct tile *tile,
                           bool inverse)
{
    struct tile half = { 0 }, out = { 0 };

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int i = 0; i < SIDE; i++)
                half.at[y][x] = fmaf(inverse ? cosine->at[i][y] : cosine->at[y][i],
                                     tile->at[i][x], half.at[y][x]);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int i = 0; i < SIDE; i++)
                out.at[y][x] =
                    fmaf(half.at[y][i], inverse ? cosine->at[i][x] : cosine->at[x][i],
                         out.at[y][x]);
    return out;
}

static void quantise(const struct codec *c, struct tile *tile)
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            float q = c->quantum[y][x];

            tile->at[y][x] = rintf(tile->at[y][x] / q) * q;
        }
    }
}

static void transform(const struct codec *c, float *plane, int width, bool inverse)
{
    struct tile tile;

    for (int y = 0; y < SIDE; y++)
        memcpy(tile.at[y], plane + y * width, sizeof tile.at[y]);
    tile = product(&c->cosine, &tile, inverse);
    if (!inverse)
        quantise(c, &tile);
    for (int y = 0; y < SIDE; y++)
        memcpy(plane + y * width, tile.at[y], sizeof tile.at[y]);
}

static void transform_all(const struct codec *c, float *plane, int width, int height,
                          bool inverse)
{
    for (int y = 0; y < height; y += SIDE)
        for (int x = 0; x < width; x += SIDE)
            transform(c, plane + y * width + x, width, inverse);
}

static int dct8x8_run(struct workload_env *env)
{
    static const int sizes[N_WORKLOAD_SIZE][2] = { { 64, 48 },
                                                   { 384, 320 },
                                                   { 512, 512 } };
    int width = sizes[env->size][0], height = sizes[env->size][1];
    unsigned across = (unsigned)width / SIDE, down = (unsigned)height / SIDE;
    size_t n = (size_t)width * (size_t)height;
    struct launch l = { "dct_forward", { across, down }, { SIDE, SIDE }, 0 };
    struct rig r = rig_begin(env);
    struct codec c;
    float *image = rig_host(&r, n, sizeof *image);

    if (r.failed)
        return rig_end(&r);
    codec_make(&c);
    image_make(&r, image, width, height);
    rig_write(&r, rig_global(&r, "cosine", sizeof c.cosine), &c.cosine,
              sizeof c.cosine);
    rig_write(&r, rig_global(&r, "quantum", sizeof c.quantum), c.quantum,
              sizeof c.quantum);
    CUdeviceptr plane = rig_upload(&r, image, n * sizeof *image);
    struct rig_texture texture =
        rig_texture(&r, CU_AD_FORMAT_FLOAT, 1, (unsigned)width, (unsigned)height);

    rig_texture_copy(&r, &texture, plane);
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(plane), RIG_ARG(width), RIG_ARG(texture.object)));
    l.kernel = "dct_quantise";
    rig_launch(&r, &l, RIG_ARGS(RIG_ARG(plane), RIG_ARG(width)));
    transform_all(&c, image, width, height, false);
    rig_result(&r, "coefficients", plane, image, n);

    rig_texture_copy(&r, &texture, plane);
    l.kernel = "dct_inverse";
    rig_launch(&r, &l,
               RIG_ARGS(RIG_ARG(plane), RIG_ARG(width), RIG_ARG(texture.object)));
    transform_all(&c, image, width, height, true);
    rig_result(&r, "image", plane, image, n);
    return rig_end(&r);
}

const struct workload workload_dct8x8 = {
    .name = "dct8x8",
    .summary = "cosine transform of 8x8 tiles, quantisation and inverse",
    .suite = "CUDA SDK",
    .theirs = "DCT8x8",
    .papers = "darsie",
    .sizes = { "64x48", "384x320", "512x512" },
    .run = dct8x8_run,
};
