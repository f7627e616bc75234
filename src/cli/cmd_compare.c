/* cmd_compare.c - leno compare: several schemes on the same programs. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/revision.h"
#include "cli/option_rows.h"
#include "report/batch.h"
#include "report/compare_print.h"
#include "report/page.h"
#include "session/report_file.h"
#include "session/spec.h"

extern const struct command command_compare;

struct compare_values {
    bool all, json, csv, fresh, energy, hot;
    int arch, size;
    uint64_t seed, sms, jobs, threads, series;
    const char *gpu, *schemes, *folder, *out, *report, *shard;
    struct text_list set;
    struct program_values programs;
};

static const struct compare_values defaults = { .gpu = "rtx2060s-ghost",
                                                .arch = OPTION_ARCH_GPU,
                                                .size = SIZE_SMALL,
                                                .seed = WORKLOAD_SEED,
                                                .out = "leno-out" };

#define AT(field) offsetof(struct compare_values, field)
static const struct option options[] = {
    { "schemes", OPTION_TEXT, "A,B,...", "columns, the baseline first (see above)",
      AT(schemes), NULL },
    ROW_GPU(AT(gpu), "rtx2060s-ghost"),
    ROW_SET(AT(set)),
    ROW_ALL(AT(all)),
    ROW_SMS(AT(sms)),
    ROW_ARCH(AT(arch), option_archs_gpu, "the one for --gpu"),
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_JOBS(AT(jobs)),
    ROW_THREADS(AT(threads), "the cores that --jobs leaves free"),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROW_SHARD(AT(shard)),
    ROW_ENERGY(AT(energy)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "run"),
    { "report", OPTION_TEXT, "FILE", "also write a page with charts (HTML)", AT(report),
      NULL },
    { "series", OPTION_COUNT, "N",
      "--report: also a chart over time, in rows of N cycles", AT(series), NULL },
    { "hot", OPTION_FLAG, NULL,
      "--report: also where issue slots went, per line, loop and instruction", AT(hot),
      NULL },
    ROW_WORKLOADS(AT(folder)),
    ROWS_PROGRAMS(programs),
};

/* Options that have no part in a page. */
static const char *const not_of_pages[] = { "schemes", "jobs",  "threads", "out",
                                            "fresh",   "shard", "json",    "csv",
                                            "report",  NULL };

/* The command line that repeats this comparison, with the columns that it had. */
static void put_command(const struct compare_values *v, const struct operands *ops,
                        const struct batch *b, struct buf *out)
{
    buf_puts(out, "leno compare");
    for (int i = 0; i < ops->n_named; i++) {
        buf_putc(out, ' ');
        buf_shell_word(out, ops->at[i]);
    }
    buf_puts(out, " --schemes ");
    for (size_t i = 0; i < b->n_columns; i++)
        buf_printf(out, "%s%s", i ? "," : "", b->column[i].spec);
    buf_puts(out, " --report page.html");
    options_put(&command_compare, v, not_of_pages, out);
    operands_put_command(ops, out);
}

static int write_report(struct console *console, const struct compare_values *v,
                        const struct operands *ops, const struct batch *b,
                        struct err *err)
{
    struct grid g = batch_grid(b);
    struct buf command = { 0 }, page = { 0 };
    struct page_about about = { .revision = revision_text(),
                                .size = option_sizes[v->size],
                                .seed = v->seed };
    int failed;

    put_command(v, ops, b, &command);
    about.command = buf_text(&command);
    page_put(&g, &about, &page);
    failed = file_write(v->report, buf_text(&page), page.len, err);
    fflush(console->out);
    if (!failed)
        fprintf(console->log, "report: %s\n", v->report);
    buf_free(&command);
    buf_free(&page);
    return failed;
}

static int print_all(struct console *console, const struct compare_values *v,
                     const struct operands *ops, const struct session_kind *kind,
                     const struct batch *b, struct err *err)
{
    if (v->csv)
        compare_print_csv(b, console->out);
    else if (v->json)
        compare_print_json(b, console->out);
    else
        compare_print_text(b, kind, !v->schemes, v->energy, console->out);
    return v->report ? write_report(console, v, ops, b, err) : 0;
}

static int run_comparison(struct console *console, const struct compare_values *v,
                          const struct operands *ops, const struct session_kind *kind,
                          struct batch *b, struct err *err)
{
    struct buf folder = { 0 };
    int failed = programs_folder(b->program, b->n_programs, v->folder, &folder, err) ||
                 report_file_check(v->report, v->out, err);

    if (!failed) {
        b->folder = buf_text(&folder);
        failed = batch_run(b, console, err);
        if (v->shard && b->kept_in)
            batch_print_slice(b, console->out);
        else if (batch_has_results(b) &&
                 print_all(console, v, ops, kind, b, failed ? NULL : err))
            failed = -1;
    }
    batch_free(b);
    buf_free(&folder);
    return failed ? -1 : 0;
}

static int compare_command(struct console *console, const void *values,
                           const struct operands *ops, struct err *err)
{
    const struct compare_values *v = values;
    struct batch b = { .set = v->set,
                       .size = (enum workload_size)v->size,
                       .seed = v->seed,
                       .sms = v->sms,
                       .arch = v->arch == OPTION_ARCH_GPU ? -1 : v->arch,
                       .out = v->out,
                       .study = "compare",
                       .jobs = v->jobs,
                       .threads = v->threads,
                       .fresh = v->fresh,
                       .extra = { .series = v->series, .has_hot = v->hot } };
    struct grid_column column[MAX_SPECS];
    struct prepare_job prepare = { .all = v->all,
                                   .arch = b.arch,
                                   .gpu = v->gpu,
                                   .out = v->out,
                                   .jobs = v->jobs,
                                   .fresh = v->fresh };
    struct program_list programs = { 0 };
    struct spec_list specs = { 0 };
    const struct session_kind *kind;
    struct machine *m;
    int failed = -1;

    if (extras_any(&b.extra) && !v->report)
        return err_set(err, "--%s: expected --report FILE.html, which shows it",
                       v->hot ? "hot" : "series");
    if (options_check_format(v->json, v->csv, err) ||
        options_shard(&b.shard, v->shard, v->json || v->csv || v->report, err) ||
        options_programs(&prepare, &v->programs, ops, err) ||
        options_check_all(&prepare, err))
        return -1;
    m = machine_new(v->gpu, NULL, err);
    if (!m)
        return -1;
    kind = session_kind(m);
    if (!spec_split(&specs, v->schemes ? v->schemes : kind->schemes, err) &&
        !prepare_programs(&programs, &prepare, m, console, err)) {
        b.program = programs.at;
        b.n_programs = programs.n;
        for (size_t c = 0; c < specs.n; c++)
            column[c] = (struct grid_column){ .gpu = v->gpu, .spec = specs.at[c] };
        b.column = column;
        b.n_columns = specs.n;
        failed = run_comparison(console, v, ops, kind, &b, err);
    }
    spec_free(&specs);
    program_list_free(&programs);
    machine_free(m);
    return failed;
}

const struct command command_compare = {
    COMMAND_NAMED(compare),
    .summary = "compare schemes on the same programs",
    .operands = "[PROGRAM...] [-- COMMAND...]",
    .details =
        "Runs programs under several schemes, in parallel, and prints each scheme's\n"
        "speed-up over the first one, how much it reorders and its largest stall reason.\n"
        "A program is a workload (the default: a dozen that stand for all; --all), a\n"
        "recording in .leno, or any CUDA program: after -- as a command, or in a suite file\n"
        "(docs/programs.md). A command is executed once and recorded; the recording is\n"
        "replayed from then on, until its binary or a file that it read changes.\n"
        "\n"
        "A scheme may carry settings: NAME[+SKIP][:KEY=VALUE]..., where a key without a\n"
        "dot is a parameter of the scheme itself; =NAME is in-order issue with the storage\n"
        "of NAME (leno cost). The default selection is inorder,\n"
        "inorder:entries=12:refill=room (in order, with the storage of ghost), ghost,\n"
        "socgpu, loog, turbulence and inorder+darsie; on a Vortex GPU inorder, loog,\n"
        "loog.rrs and ghost. --set applies to every scheme that has the parameter.\n"
        "\n"
        "Results are cached in DIR/results.db (SQLite), by program, configuration and\n"
        "revision of Leno, with every statistic (as leno run --json prints it). Cached\n"
        "results are not computed again: after an interruption, the same command\n"
        "continues where it stopped. Several commands may use one folder at a time.\n"
        "With --shard, a part of the runs goes to a file of its own, as by leno sweep.\n",
    .examples =
        "  leno compare\n"
        "  leno compare --all --size tiny\n"
        "  leno compare lud nn --schemes inorder,ghost,ghost:entries=16\n"
        "  leno compare --size tiny --gpu h200 --schemes control,inorder:entries=3\n"
        "  leno compare rbfs --schemes inorder:sched.policy=gto,inorder:sched.policy=lrr\n"
        "  leno compare --gpu vortex-4x4\n"
        "  leno compare -- ./bfs graph65536.txt\n"
        "  leno compare --suite rodinia.ini --first 10\n"
        "  leno compare --csv > results.csv\n"
        "  leno compare --report schemes.html\n",
    .defaults = &defaults,
};
