/* memory_even.c - accesses whose lanes are evenly apart: three lanes tell where all are, and
 * the ends of each half whether all are there.
 *
 * What is not found to be even and good here is left to memory.c, which looks at lane after
 * lane and says what is wrong: generic and local addresses, memory that the host has lent,
 * rows over lower words of addresses that overflow.
 */
#include "frontend/sass/grid.h"
#include "frontend/sass/memory.h"
#include "frontend/sass/simd.h"

/* Not 0 if a row is not as lane 0 and the steps say, or if upper words differ. */
SIMD_BODY uneven_body(const uint32_t *lo, const uint32_t *hi, uint32_t *off)
{
    uint32_t first = lo[0], stride = lo[1] - first, half = lo[HALF_LANES] - first;
    uint32_t upper = hi[0], bad = 0;

    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint32_t at = first + l % HALF_LANES * stride + l / HALF_LANES * half;

        bad |= (lo[l] ^ at) | (hi[l] ^ upper);
    }
    *off = bad;
}

SIMD_KERNEL(uneven, (const uint32_t *lo, const uint32_t *hi, uint32_t *off),
            (lo, hi, off))

/* All lanes of a row, by lanes 0, 1 and 16; those that do not take part mostly agree. */
static bool find_in_row(struct sass_warp *w, const struct operand *o,
                        struct addresses *a)
{
    const uint32_t *lo = w->r[o->reg + 1];
    const uint32_t *hi = o->flags & OPD_WIDE ? w->r[o->reg + 2] : w->r[0];
    int64_t stride = (int64_t)lo[1] - lo[0], half = (int64_t)lo[HALF_LANES] - lo[0];
    struct extent e = addresses_ends(lo[0], stride, half);
    uint32_t off;

    uneven(lo, hi, &off);
    if (off || (e.low | e.high) > UINT32_MAX)
        return false;
    stride *= 1 << o->scale;
    half *= 1 << o->scale;
    a->base = (((uint64_t)hi[0] << 32 | lo[0]) << o->scale) + memory_offset(w, o);
    a->stride = (int32_t)stride;
    a->half = (int32_t)half;
    return a->stride == stride && a->half == half && stride != UNEVEN;
}

static bool find(struct sass_warp *w, uint32_t mask, const struct operand *o,
                 struct addresses *a)
{
    uint64_t addr[WARP_LANES];

    if (o->reg != REG_RZ && find_in_row(w, o, a))
        return true;
    if (o->reg != REG_RZ && mask == ALL_LANES)
        return false;
    memory_addresses(w, o, addr);
    return addresses_find(a, addr, mask);
}

/* Makes offsets of addresses in shared memory; *origin: where offset 0 is. */
static bool in_shared(const struct sass_warp *w, struct extent e, unsigned bytes,
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
    uint32_t low = mask & ((1u << HALF_LANES) - 1);

    return are_there(s, addresses_extent(a, 0, low)) &&
           are_there(s, addresses_extent(a, 0, mask ^ low));
}

/* The same in global memory, where address 0 need not exist. */
static bool in_global(const struct sass_warp *w, struct extent e, uint32_t mask,
                      const struct addresses *a, uintptr_t *origin)
{
    const struct space *s = w->block->grid->launch.space;

    if (e.low < s->base || e.high - s->base >= s->size ||
        (!are_there(s, e) && !halves_are_there(s, a, mask)))
        return false;
    *origin = (uintptr_t)s->bytes - s->base;
    return true;
}

bool memory_even(struct sass_warp *w, uint32_t mask, struct memory_access what,
                 struct memory_even *p)
{
    struct addresses own = { 0 }, *a = w->dyn ? &w->dyn->addr : &own;
    struct extent e;
    uintptr_t origin;

    if ((what.space != SPACE_SHARED && what.space != SPACE_GLOBAL) ||
        !find(w, mask, what.address, a) ||
        ((uint32_t)a->base | (uint32_t)a->stride | (uint32_t)a->half) &
            (what.bytes - 1u))
        return false;
    e = addresses_extent(a, 0, mask);
    if (what.space == SPACE_SHARED ? !in_shared(w, e, what.bytes, a, &origin)
                                   : !in_global(w, e, mask, a, &origin))
        return false;
    *p = (struct memory_even){ origin + a->base, a->stride, a->half };
    return true;
}
