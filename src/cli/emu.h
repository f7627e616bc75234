/* emu.h - one functional run of one workload, as leno emu and its parts see it. */
#ifndef LENO_CLI_EMU_H
#define LENO_CLI_EMU_H

#include "cli/cli.h"
#include "cli/workloads.h"
#include "driver/driver.h"

/* How often each instruction of a module was executed. */
struct emu_counts;

struct emu_run {
    const struct workload *workload;
    enum sass_arch arch;
    enum workload_size size;
    uint64_t seed;
    const char *folder;        /* of the workloads */
    FILE *printed;             /* takes what kernels print */
    struct emu_counts *counts; /* NULL: not counted */

    /* Filled in by the run. */
    struct driver_totals totals;
    double seconds;  /* inside kernels */
    uint64_t digest; /* of all results: equal runs have equal ones */
};

/* 0, or -1 with err set: code ERR_WRONG if only the result is wrong. */
int emu_run(struct emu_run *run, struct err *err);

struct emu_counts *emu_counts_new(void);
void emu_counts_free(struct emu_counts *c);
/* The counters for a launch's module, for sass_run(). */
struct sass_module;
struct sass_run_stats;
void emu_counts_attach(struct emu_counts *c, const struct sass_module *m,
                       struct sass_run_stats *stats);
/* Adds the rows of a finished run to a CSV text, and forgets them. */
void emu_counts_write(struct emu_counts *c, const char *workload, const char *arch,
                      struct buf *csv);

#endif
