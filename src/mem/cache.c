/* cache.c - a sectored, set-associative cache: write policies, allocation, misses.
 *
 * Models GPGPU-Sim's data cache: LRU over lines with no fill pending; lines allocated
 * on miss or on fill; write-through, write-back, and write-evict for global with
 * write-back for local data.
 *
 * A sector is readable (valid), written (dirty), both, or reserved for a fill. The
 * cache remembers which words were written, so that a sector written piece by piece
 * becomes readable.
 *
 * LIMIT: with allocation on fill, dirty lines that a fill evicts are dropped, not
 * written back, as in GPGPU-Sim (its L1 with local write-back).
 */
#include "mem/cache.h"

#include <stdlib.h>

#include "base/invariant.h"

struct cache *cache_new(const struct cache_shape *s, struct err *err)
{
    struct cache *c = calloc(1, sizeof *c);
    struct tags_shape shape = { s->sets, s->ways, s->line_bits, s->index };

    if (!c) {
        err_memory(err, "a cache");
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

static inline void make_readable(struct line_state *l, uint8_t sectors)
{
    l->valid = (l->valid | sectors) & 15u;
}

static inline void make_unreadable(struct line_state *l, uint8_t sectors)
{
    l->valid = l->valid & ~sectors & 15u;
}

static void take_line(struct cache *c, uint32_t i, uint64_t line,
                      struct cache_outcome *o)
{
    uint8_t dirty = tags_state(&c->tags, i)->dirty;

    INVARIANT(!tags_state(&c->tags, i)->reserved);
    if (dirty && c->shape.write != CACHE_WRITE_THROUGH) {
        o->evict = dirty;
        o->victim = tags_line(&c->tags, i);
    }
    tags_take(&c->tags, i, line);
}

/* Sets an outcome to a failure. It is written in place (perf: copying a struct just
 * written byte by byte stalls the host). */
static void cache_set_failure(struct cache_outcome *o, enum cache_fail why)
{
    *o = (struct cache_outcome){ .result = CACHE_FAIL, .fail = (uint8_t)why };
}

static bool is_on_fill(const struct cache *c)
{
    return c->shape.allocate != CACHE_ALLOCATE_MISS;
}

/* A read that does not hit. i: its line or NO_LINE. */
static inline __attribute__((always_inline)) void
read_miss(struct cache *c, const struct cache_access *a, uint32_t i,
          struct cache_outcome *o)
{
    uint8_t have = i == NO_LINE ? 0 : tags_state(&c->tags, i)->valid;
    uint8_t need = (uint8_t)(a->sectors & ~have);
    uint32_t room_for = NO_LINE;
    struct mshr_entry *entry;
    uint16_t e;

    if (i == NO_LINE && !is_on_fill(c)) {
        room_for = tags_victim(&c->tags, a->set);
        if (room_for == NO_LINE) {
            cache_set_failure(o, CACHE_FAIL_LINE);
            return;
        }
    }
    /* A miss may also send a write-back, so it needs two free places. */
    if (a->room < 2) {
        cache_set_failure(o, CACHE_FAIL_QUEUE);
        return;
    }
    e = mshr_find(&c->mshrs, a->line, need);
    if (e == NO_MSHR ? mshr_is_full(&c->mshrs) : !mshr_can_merge(&c->mshrs, e)) {
        cache_set_failure(o, e == NO_MSHR ? CACHE_FAIL_MSHR : CACHE_FAIL_MERGE);
        return;
    }
    o->result = e == NO_MSHR ? CACHE_MISS : CACHE_PENDING;
    o->was_sector = i != NO_LINE;
    if (e == NO_MSHR) {
        o->fetch = (uint8_t)(widen_sectors(need, c->shape.granule) & ~have);
        e = mshr_add(&c->mshrs, a->line, a->set, o->fetch);
    }
    o->mshr = e;
    entry = &c->mshrs.entry[e];
    entry->atomic |= a->atomic;
    o->waits = a->waiter != NO_WAITER;
    if (o->waits)
        mshr_wait(&c->mshrs, e, a->waiter);
    if (room_for != NO_LINE) {
        take_line(c, room_for, a->line, o);
        i = room_for;
    }
    if (i != NO_LINE) {
        struct line_state *l = tags_state(&c->tags, i);

        entry->where = i;
        entry->age = c->age;
        if (!is_on_fill(c))
            l->reserved = (l->reserved | entry->asked) & 15u;
        if (room_for == NO_LINE) /* allocating the line counted as its use */
            tags_touch(&c->tags, i);
    }
}

/* Marks words as written; a sector that is written completely becomes readable. */
static void write_words(struct cache *c, uint32_t i, const struct cache_access *a)
{
    struct line_state *l = tags_state(&c->tags, i);
    uint32_t *written = &c->tags.written[i];

    cache_soil(l, a->sectors);
    *written |= a->words;
    make_readable(l, a->sectors & whole_sectors(*written));
}

static void drop_sectors(struct cache *c, uint32_t i, uint8_t sectors)
{
    struct line_state *l = tags_state(&c->tags, i);

    make_unreadable(l, sectors);
    l->dirty = l->dirty & ~sectors & 15u;
    c->tags.written[i] &= ~words_of_sectors(sectors);
    if (!l->valid && !l->dirty && !l->reserved)
        tags_release(&c->tags, i);
}

static void write_hit(struct cache *c, const struct cache_access *a, uint32_t i,
                      struct cache_outcome *o)
{
    bool back = c->shape.write == CACHE_WRITE_BACK ||
                (c->shape.write == CACHE_WRITE_LOCAL_BACK && a->local);

    if (!back && !a->room) {
        cache_set_failure(o, CACHE_FAIL_QUEUE);
        return;
    }
    o->result = CACHE_HIT;
    o->send_write = !back;
    o->done = back;
    tags_touch(&c->tags, i);
    if (c->shape.write == CACHE_WRITE_LOCAL_BACK && !a->local)
        drop_sectors(c, i, a->sectors);
    else
        write_words(c, i, a);
}

/* Allocates a line for a write without fetching it. */
static void write_into(struct cache *c, const struct cache_access *a, uint32_t i,
                       struct cache_outcome *o)
{
    bool is_there = i != NO_LINE;

    if (!is_there)
        i = tags_victim(&c->tags, a->set);
    if (i == NO_LINE || !a->room) {
        cache_set_failure(o, i == NO_LINE ? CACHE_FAIL_LINE : CACHE_FAIL_QUEUE);
        return;
    }
    o->result = CACHE_MISS;
    o->was_sector = is_there;
    if (!is_there)
        take_line(c, i, a->line, o);
    else
        tags_touch(&c->tags, i);
    write_words(c, i, a);
    o->send_write = c->shape.write == CACHE_WRITE_THROUGH;
    o->done = !o->send_write;
}

static bool writes_whole(const struct cache_access *a)
{
    return !(a->sectors & ~whole_sectors(a->words));
}

/* Nothing but these sectors stays readable. */
static void keep_sectors(struct cache *c, uint32_t i, uint8_t sectors)
{
    struct line_state *l = tags_state(&c->tags, i);

    l->valid = l->valid & sectors & 15u;
    l->dirty = l->dirty & sectors & 15u;
    c->tags.written[i] &= words_of_sectors(sectors);
}

/* As on an H200: the words stored become readable; the rest of their sectors stays as it
 * was, except in a line that the store replaces. */
static void store_fill(struct cache *c, const struct cache_access *a, uint32_t i)
{
    struct cache_outcome ignored = { 0 };

    if (i == NO_LINE) {
        i = tags_victim(&c->tags, a->set);
        if (i == NO_LINE)
            return;
        take_line(c, i, a->line, &ignored);
    } else if (a->replaces) {
        keep_sectors(c, i, 0);
    }
    write_words(c, i, a);
    tags_touch(&c->tags, i);
}

/* A write that allocates by fetching the sectors that it does not write completely or,
 * with write-through, all of them. */
static void write_and_fetch(struct cache *c, const struct cache_access *a, uint32_t i,
                            struct cache_outcome *o)
{
    bool through = c->shape.write_allocate == CACHE_WRITE_ALLOCATE_PLAIN;
    struct cache_access read = *a;

    read.write = false;
    if (through)
        read.waiter = NO_WAITER;
    else
        read.atomic = true; /* dirty once it is filled */
    read_miss(c, &read, i, o);
    o->send_write = through && o->result != CACHE_FAIL;
}

static void write_miss(struct cache *c, const struct cache_access *a, uint32_t i,
                       struct cache_outcome *o)
{
    uint32_t how = c->shape.write_allocate;

    if (how == CACHE_WRITE_ALLOCATE_LAZY ||
        (how == CACHE_WRITE_ALLOCATE_FETCH && writes_whole(a))) {
        write_into(c, a, i, o);
    } else if (how == CACHE_WRITE_ALLOCATE_FETCH ||
               (how == CACHE_WRITE_ALLOCATE_PLAIN && a->room >= 3)) {
        write_and_fetch(c, a, i, o);
    } else if (how == CACHE_WRITE_ALLOCATE_PLAIN || !a->room) {
        cache_set_failure(o, CACHE_FAIL_QUEUE);
    } else {
        o->result = CACHE_MISS;
        o->send_write = true;
        o->was_sector = i != NO_LINE;
    }
}

/* True if all words to be written have been read or written before. */
static bool is_known(const struct cache *c, const struct cache_access *a, uint32_t i)
{
    const struct line_state *l = tags_state(&c->tags, i);

    return !(a->sectors & ~(l->valid | l->dirty));
}

void cache_write(struct cache *c, const struct cache_access *a, uint32_t i,
                 struct cache_outcome *o)
{
    if (c->shape.store_fills && c->tags.ways) {
        if (!a->room) {
            cache_set_failure(o, CACHE_FAIL_QUEUE);
            return;
        }
        o->result = i == NO_LINE ? CACHE_MISS : CACHE_HIT;
        o->send_write = true;
        store_fill(c, a, i);
    } else if (i != NO_LINE && is_known(c, a, i)) {
        write_hit(c, a, i, o);
    } else {
        write_miss(c, a, i, o);
    }
}

/* True if a load only wants words that were stored, in an incomplete sector. */
static bool has_words(const struct cache *c, const struct cache_access *a, uint32_t i)
{
    return c->shape.store_fills && a->words && !(a->words & ~c->tags.written[i]);
}

/* True if it misses in a sector some words of which were stored. */
static bool meets_words(const struct cache *c, const struct cache_access *a, uint32_t i)
{
    uint8_t missing = a->sectors & ~tags_state(&c->tags, i)->valid & 15u;

    return c->shape.store_fills && c->tags.written[i] & words_of_sectors(missing);
}

void cache_miss(struct cache *c, const struct cache_access *a, uint32_t i,
                struct cache_outcome *o)
{
    if (i != NO_LINE && has_words(c, a, i)) {
        cache_hit(c, a, i);
        return;
    }
    if (i != NO_LINE && meets_words(c, a, i))
        keep_sectors(c, i, a->sectors);
    read_miss(c, a, i, o);
}

/* Sectors of a line that were written, but not all of their words. */
uint8_t cache_partial(const struct cache *c, uint64_t line, uint32_t set)
{
    uint32_t i = tags_find(&c->tags, line, set);
    const struct line_state *l;

    if (i == NO_LINE)
        return 0;
    l = tags_state(&c->tags, i);
    return (uint8_t)(l->dirty & ~l->valid & ~l->reserved & 15u);
}

/* Asks for the rest of such sectors, which are clean from now on: the MSHR that the fill
 * belongs to, or NO_MSHR if nothing is to be fetched. There must be a free one. */
uint32_t cache_complete(struct cache *c, uint64_t line, uint32_t set, uint8_t sectors)
{
    uint32_t i = tags_find(&c->tags, line, set);
    struct line_state *l;
    uint16_t e;

    if (!sectors || mshr_find(&c->mshrs, line, sectors) != NO_MSHR)
        return NO_MSHR;
    e = mshr_add(&c->mshrs, line, set, sectors);
    l = tags_state(&c->tags, i);
    l->dirty = l->dirty & ~sectors & 15u;
    l->reserved = (l->reserved | sectors) & 15u;
    c->mshrs.entry[e].where = i;
    c->mshrs.entry[e].age = c->age;
    return e;
}

bool cache_has(const struct cache *c, uint64_t line, uint32_t set, uint8_t sectors)
{
    uint32_t i = tags_find(&c->tags, line, set);

    return i != NO_LINE && !(sectors & ~tags_state(&c->tags, i)->valid);
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
    make_readable(tags_state(&c->tags, i), sectors);
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

    INVARIANT(mshr < c->mshrs.n_entries && e->asked);
    /* A reserved line is where it was, unless the cache has been reset since. */
    if (i == NO_LINE || e->age != c->age || is_on_fill(c))
        i = tags_find(&c->tags, e->line, e->set);
    if (i == NO_LINE && is_on_fill(c)) {
        i = tags_victim(&c->tags, e->set);
        if (i != NO_LINE)
            take_line(c, i, e->line, &ignored);
    }
    if (i != NO_LINE) {
        struct line_state *l = tags_state(&c->tags, i);

        l->reserved = l->reserved & ~e->asked & 15u;
        make_readable(l, e->asked);
        if (e->atomic)
            cache_soil(l, e->asked);
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
        for (uint16_t e = c->mshrs.bucket[b].head; e != NO_MSHR;
             e = c->mshrs.entry[e].next)
            buf_printf(out, "  line 0x%llx sectors %x: %u waiting\n",
                       (unsigned long long)c->mshrs.entry[e].line,
                       c->mshrs.entry[e].asked, c->mshrs.entry[e].n);
}
