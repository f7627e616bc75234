/* stat.h - statistics as tables: one row makes the counter, its name, unit and help,
 * the text, JSON and CSV of a result, and docs/stats.md.
 *
 *     #define LSU_STATS(STAT)                                                         \
 *         STAT(loads, "warp inst", "", "loads accepted")                              \
 *         STAT(l1_hits, "sector", "L1D_total_cache_hits", "sectors found in L1")
 *     struct lsu_stats { LSU_STATS(STAT_FIELD) };
 *
 *     #define STAT_OF struct lsu_stats
 *     const struct stat_group lsu_stat_group = STAT_GROUP("lsu", "...", LSU_STATS);
 *     #undef STAT_OF
 *
 * The third column is GPGPU-Sim's name where the meaning is the same. Counters are
 * uint64_t and only ever added to; instances (one an SM, one a slice) are summed row by
 * row. Derived values are formulas over rows by name, never stored.
 */
#ifndef LENO_STATS_STAT_H
#define LENO_STATS_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct stat_desc {
    const char *name, *unit, *alias, *help;
    size_t offset;
};

struct stat_group {
    const char *prefix, *help;
    const struct stat_desc *rows;
    size_t n_rows, size;
    bool is_sparse; /* text leaves out rows that are 0 */
};

#define STAT_FIELD(name, unit, alias, help) uint64_t name;
#define STAT_ROW(name, unit, alias, help) \
    { #name, unit, alias, help, offsetof(STAT_OF, name) },
#define STAT_ROWS(TABLE)       \
    (const struct stat_desc[]) \
    {                          \
        TABLE(STAT_ROW)        \
    }
#define STAT_GROUP(prefix_, help_, TABLE)                             \
    {                                                                 \
        .prefix = prefix_, .help = help_, .rows = STAT_ROWS(TABLE),   \
        .n_rows = sizeof STAT_ROWS(TABLE) / sizeof(struct stat_desc), \
        .size = sizeof(STAT_OF)                                       \
    }

/* A group and its summed counters. */
struct stat_binding {
    const struct stat_group *group;
    const void *values;
};

/* (over[0] + over[1]) / (under[0] x under[1]) x scale, by "prefix.row" names; NULL
 * where there is no second one. */
struct stat_formula {
    const char *name, *unit, *alias, *help;
    const char *over[2], *under[2];
    double scale;
};
#define STAT_RATIO(name, unit, alias, help, over, under, scale) \
    {                                                           \
        name, unit, alias, help, { over }, { under }, scale     \
    }

/* into += from, every row. */
void stat_add(const struct stat_group *g, void *into, const void *from);

struct stat_report {
    const struct stat_binding *groups;
    size_t n_groups;
    const struct stat_formula *formulas;
    size_t n_formulas;
};

/* The value of "prefix.row"; false if there is no such row. */
bool stat_find(const struct stat_report *r, const char *name, uint64_t *value);
/* NAN where a name is unknown or a divisor 0; JSON says null, text a dash. */
double stat_compute(const struct stat_report *r, const struct stat_formula *f);

void stat_text(const struct stat_report *r, struct buf *out); /* aligned, with units */
void stat_json(const struct stat_report *r, struct buf *out); /* members, no braces */
/* Members, each after a comma: whether everything in the run was checked, and if not
 * why not; NULL: it was. */
void stat_checked_json(const char *unchecked, struct buf *out);
void stat_csv_header(const struct stat_report *r, struct buf *out);
void stat_csv_row(const struct stat_report *r, struct buf *out);
void stat_docs(const struct stat_report *r, struct buf *out); /* needs no values */

/* A histogram over powers of two: bucket n counts values of [2^(n-1), 2^n); bucket 0
 * zeros, the last bucket also larger values. */
enum { HISTOGRAM_BUCKETS = 32 };
struct histogram {
    uint64_t bucket[HISTOGRAM_BUCKETS];
    uint64_t n, sum, max;
};
void histogram_add(struct histogram *h, uint64_t value);
void histogram_merge(struct histogram *into, const struct histogram *from);
void histogram_json(const struct histogram *h, struct buf *out);

#endif
