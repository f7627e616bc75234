/* packet.h - what travels behind the SMs: requests, their parts, replies, and the
 * traffic that L2 makes itself. A fixed pool, named by place; queues are linked through
 * the packets, so no queue has storage of its own.
 */
#ifndef LENO_MEM_PACKET_H
#define LENO_MEM_PACKET_H

#include <stdint.h>

#include "mem/memory.h"

typedef uint32_t packet_id; /* where it is in the pool, in bytes: no multiplication */
#define NO_PACKET UINT32_MAX

/* Kinds beyond enum mem_kind, which only L2 makes. */
enum {
    PACKET_FETCH = MEM_CONST + 1, /* a fetch that no request waits for */
    PACKET_WRITEBACK              /* an evicted line; not answered */
};

enum { CYCLE_PARTS = 1024 }; /* for what has a clock of its own */

/* Thousands are in flight, and each is touched a dozen times: it is one line of the
 * host's cache. Cycles are kept as their low 32 bits; no wait is longer than 2^31. */
struct packet {
    _Alignas(64) uint64_t addr; /* of a line */
    uint32_t born;              /* cycle in which it was made */
    uint32_t ready;             /* cycle in which its wait is over */
    packet_id next;             /* in its queue */
    packet_id parent;           /* the request this is a part of; NO_PACKET: itself */
    union {
        packet_id child; /* further parts of a request, until L2 has them */
        uint32_t row;    /* of DRAM, from then on */
    };
    uint32_t id; /* the SM's */
    union {
        uint32_t words; /* of the line, written in every byte; until L2 has it */
        struct {
            uint16_t mshr; /* a miss: its entry in L2 */
            uint8_t fetch; /* sectors it asks DRAM for */
        };
    };
    uint16_t sm, slice;
    uint16_t set; /* of the slice's cache */
    uint8_t kind, sectors;
    union {
        uint8_t lanes; /* atomics: the most on one word */
        uint8_t parts; /* of a parent: that are not back yet */
    };
    uint8_t bank;
    uint8_t flits;       /* of the request that it is or is a part of */
    uint8_t way : 7;     /* enum l2_way */
    bool has_result : 1; /* atomics: the old value is asked for */
};
_Static_assert(sizeof(struct packet) == 64, "packets are to stay small");

/* True if an access to these words of a line is to one. */
static inline bool is_lone(uint32_t words)
{
    return !(words & (words - 1));
}

/* True if a cycle kept in 32 bits has come. */
static inline bool has_come(uint32_t ready, uint64_t now)
{
    return (int32_t)(ready - (uint32_t)now) <= 0;
}

/* The whole of a cycle kept in 32 bits, near now. */
static inline uint64_t whole_cycle(uint32_t ready, uint64_t now)
{
    return now + (uint64_t)(int64_t)(int32_t)(ready - (uint32_t)now);
}

/* Those that are free are a stack, so that the next ones can be hinted at. */
enum { PACKETS_AHEAD = 8 };
struct packets {
    struct packet *pool;
    packet_id *free;
    uint32_t n, n_free;
};

struct packet_queue {
    packet_id head, tail;
    uint32_t n;
};

static inline struct packet *packet_at(const struct packets *p, packet_id i)
{
    return (void *)((char *)p->pool + i);
}

int packets_init(struct packets *p, uint32_t n, struct err *err);
void packets_free(struct packets *p);

/* The caller knows that one is free. */
static inline packet_id packet_take(struct packets *p)
{
    packet_id i = p->free[--p->n_free];

    if (p->n_free >= PACKETS_AHEAD)
        __builtin_prefetch(packet_at(p, p->free[p->n_free - PACKETS_AHEAD]), 1);
    return i;
}

static inline void packet_drop(struct packets *p, packet_id i)
{
    p->free[p->n_free++] = i;
}

static inline void queue_init(struct packet_queue *q)
{
    *q = (struct packet_queue){ NO_PACKET, NO_PACKET, 0 };
}

static inline void queue_push(struct packets *p, struct packet_queue *q, packet_id i)
{
    packet_at(p, i)->next = NO_PACKET;
    if (q->n++)
        packet_at(p, q->tail)->next = i;
    else
        q->head = i;
    q->tail = i;
}

static inline packet_id queue_pop(struct packets *p, struct packet_queue *q)
{
    packet_id i = q->head;

    q->head = packet_at(p, i)->next;
    q->n--;
    return i;
}

/* A hint that the first of a queue, if there is one, will be looked at soon: it may have
 * waited for long. */
static inline void queue_expect(const struct packets *p, const struct packet_queue *q)
{
    if (q->n)
        __builtin_prefetch(packet_at(p, q->head), 1);
}

/* The same for the one behind a packet, which is looked at now. */
static inline void packet_expect_next(const struct packets *p, const struct packet *at)
{
    if (at->next != NO_PACKET)
        __builtin_prefetch(packet_at(p, at->next), 1);
}

/* How many sectors a set of them has. */
static inline uint32_t n_sectors(uint8_t sectors)
{
    return 0x4332322132212110u >> (sectors & 15) * 4 & 15;
}

#endif
