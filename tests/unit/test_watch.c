/* test_watch.c - how far a run is: the line on a terminal, limits, signals, and what
 * stopped warps are said to do.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/meter.h"
#include "check.h"
#include "isa/spin.h"

static void times_are_short(void **state)
{
    char text[32];

    (void)state;
    meter_time(0.2, text, sizeof text);
    assert_string_equal(text, "0 s");
    meter_time(59.4, text, sizeof text);
    assert_string_equal(text, "59 s");
    meter_time(185, text, sizeof text);
    assert_string_equal(text, "3 min 05 s");
    meter_time(7800, text, sizeof text);
    assert_string_equal(text, "2 h 10 min");
}

static void a_line_has_everything_and_fits(void **state)
{
    struct meter m = { .what = "[1/2] nn", .start = 100, .ended = 108, .skipped = 0 };
    struct watch_state s = { .kernel = "euclid",
                             .number = 1,
                             .blocks_done = 25,
                             .blocks = 100,
                             .warp_insts = 20000000,
                             .cycles = 4711 };
    char line[101];

    (void)state;
    meter_line(&m, &s, 110, line, 100);
    assert_string_equal(line, "[1/2] nn: 25/100 blocks, 25 %, about 30 s left, cycle "
                              "4711, 2.00 M inst/s");
    s.number = 3;
    s.cycles = 0;
    meter_line(&m, &s, 150, line, 100);
    assert_string_equal(line, "[1/2] nn: kernel 3, 25/100 blocks, 25 %, no block has "
                              "ended for 42 s, 0.40 M inst/s");
    meter_line(&m, &s, 150, line, 20);
    assert_string_equal(line, "[1/2] nn: kernel 3, ");
}

static void instructions_of_all_kernels_are_limited(void **state)
{
    struct watch w = { .max_insts = 1000, .insts = 900 };
    struct watch_state s = { .kernel = "k", .warp_insts = 99 };
    struct err err = { 0 };

    (void)state;
    assert_true(watch_most(NULL) == UINT64_MAX);
    assert_true(watch_most(&w) == 100);
    assert_int_equal(watch_look(NULL, &s, &err), 0);
    assert_int_equal(watch_look(&w, &s, &err), 0);
    s.warp_insts = 100;
    assert_int_equal(watch_look(&w, &s, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_non_null(strstr(err.text, "1000 warp instructions (--max-insts)"));
    w.insts = 1200;
    assert_true(watch_most(&w) == 0);
    w.max_insts = 0;
    assert_true(watch_most(&w) == UINT64_MAX);
    assert_int_equal(watch_look(&w, &s, &err), 0);
}

/* In processes of their own: 0 if all is well, or how they end. */
static int one_signal(void)
{
    struct meter m;
    struct watch_state s = { .kernel = "k", .number = 1 };
    struct err err = { 0 };

    meter_start(&m, NULL, "x");
    interrupt_watch();
    if (watch_look(&m.watch, &s, &err) || interrupt_signal())
        return 1;
    raise(SIGTERM);
    if (interrupt_signal() != SIGTERM || !watch_look(&m.watch, &s, &err) ||
        err.code != ERR_LIMIT || strcmp(err.text, "stopped by SIGTERM") != 0)
        return 2;
    interrupt_obey();
    return 3;
}

static int two_signals(void)
{
    interrupt_watch();
    raise(SIGINT);
    raise(SIGINT);
    return 4;
}

/* Who ignores a signal goes on doing so. */
static int ignored(void)
{
    signal(SIGINT, SIG_IGN);
    interrupt_watch();
    raise(SIGINT);
    return interrupt_signal() ? 5 : 0;
}

static int status_of(int (*f)(void))
{
    int status = -1;
    pid_t child = fork();

    if (!child)
        _exit(f());
    assert_true(waitpid(child, &status, 0) == child);
    return status;
}

static void the_second_signal_ends_the_process(void **state)
{
    int status;

    (void)state;
    status = status_of(one_signal);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    status = status_of(two_signals);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    status = status_of(ignored);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- streams by hand ---- */

enum kind { SPINS, COUNTS, STORES, WAITS, ENDS, GETS_ON };

struct bench {
    struct stream stream;
    enum kind kind[4]; /* by warp */
    uint64_t n[4];
    struct inst load, store, branch;
};

static enum stream_status next(struct stream *s, unsigned warp, struct dyn *d,
                               struct err *err)
{
    struct bench *b = (struct bench *)s;
    uint64_t n = b->n[warp]++;

    if (b->kind[warp] == WAITS)
        return STREAM_WAIT;
    if (b->kind[warp] == ENDS)
        return STREAM_END;
    if (b->kind[warp] == GETS_ON && n > 300)
        return STREAM_END;
    (void)err;
    d->inst = n % 2 ? &b->branch : b->kind[warp] == STORES ? &b->store : &b->load;
    d->mask = 1;
    d->value = (struct value){ .digest = b->kind[warp] == COUNTS ? n : 7 };
    return STREAM_INST;
}

static const char *report(struct bench *b, struct buf *out)
{
    static const struct stream_ops ops = { .next = next };
    struct spin_block block = { .stream = &b->stream, .number = 5 };

    b->stream = (struct stream){ .ops = &ops, .n_warps = 4 };
    b->load = (struct inst){ .pc = 0x1010, .class = CLASS_load, .memory = INST_READS };
    b->store =
        (struct inst){ .pc = 0x1020, .class = CLASS_store, .memory = INST_WRITES };
    b->branch = (struct inst){ .pc = 0x1030, .class = CLASS_branch };
    buf_clear(out);
    spin_report(&block, 1, 0x1000, out);
    return buf_text(out);
}

static void warps_that_spin_are_told_from_those_that_compute(void **state)
{
    struct bench spinning = { .kind = { SPINS, SPINS, WAITS, ENDS } };
    struct bench computing = { .kind = { COUNTS, COUNTS, COUNTS, COUNTS } };
    struct bench mixed = { .kind = { SPINS, STORES, SPINS, GETS_ON } };
    struct buf out = { 0 };

    (void)state;
    assert_string_equal(report(&spinning, &out),
                        "2 warps (first: block 5, warp 0) in a loop of 2 instructions, "
                        "pc 0x10 to 0x30, with the same results each time: spinning\n"
                        "1 warp (block 5, warp 2) waiting for other warps\n"
                        "no warp stores anything, passes a barrier or ends: this looks "
                        "like a livelock\n");
    assert_string_equal(report(&computing, &out),
                        "4 warps (first: block 5, warp 0) in a loop of 2 instructions, "
                        "pc 0x10 to 0x30, without a store, barrier or exit\n");
    assert_string_equal(report(&mixed, &out),
                        "2 warps (first: block 5, warp 0) in a loop of 2 instructions, "
                        "pc 0x10 to 0x30, with the same results each time: spinning\n"
                        "1 warp (block 5, warp 1) in a loop of 2 instructions, pc 0x20 "
                        "to 0x30, with stores, barriers or exits\n"
                        "1 warp (block 5, warp 3) executing, at pc 0x10\n");
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_short),
        cmocka_unit_test(a_line_has_everything_and_fits),
        cmocka_unit_test(instructions_of_all_kernels_are_limited),
        cmocka_unit_test(the_second_signal_ends_the_process),
        cmocka_unit_test(warps_that_spin_are_told_from_those_that_compute),
    };

    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
