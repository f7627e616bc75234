/* code_rig.h - short programs for passes over static code. */
#ifndef LENO_TESTS_CODE_RIG_H
#define LENO_TESTS_CODE_RIG_H

#include "analysis/code.h"

enum { MAX_CODE = 600 };

struct program {
    struct inst inst[MAX_CODE];
    struct code_line line[MAX_CODE];
    size_t n;
};

static inline struct code_line *add(struct program *p, struct inst inst)
{
    struct code_line *l = &p->line[p->n];

    inst.memory = inst_class_memory(inst.class);
    p->inst[p->n] = inst;
    *l = (struct code_line){ .inst = &p->inst[p->n], .target = CODE_NONE };
    p->n++;
    return l;
}

/* d = a + b; a register of 0 is none. */
static inline struct code_line *alu(struct program *p, unsigned d, unsigned a,
                                    unsigned b)
{
    struct code_line *l = add(p, (struct inst){ .class = CLASS_int });

    if (d)
        regset_add(&l->inst->writes, d);
    if (a)
        regset_add(&l->inst->reads, a);
    if (b)
        regset_add(&l->inst->reads, b);
    return l;
}

#endif
