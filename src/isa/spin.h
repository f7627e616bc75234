/* spin.h - where the warps of a run that was stopped are, and whether they spin.
 *
 * Found by executing them a little further, all in turn: a warp that goes through the same
 * few instructions with the same results again and again waits for something; if no warp
 * stores anything, passes a barrier or ends meanwhile, it waits for nobody.
 */
#ifndef LENO_ISA_SPIN_H
#define LENO_ISA_SPIN_H

#include "isa/stream.h"

/* A block that has not ended. */
struct spin_block {
    struct stream *stream;
    uint64_t number;
    const struct kernel *source; /* for lines of the source; NULL: not asked */
};

/* Appends a line for each kind of place, a few at most, and a verdict. PCs are counted
 * from first_pc. The blocks have been executed further then: they can only be
 * closed. */
void spin_report(const struct spin_block *block, size_t n, uint64_t first_pc,
                 struct buf *out);

/* A launch that a watch has stopped: what the watch said becomes a message that names the
 * kernel and where its warps are, in one line. */
struct spin_launch {
    const char *kernel;                     /* NULL: not said */
    uint64_t first_pc, blocks_done, blocks; /* blocks 0: not said */
};
void spin_say(struct err *err, const struct spin_launch *l,
              const struct spin_block *block, size_t n);

#endif
