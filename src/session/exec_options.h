/* exec_options.h - options that leno exec passes to the libraries that replace CUDA's.
 *
 * The user's program is between the two, so the options travel in one environment
 * variable: one line per value, its name first.
 */
#ifndef LENO_SESSION_EXEC_OPTIONS_H
#define LENO_SESSION_EXEC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "session/choice.h"
#include "session/machine_options.h"

#define EXEC_VARIABLE "LENO_EXEC"

/* Exit statuses of programs that these options end: unlike leno's own, so that a
 * program's are not likely to be mistaken for them. */
enum { EXEC_STATUS_UNSUPPORTED = 102, EXEC_STATUS_FAULT = 106 };

struct exec_options {
    struct machine_options machine;
    uint64_t max_cycles;          /* 0: no limit */
    uint64_t max_insts;           /* the same */
    uint64_t threads;             /* 0: one per core */
    struct launch_choice choice;  /* launches that are timed or recorded */
    uint64_t functional;          /* 1: none is timed */
    uint64_t stop_on_unsupported; /* 1: end the program at the first such call */
    uint64_t stop_on_fault;       /* 1: at the first kernel that fails */
    uint64_t strict;              /* 1: accesses next to an allocation are faults */
    uint64_t races;               /* 1: looks for races; functional is set too */
    uint64_t sanitize;            /* 1: the same, and other faults; so is strict */
    uint64_t quiet;               /* 1: only the summary on stderr */
    const char *stats;            /* a file for statistics; NULL: stderr */
    uint64_t resume;              /* 1: that file has launches of an earlier run */
    const char *counts;           /* a file for counts per instruction; NULL: none */
    uint64_t hot, top;            /* 1: print where slots went; rows per table */
    const char *hot_file;         /* a file for the same; NULL: none */
    uint64_t series;              /* cycles per row of ... */
    const char *series_out;       /* ... this file; NULL: none */
    const char *record;           /* a folder for recordings; NULL: none are made */
};

/* Appends the options as text. -1: a value that has more than one line. */
int exec_options_write(const struct exec_options *o, struct buf *out, struct err *err);

/* Reads them back; the text is cut in place and must stay. */
int exec_options_read(struct exec_options *o, char *text, struct err *err);

#endif
