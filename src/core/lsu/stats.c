/* stats.c - the descriptor of core/lsu/stats.h. */
#include "core/lsu/stats.h"

#define STAT_OF struct lsu_stats
const struct stat_group lsu_stat_group = STAT_GROUP(
    "lsu", "load/store units of the SMs, with L1 and shared memory", LSU_STATS);
#undef STAT_OF
