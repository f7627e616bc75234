/* cmd_reproduce.c - leno reproduce: a paper's figures, its numbers next to ours. */
#include <string.h>

#include "cli/option_rows.h"
#include "report/reproduce.h"

struct reproduce_values {
    bool list, all, json, csv, markdown, fresh;
    int size;
    uint64_t seed, sms, jobs;
    const char *folder, *out, *report;
    struct text_list figures, set, as;
    struct program_values programs;
};

static const struct reproduce_values defaults = { .size = SIZE_SMALL,
                                                  .seed = WORKLOAD_SEED,
                                                  .out = "leno-out" };

#define AT(field) offsetof(struct reproduce_values, field)
static const struct option options[] = {
    { "list", OPTION_FLAG, NULL, "list papers and their figures", AT(list), NULL },
    { "figure", OPTION_LIST, "N", "only this figure (repeatable); V, T6.1: tables",
      AT(figures), NULL },
    { "program", OPTION_LIST, "NAME=PROGRAM",
      "run this for the paper's NAME (repeatable; see above)", AT(as), NULL },
    { "all", OPTION_FLAG, NULL, "every workload, not only the paper's", AT(all), NULL },
    ROW_SET(AT(set)),
    ROW_SIZE(AT(size), "small"),
    ROW_SEED(AT(seed)),
    ROW_SMS(AT(sms)),
    ROW_JOBS(AT(jobs)),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "number"),
    { "markdown", OPTION_FLAG, NULL, "print as Markdown", AT(markdown), NULL },
    { "report", OPTION_TEXT, "FILE", "also write a page with charts (HTML)", AT(report),
      NULL },
    ROW_WORKLOADS(AT(folder)),
    ROWS_PROGRAMS(programs),
};

static enum reproduce_format format_of(const struct reproduce_values *v)
{
    if (v->json)
        return REPRODUCE_JSON;
    if (v->csv)
        return REPRODUCE_CSV;
    return v->markdown ? REPRODUCE_MARKDOWN : REPRODUCE_TEXT;
}

static int list_papers(struct console *console, const struct reproduce_values *v,
                       struct err *err)
{
    if (v->csv || v->markdown)
        return err_set(err, "--list is text or JSON; expected --list or --list --json");
    reproduce_list(console, v->json);
    return 0;
}

/* The paper that is named; NULL in the job: all of them. */
static int find_paper(struct reproduce_job *job, const struct operands *ops,
                      struct err *err)
{
    if (ops->n_named != 1)
        return err_set(err, "name a paper, or say all; see leno reproduce --list");
    if (strcmp(ops->at[0], "all") != 0) {
        job->paper = paper_find(ops->at[0], err);
        return job->paper ? 0 : -1;
    }
    if (job->figures->n || job->format == REPRODUCE_JSON ||
        job->format == REPRODUCE_CSV)
        return err_set(err,
                       "all papers are printed as text or Markdown, with all their "
                       "figures; expected one paper for --figure, --json and --csv");
    return 0;
}

static int reproduce_command(struct console *console, const void *values,
                             const struct operands *ops, struct err *err)
{
    const struct reproduce_values *v = values;
    struct prepare_job prepare = { 0 };
    struct reproduce_job job = { .figures = &v->figures,
                                 .all = v->all,
                                 .set = v->set,
                                 .size = (enum workload_size)v->size,
                                 .seed = v->seed,
                                 .sms = v->sms,
                                 .jobs = v->jobs,
                                 .fresh = v->fresh,
                                 .folder = v->folder,
                                 .out = v->out,
                                 .report = v->report,
                                 .format = format_of(v) };

    if (options_check_format(v->json, v->csv, err))
        return -1;
    if (v->markdown && (v->json || v->csv))
        return err_set(err, "--markdown cannot be combined with --json or --csv");
    if (v->list)
        return list_papers(console, v, err);
    if (find_paper(&job, ops, err) ||
        options_programs(&prepare, &v->programs, ops, err))
        return -1;
    job.request = prepare.request;
    job.request.n_named = 0; /* that is the paper */
    job.request.as = v->as;
    job.libraries = prepare.libraries;
    return reproduce_run(&job, console, err);
}

const struct command command_reproduce = {
    COMMAND_NAMED(reproduce),
    .summary = "reproduce a paper's figures: its numbers next to ours",
    .operands = "[PAPER|all] [-- COMMAND...]",
    .details =
        "Runs the comparison of a figure on the workloads that the paper has, and prints\n"
        "the paper's numbers next to ours, with what differs and why; means over the\n"
        "programs that both have, and over all. Results are cached in the same place as\n"
        "those of leno compare.\n"
        "The paper results is ours: all schemes, alone and with each eliminator, on every\n"
        "workload (docs/results.md). That of LOOG on Vortex, loog-vortex, is about programs\n"
        "for Vortex; all is every paper but these two.\n"
        "\n"
        "--program NAME=PROGRAM, --suite and -- take other programs in place of the\n"
        "workloads (--all: beside every workload). NAME is the paper's name of the program,\n"
        "RBF or b+tree, in a suite the key paper; PROGRAM is a workload, a recording, a list of\n"
        "traces or a command line (docs/programs.md).\n",
    .examples =
        "  leno reproduce --list\n"
        "  leno reproduce --list --json\n"
        "  leno reproduce ghost --figure 13\n"
        "  leno reproduce ghost --figure 16 --size tiny\n"
        "  leno reproduce ghost --csv > ghost.csv\n"
        "  leno reproduce ghost --report ghost.html\n"
        "  leno reproduce ghost --program BAK=backprop.leno --program \"RBF=./bfs g.txt\"\n"
        "  leno reproduce ghost --suite rodinia.ini --set sched.policy=lrr\n"
        "  leno reproduce all --size tiny --markdown > papers.md\n"
        "  leno reproduce socgpu --sms 4 --figure 5\n"
        "  leno reproduce loog-vortex --size tiny --figure T6.1 --figure 6.1\n",
    .defaults = &defaults,
};
