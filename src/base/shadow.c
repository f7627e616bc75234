/* shadow.c - allocations and which of their bytes were written; see shadow.h. */
#include "base/shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"

enum { GRANULE = 256 }; /* what allocations are rounded up to */

void shadow_free_all(struct shadow *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->at[i].written);
    free(s->at);
    *s = (struct shadow){ 0 };
}

void shadow_set_bits(uint8_t *bits, uint64_t first, uint64_t n)
{
    for (; n && first % 8; first++, n--)
        bits[first / 8] |= (uint8_t)(1u << first % 8);
    memset(bits + first / 8, 0xff, n / 8);
    for (first += n / 8 * 8, n %= 8; n; first++, n--)
        bits[first / 8] |= (uint8_t)(1u << first % 8);
}

bool shadow_has_any(const uint8_t *bits, uint64_t first, uint64_t n)
{
    for (; n; first++, n--)
        if (bits[first / 8] >> first % 8 & 1)
            return true;
    return false;
}

/* Index of the first block that starts after addr. */
static size_t first_after(const struct shadow *s, uint64_t addr)
{
    size_t lo = 0, hi = s->n;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (s->at[mid].start <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Blocks whose place is taken again. */
static void forget_overlapping(struct shadow *s, uint64_t start, uint64_t size)
{
    size_t from = first_after(s, start), to;

    if (from && start - s->at[from - 1].start < s->at[from - 1].size)
        from--;
    for (to = from; to < s->n && s->at[to].start < start + size; to++)
        free(s->at[to].written);
    if (to > from)
        memmove(s->at + from, s->at + to, (s->n - to) * sizeof *s->at);
    s->n -= to - from;
}

void shadow_add(struct shadow *s, enum shadow_kind kind, uint64_t start, uint64_t size)
{
    struct shadow_block b = { .kind = kind, .start = start, .size = size };
    bool has_unset = kind == SHADOW_DEVICE || kind == SHADOW_HEAP;
    size_t i;

    forget_overlapping(s, start, size);
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 64;
        s->at = realloc(s->at, s->cap * sizeof *s->at);
    }
    if (has_unset)
        b.written = calloc(size / 8 + 1, 1);
    if (!s->at || (has_unset && !b.written))
        err_memory_exit("the shadow of memory");
    i = first_after(s, start);
    memmove(s->at + i + 1, s->at + i, (s->n - i) * sizeof *s->at);
    s->at[i] = b;
    s->n++;
}

void shadow_release(struct shadow *s, uint64_t start)
{
    size_t i = first_after(s, start);
    struct shadow_block *b = i ? &s->at[i - 1] : NULL;

    if (!b || b->start != start)
        return;
    free(b->written);
    b->written = NULL;
    b->is_freed = true;
    b->freed_after = s->launches;
}

void shadow_write(struct shadow *s, uint64_t addr, uint64_t n)
{
    size_t i = first_after(s, addr);
    struct shadow_block *b = i ? &s->at[i - 1] : NULL;

    if (!b || !b->written || addr - b->start >= b->size)
        return;
    if (n > b->size - (addr - b->start))
        n = b->size - (addr - b->start);
    shadow_set_bits(b->written, addr - b->start, n);
}

enum shadow_state shadow_look(const struct shadow *s, uint64_t addr, uint64_t n,
                              bool reads, struct shadow_block *block)
{
    size_t i = first_after(s, addr);
    const struct shadow_block *b = i ? &s->at[i - 1] : NULL;
    uint64_t offset = b ? addr - b->start : 0, whole;

    if (!b)
        return SHADOW_GOOD;
    *block = *b;
    whole = (b->size + GRANULE - 1) / GRANULE * GRANULE;
    if (b->is_freed)
        return offset < whole ? SHADOW_FREED : SHADOW_GOOD;
    if (offset < whole && offset + n > b->size)
        return SHADOW_PADDING;
    if (offset + n <= b->size && reads && b->written && !s->is_blind &&
        !shadow_has_any(b->written, offset, n))
        return SHADOW_UNSET;
    return SHADOW_GOOD;
}
