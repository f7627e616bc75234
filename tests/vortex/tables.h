/* tables.h - what the RTL's simulation measured, row by row: facts of docs/validation.md.
 */
#ifndef LENO_TESTS_VORTEX_TABLES_H
#define LENO_TESTS_VORTEX_TABLES_H

#include "rig.h"

enum { RTL_BASE, RTL_LOOG, RTL_RRS, RTL_GHOST, N_RTL };

/* Issue to dependent issue of a single warp, in cycles. */
struct chain {
    const char *name;
    void (*body)(struct code *c); /* one group */
    unsigned group;               /* instructions of it */
    double rtl[N_RTL];
};

/* Warp instructions a cycle, all warps running the same loop. */
struct throughput {
    const char *name;
    void (*body)(struct code *c);
    unsigned group;
    double rtl[N_RTL];    /* 4 warps x 4 threads; 0: the RTL hung */
    double wide[2];       /* 16 x 4: base, LOOG */
};

extern const struct chain chains[];
extern const size_t n_chains;
extern const struct throughput throughputs[];
extern const size_t n_throughputs;

#endif
