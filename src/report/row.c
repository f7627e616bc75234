/* row.c - a run as a row of numbers. */
#include "report/row.h"

#include <math.h>

#include "base/json.h"

bool run_row_of(const struct grid *g, size_t program, size_t base, size_t column,
                struct run_row *r)
{
    const struct facts *f = grid_at(g, program, column);

    if (!f)
        return false;
    *r = (struct run_row){
        .program = g->program[program],
        .scheme = g->column[column].spec,
        .cycles = f->cycles,
        .speedup = grid_metric(g, &metric_speedup, program, base, column),
        .warp_insts = f->warp_insts,
        .reordered = grid_metric(g, &metric_reordered, program, column, column),
        .occupancy = f->occupancy,
        .joules = f->joules > 0 ? f->joules : NO_NUMBER,
        .watts = f->joules > 0 ? f->watts : NO_NUMBER,
        .energy = grid_metric(g, &metric_energy, program, base, column),
        .edp = grid_metric(g, &metric_edp, program, base, column),
        .launch_cycles = f->cycles - facts_compared_cycles(f),
        .is_estimate = f->is_estimate,
        .half_width = f->half_width,
        .unchecked = *f->unchecked ? f->unchecked : NULL,
    };
    r->stall = stall_name(stall_largest(f->slot, &r->stall_share));
    return true;
}

/* In the order in which they are written. */
static const struct {
    const char *name;
    size_t offset;
} numbers[] = {
    { "cycles", offsetof(struct run_row, cycles) },
    { "speedup", offsetof(struct run_row, speedup) },
    { "warp_insts", offsetof(struct run_row, warp_insts) },
    { "reordered", offsetof(struct run_row, reordered) },
    { "occupancy", offsetof(struct run_row, occupancy) },
    { "stall_share", offsetof(struct run_row, stall_share) },
    { "launch_cycles", offsetof(struct run_row, launch_cycles) },
    { "joules", offsetof(struct run_row, joules) },
    { "watts", offsetof(struct run_row, watts) },
    { "energy_ratio", offsetof(struct run_row, energy) },
    { "edp_ratio", offsetof(struct run_row, edp) },
};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

static double number_at(const struct run_row *r, size_t n)
{
    return *(const double *)(const void *)((const char *)r + numbers[n].offset);
}

/* Counts as counts: the shortest form of 5000 is 5e+03. */
static void put_value(double x, struct buf *out)
{
    if (floor(x) == x && fabs(x) < 1e15)
        buf_printf(out, "%.0f", x);
    else
        json_double(out, x);
}

void run_row_head(const struct grid *g, struct buf *out)
{
    buf_puts(out, ",stall");
    for (size_t n = 0; n < N_NUMBERS; n++)
        buf_printf(out, ",%s", numbers[n].name);
    buf_puts(out, ",checked");
    if (grid_estimates(g))
        buf_puts(out, ",half_width");
}

void run_row_csv(const struct grid *g, const struct run_row *r, struct buf *out)
{
    buf_printf(out, ",%s", r ? r->stall : "");
    for (size_t n = 0; n < N_NUMBERS; n++) {
        buf_putc(out, ',');
        if (r && !isnan(number_at(r, n)))
            put_value(number_at(r, n), out);
    }
    buf_puts(out, !r ? "," : r->unchecked ? ",0" : ",1");
    if (!grid_estimates(g))
        return;
    buf_putc(out, ',');
    if (r && r->is_estimate)
        put_value(r->half_width, out);
}

void run_row_json(const struct run_row *r, struct buf *out)
{
    for (size_t n = 0; n < N_NUMBERS; n++) {
        buf_printf(out, ", \"%s\": ", numbers[n].name);
        put_value(number_at(r, n), out);
    }
    buf_printf(out, ", \"stall\": \"%s\"", r->stall);
    stat_checked_json(r->unchecked, out);
    if (r->is_estimate) {
        buf_puts(out, ", \"half_width\": ");
        put_value(r->half_width, out);
    }
}
