/* stats.c - the table of vortex/stats.h. */
#include "vortex/stats.h"

#define STAT_OF struct vortex_stats
const struct stat_group vortex_stat_group =
    STAT_GROUP("vortex", "Vortex cores and their memory", VORTEX_STATS);
#undef STAT_OF
