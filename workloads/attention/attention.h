/* attention.h - what hosts of attention share: o = softmax(q k' / sqrt(d)) v, per head. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "../workload.h"

enum { ATTENTION_DEPTH = 64 };

struct attention_shape {
    int heads, queries, keys;
};

/* Buffers on the device, rows of 64 elements: halves, but floats for o; what o should be. */
struct attention {
    const char *name; /* of the result */
    struct attention_shape shape;
    bool is_causal; /* a query sees the keys up to its own: as many queries as keys */
    CUdeviceptr q, k, v, o;
    float *want;
};

/* From products of q and k to exponents of two: log2(e) / sqrt(64). */
static inline float attention_scale(void)
{
    return 0x1.71547652b82fep+0f / 8;
}

/* Makes the input from the seed, and the result. name, shape and is_causal are given. */
void attention_begin(struct rig *r, struct attention *a, uint64_t salt);
/* Hands over the result and checks it. */
void attention_end(struct rig *r, const struct attention *a);

#endif
