/* ghost_parts.h - what GhOST stores, part by part. */
#ifndef LENO_SCHEME_GHOST_PARTS_H
#define LENO_SCHEME_GHOST_PARTS_H

#include "base/bits.h"
#include "scheme/ghost.h"

/* Table II: an entry has 111 bits with 8 entries. 3 of them are the index and 8 + 3 are
 * IB-dep: one bit per entry and one for each of three registers with a pending
 * write. */
static inline struct part *entry_parts(struct part *at, const char *structure,
                                       uint64_t n, unsigned entries)
{
    *at++ = (struct part){ structure, "valid", n, 1 };
    *at++ = (struct part){ structure, "index", n, bits_for(entries) };
    *at++ = (struct part){ structure, "mask", n, 32 };
    *at++ = (struct part){ structure, "IB-dep", n, entries + 3 };
    *at++ = (struct part){ structure, "instruction", n, 64 };
    return at;
}

/* Writes the rows of its storage table; returns the place after the last one. */
static inline struct part *ghost_fields(const void *params_,
                                        const struct core_shape *shape, struct part *at)
{
    const struct ghost_params *p = params_;
    unsigned warps = shape->n_warps, index = bits_for(p->entries);
    uint64_t itab = (uint64_t)warps * GHOST_ITAB;

    at = entry_parts(at, "issue buffer", (uint64_t)warps * p->entries, p->entries);
    at = entry_parts(at, "dependence checker",
                     (uint64_t)shape->n_subcores * p->checkers, p->entries);
    *at++ = (struct part){ "ITab", "valid", itab, 1 };
    *at++ = (struct part){ "ITab", "index", itab, index };
    *at++ = (struct part){ "warp", "Location Pointer", warps, p->entries * index };
    *at++ = (struct part){ "warp", "IdxVal", warps, index };
    *at++ = (struct part){ "warp", "WWb, ITE, control", warps, 3 };
    *at++ =
        (struct part){ "instruction buffer", "valid", (uint64_t)warps * p->buffer, 1 };
    *at++ = (struct part){ "instruction buffer", "instruction",
                           (uint64_t)warps * p->buffer, 64 };
    *at++ =
        (struct part){ "scoreboard", "pending write", (uint64_t)warps * N_REGID, 1 };
    return at;
}

#endif
