/* test_pool.c - tasks in processes: answers, crashes, limits, signals. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "session/pool.h"

enum { N = 12, LARGE = 300000 };

struct seen {
    size_t next, n, most_at_once, at_once, begun;
    size_t stop_after; /* done() fails there; 0: never */
    bool crashes;
    struct pool_end end[N];
    char *answer[N];
    int times[N];
};

static int next(void *to, size_t *task, struct err *err)
{
    struct seen *s = to;

    (void)err;
    if (s->next == s->n)
        return 0;
    *task = s->next++;
    s->begun++;
    if (++s->at_once > s->most_at_once)
        s->most_at_once = s->at_once;
    return 1;
}

static int work(void *to, size_t task, struct buf *answer, struct err *err)
{
    const struct seen *s = to;

    if (s->crashes && task == 1) {
        signal(SIGSEGV, SIG_DFL); /* cmocka, or a sanitizer, would catch it */
        raise(SIGSEGV);
    }
    if (s->crashes && task == 2)
        _exit(9);
    if (s->crashes && task == 3)
        return err_kind(err, ERR_DEADLOCK, "stuck at %zu", task);
    if (s->crashes && task == 4)
        return -1;
    usleep(1000);
    buf_printf(answer, "answer %zu", task);
    for (int i = 0; task == 5 && i < LARGE; i++)
        buf_putc(answer, 'x');
    return 0;
}

static int done(void *to, size_t task, const struct pool_end *end, struct err *err)
{
    struct seen *s = to;

    s->at_once--;
    s->end[task] = *end;
    s->answer[task] = strdup(end->answer);
    s->times[task]++;
    if (s->stop_after && !--s->stop_after)
        return err_set(err, "enough");
    return 0;
}

static void forget(struct seen *s)
{
    for (int i = 0; i < N; i++)
        free(s->answer[i]);
}

static void every_answer_comes_back_whole(void **state)
{
    struct seen s = { .n = N };
    struct pool p = { 3, &s, next, work, done, NULL, 0 };
    char want[32];

    (void)state;
    assert_int_equal(pool_run(&p, NULL), 0);
    assert_int_equal(s.most_at_once, 3);
    for (size_t i = 0; i < N; i++) {
        snprintf(want, sizeof want, "answer %zu", i);
        assert_int_equal(s.times[i], 1);
        assert_int_equal(s.end[i].err.code, 0);
        assert_true(s.end[i].seconds > 0);
        assert_int_equal(strlen(s.answer[i]), strlen(want) + (i == 5 ? LARGE : 0));
        assert_memory_equal(s.answer[i], want, strlen(want));
    }
    forget(&s);
}

static void a_crash_is_one_failed_task(void **state)
{
    struct seen s = { .n = N, .crashes = true };
    struct pool p = { 2, &s, next, work, done, NULL, 0 };

    (void)state;
    assert_int_equal(pool_run(&p, NULL), 0);
    assert_int_equal(s.end[1].err.code, ERR_FAULT);
    assert_non_null(strstr(s.end[1].err.text, "signal 11"));
    assert_int_equal(s.end[2].err.code, ERR_FAULT);
    assert_non_null(strstr(s.end[2].err.text, "status 9"));
    assert_int_equal(s.end[3].err.code, ERR_DEADLOCK);
    assert_string_equal(s.end[3].err.text, "stuck at 3");
    assert_int_equal(s.end[4].err.code, ERR_INPUT);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(s.times[i], 1);
        assert_int_equal(!s.end[i].err.code, i < 1 || i > 4);
    }
    forget(&s);
}

static void an_error_of_the_taker_stops_the_rest(void **state)
{
    struct seen s = { .n = N, .stop_after = 2 };
    struct pool p = { 2, &s, next, work, done, NULL, 0 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(pool_run(&p, &err), -1);
    assert_string_equal(err.text, "enough");
    assert_true(s.begun < N);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
    forget(&s);
}

static void nothing_to_do_is_done(void **state)
{
    struct seen s = { .n = 0 };
    struct pool p = { 4, &s, next, work, done, NULL, 0 };

    (void)state;
    assert_int_equal(pool_run(&p, NULL), 0);
}

static int sleep_long(void *to, size_t task, struct buf *answer, struct err *err)
{
    (void)to, (void)answer, (void)err;
    if (task) /* one of them: a second signal would end the test */
        kill(getppid(), SIGTERM);
    sleep(3600);
    return 0;
}

static void a_signal_ends_tasks_and_is_told(void **state)
{
    struct seen s = { .n = 2 };
    struct pool p = { 2, &s, next, sleep_long, done, NULL, 0 };
    sigset_t now;

    (void)state;
    alarm(1800); /* tasks that are not ended would be waited for */
    assert_int_equal(pool_run(&p, NULL), SIGTERM);
    alarm(0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    sigprocmask(SIG_BLOCK, NULL, &now);
    assert_false(sigismember(&now, SIGTERM)); /* as it was before */
    forget(&s);
}

/* The pool's process is killed: its tasks do not live on. */
static int tell_and_sleep(void *to, size_t task, struct buf *answer, struct err *err)
{
    const int *pipe = to;
    pid_t own = getpid();

    (void)task, (void)answer, (void)err;
    if (write(pipe[1], &own, sizeof own) == sizeof own)
        sleep(3600);
    return 0;
}

static int first_only(void *to, size_t *task, struct err *err)
{
    (void)to, (void)err;
    *task = 0;
    return 1;
}

static void tasks_die_with_their_pool(void **state)
{
    int ends[2];
    struct pool p = { 1, ends, first_only, tell_and_sleep, done, NULL, 0 };
    pid_t pool, task;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pool = fork();
    if (!pool)
        _exit(pool_run(&p, NULL));
    assert_int_equal(read(ends[0], &task, sizeof task), sizeof task);
    kill(pool, SIGKILL);
    waitpid(pool, NULL, 0);
    for (int i = 0; i < 30000 && !kill(task, 0); i++)
        usleep(10000);
    assert_int_equal(kill(task, 0), -1);
    close(ends[0]);
    close(ends[1]);
}

/* The task dies before the pool is asked to stop, as when a batch system stops all
 * processes of a job. */
static int stopped_first(void *to, size_t task, struct buf *answer, struct err *err)
{
    pid_t pool = getppid();

    (void)to, (void)task, (void)answer, (void)err;
    if (!fork()) {
        for (int fd = 3; fd < 64; fd++)
            close(fd); /* the pipe, whose end the pool waits for */
        usleep(100000);
        kill(pool, SIGTERM);
        _exit(0);
    }
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
    return 0;
}

static void a_task_stopped_with_its_pool_has_not_failed(void **state)
{
    struct seen s = { .n = 1 };
    struct pool p = {
        .jobs = 1, .to = &s, .next = next, .work = stopped_first, .done = done
    };

    (void)state;
    assert_int_equal(pool_run(&p, NULL), SIGTERM);
    assert_int_equal(s.times[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_comes_back_whole),
        cmocka_unit_test(a_crash_is_one_failed_task),
        cmocka_unit_test(an_error_of_the_taker_stops_the_rest),
        cmocka_unit_test(nothing_to_do_is_done),
        cmocka_unit_test(a_signal_ends_tasks_and_is_told),
        cmocka_unit_test(a_task_stopped_with_its_pool_has_not_failed),
        cmocka_unit_test(tasks_die_with_their_pool),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
