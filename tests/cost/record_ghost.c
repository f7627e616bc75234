/* record_ghost.c - scheme `ghost.recorded`: ghost, with a window of it written to a file
 * (window.h). A cycle's line is
 *   t POPS OFFERS PICK DEPS
 * with, for the warps of the sub-core: instruction buffers whose oldest went to a checker
 * (a mask); the place that each warp offers, or -; warp, number and places of the pick, or
 * -; IB-dep of every place of every warp, hexadecimal, 0 where there is none.
 */
#include "scheme/ghost_isb.h"
#include "window.h"

extern const struct scheme_ops scheme_ghost;

static struct ghost *ghost_of(struct scheme *s)
{
    return (struct ghost *)s;
}

/* The hardware's places. It takes them from a queue in the order in which they became free;
 * ghost.c takes any, since only ages count. */
static struct places {
    uint64_t used;                 /* places of ghost.c ... */
    uint8_t at[GHOST_MAX_ENTRIES]; /* ... and the hardware's for each */
    uint8_t free[GHOST_MAX_ENTRIES], n_taken, n_freed;
} places[MAX_WARP_SLOTS];

static void places_start(const struct scheme *s, unsigned warp)
{
    const struct ghost_params *p = s->params;
    struct places *h = &places[warp];

    *h = (struct places){ 0 };
    for (; h->n_freed < p->entries; h->n_freed++)
        h->free[h->n_freed] = h->n_freed;
}

/* At most one instruction of a warp has entered its IsB. */
static void places_enter(struct scheme *s, unsigned warp)
{
    const struct ghost_warp *w = &ghost_of(s)->warp[warp];
    struct places *h = &places[warp];

    if (w->used == h->used)
        return;
    h->at[bits_first(w->used ^ h->used)] = h->free[h->n_taken++ % GHOST_MAX_ENTRIES];
    h->used = w->used;
}

static void places_leave(unsigned warp, unsigned place)
{
    struct places *h = &places[warp];

    h->used &= ~bit64(place);
    h->free[h->n_freed++ % GHOST_MAX_ENTRIES] = h->at[place];
}

static uint64_t places_of(unsigned warp, uint64_t set)
{
    uint64_t hardware = 0;

    for (; set; set &= set - 1)
        hardware |= bit64(places[warp].at[bits_first(set)]);
    return hardware;
}

static void record_start(struct scheme *s, unsigned warp)
{
    ghost_warp_start(s, warp);
    places_start(s, warp);
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
        window_line("i %u %u %x %llx\n", window_warp(s, u->warp),
                    places[u->warp].at[u->tag], u->dyn.mask,
                    (unsigned long long)window_inst(u));
    places_leave(u->warp, u->tag);
    ghost_issued(s, u);
}

static void write_offers(struct scheme *s)
{
    for (unsigned w = 0; w < s->shape->n_warps; w += s->shape->n_subcores) {
        struct offer o = ghost_candidate(s, w);

        if (o.hold == HOLD_nothing)
            window_line(" %u", places[w].at[s->pool[o.uop].tag]);
        else
            window_line(" -");
    }
}

static void write_pick(struct scheme *s, const struct ghost_sub *sub)
{
    unsigned warp = shape_warp(s->shape, 0, sub->last_picked), place;

    window_line(" %u %d", sub->last_picked, __builtin_popcountll(sub->pick));
    for (uint64_t m = sub->pick; m; m &= ~bit64(place)) {
        place = ghost_oldest_of(&ghost_of(s)->warp[warp], m);
        window_line(" %u", places[warp].at[place]);
    }
}

static void write_deps(struct scheme *s)
{
    const struct ghost_params *p = s->params;

    for (unsigned w = 0; w < s->shape->n_warps; w += s->shape->n_subcores) {
        const struct ghost_warp *at = &ghost_of(s)->warp[w];

        uint64_t dep[GHOST_MAX_ENTRIES] = { 0 };

        for (uint64_t m = at->used; m; m &= m - 1)
            dep[places[w].at[bits_first(m)]] =
                places_of(w, at->entry[bits_first(m)].dep);
        window_line(" ");
        for (unsigned k = p->entries; k--;)
            window_line("%02llx", (unsigned long long)dep[k]);
    }
}

static void record_tick(struct scheme *s, uint64_t cycle)
{
    const struct ghost_sub *sub = &ghost_of(s)->sub[0];
    uint8_t n_picks = sub->n_picks;

    ghost_tick(s, cycle);
    for (unsigned w = 0; w < s->shape->n_warps; w++)
        places_enter(s, w);
    if (!window_is_on(s, 0))
        return;
    window_line("t %llx", (unsigned long long)sub->checking);
    write_offers(s);
    if (sub->n_picks != n_picks)
        write_pick(s, sub);
    else
        window_line(" -");
    write_deps(s);
    window_end_cycle(s, !sub->checking && sub->n_picks == n_picks);
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
