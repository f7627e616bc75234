/* scoreboard.c - the baseline's issue stage: instruction buffers, a scoreboard, and one
 * register file port.
 *
 * A decoded instruction takes two cycles through its warp's buffer and one into the
 * register before the scoreboard. The place that one leaves is free in the next cycle. A scheme of core/scheme.h says which instruction a warp
 * offers, or why none: for the baseline src/scheme/inorder.c, whose scoreboard has the
 * RTL's rules (RAW and WAW, one bit per register, cleared with the last packet). Of the
 * warps with an offer one issues, in turn, after an idle cycle the lowest; with more than
 * eight warps there is an arbiter for every eight, and one more after those. Operands are then read one per cycle; those
 * of the next instruction not before this one has left for dispatch, so that the stage is
 * occupied for 2 + n cycles. Two instructions fit before that, and between arbiters.
 *
 * One form serves both models of a core (plain.c, ahead.c): it works cycle by cycle, and an
 * offer is kept until something happens to its warp.
 */
#include "vortex/scoreboard.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "core/needs.h"
#include "vortex/check.h"
#include "vortex/stages.h"

enum { ENTRY_CYCLES = 3 }; /* buffer, its output register, the staging register */

static struct scoreboard *self(struct vx_issue *s)
{
    return (struct scoreboard *)s;
}

/* What this stage provides to a scheme. */
static const struct scheme_host *host_of(const struct vx_core *k, struct scheme_host *h)
{
    *h = (struct scheme_host){
        .kind = "on machine",
        .name = vortex_config(k->gpu)->machine,
        .serves = 1u << NEED_TICK | 1u << NEED_READS | 1u << NEED_CHECKS |
                  1u << NEED_RESOLVED | 1u << NEED_OWN_CHECK | 1u << NEED_RENAMING |
                  1u << NEED_PREDICTION,
        .instead = "use another scheme, such as inorder or loog, or an NVIDIA machine, "
                   "such as --gpu rtx2060s",
    };
    return h;
}

/* Registers are checked by version. */
static int follow_names(struct scoreboard *s)
{
    struct vx_core *k = s->base.core;

    s->unwritten = calloc((size_t)k->p->warps * VX_VERSION_WORDS, sizeof(uint64_t));
    k->check.unwritten = s->unwritten;
    k->check.renames = true;
    return s->unwritten ? 0 : -1;
}

int scoreboard_init(struct vx_issue *base, struct err *err)
{
    struct scoreboard *s = self(base);
    const struct vx_hosted *h = &base->core->hosted;
    struct scheme *c = scheme_new(h->scheme, base->core->p->warps);
    struct scheme_host host;

    if (!c)
        return err_memory(err, "a scheme");
    s->scheme = c;
    s->pending =
        aligned_alloc(PENDING_ALIGN, base->core->p->warps * sizeof *s->pending);
    if (!s->pending)
        return err_memory(err, "a scoreboard");
    memset(s->pending, 0, base->core->p->warps * sizeof *s->pending);
    c->pending = s->pending;
    s->shape = (struct core_shape){ .n_warps = base->core->p->warps, .n_subcores = 1 };
    s->entry_cycles = ENTRY_CYCLES;
    s->n_slices = (base->core->p->warps + SB_SLICE - 1) / SB_SLICE;
    for (unsigned n = 0; n < SB_SLICES; n++)
        s->last[n] = SB_SLICE * n; /* RTL: after reset input 0 was the last */
    s->last_slice = s->n_slices - 1;
    s->enter_at = s->operand_at = NEVER;
    c->ops = h->scheme;
    c->params = h->params;
    c->shape = &s->shape;
    c->pool = base->core->pool;
    c->next_wake = NEVER;
    if (h->scheme->stats) {
        c->stats = calloc(1, h->scheme->stats->size);
        if (!c->stats)
            return err_memory(err, "the statistics of a scheme");
    }
    if ((h->scheme->init && h->scheme->init(c, err)) ||
        scheme_fits(c, host_of(base->core, &host), err))
        return -1;
    base->wants_checks = c->wants_checks && h->scheme->checked;
    base->core->fetch.predicts = c->predicts;
    s->has_check = h->scheme->check;
    if (c->renames && follow_names(s))
        return err_memory(err, "a scheme");
    for (unsigned w = 0; w < base->core->p->warps; w++) {
        s->dirty |= 1u << w;
        s->window[w] = (struct uop_list){ NO_UOP, NO_UOP };
        if (h->scheme->warp_start)
            h->scheme->warp_start(c, w);
    }
    return 0;
}

/* A warp has ended and all of its results are written: prepares for the next warp that
 * the program starts in its place. */
static void renew_warp(struct scoreboard *s, unsigned warp)
{
    const struct scheme_ops *ops = s->scheme->ops;

    if (ops->warp_end)
        ops->warp_end(s->scheme, warp);
    if (ops->warp_start)
        ops->warp_start(s->scheme, warp);
    s->dirty |= 1u << warp;
}

void scoreboard_fini(struct vx_issue *base)
{
    struct scheme *c = self(base)->scheme;

    free(self(base)->pending);
    if (!c)
        return;
    if (c->ops->fini)
        c->ops->fini(c);
    free(self(base)->unwritten);
    free(c->stats);
    free(c);
}

bool scoreboard_accepts(const struct vx_issue *base, unsigned warp)
{
    const struct scoreboard *s = (const struct scoreboard *)base;

    return s->n < SB_ENTERING && s->scheme->ops->room(s->scheme, warp) >
                                     s->n_entering[warp] + (s->left >> warp & 1);
}

void scoreboard_insert(struct vx_issue *base, struct uop *u)
{
    struct scoreboard *s = self(base);
    unsigned at = (s->first + s->n++) % SB_ENTERING;

    INVARIANT(s->n <= SB_ENTERING && u->stage == UOP_WINDOW);
    s->entering[at].uop = u->id;
    s->entering[at].at = base->core->cycle + s->entry_cycles;
    s->enter_at = s->entering[s->first].at;
    s->n_entering[u->warp]++;
}

/* Something happened to a warp: if it has no offer it is asked again. */
static void note_change(struct scoreboard *s, unsigned warp)
{
    s->dirty |= 1u << warp & ~s->offers;
}

/* The first instruction enters the window: the scheme may offer it from now on. */
static void enter_window(struct scoreboard *s)
{
    struct uop *u = &s->base.core->pool[s->entering[s->first].uop];

    s->first = (s->first + 1) % SB_ENTERING;
    s->enter_at = --s->n ? s->entering[s->first].at : NEVER;
    INVARIANT(s->n_entering[u->warp] && !vx_flight(s->base.core, u)->in_window);
    s->n_entering[u->warp]--;
    note_change(s, u->warp);
    vx_flight(s->base.core, u)->in_window = true;
    uop_list_add(&s->window[u->warp], s->base.core->pool, u);
    s->scheme->ops->insert(s->scheme, u);
    s->base.core->progress = true;
}

void scoreboard_written(struct vx_issue *base, struct uop *u)
{
    struct scoreboard *s = self(base);
    const struct vx_flight *f = vx_flight(base->core, u);

    s->scheme->cycle = base->core->cycle;
    if (f->rd)
        base->core->stats.rf_writes += f->n_parts;
    vx_check_written(base->core, u);
    note_change(s, u->warp);
    pending_written(&s->pending[u->warp], &u->dyn);
    s->scheme->ops->written_back(s->scheme, u);
    if (u->dyn.inst->flags & INST_CONTROL && s->scheme->ops->resolved)
        s->scheme->ops->resolved(s->scheme, u);
    if (!(base->core->sched.active >> u->warp & 1) &&
        base->core->warp[u->warp].pending == 1)
        renew_warp(s, u->warp);
}

/* There is no address translation: accesses cannot fault once the LSU takes them. */
void scoreboard_checked(struct vx_issue *base, struct uop *u)
{
    struct scheme *c = self(base)->scheme;

    c->cycle = base->core->cycle;
    if (inst_is_memory(u->dyn.inst))
        c->ops->checked(c, u);
}

/* Asks the scheme for a warp's offer, or for the reason that there is none. */
static void ask_warp(struct scoreboard *s, unsigned warp)
{
    struct offer o = s->scheme->ops->candidate(s->scheme, warp);
    uint32_t bit = 1u << warp;

    s->offers = (s->offers & ~bit) | (o.hold == HOLD_nothing ? bit : 0);
    s->offer[warp] = o.uop;
    s->cause[warp] = (uint8_t)scheme_hold_cause(s->scheme, &o);
}

/* The first stall reason, when no warp has an offer. */
static enum stall first_cause(const struct scoreboard *s)
{
    uint8_t first = s->cause[0];

    for (unsigned w = 1; w < s->shape.n_warps; w++)
        first = s->cause[w] < first ? s->cause[w] : first;
    return (enum stall)first;
}

static void wake_warps(struct scoreboard *s, uint64_t cycle)
{
    struct scheme *c = s->scheme;
    uint64_t next = NEVER;

    for (unsigned w = 0; w < s->shape.n_warps; w++) {
        if (c->wake_at[w] && c->wake_at[w] <= cycle) {
            s->dirty |= 1u << w;
            c->wake_at[w] = 0;
        } else if (c->wake_at[w]) {
            next = earlier(next, c->wake_at[w]);
        }
    }
    c->next_wake = next;
}

static void fifo_add(struct sb_fifo *f, uop_id uop, uint64_t at)
{
    if (uop == NO_UOP)
        return;
    INVARIANT(f->n < SB_FIFO);
    f->p[f->n].uop = uop;
    f->p[f->n++].at = at;
}

static uop_id fifo_pop(struct sb_fifo *f)
{
    uop_id id = f->p[0].uop;

    f->p[0] = f->p[1];
    f->n--;
    return id;
}

/* Queues an issued instruction for its operands. */
static void push_operands(struct scoreboard *s, uop_id uop)
{
    fifo_add(&s->operands, uop, s->base.core->cycle + 1);
    if (s->operands.n == 1)
        s->operand_at = s->operands.p[0].at;
}

/* The first instruction's operands are read, one per cycle; then it is staged. */
static void operand_tick(struct scoreboard *s)
{
    struct vx_core *k = s->base.core;
    struct uop *u = &k->pool[s->operands.p[0].uop];

    if (s->is_reading) {
        vx_stage_push(k, u);
        fifo_pop(&s->operands);
        s->is_reading = false;
        s->operand_at = s->operands.n ? s->operands.p[0].at : NEVER;
        if (s->scheme->wants_reads)
            s->scheme->ops->operands_read(s->scheme, u);
    } else if (k->dispatch.stage.uop == NO_UOP) {
        const struct vx_flight *f = vx_flight(k, u);

        vx_check_reads(k, u);
        k->stats.rf_reads += f->n_src;
        vx_view_stage(k, u, TRACE_COLLECT);
        s->is_reading = true;
        s->operand_at = k->cycle + 1 + f->n_src;
        k->progress = true;
    }
}

/* Checks an offer; false: the core or the scheme has found it wrong. */
__attribute__((noinline)) static bool offer_is_right(struct scoreboard *s,
                                                     const struct uop *u, unsigned warp)
{
    struct vx_core *k = s->base.core;
    const struct scheme_ops *ops = s->scheme->ops;

    if (!vx_offer_is_plain(k, u, warp))
        vx_check_offer(k, u, warp);
    if (ops->check && !k->failed && ops->check(s->scheme, u, k->err))
        k->failed = true;
    return !k->failed;
}

/* The next warp of a slice in turn that has an offer issues. NO_UOP: the run ends with an
 * error. */
static uop_id issue_slice(struct scoreboard *s, unsigned slice)
{
    struct vx_core *k = s->base.core;
    uint32_t able = s->offers & 0xffu << SB_SLICE * slice;
    unsigned w = vx_next_in_turn(able, s->last[slice]), room;
    struct uop *u = &k->pool[s->offer[w]];

    if ((s->has_check || !vx_offer_is_plain(k, u, w)) && !offer_is_right(s, u, w))
        return NO_UOP;
    s->last[slice] = w;
    s->dirty |= 1u << w;
    u->stage = UOP_ISSUED;
    u->issued = k->cycle;
    vx_flight(k, u)->in_window = false;
    vx_view_stage(k, u, TRACE_ISSUE);
    uop_list_drop(&s->window[w], k->pool, u);
    pending_issued(&s->pending[u->warp], &u->dyn);
    room = s->scheme->ops->room(s->scheme, w);
    s->scheme->ops->issued(s->scheme, u);
    s->left |= (uint32_t)(s->scheme->ops->room(s->scheme, w) > room) << w;
    k->progress = true;
    return u->id;
}

/* An arbiter that had room, but no offer. */
static void idle_slice(struct scoreboard *s, unsigned slice)
{
    unsigned first = SB_SLICE * slice, left = s->shape.n_warps - first;

    s->last[slice] =
        first + vx_idle_turn(left < SB_SLICE ? left : SB_SLICE, s->last[slice] - first);
}

/* An instruction of the next slice in turn goes on to the operands; false: none did. */
static bool pass_slice(struct scoreboard *s)
{
    uint64_t cycle = s->base.core->cycle;

    for (unsigned n = 1; n <= s->n_slices; n++) {
        unsigned i = (s->last_slice + n) % s->n_slices;
        struct sb_fifo *f = &s->slice[i];

        if (!f->n || f->p[0].at > cycle)
            continue;
        s->last_slice = i;
        push_operands(s, fifo_pop(f));
        s->base.core->progress = true;
        return true;
    }
    s->last_slice = vx_idle_turn(s->n_slices, s->last_slice);
    return false;
}

/* With several slices each issues on its own, and one instruction goes on. */
static bool issue_slices(struct scoreboard *s, bool room)
{
    bool has_room[SB_SLICES], passed;

    for (unsigned n = 0; n < s->n_slices; n++)
        has_room[n] = s->slice[n].n < SB_FIFO;
    passed = room && pass_slice(s);
    for (unsigned n = 0; n < s->n_slices; n++)
        if (has_room[n] && s->offers & 0xffu << SB_SLICE * n)
            fifo_add(&s->slice[n], issue_slice(s, n), s->base.core->cycle + 1);
        else if (has_room[n])
            idle_slice(s, n);
    return passed;
}

static bool issue_any(struct scoreboard *s, bool room)
{
    if (s->n_slices > 1)
        return issue_slices(s, room);
    if (!room)
        return false;
    if (!s->offers) {
        idle_slice(s, 0);
        return false;
    }
    push_operands(s, issue_slice(s, 0));
    return true;
}

/* Updates offers at the start of a cycle: of warps with a change, or that asked to be
 * woken. */
static void ask_warps(struct scoreboard *s, uint64_t cycle)
{
    struct scheme *c = s->scheme;

    while (s->enter_at <= cycle)
        enter_window(s);
    if (c->next_wake <= cycle)
        wake_warps(s, cycle);
    if (c->wants_tick)
        c->ops->tick(c, cycle);
    s->dirty |= (uint32_t)c->woken.w[0]; /* of at most 32 warps */
    warpset_clear(&c->woken);
    for (; s->dirty; s->dirty &= s->dirty - 1)
        ask_warp(s, (unsigned)__builtin_ctz(s->dirty));
}

enum stall scoreboard_tick(struct vx_issue *base)
{
    struct scoreboard *s = self(base);
    bool room = s->operands.n < SB_FIFO; /* as the last cycle left it */

    s->scheme->cycle = base->core->cycle;
    s->left = 0;
    if (s->operand_at <= base->core->cycle)
        operand_tick(s);
    ask_warps(s, base->core->cycle);
    if (issue_any(s, room))
        return STALL_issued;
    if (s->offers || s->slice[0].n || s->slice[1].n || s->slice[2].n || s->slice[3].n)
        return STALL_pipe;
    return first_cause(s);
}

uint64_t scoreboard_next(const struct vx_issue *base)
{
    const struct scoreboard *s = (const struct scoreboard *)base;
    uint64_t now = base->core->cycle, next = earlier(s->scheme->next_wake, s->enter_at);

    if (s->dirty || s->scheme->wants_tick)
        return now + 1;
    if (s->operand_at > now)
        next = earlier(next, s->operand_at);
    for (unsigned n = 0; n < s->n_slices; n++)
        if (s->slice[n].n && s->slice[n].p[0].at > now)
            next = earlier(next, s->slice[n].p[0].at);
    return next;
}

void scoreboard_dump(const struct vx_issue *base, struct buf *out)
{
    const struct scoreboard *s = (const struct scoreboard *)base;

    buf_printf(out, "  scoreboard: %u entering, %u before the operands\n", s->n,
               s->operands.n);
    for (unsigned w = 0; w < s->shape.n_warps; w++) {
        buf_printf(out, "  warp %u: %s\n", w,
                   s->offers >> w & 1 ? "offers" : stall_name(s->cause[w]));
        if (s->scheme->ops->dump)
            s->scheme->ops->dump(s->scheme, w, out);
    }
}

const void *vortex_hosted_stats(const struct vx_core *k)
{
    if (k->issue->ops->fini != scoreboard_fini)
        return NULL;
    return ((const struct scoreboard *)k->issue)->scheme->stats;
}

static void scoreboard_parts(const struct vortex_config *c, struct part *at)
{
    vx_scoreboard_parts(c, at);
}

const struct vx_issue_ops vx_issue_scoreboard = {
    .name = "inorder",
    .summary = "in order with a scoreboard, one register file port",
    .paper = "",
    .state_size = sizeof(struct scoreboard),
    .init = scoreboard_init,
    .fini = scoreboard_fini,
    .accepts = scoreboard_accepts,
    .insert = scoreboard_insert,
    .written = scoreboard_written,
    .checked = scoreboard_checked,
    .tick = scoreboard_tick,
    .next = scoreboard_next,
    .dump = scoreboard_dump,
    .parts = scoreboard_parts,
};
