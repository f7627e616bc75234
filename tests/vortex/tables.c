/* tables.c - chains of the RTL: programs and numbers.
 *
 * Source: the RTL of mariazerva/diploma (vortex_base, vortex_coroni, vortex_rrs,
 * vortex_ghost) in Verilator; 64-long chains, second pass, warm caches.
 */
#include "tables.h"

static void add2(struct code *c)
{
    put(c, op_r(OP_ADD, 7, 7, RIG_ONE));
}
static void addi1(struct code *c)
{
    put(c, op_i(OP_ADDI, 7, 7, 1));
}
static void addi0(struct code *c)
{
    put(c, op_i(OP_ADDI, 7, 0, 1));
}
static void mul2(struct code *c)
{
    put(c, op_r(OP_MUL, 7, 7, RIG_ONE));
}
static void div2(struct code *c)
{
    put(c, op_r(OP_DIV, 7, 7, RIG_ONE));
}
static void chase(struct code *c)
{
    put(c, op_i(OP_LW, 7, 7, 0));
}
static void lw_same(struct code *c)
{
    put(c, op_i(OP_LW, 7, RIG_DATA, 0));
}
static void sw(struct code *c)
{
    put(c, op_s(OP_SW, RIG_DATA, RIG_DATA, 0));
}
static void fadd(struct code *c)
{
    put(c, op_r(OP_FADD, 1, 1, 2));
}
static void fmadd(struct code *c)
{
    put(c, op_r(OP_FMADD | 3u << 27, 1, 1, 2));
}
static void fdiv(struct code *c)
{
    put(c, op_r(OP_FDIV, 1, 1, 2));
}
static void fsqrt(struct code *c)
{
    put(c, op_r(OP_FSQRT, 1, 1, 0));
}
static void csrr(struct code *c)
{
    put(c, OP_CSRRS | 7 << 7 | 0xcc1u << 20);
}
static void branch(struct code *c)
{
    put(c, op_b(OP_BNE, RIG_ONE, RIG_ONE, 8));
}
static void jump(struct code *c)
{
    put(c, op_j(0, 4));
}
static void tmc(struct code *c)
{
    put(c, op_r(OP_TMC, 0, RIG_ONES, 0));
}
static void bar(struct code *c)
{
    put(c, op_r(OP_BAR, 0, 0, RIG_ONE));
}
static void fence(struct code *c)
{
    put(c, OP_FENCE | 0xffu << 20);
}

static void fcvt(struct code *c)
{
    put(c, op_r((uint32_t)OP_FCVT_WS, 7, 1, 0));
    put(c, op_r((uint32_t)OP_FCVT_SW, 1, 7, 0));
}

static void split(struct code *c)
{
    put(c, op_r(OP_SPLIT, 7, RIG_ONE, 0));
    put(c, op_r(OP_JOIN, 0, 7, 0));
}

static void four_add(struct code *c)
{
    for (unsigned n = 8; n < 12; n++)
        put(c, op_r(OP_ADD, n, RIG_ONE, RIG_ONES));
}

static void four_mul(struct code *c)
{
    for (unsigned n = 8; n < 12; n++)
        put(c, op_r(OP_MUL, n, RIG_ONE, RIG_ONES));
}

static void four_fmul(struct code *c)
{
    for (unsigned n = 8; n < 12; n++)
        put(c, op_r(OP_FMUL, n, 1, 2));
}

static void fdiv_fadd(struct code *c)
{
    put(c, op_r(OP_FDIV, 1, 2, 3));
    put(c, op_r(OP_FADD, 4, 5, 6));
    put(c, op_r(OP_FADD, 7, 8, 9));
    put(c, op_r(OP_FADD, 10, 1, 2));
}

static void lw_add(struct code *c)
{
    put(c, op_i(OP_LW, 7, RIG_DATA, 0));
    put(c, op_r(OP_ADD, 8, 7, RIG_ONE));
    put(c, op_i(OP_LW, 9, RIG_DATA, 4));
    put(c, op_r(OP_ADD, 10, 9, RIG_ONE));
}

/* Name, body, instructions of it, then base, LOOG, RRS, GhOST. */
#define CHAIN(name_, body_, group_, ...)                                      \
    {                                                                         \
        .name = name_, .body = body_, .group = group_, .rtl = { __VA_ARGS__ } \
    }
#define AROUND(name_, body_, group_, ...)                                      \
    {                                                                          \
        .name = name_, .body = body_, .group = group_, .rtl = { __VA_ARGS__ }, \
        .by_marks = true                                                       \
    }
const struct chain chains[] = {
    CHAIN("add rd,rd,rs", add2, 1, 10, 7, 8, 10),
    CHAIN("addi rd,rd", addi1, 1, 9, 7, 8, 9),
    CHAIN("addi rd,x0 (WAW)", addi0, 1, 8, 6, 6, 8),
    CHAIN("mul", mul2, 1, 14, 11, 12, 14),
    CHAIN("div", div2, 1, 14, 11, 12, 14),
    CHAIN("lw pointer chase", chase, 1, 21, 19, 20, 21),
    AROUND("lw same rd (WAW)", lw_same, 1, 21, 6.2, 6.2, 21),
    CHAIN("sw", sw, 1, 6, 6, 6, 7),
    CHAIN("fadd", fadd, 1, 13, 10, 11, 13),
    CHAIN("fmadd", fmadd, 1, 14, 10, 11, 14),
    CHAIN("fdiv", fdiv, 1, 24, 21, 22, 24),
    CHAIN("fsqrt", fsqrt, 1, 18, 16, 17, 18),
    CHAIN("fcvt.w.s + fcvt.s.w", fcvt, 2, 26, 22, 24, 26),
    CHAIN("csrr (same rd)", csrr, 1, 10, 6, 6, 10),
    CHAIN("branch not taken", branch, 1, 17, 18, 19, 18),
    CHAIN("j +4", jump, 1, 15, 13, 14, 16),
    CHAIN("tmc", tmc, 1, 16, 17, 18, 17),
    CHAIN("bar(1)", bar, 1, 16, 17, 18, 17),
    CHAIN("split + join", split, 2, 33, 35, 37, 35),
    AROUND("fence", fence, 1, 10.6, 9.4, 9.8, 10.6),
    CHAIN("4 independent add", four_add, 4, 24, 24, 24, 28),
    CHAIN("4 independent mul", four_mul, 4, 24, 24, 24, 28),
    CHAIN("4 independent fmul", four_fmul, 4, 24, 24, 24, 28),
    AROUND("fdiv, fadd, fadd, fadd(dep)", fdiv_fadd, 4, 28.3, 24.2, 24.3, 28.3),
    AROUND("lw, add, lw, add", lw_add, 4, 50.1, 24.2, 24.2, 50.1),
};
const size_t n_chains = sizeof chains / sizeof *chains;
