/* printf.c - formatted output of kernels.
 *
 * The arguments lie in a block after one another, each aligned to its size: 4 bytes for
 * int, 8 for long, long long, size_t, pointers and floating point (always double). The
 * host's printf does the work, one conversion at a time. Conversions that CUDA does not
 * know are printed as they stand and take no argument, as an H200's driver does: sizes z, j
 * and t, a precision of '*', a width before '%'.
 */
#include "frontend/sass/exec/printf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/sass/exec/memory.h"

enum { MAX_SPEC = 32, MAX_STRING = 1 << 20, MAX_WIDTH = 4096 };

/* One conversion: flags, width and precision as text, then its type. */
struct spec {
    char text[MAX_SPEC];
    size_t len;
    unsigned longs;  /* 1: 8-byte integer */
    unsigned halves; /* 1: short, 2 or more: char */
    bool is_unknown;
    char type;
    uint64_t start, end; /* addresses of the format: after the '%', after the type */
};

static bool read_byte(struct printf_source *s, uint64_t addr, char *c)
{
    const uint8_t *p = memory_lane(s->w, s->lane, addr, 1, false);

    if (!p) {
        s->bad = addr;
        return false;
    }
    *c = (char)*p;
    return true;
}

static bool next_argument(struct printf_source *s, unsigned bytes, uint64_t *v)
{
    const uint8_t *p;

    s->args = (s->args + bytes - 1) & ~(uint64_t)(bytes - 1);
    p = memory_lane(s->w, s->lane, s->args, bytes, false);
    if (!p) {
        s->bad = s->args;
        return false;
    }
    *v = 0;
    memcpy(v, p, bytes);
    s->args += bytes;
    return true;
}

static void spec_add(struct spec *spec, char c)
{
    if (spec->len < MAX_SPEC - 8) /* room for "ll", the type and the end */
        spec->text[spec->len++] = c;
}

/* A '*': the next argument is the width or precision. */
static bool spec_add_star(struct printf_source *s, struct spec *spec)
{
    char digits[16];
    uint64_t v;
    int n;

    if (!next_argument(s, 4, &v))
        return false;
    n = (int32_t)v;
    if (n > MAX_WIDTH || n < -MAX_WIDTH)
        n = 0;
    snprintf(digits, sizeof digits, "%d", n);
    for (const char *d = digits; *d; d++)
        spec_add(spec, *d);
    return true;
}

/* Reads from after the '%' up to the type. *n counts arguments. */
static bool read_spec(struct printf_source *s, struct spec *spec, int *n)
{
    char c;

    *spec = (struct spec){ .text = "%", .len = 1, .start = s->format };
    for (;; spec->end = s->format) {
        if (!read_byte(s, s->format, &c))
            return false;
        if (!c)
            return true;
        s->format++;
        if (c == '*' && spec->text[spec->len - 1] != '.') {
            if (!spec_add_star(s, spec))
                return false;
            ++*n;
        } else if (strchr("-+ #0123456789.", c)) {
            spec_add(spec, c);
        } else if (strchr("hlL", c)) {
            spec->longs |= c == 'l';
            spec->halves += c == 'h';
        } else if (strchr("*jzt", c)) {
            spec->is_unknown = true;
        } else {
            spec->type = c;
            spec->end = s->format;
            return true;
        }
    }
}

/* A conversion as it stands in the format. */
static bool print_unknown(struct printf_source *s, const struct spec *spec,
                          struct buf *out)
{
    char c;

    buf_putc(out, '%');
    for (uint64_t at = spec->start; at < spec->end; at++) {
        if (!read_byte(s, at, &c))
            return false;
        buf_putc(out, c);
    }
    return true;
}

/* Widths beyond reason are dropped: the format is the kernel's. */
static void check_width(struct spec *spec)
{
    unsigned run = 0;

    for (size_t k = 1; k < spec->len; k++) {
        run = spec->text[k] >= '0' && spec->text[k] <= '9' ? run + 1 : 0;
        if (run > 4) {
            spec->len = 1;
            return;
        }
    }
}

static void spec_end(struct spec *spec, const char *length, char type)
{
    check_width(spec);
    for (const char *p = length; *p; p++)
        spec->text[spec->len++] = *p;
    spec->text[spec->len++] = type;
    spec->text[spec->len] = 0;
}

/* The formats below are built from checked pieces, one conversion each. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static bool print_integer(struct printf_source *s, struct spec *spec, struct buf *out)
{
    bool is_signed = spec->type == 'd' || spec->type == 'i';
    uint64_t v;

    if (!next_argument(s, spec->longs ? 8 : 4, &v))
        return false;
    if (!spec->longs && spec->halves)
        v = spec->halves == 1 ? (uint64_t)(int64_t)(int16_t)v
                              : (uint64_t)(int64_t)(int8_t)v;
    if (!spec->longs && !is_signed && spec->halves)
        v &= spec->halves == 1 ? UINT16_MAX : UINT8_MAX;
    if (is_signed && !spec->longs)
        v = (uint64_t)(int64_t)(int32_t)v;
    spec_end(spec, "ll", spec->type);
    if (is_signed)
        buf_printf(out, spec->text, (long long)v);
    else
        buf_printf(out, spec->text, (unsigned long long)v);
    return true;
}

static bool print_float(struct printf_source *s, struct spec *spec, struct buf *out)
{
    uint64_t bits;
    double v;

    if (!next_argument(s, 8, &bits))
        return false;
    memcpy(&v, &bits, sizeof v);
    spec_end(spec, "", spec->type);
    buf_printf(out, spec->text, v);
    return true;
}

static bool print_char(struct printf_source *s, struct spec *spec, struct buf *out)
{
    uint64_t v;

    if (!next_argument(s, 4, &v))
        return false;
    spec_end(spec, "", 'c');
    buf_printf(out, spec->text, (int)(unsigned char)v);
    return true;
}

/* Is the precision too small for "(null)"? */
static bool is_short(const struct spec *spec)
{
    const char *dot = memchr(spec->text, '.', spec->len);

    return dot && atoi(dot + 1) < 6;
}

static bool print_string(struct printf_source *s, struct spec *spec, struct buf *out)
{
    struct buf text = { 0 };
    uint64_t addr;
    char c;

    if (!next_argument(s, 8, &addr))
        return false;
    if (!addr && !is_short(spec))
        buf_puts(&text, "(null)");
    for (; addr && text.len < MAX_STRING; addr++) {
        if (!read_byte(s, addr, &c)) {
            buf_free(&text);
            return false;
        }
        if (!c)
            break;
        buf_putc(&text, c);
    }
    spec_end(spec, "", 's');
    buf_printf(out, spec->text, buf_text(&text));
    buf_free(&text);
    return true;
}

static bool print_pointer(struct printf_source *s, struct spec *spec, struct buf *out)
{
    char text[24] = "(nil)";
    uint64_t v;

    if (!next_argument(s, 8, &v))
        return false;
    if (v)
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)v);
    spec_end(spec, "", 's');
    buf_printf(out, spec->text, text);
    return true;
}

#pragma GCC diagnostic pop

/* Prints one conversion; false if memory could not be read. */
static bool print_spec(struct printf_source *s, struct spec *spec, struct buf *out,
                       int *n)
{
    if (spec->type == '%' && spec->end == spec->start + 1) {
        buf_putc(out, '%');
        return true;
    }
    if (spec->is_unknown || !spec->type || !strchr("diuxXofFeEgGaAcsSp", spec->type))
        return print_unknown(s, spec, out);
    ++*n;
    if (strchr("diuxXo", spec->type))
        return print_integer(s, spec, out);
    if (strchr("fFeEgGaA", spec->type))
        return print_float(s, spec, out);
    if (spec->type == 'c')
        return print_char(s, spec, out);
    if (spec->type == 'p')
        return print_pointer(s, spec, out);
    return print_string(s, spec, out);
}

int printf_format(struct printf_source *s, struct buf *out)
{
    struct spec spec;
    int n = 0;
    char c;

    for (size_t k = 0; k < MAX_STRING; k++) {
        if (!read_byte(s, s->format, &c))
            return -1;
        if (!c)
            break;
        s->format++;
        if (c != '%')
            buf_putc(out, c);
        else if (!read_spec(s, &spec, &n) || !print_spec(s, &spec, out, &n))
            return -1;
    }
    return n;
}

void printf_string(struct sass_warp *w, unsigned lane, uint64_t addr, char *text,
                   size_t size)
{
    struct printf_source s = { .w = w, .lane = lane };
    size_t k = 0;

    for (; k < size - 1; k++)
        if (!read_byte(&s, addr + k, &text[k]) || !text[k])
            break;
    if (s.bad)
        text[k++] = '?';
    text[k < size ? k : size - 1] = 0;
}
