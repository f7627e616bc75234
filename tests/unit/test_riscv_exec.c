/* test_riscv_exec.c - every instruction of RV32IMAF, Zicsr and Zicond against values
 * worked out by hand, in a warp some of whose lanes are off. */
#include "frontend/riscv/single.h"
#include "riscv_rig.h"

/* Lane 1 has the operands, lane 3 others; lanes that are off keep what they had. */
static void set_operands(struct riscv_warp *w, unsigned base, uint32_t a, uint32_t b,
                         uint32_t c)
{
    for (unsigned l = 0; l < 4; l++) {
        w->r[base + A0][l] = 0xdead0000u + l;
        w->r[base + A1][l] = l == 1 ? a : 5;
        w->r[base + A2][l] = l == 1 ? b : 7;
        w->r[base + A3][l] = l == 1 ? c : 9;
    }
}

static void check_result(const struct riscv_warp *w, unsigned row, const char *name,
                         uint32_t expected)
{
    if (w->r[row][1] != expected)
        fail_msg("%s: 0x%08x, expected 0x%08x", name, w->r[row][1], expected);
    assert_int_equal(w->r[row][0], 0xdead0000u);
    assert_int_equal(w->r[row][2], 0xdead0002u);
}

struct binary {
    uint16_t op;
    uint32_t a, b, result;
};

static const struct binary binaries[] = {
    { RISCV_add, 0x7fffffff, 1, 0x80000000 },
    { RISCV_add, 0xffffffff, 2, 1 },
    { RISCV_sub, 0, 1, 0xffffffff },
    { RISCV_sub, 0x80000000, 1, 0x7fffffff },
    { RISCV_sll, 1, 31, 0x80000000 },
    { RISCV_sll, 3, 33, 6 },
    { RISCV_slt, 0xffffffff, 0, 1 },
    { RISCV_slt, 0, 0x80000000, 0 },
    { RISCV_slt, 4, 4, 0 },
    { RISCV_sltu, 0xffffffff, 0, 0 },
    { RISCV_sltu, 0, 0x80000000, 1 },
    { RISCV_xor, 0xff00ff00, 0x0f0f0f0f, 0xf00ff00f },
    { RISCV_srl, 0x80000000, 31, 1 },
    { RISCV_srl, 0x80000000, 36, 0x08000000 },
    { RISCV_sra, 0x80000000, 31, 0xffffffff },
    { RISCV_sra, 0x80000000, 36, 0xf8000000 },
    { RISCV_sra, 0x40000000, 4, 0x04000000 },
    { RISCV_or, 0xff00ff00, 0x0f0f0f0f, 0xff0fff0f },
    { RISCV_and, 0xff00ff00, 0x0f0f0f0f, 0x0f000f00 },
    { RISCV_mul, 0x10001, 0x10001, 0x00020001 },
    { RISCV_mul, 0xffffffff, 0xffffffff, 1 },
    { RISCV_mulh, 0xffffffff, 0xffffffff, 0 },
    { RISCV_mulh, 0x80000000, 0x80000000, 0x40000000 },
    { RISCV_mulh, 0x80000000, 1, 0xffffffff },
    { RISCV_mulhsu, 0xffffffff, 0xffffffff, 0xffffffff },
    { RISCV_mulhsu, 2, 0x80000000, 1 },
    { RISCV_mulhu, 0xffffffff, 0xffffffff, 0xfffffffe },
    { RISCV_mulhu, 0x80000000, 2, 1 },
    { RISCV_div, 20, 0xfffffffa, 0xfffffffd },
    { RISCV_div, 0xffffffec, 6, 0xfffffffd },
    { RISCV_div, 7, 0, 0xffffffff },
    { RISCV_div, 0x80000000, 0xffffffff, 0x80000000 },
    { RISCV_divu, 0xffffffec, 6, 0x2aaaaaa7 },
    { RISCV_divu, 7, 0, 0xffffffff },
    { RISCV_rem, 20, 0xfffffffa, 2 },
    { RISCV_rem, 0xffffffec, 6, 0xfffffffe },
    { RISCV_rem, 0xfffffff9, 0, 0xfffffff9 },
    { RISCV_rem, 0x80000000, 0xffffffff, 0 },
    { RISCV_remu, 0xffffffec, 6, 2 },
    { RISCV_remu, 7, 0, 7 },
    { RISCV_czero_eqz, 5, 0, 0 },
    { RISCV_czero_eqz, 5, 0x100, 5 },
    { RISCV_czero_nez, 5, 0, 5 },
    { RISCV_czero_nez, 5, 0x100, 0 },
};

static void two_registers(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    for (unsigned n = 0; n < sizeof binaries / sizeof *binaries; n++) {
        const struct binary *b = &binaries[n];

        set_operands(w, 0, b->a, b->b, 0);
        rig_do(r, rig_r(b->op, A0, A1, A2));
        check_result(w, A0, riscv_op_name(b->op), b->result);
        set_operands(w, 0, b->a, b->b, 0); /* the result over an operand */
        rig_do(r, rig_r(b->op, A2, A1, A2));
        assert_int_equal(w->r[A2][1], b->result);
        rig_do(r, rig_r(b->op, 0, A1, A2));
        assert_int_equal(w->r[0][1], 0);
    }
}

struct immediate {
    uint16_t op;
    uint32_t a;
    int imm;
    uint32_t result;
};

static const struct immediate immediates[] = {
    { RISCV_addi, 5, -6, 0xffffffff },
    { RISCV_addi, 0x7fffffff, 2047, 0x800007fe },
    { RISCV_slti, 0xffffffff, 0, 1 },
    { RISCV_slti, 5, -1, 0 },
    { RISCV_sltiu, 5, -1, 1 },
    { RISCV_sltiu, 0xffffffff, -1, 0 },
    { RISCV_xori, 0x00ff00ff, -1, 0xff00ff00 },
    { RISCV_ori, 0x00ff0000, 0x70f, 0x00ff070f },
    { RISCV_ori, 1, -2048, 0xfffff801 },
    { RISCV_andi, 0xffffffff, 0x70f, 0x0000070f },
    { RISCV_slli, 1, 31, 0x80000000 },
    { RISCV_srli, 0x80000000, 31, 1 },
    { RISCV_srai, 0x80000000, 31, 0xffffffff },
};

static void immediates_(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);
    uint32_t pc;

    for (unsigned n = 0; n < sizeof immediates / sizeof *immediates; n++) {
        const struct immediate *i = &immediates[n];

        set_operands(w, 0, i->a, 0, 0);
        rig_do(r, rig_i(i->op, A0, A1, i->imm));
        check_result(w, A0, riscv_op_name(i->op), i->result);
    }
    set_operands(w, 0, 0, 0, 0);
    rig_do(r, rig_match[RISCV_lui] | A0 << 7 | 0xabcde000u);
    check_result(w, A0, "lui", 0xabcde000);
    set_operands(w, 0, 0, 0, 0);
    pc = rig_do(r, rig_match[RISCV_auipc] | A0 << 7 | 0xabcde000u);
    check_result(w, A0, "auipc", pc + 0xabcde000u);
}

/* The reference lane is the highest that is on: lane 3, whatever lane 1 thinks. */
static void branches(void **state)
{
    static const struct {
        uint16_t op;
        uint32_t a, b;
        bool is_taken;
    } rows[] = {
        { RISCV_beq, 4, 4, true },
        { RISCV_beq, 4, 5, false },
        { RISCV_bne, 4, 4, false },
        { RISCV_bne, 4, 5, true },
        { RISCV_blt, 0xffffffff, 0, true },
        { RISCV_blt, 0, 0xffffffff, false },
        { RISCV_blt, 3, 3, false },
        { RISCV_bge, 3, 3, true },
        { RISCV_bge, 0xffffffff, 0, false },
        { RISCV_bge, 0, 0xffffffff, true },
        { RISCV_bltu, 0xffffffff, 0, false },
        { RISCV_bltu, 0, 0xffffffff, true },
        { RISCV_bgeu, 0xffffffff, 0, true },
        { RISCV_bgeu, 0, 0xffffffff, false },
        { RISCV_bgeu, 9, 9, true },
    };
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t pc, target;

        for (unsigned l = 0; l < 4; l++) {
            w->r[A1][l] = l == 3 ? rows[n].a : rows[n].b + (l & 1);
            w->r[A2][l] = l == 3 ? rows[n].b : rows[n].a;
        }
        pc = rig_do(r, rig_s(rows[n].op, A2, A1, -32 | 1)); /* bit 11 of the offset */
        target = rows[n].is_taken ? pc - 32 : pc + 4;
        assert_int_equal(w->pc, target);
        assert_int_equal(r->dyn.next_pc, target);
        assert_int_equal(r->dyn.mask, 0xa);
    }
}

static void jumps(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);
    uint32_t pc;

    set_operands(w, 0, 0, 0, 0);
    pc = rig_do(r, rig_match[RISCV_jal] | A0 << 7 | 0x01000000u); /* pc + 16 */
    assert_int_equal(w->pc, pc + 16);
    check_result(w, A0, "jal", pc + 4);
    set_operands(w, 0, 0x1000, 0, 0);
    w->r[A1][3] = 0x2001;
    pc = rig_do(r, rig_i(RISCV_jalr, A1, A1, -4));
    assert_int_equal(w->pc, 0x1ffc);
    assert_int_equal(w->r[A1][1], pc + 4);
    assert_int_equal(w->r[A1][3], pc + 4);
    assert_int_equal(w->r[A1][2], 5);
}

static void loads_and_stores(void **state)
{
    static const struct {
        uint16_t op;
        int offset;
        uint32_t value;
    } loads[] = {
        { RISCV_lb, 0, 0x00000001 },  { RISCV_lb, 3, 0xffffff84 },
        { RISCV_lbu, 3, 0x00000084 }, { RISCV_lh, 0, 0xffff8201 },
        { RISCV_lhu, 0, 0x00008201 }, { RISCV_lh, 1, 0x00000382 },
        { RISCV_lw, 0, 0x84038201 },  { RISCV_lw, 2, 0x66558403 },
        { RISCV_lw, -4, 0x44332211 },
    };
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    rig_store(r, RIG_DATA - 4, 0x44332211);
    rig_store(r, RIG_DATA, 0x84038201);
    rig_store(r, RIG_DATA + 4, 0x88776655);
    for (unsigned n = 0; n < sizeof loads / sizeof *loads; n++) {
        set_operands(w, 0, RIG_DATA, 0, 0);
        w->r[A1][3] = RIG_DATA + 64;
        rig_do(r, rig_i(loads[n].op, A0, A1, loads[n].offset));
        check_result(w, A0, riscv_op_name(loads[n].op), loads[n].value);
        assert_int_equal(w->r[A0][3], 0);
        assert_int_equal(addresses_at(&r->dyn.addr, 1),
                         RIG_DATA + (uint32_t)loads[n].offset);
        assert_int_equal(addresses_at(&r->dyn.addr, 3),
                         RIG_DATA + 64 + (uint32_t)loads[n].offset);
        assert_int_equal(r->dyn.space, SPACE_GLOBAL);
    }
    set_operands(w, 0, RIG_DATA, 0xaabbccdd, 0);
    w->r[A1][0] = w->r[A1][2] = RIG_DATA + 128;
    w->r[A1][3] = RIG_DATA + 64;
    rig_do(r, rig_s(RISCV_sb, A2, A1, 1));
    assert_int_equal(rig_load(r, RIG_DATA), 0x8403dd01);
    rig_do(r, rig_s(RISCV_sh, A2, A1, 2));
    assert_int_equal(rig_load(r, RIG_DATA), 0xccdddd01);
    rig_do(r, rig_s(RISCV_sw, A2, A1, -4));
    assert_int_equal(rig_load(r, RIG_DATA - 4), 0xaabbccdd);
    assert_int_equal(rig_load(r, RIG_DATA + 60), 7);
    assert_int_equal(rig_load(r, RIG_DATA + 128), 0);
    assert_int_equal(rig_load(r, RIG_DATA + 124), 0);
}

/* Of two lanes that store to one place the higher one's value stays. */
static void lanes_store_in_order(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    set_operands(w, 0, RIG_DATA, 11, 0);
    w->r[A1][3] = RIG_DATA;
    rig_do(r, rig_s(RISCV_sw, A2, A1, 0));
    assert_int_equal(rig_load(r, RIG_DATA), 7);
}

static void local_memory_is_the_cores(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r), *other = &r->core[1]->warp[0];

    set_operands(w, 0, RISCV_LOCAL, 0x11, 0);
    w->r[A1][3] = RISCV_LOCAL + RISCV_LOCAL_BYTES - 4;
    rig_do(r, rig_s(RISCV_sw, A2, A1, 0));
    assert_int_equal(r->dyn.space, SPACE_SHARED);
    assert_int_equal(rig_load(r, RISCV_LOCAL), 0);
    other->r[A1][0] = RISCV_LOCAL;
    other->r[A0][0] = 1;
    assert_int_equal(rig_try_at(r, 1, 0, rig_i(RISCV_lw, A0, A1, 0)), STREAM_INST);
    assert_int_equal(other->r[A0][0], 0);
    rig_do(r, rig_i(RISCV_lw, A0, A1, 0));
    assert_int_equal(w->r[A0][1], 0x11);
    assert_int_equal(w->r[A0][3], 7);
    w->r[A1][3] = RISCV_LOCAL + RISCV_LOCAL_BYTES; /* one past the end: not local */
    rig_do(r, rig_s(RISCV_sw, A2, A1, 0));
    assert_int_equal(r->dyn.space, SPACE_GLOBAL);
    assert_int_equal(rig_load(r, RISCV_LOCAL + RISCV_LOCAL_BYTES), 7);
    assert_int_equal(riscv_place(RISCV_LOCAL, RISCV_LOCAL_BYTES), PLACE_LOCAL);
    assert_int_equal(riscv_place(RISCV_LOCAL - 1, RISCV_LOCAL_BYTES), PLACE_MEMORY);
    assert_int_equal(riscv_place(0x3f, RISCV_LOCAL_BYTES), PLACE_MEMORY);
    assert_int_equal(riscv_place(0x40, RISCV_LOCAL_BYTES), PLACE_IO);
    assert_int_equal(riscv_place(0xffff, RISCV_LOCAL_BYTES), PLACE_IO);
    assert_int_equal(riscv_place(0x10000, RISCV_LOCAL_BYTES), PLACE_MEMORY);
}

static void console(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);
    struct riscv_result result;

    set_operands(w, 0, RISCV_CONSOLE, 'h', 0);
    w->r[A1][3] = RISCV_CONSOLE + 3;
    w->r[A2][3] = 'x';
    rig_do(r, rig_s(RISCV_sb, A2, A1, 0));
    w->r[A2][1] = 'i';
    rig_do(r, rig_s(RISCV_sb, A2, A1, 0));
    assert_int_equal(r->n_printed, 0);
    w->r[A2][1] = '\n';
    rig_do(r, rig_s(RISCV_sb, A2, A1, 0));
    assert_string_equal(r->printed, "0:hi\n");
    riscv_kernel_result(r->kernel, &result);
    assert_string_equal(r->printed, "0:hi\n3:xxx");
    w->mask = 2; /* a word is four bytes, each to its own stream */
    w->r[A1][1] = RISCV_CONSOLE + 62;
    w->r[A2][1] = 0x64630a0a;
    rig_do(r, rig_s(RISCV_sw, A2, A1, 0));
    assert_string_equal(r->printed, "0:hi\n3:xxx62:\n63:\n");
    w->r[A1][1] = RISCV_CONSOLE;
    w->r[A2][1] = 0x0a0a410a;
    rig_do(r, rig_s(RISCV_sw, A2, A1, 0));
    assert_string_equal(r->printed, "0:hi\n3:xxx62:\n63:\n0:\n2:\n3:\n");
}

static void atomics(void **state)
{
    static const struct binary rows[] = {
        /* what is there, the operand, what is left */
        { RISCV_amoswap_w, 5, 9, 9 },
        { RISCV_amoadd_w, 0xffffffff, 3, 2 },
        { RISCV_amoxor_w, 0xff, 0x0f, 0xf0 },
        { RISCV_amoand_w, 0xff, 0x0f, 0x0f },
        { RISCV_amoor_w, 0xf0, 0x0f, 0xff },
        { RISCV_amomin_w, 0xffffffff, 1, 0xffffffff },
        { RISCV_amomin_w, 4, 3, 3 },
        { RISCV_amomax_w, 0xffffffff, 1, 1 },
        { RISCV_amominu_w, 0xffffffff, 1, 1 },
        { RISCV_amomaxu_w, 0xffffffff, 1, 0xffffffff },
        { RISCV_amomaxu_w, 1, 2, 2 },
    };
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        rig_store(r, RIG_DATA, rows[n].a);
        rig_store(r, RIG_DATA + 8, 100);
        set_operands(w, 0, RIG_DATA, rows[n].b, 0);
        w->r[A1][3] = RIG_DATA + 8;
        rig_do(r, rig_r(rows[n].op, A0, A1, A2));
        check_result(w, A0, riscv_op_name(rows[n].op), rows[n].a);
        assert_int_equal(w->r[A0][3], 100);
        assert_int_equal(rig_load(r, RIG_DATA), rows[n].result);
    }
    set_operands(w, 0, RIG_DATA, 1, 0); /* lanes at one address: one after another */
    w->r[A1][3] = RIG_DATA;
    rig_store(r, RIG_DATA, 10);
    rig_do(r, rig_r(RISCV_amoadd_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 10);
    assert_int_equal(w->r[A0][3], 11);
    assert_int_equal(rig_load(r, RIG_DATA), 18);
    w->r[A1][3] = RIG_DATA + 2;
    assert_int_equal(rig_try_at(r, 0, 0, rig_r(RISCV_amoadd_w, A0, A1, A2)),
                     STREAM_ERROR);
    assert_int_equal(r->err.code, ERR_MISALIGNED);
}

static void reservations(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r), *other = &r->core[1]->warp[0];

    w->mask = 2;
    set_operands(w, 0, RIG_DATA, 77, 0);
    rig_store(r, RIG_DATA, 5);
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2)); /* without a reservation */
    check_result(w, A0, "sc.w", 1);
    assert_int_equal(rig_load(r, RIG_DATA), 5);
    rig_do(r, rig_r(RISCV_lr_w, A0, A1, 0));
    assert_int_equal(w->r[A0][1], 5);
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 0);
    assert_int_equal(rig_load(r, RIG_DATA), 77);
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2)); /* it is used up */
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, rig_r(RISCV_lr_w, A0, A1, 0)); /* by one that fails elsewhere, too */
    w->r[A1][1] = RIG_DATA + 4;
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 1);
    w->r[A1][1] = RIG_DATA;
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, rig_r(RISCV_lr_w, A0, A1, 0)); /* another core's store ends it */
    other->r[A1][0] = RIG_DATA + 1;
    assert_int_equal(rig_try_at(r, 1, 0, rig_s(RISCV_sb, 0, A1, 0)), STREAM_INST);
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, rig_r(RISCV_lr_w, A0, A1, 0)); /* one that reaches into it, too */
    other->r[A1][0] = RIG_DATA - 2;
    assert_int_equal(rig_try_at(r, 1, 0, rig_s(RISCV_sw, 0, A1, 0)), STREAM_INST);
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, rig_r(RISCV_lr_w, A0, A1, 0)); /* one elsewhere does not */
    other->r[A1][0] = RIG_DATA + 4;
    assert_int_equal(rig_try_at(r, 1, 0, rig_s(RISCV_sw, 0, A1, 0)), STREAM_INST);
    rig_do(r, rig_r(RISCV_sc_w, A0, A1, A2));
    assert_int_equal(w->r[A0][1], 0);
}

/* Old code stays until fence.i. */
static void code_that_changes(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);
    uint32_t pc = rig_do(r, rig_i(RISCV_addi, A0, 0, 1));

    rig_store(r, pc, rig_i(RISCV_addi, A0, 0, 2));
    w->pc = pc;
    assert_int_equal(rig_next(r, 0, 0), STREAM_INST);
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, rig_match[RISCV_fence]);
    w->pc = pc;
    assert_int_equal(rig_next(r, 0, 0), STREAM_INST);
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, rig_match[RISCV_fence_i]);
    w->pc = pc;
    assert_int_equal(rig_next(r, 0, 0), STREAM_INST);
    assert_int_equal(w->r[A0][1], 2);
}

struct rounded {
    uint16_t op;
    uint32_t a, b, c, result;
    uint8_t rm, flags;
};

#define ONE   0x3f800000u
#define TWO   0x40000000u
#define THREE 0x40400000u
#define FIVE  0x40a00000u
#define MINUS 0x80000000u
static const struct rounded floats[] = {
    { RISCV_fadd_s, ONE, TWO, 0, THREE, 0, 0 },
    { RISCV_fadd_s, ONE, 0x33800000, 0, ONE, RM_RNE, FP_NX }, /* 1 + 2^-24: a tie */
    { RISCV_fadd_s, ONE, 0x33800000, 0, 0x3f800001, RM_RUP, FP_NX },
    { RISCV_fadd_s, ONE, 0x33800000, 0, 0x3f800001, RM_RMM, FP_NX },
    { RISCV_fadd_s, ONE, MINUS | ONE, 0, 0, RM_RNE, 0 },
    { RISCV_fadd_s, ONE, MINUS | ONE, 0, MINUS, RM_RDN, 0 },
    { RISCV_fsub_s, THREE, ONE, 0, TWO, 0, 0 },
    { RISCV_fsub_s, 0x7f800000, 0x7f800000, 0, 0x7fc00000, 0, FP_NV },
    { RISCV_fmul_s, TWO, THREE, 0, 0x40c00000, 0, 0 },
    { RISCV_fmul_s, 0x7f7fffff, TWO, 0, 0x7f7fffff, RM_RTZ, FP_OF | FP_NX },
    { RISCV_fmul_s, 0x7f7fffff, TWO, 0, 0x7f800000, RM_RNE, FP_OF | FP_NX },
    { RISCV_fmul_s, 0x00800000, 0x00800000, 0, 0, RM_RNE, FP_UF | FP_NX },
    { RISCV_fmul_s, 0x00800000, 0x00800000, 0, 1, RM_RUP, FP_UF | FP_NX },
    { RISCV_fdiv_s, ONE, THREE, 0, 0x3eaaaaab, RM_RNE, FP_NX },
    { RISCV_fdiv_s, ONE, THREE, 0, 0x3eaaaaaa, RM_RTZ, FP_NX },
    { RISCV_fdiv_s, ONE, 0, 0, 0x7f800000, 0, FP_DZ },
    { RISCV_fdiv_s, 0, 0, 0, 0x7fc00000, 0, FP_NV },
    { RISCV_fsqrt_s, TWO, 0, 0, 0x3fb504f3, RM_RNE, FP_NX },
    { RISCV_fsqrt_s, TWO, 0, 0, 0x3fb504f4, RM_RUP, FP_NX },
    { RISCV_fsqrt_s, MINUS, 0, 0, MINUS, 0, 0 },
    { RISCV_fsqrt_s, MINUS | ONE, 0, 0, 0x7fc00000, 0, FP_NV },
    { RISCV_fmadd_s, TWO, THREE, MINUS | ONE, FIVE, 0, 0 },
    { RISCV_fmsub_s, TWO, THREE, ONE, FIVE, 0, 0 },
    { RISCV_fnmsub_s, TWO, THREE, ONE, MINUS | FIVE, 0, 0 },
    { RISCV_fnmadd_s, TWO, THREE, MINUS | ONE, MINUS | FIVE, 0, 0 },
    /* (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46, which two roundings would lose */
    { RISCV_fmsub_s, 0x3f800001, 0x3f800001, 0x3f800002, 0x28800000, 0, 0 },
    { RISCV_fsgnj_s, ONE, MINUS | TWO, 0, MINUS | ONE, 0, 0 },
    { RISCV_fsgnjn_s, ONE, MINUS | TWO, 0, ONE, 1, 0 },
    { RISCV_fsgnjx_s, MINUS | ONE, MINUS | TWO, 0, ONE, 2, 0 },
    { RISCV_fmin_s, 0, MINUS, 0, MINUS, 0, 0 },
    { RISCV_fmin_s, 0x7f800001, ONE, 0, ONE, 0, FP_NV },
    { RISCV_fmax_s, MINUS, 0, 0, 0, 1, 0 },
};

/* Rounding mode and functions that have its place share the field. */
static uint32_t float_word(const struct rounded *f)
{
    bool is_fused = f->op >= RISCV_fmadd_s && f->op <= RISCV_fnmadd_s;
    uint32_t word = rig_match[f->op] | A0 << 7 | A1 << 15 | (uint32_t)f->rm << 12;

    if (f->op != RISCV_fsqrt_s)
        word |= A2 << 20;
    return is_fused ? word | (uint32_t)A3 << 27 : word;
}

static void floats_(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    for (unsigned n = 0; n < sizeof floats / sizeof *floats; n++) {
        const struct rounded *f = &floats[n];

        set_operands(w, ROW_F, f->a, f->b, f->c);
        for (unsigned k = 1; k < 4; k++)
            w->r[ROW_F + A0 + k][3] = ONE; /* raises nothing, or inexact as well */
        w->fflags = 0;
        w->mask = 2;
        rig_do(r, float_word(f));
        check_result(w, ROW_F + A0, riscv_op_name(f->op), f->result);
        assert_int_equal(w->fflags, f->flags);
    }
}

/* Results in the other kind of register. */
static void floats_and_integers(void **state)
{
    static const struct rounded rows[] = {
        { RISCV_fcvt_w_s, 0xc0200000, 0, 0, 0xfffffffe, RM_RNE, FP_NX }, /* -2.5 */
        { RISCV_fcvt_w_s, 0xc0200000, 0, 0, 0xfffffffd, RM_RMM, FP_NX },
        { RISCV_fcvt_wu_s, 0xc0200000, 0, 0, 0, RM_RTZ, FP_NV },
        { RISCV_fcvt_wu_s, 0x4f000000, 0, 0, 0x80000000, RM_RTZ, 0 },
        { RISCV_fmv_x_w, 0x7f800001, 0, 0, 0x7f800001, 0, 0 },
        { RISCV_fclass_s, MINUS, 0, 0, 8, 1, 0 },
        { RISCV_fle_s, ONE, ONE, 0, 1, 0, 0 },
        { RISCV_flt_s, ONE, ONE, 0, 0, 1, 0 },
        { RISCV_flt_s, ONE, 0x7fc00000, 0, 0, 1, FP_NV },
        { RISCV_feq_s, 0, MINUS, 0, 1, 2, 0 },
        { RISCV_feq_s, ONE, 0x7fc00000, 0, 0, 2, 0 },
    };
    static const struct rounded back[] = {
        { RISCV_fcvt_s_w, 0xfffffffe, 0, 0, MINUS | TWO, 0, 0 },
        { RISCV_fcvt_s_w, 0x01000001, 0, 0, 0x4b800001, RM_RUP, FP_NX },
        { RISCV_fcvt_s_wu, 0x80000000, 0, 0, 0x4f000000, 0, 0 },
        { RISCV_fcvt_s_wu, 0xffffffff, 0, 0, 0x4f7fffff, RM_RTZ, FP_NX },
        { RISCV_fmv_w_x, 0x7f800001, 0, 0, 0x7f800001, 0, 0 },
    };
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    w->mask = 2;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        bool has_two = rows[n].op >= RISCV_fle_s && rows[n].op <= RISCV_feq_s;

        set_operands(w, 0, 0, 0, 0);
        set_operands(w, ROW_F, rows[n].a, rows[n].b, 0);
        w->fflags = 0;
        rig_do(r, rig_r(rows[n].op, A0, A1, has_two ? A2 : 0) |
                      (has_two || rows[n].op == RISCV_fclass_s ||
                               rows[n].op == RISCV_fmv_x_w
                           ? 0
                           : (uint32_t)rows[n].rm << 12));
        check_result(w, A0, riscv_op_name(rows[n].op), rows[n].result);
        assert_int_equal(w->fflags, rows[n].flags);
    }
    for (unsigned n = 0; n < sizeof back / sizeof *back; n++) {
        set_operands(w, ROW_F, 0, 0, 0);
        set_operands(w, 0, back[n].a, 0, 0);
        w->fflags = 0;
        rig_do(r, rig_r(back[n].op, A0, A1, 0) | (uint32_t)back[n].rm << 12);
        check_result(w, ROW_F + A0, riscv_op_name(back[n].op), back[n].result);
        assert_int_equal(w->fflags, back[n].flags);
    }
}

static void float_memory(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    rig_store(r, RIG_DATA + 4, 0x7f800001);
    set_operands(w, 0, RIG_DATA, 0, 0);
    set_operands(w, ROW_F, 0, 0, 0);
    w->r[A1][3] = RIG_DATA + 64;
    rig_do(r, rig_i(RISCV_flw, A0, A1, 4));
    check_result(w, ROW_F + A0, "flw", 0x7f800001);
    rig_do(r, rig_s(RISCV_fsw, A0, A1, 8));
    assert_int_equal(rig_load(r, RIG_DATA + 8), 0x7f800001);
}

/* The mode of the warp counts where the instruction leaves it open; flags add up. */
static void rounding_of_the_warp(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);
    uint32_t fadd = rig_r(RISCV_fadd_s, A0, A1, A2) | 7 << 12;

    set_operands(w, ROW_F, ONE, 0x33800000, 0);
    w->r[ROW_F + A1][3] = w->r[ROW_F + A2][3] = 0x7f800001;
    w->fflags = FP_DZ;
    w->frm = RM_RUP;
    rig_do(r, fadd);
    assert_int_equal(w->r[ROW_F + A0][1], 0x3f800001);
    assert_int_equal(w->fflags, FP_DZ | FP_NX | FP_NV);
    w->frm = RM_RDN;
    rig_do(r, fadd);
    assert_int_equal(w->r[ROW_F + A0][1], ONE);
    w->frm = 5;
    assert_int_equal(rig_try_at(r, 0, 0, fadd), STREAM_ERROR);
    assert_int_equal(r->err.code, ERR_UNSUPPORTED);
    assert_int_equal(rig_try_at(r, 0, 0, rig_r(RISCV_fadd_s, A0, A1, A2) | 6 << 12),
                     STREAM_ERROR);
}

static void all_were_executed(void **state)
{
    (void)state;
    rig_check_executed(RISCV_lui, RISCV_fence_i);
    rig_check_executed(RISCV_mul, RISCV_fmv_w_x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(two_registers),
        TEST(immediates_),
        TEST(branches),
        TEST(jumps),
        TEST(loads_and_stores),
        TEST(lanes_store_in_order),
        TEST(console),
        TEST(local_memory_is_the_cores),
        TEST(atomics),
        TEST(reservations),
        TEST(code_that_changes),
        TEST(floats_),
        TEST(float_memory),
        TEST(floats_and_integers),
        TEST(rounding_of_the_warp),
        cmocka_unit_test(all_were_executed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
