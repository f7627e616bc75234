/* process.c - the one simulated GPU of a process.
 *
 * The interface has no argument for it and programs expect it to be there, so this file
 * holds state of its own, as current.c does: a lock and a pointer.
 */
#include "shim/cuda/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/exec.h"

enum { N_SAID = 64, LOG_AT_LEAST = 200 };

struct process {
    struct exec_session *session;
    int log;        /* standard error as it was at first; -1: none */
    bool has_tried; /* for creating the session */
    char *text;     /* the options, which the session points into */
    struct exec_options options;
    struct err failure;          /* why there is no session, if that failed */
    struct err said;             /* the driver's last message that was printed */
    const char *refused[N_SAID]; /* calls already reported */
    size_t n_refused;
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct process process = { .log = -1 };

/* Some programs close standard error or redirect it; what must be said at the end is said
 * where it was. The number is one that programs hardly use. */
__attribute__((constructor)) static void keep_stderr(void)
{
    process.log = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, LOG_AT_LEAST);
}

/* A function of the program, called without the lock, since it may wait for another thread
 * of the program. */
static void process_call_host(CUhostFn f, void *data)
{
    pthread_mutex_unlock(&lock);
    f(data);
    pthread_mutex_lock(&lock);
    driver_make_current(exec_session_driver(process.session));
}

static int start_session(struct process *p, struct err *err)
{
    const char *given = getenv(EXEC_VARIABLE);

    p->has_tried = true;
    p->text = strdup(given ? given : "");
    if (!p->text)
        return err_memory(err, "the options");
    if (exec_options_read(&p->options, p->text, err))
        return -1;
    p->session = exec_session_new(&p->options, program_invocation_name,
                                  p->log >= 0 ? p->log : STDERR_FILENO, err);
    if (!p->session)
        return -1;
    driver_on_host_call(exec_session_driver(p->session), process_call_host);
    return 0;
}

void process_enter(void)
{
    pthread_mutex_lock(&lock);
    if (!process.has_tried && start_session(&process, &process.failure))
        fprintf(stderr, "leno: %s\n", process.failure.text);
    driver_make_current(process.session ? exec_session_driver(process.session) : NULL);
}

/* Results whose reason the program cannot know: the host is out of memory, code does
 * not fit the device, a kernel failed, a call is not offered. */
static bool needs_words(CUresult result)
{
    switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    case CUDA_ERROR_INVALID_CLUSTER_SIZE:
    case CUDA_ERROR_NOT_SUPPORTED:
        return true;
    default:
        return false;
    }
}

/* Results that come from a limit of Leno's, before any kernel runs. */
static bool is_unsupported(CUresult result)
{
    return result == CUDA_ERROR_INVALID_IMAGE ||
           result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
           result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND ||
           result == CUDA_ERROR_NOT_SUPPORTED;
}

static void report_last_error(struct process *p, CUresult result)
{
    const struct err *last = driver_last_error(exec_session_driver(p->session));
    const char *code = "";
    char name[128];

    if (result == CUDA_ERROR_NOT_SUPPORTED && last->code != ERR_UNSUPPORTED)
        return; /* a GPU's driver says the same */
    if (!strcmp(last->text, p->said.text))
        return;
    fprintf(stderr, "leno: %s\n", last->text);
    p->said = *last;
    if (!is_unsupported(result))
        return;
    cuGetErrorName(result, &code);
    snprintf(name, sizeof name, "%.*s (%s)", (int)strcspn(last->text, ":"), last->text,
             code);
    exec_session_refuse(p->session, name);
}

/* Reports and releases the lock; true: a kernel failed in this call. */
static bool finish_call(CUresult result)
{
    bool has_failed =
        process.session && driver_take_failure(exec_session_driver(process.session));

    if (process.session && needs_words(result))
        report_last_error(&process, result);
    pthread_mutex_unlock(&lock);
    return has_failed;
}

CUresult process_leave(CUresult result)
{
    finish_call(result);
    return result;
}

CUresult process_leave_launch(CUresult result)
{
    return finish_call(result) ? CUDA_SUCCESS : result;
}

CUresult process_refuse(const char *name)
{
    bool is_new = true;

    process_enter();
    for (size_t i = 0; i < process.n_refused; i++)
        is_new = is_new && strcmp(process.refused[i], name) != 0;
    if (is_new && process.n_refused < N_SAID) {
        process.refused[process.n_refused++] = name;
        fprintf(stderr, "leno: %s is not supported\n", name);
        if (process.session)
            exec_session_refuse(process.session, name);
    }
    pthread_mutex_unlock(&lock);
    return CUDA_ERROR_NOT_SUPPORTED;
}

void leno_refuse(const char *name)
{
    process_refuse(name);
}

static void put_distrust(const char *why, const char *more)
{
    fprintf(stderr, "leno: NOT TO BE TRUSTED: %s%s\n", why, more);
}

/* Recordings are finished when the program ends. A thread still inside a call keeps the
 * lock; then there is nothing complete to write. */
__attribute__((destructor)) static void process_finish(void)
{
    struct err err = { 0 };

    if (process.has_tried && !process.session)
        put_distrust("there was no simulated GPU: ", process.failure.text);
    if (!process.session)
        return;
    if (pthread_mutex_trylock(&lock)) {
        put_distrust("the program ended inside a call", "");
        return;
    }
    if (exec_session_finish(process.session, &err))
        fprintf(stderr, "leno: %s\n", err.text);
    process.session = NULL;
    free(process.text);
    pthread_mutex_unlock(&lock);
}
