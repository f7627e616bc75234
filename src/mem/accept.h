/* accept.h - how a request becomes packets as it moves through the crossbar: one, or one
 * per part that L2 handles by itself. (perf: inlined into both forms of memory)
 */
#ifndef LENO_MEM_ACCEPT_H
#define LENO_MEM_ACCEPT_H

#include "mem/memory_internal.h"

/* Splits a request into the parts that L2 handles one by one, as sectors; returns their
 * number. */
static inline unsigned split_request(const struct memory *m, uint8_t sectors,
                                     uint8_t part[LINE_SECTORS])
{
    unsigned n = 0, g = m->l2.granule;

    if (!(sectors & (sectors - 1))) { /* the common case: one sector */
        part[0] = sectors;
        return sectors != 0;
    }
    for (unsigned s = 0; s < LINE_SECTORS; s += g) {
        uint8_t mask = (uint8_t)(((1u << g) - 1) << s);

        if (sectors & mask)
            part[n++] = sectors & mask;
    }
    return n;
}

/* Makes packets for the parts of a request, which becomes their parent; returns the
 * first. */
static inline struct packet *make_parts(struct memory *m, struct packet *whole,
                                        const uint8_t *part, unsigned n)
{
    struct packet *first = NULL;

    for (unsigned i = n; i-- > 0;) {
        struct packet *p = packet_take(&m->packets);

        *p = *whole;
        p->parent = whole;
        p->child = first;
        p->sectors = part[i];
        first = p;
    }
    whole->parts = (uint8_t)n;
    return first;
}

/* at: the spot of its line. Returns its first part. */
static inline struct packet *memory_accept_request(struct memory *m,
                                                   const struct mem_request *r,
                                                   const struct spot *at)
{
    uint8_t part[LINE_SECTORS];
    struct packet *p = packet_take(&m->packets);
    unsigned n = split_request(m, r->sectors, part);

    *p = (struct packet){ .addr = at->line,
                          .born = r->cycle,
                          .id = r->id,
                          .sm = r->sm,
                          .kind = r->kind,
                          .sectors = r->sectors,
                          .words = r->words,
                          .lanes = r->lanes,
                          .has_result = r->has_result,
                          .row = at->row,
                          .set = at->set,
                          .bank = at->bank };
    if (m->requests.holds)
        p->flits = icnt_request_flits(&m->p.icnt, r);
    if (m->l2.n_ways > 1)
        p->way = (uint8_t)l2_way(&m->l2, p, r->sm & 1);
    if (m->hot.row)
        *l2_row_of(&m->l2, p) = r->row;
    m->stats.requests++;
    m->stats.request_flits += m->flits[r->bytes];
    return n > 1 ? make_parts(m, p, part, n) : p;
}

#endif
