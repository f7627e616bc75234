/* metric.c - metrics of runs, and their means. */
#include "report/metric.h"

#include <math.h>
#include <stddef.h>

/* Launches that reached their cap have done different amounts of work, so programs with
 * such launches are compared by instructions per cycle. */
static double compute_speedup(const struct metric *m, const struct facts *base,
                              const struct facts *f)
{
    double faster = facts_compared_cycles(base) / facts_compared_cycles(f);

    (void)m;
    if (base->capped <= 0 && f->capped <= 0)
        return faster;
    return faster * facts_passed_insts(f) / facts_passed_insts(base);
}

static double compute_occupancy(const struct metric *m, const struct facts *base,
                                const struct facts *f)
{
    (void)m;
    (void)base;
    return f->occupancy;
}

static double compute_stalls(const struct metric *m, const struct facts *base,
                             const struct facts *f)
{
    double left = facts_stalls(f);

    (void)m;
    return left > 0 ? facts_stalls(base) / left : NO_NUMBER;
}

static double compute_eliminated(const struct metric *m, const struct facts *base,
                                 const struct facts *f)
{
    (void)m;
    (void)base;
    return 100 * (f->skipped + f->reused) / facts_passed_insts(f);
}

/* The metric's count in a run. */
static double count_of(const struct metric *m, const struct facts *f)
{
    return *(const double *)((const char *)f + m->count);
}

/* In % of the issued instructions. */
static double share_of_issued(const struct metric *m, const struct facts *base,
                              const struct facts *f)
{
    (void)base;
    return f->warp_insts > 0 ? 100 * count_of(m, f) / f->warp_insts : NO_NUMBER;
}

/* In % of all instructions, with those that were skipped. */
static double share_of_all(const struct metric *m, const struct facts *base,
                           const struct facts *f)
{
    (void)base;
    return 100 * count_of(m, f) / facts_passed_insts(f);
}

/* In % of the instructions of TURBULENCE's hybrid code. */
static double share_of_hybrid(const struct metric *m, const struct facts *base,
                              const struct facts *f)
{
    (void)base;
    return f->hybrid > 0 ? 100 * count_of(m, f) / f->hybrid : NO_NUMBER;
}

/* Pairs per instruction that was inserted. */
static double per_insertion(const struct metric *m, const struct facts *base,
                            const struct facts *f)
{
    (void)base;
    return f->inserted > 0 ? count_of(m, f) / f->inserted : NO_NUMBER;
}

static double compute_ipc(const struct metric *m, const struct facts *base,
                          const struct facts *f)
{
    (void)m;
    (void)base;
    return f->thread_insts / facts_compared_cycles(f);
}

/* In % of the program's own instructions. */
static double compute_moves(const struct metric *m, const struct facts *base,
                            const struct facts *f)
{
    (void)m;
    (void)base;
    return f->hybrid > f->moves ? 100 * f->moves / (f->hybrid - f->moves) : NO_NUMBER;
}

/* In % of the cycles that instructions waited, on Vortex. */
static double share_of_waits(const struct metric *m, const struct facts *base,
                             const struct facts *f)
{
    double all =
        f->stall_alu + f->stall_fpu + f->stall_lsu + f->stall_sfu + f->stall_ibuffer;

    (void)base;
    return all > 0 ? 100 * count_of(m, f) / all : NO_NUMBER;
}

static double compute_cu_held(const struct metric *m, const struct facts *base,
                              const struct facts *f)
{
    (void)m;
    (void)base;
    return f->cu_allocs > 0 ? f->cu_held / f->cu_allocs : NO_NUMBER;
}

static double compute_cu_used(const struct metric *m, const struct facts *base,
                              const struct facts *f)
{
    (void)m;
    (void)base;
    return f->cu_allocs > 0 ? 100 * f->cu_busy / (f->cus * f->vortex_cycles)
                            : NO_NUMBER;
}

static double compute_no_cu(const struct metric *m, const struct facts *base,
                            const struct facts *f)
{
    (void)m;
    (void)base;
    return f->cu_allocs > 0 ? 100 * f->no_cu / f->vortex_cycles : NO_NUMBER;
}

/* In % of the instructions that passed an older one. */
static double share_of_passed(const struct metric *m, const struct facts *base,
                              const struct facts *f)
{
    (void)base;
    return f->passed > 0 ? 100 * count_of(m, f) / f->passed : NO_NUMBER;
}

/* Of the same work: in relation to the baseline. */
static double compute_energy(const struct metric *m, const struct facts *base,
                             const struct facts *f)
{
    (void)m;
    return base->joules > 0 && f->joules > 0 ? f->joules / base->joules : NO_NUMBER;
}

static double compute_edp(const struct metric *m, const struct facts *base,
                          const struct facts *f)
{
    return compute_energy(m, base, f) * facts_compared_cycles(f) /
           facts_compared_cycles(base);
}

static double compute_saved(const struct metric *m, const struct facts *base,
                            const struct facts *f)
{
    return 100 * (1 - compute_energy(m, base, f));
}

static double compute_edp_saved(const struct metric *m, const struct facts *base,
                                const struct facts *f)
{
    return 100 * (1 - compute_edp(m, base, f));
}

static double compute_power(const struct metric *m, const struct facts *base,
                            const struct facts *f)
{
    (void)m;
    return base->joules > 0 && f->joules > 0 ? f->watts - base->watts : NO_NUMBER;
}

/* W per SM; of base and of f in as many SMs. */
static double window_watts(const struct facts *f)
{
    return f->joules > 0 && f->seconds > 0 && f->sms > 0
               ? f->window_joules / f->seconds / f->sms
               : NO_NUMBER;
}

static double compute_window_power(const struct metric *m, const struct facts *base,
                                   const struct facts *f)
{
    (void)m;
    return 1e3 * (window_watts(f) - window_watts(base));
}

static double compute_window_share(const struct metric *m, const struct facts *base,
                                   const struct facts *f)
{
    (void)m;
    (void)base;
    return f->joules > 0 ? 100 * f->window_joules / f->joules : NO_NUMBER;
}

static double compute_table_share(const struct metric *m, const struct facts *base,
                                  const struct facts *f)
{
    double dynamic = f->joules - f->active_joules - f->idle_joules;

    (void)m;
    (void)base;
    return dynamic > 0 ? 100 * f->table_joules / dynamic : NO_NUMBER;
}

static double compute_delay(const struct metric *m, const struct facts *base,
                            const struct facts *f)
{
    return 1 / compute_speedup(m, base, f);
}

#define COUNT(field) offsetof(struct facts, field)

const struct metric metric_speedup = { "speed-up", compute_speedup, true, 3, 0 };
const struct metric metric_occupancy = { "occupancy", compute_occupancy, true, 1, 0 };
const struct metric metric_stalls = { "stall ratio", compute_stalls, true, 3, 0 };
const struct metric metric_eliminated = { "eliminated", compute_eliminated, false, 1,
                                          0 };
const struct metric metric_reordered = { "reordered", share_of_issued, false, 1,
                                         COUNT(reordered) };
const struct metric metric_uniform = { "uniform", share_of_all, false, 1,
                                       COUNT(uniform) };
const struct metric metric_affine = { "affine", share_of_all, false, 1, COUNT(affine) };
const struct metric metric_unstructured = { "unstructured", share_of_all, false, 1,
                                            COUNT(unstructured) };
const struct metric metric_free = { "free", share_of_hybrid, false, 1, COUNT(free) };
const struct metric metric_moves = { "moves", compute_moves, false, 1, 0 };
const struct metric metric_raw = { "RAW", per_insertion, false, 2, COUNT(raw) };
const struct metric metric_war_waw = { "WAW-WAR", per_insertion, false, 2,
                                       COUNT(war_waw) };
const struct metric metric_stop = { "Stop", per_insertion, false, 2, COUNT(stop) };

const struct metric metric_energy = { "energy", compute_energy, true, 3, 0 };
const struct metric metric_edp = { "EDP", compute_edp, true, 3, 0 };
const struct metric metric_saved = { "energy saved", compute_saved, false, 1, 0 };
const struct metric metric_edp_saved = { "EDP saved", compute_edp_saved, false, 1, 0 };
const struct metric metric_power = { "more power", compute_power, false, 2, 0 };

const struct metric metric_window_power = { "window power", compute_window_power, false,
                                            2, 0 };
const struct metric metric_window_share = { "window's energy", compute_window_share,
                                            false, 2, 0 };
const struct metric metric_table_share = { "tables' energy", compute_table_share, false,
                                           2, 0 };
const struct metric metric_delay = { "time", compute_delay, true, 3, 0 };

const struct metric metric_um2 = { "area", NULL, false, 0, 0 };
const struct metric metric_chip_share = { "share", NULL, false, 3, 0 };
const struct metric metric_cluster = { "cluster", NULL, false, 0, 0 };
const struct metric metric_joins = { "distance", NULL, false, 4, 0 };
const struct metric metric_ipc = { "IPC", compute_ipc, true, 3, 0 };
const struct metric metric_stall_alu = { "ALU", share_of_waits, false, 1,
                                         COUNT(stall_alu) };
const struct metric metric_stall_fpu = { "FPU", share_of_waits, false, 1,
                                         COUNT(stall_fpu) };
const struct metric metric_stall_lsu = { "LSU", share_of_waits, false, 1,
                                         COUNT(stall_lsu) };
const struct metric metric_stall_ibuffer = { "IBuffer", share_of_waits, false, 1,
                                             COUNT(stall_ibuffer) };
const struct metric metric_stall_sfu = { "CSR", share_of_waits, false, 1,
                                         COUNT(stall_sfu) };
const struct metric metric_cu_held = { "CU held", compute_cu_held, false, 1, 0 };
const struct metric metric_cu_used = { "CU used", compute_cu_used, false, 1, 0 };
const struct metric metric_no_cu = { "no CU", compute_no_cu, false, 1, 0 };
#define DISTANCE(n)                                                       \
    {                                                                     \
        "distance " #n, share_of_passed, false, 1, COUNT(distance[n - 1]) \
    }
const struct metric metric_distance[FACTS_DISTANCES] = {
    DISTANCE(1),  DISTANCE(2),  DISTANCE(3),  DISTANCE(4),  DISTANCE(5),
    DISTANCE(6),  DISTANCE(7),  DISTANCE(8),  DISTANCE(9),  DISTANCE(10),
    DISTANCE(11), DISTANCE(12), DISTANCE(13), DISTANCE(14), DISTANCE(15),
};

double grid_launch_cycles(const struct grid *g)
{
    double most = 0;

    for (size_t i = 0; i < g->n_programs * g->n_columns; i++)
        most = fmax(most, g->facts[i].launch_cycles);
    return most;
}

static size_t count_capped(const struct grid *g)
{
    size_t n = 0;

    for (size_t i = 0; i < g->n_programs * g->n_columns; i++)
        n += g->facts[i].capped > 0;
    return n;
}

size_t grid_estimates(const struct grid *g)
{
    size_t n = 0;

    for (size_t i = 0; i < g->n_programs * g->n_columns; i++)
        n += g->facts[i].is_estimate;
    return n;
}

/* The widest 95 % interval, in % of the cycles. */
static double widest_interval(const struct grid *g)
{
    double most = 0;

    for (size_t i = 0; i < g->n_programs * g->n_columns; i++)
        if (g->facts[i].is_estimate && g->facts[i].cycles > 0)
            most = fmax(most, g->facts[i].half_width / g->facts[i].cycles);
    return 100 * most;
}

void grid_cycles_note(const struct grid *g, struct buf *out)
{
    double cycles = grid_launch_cycles(g);
    size_t n_capped = count_capped(g);

    if (n_capped)
        buf_printf(out,
                   "%zu of %zu runs have launches that reached their cap. Cycles are "
                   "those of the part\nthat was timed, and speed-ups compare warp "
                   "instructions per cycle.\n",
                   n_capped, g->n_programs * g->n_columns);
    if (grid_estimates(g))
        buf_printf(
            out,
            "%zu of %zu runs are estimates from a sample (" GRID_ESTIMATE
            "): the 95 %% interval of cycles is within +- %.1f %%;\nother numbers "
            "are of what was timed.\n",
            grid_estimates(g), g->n_programs * g->n_columns, widest_interval(g));
    if (cycles > 0)
        buf_printf(
            out,
            "Cycles and speed-ups are without the %.0f cycles from a launch to its "
            "first block\n(gpu.launch_cycles).\n",
            cycles);
}

double grid_metric(const struct grid *g, const struct metric *m, size_t program,
                   size_t base, size_t column)
{
    const struct facts *b = grid_at(g, program, base), *f = grid_at(g, program, column);

    return b && f ? m->of(m, b, f) : NO_NUMBER;
}

double metric_mean(const struct metric *m, const double *x, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += m->is_geometric ? log(x[i]) : x[i];
    if (!n)
        return NO_NUMBER;
    return m->is_geometric ? exp(sum / (double)n) : sum / (double)n;
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
