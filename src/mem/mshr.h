/* mshr.h - misses outstanding, and who waits for them.
 *
 * Entries are found by line and sectors; each has a bounded list of waiters. A filled
 * entry gives up its waiters one at a time and is free again after the last.
 */
#ifndef LENO_MEM_MSHR_H
#define LENO_MEM_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { NO_MSHR = UINT16_MAX };

/* The first waiter is kept in the entry itself: mostly there is no other. */
struct mshr_entry {
    uint64_t line;
    uint32_t first;      /* waiter */
    uint32_t set, where; /* of the cache: the line's, and its own place or none */
    uint16_t next;       /* in its bucket, among the free, or among the ready */
    uint16_t head, tail; /* further waiters */
    uint16_t n;          /* all waiters */
    uint8_t asked;       /* sectors on their way */
    bool atomic;
    uint16_t age; /* resets of the cache before it */
};
_Static_assert(sizeof(struct mshr_entry) <= 32, "two to a line of the host's cache");

struct mshr_waiter {
    uint32_t id;
    uint16_t next;
};

struct mshrs {
    struct mshr_entry *entry;
    struct mshr_waiter *waiter;
    uint16_t *bucket;
    uint32_t n_entries, merges, n_buckets, n_waiters, n_used;
    uint16_t free_entry, free_waiter;
    uint16_t ready_head, ready_tail; /* filled entries with waiters, in order */
};

/* At most 65535 entries; waiters of all of them are at most 65535 too. */
int mshrs_init(struct mshrs *m, uint32_t entries, uint32_t merges, struct err *err);
void mshrs_free(struct mshrs *m);

/* The entry that brings all of these sectors of the line and is not filled yet. */
uint16_t mshr_find(const struct mshrs *m, uint64_t line, uint8_t sectors);
static inline bool mshr_is_full(const struct mshrs *m)
{
    return m->free_entry == NO_MSHR || m->free_waiter == NO_MSHR;
}
static inline bool mshr_can_merge(const struct mshrs *m, uint16_t e)
{
    return m->entry[e].n < m->merges && m->free_waiter != NO_MSHR;
}
uint16_t mshr_add(struct mshrs *m, uint64_t line, uint32_t set, uint8_t sectors);
void mshr_wait(struct mshrs *m, uint16_t e, uint32_t id);
void mshr_filled(struct mshrs *m, uint16_t e);
uint32_t mshr_next(struct mshrs *m); /* waiter of a filled entry; there is one */

#endif
