/* window.h - a window recorded from a run: per cycle, the inputs and outputs of a scheme's
 * structures in one sub-core, for a module of hw/ to repeat.
 *
 * A recorded scheme (record_NAME.c) is a scheme with its hooks wrapped, a recorded
 * eliminator (skip_NAME.c) the same; the lines of the latter are in its file. The first SM
 * that starts a warp is recorded, its sub-core 0, for LENO_WINDOW_CYCLES cycles (20000) in which something
 * happens, into the file LENO_WINDOW. Lines, in order:
 *   s W, e W        warp W starts, ends
 *   w W REG         a result is written back (more words: the recorder says)
 *   r W             a branch is resolved
 *   t ...           the cycle: the structures' outputs, as the scheme's recorder says
 *   i W PLACE ...   an instruction issues in it
 *   f W MASK INST   an instruction is fetched into the warp's buffer, at the end of it
 * Lines before a `t` belong to its cycle, but for s, i and f after another: they belong to
 * that one.
 */
#ifndef LENO_TESTS_COST_WINDOW_H
#define LENO_TESTS_COST_WINDOW_H

#include "core/skip.h"

enum {
    WINDOW_NAME = 8, /* bits of a register's name; all ones: none */
    WINDOW_SOURCES = 3,
    WINDOW_NO_NAME = 255,
};

/* The table of a recorded scheme: that of `from`, with another name and the hooks that `by`
 * has. */
struct scheme_ops window_scheme(const struct scheme_ops *from, const char *name,
                                const struct scheme_ops *by);

/* Is this scheme recorded now? The first call that names a warp chooses the SM. */
bool window_is_on(const struct scheme *s, unsigned warp);
/* The same of an eliminator, whose window is of a whole SM. */
bool window_is_on_skip(const struct skip *s);
void window_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned window_warp(const struct scheme *s,
                     unsigned warp); /* number in the sub-core */
/* A warp starts; the scheme is asked in every cycle from now on. */
void window_start(struct scheme *s, unsigned warp);
/* Ends a `t` line. Nothing happened in an idle cycle, after which the same can only follow. */
void window_end_cycle(struct scheme *s, bool is_idle);
void window_end_line(bool is_idle); /* for an eliminator, which has no tick */
/* The whole `t` line of a cycle in which nothing else happened: each warp of the sub-core
 * writes its part. */
void window_tick(struct scheme *s, void (*write_warp)(struct scheme *, unsigned));

/* Its result's name; WINDOW_NO_NAME: none. */
unsigned window_result(const struct inst *i);
/* An instruction in 64 bits: destination, sources, then memory, writes memory, branch,
 * sync, barrier, converges, and a hash of its PC. Ends the program if it has too many
 * operands. */
uint64_t window_inst(const struct uop *u);

#endif
