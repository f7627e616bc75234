/* lead.c - rings of requests and replies between SMs and memory that works ahead. */
#include "mem/lead.h"

#include <stdlib.h>

enum { RING = 4096 }; /* more than an SM has under way */

int lead_init(struct lead *l, unsigned n_sms, unsigned cycles, struct err *err)
{
    l->cycles = cycles;
    l->n_sms = n_sms;
    l->per_cycle = 4;
    l->next_request = UINT64_MAX;
    l->size = RING;
    l->port = calloc(n_sms, sizeof *l->port);
    for (unsigned k = 0; k < n_sms && l->port; k++) {
        struct lead_port *p = &l->port[k];

        p->data.at = calloc(l->size, sizeof *p->data.at);
        p->inst.at = calloc(l->size, sizeof *p->inst.at);
        p->requests = calloc(l->size, sizeof *p->requests);
        if (!p->data.at || !p->inst.at || !p->requests)
            return err_kind(err, ERR_LIMIT, "out of memory for %u SMs", n_sms);
    }
    return l->port ? 0 : err_kind(err, ERR_LIMIT, "out of memory for %u SMs", n_sms);
}

void lead_free(struct lead *l)
{
    for (unsigned k = 0; k < l->n_sms && l->port; k++) {
        free(l->port[k].data.at);
        free(l->port[k].inst.at);
        free(l->port[k].requests);
    }
    free(l->port);
}

bool lead_push(struct lead *l, const struct mem_request *r)
{
    struct lead_port *p = &l->port[r->sm];

    if (p->n == l->size || p->pushed == l->per_cycle)
        return false;
    p->requests[(p->first + p->n++) & (l->size - 1)] =
        (struct lead_request){ p->now, *r };
    p->pushed++;
    if (p->now < l->next_request)
        l->next_request = p->now;
    return true;
}

bool lead_has(const struct lead_port *p, const struct lead_ring *ring)
{
    return ring->n && ring->at[ring->first].cycle <= p->now;
}

uint64_t lead_reply_at(const struct lead_port *p)
{
    uint64_t data = p->data.n ? p->data.at[p->data.first].cycle : UINT64_MAX;
    uint64_t inst = p->inst.n ? p->inst.at[p->inst.first].cycle : UINT64_MAX;

    return data < inst ? data : inst;
}

bool lead_pop(struct lead *l, unsigned sm, struct lead_ring *ring, struct mem_reply *r)
{
    if (!lead_has(&l->port[sm], ring))
        return false;
    *r = ring->at[ring->first].reply;
    ring->first = (ring->first + 1) & (l->size - 1);
    ring->n--;
    return true;
}
