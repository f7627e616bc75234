/* cost.h - what a scheme costs: its storage, added up from its parts.
 *
 * A scheme names the fields of its structures (core/scheme.h); here they become a table
 * with sums. Nothing is charged for comparators, wires and select logic.
 */
#ifndef LENO_COST_COST_H
#define LENO_COST_COST_H

#include "core/skip.h"

/* A structure: the parts first to end, all of one name. */
struct cost_structure {
    unsigned first, end;
    uint32_t entry_bits; /* of one entry; 0 where fields have different counts */
    uint64_t entries;    /* per SM; then 0 as well */
    uint64_t bits;       /* per SM */
};

struct cost {
    struct part part[MAX_PARTS];
    struct cost_structure structure[MAX_PARTS];
    unsigned n_parts, n_structures;
    uint64_t bits; /* per SM */
};

/* Adds up the parts, which are filled in and end with one without a structure. */
void cost_sum(struct cost *c);
void cost_of(struct cost *c, const struct scheme_ops *ops, const void *params,
             const struct core_shape *shape);

/* Adds the parts of a redundancy eliminator after the scheme's. */
void cost_add_skip(struct cost *c, const struct skip_ops *ops, const void *params,
                   const struct core_shape *shape);

/* The table for people, in which core is "SM" or "core"; and as members of a JSON object,
 * without its braces. */
void cost_text(const struct cost *c, const char *core, struct buf *out);
void cost_json(const struct cost *c, struct buf *out);

#endif
