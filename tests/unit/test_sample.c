/* test_sample.c - launches that are sampled, and the interval of the estimate. */
#include <math.h>

#include "check.h"
#include "random.h"
#include "session/sample.h"

enum { KEY = 7, GOAL = 2 };

/* Notes a launch without a group of its own. */
static void note(struct sample *s, double insts, double cycles)
{
    struct sample_launch l = { .warp_insts = (uint64_t)insts,
                               .timed_insts = cycles > 0 ? (uint64_t)insts : 0,
                               .cycles = floor(cycles) };

    sample_note(s, &l);
}

/* One launch of a group. Returns its cycles. */
static double launch(struct sample *s, uint64_t key, double insts, double cycles)
{
    bool is_timed = sample_takes_key(s, key);

    note(s, insts, is_timed ? cycles : 0);
    return floor(cycles);
}

static void all_timed(void **state)
{
    struct sample *s = sample_new(GOAL);
    struct sample_estimate e;

    (void)state;
    for (int k = 1; k <= 3; k++)
        launch(s, KEY, 100 * k, 1000 * k);
    e = sample_estimate(s);
    assert_int_equal(e.timed, 3);
    assert_true(e.cycles == 6000 && e.half_width == 0 && e.timed_insts == 1);
    sample_free(s);
}

/* Equal launches: the mean, and few are timed. */
static void equal_launches(void **state)
{
    struct sample *s = sample_new(GOAL);
    struct sample_estimate e;

    (void)state;
    for (int k = 0; k < 1000; k++)
        launch(s, KEY, 100, 5000);
    e = sample_estimate(s);
    assert_int_equal(e.launches, 1000);
    assert_in_range(e.timed, 4, 60);
    assert_true(e.cycles == 5e6 && e.half_width == 0);
    assert_true(fabs(e.timed_insts - (double)e.timed / 1000) < 1e-9);
    sample_free(s);
}

/* Cycles that are a line of instructions are found exactly, outside of what was timed
 * first, too. */
static void line(void **state)
{
    struct sample *s = sample_new(GOAL);
    double sum = 0;
    struct sample_estimate e;

    (void)state;
    for (int k = 1; k <= 200; k++)
        sum += launch(s, KEY, 10 * k, 300 + 20 * k);
    e = sample_estimate(s);
    assert_true(e.timed < 100);
    assert_true(fabs(e.cycles - sum) < 1e-6 * sum && e.half_width < 1e-6 * sum);
    sample_free(s);
}

/* By hand: six launches, of which the first four are timed. x = 1, 2, 3, 4 and y = 10, 20,
 * 30, 44: slope 11.2, residuals 0.8, -0.4, -1.6, 1.2, their squares sum to 4.8; two degrees
 * of freedom. The rest has x = 6 twice, 3.5 from the mean: 2 x (26 + 11.2 x 3.5), variance
 * 2.4 x (2 + 4 / 4 + 4 x 12.25 / 5). */
static void by_hand(void **state)
{
    static const double x[] = { 1, 2, 3, 4, 6, 6 }, y[] = { 10, 20, 30, 44, 0, 0 };
    struct sample *s = sample_new(50);
    struct sample_estimate e;

    (void)state;
    for (int k = 0; k < 6; k++) {
        sample_takes_key(s, KEY);
        note(s, x[k], y[k]);
    }
    e = sample_estimate(s);
    assert_int_equal(e.timed, 4);
    assert_true(fabs(e.cycles - (104 + 2 * (26 + 11.2 * 3.5))) < 1e-9);
    assert_true(fabs(e.half_width - 4.303 * sqrt(2.4 * (3 + 4 * 12.25 / 5))) < 1e-9);
    sample_free(s);
}

/* A launch far from all that was timed has the next one timed. */
static void outside(void **state)
{
    struct sample *s = sample_new(GOAL);
    unsigned n_next = 0;

    (void)state;
    for (int k = 0; k < 40; k++)
        launch(s, KEY, 100, 5000);
    for (int k = 0; k < 8; k++) {
        double insts = 1000 * pow(4, k);

        if (sample_takes_key(s, KEY)) {
            note(s, insts, 50 * insts);
            continue;
        }
        note(s, insts, 0);
        n_next += sample_takes_key(s, KEY);
        note(s, insts, 50 * insts);
    }
    assert_true(n_next > 2 && sample_estimate(s).timed >= 4 + n_next);
    sample_free(s);
}

/* Programs of two groups with scatter: how often the interval holds what all launches
 * take. It should be 95 %; with fewer than 90 of 100 it would not deserve its name. */
static void intervals_hold(void **state)
{
    enum { TRIALS = 400, LAUNCHES = 300 };
    unsigned n_held = 0, n_narrow = 0;
    uint64_t timed = 0;

    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t random = trial << 32;
        struct sample *s = sample_new(GOAL);
        struct sample_estimate e;
        double sum = 0;

        for (int k = 0; k < LAUNCHES; k++) {
            double x = 1000 + 9000 * random_uniform(&random);

            sum += launch(s, trial, x, 2000 + 3 * x + 1500 * random_normal(&random));
            sum += launch(s, trial + TRIALS, 500, 8000 + 400 * random_normal(&random));
        }
        e = sample_estimate(s);
        n_held += fabs(e.cycles - sum) <= e.half_width;
        n_narrow += e.half_width <= 1.25 * GOAL / 100 * e.cycles;
        timed += e.timed;
        sample_free(s);
    }
    assert_in_range(n_held, TRIALS * 90 / 100, TRIALS);
    assert_true(n_narrow >= TRIALS * 90 / 100);
    assert_in_range(timed, 8 * TRIALS, 2 * LAUNCHES * TRIALS / 5);
}

/* Launches that were cut: their half-widths add up, and count for those that were not timed,
 * too. Four of eight are timed, a tenth of each. */
static void cut_launches(void **state)
{
    struct sample *s = sample_new(50);
    struct sample_estimate e;

    (void)state;
    for (int k = 0; k < 8; k++) {
        struct sample_launch l = { .warp_insts = 1000 };

        sample_takes_key(s, KEY);
        if (k < 4)
            l = (struct sample_launch){ 1000, 100, 0, 5000, 30, 7, true, false };
        sample_note(s, &l);
    }
    e = sample_estimate(s);
    assert_true(e.cycles == 8 * 5000 && fabs(e.half_width - 8 * 30) < 1e-9);
    assert_true(fabs(e.timed_insts - 0.05) < 1e-9);
    assert_true(e.cut == 4 && !e.unstable && !sample_is_whole(&e));
    sample_free(s);
}

/* Only launches that were all timed, and whole, are no estimate. */
static void whole_launches(void **state)
{
    struct sample *s = sample_new(GOAL);
    struct sample_estimate e;

    (void)state;
    launch(s, KEY, 100, 1000);
    e = sample_estimate(s);
    assert_true(sample_is_whole(&e));
    sample_takes_key(s, KEY);
    note(s, 100, 0);
    e = sample_estimate(s);
    assert_false(sample_is_whole(&e));
    sample_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_timed),    cmocka_unit_test(equal_launches),
        cmocka_unit_test(line),         cmocka_unit_test(by_hand),
        cmocka_unit_test(outside),      cmocka_unit_test(intervals_hold),
        cmocka_unit_test(cut_launches), cmocka_unit_test(whole_launches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
