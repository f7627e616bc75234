/* stat.c - statistics as tables: sums, formulas, and results as JSON and CSV. */
#include "stats/stat.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "stats/internal.h"

uint64_t stat_at(const struct stat_binding *b, size_t row)
{
    uint64_t value;

    memcpy(&value, (const char *)b->values + b->group->rows[row].offset, sizeof value);
    return value;
}

void stat_add(const struct stat_group *g, void *into, const void *from)
{
    for (size_t r = 0; r < g->n_rows; r++) {
        size_t offset = g->rows[r].offset;
        uint64_t sum, more;

        memcpy(&sum, (const char *)into + offset, sizeof sum);
        memcpy(&more, (const char *)from + offset, sizeof more);
        sum += more;
        memcpy((char *)into + offset, &sum, sizeof sum);
    }
}

bool stat_find(const struct stat_report *r, const char *name, uint64_t *value)
{
    for (size_t i = 0; i < r->n_groups; i++) {
        const struct stat_group *g = r->groups[i].group;
        size_t prefix = strlen(g->prefix);

        if (strncmp(name, g->prefix, prefix) || name[prefix] != '.')
            continue;
        for (size_t row = 0; row < g->n_rows; row++) {
            if (!strcmp(name + prefix + 1, g->rows[row].name)) {
                *value = stat_at(&r->groups[i], row);
                return true;
            }
        }
    }
    return false;
}

double stat_compute(const struct stat_report *r, const struct stat_formula *f)
{
    double over = 0, under = 1; /* a sum in 64 bits could wrap */
    uint64_t value;

    for (unsigned i = 0; i < 2; i++) {
        if (f->over[i]) {
            if (!stat_find(r, f->over[i], &value))
                return (double)NAN;
            over += (double)value;
        }
        if (f->under[i]) {
            if (!stat_find(r, f->under[i], &value))
                return (double)NAN;
            under *= (double)value;
        }
    }
    if (under > 0)
        return over / under * f->scale;
    return (double)NAN;
}

void stat_checked_json(const char *unchecked, struct buf *out)
{
    buf_printf(out, ", \"checked\": %s", unchecked ? "false" : "true");
    if (!unchecked)
        return;
    buf_puts(out, ", \"unchecked\": ");
    json_string(out, unchecked);
}

void stat_json(const struct stat_report *r, struct buf *out)
{
    const char *before = "";

    for (size_t i = 0; i < r->n_groups; i++) {
        const struct stat_group *g = r->groups[i].group;

        for (size_t row = 0; row < g->n_rows; row++) {
            buf_printf(out, "%s\"%s.%s\": %ju", before, g->prefix, g->rows[row].name,
                       (uintmax_t)stat_at(&r->groups[i], row));
            before = ",\n ";
        }
    }
    for (size_t i = 0; i < r->n_formulas; i++) {
        buf_puts(out, before);
        json_string(out, r->formulas[i].name);
        buf_puts(out, ": ");
        json_double(out, stat_compute(r, &r->formulas[i]));
        before = ",\n ";
    }
}

void stat_csv_header(const struct stat_report *r, struct buf *out)
{
    const char *before = "";
    struct buf name = { 0 };

    for (size_t i = 0; i < r->n_groups; i++) {
        const struct stat_group *g = r->groups[i].group;

        for (size_t row = 0; row < g->n_rows; row++) {
            buf_clear(&name);
            buf_printf(&name, "%s.%s", g->prefix, g->rows[row].name);
            buf_puts(out, before);
            csv_field(out, buf_text(&name));
            before = ",";
        }
    }
    for (size_t i = 0; i < r->n_formulas; i++) {
        buf_puts(out, before);
        csv_field(out, r->formulas[i].name);
        before = ",";
    }
    buf_putc(out, '\n');
    buf_free(&name);
}

void stat_csv_row(const struct stat_report *r, struct buf *out)
{
    const char *before = "";

    for (size_t i = 0; i < r->n_groups; i++) {
        for (size_t row = 0; row < r->groups[i].group->n_rows; row++) {
            buf_printf(out, "%s%ju", before, (uintmax_t)stat_at(&r->groups[i], row));
            before = ",";
        }
    }
    for (size_t i = 0; i < r->n_formulas; i++) {
        double value = stat_compute(r, &r->formulas[i]);

        buf_puts(out, before);
        if (isfinite(value)) /* else the cell stays empty */
            json_double(out, value);
        before = ",";
    }
    buf_putc(out, '\n');
}
