/* results.c - results of the load/store unit: chosen, written, the end of an instruction.
 *
 * Models the write-back of Accel-Sim's ldst_unit: five clients (shared memory,
 * textures, constants, loads that bypassed L1, filled misses of L1) take turns, and a
 * result chosen in a cycle is written in the next. Choices are made up for when the SM
 * could see their outcome; results of filled misses are usually chosen at once
 * (fill_l1() in replies.c).
 */
#include "core/lsu/results.h"

#include "base/cycles.h"
#include "base/invariant.h"

void lsu_fast_end_part_at(struct lsu_fast *l, uop_id u, uint64_t cycle)
{
    uint32_t at = l->results.head + l->results.n;

    lsu_fast_end_last_part(l, u, cycle);
    for (; at != l->results.head; at--) {
        struct late *x = &l->store.written[(at - 1) % LSU_RESULTS];
        struct late *y = &l->store.written[at % LSU_RESULTS], before = *x;

        if (x->at <= y->at)
            return;
        *x = *y;
        *y = before;
    }
}

/* True if a part that was completed early (decision 022) in fact ends later; then the
 * instruction ends there. */
static bool is_put_off(struct lsu_fast *l, uop_id id)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < 2; i++)
        if (l->results.early[i].uop == id)
            at = later(at, l->results.early[i].at);
    if (at <= l->base.cycle)
        return false;
    lsu_fast_end_part_at(l, id, at);
    return true;
}

void lsu_fast_end_part(struct lsu_fast *l, uop_id id)
{
    struct uop *u = &l->base.pool[id];

    INVARIANT(u->pending || !u->dyn.mask);
    if (u->pending > 1)
        u->pending--;
    else if (l->results.early_until <= l->base.cycle || !is_put_off(l, id))
        lsu_complete_inst(&l->base, u);
}

static inline bool pipe_is_ready(const struct pipe *p, uint64_t cycle)
{
    return p->n && p->ring[p->head].ready <= cycle;
}

static uop_id pipe_pop(struct pipe *p)
{
    uop_id u = p->ring[p->head].uop;

    INVARIANT(p->n);
    p->head = p->head + 1 == p->limit ? 0 : p->head + 1;
    p->n--;
    return u;
}

/* Pipes with a result, as bits. */
static unsigned pipes_ready(const struct lsu_fast *l, uint64_t cycle)
{
    return (unsigned)pipe_is_ready(&l->pipes.shared, cycle) << CLIENT_SHARED |
           (unsigned)pipe_is_ready(&l->pipes.texture, cycle) << CLIENT_TEXTURE;
}

static uop_id ask_pipe(struct lsu_fast *l, struct pipe *p)
{
    uop_id u = pipe_pop(p);

    pipes_changed(l);
    return u;
}

static uop_id ask_cache(struct lsu_fast *l, struct cache *c, unsigned client)
{
    uop_id u = (uop_id)cache_ready(c);

    lsu_fast_note_ready(l, c, client);
    return u;
}

static uop_id ask_client(struct lsu_fast *l, unsigned client)
{
    switch (client) {
    case CLIENT_SHARED:
        return ask_pipe(l, &l->pipes.shared);
    case CLIENT_TEXTURE:
        return ask_pipe(l, &l->pipes.texture);
    case CLIENT_CONST:
        return ask_cache(l, l->base.constant, client);
    case CLIENT_GLOBAL:
        l->results.ready &= (uint8_t) ~(1u << CLIENT_GLOBAL);
        return l->results.global;
    default:
        return ask_cache(l, l->base.l1, client);
    }
}

/* Chooses up to lsu.writebacks results in a cycle. */
static void choose_in_turn(struct lsu_fast *l, uint64_t cycle)
{
    for (unsigned n = 0; n < l->base.c.lsu.writebacks; n++) {
        unsigned ready =
            l->results.ready | (pipes_at(l) <= cycle ? pipes_ready(l, cycle) : 0);
        unsigned behind, client;

        if (!ready)
            return;
        behind = ready & ~0u << l->results.next_client; /* clients take turns */
        client = (unsigned)__builtin_ctz(behind ? behind : ready);
        lsu_fast_choose_part(l, ask_client(l, client), cycle + 1);
        l->results.next_client = client + 1 == LSU_CLIENTS ? 0 : client + 1;
    }
}

/* The cycle of the next choice. */
static uint64_t choice_at(const struct lsu_fast *l)
{
    return later(l->results.chosen + 1, l->results.ready ? 0 : pipes_at(l));
}

/* The usual case: shared memory is the only client, with one result per cycle. */
static void choose_shared(struct lsu_fast *l, uint64_t cycle)
{
    struct pipe *p = &l->pipes.shared;

    while (pipe_is_ready(p, cycle) && l->results.chosen < cycle) {
        l->results.chosen = later(l->results.chosen + 1, p->ring[p->head].ready);
        lsu_fast_choose_part(l, pipe_pop(p), l->results.chosen + 1);
        l->results.next_client = CLIENT_TEXTURE;
    }
    set_pipes_at(l, pipe_next(p));
}

/* Or L1 is, with several waiters of the same miss. */
static void choose_l1(struct lsu_fast *l, uint64_t cycle)
{
    for (; l->results.ready && l->results.chosen < cycle; l->results.chosen++)
        lsu_fast_choose_part(l, ask_cache(l, l->base.l1, CLIENT_L1),
                             l->results.chosen + 2);
    l->results.next_client = CLIENT_SHARED;
}

/* perf: not inlined, since the rest is short. */
__attribute__((noinline)) static void choose_any(struct lsu_fast *l, uint64_t cycle)
{
    for (uint64_t at = choice_at(l); at <= cycle; at = choice_at(l)) {
        choose_in_turn(l, at);
        l->results.chosen = at;
    }
}

void lsu_fast_choose_results(struct lsu_fast *l, uint64_t cycle)
{
    bool is_one = l->base.c.lsu.writebacks == 1;

    if (is_one && !l->results.ready && !l->pipes.texture.n)
        choose_shared(l, cycle);
    else if (is_one && l->results.ready == 1u << CLIENT_L1 && pipes_at(l) > cycle &&
             l->results.chosen < cycle)
        choose_l1(l, cycle);
    else
        choose_any(l, cycle);
}

/* The cycle in which the next chosen result is written. */
static uint64_t next_written(const struct lsu_fast *l)
{
    return l->results.n ? l->store.written[l->results.head].at : NEVER;
}

void lsu_fast_write_chosen(struct lsu_fast *l)
{
    while (next_written(l) <= l->base.cycle) {
        uop_id u = l->store.written[l->results.head].uop;

        l->results.head = (l->results.head + 1) % LSU_RESULTS;
        l->results.n--;
        lsu_fast_end_part(l, u);
    }
    agenda_set(&l->agenda, LSU_RESULT, next_written(l));
}

void lsu_fast_end_part_late(struct lsu_fast *l, uop_id u, uint64_t cycle)
{
    if (cycle <= l->base.cycle || l->late.n == LSU_LATE_PARTS) {
        lsu_fast_end_part(l, u);
        return;
    }
    l->store.late[l->late.n++] = (struct late){ cycle, u };
    agenda_add(&l->agenda, LSU_LATE, cycle);
}

void lsu_fast_end_late_parts(struct lsu_fast *l)
{
    agenda_set(&l->agenda, LSU_LATE, NEVER);
    for (uint32_t i = 0; i < l->late.n;) {
        struct late part = l->store.late[i];

        if (part.at > l->base.cycle) {
            agenda_add(&l->agenda, LSU_LATE, part.at);
            i++;
            continue;
        }
        l->store.late[i] = l->store.late[--l->late.n];
        lsu_fast_end_part(l, part.uop);
    }
}
