/* pages.c - asks for big pages, with what glibc and Linux offer; elsewhere nothing.
 *
 * The heap is grown at once by more than a run needs, in addresses only, and that range
 * is advised to be in big pages. Allocations that would be mapped one by one go there.
 */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BIG_PAGE = 2 << 20, HEAP = 512 << 20 };

void pages_use_big(void)
{
    void *first;
    uintptr_t from, to;

    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, HEAP);
    mallopt(M_TRIM_THRESHOLD, 2047 << 20); /* what was advised is kept */
    first = malloc(1 << 20);
    from = ((uintptr_t)first + BIG_PAGE - 1) / BIG_PAGE * BIG_PAGE;
    to = (uintptr_t)sbrk(0);
    if (first && to > from && to - from <= 2u * HEAP)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
    free(first);
}
#else
void pages_use_big(void) {}
#endif
