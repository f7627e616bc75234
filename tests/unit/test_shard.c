/* test_shard.c - slices of a study: which points are in them, their files, and files that
 * are something else; time limits and lists of elements.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/program.h"
#include "base/revision.h"
#include "check.h"
#include "session/elements.h"
#include "session/slurm.h"

static int enter(void **state)
{
    struct scratch *s = calloc(1, sizeof *s);

    *state = s;
    return s ? scratch_open(s, NULL) : -1;
}

static int leave(void **state)
{
    scratch_close(*state);
    free(*state);
    return 0;
}

static void slices_are_read(void **state)
{
    static const char *const bad[] = { "",
                                       "3",
                                       "0/4",
                                       "5/4",
                                       "1/0",
                                       "-1/4",
                                       "1/4x",
                                       "1/",
                                       "/4",
                                       " 1/4",
                                       "1/ 4",
                                       "1/200000",
                                       "1/99999999999999999999" };
    struct shard s;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(shard_read(&s, "3/16", &err), 0);
    assert_true(s.number == 3 && s.n == 16);
    assert_int_equal(shard_read(&s, "1/1", &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (struct err){ 0 };
        if (!shard_read(&s, bad[i], &err))
            fail_msg("'%s' was accepted", bad[i]);
        assert_non_null(strstr(err.text, "--shard"));
    }
}

/* Every point is in exactly one slice, and slices differ in size by at most one. */
static void slices_share_the_points(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 20; n++)
        for (size_t n_points = 0; n_points < 40; n_points++) {
            size_t sum = 0;

            for (uint64_t i = 1; i <= n; i++) {
                struct shard s = { i, n };
                size_t mine = 0;

                for (size_t p = 0; p < n_points; p++)
                    mine += shard_has(&s, p);
                assert_int_equal(shard_size(&s, n_points), mine);
                assert_in_range(mine, n_points / n, n_points / n + 1);
                sum += mine;
            }
            assert_int_equal(sum, n_points);
        }
}

static char *copy(const char *text)
{
    char *c = strdup(text);

    assert_non_null(c);
    return c;
}

/* Slice 2/3 of seven points: one is done, one has failed. */
static struct shard_file make_file(void)
{
    struct shard_file f = { .shard = { 2, 3 },
                            .study = { 0x0123456789abcdef, 7 },
                            .n = 2 };

    f.point = calloc(f.n, sizeof *f.point);
    assert_non_null(f.point);
    for (size_t i = 0; i < f.n; i++)
        f.point[i] = (struct shard_point){ .number = 1 + 3 * i,
                                           .program_hash = 10 + i,
                                           .config_hash = UINT64_MAX - i,
                                           .program = copy("a \"b\", \\c\n"),
                                           .size = copy("tiny"),
                                           .arch = copy("sm_75"),
                                           .gpu = copy("my gpu.ini"),
                                           .scheme = copy("ghost:entries=4") };
    f.point[0].state = SHARD_DONE;
    f.point[0].seconds = 0.1;
    f.point[0].result = copy("{\"x\": 1,\n \"result\": 2}");
    f.point[1].state = SHARD_FAILED;
    f.point[1].exit_code = 4;
    f.point[1].message = copy("dead, \"result\": {}");
    return f;
}

static const char *write_file(const struct scratch *s, struct buf *path)
{
    struct shard_file f = make_file();

    scratch_path(s, "2-of-3.jsonl", path);
    assert_int_equal(shard_file_write(buf_text(path), &f, NULL), 0);
    shard_file_free(&f);
    return buf_text(path);
}

static void files_hold_what_was_written(void **state)
{
    struct shard_file f, was = make_file();
    struct buf path = { 0 };
    struct err err = { 0 };

    if (shard_file_read(write_file(*state, &path), &f, &err))
        fail_msg("%s", err.text);
    assert_string_equal(f.revision, revision_text());
    assert_true(f.study.hash == was.study.hash && f.study.n_points == 7);
    assert_true(f.shard.number == 2 && f.shard.n == 3 && f.n == 2);
    for (size_t i = 0; i < f.n; i++) {
        const struct shard_point *a = &f.point[i], *b = &was.point[i];

        assert_int_equal(a->number, b->number);
        assert_true(a->program_hash == b->program_hash &&
                    a->config_hash == b->config_hash);
        assert_string_equal(a->program, b->program);
        assert_string_equal(a->size, b->size);
        assert_string_equal(a->arch, b->arch);
        assert_string_equal(a->gpu, b->gpu);
        assert_string_equal(a->scheme, b->scheme);
        assert_int_equal(a->state, b->state);
    }
    assert_true(f.point[0].seconds == 0.1); /* exactly */
    assert_string_equal(f.point[0].result, "{\"x\": 1,  \"result\": 2}");
    assert_int_equal(f.point[1].exit_code, 4);
    assert_string_equal(f.point[1].message, was.point[1].message);
    assert_int_equal(shard_file_count(&f, SHARD_TODO), 0);
    assert_int_equal(shard_file_count(&f, SHARD_FAILED), 1);
    shard_file_free(&f);
    shard_file_free(&was);
    buf_free(&path);
}

static void write_bytes(const char *path, const char *text, size_t n)
{
    FILE *to = fopen(path, "w");

    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, n, to), n);
    fclose(to);
}

static void expect_refused(const char *path, const char *text, size_t n,
                           const char *says)
{
    struct shard_file f;
    struct err err = { 0 };

    write_bytes(path, text, n);
    if (!shard_file_read(path, &f, &err))
        fail_msg("accepted; expected: %s", says);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not have '%s'", err.text, says);
    shard_file_free(&f);
}

/* Whatever the first line says: taken or refused, never a crash. */
static void read_anything(const char *path, const char *text, size_t n)
{
    struct shard_file f;

    write_bytes(path, text, n);
    shard_file_read(path, &f, NULL);
    shard_file_free(&f);
}

/* Any byte of a point changed, any end cut off: named, never taken, never a crash. */
static void damaged_files_are_refused(void **state)
{
    struct buf path = { 0 };
    struct file file;
    char *text;
    size_t first;

    write_file(*state, &path);
    assert_int_equal(file_read(buf_text(&path), 1 << 20, &file, NULL), 0);
    text = (char *)file.data;
    first = (size_t)((char *)memchr(text, '\n', file.size) - text) + 1;
    for (size_t i = 0; i < first; i++)
        for (unsigned bit = 1; bit < 256; bit <<= 1) {
            text[i] = (char)(text[i] ^ (int)bit);
            read_anything(buf_text(&path), text, file.size);
            text[i] = (char)(text[i] ^ (int)bit);
        }
    for (size_t i = first; i < file.size; i++) {
        text[i] ^= 1;
        expect_refused(buf_text(&path), text, file.size, buf_text(&path));
        text[i] ^= 1;
    }
    for (size_t n = 0; n < file.size; n++)
        expect_refused(buf_text(&path), text, n, buf_text(&path));
    expect_refused(buf_text(&path), text, file.size - 1, "ends after 1 of 2 points");
    file_free(&file);
    buf_free(&path);
}

#define HEAD(members)                                                                 \
    "{\"leno\": \"0.1\", \"schema\": \"leno.shard/1\", \"revision\": \"0\", " members \
    "}\n"
#define STUDY "\"study\": \"0123456789abcdef\", "

static void other_files_are_refused(void **state)
{
    static const char *const bad[][2] = {
        { "", "not the results of a shard" },
        { "schemes = inorder\n", ":1: not JSON" },
        { "{}\n", ":1: \"schema\": expected text" },
        { "{\"schema\": \"leno.run/1\"}\n", "expected leno.shard/1" },
        { HEAD("\"study\": \"12\""), "\"study\": expected 16 hexadecimal digits" },
        { HEAD(STUDY "\"shards\": 3, \"shard\": 4, \"of\": 1, \"points\": 1"),
          "\"shard\": expected a number in its range" },
        { HEAD(STUDY "\"shards\": 3, \"shard\": 0, \"of\": 1, \"points\": 1"),
          "\"shard\": expected 1 or more" },
        { HEAD(STUDY "\"shards\": -3, \"shard\": 1, \"of\": 1, \"points\": 1"),
          "\"shards\": expected a number in its range" },
        { HEAD(STUDY "\"shards\": 3, \"shard\": 1, \"of\": 99999999, \"points\": 1"),
          "\"of\": expected a number in its range" },
        { HEAD(STUDY "\"shards\": 3, \"shard\": 1, \"of\": 7, \"points\": 2"),
          "\"points\": expected the number of points of such a slice" },
        { HEAD(STUDY "\"shards\": 3, \"shard\": 1, \"of\": 1, \"points\": 1") "{}\n",
          ":2: expected a point of the slice" },
    };
    struct buf path = { 0 };

    scratch_path(*state, "bad.jsonl", &path);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refused(buf_text(&path), bad[i][0], strlen(bad[i][0]), bad[i][1]);
    buf_free(&path);
}

static void folders_are_named_after_the_study(void **state)
{
    const struct shard_study study = { 0x89abcdef00000000, 5 };
    struct buf name = { 0 }, folder = { 0 };
    struct scratch *s = *state;
    struct stat st;

    shard_put_folder(&name, "out", "../my study;x.ini", &study);
    assert_string_equal(buf_text(&name), "out/shards/my_study_x-89abcdef");
    buf_printf(&folder, "%s/a/b c", s->path);
    assert_int_equal(shard_make_folder(buf_text(&folder), NULL), 0);
    assert_int_equal(shard_make_folder(buf_text(&folder), NULL), 0);
    assert_int_equal(stat(buf_text(&folder), &st), 0);
    buf_free(&name);
    buf_free(&folder);
}

static void times_are_slurms(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds;
    } times[] = {
        { "90", 5400 },     { "1:30", 90 },      { "2:00:00", 7200 },
        { "1-12", 129600 }, { "1-0:30", 88200 }, { "1-00:00:05", 86405 },
        { "", -1 },         { "x", -1 },         { "1:", -1 },
        { "1-", -1 },       { "1:2:3:4", -1 },   { "-5", -1 },
        { "1h", -1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (slurm_seconds(times[i].text) != times[i].seconds)
            fail_msg("%s: %lld", times[i].text,
                     (long long)slurm_seconds(times[i].text));
}

static void lists_are_slurms(void **state)
{
    struct element at[] = {
        { .state = ELEMENT_FAILED },      { .state = ELEMENT_DONE },
        { .state = ELEMENT_KILLED },      { .state = ELEMENT_TIMED_OUT },
        { .state = ELEMENT_NOT_STARTED }, { .state = ELEMENT_RUNNING },
        { .state = ELEMENT_UNFINISHED },  { .state = ELEMENT_WAITING }
    };
    struct elements e = { .at = at, .n = 8 };
    struct buf list = { 0 };

    (void)state;
    elements_put_needed(&e, &list);
    assert_string_equal(buf_text(&list), "1,3-5,7");
    buf_clear(&list);
    e.n = 0;
    elements_put_needed(&e, &list);
    assert_string_equal(buf_text(&list), "");
    buf_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_read),
        cmocka_unit_test(slices_share_the_points),
        cmocka_unit_test_setup_teardown(files_hold_what_was_written, enter, leave),
        cmocka_unit_test_setup_teardown(damaged_files_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(other_files_are_refused, enter, leave),
        cmocka_unit_test_setup_teardown(folders_are_named_after_the_study, enter,
                                        leave),
        cmocka_unit_test(times_are_slurms),
        cmocka_unit_test(lists_are_slurms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
