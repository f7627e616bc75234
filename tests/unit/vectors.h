/* vectors.h - reads a zstd-compressed text of test vectors, line by line.
 *
 * Paths are relative to the top of the repository, where the tests run.
 */
#ifndef LENO_TEST_VECTORS_H
#define LENO_TEST_VECTORS_H

/* cmocka.h wants these before it. */
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
#include <zstd.h>

/* The whole text, ended by a zero byte, or NULL; the caller frees it. */
static inline char *vectors_read(const char *path)
{
    FILE *f = fopen(path, "rb");
    long size = -1;
    char *packed = NULL, *text = NULL;

    if (!f)
        return NULL;
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) > 0 &&
        fseek(f, 0, SEEK_SET) == 0)
        packed = malloc((size_t)size);
    if (packed && fread(packed, 1, (size_t)size, f) == (size_t)size) {
        unsigned long long n = ZSTD_getFrameContentSize(packed, (size_t)size);

        if (n < 1u << 28 && (text = malloc((size_t)n + 1)) != NULL) {
            size_t got = ZSTD_decompress(text, (size_t)n, packed, (size_t)size);

            if (got == n)
                text[n] = 0;
        }
    }
    free(packed);
    fclose(f);
    return text;
}

/* Cuts the next line off; NULL at the end. */
static inline char *vectors_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');

    if (!*line)
        return NULL;
    *rest = end ? end + 1 : line + strlen(line);
    if (end)
        *end = 0;
    return line;
}

/* A small generator for tests: the same numbers everywhere. */
struct vectors_rng {
    uint64_t state;
};

static inline uint64_t vectors_random(struct vectors_rng *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

#endif
