/* page.c - the page around the charts. */
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "report/causes.h"
#include "report/chart.h"
#include "report/svg.h"
#include "report/unchecked.h"

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<title>";

static const char style[] =
    "</title>\n<style>\n"
    ":root { color-scheme: light dark; --fg: #1d1d1f; --bg: #fff; --dim: #6a6a70;\n"
    "  --line: #dcdce0 }\n"
    "@media (prefers-color-scheme: dark) { :root { --fg: #e8e8ea; --bg: #17181a;\n"
    "  --dim: #9a9aa2; --line: #3a3b40 } }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; color: var(--fg);\n"
    "  background: var(--bg); max-width: 1280px; margin: 2rem auto; padding: 0 1rem }\n"
    "h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2.2rem 0 .4rem }\n"
    "p { margin: .3rem 0 } .dim, caption { color: var(--dim) }\n"
    ".wide { overflow-x: auto } svg { display: block }\n"
    "svg text { font: 12px system-ui, sans-serif; fill: var(--fg) }\n"
    "svg .tick { text-anchor: end; fill: var(--dim) } svg .name { text-anchor: end }\n"
    "svg .grid { stroke: var(--line) } svg .one { stroke: var(--fg) }\n"
    ".key { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .4rem 0 }\n"
    ".key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums }\n"
    "th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid\n"
    "  var(--line) } th { font-weight: 600; vertical-align: bottom }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    "tr.sum td { border-top: 2px solid var(--line); font-weight: 600 }\n"
    "th.text, td.text { text-align: left; white-space: nowrap }\n"
    "code { font-size: .92em; overflow-wrap: anywhere }\n"
    "code span { display: inline-block; max-width: 100% }\n"
    ".sort th { cursor: pointer } .sort th:hover { text-decoration: underline }\n"
    "th[data-sort]::after { content: \" \\2193\" }\n"
    "th[data-sort=up]::after { content: \" \\2191\" }\n"
    "#idle:checked ~ .without, #idle:not(:checked) ~ .with { display: none }\n"
    "select, button { font: inherit; color: var(--fg); background: var(--bg);\n"
    "  border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem;\n"
    "  max-width: 100% }\n"
    ".bar { display: flex; flex-wrap: wrap; gap: .5rem; margin: .4rem 0 }\n"
    ".series { width: 100%; height: auto; min-width: 620px }\n"
    "iframe { width: 100%; height: 46rem; border: 1px solid var(--line) }\n"
    "@media (max-width: 600px) { body { margin: 1rem auto; padding: 0 .6rem }\n"
    "  .series text { font-size: 19px } }\n"
    "</style></head><body>\n";

void page_begin(const char *title, struct buf *out)
{
    buf_puts(out, head);
    html_text(out, title);
    buf_puts(out, style);
}

void page_end(struct buf *out)
{
    buf_puts(out, "</body></html>\n");
}

void page_put_swatch(const char *color, bool is_faint, const char *name,
                     struct buf *out)
{
    buf_printf(out, "<span><i style=\"background:%s%s\"></i>", color,
               is_faint ? ";opacity:.4" : "");
    html_text(out, name);
    buf_puts(out, "</span>\n");
}

static void put_column_key(const struct grid *g, struct buf *out)
{
    buf_puts(out, "<div class=\"key\">");
    for (size_t c = 1; c < g->n_columns; c++)
        page_put_swatch(chart_column_color(c), false, g->column[c].spec, out);
    buf_puts(out, "</div>\n");
}

static void put_cause_key(const struct cause_parts *parts, struct buf *out)
{
    buf_puts(out, "<div class=\"key\">");
    for (unsigned n = 0; n < parts->n; n++)
        page_put_swatch(parts->at[n].color, false, parts->at[n].label, out);
    buf_puts(out, "</div>\n");
}

void page_put_spec(const char *spec, struct buf *out)
{
    struct buf line = { 0 };

    for (; *spec; spec += *spec == ':') {
        size_t n = strcspn(spec, ":");

        buf_clear(&line);
        buf_add(&line, spec, n);
        html_text(out, buf_text(&line));
        spec += n;
        buf_puts(out, *spec ? "<br>" : "");
    }
    buf_free(&line);
}

static void put_heads(const struct grid *g, struct buf *out)
{
    buf_puts(out, "<div class=\"wide\"><table class=\"sort\"><tr><th>program</th>");
    for (size_t c = 0; c < g->n_columns; c++) {
        buf_puts(out, "<th>");
        page_put_spec(g->column[c].spec, out);
        buf_puts(out, unchecked_why(g, c) ? "<br><em>" UNCHECKED_MARK "</em>" : "");
        buf_puts(out, c ? "</th>" : ",<br>cycles</th>");
    }
    buf_puts(out, "</tr>\n");
}

static void put_number(double x, int digits, struct buf *out)
{
    if (isnan(x))
        buf_puts(out, "<td>-</td>");
    else
        buf_printf(out, "<td>%.*f</td>", digits, x);
}

static void put_result(const struct facts *f, double x, int digits, struct buf *out)
{
    if (f->is_estimate && !isnan(x))
        buf_printf(out, "<td>" GRID_ESTIMATE "%.*f</td>", digits, x);
    else
        put_number(x, digits, out);
}

static void put_program(const struct grid *g, size_t p, struct buf *out)
{
    buf_puts(out, "<tr><td>");
    html_text(out, g->program[p]);
    buf_puts(out, "</td>");
    for (size_t c = 0; c < g->n_columns; c++) {
        const struct facts *f = grid_at(g, p, c);

        if (!f) {
            buf_puts(out, "<td title=\"");
            html_text(out, grid_why(g, p, c));
            buf_puts(out, "\">failed</td>");
        } else if (c) {
            put_result(f, grid_metric(g, &metric_speedup, p, 0, c), 3, out);
        } else {
            put_result(f, facts_compared_cycles(f), 0, out);
        }
    }
    buf_puts(out, "</tr>\n");
}

static void put_table(const struct grid *g, struct buf *out)
{
    put_heads(g, out);
    for (size_t p = 0; p < g->n_programs; p++)
        put_program(g, p, out);
    buf_puts(out, "<tr class=\"sum\"><td>geometric mean</td><td></td>");
    for (size_t c = 1; c < g->n_columns; c++)
        put_number(grid_summary(g, &metric_speedup, 0, c).mean, 3, out);
    buf_puts(out,
             "</tr>\n<tr class=\"foot\"><td>programs faster / slower</td><td></td>");
    for (size_t c = 1; c < g->n_columns; c++) {
        struct grid_summary s = grid_summary(g, &metric_speedup, 0, c);

        buf_printf(out, "<td>%zu / %zu</td>", s.faster, s.slower);
    }
    buf_puts(out, "</tr>\n<tr class=\"foot\"><td>issued before an older one, %</td>");
    for (size_t c = 0; c < g->n_columns; c++)
        put_number(grid_summary(g, &metric_reordered, c, c).mean, 1, out);
    buf_puts(out, "</tr>\n</table></div>\n");
}

static void put_failures(const struct grid *g, struct buf *out)
{
    for (size_t p = 0; p < g->n_programs; p++)
        for (size_t c = 0; c < g->n_columns; c++) {
            if (grid_at(g, p, c))
                continue;
            buf_puts(out, "<p>");
            html_text(out, g->program[p]);
            buf_puts(out, ", ");
            html_text(out, g->column[c].spec);
            buf_puts(out, " failed: ");
            html_text(out, grid_why(g, p, c));
            buf_puts(out, "</p>\n");
        }
}

/* Lines break between its words, not at the hyphens of options. */
static void put_command(const char *command, struct buf *out)
{
    struct buf word = { 0 };

    while (*command) {
        size_t n = strcspn(command, " ");

        buf_clear(&word);
        buf_add(&word, command, n);
        buf_puts(out, "<span>");
        html_text(out, buf_text(&word));
        buf_puts(out, command[n] ? "</span> " : "</span>");
        command += n + (command[n] != 0);
    }
    buf_free(&word);
}

static void put_title(const struct grid *g, const struct page_about *about,
                      struct buf *out)
{
    buf_puts(out, "<h1>Schemes on ");
    html_text(out, g->column[0].gpu);
    buf_printf(out,
               "</h1>\n<p class=\"dim\">%zu program%s, size %s, seed %llu; Leno %s. "
               "Again: <code>",
               g->n_programs, g->n_programs == 1 ? "" : "s", about->size,
               (unsigned long long)about->seed, about->revision);
    put_command(about->command, out);
    buf_puts(out, "</code></p>\n");
}

static void put_energy(const struct grid *g, struct buf *out)
{
    if (g->n_columns < 2 || isnan(grid_summary(g, &metric_energy, 0, 1).mean))
        return;
    buf_puts(out, "<h2>Energy, relative to ");
    html_text(out, g->column[0].spec);
    buf_puts(out,
             "</h2>\n<p class=\"dim\">Joules of the run: below 1 is less. Energies are "
             "estimates (docs/energy.md).</p>\n");
    put_column_key(g, out);
    chart_ratios(g, &metric_energy, "Energy", out);
}

/* One after the other; which of them is shown follows the box. */
static void put_slots(const struct grid *g, struct buf *out)
{
    struct cause_parts parts;

    causes_choose(g, &parts);
    buf_puts(out, "<h2>Where the issue slots went</h2>\n<p class=\"dim\">Schedulers x "
                  "cycles, as parts of the slots of ");
    html_text(out, g->column[0].spec);
    buf_puts(out,
             ": a shorter bar is a faster run. Bars of a program, from the left: ");
    for (size_t c = 0; c < g->n_columns; c++) {
        buf_puts(out, c ? ", " : "");
        html_text(out, g->column[c].spec);
    }
    buf_puts(out, ".</p>\n<input type=\"checkbox\" id=\"idle\" checked> <label "
                  "for=\"idle\">with slots of schedulers that have no warp</label>\n"
                  "<div class=\"with\">");
    chart_slots(g, &parts, true, out);
    buf_puts(out, "</div>\n<div class=\"without\">");
    chart_slots(g, &parts, false, out);
    buf_puts(out, "</div>\n");
    put_cause_key(&parts, out);
}

void page_put(const struct grid *g, const struct page_about *about, struct buf *out)
{
    page_begin("Leno: schemes compared", out);
    put_title(g, about, out);
    if (g->n_columns > 1) {
        buf_puts(out, "<h2>How many times as fast as ");
        html_text(out, g->column[0].spec);
        buf_puts(out, "</h2>\n");
        put_column_key(g, out);
        chart_ratios(g, &metric_speedup, "Speed-ups", out);
    }
    put_table(g, out);
    buf_puts(out, "<p class=\"dim\">");
    grid_cycles_note(g, out);
    buf_puts(out, "</p>\n");
    put_failures(g, out);
    put_energy(g, out);
    put_slots(g, out);
    buf_puts(out, "<p class=\"dim\">");
    unchecked_intro(g, true, out);
    buf_puts(
        out,
        ": results, register reads, memory order, issue slots. A slot that issued nothing has the cause of the warp "
        "that was nearest to issuing.</p>\n");
    page_put_runs(g, out);
    page_put_data(g, out);
    page_end(out);
}
