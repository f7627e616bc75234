/* ini_text.c - an ini text, line by line.
 *
 * libinih splits lines into sections, names and values. It is fed line by line, so
 * that the line a message names is known, and a line it would cut is refused.
 */
#include "config/ini_text.h"

#include <ini.h>
#include <stdbool.h>
#include <string.h>

#include "base/suggest.h"

struct reading {
    const struct ini_text *t;
    size_t at;     /* of the next line in the text */
    unsigned line; /* the last one handed out, from 1 */
    unsigned open; /* where a section begins of which no line has come; 0: nowhere */
    bool failed;
    struct err *err;
};

static int fail_at(struct reading *r, unsigned line, const char *words)
{
    r->failed = true;
    return err_set(r->err, "%s:%u: %s", r->t->name, line, words);
}

/* Of the section before, if nothing came after it. */
static void check_empty(struct reading *r)
{
    if (r->open && r->t->refuses_empty && !r->failed)
        fail_at(r, r->open, "an empty section; expected name = value after it");
    r->open = 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The length of a line without its comment. */
static size_t without_comment(const char *line, size_t n)
{
    size_t end = 0;

    for (; end < n; end++) {
        if ((line[end] == ';' || line[end] == '#') && (!end || is_space(line[end - 1])))
            break;
    }
    while (end && is_space(line[end - 1]))
        end--;
    return end;
}

/* libinih's fgets(): a line without comment and indentation (which to libinih would
 * continue the line before it). */
static char *next_line(char *to, int room, void *stream)
{
    struct reading *r = stream;
    const char *line = r->t->text + r->at, *end;
    size_t left = r->t->size - r->at, n;

    if (!left || r->failed)
        return NULL;
    r->line++;
    end = memchr(line, '\n', left);
    n = end ? (size_t)(end - line) : left;
    r->at += end ? n + 1 : n;
    if (memchr(line, '\0', n)) {
        fail_at(r, r->line, "not a text: it has a byte of value 0");
        return NULL;
    }
    n = without_comment(line, n);
    for (; n && is_space(*line); n--)
        line++;
    if (n + 2 > (size_t)room) {
        fail_at(r, r->line, "line too long");
        return NULL;
    }
    if (n && *line == '[') {
        check_empty(r);
        r->open = r->line;
    }
    memcpy(to, line, n);
    to[n] = '\0';
    return to;
}

/* libinih's: a name and its value; 0 is failure. */
static int take_pair(void *user, const char *section, const char *name,
                     const char *value)
{
    struct reading *r = user;
    struct ini_line l = { r->line, section, name, value };

    r->open = 0;
    if (!r->failed && r->t->take(r->t->to, &l, r->err))
        r->failed = true;
    return !r->failed;
}

int ini_text_read(const struct ini_text *t, struct err *err)
{
    struct reading r = { .t = t, .err = err };
    int bad = ini_parse_stream(next_line, &r, take_pair, &r);

    /* A line that is neither section nor key: libinih continues after it. */
    if (bad > 0 && (!r.failed || (unsigned)bad < r.line))
        return fail_at(&r, (unsigned)bad,
                       "expected [group], name = value or a comment");
    if (bad < 0 && !r.failed)
        return err_memory(err, "%s", t->name);
    check_empty(&r);
    return r.failed ? -1 : 0;
}

int ini_refuse_name(const char *file, const struct ini_line *l,
                    const char *(*name_at)(const void *from, size_t i),
                    const char *more, struct err *err)
{
    struct buf words = { 0 };
    const char *name;

    buf_printf(&words, "%s:%u: no such key '%s'", file, l->number, l->name);
    suggest_word(&words, l->name, name_at, NULL);
    buf_puts(&words, "; expected one of");
    for (size_t i = 0; (name = name_at(NULL, i)); i++)
        buf_printf(&words, "%s %s", i ? "," : "", name);
    err_set(err, "%s%s", buf_text(&words), more);
    buf_free(&words);
    return -1;
}
