/* cmd_sweep.c - leno sweep: schemes over the values of their parameters. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/option_rows.h"
#include "report/sweep_put.h"
#include "session/sweep_batch.h"

struct sweep_values {
    bool all, json, csv, fresh, list;
    uint64_t jobs;
    const char *folder, *out;
    struct program_values programs;
};

static const struct sweep_values defaults = { .out = "leno-out" };

#define AT(field) offsetof(struct sweep_values, field)
static const struct option options[] = {
    { "list", OPTION_FLAG, NULL, "print the points and run nothing", AT(list), NULL },
    ROW_ALL(AT(all)),
    ROW_JOBS(AT(jobs)),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "run"),
    ROW_WORKLOADS(AT(folder)),
    ROWS_PROGRAMS(programs),
};

enum { MAX_BYTES = 1 << 20 };

/* At the end: points that could not be run, unless something else failed. */
static int judge_points(const struct sweep *s, struct err *err)
{
    size_t n = 0;

    if (!s->n_invalid)
        return 0;
    while (!sweep_why_invalid(s, n))
        n++;
    return err_set(err, "%zu of %zu points %s invalid; the first: %s", s->n_invalid,
                   s->n_points, s->n_invalid == 1 ? "is" : "are",
                   sweep_why_invalid(s, n));
}

static enum sweep_format format_of(const struct sweep_values *v)
{
    if (v->json)
        return SWEEP_JSON;
    return v->csv ? SWEEP_CSV : SWEEP_TEXT;
}

static int run_all(struct console *console, const struct sweep_values *v,
                   const struct sweep *s, struct batch *b, struct err *err)
{
    struct buf folder = { 0 };
    int failed = workload_folder(v->folder, &folder, err);

    b->folder = buf_text(&folder);
    if (!failed) {
        failed = batch_run(b, console, err);
        if (batch_has_results(b))
            sweep_print(s, b, format_of(v), console->out);
    }
    batch_free(b);
    buf_free(&folder);
    return failed;
}

/* The programs of the file or of the command line; by default those of the file's
 * first machine. */
static int prepare_sweep(struct program_list *l, const struct sweep_values *v,
                         const struct operands *ops, const struct sweep *s,
                         struct console *console, struct err *err)
{
    struct prepare_job job = { .all = v->all,
                               .gpu = s->gpus.at[0],
                               .out = v->out,
                               .jobs = v->jobs,
                               .fresh = v->fresh };
    struct machine *m = machine_new(s->gpus.at[0], NULL, err);
    int failed = m ? options_programs(&job, &v->programs, ops, err) : -1;

    job.request.named = s->programs.at;
    job.request.n_named = s->programs.n;
    if (!failed)
        failed =
            options_check_all(&job, err) || prepare_programs(l, &job, m, console, err);
    machine_free(m);
    return failed;
}

static int run_sweep(struct console *console, const struct sweep_values *v,
                     const struct operands *ops, const struct sweep *s, struct err *err)
{
    struct batch b = { .out = v->out, .jobs = v->jobs, .fresh = v->fresh };
    struct program_list programs = { 0 };
    int failed = sweep_fill_batch(s, &b, err) ||
                 prepare_sweep(&programs, v, ops, s, console, err);

    b.program = programs.at;
    b.n_programs = programs.n;
    if (!failed && v->list) {
        sweep_list(s, b.n_programs, console->out);
    } else if (!failed) {
        sweep_list_invalid(s, console->log);
        failed = run_all(console, v, s, &b, err);
    }
    program_list_free(&programs);
    return failed ? -1 : judge_points(s, err);
}

static int sweep_command(struct console *console, const void *values,
                         const struct operands *ops, struct err *err)
{
    const struct sweep_values *v = values;
    struct sweep s;
    struct file file;
    int failed;

    if (options_check_format(v->json, v->csv, err))
        return -1;
    if (ops->n_named != 1)
        return err_set(err, "expected one FILE; leno sweep --help has an example");
    if (file_read(ops->at[0], MAX_BYTES, &file, err))
        return -1;
    failed = sweep_read(&s, ops->at[0], (const char *)file.data, file.size, err) ||
             run_sweep(console, v, ops, &s, err);
    sweep_free(&s);
    file_free(&file);
    return failed ? -1 : 0;
}

const struct command command_sweep = {
    COMMAND_NAMED(sweep),
    .summary = "compare schemes over values of parameters",
    .operands = "FILE [-- COMMAND...]",
    .details =
        "Runs every combination that FILE describes, in parallel:\n"
        "\n"
        "  schemes  = inorder, ghost     ; as for leno compare\n"
        "  programs = lud, nn            ; default: a dozen of the workloads\n"
        "  gpus     = rtx2060s-ghost     ; the default\n"
        "  baseline = inorder            ; default: the first scheme\n"
        "  size     = tiny               ; default: small; also: seed, sms\n"
        "\n"
        "  [set]                         ; for every point\n"
        "  regfile.collectors = 4\n"
        "\n"
        "  [sweep]                       ; each value with each of the others\n"
        "  ghost.entries = 4, 8, 16\n"
        "  sched.policy  = gto, lrr\n"
        "\n"
        "A scheme that lacks a parameter has fewer points: here inorder has two, ghost\n"
        "has six. Parameters that vary together stand on one line:\n"
        "\n"
        "  core.warps, core.threads = 16:512, 32:1024\n"
        "\n"
        "Each point is compared with the baseline at the same settings, as far\n"
        "as the baseline has them. A point whose values are not possible is reported as\n"
        "invalid and the others run; the exit status is then 1. Results are cached as by\n"
        "leno compare.\n",
    .examples = "  leno sweep buffer.ini --list\n"
                "  leno sweep buffer.ini\n"
                "  leno sweep buffer.ini --csv > buffer.csv\n"
                "  leno sweep buffer.ini -- ./bfs graph65536.txt\n",
    .defaults = &defaults,
};
