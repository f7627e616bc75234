/* loog.c - LOOG on Vortex: collector units as reservation stations, registers renamed to
 * them, results broadcast; optionally a register renaming stack (RRS).
 *
 * An instruction from the instruction buffer takes a free collector unit (CU), looks up its
 * sources in the register alias table (RAT) one cycle later, and waits there: for results
 * of other units, which are broadcast once complete, or for the one port of the register
 * file. When complete it is dispatched, out of order except for two rules: memory
 * operations of a warp stay in order, and no instruction writes a register that an older
 * one has still to read from the register file. A result is written to the register file
 * only if the RAT still names its unit. With the RRS, results are renamed to its entries
 * instead, and the CU is free two cycles after dispatch.
 *
 * Source: M. Zerva, "FPGA Design and Analysis of a RISC-V Out-Of-Order GPU" (NTUA 2025),
 * and its RTL (vortex_coroni, vortex_rrs), whose cycles are kept: n operands hold the
 * port for n + 2 cycles, allocation every second cycle. Its defects are not kept: lanes are
 * merged (an instruction waits at allocation while a result in flight lacks lanes it needs
 * or would lose), instruction numbers that wrap around wait until they can be compared,
 * and memory stays in order with the RRS too.
 *
 * perf: sets of units are bits, and answers are kept until something changes (decision
 * 021). A unit looks up its sources and renames its result as it is allocated, as the RAT
 * is the same one cycle later except for results broadcast in that cycle; the port chooses
 * its next unit as soon as no other can come first. Both give the cycles of the RTL, so
 * one form serves both models of a core.
 */
#include "vortex/loog.h"

#include <string.h>

#include "vortex/stages.h"

static struct loog *self(struct vx_issue *s)
{
    return (struct loog *)s;
}

static int init_stage(struct vx_issue *base, bool has_rrs)
{
    struct loog *s = self(base);
    uint32_t bits;

    s->p = *(const struct loog_params *)base->params;
    s->has_rrs = has_rrs;
    s->n_cus = s->p.cus;
    s->n_units = has_rrs ? s->p.cus * s->p.rrs_percent / 100 : s->p.cus;
    bits = s->p.uuid_bits;
    s->top = bits < 32 ? (1u << bits) - 1 : ~0u;
    s->quarter_bits = bits - 2;
    s->cause = STALL_fetch;
    s->try_at = s->port_at = s->came_at = NEVER;
    for (unsigned n = 0; n < s->n_cus; n++)
        s->all_cus |= 1u << n;
    for (unsigned n = 0; n < s->n_units; n++)
        s->all_units[n / 64] |= (uint64_t)1 << n % 64;
    for (unsigned n = 1; n <= s->n_cus; n++)
        s->row[n] = (uint8_t)(1 + (4 * n - 1) / s->n_cus);
    for (unsigned w = 0; w < VX_MAX_WARPS; w++) {
        s->ibuffer[w].head_at = NEVER;
        s->order.next[LOOG_CUS + w] = s->order.before[LOOG_CUS + w] =
            (uint16_t)(LOOG_CUS + w);
        for (unsigned r = 0; r < VX_REGS; r++)
            s->rat[w][r] = r ? FROM_RF : IS_THERE; /* x0, after the last source */
    }
    return 0;
}

static int loog_init(struct vx_issue *base, struct err *err)
{
    (void)err;
    return init_stage(base, false);
}

static int rrs_init(struct vx_issue *base, struct err *err)
{
    (void)err;
    return init_stage(base, true);
}

/* ---- order within a warp ---- */

static uint32_t uuid_distance(const struct loog *s, uint32_t older, uint32_t younger)
{
    return younger > older ? younger - older : s->top - older + younger;
}

static void leave_order(struct loog_order *o, unsigned c)
{
    o->next[o->before[c]] = o->next[c];
    o->before[o->next[c]] = o->before[c];
}

/* ---- dispatch ---- */

/* The oldest itself is not counted. */
static void count_reorder(struct loog *s, const struct cu *u, const struct cu *oldest)
{
    uint32_t d = uuid_distance(s, oldest->uuid, u->uuid);

    loog_stats_of(s)->reordered += u != oldest;
    (&loog_stats_of(s)->distance_1)[(d < 15 ? d : 15) - 1] += u != oldest;
}

static unsigned oldest_unit(const struct loog *s, uint32_t able)
{
    unsigned best = (unsigned)__builtin_ctz(able);

    for (uint32_t m = able; m; m &= m - 1)
        if (s->cu[__builtin_ctz(m)].since < s->cu[best].since)
            best = (unsigned)__builtin_ctz(m);
    return best;
}

static unsigned choose_unit(const struct loog *s, uint32_t able)
{
    return s->p.dispatch == DISPATCH_ID ? (unsigned)__builtin_ctz(able)
                                        : oldest_unit(s, able);
}

/* RTL (VX_operands of vortex_rrs): an instruction with a result is dispatched only while
 * some entry of the stack is free, though it has had its own since allocation. With no more
 * entries than units, units could hold all entries for ever: there the rule is left out. */
static bool waits_for_entry(const struct loog *s, uint32_t able)
{
    if (!s->has_rrs || s->n_used < s->n_units || s->n_units <= s->n_cus)
        return false;
    return s->base.core->flight[s->cu[choose_unit(s, able)].uop].rd != 0;
}

/* perf: out of line, so that cycles without a dispatch are short. */
__attribute__((noinline)) static void dispatch_unit(struct loog *s, uint32_t able)
{
    struct vx_core *k = s->base.core;
    unsigned c = choose_unit(s, able);
    const struct cu *from = &s->cu[c];
    struct uop *u = &k->pool[from->uop];
    unsigned first = s->order.next[LOOG_CUS + from->warp];
    uint32_t bit = 1u << c;

    count_reorder(s, from, &s->cu[first]);
    u->stage = UOP_ISSUED;
    u->issued = k->cycle;
    vx_stage_push(k, u);
    s->undispatched &= ~bit;
    s->lsu &= ~bit;
    s->complete &= ~bit;
    s->able &= ~bit;
    s->waiting[from->warp] &= ~bit;
    s->behind &= ~from->behind;
    leave_order(&s->order, c);
    s->cause = N_STALL;
    if (s->has_rrs || !from->rd)
        loog_free_cu(s, c);
}

/* ---- the cycle ---- */

/* Frees an entry of the stack, numbered from 1; 0: none. */
static void release_entry(struct loog *s, unsigned n)
{
    unsigned entry = (n - 1) % LOOG_UNITS; /* any, if there is none */

    s->used[entry / 64] &= ~((uint64_t)(n != 0) << entry % 64);
    s->n_used -= n != 0;
}

/* Frees units and entries that are free from this cycle on. */
static void release_tick(struct loog *s, uint64_t cycle)
{
    struct loog_freed *f = &s->freed[cycle % 4];

    s->allocated &= ~f->cus;
    s->n_allocated -= f->n_cus;
    if (s->has_rrs)
        release_entry(s, f->entry);
    *f = (struct loog_freed){ 0 };
}

/* Allocates if there is an instruction and a unit for it (perf: in one branch). */
static void allocate_tick(struct loog *s, uint64_t cycle)
{
    bool is_full = s->allocated == s->all_cus;
    uint64_t unit_at = is_full ? NEVER : 0;

    if (later(s->try_at, unit_at) <= cycle) {
        loog_allocate(s);
        return;
    }
    s->blocked = is_full ? NO_CU : NOT_BLOCKED;
    loog_stats_of(s)->no_cu += is_full;
}

static void count_use(struct loog *s, uint64_t cycles)
{
    loog_stats_of(s)->cu_busy += s->n_allocated * cycles;
    (&loog_stats_of(s)->used_0)[s->row[s->n_allocated]] += cycles;
    loog_stats_of(s)->rrs_busy += s->n_used * cycles;
}

/* The stall reason of a unit that is not dispatched. */
static enum stall unit_cause(const struct loog *s, unsigned c)
{
    const struct cu *u = &s->cu[c];
    enum stall cause = STALL_order;

    if (!u->n_wait)
        return u->is_lsu ? STALL_order : STALL_war;
    if (s->wanting >> c & 1)
        return STALL_scheme;
    for (unsigned n = 0; n < 3; n++) {
        enum stall of = STALL_order;

        if (u->from[n] >= 0)
            of = s->holder[u->from[n]].is_load ? STALL_memory : STALL_compute;
        cause = of < cause ? of : cause;
    }
    return cause;
}

/* The first stall reason of all units, none of which wants the port. */
__attribute__((noinline)) static enum stall find_cause(struct loog *s)
{
    enum stall cause = STALL_fetch;

    for (uint32_t m = s->undispatched; m; m &= m - 1) {
        enum stall of = unit_cause(s, (unsigned)__builtin_ctz(m));

        cause = of < cause ? of : cause;
    }
    return s->cause = cause;
}

/* What the issue slot of the cycle is charged to. */
static enum stall slot_outcome(struct loog *s, bool is_able, bool goes)
{
    bool is_busy = (s->blocked | s->wanting) != 0;
    enum stall cause = s->cause;

    is_busy |= s->came_at == s->base.core->cycle;
    cause = is_busy ? STALL_scheme : cause; /* the first of all */
    cause = is_able ? STALL_pipe : cause;
    cause = goes ? STALL_issued : cause;
    return cause == N_STALL ? find_cause(s) : cause;
}

/* RTL: with the stack, readiness is a register. Returns its value and sets the next. */
static uint32_t through_register(struct loog *s, uint32_t ready)
{
    uint32_t able = s->able;

    s->base.core->progress |= able != ready;
    s->able = ready;
    return able;
}

static enum stall loog_tick(struct vx_issue *base)
{
    struct loog *s = self(base);
    uint32_t able = s->complete & ~(s->held | s->behind);
    uint64_t cycle = base->core->cycle;
    bool goes;

    release_tick(s, cycle);
    if (s->has_rrs)
        able = through_register(s, able);
    goes = only_if(vx_stage_is_free(base->core), able) && !waits_for_entry(s, able);
    if (goes)
        dispatch_unit(s, able);
    if (s->port_at <= cycle)
        loog_port_tick(s);
    allocate_tick(s, cycle);
    s->complete |= s->completing;
    s->completing = 0;
    count_use(s, 1);
    return slot_outcome(s, able != 0, goes);
}

static void loog_slept(struct vx_issue *base, uint64_t cycles)
{
    struct loog *s = self(base);

    loog_count_blocked(s, cycles);
    count_use(s, cycles);
}

static uint64_t loog_next(const struct vx_issue *base)
{
    const struct loog *s = (const struct loog *)base;

    return earlier(s->port_at, loog_alloc_next(s));
}

static void loog_dump(const struct vx_issue *base, struct buf *out)
{
    const struct loog *s = (const struct loog *)base;

    buf_printf(out, "  loog: %u in the buffer, units allocated 0x%x, port %s\n",
               s->ibuffer[0].n, s->allocated, s->port_at != NEVER ? "busy" : "idle");
    for (uint32_t m = s->undispatched; m; m &= m - 1) {
        unsigned c = (unsigned)__builtin_ctz(m);

        buf_printf(out, "  unit %u: warp %u, number %u, waits for %u operands: %s\n", c,
                   s->cu[c].warp, s->cu[c].uuid, s->cu[c].n_wait,
                   stall_name(unit_cause(s, c)));
    }
}

/* The thesis' counters at its CSR numbers (it counts time in half cycles). */
static bool loog_counter(const struct vx_issue *base, unsigned csr, uint64_t *value)
{
    const struct loog *s = (const struct loog *)base;
    const struct loog_stats *t = base->stats;
    unsigned last = s->has_rrs ? 0xb1d : 0xb1f;

    if (csr >= 0xb11 && csr <= last)
        *value = (&t->distance_1)[csr - 0xb11];
    else if (csr == 0xb06)
        *value = t->no_cu;
    else if (csr == 0xb07)
        *value = base->core->stats.rf_reads;
    else if (csr == 0xb08)
        *value = base->core->stats.rf_writes;
    else if (csr == 0xb09)
        *value = t->reordered;
    else if (csr == 0xb0a)
        *value = t->cu_busy;
    else if (csr == 0xb10)
        *value = 2 * t->cu_held;
    else if (csr == 0xb1e)
        *value = t->rrs_busy;
    else if (csr == 0xb1f)
        *value = 2 * t->rrs_held;
    else
        return false;
    return true;
}

#define PARAM_OF struct loog_params
static const struct param_group loog_param_group = PARAM_GROUP(
    "vxloog", "Vortex: LOOG, with and without the renaming stack", LOOG_PARAMS);
#undef PARAM_OF
#define STAT_OF struct loog_stats
static const struct stat_group loog_stat_group =
    STAT_GROUP("vxloog", "Vortex: LOOG", LOOG_STATS);
#undef STAT_OF

#define LOOG_OPS(name_, summary_, init_, parts_)                                      \
    {                                                                                 \
        .name = name_, .summary = summary_,                                           \
        .paper = "Zerva, FPGA Design and Analysis of a RISC-V Out-Of-Order GPU",      \
        .params = &loog_param_group, .stats = &loog_stat_group,                       \
        .state_size = sizeof(struct loog), .bars_pass = true, .init = init_,          \
        .accepts = loog_accepts, .insert = loog_insert, .written = loog_written,      \
        .tick = loog_tick, .slept = loog_slept, .next = loog_next, .dump = loog_dump, \
        .counter = loog_counter, .parts = parts_,                                     \
    }
const struct vx_issue_ops vx_issue_loog = LOOG_OPS(
    "loog", "collector units that are reservation stations", loog_init, loog_parts);
const struct vx_issue_ops vx_issue_rrs = LOOG_OPS(
    "loog.rrs", "the same with a register renaming stack", rrs_init, loog_rrs_parts);
