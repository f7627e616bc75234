/* packet.h - what travels behind the SMs: requests, their parts, replies, and the
 * traffic that L2 makes itself. A fixed pool, named by index; queues are linked through
 * the packets, so no queue has storage of its own.
 */
#ifndef LENO_MEM_PACKET_H
#define LENO_MEM_PACKET_H

#include <stdint.h>

#include "mem/memory.h"

typedef uint32_t packet_id;
enum { NO_PACKET = UINT32_MAX };

/* Kinds beyond enum mem_kind, which only L2 makes. */
enum {
    PACKET_FETCH = MEM_CONST + 1, /* a miss on its way to DRAM and back */
    PACKET_WRITEBACK              /* an evicted line; not answered */
};

struct packet {
    uint64_t addr;    /* of a line */
    uint64_t born;    /* cycle in which it was made */
    uint64_t ready;   /* cycle in which its fixed wait is over */
    packet_id next;   /* in its queue */
    packet_id parent; /* the request this is a part of; NO_PACKET: itself */
    packet_id child;  /* further parts of a request, until L2 has them */
    uint32_t id;      /* the SM's, or the MSHR entry of a fetch */
    uint32_t words;   /* of the line, written in every byte */
    uint32_t row;     /* of DRAM */
    uint16_t sm, slice, channel;
    uint16_t port; /* output of the crossbar it is in */
    uint8_t kind, sectors;
    uint8_t lanes; /* atomics: the most on one word */
    uint8_t parts; /* of a request that are not back yet */
    uint8_t bank;
    uint8_t bursts; /* that DRAM still has to do */
    uint8_t flits;
    uint8_t way;     /* enum l2_way */
    bool is_charged; /* atomics: the slice has spent its time on it */
};

struct packets {
    struct packet *at;
    packet_id free;
    uint32_t n, n_free;
};

struct packet_queue {
    packet_id head, tail;
    uint32_t n;
};

int packets_init(struct packets *p, uint32_t n, struct err *err);
void packets_free(struct packets *p);

/* The caller knows that one is free. */
static inline packet_id packet_take(struct packets *p)
{
    packet_id i = p->free;

    p->free = p->at[i].next;
    p->n_free--;
    return i;
}

static inline void packet_drop(struct packets *p, packet_id i)
{
    p->at[i].next = p->free;
    p->free = i;
    p->n_free++;
}

static inline void queue_init(struct packet_queue *q)
{
    *q = (struct packet_queue){ NO_PACKET, NO_PACKET, 0 };
}

static inline void queue_push(struct packets *p, struct packet_queue *q, packet_id i)
{
    p->at[i].next = NO_PACKET;
    if (q->n++)
        p->at[q->tail].next = i;
    else
        q->head = i;
    q->tail = i;
}

static inline packet_id queue_pop(struct packets *p, struct packet_queue *q)
{
    packet_id i = q->head;

    q->head = p->at[i].next;
    q->n--;
    return i;
}

#endif
