/* exec_int.c - integer arithmetic, jumps and branches.
 *
 * A row's lanes are computed together and the active ones kept: inactive lanes cost
 * nothing but must not trap on the host, so division by zero is handled for all lanes.
 * A branch follows the reference lane; lanes that would go elsewhere must be handled by
 * the program (split), as in the hardware.
 */
#include "frontend/riscv/state.h"

/* OPERATION(id, right operand of lane l, value of a and b) */
#define OPERATION(id, right, value)                                        \
    HANDLER(id)                                                            \
    {                                                                      \
        const uint32_t *x = w->r[i->rs1], *y = w->r[i->rs2], imm = i->imm; \
        uint32_t *d = w->r[i->rd], v[TOGETHER];                            \
                                                                           \
        (void)y, (void)imm;                                                \
        for (size_t first = 0; first < w->n_lanes; first += TOGETHER) {    \
            for (size_t l = first; l < first + TOGETHER; l++) {            \
                uint32_t a = x[l], b = (right);                            \
                                                                           \
                (void)a, (void)b;                                          \
                v[l - first] = (value);                                    \
            }                                                              \
            keep_active(d + first, v, w->mask >> first);                   \
        }                                                                  \
        return 0;                                                          \
    }
#define BINARY(id, value)    OPERATION(id, y[l], value)
#define IMMEDIATE(id, value) OPERATION(id, imm, value)

static uint32_t shift_right(uint32_t a, uint32_t n)
{
    return (uint32_t)((int32_t)a >> n);
}

/* Upper halves of products. */
static uint32_t high_ss(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32);
}

static uint32_t high_su(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int64_t)b) >> 32);
}

static uint32_t high_uu(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

/* Divides; the smallest number divided by -1 does not fit and wraps around. */
static uint32_t divide_signed(uint32_t a, uint32_t b)
{
    if (!b)
        return UINT32_MAX;
    return (uint32_t)((int64_t)(int32_t)a / (int32_t)b);
}

static uint32_t remainder_of(uint32_t a, uint32_t b)
{
    return b ? (uint32_t)((int64_t)(int32_t)a % (int32_t)b) : a;
}

IMMEDIATE(lui, b)
IMMEDIATE(auipc, (uint32_t)i->inst.pc + b)
IMMEDIATE(addi, a + b)
IMMEDIATE(slti, (int32_t)a < (int32_t)b)
IMMEDIATE(sltiu, a < b)
IMMEDIATE(xori, a ^ b)
IMMEDIATE(ori, a | b)
IMMEDIATE(andi, (a & b))
IMMEDIATE(slli, a << b)
IMMEDIATE(srli, a >> b)
IMMEDIATE(srai, shift_right(a, b))
BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(sll, a << (b & 31))
BINARY(slt, (int32_t)a < (int32_t)b)
BINARY(sltu, a < b)
BINARY(xor, a ^ b)
BINARY(srl, a >> (b & 31))
BINARY(sra, shift_right(a, b & 31))
BINARY(or, a | b)
BINARY(and, (a & b))
BINARY(mul, (a * b))
BINARY(mulh, high_ss(a, b))
BINARY(mulhsu, high_su(a, b))
BINARY(mulhu, high_uu(a, b))
BINARY(div, divide_signed(a, b))
BINARY(divu, b ? a / b : UINT32_MAX)
BINARY(rem, remainder_of(a, b))
BINARY(remu, b ? a % b : a)
BINARY(czero_eqz, b ? a : 0)
BINARY(czero_nez, b ? 0 : a)

#define BRANCH(id, condition)                              \
    HANDLER(id)                                            \
    {                                                      \
        unsigned l = reference_lane(w);                    \
        uint32_t a = w->r[i->rs1][l], b = w->r[i->rs2][l]; \
                                                           \
        if (condition)                                     \
            w->pc = (uint32_t)i->inst.pc + i->imm;         \
        return 0;                                          \
    }

BRANCH(beq, a == b)
BRANCH(bne, a != b)
BRANCH(blt, (int32_t)a < (int32_t)b)
BRANCH(bge, (int32_t)a >= (int32_t)b)
BRANCH(bltu, a < b)
BRANCH(bgeu, a >= b)

/* Jumps: the target is taken before the link overwrites it. */
static void jump(struct riscv_warp *w, const struct riscv_inst *i, uint32_t target)
{
    const uint32_t link[TOGETHER] = { w->pc, w->pc, w->pc, w->pc };

    for (size_t first = 0; first < w->n_lanes; first += TOGETHER)
        keep_active(w->r[i->rd] + first, link, w->mask >> first);
    w->pc = target;
}

HANDLER(jal)
{
    jump(w, i, (uint32_t)i->inst.pc + i->imm);
    return 0;
}

HANDLER(jalr)
{
    jump(w, i, (w->r[i->rs1][reference_lane(w)] + i->imm) & ~1u);
    return 0;
}
