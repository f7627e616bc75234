/* cost_put.c - the storage, gates and area of machines' schemes, printed. */
#include "report/cost_put.h"

#include "base/document.h"
#include "report/area_put.h"
#include "session/kind.h"
#include "sim/describe.h"

static void put_json(const char *spec, const struct machine *m, const struct cost *c,
                     struct buf *out)
{
    buf_puts(out, "{\"spec\": ");
    json_string(out, spec);
    machine_describe(m, out);
    buf_puts(out, ", ");
    cost_json(c, out);
    area_put_json(m, out);
    buf_puts(out, "}");
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
    area_put_text(m, out);
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
