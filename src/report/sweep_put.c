/* sweep_put.c - a study as text (a row per point), as CSV (a line per run), as JSON. */
#include "report/sweep_put.h"

#include <math.h>
#include <string.h>

#include "base/document.h"
#include "report/batch.h"
#include "report/row.h"
#include "report/sheet.h"
#include "report/unchecked.h"

static void put_mean(struct sheet *t, double x)
{
    if (isnan(x))
        sheet_cell(t, "-");
    else
        sheet_cell(t, "%.3f", x);
}

/* Are there several GPUs? */
static bool has_gpus(const struct sweep *s)
{
    for (size_t n = 1; n < s->n_points; n++)
        if (strcmp(s->point[n].gpu, s->point[0].gpu))
            return true;
    return false;
}

/* The columns that say which point a row is of, and their cells. */
static void put_point_heads(const struct sweep *s, struct sheet *t)
{
    if (has_gpus(s))
        sheet_column(t, "gpu", true);
    sheet_column(t, s->n_named ? "column" : "scheme", true);
    for (size_t i = 0; i < s->n_params; i++)
        sheet_column(t, s->param[i].key, false);
}

static void put_point_cells(const struct sweep *s, const struct grid *g, size_t n,
                            struct sheet *t)
{
    const struct sweep_point *p = &s->point[n];

    if (has_gpus(s))
        sheet_cell(t, "%s", p->gpu);
    sheet_cell(t, "%s%s", p->scheme,
               unchecked_why(g, p->column) ? " (" UNCHECKED_MARK ")" : "");
    for (size_t i = 0; i < s->n_params; i++)
        sheet_cell(t, "%s", p->value[i] ? p->value[i] : "-");
}

static void put_heads(const struct sweep *s, struct sheet *t)
{
    put_point_heads(s, t);
    sheet_column(t, "speed-up", false);
    sheet_column(t, "lowest", false);
    sheet_column(t, "highest", false);
    sheet_column(t, "faster", false);
    sheet_column(t, "slower", false);
    sheet_column(t, "over first", false);
}

/* The first baseline that could be run. */
static size_t first_base(const struct sweep *s)
{
    size_t n = 0;

    while (n + 1 < s->n_points && s->column[s->point[n].base].invalid)
        n++;
    return s->point[n].base;
}

/* The mean speed-up over its programs: over the baseline with the same settings, and
 * over the first baseline. */
static void put_numbers(const struct sweep *s, const struct grid *g,
                        const struct sweep_point *p, struct sheet *t)
{
    struct grid_summary sum = grid_summary(g, &metric_speedup, p->base, p->column);

    put_mean(t, sum.mean);
    put_mean(t, sum.lowest);
    put_mean(t, sum.highest);
    sheet_cell(t, "%zu", sum.faster);
    sheet_cell(t, "%zu", sum.slower);
    put_mean(t, grid_summary(g, &metric_speedup, first_base(s), p->column).mean);
}

static void put_point(const struct sweep *s, const struct grid *g, size_t n,
                      struct sheet *t)
{
    const struct sweep_point *p = &s->point[n];

    put_point_cells(s, g, n, t);
    if (!sweep_why_invalid(s, n)) {
        put_numbers(s, g, p, t);
        return;
    }
    sheet_cell(t, "invalid");
    for (unsigned i = 0; i < 5; i++)
        sheet_cell(t, "-");
}

/* Lists the invalid columns, and the first failed run of each of the others. */
static void put_failures(const struct grid *g, struct buf *out)
{
    for (size_t c = 0; c < g->n_columns; c++) {
        const struct grid_column *column = &g->column[c];
        size_t p = 0;

        while (p < g->n_programs && grid_at(g, p, c))
            p++;
        if (column->invalid)
            buf_printf(out, "\n%s on %s is invalid: %s\n", column->spec, column->gpu,
                       column->invalid);
        else if (p < g->n_programs)
            buf_printf(out, "\n%s on %s failed; %s: %s\n", column->spec, column->gpu,
                       g->program[p], grid_why(g, p, c));
    }
}

static void put_unchecked(const struct grid *g, struct buf *out)
{
    size_t c = 0;

    while (c < g->n_columns && !unchecked_why(g, c))
        c++;
    if (c == g->n_columns)
        return;
    buf_putc(out, '\n');
    unchecked_intro(g, false, out);
    buf_puts(out, ".\n");
}

static void put_shared(const struct sweep *s, struct buf *out)
{
    if (s->n_combinations > s->n_points)
        buf_printf(
            out,
            "\n%zu of %zu combinations share the runs of another one: they differ "
            "only in parameters\nthat the scheme does not have.\n",
            s->n_combinations - s->n_points, s->n_combinations);
}

static void put_text(const struct sweep *s, const struct grid *g, struct buf *out)
{
    struct sheet t = { 0 };

    buf_printf(out,
               "speed-up: over %s%s, geometric mean of %zu program%s"
               "\nover first: over %s on %s\n\n",
               s->n_named ? "" : s->baseline.at[0],
               s->n_named ? "the baseline of the column (--list)"
                          : " with the same settings",
               g->n_programs, g->n_programs == 1 ? "" : "s",
               s->column[first_base(s)].spec, s->column[first_base(s)].gpu);
    put_heads(s, &t);
    for (size_t n = 0; n < s->n_points; n++)
        put_point(s, g, n, &t);
    sheet_text(&t, out);
    sheet_free(&t);
    put_failures(g, out);
    put_unchecked(g, out);
    put_shared(s, out);
}

/* Energy, and energy x time, over those of the baseline with the same settings. */
static void put_energy(const struct sweep *s, const struct grid *g, struct buf *out)
{
    struct sheet t = { 0 };

    buf_puts(out, "\nenergy and energy x time: over the same baseline\n\n");
    put_point_heads(s, &t);
    sheet_column(&t, "energy", false);
    sheet_column(&t, "energy x time", false);
    for (size_t n = 0; n < s->n_points; n++) {
        const struct sweep_point *p = &s->point[n];

        put_point_cells(s, g, n, &t);
        put_mean(&t, grid_summary(g, &metric_energy, p->base, p->column).mean);
        put_mean(&t, grid_summary(g, &metric_edp, p->base, p->column).mean);
    }
    sheet_text(&t, out);
    sheet_free(&t);
}

static const char *status_of(const struct sweep *s, size_t n, bool has_result)
{
    if (sweep_why_invalid(s, n))
        return "invalid";
    return has_result ? "ok" : "failed";
}

static void put_csv_run(const struct sweep *s, const struct grid *g, size_t n, size_t p,
                        struct buf *out)
{
    const struct sweep_point *at = &s->point[n];
    struct run_row r;
    bool has_result = run_row_of(g, p, at->base, at->column, &r);

    csv_field(out, g->program[p]);
    buf_putc(out, ',');
    csv_field(out, at->scheme);
    buf_putc(out, ',');
    csv_field(out, at->gpu);
    for (size_t i = 0; i < s->n_params; i++) {
        buf_putc(out, ',');
        csv_field(out, at->value[i] ? at->value[i] : "");
    }
    run_row_csv(g, has_result ? &r : NULL, out);
    buf_printf(out, ",%s,", status_of(s, n, has_result));
    csv_field(out, has_result ? "" : grid_why(g, p, at->column));
    buf_putc(out, '\n');
}

static void put_csv(const struct sweep *s, const struct grid *g, struct buf *out)
{
    buf_puts(out, "program,scheme,gpu");
    for (size_t i = 0; i < s->n_params; i++) {
        buf_putc(out, ',');
        csv_field(out, s->param[i].key);
    }
    run_row_head(g, out);
    buf_puts(out, ",status,message\n");
    for (size_t n = 0; n < s->n_points; n++)
        for (size_t p = 0; p < g->n_programs; p++)
            put_csv_run(s, g, n, p, out);
}

/* Describes a point: what all its runs have in common. */
static void put_json_point(const struct sweep *s, const struct grid *g, size_t n,
                           struct buf *out)
{
    const struct sweep_point *at = &s->point[n];

    grid_column_json(g, at->column, out);
    document_text(out, "baseline", s->column[at->base].spec);
}

static void put_json_summary(const struct sweep *s, const struct grid *g, size_t n,
                             struct buf *out)
{
    const struct sweep_point *at = &s->point[n];
    struct grid_summary sum = grid_summary(g, &metric_speedup, at->base, at->column);
    const char *why = sweep_why_invalid(s, n);

    buf_printf(out, "%s\n  {\"point\": %zu", n ? "," : "", n);
    put_json_point(s, g, n, out);
    document_bool(out, "valid", !why);
    document_text(out, "message", why ? why : "");
    buf_puts(out, ", \"speedup\": ");
    json_double(out, sum.mean);
    buf_printf(out, ", \"programs\": %zu, \"faster\": %zu, \"slower\": %zu", sum.n,
               sum.faster, sum.slower);
    stat_checked_json(unchecked_why(g, at->column), out);
    buf_putc(out, '}');
}

static void put_json_run(const struct sweep *s, const struct grid *g, size_t n,
                         size_t p, struct buf *out)
{
    const struct sweep_point *at = &s->point[n];
    struct run_row r;

    buf_printf(out, "%s\n  {\"point\": %zu", n || p ? "," : "", n);
    document_text(out, "program", g->program[p]);
    put_json_point(s, g, n, out);
    grid_outcome_json(g, p, at->column, out);
    if (run_row_of(g, p, at->base, at->column, &r))
        run_row_json(&r, out);
    buf_putc(out, '}');
}

/* Members of an object, without its braces. */
static void put_json(const struct sweep *s, const struct grid *g, struct buf *out)
{
    buf_puts(out, "\"points\": [");
    for (size_t n = 0; n < s->n_points; n++)
        put_json_summary(s, g, n, out);
    buf_puts(out, "],\n \"runs\": [");
    for (size_t n = 0; n < s->n_points; n++)
        for (size_t p = 0; p < g->n_programs; p++)
            put_json_run(s, g, n, p, out);
    buf_puts(out, "]");
}

void sweep_list(const struct sweep *s, size_t n_programs, FILE *file)
{
    struct buf out = { 0 };
    size_t n_valid = 0;

    for (size_t n = 0; n < s->n_points; n++) {
        const struct sweep_point *p = &s->point[n];
        const char *why = sweep_why_invalid(s, n);

        if (s->n_named)
            buf_printf(&out, "%s: ", p->scheme);
        buf_printf(&out, "%s on %s, ", s->column[p->column].spec, p->gpu);
        if (why)
            buf_printf(&out, "invalid: %s\n", why);
        else
            buf_printf(&out, "over %s\n", s->column[p->base].spec);
    }
    for (size_t c = 0; c < s->n_columns; c++)
        n_valid += !s->column[c].invalid;
    buf_printf(&out, "%zu points, ", s->n_points);
    if (s->n_invalid)
        buf_printf(&out, "%zu of them invalid, ", s->n_invalid);
    buf_printf(&out, "%zu runs\n", n_valid * n_programs);
    fputs(buf_text(&out), file);
    buf_free(&out);
}

void sweep_list_invalid(const struct sweep *s, FILE *file)
{
    for (size_t n = 0; n < s->n_points; n++)
        if (sweep_why_invalid(s, n))
            fprintf(file, "invalid: %s on %s: %s\n", s->column[s->point[n].column].spec,
                    s->point[n].gpu, sweep_why_invalid(s, n));
}

void sweep_print(const struct sweep *s, const struct batch *b, enum sweep_format format,
                 FILE *out)
{
    struct grid g = batch_grid(b);
    struct buf text = { 0 };

    switch (format) {
    case SWEEP_CSV:
        put_csv(s, &g, &text);
        break;
    case SWEEP_JSON:
        document_begin(&text, "sweep");
        document_text(&text, "file", s->file);
        batch_json(b, &text);
        buf_puts(&text, ",\n ");
        put_json(s, &g, &text);
        buf_puts(&text, "}\n");
        break;
    case SWEEP_TEXT:
    case SWEEP_ENERGY:
        put_text(s, &g, &text);
        if (format == SWEEP_ENERGY)
            put_energy(s, &g, &text);
        buf_putc(&text, '\n');
        batch_footer(b, &text);
        break;
    }
    fwrite(buf_text(&text), 1, text.len, out);
    buf_free(&text);
}
