/* hot.c - counts per static instruction; see hot.h. */
#include "core/hot.h"

#include "core/stages.h"

/* The number of an instruction that the SM fetches for the first time. */
static uint32_t hot_learn(struct sm_hot *h, const struct inst *i)
{
    uint32_t number = hot_index_number(h->index, i->pc, i);

    hot_known_add(&h->known, i->pc, number);
    hot_reserve(h->table, number + 1);
    return number;
}

void hot_fetched(struct sm *s, struct uop *u)
{
    u->hot = hot_known_find(&s->hot->known, u->dyn.inst->pc);
    if (u->hot == HOT_NONE)
        u->hot = hot_learn(s->hot, u->dyn.inst);
}

void hot_issued(struct sm *s, struct subcore *c, struct uop *u, bool is_reordered)
{
    uint64_t *count = s->hot->table->row[u->hot].count;

    count[HOT_executed]++;
    count[HOT_lanes] += (unsigned)__builtin_popcount(u->dyn.mask);
    count[HOT_divergent] += u->dyn.mask != 0xffffffffu;
    count[HOT_reordered] += is_reordered;
    s->hot->charged[c->index] = s->hot->last[u->warp] = u->hot;
    u->issued = s->cycle;
}

void hot_read(struct sm *s, const struct uop *u, uint64_t n, uint64_t waits)
{
    hot_add(s->hot->table, u->hot, HOT_bank_reads, n);
    hot_add(s->hot->table, u->hot, HOT_bank_waits, waits);
}

void hot_written(struct sm *s, const struct uop *u)
{
    uint64_t *count = s->hot->table->row[u->hot].count;

    if (!u->dyn.inst->list.n_writes)
        return;
    count[HOT_results]++;
    count[HOT_latency] += s->cycle - u->issued;
}

void hot_charge(struct sm *s, const struct subcore *c, uint64_t cycle)
{
    struct hot_row *row = &s->hot->table->row[s->hot->charged[c->index]];

    row->slot[c->issue.cause] += cycle - c->issue.since;
}

/* Warps of the sub-core that have this cause, as bits. */
static uint64_t hot_warps(const struct subcore_issue *q, enum stall cause)
{
    uint64_t memory = q->filed[FILED_OFFER + PIPE_mem];

    switch (cause) {
    case STALL_turn:
        return q->offering;
    case STALL_pipe:
        return q->offering & ~memory;
    case STALL_lsu:
        return memory;
    default:
        return q->filed[cause];
    }
}

/* Is the cause the effect of an instruction that has issued? */
static bool hot_is_effect(enum stall cause)
{
    return cause == STALL_branch || cause == STALL_fence || cause == STALL_barrier ||
           cause == STALL_drain;
}

void hot_set_cause(struct sm *s, const struct subcore *c, enum stall cause)
{
    uint64_t warps = cause == STALL_idle ? 0 : hot_warps(&c->issue, cause);
    unsigned last = c->issue.last, slot;
    uop_id waits;

    if (!warps) {
        s->hot->charged[c->index] = HOT_NONE;
        return;
    }
    if (last == NOBODY || !(warps >> last & 1))
        last = (unsigned)__builtin_ctzll(warps);
    slot = warp_slot(s, c, last);
    waits = cause <= STALL_lsu ? s->warp[slot].filed.uop : s->warp[slot].window.oldest;
    s->hot->charged[c->index] = waits == NO_UOP || hot_is_effect(cause)
                                    ? s->hot->last[slot]
                                    : s->pool[waits].hot;
}

void sm_set_hot_table(struct sm *s, struct hot_table *t)
{
    hot_reserve(t, hot_index_size(s->hot->index));
    s->hot->table = t;
    lsu_set_hot(s->lsu, t);
}

void sm_end_hot(struct sm *s)
{
    issue_account(s, s->accounted);
    hot_known_clear(&s->hot->known);
}
