/* timed.c - one run of a program with timing; what the program is depends on the machine's
 * cores (kind.h).
 */
#include "session/timed.h"

#include "session/kind.h"
#include "session/sample.h"
#include "sim/describe.h"

void timed_note_arch(struct timed_run *r, const char *arch, const char *family)
{
    snprintf(r->code_arch, sizeof r->code_arch, "%s", arch);
    if (machine_warn_arch(r->machine, family, r->warning, sizeof r->warning))
        timed_warn(r);
}

void timed_warn(const struct timed_run *r)
{
    if (r->console)
        fprintf(r->console->log, "%sleno: warning: %s: %s\n",
                r->console->shows_progress ? "\r\033[K" : "", r->name, r->warning);
}

int timed_run(struct timed_run *r, struct err *err)
{
    const struct session_kind *kind = session_kind(r->machine);

    if (kind->find_program(r, err))
        return -1;
    r->gpu = gpu_new(r->machine, err);
    if (!r->gpu || jobs_start_threads(r->gpu, r->threads, err))
        return -1;
    if (r->hot && gpu_set_hot(r->gpu, r->hot, err))
        return -1;
    if (r->series && intervals_start(r->series, r->gpu, r->machine, err))
        return -1;
    gpu_set_trace(r->gpu, r->trace);
    r->limits.cap_cycles = r->choice.cap_cycles;
    r->limits.cap_insts = r->choice.cap_insts;
    r->limits.sample_goal = (unsigned)r->choice.sample;
    gpu_set_limits(r->gpu, &r->limits);
    r->sample = sample_of_choice(&r->choice);
    return kind->run_program(r, err);
}

void timed_run_free(struct timed_run *r)
{
    gpu_free(r->gpu);
    sample_free(r->sample);
    loops_free(&r->loops);
}
