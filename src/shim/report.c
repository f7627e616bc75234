/* report.c - tallies of a GPU's statistics, and a launch's line of text or JSON. */
#include "shim/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static void take_slots(struct tally *t, const struct sm_stats *s)
{
    for (unsigned c = 0; c < N_STALL; c++) {
        t->slots[c] = 0;
        for (unsigned k = 0; k < MAX_SUBCORES; k++)
            t->slots[c] += s->slot[k][c];
    }
}

int tally_take(struct tally *t, struct gpu *g, struct err *err)
{
    struct gpu_result *result = gpu_result_new(g, err);
    const struct stat_report *r;

    *t = (struct tally){ 0 };
    if (!result)
        return -1;
    r = gpu_result_report(result);
    t->report = *r;
    t->report.groups = t->bind;
    for (size_t i = 0; i < r->n_groups && i < TALLY_GROUPS; i++) {
        size_t size = r->groups[i].group->size;

        t->values[i] = malloc(size);
        if (!t->values[i]) {
            gpu_result_free(result);
            tally_free(t);
            return err_memory(err, "the statistics");
        }
        memcpy(t->values[i], r->groups[i].values, size);
        t->bind[i] = (struct stat_binding){ r->groups[i].group, t->values[i] };
    }
    take_slots(t, gpu_result_sm(result));
    gpu_result_free(result);
    return 0;
}

void tally_subtract(struct tally *t, const struct tally *earlier)
{
    for (size_t i = 0; i < t->report.n_groups; i++) {
        const struct stat_group *g = t->bind[i].group;

        for (size_t row = 0; row < g->n_rows; row++) {
            uint64_t *now = (uint64_t *)((char *)t->values[i] + g->rows[row].offset);

            *now -= *(uint64_t *)((char *)earlier->values[i] + g->rows[row].offset);
        }
    }
    for (unsigned c = 0; c < N_STALL; c++)
        t->slots[c] -= earlier->slots[c];
}

void tally_free(struct tally *t)
{
    for (size_t i = 0; i < TALLY_GROUPS; i++)
        free(t->values[i]);
    *t = (struct tally){ 0 };
}

static void put_shape(const char *name, const uint32_t shape[3], struct buf *out)
{
    buf_printf(out, ", \"%s\": [%u, %u, %u]", name, shape[0], shape[1], shape[2]);
}

static void put_number(const char *name, uint64_t value, struct buf *out)
{
    buf_printf(out, ", \"%s\": %llu", name, (unsigned long long)value);
}

/* What was written from there on goes into one line. */
static void join_lines(struct buf *out, size_t start)
{
    for (char *c = out->data + start; (c = strchr(c, '\n'));)
        *c = ' ';
}

static void put_loops(const struct loop_list *l, struct buf *out)
{
    size_t start;

    buf_puts(out, ", \"loops_unrolled\": ");
    start = out->len;
    loops_json(l, out);
    join_lines(out, start);
}

static void put_tally(const struct tally *t, struct buf *out)
{
    size_t start;

    buf_puts(out, ", \"slots\": {");
    for (unsigned c = 0; c < N_STALL; c++)
        buf_printf(out, "%s\"%s\": %llu", c ? ", " : "", stall_name((enum stall)c),
                   (unsigned long long)t->slots[c]);
    buf_puts(out, "}, \"stats\": {");
    start = out->len;
    stat_json(&t->report, out);
    join_lines(out, start);
    buf_putc(out, '}');
}

void report_json(const struct launch_report *r, struct buf *out)
{
    const struct sass_launch *l = r->launch;

    buf_printf(out, "{\"launch\": %llu, \"kernel\": ", (unsigned long long)r->number);
    json_string(out, l->kernel->info->name);
    put_shape("grid", l->grid, out);
    put_shape("block", l->block, out);
    put_number("dynamic_shared", l->dynamic_shared, out);
    put_number("registers", l->kernel->n_regs, out);
    buf_printf(out, ", \"mode\": \"%s\", \"ok\": %s, \"message\": ", r->mode,
               r->err->code ? "false" : "true");
    json_string(out, r->err->code ? r->err->text : "");
    put_number("blocks", r->cost->blocks, out);
    put_number("warp_insts", r->cost->warp_insts, out);
    put_number("thread_insts", r->cost->thread_insts, out);
    put_number("nanoseconds", r->cost->nanoseconds, out);
    if (r->loops)
        put_loops(r->loops, out);
    if (r->tally) {
        put_number("cycles", r->cycles, out);
        put_tally(r->tally, out);
    }
    buf_puts(out, "}\n");
}

/* The cause that took most of the slots, issuing and idle apart. */
static void put_largest(const struct tally *t, struct buf *out)
{
    double slot[N_STALL], share;
    enum stall cause;

    for (unsigned c = 0; c < N_STALL; c++)
        slot[c] = (double)t->slots[c];
    cause = stall_largest(slot, &share);
    if (share > 0)
        buf_printf(out, ", %s %.1f %%", stall_name(cause), share);
}

void report_text(const struct launch_report *r, struct buf *out)
{
    const struct sass_launch *l = r->launch;

    buf_printf(out, "leno: launch %llu, %s, grid %ux%ux%u, block %ux%ux%u, %s: ",
               (unsigned long long)r->number, l->kernel->info->name, l->grid[0],
               l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], r->mode);
    if (r->tally)
        buf_printf(out, "%llu cycles, %.3f us, ", (unsigned long long)r->cycles,
                   1e-3 * (double)r->cost->nanoseconds);
    buf_printf(out, "%llu warp instructions", (unsigned long long)r->cost->warp_insts);
    if (r->tally && r->cycles)
        buf_printf(out, ", %.3f a cycle",
                   (double)r->cost->warp_insts / (double)r->cycles);
    if (r->tally)
        put_largest(r->tally, out);
    if (r->loops)
        buf_printf(out, ", %zu of %zu loops unrolled", loops_unrolled(r->loops),
                   r->loops->n);
    buf_puts(out, r->err->code ? ", FAILED\n" : "\n");
}
