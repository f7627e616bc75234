/* stream.c - taking several instructions of a stream at once, and the test whether two
 * memory operations of a warp touch the same bytes.
 *
 * LIMIT: only the addresses that an asynchronous copy reads are known, not those in
 * shared memory that it writes; it counts as touching all of shared memory.
 */
#include "isa/stream.h"

void kernel_put_line(const struct kernel *k, const struct inst *i, struct buf *out)
{
    struct kernel_where where = { 0 };

    if (k->ops && k->ops->where)
        k->ops->where(k, i, &where);
    if (where.file)
        buf_printf(out, " (%s:%u)", where.file, where.line);
}

enum stream_status stream_run_each(struct stream *s, unsigned warp,
                                   struct dyn *const *dyn, unsigned *n, struct err *err)
{
    struct dyn *const *end = dyn + *n, *const *at = dyn;
    enum stream_status status = STREAM_INST;

    *n = 0;
    while (at < end) {
        struct dyn *d = *at;

        status = s->ops->next(s, warp, d, err);
        if (status != STREAM_INST)
            break;
        at++;
        if (dyn_waits(d) || (d->inst->flags & INST_EXIT && !d->next_pc) ||
            (s->is_timed && d->inst->flags & (INST_TIME | INST_PHASE)))
            break;
    }
    *n = (unsigned)(at - dyn);
    return status == STREAM_ERROR || !*n ? status : STREAM_INST;
}

enum stream_status stream_next_none(struct stream *s, unsigned warp, struct dyn *dyn,
                                    struct err *err)
{
    (void)s, (void)warp, (void)dyn, (void)err;
    return STREAM_END;
}

static struct extent extent_of(const struct dyn *d, uint32_t mask)
{
    return addresses_extent(&d->addr, d->inst->bytes, mask);
}

/* Does a lane touch a byte that the same lane of the other operation touches? */
static bool overlap_in_lane(const struct dyn *a, const struct dyn *b)
{
    for (uint32_t m = a->mask & b->mask; m; m &= m - 1)
        if (extents_meet(extent_of(a, m & -m), extent_of(b, m & -m)))
            return true;
    return false;
}

static bool overlap_in_warp(const struct dyn *a, const struct dyn *b)
{
    for (uint32_t m = a->mask; m;) {
        struct extent e = addresses_take(&a->addr, a->inst->bytes, &m);

        for (uint32_t k = b->mask; k;)
            if (extents_meet(e, addresses_take(&b->addr, b->inst->bytes, &k)))
                return true;
    }
    return false;
}

/* May it touch shared memory? */
static bool is_in_shared(const struct dyn *d)
{
    return inst_is_copy(d->inst) || d->space == SPACE_SHARED;
}

bool dyn_overlap(const struct dyn *a, const struct dyn *b)
{
    if (!a->mask || !b->mask)
        return false;
    if (a->space == SPACE_NONE || b->space == SPACE_NONE)
        return true;
    if ((inst_is_copy(a->inst) || inst_is_copy(b->inst)) && is_in_shared(a) &&
        is_in_shared(b))
        return true;
    if (a->space != b->space)
        return false;
    if (a->space == SPACE_TEXTURE)
        return true;
    if (!extents_meet(extent_of(a, a->mask), extent_of(b, b->mask)))
        return false;
    return a->space == SPACE_LOCAL ? overlap_in_lane(a, b) : overlap_in_warp(a, b);
}
