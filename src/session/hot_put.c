/* hot_put.c - where time went, as CSV and JSON; see hot_put.h. */
#include "session/hot_put.h"

#include <string.h>

#include "base/document.h"
#include "session/demangle.h"

enum { MAX_DEMANGLED = 200 }; /* characters of a name */

static void put_csv_head(struct buf *out)
{
    buf_puts(out,
             "program,gpu,scheme,kernel,launches,pc,function,offset,file,line,loop,"
             "sass");
    for (unsigned k = 0; k < N_HOT; k++)
        buf_printf(out, ",%s", hot_columns[k].name);
    for (unsigned c = 0; c < N_STALL; c++)
        buf_printf(out, ",slots_%s", stall_name((enum stall)c));
    buf_putc(out, '\n');
}

static void put_csv_place(const struct hot_kernel *k, const struct hot_item *i,
                          struct buf *out)
{
    const struct hot_place *p = i->place;

    buf_printf(out, "0x%llx,", (unsigned long long)i->pc);
    csv_field(out, p->function ? p->function : "");
    buf_printf(out, ",0x%llx,", (unsigned long long)p->offset);
    csv_field(out, p->file ? p->file : "");
    if (p->file)
        buf_printf(out, ",%u,", p->line);
    else
        buf_puts(out, ",,");
    if (i->loop != NO_LOOP)
        buf_printf(out, "0x%llx", (unsigned long long)k->loops.loop[i->loop].header);
    buf_putc(out, ',');
    csv_field(out, p->text);
}

/* ",123" (perf: most of a CSV's time is in these, and printf's ten times as slow) */
static void put_csv_count(uint64_t n, struct buf *out)
{
    char digits[22];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    digits[--at] = ',';
    buf_add(out, digits + at, sizeof digits - at);
}

static void put_csv_row(const struct hot_runs *r, const struct hot_pair *pair,
                        unsigned side, const struct hot_item *i, struct buf *out)
{
    struct hot_row none = hot_pair_none(pair, side);
    const struct hot_row *row = i ? &i->row[side] : &none;
    const struct hot_kernel *k = pair->side[side];

    csv_field(out, r->program);
    buf_printf(out, ",%s,%s,", r->gpu, r->scheme[side]);
    csv_field(out, k->name);
    buf_printf(out, ",%llu,", (unsigned long long)k->n_launches);
    if (i)
        put_csv_place(k, i, out);
    else
        buf_puts(out, ",,,,,,");
    for (unsigned n = 0; n < N_HOT; n++)
        put_csv_count(row->count[n], out);
    for (unsigned c = 0; c < N_STALL; c++)
        put_csv_count(row->slot[c], out);
    buf_putc(out, '\n');
}

void hot_put_csv(const struct hot_runs *r, struct buf *out)
{
    struct hot_pair pair;

    put_csv_head(out);
    for (uint32_t n = 0; hot_pair_at(r, n, &pair); n++) {
        struct hot_items items;

        hot_items_make(&items, &pair, HOT_BY_INST);
        for (unsigned s = 0; s < r->n; s++) {
            if (!pair.side[s])
                continue;
            put_csv_row(r, &pair, s, NULL, out);
            for (uint32_t i = 0; i < items.n; i++)
                put_csv_row(r, &pair, s, &items.at[i], out);
        }
        hot_items_free(&items);
    }
}

/* The counters of a row that are not 0, and its slots. */
static void put_json_row(const struct hot_row *row, struct buf *out)
{
    const char *comma = "";

    buf_putc(out, '{');
    for (unsigned n = 0; n < N_HOT; n++)
        if (row->count[n]) {
            buf_printf(out, "%s\"%s\": %llu", comma, hot_columns[n].name,
                       (unsigned long long)row->count[n]);
            comma = ", ";
        }
    buf_printf(out, "%s\"slots\": {", comma);
    comma = "";
    for (unsigned c = 0; c < N_STALL; c++)
        if (row->slot[c]) {
            buf_printf(out, "%s\"%s\": %llu", comma, stall_name((enum stall)c),
                       (unsigned long long)row->slot[c]);
            comma = ", ";
        }
    buf_puts(out, "}}");
}

static void put_json_rows(const struct hot_runs *r, const struct hot_row *row,
                          struct buf *out)
{
    buf_puts(out, ", \"counts\": [");
    for (unsigned s = 0; s < r->n; s++) {
        buf_puts(out, s ? ", " : "");
        put_json_row(&row[s], out);
    }
    buf_puts(out, "]}");
}

static void put_json_text(const char *name, const char *text, struct buf *out)
{
    if (!text)
        return;
    buf_printf(out, ", \"%s\": ", name);
    json_string(out, text);
}

/* As the source has it, if that differs. */
static void put_json_demangled(const char *name, struct buf *out)
{
    struct buf text = { 0 };

    demangle_put(&text, name, MAX_DEMANGLED);
    if (strcmp(buf_text(&text), name) != 0)
        put_json_text("demangled", buf_text(&text), out);
    buf_free(&text);
}

static void put_json_item(const struct hot_kernel *k, const struct hot_item *i,
                          enum hot_level level, struct buf *out)
{
    buf_printf(out, "{\"pc\": %llu", (unsigned long long)i->pc);
    if (level != HOT_BY_LINE)
        put_json_text("function", i->place->function, out);
    if (level == HOT_BY_FUNCTION && i->place->function)
        put_json_demangled(i->place->function, out);
    if (i->place->file && level != HOT_BY_FUNCTION) {
        put_json_text("file", i->place->file, out);
        buf_printf(out, ", \"line\": %u", i->place->line);
    }
    if (level == HOT_BY_LOOP)
        buf_printf(out, ", \"last\": %llu",
                   (unsigned long long)k->loops.loop[i->loop].last);
    else if (i->loop != NO_LOOP && level == HOT_BY_INST)
        buf_printf(out, ", \"loop\": %llu",
                   (unsigned long long)k->loops.loop[i->loop].header);
    if (level == HOT_BY_INST) {
        buf_printf(out, ", \"offset\": %llu", (unsigned long long)i->place->offset);
        put_json_text("sass", i->place->text, out);
    }
}

static void put_json_level(const struct hot_runs *r, const struct hot_pair *pair,
                           enum hot_level level, struct buf *out)
{
    static const char *const names[] = { [HOT_BY_INST] = "instructions",
                                         [HOT_BY_LINE] = "lines",
                                         [HOT_BY_LOOP] = "loops",
                                         [HOT_BY_FUNCTION] = "functions" };
    struct hot_items items;

    hot_items_make(&items, pair, level);
    buf_printf(out, ",\n \"%s\": [", names[level]);
    for (uint32_t i = 0; i < items.n; i++) {
        buf_puts(out, i ? ",\n  " : "\n  ");
        put_json_item(hot_pair_any(pair), &items.at[i], level, out);
        put_json_rows(r, items.at[i].row, out);
    }
    buf_putc(out, ']');
    hot_items_free(&items);
}

static void put_json_kernel(const struct hot_runs *r, const struct hot_pair *pair,
                            struct buf *out)
{
    const struct hot_kernel *k = hot_pair_any(pair);
    struct hot_row none[HOT_SIDES];

    buf_puts(out, "{\"name\": ");
    json_string(out, k->name);
    put_json_demangled(k->name, out);
    document_number(out, "launches", k->n_launches);
    for (unsigned level = 0; level < N_HOT_LEVEL; level++)
        put_json_level(r, pair, (enum hot_level)level, out);
    for (unsigned s = 0; s < r->n; s++)
        none[s] = hot_pair_none(pair, s);
    buf_puts(out, ",\n \"no_instruction\": {\"pc\": null");
    put_json_rows(r, none, out);
    buf_putc(out, '}');
}

void hot_put_json(const struct hot_runs *r, struct buf *out)
{
    struct hot_pair pair;

    document_begin(out, "hot");
    document_text(out, "program", r->program);
    document_text(out, "gpu", r->gpu);
    buf_puts(out, ", \"schemes\": [");
    for (unsigned s = 0; s < r->n; s++) {
        buf_puts(out, s ? ", {\"scheme\": " : "{\"scheme\": ");
        json_string(out, r->scheme[s]);
        buf_printf(out, ", \"cycles\": %llu}", (unsigned long long)r->cycles[s]);
    }
    buf_puts(out, "]");
    document_text(out, "no_lines", r->profile[0].no_lines);
    buf_puts(out, ", \"kernels\": [\n");
    for (uint32_t n = 0; hot_pair_at(r, n, &pair); n++) {
        buf_puts(out, n ? ",\n" : "");
        put_json_kernel(r, &pair, out);
    }
    buf_puts(out, "]}\n");
}
