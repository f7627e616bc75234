/* test_sass_names.c - the names of slots and fields fit the handlers that use them.
 *
 * A handler uses the names of one opcode. Where it serves several, they must be declared
 * LIKE that one in opcodes.def, which the build then checks.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "frontend/sass/decode/decode.h"
#include "frontend/sass/exec/handlers.h"

static const char *const names[] = {
#define OP(id, opcode, forms, archs, class, format) #id,
#include "frontend/sass/decode/opcodes.def"
#undef OP
};

static const struct {
    enum sass_op op, other;
} likes[] = {
#define OP(id, opcode, forms, archs, class, format)
#define LIKE(id, other) { OP_##id, OP_##other },
#include "frontend/sass/decode/opcodes.def"
#undef OP
};

/* The opcode whose names hold for op. */
static enum sass_op root_of(enum sass_op op)
{
    for (size_t k = 0; k < sizeof likes / sizeof *likes; k++)
        if (likes[k].op == op)
            return likes[k].other;
    return op;
}

/* Handlers for opcodes that are not alike: they ask for the opcode where slots differ, and
 * assert that the fields they read are in the same bits. */
static bool tells_opcodes_apart(exec_fn *fn)
{
    static exec_fn *const handlers[] = { exec_nothing,   exec_load,       exec_store,
                                         exec_ldc,       exec_atom,       exec_atom_cas,
                                         exec_red,       exec_atom_float, exec_tex,
                                         exec_tld,       exec_tld4,       exec_txd,
                                         exec_mov64,     exec_f32x2,      exec_txq,
                                         exec_tma_commit };

    for (size_t k = 0; k < sizeof handlers / sizeof *handlers; k++)
        if (handlers[k] == fn)
            return true;
    return false;
}

static void test_shared_handlers(void **state)
{
    (void)state;
    for (enum sass_op a = 0; a < N_SASS_OP; a++)
        for (enum sass_op b = 0; b < a; b++)
            if (sass_handlers[a] && sass_handlers[a] == sass_handlers[b] &&
                !tells_opcodes_apart(sass_handlers[a]) && root_of(a) != root_of(b))
                fail_msg("%s and %s share a handler and are not LIKE each other",
                         names[a], names[b]);
}

/* What the makers of names promise: slots in order, a field where its row says. */
static void test_values(void **state)
{
    struct sass_inst i = { .word = { 0, 0 } };

    (void)state;
    assert_int_equal(IADD3_D, 0);
    assert_int_equal(IADD3_CARRY2_IN, 7);
    assert_int_equal(IADD3_X, SASS_FIELD(74, 1, 0));
    assert_int_equal(ISETP_CMP, SASS_FIELD(76, 3, 0));
    assert_int_equal(IDP_HI, SASS_FIELD(77, 1, 0));
    assert_true(sass_has(&i, ISETP_U32));
    assert_false(sass_has(&i, IADD3_X));
    i.word.hi = UINT64_C(5) << (76 - 64) | 1 << (73 - 64) | 1 << (74 - 64);
    assert_int_equal(sass_field(&i, ISETP_CMP), 5);
    assert_false(sass_has(&i, ISETP_U32));
    assert_true(sass_has(&i, IADD3_X));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_handlers),
        cmocka_unit_test(test_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
