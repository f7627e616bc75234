/* meet.c - stores that meet another one of the same line on its way into L1. */
#include "core/lsu/base.h"

enum { STEP_BYTES = 8, STEP_CYCLES = 4, STEPS_ON_WAY = 2 };

static struct l1_store make_store(const struct lsu *l, const struct l1_access *a)
{
    bool is_wide = l->pool[a->uop].dyn.inst->bytes > STEP_BYTES;

    return (struct l1_store){ .line = a->line,
                              .cycle = l->cycle + (is_wide ? STEP_CYCLES : 0),
                              .steps = is_wide ? 2 : 1 };
}

static bool is_of_line(const struct l1_store *earlier, const struct l1_store *s)
{
    return earlier->steps && earlier->line == s->line;
}

static bool joins_last(const struct lsu *l, const struct l1_store *s)
{
    const struct l1_store *last = &l->stores.last;

    return is_of_line(last, s) && s->steps == 1 &&
           s->cycle - last->cycle <= l->c.l1.store_join;
}

static bool is_on_way(const struct lsu *l, const struct l1_store *earlier,
                      uint32_t steps_after, uint64_t cycle)
{
    return steps_after < STEPS_ON_WAY && cycle - earlier->cycle < l->c.l1.store_cycles;
}

bool lsu_store_replaces(const struct lsu *l, const struct l1_access *a)
{
    const struct l1_store *last = &l->stores.last, *before = &l->stores.before;
    struct l1_store s = make_store(l, a);

    if (joins_last(l, &s))
        return false;
    return (is_of_line(last, &s) && is_on_way(l, last, 0, s.cycle)) ||
           (is_of_line(before, &s) && is_on_way(l, before, last->steps, s.cycle));
}

void lsu_note_store(struct lsu *l, const struct l1_access *a)
{
    struct l1_stores *stores = &l->stores;
    struct l1_store s = make_store(l, a);

    if (joins_last(l, &s)) {
        stores->last.cycle = s.cycle;
        stores->last.steps++;
        return;
    }
    stores->before = stores->last;
    stores->last = s;
}
