/* area.c - modules of hw/ in gates and square micrometres, for a scheme's parameters. */
#include "cost/area.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells of osu018_stdcells.lib: NAND2X1 and DFFPOSX1, in its units of area. */
enum { CELL_NAND2 = 24, CELL_FLOP = 96 };
/* The same two cells at 45 nm, in um2: NAND2_X1 and DFF_X1 of the NanGate Open Cell
 * Library. Flip-flops are scaled by themselves: they are 4 gates in the one library and 5.7
 * in the other. */
static const double um2_nand2 = 0.798, um2_flop = 4.522;

#define MODULE(...)
#define BLOCK(...) { __VA_ARGS__ },
static const struct area_block blocks[] = {
#include "rtl.def"
    { 0 }
};
#undef MODULE
#undef BLOCK
#define MODULE(...) { __VA_ARGS__ },
#define BLOCK(...)
static const struct area_module modules[] = {
#include "rtl.def"
    { 0 }
};

const struct area_block *area_block_at(size_t i)
{
    return i < sizeof blocks / sizeof *blocks - 1 ? &blocks[i] : NULL;
}

struct area_sum area_of_block(const struct area *a, const struct area_block *b)
{
    double n = (double)b->count * a->copies, flops = n * b->flops;
    double gates = (n * b->cells - flops * CELL_FLOP) / CELL_NAND2;

    return (struct area_sum){ gates, flops, gates * um2_nand2 + flops * um2_flop };
}

/* The value of a name in "a=1 b=2"; otherwise if it is not there. */
static uint32_t listed_value(const char *list, const char *name, uint32_t otherwise)
{
    size_t n = strlen(name);

    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (!strncmp(at, name, n) && at[n] == '=')
            return (uint32_t)strtoul(at + n + 1, NULL, 10);
    }
    return otherwise;
}

static uint32_t row_value(const struct param_desc *row, const void *values)
{
    const char *at = (const char *)values + row->offset;

    if (row->type == PARAM_TYPE_BOOL)
        return *(const bool *)at;
    return *(const uint32_t *)(const void *)at;
}

/* Is the scheme set as the module is? If not, says in which parameter it is not. */
static bool is_as_made(struct area *a, const struct area_module *m,
                       const struct param_group *g, const void *params,
                       const struct core_shape *shape)
{
    uint32_t warps = shape->n_warps / shape->n_subcores;
    uint32_t made = listed_value(m->parameters, "warps", warps);

    if (made != warps) {
        snprintf(a->why, sizeof a->why,
                 "module %s has %u warps per sub-core, this machine %u", m->name, made,
                 warps);
        return false;
    }
    for (size_t k = 0; k < g->n_rows; k++) {
        const struct param_desc *row = &g->rows[k];
        uint32_t is = row_value(row, params);

        made = listed_value(m->parameters, row->name, row->def);
        if (made == is)
            continue;
        snprintf(a->why, sizeof a->why, "module %s has %s.%s=%u, this machine %u",
                 m->name, g->prefix, row->name, made, is);
        return false;
    }
    return true;
}

static void add_blocks(struct area *a)
{
    for (const struct area_block *b = blocks; b->module; b++) {
        struct area_sum s;

        if (strcmp(b->module, a->module->name) != 0)
            continue;
        s = area_of_block(a, b);
        a->sum.gates += s.gates;
        a->sum.flops += s.flops;
        a->sum.um2_45 += s.um2_45;
    }
}

/* The n-th module of a scheme or an eliminator, as it was synthesised. */
static void take_module(struct area *a, const char *of, const struct core_shape *shape,
                        unsigned n)
{
    const uint32_t copies[] = { [AREA_PER_warp] = shape->n_warps,
                                [AREA_PER_subcore] = shape->n_subcores,
                                [AREA_PER_block] = AREA_BLOCKS,
                                [AREA_PER_sm] = 1 };

    *a = (struct area){ 0 };
    for (const struct area_module *m = modules; m->name && !a->module; m++)
        if (!strcmp(m->scheme, of) && !n--)
            a->module = m;
    if (!a->module)
        return;
    a->copies = copies[a->module->per];
    add_blocks(a);
}

void area_of_module(struct area *a, const char *scheme, const struct core_shape *shape)
{
    take_module(a, scheme, shape, 0);
    if (!a->module)
        snprintf(a->why, sizeof a->why, "scheme %s has no module in hw/", scheme);
}

bool area_of_skip(struct area *a, const struct skip_ops *ops, const void *params,
                  const struct core_shape *shape, unsigned n)
{
    take_module(a, ops->name, shape, n);
    if (!a->module)
        snprintf(a->why, sizeof a->why, "eliminator %s has no module in hw/",
                 ops->name);
    else if (!is_as_made(a, a->module, ops->params, params, shape))
        a->module = NULL;
    else
        return true;
    return !n;
}

void area_of(struct area *a, const struct scheme_ops *ops, const void *params,
             const struct core_shape *shape)
{
    area_of_module(a, ops->name, shape);
    if (a->module && !is_as_made(a, a->module, ops->params, params, shape))
        a->module = NULL;
}
