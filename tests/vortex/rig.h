/* rig.h - small programs on a Vortex processor, and how long their parts took.
 *
 * A program is words of machine code, put together by the functions below. The rig runs
 * them on warps of a core: every warp runs the body between two marks (reads of a CSR),
 * one or more times over, and the times of the last pass are its result. Instructions
 * count when their unit takes them, as the CSRs that measured the RTL were read.
 */
#ifndef LENO_TESTS_VORTEX_RIG_H
#define LENO_TESTS_VORTEX_RIG_H

#include "frontend/riscv/riscv.h"
#include "vortex/vortex.h"

enum { RIG_WORDS = 4096, RIG_WARPS = 32 };

/* Registers of the rig's own; bodies may use x7 to x15 and all float registers. */
enum {
    RIG_ONES = 3,  /* -1 */
    RIG_PASS = 4,  /* passes left */
    RIG_DATA = 5,  /* address of words that hold their own address */
    RIG_ONE = 16,  /* 1 */
    RIG_MARK = 17, /* what marks write */
};

struct code {
    unsigned n;
    uint32_t word[RIG_WORDS];
};

void put(struct code *c, uint32_t word);
uint32_t op_r(uint32_t base, unsigned rd, unsigned rs1, unsigned rs2);
uint32_t op_i(uint32_t base, unsigned rd, unsigned rs1, int imm);
uint32_t op_s(uint32_t base, unsigned rs1, unsigned rs2, int imm);
uint32_t op_b(uint32_t base, unsigned rs1, unsigned rs2, int offset);
uint32_t op_j(unsigned rd, int offset);

/* Machine code of operations, without their operands. */
enum {
    OP_ADD = 0x33,
    OP_SUB = 0x40000033,
    OP_ADDI = 0x13,
    OP_SLLI = 0x1013,
    OP_JALR = 0x67,
    OP_MUL = 0x02000033,
    OP_DIV = 0x02004033,
    OP_LW = 0x2003,
    OP_SW = 0x2023,
    OP_FLW = 0x2007,
    OP_FADD = 0x53,
    OP_FMUL = 0x10000053,
    OP_FDIV = 0x18000053,
    OP_FSQRT = 0x58000053,
    OP_FMADD = 0x43, /* rs3 in the upper bits */
    OP_FCVT_SW = (int)0xd0000053,
    OP_FCVT_WS = (int)0xc0000053,
    OP_CSRRS = 0x2073,
    OP_BNE = 0x1063,
    OP_TMC = 0x0b,
    OP_WSPAWN = 0x100b,
    OP_SPLIT = 0x200b,
    OP_JOIN = 0x300b,
    OP_BAR = 0x400b,
    OP_FENCE = 0x0f,
};

struct rig {
    struct vortex_config config;
    struct vortex *vortex;
    struct err err;
    uint32_t mark[2];          /* addresses */
    uint64_t at[2][RIG_WARPS]; /* cycles of the last pass */
    uint64_t body[RIG_WORDS];  /* the same of warp 0's body */
    unsigned n_warps, passes;
    uint64_t max_cycles; /* of a launch; 0: no limit */
    bool is_alone;       /* no listener, so not the plain model: no marks, no body */
};

/* The scheme by name: inorder, loog, loog.rrs, ghost. */
void rig_init(struct rig *r, const char *scheme, unsigned warps, unsigned threads);
/* Runs the body r->passes times on that many warps. -1: r->err. */
int rig_run(struct rig *r, const struct code *body, unsigned warps);
/* Runs words as they are, from the start address on. -1: r->err. */
int rig_launch(struct rig *r, const struct code *c);
/* Runs a program; afterwards n bytes of its memory from addr on are copied. -1: r->err. */
int rig_run_file(struct rig *r, const char *path, uint32_t addr, void *bytes, size_t n);
/* Cycles between a warp's marks. */
uint64_t rig_cycles(const struct rig *r, unsigned warp);
void rig_free(struct rig *r);

#endif
