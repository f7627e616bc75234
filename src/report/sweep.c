/* sweep.c - a study read, and its points worked out. */
#include "report/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "config/ini_text.h"
#include "report/spec.h"

static int out_of_memory(struct err *err)
{
    return err_memory(err, "a sweep");
}

/* ---- the file ---- */

static char *trim(char *at)
{
    size_t n;

    at += strspn(at, " \t");
    n = strlen(at);
    while (n && strchr(" \t", at[n - 1]))
        at[--n] = '\0';
    return at;
}

static int add_word(const struct sweep *s, struct sweep_words *w, char *word,
                    struct err *err)
{
    word = trim(word);
    if (!*word)
        return err_set(err, "%s:%u: expected a value before and behind each comma",
                       s->file, w->line);
    for (size_t i = 0; i < w->n; i++)
        if (!strcmp(w->at[i], word))
            return err_set(err, "%s:%u: duplicate '%s'", s->file, w->line, word);
    if (w->n == SWEEP_MAX_WORDS)
        return err_set(err, "%s:%u: more than %d values", s->file, w->line,
                       SWEEP_MAX_WORDS);
    w->at[w->n++] = word;
    return 0;
}

static int split(const struct sweep *s, struct sweep_words *w, const char *list,
                 unsigned line, struct err *err)
{
    char *at, *comma;

    if (w->line)
        return err_set(err, "%s:%u: that is in line %u already", s->file, line,
                       w->line);
    w->line = line;
    w->text = strdup(list);
    if (!w->text)
        return out_of_memory(err);
    for (at = w->text; (comma = strchr(at, ',')); at = comma + 1) {
        *comma = '\0';
        if (add_word(s, w, at, err))
            return -1;
    }
    return add_word(s, w, at, err);
}

static int read_words(struct sweep *s, void *to, const struct ini_line *l,
                      struct err *err)
{
    return split(s, to, l->value, l->number, err);
}

static int read_word(struct sweep *s, void *to, const struct ini_line *l,
                     struct err *err)
{
    struct sweep_words *w = to;

    if (split(s, w, l->value, l->number, err))
        return -1;
    if (w->n != 1)
        return err_set(err, "%s:%u: expected one %s, not several", s->file, l->number,
                       l->name);
    return 0;
}

static int read_number(struct sweep *s, void *to, const struct ini_line *l,
                       struct err *err)
{
    uint64_t *number = to;
    char *end;

    errno = 0;
    *number = strtoull(l->value, &end, 10);
    if (!strchr("0123456789", *l->value) || *end || errno)
        return err_set(err, "%s:%u: %s = %s: expected a number", s->file, l->number,
                       l->name, l->value);
    return 0;
}

/* What stands before the first section. */
static const struct key {
    const char *name;
    int (*read)(struct sweep *s, void *to, const struct ini_line *l, struct err *err);
    size_t offset;
} keys[] = {
    { "gpus", read_words, offsetof(struct sweep, gpus) },
    { "schemes", read_words, offsetof(struct sweep, schemes) },
    { "programs", read_words, offsetof(struct sweep, programs) },
    { "baseline", read_word, offsetof(struct sweep, baseline) },
    { "size", read_word, offsetof(struct sweep, size) },
    { "seed", read_number, offsetof(struct sweep, seed) },
    { "sms", read_number, offsetof(struct sweep, sms) },
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static const char *key_name(const void *from, size_t i)
{
    (void)from;
    return i < N_KEYS ? keys[i].name : NULL;
}

static int unknown(const struct sweep *s, const struct ini_line *l, struct err *err)
{
    struct buf words = { 0 };

    buf_printf(&words, "%s:%u: no such key '%s'", s->file, l->number, l->name);
    suggest(&words, l->name, key_name, NULL);
    buf_puts(&words, "; expected one of");
    for (size_t i = 0; i < N_KEYS; i++)
        buf_printf(&words, "%s %s", i ? "," : "", keys[i].name);
    buf_puts(&words, ", or a parameter in [set] or [sweep]");
    err_set(err, "%s", buf_text(&words));
    buf_free(&words);
    return -1;
}

static int take_key(struct sweep *s, const struct ini_line *l, struct err *err)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (!strcmp(keys[i].name, l->name))
            return keys[i].read(s, (char *)s + keys[i].offset, l, err);
    return unknown(s, l, err);
}

/* A parameter of a section: the axis at the end of a list of at most max. */
static int take_axis(const struct sweep *s, struct sweep_axis *list, size_t *n,
                     size_t max, const struct ini_line *l, struct err *err)
{
    struct sweep_axis *a = &list[*n];

    for (size_t i = 0; i < *n; i++)
        if (!strcmp(list[i].key, l->name))
            return err_set(err, "%s:%u: %s is in line %u already", s->file, l->number,
                           l->name, list[i].values.line);
    if (*n == max)
        return err_set(err, "%s:%u: more than %zu parameters in [%s]", s->file,
                       l->number, max, l->section);
    a->key = strdup(l->name);
    if (!a->key)
        return out_of_memory(err);
    ++*n;
    return split(s, &a->values, l->value, l->number, err);
}

static int take_setting(struct sweep *s, const struct ini_line *l, struct err *err)
{
    if (take_axis(s, s->set, &s->n_set, SWEEP_MAX_WORDS, l, err))
        return -1;
    if (s->set[s->n_set - 1].values.n == 1)
        return 0;
    return err_set(err, "%s:%u: %s has several values; expected that in [sweep]",
                   s->file, l->number, l->name);
}

static int take(void *to, const struct ini_line *l, struct err *err)
{
    struct sweep *s = to;

    if (!*l->section)
        return take_key(s, l, err);
    if (!strcmp(l->section, "set"))
        return take_setting(s, l, err);
    if (!strcmp(l->section, "sweep"))
        return take_axis(s, s->axis, &s->n_axes, SWEEP_MAX_AXES, l, err);
    return err_set(err, "%s:%u: no such section '%s'; expected [set] or [sweep]",
                   s->file, l->number, l->section);
}

/* What the file may leave out. */
static int complete(struct sweep *s, struct err *err)
{
    const struct ini_line gpu = { 0, "", "gpus", "rtx2060s-ghost" };

    if (!s->schemes.n)
        return err_set(err, "%s: expected schemes = NAME, ... before the first section",
                       s->file);
    if (!s->gpus.n && read_words(s, &s->gpus, &gpu, err))
        return -1;
    if (!s->baseline.n)
        s->baseline.at[s->baseline.n++] = s->schemes.at[0];
    return 0;
}

/* ---- which scheme has which parameter ---- */

/* Machines by GPU and scheme, for questions only. */
struct machines {
    struct machine **at;
    size_t n;
};

static struct machine *machine_at(const struct sweep *s, const struct machines *m,
                                  size_t gpu, size_t scheme)
{
    return m->at[gpu * s->schemes.n + scheme];
}

static void machines_free(struct machines *m)
{
    for (size_t i = 0; m->at && i < m->n; i++)
        machine_free(m->at[i]);
    free(m->at);
}

/* The machine of a scheme with what is set for all, as far as it has that. */
static struct machine *plain_machine(const struct sweep *s, const char *gpu,
                                     const char *scheme, struct err *err)
{
    return spec_machine(gpu, scheme, (const char *const *)s->setting, s->n_set, err);
}

static int machines_new(const struct sweep *s, struct machines *m, struct err *err)
{
    m->n = s->gpus.n * s->schemes.n;
    m->at = calloc(m->n, sizeof(struct machine *));
    if (!m->at)
        return out_of_memory(err);
    for (size_t i = 0; i < m->n; i++) {
        m->at[i] = spec_machine(s->gpus.at[i / s->schemes.n],
                                s->schemes.at[i % s->schemes.n], NULL, 0, err);
        if (!m->at[i])
            return err_prefix(err, "%s", s->file);
    }
    return 0;
}

static int set(const struct machine *m, const char *setting, const char *where,
               struct err *err)
{
    return param_set(m->bind, m->n_bind, setting, NULL, where, err);
}

/* Every value is tried where there is the parameter; somebody must have it. */
static int check_value(const struct machines *m, const char *setting, const char *where,
                       struct err *err)
{
    bool is_taken = false;

    for (size_t i = 0; i < m->n; i++) {
        if (!spec_takes(m->at[i], setting))
            continue;
        is_taken = true;
        if (set(m->at[i], setting, where, err))
            return -1;
    }
    return is_taken ? 0 : set(m->at[0], setting, where, err);
}

/* The n-th value as a setting. */
static void put_setting(const struct sweep_axis *a, size_t n, struct buf *out)
{
    buf_printf(out, "%s=%s", a->key, a->values.at[n]);
}

static int check_axis(const struct sweep *s, const struct sweep_axis *a,
                      const struct machines *m, struct err *err)
{
    struct buf setting = { 0 }, where = { 0 };
    int failed = 0;

    buf_printf(&where, "%s:%u", s->file, a->values.line);
    for (size_t i = 0; i < a->values.n && !failed; i++) {
        buf_clear(&setting);
        put_setting(a, i, &setting);
        failed = check_value(m, buf_text(&setting), buf_text(&where), err);
    }
    buf_free(&setting);
    buf_free(&where);
    return failed;
}

static int check_all(struct sweep *s, const struct machines *m, struct err *err)
{
    for (size_t i = 0; i < s->n_set; i++) {
        struct buf setting = { 0 };

        if (check_axis(s, &s->set[i], m, err))
            return -1;
        put_setting(&s->set[i], 0, &setting);
        s->setting[i] = setting.data;
    }
    for (size_t i = 0; i < s->n_axes; i++)
        if (check_axis(s, &s->axis[i], m, err))
            return -1;
    return 0;
}

/* ---- points ---- */

/* The column of a machine, which is added if it is a new one. The spec becomes the column's
 * or is freed. */
static size_t column_of(struct sweep *s, const char *gpu, char *spec)
{
    for (size_t c = 0; c < s->n_columns; c++)
        if (!strcmp(s->column[c].gpu, gpu) && !strcmp(s->column[c].spec, spec)) {
            free(spec);
            return c;
        }
    s->column[s->n_columns] = (struct grid_column){ gpu, spec };
    return s->n_columns++;
}

/* A scheme with those values of a point that it has parameters for. */
static char *spec_of(const struct sweep *s, const char *scheme, const struct machine *m,
                     const char *const *value)
{
    struct buf spec = { 0 };

    buf_puts(&spec, scheme);
    for (size_t i = 0; i < s->n_axes; i++)
        if (value[i] && spec_takes(m, s->axis[i].key))
            buf_printf(&spec, ":%s=%s", s->axis[i].key, value[i]);
    return spec.data;
}

static int add_point(struct sweep *s, const struct sweep_point *p,
                     const struct machine *m, const struct machine *base,
                     struct err *err)
{
    struct sweep_point *to = &s->point[s->n_points];

    if (s->n_points == SWEEP_MAX_POINTS)
        return err_set(err, "%s: more than %d combinations", s->file, SWEEP_MAX_POINTS);
    *to = *p;
    to->column = column_of(s, p->gpu, spec_of(s, p->scheme, m, p->value));
    to->base = column_of(s, p->gpu, spec_of(s, s->baseline.at[0], base, p->value));
    s->n_points++;
    return 0;
}

/* The next combination, the last parameter first; false behind the last one. */
static bool step(const struct sweep *s, const struct machine *m, size_t *index)
{
    for (size_t i = s->n_axes; i-- > 0;) {
        if (!spec_takes(m, s->axis[i].key))
            continue;
        if (++index[i] < s->axis[i].values.n)
            return true;
        index[i] = 0;
    }
    return false;
}

static int add_points(struct sweep *s, const char *gpu, const char *scheme,
                      const struct machine *m, const struct machine *base,
                      struct err *err)
{
    size_t index[SWEEP_MAX_AXES] = { 0 };

    do {
        struct sweep_point p = { .gpu = gpu, .scheme = scheme };

        for (size_t i = 0; i < s->n_axes; i++)
            if (spec_takes(m, s->axis[i].key))
                p.value[i] = s->axis[i].values.at[index[i]];
        if (add_point(s, &p, m, base, err))
            return -1;
    } while (step(s, m, index));
    return 0;
}

static int add_points_of_gpu(struct sweep *s, const struct machines *m, size_t gpu,
                             struct err *err)
{
    struct machine *base = plain_machine(s, s->gpus.at[gpu], s->baseline.at[0], err);
    int failed = 0;

    if (!base)
        return err_prefix(err, "%s: baseline", s->file);
    for (size_t i = 0; i < s->schemes.n && !failed; i++)
        failed = add_points(s, s->gpus.at[gpu], s->schemes.at[i],
                            machine_at(s, m, gpu, i), base, err);
    machine_free(base);
    return failed;
}

static int make_points(struct sweep *s, struct err *err)
{
    struct machines m = { 0 };
    int failed = machines_new(s, &m, err) || check_all(s, &m, err) ? -1 : 0;

    s->point = calloc(SWEEP_MAX_POINTS, sizeof *s->point);
    s->column = calloc(2 * SWEEP_MAX_POINTS, sizeof *s->column);
    if (!failed && (!s->point || !s->column))
        failed = out_of_memory(err);
    for (size_t g = 0; g < s->gpus.n && !failed; g++)
        failed = add_points_of_gpu(s, &m, g, err);
    machines_free(&m);
    return failed;
}

int sweep_read(struct sweep *s, const char *file, const char *text, size_t size,
               struct err *err)
{
    struct ini_text t = { file, text, size, take, s };

    *s = (struct sweep){ .file = file, .seed = 1 };
    return ini_text_read(&t, err) || complete(s, err) || make_points(s, err) ? -1 : 0;
}

static void free_axes(struct sweep_axis *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(a[i].key);
        free(a[i].values.text);
    }
}

void sweep_free(struct sweep *s)
{
    struct sweep_words *const lists[] = { &s->gpus, &s->schemes, &s->programs,
                                          &s->baseline, &s->size };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->text);
    for (size_t i = 0; i < s->n_set; i++)
        free(s->setting[i]);
    free_axes(s->set, s->n_set);
    free_axes(s->axis, s->n_axes);
    for (size_t c = 0; c < s->n_columns; c++)
        free((void *)(uintptr_t)s->column[c].spec);
    free(s->column);
    free(s->point);
}
