/* param.c - parameters as tables: finding a row by its key, defaults, and setting a
 * value from text with its range checked.
 */
#include "config/param.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "config/internal.h"

static uint32_t *number_at(const struct param_desc *row, void *values)
{
    return (uint32_t *)(void *)((char *)values + row->offset);
}

static bool *flag_at(const struct param_desc *row, void *values)
{
    return (bool *)(void *)((char *)values + row->offset);
}

static void store_value(const struct param_desc *row, void *values, uint32_t value)
{
    if (row->type == PARAM_TYPE_BOOL)
        *flag_at(row, values) = value != 0;
    else
        *number_at(row, values) = value;
}

void param_defaults(const struct param_binding *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 0; r < b[i].group->n_rows; r++)
            store_value(&b[i].group->rows[r], b[i].values, b[i].group->rows[r].def);
    }
}

bool param_find(const struct param_binding *b, size_t n, const char *key,
                struct param_place *place)
{
    size_t before = 0;

    for (size_t i = 0; i < n; before += b[i].group->n_rows, i++) {
        const struct param_group *g = b[i].group;
        size_t prefix = strlen(g->prefix);

        if (strncmp(key, g->prefix, prefix) || key[prefix] != '.')
            continue;
        for (size_t r = 0; r < g->n_rows; r++) {
            if (!strcmp(key + prefix + 1, g->rows[r].name)) {
                *place = (struct param_place){ &g->rows[r], b[i].values, before + r };
                return true;
            }
        }
    }
    return false;
}

size_t param_count(const struct param_binding *b, size_t n)
{
    size_t rows = 0;

    for (size_t i = 0; i < n; i++)
        rows += b[i].group->n_rows;
    return rows;
}

size_t param_choice(const struct param_desc *row, uint32_t i, const char **name)
{
    const char *at = row->choices;

    for (; i; i--) {
        at += strcspn(at, "|");
        if (!*at++)
            return 0;
    }
    *name = at;
    return strcspn(at, "|");
}

/* Names for suggest_word(), kept together: all keys, or a row's choices. */
struct names {
    struct buf text; /* each ends with NUL */
    size_t n;
};

static void names_add(struct names *names, const char *prefix, const char *name,
                      size_t n)
{
    if (*prefix)
        buf_printf(&names->text, "%s.", prefix);
    buf_add(&names->text, name, n);
    buf_putc(&names->text, '\0');
    names->n++;
}

static const char *names_next(const void *from, size_t i)
{
    const struct names *names = from;
    const char *at = names->text.data;

    if (i >= names->n)
        return NULL;
    for (; i; i--)
        at += strlen(at) + 1;
    return at;
}

static int unknown_choice(const struct param_desc *row, const char *key,
                          const char *value, const char *where, struct err *err)
{
    struct names names = { 0 };
    struct buf list = { 0 }, near = { 0 };
    const char *name;
    size_t n;

    for (uint32_t i = 0; (n = param_choice(row, i, &name)) > 0; i++) {
        buf_puts(&list, i ? ", " : "");
        buf_add(&list, name, n);
        names_add(&names, "", name, n);
    }
    suggest_word(&near, value, names_next, &names);
    err_set(err, "%s: %s: expected one of %s, got '%s'%s", where, key, buf_text(&list),
            value, buf_text(&near));
    buf_free(&names.text);
    buf_free(&list);
    buf_free(&near);
    return -1;
}

static int set_choice(const struct param_place *at, const char *key, const char *value,
                      const char *where, struct err *err)
{
    const char *name;
    size_t n;

    for (uint32_t i = 0; (n = param_choice(at->row, i, &name)) > 0; i++) {
        if (strlen(value) == n && !memcmp(value, name, n)) {
            store_value(at->row, at->values, i);
            return 0;
        }
    }
    return unknown_choice(at->row, key, value, where, err);
}

static int set_flag(const struct param_place *at, const char *key, const char *value,
                    const char *where, struct err *err)
{
    static const char *const words[] = { "off",   "on",   "no", "yes",
                                         "false", "true", "0",  "1" };

    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(value, words[i])) {
            store_value(at->row, at->values, i & 1);
            return 0;
        }
    }
    return err_set(err, "%s: %s: expected on or off, got '%s'", where, key, value);
}

/* The value of a digit of this base; the base if it is none. */
static unsigned digit_value(char c, unsigned base)
{
    unsigned value = base;

    if (c >= '0' && c <= '9')
        value = (unsigned)(c - '0');
    else if ((c | 32) >= 'a' && (c | 32) <= 'f')
        value = (unsigned)((c | 32) - 'a') + 10;
    return value < base ? value : base;
}

/* A decimal or 0x number, in bytes with K or M; false if it is no number or does not
 * fit in 32 bits. */
static bool parse_number(const char *text, bool is_bytes, uint32_t *value)
{
    unsigned base = text[0] == '0' && text[1] == 'x' ? 16 : 10;
    const char *first = text + (base == 16 ? 2 : 0), *at = first;
    uint64_t number = 0;

    for (; digit_value(*at, base) < base; at++) {
        number = number * base + digit_value(*at, base);
        if (number > UINT32_MAX)
            return false;
    }
    if (at == first)
        return false;
    if (is_bytes && (*at == 'K' || *at == 'M'))
        number <<= *at++ == 'K' ? 10 : 20;
    *value = (uint32_t)number;
    return !*at && number <= UINT32_MAX;
}

static int set_number(const struct param_place *at, const char *key, const char *value,
                      const char *where, struct err *err)
{
    const struct param_desc *row = at->row;
    bool is_bytes = !strcmp(row->unit, "B");
    uint32_t number;

    if (parse_number(value, is_bytes, &number) && number >= row->min &&
        number <= row->max) {
        store_value(row, at->values, number);
        return 0;
    }
    return err_set(err, "%s: %s: expected a number from %u to %u%s%s%s%s, got '%s'",
                   where, key, row->min, row->max, *row->unit ? " (" : "", row->unit,
                   is_bytes ? ", with K or M for 1024 or 1048576 of them" : "",
                   *row->unit ? ")" : "", value);
}

/* Suggests what an unknown key may have meant: a key with a similar spelling, else one
 * with the same last part, else the list of groups. */
static int unknown_key(const struct param_binding *b, size_t n, const char *key,
                       const char *where, struct err *err)
{
    const char *dot = strrchr(key, '.'), *last = dot ? dot + 1 : key;
    struct names names = { 0 };
    struct buf near = { 0 }, groups = { 0 };

    for (size_t i = 0; i < n; i++) {
        const struct param_group *g = b[i].group;

        buf_printf(&groups, "%s%s", i ? ", " : "", g->prefix);
        for (size_t r = 0; r < g->n_rows; r++)
            names_add(&names, g->prefix, g->rows[r].name, strlen(g->rows[r].name));
    }
    suggest_word(&near, key, names_next, &names);
    for (size_t i = 0; !near.len && i < names.n; i++) {
        const char *name = names_next(&names, i);

        if (!strcmp(strrchr(name, '.') + 1, last))
            buf_printf(&near, " (did you mean '%s'?)", name);
    }
    if (!near.len)
        buf_printf(&near, "; there are groups %s", buf_text(&groups));
    err_set(err, "%s: no parameter '%s'%s", where, key, buf_text(&near));
    buf_free(&names.text);
    buf_free(&near);
    buf_free(&groups);
    return -1;
}

static int set_value(const struct param_binding *b, size_t n, const char *key,
                     const char *value, const char *where, struct err *err)
{
    struct param_place at;

    if (!param_find(b, n, key, &at))
        return unknown_key(b, n, key, where, err);
    switch (at.row->type) {
    case PARAM_TYPE_NUM:
        return set_number(&at, key, value, where, err);
    case PARAM_TYPE_ENUM:
        return set_choice(&at, key, value, where, err);
    case PARAM_TYPE_BOOL:
        return set_flag(&at, key, value, where, err);
    }
    return -1;
}

int param_set(const struct param_binding *b, size_t n, const char *key,
              const char *value, const char *where, struct err *err)
{
    const char *equals = strchr(key, '=');
    char *name;
    int rc;

    if (value)
        return set_value(b, n, key, value, where, err);
    if (!equals)
        return err_set(err, "%s: expected KEY=VALUE, got '%s'", where, key);
    name = strndup(key, (size_t)(equals - key));
    if (!name)
        return err_memory(err, "a setting");
    rc = set_value(b, n, name, equals + 1, where, err);
    free(name);
    return rc;
}
