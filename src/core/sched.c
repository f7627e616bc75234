/* sched.c - warp schedulers: which of the warps that could issue may do so.
 *
 *   lrr        loose round robin: the next able one after the last that issued gto
 *   greedy, then oldest: the last one while it is able, else the oldest gty
 *   greedy, then the one that has been ready longest, of those the youngest:
 *              what an H200 does (measured): warps that leave a barrier together run
 *              one after another from the youngest on, warps that stall take turns
 *   srr        strict round robin: the turn moves on only when its warp has issued or
 *              cannot for long (barrier, fence, exit); a data stall blocks the
 *              scheduler
 *   two-level  round robin in a small active set; a warp that waits for memory or a
 *              barrier leaves it, the oldest of the others comes in
 *   oldest     the oldest able one
 * Schemes do not change any of it. In Accel-Sim a scheduler's warps are every fourth of
 * the SM; so are they here (sub-core = warp slot mod sub-cores).
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
static unsigned by_age(const struct sm *s, const struct subcore *c, uint64_t set)
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
static unsigned first_ready(const struct sm *s, const struct subcore *c, uint64_t set)
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
static bool waits_long(const struct subcore *c, unsigned bit)
{
    uint64_t far = c->filed[STALL_barrier] | c->filed[STALL_fence] |
                   c->filed[STALL_drain] | c->filed[STALL_skip];

    return !(c->warps >> bit & 1) || far >> bit & 1;
}

static unsigned pick_strict(struct subcore *c, uint64_t able)
{
    if (!c->warps)
        return NOBODY;
    if (c->turn == c->last || waits_long(c, c->turn)) {
        unsigned left = (unsigned)__builtin_popcountll(c->warps);

        do
            c->turn = next_in_turn(c->warps, c->turn);
        while (--left && waits_long(c, c->turn));
        c->last = NOBODY;
    }
    return able >> c->turn & 1 ? c->turn : NOBODY;
}

static unsigned two_level(const struct sm *s, struct subcore *c, uint64_t able)
{
    uint64_t far = c->filed[STALL_memory] | c->filed[STALL_barrier] |
                   c->filed[STALL_fence] | c->filed[STALL_drain] | c->filed[STALL_skip];

    c->active &= c->warps & ~far;
    while ((unsigned)__builtin_popcountll(c->active) < s->config.sched.active) {
        uint64_t others = c->warps & ~far & ~c->active;

        if (!others)
            break;
        c->active |= bit64(by_age(s, c, others));
    }
    return able & c->active ? next_in_turn(able & c->active, c->last) : NOBODY;
}

/* Warps that could not issue in the previous cycle queue up after those that could; one
 * that only yielded keeps its place (measured on an H200). */
static void gty_queue(const struct sm *s, struct subcore *c, uint64_t able)
{
    uint64_t before = c->able_at + 1 == s->cycle ? c->was_able : 0;

    for (uint64_t m = able & ~before; m; m &= m - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(m);
        struct warp *w = &s->warp[warp_slot(s, c, bit)];

        if (w->has_yielded && w->yielded + 2 == s->cycle)
            continue;
        w->ready_since = s->cycle;
        if (c->last == bit)
            c->last = NOBODY;
    }
    c->was_able = able;
    c->able_at = s->cycle;
}

static unsigned pick_by_policy(const struct sm *s, struct subcore *c, uint64_t able)
{
    unsigned policy = s->config.sched.policy;
    bool greedy;

    if (policy == SCHED_SRR)
        return pick_strict(c, able);
    if (policy == SCHED_GTY)
        gty_queue(s, c, able);
    if (!able)
        return NOBODY;
    greedy = c->last < NOBODY && able >> c->last & 1;
    switch (policy) {
    case SCHED_TWO_LEVEL:
        return two_level(s, c, able);
    case SCHED_GTO:
        return greedy ? c->last : by_age(s, c, able);
    case SCHED_GTY:
        return greedy ? c->last : first_ready(s, c, able);
    default:
        return by_age(s, c, able);
    }
}

unsigned sched_pick(struct sm *s, struct subcore *c, uint64_t able)
{
    if (s->config.sched.policy == SCHED_LRR)
        return able ? next_in_turn(able, c->last) : NOBODY;
    return pick_by_policy(s, c, able);
}
