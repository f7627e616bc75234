/* grid.c - the results of a batch, by program and machine. */
#include "session/grid.h"

#include "base/document.h"

const struct facts *grid_at(const struct grid *g, size_t program, size_t column)
{
    const struct facts *f = &g->facts[program * g->n_columns + column];

    return f->cycles > 0 ? f : NULL;
}

const char *grid_why(const struct grid *g, size_t program, size_t column)
{
    const char *why = g->why ? g->why[program * g->n_columns + column] : NULL;

    return why ? why : "";
}

void grid_column_json(const struct grid *g, size_t column, struct buf *out)
{
    document_text(out, "spec", g->column[column].spec);
    if (g->about && g->about[column])
        buf_puts(out, g->about[column]);
    else
        document_text(out, "gpu", g->column[column].gpu);
}

void grid_outcome_json(const struct grid *g, size_t program, size_t column,
                       struct buf *out)
{
    const char *invalid = g->column[column].invalid;
    const char *why = invalid ? invalid : grid_why(g, program, column);
    bool ok = grid_at(g, program, column) != NULL;
    int code = g->exit_code ? g->exit_code[program * g->n_columns + column] : 0;

    document_bool(out, "ok", ok);
    document_number(out, "exit_code", (uint64_t)(ok ? 0 : code ? code : ERR_INPUT));
    document_text(out, "message", ok ? "" : *why ? why : "not run");
}
