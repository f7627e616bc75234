/* addresses.h - where the lanes of a memory operation go.
 *
 * Neighbouring threads mostly touch neighbouring elements, or all the same one: lanes are
 * evenly apart, in each half of the warp at least, for many blocks are 16 threads wide.
 * That is said in sixteen bytes and looked at without a loop over lanes. Other addresses
 * are in a list. It is written to room that is lent by whoever has the instruction
 * executed, so that instructions without a list need none in the host's cache.
 *
 * Only lanes of the instruction's mask have an address; what is said here of others means
 * nothing.
 */
#ifndef LENO_ISA_ADDRESSES_H
#define LENO_ISA_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

enum { WARP_LANES = 32, HALF_LANES = WARP_LANES / 2 };
enum { UNEVEN = INT32_MIN };

struct addresses {
    uint64_t base;  /* lane 0's */
    int32_t stride; /* from a lane to the next in its half; UNEVEN: they are in list */
    int32_t half;   /* from a lane to that in its place in the other half */
    uint64_t *list; /* room for WARP_LANES */
};

/* Bytes side by side. */
struct extent {
    uint64_t low, high; /* high is not part of it */
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

/* Are lanes evenly apart over the whole warp? */
static inline bool addresses_are_line(const struct addresses *a)
{
    return a->half == (int64_t)a->stride * HALF_LANES;
}

/* The lowest and the highest address of 32 lanes that are so far apart. */
static inline struct extent addresses_ends(uint64_t base, int64_t stride, int64_t half)
{
    int64_t reach = stride * (HALF_LANES - 1);
    int64_t low = (reach < 0 ? reach : 0) + (half < 0 ? half : 0);

    return (struct extent){ base + (uint64_t)low,
                            base + (uint64_t)(reach + half - low) };
}

/* Lane l at base + l * stride, in either half. */
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

/* The list, to be filled in. */
static inline uint64_t *addresses_list(struct addresses *a)
{
    a->stride = UNEVEN;
    return a->list;
}

/* Finds the steps between lanes of a mask, which is not empty; false: they are uneven, and
 * a is as it was. */
bool addresses_find(struct addresses *a, const uint64_t *addr, uint32_t mask);

/* Takes addresses over, in whatever form. All of addr can be read. */
void addresses_set(struct addresses *a, const uint64_t *addr, uint32_t mask);

/* The other way: one for each lane. */
void addresses_spread(const struct addresses *a, uint64_t *addr);

/* The same, in the list where there is one, else in addr. */
static inline const uint64_t *addresses_each(const struct addresses *a, uint64_t *addr)
{
    if (a->stride == UNEVEN)
        return a->list;
    addresses_spread(a, addr);
    return addr;
}

/* From the lowest byte to the highest that lanes of a mask touch, so many each; of no bytes
 * high is the highest address. */
struct extent addresses_extent(const struct addresses *a, unsigned bytes,
                               uint32_t mask);

/* Takes the last lane out of a mask that is not empty, and with it those whose bytes lie
 * before its own without a gap, or are the same. Returns what they touch. */
struct extent addresses_take(const struct addresses *a, unsigned bytes, uint32_t *mask);

#endif
