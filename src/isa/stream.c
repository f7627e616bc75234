/* stream.c - several instructions of a stream at once; do two memory operations of a warp
 * touch the same bytes?
 *
 * LIMIT: of an asynchronous copy only the addresses it reads are known, not where in
 * shared memory it writes; it counts as touching all of that.
 */
#include "isa/stream.h"

enum stream_status stream_run(struct stream *s, unsigned warp, struct dyn *const *dyn,
                              unsigned *n, struct err *err)
{
    struct dyn *const *end = dyn + *n, *const *at = dyn;
    enum stream_status status = STREAM_INST;

    if (s->ops->run)
        return s->ops->run(s, warp, dyn, n, err);
    *n = 0;
    while (at < end) {
        struct dyn *d = *at;

        status = s->ops->next(s, warp, d, err);
        if (status != STREAM_INST)
            break;
        at++;
        if (dyn_waits(d) || (d->inst->flags & INST_EXIT && !d->next_pc))
            break;
    }
    *n = (unsigned)(at - dyn);
    return status == STREAM_ERROR || !*n ? status : STREAM_INST;
}

struct extent {
    uint64_t low, high; /* high is not part of it */
};

static struct extent extent_of(const struct dyn *d)
{
    struct extent e = { UINT64_MAX, 0 };

    for (uint32_t m = d->mask; m; m &= m - 1) {
        uint64_t at = d->addr[__builtin_ctz(m)];

        e.low = at < e.low ? at : e.low;
        e.high = at + d->inst->bytes > e.high ? at + d->inst->bytes : e.high;
    }
    return e;
}

/* Does a lane of this mask touch these bytes? */
static bool touches(const struct dyn *d, uint32_t mask, struct extent e)
{
    for (; mask; mask &= mask - 1) {
        uint64_t at = d->addr[__builtin_ctz(mask)];

        if (at < e.high && e.low < at + d->inst->bytes)
            return true;
    }
    return false;
}

static bool copies_to_shared(const struct dyn *d)
{
    return d->inst->flags & INST_ASYNC;
}

bool dyn_overlap(const struct dyn *a, const struct dyn *b)
{
    struct extent all;

    if ((copies_to_shared(a) && (copies_to_shared(b) || b->space == SPACE_SHARED)) ||
        (copies_to_shared(b) && a->space == SPACE_SHARED))
        return a->mask && b->mask;
    if (a->space != b->space || !a->mask || !b->mask)
        return false;
    all = extent_of(a);
    if (!touches(b, b->mask, all))
        return false;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        struct extent own = { a->addr[lane], a->addr[lane] + a->inst->bytes };
        uint32_t with = b->space == SPACE_LOCAL ? b->mask & 1u << lane : b->mask;

        if (touches(b, with, own))
            return true;
    }
    return false;
}
