/* spread.c - constants and immediates as rows of 32 lanes.
 *
 * Handlers take their sources as rows. A scalar that is the same for all of a launch is
 * laid out over a row when that begins, not each time an instruction names it. The module
 * knows which scalars there are and which row each has; the values belong to the launch.
 * A scalar has two rows, its low and its high word: some instructions take 64 bits. The
 * first rows are RZ's, of which there can be four in a row.
 *
 * Operands with modifiers are not among them: what those mean depends on the handler.
 */
#include "frontend/sass/load/spread.h"

#include <stdlib.h>

#include "base/hash.h"

struct sass_spread *spread_new(void)
{
    return calloc(1, sizeof(struct sass_spread));
}

static bool is_same(const struct operand *a, const struct operand *b)
{
    return a->kind == b->kind && a->bank == b->bank && a->imm == b->imm;
}

/* The number of a scalar; MAX_SCALARS if there is no room for it. */
static unsigned number_of(struct sass_spread *s, const struct operand *o)
{
    uint64_t at = hash_mix((uint64_t)o->imm ^ (uint64_t)o->bank << 56 ^ o->kind);

    for (at %= N_SLOTS; s->slot[at]; at = (at + 1) % N_SLOTS)
        if (is_same(&s->scalar[s->slot[at] - 1], o))
            return s->slot[at] - 1u;
    if (s->n == MAX_SCALARS)
        return MAX_SCALARS;
    s->scalar[s->n] = *o;
    s->slot[at] = (uint16_t)++s->n;
    return s->n - 1;
}

static bool is_scalar(const struct operand *o)
{
    return o->kind == OPD_IMM ||
           (o->kind == OPD_CONST && !(o->flags & (OPD_INDEXED | OPD_UINDEXED)));
}

static void bind_scalar(struct sass_spread *s, struct operand *o)
{
    unsigned n = number_of(s, o);

    if (n == MAX_SCALARS)
        return;
    o->way = WAY_SPREAD;
    o->row = (uint16_t)(ZERO_ROWS + 2 * n);
}

static bool has_value(const struct operand *o)
{
    return o->kind == OPD_REG || o->kind == OPD_UREG || o->kind == OPD_IMM ||
           o->kind == OPD_CONST || o->kind == OPD_CDESC;
}

void spread_bind(struct sass_spread *s, struct sass_inst *i)
{
    i->is_bound = true;
    for (unsigned k = 0; k < i->n_opds; k++) {
        struct operand *o = &i->opd[k];
        bool to_rz = o->flags & OPD_DST && o->way == WAY_SPREAD;

        if (is_scalar(o) && !(o->flags & OPD_MODIFIERS))
            bind_scalar(s, o);
        if (has_value(o) && (o->way == WAY_ANY || to_rz))
            i->is_bound = false;
    }
}
