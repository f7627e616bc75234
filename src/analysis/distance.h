/* distance.h - where an operand can be named by its distance: how many instructions of the
 * warp ago its producer was.
 *
 * This makes the hybrid instruction set of TURBULENCE (section II.A) out of code with
 * register numbers. A source has a distance if on every path to it an instruction has
 * written it, in all lanes of the reader, and always the same number of the warp's
 * instructions ago. A result needs a register only if an instruction reads it by
 * number, or from farther away than the machine's distances reach (a parameter of the
 * scheme).
 *
 * Distances cross jumps, and instructions that let lanes wait for each other or exit
 * (INST_SYNC, except atomics and fences), only where all lanes of the warp are known to go
 * on together (analysis/together.h). Elsewhere other lanes may run in between, so distances
 * end there, and at targets of jumps. Calls, returns and BSYNC then read by number: some
 * lanes may execute them later than others, or again, as in divergent recursion.
 */
#ifndef LENO_ANALYSIS_DISTANCE_H
#define LENO_ANALYSIS_DISTANCE_H

#include "analysis/code.h"

/* Sets has_distances and distance[] of every instruction. Code with unknown jump
 * targets gets none: all of its operands stay in registers. -1: no memory. */
int distance_mark(const struct code_line *code, size_t n, struct err *err);

/* May other lanes of the warp run between it and the instruction before? */
bool distance_begins_run(const struct code_line *line);

/* May other lanes of the warp run between it and the next instruction, for all that it
 * shows by itself? */
bool distance_ends_run(const struct inst *i);

/* May distances count on over it? */
static inline bool distance_crosses(const struct code_line *line)
{
    return line->keeps_together || !distance_ends_run(line->inst);
}

#endif
