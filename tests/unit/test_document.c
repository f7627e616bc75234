/* test_document.c - JSON that is valid whatever names are, and what documents share. */
#include <stdio.h>

#include "base/document.h"
#include "base/revision.h"
#include "base/utf8.h"
#include "check.h"

static void characters_have_lengths(void **state)
{
    static const struct {
        const char *text;
        unsigned length;
    } cases[] = {
        { "a", 1 },
        { "\x7f", 1 },
        { "", 0 },
        { "\x80", 0 },     /* not a first byte */
        { "\xc2\x80", 2 }, /* U+0080 */
        { "\xc1\xbf", 0 }, /* longer than needed */
        { "\xc3", 0 },     /* cut off */
        { "\xc3(", 0 },
        { "\xe0\xa0\x80", 3 }, /* U+0800 */
        { "\xe0\x9f\xbf", 0 }, /* longer than needed */
        { "\xed\x9f\xbf", 3 }, /* U+D7FF */
        { "\xed\xa0\x80", 0 }, /* half of a pair */
        { "\xef\xbf\xbf", 3 }, /* U+FFFF */
        { "\xe2\x82", 0 },
        { "\xf0\x90\x80\x80", 4 }, /* U+10000 */
        { "\xf0\x8f\xbf\xbf", 0 },
        { "\xf4\x8f\xbf\xbf", 4 }, /* U+10FFFF */
        { "\xf4\x90\x80\x80", 0 },
        { "\xf5\x80\x80\x80", 0 },
        { "\xff", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_length(cases[i].text), cases[i].length);
}

static void strings_are_utf8(void **state)
{
    struct buf b = { 0 };

    (void)state;
    json_string(&b, "a\"\\\n\xc3\xa9\xe9z\xf0\x9f\x98\x80\xff");
    assert_string_equal(buf_text(&b),
                        "\"a\\\"\\\\\\u000a\xc3\xa9\\u00e9z\xf0\x9f\x98\x80\\u00ff\"");
    buf_free(&b);
}

static void a_document_begins(void **state)
{
    struct buf b = { 0 };
    char expected[200];

    (void)state;
    document_begin(&b, "run");
    snprintf(expected, sizeof expected,
             "{\"leno\": \"" LENO_VERSION "\", \"schema\": \"leno.run/1\", "
             "\"revision\": \"%s\"",
             revision_text());
    assert_string_equal(buf_text(&b), expected);
    buf_free(&b);
}

static void the_last_setting_counts(void **state)
{
    struct buf b = { 0 };

    (void)state;
    document_settings(&b, "");
    assert_string_equal(buf_text(&b), ", \"settings\": {}");
    buf_clear(&b);
    document_settings(&b, "a.b=1\na.bc=2\na.b=x=y\n");
    assert_string_equal(buf_text(&b),
                        ", \"settings\": {\"a.bc\": \"2\", \"a.b\": \"x=y\"}");
    buf_free(&b);
}

static void outcomes(void **state)
{
    struct err err = { .text = "old words" };
    struct buf b = { 0 };

    (void)state;
    document_outcome(&b, &err);
    assert_string_equal(buf_text(&b),
                        ", \"ok\": true, \"exit_code\": 0, \"message\": \"\"");
    buf_clear(&b);
    err_kind(&err, ERR_TRAP, "it trapped");
    document_outcome(&b, &err);
    assert_string_equal(
        buf_text(&b), ", \"ok\": false, \"exit_code\": 6, \"message\": \"it trapped\"");
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_have_lengths),
        cmocka_unit_test(strings_are_utf8),
        cmocka_unit_test(a_document_begins),
        cmocka_unit_test(the_last_setting_counts),
        cmocka_unit_test(outcomes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
