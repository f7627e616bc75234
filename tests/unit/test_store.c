/* test_store.c - results kept in a file: found again, told apart, never mixed up with
 * what is not a store; several processes; processes killed.
 */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "session/store.h"

static const struct store_key key = { 0xfedcba9876543210u, 2, "r1" };

static struct store_row row_of(const char *result, double seconds)
{
    return (struct store_row){ "vecadd",  "tiny",  "sm_75", "rtx2060s",
                               "inorder", seconds, result };
}

/* A folder of its own for each test, with the name of a file in it. */
static int enter(void **state)
{
    char *path = malloc(64);

    strcpy(path, "/tmp/leno-store-XXXXXX");
    if (!mkdtemp(path))
        return -1;
    strcat(path, "/results.db");
    *state = path;
    return 0;
}

static int leave(void **state)
{
    static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
    char *path = *state, name[96];

    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
    *strrchr(path, '/') = '\0';
    rmdir(path);
    free(path);
    return 0;
}

static struct store *open_it(const char *path)
{
    struct err err = { 0 };
    struct store *s = store_open(path, 5000, &err);

    if (!s)
        fail_msg("%s", err.text);
    return s;
}

static void put(struct store *s, const struct store_key *k, const char *result)
{
    struct store_row row = row_of(result, 1);
    struct err err = { 0 };

    if (store_put(s, k, &row, &err))
        fail_msg("%s", err.text);
}

/* What is kept under a key; NULL: nothing. The caller frees it. */
static char *get(struct store *s, const struct store_key *k)
{
    struct buf b = { 0 };
    struct err err = { 0 };
    int found = store_get(s, k, &b, &err);

    if (found < 0)
        fail_msg("%s", err.text);
    return found ? b.data : NULL;
}

static void expect(struct store *s, const struct store_key *k, const char *result)
{
    char *is = get(s, k);

    if (result)
        assert_string_equal(is, result);
    else
        assert_null(is);
    free(is);
}

static void what_was_put_is_found_again(void **state)
{
    struct store *s = open_it(*state);

    expect(s, &key, NULL);
    put(s, &key, "{\"a\": 1}");
    expect(s, &key, "{\"a\": 1}");
    store_close(s);
    s = open_it(*state);
    expect(s, &key, "{\"a\": 1}");
    put(s, &key, "{\"a\": 2}");
    expect(s, &key, "{\"a\": 2}");
    store_close(s);
}

static void every_part_of_the_key_counts(void **state)
{
    struct store_key other[] = { key, key, key };
    struct store *s = open_it(*state);

    other[0].program ^= (uint64_t)1 << 63;
    other[1].config++;
    other[2].revision = "r2";
    put(s, &key, "{}");
    for (int i = 0; i < 3; i++) {
        expect(s, &other[i], NULL);
        put(s, &other[i], "[]");
    }
    expect(s, &key, "{}");
    store_close(s);
}

static void the_time_a_program_takes_is_known(void **state)
{
    struct store *s = open_it(*state);
    struct store_row row = row_of("{}", 2);
    struct store_key other = key;

    assert_true(store_seconds(s, key.program) == 0);
    assert_int_equal(store_put(s, &key, &row, NULL), 0);
    other.config++;
    row.seconds = 4;
    assert_int_equal(store_put(s, &other, &row, NULL), 0);
    assert_true(store_seconds(s, key.program) == 3);
    assert_true(store_seconds(s, key.program + 1) == 0);
    store_close(s);
}

static void write_file(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

/* Opening must fail, with these words and the file's name. */
static void refused(const char *path, const char *words)
{
    struct err err = { 0 };
    struct store *s = store_open(path, 100, &err);

    assert_null(s);
    if (!strstr(err.text, words) || !strstr(err.text, path))
        fail_msg("'%s' lacks '%s'", err.text, words);
}

static void a_file_that_is_no_database_is_refused_and_left(void **state)
{
    char text[200], after[200];
    FILE *f;

    memset(text, 'x', sizeof text);
    write_file(*state, text, sizeof text);
    refused(*state, "not a database");
    f = fopen(*state, "rb");
    assert_int_equal(fread(after, 1, sizeof after, f), sizeof after);
    fclose(f);
    assert_memory_equal(text, after, sizeof text);
}

/* Pages overwritten behind a good header: an error, now or when it is read. */
static void a_damaged_database_is_an_error(void **state)
{
    struct store *s = open_it(*state);
    struct buf b = { 0 };
    struct err err = { 0 };
    char junk[4096];
    FILE *f;

    put(s, &key, "{}");
    store_close(s);
    memset(junk, 0xa5, sizeof junk);
    f = fopen(*state, "r+b");
    assert_non_null(f);
    fseek(f, 100, SEEK_SET);
    fwrite(junk, 1, sizeof junk, f);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);

    for (long at = 4096; at < size; at += 4096) {
        fseek(f, at, SEEK_SET);
        fwrite(junk, 1, sizeof junk, f);
    }
    fclose(f);
    s = store_open(*state, 100, &err);
    if (s)
        assert_int_equal(store_get(s, &key, &b, &err), -1);
    assert_non_null(strstr(err.text, "malformed"));
    store_close(s);
    buf_free(&b);
}

static void run_sql(const char *path, const char *text)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), 0);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), 0);
    sqlite3_close(db);
}

static void another_databases_file_is_refused(void **state)
{
    run_sql(*state, "CREATE TABLE result (a)");
    refused(*state, "not of Leno's results");
}

static void another_layout_is_refused(void **state)
{
    store_close(open_it(*state));
    run_sql(*state, "PRAGMA user_version = 0");
    refused(*state, "an older Leno");
    run_sql(*state, "PRAGMA user_version = 7");
    refused(*state, "a newer Leno");
    run_sql(*state, "PRAGMA user_version = 2");
    store_close(open_it(*state));
}

/* A store as it was before checksums, with one row. */
static void make_plain(const char *path)
{
    run_sql(path,
            "CREATE TABLE result (program_hash TEXT NOT NULL, config_hash TEXT NOT "
            "NULL, revision TEXT NOT NULL, program TEXT NOT NULL, size TEXT NOT "
            "NULL, arch TEXT NOT NULL, gpu TEXT NOT NULL, scheme TEXT NOT NULL, "
            "seconds REAL NOT NULL, finished TEXT NOT NULL DEFAULT "
            "CURRENT_TIMESTAMP, result TEXT NOT NULL, PRIMARY KEY (program_hash, "
            "config_hash, revision));"
            "INSERT INTO result VALUES ('fedcba9876543210', '0000000000000002', "
            "'r1', 'vecadd', 'tiny', 'sm_75', 'rtx2060s', 'inorder', 3, 'now', "
            "'{}');"
            "PRAGMA application_id = 0x4c656e6f; PRAGMA user_version = 1;"
            "PRAGMA journal_mode = WAL");
}

/* Its rows count as missing, whatever they say; how long they took is still known. */
static void a_store_without_checksums_gets_them(void **state)
{
    struct store *s;

    make_plain(*state);
    for (int again = 0; again < 2; again++) {
        s = open_it(*state);
        assert_null(store_why_readonly(s));
        if (!again)
            expect(s, &key, NULL);
        assert_true(store_seconds(s, key.program) > 0);
        put(s, &key, "{\"a\": 1}");
        expect(s, &key, "{\"a\": 1}");
        store_close(s);
    }
}

/* Whatever is changed in a row, key or contents: it is named, never used, and what is put
 * takes its place. */
static void a_changed_row_is_found_out(void **state)
{
    static const char *const changes[] = {
        "result = '{\"a\": 2}'",
        "result = result || ' '",
        "program = 'scan'",
        "size = 'small'",
        "arch = 'sm_90'",
        "gpu = 'v100'",
        "scheme = 'ghost'",
        "seconds = 1.5",
        "checksum = '0000000000000000'",
    };
    struct store_key moved = key;

    moved.config++;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct store *s = open_it(*state);
        struct buf b = { 0 };
        struct err err = { 0 };
        char sql[128];

        put(s, &key, "{\"a\": 1}");
        store_close(s);
        snprintf(sql, sizeof sql, "UPDATE result SET %s", changes[i]);
        run_sql(*state, sql);
        s = open_it(*state);
        assert_int_equal(store_get(s, &key, &b, &err), STORE_DAMAGED);
        assert_int_equal(b.len, 0);
        if (!strstr(err.text, *state) || !strstr(err.text, "row ") ||
            !strstr(err.text, "does not match its checksum"))
            fail_msg("%s: %s", changes[i], err.text);
        put(s, &key, "{\"a\": 1}");
        expect(s, &key, "{\"a\": 1}");
        store_close(s);
    }
    run_sql(*state, "UPDATE result SET config_hash = '0000000000000003'");
    struct store *s = open_it(*state);
    struct buf b = { 0 };

    assert_int_equal(store_get(s, &moved, &b, NULL), STORE_DAMAGED);
    expect(s, &key, NULL);
    store_close(s);
}

/* In a process of its own, which nobody's permissions help: the store must be read, and
 * refuse to be written. */
static void read_only_child(const char *path, const char *result)
{
    struct store_row row = row_of("{}", 1);
    struct buf b = { 0 };
    struct err err = { 0 };
    struct store *s;
    int found;

    if (!geteuid() &&
        (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)))
        _exit(77); /* not possible here */
    s = store_open(path, 100, &err);
    if (!s) {
        fprintf(stderr, "%s\n", err.text);
        _exit(1);
    }
    if (!store_why_readonly(s))
        _exit(2);
    found = store_get(s, &key, &b, &err);
    if (found != !!result || (result && strcmp(buf_text(&b), result)))
        _exit(3);
    if (store_put(s, &key, &row, &err) != -1 || !strstr(err.text, path))
        _exit(4);
    store_close(s);
    _exit(0);
}

/* The folder as a reader finds it. */
static void read_only(const char *path, const char *result)
{
    char folder[96];
    int status;
    pid_t pid;

    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    pid = fork();
    if (!pid)
        read_only_child(path, result);
    waitpid(pid, &status, 0);
    chmod(folder, 0755);
    chmod(path, 0644);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

static void a_store_that_cannot_be_written_is_read(void **state)
{
    struct store *s = open_it(*state);

    put(s, &key, "{\"a\": 1}");
    store_close(s);
    read_only(*state, "{\"a\": 1}");
}

static void an_old_store_that_cannot_be_written_has_nothing(void **state)
{
    make_plain(*state);
    read_only(*state, NULL);
}

static void a_folder_that_is_not_there_is_an_error(void **state)
{
    char path[96];

    snprintf(path, sizeof path, "%s/none/results.db", (char *)*state);
    refused(path, "unable to open");
}

static void a_lock_that_is_not_given_up_is_named(void **state)
{
    struct store *s = store_open(*state, 50, NULL);
    struct store_row row = row_of("{}", 1);
    struct err err = { 0 };
    sqlite3 *other;

    assert_non_null(s);
    assert_int_equal(sqlite3_open(*state, &other), 0);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), 0);
    assert_int_equal(store_put(s, &key, &row, &err), -1);
    assert_non_null(strstr(err.text, "another process"));
    assert_int_equal(err.code, ERR_LIMIT);
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(other);
    put(s, &key, "{}"); /* once it is free, all goes on */
    expect(s, &key, "{}");
    store_close(s);
}

/* In a process of its own. to: takes a byte once there is a result; -1: nobody waits. */
static void write_many(const char *path, const char *revision, unsigned n, int to)
{
    struct store *s = store_open(path, 20000, NULL);
    struct store_key k = { 0, 0, revision };
    struct store_row row = row_of("{\"x\": 1}", 1);

    if (!s)
        _exit(1);
    for (unsigned i = 0; i < n; i++) {
        k.program = i;
        if (store_put(s, &k, &row, NULL))
            _exit(2);
        if (!i && to >= 0 && write(to, "", 1) != 1)
            _exit(3);
    }
    store_close(s);
    _exit(0);
}

/* From the making of the file on: nobody fails, and nothing is lost. */
static void processes_write_at_the_same_time(void **state)
{
    static const char *const names[] = { "a", "b", "c", "d" };
    enum { N = 4, EACH = 50 };
    pid_t pid[N];
    struct store *s;

    for (int i = 0; i < N; i++)
        if (!(pid[i] = fork()))
            write_many(*state, names[i], EACH, -1);
    for (int i = 0; i < N; i++) {
        int status;

        waitpid(pid[i], &status, 0);
        assert_int_equal(status, 0);
    }
    s = open_it(*state);
    for (unsigned i = 0; i < N * EACH; i++) {
        struct store_key k = { i % EACH, 0, names[i / EACH] };

        expect(s, &k, "{\"x\": 1}");
    }
    store_close(s);
}

/* Whatever moment it is killed at: the file opens, and has the first results whole. */
static void a_killed_writer_leaves_a_good_file(void **state)
{
    for (unsigned ms = 1; ms <= 16; ms *= 2) {
        int ends[2], opened = pipe(ends);
        pid_t pid = fork();
        struct store *s;
        unsigned n = 0;
        char byte;

        assert_int_equal(opened, 0);
        if (!pid)
            write_many(*state, "killed", 1000000, ends[1]);
        assert_int_equal(read(ends[0], &byte, 1), 1);
        usleep(ms * 1000);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        close(ends[0]);
        close(ends[1]);
        s = open_it(*state);
        for (char *is; n < 1000000; n++) {
            struct store_key k = { n, 0, "killed" };

            is = get(s, &k);
            if (!is)
                break;
            assert_string_equal(is, "{\"x\": 1}");
            free(is);
        }
        assert_true(n > 0);
        store_close(s);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
    const struct CMUnitTest tests[] = {
        TEST(what_was_put_is_found_again),
        TEST(every_part_of_the_key_counts),
        TEST(the_time_a_program_takes_is_known),
        TEST(a_file_that_is_no_database_is_refused_and_left),
        TEST(a_damaged_database_is_an_error),
        TEST(another_databases_file_is_refused),
        TEST(another_layout_is_refused),
        TEST(a_store_without_checksums_gets_them),
        TEST(a_changed_row_is_found_out),
        TEST(a_store_that_cannot_be_written_is_read),
        TEST(an_old_store_that_cannot_be_written_has_nothing),
        TEST(a_folder_that_is_not_there_is_an_error),
        TEST(a_lock_that_is_not_given_up_is_named),
        TEST(processes_write_at_the_same_time),
        TEST(a_killed_writer_leaves_a_good_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
