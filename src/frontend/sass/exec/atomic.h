/* atomic.h - what atomic operations do to one value; exec_atomic.c has them. */
#ifndef LENO_SASS_ATOMIC_H
#define LENO_SASS_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

enum atom_op {
    ATOM_ADD,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_INC,
    ATOM_DEC,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_EXCH,
    N_ATOM_OP
};

/* One element, and how many of them a lane updates. */
struct atom_type {
    uint8_t bytes, n; /* n = 0: not a type */
    bool is_signed, is_float, keeps_denormals;
    uint8_t fp; /* enum fp_atomic */
};

bool atomic_can(struct atom_type t, enum atom_op op);

/* The value that replaces old; the operation must be one that can be done. */
uint64_t atomic_apply(struct atom_type t, enum atom_op op, uint64_t old, uint64_t v);

/* Integer type of sm_90 by the instruction's field. */
struct atom_type atomic_int_type(unsigned field);

#endif
