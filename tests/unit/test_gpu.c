/* test_gpu.c - the clock of a GPU: when nothing can happen any more; what its cores are;
 * its threads.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "core/state.h"
#include "session/jobs.h"
#include "sim/sms.h"

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
    s = sms_of(g)->sm[0];
    s->blocks.n = 1;
    agenda_set(&s->wake.agenda, SM_TIMER, 4711);
    assert_true(sm_wakes(s) == 4711);
    agenda_set(&s->wake.agenda, SM_TIMER, NEVER);
    assert_true(sm_wakes(s) >= NEVER);
    agenda_set(&s->wake.agenda, SM_TIMER, UINT64_MAX);
    assert_true(sm_wakes(s) >= NEVER);
    s->blocks.n = 0;
    gpu_free(g);
    machine_free(m);
}

/* What a machine's cores are is known when it is built: settings come too late. */
static void kind_is_fixed(void **state)
{
    static const struct {
        const char *gpu, *same, *other;
    } machines[] = { { "rtx2060s", "gpu.core=sm", "gpu.core=vortex" },
                     { "vortex-4x4", "gpu.core=vortex", "gpu.core=sm" } };

    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct err err = { 0 };
        struct machine *m = machine_new(machines[i].gpu, "inorder", &err);

        assert_non_null(m);
        assert_int_equal(machine_set(m, machines[i].same, &err), 0);
        assert_int_equal(machine_set(m, machines[i].other, &err), -1);
        assert_non_null(strstr(err.text, "--gpu"));
        machine_free(m);
    }
}

/* Lets the process have so many more bytes of addresses; returns the limit before. */
static struct rlimit limit_addresses(rlim_t more)
{
    struct rlimit before, now;
    unsigned long pages;
    FILE *f = fopen("/proc/self/statm", "r");

    assert_non_null(f);
    assert_int_equal(fscanf(f, "%lu", &pages), 1);
    fclose(f);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    now = before;
    now.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    assert_int_equal(setrlimit(RLIMIT_AS, &now), 0);
    return before;
}

/* Where the host refuses threads, the default makes do with fewer; a number that was asked
 * for is an error. */
static void default_threads_are_fewer(void **state)
{
    struct err err = { 0 }, refused = { 0 };
    struct machine *m = machine_new("rtx2060s", "inorder", &err);
    struct gpu *g = m ? gpu_new(m, &err) : NULL;
    struct rlimit before;
    int asked, by_default;

    (void)state;
#ifdef __SANITIZE_ADDRESS__
    gpu_free(g);
    machine_free(m);
    skip(); /* its shadow memory needs addresses without a limit */
#endif
    assert_non_null(g);
    before = limit_addresses(40 << 20);
    asked = jobs_start_threads(g, (struct run_threads){ 34, true }, &refused);
    by_default = jobs_start_threads(g, (struct run_threads){ 34, false }, &err);
    setrlimit(RLIMIT_AS, &before);
    assert_int_equal(asked, -1);
    assert_non_null(strstr(refused.text, "try fewer (--threads)"));
    assert_int_equal(by_default, 0);
    gpu_free(g);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_is_no_cycle),
        cmocka_unit_test(kind_is_fixed),
        cmocka_unit_test(default_threads_are_fewer),
    };

    return cmocka_run_group_tests_name("gpu", tests, NULL, NULL);
}
