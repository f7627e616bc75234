/* test_riscv_decode.c - words against what an assembler makes of their text; registers
 * that instructions read and write; words that are none. */
#include "check.h"
#include "frontend/riscv/decode.h"

/* What GNU as 2.40 makes of the text, at 0x80000000; custom instructions by .insn. */
static const struct word {
    uint32_t word;
    const char *text;
} words[] = {
    { 0xfffff537, "lui a0,0xfffff" },
    { 0x00001fb7, "lui t6,0x1" },
    { 0x80000097, "auipc ra,0x80000" },
    { 0x7fe000ef, "jal ra,0x800007fe" },
    { 0x8000006f, "jal zero,0x7ff00000" },
    { 0x7ffff56f, "jal a0,0x800ffffe" },
    { 0x800d80e7, "jalr ra,-2048(s11)" },
    { 0x7ff08067, "jalr zero,2047(ra)" },
    { 0x7ff50fe3, "beq a0,t6,0x80000ffe" },
    { 0x7ff51fe3, "bne a0,t6,0x80000ffe" },
    { 0x7ff54fe3, "blt a0,t6,0x80000ffe" },
    { 0x7ff55fe3, "bge a0,t6,0x80000ffe" },
    { 0x7ff56fe3, "bltu a0,t6,0x80000ffe" },
    { 0x7ff57fe3, "bgeu a0,t6,0x80000ffe" },
    { 0x80b01063, "bne zero,a1,0x7ffff000" },
    { 0x80010783, "lb a5,-2048(sp)" },
    { 0x80011783, "lh a5,-2048(sp)" },
    { 0x80012783, "lw a5,-2048(sp)" },
    { 0x80014783, "lbu a5,-2048(sp)" },
    { 0x80015783, "lhu a5,-2048(sp)" },
    { 0xfef40fa3, "sb a5,-1(s0)" },
    { 0x7ff00fa3, "sb t6,2047(zero)" },
    { 0xfef41fa3, "sh a5,-1(s0)" },
    { 0x7ff01fa3, "sh t6,2047(zero)" },
    { 0xfef42fa3, "sw a5,-1(s0)" },
    { 0x7ff02fa3, "sw t6,2047(zero)" },
    { 0xfff90493, "addi s1,s2,-1" },
    { 0xfff92493, "slti s1,s2,-1" },
    { 0xfff93493, "sltiu s1,s2,-1" },
    { 0xfff94493, "xori s1,s2,-1" },
    { 0xfff96493, "ori s1,s2,-1" },
    { 0xfff97493, "andi s1,s2,-1" },
    { 0x7ff00513, "addi a0,zero,2047" },
    { 0x01f91493, "slli s1,s2,31" },
    { 0x01f95493, "srli s1,s2,31" },
    { 0x41f95493, "srai s1,s2,31" },
    { 0x011e89b3, "add s3,t4,a7" },
    { 0x411e89b3, "sub s3,t4,a7" },
    { 0x011e99b3, "sll s3,t4,a7" },
    { 0x011ea9b3, "slt s3,t4,a7" },
    { 0x011eb9b3, "sltu s3,t4,a7" },
    { 0x011ec9b3, "xor s3,t4,a7" },
    { 0x011ed9b3, "srl s3,t4,a7" },
    { 0x411ed9b3, "sra s3,t4,a7" },
    { 0x011ee9b3, "or s3,t4,a7" },
    { 0x011ef9b3, "and s3,t4,a7" },
    { 0x031e89b3, "mul s3,t4,a7" },
    { 0x031e99b3, "mulh s3,t4,a7" },
    { 0x031ea9b3, "mulhsu s3,t4,a7" },
    { 0x031eb9b3, "mulhu s3,t4,a7" },
    { 0x031ec9b3, "div s3,t4,a7" },
    { 0x031ed9b3, "divu s3,t4,a7" },
    { 0x031ee9b3, "rem s3,t4,a7" },
    { 0x031ef9b3, "remu s3,t4,a7" },
    { 0x0f1ed9b3, "czero.eqz s3,t4,a7" },
    { 0x0f1ef9b3, "czero.nez s3,t4,a7" },
    { 0x0ff0000f, "fence 15,15" },
    { 0x0210000f, "fence 2,1" },
    { 0x0000100f, "fence.i" },
    { 0x00000073, "ecall" },
    { 0x00100073, "ebreak" },
    { 0x30200073, "mret" },
    { 0x10200073, "sret" },
    { 0x10500073, "wfi" },
    { 0x34031573, "csrrw a0,0x340,t1" },
    { 0x34032573, "csrrs a0,0x340,t1" },
    { 0x34033573, "csrrc a0,0x340,t1" },
    { 0xcc0fdff3, "csrrwi t6,0xcc0,31" },
    { 0xcc0feff3, "csrrsi t6,0xcc0,31" },
    { 0xcc0ffff3, "csrrci t6,0xcc0,31" },
    { 0x1005a52f, "lr.w a0,0(a1)" },
    { 0x1605a52f, "lr.w a0,0(a1)" },
    { 0x18c5a52f, "sc.w a0,a2,0(a1)" },
    { 0x1df4a2af, "sc.w t0,t6,0(s1)" },
    { 0x08c5a52f, "amoswap.w a0,a2,0(a1)" },
    { 0x0df4a2af, "amoswap.w t0,t6,0(s1)" },
    { 0x00c5a52f, "amoadd.w a0,a2,0(a1)" },
    { 0x05f4a2af, "amoadd.w t0,t6,0(s1)" },
    { 0x20c5a52f, "amoxor.w a0,a2,0(a1)" },
    { 0x25f4a2af, "amoxor.w t0,t6,0(s1)" },
    { 0x60c5a52f, "amoand.w a0,a2,0(a1)" },
    { 0x65f4a2af, "amoand.w t0,t6,0(s1)" },
    { 0x40c5a52f, "amoor.w a0,a2,0(a1)" },
    { 0x45f4a2af, "amoor.w t0,t6,0(s1)" },
    { 0x80c5a52f, "amomin.w a0,a2,0(a1)" },
    { 0x85f4a2af, "amomin.w t0,t6,0(s1)" },
    { 0xa0c5a52f, "amomax.w a0,a2,0(a1)" },
    { 0xa5f4a2af, "amomax.w t0,t6,0(s1)" },
    { 0xc0c5a52f, "amominu.w a0,a2,0(a1)" },
    { 0xc5f4a2af, "amominu.w t0,t6,0(s1)" },
    { 0xe0c5a52f, "amomaxu.w a0,a2,0(a1)" },
    { 0xe5f4a2af, "amomaxu.w t0,t6,0(s1)" },
    { 0xffc5a507, "flw fa0,-4(a1)" },
    { 0xfff5ae27, "fsw ft11,-4(a1)" },
    { 0x06812227, "fsw fs0,100(sp)" },
    { 0x89f4c543, "fmadd.s fa0,fs1,ft11,fa7,rmm" },
    { 0x1820f043, "fmadd.s ft0,ft1,ft2,ft3,dyn" },
    { 0x89f4c547, "fmsub.s fa0,fs1,ft11,fa7,rmm" },
    { 0x1820f047, "fmsub.s ft0,ft1,ft2,ft3,dyn" },
    { 0x89f4c54b, "fnmsub.s fa0,fs1,ft11,fa7,rmm" },
    { 0x1820f04b, "fnmsub.s ft0,ft1,ft2,ft3,dyn" },
    { 0x89f4c54f, "fnmadd.s fa0,fs1,ft11,fa7,rmm" },
    { 0x1820f04f, "fnmadd.s ft0,ft1,ft2,ft3,dyn" },
    { 0x01f49553, "fadd.s fa0,fs1,ft11,rtz" },
    { 0x019d7dd3, "fadd.s fs11,fs10,fs9,dyn" },
    { 0x09f49553, "fsub.s fa0,fs1,ft11,rtz" },
    { 0x099d7dd3, "fsub.s fs11,fs10,fs9,dyn" },
    { 0x11f49553, "fmul.s fa0,fs1,ft11,rtz" },
    { 0x119d7dd3, "fmul.s fs11,fs10,fs9,dyn" },
    { 0x19f49553, "fdiv.s fa0,fs1,ft11,rtz" },
    { 0x199d7dd3, "fdiv.s fs11,fs10,fs9,dyn" },
    { 0x580e3553, "fsqrt.s fa0,ft8,rup" },
    { 0x21f48553, "fsgnj.s fa0,fs1,ft11" },
    { 0x21f49553, "fsgnjn.s fa0,fs1,ft11" },
    { 0x21f4a553, "fsgnjx.s fa0,fs1,ft11" },
    { 0x29f48553, "fmin.s fa0,fs1,ft11" },
    { 0x29f49553, "fmax.s fa0,fs1,ft11" },
    { 0xa1f48553, "fle.s a0,fs1,ft11" },
    { 0xa1f49553, "flt.s a0,fs1,ft11" },
    { 0xa1f4a553, "feq.s a0,fs1,ft11" },
    { 0xc00f8553, "fcvt.w.s a0,ft11,rne" },
    { 0xc01fa553, "fcvt.wu.s a0,ft11,rdn" },
    { 0xd0051fd3, "fcvt.s.w ft11,a0,rtz" },
    { 0xd0157fd3, "fcvt.s.wu ft11,a0,dyn" },
    { 0xe00f8553, "fmv.x.w a0,ft11" },
    { 0xf0050fd3, "fmv.w.x ft11,a0" },
    { 0xe00d92d3, "fclass.s t0,fs11" },
    { 0x0005000b, "vx_tmc a0" },
    { 0x0065100b, "vx_wspawn a0,t1" },
    { 0x0005278b, "vx_split a5,a0" },
    { 0x0005300b, "vx_join a0" },
    { 0x0065400b, "vx_bar a0,t1" },
    { 0x0065500b, "vx_pred a0,t1" },
    { 0x0015278b, "vx_split a5,a0,n" },
    { 0x0065508b, "vx_pred a0,t1,n" },
    { 0x0205078b, "vx_vote_all a5,a0" },
    { 0x0205178b, "vx_vote_any a5,a0" },
    { 0x0205278b, "vx_vote_uni a5,a0" },
    { 0x0205378b, "vx_vote_ballot a5,a0" },
    { 0x0265478b, "vx_shfl_up a5,a0,t1" },
    { 0x0265578b, "vx_shfl_down a5,a0,t1" },
    { 0x0265678b, "vx_shfl_bfly a5,a0,t1" },
    { 0x0265778b, "vx_shfl_idx a5,a0,t1" },
};
enum { N_WORDS = sizeof words / sizeof *words };

static void text(void **state)
{
    (void)state;
    for (unsigned n = 0; n < N_WORDS; n++) {
        struct buf out = { 0 };

        riscv_disasm(words[n].word, 0x80000000u, &out);
        assert_string_equal(buf_text(&out), words[n].text);
        buf_free(&out);
    }
}

static void every_instruction_is_there(void **state)
{
    bool seen[N_RISCV_OP] = { false };
    struct riscv_inst i;

    (void)state;
    for (unsigned n = 0; n < N_WORDS; n++) {
        assert_true(riscv_decode(&i, words[n].word, 0));
        seen[i.inst.op] = true;
    }
    for (unsigned op = 0; op < N_RISCV_OP; op++)
        if (!seen[op])
            fail_msg("%s has no word", riscv_op_name(op));
}

/* A word of one row is of no other: rows of which neither's mask tells them apart. */
static void rows_do_not_overlap(void **state)
{
    static const struct {
        uint32_t match, mask;
    } rows[] = {
#define OP(id, name, match, mask, operands, class, unit, flags) { match, mask },
#include "frontend/riscv/ops.def"
#undef OP
    };

    (void)state;
    for (unsigned a = 0; a < N_RISCV_OP; a++) {
        assert_int_equal(rows[a].match & ~rows[a].mask, 0);
        for (unsigned b = 0; b < a; b++)
            assert_true((rows[a].match ^ rows[b].match) & rows[a].mask & rows[b].mask);
    }
}

static void words_that_are_none(void **state)
{
    static const uint32_t none[] = {
        0x00000000, /* all zeros */
        0xffffffff, /* all ones */
        0x00008082, /* c.ret: compressed */
        0x02051513, /* slli by 32, of RV64 */
        0x0005b503, /* ld, of RV64 */
        0x0000002b, /* custom-1 */
        0x0400000b, /* custom-0 with another function */
        0x0000600b, /* custom-0, function 6 */
        0x02b57553, /* fadd.d */
        0x42a58553, /* fsgnj... of no format */
        0x1005b52f, /* lr.d */
        0x10b5252f, /* lr.w with an rs2 */
        0x00200073, /* uret */
        0x00004073, /* system, function 4 */
    };
    struct riscv_inst i;

    (void)state;
    for (unsigned n = 0; n < sizeof none / sizeof *none; n++) {
        struct buf out = { 0 };

        if (riscv_decode(&i, none[n], 0))
            fail_msg("0x%08x is %s", none[n], riscv_op_name(i.inst.op));
        riscv_disasm(none[n], 0, &out);
        assert_memory_equal(buf_text(&out), ".word 0x", 8);
        buf_free(&out);
    }
}

struct sets {
    uint32_t word;
    uint8_t class, unit, bytes;
    int write;    /* register id, -1: none */
    int reads[3]; /* -1: none */
};

/* Registers as ids: x1 is 1, f0 is 32. */
static void registers(void **state)
{
    static const struct sets sets[] = {
        { 0x00b50533, CLASS_int, UNIT_ALU, 0, 10, { 10, 11, -1 } }, /* add a0,a0,a1 */
        { 0x00b00033, CLASS_int, UNIT_ALU, 0, -1, { 11, -1, -1 } }, /* add x0,x0,a1 */
        { 0x00500513, CLASS_int, UNIT_ALU, 0, 10, { -1, -1, -1 } }, /* li a0,5 */
        { 0x02b54533, CLASS_imul_wide, UNIT_DIV, 0, 10, { 10, 11, -1 } }, /* div */
        { 0x00452503, CLASS_load, UNIT_LSU, 4, 10, { 10, -1, -1 } },  /* lw a0,4(a0) */
        { 0x00455503, CLASS_load, UNIT_LSU, 2, 10, { 10, -1, -1 } },  /* lhu */
        { 0x00b50023, CLASS_store, UNIT_LSU, 1, -1, { 10, 11, -1 } }, /* sb a1,0(a0) */
        { 0x00052507, CLASS_load, UNIT_LSU, 4, 42, { 10, -1, -1 } }, /* flw fa0,0(a0) */
        { 0x00b52027, CLASS_store, UNIT_LSU, 4, -1, { 10, 43, -1 } },  /* fsw fa1 */
        { 0x00b5252f, CLASS_atomic, UNIT_LSU, 4, 10, { 10, 11, -1 } }, /* amoadd.w */
        { 0x68b5f543, CLASS_fp32, UNIT_FMA, 0, 42, { 43, 43, 45 } },   /* fmadd.s */
        { 0x00007053, CLASS_fp32, UNIT_FMA, 0, 32, { 32, 32, -1 } },   /* fadd ft0,.. */
        { 0xc0057553, CLASS_conv, UNIT_FCVT, 0, 10, { 42, -1, -1 } },  /* fcvt.w.s */
        { 0xa0b52553, CLASS_fcmp, UNIT_FNCP, 0, 10, { 42, 43, -1 } },  /* feq.s */
        { 0x18b57553, CLASS_sfu, UNIT_FDIV, 0, 42, { 42, 43, -1 } },   /* fdiv.s */
        { 0x34051573, CLASS_sreg, UNIT_CSR, 0, 10, { 10, -1, -1 } },   /* csrrw */
        { 0x340fd573, CLASS_sreg, UNIT_CSR, 0, 10, { -1, -1, -1 } },   /* csrrwi 31 */
        { 0x00b50463, CLASS_branch, UNIT_BRANCH, 0, -1, { 10, 11, -1 } }, /* beq */
        { 0x0005000b, CLASS_branch, UNIT_WCTL, 0, -1, { 10, -1, -1 } },   /* tmc */
        { 0x0015278b, CLASS_branch, UNIT_WCTL, 0, 15, { 10, -1, -1 } },   /* split.n */
        { 0x00b5508b, CLASS_branch, UNIT_WCTL, 0, -1, { 10, 11, -1 } },   /* pred.n */
        { 0x00b5400b, CLASS_barrier, UNIT_WCTL, 0, -1, { 10, 11, -1 } },  /* bar */
    };

    (void)state;
    for (unsigned n = 0; n < sizeof sets / sizeof *sets; n++) {
        const struct sets *s = &sets[n];
        struct regset reads = { .w = { 0 } }, writes = { .w = { 0 } };
        unsigned n_src = 0;
        struct riscv_inst i;

        assert_true(riscv_decode(&i, s->word, 0));
        for (unsigned k = 0; k < 3; k++)
            if (s->reads[k] >= 0) {
                regset_add(&reads, (unsigned)s->reads[k]);
                assert_int_equal(i.inst.src[n_src].reg, s->reads[k]);
                assert_int_equal(i.inst.list.reg[i.inst.src[n_src].at], s->reads[k]);
                n_src++;
            }
        if (s->write >= 0)
            regset_add(&writes, (unsigned)s->write);
        assert_int_equal(i.inst.n_src, n_src);
        assert_int_equal(i.inst.n_dst, s->write >= 0);
        assert_memory_equal(&i.inst.reads, &reads, sizeof reads);
        assert_memory_equal(&i.inst.writes, &writes, sizeof writes);
        assert_int_equal(i.inst.class, s->class);
        assert_int_equal(riscv_op_unit(i.inst.op), s->unit);
        assert_int_equal(i.inst.bytes, s->bytes);
    }
}

static void fp_csrs(void **state)
{
    static const struct {
        uint32_t word;
        bool is_one;
    } rows[] = {
        { 0x00102573, true },  /* csrr a0,fflags */
        { 0x00351073, true },  /* csrw fcsr,a0 */
        { 0x00205073, true },  /* csrwi frm,0 */
        { 0xcc002573, false }, /* csrr a0,0xcc0 */
        { 0x00100513, false }, /* li a0,1 */
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct riscv_inst i;

        assert_true(riscv_decode(&i, rows[n].word, 0));
        assert_int_equal(riscv_is_fp_csr(&i.inst), rows[n].is_one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text),
        cmocka_unit_test(every_instruction_is_there),
        cmocka_unit_test(rows_do_not_overlap),
        cmocka_unit_test(words_that_are_none),
        cmocka_unit_test(registers),
        cmocka_unit_test(fp_csrs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
