/* test_listing.c - listings, byte for byte, against those nvdisasm 13.0 made of the same
 * files, and our own additions: control words and JSON.
 *
 * tests/data/listing/listing.txt.zst is made by tools/hw/listings.py, which describes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/file.h"
#include "check.h"
#include "frontend/sass/decode/sreg.h"
#include "frontend/sass/print/listing.h"

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

/* One entry of the recorded listings. */
struct recorded {
    char kind[8], name[128];
    size_t size, kept;
    uint64_t cubin, hash; /* of the file, of the text */
    const char *text;     /* kept bytes */
};

struct archive {
    char *text, *at;
};

static struct archive open_archive(void)
{
    struct file f;
    struct err err;
    struct archive a;
    unsigned long long size;

    if (file_read("tests/data/listing/listing.txt.zst", 1 << 24, &f, &err))
        fail_msg("%s", err.text);
    size = ZSTD_getFrameContentSize(f.data, f.size);
    assert_true(size > 1000000 && size < 1 << 28);
    a.text = a.at = malloc(size + 1);
    assert_non_null(a.text);
    assert_int_equal(ZSTD_decompress(a.text, size, f.data, f.size), size);
    a.text[size] = '\0';
    file_free(&f);
    return a;
}

static bool next_recorded(struct archive *a, struct recorded *r)
{
    unsigned long long cubin, hash;
    int n = 0;

    if (!*a->at)
        return false;
    assert_int_equal(sscanf(a->at, "%7s %127s %llx %zu %llx %zu%n", r->kind, r->name,
                            &cubin, &r->size, &hash, &r->kept, &n),
                     6);
    assert_int_equal(a->at[n], '\n');
    r->cubin = cubin;
    r->hash = hash;
    r->text = a->at + n + 1;
    assert_true(r->kept <= strlen(r->text));
    a->at += (size_t)n + 1 + r->kept;
    return true;
}

static uint64_t fnv1a(const void *bytes, size_t n)
{
    const uint8_t *b = bytes;
    uint64_t h = 0xcbf29ce484222325u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * 0x100000001b3u;
    return h;
}

/* Says where a listing begins to differ; 1 if it does. */
static unsigned differs(const struct recorded *r, const struct buf *ours)
{
    const char *p = buf_text(ours);
    unsigned line = 1;
    size_t from = 0;

    if (ours->len == r->size && fnv1a(p, ours->len) == r->hash)
        return 0;
    for (size_t i = 0; i < r->kept && i < ours->len && p[i] == r->text[i]; i++)
        if (p[i] == '\n') {
            line++;
            from = i + 1;
        }
    if (r->kept && from < r->kept)
        print_error("%s:%u is\n%.*s\nexpected\n%.*s\n", r->name, line,
                    (int)(line_end(p + from) - (p + from)), p + from,
                    (int)(line_end(r->text + from) - (r->text + from)), r->text + from);
    else
        print_error("%s: %zu bytes, expected %zu; or another hash\n", r->name,
                    ours->len, r->size);
    return 1;
}

/* The cubin behind a name; gzip unpacks those of the instruction suite. */
static struct file read_cubin(const char *path)
{
    char command[256];
    struct buf b = { 0 };
    struct file f = { 0 };
    struct err err;
    FILE *from;
    char piece[4096];
    size_t n;

    if (!strstr(path, ".gz")) {
        if (file_read(path, 1 << 24, &f, &err))
            fail_msg("%s", err.text);
        return f;
    }
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    from = popen(command, "r");
    assert_non_null(from);
    while ((n = fread(piece, 1, sizeof piece, from)) > 0)
        buf_add(&b, piece, n);
    assert_int_equal(pclose(from), 0);
    f.data = (uint8_t *)b.data;
    f.size = b.len;
    return f;
}

/* A cubin that was compiled anew has no record until somebody with nvdisasm makes one;
 * that must stay the exception. */
static void test_recorded(void **state)
{
    struct archive a = open_archive();
    struct recorded r;
    unsigned n = 0, n_hex = 0, bad = 0;

    (void)state;
    while (next_recorded(&a, &r)) {
        struct listing_options o = { .hex = strcmp(r.kind, "hex") == 0 };
        struct buf out = { 0 };
        struct file f;

        if (strcmp(r.kind, "sreg") == 0)
            continue;
        f = read_cubin(r.name);
        if (fnv1a(f.data, f.size) == r.cubin) {
            list(&out, &f, o);
            bad += differs(&r, &out);
            n++;
            n_hex += o.hex;
        } else {
            print_message("%s: recorded from another cubin\n", r.name);
        }
        buf_free(&out);
        file_free(&f);
    }
    assert_int_equal(bad, 0);
    assert_true(n >= 120 && n_hex >= 9);
    free(a.text);
}

static void test_special_registers(void **state)
{
    struct archive a = open_archive();
    struct recorded r;
    unsigned n = 0;

    (void)state;
    while (next_recorded(&a, &r)) {
        struct buf out = { 0 };

        if (strcmp(r.kind, "sreg") != 0)
            continue;
        for (unsigned id = 0; id < 256; id++) {
            sreg_print(&out, (enum sass_arch)sass_arch_of((unsigned)atoi(r.name + 3)),
                       id);
            buf_putc(&out, '\n');
        }
        assert_int_equal(differs(&r, &out), 0);
        n++;
        buf_free(&out);
    }
    assert_int_equal(n, 3); /* sm_75, sm_86, sm_90 */
    free(a.text);
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
        cmocka_unit_test(test_recorded),    cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_relocations), cmocka_unit_test(test_object),
        cmocka_unit_test(test_control),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_strange),     cmocka_unit_test(test_older_head),
        cmocka_unit_test(test_damaged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
