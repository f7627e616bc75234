/* metric.c - metrics of runs, and their means. */
#include "report/metric.h"

#include <math.h>

static double compute_speedup(const struct facts *base, const struct facts *f)
{
    return base->cycles / f->cycles;
}

static double compute_reordered(const struct facts *base, const struct facts *f)
{
    (void)base;
    return f->warp_insts > 0 ? 100 * f->reordered / f->warp_insts : NO_NUMBER;
}

static double compute_occupancy(const struct facts *base, const struct facts *f)
{
    (void)base;
    return f->occupancy;
}

static double compute_stalls(const struct facts *base, const struct facts *f)
{
    double left = facts_stalls(f);

    return left > 0 ? facts_stalls(base) / left : NO_NUMBER;
}

/* Of pairs that were counted at insertion, those of one instruction. */
static double per_insertion(const struct facts *f, double pairs)
{
    return f->inserted > 0 ? pairs / f->inserted : NO_NUMBER;
}

static double compute_raw(const struct facts *base, const struct facts *f)
{
    (void)base;
    return per_insertion(f, f->raw);
}

static double compute_war_waw(const struct facts *base, const struct facts *f)
{
    (void)base;
    return per_insertion(f, f->war_waw);
}

static double compute_stop(const struct facts *base, const struct facts *f)
{
    (void)base;
    return per_insertion(f, f->stop);
}

static double compute_free(const struct facts *base, const struct facts *f)
{
    (void)base;
    return f->hybrid > 0 ? 100 * f->free / f->hybrid : NO_NUMBER;
}

static double compute_relays(const struct facts *base, const struct facts *f)
{
    (void)base;
    return f->hybrid > 0 ? 100 * f->relays / f->hybrid : NO_NUMBER;
}

static double share_of_insts(const struct facts *f, double part)
{
    return 100 * part / (f->warp_insts + f->skipped);
}

static double compute_eliminated(const struct facts *base, const struct facts *f)
{
    (void)base;
    return share_of_insts(f, f->skipped + f->reused);
}

static double compute_uniform(const struct facts *base, const struct facts *f)
{
    (void)base;
    return share_of_insts(f, f->uniform);
}

static double compute_affine(const struct facts *base, const struct facts *f)
{
    (void)base;
    return share_of_insts(f, f->affine);
}

static double compute_unstructured(const struct facts *base, const struct facts *f)
{
    (void)base;
    return share_of_insts(f, f->unstructured);
}

const struct metric metric_eliminated = { "eliminated", compute_eliminated, false, 1 };
const struct metric metric_uniform = { "uniform", compute_uniform, false, 1 };
const struct metric metric_affine = { "affine", compute_affine, false, 1 };
const struct metric metric_unstructured = { "unstructured", compute_unstructured, false,
                                            1 };
const struct metric metric_speedup = { "speed-up", compute_speedup, true, 3 };
const struct metric metric_reordered = { "reordered", compute_reordered, false, 1 };
const struct metric metric_occupancy = { "occupancy", compute_occupancy, true, 1 };
const struct metric metric_stalls = { "stall ratio", compute_stalls, true, 3 };
const struct metric metric_raw = { "RAW", compute_raw, false, 2 };
const struct metric metric_war_waw = { "WAW-WAR", compute_war_waw, false, 2 };
const struct metric metric_stop = { "Stop", compute_stop, false, 2 };
const struct metric metric_free = { "free", compute_free, false, 1 };
const struct metric metric_relays = { "relays", compute_relays, false, 1 };

double grid_metric(const struct grid *g, const struct metric *m, size_t program,
                   size_t base, size_t column)
{
    const struct facts *b = grid_at(g, program, base), *f = grid_at(g, program, column);

    return b && f ? m->of(b, f) : NO_NUMBER;
}

struct grid_summary grid_summary(const struct grid *g, const struct metric *m,
                                 size_t base, size_t column)
{
    struct grid_summary s = { .mean = NO_NUMBER,
                              .lowest = NO_NUMBER,
                              .highest = NO_NUMBER };
    double sum = 0;

    for (size_t p = 0; p < g->n_programs; p++) {
        double x = grid_metric(g, m, p, base, column);
        double faster = grid_metric(g, &metric_speedup, p, base, column);

        if (isnan(x))
            continue;
        sum += m->is_geometric ? log(x) : x;
        s.lowest = fmin(s.lowest, x); /* the other one, if one is NO_NUMBER */
        s.highest = fmax(s.highest, x);
        s.below += x < 1;
        s.faster += faster > 1 + GRID_SAME;
        s.slower += faster < 1 - GRID_SAME;
        s.n++;
    }
    if (s.n)
        s.mean = m->is_geometric ? exp(sum / (double)s.n) : sum / (double)s.n;
    return s;
}

double grid_correlation(const struct grid *g, const struct metric *x,
                        const struct metric *y, size_t base, size_t column)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    double n = 0;

    for (size_t p = 0; p < g->n_programs; p++) {
        double dx = grid_metric(g, x, p, base, column) - mean_x;
        double dy = grid_metric(g, y, p, base, column) - mean_y;

        if (isnan(dx) || isnan(dy))
            continue;
        /* Sums of squares about means that move with each program (Welford). */
        n++;
        mean_x += dx / n;
        mean_y += dy / n;
        xx += dx * dx * (n - 1) / n;
        yy += dy * dy * (n - 1) / n;
        xy += dx * dy * (n - 1) / n;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NO_NUMBER;
}
