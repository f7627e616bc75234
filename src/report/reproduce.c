/* reproduce.c - measures the figures of papers and prints them. */
#include "report/reproduce.h"

#include <stdlib.h>

#include "base/document.h"
#include "base/file.h"
#include "report/plan.h"
#include "report/reproduce_page.h"
#include "report/reproduce_put.h"
#include "session/batch.h"
#include "session/report_file.h"
#include "session/study.h"

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
    struct measured measured = { plan->paper, &g, plan->stands_for };

    for (size_t i = 0; i < plan->n_figures; i++) {
        const struct figure *f = plan->figure[i];

        if (!figure_is_counted(f))
            figure_points(&measured, f, &plan->points[i]);
        else if (count_figure(console, f, b, &plan->points[i], err))
            return -1;
    }
    return 0;
}

/* Runs what a plan needs and prints its figures, also if some of the runs failed. */
static int run_plan(struct plan *plan, const struct reproduce_job *job,
                    struct console *console, struct buf *page, struct err *err)
{
    struct batch b = { .program = plan->programs.at,
                       .n_programs = plan->programs.n,
                       .column = plan->column,
                       .n_columns = plan->n_columns,
                       .set = job->set,
                       .size = job->size,
                       .seed = job->seed,
                       .sms = job->sms,
                       .arch = -1,
                       .folder = job->folder,
                       .out = job->out,
                       .jobs = job->jobs,
                       .fresh = job->fresh };
    int failed = plan->n_columns ? batch_run(&b, console, err) : 0;
    struct grid g = batch_grid(&b);

    if (!plan->n_columns || batch_has_results(&b)) {
        if (make_points(console, plan, &b, failed ? NULL : err))
            failed = -1;
        else
            reproduce_put(plan, job, &g, console->out, page);
    }
    batch_free(&b);
    return failed;
}

static int reproduce_paper(const struct paper *paper, const struct reproduce_job *job,
                           struct console *console, struct buf *page, struct err *err)
{
    struct plan plan = { .paper = paper };
    struct reproduce_job found = *job;
    struct buf folder = { 0 };
    int failed =
        plan_make(&plan, job, console, err) ||
        programs_folder(plan.programs.at, plan.programs.n, job->folder, &folder, err);

    found.folder = buf_text(&folder);
    if (!failed)
        failed = run_plan(&plan, &found, console, page, err);
    buf_free(&folder);
    plan_free(&plan);
    return failed;
}

/* One paper, or all of them, of which a failed one does not stop the others. */
static int reproduce_papers(const struct reproduce_job *job, struct console *console,
                            struct buf *page, struct err *err)
{
    struct err first = { 0 };
    const struct paper *p;

    if (job->paper)
        return reproduce_paper(job->paper, job, console, page, err);
    for (size_t i = 0; (p = paper_at(i)); i++) {
        struct err one = { 0 };

        if (p->takes_all || p->is_apart ||
            !reproduce_paper(p, job, console, page, &one))
            continue;
        fprintf(console->log, "%s: %s\n", p->name, one.text);
        first = first.code ? first : one;
    }
    return first.code ? err_kind(err, first.code, "%s", first.text) : 0;
}

static int write_report(const struct reproduce_job *job, const struct buf *page,
                        struct console *console, struct err *err)
{
    int failed = file_write(job->report, page->data, page->len, err);

    fflush(console->out);
    if (!failed)
        fprintf(console->log, "report: %s\n", job->report);
    return failed;
}

int reproduce_run(const struct reproduce_job *job, struct console *console,
                  struct err *err)
{
    struct buf page = { 0 };
    int failed = report_file_check(job->report, job->out, err);

    if (!failed) {
        reproduce_page_begin(&page);
        failed = reproduce_papers(job, console, &page, err);
        reproduce_page_end(&page);
        if (job->report && write_report(job, &page, console, failed ? NULL : err))
            failed = -1;
    }
    buf_free(&page);
    return failed ? -1 : 0;
}

void reproduce_list(struct console *console, bool is_json)
{
    (is_json ? list_papers_json : list_papers)(console);
}
