/* results.c - which of its results the load/store unit writes next.
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
static unsigned pipes_ready(const struct fast *l, uint64_t cycle)
{
    return (unsigned)pipe_is_ready(&l->shared, cycle) << CLIENT_SHARED |
           (unsigned)pipe_is_ready(&l->texture, cycle) << CLIENT_TEXTURE;
}

static uop_id ask_pipe(struct fast *l, struct pipe *p)
{
    uop_id u = pipe_pop(p);

    pipes_changed(l);
    return u;
}

static uop_id ask_cache(struct fast *l, struct cache *c, unsigned client)
{
    uop_id u = (uop_id)cache_ready(c);

    lsu_note_ready(l, c, client);
    return u;
}

static uop_id ask_client(struct fast *l, unsigned client)
{
    switch (client) {
    case CLIENT_SHARED:
        return ask_pipe(l, &l->shared);
    case CLIENT_TEXTURE:
        return ask_pipe(l, &l->texture);
    case CLIENT_CONST:
        return ask_cache(l, l->base.constant, client);
    case CLIENT_GLOBAL:
        l->results &= (uint8_t) ~(1u << CLIENT_GLOBAL);
        return l->global;
    default:
        return ask_cache(l, l->base.l1, client);
    }
}

/* Chooses up to lsu.writebacks results in a cycle. */
static void choose_in_turn(struct fast *l, uint64_t cycle)
{
    for (unsigned n = 0; n < l->base.c.lsu.writebacks; n++) {
        unsigned ready =
            l->results | (l->pipes_at <= cycle ? pipes_ready(l, cycle) : 0);
        unsigned behind, client;

        if (!ready)
            return;
        behind = ready & ~0u << l->next_client; /* clients take turns */
        client = (unsigned)__builtin_ctz(behind ? behind : ready);
        lsu_choose_part(l, ask_client(l, client), cycle + 1);
        l->next_client = client + 1 == LSU_CLIENTS ? 0 : client + 1;
    }
}

/* The cycle of the next choice. */
static uint64_t choice_at(const struct fast *l)
{
    return later(l->chosen + 1, l->results ? 0 : l->pipes_at);
}

/* The usual case: shared memory is the only client, with one result per cycle. */
static void choose_shared(struct fast *l, uint64_t cycle)
{
    struct pipe *p = &l->shared;

    while (pipe_is_ready(p, cycle) && l->chosen < cycle) {
        l->chosen = later(l->chosen + 1, p->ring[p->head].ready);
        lsu_choose_part(l, pipe_pop(p), l->chosen + 1);
        l->next_client = CLIENT_TEXTURE;
    }
    l->pipes_at = pipe_next(p);
}

/* Or L1 is, with several waiters of the same miss. */
static void choose_l1(struct fast *l, uint64_t cycle)
{
    for (; l->results && l->chosen < cycle; l->chosen++)
        lsu_choose_part(l, ask_cache(l, l->base.l1, CLIENT_L1), l->chosen + 2);
    l->next_client = CLIENT_SHARED;
}

/* perf: not inlined, since the rest is short. */
__attribute__((noinline)) static void choose_any(struct fast *l, uint64_t cycle)
{
    for (uint64_t at = choice_at(l); at <= cycle; at = choice_at(l)) {
        choose_in_turn(l, at);
        l->chosen = at;
    }
}

void lsu_choose(struct fast *l, uint64_t cycle)
{
    bool is_one = l->base.c.lsu.writebacks == 1;

    if (is_one && !l->results && !l->texture.n)
        choose_shared(l, cycle);
    else if (is_one && l->results == 1u << CLIENT_L1 && l->pipes_at > cycle &&
             l->chosen < cycle)
        choose_l1(l, cycle);
    else
        choose_any(l, cycle);
}
