/* loops.c - a list of loops, as text and as JSON. */
#include "session/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static struct loop_row *find_loop(struct loop_list *l, const struct loop_row *row)
{
    for (size_t k = 0; k < l->n; k++)
        if (!strcmp(l->row[k].kernel, row->kernel) &&
            l->row[k].loop.offset == row->loop.offset)
            return &l->row[k];
    return NULL;
}

int loops_note(struct loop_list *l, const struct sass_unrolled *u, struct err *err)
{
    struct loop_row *rows = realloc(l->row, (l->n + u->n_loops + 1) * sizeof *rows);

    if (!rows)
        return err_memory(err, "the loops");
    l->row = rows;
    for (uint32_t k = 0; k < u->n_loops; k++) {
        struct loop_row row = { .loop = u->loop[k] }, *old;

        snprintf(row.kernel, sizeof row.kernel, "%s", u->kernel.info->name);
        old = find_loop(l, &row);
        *(old ? old : &l->row[l->n++]) = row;
    }
    return 0;
}

void loops_free(struct loop_list *l)
{
    free(l->row);
    *l = (struct loop_list){ 0 };
}

size_t loops_unrolled(const struct loop_list *l)
{
    size_t n = 0;

    for (size_t k = 0; k < l->n; k++)
        n += l->row[k].loop.result == UNROLL_done;
    return n;
}

void loops_text(const struct loop_list *l, struct buf *out)
{
    buf_printf(out, "\nloops: %zu of %zu unrolled\n", loops_unrolled(l), l->n);
    for (size_t k = 0; k < l->n; k++) {
        const struct unrolled_loop *r = &l->row[k].loop;

        buf_printf(out, "  %s+0x%llx  %u instructions  %s", l->row[k].kernel,
                   (unsigned long long)r->offset, r->n_insts,
                   unroll_result_text(r->result));
        if (r->result == UNROLL_done)
            buf_printf(out, ", %u registers renamed, %u sets of them", r->n_private,
                       r->n_sets);
        buf_putc(out, '\n');
    }
}

void loops_json(const struct loop_list *l, struct buf *out)
{
    buf_putc(out, '[');
    for (size_t k = 0; k < l->n; k++) {
        const struct unrolled_loop *r = &l->row[k].loop;

        buf_puts(out, k ? ",\n  {\"kernel\": " : "\n  {\"kernel\": ");
        json_string(out, l->row[k].kernel);
        buf_printf(out, ", \"offset\": %llu, \"insts\": %u, \"result\": ",
                   (unsigned long long)r->offset, r->n_insts);
        json_string(out, unroll_result_text(r->result));
        buf_printf(out, ", \"renamed\": %u, \"sets\": %u}", r->n_private, r->n_sets);
    }
    buf_putc(out, ']');
}
