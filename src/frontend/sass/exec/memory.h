/* memory.h - from the addresses of an instruction to host memory; see memory.c. */
#ifndef LENO_SASS_MEMORY_H
#define LENO_SASS_MEMORY_H

#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/view.h"

struct memory_access {
    const struct operand *address; /* OPD_ADDR */
    uint8_t space;                 /* enum inst_space; SPACE_GENERIC is resolved */
    uint8_t bytes;                 /* of one lane: 1 .. 32, a power of two */
};

struct memory_place {
    uint64_t addr[WARP_LANES]; /* in its space: device address, or offset */
    uint8_t *at[WARP_LANES];   /* lanes not asked for point to zeros */
    uint32_t shared, local;    /* lanes of the mask whose address lies there */
    uint32_t remote;           /* of those in shared: another block's of the cluster */
    uint8_t none[16];
};

/* Finds the memory of each lane of mask and notes the addresses for the pipeline. A bad
 * address is a fault. */
enum exec_result memory_resolve(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask, struct memory_access what,
                                struct memory_place *p);

/* The bits of an address in shared memory that count. */
static inline uint32_t memory_shared_bits(const struct sass_warp *w)
{
    return w->block->grid->arch >= SM90 ? (1u << RANK_SHIFT) - 1 : ~0u;
}

/* What is the same for all lanes in an address; of it, what is in uniform registers. */
uint64_t memory_uniform_part(const struct sass_warp *w, const struct operand *o);
static inline uint64_t memory_offset(const struct sass_warp *w, const struct operand *o)
{
    uint64_t part = o->flags & OPD_HAS_UREG ? memory_uniform_part(w, o) : 0;

    return part + (uint64_t)o->imm;
}

/* The addresses as written, not resolved. */
void memory_addresses(struct sass_warp *w, const struct operand *o, uint64_t *addr);

/* One lane's generic address; NULL if bytes, aligned as a whole, are not all there. */
uint8_t *memory_lane(struct sass_warp *w, unsigned lane, uint64_t addr, unsigned bytes,
                     bool is_write);

/* An address in global memory that space_at() refuses: its memory if the page is mapped, of
 * which the launch is told; else NULL. */
uint8_t *memory_outside(const struct sass_warp *w, const struct sass_inst *i,
                        uint64_t addr, unsigned bytes, bool is_write);

/* The memory of bytes at an address in global memory, in one granule, or NULL. */
static inline uint8_t *memory_global(const struct sass_warp *w,
                                     const struct sass_inst *i, uint64_t addr,
                                     unsigned bytes, bool is_write)
{
    uint8_t *at = space_at(w->block->grid->launch.space, addr);

    return at ? at : memory_outside(w, i, addr, bytes, is_write);
}

/* Where the warp's SM sees bytes at an address in global memory, in one VIEW_LINE, whose
 * memory this is (NULL stays NULL). If it writes, they are to be written now. */
uint8_t *memory_seen(const struct sass_warp *w, uint64_t addr, uint8_t *memory,
                     unsigned bytes, bool is_write);
/* How the warp's SM sees global memory; NULL: as it is. */
static inline struct view_sm *memory_view(const struct sass_warp *w)
{
    const struct sass_block *b = w->block;

    return b->grid->view ? &b->grid->view[b->stream.sm] : NULL;
}
/* The warp is about to do something that is ordered with what other SMs do (view.h). */
static inline void memory_order(const struct sass_warp *w)
{
    struct view_sm *s = memory_view(w);

    if (s && !s->is_ordered)
        view_order(w->block->grid->views, s);
}
/* Is an access to global memory? */
static inline bool memory_is_ordered(const struct sass_inst *i)
{
    return inst_is_atomic(&i->base) || i->base.flags & INST_BYPASS_L1;
}

/* Where a generic address lies. */
enum inst_space memory_space(uint64_t addr);

/* Does a generic address lie in shared memory of another block? */
bool memory_is_remote(const struct sass_warp *w, uint64_t addr);

/* An address in shared memory of any block of the cluster, with the owner's rank in its
 * upper bits, as a pipeline sees it (SHARED_OF_OTHERS). */
uint64_t memory_cluster_offset(const struct sass_warp *w, uint32_t addr);

/* Where the lanes of a warp lie in shared memory; 0 for those not asked for. */
struct memory_offsets {
    uint32_t at[WARP_LANES];
    uint32_t bad; /* 0: all aligned and inside */
};

/* False if a lane of mask is misaligned or outside, or if there is no shared memory. */
bool memory_shared(struct sass_warp *w, uint32_t mask, struct memory_access what,
                   struct memory_offsets *p);

/* Notes addresses in the dynamic instruction, if there is one. */
void memory_note(struct sass_warp *w, enum inst_space space, const uint64_t *addr);

/* Lanes evenly apart, as struct addresses has them, in the host's memory. */
struct memory_even {
    uintptr_t at; /* lane 0's, where there is one */
    int32_t stride;
    intptr_t half;
};

/* Finds the memory of all lanes of mask, which is not empty, at once, and notes the
 * addresses. False: they are not even, or not all good, and what is noted is not valid. */
bool memory_even(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                 struct memory_access what, struct memory_even *p);

#endif
