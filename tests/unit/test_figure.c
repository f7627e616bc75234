/* test_figure.c - figures of papers: well-formed tables, and numbers from a grid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "report/papers.h"
#include "report/spec.h"
#include "sim/machine.h"

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
                const char *const specs[] = { x->spec, x->base };

                assert_in_range(x->value + 1, 0, MAX_PAPER_VALUES);
                assert_true(x->mean >= 0);
                for (int s = 0; s < 2; s++) {
                    struct err err = { 0 };
                    struct machine *m = spec_machine(x->gpu, specs[s], NULL, 0, &err);

                    if (!m && !strstr(err.text, "no scheme named"))
                        fail_msg("figure %s: %s", p->figures[k].name, err.text);
                    machine_free(m);
                }
            }
}

/* The table of programs agrees with the means that the paper gives (GEO in its plots). */
static void values_of_programs_have_the_papers_means(void **state)
{
    static const struct {
        const char *figure;
        size_t column;
    } given[] = { { "13", 0 }, { "13", 1 }, { "13", 2 }, { "14", 0 },
                  { "14", 1 }, { "14", 2 }, { "14", 3 } };
    const struct paper *p = &paper_ghost;

    (void)state;
    assert_int_equal(p->n_programs, 28);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const struct figure *f = paper_figure(p, given[i].figure, NULL);
        const struct figure_column *c = &f->columns[given[i].column];
        double sum = 0;

        for (size_t k = 0; k < p->n_programs; k++)
            sum += log(p->programs[k].value[c->value]);
        sum = exp(sum / (double)p->n_programs);
        if (fabs(sum / c->mean - 1) > 0.001)
            fail_msg("figure %s, %s: %f is not %f", f->name, c->label, sum, c->mean);
    }
}

static void wrong_names_are_answered_with_the_nearest(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_ptr_equal(paper_find("ghost", &err), &paper_ghost);
    assert_null(paper_find("gost", &err));
    assert_non_null(strstr(err.text, "did you mean 'ghost'"));
    assert_null(paper_figure(&paper_ghost, "99", &err));
    assert_non_null(strstr(err.text, "expected one of 1, 3"));
}

/* A paper of one figure with every kind of column, on two programs, one of them its own. */
static const struct paper_program own[] = { { "A", "a", { 1.5 } },
                                            { "Z", NULL, { 9 } } };
static const struct figure_column columns[] = {
    { "up", NULL, "g", "x", "base", &metric_speedup, 1.25, 0 },
    { "mean", "of x", "g", "x", "base", &metric_speedup, 0, NO_VALUE },
    { "loads", NULL, "g", "x", "base", NULL, 0, NO_VALUE },
};
static const struct figure figure = { "7", "a title", columns, 3, "b", "a note\n" };
static const struct paper paper = { "p", "a paper", &figure, 1, own, 2, "" };

static struct grid sample(struct facts *f)
{
    static const char *const programs[] = { "a", "b" };
    static const struct grid_column both[] = { { "g", "base" }, { "g", "x" } };
    const double cycles[] = { 200, 100, 200, 400 };

    for (int i = 0; i < 4; i++)
        f[i] = (struct facts){ .cycles = cycles[i] };
    f[1].loads.bucket[3] = f[1].loads.n = 5; /* of a, which the figure leaves out */
    f[3].loads.bucket[5] = 3;
    f[3].loads.bucket[7] = 1;
    f[3].loads.n = 4;
    return (struct grid){ programs, both, 2, 2, f };
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
    figure_points(&paper, &figure, &g, &l);
    assert_int_equal(l.n, 8);
    expect(&l, 0, "a", 1.5, 2);
    expect(&l, 1, "b", NO_NUMBER, 0.5);
    expect(&l, 2, "mean of common ones", 1.5, 2);
    expect(&l, 3, "mean of all", 1.25, 1);
    expect(&l, 4, "of x", NO_NUMBER, 1);
    expect(&l, 5, "16 to 31 cycles", NO_NUMBER, 75);
    expect(&l, 6, "32 to 63 cycles", NO_NUMBER, 0);
    expect(&l, 7, "64 to 127 cycles", NO_NUMBER, 25);
    points_free(&l);
}

static void a_column_that_failed_has_no_number(void **state)
{
    struct facts f[4];
    struct grid g = sample(f);
    struct points l;

    (void)state;
    f[1].cycles = f[3].cycles = 0;
    figure_points(&paper, &figure, &g, &l);
    assert_int_equal(l.n, 4); /* a, b, mean of all; of x */
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
    figure_points(&paper, &figure, &g, &l);
    l.n = 4; /* the first column */
    figure_text(&figure, &l, &b);
    assert_string_equal(buf_text(&b), "7: a title\n"
                                      "\n"
                                      "                        up     up\n"
                                      "                     paper   ours\n"
                                      "a                    1.500  2.000\n"
                                      "b                        -  0.500\n"
                                      "---------------------------------\n"
                                      "mean of common ones  1.500  2.000\n"
                                      "mean of all          1.250  1.000\n"
                                      "\n"
                                      "a note\n");
    buf_clear(&b);
    figure_csv(&figure, &l, &b);
    assert_string_equal(buf_text(&b), "7,up,a,1.5,2\n7,up,b,,0.5\n"
                                      "7,up,mean of common ones,1.5,2\n"
                                      "7,up,mean of all,1.25,1\n");
    buf_clear(&b);
    figure_json(&figure, &l, &b);
    assert_non_null(strstr(buf_text(&b), "{\"column\": \"up\", \"row\": \"b\", "
                                         "\"paper\": null, \"ours\": 0.5}"));
    points_free(&l);
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_can_be_measured),
        cmocka_unit_test(values_of_programs_have_the_papers_means),
        cmocka_unit_test(wrong_names_are_answered_with_the_nearest),
        cmocka_unit_test(numbers_come_from_the_grid),
        cmocka_unit_test(a_column_that_failed_has_no_number),
        cmocka_unit_test(a_figure_is_printed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
