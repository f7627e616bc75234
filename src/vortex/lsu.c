/* lsu.c - the load/store unit: addresses into requests, answers into packets.
 *
 * The memory scheduler takes an instruction when it has room (four requests between it
 * and the coalescer) and, for a load, one of its few entries. Every second cycle the
 * coalescer makes a request of the lanes that lie in one word of the cache: for each group
 * of lanes as wide as a word, the first lane left and those in its word. It holds the
 * request until the banks have taken all of its words. Each answer is a packet of its own,
 * so the lanes of a load may arrive separately. Stores are done when they are taken. A
 * fence is a load of address 0 through the data cache, where it hits or misses like any
 * other, after the stores sent before it; it holds the unit until it is answered. Local
 * memory has one bank per lane; lanes that conflict in a bank go one after another, even
 * for the same word (RTL: each lane has a request of its own at the crossbar of
 * VX_local_mem).
 *
 * These are the steps; plain.c and ahead.c say in which cycle each of them is taken.
 *
 * Not modelled: lanes of one instruction in local memory and outside of it (they count
 * as outside).
 */
#include "vortex/check.h"
#include "vortex/memory.h"
#include "vortex/stages.h"

enum {
    TO_COALESCER = 2, /* request queue, switch */
    COALESCE = 2,     /* set up, send */
    NEXT_BUFFER = 1,  /* from the second buffer's free place to the first's */
    TO_COMMIT = 3,    /* result register, arbiter, gather */
    TOGETHER = 4,     /* lanes that are compared at once (perf) */
    FENCE_ADDRESS = 0 /* what a fence reads: x0, without an offset [VX_decode] */
};

void vx_lsu_reset(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    uint32_t bytes = vortex_config(k->gpu)->cache.word_bytes, all = 4 * k->p->threads;

    bytes = bytes ? bytes : all < 64 ? all : 64;
    l->word_shift = (unsigned)__builtin_ctz(bytes);
    l->max_busy = bytes / 4 > 2 ? bytes / 4 : 2;
    l->exec.uop = NO_UOP;
    l->exec.at = l->take_at = l->send_at = l->bus.at = NEVER;
}

/* A place in a ring of requests; n is less than twice its size. */
static unsigned ring_place(unsigned n)
{
    return n < VX_LSU_QUEUE ? n : n - VX_LSU_QUEUE;
}

/* The place of a request in the order in which they leave. */
static unsigned take_ring_place(struct vx_lsu *l)
{
    unsigned n = l->oldest;

    l->oldest = ring_place(n + 1);
    return n;
}

/* ---- the coalescer ---- */

/* The address of a group's first lane. */
static uint32_t first_address(const struct dyn *d, uint32_t group)
{
    return (uint32_t)addresses_at(&d->addr, (unsigned)__builtin_ctz(group));
}

/* Those of a group of neighbouring lanes that access the word of its first lane (perf: a
 * few at a time, without a branch). */
static uint32_t lanes_in_word(const struct dyn *d, uint32_t group, unsigned from,
                              unsigned shift)
{
    unsigned width = (1u << shift) / 4, step = width < TOGETHER ? width : TOGETHER;
    uint32_t word = first_address(d, group) >> shift, same = 0;

    for (unsigned first = from; first < from + width; first += step)
        for (unsigned l = first; l < first + step; l++)
            same |= (uint32_t)((uint32_t)addresses_at(&d->addr, l) >> shift == word)
                    << l;
    return same;
}

/* Adds a batch, which is sent at once: one word of every group of lanes. Returns the
 * lanes left. */
static uint32_t add_batch(const struct vx_core *k, struct vx_request *r,
                          const struct dyn *d, uint32_t left)
{
    unsigned shift = k->lsu.word_shift, width = (1u << shift) / 4;
    unsigned n = r->next;

    for (unsigned from = 0; from < k->p->threads; from += width) {
        uint32_t group = left & ((1u << width) - 1) << from;

        if (!group)
            continue;
        r->word[r->next++] = first_address(d, group);
        left &= ~(group & lanes_in_word(d, group, from, shift));
    }
    r->n_words[r->n_batches++] = (uint8_t)(r->next - n);
    return left;
}

static void plan_batches(const struct vx_core *k, struct vx_request *r,
                         const struct dyn *d)
{
    uint32_t left = d->mask;

    do
        left = add_batch(k, r, d, left);
    while (left);
}

/* A fence is a load of one address by all active lanes: a word per group of lanes. */
static void plan_fence(const struct vx_core *k, struct vx_request *r,
                       const struct dyn *d)
{
    unsigned width = (1u << k->lsu.word_shift) / 4;

    for (unsigned from = 0; from < k->p->threads; from += width)
        if (d->mask >> from & ((1u << width) - 1))
            r->word[r->next++] = FENCE_ADDRESS;
    r->n_words[r->n_batches++] = r->next;
}

static void plan_request(const struct vx_core *k, struct vx_request *r,
                         const struct dyn *d)
{
    r->n_batches = r->n_sent = r->next = 0;
    (r->memory & INST_ORDERS ? plan_fence : plan_batches)(k, r, d);
    r->next = 0;
}

void vx_lsu_answered(struct vx_core *k, uint32_t batch, uint64_t cycle)
{
    struct vx_batch *b = &k->lsu.batch[batch];

    INVARIANT(k->lsu.busy >> batch & 1 && b->n_words);
    b->at = later(b->at, cycle);
    if (--b->n_words)
        return;
    vx_queue_add(&k->lsu.answers, b->uop, b->at);
}

static void access_word(struct vx_core *k, const struct vx_bus *b, uint32_t addr,
                        bool is_io)
{
    if (b->memory & INST_WRITES)
        (is_io ? vx_io_write : vx_dcache_write)(k, addr, k->cycle);
    if (b->memory & (INST_READS | INST_ORDERS))
        (is_io ? vx_io_read : vx_dcache_read)(k, addr, b->batch, k->cycle);
}

/* Offers one word to its bank. Returns when the bank may take it; 0: it has. */
static uint64_t offer_word(struct vx_core *k, const struct vx_bus *b, uint32_t addr)
{
    bool is_io = riscv_place(addr, k->p->local_bytes) == PLACE_IO;
    uint64_t free = is_io ? 0 : vx_dcache_free(k, addr);

    if (free > k->cycle)
        return free;
    access_word(k, b, addr, is_io);
    k->progress = true;
    return 0;
}

/* A store needs no entry, but waits for one, too. The entry of a batch is free again in
 * the cycle in which its answer is at the LSU: the coalescer is a register before it. */
bool vx_lsu_can_send(const struct vx_core *k)
{
    return k->lsu.n_busy < k->lsu.max_busy && vx_memory_has_room(k);
}

static unsigned new_batch(struct vx_lsu *l, uop_id uop, unsigned words)
{
    unsigned n = (unsigned)__builtin_ctz(~l->busy);

    INVARIANT(n < VX_BATCHES && l->n_busy < l->max_busy);
    l->batch[n] = (struct vx_batch){ uop, (uint8_t)words, 0 };
    l->busy |= 1u << n;
    l->n_busy++;
    return n;
}

static void send_batch(struct vx_core *k, struct vx_request *r)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_bus *b = &l->bus;

    INVARIANT(!b->n_words);
    b->memory = r->memory;
    b->n_words = r->n_words[r->n_sent++];
    if (r->memory & (INST_READS | INST_ORDERS))
        b->batch = (uint8_t)new_batch(l, r->uop, b->n_words);
    for (unsigned n = 0; n < b->n_words; n++)
        b->word[n] = r->word[r->next++];
    b->at = k->cycle + COALESCE;
    l->coalescer = NEVER;
}

/* Sets when the coalescer starts its first request, or goes on with it. */
static void set_send_cycle(struct vx_lsu *l)
{
    uint64_t at = later(l->queue[l->first].at, l->coalescer);

    l->send_at = l->n_queued ? at : NEVER;
}

/* Banks take words one by one; when all are gone the coalescer goes on in this cycle. */
VX_STEP void vx_lsu_access(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_bus *b = &l->bus;
    unsigned left = 0;
    uint64_t next = NEVER;

    for (unsigned n = 0; n < b->n_words; n++) {
        uint64_t free = offer_word(k, b, b->word[n]);

        if (!free)
            continue;
        b->word[left++] = b->word[n];
        next = earlier(next, free);
    }
    b->n_words = (uint8_t)left;
    b->at = next;
    if (left)
        return;
    l->coalescer = k->cycle;
    set_send_cycle(l);
}

/* The instruction that waits to be taken may have waited for a step of this cycle. */
static void wake_exec(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;

    l->take_at = earlier(l->take_at, later(l->exec.at, k->cycle + 1));
}

VX_STEP void vx_lsu_send(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_request *r = &l->queue[l->first];

    INVARIANT(l->n_queued && r->n_sent < r->n_batches);
    send_batch(k, r);
    k->progress = true;
    if (r->n_sent == r->n_batches) {
        l->sent[r->sent] = k->cycle + COALESCE - 1 + NEXT_BUFFER;
        l->first = ring_place(l->first + 1);
        l->n_queued--;
        wake_exec(k);
    }
    set_send_cycle(l);
}

static void global_access(struct vx_core *k, struct uop *u)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_flight *f = vx_flight(k, u);
    struct vx_request *r = &l->queue[ring_place(l->first + l->n_queued++)];

    INVARIANT(l->n_queued <= VX_LSU_QUEUE);
    r->uop = u->id;
    r->memory = u->dyn.inst->memory;
    r->at = k->cycle + TO_COALESCER;
    r->sent = (uint8_t)take_ring_place(l);
    l->sent[r->sent] = NEVER;
    set_send_cycle(l);
    plan_request(k, r, &u->dyn);
    f->n_parts = f->n_commits = f->n_answers =
        vx_lsu_answers(u->dyn.inst) ? r->n_batches : 1;
}

/* Number of serialised accesses to the banks of local memory. */
static unsigned count_conflicts(const struct vx_core *k, const struct uop *u)
{
    uint8_t lanes[VX_MAX_THREADS] = { 0 }; /* by bank */
    unsigned most = 1;

    for (uint32_t m = u->dyn.mask; m; m &= m - 1) {
        unsigned n = ++lanes[first_address(&u->dyn, m) / 4 % k->p->threads];

        most = n > most ? n : most;
    }
    return most;
}

static void local_access(struct vx_core *k, struct uop *u)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_flight *f = vx_flight(k, u);
    uint64_t at = later(k->cycle + TO_COALESCER, l->local);
    unsigned n = count_conflicts(k, u);

    for (unsigned i = 0; vx_lsu_answers(u->dyn.inst) && i < n; i++)
        vx_queue_add(&l->answers, u->id, at + k->p->local_latency + i);
    f->n_parts = f->n_commits = f->n_answers =
        (uint8_t)(vx_lsu_answers(u->dyn.inst) ? n : 1);
    l->local = at + n;
    l->sent[take_ring_place(l)] = at + n - 1;
    k->stats.local_conflicts += n - 1;
    k->stats.local_reads += vx_lsu_answers(u->dyn.inst);
    k->stats.local_writes += !vx_lsu_answers(u->dyn.inst);
}

void vx_lsu_start(struct vx_core *k, const struct uop *u, uint64_t cycle)
{
    struct vx_lsu *l = &k->lsu;

    l->exec.uop = u->id;
    l->exec.at = l->take_at = cycle + 1;
}

VX_STEP void vx_lsu_take(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    struct uop *u = &k->pool[l->exec.uop];

    INVARIANT(l->exec.uop != NO_UOP);
    vx_check_performed(k, u);
    if (k->issue->wants_checks)
        k->issue->ops->checked(k->issue, u);
    l->exec.uop = NO_UOP;
    l->exec.at = l->take_at = NEVER;
    k->progress = true;
    if (!vx_lsu_answers(u->dyn.inst)) {
        k->stats.stores++;
        vx_commit_add(k, VX_LSU, u->id, k->cycle + TO_COMMIT);
    } else {
        k->stats.loads += !inst_orders_memory(u->dyn.inst);
        l->n_loads++;
    }
    if (inst_orders_memory(u->dyn.inst))
        l->fence_until = NEVER;
    if (vx_flight(k, u)->is_local && inst_is_memory(u->dyn.inst))
        local_access(k, u);
    else
        global_access(k, u);
}

/* Frees the entry of an answered batch. */
static void free_entry(struct vx_core *k, uop_id id)
{
    struct vx_lsu *l = &k->lsu;

    for (uint32_t m = l->busy; m; m &= m - 1) {
        const struct vx_batch *b = &l->batch[__builtin_ctz(m)];

        if (b->uop == id && !b->n_words) {
            l->busy &= ~(m & -m);
            l->n_busy--;
            return;
        }
    }
}

VX_STEP void vx_lsu_answer(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    uop_id id = vx_queue_pop(&l->answers);

    free_entry(k, id);
    vx_commit_add(k, VX_LSU, id, k->cycle + TO_COMMIT);
    k->progress = true;
    INVARIANT(k->flight[id].n_answers && l->n_loads);
    if (--k->flight[id].n_answers)
        return;
    l->n_loads--;
    l->entry_at = k->cycle + 1;
    if (inst_orders_memory(k->pool[id].dyn.inst))
        l->fence_until = k->cycle + 1;
    wake_exec(k);
}
