/* decode.h - one SASS instruction, decoded.
 *
 * opcodes.def has one row per opcode: number, forms, architectures, class, and a
 * format that names its modifiers and operands with the bits they sit in. The same
 * format makes the text (disasm.c), the operand slots below and, from them, the sets
 * of registers read and written. A slot keeps its place whether it is printed or not
 * (a predicate that is PT, say), so a slot's meaning depends on the opcode alone.
 *
 * Slots and fields have names (format.h): constants that are made from opcodes.def and
 * fields.def when the program is built (build/gen/sass_names.h). i->opd[IADD3_CARRY] is
 * a slot, sass_has(i, IADD3_X) and sass_field(i, ISETP_ICMP) are fields.
 */
#ifndef LENO_SASS_DECODE_H
#define LENO_SASS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "frontend/sass/arch.h"
#include "frontend/sass/decode/field.h"
#include "frontend/sass/decode/word.h"
#include "isa/inst.h"
#include "sass_names.h"

enum { REG_RZ = 255, UREG_URZ = 255, PRED_PT = 7, N_PRED = 8, SASS_OPDS = 10 };

enum opd_kind {
    OPD_NONE,
    OPD_REG,    /* R: reg, n_regs consecutive */
    OPD_UREG,   /* UR: reg, n_regs */
    OPD_PRED,   /* P: reg, OPD_NOT */
    OPD_UPRED,  /* UP: reg, OPD_NOT */
    OPD_BREG,   /* convergence barrier B: reg */
    OPD_IMM,    /* imm, already sign-extended where the field is signed */
    OPD_CONST,  /* c[bank][imm], indexed by register reg if OPD_INDEXED;
                   by uniform register reg if OPD_UINDEXED */
    OPD_CDESC,  /* cx[UR reg][imm]: bound by descriptor */
    OPD_SREG,   /* special register imm */
    OPD_ADDR,   /* memory: R reg (+ UR ureg) + imm; see OPD_WIDE, OPD_DESC */
    OPD_TARGET, /* code address imm */
    OPD_SB,     /* scoreboard imm */
};

enum opd_flag {
    OPD_DST = 1,       /* written */
    OPD_NEG = 2,       /* arithmetic negation (after OPD_ABS) */
    OPD_ABS = 4,       /* absolute value */
    OPD_NOT = 8,       /* bitwise or logical complement */
    OPD_WIDE = 16,     /* OPD_ADDR: reg is a 64-bit pair */
    OPD_DESC = 32,     /* OPD_ADDR: ureg is a descriptor, not part of the address */
    OPD_HAS_UREG = 64, /* OPD_ADDR: ureg is used */
    OPD_INDEXED = 128,
    OPD_UINDEXED = 256,
    OPD_H0 = 512,      /* half selection: both halves are the low one */
    OPD_H1 = 1024,     /* both halves are the high one */
    OPD_F32 = 2048,    /* half operations: the operand is one fp32 value */
    OPD_UWIDE = 4096,  /* OPD_ADDR: ureg is a 64-bit pair */
    OPD_SIZED = 8192,  /* OPD_ADDR: the text says how wide reg is */
    OPD_QUIET = 16384, /* OPD_ADDR: the descriptor is not in the text */
};

enum { OPD_MODIFIERS = OPD_NEG | OPD_ABS | OPD_NOT | OPD_H0 | OPD_H1 };

/* How the executor comes to the value of a source. */
enum opd_way {
    WAY_ANY,     /* by its kind and flags */
    WAY_REG,     /* in the warp's registers, from row on */
    WAY_UNIFORM, /* the same of uniform registers */
    WAY_SPREAD,  /* in the launch's rows of scalars, from row on; see spread.c */
};

struct operand {
    uint8_t kind; /* enum opd_kind */
    uint8_t reg;
    uint8_t n_regs; /* registers taken, from reg on; 0 for RZ */
    uint8_t ureg;
    uint8_t bank;
    uint8_t scale;  /* OPD_ADDR: log2 of the factor on reg (shared memory .X4 ...) */
    uint16_t flags; /* enum opd_flag */
    int64_t imm;
    uint8_t way; /* enum opd_way */
    uint16_t row;
};

struct sass_inst;
struct sass_warp;

/* What a handler tells the step loop. */
enum exec_result {
    EXEC_NEXT,  /* go on after the instruction, with the same lanes */
    EXEC_JUMP,  /* pc, active and parked are set already */
    EXEC_ERROR, /* block->err is set */
};

/* mask: the lanes of the current group whose guard holds; may be 0. */
typedef enum exec_result exec_fn(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask);

/* Handlers by opcode that suit this host, NULL where an opcode cannot be executed. The
 * executor has them (exec/grid.c); a decoded instruction carries its own. */
exec_fn *const *sass_handlers_of_host(void);

/* Does a warp's turn end after it where nothing is timed, and what does it wait for then? */
enum sass_turn {
    TURN_GOES_ON,
    TURN_ENDS_NOW,  /* nothing */
    TURN_ENDS_NEAR, /* shared memory, a barrier */
    TURN_ENDS_FAR,  /* global memory */
};

struct sass_inst {
    struct inst base; /* what the timing model sees; first */
    exec_fn *run;     /* its handler on this host; NULL: it cannot be executed */
    struct word word;
    const struct op_row *row; /* NULL: not an instruction we know */
    uint32_t guard_flip;      /* ALL_LANES: runs where the guard does not hold */
    uint8_t guard_at;         /* in a warp's guards */
    uint8_t arch;             /* enum sass_arch */
    uint8_t guard;            /* predicate; PRED_PT = always */
    bool guard_not, guard_uniform;
    bool is_bound; /* every register and scalar of it has a way */
    uint8_t n_opds;
    uint8_t turn;        /* enum sass_turn; set by load/turns.c */
    uint8_t to_turn_end; /* instructions from this one to the end of a turn */
    struct operand opd[SASS_OPDS];
};

/* Decodes the word at code address pc. Returns false, with row NULL, if no row of
 * the table fits; base.pc and word are set in any case. */
bool sass_decode(struct sass_inst *i, enum sass_arch arch, struct word w, uint64_t pc);

/* A register without modifiers is in a row of its own, RZ in the first of the scalars. */
static inline void operand_bind(struct operand *o)
{
    bool is_uniform = o->kind == OPD_UREG;
    bool is_zero = o->reg == (is_uniform ? UREG_URZ : REG_RZ);

    if ((o->kind != OPD_REG && !is_uniform) || o->flags & OPD_MODIFIERS)
        return;
    o->way = is_zero ? WAY_SPREAD : is_uniform ? WAY_UNIFORM : WAY_REG;
    o->row = is_zero ? 0 : is_uniform ? o->reg : (uint16_t)(o->reg + 1);
}

/* The opcode (enum sass_op) of a decoded instruction. */
enum sass_op {
#define OP(id, opcode, forms, archs, class, format) OP_##id,
#include "frontend/sass/decode/opcodes.def"
#undef OP
    N_SASS_OP
};

/* Forms in which the varying source sits where a third one would. */
enum { FORMS_THIRD = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 };

struct op_row {
    const char *format;
    uint16_t opcode; /* bits 0..8 */
    uint16_t forms;  /* bit n: form n (bits 9..11) exists */
    uint8_t archs;   /* bit n: enum sass_arch n */
    uint8_t class;   /* enum inst_class */
};
const struct op_row *sass_rows(void); /* N_SASS_OP of them, by enum sass_op */

/* n bits from bit at. For the decoder; others name what they read, see below. */
static inline unsigned sass_bits(const struct sass_inst *i, unsigned at, unsigned n)
{
    return (unsigned)word_bits(i->word, at, n);
}

/* The value of a field. */
static inline unsigned sass_field(const struct sass_inst *i, enum sass_field f)
{
    return (unsigned)word_field(i->word, f);
}

/* The uniform register of a field: 6 bits, from sm_100 on 8; URZ has them all set. */
static inline unsigned sass_uniform_field(const struct sass_inst *i, enum sass_field f)
{
    unsigned width = i->arch >= SM100 ? 8 : 6;
    unsigned v = sass_bits(i, field_at(f), width);

    return v == (1u << width) - 1 ? UREG_URZ : v;
}

/* The value of a field with its sign. */
static inline int64_t sass_signed(const struct sass_inst *i, enum sass_field f)
{
    return word_signed_field(i->word, f);
}

/* The bits from the first of one field to the last of another. */
static inline unsigned sass_span(const struct sass_inst *i, enum sass_field first,
                                 enum sass_field last)
{
    return sass_bits(i, field_at(first),
                     field_at(last) + field_width(last) - field_at(first));
}

/* Whether an instruction has a modifier: of {U32!73} that bit 73 is clear. */
static inline bool sass_has(const struct sass_inst *i, enum sass_field f)
{
    return sass_field(i, f) != field_is_clear(f);
}

#endif
