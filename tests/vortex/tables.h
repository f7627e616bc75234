/* tables.h - dependent chains: what the RTL's simulation measured, row by row. */
#ifndef LENO_TESTS_VORTEX_TABLES_H
#define LENO_TESTS_VORTEX_TABLES_H

#include "rig.h"

enum { RTL_BASE, RTL_LOOG, RTL_RRS, RTL_GHOST, N_RTL };
extern const char *const rtl_schemes[N_RTL]; /* here */

/* Issue to dependent issue of a single warp, in cycles. */
struct chain {
    const char *name;
    void (*body)(struct code *c); /* one group */
    unsigned group;               /* instructions of it */
    double rtl[N_RTL];
    bool by_marks; /* measured around all of it, not from group to group */
};

extern const struct chain chains[];
extern const size_t n_chains;

/* What this machine does; -1 with the rig's message printed if it fails. */
double chain_measure(const struct chain *c, unsigned scheme);

/* As in docs/validation.md. */
void chain_table(struct buf *out);

#endif
