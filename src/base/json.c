/* json.c - strings and numbers as JSON and CSV spell them. */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void json_string(struct buf *out, const char *text)
{
    buf_putc(out, '"');
    while (*text) {
        unsigned char c = (unsigned char)*text;
        unsigned n = utf8_length(text);

        if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", c);
        else if (c < 0x20 || !n)
            buf_printf(out, "\\u%04x", c);
        else
            buf_add(out, text, n);
        text += n ? n : 1;
    }
    buf_putc(out, '"');
}

void json_double(struct buf *out, double value)
{
    char text[64];

    if (!isfinite(value)) {
        buf_puts(out, "null");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    /* What is no digit, sign or exponent is the locale's decimal point. */
    for (const char *at = text; *at;) {
        size_t plain = strspn(at, "0123456789+-e");

        buf_add(out, at, plain);
        at += plain;
        if (*at)
            buf_putc(out, '.');
        at += strcspn(at, "0123456789+-e");
    }
}

void csv_field(struct buf *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        buf_puts(out, text);
        return;
    }
    buf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            buf_putc(out, '"');
        buf_putc(out, *text);
    }
    buf_putc(out, '"');
}
