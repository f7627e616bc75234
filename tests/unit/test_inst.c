/* test_inst.c - facts of an instruction and of a kernel that several rooms ask for. */
#include "check.h"
#include "isa/inst.h"
#include "isa/shape.h"

enum { A = 10, B = 12, C = 20 }; /* first registers of a product's sources */

/* A product of A and B and an addend of two registers. */
static struct inst wide_product(uint8_t addend)
{
    return (struct inst){
        .class = CLASS_imul_wide,
        .n_src = 3,
        .src = { { .reg = A, .n = 1 }, { .reg = B, .n = 1 }, { .reg = addend, .n = 2 } }
    };
}

static void late_source(void **state)
{
    struct inst i = wide_product(C);

    (void)state;
    assert_int_equal(inst_late_source(&i), C + 1);
    i.class = CLASS_imul;
    assert_int_equal(inst_late_source(&i), N_REGID);
    i = wide_product(C);
    i.src[2].n = 1;
    assert_int_equal(inst_late_source(&i), N_REGID);
}

/* The upper half of the addend is a factor too: it is read with the factors. */
static void late_source_is_a_factor(void **state)
{
    struct inst i = wide_product(A - 1);

    (void)state;
    assert_int_equal(inst_late_source(&i), N_REGID);
    i = wide_product(B - 1);
    assert_int_equal(inst_late_source(&i), N_REGID);
    i = wide_product(A - 2);
    assert_int_equal(inst_late_source(&i), A - 1);
    i = wide_product(A);
    assert_int_equal(inst_late_source(&i), A + 1);
}

/* Issue has nothing to do for an instruction but to hand it to its unit, unless one of
 * these facts says otherwise. */
static void plain_unless(void **state)
{
    static const struct inst plain = { .class = CLASS_int, .depbar = NO_DEPBAR };
    static const uint16_t flags[] = { INST_EXIT,  INST_CONTROL,  INST_SYNC,
                                      INST_ASYNC, INST_CONVERGE, INST_TIME,
                                      INST_PHASE, INST_COPIES };
    static const uint8_t classes[] = { CLASS_load,   CLASS_store,  CLASS_atomic,
                                       CLASS_branch, CLASS_exit,   CLASS_barrier,
                                       CLASS_fence,  CLASS_texture };
    struct inst i = plain;

    (void)state;
    i.flags = INST_SETS_PRED | INST_REDO | INST_INSERTED;
    assert_true((inst_index(&i), i.is_plain));
    for (unsigned k = 0; k < sizeof flags / sizeof *flags; k++) {
        i = plain;
        i.flags = flags[k];
        assert_false((inst_index(&i), i.is_plain));
    }
    for (unsigned k = 0; k < sizeof classes; k++) {
        i = plain;
        i.class = classes[k];
        assert_false((inst_index(&i), i.is_plain));
    }
    i = (struct inst){ .class = CLASS_int, .depbar = 0 };
    assert_false((inst_index(&i), i.is_plain));
    i = (struct inst){ .class = CLASS_misc, .depbar = NO_DEPBAR, .depbar_all = 1 };
    assert_false((inst_index(&i), i.is_plain));
    i = (struct inst){ .class = CLASS_misc, .depbar = NO_DEPBAR, .products_left = 1 };
    assert_false((inst_index(&i), i.is_plain));
    i = (struct inst){ .class = CLASS_misc,
                       .depbar = NO_DEPBAR,
                       .memory = INST_WRITES };
    assert_false((inst_index(&i), i.is_plain));
}

static void registers_written(void **state)
{
    struct inst i = { .n_dst = 2,
                      .dst = { { .reg = A, .n = 2 }, { .reg = C, .n = 4 } } };

    (void)state;
    inst_index(&i);
    assert_int_equal(i.n_written, 6);
    i.n_dst = 0;
    inst_index(&i);
    assert_int_equal(i.n_written, 0);
}

static void marks_by_shape(void **state)
{
    static const struct {
        uint32_t block[3];
        enum redundancy weakest;
    } shapes[] = {
        { { 256, 1, 1 }, REDUNDANT },         { { 16, 16, 1 }, REDUNDANT_BY_SHAPE },
        { { 32, 4, 2 }, REDUNDANT_BY_SHAPE }, { { 24, 8, 1 }, REDUNDANT },
        { { 64, 4, 1 }, REDUNDANT },          { { 8, 4, 4 }, REDUNDANT_BY_PLANE },
        { { 8, 4, 1 }, REDUNDANT_BY_SHAPE },  { { 16, 1, 8 }, REDUNDANT_BY_PLANE },
        { { 8, 3, 4 }, REDUNDANT_BY_SHAPE },
    };

    (void)state;
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct kernel kernel = { 0 };

        for (unsigned d = 0; d < 3; d++)
            kernel.block[d] = shapes[k].block[d];
        assert_int_equal(kernel_weakest_mark(&kernel), shapes[k].weakest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_source),    cmocka_unit_test(late_source_is_a_factor),
        cmocka_unit_test(plain_unless),   cmocka_unit_test(registers_written),
        cmocka_unit_test(marks_by_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
