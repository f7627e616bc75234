/* input.h - lines of a text file: plain, compressed with xz, or in memory. */
#ifndef LENO_REPLAY_INPUT_H
#define LENO_REPLAY_INPUT_H

#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

enum { INPUT_LINE = 1 << 16 }; /* the longest line accepted */

struct input {
    const char *file; /* for messages; the caller's */
    FILE *f;          /* NULL: memory */
    const uint8_t *memory;
    uint64_t size; /* of the file or memory */
    uint64_t read; /* bytes taken from it */
    bool is_xz, is_over;
    lzma_stream xz;
    uint8_t packed[1 << 16]; /* xz: what was read last */
    char text[4 * INPUT_LINE];
    size_t start, end; /* of what is in text */
    uint64_t offset;   /* in the text, of text[start] */
    uint64_t n_lines;  /* number of the line read last, from 1 */
};

/* Opens a file, or memory if data is not NULL. in is large: allocate it. */
int input_open(struct input *in, const char *file, const void *data, size_t size,
               struct err *err);
void input_close(struct input *in);

/* Back to the beginning. */
int input_rewind(struct input *in, struct err *err);

/* To a place that input_offset() gave; not for xz. */
int input_seek(struct input *in, uint64_t offset, uint64_t n_lines, struct err *err);

/* The next line, without its end, as a string that lasts until the next call. 1, 0 at
 * the end of the file, or -1. Blank lines are left out. */
int input_line(struct input *in, char **line, struct err *err);

/* Sets a message that names file and line; returns -1. */
int input_error(const struct input *in, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
