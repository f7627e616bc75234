/* unchecked.c - text about columns that are not checked. */
#include "report/unchecked.h"

#include "report/svg.h"

const char *unchecked_why(const struct grid *g, size_t column)
{
    for (size_t p = 0; p < g->n_programs && column < g->n_columns; p++) {
        const struct facts *f = grid_at(g, p, column);

        if (f && *f->unchecked)
            return f->unchecked;
    }
    return NULL;
}

void unchecked_intro(const struct grid *g, bool is_html, struct buf *out)
{
    void (*put)(struct buf * to, const char *text) = is_html ? html_text : buf_puts;
    size_t n = 0;

    for (size_t c = 0; c < g->n_columns; c++) {
        const char *why = unchecked_why(g, c);

        if (!why)
            continue;
        buf_puts(out, n++ ? ", " : "Unchecked: ");
        put(out, g->column[c].spec);
        buf_puts(out, " (");
        put(out, why);
        buf_puts(out, ")");
    }
    buf_puts(out, n ? ";\ntheir skipped results were not compared with executed ones. "
                      "All else was checked"
                    : "Every run was checked");
}
