/* reproduce.c - plans the figures of a paper, measures them and prints them. */
#include "report/reproduce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/document.h"
#include "base/json.h"
#include "report/batch.h"
#include "session/study.h"
#include "sim/machine.h"

enum { MAX_FIGURES = 32, MAX_COLUMNS = 128 };

/* The figures to show, and the machines they need. */
struct plan {
    const struct paper *paper;
    const struct figure *figure[MAX_FIGURES];
    struct points points[MAX_FIGURES];
    size_t n_figures;
    struct grid_column column[MAX_COLUMNS];
    size_t n_columns;
};

static void put_paper(const struct paper *p, struct buf *out)
{
    buf_puts(out, "\n {\"paper\": ");
    json_string(out, p->name);
    document_text(out, "title", p->title);
    buf_puts(out, ", \"figures\": [");
    for (size_t k = 0; k < p->n_figures; k++) {
        buf_puts(out, k ? ",\n  {\"figure\": " : "\n  {\"figure\": ");
        json_string(out, p->figures[k].name);
        document_text(out, "title", p->figures[k].title);
        buf_putc(out, '}');
    }
    buf_puts(out, "]}");
}

static void list_papers_json(struct console *console)
{
    struct buf out = { 0 };

    document_begin(&out, "papers");
    buf_puts(&out, ", \"papers\": [");
    for (size_t i = 0; paper_at(i); i++) {
        if (i)
            buf_putc(&out, ',');
        put_paper(paper_at(i), &out);
    }
    fprintf(console->out, "%s]}\n", buf_text(&out));
    buf_free(&out);
}

static void list_papers(struct console *console)
{
    const struct paper *p;

    for (size_t i = 0; (p = paper_at(i)); i++) {
        fprintf(console->out, "%s: %s\n", p->name, p->title);
        for (size_t k = 0; k < p->n_figures; k++)
            fprintf(console->out, "  %-4s %s\n", p->figures[k].name,
                    p->figures[k].title);
    }
}

static void add_column(struct plan *plan, const char *gpu, const char *spec)
{
    for (size_t c = 0; c < plan->n_columns; c++)
        if (!strcmp(plan->column[c].gpu, gpu) && !strcmp(plan->column[c].spec, spec))
            return;
    if (plan->n_columns < MAX_COLUMNS)
        plan->column[plan->n_columns++] =
            (struct grid_column){ .gpu = gpu, .spec = spec };
}

/* The first scheme of a figure that Leno does not have; "" if it has all. */
static void missing_scheme(const struct figure *f, char *name, size_t size)
{
    *name = '\0';
    for (size_t i = 0; i < f->n_columns; i++) {
        const char *spec = f->columns[i].spec;

        snprintf(name, size, "%.*s", (int)strcspn(spec, ":+"), spec);
        if (!scheme_find(name, NULL))
            return;
        *name = '\0';
    }
}

static int add_figure(struct plan *plan, const struct figure *f, struct err *err)
{
    char missing[64];

    if (!figure_is_counted(f))
        missing_scheme(f, missing, sizeof missing);
    if (!figure_is_counted(f) && *missing)
        return err_kind(err, ERR_UNSUPPORTED,
                        "figure %s needs the scheme %s, which Leno does not have",
                        f->name, missing);
    if (plan->n_figures == MAX_FIGURES)
        return err_set(err, "more than %d figures", MAX_FIGURES);
    plan->figure[plan->n_figures++] = f;
    for (size_t i = 0; !figure_is_counted(f) && i < f->n_columns; i++) {
        add_column(plan, f->columns[i].gpu, f->columns[i].base);
        add_column(plan, f->columns[i].gpu, f->columns[i].spec);
    }
    return 0;
}

/* The figures asked for; by default all that can be made. */
static int make_plan(struct console *console, const struct reproduce_job *job,
                     struct plan *plan, struct err *err)
{
    const struct paper *p = plan->paper;

    for (size_t i = 0; i < job->figures->n; i++) {
        const struct figure *f = paper_figure(p, job->figures->at[i], err);

        if (!f || add_figure(plan, f, err))
            return -1;
    }
    for (size_t i = 0; !job->figures->n && i < p->n_figures; i++) {
        struct err left_out = { 0 };

        if (add_figure(plan, &p->figures[i], &left_out))
            fprintf(console->log, "left out: %s\n", left_out.text);
    }
    return plan->n_figures ? 0 : err_set(err, "%s: no figure can be made", p->name);
}

/* Every workload; or, if all figures name their programs, those. */
static void choose_programs(const struct plan *plan, struct program_list *l)
{
    size_t n_named = 0;

    for (size_t i = 0; i < plan->n_figures; i++)
        n_named += plan->figure[i]->program != NULL;
    for (size_t i = 0; n_named == plan->n_figures && i < n_named; i++)
        program_list_add(l, plan->figure[i]->program);
    for (size_t i = 0; n_named < plan->n_figures && workload_at(i); i++)
        program_list_add(l, workload_at(i)->name);
}

/* One row of a figure that is counted instead of timed. */
static int count_row(const struct figure *f, struct workload_run *run, double *shares,
                     struct err *err)
{
    struct repeats_counts counts;

    if (study_run(run, &counts, err))
        return -1;
    for (size_t i = 0; i < f->n_columns; i++)
        shares[i] = study_share(&counts, study_share_find(f->columns[i].spec));
    return 0;
}

/* Uses sm_75 code, as the GPUs of the other figures do. */
static int count_figure(struct console *console, const struct figure *f,
                        const struct batch *b, struct points *out, struct err *err)
{
    double *shares = calloc(b->n_programs * f->n_columns + 1, sizeof *shares);
    int failed = shares ? 0 : err_memory(err, "the shares of a figure");

    for (size_t k = 0; !failed && k < b->n_programs; k++) {
        struct workload_run run = { .workload =
                                        workload_find(b->program[k].source, err),
                                    .arch = SM75,
                                    .size = b->size,
                                    .seed = b->seed,
                                    .folder = b->folder };

        if (console->shows_progress)
            fprintf(console->log, "\r[%zu/%zu] counting %s ...\033[K", k + 1,
                    b->n_programs, b->program[k].name);
        failed = count_row(f, &run, shares + k * f->n_columns, err);
    }
    if (console->shows_progress)
        fputs("\r\033[K", console->log);
    if (!failed)
        figure_counted(f, b->program, b->n_programs, shares, out);
    free(shares);
    return failed;
}

static int make_points(struct console *console, struct plan *plan,
                       const struct batch *b, struct err *err)
{
    struct grid g = batch_grid(b);

    for (size_t i = 0; i < plan->n_figures; i++) {
        const struct figure *f = plan->figure[i];

        if (!figure_is_counted(f))
            figure_points(plan->paper, f, &g, &plan->points[i]);
        else if (count_figure(console, f, b, &plan->points[i], err))
            return -1;
    }
    return 0;
}

static void put_text(const struct reproduce_job *job, const struct plan *plan,
                     struct buf *out)
{
    buf_printf(out, "%s\nOur programs at size %s", plan->paper->title,
               workload_size_name(job->size));
    if (job->sms)
        buf_printf(out, ", on %" PRIu64 " SMs", job->sms);
    buf_puts(out, ". Speed-ups are over in-order issue.\n");
    for (size_t i = 0; i < plan->n_figures; i++) {
        buf_puts(out, strchr("123456789", *plan->figure[i]->name) ? "\nFigure "
                                                                  : "\nTable ");
        figure_text(plan->figure[i], &plan->points[i], out);
    }
    buf_printf(out, "\n%s", plan->paper->note);
}

static void put_data(const struct reproduce_job *job, const struct plan *plan,
                     struct buf *out)
{
    if (job->format == RUN_CSV) {
        buf_puts(out, "figure,column,row,paper,ours\n");
    } else {
        document_begin(out, "reproduce");
        document_text(out, "paper", plan->paper->name);
        document_text(out, "size", workload_size_name(job->size));
        document_number(out, "seed", job->seed);
        if (job->sms)
            document_number(out, "sms", job->sms);
        else
            document_text(out, "sms", NULL);
        buf_puts(out, ", \"figures\": [");
    }
    for (size_t i = 0; i < plan->n_figures; i++) {
        if (job->format == RUN_CSV) {
            figure_csv(plan->figure[i], &plan->points[i], out);
        } else {
            buf_puts(out, i ? ",\n " : "\n ");
            figure_json(plan->figure[i], &plan->points[i], out);
        }
    }
    if (job->format != RUN_CSV)
        buf_puts(out, "]}\n");
}

static void print_figures(struct console *console, const struct reproduce_job *job,
                          struct plan *plan)
{
    struct buf out = { 0 };

    if (job->format != RUN_TEXT)
        put_data(job, plan, &out);
    else
        put_text(job, plan, &out);
    fwrite(buf_text(&out), 1, out.len, console->out);
    buf_free(&out);
}

static int measure_figures(struct console *console, const struct reproduce_job *job,
                           struct plan *plan, struct batch *b, struct err *err)
{
    int failed = plan->n_columns ? batch_run(b, console, err) : 0;

    if (!plan->n_columns || batch_has_results(b)) {
        if (make_points(console, plan, b, err))
            failed = -1;
        else
            print_figures(console, job, plan);
    }
    for (size_t i = 0; i < plan->n_figures; i++)
        points_free(&plan->points[i]);
    batch_free(b);
    return failed;
}

static int run_plan(struct console *console, const struct reproduce_job *job,
                    struct plan *plan, struct err *err)
{
    struct batch b = { .size = job->size,
                       .seed = job->seed,
                       .sms = job->sms,
                       .arch = -1,
                       .out = job->out,
                       .jobs = job->jobs,
                       .fresh = job->fresh };
    struct program_list programs = { 0 };
    struct buf folder = { 0 };
    int failed = -1;

    if (make_plan(console, job, plan, err))
        return -1;
    choose_programs(plan, &programs);
    b.program = programs.at;
    b.n_programs = programs.n;
    b.column = plan->column;
    b.n_columns = plan->n_columns;
    if (!workload_folder(job->folder, &folder, err)) {
        b.folder = buf_text(&folder);
        failed = measure_figures(console, job, plan, &b, err);
    }
    buf_free(&folder);
    program_list_free(&programs);
    return failed;
}

int reproduce_run(const struct reproduce_job *job, struct console *console,
                  struct err *err)
{
    struct plan plan = { .paper = job->paper };

    return run_plan(console, job, &plan, err);
}

void reproduce_list(struct console *console, bool is_json)
{
    (is_json ? list_papers_json : list_papers)(console);
}
