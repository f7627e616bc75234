/* plan.h - what has to be measured for a paper: figures, programs, machines. */
#ifndef LENO_REPORT_PLAN_H
#define LENO_REPORT_PLAN_H

#include "report/figure.h"
#include "report/reproduce.h"

enum { PLAN_MAX_FIGURES = 32, PLAN_MAX_COLUMNS = 512 };

struct plan {
    const struct paper *paper;
    const struct figure *figure[PLAN_MAX_FIGURES];
    struct points points[PLAN_MAX_FIGURES]; /* once they have been measured */
    size_t n_figures;
    struct grid_column column[PLAN_MAX_COLUMNS]; /* their specs are the plan's */
    size_t n_columns;
    struct program_list programs;
    const struct paper_program **stands_for; /* by program; NULL: none of the paper's */
};

/* The figures asked for, by default all that can be made, and the programs: those of the
 * command line, or the workloads that the paper has. Commands are recorded. 0, or -1 with
 * err set; plan_free() in any case. */
int plan_make(struct plan *plan, const struct reproduce_job *job,
              struct console *console, struct err *err);
void plan_free(struct plan *plan);

#endif
