/* param_read.c - parameters from an ini text.
 *
 * libinih splits lines into sections, names and values. It is fed line by line, so
 * that the line a message names is known, and a line it would cut is refused.
 */
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "config/internal.h"

struct reading {
    const struct param_binding *b;
    size_t n;
    const struct param_source *source;
    size_t at;      /* of the next line in the text */
    unsigned line;  /* the last one handed out, from 1 */
    unsigned *seen; /* by row: the line that set it */
    unsigned last;  /* line of the last key; 0: none yet */
    bool failed;
    struct err *err;
};

static int fail(struct reading *r, unsigned line, const char *words)
{
    r->failed = true;
    return err_set(r->err, "%s:%u: %s", r->source->name, line, words);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The length of a line without its comment: from ';' or '#' at its start or behind a
 * space. */
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
    const char *line = r->source->text + r->at, *end;
    size_t left = r->source->size - r->at, n;

    if (!left || r->failed)
        return NULL;
    r->line++;
    end = memchr(line, '\n', left);
    n = end ? (size_t)(end - line) : left;
    r->at += end ? n + 1 : n;
    if (memchr(line, '\0', n)) {
        fail(r, r->line, "not a text: it has a byte of value 0");
        return NULL;
    }
    n = without_comment(line, n);
    for (; n && is_space(*line); n--)
        line++;
    if (n + 2 > (size_t)room) {
        fail(r, r->line, "line too long");
        return NULL;
    }
    memcpy(to, line, n);
    to[n] = '\0';
    return to;
}

static int read_base(struct reading *r, const char *preset)
{
    const struct param_source *s = r->source;

    if (r->last)
        return fail(r, r->line, "'base' has to come before any other key");
    r->last = r->line;
    if (!s->base)
        return fail(r, r->line, "'base' has no meaning here");
    if (!s->base(s->to, preset, r->err))
        return 0;
    r->failed = true;
    return err_prefix(r->err, "%s:%u", s->name, r->line);
}

static int set_key(struct reading *r, const char *key, const char *value)
{
    struct buf where = { 0 };
    struct param_place at;
    int rc = 0;

    buf_printf(&where, "%s:%u", r->source->name, r->line);
    r->last = r->line;
    if (param_find(r->b, r->n, key, &at)) {
        if (r->seen[at.index])
            rc = err_set(r->err, "%s: %s is set in line %u already", buf_text(&where),
                         key, r->seen[at.index]);
        r->seen[at.index] = r->line;
    }
    if (!rc)
        rc = param_set(r->b, r->n, key, value, buf_text(&where), r->err);
    if (rc)
        r->failed = true;
    buf_free(&where);
    return rc;
}

/* libinih's: a name and its value; 0 is failure. */
static int take(void *user, const char *section, const char *name, const char *value)
{
    struct reading *r = user;
    struct buf key = { 0 };
    int rc;

    if (r->failed)
        return 0;
    if (!*section && !strcmp(name, "base"))
        return !read_base(r, value);
    if (*section && !strchr(name, '.'))
        buf_printf(&key, "%s.", section);
    buf_puts(&key, name);
    rc = set_key(r, buf_text(&key), value);
    buf_free(&key);
    return !rc;
}

int param_read(const struct param_binding *b, size_t n, const struct param_source *s,
               struct err *err)
{
    struct reading r = { .b = b, .n = n, .source = s, .err = err };
    int bad;

    r.seen = calloc(param_count(b, n) + 1, sizeof *r.seen);
    if (!r.seen)
        return err_set(err, "out of memory");
    bad = ini_parse_stream(next_line, &r, take, &r);
    free(r.seen);
    /* A line that is neither section nor key: libinih goes on behind it. */
    if (bad > 0 && (!r.failed || (unsigned)bad < r.line))
        return fail(&r, (unsigned)bad, "expected [group], name = value or a comment");
    if (bad < 0 && !r.failed)
        return fail(&r, r.line, "out of memory");
    return r.failed ? -1 : 0;
}
