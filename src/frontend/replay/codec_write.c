/* codec_write.c - the writing half of the codec: finds the shortest encoding of what an
 * instruction did.
 */
#include "frontend/replay/bytes.h"
#include "frontend/replay/codec.h"
#include "frontend/replay/codec_bytes.h"

/* How the addresses of one instruction are written. */
struct plan {
    enum token_addr how;
    uint64_t base;
    int64_t stride, row_stride;
    unsigned list; /* ADDR_OTHER: the LIST_* byte */
};

static bool has_addresses(const struct dyn *d)
{
    return d->space != SPACE_NONE && d->mask;
}

/* The step from lane to lane on which lanes f and g lie; false if there is none. */
static bool find_step(const uint64_t *addr, unsigned f, unsigned g, int64_t *stride)
{
    int64_t apart = (int64_t)(addr[g] - addr[f]), lanes = (int64_t)(g - f);

    *stride = apart / lanes;
    return apart % lanes == 0;
}

static bool is_line(const struct encoder *e, uint64_t base, int64_t stride)
{
    for (uint32_t m = e->held.mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (e->addr[l] != base + l * (uint64_t)stride)
            return false;
    }
    return true;
}

static bool plan_line(const struct encoder *e, const struct codec_pattern *slot,
                      struct plan *p)
{
    unsigned f = (unsigned)__builtin_ctz(e->held.mask);
    uint32_t rest = e->held.mask & (e->held.mask - 1);

    p->stride = slot->stride;
    if (rest && !find_step(e->addr, f, (unsigned)__builtin_ctz(rest), &p->stride))
        return false;
    p->base = e->addr[f] - f * (uint64_t)p->stride;
    p->how = p->stride == slot->stride ? ADDR_AGAIN : ADDR_STRIDE;
    return is_line(e, p->base, p->stride);
}

static bool is_rows(const struct encoder *e, const struct plan *p, unsigned log)
{
    for (uint32_t m = e->held.mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint64_t column = l & ((1u << log) - 1), row = l >> log;

        if (e->addr[l] !=
            p->base + column * (uint64_t)p->stride + row * (uint64_t)p->row_stride)
            return false;
    }
    return true;
}

/* Rows of 1 << log lanes: the stride from two neighbours in a row, the step between
 * rows from the first lane and the first in another row. */
static bool plan_rows(const struct encoder *e, unsigned log, struct plan *p)
{
    unsigned first = (unsigned)__builtin_ctz(e->held.mask), row = first >> log;
    uint32_t column = (1u << log) - 1;
    uint32_t pairs = e->held.mask & e->held.mask >> 1, others;
    int64_t apart, rows;

    for (uint32_t l = column; l < WARP_LANES; l += column + 1)
        pairs &= ~(1u << l);
    p->stride = 0;
    if (pairs) {
        unsigned l = (unsigned)__builtin_ctz(pairs);

        p->stride = (int64_t)(e->addr[l + 1] - e->addr[l]);
    }
    others = row == (31u >> log) ? 0 : e->held.mask & ~0u << ((row + 1) << log);
    if (!others)
        return false;
    row = (unsigned)__builtin_ctz(others);
    apart = (int64_t)(e->addr[row] - (row & column) * (uint64_t)p->stride -
                      e->addr[first] + (first & column) * (uint64_t)p->stride);
    rows = (int64_t)((row >> log) - (first >> log));
    p->row_stride = apart / rows;
    p->base = e->addr[first] - (first & column) * (uint64_t)p->stride -
              (uint64_t)(first >> log) * (uint64_t)p->row_stride;
    return is_rows(e, p, log);
}

static void plan_list(const struct encoder *e, struct plan *p)
{
    uint64_t low = ~(uint64_t)0, high = 0, bits = 0;
    unsigned shift, width = 0;

    for (uint32_t m = e->held.mask; m; m &= m - 1) {
        uint64_t a = e->addr[__builtin_ctz(m)];

        low = a < low ? a : low;
        high = a > high ? a : high;
    }
    for (uint32_t m = e->held.mask; m; m &= m - 1)
        bits |= e->addr[__builtin_ctz(m)] - low;
    shift = bits ? (unsigned)__builtin_ctzll(bits) : 0;
    shift = shift > 15 ? 15 : shift;
    while (width < 3 && (high - low) >> shift >> (8u << width))
        width++;
    p->how = ADDR_OTHER;
    p->base = low;
    p->list = width | shift << LIST_SHIFT_SHIFT;
}

static void plan_addresses(const struct encoder *e, const struct codec_pattern *slot,
                           struct plan *p)
{
    p->how = ADDR_NONE;
    if (!has_addresses(&e->held) || plan_line(e, slot, p))
        return;
    for (unsigned log = 4; log >= 1; log--) {
        if (plan_rows(e, log, p)) {
            p->how = ADDR_OTHER;
            p->list = LIST_ROWS | (log - 1);
            return;
        }
    }
    plan_list(e, p);
}

static void put_list(struct buf *out, const struct encoder *e, const struct plan *p)
{
    unsigned bytes = 1u << (p->list & LIST_WIDTH), shift = p->list >> LIST_SHIFT_SHIFT;

    for (uint32_t m = e->held.mask; m; m &= m - 1)
        put_fixed(out, (e->addr[__builtin_ctz(m)] - p->base) >> shift, bytes);
}

static void put_addresses(struct encoder *e, const struct plan *p)
{
    struct codec_pattern *slot = &e->s.slots[e->held_number % CODEC_SLOTS];
    uint64_t from = slot->base ? slot->base : e->s.base;

    if (p->how == ADDR_OTHER)
        put_fixed(&e->out, p->list, 1);
    put_signed(&e->out, (int64_t)(p->base - from));
    slot->base = e->s.base = p->base;
    if (p->how == ADDR_AGAIN)
        return;
    if (p->how == ADDR_OTHER && !(p->list & LIST_ROWS)) {
        put_list(&e->out, e, p);
        return;
    }
    put_signed(&e->out, p->stride);
    slot->stride = p->stride;
    if (p->how == ADDR_OTHER)
        put_signed(&e->out, p->row_stride);
}

static enum token_mask plan_mask(const struct encoder *e, const struct dyn *d)
{
    return d->mask == d->active   ? MASK_ACTIVE
           : !d->mask             ? MASK_NONE
           : d->mask == e->s.mask ? MASK_AGAIN
                                  : MASK_OTHER;
}

static unsigned plan_extra(const struct encoder *e, uint64_t successor_pc)
{
    const struct dyn *d = &e->held;
    unsigned extra = e->has_async ? EXTRA_ASYNC : 0;

    if (d->bar_kind != BAR_NONE || d->barrier || d->bar_warps)
        extra |= EXTRA_BARRIER;
    if (d->space != d->inst->space)
        extra |= EXTRA_SPACE | (unsigned)d->space << EXTRA_SPACE_SHIFT;
    if (d->next_pc != successor_pc)
        extra |= d->next_pc ? EXTRA_NEXT_OTHER : EXTRA_NEXT_NONE;
    return extra;
}

static void put_extra(struct encoder *e, unsigned extra)
{
    const struct dyn *d = &e->held;
    struct buf *out = &e->out;

    put_fixed(out, extra, 1);
    if (extra & EXTRA_BARRIER) {
        put_fixed(out, d->bar_kind, 1);
        put_fixed(out, d->barrier, 1);
        put_varint(out, d->bar_warps);
    }
    if (extra & EXTRA_NEXT_OTHER)
        put_fixed(out, d->next_pc, 8);
    if (extra & EXTRA_ASYNC)
        put_string(out, e->async.data, e->async.len);
}

void encode_cut(struct encoder *e)
{
    if (!e->run)
        return;
    put_fixed(&e->out, e->run - 1, 1);
    e->run = 0;
}

/* Writes the instruction held, whose successor is now known. */
static void write_held(struct encoder *e, const struct inst_table *t, uint32_t next)
{
    const struct dyn *d = &e->held;
    struct plan addr = { 0 };
    unsigned mask = plan_mask(e, d), token;
    unsigned extra = plan_extra(e, next == TABLE_NONE ? 0 : t->inst[next]->pc);

    plan_addresses(e, &e->s.slots[e->held_number % CODEC_SLOTS], &addr);
    token = (extra ? TOKEN_EXTRA : 0u) | mask << TOKEN_MASK_SHIFT |
            (unsigned)addr.how << TOKEN_ADDR_SHIFT;
    if (next == TABLE_NONE || t->fall[e->held_number] != next)
        token |= TOKEN_NEXT;
    if (d->active != e->s.active)
        token |= TOKEN_ACTIVE;
    if (!token) {
        if (++e->run == TOKEN_RUN_MAX)
            encode_cut(e);
        return;
    }
    encode_cut(e);
    put_fixed(&e->out, TOKEN_SPECIAL | token, 1);
    if (extra)
        put_extra(e, extra);
    if (token & TOKEN_NEXT)
        put_varint(&e->out, next == TABLE_NONE ? 0 : (uint64_t)next + 1);
    if (token & TOKEN_ACTIVE)
        put_fixed(&e->out, e->s.active = d->active, 4);
    if (mask == MASK_OTHER)
        put_fixed(&e->out, e->s.mask = d->mask, 4);
    if (addr.how)
        put_addresses(e, &addr);
}

void encode_free(struct encoder *e)
{
    buf_free(&e->async);
    buf_free(&e->out);
}

void encode_begin(struct encoder *e)
{
    e->s.active = ~0u;
    e->held_number = TABLE_NONE;
}

void encode_inst(struct encoder *e, const struct inst_table *t, uint32_t number,
                 const struct dyn *d)
{
    if (e->held_number != TABLE_NONE)
        write_held(e, t, number);
    else
        put_varint(&e->out, (uint64_t)number + 1);
    e->has_begun = true;
    e->held_number = number;
    e->held = *d;
    e->has_async = false;
    if (has_addresses(d))
        addresses_spread(&d->addr, e->addr);
}

void encode_async(struct encoder *e, const struct buf *bytes)
{
    e->has_async = true;
    buf_clear(&e->async);
    buf_add(&e->async, bytes->data, bytes->len);
}

void encode_end(struct encoder *e, const struct inst_table *t)
{
    if (e->held_number != TABLE_NONE)
        write_held(e, t, TABLE_NONE);
    else
        put_varint(&e->out, 0);
    encode_cut(e);
    e->held_number = TABLE_NONE;
}
