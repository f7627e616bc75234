/* async.h - what asynchronous copies of all kinds share; see exec_async.c. */
#ifndef LENO_SASS_ASYNC_H
#define LENO_SASS_ASYNC_H

#include "frontend/sass/exec/access.h"

/* Bytes have come for the barrier at an address in shared memory, of any block of the
 * cluster. While a copy is noted, it reports them later. */
enum exec_result async_complete(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t addr, uint32_t bytes);

/* An access that is not aligned, or goes nowhere: EXEC_ERROR. */
enum exec_result async_bad_address(struct sass_warp *w, const struct sass_inst *i,
                                   uint64_t addr, uint64_t align);

/* In timed runs: does what is executed take effect only when it issues? It waits till then. */
static inline bool async_is_early(const struct sass_warp *w)
{
    return w->block->stream.is_timed && w->block->phase == PHASE_EARLY;
}
enum exec_result async_execute_late(struct sass_warp *w, const struct sass_inst *i);

/* Changes the barrier at an address in shared memory, of any block of the cluster. */
enum exec_result async_change(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t addr, struct mbarrier_change c);

/* An address in shared memory and, in the upper half, a barrier's, in another block. */
uint64_t async_in_block(uint64_t to, uint32_t rank);

/* In timed runs, and for who records: the copy of the instruction that is executed begins; a
 * run of it; it is complete; what a barrier is told when it ends (false: it must be told at
 * once). int: 0, or -1: out of host memory. */
int copies_begin(struct sass_warp *w, const struct sass_inst *i, enum copy_kind kind);
int copies_add_run(struct sass_block *b, uint64_t addr, uint32_t bytes);
/* The tensor map of the copy that has begun is there. */
void copies_name_map(struct sass_block *b, uint64_t addr);
bool copies_report(struct sass_block *b, uint32_t barrier, struct mbarrier_change c);
/* For recordings: an operation of the instruction (COPY_PHASE); its wait has failed. */
void copies_note_op(struct sass_block *b, struct barrier_op op);
void copies_give_up(struct sass_block *b, bool gives_up);
void copies_finish(struct sass_block *b);
/* stream_ops.take_copy, .tell_copy, .end_copy. */
struct copy *copies_take(struct stream *s, unsigned warp, uint64_t seq);
int copies_tell(struct stream *s, struct copy *c, unsigned rank, struct err *err);
int copies_end(struct stream *s, struct copy *c, struct err *err);
/* All reports are made at once: timing ends here. */
void copies_report_all(struct sass_block *b, struct err *err);
void copies_free(struct sass_block *b);

/* Nothing of this is done unless somebody records: what the instruction does begins to be
 * noted (0, or -1: out of host memory), an operation of it at an address, or of as many
 * registers. */
int async_begin_note(struct sass_warp *w, const struct sass_inst *i);
void async_note_op(struct sass_warp *w, uint64_t at, struct barrier_op op);
/* Must its first try in the grid fail? Who records must see once what follows. */
bool async_must_fail(struct sass_warp *w, const struct sass_inst *i);

/* Two uniform registers; 0 where there are none. */
uint64_t async_uniform64(const struct sass_warp *w, unsigned reg);

#endif
