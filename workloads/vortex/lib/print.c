/* print.c - the console, and as much of printf() as kernels use. */
#include <stdarg.h>

#include "vx_intrinsics.h"
#include "vx_print.h"

enum { CONSOLE = 0x40, STREAMS = 64 };

void vx_putchar(int c)
{
    volatile char *stream = (volatile char *)(CONSOLE + vx_hart_id() % STREAMS);

    *stream = (char)c;
}

struct field {
    uint32_t width;
    char pad;
};

static int put_text(const char *text, uint32_t n, struct field f)
{
    int printed = 0;

    for (; f.width > n; f.width--, printed++)
        vx_putchar(f.pad);
    for (uint32_t k = 0; k < n; k++, printed++)
        vx_putchar(text[k]);
    return printed;
}

static int put_number(uint32_t value, uint32_t base, int is_negative, struct field f)
{
    char digits[12];
    uint32_t at = sizeof digits;

    do
        digits[--at] = "0123456789abcdef"[value % base];
    while (value /= base);
    if (is_negative && f.pad == '0' && f.width) {
        vx_putchar('-');
        f.width--;
        return 1 + put_text(digits + at, sizeof digits - at, f);
    }
    if (is_negative)
        digits[--at] = '-';
    return put_text(digits + at, sizeof digits - at, f);
}

static int put_signed(int32_t value, struct field f)
{
    return put_number(value < 0 ? -(uint32_t)value : (uint32_t)value, 10, value < 0, f);
}

static uint32_t length(const char *text)
{
    uint32_t n = 0;

    while (text[n])
        n++;
    return n;
}

static int put_argument(char kind, struct field f, va_list *args)
{
    const char *text;
    char c;

    switch (kind) {
    case 'd':
    case 'i':
        return put_signed(va_arg(*args, int), f);
    case 'u':
        return put_number(va_arg(*args, unsigned), 10, 0, f);
    case 'x':
        return put_number(va_arg(*args, unsigned), 16, 0, f);
    case 'p':
        return put_number((uint32_t)va_arg(*args, void *), 16, 0,
                          (struct field){ 8, '0' });
    case 's':
        text = va_arg(*args, const char *);
        return put_text(text, length(text), f);
    case 'c':
        c = (char)va_arg(*args, int);
        return put_text(&c, 1, f);
    default:
        return put_text(&kind, 1, f);
    }
}

int vx_printf(const char *format, ...)
{
    va_list args;
    int n = 0;

    va_start(args, format);
    for (; *format; format++) {
        struct field f = { 0, ' ' };

        if (*format != '%') {
            vx_putchar(*format);
            n++;
            continue;
        }
        if (*++format == '0')
            f.pad = '0';
        for (; *format >= '0' && *format <= '9'; format++)
            f.width = 10 * f.width + (uint32_t)(*format - '0');
        if (*format == 'l') /* as long as int */
            format++;
        if (!*format)
            break;
        n += put_argument(*format, f, &args);
    }
    va_end(args);
    return n;
}
