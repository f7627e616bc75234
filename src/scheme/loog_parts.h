/* loog_parts.h - what LOOG stores, part by part. */
#ifndef LENO_SCHEME_LOOG_PARTS_H
#define LENO_SCHEME_LOOG_PARTS_H

#include "base/bits.h"
#include "scheme/loog.h"

static inline unsigned queue_size(const struct loog_params *p, unsigned size)
{
    return size ? size : p->units;
}

enum {
    LANES = WARP_LANES * 32, /* bits in one register of a warp */
    ADDRESSES = WARP_LANES * 49,
    SOURCES = 4 /* three operands, and the old value that some lanes keep */
};

static inline struct part *unit_parts(const struct loog_params *p,
                                      const struct core_shape *shape, struct part *at)
{
    uint64_t units = (uint64_t)shape->n_subcores * p->units;
    uint64_t names = (uint64_t)shape->n_subcores * p->names;
    unsigned name = bits_for(p->rrs ? p->names : p->units);

    *at++ = (struct part){ "collector unit", "valid, left", units, 2 };
    *at++ = (struct part){ "collector unit", "warp", units, bits_for(shape->n_warps) };
    *at++ = (struct part){ "collector unit", "mask", units, WARP_LANES };
    *at++ = (struct part){ "collector unit", "instruction", units, 64 };
    *at++ = (struct part){ "collector unit", "sources valid", units, SOURCES };
    *at++ = (struct part){ "collector unit", "from the file", units, SOURCES };
    *at++ = (struct part){ "collector unit", "source names", units, SOURCES * name };
    *at++ = (struct part){ "collector unit", "source data", units, SOURCES * LANES };
    if (!p->rrs) {
        *at++ = (struct part){ "collector unit", "result valid", units, 1 };
        *at++ = (struct part){ "collector unit", "result", units, LANES };
        return at;
    }
    *at++ = (struct part){ "collector unit", "result name", units, name };
    *at++ = (struct part){ "RRS", "valid", names, 1 };
    *at++ = (struct part){ "RRS", "result valid", names, 1 };
    *at++ = (struct part){ "RRS", "mask", names, WARP_LANES };
    *at++ = (struct part){ "RRS", "result", names, LANES };
    return at;
}

static inline struct part *queue_parts(const char *queue, uint64_t n, unsigned units,
                                       struct part *at)
{
    *at++ = (struct part){ queue, "valid, known", n, 2 };
    *at++ = (struct part){ queue, "unit", n, bits_for(units) };
    *at++ = (struct part){ queue, "addresses", n, ADDRESSES };
    return at;
}

static inline void loog_parts(const void *p_, const struct core_shape *shape,
                              struct part *at)
{
    const struct loog_params *p = p_;
    uint64_t warps = shape->n_warps, entries = warps * p->entries;
    unsigned subs = shape->n_subcores;

    at = unit_parts(p, shape, at);
    *at++ = (struct part){ "RAT", "in the file", warps * N_REGID, 1 };
    *at++ = (struct part){ "RAT", "name", warps * N_REGID,
                           bits_for(p->rrs ? p->names : p->units) };
    at = queue_parts("load queue", (uint64_t)subs * queue_size(p, p->loads), p->units,
                     at);
    at = queue_parts("store queue", (uint64_t)subs * queue_size(p, p->stores), p->units,
                     at);
    *at++ = (struct part){ "result broadcast", "buffer", subs, LANES };
    *at++ = (struct part){ "instruction buffer", "valid", entries, 1 };
    *at++ = (struct part){ "instruction buffer", "instruction", entries, 64 };
}

#endif
