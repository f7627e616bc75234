/* prepare.c - reads, completes and records the programs of a command. */
#include "session/prepare.h"

#include "driver/device.h"
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

/* The machine's own programs, with the choice of launches that was asked for. */
static void add_own(struct program_list *l, const struct prepare_job *job,
                    const struct machine *m)
{
    const struct session_kind *kind = session_kind(m);
    const char *(*name_at)(size_t i) = job->all ? kind->program_at : kind->usual_at;

    for (size_t i = 0; name_at(i); i++) {
        program_list_add(l, name_at(i));
        l->at[i].choice = job->request.choice;
    }
}

int prepare_programs(struct program_list *l, const struct prepare_job *job,
                     const struct machine *m, struct console *console, struct err *err)
{
    if (program_list_read(l, &job->request, err))
        return -1;
    if (!l->n)
        add_own(l, job, m);
    return has_commands(l) ? record_commands(l, job, m, console, err) : 0;
}
