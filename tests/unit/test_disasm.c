/* test_disasm.c - every recorded instruction word gives the text nvdisasm gave.
 *
 * tests/data/disasm/reference.txt.zst holds "SM WORD TEXT" lines, made from our own
 * kernels for sm_75, sm_86 and sm_90: up to two samples of each shape of operands and
 * modifiers. White space at the end is not compared. flipped.txt.zst beside it has
 * words of compiled code with one bit flipped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "frontend/sass/decode/decode.h"
#include "frontend/sass/print/disasm.h"
#include "zst.h"

/* nvdisasm puts a blank behind some operands (+INF); the record has none at the end. */
static bool same_but_end(const char *want, const char *got)
{
    size_t n = strlen(got);

    while (n && got[n - 1] == ' ')
        n--;
    return strlen(want) == n && memcmp(want, got, n) == 0;
}

static struct word parse_word(const char *hex)
{
    char part[17] = { 0 };
    struct word w;

    memcpy(part, hex, 16);
    w.hi = strtoull(part, NULL, 16);
    memcpy(part, hex + 16, 16);
    w.lo = strtoull(part, NULL, 16);
    return w;
}

/* Decodes and prints every word of a file at the address pc; counts lines by
 * architecture. The number of those whose text differs; the first few are shown. */
static unsigned compare_words(const char *path, uint64_t pc, unsigned n[N_SASS_ARCH],
                              unsigned shown)
{
    char *text = zst_text(path), *next;
    struct buf out = { 0 };
    unsigned bad = 0;

    for (char *line = text; *line; line = next) {
        struct sass_inst inst;
        char *word = strchr(line, ' ') + 1; /* after the number of the architecture */
        int arch = sass_arch_of((unsigned)atoi(line));

        next = strchr(line, '\n');
        assert_non_null(next);
        *next++ = '\0';
        assert_true(arch >= 0);
        sass_decode(&inst, (enum sass_arch)arch, parse_word(word), pc);
        buf_clear(&out);
        if (inst.row)
            sass_print(&out, &inst, NULL);
        n[arch]++;
        if (!same_but_end(word + 33, buf_text(&out)) && bad++ < shown)
            print_error("%.36s\n  expected %s\n  got      %s\n", line, word + 33,
                        buf_text(&out));
    }
    buf_free(&out);
    free(text);
    return bad;
}

static void test_reference(void **state)
{
    unsigned n[N_SASS_ARCH] = { 0 };

    (void)state;
    assert_int_equal(compare_words("tests/data/disasm/reference.txt.zst", 0, n, 10), 0);
    assert_true(n[SM75] > 5000 && n[SM86] > 5000 && n[SM90] > 5000);
}

/* One or two samples of each shape, of the other architectures that compilers have. */
static void test_other_archs(void **state)
{
    unsigned n[N_SASS_ARCH] = { 0 };

    (void)state;
    assert_int_equal(compare_words("tests/data/disasm/others.txt.zst", 0, n, 10), 0);
    assert_true(n[SM80] > 2000 && n[SM86] > 4000 && n[SM89] > 2000);
    assert_true(n[SM100] > 9000 && n[SM120] > 7000);
}

/* Words with one bit flipped, which a compiler mostly does not emit: some texts differ,
 * but not more than when the data was taken. */
static void test_flipped(void **state)
{
    unsigned n[N_SASS_ARCH] = { 0 }, bad;

    (void)state;
    bad = compare_words("tests/data/disasm/flipped.txt.zst", 0x20, n, 0);
    print_message("%u of %u flipped words differ\n", bad, n[SM75] + n[SM86] + n[SM90]);
    assert_true(bad <= 103);
    assert_true(n[SM75] > 1500 && n[SM86] > 1500 && n[SM90] > 1500);
}

static void decode(struct sass_inst *i, enum sass_arch arch, uint64_t hi, uint64_t lo)
{
    assert_true(sass_decode(i, arch, (struct word){ lo, hi }, 0x100));
}

/* Words that the reference has no sample of. That the immediate of I2F.U32 has no sign is
 * concluded from a report that ours differed, not from a text of nvdisasm. */
static void test_single_words(void **state)
{
    static const struct {
        enum sass_arch arch;
        uint64_t hi, lo;
        const char *text;
    } words[] = {
        { SM86, 0x000fe200078e00ff, 0x0000000104067824,
          "IMAD.MOV.U32 R6, R4, 0x1, RZ" },
        { SM90, 0x000fe200078e02ff, 0x0000000104067824, "IMAD.MOV R6, R4, 0x1, RZ" },
        { SM90, 0x000fe200078e0205, 0x0000000104067824, "IMAD.IADD R6, R4, 0x1, R5" },
        { SM90, 0x000e2e0000209000, 0x9000000100057906, "I2F.U32.RP R5, 0x90000001" },
        { SM90, 0x000e640000209400, 0xfffffffb00097906, "I2F.RP R9, -0x5" },
    };
    struct buf out = { 0 };
    struct sass_inst i;

    (void)state;
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
        decode(&i, words[k].arch, words[k].hi, words[k].lo);
        buf_clear(&out);
        sass_print(&out, &i, NULL);
        assert_string_equal(buf_text(&out), words[k].text);
    }
    buf_free(&out);
}

/* find_row() searches by opcode; a form must not lead to two rows of one arch. */
static void test_table(void **state)
{
    const struct op_row *rows = sass_rows();

    (void)state;
    for (unsigned k = 0; k + 1 < N_SASS_OP; k++)
        assert_true(rows[k].opcode <= rows[k + 1].opcode);
    for (unsigned k = 0; k < N_SASS_OP; k++)
        for (unsigned m = k + 1; m < N_SASS_OP; m++)
            assert_false(rows[k].opcode == rows[m].opcode &&
                         rows[k].forms & rows[m].forms &&
                         rows[k].archs & rows[m].archs);
}

/* @P1 DFMA R6, R4, R6, c[0x0][0x1b0] and friends: the sets come from the slots. */
static void test_register_sets(void **state)
{
    struct sass_inst i;

    (void)state;
    decode(&i, SM90, 0x000fe20000000006,
           0x000000080a08122b); /* @P1 DFMA R8,R10,R8,R6 */
    for (unsigned r = 6; r < 12; r++)
        assert_true(regset_has(&i.base.reads, REGID_R + r));
    assert_true(regset_has(&i.base.reads, REGID_P + 1));
    assert_true(regset_has(&i.base.writes, REGID_R + 8));
    assert_true(regset_has(&i.base.writes, REGID_R + 9));
    assert_false(regset_has(&i.base.writes, REGID_R + 10));

    decode(&i, SM90, 0x000ea8000c1e1d00, 0x0000009008020c7981 & ~0ull); /* LDG.E.128 */
    assert_int_equal(i.base.space, SPACE_GLOBAL);
    assert_int_equal(i.base.bytes, 16);
    assert_true(regset_has(&i.base.reads, REGID_R + 2));
    assert_true(regset_has(&i.base.reads, REGID_R + 3));
    assert_true(regset_has(&i.base.reads, REGID_UR + 8));
    for (unsigned r = 12; r < 16; r++)
        assert_true(regset_has(&i.base.writes, REGID_R + r));

    decode(&i, SM90, 0x000fe200078e00ff,
           0x000000ffff037224); /* IMAD.MOV.U32 R3, RZ... */
    assert_false(regset_has(&i.base.reads, REGID_R + 255));
    assert_true(regset_has(&i.base.writes, REGID_R + 3));
}

/* P2R and R2P name predicates by a mask; one in a register may choose any. */
static void test_packed_predicates(void **state)
{
    struct sass_inst i;

    (void)state;
    decode(&i, SM90, 0x000fc80000000000,
           0x00000041ff0a7803); /* P2R R10, PR, RZ, 0x41 */
    for (unsigned p = 0; p < PRED_PT; p++) {
        assert_int_equal(regset_has(&i.base.reads, REGID_P + p), p == 0 || p == 6);
        assert_false(regset_has(&i.base.writes, REGID_P + p));
    }
    decode(&i, SM90, 0x000fe40000000000, 0x000000860a007804); /* R2P PR, R10, 0x86 */
    for (unsigned p = 0; p < PRED_PT; p++) {
        assert_int_equal(regset_has(&i.base.writes, REGID_P + p), p == 1 || p == 2);
        assert_false(regset_has(&i.base.reads, REGID_P + p));
    }
    assert_true(i.base.flags & INST_SETS_PRED);
    decode(&i, SM90, 0x000fe40000000000, 0x000000040a007204); /* R2P PR, R10, R4 */
    for (unsigned p = 0; p < PRED_PT; p++) {
        assert_true(regset_has(&i.base.writes, REGID_P + p));
        assert_true(regset_has(&i.base.reads, REGID_P + p));
    }
}

static void test_control(void **state)
{
    struct sass_inst i;

    (void)state;
    decode(&i, SM90, 0x000e220000000000, 0x0000000000057919); /* S2R R5, SR_LANEID */
    assert_int_equal(i.base.control.stall, 1);
    assert_int_equal(i.base.control.write_barrier, 0);
    assert_int_equal(i.base.control.read_barrier, 7);
    assert_int_equal(i.base.control.wait_mask, 0);
    assert_false(i.base.control.yield);
    decode(&i, SM90, 0x008fca00000000000,
           0x0000000913097223 | 0); /* FFMA, waits for 3 */
    (void)i;
}

static void test_branch_target(void **state)
{
    struct sass_inst i;

    (void)state;
    /* @!P0 BRA -0x40 seen from the next instruction: split field of sm_90 */
    decode(&i, SM90, 0x000fea000383ffff, 0xfffffffc00b08947);
    assert_int_equal(i.opd[BRA_TARGET].kind, OPD_TARGET);
    assert_true(i.opd[BRA_TARGET].imm < 0x100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_other_archs),
        cmocka_unit_test(test_flipped),
        cmocka_unit_test(test_single_words),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_register_sets),
        cmocka_unit_test(test_packed_predicates),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_branch_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
