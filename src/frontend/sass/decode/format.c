/* format.c - walks the formats of opcodes.def; see format.h for the language. */
#include "frontend/sass/decode/format.h"

#include <string.h>

static uint8_t read_number(const char **p)
{
    unsigned n = 0;

    while (**p >= '0' && **p <= '9')
        n = 10 * n + (unsigned)(*(*p)++ - '0');
    return (uint8_t)n;
}

/* =name, if it is there, up to one of the characters that end it. */
static const char *read_name(const char **p, const char *ends, uint8_t *len)
{
    const char *name = *p + 1;

    if (**p != '=')
        return NULL;
    *len = (uint8_t)strcspn(name, ends);
    *p = name + *len;
    return name;
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
        spec->at = read_number(&p);
        if (*p == '.') {
            p++;
            spec->width = read_number(&p);
        }
        spec->name = read_name(&p, "}", &spec->name_len);
    }
    spec->text = start;
    *format = p + 1;
    return true;
}

static void read_attributes(const char **p, struct opd_spec *spec)
{
    for (;;) {
        char c = **p;

        if (c == '-' || c == '|' || c == '~') {
            (*p)++;
            *(c == '-'   ? &spec->neg
              : c == '|' ? &spec->abs
                         : &spec->not ) = read_number(p);
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
        size_t n = strcspn(p, ",*=");

        memcpy(spec->name, p, n < sizeof spec->name ? n : sizeof spec->name - 1);
        p += n;
    } else {
        if (*p == 'd' && strchr("RUPVK", spec->kind)) {
            spec->is_dst = true;
            p++;
        }
        spec->at = read_number(&p);
        if (*p == '.') {
            p++;
            spec->width = read_number(&p);
        }
    }
    read_attributes(&p, spec);
    spec->slot = read_name(&p, ",", &spec->slot_len);
    while (*p == ',' || *p == ' ')
        p++;
    *format = p;
    return true;
}

const char *format_operands(const char *format)
{
    const char *space = strchr(format, ' ');

    return space ? space + 1 : "";
}

/* Registers and predicates by the field they are in. */
static const char *name_by_place(const struct opd_spec *spec)
{
    static const struct {
        const char *kinds;
        uint8_t at;
        bool is_dst;
        const char *name;
    } places[] = {
        { "RU", 16, true, "d" },   { "RU", 64, true, "d2" }, { "RU", 24, false, "a" },
        { "RU", 32, false, "b" },  { "RU", 64, false, "c" }, { "PV", 81, true, "pd" },
        { "PV", 84, true, "pd2" }, { "PV", 87, false, "p" },
    };

    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        if (strchr(places[k].kinds, spec->kind) && places[k].at == spec->at &&
            places[k].is_dst == spec->is_dst)
            return places[k].name;
    return NULL;
}

const char *format_slot_name(const struct opd_spec *spec)
{
    switch (spec->kind) {
    case 'D':
        return "d";
    case 'A':
        return "a";
    case 'B':
    case 'X':
        return "b";
    case 'C':
        return "c";
    case 'K':
        return "barrier";
    case 'S':
        return "sreg";
    case 'T':
        return "target";
    default:
        return name_by_place(spec);
    }
}
