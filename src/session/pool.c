/* pool.c - a poll loop over the pipes of forked processes.
 *
 * Signals are read from a descriptor like everything else, so no handler and no variable
 * outside of a function is needed.
 */
#include "session/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/seconds.h"

enum { STOP_WAIT_MS = 3000 };

/* A process at work, or a free place: pid 0. */
struct worker {
    pid_t pid;
    int from; /* read end of its pipe */
    size_t task;
    double start;
    struct buf said;
};

struct running {
    const struct pool *pool;
    struct worker *worker; /* pool->jobs of them */
    struct pollfd *poll;   /* the same, and one for signals */
    size_t n;              /* at work */
    int signals;
    sigset_t before; /* signals blocked when the pool began */
};

static bool write_all(int to, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        ssize_t done = write(to, at, n);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

/* In the new process: never returns. Sends how it went, then the answer. */
static void run_task(const struct running *r, size_t task, int to, pid_t parent)
{
    struct buf answer = { 0 };
    struct err err = { 0 };

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before the request for a signal */
        _exit(1);
    signal(SIGINT,
           SIG_IGN); /* a terminal sends it to the pool as well, which handles it */
    signal(SIGHUP, SIG_IGN);
    sigprocmask(SIG_SETMASK, &r->before, NULL);
    if (r->pool->work(r->pool->to, task, &answer, &err) && !err.code)
        err_set(&err, "run failed without an error message");
    if (!write_all(to, &err, sizeof err) || !write_all(to, answer.data, answer.len))
        _exit(1);
    _exit(0);
}

static int start_worker(struct running *r, size_t task, struct err *err)
{
    struct worker *w = r->worker;
    pid_t parent = getpid();
    int ends[2];

    while (w->pid)
        w++;
    fflush(NULL);               /* or the process would print it again */
    if (pipe2(ends, O_CLOEXEC)) /* a program that a task starts does not hold it open */
        return err_set(err, "a process for a task: %s", strerror(errno));
    w->pid = fork();
    if (!w->pid) {
        close(ends[0]);
        run_task(r, task, ends[1], parent);
    }
    close(ends[1]);
    if (w->pid < 0) {
        w->pid = 0;
        close(ends[0]);
        return err_set(err, "a process for a task: %s", strerror(errno));
    }
    w->from = ends[0];
    w->task = task;
    w->start = wall_seconds();
    buf_clear(&w->said);
    r->n++;
    return 0;
}

/* The outcome of a process whose pipe has ended. */
static void judge_worker(struct worker *w, int status, struct pool_end *end)
{
    end->answer = "";
    end->seconds = wall_seconds() - w->start;
    if (WIFSIGNALED(status)) {
        err_kind(&end->err, ERR_FAULT,
                 "the process of this run was killed by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
        return;
    }
    if (status && WEXITSTATUS(status) == ERR_LIMIT) {
        err_memory(&end->err, "its process"); /* as err_memory_exit() says */
        return;
    }
    if (status || w->said.len < sizeof end->err) {
        err_kind(&end->err, ERR_FAULT, "the process of this run ended with status %d",
                 WEXITSTATUS(status));
        return;
    }
    memcpy(&end->err, w->said.data, sizeof end->err);
    end->answer = w->said.data + sizeof end->err;
}

/* The signal that asks the pool to stop; 0 if none comes in this time. */
static int read_signal(const struct running *r, int milliseconds)
{
    struct pollfd p = { .fd = r->signals, .events = POLLIN };
    struct signalfd_siginfo signal;

    if (poll(&p, 1, milliseconds) <= 0 ||
        read(r->signals, &signal, sizeof signal) != (ssize_t)sizeof signal)
        return 0;
    return (int)signal.ssi_signo;
}

/* 0, -1 or a signal, as pool_run(). A batch system that stops a job signals all of its
 * processes in any order: a task that SIGTERM ended has not failed if the pool's own comes,
 * too. */
static int finish_worker(struct running *r, struct worker *w, struct err *err)
{
    struct pool_end end = { 0 };
    int status = 0, signal = 0;

    close(w->from);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    w->pid = 0;
    r->n--;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)
        signal = read_signal(r, STOP_WAIT_MS);
    if (signal)
        return signal;
    judge_worker(w, status, &end);
    return r->pool->done(r->pool->to, w->task, &end, err);
}

/* Reads a worker's answer; at the end of its pipe the worker is finished: as
 * finish_worker(). */
static int read_worker(struct running *r, struct worker *w, struct err *err)
{
    char bytes[1 << 16];
    ssize_t n = read(w->from, bytes, sizeof bytes);

    if (n > 0)
        buf_add(&w->said, bytes, (size_t)n);
    else if (n == 0 || errno != EINTR)
        return finish_worker(r, w, err);
    return 0;
}

static void stop_all(struct running *r)
{
    for (size_t i = 0; i < r->pool->jobs; i++) {
        struct worker *w = &r->worker[i];

        if (w->pid) {
            kill(w->pid, r->pool->stop ? r->pool->stop : SIGKILL);
            close(w->from);
            waitpid(w->pid, NULL, 0);
        }
        buf_free(&w->said);
    }
}

/* Waits for an event, at most half a second: 0, -1 or a signal, as pool_run(). */
static int wait_for_one(struct running *r, struct err *err)
{
    size_t jobs = r->pool->jobs;
    int ended = 0;

    for (size_t i = 0; i < jobs; i++)
        r->poll[i] = (struct pollfd){ .fd = r->worker[i].pid ? r->worker[i].from : -1,
                                      .events = POLLIN };
    r->poll[jobs] = (struct pollfd){ .fd = r->signals, .events = POLLIN };
    if (poll(r->poll, jobs + 1, 500) < 0)
        return errno == EINTR ? 0 : err_set(err, "waiting: %s", strerror(errno));
    if (r->poll[jobs].revents)
        ended = read_signal(r, 0);
    for (size_t i = 0; i < jobs && !ended; i++)
        if (r->poll[i].revents)
            ended = read_worker(r, &r->worker[i], err);
    return ended;
}

static int run_tasks(struct running *r, struct err *err)
{
    const struct pool *p = r->pool;
    int more = 1, ended = 0;
    size_t task;

    while (!ended) {
        while (more > 0 && r->n < p->jobs) {
            more = p->next(p->to, &task, err);
            if (more < 0 || (more && start_worker(r, task, err)))
                return -1;
        }
        if (!r->n)
            break;
        ended = wait_for_one(r, err);
        if (p->idle)
            p->idle(p->to);
    }
    return ended;
}

int pool_run(const struct pool *p, struct err *err)
{
    struct running r = { .pool = p };
    sigset_t asked;
    int ended = -1;

    sigemptyset(&asked);
    sigaddset(&asked, SIGINT);
    sigaddset(&asked, SIGTERM);
    sigaddset(&asked, SIGHUP);
    sigprocmask(SIG_BLOCK, &asked, &r.before);
    r.worker = calloc(p->jobs, sizeof *r.worker);
    r.poll = calloc(p->jobs + 1, sizeof *r.poll);
    r.signals = signalfd(-1, &asked, SFD_CLOEXEC);
    if (!r.worker || !r.poll)
        err_memory(err, "%zu processes", p->jobs);
    else if (r.signals < 0)
        err_set(err, "processes for tasks: %s", strerror(errno));
    else
        ended = run_tasks(&r, err);
    if (r.worker)
        stop_all(&r);
    if (r.signals >= 0)
        close(r.signals);
    free(r.worker);
    free(r.poll);
    sigprocmask(SIG_SETMASK, &r.before, NULL);
    return ended;
}
