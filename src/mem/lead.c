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
    for (unsigned i = 0; i < n_sms; i++) {
        struct lead_port *p = &l->port[i];
        struct memory_link *k = &l->link[i];

        l->request_at[i] = UINT64_MAX;
        k->data.at = calloc(l->size, sizeof *k->data.at);
        k->inst.at = calloc(l->size, sizeof *k->inst.at);
        p->requests = calloc(l->size, sizeof *p->requests);
        p->cycles = calloc(l->size, sizeof *p->cycles);
        if (!k->data.at || !k->inst.at || !p->requests || !p->cycles)
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
        free(l->port[k].cycles);
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
    for (; at != p->first && p->cycles[(at - 1) & mask] > cycle; at--) {
        p->cycles[at & mask] = p->cycles[(at - 1) & mask];
        p->requests[at & mask] = p->requests[(at - 1) & mask];
    }
    p->cycles[at & mask] = cycle;
    p->requests[at & mask] = *r;
    __builtin_prefetch(&p->requests[(at + LEAD_AHEAD) & mask], 1);
    p->n++;
    l->n_requests++;
    if (at != p->first)
        return true;
    l->request_at[r->sm] = cycle;
    if (cycle < l->next_request)
        l->next_request = cycle;
    return true;
}
