/* l1.h - transactions on their way through L1, and its banks. */
#ifndef LENO_CORE_LSU_L1_H
#define LENO_CORE_LSU_L1_H

#include "base/invariant.h"
#include "core/uop.h"
#include "mem/memory.h"

/* Transactions of one instruction to one line that start in the same cycle, each in a
 * bank of its own, as long as nothing delays one of them. */
struct l1_access {
    uint64_t line, ready;
    uint32_t words;
    uop_id uop;
    uint16_t set;
    uint16_t bytes; /* bytes of all sectors; if there are several, whole words only */
    uint16_t more;  /* latency after the lookup (l1.line_quarters) */
    uint8_t sectors;
    bool write : 1, local : 1;
    bool bypasses : 1; /* takes the time of a lookup, which is left out */
    uint8_t lanes;     /* such an atomic: the most lanes on one word */
};
_Static_assert(sizeof(struct l1_access) == 32, "two to a line of the host's cache");

/* Places in the miss queue without which a transaction fails (cache.c): a miss may also
 * send a write-back. */
static inline uint32_t l1_places_needed(const struct l1_access *a)
{
    return a->write || a->bypasses ? 1 : 2;
}

struct lsu;
/* n sectors of an access were looked up with this result. */
void l1_count_lookup(struct lsu *l, const struct l1_access *a, uint8_t result,
                     unsigned n);
/* The same per instruction; call it only with l->hot. */
void l1_count_hot(struct lsu *l, const struct l1_access *a, bool hits, unsigned n);
/* A lookup has failed for this reason: the statistic that counts the cycles. */
uint64_t *l1_fail_counter(struct lsu *l, uint8_t why);

/* A ring; mask is its size, a power of two, less 1. */
struct l1_queue {
    struct l1_access *ring;
    uint32_t head, n, mask;
};

struct l1_bank {
    struct l1_queue held; /* single transactions whose lookup is due */
    uint32_t n;           /* all transactions in it */
    uint8_t why;          /* why the lookup of the first failed (enum cache_fail) ... */
    uint64_t since;       /* ... and in which cycle; 0: it did not fail */
};

static inline struct l1_access *l1_first(const struct l1_queue *q)
{
    return &q->ring[q->head];
}

/* An empty queue starts over (perf: the few places in use stay in the host's
 * caches). */
static inline void l1_drop_first(struct l1_queue *q)
{
    INVARIANT(q->n);
    q->head = --q->n ? (q->head + 1) & q->mask : 0;
}

static inline struct l1_access *l1_add(struct l1_queue *q)
{
    INVARIANT(q->n <= q->mask);
    return &q->ring[(q->head + q->n++) & q->mask];
}

#endif
