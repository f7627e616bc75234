/* lead.c - rings of requests and replies between SMs and memory. */
#include "mem/lead.h"

#include <stdlib.h>

/* More than an SM has in flight: 64 per warp, and at least enough for 64 warps. */
enum { RING_WARP = 64, RING = 64 * RING_WARP };

static int out_of_memory(const struct lead *l, struct err *err)
{
    return err_memory(err, "%u SMs", l->n_sms);
}

static int new_requests(struct lead *l, unsigned size, struct err *err)
{
    for (l->size = 1; l->size < size;)
        l->size *= 2;
    for (unsigned i = 0; i < l->n_sms; i++) {
        struct lead_port *p = &l->port[i];

        free(p->requests);
        free(p->cycles);
        p->requests = calloc(l->size, sizeof *p->requests);
        p->cycles = calloc(l->size, sizeof *p->cycles);
        if (!p->requests || !p->cycles)
            return out_of_memory(l, err);
    }
    return 0;
}

int lead_init(struct lead *l, unsigned n_sms, unsigned size, struct err *err)
{
    l->n_sms = n_sms;
    l->port = calloc(n_sms, sizeof *l->port);
    return l->port ? new_requests(l, size, err) : out_of_memory(l, err);
}

int lead_start(struct lead *l, struct memory_link *link, unsigned cycles,
               unsigned warps, struct err *err)
{
    unsigned size = RING_WARP * warps;

    if (new_requests(l, size > RING ? size : RING, err) < 0)
        return -1;
    l->cycles = cycles;
    l->link = link;
    for (unsigned i = 0; i < l->n_sms; i++) {
        link[i].data.at = calloc(l->size, sizeof *link[i].data.at);
        link[i].inst.at = calloc(l->size, sizeof *link[i].inst.at);
        if (!link[i].data.at || !link[i].inst.at)
            return out_of_memory(l, err);
    }
    return 0;
}

void lead_free(struct lead *l)
{
    for (unsigned k = 0; k < l->n_sms && l->port; k++) {
        free(l->port[k].requests);
        free(l->port[k].cycles);
    }
    for (unsigned k = 0; k < l->n_sms && l->link; k++) {
        free(l->link[k].data.at);
        free(l->link[k].inst.at);
    }
    free(l->port);
}
