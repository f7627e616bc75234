/* memory_stats.c - the descriptor of mem/memory_stats.h. */
#include "mem/memory_stats.h"

#define STAT_OF struct memory_stats
const struct stat_group memory_stat_group =
    STAT_GROUP("memory", "interconnect, L2 and DRAM", MEMORY_STATS);
#undef STAT_OF
