/* page_runs.c - the runs of a comparison as a table, and the script with its data. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "report/causes.h"
#include "report/chart.h"
#include "report/page.h"
#include "report/row.h"
#include "report/svg.h"
#include "session/cause_words.h"
#include "session/page_template.h"

/* ---- the table ---- */

static const struct column {
    const char *head;
    size_t offset;
    int digits;
    double scale;
    bool is_energy; /* left out where no run has it */
} columns[] = {
    { "cycles", offsetof(struct run_row, cycles), 0, 1, false },
    { "speed-up", offsetof(struct run_row, speedup), 3, 1, false },
    { "warp inst", offsetof(struct run_row, warp_insts), 0, 1, false },
    { "occupancy,<br>%", offsetof(struct run_row, occupancy), 1, 1, false },
    { "reordered,<br>%", offsetof(struct run_row, reordered), 1, 1, false },
    { "energy,<br>mJ", offsetof(struct run_row, joules), 4, 1e3, true },
    { "power,<br>W", offsetof(struct run_row, watts), 1, 1, true },
    { "relative", offsetof(struct run_row, energy), 3, 1, true },
    { "energy x<br>time", offsetof(struct run_row, edp), 3, 1, true },
};

static bool has_energy(const struct grid *g)
{
    for (size_t i = 0; i < g->n_programs * g->n_columns; i++)
        if (g->facts[i].joules > 0)
            return true;
    return false;
}

static void put_row(const struct run_row *r, const struct facts *f, bool energy,
                    struct buf *out)
{
    double share;
    enum stall cause = stall_largest(f->slot, &share);

    buf_puts(out, "<tr><td>");
    html_text(out, r->program);
    buf_puts(out, "</td><td class=\"text\">");
    page_put_spec(r->scheme, out);
    buf_puts(out, "</td>");
    for (size_t n = 0; n < sizeof columns / sizeof *columns; n++) {
        double x = *(const double *)(const void *)((const char *)r + columns[n].offset);

        if (columns[n].is_energy && !energy)
            continue;
        if (isnan(x))
            buf_puts(out, "<td>-</td>");
        else
            buf_printf(out, "<td>%s%.*f</td>",
                       !n && r->is_estimate ? GRID_ESTIMATE : "", columns[n].digits,
                       x * columns[n].scale);
    }
    buf_printf(out, "<td class=\"text\">%s %.1f %%</td></tr>\n", cause_label(cause),
               share);
}

void page_put_runs(const struct grid *g, struct buf *out)
{
    bool energy = has_energy(g);
    struct run_row r;

    buf_puts(out, "<h2>All runs</h2>\n<div class=\"wide\"><table class=\"sort\"><tr>"
                  "<th>program</th><th class=\"text\">scheme</th>");
    for (size_t n = 0; n < sizeof columns / sizeof *columns; n++)
        if (!columns[n].is_energy || energy)
            buf_printf(out, "<th>%s</th>", columns[n].head);
    buf_puts(out, "<th class=\"text\">largest stall</th></tr>\n");
    for (size_t i = 0; i < g->n_programs * g->n_columns; i++)
        if (run_row_of(g, i / g->n_columns, 0, i % g->n_columns, &r))
            put_row(&r, &g->facts[i], energy, out);
    buf_puts(out, "</table></div>\n");
}

/* ---- the script's data ---- */

static const char *extras_of(const struct grid *g, size_t cell)
{
    return g->extras && g->extras[cell] ? g->extras[cell] : "";
}

static bool has_hot(const struct grid *g)
{
    for (size_t i = 0; g->extras && i < g->n_programs * g->n_columns; i++)
        if (strstr(extras_of(g, i), "\"hot\":"))
            return true;
    return false;
}

static void put_columns(const struct grid *g, struct buf *out)
{
    for (size_t c = 0; c < g->n_columns; c++) {
        buf_puts(out, c ? ", {\"spec\": " : "{\"spec\": ");
        json_string(out, g->column[c].spec);
        buf_printf(out, ", \"color\": \"%s\"}", chart_column_color(c));
    }
}

static void put_programs(const struct grid *g, struct buf *out)
{
    for (size_t p = 0; p < g->n_programs; p++) {
        buf_puts(out, p ? ",\n {\"name\": " : "\n {\"name\": ");
        json_string(out, g->program[p]);
        buf_puts(out, ", \"runs\": [");
        for (size_t c = 0; c < g->n_columns; c++)
            buf_printf(out, "%s{%s}", c ? ",\n  " : "\n  ",
                       extras_of(g, p * g->n_columns + c));
        buf_puts(out, "]}");
    }
}

void page_put_data(const struct grid *g, struct buf *out)
{
    struct buf json = { 0 };
    struct cause_parts parts;

    if (has_hot(g)) {
        buf_puts(out, "<script type=\"text/plain\" id=\"hot-page\">\n");
        page_put_template(PAGE_HOT, out);
        buf_puts(out, "</script>\n");
    }
    causes_choose(g, &parts);
    buf_puts(&json, "{\"columns\": [");
    put_columns(g, &json);
    buf_puts(&json, "],\n\"causes\": ");
    causes_json(&parts, &json);
    buf_puts(&json, ",\n\"programs\": [");
    if (g->extras)
        put_programs(g, &json);
    buf_puts(&json, "]}\n");
    page_fill(PAGE_REPORT, &json, out);
    buf_free(&json);
}
