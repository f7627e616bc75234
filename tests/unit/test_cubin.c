/* test_cubin.c - the cubin reader on good files, on files of other kinds, and on
 * files cut short or damaged: whatever comes, an answer and no undefined behaviour.
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
#include "frontend/sass/load/cubin.h"
#include "frontend/sass/load/nvinfo.h"

#define DATA "tests/data/cubin/"

static struct file load(const char *name)
{
    struct file f;
    struct err err;
    char path[256];

    snprintf(path, sizeof path, DATA "%s", name);
    if (file_read(path, 1 << 20, &f, &err))
        fail_msg("%s", err.text);
    return f;
}

static void parse(struct cubin *c, struct file *f, const char *name)
{
    struct err err;

    *f = load(name);
    if (cubin_parse(c, name, f->data, f->size, &err))
        fail_msg("%s", err.text);
}

static const struct cubin_kernel *kernel(const struct cubin *c, const char *name)
{
    const struct cubin_kernel *k = cubin_find_kernel(c, name);

    if (!k)
        fail_msg("no kernel %s", name);
    return k;
}

static void check_mixed(const char *name, unsigned sm, uint32_t base, uint32_t reserved)
{
    struct cubin c;
    struct file f;
    const struct cubin_kernel *k;

    parse(&c, &f, name);
    assert_int_equal(c.sm, sm);
    assert_int_equal(c.n_kernels, 4);
    k = kernel(&c, "_Z2k1PfPKfi");
    assert_int_equal(k->n_params, 3);
    assert_int_equal(k->params[0].offset, 0);
    assert_int_equal(k->params[1].offset, 8);
    assert_int_equal(k->params[2].offset, 16);
    assert_int_equal(k->params[1].size, 8);
    assert_int_equal(k->params[2].size, 4);
    assert_int_equal(k->param_base, base);
    assert_int_equal(k->param_size, 20);
    assert_int_equal(k->shared, 512 + reserved);
    assert_int_equal(k->n_barriers, 1);
    assert_int_equal(k->n_exits, 2);
    assert_string_equal(c.sections[k->constants[0]].name, ".nv.constant0._Z2k1PfPKfi");
    assert_string_equal(c.sections[k->text].name, ".text._Z2k1PfPKfi");
    assert_int_equal(k->constants[5], 0);
    k = kernel(&c, "_Z2k2Pii");
    assert_int_equal(k->n_regs, 24);
    assert_int_equal(k->frame, 8);
    assert_int_equal(k->stack, 8);
    assert_int_equal(k->shared, 0);
    assert_int_not_equal(k->constants[2], 0);
    assert_null(cubin_find_kernel(&c, "vprintf"));
    assert_int_equal(cubin_find_section(&c, ".nv.no"), 0);
    cubin_free(&c);
    file_free(&f);
}

static void test_kernels(void **state)
{
    (void)state;
    check_mixed("mixed.sm_75.cubin", 75, 0x160, 0);
    check_mixed("mixed.sm_86.cubin", 86, 0x160, 0);
    check_mixed("mixed.sm_90.cubin", 90, 0x210, 0x400);
}

static void test_registers(void **state)
{
    static const char *const names[] = { "_Z2k1PfPKfi", "_Z2k3PdPy",
                                         "_Z2k4P6__halfS0_Pf" };
    static const unsigned sm75[] = { 21, 30, 26 }, sm86[] = { 23, 30, 22 };
    struct cubin a, b;
    struct file fa, fb;

    (void)state;
    parse(&a, &fa, "mixed.sm_75.cubin");
    parse(&b, &fb, "mixed.sm_86.cubin");
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(kernel(&a, names[i])->n_regs, sm75[i]);
        assert_int_equal(kernel(&b, names[i])->n_regs, sm86[i]);
    }
    cubin_free(&a);
    cubin_free(&b);
    file_free(&fa);
    file_free(&fb);
}

/* Parameter blocks over 4 KB use other records, and on sm_75/86 another base. */
static void test_params(void **state)
{
    static const char *const files[] = { "params.sm_75.cubin", "params.sm_86.cubin",
                                         "params.sm_90.cubin" };
    static const unsigned offsets[] = { 0, 8, 0x2718, 0x2738 };
    static const unsigned sizes[] = { 8, 10000, 32, 1 };

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct cubin c;
        struct file f;
        const struct cubin_kernel *k;

        parse(&c, &f, files[i]);
        k = kernel(&c, "_Z3bigPi5large6packedc");
        assert_int_equal(k->n_params, 4);
        for (unsigned p = 0; p < 4; p++) {
            assert_int_equal(k->params[p].offset, offsets[p]);
            assert_int_equal(k->params[p].size, sizes[p]);
        }
        assert_int_equal(k->param_size, 0x2739);
        assert_int_equal(k->param_base, c.sm == 90 ? 0x210 : 0x1a80);
        assert_int_equal(k->max_threads[0], 128);
        assert_int_equal(k->max_threads[1], 1);
        assert_int_equal(k->req_threads[0], 0);
        k = kernel(&c, "_Z5emptyv");
        assert_int_equal(k->n_params, 0);
        assert_int_equal(k->param_size, 0);
        assert_int_equal(k->param_base, c.sm == 90 ? 0x210 : 0x160);
        if (c.sm == 90) {
            k = kernel(&c, "_Z7clusterPi");
            assert_int_equal(k->cluster[0], 2);
            assert_int_equal(k->cluster[1], 2);
            assert_int_equal(k->cluster[2], 1);
        }
        cubin_free(&c);
        file_free(&f);
    }
}

static void test_relocs(void **state)
{
    struct cubin c;
    struct file f;
    unsigned n_rela = 0, n_rel = 0;

    (void)state;
    parse(&c, &f, "linked.sm_75.cubin");
    for (uint32_t i = 0; i < c.n_relocs; i++) {
        const struct cubin_reloc *r = &c.relocs[i];

        n_rela += r->has_addend;
        n_rel += !r->has_addend;
        if (r->type == 58 && r->offset == 0x160)
            assert_string_equal(c.symbols[r->symbol].name, "_Z6ext_fni");
        if (r->type == 56 && r->offset == 0xf0 && r->has_addend)
            assert_int_equal(r->addend, 0x120);
    }
    assert_int_equal(n_rela, 14);
    assert_int_equal(n_rel, 42);
    cubin_free(&c);
    file_free(&f);
}

/* The layout up to CUDA 12: another OSABI, the SM number in the low byte, register
 * counts and barriers in the section header. */
static void test_older_layout(void **state)
{
    struct file f = load("mixed.sm_75.cubin");
    struct cubin c, old;
    struct err err;
    uint64_t headers = cubin_u64(f.data + 40);
    const struct cubin_kernel *k;

    (void)state;
    assert_int_equal(cubin_parse(&c, "new", f.data, f.size, &err), 0);
    f.data[7] = 0x33;
    memcpy(f.data + 48, "\x4b\x05\x4b\x00", 4);
    /* Without REGCOUNT and NUM_BARRIERS records. */
    for (uint32_t i = 1; i < c.n_sections; i++) {
        const struct cubin_section *s = &c.sections[i];

        for (uint64_t at = s->offset;
             strncmp(s->name, ".nv.info", 8) == 0 && at < s->offset + s->size;) {
            uint8_t *p = f.data + at;

            at += p[0] == 4 ? 4u + cubin_u16(p + 2) : 4u;
            if (p[1] == 0x2f || p[1] == 0x4c)
                p[1] = 0x7f;
        }
        if (s->is_text && strcmp(s->name, ".text._Z2k1PfPKfi") == 0)
            f.data[headers + 64 * i + 8 + 2] = 0x10;
    }
    cubin_free(&c);
    if (cubin_parse(&old, "old", f.data, f.size, &err))
        fail_msg("%s", err.text);
    assert_int_equal(old.sm, 75);
    k = kernel(&old, "_Z2k1PfPKfi");
    assert_int_equal(k->n_regs, 21);
    assert_int_equal(k->n_barriers, 1);
    assert_int_equal(kernel(&old, "_Z2k3PdPy")->n_regs, 30);
    assert_int_equal(kernel(&old, "_Z2k3PdPy")->n_barriers, 0);
    cubin_free(&old);
    file_free(&f);
}

static void expect(struct file *f, const char *text)
{
    struct cubin c;
    struct err err = { 0 };

    assert_int_equal(cubin_parse(&c, "x.cubin", f->data, f->size, &err), -1);
    if (!strstr(err.text, text) || strncmp(err.text, "x.cubin: ", 9) != 0)
        fail_msg("message is \"%s\", expected \"%s\" in it", err.text, text);
}

static void test_messages(void **state)
{
    static const struct {
        size_t at;
        uint8_t byte;
        const char *text;
    } cases[] = {
        { 0, 'X', "not an ELF file" },
        { 4, 1, "ELF class 1, expected 2 (64-bit)" },
        { 5, 2, "expected 1 (little-endian)" },
        { 18, 62, "machine 62, expected 190" },
        { 7, 0, "OSABI 0x0" },
        { 49, 70,
          "is sm_70, expected one of sm_75, sm_80, sm_86, sm_87, sm_89, sm_90" },
        { 58, 40, "section headers of 40 bytes, expected 64" },
        { 46, 1, "past the end of the file" },
        { 61, 0xff, "section headers run past the end of the file" },
        { 62, 3, "section 3 is not a string table" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file f = load("mixed.sm_75.cubin");

        f.data[cases[i].at] = cases[i].byte;
        expect(&f, cases[i].text);
        file_free(&f);
    }
}

/* The nth record of a kind in a file, behind its first four bytes. */
static uint8_t *record(struct file *f, uint8_t attr, unsigned n)
{
    uint8_t size = attr == NVINFO_PARAM_CBANK ? 8 : 12;

    for (uint8_t *at = f->data; at + 4 + size <= f->data + f->size; at++)
        if (at[0] == 4 && at[1] == attr && at[2] == size && !at[3] && !n--)
            return at + 4;
    fail_msg("no record 0x%x", attr);
    return NULL;
}

/* The first kernel has three parameters of 8 bytes; the records begin with the last one and
 * have the size above 18 bits. */
static void test_param_sizes(void **state)
{
    static const struct {
        uint8_t attr, n, at;
        uint16_t value;
        const char *text;
    } cases[] = {
        { NVINFO_KPARAM_INFO, 0, 10, 0x7d01, "ends at 0x1f50 of 0x18" },
        { NVINFO_KPARAM_INFO, 0, 10, 0x0001, "parameter 2 of 0 bytes" },
        { NVINFO_KPARAM_INFO, 0, 6, 15, "parameter 2 of 8 bytes at 0xf, expected" },
        { NVINFO_KPARAM_INFO, 0, 4, 1, "parameter" }, /* number 1 twice, no number 2 */
        { NVINFO_KPARAM_INFO, 1, 10, 0x0031, "parameter 2 of 8 bytes at 0x10" },
        { NVINFO_PARAM_CBANK, 0, 6, 0x0024, "ends at 0x178" },
        { NVINFO_PARAM_CBANK, 0, 6, 0x7ffd, "32765 bytes of parameters, expected" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file f = load("mixed.sm_75.cubin");
        uint8_t *at = record(&f, cases[i].attr, cases[i].n) + cases[i].at;

        at[0] = (uint8_t)cases[i].value;
        at[1] = (uint8_t)(cases[i].value >> 8);
        expect(&f, cases[i].text);
        file_free(&f);
    }
}

static void test_section_past_end(void **state)
{
    struct file f = load("mixed.sm_75.cubin");
    uint64_t headers = cubin_u64(f.data + 40);
    char text[80];

    (void)state;
    f.data[headers + 64 * 5 + 32 + 7] = 0x10; /* size of section 5 */
    snprintf(text, sizeof text,
             "offset 0x%llx: section 5 runs past the end of the file",
             (unsigned long long)cubin_u64(f.data + headers + 64 * 5 + 24));
    expect(&f, text);
    f.data[headers + 64 * 5 + 32 + 7] = 0;
    f.data[headers + 64 * 5 + 24 + 7] = 0x80; /* its offset */
    expect(&f, "section 5 runs past the end of the file");
    file_free(&f);
}

static void test_fat_binary(void **state)
{
    uint8_t bytes[16] = { 0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0 };
    struct file f = { bytes, sizeof bytes };

    (void)state;
    expect(&f, "a fat binary");
    f.size = 0;
    expect(&f, "not an ELF file");
}

/* Every length a file can be cut to. The buffer is exactly that long, so that the
 * sanitizer sees a byte read behind it. */
static void test_truncated(void **state)
{
    static const char *const files[] = { "data.sm_75.cubin", "data.sm_90.cubin" };

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct file f = load(files[i]);

        for (size_t n = 0; n < f.size; n++) {
            uint8_t *cut = malloc(n ? n : 1);
            struct err err = { 0 };
            struct cubin c;

            memcpy(cut, f.data, n);
            if (cubin_parse(&c, "cut", cut, n, &err))
                assert_int_not_equal(err.text[0], 0);
            else
                cubin_free(&c);
            free(cut);
        }
        file_free(&f);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* A few damaged bytes, half of the time in the tables that say where things are. */
static void test_damaged(void **state)
{
    static const char *const files[] = { "data.sm_75.cubin", "linked.sm_90.cubin",
                                         "params.sm_90.cubin" };
    uint32_t seed = 12345;
    unsigned refused = 0, n = 0;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct file f = load(files[i]);
        uint8_t *copy = malloc(f.size);
        size_t headers = cubin_u64(f.data + 40);

        for (unsigned round = 0; round < 3000; round++, n++) {
            struct err err = { 0 };
            struct cubin c;

            memcpy(copy, f.data, f.size);
            for (unsigned k = 0; k <= next_random(&seed) % 4; k++) {
                size_t at = next_random(&seed) % f.size;

                if (next_random(&seed) & 1)
                    at = headers + next_random(&seed) % (f.size - headers);
                copy[at] = (uint8_t)next_random(&seed);
            }
            if (cubin_parse(&c, "damaged", copy, f.size, &err)) {
                refused++;
                assert_int_equal(err.code, ERR_INPUT);
                assert_int_equal(strncmp(err.text, "damaged: ", 9), 0);
            } else {
                cubin_free(&c);
            }
        }
        free(copy);
        file_free(&f);
    }
    /* Neither all nor none: the damage reaches the checks. */
    assert_in_range(refused, n / 20, n - n / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),          cmocka_unit_test(test_registers),
        cmocka_unit_test(test_params),           cmocka_unit_test(test_relocs),
        cmocka_unit_test(test_older_layout),     cmocka_unit_test(test_messages),
        cmocka_unit_test(test_section_past_end), cmocka_unit_test(test_fat_binary),
        cmocka_unit_test(test_truncated),        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_param_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
