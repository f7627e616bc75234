/* intervals.c - rows of counters every N cycles; see intervals.h. */
#include "session/intervals.h"

#include <math.h>

#include "base/json.h"
#include "mem/memory.h"

static const char *const statistics[N_INTERVAL] = {
#define COUNT(name, stat) [INTERVAL_##name] = stat,
    INTERVAL_COUNTS(COUNT)
#undef COUNT
};

/* ---- what follows from the counters ---- */

static double share(const struct interval *r, enum interval_count of,
                    enum interval_count all)
{
    return 100.0 * (double)r->count[of] / (double)r->count[all];
}

static double ipc_of(const struct intervals *i, const struct interval *r)
{
    (void)i;
    return (double)r->count[INTERVAL_thread_insts] / (double)r->cycles;
}

static double warp_ipc_of(const struct intervals *i, const struct interval *r)
{
    (void)i;
    return (double)r->count[INTERVAL_warp_insts] / (double)r->cycles;
}

static double occupancy_of(const struct intervals *i, const struct interval *r)
{
    (void)i;
    return share(r, INTERVAL_warp_cycles, INTERVAL_warp_slots);
}

static double l1_hits_of(const struct intervals *i, const struct interval *r)
{
    (void)i;
    return share(r, INTERVAL_l1_read_hits, INTERVAL_l1_reads);
}

static double l2_hits_of(const struct intervals *i, const struct interval *r)
{
    const uint64_t *c = r->count;

    (void)i;
    return 100.0 * (double)(c[INTERVAL_l2_read_hits] + c[INTERVAL_l2_write_hits]) /
           (double)(c[INTERVAL_l2_reads] + c[INTERVAL_l2_writes]);
}

/* 10^9 bytes per second, of so many bytes in an interval. */
static double gbytes(const struct intervals *i, const struct interval *r, double bytes)
{
    return bytes / (double)r->cycles * i->machine->memory.dram.core_clock * 1e3 / 1e9;
}

static double l2_rate_of(const struct intervals *i, const struct interval *r)
{
    return gbytes(i, r,
                  (double)SECTOR_BYTES * (double)(r->count[INTERVAL_l2_reads] +
                                                  r->count[INTERVAL_l2_writes]));
}

static double dram_rate_of(const struct intervals *i, const struct interval *r)
{
    const struct dram_params *d = &i->machine->memory.dram;

    return gbytes(
        i, r,
        (double)d->bus_bytes * d->burst *
            (double)(r->count[INTERVAL_dram_reads] + r->count[INTERVAL_dram_writes]));
}

static const struct rate {
    const char *name;
    double (*of)(const struct intervals *i, const struct interval *r);
} rates[] = {
    { "ipc", ipc_of },
    { "warp_ipc", warp_ipc_of },
    { "occupancy_pct", occupancy_of },
    { "l1_hit_pct", l1_hits_of },
    { "l2_hit_pct", l2_hits_of },
    { "l2_gbs", l2_rate_of },
    { "dram_gbs", dram_rate_of },
};
enum { N_RATE = sizeof rates / sizeof *rates };

static void put_rates(const struct intervals *i, const struct interval *r,
                      const char *none, struct buf *out)
{
    for (unsigned n = 0; n < N_RATE; n++) {
        double x = rates[n].of(i, r);

        if (isfinite(x))
            buf_printf(out, ",%.6g", x);
        else
            buf_printf(out, ",%s", none);
    }
}

/* ---- CSV ---- */

static void put_head(struct buf *out)
{
    buf_puts(out, "launch,kernel,start,cycles");
    for (unsigned n = 0; n < N_RATE; n++)
        buf_printf(out, ",%s", rates[n].name);
    for (unsigned n = 0; n < N_INTERVAL; n++)
        buf_printf(out, ",%s", statistics[n]);
    for (unsigned c = 0; c < N_STALL; c++)
        buf_printf(out, ",slots_%s", stall_name((enum stall)c));
    buf_putc(out, '\n');
}

static void put_row(const struct intervals *i, const struct interval *r,
                    const char *kernel, struct buf *out)
{
    buf_printf(out, "%llu,", (unsigned long long)r->launch);
    csv_field(out, kernel);
    buf_printf(out, ",%llu,%llu", (unsigned long long)r->start,
               (unsigned long long)r->cycles);
    put_rates(i, r, "", out);
    for (unsigned n = 0; n < N_INTERVAL; n++)
        buf_printf(out, ",%llu", (unsigned long long)r->count[n]);
    for (unsigned c = 0; c < N_STALL; c++)
        buf_printf(out, ",%llu", (unsigned long long)r->slot[c]);
    buf_putc(out, '\n');
}

/* Nothing stays in the stream's buffer: a program that forks would write it twice. */
static void write_row(struct intervals *i, const struct interval *r, const char *kernel)
{
    FILE *to = file_out_stream(i->file);
    struct buf line = { 0 };

    if (!i->has_head)
        put_head(&line);
    i->has_head = true;
    put_row(i, r, kernel, &line);
    fwrite(buf_text(&line), 1, line.len, to);
    fflush(to);
    buf_free(&line);
}

/* ---- rows of JSON ---- */

static void add_interval(struct interval *to, const struct interval *from)
{
    to->cycles += from->cycles;
    for (unsigned n = 0; n < N_INTERVAL; n++)
        to->count[n] += from->count[n];
    for (unsigned c = 0; c < N_STALL; c++)
        to->slot[c] += from->slot[c];
}

/* Two rows become one, for all of them. */
static void halve_rows(struct intervals *i)
{
    for (uint32_t n = 0; n < i->n / 2; n++) {
        i->row[n] = i->row[2 * n];
        add_interval(&i->row[n], &i->row[2 * n + 1]);
    }
    i->n /= 2;
    i->together *= 2;
    i->open = i->together;
}

static void keep_row(struct intervals *i, const struct interval *r)
{
    if (i->n && i->open < i->together) {
        add_interval(&i->row[i->n - 1], r);
        i->open++;
        return;
    }
    if (i->n == INTERVALS_KEPT)
        halve_rows(i);
    i->row[i->n++] = *r;
    i->open = 1;
}

void intervals_json(const struct intervals *i, struct buf *out)
{
    buf_printf(out, "{\"every\": %llu, \"columns\": [\"launch\", \"start\", \"cycles\"",
               (unsigned long long)(i->every * i->together));
    for (unsigned n = 0; n < N_RATE; n++)
        buf_printf(out, ", \"%s\"", rates[n].name);
    for (unsigned c = 0; c < N_STALL; c++)
        buf_printf(out, ", \"slots_%s\"", stall_name((enum stall)c));
    buf_puts(out, "], \"rows\": [");
    for (uint32_t n = 0; n < i->n; n++) {
        const struct interval *r = &i->row[n];

        buf_printf(out, "%s[%llu,%llu,%llu", n ? ",\n  " : "\n  ",
                   (unsigned long long)r->launch, (unsigned long long)r->start,
                   (unsigned long long)r->cycles);
        put_rates(i, r, "null", out);
        for (unsigned c = 0; c < N_STALL; c++)
            buf_printf(out, ",%llu", (unsigned long long)r->slot[c]);
        buf_putc(out, ']');
    }
    buf_puts(out, "]}");
}

/* ---- the clock of a GPU ---- */

/* The statistics up to now. One that the machine does not have stays 0. */
static int count_all(struct interval *sum, struct gpu *g, struct err *err)
{
    struct gpu_result *result = gpu_result_new(g, err);

    if (!result)
        return -1;
    for (unsigned n = 0; n < N_INTERVAL; n++)
        stat_find(gpu_result_report(result), statistics[n], &sum->count[n]);
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        for (unsigned c = 0; c < N_STALL; c++)
            sum->slot[c] += gpu_result_sm(result)->slot[k][c];
    gpu_result_free(result);
    return 0;
}

static int tick(void *to, struct gpu *g, const struct gpu_moment *at, struct err *err)
{
    struct intervals *i = to;
    struct interval sum = { .start = at->cycle };
    struct interval row = { .launch = at->launch,
                            .start = i->before + i->sum.start,
                            .cycles = at->cycle - i->sum.start };

    if (!row.cycles)
        return 0;
    if (count_all(&sum, g, err))
        return -1;
    for (unsigned n = 0; n < N_INTERVAL; n++)
        row.count[n] = sum.count[n] - i->sum.count[n];
    for (unsigned c = 0; c < N_STALL; c++)
        row.slot[c] = sum.slot[c] - i->sum.slot[c];
    i->sum = sum;
    if (i->file)
        write_row(i, &row, at->kernel);
    keep_row(i, &row);
    return 0;
}

int intervals_open(struct intervals *i, const char *path, uint64_t every,
                   struct err *err)
{
    i->every = every ? every : INTERVALS_EVERY;
    i->file = file_out_open(path, err);
    return i->file ? 0 : -1;
}

int intervals_start(struct intervals *i, struct gpu *g, const struct machine *m,
                    struct err *err)
{
    const struct gpu_clock clock = { i->every, tick, i };

    i->machine = m;
    i->before += i->sum.start;
    i->sum = (struct interval){ 0 };
    if (!i->together)
        i->together = i->open = 1;
    return gpu_set_clock(g, &clock, err);
}

int intervals_keep(struct intervals *i, struct err *err)
{
    int failed;

    if (!i->has_head)
        return 0;
    failed = file_out_keep(i->file, err);
    i->file = NULL;
    return failed;
}

void intervals_free(struct intervals *i)
{
    file_out_drop(i->file);
    i->file = NULL;
}
