/* pages.c - asks for big pages, by what glibc and Linux offer; elsewhere it does
 * nothing.
 *
 * The heap is grown at once by more than a run needs, in addresses only, and that range
 * is advised to be in big pages. Allocations that would be mapped one by one go there.
 * Where the address space is limited (ulimit -v) it takes at most an eighth of it.
 */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BIG_PAGE = 2 << 20, HEAP = 512 << 20, LATER = 1 << 20 };

static size_t heap_bytes(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur / 8 > HEAP)
        return HEAP;
    return limit.rlim_cur / 8;
}

void pages_use_big(void)
{
    void *first;
    uintptr_t from, to;
    size_t heap = heap_bytes();

    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TOP_PAD, (int)heap);
    mallopt(M_TRIM_THRESHOLD, 2047 << 20); /* keep the advised range */
    first = malloc(1 << 20);
    from = ((uintptr_t)first + BIG_PAGE - 1) / BIG_PAGE * BIG_PAGE;
    to = (uintptr_t)sbrk(0);
    if (first && to > from && to - from <= 2 * heap)
        madvise((void *)from, to - from, MADV_HUGEPAGE);
    free(first);
    mallopt(M_TOP_PAD, LATER); /* if the heap grows beyond it */
}
#else
void pages_use_big(void) {}
#endif
