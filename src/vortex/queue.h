/* queue.h - registers between stages, and queues of instructions by cycle. */
#ifndef LENO_VORTEX_QUEUE_H
#define LENO_VORTEX_QUEUE_H

#include "base/agenda.h"
#include "base/invariant.h"
#include "core/uop.h"

enum { VX_OUT = 256 }; /* capacity; units stop taking instructions before that */

/* A register that holds an instruction. */
struct vx_latch {
    uop_id uop;       /* NO_UOP: empty */
    uint64_t at;      /* valid from this cycle */
    uint64_t free_at; /* takes another from this cycle on */
};

struct vx_packet {
    uint64_t at;
    uop_id uop;
};
/* Packets by time. */
struct vx_queue {
    uint64_t at;   /* the first one's cycle; NEVER: there is none */
    uint64_t last; /* the last one's; if empty, a cycle that has passed */
    unsigned first, n;
    struct vx_packet p[VX_OUT];
};

/* Inserts a packet before those of a cycle and of later ones, of which the last is one. */
static inline void vx_queue_insert(struct vx_queue *q, struct vx_packet p,
                                   uint64_t before)
{
    unsigned n = q->n++;

    for (; n && q->p[(q->first + n - 1) % VX_OUT].at >= before; n--)
        q->p[(q->first + n) % VX_OUT] = q->p[(q->first + n - 1) % VX_OUT];
    q->p[(q->first + n) % VX_OUT] = p;
}

/* Packets leave in the order of their cycles; of one cycle those that go first, then the
 * others in the order of adding. */
static inline void vx_queue_add_by(struct vx_queue *q, uop_id uop, uint64_t at,
                                   bool goes_first)
{
    struct vx_packet p = { at, uop };

    INVARIANT(q->n < VX_OUT);
    q->at = earlier(q->at, at);
    if (at < q->last + goes_first && q->n) {
        vx_queue_insert(q, p, at + !goes_first);
        return;
    }
    q->p[(q->first + q->n++) % VX_OUT] = p;
    q->last = at;
}

static inline void vx_queue_add(struct vx_queue *q, uop_id uop, uint64_t at)
{
    vx_queue_add_by(q, uop, at, false);
}

static inline uop_id vx_queue_pop(struct vx_queue *q)
{
    uop_id id = q->p[q->first].uop;
    uint64_t at;

    INVARIANT(q->n && q->at == q->p[q->first].at);
    q->n--;
    /* perf: an empty queue starts at place 0 again and stays in the host's cache. */
    q->first = (q->first + 1) % VX_OUT * (q->n != 0);
    at = q->p[q->first].at;
    q->at = q->n ? at : NEVER;
    return id;
}

#endif
