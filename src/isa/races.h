/* races.h - finds data races of a kernel while it is executed without timing.
 *
 * Two accesses to the same byte race if one of them writes, they are not both atomic, and
 * nothing orders them: not the program order of a warp, not a barrier of their block, and
 * not a fence followed by a store or an atomic operation, whose location the other warp
 * then accesses by an atomic operation or a load that bypasses the L1 cache (volatile,
 * acquire). Lanes of a warp are taken to be ordered as they are executed. Two stores of the
 * same value do not count: many programs set a flag that way.
 *
 * Races that depend on the order in which warps ran may be missed: only the last write to
 * a word, and two reads since then, are remembered.
 */
#ifndef LENO_ISA_RACES_H
#define LENO_ISA_RACES_H

#include "isa/stream.h"

enum { RACE_WARPS = 32 }; /* of a block, at most */

struct races;
struct races *races_new(void);
void races_free(struct races *r);

/* A launch begins: all launches before it are ordered. */
void races_begin(struct races *r);

/* A block of the launch. */
struct race_shape {
    uint64_t number;
    unsigned n_warps;
    uint32_t shared_bytes;
    /* What is now in a byte of memory. */
    uint8_t (*byte)(const void *from, uint64_t addr, bool is_shared);
    const void *from;
};
struct race_block;
struct race_block *races_open(struct races *r, const struct race_shape *shape);
void races_close(struct race_block *b);

/* A warp has executed an instruction; its addresses are noted in d, if it has any. Accesses
 * that are atomic do not race with each other. */
void races_note(struct race_block *b, unsigned warp, const struct dyn *d,
                bool is_atomic);
/* The same where it accesses something else than its class says: a copy's other side, or
 * rows of matrices. */
struct race_access {
    enum inst_space space; /* shared or global memory */
    unsigned bytes;        /* per lane */
    bool writes, is_atomic;
};
void races_note_as(struct race_block *b, unsigned warp, const struct dyn *d,
                   struct race_access a);

/* Warps, as bits, have come to a barrier, which is open now; some of them waited for it. */
void races_meet(struct race_block *b, uint32_t came, uint32_t waited);

/* A warp has used a barrier in memory, of whichever kind: taken to be ordered with all
 * others that did. */
void races_pass(struct race_block *b, unsigned warp);

/* A pair of instructions that raced: the one that came first, the other; an example. */
struct race_side {
    uint64_t pc, block;
    uint32_t thread; /* in its block */
    bool writes;
};
struct race {
    struct race_side side[2];
    uint64_t addr; /* in shared memory: an offset */
    uint64_t times;
    bool is_shared;
};

/* The number of pairs found so far; each of them. */
size_t races_found(const struct races *r);
const struct race *races_at(const struct races *r, size_t n);

#endif
