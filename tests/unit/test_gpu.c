/* test_gpu.c - the clock of a GPU: when nothing can happen any more. */
#include "check.h"
#include "core/state.h"
#include "sim/internal.h"

/* A latch that is never free must not be taken for an event, or the clock would jump there
 * and a deadlock be reported in that cycle. */
static void never_is_no_cycle(void **state)
{
    struct err err = { 0 };
    struct machine *m = machine_new("rtx2060s", "inorder", &err);
    struct gpu *g = m ? gpu_new(m, &err) : NULL;
    struct sm *s;

    (void)state;
    assert_non_null(g);
    s = g->sm[0];
    s->n_blocks = 1;
    s->wake = 4711;
    assert_true(sm_wakes(s) == 4711);
    s->wake = NEVER;
    assert_true(sm_wakes(s) == UINT64_MAX);
    s->wake = UINT64_MAX;
    assert_true(sm_wakes(s) == UINT64_MAX);
    s->n_blocks = 0;
    gpu_free(g);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_is_no_cycle),
    };

    return cmocka_run_group_tests_name("gpu", tests, NULL, NULL);
}
