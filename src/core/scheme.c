/* scheme.c - the state of an issue scheme. */
#include "core/scheme.h"

#include <stdlib.h>
#include <string.h>

struct scheme *scheme_new(const struct scheme_ops *ops, unsigned n_warps)
{
    size_t size = ops->state_size + n_warps * ops->warp_size;
    size_t lines = (size + SCHEME_ALIGN - 1) / SCHEME_ALIGN;
    void *s = aligned_alloc(SCHEME_ALIGN, lines * SCHEME_ALIGN);

    return s ? memset(s, 0, lines * SCHEME_ALIGN) : NULL;
}
