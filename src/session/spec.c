/* spec.c - schemes with settings, parsed. */
#include "session/spec.h"

#include <stdlib.h>
#include <string.h>

/* One KEY=VALUE of n bytes. */
static int apply_setting(struct machine *m, const char *spec, const char *at, size_t n,
                         struct err *err)
{
    const char *equals = memchr(at, '=', n);
    bool is_whole = equals && memchr(at, '.', (size_t)(equals - at));
    struct buf setting = { 0 };
    int failed;

    if (!equals || equals == at)
        return err_set(err, "%s: expected KEY=VALUE instead of '%.*s'", spec, (int)n,
                       at);
    if (!is_whole && !m->scheme->params)
        return err_set(err, "%s: %s has no parameters", spec, m->scheme->name);
    if (!is_whole)
        buf_printf(&setting, "%s.", m->scheme->params->prefix);
    buf_add(&setting, at, n);
    failed = machine_set_from(m, buf_text(&setting), spec, err);
    buf_free(&setting);
    return failed;
}

bool spec_takes(const struct machine *m, const char *key)
{
    size_t n = strcspn(key, "=");

    while (n && key[n] != '.')
        n--;
    for (size_t i = 0; i < m->n_bind; i++) {
        const char *prefix = m->bind[i].group->prefix;

        if (strlen(prefix) == n && !memcmp(prefix, key, n))
            return true;
    }
    return false;
}

bool spec_has(const struct machine *m, const char *key)
{
    const char *dot = strrchr(key, '.');

    for (size_t i = 0; dot && i < m->n_bind; i++) {
        const struct param_group *g = m->bind[i].group;
        size_t n = strlen(g->prefix);

        if (n != (size_t)(dot - key) || memcmp(g->prefix, key, n))
            continue;
        for (size_t row = 0; row < g->n_rows; row++)
            if (!strcmp(g->rows[row].name, dot + 1))
                return true;
    }
    return false;
}

static int check_setting(struct machine *const *m, size_t n, const char *set,
                         struct err *err)
{
    struct machine *first = NULL;

    for (size_t k = 0; k < n; k++) {
        if (m[k] && spec_takes(m[k], set))
            return 0;
        first = first ? first : m[k];
    }
    /* The first machine's message says what was possible. */
    return first ? machine_set(first, set, err) : 0;
}

int spec_check_set(struct machine *const *m, size_t n, const char *const *set,
                   size_t n_set, struct err *err)
{
    for (size_t i = 0; i < n_set; i++)
        if (check_setting(m, n, set[i], err))
            return -1;
    return 0;
}

/* The settings of the spec, from the first ':' on. */
static int apply_settings(struct machine *m, const char *spec, const char *at,
                          struct err *err)
{
    while (*at++) {
        size_t n = strcspn(at, ":");

        if (apply_setting(m, spec, at, n, err))
            return -1;
        at += n;
    }
    return 0;
}

struct machine *spec_machine(const char *gpu, const char *spec, const char *const *set,
                             size_t n_set, struct err *err)
{
    size_t n = strcspn(spec, ":");
    struct buf name = { 0 };
    struct machine *m;
    int failed = 0;

    buf_add(&name, spec, n);
    m = machine_new(gpu, buf_text(&name), err);
    buf_free(&name);
    if (!m)
        return NULL;
    for (size_t i = 0; i < n_set && !failed; i++)
        failed = spec_takes(m, set[i]) ? machine_set(m, set[i], err) : 0;
    if (failed || apply_settings(m, spec, spec + n, err)) {
        machine_free(m);
        return NULL;
    }
    return m;
}

static int add_spec(struct spec_list *l, char *spec, struct err *err)
{
    if (!*spec)
        return err_set(err, "empty scheme name: expected NAME,NAME,...");
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->at[i], spec))
            return err_set(err, "duplicate scheme '%s'", spec);
    if (l->n == MAX_SPECS)
        return err_set(err, "more than %d schemes", MAX_SPECS);
    l->at[l->n++] = spec;
    return 0;
}

int spec_split(struct spec_list *l, const char *list, struct err *err)
{
    char *at, *comma;

    *l = (struct spec_list){ .text = strdup(list) };
    if (!l->text)
        return err_memory(err, "a list of names");
    for (at = l->text; (comma = strchr(at, ',')); at = comma + 1) {
        *comma = '\0';
        if (add_spec(l, at, err))
            return -1;
    }
    return add_spec(l, at, err);
}

void spec_free(struct spec_list *l)
{
    free(l->text);
    *l = (struct spec_list){ 0 };
}
