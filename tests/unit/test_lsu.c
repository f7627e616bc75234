/* test_lsu.c - load/store units: latencies at every level, as Accel-Sim has them. */
#include <stdio.h>

#include "mem_rig.h"

static void l1_hit_issues_its_reader_after_24(void **state)
{
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    assert_true(rig_chain(&r, RIG_LOAD, SPACE_GLOBAL, 0, 4, 1, 20) == 24.0);
    rig_free(&r);
}

static void shared_load_takes_25(void **state)
{
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    assert_true(rig_chain(&r, RIG_LOAD, SPACE_SHARED, 0, 4, 1, 20) == 25.0);
    rig_free(&r);
}

static void l2_hit_takes_175(void **state)
{
    struct rig r;

    (void)state;
    rig_defaults(&r, 1);
    rig_build(&r);
    printf("L2 %g\n", rig_chain(&r, RIG_LOAD_CG, SPACE_GLOBAL, 0, 4, 1, 20));
    rig_free(&r);
    rig_defaults(&r, 1);
    rig_build(&r);
    printf("DRAM %g\n", rig_chain(&r, RIG_LOAD, SPACE_GLOBAL, 4096, 4, 16, 256));
    rig_free(&r);
    rig_defaults(&r, 1);
    rig_build(&r);
    printf("DRAM cg %g\n", rig_chain(&r, RIG_LOAD_CG, SPACE_GLOBAL, 4096, 4, 16, 256));
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1_hit_issues_its_reader_after_24),
        cmocka_unit_test(shared_load_takes_25),
        cmocka_unit_test(l2_hit_takes_175),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
