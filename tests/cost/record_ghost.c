/* record_ghost.c - scheme `ghost.recorded`: ghost, with a window of it written to a file
 * (window.h). A cycle's line is
 *   t POPS OFFERS PICK DEPS
 * with, for the warps of the sub-core: instruction buffers whose oldest went to a checker
 * (a mask); the place that each warp offers, or -; warp, number and places of the pick, or
 * -; IB-dep of every place of every warp, hexadecimal, 0 where there is none.
 */
#include "scheme/ghost.h"
#include "window.h"

extern const struct scheme_ops scheme_ghost;

static struct ghost *ghost_of(struct scheme *s)
{
    return (struct ghost *)s;
}

static void record_start(struct scheme *s, unsigned warp)
{
    ghost_warp_start(s, warp);
    if (window_is_on(s, warp)) {
        window_line("s %u\n", window_warp(s, warp));
        s->wants_tick = true;
    }
}

static void record_end(struct scheme *s, unsigned warp)
{
    ghost_warp_end(s, warp);
    if (window_is_on(s, warp))
        window_line("e %u\n", window_warp(s, warp));
}

static void record_written(struct scheme *s, struct uop *u)
{
    ghost_written_back(s, u);
    if (window_is_on(s, u->warp) && regset_any(&u->dyn.inst->writes))
        window_line("w %u %u\n", window_warp(s, u->warp), window_result(u->dyn.inst));
}

static void record_resolved(struct scheme *s, struct uop *u)
{
    ghost_resolved(s, u);
    if (window_is_on(s, u->warp) && inst_is_branch(u->dyn.inst))
        window_line("r %u\n", window_warp(s, u->warp));
}

static void record_insert(struct scheme *s, struct uop *u)
{
    ghost_insert(s, u);
    if (window_is_on(s, u->warp))
        window_line("f %u %x %llx\n", window_warp(s, u->warp), u->dyn.mask,
                    (unsigned long long)window_inst(u));
}

static void record_issued(struct scheme *s, struct uop *u)
{
    if (window_is_on(s, u->warp))
        window_line("i %u %u %x %llx\n", window_warp(s, u->warp), (unsigned)u->tag,
                    u->dyn.mask, (unsigned long long)window_inst(u));
    ghost_issued(s, u);
}

static void write_offers(struct scheme *s)
{
    for (unsigned w = 0; w < s->shape->n_warps; w += s->shape->n_subcores) {
        struct offer o = ghost_candidate(s, w);

        if (o.hold == HOLD_nothing)
            window_line(" %u", (unsigned)s->pool[o.uop].tag);
        else
            window_line(" -");
    }
}

static void write_pick(const struct ghost_sub *sub)
{
    if (!sub->picked) {
        window_line(" -");
        return;
    }
    window_line(" %u %u", sub->last_picked, sub->n_pick);
    for (unsigned k = 0; k < sub->n_pick; k++)
        window_line(" %u", sub->pick[k]);
}

static void write_deps(struct scheme *s)
{
    const struct ghost_params *p = s->params;

    for (unsigned w = 0; w < s->shape->n_warps; w += s->shape->n_subcores) {
        const struct ghost_warp *at = &ghost_of(s)->warp[w];

        window_line(" ");
        for (unsigned k = p->entries; k--;)
            window_line("%02llx",
                        at->used >> k & 1 ? (unsigned long long)at->entry[k].dep : 0);
    }
}

static void record_tick(struct scheme *s, uint64_t cycle)
{
    const struct ghost_sub *sub = &ghost_of(s)->sub[0];

    ghost_tick(s, cycle);
    if (!window_is_on(s, 0))
        return;
    window_line("t %llx", (unsigned long long)sub->checking);
    write_offers(s);
    write_pick(sub);
    write_deps(s);
    window_end_cycle(s, !sub->checking && !sub->picked);
}

/* A copy of ghost's table, made before the first use. */
struct scheme_ops scheme_ghost_recorded;
__attribute__((constructor)) static void make_table(void)
{
    scheme_ghost_recorded = scheme_ghost;
    scheme_ghost_recorded.name = "ghost.recorded";
    scheme_ghost_recorded.warp_start = record_start;
    scheme_ghost_recorded.warp_end = record_end;
    scheme_ghost_recorded.written_back = record_written;
    scheme_ghost_recorded.resolved = record_resolved;
    scheme_ghost_recorded.insert = record_insert;
    scheme_ghost_recorded.issued = record_issued;
    scheme_ghost_recorded.tick = record_tick;
}
