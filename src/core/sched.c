/* sched.c - warp schedulers: which of the warps that could issue does.
 *
 *   lrr        loose round robin: the next able one after the last that issued
 *   gto        greedy, then oldest: the last one while it is able, else the oldest
 *   gty        greedy, then the one that has been ready longest, of those the youngest:
 *              what an H200 does (measured): warps that leave a barrier together run one
 *              after another from the youngest on, warps that stall take turns
 *   srr        strict round robin: the turn moves on only when its warp has issued or
 *              cannot for long (barrier, fence, exit); a data stall blocks the scheduler
 *   two-level  round robin in a small active set; a warp that waits for memory or a
 *              barrier leaves it, the oldest of the others comes in
 *   oldest     the oldest able one
 * Schemes do not change any of it. In Accel-Sim a scheduler's warps are every fourth of
 * the SM; so are they here (sub-core = warp slot mod sub-cores).
 */
#include "core/stages.h"

static unsigned after(uint64_t able, unsigned last)
{
    uint64_t later = last < 63 ? able & ~(bit64(last + 1) - 1) : 0;

    return (unsigned)__builtin_ctzll(later ? later : able);
}

/* The oldest of the set. */
static unsigned by_age(const struct sm *s, const struct subcore *c, uint64_t set)
{
    unsigned sub = c->index, best = NOBODY;
    uint64_t age = 0;

    for (uint64_t m = set; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        uint64_t a = s->warp[bit * s->shape.n_subcores + sub].age;

        if (best == NOBODY || a < age) {
            best = bit;
            age = a;
        }
    }
    return best;
}

/* The one that has been ready longest, the youngest of those. */
static unsigned first_ready(const struct sm *s, const struct subcore *c, uint64_t set)
{
    unsigned sub = c->index, best = NOBODY;
    const struct warp *first = NULL;

    for (uint64_t m = set; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        const struct warp *w = &s->warp[bit * s->shape.n_subcores + sub];

        if (!first || w->ready_since < first->ready_since ||
            (w->ready_since == first->ready_since && w->age > first->age)) {
            best = bit;
            first = w;
        }
    }
    return best;
}

/* Warps that wait for something far away do not hold the turn. */
static bool waits_long(const struct subcore *c, unsigned bit)
{
    uint64_t far = c->causes[STALL_barrier] | c->causes[STALL_fence] |
                   c->causes[STALL_drain] | c->causes[STALL_skip];

    return !(c->warps >> bit & 1) || far >> bit & 1;
}

static unsigned strict(struct subcore *c, uint64_t able)
{
    if (!c->warps)
        return NOBODY;
    if (c->turn == c->last || waits_long(c, c->turn)) {
        unsigned left = (unsigned)__builtin_popcountll(c->warps);

        do
            c->turn = after(c->warps, c->turn);
        while (--left && waits_long(c, c->turn));
        c->last = NOBODY;
    }
    return able >> c->turn & 1 ? c->turn : NOBODY;
}

static unsigned two_level(const struct sm *s, struct subcore *c, uint64_t able)
{
    uint64_t far = c->causes[STALL_memory] | c->causes[STALL_barrier] |
                   c->causes[STALL_fence] | c->causes[STALL_drain] |
                   c->causes[STALL_skip];

    c->active &= c->warps & ~far;
    while ((unsigned)__builtin_popcountll(c->active) < s->config.sched.active) {
        uint64_t others = c->warps & ~far & ~c->active;

        if (!others)
            break;
        c->active |= bit64(by_age(s, c, others));
    }
    return able & c->active ? after(able & c->active, c->last) : NOBODY;
}

unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able)
{
    bool greedy = c->last < NOBODY && able >> c->last & 1;

    switch (s->config.sched.policy) {
    case SCHED_SRR:
        return strict(c, able);
    case SCHED_TWO_LEVEL:
        return two_level(s, c, able);
    case SCHED_LRR:
        return able ? after(able, c->last) : NOBODY;
    case SCHED_GTO:
        return greedy ? c->last : by_age(s, c, able);
    case SCHED_GTY:
        return greedy ? c->last : first_ready(s, c, able);
    default:
        return by_age(s, c, able);
    }
}
