/* remote.c - accesses to shared memory of other SMs of the cluster.
 *
 * They leave one after another, at shared.remote_rate, and come back in any order.
 *
 * LIMIT: accesses of several SMs to one SM do not wait for each other, nor for those of that
 * SM itself; every SM of a GPC is as far away as any other.
 */
#include "base/cycles.h"
#include "core/lsu/base.h"

bool lsu_is_remote(const struct lsu *l, const struct uop *u)
{
    struct extent e;

    if (!l->remote.is_used || u->dyn.space != SPACE_SHARED || !u->dyn.mask)
        return false;
    e = addresses_extent(&u->dyn.addr, 0, u->dyn.mask);
    return e.high >> SHARED_OF_OTHERS;
}

uint64_t lsu_remote_ready(struct lsu *l, const struct uop *u, unsigned n,
                          uint64_t cycle)
{
    const struct shared_params *p = &l->c.shared;
    struct lsu_remote *r = &l->remote;
    uint32_t bytes = (uint32_t)__builtin_popcount(u->dyn.mask) * u->dyn.inst->bytes;
    uint64_t *left = &r->left_at[r->next], at;

    if (*left > cycle)
        return 0;
    r->next = (r->next + 1) % p->remote_queue;
    r->sent = later(r->sent, cycle * p->remote_rate) +
              (bytes > SECTOR_BYTES ? bytes : SECTOR_BYTES);
    at = (r->sent + p->remote_rate - 1) / p->remote_rate;
    *left = at;
    return at + lsu_shared_latency(l, u, n) + p->remote_latency +
           (u->dyn.inst->class == CLASS_atomic ? p->remote_atomic : 0);
}
