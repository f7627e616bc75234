/* ghost_precise.c - GhOST-Precise: GhOST with precise page faults.
 *
 * Source: section IV.F of the paper. Loads stay in order among themselves, and an
 * instruction that is not idempotent (analysis/idempotence.h) does not issue before all
 * older loads are translated. A LoadCounter a warp counts loads from the checker to their
 * translation; each instruction in the IsB has its own count of the older ones, which goes
 * down with every translation. All of it is in ghost.c; here is the table.
 */
#include "scheme/ghost.h"

static unsigned precise_parts(const void *params, const struct core_shape *shape,
                              struct storage_part part[MAX_STORAGE_PARTS])
{
    const struct ghost_params *p = params;
    unsigned n = ghost_parts(params, shape, part);

    /* Counts in unary, as they are shifted, and the mark. */
    part[n++] = (struct storage_part){ "InstLoadCounter, idempotence mark",
                                       shape->n_warps * p->entries +
                                           shape->n_subcores * p->checkers,
                                       GHOST_MAX_LOADS + 1 };
    part[n++] = (struct storage_part){ "LoadCounter", shape->n_warps, GHOST_MAX_LOADS };
    return n;
}

static uint64_t precise_bits(const void *p, const struct core_shape *shape)
{
    struct storage_part part[MAX_STORAGE_PARTS];

    return ghost_sum(part, precise_parts(p, shape, part));
}

#define PARAM_OF struct ghost_params
static const struct param_group precise_param_group =
    PARAM_GROUP("ghost.precise", "GhOST with precise page faults", GHOST_PARAMS);
#undef PARAM_OF
#define STAT_OF struct ghost_stats
static const struct stat_group precise_stat_group =
    STAT_GROUP("ghost.precise", "GhOST-Precise", GHOST_STATS);
#undef STAT_OF

const struct scheme_ops scheme_ghost_precise = {
    .name = "ghost.precise",
    .summary = "GhOST with precise page faults: what is not idempotent waits for loads",
    .paper = "GhOST (ISCA 2024)",
    .params = &precise_param_group,
    .stats = &precise_stat_group,
    .init = ghost_init_precise,
    GHOST_HOOKS,
    .bits = precise_bits,
    .parts = precise_parts,
};
