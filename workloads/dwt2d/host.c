/* host.c - dwt2d: some levels of both wavelet transforms of a random colour image.
 *
 * The check lifts whole columns and lines of each level, where a missing neighbour is
 * the one on the other side: what mirrored pixels come to. Same operations: exact. */
#include <math.h>
#include <string.h>

#include "../workload.h"

enum { SPLIT_THREADS = 256, WIDTH = 64, LINES = 8, COLOURS = 3, MAX_LEVELS = 3 };

struct shape {
    int sx, sy, levels, windows;
    size_t colours; /* that are transformed, of the three */
};

/* What differs between the transforms; elements have 32 bits in both. */
struct filter {
    const char *split, *kernel, *names[MAX_LEVELS];
    int steps;
    void (*lift)(int step, const void *before, void *mid, const void *after);
    void (*scale)(void *v, bool is_high);
    void (*centre)(void *v, uint8_t pixel); /* the element of a pixel */
};

static void lift53(int step, const void *before, void *mid, const void *after)
{
    int sum = *(const int *)before + *(const int *)after;

    *(int *)mid += step == 0 ? -(sum >> 1) : (sum + 2) >> 2;
}

static void scale53(void *v, bool is_high)
{
    (void)v;
    (void)is_high;
}

static void centre53(void *v, uint8_t pixel)
{
    *(int *)v = pixel - 128;
}

static void lift97(int step, const void *before, void *mid, const void *after)
{
    static const float factor[] = { -1.586134342f, -0.05298011854f, 0.8829110762f,
                                    0.4435068522f };
    float *v = mid;

    *v = fmaf(factor[step], *(const float *)before + *(const float *)after, *v);
}

static void scale97(void *v, bool is_high)
{
    *(float *)v *= is_high ? 1.230174105f : 0.8128930661f;
}

static void centre97(void *v, uint8_t pixel)
{
    *(float *)v = (float)(pixel - 128);
}

/* n elements that are stride apart. */
static void lift_all(const struct filter *f, uint32_t *v, int n, int stride)
{
    for (int step = 0; step < f->steps; step++) {
        for (int i = 1 - step % 2; i < n; i += 2) {
            int before = i > 0 ? i - 1 : 1, after = i < n - 1 ? i + 1 : n - 2;

            f->lift(step, v + before * stride, v + i * stride, v + after * stride);
        }
    }
}

/* A level in place, then its elements to their bands. */
static void transform(const struct filter *f, uint32_t *v, uint32_t *bands, int sx,
                      int sy)
{
    int low_x = (sx + 1) / 2, low_y = (sy + 1) / 2;

    for (int x = 0; x < sx; x++)
        lift_all(f, v + x, sy, sx);
    for (int y = 0; y < sy; y++)
        lift_all(f, v + y * sx, sx, 1);
    for (int y = 0; y < sy; y++) {
        for (int x = 0; x < sx; x++) {
            uint32_t *pixel = &v[y * sx + x];
            int wide = x % 2 ? sx / 2 : low_x, lines = y % 2 ? sy / 2 : low_y;
            int base = (y % 2 ? sx * low_y : 0) + (x % 2 ? low_x * lines : 0);

            f->scale(pixel, x % 2);
            f->scale(pixel, y % 2);
            memcpy(&bands[base + y / 2 * wide + x / 2], pixel, sizeof *pixel);
        }
    }
}

/* Device memory of a filter: out[level] has the bands of the colours, each as much room as
 * the whole image. */
struct bands {
    CUdeviceptr colours, out[MAX_LEVELS];
};

static struct bands alloc_bands(struct rig *r, const struct shape *s)
{
    size_t bytes = COLOURS * (size_t)(s->sx * s->sy) * sizeof(uint32_t);
    struct bands b = { .colours = rig_alloc(r, bytes) };

    for (int level = 0; level < s->levels; level++)
        b.out[level] = rig_alloc(r, bytes);
    return b;
}

static void free_bands(struct rig *r, const struct shape *s, const struct bands *b)
{
    rig_free(r, b->colours);
    for (int level = 0; level < s->levels; level++)
        rig_free(r, b->out[level]);
}

/* The levels of all colours. */
static void transform_on_device(struct rig *r, const struct filter *f,
                                const struct shape *s, CUdeviceptr image,
                                const struct bands *b)
{
    int n = s->sx * s->sy, windows = s->windows;
    size_t bytes = (size_t)n * sizeof(uint32_t);
    struct launch split = {
        f->split, { div_up((unsigned)n, SPLIT_THREADS) }, { SPLIT_THREADS }, 0
    };

    rig_launch(r, &split, RIG_ARGS(RIG_ARG(image), RIG_ARG(b->colours), RIG_ARG(n)));
    for (size_t colour = 0; colour < s->colours; colour++) {
        int sx = s->sx, sy = s->sy;

        for (int level = 0; level < s->levels; level++) {
            CUdeviceptr from =
                (level ? b->out[level - 1] : b->colours) + colour * bytes;
            CUdeviceptr to = b->out[level] + colour * bytes;
            struct launch l = { f->kernel,
                                { div_up((unsigned)sx, WIDTH),
                                  div_up((unsigned)sy, LINES * (unsigned)windows) },
                                { WIDTH },
                                0 };

            rig_launch(r, &l,
                       RIG_ARGS(RIG_ARG(from), RIG_ARG(to), RIG_ARG(sx), RIG_ARG(sy),
                                RIG_ARG(windows)));
            sx = (sx + 1) / 2;
            sy = (sy + 1) / 2;
        }
    }
}

/* Each colour of n pixels, as the filter takes it. */
static uint32_t *split_on_host(struct rig *r, const struct filter *f,
                               const uint8_t *image, size_t n)
{
    uint32_t *colours = rig_host(r, COLOURS * n, sizeof *colours);

    for (size_t i = 0; i < n && !r->failed; i++)
        for (size_t colour = 0; colour < COLOURS; colour++)
            f->centre(&colours[colour * n + i], image[i * COLOURS + colour]);
    return colours;
}

/* Compares the part of each colour's room that a level of the transform fills. */
static void check(struct rig *r, const struct filter *f, const struct shape *s,
                  uint32_t *colours, const CUdeviceptr *out)
{
    size_t n = (size_t)(s->sx * s->sy);
    uint32_t *got = rig_host(r, COLOURS * n, sizeof *got);
    uint32_t *want = rig_host(r, COLOURS * n, sizeof *want);
    int sx = s->sx, sy = s->sy;

    if (r->failed)
        return;
    for (int level = 0; level < s->levels; level++) {
        size_t filled = (size_t)(sx * sy), bytes = filled * sizeof *got;

        for (size_t i = 0; i < s->colours; i++) {
            rig_download(r, got + i * filled, out[level] + i * n * sizeof *got, bytes);
            transform(f, colours + i * n, want + i * filled, sx, sy);
            memcpy(colours + i * n, want + i * filled, bytes);
        }
        rig_output(r, f->names[level], got, want, s->colours * filled);
        sx = (sx + 1) / 2;
        sy = (sy + 1) / 2;
    }
    rig_drop(r, got);
    rig_drop(r, want);
}

static int dwt2d_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 150, 45, 1, 2, 1 },
        { 640, 640, 3, 2, COLOURS },
        { 640, 640, 3, 2, COLOURS },
    };
    static const struct filter filters[2] = {
        { "split_int",
          "dwt53",
          { "int1", "int2", "int3" },
          2,
          lift53,
          scale53,
          centre53 },
        { "split_float",
          "dwt97",
          { "float1", "float2", "float3" },
          4,
          lift97,
          scale97,
          centre97 },
    };
    const struct shape *s = &shapes[env->size];
    size_t n = (size_t)(s->sx * s->sy);
    size_t n_bytes =
        (size_t)div_up((unsigned)n, SPLIT_THREADS) * SPLIT_THREADS * COLOURS;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 107);
    uint8_t *image = rig_host(&r, n_bytes, 1);

    if (r.failed)
        return rig_end(&r);
    for (size_t i = 0; i < n; i++) {
        for (size_t colour = 0; colour < COLOURS; colour++) {
            uint32_t slope = (uint32_t)(i % (size_t)s->sx / (colour + 1));

            image[i * COLOURS + colour] = (uint8_t)(slope + rng_below(&rng, 64));
        }
    }
    CUdeviceptr d_image = rig_upload(&r, image, n_bytes);
    struct bands bands[2];

    for (int i = 0; i < 2; i++)
        bands[i] = alloc_bands(&r, s);
    for (int i = 0; i < 2; i++) {
        uint32_t *colours = split_on_host(&r, &filters[i], image, n);

        transform_on_device(&r, &filters[i], s, d_image, &bands[i]);
        check(&r, &filters[i], s, colours, bands[i].out);
        rig_drop(&r, colours);
        free_bands(&r, s, &bands[i]);
    }
    return rig_end(&r);
}

const struct workload workload_dwt2d = {
    .name = "dwt2d",
    .summary = "wavelet transforms 5/3 and 9/7 of a colour image by lifting",
    .suite = "Rodinia",
    .papers = "ghost socgpu",
    .sizes = { "150x45, 1 level, 1 colour", "640x640, 3 levels", "640x640, 3 levels" },
    .run = dwt2d_run,
};
