/* stall.h - each cycle of a scheduler is charged to an issue or to exactly one stall
 * cause.
 *
 * A scheduler that issues nothing is charged with the cause of the warp that is nearest
 * to issuing: the first cause in this list that any of its warps has. The sum over all
 * rows is schedulers x cycles, always.
 */
#ifndef LENO_STATS_STALL_H
#define LENO_STATS_STALL_H

#include <stdint.h>

#include "base/buf.h"

/* CAUSE(name, GhOST artifact's name, Nsight Compute's warp state, meaning) */
#define STALL_CAUSES(CAUSE)                                                            \
    CAUSE(issued, "total_issues", "selected", "an instruction left the window")        \
    CAUSE(turn, "", "not_selected", "a warp was ready, but it was not its turn")       \
    CAUSE(pipe, "comp_str", "math_pipe_throttle",                                      \
          "ready, but its unit accepts no more")                                       \
    CAUSE(lsu, "mem_str", "lg_throttle", "ready, but the memory unit accepts no more") \
    CAUSE(scheme, "", "dispatch_stall",                                                \
          "ready, but the scheme's own structures are full")                           \
    CAUSE(collectors, "", "dispatch_stall",                                            \
          "every collector unit holds a waiting or executing instruction")             \
    CAUSE(compute, "comp_data", "wait", "waits for an arithmetic result")              \
    CAUSE(memory, "mem_data", "long_scoreboard", "waits for a load")                   \
    CAUSE(shared, "mem_data", "short_scoreboard",                                      \
          "waits for shared memory or another short variable latency")                 \
    CAUSE(war, "WAR_and_WAW_stalls", "wait",                                           \
          "waits for older readers or writers only")                                   \
    CAUSE(order, "", "dispatch_stall",                                                 \
          "waits for an older memory operation or branch")                             \
    CAUSE(stall_count, "", "wait", "control word: the stall count has not elapsed")    \
    CAUSE(window, "", "dispatch_stall",                                                \
          "window full: all its instructions have issued and none is written back")    \
    CAUSE(branch, "", "branch_resolving", "fetch waits for a branch to resolve")       \
    CAUSE(fence, "waiting_warp_stall", "membar", "waits at a fence or for an atomic")  \
    CAUSE(barrier, "waiting_warp_stall", "barrier", "waits at a block barrier")        \
    CAUSE(skip, "", "sleeping", "fetch held by a redundancy eliminator")               \
    CAUSE(fetch, "ibuffer", "no_instruction", "nothing decoded")                       \
    CAUSE(drain, "waiting_warp_stall", "drain",                                        \
          "exited, waits for its memory operations")                                   \
    CAUSE(idle, "idle_stall", "", "no warp on this scheduler")

enum stall {
#define CAUSE(name, ghost, nsight, help) STALL_##name,
    STALL_CAUSES(CAUSE)
#undef CAUSE
        N_STALL
};

const char *stall_name(enum stall s);

/* The cause with most of the slots, except issuing and idle, and its share of all in %;
 * STALL_idle and 0 where there is none. */
enum stall stall_largest(const double slot[N_STALL], double *share);

/* Slots by cause as JSON: an array of one object per scheduler. */
void stall_json(const uint64_t slot[][N_STALL], unsigned n, struct buf *out);

/* The list as a markdown table, with the names others have for each cause. */
void stall_docs(struct buf *out);

#endif
