/* live.c - which registers are live at the ends of blocks: whose value may still be read.
 *
 * A write that a guard may suppress leaves the old value in some threads, so it does not
 * end a register's life; nor does a load with a predicate of its own.
 */
#include <string.h>

#include "analysis/internal.h"

static void add_all(struct regset *s)
{
    memset(s, 0xff, sizeof *s);
}

bool flow_keeps_old(const struct inst *i, bool may_pass)
{
    bool has_predicate = false;

    for (unsigned p = REGID_P; p < REGID_UP; p++)
        has_predicate |= regset_has(&i->reads, p);
    return may_pass || (i->class == CLASS_load && has_predicate);
}

/* The registers live before an instruction, given those live after it. */
static void step_back(const struct flow_inst *i, struct regset *live)
{
    for (unsigned k = 0; k < N_REGID / 64; k++) {
        if (!flow_keeps_old(i->inst, i->may_pass))
            live->w[k] &= ~i->inst->writes.w[k];
        live->w[k] |= i->inst->reads.w[k];
    }
    if (i->kind == FLOW_CALL && i->target == NO_TARGET)
        add_all(live);
}

/* Adds the registers that are live wherever a return may lead. */
static void add_returns(const struct flow *f, struct regset *live)
{
    bool any = false;

    for (uint32_t k = 0; k < f->n_blocks; k++) {
        const struct flow_block *b = &f->block[k];
        const struct flow_inst *last = &f->code[b->end - 1];

        if (last->kind != FLOW_CALL || last->target == NO_TARGET ||
            b->next[0] == NO_TARGET)
            continue;
        regset_join(live, &f->block[b->next[0]].live_in);
        any = true;
    }
    if (!any)
        add_all(live);
}

/* Updates the registers live before and after a block. True if those before it have
 * changed. */
static bool update_live(struct flow *f, struct flow_block *b)
{
    struct regset live = { 0 };

    for (unsigned e = 0; e < 2; e++)
        if (b->next[e] != NO_TARGET)
            regset_join(&live, &f->block[b->next[e]].live_in);
    if (f->code[b->end - 1].kind == FLOW_RETURN)
        add_returns(f, &live);
    b->live_out = live;
    for (uint32_t i = b->end; i-- > b->first;)
        step_back(&f->code[i], &live);
    if (!memcmp(&live, &b->live_in, sizeof live))
        return false;
    b->live_in = live;
    return true;
}

void flow_find_live(struct flow *f)
{
    bool again = true;

    while (again) {
        again = false;
        for (uint32_t k = f->n_order; k-- > 0;)
            again |= update_live(f, &f->block[f->order[k]]);
    }
}
