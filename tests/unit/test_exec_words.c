/* test_exec_words.c - instructions as their words: active lanes in barrier registers, pairs
 * of halves, and what is refused by name.
 */
#include "exec_rig.h"
#include "frontend/sass/exec/step.h"

#define R ((struct rig *)*state)

static enum exec_result run_word(struct rig *r, enum sass_arch arch, uint64_t hi,
                                 uint64_t lo)
{
    struct sass_inst i;

    assert_true(sass_decode(&i, arch, (struct word){ lo, hi }, 0));
    r->module.code = &i;
    r->module.n_code = 1;
    return sass_step(&r->w, &i, r->w.active, &r->grid.time);
}

enum { SAVE, WIDEN, GIVE_BACK }; /* BMOV.32 B15, MACTIVE; .PQUAD MACTIVE, B15; ... */

static enum exec_result move_active(struct rig *r, unsigned which)
{
    static const uint64_t words[][2] = {
        { 0x000fe20000000000, 0x000000001a0f7f55 },
        { 0x000fe40000100000, 0x000000001a0f7f56 },
        { 0x000fe40000000000, 0x000000001a0f7f56 },
    };

    return run_word(r, SM86, words[which][0], words[which][1]);
}

static void keeps_whole_quads_active(void **state)
{
    R->w.active = 0x00f0ff0f;
    assert_int_equal(move_active(R, SAVE), EXEC_NEXT);
    assert_int_equal(R->w.b[15], 0x00f0ff0f);
    assert_int_equal(move_active(R, WIDEN), EXEC_NEXT);
    assert_int_equal(move_active(R, GIVE_BACK), EXEC_NEXT);
    assert_int_equal(R->w.active, 0x00f0ff0f);
}

static void refuses_lanes_beside_the_active(void **state)
{
    R->w.active = 0x80000120;
    assert_int_equal(move_active(R, SAVE), EXEC_NEXT);
    assert_int_equal(move_active(R, WIDEN), EXEC_ERROR);
    assert_non_null(strstr(R->err.text, "from 80000120 to f0000ff0"));
    assert_non_null(strstr(R->err.text, "'BMOV.32.PQUAD MACTIVE, B15'"));
    R->w.b[15] = 0x80000020;
    assert_int_equal(move_active(R, GIVE_BACK), EXEC_ERROR);
}

/* MUFU.EX2.F16x2 R6, R6 and MUFU.EX2.BF16x2 R8, R8, of sm_103. */
static void computes_pairs_of_halves(void **state)
{
    fill(R, 6, 0x40003c00); /* 2, 1 */
    assert_int_equal(run_word(R, SM100, 0x008ee40000000b00, 0x0000000600067308),
                     EXEC_NEXT);
    assert_int_equal(row(R, 6)[9], 0x44004000);
    fill(R, 8, 0x40403f80); /* 3, 1 */
    assert_int_equal(run_word(R, SM100, 0x004e240000010800, 0x0000000800087308),
                     EXEC_NEXT);
    assert_int_equal(row(R, 8)[31], 0x41004000);
}

static void names_tensor_instructions(void **state)
{
    static const struct {
        uint64_t hi, lo;
        const char *name;
    } words[] = {
        { 0x0001e40008000008, 0x00ff040a0c0075ea, "UTCHMMA" },
        { 0x0001d80008200104, 0x00ff0a08060075ea, "UTCIMMA" },
        { 0x0001d80008400306, 0x0008040a07007fea, "UTCQMMA" },
        { 0x0001d80008000006, 0xc008040c0a0075ea, "UTCOMMA" },
        { 0x0001d80009310000, 0x00000006040079e7, "UTCCP" },
        { 0x000fd80008210000, 0x00000000040079e6, "UTCSHIFT" },
        { 0x0001d80008200805, 0x000000ff040073e9, "UTCBAR" },
        { 0x000e240008000800, 0x00000006000605e3, "UTCATOMSWS" }, /* @UP0 */
        { 0x000e24000814000e, 0x00000004070875ee, "LDTM" },
        { 0x008fe20008350004, 0x00000004000079ed, "STTM" },
    };

    for (unsigned k = 0; k < sizeof words / sizeof *words; k++) {
        char expected[64];

        snprintf(expected, sizeof expected,
                 "%s (fifth-generation tensor core) is not supported: kernel bench",
                 words[k].name);
        assert_int_equal(run_word(R, SM100, words[k].hi, words[k].lo), EXEC_ERROR);
        assert_int_equal(R->err.code, ERR_UNSUPPORTED);
        assert_ptr_equal(strstr(R->err.text, expected), R->err.text);
    }
}

/* UFADD UR4, UR8, UR10: the second source is in the third field. */
static void adds_uniform_floats(void **state)
{
    LANES(l) {
        R->uniform[8][l] = 0x3f800000;  /* 1 */
        R->uniform[10][l] = 0x40000000; /* 2 */
    }
    assert_int_equal(run_word(R, SM120, 0x001fe2000801000a, 0x0000000008047254),
                     EXEC_NEXT);
    assert_int_equal(R->uniform[4][0], 0x40400000);
}

/* LDG.E.ENL2.256 R6, R4, desc[UR4][R4.64+0x1a0], 0x93: four of eight words. */
static void loads_words_that_are_wanted(void **state)
{
    uint32_t words[8] = { 10, 11, 12, 13, 14, 15, 16, 17 };

    memcpy(space_at(&R->space, R->global + 0x1a0), words, sizeof words);
    fill64(R, 4, R->global);
    assert_int_equal(run_word(R, SM100, 0x001eac0008121906, 0x26000d040404797e),
                     EXEC_NEXT);
    assert_int_equal(row(R, 4)[3], 10);
    assert_int_equal(row(R, 5)[3], 11);
    assert_int_equal(row(R, 6)[3], 14);
    assert_int_equal(row(R, 7)[3], 17);
}

/* STG.E.ENL2.256 desc[UR6][R20.64+0x40], R4, R8 */
static void stores_eight_words(void **state)
{
    const uint32_t *at = space_at(&R->space, R->global + 0x40);

    for (unsigned k = 0; k < 8; k++)
        fill(R, 4 + k, 100 + k);
    fill64(R, 20, R->global);
    assert_int_equal(run_word(R, SM120, 0x004fe8000f121806, 0xf80002041408797f),
                     EXEC_NEXT);
    for (unsigned k = 0; k < 8; k++)
        assert_int_equal(at[k], 100 + k);
    fill64(R, 20, R->global + 16);
    assert_int_equal(run_word(R, SM120, 0x004fe8000f121806, 0xf80002041408797f),
                     EXEC_ERROR);
    assert_non_null(strstr(R->err.text, "misaligned"));
}

/* LDSM.8.MT1616 R6, [R2]: must not pass for another shape. */
static void refuses_other_matrices(void **state)
{
    assert_int_equal(run_word(R, SM100, 0x004e280000013800, 0x000000000206783b),
                     EXEC_ERROR);
    assert_non_null(strstr(R->err.text, "'LDSM.8.MT1616 R6, [R2]'"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, rig_setup, rig_teardown)
        TEST(keeps_whole_quads_active), TEST(refuses_lanes_beside_the_active),
        TEST(computes_pairs_of_halves), TEST(names_tensor_instructions),
        TEST(adds_uniform_floats),      TEST(loads_words_that_are_wanted),
        TEST(stores_eight_words),       TEST(refuses_other_matrices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
