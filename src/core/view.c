/* view.c - tells whoever draws pipelines where an instruction is. */
#include "core/state.h"

static struct trace_inst describe(const struct sm *s, const struct uop *u)
{
    const struct warp *w = &s->warp[u->warp];

    return (struct trace_inst){
        .kernel = s->kernel_number,
        .block = s->block[w->block].index,
        .warp_of = w->index,
        .sm = (uint16_t)s->index,
        .warp = u->warp,
        .dyn = &u->dyn,
        .source = s->kernel,
        .key = s->index * s->n_pool + u->id,
    };
}

void view_stage(struct sm *s, const struct uop *u, enum trace_stage stage)
{
    struct trace_inst i = describe(s, u);

    for (struct trace *t = s->trace; t; t = t->next)
        t->ops->stage(t, &i, stage, s->cycle);
}

void view_wait(struct sm *s, unsigned warp, enum stall cause)
{
    const struct warp *w = &s->warp[warp];
    const struct uop *oldest = NULL;

    /* The oldest instruction in the window is the one that the cause is about. */
    for (unsigned k = 0; k < s->n_pool; k++) {
        const struct uop *u = &s->pool[k];

        if (u->stage == UOP_WINDOW && u->warp == warp &&
            (!oldest || u->dyn.seq < oldest->dyn.seq))
            oldest = u;
    }
    if (!oldest || !w->is_resident)
        return;
    struct trace_inst i = describe(s, oldest);
    for (struct trace *t = s->trace; t; t = t->next)
        t->ops->wait(t, &i, cause == STALL_issued ? "" : stall_name(cause), s->cycle);
}

void view_retire(struct sm *s, const struct uop *u)
{
    struct trace_inst i = describe(s, u);

    for (struct trace *t = s->trace; t; t = t->next)
        t->ops->retire(t, &i, false, s->cycle);
}
