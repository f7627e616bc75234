/* mshr.c - outstanding misses and their waiters.
 *
 * A filled entry stays in use until its last waiter has left, but takes no new waiters:
 * its sectors are in the cache by then. GPGPU-Sim's table would still merge into it.
 */
#include "mem/mshr.h"

#include <stdlib.h>

#include "base/sparse.h"

enum { MAX_INDEX = UINT16_MAX };

int mshrs_init(struct mshrs *m, uint32_t entries, uint32_t merges, struct err *err)
{
    uint64_t waiters = (uint64_t)entries * merges;

    *m = (struct mshrs){ .n_entries = entries, .merges = merges, .n_buckets = 1 };
    if (!entries || !merges || entries > MAX_INDEX)
        return err_set(
            err,
            "%u MSHRs for %u requests each: expected 1 to %d MSHRs for at least 1 "
            "request",
            entries, merges, MAX_INDEX);
    m->n_waiters = waiters > MAX_INDEX ? MAX_INDEX : (uint32_t)waiters;
    while (m->n_buckets < entries) /* entries come in fours: the sectors of a line */
        m->n_buckets *= 2;
    m->entry = calloc(entries, sizeof *m->entry);
    m->waiter = sparse_new(m->n_waiters * sizeof *m->waiter);
    m->bucket = malloc(m->n_buckets * sizeof *m->bucket);
    if (!m->entry || !m->waiter || !m->bucket) {
        mshrs_free(m);
        return err_memory(err, "%u MSHRs of %u requests", entries, merges);
    }
    for (uint32_t i = 0; i < m->n_buckets; i++)
        m->bucket[i] = (struct mshr_bucket){ .head = NO_MSHR };
    for (uint32_t i = 0; i < entries; i++)
        m->entry[i].next = (uint16_t)(i + 1 < entries ? i + 1 : NO_MSHR);
    m->waiter[m->n_waiters - 1].next = (uint16_t)(NO_MSHR - m->n_waiters);
    m->ready_head = m->ready_tail = NO_MSHR;
    return 0;
}

void mshrs_free(struct mshrs *m)
{
    free(m->entry);
    sparse_free(m->waiter, m->n_waiters * sizeof *m->waiter);
    free(m->bucket);
    *m = (struct mshrs){ 0 };
}
