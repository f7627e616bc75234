/* test_vortex_dram.c - the memory at Vortex' port against what its rules imply.
 *
 * Cycles are worked out from DDR4-2400R's times, at two ticks per cycle: a request at the
 * port in cycle c is with its channel in the first tick of cycle c + 1; data that comes
 * in a cycle's ticks is answered in the next one.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "vortex/dram.h"

enum {
    ROW = 128 * 2,        /* lines of the rows of one number, of both channels */
    SAME_BANK = 16 * ROW, /* lines to the next row of a bank */
    HIT = 12,             /* 1 + (16 + 4) / 2 + 1 cycles */
    CLOSED = HIT + 8,     /* rcd */
    MANY = 64,
};

struct bench {
    struct vxmem_params p;
    struct dram d;
    uint64_t at[MANY]; /* answers */
    uint32_t id[MANY];
    unsigned n;
};

static struct bench *bench_new(void)
{
    struct bench *b = calloc(1, sizeof *b);
    struct param_binding bind;
    struct err err = { 0 };

    assert_non_null(b);
    bind = (struct param_binding){ &vxmem_param_group, &b->p };
    param_defaults(&bind, 1);
    b->p.refi = 0;
    assert_int_equal(dram_init(&b->d, &b->p, &err), 0);
    dram_reset(&b->d);
    return b;
}

static void bench_free(struct bench *b)
{
    dram_free(&b->d);
    free(b);
}

static void run(struct bench *b, uint64_t until)
{
    struct dram_answer a;

    while (dram_run(&b->d, until, &a)) {
        assert_true(b->n < MANY);
        b->at[b->n] = a.cycle;
        b->id[b->n++] = a.id;
    }
}

static void reads_take_their_rows_time(void **state)
{
    struct bench *b = bench_new();

    (void)state;
    dram_read(&b->d, 0, 1, 100);
    dram_read(&b->d, 2, 2, 200);         /* the row is open */
    dram_read(&b->d, SAME_BANK, 3, 300); /* another row of the bank */
    dram_read(&b->d, ROW, 4, 400);       /* another bank */
    run(b, 1000);
    assert_int_equal(b->n, 4);
    assert_int_equal(b->at[0], 100 + CLOSED);
    assert_int_equal(b->at[1], 200 + HIT);
    assert_int_equal(b->at[2], 300 + CLOSED + 8); /* rp before it */
    assert_int_equal(b->at[3], 400 + CLOSED);
    bench_free(b);
}

/* A channel reads a line of one group every ccd_l ticks, of groups in turn every ccd_s;
 * two channels go on beside each other. */
static void lines_follow_at_the_channels_pace(void **state)
{
    static const struct {
        uint32_t apart; /* lines */
        uint64_t cycles;
    } rows[] = { { 2, 3 }, { ROW, 2 } };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct bench *b = bench_new();

        for (uint32_t n = 0; n < 4; n++)
            dram_read(&b->d, n * rows[i].apart, n, 0);
        run(b, 200);
        b->n = 0;
        for (uint32_t n = 0; n < 4; n++)
            dram_read(&b->d, n * rows[i].apart, n, 200 + n);
        run(b, 400);
        assert_int_equal(b->n, 4);
        assert_int_equal(b->at[0], 200 + HIT);
        assert_int_equal(b->at[3] - b->at[0], 3 * rows[i].cycles);
        bench_free(b);
    }
}

static void answers_keep_the_order(void **state)
{
    struct bench *b = bench_new();

    (void)state;
    dram_read(&b->d, 0, 1, 0);
    run(b, 100);
    dram_read(&b->d, SAME_BANK + 1, 2, 100); /* the other channel: closed */
    dram_read(&b->d, 0, 3, 101);             /* open, would be first */
    run(b, 200);
    assert_int_equal(b->n, 3);
    assert_int_equal(b->id[1], 2);
    assert_int_equal(b->at[1], 100 + CLOSED);
    assert_int_equal(b->id[2], 3);
    assert_int_equal(b->at[2], 100 + CLOSED + 1);
    bench_free(b);
}

/* What waits to be written is read from there. */
static void a_waiting_write_answers_a_read(void **state)
{
    struct bench *b = bench_new();

    (void)state;
    dram_write(&b->d, 0, 100);
    dram_read(&b->d, 0, 1, 101);
    dram_read(&b->d, 2, 2, 101);
    run(b, 300);
    assert_int_equal(b->n, 2);
    /* Its row is not open yet when the read comes; the write has left its list then. */
    assert_true(b->at[0] > 101 + HIT);
    for (uint32_t n = 0; n < 8; n++)
        dram_write(&b->d, n * SAME_BANK, 300 + n);
    dram_read(&b->d, 7 * SAME_BANK, 3, 308);
    run(b, 600);
    assert_int_equal(b->n, 3);
    assert_int_equal(b->at[2], 308 + 2);
    bench_free(b);
}

/* When a read is answered that comes after so many writes of its row. */
static uint64_t read_behind(unsigned n_writes)
{
    struct bench *b = bench_new();
    uint64_t at;

    dram_read(&b->d, 0, 0, 0);
    run(b, 100);
    for (uint32_t i = 0; i < n_writes; i++)
        dram_write(&b->d, 4 + 2 * i, 100); /* one per cycle enters */
    dram_read(&b->d, 2, 1, 100);
    run(b, 400);
    assert_int_equal(b->n, 2);
    at = b->at[1];
    bench_free(b);
    return at;
}

/* Writes go one every 6 ticks from tick 202 on; after the last the read waits 25 ticks
 * for the bus to turn, and takes 20. */
static void writes_hold_up_reads(void **state)
{
    (void)state;
    assert_int_equal(read_behind(0), 100 + HIT);
    /* It comes in tick 210; two were written, the other two wait for it. */
    assert_int_equal(read_behind(4), (202 + 6 + 25 + 20) / 2 + 1);
    /* It comes in tick 242; 7 were written, 13 are too many until 5 are left. */
    assert_int_equal(read_behind(20), (202 + 14 * 6 + 25 + 20) / 2 + 1);
}

static void a_full_channel_holds_up_all(void **state)
{
    struct bench *b = bench_new();

    (void)state;
    for (uint32_t n = 0; n < 60; n++) /* a row each: 33 cycles and more */
        dram_write(&b->d, n * SAME_BANK, 0);
    dram_read(&b->d, 1, 1, 0); /* of the channel that rests */
    run(b, 5000);
    assert_int_equal(b->n, 1);
    assert_true(b->at[0] > 20 * 33);
    bench_free(b);
}

static void refreshes_close_rows(void **state)
{
    struct bench *b = bench_new();

    (void)state;
    b->p.refi = 9360;
    b->p.ahead = 0;
    dram_reset(&b->d);
    dram_read(&b->d, 0, 1, 100);
    dram_read(&b->d, 0, 2, 4600);
    dram_read(&b->d, 0, 3, 4681); /* a cycle after it was due */
    dram_read(&b->d, 0, 4, 6000);
    run(b, 7000);
    assert_int_equal(b->n, 4);
    assert_int_equal(b->at[1], 4600 + HIT);
    /* Rows closed (rp), refreshed (rfc), opened again. */
    assert_in_range(b->at[2], 4680 + 8 + 156 + CLOSED - 2, 4680 + 8 + 157 + CLOSED);
    assert_int_equal(b->at[3], 6000 + HIT);
    bench_free(b);
}

/* What memory did before the first cycle counts: the first refresh comes 15 cycles sooner. */
static void memory_runs_ahead(void **state)
{
    (void)state;
    for (unsigned ahead = 0; ahead <= 30; ahead += 30) {
        struct bench *b = bench_new();

        b->p.refi = 9360;
        b->p.ahead = ahead;
        dram_reset(&b->d);
        dram_read(&b->d, 0, 1, 100);
        dram_read(&b->d, 0, 2, 4667);
        run(b, 7000);
        assert_int_equal(b->n, 2);
        assert_int_equal(b->at[1] > 4667 + HIT, ahead > 0);
        bench_free(b);
    }
}

/* A request of a long random program; its cycle. */
static uint64_t request(struct bench *b, uint32_t n)
{
    uint32_t seed = n * 2654435761u, line;

    seed ^= seed >> 15;
    seed *= 2246822519u;
    line = (seed >> 22) * 64;
    if (seed & 3)
        dram_write(&b->d, line, n * 3);
    else
        dram_read(&b->d, line, n, n * 3);
    return n * 3;
}

/* A sum over answers and their cycles. */
static uint64_t sum_of(struct bench *b)
{
    uint64_t sum = 0;

    for (unsigned n = 0; n < b->n; n++)
        sum = sum * 31 + b->at[n] * 7919 + b->id[n];
    b->n = 0;
    return sum;
}

/* Whoever asks for every cycle sees what he sees who lets many of them pass. */
static void asking_often_changes_nothing(void **state)
{
    enum { AHEAD = 40 };
    struct bench *a = bench_new(), *b = bench_new();

    (void)state;
    a->p.refi = b->p.refi = 1200;
    dram_reset(&a->d);
    dram_reset(&b->d);
    for (uint32_t n = 0; n < 4000; n += AHEAD) {
        uint64_t cycle = 0, last = 0;

        for (uint32_t i = n; i < n + AHEAD; i++)
            last = request(a, i);
        run(a, last);
        for (uint32_t i = n; i < n + AHEAD; i++) {
            last = request(b, i);
            for (cycle = last < 3 ? 0 : last - 2; cycle <= last; cycle++)
                run(b, cycle);
        }
        assert_true(a->n == b->n);
        assert_true(sum_of(a) == sum_of(b));
    }
    bench_free(a);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_take_their_rows_time),
        cmocka_unit_test(lines_follow_at_the_channels_pace),
        cmocka_unit_test(answers_keep_the_order),
        cmocka_unit_test(a_waiting_write_answers_a_read),
        cmocka_unit_test(writes_hold_up_reads),
        cmocka_unit_test(a_full_channel_holds_up_all),
        cmocka_unit_test(refreshes_close_rows),
        cmocka_unit_test(memory_runs_ahead),
        cmocka_unit_test(asking_often_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
