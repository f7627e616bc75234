/* emu_series.h - workloads run without timing, one after another: executed, compared with
 * what a real GPU did, or studied for redundant instructions.
 */
#ifndef LENO_SESSION_EMU_SERIES_H
#define LENO_SESSION_EMU_SERIES_H

#include "analysis/repeats.h"
#include "session/console.h"
#include "session/counts.h"
#include "session/race_report.h"
#include "session/reference.h"
#include "session/series.h"
#include "session/workload_run.h"

struct emu_series {
    const char *const *workload; /* n_workloads names; NULL: all workloads */
    size_t n_workloads;
    int arch; /* enum sass_arch; EMU_ALL_ARCHS: one run each */
    enum workload_size size;
    uint64_t seed;
    uint64_t max_insts;   /* warp instructions per run; 0: no limit */
    const char *folder;   /* of the workloads */
    const char *counts;   /* a CSV file for executions of instructions, or NULL */
    const char *launches; /* a CSV file for its launches by kernel, or NULL */
    const char *recorded; /* a folder of hardware's records, or NULL */
    FILE *differences;    /* from these records */
    bool is_study;        /* redundant instructions are counted */
    bool finds_races;     /* they are reported at the end */
    bool sanitizes;       /* the same, and other faults */
    struct console *console;

    /* The series' own. */
    struct series runs;
    size_t place; /* of the next run, among the pairs of workload and architecture */
    struct inst_counts *counted; /* NULL: not counted */
    struct race_report *raced;   /* NULL: not looked for */
    struct reference reference;
    struct buf csv;
    struct buf shapes; /* for the file of launches */
};

enum { EMU_ALL_ARCHS = N_SASS_ARCH };

struct emu_result {
    struct workload_run run;
    struct repeats_counts redundancy; /* of a study */
};

/* 0, or -1 with err set: a workload or the records are not there. emu_series_end() in
 * either case. */
int emu_series_start(struct emu_series *s, struct err *err);
/* Runs the next workload: fills in *r, and err with the outcome. False after the last. */
bool emu_series_next(struct emu_series *s, struct emu_result *r, struct err *err);
/* Writes the counts and a summary of the comparison; the outcome of all runs. failed: the
 * series did not start. */
int emu_series_end(struct emu_series *s, int failed, struct err *err);

#endif
