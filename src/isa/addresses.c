/* addresses.c - finds evenly spaced lane addresses and handles them as a group.
 *
 * Rows of 8 lanes and fewer (blocks less than 16 threads wide) are not recognised; they
 * become lists.
 */
#include "isa/addresses.h"

#include <string.h>

static const uint32_t half_mask[2] = { 0x0000ffff, 0xffff0000 };

static unsigned first_lane(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static unsigned last_lane(uint32_t mask)
{
    return WARP_LANES - 1 - (unsigned)__builtin_clz(mask);
}

static bool fits_stride(int64_t step)
{
    return step > INT32_MIN && step <= INT32_MAX;
}

void addresses_set_halves(struct addresses *a, uint64_t base, int64_t stride,
                          int64_t half)
{
    if (fits_stride(stride) && fits_stride(half)) {
        a->base = base;
        a->stride = (int32_t)stride;
        a->half = (int32_t)half;
        return;
    }
    for (unsigned l = 0; l < WARP_LANES; l++)
        addresses_list(a)[l] =
            base + l % HALF_LANES * (uint64_t)stride + l / HALF_LANES * (uint64_t)half;
}

/* The step between the first two lanes of a mask, if it is an integer. */
static int64_t step_of(const uint64_t *addr, uint32_t mask)
{
    unsigned f = first_lane(mask), g = first_lane(mask & (mask - 1));

    return (int64_t)(addr[g] - addr[f]) / (int64_t)(g - f);
}

/* The stride of the first half that has two lanes. */
static int64_t find_stride(const uint64_t *addr, uint32_t mask)
{
    for (unsigned h = 0; h < 2; h++) {
        uint32_t lanes = mask & half_mask[h];

        if (lanes & (lanes - 1))
            return step_of(addr, lanes);
    }
    return 0;
}

/* Where the first lane of a half would be, computed from a lane in the mask. */
static uint64_t half_start(const uint64_t *addr, uint32_t lanes, int64_t stride)
{
    unsigned f = first_lane(lanes);

    return addr[f] - f % HALF_LANES * (uint64_t)stride;
}

static bool is_even(const struct addresses *a, const uint64_t *addr, uint32_t mask)
{
    uint64_t off = 0;

    if (addr[last_lane(mask)] != addresses_at(a, last_lane(mask)))
        return false; /* the common case of uneven lanes: give up early */
    for (unsigned l = 0; l < WARP_LANES; l++)
        off |= (addr[l] ^ addresses_at(a, l)) & -(uint64_t)(mask >> l & 1);
    return !off;
}

bool addresses_find(struct addresses *a, const uint64_t *addr, uint32_t mask)
{
    uint32_t low = mask & half_mask[0], high = mask & half_mask[1];
    int64_t stride = find_stride(addr, mask), half;
    struct addresses found = { .list = a->list };

    half = (int64_t)((uint64_t)stride * HALF_LANES);
    if (low && high)
        half =
            (int64_t)(half_start(addr, high, stride) - half_start(addr, low, stride));
    if (!fits_stride(stride) || !fits_stride(half))
        return false;
    found.stride = (int32_t)stride;
    found.half = (int32_t)half;
    found.base = low ? half_start(addr, low, stride)
                     : half_start(addr, high, stride) - (uint64_t)half;
    if (!is_even(&found, addr, mask))
        return false;
    *a = found;
    return true;
}

void addresses_set(struct addresses *a, const uint64_t *addr, uint32_t mask)
{
    if (!mask)
        addresses_set_line(a, 0, 0);
    else if (!addresses_find(a, addr, mask))
        memcpy(addresses_list(a), addr, WARP_LANES * sizeof *addr);
}

void addresses_spread(const struct addresses *a, uint64_t *addr)
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        addr[l] = addresses_at(a, l);
}

/* The first and the last lane of a mask, as bits. */
static uint32_t ends_of(uint32_t mask)
{
    return mask ? 1u << first_lane(mask) | 1u << last_lane(mask) : 0;
}

struct extent addresses_extent(const struct addresses *a, unsigned bytes, uint32_t mask)
{
    struct extent e = { UINT64_MAX, 0 };

    if (a->stride != UNEVEN && mask == UINT32_MAX) {
        e = addresses_ends(a->base, a->stride, a->half);
        e.high += bytes;
        return e;
    }
    if (a->stride != UNEVEN)
        mask = ends_of(mask & half_mask[0]) | ends_of(mask & half_mask[1]);
    for (; mask; mask &= mask - 1) {
        uint64_t at = addresses_at(a, first_lane(mask));

        e.low = at < e.low ? at : e.low;
        e.high = at + bytes > e.high ? at + bytes : e.high;
    }
    return e;
}

struct extent addresses_take(const struct addresses *a, unsigned bytes, uint32_t *mask)
{
    unsigned last = last_lane(*mask), first = last, n = 1;
    uint32_t row = addresses_are_line(a) ? *mask : *mask & half_mask[last / HALF_LANES];
    uint64_t low;

    if (!a->stride) {
        *mask &= ~row;
    } else if (a->stride == (int64_t)bytes) {
        uint32_t gaps = ~row & ((2u << last) - 1);

        first = gaps ? last_lane(gaps) + 1 : 0;
        n = last - first + 1;
        *mask &= ~((2u << last) - (1u << first));
    } else {
        *mask &= ~(1u << last);
    }
    low = addresses_at(a, first);
    return (struct extent){ low, low + n * bytes };
}
