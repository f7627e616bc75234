/* sched.c - warp schedulers: which of the warps that could issue may do so.
 *
 *   lrr        loose round robin: the next able warp after the last that issued
 *   gto        greedy, then oldest: the last warp while it is able, else the oldest
 *   gty        greedy, then the warp that has been ready longest, of those the youngest:
 *              what an H200 does (measured): warps that leave a barrier together run
 *              one after another from the youngest on, warps that stall take turns
 *   srr        strict round robin: the turn moves on only when its warp has issued or
 *              cannot for long (barrier, fence, exit); a data stall blocks the
 *              scheduler
 *   two-level  round robin in a small active set: a warp that waits for memory or a
 *              barrier leaves it, and the oldest of the others comes in
 *   oldest     the oldest able warp
 *
 * Schemes do not change any of it. As in Accel-Sim, a scheduler of an SM with four has
 * every fourth warp (sub-core = warp slot mod sub-cores).
 */
#include "core/stages.h"

/* The next member of a non-empty set after `last`, in turn. */
static unsigned next_in_turn(uint64_t able, unsigned last)
{
    unsigned first = (last + 1) % 64;
    uint64_t turned = able >> first | able << (64 - first) % 64;

    return (first + (unsigned)__builtin_ctzll(turned)) % 64;
}

/* The oldest warp of the set. */
static unsigned find_oldest(const struct sm *s, const struct subcore *c, uint64_t set)
{
    unsigned best = NOBODY;
    uint64_t age = 0;

    for (uint64_t m = set; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        uint64_t a = s->warp[warp_slot(s, c, bit)].age;

        if (best == NOBODY || a < age) {
            best = bit;
            age = a;
        }
    }
    return best;
}

/* The warp that has been ready longest; of several, the youngest. */
static unsigned find_longest_ready(const struct sm *s, const struct subcore *c,
                                   uint64_t set)
{
    unsigned best = NOBODY;
    const struct warp *first = NULL;

    for (uint64_t m = set; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        const struct warp *w = &s->warp[warp_slot(s, c, bit)];

        if (!first || w->ready_since < first->ready_since ||
            (w->ready_since == first->ready_since && w->age > first->age)) {
            best = bit;
            first = w;
        }
    }
    return best;
}

/* Warps with a long wait do not hold the turn. */
static bool waits_long(const struct subcore_issue *q, unsigned bit)
{
    uint64_t far = q->filed[STALL_barrier] | q->filed[STALL_fence] |
                   q->filed[STALL_drain] | q->filed[STALL_skip];

    return !(q->warps >> bit & 1) || far >> bit & 1;
}

static unsigned pick_strict(struct subcore_issue *q, struct subcore_sched *d,
                            uint64_t able)
{
    if (!q->warps)
        return NOBODY;
    if (d->turn == q->last || waits_long(q, d->turn)) {
        unsigned left = (unsigned)__builtin_popcountll(q->warps);

        do
            d->turn = next_in_turn(q->warps, d->turn);
        while (--left && waits_long(q, d->turn));
        q->last = NOBODY;
    }
    return able >> d->turn & 1 ? d->turn : NOBODY;
}

static unsigned pick_two_level(const struct sm *s, struct subcore *c, uint64_t able)
{
    const struct subcore_issue *q = &c->issue;
    uint64_t far = q->filed[STALL_memory] | q->filed[STALL_barrier] |
                   q->filed[STALL_fence] | q->filed[STALL_drain] | q->filed[STALL_skip];
    uint64_t active = c->sched.active & q->warps & ~far;

    while ((unsigned)__builtin_popcountll(active) < s->config.sched.active) {
        uint64_t others = q->warps & ~far & ~active;

        if (!others)
            break;
        active |= bit64(find_oldest(s, c, others));
    }
    c->sched.active = active;
    return able & active ? next_in_turn(able & active, q->last) : NOBODY;
}

/* Warps that could not issue in the previous cycle queue up after those that could; one
 * that only yielded keeps its place (measured on an H200). */
static void note_ready(const struct sm *s, struct subcore *c, uint64_t able)
{
    uint64_t before = c->sched.able_at + 1 == s->cycle ? c->sched.was_able : 0;

    for (uint64_t m = able & ~before; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        struct warp *w = &s->warp[warp_slot(s, c, bit)];

        if (w->has_yielded && w->yielded + 2 == s->cycle)
            continue;
        w->ready_since = s->cycle;
        if (c->issue.last == bit)
            c->issue.last = NOBODY;
    }
    c->sched.was_able = able;
    c->sched.able_at = s->cycle;
}

static unsigned pick_by_policy(const struct sm *s, struct subcore *c, uint64_t able)
{
    unsigned policy = s->config.sched.policy;
    bool greedy;

    if (policy == SCHED_SRR)
        return pick_strict(&c->issue, &c->sched, able);
    if (policy == SCHED_GTY)
        note_ready(s, c, able);
    if (!able)
        return NOBODY;
    greedy = c->issue.last < NOBODY && able >> c->issue.last & 1;
    switch (policy) {
    case SCHED_TWO_LEVEL:
        return pick_two_level(s, c, able);
    case SCHED_GTO:
        return greedy ? c->issue.last : find_oldest(s, c, able);
    case SCHED_GTY:
        return greedy ? c->issue.last : find_longest_ready(s, c, able);
    default:
        return find_oldest(s, c, able);
    }
}

bool sched_has_candidates(const struct sm *s)
{
    return s->config.sched.policy == SCHED_SRR ||
           s->config.sched.policy == SCHED_TWO_LEVEL;
}

unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able)
{
    if (s->config.sched.policy == SCHED_LRR)
        return able ? next_in_turn(able, c->issue.last) : NOBODY;
    return pick_by_policy(s, c, able);
}
