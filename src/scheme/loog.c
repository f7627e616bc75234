/* loog.c - LOOG: out-of-order execution from collector units that are reservation
 * stations.
 *
 * A warp's oldest instruction issues into a free collector unit of its sub-core,
 * whether its sources are available or not. The warp's register alias table (RAT) gives
 * it the names of the pending results it must capture; it reads its other sources from
 * the register file, and its own results are entered in the table under its name. A
 * result is broadcast with its name: units that wait for it capture it, and it is
 * written to the register file only if the table still names it. An instruction with
 * all its sources leaves for its execution unit, in issue order.
 *
 * A unit stays taken until its instruction's result is written, because the unit's
 * number is the result's name. With the register renaming stack (RRS) results have
 * names of their own, and a unit is free as soon as its instruction has left it.
 *
 * Source: section 3.5 of M. Zerva's thesis on LOOG for Vortex (NTUA 2025), with chapter
 * 5 for questions that it leaves open, and section VI.G of GhOST (ISCA 2024) for its
 * place in an SM; both after K. Iliakis et al. (TPDS 2022). docs/schemes/loog.md lists
 * our own choices.
 *
 * These issue in order:
 *   - barriers, fences, atomics and exits (INST_SYNC), when all older instructions have
 *     left;
 *   - instructions after a branch, when it is resolved: there is no speculation;
 *   - instructions with more registers than a unit could name, alone in their warp.
 * Where some lanes keep the old value of a destination, that value is one more source.
 */
#include <string.h>

#include "base/bits.h"
#include "scheme/loog_memory.h"
#include "scheme/loog_parts.h"

static const struct loog_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct loog *loog_of(struct scheme *s)
{
    return (struct loog *)s;
}

static unsigned sub_number(const struct scheme *s, unsigned warp)
{
    return shape_subcore(s->shape, warp);
}

static struct loog_sub *sub_of(struct loog *l, unsigned warp)
{
    return &l->sub[sub_number(&l->base, warp)];
}

/* An instruction's tag holds the number of its unit and the name of its result. The
 * unit is its own until it leaves it or, without a stack of names, until its result is
 * written. */
static unsigned unit_number(const struct uop *u)
{
    return u->tag & 0xff;
}

static unsigned name_number(const struct uop *u)
{
    return u->tag >> 8;
}

static bool is_known(const struct uop *u)
{
    return !IS_FUSED && u->reused; /* fused stages have no eliminator */
}

static void fill_stack(struct loog_stack *stack, unsigned n)
{
    while (stack->n < n) {
        stack->at[stack->n] = (uint8_t)stack->n;
        stack->n++;
    }
}

static void wake_warps(struct loog *l, const struct loog_sub *sub)
{
    l->base.woken = warpset_union(&l->base.woken, &sub->warps);
}

/* A unit, name or queue place is free again: wakes the warps that were refused one. */
static void give_back(struct loog *l, struct loog_sub *sub)
{
    if (sub->is_short)
        wake_warps(l, sub);
    sub->is_short = false;
}

static int loog_init(struct scheme *s, struct err *err)
{
    const struct loog_params *p = params_of(s);
    struct loog *l = loog_of(s);

    (void)err;
    for (unsigned w = 0; w < s->shape->n_warps; w++)
        warpset_add(&sub_of(l, w)->warps, w);
    for (unsigned k = 0; k < s->shape->n_subcores; k++) {
        fill_stack(&l->sub[k].units, p->units);
        fill_stack(&l->sub[k].names, p->names);
        l->sub[k].loads = queue_size(p, p->loads);
        l->sub[k].stores = queue_size(p, p->stores);
    }
    return 0;
}

static void loog_warp_start(struct scheme *s, unsigned warp)
{
    struct loog_warp *w = &loog_of(s)->warp[warp];

    memset(w, 0, sizeof *w);
    for (unsigned r = 0; r < N_REGID; r++)
        w->rat[r] = NO_UOP;
}

static unsigned loog_window(const void *p)
{
    return ((const struct loog_params *)p)->entries;
}

static unsigned loog_room(const struct scheme *s, unsigned warp)
{
    const struct loog_warp *w = &((const struct loog *)s)->warp[warp];

    if (w->n && params_of(s)->refill == LOOG_REFILL_EMPTY)
        return 0;
    return params_of(s)->entries - w->n;
}

static void loog_insert(struct scheme *s, struct uop *u)
{
    struct loog_warp *w = &loog_of(s)->warp[u->warp];

    INVARIANT(w->n < params_of(s)->entries);
    if (!w->n++)
        w->oldest = u->id;
}

static bool has_result(const struct uop *u)
{
    return u->dyn.inst->list.n_writes || !u->dyn.inst->list.is_whole;
}

/* True if it must wait for others of its warp before it may enter a unit. */
static bool is_in_order(const struct loog_warp *w, const struct uop *u)
{
    if (w->branch || w->is_closed)
        return true;
    if (!u->dyn.inst->list.is_whole)
        return w->under_way;
    return inst_is_sync(u->dyn.inst) && w->held;
}

/* Free places in the queue of this memory operation. */
static unsigned *queue_of(struct loog_sub *sub, const struct uop *u)
{
    return inst_writes_memory(u->dyn.inst) ? &sub->stores : &sub->loads;
}

/* The statistic that counts what its sub-core lacks for this instruction; NULL:
 * nothing. */
static uint64_t *loog_find_shortage(struct loog *l, struct loog_sub *sub,
                                    const struct uop *u)
{
    const struct loog_params *p = params_of(&l->base);
    struct loog_stats *t = l->base.stats;

    if (!sub->units.n)
        return &t->no_unit;
    if (p->rrs && !sub->names.n && has_result(u))
        return &t->no_name;
    if (inst_is_memory(u->dyn.inst) && !*queue_of(sub, u))
        return &t->queue_full;
    return NULL;
}

static struct offer loog_candidate(struct scheme *s, unsigned warp)
{
    struct loog *l = loog_of(s);
    struct loog_sub *sub = sub_of(l, warp);
    struct loog_warp *w = &l->warp[warp];
    const struct uop *u = &s->pool[w->oldest];
    uint64_t *count;

    if (!w->n)
        return offer_none(HOLD_empty);
    if (is_in_order(w, u))
        return offer_none(HOLD_order);
    count = loog_find_shortage(l, sub, u);
    if (!count)
        return offer_uop(u->id);
    *count += !w->was_counted;
    w->was_counted = sub->is_short = true;
    return offer_none(sub->units.n ? HOLD_structure : HOLD_collectors);
}

/* Makes the unit of u capture the producer's result when it is broadcast. */
static void wait_for(struct loog_sub *sub, const struct uop *producer,
                     const struct uop *u, bool is_address)
{
    struct loog_name *name = &sub->name[name_number(producer)];
    unsigned n = unit_number(u);

    sub->unit[n].tags += !(name->waiting & bit64(n));
    name->waiting |= bit64(n);
    if (!is_address)
        return;
    sub->unit[n].address += !(name->address & bit64(n));
    name->address |= bit64(n);
}

/* Finds out where its sources come from, according to the table now. An instruction whose
 * result is known needs none. */
static void loog_look_up_sources(struct loog *l, const struct uop *u)
{
    struct loog_warp *w = &l->warp[u->warp];
    struct loog_stats *t = l->base.stats;
    const struct reglist *list = &u->dyn.inst->list;
    unsigned end = list->n_reads + (u->partial ? list->n_writes : 0u);
    uop_id *from = l->base.capture[u->id].from;

    for (unsigned k = 0; k < end && !u->reused; k++) {
        from[k] = w->rat[list->reg[k]];
        if (from[k] == NO_UOP)
            continue;
        wait_for(sub_of(l, u->warp), &l->base.pool[from[k]], u,
                 k < list->n_reads && is_address(u, list->reg[k]));
        t->captured++;
    }
    t->merges += u->partial && list->n_writes;
}

static void name_results(struct loog_warp *w, const struct uop *u)
{
    const struct reglist *list = &u->dyn.inst->list;

    for (unsigned k = 0; k < list->n_writes; k++)
        w->rat[list->reg[list->n_reads + k]] = u->id;
}

/* Takes a unit, and a name for the result. */
static void loog_take_unit(struct loog *l, struct uop *u)
{
    struct loog_sub *sub = sub_of(l, u->warp);
    struct loog_stats *t = l->base.stats;
    unsigned unit = sub->units.at[--sub->units.n], name = LOOG_NO_NAME;

    INVARIANT(sub->units.n < params_of(&l->base)->units); /* one was free */
    if (has_result(u))
        name = params_of(&l->base)->rrs ? sub->names.at[--sub->names.n] : unit;
    u->tag = (uint16_t)(unit | name << 8);
    sub->unit[unit] = (struct loog_unit){ .uop = u->id, .since = l->base.cycle };
    loog_look_up_sources(l, u);
    name_results(&l->warp[u->warp], u);
    t->tag_waits += sub->unit[unit].tags != 0;
}

static void queue_up(struct loog *l, const struct uop *u)
{
    struct loog_warp *w = &l->warp[u->warp];
    struct loog_sub *sub = sub_of(l, u->warp);

    INVARIANT(*queue_of(sub, u) && w->n_memory < sizeof w->memory / sizeof *w->memory);
    w->memory[w->n_memory++] = (uint8_t)unit_number(u);
    (*queue_of(sub, u))--;
}

static void loog_leave_unit(struct loog *l, struct loog_sub *sub, const struct uop *u);

static void loog_issued(struct scheme *s, struct uop *u)
{
    struct loog *l = loog_of(s);
    struct loog_sub *sub = sub_of(l, u->warp);
    struct loog_warp *w = &l->warp[u->warp];

    w->oldest = u->younger;
    w->n--;
    w->was_counted = false;
    w->held++;
    w->under_way++;
    loog_take_unit(l, u);
    if (inst_is_memory(u->dyn.inst))
        queue_up(l, u);
    if (inst_is_branch(u->dyn.inst))
        w->branch = u->dyn.seq + 1;
    w->is_closed = !u->dyn.inst->list.is_whole;
    if (is_known(u))
        loog_leave_unit(l, sub, u);
    /* There may be no room any more for instructions that other warps offer. */
    if (!sub->units.n || (params_of(s)->rrs && !sub->names.n) || !sub->loads ||
        !sub->stores)
        wake_warps(l, sub);
}

/* True if an older memory operation of its warp, still in a unit, keeps it from
 * leaving. (perf: apart from what is inlined) */
__attribute__((noinline)) static bool is_held(struct loog *l, const struct uop *u)
{
    const struct loog_warp *w = &l->warp[u->warp];
    const struct loog_unit *unit = sub_of(l, u->warp)->unit;

    for (unsigned k = 0; w->memory[k] != unit_number(u); k++) {
        const struct loog_unit *older = &unit[w->memory[k]];

        if (must_wait(&l->base.pool[older->uop], older, u))
            return true;
    }
    return false;
}

/* Marks an instruction that may leave. The result must not depend on the order of
 * events within a cycle. */
static inline void loog_mark_ready(struct loog *l, const struct uop *u)
{
    struct loog_sub *sub = sub_of(l, u->warp);
    struct loog_unit *e = &sub->unit[unit_number(u)];
    struct loog_stats *t = l->base.stats;

    if (e->tags || !e->has_read || sub->ready & bit64(unit_number(u)))
        return;
    if (!e->complete)
        e->complete = l->base.cycle;
    if (inst_is_memory(u->dyn.inst) && is_held(l, u))
        return;
    t->memory_held += l->base.cycle > e->complete;
    sub->ready |= bit64(unit_number(u));
    sub->ready_for[u->pipe] |= bit64(unit_number(u));
    l->base.ready |= 1u << sub_number(&l->base, u->warp);
    l->base.ready_pipes[sub_number(&l->base, u->warp)] |= 1u << u->pipe;
}

/* Unmarks one that leaves. */
static void loog_unmark_ready(struct loog *l, struct loog_sub *sub, const struct uop *u)
{
    unsigned k = sub_number(&l->base, u->warp);

    sub->ready &= ~bit64(unit_number(u));
    sub->ready_for[u->pipe] &= ~bit64(unit_number(u));
    if (!sub->ready_for[u->pipe])
        l->base.ready_pipes[k] &= ~(1u << u->pipe);
    if (!sub->ready)
        l->base.ready &= ~(1u << k);
}

static unsigned place_of(const struct loog_warp *w, const struct uop *u)
{
    unsigned k = 0;

    while (w->memory[k] != unit_number(u))
        k++;
    return k;
}

/* The address of a memory operation may be known: younger ones that waited for it are
 * compared with it in this cycle and may leave in the next. */
static void tell_address(struct loog *l, const struct uop *u)
{
    const struct loog_warp *w = &l->warp[u->warp];
    struct loog_sub *sub = sub_of(l, u->warp);

    if (!has_address(&sub->unit[unit_number(u)]))
        return;
    for (unsigned k = place_of(w, u) + 1; k < w->n_memory; k++) {
        struct loog_unit *e = &sub->unit[w->memory[k]];
        const struct uop *younger = &l->base.pool[e->uop];

        if ((inst_writes_memory(u->dyn.inst) ||
             inst_writes_memory(younger->dyn.inst)) &&
            e->ready <= l->base.cycle)
            e->ready = l->base.cycle + 1;
        loog_mark_ready(l, younger);
    }
}

static void loog_operands_read(struct scheme *s, struct uop *u)
{
    struct loog *l = loog_of(s);

    sub_of(l, u->warp)->unit[unit_number(u)].has_read = true;
    loog_mark_ready(l, u);
    if (inst_is_memory(u->dyn.inst))
        tell_address(l, u);
}

static void free_unit(struct loog *l, struct loog_sub *sub, unsigned n)
{
    struct loog_stats *t = l->base.stats;

    t->unit_cycles += l->base.cycle - sub->unit[n].since;
    t->flight_cycles += l->base.cycle - sub->unit[n].left;
    INVARIANT(sub->units.n < params_of(&l->base)->units);
    sub->units.at[sub->units.n++] = (uint8_t)n;
    give_back(l, sub);
}

/* Takes it out of its queue, and counts it if it passes an older operation. */
static void leave_queue(struct loog *l, const struct uop *u)
{
    struct loog_warp *w = &l->warp[u->warp];
    struct loog_sub *sub = sub_of(l, u->warp);
    struct loog_stats *t = l->base.stats;
    unsigned place = place_of(w, u);
    bool passes_store = false;

    for (unsigned k = 0; k < place; k++)
        passes_store |=
            inst_writes_memory(l->base.pool[sub->unit[w->memory[k]].uop].dyn.inst);
    t->loads_passed += !inst_writes_memory(u->dyn.inst) && passes_store;
    t->stores_passed += inst_writes_memory(u->dyn.inst) && place;
    w->n_memory--;
    for (unsigned k = place; k < w->n_memory; k++)
        w->memory[k] = w->memory[k + 1];
    for (unsigned k = place; k < w->n_memory; k++)
        loog_mark_ready(l, &l->base.pool[sub->unit[w->memory[k]].uop]);
    (*queue_of(sub, u))++;
    give_back(l, sub);
}

static void loog_leave_unit(struct loog *l, struct loog_sub *sub, const struct uop *u)
{
    struct loog_warp *w = &l->warp[u->warp];
    unsigned n = unit_number(u);

    INVARIANT(w->held && sub->unit[n].uop == u->id);
    loog_unmark_ready(l, sub, u);
    sub->unit[n].left = l->base.cycle;
    if (inst_is_memory(u->dyn.inst))
        leave_queue(l, u);
    if (params_of(&l->base)->early_branch && inst_is_branch(u->dyn.inst)) {
        w->branch = 0;
        scheme_wake_offer(&l->base, u->warp);
    }
    if (params_of(&l->base)->rrs || !has_result(u))
        free_unit(l, sub, n);
    if (!--w->held && w->n && inst_is_sync(l->base.pool[w->oldest].dyn.inst))
        scheme_wake_offer(&l->base, u->warp);
}

/* Has the instruction of one unit issued before that of another? Two of one cycle are of one
 * warp (sched.dual). */
static bool loog_issued_before(const struct loog *l, const struct loog_unit *a,
                               const struct loog_unit *b)
{
    if (a->since != b->since)
        return a->since < b->since;
    return l->base.pool[a->uop].dyn.seq < l->base.pool[b->uop].dyn.seq;
}

/* Of the instructions ready to leave for one of these pipes, takes the one that issued
 * first. */
static uop_id loog_dispatch(struct scheme *s, unsigned subcore, uint32_t pipes)
{
    struct loog *l = loog_of(s);
    struct loog_sub *sub = &l->sub[subcore];
    const struct loog_unit *first = NULL;
    uint64_t able = 0;

    for (uint32_t m = pipes; m; m &= m - 1)
        able |= sub->ready_for[bits_first(m)];
    for (; able; able &= able - 1) {
        const struct loog_unit *e = &sub->unit[bits_first(able)];

        if (e->ready <= s->cycle && (!first || loog_issued_before(l, e, first)))
            first = e;
    }
    if (!first)
        return NO_UOP;
    loog_leave_unit(l, sub, &s->pool[first->uop]);
    return first->uop;
}

/* Units that wait for this result capture it now and may leave in the next cycle. */
static void loog_broadcast_result(struct loog *l, const struct uop *u)
{
    struct loog_sub *sub = sub_of(l, u->warp);
    struct loog_name *name = &sub->name[name_number(u)];
    struct loog_stats *t = l->base.stats;
    struct loog_name was = *name;

    *name = (struct loog_name){ 0 };
    for (uint64_t m = was.waiting; m; m &= m - 1) {
        unsigned n = (unsigned)__builtin_ctzll(m);
        struct loog_unit *e = &sub->unit[n];

        e->tags--;
        e->address -= was.address >> n & 1;
        e->ready = l->base.cycle + 1;
        t->tag_cycles += e->tags ? 0 : l->base.cycle - e->since;
        loog_mark_ready(l, &l->base.pool[e->uop]);
        if (was.address >> n & 1)
            tell_address(l, &l->base.pool[e->uop]);
    }
}

/* Writes to the register file those results that the table still names. */
static void file_results(struct loog *l, const struct uop *u)
{
    struct loog_warp *w = &l->warp[u->warp];
    struct loog_stats *t = l->base.stats;
    const struct reglist *list = &u->dyn.inst->list;
    uint64_t *kept = &l->base.capture[u->id].kept;

    *kept = 0;
    for (unsigned k = 0; k < list->n_writes; k++) {
        uop_id *named = &w->rat[list->reg[list->n_reads + k]];
        bool is_named = *named == u->id;

        *kept |= (uint64_t)is_named << k;
        t->filed += is_named;
        t->unfiled += !is_named;
        if (is_named)
            *named = NO_UOP;
    }
}

static void loog_written_back(struct scheme *s, struct uop *u)
{
    struct loog *l = loog_of(s);
    struct loog_sub *sub = sub_of(l, u->warp);
    struct loog_warp *w = &l->warp[u->warp];

    w->under_way--;
    w->is_closed &= u->dyn.inst->list.is_whole;
    if (!has_result(u))
        return;
    file_results(l, u);
    loog_broadcast_result(l, u);
    if (!params_of(s)->rrs) {
        free_unit(l, sub, unit_number(u));
        return;
    }
    INVARIANT(sub->names.n < params_of(&l->base)->names);
    sub->names.at[sub->names.n++] = (uint8_t)name_number(u);
    give_back(l, sub);
}

static void loog_resolved(struct scheme *s, struct uop *u)
{
    struct loog_warp *w = &loog_of(s)->warp[u->warp];

    if (w->branch == u->dyn.seq + 1)
        w->branch = 0;
}

static void loog_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct loog *l = (const struct loog *)s;
    const struct loog_warp *w = &l->warp[warp];
    const struct loog_sub *sub = &l->sub[sub_number(s, warp)];

    buf_printf(out,
               "    buffer %u, in units %u, not written %u%s; sub-core: units free %u, "
               "names free %u, queues free %u and %u\n",
               w->n, w->held, w->under_way, w->branch ? ", branch" : "", sub->units.n,
               sub->names.n, sub->loads, sub->stores);
    for (unsigned k = 0; k < w->n_memory; k++) {
        const struct loog_unit *e = &sub->unit[w->memory[k]];

        buf_printf(out,
                   "      memory operation %llu in unit %u: %u results pending%s\n",
                   (unsigned long long)s->pool[e->uop].dyn.seq, w->memory[k], e->tags,
                   has_address(e) ? "" : ", address unknown");
    }
}

#define PARAM_OF struct loog_params
static const struct param_group loog_param_group =
    PARAM_GROUP("loog", "LOOG: collector units as reservation stations", LOOG_PARAMS);
#undef PARAM_OF
#define STAT_OF struct loog_stats
static const struct stat_group loog_stat_group = STAT_GROUP("loog", "LOOG", LOOG_STATS);
#undef STAT_OF

const struct scheme_ops scheme_loog = {
    .name = "loog",
    .summary = "LOOG: collector units as reservation stations, registers renamed",
    .paper = "LOOG (TPDS 2022), as in GhOST (ISCA 2024), section VI.G",
    .params = &loog_param_group,
    .stats = &loog_stat_group,
    .state_size = sizeof(struct loog),
    .warp_size = sizeof(struct loog_warp),
    .wants_cycles = true,
    .init = loog_init,
    .window = loog_window,
    .room = loog_room,
    .insert = loog_insert,
    .candidate = loog_candidate,
    .issued = loog_issued,
    .dispatch = loog_dispatch,
    .takes_known = true,
    .operands_read = loog_operands_read,
    .written_back = loog_written_back,
    .resolved = loog_resolved,
    .warp_start = loog_warp_start,
    .dump = loog_dump,
    .parts = loog_parts,
};
