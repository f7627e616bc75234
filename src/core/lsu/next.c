/* next.c - the load/store unit goes on alone while its SM sleeps.
 *
 * Most of its work is invisible outside: transactions enter banks, misses leave,
 * sectors arrive. Its SM sees only the end of an instruction, and that another can be
 * taken. While the SM sleeps the unit goes on alone, as far as replies are known, until
 * one of these happens.
 */
#include "base/cycles.h"
#include "core/lsu/fast.h"

void lsu_fast_print_agenda(const struct lsu_fast *l, struct buf *out)
{
    static const char *const names[N_LSU_SOURCES] = {
        [LSU_LOOKUP] = "lookup of L1", [LSU_PIPE] = "shared memory or texture",
        [LSU_LATCH] = "instruction",   [LSU_RESULT] = "chosen result",
        [LSU_CHOICE] = "choice",       [LSU_MISS] = "refused miss",
        [LSU_LATE] = "late part",      [LSU_REPLY] = "reply"
    };
    struct agenda a = l->agenda;

    agenda_add(&a, LSU_REPLY, l->base.link->data_at);
    agenda_print(&a, names, N_LSU_SOURCES, out);
}

/* The next cycle in which it can take an instruction, if nothing is done before. */
static uint64_t room_at(const struct lsu_fast *l)
{
    if (l->base.c.lsu.queue) /* an instruction may be taken from a queue */
        return lsu_fast_due(l);
    return later(l->base.front.room_at, l->base.cycle + 1);
}

uint64_t lsu_fast_run(struct lsu *base, uint64_t end, bool wants_room)
{
    struct lsu_fast *l = lsu_fast_of(base);

    while (!l->base.front.n_events) {
        uint64_t due = lsu_fast_due(l), room = wants_room ? room_at(l) : NEVER;

        if (room <= due || due >= end || !l->ahead.has_memory)
            return earlier(room, due);
        lsu_fast_run_cycle(l, due);
        if (wants_room && lsu_can_take(base))
            break;
    }
    return l->base.cycle;
}
