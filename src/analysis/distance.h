/* distance.h - where an operand can be named by its distance: how many instructions of the
 * warp ago its producer was.
 *
 * This makes the hybrid instruction set of TURBULENCE (section II.A) out of code with
 * register numbers. A source has a distance if on every way to it one and the same
 * instruction has written it, in all of the reader's lanes, and always as many of the
 * warp's instructions ago. A result needs a register only if somebody reads it otherwise,
 * or from farther away than a machine's distances reach; how far that is is left open.
 *
 * A warp's instructions follow each other without others of its lanes in between only from
 * where lanes may come together to where they may part: distances stay within such a run.
 * It is cut by jumps, by what jumps lead to, and by whatever lets lanes wait for each other
 * or end (INST_SYNC, but atomics and fences).
 */
#ifndef LENO_ANALYSIS_DISTANCE_H
#define LENO_ANALYSIS_DISTANCE_H

#include "analysis/code.h"

/* Sets has_distances and distance[] of every instruction. Code with jumps that are not
 * known gets none: all of it stays with registers. -1: no memory. */
int distance_mark(const struct code_line *code, size_t n, struct err *err);

#endif
