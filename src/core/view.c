/* view.c - tells a pipeline view where an instruction is. */
#include "core/stages.h"

static struct trace_inst view_describe_inst(const struct sm *s, const struct uop *u)
{
    const struct warp *w = &s->warp[u->warp];

    return (struct trace_inst){
        .kernel = s->launch.number,
        .block = s->blocks.at[w->block].index,
        .warp_of = w->index,
        .sm = (uint16_t)s->index,
        .warp = u->warp,
        .dyn = &u->dyn,
        .source = s->launch.kernel,
        .key = s->index * s->n_pool + u->id,
    };
}

/* Draws arrows from the instructions that wrote its sources, the nearest few. */
static void view_tell_producers(struct sm *s, const struct uop *u,
                                const struct trace_inst *i)
{
    unsigned n = u->dyn.inst->list.n_reads;

    for (unsigned k = 0; k < n; k++) {
        uint16_t back = (uint16_t)(u->version - u->source[k]);
        bool again = false;

        for (unsigned j = 0; j < k; j++)
            again |= u->source[j] == u->source[k];
        if (!again && back && back <= u->dyn.seq && back < 256)
            trace_depend(s->trace, i, u->dyn.seq - back, s->cycle);
    }
}

void view_stage(struct sm *s, const struct uop *u, enum trace_stage stage)
{
    struct trace_inst i = view_describe_inst(s, u);

    trace_stage(s->trace, &i, stage, s->cycle);
    if (stage == TRACE_ISSUE)
        view_tell_producers(s, u, &i);
}

void view_wait(struct sm *s, unsigned warp, enum stall cause)
{
    uop_id oldest = s->warp[warp].window.oldest;
    struct trace_inst i;

    /* The stall reason concerns this instruction. */
    if (oldest == NO_UOP || !s->warp[warp].is_resident)
        return;
    i = view_describe_inst(s, &s->pool[oldest]);
    trace_wait(s->trace, &i, cause == STALL_issued ? NULL : stall_name(cause),
               s->cycle);
}

void view_retire(struct sm *s, const struct uop *u)
{
    struct trace_inst i = view_describe_inst(s, u);

    trace_retire(s->trace, &i, false, s->cycle);
}

void view_warps(struct sm *s)
{
    trace_counter(s->trace, s->index, "resident warps", s->blocks.n_warps, s->cycle);
}
