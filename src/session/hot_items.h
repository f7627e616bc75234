/* hot_items.h - counters per instruction of one or two runs side by side, added up to
 * source lines, loops and functions.
 */
#ifndef LENO_SESSION_HOT_ITEMS_H
#define LENO_SESSION_HOT_ITEMS_H

#include "sim/hot.h"

enum { HOT_SIDES = 2 };

/* One or two runs of a program. */
struct hot_runs {
    const char *program, *gpu;
    unsigned n;
    const char *scheme[HOT_SIDES];
    uint64_t cycles[HOT_SIDES];
    struct hot_profile profile[HOT_SIDES];
};
void hot_runs_free(struct hot_runs *r);

/* What counters are added up by. */
enum hot_level { HOT_BY_INST, HOT_BY_LINE, HOT_BY_LOOP, HOT_BY_FUNCTION, N_HOT_LEVEL };

/* An instruction, a line, a loop or a function. */
struct hot_item {
    uint64_t pc; /* of the first instruction, from the kernel's first */
    const struct hot_place *place; /* of that instruction */
    uint32_t loop; /* HOT_BY_LOOP: the loop itself, else the innermost; NO_LOOP: none */
    struct hot_row row[HOT_SIDES]; /* all zero: not executed there */
};
struct hot_items {
    struct hot_item *at; /* by pc */
    uint32_t n, cap;
    uint32_t
        n_sorted; /* while they are made: at the beginning, those of the other side */
};

/* The kernel of one run, and the same of the other; NULL: it was not launched there. */
struct hot_pair {
    const struct hot_kernel *side[HOT_SIDES];
};
/* Pair n, counted from 0; false after the last. */
bool hot_pair_at(const struct hot_runs *r, uint32_t n, struct hot_pair *pair);
/* Its name, loops and the like: those of the run that has it. */
const struct hot_kernel *hot_pair_any(const struct hot_pair *pair);

/* Instructions that belong to no line or loop are left out of that level; so are slots of
 * no instruction, which hot_pair_none() gives. The program ends if memory runs out. */
void hot_items_make(struct hot_items *items, const struct hot_pair *pair,
                    enum hot_level level);
void hot_items_free(struct hot_items *items);
struct hot_row hot_pair_none(const struct hot_pair *pair, unsigned side);
struct hot_row hot_pair_sum(const struct hot_pair *pair, unsigned side);

/* Slots of a row, issued or lost. */
uint64_t hot_slots(const struct hot_row *r);

#endif
