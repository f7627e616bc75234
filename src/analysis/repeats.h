/* repeats.h - how many executions repeat one of another warp: a limit study.
 *
 * An instruction is redundant in a group of threads if all of the group execute it on
 * the same operands: a warp whose lanes have the same scalars, a block or a grid whose
 * warps have the same vectors (DARSIE, ASPLOS 2020, section 1 and figure 1). The n-th
 * executions of an instruction in their warps belong together. An execution by some
 * lanes of a warp is not redundant, nor is one that does more than write registers:
 * stores, atomics, barriers, branches. All count as instructions.
 *
 * Values are compared by digests: of the instruction that last wrote each source, and
 * of the result, which for loads is the data from memory. A source that warps have from
 * different instructions counts as different.
 */
#ifndef LENO_ANALYSIS_REPEATS_H
#define LENO_ANALYSIS_REPEATS_H

#include "isa/stream.h"

struct repeats_counts {
    uint64_t insts, thread_insts;           /* all of them */
    uint64_t warp, block, grid;             /* of insts, redundant there */
    uint64_t uniform, affine, unstructured; /* per block, by the shape of the sources */
};

/* One launch. Several blocks may run at the same time. */
struct repeats;
struct repeats_block;
struct repeats *repeats_new(const struct kernel *k, struct err *err);
struct repeats_block *repeats_open(struct repeats *r, unsigned n_warps,
                                   struct err *err);
/* The next instruction of a warp; its stream is asked for values. */
int repeats_note(struct repeats *r, struct repeats_block *b, unsigned warp,
                 const struct dyn *d, struct err *err);
/* All warps of the block have ended. */
void repeats_close(struct repeats *r, struct repeats_block *b);
/* Drops a block that will not end. */
void repeats_drop(struct repeats_block *b);
/* When all blocks are closed: adds the counts. */
void repeats_add(const struct repeats *r, struct repeats_counts *to);
void repeats_free(struct repeats *r);

#endif
