/* lsu.c - the load/store unit: addresses into requests, answers into packets.
 *
 * The memory scheduler takes an instruction when it has room (three requests between it
 * and the coalescer) and, for a load, one of its few entries. The coalescer makes, every
 * second cycle, a request of the lanes that lie in one word of the cache: of each group
 * of lanes as wide as a word, the first lane left and those that go with it. Each answer
 * is a packet of its own, the lanes of a load may come apart. Stores are done when they
 * are taken. A fence holds the unit until it is answered. Local memory has a bank a lane;
 * lanes that meet in a bank with different words go one after another.
 *
 * Not modelled: lanes of one instruction in local memory and outside of it (they count
 * as outside).
 */
#include "vortex/state.h"

enum {
    TO_COALESCER = 2, /* request queue, switch */
    COALESCE = 2,     /* set up, send */
    TO_COMMIT = 3,    /* result register, arbiter, gather */
    SENT = 3,         /* requests that fit before and in the coalescer */
    OUT = 6,          /* packets that fit between the unit and commit */
};

static unsigned word_bytes(const struct vx_core *k)
{
    uint32_t set = vortex_config(k->gpu)->cache.word_bytes;
    uint32_t all = 4 * k->p->threads;

    return set ? set : all < 64 ? all : 64;
}

/* An answer comes to the unit, no two in one cycle. */
static uint64_t answer(struct vx_core *k, uop_id uop, uint64_t cycle)
{
    uint64_t at = vx_later(cycle, k->lsu.answer);

    k->lsu.answer = at + 1;
    vx_queue_add(&k->lsu.answers, uop, at);
    return at;
}

/* One word of a group of lanes: accessed in that cycle; its answer. */
static uint64_t access_word(struct vx_core *k, const struct uop *u, unsigned lane,
                            uint64_t cycle)
{
    uint32_t addr = (uint32_t)u->dyn.addr[lane];
    bool io = riscv_place(addr, k->p->local_bytes) == PLACE_IO;
    bool writes = u->dyn.inst->class != CLASS_load;

    if (writes && io)
        vx_io_write(k, addr, cycle);
    else if (writes)
        vx_dcache_write(k, addr, cycle);
    if (u->dyn.inst->class == CLASS_store)
        return 0;
    return io ? vx_io_read(k, addr, cycle) : vx_dcache_read(k, addr, cycle);
}

/* What the coalescer sends at once; the lanes left. */
static uint32_t send(struct vx_core *k, const struct uop *u, uint32_t left,
                     uint64_t cycle, uint64_t *done)
{
    unsigned bytes = word_bytes(k), width = bytes / 4;

    *done = 0;
    for (unsigned from = 0; from < k->p->threads; from += width) {
        uint32_t group = left & (width < 32 ? ((1u << width) - 1) << from : ~0u);
        unsigned first;

        if (!group)
            continue;
        first = (unsigned)__builtin_ctz(group);
        *done = vx_later(*done, access_word(k, u, first, cycle));
        for (uint32_t m = group; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            if (u->dyn.addr[l] / bytes == u->dyn.addr[first] / bytes)
                left &= ~(1u << l);
        }
    }
    return left;
}

/* An entry of the coalescer is free in this cycle or later. */
static uint64_t entry_at(const struct vx_core *k, uint64_t cycle)
{
    const struct vx_lsu *l = &k->lsu;
    unsigned size = word_bytes(k) / 4 > 2 ? word_bytes(k) / 4 : 2;

    if (l->n_held < size)
        return cycle;
    return vx_later(cycle, l->held[(l->held_at + 64 - size) % 64] + 1);
}

static void hold_entry(struct vx_lsu *l, uint64_t until)
{
    l->held[l->held_at] = until;
    l->held_at = (l->held_at + 1) % 64;
    l->n_held += l->n_held < 64;
}

static void global_access(struct vx_core *k, struct uop *u)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_flight *f = vx_flight(k, u);
    bool answers = u->dyn.inst->class != CLASS_store;
    uint64_t at = vx_later(k->cycle + TO_COALESCER, l->coalescer), done;
    uint32_t left = u->dyn.mask;
    unsigned n = 0;

    do {
        if (answers)
            at = entry_at(k, at);
        if (u->dyn.inst->class == CLASS_fence) {
            left = 0;
            done = at + COALESCE + vortex_config(k->gpu)->cache.dcache_hit;
        } else {
            left = send(k, u, left, at + COALESCE, &done);
        }
        if (answers)
            hold_entry(l, answer(k, u->id, done));
        at += COALESCE;
        n++;
    } while (left);
    f->n_parts = f->n_commits = f->n_answers = (uint8_t)(answers ? n : 1);
    l->coalescer = at;
    l->sent[l->n_sent++ % SENT] = at - 1;
}

/* How many accesses one after another the banks of local memory make of it. */
static unsigned conflicts(const struct vx_core *k, const struct uop *u)
{
    unsigned most = 1, banks = k->p->threads;

    for (uint32_t m = u->dyn.mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m), n = 1;

        for (uint32_t o = u->dyn.mask & ((1u << l) - 1); o; o &= o - 1) {
            uint64_t other = u->dyn.addr[__builtin_ctz(o)] / 4;

            n += other != u->dyn.addr[l] / 4 &&
                 other % banks == u->dyn.addr[l] / 4 % banks;
        }
        most = n > most ? n : most;
    }
    return most;
}

static void local_access(struct vx_core *k, struct uop *u)
{
    struct vx_lsu *l = &k->lsu;
    struct vx_flight *f = vx_flight(k, u);
    uint64_t at = vx_later(k->cycle + TO_COALESCER, l->local);
    unsigned n = conflicts(k, u);
    bool answers = u->dyn.inst->class != CLASS_store;

    for (unsigned i = 0; answers && i < n; i++)
        answer(k, u->id, at + k->p->local_latency + i);
    f->n_parts = f->n_commits = f->n_answers = (uint8_t)(answers ? n : 1);
    l->local = at + n;
    l->sent[l->n_sent++ % SENT] = at + n - 1;
    k->stats.local_conflicts += n - 1;
    k->stats.local_reads += answers;
    k->stats.local_writes += !answers;
}

static bool can_take(const struct vx_core *k, const struct uop *u)
{
    const struct vx_lsu *l = &k->lsu;

    if (l->fence_until > k->cycle || k->out[VX_LSU].n >= OUT)
        return false;
    if (l->n_sent >= SENT && l->sent[l->n_sent % SENT] >= k->cycle)
        return false;
    return u->dyn.inst->class == CLASS_store ||
           l->n_loads + (l->freed == k->cycle) < k->p->load_queue;
}

static void execute(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    struct uop *u = &k->pool[l->exec.uop];

    if (!can_take(k, u))
        return;
    vx_check_performed(k, u);
    l->exec.uop = NO_UOP;
    k->progress = true;
    if (u->dyn.inst->class == CLASS_store) {
        k->stats.stores++;
        vx_out_add(k, VX_LSU, u->id, k->cycle + TO_COMMIT);
    } else {
        k->stats.loads += u->dyn.inst->class != CLASS_fence;
        l->n_loads++;
    }
    if (u->dyn.inst->class == CLASS_fence)
        l->fence_until = VX_NEVER;
    if (vx_flight(k, u)->is_local && u->dyn.inst->class != CLASS_fence)
        local_access(k, u);
    else
        global_access(k, u);
}

static void answered(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;
    uop_id id = vx_queue_pop(&l->answers);

    vx_out_add(k, VX_LSU, id, k->cycle + TO_COMMIT);
    k->progress = true;
    if (--k->flight[id].n_answers)
        return;
    l->n_loads--;
    l->freed = k->cycle;
    if (k->pool[id].dyn.inst->class == CLASS_fence)
        l->fence_until = k->cycle + 1;
}

void vx_lsu_tick(struct vx_core *k)
{
    if (vx_queue_at(&k->lsu.answers) <= k->cycle && k->out[VX_LSU].n < OUT)
        answered(k);
    if (k->lsu.exec.uop != NO_UOP && k->lsu.exec.at <= k->cycle)
        execute(k);
}

uint64_t vx_lsu_next(const struct vx_core *k)
{
    const struct vx_lsu *l = &k->lsu;
    uint64_t next = vx_later(vx_queue_at(&l->answers), k->cycle + 1);

    if (l->exec.uop == NO_UOP)
        return next;
    if (l->exec.at > k->cycle)
        return vx_earlier(next, l->exec.at);
    if (l->fence_until != VX_NEVER)
        next = vx_earlier(next, vx_later(l->fence_until, k->cycle + 1));
    if (l->n_sent >= SENT && l->sent[l->n_sent % SENT] >= k->cycle)
        next = vx_earlier(next, l->sent[l->n_sent % SENT] + 1);
    return l->freed == k->cycle ? k->cycle + 1 : next;
}
