/* loog_stats.h - parameters and statistics of the LOOG issue stage. */
#ifndef LENO_VORTEX_LOOG_STATS_H
#define LENO_VORTEX_LOOG_STATS_H

#include "config/param.h"
#include "stats/stat.h"

enum { LOOG_CUS = 32 };

#define LOOG_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(cus, 8, 1, LOOG_CUS, "", "collector units [NUM_CUS]")                       \
    NUM(rrs_percent, 150, 100, 400, "%",                                            \
        "loog.rrs: entries of the renaming stack, relative to the number of "       \
        "collector units")                                                          \
    ENUM(arbiter, 0, "id|rr|rr+rr",                                                 \
         "which unit reads the register file: the lowest, the next in turn, or "    \
         "the next in turn with units also allocated in turn")                      \
    ENUM(dispatch, 0, "id|oldest",                                                  \
         "which ready unit goes first: the lowest, as coded, or the oldest")        \
    ENUM(ibuffer, 0, "shared|warp",                                                 \
         "instruction buffer: one for all warps, as coded, or one per warp, as in " \
         "the text")                                                                \
    NUM(alloc_interval, 2, 1, 8, "cycle",                                           \
        "between allocations; as coded, where the buffer is told a cycle late")     \
    NUM(uuid_bits, 20, 5, 32, "bit",                                                \
        "width of the numbers of a warp's instructions, which wrap around")
struct loog_params {
    LOOG_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
enum { ARBITER_ID, ARBITER_RR, ARBITER_RR_RR };
enum { DISPATCH_ID, DISPATCH_OLDEST };
enum { IBUFFER_SHARED, IBUFFER_WARP };

/* The thesis' counters (B06 and up) and the data of its figures. */
#define LOOG_STATS(STAT)                                                               \
    STAT(no_cu, "cycle", "", "all collector units were allocated")                     \
    STAT(no_rrs, "cycle", "",                                                          \
         "a collector unit was free, but no entry to rename into")                     \
    STAT(uuid_stalls, "cycle", "",                                                     \
         "allocation waited for instruction numbers to become free")                   \
    STAT(mask_stalls, "cycle", "",                                                     \
         "allocation waited for lanes that a pending result does not have")            \
    STAT(skipped_writes, "write", "",                                                  \
         "results not written to the register file because a younger one follows")     \
    STAT(caught, "operand", "", "operands captured from results on their way")         \
    STAT(cu_busy, "unit cycle", "", "allocated collector units, summed over cycles")   \
    STAT(cu_held, "cycle", "", "cycles from allocation to release, summed over units") \
    STAT(cu_allocs, "", "", "collector units allocated")                               \
    STAT(rrs_busy, "entry cycle", "", "allocated entries, summed over cycles")         \
    STAT(rrs_held, "cycle", "",                                                        \
         "cycles from allocation to release, summed over entries")                     \
    STAT(rrs_allocs, "", "", "entries allocated")                                      \
    STAT(reordered, "warp inst", "",                                                   \
         "instructions dispatched before an older one of their warp")                  \
    LOOG_DISTANCES(STAT)                                                               \
    LOOG_HELD(STAT, cu, "collector units")                                             \
    LOOG_HELD(STAT, rrs, "entries") LOOG_USED(STAT)

#define LOOG_DISTANCES(STAT)                                 \
    STAT(distance_1, "warp inst", "",                        \
         "of these, the oldest one passed was 1 before it")  \
    STAT(distance_2, "warp inst", "",                        \
         "of these, the oldest one passed was 2 before it")  \
    STAT(distance_3, "warp inst", "",                        \
         "of these, the oldest one passed was 3 before it")  \
    STAT(distance_4, "warp inst", "",                        \
         "of these, the oldest one passed was 4 before it")  \
    STAT(distance_5, "warp inst", "",                        \
         "of these, the oldest one passed was 5 before it")  \
    STAT(distance_6, "warp inst", "",                        \
         "of these, the oldest one passed was 6 before it")  \
    STAT(distance_7, "warp inst", "",                        \
         "of these, the oldest one passed was 7 before it")  \
    STAT(distance_8, "warp inst", "",                        \
         "of these, the oldest one passed was 8 before it")  \
    STAT(distance_9, "warp inst", "",                        \
         "of these, the oldest one passed was 9 before it")  \
    STAT(distance_10, "warp inst", "",                       \
         "of these, the oldest one passed was 10 before it") \
    STAT(distance_11, "warp inst", "",                       \
         "of these, the oldest one passed was 11 before it") \
    STAT(distance_12, "warp inst", "",                       \
         "of these, the oldest one passed was 12 before it") \
    STAT(distance_13, "warp inst", "",                       \
         "of these, the oldest one passed was 13 before it") \
    STAT(distance_14, "warp inst", "",                       \
         "of these, the oldest one passed was 14 before it") \
    STAT(distance_15, "warp inst", "",                       \
         "of these, the oldest one passed was 15 or more before it")

/* Distributions, for the figures of allocation periods and of utilisation. */
#define LOOG_HELD(STAT, what, words)                                  \
    STAT(what##_held_8, "", "", words " held for less than 8 cycles") \
    STAT(what##_held_16, "", "", words " held for 8 to 15 cycles")    \
    STAT(what##_held_32, "", "", words " held for 16 to 31 cycles")   \
    STAT(what##_held_64, "", "", words " held for 32 to 63 cycles")   \
    STAT(what##_held_128, "", "", words " held for 64 to 127 cycles") \
    STAT(what##_held_more, "", "", words " held for longer")
#define LOOG_USED(STAT)                                                              \
    STAT(used_0, "cycle", "", "cycles with no collector unit allocated")             \
    STAT(used_25, "cycle", "", "cycles with up to a quarter of them allocated")      \
    STAT(used_50, "cycle", "", "cycles with up to a half of them allocated")         \
    STAT(used_75, "cycle", "", "cycles with up to three quarters of them allocated") \
    STAT(used_100, "cycle", "",                                                      \
         "cycles with more than three quarters of them allocated")
struct loog_stats {
    LOOG_STATS(STAT_FIELD)
};

#endif
