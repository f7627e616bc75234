/* test_page.c - a comparison as a page: its numbers, its bars, names that are not HTML. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "report/page.h"
#include "report/svg.h"
#include "session/cause_words.h"

enum { PROGRAMS = 3, COLUMNS = 2 };

static const char *const program[PROGRAMS] = { "one", "<b>&\"two\".leno", "three" };
static const struct grid_column column[COLUMNS] = {
    { .gpu = "v100", .spec = "inorder" }, { .gpu = "v100", .spec = "ghost:entries=4" }
};
static char because[] = "<why>";
static char *why[PROGRAMS * COLUMNS] = { [PROGRAMS * COLUMNS - 1] = because };

/* Twice as fast, 0.8 times as fast, failed. */
static const struct facts facts[PROGRAMS * COLUMNS] = {
    { .cycles = 1000, .slot = { [STALL_issued] = 100, [STALL_memory] = 900 } },
    { .cycles = 500, .slot = { [STALL_issued] = 100, [STALL_order] = 400 } },
    { .cycles = 400, .slot = { [STALL_issued] = 400 } },
    { .cycles = 500, .slot = { [STALL_issued] = 400, [STALL_idle] = 100 } },
    { .cycles = 300, .slot = { [STALL_issued] = 300 } },
};
static const struct grid grid = { program, column, PROGRAMS, COLUMNS, facts,
                                  why,     NULL,   NULL,     NULL };
static const struct page_about about = { "abc", "tiny", 7, "leno compare <x>" };

static size_t count(const char *text, const char *part)
{
    size_t n = 0;

    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

static void says(const struct buf *page, const char *part)
{
    if (!strstr(buf_text(page), part))
        fail_msg("'%s' is not in %s", part, buf_text(page));
}

/* Up to the script, which comes last. */
static void put_page(const struct grid *g, struct buf *page)
{
    char *script;

    page_put(g, &about, page);
    script = strstr(page->data, "<section id=\"over-time\"");
    assert_non_null(script);
    *script = '\0';
}

static void numbers_are_there(void **state)
{
    struct buf page = { 0 };

    (void)state;
    put_page(&grid, &page);
    says(&page, "<h1>Schemes on v100</h1>");
    says(&page, "3 programs, size tiny, seed 7; Leno abc.");
    says(&page, "<td>one</td><td>1000</td><td>2.000</td>");
    says(&page, "<td>400</td><td>0.800</td>");
    says(&page, "<td>geometric mean</td><td></td><td>1.265</td>"); /* of 2 and 0.8 */
    says(&page, "<td>1 / 1</td>");
    says(&page, "<th>ghost<br>entries=4</th>");
    says(&page, "one, ghost:entries=4: 2.000</title>");
    says(&page, "one, ghost:entries=4: memory order 80.0 %</title>");
    /* Two speed-ups and their mean; parts of five bars, with idle slots and without. */
    assert_int_equal(count(buf_text(&page), "<rect "),
                     3 + (2 + 2 + 1 + 2 + 1) + (2 + 2 + 1 + 1 + 1));
    /* A row per run that has a result. */
    says(&page, "<td>one</td><td class=\"text\">ghost<br>entries=4</td><td>500</td>"
                "<td>2.000</td>");
    says(&page, "<td class=\"text\">memory order 80.0 %</td></tr>");
    /* Only causes that occur are explained. */
    assert_int_equal(count(buf_text(&page), "<i style="), 1 + 4);
    buf_free(&page);
}

/* A bar of 80 % slots that waited is four times as high as the part that issued. */
static void bars_have_their_heights(void **state)
{
    struct buf page = { 0 };
    const char *at;
    double low, high;

    (void)state;
    put_page(&grid, &page);
    at = strstr(buf_text(&page), "one, ghost:entries=4: issued");
    assert_non_null(at);
    while (strncmp(at, "height=", 7))
        at--;
    assert_int_equal(sscanf(at, "height=\"%lf\"", &low), 1);
    at = strstr(buf_text(&page), "one, ghost:entries=4: memory order");
    while (strncmp(at, "height=", 7))
        at--;
    assert_int_equal(sscanf(at, "height=\"%lf\"", &high), 1);
    assert_true(high > 3.99 * low && high < 4.01 * low);
    buf_free(&page);
}

static void names_stay_text(void **state)
{
    struct buf page = { 0 };

    (void)state;
    put_page(&grid, &page);
    assert_int_equal(count(buf_text(&page), "<b>"), 0);
    assert_int_equal(count(buf_text(&page), "<why>"), 0);
    assert_int_equal(count(buf_text(&page), "<x>"), 0);
    says(&page, "<td>&lt;b&gt;&amp;&quot;two&quot;.leno</td>");
    says(&page, "<td title=\"&lt;why&gt;\">failed</td>");
    says(&page, "<p>three, ghost:entries=4 failed: &lt;why&gt;</p>");
    says(&page, "<span>leno</span> <span>compare</span> <span>&lt;x&gt;</span></code>");
    buf_free(&page);
}

/* A page is UTF-8, whatever a file's name is. */
static void bytes_are_characters(void **state)
{
    struct buf out = { 0 };

    (void)state;
    html_text(&out, "a\xe9\xc3\xa9\001\n\xff<");
    assert_string_equal(buf_text(&out), "a&#xfffd;\xc3\xa9&#xfffd;\n&#xfffd;&lt;");
    buf_free(&out);
}

/* A baseline alone has nothing to be compared with. */
static void one_column_is_a_page(void **state)
{
    struct grid lone = { program, column, 1, 1, facts, NULL, NULL, NULL, NULL };
    struct buf page = { 0 };

    (void)state;
    put_page(&lone, &page);
    assert_int_equal(count(buf_text(&page), "How many times"), 0);
    assert_int_equal(count(buf_text(&page), "<rect "), 2 + 2);
    assert_int_equal(count(buf_text(&page), "nan"), 0);
    buf_free(&page);
}

/* Parts of nothing are not drawn. */
static void a_baseline_without_slots_has_no_bars(void **state)
{
    static const struct facts bare[COLUMNS] = {
        { .cycles = 10 },
        { .cycles = 5, .slot = { [STALL_issued] = 5 } },
    };
    struct grid g = { program, column, 1, COLUMNS, bare, NULL, NULL, NULL, NULL };
    struct buf page = { 0 };

    (void)state;
    put_page(&g, &page);
    assert_int_equal(count(buf_text(&page), "<rect "), 2); /* of speed-ups alone */
    assert_int_equal(count(buf_text(&page), "inf"), 0);
    buf_free(&page);
}

/* Few bars are wider, long names have more room; many bars have their least width. */
static void charts_fit(void **state)
{
    struct svg_scale s = svg_scale_of(0, 1);
    double foot;

    (void)state;
    assert_true(s.bar == SVG_BAR);
    svg_fit(&s, 2, 4);
    foot = s.foot;
    assert_true(s.bar == 28);
    svg_fit(&s, 29, 14);
    assert_true(s.bar == 16 && s.foot > foot + 40);
    assert_true(svg_left_of(&s, 1, 3) - svg_left_of(&s, 0, 3) == 3 * 16 + SVG_GAP);
    svg_fit(&s, 1000, 400);
    assert_true(s.bar == SVG_BAR && s.foot == 118);
}

/* A cause has the same words and colour in every page, and no two have the same. */
static void causes_have_words(void **state)
{
    struct buf json = { 0 };

    (void)state;
    cause_words_json(&json);
    says(&json, "\"memory\": {\"label\": \"load (long scoreboard)\", \"color\": "
                "\"#1f77b4\", \"nsight\": \"long_scoreboard\", \"help\": "
                "\"waits for a load\"}");
    for (unsigned c = 0; c < N_STALL; c++) {
        assert_non_null(cause_label((enum stall)c));
        assert_int_equal(count(buf_text(&json), cause_color((enum stall)c)), 1);
    }
    buf_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_there),
        cmocka_unit_test(bars_have_their_heights),
        cmocka_unit_test(names_stay_text),
        cmocka_unit_test(bytes_are_characters),
        cmocka_unit_test(one_column_is_a_page),
        cmocka_unit_test(a_baseline_without_slots_has_no_bars),
        cmocka_unit_test(charts_fit),
        cmocka_unit_test(causes_have_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
