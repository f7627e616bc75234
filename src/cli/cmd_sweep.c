/* cmd_sweep.c - leno sweep: schemes over the values of their parameters. */
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/file.h"
#include "cli/option_rows.h"
#include "report/sweep_put.h"
#include "session/batch.h"

struct sweep_values {
    bool json, csv, fresh, list;
    uint64_t jobs;
    const char *folder, *out;
};

enum { MAX_BYTES = 1 << 20 };
_Static_assert(sizeof((struct sweep *)0)->setting <= sizeof((struct text_list *)0)->at,
               "all that a file sets is set for all columns");
_Static_assert(WORKLOAD_SEED == 1, "what sweep_read() takes if the file has none");

static void print(struct console *console, struct buf *out)
{
    fwrite(buf_text(out), 1, out->len, console->out);
    buf_free(out);
}

/* What would be run. */
static void list_points(struct console *console, const struct sweep *s,
                        size_t n_programs)
{
    struct buf out = { 0 };
    size_t n_valid = 0;

    for (size_t n = 0; n < s->n_points; n++) {
        const struct sweep_point *p = &s->point[n];
        const char *why = sweep_why_invalid(s, n);

        buf_printf(&out, "%s on %s, ", s->column[p->column].spec, p->gpu);
        if (why)
            buf_printf(&out, "invalid: %s\n", why);
        else
            buf_printf(&out, "over %s\n", s->column[p->base].spec);
    }
    for (size_t c = 0; c < s->n_columns; c++)
        n_valid += !s->column[c].invalid;
    buf_printf(&out, "%zu points, ", s->n_points);
    if (s->n_invalid)
        buf_printf(&out, "%zu of them invalid, ", s->n_invalid);
    buf_printf(&out, "%zu runs\n", n_valid * n_programs);
    print(console, &out);
}

/* Before the runs, which may take long. */
static void tell_invalid(struct console *console, const struct sweep *s)
{
    for (size_t n = 0; n < s->n_points; n++)
        if (sweep_why_invalid(s, n))
            fprintf(console->log, "invalid: %s on %s: %s\n",
                    s->column[s->point[n].column].spec, s->point[n].gpu,
                    sweep_why_invalid(s, n));
}

/* At the end: points that could not be run, unless something else failed. */
static int judge(const struct sweep *s, struct err *err)
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

static void print_results(struct console *console, const struct sweep_values *v,
                          const struct sweep *s, const struct batch *b)
{
    struct grid g = batch_grid(b);
    struct buf out = { 0 };

    if (v->csv) {
        sweep_csv(s, &g, &out);
    } else if (v->json) {
        document_begin(&out, "sweep");
        document_text(&out, "file", s->file);
        batch_json(b, &out);
        buf_puts(&out, ",\n ");
        sweep_json(s, &g, &out);
        buf_puts(&out, "}\n");
    } else {
        sweep_text(s, &g, &out);
        buf_putc(&out, '\n');
        batch_footer(b, &out);
    }
    print(console, &out);
}

static int read_size(const struct sweep *s, enum workload_size *size, struct err *err)
{
    *size = SIZE_SMALL;
    if (!s->size.n)
        return 0;
    for (unsigned n = SIZE_TINY; n <= SIZE_PAPER; n++)
        if (!strcmp(s->size.at[0], workload_size_name((enum workload_size)n))) {
            *size = (enum workload_size)n;
            return 0;
        }
    return err_set(err, "%s:%u: size = %s: expected tiny, small or paper", s->file,
                   s->size.line, s->size.at[0]);
}

/* The programs of the file, or all that there are for its first machine. */
static const char **choose_programs(const struct sweep *s, size_t *n, struct err *err)
{
    struct machine *m = machine_new(s->gpus.at[0], NULL, err);
    const char **program = NULL;

    if (m)
        program = batch_programs(s->programs.at, s->programs.n, m, n, err);
    machine_free(m);
    return program;
}

static int run_all(struct console *console, const struct sweep_values *v,
                   const struct sweep *s, struct batch *b, struct err *err)
{
    struct buf folder = { 0 };
    int failed = workload_folder(v->folder, &folder, err);

    b->folder = buf_text(&folder);
    if (!failed) {
        failed = batch_run(b, console, err);
        batch_obey(b, console);
        if (b->n_stored + b->n_run > b->n_failed)
            print_results(console, v, s, b);
    }
    batch_free(b);
    buf_free(&folder);
    return failed;
}

static int sweep(struct console *console, const struct sweep_values *v,
                 const struct sweep *s, struct err *err)
{
    struct batch b = { .column = s->column,
                       .n_columns = s->n_columns,
                       .seed = s->seed,
                       .sms = s->sms,
                       .arch = -1,
                       .out = v->out,
                       .jobs = v->jobs,
                       .fresh = v->fresh };
    const char **program;
    int failed = 0;

    if (read_size(s, &b.size, err))
        return -1;
    for (; b.set.n < s->n_set; b.set.n++)
        b.set.at[b.set.n] = s->setting[b.set.n];
    b.program = program = choose_programs(s, &b.n_programs, err);
    if (!program)
        return -1;
    if (v->list) {
        list_points(console, s, b.n_programs);
    } else {
        tell_invalid(console, s);
        failed = run_all(console, v, s, &b, err);
    }
    free(program);
    return failed ? -1 : judge(s, err);
}

static int sweep_run(struct console *console, const void *values,
                     const struct operands *ops, struct err *err)
{
    const struct sweep_values *v = values;
    struct sweep s;
    struct file file;
    int failed;

    if (options_check_format(v->json, v->csv, err))
        return -1;
    if (ops->n != 1)
        return err_set(err, "expected one FILE; leno sweep --help has an example");
    if (file_read(ops->at[0], MAX_BYTES, &file, err))
        return -1;
    failed = sweep_read(&s, ops->at[0], (const char *)file.data, file.size, err) ||
             sweep(console, v, &s, err);
    sweep_free(&s);
    file_free(&file);
    return failed ? -1 : 0;
}

static void sweep_defaults(void *values)
{
    struct sweep_values *v = values;

    v->out = "leno-out";
}

#define AT(field) offsetof(struct sweep_values, field)
static const struct option options[] = {
    { "list", OPTION_FLAG, NULL, "print the points and run nothing", AT(list), NULL },
    ROW_JOBS(AT(jobs)),
    ROW_OUT(AT(out)),
    ROW_FRESH(AT(fresh)),
    ROW_JSON(AT(json)),
    ROW_CSV(AT(csv), "run"),
    ROW_WORKLOADS(AT(folder)),
};

static const char *const examples[] = { "leno sweep buffer.ini --list",
                                        "leno sweep buffer.ini",
                                        "leno sweep buffer.ini --csv > buffer.csv",
                                        NULL };

const struct command command_sweep = {
    .name = "sweep",
    .summary = "compare schemes over values of parameters",
    .operands = "FILE",
    .details =
        "Runs every combination that FILE describes, in parallel:\n"
        "\n"
        "  schemes  = inorder, ghost     ; as for leno compare\n"
        "  programs = lud, nn            ; default: all workloads\n"
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
    .examples = examples,
    .options = options,
    .n_options = N_OPTIONS(options),
    .values_size = sizeof(struct sweep_values),
    .defaults = sweep_defaults,
    .run = sweep_run,
};
