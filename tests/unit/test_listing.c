/* test_listing.c - listings against those nvdisasm 13.0 made of the same files, line
 * by line, and our own additions: control words and JSON.
 */
/* cmocka.h needs the headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "frontend/sass/listing.h"

#define DATA "tests/data/cubin/"

static const unsigned sms[] = { 75, 86, 90 };

static struct file read_file(const char *kind, unsigned sm, const char *ending)
{
    struct file f;
    struct err err;
    char path[256];

    snprintf(path, sizeof path, DATA "%s.sm_%u.%s", kind, sm, ending);
    if (file_read(path, 1 << 20, &f, &err))
        fail_msg("%s", err.text);
    return f;
}

static void list(struct buf *out, const struct file *f, struct listing_options o)
{
    struct cubin c;
    struct err err;

    if (cubin_parse(&c, "x", f->data, f->size, &err) || sass_listing(out, &c, &o, &err))
        fail_msg("%s", err.text);
    cubin_free(&c);
}

static void list_file(struct buf *out, const char *kind, unsigned sm,
                      struct listing_options o)
{
    struct file f = read_file(kind, sm, "cubin");

    list(out, &f, o);
    file_free(&f);
}

static const char *line_end(const char *p)
{
    const char *end = strchr(p, '\n');

    return end ? end : p + strlen(p);
}

/* Everything but blanks and tabs. */
static void add_text(struct buf *out, const char *p, const char *end)
{
    for (; p < end; p++)
        if (*p != ' ' && *p != '\t')
            buf_putc(out, *p);
}

/* An instruction without its own words: the offset, and what is in `( ) and (* *). */
static void add_frame(struct buf *out, const char *p, const char *end)
{
    const char *text = strstr(p, "*/");
    bool inside = false;

    if (strncmp(p, "        /*", 10) != 0 || !text || text > end) {
        add_text(out, p, end);
        return;
    }
    add_text(out, p, text);
    for (p = text; p < end; p++) {
        if (*p == '`' || strncmp(p, "(*", 2) == 0)
            inside = true;
        if (inside)
            buf_putc(out, *p);
        if (*p == ')')
            inside = false;
    }
}

static void compare(const char *ours, const char *theirs, bool whole)
{
    for (unsigned line = 1; *ours || *theirs; line++) {
        const char *end = line_end(ours), *their_end = line_end(theirs);
        struct buf a = { 0 }, b = { 0 };

        (whole ? add_text : add_frame)(&a, ours, end);
        (whole ? add_text : add_frame)(&b, theirs, their_end);
        if (strcmp(buf_text(&a), buf_text(&b)) != 0)
            fail_msg("line %u is\n%.*s\nexpected\n%.*s", line, (int)(end - ours), ours,
                     (int)(their_end - theirs), theirs);
        buf_free(&a);
        buf_free(&b);
        ours = *end ? end + 1 : end;
        theirs = *their_end ? their_end + 1 : their_end;
    }
}

static void compare_all(bool whole)
{
    for (unsigned i = 0; i < 3; i++) {
        struct buf out = { 0 }, expected = { 0 };
        struct file lst = read_file("mixed", sms[i], "lst");

        list_file(&out, "mixed", sms[i], (struct listing_options){ 0 });
        buf_add(&expected, lst.data, lst.size);
        compare(buf_text(&out), buf_text(&expected), whole);
        buf_free(&out);
        buf_free(&expected);
        file_free(&lst);
    }
}

/* Sections, symbols, labels and their numbers, whatever an instruction's text. */
static void test_frame(void **state)
{
    (void)state;
    compare_all(false);
}

static void test_whole(void **state)
{
    (void)state;
    compare_all(true);
}

static void expect(const struct buf *b, const char *text)
{
    if (!strstr(buf_text(b), text))
        fail_msg("no \"%s\" in the listing", text);
}

static void test_relocations(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct buf out = { 0 };

        list_file(&out, "linked", sms[i], (struct listing_options){ 0 });
        expect(&out, "\t.elftype\t@\"ET_EXEC\"\n");
        expect(&out, ", 32@lo(table)");
        expect(&out, ", 32@hi(table)");
        expect(&out, ", 32@lo((_Z2kbPii + .L_x_0@srel)) ;\n");
        expect(&out, ", 32@hi((_Z2kaPii + .L_x_6@srel)) ;\n");
        expect(&out, "CALL.ABS.NOINC `(_Z6ext_fni) ;\n");
        expect(&out, "CALL.ABS.NOINC `(vprintf) ;\n.L_x_1:\n");
        /* A weak function's symbol precedes its section's, so it is shown after it. */
        expect(&out, "\n.text._ZN1D1gEi:\n        .weak           _ZN1D1gEi\n");
        expect(&out, "\n_Z2f1i:\n.text._Z2f1i:\n");
        buf_free(&out);
    }
}

static void test_object(void **state)
{
    struct buf out = { 0 };

    (void)state;
    list_file(&out, "object", 86, (struct listing_options){ 0 });
    expect(&out, "\t.elftype\t@\"ET_REL\"\n");
    expect(&out, "c[`(cptr)]");
    expect(&out, "\t.type\t\t_Z6ext_fni,@function\n");
    buf_free(&out);
}

static void test_control(void **state)
{
    struct buf out = { 0 };

    (void)state;
    list_file(&out, "mixed", 90,
              (struct listing_options){ .hex = true, .control = true });
    expect(&out, "\nB------:R-:W-:-:S01          /*0000*/");
    expect(&out, "\nB------:R-:W0:-:S01          /*0010*/");
    expect(&out, "/* 0x00000a00ff017b82 */\n");
    expect(&out, "/* 0x000fe20000000800 */\n");
    buf_free(&out);
}

/* Strings closed, brackets nested and balanced: enough to catch a wrong comma or a
 * quote that was not escaped. */
static void check_json(const char *p)
{
    char open[16];
    unsigned depth = 0;
    char last = 0;

    for (; *p; p++) {
        if (*p == '"') {
            for (p++; *p && *p != '"'; p++)
                p += *p == '\\';
            assert_int_equal(*p, '"');
        } else if (*p == '{' || *p == '[') {
            assert_true(depth < sizeof open);
            open[depth++] = *p;
        } else if (*p == '}' || *p == ']') {
            assert_true(depth > 0);
            assert_int_equal(open[--depth], *p == '}' ? '{' : '[');
            assert_int_not_equal(last, ',');
        }
        if (*p != ' ' && *p != '\n')
            last = *p;
    }
    assert_int_equal(depth, 0);
}

static void test_json(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct buf out = { 0 };

        list_file(&out, "mixed", sms[i], (struct listing_options){ .json = true });
        check_json(buf_text(&out));
        expect(&out, "{\"name\":\"_Z2k3PdPy\",\"offset\":0,");
        expect(&out, "\"kernel\":true}");
        expect(&out, "\"label\":\".L_x_0\",");
        expect(&out, "\"control\":\"B------:R-:W0:-:S");
        expect(&out, "\"undefined\":[\"vprintf\"]}");
        buf_free(&out);
    }
}

/* A word that is no instruction, and a name that would move the cursor. */
static void test_strange(void **state)
{
    struct file f = read_file("mixed", 86, "cubin");
    struct buf out = { 0 };
    struct cubin c;
    struct err err;
    uint64_t at;
    uint8_t *name;

    (void)state;
    assert_int_equal(cubin_parse(&c, "x", f.data, f.size, &err), 0);
    at = c.sections[cubin_find_section(&c, ".text._Z2k4P6__halfS0_Pf")].offset;
    cubin_free(&c);
    memset(f.data + at + 16, 0xff, 16);
    name = memmem(f.data, f.size, "\0vprintf", 9);
    assert_non_null(name);
    name[1] = '\033';
    list(&out, &f, (struct listing_options){ 0 });
    expect(&out,
           "/*0010*/                   UNKNOWN 0xffffffffffffffffffffffffffffffff");
    expect(&out, "\t.type\t\t?printf,@function\n");
    buf_clear(&out);
    list(&out, &f, (struct listing_options){ .json = true });
    expect(&out, "\"undefined\":[\"\\u001bprintf\"]");
    check_json(buf_text(&out));
    buf_free(&out);
    file_free(&f);
}

static void test_older_head(void **state)
{
    struct file f = read_file("mixed", 75, "cubin");
    struct buf out = { 0 };

    (void)state;
    f.data[7] = 0x33;
    memcpy(f.data + 48, "\x4b\x05\x4b\x00", 4);
    list(&out, &f, (struct listing_options){ 0 });
    expect(&out, "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS "
                 "EF_CUDA_SM75 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM75)\"\n"
                 "\t.elftype\t@\"ET_EXEC\"\n");
    buf_free(&out);
    file_free(&f);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static void test_damaged(void **state)
{
    static const char *const kinds[] = { "data", "object" };
    uint32_t seed = 7;

    (void)state;
    for (unsigned n = 0; n < 6; n++) {
        struct file f = read_file(kinds[n & 1], sms[n / 2], "cubin");
        uint8_t *copy = malloc(f.size);

        for (unsigned round = 0; round < 100; round++) {
            struct listing_options o = { .hex = round & 1, .json = (round & 3) == 2 };
            struct buf out = { 0 };
            struct cubin c;
            struct err err = { 0 };

            memcpy(copy, f.data, f.size);
            for (unsigned k = 0; k <= next_random(&seed) % 6; k++)
                copy[64 + next_random(&seed) % (f.size - 64)] =
                    (uint8_t)next_random(&seed);
            if (cubin_parse(&c, "x", copy, f.size, &err) == 0) {
                if (sass_listing(&out, &c, &o, &err) == 0)
                    assert_true(out.len > 0);
                cubin_free(&c);
            }
            buf_free(&out);
        }
        free(copy);
        file_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),       cmocka_unit_test(test_whole),
        cmocka_unit_test(test_relocations), cmocka_unit_test(test_object),
        cmocka_unit_test(test_control),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_strange),     cmocka_unit_test(test_older_head),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
