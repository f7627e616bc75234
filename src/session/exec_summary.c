/* exec_summary.c - sums over a program's launches and the table made of them. */
#include "session/exec_summary.h"

#include <stdlib.h>
#include <string.h>

#include "session/demangle.h"
#include "sim/describe.h"

enum { MAX_NAME = 96 };

void exec_summary_free(struct exec_summary *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->kernels[i].name);
    free(s->kernels);
    *s = (struct exec_summary){ 0 };
}

struct exec_sum *exec_summary_kernel(struct exec_summary *s, const char *name)
{
    struct exec_sum *grown;

    for (size_t i = 0; i < s->n; i++) {
        if (!strcmp(s->kernels[i].name, name))
            return &s->kernels[i];
    }
    grown = realloc(s->kernels, (s->n + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    s->kernels = grown;
    grown[s->n] = (struct exec_sum){ .name = strdup(name) };
    return grown[s->n].name ? &grown[s->n++] : NULL;
}

static void add_launch(struct exec_sum *sum, const struct launch_report *r)
{
    sum->launches++;
    if (!gpu_has_statistics(r->err))
        return;
    sum->warp_insts += r->cost->warp_insts;
    if (!r->tally)
        return;
    sum->timed++;
    sum->capped += r->is_capped;
    sum->cut += r->sampled && r->sampled->is_cut;
    sum->warp_insts += r->rest_insts;
    sum->timed_insts += r->cost->warp_insts;
    sum->cycles += r->cycles;
    sum->nanoseconds += launch_report_ns(r);
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        for (unsigned c = 0; c < N_STALL; c++)
            sum->slots[c] += (double)r->tally->slots[k][c];
}

void exec_summary_add(struct exec_summary *s, const struct launch_report *r)
{
    struct exec_sum *kernel = exec_summary_kernel(s, r->launch->kernel->info->name);

    add_launch(&s->all, r);
    if (kernel)
        add_launch(kernel, r);
}

static void add_kept(struct exec_sum *sum, const struct kept_launch *l)
{
    sum->launches++;
    sum->warp_insts += l->warp_insts + l->rest_insts;
    if (!l->is_timed)
        return;
    sum->timed++;
    sum->capped += l->is_capped;
    sum->cut += l->sampled.is_cut;
    sum->timed_insts += l->warp_insts;
    sum->cycles += l->cycles;
    sum->nanoseconds += l->nanoseconds;
    for (unsigned c = 0; c < N_STALL; c++)
        sum->slots[c] += l->slots[c];
}

void exec_summary_add_kept(struct exec_summary *s, const char *name,
                           const struct kept_launch *l)
{
    struct exec_sum *kernel = exec_summary_kernel(s, name);

    s->kept++;
    add_kept(&s->all, l);
    if (kernel)
        add_kept(kernel, l);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void put_totals(const struct exec_summary *s, const struct machine *m,
                       struct buf *out)
{
    const struct exec_sum *all = &s->all;

    buf_printf(out, "leno: %llu launch%s of %zu kernel%s on %s, scheme %s%s%s: ",
               (unsigned long long)all->launches, all->launches == 1 ? "" : "es", s->n,
               s->n == 1 ? "" : "s", m->name, m->scheme->name, m->skip ? "+" : "",
               m->skip ? m->skip->name : "");
    if (all->timed)
        buf_printf(out, "%llu cycles, %.3f us, ", (unsigned long long)all->cycles,
                   1e-3 * (double)all->nanoseconds);
    buf_printf(out, "%llu warp instructions", (unsigned long long)all->warp_insts);
    if (all->timed)
        buf_printf(out, ", %.3f per cycle",
                   ratio((double)all->timed_insts, (double)all->cycles));
    if (all->timed && all->timed < all->launches)
        buf_printf(out, "; %llu of the launches timed", (unsigned long long)all->timed);
    if (s->kept)
        buf_printf(out, "; %llu of an earlier run", (unsigned long long)s->kept);
    if (all->capped)
        buf_printf(out, "; %llu capped, cycles are of the part before",
                   (unsigned long long)all->capped);
    if (all->cut)
        buf_printf(out, "; %llu cut, cycles are of the part before",
                   (unsigned long long)all->cut);
    buf_printf(out, "\nleno: simulated in %.2f s", s->seconds);
    if (all->timed)
        buf_printf(out, ", %.0f cycles per second",
                   ratio((double)all->cycles, s->seconds));
    buf_printf(out, ", %.0f warp instructions per second\n",
               ratio((double)all->warp_insts, s->seconds));
}

/* The two largest stall reasons: "memory 41.2 %, barrier 12.0 %". */
static void put_stalls(const struct exec_sum *k, struct buf *out)
{
    double slots[N_STALL], share;
    size_t start = out->len;

    memcpy(slots, k->slots, sizeof slots);
    for (int i = 0; i < 2; i++) {
        enum stall cause = stall_largest(slots, &share);

        if (share > 0)
            buf_printf(out, "%s%s %.1f %%", i ? ", " : "", stall_name(cause), share);
        if (cause != STALL_idle) { /* it counts among all slots still */
            slots[STALL_idle] += slots[cause];
            slots[cause] = 0;
        }
    }
    buf_printf(out, "%*s", (int)(start + 36 > out->len ? start + 36 - out->len : 0),
               "");
}

/* The columns that only timed launches have. */
static void put_timing(const struct exec_sum *k, struct buf *out)
{
    if (!k->timed) {
        buf_printf(out, "%6s  %-36s  ", "-", "");
        return;
    }
    buf_printf(out, "%6.3f  ", ratio((double)k->timed_insts, (double)k->cycles));
    put_stalls(k, out);
    buf_puts(out, "  ");
}

static void put_kernel(const struct exec_summary *s, const struct exec_sum *k,
                       struct buf *out)
{
    double share = s->all.timed
                       ? ratio((double)k->cycles, (double)s->all.cycles)
                       : ratio((double)k->warp_insts, (double)s->all.warp_insts);

    buf_printf(out, "leno: %5.1f %% %9llu ", 100 * share,
               (unsigned long long)k->launches);
    if (s->all.timed)
        buf_printf(out, "%14llu ", (unsigned long long)k->cycles);
    buf_printf(out, "%14llu  ", (unsigned long long)k->warp_insts);
    if (s->all.timed)
        put_timing(k, out);
    demangle_put(out, k->name, MAX_NAME);
    if (k->capped)
        buf_printf(out, "  (%llu capped)", (unsigned long long)k->capped);
    if (k->cut)
        buf_printf(out, "  (%llu cut)", (unsigned long long)k->cut);
    buf_putc(out, '\n');
}

static int compare_sums(const void *a, const void *b)
{
    const struct exec_sum *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? 1 : -1;
    if (x->warp_insts != y->warp_insts)
        return x->warp_insts < y->warp_insts ? 1 : -1;
    return strcmp(x->name, y->name);
}

void exec_summary_put(struct exec_summary *s, const struct machine *m, struct buf *out)
{
    if (!s->all.launches)
        return;
    put_totals(s, m, out);
    if (s->n)
        qsort(s->kernels, s->n, sizeof *s->kernels, compare_sums);
    if (s->all.timed)
        buf_printf(out, "leno: %7s %9s %14s %14s  %6s  %-36s  %s\n", "share",
                   "launches", "cycles", "warp insts", "IPC", "largest stall reasons",
                   "kernel");
    else
        buf_printf(out, "leno: %7s %9s %14s  %s\n", "share", "launches", "warp insts",
                   "kernel");
    for (size_t i = 0; i < s->n; i++)
        put_kernel(s, &s->kernels[i], out);
}
