/* packet.h - packets of the memory system: requests, their parts, replies, and the
 * traffic that L2 makes itself. They come from a fixed pool; queues are linked through
 * them, so no queue has storage of its own.
 */
#ifndef LENO_MEM_PACKET_H
#define LENO_MEM_PACKET_H

#include <stdint.h>

#include "base/hint.h"
#include "base/invariant.h"
#include "mem/memory.h"

/* Position of a packet in the pool in bytes, for compact storage. */
typedef uint32_t packet_id;

/* Kinds beyond enum mem_kind that only L2 makes. */
enum {
    PACKET_FETCH = MEM_CONST + 1, /* a fetch that no request waits for */
    PACKET_WRITEBACK              /* an evicted line; not answered */
};

enum { CYCLE_PARTS = 1024 }; /* for units with a clock of their own */

/* One packet. Cycles are kept as their low 32 bits; no wait is longer than 2^31. (perf:
 * thousands are in flight, so a packet is one host cache line, and fields copied from
 * requests and to replies have the same layout as there) */
struct packet {
    _Alignas(64) uint64_t addr; /* address of a line */
    uint32_t born;              /* cycle in which the request was made */
    uint32_t ready;             /* cycle in which its wait is over */
    struct packet *next;        /* in its queue */
    struct packet *parent;      /* the request that this is a part of; NULL: itself */
    union {
        struct packet *child; /* further parts of a request, until L2 takes them; ... */
        struct {              /* ... after that, for the next packet in the queue: */
            uint32_t next_ready; /* end of its wait */
            uint16_t next_set;
        };
    };
    uint32_t id; /* the SM's id of the request */
    uint16_t sm;
    uint8_t kind, sectors;
    union {
        /* words of the line that are written completely, until L2 takes it */
        uint32_t words;
        struct {
            uint16_t mshr; /* a miss: its entry in L2 */
            uint8_t fetch; /* sectors it fetches from DRAM */
        };
    };
    union {
        uint8_t lanes; /* atomics: the most lanes on one word */
        uint8_t parts; /* parent: parts that have not come back */
    };
    bool has_result; /* atomics: the old value is wanted */
    uint8_t way;     /* enum l2_way */
    uint8_t flits;   /* flits of the request that it is, or is a part of */
    uint32_t row;    /* DRAM row */
    uint16_t set;    /* set of the slice's cache */
    uint8_t bank;
};
_Static_assert(sizeof(struct packet) == 64, "packets are to stay small");

/* True if the access is to a single word of the line. */
static inline bool is_single_word(uint32_t words)
{
    return !(words & (words - 1));
}

/* True if a cycle kept in 32 bits has been reached. */
static inline bool cycle_has_come(uint32_t ready, uint64_t now)
{
    return (int32_t)(ready - (uint32_t)now) <= 0;
}

/* The full value of a cycle kept in 32 bits, near now. */
static inline uint64_t cycle_from_low(uint32_t ready, uint64_t now)
{
    return now + (uint64_t)(int64_t)(int32_t)(ready - (uint32_t)now);
}

/* Free packets form a stack (perf: so that the next ones can be prefetched). NULL: a packet
 * that was never used; such places of pool and stack take none of the host's memory. */
enum { PACKETS_AHEAD = 8 };
struct team_lock;
struct packets {
    struct packet *pool;
    struct packet **free;
    uint32_t n, n_free;
    /* one thread's share (lanes.h): where it takes more from; NULL: it is all there is */
    struct packets *source;
    struct team_lock *lock;
};
void packets_take_more(struct packets *p);

struct packet_queue {
    struct packet *head, *tail;
    uint32_t n;
};

static inline struct packet *packet_at(const struct packets *p, packet_id i)
{
    return (void *)((char *)p->pool + i);
}
static inline packet_id packet_place(const struct packets *p, const struct packet *at)
{
    return (packet_id)((const char *)at - (const char *)p->pool);
}

/* (perf) Prefetches a packet, if there is one, that is used soon. */
HINT void packet_expect(const struct packets *p, packet_id i)
{
    __builtin_prefetch((const char *)p->pool + i, 1);
}

static inline struct packet *packets_pop(struct packets *p)
{
    struct packet *at = p->free[--p->n_free];

    return at ? at : &p->pool[p->n - 1 - p->n_free];
}

int packets_init(struct packets *p, uint32_t n, struct err *err);
void packets_free(struct packets *p);

/* Takes a free packet; there must be one. */
static inline struct packet *packet_take(struct packets *p)
{
    struct packet *at;

    if (!p->n_free)
        packets_take_more(p);
    at = packets_pop(p);
    INVARIANT(p->n_free < p->n); /* one was free */
    if (p->n_free >= PACKETS_AHEAD)
        __builtin_prefetch(p->free[p->n_free - PACKETS_AHEAD], 1);
    return at;
}

static inline void packet_drop(struct packets *p, struct packet *at)
{
    INVARIANT(p->n_free < p->n);
    p->free[p->n_free++] = at;
}

static inline void queue_push(struct packet_queue *q, struct packet *p)
{
    INVARIANT(!q->n || (q->tail != p && !q->tail->next));
    p->next = NULL;
    if (q->n++)
        q->tail->next = p;
    else
        q->head = p;
    q->tail = p;
}

static inline struct packet *queue_pop(struct packet_queue *q)
{
    struct packet *p = q->head;

    INVARIANT(q->n && (q->n > 1 || p == q->tail));
    q->head = p->next;
    q->n--;
    return p;
}

/* (perf) Prefetches the first packet of a queue, if any: it may have waited for
 * long. */
HINT void queue_expect(const struct packet_queue *q)
{
    if (q->n)
        __builtin_prefetch(q->head, 1);
}

/* The number of sectors in a set. */
static inline uint32_t n_sectors(uint8_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors & 15u);
}

#endif
