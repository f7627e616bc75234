/* replies.c - replies from memory to the load/store unit, one per cycle.
 *
 * A reply is taken after the results of its cycle and before its lookups. If memory
 * works ahead, replies of future cycles are known: those that no other event can
 * precede are taken together with the first, each as if in its own cycle. The SM sees
 * only the last part of an instruction, which is kept until it is due.
 */
#include "base/cycles.h"
#include "base/hint.h"
#include "base/invariant.h"
#include "core/lsu/results.h"

enum { EARLY_RESULTS = LSU_RESULTS - 4 }; /* the others are of this cycle */

/* Is the choice of the next cycle free, with no other result possible until then? */
static bool is_next(const struct lsu_fast *l)
{
    return l->ahead.chooses && !l->results.ready && pipes_at(l) > l->results.chosen + 1;
}

/* A result in a reply of this cycle is chosen in the next and written in the one
 * after. */
static void choose_now(struct lsu_fast *l, uop_id id, unsigned client, uint64_t cycle)
{
    l->results.chosen = later(l->results.chosen, cycle) + 1;
    l->results.next_client = (client + 1) % LSU_CLIENTS;
    lsu_fast_choose_part(l, id, l->results.chosen + 1);
}

/* True if the miss has one waiter, and freeing its MSHR a cycle early makes no
 * difference. */
static bool is_lone_miss(const struct lsu_fast *l, uint32_t id)
{
    return cache_is_lone(l->base.l1, id) &&
           cache_spare(l->base.l1) >= l->base.c.l1.banks;
}

static void use_port(struct lsu_fast *l, const struct mem_reply *r, uint64_t cycle)
{
    l->replies.fill_free = cycle + l->base.fill_cycles[n_sectors(r->sectors)];
    l->base.stats.l1_fills++;
}

/* A fetch of L1 has arrived; false: its port is in use. */
static bool fill_l1(struct lsu_fast *l, const struct mem_reply *r, uint32_t id)
{
    if (l->replies.fill_free > l->base.cycle)
        return false;
    use_port(l, r, l->base.cycle);
    l1_filled(l, cache_fetched_line(l->base.l1, id));
    if (is_next(l) && is_lone_miss(l, id)) {
        choose_now(l, (uop_id)cache_fill_lone(l->base.l1, id), CLIENT_L1,
                   l->base.cycle);
    } else {
        cache_fill(l->base.l1, id);
        lsu_fast_note_ready(l, l->base.l1, CLIENT_L1);
    }
    return true;
}

/* Takes a reply; false: it must wait. */
static bool take_reply(struct lsu_fast *l, const struct mem_reply *r)
{
    uint32_t id = r->id & ~FOR_MASK;

    switch (r->id & FOR_MASK) {
    case FOR_L1:
        return fill_l1(l, r, id);
    case FOR_CONST:
        cache_fill(l->base.constant, id);
        lsu_fast_note_ready(l, l->base.constant, CLIENT_CONST);
        return true;
    case FOR_NOBODY:
        return true;
    case FOR_TMA:
        lsu_add_event(&l->base, (uop_id)id, LSU_COPIED, false);
        return true;
    case FOR_STORE:
        lsu_settle_store(&l->base, id);
        return true;
    default:
        break;
    }
    if (r->kind == MEM_WRITE) {
        lsu_fast_end_part(l, (uop_id)id);
        return true;
    }
    if (l->results.ready & 1u << CLIENT_GLOBAL)
        return false;
    if (is_next(l)) {
        choose_now(l, (uop_id)id, CLIENT_GLOBAL, l->base.cycle);
    } else {
        l->results.ready |= 1u << CLIENT_GLOBAL;
        l->results.global = (uop_id)id;
    }
    return true;
}

/* (perf) Replies arrive by the window: prefetches on the host what all of them will
 * touch while the first is taken. */
HINT void expect_replies(const struct lsu_fast *l)
{
    unsigned n = l->base.link->data.n, first = n - l->base.link->n_new;

    for (unsigned i = first; i < n; i++) {
        uint32_t id = memory_arrival(l->base.memory, l->base.sm, i)->reply.id;

        if ((id & FOR_MASK) == FOR_L1)
            cache_expect(l->base.l1, id);
        else if ((id & FOR_MASK) == FOR_UOP)
            __builtin_prefetch(&l->base.pool[id & ~FOR_MASK].pending);
    }
    for (unsigned i = first; i < n; i++) {
        uint32_t id = memory_arrival(l->base.memory, l->base.sm, i)->reply.id;

        if ((id & FOR_MASK) == FOR_L1)
            __builtin_prefetch(
                &l->base.pool[cache_expect_waiter(l->base.l1, id)].pending);
    }
}

static void pop_reply(struct lsu_fast *l)
{
    if (l->base.link->n_new)
        expect_replies(l);
    l->replies.is_waiting = memory_pop(l->base.memory, l->base.sm, &l->replies.waiting);
}

/* The last cycle whose reply may be taken now: before it nothing is looked up in L1,
 * and no other result is chosen until one of it is written. */
static uint64_t last_known(const struct lsu_fast *l)
{
    if (!l->ahead.reach || l->banks.blocked || l->results.ready || l->late.n)
        return 0;
    return earlier(l->base.cycle + l->ahead.reach,
                   earlier(l->agenda.at[LSU_LOOKUP], pipes_at(l) - 2));
}

/* An acknowledged part of a store. */
static void end_write(struct lsu_fast *l, uop_id id, uint64_t cycle)
{
    INVARIANT(l->base.pool[id].pending && cycle > l->base.cycle);
    if (l->base.pool[id].pending > 1)
        l->base.pool[id].pending--;
    else
        lsu_fast_end_part_at(l, id, cycle);
}

/* Takes a reply of a future cycle; false: the general case applies. */
static bool take_early(struct lsu_fast *l, const struct mem_reply *r, uint64_t cycle)
{
    uint32_t id = r->id & ~FOR_MASK, whom = r->id & FOR_MASK;

    if (whom == FOR_L1) {
        if (l->replies.fill_free > cycle || !is_lone_miss(l, id))
            return false;
        use_port(l, r, cycle);
        choose_now(l, (uop_id)cache_fill_lone(l->base.l1, id), CLIENT_L1, cycle);
    } else if (whom == FOR_UOP && r->kind == MEM_WRITE) {
        end_write(l, (uop_id)id, cycle);
    } else if (whom == FOR_UOP) {
        choose_now(l, (uop_id)id, CLIENT_GLOBAL, cycle);
    }
    return whom == FOR_L1 || whom == FOR_UOP;
}

static void take_known(struct lsu_fast *l)
{
    uint64_t last = last_known(l), at;

    while ((at = l->base.link->data_at) <= last && l->results.n < EARLY_RESULTS) {
        const struct mem_arrival *a = memory_arrival(l->base.memory, l->base.sm, 0);

        /* Not one that has to wait, perhaps until replies arrive that are not known
         * yet. */
        if (at <= l->base.cycle || at != a->cycle || !take_early(l, &a->reply, at))
            return;
        memory_taken(l->base.memory, l->base.sm);
    }
}

/* Takes replies of this cycle; false: one must wait, or there is none. */
static bool take_present(struct lsu_fast *l)
{
    for (unsigned n = 0; n < l->base.c.lsu.replies; n++) {
        if (!l->replies.is_waiting && lsu_fast_has_reply(l))
            pop_reply(l);
        if (!l->replies.is_waiting || !take_reply(l, &l->replies.waiting))
            return false;
        l->replies.is_waiting = false;
    }
    return true;
}

void lsu_fast_take_replies(struct lsu_fast *l)
{
    if (take_present(l))
        take_known(l);
    agenda_set(&l->agenda, LSU_REPLY, l->replies.is_waiting ? l->base.cycle : NEVER);
}
