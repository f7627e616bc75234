/* dram.h - one memory channel: a fixed latency, a first-ready scheduler, banks and
 * rows.
 *
 * Time is in ticks of the DRAM's own clock. A channel serves its L2 slices through a
 * pair of queues each.
 */
#ifndef LENO_MEM_DRAM_H
#define LENO_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/cache.h"
#include "mem/memory_stats.h"
#include "mem/packet.h"
#include "mem/params.h"
#include "mem/wakes.h"

enum { MAX_BANKS = 64, MAX_GROUPS = 16, MAX_PORTS = 8 };

/* A request in the channel, with all that the channel needs to know of it. (perf: its
 * packet, which may have left the host's caches, is not touched before the line is
 * filled) */
typedef uint16_t slot_id;
enum { NO_SLOT = UINT16_MAX };
struct dram_slot {
    uint32_t ready; /* end of the fixed latency (core cycle), then tick of the data */
    uint32_t row;
    slot_id next;  /* in its queue, or in the free list */
    uint16_t mshr; /* a read: MSHR of the slice's cache */
    uint8_t bank;
    uint8_t port, n_sectors;
    bool is_write;
};
_Static_assert(sizeof(struct dram_slot) == 16, "four to a line of the host's cache");

struct slot_queue {
    slot_id head, tail;
    uint32_t n;
};

/* The queues between an L2 slice and its channel. */
struct dram_port {
    struct packet_queue to_dram; /* ready: first tick in which the channel sees it */
    struct slot_queue from_dram; /* some of them have yet to arrive */
    const struct cache *cache;   /* cache of the slice, which is to be filled */
};

/* Timing in ticks, derived from the parameters once. */
struct dram_timing {
    uint32_t ccd, ccdl, rrd, rcd, rcdwr, ras, rp, rc, cl, wl;
    uint32_t rtw, wtr, wtp, rtp, rtpl;
    uint32_t burst_ticks, burst_bytes;
    uint32_t n_banks, n_groups, group_shift;
    bool group_low, dual_bus, is_fifo;
    uint32_t queue, return_queue, latency;
    uint32_t port_in, port_out; /* limits of from_dram and to_dram */
    uint32_t credits;           /* most requests in the channel */
    uint32_t clock, core_clock;
    uint64_t phase; /* how far into a tick cycle 0 of memory is: core_clock is a tick */
    uint8_t bursts[LINE_SECTORS + 1]; /* bursts by number of sectors */
};
void dram_timing_init(struct dram_timing *t, const struct memory_params *p);

/* The number of ticks up to the end of a core cycle. */
static inline uint64_t dram_ticks_until(const struct dram_timing *t, uint64_t cycle)
{
    return (cycle * t->clock + t->phase) / t->core_clock;
}

/* The first core cycle that contains a tick. */
static inline uint64_t dram_cycle_of_tick(const struct dram_timing *t, uint64_t tick)
{
    return (tick * t->core_clock - t->phase + t->clock - 1) / t->clock;
}

struct bank {
    struct slot_queue queue;
    slot_id current;            /* request being served */
    uint32_t row;               /* row that is open, or was last */
    uint32_t wanted;            /* row of the request scheduled last */
    bool is_open, is_write;     /* is_open: the row; is_write: the current request */
    uint8_t bursts;             /* of the current request, still to do */
    uint8_t group;              /* bank group */
    uint64_t read_at, write_at; /* first tick in which the open row takes commands */
    uint64_t precharge_at, activate_at;
};

/* Credits on their way back: ticks and ports, in order. */
struct credit_ring {
    uint64_t *at; /* tick * MAX_PORTS + port */
    uint32_t first, n, mask;
};

/* One channel. (perf: the fields that most ticks use come first, the banks last) */
struct channel {
    struct channel_wakes wakes;
    uint64_t has_queue, has_current; /* banks, as bits */
    uint64_t wrong_row;              /* banks in has_current whose row is not open */
    uint64_t ccd;                    /* first tick for the next column command */
    uint32_t n_queued;
    uint32_t offered;          /* ports whose slice has sent something, as bits */
    uint32_t n_held;           /* number of slots in in_flight and returned */
    struct slot_queue latency; /* requests in the fixed latency */
    struct slot_queue in_flight,
        returned; /* data in flight, and data read that a slice does not yet take */
    uint64_t last_data; /* tick */
    struct dram_slot *slots;
    const struct dram_timing *t;
    slot_id free;
    uint32_t first_bank; /* bank that is examined first */
    uint32_t first_slice, n_ports, last_port;
    bool is_tight; /* see struct l2 */
    struct credit_ring credits;
    uint32_t borrowed[MAX_PORTS], shared; /* credits */
    uint64_t rrd, rtw, wtr;               /* like ccd, for the other commands */
    uint64_t ccdl[MAX_GROUPS], rtpl[MAX_GROUPS];
    uint64_t *visit;            /* its element of struct memory_wakes, ... */
    struct slice_wakes *slices; /* ... and those of its slices */
    struct packets *packets;
    struct memory_stats *stats;
    struct dram_port *port[MAX_PORTS]; /* one per slice */
    struct bank bank[MAX_BANKS];
};

/* To be called when ports and their caches are set. */
int channel_init(struct channel *c, const struct dram_timing *t, struct err *err);
void channel_free(struct channel *c);

/* A slice has put a request into a port in this tick. The channel need not look at a
 * queue that was full. */
static inline void channel_offer(struct channel *c, uint32_t port, uint64_t tick)
{
    c->offered |= 1u << port;
    if (c->n_queued < c->t->queue && c->wakes.tick > tick)
        c->wakes.tick = tick;
}
/* Runs its ticks up to `last`, all in core cycle `cycle`. */
void channel_run(struct channel *c, uint64_t last, uint64_t cycle);
/* Takes the first reply that has come back to a port; returns its MSHR. */
uint32_t channel_take(struct channel *c, uint32_t port);
bool channel_is_idle(const struct channel *c);

#endif
