/* energy_put.c - the energy of a run as text and JSON. */
#include "base/json.h"
#include "cost/energy.h"

static const struct {
    const char *name, *contents;
} components[] = {
#define COMPONENT(id, help) { #id, help },
    ENERGY_COMPONENTS(COMPONENT)
#undef COMPONENT
};

const char *energy_component_name(enum energy_component c)
{
    return components[c].name;
}

static void put_row(const struct energy *e, const char *name, double joules,
                    const char *contents, struct buf *out)
{
    buf_printf(out, "  %-12s %16.3f %10.3f %7.1f  %s\n", name, joules * 1e6,
               e->seconds > 0 ? joules / e->seconds : 0,
               e->joules > 0 ? 100 * joules / e->joules : 0, contents);
}

void energy_text(const struct energy *e, struct buf *out)
{
    buf_printf(out, "  %-12s %16s %10s %7s\n", "component", "uJ", "W", "%");
    for (unsigned c = 0; c < N_ENERGY_COMPONENT; c++)
        if (e->component[c] > 0)
            put_row(e, components[c].name, e->component[c], components[c].contents,
                    out);
    put_row(e, "total", e->joules, "", out);
    buf_printf(out, "  in %.3f us, energy-delay product %.6g Js\n", e->seconds * 1e6,
               e->joules * e->seconds);
}

static void put_number(struct buf *out, const char *name, double x)
{
    buf_printf(out, "\"%s\": ", name);
    json_double(out, x);
}

void energy_json(const struct energy *e, struct buf *out)
{
    put_number(out, "joules", e->joules);
    buf_puts(out, ", ");
    put_number(out, "duration", e->seconds);
    buf_puts(out, ", ");
    put_number(out, "watts", energy_watts(e));
    buf_puts(out, ",\n  \"components\": {");
    for (unsigned c = 0; c < N_ENERGY_COMPONENT; c++) {
        buf_puts(out, c ? ", " : "");
        put_number(out, components[c].name, e->component[c]);
    }
    buf_puts(out, "},\n  \"events\": {");
    for (unsigned n = 0; n < e->n_parts; n++) {
        const struct energy_part *p = &e->part[n];

        buf_printf(out, "%s\"%s\": [", n ? ", " : "", p->name);
        json_double(out, p->count);
        buf_puts(out, ", ");
        json_double(out, p->joules);
        buf_putc(out, ']');
    }
    buf_putc(out, '}');
}

static const struct {
    const char *name, *what;
} accesses[] = {
#define ACCESS(component, name, help) { #name, help },
    ENERGY_ACCESSES(ACCESS)
#undef ACCESS
};

void energy_access_text(const double *joules, struct buf *out)
{
    buf_printf(out, "  %-8s %9s\n", "event", "pJ");
    for (unsigned a = 0; a < N_ENERGY_ACCESS; a++)
        if (joules[a] > 0)
            buf_printf(out, "  %-8s %9.2f  %s\n", accesses[a].name, joules[a] * 1e12,
                       accesses[a].what);
}

void energy_access_json(const double *joules, struct buf *out)
{
    unsigned n = 0;

    for (unsigned a = 0; a < N_ENERGY_ACCESS; a++) {
        if (!(joules[a] > 0))
            continue;
        buf_puts(out, n++ ? ", " : "");
        put_number(out, accesses[a].name, joules[a]);
    }
}
