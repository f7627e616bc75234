/* internal.h - what the files of stats/ share. */
#ifndef LENO_STATS_INTERNAL_H
#define LENO_STATS_INTERNAL_H

#include "stats/stat.h"

uint64_t stat_at(const struct stat_binding *b, size_t row);

#endif
