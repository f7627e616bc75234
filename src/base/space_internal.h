/* space_internal.h - what space.c and space_map.c share. */
#ifndef LENO_BASE_SPACE_INTERNAL_H
#define LENO_BASE_SPACE_INTERNAL_H

#include "base/space.h"

struct space_block {
    uint64_t addr;
    uint64_t size;
    bool is_reserved; /* addresses without memory of their own */
    bool is_freed; /* of these: kept from others, so that an access to it is noticed */
};

/* The first gap for an allocation: where in the list, and its start. */
bool space_find_gap(const struct space *s, uint64_t size, uint64_t align, size_t *at,
                    uint64_t *addr);
int space_insert_block(struct space *s, size_t at, struct space_block b,
                       struct err *err);
void space_remove_block(struct space *s, size_t at);

/* Index of the first block that starts after addr. */
size_t space_first_after(const struct space_block *blocks, size_t n, uint64_t addr);
void space_mark(struct space *s, uint64_t addr, uint64_t size, bool used);

/* Host memory, reserved and not backed yet, at a place if that is not NULL; NULL: there
 * is none. */
void *space_reserve_pages(void *at, uint64_t bytes);

#endif
