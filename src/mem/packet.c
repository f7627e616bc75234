/* packet.c - the pool of packets. */
#include "mem/packet.h"

#include "base/sparse.h"
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
    p->n = p->n_free = n;
    p->pool = sparse_new((size_t)n * size);
    p->free = sparse_new(n * sizeof *p->free);
    return p->pool && p->free ? 0 : err_memory(err, "%u packets", n);
}

void packets_free(struct packets *p)
{
    sparse_free(p->pool, p->n * sizeof *p->pool);
    sparse_free(p->free, p->n * sizeof *p->free);
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
        p->free[p->n_free++] = packets_pop(from);
    team_unlock(p->lock);
}
