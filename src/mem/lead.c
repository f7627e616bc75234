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
        p->data.next = p->inst.next = UINT64_MAX;
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

bool lead_send(struct lead *l, uint64_t cycle, unsigned sm, const struct packet *p)
{
    struct lead_port *port = &l->port[sm];
    struct lead_ring *ring = p->kind == MEM_INST ? &port->inst : &port->data;

    if (ring->n == l->size)
        return false;
    if (!ring->n)
        ring->next = cycle + l->cycles;
    ring->at[(ring->first + ring->n++) & (l->size - 1)] = (struct lead_reply){
        cycle + l->cycles,
        { .id = p->id, .sm = p->sm, .kind = p->kind, .sectors = p->sectors }
    };
    return true;
}

bool lead_pop(struct lead *l, unsigned sm, struct lead_ring *ring, struct mem_reply *r)
{
    if (!lead_has(&l->port[sm], ring))
        return false;
    *r = ring->at[ring->first].reply;
    ring->first = (ring->first + 1) & (l->size - 1);
    ring->next = --ring->n ? ring->at[ring->first].cycle : UINT64_MAX;
    return true;
}
