/* collect.c - operand collection through collector units and banks, as in Accel-Sim.
 *
 * An issued instruction sits in the latch of its pipe until one of the sub-core's
 * collectors is free; then each of its operands joins the queue of its bank, which
 * serves one read a step. A write in a bank takes its first step of that cycle. With all
 * operands there it leaves for the latch before its unit. A cycle has `regfile.steps`
 * steps of: leave, read, enter.
 *
 * Three rules keep a warp in order, which Accel-Sim takes for granted: instructions enter
 * collectors in the order of issue; none leaves while an instruction of its warp that was
 * issued before still waits for operands; memory operations leave in the order of issue.
 */
#include "core/state.h"

static unsigned bank_of(const struct sm *s, unsigned warp, unsigned reg)
{
    return s->bank_of[reg + (s->config.regfile.warp_skew ? warp : 0)];
}

static void moved(struct sm *s, const struct subcore *c)
{
    s->collects |= 1u << (c - s->sub);
    s->progress = true;
}

static int reads_done(struct sm *s, struct subcore *c, unsigned k)
{
    struct uop *u = &s->pool[c->collector[k].uop];

    c->gathered |= bit64(k);
    s->scheme->ops->operands_read(s->scheme, u);
    return 0;
}

/* Queues a read for each operand; the same register named twice is read once. */
static void queue_reads(struct sm *s, struct subcore *c, unsigned k,
                        const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    struct collector *col = &c->collector[k];

    for (unsigned n = 0; n < i->n_src; n++) {
        unsigned reads = s->config.regfile.wide_reads ? i->src[n].n : 1;
        bool again = false;

        for (unsigned j = 0; j < n; j++)
            again |= i->src[j].reg == i->src[n].reg && i->src[j].n >= i->src[n].n;
        for (unsigned r = 0; r < reads && !again; r++) {
            unsigned bank = bank_of(s, u->warp, i->src[n].reg + r);
            struct bank *b = &c->bank[bank];

            b->queue[(b->first + b->n++) & (s->bank_queue - 1)] =
                (uint16_t)(k << 4 | n);
            c->reading |= 1u << bank;
            col->pending++;
        }
    }
}

/* Reads of wide operands may be more than the collectors' operands: is there room? */
static bool has_queue_room(const struct sm *s, const struct subcore *c,
                           const struct uop *u)
{
    unsigned reads = 0;

    if (!s->config.regfile.wide_reads)
        return true;
    for (unsigned n = 0; n < u->dyn.inst->n_src; n++)
        reads += u->dyn.inst->src[n].n;
    for (uint32_t m = c->reading; m; m &= m - 1)
        if (c->bank[__builtin_ctz(m)].n + reads > s->bank_queue)
            return false;
    return true;
}

/* The pipe whose latched instruction was issued first. */
static unsigned first_latched(const struct sm *s, const struct subcore *c)
{
    unsigned first = (unsigned)__builtin_ctz(c->latched);

    for (uint32_t m = c->latched; m; m &= m - 1) {
        unsigned p = (unsigned)__builtin_ctz(m);

        if (s->pool[c->latch[p]].issued < s->pool[c->latch[first]].issued)
            first = p;
    }
    return first;
}

static int enter(struct sm *s, struct subcore *c, struct err *err)
{
    unsigned n = s->config.regfile.collectors;
    uint64_t all = n < 64 ? bit64(n) - 1 : ~(uint64_t)0;

    while (c->latched && c->collecting != all) {
        unsigned p = first_latched(s, c);
        unsigned k = (unsigned)__builtin_ctzll(~c->collecting);
        struct uop *u = &s->pool[c->latch[p]];

        if (!has_queue_room(s, c, u))
            return 0;
        c->latched &= ~(1u << p);
        c->collecting |= bit64(k);
        c->gathered &= ~bit64(k);
        c->collector[k] = (struct collector){ u->id, 0 };
        u->stage = UOP_COLLECT;
        if (s->trace)
            view_stage(s, u, TRACE_COLLECT);
        if (check_others(s, u, err))
            return -1;
        queue_reads(s, c, k, u);
        if (!c->collector[k].pending)
            reads_done(s, c, k);
        moved(s, c);
    }
    return 0;
}

static int read_banks(struct sm *s, struct subcore *c, unsigned step, struct err *err)
{
    for (uint32_t m = c->reading; m; m &= m - 1) {
        unsigned bank = (unsigned)__builtin_ctz(m);
        struct bank *b = &c->bank[bank];
        unsigned k, n;
        struct uop *u;

        s->progress = true;
        if (!step && b->written == s->cycle) {
            s->stats.bank_waits += b->n;
            continue;
        }
        k = b->queue[b->first] >> 4;
        n = b->queue[b->first] & 15;
        b->first = (uint16_t)((b->first + 1) & (s->bank_queue - 1));
        if (!--b->n)
            c->reading &= ~(1u << bank);
        s->stats.bank_reads++;
        s->stats.bank_waits += b->n;
        u = &s->pool[c->collector[k].uop];
        if (check_operand(s, u, &u->dyn.inst->src[n], err))
            return -1;
        if (!--c->collector[k].pending)
            reads_done(s, c, k);
    }
    return 0;
}

/* Must u let an instruction of its warp go first that was issued before it: one that
 * still reads, or a memory operation as u is one? */
static bool is_behind(const struct sm *s, const struct subcore *c, const struct uop *u)
{
    uint64_t others =
        u->pipe == PIPE_mem ? c->collecting : c->collecting & ~c->gathered;

    for (uint64_t m = others; m; m &= m - 1) {
        unsigned k = (unsigned)__builtin_ctzll(m);
        const struct uop *o = &s->pool[c->collector[k].uop];

        if (o->warp == u->warp && o->issued < u->issued &&
            (o->pipe == PIPE_mem || !(c->gathered >> k & 1)))
            return true;
    }
    return false;
}

static void leave(struct sm *s, struct subcore *c)
{
    for (uint64_t m = c->gathered & c->collecting; m; m &= m - 1) {
        unsigned k = (unsigned)__builtin_ctzll(m);
        struct uop *u = &s->pool[c->collector[k].uop];

        if (c->out >> u->pipe & 1 || is_behind(s, c, u))
            continue;
        c->collecting &= ~bit64(k);
        c->out |= 1u << u->pipe;
        s->outs |= 1u << (c - s->sub);
        c->exec[u->pipe] = u->id;
        moved(s, c);
    }
}

int collect_tick(struct sm *s, struct err *err)
{
    for (uint32_t m = s->collects; m; m &= m - 1) {
        uint32_t bit = m & -m;
        struct subcore *c = &s->sub[__builtin_ctz(m)];

        for (unsigned step = 0; step < s->config.regfile.steps; step++) {
            if (!(s->collects & bit))
                break;
            if (!c->reading)
                s->collects &= ~bit;
            leave(s, c);
            if (c->reading && read_banks(s, c, step, err))
                return -1;
            if (enter(s, c, err))
                return -1;
        }
    }
    return 0;
}
