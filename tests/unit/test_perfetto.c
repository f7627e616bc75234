/* test_perfetto.c - timelines for Perfetto: valid JSON, slices of a thread that never
 * overlap, and a file that was read line by line.
 */
#include <ctype.h>
#include <sys/stat.h>

#include "trace_schedule.h"

#define GOLDEN "tests/data/trace/hand.json"

/* A strict reader of JSON: where the value at p ends, or NULL. */
static const char *json_value(const char *p, unsigned depth);

static const char *json_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ')
            return NULL;
        if (*p == '\\' && !strchr("\"\\/bfnrt", *++p))
            return NULL;
    }
    return p + 1;
}

static const char *json_number(const char *p)
{
    const char *start;

    p += *p == '-';
    start = p;
    while (isdigit((unsigned char)*p))
        p++;
    return p == start || (*start == '0' && p != start + 1) ? NULL : p;
}

static const char *blank(const char *p)
{
    return p + strspn(p, " \n");
}

static const char *json_list(const char *p, char end, unsigned depth)
{
    p = blank(p + 1);
    if (*p == end)
        return p + 1;
    for (;;) {
        if (end == '}') {
            p = json_string(p);
            if (!p || *(p = blank(p)) != ':')
                return NULL;
            p = blank(p + 1);
        }
        p = json_value(p, depth + 1);
        if (!p)
            return NULL;
        p = blank(p);
        if (*p == end)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = blank(p + 1);
    }
}

static const char *json_value(const char *p, unsigned depth)
{
    if (depth > 8)
        return NULL;
    if (*p == '{' || *p == '[')
        return json_list(p, *p == '{' ? '}' : ']', depth);
    if (*p == '"')
        return json_string(p);
    return json_number(p);
}

static bool is_json(const char *text)
{
    const char *end = json_value(text, 0);

    return end && !*blank(end);
}

struct slice {
    unsigned long ts, dur, pid, tid;
    char name[40], cat[40];
};

/* The slices of a file, one a line. */
static struct slice *slices(char *text, unsigned *n)
{
    struct slice *s = calloc(TOY_MOST, sizeof *s);

    *n = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        struct slice *x = &s[*n];

        if (sscanf(
                line,
                "{\"name\":\"%39[^\"]\",\"cat\":\"%39[^\"]\",\"ph\":\"X\",\"ts\":%lu,"
                "\"dur\":%lu,\"pid\":%lu,\"tid\":%lu",
                x->name, x->cat, &x->ts, &x->dur, &x->pid, &x->tid) == 6)
            ++*n;
    }
    return s;
}

static struct trace *start(struct toy *toy, const char *window)
{
    struct err err;
    struct trace *t = trace_perfetto(toy->path, window, &err);

    if (!t)
        fail_msg("%s", err.text);
    return t;
}

static char *finish(struct toy *toy, struct trace *t)
{
    struct err err;
    char *text;

    if (trace_finish(t, &err))
        fail_msg("%s", err.text);
    text = toy_read(toy->path);
    if (!is_json(text))
        fail_msg("not JSON: %s", text);
    return text;
}

static void test_reader_is_strict(void **state)
{
    static const char *const bad[] = { "",      "{",       "[1,]",     "{\"a\" 1}",
                                       "[01]",  "\"\t\"",  "\"\\q\"",  "[1]]",
                                       "{1:2}", "[1 2]",   "{\"a\":}", "nul",
                                       "[-]",   "{\"a\":1" };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(is_json(bad[i]));
    assert_true(is_json("{\"a\":[1,-20,{}],\n \"b\":\"x\\n\"}\n"));
}

static void by_hand(struct toy *toy, struct trace *t)
{
    struct toy_inst x[10];

    for (unsigned n = 0; n < 10; n++) {
        toy_make(toy, &x[n], 3, n >= 8, n >= 8 ? n - 8 : n);
        x[n].i.key = n;
    }
    toy_make(toy, &x[4], 3, 0, 9); /* a text that JSON would not take */
    x[4].i.key = 4;
    trace_kernel(t, &toy->kernel, 0, 100);
    trace_counter(t, 0, "active warps", 2, 100);
    trace_stage(t, &x[0].i, TRACE_FETCH, 100);
    trace_stage(t, &x[1].i, TRACE_FETCH, 100);
    trace_stage(t, &x[8].i, TRACE_FETCH, 101);
    trace_counter(t, 0, "active warps", 2, 101); /* no change */
    trace_stage(t, &x[1].i, TRACE_WINDOW, 102);
    trace_wait(t, &x[1].i, "compute", 102);
    trace_wait(t, &x[1].i, NULL, 103);
    trace_stage(t, &x[0].i, TRACE_EXECUTE, 103);
    trace_retire(t, &x[0].i, false, 110);
    trace_stage(t, &x[5].i, TRACE_FETCH, 110); /* takes row 0 again */
    trace_depend(t, &x[1].i, 0, 110);
    trace_stage(t, &x[9].i, TRACE_FETCH, 110);
    trace_retire(t, &x[9].i, true, 110); /* lasts a cycle all the same */
    trace_stage(t, &x[4].i, TRACE_FETCH, 110);
    trace_retire(t, &x[1].i, false, 112);
    trace_retire(t, &x[5].i, false, 113);
    trace_counter(t, 0, "active warps", 1, 115);
    trace_kernel(t, &toy->kernel, 1, 115);
    trace_stage(t, &x[2].i, TRACE_MEMORY, 116); /* never comes back */
    trace_retire(t, &x[8].i, false, 117);
    trace_retire(t, &x[4].i, false, 118);
}

static void test_golden(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, NULL);
    char *text, *golden;

    by_hand(toy, t);
    assert_int_equal(t->n_shown, 7);
    text = finish(toy, t);
    if (getenv("LENO_GOLDEN"))
        assert_int_equal(file_write(GOLDEN, text, strlen(text), NULL), 0);
    golden = toy_read(GOLDEN);
    assert_string_equal(text, golden);
    free(text);
    free(golden);
}

static void test_cycles(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, "cycles=105-109");
    unsigned n;
    char *text;
    struct slice *s;

    by_hand(toy, t);
    text = finish(toy, t);
    assert_non_null(strstr(text, "\"ph\":\"C\",\"ts\":105"));
    assert_null(strstr(text, "\"ph\":\"C\",\"ts\":115"));
    s = slices(text, &n);
    assert_int_equal(n, 4); /* three instructions, one kernel */
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(s[i].ts, 105);
    assert_string_equal(s[0].name, "S2R");
    assert_int_equal(s[0].dur, 5);
    assert_string_equal(s[1].name, "IMAD");
    assert_int_equal(s[1].ts + s[1].dur, 112); /* followed to its end */
    assert_string_equal(s[2].cat, "kernel");
    assert_int_equal(s[2].dur, 5); /* cut where the window ends */
    free(s);
    free(text);
}

static int by_thread(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;

    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    return (x->ts > y->ts) - (x->ts < y->ts);
}

/* Whatever the schedule: one slice an instruction, no overlap, every thread named. */
static void test_any_schedule(void **state)
{
    struct toy *toy = *state;

    for (unsigned seed = 0; seed < 8; seed++) {
        struct toy_run *r = toy_schedule(toy, seed % 2, seed);
        struct trace *t = start(toy, "");
        char *text, *copy, thread[64];
        struct slice *s;
        unsigned n;

        toy_report(r, t);
        text = finish(toy, t);
        copy = strdup(text);
        s = slices(copy, &n);
        assert_int_equal(n, r->n_insts);
        qsort(s, n, sizeof *s, by_thread);
        for (unsigned i = 0; i < n; i++) {
            assert_true(s[i].dur > 0);
            assert_int_equal(s[i].tid / 16384, s[i].pid);
            if (i && s[i].tid == s[i - 1].tid) {
                assert_true(s[i].ts >= s[i - 1].ts + s[i - 1].dur);
                continue;
            }
            snprintf(thread, sizeof thread,
                     "\"thread_name\",\"ph\":\"M\",\"pid\":%lu,\"tid\":%lu,", s[i].pid,
                     s[i].tid);
            assert_non_null(strstr(text, thread));
        }
        free(s);
        free(copy);
        free(text);
        free(r);
    }
}

/* More in flight than a warp has rows: still a file that can be read. */
static void test_too_many(void **state)
{
    struct toy *toy = *state;
    struct trace *t = start(toy, "");
    static struct toy_inst x[100];
    char *text;

    for (unsigned n = 0; n < 100; n++) {
        toy_make(toy, &x[n], 0, 0, n);
        x[n].i.key = 1000 + n;
        trace_stage(t, &x[n].i, TRACE_FETCH, n + 1);
    }
    text = finish(toy, t);
    assert_non_null(strstr(text, "\"warp 00 +63\""));
    assert_null(strstr(text, "\"warp 00 +64\""));
    free(text);
}

static void test_whole_or_not_at_all(void **state)
{
    struct toy *toy = *state;
    struct err err;
    struct trace *t;
    char *text;

    assert_null(trace_perfetto("/nowhere/at/all", "", &err));
    assert_non_null(
        strstr(err.text, "/nowhere/at/all: cannot be created: No such file"));
    assert_null(trace_perfetto(toy->dir, "", &err));
    assert_int_equal(file_write(toy->path, "old", 3, NULL), 0);
    t = start(toy, "");
    by_hand(toy, t);
    text = toy_read(toy->path);
    assert_string_equal(text, "old");
    free(text);

    /* A folder has come to stand there: it stays, and so does nothing else. */
    unlink(toy->path);
    assert_int_equal(mkdir(toy->path, 0700), 0);
    assert_int_equal(trace_finish(t, &err), -1);
    assert_non_null(strstr(err.text, toy->path));
    assert_int_equal(toy_files(toy), 1);
    assert_int_equal(rmdir(toy->path), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, toy_setup, toy_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reader_is_strict), TEST(test_golden),
        TEST(test_cycles),           TEST(test_any_schedule),
        TEST(test_too_many),         TEST(test_whole_or_not_at_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
