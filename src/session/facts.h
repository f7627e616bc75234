/* facts.h - the facts that comparisons need, read from a result's JSON. */
#ifndef LENO_SESSION_FACTS_H
#define LENO_SESSION_FACTS_H

#include <stdbool.h>

#include "base/err.h"
#include "stats/stall.h"
#include "stats/stat.h"

enum { FACTS_DISTANCES = 15, FACTS_KERNELS = 8 };

/* Latency of loads of one kernel. */
struct kernel_loads {
    char kernel[64];
    struct histogram cycles;
};

struct facts {
    double cycles;          /* of the GPU, with those of launches */
    double half_width;      /* of the 95 % interval of cycles, if they are ... */
    bool is_estimate;       /* ... an estimate; other numbers are of what was timed */
    double kernels;         /* launched */
    double capped;          /* of them, timed only up to a cap */
    double launch_cycles;   /* of each launch, before its first block:
                           * gpu.launch_cycles; 0 on a Vortex core, which has none */
    double sm_cycles;       /* in which an SM had work, all of them */
    double subcores;        /* schedulers of an SM */
    double warp_insts;      /* issued */
    double thread_insts;    /* the same, once per active lane */
    double reordered;       /* of them, before an older one */
    double occupancy;       /* %, time-averaged */
    double slot[N_STALL];   /* issue slots by cause, all schedulers */
    struct histogram loads; /* latency of loads, all of them */
    struct kernel_loads kernel_loads[FACTS_KERNELS]; /* of the first kernels by name */
    /* SOCGPU's; 0 in results of other schemes: */
    double inserted;           /* instructions into the buffer */
    double raw, war_waw, stop; /* older ones there that they depend on, by kind */
    /* TURBULENCE's: */
    double hybrid; /* instructions into the window; of them, ... */
    double free;   /* ... without a register number */
    double moves;  /* ... inserted by the converter */
    /* A Vortex core's; 0 in results of SMs: */
    double vortex_cycles; /* from reset to the end of the last warp */
    double stall_alu, stall_fpu, stall_lsu, stall_sfu; /* cycles, waiting for a unit */
    double stall_ibuffer; /* cycles, the instruction buffer was full */
    /* LOOG's on Vortex, of its collector units: */
    double cus;                /* how many there are */
    double cu_busy;            /* allocated, summed over cycles */
    double cu_held, cu_allocs; /* cycles from allocation to release; allocations */
    double no_cu;              /* cycles in which none was free */
    double passed;             /* instructions dispatched before an older one; */
    double distance[FACTS_DISTANCES]; /* of these, how far before them the oldest was:
                                       * 1, 2, ..., the last as far or farther */
    /* Of redundancy eliminators; 0 in results without one: */
    double skipped;                       /* instructions dropped at fetch */
    double reused;                        /* issued, but not executed: UV's */
    double uniform, affine, unstructured; /* skipped by DARSIE, by their values */
    double joules, watts;              /* of the run; 0: the machine has no energies */
    double window_joules;              /* of them, the scheme's window ... */
    double table_joules;               /* ... the eliminator's tables ... */
    double active_joules, idle_joules; /* ... and what time takes, not events */
    double seconds, sms;               /* that the joules are of */
    char unchecked[80]; /* why skipped results were not compared; "": they were */
};

/* Reads results as JSON, parsed by SQLite. */
struct facts_reader;
struct facts_reader *facts_reader_new(struct err *err);
void facts_reader_free(struct facts_reader *r);
int facts_read(struct facts_reader *r, const char *json, struct facts *f,
               struct err *err);

/* The members "series" and "hot" of a result that has them, without braces; NULL: neither.
 * The caller frees it. */
char *facts_extras(struct facts_reader *r, const char *json);

/* The cycles that schemes are compared by: without those of launches, which are the same
 * whatever the scheme and would make short programs look alike. */
double facts_compared_cycles(const struct facts *f);

/* All warp instructions of the program that were timed, issued or skipped. */
double facts_passed_insts(const struct facts *f);

/* Scheduler cycles without an issue while the SM had work. */
double facts_stalls(const struct facts *f);

#endif
