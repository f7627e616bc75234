/* zst.h - a large text that is kept compressed. */
#ifndef LENO_TESTS_ZST_H
#define LENO_TESTS_ZST_H

#include <zstd.h>

#include "base/file.h"
#include "check.h"

/* To be freed by the caller. */
static inline char *zst_text(const char *path)
{
    struct file f;
    struct err err;
    unsigned long long size;
    char *text;

    if (file_read(path, 1 << 24, &f, &err))
        fail_msg("%s", err.text);
    size = ZSTD_getFrameContentSize(f.data, f.size);
    assert_true(size > 100000 && size < 1 << 26);
    text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(ZSTD_decompress(text, size, f.data, f.size), size);
    text[size] = '\0';
    file_free(&f);
    return text;
}

#endif
