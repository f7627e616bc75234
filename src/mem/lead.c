/* lead.c - rings of requests and replies between SMs and memory. */
#include "mem/lead.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/sparse.h"

/* More than an SM usually has in flight: 64 per warp, and at least enough for 64 warps. */
enum { RING_WARP = 64, RING = 64 * RING_WARP };

static int out_of_memory(const struct lead *l, struct err *err)
{
    return err_memory(err, "%u SMs", l->n_sms);
}

static void free_requests(struct lead_port *p)
{
    sparse_free(p->requests, p->size * sizeof *p->requests);
    sparse_free(p->cycles, p->size * sizeof *p->cycles);
}

/* A ring of another size for a port, with what it holds. */
static int new_ring(struct lead_port *p, unsigned size, struct err *err)
{
    struct lead_port was = *p;

    p->first = 0;
    p->size = size;
    p->requests = sparse_new(size * sizeof *p->requests);
    p->cycles = sparse_new(size * sizeof *p->cycles);
    if (!p->requests || !p->cycles) {
        free_requests(p);
        *p = was;
        return err_memory(err, "%u requests of an SM", size);
    }
    for (unsigned i = 0; i < p->n; i++) {
        p->requests[i] = was.requests[(was.first + i) & (was.size - 1)];
        p->cycles[i] = was.cycles[(was.first + i) & (was.size - 1)];
    }
    free_requests(&was);
    return 0;
}

static int new_requests(struct lead *l, unsigned size, struct err *err)
{
    for (unsigned i = 0; i < l->n_sms; i++)
        if (new_ring(&l->port[i], 1u << bits_for(size), err))
            return -1;
    return 0;
}

int lead_grow(struct lead_port *p, struct err *err)
{
    return new_ring(p, 2 * p->size, err);
}

int lead_init(struct lead *l, unsigned n_sms, unsigned size, struct err *err)
{
    l->n_sms = n_sms;
    l->port = aligned_alloc(_Alignof(struct lead_port), n_sms * sizeof *l->port);
    if (l->port)
        memset(l->port, 0, n_sms * sizeof *l->port);
    return l->port ? new_requests(l, size, err) : out_of_memory(l, err);
}

int lead_start(struct lead *l, struct memory_link *link, unsigned cycles,
               unsigned warps, struct err *err)
{
    unsigned size = RING_WARP * warps;

    if (new_requests(l, size > RING ? size : RING, err) < 0)
        return -1;
    l->cycles = cycles;
    l->links = l->port->size;
    l->link = link;
    for (unsigned i = 0; i < l->n_sms; i++) {
        link[i].data.at = sparse_new(l->links * sizeof *link[i].data.at);
        link[i].inst.at = sparse_new(l->links * sizeof *link[i].inst.at);
        if (!link[i].data.at || !link[i].inst.at)
            return out_of_memory(l, err);
    }
    return 0;
}

void lead_free(struct lead *l)
{
    for (unsigned k = 0; k < l->n_sms && l->port; k++)
        free_requests(&l->port[k]);
    for (unsigned k = 0; k < l->n_sms && l->link; k++) {
        sparse_free(l->link[k].data.at, l->links * sizeof *l->link[k].data.at);
        sparse_free(l->link[k].inst.at, l->links * sizeof *l->link[k].inst.at);
    }
    free(l->port);
}
