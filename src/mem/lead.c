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
    l->per_cycle = 4;
    l->next_request = UINT64_MAX;
    for (l->size = RING; l->size < RING_WARP * warps;)
        l->size *= 2;
    l->port = calloc(n_sms, sizeof *l->port);
    l->request_at = calloc(n_sms, sizeof *l->request_at);
    if (!l->port || !l->request_at)
        return err_kind(err, ERR_LIMIT, "out of memory for %u SMs", n_sms);
    for (unsigned i = 0; i < n_sms; i++) {
        struct lead_port *p = &l->port[i];
        struct memory_link *k = &l->link[i];

        l->request_at[i] = UINT64_MAX;
        k->data.at = calloc(l->size, sizeof *k->data.at);
        k->inst.at = calloc(l->size, sizeof *k->inst.at);
        p->requests = calloc(l->size, sizeof *p->requests);
        if (!k->data.at || !k->inst.at || !p->requests)
            return err_kind(err, ERR_LIMIT, "out of memory for %u SMs", n_sms);
    }
    return 0;
}

void lead_free(struct lead *l)
{
    for (unsigned k = 0; k < l->n_sms && l->port; k++) {
        free(l->link[k].data.at);
        free(l->link[k].inst.at);
        free(l->port[k].requests);
    }
    free(l->port);
    free(l->request_at);
}

bool lead_push(struct lead *l, const struct mem_request *r)
{
    struct lead_port *p = &l->port[r->sm];
    struct memory_link *link = &l->link[r->sm];
    struct lead_request *at;

    if (p->n == l->size || link->pushed == l->per_cycle)
        return false;
    at = &p->requests[(p->first + p->n) & (l->size - 1)];
    at->cycle = link->now;
    at->request = *r;
    link->pushed++;
    if (p->n++)
        return true;
    l->request_at[r->sm] = link->now;
    if (link->now < l->next_request)
        l->next_request = link->now;
    return true;
}
