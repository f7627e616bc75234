/* cost.c - the parts of a scheme's storage, gathered by structure and added up. */
#include "cost/cost.h"

#include <string.h>

#include "base/json.h"

/* Adds a part to a structure. Fields form an entry if all have the same count. */
static void add_part(struct cost_structure *s, const struct part *p, unsigned n)
{
    bool is_entry = s->first == n || s->entries == p->count;

    s->end = n + 1;
    s->bits += p->count * p->bits;
    s->entries = is_entry ? p->count : 0;
    s->entry_bits = is_entry ? s->entry_bits + p->bits : 0;
}

void cost_sum(struct cost *c)
{
    for (unsigned n = 0; n < MAX_PARTS && c->part[n].structure; n++) {
        const struct part *p = &c->part[n];

        if (!n || strcmp(p[-1].structure, p->structure) != 0)
            c->structure[c->n_structures++].first = n;
        add_part(&c->structure[c->n_structures - 1], p, n);
        c->bits += p->count * p->bits;
        c->n_parts = n + 1;
    }
}

void cost_of(struct cost *c, const struct scheme_ops *ops, const void *params,
             const struct core_shape *shape)
{
    *c = (struct cost){ 0 };
    ops->parts(params, shape, c->part);
    cost_sum(c);
}

void cost_add_skip(struct cost *c, const struct skip_ops *ops, const void *params,
                   const struct core_shape *shape)
{
    struct part more[MAX_PARTS] = { 0 };
    unsigned n = c->n_parts;
    struct cost sum = { 0 };

    if (!ops->parts)
        return;
    ops->parts(params, shape, more);
    memcpy(sum.part, c->part, n * sizeof *c->part);
    for (unsigned k = 0; more[k].structure && n + 1 < MAX_PARTS; k++)
        sum.part[n++] = more[k];
    *c = sum;
    cost_sum(c);
}

static void put_row(struct buf *out, const char *structure, const char *field,
                    uint32_t bits, uint64_t count)
{
    buf_printf(out, "  %-20s  %-18s %6u %10llu %12llu\n", structure, field, bits,
               (unsigned long long)count, (unsigned long long)(bits * count));
}

void cost_text(const struct cost *c, const char *core, struct buf *out)
{
    buf_printf(out, "  %-20s  %-18s %6s %*s %s %12s\n", "structure", "field", "bits",
               9 - (int)strlen(core), "per", core, "bits");
    for (unsigned n = 0; n < c->n_structures; n++) {
        const struct cost_structure *s = &c->structure[n];

        for (unsigned k = s->first; k < s->end; k++)
            put_row(out, k == s->first ? c->part[k].structure : "", c->part[k].field,
                    c->part[k].bits, c->part[k].count);
        if (s->entry_bits && s->end - s->first > 1)
            put_row(out, "", "per entry", s->entry_bits, s->entries);
    }
    buf_printf(out, "  %-20s  %-18s %6s %10s %12llu\n", "total", "", "", "",
               (unsigned long long)c->bits);
}

static void put_parts(const struct cost *c, const struct cost_structure *s,
                      struct buf *out)
{
    for (unsigned k = s->first; k < s->end; k++) {
        const struct part *p = &c->part[k];

        buf_puts(out, k > s->first ? ", {\"name\": " : "{\"name\": ");
        json_string(out, p->field);
        buf_printf(out, ", \"bits\": %u, \"count\": %llu}", p->bits,
                   (unsigned long long)p->count);
    }
}

void cost_json(const struct cost *c, struct buf *out)
{
    buf_printf(out, "\"bits\": %llu, \"structures\": [", (unsigned long long)c->bits);
    for (unsigned n = 0; n < c->n_structures; n++) {
        const struct cost_structure *s = &c->structure[n];

        buf_puts(out, n ? ",\n  {\"name\": " : "\n  {\"name\": ");
        json_string(out, c->part[s->first].structure);
        buf_printf(out, ", \"bits\": %llu, ", (unsigned long long)s->bits);
        if (s->entry_bits)
            buf_printf(out, "\"entry_bits\": %u, \"entries\": %llu, ", s->entry_bits,
                       (unsigned long long)s->entries);
        buf_puts(out, "\"fields\": [");
        put_parts(c, s, out);
        buf_puts(out, "]}");
    }
    buf_puts(out, "]");
}
