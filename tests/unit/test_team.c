/* Threads that work together: all of the work is done, by those that come in time, and what
 * they wrote is there when the call returns.
 */
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "base/team.h"
#include "check.h"

enum { MEMBERS = 4, ROUNDS = 2000, ITEMS = 40 };

struct job {
    atomic_uint next;
    unsigned done[ITEMS];
    unsigned calls[MEMBERS]; /* by member */
};

/* Takes items until none is left. */
static void take_items(void *to, unsigned member)
{
    struct job *j = to;
    unsigned i;

    j->calls[member]++;
    while ((i = atomic_fetch_add(&j->next, 1)) < ITEMS)
        j->done[i]++;
}

static void run_rounds(struct team *t, struct job *j)
{
    for (unsigned round = 1; round <= ROUNDS; round++) {
        atomic_store(&j->next, 0);
        team_run(t, take_items, j);
        for (unsigned i = 0; i < ITEMS; i++)
            assert_int_equal(j->done[i], round);
    }
    assert_int_equal(j->calls[0], ROUNDS);
}

static void test_all_is_done(void **state)
{
    struct team *t = team_new(MEMBERS, NULL);
    struct job j = { 0 };

    (void)state;
    assert_non_null(t);
    run_rounds(t, &j);
    team_free(t);
}

/* Waits for the others, so that each of them has come once. */
static void meet(void *to, unsigned member)
{
    struct job *j = to;
    unsigned looks = 0;

    j->calls[member]++;
    atomic_fetch_add(&j->next, 1);
    while (atomic_load(&j->next) < MEMBERS)
        team_pause(&looks);
}

static void test_members_come(void **state)
{
    struct team *t = team_new(MEMBERS, NULL);
    struct job j = { 0 };

    (void)state;
    assert_non_null(t);
    team_run(t, meet, &j);
    for (unsigned k = 0; k < MEMBERS; k++)
        assert_int_equal(j.calls[k], 1);
    team_free(t);
}

/* None comes to a round that has returned. */
static void check_closed(struct team *t, struct job *j)
{
    const struct timespec moment = { .tv_nsec = 500000 };

    for (unsigned round = 0; round < 20; round++) {
        unsigned before;

        team_run(t, take_items, j);
        before = j->calls[1];
        nanosleep(&moment, NULL);
        assert_int_equal(j->calls[1], before);
    }
}

/* On a single core the others cannot come in each of many short rounds. */
static void test_late_ones_are_left(void **state)
{
    cpu_set_t all, one;
    struct team *t;
    struct job j = { 0 };

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    t = team_new(2, NULL);
    assert_non_null(t);
    run_rounds(t, &j);
    assert_true(j.calls[1] < ROUNDS / 2);
    check_closed(t, &j);
    team_free(t);
    sched_setaffinity(0, sizeof all, &all);
}

static void test_caller_alone(void **state)
{
    struct job j = { 0 };

    (void)state;
    assert_int_equal(team_size(NULL), 1);
    run_rounds(NULL, &j);
    team_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_done),
        cmocka_unit_test(test_members_come),
        cmocka_unit_test(test_late_ones_are_left),
        cmocka_unit_test(test_caller_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
