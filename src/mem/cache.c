/* cache.c - a sectored, set-associative cache: tags, replacement, write policies.
 *
 * Models GPGPU-Sim's tag array and data cache: LRU over lines with no fill pending;
 * lines taken on miss or on fill; write-through, write-back, and write-evict for global
 * with write-back for local data. Lines are found by hash and kept in one LRU list a
 * set, so a fully associative L1 costs the same as a 16-way set.
 *
 * A sector is readable (valid), written (dirty), both, or reserved for a fill. Written
 * words are kept, so that a sector written piece by piece becomes readable.
 *
 * LIMIT: with allocation on fill, dirty lines that a fill evicts are dropped, not
 * written back, as in GPGPU-Sim (its L1 with local write-back).
 */
#include "mem/cache.h"

#include <stdlib.h>

#include "mem/hash.h"
#include "mem/mshr.h"

enum { NO_LINE = UINT32_MAX, SECTOR_WORDS = 8 };

struct line {
    uint64_t addr;
    uint32_t next;         /* in its bucket */
    uint32_t older, newer; /* in its set */
    uint32_t written;      /* words written since it was taken */
    uint8_t valid, dirty, reserved;
    bool is_used; /* in a bucket */
};

struct set {
    uint32_t oldest, newest;
};

struct cache {
    struct cache_shape shape;
    struct index_hash hash;
    uint32_t ways, set_bits;
    struct line *lines; /* set s: from s * shape.ways */
    struct set *sets;
    uint32_t *bucket;
    uint32_t n_buckets;
    struct mshrs mshrs;
};

struct cache *cache_new(const struct cache_shape *s, struct err *err)
{
    struct cache *c = calloc(1, sizeof *c);
    size_t n = (size_t)s->sets * s->ways;

    if (!c) {
        err_set(err, "no memory for a cache");
        return NULL;
    }
    c->shape = *s;
    index_hash_init(&c->hash, s->index, s->sets);
    for (c->n_buckets = 16; c->n_buckets < n; c->n_buckets *= 2)
        ;
    while (1u << (c->set_bits + 1) <= s->sets)
        c->set_bits++;
    c->lines = calloc(n, sizeof *c->lines);
    c->sets = calloc(s->sets, sizeof *c->sets);
    c->bucket = calloc(c->n_buckets, sizeof *c->bucket);
    if (!c->lines || !c->sets || !c->bucket ||
        mshrs_init(&c->mshrs, s->mshrs, s->merges, err) < 0) {
        err_set(err, "no memory for a cache of %zu lines", n);
        cache_free(c);
        return NULL;
    }
    cache_reset(c, s->ways);
    return c;
}

void cache_free(struct cache *c)
{
    if (!c)
        return;
    mshrs_free(&c->mshrs);
    free(c->lines);
    free(c->sets);
    free(c->bucket);
    free(c);
}

void cache_reset(struct cache *c, uint32_t ways)
{
    c->ways = ways < c->shape.ways ? ways : c->shape.ways;
    for (uint32_t i = 0; i < c->n_buckets; i++)
        c->bucket[i] = NO_LINE;
    for (uint32_t s = 0; s < c->shape.sets; s++) {
        uint32_t first = s * c->shape.ways, last = first + c->ways - 1;

        if (!c->ways) {
            c->sets[s] = (struct set){ NO_LINE, NO_LINE };
            continue;
        }
        c->sets[s] = (struct set){ first, last };
        for (uint32_t i = first; i <= last; i++)
            c->lines[i] = (struct line){ .older = i > first ? i - 1 : NO_LINE,
                                         .newer = i < last ? i + 1 : NO_LINE };
    }
}

void cache_set_allocate(struct cache *c, uint32_t allocate)
{
    c->shape.allocate = allocate;
}

static uint32_t *bucket_of(const struct cache *c, uint64_t line)
{
    uint64_t h = (line >> 7) * 0x9e3779b97f4a7c15u;

    return &c->bucket[(uint32_t)(h >> 40) & (c->n_buckets - 1)];
}

static uint32_t find(const struct cache *c, uint64_t addr)
{
    uint32_t i = *bucket_of(c, addr);

    while (i != NO_LINE && c->lines[i].addr != addr)
        i = c->lines[i].next;
    return i;
}

/* GPGPU-Sim's hash of Fermi's L1, from Nugteren et al., HPCA 2014. */
static uint32_t fermi_set(uint64_t a, uint32_t sets)
{
    uint32_t low = (uint32_t)(a >> 7) & 31, high = (uint32_t)(a >> 13) & 7;

    high |= (uint32_t)(a >> 17 & 1) << 3 | (uint32_t)(a >> 19 & 1) << 4;
    low ^= high;
    return (sets == 64 ? low | (uint32_t)(a >> 12 & 1) << 5 : low) % sets;
}

static uint32_t set_of(const struct cache *c, uint64_t place)
{
    uint64_t n = place >> c->shape.line_bits;

    if (c->shape.index == CACHE_INDEX_FERMI)
        return fermi_set(place, c->shape.sets);
    if (c->shape.sets & (c->shape.sets - 1))
        return (uint32_t)(n % c->shape.sets);
    return index_hash(&c->hash, n >> c->set_bits, (uint32_t)n & (c->shape.sets - 1));
}

static struct set *set_at(struct cache *c, uint32_t line)
{
    return &c->sets[line / c->shape.ways];
}

static void unlink_lru(struct cache *c, struct set *s, uint32_t i)
{
    struct line *l = &c->lines[i];

    if (l->older == NO_LINE)
        s->oldest = l->newer;
    else
        c->lines[l->older].newer = l->newer;
    if (l->newer == NO_LINE)
        s->newest = l->older;
    else
        c->lines[l->newer].older = l->older;
}

static void touch(struct cache *c, uint32_t i)
{
    struct line *l = &c->lines[i];
    struct set *s;

    if (l->newer == NO_LINE)
        return;
    s = set_at(c, i);
    unlink_lru(c, s, i);
    l->older = s->newest;
    l->newer = NO_LINE;
    c->lines[s->newest].newer = i;
    s->newest = i;
}

static void make_oldest(struct cache *c, uint32_t i)
{
    struct line *l = &c->lines[i];
    struct set *s = set_at(c, i);

    if (l->older == NO_LINE)
        return;
    unlink_lru(c, s, i);
    l->newer = s->oldest;
    l->older = NO_LINE;
    c->lines[s->oldest].older = i;
    s->oldest = i;
}

static void leave_bucket(struct cache *c, uint32_t i)
{
    uint32_t *at = bucket_of(c, c->lines[i].addr);

    while (*at != i)
        at = &c->lines[*at].next;
    *at = c->lines[i].next;
    c->lines[i].is_used = false;
}

/* The line to give up: the oldest that no fill is on its way to. */
static uint32_t victim(const struct cache *c, uint64_t place)
{
    uint32_t i = c->sets[set_of(c, place)].oldest;

    while (i != NO_LINE && c->lines[i].reserved)
        i = c->lines[i].newer;
    return i;
}

static void take_line(struct cache *c, uint32_t i, uint64_t addr,
                      struct cache_outcome *o)
{
    struct line *l = &c->lines[i];
    uint32_t *bucket;

    if (l->is_used) {
        if (l->dirty && c->shape.write != CACHE_WRITE_THROUGH) {
            o->evict = l->dirty;
            o->victim = l->addr;
        }
        leave_bucket(c, i);
    }
    bucket = bucket_of(c, addr);
    l->addr = addr;
    l->next = *bucket;
    l->written = 0;
    l->valid = l->dirty = l->reserved = 0;
    l->is_used = true;
    *bucket = i;
    touch(c, i);
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
    uint8_t have = i == NO_LINE ? 0 : c->lines[i].valid;
    uint8_t need = (uint8_t)(a->sectors & ~have);
    uint32_t room_for = NO_LINE, e;

    if (i == NO_LINE && !is_on_fill(c)) {
        room_for = victim(c, a->place);
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
        if (mshr_is_full(&c->mshrs) || c->mshrs.free_waiter == NO_MSHR)
            return failed(CACHE_FAIL_MSHR);
        o.fetch = (uint8_t)(widen(c, need) & ~have);
        e = mshr_add(&c->mshrs, a->line, a->place, o.fetch);
    }
    o.mshr = e;
    c->mshrs.entry[e].atomic |= a->atomic;
    if (a->waiter != NO_WAITER)
        mshr_wait(&c->mshrs, e, a->waiter);
    if (room_for != NO_LINE) {
        take_line(c, room_for, a->line, &o);
        i = room_for;
    }
    if (i != NO_LINE) {
        if (!is_on_fill(c))
            c->lines[i].reserved |= c->mshrs.entry[e].asked;
        touch(c, i);
    }
    return o;
}

/* Marks words as written; a sector written whole becomes readable. */
static void write_words(struct line *l, const struct cache_access *a)
{
    l->dirty |= a->sectors;
    l->written |= a->words;
    for (unsigned s = 0; s < 4; s++)
        if (a->sectors >> s & 1 && (l->written >> (s * SECTOR_WORDS) & 0xff) == 0xff)
            l->valid |= (uint8_t)(1 << s);
}

static void drop_sectors(struct cache *c, uint32_t i, uint8_t sectors)
{
    struct line *l = &c->lines[i];

    l->valid &= (uint8_t)~sectors;
    l->dirty &= (uint8_t)~sectors;
    for (unsigned s = 0; s < 4; s++)
        if (sectors >> s & 1)
            l->written &= ~(0xffu << (s * SECTOR_WORDS));
    if (!l->valid && !l->dirty && !l->reserved) {
        leave_bucket(c, i);
        make_oldest(c, i);
    }
}

static struct cache_outcome write_hit(struct cache *c, const struct cache_access *a,
                                      uint32_t i)
{
    bool back = c->shape.write == CACHE_WRITE_BACK ||
                (c->shape.write == CACHE_WRITE_LOCAL_BACK && a->local);
    struct cache_outcome o = { .result = CACHE_HIT, .send_write = !back, .done = back };

    if (!back && !a->room)
        return failed(CACHE_FAIL_QUEUE);
    touch(c, i);
    if (c->shape.write == CACHE_WRITE_LOCAL_BACK && !a->local)
        drop_sectors(c, i, a->sectors);
    else
        write_words(&c->lines[i], a);
    return o;
}

/* A line for a write that allocates without fetching. */
static struct cache_outcome write_into(struct cache *c, const struct cache_access *a,
                                       uint32_t i)
{
    struct cache_outcome o = { .result = CACHE_MISS, .was_sector = i != NO_LINE };

    if (i == NO_LINE) {
        i = victim(c, a->place);
        if (i == NO_LINE)
            return failed(CACHE_FAIL_LINE);
    }
    if (!a->room)
        return failed(CACHE_FAIL_QUEUE);
    if (!o.was_sector)
        take_line(c, i, a->line, &o);
    else
        touch(c, i);
    write_words(&c->lines[i], a);
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
        i = victim(c, a->place);
        if (i == NO_LINE)
            return;
        take_line(c, i, a->line, &ignored);
    }
    c->lines[i].valid &= (uint8_t)~a->sectors;
    write_words(&c->lines[i], a);
    touch(c, i);
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

static struct cache_outcome access_write(struct cache *c, const struct cache_access *a,
                                         uint32_t i)
{
    struct cache_outcome o;

    if (c->shape.store_fills && c->ways) {
        if (!a->room)
            return failed(CACHE_FAIL_QUEUE);
        o = (struct cache_outcome){ .result = i == NO_LINE ? CACHE_MISS : CACHE_HIT,
                                    .send_write = true };
        store_fill(c, a, i);
        return o;
    }
    if (i != NO_LINE && !(a->sectors & ~(c->lines[i].valid | c->lines[i].dirty)))
        return write_hit(c, a, i);
    return write_miss(c, a, i);
}

/* A load of words that were stored, in a sector of which not all is there. */
static bool has_words(const struct cache *c, const struct cache_access *a, uint32_t i)
{
    return c->shape.store_fills && a->words && !(a->words & ~c->lines[i].written);
}

struct cache_outcome cache_access(struct cache *c, const struct cache_access *a)
{
    uint32_t i = find(c, a->line);

    if (a->write)
        return access_write(c, a, i);
    if (i != NO_LINE && (!(a->sectors & ~c->lines[i].valid) || has_words(c, a, i))) {
        touch(c, i);
        if (a->atomic)
            c->lines[i].dirty |= a->sectors;
        return (struct cache_outcome){ .result = CACHE_HIT };
    }
    return read_miss(c, a, i);
}

bool cache_has(const struct cache *c, uint64_t line, uint8_t sectors)
{
    uint32_t i = find(c, line);

    return i != NO_LINE && !(sectors & ~c->lines[i].valid);
}

void cache_install(struct cache *c, uint64_t line, uint64_t place, uint8_t sectors)
{
    struct cache_outcome ignored = { 0 };
    uint32_t i = find(c, line);

    if (i == NO_LINE) {
        i = victim(c, place);
        if (i == NO_LINE)
            return;
        take_line(c, i, line, &ignored);
    }
    c->lines[i].valid |= sectors;
    touch(c, i);
}

void cache_drop(struct cache *c, uint64_t line, uint8_t sectors)
{
    uint32_t i = find(c, line);

    if (i != NO_LINE)
        drop_sectors(c, i, sectors);
}

void cache_fill(struct cache *c, uint32_t mshr)
{
    struct mshr_entry *e = &c->mshrs.entry[mshr];
    struct cache_outcome ignored = { 0 };
    uint32_t i = find(c, e->line);

    if (i == NO_LINE && is_on_fill(c)) {
        i = victim(c, e->place);
        if (i != NO_LINE)
            take_line(c, i, e->line, &ignored);
    }
    if (i != NO_LINE) {
        c->lines[i].reserved &= (uint8_t)~e->asked;
        c->lines[i].valid |= e->asked;
        if (e->atomic)
            c->lines[i].dirty |= e->asked;
    }
    mshr_filled(&c->mshrs, mshr);
}

bool cache_is_ready(const struct cache *c)
{
    return c->mshrs.ready_head != NO_MSHR;
}

uint32_t cache_ready(struct cache *c)
{
    return mshr_next(&c->mshrs);
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
        for (uint32_t e = c->mshrs.bucket[b]; e != NO_MSHR; e = c->mshrs.entry[e].next)
            buf_printf(out, "  line 0x%llx sectors %x: %u waiting\n",
                       (unsigned long long)c->mshrs.entry[e].line,
                       c->mshrs.entry[e].asked, c->mshrs.entry[e].n);
}
