/* reproduce_page.c - the figures of papers as one HTML file: charts, tables, notes. */
#include "report/reproduce_page.h"

#include "base/revision.h"
#include "report/page.h"
#include "report/svg.h"

void reproduce_page_figure(const struct figure *f, const char *title,
                           const struct points *l, struct buf *out)
{
    struct buf note = { 0 };

    buf_puts(out, "<h2>");
    html_text(out, title);
    buf_puts(out, "</h2>\n");
    figure_chart(f, l, out);
    buf_puts(out, "<details><summary>numbers</summary>\n");
    figure_table(f, l, out);
    buf_puts(out, "</details>\n");
    buf_puts(&note, f->note);
    figure_occupancy(l, &note);
    reproduce_page_note(buf_text(&note), out);
    buf_free(&note);
}

void reproduce_page_note(const char *text, struct buf *out)
{
    buf_puts(out, "<p class=\"dim\">");
    html_text(out, text);
    buf_puts(out, "</p>\n");
}

void reproduce_page_begin(struct buf *out)
{
    page_begin("Leno: figures of papers", out);
    buf_printf(
        out, "<p class=\"dim\">Leno %s. Solid: ours; faint or dashed: the paper.</p>\n",
        revision_text());
}

void reproduce_page_paper(const char *title, struct buf *out)
{
    buf_puts(out, "<h1>");
    html_text(out, title);
    buf_puts(out, "</h1>\n");
}

void reproduce_page_end(struct buf *out)
{
    page_end(out);
}
