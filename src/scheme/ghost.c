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
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "scheme/ghost_isb.h"
#include "scheme/ghost_parts.h"
#include "scheme/ghost_rules.h"

static const struct ghost_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct ghost *ghost_of(struct scheme *s)
{
    return (struct ghost *)s;
}

static struct ghost_sub *sub_of(struct ghost *g, unsigned warp)
{
    return &g->sub[shape_subcore(g->base.shape, warp)];
}

/* Does the ITab have room for another instruction of the warp? */
static bool itab_has_room(const struct ghost_warp *w)
{
    return !(w->itab & (w->itab - 1));
}
_Static_assert(GHOST_ITAB == 2, "itab_has_room()");

int ghost_init(struct scheme *s, struct err *err)
{
    struct ghost *g = ghost_of(s);

    (void)err;
    s->wants_checks = is_precise(g);
    for (unsigned k = 0; k < s->shape->n_subcores; k++)
        g->sub[k] = (struct ghost_sub){ .index = (uint8_t)k,
                                        .last_checked = MAX_SUBCORE_WARPS - 1,
                                        .last_picked = MAX_SUBCORE_WARPS - 1 };
    return 0;
}

int ghost_init_precise(struct scheme *s, struct err *err)
{
    return ghost_init(s, err);
}

void ghost_warp_start(struct scheme *s, unsigned warp)
{
    struct ghost_warp *w = &ghost_of(s)->warp[warp];

    memset(w, 0, offsetof(struct ghost_warp, entry));
    w->checking = NO_UOP;
}

void ghost_warp_end(struct scheme *s, unsigned warp)
{
    struct ghost_sub *sub = sub_of(ghost_of(s), warp);

    sub->wwb &= ~shape_bit(s->shape, warp);
    sub->ite &= ~shape_bit(s->shape, warp);
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
    struct ghost_sub *sub = sub_of(g, warp);
    const struct uop *u = &g->base.pool[w->ib_first];

    w->checking = u->id;
    w->checked_at = g->base.cycle + (p->countdown ? p->countdown : 1);
    w->was_counted = false;
    if (is_precise(g) && can_fault(u))
        w->loads++;
    w->ib_first = u->younger;
    sub->checking |= shape_bit(g->base.shape, warp);
    if (!--w->ib_n)
        sub->waiting &= ~shape_bit(g->base.shape, warp);
    if (!w->ib_n || p->refill == GHOST_REFILL_ROOM)
        scheme_wake(&g->base, warp); /* the IB has room */
}

/* Checks the oldest instruction of the IB if nothing in its warp forbids it; if not,
 * returns false and counts the reason once. The instruction must be able to go on into
 * the IsB: if it waited in a checker, warps after it could wait for it forever
 * (docs/schemes/ghost.md). */
static inline bool ghost_try_check(struct ghost *g, unsigned warp)
{
    struct ghost_warp *w = &g->warp[warp];
    struct ghost_stats *t = g->base.stats;
    const struct uop *u = &g->base.pool[w->ib_first];
    bool is_full, waits;

    if (w->checking != NO_UOP || w->control)
        return false;
    is_full = (unsigned)__builtin_popcountll(w->used) == params_of(&g->base)->entries;
    waits = w->used && inst_is_sync(u->dyn.inst);
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

/* perf: of the artifact, and apart from what is inlined. */
__attribute__((noinline)) static void check_at_once(struct ghost *g, unsigned warp)
{
    ghost_try_check(g, warp);
}

void ghost_insert(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];

    INVARIANT(w->ib_n < params_of(s)->buffer);
    if (!w->ib_n++) {
        w->ib_first = u->id;
        sub_of(g, u->warp)->waiting |= shape_bit(s->shape, u->warp);
        s->wants_tick = true;
    }
    if (params_of(s)->countdown)
        check_at_once(g, u->warp);
}

/* Finds the instructions in the IsB that the one in this place must wait for. */
static uint64_t ib_dep(struct ghost *g, struct ghost_warp *w, const struct uop *u,
                       unsigned place)
{
    bool is_memory = inst_is_memory(u->dyn.inst);
    uint64_t dep = 0;

    for (uint64_t m = w->used; m; m &= m - 1) {
        struct ghost_entry *e = &w->entry[bits_first(m)];

        if (!has_hazard(g, e->regs, u->dyn.inst) &&
            !(is_memory && is_ordered(g, &g->base.pool[e->uop], u)))
            continue;
        dep |= m & -m;
        e->waiters |= bit64(place);
    }
    return dep;
}

/* Loads that a store could pass but for its address. */
static void count_held_stores(struct ghost *g, const struct ghost_warp *w,
                              const struct uop *u)
{
    struct ghost_stats *t = g->base.stats;

    for (uint64_t m = w->used; m; m &= m - 1) {
        const struct uop *old = &g->base.pool[w->entry[bits_first(m)].uop];

        t->stores_held += stores_pass(g, old) && is_ordered(g, old, u) &&
                          !has_hazard(g, old->dyn.inst, u->dyn.inst);
    }
}

static void ghost_enter_isb(struct ghost *g, struct ghost_sub *sub, unsigned warp)
{
    struct ghost_warp *w = &g->warp[warp];
    struct ghost_stats *t = g->base.stats;
    struct uop *u = &g->base.pool[w->checking];
    unsigned place = bits_first(~w->used); /* any: its age counts, not its place */
    struct ghost_entry *e = &w->entry[place];

    INVARIANT(place < params_of(&g->base)->entries);
    if (params_of(&g->base)->stores_pass && inst_writes_memory(u->dyn.inst))
        count_held_stores(g, w, u);
    *e = (struct ghost_entry){
        .regs = u->dyn.inst,
        .uop = u->id,
        .loads = (uint8_t)(w->loads - (is_precise(g) && can_fault(u))),
        .dep = ib_dep(g, w, u, place),
        .branch = w->branch,
        .since = (uint32_t)g->base.cycle,
    };
    u->tag = (uint16_t)place;
    if (!w->used) {
        w->oldest = (uint8_t)place;
        scheme_wake_offer(&g->base, warp);
    }
    w->used |= bit64(place);
    ghost_open_entry(w, place);
    if (inst_is_branch(u->dyn.inst))
        w->branch = u->dyn.seq + 1;
    w->control = inst_is_sync(u->dyn.inst);
    t->dependent += e->dep != 0;
    w->checking = NO_UOP;
    sub->checking &= ~shape_bit(g->base.shape, warp);
    if (itab_has_room(w))
        sub->ite |= shape_bit(g->base.shape, warp);
}

/* The warp of a sub-core with this bit. */
static unsigned warp_at(const struct ghost *g, const struct ghost_sub *sub,
                        unsigned bit)
{
    return shape_warp(g->base.shape, sub->index, bit);
}

static void leave_checkers(struct ghost *g, struct ghost_sub *sub)
{
    for (uint64_t m = sub->checking; m; m &= m - 1) {
        unsigned warp = warp_at(g, sub, bits_first(m));

        if (g->base.cycle >= g->warp[warp].checked_at)
            ghost_enter_isb(g, sub, warp);
    }
}

/* Checks one instruction from each of several warps, in turn, while checkers are
 * free. */
static void fill_checkers(struct ghost *g, struct ghost_sub *sub)
{
    const struct ghost_params *p = params_of(&g->base);
    uint64_t set = sub->waiting & ~sub->checking;
    unsigned n, most;

    if (!set)
        return;
    n = (unsigned)__builtin_popcountll(sub->checking);
    most = p->countdown ? MAX_SUBCORE_WARPS : p->checkers;
    while (set && n < most) {
        unsigned bit = bits_after(set, sub->last_checked);

        set &= ~bit64(bit);
        if (!ghost_try_check(g, warp_at(g, sub, bit))) {
            sub->waiting &= ~bit64(bit);
            continue;
        }
        sub->last_checked = (uint8_t)bit;
        n++;
    }
}

static bool is_held(const struct ghost *g, const struct ghost_entry *e)
{
    return is_precise(g) && e->loads && !(e->regs->flags & INST_REDO);
}

/* True if an open instruction in the IsB may issue. One that only waits for older loads'
 * translation is counted once. */
static bool ghost_examine_open(struct ghost *g, struct ghost_entry *e,
                               const struct regset *pending)
{
    struct ghost_stats *t = g->base.stats;

    if (regset_meets(&e->regs->touches, pending))
        return false;
    if (!is_held(g, e))
        return true;
    t->precise_waits += !e->was_held;
    e->was_held = true;
    return false;
}

/* The places of the instructions in the IsB that may issue. */
static uint64_t find_ready(struct ghost *g, struct ghost_warp *w,
                           const struct regset *pending)
{
    for (uint64_t m = w->open & ~w->ready; m; m &= m - 1)
        if (ghost_examine_open(g, &w->entry[bits_first(m)], pending))
            w->ready |= m & -m;
    return w->ready;
}

/* The GhOST scheduler: picks the two oldest ready instructions of one warp, preferring
 * a warp with new results. The warp scheduler sees them in the next cycle. */
static void ghost_pick_ready(struct ghost *g, struct ghost_sub *sub)
{
    struct ghost_stats *t = g->base.stats;
    uint64_t from = sub->wwb ? sub->wwb : sub->ite, bit, ready;
    struct ghost_warp *w;
    unsigned warp;

    if (!from)
        return;
    sub->last_picked = (uint8_t)bits_after(from, sub->last_picked);
    bit = bit64(sub->last_picked);
    sub->wwb &= ~bit;
    sub->ite &= ~bit;
    warp = warp_at(g, sub, sub->last_picked);
    w = &g->warp[warp];
    ready = find_ready(g, w, &g->base.pending[warp].all);
    sub->pick = ghost_pick_oldest(w, ready);
    sub->picked = sub->pick != w->itab ? bit : 0;
    sub->n_picks++;
    t->picks++;
    t->picks_ready += (unsigned)__builtin_popcountll(ready);
    t->picks_placed += (unsigned)__builtin_popcountll(sub->pick);
}

/* The warp is woken if its offer, the oldest in the ITab, changes. */
static void show_pick(struct ghost *g, struct ghost_sub *sub)
{
    unsigned warp = warp_at(g, sub, sub->last_picked);
    struct ghost_warp *w = &g->warp[warp];
    uint64_t was = w->itab, now = sub->pick & w->ready; /* without those issued since */

    w->itab = now;
    sub->picked = 0;
    if ((was || now) &&
        !(was && now && ghost_oldest_of(w, was) == ghost_oldest_of(w, now)))
        scheme_wake_offer(&g->base, warp);
}

/* perf: a function of its own, apart from the rest of the cycle. */
__attribute__((noinline)) void ghost_tick(struct scheme *s, uint64_t cycle)
{
    struct ghost *g = ghost_of(s);
    uint64_t more = 0;

    (void)cycle;
    for (unsigned k = 0; k < shape_subcores(s->shape); k++) {
        struct ghost_sub *sub = &g->sub[k];

        if (!(sub->picked | sub->waiting | sub->checking | sub->wwb | sub->ite))
            continue;
        if (sub->picked)
            show_pick(g, sub);
        leave_checkers(g, sub);
        fill_checkers(g, sub);
        ghost_pick_ready(g, sub);
        more |= sub->checking | sub->wwb | sub->ite | sub->picked;
    }
    /* Instructions waiting in an IB are examined again when something issues or
     * resolves. */
    s->wants_tick = more;
}

/* The reason why the oldest instruction in the IsB does not issue. */
static struct offer hold_oldest(const struct ghost *g, unsigned warp)
{
    const struct ghost_warp *w = &g->warp[warp];
    const struct ghost_entry *e = &w->entry[w->oldest];

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

    if (w->itab)
        return offer_uop(w->entry[ghost_oldest_of(w, w->itab)].uop);
    if (w->used && params_of(s)->fallback && w->open & bit64(w->oldest) &&
        ghost_examine_open(g, &w->entry[w->oldest], &s->pending[warp].all))
        return offer_uop(w->entry[w->oldest].uop);
    if (w->used)
        return hold_oldest(g, warp);
    return offer_none(w->ib_n || w->checking != NO_UOP ? HOLD_structure : HOLD_empty);
}

/* Something has happened that may let the IB's oldest instruction into a checker. */
static void try_again(struct ghost *g, unsigned warp)
{
    if (g->warp[warp].ib_n)
        sub_of(g, warp)->waiting |= shape_bit(g->base.shape, warp);
    g->base.wants_tick = true;
}

/* Branches of a warp resolve in order: the next younger branch waits for this one. */
static void ghost_release_branch(struct ghost *g, struct ghost_warp *w,
                                 const struct uop *u)
{
    uint64_t branch = u->dyn.seq + 1;

    if (w->branch == branch)
        w->branch = 0;
    for (uint64_t m = w->used; m; m &= m - 1)
        if (w->entry[bits_first(m)].branch == branch) {
            w->entry[bits_first(m)].branch = 0;
            ghost_open_entry(w, bits_first(m));
        }
    try_again(g, u->warp);
    if (w->used && itab_has_room(w))
        sub_of(g, u->warp)->ite |= shape_bit(g->base.shape, u->warp);
}

static void count_issue(struct ghost *g, const struct ghost_warp *w,
                        const struct uop *u)
{
    struct ghost_stats *t = g->base.stats;

    t->isb_cycles += (uint32_t)g->base.cycle - w->entry[u->tag].since;
    t->from_itab += w->itab != 0;
    t->from_fallback += !w->itab;
    t->early_loads += ghost_passes_load(g->base.pool, u);
    t->early_branches += inst_is_branch(u->dyn.inst) && u->older != NO_UOP;
}

void ghost_issued(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];
    struct ghost_sub *sub = sub_of(g, u->warp);

    INVARIANT(w->used & bit64(u->tag) && w->entry[u->tag].uop == u->id);
    count_issue(g, w, u);
    ghost_leave_isb(w, s->pool, u);
    if (inst_is_sync(u->dyn.inst) && !inst_is_branch(u->dyn.inst))
        w->control = false;
    if (inst_is_branch(u->dyn.inst) && params_of(s)->release_at_issue) {
        w->control = false;
        ghost_release_branch(g, w, u);
    }
    if (w->used)
        sub->ite |= shape_bit(s->shape, u->warp);
    try_again(g, u->warp);
}

void ghost_written_back(struct scheme *s, struct uop *u)
{
    struct ghost *g = ghost_of(s);
    struct ghost_warp *w = &g->warp[u->warp];

    if (!w->used || !regset_any(&u->dyn.inst->writes))
        return;
    sub_of(g, u->warp)->wwb |= shape_bit(s->shape, u->warp);
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
    for (uint64_t m = w->used; m; m &= m - 1)
        if (w->entry[bits_first(m)].loads)
            w->entry[bits_first(m)].loads--;
    if (w->used && itab_has_room(w))
        sub_of(g, u->warp)->ite |= shape_bit(s->shape, u->warp);
    try_again(g, u->warp);
    scheme_wake_offer(s, u->warp);
}

void ghost_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct ghost_warp *w = &((const struct ghost *)s)->warp[warp];

    buf_printf(out, "    IB %u, checker %u, IsB %d, ITab %d%s%s\n", w->ib_n,
               w->checking != NO_UOP, __builtin_popcountll(w->used),
               __builtin_popcountll(w->itab), w->control ? ", sync" : "",
               w->branch ? ", branch" : "");
    for (uint64_t m = w->used; m;) {
        unsigned at = ghost_oldest_of(w, m);
        const struct ghost_entry *e = &w->entry[at];

        buf_printf(
            out, "      instruction %llu in place %u, IB-dep %#llx, loads %u%s\n",
            (unsigned long long)s->pool[e->uop].dyn.seq, at, (unsigned long long)e->dep,
            e->loads, e->branch ? ", not valid" : "");
        m &= ~bit64(at);
    }
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
