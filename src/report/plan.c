/* plan.c - chooses the figures of a paper, its programs, and the machines they need. */
#include "report/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "session/kind.h"
#include "session/machine_options.h"
#include "session/prepare.h"
#include "session/spec.h"
#include "sim/machine.h"

/* ---- programs ---- */

/* Every workload that the paper has; all of them if they are asked for; the dozen that
 * stands for all if the paper names no programs. */
static void add_workloads(struct plan *plan, enum sass_arch arch, bool all)
{
    const struct workload *w;
    bool has_none;

    for (size_t i = 0; (w = workload_at(i)); i++)
        if (workload_has_code(w, arch) &&
            (all || (plan->paper->takes_all && w->suite) ||
             paper_has_workload(plan->paper, w)))
            program_list_add(&plan->programs, w->name);
    has_none = !plan->programs.n;
    for (size_t i = 0; has_none && workload_dozen_at(i); i++)
        program_list_add(&plan->programs, workload_dozen_at(i));
}

/* Workloads, or, for a machine that runs none, every program for it. */
static void add_programs(struct plan *plan, const struct machine *m, bool all)
{
    const struct session_kind *kind = session_kind(m);

    if (kind == &session_kind_sm) {
        add_workloads(plan, (enum sass_arch)m->gpu.arch, all);
        return;
    }
    for (size_t i = 0; kind->program_at(i); i++)
        program_list_add(&plan->programs, kind->program_at(i));
}

static bool names_programs(const struct program_request *r)
{
    return r->n_named || r->as.n || r->suite || r->command;
}

/* Commands are recorded for the first machine of the paper's figures. */
static const char *first_gpu(const struct paper *p)
{
    for (size_t i = 0; i < p->n_figures; i++)
        if (!figure_is_counted(&p->figures[i]))
            return p->figures[i].columns[0].gpu;
    return MACHINE_DEFAULT_GPU;
}

/* A program of the user's of which it is not known what it stands for. */
static void tell_stranger(const struct paper *paper, const struct program *p,
                          struct console *console)
{
    static const char hint[] = "; paper = NAME in a suite, or --program NAME=..., says "
                               "for which";
    struct buf meant = { 0 };

    paper_list_programs(paper, p->paper ? p->paper : p->name, &meant);
    if (meant.len)
        fprintf(console->log, "%s may stand for %s of %s%s\n", p->name,
                buf_text(&meant), paper->name, hint);
    else
        fprintf(console->log, "%s stands for none of the programs of %s%s\n", p->name,
                paper->name, p->paper ? "" : hint);
    buf_free(&meant);
}

static void tell_strangers(const struct plan *plan, struct console *console)
{
    for (size_t i = 0; i < plan->programs.n; i++) {
        const struct program *p = &plan->programs.at[i];

        if (!plan->stands_for[i] && plan->paper->n_programs &&
            !(p->source && workload_find(p->source, NULL)))
            tell_stranger(plan->paper, p, console);
    }
}

static int choose_programs(struct plan *plan, const struct reproduce_job *job,
                           struct console *console, struct err *err)
{
    struct prepare_job prepare = { .request = job->request,
                                   .gpu = first_gpu(plan->paper),
                                   .arch = -1,
                                   .out = job->out,
                                   .libraries = job->libraries,
                                   .jobs = job->jobs,
                                   .fresh = job->fresh };
    struct machine *m = machine_new(prepare.gpu, NULL, err);
    int failed;

    if (!m)
        return -1;
    if (job->all || !names_programs(&job->request))
        add_programs(plan, m, job->all);
    failed = prepare_programs(&plan->programs, &prepare, m, console, err);
    machine_free(m);
    if (failed)
        return -1;
    plan->stands_for = calloc(plan->programs.n + 1, sizeof *plan->stands_for);
    if (!plan->stands_for)
        return err_memory(err, "the programs");
    for (size_t i = 0; i < plan->programs.n; i++)
        plan->stands_for[i] = paper_program_of(plan->paper, &plan->programs.at[i]);
    tell_strangers(plan, console);
    return 0;
}

/* ---- figures ---- */

static int add_machine(struct plan *plan, const char *gpu, const char *spec,
                       struct err *err)
{
    char *text;

    for (size_t c = 0; c < plan->n_columns; c++)
        if (!strcmp(plan->column[c].gpu, gpu) && !strcmp(plan->column[c].spec, spec))
            return 0;
    if (plan->n_columns == PLAN_MAX_COLUMNS)
        return err_set(err, "%s: more than %d machines; expected fewer figures",
                       plan->paper->name, PLAN_MAX_COLUMNS);
    text = strdup(spec);
    if (!text)
        return err_memory(err, "a machine's name");
    plan->column[plan->n_columns++] = (struct grid_column){ .gpu = gpu, .spec = text };
    return 0;
}

/* All machines of a column, and those that they are compared with. */
static int add_column(struct plan *plan, const struct figure_column *c, struct err *err)
{
    size_t n_over = axis_length(c->over), n = 2 * n_over * axis_length(c->rows);
    struct buf spec = { 0 };
    int failed = 0;

    for (size_t i = 0; i < n && !failed; i++) {
        buf_clear(&spec);
        figure_spec(c, i / 2 / n_over, i / 2 % n_over, i % 2 == 0, &spec);
        failed = add_machine(plan, c->gpu, buf_text(&spec), err);
    }
    buf_free(&spec);
    return failed;
}

static bool has_scheme(const char *gpu, const char *name)
{
    struct machine *m = spec_machine(gpu, name, NULL, 0, NULL);

    machine_free(m);
    return m;
}

/* The first scheme of a figure that Leno does not have for its machine; "" if it has all. */
static void missing_scheme(const struct figure *f, char *name, size_t size)
{
    *name = '\0';
    for (size_t i = 0; i < f->n_columns; i++) {
        const char *spec = f->columns[i].spec + (*f->columns[i].spec == '=');

        snprintf(name, size, "%.*s", (int)strcspn(spec, ":+"), spec);
        if (!has_scheme(f->columns[i].gpu, name))
            return;
        *name = '\0';
    }
}

/* Executions can be counted of workloads only: a recording has no values of operands. */
static int check_counted(const struct plan *plan, const struct figure *f,
                         struct err *err)
{
    for (size_t i = 0; i < plan->programs.n; i++)
        if (!plan->programs.at[i].source ||
            !workload_find(plan->programs.at[i].source, NULL))
            return err_kind(err, ERR_UNSUPPORTED,
                            "figure %s counts what workloads execute, and %s is a "
                            "recording",
                            f->name, plan->programs.at[i].name);
    return 0;
}

static int check_timed(const struct plan *plan, const struct figure *f, struct err *err)
{
    char missing[64];

    missing_scheme(f, missing, sizeof missing);
    if (*missing)
        return err_kind(err, ERR_UNSUPPORTED,
                        "figure %s needs the scheme %s, which Leno does not have",
                        f->name, missing);
    if (f->program && !figure_program(f, plan->stands_for, plan->programs.n))
        return err_kind(err, ERR_UNSUPPORTED,
                        "figure %s is about %s, and no program stands for it", f->name,
                        f->program);
    return 0;
}

static int add_figure(struct plan *plan, const struct figure *f, struct err *err)
{
    bool counted = figure_is_counted(f);

    if (counted ? check_counted(plan, f, err) : check_timed(plan, f, err))
        return -1;
    if (plan->n_figures == PLAN_MAX_FIGURES)
        return err_set(err, "more than %d figures", PLAN_MAX_FIGURES);
    plan->figure[plan->n_figures++] = f;
    for (size_t i = 0; !counted && i < f->n_columns; i++)
        if (add_column(plan, &f->columns[i], err))
            return -1;
    return 0;
}

static int choose_figures(struct plan *plan, const struct reproduce_job *job,
                          struct console *console, struct err *err)
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

/* ---- the whole ---- */

/* Is the program part of any of the figures? */
static bool is_needed(const struct plan *plan, size_t i)
{
    const struct paper_program *p = plan->stands_for[i];

    for (size_t k = 0; k < plan->n_figures; k++) {
        const struct figure *f = plan->figure[k];

        if ((!f->program ||
             p == figure_program(f, plan->stands_for, plan->programs.n)) &&
            (!f->group || (p && p->group == f->group)))
            return true;
    }
    return false;
}

static void drop_unneeded(struct plan *plan)
{
    struct program_list *l = &plan->programs;
    bool *needed = calloc(l->n + 1, sizeof *needed);
    size_t n = 0;

    if (!needed)
        err_memory_exit("the programs");
    for (size_t i = 0; i < l->n; i++)
        needed[i] = is_needed(plan, i);
    for (size_t i = 0; i < l->n; i++) {
        if (!needed[i]) {
            program_free(&l->at[i]);
            continue;
        }
        plan->stands_for[n] = plan->stands_for[i];
        l->at[n++] = l->at[i];
    }
    l->n = n;
    free(needed);
}

int plan_make(struct plan *plan, const struct reproduce_job *job,
              struct console *console, struct err *err)
{
    if (choose_programs(plan, job, console, err) ||
        choose_figures(plan, job, console, err))
        return -1;
    drop_unneeded(plan);
    return plan->programs.n ? 0
                            : err_set(err, "%s: none of the programs is in its figures",
                                      plan->paper->name);
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->n_figures; i++)
        points_free(&plan->points[i]);
    for (size_t i = 0; i < plan->n_columns; i++)
        free((char *)(uintptr_t)plan->column[i].spec);
    free(plan->stands_for);
    program_list_free(&plan->programs);
}
