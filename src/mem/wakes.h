/* wakes.h - when the parts of memory must act, and who says so.
 *
 * Only the fast form (fast.c, stretch.c, dram.c) sleeps. A part sleeps until the first of
 * its times below; the report of a deadlock prints them. Waking early costs host time only,
 * waking late is a bug. Each time has the writers that are named here and no others: the
 * code that changes what a part waits for also sets the time, to NEVER if there is nothing
 * to wait for. test_mem_plain compares with memory that never sleeps.
 *
 * The crossbar keeps the cycles in which packets reach its inputs itself (xbar_await() in
 * icnt.h), and the link to an SM those of its replies (struct memory_link in memory.h, set
 * by lead_send() and by the functions that take a reply).
 */
#ifndef LENO_MEM_WAKES_H
#define LENO_MEM_WAKES_H

#include <stdint.h>

#include "base/agenda.h"
#include "base/cycles.h"

/* A slice. (perf: those of a channel's slices share a line of the host's cache) */
struct slice_wakes {
    /* Cycle in which it must act, fills excepted. Set by the slice after each visit
     * (slice_wakes_visited()), and by the two below if they are earlier. */
    uint64_t first;
    /* Cycle after a fixed latency that ends before all others in the slice. Set when the
     * request enters the latency (slice_take_request()); NEVER after a visit. */
    uint64_t latency;
    /* Cycle in which its channel took a request from a full queue (take_request()); NEVER
     * after a visit. */
    uint64_t room;
    /* DRAM tick in which the first data reach its queue. Set by its channel when they are
     * sent (send_data_back()) or taken (channel_take()). */
    uint64_t fill;
};

/* Steps that a slice may take ahead of their cycle, of each kind one per cycle: the cycle
 * of the last one. Set where the step is taken; the next one is in a later cycle. */
struct slice_ahead {
    uint64_t reply;   /* leaves for the crossbar */
    uint64_t answer;  /* a reply for a filled miss */
    uint64_t miss;    /* leaves for DRAM */
    uint64_t request; /* taken from the crossbar */
};

/* A channel. */
struct channel_wakes {
    /* DRAM tick in which it must act. Set by the channel after each run (channel_run());
     * a slice that sends it a request may set an earlier one (channel_offer()). */
    uint64_t tick;
    /* Cycle, its low 32 bits, in which the first fixed latency ends. Set when a request
     * enters or leaves the front of that queue. */
    uint32_t latency;
    /* DRAM tick, likewise, of the first data in flight that may have to wait. Set when data
     * enter or leave the front of that queue. */
    uint32_t landing;
};

/* All of memory. */
enum { MAX_SLICES = 256 };
struct memory_wakes {
    /* By channel, of which there are no more than slices: the first cycle in which it or a
     * slice of it must act. Set after each visit (channel_run_until()); a request for one
     * of its slices may set an earlier one (slice_take_request()). */
    uint64_t visit[MAX_SLICES];
    _Alignas(64) struct slice_wakes slice[MAX_SLICES];
};

/* The slice has nothing to do before cycle `next`, fills excepted. */
static inline void slice_wakes_visited(struct slice_wakes *w, uint64_t next)
{
    w->first = next;
    w->latency = w->room = NEVER;
}
static inline void slice_wakes_latency(struct slice_wakes *w, uint64_t cycle)
{
    w->latency = earlier(w->latency, cycle);
    w->first = earlier(w->first, cycle);
}
static inline void slice_wakes_room(struct slice_wakes *w, uint64_t cycle)
{
    w->room = cycle;
    w->first = earlier(w->first, cycle);
}

/* The sources of the agenda of memory as a whole, which fast_agenda() collects. */
enum memory_source {
    MEMORY_CHANNEL,       /* a channel or one of its slices */
    MEMORY_REQUEST,       /* a request that reaches or waits at the crossbar */
    MEMORY_REQUEST_MOVED, /* a request that a slice has yet to take from it */
    MEMORY_REPLY,         /* a reply that reaches or waits at the crossbar */
    MEMORY_REPLY_MOVED,   /* a reply that an SM has yet to take from it */
    N_MEMORY_SOURCES
};

#endif
