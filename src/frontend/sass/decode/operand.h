/* operand.h - fills one operand slot from the word; see operand.c. */
#ifndef LENO_SASS_OPERAND_H
#define LENO_SASS_OPERAND_H

#include "frontend/sass/decode/decode.h"
#include "frontend/sass/decode/format.h"

void operand_fill(const struct sass_inst *i, const struct opd_spec *s,
                  struct operand *o);

/* The '@' kinds: operands with a shape of their own (special.c). */
void special_fill(const struct sass_inst *i, const struct opd_spec *s,
                  struct operand *o);

/* Sets space and bytes of a memory instruction. */
void operand_memory(struct sass_inst *i);

/* Where the register of an A, B, C or X operand is: WORD_RA, WORD_RB or WORD_RC. */
enum sass_field operand_field(const struct sass_inst *i, char kind);

/* What WORD_RB holds: register, immediate, constant or uniform register by the form. type
 * is that of the immediate. */
void operand_field32(const struct sass_inst *i, struct operand *o, char type,
                     unsigned n);
/* Registers of 32 bits that an operand takes, by the letter in the format. */
unsigned operand_count(const struct sass_inst *i, char count);

void operand_register(struct operand *o, enum opd_kind kind, unsigned reg, unsigned n);

/* What MUFU computes with; pairs of halves are of sm_103. */
enum mufu_type {
    MUFU_OF_F32,
    MUFU_OF_F16,
    MUFU_OF_BF16,
    MUFU_OF_F16X2,
    MUFU_OF_BF16X2
};
enum mufu_type operand_mufu_type(const struct sass_inst *i);

/* Warpgroup products: columns of D, and registers that it takes. */
unsigned operand_gmma_columns(const struct sass_inst *i);
/* Is A in registers? */
bool operand_gmma_has_a(const struct sass_inst *i);
enum { GMMA_NO_GROUP = 7 }; /* in the field of a product that ends no group */
unsigned operand_gmma_registers(const struct sass_inst *i);

/* What USETMAXREG does with registers: its field. */
enum { MAXREG_DEALLOC = 1, MAXREG_TRY_ALLOC = 2 };

/* Which of the three reuse flags (a, b, c) a source has; 3 = none. */
unsigned operand_reuse(const struct sass_inst *i, const struct opd_spec *s);

/* Displacement of a branch in bytes; sm_90 splits the field. */
int64_t operand_displacement(const struct sass_inst *i);

#endif
