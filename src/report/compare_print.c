/* compare_print.c - a comparison, printed with what holds for all its results. */
#include "report/compare_print.h"

#include "base/document.h"
#include "report/batch.h"
#include "report/compare.h"
#include "report/unchecked.h"

static void print_text(struct buf *text, FILE *out)
{
    fwrite(buf_text(text), 1, text->len, out);
    buf_free(text);
}

void compare_print_text(const struct batch *b, const struct session_kind *kind,
                        bool is_default, bool wants_energy, FILE *out)
{
    struct grid g = batch_grid(b);
    struct buf text = { 0 };

    compare_text(&g, &text);
    if (wants_energy)
        compare_energy_text(&g, &text);
    if (is_default)
        buf_puts(&text, kind->remark);
    buf_printf(&text, "\nFaster and slower: by more than %.1f %%. ", 100 * GRID_SAME);
    unchecked_intro(&g, false, &text);
    buf_puts(&text, ": results, register reads,\nmemory order, issue slots.\n");
    batch_footer(b, &text);
    buf_puts(&text, kind->next);
    print_text(&text, out);
}

void compare_print_json(const struct batch *b, FILE *out)
{
    struct grid g = batch_grid(b);
    struct buf text = { 0 };

    document_begin(&text, "compare");
    batch_json(b, &text);
    compare_json(&g, &text);
    buf_puts(&text, "}\n");
    print_text(&text, out);
}

void compare_print_csv(const struct batch *b, FILE *out)
{
    struct grid g = batch_grid(b);
    struct buf text = { 0 };

    compare_csv(&g, &text);
    print_text(&text, out);
}
