/* space.c - a simulated address space. Allocations are kept sorted by address; a new
 * one takes the first gap that fits, with an unallocated granule after it, so that
 * overruns are detected. Memory is zero when handed out: fresh from the host at first,
 * wiped on release later.
 */
#include "base/space.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct space_block {
    uint64_t addr;
    uint64_t size;
};

/* Reserves memory in big pages where there are any (perf: all SMs access it in small
 * pieces; small pages would fault one by one and exceed the host's TLB). */
static void *reserve_pages(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

static uint64_t half_of(uint64_t bytes)
{
    return bytes / 2 / SPACE_LEAST * SPACE_LEAST;
}

/* The most bytes, up to the given number, that could be reserved twice, so that as much
 * address space is left for the simulator itself: a multiple of SPACE_LEAST. */
static uint64_t most_bytes(uint64_t bytes)
{
    for (bytes = half_of(bytes); bytes; bytes = half_of(bytes)) {
        void *p = reserve_pages(2 * bytes);

        if (p) {
            munmap(p, 2 * bytes);
            return bytes;
        }
    }
    return 0;
}

static int report_no_reserve(uint64_t size, struct err *err)
{
    struct rlimit l;

    if (getrlimit(RLIMIT_AS, &l) || l.rlim_cur == RLIM_INFINITY)
        return err_memory(err, "%llu bytes of address space", (unsigned long long)size);
    return err_memory(err,
                      "%llu bytes of address space: the limit is %llu kB (ulimit -v), "
                      "raise it",
                      (unsigned long long)size, (unsigned long long)l.rlim_cur / 1024);
}

int space_init(struct space *s, uint64_t base, uint64_t size, struct err *err)
{
    *s = (struct space){ .base = base, .size = size, .whole = size };
    s->bytes = reserve_pages(size);
    if (!s->bytes && (s->size = most_bytes(size)))
        s->bytes = reserve_pages(s->size);
    if (s->bytes)
        s->granules = reserve_pages(s->size / SPACE_GRANULE / 8);
    if (!s->bytes || !s->granules) {
        space_free_all(s);
        return report_no_reserve(size < SPACE_LEAST ? size : SPACE_LEAST, err);
    }
    return 0;
}

void space_free_all(struct space *s)
{
    if (s->bytes)
        munmap(s->bytes, s->size);
    if (s->granules)
        munmap(s->granules, s->size / SPACE_GRANULE / 8);
    free(s->blocks);
    free(s->lent);
    *s = (struct space){ 0 };
}

static uint64_t round_up(uint64_t x, uint64_t align)
{
    return (x + align - 1) & ~(align - 1);
}

static void mark_granules(struct space *s, uint64_t addr, uint64_t size, bool used)
{
    uint64_t first = (addr - s->base) / SPACE_GRANULE;
    uint64_t n = (size + SPACE_GRANULE - 1) / SPACE_GRANULE;

    for (uint64_t g = first; g < first + n; g++) {
        uint64_t bit = (uint64_t)1 << (g & 63);

        if (used)
            s->granules[g >> 6] |= bit;
        else
            s->granules[g >> 6] &= ~bit;
    }
}

/* Index of the first allocation that starts after addr. */
static size_t first_after(const struct space *s, uint64_t addr)
{
    size_t lo = 0, hi = s->n_blocks;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (s->blocks[mid].addr > addr)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static int insert_block(struct space *s, size_t at, struct space_block b,
                        struct err *err)
{
    if (s->n_blocks == s->cap_blocks) {
        size_t cap = s->cap_blocks ? 2 * s->cap_blocks : 64;
        struct space_block *blocks = realloc(s->blocks, cap * sizeof *blocks);

        if (!blocks)
            return err_memory(err, "the list of allocations");
        s->blocks = blocks;
        s->cap_blocks = cap;
    }
    memmove(s->blocks + at + 1, s->blocks + at, (s->n_blocks - at) * sizeof *s->blocks);
    s->blocks[at] = b;
    s->n_blocks++;
    return 0;
}

static int report_no_room(const struct space *s, uint64_t bytes, struct err *err)
{
    if (s->size < s->whole)
        return err_kind(err, ERR_LIMIT,
                        "simulated memory is exhausted: allocation of %llu bytes with "
                        "%llu in use; the host's limit on address space (ulimit -v) "
                        "allowed %llu of %llu bytes to be reserved, raise it",
                        (unsigned long long)bytes, (unsigned long long)s->used,
                        (unsigned long long)s->size, (unsigned long long)s->whole);
    if (bytes > s->size)
        return err_kind(err, ERR_LIMIT, "allocation of %llu bytes: only %llu exist",
                        (unsigned long long)bytes, (unsigned long long)s->size);
    return err_kind(err, ERR_LIMIT, "allocation of %llu bytes: no room left",
                    (unsigned long long)bytes);
}

int space_alloc(struct space *s, uint64_t bytes, uint64_t align, uint64_t *addr,
                struct err *err)
{
    uint64_t end = s->base + s->size, at = round_up(s->base, align);
    uint64_t size = round_up(bytes ? bytes : 1, SPACE_GRANULE);
    size_t i;

    if (bytes > s->size)
        return report_no_room(s, bytes, err);
    for (i = 0; i < s->n_blocks; i++) {
        if (at + size + SPACE_GRANULE <= s->blocks[i].addr)
            break;
        at = round_up(s->blocks[i].addr + round_up(s->blocks[i].size, SPACE_GRANULE) +
                          SPACE_GRANULE,
                      align);
    }
    if (at > end || end - at < size + SPACE_GRANULE)
        return report_no_room(s, bytes, err);
    if (insert_block(s, i, (struct space_block){ at, bytes ? bytes : 1 }, err))
        return -1;
    mark_granules(s, at, size, true);
    s->used += size;
    *addr = at;
    return 0;
}

/* Zeroes memory that is given back, and returns whole pages of it to the host. */
static void wipe_bytes(uint8_t *from, uint64_t size)
{
    enum { PAGE = 4096 };
    uint64_t head = -(uint64_t)(uintptr_t)from & (PAGE - 1);
    uint64_t pages;

    if (size <= head + PAGE) {
        memset(from, 0, size);
        return;
    }
    pages = (size - head) & ~(uint64_t)(PAGE - 1);
    memset(from, 0, head);
    if (madvise(from + head, pages, MADV_DONTNEED))
        memset(from + head, 0, pages);
    memset(from + head + pages, 0, size - head - pages);
}

int space_release(struct space *s, uint64_t addr, struct err *err)
{
    size_t i = first_after(s, addr);
    uint64_t size;

    if (!i || s->blocks[i - 1].addr != addr)
        return err_set(err, "0x%llx is not the start of an allocation",
                       (unsigned long long)addr);
    size = round_up(s->blocks[i - 1].size, SPACE_GRANULE);
    mark_granules(s, addr, size, false);
    wipe_bytes(s->bytes + (addr - s->base), size);
    s->used -= size;
    memmove(s->blocks + i - 1, s->blocks + i, (s->n_blocks - i) * sizeof *s->blocks);
    s->n_blocks--;
    return 0;
}

bool space_find(const struct space *s, uint64_t addr, uint64_t *start, uint64_t *size)
{
    size_t i = first_after(s, addr);

    if (!i || addr - s->blocks[i - 1].addr >= s->blocks[i - 1].size)
        return false;
    *start = s->blocks[i - 1].addr;
    *size = s->blocks[i - 1].size;
    return true;
}

bool space_has(const struct space *s, uint64_t addr, uint64_t n)
{
    uint64_t start, size;

    return space_find(s, addr, &start, &size) && n <= size - (addr - start);
}

int space_lend(struct space *s, uint64_t addr, uint64_t size, struct err *err)
{
    struct space_block *lent;
    uint64_t end;

    if (!size || __builtin_add_overflow(addr, size, &end) ||
        (addr < s->base + s->whole && end > s->base))
        return err_set(err, "%llu bytes at 0x%llx cannot be lent",
                       (unsigned long long)size, (unsigned long long)addr);
    for (size_t i = 0; i < s->n_lent; i++) {
        if (addr < s->lent[i].addr + s->lent[i].size && end > s->lent[i].addr)
            return err_set(err, "memory at 0x%llx is lent already",
                           (unsigned long long)addr);
    }
    lent = realloc(s->lent, (s->n_lent + 1) * sizeof *lent);
    if (!lent)
        return err_memory(err, "the list of lent memory");
    s->lent = lent;
    s->lent[s->n_lent++] = (struct space_block){ addr, size };
    return 0;
}

int space_take_back(struct space *s, uint64_t addr, struct err *err)
{
    for (size_t i = 0; i < s->n_lent; i++) {
        if (s->lent[i].addr == addr) {
            s->lent[i] = s->lent[--s->n_lent];
            return 0;
        }
    }
    return err_set(err, "0x%llx is not the start of lent memory",
                   (unsigned long long)addr);
}

void *space_lent_at(const struct space *s, uint64_t addr)
{
    const uint64_t mask = ~(uint64_t)(SPACE_GRANULE - 1);

    for (size_t i = 0; i < s->n_lent; i++) {
        uint64_t start = s->lent[i].addr & mask;
        uint64_t end = (s->lent[i].addr + s->lent[i].size - 1) | ~mask;

        if (addr >= start && addr <= end)
            return (void *)(uintptr_t)addr;
    }
    return NULL;
}
