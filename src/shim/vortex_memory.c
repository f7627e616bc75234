/* vortex_memory.c - places for buffers in device memory. */
#include "shim/vortex_memory.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/riscv/riscv.h"

enum { UNIT = 64, PAGE = 4096 };
static const uint64_t no_gap = UINT64_MAX;

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

uint64_t vortex_capacity(void)
{
    return RISCV_START - RISCV_HEAP;
}

static int out_of_host(struct err *err)
{
    return err_memory(err, "the list of buffers");
}

static int insert_range(struct vortex_ranges *r, unsigned place,
                        struct vortex_range range, struct err *err)
{
    if (r->n == r->cap) {
        unsigned cap = r->cap ? 2 * r->cap : 16;
        struct vortex_range *at = realloc(r->at, cap * sizeof *at);

        if (!at)
            return out_of_host(err);
        r->at = at;
        r->cap = cap;
    }
    memmove(r->at + place + 1, r->at + place, (r->n - place) * sizeof *r->at);
    r->at[place] = range;
    r->n++;
    return 0;
}

static void remove_range(struct vortex_ranges *r, unsigned place)
{
    r->n--;
    memmove(r->at + place, r->at + place + 1, (r->n - place) * sizeof *r->at);
}

/* The first that does not begin before addr. */
static unsigned find_range(const struct vortex_ranges *r, uint64_t addr)
{
    unsigned n = 0;

    while (n < r->n && r->at[n].first < addr)
        n++;
    return n;
}

void vortex_allocator_free(struct vortex_allocator *a)
{
    free(a->pages.at);
    free(a->used.at);
    free(a->reserved.at);
    *a = (struct vortex_allocator){ 0 };
}

/* The smallest gap of a page that has room for size bytes. */
static uint64_t find_gap(const struct vortex_allocator *a, struct vortex_range page,
                         uint64_t size)
{
    uint64_t end = page.first + page.size, from = page.first, best = no_gap;
    uint64_t best_size = no_gap;

    for (unsigned n = find_range(&a->used, page.first); from < end; n++) {
        bool is_inside = n < a->used.n && a->used.at[n].first < end;
        uint64_t to = is_inside ? a->used.at[n].first : end;

        if (to - from >= size && to - from < best_size) {
            best = from;
            best_size = to - from;
        }
        if (!is_inside)
            break;
        from = to + a->used.at[n].size;
    }
    return best;
}

static uint64_t end_of_pages(const struct vortex_allocator *a)
{
    const struct vortex_range *last = a->pages.n ? &a->pages.at[a->pages.n - 1] : NULL;

    return last ? last->first + last->size : RISCV_HEAP;
}

static bool range_overlaps(const struct vortex_ranges *r, struct vortex_range range)
{
    for (unsigned n = 0; n < r->n; n++)
        if (range.first < r->at[n].first + r->at[n].size &&
            r->at[n].first < range.first + range.size)
            return true;
    return false;
}

static int open_page(struct vortex_allocator *a, uint64_t size, uint64_t *addr,
                     struct err *err)
{
    struct vortex_range page = { end_of_pages(a), round_up(size, PAGE) };

    if (page.size > RISCV_START - page.first || range_overlaps(&a->reserved, page))
        return err_kind(err, ERR_LIMIT, "%llu bytes: device memory is used up",
                        (unsigned long long)size);
    *addr = page.first;
    return insert_range(&a->pages, a->pages.n, page, err);
}

int vortex_alloc(struct vortex_allocator *a, uint64_t size, uint64_t *addr,
                 struct err *err)
{
    *addr = no_gap;
    if (!size || size > vortex_capacity())
        return err_set(err, "%llu bytes, expected 1 to %llu", (unsigned long long)size,
                       (unsigned long long)vortex_capacity());
    size = round_up(size, UNIT);
    for (unsigned n = a->pages.n; n-- > 0 && *addr == no_gap;)
        *addr = find_gap(a, a->pages.at[n], size);
    if (*addr == no_gap && open_page(a, size, addr, err))
        return -1;
    return insert_range(&a->used, find_range(&a->used, *addr),
                        (struct vortex_range){ *addr, size }, err);
}

int vortex_reserve(struct vortex_allocator *a, uint64_t addr, uint64_t size,
                   struct err *err)
{
    struct vortex_range range = { addr, size };

    if (!size || addr > UINT32_MAX || size > ((uint64_t)1 << 32) - addr)
        return err_set(err, "%llu bytes at 0x%llx, expected some, below 0x100000000",
                       (unsigned long long)size, (unsigned long long)addr);
    if (range_overlaps(&a->pages, range) || range_overlaps(&a->reserved, range))
        return err_set(err, "%llu bytes at 0x%llx: some of them are in use",
                       (unsigned long long)size, (unsigned long long)addr);
    return insert_range(&a->reserved, a->reserved.n, range, err);
}

static bool remove_range_at(struct vortex_ranges *r, uint64_t addr)
{
    for (unsigned n = 0; n < r->n; n++)
        if (r->at[n].first == addr) {
            remove_range(r, n);
            return true;
        }
    return false;
}

/* Pages are given back from the last one down, once they are empty. */
static void close_pages(struct vortex_allocator *a)
{
    while (a->pages.n && !range_overlaps(&a->used, a->pages.at[a->pages.n - 1]))
        a->pages.n--;
}

bool vortex_release(struct vortex_allocator *a, uint64_t addr)
{
    if (!remove_range_at(&a->used, addr))
        return remove_range_at(&a->reserved, addr);
    close_pages(a);
    return true;
}

uint64_t vortex_used(const struct vortex_allocator *a)
{
    uint64_t sum = 0;

    for (unsigned n = 0; n < a->used.n; n++)
        sum += a->used.at[n].size;
    return sum;
}
