/* table.c - the launch table and the seeded inputs.
 *
 * Inputs depend on the kernel's name alone, by integer arithmetic, so that every
 * machine makes the same bits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

static int table_triple(const char *s, uint32_t v[3])
{
    v[0] = v[1] = v[2] = 1;
    return sscanf(s, "%u,%u,%u", &v[0], &v[1], &v[2]) >= 1 ? 0 : -1;
}

static enum suite_kind table_kind(const char *s)
{
    static const char *const names[] = {
        "bits", "f32", "m32", "f64",  "m64",   "f16",
        "bf16", "t32", "t16", "ramp", "bytes", "shorts"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(s, names[i]))
            return (enum suite_kind)i;
    return SUITE_KIND_BITS;
}

static int table_key(struct suite_case *c, const char *key, const char *value)
{
    uint32_t v = (uint32_t)strtoul(value, NULL, 10);
    if (!strcmp(key, "grid"))
        return table_triple(value, c->grid);
    if (!strcmp(key, "block"))
        return table_triple(value, c->block);
    if (!strcmp(key, "tex"))
        return suite_image_read(&c->image, value);
    if (!strcmp(key, "kind"))
        c->kind = table_kind(value);
    else if (!strcmp(key, "want"))
        c->want_error = !strcmp(value, "error");
    else if (!strcmp(key, "in"))
        c->in_words = v;
    else if (!strcmp(key, "out"))
        c->out_words = v;
    else if (!strcmp(key, "n"))
        c->n = v;
    else if (!strcmp(key, "smem"))
        c->smem = v;
    else if (!strcmp(key, "arch"))
        c->least_arch = v;
    else if (!strcmp(key, "golden"))
        c->golden_arch = v;
    else if (!strcmp(key, "golden_last"))
        c->golden_last = v;
    else
        return -1;
    return 0;
}

static int table_line(struct suite_case *c, char *line)
{
    char *save = NULL, *word = strtok_r(line, " \n", &save);
    memset(c, 0, sizeof *c);
    c->grid[0] = c->grid[1] = c->grid[2] = 1;
    c->block[0] = c->block[1] = c->block[2] = 1;
    c->golden_arch = 0;
    if (!word)
        return -1;
    snprintf(c->module, sizeof c->module, "%s", word);
    word = strtok_r(NULL, " \n", &save);
    if (!word)
        return -1;
    snprintf(c->name, sizeof c->name, "%s", word);
    while ((word = strtok_r(NULL, " \n", &save))) {
        char *eq = strchr(word, '=');
        if (!eq)
            return -1;
        *eq = 0;
        if (table_key(c, word, eq + 1))
            return -1;
    }
    if (c->image.kind && suite_image_bytes(&c->image) > 4 * c->in_words)
        return -1;
    return c->out_words ? 0 : -1;
}

int suite_table_read(struct suite_table *t, const char *path)
{
    char line[512];
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    t->n = 0;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (t->n == SUITE_MAX || table_line(&t->cases[t->n], line)) {
            fprintf(stderr, "%s: bad line for %s\n", path, line);
            fclose(f);
            return -1;
        }
        t->n++;
    }
    fclose(f);
    return 0;
}

static uint32_t input_next(uint64_t *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (uint32_t)(*s >> 16);
}

/* A finite number of moderate size. */
static uint32_t input_tame(uint64_t *s, int e, int m)
{
    uint32_t bits = input_next(s), bias = (1u << (e - 1)) - 1;
    uint32_t exp = bias - 4 + (bits >> 24) % 8;
    return (bits >> 23 & 1) << (e + m) | exp << m | (bits & ((1u << m) - 1));
}

static uint32_t input_series(enum suite_kind kind, uint32_t i)
{
    uint32_t v = 0;
    if (kind == SUITE_KIND_RAMP) {
        float f = (float)i;
        memcpy(&v, &f, sizeof v);
    } else if (kind == SUITE_KIND_BYTES) {
        for (uint32_t k = 0; k < 4; k++)
            v |= ((4 * i + k) & 255) << 8 * k;
    } else {
        for (uint32_t k = 0; k < 2; k++)
            v |= (5 * (2 * i + k) & 0xffff) << 16 * k;
    }
    return v;
}

/* A floating-point number with e exponent and m mantissa bits: every eighth is one of
 * the awkward values, the others are spread over the exponents, in a moderate range
 * if asked, so that functions do not all overflow. */
static uint64_t input_float(uint64_t *s, int e, int m, int moderate)
{
    uint64_t bits = (uint64_t)input_next(s) << 32 | input_next(s);
    uint64_t mant = bits & ((1ull << m) - 1), sign = (bits >> 63) << (e + m);
    uint64_t max = (1ull << e) - 1, bias = max >> 1, pick = input_next(s);
    if (pick % 8 == 0) {
        switch (pick / 8 % 12) {
        case 0:
            return sign;
        case 1:
            return sign | max << m;
        case 2:
            return sign | max << m | mant | 1;
        case 3:
            return sign | mant;
        case 4:
            return sign | 1;
        case 5:
            return sign | ((max << m) - 1);
        case 6:
            return sign | 1ull << m;
        case 7:
            return sign | bias << m;
        case 8:
            return sign | ((bias << m) - 1);
        case 9:
            return sign | ((bias << m) + 1);
        case 10:
            return sign | (bias + 1) << m;
        default:
            return sign | (bias - 1) << m;
        }
    }
    uint64_t range = moderate ? 12 : max - 1;
    uint64_t exp = moderate ? bias - 6 + pick / 8 % range : 1 + pick / 8 % range;
    return sign | exp << m | mant;
}

void suite_input_fill(uint32_t *words, const struct suite_case *c)
{
    uint64_t s = 0x9e3779b97f4a7c15ull;
    for (const char *p = c->name; *p; p++)
        s = (s ^ (unsigned char)*p) * 0x100000001b3ull;
    for (int i = 0; i < 8; i++)
        input_next(&s);
    for (uint32_t i = 0; i < c->in_words; i++) {
        uint64_t v;
        switch (c->kind) {
        case SUITE_KIND_BITS:
            words[i] = input_next(&s);
            break;
        case SUITE_KIND_F32:
            words[i] = (uint32_t)input_float(&s, 8, 23, i & 1);
            break;
        case SUITE_KIND_M32:
            words[i] = (uint32_t)input_float(&s, 8, 23, i % 5 != 0);
            break;
        case SUITE_KIND_F16:
        case SUITE_KIND_BF16: {
            int e = c->kind == SUITE_KIND_F16 ? 5 : 8;
            v = input_float(&s, e, 15 - e, i & 1);
            words[i] = (uint32_t)(v | input_float(&s, e, 15 - e, i & 2) << 16);
            break;
        }
        case SUITE_KIND_T32:
            words[i] = input_tame(&s, 8, 23);
            break;
        case SUITE_KIND_T16:
            words[i] = input_tame(&s, 5, 10);
            words[i] |= input_tame(&s, 5, 10) << 16;
            break;
        case SUITE_KIND_RAMP:
        case SUITE_KIND_BYTES:
        case SUITE_KIND_SHORTS:
            words[i] = input_series(c->kind, i);
            break;
        case SUITE_KIND_F64:
        case SUITE_KIND_M64:
            v = input_float(&s, 11, 52,
                            c->kind == SUITE_KIND_M64 ? i % 5 != 0 : (i & 2) != 0);
            words[i] = (uint32_t)v;
            if (i + 1 < c->in_words)
                words[++i] = (uint32_t)(v >> 32);
            break;
        }
    }
}
