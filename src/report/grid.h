/* grid.h - programs x machines: measurements, and metrics computed from them. */
#ifndef LENO_REPORT_GRID_H
#define LENO_REPORT_GRID_H

#include <math.h>

#include "report/facts.h"

#define NO_NUMBER ((double)NAN) /* where there is none */

struct grid_column {
    const char *gpu, *spec; /* as spec.h reads it */
    const char *invalid;    /* why there is no such machine; NULL: there is */
};

struct grid {
    const char *const *program;
    const struct grid_column *column;
    size_t n_programs, n_columns;
    const struct facts *facts; /* one row per program; cycles 0: no result */
    char *const *why;     /* the same order: why a run failed, or NULL; may be NULL */
    const int *exit_code; /* the same order: of the runs that failed; may be NULL */
    char *const *about;   /* by column: members of machine_describe(); may be NULL */
};

/* NULL where there is no result. */
const struct facts *grid_at(const struct grid *g, size_t program, size_t column);

/* Why there is none; "" if unknown. */
const char *grid_why(const struct grid *g, size_t program, size_t column);

/* "spec" and the machine of a column in JSON, each after a comma. */
void grid_column_json(const struct grid *g, size_t column, struct buf *out);
/* "ok", "exit_code" and "message" of a run in JSON, each after a comma. */
void grid_outcome_json(const struct grid *g, size_t program, size_t column,
                       struct buf *out);

/* Something measured of one run, or of one run against another on the same program;
 * NO_NUMBER where it does not exist. */
struct metric {
    const char *name;
    double (*of)(const struct facts *base, const struct facts *f);
    bool is_geometric; /* means of it are */
    int digits;        /* shown after the decimal point */
};
extern const struct metric metric_speedup;   /* cycles of base / cycles of f */
extern const struct metric metric_reordered; /* %, issued before an older one */
extern const struct metric metric_occupancy; /* %, resident warps of possible ones */
extern const struct metric metric_stalls;    /* slots without issue of base / of f */
/* Older instructions in SOCGPU's buffer that an inserted one depends on, by kind. */
extern const struct metric metric_raw, metric_war_waw, metric_stop;
/* TURBULENCE, % of its instructions: those without a register number; relays saved */
extern const struct metric metric_free, metric_relays;
/* %, of all instructions: not executed; and by the values of what DARSIE skipped. */
extern const struct metric metric_eliminated, metric_uniform, metric_affine,
    metric_unstructured;

double grid_metric(const struct grid *g, const struct metric *m, size_t program,
                   size_t base, size_t column);

/* A column against another, over the programs where both have a result. */
struct grid_summary {
    double mean, lowest, highest; /* of the metric; NO_NUMBER if n is 0 */
    size_t n;
    size_t below;          /* of n, where the metric is less than 1 */
    size_t faster, slower; /* speed-ups beyond GRID_SAME */
};
#define GRID_SAME 0.005 /* of 1: no difference */
struct grid_summary grid_summary(const struct grid *g, const struct metric *m,
                                 size_t base, size_t column);

/* How two metrics of a column go together over its programs: the coefficient of
 * correlation, -1 to 1; NO_NUMBER where one of them does not vary. */
double grid_correlation(const struct grid *g, const struct metric *x,
                        const struct metric *y, size_t base, size_t column);

#endif
