/* figure_number.c - a number of a figure: over programs, and over machines that differ in
 * one thing. */
#include "report/figure_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/area_put.h"
#include "session/spec.h"

/* ---- machines ---- */

static void add_setting(const struct figure_axis *a, size_t i, bool own,
                        struct buf *out)
{
    if (a && a->is_own == own)
        buf_puts(out, a->at[i].set);
}

/* A machine has one name, whichever of two axes is the rows: its own settings are first. */
void figure_spec(const struct figure_column *c, size_t row, size_t over, bool of_base,
                 struct buf *out)
{
    buf_puts(out, of_base ? c->base : c->spec);
    for (int own = !of_base; own >= 0; own--) {
        add_setting(c->rows, row, own, out);
        add_setting(c->over, over, own, out);
    }
}

size_t figure_machine(const struct grid *g, const struct figure_column *c, size_t row,
                      size_t over, bool of_base)
{
    struct buf spec = { 0 };
    size_t i = 0;

    figure_spec(c, row, over, of_base, &spec);
    while (i < g->n_columns && (strcmp(g->column[i].gpu, c->gpu) != 0 ||
                                strcmp(g->column[i].spec, buf_text(&spec)) != 0))
        i++;
    buf_free(&spec);
    return i;
}

/* ---- numbers ---- */

/* The numbers of the programs from `first` to before `end` on all machines that a row is
 * over, those that there are; the caller frees them. */
static double *collect_numbers(const struct grid *g, const struct figure_column *c,
                               size_t row, size_t first, size_t end, size_t *n)
{
    double *x = calloc((end - first) * axis_length(c->over) + 1, sizeof *x);

    if (!x)
        err_memory_exit("a figure");
    *n = 0;
    for (size_t over = 0; over < axis_length(c->over); over++) {
        size_t base = figure_machine(g, c, row, over, true);
        size_t own = figure_machine(g, c, row, over, false);

        for (size_t i = first; i < end; i++) {
            x[*n] = grid_metric(g, c->metric, i, base, own) *
                    (c->factor > 0 ? c->factor : 1);
            if (!isnan(x[*n]))
                ++*n;
        }
    }
    return x;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* With weights between the two nearest, as plots have it. */
static double quantile_of(double *x, size_t n, double quantile)
{
    double at = quantile * (double)(n - 1);
    size_t i = (size_t)at;

    qsort(x, n, sizeof *x, compare_numbers);
    return i + 1 < n ? x[i] + (at - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}

static double share_below_1(const double *x, size_t n)
{
    size_t below = 0;

    for (size_t i = 0; i < n; i++)
        below += x[i] < 1;
    return (double)below / (double)n;
}

static double summarise_numbers(const struct figure_column *c, double *x, size_t n)
{
    if (!n)
        return NO_NUMBER;
    switch (c->shows) {
    case SHOWS_LOWEST:
        return quantile_of(x, n, 0);
    case SHOWS_HIGHEST:
        return quantile_of(x, n, 1);
    case SHOWS_QUANTILE:
        return quantile_of(x, n, c->quantile);
    case SHOWS_BELOW_1:
        return share_below_1(x, n);
    default:
        return metric_mean(c->metric, x, n);
    }
}

/* An area: of the column's machine alone, whatever runs there are. */
static double show_area(const struct figure_column *c)
{
    struct machine *own = spec_machine(c->gpu, c->spec, NULL, 0, NULL);
    double number = NO_NUMBER;

    if (own)
        number = c->shows == SHOWS_UM2
                     ? area_per_subcore(own)
                     : area_share(own, strcmp(c->base, c->spec) ? c->base : NULL);
    machine_free(own);
    return number;
}

/* The lowest of the means on the machines that a column is over, as if they were rows. */
static double show_lowest_mean(const struct grid *g, const struct figure_column *c)
{
    struct figure_column each = *c;
    double lowest = NO_NUMBER;

    each.shows = SHOWS_MEAN;
    each.rows = c->over;
    each.over = NULL;
    for (size_t row = 0; row < axis_length(c->over); row++)
        lowest = fmin(lowest, figure_number(g, &each, row));
    return lowest;
}

double figure_number(const struct grid *g, const struct figure_column *c, size_t row)
{
    double *x, number;
    size_t n;

    if (c->shows == SHOWS_UM2 || c->shows == SHOWS_SHARE)
        return show_area(c);
    if (c->shows == SHOWS_LOWEST_MEAN)
        return show_lowest_mean(g, c);

    if (c->shows == SHOWS_CORRELATION)
        return grid_correlation(g, c->metric, c->with,
                                figure_machine(g, c, row, 0, true),
                                figure_machine(g, c, row, 0, false));
    x = collect_numbers(g, c, row, 0, g->n_programs, &n);
    number = summarise_numbers(c, x, n);
    free(x);
    return number;
}

double figure_program_number(const struct grid *g, const struct figure_column *c,
                             size_t program)
{
    size_t n;
    double *x = collect_numbers(g, c, 0, program, program + 1, &n);
    double number = metric_mean(c->metric, x, n);

    free(x);
    return number;
}

/* ---- clusters ---- */

void figure_cluster(struct clustering *out, const struct grid *g,
                    const struct figure_clusters *from)
{
    double *x = calloc(g->n_programs * from->n_metrics + 1, sizeof *x);

    if (!x)
        err_memory_exit("a figure");
    for (size_t i = 0; i < g->n_programs; i++)
        for (size_t m = 0; m < from->n_metrics; m++) {
            struct figure_column c = { .gpu = from->gpu,
                                       .spec = from->spec,
                                       .base = from->spec,
                                       .metric = from->metrics[m],
                                       .over = from->over };
            double number = figure_program_number(g, &c, i);

            x[i * from->n_metrics + m] = isnan(number) ? 0 : number;
        }
    cluster_make(out, x, g->n_programs, from->n_metrics, from->n_clusters);
    free(x);
}
