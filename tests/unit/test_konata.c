/* test_konata.c - Konata logs: by a strict reader of the format, against a log that was
 * read line by line, and the promise that one instruction has one retire id under every schedule.
 */
#include <zstd.h>

#include "kanata_reader.h"
#include "trace_schedule.h"

#define GOLDEN "tests/data/trace/hand.konata"

static struct log *read_file(const char *path)
{
    char *text = toy_read(path);
    struct log *l = read_log(text);

    free(text);
    assert_null(l->wrong);
    return l;
}

static struct trace *start(struct toy *toy, const char *window)
{
    struct err err;
    struct trace *t = trace_konata(toy->path, window, &err);

    if (!t)
        fail_msg("%s", err.text);
    return t;
}

static void finish(struct trace *t)
{
    struct err err;

    if (trace_finish(t, &err))
        fail_msg("%s", err.text);
}

/* The reader itself: each of these breaks one rule. */
static void test_reader_is_strict(void **state)
{
    static const char *const bad[][2] = {
        { "undefined id", "S\t0\t0\tF\n" },
        { "redefined id", "I\t0\t0\t0\nI\t0\t0\t0\n" },
        { "ids are not dense", "I\t1\t0\t0\n" },
        { "time does not go on", "C\t0\n" },
        { "time does not go on", "C\t-1\n" },
        { "number of fields", "I\t0\t0\n" },
        { "number of fields", "L\t0\t0\ta\tb\n" },
        { "unknown command", "Q\t0\t0\t0\n" },
        { "stage of no length", "C\t1\nI\t0\t0\t0\nS\t0\t0\tF\nS\t0\t0\tDc\n" },
        { "stage of no length", "C\t1\nI\t0\t0\t0\nS\t0\t0\tF\nE\t0\t0\tF\n" },
        { "instruction of no length", "C\t1\nI\t0\t0\t0\nR\t0\t0\t0\n" },
        { "E of a stage that is not open", "I\t0\t0\t0\nE\t0\t0\tF\n" },
        { "L 2 without a stage", "I\t0\t0\t0\nL\t0\t2\ta\n" },
        { "command after R", "I\t0\t0\t0\nC\t1\nR\t0\t0\t0\nL\t0\t0\ta\n" },
        { "undefined producer", "I\t0\t0\t0\nW\t0\t1\t0\n" },
        { "producer after consumer", "I\t0\t0\t0\nI\t1\t1\t0\nW\t0\t1\t0\n" },
        { "retire id twice", "I\t0\t0\t0\nI\t1\t1\t0\nC\t1\nR\t0\t5\t0\nR\t1\t5\t0\n" },
        { "retire id", "I\t0\t0\t0\nC\t1\nR\t0\t-1\t0\n" },
    };
    char text[256];

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct log *l;

        snprintf(text, sizeof text, "Kanata\t0004\nC=\t0\n%s", bad[i][1]);
        l = read_log(text);
        assert_non_null(l->wrong);
        assert_string_equal(l->wrong, bad[i][0]);
        free(l);
    }
}

/* Instructions by hand, each for one thing that can happen. LENO_GOLDEN=1 writes their
 * log anew. */
static void by_hand(struct toy *toy, struct trace *t)
{
    struct toy_inst x[10];

    for (unsigned n = 0; n < 10; n++) {
        toy_make(toy, &x[n], 0, n >= 8, n >= 8 ? n - 8 : n);
        x[n].i.key = n;
    }
    toy_make(toy, &x[7], 0, 0, 6); /* what was flushed comes again, in its slot */
    x[7].i.key = 6;
    trace_kernel(t, &toy->kernel, 0, 100);
    trace_stage(t, &x[0].i, TRACE_FETCH, 100);
    trace_stage(t, &x[1].i, TRACE_FETCH, 100);
    trace_stage(t, &x[0].i, TRACE_DECODE, 101);
    trace_stage(t, &x[0].i, TRACE_WINDOW, 101); /* decode has no length */
    trace_stage(t, &x[8].i, TRACE_FETCH, 101);
    trace_stage(t, &x[1].i, TRACE_WINDOW, 102);
    trace_wait(t, &x[1].i, "fetch", 102);
    trace_wait(t, &x[1].i, "compute", 102); /* the later one counts */
    trace_stage(t, &x[0].i, TRACE_ISSUE, 102);
    trace_stage(t, &x[2].i, TRACE_FETCH, 102);
    trace_stage(t, &x[0].i, TRACE_EXECUTE, 103);
    trace_stage(t, &x[2].i, TRACE_WINDOW, 103);
    trace_stage(t, &x[2].i, TRACE_ISSUE, 104); /* out of order */
    trace_stage(t, &x[8].i, TRACE_WINDOW, 104);
    trace_stage(t, &x[9].i, TRACE_FETCH, 104);
    trace_retire(t, &x[9].i, true, 104); /* skipped at once */
    trace_wait(t, &x[8].i, "memory", 105);
    trace_wait(t, &x[8].i, NULL, 105); /* nothing in the end */
    trace_stage(t, &x[2].i, TRACE_EXECUTE, 105);
    trace_wait(t, &x[1].i, "compute", 106); /* as before */
    trace_stage(t, &x[2].i, TRACE_MEMORY, 106);
    trace_wait(t, &x[1].i, "pipe", 108);
    trace_stage(t, &x[0].i, TRACE_WRITE, 110);
    trace_retire(t, &x[0].i, false, 110); /* no length: no Wb */
    trace_stage(t, &x[1].i, TRACE_ISSUE, 110);
    trace_depend(t, &x[1].i, 0, 110);
    trace_depend(t, &x[1].i, 0, 110); /* once is enough */
    trace_depend(t, &x[1].i, 1, 110); /* on itself: no */
    trace_stage(t, &x[1].i, TRACE_COLLECT, 111);
    trace_stage(t, &x[1].i, TRACE_EXECUTE, 112);
    trace_stage(t, &x[6].i, TRACE_FETCH, 112);
    trace_stage(t, &x[4].i, TRACE_FETCH, 112);
    trace_stage(t, &x[5].i, TRACE_FETCH, 112);
    trace_stage(t, &x[5].i, TRACE_EXECUTE, 112); /* instead of the fetch */
    trace_stage(t, &x[4].i, TRACE_EXECUTE, 113);
    trace_retire(t, &x[5].i, false, 113);
    trace_stage(t, &x[6].i, TRACE_WINDOW, 113);
    trace_stage(t, &x[1].i, TRACE_WRITE, 116);
    trace_retire(t, &x[1].i, false, 117);
    trace_wait(t, &x[6].i, "order", 117);
    trace_retire(t, &x[6].i, true, 118);
    trace_stage(t, &x[7].i, TRACE_FETCH, 118);
    trace_retire(t, &x[7].i, false, 120);
    trace_retire(t, &x[4].i, false, 121);
    trace_retire(t, &x[8].i, false, 121);
    /* The load never comes back. */
    trace_counter(t, 0, "issued", 1, 121);
    trace_wait(t, &x[3].i, "memory", 122); /* the first of it that is heard */
    trace_retire(t, &x[3].i, false, 122);
}

static void test_golden(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, NULL);
    char *text, *golden;
    struct log *l;

    by_hand(toy, t);
    assert_int_equal(t->n_shown, 10);
    finish(t);
    text = toy_read(toy->path);
    if (getenv("LENO_GOLDEN"))
        assert_int_equal(file_write(GOLDEN, text, strlen(text), NULL), 0);
    golden = toy_read(GOLDEN);
    assert_string_equal(text, golden);
    free(text);
    free(golden);

    l = read_file(toy->path);
    assert_int_equal(l->n_rows, 10);
    assert_int_equal(l->n_unfinished, 1);
    assert_int_equal(l->n_arrows, 1);
    assert_string_equal(l->row[0].label, "w0 0x0000 S2R R0, SR_TID.X");
    assert_string_equal(l->row[0].stages, "F Wn Is Xsr ");
    assert_string_equal(l->row[1].stages, "F Wn Is Oc Xim Wb ");
    assert_string_equal(l->row[1].causes, "compute pipe ");
    assert_int_equal(l->row[0].end, 110);
    assert_string_equal(l->row[2].causes, ""); /* w1's: came and went in one cycle */
    free(l);
}

/* Names of execution have an X, and no others do: Konata's arrows go by that. */
static void test_stage_names(void **state)
{
    (void)state;
    for (unsigned s = 0; s < N_TRACE_STAGE; s++) {
        for (unsigned c = 0; c < N_INST_CLASS; c++) {
            for (unsigned space = 0; space <= SPACE_TEXTURE; space++) {
                const char *name =
                    trace_stage_name((enum trace_stage)s, (uint8_t)c, (uint8_t)space);
                bool executes = s == TRACE_EXECUTE || s == TRACE_MEMORY;

                assert_true(strlen(name) >= 1 && strlen(name) <= 3);
                assert_int_equal(strchr(name, 'X') != NULL, executes);
                assert_string_not_equal(name, "f");
            }
        }
    }
}

/* Whatever the schedule, the log keeps every rule; whole, all its ids are dense. */
static void test_any_schedule(void **state)
{
    struct toy *toy = *state;

    for (unsigned seed = 0; seed < 12; seed++) {
        struct toy_run *r = toy_schedule(toy, seed % 2, seed);
        struct trace *t = start(toy, seed % 3 ? "" : "sm=0-");
        uint64_t n_retired = 0;
        struct log *l;

        toy_report(r, t);
        assert_int_equal(t->n_shown, r->n_insts);
        finish(t);
        l = read_file(toy->path);
        assert_int_equal(l->n_rows, r->n_insts);
        assert_int_equal(l->n_unfinished, 0);
        assert_true(l->n_arrows > 10);
        for (uint64_t i = 0; i < l->n_rows; i++) {
            n_retired += !l->row[i].flushed;
            assert_true(i == 0 || l->row[i].start >= l->row[i - 1].start);
        }
        assert_int_equal(l->n_rids, n_retired); /* 0 .. n - 1, none twice */
        free(l);
        free(r);
    }
}

/* Who an instruction is: what its detail says up to the mask. */
static void identity(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)(strstr(r->detail, ", mask") - r->detail),
             r->detail);
}

static struct log *log_of(struct toy *toy, bool in_order, unsigned seed,
                          const char *window)
{
    struct toy_run *r = toy_schedule(toy, in_order, seed);
    struct trace *t = start(toy, window);

    toy_report(r, t);
    finish(t);
    free(r);
    return read_file(toy->path);
}

/* Instructions in both logs have one retire id, and ids rise in program order. */
static uint64_t compare_logs(const struct log *a, const struct log *b)
{
    char x[512], y[512];
    uint64_t n_both = 0;

    for (uint64_t i = 0; i < a->n_rows; i++) {
        for (uint64_t j = 0; j < b->n_rows; j++) {
            identity(&a->row[i], x, sizeof x);
            identity(&b->row[j], y, sizeof y);
            if (a->row[i].flushed || b->row[j].flushed || strcmp(x, y) != 0) {
                if (a->row[i].flushed || b->row[j].flushed)
                    continue;
                assert_int_not_equal(a->row[i].rid, b->row[j].rid);
                continue;
            }
            assert_int_equal(a->row[i].rid, b->row[j].rid);
            assert_int_equal(a->row[i].tid, b->row[j].tid);
            assert_string_equal(a->row[i].label, b->row[j].label);
            n_both++;
        }
    }
    return n_both;
}

static void test_same_ids_under_every_schedule(void **state)
{
    static const struct {
        const char *window;
        bool is_dense;
    } windows[] = {
        { "", true },
        { "blocks=1-2 warps=0,2", true },
        { "blocks=1-2 warps=0,2 insts=2-6", true },
        { "kernels=1 insts=3-", true },
        { "blocks=1-2 warps=0-1 cycles=30-60", false },
        { "blocks=3 cycles=20-45 insts=1-8", false },
    };
    struct toy *toy = *state;

    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        struct log *a = log_of(toy, true, 1, windows[i].window);
        struct log *b = log_of(toy, false, 2, windows[i].window);
        uint64_t n = 0;

        for (uint64_t row = 0; row < a->n_rows; row++)
            n += !a->row[row].flushed;
        assert_true(compare_logs(a, b) > 3);
        if (windows[i].is_dense) {
            assert_int_equal(a->n_rids, n);
            assert_int_equal(b->n_rids, n);
            assert_int_equal(compare_logs(a, b), n);
        }
        free(a);
        free(b);
    }
}

/* Program order by kernel, block, warp, number: the ids of a small selection. */
static void test_ids_are_warp_major(void **state)
{
    struct toy *toy = *state;
    struct log *l = log_of(toy, false, 5, "kernels=0 blocks=1-2 insts=1-2");

    /* Two instructions of each of three warps of two blocks. */
    assert_int_equal(l->n_rids, 12);
    for (uint64_t i = 0; i < l->n_rows; i++) {
        unsigned long block, warp, seq;
        const char *at = strstr(l->row[i].detail, "block ");

        assert_int_equal(
            sscanf(at, "block %lu, warp %lu\\nseq %lu", &block, &warp, &seq), 3);
        assert_int_equal(l->row[i].rid, ((block - 1) * 3 + warp) * 2 + seq - 1);
        assert_int_equal(l->row[i].sim_id, seq);
        assert_int_equal(l->row[i].tid, block * 4 + warp); /* 128 threads: 4 warps */
    }
    free(l);
}

/* Those in flight when the window opens are there; once shown, they are followed. */
static void test_cycles(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, "cycles=105-109");
    struct log *l;

    by_hand(toy, t);
    finish(t);
    l = read_file(toy->path);
    /* Three of w0 and one of w1 were under way; none came in the window. */
    assert_int_equal(l->n_rows, 4);
    for (uint64_t i = 0; i < l->n_rows; i++)
        assert_int_equal(l->row[i].start, 105);
    assert_string_equal(l->row[0].stages, "Xsr ");
    assert_string_equal(l->row[1].label, "w0 0x0010 IMAD R2, R0, 0x4, R3");
    assert_string_equal(l->row[1].stages, "Wn Is Oc Xim Wb ");
    assert_string_equal(l->row[1].causes, "compute pipe ");
    assert_int_equal(l->row[1].end, 117);
    assert_non_null(strstr(l->row[1].detail, "F 100, Wn 102, Is 110"));
    assert_string_equal(l->row[2].label, "w1 0x0000 S2R R0, SR_TID.X");
    /* Instructions 0..3 and 6 of w0 are counted, seen or not; then w1's. */
    assert_int_equal(l->row[0].rid, 0);
    assert_int_equal(l->row[1].rid, 1);
    assert_int_equal(l->row[2].rid, 7);
    assert_false(l->row[3].ended);
    assert_int_equal(l->n_unfinished, 1);
    free(l);
}

/* A clock that jumps over the window still shows who was there. */
static void test_window_jumped_over(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, "cycles=50-60");
    struct toy_inst x;
    struct log *l;

    toy_make(toy, &x, 0, 0, 0);
    trace_stage(t, &x.i, TRACE_FETCH, 1);
    trace_stage(t, &x.i, TRACE_EXECUTE, 2);
    trace_stage(t, &x.i, TRACE_WRITE, 900);
    trace_retire(t, &x.i, false, 901);
    finish(t);
    l = read_file(toy->path);
    assert_int_equal(l->n_rows, 1);
    assert_int_equal(l->row[0].start, 50);
    assert_int_equal(l->row[0].end, 901);
    assert_string_equal(l->row[0].stages, "Xsr Wb ");
    free(l);
}

/* Other warps come to the same slot: no arrow leads from one to the next, and each has
 * ids of its own. */
static void test_slot_again(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, "cycles=2-");
    struct log *l;

    for (unsigned warp = 0; warp < 3; warp++) {
        for (unsigned seq = 0; seq < 2; seq++) {
            uint64_t cycle = 10 * warp + 5 * seq + (seq || !warp ? 2 : 1);
            struct toy_inst x;

            if (warp == 1 && !seq)
                continue; /* the second one's first is not heard of */
            toy_make(toy, &x, warp / 2, warp % 2, seq);
            x.i.warp = 4;
            trace_stage(t, &x.i, TRACE_FETCH, cycle);
            if (seq)
                trace_depend(t, &x.i, 0, cycle);
            trace_retire(t, &x.i, false, cycle + 3);
        }
    }
    finish(t);
    l = read_file(toy->path);
    assert_int_equal(l->n_rows, 5);
    assert_int_equal(l->n_arrows, 2);
    assert_int_equal(l->n_rids, 6);
    assert_int_equal(l->row[2].rid, 3);
    assert_int_equal(l->row[4].rid, 5);
    free(l);
}

/* Bytes that would break a line, or be taken for a line break. */
static void test_text_is_clean(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, "");
    struct toy_inst x;
    struct log *l;

    toy->kernel.name = "a\tb\n\\n";
    toy_make(toy, &x, 0, 0, 9);
    trace_stage(t, &x.i, TRACE_WINDOW, 1);
    trace_wait(t, &x.i, "\xc3\xa4 much longer than any cause has a right to be", 2);
    trace_retire(t, &x.i, false, 5);
    finish(t);
    l = read_file(toy->path);
    assert_string_equal(l->row[0].label, "w0 0x0090 BRA `(.L_x_0)  'n'?");
    assert_non_null(strstr(l->row[0].detail, "a b 'n, launch 0"));
    assert_string_equal(l->row[0].causes, "?? much longer than any cause has a rig ");
    free(l);
}

/* Warps are slots of an SM, or with blocks= those of a block. */
static void test_which_warps(void **state)
{
    struct trace t = { 0 };
    struct trace_inst i = { .kernel = 3, .block = 7, .warp_of = 1, .sm = 2, .warp = 9 };
    static const struct {
        const char *window;
        bool wanted;
    } cases[] = {
        { "", true },
        { "sm=2", true },
        { "sm=0,1,3-", false },
        { "warps=9", true },
        { "warps=1", false },
        { "blocks=7", true },
        { "blocks=0-6,8-", false },
        { "blocks=7 warps=1", true },
        { "blocks=7 warps=9", false },
        { "kernels=3 sms=0-2 warp=8-10", true },
        { "kernel=2", false },
        { "  cycles=5   insts=1  ", true },
    };

    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct err err;

        if (trace_window(&t, cases[n].window, &err))
            fail_msg("%s", err.text);
        assert_int_equal(trace_wants(&t, &i), cases[n].wanted);
    }
    assert_int_equal(t.cycles.first, 5);
    assert_int_equal(t.cycles.last, 5);
    assert_int_equal(trace_window(&t, "cycles=7-", NULL), 0);
    assert_true(t.cycles.first == 7 && t.cycles.last == UINT64_MAX);
}

static void test_bad_windows(void **state)
{
    static const char *const bad[][2] = {
        { "cycle", "KEY=RANGES" },
        { "cycels=1-2", "did you mean 'cycles'" },
        { "=1", "there is no '='" },
        { "warps=", "list of numbers" },
        { "warps=3-1", "list of numbers" },
        { "warps=1,", "list of numbers" },
        { "warps=1;2", "list of numbers" },
        { "warps=-1", "list of numbers" },
        { "warps=18446744073709551616", "list of numbers" },
        { "warps=1 warp=2", "is given twice" },
        { "cycles=1,3", "one range" },
        { "insts=1,3", "one range" },
        { "sm=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "more than 16" },
    };
    struct toy *toy = *state;
    char large[1000];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = { 0 };

        assert_null(trace_konata(toy->path, bad[i][0], &err));
        if (!strstr(err.text, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], err.text);
        assert_null(trace_perfetto(toy->path, bad[i][0], NULL));
    }
    memset(large, '1', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    assert_null(trace_konata(toy->path, large, NULL));
    assert_int_equal(toy_files(toy), 0);
}

static void test_compressed(void **state)
{
    struct toy *toy = *state;
    struct file f;
    struct trace *t;
    char *text = calloc(1, 1 << 20), *plain;
    size_t n;

    strcat(toy->path, ".zst");
    t = start(toy, "");
    by_hand(toy, t);
    finish(t);
    assert_int_equal(file_read(toy->path, 1 << 20, &f, NULL), 0);
    n = ZSTD_decompress(text, (1 << 20) - 1, f.data, f.size);
    assert_false(ZSTD_isError(n));
    text[n] = '\0'; /* what is behind is anything */
    plain = toy_read(GOLDEN);
    assert_string_equal(text, plain);
    free(plain);
    free(text);
    file_free(&f);
}

/* Whole or not at all: nothing until the end, and an old file stays if it fails. */
static void test_whole_or_not_at_all(void **state)
{
    struct toy *toy = *state;
    struct err err;
    struct trace *t, *u;
    char *text;

    assert_null(trace_konata("/nowhere/at/all", "", &err));
    assert_non_null(
        strstr(err.text, "/nowhere/at/all: cannot be created: No such file"));
    assert_null(trace_konata("", "", &err));
    assert_null(trace_konata(toy->dir, "", &err));
    assert_non_null(strstr(err.text, "is a folder"));

    assert_int_equal(file_write(toy->path, "old", 3, NULL), 0);
    t = start(toy, "");
    by_hand(toy, t);
    text = toy_read(toy->path);
    assert_string_equal(text, "old");
    assert_int_equal(toy_files(toy), 1); /* the scratch file has no name */
    free(text);

    /* Two listeners; the first one's place is gone, the second still gets its file. */
    u = trace_konata(toy->path, "insts=0", &err);
    assert_non_null(u);
    t->next = u;
    unlink(toy->path);
    assert_int_equal(rmdir(toy->dir), 0);
    assert_int_equal(trace_finish(t, &err), -1);
    assert_non_null(strstr(err.text, "No such file"));
    assert_non_null(mkdtemp(strcpy(toy->dir, "/tmp/leno-trace-XXXXXX")));
    snprintf(toy->path, sizeof toy->path, "%s/view", toy->dir);
}

/* A run that never reports anything is a log too. */
static void test_empty(void **state)
{
    struct toy *toy = *state;
    struct log *l;

    finish(start(toy, "cycles=5-6"));
    l = read_file(toy->path);
    assert_int_equal(l->n_rows, 0);
    free(l);
    assert_int_equal(trace_finish(NULL, NULL), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, toy_setup, toy_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reader_is_strict),
        TEST(test_golden),
        TEST(test_stage_names),
        TEST(test_any_schedule),
        TEST(test_same_ids_under_every_schedule),
        TEST(test_ids_are_warp_major),
        TEST(test_cycles),
        TEST(test_window_jumped_over),
        TEST(test_slot_again),
        TEST(test_text_is_clean),
        TEST(test_which_warps),
        TEST(test_bad_windows),
        TEST(test_compressed),
        TEST(test_whole_or_not_at_all),
        TEST(test_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
