/* vortex_memory.h - who has which device memory.
 *
 * Buffers are placed as Vortex's own runtime places them, for the place decides which
 * lines of a cache they share: from 0x10000 up, in units of 64 bytes, in pages of as many
 * 4096 bytes as the buffer needs that opens one; what a page has left serves later and
 * smaller ones, the newest page first, there the smallest gap.
 */
#ifndef LENO_SHIM_VORTEX_MEMORY_H
#define LENO_SHIM_VORTEX_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct vortex_range {
    uint64_t first, size;
};

struct vortex_ranges {
    struct vortex_range *at;
    unsigned n, cap;
};

struct vortex_allocator {
    struct vortex_ranges pages;    /* in the order they were opened */
    struct vortex_ranges used;     /* buffers, by address */
    struct vortex_ranges reserved; /* those whose place the host chose */
};

void vortex_allocator_free(struct vortex_allocator *a);

int vortex_alloc(struct vortex_allocator *a, uint64_t size, uint64_t *addr,
                 struct err *err);
int vortex_reserve(struct vortex_allocator *a, uint64_t addr, uint64_t size,
                   struct err *err);
/* False: there is no such buffer. */
bool vortex_release(struct vortex_allocator *a, uint64_t addr);
uint64_t vortex_used(const struct vortex_allocator *a);
uint64_t vortex_capacity(void);

#endif
