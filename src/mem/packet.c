/* packet.c - the pool of packets. */
#include "mem/packet.h"

#include <stdlib.h>

int packets_init(struct packets *p, uint32_t n, struct err *err)
{
    p->at = calloc(n, sizeof *p->at);
    if (!p->at)
        return err_set(err, "no memory for %u packets", n);
    p->n = p->n_free = n;
    p->free = 0;
    for (uint32_t i = 0; i < n; i++)
        p->at[i].next = i + 1 < n ? i + 1 : NO_PACKET;
    return 0;
}

void packets_free(struct packets *p)
{
    free(p->at);
    p->at = NULL;
}
