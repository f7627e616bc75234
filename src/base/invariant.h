/* invariant.h - conditions that only a defect in the code can break.
 *
 * INVARIANT(l->n < l->size) states one where the code relies on it: bounds of queues,
 * links of lists, times that are not past, counts that do not fall below zero. The
 * battery, the cycle tests, `make debug` and the build with sanitizers check it
 * (LENO_CHECKED) and abort with the place; elsewhere it is compiled and costs nothing.
 * What a user or a file can get wrong is no invariant: that is an error (base/err.h).
 */
#ifndef LENO_BASE_INVARIANT_H
#define LENO_BASE_INVARIANT_H

#ifdef LENO_CHECKED
#include <assert.h>
#define INVARIANT(condition) assert(condition)
#else
#define INVARIANT(condition) ((void)(0 && (condition)))
#endif

#endif
