/* spec.c - schemes with settings, parsed. */
#include "session/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/kind.h"

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

static struct machine *plain_machine(const char *gpu, const char *spec,
                                     const char *const *set, size_t n_set,
                                     struct err *err)
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

/* ---- in order, with the storage of another ---- */

enum { MAX_ENTRIES = 64, REGISTER_STEP = 256, REGISTER_BITS = 32 };

static int storage_of(const struct machine *m, uint64_t *bits, struct err *err)
{
    struct cost c;
    int failed = session_kind(m)->cost(m, &c, err);

    *bits = failed ? 0 : c.bits;
    return failed;
}

static int set_number(struct machine *m, const char *key, uint64_t value,
                      struct err *err)
{
    char text[64];

    snprintf(text, sizeof text, "%s=%llu", key, (unsigned long long)value);
    return machine_set(m, text, err);
}

/* As many entries for every warp as fit into the bits, at least those it has. */
static int fill_entries(struct machine *m, uint64_t bits, struct err *err)
{
    uint64_t taken = 0;
    unsigned n = MAX_ENTRIES;

    do {
        if (set_number(m, "inorder.entries", n, err) || storage_of(m, &taken, err))
            return -1;
    } while (taken > bits && --n);
    return 0;
}

/* Spends the bits: on entries first, and what no entry is left for on registers. */
static int spend_storage(struct machine *m, uint64_t bits, struct err *err)
{
    uint64_t own, taken, more;

    if (storage_of(m, &own, err))
        return -1;
    if (own >= bits)
        return 0;
    if (machine_set(m, "inorder.refill=room", err) || fill_entries(m, bits, err) ||
        storage_of(m, &taken, err))
        return -1;
    more = (bits - taken) / REGISTER_BITS / REGISTER_STEP * REGISTER_STEP;
    return more ? set_number(m, "core.registers", m->core.registers + more, err) : 0;
}

static struct machine *equal_machine(const char *gpu, const char *spec,
                                     const char *const *set, size_t n_set,
                                     struct err *err)
{
    struct machine *other = plain_machine(gpu, spec + 1, set, n_set, err), *m = NULL;
    uint64_t bits;

    if (other && session_kind(other) != &session_kind_sm)
        err_set(err, "%s: in order with the storage of another is for GPUs with SMs",
                spec);
    else if (other && !storage_of(other, &bits, err))
        m = plain_machine(gpu, "inorder", set, n_set, err);
    if (m && spend_storage(m, bits, err)) {
        err_prefix(err, "%s", spec);
        machine_free(m);
        m = NULL;
    }
    machine_free(other);
    return m;
}

struct machine *spec_machine(const char *gpu, const char *spec, const char *const *set,
                             size_t n_set, struct err *err)
{
    return (*spec == '=' ? equal_machine : plain_machine)(gpu, spec, set, n_set, err);
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
