/* format.c - walks the formats of opcodes.def; see format.h for the language. */
#include "frontend/sass/decode/format.h"

#include <string.h>

static uint8_t number(const char **p)
{
    unsigned n = 0;

    while (**p >= '0' && **p <= '9')
        n = 10 * n + (unsigned)(*(*p)++ - '0');
    return (uint8_t)n;
}

bool format_modifier(const char **format, struct mod_spec *spec)
{
    const char *p = *format, *start;

    *spec = (struct mod_spec){ 0 };
    if (!*p)
        return false;
    if (*p == ' ') {
        *format = p + 1;
        return false;
    }
    if (*p != '{') {
        spec->text = p;
        p += strcspn(p, "{ ");
        spec->len = (uint8_t)(p - spec->text);
        *format = p;
        return true;
    }
    start = ++p;
    if (*p == '=') {
        spec->how = '=';
        start = ++p;
        p += strcspn(p, "}");
        spec->len = (uint8_t)(p - start);
    } else {
        p += strcspn(p, "?!@");
        spec->len = (uint8_t)(p - start);
        spec->how = *p++;
        spec->at = number(&p);
    }
    spec->text = start;
    *format = p + 1;
    return true;
}

static void attributes(const char **p, struct opd_spec *spec)
{
    for (;;) {
        char c = **p;

        if (c == '-' || c == '|' || c == '~') {
            (*p)++;
            *(c == '-' ? &spec->neg : c == '|' ? &spec->abs : &spec->not ) = number(p);
        } else if (c == '*') {
            spec->count = (*p)[1];
            *p += 2;
        } else if (c && strchr("fdheu", c)) {
            spec->type = c;
            (*p)++;
        } else {
            return;
        }
    }
}

bool format_operand(const char **format, struct opd_spec *spec)
{
    const char *p = *format;

    *spec = (struct opd_spec){ .count = '1' };
    if (!*p)
        return false;
    if (*p == '?') {
        spec->hide = p[1];
        p += 2;
    }
    spec->kind = *p++;
    spec->is_dst = spec->kind == 'D';
    if (spec->kind == '@') {
        size_t n = strcspn(p, ",*");

        memcpy(spec->name, p, n < sizeof spec->name ? n : sizeof spec->name - 1);
        p += n;
    } else {
        if (*p == 'd' && strchr("RUPVK", spec->kind)) {
            spec->is_dst = true;
            p++;
        }
        spec->at = number(&p);
        if (*p == '.') {
            p++;
            spec->width = number(&p);
        }
    }
    attributes(&p, spec);
    while (*p == ',' || *p == ' ')
        p++;
    *format = p;
    return true;
}
