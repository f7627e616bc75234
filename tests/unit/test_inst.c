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
        cmocka_unit_test(late_source),
        cmocka_unit_test(late_source_is_a_factor),
        cmocka_unit_test(marks_by_shape),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
