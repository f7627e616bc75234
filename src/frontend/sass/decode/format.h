/* format.h - the little language in which opcodes.def describes an instruction.
 *
 * A format is a mnemonic with modifiers, a space, and operands separated by commas:
 *
 *     "FADD{FTZ?80}{rnd@78}{SAT?77} D, A-1|1, Xf-1|1"
 *
 * Modifiers, in braces; each prints ".TEXT" or nothing:
 *     {TEXT?N}    TEXT if bit N is set          {TEXT!N}   TEXT if bit N is clear
 *     {table@N}   entry of a table in modifiers.def, at bit N (width from the table)
 *     {=name}     a printer of its own in mnemonic*.c, for what no table can say; the
 *                 fields it reads are in fields.def, where {name@N.W} is a field of W
 *                 bits that has no table
 *
 * Operands: [hide] kind [bit] [attributes]
 *   hide  ?T  not printed when it is PT        ?F  not printed when it is !PT
 *         ?Z  not printed when it is RZ, URZ or 0
 *         ?N  never printed (read or written all the same)
 *         others: see is_hidden() in disasm.c
 *   kind  D      the destination at bit 16, general or uniform as the class says
 *         Rd R   general register, written or read     Ud U   uniform register
 *         Pd P   predicate (its complement bit follows the field)  Vd V  uniform one
 *         Kd K   convergence barrier
 *         A      source a: register at bit 24
 *         X      source at bit 32, register or immediate or constant by the form
 *         B C    second and third of three sources, placed by the form
 *         i s    immediate, unsigned or signed: i72.8 is 8 bits from bit 72
 *         S      special register       T  branch target       @name  see special.h
 *   attributes  -N negate bit   |N absolute bit   ~N complement bit (N = 1: the usual
 *               bit of the field)   *n registers taken (a digit, or a letter: see
 *               operand_count)   f d h e u: how an immediate is written (fp32, fp64 high
 *               word, two halves, bf16, unsigned)
 *
 * Names. `=name` at the end of a modifier or an operand names it; without that a modifier
 * has the name of its text or table, an operand the usual name of its place
 * (format_slot_name). tools/sass_names.c makes one constant of every name, by which
 * handlers and printers refer to it: i->opd[IADD3_CARRY], sass_has(i, IADD3_X).
 *
 * All readers of a format, the decoder, the printer and the maker of the names, walk it
 * with these functions.
 */
#ifndef LENO_SASS_FORMAT_H
#define LENO_SASS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct mod_spec {
    const char *text; /* not NUL-terminated */
    uint8_t len;
    char how;      /* '?', '!', '@', '=', or 0: text printed as it stands */
    uint8_t at;    /* bit */
    uint8_t width; /* of a field without a table, else 0 */
    uint8_t name_len;
    const char *name; /* given by =name; name_len 0: none */
};

struct opd_spec {
    char hide;              /* 0, 'T', 'F', 'Z', 'N' */
    char kind;              /* one of the letters above */
    bool is_dst;            /* kind followed by d */
    uint8_t at;             /* bit */
    uint8_t width;          /* immediates */
    uint8_t neg, abs, not ; /* bit of the modifier, 0 = none */
    char count;             /* '1'..'8' or a letter */
    char type;              /* of an immediate: 'f','d','h','e','u', 0 */
    char name[16];          /* kind '@' */
    uint8_t slot_len;
    const char *slot; /* given by =name; slot_len 0: none */
};

/* Each returns false at the end of its part; *format moves on. The modifiers must
 * have been walked, or passed over, before the operands. */
bool format_modifier(const char **format, struct mod_spec *spec);
bool format_operand(const char **format, struct opd_spec *spec);

/* The part of a format after its modifiers. */
const char *format_operands(const char *format);

/* The name that an operand without =name has: d, a, b, c, p, pd ...; NULL: it needs one. */
const char *format_slot_name(const struct opd_spec *spec);

#endif
