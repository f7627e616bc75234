/* plain.c - the load/store unit of an SM, cycle by cycle: the specification.
 *
 * Models Accel-Sim's ldst_unit. Every cycle takes the same steps in the same order
 * (run_cycle()): the results chosen in the cycle before are written and the next ones
 * chosen, a reply from memory is taken, parts whose latency is over end, a miss is sent,
 * L1 is looked up, the instruction in the latch goes on. Nothing is done before its
 * cycle, nothing is known about a future one, and each transaction goes alone.
 *
 * core.eager runs this form. The usual one (fast.h) must agree with it in every event,
 * its cycle, and every statistic (tests/unit/test_lsu_ways.c, the battery).
 *
 * LIMIT: a result never waits for a bank of the register file.
 */
#include "core/lsu/plain.h"

#include <stdlib.h>

static struct lsu_plain *self(struct lsu *l)
{
    return (struct lsu_plain *)l;
}
static const struct lsu_plain *const_self(const struct lsu *l)
{
    return (const struct lsu_plain *)l;
}

/* One part of an instruction is done; the last one makes an event. */
void lsu_plain_end_part(struct lsu_plain *p, uop_id id)
{
    struct uop *u = &p->base.pool[id];

    INVARIANT(u->pending || !u->dyn.mask);
    if (u->pending > 1)
        u->pending--;
    else
        lsu_complete_inst(&p->base, u);
}

/* The same after some cycles. LIMIT: if LSU_LATE_PARTS parts wait, at once. */
void lsu_plain_end_part_after(struct lsu_plain *p, uop_id u, uint64_t cycles)
{
    if (!cycles || p->n_late == LSU_LATE_PARTS)
        lsu_plain_end_part(p, u);
    else
        p->late[p->n_late++] = (struct late){ p->base.cycle + cycles, u };
}

static bool pipe_is_ready(const struct lsu_plain_pipe *q, uint64_t cycle)
{
    return q->n && q->ring[q->head].ready <= cycle;
}

static uop_id pipe_pop(struct lsu_plain_pipe *q)
{
    uop_id u = q->ring[q->head].uop;

    q->head = (q->head + 1) % LSU_PIPE_SLOTS;
    q->n--;
    return u;
}

static bool client_has_result(const struct lsu_plain *p, unsigned client)
{
    switch (client) {
    case CLIENT_SHARED:
        return pipe_is_ready(&p->shared, p->base.cycle);
    case CLIENT_TEXTURE:
        return pipe_is_ready(&p->texture, p->base.cycle);
    case CLIENT_CONST:
        return cache_is_ready(p->base.constant);
    case CLIENT_GLOBAL:
        return p->has_global;
    default:
        return cache_is_ready(p->base.l1);
    }
}

static uop_id client_take_result(struct lsu_plain *p, unsigned client)
{
    switch (client) {
    case CLIENT_SHARED:
        return pipe_pop(&p->shared);
    case CLIENT_TEXTURE:
        return pipe_pop(&p->texture);
    case CLIENT_CONST:
        return (uop_id)cache_ready(p->base.constant);
    case CLIENT_GLOBAL:
        p->has_global = false;
        return p->global;
    default:
        return (uop_id)cache_ready(p->base.l1);
    }
}

/* Clients take turns: chooses the first with a result from next_client on. */
static bool choose_result(struct lsu_plain *p)
{
    for (unsigned i = 0; i < LSU_CLIENTS; i++) {
        unsigned client = (p->next_client + i) % LSU_CLIENTS;

        if (!client_has_result(p, client))
            continue;
        p->chosen[p->n_chosen++] = client_take_result(p, client);
        p->next_client = (client + 1) % LSU_CLIENTS;
        return true;
    }
    return false;
}

/* Results are written in the cycle after the one in which they were chosen. */
static void write_results(struct lsu_plain *p)
{
    for (unsigned i = 0; i < p->n_chosen; i++)
        lsu_plain_end_part(p, p->chosen[i]);
    p->n_chosen = 0;
    while (p->n_chosen < p->base.c.lsu.writebacks && choose_result(p))
        ;
}

static void end_late_parts(struct lsu_plain *p)
{
    for (unsigned i = 0; i < p->n_late;) {
        struct late ended = p->late[i];

        if (ended.at > p->base.cycle) {
            i++;
            continue;
        }
        p->late[i] = p->late[--p->n_late];
        lsu_plain_end_part(p, ended.uop);
    }
}

/* A line has been filled into L1: lookups that wait for it, or for any line, are tried
 * again. */
static void unblock_banks(struct lsu_plain *p, uint64_t line)
{
    for (unsigned i = 0; i < p->base.c.l1.banks; i++) {
        struct lsu_plain_bank *b = &p->bank[i];

        if (b->is_blocked &&
            (b->ring[b->head].line == line || b->why == CACHE_FAIL_LINE))
            b->is_blocked = false;
    }
}

/* A fetch of L1 has arrived; false: its port is in use. */
static bool fill_l1(struct lsu_plain *p, const struct mem_reply *r, uint32_t mshr)
{
    struct lsu *l = &p->base;

    if (p->fill_free > l->cycle)
        return false;
    p->fill_free = l->cycle + l->fill_cycles[n_sectors(r->sectors)];
    l->stats.l1_fills++;
    unblock_banks(p, cache_fetched_line(l->l1, mshr));
    cache_fill(l->l1, mshr);
    return true;
}

/* Takes a reply; false: it must wait. */
static bool take_reply(struct lsu_plain *p, const struct mem_reply *r)
{
    uint32_t id = r->id & ~FOR_MASK;

    switch (r->id & FOR_MASK) {
    case FOR_L1:
        return fill_l1(p, r, id);
    case FOR_CONST:
        cache_fill(p->base.constant, id);
        return true;
    case FOR_NOBODY:
        return true;
    case FOR_TMA:
        lsu_add_event(&p->base, (uop_id)id, LSU_COPIED, false);
        return true;
    case FOR_STORE:
        lsu_settle_store(&p->base, id);
        return true;
    default:
        break;
    }
    if (r->kind == MEM_WRITE) {
        lsu_plain_end_part(p, (uop_id)id);
        return true;
    }
    if (p->has_global)
        return false;
    p->has_global = true;
    p->global = (uop_id)id;
    return true;
}

static void take_replies(struct lsu_plain *p)
{
    struct lsu *l = &p->base;

    for (unsigned n = 0; n < l->c.lsu.replies; n++) {
        if (!p->has_reply && l->link->data_at <= l->cycle)
            p->has_reply = memory_pop(l->memory, l->sm, &p->reply);
        if (!p->has_reply || !take_reply(p, &p->reply))
            return;
        p->has_reply = false;
    }
}

void lsu_plain_queue_miss(struct lsu_plain *p, const struct mem_request *r)
{
    INVARIANT(p->n_misses < LSU_MISSES);
    p->miss[(p->miss_head + p->n_misses++) % LSU_MISSES] = *r;
}

static void send_miss(struct lsu_plain *p)
{
    if (!p->n_misses)
        return;
    if (!memory_push_at(p->base.memory, &p->miss[p->miss_head], p->base.cycle)) {
        p->base.stats.icnt_stalls++;
        return;
    }
    p->miss_head = (p->miss_head + 1) % LSU_MISSES;
    p->n_misses--;
}

static void run_cycle(struct lsu_plain *p)
{
    p->base.cycle++;
    write_results(p);
    take_replies(p);
    end_late_parts(p);
    send_miss(p);
    lsu_plain_run_latch(p, lsu_plain_look_up_banks(p));
}

static bool lsu_plain_tick(struct lsu *l, uint64_t cycle)
{
    if (!memory_lead(l->memory))
        l->cycle = cycle - 1; /* a reply that is present has arrived just now */
    while (l->cycle < cycle)
        run_cycle(self(l));
    return l->front.n_events != 0;
}

static bool lsu_plain_has_room(const struct lsu *l, unsigned subcore)
{
    const struct lsu_plain *p = const_self(l);

    if (!l->c.lsu.queue)
        return p->latch.uop == NO_UOP;
    return p->queue[subcore % LSU_SUBCORES].n < l->c.lsu.queue;
}

static void lsu_plain_take(struct lsu *l, struct uop *u, uint64_t cycle)
{
    struct lsu_queue *q = &self(l)->queue[u->warp % LSU_SUBCORES];

    INVARIANT(cycle == l->cycle && lsu_plain_has_room(l, u->warp));
    lsu_count_inst(l, u, cycle);
    if (l->c.lsu.queue)
        q->ring[(q->head + q->n++) % LSU_MAX_QUEUE] = u->id;
    else
        lsu_plain_load_latch(self(l), u, cycle + 1);
}

/* Without an instruction in it, nothing that it does concerns its SM but answers to stores. */
static uint64_t lsu_plain_next(const struct lsu *l)
{
    return l->n_open || l->posted.n ? l->cycle + 1 : UINT64_MAX;
}

static uint64_t lsu_plain_run(struct lsu *l, uint64_t end, bool wants_room)
{
    (void)end;
    (void)wants_room;
    return lsu_plain_next(l);
}

static bool lsu_plain_is_idle(const struct lsu *l)
{
    const struct lsu_plain *p = const_self(l);

    return !l->n_open && lsu_is_settled(l) && !p->n_misses && !l->front.n_events &&
           !p->has_reply;
}

static void lsu_plain_dump(const struct lsu *l, struct buf *out)
{
    const struct lsu_plain *p = const_self(l);
    unsigned in_l1 = 0;

    for (unsigned i = 0; i < l->c.l1.banks; i++)
        in_l1 += p->bank[i].n;
    lsu_dump_counts(l, in_l1, p->n_misses, out);
    if (p->latch.uop != NO_UOP)
        lsu_dump_latch(l, p->latch.uop, p->latch.at, p->latch.n, out);
    cache_dump(l->l1, "  L1", out);
}

static void lsu_plain_free(struct lsu *l)
{
    for (unsigned i = 0; i < LSU_MAX_BANKS; i++)
        free(self(l)->bank[i].ring);
    lsu_fini(l);
    free(l);
}

static const struct lsu_form lsu_plain_form = { lsu_plain_free,    lsu_plain_has_room,
                                                lsu_plain_take,    lsu_plain_tick,
                                                lsu_plain_next,    lsu_plain_run,
                                                lsu_plain_is_idle, lsu_plain_dump };

struct lsu *lsu_new_plain(const struct lsu_config *c, unsigned sm, struct uop *pool,
                          struct memory *memory, struct err *err)
{
    struct lsu_plain *p = calloc(1, sizeof *p);
    const struct lsu_made_from from = { c, sm, pool, memory };
    bool is_whole = p != NULL;

    if (p) {
        p->base.front.form = &lsu_plain_form;
        p->latch.uop = NO_UOP;
        for (unsigned i = 0; i < c->l1.banks; i++) {
            p->bank[i].ring = calloc(c->l1.latency, sizeof *p->bank[i].ring);
            is_whole &= p->bank[i].ring != NULL;
        }
    }
    if (is_whole && !lsu_init(&p->base, &from, err))
        return &p->base;
    if (!is_whole)
        err_memory(err, "a load/store unit");
    if (p)
        lsu_plain_free(&p->base);
    return NULL;
}
