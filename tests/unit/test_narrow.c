/* test_narrow.c - instructions without the hazards that a machine does not look at. */
#include <stdlib.h>

#include "check.h"
#include "core/narrow.h"

enum { N_INSTS = 4000, N_UOPS = 8 };

static struct core_params params(bool predicates, bool uniform, bool wide)
{
    return (struct core_params){ .hazard_predicates = predicates,
                                 .hazard_uniform = uniform,
                                 .hazard_convergence = true,
                                 .hazard_wide = wide };
}

/* R4 = R8..R9 under P1, with UR3. */
static struct inst example(void)
{
    struct inst i = { .n_src = 1, .n_dst = 1 };

    i.src[0] = (struct inst_operand){ .reg = 8, .n = 2, .slot = 3 };
    i.dst[0] = (struct inst_operand){ .reg = 4, .n = 1, .slot = 3 };
    regset_add(&i.reads, 8);
    regset_add(&i.reads, 9);
    regset_add(&i.reads, REGID_P + 1);
    regset_add(&i.reads, REGID_UR + 3);
    regset_add(&i.writes, 4);
    inst_index(&i);
    i.has_distances = true;
    for (unsigned k = 0; k < 5; k++)
        i.distance[k] = (uint8_t)i.list.reg[k]; /* to be told by */
    return i;
}

static void sees(const struct core_params *p, bool high, bool predicate, bool uniform)
{
    struct err err = { 0 };
    struct narrow *n = narrow_new(p, N_UOPS, &err);
    struct inst i = example();
    const struct inst *as = narrow_inst(n, &i, 0);

    assert_true(narrow_is_needed(p));
    assert_true(regset_has(&as->reads, 8));
    assert_int_equal(regset_has(&as->reads, 9), high);
    assert_int_equal(regset_has(&as->reads, REGID_P + 1), predicate);
    assert_int_equal(regset_has(&as->reads, REGID_UR + 3), uniform);
    assert_int_equal(as->list.n_reads, 1 + high + predicate + uniform);
    assert_true(regset_has(&as->writes, 4));
    assert_int_equal(as->has_distances, high);
    for (unsigned k = 0; k <= as->list.n_reads; k++)
        assert_int_equal(as->distance[k], (uint8_t)as->list.reg[k]);
    narrow_free(n);
}

static void only_what_is_switched_off_goes(void **state)
{
    struct core_params all = params(true, true, true);
    struct core_params p = params(false, true, true);

    (void)state;
    assert_false(narrow_is_needed(&all));
    sees(&p, true, false, true);
    p = params(true, false, true);
    sees(&p, true, true, false);
    p = params(true, true, false);
    sees(&p, false, true, true);
}

/* Those that find no place are narrowed for each user, into a copy of its own. */
static void more_than_the_table_holds(void **state)
{
    struct core_params p = params(false, true, true);
    struct err err = { 0 };
    struct narrow *n = narrow_new(&p, N_UOPS, &err);
    struct inst *many = calloc(N_INSTS, sizeof *many);
    const struct inst *first, *last;

    (void)state;
    for (unsigned k = 0; k < N_INSTS; k++) {
        many[k] = example();
        many[k].pc = k;
        last = narrow_inst(n, &many[k], (uop_id)(k % N_UOPS));
        assert_int_equal(last->pc, k);
        assert_false(regset_has(&last->reads, REGID_P + 1));
    }
    first = narrow_inst(n, &many[0], 1);
    assert_int_equal(first->pc, 0);
    assert_ptr_equal(first, narrow_inst(n, &many[0], 2));
    last = narrow_inst(n, &many[N_INSTS - 1], 1);
    assert_ptr_not_equal(last, narrow_inst(n, &many[N_INSTS - 1], 2));
    narrow_free(n);
    free(many);
}

/* Another kernel's instruction may stand at the same address. */
static void a_kernel_starts_anew(void **state)
{
    struct core_params p = params(false, true, true);
    struct err err = { 0 };
    struct narrow *n = narrow_new(&p, N_UOPS, &err);
    struct inst i = example();

    (void)state;
    assert_true(regset_has(&narrow_inst(n, &i, 0)->reads, 8));
    i.reads.w[0] = 0;
    narrow_forget(n);
    assert_false(regset_has(&narrow_inst(n, &i, 0)->reads, 8));
    narrow_free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_switched_off_goes),
        cmocka_unit_test(more_than_the_table_holds),
        cmocka_unit_test(a_kernel_starts_anew),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
