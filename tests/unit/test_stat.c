/* test_stat.c - statistics: sums, formulas, histograms, and every form of a result. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "check.h"
#include "json_check.h"
#include "stats/stall.h"
#include "stats/stat.h"

#define SM_STATS(STAT)                                              \
    STAT(cycles, "cycle", "gpu_tot_sim_cycle", "cycles of the run") \
    STAT(issued, "inst", "", "left a window | by any | scheme")     \
    STAT(plain, "", "", "a row without unit")
struct sm_stats {
    SM_STATS(STAT_FIELD)
};
#define STAT_OF struct sm_stats
static const struct stat_group sm_group =
    STAT_GROUP("sm", "the SMs together", SM_STATS);
#undef STAT_OF

#define L2_STATS(STAT) STAT(hits, "sector", "L2_total_cache_hits", "found in L2")
struct l2_stats {
    uint32_t before; /* rows need not start the struct */
    L2_STATS(STAT_FIELD)
};
#define STAT_OF struct l2_stats
static const struct stat_group l2_group = STAT_GROUP("mem.l2", "slices", L2_STATS);
#undef STAT_OF

static const struct stat_formula formulas[] = {
    { "ipc",
      "inst/cycle",
      "gpu_tot_ipc",
      "issued a cycle",
      { "sm.issued", NULL },
      { "sm.cycles", NULL },
      1 },
    { "share, \"all\"",
      "%",
      "",
      "both over the product",
      { "sm.issued", "mem.l2.hits" },
      { "sm.cycles", "sm.plain" },
      100 },
    { "none",
      "",
      "gpu_none",
      "divides by nothing",
      { "sm.issued", NULL },
      { "sm.plain", NULL },
      1 },
};

static const struct sm_stats sm = { .cycles = 1000, .issued = 250, .plain = 4 };
static const struct l2_stats l2 = { .hits = UINT64_MAX };
static const struct stat_binding groups[] = { { &sm_group, &sm }, { &l2_group, &l2 } };
static const struct stat_report report = { groups, 2, formulas, 2 };

static void rows_are_added(void **state)
{
    struct sm_stats sum = { .cycles = 1, .issued = 2, .plain = 3 };
    struct l2_stats into = { .before = 7, .hits = 5 },
                    from = { .before = 9, .hits = 6 };

    (void)state;
    stat_add(&sm_group, &sum, &sm);
    assert_int_equal(sum.cycles, 1001);
    assert_int_equal(sum.issued, 252);
    assert_int_equal(sum.plain, 7);
    stat_add(&l2_group, &into, &from);
    assert_int_equal(into.hits, 11);
    assert_int_equal(into.before, 7);
}

static void rows_are_found_by_name(void **state)
{
    uint64_t value = 0;

    (void)state;
    assert_true(stat_find(&report, "sm.issued", &value));
    assert_int_equal(value, 250);
    assert_true(stat_find(&report, "mem.l2.hits", &value));
    assert_int_equal(value, UINT64_MAX);
    assert_false(stat_find(&report, "sm", &value));
    assert_false(stat_find(&report, "sm.", &value));
    assert_false(stat_find(&report, "sm.issue", &value));
    assert_false(stat_find(&report, "issued", &value));
    assert_false(stat_find(&report, "l2.hits", &value));
    assert_false(stat_find(&report, "", &value));
}

static double compute(struct sm_stats values, const struct stat_formula *f)
{
    struct l2_stats few = { .hits = 50 };
    struct stat_binding b[] = { { &sm_group, &values }, { &l2_group, &few } };

    return stat_compute(&(struct stat_report){ b, 2, NULL, 0 }, f);
}

static void formulas_are_computed(void **state)
{
    static const struct stat_formula wrong = {
        .name = "w", .over = { "sm.nothing" }, .under = { "sm.cycles" }, .scale = 1
    };
    static const struct stat_formula wrong_under = {
        .name = "w", .over = { "sm.cycles" }, .under = { "sm.nothing" }, .scale = 1
    };

    (void)state;
    assert_true(compute(sm, &formulas[0]) == 0.25);
    /* (250 + 50) / (1000 x 4) x 100 */
    assert_true(compute(sm, &formulas[1]) == 7.5);
    assert_true(isnan(compute((struct sm_stats){ 0 }, &formulas[0])));
    assert_true(isnan(compute((struct sm_stats){ .issued = 5 }, &formulas[0])));
    assert_true(isnan(compute(sm, &wrong)));
    assert_true(isnan(compute(sm, &wrong_under)));
}

static void text_is_aligned_with_aliases_last(void **state)
{
    struct buf b = { 0 };

    (void)state;
    stat_text(&report, &b);
    assert_string_equal(buf_text(&b),
                        "sm.cycles                        1000  cycle\n"
                        "sm.issued                         250  inst\n"
                        "sm.plain                            4\n"
                        "mem.l2.hits      18446744073709551615  sector\n"
                        "ipc                            0.2500  inst/cycle\n"
                        "share, \"all\"  461168601842738816.0000  %\n"
                        "\n"
                        "gpu_tot_sim_cycle = 1000\n"
                        "L2_total_cache_hits = 18446744073709551615\n"
                        "gpu_tot_ipc = 0.2500\n");
    buf_free(&b);
}

static void text_has_a_dash_for_no_value(void **state)
{
    static const struct sm_stats zero = { 0 };
    const struct stat_binding g = { &sm_group, &zero };
    struct buf b = { 0 };

    (void)state;
    stat_text(&(struct stat_report){ &g, 1, &formulas[2], 1 }, &b);
    assert_string_equal(buf_text(&b), "sm.cycles  0  cycle\nsm.issued  0  inst\n"
                                      "sm.plain   0\nnone       -\n"
                                      "\ngpu_tot_sim_cycle = 0\n");
    buf_clear(&b);
    stat_json(&(struct stat_report){ &g, 1, &formulas[2], 1 }, &b);
    assert_non_null(strstr(buf_text(&b), "\"none\": null"));
    buf_clear(&b);
    stat_csv_row(&(struct stat_report){ &g, 1, &formulas[2], 1 }, &b);
    assert_string_equal(buf_text(&b), "0,0,0,\n");
    buf_free(&b);
}

static void json_is_exact(void **state)
{
    struct buf b = { 0 };

    (void)state;
    stat_json(&report, &b);
    assert_string_equal(buf_text(&b),
                        "\"sm.cycles\": 1000,\n \"sm.issued\": 250,\n"
                        " \"sm.plain\": 4,\n \"mem.l2.hits\": 18446744073709551615,\n"
                        " \"ipc\": 0.25,\n"
                        " \"share, \\\"all\\\"\": 4.611686018427388e+17");
    buf_free(&b);
}

static void json_is_valid_in_braces(void **state)
{
    static const char *const bad[] = { "",      "{",      "{\"a\"}", "[1,]",  "01",
                                       "1.",    "nan",    "\"\n\"",  "{} {}", "\"\\x\"",
                                       "[1 2]", "{a: 1}", "1e",      "-",     "+1" };
    struct histogram h = { .n = 1, .bucket = { 1 } };
    struct buf b = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(json_is_valid(bad[i]));
    assert_true(json_is_valid(" {\"a\": [1, -2.5e+3, null, {}], \"\\u00e4\": true} "));
    buf_puts(&b, "{\"h\": ");
    histogram_json(&h, &b);
    buf_puts(&b, ", ");
    stat_json(&(struct stat_report){ groups, 2, formulas, 3 }, &b);
    buf_puts(&b, "}");
    assert_true(json_is_valid(buf_text(&b)));
    buf_free(&b);
}

static void csv_is_quoted(void **state)
{
    struct buf b = { 0 };

    (void)state;
    stat_csv_header(&report, &b);
    assert_string_equal(buf_text(&b), "sm.cycles,sm.issued,sm.plain,mem.l2.hits,ipc,"
                                      "\"share, \"\"all\"\"\"\n");
    buf_clear(&b);
    stat_csv_row(&report, &b);
    assert_string_equal(buf_text(&b),
                        "1000,250,4,18446744073709551615,0.25,4.611686018427388e+17\n");
    buf_clear(&b);
    csv_field(&b, "two\nlines");
    csv_field(&b, "plain");
    csv_field(&b, "");
    assert_string_equal(buf_text(&b), "\"two\nlines\"plain");
    buf_free(&b);
}

static void docs_need_no_values(void **state)
{
    static const struct stat_binding bare[] = { { &sm_group, NULL },
                                                { &l2_group, NULL } };
    struct buf b = { 0 };

    (void)state;
    stat_docs(&(struct stat_report){ bare, 2, formulas, 3 }, &b);
    assert_non_null(
        strstr(buf_text(&b), "## sm\n\nthe SMs together\n\n| name | unit |"));
    assert_non_null(
        strstr(buf_text(&b),
               "| `sm.cycles` | cycle | gpu_tot_sim_cycle | cycles of the run |\n"));
    assert_non_null(
        strstr(buf_text(&b),
               "| `sm.issued` | inst |  | left a window \\| by any \\| scheme |\n"));
    assert_non_null(strstr(buf_text(&b), "| sm.issued / sm.cycles | issued a cycle |"));
    assert_non_null(strstr(
        buf_text(&b), "| (sm.issued + mem.l2.hits) / (sm.cycles x sm.plain) x 100 |"));
    buf_free(&b);
}

static void doubles_read_back_and_are_short(void **state)
{
    static const struct {
        double value;
        const char *text;
    } known[] = { { 0, "0" },
                  { 1, "1" },
                  { 0.1, "0.1" },
                  { -2.5, "-2.5" },
                  { 1e300, "1e+300" },
                  { 5e-324, "5e-324" },
                  { 1.0 / 3, "0.3333333333333333" },
                  { 0.1 + 0.2, "0.30000000000000004" },
                  { 9007199254740993.0, "9007199254740992" },
                  { -0.0, "-0" } };
    struct buf b = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        buf_clear(&b);
        json_double(&b, known[i].value);
        assert_string_equal(buf_text(&b), known[i].text);
    }
    buf_clear(&b);
    json_double(&b, (double)INFINITY);
    json_double(&b, (double)NAN);
    assert_string_equal(buf_text(&b), "nullnull");
    /* Bits of all kinds come back. */
    for (uint64_t i = 0, x = 1; i < 2000; i++) {
        double value;

        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&value, &x, sizeof value);
        if (!isfinite(value))
            continue;
        buf_clear(&b);
        json_double(&b, value);
        assert_true(strtod(buf_text(&b), NULL) == value);
    }
    buf_free(&b);
}

static void doubles_do_not_follow_the_locale(void **state)
{
    static const char *const commas[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE" };
    struct buf b = { 0 };
    size_t i = 0;

    (void)state;
    while (i < 3 && !setlocale(LC_NUMERIC, commas[i]))
        i++;
    if (i == 3)
        skip(); /* none is installed */
    json_double(&b, 1.5);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(buf_text(&b), "1.5");
    buf_free(&b);
}

static void json_strings_are_escaped(void **state)
{
    struct buf b = { 0 };

    (void)state;
    json_string(&b, "a\"b\\c\n\x01");
    assert_string_equal(buf_text(&b), "\"a\\\"b\\\\c\\u000a\\u0001\"");
    buf_free(&b);
}

static void histograms_count_by_powers_of_two(void **state)
{
    struct histogram h = { 0 }, more = { 0 };
    struct buf b = { 0 };

    (void)state;
    histogram_json(&h, &b);
    assert_string_equal(buf_text(&b),
                        "{\"n\": 0, \"sum\": 0, \"max\": 0, \"buckets\": []}");
    histogram_add(&h, 0);
    histogram_add(&h, 1);
    histogram_add(&h, 2);
    histogram_add(&h, 3);
    histogram_add(&h, 4);
    buf_clear(&b);
    histogram_json(&h, &b);
    assert_string_equal(
        buf_text(&b), "{\"n\": 5, \"sum\": 10, \"max\": 4, \"buckets\": [1, 1, 2, 1]}");
    histogram_add(&more, (UINT64_C(1) << 30) - 1);
    assert_int_equal(more.bucket[30], 1);
    histogram_add(&more, UINT64_C(1) << 30);
    histogram_add(&more, UINT64_C(1) << 62);
    assert_int_equal(more.bucket[HISTOGRAM_BUCKETS - 1], 2);
    histogram_merge(&more, &h);
    assert_int_equal(more.n, 8);
    assert_int_equal(more.bucket[2], 2);
    assert_int_equal(more.max, UINT64_C(1) << 62);
    assert_int_equal(more.sum, 10 + (UINT64_C(1) << 31) - 1 + (UINT64_C(1) << 62));
    buf_free(&b);
}

static void causes_have_names(void **state)
{
    struct buf b = { 0 };

    (void)state;
    assert_string_equal(stall_name(STALL_issued), "issued");
    assert_string_equal(stall_name(STALL_idle), "idle");
    assert_string_equal(stall_name(N_STALL), "?");
    assert_string_equal(stall_name((enum stall) - 1), "?");
    stall_docs(&b);
    assert_non_null(strstr(buf_text(&b), "| `memory` | mem_data | long_scoreboard | "
                                         "waits for a load |\n"));
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_added),
        cmocka_unit_test(rows_are_found_by_name),
        cmocka_unit_test(formulas_are_computed),
        cmocka_unit_test(text_is_aligned_with_aliases_last),
        cmocka_unit_test(text_has_a_dash_for_no_value),
        cmocka_unit_test(json_is_exact),
        cmocka_unit_test(json_is_valid_in_braces),
        cmocka_unit_test(csv_is_quoted),
        cmocka_unit_test(docs_need_no_values),
        cmocka_unit_test(doubles_read_back_and_are_short),
        cmocka_unit_test(doubles_do_not_follow_the_locale),
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(histograms_count_by_powers_of_two),
        cmocka_unit_test(causes_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
