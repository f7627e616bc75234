/* lead.c - rings of requests and replies between SMs and memory that works ahead. */
#include "mem/lead.h"

#include <stdlib.h>

/* More than an SM has under way: 64 of each warp, and no less than of 64 warps. */
enum { RING_WARP = 64, RING = 64 * RING_WARP };

int lead_init(struct lead *l, unsigned n_sms, unsigned cycles, unsigned warps,
              struct err *err)
{
    l->cycles = cycles;
    l->n_sms = n_sms;
    l->next_request = UINT64_MAX;
    for (l->size = RING; l->size < RING_WARP * warps;)
        l->size *= 2;
    l->port = calloc(n_sms, sizeof *l->port);
    l->request_at = calloc(n_sms, sizeof *l->request_at);
    if (!l->port || !l->request_at)
        return err_kind(err, ERR_LIMIT, "out of memory for %u SMs", n_sms);
    for (unsigned k = 0; k < n_sms; k++) {
        struct lead_port *p = &l->port[k];

        l->request_at[k] = UINT64_MAX;
        p->data.at = calloc(l->size, sizeof *p->data.at);
        p->inst.at = calloc(l->size, sizeof *p->inst.at);
        p->requests = calloc(l->size, sizeof *p->requests);
        if (!p->data.at || !p->inst.at || !p->requests)
            return err_kind(err, ERR_LIMIT, "out of memory for %u SMs", n_sms);
    }
    return 0;
}

void lead_free(struct lead *l)
{
    for (unsigned k = 0; k < l->n_sms && l->port; k++) {
        free(l->port[k].data.at);
        free(l->port[k].inst.at);
        free(l->port[k].requests);
    }
    free(l->port);
    free(l->request_at);
}

bool lead_push(struct lead *l, const struct mem_request *r, uint64_t cycle)
{
    struct lead_port *p = &l->port[r->sm];
    unsigned mask = l->size - 1, at = p->first + p->n;

    if (p->n == l->size)
        return false;
    /* Behind those of the same cycle; few are for later ones. */
    for (; at != p->first && p->requests[(at - 1) & mask].cycle > cycle; at--)
        p->requests[at & mask] = p->requests[(at - 1) & mask];
    p->requests[at & mask].cycle = cycle;
    p->requests[at & mask].request = *r;
    p->n++;
    if (at != p->first)
        return true;
    l->request_at[r->sm] = cycle;
    if (cycle < l->next_request)
        l->next_request = cycle;
    return true;
}

/* Takes the first of a ring; the cycle of the next one. */
static uint64_t take(const struct lead *l, struct lead_ring *ring, struct mem_reply *r)
{
    *r = ring->at[ring->first].reply;
    ring->first = lead_behind(l, ring->first, --ring->n);
    return ring->n ? ring->at[ring->first].cycle : UINT64_MAX;
}

bool lead_pop_data(struct lead *l, unsigned sm, struct mem_reply *r)
{
    if (l->link[sm].data_at > l->link[sm].now)
        return false;
    l->link[sm].data_at = take(l, &l->port[sm].data, r);
    l->link[sm].n_new = 0;
    l->link[sm].n_waiting--;
    return true;
}

bool lead_pop_inst(struct lead *l, unsigned sm, struct mem_reply *r)
{
    if (l->link[sm].inst_at > l->link[sm].now)
        return false;
    l->link[sm].inst_at = take(l, &l->port[sm].inst, r);
    return true;
}
