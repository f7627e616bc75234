/* lsu_l1.c - the first-level data cache of an SM.
 *
 * As in Accel-Sim, a transaction waits the latency of L1 first, in the queue of its
 * bank, and is looked up at the end; what the cache cannot take holds up its bank. Up to
 * l1.banks transactions of one instruction start in a cycle, until one finds its bank
 * taken. Misses and written-through stores leave by one queue, one a cycle.
 */
#include <stdlib.h>

#include "core/lsu_internal.h"

static uint32_t max_ways(const struct l1_params *p)
{
    uint32_t ways = p->unified_kb * 8 / p->sets;

    return p->unified_kb && ways > p->ways ? ways : p->ways;
}

int l1_init(struct lsu *l, struct err *err)
{
    const struct l1_params *p = &l->c.l1;
    struct cache_shape shape = { .sets = p->sets,
                                 .ways = max_ways(p),
                                 .write = p->write,
                                 .allocate = p->allocate,
                                 .write_allocate = p->write_allocate,
                                 .index = p->index,
                                 .mshrs = p->mshrs,
                                 .merges = p->merges,
                                 .line_bits = 7,
                                 .granule = 1,
                                 .store_fills = p->store_fills };

    if (p->banks & (p->banks - 1) || p->bank_bytes & (p->bank_bytes - 1))
        return err_set(err, "l1.banks = %u, l1.bank_bytes = %u: must be powers of two",
                       p->banks, p->bank_bytes);
    l->bank_shift = (uint32_t)__builtin_ctz(p->bank_bytes);
    for (unsigned i = 0; i < p->banks; i++) {
        l->bank[i].ring = calloc(p->latency, sizeof *l->bank[i].ring);
        l->bank[i].last_in = UINT64_MAX;
        if (!l->bank[i].ring)
            return err_set(err, "no memory for L1");
    }
    l->l1 = cache_new(&shape, err);
    l->l1_ways = p->ways;
    if (!l->l1)
        return -1;
    cache_reset(l->l1, p->ways);
    return 0;
}

void l1_free(struct lsu *l)
{
    for (unsigned i = 0; i < LSU_MAX_BANKS; i++)
        free(l->bank[i].ring);
    cache_free(l->l1);
}

unsigned l1_send_misses(struct lsu *l)
{
    if (!l->misses.n)
        return 0;
    if (!memory_push(l->memory, &l->miss_ring[l->misses.head])) {
        l->stats.icnt_stalls++;
        return 0;
    }
    l->misses.head = l->misses.head + 1 == l->misses.size ? 0 : l->misses.head + 1;
    l->misses.n--;
    return 1;
}

static void count(struct lsu *l, const struct l1_access *a,
                  const struct cache_outcome *o)
{
    struct lsu_stats *s = &l->stats;

    if (a->store) {
        s->l1_writes++;
        s->l1_write_hits += o->result == CACHE_HIT;
        return;
    }
    s->l1_reads++;
    s->l1_read_hits += o->result == CACHE_HIT;
    s->l1_read_misses += o->result == CACHE_MISS;
    s->l1_read_pending += o->result == CACHE_PENDING;
}

static void count_fail(struct lsu *l, uint8_t why, uint64_t cycles)
{
    uint64_t *const row[N_CACHE_FAIL] = { &l->stats.l1_fail_line,
                                          &l->stats.l1_fail_queue,
                                          &l->stats.l1_fail_mshr,
                                          &l->stats.l1_fail_merge };

    *row[why] += cycles;
}

/* Sends what an access needs from L2. */
static void follow_up(struct lsu *l, const struct l1_access *a,
                      const struct cache_outcome *o)
{
    if (o->fetch)
        *lsu_new_miss(l) = (struct mem_request){ .addr = a->t.line,
                                                 .cycle = l->cycle,
                                                 .id = FOR_L1 | o->mshr,
                                                 .sm = l->sm,
                                                 .kind = MEM_READ,
                                                 .sectors = o->fetch,
                                                 .lanes = 1 };
    if (o->send_write)
        *lsu_new_miss(l) = (struct mem_request){ .addr = a->t.line,
                                                 .cycle = l->cycle,
                                                 .id = FOR_UOP | a->uop,
                                                 .words = a->t.words,
                                                 .sm = l->sm,
                                                 .kind = MEM_WRITE,
                                                 .sectors = a->t.sectors,
                                                 .lanes = 1,
                                                 .bytes = a->t.bytes };
    if (o->evict) {
        *lsu_new_miss(l) =
            (struct mem_request){ .addr = o->victim,
                                  .cycle = l->cycle,
                                  .id = FOR_NOBODY,
                                  .words = UINT32_MAX,
                                  .sm = l->sm,
                                  .kind = MEM_WRITE,
                                  .sectors = o->evict,
                                  .lanes = 1,
                                  .bytes =
                                      (uint16_t)(n_sectors(o->evict) * SECTOR_BYTES) };
        l->stats.l1_write_backs++;
    }
}

/* True if the lookup in front of a bank, which failed, would fail again. A fill of its
 * line has l1_filled() look at it again. */
static bool is_stuck(const struct lsu *l, const struct l1_bank *b)
{
    if (!b->is_blocked)
        return false;
    switch (b->why) {
    case CACHE_FAIL_QUEUE: /* a store needs one place, a load two: see cache.c */
        return l->misses.n + (b->ring[b->head].store ? 1 : 2) > l->c.l1.miss_queue;
    case CACHE_FAIL_MSHR:
        return !cache_can_miss(l->l1);
    case CACHE_FAIL_LINE:
        return b->failed_at == (uint32_t)l->stats.l1_fills;
    default:
        return true;
    }
}

void l1_filled(struct lsu *l, uint64_t line)
{
    for (uint32_t bits = l->in_use; bits; bits &= bits - 1) {
        struct l1_bank *b = &l->bank[__builtin_ctz(bits)];

        if (b->is_blocked && b->ring[b->head].t.line == line) {
            b->is_blocked = false;
            l->need_mshr &= ~(bits & -bits);
        }
    }
}

/* Banks to look at: while no MSHR is free, not those whose first one needs one. */
static uint32_t live_banks(const struct lsu *l)
{
    return cache_can_miss(l->l1) ? l->in_use : l->in_use & ~l->need_mshr;
}

static bool look_up(struct lsu *l, unsigned number)
{
    struct l1_bank *b = &l->bank[number];
    uint32_t bit = 1u << number;
    const struct l1_access *a = &b->ring[b->head];
    uint32_t limit = l->c.l1.miss_queue;
    struct cache_access access = { .line = a->t.line,
                                   .set = cache_set(l->l1, a->t.line),
                                   .words = a->t.words,
                                   .waiter = a->uop,
                                   .room =
                                       l->misses.n < limit ? limit - l->misses.n : 0,
                                   .sectors = a->t.sectors,
                                   .write = a->store,
                                   .local = a->local };
    struct cache_outcome o = cache_access(l->l1, &access);

    b->is_blocked = o.result == CACHE_FAIL;
    l->need_mshr &= ~bit;
    if (b->is_blocked) {
        b->failed_at = (uint32_t)l->stats.l1_fills;
        b->why = o.fail;
        l->need_mshr |= o.fail == CACHE_FAIL_MSHR ? bit : 0;
        count_fail(l, o.fail, 1);
        return false;
    }
    count(l, a, &o);
    follow_up(l, a, &o);
    if (a->store ? o.done : o.result == CACHE_HIT)
        finish_at(l, a->uop, l->cycle + a->more);
    b->head = (uint16_t)(b->head + 1u == l->c.l1.latency ? 0 : b->head + 1);
    b->ready = b->ring[b->head].ready;
    if (!--b->n)
        l->in_use &= ~bit;
    l->n_in_banks--;
    return true;
}

unsigned l1_lookups(struct lsu *l)
{
    uint32_t live = live_banks(l), asleep = l->in_use & ~live;
    unsigned n = 0;

    for (; asleep; asleep &= asleep - 1)
        l->stats.l1_fail_mshr++;
    for (; live; live &= live - 1) {
        unsigned number = (unsigned)__builtin_ctz(live);
        struct l1_bank *b = &l->bank[number];

        if (b->ready > l->cycle)
            continue;
        if (is_stuck(l, b))
            count_fail(l, b->why, 1);
        else
            n += look_up(l, number);
    }
    return n;
}

void l1_count_stalls(struct lsu *l, uint64_t cycles)
{
    for (uint32_t bits = l->in_use; bits; bits &= bits - 1) {
        const struct l1_bank *b = &l->bank[__builtin_ctz(bits)];

        if (b->is_blocked)
            count_fail(l, b->why, cycles);
    }
}

static unsigned bank_of(const struct lsu *l, const struct transaction *t)
{
    uint64_t addr = t->line + (uint32_t)__builtin_ctz(t->sectors) * SECTOR_BYTES;

    return (unsigned)(addr >> l->bank_shift) & (l->c.l1.banks - 1);
}

/* What the last of several lines takes longer, and with it the instruction; it is added
 * behind the lookup, so that those behind lose nothing. */
static uint32_t more_latency(const struct lsu *l, const struct uop *u)
{
    bool is_last = l->tx_at + 1 == l->n_tx && u->dyn.inst->class == CLASS_load;

    return is_last ? (l->n_tx - 1) * l->c.l1.line_quarters / 4 : 0;
}

bool l1_enter(struct lsu *l, struct uop *u)
{
    l->latch_is_stuck = false;
    for (unsigned i = 0; i < l->c.l1.banks && l->tx_at < l->n_tx; i++) {
        const struct transaction *t = &l->tx[l->tx_at];
        unsigned number = bank_of(l, t);
        struct l1_bank *b = &l->bank[number];
        uint32_t at = (uint32_t)b->head + b->n;

        if (b->n == l->c.l1.latency || b->last_in == l->cycle) {
            l->stats.bank_conflicts++;
            l->latch_is_stuck = b->n == l->c.l1.latency && b->is_blocked;
            break;
        }
        if (!l->tx_at || t[-1].line != t->line)
            cache_expect_access(l->l1, t->line, cache_set(l->l1, t->line));
        at = at >= l->c.l1.latency ? at - l->c.l1.latency : at;
        b->ring[at] = (struct l1_access){ .t = *t,
                                          .ready = l->cycle + l->c.l1.latency,
                                          .more = (uint16_t)more_latency(l, u),
                                          .uop = u->id,
                                          .store = u->dyn.inst->class == CLASS_store,
                                          .local = u->dyn.space == SPACE_LOCAL };
        b->last_in = l->cycle;
        b->ready = b->n++ ? b->ready : b->ring[at].ready;
        l->in_use |= 1u << number;
        l->n_in_banks++;
        l->tx_at++;
    }
    return l->tx_at == l->n_tx;
}

uint64_t l1_next(const struct lsu *l)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t live = live_banks(l); live; live &= live - 1) {
        const struct l1_bank *b = &l->bank[__builtin_ctz(live)];

        if (b->ready < next && !is_stuck(l, b))
            next = b->ready;
    }
    return next;
}
