/* space_map.c - memory mapped into a space. Memory is a file of the host's, which the host
 * maps at each of its places, so that an access takes the same path as any other.
 */
#include "base/space_map.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/space_internal.h"

/* Appends host memory to the space's, with its bitmap. */
static int grow_space(struct space *s, uint64_t bytes, struct err *err)
{
    uint64_t bits = s->size / SPACE_GRANULE / 8, more = bytes / SPACE_GRANULE / 8;
    uint64_t *granules;
    void *at = s->bytes + s->size;

    if (space_reserve_pages(at, bytes) != at)
        return err_memory(err, "%llu bytes of address space",
                          (unsigned long long)bytes);
    granules = mremap(s->granules, bits, bits + more, MREMAP_MAYMOVE);
    if (granules == MAP_FAILED) {
        munmap(at, bytes);
        return err_memory(err, "the map of %llu bytes", (unsigned long long)bytes);
    }
    s->granules = granules;
    s->size += bytes;
    return 0;
}

/* Is the range inside the space and free? *at: its place in the list. */
static bool is_free(const struct space *s, uint64_t addr, uint64_t bytes, size_t *at)
{
    const struct space_block *b;

    if (addr < s->base + SPACE_PAGE || addr - s->base > s->size ||
        s->size - (addr - s->base) < bytes)
        return false;
    *at = space_first_after(s->blocks, s->n_blocks, addr);
    b = s->blocks + *at;
    return (*at == s->n_blocks || b->addr >= addr + bytes) &&
           (!*at || b[-1].addr + b[-1].size <= addr);
}

int space_reserve(struct space *s, uint64_t bytes, uint64_t align, uint64_t wanted,
                  uint64_t *addr, struct err *err)
{
    size_t at;

    if (align < SPACE_PAGE)
        align = SPACE_PAGE;
    *addr = wanted;
    if (!wanted || wanted % align || !is_free(s, wanted, bytes, &at)) {
        if (!space_find_gap(s, bytes, align, &at, addr) &&
            (grow_space(s, bytes + align, err) ||
             !space_find_gap(s, bytes, align, &at, addr)))
            return -1;
    }
    return space_insert_block(s, at, (struct space_block){ *addr, bytes, true, false },
                              err);
}

void space_unreserve(struct space *s, uint64_t addr)
{
    space_remove_block(s, space_first_after(s->blocks, s->n_blocks, addr) - 1);
}

bool space_find_reserved(const struct space *s, uint64_t addr, uint64_t *start,
                         uint64_t *size)
{
    size_t i = space_first_after(s->blocks, s->n_blocks, addr);
    const struct space_block *b = i ? &s->blocks[i - 1] : NULL;

    if (!b || !b->is_reserved || addr - b->addr >= b->size)
        return false;
    *start = b->addr;
    *size = b->size;
    return true;
}

int space_memory_new(struct space *s, uint64_t bytes, int *file, struct err *err)
{
    if (bytes > s->whole - s->used)
        return err_kind(err, ERR_LIMIT, "allocation of %llu bytes: no room left",
                        (unsigned long long)bytes);
    *file = memfd_create("leno", MFD_CLOEXEC);
    if (*file < 0)
        return err_memory(err, "%llu bytes", (unsigned long long)bytes);
    if (ftruncate(*file, (off_t)bytes)) {
        close(*file);
        return err_memory(err, "%llu bytes", (unsigned long long)bytes);
    }
    s->used += bytes;
    return 0;
}

void space_memory_free(struct space *s, uint64_t bytes, int file)
{
    close(file);
    s->used -= bytes;
}

int space_map(struct space *s, uint64_t addr, uint64_t bytes, int file, uint64_t offset,
              struct err *err)
{
    void *at = s->bytes + (addr - s->base);

    if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             (off_t)offset) != at)
        return err_memory(err, "a mapping of %llu bytes", (unsigned long long)bytes);
    return 0;
}

void space_unmap(struct space *s, uint64_t addr, uint64_t bytes)
{
    void *at = s->bytes + (addr - s->base);

    space_allow(s, addr, bytes, false);
    mmap(at, bytes, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void space_allow(struct space *s, uint64_t addr, uint64_t bytes, bool is_allowed)
{
    space_mark(s, addr, bytes, is_allowed);
}

static int open_file(struct space *s, struct err *err)
{
    uint64_t pages = (s->size + SPACE_PAGE - 1) / SPACE_PAGE;

    if (s->shared)
        return 0;
    s->shared = calloc(pages / 64 + 1, sizeof *s->shared);
    s->file = s->shared ? memfd_create("leno", MFD_CLOEXEC) : -1;
    if (s->file >= 0 && !ftruncate(s->file, (off_t)(pages * SPACE_PAGE)))
        return 0;
    if (s->file >= 0)
        close(s->file);
    free(s->shared);
    s->shared = NULL;
    return err_memory(err, "memory for other processes");
}

static int share_page(struct space *s, uint64_t page, struct err *err)
{
    uint64_t offset = page * SPACE_PAGE;

    if (s->shared[page / 64] >> page % 64 & 1)
        return 0;
    if (pwrite(s->file, s->bytes + offset, SPACE_PAGE, (off_t)offset) != SPACE_PAGE ||
        space_map(s, s->base + offset, SPACE_PAGE, s->file, offset, err))
        return err_memory(err, "a page for other processes");
    s->shared[page / 64] |= (uint64_t)1 << page % 64;
    return 0;
}

int space_share(struct space *s, uint64_t addr, uint64_t bytes, struct err *err)
{
    uint64_t first = (addr - s->base) / SPACE_PAGE;
    uint64_t last = (addr + bytes - 1 - s->base) / SPACE_PAGE;

    if (open_file(s, err))
        return -1;
    for (uint64_t page = first; page <= last; page++) {
        if (share_page(s, page, err))
            return -1;
    }
    return 0;
}
