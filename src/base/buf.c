/* buf.c - a growable run of bytes. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static void buf_reserve(struct buf *b, size_t more)
{
    size_t need = b->len + more + 1;
    size_t cap = b->cap ? b->cap : 64;
    char *data;

    if (need <= b->cap)
        return;
    while (cap < need)
        cap *= 2;
    data = realloc(b->data, cap);
    if (!data)
        err_memory_exit("text");
    b->data = data;
    b->cap = cap;
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
    buf_reserve(b, n);
    if (n)
        memcpy(b->data + b->len, bytes, n);
    b->len += n;
    b->data[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
    buf_add(b, &c, 1);
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vprintf(b, format, args);
    va_end(args);
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
    va_list again;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    if (n > 0) {
        buf_reserve(b, (size_t)n);
        vsnprintf(b->data + b->len, (size_t)n + 1, format, again);
        b->len += (size_t)n;
    }
    va_end(again);
}

void buf_markdown(struct buf *b, const char *text)
{
    for (; *text; text++) {
        if (*text == '|')
            buf_putc(b, '\\');
        buf_putc(b, *text == '\n' ? ' ' : *text);
    }
}

void buf_shell_word(struct buf *b, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                "0123456789_-+=./:,@%";

    if (*word && !word[strspn(word, plain)]) {
        buf_puts(b, word);
        return;
    }
    buf_putc(b, '\'');
    for (; *word; word++)
        if (*word == '\'')
            buf_puts(b, "'\\''");
        else
            buf_putc(b, *word);
    buf_putc(b, '\'');
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    if (b->data)
        b->data[0] = '\0';
}

void buf_free(struct buf *b)
{
    free(b->data);
    *b = (struct buf){ 0 };
}

const char *buf_text(const struct buf *b)
{
    return b->data ? b->data : "";
}
