/* attention.c - the input, the expected result and the check of attention.
 *
 * Input is multiples of 1/16 (q up to 4, k up to 2, v up to 1), exact in halves: scores then
 * differ by several units, so weights are far from equal. Kernels round weights to halves,
 * by at most 2^-11 of each, and divide by the sum of those not rounded: so o is off by at most
 * 2^-11 max |v|. Exponentials and sums in float add less than 2^-15; the bound is 2^-10.
 */
#include "attention.h"

#include <math.h>

#include "../half.h"
#include "../reference.h"

enum { DEPTH = ATTENTION_DEPTH, STEPS = 16 /* per unit */ };

/* Values up to the limit in both directions, on the device as halves. */
static CUdeviceptr fill(struct rig *r, struct rng *rng, float *m, size_t n, int limit)
{
    uint16_t *halves = rig_host(r, n, sizeof *halves);
    CUdeviceptr at;

    for (size_t i = 0; halves && i < n; i++) {
        int step = (int)rng_below(rng, (uint32_t)(2 * limit * STEPS + 1));

        m[i] = (float)(step - limit * STEPS) / STEPS;
        halves[i] = half_of((double)m[i]);
    }
    at = rig_upload(r, halves, n * sizeof *halves);
    rig_drop(r, halves);
    return at;
}

/* One row of the result. */
static void attend(const float *q, const float *k, const float *v, int keys,
                   double *weight, float *o)
{
    double most = -(double)INFINITY, sum = 0;

    for (int j = 0; j < keys; j++) {
        float score = 0; /* exact: a multiple of 2^-8 below 2^10 */

        for (int i = 0; i < DEPTH; i++)
            score += q[i] * k[j * DEPTH + i];
        weight[j] = (double)score / 8;
        most = fmax(most, weight[j]);
    }
    for (int j = 0; j < keys; j++)
        sum += weight[j] = reference_exp(weight[j] - most);
    for (int i = 0; i < DEPTH; i++) {
        double x = 0;

        for (int j = 0; j < keys; j++)
            x = fma(weight[j], (double)v[j * DEPTH + i], x);
        o[i] = (float)(x / sum);
    }
}

void attention_begin(struct rig *r, struct attention *a, uint64_t salt)
{
    const struct attention_shape *s = &a->shape;
    size_t n_q = (size_t)(s->heads * s->queries * DEPTH);
    size_t n_k = (size_t)(s->heads * s->keys * DEPTH);
    struct rng rng = rng_start(r->env, salt);
    float *q = rig_host(r, n_q, sizeof *q), *k = rig_host(r, n_k, sizeof *k);
    float *v = rig_host(r, n_k, sizeof *v);
    double *weight = rig_host(r, (size_t)s->keys, sizeof *weight);

    a->want = rig_host(r, n_q, sizeof *a->want);
    if (r->failed)
        return;
    a->q = fill(r, &rng, q, n_q, 4);
    a->k = fill(r, &rng, k, n_k, 2);
    a->v = fill(r, &rng, v, n_k, 1);
    a->o = rig_alloc(r, n_q * sizeof *a->want);
    for (int i = 0; i < s->heads * s->queries; i++) {
        size_t head = (size_t)(i / s->queries * s->keys * DEPTH);

        attend(q + i * DEPTH, k + head, v + head,
               a->is_causal ? i % s->queries + 1 : s->keys, weight,
               a->want + i * DEPTH);
    }
}

void attention_end(struct rig *r, const struct attention *a)
{
    const struct attention_shape *s = &a->shape;

    rig_near(r, a->name, a->o, a->want, (size_t)(s->heads * s->queries * DEPTH),
             0x1p-10f);
}
