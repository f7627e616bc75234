/* next.c - when the load/store unit has something to do, and running it alone.
 *
 * Most of its work is invisible outside: transactions enter banks, misses leave,
 * sectors arrive. Its SM sees only the end of an instruction, and that another can be
 * taken. While the SM sleeps the unit goes on alone, as far as replies are known, until
 * one of these happens.
 */
#include "base/cycles.h"
#include "core/lsu/fast.h"

/* Can the instruction at the unit, or the next one, go on before the next lookup? */
static bool is_latch_live(const struct fast *l)
{
    return l->latch.uop != NO_UOP ? !l->latch.is_stuck : l->entry.n != 0;
}

/* perf: not inlined, since there is usually none. */
__attribute__((noinline)) static uint64_t first_late(const struct fast *l)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t i = 0; i < l->late.n; i++)
        next = earlier(next, l->store.late[i].at);
    return next;
}

uint64_t lsu_next_work(const struct fast *l)
{
    /* The result of a pipe is chosen in that cycle and ends in the one after. */
    uint64_t next = earlier(l->banks.lookup_at - 1, l->pipes.at) + 1;

    if (is_latch_live(l))
        next = earlier(next, l->latch.until);
    next = earlier(next, lsu_next_result(l));
    if (l->misses.n | l->late.n)
        next = l->misses.n ? l->base.cycle : earlier(next, first_late(l));
    return later(next, l->base.cycle + 1);
}

/* The next cycle in which it can take an instruction, if nothing is done before. */
static uint64_t room_at(const struct fast *l)
{
    if (l->base.c.lsu.queue) /* an instruction may be taken from a queue */
        return fast_due(l);
    return later(l->base.front.room_at, l->base.cycle + 1);
}

uint64_t fast_run(struct lsu *base, uint64_t end, bool wants_room)
{
    struct fast *l = fast_of(base);

    while (!l->base.front.n_events) {
        uint64_t due = fast_due(l), room = wants_room ? room_at(l) : UINT64_MAX;

        if (room <= due || due >= end || !l->ahead.has_memory)
            return earlier(room, due);
        fast_run_cycle(l, due);
        if (wants_room && lsu_can_take(base))
            break;
    }
    return l->base.cycle;
}
