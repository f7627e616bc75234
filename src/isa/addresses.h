/* addresses.h - the addresses of the lanes of a memory operation.
 *
 * Neighbouring threads mostly touch neighbouring elements, or all the same one: lanes
 * are evenly spaced, at least in each half of the warp, since many blocks are 16
 * threads wide. Such addresses take sixteen bytes and need no loop over lanes. All
 * other addresses are in a list, in memory that the caller provides (perf: instructions
 * without a list then take no room for one in the host's caches).
 *
 * Only lanes of the instruction's mask have an address; the values for other lanes are
 * meaningless.
 */
#ifndef LENO_ISA_ADDRESSES_H
#define LENO_ISA_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

enum { WARP_LANES = 32, HALF_LANES = WARP_LANES / 2 };
enum { UNEVEN = INT32_MIN };

struct addresses {
    uint64_t base; /* address of lane 0 */
    /* distance between neighbouring lanes of a half; UNEVEN: see list */
    int32_t stride;
    int32_t half;   /* distance between the same lanes of the two halves */
    uint64_t *list; /* room for WARP_LANES */
};

/* A contiguous range of bytes. */
struct extent {
    uint64_t low, high; /* high is exclusive */
};

static inline bool extents_meet(struct extent a, struct extent b)
{
    return a.low < b.high && b.low < a.high;
}

static inline uint64_t addresses_at(const struct addresses *a, unsigned lane)
{
    if (a->stride == UNEVEN)
        return a->list[lane];
    return a->base + (uint64_t)((int64_t)a->stride * (lane % HALF_LANES) +
                                (int64_t)a->half * (lane / HALF_LANES));
}

/* Are lanes evenly spaced over the whole warp? */
static inline bool addresses_are_line(const struct addresses *a)
{
    return a->half == (int64_t)a->stride * HALF_LANES;
}

/* The lowest and the highest address of 32 lanes with these distances. */
static inline struct extent addresses_ends(uint64_t base, int64_t stride, int64_t half)
{
    int64_t reach = stride * (HALF_LANES - 1);
    int64_t low = (reach < 0 ? reach : 0) + (half < 0 ? half : 0);

    return (struct extent){ base + (uint64_t)low,
                            base + (uint64_t)(reach + half - low) };
}

/* Sets lane l of each half to base + l * stride; the second half is `half` further
 * on. */
void addresses_set_halves(struct addresses *a, uint64_t base, int64_t stride,
                          int64_t half);
static inline void addresses_set_line(struct addresses *a, uint64_t base,
                                      int64_t stride)
{
    int32_t half = (int32_t)((uint32_t)stride * HALF_LANES);

    if (half / HALF_LANES != stride) {
        addresses_set_halves(a, base, stride, (int64_t)((uint64_t)stride * HALF_LANES));
        return;
    }
    a->base = base;
    a->stride = half / HALF_LANES;
    a->half = half;
}

/* The list, for the caller to fill in. */
static inline uint64_t *addresses_list(struct addresses *a)
{
    a->stride = UNEVEN;
    return a->list;
}

/* Finds the distances between the lanes of a non-empty mask. False if they are uneven;
 * then a is unchanged. */
bool addresses_find(struct addresses *a, const uint64_t *addr, uint32_t mask);

/* Takes over addresses in whatever form fits. All of addr must be readable. */
void addresses_set(struct addresses *a, const uint64_t *addr, uint32_t mask);

/* The reverse: writes one address per lane. */
void addresses_spread(const struct addresses *a, uint64_t *addr);

/* The addresses one per lane: the list if there is one, else addr, filled in. */
static inline const uint64_t *addresses_each(const struct addresses *a, uint64_t *addr)
{
    if (a->stride == UNEVEN)
        return a->list;
    addresses_spread(a, addr);
    return addr;
}

/* The range from the lowest to the highest byte that lanes of a mask touch, `bytes`
 * each; with no bytes, high is the highest address. */
struct extent addresses_extent(const struct addresses *a, unsigned bytes,
                               uint32_t mask);

/* Removes the last lane from a non-empty mask, together with all lanes whose bytes
 * adjoin or equal the range before it. Returns the bytes they touch. */
struct extent addresses_take(const struct addresses *a, unsigned bytes, uint32_t *mask);

#endif
