/* mnemonic.h - the part of an instruction's text before its operands, and the little
 * ways in which an opcode bends how operands are written. See mnemonic.c.
 */
#ifndef LENO_SASS_MNEMONIC_H
#define LENO_SASS_MNEMONIC_H

#include "frontend/sass/decode/decode.h"
#include "frontend/sass/decode/format.h"

/* Appends mnemonic and modifiers; *format moves to the operands. */
void mnemonic_print(struct buf *out, const struct sass_inst *i, const char **format);

/* Negation is written ~: carry-in forms add the complement. */
bool mnemonic_complements(const struct sass_inst *i);

/* Appends what follows an operand: .ROW, .H1, .B2, .SIGN ... */
void mnemonic_suffix(struct buf *out, const struct sass_inst *i,
                     const struct opd_spec *s);

/* The type letter by which an immediate is written. */
char mnemonic_immediate(const struct sass_inst *i, const struct opd_spec *s);

/* Between an operand and the one before it: ", " but for indirect jumps. */
const char *mnemonic_separator(const struct sass_inst *i, unsigned slot,
                               const char *usual);

#endif
