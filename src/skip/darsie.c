/* darsie.c - DARSIE: one warp of a block executes redundant instructions for all of
 * them.
 *
 * ASPLOS 2020, section 4. The first warp on the majority path that reaches a redundant
 * instruction leads: it executes the instruction, with a shared register of the block
 * as destination. The others follow: once the leader has written, they skip the
 * instruction at fetch and read the shared register from then on. A new result gets a
 * new register, so warps need not keep in step; but they wait for each other at
 * branches. Warps that go another way than the majority there, or diverge, leave the
 * majority path until the next barrier of the block. Loads are shared as well, until
 * the block stores or the SM synchronises.
 *
 * Which instructions are redundant follows from the marks of the code
 * (analysis/redundancy.h) and the shape of the block: thread numbers in x repeat from
 * warp to warp if there is more than one row and x is a power of two and at most a
 * warp. The core compares every skipped result with the leader's value.
 *
 * Chosen where the paper is silent: warps do not wait at a branch without a predicate;
 * the first warp's way wins a tie; with all registers of a block in use, warps wait for
 * each other as the paper says, and if that frees none, each executes the instruction
 * itself.
 *
 * LIMIT: copies of registers take cycles of their warp, but no slots or banks. Shared
 * registers are in the same banks in every sub-core.
 */
#include "skip/darsie.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "isa/shape.h"
#include "skip/darsie_path.h"
#include "skip/darsie_registers.h"
#include "skip/darsie_table.h"

static struct darsie *darsie_of(struct skip *s)
{
    return (struct darsie *)s;
}

static int darsie_init(struct skip *s, struct err *err)
{
    struct darsie *d = darsie_of(s);

    s->n_slots = MAX_WARP_SLOTS * darsie_slots(d);
    d->held = calloc(s->n_uops, sizeof *d->held);
    if (darsie_params(d)->conflicts)
        s->moved = calloc(s->n_uops, sizeof *s->moved);
    if (!d->held || (darsie_params(d)->conflicts && !s->moved))
        return err_memory(err, "the shared registers of darsie");
    return 0;
}

static void darsie_fini(struct skip *s)
{
    free(darsie_of(s)->held);
    free(s->moved);
}

static int darsie_kernel_start(struct skip *s, struct err *err)
{
    struct darsie *d = darsie_of(s);

    (void)err;
    d->weakest =
        darsie_params(d)->conditional ? kernel_weakest_mark(s->kernel) : REDUNDANT;
    d->registers = darsie_params(d)->registers;
    if (d->registers > s->spare && !darsie_params(d)->own_file)
        d->registers = s->spare;
    d->is_off =
        !d->registers && !darsie_params(d)->no_cf_sync && !darsie_params(d)->sync_only;
    return 0;
}

static void darsie_warp_start(struct skip *s, unsigned warp)
{
    struct darsie *d = darsie_of(s);
    struct darsie_block *b = darsie_block(d, warp);

    if (!s->index_of[warp]) {
        memset(b, 0, sizeof *b);
        b->free = d->registers == 64 ? UINT64_MAX : ((uint64_t)1 << d->registers) - 1;
    }
    memset(&d->warp[warp], 0, sizeof d->warp[warp]);
    warpset_add(&b->warps, warp);
    warpset_add(&b->majority, warp);
}

static bool has_other_writes(const struct inst *i, bool predicates, bool uniform)
{
    for (unsigned k = 0; k < i->list.n_writes; k++) {
        unsigned r = skip_results(i)[k];
        bool is_uniform =
            (r >= REGID_UR && r < REGID_P) || (r >= REGID_UP && r < REGID_B);
        bool is_predicate = r >= REGID_P && r < REGID_B;

        if (r >= REGID_B || (is_uniform && !uniform) || (is_predicate && !predicates))
            return true;
    }
    return false;
}

/* Can the result of such an instruction be in a shared register? */
static bool can_share(const struct darsie *d, const struct uop *u)
{
    const struct darsie_params *p = darsie_params(d);
    const struct inst *i = u->dyn.inst;

    return !p->sync_only && inst_computes(i) &&
           i->list.n_writes <= DARSIE_MAX_RESULTS && (p->loads || !inst_is_load(i)) &&
           !has_other_writes(i, p->predicates, p->uniform);
}

static enum skip_verdict wait_for(struct darsie *d, const struct uop *u,
                                  uint64_t *count)
{
    d->warp[u->warp].waits = true;
    ++*count;
    return SKIP_WAIT;
}

/* No register is free. The warp no longer needs its own older version; once all warps
 * have arrived, perhaps none does. */
static enum skip_verdict darsie_await_register(struct darsie *d, const struct uop *u)
{
    struct darsie_block *b = darsie_block(d, u->warp);
    enum skip_verdict v = wait_for(d, u, &darsie_stats(d)->register_waits);

    darsie_own_results(b, &d->warp[u->warp], u->dyn.inst, true);
    try_meetings(d, b);
    return v;
}

/* The instruction is executed for this warp only. */
static enum skip_verdict darsie_execute_alone(struct darsie *d, const struct uop *u,
                                              uint64_t *count)
{
    struct darsie_block *b = darsie_block(d, u->warp);

    ++*count;
    darsie_hold(d, b, u);
    darsie_own_results(b, &d->warp[u->warp], u->dyn.inst, false);
    return SKIP_EXECUTE;
}

/* Is it an access to memory that other blocks can write? */
static bool is_global_memory(const struct uop *u)
{
    return u->dyn.space == SPACE_GLOBAL || u->dyn.space == SPACE_TEXTURE;
}

static void fill_entry(struct darsie *d, struct darsie_entry *e, const struct uop *u)
{
    const struct darsie_warp *w = &d->warp[u->warp];
    *e = (struct darsie_entry){ .pc = u->dyn.inst->pc,
                                .position = w->position,
                                .path = w->path,
                                .age = d->ages++,
                                .n_results = u->dyn.inst->list.n_writes,
                                .is_load = inst_is_load(u->dyn.inst),
                                .is_global = is_global_memory(u),
                                .seq = u->dyn.seq,
                                .warp = u->warp };
}

/* The core's slot for the current value of an entry's register. With no_cf_sync an
 * entry may have no register; then its leader has a slot of its own. */
static unsigned slot_of(struct darsie *d, unsigned warp, const struct darsie_entry *e)
{
    unsigned first = d->base.block_of[warp] * darsie_slots(d);

    if (e->at[0] != DARSIE_PRIVATE)
        return first + e->at[0] - 1u;
    return first + darsie_params(d)->registers +
           (unsigned)(e - darsie_block(d, warp)->entry);
}

/* The first warp of its block to get here executes the instruction for the others. */
static enum skip_verdict darsie_lead_followers(struct darsie *d, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    struct darsie_block *b = darsie_block(d, u->warp);
    struct darsie_entry *e = darsie_new_entry(d, b);
    bool has_room;

    if (!e)
        return darsie_execute_alone(d, u, &darsie_stats(d)->alone);
    fill_entry(d, e, u);
    darsie_wake_arrived(d, b, e);
    darsie_own_results(b, &d->warp[u->warp], i, true);
    has_room = __builtin_popcountll(b->free) >= i->list.n_writes;
    if (!has_room && !darsie_params(d)->no_cf_sync) {
        e->state = DARSIE_MEETS;
        return darsie_await_register(d, u);
    }
    e->state = DARSIE_LED;
    darsie_hold(d, b, u);
    for (unsigned k = 0; k < i->list.n_writes && has_room; k++)
        e->at[k] = darsie_allocate(d, b, u, skip_results(i)[k]);
    skip_keep(&d->base, slot_of(d, u->warp, e), u);
    darsie_keep_results(b, e);
    darsie_stats(d)->led++;
    return SKIP_EXECUTE;
}

static void count_skipped(struct darsie *d, const struct uop *u)
{
    struct darsie_stats *t = darsie_stats(d);

    if (kernel_mark(d->base.kernel, u->dyn.inst) == REDUNDANT)
        t->definitely++;
    else
        t->conditionally++;
    t->uniform += u->dyn.value.shape == VALUE_UNIFORM;
    t->affine += u->dyn.value.shape == VALUE_AFFINE;
    t->unstructured += u->dyn.value.shape == VALUE_OTHER;
    t->skipped_loads += inst_is_load(u->dyn.inst);
}

static enum skip_verdict darsie_follow_leader(struct darsie *d,
                                              const struct darsie_entry *e,
                                              const struct uop *u)
{
    struct darsie_warp *w = &d->warp[u->warp];
    const struct inst *i = u->dyn.inst;

    if (d->base.is_strict && skip_is_used(&w->use, i))
        return wait_for(d, u, &darsie_stats(d)->name_waits);
    for (unsigned k = 0; k < i->list.n_writes; k++)
        darsie_map(darsie_block(d, u->warp), w, skip_results(i)[k], e->at[k]);
    skip_claim_equal(&d->base, slot_of(d, u->warp, e));
    count_skipped(d, u);
    return SKIP_DROP;
}

/* All ports of the skip tables are in use; it tries again in the next cycle. */
static enum skip_verdict darsie_await_port(struct darsie *d, const struct uop *u)
{
    skip_wake(&d->base, u->warp);
    darsie_stats(d)->port_waits++;
    return SKIP_WAIT;
}

/* The instruction is in the skip table: SKIP_EXECUTE means that each warp executes it. */
static enum skip_verdict
darsie_obey_entry(struct darsie *d, const struct darsie_entry *e, const struct uop *u)
{
    switch (e->state) {
    case DARSIE_LED:
        return wait_for(d, u, &darsie_stats(d)->leader_waits);
    case DARSIE_MEETS:
        return darsie_await_register(d, u);
    case DARSIE_ALONE:
        return SKIP_EXECUTE;
    default:
        return darsie_follow_leader(d, e, u);
    }
}

/* The count of instructions that this one belongs to if it is not shared; NULL: it can
 * be. */
static uint64_t *darsie_unshared_count(struct darsie *d, const struct uop *u)
{
    struct darsie_stats *t = darsie_stats(d);

    if (kernel_mark(d->base.kernel, u->dyn.inst) > d->weakest)
        return &t->vector;
    if (!can_share(d, u))
        return &t->unshared;
    if (!warpset_has(&darsie_block(d, u->warp)->majority, u->warp) || !skip_is_full(u))
        return &t->off_path;
    return NULL;
}

/* Before fetch: skips it, or waits, if the table has an entry for it. */
static enum skip_verdict darsie_judge_pc(struct darsie *d, const struct uop *u)
{
    struct darsie_warp *w = &d->warp[u->warp];
    const struct darsie_entry *e;

    if (darsie_unshared_count(d, u))
        return SKIP_EXECUTE;
    if (!darsie_take_port(d, u->dyn.inst->pc))
        return darsie_await_port(d, u);
    w->is_looked_up = true;
    e = darsie_find(d, u);
    return e ? darsie_obey_entry(d, e, u) : SKIP_EXECUTE;
}

/* At decode: the same; without an entry the warp leads. What was looked up before its
 * fetch needs no port now. */
static enum skip_verdict darsie_judge_inst(struct darsie *d, const struct uop *u)
{
    uint64_t *count = darsie_unshared_count(d, u);
    const struct darsie_entry *e;
    enum skip_verdict v;

    if (count)
        return darsie_execute_alone(d, u, count);
    if (!d->warp[u->warp].is_looked_up && !darsie_take_port(d, u->dyn.inst->pc))
        return darsie_await_port(d, u);
    e = darsie_find(d, u);
    if (!e)
        return darsie_lead_followers(d, u);
    v = darsie_obey_entry(d, e, u);
    return v == SKIP_EXECUTE ? darsie_execute_alone(d, u, &darsie_stats(d)->alone) : v;
}

/* May warps go different ways here? BSYNC and the like do not count. */
static bool may_split(const struct inst *i)
{
    struct regset asked = i->reads;

    asked.w[REGID_B / 64] &= ~((uint64_t)0xffff << REGID_B % 64);
    return i->class == CLASS_branch && regset_any(&asked);
}

static void pass_branch(struct darsie *d, struct darsie_block *b, const struct uop *u)
{
    struct darsie_warp *w = &d->warp[u->warp];

    w->path = hash_mix(w->path ^ u->dyn.next_pc);
    if (darsie_params(d)->no_cf_sync || !may_split(u->dyn.inst) ||
        !warpset_has(&b->majority, u->warp))
        return;
    w->sync = DARSIE_BRANCHING;
    w->branch = u->dyn.seq;
    w->target = u->dyn.next_pc;
}

/* From here on, memory may have changed for this warp or for others. */
static void pass_memory(struct darsie *d, struct darsie_block *b, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    bool is_barrier = i->class == CLASS_barrier, is_atomic = inst_is_atomic(i);
    bool is_global = (inst_orders_memory(i) && !is_barrier) ||
                     (is_atomic && u->dyn.space != SPACE_SHARED);

    if (is_barrier || is_atomic ||
        (inst_writes_memory(i) && !darsie_params(d)->ignore_store))
        darsie_forget_loads(d, b, false);
    for (unsigned k = 0; is_global && k < MAX_WARP_SLOTS; k++)
        darsie_forget_loads(d, &d->block[k], true);
}

/* The warp is past an instruction, skipped or not. */
static void darsie_advance(struct darsie *d, struct darsie_block *b, unsigned warp)
{
    d->warp[warp].position++;
    darsie_sweep(d, b);
}

/* The instruction enters the window. */
static void darsie_pass_inst(struct darsie *d, struct darsie_block *b,
                             const struct uop *u)
{
    struct darsie_warp *w = &d->warp[u->warp];
    const struct inst *i = u->dyn.inst;

    if (d->base.is_strict)
        skip_use(&w->use, i, 1);
    pass_memory(d, b, u);
    if (i->flags & INST_CONTROL)
        pass_branch(d, b, u);
    if (dyn_waits(&u->dyn))
        darsie_enter_barrier(d, b, u);
    if (i->flags & INST_EXIT && !u->dyn.next_pc) {
        bool is_last = u->dyn.mask == u->dyn.active;

        if (is_last) /* it needs no copies */
            darsie_own_all(b, w);
        darsie_leave_majority(d, b, u->warp);
        if (is_last)
            warpset_drop(&b->warps, u->warp);
    }
}

/* A warp arrives at its next instruction: brings up to date which path it is on. False if
 * it waits for the other warps, or for its copies. */
static bool darsie_arrive(struct darsie *d, struct darsie_block *b, const struct uop *u)
{
    struct darsie_warp *w = &d->warp[u->warp];

    if (w->sync != DARSIE_FREE) {
        darsie_stats(d)->branch_waits++;
        return false;
    }
    w->waits = false;
    if (w->barrier)
        darsie_open_barrier(d, b, w->barrier);
    if (u->dyn.active != SKIP_ALL_LANES && !darsie_params(d)->no_cf_sync &&
        warpset_has(&b->majority, u->warp)) {
        darsie_stats(d)->diverged++;
        darsie_leave_majority(d, b, u->warp);
    }
    return darsie_has_copied(d, b, u->warp);
}

static enum skip_verdict darsie_before_fetch(struct skip *s, const struct uop *u)
{
    struct darsie *d = darsie_of(s);
    struct darsie_block *b = darsie_block(d, u->warp);
    enum skip_verdict v;

    if (d->is_off)
        return SKIP_EXECUTE;
    d->warp[u->warp].is_looked_up = false;
    if (!darsie_arrive(d, b, u))
        return SKIP_WAIT;
    v = darsie_judge_pc(d, u);
    if (v == SKIP_DROP)
        darsie_advance(d, b, u->warp);
    return v;
}

static enum skip_verdict darsie_at_fetch(struct skip *s, const struct uop *u)
{
    struct darsie *d = darsie_of(s);
    struct darsie_block *b = darsie_block(d, u->warp);
    enum skip_verdict v;

    if (d->is_off)
        return SKIP_EXECUTE;
    if (!darsie_arrive(d, b, u))
        return SKIP_WAIT;
    v = darsie_judge_inst(d, u);
    d->warp[u->warp].is_looked_up = false;
    if (v == SKIP_WAIT)
        return v;
    darsie_advance(d, b, u->warp);
    if (v == SKIP_EXECUTE)
        darsie_pass_inst(d, b, u);
    return v;
}

/* A leader's result is written: its followers may use it. */
static void darsie_publish_result(struct darsie *d, struct darsie_block *b,
                                  const struct uop *u)
{
    for (unsigned k = 0; k < darsie_entries(d); k++) {
        struct darsie_entry *e = &b->entry[k];

        if (e->state != DARSIE_LED || e->warp != u->warp || e->seq != u->dyn.seq)
            continue;
        e->state = DARSIE_SHARED;
        darsie_wake(d, b, e->position);
    }
}

static void darsie_written_back(struct skip *s, struct uop *u)
{
    struct darsie *d = darsie_of(s);
    struct darsie_warp *w = &d->warp[u->warp];
    struct darsie_block *b = darsie_block(d, u->warp);

    if (d->is_off)
        return;
    if (s->is_strict) {
        skip_use(&w->use, u->dyn.inst, -1);
        if (w->waits)
            skip_wake(s, u->warp);
    }
    darsie_publish_result(d, b, u);
    darsie_release(d, b, u);
    try_meetings(d, b);
    if (w->sync != DARSIE_BRANCHING || w->branch != u->dyn.seq)
        return;
    w->sync = DARSIE_ARRIVED;
    try_branch(d, b);
}

static void darsie_warp_end(struct skip *s, unsigned warp)
{
    struct darsie *d = darsie_of(s);
    struct darsie_block *b = darsie_block(d, warp);

    darsie_own_all(b, &d->warp[warp]);
    darsie_leave_majority(d, b, warp);
    warpset_drop(&b->warps, warp);
}

/* Storage as section 6.3 of the paper counts it, for its 32 blocks per SM. */
static void darsie_parts(const void *params, const struct core_shape *shape,
                         struct part *at)
{
    enum { BLOCKS = 32, BLOCK_WARPS = 32 };
    const struct darsie_params *p = params;
    uint64_t entries = (uint64_t)BLOCKS * p->entries;
    uint64_t names = (uint64_t)BLOCKS * p->registers;

    (void)shape;
    *at++ = (struct part){ "PC skip table", "PC", entries, 48 };
    *at++ = (struct part){ "PC skip table", "warps waiting", entries, BLOCK_WARPS };
    *at++ = (struct part){ "PC skip table", "is load", entries, 1 };
    *at++ = (struct part){ "PC skip table", "leader has written", entries, 1 };
    *at++ = (struct part){ "majority path", "warps", BLOCKS, BLOCK_WARPS };
    *at++ = (struct part){ "rename table", "register", names, 8 };
    *at++ = (struct part){ "rename table", "shared register", names, 8 };
    *at++ = (struct part){ "rename table", "version", names, 5 };
}

static void darsie_dump(const struct skip *s, unsigned warp, struct buf *out)
{
    static const char *const syncs[] = { "", ", its branch is in flight",
                                         ", waits at a branch" };
    static const char *const states[] = { "", "led", "shared", "wants registers",
                                          "alone" };
    const struct darsie *d = (const struct darsie *)s;
    const struct darsie_warp *w = &d->warp[warp];
    const struct darsie_block *b = &d->block[s->block_of[warp]];

    buf_printf(out, "    darsie: %s, instruction %llx%s%s",
               warpset_has(&b->majority, warp) ? "on the majority path" : "alone",
               (unsigned long long)w->position, syncs[w->sync],
               w->waits ? ", waits" : "");
    for (unsigned k = 0; k < DARSIE_MAX_ENTRIES; k++)
        if (b->entry[k].state != DARSIE_EMPTY)
            buf_printf(out, "; %llx %s", (unsigned long long)b->entry[k].position,
                       states[b->entry[k].state]);
    buf_printf(out, "; free %llx\n", (unsigned long long)b->free);
}

#define PARAM_OF struct darsie_params
static const struct param_group darsie_param_group =
    PARAM_GROUP("darsie", "DARSIE: redundant instructions are skipped", DARSIE_PARAMS);
#undef PARAM_OF
#define STAT_OF struct darsie_stats
static const struct stat_group darsie_stat_group =
    STAT_GROUP("darsie", "instructions skipped by DARSIE", DARSIE_STATS);
#undef STAT_OF

extern const struct skip_ops skip_darsie;
const struct skip_ops skip_darsie = {
    .name = "darsie",
    .summary = "DARSIE: one warp of a block executes redundant instructions for all",
    .paper = "DARSIE (ASPLOS 2020)",
    .params = &darsie_param_group,
    .stats = &darsie_stat_group,
    .state_size = sizeof(struct darsie),
    .wants_values = true,
    .renames = true,
    .init = darsie_init,
    .fini = darsie_fini,
    .before_fetch = darsie_before_fetch,
    .at_fetch = darsie_at_fetch,
    .kernel_start = darsie_kernel_start,
    .warp_start = darsie_warp_start,
    .written_back = darsie_written_back,
    .warp_end = darsie_warp_end,
    .dump = darsie_dump,
    .parts = darsie_parts,
};
