/* icache.h - the instruction cache of an SM, as fetch sees it. */
#ifndef LENO_CORE_ICACHE_H
#define LENO_CORE_ICACHE_H

#include "core/params.h"
#include "core/warpset.h"
#include "mem/memory.h"

struct icache;
struct icache *icache_new(const struct fetch_params *p, unsigned sm, unsigned n_warps,
                          struct memory *memory, struct err *err);
void icache_free(struct icache *c);

/* A launch begins: its code and constants have to come (fetch.start). */
void icache_kernel_start(struct icache *c);

/* A fetch at pc for this warp: true if the instructions are present. Otherwise the warp
 * waits until icache_tick() returns it. */
bool icache_access(struct icache *c, unsigned warp, uint64_t pc, uint64_t cycle);

/* A fetch at pc that nobody waits for: false if it must be tried again. */
bool icache_touch(struct icache *c, uint64_t pc, uint64_t cycle);

/* Sends misses; returns the warps whose instructions have arrived. */
struct warpset icache_tick(struct icache *c, uint64_t cycle);
void icache_fill(struct icache *c, const struct mem_reply *r, uint64_t cycle);
/* The next cycle with something to do; NEVER: none. */
uint64_t icache_next(const struct icache *c);
uint64_t icache_hits(const struct icache *c);
uint64_t icache_misses(const struct icache *c);

#endif
