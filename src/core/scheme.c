/* scheme.c - the state of an issue scheme. */
#include "core/scheme.h"

#include <stdlib.h>
#include <string.h>

void *scheme_new_state(size_t bytes)
{
    size_t lines = (bytes + SCHEME_ALIGN - 1) / SCHEME_ALIGN;
    void *s = aligned_alloc(SCHEME_ALIGN, lines * SCHEME_ALIGN);

    return s ? memset(s, 0, lines * SCHEME_ALIGN) : NULL;
}

struct scheme *scheme_new(const struct scheme_ops *ops, unsigned n_warps)
{
    return scheme_new_state(ops->state_size + n_warps * ops->warp_size);
}
