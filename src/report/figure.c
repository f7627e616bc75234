/* figure.c - figures of papers, computed from what was measured. */
#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "report/papers.h"
#include "report/unchecked.h"

const struct paper *paper_at(size_t i)
{
    static const struct paper *const papers[] = { &paper_ghost, &paper_socgpu,
                                                  &paper_turbulence, &paper_darsie,
                                                  NULL };

    return papers[i];
}

static const char *paper_name(const void *from, size_t i)
{
    (void)from;
    return paper_at(i) ? paper_at(i)->name : NULL;
}

const struct paper *paper_find(const char *name, struct err *err)
{
    struct buf near = { 0 };

    for (size_t i = 0; paper_at(i); i++)
        if (!strcmp(paper_at(i)->name, name))
            return paper_at(i);
    suggest_word(&near, name, paper_name, NULL);
    err_set(err, "no paper named '%s'%s; see leno reproduce --list", name,
            buf_text(&near));
    buf_free(&near);
    return NULL;
}

static const char *figure_name(const void *from, size_t i)
{
    const struct paper *p = from;

    return i < p->n_figures ? p->figures[i].name : NULL;
}

const struct figure *paper_figure(const struct paper *p, const char *name,
                                  struct err *err)
{
    struct buf all = { 0 };

    for (size_t i = 0; i < p->n_figures; i++)
        if (!strcmp(p->figures[i].name, name))
            return &p->figures[i];
    for (size_t i = 0; i < p->n_figures; i++)
        buf_printf(&all, "%s%s", i ? ", " : "", p->figures[i].name);
    suggest_word(&all, name, figure_name, p);
    err_set(err, "%s has no figure '%s' here; expected one of %s", p->name, name,
            buf_text(&all));
    buf_free(&all);
    return NULL;
}

/* ---- numbers ---- */

static struct point *add_point(struct points *l, const char *column, const char *row)
{
    struct point *at = realloc(l->at, (l->n + 1) * sizeof *at);

    if (!at)
        err_memory_exit("a figure");
    l->at = at;
    at += l->n++;
    *at = (struct point){ .column = column, .paper = NO_NUMBER, .ours = NO_NUMBER };
    snprintf(at->row, sizeof at->row, "%s", row);
    return at;
}

void points_free(struct points *l)
{
    free(l->at);
    *l = (struct points){ 0 };
}

/* The paper's value for one of our programs. */
static double paper_value(const struct paper *p, const char *program, int value)
{
    for (size_t i = 0; i < p->n_programs && value >= 0; i++) {
        double x = p->programs[i].value[value];

        if (p->programs[i].ours && !strcmp(p->programs[i].ours, program))
            return x > 0 ? x : NO_NUMBER;
    }
    return NO_NUMBER;
}

static size_t column_at(const struct grid *g, const char *gpu, const char *spec)
{
    size_t c = 0;

    while (c < g->n_columns &&
           (strcmp(g->column[c].gpu, gpu) != 0 || strcmp(g->column[c].spec, spec) != 0))
        c++;
    return c;
}

/* A mean over points that have both numbers. */
struct mean {
    bool is_geometric;
    double paper, ours;
    size_t n;
};

static void mean_add(struct mean *m, const struct point *x)
{
    if (isnan(x->paper) || isnan(x->ours))
        return;
    m->paper += m->is_geometric ? log(x->paper) : x->paper;
    m->ours += m->is_geometric ? log(x->ours) : x->ours;
    m->n++;
}

static double mean_of(const struct mean *m, double sum)
{
    return m->is_geometric ? exp(sum / (double)m->n) : sum / (double)m->n;
}

/* A row for each program; then, where the paper has some of them, the mean over those; and
 * the paper's mean over its programs beside ours over ours. */
static void add_programs(const struct paper *p, const struct figure_column *c,
                         const struct grid *g, struct points *out)
{
    size_t base = column_at(g, c->gpu, c->base), own = column_at(g, c->gpu, c->spec);
    struct mean both = { .is_geometric = c->metric->is_geometric };
    struct point *x;

    for (size_t i = 0; i < g->n_programs; i++) {
        x = add_point(out, c->label, g->program[i]);
        x->paper = paper_value(p, g->program[i], c->value);
        x->ours = grid_metric(g, c->metric, i, base, own);
        mean_add(&both, x);
    }
    if (both.n) {
        x = add_point(out, c->label, "mean of common ones");
        x->paper = mean_of(&both, both.paper);
        x->ours = mean_of(&both, both.ours);
    }
    x = add_point(out, c->label, "mean of all");
    x->paper = c->paper;
    x->ours = grid_summary(g, c->metric, base, own).mean;
}

static double number_of(const struct figure_column *c, const struct grid *g)
{
    size_t base = column_at(g, c->gpu, c->base), own = column_at(g, c->gpu, c->spec);
    struct grid_summary s = grid_summary(g, c->metric, base, own);

    switch (c->shows) {
    case SHOWS_MEAN:
        return s.mean;
    case SHOWS_LOWEST:
        return s.lowest;
    case SHOWS_HIGHEST:
        return s.highest;
    case SHOWS_BELOW_1:
        return s.n ? (double)s.below / (double)s.n : NO_NUMBER;
    case SHOWS_CORRELATION:
        return grid_correlation(g, c->metric, c->with, base, own);
    }
    return NO_NUMBER;
}

static void add_row(const struct figure_column *c, const struct grid *g,
                    struct points *out)
{
    struct point *x = add_point(out, c->label, c->row);

    x->paper = c->paper;
    x->ours = number_of(c, g);
}

/* Shares of loads by latency, from the first to the last bucket that has any. */
static void add_loads(const struct figure *f, const struct figure_column *c,
                      const struct grid *g, struct points *out)
{
    size_t own = column_at(g, c->gpu, c->spec);
    struct histogram h = { 0 };
    bool is_begun = false;
    uint64_t left;

    for (size_t i = 0; i < g->n_programs; i++)
        if (grid_at(g, i, own) && (!f->program || !strcmp(f->program, g->program[i])))
            histogram_merge(&h, &grid_at(g, i, own)->loads);
    left = h.n;
    for (unsigned b = 0; b < HISTOGRAM_BUCKETS && left; b++) {
        char row[48];

        left -= h.bucket[b];
        is_begun = is_begun || h.bucket[b];
        if (!is_begun)
            continue;
        snprintf(row, sizeof row, "%u to %u cycles", b ? 1u << (b - 1) : 0,
                 b ? (1u << (b - 1)) * 2 - 1 : 0);
        add_point(out, c->label, row)->ours = 100 * (double)h.bucket[b] / (double)h.n;
    }
}

static bool is_about(const struct figure *f, const char *program)
{
    size_t k = 0;

    while (f->only && f->only[k] && strcmp(f->only[k], program) != 0)
        k++;
    return !f->only || f->only[k];
}

/* The programs that a figure is about, with what was measured of them. */
static struct grid keep_programs(const struct figure *f, const struct grid *g)
{
    struct facts *facts = calloc(g->n_programs * g->n_columns + 1, sizeof *facts);
    const char **program = calloc(g->n_programs + 1, sizeof *program);
    struct grid kept = *g;

    if (!facts || !program)
        err_memory_exit("a figure");
    kept.n_programs = 0;
    for (size_t i = 0; i < g->n_programs; i++) {
        if (!is_about(f, g->program[i]))
            continue;
        memcpy(facts + kept.n_programs * g->n_columns, g->facts + i * g->n_columns,
               g->n_columns * sizeof *facts);
        program[kept.n_programs++] = g->program[i];
    }
    kept.facts = facts;
    kept.program = program;
    kept.why = NULL; /* figures do not say */
    return kept;
}

static void kept_free(struct grid *g)
{
    free((void *)(uintptr_t)g->facts);
    free((void *)(uintptr_t)g->program);
}

/* Is the column, or the one that it is compared with, unchecked? */
static bool is_unchecked(const struct figure_column *c, const struct grid *g)
{
    size_t own = column_at(g, c->gpu, c->spec);
    size_t base = c->metric ? column_at(g, c->gpu, c->base) : own;

    return unchecked_why(g, own) || unchecked_why(g, base);
}

void figure_points(const struct paper *p, const struct figure *f,
                   const struct grid *all, struct points *out)
{
    struct grid kept = keep_programs(f, all), *g = &kept;

    *out = (struct points){ 0 };
    for (size_t i = 0; i < f->n_columns; i++) {
        const struct figure_column *c = &f->columns[i];
        size_t first = out->n;

        if (!c->metric)
            add_loads(f, c, g, out);
        else if (c->row)
            add_row(c, g, out);
        else
            add_programs(p, c, g, out);
        for (; first < out->n; first++)
            out->at[first].is_unchecked = is_unchecked(c, g);
    }
    kept_free(&kept);
}

void figure_counted(const struct figure *f, const struct program *program,
                    size_t n_programs, const double *shares, struct points *out)
{
    *out = (struct points){ 0 };
    for (size_t i = 0; i < f->n_columns; i++) {
        const struct figure_column *c = &f->columns[i];
        double sum = 0;
        struct point *x;

        for (size_t k = 0; k < n_programs; k++) {
            x = add_point(out, c->label, program[k].name);
            x->ours = shares[k * f->n_columns + i];
            sum += x->ours;
        }
        x = add_point(out, c->label, "mean of all");
        x->paper = c->paper;
        x->ours = n_programs ? sum / (double)n_programs : NO_NUMBER;
    }
}
