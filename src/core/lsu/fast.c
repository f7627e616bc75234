/* fast.c - the load/store unit that works ahead: one instruction at a time, one result
 * per cycle.
 *
 * The order within a cycle is that of plain.c. A step is left out where it would find
 * nothing to do, and done before its cycle where nothing can come between.
 */
#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "core/lsu/requests.h"
#include "core/lsu/results.h"

/* Sets how far ahead events are known: the time that an instruction taken now needs to
 * get there. */
static void set_ahead(struct lsu_fast *l)
{
    uint32_t pipe = l->base.c.shared.latency;

    pipe = pipe < l->base.c.lsu.shuffle_latency ? pipe : l->base.c.lsu.shuffle_latency;
    pipe = pipe < l->base.c.lsu.texture_latency ? pipe : l->base.c.lsu.texture_latency;
    l->ahead.chooses =
        l->base.c.lsu.writebacks == 1 && l->base.c.lsu.replies == 1 && pipe > 1;
    if (l->ahead.chooses && l->ahead.has_memory)
        l->ahead.reach =
            pipe - 2 < l->base.c.l1.latency ? pipe - 2 : l->base.c.l1.latency;
}

static void lsu_fast_free(struct lsu *l)
{
    l1_free(lsu_fast_of(l));
    lsu_fini(l);
    free(l);
}

static int new_parts(struct lsu_fast *l, const struct lsu_made_from *from,
                     struct err *err)
{
    if (lsu_init(&l->base, from, err) || l1_init(l, err))
        return -1;
    l->ahead.has_memory = memory_lead(l->base.memory) != 0;
    l->pipes.shared =
        (struct pipe){ .ring = l->store.pipe[0], .limit = lsu_shared_limit(&l->base) };
    l->pipes.texture =
        (struct pipe){ .ring = l->store.pipe[1], .limit = LSU_PIPE_SLOTS };
    l->misses.size = l->base.c.l1.miss_queue + 4;
    INVARIANT(l->misses.size <= LSU_MISSES);
    set_ahead(l);
    return 0;
}

static bool lsu_fast_has_room(const struct lsu *base, unsigned subcore)
{
    const struct lsu_fast *l = lsu_const_fast_of(base);

    if (!l->base.c.lsu.queue)
        return l->base.front.room_at <= l->base.cycle;
    return l->entry.queue[subcore % LSU_SUBCORES].n < l->base.c.lsu.queue;
}

/* Sends one transaction past L1 in cycle `at`. */
static bool send_past(struct lsu_fast *l, const struct uop *u, uint64_t at)
{
    struct mem_request r =
        lsu_bypass_request(&l->base, u, &l->store.tx[l->latch.gone], at);

    return memory_push_at(l->base.memory, &r, at);
}

/* May a transaction be sent in cycle `at`, which is in the future? Only if no miss of a
 * lookup can come before it. */
static bool may_send_ahead(const struct lsu_fast *l, uint64_t at)
{
    return l->ahead.has_memory && !l->base.tell_checked && !l->misses.n &&
           !l->banks.blocked && at <= l->agenda.at[LSU_LOOKUP];
}

/* Sends one transaction per cycle. */
static struct progress bypass_access(struct lsu_fast *l, const struct uop *u,
                                     uint64_t cycle)
{
    for (;; cycle++) {
        if (cycle > l->base.cycle && !may_send_ahead(l, cycle))
            return stays(cycle);
        if (!send_past(l, u, cycle)) {
            l->base.stats.icnt_stalls += cycle == l->base.cycle;
            return stays(cycle);
        }
        if (++l->latch.gone == l->latch.n)
            return has_gone(cycle);
    }
}

static struct progress memory_access(struct lsu_fast *l, struct uop *u, uint64_t cycle)
{
    if (l->latch.is_new)
        cycle = lsu_enter_at(&l->base, u, l->store.tx, l->latch.n, cycle);
    if (l->latch.n)
        return lsu_passes_beside_l1(&l->base, u) ? bypass_access(l, u, cycle)
                                                 : l1_enter(l, u, cycle);
    if (l->base.cycle < cycle)
        return stays(cycle);
    lsu_fast_end_part(l, u->id); /* no lane is active */
    return has_gone(cycle);
}

/* Performs the instruction at the unit, starting in this cycle, which may be in the
 * future. */
static struct progress access_inst(struct lsu_fast *l, struct uop *u, uint64_t cycle)
{
    switch (u->dyn.space) {
    case SPACE_NONE:
        return lsu_fast_access_shuffle(l, u, cycle);
    case SPACE_SHARED:
        return lsu_fast_access_shared(l, u, cycle);
    case SPACE_CONST:
        return lsu_fast_access_constant(l, u, cycle);
    case SPACE_TEXTURE:
        return lsu_fast_access_texture(l, u, cycle);
    default:
        return memory_access(l, u, cycle);
    }
}

static void run_latch(struct lsu_fast *l)
{
    struct uop *u = &l->base.pool[l->latch.uop];
    struct progress p = access_inst(l, u, later(l->latch.until, l->base.cycle));
    uint64_t cycles;

    l->latch.until = p.cycle;
    l->latch.is_new = false;
    if (!p.has_gone)
        return;
    cycles = l->latch.until - l->latch.since;
    if (l->base.tell_checked && lsu_is_memory(u) && l->latch.n)
        lsu_add_event(&l->base, u->id, LSU_CHECKED, false);
    l->base.stats.latch_cycles += cycles + 1;
    l->base.stats.latch_stalls += cycles;
    l->latch.uop = NO_UOP;
    l->base.front.room_at = l->base.c.lsu.queue ? 0 : l->latch.until;
}

/* An instruction can go on from this cycle, which may be the next. Its way is computed
 * at once as far as it is known; for constants and textures nothing is. */
static void load_latch(struct lsu_fast *l, struct uop *u, uint64_t cycle)
{
    INVARIANT(l->latch.uop == NO_UOP && cycle >= l->base.cycle);
    l->latch.uop = u->id;
    l->base.front.room_at = l->base.c.lsu.queue ? 0 : UINT64_MAX;
    l->latch.is_stuck = false;
    l->latch.is_new = true;
    l->latch.awaited = 0;
    l->latch.since = l->latch.until = cycle;
    u->pending = 1;
    if (lsu_is_memory(u)) {
        l->latch.bypasses = lsu_bypasses_l1(&l->base, u);
        l->latch.gone = 0;
        l->latch.n =
            lsu_make_transactions(&l->base, u, l->latch.bypasses,
                                  l->banks.joins && !l->latch.bypasses, l->store.tx);
    } else if (u->dyn.space == SPACE_CONST && !l->base.c.constant.perfect) {
        unsigned later;

        l->latch.gone = 0;
        l->latch.n = lsu_make_constants(&l->base, u, l->store.tx, &later);
        l->latch.until += later;
    }
    if (cycle == l->base.cycle ||
        (u->dyn.space != SPACE_CONST && u->dyn.space != SPACE_TEXTURE))
        run_latch(l);
}

/* The sub-cores' queues take turns. */
static void next_from_queue(struct lsu_fast *l)
{
    for (unsigned i = 0; i < LSU_SUBCORES; i++) {
        unsigned q = (l->entry.next + i) % LSU_SUBCORES;

        if (!l->entry.queue[q].n)
            continue;
        load_latch(l, &l->base.pool[l->entry.queue[q].ring[l->entry.queue[q].head]],
                   l->base.cycle);
        l->entry.queue[q].head = (l->entry.queue[q].head + 1) % LSU_MAX_QUEUE;
        l->entry.queue[q].n--;
        l->entry.n--;
        l->entry.next = (q + 1) % LSU_SUBCORES;
        return;
    }
}

struct mem_request *lsu_fast_queue_miss(struct lsu_fast *l)
{
    uint32_t at = l->misses.head + l->misses.n++;

    INVARIANT(l->misses.n <= l->misses.size);
    agenda_set(&l->agenda, LSU_MISS, l->base.cycle);
    return &l->store.miss[at < l->misses.size ? at : at - l->misses.size];
}

/* Sends the first miss of the queue. */
static void send_miss(struct lsu_fast *l)
{
    if (!memory_push_at(l->base.memory, &l->store.miss[l->misses.head],
                        l->base.cycle)) {
        l->base.stats.icnt_stalls++;
        return;
    }
    l->misses.head = l->misses.head + 1 == l->misses.size ? 0 : l->misses.head + 1;
    l->misses.n--;
    agenda_set(&l->agenda, LSU_MISS, l->misses.n ? l->base.cycle : NEVER);
}

/* Sets the entry of the latch: does the instruction at the unit, or the next one, go on
 * before the next lookup? */
static inline void plan_latch(struct lsu_fast *l)
{
    bool is_live = l->latch.uop != NO_UOP ? !l->latch.is_stuck : l->entry.n != 0;

    agenda_set(&l->agenda, LSU_LATCH, is_live ? l->latch.until : NEVER);
}

/* Sets the entry of the choice. A result that is chosen in the next cycle is seen in the
 * one after, but choosing it may free an MSHR. */
static inline void plan_choice(struct lsu_fast *l)
{
    uint64_t seen = l->results.chosen + (l->banks.need_mshr ? 1 : 2);

    agenda_set(&l->agenda, LSU_CHOICE, l->results.ready ? seen : NEVER);
}

static void lsu_fast_take(struct lsu *base, struct uop *u, uint64_t cycle)
{
    struct lsu_fast *l = lsu_fast_of(base);
    struct lsu_queue *q = &l->entry.queue[u->warp % LSU_SUBCORES];

    INVARIANT(cycle >= base->cycle && lsu_fast_has_room(base, u->warp));
    base->cycle = cycle;
    lsu_count_inst(base, u, cycle);
    if (base->c.lsu.queue) {
        q->ring[(q->head + q->n++) % LSU_MAX_QUEUE] = u->id;
        l->entry.n++;
    } else {
        load_latch(l, u, cycle + 1);
    }
    plan_latch(l);
    l->next = agenda_first(&l->agenda);
}

/* The steps of a cycle that come after replies. */
static void run_accesses(struct lsu_fast *l)
{
    bool has_looked_up = false;

    if (l->misses.n)
        send_miss(l);
    if (l->banks.need_mshr || l->agenda.at[LSU_LOOKUP] <= l->base.cycle)
        has_looked_up = l1_lookups(l);
    if (l->latch.uop == NO_UOP && l->entry.n && l->base.cycle > l->latch.until)
        next_from_queue(l);
    else if (l->latch.uop != NO_UOP && l->base.cycle >= l->latch.until &&
             (has_looked_up || !l->latch.is_stuck))
        l->banks.full & l->latch.awaited ? l1_stay(l) : run_latch(l);
    plan_latch(l);
}

/* Many cycles have a reply and nothing else, unless a lookup has waited for it. */
void lsu_fast_run_cycle(struct lsu_fast *l, uint64_t cycle)
{
    lsu_fast_write_results(l, cycle);
    if (l->replies.is_waiting || lsu_fast_has_reply(l))
        lsu_fast_take_replies(l);
    if (l->agenda.at[LSU_LATE] <= cycle)
        lsu_fast_end_late_parts(l);
    if (cycle >= l->next || l->banks.need_mshr || l->agenda.at[LSU_LOOKUP] <= cycle)
        run_accesses(l);
    plan_choice(l);
    l->next = agenda_first(&l->agenda);
}

static bool lsu_fast_tick(struct lsu *base, uint64_t cycle)
{
    struct lsu_fast *l = lsu_fast_of(base);

    if (!l->ahead.has_memory)
        base->cycle = cycle - 1; /* a reply that is present has arrived just now */
    for (;;) {
        uint64_t at = lsu_fast_due(l);

        if (at > cycle)
            break;
        lsu_fast_run_cycle(l, at);
    }
    base->cycle = cycle;
    return base->front.n_events != 0;
}

static uint64_t lsu_fast_next(const struct lsu *base)
{
    return lsu_fast_due(lsu_const_fast_of(base));
}

static bool lsu_fast_is_idle(const struct lsu *base)
{
    const struct lsu_fast *l = lsu_const_fast_of(base);

    return !base->n_open && lsu_is_settled(base) && !lsu_fast_count_misses(l) &&
           !base->front.n_events && !l->replies.is_waiting;
}

static void lsu_fast_dump(const struct lsu *base, struct buf *out)
{
    const struct lsu_fast *l = lsu_const_fast_of(base);

    lsu_dump_counts(base, l1_transactions(l), lsu_fast_count_misses(l), out);
    if (l->latch.uop != NO_UOP)
        lsu_dump_latch(base, l->latch.uop, l->latch.gone, l->latch.n, out);
    lsu_fast_print_agenda(l, out);
    cache_dump(base->l1, "  L1", out);
}

static const struct lsu_form lsu_fast_form = { lsu_fast_free,    lsu_fast_has_room,
                                               lsu_fast_take,    lsu_fast_tick,
                                               lsu_fast_next,    lsu_fast_run,
                                               lsu_fast_is_idle, lsu_fast_dump };

struct lsu *lsu_new(const struct lsu_config *c, unsigned sm, struct uop *pool,
                    struct memory *memory, struct err *err)
{
    const struct lsu_made_from from = { c, sm, pool, memory };
    struct lsu_fast *l = calloc(1, sizeof *l);

    if (!l) {
        err_memory(err, "a load/store unit");
        return NULL;
    }
    l->base.front.form = &lsu_fast_form;
    l->latch.uop = NO_UOP;
    agenda_init(&l->agenda);
    l->next = NEVER;
    if (new_parts(l, &from, err) < 0) {
        lsu_fast_free(&l->base);
        return NULL;
    }
    return &l->base;
}
