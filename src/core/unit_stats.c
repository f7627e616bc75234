/* unit_stats.c - the statistics of units: one row per class of instructions. */
#include "core/sm.h"

#define CLASS(id, help)                              \
    { #id, "lane", "", "lanes that executed: " help, \
      offsetof(struct unit_stats, lanes[CLASS_##id]) },
static const struct stat_desc rows[] = { INST_CLASSES(CLASS) };
#undef CLASS

const struct stat_group unit_stat_group = {
    .prefix = "unit",
    .help = "active lanes of executed instructions, by class (text leaves out classes "
            "that do not occur)",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(struct unit_stats),
    .is_sparse = true,
};
