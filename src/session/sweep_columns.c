/* sweep_columns.c - points that a study lists one by one: [columns]. */
#include <stdlib.h>
#include <string.h>

#include "config/ini_text.h"
#include "session/sweep.h"

/* The next word of a line; NULL after the last. */
static char *next_word(char **rest)
{
    return strtok_r(NULL, " \t", rest);
}

/* "SPEC [on GPU] [over NAME]", in any order. */
static int split_words(const struct sweep *s, struct sweep_named *n, char *rest,
                       struct err *err)
{
    const char *word;

    while ((word = next_word(&rest))) {
        bool is_on = !strcmp(word, "on"), is_over = !strcmp(word, "over");
        const char **to = is_on ? &n->gpu : &n->over;

        if ((!is_on && !is_over) || *to || !(*to = next_word(&rest)))
            return err_set(
                err, "%s:%u: expected %s = SCHEME [on GPU] [over COLUMN], not '%s'",
                s->file, n->line, n->name, word);
    }
    return 0;
}

int sweep_take_named(struct sweep *s, const struct ini_line *l, struct err *err)
{
    struct sweep_named *n = &s->named[s->n_named];
    struct buf text = { 0 };
    char *rest = NULL;

    if (s->n_named == SWEEP_MAX_WORDS)
        return err_set(err, "%s:%u: more than %d columns", s->file, l->number,
                       SWEEP_MAX_WORDS);
    for (size_t i = 0; i < s->n_named; i++)
        if (!strcmp(s->named[i].name, l->name))
            return err_set(err, "%s:%u: %s is in line %u already", s->file, l->number,
                           l->name, s->named[i].line);
    buf_printf(&text, "%s%c%s", l->name, '\0', l->value);
    *n =
        (struct sweep_named){ .text = text.data, .name = text.data, .line = l->number };
    s->n_named++;
    n->spec = strtok_r(text.data + strlen(l->name) + 1, " \t", &rest);
    if (!n->spec)
        return err_set(err, "%s:%u: expected a scheme after %s =", s->file, l->number,
                       l->name);
    return split_words(s, n, rest, err);
}

static size_t find_named(const struct sweep *s, const char *name)
{
    size_t n = 0;

    while (n < s->n_named && strcmp(s->named[n].name, name))
        n++;
    return n;
}

size_t sweep_named_base(const struct sweep *s, size_t n)
{
    size_t base = 0;

    if (s->named[n].over)
        return find_named(s, s->named[n].over);
    while (strcmp(s->named[base].gpu, s->named[n].gpu))
        base++;
    return base;
}

int sweep_check_named(struct sweep *s, struct err *err)
{
    if (s->schemes.n || s->baseline.n || s->n_axes)
        return err_set(
            err,
            "%s:%u: [columns] lists all points; expected no schemes, baseline "
            "or [sweep] with it",
            s->file, s->named[0].line);
    for (size_t i = 0; i < s->n_named; i++) {
        struct sweep_named *n = &s->named[i];

        n->gpu = n->gpu ? n->gpu : s->gpus.at[0];
        if (n->over && find_named(s, n->over) == s->n_named)
            return err_set(err, "%s:%u: over %s: there is no such column", s->file,
                           n->line, n->over);
    }
    return 0;
}
