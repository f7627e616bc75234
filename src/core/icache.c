/* icache.c - instruction caches: an L0 per sub-core, an L1 per SM, misses to L2.
 *
 * L1 is a sectored cache of 128-byte lines (mem/cache.h), fetched whole, or perfect. L0
 * is fully associative with LRU; a miss there costs a fixed latency, which models the
 * path from L1. A warp that still has the line in hand needs no access.
 *
 * With fetch.l1_miss a miss takes a fixed latency instead of going to L2; with
 * fetch.preload the first lines, as many as fit, hit as if the launch had loaded them,
 * as measured on an H200 (docs/h200.md).
 *
 * The first fetch of a launch takes fetch.start, and so do others until then: code and
 * constants are new to the SM, and SMs get them one after another.
 *
 * LIMIT: no prefetch, and decode does not stop at the end of a line. Constants of a launch
 * are waited for before its first instruction, not where they are first used.
 */
#include "core/icache.h"

#include <stdlib.h>
#include <string.h>

#include "base/agenda.h"
#include "base/invariant.h"
#include "core/scheme.h"
#include "mem/cache.h"

enum {
    MAX_L0 = 8192,
    MAX_MISSES = 64, /* the maximum number of MSHRs */
    MIB = 1 << 20,
    NO_WARP = MAX_WARP_SLOTS, /* as a waiter: nobody */
};

struct l0_line {
    uint64_t line, used; /* line + 1; 0 = empty */
    uint64_t ready;      /* cycle from which it is present */
};

struct icache {
    const struct fetch_params *p;
    unsigned sm;
    struct memory *memory;
    struct cache *cache; /* NULL: perfect */
    struct l0_line *l0;  /* n_l0 per sub-core; NULL: none */
    unsigned n_l0;
    uint64_t clock;                   /* for LRU */
    uint64_t in_hand[MAX_WARP_SLOTS]; /* line + 1 */
    /* of waiting warps, and of nobody; NEVER: waits for a fill */
    uint64_t ready_at[MAX_WARP_SLOTS + 1];
    struct warpset waiting;
    uint64_t next;
    struct mem_request queue[MAX_MISSES]; /* misses not yet sent */
    unsigned n_queue;
    struct {
        uint64_t cycle;
        uint32_t mshr;
    } late[MAX_MISSES]; /* fills with a fixed latency, in order */
    unsigned n_late;
    uint64_t hits, misses, n_preloaded;
    uint64_t
        opens; /* cycle from which on the launch has its code; NEVER: not asked yet */
};

struct icache *icache_new(const struct fetch_params *p, unsigned sm, unsigned n_warps,
                          struct memory *memory, struct err *err)
{
    struct icache *c = calloc(1, sizeof *c);
    struct cache_shape shape = { .sets = p->cache_sets,
                                 .ways = p->cache_ways,
                                 .allocate = CACHE_ALLOCATE_FILL,
                                 .mshrs = p->cache_mshrs,
                                 .merges = n_warps,
                                 .line_bits = 7,
                                 .granule = LINE_SECTORS };

    if (!c) {
        err_memory(err, "SM %u", sm);
        return NULL;
    }
    c->p = p;
    c->sm = sm;
    c->memory = memory;
    c->next = NEVER;
    c->n_l0 = p->l0_bytes / LINE_BYTES < MAX_L0 ? p->l0_bytes / LINE_BYTES : MAX_L0;
    if (c->n_l0)
        c->l0 = calloc((size_t)c->n_l0 * MAX_SUBCORES, sizeof *c->l0);
    if (!p->perfect)
        c->cache = cache_new(&shape, err);
    if ((c->n_l0 && !c->l0) || (!p->perfect && !c->cache)) {
        if (c->n_l0 && !c->l0)
            err_memory(err, "the instruction cache of SM %u", sm);
        icache_free(c);
        return NULL;
    }
    return c;
}

void icache_free(struct icache *c)
{
    if (!c)
        return;
    if (c->cache)
        cache_free(c->cache);
    free(c->l0);
    free(c);
}

void icache_kernel_start(struct icache *c)
{
    c->opens = c->p->start || c->p->start_quarters ? NEVER : 0;
}

static bool icache_wait_until(struct icache *c, unsigned warp, uint64_t cycle)
{
    warpset_add(&c->waiting, warp);
    c->ready_at[warp] = cycle;
    if (cycle < c->next)
        c->next = cycle;
    return false;
}

/* The first cycle in which the line is in the sub-core's L0; it is put there. */
static uint64_t icache_look_in_l0(struct icache *c, unsigned warp, uint64_t line,
                                  uint64_t cycle)
{
    struct l0_line *set = &c->l0[(size_t)(warp % MAX_SUBCORES) * c->n_l0],
                   *oldest = set;

    c->clock++;
    for (unsigned k = 0; k < c->n_l0; k++) {
        if (set[k].line == line + 1) {
            set[k].used = c->clock;
            return set[k].ready;
        }
        if (set[k].used < oldest->used)
            oldest = &set[k];
    }
    *oldest = (struct l0_line){ line + 1, c->clock, cycle + c->p->l0_miss };
    return oldest->ready;
}

/* A miss with a fixed latency; true if the latency is zero. */
static bool icache_fill_later(struct icache *c, unsigned warp, uint32_t mshr,
                              uint64_t cycle)
{
    if (c->p->preload &&
        c->n_preloaded < (uint64_t)c->p->cache_sets * c->p->cache_ways) {
        c->n_preloaded++;
        cache_fill(c->cache, mshr);
        cache_ready(c->cache);
        return true;
    }
    INVARIANT(c->n_late < MAX_MISSES);
    c->late[c->n_late].cycle = cycle + c->p->l1_miss;
    c->late[c->n_late++].mshr = mshr;
    if (cycle + c->p->l1_miss < c->next)
        c->next = cycle + c->p->l1_miss;
    return icache_wait_until(c, warp, NEVER);
}

/* Sends misses in order, as many as memory takes now. */
static void icache_send_misses(struct icache *c, uint64_t cycle)
{
    unsigned sent = 0;

    while (sent < c->n_queue && memory_push(c->memory, &c->queue[sent]))
        sent++;
    memmove(c->queue, c->queue + sent, (c->n_queue - sent) * sizeof *c->queue);
    c->n_queue -= sent;
    if (c->n_queue && cycle + 1 < c->next)
        c->next = cycle + 1;
}

/* Looks up L1. A miss that goes to L2 leaves in the same cycle. */
static struct cache_outcome icache_look_up(struct icache *c, unsigned waiter,
                                           uint64_t line, uint64_t cycle)
{
    struct cache_access a = { .line = line,
                              .set = (uint16_t)cache_set(c->cache, line),
                              .waiter = waiter,
                              .room = MAX_MISSES - c->n_queue,
                              .sectors = ALL_SECTORS };
    struct cache_outcome o = cache_access(c->cache, &a);

    c->hits += o.result == CACHE_HIT;
    c->misses += o.result == CACHE_MISS;
    if (o.result == CACHE_MISS && !c->p->l1_miss) {
        INVARIANT(c->n_queue < MAX_MISSES);
        c->queue[c->n_queue++] =
            (struct mem_request){ .addr = line + (uint64_t)c->p->code_base * MIB,
                                  .id = o.mshr,
                                  .sm = (uint16_t)c->sm,
                                  .kind = MEM_INST,
                                  .sectors = ALL_SECTORS };
        icache_send_misses(c, cycle);
    }
    return o;
}

/* True if the line is present in L1. */
static bool icache_look_in_l1(struct icache *c, unsigned warp, uint64_t line,
                              uint64_t cycle)
{
    struct cache_outcome o = icache_look_up(c, warp, line, cycle);

    if (o.result == CACHE_HIT)
        return true;
    if (o.result == CACHE_MISS && c->p->l1_miss)
        return icache_fill_later(c, warp, o.mshr, cycle);
    return icache_wait_until(c, warp, o.result == CACHE_FAIL ? cycle + 1 : NEVER);
}

bool icache_access(struct icache *c, unsigned warp, uint64_t pc, uint64_t cycle)
{
    uint64_t line = pc / LINE_BYTES * LINE_BYTES, ready;

    if (c->opens == NEVER)
        c->opens = cycle + c->p->start + (uint64_t)c->sm * c->p->start_quarters / 4;
    if (cycle < c->opens)
        return icache_wait_until(c, warp, c->opens);
    if ((!c->cache && !c->l0) || c->in_hand[warp] == line + 1)
        return true;
    if (c->cache && !icache_look_in_l1(c, warp, line, cycle))
        return false;
    c->in_hand[warp] = line + 1;
    ready = c->l0 ? icache_look_in_l0(c, warp, line, cycle) : cycle;
    return ready > cycle ? icache_wait_until(c, warp, ready) : true;
}

bool icache_touch(struct icache *c, uint64_t pc, uint64_t cycle)
{
    uint64_t line = pc / LINE_BYTES * LINE_BYTES;

    return !c->cache || c->p->l1_miss ||
           icache_look_up(c, NO_WARP, line, cycle).result != CACHE_FAIL;
}

static void icache_fill_late(struct icache *c, uint64_t cycle)
{
    unsigned n = 0;

    while (n < c->n_late && c->late[n].cycle <= cycle)
        cache_fill(c->cache, c->late[n++].mshr);
    memmove(c->late, c->late + n, (c->n_late - n) * sizeof *c->late);
    c->n_late -= n;
    while (cache_is_ready(c->cache))
        c->ready_at[cache_ready(c->cache)] = cycle;
    if (c->n_late)
        c->next = c->late[0].cycle;
}

struct warpset icache_tick(struct icache *c, uint64_t cycle)
{
    struct warpset woken = { 0 };

    if (cycle < c->next)
        return woken;
    c->next = NEVER;
    if (c->n_late)
        icache_fill_late(c, cycle);
    if (c->n_queue)
        icache_send_misses(c, cycle);
    for (struct warpset m = c->waiting; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (c->ready_at[k] <= cycle)
            warpset_add(&woken, k);
        else if (c->ready_at[k] < c->next)
            c->next = c->ready_at[k];
    }
    c->waiting = warpset_without(&c->waiting, &woken);
    return woken;
}

void icache_fill(struct icache *c, const struct mem_reply *r, uint64_t cycle)
{
    cache_fill(c->cache, r->id);
    while (cache_is_ready(c->cache))
        c->ready_at[cache_ready(c->cache)] = cycle;
    c->next = cycle;
}

uint64_t icache_next(const struct icache *c)
{
    return c->next;
}

uint64_t icache_hits(const struct icache *c)
{
    return c->hits;
}

uint64_t icache_misses(const struct icache *c)
{
    return c->misses;
}
