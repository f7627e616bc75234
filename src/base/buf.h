/* buf.h - a growable run of bytes, used for text. Always NUL-terminated once
 * something was added. A failed allocation ends the program: there is nothing
 * useful to do without a few kilobytes.
 */
#ifndef LENO_BASE_BUF_H
#define LENO_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
    char *data; /* NULL until the first byte */
    size_t len;
    size_t cap;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Text for a cell of a markdown table: '|' and line ends would break it. */
void buf_markdown(struct buf *b, const char *text);
/* A word of a shell's command line, in quotes where it needs them. */
void buf_shell_word(struct buf *b, const char *word);
void buf_clear(struct buf *b); /* length 0, memory kept */
void buf_free(struct buf *b);

/* The text so far; "" for a buffer that never held any. */
const char *buf_text(const struct buf *b);

#endif
