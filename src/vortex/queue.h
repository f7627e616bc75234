/* queue.h - instructions by the cycle in which something is to happen to them. */
#ifndef LENO_VORTEX_QUEUE_H
#define LENO_VORTEX_QUEUE_H

#include "core/uop.h"

#define VX_NEVER UINT64_MAX

enum { VX_OUT = 256 }; /* packets a queue can hold; units take no more before that */

struct vx_packet {
    uint64_t at;
    uop_id uop;
};
/* Packets by time. */
struct vx_queue {
    uint64_t at; /* of the first; VX_NEVER: there is none */
    unsigned first, n;
    struct vx_packet p[VX_OUT];
};

static inline void vx_queue_clear(struct vx_queue *q)
{
    q->at = VX_NEVER;
    q->first = q->n = 0;
}

/* Packets leave in the order of time, those of one cycle in the order they came. */
static inline void vx_queue_add(struct vx_queue *q, uop_id uop, uint64_t at)
{
    unsigned n = q->n++;

    for (; n && q->p[(q->first + n - 1) % VX_OUT].at > at; n--)
        q->p[(q->first + n) % VX_OUT] = q->p[(q->first + n - 1) % VX_OUT];
    q->p[(q->first + n) % VX_OUT] = (struct vx_packet){ at, uop };
    q->at = q->p[q->first].at;
}

static inline uint64_t vx_queue_at(const struct vx_queue *q)
{
    return q->at;
}

static inline uop_id vx_queue_pop(struct vx_queue *q)
{
    uop_id id = q->p[q->first].uop;

    uint64_t at;

    q->n--;
    /* An empty queue begins at its start again: it stays in the host's cache. */
    q->first = (q->first + 1) % VX_OUT * (q->n != 0);
    at = q->p[q->first].at;
    q->at = q->n ? at : VX_NEVER;
    return id;
}

#endif
