/* reproduce_put.c - the figures of a paper as text, Markdown, JSON and CSV. */
#include "report/reproduce_put.h"

#include <inttypes.h>
#include <string.h>

#include "base/document.h"
#include "base/json.h"
#include "report/reproduce_page.h"

static const char *word_of(const struct figure *f)
{
    return strchr("123456789", *f->name) ? "Figure" : "Table";
}

/* What is printed, and where to. */
struct put {
    const struct plan *plan;
    const struct reproduce_job *job;
    const struct grid *grid;
    struct buf *out;
};

/* What all figures have in common. */
static void put_intro(const struct put *p)
{
    const struct plan *plan = p->plan;
    const struct reproduce_job *job = p->job;
    struct buf *out = p->out;
    size_t shared = 0;

    for (size_t i = 0; i < plan->programs.n; i++)
        shared += plan->stands_for[i] != NULL;
    buf_printf(out, "%zu program%s at size %s", plan->programs.n,
               plan->programs.n == 1 ? "" : "s", workload_size_name(job->size));
    if (plan->paper->n_programs)
        buf_printf(out, ", %zu of them for one of the paper's %zu", shared,
                   plan->paper->n_programs);
    if (job->sms)
        buf_printf(out, ", on %" PRIu64 " SMs", job->sms);
    buf_puts(out, ".\nSpeed-ups are over in-order issue.\n");
    grid_cycles_note(p->grid, out);
    for (size_t i = 0; i < job->set.n; i++)
        buf_printf(out, "%s%s%s", i ? ", " : "Set for all machines: ", job->set.at[i],
                   i + 1 < job->set.n ? "" : ".\n");
}

static void put_text(const struct put *p)
{
    const struct plan *plan = p->plan;
    struct buf *out = p->out;
    buf_printf(out, "%s\n", plan->paper->title);
    put_intro(p);
    for (size_t i = 0; i < plan->n_figures; i++) {
        buf_printf(out, "\n%s ", word_of(plan->figure[i]));
        figure_text(plan->figure[i], &plan->points[i], out);
    }
    buf_printf(out, "\n%s", plan->paper->note);
}

static void put_markdown(const struct put *p)
{
    const struct plan *plan = p->plan;
    struct buf *out = p->out;
    buf_printf(out, "## %s\n\n", plan->paper->title);
    put_intro(p);
    for (size_t i = 0; i < plan->n_figures; i++) {
        buf_printf(out, "\n### %s ", word_of(plan->figure[i]));
        figure_markdown(plan->figure[i], &plan->points[i], out);
    }
    buf_printf(out, "\n%s", plan->paper->note);
}

static void put_csv(const struct put *p)
{
    const struct plan *plan = p->plan;
    struct buf *out = p->out;
    buf_puts(out, "figure,column,row,paper,ours\n");
    for (size_t i = 0; i < plan->n_figures; i++)
        figure_csv(plan->figure[i], &plan->points[i], out);
}

static void put_json(const struct put *p)
{
    const struct plan *plan = p->plan;
    const struct reproduce_job *job = p->job;
    struct buf *out = p->out;
    struct buf lines = { 0 };

    for (size_t i = 0; i < job->set.n; i++)
        buf_printf(&lines, "%s\n", job->set.at[i]);
    document_begin(out, "reproduce");
    document_text(out, "paper", plan->paper->name);
    document_text(out, "size", workload_size_name(job->size));
    document_number(out, "seed", job->seed);
    if (job->sms)
        document_number(out, "sms", job->sms);
    else
        document_text(out, "sms", NULL);
    document_settings(out, buf_text(&lines));
    buf_puts(out, ", \"figures\": [");
    for (size_t i = 0; i < plan->n_figures; i++) {
        buf_puts(out, i ? ",\n " : "\n ");
        figure_json(plan->figure[i], &plan->points[i], out);
    }
    buf_puts(out, "]}\n");
    buf_free(&lines);
}

static void put_page(const struct put *p)
{
    const struct plan *plan = p->plan;
    struct buf text = { 0 };

    reproduce_page_paper(plan->paper->title, p->out);
    put_intro(&(struct put){ plan, p->job, p->grid, &text });
    reproduce_page_note(buf_text(&text), p->out);
    for (size_t i = 0; i < plan->n_figures; i++) {
        const struct figure *f = plan->figure[i];

        buf_clear(&text);
        buf_printf(&text, "%s %s: %s", word_of(f), f->name, f->title);
        reproduce_page_figure(f, buf_text(&text), &plan->points[i], p->out);
    }
    reproduce_page_note(plan->paper->note, p->out);
    buf_free(&text);
}

void reproduce_put(const struct plan *plan, const struct reproduce_job *job,
                   const struct grid *g, FILE *out, struct buf *page)
{
    static void (*const put[])(const struct put *p) = {
        [REPRODUCE_TEXT] = put_text,
        [REPRODUCE_MARKDOWN] = put_markdown,
        [REPRODUCE_JSON] = put_json,
        [REPRODUCE_CSV] = put_csv,
    };
    struct buf text = { 0 };

    if (job->report)
        put_page(&(struct put){ plan, job, g, page });
    put[job->format](&(struct put){ plan, job, g, &text });
    fwrite(buf_text(&text), 1, text.len, out);
    buf_free(&text);
}
