/* inst.h - one static instruction as every front end shows it and every pipeline
 * sees it: class, registers read and written, control word. Registers of all spaces
 * share one id space, so that a hazard check is a few ANDs.
 */
#ifndef LENO_ISA_INST_H
#define LENO_ISA_INST_H

#include <stdbool.h>
#include <stdint.h>

/* What kind of unit executes it. */
enum inst_class {
    CLASS_NONE, /* no unit: NOP and the like */
    CLASS_INT,  /* 32-bit integer and logic */
    CLASS_IMUL, /* integer multiply-add */
    CLASS_FP32,
    CLASS_FP64,
    CLASS_HALF, /* packed fp16, bf16 */
    CLASS_SFU,  /* MUFU, conversions, bit counts */
    CLASS_TENSOR,
    CLASS_UNIFORM, /* the scalar datapath */
    CLASS_LOAD,
    CLASS_STORE,
    CLASS_ATOMIC,
    CLASS_TEXTURE,
    CLASS_SHUFFLE, /* lanes exchange: shuffle, vote, match, reductions */
    CLASS_BRANCH,  /* may change the program counter or the active lanes */
    CLASS_BARRIER, /* waits for other warps */
    CLASS_FENCE,   /* orders memory */
    CLASS_MISC,
    N_INST_CLASS
};

enum inst_space {
    SPACE_NONE,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_GENERIC,
    SPACE_TEXTURE
};

/* Register ids: general, uniform, predicates, uniform predicates, barriers. */
enum {
    REGID_R = 0,
    REGID_UR = 256,
    REGID_P = 320,
    REGID_UP = 328,
    REGID_B = 336,
    N_REGID = 384
};

struct regset {
    uint64_t w[N_REGID / 64];
};

static inline void regset_add(struct regset *s, unsigned id)
{
    s->w[id >> 6] |= (uint64_t)1 << (id & 63);
}

static inline bool regset_has(const struct regset *s, unsigned id)
{
    return s->w[id >> 6] >> (id & 63) & 1;
}

static inline bool regset_meets(const struct regset *a, const struct regset *b)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < N_REGID / 64; i++)
        any |= a->w[i] & b->w[i];
    return any != 0;
}

/* The scheduling bits that NVIDIA's compiler puts into each instruction. */
struct inst_control {
    uint8_t stall;         /* cycles before the warp's next issue */
    bool yield;            /* prefer another warp */
    uint8_t write_barrier; /* 0..5, 7 = none: released when the result is written */
    uint8_t read_barrier;  /* 0..5, 7 = none: released when the sources are read */
    uint8_t wait_mask;     /* barriers that must be clear */
    uint8_t reuse;         /* operand reuse cache, bit 0 = a */
};

struct inst {
    uint64_t pc;
    uint16_t op;   /* the front end's own opcode number */
    uint8_t class; /* enum inst_class */
    uint8_t space; /* enum inst_space */
    uint8_t bytes; /* per lane, memory operations */
    struct inst_control control;
    struct regset reads, writes;
};

#endif
