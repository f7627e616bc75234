/* sparse.c - arrays on small pages of their own. */
#include "base/sparse.h"

#include <sys/mman.h>

void *sparse_new(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    madvise(p, bytes, MADV_NOHUGEPAGE);
#endif
    return p;
}

void sparse_free(void *p, size_t bytes)
{
    if (p)
        munmap(p, bytes);
}
