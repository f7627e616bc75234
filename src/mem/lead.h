/* lead.h - requests and replies between SMs and memory, and how SMs run ahead of memory
 * by a window of cycles without changing any result.
 *
 * Every request waits for a fixed latency before its L2 slice (l2.latency). `cycles` of
 * that latency are moved after the reply: memory works that far ahead of the SMs'
 * clock, and a reply that leaves it in cycle t reaches its SM in t + cycles. So nothing
 * that an SM does in a window of that length can come back to it within the window, and
 * each SM can be simulated for the whole window alone (perf: its state stays in the
 * host's caches). The actual length of a window does not matter.
 *
 * Requests carry the cycle in which they leave their SM. The ring of requests is also
 * the queue at the SM's crossbar input: a request costs nothing until it moves through
 * the crossbar.
 *
 * LIMIT: while SMs run ahead, an SM's port into the interconnect is never full, and an
 * SM that takes no replies does not block those of other SMs; both queues are as long
 * as necessary.
 */
#ifndef LENO_MEM_LEAD_H
#define LENO_MEM_LEAD_H

#include "base/invariant.h"
#include "mem/memory.h"
#include "mem/packet.h"

/* (perf) How many ring places ahead the host prefetches, for requests or replies and
 * for cycles: it has visited all SMs since the last window. */
enum { LEAD_AHEAD = 4, LEAD_CYCLES_AHEAD = 8 };

/* Requests of an SM that have not moved through the crossbar, by cycle: a ring. */
struct lead_port {
    _Alignas(64) struct mem_request *requests; /* each SM's thread writes to its own */
    uint64_t *cycles;
    unsigned first, n, size; /* size: a power of two */
    bool is_up;              /* the crossbar knows the destination of the first one */
    bool is_new;             /* it does not know yet that there is this first one */
    uint64_t n_refused;
};

struct lead {
    unsigned cycles; /* 0: memory and SMs go cycle by cycle */
    unsigned links;  /* size of the rings of replies, a power of two */
    unsigned n_sms;
    struct lead_port *port;
    struct memory_link *link; /* the links with the rings of replies; not its own */
};

/* Makes rings of requests of this length or the next power of two. */
int lead_init(struct lead *l, unsigned n_sms, unsigned size, struct err *err);
/* Lets SMs of this many warps run ahead by this many cycles; makes the rings of replies
 * on their links. */
int lead_start(struct lead *l, struct memory_link *link, unsigned cycles,
               unsigned warps, struct err *err);
/* Makes an SM's ring of requests twice as long; other SMs may run meanwhile. */
int lead_grow(struct lead_port *p, struct err *err);
void lead_free(struct lead *l);
/* Room for a request that leaves in this cycle or a future one: after those of the same
 * cycle. The ring must not be full. */
static inline struct mem_request *lead_place(struct lead_port *p, uint64_t cycle)
{
    unsigned mask = p->size - 1, at = p->first + p->n;

    INVARIANT(p->n < p->size);
    /* Few requests are for later cycles. */
    for (; at != p->first && p->cycles[(at - 1) & mask] > cycle; at--) {
        p->cycles[at & mask] = p->cycles[(at - 1) & mask];
        p->requests[at & mask] = p->requests[(at - 1) & mask];
    }
    p->cycles[at & mask] = cycle;
    __builtin_prefetch(&p->requests[(at + LEAD_AHEAD) & mask], 1);
    p->n++;
    return &p->requests[at & mask];
}
static inline const struct mem_request *lead_first(const struct lead_port *p)
{
    return &p->requests[p->first];
}
/* The first request of an SM has been taken. */
static inline void lead_taken(struct lead_port *p)
{
    unsigned mask = p->size - 1;

    INVARIANT(p->n);
    p->is_up = false;
    p->first = lead_first_after(p->first, --p->n, mask);
    __builtin_prefetch(&p->requests[(p->first + LEAD_AHEAD) & mask]);
    __builtin_prefetch(&p->cycles[(p->first + LEAD_CYCLES_AHEAD) & mask]);
}
static inline struct lead_ring *lead_ring(struct memory_link *link, bool is_inst)
{
    return is_inst ? &link->inst : &link->data;
}
static inline bool lead_has_room(const struct lead *l, struct memory_link *link,
                                 const struct packet *p)
{
    return lead_ring(link, p->kind == MEM_INST)->n < l->links;
}
/* A reply leaves memory in this cycle; its link has room. */
static inline void lead_send(const struct lead *l, struct memory_link *link,
                             const struct packet *p, uint64_t cycle)
{
    bool is_inst = p->kind == MEM_INST;
    struct lead_ring *ring = lead_ring(link, is_inst);
    unsigned end = ring->first + ring->n, mask = l->links - 1;
    struct mem_arrival *at = &ring->at[end & mask];

    INVARIANT(ring->n < l->links);
    at->cycle = cycle + l->cycles;
    at->reply = (struct mem_reply){
        .id = p->id, .sm = p->sm, .kind = p->kind, .sectors = p->sectors
    };
    at->latency = (uint32_t)cycle - p->born;
    __builtin_prefetch(&ring->at[(end + LEAD_AHEAD) & mask], 1);
    link->n_new += !is_inst;
    if (!ring->n++)
        *(is_inst ? &link->inst_at : &link->data_at) = at->cycle;
}

#endif
