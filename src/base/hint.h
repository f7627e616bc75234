/* hint.h - hints to the host's caches about the data needed next.
 *
 * To the compiler they have no effect, and gcc would drop calls of them, so they are
 * always inlined.
 */
#ifndef LENO_BASE_HINT_H
#define LENO_BASE_HINT_H

#define HINT static inline __attribute__((always_inline))

#endif
