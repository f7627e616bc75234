/* cache.h - a sectored, set-associative cache with MSHRs: tags and policies, no timing.
 *
 * Used for L1, L2 slices, constant and instruction caches. The owner adds latency,
 * ports and the miss queue; the cache tells what an access does:
 *
 *     struct cache_outcome o = cache_access(c, &a); hit: the access is done here; miss:
 *     o.fetch and/or o.send_write must be sent down; pending: it waits for a miss under
 *     way; fail: nothing changed; try again, o.fail says what was missing
 *
 * A reply from the level below is cache_fill(); then cache_ready() returns the waiters
 * of filled misses, in order, one per call.
 */
#ifndef LENO_MEM_CACHE_H
#define LENO_MEM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hint.h"
#include "mem/mshr.h"
#include "mem/params.h"
#include "mem/sectors.h"
#include "mem/tags.h"

enum cache_result { CACHE_HIT, CACHE_MISS, CACHE_PENDING, CACHE_FAIL };
/* GPGPU-Sim: LINE_ALLOC_FAIL, MISS_QUEUE_FULL, MSHR_ENRTY_FAIL, MSHR_MERGE_ENRTY_FAIL */
enum cache_fail {
    CACHE_FAIL_LINE,
    CACHE_FAIL_QUEUE,
    CACHE_FAIL_MSHR,
    CACHE_FAIL_MERGE,
    N_CACHE_FAIL
};

struct cache_shape {
    uint32_t sets, ways;
    uint32_t write, allocate, write_allocate, index; /* enums of mem/params.h */
    uint32_t mshrs, merges;
    uint32_t line_bits; /* log2 of the line size in bytes, which is at most 128 */
    uint32_t granule;   /* sectors fetched together: 1, 2 or 4 */
    bool store_fills;   /* L1 of an H200: see l1.store_fills */
};

#define NO_WAITER UINT32_MAX

struct cache_access {
    uint64_t line;   /* address of its line */
    uint32_t set;    /* cache_set() of its address */
    uint32_t words;  /* writes: words of the line that are written completely */
    uint32_t waiter; /* reads: value that cache_ready() returns for it */
    uint32_t room;   /* free places in the owner's miss queue */
    uint8_t sectors; /* as bits */
    bool write, local, atomic;
    bool replaces; /* with store_fills: a store after which the line has no more */
};

struct cache_outcome {
    uint8_t result; /* enum cache_result */
    uint8_t fail;   /* enum cache_fail */
    uint8_t fetch;  /* sectors to fetch; 0: none */
    bool send_write;
    bool done;       /* a write that needs no reply from below */
    bool was_sector; /* a miss in a line that is present */
    bool waits;      /* waits in an MSHR */
    uint8_t evict;   /* dirty sectors of the victim to write back; 0: none */
    uint32_t mshr;   /* MSHR of the fetch */
    uint64_t victim; /* address of the evicted line */
};

/* Owners use the functions below only. */
struct cache {
    struct mshrs mshrs;
    struct tags tags;
    struct cache_shape shape;
    uint16_t age; /* number of resets, low bits */
};

struct cache *cache_new(const struct cache_shape *s, struct err *err);
void cache_free(struct cache *c);
/* The set that an address selects; for L2, an address without channel bits. */
static inline uint32_t cache_set(const struct cache *c, uint64_t place)
{
    return tags_set(&c->tags, place);
}
/* Sectors of a line have been written. */
static inline void cache_soil(struct line_state *l, uint8_t sectors)
{
    l->dirty = (l->dirty | sectors) & 15u;
}
static inline void cache_hit(struct cache *c, const struct cache_access *a, uint32_t i)
{
    tags_touch(&c->tags, i);
    if (a->atomic)
        cache_soil(tags_state(&c->tags, i), a->sectors);
}
/* Perform an access that is no plain hit: cache_miss() for reads, cache_write() for
 * writes. i: its line or NO_LINE. */
void cache_miss(struct cache *c, const struct cache_access *a, uint32_t i,
                struct cache_outcome *o);
void cache_write(struct cache *c, const struct cache_access *a, uint32_t i,
                 struct cache_outcome *o);
/* The line of an access, or NO_LINE. */
static inline uint32_t cache_find(const struct cache *c, uint64_t line, uint32_t set)
{
    return tags_find(&c->tags, line, set);
}
/* Performs an access whose line has been looked up; o is all zero. */
static inline void cache_access_to(struct cache *c, const struct cache_access *a,
                                   uint32_t i, struct cache_outcome *o)
{
    if (a->write)
        cache_write(c, a, i, o);
    else if (i == NO_LINE || a->sectors & ~tags_state(&c->tags, i)->valid)
        cache_miss(c, a, i, o);
    else
        cache_hit(c, a, i);
}
static inline struct cache_outcome
cache_access_at(struct cache *c, const struct cache_access *a, uint32_t i)
{
    struct cache_outcome o = { .result = CACHE_HIT };

    cache_access_to(c, a, i, &o);
    return o;
}
/* Looks up the line and performs the access. */
static inline struct cache_outcome cache_access(struct cache *c,
                                                const struct cache_access *a)
{
    return cache_access_at(c, a, cache_find(c, a->line, a->set));
}

/* Short cuts for streaming caches, if the line was not found. First, for a read with
 * room in the miss queue, of sectors that no MSHR has asked for: its MSHR, or NO_MSHR
 * if nothing was done and cache_access_to() must decide. */
static inline uint16_t cache_new_miss(struct cache *c, uint64_t line, uint32_t set,
                                      uint8_t sectors, uint32_t waiter)
{
    uint16_t e;

    if (c->shape.allocate == CACHE_ALLOCATE_MISS || c->shape.granule != 1 ||
        mshr_is_full(&c->mshrs) || mshr_find(&c->mshrs, line, sectors) != NO_MSHR)
        return NO_MSHR;
    e = mshr_add(&c->mshrs, line, set, sectors);
    mshr_wait(&c->mshrs, e, waiter);
    return e;
}
/* Second, for a write with room in the miss queue: true if it only has to be sent
 * down. */
static inline bool cache_passes_writes(const struct cache *c)
{
    return c->shape.write_allocate == CACHE_WRITE_ALLOCATE_NONE &&
           !c->shape.store_fills;
}

/* Performs a read of a line that was found, if all its sectors are valid. */
static inline bool cache_hits(struct cache *c, const struct cache_access *a, uint32_t i)
{
    if (a->sectors & ~tags_state(&c->tags, i)->valid)
        return false;
    cache_hit(c, a, i);
    return true;
}

/* (perf) Prefetches on the host for an access that comes soon. */
HINT void cache_expect_access(const struct cache *c, uint64_t line, uint32_t set)
{
    tags_expect(&c->tags, line, set);
    mshr_expect(&c->mshrs, line);
}

/* (perf) The same if the line is not known yet. */
HINT void cache_expect_set(const struct cache *c, uint32_t set)
{
    tags_expect_set(&c->tags, set);
}

/* True if all sectors are readable; changes nothing. */
bool cache_has(const struct cache *c, uint64_t line, uint32_t set, uint8_t sectors);
/* Installs sectors without a miss: copies from the host, far copies of an L2 half. */
void cache_install(struct cache *c, uint64_t line, uint32_t set, uint8_t sectors);
void cache_drop(struct cache *c, uint64_t line, uint32_t set, uint8_t sectors);
uint8_t cache_partial(const struct cache *c, uint64_t line, uint32_t set);
uint32_t cache_complete(struct cache *c, uint64_t line, uint32_t set, uint8_t sectors);
/* The fetch of this MSHR has returned. */
void cache_fill(struct cache *c, uint32_t mshr);
/* The same for an MSHR with a single waiter (cache_is_lone()), which is returned
 * instead of becoming ready. */
static inline bool cache_is_lone(const struct cache *c, uint32_t mshr)
{
    return c->mshrs.entry[mshr].n == 1;
}
static inline uint32_t cache_fill_lone(struct cache *c, uint32_t mshr)
{
    c->mshrs.entry[mshr].n = 0;
    cache_fill(c, mshr);
    return c->mshrs.entry[mshr].first;
}
static inline bool cache_is_ready(const struct cache *c)
{
    return c->mshrs.ready_head != NO_MSHR;
}
/* The next waiter; there must be one. */
static inline uint32_t cache_ready(struct cache *c)
{
    return mshr_next(&c->mshrs);
}
/* (perf) Two prefetches on the host before a fill: call the first for several fills,
 * then the second, which returns the first waiter. */
HINT void cache_expect(const struct cache *c, uint32_t mshr)
{
    __builtin_prefetch(&c->mshrs.entry[mshr]);
}
HINT uint32_t cache_expect_waiter(const struct cache *c, uint32_t mshr)
{
    const struct mshr_entry *e = &c->mshrs.entry[mshr];

    if (c->shape.allocate != CACHE_ALLOCATE_MISS || e->where == NO_LINE)
        tags_expect(&c->tags, e->line, e->set);
    if (e->where != NO_LINE)
        __builtin_prefetch(tags_state(&c->tags, e->where));
    return e->first;
}
/* True if an MSHR is free for one more miss. */
static inline bool cache_can_miss(const struct cache *c)
{
    return !mshr_is_full(&c->mshrs);
}
/* How many more misses would find an MSHR. */
static inline uint32_t cache_spare(const struct cache *c)
{
    return c->mshrs.n_entries - c->mshrs.n_used;
}
/* The line that an MSHR fetches. */
static inline uint64_t cache_fetched_line(const struct cache *c, uint32_t mshr)
{
    return c->mshrs.entry[mshr].line;
}

/* Empties the cache (pending misses stay) and sets its number of ways, at most the one
 * it was made with. */
void cache_reset(struct cache *c, uint32_t ways);
void cache_set_allocate(struct cache *c, uint32_t allocate);

uint32_t cache_pending(const struct cache *c); /* MSHRs in use */
void cache_dump(const struct cache *c, const char *name, struct buf *out);

#endif
