/* mshr.c - misses outstanding, and who waits for them.
 *
 * A filled entry is in use until its last waiter has left, but takes no new ones: its
 * sectors are in the cache by then. GPGPU-Sim's table would still merge into it.
 */
#include "mem/mshr.h"

#include <stdlib.h>

enum { MAX_INDEX = UINT16_MAX };

int mshrs_init(struct mshrs *m, uint32_t entries, uint32_t merges, struct err *err)
{
    uint64_t waiters = (uint64_t)entries * merges;

    *m = (struct mshrs){ .n_entries = entries, .merges = merges, .n_buckets = 1 };
    if (!entries || !merges || entries > MAX_INDEX)
        return err_set(err, "%u MSHRs of %u requests: 1 to %d of at least 1", entries,
                       merges, MAX_INDEX);
    m->n_waiters = waiters > MAX_INDEX ? MAX_INDEX : (uint32_t)waiters;
    while (m->n_buckets < 4 * entries) /* most are empty: a miss need look no further */
        m->n_buckets *= 2;
    m->entry = calloc(entries, sizeof *m->entry);
    m->waiter = calloc(m->n_waiters, sizeof *m->waiter);
    m->bucket = malloc(m->n_buckets * sizeof *m->bucket);
    if (!m->entry || !m->waiter || !m->bucket) {
        mshrs_free(m);
        return err_set(err, "no memory for %u MSHRs of %u requests", entries, merges);
    }
    for (uint32_t i = 0; i < m->n_buckets; i++)
        m->bucket[i] = NO_MSHR;
    for (uint32_t i = 0; i < entries; i++)
        m->entry[i].next = (uint16_t)(i + 1 < entries ? i + 1 : NO_MSHR);
    for (uint32_t i = 0; i < m->n_waiters; i++)
        m->waiter[i].next = (uint16_t)(i + 1 < m->n_waiters ? i + 1 : NO_MSHR);
    m->ready_head = m->ready_tail = NO_MSHR;
    return 0;
}

void mshrs_free(struct mshrs *m)
{
    free(m->entry);
    free(m->waiter);
    free(m->bucket);
    *m = (struct mshrs){ 0 };
}

static uint32_t bucket_of(const struct mshrs *m, uint64_t line)
{
    return (uint32_t)(line * 0x9e3779b97f4a7c15u >> 40) & (m->n_buckets - 1);
}

uint16_t mshr_find(const struct mshrs *m, uint64_t line, uint8_t sectors)
{
    uint16_t e = m->bucket[bucket_of(m, line)];

    for (; e != NO_MSHR; e = m->entry[e].next) {
        const struct mshr_entry *entry = &m->entry[e];

        if (entry->line == line && !(sectors & ~entry->asked))
            break;
    }
    return e;
}

uint16_t mshr_add(struct mshrs *m, uint64_t line, uint32_t set, uint8_t sectors)
{
    uint16_t e = m->free_entry;
    uint16_t *bucket = &m->bucket[bucket_of(m, line)];
    struct mshr_entry *entry = &m->entry[e];

    m->free_entry = entry->next;
    *entry = (struct mshr_entry){ .line = line,
                                  .set = set,
                                  .where = UINT32_MAX,
                                  .next = *bucket,
                                  .head = NO_MSHR,
                                  .tail = NO_MSHR,
                                  .asked = sectors };
    *bucket = e;
    m->n_used++;
    return e;
}

void mshr_wait(struct mshrs *m, uint16_t e, uint32_t id)
{
    struct mshr_entry *entry = &m->entry[e];
    uint16_t w = m->free_waiter;

    if (!entry->n++) {
        entry->first = id;
        return;
    }
    m->free_waiter = m->waiter[w].next;
    m->waiter[w] = (struct mshr_waiter){ id, NO_MSHR };
    if (entry->head == NO_MSHR)
        entry->head = w;
    else
        m->waiter[entry->tail].next = w;
    entry->tail = w;
}

static void leave_bucket(struct mshrs *m, uint16_t e)
{
    uint16_t *at = &m->bucket[bucket_of(m, m->entry[e].line)];

    while (*at != e)
        at = &m->entry[*at].next;
    *at = m->entry[e].next;
}

static void release(struct mshrs *m, uint16_t e)
{
    m->entry[e].next = m->free_entry;
    m->free_entry = e;
    m->n_used--;
}

void mshr_filled(struct mshrs *m, uint16_t e)
{
    struct mshr_entry *entry = &m->entry[e];

    leave_bucket(m, e);
    if (!entry->n) {
        release(m, e);
        return;
    }
    entry->next = NO_MSHR;
    if (m->ready_head == NO_MSHR)
        m->ready_head = e;
    else
        m->entry[m->ready_tail].next = e;
    m->ready_tail = e;
}

uint32_t mshr_next(struct mshrs *m)
{
    uint16_t e = m->ready_head, w;
    struct mshr_entry *entry = &m->entry[e];
    uint32_t id = entry->first;

    if (!--entry->n) {
        m->ready_head = entry->next;
        release(m, e);
        return id;
    }
    w = entry->head;
    entry->first = m->waiter[w].id;
    entry->head = m->waiter[w].next;
    m->waiter[w].next = m->free_waiter;
    m->free_waiter = w;
    return id;
}
