/* heap.c - the device heap behind malloc() in kernels: first fit.
 *
 * Blocks lie one after another from the start of the heap up to heap_used, each with
 * a header in device memory. A kernel can overwrite headers, so nothing read from one is
 * believed before it was checked.
 */
#include "frontend/sass/exec/heap.h"

#include <string.h>

#include "frontend/sass/exec/sanitize.h"

enum { HEADER = 16, DEFAULT_HEAP = 8 << 20 };

static const uint64_t mark_used = 0x4c454e4f55534544u, mark_free = 0x4c454e4f46524545u;

struct header {
    uint64_t bytes; /* after the header, a multiple of 16 */
    uint64_t mark;
};

static uint64_t heap_size(const struct sass_grid *g)
{
    if (g->launch.heap && g->launch.heap->addr)
        return g->launch.heap->bytes; /* what it was made with */
    return g->launch.heap_bytes ? g->launch.heap_bytes : DEFAULT_HEAP;
}

static uint8_t *heap_at(const struct sass_grid *g, uint64_t offset)
{
    return g->launch.space->bytes + (g->heap - g->launch.space->base) + offset;
}

/* The block at offset; false at the end of the used part or of sense. */
static bool read_header(const struct sass_grid *g, uint64_t offset, struct header *h)
{
    if (offset >= g->heap_used || g->heap_used - offset < HEADER)
        return false;
    memcpy(h, heap_at(g, offset), sizeof *h);
    return (h->mark == mark_used || h->mark == mark_free) && !(h->bytes & 15) &&
           h->bytes <= g->heap_used - offset - HEADER;
}

static void write_header(const struct sass_grid *g, uint64_t offset, uint64_t bytes,
                         uint64_t mark)
{
    struct header h = { bytes, mark };

    memcpy(heap_at(g, offset), &h, sizeof h);
}

/* Joins a free block with the free ones after it. */
static void join_free(const struct sass_grid *g, uint64_t offset, struct header *h)
{
    struct header next;

    while (read_header(g, offset + HEADER + h->bytes, &next) &&
           next.mark == mark_free) {
        h->bytes += HEADER + next.bytes;
        write_header(g, offset, h->bytes, mark_free);
    }
}

/* Takes a free block, giving back what is too much. */
static void take_block(const struct sass_grid *g, uint64_t offset,
                       const struct header *h, uint64_t bytes)
{
    if (h->bytes - bytes >= 2 * HEADER) {
        write_header(g, offset + HEADER + bytes, h->bytes - bytes - HEADER, mark_free);
        write_header(g, offset, bytes, mark_used);
    } else {
        write_header(g, offset, h->bytes, mark_used);
    }
}

void heap_open(struct sass_grid *g)
{
    if (!g->launch.heap)
        return;
    g->heap = g->launch.heap->addr;
    g->heap_used = g->launch.heap->used;
}

void heap_close(struct sass_grid *g)
{
    struct err ignored;

    if (g->launch.heap)
        *g->launch.heap = (struct sass_heap){ g->heap, heap_size(g), g->heap_used };
    else if (g->heap)
        space_release(g->launch.space, g->heap, &ignored);
}

/* heap_alloc() without a word to the sanitizer. */
static int take_bytes(struct sass_grid *g, uint64_t bytes, uint64_t *addr,
                      struct err *err)
{
    uint64_t offset = 0, size = heap_size(g);
    struct header h;

    *addr = 0;
    if (!bytes || bytes > size)
        return 0;
    if (!g->heap && space_alloc(g->launch.space, size, 256, &g->heap, err))
        return -1;
    bytes = (bytes + 15) & ~(uint64_t)15;
    while (read_header(g, offset, &h)) {
        if (h.mark == mark_free)
            join_free(g, offset, &h);
        if (h.mark == mark_free && h.bytes >= bytes) {
            take_block(g, offset, &h, bytes);
            *addr = g->heap + offset + HEADER;
            return 0;
        }
        offset += HEADER + h.bytes;
    }
    if (offset != g->heap_used || size - offset < HEADER + bytes)
        return 0;
    g->heap_used = offset + HEADER + bytes;
    write_header(g, offset, bytes, mark_used);
    *addr = g->heap + offset + HEADER;
    return 0;
}

int heap_alloc(struct sass_grid *g, uint64_t bytes, uint64_t *addr, struct err *err)
{
    if (take_bytes(g, bytes, addr, err))
        return -1;
    if (*addr && g->launch.sanitizer)
        shadow_add(g->launch.sanitizer->shadow, SHADOW_HEAP, *addr, bytes);
    return 0;
}

bool heap_release(struct sass_grid *g, uint64_t addr)
{
    uint64_t offset = addr - g->heap - HEADER;
    struct header h;

    if (!addr)
        return true;
    if (!g->heap || addr < g->heap + HEADER || offset & 15 ||
        !read_header(g, offset, &h) || h.mark != mark_used)
        return false;
    write_header(g, offset, h.bytes, mark_free);
    if (g->launch.sanitizer)
        shadow_release(g->launch.sanitizer->shadow, addr);
    return true;
}
