/* space.h - a simulated address space: a reserved range, handed out piece by piece.
 *
 * The range is reserved once and backed lazily by the host, so an address becomes a
 * host pointer by one subtraction. Where the host allows no such range (ulimit -v), the
 * space begins at the same address and ends earlier: what fits has the addresses it always
 * has, and an allocation that does not fit is refused with the reason. A bitmap of
 * 256-byte granules says what is allocated; an access elsewhere is refused. In an exact
 * space a granule of which an allocation has a part is not in it: space_tail() knows it.
 *
 * A paged space is laid out like a GPU's memory, which is mapped in pages of 2 MiB: small
 * allocations share a page, those of more than 1 MiB begin with one, and the rest of a
 * page can be accessed too, by space_near(). So can the space's first page, which stands
 * for the driver's own memory. In any other space allocations are a granule apart, so
 * that overruns are noticed.
 *
 * Memory of the host's own can be lent to the space: it then has its host address there.
 */
#ifndef LENO_BASE_SPACE_H
#define LENO_BASE_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* SPACE_UNIT: what sizes are rounded up to in a paged space. */
enum { SPACE_GRANULE = 256, SPACE_UNIT = 512, SPACE_PAGE = 2 << 20 };

struct shadow;
struct space {
    uint64_t base;              /* first simulated address */
    uint64_t size;              /* bytes of addresses; may grow (space_map.h) */
    uint64_t whole;             /* bytes of memory that it claims to have */
    uint8_t *bytes;             /* host memory of the whole range */
    uint64_t *granules;         /* one bit per granule: allocated */
    struct space_block *blocks; /* allocations, by address */
    size_t n_blocks, cap_blocks;
    uint64_t used;            /* bytes allocated now */
    struct space_block *lent; /* the host's own ranges */
    size_t n_lent;
    struct shadow
        *shadow;      /* knows its bytes (shadow.h), and freed memory is taken again
                            * only where there is no other; NULL: none */
    size_t n_freed;   /* with a shadow: blocks of freed memory */
    bool is_paged;    /* set before the first allocation; so is ... */
    bool is_exact;    /* ... allocations end with their last byte, not granule */
    int file;         /* that holds the pages shared with other processes */
    uint64_t *shared; /* one bit per page: shared. NULL: no page, and no file */
};

/* At least SPACE_LEAST bytes of size are reserved, or all of a smaller space. */
enum { SPACE_LEAST = 16 << 20 };
int space_init(struct space *s, uint64_t base, uint64_t size, struct err *err);
void space_free_all(struct space *s);

/* Allocates bytes at a multiple of align (a power of two, at least 256), zeroed. */
int space_alloc(struct space *s, uint64_t bytes, uint64_t align, uint64_t *addr,
                struct err *err);
int space_release(struct space *s, uint64_t addr, struct err *err);

/* The allocation that holds addr: its start and size. False if none does. */
bool space_find(const struct space *s, uint64_t addr, uint64_t *start, uint64_t *size);

/* The end of the addresses that are the space's, whether or not they can be used. */
static inline uint64_t space_end(const struct space *s)
{
    return s->base + (s->size > s->whole ? s->size : s->whole);
}

/* True if all n bytes from addr are in one allocation, or mapped (space_map.h). */
bool space_has(const struct space *s, uint64_t addr, uint64_t n);

/* What is next to an address outside of all allocations. */
struct space_neighbour {
    uint64_t start, size; /* the nearest allocation */
    uint64_t distance;    /* bytes before its start or past its end */
    bool is_before;       /* the address lies before it */
};

/* Host pointer to an address that space_at() refuses but a GPU would not fault on: the
 * rest of a mapped page, of the host's page for lent memory. NULL elsewhere, and in a
 * space that is not paged. */
void *space_near(const struct space *s, uint64_t addr, struct space_neighbour *n);

/* Lends memory at addr, a host address outside of the space, or takes it back. */
int space_lend(struct space *s, uint64_t addr, uint64_t size, struct err *err);
int space_take_back(struct space *s, uint64_t addr, struct err *err);
/* The byte at addr if it is lent, else NULL. Whole granules are lent: they share its
 * page. */
void *space_lent_at(const struct space *s, uint64_t addr);

/* Host pointer to n <= 256 bytes that do not cross a granule, or NULL. Hot path. */
static inline void *space_at(const struct space *s, uint64_t addr)
{
    uint64_t off = addr - s->base;

    if (off >= s->size)
        return s->n_lent ? space_lent_at(s, addr) : NULL;
    if (!(s->granules[off >> 14] >> (off >> 8 & 63) & 1))
        return NULL;
    return s->bytes + off;
}

/* Host pointer to n bytes in the part of a granule that an allocation has. NULL elsewhere,
 * and in a space that is not exact. */
void *space_tail(const struct space *s, uint64_t addr, uint64_t n);

/* The same as space_at(), also there. */
static inline void *space_reach(const struct space *s, uint64_t addr, uint64_t n)
{
    void *at = space_at(s, addr);

    return at ? at : space_tail(s, addr, n);
}

#endif
