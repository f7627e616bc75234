/* phases.h - asynchronous work of a replayed block: the barriers in its shared memory, copies
 * that have not ended, and waits for phases, whose number of tries the pipeline decides.
 *
 * The words of barriers are kept as the front end keeps them, so a wait is over in the cycle in
 * which it would be if the program were executed.
 */
#ifndef LENO_REPLAY_PHASES_H
#define LENO_REPLAY_PHASES_H

#include "frontend/replay/blocks.h"

void phases_free(struct replayed_block *b);

/* Instruction d of a warp, the last one decoded, does something asynchronously. False: it is
 * what its recording says; true: that is damaged. */
bool phases_begin(struct replayed_block *b, unsigned warp, const struct dyn *d);

/* What follows a failed wait, up to the next try, as stream_ops.run; false: the warp is not
 * there. */
bool phases_play(struct replayed_block *b, unsigned warp, struct dyn *const *dyn,
                 unsigned *n);

/* How many instructions, the next ones, are not replayed: others took their place. Once. */
uint32_t phases_skip(struct replayed_block *b, unsigned warp);

/* As in struct stream_ops; after a cut a wait has no effect. */
int phases_try(struct stream *s, unsigned warp, bool gives_up, struct err *err);
int phases_try_cut(struct stream *s, unsigned warp, bool gives_up, struct err *err);
struct copy *phases_take_copy(struct stream *s, unsigned warp, uint64_t seq);
int phases_tell_copy(struct stream *s, struct copy *c, unsigned rank, struct err *err);
int phases_end_copy(struct stream *s, struct copy *c, struct err *err);

#endif
