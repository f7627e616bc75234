/* area_put.c - gates and area of a machine's scheme, printed with the paper's figures. */
#include "report/area_put.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "session/kind.h"
#include "sim/describe.h"

/* Dies, by how the names of their machines begin: GhOST, section VI.E; SOCGPU, section
 * 5.2. */
static const struct {
    const char *gpu;
    double mm2;
} dies[] = { { "rtx2060s", 445 }, { "v100", 815 } };

/* What papers say; NULL and 0 where they do not. */
static const struct paper_area {
    const char *scheme, *source;
    double um2_45;    /* per sub-core */
    double percent;   /* of the GPU ... */
    const char *less; /* ... without the area of this scheme's module ... */
    double times;     /* ... or so many times that area */
} papers[] = {
    { "ghost", "GhOST, section VI.E", 1276, 0.007, NULL, 0 },
    { "socgpu", "SOCGPU, section 5.2", 0, 2.4, "inorder", 0 },
    { "loog", "LOOG, TPDS 2022", 0, 1.29, NULL, 0 },
    { "turbulence", "TURBULENCE, section III.B", 0, 0, "inorder", 4 },
};

static const struct paper_area *paper_of(const struct machine *m)
{
    for (size_t k = 0; k < sizeof papers / sizeof *papers; k++)
        if (!strcmp(papers[k].scheme, m->scheme->name))
            return &papers[k];
    return NULL;
}

static void find_area(const struct machine *m, struct area *a)
{
    const struct session_kind *kind = session_kind(m);

    if (kind->area)
        kind->area(m, a);
    else
        *a = (struct area){ .why = "hw/ has no modules for Vortex cores" };
}

/* The next block of a module from *i on; NULL after the last. */
static const struct area_block *next_block(const struct area *a, size_t *i)
{
    const struct area_block *b;

    while ((b = area_block_at((*i)++)))
        if (!strcmp(b->module, a->module->name))
            return b;
    return NULL;
}

static void put_row(struct buf *out, const char *name, double n,
                    const struct area_sum *s)
{
    buf_printf(out, "  %-20s", name);
    if (n > 0)
        buf_printf(out, " %8.0f", n);
    else
        buf_printf(out, " %8s", "");
    buf_printf(out, " %11.0f %11.0f %13.0f\n", s->flops, s->gates, s->um2_45);
}

/* In percent of the die, at the node that GhOST's paper scales to; 0: unknown die. */
static double share_of_die(const struct machine *m, double um2_45)
{
    for (size_t k = 0; k < sizeof dies / sizeof *dies; k++)
        if (!strncmp(m->name, dies[k].gpu, strlen(dies[k].gpu)))
            return 100 * um2_45 * 1e-6 * AREA_45_TO_14 * machine_sms(m) / dies[k].mm2;
    return 0;
}

double area_per_subcore(const struct machine *m)
{
    struct area a;

    find_area(m, &a);
    return a.module ? a.sum.um2_45 / m->core.subcores : (double)NAN;
}

static struct core_shape shape_of(const struct machine *m)
{
    return (struct core_shape){ .n_warps = m->core.warps,
                                .n_subcores = m->core.subcores };
}

static double area_of_scheme(const struct machine *m, const char *scheme)
{
    const struct core_shape shape = shape_of(m);
    struct area a;

    area_of_module(&a, scheme, &shape);
    return a.sum.um2_45;
}

double area_share(const struct machine *m, const char *less)
{
    double um2 = area_per_subcore(m) * m->core.subcores;
    double share = share_of_die(m, less ? um2 - area_of_scheme(m, less) : um2);

    return share != 0 ? share : (double)NAN;
}

static void put_percent(struct buf *out, double share)
{
    if (share > 0)
        buf_printf(out,
                   "share of an SM, all of the die counted as SMs: %.3f %%, scaled by "
                   "%.2f to 14 nm",
                   share, AREA_45_TO_14);
    else
        buf_puts(out, "share of an SM: unknown, no area of this die");
}

static void put_share(const struct machine *m, const struct paper_area *p,
                      struct buf *out)
{
    double share = area_share(m, NULL);

    buf_puts(out, "  ");
    put_percent(out, share);
    if (p && !p->less)
        buf_printf(out, "; the paper: %.3f %% (%s)", p->percent, p->source);
    buf_puts(out, "\n");
    if (p && p->times > 0)
        buf_printf(out, "  times %s's module: %.1f; the paper: %.0f (%s)\n", p->less,
                   area_per_subcore(m) * m->core.subcores / area_of_scheme(m, p->less),
                   p->times, p->source);
    else if (p && p->less && share > 0)
        buf_printf(out,
                   "  more than %s's module: %.3f %%; the paper: %.3f %% of a V100 "
                   "(%s)\n",
                   p->less, area_share(m, p->less), p->percent, p->source);
}

static void put_sums(const struct machine *m, const struct area *a, struct buf *out)
{
    const struct paper_area *p = paper_of(m);

    buf_printf(out,
               "  critical path: %.1f ns at 180 nm, without wires\n"
               "  per sub-core: %.0f um2 at 45 nm",
               a->module->path_ns, a->sum.um2_45 / m->core.subcores);
    if (p && p->um2_45 > 0)
        buf_printf(out, "; the paper: %.0f (%s; docs/cost.md explains)", p->um2_45,
                   p->source);
    buf_puts(out, "\n");
    put_share(m, p, out);
}

/* The blocks of a module and their sum, or why there are none. */
static void put_module(const struct area *a, struct buf *out)
{
    const struct area_block *b;
    size_t i = 0;

    if (!a->module) {
        buf_printf(out, "\ngates and area: none, %s\n", a->why);
        return;
    }
    buf_printf(out, "\ngates and area per SM: %u x %s (hw/results.ini)\n\n", a->copies,
               a->module->name);
    buf_printf(out, "  %-20s %8s %11s %11s %13s\n", "block", "per SM", "flip-flops",
               "gates", "um2 at 45 nm");
    while ((b = next_block(a, &i))) {
        struct area_sum s = area_of_block(a, b);

        put_row(out, b->name, (double)b->count * a->copies, &s);
    }
    put_row(out, "total", 0, &a->sum);
    buf_puts(out, "\n");
}

/* The modules of the eliminator: their paths, and all of them together. */
static void put_skip(const struct machine *m, struct buf *out)
{
    const struct core_shape shape = shape_of(m);
    struct area_sum sum = { 0 };
    struct area a;
    double share;

    for (unsigned n = 0; area_of_skip(&a, m->skip, m->skip_params, &shape, n); n++) {
        put_module(&a, out);
        if (!a.module)
            return;
        buf_printf(out, "  critical path: %.1f ns at 180 nm, without wires\n",
                   a.module->path_ns);
        sum.flops += a.sum.flops;
        sum.um2_45 += a.sum.um2_45;
    }
    share = share_of_die(m, sum.um2_45);
    buf_printf(out, "\n  %s in flip-flops: %.2f KiB per SM; ", m->skip->name,
               sum.flops / (8 * 1024));
    put_percent(out, share);
    buf_puts(out, "\n");
}

void area_put_text(const struct machine *m, struct buf *out)
{
    struct area a;

    find_area(m, &a);
    put_module(&a, out);
    if (a.module)
        put_sums(m, &a, out);
    if (m->skip)
        put_skip(m, out);
}

static void put_sum_json(struct buf *out, const struct area_sum *s)
{
    buf_printf(out, "\"flip_flops\": %.0f, \"gates\": %.0f, \"um2_45nm\": %.0f",
               s->flops, s->gates, s->um2_45);
}

static void put_module_json(const struct area *a, struct buf *out)
{
    const struct area_block *b;
    size_t i = 0;

    buf_printf(out, "{\"module\": \"%s\", \"copies\": %u, \"critical_path_ns\": %.2f, ",
               a->module->name, a->copies, a->module->path_ns);
    put_sum_json(out, &a->sum);
    buf_puts(out, ", \"blocks\": [");
    for (unsigned n = 0; (b = next_block(a, &i)); n++) {
        struct area_sum s = area_of_block(a, b);

        buf_printf(out, "%s\n  {\"name\": \"%s\", \"count\": %u, ", n ? "," : "",
                   b->name, b->count * a->copies);
        put_sum_json(out, &s);
        buf_puts(out, "}");
    }
    buf_puts(out, "]}");
}

static void put_skip_json(const struct machine *m, struct buf *out)
{
    const struct core_shape shape = shape_of(m);
    struct area a;

    buf_puts(out, ", \"eliminator_area\": [");
    for (unsigned n = 0; area_of_skip(&a, m->skip, m->skip_params, &shape, n); n++) {
        if (!a.module)
            break;
        buf_puts(out, n ? ", " : "");
        put_module_json(&a, out);
    }
    buf_puts(out, "]");
}

void area_put_json(const struct machine *m, struct buf *out)
{
    struct area a;

    find_area(m, &a);
    if (a.module) {
        buf_puts(out, ", \"area\": ");
        put_module_json(&a, out);
    } else {
        buf_puts(out, ", \"area\": null, \"no_area\": ");
        json_string(out, a.why);
    }
    if (m->skip)
        put_skip_json(m, out);
}
