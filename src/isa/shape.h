/* shape.h - which marks of redundancy hold in a kernel, by the shape of its blocks. */
#ifndef LENO_ISA_SHAPE_H
#define LENO_ISA_SHAPE_H

#include "isa/stream.h"

/* Do so many threads, of which there are several groups, always start at the same lane? */
static inline bool kernel_repeats(uint32_t threads, uint32_t groups)
{
    return groups > 1 && threads <= WARP_LANES && !(threads & (threads - 1));
}

/* The weakest mark of instructions that are redundant in this kernel: thread numbers in x,
 * or in x and y, may repeat from warp to warp. */
static inline enum redundancy kernel_weakest_mark(const struct kernel *k)
{
    uint32_t x = k->block[0], y = k->block[1], z = k->block[2];

    if (kernel_repeats(x * y, z))
        return REDUNDANT_BY_PLANE;
    return kernel_repeats(x, y * z) ? REDUNDANT_BY_SHAPE : REDUNDANT;
}

#endif
