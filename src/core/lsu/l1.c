/* l1.c - the first-level data cache of an SM.
 *
 * As in Accel-Sim, a transaction first waits for the latency of L1 in the queue of its
 * bank and is looked up at the end; a transaction that the cache cannot take blocks its
 * bank. Up to l1.banks transactions of one instruction start in a cycle, until one
 * finds its bank taken (enter.c). Misses and written-through stores share one queue,
 * which sends one per cycle.
 */
#include <stdlib.h>

#include "base/invariant.h"
#include "core/lsu/fast.h"
#include "core/lsu/requests.h"

enum { SECTOR_WORDS = SECTOR_BYTES / 4 };

/* A queue for at least n. */
static int new_queue(struct l1_queue *q, uint32_t n)
{
    for (q->mask = 1; q->mask + 1 < n;)
        q->mask = 2 * q->mask + 1;
    q->ring = calloc((size_t)q->mask + 1, sizeof *q->ring);
    return q->ring ? 0 : -1;
}

int l1_init(struct lsu_fast *l, struct err *err)
{
    const struct l1_params *p = &l->base.c.l1;

    l->banks.all = (uint32_t)(((uint64_t)1 << p->banks) - 1);
    l->banks.joins = l->base.c.lsu.coalesce == 0 && p->bank_bytes == SECTOR_BYTES &&
                     p->banks >= LINE_SECTORS && !p->line_quarters;
    for (unsigned i = 0; i < p->banks; i++)
        if (new_queue(&l->store.bank[i].held, p->latency) < 0)
            return err_memory(err, "L1");
    if (new_queue(&l->banks.under_way, p->banks * p->latency) < 0)
        return err_memory(err, "L1");
    return 0;
}

void l1_free(struct lsu_fast *l)
{
    for (unsigned i = 0; i < LSU_MAX_BANKS; i++)
        free(l->store.bank[i].held.ring);
    free(l->banks.under_way.ring);
}

unsigned l1_transactions(const struct lsu_fast *l)
{
    unsigned n = 0;

    for (unsigned i = 0; i < l->base.c.l1.banks; i++)
        n += l->store.bank[i].n;
    return n;
}

/* The sectors of the transaction that is in this bank. */
static uint8_t part_in(const struct lsu_fast *l, const struct l1_access *a,
                       unsigned number)
{
    return l->banks.joins ? (uint8_t)(1u << number % LINE_SECTORS) : a->sectors;
}

/* The failed lookup at the head of a bank is tried again: counts its wait so far. */
static void count_wait(struct lsu_fast *l, struct l1_bank *b)
{
    INVARIANT(l->base.cycle >= b->since);
    *l1_fail_counter(&l->base, b->why) += l->base.cycle - b->since;
    b->since = 0;
}

static void send_read(struct lsu_fast *l, const struct l1_access *a, uint8_t sectors,
                      uint32_t mshr)
{
    lsu_set_read(lsu_fast_place_miss(l), &l->base, a, sectors, mshr);
}

/* The words that the transaction of these sectors touches. */
static uint32_t words_of(const struct lsu_fast *l, const struct l1_access *a,
                         uint8_t sectors)
{
    return l->banks.joins ? a->words & 0xffu << __builtin_ctz(sectors) * SECTOR_WORDS
                          : a->words;
}
static uint16_t bytes_of(const struct lsu_fast *l, const struct l1_access *a,
                         uint8_t sectors)
{
    return sectors == a->sectors
               ? a->bytes
               : (uint16_t)(4 * __builtin_popcount(words_of(l, a, sectors)));
}

/* True if the store is done when it is sent. */
static bool send_write(struct lsu_fast *l, const struct l1_access *a, uint8_t sectors)
{
    struct mem_request *place = lsu_fast_place_miss(l);

    lsu_set_write(place, &l->base, a,
                  (struct lsu_write){ .sectors = sectors,
                                      .bytes = bytes_of(l, a, sectors),
                                      .words = words_of(l, a, sectors) });
    return lsu_is_posted(place);
}

/* Free places in the miss queue. */
static uint32_t miss_room(const struct lsu_fast *l)
{
    uint32_t limit = l->base.c.l1.miss_queue, misses = lsu_fast_count_misses(l);

    return misses < limit ? limit - misses : 0;
}

/* The lookup at the head of a bank has failed. */
static void l1_block_bank(struct lsu_fast *l, unsigned number, uint8_t why)
{
    struct l1_bank *b = &l->store.bank[number];
    uint32_t bit = 1u << number;

    INVARIANT(b->held.n && l->banks.held & bit && why < N_CACHE_FAIL);
    b->why = why;
    b->since = l->base.cycle;
    l->banks.blocked |= bit;
    if (why == CACHE_FAIL_MSHR)
        l->banks.need_mshr |= bit;
    else if (why == CACHE_FAIL_QUEUE)
        *(l1_places_needed(l1_first(&b->held)) == 1 ? &l->banks.need_one
                                                    : &l->banks.need_two) |= bit;
}

/* Lets banks try their lookup again. */
static void l1_unblock_banks(struct lsu_fast *l, uint32_t banks)
{
    l->banks.blocked &= ~banks;
    l->banks.need_mshr &= ~banks;
    l->banks.need_one &= ~banks;
    l->banks.need_two &= ~banks;
}

void l1_filled(struct lsu_fast *l, uint64_t line)
{
    for (uint32_t bits = l->banks.blocked; bits; bits &= bits - 1) {
        const struct l1_bank *b = &l->store.bank[__builtin_ctz(bits)];

        if (l1_first(&b->held)->line != line && b->why != CACHE_FAIL_LINE)
            continue;
        l1_unblock_banks(l, bits & -bits);
        agenda_set(&l->agenda, LSU_LOOKUP, l->base.cycle);
    }
}

/* A transaction that bypasses L1, which drops its line; false: the miss queue has no
 * room. */
static bool pass_through(struct lsu_fast *l, const struct l1_access *a, uint8_t *why)
{
    struct mem_request *place;

    *why = CACHE_FAIL_QUEUE;
    if (!miss_room(l))
        return false;
    cache_drop(l->base.l1, a->line, a->set, ALL_SECTORS);
    place = lsu_fast_place_miss(l);
    *place = lsu_through_request(&l->base, a);
    if (lsu_is_posted(place))
        lsu_fast_end_part(l, a->uop);
    return true;
}

/* The common lookup that does not find its line, given the free places; false: the
 * general case applies. */
static inline bool pass_on(struct lsu_fast *l, const struct l1_access *a,
                           uint8_t sectors, uint32_t places)
{
    uint16_t mshr;

    if (places < 2 || a->bypasses)
        return false;
    if (a->write) {
        if (!cache_passes_writes(l->base.l1))
            return false;
        l->base.stats.l1_writes++;
        if (l->base.hot)
            l1_count_hot(&l->base, a, false, 1);
        if (send_write(l, a, sectors))
            lsu_fast_end_part(l, a->uop);
        return true;
    }
    mshr = cache_new_miss(l->base.l1, a->line, a->set, sectors, a->uop);
    if (mshr == NO_MSHR)
        return false;
    l->base.stats.l1_reads++;
    l->base.stats.l1_read_misses++;
    if (l->base.hot)
        l1_count_hot(&l->base, a, false, 1);
    send_read(l, a, sectors, mshr);
    return true;
}

/* Looks up the transaction of these sectors; false: it failed for reason *why. */
static bool look_up_any(struct lsu_fast *l, const struct l1_access *a, uint8_t sectors,
                        uint8_t *why)
{
    struct cache_access access = { .line = a->line,
                                   .set = a->set,
                                   .words = words_of(l, a, sectors),
                                   .waiter = a->uop,
                                   .room = miss_room(l),
                                   .sectors = sectors,
                                   .write = a->write,
                                   .local = a->local };
    bool meets = a->write && l->base.c.l1.store_cycles;
    struct cache_outcome o;

    if (a->bypasses)
        return pass_through(l, a, why);
    if (meets)
        access.replaces = lsu_store_replaces(&l->base, a);
    o = cache_access(l->base.l1, &access);
    if (o.result == CACHE_FAIL) {
        *why = o.fail;
        return false;
    }
    if (meets)
        lsu_note_store(&l->base, a);
    l1_count_lookup(&l->base, a, o.result, 1);
    if (o.fetch)
        send_read(l, a, o.fetch, o.mshr);
    if (o.send_write && send_write(l, a, sectors))
        o.done = true;
    if (o.evict)
        lsu_set_victim(lsu_fast_place_miss(l), &l->base, o.victim, o.evict);
    if (a->write ? o.done : o.result == CACHE_HIT)
        lsu_fast_end_part_late(l, a->uop, l->base.cycle + a->more);
    return true;
}

static bool is_absent(const struct lsu_fast *l, const struct l1_access *a)
{
    return cache_find(l->base.l1, a->line, a->set) == NO_LINE;
}

/* The transactions in these banks are done. */
static void l1_leave_banks(struct lsu_fast *l, uint32_t banks)
{
    l->banks.full &= ~banks;
    for (; banks; banks &= banks - 1) {
        INVARIANT(l->store.bank[__builtin_ctz(banks)].n);
        l->store.bank[__builtin_ctz(banks)].n--;
    }
}

/* Transactions whose lookup is due stay in these banks. */
static void l1_hold_banks(struct lsu_fast *l, const struct l1_access *a, uint32_t banks)
{
    l->banks.held |= banks;
    for (; banks; banks &= banks - 1)
        *l1_add(&l->store.bank[__builtin_ctz(banks)].held) = *a;
}

/* Moves all that are due to their banks. */
static inline void hold_ready(struct lsu_fast *l)
{
    while (l->banks.under_way.n &&
           l1_first(&l->banks.under_way)->ready <= l->base.cycle) {
        const struct l1_access *a = l1_first(&l->banks.under_way);

        l1_hold_banks(l, a, l1_banks_of(l, a->line, a->sectors));
        l1_drop_first(&l->banks.under_way);
    }
}

/* Looks up the first transaction of a bank; false: it stays. */
static bool run_bank(struct lsu_fast *l, unsigned number)
{
    struct l1_bank *b = &l->store.bank[number];
    const struct l1_access *a = l1_first(&b->held);
    uint8_t part = part_in(l, a, number), why;

    if (l->banks.blocked >> number & 1)
        l1_unblock_banks(l, 1u << number);
    if (b->since)
        count_wait(l, b);
    if (!(is_absent(l, a) && pass_on(l, a, part, miss_room(l))) &&
        !look_up_any(l, a, part, &why)) {
        l1_block_bank(l, number, why);
        return false;
    }
    l1_drop_first(&b->held);
    l1_leave_banks(l, 1u << number);
    if (!b->held.n)
        l->banks.held &= ~(1u << number);
    return true;
}

/* Banks that may go on: those that wait for room in the miss queue, if others leave
 * any. */
static uint32_t live_banks(const struct lsu_fast *l)
{
    uint32_t live = l->banks.held & ~l->banks.blocked, places;

    if (!(l->banks.need_one | l->banks.need_two))
        return live;
    places = miss_room(l);
    return live | (places ? l->banks.need_one : 0) |
           (places > 1 ? l->banks.need_two : 0);
}

static bool run_held(struct lsu_fast *l)
{
    bool some = false;

    if (l->banks.need_mshr && cache_can_miss(l->base.l1))
        l1_unblock_banks(l, l->banks.need_mshr);
    for (uint32_t left = UINT32_MAX, bits; (bits = left & live_banks(l));) {
        some |= run_bank(l, (unsigned)__builtin_ctz(bits));
        left = ~(bits ^ (bits - 1)); /* banks after it */
    }
    return some;
}

/* Loads that all hit in this line. */
static bool hit_together(struct lsu_fast *l, const struct l1_access *a, uint32_t line)
{
    struct cache_access access = { .sectors = a->sectors };
    unsigned n = n_sectors(a->sectors);

    if (!l->banks.joins || a->write || !cache_hits(l->base.l1, &access, line))
        return false;
    l1_count_lookup(&l->base, a, CACHE_HIT, n);
    INVARIANT(l->base.pool[a->uop].pending >= n);
    l->base.pool[a->uop].pending -= n - 1;
    lsu_fast_end_part(l, a->uop);
    return true;
}

/* Looks up the parts one after the other, of a line that is absent or may be; returns
 * the banks of those that are done. */
static uint32_t run_parts(struct lsu_fast *l, const struct l1_access *a, uint32_t banks,
                          bool is_absent)
{
    uint32_t places = miss_room(l), gone = banks;

    for (; banks; banks &= banks - 1) {
        unsigned number = (unsigned)__builtin_ctz(banks);
        uint8_t part = part_in(l, a, number), why;

        if (is_absent && pass_on(l, a, part, places)) {
            places--;
            continue;
        }
        is_absent = false; /* a line may have been allocated for it */
        if (look_up_any(l, a, part, &why))
            continue;
        gone ^= banks & -banks;
        l1_hold_banks(l, a, banks & -banks);
        l1_block_bank(l, number, why);
    }
    return gone;
}

/* Looks up transactions that are still together, with nothing before them in their
 * banks. */
static bool run_together(struct lsu_fast *l, const struct l1_access *a)
{
    uint32_t banks = l1_banks_of(l, a->line, a->sectors);
    uint32_t line = a->bypasses ? NO_LINE : cache_find(l->base.l1, a->line, a->set);

    if (line == NO_LINE || !hit_together(l, a, line))
        banks = run_parts(l, a, banks, line == NO_LINE);
    l1_leave_banks(l, banks);
    return banks;
}

/* The next cycle with a lookup, as far as is known. */
static uint64_t next_lookup(const struct lsu_fast *l)
{
    uint64_t next = l->banks.under_way.n ? l1_first(&l->banks.under_way)->ready : NEVER;

    if (l->banks.held & ~l->banks.blocked ||
        (l->misses.n && l->banks.need_one | l->banks.need_two))
        return l->base.cycle + 1;
    if (l->banks.need_one | l->banks.need_two)
        next = earlier(next, l->misses.sent + (l->banks.need_one ? 1 : 2) -
                                 l->base.c.l1.miss_queue);
    return next;
}

static bool is_alone(const struct l1_queue *q, uint64_t cycle)
{
    return q->n == 1 || q->ring[(q->head + 1) & q->mask].ready > cycle;
}

/* A fill has taken the cycle of lookups. */
static bool l1_is_filling(const struct lsu_fast *l)
{
    return l->base.c.l1.fill_first && l->replies.fill_free > l->base.cycle;
}

/* All that could be looked up is tried in the next cycle. */
static bool put_off_lookups(struct lsu_fast *l)
{
    hold_ready(l);
    agenda_set(&l->agenda, LSU_LOOKUP,
               l->banks.held ? l->base.cycle + 1 : next_lookup(l));
    return false;
}

bool l1_lookups(struct lsu_fast *l)
{
    struct l1_queue *q = &l->banks.under_way;
    bool some;

    if (l1_is_filling(l))
        return put_off_lookups(l);
    if (!l->banks.held && is_alone(q, l->base.cycle)) {
        some = run_together(l, l1_first(q));
        l1_drop_first(q);
    } else {
        hold_ready(l);
        some = run_held(l);
    }
    agenda_set(&l->agenda, LSU_LOOKUP, next_lookup(l));
    return some;
}
