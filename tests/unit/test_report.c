/* test_report.c - tables laid out, results read, metrics and their means, comparisons. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/revision.h"
#include "check.h"
#include "report/causes.h"
#include "report/compare.h"
#include "report/sheet.h"

static void a_sheet_is_aligned(void **state)
{
    struct sheet t = { 0 };
    struct buf b = { 0 };

    (void)state;
    sheet_column(&t, "program", true);
    sheet_column(&t, "inorder:entries=12", false);
    sheet_column(&t, "x", false);
    sheet_cell(&t, "nn");
    sheet_cell(&t, "%.3f", 1.5);
    sheet_cell(&t, "long cell");
    sheet_rule(&t);
    sheet_cell(&t, "geometric mean");
    sheet_cell(&t, "2");
    sheet_cell(&t, "%s", "");
    sheet_text(&t, &b);
    assert_string_equal(buf_text(&b), "program            inorder          x\n"
                                      "                entries=12\n"
                                      "nn                   1.500  long cell\n"
                                      "-------------------------------------\n"
                                      "geometric mean           2\n");
    buf_clear(&b);
    sheet_csv(&t, &b);
    assert_string_equal(buf_text(&b), "program,inorder:entries=12,x\n"
                                      "nn,1.500,long cell\ngeometric mean,2,\n");
    sheet_free(&t);
    buf_free(&b);
}

static void an_empty_sheet_has_a_head(void **state)
{
    struct sheet t = { 0 };
    struct buf b = { 0 };

    (void)state;
    sheet_column(&t, "a", true);
    sheet_column(&t, "b", true);
    sheet_text(&t, &b);
    assert_string_equal(buf_text(&b), "a  b\n");
    sheet_free(&t);
    buf_free(&b);
}

static const char json[] =
    "{\"stats\": {\"gpu.cycles\": 1000, \"sm.cycles\": 1500, \"sm.warp_insts\": 400,"
    " \"sm.reordered\": 50, \"occupancy\": 12.5},"
    " \"slots\": [{\"issued\": 100, \"memory\": 900, \"idle\": 3000, \"later\": 5},"
    " {\"issued\": 300, \"memory\": 100, \"pipe\": 600, \"idle\": 0}],"
    " \"loads\": [{\"cycles\": {\"n\": 3, \"buckets\": [0, 1, 2]}},"
    " {\"cycles\": {\"n\": 2, \"buckets\": [0, 0, 0, 2]}}],"
    " \"config\": {\"core.subcores\": 2}}";

static void facts_are_read(void **state)
{
    struct facts_reader *r = facts_reader_new(NULL);
    struct facts f;
    double share;

    (void)state;
    assert_int_equal(facts_read(r, json, &f, NULL), 0);
    assert_true(f.cycles == 1000 && f.warp_insts == 400 && f.reordered == 50);
    assert_true(f.occupancy == 12.5 && f.sm_cycles == 1500 && f.subcores == 2);
    assert_true(f.slot[STALL_issued] == 400 && f.slot[STALL_memory] == 1000);
    assert_int_equal(f.loads.n, 5);
    assert_int_equal(f.loads.bucket[2], 2);
    assert_int_equal(f.loads.bucket[3], 2);
    assert_true(facts_stalls(&f) == 1500 * 2 - 400);
    assert_int_equal(stall_largest(f.slot, &share), STALL_memory);
    assert_true(fabs(share - 20) < 1e-9); /* of 5000 slots */
    facts_reader_free(r);
}

/* A scheme's own numbers: 0 where another one ran. */
static void numbers_of_a_scheme_may_be_missing(void **state)
{
    static const char own[] =
        "{\"stats\": {\"gpu.cycles\": 1, \"sm.cycles\": 1, \"sm.warp_insts\": 1,"
        " \"sm.reordered\": 0, \"occupancy\": 1, \"socgpu.inserted\": 8,"
        " \"socgpu.raw\": 4, \"socgpu.war_waw\": 2, \"socgpu.stop\": 1,"
        " \"turbulence.inserted\": 8, \"turbulence.free\": 2,"
        " \"turbulence.moves\": 4},"
        " \"energy\": {\"joules\": 16, \"components\": {\"window\": 2,"
        " \"eliminator\": 1, \"active\": 3, \"idle\": 5}},"
        " \"config\": {\"core.subcores\": 2}}";
    struct facts_reader *r = facts_reader_new(NULL);
    struct facts f;

    (void)state;
    assert_int_equal(facts_read(r, own, &f, NULL), 0);
    assert_true(f.inserted == 8 && f.raw == 4 && f.war_waw == 2 && f.stop == 1);
    assert_true(metric_raw.of(&metric_raw, &f, &f) == 0.5);
    assert_true(metric_war_waw.of(&metric_war_waw, &f, &f) == 0.25);
    assert_true(metric_stop.of(&metric_stop, &f, &f) == 0.125);
    assert_true(metric_free.of(&metric_free, &f, &f) == 25);
    assert_true(metric_moves.of(&metric_moves, &f, &f) == 100);
    assert_true(metric_window_share.of(&metric_window_share, &f, &f) == 12.5);
    assert_true(metric_table_share.of(&metric_table_share, &f, &f) == 12.5);
    assert_int_equal(facts_read(r, json, &f, NULL), 0);
    assert_true(f.inserted == 0 && f.raw == 0);
    assert_true(isnan(metric_raw.of(&metric_raw, &f, &f)));
    assert_true(isnan(metric_free.of(&metric_free, &f, &f)) &&
                isnan(metric_moves.of(&metric_moves, &f, &f)));
    assert_true(isnan(metric_window_share.of(&metric_window_share, &f, &f)) &&
                isnan(metric_table_share.of(&metric_table_share, &f, &f)));
    facts_reader_free(r);
}

/* Half of the energy in a quarter of the time. */
static void energy_is_over_that_of_the_baseline(void **state)
{
    const struct facts base = { .joules = 16, .cycles = 400 },
                       f = { .joules = 8, .cycles = 100 }, none = { .cycles = 100 };

    (void)state;
    assert_true(metric_energy.of(&metric_energy, &base, &f) == 0.5);
    assert_true(metric_saved.of(&metric_saved, &base, &f) == 50);
    assert_true(metric_edp.of(&metric_edp, &base, &f) == 0.125);
    assert_true(metric_edp_saved.of(&metric_edp_saved, &base, &f) == 87.5);
    assert_true(isnan(metric_edp_saved.of(&metric_edp_saved, &base, &none)));
    assert_true(isnan(metric_edp.of(&metric_edp, &none, &f)));
}

static void a_result_that_is_none_is_named(void **state)
{
    static const char *const wrong[] = { "",     "{",
                                         "[]",   "{\"stats\": {}}",
                                         "\xff", "{\"stats\": {\"gpu.cycles\": 5}}" };
    struct facts_reader *r = facts_reader_new(NULL);
    struct facts f;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = { 0 };

        assert_int_equal(facts_read(r, wrong[i], &f, &err), -1);
        assert_non_null(strstr(err.text, "a result without"));
        assert_true(f.cycles == 0);
    }
    assert_int_equal(facts_read(r, json, &f, NULL), 0); /* and the next one is read */
    facts_reader_free(r);
}

static void the_revision_is_a_hash(void **state)
{
    (void)state;
    assert_int_equal(strlen(revision_text()), 12);
    assert_int_equal(strspn(revision_text(), "0123456789abcdef"), 12);
}

/* Three programs on three machines; the last program failed on the last machine. */
static const char *const programs[] = { "a", "b", "c" };
static const struct grid_column columns[] = { { .gpu = "g", .spec = "base" },
                                              { .gpu = "g", .spec = "x:k=1" },
                                              { .gpu = "g", .spec = "y" } };

static struct facts run(double cycles, double reordered)
{
    struct facts f = { .cycles = cycles,
                       .sm_cycles = cycles,
                       .subcores = 1,
                       .warp_insts = 100,
                       .reordered = reordered,
                       .occupancy = 50 };

    f.slot[STALL_issued] = 100;
    f.slot[STALL_memory] = cycles - 100;
    return f;
}

static struct grid sample(struct facts *f)
{
    static char stuck[] = "stuck", *const why[9] = { [8] = stuck };
    const double cycles[] = { 1000, 500, 1000, 1000, 2000, 996, 800, 400, 0 };

    for (int i = 0; i < 9; i++)
        f[i] =
            cycles[i] > 0 ? run(cycles[i], i % 3 == 2 ? 25 : 0) : (struct facts){ 0 };
    return (struct grid){ programs, columns, 3, 3, f, why, NULL, NULL, NULL };
}

static void means_are_over_what_is_there(void **state)
{
    struct facts f[9];
    struct grid g = sample(f);
    struct grid_summary s = grid_summary(&g, &metric_speedup, 0, 1);

    (void)state;
    assert_true(fabs(s.mean - cbrt(2 * 0.5 * 2)) < 1e-12);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.faster, 2);
    assert_int_equal(s.slower, 1);
    assert_true(s.lowest == 0.5 && s.highest == 2);
    assert_int_equal(s.below, 1);
    s = grid_summary(&g, &metric_speedup, 0, 2);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.below, 0);  /* 1 is not below 1 */
    assert_int_equal(s.faster, 0); /* 0.4 % is no difference */
    assert_int_equal(s.slower, 0);
    s = grid_summary(&g, &metric_reordered, 2, 2);
    assert_true(s.mean == 25 && s.n == 2);
    assert_null(grid_at(&g, 2, 2));
    assert_true(isnan(grid_metric(&g, &metric_speedup, 2, 0, 2)));
    assert_true(fabs(grid_metric(&g, &metric_stalls, 0, 0, 1) - 2.25) < 1e-12);
    f[0].cycles = f[3].cycles = f[6].cycles = 0;
    s = grid_summary(&g, &metric_speedup, 0, 1);
    assert_true(isnan(s.mean) && s.n == 0);
    assert_true(isnan(s.lowest) && isnan(s.highest));
}

/* Occupancy 1, 2, 3 with reordered 2, 1, 3; c has no result, of e nothing was issued. */
static void two_metrics_are_correlated(void **state)
{
    static const char *const five[] = { "a", "b", "c", "d", "e" };
    struct facts f[] = { run(9, 2), run(9, 1), run(0, 0), run(9, 3), run(9, 0) };
    struct grid g = { five, columns, 5, 1, f, NULL, NULL, NULL, NULL };

    (void)state;
    f[0].occupancy = 1;
    f[1].occupancy = 2;
    f[3].occupancy = 3;
    f[4].warp_insts = 0;
    assert_true(fabs(grid_correlation(&g, &metric_occupancy, &metric_reordered, 0, 0) -
                     0.5) < 1e-12);
    f[0].reordered = 1;
    f[1].reordered = 0;
    f[3].reordered = -1;
    assert_true(fabs(grid_correlation(&g, &metric_reordered, &metric_occupancy, 0, 0) +
                     1) < 1e-12);
    /* Speed-up over itself is 1 everywhere. */
    assert_true(isnan(grid_correlation(&g, &metric_occupancy, &metric_speedup, 0, 0)));
    assert_true(isnan(grid_correlation(&g, &metric_speedup, &metric_occupancy, 0, 0)));
    f[0].cycles = f[1].cycles = 0; /* one program alone */
    assert_true(
        isnan(grid_correlation(&g, &metric_occupancy, &metric_reordered, 0, 0)));
}

static void has(const struct buf *b, const char *text)
{
    if (!strstr(buf_text(b), text))
        fail_msg("no '%s' in\n%s", text, buf_text(b));
}

static void a_comparison_as_text(void **state)
{
    struct facts f[9];
    struct grid g = sample(f);
    struct buf b = { 0 };

    (void)state;
    compare_text(&g, &b);
    has(&b, "program         base      x       y\n"
            "                        k=1\n"
            "a               1000  2.000   1.000\n"
            "b               1000  0.500   1.004\n"
            "c                800  2.000  failed\n"
            "-----------------------------------\n"
            "geometric mean        1.260   1.002\n"
            "faster                    2       0\n"
            "slower                    1       0\n");
    /* Only y reorders. */
    has(&b, "program     y\na        25.0\nb        25.0\nc           -\n");
    has(&b, "a        memory 90.0  memory 80.0  memory 90.0\n");
    buf_free(&b);
}

/* Cycles of launches are the same under every scheme, and do not count. */
static void launches_do_not_dilute(void **state)
{
    struct facts f[9];
    struct grid g = sample(f);
    struct buf b = { 0 };

    (void)state;
    for (int i = 0; i < 3; i++) {
        f[i].kernels = 2;
        f[i].launch_cycles = 200;
    }
    assert_true(fabs(grid_metric(&g, &metric_speedup, 0, 0, 1) - 6) < 1e-12);
    assert_true(grid_launch_cycles(&g) == 200);
    compare_text(&g, &b);
    has(&b, "a                600  6.000   1.000\n");
    buf_clear(&b);
    compare_csv(&g, &b);
    has(&b, "a,x:k=1,g,memory,500,6,");
    grid_cycles_note(&g, &b);
    has(&b, "without the 200 cycles from a launch to its first block");
    buf_free(&b);
}

static void capped_runs_are_compared_by_instructions_per_cycle(void **state)
{
    struct facts f[9];
    struct grid g = sample(f);
    struct buf b = { 0 };

    (void)state;
    f[0].warp_insts = 90; /* of 100, in 1000 cycles */
    f[0].capped = 1;
    f[1].skipped = 20; /* beside its 100, in 500 */
    assert_true(fabs(grid_metric(&g, &metric_speedup, 0, 0, 1) - 2 * 120 / 90.0) <
                1e-12);
    assert_true(fabs(grid_metric(&g, &metric_speedup, 0, 1, 0) - 90 / 240.0) < 1e-12);
    assert_true(fabs(grid_metric(&g, &metric_speedup, 0, 1, 2) - 0.5) < 1e-12);
    grid_cycles_note(&g, &b);
    has(&b, "1 of 9 runs have launches that reached their cap");
    buf_free(&b);
}

static void a_comparison_as_csv_and_json(void **state)
{
    struct facts f[9];
    struct grid g = sample(f);
    struct buf b = { 0 };
    char about[] = ", \"gpu\": \"other\"";

    (void)state;
    compare_csv(&g, &b);
    has(&b, "program,scheme,gpu,stall,cycles,speedup,warp_insts,reordered,occupancy,"
            "stall_share,launch_cycles,joules,watts,energy_ratio,edp_ratio,checked\n"
            "a,base,g,memory,1000,1,100,0,50,90,0,,,,,1\n");
    assert_null(strstr(buf_text(&b), "c,y"));
    buf_clear(&b);
    compare_json(&g, &b);
    has(&b, "{\"speedup\": 1.2599210498948732, \"programs\": 3, \"faster\": 2, "
            "\"slower\": 1, \"spec\": \"x:k=1\", \"gpu\": \"g\", \"checked\": true}");
    has(&b, "{\"program\": \"a\", \"spec\": \"y\", \"gpu\": \"g\", \"ok\": true, "
            "\"exit_code\": 0, \"message\": \"\", \"cycles\": 1000, \"speedup\": 1,");
    has(&b, "{\"program\": \"c\", \"spec\": \"y\", \"gpu\": \"g\", \"ok\": false, "
            "\"exit_code\": 1, \"message\": \"stuck\"}]");
    buf_clear(&b);
    g.exit_code = (const int[9]){ [8] = 4 };
    g.about = (char *[3]){ [2] = about };
    compare_json(&g, &b);
    has(&b, "{\"program\": \"c\", \"spec\": \"y\", \"gpu\": \"other\", \"ok\": false, "
            "\"exit_code\": 4, \"message\": \"stuck\"}]");
    buf_free(&b);
}

/* Each run counts alike: 17 causes occur, of which eight are named. */
static void the_largest_causes_are_named(void **state)
{
    struct grid_column column[] = { { .spec = "inorder" } };
    const char *program[] = { "a", "b" };
    struct facts facts[2] = { { .cycles = 1 }, { .cycles = 1 } };
    struct grid g = { program, column, 2, 1, facts, NULL, NULL, NULL, NULL };
    struct cause_parts parts;
    double sum = 0, all = 0;

    (void)state;
    for (unsigned c = 0; c < N_STALL; c++)
        facts[0].slot[c] = 1000 + 10 * c;
    facts[0].slot[STALL_idle] = 1e9;
    facts[1].slot[STALL_turn] = 1; /* all of a short run */
    facts[0].slot[STALL_turn] = 0;
    causes_choose(&g, &parts);
    assert_int_equal(parts.n, CAUSES_SHOWN + 3);
    assert_string_equal(parts.at[0].label, "issued");
    assert_string_equal(parts.at[1].label, "not selected");
    assert_string_equal(parts.at[2].label, "window full");
    assert_string_equal(parts.at[8].label, "end of warp (drain)");
    assert_string_equal(parts.at[9].label, "other causes");
    assert_true(cause_is_idle(&parts.at[10]) && !cause_is_idle(&parts.at[9]));
    for (unsigned n = 0; n < parts.n; n++)
        sum += cause_slots(&parts.at[n], &facts[0]);
    for (unsigned c = 0; c < N_STALL; c++)
        all += facts[0].slot[c];
    assert_true(sum == all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_is_aligned),
        cmocka_unit_test(an_empty_sheet_has_a_head),
        cmocka_unit_test(facts_are_read),
        cmocka_unit_test(numbers_of_a_scheme_may_be_missing),
        cmocka_unit_test(energy_is_over_that_of_the_baseline),
        cmocka_unit_test(a_result_that_is_none_is_named),
        cmocka_unit_test(the_revision_is_a_hash),
        cmocka_unit_test(means_are_over_what_is_there),
        cmocka_unit_test(two_metrics_are_correlated),
        cmocka_unit_test(a_comparison_as_text),
        cmocka_unit_test(launches_do_not_dilute),
        cmocka_unit_test(capped_runs_are_compared_by_instructions_per_cycle),
        cmocka_unit_test(a_comparison_as_csv_and_json),
        cmocka_unit_test(the_largest_causes_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
