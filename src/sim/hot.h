/* hot.h - where the time of kernels went: counters per instruction, summed over SMs and
 * launches, with the instructions' places (leno run --hot).
 */
#ifndef LENO_SIM_HOT_H
#define LENO_SIM_HOT_H

#include "isa/stream.h"
#include "sim/gpu.h"
#include "stats/hot.h"

/* What is known of a row, in words. */
struct hot_place {
    char *text;     /* of the instruction; "" for HOT_NONE */
    char *function; /* NULL: not known */
    uint64_t offset;
    char *file; /* NULL: not known */
    uint32_t line;
    uint32_t loop; /* index in hot_kernel.loops; NO_LOOP: none */
};

/* A kernel and its launches. */
struct hot_kernel {
    char *name;
    uint64_t first_pc, n_launches;
    struct hot_index index;  /* pc: from the kernel's first */
    struct hot_table table;  /* by number in it */
    struct hot_place *place; /* the same */
    uint32_t cap_places;
    struct kernel_loops loops; /* headers: from the kernel's first, too */
    char *no_loops;            /* why they are not known; NULL: they are */
};

struct hot_profile {
    struct hot_kernel *kernel;
    uint32_t n, cap;
    struct hot_row before; /* sums when the present GPU was made */
    char *no_lines;        /* why the lines of some code are not known; NULL: nothing
                            * prevents it but a missing table */
};

/* Where the SMs and the memory of a GPU count. */
struct hot_counts {
    struct hot_index index;
    struct hot_table memory;
    struct hot_table *thread; /* SMs: by thread that runs them */
    unsigned n_threads;
};

int hot_counts_init(struct hot_counts *c, unsigned n_threads, struct err *err);
void hot_counts_free(struct hot_counts *c);

/* A GPU begins to count into it. */
void hot_profile_begin(struct hot_profile *p);

void hot_profile_free(struct hot_profile *p);

/* Adds the counters of a kernel that has just run, and clears them. */
int hot_profile_add(struct hot_profile *p, struct kernel *k, struct hot_counts *c,
                    struct err *err);

/* The sums over all rows equal the statistics; if not: ERR_WRONG. */
int hot_profile_check(const struct hot_profile *p, const struct gpu_result *r,
                      struct err *err);

#endif
