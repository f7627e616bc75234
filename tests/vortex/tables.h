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
    bool by_marks; /* measured around all of it, not from group to group */
};

/* Warp instructions per cycle, all warps running the same code. */
struct throughput {
    const char *name;
    void (*body)(struct code *c);
    unsigned group;
    double rtl[N_RTL]; /* 4 warps x 4 threads */
    double wide[2];    /* 16 x 4: base, LOOG; 0: the RTL hung */
    /* Rows that are not met: by how much of it at most; 0: 5 %. */
    double apart[N_RTL], wide_apart[2];
};

extern const struct chain chains[];
extern const size_t n_chains;
extern const struct throughput throughputs[];
extern const size_t n_throughputs;

/* What this machine does; -1 with the rig's message printed if it fails. */
double chain_measure(const struct chain *c, unsigned scheme);
double throughput_measure(const struct throughput *t, unsigned scheme, unsigned warps);

/* The tables of docs/validation.md. */
void chain_table(struct buf *out);
void throughput_table(struct buf *out);

#endif
