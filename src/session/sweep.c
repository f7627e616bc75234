/* sweep.c - the file of a study. */
#include "session/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "config/ini_text.h"

static int out_of_memory(struct err *err)
{
    return err_memory(err, "a sweep");
}

/* ---- the file ---- */

static char *trim_text(char *at)
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
    word = trim_text(word);
    if (!*word)
        return err_set(err, "%s:%u: expected a value before and after each comma",
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

static int split_list(const struct sweep *s, struct sweep_words *w, const char *list,
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
    return split_list(s, to, l->value, l->number, err);
}

/* A list that may go on in another line with the same key: a line is short. */
static int read_more_words(struct sweep *s, void *to, const struct ini_line *l,
                           struct err *err)
{
    struct sweep_words *w = to;
    char *before = w->text;
    struct buf list = { 0 };
    int failed;

    for (size_t i = 0; i < w->n; i++)
        buf_printf(&list, "%s,", w->at[i]);
    buf_puts(&list, l->value);
    *w = (struct sweep_words){ 0 };
    failed = split_list(s, w, buf_text(&list), l->number, err);
    free(before);
    buf_free(&list);
    return failed;
}

static int read_word(struct sweep *s, void *to, const struct ini_line *l,
                     struct err *err)
{
    struct sweep_words *w = to;

    if (split_list(s, w, l->value, l->number, err))
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

/* Keys before the first section. */
static const struct key {
    const char *name;
    int (*read)(struct sweep *s, void *to, const struct ini_line *l, struct err *err);
    size_t offset;
} keys[] = {
    { "gpus", read_words, offsetof(struct sweep, gpus) },
    { "schemes", read_words, offsetof(struct sweep, schemes) },
    { "programs", read_more_words, offsetof(struct sweep, programs) },
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

static int take_key(struct sweep *s, const struct ini_line *l, struct err *err)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (!strcmp(keys[i].name, l->name))
            return keys[i].read(s, (char *)s + keys[i].offset, l, err);
    return ini_refuse_name(s->file, l, key_name, ", or a parameter in [set] or [sweep]",
                           err);
}

static bool is_key(const char *setting, const char *key)
{
    size_t n = strlen(key);

    return !strncmp(setting, key, n) && setting[n] == '=';
}

static int take_setting(struct sweep *s, const struct ini_line *l, struct err *err)
{
    struct buf setting = { 0 };

    if (strchr(l->name, ',') || strchr(l->value, ','))
        return err_set(err, "%s:%u: %s has several values; expected that in [sweep]",
                       s->file, l->number, l->name);
    for (size_t i = 0; i < s->n_set; i++)
        if (is_key(s->setting[i], l->name))
            return err_set(err, "%s:%u: %s is in line %u already", s->file, l->number,
                           l->name, s->set_line[i]);
    if (s->n_set == SWEEP_MAX_WORDS)
        return err_set(err, "%s:%u: more than %d parameters in [set]", s->file,
                       l->number, SWEEP_MAX_WORDS);
    buf_printf(&setting, "%s=%s", l->name, l->value);
    s->set_line[s->n_set] = l->number;
    s->setting[s->n_set++] = setting.data;
    return 0;
}

/* One more parameter of the last line of [sweep]. */
static int add_param(struct sweep *s, const char *key, unsigned line, struct err *err)
{
    if (!*key)
        return err_set(err, "%s:%u: expected a parameter before and after each comma",
                       s->file, line);
    for (size_t i = 0; i < s->n_params; i++)
        if (!strcmp(s->param[i].key, key))
            return err_set(err, "%s:%u: %s is in line %u already", s->file, line, key,
                           s->axis[s->param[i].axis].line);
    if (s->n_params == SWEEP_MAX_PARAMS)
        return err_set(err, "%s:%u: more than %d parameters in [sweep]", s->file, line,
                       SWEEP_MAX_PARAMS);
    s->param[s->n_params++] = (struct sweep_param){ .key = key, .axis = s->n_axes - 1 };
    s->axis[s->n_axes - 1].n_params++;
    return 0;
}

static int split_keys(struct sweep *s, char *list, unsigned line, struct err *err)
{
    char *at = list, *comma;

    for (; (comma = strchr(at, ',')); at = comma + 1) {
        *comma = '\0';
        if (add_param(s, trim_text(at), line, err))
            return -1;
    }
    return add_param(s, trim_text(at), line, err);
}

static int bad_value(const struct sweep *s, const struct sweep_axis *a, size_t n,
                     struct err *err)
{
    if (a->n_params == 1)
        return err_set(
            err,
            "%s:%u: value %zu has a ':'; parameters that vary together stand "
            "on one line: a, b = 1:10, 2:20",
            s->file, a->line, n + 1);
    return err_set(
        err,
        "%s:%u: value %zu: expected %zu values with ':' between them, one for "
        "each parameter",
        s->file, a->line, n + 1, a->n_params);
}

/* The n-th word of an axis, "32:1024", as a value of each of its parameters. */
static int split_value(struct sweep *s, const struct sweep_axis *a, size_t n,
                       struct err *err)
{
    char *at = a->values.text + (a->values.at[n] - a->values.text);

    for (size_t i = 0; i < a->n_params; i++) {
        char *colon = strchr(at, ':');

        if (!colon != (i + 1 == a->n_params))
            return bad_value(s, a, n, err);
        if (colon)
            *colon = '\0';
        at = trim_text(at);
        if (!*at)
            return bad_value(s, a, n, err);
        s->param[a->first + i].value[n] = at;
        at = colon ? colon + 1 : NULL;
    }
    return 0;
}

/* A line of [sweep]: "a = 1, 2", or parameters that vary together: "a, b = 1:10, 2:20". */
static int take_axis(struct sweep *s, const struct ini_line *l, struct err *err)
{
    struct sweep_axis *a = &s->axis[s->n_axes];

    if (s->n_params == SWEEP_MAX_PARAMS)
        return err_set(err, "%s:%u: more than %d parameters in [sweep]", s->file,
                       l->number, SWEEP_MAX_PARAMS);
    a->line = l->number;
    a->first = s->n_params;
    a->keys = strdup(l->name);
    if (!a->keys)
        return out_of_memory(err);
    s->n_axes++;
    if (split_keys(s, a->keys, l->number, err) ||
        split_list(s, &a->values, l->value, l->number, err))
        return -1;
    for (size_t n = 0; n < a->values.n; n++)
        if (split_value(s, a, n, err))
            return -1;
    return 0;
}

static int take_line(void *to, const struct ini_line *l, struct err *err)
{
    struct sweep *s = to;

    if (!*l->section)
        return take_key(s, l, err);
    if (!strcmp(l->section, "set"))
        return take_setting(s, l, err);
    if (!strcmp(l->section, "sweep"))
        return take_axis(s, l, err);
    if (!strcmp(l->section, "columns"))
        return sweep_take_named(s, l, err);
    return err_set(err,
                   "%s:%u: no such section '%s'; expected [set], [sweep] or [columns]",
                   s->file, l->number, l->section);
}

/* Defaults of keys that the file may omit. */
static int complete_defaults(struct sweep *s, struct err *err)
{
    const struct ini_line gpu = { 0, "", "gpus", "rtx2060s-ghost" };

    if (!s->gpus.n && read_words(s, &s->gpus, &gpu, err))
        return -1;
    if (s->n_named)
        return sweep_check_named(s, err);
    if (!s->schemes.n)
        return err_set(err, "%s: expected schemes = NAME, ... before the first section",
                       s->file);
    if (!s->baseline.n)
        s->baseline.at[s->baseline.n++] = s->schemes.at[0];
    return 0;
}

int sweep_read(struct sweep *s, const char *file, const char *text, size_t size,
               struct err *err)
{
    struct ini_text t = { file, text, size, take_line, s, false };

    *s = (struct sweep){ .file = file, .seed = 1 };
    return ini_text_read(&t, err) || complete_defaults(s, err) ||
                   sweep_make_points(s, err)
               ? -1
               : 0;
}

void sweep_free(struct sweep *s)
{
    struct sweep_words *const lists[] = { &s->gpus, &s->schemes, &s->programs,
                                          &s->baseline, &s->size };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->text);
    for (size_t i = 0; i < s->n_set; i++)
        free(s->setting[i]);
    for (size_t i = 0; i < s->n_axes; i++) {
        free(s->axis[i].keys);
        free(s->axis[i].values.text);
    }
    for (size_t i = 0; i < s->n_named; i++)
        free(s->named[i].text);
    for (size_t c = 0; c < s->n_columns; c++) {
        free((void *)(uintptr_t)s->column[c].spec);
        free((void *)(uintptr_t)s->column[c].invalid);
    }
    free(s->column);
    free(s->point);
}

const char *sweep_why_invalid(const struct sweep *s, size_t point)
{
    return s->column[s->point[point].column].invalid;
}
