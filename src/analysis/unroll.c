/* unroll.c - which registers of a loop hold values of one iteration only, and other
 * registers for them.
 */
#include "analysis/unroll.h"

#include <string.h>

#define PARAM_OF struct unroll_params
const struct param_group unroll_param_group =
    PARAM_GROUP("unroll", "unrolling of loops before a program runs", UNROLL_PARAMS);
#undef PARAM_OF

/* Operands of two and four registers begin at multiples of their size, at most this. */
enum { ALIGN = 4 };

/* Registers that must be renamed together: group[r] is the first register that moves
 * with r. */
struct groups {
    uint8_t group[256];
    struct regset pinned; /* groups that keep their names */
};

static unsigned group_of(const struct groups *g, unsigned r)
{
    while (g->group[r] != r)
        r = g->group[r];
    return r;
}

static void join_groups(struct groups *g, unsigned a, unsigned b)
{
    a = group_of(g, a);
    b = group_of(g, b);
    if (a < b)
        g->group[b] = (uint8_t)a;
    else
        g->group[a] = (uint8_t)b;
}

/* The registers of an operand move together; an operand too wide for that stays. */
static void join_operand(struct groups *g, const struct inst_operand *o,
                         struct regset *covered)
{
    for (unsigned k = 0; k < o->n && o->reg + k < N_NAMES; k++) {
        join_groups(g, o->reg, o->reg + k);
        regset_add(covered, o->reg + k);
        if (o->n > ALIGN)
            regset_add(&g->pinned, o->reg + k);
    }
}

static struct regset join_operands(struct groups *g, const struct inst_operand *o,
                                   unsigned n)
{
    struct regset shown = { 0 };

    for (unsigned k = 0; k < n; k++)
        join_operand(g, &o[k], &shown);
    return shown;
}

/* Registers of a set that its operands do not show, as those of texture instructions,
 * continue an operand, or else keep their names unless another operand shows them. */
static void join_hidden(struct groups *g, const struct regset *set,
                        const struct regset *shown, const struct regset *elsewhere)
{
    for (unsigned r = 0; r < N_NAMES; r++) {
        if (!regset_has(set, r) || regset_has(shown, r))
            continue;
        if (r && regset_has(set, r - 1))
            join_groups(g, r - 1, r);
        else if (!regset_has(elsewhere, r))
            regset_add(&g->pinned, r);
    }
}

static void join_inst(struct groups *g, const struct inst *i)
{
    struct regset sources = join_operands(g, i->src, i->n_src);
    struct regset results = join_operands(g, i->dst, i->n_dst);

    join_hidden(g, &i->reads, &sources, &results);
    join_hidden(g, &i->writes, &results, &sources);
}

/* Registers whose value comes from outside an iteration or is used outside of it. */
static void find_carried(const struct flow *f, const struct flow_loop *l,
                         struct regset *carried)
{
    regset_join(carried, &f->block[l->header].live_in);
    for (uint32_t k = 0; k < l->n_blocks; k++)
        for (unsigned e = 0; e < 2; e++) {
            uint32_t to = f->block[l->block[k]].next[e];

            if (to != NO_TARGET && !flow_in_loop(l, to))
                regset_join(carried, &f->block[to].live_in);
        }
}

static void make_groups(const struct flow *f, const struct flow_loop *l,
                        struct groups *g, struct regset *used)
{
    struct regset moved = { 0 };

    for (unsigned r = 0; r < 256; r++)
        g->group[r] = (uint8_t)r;
    find_carried(f, l, &g->pinned);
    for (uint32_t k = 0; k < l->n_blocks; k++) {
        const struct flow_block *b = &f->block[l->block[k]];

        for (uint32_t i = b->first; i < b->end; i++) {
            join_inst(g, f->code[i].inst);
            regset_join(used, &f->code[i].inst->touches);
        }
    }
    for (unsigned r = 0; r < N_NAMES; r++) /* one that stays keeps its group */
        if (regset_has(&g->pinned, r))
            regset_add(&moved, group_of(g, r));
    g->pinned = moved;
}

static bool is_renamed(const struct groups *g, const struct regset *used, unsigned r)
{
    return regset_has(used, r) && !regset_has(&g->pinned, group_of(g, r));
}

static unsigned width_of(const struct groups *g, unsigned first)
{
    unsigned n = 1;

    while (first + n < N_NAMES && group_of(g, first + n) == first)
        n++;
    return n;
}

/* Gives each group a place, from 0 on, at the same distance from a multiple of ALIGN as
 * now. Groups that do not fit keep their names. Returns how many registers they
 * take. */
static unsigned place_groups(struct groups *g, const struct regset *used, unsigned room,
                             uint8_t place[256])
{
    unsigned end = 0;

    for (unsigned r = 0; r < N_NAMES; r++) {
        unsigned at = end, n = width_of(g, r);

        if (group_of(g, r) != r || !is_renamed(g, used, r))
            continue;
        while (n > 1 && at % ALIGN != r % ALIGN)
            at++;
        if (at + n > room) {
            regset_add(&g->pinned, r);
            continue;
        }
        for (unsigned k = 0; k < n; k++)
            place[r + k] = (uint8_t)(at + k);
        end = at + n;
    }
    return end;
}

static unsigned round_up(unsigned n)
{
    return (n + ALIGN - 1) / ALIGN * ALIGN;
}

void unroll_names(const struct flow *f, const struct flow_loop *l, unsigned factor,
                  unsigned first_free, unsigned limit, struct unroll_names *names)
{
    struct groups g = { .group = { 0 } };
    struct regset used = { 0 };
    uint8_t place[256] = { 0 };
    unsigned first = round_up(first_free), taken, size;

    make_groups(f, l, &g, &used);
    taken = place_groups(&g, &used, limit > first ? limit - first : 0, place);
    size = round_up(taken);
    *names = (struct unroll_names){ .n_sets = 1, .n_regs = first_free };
    for (unsigned r = 0; r < N_NAMES; r++)
        names->n_private += is_renamed(&g, &used, r);
    while (size && names->n_sets < factor &&
           first + (names->n_sets - 1) * size + taken <= limit)
        names->n_sets++;
    if (names->n_sets > 1)
        names->n_regs = first + (names->n_sets - 2) * size + taken;
    for (unsigned k = 0; k < names->n_sets; k++)
        for (unsigned r = 0; r < 256; r++)
            names->to[k][r] = (uint8_t)(k && r < N_NAMES && is_renamed(&g, &used, r)
                                            ? first + (k - 1) * size + place[r]
                                            : r);
}
