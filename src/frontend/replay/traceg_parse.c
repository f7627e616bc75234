/* traceg_parse.c - lines of a .traceg file. */
#include <stdlib.h>
#include <string.h>

#include "frontend/replay/traceg.h"

/* The next word of a line, or NULL; *text moves on. */
static char *next_word(char **text)
{
    char *at = *text + strspn(*text, " \t"), *end;

    if (!*at)
        return NULL;
    end = at + strcspn(at, " \t");
    *text = *end ? end + 1 : end;
    *end = '\0';
    return at;
}

static bool read_number(const char *s, unsigned base, uint64_t max, uint64_t *v)
{
    *v = 0;
    if (!s)
        return false;
    if (base == 16 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s += 2;
    if (!*s)
        return false;
    for (; *s; s++) {
        unsigned digit = *s >= '0' && *s <= '9'   ? (unsigned)(*s - '0')
                         : *s >= 'a' && *s <= 'f' ? (unsigned)(*s - 'a' + 10)
                         : *s >= 'A' && *s <= 'F' ? (unsigned)(*s - 'A' + 10)
                                                  : 99;

        if (digit >= base || digit > max || *v > (max - digit) / base)
            return false;
        *v = *v * base + digit;
    }
    return true;
}

static bool read_signed(const char *s, int64_t *v)
{
    bool is_negative = s && *s == '-';
    uint64_t u;

    if (!read_number(is_negative ? s + 1 : s, 10, INT64_MAX, &u))
        return false;
    *v = is_negative ? -(int64_t)u : (int64_t)u;
    return true;
}

/* ---- head ---- */

static bool read_triple(char *s, uint32_t *v)
{
    for (unsigned k = 0; k < 3; k++) {
        size_t n;
        uint64_t u;
        bool is_last = k == 2;

        s += strspn(s, " (");
        n = strcspn(s, ",) ");
        if (!is_last && s[n] != ',')
            return false;
        s[n] = '\0';
        if (!read_number(s, 10, UINT32_MAX, &u))
            return false;
        v[k] = (uint32_t)u;
        s += n + 1;
    }
    return true;
}

enum head_kind { HEAD_NAME, HEAD_DIM, HEAD_NUMBER, HEAD_HEX };

static const struct head_field {
    const char *key;
    enum head_kind kind;
    size_t offset;
    uint8_t size; /* of a number */
} fields[] = {
#define FIELD(key, kind, field)                         \
    {                                                   \
        key, kind, offsetof(struct traceg_head, field), \
            sizeof(((struct traceg_head *)0)->field)    \
    }
    FIELD("kernel name", HEAD_NAME, name),
    FIELD("grid dim", HEAD_DIM, grid),
    FIELD("block dim", HEAD_DIM, block),
    FIELD("shmem", HEAD_NUMBER, shared),
    FIELD("nregs", HEAD_NUMBER, registers),
    FIELD("binary version", HEAD_NUMBER, sm),
    FIELD("accelsim tracer version", HEAD_NUMBER, version),
    FIELD("enable lineinfo", HEAD_NUMBER, has_lines),
    FIELD("shmem base_addr", HEAD_HEX, shared_base),
    FIELD("local mem base_addr", HEAD_HEX, local_base),
};

static bool set_field(struct traceg_head *h, const struct head_field *f, char *value)
{
    char *at = (char *)h + f->offset;
    uint64_t v;

    switch (f->kind) {
    case HEAD_NAME:
        free(h->name);
        h->name = strdup(value);
        if (!h->name)
            err_memory_exit("a name");
        return true;
    case HEAD_DIM:
        return read_triple(value, (uint32_t *)(void *)at);
    default:
        if (!read_number(value, f->kind == HEAD_HEX ? 16 : 10,
                         f->size == 1   ? 1
                         : f->size == 4 ? UINT32_MAX
                                        : UINT64_MAX,
                         &v))
            return false;
    }
    if (f->size == 1)
        *(bool *)at = v != 0;
    else if (f->size == 4)
        *(uint32_t *)(void *)at = (uint32_t)v;
    else
        *(uint64_t *)(void *)at = v;
    return true;
}

/* "-key = value"; unknown keys are ignored. */
static int read_head_line(const struct input *in, struct traceg_head *h, char *line,
                          struct err *err)
{
    char *value = strchr(line, '='), *end;

    if (*line != '-' || !value)
        return input_error(in, err, "expected '-key = value' or '#', found '%.40s'",
                           line);
    for (end = value; end > line && (end[-1] == ' ' || end[-1] == '\t'); end--)
        ;
    *end = '\0';
    value += 1 + strspn(value + 1, " \t");
    for (end = value + strlen(value); end > value && end[-1] == ' ';)
        *--end = '\0';
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (!strcmp(line + 1, fields[k].key) && !set_field(h, &fields[k], value))
            return input_error(in, err, "-%s: '%.60s' is not a value for it",
                               fields[k].key, value);
    }
    return 0;
}

int traceg_read_head(struct input *in, struct traceg_head *h, struct err *err)
{
    char *line;
    int got;

    *h = (struct traceg_head){ 0 };
    while ((got = input_line(in, &line, err)) > 0 && *line != '#')
        if (read_head_line(in, h, line, err))
            return -1;
    if (got < 0)
        return -1;
    if (!got)
        return input_error(in, err,
                           "the file ends in its head: expected '#traces "
                           "format'");
    if (!h->name || !h->grid[0] || !h->block[0])
        return input_error(in, err, "the head has no '-%s'",
                           !h->name      ? "kernel name"
                           : !h->grid[0] ? "grid dim"
                                         : "block dim");
    return 0;
}

/* ---- instructions ---- */

static bool read_registers(char **text, uint8_t *reg, unsigned max, unsigned *n)
{
    uint64_t v;

    if (!read_number(next_word(text), 10, max, &v))
        return false;
    *n = (unsigned)v;
    for (unsigned k = 0; k < *n; k++) {
        const char *w = next_word(text);

        if (!w || *w != 'R' || !read_number(w + 1, 10, TRACEG_RZ, &v))
            return false;
        reg[k] = (uint8_t)v;
    }
    return true;
}

/* As Accel-Sim reads it: the first run of lanes only. */
static bool read_base_stride(char **text, struct traceg_line *l)
{
    uint64_t base;
    int64_t stride;
    unsigned lane = l->mask ? (unsigned)__builtin_ctz(l->mask) : WARP_LANES;

    if (!read_number(next_word(text), 16, UINT64_MAX, &base) ||
        !read_signed(next_word(text), &stride))
        return false;
    for (; lane < WARP_LANES && l->mask >> lane & 1; lane++) {
        l->addr[lane] = base;
        base += (uint64_t)stride;
    }
    return true;
}

static bool read_base_deltas(char **text, struct traceg_line *l)
{
    uint64_t at;
    int64_t delta;
    bool is_first = true;

    if (!read_number(next_word(text), 16, UINT64_MAX, &at))
        return false;
    for (uint32_t m = l->mask; m; m &= m - 1, is_first = false) {
        if (!is_first) {
            if (!read_signed(next_word(text), &delta))
                return false;
            at += (uint64_t)delta;
        }
        l->addr[__builtin_ctz(m)] = at;
    }
    return true;
}

static bool read_addresses(char **text, struct traceg_line *l)
{
    uint64_t mode;

    memset(l->addr, 0, sizeof l->addr);
    if (!read_number(next_word(text), 10, 2, &mode))
        return false;
    if (mode == 1)
        return read_base_stride(text, l);
    if (mode == 2)
        return read_base_deltas(text, l);
    for (uint32_t m = l->mask; m; m &= m - 1)
        if (!read_number(next_word(text), 16, UINT64_MAX, &l->addr[__builtin_ctz(m)]))
            return false;
    return true;
}

int traceg_parse_line(const struct input *in, const struct traceg_head *h, char *text,
                      struct traceg_line *l, struct err *err)
{
    uint64_t mask, width;
    const char *opcode;
    char *key;

    for (unsigned k = h->version < 3 ? 4 : 0; k; k--)
        next_word(&text); /* block and warp, once more */
    if (h->has_lines)
        next_word(&text);
    if (!read_number(next_word(&text), 16, UINT32_MAX, &l->pc) ||
        !read_number(next_word(&text), 16, UINT32_MAX, &mask))
        return input_error(in, err, "expected a PC and a mask, both hexadecimal");
    l->mask = (uint32_t)mask;
    key = text;
    if (!read_registers(&text, l->dst, MAX_DST, &l->n_dst))
        return input_error(in, err, "expected at most %d destinations", MAX_DST);
    opcode = next_word(&text);
    if (!opcode || strlen(opcode) >= sizeof l->opcode)
        return input_error(in, err, "expected an opcode after the destinations");
    strcpy(l->opcode, opcode);
    if (!read_registers(&text, l->src, MAX_SRC, &l->n_src))
        return input_error(in, err, "%s: expected at most %d sources", l->opcode,
                           MAX_SRC);
    if (!read_number(next_word(&text), 10, 255, &width))
        return input_error(in, err, "%s: expected a memory width", l->opcode);
    l->width = (unsigned)width;
    l->key = key;
    l->key_len = (size_t)(text - key);
    if (width && !read_addresses(&text, l))
        return input_error(in, err, "%s: addresses damaged or missing for mask %08x",
                           l->opcode, l->mask);
    return 0;
}
