/* fast.c - the load/store unit that works ahead: one instruction at a time, one result
 * per cycle.
 *
 * The order within a cycle is that of plain.c. A step is left out where it would find
 * nothing to do, and done before its cycle where nothing can come between.
 */
#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "core/lsu/results.h"

/* Sets how far ahead events are known: the time that an instruction taken now needs to
 * get there. */
static void set_ahead(struct fast *l)
{
    uint32_t pipe = l->base.c.shared.latency;

    pipe = pipe < l->base.c.lsu.shuffle_latency ? pipe : l->base.c.lsu.shuffle_latency;
    pipe = pipe < l->base.c.lsu.texture_latency ? pipe : l->base.c.lsu.texture_latency;
    l->chooses_ahead =
        l->base.c.lsu.writebacks == 1 && l->base.c.lsu.replies == 1 && pipe > 1;
    if (l->chooses_ahead && l->is_ahead)
        l->reach = pipe - 2 < l->base.c.l1.latency ? pipe - 2 : l->base.c.l1.latency;
}

static void fast_free(struct lsu *l)
{
    l1_free(fast_of(l));
    lsu_fini(l);
    free(l);
}

static int new_parts(struct fast *l, const struct lsu_made_from *from, struct err *err)
{
    if (lsu_init(&l->base, from, err) || l1_init(l, err))
        return -1;
    l->is_ahead = memory_lead(l->base.memory) != 0;
    l->shared =
        (struct pipe){ .ring = l->pipe_ring[0], .limit = lsu_shared_limit(&l->base) };
    l->texture = (struct pipe){ .ring = l->pipe_ring[1], .limit = LSU_PIPE };
    l->misses.size = l->base.c.l1.miss_queue + 4;
    INVARIANT(l->misses.size <= LSU_MISSES);
    set_ahead(l);
    return 0;
}

void lsu_end_part_at(struct fast *l, uop_id u, uint64_t cycle)
{
    uint32_t at = l->writeback.head + l->writeback.n;

    lsu_end_last_part(l, u, cycle);
    for (; at != l->writeback.head; at--) {
        struct late *x = &l->writeback_ring[(at - 1) % LSU_RESULTS];
        struct late *y = &l->writeback_ring[at % LSU_RESULTS], before = *x;

        if (x->at <= y->at)
            return;
        *x = *y;
        *y = before;
    }
}

/* True if a part that was completed early (decision 022) in fact ends later; then the
 * instruction ends there. */
static bool is_put_off(struct fast *l, uop_id id)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < 2; i++)
        if (l->early[i].uop == id)
            at = later(at, l->early[i].at);
    if (at <= l->base.cycle)
        return false;
    lsu_end_part_at(l, id, at);
    return true;
}

void lsu_part_done(struct fast *l, uop_id id)
{
    struct uop *u = &l->base.pool[id];

    INVARIANT(u->pending || !u->dyn.mask);
    if (u->pending > 1)
        u->pending--;
    else if (l->early_until <= l->base.cycle || !is_put_off(l, id))
        lsu_complete_inst(&l->base, u);
}

static bool fast_has_room(const struct lsu *base, unsigned subcore)
{
    const struct fast *l = const_fast_of(base);

    if (!l->base.c.lsu.queue)
        return l->base.front.room_at <= l->base.cycle;
    return l->queue[subcore % LSU_SUBCORES].n < l->base.c.lsu.queue;
}

/* Sends one transaction past L1 in cycle `at`. */
static bool send_past(struct fast *l, const struct uop *u, uint64_t at)
{
    struct mem_request r = lsu_bypass_request(&l->base, u, &l->tx[l->tx_at], at);

    return memory_push_at(l->base.memory, &r, at);
}

/* May a transaction be sent in cycle `at`, which is in the future? Only if no miss of a
 * lookup can come before it. */
static bool may_send_ahead(const struct fast *l, uint64_t at)
{
    return l->is_ahead && !l->base.tell_checked && !l->misses.n && !l->blocked &&
           at <= l->lookup_at;
}

/* Sends one transaction per cycle. */
static bool bypass_access(struct fast *l, const struct uop *u)
{
    for (;; l->latch_until++) {
        if (l->latch_until > l->base.cycle && !may_send_ahead(l, l->latch_until))
            return false;
        if (!send_past(l, u, l->latch_until)) {
            l->base.stats.icnt_stalls += l->latch_until == l->base.cycle;
            return false;
        }
        if (++l->tx_at == l->n_tx)
            return true;
    }
}

static bool memory_access(struct fast *l, struct uop *u)
{
    if (l->latch_is_new)
        l->latch_until += lsu_translate_pages(&l->base, l->tx, l->n_tx);
    if (l->n_tx)
        return l->bypass ? bypass_access(l, u) : l1_enter(l, u);
    if (l->base.cycle < l->latch_until)
        return false;
    lsu_part_done(l, u->id); /* no lane is active */
    return true;
}

/* Performs the instruction at the unit, starting in cycle latch_until. */
static bool lsu_access_inst(struct fast *l, struct uop *u)
{
    switch (u->dyn.space) {
    case SPACE_NONE:
        return lsu_access_shuffle(l, u);
    case SPACE_SHARED:
        return lsu_access_shared(l, u);
    case SPACE_CONST:
        return lsu_access_constant(l, u);
    case SPACE_TEXTURE:
        return lsu_access_texture(l, u);
    default:
        return memory_access(l, u);
    }
}

static void run_latch(struct fast *l)
{
    struct uop *u = &l->base.pool[l->latch];
    uint64_t cycles;
    bool has_gone;

    if (l->latch_until < l->base.cycle)
        l->latch_until = l->base.cycle;
    has_gone = lsu_access_inst(l, u);
    l->latch_is_new = false;
    if (!has_gone)
        return;
    cycles = l->latch_until - l->latch_since;
    if (l->base.tell_checked && lsu_is_memory(u) && l->n_tx)
        lsu_add_event(&l->base, u->id, LSU_CHECKED, false);
    l->base.stats.latch_cycles += cycles + 1;
    l->base.stats.latch_stalls += cycles;
    l->latch = NO_UOP;
    l->base.front.room_at = l->base.c.lsu.queue ? 0 : l->latch_until;
}

/* An instruction can go on from this cycle, which may be the next. Its way is computed
 * at once as far as it is known; for constants and textures nothing is. */
static void load_latch(struct fast *l, struct uop *u, uint64_t cycle)
{
    INVARIANT(l->latch == NO_UOP && cycle >= l->base.cycle);
    l->latch = u->id;
    l->base.front.room_at = l->base.c.lsu.queue ? 0 : UINT64_MAX;
    l->latch_is_stuck = false;
    l->latch_is_new = true;
    l->awaited = 0;
    l->latch_since = l->latch_until = cycle;
    u->pending = 1;
    if (lsu_is_memory(u)) {
        l->bypass = lsu_bypasses_l1(&l->base, u);
        l->tx_at = 0;
        l->n_tx = lsu_make_transactions(&l->base, u, l->bypass, l->joins && !l->bypass,
                                        l->tx);
    }
    if (cycle == l->base.cycle ||
        (u->dyn.space != SPACE_CONST && u->dyn.space != SPACE_TEXTURE))
        run_latch(l);
}

/* The sub-cores' queues take turns. */
static void next_from_queue(struct fast *l)
{
    for (unsigned i = 0; i < LSU_SUBCORES; i++) {
        unsigned q = (l->next_queue + i) % LSU_SUBCORES;

        if (!l->queue[q].n)
            continue;
        load_latch(l, &l->base.pool[l->queue[q].ring[l->queue[q].head]], l->base.cycle);
        l->queue[q].head = (l->queue[q].head + 1) % LSU_MAX_QUEUE;
        l->queue[q].n--;
        l->n_queued--;
        l->next_queue = (q + 1) % LSU_SUBCORES;
        return;
    }
}

struct mem_request *lsu_wait_to_send(struct fast *l)
{
    uint32_t at = l->misses.head + l->misses.n++;

    INVARIANT(l->misses.n <= l->misses.size);
    return &l->miss_ring[at < l->misses.size ? at : at - l->misses.size];
}

/* Sends the first miss of the queue. */
static void send_miss(struct fast *l)
{
    if (!memory_push_at(l->base.memory, &l->miss_ring[l->misses.head], l->base.cycle)) {
        l->base.stats.icnt_stalls++;
        return;
    }
    l->misses.head = l->misses.head + 1 == l->misses.size ? 0 : l->misses.head + 1;
    l->misses.n--;
}

/* Writes the results of this cycle, and of earlier ones in which nothing else had to be
 * done: those ended no instruction. */
static void write_back(struct fast *l, uint64_t cycle)
{
    INVARIANT(cycle > l->base.cycle);
    l->base.cycle = cycle;
    if (l->results || l->pipes_at <= cycle)
        lsu_choose(l, cycle);
    l->chosen = later(l->chosen, cycle);
    while (l->writeback.n && l->writeback_ring[l->writeback.head].at <= cycle) {
        uop_id u = l->writeback_ring[l->writeback.head].uop;

        l->writeback.head = (l->writeback.head + 1) % LSU_RESULTS;
        l->writeback.n--;
        lsu_part_done(l, u);
    }
}

static void end_late(struct fast *l)
{
    for (uint32_t i = 0; i < l->n_late;) {
        uop_id u = l->late[i].uop;

        if (l->late[i].at > l->base.cycle) {
            i++;
            continue;
        }
        l->late[i] = l->late[--l->n_late];
        lsu_part_done(l, u);
    }
}

static void fast_take(struct lsu *base, struct uop *u, uint64_t cycle)
{
    struct fast *l = fast_of(base);
    struct lsu_queue *q = &l->queue[u->warp % LSU_SUBCORES];

    INVARIANT(cycle >= base->cycle && fast_has_room(base, u->warp));
    base->cycle = cycle;
    lsu_count_inst(base, u, cycle);
    if (base->c.lsu.queue) {
        q->ring[(q->head + q->n++) % LSU_MAX_QUEUE] = u->id;
        l->n_queued++;
    } else {
        load_latch(l, u, cycle + 1);
    }
    l->next = lsu_next_work(l);
}

/* The steps of a cycle that come after replies. */
static void run_accesses(struct fast *l)
{
    bool has_looked_up = false;

    if (l->misses.n)
        send_miss(l);
    if (l->need_mshr || l->lookup_at <= l->base.cycle)
        has_looked_up = l1_lookups(l);
    if (l->latch == NO_UOP && l->n_queued && l->base.cycle > l->latch_until)
        next_from_queue(l);
    else if (l->latch != NO_UOP && l->base.cycle >= l->latch_until &&
             (has_looked_up || !l->latch_is_stuck))
        l->full & l->awaited ? l1_stay(l) : run_latch(l);
    l->next = lsu_next_work(l);
}

/* Many cycles have a reply and nothing else, unless a lookup has waited for it. */
void lsu_run_cycle(struct fast *l, uint64_t cycle)
{
    write_back(l, cycle);
    if (l->has_reply || lsu_has_data(l))
        lsu_take_replies(l);
    if (l->n_late)
        end_late(l);
    if (cycle < l->next && !l->need_mshr && l->lookup_at > cycle)
        l->next = earlier(l->next, lsu_next_result(l));
    else
        run_accesses(l);
}

static bool fast_tick(struct lsu *base, uint64_t cycle)
{
    struct fast *l = fast_of(base);

    if (!l->is_ahead)
        base->cycle = cycle - 1; /* a reply that is present has arrived just now */
    for (;;) {
        uint64_t at = lsu_due(l);

        if (at > cycle)
            break;
        lsu_run_cycle(l, at);
    }
    base->cycle = cycle;
    return base->front.n_events != 0;
}

static uint64_t fast_next(const struct lsu *base)
{
    return lsu_due(const_fast_of(base));
}

static bool fast_is_idle(const struct lsu *base)
{
    const struct fast *l = const_fast_of(base);

    return !base->n_open && !lsu_misses(l) && !base->front.n_events && !l->has_reply;
}

static void fast_dump(const struct lsu *base, struct buf *out)
{
    const struct fast *l = const_fast_of(base);

    lsu_dump_counts(base, l1_transactions(l), lsu_misses(l), out);
    if (l->latch != NO_UOP)
        lsu_dump_latch(base, l->latch, l->tx_at, l->n_tx, out);
    cache_dump(base->l1, "  L1", out);
}

static const struct lsu_form fast_form = { fast_free,    fast_has_room, fast_take,
                                           fast_tick,    fast_next,     fast_run,
                                           fast_is_idle, fast_dump };

struct lsu *lsu_new(const struct lsu_config *c, unsigned sm, struct uop *pool,
                    struct memory *memory, struct err *err)
{
    const struct lsu_made_from from = { c, sm, pool, memory };
    struct fast *l = calloc(1, sizeof *l);

    if (!l) {
        err_memory(err, "a load/store unit");
        return NULL;
    }
    l->base.front.form = &fast_form;
    l->latch = NO_UOP;
    l->next = l->pipes_at = UINT64_MAX;
    if (new_parts(l, &from, err) < 0) {
        fast_free(&l->base);
        return NULL;
    }
    return &l->base;
}
