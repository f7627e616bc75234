/* rows.c - rows of measurements: collecting, judging, printing. */
#include "rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void row_add(struct report *r, struct row row, const char *format, ...)
{
    va_list args;

    if (r->n == r->room) {
        r->room = r->room ? r->room * 2 : 64;
        r->row = realloc(r->row, r->room * sizeof *r->row);
        if (!r->row)
            abort();
    }
    va_start(args, format);
    vsnprintf(row.name, sizeof row.name, format, args);
    va_end(args);
    r->row[r->n++] = row;
}

void report_free(struct report *r)
{
    free(r->row);
}

bool row_fits(const struct row *r)
{
    double off = fabs(r->ours - r->measured);

    if (r->kind == ROW_RATE)
        return off <= 0.05 * fabs(r->measured) + 1e-9;
    return off <= (r->kind == ROW_EXACT ? 0 : 1) + 1e-9;
}

const struct misfit *misfit_of(const struct row *r)
{
    for (const struct misfit *m = misfits; m->section; m++)
        if (!strcmp(m->section, r->section) && !strcmp(m->name, r->name))
            return m;
    return NULL;
}

void report_print(const struct report *r, FILE *to)
{
    const char *section = "";

    for (size_t k = 0; k < r->n; k++) {
        const struct row *row = &r->row[k];
        const struct misfit *m = misfit_of(row);
        double off = row->ours - row->measured;

        if (strcmp(section, row->section))
            fprintf(
                to,
                "%s### %s\n\n| | H200 | h200 | error |  |\n| --- | ---: | ---: | ---: | --- |\n",
                *section ? "\n" : "", row->section);
        section = row->section;
        fprintf(to, "| %s | %.4g | %.4g | ", row->name, row->measured, row->ours);
        if (row->kind != ROW_RATE)
            fprintf(to, "%+.1f", off);
        else
            fprintf(to, "%+.1f %%", 100 * off / row->measured);
        fprintf(to, " | %s |\n", row_fits(row) ? "" : m ? m->why : "**does not fit**");
    }
}
