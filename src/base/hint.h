/* hint.h - functions that do nothing but tell the host what it will need.
 *
 * They have no effect that a compiler knows of: gcc leaves out calls of them. So they are
 * always expanded in place.
 */
#ifndef LENO_BASE_HINT_H
#define LENO_BASE_HINT_H

#define HINT static inline __attribute__((always_inline))

#endif
