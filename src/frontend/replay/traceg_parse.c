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
    if (h->version > TRACEG_VERSIONS)
        return input_error(in, err, "tracer version %u, expected at most %d",
                           h->version, TRACEG_VERSIONS);
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

/* The last uniform register is URZ: of 64, from sm_100 on of 256. */
static bool find_uniform(const struct traceg_head *h, uint64_t n, uint16_t *id)
{
    unsigned urz = h->sm < 100 ? 63 : 255;

    *id = (uint16_t)(n == urz ? TRACEG_URZ : regid_uniform((unsigned)n));
    return n == urz || (n < urz && n < N_UR);
}

static bool read_register(const struct traceg_head *h, const char *word, uint16_t *id)
{
    static const struct {
        const char *letters;
        unsigned version, last, first_id;
    } spaces[] = { { "R", 0, 255, REGID_R },
                   { "UR", TRACEG_NAMES, 255, REGID_UR },
                   { "P", TRACEG_NAMES, 7, REGID_P },
                   { "UP", TRACEG_NAMES, 7, REGID_UP } };

    for (unsigned k = 0; k < sizeof spaces / sizeof *spaces; k++) {
        size_t n = strlen(spaces[k].letters);
        uint64_t number;

        if (h->version < spaces[k].version || strncmp(word, spaces[k].letters, n) ||
            !read_number(word + n, 10, spaces[k].last, &number))
            continue;
        *id = (uint16_t)(spaces[k].first_id + number);
        return spaces[k].first_id != REGID_UR || find_uniform(h, number, id);
    }
    return false;
}

/* Destinations or sources. */
struct list_kind {
    const char *name;
    unsigned max; /* general registers */
};

static int read_registers(const struct input *in, const struct traceg_head *h,
                          char **text, const struct list_kind *kind,
                          struct traceg_registers *l, struct err *err)
{
    const char *word = next_word(text);
    unsigned n_general = 0;
    uint64_t n;

    if (!read_number(word, 10, TRACEG_REGISTERS, &n))
        return input_error(in, err,
                           "expected the number of %s, at most %d, found '%.20s'",
                           kind->name, TRACEG_REGISTERS, word ? word : "");
    for (l->n = 0; l->n < n; l->n++) {
        word = next_word(text);
        if (!word || !read_register(h, word, &l->id[l->n]))
            return input_error(in, err, "%s: expected a register (%s), found '%.20s'",
                               kind->name,
                               h->version < TRACEG_NAMES ? "R4" : "R4, UR4, P0, UP0",
                               word ? word : "");
        n_general += l->id[l->n] < REGID_UR;
    }
    if (n_general > kind->max)
        return input_error(in, err,
                           "expected at most %u %s in general registers, found %u",
                           kind->max, kind->name, n_general);
    return 0;
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

/* Immediates, then Val and the values of registers, which are not read, or NoVal. */
static bool read_values(char **text)
{
    const char *word;

    do {
        word = next_word(text);
    } while (word && !word[strspn(word, "-0123456789")]);
    return word && (!strcmp(word, "Val") || !strcmp(word, "NoVal"));
}

/* "4 1 0x1000 4": bytes per lane and addresses. */
static int read_memory(const struct input *in, char **text, struct traceg_line *l,
                       struct err *err)
{
    const char *word = next_word(text);
    uint64_t width;

    if (!read_number(word, 10, 255, &width))
        return input_error(in, err, "%s: expected a memory width, found '%.20s'",
                           l->opcode, word ? word : "");
    l->width = (unsigned)width;
    l->key_len = (size_t)(*text - l->key);
    if (width && !read_addresses(text, l))
        return input_error(in, err, "%s: addresses damaged or missing for mask %08x",
                           l->opcode, l->mask);
    return 0;
}

int traceg_parse_line(const struct input *in, const struct traceg_head *h, char *text,
                      struct traceg_line *l, struct err *err)
{
    static const struct list_kind destinations = { "destinations", MAX_DST };
    static const struct list_kind sources = { "sources", MAX_SRC };
    const char *opcode;
    uint64_t mask;

    for (unsigned k = h->version < 3 ? 4 : 0; k; k--)
        next_word(&text); /* block and warp, once more */
    if (h->has_lines)
        next_word(&text);
    if (!read_number(next_word(&text), 16, UINT32_MAX, &l->pc) ||
        !read_number(next_word(&text), 16, UINT32_MAX, &mask))
        return input_error(in, err, "expected a PC and a mask, both hexadecimal");
    l->mask = (uint32_t)mask;
    l->key = text;
    if (read_registers(in, h, &text, &destinations, &l->dst, err))
        return -1;
    opcode = next_word(&text);
    if (!opcode || strlen(opcode) >= sizeof l->opcode)
        return input_error(in, err, "expected an opcode after the destinations");
    strcpy(l->opcode, opcode);
    if (read_registers(in, h, &text, &sources, &l->src, err) ||
        read_memory(in, &text, l, err))
        return -1;
    if (h->version >= TRACEG_NAMES && !read_values(&text))
        return input_error(in, err, "%s: expected immediates, then Val or NoVal",
                           l->opcode);
    return 0;
}
