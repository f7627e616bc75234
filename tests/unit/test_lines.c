/* test_lines.c - source lines of a cubin (nvcc -lineinfo of tests/data/cubin/lines.cu), and
 * tables that are damaged: no lines then, a reason, and the code can be loaded.
 */
/* cmocka.h needs the headers before it. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/space.h"
#include "frontend/sass/load/module.h"

static struct file load_file(void)
{
    struct file f;
    struct err err;

    if (file_read("tests/data/cubin/lines.sm_75.cubin", 1 << 20, &f, &err))
        fail_msg("%s", err.text);
    return f;
}

static void load_module(struct sass_module *m, struct space *space,
                        const struct file *f)
{
    struct err err;

    if (space_init(space, 0x10000000, 1 << 22, &err) ||
        sass_module_load(m, space, SASS_CODE_BASE,
                         &(struct sass_image){ "lines", f->data, f->size }, &err))
        fail_msg("%s", err.text);
}

static void unload(struct sass_module *m, struct space *space)
{
    sass_module_free(m);
    space_free_all(space);
}

/* The line of the first instruction of this text in a kernel's section. */
static uint32_t line_of(const struct sass_module *m, const char *kernel,
                        uint64_t offset, const char **file)
{
    const struct sass_kernel *k = sass_module_kernel(m, kernel);
    const struct sass_line *line;

    assert_non_null(k);
    line = sass_module_line(m, k->text_base + offset, file);
    return line ? line->line : 0;
}

/* The last entry of a section says that its code ends: there is no line from there on. */
static void check_ends(const struct sass_lines *l)
{
    uint32_t n_ends = 0;

    for (uint32_t n = 0; n < l->n; n++) {
        const struct sass_line *end = &l->at[n];

        if (n + 1 < l->n && l->at[n + 1].section == end->section)
            continue;
        n_ends++;
        assert_int_equal(end->line, 0);
        assert_null(sass_lines_find(l, end->section, end->offset));
        assert_non_null(sass_lines_find(l, end->section, end->offset - 16));
    }
    assert_int_equal(n_ends, 2); /* two kernels */
}

/* As nvdisasm -g prints them. */
static void test_lines(void **state)
{
    struct file f = load_file();
    struct sass_module m;
    struct space space;
    const char *file = NULL;
    char place[128];

    (void)state;
    load_module(&m, &space, &f);
    assert_string_equal(m.lines.why, "");
    assert_int_equal(line_of(&m, "_Z2k1PfPKfi", 0, &file), 12);
    assert_string_equal(strrchr(file, '/'), "/lines.cu");
    assert_int_equal(line_of(&m, "_Z2k1PfPKfi", 0x10, &file), 13);
    assert_int_equal(line_of(&m, "_Z2k1PfPKfi", 0xe0, &file), 16);
    /* Inlined text has its own line. */
    assert_int_equal(line_of(&m, "_Z2k1PfPKfi", 0x410, &file), 10);
    assert_int_equal(line_of(&m, "_Z2k2Pi", 0x10, &file), 107);
    assert_string_equal(strrchr(file, '/'), "/device_atomic_functions.hpp");
    check_ends(&m.lines);
    assert_null(sass_module_line(&m, m.code_base + 16 * m.n_code, &file));
    sass_module_place_line(&m, sass_module_kernel(&m, "_Z2k2Pi")->text_base, place,
                           sizeof place);
    assert_memory_equal(place, "_Z2k2Pi+0x0 (", 13);
    assert_non_null(strstr(place, "lines.cu:22)"));
    unload(&m, &space);
    file_free(&f);
}

/* Every byte of the table set to other values, and the table cut at every place: a reason or
 * lines, never anything outside of the file (sanitizers look). */
static void test_damage(void **state)
{
    struct file f = load_file();
    struct cubin c;
    struct err err;
    uint32_t section, n_bad = 0;
    uint8_t *at;
    uint64_t size;

    (void)state;
    if (cubin_parse(&c, "lines", f.data, f.size, &err))
        fail_msg("%s", err.text);
    section = cubin_find_section(&c, ".debug_line");
    assert_int_not_equal(section, 0);
    at = f.data + c.sections[section].offset;
    size = c.sections[section].size;
    for (uint64_t n = 0; n < 4 * size; n++) {
        static const uint8_t values[] = { 0, 1, 0x7f, 0xff };
        struct sass_lines l = { 0 };
        uint8_t before = at[n / 4];

        at[n / 4] = values[n % 4];
        assert_int_equal(sass_lines_read(&l, &c, "lines", &err), 0);
        assert_true(!*l.why || !l.n);
        n_bad += *l.why != '\0';
        sass_lines_free(&l);
        at[n / 4] = before;
    }
    assert_true(n_bad > 100);
    for (uint64_t n = 0; n < size; n++) {
        struct sass_lines l = { 0 };

        c.sections[section].size = n;
        assert_int_equal(sass_lines_read(&l, &c, "lines", &err), 0);
        assert_true(!n || *l.why);
        sass_lines_free(&l);
    }
    cubin_free(&c);
    file_free(&f);
}

/* A table that cannot be used says where and why. */
static void test_reason(void **state)
{
    struct file f = load_file();
    struct cubin c;
    struct err err;
    struct sass_lines l = { 0 };
    struct sass_module m;
    struct space space;
    const char *file;

    (void)state;
    if (cubin_parse(&c, "lines", f.data, f.size, &err))
        fail_msg("%s", err.text);
    f.data[c.sections[cubin_find_section(&c, ".debug_line")].offset + 4] = 9;
    assert_int_equal(sass_lines_read(&l, &c, "a.cubin", &err), 0);
    assert_string_equal(l.why,
                        "a.cubin: .debug_line at 0x6: version 9, expected 2 to 4");
    sass_lines_free(&l);
    load_module(&m, &space, &f); /* the code can be used without */
    assert_int_equal(line_of(&m, "_Z2k1PfPKfi", 0x10, &file), 0);
    unload(&m, &space);
    cubin_free(&c);
    file_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
