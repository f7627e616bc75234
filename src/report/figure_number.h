/* figure_number.h - a number of a figure, from a grid that has its machines. */
#ifndef LENO_REPORT_FIGURE_NUMBER_H
#define LENO_REPORT_FIGURE_NUMBER_H

#include "report/cluster.h"
#include "report/paper.h"

/* The grid's column for a machine of figure_spec(); n_columns: there is none. */
size_t figure_machine(const struct grid *g, const struct figure_column *c, size_t row,
                      size_t over, bool of_base);

/* What a column shows of all programs, at one of its rows; NO_NUMBER: nothing. */
double figure_number(const struct grid *g, const struct figure_column *c, size_t row);
/* Of one program: the mean over the machines that the column is over. */
double figure_program_number(const struct grid *g, const struct figure_column *c,
                             size_t program);

/* The grid's programs in clusters; cluster_free() afterwards. */
void figure_cluster(struct clustering *out, const struct grid *g,
                    const struct figure_clusters *from);

#endif
