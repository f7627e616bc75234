/* test_figure.c - figures of papers: well-formed tables, and numbers from a grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "report/cluster.h"
#include "report/figure.h"
#include "report/papers.h"
#include "session/spec.h"
#include "sim/machine.h"

static void expect_machine(const char *figure, const char *gpu, const char *spec)
{
    struct err err = { 0 };
    struct machine *m = spec_machine(gpu, spec, NULL, 0, &err);

    if (!m && !strstr(err.text, "no scheme named"))
        fail_msg("figure %s: %s", figure, err.text);
    machine_free(m);
}

/* Does it name two machines, or two for each place of its axes, or what is counted without
 * one? Tried at the last place of both axes: the first is as good. */
static void expect_measured(const char *figure, const struct figure_column *x)
{
    assert_non_null(x->spec);
    assert_int_equal(!x->gpu, !x->base);
    for (int of_base = 0; of_base < 2 && x->gpu; of_base++) {
        struct buf spec = { 0 };

        figure_spec(x, axis_length(x->rows) - 1, axis_length(x->over) - 1, of_base,
                    &spec);
        expect_machine(figure, x->gpu, buf_text(&spec));
        buf_free(&spec);
    }
}

/* Every machine that a figure names can be built, if its scheme is there; every value is
 * one that the paper's table has. */

static void every_figure_can_be_measured(void **state)
{
    const struct paper *p;

    (void)state;
    assert_non_null(paper_at(0));
    for (size_t i = 0; (p = paper_at(i)); i++)
        for (size_t k = 0; k < p->n_figures; k++)
            for (size_t c = 0; c < p->figures[k].n_columns; c++) {
                const struct figure_column *x = &p->figures[k].columns[c];

                assert_in_range(x->value + 1, 0, MAX_PAPER_VALUES);
                /* What is given of a row has to have one. */
                assert_true(x->row || x->clusters ||
                            (x->shows == SHOWS_MEAN && !x->with));
                assert_true(!x->papers || x->rows);
                assert_true(!x->cluster ||
                            (x->clusters && x->cluster <= x->clusters->n_clusters));
                assert_int_equal(x->shows == SHOWS_CORRELATION, x->with != NULL);
                assert_int_equal(!x->gpu, figure_is_counted(&p->figures[k]));
                expect_measured(p->figures[k].name, x);
            }
}

static const struct figure_column *ghost_column(const char *figure, size_t column)
{
    const struct figure *f = paper_figure(&paper_ghost, figure, NULL);

    assert_non_null(f);
    assert_true(column < f->n_columns);
    return &f->columns[column];
}

/* The table of programs agrees with the means that the paper gives (GEO in its plots). */
static void values_of_programs_have_the_papers_means(void **state)
{
    static const struct {
        const char *figure;
        size_t column;
    } given[] = { { "13", 0 }, { "13", 1 }, { "13", 2 }, { "14", 0 }, { "14", 1 },
                  { "14", 2 }, { "14", 3 }, { "17", 0 }, { "17", 1 } };
    const struct paper *p = &paper_ghost;

    (void)state;
    assert_int_equal(p->n_programs, 28);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const struct figure_column *c = ghost_column(given[i].figure, given[i].column);
        double sum = 0, n = 0;

        for (size_t k = 0; k < p->n_programs; k++) {
            double x = p->programs[k].value[c->value];

            sum += x > 0 ? log(x) : 0;
            n += x > 0;
        }
        sum = exp(sum / n);
        if (fabs(sum / c->paper - 1) > 0.001)
            fail_msg("figure %s, %s: %f is not %f", given[i].figure, c->label, sum,
                     c->paper);
    }
}

/* So do the numbers of figure 19, which is figure 17 drawn otherwise: GhOST's four rows,
 * then LOOG's. */
static void values_of_programs_have_the_papers_spread(void **state)
{
    (void)state;
    for (size_t scheme = 0; scheme < 2; scheme++) {
        int value = ghost_column("17", scheme)->value;
        double lowest = HUGE_VAL, highest = 0, below = 0, n = 0;

        for (size_t k = 0; k < paper_ghost.n_programs; k++) {
            double x = paper_ghost.programs[k].value[value];

            if (!(x > 0))
                continue;
            lowest = fmin(lowest, x);
            highest = fmax(highest, x);
            below += x < 1;
            n++;
        }
        assert_true(ghost_column("19", 4 * scheme)->paper == lowest);
        assert_true(ghost_column("19", 4 * scheme + 1)->paper == highest);
        assert_true(fabs(ghost_column("19", 4 * scheme + 3)->paper - below / n) < 1e-9);
    }
}

static void wrong_names_are_answered_with_the_nearest(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_ptr_equal(paper_find("ghost", &err), &paper_ghost);
    assert_ptr_equal(paper_find("socgpu", &err), &paper_socgpu);
    assert_ptr_equal(paper_find("turbulence", &err), &paper_turbulence);
    assert_null(paper_find("gost", &err));
    assert_non_null(strstr(err.text, "did you mean 'ghost'"));
    assert_null(paper_figure(&paper_ghost, "99", &err));
    assert_non_null(strstr(err.text, "expected one of 1, 3"));
}

/* A paper of one figure with every kind of column, on two programs, one of them its own. */
static const struct paper_program own[] = { { "A", "S", "a one", 'x', { 1.5, 40 } },
                                            { "Z", "S", "z", 0, { 9 } } };
static const struct paper_program *const stand_for[] = { &own[0], NULL };
#define COMPARED .gpu = "g", .spec = "x", .base = "base"
#define ROW(label_, row_, shows_, paper_)                           \
    {                                                               \
        .label = label_, .row = row_, COMPARED, .value = NO_VALUE,  \
        .metric = &metric_speedup, .shows = shows_, .paper = paper_ \
    }
static const struct figure_column columns[] = {
    { .label = "up", COMPARED, .metric = &metric_speedup, .paper = 1.25, .value = 0 },
    ROW("mean", "of x", SHOWS_MEAN, NO_NUMBER),
    { .label = "loads", COMPARED, .paper = NO_NUMBER, .value = NO_VALUE },
};
static const struct figure figure = { "7",  "a title",  columns, 3,
                                      NULL, "a note\n", 0,       DRAW_BARS };
static const struct paper paper = { .name = "p",
                                    .title = "a paper",
                                    .figures = &figure,
                                    .n_figures = 1,
                                    .programs = own,
                                    .n_programs = 2,
                                    .occupancy = 1,
                                    .note = "" };

static void make_points(const struct figure *f, const struct grid *g, struct points *l)
{
    figure_points(&(struct measured){ &paper, g, stand_for }, f, l);
}

static struct grid sample(struct facts *f)
{
    static const char *const programs[] = { "a", "b" };
    static const struct grid_column both[] = { { .gpu = "g", .spec = "base" },
                                               { .gpu = "g", .spec = "x" } };
    const double cycles[] = { 200, 100, 200, 400 };

    for (int i = 0; i < 4; i++)
        f[i] = (struct facts){ .cycles = cycles[i], .occupancy = 30 };
    f[3].loads.bucket[5] = 3;
    f[3].loads.bucket[7] = 1;
    f[3].loads.n = 4;
    return (struct grid){ programs, both, 2, 2, f, NULL, NULL, NULL, NULL };
}

static void expect(const struct points *l, size_t i, const char *row, double theirs,
                   double ours)
{
    assert_true(i < l->n);
    assert_string_equal(l->at[i].row, row);
    assert_true(isnan(theirs) ? isnan(l->at[i].paper)
                              : fabs(l->at[i].paper - theirs) < 1e-12);
    assert_true(fabs(l->at[i].ours - ours) < 1e-12);
}

static void numbers_come_from_the_grid(void **state)
{
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;

    (void)state;
    make_points(&figure, &g, &l);
    assert_int_equal(l.n, 9);
    expect(&l, 0, "a", 1.5, 2);
    expect(&l, 1, "b", NO_NUMBER, 0.5);
    expect(&l, 2, "mean of common ones", 1.5, 2);
    expect(&l, 3, "mean of all", 1.25, 1);
    expect(&l, 4, "of x", NO_NUMBER, 1);
    expect(&l, 5, "of x, common ones", NO_NUMBER, 2);
    expect(&l, 6, "16 to 31 cycles", NO_NUMBER, 75);
    expect(&l, 7, "32 to 63 cycles", NO_NUMBER, 0);
    expect(&l, 8, "64 to 127 cycles", NO_NUMBER, 25);
    points_free(&l);
}

/* Rows of each kind; the paper's 0 and what is below 0 are numbers. */
static const struct figure_column rows[] = {
    ROW("up", "lowest", SHOWS_LOWEST, 0),
    ROW("up", "highest", SHOWS_HIGHEST, 3),
    ROW("up", "below", SHOWS_BELOW_1, NO_NUMBER),
    { .label = "RAW",
      .row = "correlation",
      COMPARED,
      .metric = &metric_raw,
      .paper = -0.73,
      .value = NO_VALUE,
      .shows = SHOWS_CORRELATION,
      .with = &metric_speedup },
};
static const struct figure figure_of_rows = { "8",  "rows", rows, 4,
                                              NULL, "",     0,    DRAW_BARS };

static void a_row_shows_what_it_is_asked_for(void **state)
{
    static const struct paper_program *const both[] = { &own[0], &own[1] };
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;
    struct buf b = { 0 };

    (void)state;
    f[1].inserted = f[3].inserted = 10;
    f[1].raw = 10;
    f[3].raw = 20; /* more, and slower */
    figure_points(&(struct measured){ &paper, &g, both }, &figure_of_rows, &l);
    assert_int_equal(l.n, 4);
    expect(&l, 0, "lowest", 0, 0.5);
    expect(&l, 1, "highest", 3, 2);
    expect(&l, 2, "below", NO_NUMBER, 0.5);
    expect(&l, 3, "correlation", -0.73, -1);
    figure_text(&figure_of_rows, &l, &b);
    assert_non_null(strstr(buf_text(&b), "correlation      -      -  -0.73  -1.00\n"));
    assert_non_null(strstr(buf_text(&b), "lowest       0.000  0.500      -      -\n"));
    points_free(&l);
    buf_free(&b);
}

/* ---- machines that differ in one thing ---- */

static const struct figure_setting sizes[] = { { "small", ":n=1" }, { "big", ":n=2" } };
static const struct figure_axis size_axis = { sizes, 2, false };
static const struct figure_setting units[] = { { "one", ":u=1" }, { "two", ":u=2" } };
static const struct figure_axis unit_axis = { units, 2, true };

/* What was measured of two programs on every machine of both axes: cycles of the bases are
 * 100 and 200 x the size; of x, half of that with one unit and a quarter with two, and for
 * the second program half of this once more. */
enum { N_MACHINES = 6 };
static struct grid axes_sample(struct facts *f)
{
    static const char *const programs[] = { "a", "b" };
    static const struct grid_column machines[N_MACHINES] = {
        { .gpu = "g", .spec = "base:n=1" },  { .gpu = "g", .spec = "base:n=2" },
        { .gpu = "g", .spec = "x:u=1:n=1" }, { .gpu = "g", .spec = "x:u=2:n=1" },
        { .gpu = "g", .spec = "x:u=1:n=2" }, { .gpu = "g", .spec = "x:u=2:n=2" },
    };
    static const double cycles[2 * N_MACHINES] = { 100, 200, 50, 25,   100, 50,
                                                   100, 200, 25, 12.5, 50,  25 };

    for (int i = 0; i < 2 * N_MACHINES; i++)
        f[i] = (struct facts){ .cycles = cycles[i] };
    return (
        struct grid){ programs, machines, 2, N_MACHINES, f, NULL, NULL, NULL, NULL };
}

#define ON_AXES(label_, spec_, ...)                                                   \
    {                                                                                 \
        .label = label_, .gpu = "g", .spec = spec_, .base = "base",                   \
        .metric = &metric_speedup, .paper = NO_NUMBER, .value = NO_VALUE, __VA_ARGS__ \
    }

static void numbers_are_over_machines(void **state)
{
    static const double papers[] = { 3, 6 };
    static const struct figure_column over[] = {
        ON_AXES("by units", "x", .rows = &unit_axis, .over = &size_axis,
                .papers = papers),
        ON_AXES("by size", "x", .rows = &size_axis, .over = &unit_axis),
    };
    static const struct figure f = {
        .name = "9", .title = "t", .columns = over, .n_columns = 2, .note = ""
    };
    struct facts facts[2 * N_MACHINES];
    struct grid g = axes_sample(facts);
    struct points l;

    (void)state;
    make_points(&f, &g, &l);
    assert_int_equal(l.n, 4);
    expect(&l, 0, "one", 3, sqrt(8)); /* of 2 and 4, on either size */
    expect(&l, 1, "two", 6, sqrt(32));
    expect(&l, 2, "small", NO_NUMBER, 4); /* of 2, 4, 4 and 8 */
    facts[2].cycles = 0; /* a run that failed is left out: 4, 2 and 4 remain */
    points_free(&l);
    make_points(&f, &g, &l);
    expect(&l, 0, "one", 3, cbrt(32));
    points_free(&l);
}

static void a_row_shows_a_quantile(void **state)
{
#define QUANTILE(row_, quantile_)                                                    \
    ON_AXES("up", "x:u=1", .row = row_, .over = &size_axis, .shows = SHOWS_QUANTILE, \
            .quantile = quantile_)
    static const struct figure_column over[] = {
        QUANTILE("lowest", 0),
        QUANTILE("a third", 1 / 3.0),
        QUANTILE("half", 0.5),
        QUANTILE("highest", 1),
    };
    static const struct figure f = {
        .name = "9", .title = "t", .columns = over, .n_columns = 4, .note = ""
    };
    static const struct paper_program *const both[] = { &own[0], &own[1] };
    struct facts facts[2 * N_MACHINES];
    struct grid g = axes_sample(facts);
    struct points l;

    (void)state;
    figure_points(&(struct measured){ &paper, &g, both }, &f, &l);
    assert_int_equal(l.n, 4);
    expect(&l, 0, "lowest", NO_NUMBER, 2); /* of 2, 2, 4 and 4 */
    expect(&l, 1, "a third", NO_NUMBER, 2);
    expect(&l, 2, "half", NO_NUMBER, 3);
    expect(&l, 3, "highest", NO_NUMBER, 4);
    points_free(&l);
}

static void a_row_shows_the_lowest_mean(void **state)
{
    static const struct figure_column over = ON_AXES(
        "up", "x:u=1", .row = "lowest", .over = &size_axis, .shows = SHOWS_LOWEST_MEAN);
    static const struct figure f = {
        .name = "9", .title = "t", .columns = &over, .n_columns = 1, .note = ""
    };
    static const struct paper_program *const both[] = { &own[0], &own[1] };
    struct facts facts[2 * N_MACHINES];
    struct grid g = axes_sample(facts);
    struct points l;

    (void)state;
    facts[2].cycles = 25; /* small: 4 and 4, big: 2 and 4 */
    figure_points(&(struct measured){ &paper, &g, both }, &f, &l);
    assert_int_equal(l.n, 1);
    expect(&l, 0, "lowest", NO_NUMBER, sqrt(8));
    points_free(&l);
    facts[4].cycles = 0; /* a program that failed on the big one: 4 remains of it */
    figure_points(&(struct measured){ &paper, &g, both }, &f, &l);
    expect(&l, 0, "lowest", NO_NUMBER, 4);
    points_free(&l);
}

/* A result of a Vortex core has the parameter of launches, but no such cycles. */
static void only_sms_have_cycles_of_launches(void **state)
{
#define RESULT(more)                                                               \
    "{\"stats\": {\"gpu.cycles\": 9000, \"gpu.kernels\": 1, \"sm.cycles\": 9000, " \
    "\"sm.warp_insts\": 1, \"sm.reordered\": 0, \"occupancy\": 1" more             \
    "}, \"config\": {\"gpu.launch_cycles\": 5000}, \"slots\": [], \"loads\": []}"
    struct facts_reader *r = facts_reader_new(NULL);
    struct facts f;

    (void)state;
    assert_int_equal(facts_read(r, RESULT(""), &f, NULL), 0);
    assert_true(facts_compared_cycles(&f) == 4000);
    assert_int_equal(facts_read(r,
                                RESULT(", \"vortex.cycles\": 9900, "
                                       "\"vxloog.distance_15\": 3"),
                                &f, NULL),
                     0);
    assert_true(facts_compared_cycles(&f) == 9000);
    assert_true(f.distance[FACTS_DISTANCES - 1] == 3);
    facts_reader_free(r);
}

/* Latencies of loads are read by kernel, and a column may be about one of them. */
static void loads_of_one_kernel(void **state)
{
#define LOAD(kernel, pc, buckets)                                           \
    "{\"kernel\": \"" kernel "\", \"pc\": " #pc ", \"cycles\": {\"n\": 1, " \
    "\"buckets\": [" buckets "]}}"
    static const char result[] =
        "{\"stats\": {\"gpu.cycles\": 9, \"gpu.kernels\": 1, \"sm.cycles\": 9, "
        "\"sm.warp_insts\": 1, \"sm.reordered\": 0, \"occupancy\": 1}, "
        "\"config\": {\"gpu.launch_cycles\": 0}, \"slots\": [], \"loads\": [" LOAD(
            "relax", 16, "0, 0, 3, 1") ", " LOAD("relax", 32,
                                                 "0, 0, 1") ", " LOAD("copy", 16,
                                                                      "0, 5") "]}";
    static const struct figure_column about[] = {
        { .label = "all", COMPARED, .paper = NO_NUMBER, .value = NO_VALUE },
        { .label = "relax", COMPARED, .kernel = "relax", .paper = NO_NUMBER },
        { .label = "none", COMPARED, .kernel = "other", .paper = NO_NUMBER },
    };
    const struct figure of = { "7", "t", about, 3, NULL, "", 0, DRAW_BARS };
    struct facts_reader *r = facts_reader_new(NULL);
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;

    (void)state;
    assert_int_equal(facts_read(r, result, &f[3], NULL), 0);
    assert_int_equal(f[3].loads.n, 10);
    make_points(&of, &g, &l);
    assert_int_equal(l.n, 5);
    expect(&l, 0, "1 to 1 cycles", NO_NUMBER, 50);
    expect(&l, 1, "2 to 3 cycles", NO_NUMBER, 40);
    expect(&l, 2, "4 to 7 cycles", NO_NUMBER, 10);
    expect(&l, 3, "2 to 3 cycles", NO_NUMBER, 80);
    expect(&l, 4, "4 to 7 cycles", NO_NUMBER, 20);
    points_free(&l);
    facts_reader_free(r);
}

/* ---- clusters ---- */

/* Two that are the same but for their size, one that is different, and one between them
 * that is nearer to it. */
static void things_in_proportion_are_alike(void **state)
{
    static const double x[] = { 1, 0, 1, 3, 10, 0, 2, 2 };
    struct clustering c;

    (void)state;
    cluster_make(&c, x, 4, 2, 2);
    assert_int_equal(c.order[0], 0);
    assert_int_equal(c.order[1], 2);
    assert_int_equal(c.order[2], 1);
    assert_int_equal(c.order[3], 3);
    assert_true(fabs(c.joins[1]) < 1e-12);
    assert_true(fabs(c.joins[2] - (1 - 1 / sqrt(10))) < 1e-12); /* the farthest two */
    assert_true(fabs(c.joins[3] - (1 - 8 / sqrt(80))) < 1e-12);
    assert_int_equal(c.group[0], 1);
    assert_int_equal(c.group[2], 1);
    assert_int_equal(c.group[1], 2);
    assert_int_equal(c.group[3], 2);
    cluster_free(&c);
    cluster_make(&c, x, 4, 2, 9); /* more groups than things */
    assert_int_equal(c.group[3], 4);
    cluster_free(&c);
    cluster_make(&c, x, 0, 2, 5);
    cluster_free(&c);
}

static void columns_are_about_clusters(void **state)
{
    static const struct metric *const waits[] = { &metric_stall_alu,
                                                  &metric_stall_lsu };
    static const struct figure_clusters two = {
        .metrics = waits, .n_metrics = 2, .n_clusters = 2, .gpu = "g", .spec = "base"
    };
#define CLUSTERED(label_, ...)                                            \
    {                                                                     \
        .label = label_, COMPARED, .paper = NO_NUMBER, .value = NO_VALUE, \
        .clusters = &two, .metric = &metric_speedup, __VA_ARGS__          \
    }
    static const struct figure_column about[] = {
        CLUSTERED("cluster", .shows = SHOWS_CLUSTER),
        CLUSTERED("joins", .shows = SHOWS_JOINS),
        CLUSTERED("up", .row = "first", .cluster = 1),
        CLUSTERED("up", .row = "second", .cluster = 2),
    };
    static const struct figure f = {
        .name = "9", .title = "t", .columns = about, .n_columns = 4, .note = ""
    };
    static const struct paper_program *const both[] = { &own[0], &own[1] };
    struct facts facts[4];
    struct grid g = sample(facts);
    struct points l;

    (void)state;
    facts[0].stall_alu = facts[2].stall_lsu = 7;
    figure_points(&(struct measured){ &paper, &g, both }, &f, &l);
    assert_int_equal(l.n, 6);
    expect(&l, 0, "a", NO_NUMBER, 1);
    expect(&l, 1, "b", NO_NUMBER, 2);
    assert_true(isnan(l.at[2].ours)); /* nothing is before it */
    expect(&l, 3, "b", NO_NUMBER, 1);
    expect(&l, 4, "first", NO_NUMBER, 2);
    expect(&l, 5, "second", NO_NUMBER, 0.5);
    points_free(&l);
}

/* A figure may be about one program, or about a group of them. */
static void a_figure_is_about_some_programs(void **state)
{
    static const struct figure one = { "1", "t", columns, 1, "Q A", "", 0, DRAW_BARS };
    static const struct figure group = {
        "2", "t", columns, 1, NULL, "", 'x', DRAW_BARS
    };
    static const struct figure none = {
        "3", "t", columns, 1, "Q AA", "", 0, DRAW_BARS
    };
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;

    (void)state;
    assert_ptr_equal(figure_program(&one, stand_for, 2), &own[0]);
    assert_null(figure_program(&none, stand_for, 2));
    make_points(&one, &g, &l);
    assert_int_equal(l.n, 3);
    expect(&l, 0, "a", 1.5, 2);
    expect(&l, 2, "mean of all", 1.25, 2);
    points_free(&l);
    make_points(&group, &g, &l);
    assert_int_equal(l.n, 3);
    expect(&l, 0, "a", 1.5, 2);
    points_free(&l);
}

/* By what a workload says of itself; by name, if it is another program. */
static void programs_stand_for_the_papers(void **state)
{
    static char lud[] = "lud", rbfs[] = "rbfs", vecadd[] = "vecadd", file[] = "x.leno";
    static char bfs[] = "bfs", plus[] = "B-Tree", rbf[] = "rbf", mine[] = "mine";
    const struct paper_program *p;
    struct buf meant = { 0 };

    (void)state;
#define FIND(...) paper_program_of(&paper_ghost, &(struct program){ __VA_ARGS__ })
    p = FIND(.name = lud, .source = lud);
    assert_non_null(p);
    assert_string_equal(p->theirs, "LUD");
    assert_string_equal(FIND(.name = rbfs, .source = rbfs)->theirs, "RBF");
    assert_null(FIND(.name = vecadd, .source = vecadd));
    assert_string_equal(FIND(.name = plus, .source = file)->theirs, "B+T");
    assert_string_equal(FIND(.name = rbf, .source = file)->theirs, "RBF");
    assert_null(FIND(.name = bfs, .source = file)); /* there are two */
    paper_list_programs(&paper_ghost, bfs, &meant);
    assert_string_equal(buf_text(&meant), "IBFS or RBF");
    buf_free(&meant);
    assert_string_equal(FIND(.name = mine, .paper = lud, .source = file)->theirs,
                        "LUD");
    assert_string_equal(FIND(.name = mine, .paper = lud, .source = vecadd)->theirs,
                        "LUD");
#undef FIND
}

/* What a workload says of papers is so: the paper exists and has such a program, which no
 * other workload is. */
static void every_workload_is_known_to_its_papers(void **state)
{
    const struct workload *w;
    const struct paper *p;

    (void)state;
    for (size_t k = 0; (p = paper_at(k)); k++) {
        const struct workload *taken[64] = { NULL };

        assert_true(p->n_programs < 64);
        for (size_t i = 0; (w = workload_at(i)); i++) {
            struct program program = { .name = (char *)(uintptr_t)w->name,
                                       .source = (char *)(uintptr_t)w->name };
            const struct paper_program *x = paper_program_of(p, &program);

            if (!paper_has_workload(p, w) || !p->n_programs)
                continue;
            if (!x)
                fail_msg("%s: no program of %s is %s of %s", w->name, p->name,
                         w->theirs ? w->theirs : w->name, w->suite);
            if (taken[x - p->programs])
                fail_msg("%s and %s: both are %s of %s", w->name,
                         taken[x - p->programs]->name, x->theirs, p->name);
            taken[x - p->programs] = w;
        }
    }
}

static void rows_without_a_result_have_no_number(void **state)
{
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;

    (void)state;
    f[1].cycles = f[3].cycles = 0;
    make_points(&figure_of_rows, &g, &l);
    for (size_t i = 0; i < l.n; i++)
        assert_true(isnan(l.at[i].ours));
    assert_true(l.at[0].paper == 0);
    points_free(&l);
}

static void a_column_that_failed_has_no_number(void **state)
{
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;

    (void)state;
    f[1].cycles = f[3].cycles = 0;
    make_points(&figure, &g, &l);
    assert_int_equal(l.n, 5); /* a, b, mean of all; of x, twice */
    for (size_t i = 0; i < l.n; i++)
        assert_true(isnan(l.at[i].ours));
    points_free(&l);
}

static void a_figure_is_printed(void **state)
{
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;
    struct buf b = { 0 };

    (void)state;
    make_points(&figure, &g, &l);
    l.n = 4; /* the first column */
    figure_text(&figure, &l, &b);
    assert_string_equal(buf_text(&b),
                        "7: a title\n"
                        "\n"
                        "                        up     up\n"
                        "                     paper   ours\n"
                        "a                    1.500  2.000\n"
                        "b                        -  0.500\n"
                        "---------------------------------\n"
                        "mean of common ones  1.500  2.000\n"
                        "mean of all          1.250  1.000\n"
                        "\n"
                        "a note\n"
                        "At the paper's occupancy, within 5 points: 0 of 1."
                        " Not reached (ours / paper's, %):\n"
                        "a 30 / 40.\n");
    buf_clear(&b);
    figure_csv(&figure, &l, &b);
    assert_string_equal(buf_text(&b), "7,up,a,1.5,2\n7,up,b,,0.5\n"
                                      "7,up,mean of common ones,1.5,2\n"
                                      "7,up,mean of all,1.25,1\n");
    buf_clear(&b);
    figure_json(&figure, &l, &b);
    assert_non_null(strstr(buf_text(&b), "{\"column\": \"up\", \"row\": \"b\", "
                                         "\"paper\": null, \"ours\": 0.5, "
                                         "\"checked\": true}"));
    assert_non_null(strstr(buf_text(&b), "{\"program\": \"a\", \"paper\": 4e+01, "
                                         "\"ours\": 3e+01, \"reached\": false}"));
    buf_clear(&b);
    figure_markdown(&figure, &l, &b);
    assert_non_null(strstr(buf_text(&b), "|  | up paper | up ours |\n"
                                         "| --- | ---: | ---: |\n"
                                         "| a | 1.500 | 2.000 |\n"));
    points_free(&l);
    buf_free(&b);
}

static void shares_that_are_counted(void **state)
{
    static const struct figure_column counted[] = {
        { .label = "grid", .spec = "grid", .paper = NO_NUMBER },
        { .label = "block", .spec = "block", .paper = 33 },
    };
    static const struct figure f = { "1", "t", counted, 2, NULL, "", 0, DRAW_BARS };
    static char a[] = "a", b[] = "b";
    static const struct program programs[] = { { .name = a }, { .name = b } };
    static const double shares[] = { 10, 20, 30, 60 };
    struct points l;

    (void)state;
    assert_true(figure_is_counted(&f));
    figure_counted(&f, programs, 2, shares, &l);
    assert_int_equal(l.n, 6);
    expect(&l, 0, "a", NO_NUMBER, 10);
    expect(&l, 1, "b", NO_NUMBER, 30);
    expect(&l, 2, "mean of all", NO_NUMBER, 20);
    expect(&l, 4, "b", NO_NUMBER, 60);
    expect(&l, 5, "mean of all", 33, 40);
    assert_string_equal(l.at[5].column, "block");
    points_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_can_be_measured),
        cmocka_unit_test(values_of_programs_have_the_papers_means),
        cmocka_unit_test(values_of_programs_have_the_papers_spread),
        cmocka_unit_test(wrong_names_are_answered_with_the_nearest),
        cmocka_unit_test(numbers_come_from_the_grid),
        cmocka_unit_test(a_row_shows_what_it_is_asked_for),
        cmocka_unit_test(numbers_are_over_machines),
        cmocka_unit_test(a_row_shows_a_quantile),
        cmocka_unit_test(a_row_shows_the_lowest_mean),
        cmocka_unit_test(only_sms_have_cycles_of_launches),
        cmocka_unit_test(loads_of_one_kernel),
        cmocka_unit_test(things_in_proportion_are_alike),
        cmocka_unit_test(columns_are_about_clusters),
        cmocka_unit_test(a_figure_is_about_some_programs),
        cmocka_unit_test(programs_stand_for_the_papers),
        cmocka_unit_test(every_workload_is_known_to_its_papers),
        cmocka_unit_test(rows_without_a_result_have_no_number),
        cmocka_unit_test(a_column_that_failed_has_no_number),
        cmocka_unit_test(a_figure_is_printed),
        cmocka_unit_test(shares_that_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
