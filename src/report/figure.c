/* figure.c - figures of papers, computed from what was measured. */
#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure_number.h"
#include "report/unchecked.h"

static struct point *append_point(struct point **list, size_t *n, const char *column,
                                  const char *row)
{
    struct point *at = realloc(*list, (*n + 1) * sizeof *at);

    if (!at)
        err_memory_exit("a figure");
    *list = at;
    at += (*n)++;
    *at = (struct point){ .column = column, .paper = NO_NUMBER, .ours = NO_NUMBER };
    snprintf(at->row, sizeof at->row, "%s", row);
    return at;
}

static struct point *add_point(struct points *l, const char *column, const char *row)
{
    return append_point(&l->at, &l->n, column, row);
}

void points_free(struct points *l)
{
    free(l->at);
    free(l->occupancy);
    *l = (struct points){ 0 };
}

/* The paper's value for one of our programs. */
static double paper_value(const struct paper_program *p, int value)
{
    return p && value >= 0 && p->value[value] > 0 ? p->value[value] : NO_NUMBER;
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
static void add_programs(const struct measured *from, const struct figure_column *c,
                         struct points *out)
{
    const struct grid *g = from->grid;
    struct mean both = { .is_geometric = c->metric->is_geometric };
    struct point *x;

    for (size_t i = 0; i < g->n_programs; i++) {
        x = add_point(out, c->label, g->program[i]);
        x->paper = paper_value(from->stands_for[i], c->value);
        x->ours = figure_program_number(g, c, i);
        mean_add(&both, x);
    }
    if (both.n) {
        x = add_point(out, c->label, "mean of common ones");
        x->paper = mean_of(&both, both.paper);
        x->ours = mean_of(&both, both.ours);
    }
    x = add_point(out, c->label, "mean of all");
    x->paper = c->paper;
    x->ours = figure_number(g, c, 0);
}

static void add_row(const struct figure_column *c, const char *row,
                    const struct grid *g, struct points *out)
{
    struct point *x = add_point(out, c->label, row);

    x->paper = c->paper;
    x->ours = figure_number(g, c, 0);
}

/* A row for each machine of an axis. */
static void add_axis(const struct figure_column *c, const struct grid *g,
                     struct points *out)
{
    for (size_t row = 0; row < c->rows->n; row++) {
        struct point *x = add_point(out, c->label, c->rows->at[row].label);

        x->paper = c->papers ? c->papers[row] : NO_NUMBER;
        x->ours = figure_number(g, c, row);
    }
}

/* The programs in the order of their clusters; the first joins none before it. */
static void add_clustering(const struct figure_column *c, const struct grid *g,
                           const struct clustering *clusters, struct points *out)
{
    for (size_t i = 0; i < clusters->n; i++) {
        size_t program = clusters->order[i];
        struct point *x = add_point(out, c->label, g->program[program]);

        if (c->shows == SHOWS_CLUSTER)
            x->ours = (double)clusters->group[program];
        else if (i)
            x->ours = clusters->joins[i];
    }
}

/* Adds the latencies of a program's loads, of all or of one kernel. */
static void merge_loads(struct histogram *h, const struct facts *f, const char *kernel)
{
    if (!kernel)
        histogram_merge(h, &f->loads);
    for (size_t k = 0; kernel && k < FACTS_KERNELS; k++)
        if (!strcmp(f->kernel_loads[k].kernel, kernel))
            histogram_merge(h, &f->kernel_loads[k].cycles);
}

/* Shares of loads by latency, from the first to the last bucket that has any. */
static void add_loads(const struct figure_column *c, const struct grid *g,
                      struct points *out)
{
    size_t own = figure_machine(g, c, 0, 0, false);
    struct histogram h = { 0 };
    bool is_begun = false;
    uint64_t left;

    for (size_t i = 0; i < g->n_programs; i++)
        if (grid_at(g, i, own))
            merge_loads(&h, grid_at(g, i, own), c->kernel);
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

/* Some of the programs, with what was measured of them. */
struct kept {
    struct measured measured;
    struct grid grid;
    struct facts *facts;
    const char **program;
    const struct paper_program **stands_for;
};

static void kept_begin(struct kept *k, const struct measured *from)
{
    const struct grid *g = from->grid;

    k->facts = calloc(g->n_programs * g->n_columns + 1, sizeof *k->facts);
    k->program = calloc(g->n_programs + 1, sizeof *k->program);
    k->stands_for = calloc(g->n_programs + 1, sizeof *k->stands_for);
    if (!k->facts || !k->program || !k->stands_for)
        err_memory_exit("a figure");
    k->grid = *g;
    k->grid.n_programs = 0;
    k->grid.facts = k->facts;
    k->grid.program = k->program;
    k->grid.why = NULL; /* figures do not say */
    k->measured = (struct measured){ from->paper, &k->grid, k->stands_for };
}

static void kept_add(struct kept *k, const struct measured *from, size_t i)
{
    const struct grid *g = from->grid;
    size_t n = k->grid.n_programs++;

    memcpy(k->facts + n * g->n_columns, g->facts + i * g->n_columns,
           g->n_columns * sizeof *k->facts);
    k->program[n] = g->program[i];
    k->stands_for[n] = from->stands_for[i];
}

static void kept_free(struct kept *k)
{
    free(k->facts);
    free(k->program);
    free(k->stands_for);
}

/* The programs that a figure is about. */
static void keep_programs(struct kept *k, const struct measured *from,
                          const struct figure *f)
{
    const struct paper_program *only =
        f->program ? figure_program(f, from->stands_for, from->grid->n_programs) : NULL;

    kept_begin(k, from);
    for (size_t i = 0; i < from->grid->n_programs; i++) {
        const struct paper_program *p = from->stands_for[i];

        if ((!only || p == only) && (!f->group || (p && p->group == f->group)))
            kept_add(k, from, i);
    }
}

/* Those of them that stand for programs of the paper. */
static void keep_shared(struct kept *k, const struct measured *from)
{
    kept_begin(k, from);
    for (size_t i = 0; i < from->grid->n_programs; i++)
        if (from->stands_for[i])
            kept_add(k, from, i);
}

/* Those of one cluster. */
static void keep_cluster(struct kept *k, const struct measured *from,
                         const struct clustering *clusters, unsigned cluster)
{
    kept_begin(k, from);
    for (size_t i = 0; i < from->grid->n_programs; i++)
        if (clusters->group[i] == cluster)
            kept_add(k, from, i);
}

const struct paper_program *
figure_program(const struct figure *f, const struct paper_program *const *stands_for,
               size_t n)
{
    for (const char *at = f->program; *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");

        for (size_t i = 0; i < n; i++)
            if (stands_for[i] && !strncmp(stands_for[i]->theirs, at, len) &&
                !stands_for[i]->theirs[len])
                return stands_for[i];
        at += len;
    }
    return NULL;
}

/* Is the column, or the one that it is compared with, unchecked? */
static bool is_unchecked(const struct figure_column *c, const struct grid *g)
{
    size_t own = figure_machine(g, c, 0, 0, false);
    size_t base = c->metric ? figure_machine(g, c, 0, 0, true) : own;

    return unchecked_why(g, own) || unchecked_why(g, base);
}

/* A row over the programs; and, where only some of them are the paper's, over these. */
static void add_row_twice(const struct figure_column *c, const struct measured *from,
                          struct points *out)
{
    char row[48];
    struct kept k;

    add_row(c, c->row, from->grid, out);
    keep_shared(&k, from);
    snprintf(row, sizeof row, "%s, common ones", c->row);
    if (k.grid.n_programs && k.grid.n_programs < from->grid->n_programs)
        add_row(c, row, &k.grid, out);
    kept_free(&k);
}

/* Our occupancy beside the paper's, in the baseline of the first column. */
static void add_occupancy(const struct measured *from, const struct figure *f,
                          struct points *out)
{
    const struct figure_column *c = &f->columns[0];
    const struct grid *g = from->grid;
    size_t base = figure_machine(g, c, 0, 0, true);

    for (size_t i = 0; c->metric && i < g->n_programs; i++) {
        double paper = paper_value(from->stands_for[i], from->paper->occupancy);
        struct point *x;

        if (isnan(paper) || !grid_at(g, i, base))
            continue;
        x = append_point(&out->occupancy, &out->n_occupancy, "occupancy %",
                         g->program[i]);
        x->paper = paper;
        x->ours = grid_at(g, i, base)->occupancy;
    }
}

/* The rows of a column, of what it shows of programs. */
static void add_rows(const struct figure_column *c, const struct measured *m,
                     struct points *out)
{
    if (!c->metric)
        add_loads(c, m->grid, out);
    else if (c->rows)
        add_axis(c, m->grid, out);
    else if (c->row)
        add_row_twice(c, m, out);
    else
        add_programs(m, c, out);
}

/* The rows of a column that is about clusters, or about one of them. */
static void add_clustered(const struct figure_column *c, const struct measured *m,
                          const struct clustering *clusters, struct points *out)
{
    struct kept k;

    if (!c->cluster) {
        add_clustering(c, m->grid, clusters, out);
        return;
    }
    keep_cluster(&k, m, clusters, c->cluster);
    add_rows(c, &k.measured, out);
    kept_free(&k);
}

/* The clusters of a figure's programs; none, if no column is about them. */
static void make_clusters(const struct figure *f, const struct grid *g,
                          struct clustering *out)
{
    *out = (struct clustering){ 0 };
    for (size_t i = 0; i < f->n_columns && !out->order; i++)
        if (f->columns[i].clusters)
            figure_cluster(out, g, f->columns[i].clusters);
}

void figure_points(const struct measured *from, const struct figure *f,
                   struct points *out)
{
    struct clustering clusters;
    struct kept k;
    const struct measured *m = &k.measured;

    keep_programs(&k, from, f);
    make_clusters(f, m->grid, &clusters);
    *out = (struct points){ 0 };
    for (size_t i = 0; i < f->n_columns; i++) {
        const struct figure_column *c = &f->columns[i];
        size_t first = out->n;

        if (c->clusters)
            add_clustered(c, m, &clusters, out);
        else
            add_rows(c, m, out);
        for (; first < out->n; first++)
            out->at[first].is_unchecked = is_unchecked(c, m->grid);
    }
    cluster_free(&clusters);
    add_occupancy(m, f, out);
    kept_free(&k);
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
