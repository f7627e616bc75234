/* cmd_exec.c - leno exec: a CUDA program of the user's, with its kernels simulated. */
#include <string.h>

#include "base/file.h"
#include "cli/option_rows.h"
#include "session/exec_start.h"
#include "session/hot_file.h"

struct exec_values {
    bool resume, functional, races, sanitize, hot, quiet, strict, stop_on_unsupported,
        stop_on_fault;
    uint64_t max_cycles, max_insts, threads, top, series;
    const char *stats, *counts, *record, *hot_file, *series_out;
    struct program_values programs;
    struct machine_options machine;
};

#define AT(field) offsetof(struct exec_values, field)
static const struct option options[] = {
    ROW_GPU(AT(machine.gpu), "by the program's code"),
    ROW_SCHEME(AT(machine.scheme)),
    ROW_SET(AT(machine.set)),
    ROW_SMS(AT(machine.sms)),
    ROW_THREADS(AT(threads), "one per core"),
    { "functional", OPTION_FLAG, NULL, "execute kernels without timing them",
      AT(functional), NULL },
    ROWS_CHOICE(programs),
    { "stats", OPTION_TEXT, "FILE", "write statistics, one line of JSON per launch",
      AT(stats), NULL },
    { "resume", OPTION_FLAG, NULL,
      "continue an interrupted run: launches in --stats are not timed again",
      AT(resume), NULL },
    { "counts", OPTION_TEXT, "FILE",
      "write how often each instruction was executed (CSV)", AT(counts), NULL },
    ROWS_HOT(AT(hot), AT(hot_file), AT(top)),
    ROWS_SERIES(AT(series), AT(series_out)),
    { "races", OPTION_FLAG, NULL, "report data races; kernels are not timed", AT(races),
      NULL },
    { "sanitize", OPTION_FLAG, NULL,
      "report races, uses after free, overruns, uninitialised reads, divergent barriers",
      AT(sanitize), NULL },
    { "quiet", OPTION_FLAG, NULL, "print only the summary on standard error", AT(quiet),
      NULL },
    { "strict", OPTION_FLAG, NULL,
      "accesses next to an allocation are faults, not warnings", AT(strict), NULL },
    { "stop-on-unsupported", OPTION_FLAG, NULL,
      "end at the first unsupported call or code (status 102)", AT(stop_on_unsupported),
      NULL },
    { "stop-on-fault", OPTION_FLAG, NULL,
      "end at the first kernel that fails otherwise (status 106)", AT(stop_on_fault),
      NULL },
    { "record", OPTION_TEXT, "DIR", "record launches instead of timing them",
      AT(record), NULL },
    { "max-cycles", OPTION_COUNT, "N", "stop the launch that passes cycle N",
      AT(max_cycles), NULL },
    { "max-insts", OPTION_COUNT, "N", "the same, in warp instructions of all launches",
      AT(max_insts), NULL },
};

/* The option with which launches are looked at for faults; NULL: none. */
static const char *looking_option(const struct exec_values *v)
{
    return v->sanitize ? "sanitize" : v->races ? "races" : NULL;
}

/* The option because of which launches are not timed; NULL: they are. */
static const char *untimed_option(const struct exec_values *v)
{
    const char *looks = looking_option(v);

    return looks ? looks : v->record ? "record" : v->functional ? "functional" : NULL;
}

/* Options for which launches have to be timed. */
static int check_timed(const struct exec_values *v, const char *option, struct err *err)
{
    const char *untimed = untimed_option(v);

    return untimed
               ? err_set(err, "--%s: launches are not timed with --%s", option, untimed)
               : 0;
}

static int check_resume(const struct exec_values *v, struct err *err)
{
    if (v->resume && (!v->stats || v->record || v->counts))
        return err_set(err,
                       "--resume: expected --stats FILE of the interrupted run%s%s",
                       v->stats ? ", and no --" : "",
                       !v->stats   ? ""
                       : v->record ? "record"
                                   : "counts");
    return 0;
}

/* What does not go with launches that are not timed. */
static int check_untimed(const struct exec_values *v,
                         const struct launch_choice *choice, struct err *err)
{
    const char *looks = looking_option(v), *untimed = untimed_option(v);
    char why[80];

    if (!untimed)
        return 0;
    if (looks && v->record)
        return err_set(err,
                       "--%s and --record cannot be combined: recorded launches are "
                       "not looked at",
                       looks);
    if (looks && (v->max_cycles || choice_has_cap(choice)))
        return err_set(err,
                       "--%s: kernels are not timed, so there are no cycles to "
                       "limit and nothing to cap; --max-insts limits instructions",
                       looks);
    if (v->max_cycles)
        return err_set(err,
                       "--max-cycles: launches have no cycles with --%s; --max-insts "
                       "limits their instructions",
                       untimed);
    snprintf(why, sizeof why, "launches are not timed with --%s", untimed);
    return options_refuse_cap(&v->programs, why, err);
}

static int check_series(const struct exec_values *v, struct err *err)
{
    if (!v->series && !v->series_out)
        return 0;
    if (!v->series_out)
        return err_set(err, "--series: expected --series-out FILE.csv");
    return check_timed(v, "series-out", err) || file_out_check(v->series_out, err) ? -1
                                                                                   : 0;
}

static int check_hot(const struct exec_values *v, struct err *err)
{
    if (!v->hot && !v->hot_file)
        return 0;
    if (check_timed(v, "hot", err))
        return -1;
    if (v->machine.scheme && strchr(v->machine.scheme, ','))
        return err_set(err, "--hot: one scheme; for two side by side: leno run --hot "
                            "--scheme A,B -- PROGRAM");
    return v->hot_file ? hot_file_check(v->hot_file, err) : 0;
}

static int exec_command(struct console *console, const void *values,
                        const struct operands *ops, struct err *err)
{
    const struct exec_values *v = values;
    struct exec_job job = { .options = { .machine = v->machine,
                                         .max_cycles = v->max_cycles,
                                         .max_insts = v->max_insts,
                                         .threads = v->threads,
                                         .functional =
                                             v->functional || looking_option(v),
                                         .races = v->races,
                                         .sanitize = v->sanitize,
                                         .stop_on_unsupported = v->stop_on_unsupported,
                                         .stop_on_fault = v->stop_on_fault,
                                         .strict = v->strict || v->sanitize,
                                         .quiet = v->quiet,
                                         .stats = v->stats,
                                         .resume = v->resume,
                                         .counts = v->counts,
                                         .hot = v->hot,
                                         .top = v->top,
                                         .hot_file = v->hot_file,
                                         .series = v->series,
                                         .series_out = v->series_out,
                                         .record = v->record },
                            .kernels = v->programs.kernels,
                            .libraries = v->programs.libraries,
                            .argv = ops->at };

    (void)console;
    if (!ops->n)
        return err_set(err, "name a program: leno exec [options] -- ./program args");
    if (options_choice(&job.options.choice, &v->programs, err) || check_hot(v, err) ||
        check_series(v, err) || check_resume(v, err) ||
        check_untimed(v, &job.options.choice, err))
        return -1;
    ops->at[ops->n] = NULL;
    return exec_start(&job, err);
}

const struct command command_exec = {
    COMMAND_NAMED(exec),
    .summary = "run a CUDA program with its kernels simulated",
    .operands = "-- PROGRAM [ARG...]",
    .details =
        "Starts an ordinary program, built with nvcc -cudart shared for the machine's\n"
        "architecture (-arch=sm_75 ... sm_121), with Leno's libraries in place of\n"
        "CUDA's. No GPU is needed. The program keeps its output and exit status; one\n"
        "line per launch goes to standard error, or as JSON to a file. At the end there\n"
        "is a summary per kernel; a run in which a kernel failed or a call was refused\n"
        "ends with a line that says so. docs/exec.md says what is supported.\n",
    .examples =
        "  leno exec -- ./vectorAdd\n"
        "  leno exec --gpu h200 --stats bfs.json -- ./bfs graph65536.txt\n"
        "  leno exec --stats bfs.json --resume -- ./bfs graph65536.txt\n"
        "  leno exec --functional -- ./matrixMul -wA=320\n"
        "  leno exec --hot --hot-file hot.html -- ./hotspot 512 2 2 temp power out\n"
        "  leno exec --races --quiet -- ./reduction\n"
        "  leno exec --sanitize --quiet -- ./reduction\n"
        "  leno exec --kernels 3-5 --scheme inorder --set inorder.entries=4 -- ./srad\n"
        "  leno exec --match 'bfs_*' --first 3 -- ./bfs graph65536.txt\n"
        "  leno exec --cap-cycles 100000 -- ./hotspot 512 2 1000 temp power out\n"
        "  leno exec --sample --quiet -- ./hotspot 512 2 1000 temp power out\n"
        "  leno exec --every 100 --quiet -- ./hotspot 512 2 1000 temp power out\n"
        "  leno exec --quiet --stop-on-unsupported --stop-on-fault -- ./bfs graph.txt\n"
        "  leno exec --record streams -- ./hotspot 512 2 2 temp power out\n",
};
