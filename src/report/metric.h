/* metric.h - numbers computed from the results of a grid, and their means. */
#ifndef LENO_REPORT_METRIC_H
#define LENO_REPORT_METRIC_H

#include <math.h>

#include "session/grid.h"

#define NO_NUMBER ((double)NAN) /* where there is none */

/* A number computed from one run, or from one run against another on the same program;
 * NO_NUMBER where it does not exist. */
struct metric {
    const char *name;
    double (*of)(const struct metric *m, const struct facts *base,
                 const struct facts *f);
    bool is_geometric; /* geometric means, else arithmetic */
    int digits;        /* shown after the decimal point */
    size_t count;      /* offset of the count in struct facts that a share is made of */
};
/* Compared cycles of base / of f; per warp instruction if a launch was capped. */
extern const struct metric metric_speedup;
extern const struct metric metric_reordered; /* %, issued before an older one */
extern const struct metric metric_occupancy; /* %, resident warps of possible ones */
extern const struct metric metric_stalls;    /* slots without issue of base / of f */
/* Older instructions in SOCGPU's buffer that an inserted one depends on, by kind. */
extern const struct metric metric_raw, metric_war_waw, metric_stop;
/* TURBULENCE: %, instructions without a register number; %, instructions that the converter
 * inserted, of those that were there before. */
extern const struct metric metric_free, metric_moves;
/* %, of all instructions: not executed; and by the values of what DARSIE skipped. */
extern const struct metric metric_eliminated, metric_uniform, metric_affine,
    metric_unstructured;

/* Energy (docs/energy.md) and energy x time of f / of base; %, what f saves of either; W,
 * power that f needs more. */
extern const struct metric metric_energy, metric_edp, metric_saved, metric_edp_saved,
    metric_power;

/* %, of the energy of f: its window. %, of its energy but for static power: tables of its
 * eliminator. */
extern const struct metric metric_window_share, metric_table_share;
/* mW per SM that the window of f takes more. */
extern const struct metric metric_window_power;
/* Time of f / of base. */
extern const struct metric metric_delay;

/* No number of a run: how areas are shown, in um2 and in % of a chip. */
extern const struct metric metric_um2, metric_chip_share;
/* No number of a run: how clusters and their distances are shown. */
extern const struct metric metric_cluster, metric_joins;
extern const struct metric metric_ipc; /* thread instructions per cycle */
/* On Vortex. %, of the cycles that instructions waited between decode and execution: by
 * what they waited for. */
extern const struct metric metric_stall_alu, metric_stall_fpu, metric_stall_lsu,
    metric_stall_ibuffer, metric_stall_sfu;
/* LOOG's collector units there: cycles that one is held; %, of them allocated; %, cycles in
 * which none was free. */
extern const struct metric metric_cu_held, metric_cu_used, metric_no_cu;
/* %, of what passed an older instruction: 1, 2, ... before it. */
extern const struct metric metric_distance[FACTS_DISTANCES];

/* The largest gpu.launch_cycles of any run, which speed-ups leave out. */
double grid_launch_cycles(const struct grid *g);
#define GRID_ESTIMATE "~" /* before cycles of a sample, and speed-ups of them */
size_t grid_estimates(const struct grid *g); /* runs that are estimates */
/* What cycles and speed-ups leave out, in sentences: launches' own cycles, and what comes
 * after a cap; nothing if there is neither. */
void grid_cycles_note(const struct grid *g, struct buf *out);

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

/* The mean of n numbers that a metric gave; NO_NUMBER if there are none. */
double metric_mean(const struct metric *m, const double *x, size_t n);

/* The correlation of two metrics of a column over its programs, -1 to 1; NO_NUMBER
 * where one of them does not vary. */
double grid_correlation(const struct grid *g, const struct metric *x,
                        const struct metric *y, size_t base, size_t column);

#endif
