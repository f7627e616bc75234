/* test_param.c - parameter tables: defaults, values from text, ini files and back, and
 * every message a wrong one gets.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "config/hash.h"
#include "config/param.h"
#include "json_check.h"

#define CACHE_PARAMS(NUM, ENUM, BOOL)                          \
    NUM(lines, 512, 1, 65536, "line", "lines of the cache")    \
    NUM(size, 65536, 0, 1048576, "B", "bytes of data")         \
    NUM(any, 7, 0, UINT32_MAX, "", "a count without limits")   \
    ENUM(write, 1, "through|back|none", "what a store | does") \
    BOOL(sectored, true, "a line is filled by sectors")        \
    BOOL(perfect, false, "every access hits")
struct cache_params {
    CACHE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
#define PARAM_OF struct cache_params
static const struct param_group cache_group =
    PARAM_GROUP("l1", "the cache of an SM", CACHE_PARAMS);
#undef PARAM_OF

#define DRAM_PARAMS(NUM, ENUM, BOOL) NUM(banks, 16, 1, 64, "bank", "banks of a channel")
struct dram_params {
    DRAM_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
#define PARAM_OF struct dram_params
static const struct param_group dram_group =
    PARAM_GROUP("mem.dram", "a channel", DRAM_PARAMS);
#undef PARAM_OF

static const struct param_group empty_group = { .prefix = "empty", .help = "nothing" };

/* Two groups with their values, and the error of the last call. */
struct rig {
    struct cache_params l1;
    struct dram_params dram;
    struct param_binding b[3];
    struct err err;
};
enum { N = 3 };

static struct rig *rig_of(void **state)
{
    return *state;
}

static int set_up(void **state)
{
    struct rig *r = calloc(1, sizeof *r);

    if (!r)
        return -1;
    r->b[0] = (struct param_binding){ &cache_group, &r->l1 };
    r->b[1] = (struct param_binding){ &empty_group, NULL };
    r->b[2] = (struct param_binding){ &dram_group, &r->dram };
    param_defaults(r->b, N);
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static int set(struct rig *r, const char *key, const char *value)
{
    memset(&r->err, 0, sizeof r->err);
    return param_set(r->b, N, key, value, "--set", &r->err);
}

static void refuses(struct rig *r, const char *key, const char *value,
                    const char *words)
{
    struct cache_params before = r->l1;

    assert_int_equal(set(r, key, value), -1);
    assert_string_equal(r->err.text, words);
    assert_int_equal(r->err.code, ERR_INPUT);
    assert_memory_equal(&before, &r->l1, sizeof before);
}

static int read_text(struct rig *r, const char *text)
{
    memset(&r->err, 0, sizeof r->err);
    return param_read(
        r->b, N,
        &(struct param_source){ .name = "x.ini", .text = text, .size = strlen(text) },
        &r->err);
}

static void refuses_text(struct rig *r, const char *text, const char *words)
{
    assert_int_equal(read_text(r, text), -1);
    assert_string_equal(r->err.text, words);
}

static void fields_get_their_defaults(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(r->l1.lines, 512);
    assert_int_equal(r->l1.size, 65536);
    assert_int_equal(r->l1.write, 1);
    assert_true(r->l1.sectored);
    assert_false(r->l1.perfect);
    assert_int_equal(r->dram.banks, 16);
}

static void numbers_are_read(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(set(r, "l1.lines", "1"), 0);
    assert_int_equal(r->l1.lines, 1);
    assert_int_equal(set(r, "l1.lines", "0x1F"), 0);
    assert_int_equal(r->l1.lines, 31);
    assert_int_equal(set(r, "l1.lines", "65536"), 0);
    assert_int_equal(r->l1.lines, 65536);
    assert_int_equal(set(r, "l1.any", "4294967295"), 0);
    assert_int_equal(r->l1.any, UINT32_MAX);
    assert_int_equal(set(r, "l1.any", "0xffffffff"), 0);
    assert_int_equal(set(r, "l1.any", "010"), 0);
    assert_int_equal(r->l1.any, 10); /* not octal */
    assert_int_equal(set(r, "mem.dram.banks", "64"), 0);
    assert_int_equal(r->dram.banks, 64);
}

static void bytes_take_a_suffix(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(set(r, "l1.size", "128K"), 0);
    assert_int_equal(r->l1.size, 131072);
    assert_int_equal(set(r, "l1.size", "1M"), 0);
    assert_int_equal(r->l1.size, 1048576);
    assert_int_equal(set(r, "l1.size", "0x10K"), 0);
    assert_int_equal(r->l1.size, 16384);
    refuses(r, "l1.size", "2M",
            "--set: l1.size: expected a number from 0 to 1048576 (B, with K or M for "
            "1024 or 1048576 of them), got '2M'");
    assert_int_equal(set(r, "l1.size", "5000M"), -1); /* over 32 bits */
    assert_int_equal(set(r, "l1.size", "4096M"), -1); /* 0 in 32 bits */
    assert_int_equal(set(r, "l1.size", "1KK"), -1);
    assert_int_equal(set(r, "l1.size", "1k"), -1);
    assert_int_equal(set(r, "l1.size", "K"), -1);
    refuses(r, "l1.lines", "1K",
            "--set: l1.lines: expected a number from 1 to 65536 (line), got '1K'");
    refuses(r, "l1.any", "1K",
            "--set: l1.any: expected a number from 0 to 4294967295, got '1K'");
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const bad[] = {
        "",     "x",          "-1",    "+1",
        "1 ",   " 1",         "1.5",   "0x",
        "0xg",  "1e3",        "0",     "1a",
        "0X10", "4294967296", "65537", "99999999999999999999999999999999"
    };
    struct rig *r = rig_of(state);

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(set(r, "l1.lines", bad[i]), -1);
        assert_non_null(strstr(r->err.text, "expected a number from 1 to 65536"));
        assert_int_equal(r->l1.lines, 512);
    }
}

static void flags_have_four_spellings(void **state)
{
    static const char *const on[] = { "on", "yes", "true", "1" };
    static const char *const off[] = { "off", "no", "false", "0" };
    struct rig *r = rig_of(state);

    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(set(r, "l1.perfect", on[i]), 0);
        assert_true(r->l1.perfect);
        assert_int_equal(set(r, "l1.perfect", off[i]), 0);
        assert_false(r->l1.perfect);
    }
    refuses(r, "l1.perfect", "maybe",
            "--set: l1.perfect: expected on or off, got 'maybe'");
    refuses(r, "l1.perfect", "", "--set: l1.perfect: expected on or off, got ''");
    refuses(r, "l1.perfect", "2", "--set: l1.perfect: expected on or off, got '2'");
}

static void choices_are_listed(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(set(r, "l1.write", "through"), 0);
    assert_int_equal(r->l1.write, 0);
    assert_int_equal(set(r, "l1.write", "none"), 0);
    assert_int_equal(r->l1.write, 2);
    refuses(r, "l1.write", "bakc",
            "--set: l1.write: expected one of through, back, none, got 'bakc' (did you "
            "mean 'back'?)");
    refuses(r, "l1.write", "0",
            "--set: l1.write: expected one of through, back, none, got '0'");
    assert_int_equal(set(r, "l1.write", ""), -1);
    assert_int_equal(set(r, "l1.write", "through|back"), -1);
    assert_int_equal(set(r, "l1.write", "throug"), -1);
}

static void unknown_keys_name_the_nearest(void **state)
{
    struct rig *r = rig_of(state);

    refuses(r, "l1.linse", "4",
            "--set: no parameter 'l1.linse' (did you mean 'l1.lines'?)");
    refuses(r, "banks", "4",
            "--set: no parameter 'banks' (did you mean 'mem.dram.banks'?)");
    refuses(r, "dram.banks", "4",
            "--set: no parameter 'dram.banks' (did you mean 'mem.dram.banks'?)");
    refuses(r, "window", "4",
            "--set: no parameter 'window'; there are groups l1, empty, mem.dram");
    refuses(r, "", "4", "--set: no parameter ''; there are groups l1, empty, mem.dram");
    assert_int_equal(set(r, "l1", "4"), -1);
    assert_int_equal(set(r, "l1.", "4"), -1);
    assert_int_equal(set(r, "l1lines", "4"), -1);
    assert_int_equal(set(r, "l1-lines", "4"), -1);
    assert_int_equal(set(r, "l1.lines.x", "4"), -1);
    assert_int_equal(set(r, "l2.lines", "4"), -1);
    assert_int_equal(param_set(r->b, N, "x", "1", "--set", NULL), -1);
}

static void a_key_may_carry_its_value(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(set(r, "l1.lines=9", NULL), 0);
    assert_int_equal(r->l1.lines, 9);
    refuses(r, "l1.lines", NULL, "--set: expected KEY=VALUE, got 'l1.lines'");
    refuses(r, "l1.lines=", NULL,
            "--set: l1.lines: expected a number from 1 to 65536 (line), got ''");
    assert_int_equal(set(r, "=1", NULL), -1);
    assert_int_equal(set(r, "l1.lines=1=2", NULL), -1);
}

static void ini_text_is_read(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(read_text(r, ""), 0);
    assert_int_equal(read_text(r, "; a machine\r\n"
                                  "l1.any = 3\n"
                                  "\n"
                                  "[l1]\r\n"
                                  "  lines = 8 ; eight # lines\n"
                                  "\tsize=4K\t# bytes\n"
                                  "# write = none\n"
                                  "mem.dram.banks = 2\n"
                                  "[mem.dram]\n"
                                  "[l1]\n"
                                  "sectored = no"),
                     0);
    assert_int_equal(r->l1.any, 3);
    assert_int_equal(r->l1.lines, 8);
    assert_int_equal(r->l1.size, 4096);
    assert_int_equal(r->l1.write, 1);
    assert_false(r->l1.sectored);
    assert_int_equal(r->dram.banks, 2);
}

static void ini_errors_name_file_and_line(void **state)
{
    struct rig *r = rig_of(state);

    refuses_text(
        r, "[l1]\n\nlines = 0\n",
        "x.ini:3: l1.lines: expected a number from 1 to 65536 (line), got '0'");
    refuses_text(r, "[l1]\nlinse = 1\n",
                 "x.ini:2: no parameter 'l1.linse' (did you mean 'l1.lines'?)");
    refuses_text(r, "lines = 1\n",
                 "x.ini:1: no parameter 'lines' (did you mean 'l1.lines'?)");
    refuses_text(r, "\n\nwhat is this\n[l1]\nlines = 0\n",
                 "x.ini:3: expected [group], name = value or a comment");
    refuses_text(r, "[l1\nlines = 1\n",
                 "x.ini:1: expected [group], name = value or a comment");
    refuses_text(
        r, "[l1]\nlines = 0\nwhat is this\n",
        "x.ini:2: l1.lines: expected a number from 1 to 65536 (line), got '0'");
    refuses_text(r, "[l1]\nlines = 4\nl1.lines = 4\n",
                 "x.ini:3: l1.lines is set in line 2 already");
    refuses_text(r, "[l1]\nlines =\n",
                 "x.ini:2: l1.lines: expected a number from 1 to 65536 (line), got ''");
    refuses_text(
        r, "[l1]\nlines = 1;2\n",
        "x.ini:2: l1.lines: expected a number from 1 to 65536 (line), got '1;2'");
    /* An indented line is a line of its own, not more of the one before. */
    refuses_text(r, "[l1]\nlines = 1\n  size\n",
                 "x.ini:3: expected [group], name = value or a comment");
}

static void ini_bytes_are_checked(void **state)
{
    struct rig *r = rig_of(state);
    struct param_source s = { .name = "x.ini",
                              .text = "l1.any = 1\nl1.li\0nes = 1",
                              .size = 22 };
    struct buf long_line = { 0 };

    assert_int_equal(param_read(r->b, N, &s, &r->err), -1);
    assert_string_equal(r->err.text, "x.ini:2: not a text: it has a byte of value 0");
    buf_puts(&long_line, "[l1]\nlines = 1 ; ");
    for (int i = 0; i < 5000; i++)
        buf_putc(&long_line, 'x');
    assert_int_equal(read_text(r, buf_text(&long_line)), 0); /* only a comment */
    buf_puts(&long_line, "\nsize = ");
    for (int i = 0; i < 5000; i++)
        buf_putc(&long_line, '0');
    refuses_text(r, buf_text(&long_line), "x.ini:3: line too long");
    buf_free(&long_line);
    /* No more is read than the size says. */
    s = (struct param_source){ .name = "x.ini", .text = "l1.any = 42", .size = 10 };
    assert_int_equal(param_read(r->b, N, &s, &r->err), 0);
    assert_int_equal(r->l1.any, 4);
}

static int give_base(void *to, const char *preset, struct err *err)
{
    struct rig *r = to;

    if (strcmp(preset, "small") != 0)
        return err_set(err, "no preset '%s'", preset);
    r->l1.lines = 2;
    r->dram.banks = 2;
    return 0;
}

static int read_based(struct rig *r, const char *text)
{
    struct param_source s = { "y.ini", text, strlen(text), give_base, r };

    return param_read(r->b, N, &s, &r->err);
}

static void a_base_is_read_first(void **state)
{
    struct rig *r = rig_of(state);

    assert_int_equal(
        read_based(r, "; c\nbase = small ; the same but\n[l1]\nlines = 3\n"), 0);
    assert_int_equal(r->l1.lines, 3);
    assert_int_equal(r->dram.banks, 2);
    assert_int_equal(read_based(r, "base = smal\n"), -1);
    assert_string_equal(r->err.text, "y.ini:1: no preset 'smal'");
    assert_int_equal(read_based(r, "l1.lines = 4\nbase = small\n"), -1);
    assert_string_equal(r->err.text,
                        "y.ini:2: 'base' has to come before any other key");
    assert_int_equal(read_based(r, "base = small\nbase = small\n"), -1);
    assert_int_equal(read_based(r, "[l1]\nbase = small\n"), -1);
    assert_non_null(strstr(r->err.text, "no parameter 'l1.base'"));
    refuses_text(r, "base = small\n", "x.ini:1: 'base' has no meaning here");
}

static void change_all(struct rig *r)
{
    r->l1 = (struct cache_params){ 77, 4096, UINT32_MAX, 2, false, true };
    r->dram.banks = 3;
}

static void a_dump_reads_back_equal(void **state)
{
    struct rig *r = rig_of(state);
    struct cache_params changed;
    struct buf b = { 0 }, again = { 0 };

    change_all(r);
    changed = r->l1;
    param_dump(r->b, N, &b);
    assert_non_null(strstr(buf_text(&b), "[l1] ; the cache of an SM\n"
                                         "lines = 77                       ; "
                                         "1 to 65536 line: lines of the cache\n"));
    assert_non_null(
        strstr(buf_text(&b), "; through, back, none: what a store | does\n"));
    assert_null(strstr(buf_text(&b), "empty"));
    param_defaults(r->b, N);
    assert_int_equal(r->l1.lines, 512);
    assert_int_equal(read_text(r, buf_text(&b)), 0);
    assert_memory_equal(&changed, &r->l1, sizeof changed);
    assert_int_equal(r->dram.banks, 3);
    param_dump(r->b, N, &again);
    assert_string_equal(buf_text(&b), buf_text(&again));
    buf_free(&b);
    buf_free(&again);
}

static void json_has_every_value(void **state)
{
    struct rig *r = rig_of(state);
    struct buf b = { 0 };

    param_json(r->b, N, &b);
    assert_string_equal(buf_text(&b), "{\"l1.lines\": 512,\n \"l1.size\": 65536,\n"
                                      " \"l1.any\": 7,\n \"l1.write\": \"back\",\n"
                                      " \"l1.sectored\": true,\n"
                                      " \"l1.perfect\": false,\n"
                                      " \"mem.dram.banks\": 16}");
    assert_true(json_is_valid(buf_text(&b)));
    buf_clear(&b);
    param_json(r->b + 1, 1, &b);
    assert_string_equal(buf_text(&b), "{}");
    buf_free(&b);
}

static void docs_are_tables(void **state)
{
    const struct param_group *groups[] = { &cache_group, &dram_group };
    struct buf b = { 0 };

    (void)state;
    param_docs(groups, 2, &b);
    assert_non_null(strstr(buf_text(&b), "## l1\n\nthe cache of an SM\n\n| key |"));
    assert_non_null(strstr(
        buf_text(&b), "| `l1.size` | 65536 | 0 to 1048576 | B | bytes of data |\n"));
    assert_non_null(strstr(buf_text(&b),
                           "| `l1.write` | back | through, back, none |  | "
                           "what a store \\| does |\n"));
    assert_non_null(strstr(buf_text(&b), "| `l1.sectored` | on | on, off |  | "));
    assert_non_null(strstr(buf_text(&b), "\n\n## mem.dram\n"));
    buf_free(&b);
}

static void the_hash_follows_values_only(void **state)
{
    struct rig *r = rig_of(state);
    uint64_t before = param_hash(r->b, N), other;
    struct param_binding turned[] = { r->b[2], r->b[0] };

    /* A key of stored results: this very number must not change with the code. */
    assert_int_equal(before, UINT64_C(0x12a857c4f191f7cf));
    assert_int_equal(param_hash(turned, 2), before);
    r->l1.lines = 511;
    other = param_hash(r->b, N);
    assert_int_not_equal(other, before);
    r->l1.lines = 512;
    r->l1.any = 8;
    assert_int_not_equal(param_hash(r->b, N), before);
    assert_int_not_equal(param_hash(r->b, N), other);
    r->l1.any = 7;
    r->l1.perfect = true;
    assert_int_not_equal(param_hash(r->b, N), before);
    r->l1.perfect = false;
    assert_int_equal(param_hash(r->b, N), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fields_get_their_defaults),
        TEST(numbers_are_read),
        TEST(bytes_take_a_suffix),
        TEST(what_is_no_number_is_refused),
        TEST(flags_have_four_spellings),
        TEST(choices_are_listed),
        TEST(unknown_keys_name_the_nearest),
        TEST(a_key_may_carry_its_value),
        TEST(ini_text_is_read),
        TEST(ini_errors_name_file_and_line),
        TEST(ini_bytes_are_checked),
        TEST(a_base_is_read_first),
        TEST(a_dump_reads_back_equal),
        TEST(json_has_every_value),
        TEST(docs_are_tables),
        TEST(the_hash_follows_values_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
