/* converge.c - how the lanes of a warp part and meet again.
 *
 * Since Volta each thread has its own program counter; lanes that run together are a
 * group. Lanes meet only where the program says so:
 *   BSYNC      all live lanes of the barrier register's mask have come
 *   WARPSYNC   all live lanes of its mask have come; after .EXCLUSIVE they run apart
 *              from lanes with another mask until they meet those at a barrier
 *   COLLECTIVE the same, from anywhere; they run the few instructions up to
 *              ENDCOLLECTIVE as one group and go on where each of them was
 * Which group runs was fitted to an H200's counts of executed instructions. A divergent
 * branch goes on with the smaller side and parks the larger one (with equal sides the
 * taken one), which bounds the number of parked groups. An indirect branch takes the lanes
 * with one target; the rest execute it again. Only the lanes parked last are still a
 * group, the deferred one; those parked before are a pool, where lanes are known by their
 * program counters. When the current group blocks or ends, the deferred group is next,
 * then, of the pool, all lanes at the place of the one parked last. Who completes a
 * barrier goes on at once; but lanes that wait at BSYNC for others which leave the barrier
 * by BREAK or EXIT come to it again. After many rounds of loops the turn goes to the lanes
 * parked longest, so that a lane which spins cannot starve the one it waits for, and who
 * gives it away runs with them if at the same place. YIELD gives the turn away too, and
 * while its lanes are parked nobody waits for them at BSYNC: who waits there already comes
 * to it again, and who passes ends the barrier for all of its lanes, which are waited for
 * again at others. All of it is deterministic.
 *
 * LIMIT: with YIELD in a loop inside a loop, and for two patterns of a tree of branches in
 * a loop, we count otherwise (tests/data/converge/recorded.txt, kernels k13 and k11). That
 * groups spoil each other's barrier registers, see below, explains some of it.
 *
 * A barrier register holds the lanes that take part. The hardware has one for the warp,
 * which functions save and restore; here every lane has its own copy, so that groups
 * which run in another order than the hardware's do not spoil each other's. BSYNC is
 * there to keep lanes together, not for meaning: when nothing else can run, or a lane
 * spins on something that a waiting one must do, the waiting lanes are let go.
 */
#include "frontend/sass/exec/converge.h"

#include <string.h>

#include "frontend/sass/exec/access.h"

enum {
    MAX_LOOPS = 256,    /* backward branches before those parked longest get a turn */
    YIELD_SPINS = 1024, /* a yield counts as that many of them */
    MAX_SPINS =
        1 << 20 /* before lanes at a barrier are let go without the spinning one */
};

/* Of some lanes, those that have a value: all are looked at, which is quicker than one
 * after the other. */
static uint32_t lanes_with(const uint32_t *row, uint32_t value, uint32_t lanes)
{
    uint32_t with = 0;

    LANES(l)
        with |= row[l] == value ? sass_lane_bit[l] : 0;
    return with & lanes;
}

static void park_lanes(struct sass_warp *w, uint32_t lanes, uint64_t pc)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        w->lane_pc[__builtin_ctz(m)] = pc;
        w->lane_parked[__builtin_ctz(m)] = w->seq;
    }
    w->parked |= lanes;
    w->deferred = lanes;
}

static unsigned parked_first(const struct sass_warp *w)
{
    unsigned first = (unsigned)__builtin_ctz(w->parked);

    for (uint32_t m = w->parked; m; m &= m - 1)
        if (w->lane_parked[__builtin_ctz(m)] < w->lane_parked[first])
            first = (unsigned)__builtin_ctz(m);
    return first;
}

static unsigned parked_last(const struct sass_warp *w)
{
    unsigned last = (unsigned)__builtin_ctz(w->parked);

    for (uint32_t m = w->parked; m; m &= m - 1)
        if (w->lane_parked[__builtin_ctz(m)] > w->lane_parked[last])
            last = (unsigned)__builtin_ctz(m);
    return last;
}

/* The parked lanes that may run with the given one. */
static uint32_t same_place(const struct sass_warp *w, unsigned lane)
{
    uint32_t group = 0;

    for (uint32_t m = w->parked; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (w->lane_pc[l] == w->lane_pc[lane] &&
            w->lane_group[l] == w->lane_group[lane])
            group |= 1u << l;
    }
    return group;
}

/* Parked lanes become the current group. */
static void run_group(struct sass_warp *w, uint32_t group)
{
    w->deferred = 0;
    w->yielded &= ~group;
    w->parked &= ~group;
    w->active = group;
    w->pc = w->lane_pc[__builtin_ctz(group)];
}

static bool only_bsync(const struct sass_warp *w)
{
    for (uint32_t m = w->waiting; m; m &= m - 1)
        if (w->lane_state[__builtin_ctz(m)] != LANE_BSYNC)
            return false;
    return true;
}

/* Lets all lanes at convergence barriers go on; nobody will wait for them. */
static void release_stuck(struct sass_warp *w)
{
    uint32_t lanes = 0;

    for (uint32_t m = w->waiting; m; m &= m - 1)
        if (w->lane_state[__builtin_ctz(m)] == LANE_BSYNC)
            lanes |= m & -m;
    for (uint32_t m = lanes; m; m &= m - 1)
        LANES(l)
            w->b[w->lane_wait[__builtin_ctz(m)]][l] &= ~(m & -m);
    converge_release(w, lanes);
}

bool converge_choose(struct sass_warp *w)
{
    if (w->rests)
        return false;
    if (!w->parked && w->waiting && only_bsync(w))
        release_stuck(w);
    if (!w->parked)
        return false;
    run_group(w, w->deferred ? w->deferred : same_place(w, parked_last(w)));
    return true;
}

/* Lets the lanes run that were parked longest, if there are any: were it those parked
 * last, two that spin would pass the turn to each other for ever. */
static void give_turn(struct sass_warp *w, uint64_t resume)
{
    unsigned next;

    w->pc = resume;
    w->loops = 0;
    if (w->spins > MAX_SPINS && w->waiting)
        release_stuck(w);
    if (!w->parked)
        return;
    next = parked_first(w);
    park_lanes(w, w->active, resume);
    run_group(w, same_place(w, next));
}

void converge_branch(struct sass_warp *w, uint32_t mask, uint64_t target,
                     uint64_t behind)
{
    uint32_t fall = w->active & ~mask;

    if (mask && target < behind && ++w->loops > MAX_LOOPS) {
        w->slept = true;
        w->spins += MAX_LOOPS;
        if (fall)
            park_lanes(w, fall, behind);
        w->active = mask;
        give_turn(w, target);
    } else if (!fall) {
        w->pc = target;
    } else if (!mask) {
        w->pc = behind;
    } else if (__builtin_popcount(mask) < __builtin_popcount(fall)) {
        park_lanes(w, fall, behind);
        w->active = mask;
        w->pc = target;
    } else {
        park_lanes(w, mask, target);
        w->active = fall;
        w->pc = behind;
    }
}

void converge_scatter(struct sass_warp *w, uint32_t mask, const uint64_t *target,
                      uint64_t behind)
{
    uint64_t to = target[__builtin_ctz(mask)];
    uint32_t same = 0;

    for (uint32_t m = mask; m; m &= m - 1)
        if (target[__builtin_ctz(m)] == to)
            same |= m & -m;
    converge_branch(w, same, to, behind - 16);
}

void converge_hold(struct sass_warp *w, uint32_t mask, enum lane_state state,
                   uint32_t for_what, uint64_t resume)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        w->lane_state[l] = (uint8_t)state;
        w->lane_wait[l] = for_what;
        w->lane_pc[l] = resume;
    }
    w->waiting |= mask;
    w->active &= ~mask;
    if (state == LANE_BARRIER)
        w->barred |= mask;
}

/* Lanes that meet belong to one group from now on: the given one, or that of all of
 * them if they have the same. */
static void join_group(struct sass_warp *w, uint32_t lanes, uint32_t group)
{
    if (lanes && !group &&
        lanes_with(w->lane_group, w->lane_group[__builtin_ctz(lanes)], lanes) == lanes)
        return;
    for (uint32_t m = lanes; m; m &= m - 1)
        w->lane_group[__builtin_ctz(m)] = group;
}

/* All that a WARPSYNC waits for are the current group, and go on as they are. */
static bool are_together(struct sass_warp *w, uint32_t mask, enum lane_state state,
                         uint32_t with)
{
    if ((state != LANE_WARPSYNC && state != LANE_EXCLUSIVE) || mask != w->active ||
        (with & ~w->exited) != mask)
        return false;
    join_group(w, mask, state == LANE_EXCLUSIVE ? with : 0);
    w->spins = 0;
    return true;
}

void converge_wait(struct sass_warp *w, uint32_t mask, enum lane_state state,
                   uint32_t for_what, uint64_t resume, uint64_t behind)
{
    if (are_together(w, mask, state, for_what)) {
        w->pc = resume;
        return;
    }
    converge_hold(w, mask, state, for_what, resume);
    w->pc = behind;
    converge_check(w);
}

void converge_rest(struct sass_warp *w, unsigned barrier, uint64_t resume)
{
    w->rests = true;
    w->rest_at = (uint8_t)barrier;
    w->waiting = w->barred = w->active;
    w->active = 0;
    w->pc = resume;
}

void converge_wake(struct sass_warp *w)
{
    w->rests = false;
    w->active = w->waiting;
    w->waiting = w->barred = 0;
    w->spins = 0;
}

void converge_release(struct sass_warp *w, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        w->lane_state[__builtin_ctz(m)] = LANE_RUN;
        w->lane_parked[__builtin_ctz(m)] = w->seq;
    }
    w->waiting &= ~lanes;
    w->barred &= ~lanes;
    w->parked |= lanes;
    w->spins = 0;
}

uint32_t converge_missing(struct sass_warp *w, uint32_t mask, unsigned breg)
{
    uint32_t *b = w->b[breg];
    uint32_t wait = 0, apart = 0, all = 0;

    LANES(l)
        all |= mask & sass_lane_bit[l] ? b[l] : 0;
    if (!(all & ~w->exited & ~mask))
        return 0; /* as mostly: they are together */
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (!(b[l] >> l & 1))
            continue;
        wait |= 1u << l;
        apart |= b[l] & ~w->exited & ~mask;
    }
    if (apart & ~w->yielded)
        return wait;
    for (uint32_t m = apart; m; m &= m - 1)
        b[__builtin_ctz(m)] = 0;
    w->yielded &= ~apart;
    return 0;
}

/* Waiting lanes in the given state with the same object of waiting. */
static uint32_t lanes_waiting(const struct sass_warp *w, enum lane_state state,
                              uint32_t what)
{
    uint32_t lanes = lanes_with(w->lane_wait, what, w->waiting);

    for (uint32_t m = lanes; m; m &= m - 1)
        if (w->lane_state[__builtin_ctz(m)] != state)
            lanes &= ~(m & -m);
    return lanes;
}

/* Of lanes that wait for a barrier register, those that mean what lane l means by it:
 * another call of the function uses the register for lanes of its own. */
static uint32_t same_barrier(const struct sass_warp *w, uint32_t lanes, uint32_t breg,
                             unsigned l)
{
    return lanes_with(w->b[breg], w->b[breg][l], lanes);
}

/* Lanes that wait at BSYNC for none but the given ones, which leave the barrier, execute
 * it again. */
static void wait_no_more(struct sass_warp *w, uint32_t leaving)
{
    for (uint32_t m = w->waiting; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t breg = w->lane_wait[l], come;

        if (!(w->waiting >> l & 1) || w->lane_state[l] != LANE_BSYNC)
            continue;
        come = same_barrier(w, lanes_waiting(w, LANE_BSYNC, breg), breg, l);
        if (w->b[breg][l] & ~w->exited & ~come & ~leaving)
            continue;
        for (uint32_t c = come; c; c &= c - 1) {
            w->lane_pc[__builtin_ctz(c)] -= 16;
            w->b[breg][__builtin_ctz(c)] &= ~leaving;
        }
        for (uint32_t c = leaving; c; c &= c - 1)
            w->b[breg][__builtin_ctz(c)] = 0;
        converge_release(w, come);
    }
}

void converge_leave(struct sass_warp *w, uint32_t mask, unsigned breg)
{
    LANES(l)
        w->b[breg][l] &= ~mask;
    wait_no_more(w, 0);
}

void converge_exit(struct sass_warp *w, uint32_t mask, uint64_t behind)
{
    if (mask == ALL_LANES)
        memset(w->lane_state, LANE_EXITED, sizeof w->lane_state);
    else
        for (uint32_t m = mask; m; m &= m - 1)
            w->lane_state[__builtin_ctz(m)] = LANE_EXITED;
    w->exited |= mask;
    w->active &= ~mask;
    w->pc = behind;
    wait_no_more(w, 0);
    if (w->waiting)
        converge_check(w);
}

/* Runs the collective once for all its lanes, from the first lane's copy of it, and apart
 * from other collectives. */
static void start_collective(struct sass_warp *w, uint32_t lanes, uint32_t group)
{
    unsigned first = (unsigned)__builtin_ctz(lanes);

    if (w->active)
        park_lanes(w, w->active, w->pc);
    for (uint32_t m = lanes; m; m &= m - 1) {
        w->collect_group[__builtin_ctz(m)] = w->lane_group[__builtin_ctz(m)];
        w->lane_group[__builtin_ctz(m)] = group;
    }
    converge_release(w, lanes);
    w->parked &= ~lanes;
    w->active = lanes;
    w->pc = w->lane_pc[first];
}

/* Who came last goes on with all the others; the deferred group has to wait. */
static void go_on(struct sass_warp *w, uint32_t lanes)
{
    uint32_t deferred = w->deferred;

    run_group(w, lanes);
    w->deferred = deferred;
}

/* Lets lane l go on with those it waits for, if they have come. Returns the lanes of which
 * that has been decided: who waits for the same is in the same case. */
static uint32_t check_lane(struct sass_warp *w, unsigned l)
{
    uint32_t what = w->lane_wait[l], need, come;

    if (w->lane_state[l] == LANE_BSYNC) {
        need = w->b[what][l] & ~w->exited;
        come = same_barrier(w, lanes_waiting(w, LANE_BSYNC, what), what, l);
    } else {
        need = what & ~w->exited;
        come = lanes_waiting(w, w->lane_state[l], what);
    }
    if (need & ~come)
        return come;
    if (w->lane_state[l] == LANE_COLLECT) {
        start_collective(w, need, what);
        return come;
    }
    join_group(w, need, w->lane_state[l] == LANE_EXCLUSIVE ? what : 0);
    converge_release(w, need);
    if (!w->active)
        go_on(w, same_place(w, l) & need);
    return come;
}

void converge_check(struct sass_warp *w)
{
    uint32_t left = w->waiting & ~w->barred;

    while (left)
        left &= ~check_lane(w, (unsigned)__builtin_ctz(left));
}

void converge_turn(struct sass_warp *w, uint64_t resume)
{
    w->spins += YIELD_SPINS;
    give_turn(w, resume);
}

void converge_yield(struct sass_warp *w, uint64_t resume)
{
    uint32_t yielding = w->active;

    wait_no_more(w, yielding);
    if (w->parked)
        w->yielded |= yielding;
    converge_turn(w, resume);
}

void converge_end_collective(struct sass_warp *w)
{
    uint32_t lanes = w->active;

    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        w->lane_pc[l] = w->collect_pc[l];
        w->lane_group[l] = w->collect_group[l];
    }
    w->parked |= lanes;
    w->active = 0;
}
