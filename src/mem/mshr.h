/* mshr.h - outstanding misses and their waiters.
 *
 * Entries are found by line and sectors; each has a bounded list of waiters. A filled
 * entry returns its waiters one at a time and is free again after the last.
 */
#ifndef LENO_MEM_MSHR_H
#define LENO_MEM_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hint.h"
#include "base/invariant.h"

enum { NO_MSHR = UINT16_MAX };

/* An outstanding miss. The first waiter is in the entry itself: usually there is no
 * other. */
struct mshr_entry {
    uint64_t line;
    uint32_t first; /* waiter */
    uint32_t where; /* line reserved in the cache, or none */
    uint16_t set;   /* set of the line in the cache */
    uint16_t next,
        prev; /* in its bucket; next: also in the free list or the ready list */
    uint16_t head, tail; /* further waiters */
    uint16_t n;          /* number of waiters */
    uint8_t asked;       /* sectors being fetched */
    bool atomic;
    uint16_t age; /* cache resets before it was made */
};
_Static_assert(sizeof(struct mshr_entry) <= 32, "two to a line of the host's cache");

/* next: in the list of its entry, or free: then counted from the waiter after it, so that
 * those never used are all zero and take none of the host's memory. */
struct mshr_waiter {
    uint32_t id;
    uint16_t next;
};

/* Entries with the same hash. Most misses are for sectors that no entry has asked for,
 * which the bucket can tell. */
struct mshr_bucket {
    uint16_t head;
    uint8_t asked; /* sectors that entries have asked for since it was last empty */
};

struct mshrs {
    struct mshr_entry *entry;
    struct mshr_waiter *waiter;
    struct mshr_bucket *bucket;
    uint32_t n_entries, merges, n_buckets, n_waiters, n_used;
    uint16_t free_entry, free_waiter;
    uint16_t ready_head, ready_tail; /* filled entries with waiters, in order */
};

/* At most 65535 entries, with at most 65535 waiters in total. */
int mshrs_init(struct mshrs *m, uint32_t entries, uint32_t merges, struct err *err);
void mshrs_free(struct mshrs *m);

static inline bool mshr_is_full(const struct mshrs *m)
{
    return m->free_entry == NO_MSHR || m->free_waiter == NO_MSHR;
}
static inline bool mshr_can_merge(const struct mshrs *m, uint16_t e)
{
    return m->entry[e].n < m->merges && m->free_waiter != NO_MSHR;
}

/* These functions are short and every miss uses them (perf: inlined). */

static inline struct mshr_bucket *mshr_bucket(const struct mshrs *m, uint64_t line)
{
    uint32_t h = (uint32_t)(line * 0x9e3779b97f4a7c15u >> 40);

    return &m->bucket[h & (m->n_buckets - 1)];
}

/* (perf) Prefetches on the host for a mshr_find() that comes soon. */
HINT void mshr_expect(const struct mshrs *m, uint64_t line)
{
    __builtin_prefetch(mshr_bucket(m, line));
}

/* The entry that fetches all of these sectors of the line and is not filled yet. */
static inline uint16_t mshr_find(const struct mshrs *m, uint64_t line, uint8_t sectors)
{
    const struct mshr_bucket *b = mshr_bucket(m, line);
    uint16_t e = b->head;

    if (sectors & ~b->asked)
        return NO_MSHR;
    for (; e != NO_MSHR; e = m->entry[e].next) {
        const struct mshr_entry *entry = &m->entry[e];

        if (entry->line == line && !(sectors & ~entry->asked))
            break;
    }
    return e;
}

static inline uint16_t mshr_add(struct mshrs *m, uint64_t line, uint32_t set,
                                uint8_t sectors)
{
    uint16_t e = m->free_entry;
    struct mshr_bucket *b = mshr_bucket(m, line);
    struct mshr_entry *entry = &m->entry[e];

    INVARIANT(e != NO_MSHR && m->n_used < m->n_entries);
    m->free_entry = entry->next;
    if (m->free_entry != NO_MSHR) /* perf: it is used next, and has been idle */
        __builtin_prefetch(&m->entry[m->free_entry], 1);
    if (b->head != NO_MSHR)
        m->entry[b->head].prev = e;
    *entry = (struct mshr_entry){ .line = line,
                                  .where = UINT32_MAX,
                                  .set = (uint16_t)set,
                                  .next = b->head,
                                  .prev = NO_MSHR,
                                  .head = NO_MSHR,
                                  .tail = NO_MSHR,
                                  .asked = sectors };
    b->head = e;
    b->asked |= sectors;
    m->n_used++;
    return e;
}

static inline void mshr_wait(struct mshrs *m, uint16_t e, uint32_t id)
{
    struct mshr_entry *entry = &m->entry[e];
    uint16_t w = m->free_waiter;

    INVARIANT(entry->n < m->merges && (!entry->n || w != NO_MSHR));
    if (!entry->n++) {
        entry->first = id;
        return;
    }
    m->free_waiter = (uint16_t)(m->waiter[w].next + w + 1);
    m->waiter[w] = (struct mshr_waiter){ id, NO_MSHR };
    if (entry->head == NO_MSHR)
        entry->head = w;
    else
        m->waiter[entry->tail].next = w;
    entry->tail = w;
}

static inline void mshr_leave(struct mshrs *m, uint16_t e)
{
    const struct mshr_entry *entry = &m->entry[e];
    struct mshr_bucket *b;

    INVARIANT(entry->prev == NO_MSHR || m->entry[entry->prev].next == e);
    if (entry->prev != NO_MSHR) {
        m->entry[entry->prev].next = entry->next;
    } else {
        b = mshr_bucket(m, entry->line);
        b->head = entry->next;
        b->asked = entry->next == NO_MSHR ? 0 : b->asked;
    }
    if (entry->next != NO_MSHR)
        m->entry[entry->next].prev = entry->prev;
}

static inline void mshr_release(struct mshrs *m, uint16_t e)
{
    INVARIANT(m->n_used && !m->entry[e].n);
    m->entry[e].next = m->free_entry;
    m->free_entry = e;
    m->n_used--;
}

static inline void mshr_filled(struct mshrs *m, uint16_t e)
{
    struct mshr_entry *entry = &m->entry[e];

    mshr_leave(m, e);
    if (!entry->n) {
        mshr_release(m, e);
        return;
    }
    entry->next = NO_MSHR;
    if (m->ready_head == NO_MSHR)
        m->ready_head = e;
    else
        m->entry[m->ready_tail].next = e;
    m->ready_tail = e;
}

/* A waiter of a filled entry; there must be one. */
static inline uint32_t mshr_next(struct mshrs *m)
{
    uint16_t e = m->ready_head, w;
    struct mshr_entry *entry = &m->entry[e];
    uint32_t id = entry->first;

    INVARIANT(e != NO_MSHR && entry->n);
    if (!--entry->n) {
        m->ready_head = entry->next;
        mshr_release(m, e);
        return id;
    }
    w = entry->head;
    entry->first = m->waiter[w].id;
    entry->head = m->waiter[w].next;
    m->waiter[w].next = (uint16_t)(m->free_waiter - w - 1);
    m->free_waiter = w;
    return id;
}

#endif
