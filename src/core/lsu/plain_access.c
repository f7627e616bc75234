/* plain_access.c - the load/store unit cycle by cycle: L1 is looked up, the instruction
 * in the latch goes on. The other steps are in plain.c.
 */
#include "base/cycles.h"
#include "core/lsu/conflict.h"
#include "core/lsu/plain.h"
#include "core/lsu/requests.h"

/* A transaction that bypasses L1, which drops its line; false: the miss queue has no
 * room. */
static bool pass_through(struct lsu_plain *p, const struct l1_access *a, uint8_t *why)
{
    struct mem_request r;

    *why = CACHE_FAIL_QUEUE;
    if (!lsu_plain_miss_room(p))
        return false;
    cache_drop(p->base.l1, a->line, a->set, ALL_SECTORS);
    r = lsu_through_request(&p->base, a);
    lsu_plain_queue_miss(p, &r);
    if (lsu_is_posted(&r))
        lsu_plain_end_part(p, a->uop);
    return true;
}

/* Performs the lookup of a transaction; false: it failed for reason *why. */
static bool look_up(struct lsu_plain *p, const struct l1_access *a, uint8_t *why)
{
    struct lsu *l = &p->base;
    struct cache_access access = { .line = a->line,
                                   .set = a->set,
                                   .words = a->words,
                                   .waiter = a->uop,
                                   .room = lsu_plain_miss_room(p),
                                   .sectors = a->sectors,
                                   .write = a->write,
                                   .local = a->local,
                                   .replaces = a->write && lsu_store_replaces(l, a) };
    struct cache_outcome o = cache_access(l->l1, &access);
    struct mem_request r;

    *why = o.fail;
    if (o.result == CACHE_FAIL)
        return false;
    if (a->write)
        lsu_note_store(l, a);
    l1_count_lookup(l, a, o.result, 1);
    if (o.fetch) {
        lsu_set_read(&r, l, a, o.fetch, o.mshr);
        lsu_plain_queue_miss(p, &r);
    }
    if (o.send_write) {
        lsu_set_write(&r, l, a, (struct lsu_write){ a->sectors, a->bytes, a->words });
        o.done |= lsu_is_posted(&r);
        lsu_plain_queue_miss(p, &r);
    }
    if (o.evict) {
        lsu_set_victim(&r, l, o.victim, o.evict);
        lsu_plain_queue_miss(p, &r);
    }
    if (a->write ? o.done : o.result == CACHE_HIT)
        lsu_plain_end_part_after(p, a->uop, a->more);
    return true;
}

/* May the failed lookup of a bank be tried again? It waits for what it lacked: an MSHR,
 * room in the miss queue or, in unblock_banks(), a fill. */
static bool may_try_again(const struct lsu_plain *p, const struct lsu_plain_bank *b,
                          bool has_mshr)
{
    if (b->why == CACHE_FAIL_MSHR)
        return has_mshr;
    if (b->why == CACHE_FAIL_QUEUE)
        return lsu_plain_miss_room(p) >= l1_places_needed(&b->ring[b->head]);
    return false;
}

/* Looks up the first transaction of a bank, if it is due; false: it stays. */
static bool run_bank(struct lsu_plain *p, struct lsu_plain_bank *b, bool has_mshr)
{
    const struct l1_access *a = &b->ring[b->head];

    if (!b->n || a->ready > p->base.cycle)
        return false;
    if (p->base.c.l1.fill_first && p->fill_free > p->base.cycle) {
        *l1_fail_counter(&p->base, b->why) += b->has_failed;
        return false;
    }
    if (!b->is_blocked || may_try_again(p, b, has_mshr))
        b->is_blocked =
            !(a->bypasses ? pass_through(p, a, &b->why) : look_up(p, a, &b->why));
    b->has_failed = b->is_blocked;
    if (b->is_blocked) {
        ++*l1_fail_counter(&p->base, b->why);
        return false;
    }
    b->head = (b->head + 1) % p->base.c.l1.latency;
    b->n--;
    return true;
}

/* One lookup per bank; true: one was done. */
bool lsu_plain_look_up_banks(struct lsu_plain *p)
{
    bool has_mshr = cache_can_miss(p->base.l1), some = false;

    for (unsigned i = 0; i < p->base.c.l1.banks; i++)
        some |= run_bank(p, &p->bank[i], has_mshr);
    return some;
}

/* Its transaction stays because the bank is full. That is a bank conflict, except
 * while the bank is blocked and L1 does nothing: then the cycle counts as one of the
 * failed lookup only. */
static void await_bank(struct lsu_plain *p, const struct uop *u,
                       const struct lsu_plain_bank *b, bool is_counted)
{
    if (is_counted)
        l1_count_conflict(&p->base, u->id);
    p->latch.is_stuck = b->has_failed;
}

static void enter_bank(struct lsu_plain *p, struct lsu_plain_bank *b,
                       const struct uop *u)
{
    const struct lsu *l = &p->base;
    const struct transaction *t = &p->latch.tx[p->latch.at];
    bool is_last = p->latch.at + 1 == p->latch.n;

    b->ring[(b->head + b->n++) % l->c.l1.latency] =
        (struct l1_access){ .line = t->line,
                            .ready = l->cycle + l->c.l1.latency,
                            .words = t->words,
                            .uop = u->id,
                            .set = (uint16_t)cache_set(l->l1, t->line),
                            .bytes = t->bytes,
                            .more = l1_more_latency(l, u, p->latch.n, is_last),
                            .sectors = t->sectors,
                            .write = u->dyn.inst->class == CLASS_store,
                            .local = u->dyn.space == SPACE_LOCAL,
                            .bypasses = p->latch.bypasses,
                            .lanes = t->lanes };
}

/* Transactions enter L1 in order, each its bank, until one finds its bank taken in this
 * cycle or full. */
static bool enter_l1(struct lsu_plain *p, const struct uop *u, bool has_looked_up)
{
    const struct lsu *l = &p->base;
    uint64_t all = ((uint64_t)1 << l->c.l1.banks) - 1, taken = 0;
    bool was_stuck = p->latch.is_stuck;

    p->latch.is_stuck = false;
    for (; p->latch.at < p->latch.n && taken != all; p->latch.at++) {
        const struct transaction *t = &p->latch.tx[p->latch.at];
        unsigned first = (unsigned)__builtin_ctz(t->sectors) * SECTOR_BYTES;
        unsigned number = l1_bank(l, t->line + first);
        struct lsu_plain_bank *b = &p->bank[number];

        if (b->n == l->c.l1.latency) {
            await_bank(p, u, b, has_looked_up || !was_stuck);
            return false;
        }
        if (taken >> number & 1) {
            l1_count_conflict(&p->base, u->id);
            return false;
        }
        enter_bank(p, b, u);
        taken |= (uint64_t)1 << number;
    }
    return p->latch.at == p->latch.n;
}

/* Sends one transaction past L1. */
static bool bypass_l1(struct lsu_plain *p, const struct uop *u)
{
    struct lsu *l = &p->base;
    struct mem_request r =
        lsu_bypass_request(l, u, &p->latch.tx[p->latch.at], l->cycle);

    if (!memory_push_at(l->memory, &r, l->cycle)) {
        l->stats.icnt_stalls++;
        return false;
    }
    return ++p->latch.at == p->latch.n;
}

static bool access_memory(struct lsu_plain *p, const struct uop *u, bool has_looked_up)
{
    if (p->latch.n)
        return lsu_passes_beside_l1(&p->base, u) ? bypass_l1(p, u)
                                                 : enter_l1(p, u, has_looked_up);
    lsu_plain_end_part(p, u->id); /* no lane is active */
    return true;
}

static void pipe_push(struct lsu_plain_pipe *q, uop_id u, uint64_t ready)
{
    q->ring[(q->head + q->n++) % LSU_PIPE_SLOTS] = (struct pipe_slot){ ready, u };
}

/* The cycle in which the last access is back in its sub-core. The path takes one access
 * in as many cycles as a further access adds to the latency, so results for one
 * sub-core wait for each other. */
static uint64_t way_back(struct lsu_plain *p, const struct uop *u)
{
    uint64_t *free = &p->path_free[u->warp % LSU_SUBCORES];
    uint64_t ready = p->base.cycle + lsu_shared_latency(&p->base, u, p->latch.n);
    uint32_t more = p->base.c.shared.conflict_latency;

    if (more)
        *free = ready = later(ready, *free + (uint64_t)p->latch.n * (1 + more));
    return ready;
}

/* In the last of its cycles at the unit a store is done, others enter the pipe.
 * Exchanges between lanes use the crossbar of shared memory. */
static bool access_shared(struct lsu_plain *p, const struct uop *u)
{
    bool is_shuffle = u->dyn.space == SPACE_NONE;

    if (lsu_is_remote(&p->base, u)) {
        uint64_t ready = lsu_remote_ready(&p->base, u, p->latch.n, p->base.cycle);

        if (ready)
            lsu_plain_end_part_after(p, u->id, ready - p->base.cycle);
        return ready != 0;
    }
    if (!is_shuffle && u->dyn.inst->class == CLASS_store) {
        lsu_plain_end_part(p, u->id);
        return true;
    }
    if (p->shared.n >= lsu_shared_limit(&p->base))
        return false;
    pipe_push(&p->shared, u->id,
              is_shuffle ? p->base.cycle + p->base.c.lsu.shuffle_latency
                         : way_back(p, u));
    return true;
}

/* Looks up one line of constants. */
static bool access_constant(struct lsu_plain *p, const struct uop *u)
{
    struct lsu *l = &p->base;
    struct constant_lookup o;

    if (l->c.constant.perfect || !u->dyn.mask) {
        lsu_plain_end_part_after(p, u->id, l->c.constant.latency - 1);
        return true;
    }
    if (!lsu_plain_miss_room(p))
        return false;
    lsu_look_up_constant(l, u, p->latch.tx[p->latch.at].line, &o);
    if (o.has_failed)
        return false;
    if (o.is_sent)
        lsu_plain_queue_miss(p, &o.request);
    if (!o.waits)
        lsu_plain_end_part_after(p, u->id, o.latency);
    return ++p->latch.at == p->latch.n;
}

static bool access_texture(struct lsu_plain *p, const struct uop *u)
{
    const struct lsu *l = &p->base;

    if (l->cycle < p->texture_free || p->texture.n == LSU_PIPE_SLOTS)
        return false;
    p->texture_free = l->cycle + l->c.lsu.texture_interval;
    pipe_push(&p->texture, u->id, l->cycle + l->c.lsu.texture_latency);
    return true;
}

static bool access_any(struct lsu_plain *p, const struct uop *u, bool has_looked_up)
{
    switch (u->dyn.space) {
    case SPACE_NONE:
    case SPACE_SHARED:
        return access_shared(p, u);
    case SPACE_CONST:
        return access_constant(p, u);
    case SPACE_TEXTURE:
        return access_texture(p, u);
    default:
        return access_memory(p, u, has_looked_up);
    }
}

/* An instruction enters the latch and goes on from this cycle or, if its pages must be
 * translated or it has bank conflicts in shared memory, a later one. */
void lsu_plain_load_latch(struct lsu_plain *p, struct uop *u, uint64_t cycle)
{
    INVARIANT(p->latch.uop == NO_UOP);
    p->latch.uop = u->id;
    p->latch.from = cycle;
    p->latch.is_stuck = false;
    p->latch.at = 0;
    u->pending = 1;
    if (lsu_is_memory(u)) {
        p->latch.bypasses = lsu_bypasses_l1(&p->base, u);
        p->latch.n =
            lsu_make_transactions(&p->base, u, p->latch.bypasses, false, p->latch.tx);
        p->latch.from = lsu_enter_at(&p->base, u, p->latch.tx, p->latch.n, cycle);
    } else if (u->dyn.space == SPACE_SHARED) {
        p->latch.n = lsu_count_shared(&p->base, u);
        p->latch.from += p->latch.n - 1;
    } else if (u->dyn.space == SPACE_CONST && !p->base.c.constant.perfect) {
        unsigned later;

        p->latch.n = lsu_make_constants(&p->base, u, p->latch.tx, &later);
        p->latch.from += later;
    }
}

/* The sub-cores' queues take turns. */
static void load_from_queue(struct lsu_plain *p)
{
    for (unsigned i = 0; i < LSU_SUBCORES; i++) {
        unsigned n = (p->next_queue + i) % LSU_SUBCORES;
        struct lsu_queue *q = &p->queue[n];

        if (!q->n)
            continue;
        lsu_plain_load_latch(p, &p->base.pool[q->ring[q->head]], p->base.cycle);
        q->head = (q->head + 1) % LSU_MAX_QUEUE;
        q->n--;
        p->next_queue = (n + 1) % LSU_SUBCORES;
        return;
    }
}

void lsu_plain_run_latch(struct lsu_plain *p, bool has_looked_up)
{
    struct lsu *l = &p->base;
    struct uop *u;

    if (p->latch.uop == NO_UOP)
        load_from_queue(p);
    if (p->latch.uop == NO_UOP)
        return;
    u = &l->pool[p->latch.uop];
    l->stats.latch_cycles++;
    if (l->cycle < p->latch.from || !access_any(p, u, has_looked_up)) {
        l->stats.latch_stalls++;
        return;
    }
    if (l->tell_checked && lsu_is_memory(u) && p->latch.n)
        lsu_add_event(l, u->id, LSU_CHECKED, false);
    p->latch.uop = NO_UOP;
}
