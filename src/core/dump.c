/* dump.c - an SM in the report of a deadlock: its agenda, warps and load/store unit. */
#include "core/stages.h"

/* Of those that have not been released; NULL: none. */
static const struct uop *find_oldest(const struct sm *s, unsigned warp)
{
    const struct uop *oldest = NULL;

    for (const struct uop *u = s->pool; u < sm_uops_end(s); u++)
        if (u->stage != UOP_FREE && u->warp == warp &&
            (!oldest || u->dyn.seq < oldest->dyn.seq))
            oldest = u;
    return oldest;
}

/* Its address, text and source line. */
static void put_inst(const struct sm *s, const struct inst *i, struct buf *out)
{
    const struct kernel *k = s->launch.kernel;

    buf_printf(out, "0x%llx", (unsigned long long)(i->pc - k->first_pc));
    if (k->ops->text) {
        buf_putc(out, ' ');
        k->ops->text(k, i, out);
    }
    kernel_put_line(k, i, out);
}

void sm_put_stuck(const struct sm *s, struct buf *out)
{
    struct warpset m = s->blocks.resident;
    unsigned k = warpset_take(&m);
    const struct warp *w = &s->warp[k];
    const struct uop *u = find_oldest(s, k);

    buf_printf(out, "block %llu, warp %u",
               (unsigned long long)s->blocks.at[w->block].index, w->index);
    if (w->wait == WAIT_BARRIER) {
        buf_puts(out, " waits at ");
        put_inst(s, w->barrier_at, out);
    } else if (u) {
        buf_puts(out, " has not completed ");
        put_inst(s, u->dyn.inst, out);
    }
}

static void dump_warp(const struct sm *s, unsigned k, struct buf *out)
{
    const struct warp *w = &s->warp[k];
    const struct uop *u = find_oldest(s, k);

    buf_printf(out, "  warp %2u  block %llu warp %u  %-11s", k,
               (unsigned long long)s->blocks.at[w->block].index, w->index,
               w->filed.uop != NO_UOP    ? "ready"
               : w->filed.key == UNFILED ? "issued"
                                         : stall_name(w->filed.key));
    if (w->wait == WAIT_BARRIER) {
        buf_printf(out, "  barrier %u: %u of %u arrived, waits at ", w->barrier,
                   s->blocks.at[w->block].arrived[w->barrier],
                   s->blocks.at[w->block].n_warps - s->blocks.at[w->block].n_exited);
        put_inst(s, w->barrier_at, out);
    }
    if (u) {
        static const char *const stages[] = { "free",      "window",  "latch",
                                              "collector", "station", "operands",
                                              "execute",   "unit",    "done" };

        buf_printf(out, "  oldest: instruction %llu (%s) at ",
                   (unsigned long long)u->dyn.seq, stages[u->stage]);
        put_inst(s, u->dyn.inst, out);
    }
    buf_printf(out, "  loads %u stores %u atomics %u\n", w->loads, w->stores,
               w->atomics);
    if (s->scheme->ops->dump)
        s->scheme->ops->dump(s->scheme, k, out);
    if (s->skip && s->skip->ops->dump)
        s->skip->ops->dump(s->skip, k, out);
}

void sm_dump(const struct sm *s, struct buf *out)
{
    struct sm_wake wake = s->wake;

    cycle_plan_sleep(s, &wake.agenda);
    buf_printf(out, "SM %u, cycle %llu: %u blocks, %u warps\n", s->index,
               (unsigned long long)s->cycle, s->blocks.n, s->blocks.n_warps);
    wake_print(&wake, out);
    for (struct warpset m = s->blocks.resident; warpset_any(&m);)
        dump_warp(s, warpset_take(&m), out);
    lsu_dump(s->lsu, out);
}
