/* exec.c - launches of a program: timed, functional or recorded, and reported.
 *
 * session/launch.h does the work, as in leno run, so unroll.factor applies in every
 * mode. The GPU is made with the first launch that is timed and keeps its caches from
 * launch to launch. A recorded launch is executed functionally: its time comes from
 * leno run on the recording.
 */
#include "session/exec.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/meter.h"
#include "driver/device.h"
#include "session/counts.h"
#include "session/exec_gpu.h"
#include "session/exec_summary.h"
#include "session/exec_trust.h"
#include "session/hot_file.h"
#include "session/intervals.h"
#include "session/jobs.h"
#include "session/kept.h"
#include "session/launch.h"
#include "session/launch_report.h"
#include "session/race_report.h"
#include "session/recording.h"
#include "session/sample.h"

struct exec_session {
    const struct exec_options *options;
    const char *program;
    struct machine *machine;
    unsigned untimed; /* exec_gpu.h */
    struct device device;
    char device_name[80];
    struct driver *driver;
    struct gpu *gpu; /* NULL until a launch is timed */
    struct launch_hook hook;
    struct recording recording;
    int log;   /* file descriptor; -1: none */
    int stats; /* the same */
    pid_t pid; /* of the process that this session is for, not its children */
    bool is_json;
    struct buf about;   /* of the program and the machine, for JSON */
    struct meter meter; /* of all launches */
    struct choice_count chosen;
    struct exec_summary summary;
    struct exec_trust trust;
    struct sample *sample; /* --sample; may be NULL */
    struct kept kept;      /* --resume */
    struct hot_runs hot;   /* --hot: one run */
    struct intervals series;
    uint64_t n_launches;
};

struct machine *exec_session_machine(const struct exec_options *o, const char *chosen,
                                     struct err *err)
{
    struct machine_options options = o->machine;
    struct machine *m;

    if (chosen)
        options.gpu = chosen;
    m = machine_from_options(&options, err);

    if (!m || !machine_check(m, err))
        return m;
    machine_free(m);
    return NULL;
}

/* The device that the program sees: the machine's values, where it has such a
 * parameter. */
static void describe_device(struct exec_session *s)
{
    const struct machine *m = s->machine;
    struct device *d = &s->device;

    *d = *device_of((enum sass_arch)m->gpu.arch);
    snprintf(s->device_name, sizeof s->device_name, "Leno %s", m->name);
    if (s->untimed)
        d->sm = s->untimed;
    d->name = s->device_name;
    d->n_sms = (uint32_t)m->gpu.sms;
    d->warps_per_sm = (uint32_t)m->core.warps;
    d->blocks_per_sm = (uint32_t)m->core.blocks;
    d->regs_per_sm = (uint32_t)m->core.registers;
    d->clock_khz = (uint32_t)m->memory.dram.core_clock;
}

/* A GPU on which a kernel failed still holds its blocks, whose code may be freed next,
 * so the next launch gets another GPU. Prints its deadlock report. */
static void drop_gpu(struct exec_session *s)
{
    fputs(gpu_report(s->gpu), stderr);
    gpu_free(s->gpu);
    s->gpu = NULL;
}

static int run_timed(struct exec_session *s, const struct sass_launch *l,
                     struct launch_report *r, struct driver_cost *cost, struct err *err)
{
    struct tally before;
    uint64_t start = gpu_cycle(s->gpu);
    int failed;

    if (tally_take(&before, s->gpu, err))
        return -1;
    s->hook.gpu = s->gpu;
    failed = launch_hook_run(&s->hook, l, cost, err);
    r->cycles = gpu_cycle(s->gpu) - start;
    r->is_capped = s->hook.is_capped;
    r->rest_insts = s->hook.rest_insts;
    r->rest_ns = s->hook.rest_ns;
    r->sampled = s->sample ? &s->hook.sampled : NULL;
    if (tally_take(r->tally, s->gpu, failed ? NULL : err)) {
        tally_free(&before);
        return -1;
    }
    tally_subtract(r->tally, &before);
    tally_free(&before);
    if (failed)
        stat_find(&r->tally->report, "sm.blocks", &cost->blocks);
    stat_find(&r->tally->report, "sm.warp_insts", &cost->warp_insts);
    stat_find(&r->tally->report, "sm.thread_insts", &cost->thread_insts);
    return failed;
}

static int start_series(struct exec_session *s, struct err *err)
{
    if (!s->series.file &&
        intervals_open(&s->series, s->options->series_out, s->options->series, err))
        return -1;
    return intervals_start(&s->series, s->gpu, s->machine, err);
}

static int make_gpu(struct exec_session *s, struct err *err)
{
    struct gpu_limits limits = { .max_cycles = s->options->max_cycles,
                                 .cap_cycles = s->options->choice.cap_cycles,
                                 .cap_insts = s->options->choice.cap_insts,
                                 .sample_goal = (unsigned)s->options->choice.sample,
                                 .watch = &s->meter.watch };

    if (s->gpu)
        return 0;
    s->gpu = gpu_new(s->machine, err);
    if (!s->gpu ||
        jobs_start_threads(s->gpu, jobs_threads(s->options->threads, 1), err))
        return -1;
    if ((s->options->hot || s->options->hot_file) &&
        gpu_set_hot(s->gpu, &s->hot.profile[0], err))
        return -1;
    if (s->options->series_out && start_series(s, err))
        return -1;
    gpu_set_limits(s->gpu, &limits);
    return 0;
}

/* DIR/program.leno, or DIR/program-N.leno if another process has that one. */
static int open_recording(struct exec_session *s, struct err *err)
{
    const char *slash = strrchr(s->program, '/');
    struct replay_info info = { .program = s->program,
                                .sm = s->device.sm,
                                .naming = launch_naming(s->machine, NAMING_JOINS) };

    if (recording_is_open(&s->recording))
        return 0;
    return recording_open_new(&s->recording, s->options->record,
                              slash ? slash + 1 : s->program, &info, err);
}

/* A launch that cannot be executed leaves no empty recording. */
static int run_recorded(struct exec_session *s, const struct sass_launch *l,
                        struct driver_cost *cost, struct err *err)
{
    int failed;

    if (s->pid != getpid())
        return err_set(err, "this process was forked after its parent's first call of "
                            "CUDA; expected a process of its own");
    failed = open_recording(s, err) ? -1 : launch_hook_run(&s->hook, l, cost, err);
    if (failed && !s->recording.n_kernels)
        recording_abandon(&s->recording);
    return failed;
}

/* A launch that is not selected is executed functionally. */
static enum launch_mode mode_of(struct exec_session *s, const struct sass_launch *l)
{
    const struct exec_options *o = s->options;
    struct sample_shape shape = launch_shape(l);

    if (!choice_takes_next(&o->choice, &s->chosen, l->kernel->info->name))
        return LAUNCH_FUNCTIONAL;
    if (o->record)
        return LAUNCH_RECORDED;
    if (o->functional || s->untimed)
        return LAUNCH_FUNCTIONAL;
    return !s->sample || sample_takes_next(s->sample, &shape) ? LAUNCH_TIMED
                                                              : LAUNCH_FUNCTIONAL;
}

/* What the sample learns of a launch. */
static void note_sample(struct exec_session *s, const struct launch_report *r)
{
    const struct sample_launch executed = { .warp_insts = r->cost->warp_insts };

    sample_note(s->sample, r->sampled ? r->sampled : &executed);
}

/* Writes all of a text, in one call if the system allows it. */
static void write_text(int to, const struct buf *text)
{
    for (size_t at = 0; to >= 0 && at < text->len;) {
        ssize_t n = write(to, text->data + at, text->len - at);

        if (n <= 0)
            break;
        at += (size_t)n;
    }
}

static void put_report(struct exec_session *s, struct launch_report *r)
{
    struct buf out = { 0 };

    r->about = buf_text(&s->about);
    exec_summary_add(&s->summary, r);
    exec_trust_note_launch(&s->trust, r);
    if (s->stats < 0)
        return;
    if (s->is_json)
        launch_report_json(r, &out);
    else
        launch_report_text(r, &out);
    write_text(s->stats, &out);
    buf_free(&out);
}

/* After the program's own output. A child that the program forked off says nothing. */
static void put_summary(struct exec_session *s)
{
    struct buf out = { 0 };

    if (s->log < 0 || s->pid != getpid())
        return;
    fflush(stdout);
    s->summary.seconds = s->hook.seconds;
    exec_summary_put(&s->summary, s->machine, &out);
    if (s->sample && s->n_launches) {
        struct sample_estimate e = sample_estimate(s->sample);

        buf_puts(&out, "leno: ");
        sample_put(&e, &out);
    }
    if (choice_found_none(&s->options->choice, &s->chosen))
        buf_printf(&out,
                   "leno: --match %s: no kernel that was launched has such a name\n",
                   s->options->choice.match);
    if (s->hook.races)
        race_report_put(s->hook.races, &out);
    exec_trust_put(&s->trust, s->n_launches, &out);
    write_text(s->log, &out);
    buf_free(&out);
}

/* Adds the counts of this process to the file, which begins with a title. */
static void put_counts(struct exec_session *s)
{
    const char *slash = strrchr(s->program, '/');
    struct buf out = { 0 };
    char arch[16];
    int to;

    if (!s->hook.counts || s->pid != getpid())
        return;
    to = open(s->options->counts, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (to < 0) {
        fprintf(stderr, "leno: %s: counts cannot be written there\n",
                s->options->counts);
        return;
    }
    if (lseek(to, 0, SEEK_END) <= 0)
        inst_counts_title(&out);
    snprintf(arch, sizeof arch, "sm_%u", s->device.sm);
    inst_counts_write(s->hook.counts, slash ? slash + 1 : s->program, arch, &out);
    write_text(to, &out);
    close(to);
    buf_free(&out);
}

/* Where issue slots went, in all launches that were timed. */
static int put_hot(struct exec_session *s, struct err *err)
{
    uint32_t top = s->options->top ? (uint32_t)s->options->top : HOT_TOP;
    struct buf out = { 0 };

    s->hot.program = s->program;
    s->hot.gpu = s->machine->name;
    s->hot.scheme[0] = s->machine->scheme->name;
    s->hot.cycles[0] = s->summary.all.cycles;
    s->hot.n = 1;
    if (s->options->hot && s->log >= 0 && s->hot.profile[0].n) {
        hot_put_text(&s->hot, top, &out);
        write_text(s->log, &out);
        buf_free(&out);
    }
    return s->options->hot_file
               ? hot_file_write(&s->hot, s->options->hot_file, top, err)
               : 0;
}

/* Ends the program inside its call: what it would do after a failure is not to be seen. */
static _Noreturn void stop_program(struct exec_session *s, const char *option,
                                   int status)
{
    struct err err = { 0 };

    fflush(NULL);
    if (exec_session_finish(s, &err))
        fprintf(stderr, "leno: %s\n", err.text);
    fprintf(stderr, "leno: stopped by --stop-on-%s, exit status %d\n", option, status);
    _exit(status);
}

static void stop_after_launch(struct exec_session *s, enum err_code code)
{
    if (code == ERR_UNSUPPORTED && s->options->stop_on_unsupported)
        stop_program(s, "unsupported", EXEC_STATUS_UNSUPPORTED);
    if (code != ERR_UNSUPPORTED && s->options->stop_on_fault)
        stop_program(s, "fault", EXEC_STATUS_FAULT);
}

/* Executes a launch that an earlier run has reported, and counts what it reported. */
static int run_kept(struct exec_session *s, const struct sass_launch *l,
                    const struct kept_launch *kept, struct driver_cost *cost,
                    struct err *err)
{
    choice_takes_next(&s->options->choice, &s->chosen, l->kernel->info->name);
    if (s->sample) {
        struct sample_shape shape = launch_shape(l);

        sample_takes_next(s->sample, &shape);
        sample_note(s->sample, &kept->sampled);
    }
    exec_summary_add_kept(&s->summary, l->kernel->info->name, kept);
    s->hook.mode = LAUNCH_FUNCTIONAL;
    return launch_hook_run(&s->hook, l, cost, err);
}

/* Does an earlier run have this launch? It ends the program if that was another one. */
static bool find_kept(struct exec_session *s, struct launch_report *r,
                      struct kept_launch *kept)
{
    struct buf head = { 0 };
    struct err err = { 0 };
    int found;

    r->about = buf_text(&s->about);
    launch_report_head(r, &head);
    found = kept_take(&s->kept, buf_text(&head), kept, &err);
    buf_free(&head);
    if (found >= 0)
        return found;
    fflush(NULL);
    fprintf(stderr, "leno: %s\n", err.text);
    _exit(1);
}

/* Signals that would end the program are noted while a launch runs, so that it is
 * reported first; except for recordings, which base/file removes then. */
static int run_launch(void *to, const struct sass_launch *l, struct driver_cost *cost,
                      struct err *err)
{
    static const char *const modes[] = { [LAUNCH_FUNCTIONAL] = "functional",
                                         [LAUNCH_TIMED] = "timed",
                                         [LAUNCH_RECORDED] = "recorded" };
    struct exec_session *s = to;
    struct tally tally = { 0 };
    struct loop_list loops = { 0 };
    struct launch_report r = {
        .machine = s->machine, .number = ++s->n_launches, .launch = l, .cost = cost
    };
    struct kept_launch kept;
    int failed;

    if (find_kept(s, &r, &kept))
        return run_kept(s, l, &kept, cost, err);
    s->hook.mode = mode_of(s, l);
    s->hook.loops = &loops;
    r.mode = modes[s->hook.mode];
    if (s->hook.mode != LAUNCH_RECORDED)
        interrupt_watch();
    if (s->hook.mode == LAUNCH_FUNCTIONAL) {
        failed = launch_hook_run(&s->hook, l, cost, err);
    } else if (s->hook.mode == LAUNCH_RECORDED) {
        failed = run_recorded(s, l, cost, err);
    } else {
        r.tally = &tally;
        failed = make_gpu(s, err);
        if (!failed)
            failed = run_timed(s, l, &r, cost, err);
        if (failed && s->gpu)
            drop_gpu(s);
    }
    interrupt_unwatch();
    meter_clear(&s->meter);
    r.loops = s->machine->unroll.factor > 1 ? &loops : NULL;
    r.err = failed ? err : &(struct err){ 0 };
    put_report(s, &r);
    if (s->sample && !failed)
        note_sample(s, &r);
    tally_free(&tally);
    loops_free(&loops);
    if (interrupt_signal()) {
        put_summary(s);
        fprintf(stderr, "leno: %s\n", failed ? err->text : "stopped");
    }
    interrupt_obey();
    if (failed)
        stop_after_launch(s, err->code);
    return failed;
}

void exec_session_refuse(struct exec_session *s, const char *name)
{
    exec_trust_note_unsupported(&s->trust, name);
    if (s->options->stop_on_unsupported)
        stop_program(s, "unsupported", EXEC_STATUS_UNSUPPORTED);
}

/* Where kernels print: the program's own standard output, in order with it. */
static void print_kernel_output(void *to, const char *text, size_t n)
{
    (void)to;
    fwrite(text, 1, n, stdout);
}

/* On one line of the log, after the program's output so far. */
static void print_warning(void *to, const char *text)
{
    const struct exec_session *s = to;

    fflush(stdout);
    if (s->log >= 0)
        dprintf(s->log, "leno: warning: %s\n", text);
}

static void start_meter(struct exec_session *s)
{
    bool is_shown = !s->options->quiet && isatty(STDERR_FILENO);

    meter_start(&s->meter, is_shown ? stderr : NULL, "leno");
    s->meter.watch.max_insts = s->options->max_insts;
}

static int open_stats(struct exec_session *s, int log, struct err *err)
{
    const char *path = s->options->stats;

    s->stats = s->options->quiet ? -1 : log;
    if (!path)
        return 0;
    s->is_json = true;
    if (s->options->resume && kept_open(&s->kept, path, err))
        return -1;
    s->stats = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return s->stats < 0 ? err_set(err, "%s: statistics cannot be written there", path)
                        : 0;
}

static void free_all(struct exec_session *s)
{
    driver_free(s->driver);
    gpu_free(s->gpu);
    machine_free(s->machine);
    exec_summary_free(&s->summary);
    choice_count_free(&s->chosen);
    exec_trust_free(&s->trust);
    sample_free(s->sample);
    kept_close(&s->kept);
    inst_counts_free(s->hook.counts);
    race_report_free(s->hook.races);
    hot_runs_free(&s->hot);
    if (s->pid == getpid())
        intervals_free(&s->series);
    buf_free(&s->about);
    if (s->options->stats && s->stats >= 0)
        close(s->stats);
    free(s);
}

/* The machine that the options name, or else the one for the program's code; says so
 * on log, unless it is -1. */
static struct machine *choose_machine(struct exec_session *s,
                                      const struct exec_options *o, struct err *err)
{
    struct machine *m;
    struct exec_gpu gpu;

    if (o->machine.gpu)
        exec_gpu_of_name(&gpu, o->machine.gpu);
    else
        exec_gpu_of_process(&gpu);
    s->untimed = gpu.untimed;
    if (gpu.untimed && s->log >= 0)
        dprintf(
            s->log,
            "leno: there is no timing model for sm_%u: kernels are executed without "
            "timing, on a device like %s\n",
            gpu.untimed, gpu.name);
    else if (gpu.name && s->log >= 0 && !o->quiet)
        dprintf(s->log, "leno: machine %s, chosen for sm_%u code\n", gpu.name, gpu.sm);
    m = exec_session_machine(o, gpu.name, err);
    if (m && gpu.untimed)
        snprintf(m->name, sizeof m->name, "sm_%u", gpu.untimed);
    return m;
}

struct exec_session *exec_session_new(const struct exec_options *o, const char *program,
                                      int log, struct err *err)
{
    struct exec_session *s = calloc(1, sizeof *s);
    struct driver_config config = { .launch = run_launch,
                                    .launch_to = s,
                                    .print = print_kernel_output,
                                    .is_paged = !o->strict,
                                    .is_exact = o->strict,
                                    .warn = print_warning,
                                    .warn_to = s };

    if (!s) {
        err_memory(err, "a session");
        return NULL;
    }
    s->options = o;
    s->program = program;
    s->log = log;
    s->stats = -1;
    s->pid = getpid();
    s->machine = choose_machine(s, o, err);
    if (s->machine && !open_stats(s, log, err)) {
        describe_device(s);
        start_meter(s);
        launch_report_about(program, s->machine, &s->about);
        s->hook = (struct launch_hook){ .machine = s->machine,
                                        .watch = &s->meter.watch,
                                        .recording = &s->recording };
        if (o->counts)
            s->hook.counts = inst_counts_new();
        if (o->races || o->sanitize)
            s->hook.races = race_report_new(o->sanitize);
        config.shadow = race_report_new_memory(s->hook.races);
        s->sample = sample_of_choice(&o->choice);
        s->hook.is_sampled = s->sample;
        config.arch = (enum sass_arch)s->machine->gpu.arch;
        config.device = &s->device;
        s->driver = driver_new(&config, err);
    }
    if (s->driver)
        return s;
    free_all(s);
    return NULL;
}

struct driver *exec_session_driver(struct exec_session *s)
{
    return s->driver;
}

int exec_session_finish(struct exec_session *s, struct err *err)
{
    int failed = 0;

    if (s->pid == getpid() && recording_is_open(&s->recording))
        failed = recording_finish(&s->recording, err);
    put_counts(s);
    put_summary(s);
    if (s->pid == getpid() && put_hot(s, failed ? NULL : err))
        failed = -1;
    if (s->pid == getpid() && intervals_keep(&s->series, failed ? NULL : err))
        failed = -1;
    free_all(s);
    return failed;
}
