/* scoreboard.c - the baseline's issue stage: instruction buffers, a scoreboard, and one
 * register file port.
 *
 * A decoded instruction takes two cycles through its warp's buffer and one into the
 * register before the scoreboard. Which instruction a warp offers, and why none, is the
 * answer of a scheme of core/scheme.h: for the baseline that of src/scheme/inorder.c,
 * whose scoreboard has the RTL's rules (RAW and WAW, a bit a register, cleared with the
 * last packet). Of the warps that offer one issues, in turn. Its operands are then read
 * one a cycle; the next instruction's not before this one has left for dispatch, so that
 * the stage is held for 2 + n cycles. Two issued instructions fit before that.
 */
#include "vortex/scoreboard.h"

#include <stdlib.h>

enum { ENTRY_CYCLES = 3 }; /* buffer, its output register, the staging register */

static struct scoreboard *self(struct vx_issue *s)
{
    return (struct scoreboard *)s;
}

int scoreboard_init(struct vx_issue *base, struct err *err)
{
    struct scoreboard *s = self(base);
    const struct vx_hosted *h = &base->core->hosted;
    struct scheme *c = calloc(1, h->scheme->state_size);

    if (!c)
        return err_kind(err, ERR_LIMIT, "out of memory");
    s->scheme = c;
    s->shape = (struct core_shape){ .n_warps = base->core->p->warps, .n_subcores = 1 };
    s->entry_cycles = ENTRY_CYCLES;
    s->read_at = VX_NEVER;
    c->ops = h->scheme;
    c->params = h->params;
    c->shape = &s->shape;
    c->pool = base->core->pool;
    c->next_wake = VX_NEVER;
    if (h->scheme->stats) {
        c->stats = calloc(1, h->scheme->stats->size);
        if (!c->stats)
            return err_kind(err, ERR_LIMIT, "out of memory");
    }
    if (h->scheme->init && h->scheme->init(c, err))
        return -1;
    for (unsigned w = 0; w < base->core->p->warps; w++) {
        s->dirty |= 1u << w;
        if (h->scheme->warp_start)
            h->scheme->warp_start(c, w);
    }
    return 0;
}

void scoreboard_fini(struct vx_issue *base)
{
    struct scheme *c = self(base)->scheme;

    if (!c)
        return;
    if (c->ops->fini)
        c->ops->fini(c);
    free(c->stats);
    free(c);
}

bool scoreboard_accepts(struct vx_issue *base, unsigned warp)
{
    const struct scoreboard *s = self(base);

    return s->n < SB_ENTERING &&
           s->scheme->ops->room(s->scheme, warp) > s->n_entering[warp];
}

void scoreboard_insert(struct vx_issue *base, struct uop *u)
{
    struct scoreboard *s = self(base);
    unsigned at = (s->first + s->n++) % SB_ENTERING;

    s->entering[at].uop = u->id;
    s->entering[at].at = base->core->cycle + s->entry_cycles;
    s->n_entering[u->warp]++;
}

/* Into the window: the scheme may offer it from now on. */
static void enter(struct scoreboard *s)
{
    struct uop *u = &s->base.core->pool[s->entering[s->first].uop];

    s->first = (s->first + 1) % SB_ENTERING;
    s->n--;
    s->n_entering[u->warp]--;
    s->dirty |= 1u << u->warp;
    s->scheme->ops->insert(s->scheme, u);
    s->base.core->progress = true;
}

void scoreboard_written(struct vx_issue *base, struct uop *u)
{
    struct scoreboard *s = self(base);
    const struct vx_flight *f = vx_flight(base->core, u);

    if (f->rd)
        base->core->stats.rf_writes += f->n_parts;
    vx_check_written(base->core, u);
    s->dirty |= 1u << u->warp;
    s->scheme->ops->written_back(s->scheme, u);
}

/* What a warp offers, as the masks have it. */
static void ask(struct scoreboard *s, unsigned warp)
{
    struct offer o = s->scheme->ops->candidate(s->scheme, warp);
    uint32_t bit = 1u << warp;
    uint8_t old = s->cause[warp];

    s->causes[old] &= ~bit;
    if (!s->causes[old])
        s->caused &= ~(1u << old);
    s->offer[warp] = o.uop;
    if (o.uop != NO_UOP) {
        s->offers |= bit;
        return;
    }
    s->offers &= ~bit;
    s->cause[warp] = o.cause;
    s->causes[o.cause] |= bit;
    s->caused |= 1u << o.cause;
}

static void wake(struct scoreboard *s, uint64_t cycle)
{
    struct scheme *c = s->scheme;
    uint64_t next = VX_NEVER;

    for (unsigned w = 0; w < s->shape.n_warps; w++) {
        if (c->wake_at[w] && c->wake_at[w] <= cycle) {
            s->dirty |= 1u << w;
            c->wake_at[w] = 0;
        } else if (c->wake_at[w]) {
            next = vx_earlier(next, c->wake_at[w]);
        }
    }
    c->next_wake = next;
}

/* The first instruction's operands: read one a cycle, then into the staging register. */
static void operand_tick(struct scoreboard *s)
{
    struct vx_core *k = s->base.core;
    struct uop *u;

    if (!s->n_operands || s->operands[0].at > k->cycle)
        return;
    u = &k->pool[s->operands[0].uop];
    if (s->read_at == VX_NEVER && k->stage.uop == NO_UOP) {
        const struct vx_flight *f = vx_flight(k, u);

        for (unsigned n = 0; n < f->n_src; n++)
            vx_check_read(k, u, n);
        k->stats.rf_reads += f->n_src;
        s->read_at = k->cycle + 1 + f->n_src;
        k->progress = true;
    } else if (s->read_at <= k->cycle) {
        vx_stage_push(k, u);
        s->operands[0] = s->operands[1];
        s->n_operands--;
        s->read_at = VX_NEVER;
        if (s->scheme->wants_reads)
            s->scheme->ops->operands_read(s->scheme, u);
    }
}

/* The next warp in turn that offers something. */
static unsigned pick(const struct scoreboard *s)
{
    uint32_t behind = s->last < 31 ? s->offers & ~0u << (s->last + 1) : 0;

    return (unsigned)__builtin_ctz(behind ? behind : s->offers);
}

static void issue(struct scoreboard *s)
{
    struct vx_core *k = s->base.core;
    unsigned w = pick(s);
    struct uop *u = &k->pool[s->offer[w]];

    s->last = w;
    s->dirty |= 1u << w;
    s->operands[s->n_operands].uop = u->id;
    s->operands[s->n_operands++].at = k->cycle + 1;
    u->stage = UOP_ISSUED;
    u->issued = k->cycle;
    vortex_issued(k, u);
    s->scheme->ops->issued(s->scheme, u);
    k->progress = true;
}

enum stall scoreboard_tick(struct vx_issue *base)
{
    struct scoreboard *s = self(base);
    uint64_t cycle = base->core->cycle;
    bool room = s->n_operands < SB_OPERANDS; /* as the last cycle left it */

    s->scheme->cycle = cycle;
    operand_tick(s);
    while (s->n && s->entering[s->first].at <= cycle)
        enter(s);
    if (s->scheme->next_wake <= cycle)
        wake(s, cycle);
    if (s->scheme->wants_tick)
        s->scheme->ops->tick(s->scheme, cycle);
    s->dirty |= (uint32_t)s->scheme->woken;
    s->scheme->woken = 0;
    for (; s->dirty; s->dirty &= s->dirty - 1)
        ask(s, (unsigned)__builtin_ctz(s->dirty));
    if (s->offers && room) {
        issue(s);
        return STALL_issued;
    }
    if (s->offers)
        return STALL_pipe;
    return s->caused ? (enum stall)__builtin_ctz(s->caused) : STALL_fetch;
}

uint64_t scoreboard_next(const struct vx_issue *base)
{
    const struct scoreboard *s = (const struct scoreboard *)base;
    uint64_t now = base->core->cycle, next = s->scheme->next_wake;

    if (s->dirty || s->scheme->wants_tick)
        return now + 1;
    if (s->n)
        next = vx_earlier(next, s->entering[s->first].at);
    if (s->n_operands && s->operands[0].at > now)
        next = vx_earlier(next, s->operands[0].at);
    return vx_earlier(next, s->read_at);
}

void scoreboard_dump(const struct vx_issue *base, struct buf *out)
{
    const struct scoreboard *s = (const struct scoreboard *)base;

    buf_printf(out, "  scoreboard: %u entering, %u before the operands\n", s->n,
               s->n_operands);
    for (unsigned w = 0; w < s->shape.n_warps; w++) {
        buf_printf(out, "  warp %u: %s\n", w,
                   s->offers >> w & 1 ? "offers" : stall_name(s->cause[w]));
        if (s->scheme->ops->dump)
            s->scheme->ops->dump(s->scheme, w, out);
    }
}

const void *vortex_hosted_stats(const struct vx_core *k)
{
    if (k->issue->ops->init != scoreboard_init)
        return NULL;
    return ((const struct scoreboard *)k->issue)->scheme->stats;
}

const struct vx_issue_ops vx_issue_scoreboard = {
    .name = "inorder",
    .summary = "in order behind a scoreboard, one register file port",
    .paper = "",
    .state_size = sizeof(struct scoreboard),
    .init = scoreboard_init,
    .fini = scoreboard_fini,
    .accepts = scoreboard_accepts,
    .insert = scoreboard_insert,
    .written = scoreboard_written,
    .tick = scoreboard_tick,
    .next = scoreboard_next,
    .dump = scoreboard_dump,
};
