/* enter.c - transactions of the instruction at the load/store unit enter L1.
 *
 * As in Accel-Sim: in falling order of addresses, each into its bank, until one finds
 * its bank taken in this cycle. A bank has room for l1.latency transactions.
 */
#include "base/invariant.h"
#include "core/lsu/fast.h"

/* Of these banks, those that are entered before any that is taken. */
static uint32_t banks_before(uint32_t banks, uint32_t taken)
{
    return taken ? banks & ~(UINT32_MAX >> __builtin_clz(taken)) : banks;
}

/* Removes sectors from those that share an entry, with their bytes, which are whole
 * words. */
static uint16_t take_bytes(struct transaction *t, uint8_t sectors)
{
    uint32_t words = (sectors * 0x00204081u & 0x01010101u) * 0xff;
    uint16_t bytes = (uint16_t)(4 * __builtin_popcount(t->words & words));

    t->sectors ^= sectors;
    t->bytes = (uint16_t)(t->bytes - bytes);
    return bytes;
}

/* Puts transactions into these banks in cycle `at`: all that the entry of tx needs, or
 * the first of them. */
static void l1_put_banks(struct lsu_fast *l, const struct uop *u, uint64_t at,
                         uint32_t banks, bool all)
{
    struct transaction *t = &l->store.tx[l->latch.gone];
    struct l1_access *a = l1_add(&l->banks.under_way);
    uint8_t some = (uint8_t)(banks >> l1_bank(&l->base, t->line));

    INVARIANT(at >= l->base.cycle && !(banks & (l->banks.entered | l->banks.full)));
    *a = (struct l1_access){ .line = t->line,
                             .ready = at + l->base.c.l1.latency,
                             .words = t->words,
                             .uop = u->id,
                             .set = (uint16_t)cache_set(l->base.l1, t->line),
                             .bytes = all ? t->bytes : take_bytes(t, some),
                             .more = l1_more_latency(&l->base, u, l->latch.n,
                                                     l->latch.gone + 1 == l->latch.n),
                             .sectors = all ? t->sectors : some,
                             .write = u->dyn.inst->class == CLASS_store,
                             .local = u->dyn.space == SPACE_LOCAL,
                             .bypasses = l->latch.bypasses,
                             .lanes = t->lanes };
    cache_expect_access(l->base.l1, a->line, a->set);
    agenda_add(&l->agenda, LSU_LOOKUP, a->ready);
    l->banks.entered |= banks;
    for (; banks; banks &= banks - 1)
        if (++l->store.bank[__builtin_ctz(banks)].n == l->base.c.l1.latency)
            l->banks.full |= banks & -banks;
}

/* The first of these banks cannot be entered in cycle `at`; false: it is full, or may
 * be then. */
static bool l1_await_bank(struct lsu_fast *l, const struct uop *u, uint32_t taken,
                          uint64_t at)
{
    uint32_t first = 1u << (31 - __builtin_clz(taken));

    if (l->banks.full & first) {
        l->latch.awaited = first;
        if (at <= l->base.cycle)
            l1_stay(l);
        return false;
    }
    l1_count_conflict(&l->base, u->id);
    return true;
}

/* Puts the transactions of cycle `at` into banks; false: a bank is full, or may be
 * then. */
static bool enter_one_cycle(struct lsu_fast *l, const struct uop *u, uint64_t at)
{
    if (l->banks.entry_cycle != at)
        l->banks.entered = 0;
    l->banks.entry_cycle = at;
    for (; l->latch.gone < l->latch.n && l->banks.entered != l->banks.all;
         l->latch.gone++) {
        const struct transaction *t = &l->store.tx[l->latch.gone];
        uint32_t banks = l1_banks_of(l, t->line, t->sectors);
        uint32_t taken = banks & (l->banks.entered | l->banks.full);
        uint32_t some = banks_before(banks, taken);

        if (some)
            l1_put_banks(l, u, at, some, some == banks);
        if (some != banks)
            return l->banks.entered == l->banks.all || l1_await_bank(l, u, taken, at);
    }
    return true;
}

/* Only the latch fills banks, so a bank with room now has room when its turn comes. */
struct progress l1_enter(struct lsu_fast *l, const struct uop *u, uint64_t cycle)
{
    l->latch.is_stuck = false;
    l->latch.awaited = 0;
    for (;; cycle++) {
        if (cycle > l->base.cycle && l->base.tell_checked)
            return stays(cycle); /* LSU_CHECKED is due in the cycle of the last */
        if (!enter_one_cycle(l, u, cycle))
            return stays(cycle);
        if (l->latch.gone == l->latch.n)
            return has_gone(cycle);
    }
}
