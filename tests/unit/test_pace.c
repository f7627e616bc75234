/* test_pace.c - when the rate of a launch's blocks is known, and what the rest takes. */
#include <math.h>

#include "check.h"
#include "random.h"
#include "sim/pace.h"

enum { WAVE = 32, X = 1000, Y = 500 }; /* blocks, instructions and cycles of a wave */

struct launch {
    struct pace pace;
    struct pace_mark at;
};

/* An L2 of 4,000 sectors in lines of 4. */
static struct launch begin(uint64_t blocks, uint64_t filled)
{
    struct launch l = { .pace = { .goal = 0.02,
                                  .blocks = blocks,
                                  .wave = WAVE,
                                  .sectors = 4000,
                                  .line = 4,
                                  .sector_ticks = 0.25 },
                        .at = { .filled = filled } };

    pace_begin(&l.pace, &l.at);
    return l;
}

/* A wave of blocks ends; the next one has been started. */
static void end_wave(struct launch *l, double insts, double cycles, unsigned filled,
                     unsigned bus)
{
    uint64_t started;

    l->at.blocks += WAVE;
    l->at.insts += (uint64_t)insts;
    l->at.cycle += (uint64_t)cycles;
    l->at.filled += filled;
    l->at.bus += bus;
    l->at.ticks += 100;
    started = l->at.blocks + WAVE;
    if (pace_is_due(&l->pace, l->at.blocks))
        pace_note(&l->pace, &l->at,
                  started < l->pace.blocks ? started : l->pace.blocks);
}

/* Equal waves, until the launch is cut or has ended. Returns how many. */
static unsigned run_equal(struct launch *l, unsigned filled, unsigned bus)
{
    unsigned n = 0;

    while (!pace_is_cut(&l->pace) && l->at.blocks + WAVE <= l->pace.blocks) {
        end_wave(l, X, Y, filled, bus);
        n++;
    }
    return n;
}

/* The 15th wave is the first after which eight are known, not counting the first half; three
 * more confirm it. 18 waves have ended then and 19 have been started: with what is not a
 * whole wave, 613 blocks are timed. */
static void equal_waves(void **state)
{
    struct launch l = begin(100 * WAVE + 5, 0);
    struct pace_rest rest;

    (void)state;
    assert_int_equal(run_equal(&l, 0, 0), 18);
    assert_int_equal(l.pace.timed, 19 * WAVE + 5);
    rest = pace_predict(&l.pace, 81 * X, 0);
    assert_true(rest.cycles == 81 * Y && rest.half_width == 0);
    assert_false(pace_is_unstable(&l.pace));
}

/* A third of the blocks must be left out; shorter launches are not looked at. */
static void short_launches(void **state)
{
    struct launch l = begin(PACE_LEAST * WAVE - 1, 0);

    (void)state;
    run_equal(&l, 0, 0);
    assert_false(pace_is_cut(&l.pace) || pace_is_unstable(&l.pace));
    l = begin(PACE_LEAST * WAVE, 0);
    run_equal(&l, 0, 0);
    assert_true(!pace_is_cut(&l.pace) && pace_is_unstable(&l.pace));
    l = begin((PACE_LEAST + 6) * WAVE, 0);
    assert_int_equal(run_equal(&l, 0, 0), 18);
    assert_true(pace_is_cut(&l.pace));
}

/* Eight waves may stand for 128, so 144 waves end after 18, as above; of 400, 23 must be
 * known, with the ones before them and three more 48. */
static void long_launches(void **state)
{
    struct launch l = begin(144 * WAVE, 0);

    (void)state;
    assert_int_equal(run_equal(&l, 0, 0), 18);
    l = begin(400 * WAVE, 0);
    assert_int_equal(run_equal(&l, 0, 0), 48);
}

/* Few blocks at a time: marks are several waves apart. */
static void small_waves(void **state)
{
    struct pace p = {
        .goal = 0.02, .blocks = 10000, .wave = 5, .sectors = 1, .line = 1
    };

    (void)state;
    pace_begin(&p, &(struct pace_mark){ 0 });
    assert_false(pace_is_due(&p, 34));
    assert_true(pace_is_due(&p, 35));
}

/* Every second mark is dropped when there are too many, and the rate stays as it is. */
static void many_waves(void **state)
{
    struct launch l = begin(2000 * WAVE, 0);
    struct pace_rest rest;
    double waves;

    (void)state;
    l.pace.goal = -1; /* never */
    for (int k = 0; k < 200; k++)
        end_wave(&l, X, Y, 0, 0);
    assert_int_equal(l.pace.step, 4);
    l.pace.goal = 0.02;
    run_equal(&l, 0, 0);
    assert_true(pace_is_cut(&l.pace));
    waves = (double)(l.pace.blocks - l.pace.timed) / WAVE;
    rest = pace_predict(&l.pace, (uint64_t)(waves * X), 0);
    assert_true(fabs(rest.cycles - waves * Y) < 1e-6 && rest.half_width < 1e-6);
}

/* A rate that goes on changing is not stable, even if waves hardly scatter. */
static void drift(void **state)
{
    struct launch l = begin(100 * WAVE, 0);

    (void)state;
    for (int k = 0; k < 60; k++)
        end_wave(&l, X, Y * (1 + 0.02 * k), 0, 0);
    assert_false(pace_is_cut(&l.pace));
}

/* Waves of 500 and 510 cycles, eight of which are looked at; the halves are equal. The rate
 * is 0.505, each is 5 away from it, the variance 8 x 25 / 7; t of 7 degrees is 2.365. */
static void check_scatter(unsigned same, double inflation)
{
    struct launch l = begin(40 * WAVE, 0);
    double variance = inflation * 8 * 25 / 7.0, n = 20;
    struct pace_rest rest;

    l.pace.goal = -1;
    for (unsigned k = 0; k < 15; k++)
        end_wave(&l, X, (k + 1) / same % 2 ? 500 : 510, 0, 0);
    l.pace.timed = 20 * WAVE;
    rest = pace_predict(&l.pace, 20 * X, 0);
    assert_true(fabs(rest.cycles - 20 * 505) < 1e-6);
    assert_true(fabs(rest.half_width - 2.365 * sqrt(variance * (n + 1 + n * n / 8))) <
                1e-6);
}

static void scatter_by_hand(void **state)
{
    (void)state;
    check_scatter(1, 1);
}

/* In pairs: of seven neighbours four are alike and three are not, so the covariance is an
 * eighth of the variance, which counts 9/8 over 7/8 times. */
static void alike_by_hand(void **state)
{
    (void)state;
    check_scatter(2, 9 / 7.0);
}

/* Blocks with twice the work of all that were seen: half of what is beyond is uncertain. */
static void unseen_work(void **state)
{
    struct launch l = begin(100 * WAVE, 0);
    struct pace_rest rest;

    (void)state;
    run_equal(&l, 0, 0);
    rest = pace_predict(&l.pace, 2 * 81 * X, 0);
    assert_true(rest.cycles == 2 * 81 * Y);
    assert_true(fabs(rest.half_width - 81 * Y / 2.0) < 1e-6);
}

/* A warp of 500 instructions more than any that was timed may be alone at the end: each
 * takes as long as one of the 64 warps of a full GPU waits for its turn. */
static void long_warp(void **state)
{
    struct launch l = begin(100 * WAVE, 0);
    struct pace_rest rest;

    (void)state;
    l.pace.warps = 2;
    run_equal(&l, 0, 0);
    rest = pace_predict(&l.pace, 81 * X, 500);
    assert_true(rest.cycles == 81 * Y);
    assert_true(fabs(rest.half_width - 500 * 64 * (double)Y / X) < 1e-6);
}

/* Waves bring 100 sectors into L2 each. Until all 4,000 are brought in, with a bus in use for
 * half of the time, the launch goes on: 40 waves, then eight and three more. */
static void memory_fills(void **state)
{
    struct launch l = begin(140 * WAVE, 0);

    (void)state;
    assert_int_equal(run_equal(&l, 100, 50), 51);
    l = begin(140 * WAVE, 0); /* no reads, but the writes come back: 25 % */
    assert_int_equal(run_equal(&l, 100, 0), 51);
    l = begin(140 * WAVE, 0); /* the bus is hardly used, now and later */
    l.pace.sector_ticks = 0.01;
    assert_int_equal(run_equal(&l, 100, 1), 18);
    l = begin(140 * WAVE, 0); /* never more than the 1,000 lines of L2 */
    assert_int_equal(run_equal(&l, 5, 50), 18);
    l = begin(140 * WAVE, 1000); /* the same, but launches before this one filled it */
    run_equal(&l, 5, 50);
    assert_false(pace_is_cut(&l.pace));
}

/* Launches whose waves scatter by 3 %, some with a wave that depends on the one before: how
 * often the interval of a cut launch holds what its rest takes. It should be 95 %; launches end
 * when the interval happens to be narrow, so it is a little less. */
static void intervals_hold(void **state)
{
    enum { TRIALS = 400, WAVES = 300 };
    unsigned n_cut = 0, n_held = 0;
    double out = 0;

    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        uint64_t random = trial << 32;
        struct launch l = begin(WAVES * WAVE, 0);
        double cycles = 0, insts = 0, same = 0.3 * (double)(trial % 2), away = 0;
        struct pace_rest rest;

        for (int k = 0; k < WAVES; k++) {
            double x = X * (1 + 0.1 * random_normal(&random)), y;

            away = same * away + 0.03 * random_normal(&random);
            y = floor(x * 5 * (1 + away));
            if (!pace_is_cut(&l.pace)) {
                end_wave(&l, x, y, 0, 0);
                if (!pace_is_cut(&l.pace))
                    continue;
                k = (int)(l.pace.timed / WAVE) - 1; /* blocks in flight end, too */
                continue;
            }
            cycles += y;
            insts += floor(x);
        }
        if (!pace_is_cut(&l.pace))
            continue;
        rest = pace_predict(&l.pace, (uint64_t)insts, 0);
        n_cut++;
        n_held += fabs(rest.cycles - cycles) <= rest.half_width;
        out += (double)(l.pace.blocks - l.pace.timed) / (double)l.pace.blocks;
    }
    assert_in_range(n_cut, TRIALS * 9 / 10, TRIALS);
    /* Of intervals that hold 95 times of 100, so many do but once in a thousand times. */
    assert_true(n_held >= 0.95 * n_cut - 3.1 * sqrt(0.95 * 0.05 * n_cut));
    assert_true(out > 0.5 * n_cut); /* and half of the blocks are left out */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_waves),     cmocka_unit_test(short_launches),
        cmocka_unit_test(small_waves),     cmocka_unit_test(long_launches),
        cmocka_unit_test(many_waves),      cmocka_unit_test(drift),
        cmocka_unit_test(scatter_by_hand), cmocka_unit_test(alike_by_hand),
        cmocka_unit_test(unseen_work),     cmocka_unit_test(long_warp),
        cmocka_unit_test(memory_fills),    cmocka_unit_test(intervals_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
