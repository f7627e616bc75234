/* ghost_artifact.c - GhOST as the authors' simulator has it, which measured the paper's
 * figures.
 *
 * Decoded instructions wait in their warp's IB; the oldest enters the issue buffer (IsB)
 * after `countdown` cycles at its head, so one instruction per warp and `countdown`
 * cycles does. Once per cycle a scheduler checks instructions: the oldest of every IsB,
 * or one younger instruction of one warp, in program order. A checked instruction may
 * issue from the next cycle on, when no older instruction in the IsB holds it and none of
 * its registers has a pending write. A warp offers the oldest of these whose pipe is free;
 * there is no ITab. A sync instruction issues before all others of its scheduler.
 *
 * Source: ishitachaturvedi/GhOST 74491ce, gpgpu-sim/src/gpgpu-sim/shader.cc,
 * cycle_ibuffer_OOO(), replay_ib_inst() and PutInstInIB2(). An older instruction in the
 * IsB holds a younger one until it issues when
 *   - they name a common register, even if both only read it;
 *   - it is a store and the younger one a load or store (a store passes older loads);
 *   - it is a branch;
 *   - it sets a predicate and the younger one is a branch;
 *   - one of them is a sync instruction with active lanes (barriers, exits, atomics,
 *     calls). Those are not checked. Younger instructions may enter the IsB beside one.
 *
 * Here a fence is a sync instruction, which the artifact reorders, and a store waits for
 * an older load whose bytes it overwrites: both would break the order of memory, which is
 * always checked.
 *
 * Fetch goes on while a warp waits at a barrier. Where a program is executed, the core
 * inserts what it would have fetched when the barrier opens (fetch.at_barrier); those whose
 * countdown would be over by then enter the IsB at once.
 *
 * LIMIT: the scheduler that checks goes greedy, then oldest, whatever sched.policy is.
 */
#include <string.h>

#include "base/bits.h"
#include "scheme/ghost_parts.h"

#define GHOST_ARTIFACT_PARAMS(NUM, ENUM, BOOL)                                        \
    NUM(entries, 8, 1, GHOST_MAX_ENTRIES, "inst",                                     \
        "issue buffer (IsB) per warp [gpgpu_ib_size_in]")                             \
    NUM(buffer, 4, 1, GHOST_MAX_BUFFER, "inst",                                       \
        "instruction buffer (IB) per warp, refilled once empty [SCHED_IBUFFER_SIZE]") \
    NUM(countdown, 2, 1, 64, "cycle", "at the head of the IB before the IsB; as coded")
struct artifact_params {
    GHOST_ARTIFACT_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

#define GHOST_ARTIFACT_STATS(STAT)                                                  \
    STAT(checks, "warp inst", "", "instructions checked")                           \
    STAT(head_checks, "warp inst", "", "of these, the oldest in their IsB")         \
    STAT(dependent, "warp inst", "",                                                \
         "instructions that an older one in the IsB held when they entered")        \
    STAT(sync_issues, "warp inst", "", "sync instructions issued, without a check") \
    STAT(stores_held, "warp inst", "", "stores that overlapped an older load")
struct artifact_stats {
    GHOST_ARTIFACT_STATS(STAT_FIELD)
};

/* One instruction in the IsB. */
struct artifact_entry {
    uint64_t dep; /* places of the older instructions that hold it */
    uop_id uop;
    bool is_checked;
};

struct artifact_warp {
    uint8_t n;              /* instructions in the IsB */
    uint8_t ib_first, ib_n; /* ring: oldest at ib_first */
    uint8_t countdown;      /* cycles until the IB's oldest may enter the IsB */
    bool was_written;       /* a result of it was written since its last check */
    bool has_entered;       /* an instruction has entered the IsB since then */
    uint8_t fresh;          /* place + 1 that was checked in the last cycle; 0: none */
    uint64_t age;           /* order of warps' starts */
    /* Cycle in which its last barrier entered the IsB, if nothing younger has been
     * inserted yet, advanced by the countdown of those that have; 0: none. */
    uint64_t since;
    uint64_t used;                    /* places of the IsB */
    uint8_t order[GHOST_MAX_ENTRIES]; /* places, oldest first */
    struct artifact_entry entry[GHOST_MAX_ENTRIES];
    uop_id ib[GHOST_MAX_BUFFER];
};

struct artifact {
    struct scheme base;
    uint64_t next_age;
    unsigned last[MAX_SUBCORES]; /* warp that issued last; MAX_WARP_SLOTS: none */
    struct warpset busy;         /* warps with instructions in their buffers */
    struct warpset passed; /* those that waited when this cycle's checks were made */
    struct artifact_warp warp[];
};

static const struct artifact_params *params_of(const struct scheme *s)
{
    return s->params;
}

static struct artifact *artifact_of(struct scheme *s)
{
    return (struct artifact *)s;
}

static int artifact_init(struct scheme *s, struct err *err)
{
    (void)err;
    for (unsigned k = 0; k < MAX_SUBCORES; k++)
        artifact_of(s)->last[k] = MAX_WARP_SLOTS;
    return 0;
}

static void artifact_warp_start(struct scheme *s, unsigned warp)
{
    struct artifact *g = artifact_of(s);

    memset(&g->warp[warp], 0, sizeof g->warp[warp]);
    g->warp[warp].age = ++g->next_age;
}

static void artifact_warp_end(struct scheme *s, unsigned warp)
{
    warpset_drop(&artifact_of(s)->busy, warp);
}

static unsigned artifact_window(const void *p)
{
    const struct artifact_params *q = p;

    return q->entries + q->buffer;
}

static unsigned artifact_room(const struct scheme *s, unsigned warp)
{
    const struct artifact_warp *w = &((const struct artifact *)s)->warp[warp];

    return w->ib_n ? 0 : params_of(s)->buffer;
}

/* Issues alone: a sync instruction, unless no lane is active. */
static bool is_stop(const struct uop *u)
{
    return inst_is_sync(u->dyn.inst) && u->dyn.mask;
}

/* Holds everything younger until it issues. */
static bool is_jump(const struct uop *u)
{
    return inst_is_branch(u->dyn.inst) && u->dyn.mask && !inst_is_sync(u->dyn.inst);
}

static bool shares_register(const struct uop *old, const struct uop *u)
{
    return regset_meets(&old->dyn.inst->touches, &u->dyn.inst->touches);
}

static bool is_held_by_store(const struct uop *old, const struct uop *u)
{
    return inst_writes_memory(old->dyn.inst) && inst_is_memory(u->dyn.inst);
}

static bool overwrites_load(const struct uop *old, const struct uop *u)
{
    return inst_may_conflict(old->dyn.inst, u->dyn.inst) &&
           dyn_overlap(&old->dyn, &u->dyn);
}

/* A fence or barrier without lanes is no stop, and memory keeps its order all the same. */
static bool is_ordered(const struct uop *old, const struct uop *u)
{
    const struct inst *a = old->dyn.inst, *b = u->dyn.inst;

    return (inst_orders_memory(a) && inst_is_memory(b)) ||
           (inst_orders_memory(b) && inst_is_memory(a));
}

static bool artifact_depends(const struct uop *old, const struct uop *u)
{
    return shares_register(old, u) || is_held_by_store(old, u) || is_jump(old) ||
           is_stop(old) || is_stop(u) || is_ordered(old, u) ||
           (is_jump(u) && old->dyn.inst->flags & INST_SETS_PRED) ||
           overwrites_load(old, u);
}

/* The IB's oldest instruction enters the IsB. */
static void artifact_enter_isb(struct artifact *g, unsigned warp)
{
    struct artifact_warp *w = &g->warp[warp];
    struct artifact_stats *t = g->base.stats;
    struct uop *u = &g->base.pool[w->ib[w->ib_first]];
    unsigned place = (unsigned)__builtin_ctzll(~w->used);
    struct artifact_entry *e = &w->entry[place];

    *e = (struct artifact_entry){ .uop = u->id };
    for (unsigned k = 0; k < w->n; k++) {
        const struct uop *old = &g->base.pool[w->entry[w->order[k]].uop];

        if (!artifact_depends(old, u))
            continue;
        e->dep |= bit64(w->order[k]);
        t->stores_held += inst_writes_memory(u->dyn.inst) && overwrites_load(old, u) &&
                          !inst_writes_memory(old->dyn.inst);
    }
    t->dependent += e->dep != 0;
    u->tag = (uint16_t)place;
    w->used |= bit64(place);
    w->order[w->n++] = (uint8_t)place;
    w->has_entered = true;
    w->ib_first = (uint8_t)((w->ib_first + 1u) % GHOST_MAX_BUFFER);
    w->ib_n--;
    w->countdown = (uint8_t)params_of(&g->base)->countdown;
    if (u->dyn.inst->class == CLASS_barrier && !w->ib_n)
        w->since = g->base.cycle;
    scheme_wake(&g->base, warp); /* a sync instruction to offer, or room in the IB */
}

/* Moves on what was fetched late, after a barrier, as if it had been in time. */
static void artifact_catch_up(struct artifact *g, unsigned warp)
{
    const struct artifact_params *p = params_of(&g->base);
    struct artifact_warp *w = &g->warp[warp];

    if (w->since + p->countdown <= g->base.cycle && w->n < p->entries) {
        w->since += p->countdown;
        artifact_enter_isb(g, warp);
        return;
    }
    if (w->since + p->countdown > g->base.cycle)
        w->countdown = (uint8_t)(w->since + p->countdown - g->base.cycle);
    else
        w->countdown = 0;
    w->since = 0;
}

static void artifact_insert(struct scheme *s, struct uop *u)
{
    struct artifact *g = artifact_of(s);
    struct artifact_warp *w = &g->warp[u->warp];

    INVARIANT(w->ib_n < params_of(s)->buffer);
    if (!w->ib_n)
        w->countdown = (uint8_t)params_of(s)->countdown;
    w->ib[(w->ib_first + w->ib_n++) % GHOST_MAX_BUFFER] = u->id;
    warpset_add(&g->busy, u->warp);
    s->wants_tick = true;
    if (!s->is_refill)
        w->since = 0;
    if (w->since)
        artifact_catch_up(g, u->warp);
}

/* The place of the oldest instruction that has not been checked, as its index in
 * order[]; n: none that can be. */
static unsigned artifact_find_unchecked(const struct artifact *g,
                                        const struct artifact_warp *w)
{
    unsigned k = 0;

    while (k < w->n && w->entry[w->order[k]].is_checked)
        k++;
    if (k == w->n || is_stop(&g->base.pool[w->entry[w->order[k]].uop]))
        return w->n;
    /* Past the second, only after something has happened to the warp. */
    return k > 1 && !w->was_written && !w->has_entered ? w->n : k;
}

/* Does warp a come before b? The one that issued last does, then by age. */
static bool is_before(const struct artifact *g, unsigned sub, unsigned a, unsigned b)
{
    if (a == g->last[sub] || b == g->last[sub])
        return a == g->last[sub];
    return g->warp[a].age < g->warp[b].age;
}

/* The next warp of a set, greedy then oldest; takes it out. */
static unsigned artifact_take_first(const struct artifact *g, unsigned sub,
                                    struct warpset *set)
{
    struct warpset m = *set;
    unsigned best = warpset_take(&m);

    while (warpset_any(&m)) {
        unsigned k = warpset_take(&m);

        if (is_before(g, sub, k, best))
            best = k;
    }
    warpset_drop(set, best);
    return best;
}

static void artifact_check(struct artifact *g, unsigned warp, unsigned index)
{
    struct artifact_warp *w = &g->warp[warp];
    struct artifact_stats *t = g->base.stats;

    w->fresh = (uint8_t)(w->order[index] + 1u);
    w->was_written = w->has_entered = false;
    t->checks++;
    t->head_checks += !index;
}

/* The warps of a scheduler with an instruction to check, and the last of them, in order
 * of priority, that has a new result; MAX_WARP_SLOTS: none. */
static struct warpset artifact_find_work(const struct artifact *g, unsigned sub,
                                         unsigned *written)
{
    struct warpset work = { 0 };

    *written = MAX_WARP_SLOTS;
    for (struct warpset m = g->busy; warpset_any(&m);) {
        unsigned warp = warpset_take(&m);
        const struct artifact_warp *w = &g->warp[warp];

        if (warp % g->base.shape->n_subcores != sub ||
            warpset_has(&g->base.waiting, warp) ||
            artifact_find_unchecked(g, w) == w->n)
            continue;
        warpset_add(&work, warp);
        if (w->was_written &&
            (*written == MAX_WARP_SLOTS || is_before(g, sub, *written, warp)))
            *written = warp;
    }
    return work;
}

/* Checks the oldest instruction of each warp; a younger one only if nothing was checked
 * before it in this cycle, of the warp with a new result if there is one. */
static void artifact_check_warps(struct artifact *g, unsigned sub)
{
    unsigned n = 0, written;
    struct warpset work = artifact_find_work(g, sub, &written);

    while (warpset_any(&work)) {
        unsigned warp = artifact_take_first(g, sub, &work);
        unsigned index = artifact_find_unchecked(g, &g->warp[warp]);

        if (index && (n || (written != MAX_WARP_SLOTS && written != warp)))
            continue;
        artifact_check(g, warp, index);
        n++;
    }
}

/* The instruction checked in the last cycle may issue now; the IB's oldest comes closer
 * to the IsB. */
static void artifact_advance_warp(struct artifact *g, unsigned warp)
{
    struct artifact_warp *w = &g->warp[warp];

    if (w->fresh && w->used >> (w->fresh - 1u) & 1) {
        w->entry[w->fresh - 1u].is_checked = true;
        scheme_wake(&g->base, warp);
    }
    w->fresh = 0;
    if (!w->ib_n)
        return;
    w->countdown = (uint8_t)(w->countdown - (w->countdown != 0));
    if (!w->countdown && w->n < params_of(&g->base)->entries)
        artifact_enter_isb(g, warp);
}

static void artifact_tick(struct scheme *s, uint64_t cycle)
{
    struct artifact *g = artifact_of(s);

    (void)cycle;
    for (struct warpset m = g->busy; warpset_any(&m);)
        artifact_advance_warp(g, warpset_take(&m));
    g->passed = warpset_common(&g->busy, &s->waiting);
    for (unsigned k = 0; k < s->shape->n_subcores; k++)
        artifact_check_warps(g, k);
    s->wants_tick = warpset_any(&g->busy);
}

/* The reason why the oldest instruction in the IsB does not issue. */
static struct offer hold_oldest(const struct artifact *g, unsigned warp)
{
    const struct artifact_warp *w = &g->warp[warp];
    const struct uop *u = &g->base.pool[w->entry[w->order[0]].uop];

    if (regset_meets(&u->dyn.inst->touches, &g->base.pending[warp].all))
        return offer_data(u->id);
    return offer_none(HOLD_structure);
}

/* May the instruction in this place issue, if its pipe is free? */
static bool artifact_is_ready(const struct artifact *g, unsigned warp, unsigned place)
{
    const struct artifact_entry *e = &g->warp[warp].entry[place];
    const struct uop *u = &g->base.pool[e->uop];

    return !e->dep && (e->is_checked || is_stop(u)) &&
           !regset_meets(&u->dyn.inst->touches, &g->base.pending[warp].all);
}

/* A sync instruction is first. */
static struct offer artifact_offer(struct scheme *s, const struct uop *u)
{
    warpset_drop(&s->first, u->warp);
    warpset_add_if(&s->first, u->warp, is_stop(u));
    return offer_uop(u->id);
}

/* core.turns: a sub-core whose turn came before has opened the barrier at which the warp
 * waited, and its own scheduler checks after that. */
static void artifact_check_late(struct artifact *g, unsigned warp)
{
    warpset_drop(&g->passed, warp);
    if (g->warp[warp].n && !artifact_find_unchecked(g, &g->warp[warp]))
        artifact_check(g, warp, 0);
}

/* The oldest that is ready and whose pipe is free; if there is none, the oldest that is
 * ready waits for its pipe. */
static struct offer artifact_candidate(struct scheme *s, unsigned warp)
{
    struct artifact *g = artifact_of(s);
    const struct artifact_warp *w = &g->warp[warp];
    uint32_t pipes = s->free_pipes[warp % s->shape->n_subcores];
    uop_id late = NO_UOP;

    if (warpset_has(&g->passed, warp))
        artifact_check_late(g, warp);
    for (unsigned k = 0; k < w->n; k++) {
        const struct uop *u = &s->pool[w->entry[w->order[k]].uop];

        if (!artifact_is_ready(g, warp, w->order[k]))
            continue;
        if (pipes >> u->pipe & 1)
            return artifact_offer(s, u);
        late = late == NO_UOP ? u->id : late;
    }
    if (late != NO_UOP)
        return artifact_offer(s, &s->pool[late]);
    if (w->n)
        return hold_oldest(g, warp);
    return offer_none(w->ib_n ? HOLD_structure : HOLD_empty);
}

static void artifact_issued(struct scheme *s, struct uop *u)
{
    struct artifact *g = artifact_of(s);
    struct artifact_warp *w = &g->warp[u->warp];
    struct artifact_stats *t = s->stats;
    unsigned place = u->tag, at = 0;

    INVARIANT(w->n && w->entry[place].uop == u->id);
    while (w->order[at] != place)
        at++;
    w->n--;
    for (; at < w->n; at++)
        w->order[at] = w->order[at + 1];
    for (unsigned k = 0; k < w->n; k++)
        w->entry[w->order[k]].dep &= ~bit64(place);
    w->used &= ~bit64(place);
    g->last[u->warp % s->shape->n_subcores] = u->warp;
    t->sync_issues += is_stop(u);
    if (!w->n && !w->ib_n)
        warpset_drop(&g->busy, u->warp);
}

static void artifact_written_back(struct scheme *s, struct uop *u)
{
    struct artifact_warp *w = &artifact_of(s)->warp[u->warp];

    w->was_written |= !inst_is_memory(u->dyn.inst) || !u->dyn.mask;
    if (w->n)
        scheme_wake(s, u->warp); /* an older instruction may be ready now */
}

static void artifact_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct artifact_warp *w = &((const struct artifact *)s)->warp[warp];

    buf_printf(out, "    IB %u, IsB %u\n", w->ib_n, w->n);
    for (unsigned k = 0; k < w->n; k++) {
        const struct artifact_entry *e = &w->entry[w->order[k]];

        buf_printf(out, "      instruction %llu in place %u, held by %#llx%s\n",
                   (unsigned long long)s->pool[e->uop].dyn.seq, w->order[k],
                   (unsigned long long)e->dep, e->is_checked ? "" : ", not checked");
    }
}

/* The artifact counts no storage: that of the paper's machine with one checker. */
static void artifact_parts(const void *p, const struct core_shape *shape,
                           struct part *at)
{
    const struct artifact_params *q = p;
    const struct ghost_params paper = { .entries = q->entries,
                                        .buffer = q->buffer,
                                        .checkers = 1 };

    ghost_fields(&paper, shape, at);
}

#define PARAM_OF struct artifact_params
static const struct param_group artifact_param_group = PARAM_GROUP(
    "ghost.artifact", "GhOST as its authors' simulator has it", GHOST_ARTIFACT_PARAMS);
#undef PARAM_OF
#define STAT_OF struct artifact_stats
static const struct stat_group artifact_stat_group =
    STAT_GROUP("ghost.artifact", "GhOST's artifact", GHOST_ARTIFACT_STATS);
#undef STAT_OF

const struct scheme_ops scheme_ghost_artifact = {
    .name = "ghost.artifact",
    .summary = "GhOST as its authors' simulator has it",
    .paper = "GhOST (ISCA 2024)",
    .params = &artifact_param_group,
    .stats = &artifact_stat_group,
    .state_size = sizeof(struct artifact),
    .warp_size = sizeof(struct artifact_warp),
    .wants_pipes = true,
    .init = artifact_init,
    .room = artifact_room,
    .insert = artifact_insert,
    .candidate = artifact_candidate,
    .issued = artifact_issued,
    .written_back = artifact_written_back,
    .warp_start = artifact_warp_start,
    .tick = artifact_tick,
    .warp_end = artifact_warp_end,
    .dump = artifact_dump,
    .window = artifact_window,
    .parts = artifact_parts,
};
