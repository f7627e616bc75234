/* memory.h - caches of the sockets, the second level, and memory behind them. */
#ifndef LENO_VORTEX_MEMORY_H
#define LENO_VORTEX_MEMORY_H

#include "vortex/state.h"

enum { VX_LINE = 64 };

struct vx_line {
    uint32_t tag; /* of the address, the line's number; ~0: empty */
    uint64_t at;  /* the cycle from which a lookup finds it */
};

struct vx_bank {
    uint32_t row;  /* open; ~0: none */
    uint64_t free; /* opens another row from this cycle on */
};

struct vx_channel {
    uint64_t free; /* carries another line from this cycle on */
    struct vx_bank *bank;
};

struct vx_socket {
    struct vx_line *icache, *dcache;
    uint64_t port; /* to memory: free from this cycle */
};

struct vx_memory {
    const struct vxcache_params *cache;
    const struct vxmem_params *p;
    unsigned n_sockets;
    uint32_t n_icache, n_dcache, n_l2; /* lines */
    struct vx_socket *socket;
    struct vx_line *l2; /* sets of l2_ways, most recent first */
    struct vx_channel *channel;
    uint64_t answered; /* cycle of the last answer: they keep the order of requests */
    uint64_t reset;    /* first cycle in which caches answer */
};

int vx_memory_init(struct vx_memory *m, const struct vortex_config *c, struct err *err);
void vx_memory_free(struct vx_memory *m);
void vx_memory_reset(struct vx_memory *m); /* everything empty */

#endif
