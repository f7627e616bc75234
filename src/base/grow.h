/* grow.h - arrays of zeros that grow as they are used. */
#ifndef LENO_BASE_GROW_H
#define LENO_BASE_GROW_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The array of n elements, enlarged to hold the element at index (below 2^31); new
 * elements are zero. NULL: no memory, the array is unchanged. */
static inline void *grow_zeros(void *at, uint32_t *n, uint32_t index, size_t size)
{
    size_t more = index < 32 ? 64 : 2 * (size_t)index;
    char *bigger;

    if (index < *n)
        return at;
    bigger = realloc(at, more * size);
    if (!bigger)
        return NULL;
    memset(bigger + *n * size, 0, (more - *n) * size);
    *n = (uint32_t)more;
    return bigger;
}

#endif
