/* supervise.c - a program in a process group of its own, its output read through a pipe. */
#include "session/supervise.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/seconds.h"
#include "session/exec_options.h"

enum { TAIL = 4096, LINE = 400, WAIT_MS = 50, LEFT_MOST = 10000 };

/* How this process was before it supervised. */
struct before {
    sigset_t signals;
    int death; /* its signal when the process that made it dies */
};

struct program_output {
    FILE *log;
    size_t n_logged;
    char tail[TAIL + 1]; /* the last of it; ends with 0 when it is searched */
    size_t n_tail;
};

/* In the new process. What fails here is the last line of the log. */
static _Noreturn void start_program(const struct supervised *s,
                                    const struct before *before, int output)
{
    struct err err = { 0 };
    int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &before->signals, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (s->folder && chdir(s->folder))
        err_set(&err, "%s: %s", s->folder, strerror(errno));
    else
        s->become(s->to, &err);
    dprintf(STDERR_FILENO, "leno: %s\n", err.text);
    _exit(127);
}

static void keep_tail(struct program_output *o, const char *bytes, size_t n)
{
    size_t kept = n < TAIL ? TAIL - n : 0; /* room for what is there already */

    if (kept > o->n_tail)
        kept = o->n_tail;
    memmove(o->tail, o->tail + o->n_tail - kept, kept);
    if (n > TAIL) {
        bytes += n - TAIL;
        n = TAIL;
    }
    memcpy(o->tail + kept, bytes, n);
    o->n_tail = kept + n;
}

static void keep_output(struct program_output *o, const char *bytes, size_t n)
{
    size_t room = SUPERVISE_LOG - o->n_logged, logged = n < room ? n : room;

    fwrite(bytes, 1, logged, o->log);
    o->n_logged += logged;
    if (logged < n && room)
        fputs("\n[leno: the rest of the output is left out]\n", o->log);
    keep_tail(o, bytes, n);
}

/* Waits a moment for output. False: there is none, and there will be none. */
static bool read_output(struct program_output *o, int from)
{
    struct pollfd p = { .fd = from, .events = POLLIN };
    char bytes[1 << 14];
    ssize_t n;

    if (poll(&p, 1, WAIT_MS) <= 0)
        return true;
    n = read(from, bytes, sizeof bytes);
    if (n > 0)
        keep_output(o, bytes, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

/* What is in the pipe when the program has ended; a process that it left behind may hold
 * the pipe open. */
static void drain_output(struct program_output *o, int from)
{
    struct pollfd p = { .fd = from, .events = POLLIN };

    while (poll(&p, 1, 0) > 0 && read_output(o, from))
        ;
}

/* SIGTERM, which is blocked, has come. */
static bool is_to_stop(void)
{
    sigset_t pending;

    return !sigpending(&pending) && sigismember(&pending, SIGTERM);
}

/* Until the program ends, which fills in its status, or its time is over, or this process is
 * to end. */
static bool wait_for_end(const struct supervised *s, struct program_output *o,
                         pid_t pid, int from, int *status)
{
    double end = wall_seconds() + (double)s->timeout;
    bool is_open = true;

    while (wall_seconds() < end && !is_to_stop()) {
        if (waitpid(pid, status, WNOHANG) == pid)
            return true;
        if (is_open)
            is_open = read_output(o, from);
        else
            poll(NULL, 0, WAIT_MS);
    }
    return false;
}

/* A child of this process; 0: none, or the kernel does not tell. */
static pid_t find_child(void)
{
    FILE *f = fopen("/proc/thread-self/children", "re");
    pid_t pid = 0;

    if (f && fscanf(f, "%d", &pid) != 1)
        pid = 0;
    if (f)
        fclose(f);
    return pid;
}

/* Ends the program's group, and then those who left it: when their parents have ended, they are
 * children of this process. */
static void end_processes(pid_t group)
{
    pid_t left;

    kill(-group, SIGKILL);
    for (int i = 0; i < LEFT_MOST && (left = find_child()); i++) {
        kill(left, SIGKILL);
        waitpid(left, NULL, 0);
    }
}

/* From here on this process adopts orphans, and sees SIGTERM in wait_for_end(). */
static void begin_supervising(struct before *before)
{
    sigset_t stop;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, &before->signals);
    prctl(PR_GET_PDEATHSIG, &before->death);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* If SIGTERM has come, it ends this process here. */
static void end_supervising(const struct before *before)
{
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    prctl(PR_SET_PDEATHSIG, before->death);
    sigprocmask(SIG_SETMASK, &before->signals, NULL);
}

static bool begins_with(const char *text, const char *word)
{
    return !strncmp(text, word, strlen(word));
}

/* The last line that is not empty and does not begin with a word of Leno's; NULL: none. */
static const char *find_line(const struct program_output *o, const char *word,
                             size_t *length)
{
    size_t end = o->n_tail;

    while (end) {
        size_t begin;

        while (end && strchr("\r\n \t", o->tail[end - 1]))
            end--;
        begin = end;
        while (begin && o->tail[begin - 1] != '\n')
            begin--;
        *length = end - begin;
        if (*length && !begins_with(o->tail + begin, word))
            return o->tail + begin;
        end = begin;
    }
    return NULL;
}

/* What tells best why a program ended: its own last line, or Leno's if Leno ended it or it
 * printed nothing; cut at its end if it is long. */
static void last_line(struct program_output *o, bool is_ours, char *line, size_t size)
{
    const char *at = NULL;
    size_t length = 0;

    o->tail[o->n_tail] = '\0';
    if (!is_ours)
        at = find_line(o, "leno: ", &length);
    if (!at)
        at = find_line(o, "leno: stopped by", &length);
    snprintf(line, size, "%.*s", at ? (int)length : 0, at ? at : "");
    for (char *c = line; *c; c++)
        if (iscntrl((unsigned char)*c)) /* terminals obey them */
            *c = '?';
}

static int judge_end(const struct supervised *s, struct program_output *o,
                     bool has_ended, int status, struct err *err)
{
    char line[LINE + 1];
    int code = has_ended && WIFEXITED(status) ? WEXITSTATUS(status) : 0;

    if (has_ended && !status)
        return 0;
    if (!has_ended)
        err_kind(err, ERR_LIMIT, "did not end within %llu s",
                 (unsigned long long)s->timeout);
    else if (WIFSIGNALED(status))
        err_kind(err, ERR_FAULT, "was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        err_kind(err, ERR_FAULT, "ended with status %d", code);
    last_line(o, code == EXEC_STATUS_FAULT || code == EXEC_STATUS_UNSUPPORTED, line,
              sizeof line);
    if (*line)
        err_suffix(err, "; it last printed: %s", line);
    return err_suffix(err, " (all of it: %s)", s->log);
}

/* Starts the program, and ends it: as supervise_run(). */
static int run_program(const struct supervised *s, const struct before *before,
                       struct program_output *o, struct err *err)
{
    bool has_ended = false;
    int status = 0, ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
        return err_set(err, "a process for a program: %s", strerror(errno));
    if (!pid)
        start_program(s, before, ends[1]);
    setpgid(pid, pid);
    close(ends[1]);
    has_ended = wait_for_end(s, o, pid, ends[0], &status);
    if (!has_ended) {
        kill(-pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    end_processes(pid);
    drain_output(o, ends[0]);
    close(ends[0]);
    return judge_end(s, o, has_ended, status, err);
}

int supervise_run(const struct supervised *s, struct err *err)
{
    struct program_output o = { .log = fopen(s->log, "we") };
    struct before before = { 0 };
    int failed;

    if (!o.log)
        return err_set(err, "%s: %s", s->log, strerror(errno));
    begin_supervising(&before);
    failed = run_program(s, &before, &o, err);
    fclose(o.log);
    end_supervising(&before);
    return failed;
}
