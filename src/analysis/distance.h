/* distance.h - where an operand can be named by its distance: how many instructions of the
 * warp ago its producer was.
 *
 * This makes the hybrid instruction set of TURBULENCE (section II.A) out of code with
 * register numbers. A source has a distance if on every path to it the same instruction
 * has written it, in all lanes of the reader, and always the same number of the warp's
 * instructions ago. A result needs a register only if an instruction reads it by
 * number, or from farther away than the machine's distances reach (a parameter of the
 * scheme).
 *
 * Between two instructions of a lane no other lanes of its warp run only from a point
 * where lanes may reconverge to the next one where they may diverge: distances stay
 * within such a run. Runs end at jumps, at targets of jumps, and at instructions that
 * let lanes wait for each other or exit (INST_SYNC, except atomics and fences). Calls,
 * returns and BSYNC are runs of their own: some lanes may execute them later than others,
 * or again, as in divergent recursion.
 */
#ifndef LENO_ANALYSIS_DISTANCE_H
#define LENO_ANALYSIS_DISTANCE_H

#include "analysis/code.h"

/* Sets has_distances and distance[] of every instruction. Code with unknown jump
 * targets gets none: all of its operands stay in registers. -1: no memory. */
int distance_mark(const struct code_line *code, size_t n, struct err *err);

#endif
