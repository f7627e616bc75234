/* test_unchecked.c - results of which not everything was checked are marked wherever they
 * are shown: comparisons as text, CSV, JSON and pages, figures, and launches.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "report/compare.h"
#include "report/figure.h"
#include "report/page.h"
#include "report/unchecked.h"
#include "session/launch_report.h"

static const char *const programs[] = { "a", "b" };
static const struct grid_column columns[] = { { "g", "base", NULL },
                                              { "g", "base+x:k=1", NULL },
                                              { "g", "base+y", NULL } };

/* Of b the second column was not checked. */
static struct grid sample(struct facts *f)
{
    const double cycles[] = { 1000, 500, 1000, 1000, 500, 250 };

    for (int i = 0; i < 6; i++)
        f[i] = (struct facts){ .cycles = cycles[i], .subcores = 1, .warp_insts = 100 };
    snprintf(f[4].unchecked, sizeof f[4].unchecked, "a <guess>");
    return (struct grid){ programs, columns, 2, 3, f, NULL, NULL, NULL, NULL };
}

static void has(const struct buf *b, const char *text)
{
    if (!strstr(buf_text(b), text))
        fail_msg("no '%s' in\n%s", text, buf_text(b));
}

static void a_result_says_why(void **state)
{
    static const char json[] =
        "{\"checked\": false, \"unchecked\": \"a <guess>\", \"stats\": "
        "{\"gpu.cycles\": 1, \"sm.cycles\": 1, \"sm.warp_insts\": 1, "
        "\"sm.reordered\": 0, \"occupancy\": 1}, \"slots\": [], \"loads\": []}";
    struct facts_reader *r = facts_reader_new(NULL);
    struct facts f;

    (void)state;
    assert_int_equal(facts_read(r, json, &f, NULL), 0);
    assert_string_equal(f.unchecked, "a <guess>");
    facts_reader_free(r);
}

static void a_column_is_marked(void **state)
{
    struct facts f[6];
    struct grid g = sample(f);
    struct buf b = { 0 };

    (void)state;
    assert_null(unchecked_why(&g, 0));
    assert_string_equal(unchecked_why(&g, 1), "a <guess>");
    assert_null(unchecked_why(&g, 3)); /* there is none */
    compare_text(&g, &b);
    has(&b, "program         base       base   base\n"
            "                             +x     +y\n"
            "                            k=1\n"
            "                      unchecked\n"
            "a               1000      2.000  1.000\n");
    buf_clear(&b);
    compare_csv(&g, &b);
    has(&b, ",checked\n");
    has(&b, "a,base+x:k=1,g,idle,500,2,100,0,0,0,0,,,,,1\n");
    has(&b, "b,base+x:k=1,g,idle,500,2,100,0,0,0,0,,,,,0\n");
    buf_clear(&b);
    compare_json(&g, &b);
    has(&b, "\"gpu\": \"g\", \"checked\": false, \"unchecked\": \"a <guess>\"}");
    has(&b, "\"gpu\": \"g\", \"checked\": true}");
    has(&b, "\"stall\": \"idle\", \"checked\": false, \"unchecked\": \"a <guess>\"}");
    buf_free(&b);
}

static void the_footer_does_not_claim_it(void **state)
{
    struct page_about about = { .revision = "r", .size = "tiny", .command = "c" };
    struct facts f[6];
    struct grid g = sample(f);
    struct buf b = { 0 };

    (void)state;
    unchecked_intro(&g, false, &b);
    assert_string_equal(
        buf_text(&b), "Unchecked: base+x:k=1 (a <guess>);\ntheir skipped results were "
                      "not compared with executed ones. All else was checked");
    buf_clear(&b);
    page_put(&g, &about, &b);
    has(&b, "k=1<br><em>unchecked</em></th>");
    has(&b, "Unchecked: base+x:k=1 (a &lt;guess&gt;)");
    assert_null(strstr(buf_text(&b), "Every run was checked"));
    buf_clear(&b);
    f[4].unchecked[0] = 0;
    page_put(&g, &about, &b);
    has(&b, "Every run was checked: results");
    buf_free(&b);
}

#define COMPARED \
    .gpu = "g", .base = "base", .metric = &metric_speedup, .value = NO_VALUE
static const struct figure_column shown[] = {
    { .label = "x, y", .spec = "base+x:k=1", COMPARED, .paper = NO_NUMBER },
    { .label = "z", .spec = "base+y", COMPARED, .paper = NO_NUMBER },
};
static const struct figure figure = {
    .name = "7", .title = "a title", .columns = shown, .n_columns = 2, .note = ""
};
static const struct paper paper = { .name = "p",
                                    .title = "a paper",
                                    .figures = &figure,
                                    .n_figures = 1,
                                    .occupancy = NO_VALUE,
                                    .note = "" };
static const struct paper_program *const stands_for[2];

static void a_figure_is_marked(void **state)
{
    struct facts f[6];
    struct grid g = sample(f);
    struct points l;
    struct buf b = { 0 };

    (void)state;
    figure_points(&(struct measured){ &paper, &g, stands_for }, &figure, &l);
    figure_text(&figure, &l, &b);
    has(&b, "                  x, y      z\n"
            "             unchecked\n");
    buf_clear(&b);
    figure_csv(&figure, &l, &b);
    has(&b, "7,\"x, y (unchecked)\",a,,2\n");
    has(&b, "7,z,a,,1\n");
    buf_clear(&b);
    figure_json(&figure, &l, &b);
    has(&b, "\"row\": \"a\", \"paper\": null, \"ours\": 2, \"checked\": false}");
    has(&b, "\"row\": \"a\", \"paper\": null, \"ours\": 1, \"checked\": true}");
    points_free(&l);
    buf_free(&b);
}

static void a_launch_is_marked(void **state)
{
    static const struct cubin_kernel info = { .name = "k" };
    static const struct sass_kernel kernel = { .info = &info };
    static const struct sass_launch launch = { .kernel = &kernel };
    static const struct driver_cost cost = { .warp_insts = 5 };
    static const struct err fine = { 0 };
    struct tally tally = { .unchecked = "a guess" };
    struct launch_report r = {
        .launch = &launch, .cost = &cost, .mode = "timed", .tally = &tally, .err = &fine
    };
    struct buf b = { 0 };

    (void)state;
    launch_report_text(&r, &b);
    has(&b, "5 warp instructions, unchecked (a guess)\n");
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_says_why),
        cmocka_unit_test(a_column_is_marked),
        cmocka_unit_test(the_footer_does_not_claim_it),
        cmocka_unit_test(a_figure_is_marked),
        cmocka_unit_test(a_launch_is_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
