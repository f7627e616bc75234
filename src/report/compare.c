/* compare.c - a comparison as tables, CSV and JSON. */
#include "report/compare.h"

#include <math.h>

#include "base/document.h"
#include "report/row.h"
#include "report/sheet.h"
#include "report/unchecked.h"

static void put_number(struct sheet *t, int digits, double x)
{
    if (isnan(x))
        sheet_cell(t, "-");
    else
        sheet_cell(t, "%.*f", digits, x);
}

/* Prints one summary line for all columns except the baseline. */
static void put_summary(struct sheet *t, const struct grid *g, const char *name,
                        double (*of)(const struct grid_summary *s), int digits)
{
    sheet_cell(t, "%s", name);
    sheet_cell(t, "%s", "");
    for (size_t c = 1; c < g->n_columns; c++) {
        struct grid_summary s = grid_summary(g, &metric_speedup, 0, c);

        put_number(t, digits, of(&s));
    }
}

static double mean_of(const struct grid_summary *s)
{
    return s->mean;
}

static double faster_of(const struct grid_summary *s)
{
    return (double)s->faster;
}

static double slower_of(const struct grid_summary *s)
{
    return (double)s->slower;
}

typedef void put_cell(struct sheet *t, const struct grid *g, size_t p, size_t c);

/* Prints the cycles of the baseline or the speed-up of another column. */
static void put_speedup(struct sheet *t, const struct grid *g, size_t p, size_t c)
{
    const struct facts *f = grid_at(g, p, c);

    double x = c   ? grid_metric(g, &metric_speedup, p, 0, c)
               : f ? facts_compared_cycles(f)
                   : NO_NUMBER;

    if (!f)
        sheet_cell(t, "failed");
    else if (f->is_estimate && !isnan(x))
        sheet_cell(t, "%s%.*f", GRID_ESTIMATE, c ? 3 : 0, x);
    else
        put_number(t, c ? 3 : 0, x);
}

static void put_head(struct sheet *t, const struct grid *g, size_t c)
{
    sheet_column(t, g->column[c].spec, false);
    if (unchecked_why(g, c))
        sheet_mark(t, UNCHECKED_MARK);
}

/* One row per program, one column per scheme. */
static void put_cells(struct sheet *t, const struct grid *g, put_cell *put)
{
    sheet_column(t, "program", true);
    for (size_t c = 0; c < g->n_columns; c++)
        put_head(t, g, c);
    for (size_t p = 0; p < g->n_programs; p++) {
        sheet_cell(t, "%s", g->program[p]);
        for (size_t c = 0; c < g->n_columns; c++)
            put(t, g, p, c);
    }
}

static void put_speedups(const struct grid *g, struct buf *out)
{
    struct sheet t = { 0 };

    put_cells(&t, g, put_speedup);
    sheet_rule(&t);
    put_summary(&t, g, "geometric mean", mean_of, 3);
    put_summary(&t, g, "faster", faster_of, 0);
    put_summary(&t, g, "slower", slower_of, 0);
    sheet_text(&t, out);
    sheet_free(&t);
}

/* Prints the millijoules of the baseline or the energy of another column over them. */
static void put_energy(struct sheet *t, const struct grid *g, size_t p, size_t c)
{
    const struct facts *f = grid_at(g, p, c);

    if (!f || f->joules <= 0)
        sheet_cell(t, "-");
    else if (c)
        put_number(t, 3, grid_metric(g, &metric_energy, p, 0, c));
    else
        put_number(t, 4, 1e3 * f->joules);
}

static void put_means(struct sheet *t, const struct grid *g, const char *name,
                      const struct metric *m)
{
    sheet_cell(t, "%s", name);
    sheet_cell(t, "%s", "");
    for (size_t c = 1; c < g->n_columns; c++)
        put_number(t, 3, grid_summary(g, m, 0, c).mean);
}

void compare_energy_text(const struct grid *g, struct buf *out)
{
    struct sheet t = { 0 };

    buf_printf(out, "\nEnergy: mJ under %s; over %s for the other schemes\n\n",
               g->column[0].spec, g->column[0].spec);
    put_cells(&t, g, put_energy);
    sheet_rule(&t);
    put_means(&t, g, "geometric mean", &metric_energy);
    put_means(&t, g, "energy x time", &metric_edp);
    sheet_text(&t, out);
    sheet_free(&t);
}

/* For each column with missing results: how many, and why the first is missing. */
static void put_failures(const struct grid *g, struct buf *out)
{
    for (size_t c = 0; c < g->n_columns; c++) {
        size_t n = 0, first = 0;

        for (size_t p = g->n_programs; p-- > 0;)
            if (!grid_at(g, p, c)) {
                first = p;
                n++;
            }
        if (n)
            buf_printf(out, "\n%s failed in %zu of %zu; %s: %s\n", g->column[c].spec, n,
                       g->n_programs, g->program[first], grid_why(g, first, c));
    }
}

static bool column_reorders(const struct grid *g, size_t column)
{
    return grid_summary(g, &metric_reordered, column, column).mean > 0;
}

/* Columns that reorder nothing are left out; without any other there is no table. */
static void put_reordered(const struct grid *g, struct buf *out)
{
    struct sheet t = { 0 };

    sheet_column(&t, "program", true);
    for (size_t c = 0; c < g->n_columns; c++)
        if (column_reorders(g, c))
            put_head(&t, g, c);
    for (size_t p = 0; p < g->n_programs && t.n_columns > 1; p++) {
        sheet_cell(&t, "%s", g->program[p]);
        for (size_t c = 0; c < g->n_columns; c++)
            if (column_reorders(g, c))
                put_number(&t, 1, grid_metric(g, &metric_reordered, p, c, c));
    }
    if (t.n_columns > 1) {
        buf_puts(out, "\nInstructions issued before an older one, % of all\n\n");
        sheet_text(&t, out);
    }
    sheet_free(&t);
}

static void put_stall(struct sheet *t, const struct grid *g, size_t p, size_t c)
{
    const struct facts *f = grid_at(g, p, c);
    double share = 0;
    enum stall cause = f ? stall_largest(f->slot, &share) : STALL_idle;

    if (f)
        sheet_cell(t, "%s %4.1f", stall_name(cause), share);
    else
        sheet_cell(t, "-");
}

static void put_stalls(const struct grid *g, struct buf *out)
{
    struct sheet t = { 0 };

    put_cells(&t, g, put_stall);
    sheet_text(&t, out);
    sheet_free(&t);
}

void compare_text(const struct grid *g, struct buf *out)
{
    const struct grid_column *base = &g->column[0];

    buf_printf(out,
               "On %s: cycles under %s; speed-up over %s for the other schemes\n\n",
               base->gpu, base->spec, base->spec);
    put_speedups(g, out);
    put_failures(g, out);
    put_reordered(g, out);
    buf_puts(out, "\nLargest stall cause, % of all issue slots\n\n");
    put_stalls(g, out);
}

void compare_csv(const struct grid *g, struct buf *out)
{
    struct run_row r;

    buf_puts(out, "program,scheme,gpu");
    run_row_head(g, out);
    buf_putc(out, '\n');
    for (size_t i = 0; i < g->n_programs * g->n_columns; i++) {
        size_t c = i % g->n_columns;

        if (!run_row_of(g, i / g->n_columns, 0, c, &r))
            continue;
        csv_field(out, r.program);
        buf_putc(out, ',');
        csv_field(out, r.scheme);
        buf_putc(out, ',');
        csv_field(out, g->column[c].gpu);
        run_row_csv(g, &r, out);
        buf_putc(out, '\n');
    }
}

static void put_json_run(const struct grid *g, size_t p, size_t c, struct buf *out)
{
    struct run_row r;

    buf_puts(out, "{\"program\": ");
    json_string(out, g->program[p]);
    grid_column_json(g, c, out);
    grid_outcome_json(g, p, c, out);
    if (run_row_of(g, p, 0, c, &r))
        run_row_json(&r, out);
    buf_putc(out, '}');
}

static void put_json_column(const struct grid *g, size_t c, struct buf *out)
{
    struct grid_summary s = grid_summary(g, &metric_speedup, 0, c);

    buf_puts(out, "{\"speedup\": ");
    json_double(out, s.mean);
    buf_printf(out, ", \"programs\": %zu, \"faster\": %zu, \"slower\": %zu", s.n,
               s.faster, s.slower);
    grid_column_json(g, c, out);
    stat_checked_json(unchecked_why(g, c), out);
    buf_putc(out, '}');
}

void compare_json(const struct grid *g, struct buf *out)
{
    document_text(out, "baseline", g->column[0].spec);
    buf_puts(out, ",\n \"schemes\": [");
    for (size_t c = 0; c < g->n_columns; c++) {
        buf_puts(out, c ? ",\n  " : "\n  ");
        put_json_column(g, c, out);
    }
    buf_puts(out, "],\n \"runs\": [");
    for (size_t i = 0; i < g->n_programs * g->n_columns; i++) {
        buf_puts(out, i ? ",\n  " : "\n  ");
        put_json_run(g, i / g->n_columns, i % g->n_columns, out);
    }
    buf_puts(out, "]");
}
