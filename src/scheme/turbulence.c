/* turbulence.c - TURBULENCE: out-of-order issue of a hybrid program, whose near
 * operands are named by distance and the others by register number.
 *
 * Every instruction puts its results into the next slot of its warp's ring; a distance
 * identifies a slot, so no renaming is needed and WAR and WAW hazards cannot occur. An
 * instruction without register numbers issues as soon as its sources are written. Those
 * that access the register file issue in program order among themselves and use a
 * scoreboard (`order=sources`: only those that read it; a write then waits for older reads
 * of its register). The oldest that may issue is offered.
 *
 * Source: "TURBULENCE: Complexity-effective Out-of-order Execution on GPU with
 * Distance-based ISA", sections II.A and II.B; two pages. Programs are converted before
 * they run (analysis/hybrid.h), by inserted moves too.
 *
 * Decided here, where the paper is silent (docs/schemes/turbulence.md):
 *   - Stores and atomics count as instructions with register numbers, however their
 *     operands are named, and act as the paper's memory barriers: no load passes one
 *     and none passes a load. Loads pass loads.
 *   - Nothing passes a branch before it is resolved (`release_at_issue`: issued), nor a
 *     barrier, fence, atomic or exit, which wait until all older instructions have
 *     issued. With `masks` an instruction keeps the lanes it was decoded with, so a
 *     branch may pass older instructions; without, it issues after them.
 *   - A slot is reused once its result is written and no instruction that could name it
 *     is still in the window: the ring has max_distance slots more than the window
 *     spans.
 *   - Operands are read from the banks of their SASS registers, whether they are in the
 *     ring or not.
 *
 * LIMIT: a source named by number also waits for the last write to that register in the
 * ring by other lanes of its warp, because the core's check requires it.
 */
#include "scheme/turbulence.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "core/scheme.h"
#include "scheme/turbulence_check.h"

static int turbulence_init(struct scheme *s, struct err *err)
{
    (void)err;
    s->renames = true;
    s->needs_distances = true;
    ((struct turbulence *)s)->ring = params_of(s)->max_distance + params_of(s)->span;
    return 0;
}

static struct naming turbulence_naming(const void *values)
{
    const struct turbulence_params *p = values;

    return (struct naming){
        .kind = p->isa == ISA_RELAY ? NAMING_RELAY : (enum naming_kind)p->convert,
        .max_distance = (unsigned)p->max_distance,
        .orders_writes = p->order == ORDER_ALL,
    };
}

static unsigned turbulence_window(const void *values)
{
    const struct turbulence_params *p = values;

    return p->window;
}

static void turbulence_warp_start(struct scheme *s, unsigned warp)
{
    struct book *b = book_of(s, warp);

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = b->touched.w[k]; m; m &= m - 1)
            b->reg[k * 64 + (unsigned)__builtin_ctzll(m)] = (struct reg){ 0 };
    memset(b, 0, offsetof(struct book, slot));
    b->next = 1;
}

/* Slots in program order: bit k is that of slot_in_order(k), so the next instruction's is
 * bit 0, where the one MAX_RING before it is now. */
static uint64_t in_order(const struct book *b, uint64_t slots)
{
    unsigned first = slot_of(b->next);

    return slots >> first | slots << (MAX_RING - first) % MAX_RING;
}

/* How far before the next instruction the oldest of these slots is; 0: there are none. */
static unsigned reach_of(const struct book *b, uint64_t slots)
{
    return slots ? MAX_RING - bits_first(in_order(b, slots)) : 0;
}

static const struct slot *slot_in_order(const struct book *b, unsigned k)
{
    return &b->slot[slot_of(b->next + k)];
}

static unsigned turbulence_room(const struct scheme *s, unsigned warp)
{
    const struct turbulence *t = (const struct turbulence *)s;
    const struct book *b = &t->book[warp];
    unsigned room = params_of(s)->window - window_size(b);
    unsigned in_span = params_of(s)->span - reach_of(b, b->window);
    unsigned in_ring = t->ring - reach_of(b, b->unwritten);

    room = room < in_span ? room : in_span;
    return room < in_ring ? room : in_ring;
}

static unsigned memory_form(const struct inst *i)
{
    if (inst_writes_memory(i))
        return FORM_STORE | FORM_NUMBER;
    return inst_is_load(i) ? FORM_LOAD : 0;
}

static unsigned form_of(const struct inst *i)
{
    return memory_form(i) | (i->flags & INST_CONTROL ? FORM_BRANCH : 0) |
           (inst_is_sync(i) ? FORM_SYNC : 0);
}

/* The instructions in the window that one of this form must not pass; FORM_NUMBER is a
 * matter of turns. */
static uint64_t slots_not_passed(const struct scheme *s, const struct book *b,
                                 unsigned form)
{
    uint64_t slots = b->branches | b->syncs;

    if (form & FORM_SYNC || (form & FORM_BRANCH && !params_of(s)->masks))
        return b->window;
    if (form & (FORM_LOAD | FORM_STORE))
        slots |= b->stores;
    if (form & FORM_STORE)
        slots |= b->loads;
    return slots;
}

static void turbulence_enter_window(struct book *b, unsigned form, uint64_t slot)
{
    b->window |= slot;
    b->loads |= form & FORM_LOAD ? slot : 0;
    b->stores |= form & FORM_STORE ? slot : 0;
    b->branches |= form & FORM_BRANCH ? slot : 0;
    b->syncs |= form & FORM_SYNC ? slot : 0;
}

static void turbulence_leave_window(struct book *b, uint64_t slot)
{
    b->window &= ~slot;
    b->loads &= ~slot;
    b->stores &= ~slot;
    b->branches &= ~slot;
    b->syncs &= ~slot;
    b->open &= ~slot;
}

/* The slot of an instruction as a bit if its result is pending, else 0. */
static uint64_t pending_slot(const struct scheme *s, const struct book *b, uint64_t at)
{
    return has_slot(s, b, at) ? b->unwritten & slot_bit(slot_of(at)) : 0;
}

static void add_number(struct scheme *s, struct book *b, struct slot *e,
                       const struct uop *u, unsigned reg)
{
    struct turbulence_stats *t = s->stats;
    struct reg *r = &b->reg[reg];

    e->form |= FORM_NUMBER;
    e->sources |= pending_slot(s, b, r->filed) | pending_slot(s, b, r->writer);
    r->readers = b->n_turns + 1;
    check_number(b, e, u, reg);
    t->by_number++;
}

static void add_source(struct scheme *s, struct book *b, struct slot *e,
                       const struct uop *u, unsigned k)
{
    struct turbulence_stats *t = s->stats;
    const struct inst *i = u->dyn.inst;
    const struct slot *p;

    if (!is_near(s, i, k)) {
        add_number(s, b, e, u, i->list.reg[k]);
        return;
    }
    t->by_distance++;
    p = slot_back(s, b, e, i->distance[k]);
    if (!p) /* an eliminator has dropped the producer: as if written at once */
        return;
    e->farthest = (uint8_t)later(e->farthest, e->at - p->at);
    e->sources |= pending_slot(s, b, p->at);
    check_distance(b, e, p, u, i->list.reg[k]);
}

/* A write to the register file is in order, or at least after the reads of the same
 * register. */
static void add_write(const struct scheme *s, struct slot *e, const struct reg *r)
{
    if (params_of(s)->order == ORDER_ALL)
        e->form |= FORM_NUMBER;
    else if (!(e->form & FORM_NUMBER) && e->turn < r->readers)
        e->turn = r->readers;
}

static void add_result(struct scheme *s, struct book *b, struct slot *e,
                       const struct uop *u, unsigned reg, bool is_filed)
{
    struct turbulence_stats *t = s->stats;
    struct reg *r = &b->reg[reg];

    if (is_filed) {
        add_write(s, e, r);
        e->names |= pending_slot(s, b, r->filed);
        r->filed = e->at;
        r->only_ring &= ~u->dyn.mask;
        t->in_file++;
    } else {
        r->only_ring |= u->dyn.mask;
        t->in_ring++;
    }
    r->writer = e->at;
    r->mask = u->dyn.mask;
}

/* Instructions with more registers than are listed issue after everything older and use
 * the register file only. */
static void add_unlisted(struct scheme *s, struct book *b, struct slot *e,
                         const struct uop *u)
{
    e->sources = b->unwritten;
    for (unsigned r = 0; r < N_REGID; r++)
        if (regset_has(&u->dyn.inst->reads, r))
            add_number(s, b, e, u, r);
    for (unsigned r = 0; r < N_REGID; r++)
        if (regset_has(&u->dyn.inst->writes, r))
            add_result(s, b, e, u, r, true);
}

static void add_operands(struct scheme *s, struct book *b, struct slot *e,
                         const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    unsigned n = i->list.n_reads;

    if (!i->has_distances)
        set_fault(e, FAULT_UNMARKED, 0);
    if (!i->list.is_whole) {
        add_unlisted(s, b, e, u);
        return;
    }
    for (unsigned k = 0; k < n; k++)
        add_source(s, b, e, u, k);
    for (unsigned k = n; k < n + i->list.n_writes; k++)
        add_result(s, b, e, u, i->list.reg[k], !is_near(s, i, k));
}

/* An eliminator has dropped some instructions: their results are in the register
 * file. */
static void forget_lanes(struct book *b)
{
    for (unsigned r = 0; r < N_REGID; r++)
        b->reg[r].only_ring = 0;
}

static bool has_result(const struct inst *i)
{
    return !i->list.is_whole || i->list.n_writes;
}

/* An instruction is new, or a result that it waited for is written. */
static void turbulence_open_slot(struct book *b, const struct slot *e, uint64_t bit)
{
    b->open |= e->sources | e->names ? 0 : bit;
}

static void turbulence_insert(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    struct turbulence_stats *t = s->stats;
    const struct inst *i = u->dyn.inst;
    struct slot *e = &b->slot[slot_of(b->next)];
    uint64_t slot = slot_bit(slot_of(b->next));

    INVARIANT(window_size(b) < params_of(s)->window && !(b->unwritten & slot));
    if (u->dyn.seq != b->next_seq)
        forget_lanes(b);
    *e = (struct slot){
        .at = b->next, .seq = u->dyn.seq, .uop = u->id, .form = (uint8_t)form_of(i)
    };
    add_operands(s, b, e, u);
    for (uint64_t m = e->sources | e->names; m; m &= m - 1)
        b->slot[bits_first(m)].waiters |= slot;
    turbulence_open_slot(b, e, slot);
    e->behind = slots_not_passed(s, b, e->form);
    turbulence_enter_window(b, e->form, slot);
    if (e->form & FORM_NUMBER)
        e->turn = b->n_turns++;
    if (has_result(i))
        b->unwritten |= slot;
    u->tag = (uint16_t)slot_of(b->next++);
    u->partial =
        false; /* writes are never merged, neither in a slot nor in the register file */
    b->next_seq = u->dyn.seq + 1;
    regset_join(&b->touched, &i->touches);
    t->inserted++;
    t->moves += (i->flags & INST_INSERTED) != 0;
    t->free += !(e->form & FORM_NUMBER);
}

/* The reason why the oldest waits: everything older has issued. */
static struct offer hold_oldest(const struct book *b)
{
    const struct slot *e = slot_in_order(b, bits_first(in_order(b, b->window)));

    if (e->sources)
        return offer_data(e->uop);
    return offer_none(e->names ? HOLD_names : HOLD_order);
}

static struct offer turbulence_candidate(struct scheme *s, unsigned warp)
{
    const struct book *b = book_of(s, warp);

    for (uint64_t m = in_order(b, b->open); m; m &= m - 1) {
        const struct slot *e = slot_in_order(b, bits_first(m));

        if (b->branch && e->at > b->branch)
            break;
        if (!(e->behind & b->window) && e->turn <= b->turn)
            return offer_uop(e->uop);
    }
    if (b->window)
        return hold_oldest(b);
    return offer_none(turbulence_room(s, warp) ? HOLD_empty : HOLD_window);
}

/* Records a write, sent or completed, for the registers of the file that it writes. */
static void mark_file(struct scheme *s, struct book *b, const struct uop *u, bool sent)
{
    const struct inst *i = u->dyn.inst;
    uint64_t at = b->slot[u->tag].at;
    unsigned n = i->list.n_reads;

    for (unsigned k = n; k < n + i->list.n_writes; k++) {
        struct reg *r = &b->reg[i->list.reg[k]];

        if (!is_near(s, i, k))
            *(sent ? &r->sent : &r->come) = at;
    }
}

static void turbulence_issued(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    const struct slot *e = &b->slot[u->tag];
    uint64_t slot = slot_bit(u->tag);

    INVARIANT(b->window & slot && e->uop == u->id);
    turbulence_leave_window(b, slot);
    b->turn += (e->form & FORM_NUMBER) != 0;
    if (u->dyn.inst->flags & INST_CONTROL && !params_of(s)->release_at_issue)
        b->branch = e->at;
    mark_file(s, b, u, true);
}

static void turbulence_resolved(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);

    if (!b->branch || slot_of(b->branch) != u->tag)
        return;
    b->branch = 0;
    scheme_wake_offer(s, u->warp);
}

/* Clears this slot from what instructions in the window wait for. This must happen now:
 * the slot may be reused before a reader, however far away, has issued. */
static void turbulence_release_slot(struct book *b, unsigned slot)
{
    uint64_t bit = slot_bit(slot);

    b->unwritten &= ~bit;
    for (uint64_t m = b->slot[slot].waiters; m; m &= m - 1) {
        struct slot *e = &b->slot[bits_first(m)];

        e->sources &= ~bit;
        e->names &= ~bit;
        turbulence_open_slot(b, e, m & -m);
    }
}

static void turbulence_written_back(struct scheme *s, struct uop *u)
{
    struct book *b = book_of(s, u->warp);
    uint64_t open = b->open;

    if (!has_result(u->dyn.inst)) /* its slot may have been reused */
        return;
    INVARIANT(b->unwritten & slot_bit(u->tag) && b->slot[u->tag].uop == u->id);
    mark_file(s, b, u, false);
    turbulence_release_slot(b, u->tag);
    if (b->open != open)
        scheme_wake_offer(s, u->warp);
    if (!has_slot(s, b, b->slot[u->tag].at - 1))
        scheme_wake(s, u->warp); /* the next instruction takes this slot */
}

static void turbulence_dump(const struct scheme *s, unsigned warp, struct buf *out)
{
    const struct book *b = &((const struct turbulence *)s)->book[warp];

    buf_printf(out, "    window %u, %d results pending%s\n", window_size(b),
               __builtin_popcountll(b->unwritten),
               b->branch ? ", a branch is unresolved" : "");
    for (uint64_t m = in_order(b, b->window); m; m &= m - 1) {
        const struct slot *e = slot_in_order(b, bits_first(m));

        buf_printf(out, "      instruction %llu in slot %u waits for slots %#llx\n",
                   (unsigned long long)e->seq, slot_of(e->at),
                   (unsigned long long)(e->sources | e->names));
    }
}

/* The results are stored in the register file: the ring is part of it. */
static void turbulence_parts(const void *values, const struct core_shape *shape,
                             struct part *at)
{
    const struct turbulence_params *p = values;
    uint64_t warps = shape->n_warps, entries = warps * p->window;
    unsigned ring = p->max_distance + p->span;

    *at++ = (struct part){ "window", "valid", entries, 1 };
    *at++ = (struct part){ "window", "instruction", entries, 64 };
    *at++ = (struct part){ "window", "slot", entries, bits_for(ring) };
    if (p->masks)
        *at++ = (struct part){ "window", "lanes", entries, 32 };
    *at++ = (struct part){ "ring", "result to come", warps * ring, 1 };
    *at++ = (struct part){ "ring", "next slot", warps, bits_for(ring) };
    *at++ = (struct part){ "scoreboard", "pending write", warps * N_REGID, 1 };
}

#define PARAM_OF struct turbulence_params
static const struct param_group turbulence_param_group = PARAM_GROUP(
    "turbulence", "TURBULENCE: out-of-order issue by distances", TURBULENCE_PARAMS);
#undef PARAM_OF
#define STAT_OF struct turbulence_stats
static const struct stat_group turbulence_stat_group =
    STAT_GROUP("turbulence", "TURBULENCE", TURBULENCE_STATS);
#undef STAT_OF

const struct scheme_ops scheme_turbulence = {
    .name = "turbulence",
    .summary = "TURBULENCE: out-of-order issue, near operands by distance in a ring",
    .paper = "TURBULENCE",
    .params = &turbulence_param_group,
    .stats = &turbulence_stat_group,
    .state_size = sizeof(struct turbulence),
    .warp_size = sizeof(struct book),
    .may_rename = true,
    .init = turbulence_init,
    .window = turbulence_window,
    .room = turbulence_room,
    .insert = turbulence_insert,
    .candidate = turbulence_candidate,
    .check = turbulence_check,
    .issued = turbulence_issued,
    .written_back = turbulence_written_back,
    .resolved = turbulence_resolved,
    .warp_start = turbulence_warp_start,
    .dump = turbulence_dump,
    .parts = turbulence_parts,
    .naming = turbulence_naming,
};
