/* loog_alloc.c - LOOG on Vortex: the instruction buffer, and units taken and released.
 *
 * Allocation is in the order of the buffer, one instruction every second cycle, into the
 * lowest free unit (or the next in turn), with an entry of the renaming stack, if there is
 * one, for its result. It also waits for two things that the RTL gets wrong: lanes, and
 * numbers that could not be compared (docs/schemes/loog-vortex.md).
 */
#include "vortex/loog.h"

enum { IBUFFER_CYCLES = 2 }; /* through the buffer */

static struct loog *self(struct vx_issue *s)
{
    return (struct loog *)s;
}

static uint32_t next_uuid(const struct loog *s, unsigned warp)
{
    return s->uuid[warp] == s->top ? 1 : s->uuid[warp] + 1;
}

/* The number of a warp's instruction buffer. */
static unsigned buffer_of(const struct loog *s, unsigned warp)
{
    return s->p.ibuffer == IBUFFER_WARP ? warp : 0;
}

/* Allocated instructions whose places are not yet seen to be free. */
static unsigned places_gone(const struct loog_buffer *b, uint64_t cycle)
{
    return only_if(b->gone_at > cycle, b->n_gone);
}

static unsigned places_taken(const struct loog_buffer *b, uint64_t cycle)
{
    return b->n + places_gone(b, cycle);
}

bool loog_accepts(const struct vx_issue *base, unsigned warp)
{
    const struct loog *s = (const struct loog *)base;
    const struct loog_buffer *b = &s->ibuffer[buffer_of(s, warp)];

    return places_taken(b, base->core->cycle) < base->core->p->ibuffer + 1;
}

/* Sets when a buffer has room and can be allocated from; after it changed. */
static void set_buffer_times(struct loog *s, struct loog_buffer *b)
{
    const struct vx_core *k = s->base.core;
    unsigned places = k->p->ibuffer + 1;
    uint64_t head_at = s->ibuffer[0].head_at, room_at = b->gone_at;

    room_at = b->n < places ? room_at : NEVER;
    room_at = places_taken(b, k->cycle) < places ? 0 : room_at;
    s->base.room_at = room_at;
    if (s->p.ibuffer == IBUFFER_WARP) {
        s->base.room_at = 0;
        for (unsigned w = 1; w < k->p->warps; w++)
            head_at = earlier(head_at, s->ibuffer[w].head_at);
    }
    s->try_at = later(s->alloc_at, head_at);
}

void loog_insert(struct vx_issue *base, struct uop *u)
{
    struct loog *s = self(base);
    struct loog_buffer *b = &s->ibuffer[buffer_of(s, u->warp)];
    unsigned at = (b->first + b->n++) % LOOG_IBUFFER;

    b->uop[at] = u->id;
    b->at[at] = base->core->cycle + IBUFFER_CYCLES;
    b->head_at = b->at[b->first];
    set_buffer_times(s, b);
}

/* Rows are powers of two: below 8, below 16, ... 128 and more. */
static void count_held(uint64_t *row, uint64_t cycles)
{
    unsigned n = 61 - (unsigned)__builtin_clzll(cycles | 4);

    row[n < 5 ? n : 5]++;
}

void loog_free_cu(struct loog *s, unsigned c)
{
    uint64_t at = s->base.core->cycle + LOOG_FREE_CYCLES;

    s->freed[at % 4].cus |= 1u << c;
    s->freed[at % 4].n_cus++;
    loog_stats_of(s)->cu_held += at - s->cu[c].since;
    count_held(&loog_stats_of(s)->cu_held_8, at - s->cu[c].since);
}

void loog_free_entry(struct loog *s, unsigned entry)
{
    uint64_t at = s->base.core->cycle + LOOG_FREE_CYCLES;

    s->freed[at % 4].entry = (uint16_t)(entry + 1);
    loog_stats_of(s)->rrs_held += at - s->holder[entry].since;
    count_held(&loog_stats_of(s)->rrs_held_8, at - s->holder[entry].since);
}

/* A result in flight lacks lanes of this reader, or has lanes that this writer would lose:
 * it must be in the register file first. */
static bool lacks_lanes(const struct loog *s, const struct uop *u)
{
    const struct vx_flight *f = &s->base.core->flight[u->id];
    const int16_t *rat = s->rat[u->warp];

    if (!s->n_partial && u->dyn.mask == s->base.core->full)
        return false;
    for (unsigned n = 0; n < f->n_src; n++)
        if (rat[f->src[n]] >= 0 && u->dyn.mask & ~s->holder[rat[f->src[n]]].mask)
            return true;
    return f->rd && rat[f->rd] >= 0 && s->holder[rat[f->rd]].mask & ~u->dyn.mask;
}

/* Numbers compare correctly only while those of the first quarter meet none but the last,
 * and those of the second quarter none of the last: the first number of either quarter
 * waits until the others are dispatched. */
static bool lacks_uuid(const struct loog *s, unsigned warp)
{
    uint32_t next = next_uuid(s, warp);
    bool is_second = next == 1u << s->quarter_bits; /* quarter's first */

    if (next != 1 && !is_second)
        return false;
    for (uint32_t m = s->waiting[warp]; m; m &= m - 1)
        if ((loog_quarter(s, s->cu[__builtin_ctz(m)].uuid) == 3) == is_second)
            return true;
    return false;
}

static unsigned find_free_entry(const struct loog *s)
{
    for (unsigned i = 0; i < LOOG_UNITS / 64; i++)
        if (s->all_units[i] & ~s->used[i])
            return 64 * i + (unsigned)__builtin_ctzll(s->all_units[i] & ~s->used[i]);
    return LOOG_NO_UNIT;
}

/* Fills the place of the result (perf: also without a result, to save a branch). */
static void hold_result(struct loog *s, unsigned unit, const struct uop *u,
                        const struct vx_flight *f)
{
    struct holder *h = &s->holder[unit];
    bool writes = f->rd != 0;

    h->mask = u->dyn.mask;
    s->n_partial += writes & (h->mask != s->base.core->full);
    h->is_load = f->ex == VX_LSU;
    *loog_readers(s, (int16_t)unit) = 0;
    h->since = s->base.core->cycle;
    s->unit_of[u->id] = (int16_t)unit;
    if (!s->has_rrs)
        return;
    s->used[unit / 64] |= (uint64_t)1 << unit % 64;
    s->n_used += writes;
    loog_stats_of(s)->rrs_allocs += writes;
}

/* The youngest of its warp. */
static void enter_order(struct loog_order *o, unsigned c, unsigned warp)
{
    unsigned end = LOOG_CUS + warp, last = o->before[end];

    o->next[last] = o->before[end] = (uint16_t)c;
    o->before[c] = (uint16_t)last;
    o->next[c] = (uint16_t)end;
}

/* A memory operation stays after the last one of its warp, if that is undispatched. */
static void keep_memory_order(struct loog *s, unsigned c, unsigned warp, bool is_lsu)
{
    bool is_behind = is_lsu & ((s->waiting[warp] & s->lsu) != 0);
    uint16_t *last = &s->last_lsu[warp];

    s->cu[*last].behind |= (uint32_t)is_behind << c;
    s->behind |= (uint32_t)is_behind << c;
    s->lsu |= (uint32_t)is_lsu << c;
    *last = is_lsu ? (uint16_t)c : *last;
}

/* It may not write a register that older units have still to read from the register file
 * (x0, the destination of none, is not read there). */
static void keep_war_order(struct loog *s, unsigned c)
{
    struct cu *u = &s->cu[c];
    struct loog_users *of = &s->users[u->warp][u->rd];

    u->war = of->readers;
    of->writers |= (uint32_t)(u->war != 0) << c;
    s->held |= (uint32_t)(u->war != 0) << c;
}

/* Looks up the sources in the RAT and renames the result; the unit asks for the port from
 * the next cycle on (perf: always three sources, to save branches). */
static void look_up_sources(struct loog *s, unsigned c, const struct vx_flight *f)
{
    struct cu *u = &s->cu[c];
    int16_t *rat = s->rat[u->warp];
    struct loog_users *users = s->users[u->warp];
    unsigned unread = 0;

    for (unsigned n = 0; n < 3; n++) {
        int16_t from = rat[f->src[n]];
        bool is_in_file = from == FROM_RF;

        u->from[n] = from;
        unread |= (unsigned)is_in_file << n;
        users[f->src[n]].readers |= (uint32_t)is_in_file << c;
        *loog_readers(s, from) |= 1u << c;
    }
    u->unread = unread;
    s->wanting |= (uint32_t)(unread != 0) << c;
    s->renamed = rat[f->rd];
    rat[f->rd] = s->unit_of[u->uop];
    rat[0] = IS_THERE; /* x0 is never renamed */
}

static void fill_unit(struct loog *s, unsigned c, const struct uop *u,
                      const struct vx_flight *f)
{
    struct cu *to = &s->cu[c];

    to->uop = u->id;
    to->warp = u->warp;
    to->rd = f->rd;
    to->is_lsu = f->ex == VX_LSU;
    to->n_wait = f->n_src;
    to->behind = 0;
    to->uuid = s->uuid[u->warp];
    to->since = s->base.core->cycle;
}

static void take_unit(struct loog *s, struct uop *u, unsigned entry)
{
    uint32_t empty = s->all_cus & ~s->allocated;
    unsigned c = s->p.arbiter == ARBITER_RR_RR ? vx_next_in_turn(empty, s->last_cu)
                                               : (unsigned)__builtin_ctz(empty);
    const struct vx_flight *f = vx_flight(s->base.core, u);
    uint32_t bit = 1u << c;

    s->last_cu = c;
    vx_view_stage(s->base.core, u, TRACE_COLLECT);
    s->uuid[u->warp] = next_uuid(s, u->warp);
    fill_unit(s, c, u, f);
    s->allocated |= bit;
    s->n_allocated++;
    s->undispatched |= bit;
    s->cause = N_STALL;
    s->completing |= (uint32_t)!f->n_src << c;
    hold_result(s, s->has_rrs ? entry : c, u, f);
    keep_memory_order(s, c, u->warp, f->ex == VX_LSU);
    keep_war_order(s, c);
    look_up_sources(s, c, f);
    enter_order(&s->order, c, u->warp);
    s->waiting[u->warp] |= bit;
    s->came = bit;
    s->came_at = s->base.core->cycle;
    if (s->cu[c].unread && s->port_at == NEVER)
        loog_give_port(s, bit, s->came_at + 2);
    loog_stats_of(s)->cu_allocs++;
}

/* With a buffer per warp: the next one in turn that has an instruction. */
static unsigned next_buffer(const struct loog *s)
{
    unsigned n = s->base.core->p->warps;

    for (unsigned i = 1; i < n; i++)
        if (s->ibuffer[(s->last_buffer + i) % n].head_at <= s->base.core->cycle)
            return (s->last_buffer + i) % n;
    return s->last_buffer;
}

/* Its first instruction leaves it. */
static void leave_buffer(struct loog *s, struct loog_buffer *b)
{
    uint64_t cycle = s->base.core->cycle, at;

    b->first = (b->first + 1) % LOOG_IBUFFER;
    at = b->at[b->first];
    b->head_at = --b->n ? at : NEVER;
    b->n_gone = places_gone(b, cycle) + 1;
    b->gone_at = cycle + 2;
    set_buffer_times(s, b);
}

/* Why it cannot be allocated although a collector unit is free. */
static enum loog_blocked why_blocked(const struct loog *s, const struct uop *u,
                                     unsigned *entry)
{
    bool writes = s->base.core->flight[u->id].rd != 0;
    unsigned any = s->has_rrs ? find_free_entry(s) : 0;

    *entry = writes ? any : LOOG_NO_UNIT;
    if (writes & (any == LOOG_NO_UNIT))
        return NO_RRS;
    if (lacks_uuid(s, u->warp))
        return NO_UUID;
    return lacks_lanes(s, u) ? NO_LANES : NOT_BLOCKED;
}

void loog_count_blocked(struct loog *s, uint64_t cycles)
{
    if (s->blocked)
        (&loog_stats_of(s)->no_cu)[s->blocked - NO_CU] += cycles;
}

void loog_allocate(struct loog *s)
{
    struct vx_core *k = s->base.core;
    unsigned n = s->p.ibuffer == IBUFFER_SHARED ? 0 : next_buffer(s);
    struct loog_buffer *b = &s->ibuffer[n];
    struct uop *u = &k->pool[b->uop[b->first]];
    unsigned entry;

    s->blocked = why_blocked(s, u, &entry);
    loog_count_blocked(s, 1);
    if (s->blocked)
        return;
    take_unit(s, u, entry);
    s->last_buffer = n;
    s->alloc_at = k->cycle + s->p.alloc_interval;
    leave_buffer(s, b);
    k->progress = true;
}

uint64_t loog_alloc_next(const struct loog *s)
{
    const struct vx_core *k = s->base.core;
    uint64_t next = s->alloc_at > k->cycle ? s->alloc_at : NEVER;
    unsigned n = s->p.ibuffer == IBUFFER_WARP ? k->p->warps : 1;

    for (uint64_t at = k->cycle + LOOG_FREE_CYCLES; at > k->cycle; at--)
        if (s->freed[at % 4].cus | s->freed[at % 4].entry)
            next = earlier(next, at);

    for (unsigned b = 0; b < n; b++) {
        uint64_t at;

        if (places_gone(&s->ibuffer[b], k->cycle))
            next = earlier(next, s->ibuffer[b].gone_at);
        at = s->ibuffer[b].head_at;
        if (at > k->cycle)
            next = earlier(next, at);
    }
    return next;
}
