/* hybrid.h - instructions that a program needs so that more of its operands, or all of
 * them, can be named by distance.
 *
 * Where ways of different length meet, no distance is the same on all of them, and a value
 * that is read far from where it was made has no distance at all. A move of a register to
 * itself makes the value anew, nearby; an instruction that does nothing makes a way longer.
 * Neither changes what the program computes.
 */
#ifndef LENO_ANALYSIS_HYBRID_H
#define LENO_ANALYSIS_HYBRID_H

#include "analysis/code.h"

/* How operands are to be named. */
enum naming_kind {
    NAMING_RUNS,  /* by distance within straight code only */
    NAMING_JOINS, /* also where all ways agree */
    NAMING_MOVES, /* also where inserted instructions free more than they cost */
    NAMING_RELAY, /* by distance, always; only inserted moves name registers */
};

struct naming {
    enum naming_kind kind;
    unsigned max_distance; /* that an operand can name */
    bool orders_writes;    /* a result with a register number is as bad as a source */
};
/* Do both give the same program, with the same distances? */
bool naming_equals(const struct naming *a, const struct naming *b);

/* An instruction to be inserted before another. */
struct insertion {
    uint32_t place;
    uint16_t reg;    /* to be moved to itself; NO_REG: one that does nothing */
    bool is_skipped; /* by jumps to the place */
};
enum { NO_REG = UINT16_MAX };

struct insertions {
    struct insertion *at; /* by place; of a place those that jumps skip first */
    size_t n, size;
};
void insertions_free(struct insertions *s);

/* What to insert into a kernel, whose lines tell where its lanes are together. -1: no
 * memory. */
int hybrid_plan(const struct code_line *code, size_t n, const struct naming *naming,
                struct insertions *to, struct err *err);

#endif
