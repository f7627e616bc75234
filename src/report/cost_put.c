/* cost_put.c - the storage, gates, area and energies of machines' schemes, printed. */
#include "report/cost_put.h"

#include <string.h>

#include "base/document.h"
#include "report/area_put.h"
#include "session/energy.h"
#include "session/kind.h"
#include "sim/describe.h"

static void put_energy_json(const struct machine *m, struct buf *out)
{
    const char *profile = energy_profile_of(m);
    double joules[N_ENERGY_ACCESS];

    if (!profile || energy_of_accesses(joules, m, NULL, NULL)) {
        buf_puts(out, ", \"energy\": null");
        return;
    }
    buf_puts(out, ", \"energy\": {\"profile\": ");
    json_string(out, profile);
    buf_puts(out, ", \"joules\": {");
    energy_access_json(joules, out);
    buf_puts(out, "}}");
}

static void put_energy(const struct machine *m, struct buf *out)
{
    const char *profile = energy_profile_of(m);
    double joules[N_ENERGY_ACCESS];

    if (!profile || energy_of_accesses(joules, m, NULL, NULL)) {
        buf_printf(out, "\nenergy per event: none, %s has no energies\n", m->name);
        return;
    }
    buf_printf(out, "\nenergy per event, profile %s (docs/energy.md)\n\n", profile);
    energy_access_text(joules, out);
}

static void put_json(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    buf_puts(out, "{\"spec\": ");
    json_string(out, spec);
    machine_describe(m, out);
    buf_puts(out, ", ");
    cost_json(c, out);
    area_put_json(m, out);
    put_energy_json(m, out);
    buf_puts(out, "}");
}

/* What papers say of the storage of a scheme or an eliminator. */
static const struct paper_storage {
    const char *name;
    const char *structures; /* of which they say it, ended by bars */
    double kib;             /* 0: they give the bits of an entry */
    unsigned entry_bits;
    const char *source;
} papers[] = {
    { "ghost", "issue buffer|", 0, 111, "GhOST, table II" },
    { "darsie", "PC skip table|majority path|rename table|", 5.31, 0,
      "DARSIE, section 6.3" },
};

/* Is the structure among those whose names end with bars? */
static bool is_named(const char *structures, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = structures; *at; at = strchr(at, '|') + 1)
        if (!strncmp(at, name, n) && at[n] == '|')
            return true;
    return false;
}

static void put_paper(const struct paper_storage *p, const struct cost *c,
                      struct buf *out)
{
    uint64_t bits = 0;
    unsigned entry = 0;

    for (unsigned k = 0; k < c->n_structures; k++)
        if (is_named(p->structures, c->part[c->structure[k].first].structure)) {
            bits += c->structure[k].bits;
            entry = c->structure[k].entry_bits;
        }
    if (p->kib > 0)
        buf_printf(out, "%s: %.2f KiB per SM; the paper: %.2f (%s)\n", p->name,
                   (double)bits / (8 * 1024), p->kib, p->source);
    else
        buf_printf(out, "%s: %u bits per entry; the paper: %u (%s)\n", p->name, entry,
                   p->entry_bits, p->source);
}

static void put_papers(const struct machine *m, const struct cost *c, struct buf *out)
{
    for (size_t k = 0; k < sizeof papers / sizeof *papers; k++)
        if (!strcmp(papers[k].name, m->scheme->name) ||
            (m->skip && !strcmp(papers[k].name, m->skip->name)))
            put_paper(&papers[k], c, out);
    if (m->skip && !m->skip->parts)
        buf_printf(out, "%s: no storage is counted (docs/schemes/%s.md)\n",
                   m->skip->name, m->skip->name);
}

static void put_text(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    const char *core = machine_core_name(m);
    double kib = (double)c->bits / (8 * 1024);
    unsigned n = machine_sms(m);

    buf_printf(out, "%s on %s: storage per %s with %u warps\n\n", spec, m->name, core,
               machine_warps(m));
    cost_text(c, core, out);
    buf_printf(out, "\n%.1f KiB per %s, %.1f KiB in %u %s%s\n", kib, core, kib * n, n,
               core, n == 1 ? "" : "s");
    if (session_kind(m)->area)
        put_papers(m, c, out);
    area_put_text(m, out);
    put_energy(m, out);
}

static int put_machine(const char *spec, const struct machine *m, bool is_json,
                       struct buf *out, struct err *err)
{
    struct cost c;

    if (session_kind(m)->cost(m, &c, err))
        return -1;
    if (is_json)
        put_json(spec, m, &c, out);
    else
        put_text(spec, m, &c, out);
    return 0;
}

int cost_print(const struct cost_table *t, bool is_json, FILE *to, struct err *err)
{
    struct buf out = { 0 };
    int failed = 0;

    if (is_json) {
        document_begin(&out, "cost");
        buf_puts(&out, ", \"schemes\": [\n");
    }
    for (size_t i = 0; i < t->n && !failed; i++) {
        buf_puts(&out, !i ? "" : is_json ? ",\n" : "\n");
        failed = put_machine(t->spec[i], t->machine[i], is_json, &out, err);
    }
    if (is_json)
        buf_puts(&out, "]}\n");
    if (!failed)
        fwrite(buf_text(&out), 1, out.len, to);
    buf_free(&out);
    return failed;
}
