/* lsu_next.c - when the load/store unit has something to do, and when its SM must know.
 *
 * Most of its work nobody sees: transactions enter banks, misses leave, sectors come in.
 * What its SM sees is the end of an instruction. When memory works ahead, replies are
 * known before their cycle comes, and so is a cycle before which no instruction can end;
 * the unit is left alone until then and goes through the cycles in between all at once.
 */
#include "core/lsu_internal.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Something that has come waits for the registers' port. */
static bool has_result_waiting(const struct lsu *l)
{
    return l->global != NO_UOP || cache_is_ready(l->l1) || cache_is_ready(l->constant);
}

/* The instruction at the unit, or the next one, can go on without a lookup before it. */
static bool is_latch_live(const struct lsu *l)
{
    return l->latch != NO_UOP ? !l->latch_is_stuck : l->n_queued != 0;
}

static uint64_t first_late(const struct lsu *l)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t i = 0; i < l->n_late; i++)
        next = sooner(next, l->late[i].at);
    return next;
}

static uint64_t pipe_next(const struct pipe *p)
{
    return p->n ? p->ring[p->head].ready : UINT64_MAX;
}

uint64_t lsu_next_work(const struct lsu *l)
{
    uint64_t now = l->cycle, next = l->lookup_at;

    if (l->n_writeback || l->misses.n || l->has_reply || has_result_waiting(l))
        return now + 1;
    if (is_latch_live(l))
        next = sooner(next, l->latch_until);
    next = sooner(next, pipe_next(&l->shared));
    next = sooner(next, pipe_next(&l->texture));
    next = sooner(next, first_late(l));
    return later(next, now + 1);
}

/* Results take a cycle to be chosen and one to be written. */
enum { CHOOSE_AND_WRITE = 2 };

/* True if a part of this instruction's, after n others of anybody's, is not its last. */
static bool is_not_last(const struct lsu *l, uint32_t uop, unsigned n)
{
    return l->pool[uop].pending > n + 1;
}

/* The same of all that a reply brings. */
static bool is_quiet(const struct lsu *l, const struct mem_reply *r, unsigned n)
{
    uint32_t id = r->id & ~FOR_MASK;

    switch (r->id & FOR_MASK) {
    case FOR_L1:
        return cache_waiters(l->l1, id) == 1 &&
               is_not_last(l, cache_first_waiter(l->l1, id), n);
    case FOR_UOP:
        return is_not_last(l, id, n);
    default:
        return false;
    }
}

/* The first cycle, before this one, in which replies may end an instruction. */
static uint64_t next_answer(const struct lsu *l, uint64_t before)
{
    for (unsigned i = 0; i < l->link->data.n; i++) {
        const struct mem_arrival *a = memory_arrival(l->memory, l->sm, i);
        unsigned more = a->reply.kind == MEM_WRITE ? 0 : CHOOSE_AND_WRITE;

        if (a->cycle >= before)
            break;
        if (!is_quiet(l, &a->reply, l->n_writeback + i))
            before = sooner(before, later(a->cycle, l->cycle + 1) + more);
    }
    return before;
}

uint64_t lsu_next(const struct lsu *l)
{
    uint64_t now = l->cycle, next = l->lookup_at;

    /* An MSHR comes free without a reply, and a lookup may find what it wants. */
    if (!l->is_ahead || l->has_reply || l->need_mshr)
        return lsu_due(l);
    for (unsigned i = 0; i < l->n_writeback; i++)
        if (!is_not_last(l, l->writeback[i], l->n_writeback - 1))
            return now + 1;
    if (has_result_waiting(l))
        next = sooner(next, now + CHOOSE_AND_WRITE);
    if (is_latch_live(l))
        next = sooner(next, l->latch_until);
    next =
        sooner(next, later(sooner(pipe_next(&l->shared), pipe_next(&l->texture)), now));
    next = sooner(next, first_late(l));
    if (l->blocked) /* a fill may be what a lookup waits for */
        next = sooner(next, l->link->data_at);
    return later(next_answer(l, next), now + 1);
}

/* An instruction waits for a place in a bank, and so for a lookup there. */
static uint64_t bank_room_at(const struct lsu *l)
{
    const struct l1_bank *b = &l->bank[l->full_bank];

    if (b->n < l->c.l1.latency || l->need_mshr >> l->full_bank & 1)
        return 0;
    return l->blocked >> l->full_bank & 1 ? sooner(b->at, l->link->data_at) : b->at;
}

uint64_t lsu_room_at(const struct lsu *l)
{
    uint64_t at;

    if (l->latch == NO_UOP && !l->n_queued)
        return l->latch_until;
    if (l->latch == NO_UOP || !l->waits_for_bank)
        return lsu_due(l);
    at = later(lsu_due(l), bank_room_at(l));
    /* Each bank takes one in a cycle then. */
    return at == UINT64_MAX ? at : at + (l->n_tx - l->tx_at - 1) / l->c.l1.banks;
}
