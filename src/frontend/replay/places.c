/* places.c - places in the source, in recordings; see places.h. */
#include "frontend/replay/places.h"

#include <stdlib.h>

#include "base/grow.h"
#include "frontend/replay/bytes.h"

static const char purpose[] = "places in the source";

void places_free(struct places *p)
{
    for (uint32_t n = 0; n < p->n_names; n++)
        free(p->name[n]);
    free(p->name);
    free(p->why);
    free(p->at);
    *p = (struct places){ 0 };
}

static char *copy_text(const char *text, size_t n)
{
    char *copy = malloc(n + 1);

    if (!copy)
        err_memory_exit(purpose);
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

static void add_name(struct places *p, const char *text, size_t n)
{
    char **all = grow_zeros(p->name, &p->cap, p->n_names, sizeof *all);

    if (!all)
        err_memory_exit(purpose);
    p->name = all;
    all[p->n_names++] = copy_text(text, n);
}

/* The number of a name, which it gets the first time. Neighbours share theirs, so the last
 * one is looked at first. */
static uint32_t number_name(struct places *p, const char *name, uint32_t last)
{
    if (!name)
        return 0;
    if (last && !strcmp(p->name[last - 1], name))
        return last;
    for (uint32_t n = 0; n < p->n_names; n++)
        if (!strcmp(p->name[n], name))
            return n + 1;
    add_name(p, name, strlen(name));
    return p->n_names;
}

static void find_places(struct places *p, const struct kernel *k,
                        const struct inst_table *t)
{
    struct inst_place last = { 0 };

    p->at = calloc((size_t)t->n + 1, sizeof *p->at);
    if (!p->at)
        err_memory_exit(purpose);
    for (uint32_t n = 0; n < t->n && k->ops->where; n++) {
        struct kernel_where w = { 0 };

        k->ops->where(k, t->inst[n], &w);
        if (w.why && !p->why)
            p->why = copy_text(w.why, strlen(w.why));
        last =
            (struct inst_place){ .function = number_name(p, w.function, last.function),
                                 .file = number_name(p, w.file, last.file),
                                 .line = w.file ? w.line : 0,
                                 .offset = w.function ? w.offset : 0 };
        p->at[n] = last;
    }
}

static void put_place(const struct inst_place *at, uint32_t last_line, struct buf *out)
{
    put_varint(out, at->function);
    if (at->function)
        put_varint(out, at->offset);
    put_varint(out, at->file);
    if (at->file)
        put_signed(out, (int64_t)at->line - last_line);
}

void places_put(const struct kernel *k, const struct inst_table *t, struct buf *out)
{
    struct places p = { 0 };
    uint32_t line = 0;

    find_places(&p, k, t);
    put_string(out, p.why ? p.why : "", p.why ? strlen(p.why) : 0);
    put_varint(out, p.n_names);
    for (uint32_t n = 0; n < p.n_names; n++)
        put_string(out, p.name[n], strlen(p.name[n]));
    for (uint32_t n = 0; n < t->n && p.n_names; n++) {
        put_place(&p.at[n], line, out);
        line = p.at[n].line;
    }
    places_free(&p);
}

static struct inst_place get_place(struct reader *r, uint32_t n_names,
                                   uint32_t last_line)
{
    struct inst_place at = { .function = (uint32_t)read_below(r, n_names + 1) };
    int64_t line;

    if (at.function)
        at.offset = read_varint(r);
    at.file = (uint32_t)read_below(r, n_names + 1);
    if (!at.file)
        return at;
    line = (int64_t)(last_line + (uint64_t)zigzag_decode(read_varint(r)));
    r->is_short |= line < 0 || line > UINT32_MAX;
    at.line = (uint32_t)line;
    return at;
}

/* Every name takes a byte at least. */
static void get_names(struct places *p, struct reader *r)
{
    uint64_t n = read_below(r, (uint64_t)(r->end - r->p) + 1);

    while (n-- && !r->is_short) {
        uint64_t length = read_varint(r);
        const uint8_t *text = read_bytes(r, length);

        if (text)
            add_name(p, (const char *)text, length);
    }
}

int places_get(struct places *p, struct reader *r, uint32_t n_insts, struct err *err)
{
    uint64_t length = read_varint(r);
    const uint8_t *why = read_bytes(r, length);
    uint32_t line = 0;

    p->why = copy_text(why ? (const char *)why : "", why ? length : 0);
    get_names(p, r);
    if (p->n_names) {
        p->at = calloc((size_t)n_insts + 1, sizeof *p->at);
        if (!p->at)
            return err_memory(err, "%s", purpose);
    }
    for (uint32_t n = 0; n < n_insts && p->at && !r->is_short; n++) {
        p->at[n] = get_place(r, p->n_names, line);
        line = p->at[n].line;
    }
    return r->is_short ? err_set(err, "places in the source damaged") : 0;
}

void places_find(const struct places *p, uint32_t number, struct kernel_where *w)
{
    const struct inst_place *at = p->at ? &p->at[number] : &(struct inst_place){ 0 };

    w->function = at->function ? p->name[at->function - 1] : NULL;
    w->offset = at->offset;
    w->file = at->file ? p->name[at->file - 1] : NULL;
    w->line = at->line;
    w->why = p->why && *p->why ? p->why : NULL;
}
