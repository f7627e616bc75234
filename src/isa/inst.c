/* inst.c - facts about a static instruction that are computed once. */
#include "isa/inst.h"

#include <stdio.h>

static unsigned size_of(const struct regset *s)
{
    unsigned n = 0;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        n += (unsigned)__builtin_popcountll(s->w[k]);
    return n;
}

static unsigned list_registers(uint16_t *to, const struct regset *s)
{
    unsigned n = 0;

    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = s->w[k]; m; m &= m - 1)
            to[n++] = (uint16_t)(k * 64 + (unsigned)__builtin_ctzll(m));
    return n;
}

void reglist_make(struct reglist *l, const struct regset *reads,
                  const struct regset *writes)
{
    l->n_reads = l->n_writes = 0;
    l->is_whole = size_of(reads) + size_of(writes) <= MAX_LISTED;
    l->is_short = l->is_whole && size_of(writes) <= FEW_WRITES;
    if (!l->is_whole)
        return;
    l->n_reads = (uint8_t)list_registers(l->reg, reads);
    l->n_writes = (uint8_t)list_registers(l->reg + l->n_reads, writes);
}

uint8_t inst_class_memory(enum inst_class class)
{
    switch (class) {
    case CLASS_load:
    case CLASS_texture:
        return INST_READS;
    case CLASS_store:
        return INST_WRITES;
    case CLASS_atomic:
        return INST_READS | INST_WRITES | INST_ATOMIC;
    case CLASS_barrier:
    case CLASS_fence:
        return INST_ORDERS;
    default:
        return 0;
    }
}

/* Does issue only hand it to its unit? It then waits for nothing but its operands, and
 * nobody waits for it but for its results. */
static bool is_plain(const struct inst *i)
{
    enum {
        OTHER = INST_EXIT | INST_CONTROL | INST_SYNC | INST_ASYNC | INST_CONVERGE |
                INST_TIME | INST_PHASE | INST_COPIES
    };

    return !(i->flags & OTHER) && !i->memory && !inst_class_memory(i->class) &&
           i->class != CLASS_branch && i->class != CLASS_exit &&
           i->depbar == NO_DEPBAR && !i->depbar_all && !i->products_left;
}

/* Is this source part of an earlier one? */
static bool is_named_before(const struct inst *i, unsigned n)
{
    for (unsigned j = 0; j < n; j++)
        if (i->src[j].reg == i->src[n].reg && i->src[j].n >= i->src[n].n)
            return true;
    return false;
}

void inst_index(struct inst *i)
{
    i->is_late =
        i->memory & INST_READS || i->class == CLASS_ldc || i->class == CLASS_shuffle;
    i->is_plain = is_plain(i);
    i->n_written = i->n_dst ? (uint8_t)(i->dst[0].n + i->dst[1].n) : 0;
    reglist_make(&i->list, &i->reads, &i->writes);
    for (unsigned k = 0; k < N_REGID / 64; k++)
        i->touches.w[k] = i->reads.w[k] | i->writes.w[k];
    i->n_once = 0;
    for (unsigned n = 0; n < i->n_src; n++) {
        i->src[n].again = is_named_before(i, n);
        if (!i->src[n].again)
            i->once[i->n_once++] = i->src[n].reg;
    }
    for (unsigned n = 0; n < i->n_src; n++) {
        i->src[n].at = 0;
        while (i->src[n].at < i->list.n_reads &&
               i->list.reg[i->src[n].at] < i->src[n].reg)
            i->src[n].at++;
    }
}

/* The distance of a register in part of a list; `other` if it is not listed. */
static uint8_t distance_of(const struct inst *i, unsigned first, unsigned n,
                           unsigned reg, uint8_t other)
{
    for (unsigned k = first; k < first + n; k++)
        if (i->list.reg[k] == reg)
            return i->distance[k];
    return other;
}

void inst_take_distances(struct inst *i, const struct inst *from)
{
    const struct reglist *l = &i->list, *f = &from->list;
    unsigned n = l->n_reads;

    i->has_distances = from->has_distances;
    for (unsigned k = 0; k < n; k++)
        i->distance[k] = distance_of(from, 0, f->n_reads, l->reg[k], 0);
    for (unsigned k = n; k < n + l->n_writes; k++)
        i->distance[k] =
            distance_of(from, f->n_reads, f->n_writes, l->reg[k], DISTANCE_FAR);
}

void regid_name(unsigned r, char name[REGID_NAME])
{
    static const struct {
        const char *prefix;
        unsigned first;
    } spaces[] = { { "UR", REGID_UR_HIGH - UR_LOW },
                   { "B", REGID_B },
                   { "UP", REGID_UP },
                   { "P", REGID_P },
                   { "UR", REGID_UR },
                   { "R", REGID_R } };
    unsigned k = r >= REGID_UR_HIGH ? 0 : 1;

    while (r < spaces[k].first)
        k++;
    snprintf(name, REGID_NAME, "%s%u", spaces[k].prefix, r - spaces[k].first);
}
