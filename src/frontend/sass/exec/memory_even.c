/* memory_even.c - accesses whose lanes are evenly apart: three lanes tell where all are, and
 * the ends of each half whether all are there.
 *
 * What is not found to be even and good here is left to memory.c, which looks at lane after
 * lane and says what is wrong: generic and local addresses, memory that the host has lent,
 * rows over lower words of addresses that overflow.
 */
#include "frontend/sass/exec/grid.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/math/simd.h"

static const uint32_t LOW_HALF = (1u << HALF_LANES) - 1;

/* Lane 0 of a row, where it would be if it does not take part, and how far it is from there
 * to lanes 1 and 16. */
struct line {
    int64_t first, stride, half;
};

/* Not 0 if lanes of a mask are not on the line, or if their upper words differ. */
SIMD_BODY uneven_body(const uint32_t *lo, const uint32_t *hi, struct line line,
                      uint32_t mask, uint32_t *off)
{
    uint32_t upper = hi[__builtin_ctz(mask)], bad = 0;

    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint32_t at = (uint32_t)line.first + l % HALF_LANES * (uint32_t)line.stride +
                      l / HALF_LANES * (uint32_t)line.half;
        uint32_t is_off = (lo[l] ^ at) | (hi[l] ^ upper);

        bad |= mask == ALL_LANES || mask & sass_lane_bit[l] ? is_off : 0;
    }
    *off = bad;
}

SIMD_KERNEL(uneven,
            (const uint32_t *lo, const uint32_t *hi, struct line line, uint32_t mask,
             uint32_t *off),
            (lo, hi, line, mask, off))

/* By the first two lanes of a mask and the first in its upper half. A gap between the two
 * says nothing: they are taken to be in the same place then, which others disprove. */
static struct line line_of(const uint32_t *row, uint32_t mask)
{
    unsigned f = (unsigned)__builtin_ctz(mask), h;
    struct line line = { 0, 0, 0 };

    if (mask >> f & 2 && f != HALF_LANES - 1)
        line.stride = (int64_t)row[f + 1] - row[f];
    line.first = row[f] - f * line.stride;
    line.half = HALF_LANES * line.stride;
    if (f < HALF_LANES && mask >> HALF_LANES) {
        h = (unsigned)__builtin_ctz(mask >> HALF_LANES);
        line.half = row[HALF_LANES + h] - h * line.stride - line.first;
    }
    return line;
}

/* What lanes of a mask reach; lines here fit 32 bits. */
static ASIDE struct extent reach_of(struct line line, uint32_t mask)
{
    struct addresses a = { (uint64_t)line.first, (int32_t)line.stride,
                           (int32_t)line.half, NULL };

    return addresses_extent(&a, 0, mask);
}

/* *e: what all lanes on the line would reach, or those of the mask do. Inline, because
 * most of it is nothing if the mask is known to be whole. */
static inline __attribute__((always_inline)) bool
find_in_row(struct sass_warp *w, uint32_t mask, const struct operand *o,
            struct addresses *a, struct extent *e)
{
    const uint32_t *lo = w->r[o->reg + 1];
    const uint32_t *hi = o->flags & OPD_WIDE ? w->r[o->reg + 2] : w->r[0];
    struct line line = line_of(lo, mask);
    uint64_t upper = (uint64_t)hi[__builtin_ctz(mask)] << 32;
    uint64_t origin = (upper << o->scale) + memory_offset(w, o);
    int64_t factor = 1 << o->scale;
    uint32_t off;

    uneven(lo, hi, line, mask, &off);
    a->base = (uint64_t)line.first;
    a->stride = (int32_t)(line.stride * factor);
    a->half = (int32_t)(line.half * factor);
    if (off || a->stride != line.stride * factor || a->half != line.half * factor ||
        a->stride == UNEVEN)
        return false;
    *e = addresses_ends(a->base, line.stride, line.half);
    if ((e->low | e->high) > UINT32_MAX)
        *e = reach_of(line, mask);
    if ((e->low | e->high) > UINT32_MAX)
        return false;
    a->base = (a->base << o->scale) + origin;
    e->low = (e->low << o->scale) + origin;
    e->high = (e->high << o->scale) + origin;
    return true;
}

/* Some lanes, or no register: any addresses, lane by lane if need be. */
static ASIDE bool find_some(struct sass_warp *w, uint32_t mask, const struct operand *o,
                            struct addresses *a, struct extent *e)
{
    uint64_t addr[WARP_LANES];

    if (o->reg != REG_RZ && find_in_row(w, mask, o, a, e))
        return true;
    memory_addresses(w, o, addr);
    if (!addresses_find(a, addr, mask))
        return false;
    *e = addresses_extent(a, 0, mask);
    return true;
}

/* Makes offsets of addresses in shared memory; *origin: where offset 0 is. */
static inline bool in_shared(const struct sass_warp *w, struct extent e, unsigned bytes,
                             struct addresses *a, uintptr_t *origin)
{
    uint64_t window = e.low & ~(uint64_t)memory_shared_bits(w);

    if (w->block->shared_size < bytes ||
        e.high - window > w->block->shared_size - bytes)
        return false;
    a->base -= window;
    *origin = (uintptr_t)w->block->shared;
    return true;
}

/* Are all granules there, and not too many of them? */
static bool are_there(const struct space *s, struct extent e)
{
    uint64_t last = e.high | (SPACE_GRANULE - 1);

    if (e.high - e.low > WARP_LANES * SPACE_GRANULE)
        return false;
    while (e.low <= last && space_at(s, e.low))
        e.low += SPACE_GRANULE;
    return e.low > last;
}

/* Each half by itself, where they are far apart. */
static bool halves_are_there(const struct space *s, const struct addresses *a,
                             uint32_t mask)
{
    uint32_t low = mask & LOW_HALF;

    return are_there(s, addresses_extent(a, 0, low)) &&
           are_there(s, addresses_extent(a, 0, mask ^ low));
}

/* The same in global memory, where address 0 need not exist. */
static inline bool in_global(const struct sass_warp *w, struct extent e, uint32_t mask,
                             const struct addresses *a, uintptr_t *origin)
{
    const struct space *s = w->block->grid->launch.space;

    if (e.low < s->base || e.high - s->base >= s->size ||
        (!are_there(s, e) && !halves_are_there(s, a, mask)))
        return false;
    *origin = (uintptr_t)s->bytes - s->base;
    return true;
}

/* Is all of it there? *origin: where address 0 would be. */
static inline bool is_inside(const struct sass_warp *w, uint32_t mask,
                             struct memory_access what, struct extent e,
                             struct addresses *a, uintptr_t *origin)
{
    return what.space == SPACE_SHARED ? in_shared(w, e, what.bytes, a, origin)
                                      : in_global(w, e, mask, a, origin);
}

/* The same of none but the lanes of a mask: others may be outside. */
static ASIDE bool are_inside(const struct sass_warp *w, uint32_t mask,
                             struct memory_access what, struct addresses *a,
                             uintptr_t *origin)
{
    return mask != ALL_LANES &&
           is_inside(w, mask, what, addresses_extent(a, 0, mask), a, origin);
}

/* Are these lines as they are in memory? */
static bool are_unwritten(const struct view_sm *s, struct extent e)
{
    if (e.high - e.low > WARP_LANES * VIEW_LINE)
        return false;
    for (uint64_t at = view_line_of(e.low); at < e.high; at += VIEW_LINE)
        if (view_find(s, at))
            return false;
    return true;
}

/* Lanes that may be in one line, and what they reach. */
struct piece {
    uint32_t mask;
    struct extent e;
};

/* Are they a whole half or warp, side by side? */
static bool is_row(const struct addresses *a, const struct piece *p, unsigned bytes)
{
    return a->stride == (int32_t)bytes &&
           (p->mask == LOW_HALF || p->mask == ~LOW_HALF ||
            (p->mask == ALL_LANES && addresses_are_line(a)));
}

/* They are written: all of it, or lane by lane. */
static void mark_piece(struct view_line *l, const struct addresses *a,
                       const struct piece *p, unsigned bytes)
{
    if (is_row(a, p, bytes)) {
        view_mark_range(l, p->e.low, (unsigned)(p->e.high - p->e.low));
        return;
    }
    for (uint32_t m = p->mask; m; m &= m - 1)
        view_mark(l, addresses_at(a, (unsigned)__builtin_ctz(m)), bytes);
}

static struct piece piece_of(const struct addresses *a, uint32_t mask, unsigned bytes)
{
    return (struct piece){ mask, addresses_extent(a, bytes, mask) };
}

static bool is_in_line(const struct piece *p)
{
    return p->mask && p->e.high - view_line_of(p->e.low) <= VIEW_LINE;
}

/* Where address 0 is for a piece as the SM sees it, or writes it. */
static uintptr_t see_piece(const struct sass_warp *w, const struct addresses *a,
                           const struct piece *p, unsigned bytes, bool is_write,
                           uintptr_t origin)
{
    struct view_sm *s = memory_view(w);
    struct view_line *l;

    if (is_write) {
        l = view_write(view_of_part(w->block->grid->views, s), p->e.low,
                       (uint8_t *)(origin + p->e.low));
        mark_piece(l, a, p, bytes);
    } else if ((l = view_find(s, p->e.low))) {
        view_fill(l, p->e.low, (unsigned)(p->e.high - p->e.low));
    }
    return l ? (uintptr_t)l->data - l->addr : origin;
}

/* Finds where the SM sees what is written, or what it may have written: the lanes in one
 * line, or those of each half. False: they are in more lines. */
static bool is_seen(const struct sass_warp *w, const struct addresses *a, uint32_t mask,
                    unsigned bytes, bool is_write, struct memory_even *to)
{
    struct piece all = piece_of(a, mask, bytes), low, high;
    uintptr_t origin = to->at - a->base, other;

    if (!is_write && are_unwritten(memory_view(w), all.e))
        return true;
    if (is_in_line(&all)) {
        to->at = see_piece(w, a, &all, bytes, is_write, origin) + a->base;
        return true;
    }
    low = piece_of(a, mask & LOW_HALF, bytes);
    high = piece_of(a, mask & ~LOW_HALF, bytes);
    if (!is_in_line(&low) || !is_in_line(&high))
        return false;
    other = see_piece(w, a, &high, bytes, is_write, origin);
    origin = see_piece(w, a, &low, bytes, is_write, origin);
    to->at = origin + a->base;
    to->half = (intptr_t)(other - origin) + a->half;
    return true;
}

/* The same for an instruction. */
static bool see_even(const struct sass_warp *w, const struct sass_inst *i,
                     uint32_t mask, unsigned bytes, const struct addresses *a,
                     struct memory_even *to)
{
    const struct view_sm *s = memory_view(w);
    bool is_write = inst_writes_memory(&i->base);

    if (memory_is_ordered(i) || s->was_ordered)
        memory_order(w);
    return (!is_write && !s->now) || is_seen(w, a, mask, bytes, is_write, to);
}

bool memory_even(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                 struct memory_access what, struct memory_even *p)
{
    struct addresses own = { 0 }, *a = w->dyn ? &w->dyn->addr : &own;
    const struct operand *o = what.address;
    struct extent e;
    uintptr_t origin;

    if (what.space != SPACE_SHARED && what.space != SPACE_GLOBAL)
        return false;
    if (mask == ALL_LANES && o->reg != REG_RZ ? !find_in_row(w, ALL_LANES, o, a, &e)
                                              : !find_some(w, mask, o, a, &e))
        return false;
    if (((uint32_t)a->base | (uint32_t)a->stride | (uint32_t)a->half) &
        (what.bytes - 1u))
        return false;
    if (!is_inside(w, mask, what, e, a, &origin) &&
        !are_inside(w, mask, what, a, &origin))
        return false;
    *p = (struct memory_even){ origin + a->base, a->stride, a->half };
    return what.space != SPACE_GLOBAL || !memory_view(w) ||
           see_even(w, i, mask, what.bytes, a, p);
}
