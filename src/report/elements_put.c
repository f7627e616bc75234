/* elements_put.c - a row per slice, then how many there are in each state. */
#include "report/elements_put.h"

#include "report/sheet.h"

static void put_row(const struct elements *e, size_t i, struct sheet *t)
{
    const struct element *at = &e->at[i];

    sheet_cell(t, "%zu/%zu", i + 1, e->n);
    sheet_cell(t, "%s", element_names[at->state]);
    sheet_cell(t, "%zu", at->n);
    sheet_cell(t, "%zu", at->n_done);
    sheet_cell(t, "%zu", at->n_failed);
    sheet_cell(t, "%s", *at->job ? at->job : "-");
    sheet_cell(t, "%s", at->why ? at->why : "");
}

static void put_counts(const struct elements *e, struct buf *out)
{
    const char *comma = "";

    for (unsigned s = 0; s < N_ELEMENT_STATES; s++)
        if (e->count[s]) {
            buf_printf(out, "%s%zu %s", comma, e->count[s], element_names[s]);
            comma = ", ";
        }
    buf_printf(out, "; %zu of %zu points remain\n", e->n_points - e->n_done,
               e->n_points);
}

void elements_print(const struct elements *e, const char *folder, FILE *out)
{
    struct sheet t = { 0 };
    struct buf text = { 0 };

    sheet_column(&t, "slice", false);
    sheet_column(&t, "state", true);
    sheet_column(&t, "points", false);
    sheet_column(&t, "done", false);
    sheet_column(&t, "failed", false);
    sheet_column(&t, "job", true);
    sheet_column(&t, "", true);
    for (size_t i = 0; i < e->n; i++)
        put_row(e, i, &t);
    buf_printf(&text, "%s\n\n", folder);
    sheet_text(&t, &text);
    buf_putc(&text, '\n');
    put_counts(e, &text);
    if (e->queue_why)
        buf_printf(&text, "which elements run is not known: %s\n", e->queue_why);
    fputs(buf_text(&text), out);
    sheet_free(&t);
    buf_free(&text);
}
