/* converge.c - how the lanes of a warp part and meet again.
 *
 * Since Volta each thread has its own program counter; lanes that run together are a
 * group. Lanes meet only where the program says so:
 *   BSYNC      all live lanes of the barrier register's mask have come
 *   WARPSYNC   all live lanes of its mask have come; after .EXCLUSIVE they run apart
 *              from lanes with another mask until they meet those at a barrier
 *   COLLECTIVE the same, from anywhere; they run the few instructions up to
 *              ENDCOLLECTIVE as one group and go on where each of them was
 *
 * The rules below were fitted to an H200: to its counts of executed instructions and to
 * the order in which groups of random programs ran there (tests/data/converge). All of it
 * is deterministic.
 *
 * Which group runs. A divergent branch goes on with the smaller side and parks the larger
 * one; with equal sides it parks the taken one. An indirect branch takes the lanes with
 * the first lane's target if they are at most half, else those with the target of the
 * first of the others; the rest will execute it again. Only the lanes parked last are
 * still a group, the deferred one; those parked before are a pool, where lanes are known
 * by their program counters. When the current group blocks or ends, the deferred group is
 * next, then all lanes at the place of the one parked last; if that is a BSYNC, lanes
 * blocked there join them, also from other levels of recursion. After very many rounds of
 * loops, which no GPU needs, the turn goes to the lanes parked longest, so that a lane
 * which spins without YIELD cannot starve the one it waits for.
 *
 * Barrier registers belong to the warp, one mask each. BSSY adds the current group, BREAK
 * removes lanes, BMOV saves and restores the mask (in calls: a restored mask is that of
 * the first lane, although others of the group may come from another level of recursion).
 * BSYNC blocks lanes of the mask while others of it have not come to a BSYNC of this
 * register; lanes that are not in the mask pass. When the last ones come, all lanes of the
 * mask that are blocked there go on with them; those blocked at another BSYNC of this
 * register execute it again. The same holds for blocked lanes when the last ones they wait
 * for leave by BREAK or EXIT. If the mask was restored, not made by BSSY, all lanes that
 * go on execute the BSYNC once more, together; but not where they all came from the pool
 * or were blocked there, and no other lanes are parked. Lanes that have waited at a
 * WARPSYNC execute it once more, too, when the last ones have come. (A GPU's own counter
 * shows that; the counts that its profiler has by instruction do not.) After a COLLECTIVE
 * the lanes that came last go on first.
 *
 * YIELD gives the turn away: to the deferred group, to the pool, to blocked lanes that
 * wait for none but those that yield, and last to lanes that have yielded before. While
 * they are parked no BSYNC waits for them.
 *
 * If all lanes are blocked, those that came to the last BSYNC execute it again and pass:
 * barriers keep lanes together and have no other meaning. If they came from the pool they
 * pass at once, with the lanes that joined them.
 * Lanes that wait elsewhere than at a BSYNC then (at a WARPSYNC for all, at a block's barrier)
 * have left the barrier's region, and are no members any more. LIMIT: that is by reason, not by
 * measurement: nvcc -O3 leaves regions without BREAK and relies on the next BSYNC.
 *
 * LIMIT: not all is known of lanes from several levels of recursion that come to one BSYNC.
 * Of 2,279 launches of recursive kernels 2,133 execute exactly as many instructions as on an
 * H200 (tests/data/converge/recursion.txt); of 160 random programs 146 run in its order, of
 * those with YIELD in loops 48 of 56 (groups.txt).
 */
#include "frontend/sass/exec/converge.h"

#include <string.h>

#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/converge_lanes.h"

enum {
    SLEEP_LOOPS = 256, /* backward branches before other warps should get a turn */
    MAX_LOOPS =
        1 << 14, /* the same, before lanes parked longest get one: a GPU has none */
    YIELD_SPINS = 1024, /* a yield counts as that many of them */
    MAX_SPINS =
        1 << 20 /* before lanes at a barrier are let go without the spinning one */
};

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

/* The lane parked last, of those that have not yielded; if all have, the first of
 * them. */
static unsigned parked_next(const struct sass_warp *w)
{
    uint32_t lanes = w->parked & ~w->yielded;
    unsigned last;

    if (!lanes)
        return parked_first(w);
    last = (unsigned)__builtin_ctz(lanes);
    for (uint32_t m = lanes; m; m &= m - 1)
        if (w->lane_parked[__builtin_ctz(m)] > w->lane_parked[last])
            last = (unsigned)__builtin_ctz(m);
    return last;
}

/* The parked lanes that may run with the given one. */
static uint32_t same_place(const struct sass_warp *w, unsigned lane)
{
    return lanes_with(w->lane_group, w->lane_group[lane],
                      lanes_at(w, w->parked, w->lane_pc[lane]));
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

/* Waiting lanes will execute their BSYNC or WARPSYNC again. */
static void retry_sync(struct sass_warp *w, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1)
        w->lane_pc[__builtin_ctz(m)] -= 16;
    w->repeats |= lanes;
    converge_release(w, lanes);
}

/* Lanes that wait, but not at a BSYNC: where others wait at one for them, they have left its
 * region by a branch, for which nvcc does not always write a BREAK. */
static uint32_t lanes_gone(const struct sass_warp *w)
{
    return w->waiting & ~lanes_blocked(w);
}

/* All lanes are blocked, or one spins until a blocked one does something: lets those at
 * the last BSYNC pass, or all if there are none. */
static void release_stuck(struct sass_warp *w)
{
    uint32_t blocked = lanes_blocked(w), lanes = lanes_at(w, blocked, w->sync_pc);

    lanes = lanes ? lanes : blocked;
    for (uint32_t m = lanes; m; m &= m - 1)
        w->b[w->lane_wait[__builtin_ctz(m)]] &= ~((m & -m) | lanes_gone(w));
    retry_sync(w, lanes);
}

/* Do lanes wait at a barrier for every thread of the block, the blocked ones too? */
static bool bars_all(const struct sass_warp *w)
{
    unsigned id = w->barred ? w->lane_wait[__builtin_ctz(w->barred)] : 0;

    return w->barred && !w->block->barriers[id].expected;
}

/* Will no other lanes come to the BSYNC where some wait? */
static bool none_will_come(const struct sass_warp *w)
{
    return !w->parked && (!w->barred || bars_all(w));
}

bool converge_choose(struct sass_warp *w)
{
    if (w->rests)
        return false;
    if (w->waiting && none_will_come(w))
        release_stuck(w);
    if (!w->parked)
        return false;
    if (!w->deferred) {
        w->picked = w->seq + 1;
        run_group(w, same_place(w, parked_next(w)));
    } else {
        run_group(w, w->deferred);
    }
    return true;
}

/* Lets the given parked lanes run in place of the current group, or with it if they are at
 * the same place. */
static void pass_turn(struct sass_warp *w, uint32_t group, uint64_t resume)
{
    park_lanes(w, w->active, resume);
    run_group(w, same_place(w, (unsigned)__builtin_ctz(group)) | group);
}

/* Lets the lanes run that were parked longest, if there are any: were it those parked
 * last, two that spin would pass the turn to each other for ever. */
static void give_turn(struct sass_warp *w, uint64_t resume)
{
    w->pc = resume;
    w->loops = 0;
    if (w->spins > MAX_SPINS && w->waiting)
        release_stuck(w);
    if (w->parked)
        pass_turn(w, same_place(w, parked_first(w)), resume);
}

/* The current group has looped for a while. True if others of the warp are to run. */
static bool loop_long(struct sass_warp *w)
{
    w->slept = true;
    w->spins += SLEEP_LOOPS;
    return w->loops >= MAX_LOOPS;
}

void converge_branch(struct sass_warp *w, uint32_t mask, uint64_t target,
                     uint64_t next_pc)
{
    uint32_t fall = w->active & ~mask;

    if (mask && target < next_pc && !(++w->loops % SLEEP_LOOPS) && loop_long(w)) {
        if (fall)
            park_lanes(w, fall, next_pc);
        w->active = mask;
        give_turn(w, target);
    } else if (!fall) {
        w->pc = target;
    } else if (!mask) {
        w->pc = next_pc;
    } else if (__builtin_popcount(mask) < __builtin_popcount(fall)) {
        park_lanes(w, fall, next_pc);
        w->active = mask;
        w->pc = target;
    } else {
        park_lanes(w, mask, target);
        w->active = fall;
        w->pc = next_pc;
    }
}

void converge_scatter(struct sass_warp *w, uint32_t mask, const uint64_t *target,
                      uint64_t next_pc)
{
    uint32_t same = lanes_to(target, mask);

    if (2 * __builtin_popcount(same) > __builtin_popcount(w->active))
        same = lanes_to(target, mask & ~same);
    park_lanes(w, w->active & ~same, next_pc - 16);
    w->active = same;
    w->pc = target[__builtin_ctz(same)];
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
                   uint32_t for_what, uint64_t resume, uint64_t next_pc)
{
    if (are_together(w, mask, state, for_what)) {
        w->pc = resume;
        return;
    }
    converge_hold(w, mask, state, for_what, resume);
    w->pc = next_pc;
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

/* Live lanes of a barrier that have neither come to it nor yielded; mask: those that come
 * now. */
static uint32_t lanes_missing(const struct sass_warp *w, unsigned breg, uint32_t mask)
{
    uint32_t apart = w->b[breg] & ~w->exited & ~mask;

    return apart ? apart & ~w->yielded & ~lanes_waiting(w, LANE_BSYNC, breg) : 0;
}

/* Who came last goes on with all the others; the deferred group has to wait. */
static void go_on(struct sass_warp *w, uint32_t lanes)
{
    uint32_t deferred = w->deferred;

    run_group(w, lanes);
    w->deferred = deferred;
}

/* The lanes blocked at this BSYNC join the current group, whichever barrier they mean. */
static uint32_t join_blocked(struct sass_warp *w, uint64_t next_pc)
{
    uint32_t lanes = lanes_at(w, lanes_blocked(w), next_pc);

    converge_release(w, lanes);
    w->parked &= ~lanes;
    w->active |= lanes;
    return lanes;
}

/* The current group executes the instruction once more that it has just executed. */
static void repeat_inst(struct sass_warp *w, uint64_t next_pc)
{
    w->pc = next_pc - 16;
    w->repeats |= w->active;
}

void converge_save(struct sass_warp *w, unsigned breg)
{
    w->b[breg] = 0;
    w->restored &= ~(1u << breg);
}

void converge_restore(struct sass_warp *w, unsigned breg, uint32_t saved)
{
    w->b[breg] = saved;
    w->restored |= 1u << breg;
}

/* A barrier is complete and free again; true if its mask had been restored: its lanes then
 * come to the BSYNC once more. */
static bool complete_barrier(struct sass_warp *w, unsigned breg)
{
    bool restored = w->restored >> breg & 1;

    w->b[breg] = 0;
    w->restored &= ~(1u << breg);
    return restored;
}

bool converge_sync(struct sass_warp *w, uint32_t mask, unsigned breg, uint64_t next_pc)
{
    uint32_t members = w->b[breg] & ~w->exited, come;
    uint32_t joined = 0;
    bool is_last = w->seq == w->picked && none_will_come(w);

    if (w->waiting && w->seq == w->picked)
        mask |= joined = join_blocked(w, next_pc);
    if (!(members & ~mask)) { /* as mostly: they are together */
        bool again = complete_barrier(w, breg) && members &&
                     (!is_last || mask & ~joined & ~members);

        if (again)
            repeat_inst(w, next_pc);
        return !again;
    }
    if (!(members & mask))
        return true;
    if (lanes_missing(w, breg, mask)) {
        if (is_last) {
            w->b[breg] &= ~(mask | lanes_gone(w));
            return true;
        }
        converge_hold(w, mask & members, LANE_BSYNC, breg, next_pc);
        w->sync_pc = w->pc = next_pc;
        return false;
    }
    come = lanes_waiting(w, LANE_BSYNC, breg) & members;
    converge_hold(w, mask, LANE_BSYNC, breg, next_pc);
    retry_sync(w, come & ~lanes_at(w, come, next_pc));
    come = mask | lanes_at(w, come & w->waiting, next_pc);
    join_group(w, come, 0);
    if (complete_barrier(w, breg))
        retry_sync(w, come);
    else
        converge_release(w, come);
    w->pc = next_pc;
    if (!w->active)
        go_on(w, come);
    return false;
}

/* Lanes leave the barriers given as bits. Those that are blocked there and wait for none
 * but them come to their BSYNC again, the ones at the place of the first. Returns them. */
static uint32_t leave_barriers(struct sass_warp *w, uint32_t leaving, uint32_t bregs)
{
    uint32_t again = 0;

    for (uint32_t m = lanes_blocked(w); m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t breg = w->lane_wait[l], come;

        if (again >> l & 1 || !(bregs >> breg & 1) || !(w->b[breg] & leaving))
            continue;
        come = lanes_waiting(w, LANE_BSYNC, breg);
        if (w->b[breg] & ~w->exited & ~come & ~leaving)
            continue;
        w->b[breg] &= ~leaving;
        w->restored &= ~(1u << breg);
        come = lanes_at(w, come, w->lane_pc[l]);
        retry_sync(w, come);
        again |= come;
    }
    return again;
}

void converge_leave(struct sass_warp *w, uint32_t mask, unsigned breg)
{
    leave_barriers(w, mask, 1u << breg);
    w->b[breg] &= ~mask;
}

void converge_exit(struct sass_warp *w, uint32_t mask, uint64_t next_pc)
{
    if (mask == ALL_LANES)
        memset(w->lane_state, LANE_EXITED, sizeof w->lane_state);
    else
        for (uint32_t m = mask; m; m &= m - 1)
            w->lane_state[__builtin_ctz(m)] = LANE_EXITED;
    w->active &= ~mask;
    w->pc = next_pc;
    if (w->waiting)
        leave_barriers(w, mask, ~0u);
    w->exited |= mask;
    w->came_last = 0;
    if (w->waiting)
        converge_check(w);
}

/* Have some of these lanes waited at their WARPSYNC for those that come now? */
static bool have_waited(const struct sass_warp *w, uint32_t lanes)
{
    return lanes & ~w->came_last;
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
    w->collects = have_waited(w, lanes);
    if (w->collects)
        repeat_inst(w, w->pc);
}

/* Lets lane l go on with those it waits for, if they have come. Returns the lanes of which
 * that has been decided: who waits for the same is in the same case. */
static uint32_t check_lane(struct sass_warp *w, unsigned l)
{
    uint32_t what = w->lane_wait[l], need = what & ~w->exited;
    uint32_t come = lanes_waiting(w, w->lane_state[l], what);

    if (need & ~come)
        return come;
    if (w->lane_state[l] == LANE_COLLECT) {
        start_collective(w, need, what);
        return come;
    }
    join_group(w, need, w->lane_state[l] == LANE_EXCLUSIVE ? what : 0);
    if (w->lane_state[l] == LANE_WARPSYNC && have_waited(w, need) &&
        lanes_at(w, need, w->lane_pc[l]) == need)
        retry_sync(w, need);
    else
        converge_release(w, need);
    if (!w->active)
        go_on(w, same_place(w, l) & need);
    return come;
}

void converge_check(struct sass_warp *w)
{
    uint32_t left = w->waiting & ~w->barred;

    if (left)
        left &= ~lanes_blocked(w);
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
    uint32_t again = w->waiting ? leave_barriers(w, w->active, ~0u) : 0;
    uint32_t next;

    for (uint32_t m = again; m; m &= m - 1)
        w->lane_parked[__builtin_ctz(m)] = 0; /* after all others */
    w->spins += YIELD_SPINS;
    w->loops = 0;
    w->pc = resume;
    if (w->spins > MAX_SPINS && w->waiting)
        release_stuck(w);
    if (!w->parked)
        return;
    next = w->deferred ? w->deferred : same_place(w, parked_next(w));
    w->yielded |= w->active;
    pass_turn(w, next, resume);
}

void converge_end_collective(struct sass_warp *w)
{
    uint32_t lanes = w->active, last = lanes & w->came_last;

    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        w->lane_pc[l] = w->collect_pc[l];
        w->lane_group[l] = w->collect_group[l];
    }
    w->parked |= lanes;
    w->active = 0;
    if (last)
        go_on(w, last);
}
