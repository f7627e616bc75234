/* ghost_precise.c - GhOST-Precise: GhOST with precise page faults.
 *
 * Source: section IV.F of the paper. Loads stay in order among themselves, and an
 * instruction that is not idempotent (analysis/idempotence.h) does not issue before all
 * older loads are translated. Each warp has a LoadCounter that counts its loads from
 * the checker until they are translated. Each instruction in the IsB has its own count
 * of older loads, which drops with every translation. The code is in ghost.c; this file
 * holds only the table.
 */
#include "scheme/ghost_parts.h"
#ifdef FUSED_OPS /* perf: the stages are compiled with that code (sim/fused.c) */
#include "scheme/ghost.c"
#endif

/* Adds the counters, which are unary because they are shifted, and the idempotence
 * mark. */
static void precise_parts(const void *params, const struct core_shape *shape,
                          struct part *at)
{
    const struct ghost_params *p = params;
    uint64_t entries = (uint64_t)shape->n_warps * p->entries +
                       (uint64_t)shape->n_subcores * p->checkers;

    at = ghost_fields(params, shape, at);
    *at++ =
        (struct part){ "precise entry", "InstLoadCounter", entries, GHOST_MAX_LOADS };
    *at++ = (struct part){ "precise entry", "idempotence mark", entries, 1 };
    *at++ =
        (struct part){ "precise warp", "LoadCounter", shape->n_warps, GHOST_MAX_LOADS };
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
    .summary =
        "GhOST with precise page faults: non-idempotent instructions wait for loads",
    .paper = "GhOST (ISCA 2024)",
    .params = &precise_param_group,
    .stats = &precise_stat_group,
    .init = ghost_init_precise,
    GHOST_HOOKS,
    .parts = precise_parts,
};
