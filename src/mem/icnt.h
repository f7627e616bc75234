/* icnt.h - one direction of the crossbar between SMs and L2 slices.
 *
 * Models the built-in crossbar of Accel-Sim: a queue at each input and output, one
 * packet per port and cycle, a round-robin pointer at every output (one iteration of
 * iSLIP). The packet at the head of an input blocks those after it. The owner keeps the
 * input queues and tells the destination of each head. Accel-Sim's revision of 2024
 * starts its search after the pointer instead of at it, so that the neighbour of the
 * input served last comes last: islip_skip.
 */
#ifndef LENO_MEM_ICNT_H
#define LENO_MEM_ICNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/invariant.h"
#include "mem/packet.h"
#include "mem/params.h"

enum { XBAR_MAX_PORTS = 1024, XBAR_WORDS = XBAR_MAX_PORTS / 64 };
enum { XBAR_AHEAD = 128 }; /* how many cycles ahead arriving packets are known */

struct xbar_port {
    struct packet_queue in,
        out;       /* queues of the input and of the output with this number */
    uint32_t next; /* output: the input with priority */
    uint64_t in_free, out_free; /* first cycle in which it may start a packet */
};

/* The head of input `in` moves to output `out`. */
struct xbar_move {
    uint16_t in, out;
};

struct xbar {
    const struct icnt_params *p;
    /* ports are held for one cycle per flit (icnt.serialise); set by the owner */
    bool holds;
    uint32_t n_in, n_out, in_words;
    uint32_t in_limit, out_limit;
    bool is_islip;
    uint32_t step; /* islip: distance from the input served to the next with priority */
    uint32_t start;             /* round robin: the input with priority */
    struct xbar_port *ports;    /* as many as the wider side has */
    uint64_t *want;             /* per output: inputs whose head goes there */
    uint64_t *later;            /* by cycle: inputs whose head arrives then */
    uint64_t begun;             /* the last cycle that was begun */
    uint64_t due[XBAR_WORDS];   /* inputs whose head may be present from now on */
    uint64_t heads[XBAR_WORDS]; /* outputs that some head wants */
    uint64_t full[XBAR_WORDS];  /* outputs with a packet to take */
    uint32_t n_packets;         /* packets in input queues */
    uint32_t n_waiting;         /* inputs whose head is present ... */
    uint32_t n_later;           /* ... and bits in later, for heads that may arrive */
    uint32_t n_moved;
    uint64_t n_conflicts;
    struct xbar_move moved[XBAR_MAX_PORTS]; /* moves of the last tick */
};

/* Flits of a packet with this many bytes of data. */
static inline uint32_t icnt_flits(const struct icnt_params *p, uint32_t bytes)
{
    uint32_t n = (bytes + p->header_bytes + p->flit_bytes - 1) / p->flit_bytes;

    return n ? n : 1;
}

uint8_t icnt_request_flits(const struct icnt_params *p, const struct mem_request *r);

int xbar_init(struct xbar *x, const struct icnt_params *p, uint32_t n_in,
              uint32_t n_out, struct err *err);
void xbar_free(struct xbar *x);

static inline bool xbar_has_room(const struct xbar *x, uint32_t in)
{
    return x->ports[in].in.n < x->in_limit;
}
/* The packet at the head of an input is for this output. */
static inline void xbar_want(struct xbar *x, uint32_t in, uint32_t out)
{
    INVARIANT(in < x->n_in && out < x->n_out);
    x->want[(size_t)out * x->in_words + in / 64] |= (uint64_t)1 << (in & 63);
    x->heads[out / 64] |= (uint64_t)1 << (out & 63);
    x->n_waiting++;
}

/* Inputs whose head arrives in a cycle (or XBAR_AHEAD cycles later). */
static inline uint64_t *xbar_later(const struct xbar *x, uint64_t cycle)
{
    return &x->later[(cycle & (XBAR_AHEAD - 1)) * x->in_words];
}
static inline void xbar_await(struct xbar *x, uint32_t in, uint64_t cycle)
{
    uint64_t *word = &xbar_later(x, cycle)[in / 64], bit = (uint64_t)1 << (in & 63);

    INVARIANT(cycle > x->begun);
    x->n_later += !(*word & bit);
    *word |= bit;
}

/* Begins a cycle: x->due gets the inputs that were expected since the last one. False:
 * none. */
bool xbar_begin(struct xbar *x, uint64_t cycle);
/* The next cycle in which an input may have a packet; UINT64_MAX: none known. */
uint64_t xbar_next(const struct xbar *x);

/* For inputs that are packet queues: a packet leaves its source in a future cycle.
 * Packets of an input come in order. */
static inline void xbar_push_at(struct xbar *x, uint32_t in, struct packet *p,
                                uint64_t cycle)
{
    struct packet_queue *q = &x->ports[in].in;

    INVARIANT(q->n < x->in_limit);
    p->ready = (uint32_t)cycle;
    queue_push(q, p);
    x->n_packets++;
    if (q->n == 1)
        xbar_await(x, in, cycle);
}
static inline struct packet *xbar_take(struct xbar *x, uint32_t in)
{
    INVARIANT(x->n_packets);
    x->n_packets--;
    return queue_pop(&x->ports[in].in);
}

/* Chooses the packets that move (x->moved), while any wait. The owner takes them from
 * their inputs, announces the next heads there, and keeps packets that cannot go on at
 * once at their outputs. */
void xbar_tick(struct xbar *x, uint64_t cycle);
/* With icnt.chain, instead: the next packet that moves in this cycle, to an output from
 * *out on, which is set to the one after it; false: no more. The owner takes it from its
 * input and announces the next head there before it asks again. */
bool xbar_chain(struct xbar *x, uint64_t cycle, uint32_t *out, struct xbar_move *move);

/* A packet of this many flits holds its ports from this cycle on. */
static inline void xbar_hold(struct xbar *x, const struct xbar_move *move,
                             uint32_t flits, uint64_t cycle)
{
    x->ports[move->in].in_free = cycle + flits;
    if (x->p->serialise == ICNT_BOTH)
        x->ports[move->out].out_free = cycle + flits;
}

/* Keeps a packet at its output, which it may leave from cycle `ready` on. */
static inline void xbar_keep(struct xbar *x, uint32_t out, struct packet *p,
                             uint64_t ready)
{
    INVARIANT(x->ports[out].out.n < x->out_limit);
    p->ready = (uint32_t)ready;
    queue_push(&x->ports[out].out, p);
    x->full[out / 64] |= (uint64_t)1 << (out & 63);
}

/* Takes the first packet of an output; there must be one. */
static inline struct packet *xbar_pop(struct xbar *x, uint32_t out)
{
    struct packet_queue *q = &x->ports[out].out;
    struct packet *p = queue_pop(q);

    if (!q->n)
        x->full[out / 64] &= ~((uint64_t)1 << (out & 63));
    return p;
}

#endif
