/* turbulence_check.h - checks that every operand of the hybrid program names the value
 * that program order demands.
 *
 * The check is always on. At insertion, which is in program order: a source named by
 * distance must have been written last by the instruction at that distance, in all
 * lanes of the reader; a source named by number must be in the register file in all
 * those lanes. At issue: accesses to the register file are in order, the result is
 * still in the ring, and no register in the file that the instruction uses has a
 * pending write. The core checks that values are written before they are read; it
 * tracks versions as for renamed registers.
 */
#ifndef LENO_SCHEME_TURBULENCE_CHECK_H
#define LENO_SCHEME_TURBULENCE_CHECK_H

#include "scheme/turbulence.h"

static inline void set_fault(struct slot *e, enum fault fault, unsigned reg)
{
    if (e->fault)
        return;
    e->fault = (uint8_t)fault;
    e->reg = (uint16_t)reg;
}

/* Checks a source named by distance against the producer that the distance leads to. */
static inline void check_distance(const struct book *b, struct slot *e,
                                  const struct slot *producer, const struct uop *u,
                                  unsigned reg)
{
    const struct reg *r = &b->reg[reg];

    if (r->writer != producer->at)
        set_fault(e, FAULT_PRODUCER, reg);
    else if (u->dyn.mask & ~r->mask)
        set_fault(e, FAULT_LANES, reg);
}

static inline void check_number(const struct book *b, struct slot *e,
                                const struct uop *u, unsigned reg)
{
    if (u->dyn.mask & b->reg[reg].only_ring)
        set_fault(e, FAULT_RING_ONLY, reg);
}

/* Reports a fault that was found at insertion. */
static inline int wrong_operand(const struct scheme *s, const struct uop *u,
                                const struct slot *e, struct err *err)
{
    static const char *const texts[] = {
        [FAULT_PRODUCER] = "names by distance a value that another instruction wrote",
        [FAULT_LANES] =
            "names by distance a value that was not written in all its lanes",
        [FAULT_RING_ONLY] = "names by number a value that is in the ring only",
    };
    char name[REGID_NAME];

    if (e->fault == FAULT_UNMARKED)
        return err_kind(
            err, ERR_UNSUPPORTED,
            "scheme turbulence: the instruction at pc 0x%llx has no operand distances. "
            "Accel-Sim traces, recordings of older versions and runs with "
            "core.hazard_wide=off have none; use a workload, or a new recording made by "
            "leno record",
            (unsigned long long)u->dyn.inst->pc);
    regid_name(e->reg, name);
    return err_kind(err, ERR_WRONG,
                    "scheme turbulence, cycle %llu: instruction %llu of warp %u at pc "
                    "0x%llx %s: %s",
                    (unsigned long long)s->cycle, (unsigned long long)u->dyn.seq,
                    u->warp, (unsigned long long)u->dyn.inst->pc, texts[e->fault],
                    name);
}

static inline int wrong_order(const struct scheme *s, const struct uop *u,
                              const char *what, struct err *err)
{
    return err_kind(err, ERR_WRONG,
                    "scheme turbulence, cycle %llu: instruction %llu of warp %u at pc "
                    "0x%llx %s",
                    (unsigned long long)s->cycle, (unsigned long long)u->dyn.seq,
                    u->warp, (unsigned long long)u->dyn.inst->pc, what);
}

/* Is every source that was in the ring at insertion still there at issue? */
static inline bool has_sources(const struct scheme *s, const struct book *b,
                               const struct slot *e)
{
    return has_slot(s, b, e->at - e->farthest);
}

static inline bool meets_write(const struct scheme *s, const struct book *b,
                               const struct inst *i)
{
    for (unsigned k = 0; k < i->list.n_reads + i->list.n_writes; k++) {
        const struct reg *r = &b->reg[i->list.reg[k]];

        if (!is_near(s, i, k) && r->sent != r->come)
            return true;
    }
    return false;
}

/* Does an older instruction still have to read a register of the file that it writes? */
static inline bool passes_reader(const struct scheme *s, const struct book *b,
                                 const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    uint64_t at = b->slot[u->tag].at;
    struct regset writes = { 0 };

    for (unsigned k = i->list.n_reads; k < i->list.n_reads + i->list.n_writes; k++)
        if (!is_near(s, i, k))
            regset_add(&writes, i->list.reg[k]);
    for (uint64_t m = b->window; m; m &= m - 1) {
        const struct slot *e = &b->slot[bits_first(m)];
        const struct inst *older = s->pool[e->uop].dyn.inst;

        for (unsigned k = 0; e->at < at && k < older->list.n_reads; k++)
            if (!is_near(s, older, k) && regset_has(&writes, older->list.reg[k]))
                return true;
    }
    return false;
}

static inline int turbulence_check(struct scheme *s, const struct uop *u,
                                   struct err *err)
{
    const struct book *b = book_of(s, u->warp);
    const struct slot *e = &b->slot[u->tag];

    if (e->fault)
        return wrong_operand(s, u, e, err);
    if (e->form & FORM_NUMBER && e->turn != b->turn)
        return wrong_order(s, u, "accesses the register file out of order", err);
    if (params_of(s)->order == ORDER_SOURCES && passes_reader(s, b, u))
        return wrong_order(s, u, "writes a register of the file before an older read",
                           err);
    if (!has_sources(s, b, e))
        return wrong_order(s, u, "finds a source's slot of the ring reused", err);
    if (meets_write(s, b, u->dyn.inst))
        return wrong_order(s, u, "uses a register of the file with a pending write",
                           err);
    return 0;
}

#endif
