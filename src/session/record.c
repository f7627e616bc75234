/* record.c - records a workload's kernels, or the kernels of another recording. */
#include "session/record.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "session/recording.h"
#include "session/series.h"
#include "session/workload_run.h"

static int open_recording(struct recording *r, const struct record_job *job,
                          const struct replay_info *info, struct err *err)
{
    return job->output ? recording_open_leno(r, job->output, info, err)
                       : recording_open_traceg(r, job->traceg, info->sm, err);
}

/* All files appear, or none. */
static int close_recording(struct recording *r, int failed, struct err *err)
{
    if (!failed)
        return recording_finish(r, err);
    recording_abandon(r);
    return -1;
}

/* What is recorded, as options of a command line. */
static void describe_job(const struct record_job *job, const struct workload *w,
                         struct buf *out)
{
    const struct scheme_ops *scheme = job->machine->scheme;

    buf_printf(out, "%s --arch %s --size %s --seed %llu", w->name,
               sass_arch_name(job->arch), workload_size_name(job->size),
               (unsigned long long)job->seed);
    if (scheme->naming)
        buf_printf(out, " --scheme %s", scheme->name);
}

static int record_workload(struct recording *r, const struct record_job *job,
                           const struct workload *w, FILE *printed, struct err *err)
{
    struct buf folder = { 0 }, program = { 0 };
    struct workload_run run = { .workload = w,
                                .arch = job->arch,
                                .size = job->size,
                                .seed = job->seed,
                                .printed = printed,
                                .hook = { .mode = LAUNCH_RECORDED,
                                          .choice = job->choice,
                                          .watch = &r->meter->watch,
                                          .recording = r } };
    struct replay_info info = { .sm = sass_arch_number(job->arch),
                                .naming = launch_naming(job->machine, NAMING_JOINS) };
    int failed = workload_folder(job->folder, &folder, err);

    run.folder = buf_text(&folder);
    describe_job(job, w, &program);
    info.program = buf_text(&program);
    if (!failed)
        failed = open_recording(r, job, &info, err);
    if (!failed) {
        failed = workload_run(&run, err);
        choice_count_free(&run.hook.seen);
        failed = close_recording(r, failed, err);
    }
    buf_free(&folder);
    buf_free(&program);
    return failed;
}

static int convert_kernels(struct recording *r, struct replay *from,
                           const struct launch_choice *choice, struct err *err)
{
    struct choice_count seen = { 0 };
    struct replay_counts counts;
    struct kernel *k;
    int got = 0, failed = 0;

    while (!failed && (got = replay_next_kernel(from, &k, err)) > 0) {
        k->watch = &r->meter->watch;
        k->number = r->n_kernels + 1;
        if (choice_takes_next(choice, &seen, k->name))
            failed = recording_add_kernel(r, k, &counts, err);
        replay_kernel_free(from, k);
    }
    choice_count_free(&seen);
    return failed || got < 0 ? -1 : 0;
}

static int check_converted(const struct record_job *job, const struct naming *recorded,
                           struct err *err)
{
    const struct scheme_ops *scheme = job->machine->scheme;
    struct naming naming = launch_naming(job->machine, recorded->kind);

    if (!scheme->naming || naming_equals(&naming, recorded))
        return 0;
    return err_kind(err, ERR_UNSUPPORTED,
                    "%s: a recording has no code to convert for scheme %s, expected a "
                    "workload",
                    job->program, scheme->name);
}

/* From one format of recordings to the other, or to the same. */
static int convert_recording(struct recording *r, const struct record_job *job,
                             struct err *err)
{
    struct replay *from = replay_open(job->program, NULL, err);
    const struct replay_info *info;
    int failed;

    if (!from)
        return -1;
    info = replay_info(from);
    failed =
        check_converted(job, &info->naming, err) || open_recording(r, job, info, err);
    if (!failed) {
        failed = convert_kernels(r, from, job->choice, err);
        failed = close_recording(r, failed, err);
    }
    replay_close(from);
    return failed ? -1 : 0;
}

int record_run(const struct record_job *job, struct console *console, struct err *err)
{
    bool is_recording = recording_is_file(job->program);
    const struct workload *w = NULL;
    struct recording r = { .rows = console->out };
    struct meter meter;

    if (!is_recording && !(w = workload_find_for(job->program, job->arch, err)))
        return -1;
    if (job->output && file_is_stdout(job->output))
        r.rows = console->log; /* standard output takes the recording itself */
    r.meter = &meter;
    meter_start(&meter, console->shows_progress ? console->log : NULL, "%s",
                job->program);
    interrupt_watch();
    return is_recording ? convert_recording(&r, job, err)
                        : record_workload(&r, job, w, console->log, err);
}

/* The files of one of many: in the job's folder, by the program's name. */
static int record_one(const struct record_job *job, const struct program *p,
                      struct console *console, struct err *err)
{
    struct record_job one = *job;
    struct buf path = { 0 };
    int failed;

    if (p->why)
        return err_kind(err, (enum err_code)p->exit_code, "%s", p->why);
    buf_printf(&path, "%s/%s%s", job->output ? job->output : job->traceg, p->name,
               job->output ? ".leno" : "");
    one.program = p->source;
    one.choice = &p->choice;
    *(job->output ? &one.output : &one.traceg) = buf_text(&path);
    failed = record_run(&one, console, err);
    buf_free(&path);
    return failed;
}

int record_run_all(const struct record_job *job, const struct program_list *programs,
                   struct console *console, struct err *err)
{
    const char *folder = job->output ? job->output : job->traceg;
    struct series runs;

    if (mkdir(folder, 0777) && errno != EEXIST)
        return err_set(err, "%s: %s", folder, strerror(errno));
    series_start(&runs, programs->n);
    while (series_has_next(&runs)) {
        const struct program *p = &programs->at[runs.n_done];
        struct err one = { 0 };

        fprintf(console->out, "%s\n", p->name);
        if (record_one(job, p, console, &one))
            fprintf(console->log, "%s: FAILED: %s\n", p->name, one.text);
        series_note(&runs, &one);
    }
    return series_judge(&runs, err);
}
