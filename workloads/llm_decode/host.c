/* host.c - llm_decode: one token through one layer of a language model.
 *
 * The check is the same computation in double, with the new key and value rounded to halves as
 * the kernel does it. What is left is float's rounding of sums, exponentials that are good to
 * 2^-21, and, where the two disagree on which half a number rounds to, 2^-11 of an element of
 * one key, an eighth of which reaches a score. All checked numbers are of the order of 1 to 10;
 * the bound is 2^-12 of them.
 */
#include <math.h>

#include "../half.h"
#include "../reference.h"
#include "../workload.h"

enum { DEPTH = 64, THREADS = 128, WARPS = THREADS / 32 };

/* Hidden: heads of 64; the gated part is inner wide; cached: tokens before this one. */
struct shape {
    unsigned heads, inner, words, cached;
};

/* A matrix or vector of halves, on the host as floats. */
struct weights {
    float *at;
    CUdeviceptr device;
};

struct model {
    struct shape shape;
    unsigned hidden;
    struct weights norm[3], qkv, mix, gate, up, down, words, keys, values;
};

/* ---- input ---- */

/* Numbers up to the limit in both directions, in 128 steps. */
static struct weights make_weights(struct rig *r, struct rng *rng, size_t n,
                                   float middle, float limit)
{
    float *at = rig_host(r, n, sizeof *at);
    uint16_t *halves = rig_host(r, n, sizeof *halves);
    struct weights w = { .at = at };

    for (size_t i = 0; !r->failed && i < n; i++) {
        at[i] = middle + ((float)rng_below(rng, 129) - 64) * (limit / 64);
        halves[i] = half_of((double)at[i]);
    }
    w.device = rig_upload(r, halves, n * sizeof *halves);
    rig_drop(r, halves);
    return w;
}

/* Weights keep activations at the order of 1; cached keys are larger, so that tokens differ. */
static void make_model(struct rig *r, struct model *m)
{
    const struct shape *s = &m->shape;
    size_t hidden = m->hidden, cache = s->heads * (size_t)(s->cached + 1) * DEPTH;
    struct rng rng = rng_start(r->env, 1);

    for (int i = 0; i < 3; i++)
        m->norm[i] = make_weights(r, &rng, hidden, 1.0f, 0.25f);
    m->qkv = make_weights(r, &rng, 3 * hidden * hidden, 0.0f, 0.125f);
    m->mix = make_weights(r, &rng, hidden * hidden, 0.0f, 0.125f);
    m->gate = make_weights(r, &rng, s->inner * hidden, 0.0f, 0.125f);
    m->up = make_weights(r, &rng, s->inner * hidden, 0.0f, 0.125f);
    m->down = make_weights(r, &rng, hidden * s->inner, 0.0f, 0.0625f);
    m->words = make_weights(r, &rng, s->words * hidden, 0.0f, 0.125f);
    m->keys = make_weights(r, &rng, cache, 0.0f, 2.0f);
    m->values = make_weights(r, &rng, cache, 0.0f, 1.0f);
}

/* ---- on the CPU ---- */

static void norm(const float *gain, const double *x, double *y, unsigned n)
{
    double square = 0;

    for (unsigned i = 0; i < n; i++)
        square = fma(x[i], x[i], square);
    for (unsigned i = 0; i < n; i++)
        y[i] = x[i] / sqrt(square / n + 1e-5) * (double)gain[i];
}

static void multiply(const float *w, const double *x, double *y, unsigned rows,
                     unsigned n)
{
    for (unsigned row = 0; row < rows; row++) {
        double sum = 0;

        for (unsigned i = 0; i < n; i++)
            sum = fma((double)w[(size_t)row * n + i], x[i], sum);
        y[row] = sum;
    }
}

static void add(double *x, const double *y, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        x[i] += y[i];
}

/* One head; the new key and value join the cache. */
static void attend(const struct model *m, unsigned head, const double *qkv,
                   double *weight, double *o)
{
    unsigned last = m->shape.cached;
    float *keys = m->keys.at + (size_t)head * (last + 1) * DEPTH;
    float *values = m->values.at + (size_t)head * (last + 1) * DEPTH;
    double sum = 0;

    for (unsigned i = 0; i < DEPTH; i++) {
        keys[last * DEPTH + i] = (float)half_round(qkv[m->hidden + head * DEPTH + i]);
        values[last * DEPTH + i] =
            (float)half_round(qkv[2 * m->hidden + head * DEPTH + i]);
        o[head * DEPTH + i] = 0;
    }
    for (unsigned k = 0; k <= last; k++) {
        multiply(keys + k * DEPTH, qkv + head * DEPTH, &weight[k], 1, DEPTH);
        weight[k] = reference_exp(weight[k] / 8);
        sum += weight[k];
    }
    for (unsigned k = 0; k <= last; k++)
        for (unsigned i = 0; i < DEPTH; i++)
            o[head * DEPTH + i] += weight[k] / sum * (double)values[k * DEPTH + i];
}

static void take_log_softmax(double *x, unsigned n)
{
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += reference_exp(x[i]);
    for (unsigned i = 0; i < n; i++)
        x[i] -= reference_log(sum);
}

/* x becomes the layer's output, next the logarithms of probabilities. */
static void decode(struct rig *r, const struct model *m, double *x, double *next)
{
    const struct shape *s = &m->shape;
    unsigned hidden = m->hidden;
    double *n = rig_host(r, hidden, sizeof *n), *o = rig_host(r, hidden, sizeof *o);
    double *qkv = rig_host(r, 3 * (size_t)hidden, sizeof *qkv);
    double *a = rig_host(r, s->inner, sizeof *a), *b = rig_host(r, s->inner, sizeof *b);
    double *weight = rig_host(r, s->cached + 1, sizeof *weight);

    if (r->failed)
        return;
    norm(m->norm[0].at, x, n, hidden);
    multiply(m->qkv.at, n, qkv, 3 * hidden, hidden);
    for (unsigned head = 0; head < s->heads; head++)
        attend(m, head, qkv, weight, o);
    multiply(m->mix.at, o, n, hidden, hidden);
    add(x, n, hidden);
    norm(m->norm[1].at, x, n, hidden);
    multiply(m->gate.at, n, a, s->inner, hidden);
    multiply(m->up.at, n, b, s->inner, hidden);
    for (unsigned i = 0; i < s->inner; i++)
        a[i] = a[i] / (1 + reference_exp(-a[i])) * b[i];
    multiply(m->down.at, a, n, hidden, s->inner);
    add(x, n, hidden);
    norm(m->norm[2].at, x, n, hidden);
    multiply(m->words.at, n, next, s->words, hidden);
    take_log_softmax(next, s->words);
}

/* ---- on the device ---- */

static void launch_norm(struct rig *r, const struct model *m, int which, CUdeviceptr x,
                        CUdeviceptr y)
{
    rig_launch(r, &(struct launch){ .kernel = "rms_norm", .block = { THREADS } },
               RIG_ARGS(RIG_ARG(x), RIG_ARG(m->norm[which].device), RIG_ARG(y),
                        RIG_ARG(m->hidden)));
}

/* y = base + w x with w of rows x n; base 0: y = w x. */
struct projection {
    CUdeviceptr x, base, y;
    unsigned rows, n;
};

static void launch_project(struct rig *r, const struct weights *w, struct projection p)
{
    rig_launch(r,
               &(struct launch){ .kernel = "project",
                                 .grid = { div_up(p.rows, WARPS) },
                                 .block = { THREADS } },
               RIG_ARGS(RIG_ARG(w->device), RIG_ARG(p.x), RIG_ARG(p.base), RIG_ARG(p.y),
                        RIG_ARG(p.rows), RIG_ARG(p.n)));
}

static void launch_gated(struct rig *r, const struct model *m, CUdeviceptr x,
                         CUdeviceptr y)
{
    rig_launch(r,
               &(struct launch){ .kernel = "project_gated",
                                 .grid = { div_up(m->shape.inner, WARPS) },
                                 .block = { THREADS } },
               RIG_ARGS(RIG_ARG(m->gate.device), RIG_ARG(m->up.device), RIG_ARG(x),
                        RIG_ARG(y), RIG_ARG(m->shape.inner), RIG_ARG(m->hidden)));
}

static void launch_attention(struct rig *r, const struct model *m, CUdeviceptr qkv,
                             CUdeviceptr o)
{
    unsigned keys = m->shape.cached + 1;

    rig_launch(r,
               &(struct launch){
                   .kernel = "append", .grid = { m->shape.heads }, .block = { DEPTH } },
               RIG_ARGS(RIG_ARG(qkv), RIG_ARG(m->keys.device),
                        RIG_ARG(m->values.device), RIG_ARG(m->shape.cached),
                        RIG_ARG(keys)));
    rig_launch(r,
               &(struct launch){ .kernel = "attend",
                                 .grid = { m->shape.heads },
                                 .block = { THREADS },
                                 .shared = keys * (unsigned)sizeof(float) },
               RIG_ARGS(RIG_ARG(qkv), RIG_ARG(m->keys.device),
                        RIG_ARG(m->values.device), RIG_ARG(o), RIG_ARG(keys),
                        RIG_ARG(keys)));
}

/* Buffers of activations. */
enum { X, NORMED, QKV, ATTENDED, MIXED, GATED, OUT, LOGITS, NEXT, N_BUFFERS };

static void launch_all(struct rig *r, const struct model *m, const CUdeviceptr *at)
{
    const struct shape *s = &m->shape;
    unsigned hidden = m->hidden;

    launch_norm(r, m, 0, at[X], at[NORMED]);
    launch_project(r, &m->qkv,
                   (struct projection){ at[NORMED], 0, at[QKV], 3 * hidden, hidden });
    launch_attention(r, m, at[QKV], at[ATTENDED]);
    launch_project(
        r, &m->mix,
        (struct projection){ at[ATTENDED], at[X], at[MIXED], hidden, hidden });
    launch_norm(r, m, 1, at[MIXED], at[NORMED]);
    launch_gated(r, m, at[NORMED], at[GATED]);
    launch_project(
        r, &m->down,
        (struct projection){ at[GATED], at[MIXED], at[OUT], hidden, s->inner });
    launch_norm(r, m, 2, at[OUT], at[NORMED]);
    launch_project(r, &m->words,
                   (struct projection){ at[NORMED], 0, at[LOGITS], s->words, hidden });
    rig_launch(r, &(struct launch){ .kernel = "log_softmax", .block = { THREADS } },
               RIG_ARGS(RIG_ARG(at[LOGITS]), RIG_ARG(at[NEXT]), RIG_ARG(s->words)));
}

static void check(struct rig *r, const char *name, CUdeviceptr at, const double *want,
                  unsigned n)
{
    float *floats = rig_host(r, n, sizeof *floats);

    for (unsigned i = 0; floats && i < n; i++)
        floats[i] = (float)want[i];
    rig_near(r, name, at, floats, n, 0x1p-12f);
}

static int llm_decode_run(struct workload_env *env)
{
    static const struct shape shapes[N_WORKLOAD_SIZE] = {
        { 2, 192, 200, 45 },
        { 8, 1024, 2048, 300 },
        { 16, 2816, 8192, 1023 },
    };
    struct model m = { .shape = shapes[env->size] };
    const struct shape *s = &m.shape;
    struct rig r = rig_begin(env);
    struct rng rng = rng_start(env, 2);
    unsigned hidden = m.hidden = s->heads * DEPTH;
    const unsigned sizes[N_BUFFERS] = { hidden,   hidden, 3 * hidden, hidden,  hidden,
                                        s->inner, hidden, s->words,   s->words };
    float *x = rig_host(&r, hidden, sizeof *x);
    double *layer = rig_host(&r, hidden, sizeof *layer);
    double *next = rig_host(&r, s->words, sizeof *next);
    CUdeviceptr at[N_BUFFERS];

    make_model(&r, &m);
    if (r.failed)
        return rig_end(&r);
    for (unsigned i = 0; i < hidden; i++)
        layer[i] = (double)(x[i] = 2 * rng_unit(&rng) - 1);
    for (int i = 0; i < N_BUFFERS; i++)
        at[i] = rig_alloc(&r, sizes[i] * sizeof(float));
    rig_write(&r, at[X], x, hidden * sizeof *x);
    decode(&r, &m, layer, next);
    launch_all(&r, &m, at);
    check(&r, "layer", at[OUT], layer, hidden);
    check(&r, "next", at[NEXT], next, s->words);
    return rig_end(&r);
}

const struct workload workload_llm_decode = {
    .name = "llm_decode",
    .summary =
        "one token of a language model: matrix-vector, KV cache, softmax, RMSNorm",
    .sizes = { "128 wide, 2 heads, 45 tokens, 200 words",
               "512 wide, 8 heads, 300 tokens, 2048 words",
               "1024 wide, 16 heads, 1023 tokens, 8192 words" },
    .run = llm_decode_run,
};
