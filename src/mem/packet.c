/* packet.c - the pool of packets. */
#include "mem/packet.h"

#include <stdlib.h>
#include <string.h>

int packets_init(struct packets *p, uint32_t n, struct err *err)
{
    const packet_id size = sizeof *p->pool;

    if (n > NO_PACKET / size)
        return err_set(err, "%u packets: at most %u", n, NO_PACKET / size);
    p->pool = aligned_alloc(size, (size_t)n * size);
    if (!p->pool)
        return err_set(err, "no memory for %u packets", n);
    memset(p->pool, 0, (size_t)n * size);
    p->n = p->n_free = n;
    p->free = 0;
    for (uint32_t i = 0; i < n; i++)
        p->pool[i].next = i + 1 < n ? (i + 1) * size : NO_PACKET;
    return 0;
}

void packets_free(struct packets *p)
{
    free(p->pool);
    p->pool = NULL;
}
