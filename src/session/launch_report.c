/* launch_report.c - tallies of a GPU's statistics, and a launch's line of text or JSON. */
#include "session/launch_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "session/energy.h"
#include "sim/describe.h"

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
    t->unchecked = gpu_result_unchecked(result);
    memcpy(t->slots, gpu_result_sm(result)->slot, sizeof t->slots);
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
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        for (unsigned c = 0; c < N_STALL; c++)
            t->slots[k][c] -= earlier->slots[k][c];
}

void tally_free(struct tally *t)
{
    for (size_t i = 0; i < TALLY_GROUPS; i++)
        free(t->values[i]);
    *t = (struct tally){ 0 };
}

enum { MAX_COMMAND = 1 << 20 };

/* As the kernel has it: each argument ends with a zero byte. */
static void put_arguments(struct buf *out)
{
    char *text = malloc(MAX_COMMAND);
    FILE *f = text ? fopen("/proc/self/cmdline", "rb") : NULL;
    size_t n = f ? fread(text, 1, MAX_COMMAND - 1, f) : 0;

    buf_puts(out, ", \"arguments\": [");
    if (text)
        text[n] = '\0';
    for (size_t first = n ? strlen(text) + 1 : 0, at = first; at < n;
         at += strlen(text + at) + 1) {
        buf_puts(out, at > first ? ", " : "");
        json_string(out, text + at);
    }
    buf_putc(out, ']');
    if (f)
        fclose(f);
    free(text);
}

void launch_report_about(const char *program, const struct machine *m, struct buf *out)
{
    document_text(out, "program", program);
    put_arguments(out);
    machine_describe(m, out);
}

static void put_shape(const char *name, const uint32_t shape[3], struct buf *out)
{
    buf_printf(out, ", \"%s\": [%u, %u, %u]", name, shape[0], shape[1], shape[2]);
}

static void put_launch(const struct launch_report *r, struct buf *out)
{
    const struct sass_launch *l = r->launch;

    buf_printf(out, ", \"code_arch\": \"sm_%u\"", l->module->cubin.sm);
    document_number(out, "launch", r->number);
    document_text(out, "kernel", l->kernel->info->name);
    put_shape("grid", l->grid, out);
    put_shape("block", l->block, out);
    document_number(out, "dynamic_shared", l->dynamic_shared);
    document_number(out, "registers", l->kernel->n_regs);
}

void launch_report_head(const struct launch_report *r, struct buf *out)
{
    document_begin(out, "launch");
    buf_puts(out, r->about);
    put_launch(r, out);
    buf_puts(out, ", \"mode\": ");
}

static void put_sampled(const struct sample_launch *l, struct buf *out)
{
    document_number(out, "estimated_cycles", (uint64_t)(l->cycles + 0.5));
    document_number(out, "estimated_half_width", (uint64_t)(l->half_width + 0.5));
    document_number(out, "timed_blocks", l->blocks);
    document_bool(out, "unstable", l->is_unstable);
}

static void put_numbers(const struct launch_report *r, struct buf *out)
{
    const struct tally *t = r->tally;

    document_number(out, "blocks", r->cost->blocks);
    document_number(out, "warp_insts", r->cost->warp_insts);
    document_number(out, "thread_insts", r->cost->thread_insts);
    document_number(out, "nanoseconds", launch_report_ns(r));
    if (r->is_capped || (r->sampled && r->sampled->is_cut))
        document_number(out, "functional_warp_insts", r->rest_insts);
    if (r->sampled)
        put_sampled(r->sampled, out);
    if (r->loops) {
        buf_puts(out, ", \"loops_unrolled\": ");
        loops_json(r->loops, out);
    }
    if (!t)
        return;
    document_number(out, "cycles", r->cycles);
    stat_checked_json(t->unchecked, out);
    buf_puts(out, ", \"stats\": {");
    stat_json(&t->report, out);
    buf_puts(out, "}, \"slots\": ");
    stall_json(t->slots, MAX_SUBCORES, out);
    energy_put_member(r->machine, NULL, &t->report, out);
}

void launch_report_json(const struct launch_report *r, struct buf *out)
{
    launch_report_head(r, out);
    json_string(out, r->mode);
    document_outcome(out, r->err);
    document_bool(out, "partial", gpu_is_partial(r->err));
    document_bool(out, "capped", r->is_capped);
    if (gpu_has_statistics(r->err))
        put_numbers(r, out);
    buf_putc(out, '}');
    for (char *c = out->data; (c = strchr(c, '\n'));)
        *c = ' '; /* one line per launch */
    buf_putc(out, '\n');
}

/* The cause with most of the slots, except issuing and idle. */
static void put_largest(const struct tally *t, struct buf *out)
{
    double slot[N_STALL] = { 0 }, share;
    enum stall cause;

    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        for (unsigned c = 0; c < N_STALL; c++)
            slot[c] += (double)t->slots[k][c];
    cause = stall_largest(slot, &share);
    if (share > 0)
        buf_printf(out, ", %s %.1f %%", stall_name(cause), share);
}

void launch_report_text(const struct launch_report *r, struct buf *out)
{
    const struct sass_launch *l = r->launch;

    buf_printf(out, "leno: launch %llu, %s, grid %ux%ux%u, block %ux%ux%u, %s: ",
               (unsigned long long)r->number, l->kernel->info->name, l->grid[0],
               l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], r->mode);
    if (!gpu_has_statistics(r->err)) {
        buf_puts(out, "FAILED\n");
        return;
    }
    if (r->tally)
        buf_printf(out, "%llu cycles, %.3f us, ", (unsigned long long)r->cycles,
                   1e-3 * (double)launch_report_ns(r));
    buf_printf(out, "%llu warp instructions", (unsigned long long)r->cost->warp_insts);
    if (r->tally && r->cycles)
        buf_printf(out, ", %.3f per cycle",
                   (double)r->cost->warp_insts / (double)r->cycles);
    if (r->tally)
        put_largest(r->tally, out);
    if (r->tally && r->tally->unchecked)
        buf_printf(out, ", unchecked (%s)", r->tally->unchecked);
    if (r->is_capped)
        buf_printf(out, ", capped: %llu more executed functionally",
                   (unsigned long long)r->rest_insts);
    if (r->sampled && r->sampled->is_cut)
        buf_printf(out,
                   ", cut after %llu of %llu blocks: estimate for all %.0f cycles +- "
                   "%.0f",
                   (unsigned long long)r->sampled->blocks,
                   (unsigned long long)r->cost->blocks, r->sampled->cycles,
                   r->sampled->half_width);
    if (r->sampled && r->sampled->is_unstable)
        buf_puts(out, ", timed whole: rate not stable");
    if (r->loops)
        buf_printf(out, ", %zu of %zu loops unrolled", loops_unrolled(r->loops),
                   r->loops->n);
    buf_puts(out, r->err->code ? ", PARTIAL\n" : "\n");
}
