/* host.c - cifarnet: pictures through three convolutions and two connected layers.
 *
 * Layers follow each other as in the well-known network for the CIFAR-10 pictures; weights
 * are random. All sums are taken in the kernels' order, so scores are exact; the
 * probabilities need an exponential and are compared within a bound.
 */
#include <math.h>

#include "../reference.h"
#include "../workload.h"

enum { COLOURS = 3, REACH = 2, SPAN = 5, WINDOW = 3, HIDDEN = 64, CLASSES = 9 };

/* Largest error over several seeds: 1.5e-8. */
static const float softmax_bound = 1e-7f;

struct shape {
    int pictures, side, filters[3];
};

/* Values of one layer, on the device and as the check has them. maps counts those of all
 * pictures. */
struct layer {
    CUdeviceptr at;
    float *want;
    int pictures, maps, side;
};

static struct layer layer_make(struct rig *r, int pictures, int maps, int side)
{
    size_t n = (size_t)(maps * side * side);

    return (struct layer){ .at = rig_alloc(r, n * sizeof(float)),
                           .want = rig_host(r, n, sizeof(float)),
                           .pictures = pictures,
                           .maps = maps,
                           .side = side };
}

/* n random numbers on both sides, around 0. */
static struct layer numbers_make(struct rig *r, struct rng *rng, int n, float scale)
{
    struct layer l = layer_make(r, 1, n, 1);

    for (int i = 0; i < n && !r->failed; i++)
        l.want[i] = scale * (rng_unit(rng) - 0.5f);
    if (!r->failed)
        rig_write(r, l.at, l.want, (size_t)n * sizeof *l.want);
    return l;
}

static float pixel(const struct layer *l, int map, int y, int x)
{
    return l->want[(map * l->side + y) * l->side + x];
}

/* What the check has of one picture. */
static struct layer picture_of(const struct layer *l, int picture)
{
    int maps = l->maps / l->pictures;

    return (struct layer){ .want = &l->want[picture * maps * l->side * l->side],
                           .pictures = 1,
                           .maps = maps,
                           .side = l->side };
}

static float convolve_pixel(const struct layer *in, const float *weights, float sum,
                            int y, int x)
{
    for (int map = 0; map < in->maps; map++)
        for (int row = y - REACH; row <= y + REACH; row++)
            for (int column = x - REACH; column <= x + REACH; column++, weights++)
                if (row >= 0 && row < in->side && column >= 0 && column < in->side)
                    sum = fmaf(pixel(in, map, row, column), *weights, sum);
    return sum;
}

static float rectify(float x)
{
    return x > 0.0f ? x : 0.0f;
}

static struct layer convolve(struct rig *r, struct rng *rng, const struct layer *in,
                             int filters, int rectifies)
{
    int maps = in->maps / in->pictures, taps = maps * SPAN * SPAN, side = in->side;
    struct layer weights = numbers_make(r, rng, filters * taps, 6.0f / (float)taps);
    struct layer bias = numbers_make(r, rng, filters, 0.2f);
    struct layer out = layer_make(r, in->pictures, filters * in->pictures, side);
    struct launch l = { "convolve",
                        { (unsigned)filters, (unsigned)in->pictures },
                        { (unsigned)side, (unsigned)side },
                        0 };

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(in->at), RIG_ARG(weights.at), RIG_ARG(bias.at),
                        RIG_ARG(out.at), RIG_ARG(maps), RIG_ARG(rectifies)));
    for (int i = 0; i < out.maps * side * side && !r->failed; i++) {
        int map = i / (side * side), filter = map % filters;
        struct layer picture = picture_of(in, map / filters);
        float sum = convolve_pixel(&picture, &weights.want[filter * taps],
                                   bias.want[filter], i / side % side, i % side);

        out.want[i] = rectifies ? rectify(sum) : sum;
    }
    return out;
}

static float pool_pixel(const struct layer *in, int map, int y, int x, bool is_mean)
{
    float most = pixel(in, map, y, x), sum = 0.0f;
    int n = 0;

    for (int row = y; row < y + WINDOW && row < in->side; row++) {
        for (int column = x; column < x + WINDOW && column < in->side; column++) {
            float value = pixel(in, map, row, column);

            most = value > most ? value : most;
            sum += value;
            n++;
        }
    }
    return is_mean ? sum / (float)n : rectify(most);
}

static struct layer pool(struct rig *r, const struct layer *in, bool is_mean)
{
    int side = in->side / 2;
    struct layer out = layer_make(r, in->pictures, in->maps, side);
    struct launch l = { is_mean ? "pool_mean" : "pool_largest",
                        { (unsigned)in->maps },
                        { (unsigned)side, (unsigned)side },
                        0 };

    rig_launch(r, &l, RIG_ARGS(RIG_ARG(in->at), RIG_ARG(out.at)));
    for (int i = 0; i < in->maps * side * side && !r->failed; i++)
        out.want[i] = pool_pixel(in, i / (side * side), 2 * (i / side % side),
                                 2 * (i % side), is_mean);
    return out;
}

static struct layer connect(struct rig *r, struct rng *rng, const struct layer *in,
                            int neurons)
{
    int inputs = in->maps / in->pictures * in->side * in->side;
    struct layer weights = numbers_make(r, rng, neurons * inputs, 8.0f / (float)inputs);
    struct layer bias = numbers_make(r, rng, neurons, 0.2f);
    struct layer out = layer_make(r, in->pictures, neurons * in->pictures, 1);
    struct launch l = {
        "connect", { (unsigned)in->pictures }, { (unsigned)neurons }, 0
    };

    rig_launch(r, &l,
               RIG_ARGS(RIG_ARG(in->at), RIG_ARG(weights.at), RIG_ARG(bias.at),
                        RIG_ARG(out.at), RIG_ARG(inputs)));
    for (int i = 0; i < out.maps && !r->failed; i++) {
        const float *values = &in->want[i / neurons * inputs];
        const float *row = &weights.want[i % neurons * inputs];

        out.want[i] = bias.want[i % neurons];
        for (int k = 0; k < inputs; k++)
            out.want[i] = fmaf(values[k], row[k], out.want[i]);
    }
    return out;
}

static struct layer softmax(struct rig *r, const struct layer *scores)
{
    struct layer out = layer_make(r, scores->pictures, scores->maps, 1);
    struct launch l = { "softmax", { (unsigned)scores->pictures }, { CLASSES }, 0 };

    rig_launch(r, &l, RIG_ARGS(RIG_ARG(scores->at), RIG_ARG(out.at)));
    for (int i = 0; i < scores->maps && !r->failed; i++) {
        const float *own = &scores->want[i / CLASSES * CLASSES];
        double sum = 0.0;

        for (int k = 0; k < CLASSES; k++)
            sum += reference_exp((double)own[k]);
        out.want[i] = (float)(reference_exp((double)scores->want[i]) / sum);
    }
    return out;
}

static int cifarnet_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 2, 16, { 3, 3, 6 } },
        { 3, 32, { 32, 32, 64 } },
        { 3, 32, { 32, 32, 64 } },
    };
    const struct shape *s = &shapes[env->size];
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 111);
    struct layer now =
        numbers_make(&r, &rng, s->pictures * COLOURS * s->side * s->side, 2.0f);

    now.pictures = s->pictures;
    now.maps = s->pictures * COLOURS;
    now.side = s->side;
    now = convolve(&r, &rng, &now, s->filters[0], false);
    now = pool(&r, &now, false);
    now = convolve(&r, &rng, &now, s->filters[1], true);
    now = pool(&r, &now, true);
    now = convolve(&r, &rng, &now, s->filters[2], true);
    now = pool(&r, &now, true);
    now = connect(&r, &rng, &now, HIDDEN);
    now = connect(&r, &rng, &now, CLASSES);
    rig_result(&r, "scores", now.at, now.want, (size_t)now.maps);
    now = softmax(&r, &now);
    rig_near(&r, "chances", now.at, now.want, (size_t)now.maps, softmax_bound);
    return rig_end(&r);
}

const struct workload workload_cifarnet = {
    .name = "cifarnet",
    .summary = "a small network for pictures: convolution, pooling, connected layers",
    .suite = "Tango",
    .theirs = "CifarNet",
    .papers = "ghost",
    .sizes = { "2 pictures of 16x16, 3 to 6 filters",
               "3 pictures of 32x32, 32 to 64 filters",
               "3 pictures of 32x32, 32 to 64 filters" },
    .run = cifarnet_run,
};
