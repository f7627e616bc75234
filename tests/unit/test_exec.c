/* test_exec.c - handlers of arithmetic, logic, conversions, lanes and special registers.
 *
 * What the arithmetic itself gives is tested elsewhere; here it is the fields, operand
 * slots, carries, predicates and masks. Expected values follow from the rules, not from
 * running the code.
 */
#include "exec_rig.h"

#define R ((struct rig *)*state)

/* 64-bit a - b as the compiler writes it: low words, carry, high words with .X. */
static void subtracts_in_two_words(void **state)
{
    static const uint64_t cases[][2] = { { 0, 0 },
                                         { 5, 7 },
                                         { 0x100000000, 1 },
                                         { 0xffffffff, 0xffffffff },
                                         { 0x1234567800000000, 0x00000001ffffffff } };

    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        fill64(R, 0, cases[k][0]);
        fill64(R, 2, cases[k][1]);
        RUN(R, OP_IADD3,
            SLOTS(reg(4), pred(0), pt(), reg(0), NEG(reg(2)), rz(), NOT(pt()),
                  NOT(pt())),
            PLAIN);
        RUN(R, OP_IADD3,
            SLOTS(reg(5), pt(), pt(), reg(1), NEG(reg(3)), rz(), pred(0), NOT(pt())),
            BITS(74, 1));
        assert_true(pair(R, 4, 9) == cases[k][0] - cases[k][1]);
    }
}

/* Three terms can carry two: both predicates go into the next word. */
static void adds_three_with_two_carries(void **state)
{
    fill64(R, 0, 0x1ffffffff);
    fill64(R, 2, 0x2ffffffff);
    fill64(R, 4, 0x3ffffffff);
    RUN(R, OP_IADD3,
        SLOTS(reg(6), pred(0), pred(1), reg(0), reg(2), reg(4), NOT(pt()), NOT(pt())),
        PLAIN);
    RUN(R, OP_IADD3,
        SLOTS(reg(7), pt(), pt(), reg(1), reg(3), reg(5), pred(0), pred(1)),
        BITS(74, 1));
    assert_true(pair(R, 6, 0) == 0x1ffffffffull + 0x2ffffffffull + 0x3ffffffffull);
    assert_int_equal(R->w.p[1], ALL_LANES);
}

/* The high 64 bits of a product of two 64-bit numbers, by IMAD.WIDE with carries. */
static void multiplies_wide_with_carries(void **state)
{
    fill64(R, 0, 0xfedcba9876543210u);
    fill64(R, 2, 0xffffffff00000001u);
    RUN(R, OP_IMAD_WIDE, SLOTS(reg(4), pt(), reg(1), reg(2), rz(), NOT(pt())), PLAIN);
    RUN(R, OP_IMAD_WIDE, SLOTS(reg(6), pred(0), reg(0), reg(3), reg(4), NOT(pt())),
        PLAIN);
    RUN(R, OP_IMAD_WIDE, SLOTS(reg(8), pt(), reg(0), reg(2), rz(), NOT(pt())), PLAIN);
    RUN(R, OP_IADD3, SLOTS(reg(11), pt(), pt(), rz(), rz(), rz(), pred(0), NOT(pt())),
        BITS(74, 1));
    RUN(R, OP_MOV, SLOTS(reg(10), reg(7), imm(15)), PLAIN);
    RUN(R, OP_IADD3,
        SLOTS(rz(), pred(0), pt(), reg(9), reg(6), rz(), NOT(pt()), NOT(pt())), PLAIN);
    RUN(R, OP_IMAD_WIDE, SLOTS(reg(12), pt(), reg(1), reg(3), reg(10), pred(0)),
        BITS(74, 1));
    assert_true(pair(R, 12, 3) == 0xfedcba9777777778u);
}

static void multiplies_and_adds(void **state)
{
    fill(R, 0, 0xfffffffe);
    fill(R, 1, 3);
    fill64(R, 2, 5);
    RUN(R, OP_IMAD, SLOTS(reg(4), pt(), reg(0), reg(1), reg(2), NOT(pt())), PLAIN);
    assert_int_equal(row(R, 4)[0], 0xffffffff);
    RUN(R, OP_IMAD_HI, SLOTS(reg(4), pt(), reg(0), reg(1), reg(2), NOT(pt())), PLAIN);
    assert_int_equal(row(R, 4)[0], 2); /* unsigned: 0x2fffffffa + 5 */
    RUN(R, OP_IMAD_HI, SLOTS(reg(4), pt(), reg(0), reg(1), reg(2), NOT(pt())),
        BITS(73, 1));
    assert_int_equal(row(R, 4)[0], 0xffffffff); /* -6 + 5 */
    RUN(R, OP_IMAD_WIDE, SLOTS(reg(4), pt(), reg(0), reg(1), NEG(reg(2)), NOT(pt())),
        BITS(73, 1));
    assert_true(pair(R, 4, 31) == (uint64_t)-11);
    fill(R, 6, 0xf);
    RUN(R, OP_IMAD, SLOTS(reg(4), pt(), reg(1), imm(1), NEG(reg(6)), pt()),
        BITS(74, 1)); /* .X: 3 + ~15 + 1 */
    assert_int_equal(row(R, 4)[0], (uint32_t)(3 - 15));
}

static void scales_addresses(void **state)
{
    fill64(R, 0, 0x80000001);
    fill64(R, 2, 0x00000007fffffff8);
    RUN(R, OP_LEA, SLOTS(reg(4), pred(0), reg(0), reg(2), rz(), imm(3), NOT(pt())),
        PLAIN);
    RUN(R, OP_LEA, SLOTS(reg(5), pt(), reg(0), reg(3), reg(1), imm(3), pred(0)),
        BITS(74, 1, 80, 1));
    assert_true(pair(R, 4, 0) == ((uint64_t)0x80000001 << 3) + 0x00000007fffffff8);
    RUN(R, OP_LEA, SLOTS(reg(5), pt(), reg(0), reg(3), rz(), imm(3), pred(0)),
        BITS(73, 1, 74, 1, 80, 1)); /* .HI.X.SX32: a is negative */
    assert_true(pair(R, 4, 0) ==
                (uint64_t)((int64_t)(int32_t)0x80000001 * 8) + 0x00000007fffffff8);
    RUN(R, OP_LEA, SLOTS(reg(6), pred(1), NEG(reg(2)), reg(0), rz(), imm(0), NOT(pt())),
        PLAIN); /* b - (a << 0) borrows: no carry */
    assert_int_equal(row(R, 6)[0], 0x80000001u - 0xfffffff8u);
    assert_int_equal(R->w.p[1], 0);
}

/* 64-bit comparisons: low words unsigned, then high words with .EX. */
static void compares_in_two_words(void **state)
{
    static const int64_t v[] = { 0,         1,        -1, 0x100000000, -0x100000000,
                                 INT64_MIN, INT64_MAX };
    enum { LT = 1, EQ, LE, GT, NE, GE };

    for (unsigned a = 0; a < 7; a++)
        for (unsigned b = 0; b < 7; b++)
            for (unsigned c = LT; c <= GE; c++) {
                bool want = (c & 1 && v[a] < v[b]) || (c & 2 && v[a] == v[b]) ||
                            (c & 4 && v[a] > v[b]);

                fill64(R, 0, (uint64_t)v[a]);
                fill64(R, 2, (uint64_t)v[b]);
                RUN(R, OP_ISETP, SLOTS(pred(0), pt(), reg(0), reg(2), pt(), pt()),
                    BITS(76, c));
                RUN(R, OP_ISETP, SLOTS(pred(1), pred(2), reg(1), reg(3), pt(), pred(0)),
                    BITS(76, c, 73, 1, 72, 1));
                assert_int_equal(R->w.p[1], want ? ALL_LANES : 0);
                assert_int_equal(R->w.p[2], want ? 0 : ALL_LANES);
            }
}

static void joins_predicates(void **state)
{
    R->w.p[3] = 0x0f0f0f0f;
    LANES(l)
        row(R, 0)[l] = l;
    RUN(R, OP_ISETP, SLOTS(pred(0), pred(1), reg(0), imm(16), pred(3), pt()),
        BITS(76, 1, 74, 2)); /* l < 16 XOR P3 */
    assert_int_equal(R->w.p[0], 0x0000ffff ^ 0x0f0f0f0f);
    assert_int_equal(R->w.p[1], 0xffff0000 ^ 0x0f0f0f0f);
    assert_int_equal(
        run_inst(
            R,
            inst(OP_ISETP, SLOTS(pred(0), pt(), rz(), rz(), pt(), pt()), BITS(76, 2)),
            1u << 20),
        EXEC_NEXT); /* other lanes keep theirs */
    assert_int_equal(R->w.p[0], (0x0000ffff ^ 0x0f0f0f0f) | 1u << 20);
    refuse(R, inst(OP_ISETP, SLOTS(pred(0), pt(), rz(), rz(), pt(), pt()), BITS(74, 3)),
           ERR_UNSUPPORTED, "predicate operation");
}

static void does_logic(void **state)
{
    R->w.p[1] = 0xff;
    LANES(l) {
        row(R, 0)[l] = l & 1 ? 0xf0f0f0f0 : 0;
        row(R, 1)[l] = 0xcccccccc;
        row(R, 2)[l] = 0xaaaaaaaa;
    }
    for (unsigned table = 0; table < 256; table += 15) {
        uint32_t want = 0;

        for (unsigned k = 0; k < 32; k++) {
            unsigned a = 0xf0f0f0f0u >> k & 1, b = 0xccccccccu >> k & 1;
            unsigned c = 0xaaaaaaaau >> k & 1;

            want |= (table >> (4 * a + 2 * b + c) & 1) << k;
        }
        RUN(R, OP_LOP3,
            SLOTS(pt(), reg(3), reg(0), reg(1), reg(2), imm(table), NOT(pt())), PLAIN);
        assert_int_equal(row(R, 3)[1], want);
    }
    RUN(R, OP_LOP3, SLOTS(pred(0), rz(), reg(0), imm(~0ll), rz(), imm(0xc0), pred(1)),
        PLAIN);
    assert_int_equal(R->w.p[0], 0xaaaaaaaa | 0xff);
    RUN(R, OP_LOP3, SLOTS(pred(0), rz(), reg(0), imm(~0ll), rz(), imm(0xc0), pred(1)),
        BITS(80, 1));
    assert_int_equal(R->w.p[0], 0xaaaaaaaa & 0xff);
    R->w.p[0] = 0xf0;
    R->w.p[1] = 0xcc;
    R->w.p[2] = 0xaa;
    RUN(R, OP_PLOP3,
        SLOTS(pred(3), pred(4), pred(0), pred(1), pred(2), imm(0x96), imm(0xe8)),
        PLAIN);
    assert_int_equal(R->w.p[3] & 0xff, 0x96);
    assert_int_equal(R->w.p[4] & 0xff, 0xe8);
    RUN(R, OP_PLOP3_SIGN, SLOTS(pred(3), pt(), reg(0), reg(1), rz(), imm(0xc0), imm(0)),
        PLAIN);
    assert_int_equal(R->w.p[3], 0xaaaaaaaa);
    LANES(l) {
        row(R, 4)[l] = 0xccu >> l % 8 << 31;
        row(R, 5)[l] = ~(0xaau >> l % 8 << 31);
    }
    for (unsigned table = 0; table < 256; table += 15) {
        RUN(R, OP_PLOP3_PRP,
            SLOTS(pred(3), pred(4), pred(0), reg(4), pred(2), imm(table), imm(0x96)),
            PLAIN);
        assert_int_equal(R->w.p[3] & 0xff, table);
        assert_int_equal(R->w.p[4] & 0xff, 0x96);
        RUN(R, OP_PLOP3_PRR,
            SLOTS(pred(3), pred(4), pred(0), reg(4), reg(5), imm(table), imm(0x3c)),
            PLAIN); /* c is complemented: neighbouring entries change places */
        assert_int_equal(R->w.p[3] & 0xff, (table & 0xaa) >> 1 | (table & 0x55) << 1);
        assert_int_equal(R->w.p[4] & 0xff, 0x3c);
    }
}

static void shifts(void **state)
{
    enum { S64, U64, S32, U32 };

    fill(R, 0, 0x89abcdef);
    fill(R, 1, 0x81234567);
    fill(R, 2, 36);
    RUN(R, OP_SHF, SLOTS(reg(3), reg(0), imm(4), rz()), BITS(73, U32));
    assert_int_equal(row(R, 3)[0], 0x9abcdef0);
    RUN(R, OP_SHF, SLOTS(reg(3), rz(), imm(4), reg(1)), BITS(73, S32, 76, 1, 80, 1));
    assert_int_equal(row(R, 3)[0], 0xf8123456);
    RUN(R, OP_SHF, SLOTS(reg(3), rz(), imm(40), reg(1)), BITS(73, U32, 76, 1, 80, 1));
    assert_int_equal(row(R, 3)[0], 0);
    RUN(R, OP_SHF, SLOTS(reg(3), rz(), imm(40), reg(1)), BITS(73, S32, 76, 1, 80, 1));
    assert_int_equal(row(R, 3)[0], 0xffffffff);
    RUN(R, OP_SHF, SLOTS(reg(3), reg(0), reg(2), reg(1)), BITS(73, U64, 76, 1));
    assert_int_equal(row(R, 3)[0], 0x08123456);
    RUN(R, OP_SHF, SLOTS(reg(3), reg(0), reg(2), reg(1)), BITS(73, U32, 75, 1, 80, 1));
    assert_int_equal(row(R, 3)[0], 0x12345678); /* .W: 36 & 31, high word */
    RUN(R, OP_USHF, SLOTS(ureg(3), ureg(4), imm(1), ureg(UREG_URZ)), BITS(73, U32));
    assert_int_equal(sass_uniform(&R->w, 3), 0);
    set_uniform(&R->w, 4, 21);
    RUN(R, OP_USHF, SLOTS(ureg(3), ureg(4), imm(1), ureg(UREG_URZ)), BITS(73, U32));
    assert_int_equal(sass_uniform(&R->w, 3), 42);
}

static void moves_predicates_and_words(void **state)
{
    for (unsigned k = 0; k < 7; k++)
        R->w.p[k] = k & 1 ? ALL_LANES : 1u << k;
    fill(R, 0, 0x11223344);
    RUN(R, OP_P2R, SLOTS(reg(1), { 0 }, reg(0), imm(0x7f)), PLAIN);
    assert_int_equal(row(R, 1)[4], 0x11223300 | 0x3a);
    RUN(R, OP_P2R, SLOTS(reg(1), { 0 }, reg(0), imm(0xf)), BITS(76, 2));
    assert_int_equal(row(R, 1)[0], 0x112b3344); /* byte 2, low four bits: P0 P1 P3 */
    fill(R, 2, 0x5500);
    RUN(R, OP_R2P, SLOTS({ 0 }, reg(2), imm(0x3f)), BITS(76, 1));
    assert_int_equal(R->w.p[0], ALL_LANES);
    assert_int_equal(R->w.p[1], 0);
    assert_int_equal(R->w.p[4], ALL_LANES);
    assert_int_equal(R->w.p[6], 1u << 6); /* not in the mask */
    RUN(R, OP_MOV, SLOTS(reg(3), imm(7), imm(5)), PLAIN);
    assert_int_equal(row(R, 3)[0], 7);
    assert_int_equal(row(R, 3)[1], 0); /* lanes 0 and 2 of each quad only */
    R->w.p[0] = 0x3;
    RUN(R, OP_SEL, SLOTS(reg(3), imm(1), imm(2), NOT(pred(0))), PLAIN);
    assert_int_equal(row(R, 3)[1], 2);
    assert_int_equal(row(R, 3)[2], 1);
    RUN(R, OP_FLO, SLOTS(reg(3), pt(), NOT(reg(2))), PLAIN);
    assert_int_equal(row(R, 3)[0], 31);
    refuse(R, inst(OP_FLO, SLOTS(reg(3), pred(0), reg(2)), PLAIN), ERR_UNSUPPORTED,
           "predicate");
}

static void takes_minima(void **state)
{
    fill(R, 0, 0xffff0003);
    fill(R, 1, 0x00020001);
    RUN(R, OP_IMNMX, SLOTS(reg(2), reg(0), reg(1), pt()), BITS(73, 1));
    assert_int_equal(row(R, 2)[0], 0xffff0003);
    RUN(R, OP_IMNMX, SLOTS(reg(2), reg(0), reg(1), pt()), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x00020001);
    RUN(R, OP_VIMNMX, SLOTS(reg(2), pred(0), pred(1), reg(0), reg(1), pt()),
        BITS(72, 1, 73, 1)); /* S16x2: min(-1, 2), min(3, 1) */
    assert_int_equal(row(R, 2)[0], 0xffff0001);
    assert_int_equal(R->w.p[0], 0); /* low half is b's */
    assert_int_equal(R->w.p[1], ALL_LANES);
    RUN(R, OP_VIMNMX, SLOTS(reg(2), pt(), pt(), reg(0), reg(1), pt()),
        BITS(72, 1, 73, 1, 76, 1)); /* .RELU */
    assert_int_equal(row(R, 2)[0], 0x00000001);
    RUN(R, OP_VIADDMNMX, SLOTS(reg(2), reg(0), NEG(reg(1)), imm(-9), NOT(pt())),
        BITS(72, 1));
    assert_int_equal(row(R, 2)[0], (uint32_t)-9);
    RUN(R, OP_VIADD, SLOTS(reg(2), reg(0), NEG(reg(1))), BITS(73, 1));
    assert_int_equal(row(R, 2)[0], 0xfffd0002);
    RUN(R, OP_VIMNMX3, SLOTS(reg(2), reg(0), reg(1), imm(7), NOT(pt())), BITS(72, 1));
    assert_int_equal(row(R, 2)[0], 0x00020001);
}

static void adds_byte_products(void **state)
{
    fill(R, 0, 0x01ff0203);
    fill(R, 1, 0x02020202);
    RUN(R, OP_IDP, SLOTS(reg(2), reg(0), reg(1), imm(100)), BITS(73, 1, 74, 1));
    assert_int_equal(row(R, 2)[0], 100 + 2 * (1 - 1 + 2 + 3));
    RUN(R, OP_VABSDIFF4, SLOTS(reg(2), reg(0), reg(1), imm(1)), BITS(75, 1));
    assert_int_equal(row(R, 2)[0], 1 + 1 + 253 + 0 + 1);
    RUN(R, OP_VABSDIFF4, SLOTS(reg(2), reg(0), reg(1), rz()), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x01fd0001);
    RUN(R, OP_VABSDIFF, SLOTS(reg(2), reg(0), imm(-1), rz()), BITS(73, 1));
    assert_int_equal(row(R, 2)[0], 0x01ff0204);
    RUN(R, OP_I2IP, SLOTS(reg(2), imm(300), imm(-5), reg(1)), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x0202ff00);
    RUN(R, OP_I2IP, SLOTS(reg(2), imm(300), imm(-9), imm(0xabcdef)), BITS(76, 7));
    assert_int_equal(row(R, 2)[0], 0xabcdef78); /* S4 */
}

static void computes_singles(void **state)
{
    fill(R, 0, 0x40400000);                                           /* 3 */
    fill(R, 1, 0xc0000000);                                           /* -2 */
    RUN(R, OP_FMUL, SLOTS(reg(2), reg(0), ABS(reg(1))), BITS(84, 3)); /* .D2 */
    assert_int_equal(row(R, 2)[0], 0x40400000);
    RUN(R, OP_FMUL, SLOTS(reg(2), reg(0), NEG(reg(1))), BITS(84, 4));
    assert_int_equal(row(R, 2)[0], 0x40c00000);
    refuse(R, inst(OP_FMUL, SLOTS(reg(2), reg(0), reg(1)), PLAIN), ERR_UNSUPPORTED,
           "scale");
    RUN(R, OP_FADD, SLOTS(reg(2), reg(0), reg(1)), BITS(77, 1));
    assert_int_equal(row(R, 2)[0], 0x3f800000);
    RUN(R, OP_FFMA, SLOTS(reg(2), reg(0), reg(1), imm(0x3f800000)), PLAIN);
    assert_int_equal(row(R, 2)[0], 0xc0a00000);
    fill(R, 3, 0x00000001);
    RUN(R, OP_FSEL, SLOTS(reg(2), NEG(reg(3)), reg(0), pt()), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x80000001);
    RUN(R, OP_FSEL, SLOTS(reg(2), NEG(reg(3)), reg(0), pt()), BITS(80, 1));
    assert_int_equal(row(R, 2)[0], 0x80000000);
    RUN(R, OP_FMNMX, SLOTS(reg(2), ABS(reg(0)), ABS(reg(1)), pt()), BITS(82, 1));
    assert_int_equal(row(R, 2)[0], 0xc0000000); /* .XORSIGN keeps the signs */
    RUN(R, OP_FSET, SLOTS(reg(2), reg(0), reg(1), pt()), BITS(76, 4));
    assert_int_equal(row(R, 2)[0], 0x3f800000);
    RUN(R, OP_FSETP, SLOTS(pred(0), pred(1), reg(0), imm(0x7fffffff), pt()),
        BITS(76, 12)); /* GTU against NaN */
    assert_int_equal(R->w.p[0], ALL_LANES);
    assert_int_equal(R->w.p[1], 0);
    RUN(R, OP_FCHK, SLOTS(pred(0), reg(0), reg(3)), PLAIN);
    assert_int_equal(R->w.p[0], ALL_LANES);
    RUN(R, OP_MUFU, SLOTS(reg(2), imm(0x40800000)), BITS(74, 4));
    assert_int_equal(row(R, 2)[0], 0x3e800000); /* RCP of 4 */
    fill(R, 4, 0x40003c00);
    RUN(R, OP_MUFU, SLOTS(reg(2), reg(4)), BITS(72, 1, 74, 2, 60, 1));
    assert_int_equal(row(R, 2)[0], 0x4400); /* EX2.F16 of the high half: 2 */
    refuse(R, inst(OP_MUFU, SLOTS(reg(2), reg(4)), BITS(74, 10)), ERR_UNSUPPORTED,
           "special function");
}

static void computes_doubles(void **state)
{
    uint64_t nan = 0x7ff0000000000123u;

    fill64(R, 0, 0x3ff0000000000000);
    fill64(R, 2, nan);
    RUN(R, OP_DADD, SLOTS(reg(4), reg(0), NEG(reg(2))), PLAIN);
    assert_true(pair(R, 4, 0) == (nan | 1ull << 51)); /* the sign is not touched */
    RUN(R, OP_DADD, SLOTS(reg(4), NEG(reg(0)), ABS(NEG(reg(0)))), PLAIN);
    assert_true(pair(R, 4, 0) == 0xc000000000000000u);
    RUN(R, OP_DFMA, SLOTS(reg(4), reg(0), imm(0x4008000000000000), rz()), PLAIN);
    assert_true(pair(R, 4, 0) == 0x4008000000000000u);
    RUN(R, OP_DSETP, SLOTS(pred(0), pred(1), reg(0), rz(), pt()), BITS(76, 15));
    assert_int_equal(R->w.p[0], ALL_LANES); /* MAX: a */
    assert_int_equal(R->w.p[1], 0);
    RUN(R, OP_DSETP, SLOTS(pred(0), pred(1), reg(2), reg(2), pt()), PLAIN);
    assert_int_equal(R->w.p[0], 0);
    assert_int_equal(R->w.p[1], ALL_LANES);
}

static void computes_halves(void **state)
{
    fill(R, 0, 0x40003c00); /* 2, 1 */
    fill(R, 1, 0x44004200); /* 4, 3 */
    RUN(R, OP_HADD2, SLOTS(reg(2), with(reg(0), OPD_H0), NEG(reg(1))), PLAIN);
    assert_int_equal(row(R, 2)[0], 0xc200c000);
    RUN(R, OP_HADD2, SLOTS(reg(2), NEG(rz()), with(reg(1), OPD_H1)), BITS(78, 1));
    assert_int_equal(row(R, 2)[0], 0x40800000); /* .F32 */
    RUN(R, OP_HFMA2, SLOTS(reg(2), with(reg(0), OPD_H1), reg(1), rz()), BITS(86, 1));
    assert_int_equal(row(R, 2)[0], 0x4600c800); /* 2 * (3, -4) */
    RUN(R, OP_HFMA2_MMA, SLOTS(reg(2), NEG(rz()), rz(), imm(0x12348765)), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x12348765);
    RUN(R, OP_HMUL2, SLOTS(reg(2), imm(0x3f803f80), imm(0x40404040)), BITS(85, 1));
    assert_int_equal(row(R, 2)[0], 0x40404040); /* BF16_V2 */
    RUN(R, OP_HSETP2, SLOTS(pred(0), pred(1), reg(0), imm(0x40004000), pt()),
        BITS(76, 2));
    assert_int_equal(R->w.p[0], 0); /* low half */
    assert_int_equal(R->w.p[1], ALL_LANES);
    RUN(R, OP_HSETP2, SLOTS(pred(0), pred(1), reg(0), imm(0x40004000), pt()),
        BITS(76, 3, 71, 1)); /* both <= 2 */
    assert_int_equal(R->w.p[0], ALL_LANES);
    RUN(R, OP_HSET2, SLOTS(reg(2), reg(0), imm(0x40004000), pt()), BITS(76, 2, 71, 1));
    assert_int_equal(row(R, 2)[0], 0x3c000000);
    RUN(R, OP_HSET2, SLOTS(reg(2), reg(0), imm(0x40004000), pt()), BITS(76, 1));
    assert_int_equal(row(R, 2)[0], 0x0000ffff);
    RUN(R, OP_HMNMX2, SLOTS(reg(2), reg(0), reg(1), NOT(pt())), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x44004200);
    refuse(R, inst(OP_HMUL2, SLOTS(reg(2), reg(0), reg(1)), BITS(78, 1)),
           ERR_UNSUPPORTED, "fp32 result");
}

static void converts(void **state)
{
    enum { B8, B16, B32, B64 };

    fill(R, 0, 0xc3000000); /* -128 */
    RUN(R, OP_F2I, SLOTS(reg(2), reg(0)), BITS(72, 1, 75, B8, 77, 1, 78, 3, 84, B32));
    assert_int_equal(row(R, 2)[0], 0xffffff80);
    RUN(R, OP_F2I_64, SLOTS(reg(2), reg(0)), BITS(72, 1, 75, B64, 78, 3, 84, B32));
    assert_true(pair(R, 2, 0) == (uint64_t)-128);
    RUN(R, OP_F2I, SLOTS(reg(2), imm(0x7fffffff)), BITS(75, B32, 77, 1, 84, B32));
    assert_int_equal(row(R, 2)[0], 0); /* .NTZ */
    RUN(R, OP_F2I, SLOTS(reg(2), imm(0x7fffffff)), BITS(75, B32, 84, B32));
    assert_int_equal(row(R, 2)[0], 0x80000000);
    fill(R, 1, 0x80ff7f40);
    RUN(R, OP_I2F, SLOTS(reg(2), reg(1)), BITS(60, 2, 75, B32, 84, B8));
    assert_int_equal(row(R, 2)[0], 0x437f0000); /* U8 in byte 2 */
    RUN(R, OP_I2F, SLOTS(reg(2), reg(1)), BITS(60, 1, 74, 1, 75, B32, 84, B16));
    assert_int_equal(row(R, 2)[0], 0xc6fe0200); /* S16 in the high half: -32513 */
    RUN(R, OP_F2F_64, SLOTS(reg(2), NEG(reg(0))), BITS(75, B64, 84, B32));
    assert_true(pair(R, 2, 0) == 0x4060000000000000u);
    RUN(R, OP_F2F, SLOTS(reg(2), reg(0)), BITS(75, 4, 84, B32)); /* to BF16 */
    assert_int_equal(row(R, 2)[0], 0xc300);
    RUN(R, OP_FRND, SLOTS(reg(2), imm(0x3fc00000)), BITS(75, B32, 78, 1, 84, B32));
    assert_int_equal(row(R, 2)[0], 0x3f800000);
    RUN(R, OP_I2FP, SLOTS(reg(2), imm(-3)), BITS(74, 1, 75, B32, 84, B32));
    assert_int_equal(row(R, 2)[0], 0xc0400000);
    RUN(R, OP_F2FP, SLOTS(reg(2), imm(0x40000000), imm(0x3f800000), rz()), PLAIN);
    assert_int_equal(row(R, 2)[0], 0x40003c00);
    RUN(R, OP_F2FP, SLOTS(reg(2), imm(0x40000000), imm(0xbf800000), rz()),
        BITS(76, 1, 75, 1));
    assert_int_equal(row(R, 2)[0], 0x40000000); /* BF16, .RELU */
    RUN(R, OP_F2FP, SLOTS(reg(2), rz(), imm(0x3f800000), imm(0x12345678)),
        BITS(78, 1, 72, 1)); /* MERGE_C with the high half of c */
    assert_int_equal(row(R, 2)[0], 0x12343c00);
    RUN(R, OP_F2FP, SLOTS(reg(2), imm(0x7f000000), imm(0xff800000), rz()), BITS(77, 1));
    assert_int_equal(row(R, 2)[0], 0x7bfffbff); /* SATFINITE */
    refuse(R, inst(OP_F2FP, SLOTS(reg(2), rz(), rz(), rz()), BITS(83, 1)),
           ERR_UNSUPPORTED, "type of a conversion");
    refuse(R, inst(OP_F2F, SLOTS(reg(2), rz()), BITS(75, 5, 84, B32)), ERR_UNSUPPORTED,
           "type of a conversion");
}

static void exchanges_lanes(void **state)
{
    LANES(l)
        row(R, 0)[l] = 100 + l;
    assert_int_equal(
        run_inst(R,
                 inst(OP_SHFL_II, SLOTS(pred(0), reg(1), reg(0), imm(4), imm(0x1f)),
                      BITS(58, 2)),
                 0x0000000f),
        EXEC_NEXT); /* DOWN by 4: from lanes that do not execute */
    assert_int_equal(row(R, 1)[3], 107);
    assert_int_equal(row(R, 1)[4], 0);
    assert_int_equal(R->w.p[0], 0xf);
    RUN(R, OP_SHFL_II, SLOTS(pred(0), reg(1), reg(0), imm(1), imm(0)), BITS(58, 1));
    assert_int_equal(row(R, 1)[0], 100); /* UP past the edge: its own */
    assert_int_equal(R->w.p[0], ~1u);
    R->w.p[1] = 0x00ff00ff;
    assert_int_equal(
        run_inst(R, inst(OP_VOTE, SLOTS(reg(1), pred(2), pred(1)), BITS(72, 1)), 0xfff),
        EXEC_NEXT);
    assert_int_equal(row(R, 1)[2], 0xff);
    assert_int_equal(R->w.p[2], 0xfff);
    assert_int_equal(
        run_inst(R, inst(OP_VOTE, SLOTS(reg(1), pred(2), pred(1)), BITS(72, 2)), 0xf00),
        EXEC_NEXT); /* EQ: none holds it */
    assert_int_equal(R->w.p[2], 0xfff);
    RUN(R, OP_VOTEU, SLOTS(ureg(5), { .kind = OPD_UPRED, .reg = 1 }, pred(1)), PLAIN);
    assert_int_equal(sass_uniform(&R->w, 5), 0x00ff00ff);
    assert_int_equal(R->w.up[1], 0); /* ALL */
}

static void matches_and_reduces(void **state)
{
    LANES(l) {
        row(R, 0)[l] = l % 3;
        row(R, 1)[l] = l & 1;
    }
    assert_int_equal(
        run_inst(R, inst(OP_MATCH, SLOTS(pt(), reg(2), reg(0)), BITS(79, 1)), 0x3f),
        EXEC_NEXT);
    assert_int_equal(row(R, 2)[1], 0x12);
    assert_int_equal(
        run_inst(R, inst(OP_MATCH, SLOTS(pt(), reg(2), reg(0)), BITS(79, 1, 73, 1)),
                 0x3f),
        EXEC_NEXT); /* with the high words */
    assert_int_equal(row(R, 2)[1], 0x02);
    RUN(R, OP_MATCH, SLOTS(pred(0), reg(2), reg(0)), PLAIN);
    assert_int_equal(row(R, 2)[1], 0);
    assert_int_equal(R->w.p[0], 0);
    LANES(l)
        row(R, 0)[l] = l - 3;
    assert_int_equal(
        run_inst(R, inst(OP_REDUX, SLOTS(ureg(1), reg(0)), BITS(78, 4, 73, 1)), 0xf6),
        EXEC_NEXT);
    assert_int_equal(sass_uniform(&R->w, 1), (uint32_t)-2);
    RUN(R, OP_REDUX, SLOTS(ureg(1), reg(0)), BITS(78, 3));
    assert_int_equal(sass_uniform(&R->w, 1), 31 * 16 - 96);
    assert_int_equal(
        run_inst(R, inst(OP_ELECT, SLOTS(pred(0), ureg(2), pt()), PLAIN), 0xff0),
        EXEC_NEXT);
    assert_int_equal(R->w.p[0] & 0xff0, 1u << 4);
    assert_int_equal(sass_uniform(&R->w, 2), 4);
    RUN(R, OP_R2UR, SLOTS(pred(0), ureg(3), reg(0)), PLAIN);
    assert_int_equal(sass_uniform(&R->w, 3), (uint32_t)-3);
    assert_int_equal(R->w.p[0], 0xfffffffe);
    R->w.p[0] = 1; /* .OR keeps it */
    RUN(R, OP_R2UR, SLOTS(pred(0), ureg(3), reg(0)), BITS(84, 1));
    assert_int_equal(R->w.p[0], 0xffffffff);
}

static void reads_special_registers(void **state)
{
    static const struct {
        unsigned id;
        uint32_t lane9;
    } want[] = { { 0x00, 9 },      { 0x21, 1 },          { 0x22, 1 },
                 { 0x23, 1 },      { 0x20, 0x04010001 }, { 0x25, 1 },
                 { 0x26, 2 },      { 0x38, 0x200 },      { 0x39, 0x1ff },
                 { 0x3a, 0x3ff },  { 0x3b, ~0x3ffu },    { 0x3c, ~0x1ffu },
                 { 0x2f, 0x7a00 }, { 0x32, RIG_SHARED }, { 0x03, 0x100 } };

    R->w.index = 1;
    for (unsigned k = 0; k < sizeof want / sizeof *want; k++) {
        RUN(R, OP_S2R, SLOTS(reg(0), { .kind = OPD_SREG, .imm = want[k].id }), PLAIN);
        assert_int_equal(row(R, 0)[9], want[k].lane9);
    }
    R->grid.time = 0x1234567890;
    RUN(R, OP_CS2R, SLOTS(reg(0), { .kind = OPD_SREG, .imm = 0x50 }), BITS(80, 1));
    assert_true(pair(R, 0, 3) == 0x1234567890);
    fill64(R, 0, ~0ull);
    RUN(R, OP_CS2R, SLOTS(reg(0), { .kind = OPD_SREG, .imm = 0xff }), BITS(80, 1));
    assert_true(pair(R, 0, 3) == 0);
    refuse(R, inst(OP_S2R, SLOTS(reg(0), { .kind = OPD_SREG, .imm = 0x77 }), PLAIN),
           ERR_UNSUPPORTED, "special register 0x77");
}

/* Uniform destinations take the value whatever lanes are there, and none without any. */
static void writes_uniform_registers(void **state)
{
    set_uniform(&R->w, 4, 5);
    assert_int_equal(run_inst(R,
                              inst(OP_UIADD3,
                                   SLOTS(ureg(6), { .kind = OPD_UPRED, .reg = 0 }, pt(),
                                         ureg(4), imm(-5), ureg(UREG_URZ), pt(), pt()),
                                   PLAIN),
                              1u << 17),
                     EXEC_NEXT);
    assert_int_equal(sass_uniform(&R->w, 6), 0);
    assert_int_equal(R->w.up[0], ALL_LANES); /* 5 + 0xfffffffb carries */
    set_uniform(&R->w, 6, 77);
    assert_int_equal(run_inst(R, inst(OP_UMOV, SLOTS(ureg(6), imm(1)), PLAIN), 0),
                     EXEC_NEXT);
    assert_int_equal(sass_uniform(&R->w, 6), 77);
    RUN(R, OP_UIMAD_WIDE,
        SLOTS(ureg(8), pt(), imm(-1), imm(-1), ureg(UREG_URZ), NOT(pt())), PLAIN);
    assert_int_equal(sass_uniform(&R->w, 8), 1);
    assert_int_equal(sass_uniform(&R->w, 9), 0xfffffffe);
}

static void multiplies_matrices(void **state)
{
    /* A: row g is all ones times g + 1 (f16 1.0 is 0x3c00); B: identity column pattern */
    LANES(l) {
        for (unsigned k = 0; k < 4; k++)
            row(R, k)[l] = 0x3c003c00;
        for (unsigned k = 4; k < 6; k++)
            row(R, k)[l] = 0x40003c00; /* 1, 2 alternating along k */
        for (unsigned k = 8; k < 12; k++)
            row(R, k)[l] = 0x3f800000;
    }
    RUN(R, OP_HMMA, SLOTS(reg(12), reg(0), reg(4), reg(8)), BITS(75, 1, 76, 1));
    for (unsigned k = 12; k < 16; k++)
        assert_int_equal(row(R, k)[13], 0x41c80000); /* 1 + 8 * (1 + 2) */
    RUN(R, OP_IMMA, SLOTS(reg(12), reg(8), reg(9), rz()), BITS(74, 1));
    assert_int_equal(row(R, 12)[0], 4 * (0x80 * 0x80 + 0x3f * 0x3f));
    refuse(R, inst(OP_HMMA, SLOTS(reg(12), reg(0), reg(4), reg(8)), BITS(75, 1, 73, 1)),
           ERR_UNSUPPORTED, "matrix shape");
    LANES(l)
        row(R, 0)[l] = l;
    RUN(R, OP_MOVM, SLOTS(reg(1), reg(0)), PLAIN);
    /* lane 4g + t holds (g, 2t), (g, 2t + 1); value of lane 8 low half goes to (0, 2) */
    assert_int_equal(row(R, 1)[1] & 0xffff, 8);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)
        TEST(subtracts_in_two_words),
        TEST(adds_three_with_two_carries),
        TEST(multiplies_wide_with_carries),
        TEST(multiplies_and_adds),
        TEST(scales_addresses),
        TEST(compares_in_two_words),
        TEST(joins_predicates),
        TEST(does_logic),
        TEST(shifts),
        TEST(moves_predicates_and_words),
        TEST(takes_minima),
        TEST(adds_byte_products),
        TEST(computes_singles),
        TEST(computes_doubles),
        TEST(computes_halves),
        TEST(converts),
        TEST(exchanges_lanes),
        TEST(matches_and_reduces),
        TEST(reads_special_registers),
        TEST(writes_uniform_registers),
        TEST(multiplies_matrices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
