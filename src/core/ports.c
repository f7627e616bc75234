/* ports.c - operands read at issue through the ports of a banked register file.
 *
 * What an H200 showed (docs/validation.md): two banks a sub-core, even and odd registers;
 * each serves a read a cycle; reads of neighbouring instructions queue and overlap, so
 * the busier bank sets the pace. A register named twice is one read, a zero register
 * none. The control word's reuse flags keep an operand for the next instruction of the
 * same warp in the same slot. A result is forwarded: it can be read when its latency,
 * counted from issue to issue, has passed.
 *
 * NOTE: the reads themselves take no time of their own here; they only hold back issue
 * when a bank is more than `regfile.backlog` cycles behind.
 */
#include "core/state.h"

enum { NO_REUSE = 0xffff };

static uint16_t reuse_key(const struct uop *u, unsigned reg)
{
    return (uint16_t)((unsigned)u->warp << 8 | reg);
}

/* Reads of each bank that the instruction needs. */
static unsigned count_reads(const struct sm *s, const struct subcore *c,
                            const struct uop *u, unsigned reads[MAX_BANKS])
{
    const struct inst *i = u->dyn.inst;
    unsigned banks = s->config.regfile.banks, saved = 0;

    for (unsigned b = 0; b < banks; b++)
        reads[b] = 0;
    for (unsigned n = 0; n < i->n_src; n++) {
        const struct inst_operand *o = &i->src[n];
        bool again = false;

        for (unsigned j = 0; j < n; j++)
            again |= i->src[j].reg == o->reg;
        if (again)
            continue;
        if (s->config.regfile.reuse && o->slot < 3 &&
            c->reuse[o->slot] == reuse_key(u, o->reg)) {
            saved++;
            continue;
        }
        for (unsigned r = 0; r < o->n; r++)
            reads[(o->reg + r) % banks]++;
    }
    return saved;
}

bool ports_free(const struct sm *s, const struct subcore *c, const struct uop *u)
{
    unsigned reads[MAX_BANKS];

    if (u->pipe == PIPE_mem && c->mem_exec != NO_UOP)
        return false;
    count_reads(s, c, u, reads);
    for (unsigned b = 0; b < s->config.regfile.banks; b++)
        if (reads[b] && c->bank_free[b] > s->cycle + s->config.regfile.backlog)
            return false;
    return true;
}

static void keep_reused(const struct sm *s, struct subcore *c, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    for (unsigned k = 0; k < 3; k++)
        c->reuse[k] = NO_REUSE;
    for (unsigned n = 0; n < i->n_src && s->config.regfile.reuse; n++)
        if (i->src[n].slot < 3 && i->control.reuse >> i->src[n].slot & 1)
            c->reuse[i->src[n].slot] = reuse_key(u, i->src[n].reg);
}

int ports_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err)
{
    unsigned reads[MAX_BANKS];

    if (check_issued(s, u, err))
        return -1;
    s->stats.reuses += count_reads(s, c, u, reads);
    for (unsigned b = 0; b < s->config.regfile.banks; b++) {
        uint64_t from = c->bank_free[b] > s->cycle ? c->bank_free[b] : s->cycle;

        c->bank_free[b] = from + reads[b];
        s->stats.bank_reads += reads[b];
    }
    keep_reused(s, c, u);
    u->entered = u->read = s->cycle;
    if (u->pipe == PIPE_mem) {
        c->mem_exec = u->id;
        c->mem_at = s->cycle + 1;
        s->memory_out |= 1u << (c - s->sub);
    } else {
        const struct unit_timing *t = &s->timing[u->dyn.inst->class];

        c->unit_free[u->pipe] = s->cycle + t->interval;
        u->taken = s->cycle;
        u->done = s->cycle + t->latency;
    }
    return uop_phase(s, u, err);
}
