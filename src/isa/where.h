/* where.h - an instruction's place in the program's source, and the loops of a kernel. */
#ifndef LENO_ISA_WHERE_H
#define LENO_ISA_WHERE_H

#include <stdint.h>

struct kernel_where {
    const char *function; /* NULL: not known */
    uint64_t offset;      /* in the function */
    const char *file;     /* NULL: not known; the program has no line table */
    uint32_t line;
    const char
        *why; /* why the line table cannot be used; NULL: it can, or there is none */
};

/* A natural loop, by its header: the first instruction, through which it is entered. */
struct kernel_loop {
    uint64_t header; /* PC */
    uint64_t last;   /* highest PC in it */
    uint32_t parent; /* the loop around it; NO_LOOP: none */
};
#define NO_LOOP UINT32_MAX

struct kernel_loops {
    uint64_t base;   /* PC of the first instruction */
    uint32_t length; /* bytes per instruction */
    uint32_t n_insts, n;
    uint32_t *innermost; /* by instruction: its loop; NO_LOOP: none */
    struct kernel_loop *loop;
};

/* The innermost loop of an instruction; NO_LOOP: none, or not known. */
static inline uint32_t kernel_loop_of(const struct kernel_loops *l, uint64_t pc)
{
    uint64_t n = l->length ? (pc - l->base) / l->length : UINT64_MAX;

    return n < l->n_insts ? l->innermost[n] : NO_LOOP;
}

#endif
