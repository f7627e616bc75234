/* memory.h - caches of the sockets, the second level, and memory. */
#ifndef LENO_VORTEX_MEMORY_H
#define LENO_VORTEX_MEMORY_H

#include "vortex/dram.h"
#include "vortex/state.h"

enum { VX_LINE = 64, VX_BANKS = 4 };
#define VX_NO_MISS UINT32_MAX

/* A request that missed waits for its line; VX_NO_MISS ends lists. */
struct vx_waiter {
    struct vx_core *core;
    uint32_t what; /* vx_fetch_arrived() or vx_lsu_answered() is told this */
    uint64_t at;   /* cycle of its lookup */
    uint32_t next;
};

struct vx_cache {
    uint32_t *tag; /* by place: number of the line held; ~0: none */
    uint32_t n_lines;
    uint32_t mask;           /* n_lines - 1 if n_lines is a power of two; else 0 */
    uint64_t free[VX_BANKS]; /* a bank takes a request from this cycle on */
    uint32_t misses;         /* list of misses in flight */
};

/* A line in flight from memory, or an access of I/O (cache: NULL). */
struct vx_miss {
    struct vx_cache *cache;
    bool is_fetch;
    uint32_t line, next;
    uint32_t first, last; /* requests that wait for it, in order */
    uint32_t n_stores;    /* to the line meanwhile: looked up again, too */
    uint32_t next_line;   /* of lines of code to be filled: the next */
    uint64_t staged_at;   /* it went into the cache's first stage; 0: not yet */
    struct vx_core *core; /* of the first request */
};

struct vx_socket {
    struct vx_cache icache, dcache;
};

struct vx_memory {
    const struct vxcache_params *cache;
    unsigned n_sockets,
        n_banks;   /* banks of a data cache: as many as lanes, 1, 2 or 4 */
    uint32_t n_l2; /* lines */
    struct vx_socket *socket;
    uint32_t *l2; /* sets of l2_ways, most recent first */
    struct dram dram;
    struct vx_miss *miss;
    struct vx_waiter *waiter;
    uint32_t n_pool, free_miss, free_waiter;
    uint32_t held, last_held; /* lines of code that have arrived, to be filled */
    uint64_t reset;           /* first cycle in which caches answer */
};

int vx_memory_init(struct vx_memory *m, const struct vortex_config *c, struct err *err);
void vx_memory_free(struct vx_memory *m);
void vx_memory_reset(struct vx_memory *m); /* empties all caches */

/* Memory can take another store. */
static inline bool vx_memory_has_room(const struct vx_core *k)
{
    return dram_has_room(&k->memory->dram);
}

/* The next cycle in which memory has work that caches see; NEVER: none. */
static inline uint64_t vx_memory_next(const struct vx_memory *m)
{
    if (m->held != VX_NO_MISS)
        return 0;
    return m->dram.next == NEVER ? NEVER : m->dram.next + m->cache->fill;
}
/* Fills the lines that reach their cache up to that cycle; cores are told of answers. */
void vx_memory_run(struct vx_memory *m, uint64_t cycle);

#endif
