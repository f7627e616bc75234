/* test_loops.c - loops of recorded code, from the texts of its instructions. */
#include "check.h"
#include "frontend/replay/loops.h"

enum { FIRST_PC = 0x1000, LENGTH = 16 };

/* Instructions from FIRST_PC on; NULL: one that was not executed. */
static int find(const char *const *text, unsigned n, struct kernel_loops *l,
                struct err *err)
{
    struct inst_table t = { 0 };
    int failed;

    for (unsigned k = 0; k < n; k++) {
        const struct inst i = { .pc = FIRST_PC + LENGTH * k, .length = LENGTH };

        if (!text[k])
            continue;
        assert_int_equal(table_add(&t, &i, err), 0);
        table_set_text(&t, text[k], strlen(text[k]));
    }
    failed = loops_of_table(&t, FIRST_PC, l, err);
    table_free(&t);
    return failed;
}

static void forget(struct kernel_loops *l)
{
    free(l->innermost);
    free(l->loop);
}

static void loops_are_those_of_the_texts(void **state)
{
    static const char *const text[] = {
        "MOV R1, c[0x0][0x28]",
        "@P0 EXIT",
        "IADD3 R1, R1, 0x1, RZ",
        "CALL.REL.NOINC 0x80",
        "BRA.DIV UR4, 0x0",
        "@!P1 BRA 0x20",
        "EXIT",
        "BRA 0x0",
        "RET.REL.NODEC R2 0x0",
    };
    struct kernel_loops l;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(find(text, sizeof text / sizeof *text, &l, &err), 0);
    assert_int_equal(l.n, 2);
    assert_int_equal(l.loop[0].header,
                     FIRST_PC); /* by BRA.DIV, which may fall through */
    assert_int_equal(l.loop[1].header, FIRST_PC + 0x20);
    assert_int_equal(l.loop[1].parent, 0);
    assert_int_equal(kernel_loop_of(&l, FIRST_PC + 0x50), 1);
    assert_int_equal(kernel_loop_of(&l, FIRST_PC + 0x60), NO_LOOP);
    assert_int_equal(kernel_loop_of(&l, FIRST_PC + 0x70), NO_LOOP); /* after EXIT */
    forget(&l);
}

static void what_was_not_executed_ends_the_flow(void **state)
{
    static const char *const text[] = { "NOP", NULL, "@P0 BRA 0x0", "BRA 0x500" };
    struct kernel_loops l;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(find(text, 4, &l, &err), 0);
    assert_int_equal(l.n, 0);
    forget(&l);
}

static void others_are_not_known(void **state)
{
    static const char *const indirect[] = { "BRX R2 -0x10" }, *const traced[] = {
        "BRA"
    };
    struct kernel_loops l;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(find(indirect, 1, &l, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    err = (struct err){ 0 };
    assert_int_equal(find(traced, 1, &l, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_those_of_the_texts),
        cmocka_unit_test(what_was_not_executed_ends_the_flow),
        cmocka_unit_test(others_are_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
