/* icnt.h - one direction of the crossbar between SMs and slices of L2.
 *
 * Models the built-in crossbar of Accel-Sim: a queue at each input and output, one
 * packet a cycle through each port, a round-robin pointer at every output (one
 * iteration of iSLIP). A packet at the head of an input holds up those behind it. The
 * owner keeps what waits at inputs, and says where each one's head goes. Accel-Sim's
 * revision of 2024 looks for an input above the pointer, no longer from it on, so that the
 * neighbour of the one served last comes last: islip_skip.
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
enum { XBAR_AHEAD = 128 }; /* cycles in which packets are known before they come */

struct xbar_port {
    struct packet_queue in, out; /* of the input, of the output of this number */
    uint32_t next;               /* output: the input that goes first */
    uint64_t in_free, out_free;  /* cycle in which it may start a packet */
};

/* The head of an input goes through. */
struct xbar_move {
    uint16_t in, out;
};

struct xbar {
    const struct icnt_params *p;
    bool
        holds; /* ports are held for a cycle a flit: icnt.serialise; set by the owner */
    uint32_t n_in, n_out, in_words;
    uint32_t in_limit, out_limit;
    bool is_islip;
    uint32_t step;              /* islip: from the input served to the next */
    uint32_t start;             /* round robin: the input that goes first */
    struct xbar_port *ports;    /* as many as the wider side has */
    uint64_t *want;             /* per output: inputs whose head goes there */
    uint64_t *later;            /* by cycle: inputs whose head comes then */
    uint64_t begun;             /* the last cycle */
    uint64_t due[XBAR_WORDS];   /* inputs whose head may be there from now on */
    uint64_t heads[XBAR_WORDS]; /* outputs that some head wants */
    uint64_t full[XBAR_WORDS];  /* outputs with something to take */
    uint32_t n_packets;         /* in queues of inputs */
    uint32_t n_waiting;         /* inputs whose head is there, ... */
    uint32_t n_later;           /* ... or may be, bits in later */
    uint32_t n_moved;
    uint64_t n_conflicts;
    struct xbar_move moved[XBAR_MAX_PORTS]; /* in the last tick */
};

/* Flits of a packet with so many bytes of data. */
static inline uint32_t icnt_flits(const struct icnt_params *p, uint32_t bytes)
{
    uint32_t n = (bytes + p->header_bytes + p->flit_bytes - 1) / p->flit_bytes;

    return n ? n : 1;
}

uint8_t request_flits(const struct icnt_params *p, const struct mem_request *r);

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

/* Inputs whose head comes in a cycle, or one that is as many later as is looked ahead. */
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

/* A cycle begins: x->due has the inputs that were awaited since the last. False: none. */
bool xbar_begin(struct xbar *x, uint64_t cycle);
/* The next cycle in which an input may have something; UINT64_MAX: nothing is known. */
uint64_t xbar_next(const struct xbar *x);

/* Inputs that are queues of packets. One leaves its source in a cycle to come; those of an
 * input are in order. */
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

/* Chooses who goes through, while anything waits: x->moved. The owner takes them from
 * their inputs, says what comes behind them there, and keeps what cannot go on at once at
 * its output. */
void xbar_tick(struct xbar *x, uint64_t cycle);

/* A packet of so many flits holds its ports from this cycle on. */
static inline void xbar_hold(struct xbar *x, const struct xbar_move *move,
                             uint32_t flits, uint64_t cycle)
{
    x->ports[move->in].in_free = cycle + flits;
    if (x->p->serialise == ICNT_BOTH)
        x->ports[move->out].out_free = cycle + flits;
}

/* From cycle `ready` on the packet may leave its output. */
static inline void xbar_keep(struct xbar *x, uint32_t out, struct packet *p,
                             uint64_t ready)
{
    INVARIANT(x->ports[out].out.n < x->out_limit);
    p->ready = (uint32_t)ready;
    queue_push(&x->ports[out].out, p);
    x->full[out / 64] |= (uint64_t)1 << (out & 63);
}

/* Takes the first packet of an output; there is one. */
static inline struct packet *xbar_pop(struct xbar *x, uint32_t out)
{
    struct packet_queue *q = &x->ports[out].out;
    struct packet *p = queue_pop(q);

    if (!q->n)
        x->full[out / 64] &= ~((uint64_t)1 << (out & 63));
    return p;
}

#endif
