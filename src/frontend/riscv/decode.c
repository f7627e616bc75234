/* decode.c - words to instructions and back to text, by the rows of ops.def.
 *
 * A row's operands say where registers and immediates are; everything else follows from
 * them. Decoding looks at all rows: each word of a program is decoded once.
 */
#include "frontend/riscv/decode.h"

#include <string.h>

struct row {
    const char *name, *operands;
    uint32_t match, mask;
    uint8_t class, flags;
};

static const struct row rows[N_RISCV_OP] = {
#define OP(id, name, match, mask, operands, class, unit, flags) \
    [RISCV_##id] = { name, operands, match, mask, CLASS_##class, flags },
#include "frontend/riscv/ops.def"
#undef OP
};

const uint8_t riscv_op_units[N_RISCV_OP + 1] = {
#define OP(id, name, match, mask, operands, class, unit, flags) \
    [RISCV_##id] = UNIT_##unit,
#include "frontend/riscv/ops.def"
#undef OP
    [N_RISCV_OP] = N_RISCV_UNIT,
};

const char *riscv_op_name(unsigned op)
{
    return op < N_RISCV_OP ? rows[op].name : "?";
}

static uint32_t take_bits(uint32_t word, unsigned low, unsigned n)
{
    return word >> low & ((1u << n) - 1);
}

static uint32_t sign_extend(uint32_t value, unsigned n)
{
    return (uint32_t)((int32_t)(value << (32 - n)) >> (32 - n));
}

static uint32_t branch_offset(uint32_t w)
{
    return sign_extend(take_bits(w, 31, 1) << 12 | take_bits(w, 7, 1) << 11 |
                           take_bits(w, 25, 6) << 5 | take_bits(w, 8, 4) << 1,
                       13);
}

static uint32_t jump_offset(uint32_t w)
{
    return sign_extend(take_bits(w, 31, 1) << 20 | take_bits(w, 12, 8) << 12 |
                           take_bits(w, 20, 1) << 11 | take_bits(w, 21, 10) << 1,
                       21);
}

static void read_row(struct riscv_inst *i, uint8_t *row, unsigned reg, unsigned slot)
{
    struct inst *inst = &i->inst;

    *row = (uint8_t)reg;
    if (!reg)
        return;
    regset_add(&inst->reads, RISCV_REGID_X + reg);
    inst->src[inst->n_src++] = (struct inst_operand){
        .reg = (uint8_t)(RISCV_REGID_X + reg), .n = 1, .slot = (uint8_t)slot
    };
}

static void write_row(struct riscv_inst *i, unsigned reg)
{
    struct inst *inst = &i->inst;

    i->rd = reg ? (uint8_t)reg : ROW_NOBODY;
    if (!reg)
        return;
    regset_add(&inst->writes, RISCV_REGID_X + reg);
    inst->dst[inst->n_dst++] =
        (struct inst_operand){ .reg = (uint8_t)(RISCV_REGID_X + reg), .n = 1 };
}

static void decode_operand(struct riscv_inst *i, char letter)
{
    uint32_t w = i->word;

    switch (letter) {
    case 'd':
        write_row(i, take_bits(w, 7, 5));
        break;
    case 'D':
        write_row(i, ROW_F + take_bits(w, 7, 5));
        break;
    case 's':
        read_row(i, &i->rs1, take_bits(w, 15, 5), 0);
        break;
    case 'S':
        read_row(i, &i->rs1, ROW_F + take_bits(w, 15, 5), 0);
        break;
    case 't':
        read_row(i, &i->rs2, take_bits(w, 20, 5), 1);
        break;
    case 'T':
        read_row(i, &i->rs2, ROW_F + take_bits(w, 20, 5), 1);
        break;
    case 'R':
        read_row(i, &i->rs3, ROW_F + take_bits(w, 27, 5), 2);
        break;
    case 'j':
    case 'o':
        i->imm = sign_extend(take_bits(w, 20, 12), 12);
        break;
    case 'q':
        i->imm = sign_extend(take_bits(w, 25, 7) << 5 | take_bits(w, 7, 5), 12);
        break;
    case 'u':
        i->imm = w & 0xfffff000u;
        break;
    case 'b':
        i->imm = branch_offset(w);
        break;
    case 'a':
        i->imm = jump_offset(w);
        break;
    case 'h':
        i->imm = take_bits(w, 20, 5);
        break;
    case 'e':
        i->imm = take_bits(w, 20, 12);
        break;
    case 'r':
        i->rm = (uint8_t)take_bits(w, 12, 3);
        break;
    case 'n':
        i->negates = take_bits(w, 20, 1);
        break;
    case 'm':
        i->negates = take_bits(w, 7, 1);
        break;
    }
}

/* Sources by their place in the word, which is the order of reading: stores are written
 * the other way around. */
static void sort_sources(struct inst *inst)
{
    struct inst_operand first = inst->src[0];

    if (inst->n_src != 2 || first.slot < inst->src[1].slot)
        return;
    inst->src[0] = inst->src[1];
    inst->src[1] = first;
}

/* Bytes of a lane's access: in all of them, the two low bits of funct3. */
static void decode_access(struct inst *inst, uint32_t word)
{
    if (!inst_is_memory(inst))
        return;
    inst->space = SPACE_GLOBAL;
    inst->bytes = (uint8_t)(1u << take_bits(word, 12, 2));
}

/* Jumps and warp control change the warp's next PC and its lanes; instructions after an
 * access to an FPU CSR may depend on it. */
static void find_role(struct riscv_inst *i)
{
    struct riscv_role *r = &i->role;

    r->unit = (uint8_t)riscv_op_unit(i->inst.op);
    r->n_src = i->inst.n_src;
    for (unsigned n = 0; n < 3; n++)
        r->src[n] = i->inst.src[n].reg;
    r->rd = i->inst.dst[0].reg;
    r->stalls =
        r->unit == UNIT_BRANCH || r->unit == UNIT_WCTL || riscv_is_fp_csr(&i->inst);
}

bool riscv_decode(struct riscv_inst *i, uint32_t word, uint32_t pc)
{
    unsigned op = 0;

    *i = (struct riscv_inst){
        .inst = { .pc = pc,
                  .length = 4,
                  .depbar = 7,
                  .control = { .write_barrier = 7, .read_barrier = 7 } },
        .word = word,
        .rd = ROW_NOBODY,
    };
    while (op < N_RISCV_OP && (word & rows[op].mask) != rows[op].match)
        op++;
    i->inst.op = (uint16_t)op;
    if (op == N_RISCV_OP)
        return false;
    i->inst.class = rows[op].class;
    i->inst.flags = rows[op].flags;
    i->inst.memory = inst_class_memory(rows[op].class);
    for (const char *letter = rows[op].operands; *letter; letter++)
        decode_operand(i, *letter);
    sort_sources(&i->inst);
    decode_access(&i->inst, word);
    inst_index(&i->inst);
    find_role(i);
    if (i->role.unit == UNIT_CSR && riscv_is_counter(i->imm))
        i->inst.flags |= INST_TIME;
    return true;
}

bool riscv_is_fp_csr(const struct inst *i)
{
    uint32_t csr = ((const struct riscv_inst *)i)->imm;

    return riscv_op_unit(i->op) == UNIT_CSR && csr >= 1 && csr <= 3;
}

static void put_register(struct buf *out, unsigned row)
{
    static const char names[][5] = {
        "zero", "ra",  "sp",   "gp",   "tp",  "t0",  "t1",  "t2",  "s0",   "s1",
        "a0",   "a1",  "a2",   "a3",   "a4",  "a5",  "a6",  "a7",  "s2",   "s3",
        "s4",   "s5",  "s6",   "s7",   "s8",  "s9",  "s10", "s11", "t3",   "t4",
        "t5",   "t6",  "ft0",  "ft1",  "ft2", "ft3", "ft4", "ft5", "ft6",  "ft7",
        "fs0",  "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4", "fa5", "fa6",  "fa7",
        "fs2",  "fs3", "fs4",  "fs5",  "fs6", "fs7", "fs8", "fs9", "fs10", "fs11",
        "ft8",  "ft9", "ft10", "ft11",
    };

    buf_puts(out, row < 64 ? names[row] : names[0]);
}

static void put_operand(const struct riscv_inst *i, char letter, struct buf *out)
{
    static const char modes[][4] = { "rne", "rtz", "rdn", "rup",
                                     "rmm", "?5",  "?6",  "dyn" };

    switch (letter) {
    case 'd':
    case 'D':
        put_register(out, i->rd);
        break;
    case 's':
    case 'S':
        put_register(out, i->rs1);
        break;
    case 't':
    case 'T':
        put_register(out, i->rs2);
        break;
    case 'R':
        put_register(out, i->rs3);
        break;
    case 'j':
    case 'o':
    case 'q':
    case 'h':
        buf_printf(out, "%d", (int32_t)i->imm);
        break;
    case 'u':
        buf_printf(out, "0x%x", i->imm >> 12);
        break;
    case 'a':
    case 'b':
        buf_printf(out, "0x%x", (uint32_t)i->inst.pc + i->imm);
        break;
    case 'e':
        buf_printf(out, "0x%x", i->imm);
        break;
    case 'z':
        buf_printf(out, "%u", take_bits(i->word, 15, 5));
        break;
    case 'r':
        buf_puts(out, modes[i->rm]);
        break;
    case 'f':
        buf_printf(out, "%u,%u", take_bits(i->word, 24, 4), take_bits(i->word, 20, 4));
        break;
    case 'n':
    case 'm':
        buf_puts(out, i->negates ? ",n" : "");
        break;
    default:
        buf_putc(out, letter);
    }
}

void riscv_text(const struct riscv_inst *i, struct buf *out)
{
    const struct row *row = &rows[i->inst.op];

    buf_printf(out, "%s%s", row->name, *row->operands ? " " : "");
    for (const char *letter = row->operands; *letter; letter++)
        put_operand(i, *letter, out);
}

void riscv_disasm(uint32_t word, uint32_t pc, struct buf *out)
{
    struct riscv_inst i;

    if (riscv_decode(&i, word, pc))
        riscv_text(&i, out);
    else
        buf_printf(out, ".word 0x%08x", word);
}
