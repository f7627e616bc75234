/* decode.h - a word as an instruction. */
#ifndef LENO_RISCV_DECODE_H
#define LENO_RISCV_DECODE_H

#include "frontend/riscv/riscv.h"

/* Rows of a warp's registers; see state.h. */
enum { ROW_F = 32, ROW_NOBODY = 64, N_ROW };

/* What a pipeline needs to know about each instruction. */
struct riscv_role {
    uint8_t unit;          /* enum riscv_unit */
    uint8_t n_src, src[3]; /* registers to be read; 0 after the last */
    uint8_t rd;            /* 0: nothing is written */
    bool stalls;           /* its warp waits until it has been executed */
};

struct riscv_inst {
    struct inst inst; /* first */
    struct riscv_role role;
    uint32_t word;
    uint32_t imm;              /* whatever the instruction has of the kind */
    uint8_t rd, rs1, rs2, rs3; /* rows */
    uint8_t rm;                /* rounding mode, 7: the warp's */
    bool negates;              /* split and pred */
};

/* The CSRs mcycle and those after it, their upper halves, and the same for users. */
static inline bool riscv_is_counter(uint32_t csr)
{
    return (csr & 0xf60) == 0xb00 || (csr & 0xf60) == 0xc00;
}

/* False if the word is no instruction: op is N_RISCV_OP then. */
bool riscv_decode(struct riscv_inst *i, uint32_t word, uint32_t pc);

static inline const struct riscv_role *riscv_role(const struct inst *i)
{
    return &((const struct riscv_inst *)i)->role;
}

/* As riscv_disasm(), of a decoded instruction. */
void riscv_text(const struct riscv_inst *i, struct buf *out);

#endif
