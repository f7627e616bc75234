/* space.c - a simulated address space. Allocations are kept sorted by address; a new
 * one takes the first gap that fits. Memory is zero when handed out: fresh from the host at
 * first, wiped on release later. In a paged space, what an overrun wrote to the rest of a
 * page stays until the page is unmapped.
 */
#include "base/space.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/space_internal.h"

/* The most bytes of an allocation that need not begin with a page, in a paged space. */
enum { SMALL = 1 << 20, HOST_PAGE = 4096 };

/* Reserves memory in big pages where there are any (perf: all SMs access it in small
 * pieces; small pages would fault one by one and exceed the host's TLB). */
void *space_reserve_pages(void *at, uint64_t bytes)
{
    int fixed = at ? MAP_FIXED_NOREPLACE : 0;
    void *p = mmap(at, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);

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
        void *p = space_reserve_pages(NULL, 2 * bytes);

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
    s->bytes = space_reserve_pages(NULL, size);
    if (!s->bytes && (s->size = most_bytes(size)))
        s->bytes = space_reserve_pages(NULL, s->size);
    if (s->bytes)
        s->granules = space_reserve_pages(NULL, s->size / SPACE_GRANULE / 8);
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
    if (s->shared)
        close(s->file);
    free(s->shared);
    *s = (struct space){ 0 };
}

static uint64_t round_up(uint64_t x, uint64_t align)
{
    return (x + align - 1) & ~(align - 1);
}

/* Sets or clears bits from first up to, not including, end. */
static void fill_bits(uint64_t *words, uint64_t first, uint64_t end, bool value)
{
    uint64_t w = first >> 6, last = end >> 6;
    uint64_t head = ~(uint64_t)0 << (first & 63), tail = ~(~(uint64_t)0 << (end & 63));

    if (w == last)
        head &= tail;
    words[w] = value ? words[w] | head : words[w] & ~head;
    if (w == last)
        return;
    memset(words + w + 1, value ? 0xff : 0, (last - w - 1) * sizeof *words);
    if (tail)
        words[last] = value ? words[last] | tail : words[last] & ~tail;
}

void space_mark(struct space *s, uint64_t addr, uint64_t size, bool used)
{
    uint64_t first = (addr - s->base) / SPACE_GRANULE;
    uint64_t n = (size + SPACE_GRANULE - 1) / SPACE_GRANULE;

    fill_bits(s->granules, first, first + n, used);
}

size_t space_first_after(const struct space_block *blocks, size_t n, uint64_t addr)
{
    size_t lo = 0, hi = n;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (blocks[mid].addr > addr)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

int space_insert_block(struct space *s, size_t at, struct space_block b,
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

void space_remove_block(struct space *s, size_t at)
{
    s->n_blocks--;
    memmove(s->blocks + at, s->blocks + at + 1, (s->n_blocks - at) * sizeof *s->blocks);
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

/* Bytes that an allocation keeps others from, from its start on. */
static uint64_t room_of(const struct space *s, uint64_t size)
{
    if (!s->is_paged)
        return round_up(size, SPACE_GRANULE) + SPACE_GRANULE;
    return round_up(size, SPACE_UNIT);
}

/* The first good start at or after addr. A small allocation lies in one page. */
static uint64_t start_from(const struct space *s, uint64_t addr, uint64_t size,
                           uint64_t align)
{
    uint64_t page = align > SPACE_PAGE ? align : SPACE_PAGE;

    if (!s->is_paged)
        return round_up(addr, align);
    if (addr < s->base + SPACE_PAGE)
        addr = s->base + SPACE_PAGE;
    addr = round_up(addr, align > SPACE_UNIT ? align : SPACE_UNIT);
    if (size > SMALL || addr % SPACE_PAGE + size > SPACE_PAGE)
        addr = round_up(addr, page);
    return addr;
}

bool space_find_gap(const struct space *s, uint64_t size, uint64_t align, size_t *at,
                    uint64_t *addr)
{
    uint64_t end = s->base + s->size, room = room_of(s, size);
    uint64_t from = start_from(s, s->base, size, align);
    size_t i;

    for (i = 0; i < s->n_blocks && from + room > s->blocks[i].addr; i++) {
        const struct space_block *b = &s->blocks[i];

        from = start_from(s, b->addr + room_of(s, b->size), size, align);
    }
    *at = i;
    *addr = from;
    return from <= end && end - from >= room;
}

/* Freed memory may be taken again. */
static void drop_freed(struct space *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_blocks; i++)
        if (!s->blocks[i].is_freed)
            s->blocks[kept++] = s->blocks[i];
    s->n_blocks = kept;
    s->n_freed = 0;
}

static bool find_room(struct space *s, uint64_t size, uint64_t align, size_t *at,
                      uint64_t *addr)
{
    enum { MOST_FREED = 4096 }; /* the list is searched from its start */

    if (s->n_freed <= MOST_FREED && space_find_gap(s, size, align, at, addr))
        return true;
    if (!s->n_freed)
        return false;
    drop_freed(s);
    return space_find_gap(s, size, align, at, addr);
}

int space_alloc(struct space *s, uint64_t bytes, uint64_t align, uint64_t *addr,
                struct err *err)
{
    struct space_block b = { .size = bytes ? bytes : 1 };
    size_t i;

    if (bytes > s->whole - s->used || bytes > s->size ||
        !find_room(s, b.size, align, &i, &b.addr))
        return report_no_room(s, bytes, err);
    if (space_insert_block(s, i, b, err))
        return -1;
    space_mark(s, b.addr, s->is_exact ? b.size - b.size % SPACE_GRANULE : b.size, true);
    s->used += round_up(b.size, SPACE_GRANULE);
    *addr = b.addr;
    return 0;
}

/* Zeroes memory that is given back, and returns whole pages of it to the host. */
static void wipe_bytes(uint8_t *from, uint64_t size)
{
    uint64_t head = -(uint64_t)(uintptr_t)from & (HOST_PAGE - 1);
    uint64_t pages;

    if (size <= head + HOST_PAGE) {
        memset(from, 0, size);
        return;
    }
    pages = (size - head) & ~(uint64_t)(HOST_PAGE - 1);
    memset(from, 0, head);
    if (madvise(from + head, pages, MADV_REMOVE) && /* pages of a file */
        madvise(from + head, pages, MADV_DONTNEED))
        memset(from + head, 0, pages);
    memset(from + head + pages, 0, size - head - pages);
}

/* Does the page with this address hold an allocation, or is it the first? */
static bool is_mapped(const struct space *s, uint64_t addr)
{
    uint64_t page = addr - addr % SPACE_PAGE;
    size_t i = space_first_after(s->blocks, s->n_blocks, page + SPACE_PAGE - 1);

    if (page <= s->base)
        return true;
    return i && !s->blocks[i - 1].is_reserved &&
           s->blocks[i - 1].addr + s->blocks[i - 1].size > page;
}

/* Wipes what an allocation that is gone leaves: its own bytes, and those of pages that no
 * other one keeps mapped. */
static void wipe_block(struct space *s, struct space_block b)
{
    uint64_t from = b.addr, end = b.addr + round_up(b.size, SPACE_GRANULE);

    if (s->is_paged && !is_mapped(s, from))
        from -= from % SPACE_PAGE;
    if (s->is_paged && !is_mapped(s, end - 1))
        end = round_up(end, SPACE_PAGE);
    if (from < s->base)
        from = s->base;
    if (end > s->base + s->size)
        end = s->base + s->size;
    wipe_bytes(s->bytes + (from - s->base), end - from);
}

int space_release(struct space *s, uint64_t addr, struct err *err)
{
    size_t i = space_first_after(s->blocks, s->n_blocks, addr);
    struct space_block b;

    if (!i || s->blocks[i - 1].addr != addr || s->blocks[i - 1].is_reserved)
        return err_set(err, "0x%llx is not the start of an allocation",
                       (unsigned long long)addr);
    b = s->blocks[i - 1];
    space_mark(s, addr, b.size, false);
    s->used -= round_up(b.size, SPACE_GRANULE);
    if (s->shadow) {
        s->blocks[i - 1].is_reserved = s->blocks[i - 1].is_freed = true;
        s->n_freed++;
    } else {
        space_remove_block(s, i - 1);
    }
    wipe_block(s, b);
    return 0;
}

bool space_find(const struct space *s, uint64_t addr, uint64_t *start, uint64_t *size)
{
    size_t i = space_first_after(s->blocks, s->n_blocks, addr);

    if (!i || addr - s->blocks[i - 1].addr >= s->blocks[i - 1].size ||
        s->blocks[i - 1].is_reserved)
        return false;
    *start = s->blocks[i - 1].addr;
    *size = s->blocks[i - 1].size;
    return true;
}

/* Is memory mapped into all pages of a range, and allowed? */
static bool has_pages(const struct space *s, uint64_t addr, uint64_t n)
{
    uint64_t end;

    if (__builtin_add_overflow(addr, n, &end) || end > s->base + s->size)
        return false;
    for (addr -= addr % SPACE_PAGE; addr < end; addr += SPACE_PAGE) {
        if (!space_at(s, addr))
            return false;
    }
    return true;
}

bool space_has(const struct space *s, uint64_t addr, uint64_t n)
{
    size_t i = space_first_after(s->blocks, s->n_blocks, addr);
    const struct space_block *b = i ? &s->blocks[i - 1] : NULL;

    if (!b || addr - b->addr >= b->size || n > b->size - (addr - b->addr))
        return false;
    return !b->is_reserved || has_pages(s, addr, n);
}

void *space_tail(const struct space *s, uint64_t addr, uint64_t n)
{
    if (!s->is_exact || !space_has(s, addr, n ? n : 1))
        return NULL;
    return s->bytes + (addr - s->base);
}

/* The range of lent memory with addr in one of its units of so many bytes. */
static const struct space_block *find_lent(const struct space *s, uint64_t addr,
                                           uint64_t unit)
{
    for (size_t i = 0; i < s->n_lent; i++) {
        const struct space_block *b = &s->lent[i];

        if (addr >= (b->addr & ~(unit - 1)) &&
            addr <= ((b->addr + b->size - 1) | (unit - 1)))
            return b;
    }
    return NULL;
}

/* The nearer of the blocks before and after addr, where there is one. */
static void find_neighbour(const struct space_block *blocks, size_t n_blocks,
                           uint64_t addr, struct space_neighbour *n)
{
    size_t i = space_first_after(blocks, n_blocks, addr);
    const struct space_block *before = i ? &blocks[i - 1] : NULL;
    const struct space_block *after = i < n_blocks ? &blocks[i] : NULL;

    if (before)
        *n = (struct space_neighbour){ before->addr, before->size,
                                       addr - (before->addr + before->size), false };
    if (after && (!before || after->addr - addr < n->distance))
        *n = (struct space_neighbour){ after->addr, after->size, after->addr - addr,
                                       true };
}

void *space_near(const struct space *s, uint64_t addr, struct space_neighbour *n)
{
    uint64_t off = addr - s->base;
    const struct space_block *lent;

    if (!s->is_paged)
        return NULL;
    if (off < s->size && is_mapped(s, addr)) {
        find_neighbour(s->blocks, s->n_blocks, addr, n);
        return s->bytes + off;
    }
    lent = off < s->size ? NULL : find_lent(s, addr, HOST_PAGE);
    if (!lent)
        return NULL;
    find_neighbour(lent, 1, addr, n);
    return (void *)(uintptr_t)addr;
}

int space_lend(struct space *s, uint64_t addr, uint64_t size, struct err *err)
{
    struct space_block *lent;
    uint64_t end;

    if (!size || __builtin_add_overflow(addr, size, &end) ||
        (addr < space_end(s) && end > s->base))
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
    s->lent[s->n_lent++] = (struct space_block){ addr, size, false, false };
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
    return find_lent(s, addr, SPACE_GRANULE) ? (void *)(uintptr_t)addr : NULL;
}
