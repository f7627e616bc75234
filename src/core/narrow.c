/* narrow.c - instructions without the hazards that a machine ignores.
 *
 * Accel-Sim's traces do not show predicates, uniform registers, convergence barriers
 * and the upper parts of wide operands; core.hazard_* switch these off. A machine
 * without some of them sees copies of the static instructions with smaller sets. They
 * are made once per kernel and kept in a table; when that is full, an instruction is
 * narrowed again for each execution.
 */
#include "core/narrow.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { SLOTS = 2048, MOST = SLOTS / 4 * 3 }; /* a fuller table would be slow */

struct narrow {
    const struct core_params *p;
    unsigned n;
    const struct inst *key[SLOTS];
    struct inst as[SLOTS];
    struct inst own[]; /* one per uop, for when the table is full */
};

bool narrow_is_needed(const struct core_params *p)
{
    return !(p->hazard_predicates && p->hazard_uniform && p->hazard_convergence &&
             p->hazard_wide);
}

struct narrow *narrow_new(const struct core_params *p, unsigned n_uops, struct err *err)
{
    struct narrow *n = calloc(1, sizeof *n + n_uops * sizeof n->own[0]);

    if (n)
        n->p = p;
    else
        err_memory(err, "the hazards of an SM");
    return n;
}

void narrow_free(struct narrow *n)
{
    free(n);
}

void narrow_forget(struct narrow *n)
{
    n->n = 0;
    memset(n->key, 0, sizeof n->key);
}

static void drop_range(struct regset *set, unsigned from, unsigned to)
{
    for (unsigned r = from; r < to; r++)
        set->w[r >> 6] &= ~((uint64_t)1 << (r & 63));
}

/* Removes the registers that this machine ignores from a set. */
static void narrow_set(const struct core_params *p, struct regset *set,
                       const struct inst_operand *o, unsigned n)
{
    if (!p->hazard_uniform)
        drop_range(set, REGID_UR, REGID_P);
    if (!p->hazard_predicates)
        drop_range(set, REGID_P, REGID_UP);
    if (!p->hazard_uniform)
        drop_range(set, REGID_UP, REGID_B);
    if (!p->hazard_convergence)
        drop_range(set, REGID_B, N_REGID);
    if (p->hazard_wide)
        return;
    drop_range(set, REGID_R, REGID_UR);
    while (n--)
        regset_add(set, o[n].reg);
}

static const struct inst *make_narrowed(const struct narrow *n, const struct inst *i,
                                        struct inst *as)
{
    *as = *i;
    narrow_set(n->p, &as->reads, i->src, i->n_src);
    narrow_set(n->p, &as->writes, i->dst, i->n_dst);
    inst_index(as);
    inst_take_distances(as, i);
    /* Without the upper parts of wide operands, a producer may not show what it
     * made. */
    as->has_distances &= n->p->hazard_wide;
    return as;
}

const struct inst *narrow_inst(struct narrow *n, const struct inst *i, uop_id user)
{
    unsigned at = (unsigned)hash_mix((uintptr_t)i) % SLOTS;

    for (; n->key[at]; at = (at + 1) % SLOTS)
        if (n->key[at] == i)
            return &n->as[at];
    if (n->n == MOST)
        return make_narrowed(n, i, &n->own[user]);
    n->n++;
    n->key[at] = i;
    return make_narrowed(n, i, &n->as[at]);
}
