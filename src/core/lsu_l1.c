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
    l->lookup_at = UINT64_MAX;
    l->bank_shift = (uint32_t)__builtin_ctz(p->bank_bytes);
    l->all_banks = (uint32_t)(((uint64_t)1 << p->banks) - 1);
    for (unsigned i = 0; i < p->banks; i++) {
        l->bank[i].ring = calloc(p->latency, sizeof *l->bank[i].ring);
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

static void count(struct lsu *l, const struct l1_access *a,
                  const struct cache_outcome *o)
{
    struct lsu_stats *s = &l->stats;

    if (a->write) {
        s->l1_writes++;
        s->l1_write_hits += o->result == CACHE_HIT;
        return;
    }
    s->l1_reads++;
    s->l1_read_hits += o->result == CACHE_HIT;
    s->l1_read_misses += o->result == CACHE_MISS;
    s->l1_read_pending += o->result == CACHE_PENDING;
}

/* The lookup in front of a bank, which failed, is tried again: what it has waited for
 * until now. */
static void count_wait(struct lsu *l, struct l1_bank *b)
{
    uint64_t *const row[N_CACHE_FAIL] = { &l->stats.l1_fail_line,
                                          &l->stats.l1_fail_queue,
                                          &l->stats.l1_fail_mshr,
                                          &l->stats.l1_fail_merge };

    *row[b->why] += l->cycle - b->since;
    b->since = 0;
}

/* Sends what an access needs from L2. */
static void follow_up(struct lsu *l, const struct l1_access *a,
                      const struct cache_outcome *o)
{
    struct mem_request r = {
        .addr = a->line, .cycle = l->cycle, .sm = l->sm, .kind = MEM_READ, .lanes = 1
    };

    if (o->fetch) {
        r.id = FOR_L1 | o->mshr;
        r.sectors = o->fetch;
        lsu_send(l, &r);
    }
    r.kind = MEM_WRITE;
    if (o->send_write) {
        r.id = FOR_UOP | a->uop;
        r.sectors = a->sectors;
        r.words = a->words;
        r.bytes = a->bytes;
        lsu_send(l, &r);
    }
    if (o->evict) {
        r.addr = o->victim;
        r.id = FOR_NOBODY;
        r.sectors = o->evict;
        r.words = UINT32_MAX;
        r.bytes = (uint16_t)(n_sectors(o->evict) * SECTOR_BYTES);
        lsu_send(l, &r);
        l->stats.l1_write_backs++;
    }
}

/* The cycle in which the queue of misses has room for the lookup in front of a bank; how
 * many places one needs, cache.c knows. */
static uint64_t room_at(const struct lsu *l, const struct l1_bank *b)
{
    uint32_t places = b->ring[b->head].write ? 1 : 2;

    if (l->misses.n)
        return l->cycle + (lsu_misses(l) + places > l->c.l1.miss_queue);
    return l->sent + places - l->c.l1.miss_queue;
}

/* The lookup in front of a bank failed: when to try again. */
static void block(struct lsu *l, unsigned number, uint8_t why)
{
    struct l1_bank *b = &l->bank[number];

    b->why = why;
    b->since = l->cycle;
    b->at = why == CACHE_FAIL_QUEUE ? room_at(l, b) : UINT64_MAX;
    l->blocked |= 1u << number;
    l->need_mshr |= (uint32_t)(why == CACHE_FAIL_MSHR) << number;
}

static void unblock(struct lsu *l, unsigned number)
{
    l->bank[number].at = l->lookup_at = l->cycle;
    l->blocked &= ~(1u << number);
    l->need_mshr &= ~(1u << number);
}

void l1_filled(struct lsu *l, uint64_t line)
{
    for (uint32_t bits = l->blocked; bits; bits &= bits - 1) {
        unsigned number = (unsigned)__builtin_ctz(bits);
        const struct l1_bank *b = &l->bank[number];

        if (b->ring[b->head].line == line || b->why == CACHE_FAIL_LINE)
            unblock(l, number);
    }
}

static bool look_up(struct lsu *l, unsigned number)
{
    struct l1_bank *b = &l->bank[number];
    const struct l1_access *a = &b->ring[b->head];
    uint32_t limit = l->c.l1.miss_queue, misses = lsu_misses(l);
    struct cache_access access = { .line = a->line,
                                   .set = a->set,
                                   .words = a->words,
                                   .waiter = a->uop,
                                   .room = misses < limit ? limit - misses : 0,
                                   .sectors = a->sectors,
                                   .write = a->write,
                                   .local = a->local };
    struct cache_outcome o = cache_access(l->l1, &access);

    if (b->since)
        count_wait(l, b);
    if (o.result == CACHE_FAIL) {
        block(l, number, o.fail);
        return false;
    }
    count(l, a, &o);
    follow_up(l, a, &o);
    if (a->write ? o.done : o.result == CACHE_HIT)
        finish_at(l, a->uop, l->cycle + a->more);
    b->head = (uint16_t)(b->head + 1u == l->c.l1.latency ? 0 : b->head + 1);
    b->at = --b->n ? b->ring[b->head].ready : UINT64_MAX;
    l->in_use &= ~((uint32_t)!b->n << number);
    l->n_in_banks--;
    return true;
}

/* A bank whose time has come; false: no lookup was done. */
static bool run_bank(struct lsu *l, unsigned number)
{
    struct l1_bank *b = &l->bank[number];

    if (l->blocked >> number & 1) { /* it waits for the queue, which others fill too */
        b->at = room_at(l, b);
        if (b->at > l->cycle)
            return false;
        unblock(l, number);
    }
    return look_up(l, number);
}

bool l1_lookups(struct lsu *l)
{
    uint64_t next = UINT64_MAX;
    bool some = false;

    if (cache_can_miss(l->l1))
        for (uint32_t bits = l->need_mshr; bits; bits &= bits - 1)
            unblock(l, (unsigned)__builtin_ctz(bits));
    for (uint32_t bits = l->in_use; bits; bits &= bits - 1) {
        unsigned number = (unsigned)__builtin_ctz(bits);
        const struct l1_bank *b = &l->bank[number];

        if (b->at <= l->cycle)
            some |= run_bank(l, number);
        next = sooner(next, b->at);
    }
    l->lookup_at = next;
    return some;
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

static void put(struct lsu *l, const struct uop *u, unsigned number)
{
    const struct transaction *t = &l->tx[l->tx_at];
    struct l1_bank *b = &l->bank[number];
    uint32_t at = (uint32_t)b->head + b->n, size = l->c.l1.latency;
    uint32_t set = cache_set(l->l1, t->line);
    uint64_t ready = l->latch_until + size;

    if (!l->tx_at || t[-1].line != t->line)
        cache_expect_access(l->l1, t->line, set);
    b->ring[at >= size ? at - size : at] =
        (struct l1_access){ .line = t->line,
                            .ready = ready,
                            .words = t->words,
                            .uop = u->id,
                            .set = (uint16_t)set,
                            .bytes = t->bytes,
                            .more = (uint16_t)more_latency(l, u),
                            .sectors = t->sectors,
                            .write = u->dyn.inst->class == CLASS_store,
                            .local = u->dyn.space == SPACE_LOCAL };
    if (!b->n++) {
        b->at = ready;
        l->lookup_at = sooner(l->lookup_at, ready);
    }
    l->entered |= 1u << number;
    l->in_use |= 1u << number;
    l->n_in_banks++;
    l->tx_at++;
}

/* What goes into banks in cycle latch_until; false: a bank is full, or may be then. */
static bool enter_one_cycle(struct lsu *l, const struct uop *u)
{
    if (l->entry_cycle != l->latch_until)
        l->entered = 0;
    l->entry_cycle = l->latch_until;
    while (l->tx_at < l->n_tx && l->entered != l->all_banks) {
        unsigned number = bank_of(l, &l->tx[l->tx_at]);
        const struct l1_bank *b = &l->bank[number];
        bool is_full = b->n == l->c.l1.latency;

        if (is_full && l->latch_until > l->cycle)
            return false;
        if (is_full || l->entered >> number & 1) {
            l->stats.bank_conflicts++;
            l->latch_is_stuck = is_full && l->blocked >> number & 1;
            return !is_full;
        }
        put(l, u, number);
    }
    return true;
}

/* Only the latch fills banks, so that one with room now has room when its turn comes. */
bool l1_enter(struct lsu *l, const struct uop *u)
{
    l->latch_is_stuck = false;
    for (;; l->latch_until++) {
        if (l->latch_until > l->cycle && l->tell_checked)
            return false; /* in the cycle of the last */
        if (!enter_one_cycle(l, u))
            return false;
        if (l->tx_at == l->n_tx)
            return true;
    }
}
