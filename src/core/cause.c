/* cause.c - the stall reason of a warp that offers nothing.
 *
 * Stalls on registers are named here, from the producers: a scheme tells only which
 * instruction waits. If the scheme renames, the versions that the instruction needs are
 * looked up (check/check.c); otherwise the registers that it names (pending.h).
 */
#include "core/stages.h"

static enum stall cause_of_version(const struct version_bits *v, uint64_t bit)
{
    if (v->far & bit)
        return STALL_memory;
    return v->near & bit ? STALL_shared : STALL_compute;
}

/* The worse of two reasons: memory before shared memory before arithmetic. */
static enum stall cause_worse(enum stall a, enum stall b)
{
    if (a == STALL_memory || b == STALL_memory)
        return STALL_memory;
    return a == STALL_shared || b == STALL_shared ? STALL_shared : STALL_compute;
}

/* With renaming: the reason among the versions that it needs and that have a pending
 * write. */
static enum stall cause_of_sources(const struct sm *s, const struct uop *u)
{
    const struct reglist *l = &u->dyn.inst->list;
    unsigned n = l->n_reads + (u->partial ? l->n_writes : 0u);
    enum stall cause = STALL_scheme;

    for (unsigned k = 0; k < n; k++) {
        const struct version_bits *v =
            check_version_bits(&s->check, u->warp, u->source[k]);
        uint64_t bit = bit64(u->source[k] % 64);

        if (u->source[k] == u->version || !(v->pending & bit))
            continue;
        cause = cause == STALL_scheme ? cause_of_version(v, bit)
                                      : cause_worse(cause, cause_of_version(v, bit));
    }
    return l->is_whole ? cause : STALL_compute; /* it waits for anything older */
}

enum stall cause_of_offer(const struct sm *s, const struct offer *o)
{
    if (scheme_renames(s) && o->hold == HOLD_data)
        return cause_of_sources(s, &s->pool[o->uop]);
    return scheme_hold_cause(s->scheme, o);
}
