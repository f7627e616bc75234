/* column.c - sections with pieces of blocks, as they are read. */
#include "frontend/replay/column.h"

#include <stdlib.h>

#include "frontend/replay/codec.h"

enum { MAX_IDLE = 8 }; /* idle sections that are kept */

/* A decompressed section. */
struct page {
    struct buf raw;
    struct column *of;
    uint32_t section;
    unsigned readers;
    struct page *next; /* of the idle ones, the latest first */
};

int column_read_sections(struct column *c, struct reader *r, struct err *err)
{
    uint64_t last = 0;

    c->n_sections = (uint32_t)read_below(r, (uint64_t)(r->end - r->p) + 1);
    c->sections = calloc(c->n_sections + 1, sizeof *c->sections);
    c->pages = calloc(c->n_sections + 1, sizeof(struct page *));
    if (!c->sections || !c->pages)
        return err_memory(err, "the sections of a kernel");
    for (uint32_t n = 0; n < c->n_sections; n++)
        c->sections[n] = last += read_varint(r);
    return 0;
}

static struct page *take_idle(struct column *c, struct page *wanted)
{
    struct page **at = &c->idle, *p;

    while (*at && *at != wanted && (wanted || (*at)->next))
        at = &(*at)->next;
    p = *at;
    if (p) {
        *at = p->next;
        c->n_idle--;
    }
    return p;
}

/* A page to read into: a fresh one, or the one idle for longest. */
static struct page *empty_page(struct column *c, struct err *err)
{
    struct page *p = c->n_idle >= MAX_IDLE ? take_idle(c, NULL) : NULL;

    if (p) {
        c->pages[p->section] = NULL;
        return p;
    }
    p = calloc(1, sizeof *p);
    if (!p)
        err_memory(err, "a section of a kernel");
    return p;
}

static void free_page(struct page *p)
{
    buf_free(&p->raw);
    free(p);
}

static struct page *read_page(struct column *c, uint32_t section, struct err *err)
{
    struct section_want want = { c->sections[section], c->kind, CODEC_PAD };
    struct page *p = empty_page(c, err);

    if (!p)
        return NULL;
    if (section_read(c->in, &want, &p->raw, NULL, err)) {
        free_page(p);
        return NULL;
    }
    p->of = c;
    p->section = section;
    p->readers = 0;
    return c->pages[section] = p;
}

struct page *column_page(struct column *c, uint32_t section, unsigned readers,
                         struct err *err)
{
    struct page *p = c->pages[section];

    if (!p)
        p = read_page(c, section, err);
    else if (!p->readers)
        take_idle(c, p);
    if (p)
        p->readers += readers;
    return p;
}

void page_release(struct page *p)
{
    if (--p->readers)
        return;
    p->next = p->of->idle;
    p->of->idle = p;
    p->of->n_idle++;
}

void column_free(struct column *c)
{
    while (c->idle)
        free_page(take_idle(c, c->idle));
    free(c->sections);
    free(c->pages);
    free(c->at);
}

/* The lengths of all warps' bytes, then the bytes. */
bool page_find(const struct page *p, uint32_t offset, struct reader *at,
               unsigned n_warps)
{
    struct reader r = { (const uint8_t *)p->raw.data,
                        (const uint8_t *)p->raw.data + p->raw.len, false };
    struct reader lengths;

    read_bytes(&r, offset);
    lengths = r;
    for (unsigned k = 0; k < n_warps; k++)
        read_varint(&r);
    for (unsigned k = 0; k < n_warps; k++) {
        uint64_t length = read_below(&lengths, SECTION_MAX_DATA);
        const uint8_t *bytes = read_bytes(&r, length);

        if (!bytes || lengths.is_short)
            return false;
        at[k] = (struct reader){ bytes, bytes + length, false };
    }
    return true;
}
