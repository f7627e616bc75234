/* other.c - accesses of the load/store unit that do not go to L1: shared memory,
 * constants, textures.
 *
 * LIMIT: a texture instruction has a fixed latency; no texture cache is modelled.
 */
#include "base/cycles.h"
#include "base/invariant.h"
#include "core/lsu/results.h"

static void pipe_push(struct fast *l, struct pipe *p, uop_id u, uint64_t ready)
{
    uint32_t at = (p->head + p->n++) % p->limit;

    INVARIANT(p->n <= p->limit && ready > l->base.cycle);
    p->ring[at].ready = ready;
    p->ring[at].uop = u;
    pipes_changed(l);
}

/* A pipe with room now has room later. */
static bool has_room(const struct pipe *p)
{
    return p->n < p->limit;
}

/* The cycle in which the last access of an instruction, made in cycle `at`, is back in
 * its sub-core. The path takes one access in as many cycles as a further access adds to
 * the latency, so results for one sub-core wait for each other. */
static uint64_t way_back(struct fast *l, const struct uop *u, uint64_t at)
{
    uint64_t *free = &l->path_free[u->warp % LSU_SUBCORES];
    uint64_t ready = at + lsu_shared_latency(&l->base, u, l->n_tx);
    uint32_t more = l->base.c.shared.conflict_latency;

    if (more)
        *free = ready = later(ready, *free + (uint64_t)l->n_tx * (1 + more));
    return ready;
}

/* Bank conflicts keep an instruction at the unit; then it enters the pipe, and stores
 * are done. */
bool lsu_access_shared(struct fast *l, struct uop *u)
{
    if (l->latch_is_new) {
        l->n_tx = lsu_count_shared(&l->base, u);
        l->latch_until += l->n_tx - 1;
    }
    if (u->dyn.inst->class != CLASS_store) {
        if (!has_room(&l->shared))
            return false;
        pipe_push(l, &l->shared, u->id, way_back(l, u, l->latch_until));
        return true;
    }
    if (l->base.cycle < l->latch_until)
        return false;
    lsu_part_done(l, u->id);
    return true;
}

/* Lanes exchange values through the crossbar of shared memory. */
bool lsu_access_shuffle(struct fast *l, struct uop *u)
{
    if (!has_room(&l->shared))
        return false;
    pipe_push(l, &l->shared, u->id, l->latch_until + l->base.c.lsu.shuffle_latency);
    return true;
}

void lsu_finish_part_at(struct fast *l, uop_id u, uint64_t cycle)
{
    if (cycle <= l->base.cycle || l->n_late == LSU_LATE) {
        lsu_part_done(l, u);
        return;
    }
    l->late[l->n_late].at = cycle;
    l->late[l->n_late++].uop = u;
}

/* Looks up one line of constants; false: try again. */
static bool constant_line(struct fast *l, struct uop *u, uint64_t line)
{
    struct constant_lookup o;

    if (lsu_misses(l) >= l->base.c.l1.miss_queue)
        return false;
    lsu_look_up_constant(&l->base, u, line, &o);
    if (o.has_failed)
        return false;
    if (o.is_sent)
        *lsu_send(l) = o.request;
    if (!o.waits)
        lsu_finish_part_at(l, u->id, l->base.cycle + o.latency);
    return true;
}

/* Looks up the lines that its lanes touch, one per cycle. */
bool lsu_access_constant(struct fast *l, struct uop *u)
{
    const struct const_params *p = &l->base.c.constant;

    if (p->perfect || !u->dyn.mask) {
        lsu_finish_part_at(l, u->id, l->base.cycle + p->latency - 1);
        return true;
    }
    if (l->latch_is_new) {
        l->n_tx = lsu_make_constants(&l->base, u, l->tx);
        l->tx_at = 0;
    }
    if (!constant_line(l, u, l->tx[l->tx_at].line))
        return false;
    return ++l->tx_at == l->n_tx;
}

bool lsu_access_texture(struct fast *l, struct uop *u)
{
    if (l->base.cycle < l->texture_free || l->texture.n >= l->texture.limit)
        return false;
    l->texture_free = l->base.cycle + l->base.c.lsu.texture_interval;
    pipe_push(l, &l->texture, u->id, l->base.cycle + l->base.c.lsu.texture_latency);
    return true;
}
