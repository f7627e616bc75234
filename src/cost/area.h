/* area.h - gates, flip-flops, area and critical path of what a scheme or an eliminator adds
 * to an SM.
 *
 * From hw/results.ini, which `make cost-rtl` writes: the modules of hw/ on cells of an open
 * library. A module stands for the C model with the parameters that it was synthesised with;
 * for others, and for schemes without a module, there is no figure and `why` says so.
 */
#ifndef LENO_COST_AREA_H
#define LENO_COST_AREA_H

#include "core/skip.h"

/* A module inside the top module, without the modules inside itself. */
struct area_block {
    const char *module; /* the top module */
    const char *name;
    uint32_t count; /* in one top module */
    uint32_t flops; /* of one block */
    uint32_t cells; /* area of one block, in units of the library */
};

enum area_per { AREA_PER_warp, AREA_PER_subcore, AREA_PER_block, AREA_PER_sm };
enum { AREA_BLOCKS = 32 }; /* blocks per SM, as DARSIE's paper counts its tables */

struct area_module {
    const char *name, *scheme; /* the scheme, or the eliminator */
    enum area_per per;
    const char *parameters; /* "entries=8 checkers=4": the scheme's, and "warps" */
    double path_ns;         /* longest path between registers and ports */
};

/* Sums of blocks. */
struct area_sum {
    double gates;  /* in NAND2 gates, flip-flops aside */
    double flops;  /* flip-flops */
    double um2_45; /* at 45 nm */
};

/* The area of a scheme on a machine. */
struct area {
    const struct area_module *module; /* NULL: see why */
    uint32_t copies;                  /* per SM */
    struct area_sum sum;              /* per SM */
    char why[160];                    /* why there is no figure */
};

/* Area at a smaller node, as a share of that at 45 nm. */
#define AREA_45_TO_14 0.17

void area_of(struct area *a, const struct scheme_ops *ops, const void *params,
             const struct core_shape *shape);
/* The same of the n-th module of an eliminator. False if there are no more. */
bool area_of_skip(struct area *a, const struct skip_ops *ops, const void *params,
                  const struct core_shape *shape, unsigned n);
/* The same of the module as it was synthesised, whatever a machine's parameters are. */
void area_of_module(struct area *a, const char *scheme, const struct core_shape *shape);
/* One block in one SM. */
struct area_sum area_of_block(const struct area *a, const struct area_block *b);
/* The blocks of all modules; NULL after the last. */
const struct area_block *area_block_at(size_t i);

#endif
