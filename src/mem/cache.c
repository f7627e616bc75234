/* cache.c - a sectored, set-associative cache: write policies, allocation, misses.
 *
 * Models GPGPU-Sim's data cache: LRU over lines with no fill pending; lines taken on
 * miss or on fill; write-through, write-back, and write-evict for global with
 * write-back for local data.
 *
 * A sector is readable (valid), written (dirty), both, or reserved for a fill. Written
 * words are kept, so that a sector written piece by piece becomes readable.
 *
 * LIMIT: with allocation on fill, dirty lines that a fill evicts are dropped, not
 * written back, as in GPGPU-Sim (its L1 with local write-back).
 */
#include "mem/cache.h"

#include <stdlib.h>

enum { SECTOR_WORDS = 8 };

struct cache *cache_new(const struct cache_shape *s, struct err *err)
{
    struct cache *c = calloc(1, sizeof *c);
    struct tags_shape shape = { s->sets, s->ways, s->line_bits, s->index };

    if (!c) {
        err_set(err, "no memory for a cache");
        return NULL;
    }
    c->shape = *s;
    if (tags_init(&c->tags, &shape, err) < 0 ||
        mshrs_init(&c->mshrs, s->mshrs, s->merges, err) < 0) {
        cache_free(c);
        return NULL;
    }
    return c;
}

void cache_free(struct cache *c)
{
    if (!c)
        return;
    mshrs_free(&c->mshrs);
    tags_free(&c->tags);
    free(c);
}

void cache_reset(struct cache *c, uint32_t ways)
{
    tags_reset(&c->tags, ways);
    c->age++;
}

void cache_set_allocate(struct cache *c, uint32_t allocate)
{
    c->shape.allocate = allocate;
}

static void take_line(struct cache *c, uint32_t i, uint64_t line,
                      struct cache_outcome *o)
{
    uint8_t dirty = c->tags.state[i].dirty;

    if (dirty && c->shape.write != CACHE_WRITE_THROUGH) {
        o->evict = dirty;
        o->victim = tags_line(&c->tags, i);
    }
    tags_take(&c->tags, i, line);
}

static struct cache_outcome failed(enum cache_fail why)
{
    return (struct cache_outcome){ .result = CACHE_FAIL, .fail = (uint8_t)why };
}

/* All sectors of the granules that these are in. */
static uint8_t widen(const struct cache *c, uint8_t sectors)
{
    if (c->shape.granule == 4)
        return 15;
    if (c->shape.granule == 2)
        return (uint8_t)((sectors & 3 ? 3 : 0) | (sectors & 12 ? 12 : 0));
    return sectors;
}

static bool is_on_fill(const struct cache *c)
{
    return c->shape.allocate != CACHE_ALLOCATE_MISS;
}

/* A read that is not all there. i: its line or NO_LINE. */
static struct cache_outcome read_miss(struct cache *c, const struct cache_access *a,
                                      uint32_t i)
{
    struct cache_outcome o = { .result = CACHE_MISS, .was_sector = i != NO_LINE };
    uint8_t have = i == NO_LINE ? 0 : c->tags.state[i].valid;
    uint8_t need = (uint8_t)(a->sectors & ~have);
    uint32_t room_for = NO_LINE;
    struct mshr_entry *entry;
    uint16_t e;

    if (i == NO_LINE && !is_on_fill(c)) {
        room_for = tags_victim(&c->tags, a->set);
        if (room_for == NO_LINE)
            return failed(CACHE_FAIL_LINE);
    }
    /* A miss may also send a write-back, so two places must be free. */
    if (a->room < 2)
        return failed(CACHE_FAIL_QUEUE);
    e = mshr_find(&c->mshrs, a->line, need);
    if (e != NO_MSHR) {
        if (!mshr_can_merge(&c->mshrs, e))
            return failed(CACHE_FAIL_MERGE);
        o.result = CACHE_PENDING;
    } else {
        if (mshr_is_full(&c->mshrs))
            return failed(CACHE_FAIL_MSHR);
        o.fetch = (uint8_t)(widen(c, need) & ~have);
        e = mshr_add(&c->mshrs, a->line, a->set, o.fetch);
    }
    o.mshr = e;
    entry = &c->mshrs.entry[e];
    entry->atomic |= a->atomic;
    if (a->waiter != NO_WAITER)
        mshr_wait(&c->mshrs, e, a->waiter);
    if (room_for != NO_LINE) {
        take_line(c, room_for, a->line, &o);
        i = room_for;
    }
    if (i != NO_LINE) {
        entry->where = i;
        entry->age = c->age;
        if (!is_on_fill(c))
            c->tags.state[i].reserved |= entry->asked;
        tags_touch(&c->tags, i);
    }
    return o;
}

/* Marks words as written; a sector written whole becomes readable. */
static void write_words(struct cache *c, uint32_t i, const struct cache_access *a)
{
    struct line_state *l = &c->tags.state[i];

    l->dirty |= a->sectors;
    c->tags.written[i] |= a->words;
    for (unsigned s = 0; s < 4; s++)
        if (a->sectors >> s & 1 &&
            (c->tags.written[i] >> (s * SECTOR_WORDS) & 0xff) == 0xff)
            l->valid |= (uint8_t)(1 << s);
}

static void drop_sectors(struct cache *c, uint32_t i, uint8_t sectors)
{
    struct line_state *l = &c->tags.state[i];

    l->valid &= (uint8_t)~sectors;
    l->dirty &= (uint8_t)~sectors;
    for (unsigned s = 0; s < 4; s++)
        if (sectors >> s & 1)
            c->tags.written[i] &= ~(0xffu << (s * SECTOR_WORDS));
    if (!l->valid && !l->dirty && !l->reserved)
        tags_release(&c->tags, i);
}

static struct cache_outcome write_hit(struct cache *c, const struct cache_access *a,
                                      uint32_t i)
{
    bool back = c->shape.write == CACHE_WRITE_BACK ||
                (c->shape.write == CACHE_WRITE_LOCAL_BACK && a->local);
    struct cache_outcome o = { .result = CACHE_HIT, .send_write = !back, .done = back };

    if (!back && !a->room)
        return failed(CACHE_FAIL_QUEUE);
    tags_touch(&c->tags, i);
    if (c->shape.write == CACHE_WRITE_LOCAL_BACK && !a->local)
        drop_sectors(c, i, a->sectors);
    else
        write_words(c, i, a);
    return o;
}

/* A line for a write that allocates without fetching. */
static struct cache_outcome write_into(struct cache *c, const struct cache_access *a,
                                       uint32_t i)
{
    struct cache_outcome o = { .result = CACHE_MISS, .was_sector = i != NO_LINE };

    if (i == NO_LINE) {
        i = tags_victim(&c->tags, a->set);
        if (i == NO_LINE)
            return failed(CACHE_FAIL_LINE);
    }
    if (!a->room)
        return failed(CACHE_FAIL_QUEUE);
    if (!o.was_sector)
        take_line(c, i, a->line, &o);
    else
        tags_touch(&c->tags, i);
    write_words(c, i, a);
    o.send_write = c->shape.write == CACHE_WRITE_THROUGH;
    o.done = !o.send_write;
    return o;
}

static bool writes_whole(const struct cache_access *a)
{
    for (unsigned s = 0; s < 4; s++)
        if (a->sectors >> s & 1 && (a->words >> (s * SECTOR_WORDS) & 0xff) != 0xff)
            return false;
    return true;
}

/* As on an H200: what was stored can be read, the rest of its sectors cannot. */
static void store_fill(struct cache *c, const struct cache_access *a, uint32_t i)
{
    struct cache_outcome ignored = { 0 };

    if (i == NO_LINE) {
        i = tags_victim(&c->tags, a->set);
        if (i == NO_LINE)
            return;
        take_line(c, i, a->line, &ignored);
    }
    c->tags.state[i].valid &= (uint8_t)~a->sectors;
    write_words(c, i, a);
    tags_touch(&c->tags, i);
}

static struct cache_outcome write_miss(struct cache *c, const struct cache_access *a,
                                       uint32_t i)
{
    struct cache_outcome o = { .result = CACHE_MISS, .send_write = true };
    struct cache_access read = *a;

    switch (c->shape.write_allocate) {
    case CACHE_WRITE_ALLOCATE_LAZY:
        return write_into(c, a, i);
    case CACHE_WRITE_ALLOCATE_FETCH:
        if (writes_whole(a))
            return write_into(c, a, i);
        read.write = false;
        read.atomic = true; /* dirty once it is filled */
        return read_miss(c, &read, i);
    case CACHE_WRITE_ALLOCATE_PLAIN:
        if (a->room < 3)
            return failed(CACHE_FAIL_QUEUE);
        read.write = false;
        read.waiter = NO_WAITER;
        o = read_miss(c, &read, i);
        o.send_write = o.result != CACHE_FAIL;
        return o;
    default:
        if (!a->room)
            return failed(CACHE_FAIL_QUEUE);
        o.was_sector = i != NO_LINE;
        return o;
    }
}

/* Not expanded in place: reads, which are more, would save registers for it. */
__attribute__((noinline)) static struct cache_outcome
access_write(struct cache *c, const struct cache_access *a, uint32_t i)
{
    struct cache_outcome o;

    if (c->shape.store_fills && c->tags.ways) {
        if (!a->room)
            return failed(CACHE_FAIL_QUEUE);
        o = (struct cache_outcome){ .result = i == NO_LINE ? CACHE_MISS : CACHE_HIT,
                                    .send_write = true };
        store_fill(c, a, i);
        return o;
    }
    if (i != NO_LINE &&
        !(a->sectors & ~(c->tags.state[i].valid | c->tags.state[i].dirty)))
        return write_hit(c, a, i);
    return write_miss(c, a, i);
}

/* A load of words that were stored, in a sector of which not all is there. */
static bool has_words(const struct cache *c, const struct cache_access *a, uint32_t i)
{
    return c->shape.store_fills && a->words && !(a->words & ~c->tags.written[i]);
}

struct cache_outcome cache_access(struct cache *c, const struct cache_access *a)
{
    uint32_t i = tags_find(&c->tags, a->line, a->set);

    if (a->write)
        return access_write(c, a, i);
    if (i != NO_LINE &&
        (!(a->sectors & ~c->tags.state[i].valid) || has_words(c, a, i))) {
        tags_touch(&c->tags, i);
        if (a->atomic)
            c->tags.state[i].dirty |= a->sectors;
        return (struct cache_outcome){ .result = CACHE_HIT };
    }
    return read_miss(c, a, i);
}

bool cache_has(const struct cache *c, uint64_t line, uint32_t set, uint8_t sectors)
{
    uint32_t i = tags_find(&c->tags, line, set);

    return i != NO_LINE && !(sectors & ~c->tags.state[i].valid);
}

void cache_install(struct cache *c, uint64_t line, uint32_t set, uint8_t sectors)
{
    struct cache_outcome ignored = { 0 };
    uint32_t i = tags_find(&c->tags, line, set);

    if (i == NO_LINE) {
        i = tags_victim(&c->tags, set);
        if (i == NO_LINE)
            return;
        take_line(c, i, line, &ignored);
    }
    c->tags.state[i].valid |= sectors;
    tags_touch(&c->tags, i);
}

void cache_drop(struct cache *c, uint64_t line, uint32_t set, uint8_t sectors)
{
    uint32_t i = tags_find(&c->tags, line, set);

    if (i != NO_LINE)
        drop_sectors(c, i, sectors);
}

void cache_fill(struct cache *c, uint32_t mshr)
{
    struct mshr_entry *e = &c->mshrs.entry[mshr];
    struct cache_outcome ignored = { 0 };
    uint32_t i = e->where;

    /* A reserved line is where it was, if no reset has come since. */
    if (i == NO_LINE || e->age != c->age || is_on_fill(c))
        i = tags_find(&c->tags, e->line, e->set);
    if (i == NO_LINE && is_on_fill(c)) {
        i = tags_victim(&c->tags, e->set);
        if (i != NO_LINE)
            take_line(c, i, e->line, &ignored);
    }
    if (i != NO_LINE) {
        struct line_state *l = &c->tags.state[i];

        l->reserved &= (uint8_t)~e->asked;
        l->valid |= e->asked;
        if (e->atomic)
            l->dirty |= e->asked;
    }
    mshr_filled(&c->mshrs, (uint16_t)mshr);
}

uint32_t cache_pending(const struct cache *c)
{
    return c->mshrs.n_used;
}

void cache_dump(const struct cache *c, const char *name, struct buf *out)
{
    buf_printf(out, "%s: %u of %u MSHRs in use\n", name, c->mshrs.n_used,
               c->mshrs.n_entries);
    for (uint32_t b = 0; b < c->mshrs.n_buckets; b++)
        for (uint16_t e = c->mshrs.bucket[b]; e != NO_MSHR; e = c->mshrs.entry[e].next)
            buf_printf(out, "  line 0x%llx sectors %x: %u waiting\n",
                       (unsigned long long)c->mshrs.entry[e].line,
                       c->mshrs.entry[e].asked, c->mshrs.entry[e].n);
}
