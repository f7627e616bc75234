/* other.c - accesses of the load/store unit that do not go to L1: shared memory,
 * constants, textures, translation.
 *
 * LIMIT: a texture instruction has a fixed latency; no texture cache is modelled.
 */
#include "base/cycles.h"
#include "base/invariant.h"
#include "core/lsu/results.h"

/* Constants have an address space of their own, placed where no program has memory. */
#define CONST_WINDOW 0x00007a0000000000ull

static void pipe_push(struct lsu *l, struct pipe *p, uop_id u, uint64_t ready)
{
    uint32_t at = (p->head + p->n++) % p->limit;

    INVARIANT(p->n <= p->limit && ready > l->cycle);
    p->ring[at].ready = ready;
    p->ring[at].uop = u;
    pipes_changed(l);
}

/* An atomic with a register besides its address. */
static bool brings_data(const struct inst *i)
{
    return i->class == CLASS_atomic && i->n_src > 1;
}

/* A pipe with room now has room later. */
static bool has_room(const struct pipe *p)
{
    return p->n < p->limit;
}

static uint64_t pipe_latency(const struct lsu *l, const struct uop *u)
{
    const struct shared_params *p = &l->c.shared;

    return p->latency + (l->n_tx - 1) * p->conflict_latency +
           (brings_data(u->dyn.inst) ? p->atomic_latency : 0);
}

/* The cycle in which the last access of an instruction, made in cycle `at`, is back in
 * its sub-core. The path takes one access in as many cycles as a further access adds to
 * the latency, so results for one sub-core wait for each other. */
static uint64_t way_back(struct lsu *l, const struct uop *u, uint64_t at)
{
    uint64_t *free = &l->path_free[u->warp % LSU_SUBCORES];
    uint64_t ready = at + pipe_latency(l, u);
    uint32_t more = l->c.shared.conflict_latency;

    if (more)
        *free = ready = later(ready, *free + (uint64_t)l->n_tx * (1 + more));
    return ready;
}

/* Bank conflicts keep an instruction at the unit; then it enters the pipe, and stores
 * are done. */
bool lsu_access_shared(struct lsu *l, struct uop *u)
{
    const struct shared_params *p = &l->c.shared;

    if (l->latch_is_new) {
        struct shared_access a = { .addr = &u->dyn.addr,
                                   .mask = u->dyn.mask,
                                   .bytes = u->dyn.inst->bytes,
                                   .banks = p->banks,
                                   .phases = p->wide == 1,
                                   .atomic = u->dyn.inst->class == CLASS_atomic &&
                                             p->atomics == 0 };
        unsigned cycles = shared_cycles(&a);

        l->stats.shared_cycles += cycles;
        l->stats.shared_conflicts += cycles - 1;
        l->latch_until += cycles - 1;
        l->n_tx = cycles;
    }
    if (u->dyn.inst->class != CLASS_store) {
        if (!has_room(&l->shared))
            return false;
        pipe_push(l, &l->shared, u->id, way_back(l, u, l->latch_until));
        return true;
    }
    if (l->cycle < l->latch_until)
        return false;
    lsu_part_done(l, u->id);
    return true;
}

/* Lanes exchange values through the crossbar of shared memory. */
bool lsu_access_shuffle(struct lsu *l, struct uop *u)
{
    if (!has_room(&l->shared))
        return false;
    pipe_push(l, &l->shared, u->id, l->latch_until + l->c.lsu.shuffle_latency);
    return true;
}

void lsu_finish_part_at(struct lsu *l, uop_id u, uint64_t cycle)
{
    if (cycle <= l->cycle || l->n_late == LSU_LATE) {
        lsu_part_done(l, u);
        return;
    }
    l->late[l->n_late].at = cycle;
    l->late[l->n_late++].uop = u;
}

/* Looks up one line of constants; false: try again. */
static bool constant_line(struct lsu *l, struct uop *u, uint64_t line)
{
    const struct const_params *p = &l->c.constant;
    uint64_t addr = CONST_WINDOW + line * p->line;
    unsigned first = (unsigned)(addr & (LINE_BYTES - 1)) / SECTOR_BYTES;
    unsigned n = p->line / SECTOR_BYTES;
    struct cache_access a = { .line = addr,
                              .set = cache_set(l->constant, addr),
                              .waiter = u->id,
                              .room = LSU_MISSES,
                              .sectors = (uint8_t)((1u << n) - 1) };
    struct mem_request r = { .addr = addr & ~(uint64_t)(LINE_BYTES - 1),
                             .cycle = l->cycle,
                             .sm = l->sm,
                             .kind = MEM_CONST,
                             .sectors = (uint8_t)(((1u << n) - 1) << first),
                             .lanes = 1 };
    struct cache_outcome o;

    if (lsu_misses(l) >= l->c.l1.miss_queue)
        return false;
    o = cache_access(l->constant, &a);
    if (o.result == CACHE_FAIL)
        return false;
    l->stats.const_reads++;
    l->stats.const_misses += o.result != CACHE_HIT;
    if (o.result == CACHE_HIT) {
        lsu_finish_part_at(l, u->id, l->cycle + p->latency - 1);
    } else if (o.fetch && p->l2_latency) {
        cache_fill(l->constant, o.mshr);
        cache_ready(l->constant);
        lsu_finish_part_at(l, u->id, l->cycle + p->l2_latency);
    } else if (o.fetch) {
        r.id = FOR_CONST | o.mshr;
        *lsu_send(l) = r;
    }
    return true;
}

/* Looks up the lines that its lanes touch, one per cycle. */
bool lsu_access_constant(struct lsu *l, struct uop *u)
{
    const struct const_params *p = &l->c.constant;
    const struct addresses *at = &u->dyn.addr;

    if (p->perfect || !u->dyn.mask) {
        lsu_finish_part_at(l, u->id, l->cycle + p->latency - 1);
        return true;
    }
    if (l->latch_is_new) {
        uint32_t bits = u->dyn.mask;

        if (!at->stride && !at->half) /* usually one for all lanes */
            bits &= -bits;
        l->n_tx = l->tx_at = 0;
        for (; bits; bits &= bits - 1) {
            uint64_t line = addresses_at(at, (unsigned)__builtin_ctz(bits)) / p->line;
            unsigned i = 0;

            while (i < l->n_tx && l->tx[i].line != line)
                i++;
            if (i == l->n_tx)
                l->tx[l->n_tx++].line = line;
        }
        u->pending = (uint8_t)l->n_tx;
    }
    if (!constant_line(l, u, l->tx[l->tx_at].line))
        return false;
    return ++l->tx_at == l->n_tx;
}

bool lsu_access_texture(struct lsu *l, struct uop *u)
{
    if (l->cycle < l->texture_free || l->texture.n >= l->texture.limit)
        return false;
    l->texture_free = l->cycle + l->c.lsu.texture_interval;
    pipe_push(l, &l->texture, u->id, l->cycle + l->c.lsu.texture_latency);
    return true;
}

/* Translates the pages of its transactions; those that the first level misses are
 * looked up one after the other. */
uint64_t lsu_translate_pages(struct lsu *l)
{
    const struct tlb_params *p = l->tlb_params;
    uint64_t page = UINT64_MAX, serial = 0, longest = 0;

    if (!p->enabled)
        return 0;
    for (unsigned i = 0; i < l->n_tx; i++) {
        uint64_t delay;

        /* Transactions are sorted, so those of a page are together. */
        if (l->tx[i].line >> p->page_bits == page)
            continue;
        page = l->tx[i].line >> p->page_bits;
        l->stats.tlb_lookups++;
        if (tlb_look_up(&l->tlb, l->tx[i].line))
            continue;
        l->stats.tlb_misses++;
        delay = serial + memory_translate(l->memory, l->tx[i].line);
        serial += p->serial_cycles;
        longest = delay > longest ? delay : longest;
    }
    return p->hit_cycles + longest;
}
