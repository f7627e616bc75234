/* conv.c - hosts of convolutions. See conv.h. */
#include "conv.h"

#include <math.h>
#include <stdio.h>

/* A layer on the host, and on the device. */
struct layer {
    struct conv v;
    float *x, *filters, *dy;
    CUdeviceptr d_x, d_filters, d_dy;
    size_t positions, pixels,
        places; /* of the filter; filters have as many weights each */
};

static struct layer layer_of(const struct conv *v)
{
    struct layer l = { .v = *v };

    l.v.p = (v->h + 2 * v->pad - v->r) / v->stride + 1;
    l.v.q = (v->w + 2 * v->pad - v->s) / v->stride + 1;
    l.positions = (size_t)(v->n * l.v.p * l.v.q);
    l.pixels = (size_t)(v->n * v->h * v->w);
    l.places = (size_t)(v->r * v->s * v->c);
    return l;
}

static size_t n_image(const struct layer *l)
{
    return l->pixels * (size_t)l->v.c;
}

static size_t n_filters(const struct layer *l)
{
    return l->places * (size_t)l->v.k;
}

static size_t n_result(const struct layer *l)
{
    return l->positions * (size_t)l->v.k;
}

/* The channels of pixel y, x; NULL outside the image. */
static const float *pixel(const float *image, int n, int y, int x, const int size[3])
{
    if (y < 0 || y >= size[0] || x < 0 || x >= size[1])
        return NULL;
    return image + (size_t)((n * size[0] + y) * size[1] + x) * (size_t)size[2];
}

/* Where the filter's place (r, s) is on the image when its position is number i. */
static const float *under(const struct layer *l, size_t i, int r, int s)
{
    const struct conv *v = &l->v;
    int q = (int)i % v->q, p = (int)i / v->q % v->p, n = (int)i / v->q / v->p;

    return pixel(l->x, n, p * v->stride - v->pad + r, q * v->stride - v->pad + s,
                 (const int[]){ v->h, v->w, v->c });
}

/* One result: the filter's places in order, and their channels. Zeros around the image
 * change no sum. */
static float forward_one(const struct layer *l, size_t position, const float *filter)
{
    float sum = 0.0f;

    for (int r = 0; r < l->v.r; r++) {
        for (int s = 0; s < l->v.s; s++, filter += l->v.c) {
            const float *x = under(l, position, r, s);

            for (int c = 0; x && c < l->v.c; c++)
                sum = fmaf(x[c], filter[c], sum);
        }
    }
    return sum;
}

static void forward(const struct layer *l, float *y)
{
    for (size_t position = 0; position < l->positions; position++)
        for (int k = 0; k < l->v.k; k++)
            *y++ = forward_one(l, position, l->filters + (size_t)k * l->places);
}

/* The gradient of one pixel's channel: the turned filter's places, and their k. */
static float backward_data_one(const struct layer *l, size_t at, int c)
{
    const struct conv *v = &l->v;
    int x = (int)at % v->w, y = (int)at / v->w % v->h, n = (int)at / v->w / v->h;
    float sum = 0.0f;

    for (int r = v->r - 1; r >= 0; r--) {
        for (int s = v->s - 1; s >= 0; s--) {
            const float *dy = pixel(l->dy, n, y + v->pad - r, x + v->pad - s,
                                    (const int[]){ v->p, v->q, v->k });
            const float *filter = l->filters + (r * v->s + s) * v->c + c;

            for (int k = 0; dy && k < v->k; k++)
                sum = fmaf(dy[k], filter[(size_t)k * l->places], sum);
        }
    }
    return sum;
}

static void backward_data(const struct layer *l, float *dx)
{
    for (size_t at = 0; at < l->pixels; at++)
        for (int c = 0; c < l->v.c; c++)
            *dx++ = backward_data_one(l, at, c);
}

/* The gradients of all filters, position by position. */
static void backward_filter(const struct layer *l, float *dfilters)
{
    const struct conv *v = &l->v;

    for (size_t position = 0; position < l->positions; position++) {
        const float *dy = l->dy + position * (size_t)v->k;

        for (int place = 0; place < v->r * v->s; place++) {
            const float *x = under(l, position, place / v->s, place % v->s);
            float *to = dfilters + place * v->c;

            for (int k = 0; x && k < v->k; k++)
                for (int c = 0; c < v->c; c++)
                    to[(size_t)k * l->places + (size_t)c] =
                        fmaf(dy[k], x[c], to[(size_t)k * l->places + (size_t)c]);
        }
    }
}

static float *upload_floats(struct rig *r, size_t n, uint64_t salt, CUdeviceptr *device)
{
    float *v = gemm_floats(r, n, salt);

    if (v)
        *device = rig_upload(r, v, n * sizeof *v);
    return v;
}

/* Runs a kernel whose result has n elements, and checks it. Results are named by kernel and
 * filter: layers of one program have different ones. */
static void run_product(struct rig *r, const struct launch *launch,
                        const struct layer *l, const CUdeviceptr from[2], float *want,
                        size_t n)
{
    char name[64];
    /* Tensor cores store whole fragments of 16 rows. */
    CUdeviceptr to = rig_alloc(r, (n + 15 * (size_t)l->v.k) * sizeof *want);

    rig_launch(
        r, launch,
        RIG_ARGS(RIG_ARG(from[0]), RIG_ARG(from[1]), RIG_ARG(to), RIG_ARG(l->v)));
    snprintf(name, sizeof name, "%s_%dx%d", launch->kernel, l->v.r, l->v.s);
    rig_result(r, name, to, want, n);
}

static void run_forward(struct rig *r, const struct layer *l, const char *kernel,
                        const struct gemm_tile *tile)
{
    struct launch launch =
        gemm_launch(kernel, tile, (unsigned)l->positions, (unsigned)l->v.k);
    float *want = rig_host(r, n_result(l), sizeof *want);

    if (r->failed)
        return;
    forward(l, want);
    run_product(r, &launch, l, (CUdeviceptr[]){ l->d_x, l->d_filters }, want,
                n_result(l));
}

void conv_run_tensor(struct rig *r, const struct conv *v)
{
    struct layer l = layer_of(v);

    l.x = gemm_halves(r, n_image(&l), 41, &l.d_x);
    l.filters = gemm_halves(r, n_filters(&l), 42, &l.d_filters);
    run_forward(r, &l, "conv_tensor", &gemm_tensor);
}

static struct layer make_layer(struct rig *r, const struct conv *v)
{
    struct layer l = layer_of(v);

    l.x = upload_floats(r, n_image(&l), 41, &l.d_x);
    l.filters = upload_floats(r, n_filters(&l), 42, &l.d_filters);
    return l;
}

void conv_run_forward(struct rig *r, const struct conv *v, const struct gemm_tile *tile)
{
    struct layer l = make_layer(r, v);

    run_forward(r, &l, "conv_forward", tile);
}

void conv_run_train(struct rig *r, const struct conv *v, const struct gemm_tile *tile)
{
    struct layer l = make_layer(r, v);
    unsigned k = (unsigned)v->k, c = (unsigned)v->c;
    struct launch data = gemm_launch("conv_backward_data", tile, (unsigned)l.pixels, c);
    struct launch filter =
        gemm_launch("conv_backward_filter", tile, k, (unsigned)l.places);
    float *dx = rig_host(r, n_image(&l), sizeof *dx);
    float *dfilters = rig_host(r, n_filters(&l), sizeof *dfilters);

    run_forward(r, &l, "conv_forward", tile);
    l.dy = upload_floats(r, n_result(&l), 43, &l.d_dy);
    if (r->failed)
        return;
    backward_data(&l, dx);
    run_product(r, &data, &l, (CUdeviceptr[]){ l.d_dy, l.d_filters }, dx, n_image(&l));
    backward_filter(&l, dfilters);
    run_product(r, &filter, &l, (CUdeviceptr[]){ l.d_x, l.d_dy }, dfilters,
                n_filters(&l));
}
