/* other.c - accesses of the load/store unit that do not go to L1: shared memory,
 * constants, textures.
 *
 * LIMIT: a texture instruction has a fixed latency; no texture cache is modelled.
 */
#include "base/cycles.h"
#include "base/invariant.h"
#include "core/lsu/results.h"

static void pipe_push(struct lsu_fast *l, struct pipe *p, uop_id u, uint64_t ready)
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
static uint64_t way_back(struct lsu_fast *l, const struct uop *u, uint64_t at)
{
    uint64_t *free = &l->pipes.path_free[u->warp % LSU_SUBCORES];
    uint64_t ready = at + lsu_shared_latency(&l->base, u, l->latch.n);
    uint32_t more = l->base.c.shared.conflict_latency;

    if (more)
        *free = ready = later(ready, *free + (uint64_t)l->latch.n * (1 + more));
    return ready;
}

/* An access of another SM's shared memory leaves in the present cycle, if there is room. */
static struct progress access_remote(struct lsu_fast *l, const struct uop *u,
                                     uint64_t cycle)
{
    uint64_t ready;

    if (l->base.cycle < cycle)
        return stays(cycle);
    ready = lsu_remote_ready(&l->base, u, l->latch.n, cycle);
    if (!ready)
        return stays(cycle);
    lsu_fast_end_part_late(l, u->id, ready);
    return has_gone(cycle);
}

/* Bank conflicts keep an instruction at the unit; then it enters the pipe, and stores
 * are done. */
struct progress lsu_fast_access_shared(struct lsu_fast *l, struct uop *u,
                                       uint64_t cycle)
{
    if (l->latch.is_new) {
        l->latch.n = lsu_count_shared(&l->base, u);
        cycle += l->latch.n - 1;
    }
    if (l->base.remote.is_used && lsu_is_remote(&l->base, u))
        return access_remote(l, u, cycle);
    if (u->dyn.inst->class != CLASS_store) {
        if (!has_room(&l->pipes.shared))
            return stays(cycle);
        pipe_push(l, &l->pipes.shared, u->id, way_back(l, u, cycle));
        return has_gone(cycle);
    }
    if (l->base.cycle < cycle)
        return stays(cycle);
    lsu_fast_end_part(l, u->id);
    return has_gone(cycle);
}

/* Lanes exchange values through the crossbar of shared memory. */
struct progress lsu_fast_access_shuffle(struct lsu_fast *l, struct uop *u,
                                        uint64_t cycle)
{
    if (!has_room(&l->pipes.shared))
        return stays(cycle);
    pipe_push(l, &l->pipes.shared, u->id, cycle + l->base.c.lsu.shuffle_latency);
    return has_gone(cycle);
}

/* Looks up one line of constants; false: try again. */
static bool constant_line(struct lsu_fast *l, struct uop *u, uint64_t line)
{
    struct constant_lookup o;

    if (lsu_fast_count_misses(l) >= l->base.c.l1.miss_queue)
        return false;
    lsu_look_up_constant(&l->base, u, line, &o);
    if (o.has_failed)
        return false;
    if (o.is_sent)
        *lsu_fast_place_miss(l) = o.request;
    if (!o.waits)
        lsu_fast_end_part_late(l, u->id, l->base.cycle + o.latency);
    return true;
}

/* Looks up the lines that its lanes touch, one per cycle, after the cycles that different
 * addresses take. */
struct progress lsu_fast_access_constant(struct lsu_fast *l, struct uop *u,
                                         uint64_t cycle)
{
    const struct const_params *p = &l->base.c.constant;

    if (l->base.cycle < cycle)
        return stays(cycle);
    if (p->perfect || !u->dyn.mask) {
        lsu_fast_end_part_late(l, u->id, cycle + p->latency - 1);
        return has_gone(cycle);
    }
    if (!constant_line(l, u, l->store.tx[l->latch.gone].line))
        return stays(cycle);
    return ++l->latch.gone == l->latch.n ? has_gone(cycle) : stays(cycle);
}

struct progress lsu_fast_access_texture(struct lsu_fast *l, struct uop *u,
                                        uint64_t cycle)
{
    INVARIANT(cycle == l->base.cycle);
    if (cycle < l->pipes.texture_free || l->pipes.texture.n >= l->pipes.texture.limit)
        return stays(cycle);
    l->pipes.texture_free = cycle + l->base.c.lsu.texture_interval;
    pipe_push(l, &l->pipes.texture, u->id, cycle + l->base.c.lsu.texture_latency);
    return has_gone(cycle);
}
