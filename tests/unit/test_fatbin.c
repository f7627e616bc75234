/* test_fatbin.c - fat binaries: which cubin is taken, how it is expanded, and that
 * damaged ones are refused.
 */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "check.h"
#include "frontend/sass/load/fatbin.h"

enum { PTX = 1, ELF = 2, LZ4 = 0x2000, ZSTD = 0x8000 };

struct part {
    unsigned kind, sm;
    uint64_t flags;
    const void *data;
    uint32_t n;    /* bytes stored */
    uint64_t size; /* once expanded; 0: not compressed */
};

static void put(struct buf *b, uint64_t value, size_t bytes)
{
    buf_add(b, &value, bytes);
}

/* A container as nvcc lays it out. */
static struct buf container(const struct part *parts, size_t n)
{
    struct buf b = { 0 };
    uint64_t rest;

    put(&b, FATBIN_MAGIC, 4);
    put(&b, 1, 2);
    put(&b, 16, 2);
    put(&b, 0, 8);
    for (size_t i = 0; i < n; i++) {
        uint64_t padded = (parts[i].n + 7u) & ~7ull;

        put(&b, parts[i].kind, 2);
        put(&b, 0x101, 2);
        put(&b, 64, 4);
        put(&b, padded, 8);
        put(&b, parts[i].size ? parts[i].n : 0, 4);
        put(&b, 0, 8);
        put(&b, parts[i].sm, 4);
        put(&b, 0, 8);
        put(&b, parts[i].flags, 8);
        put(&b, 0, 8);
        put(&b, parts[i].size, 8);
        buf_add(&b, parts[i].data, parts[i].n);
        for (uint64_t k = parts[i].n; k < padded; k++)
            buf_putc(&b, 0);
    }
    rest = b.len - FATBIN_HEADER;
    memcpy(b.data + 8, &rest, 8);
    return b;
}

static void expect(const struct buf *b, unsigned sm, const char *text)
{
    struct file cubin;
    struct err err = { 0 };

    if (fatbin_pick(b->data, b->len, sm, &cubin, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(cubin.data, text, strlen(text));
    file_free(&cubin);
}

static void refuses(const void *data, size_t n, unsigned sm, const char *words)
{
    struct file cubin;
    struct err err = { 0 };

    assert_int_equal(fatbin_pick(data, n, sm, &cubin, &err), -1);
    if (!strstr(err.text, words))
        fail_msg("'%s' is not in: %s", words, err.text);
}

static void the_highest_minor_that_runs_is_taken(void **state)
{
    const struct part parts[] = {
        { PTX, 90, 0, "ptx-----", 8, 0 }, { ELF, 75, 0, "sm-75---", 8, 0 },
        { ELF, 86, 0, "sm-86---", 8, 0 }, { ELF, 80, 0, "sm-80---", 8, 0 },
        { 16, 90, 0, "not code", 8, 0 },  { ELF, 89, 0, "sm-89---", 8, 0 },
    };
    struct buf b = container(parts, 6), list = { 0 };

    (void)state;
    expect(&b, 75, "sm-75");
    expect(&b, 80, "sm-80");
    expect(&b, 86, "sm-86");
    expect(&b, 87, "sm-86");
    expect(&b, 89, "sm-89");
    assert_int_equal(fatbin_code_for(b.data, b.len, 87), 86);
    assert_int_equal(fatbin_code_for(b.data, b.len, 90), 0);
    assert_int_equal(fatbin_code_for(b.data, b.len - 1, 75), 0);
    refuses(b.data, b.len, 70, "sm_70");
    refuses(b.data, b.len, 90, "-gencode arch=compute_90,code=sm_90");
    fatbin_list(b.data, b.len, &list);
    assert_string_equal(buf_text(&list),
                        "compute_90 (PTX), sm_75, sm_86, sm_80, sm_89");
    buf_free(&list);
    buf_free(&b);
}

static void ptx_alone_is_named(void **state)
{
    const struct part part = { PTX, 75, 0, "ptx-----", 8, 0 };
    struct buf b = container(&part, 1);

    (void)state;
    refuses(b.data, b.len, 75, "compute_75 (PTX)");
    refuses(b.data, FATBIN_HEADER - 1, 75, "not a fat binary");
    refuses("\x7f"
            "ELF                ",
            20, 75, "not a fat binary");
    buf_free(&b);
}

static void the_highest_ptx_that_fits_is_taken(void **state)
{
    const struct part parts[] = { { PTX, 75, 0, "ptx-75--", 8, 0 },
                                  { PTX, 86, 0, "ptx-86--", 8, 0 },
                                  { PTX, 80, 0, "ptx-80--", 8, 0 },
                                  { ELF, 89, 0, "sm-89---", 8, 0 } };
    struct buf b = container(parts, 4);
    struct file ptx;

    (void)state;
    assert_int_equal(fatbin_pick_ptx(b.data, b.len, 90, &ptx, NULL), 0);
    assert_memory_equal(ptx.data, "ptx-86--", 8);
    file_free(&ptx);
    assert_int_equal(fatbin_pick_ptx(b.data, b.len, 75, &ptx, NULL), 0);
    assert_memory_equal(ptx.data, "ptx-75--", 8);
    file_free(&ptx);
    assert_int_equal(fatbin_pick_ptx(b.data, b.len, 70, &ptx, NULL), -1);
    assert_int_equal(fatbin_pick_ptx(b.data, b.len - 1, 90, &ptx, NULL), -1);
    buf_free(&b);
}

static void zstd_is_expanded(void **state)
{
    char text[1000], packed[2000];
    struct part part = { ELF, 86, ZSTD, packed, 0, sizeof text };
    struct buf b;

    (void)state;
    memset(text, 'z', sizeof text);
    memcpy(text, "begin", 5);
    part.n = (uint32_t)ZSTD_compress(packed, sizeof packed, text, sizeof text, 3);
    b = container(&part, 1);
    expect(&b, 86, "beginzzz");
    b.data[FATBIN_HEADER + 64 + 4] ^= 0x55;
    refuses(b.data, b.len, 86, "damaged");
    buf_free(&b);
    part.size = sizeof text + 1; /* more than comes out */
    b = container(&part, 1);
    refuses(b.data, b.len, 86, "damaged");
    buf_free(&b);
    part.size = (uint64_t)1 << 40;
    b = container(&part, 1);
    refuses(b.data, b.len, 86, "bytes");
    buf_free(&b);
}

/* "abcd", then 20 bytes from 4 back, then "end": a length that needs a second byte. */
static const uint8_t lz4[] = { 0x4f, 'a', 'b', 'c', 'd', 4, 0, 1, 0x30, 'e', 'n', 'd' };

static void lz4_is_expanded(void **state)
{
    const struct part part = { ELF, 75, LZ4, lz4, sizeof lz4, 27 };
    struct buf b = container(&part, 1);
    uint8_t out[27];

    (void)state;
    expect(&b, 75, "abcdabcdabcdabcdabcdabcdend");
    buf_free(&b);
    assert_true(fatbin_lz4(out, sizeof out, lz4, sizeof lz4));
    assert_false(fatbin_lz4(out, sizeof out - 1, lz4, sizeof lz4));
    for (size_t n = 0; n < sizeof lz4; n++)
        assert_false(fatbin_lz4(out, sizeof out, lz4, n));
}

static void lz4_never_leaves_its_buffers(void **state)
{
    static const uint8_t bad[][8] = {
        { 0x10, 'a', 2, 0 },      /* a match before the beginning */
        { 0x10, 'a', 0, 0 },      /* a match of distance 0 */
        { 0xf0, 255, 255, 255 },  /* literals without an end */
        { 0x1f, 'a', 1, 0, 255 }, /* a match without an end */
        { 0xf0, 200 },            /* more literals than there are */
    };
    static const uint8_t before[] = { 0x10, 'a', 2, 0, 0x10, 'b' };
    uint8_t *out = malloc(16);

    (void)state;
    assert_false(fatbin_lz4(out + 8, 6, before, sizeof before));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t n = 1; n <= sizeof bad[i]; n++) {
            uint8_t *in = malloc(n); /* so that a sanitizer sees its end */

            memcpy(in, bad[i], n);
            assert_false(fatbin_lz4(out, 16, in, n));
            free(in);
        }
    free(out);
}

static void damaged_lengths_are_refused(void **state)
{
    const struct part parts[] = { { ELF, 75, 0, "sm-75---", 8, 0 },
                                  { ELF, 86, 0, "sm-86---", 8, 0 } };
    struct buf b = container(parts, 2);
    const size_t second = FATBIN_HEADER + 64 + 8;

    (void)state;
    for (size_t n = FATBIN_HEADER; n < b.len; n++)
        refuses(b.data, n, 75, "promises");
    b.data[second + 4] = 1; /* a header smaller than one */
    refuses(b.data, b.len, 75, "an entry of");
    b.data[second + 4] = 64;
    memset(b.data + second + 8, 0xff, 8); /* a payload longer than the rest */
    refuses(b.data, b.len, 75, "an entry of");
    memset(b.data + second + 8, 0, 8);
    b.data[second + 8] = 8;
    b.data[second + 16] = 9; /* more bytes stored than the payload has */
    refuses(b.data, b.len, 75, "an entry of");
    buf_free(&b);
}

static void wrappers_lead_to_containers(void **state)
{
    struct {
        uint32_t magic, version;
        const void *container, *more;
    } wrapper = { FATBIN_WRAPPER_MAGIC, 1, NULL, NULL };
    const struct part part = { ELF, 75, 0, "sm-75---", 8, 0 };
    struct buf b = container(&part, 1);

    (void)state;
    assert_null(fatbin_of(&wrapper));
    wrapper.container = b.data;
    assert_ptr_equal(fatbin_of(&wrapper), b.data);
    assert_ptr_equal(fatbin_of(b.data), b.data);
    assert_int_equal(fatbin_size(b.data), b.len);
    assert_null(fatbin_of("\x7f"
                          "ELF"));
    buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_minor_that_runs_is_taken),
        cmocka_unit_test(ptx_alone_is_named),
        cmocka_unit_test(the_highest_ptx_that_fits_is_taken),
        cmocka_unit_test(zstd_is_expanded),
        cmocka_unit_test(lz4_is_expanded),
        cmocka_unit_test(lz4_never_leaves_its_buffers),
        cmocka_unit_test(damaged_lengths_are_refused),
        cmocka_unit_test(wrappers_lead_to_containers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
