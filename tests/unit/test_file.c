/* test_file.c - files on their way out: what is refused, what is left, and when. */
#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"

struct place {
    char dir[32];
    char path[64]; /* a file in it */
};

static int set_up(void **state)
{
    static struct place p;

    strcpy(p.dir, "/tmp/leno-test-XXXXXX");
    if (!mkdtemp(p.dir))
        return -1;
    snprintf(p.path, sizeof p.path, "%s/x", p.dir);
    *state = &p;
    return 0;
}

static int tear_down(void **state)
{
    struct place *p = *state;

    unlink(p->path);
    return rmdir(p->dir);
}

static int count_files(const struct place *p)
{
    DIR *d = opendir(p->dir);
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static void test_kept_or_dropped(void **state)
{
    struct place *p = *state;
    struct file_out *o = file_out_open(p->path, NULL);
    struct file f;

    assert_non_null(o);
    fputs("new", file_out_stream(o));
    assert_int_equal(access(p->path, F_OK), -1);
    file_out_drop(o);
    assert_int_equal(count_files(p), 0);
    o = file_out_open(p->path, NULL);
    fputs("new", file_out_stream(o));
    assert_int_equal(file_out_keep(o, NULL), 0);
    assert_int_equal(count_files(p), 1);
    assert_int_equal(file_read(p->path, 100, &f, NULL), 0);
    assert_int_equal(f.size, 3);
    file_free(&f);
}

static void test_socket_refused(void **state)
{
    struct place *p = *state;
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct stat st;
    struct err err;

    strcpy(name.sun_path, p->path);
    assert_int_equal(bind(fd, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(file_write(p->path, "x", 1, &err), -1);
    assert_non_null(strstr(err.text, "/x is a socket"));
    assert_int_equal(stat(p->path, &st), 0);
    assert_true(S_ISSOCK(st.st_mode));
    close(fd);
}

static void test_full_device(void **state)
{
    struct err err;

    (void)state;
    if (access("/dev/full", W_OK))
        skip();
    assert_int_equal(file_write("/dev/full", "x", 1, &err), -1);
    assert_string_equal(err.text,
                        "/dev/full: could not be written: No space left on device");
}

/* Two files at a time have two names, neither of which a process of the same number could
 * have chosen before. */
static void test_names_differ(void **state)
{
    struct place *p = *state;
    struct file_out *a = file_out_open(p->path, NULL),
                    *b = file_out_open(p->path, NULL);

    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(count_files(p), 2);
    file_out_drop(a);
    assert_int_equal(count_files(p), 1);
    file_out_drop(b);
}

static void test_same_paths(void **state)
{
    struct place *p = *state;
    char other[80];
    const struct file_named two[] = { { "--a", p->path }, { "--b", other } };
    struct err err;

    snprintf(other, sizeof other, "%s/../%s/./x", p->dir, p->dir + strlen("/tmp/"));
    assert_true(file_is_same(p->path, other));
    assert_int_equal(file_out_check_all(two, 2, &err), -1);
    assert_int_equal(strncmp(err.text, "--a and --b name the same file", 30), 0);
    strcat(other, "y");
    assert_false(file_is_same(p->path, other));
    assert_int_equal(file_out_check_all(two, 2, &err), 0);
    assert_false(file_is_same("/dev/null", "/dev/null"));
}

/* Ends a child that has a file open by a signal, and gives how it ended. */
static int end_child(const struct place *p, int number, void (*handler)(int))
{
    int ready[2], status;
    char c;
    pid_t child;

    assert_int_equal(pipe(ready), 0);
    child = fork();
    if (!child) {
        if (handler)
            signal(number, handler);
        if (!file_out_open(p->path, NULL) || write(ready[1], "x", 1) != 1)
            _exit(9);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    assert_true(count_files(p) > 0);
    kill(child, number);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ready[0]);
    close(ready[1]);
    return status;
}

static void test_signals_leave_nothing(void **state)
{
    static const int ending[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
    struct place *p = *state;

    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        int status = end_child(p, ending[i], NULL);

        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), ending[i]);
        assert_int_equal(count_files(p), 0);
    }
}

static void discard_and_exit(int number)
{
    (void)number;
    file_discard_temporaries();
    _exit(5);
}

/* A handler that is there stays, and calls what removes the files. */
static void test_own_handler(void **state)
{
    struct place *p = *state;
    int status = end_child(p, SIGTERM, discard_and_exit);

    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 5);
    assert_int_equal(count_files(p), 0);
}

/* A child that is ended leaves its parent's files alone. */
static void test_child_of_a_writer(void **state)
{
    struct place *p = *state;
    struct file_out *o = file_out_open(p->path, NULL);
    struct sigaction now;
    pid_t child = fork();
    int status;

    if (!child) {
        raise(SIGTERM);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(count_files(p), 1);
    assert_int_equal(file_out_keep(o, NULL), 0);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_kept_or_dropped), TEST(test_socket_refused),
        TEST(test_full_device),     TEST(test_names_differ),
        TEST(test_same_paths),      TEST(test_signals_leave_nothing),
        TEST(test_own_handler),     TEST(test_child_of_a_writer),
#undef TEST
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
