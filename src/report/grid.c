/* grid.c - metrics of runs, and their means. */
#include "report/grid.h"

#include <math.h>

const struct facts *grid_at(const struct grid *g, size_t program, size_t column)
{
    const struct facts *f = &g->facts[program * g->n_columns + column];

    return f->cycles > 0 ? f : NULL;
}

static double speedup(const struct facts *base, const struct facts *f)
{
    return base->cycles / f->cycles;
}

static double reordered(const struct facts *base, const struct facts *f)
{
    (void)base;
    return f->warp_insts > 0 ? 100 * f->reordered / f->warp_insts : NO_NUMBER;
}

static double occupancy(const struct facts *base, const struct facts *f)
{
    (void)base;
    return f->occupancy;
}

static double stalls(const struct facts *base, const struct facts *f)
{
    double left = facts_stalls(f);

    return left > 0 ? facts_stalls(base) / left : NO_NUMBER;
}

const struct metric metric_speedup = { "speed-up", speedup, true };
const struct metric metric_reordered = { "reordered", reordered, false };
const struct metric metric_occupancy = { "occupancy", occupancy, true };
const struct metric metric_stalls = { "stall ratio", stalls, true };

double grid_metric(const struct grid *g, const struct metric *m, size_t program,
                   size_t base, size_t column)
{
    const struct facts *b = grid_at(g, program, base), *f = grid_at(g, program, column);

    return b && f ? m->of(b, f) : NO_NUMBER;
}

struct grid_summary grid_summary(const struct grid *g, const struct metric *m,
                                 size_t base, size_t column)
{
    struct grid_summary s = { .mean = NO_NUMBER };
    double sum = 0;

    for (size_t p = 0; p < g->n_programs; p++) {
        double x = grid_metric(g, m, p, base, column);
        double faster = grid_metric(g, &metric_speedup, p, base, column);

        if (isnan(x))
            continue;
        sum += m->is_geometric ? log(x) : x;
        s.faster += faster > 1 + GRID_SAME;
        s.slower += faster < 1 - GRID_SAME;
        s.n++;
    }
    if (s.n)
        s.mean = m->is_geometric ? exp(sum / (double)s.n) : sum / (double)s.n;
    return s;
}
