/* shape.h - sizes of an SM that a scheme may rely on, and the place of a warp in it. */
#ifndef LENO_CORE_SHAPE_H
#define LENO_CORE_SHAPE_H

#include <stdbool.h>

#include "base/bits.h"

/* Compiled together with a scheme, for a common machine (sim/fused.c)? */
#ifdef FUSED_OPS
enum { IS_FUSED = true };
#else
enum { IS_FUSED = false };
#endif

enum { MAX_SUBCORES = 4, COMMON_SUBCORES = 4, MAX_PIPES = 32 /* bits of a word */ };

struct core_shape {
    unsigned n_warps;    /* slots of the SM; warp w is on sub-core w % n_subcores */
    unsigned n_subcores; /* one scheduler each */
    /* operands are read at issue and results forwarded: no collectors. The core holds an
     * instruction until its results land after older ones of the same register ... */
    bool has_ports;
    bool has_late_half; /* ... and until inst_late_source() can be read in time */
};

static inline unsigned shape_subcores(const struct core_shape *s)
{
    return IS_FUSED ? COMMON_SUBCORES : s->n_subcores;
}

/* Warps are distributed over sub-cores in turn: the sub-core of a warp, its bit among
 * the warps there, and the warp of a bit's number. */
static inline unsigned shape_subcore(const struct core_shape *s, unsigned warp)
{
    return warp % shape_subcores(s);
}

static inline uint64_t shape_bit(const struct core_shape *s, unsigned warp)
{
    return bit64(warp / shape_subcores(s));
}

static inline unsigned shape_warp(const struct core_shape *s, unsigned subcore,
                                  unsigned bit)
{
    return bit * shape_subcores(s) + subcore;
}

#endif
