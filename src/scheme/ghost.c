/* ghost.c - GhOST: out-of-order issue from a second buffer after the instruction
 * buffer.
 *
 * Decoded instructions wait in their warp's IB. The scheduler's dependence checkers
 * take one instruction per warp and cycle. A checker finds out which instructions in
 * the warp's issue buffer (IsB) the new one must wait for; in the next cycle the new
 * one enters the IsB itself. The GhOST scheduler examines one warp per cycle and puts
 * its two oldest ready instructions into the ITab. The warp scheduler sees the older of
 * them; if a warp has nothing in the ITab, it sees the warp's oldest instruction, as in
 * an in-order machine.
 *
 * Source: "GhOST: a GPU out-of-order scheduling technique for stall reduction", ISCA
 * 2024, sections IV.A to IV.F. Where the authors' artifact differs from the paper, a
 * parameter marked "artifact" follows the artifact. docs/schemes/ghost.md lists what
 * the paper leaves open.
 *
 * An instruction in the IsB is ready when
 *   - its IB-dep vector is 0: it has no register hazard (RAW, WAR, WAW) with an older
 *     instruction in the IsB, and no memory operation there must stay ahead of it (only
 *     loads pass loads);
 *   - it is valid: no older branch is unresolved. Reconvergence is no hazard: the lanes
 *     are known when an instruction is checked;
 *   - none of its registers has a pending write;
 *   - precise: it is idempotent, or all older loads are translated.
 * A sync instruction enters an empty IsB and keeps others out until it has issued.
 * Ready instructions stay ready, so the contents of the ITab may be old but are never
 * wrong.
 *
 * LIMIT: wrong-path instructions are not fetched, so nothing is ever flushed.
 */
#include <string.h>

#include "base/bits.h"
#include "scheme/ghost_rules.h"

static const struct ghost_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct ghost *ghost_of(struct scheme *s)
{
    return (struct ghost *)s;
}

static struct uop *uop_at(struct ghost *g, const struct ghost_warp *w, unsigned place)
{
    return &g->base.pool[w->entry[place].uop];
}

static int init_ghost(struct scheme *s, bool is_precise)
{
    struct ghost *g = ghost_of(s);

    g->is_precise = s->wants_checks = is_precise;
    for (unsigned k = 0; k < s->shape->n_subcores; k++)
        g->sub[k] = (struct ghost_sub){ .picked = MAX_WARP_SLOTS,
                                        .last_checked = MAX_WARP_SLOTS - 1,
                                        .last_picked = MAX_WARP_SLOTS - 1 };
    for (unsigned w = 0; w < s->shape->n_warps; w++)
        warpset_add(&g->sub[w % s->shape->n_subcores].warps, w);
    return 0;
}

int ghost_init(struct scheme *s, struct err *err)
{
    (void)err;
    return init_ghost(s, false);
}

int ghost_init_precise(struct scheme *s, struct err *err)
{
    (void)err;
    return init_ghost(s, true);
}

void ghost_warp_start(struct scheme *s, unsigned warp)
{
    struct ghost_warp *w = &ghost_of(s)->warp[warp];

    memset(w, 0, sizeof *w);
    w->checking = NO_UOP;
    for (unsigned k = 0; k < params_of(s)->entries; k++)
        w->free[k] = (uint8_t)k;
}

void ghost_warp_end(struct scheme *s, unsigned warp)
{
    struct ghost *g = ghost_of(s);

    warpset_drop(&g->wwb, warp);
    warpset_drop(&g->ite, warp);
}

unsigned ghost_window(const void *p)
{
    const struct ghost_params *q = p;

    return q->entries + q->buffer + 1;
}

unsigned ghost_room(const struct scheme *s, unsigned warp)
{
    const struct ghost_warp *w = &((const struct ghost *)s)->warp[warp];

    if (w->ib_n && params_of(s)->refill == GHOST_REFILL_EMPTY)
        return 0;
    return params_of(s)->buffer - w->ib_n;
}

/* Moves the oldest instruction of the IB into a checker; it has the lanes active
 * now. */
static void ghost_start_check(struct ghost *g, unsigned warp)
{
    struct ghost_warp *w = &g->warp[warp];
    const struct ghost_params *p = params_of(&g->base);
    const struct uop *u = &g->base.pool[w->ib[w->ib_first]];

    w->checking = u->id;
    w->checked_at = g->base.cycle + (p->countdown ? p->countdown : 1);
    w->was_counted = false;
    if (g->is_precise && can_fault(u))
        w->loads++;
    w->ib_first = (uint8_t)((w->ib_first + 1u) % GHOST_MAX_BUFFER);
    warpset_add(&g->checking, warp);
    if (!--w->ib_n)
        warpset_drop(&g->waiting, warp);
    if (!w->ib_n || p->refill == GHOST_REFILL_ROOM)
        scheme_wake(&g->base, warp); /* the IB has room */
}

/* Checks the oldest instruction of the IB if nothing in its warp forbids it; if not,
 * returns false and counts the reason once. The instruction must be able to go on into
 * the IsB: if it waited in a checker, warps after it could wait for it forever
 * (docs/schemes/ghost.md). */
static bool ghost_try_check(struct ghost *g, unsigned warp)
{
    struct ghost_warp *w = &g->warp[warp];
    struct ghost_stats *t = g->base.stats;
    const struct uop *u = &g->base.pool[w->ib[w->ib_first]];
    bool is_full = w->n == params_of(&g->base)->entries;
    bool waits = w->n && inst_is_sync(u->dyn.inst);

    if (w->checking != NO_UOP || w->control)
        return false;
    if (is_full || waits) {
        t->isb_full += is_full && !w->was_counted;
        t->sync_waits += !is_full && !w->was_counted;
        w->was_counted = true;
        return false;
    }
    if (w->loads >= GHOST_MAX_LOADS && can_fault(u))
        return false;
    ghost_start_check(g, warp);
    return true;
}

void ghost_insert(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];

    INVARIANT(w->ib_n < params_of(s)->buffer);
    w->ib[(w->ib_first + w->ib_n++) % GHOST_MAX_BUFFER] = u->id;
    warpset_add(&g->waiting, u->warp);
    s->wants_tick = true;
    if (params_of(s)->countdown)
        ghost_try_check(g, u->warp);
}

static uint64_t ib_dep(struct ghost *g, const struct ghost_warp *w, const struct uop *u)
{
    uint64_t dep = 0;

    for (unsigned k = 0; k < w->n; k++)
        if (depends(g, uop_at(g, w, w->order[k]), u))
            dep |= bit64(w->order[k]);
    return dep;
}

/* Loads that a store could pass but for its address. */
static void count_held_stores(struct ghost *g, const struct ghost_warp *w,
                              const struct uop *u)
{
    struct ghost_stats *t = g->base.stats;

    for (unsigned k = 0; k < w->n; k++) {
        const struct uop *old = uop_at(g, w, w->order[k]);

        t->stores_held += stores_pass(g, old) && is_ordered(g, old, u) &&
                          !has_hazard(g, old->dyn.inst, u->dyn.inst);
    }
}

static void ghost_enter_isb(struct ghost *g, unsigned warp)
{
    struct ghost_warp *w = &g->warp[warp];
    struct ghost_stats *t = g->base.stats;
    struct uop *u = &g->base.pool[w->checking];
    unsigned place = w->free[w->first_free];
    struct ghost_entry *e = &w->entry[place];

    INVARIANT(w->n < params_of(&g->base)->entries);
    if (params_of(&g->base)->stores_pass && inst_writes_memory(u->dyn.inst))
        count_held_stores(g, w, u);
    *e = (struct ghost_entry){
        .regs = u->dyn.inst,
        .uop = u->id,
        .loads = (uint8_t)(w->loads - (g->is_precise && can_fault(u))),
        .dep = ib_dep(g, w, u),
        .branch = w->branch,
        .since = (uint32_t)g->base.cycle,
    };
    u->tag = place;
    w->first_free = (uint8_t)((w->first_free + 1u) % params_of(&g->base)->entries);
    w->order[w->n++] = (uint8_t)place;
    if (inst_is_branch(u->dyn.inst))
        w->branch = u->dyn.seq + 1;
    w->control = inst_is_sync(u->dyn.inst);
    t->dependent += e->dep != 0;
    w->checking = NO_UOP;
    warpset_drop(&g->checking, warp);
    if (w->n_itab < GHOST_ITAB)
        warpset_add(&g->ite, warp);
    if (w->n == 1)
        scheme_wake(&g->base, warp); /* it is the warp's oldest */
}

static void leave_checkers(struct ghost *g, const struct ghost_sub *sub)
{
    struct warpset checking = warpset_common(&g->checking, &sub->warps);

    while (warpset_any(&checking)) {
        unsigned warp = warpset_take(&checking);

        if (g->base.cycle >= g->warp[warp].checked_at)
            ghost_enter_isb(g, warp);
    }
}

/* Checks one instruction from each of several warps, in turn, while checkers are
 * free. */
static void fill_checkers(struct ghost *g, struct ghost_sub *sub)
{
    const struct ghost_params *p = params_of(&g->base);
    struct warpset set = warpset_common(&g->checking, &sub->warps);
    unsigned n = warpset_count(&set);

    set = warpset_without(&g->waiting, &g->checking);
    set = warpset_common(&set, &sub->warps);
    while (warpset_any(&set) && (n < p->checkers || p->countdown)) {
        unsigned warp = warpset_after(&set, sub->last_checked);

        warpset_drop(&set, warp);
        if (!ghost_try_check(g, warp)) {
            warpset_drop(&g->waiting, warp);
            continue;
        }
        sub->last_checked = warp;
        n++;
    }
}

static bool is_held(const struct ghost *g, const struct ghost_entry *e)
{
    return g->is_precise && e->loads && !(e->regs->flags & INST_REDO);
}

/* True if an instruction in the IsB may issue. One that only waits for older loads'
 * translation is counted once. */
static bool ghost_examine_entry(struct ghost *g, struct ghost_entry *e,
                                const struct regset *pending)
{
    struct ghost_stats *t = g->base.stats;

    if (e->dep || e->branch || regset_meets(&e->regs->touches, pending))
        return false;
    if (!is_held(g, e))
        return true;
    t->precise_waits += !e->was_held;
    e->was_held = true;
    return false;
}

/* The GhOST scheduler: picks the two oldest ready instructions of one warp, preferring
 * a warp with new results. The warp scheduler sees them in the next cycle. */
static void ghost_pick_ready(struct ghost *g, struct ghost_sub *sub)
{
    struct ghost_stats *t = g->base.stats;
    struct warpset wwb = warpset_common(&g->wwb, &sub->warps);
    struct warpset ite = warpset_common(&g->ite, &sub->warps);
    const struct regset *pending;
    struct ghost_warp *w;
    unsigned n_ready = 0;

    if (!warpset_any(&wwb) && !warpset_any(&ite))
        return;
    sub->picked = warpset_after(warpset_any(&wwb) ? &wwb : &ite, sub->last_picked);
    sub->last_picked = sub->picked;
    sub->n_pick = 0;
    warpset_drop(&g->wwb, sub->picked);
    warpset_drop(&g->ite, sub->picked);
    w = &g->warp[sub->picked];
    pending = &g->base.pending[sub->picked].all;
    for (unsigned k = 0; k < w->n; k++) {
        if (!ghost_examine_entry(g, &w->entry[w->order[k]], pending))
            continue;
        n_ready++;
        if (sub->n_pick < GHOST_ITAB)
            sub->pick[sub->n_pick++] = w->order[k];
    }
    t->picks++;
    t->picks_ready += n_ready;
    t->picks_placed += sub->n_pick;
}

static void show_pick(struct ghost *g, struct ghost_sub *sub)
{
    struct ghost_warp *w = &g->warp[sub->picked];

    memcpy(w->itab, sub->pick, sizeof w->itab);
    w->n_itab = sub->n_pick;
    scheme_wake(&g->base, sub->picked);
    sub->picked = MAX_WARP_SLOTS;
}

/* True if the IBs, the checkers or the GhOST scheduler have anything to do. */
static bool has_work(const struct ghost *g, const struct ghost_sub *sub)
{
    return warpset_meets(&g->waiting, &sub->warps) ||
           warpset_meets(&g->checking, &sub->warps) ||
           warpset_meets(&g->wwb, &sub->warps) || warpset_meets(&g->ite, &sub->warps);
}

void ghost_tick(struct scheme *s, uint64_t cycle)
{
    struct ghost *g = ghost_of(s);
    bool more = false;

    (void)cycle;
    for (unsigned k = 0; k < s->shape->n_subcores; k++) {
        struct ghost_sub *sub = &g->sub[k];
        struct warpset checking;

        if (sub->picked == MAX_WARP_SLOTS && !has_work(g, sub))
            continue;
        if (sub->picked < MAX_WARP_SLOTS)
            show_pick(g, sub);
        leave_checkers(g, sub);
        checking = g->checking;
        fill_checkers(g, sub);
        ghost_pick_ready(g, sub);
        more |= !warpset_same(&checking, &g->checking) || sub->picked < MAX_WARP_SLOTS;
    }
    /* Instructions waiting in an IB are examined again when something issues or
     * resolves. */
    s->wants_tick = more || warpset_any(&g->wwb) || warpset_any(&g->ite) ||
                    (params_of(s)->countdown && warpset_any(&g->checking));
}

/* The reason why the oldest instruction in the IsB does not issue. */
static struct offer hold_oldest(const struct ghost *g, unsigned warp)
{
    const struct ghost_warp *w = &g->warp[warp];
    const struct ghost_entry *e = &w->entry[w->order[0]];

    if (e->branch)
        return offer_none(HOLD_order);
    if (regset_meets(&e->regs->touches, &g->base.pending[warp].all))
        return offer_data(e->uop);
    return offer_none(is_held(g, e) ? HOLD_order : HOLD_structure);
}

struct offer ghost_candidate(struct scheme *s, unsigned warp)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[warp];

    if (w->n_itab)
        return offer_uop(w->entry[w->itab[0]].uop);
    if (w->n && params_of(s)->fallback &&
        ghost_examine_entry(g, &w->entry[w->order[0]], &s->pending[warp].all))
        return offer_uop(w->entry[w->order[0]].uop);
    if (w->n)
        return hold_oldest(g, warp);
    return offer_none(w->ib_n || w->checking != NO_UOP ? HOLD_structure : HOLD_empty);
}

/* Removes a place from a list, if it is in there. */
static void take_out(uint8_t *list, uint8_t *n, unsigned place)
{
    unsigned k = 0;

    while (k < *n && list[k] != place)
        k++;
    if (k == *n)
        return;
    --*n;
    for (; k < *n; k++)
        list[k] = list[k + 1];
}

/* Something has happened that may let the IB's oldest instruction into a checker. */
static void try_again(struct ghost *g, unsigned warp)
{
    if (g->warp[warp].ib_n)
        warpset_add(&g->waiting, warp);
    g->base.wants_tick = true;
}

/* Branches of a warp resolve in order: the next younger branch waits for this one. */
static void ghost_release_branch(struct ghost *g, struct ghost_warp *w,
                                 const struct uop *u)
{
    uint64_t branch = u->dyn.seq + 1;

    if (w->branch == branch)
        w->branch = 0;
    for (unsigned k = 0; k < w->n; k++)
        if (w->entry[w->order[k]].branch == branch)
            w->entry[w->order[k]].branch = 0;
    try_again(g, u->warp);
    if (w->n && w->n_itab < GHOST_ITAB)
        warpset_add(&g->ite, u->warp);
}

static bool passes_load(struct ghost *g, const struct ghost_warp *w,
                        const struct uop *u)
{
    for (unsigned k = 0; inst_is_load(u->dyn.inst) && w->order[k] != u->tag; k++)
        if (inst_is_load(uop_at(g, w, w->order[k])->dyn.inst))
            return true;
    return false;
}

static void count_issue(struct ghost *g, const struct ghost_warp *w,
                        const struct uop *u)
{
    struct ghost_stats *t = g->base.stats;

    t->isb_cycles += (uint32_t)g->base.cycle - w->entry[u->tag].since;
    t->from_itab += w->n_itab != 0;
    t->from_fallback += !w->n_itab;
    t->early_loads += passes_load(g, w, u);
    t->early_branches += inst_is_branch(u->dyn.inst) && w->order[0] != u->tag;
}

void ghost_issued(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];
    struct ghost_sub *sub = &g->sub[u->warp % s->shape->n_subcores];
    unsigned place = (unsigned)u->tag;

    INVARIANT(w->n && w->entry[place].uop == u->id);
    count_issue(g, w, u);
    take_out(w->order, &w->n, place);
    take_out(w->itab, &w->n_itab, place);
    if (sub->picked == u->warp)
        take_out(sub->pick, &sub->n_pick, place);
    w->free[(w->first_free + params_of(s)->entries - w->n - 1u) %
            params_of(s)->entries] = (uint8_t)place;
    for (unsigned k = 0; k < w->n; k++)
        w->entry[w->order[k]].dep &= ~bit64(place);
    if (inst_is_sync(u->dyn.inst) && !inst_is_branch(u->dyn.inst))
        w->control = false;
    if (inst_is_branch(u->dyn.inst) && params_of(s)->release_at_issue) {
        w->control = false;
        ghost_release_branch(g, w, u);
    }
    if (w->n)
        warpset_add(&g->ite, u->warp);
    try_again(g, u->warp);
}

void ghost_written_back(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];

    if (!w->n || !regset_any(&u->dyn.inst->writes))
        return;
    warpset_add(&g->wwb, u->warp);
    s->wants_tick = true;
}

void ghost_resolved(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);

    if (!inst_is_branch(u->dyn.inst) || params_of(s)->release_at_issue)
        return;
    if (inst_is_sync(u->dyn.inst))
        g->warp[u->warp].control = false;
    ghost_release_branch(g, &g->warp[u->warp], u);
}

/* Loads are translated in order, so each counter includes this load or is 0. */
void ghost_checked(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];

    if (!can_fault(u))
        return;
    w->loads--;
    for (unsigned k = 0; k < w->n; k++)
        if (w->entry[w->order[k]].loads)
            w->entry[w->order[k]].loads--;
    if (w->n && w->n_itab < GHOST_ITAB)
        warpset_add(&g->ite, u->warp);
    try_again(g, u->warp);
    scheme_wake(s, u->warp);
}

void ghost_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct ghost_warp *w = &((const struct ghost *)s)->warp[warp];

    buf_printf(out, "    IB %u, checker %u, IsB %u, ITab %u%s%s\n", w->ib_n,
               w->checking != NO_UOP, w->n, w->n_itab, w->control ? ", sync" : "",
               w->branch ? ", branch" : "");
    for (unsigned k = 0; k < w->n; k++) {
        const struct ghost_entry *e = &w->entry[w->order[k]];

        buf_printf(
            out, "      instruction %llu in place %u, IB-dep %#llx, loads %u%s\n",
            (unsigned long long)s->pool[e->uop].dyn.seq, w->order[k],
            (unsigned long long)e->dep, e->loads, e->branch ? ", not valid" : "");
    }
}

/* Table II: an entry has 111 bits with 8 entries. 3 of them are the index and 8 + 3 are
 * IB-dep: one bit per entry and one for each of three registers with a pending
 * write. */
static struct part *entry_parts(struct part *at, const char *structure, uint64_t n,
                                unsigned entries)
{
    *at++ = (struct part){ structure, "valid", n, 1 };
    *at++ = (struct part){ structure, "index", n, bits_for(entries) };
    *at++ = (struct part){ structure, "mask", n, 32 };
    *at++ = (struct part){ structure, "IB-dep", n, entries + 3 };
    *at++ = (struct part){ structure, "instruction", n, 64 };
    return at;
}

struct part *ghost_fields(const void *params_, const struct core_shape *shape,
                          struct part *at)
{
    const struct ghost_params *p = params_;
    unsigned warps = shape->n_warps, index = bits_for(p->entries);
    uint64_t itab = (uint64_t)warps * GHOST_ITAB;

    at = entry_parts(at, "issue buffer", (uint64_t)warps * p->entries, p->entries);
    at = entry_parts(at, "dependence checker",
                     (uint64_t)shape->n_subcores * p->checkers, p->entries);
    *at++ = (struct part){ "ITab", "valid", itab, 1 };
    *at++ = (struct part){ "ITab", "index", itab, index };
    *at++ = (struct part){ "warp", "Location Pointer", warps, p->entries * index };
    *at++ = (struct part){ "warp", "IdxVal", warps, index };
    *at++ = (struct part){ "warp", "WWb, ITE, control", warps, 3 };
    *at++ =
        (struct part){ "instruction buffer", "valid", (uint64_t)warps * p->buffer, 1 };
    *at++ = (struct part){ "instruction buffer", "instruction",
                           (uint64_t)warps * p->buffer, 64 };
    *at++ =
        (struct part){ "scoreboard", "pending write", (uint64_t)warps * N_REGID, 1 };
    return at;
}

static void ghost_parts(const void *p, const struct core_shape *shape, struct part *at)
{
    ghost_fields(p, shape, at);
}

#define PARAM_OF struct ghost_params
static const struct param_group ghost_param_group = PARAM_GROUP(
    "ghost", "GhOST: out-of-order issue from an issue buffer", GHOST_PARAMS);
#undef PARAM_OF
#define STAT_OF struct ghost_stats
static const struct stat_group ghost_stat_group =
    STAT_GROUP("ghost", "GhOST", GHOST_STATS);
#undef STAT_OF

const struct scheme_ops scheme_ghost = {
    .name = "ghost",
    .summary = "GhOST: out-of-order issue from an issue buffer, no renaming",
    .paper = "GhOST (ISCA 2024)",
    .params = &ghost_param_group,
    .stats = &ghost_stat_group,
    .init = ghost_init,
    GHOST_HOOKS,
    .parts = ghost_parts,
};
