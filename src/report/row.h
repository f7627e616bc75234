/* row.h - one run as a row of CSV or members of JSON. */
#ifndef LENO_REPORT_ROW_H
#define LENO_REPORT_ROW_H

#include "report/metric.h"

struct run_row {
    const char *program, *scheme, *stall;
    const char *unchecked; /* why it is not checked; NULL: it is */
    double cycles, speedup, warp_insts, reordered, occupancy, stall_share;
    double joules, watts, energy, edp; /* the last two over the baseline's */
    double launch_cycles; /* of cycles: those that the speed-up leaves out */
    bool is_estimate;     /* cycles are, with this half-width: */
    double half_width;
};

/* The run of a column, its speed-up over another one; false where there is no result. */
bool run_row_of(const struct grid *g, size_t program, size_t base, size_t column,
                struct run_row *r);

/* The numbers, each after a comma: their names, and their values; r NULL: all empty. A grid
 * with estimates has another one, the half-width. */
void run_row_head(const struct grid *g, struct buf *out);
void run_row_csv(const struct grid *g, const struct run_row *r, struct buf *out);
/* The same as members of an object, each after a comma. */
void run_row_json(const struct run_row *r, struct buf *out);

#endif
