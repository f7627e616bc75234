/* traceg.h - what the reader and the writer of Accel-Sim's traces share. The format is
 * described in docs/formats.md.
 */
#ifndef LENO_REPLAY_TRACEG_H
#define LENO_REPLAY_TRACEG_H

#include "base/buf.h"
#include "frontend/replay/input.h"
#include "isa/inst.h"
#include "isa/stream.h"

/* Tracer versions that are read; from TRACEG_NAMES on, lines name uniform registers and
 * predicates too and end in the word Val or NoVal. */
enum { TRACEG_VERSIONS = 6, TRACEG_NAMES = 6 };

/* Registers are named by id (isa/regset.h); URZ has none. */
enum { TRACEG_RZ = REGID_R + 255, TRACEG_URZ = N_REGID, TRACEG_REGISTERS = 16 };
struct traceg_registers {
    unsigned n;
    uint16_t id[TRACEG_REGISTERS];
};

/* The usual place of shared and local memory among generic addresses, as the SASS front
 * end has it. */
#define TRACEG_SHARED_BASE 0x7a0000000000ull
#define TRACEG_LOCAL_BASE  0x7b0000000000ull

enum traceg_generation { TURING = 1, AMPERE = 2 };

struct traceg_mnemonic {
    const char *name;
    uint8_t class, space, flags, generations;
};

/* The row of a dotted name, by its first part; NULL if unknown. */
const struct traceg_mnemonic *traceg_find(const char *opcode);
const struct traceg_mnemonic *traceg_mnemonic_at(size_t i); /* NULL after the last */

/* Class, space, bytes and flags of an instruction from its dotted name; operands,
 * address and length are left alone. False: unknown name. */
bool traceg_classify(struct inst *i, const char *opcode);

/* One instruction line. */
struct traceg_line {
    uint64_t pc;
    uint32_t mask;
    const char *key; /* the part that is the same in every execution */
    size_t key_len;
    char opcode[64];
    struct traceg_registers dst, src;
    unsigned width; /* 0: no addresses */
    uint64_t addr[WARP_LANES];
};

/* What the head of a file says. */
struct traceg_head {
    char *name; /* allocated */
    uint32_t grid[3], block[3], shared, registers;
    unsigned version; /* of the tracer */
    unsigned sm;
    bool has_lines; /* source lines in front of instructions */
    uint64_t shared_base, local_base;
};

/* Reads up to the first line that begins with '#'. */
int traceg_read_head(struct input *in, struct traceg_head *h, struct err *err);
int traceg_parse_line(const struct input *in, const struct traceg_head *h, char *text,
                      struct traceg_line *l, struct err *err);

/* "1 R4 LDG.E 1 R2" from the text of an instruction; -1: no such opcode there. */
int traceg_put_operands(struct buf *out, const struct inst *i, const char *text,
                        unsigned generation, struct err *err);

#endif
