/* param_read.c - parameters from an ini text. */
#include <stdlib.h>
#include <string.h>

#include "config/ini_text.h"
#include "config/internal.h"

struct reading {
    const struct param_binding *b;
    size_t n;
    const struct param_source *source;
    unsigned *seen; /* by row: the line that set it */
    bool is_begun;  /* there was a key */
};

static int read_base(struct reading *r, const struct ini_line *l, struct err *err)
{
    const struct param_source *s = r->source;

    if (r->is_begun)
        return err_set(err, "%s:%u: 'base' has to come before any other key", s->name,
                       l->number);
    r->is_begun = true;
    if (!s->base)
        return err_set(err, "%s:%u: 'base' has no meaning here", s->name, l->number);
    if (!s->base(s->to, l->value, err))
        return 0;
    return err_prefix(err, "%s:%u", s->name, l->number);
}

static int set_key(struct reading *r, const char *key, const struct ini_line *l,
                   struct err *err)
{
    struct buf where = { 0 };
    struct param_place at;
    int rc = 0;

    buf_printf(&where, "%s:%u", r->source->name, l->number);
    r->is_begun = true;
    if (param_find(r->b, r->n, key, &at)) {
        if (r->seen[at.index])
            rc = err_set(err, "%s: %s is set in line %u already", buf_text(&where), key,
                         r->seen[at.index]);
        r->seen[at.index] = l->number;
    }
    if (!rc)
        rc = param_set(r->b, r->n, key, l->value, buf_text(&where), err);
    buf_free(&where);
    return rc;
}

static int take_line(void *to, const struct ini_line *l, struct err *err)
{
    struct reading *r = to;
    struct buf key = { 0 };
    int rc;

    if (!*l->section && !strcmp(l->name, "base"))
        return read_base(r, l, err);
    if (*l->section && !strchr(l->name, '.'))
        buf_printf(&key, "%s.", l->section);
    buf_puts(&key, l->name);
    rc = set_key(r, buf_text(&key), l, err);
    buf_free(&key);
    return rc;
}

int param_read(const struct param_binding *b, size_t n, const struct param_source *s,
               struct err *err)
{
    struct reading r = { .b = b, .n = n, .source = s };
    struct ini_text text = { s->name, s->text, s->size, take_line, &r, false };
    int failed;

    r.seen = calloc(param_count(b, n) + 1, sizeof *r.seen);
    if (!r.seen)
        return err_memory(err, "the parameters read");
    failed = ini_text_read(&text, err);
    free(r.seen);
    return failed;
}
