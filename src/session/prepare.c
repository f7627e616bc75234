/* prepare.c - reads, completes and records the programs of a command. */
#include "session/prepare.h"

#include <string.h>

#include "driver/device.h"
#include "session/identity.h"
#include "session/kind.h"
#include "session/recorded.h"

static bool has_commands(const struct program_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        if (l->at[i].argv)
            return true;
    }
    return false;
}

static int record_commands(struct program_list *l, const struct prepare_job *job,
                           const struct machine *m, struct console *console,
                           struct err *err)
{
    struct recorded_job recorded = { .gpu = job->gpu,
                                     .sm = device_of((enum sass_arch)m->gpu.arch)->sm,
                                     .out = job->out,
                                     .libraries = job->libraries,
                                     .jobs = job->jobs,
                                     .fresh = job->fresh };

    if (session_kind(m) != &session_kind_sm)
        return err_set(err,
                       "%s: a CUDA program needs a GPU with SMs; see leno list gpus",
                       m->name);
    return recorded_make(&recorded, l, console, err);
}

static bool is_own(const struct session_kind *kind, const char *name)
{
    for (size_t i = 0; kind->program_at(i); i++) {
        if (!strcmp(kind->program_at(i), name))
            return true;
    }
    return false;
}

/* A file, with all that it names, or one of the machine's own programs. */
static int find_source(const char *source, const struct machine *m, struct err *err)
{
    struct identity id = { .machine = m, .program = source };
    uint64_t hash;

    if (strchr(source, '.'))
        return identity_program(&id, &hash, err);
    if (is_own(session_kind(m), source))
        return 0;
    return workload_find(source, err)
               ? err_set(err, "%s: no workload of %s", source, m->name)
               : -1;
}

/* A program of a suite that is not there is named, and the others go on. */
static void name_missing(struct program *p, size_t n, const struct machine *m,
                         struct console *console)
{
    for (size_t i = 0; i < n; i++) {
        struct err err = { 0 };

        if (!p[i].source || !find_source(p[i].source, m, &err))
            continue;
        p[i].exit_code = err_exit(&err);
        p[i].why = strdup(err.text);
        if (!p[i].why)
            err_memory_exit("a message");
        fprintf(console->log, "%s: FAILED: %s\n", p[i].name, err.text);
        fflush(console->log);
    }
}

/* The machine's own programs, with the choice of launches that was asked for. */
static void add_own(struct program_list *l, const struct prepare_job *job,
                    const struct machine *m)
{
    const struct session_kind *kind = session_kind(m);
    const char *(*name_at)(size_t i) = job->all ? kind->program_at : kind->usual_at;
    enum sass_arch arch =
        (enum sass_arch)(job->arch < 0 ? (int)m->gpu.arch : job->arch);

    for (size_t i = 0; name_at(i); i++) {
        if (!kind->has_code(name_at(i), arch))
            continue;
        program_list_add(l, name_at(i));
        l->at[l->n - 1].choice = job->request.choice;
    }
}

int prepare_programs(struct program_list *l, const struct prepare_job *job,
                     const struct machine *m, struct console *console, struct err *err)
{
    const struct program_request *r = &job->request;
    size_t before_suite = r->n_named + (r->command != NULL) + r->as.n;

    if (program_list_read(l, r, err))
        return -1;
    if (!l->n)
        add_own(l, job, m);
    else if (r->suite)
        name_missing(l->at + before_suite, l->n - before_suite, m, console);
    return has_commands(l) ? record_commands(l, job, m, console, err) : 0;
}
