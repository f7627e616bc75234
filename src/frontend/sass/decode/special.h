/* special.h - operands with a shape of their own: the '@' kinds of opcodes.def. */
#ifndef LENO_SASS_SPECIAL_H
#define LENO_SASS_SPECIAL_H

#include "frontend/sass/decode/operand.h"

typedef void special_fill_fn(const struct sass_inst *i, struct operand *o);
/* Appends the operand's text; nothing appended means it is not shown. */
typedef void special_print_fn(struct buf *out, const struct sass_inst *i,
                              const struct operand *o);

struct special {
    const char *name;
    special_fill_fn *fill;   /* NULL: the slot stays OPD_NONE */
    special_print_fn *print; /* NULL: printed by its kind, OPD_NONE not at all */
};

/* Tables of the four families, each ended by a row without a name. */
extern const struct special special_memory[], special_control[], special_alu[],
    special_tensor[];

const struct special *special_find(const char *name);

/* Appends the entry of a table of modifiers.def; "???n" or INVALIDn if there is none. */
void special_table(struct buf *out, const char *table, unsigned value);

/* What F2FP does with its sources. */
enum {
    F2FP_PACK_AB,
    F2FP_MERGE_C,
    F2FP_UNPACK_B,
    F2FP_PACK_B,
    F2FP_UNPACK_B_MERGE_C,
    F2FP_PACK_AB_MERGE_C
};
unsigned special_f2fp(const struct sass_inst *i);

/* LDGSTS: the size as the table msize has it. ARRIVES: 1 .ARVCNT, 2 .TRANSCNT. Both are
 * elsewhere from sm_100 on. */
unsigned special_copy_size(const struct sass_inst *i);
unsigned special_arrival(const struct sass_inst *i);

/* ATOMS.POPC.INC: each lane adds one. The number is that of ATOMS.ARRIVE, too. */
bool special_counts(const struct sass_inst *i);

#endif
