/* codec_read.c - the reading half of the codec: the hot path of a replay.
 *
 * Bytes are not trusted: every number is checked before it is used, and the end of the
 * piece once per instruction, since no instruction is longer than CODEC_PAD.
 */
#include "frontend/replay/bytes.h"
#include "frontend/replay/codec.h"
#include "frontend/replay/codec_bytes.h"

static void fill_rows(struct addresses *a, unsigned log, uint64_t base,
                      const uint64_t *strides)
{
    uint64_t *list;

    if (1u << log == HALF_LANES) {
        addresses_set_halves(a, base, (int64_t)strides[0], (int64_t)strides[1]);
        return;
    }
    list = addresses_list(a);
    for (unsigned l = 0; l < WARP_LANES; l++)
        list[l] = base + (l & ((1u << log) - 1)) * strides[0] + (l >> log) * strides[1];
}

/* An offset for each lane of the mask; all lanes at once if all are in it. (perf: read
 * in place; vector loads from a copy made in pieces would stall until it has left the
 * host's store buffer.) */
#define FILL_LIST(type)                                                         \
    static inline uint64_t get_##type(const uint8_t *p)                         \
    {                                                                           \
        type v;                                                                 \
        memcpy(&v, p, sizeof v);                                                \
        return v;                                                               \
    }                                                                           \
    static const uint8_t *fill_##type(uint64_t *restrict list, uint32_t mask,   \
                                      const uint8_t *restrict p, uint64_t base, \
                                      unsigned shift)                           \
    {                                                                           \
        const uint8_t *o = p;                                                   \
        if (mask == UINT32_MAX) {                                               \
            for (unsigned l = 0; l < WARP_LANES; l++)                           \
                list[l] = base + (get_##type(p + l * sizeof(type)) << shift);   \
            return p + WARP_LANES * sizeof(type);                               \
        }                                                                       \
        for (; mask; mask &= mask - 1, o += sizeof(type))                       \
            list[__builtin_ctz(mask)] = base + (get_##type(o) << shift);        \
        return o;                                                               \
    }
FILL_LIST(uint8_t)
FILL_LIST(uint16_t)
FILL_LIST(uint32_t)
FILL_LIST(uint64_t)

static const uint8_t *get_list(struct dyn *dyn, const uint8_t *p, unsigned how,
                               uint64_t base)
{
    unsigned shift = how >> LIST_SHIFT_SHIFT & 15;
    uint64_t *list = addresses_list(&dyn->addr);

    switch (how & LIST_WIDTH) {
    case 0:
        return fill_uint8_t(list, dyn->mask, p, base, shift);
    case 1:
        return fill_uint16_t(list, dyn->mask, p, base, shift);
    case 2:
        return fill_uint32_t(list, dyn->mask, p, base, shift);
    default:
        return fill_uint64_t(list, dyn->mask, p, base, shift);
    }
}

static const uint8_t *get_addresses(struct decoder *d, struct dyn *dyn,
                                    const uint8_t *p, unsigned how)
{
    struct codec_pattern *slot = &d->s.slots[d->at % CODEC_SLOTS];
    unsigned list = how == ADDR_OTHER ? *p++ : 0;
    uint64_t from = slot->base ? slot->base : d->s.base, strides[2];

    slot->base = d->s.base = from + (uint64_t)get_signed(&p);
    if (how == ADDR_STRIDE)
        slot->stride = get_signed(&p);
    if (how != ADDR_OTHER) {
        addresses_set_line(&dyn->addr, slot->base, slot->stride);
        return p;
    }
    if (!(list & LIST_ROWS))
        return get_list(dyn, p, list, slot->base);
    slot->stride = get_signed(&p);
    strides[0] = (uint64_t)slot->stride;
    strides[1] = (uint64_t)get_signed(&p);
    fill_rows(&dyn->addr, (list & LIST_WIDTH) + 1, slot->base, strides);
    return p;
}

/* False: more than there is. */
static bool get_async(struct decoder *d, const uint8_t **at)
{
    uint64_t n = get_varint(at);

    if (*at > d->end || n > (uint64_t)(d->end - *at))
        return false;
    d->async = (struct codec_async){ *at, (uint32_t)n, true };
    *at += n;
    return true;
}

/* False: not what the encoder writes. */
static bool get_extra(struct decoder *d, struct dyn *dyn, const uint8_t **at,
                      unsigned *extra)
{
    const uint8_t *p = *at;

    *extra = *p++;
    if (*extra & EXTRA_BARRIER) {
        uint64_t warps;

        dyn->bar_kind = p[0];
        dyn->barrier = p[1];
        p += 2;
        warps = get_varint(&p);
        if (dyn->bar_kind > BAR_NONE || warps > UINT16_MAX)
            return false;
        dyn->bar_warps = (uint16_t)warps;
    }
    if (*extra & EXTRA_SPACE)
        dyn->space = (uint8_t)(*extra >> EXTRA_SPACE_SHIFT & EXTRA_SPACE_MASK);
    if (*extra & EXTRA_NEXT_OTHER) {
        dyn->next_pc = get_fixed(p, 8);
        p += 8;
    }
    if (*extra & EXTRA_ASYNC && !get_async(d, &p))
        return false;
    *at = p;
    return dyn->space <= SPACE_TEXTURE;
}

static void get_masks(struct decoder *d, struct dyn *dyn, const uint8_t **at,
                      unsigned token)
{
    unsigned how = token >> TOKEN_MASK_SHIFT & 3;
    const uint8_t *p = *at;

    if (token & TOKEN_ACTIVE) {
        d->s.active = (uint32_t)get_fixed(p, 4);
        p += 4;
    }
    if (how == MASK_OTHER) {
        d->s.mask = (uint32_t)get_fixed(p, 4);
        p += 4;
    }
    dyn->active = d->s.active;
    dyn->mask = how == MASK_ACTIVE ? d->s.active : how == MASK_NONE ? 0 : d->s.mask;
    *at = p;
}

/* Fills in what all executions of an instruction have in common unless an extra byte
 * says otherwise; next_pc if it is the fall-through. */
static inline void fill_common(struct dyn *dyn, const struct inst *i, uint64_t seq)
{
    dyn->inst = i;
    dyn->seq = seq;
    dyn->next_pc = i->pc + i->length;
    dyn->space = i->space;
    dyn->barrier = 0;
    dyn->bar_kind = BAR_NONE;
    dyn->bar_warps = 0;
}

static enum decode_status decode_special(struct decoder *d, const struct inst_table *t,
                                         struct dyn *dyn, unsigned token)
{
    const uint8_t *p = d->p;
    uint32_t next = t->fall[d->at];
    unsigned extra = 0;

    fill_common(dyn, t->inst[d->at], d->s.seq);
    if (token & TOKEN_EXTRA && !get_extra(d, dyn, &p, &extra))
        return DECODE_BAD;
    if (token & TOKEN_NEXT) {
        uint64_t number = get_varint(&p);

        if (number > t->n)
            return DECODE_BAD;
        next = number ? (uint32_t)number - 1 : TABLE_NONE;
        if (!(extra & EXTRA_NEXT_OTHER))
            dyn->next_pc = number ? t->inst[next]->pc : 0;
    } else if (next == TABLE_NONE) {
        return DECODE_BAD;
    }
    if (extra & EXTRA_NEXT_NONE)
        dyn->next_pc = 0;
    get_masks(d, dyn, &p, token);
    if (token & 3)
        p = get_addresses(d, dyn, p, token & 3);
    else if (dyn->space != SPACE_NONE && dyn->mask)
        return DECODE_BAD;
    if (p > d->end || dyn->mask & ~dyn->active)
        return DECODE_BAD;
    d->p = p;
    d->at = next;
    d->s.seq++;
    return DECODE_INST;
}

static enum decode_status decode_first(struct decoder *d, const struct inst_table *t)
{
    uint64_t number = get_varint(&d->p);

    if (number > t->n || d->p > d->end)
        return DECODE_BAD;
    d->at = number ? (uint32_t)number - 1 : TABLE_NONE;
    d->has_begun = true;
    return DECODE_INST;
}

void decode_begin(struct decoder *d)
{
    d->at = TABLE_NONE;
    d->s.active = ~0u;
}

/* The beginning of a warp, its end, or that of a piece; DECODE_INST: a token follows. */
static enum decode_status decode_between(struct decoder *d, const struct inst_table *t)
{
    if (d->p >= d->end)
        return d->has_begun && d->at == TABLE_NONE ? DECODE_END : DECODE_MORE;
    if (!d->has_begun && decode_first(d, t) == DECODE_BAD)
        return DECODE_BAD;
    if (d->at == TABLE_NONE)
        return d->p < d->end ? DECODE_BAD : DECODE_END;
    return d->p < d->end ? DECODE_INST : DECODE_MORE;
}

/* Up to n usual instructions. Returns how many there are; 0: the first is damaged. */
static unsigned decode_usual(struct decoder *d, const struct inst_table *t,
                             struct dyn *const *dyn, unsigned n)
{
    const struct inst *const *inst = t->inst;
    const uint32_t *fall = t->fall;
    uint32_t at = d->at, active = d->s.active;
    unsigned k = 0;

    if (n > d->run)
        n = d->run;
    for (; k < n; k++) {
        const struct inst *i = inst[at];

        if (fall[at] == TABLE_NONE || (i->space != SPACE_NONE && active))
            break;
        fill_common(dyn[k], i, d->s.seq + k);
        dyn[k]->active = dyn[k]->mask = active;
        at = fall[at];
    }
    d->at = at;
    d->s.seq += k;
    d->run -= k;
    return k;
}

enum decode_status decode_run(struct decoder *d, const struct inst_table *t,
                              struct dyn *const *dyn, unsigned *n)
{
    enum decode_status status = DECODE_INST;
    unsigned limit = *n, made = 0;

    while (made < limit) {
        unsigned token, usual;

        if (!d->run) {
            if (d->p >= d->end || d->at == TABLE_NONE)
                status = decode_between(d, t);
            if (status != DECODE_INST)
                break;
            token = *d->p++;
            if (token & TOKEN_SPECIAL) {
                status = decode_special(d, t, dyn[made], token);
                if (status != DECODE_INST || dyn_waits(dyn[made++]) ||
                    d->async.is_there)
                    break;
                continue;
            }
            d->run = token + 1;
        }
        usual = decode_usual(d, t, dyn + made, limit - made);
        made += usual;
        if (!usual) {
            status = DECODE_BAD;
            break;
        }
    }
    *n = made;
    return status;
}
