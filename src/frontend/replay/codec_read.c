/* codec_read.c - the reading half of the codec: the hot path of a replay.
 *
 * Bytes are not trusted: every number is checked before it is used, and the end of the
 * piece once per instruction, for no instruction is longer than CODEC_PAD.
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

/* An offset for each lane of the mask; all lanes at once if all are in it. */
#define FILL_LIST(type)                                                    \
    static const uint8_t *fill_##type(struct dyn *dyn, const uint8_t *p,   \
                                      uint64_t base, unsigned shift)       \
    {                                                                      \
        uint64_t *list = addresses_list(&dyn->addr);                       \
        type off[WARP_LANES];                                              \
        unsigned n = (unsigned)__builtin_popcount(dyn->mask);              \
        memcpy(off, p, sizeof off);                                        \
        if (n == WARP_LANES) {                                             \
            for (unsigned l = 0; l < WARP_LANES; l++)                      \
                list[l] = base + ((uint64_t)off[l] << shift);              \
        } else {                                                           \
            const type *o = off;                                           \
            for (uint32_t m = dyn->mask; m; m &= m - 1)                    \
                list[__builtin_ctz(m)] = base + ((uint64_t)*o++ << shift); \
        }                                                                  \
        return p + n * sizeof(type);                                       \
    }
FILL_LIST(uint8_t)
FILL_LIST(uint16_t)
FILL_LIST(uint32_t)
FILL_LIST(uint64_t)

static const uint8_t *get_list(struct dyn *dyn, const uint8_t *p, unsigned list,
                               uint64_t base)
{
    unsigned shift = list >> LIST_SHIFT_SHIFT & 15;

    switch (list & LIST_WIDTH) {
    case 0:
        return fill_uint8_t(dyn, p, base, shift);
    case 1:
        return fill_uint16_t(dyn, p, base, shift);
    case 2:
        return fill_uint32_t(dyn, p, base, shift);
    default:
        return fill_uint64_t(dyn, p, base, shift);
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

/* False: not what the encoder writes. */
static bool get_extra(struct dyn *dyn, const uint8_t **at, unsigned *extra)
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
        dyn->space = (uint8_t)(*extra >> EXTRA_SPACE_SHIFT);
    if (*extra & EXTRA_NEXT_OTHER) {
        dyn->next_pc = get_fixed(p, 8);
        p += 8;
    }
    *at = p;
    return dyn->space <= SPACE_TEXTURE;
}

static void get_masks(struct decoder *d, struct dyn *dyn, const uint8_t **at,
                      unsigned token)
{
    const uint8_t *p = *at;

    if (token & TOKEN_ACTIVE) {
        d->s.active = (uint32_t)get_fixed(p, 4);
        p += 4;
    }
    dyn->active = d->s.active;
    switch (token >> TOKEN_MASK_SHIFT & 3) {
    case MASK_ACTIVE:
        dyn->mask = d->s.active;
        break;
    case MASK_NONE:
        dyn->mask = 0;
        break;
    case MASK_OTHER:
        d->s.mask = (uint32_t)get_fixed(p, 4);
        p += 4;
        dyn->mask = d->s.mask;
        break;
    default:
        dyn->mask = d->s.mask;
    }
    *at = p;
}

static enum decode_status special(struct decoder *d, const struct inst_table *t,
                                  struct dyn *dyn, unsigned token)
{
    const uint8_t *p = d->p;
    uint32_t next = t->fall[d->at];
    unsigned extra = 0;

    if (token & TOKEN_EXTRA && !get_extra(dyn, &p, &extra))
        return DECODE_BAD;
    if (token & TOKEN_NEXT) {
        uint64_t number = get_varint(&p);

        if (number > t->n)
            return DECODE_BAD;
        next = number ? (uint32_t)number - 1 : TABLE_NONE;
    } else if (next == TABLE_NONE) {
        return DECODE_BAD;
    }
    get_masks(d, dyn, &p, token);
    if (token & 3)
        p = get_addresses(d, dyn, p, token & 3);
    else if (dyn->space != SPACE_NONE && dyn->mask)
        return DECODE_BAD;
    if (p > d->end || dyn->mask & ~dyn->active)
        return DECODE_BAD;
    if (!(extra & EXTRA_NEXT_OTHER))
        dyn->next_pc =
            next == TABLE_NONE || extra & EXTRA_NEXT_NONE ? 0 : t->inst[next]->pc;
    d->p = p;
    d->at = next;
    return DECODE_INST;
}

static enum decode_status begin(struct decoder *d, const struct inst_table *t)
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
    d->s.active = ~0u;
}

/* The beginning of a warp, its end, or that of a piece; DECODE_INST: a token follows. */
static enum decode_status between(struct decoder *d, const struct inst_table *t)
{
    if (d->p >= d->end)
        return d->has_begun && d->at == TABLE_NONE ? DECODE_END : DECODE_MORE;
    if (!d->has_begun && begin(d, t) == DECODE_BAD)
        return DECODE_BAD;
    if (d->at == TABLE_NONE)
        return d->p < d->end ? DECODE_BAD : DECODE_END;
    return d->p < d->end ? DECODE_INST : DECODE_MORE;
}

/* Up to n usual instructions. Returns how many there are; 0: the first is damaged. */
static unsigned decode_usual(struct decoder *d, const struct inst_table *t,
                             struct dyn *const *dyn, unsigned n)
{
    uint32_t at = d->at, active = d->s.active;
    unsigned k = 0;

    if (n > d->run)
        n = d->run;
    for (; k < n; k++) {
        const struct inst *i = t->inst[at];
        uint32_t next = t->fall[at];
        struct dyn *to = dyn[k];

        if (next == TABLE_NONE || (i->space != SPACE_NONE && active))
            break;
        to->inst = i;
        to->seq = d->s.seq + k;
        to->next_pc = t->inst[next]->pc;
        to->active = to->mask = active;
        to->space = i->space;
        to->barrier = 0;
        to->bar_kind = BAR_NONE;
        to->bar_warps = 0;
        at = next;
    }
    d->at = at;
    d->s.seq += k;
    d->run -= k;
    return k;
}

static enum decode_status decode_special(struct decoder *d, const struct inst_table *t,
                                         struct dyn *dyn, unsigned token)
{
    dyn->inst = t->inst[d->at];
    dyn->seq = d->s.seq;
    dyn->space = dyn->inst->space;
    dyn->barrier = 0;
    dyn->bar_kind = BAR_NONE;
    dyn->bar_warps = 0;
    return special(d, t, dyn, token);
}

enum decode_status decode_run(struct decoder *d, const struct inst_table *t,
                              struct dyn *const *dyn, unsigned *n)
{
    unsigned limit = *n;

    for (*n = 0; *n < limit;) {
        enum decode_status status = DECODE_INST;
        unsigned token, made;

        if (!d->run && (d->p >= d->end || !d->has_begun || d->at == TABLE_NONE))
            status = between(d, t);
        if (status != DECODE_INST)
            return status;
        token = d->run ? 0 : *d->p++;
        if (token & TOKEN_SPECIAL) {
            status = decode_special(d, t, dyn[*n], token);
            if (status != DECODE_INST)
                return status;
            d->s.seq++;
            if (dyn_waits(dyn[(*n)++]))
                break;
            continue;
        }
        if (!d->run)
            d->run = token + 1;
        made = decode_usual(d, t, dyn + *n, limit - *n);
        *n += made;
        if (!made)
            return DECODE_BAD;
    }
    return DECODE_INST;
}
