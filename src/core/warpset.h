/* warpset.h - sets of the warps of an SM, by slot.
 *
 * Two words; in an SM with up to 64 warps the second is always empty. A sub-core has at
 * most 64 warps, numbered separately, so their sets are plain words.
 */
#ifndef LENO_CORE_WARPSET_H
#define LENO_CORE_WARPSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/invariant.h"

enum { MAX_WARP_SLOTS = 128, MAX_SUBCORE_WARPS = 64, WARP_WORDS = MAX_WARP_SLOTS / 64 };

struct warpset {
    uint64_t w[WARP_WORDS];
};

static inline void warpset_add(struct warpset *s, unsigned warp)
{
    INVARIANT(warp < MAX_WARP_SLOTS);
    s->w[warp / 64] |= (uint64_t)1 << warp % 64;
}

/* (perf) Adds without a branch. */
static inline void warpset_add_if(struct warpset *s, unsigned warp, bool is_added)
{
    s->w[warp / 64] |= (uint64_t)is_added << warp % 64;
}

static inline void warpset_drop(struct warpset *s, unsigned warp)
{
    s->w[warp / 64] &= ~((uint64_t)1 << warp % 64);
}

static inline bool warpset_has(const struct warpset *s, unsigned warp)
{
    return s->w[warp / 64] >> warp % 64 & 1;
}

static inline bool warpset_any(const struct warpset *s)
{
    return s->w[0] | s->w[1];
}

static inline void warpset_clear(struct warpset *s)
{
    s->w[0] = s->w[1] = 0;
}

static inline unsigned warpset_count(const struct warpset *s)
{
    return (unsigned)(__builtin_popcountll(s->w[0]) + __builtin_popcountll(s->w[1]));
}

static inline struct warpset warpset_union(const struct warpset *a,
                                           const struct warpset *b)
{
    return (struct warpset){ { a->w[0] | b->w[0], a->w[1] | b->w[1] } };
}

static inline struct warpset warpset_common(const struct warpset *a,
                                            const struct warpset *b)
{
    return (struct warpset){ { a->w[0] & b->w[0], a->w[1] & b->w[1] } };
}

static inline struct warpset warpset_without(const struct warpset *a,
                                             const struct warpset *b)
{
    return (struct warpset){ { a->w[0] & ~b->w[0], a->w[1] & ~b->w[1] } };
}

static inline bool warpset_same(const struct warpset *a, const struct warpset *b)
{
    return a->w[0] == b->w[0] && a->w[1] == b->w[1];
}

static inline bool warpset_meets(const struct warpset *a, const struct warpset *b)
{
    return (a->w[0] & b->w[0]) | (a->w[1] & b->w[1]);
}

/* The first member of a non-empty set. */
static inline unsigned warpset_first(const struct warpset *s)
{
    INVARIANT(warpset_any(s));
    return (unsigned)(s->w[0] ? __builtin_ctzll(s->w[0])
                              : 64 + __builtin_ctzll(s->w[1]));
}

/* The same, which leaves the set:
 * for (struct warpset m = set; warpset_any(&m);) { warp = warpset_take(&m); ... } */
static inline unsigned warpset_take(struct warpset *s)
{
    unsigned warp = warpset_first(s);

    if (s->w[0])
        s->w[0] &= s->w[0] - 1;
    else
        s->w[1] &= s->w[1] - 1;
    return warp;
}

/* In turn: the first member of a non-empty set after `last`, or else the first. */
static inline unsigned warpset_after(const struct warpset *s, unsigned last)
{
    unsigned at = last / 64;
    uint64_t later = s->w[at] & UINT64_MAX << last % 64 << 1, other = s->w[!at];
    uint64_t next = other ? other : s->w[at];

    at = later || !other ? at : !at; /* perf: both are equally likely, so no branch */
    next = later ? later : next;
    return at * 64 + (unsigned)__builtin_ctzll(next);
}

#endif
