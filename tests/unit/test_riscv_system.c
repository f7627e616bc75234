/* test_riscv_system.c - CSRs, counters, the ends of programs, traps. */
#include "riscv_rig.h"

static uint32_t csr_word(unsigned op, unsigned csr, unsigned rs1)
{
    return rig_match[op] | A0 << 7 | rs1 << 15 | csr << 20;
}

static void csrs_that_tell(void **state)
{
    static const struct {
        uint16_t csr;
        uint32_t lane1, lane3;
    } rows[] = {
        { 0xcc0, 1, 3 },
        { 0xcc1, 2, 2 },
        { 0xcc2, 1, 1 },
        { 0xcc3, 4, 4 },
        { 0xcc4, 10, 10 },
        { 0xfc0, 4, 4 },
        { 0xfc1, 4, 4 },
        { 0xfc2, 2, 2 },
        { 0xfc3, RISCV_LOCAL, RISCV_LOCAL },
        { 0xf14, 25, 27 }, /* 1 << 4 | 2 << 2 | lane */
        { 0x340, 0x1234, 0x1234 },
        { 0x180, 0, 0 },
        { 0x301, 0, 0 },
        { 0xf11, 0, 0 },
    };
    struct rig *r = rig_of(state);
    struct riscv_core *c = r->core[1];
    struct riscv_warp *w = &c->warp[2];

    c->active = 4;
    w->mask = 0xa;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        w->r[A0][1] = w->r[A0][3] = 0xdead;
        assert_int_equal(rig_try_at(r, 1, 2, csr_word(RISCV_csrrs, rows[n].csr, 0)),
                         STREAM_INST);
        assert_int_equal(w->r[A0][1], rows[n].lane1);
        assert_int_equal(w->r[A0][3], rows[n].lane3);
    }
    assert_int_equal(rig_try_at(r, 1, 2, csr_word(RISCV_csrrs, 0x8ff, 0)),
                     STREAM_ERROR);
    assert_int_equal(r->err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(r->err.text, "0x8ff"));
}

/* Bits for cores, warps and lanes, as many as each needs. */
static void harts(void **state)
{
    static const struct {
        uint32_t n_warps, n_threads, hart; /* of core 1, the last warp and lane */
    } rows[] = {
        { 2, 8, 31 }, { 3, 2, 8 | 2 << 1 | 1 }, { 1, 1, 1 }, { 32, 32, 2047 }
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        unsigned warp = rows[n].n_warps - 1, lane = rows[n].n_threads - 1;
        struct riscv_warp *w;
        struct rig r;

        rig_start(&r, rows[n].n_warps, rows[n].n_threads, 0);
        w = &r.core[1]->warp[warp];
        r.core[1]->active = 1u << warp;
        w->mask = 1u << lane;
        assert_int_equal(rig_try_at(&r, 1, warp, csr_word(RISCV_csrrs, 0xf14, 0)),
                         STREAM_INST);
        assert_int_equal(w->r[A0][lane], rows[n].hart);
        rig_end(&r);
    }
}

/* What is written is lane 0's, though it is off. */
static void csrs_that_are_written(void **state)
{
    static const struct {
        uint16_t op, csr;
        uint8_t rs1; /* a register or the field */
        uint32_t operand, old, new;
    } rows[] = {
        { RISCV_csrrw, 0x340, A1, 0x55, 0x1234, 0x55 },
        { RISCV_csrrs, 0x340, A1, 0x0f, 0x55, 0x5f },
        { RISCV_csrrc, 0x340, A1, 0x03, 0x5f, 0x5c },
        { RISCV_csrrs, 0x340, 0, 0, 0x5c, 0x5c },
        { RISCV_csrrwi, 0x340, 21, 0, 0x5c, 21 },
        { RISCV_csrrsi, 0x340, 10, 0, 21, 31 },
        { RISCV_csrrci, 0x340, 5, 0, 31, 26 },
        { RISCV_csrrw, 0x003, A1, 0xffff, 0, 0xff },
        { RISCV_csrrwi, 0x001, 3, 0, 0x1f, 3 },
        { RISCV_csrrw, 0x002, A1, 0xf9, 7, 1 },
        { RISCV_csrrw, 0x002, A1, 0xfc, 1, 4 },
        { RISCV_csrrs, 0x003, 0, 0, 0x83, 0x83 },
        { RISCV_csrrw, 0x305, A1, 0x100, 0, 0 }, /* accepted, reads zero */
        { RISCV_csrrw, 0x3a0, A1, 0x1f, 0, 0 },
    };
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        w->r[A1][0] = rows[n].operand;
        w->r[A1][3] = 0x777;
        rig_do(r, csr_word(rows[n].op, rows[n].csr, rows[n].rs1));
        assert_int_equal(w->r[A0][1], rows[n].old);
        rig_do(r, csr_word(RISCV_csrrs, rows[n].csr, 0));
        assert_int_equal(w->r[A0][3], rows[n].new);
    }
}

static uint64_t clock_of(void *from, unsigned core, unsigned csr)
{
    (void)from;
    return (uint64_t)csr << 32 | (core + 7);
}

static void counters(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_warp *w = rig_warp(r);

    rig_do(r, csr_word(RISCV_csrrs, 0xb00, 0)); /* itself: one of two lanes */
    assert_int_equal(w->r[A0][1], 1);
    rig_do(r, csr_word(RISCV_csrrs, 0xb02, 0));
    assert_int_equal(w->r[A0][1], 4);
    rig_do(r, csr_word(RISCV_csrrs, 0xb80, 0));
    assert_int_equal(w->r[A0][1], 0);
    r->core[0]->launched->launch.counter = clock_of;
    rig_do(r, csr_word(RISCV_csrrs, 0xb00, 0));
    assert_int_equal(w->r[A0][1], 7);
    rig_do(r, csr_word(RISCV_csrrs, 0xb85, 0));
    assert_int_equal(w->r[A0][1], 0xb05);
    rig_do(r, csr_word(RISCV_csrrs, 0xc82, 0)); /* instreth, of users */
    assert_int_equal(w->r[A0][1], 0xb02);
}

static void calls_that_end(void **state)
{
    static const struct {
        uint16_t op;
        uint32_t gp, a0, a7;
        int32_t status;
        bool is_test;
        const char *verdict;
    } rows[] = {
        { RISCV_ecall, 1, 55, 0, 0, true, "" },
        { RISCV_ecall, 7, 55, 0, 7, true, "rig: test 3 failed" },
        { RISCV_ecall, 4, 55, 0, 4, false, "rig: ended with status 4" },
        { RISCV_ebreak, 1, 0, 0, 0, true, "" },
        { RISCV_ecall, 1, 0, 93, 0, true, "" },
        { RISCV_ecall, 11, 11, 93, 11, true, "rig: test 5 failed" },
        { RISCV_ecall, 1, 337, 93, 337, false, "rig: ended with status 337" },
        { RISCV_ecall, 0x80001801, 0, 93, 0, false, "" }, /* gp is something else */
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct riscv_result result;
        struct rig r;

        rig_start(&r, 4, 4, 0);
        rig_warp(&r)->r[3][0] = rows[n].gp;
        rig_warp(&r)->r[10][0] = rows[n].a0;
        rig_warp(&r)->r[17][0] = rows[n].a7;
        rig_do(&r, rig_match[rows[n].op]);
        assert_int_equal(r.dyn.next_pc, 0);
        assert_int_equal(rig_next(&r, 0, 0), STREAM_END);
        assert_int_equal(rig_next(&r, 1, 0), STREAM_END);
        riscv_kernel_result(r.kernel, &result);
        assert_int_equal(result.status, rows[n].status);
        assert_int_equal(result.is_test, rows[n].is_test);
        assert_int_equal(result.warp_insts, 1);
        assert_int_equal(riscv_verdict(&result, "rig", &r.err),
                         *rows[n].verdict ? -1 : 0);
        assert_string_equal(r.err.text, rows[n].verdict);
        rig_end(&r);
    }
}

/* A warp that jumps to itself is given up when no other could end the program. */
static void warps_that_spin(void **state)
{
    struct rig *r = rig_of(state);
    struct riscv_core *c = r->core[0];

    c->active = 7;
    c->waiting = 4; /* for somebody who will not come */
    for (unsigned k = 1; k < 3; k++)
        c->warp[k].mask = 1;
    rig_do(r, rig_match[RISCV_jal]);
    c->warp[1].r[A0][0] = r->next_pc;
    assert_int_equal(rig_try_at(r, 0, 1, rig_r(RISCV_jalr, A0, A0, 0)), STREAM_INST);
    assert_int_equal(c->warp[1].pc, r->next_pc - 4); /* but rd leads on from here */
    assert_int_equal(rig_try_at(r, 1, 0, rig_match[RISCV_bge]), STREAM_INST);
    assert_int_equal(rig_try_at(r, 0, 1, rig_match[RISCV_beq]), STREAM_ERROR);
    assert_int_equal(r->err.code, ERR_DEADLOCK);
    assert_non_null(
        strstr(r->err.text, "core 0, warp 1: jumps to itself at 0x8000000c"));
}

/* Traps that a test did not expect, and what it asks of a host. */
static void reports_to_the_host(void **state)
{
    const uint32_t tohost = 0x90001000;
    struct riscv_result result;
    struct rig r;

    (void)state;
    rig_start(&r, 4, 4, tohost);
    rig_warp(&r)->r[A1][0] = tohost;
    rig_do(&r, rig_s(RISCV_sw, 0, A1, 0)); /* zero is nothing */
    rig_do(&r, rig_s(RISCV_sw, A1, A1, 4));
    rig_warp(&r)->r[A2][0] = 0x90002000;
    assert_int_equal(rig_try_at(&r, 0, 0, rig_s(RISCV_sw, A2, A1, 0)), STREAM_ERROR);
    assert_int_equal(r.err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(r.err.text, "0x90002000 at tohost"));
    rig_do(&r, csr_word(RISCV_csrrw, 0x305, A1));
    rig_store(&r, tohost, rig_match[RISCV_wfi]);
    assert_int_equal(rig_try_at(&r, 0, 0, 0x00b55553), STREAM_INST); /* rounding: 5 */
    assert_int_equal(rig_warp(&r)->pc, tohost);
    rig_warp(&r)->r[A2][0] = 1337;
    rig_do(&r, rig_s(RISCV_sw, A2, A1, 0));
    riscv_kernel_result(r.kernel, &result);
    assert_int_equal(riscv_verdict(&result, "rig", &r.err), -1);
    assert_int_equal(r.err.code, ERR_WRONG);
    assert_non_null(strstr(r.err.text, "mcause 2 at 0x80000010"));
    rig_end(&r);
}

/* Without traps, returns from them go on and waits do not. */
static void instructions_without_effect(void **state)
{
    static const uint16_t ops[] = { RISCV_mret, RISCV_sret, RISCV_wfi };
    struct rig *r = rig_of(state);

    for (unsigned n = 0; n < 3; n++) {
        uint32_t pc = rig_do(r, rig_match[ops[n]]);

        assert_int_equal(rig_warp(r)->pc, pc + 4);
    }
}

static void words_that_are_none(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(rig_try_at(r, 0, 0, 0x0000002b), STREAM_ERROR);
    assert_int_equal(r->err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(r->err.text, "0x0000002b at 0x80000000"));
    rig_warp(r)->pc = 0x80000002;
    assert_int_equal(rig_next(r, 0, 0), STREAM_ERROR);
    assert_int_equal(r->err.code, ERR_MISALIGNED);
}

/* A program with a tohost: traps lead to mtvec, mret back, a store ends it. */
static void traps(void **state)
{
    const uint32_t tohost = 0x90001000, handler = 0x80000800;
    struct riscv_result result;
    struct riscv_warp *w;
    struct rig r;
    uint32_t pc;

    (void)state;
    rig_start(&r, 4, 4, tohost);
    w = rig_warp(&r);
    w->r[A1][0] = handler;
    rig_do(&r, csr_word(RISCV_csrrw, 0x305, A1));
    rig_do(&r, csr_word(RISCV_csrrwi, 0x300, 0)); /* back to user mode */
    w->r[A1][0] = 0x80000400;
    rig_do(&r, csr_word(RISCV_csrrw, 0x341, A1));
    rig_do(&r, rig_match[RISCV_mret]);
    assert_int_equal(w->pc, 0x80000400);
    pc = rig_do(&r, rig_match[RISCV_ecall]);
    assert_int_equal(w->pc, handler);
    rig_do(&r, csr_word(RISCV_csrrs, 0x342, 0));
    assert_int_equal(w->r[A0][0], 8); /* from user mode */
    rig_do(&r, csr_word(RISCV_csrrs, 0x341, 0));
    assert_int_equal(w->r[A0][0], pc);
    rig_do(&r, rig_match[RISCV_ecall]);
    rig_do(&r, csr_word(RISCV_csrrs, 0x342, 0));
    assert_int_equal(w->r[A0][0], 11); /* from machine mode */
    rig_store(&r, handler, csr_word(RISCV_csrrs, 0x343, 0));
    assert_int_equal(rig_try_at(&r, 0, 0, 0x0000002b), STREAM_INST); /* the handler's */
    assert_int_equal(r.dyn.inst->pc, handler);
    assert_int_equal(w->r[A0][0], 0x0000002b);
    rig_do(&r, csr_word(RISCV_csrrs, 0x301, 0));
    assert_int_equal(w->r[A0][0], 0x40001121);
    w->r[A1][0] = tohost;
    w->r[A2][0] = 5 << 1 | 1;
    rig_do(&r, rig_s(RISCV_sw, A2, A1, 0));
    assert_int_equal(rig_next(&r, 0, 0), STREAM_END);
    riscv_kernel_result(r.kernel, &result);
    assert_int_equal(result.status, 5);
    rig_end(&r);
}

static void all_were_executed(void **state)
{
    (void)state;
    rig_check_executed(RISCV_ecall, RISCV_csrrci);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(csrs_that_tell),
        TEST(counters),
        TEST(csrs_that_are_written),
        TEST(words_that_are_none),
        TEST(instructions_without_effect),
        TEST(warps_that_spin),
        cmocka_unit_test(reports_to_the_host),
        cmocka_unit_test(harts),
        cmocka_unit_test(calls_that_end),
        cmocka_unit_test(traps),
        cmocka_unit_test(all_were_executed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
