/* dram.h - one memory channel: a fixed wait, a first-ready scheduler, banks and rows.
 *
 * Time is in ticks of the DRAM's own clock. A channel serves the slices of L2 that
 * belong to it through a pair of queues each.
 */
#ifndef LENO_MEM_DRAM_H
#define LENO_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/cache.h"
#include "mem/memory_stats.h"
#include "mem/packet.h"
#include "mem/params.h"

enum { MAX_BANKS = 64, MAX_GROUPS = 16, MAX_PORTS = 8 };

/* A request in the channel, with what the channel needs of it: its packet, which the
 * host's caches may have lost since, is not touched again before the line is filled. */
typedef uint16_t slot_id;
enum { NO_SLOT = UINT16_MAX };
struct dram_slot {
    uint32_t ready; /* cycle of the end of the fixed wait, then tick of the data */
    uint32_t row;
    slot_id next;  /* in its queue, or among the free */
    uint16_t mshr; /* a read: of the slice's cache */
    uint8_t bank;
    uint8_t port, n_sectors;
    bool is_write;
};
_Static_assert(sizeof(struct dram_slot) == 16, "four to a line of the host's cache");

struct slot_queue {
    slot_id head, tail;
    uint32_t n;
};

/* Between a slice of L2 and its channel. */
struct dram_port {
    uint64_t wakes;              /* cycle in which the slice has something to do, ... */
    uint64_t fill_at;            /* ... besides what comes back: tick of the first */
    struct packet_queue to_dram; /* ready: tick from which the channel sees it */
    struct slot_queue from_dram; /* some of them to come yet */
    const struct cache *cache;   /* of the slice, which is to be filled */
};

/* Distances in ticks, derived once. */
struct dram_timing {
    uint32_t ccd, ccdl, rrd, rcd, rcdwr, ras, rp, rc, cl, wl;
    uint32_t rtw, wtr, wtp, rtp, rtpl;
    uint32_t burst_ticks, burst_bytes;
    uint32_t n_banks, n_groups, group_shift;
    bool group_low, dual_bus, is_fifo;
    uint32_t queue, return_queue, latency;
    uint32_t port_in, port_out; /* limits of from_dram and to_dram */
    uint32_t credits;           /* requests in the channel */
    uint32_t clock, core_clock;
    uint8_t bursts[LINE_SECTORS + 1]; /* of so many sectors */
};
void dram_timing_init(struct dram_timing *t, const struct memory_params *p);

/* Ticks up to the end of a core cycle. */
static inline uint64_t ticks_until(const struct dram_timing *t, uint64_t cycle)
{
    return cycle * t->clock / t->core_clock;
}

/* The first core cycle that a tick falls into. */
static inline uint64_t cycle_of_tick(const struct dram_timing *t, uint64_t tick)
{
    return (tick * t->core_clock + t->clock - 1) / t->clock;
}

struct bank {
    struct slot_queue queue;
    slot_id current;            /* being served */
    uint32_t row;               /* open, or the last one that was */
    uint32_t wanted;            /* row of the request scheduled last */
    bool is_open, is_write;     /* the row; the current request */
    uint8_t bursts;             /* of the current request, still to do */
    uint8_t group;              /* that it is in */
    uint64_t read_at, write_at; /* from when the open row takes commands */
    uint64_t precharge_at, activate_at;
};

/* Credits that come back: ticks and ports, in order. */
struct credit_ring {
    uint64_t *at; /* tick * MAX_PORTS + port */
    uint32_t first, n, mask;
};

/* What most ticks look at comes first, banks last. */
struct channel {
    uint64_t next;                   /* tick in which it has something to do */
    uint64_t has_queue, has_current; /* banks, as bits */
    uint64_t wrong_row;              /* of has_current: the row is not open */
    uint64_t ccd;                    /* from when the next column command may go */
    uint32_t n_queued;
    uint32_t offered;          /* ports whose slice has sent something, as bits */
    uint32_t ready_at;         /* cycle in which the first fixed wait ends */
    uint32_t n_held;           /* in in_flight and returned */
    uint32_t land_at;          /* tick of the first in flight */
    struct slot_queue latency; /* the fixed wait */
    struct slot_queue in_flight, returned; /* read, while some slice takes no more */
    uint64_t last_data;                    /* tick */
    struct dram_slot *slots;
    const struct dram_timing *t;
    slot_id free;
    uint32_t first_bank; /* the one looked at first */
    uint32_t first_slice, n_ports, last_port;
    bool is_tight; /* see struct l2 */
    struct credit_ring credits;
    uint32_t borrowed[MAX_PORTS], shared; /* credits */
    uint64_t rrd, rtw, wtr;               /* as ccd, for the other commands */
    uint64_t ccdl[MAX_GROUPS], rtpl[MAX_GROUPS];
    uint64_t *wakes; /* cycle in which it or a slice has work: among all channels' */
    struct packets *packets;
    struct memory_stats *stats;
    struct dram_port *port[MAX_PORTS]; /* of its slices */
    struct bank bank[MAX_BANKS];
};

/* Ports and their caches are set. */
int channel_init(struct channel *c, const struct dram_timing *t, struct err *err);
void channel_free(struct channel *c);

/* A slice has put something into a port for this tick. While the queue is full the
 * channel need not look at it. */
static inline void channel_offer(struct channel *c, uint32_t port, uint64_t tick)
{
    c->offered |= 1u << port;
    if (c->n_queued < c->t->queue && c->next > tick)
        c->next = tick;
}
/* Its ticks up to `last`, all in core cycle `cycle`. */
void channel_run(struct channel *c, uint64_t last, uint64_t cycle);
/* Takes the first that has come back to a port; its MSHR. */
uint32_t channel_take(struct channel *c, struct dram_port *port);
bool channel_is_idle(const struct channel *c);

#endif
