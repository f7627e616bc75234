/* packet.c - the pool of packets. */
#include "mem/packet.h"

#include <stdlib.h>

#include "base/team.h"

int packets_init(struct packets *p, uint32_t n, struct err *err)
{
    const packet_id size = sizeof *p->pool;

    if (n > UINT32_MAX / size)
        return err_set(
            err,
            "the memory system needs %u packets, at most %u are supported: use "
            "shorter queues",
            n, UINT32_MAX / size);
    p->pool = aligned_alloc(size, (size_t)n * size);
    p->free = calloc(n, sizeof *p->free);
    if (!p->pool || !p->free)
        return err_memory(err, "%u packets", n);
    p->n = p->n_free = n;
    for (uint32_t i = 0; i < n; i++)
        p->free[i] = &p->pool[n - 1 - i];
    return 0;
}

void packets_free(struct packets *p)
{
    free(p->pool);
    free(p->free);
    p->pool = NULL;
    p->free = NULL;
}

void packets_take_more(struct packets *p)
{
    enum { BATCH = 16 };
    struct packets *from = p->source;

    INVARIANT(from);
    team_lock(p->lock);
    for (unsigned k = 0; k < BATCH && from->n_free; k++)
        p->free[p->n_free++] = from->free[--from->n_free];
    team_unlock(p->lock);
}
