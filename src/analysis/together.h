/* together.h - where all lanes of a warp that have not exited run together.
 *
 * They are together where a kernel begins, part at branches that not all of them take
 * alike, and are together again at the convergence barrier that noted all of them.
 */
#ifndef LENO_ANALYSIS_TOGETHER_H
#define LENO_ANALYSIS_TOGETHER_H

#include "analysis/code.h"

/* Sets keeps_together of every line of a kernel, which begins with the first. -1: no
 * memory. */
int together_mark(struct code_line *code, size_t n, struct err *err);

#endif
