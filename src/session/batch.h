/* batch.h - runs programs x machines in parallel; cached results are not computed again.
 *
 * A cell is one program on one machine. Cells run in processes of their own (pool.h)
 * and go into the store one by one, so finished cells stay finished however the rest
 * ends. Failed cells are not cached and run again the next time. A store that cannot be
 * written (a read-only folder, a full disk) does not stop the runs; the number of
 * results that were not cached is reported.
 */
#ifndef LENO_SESSION_BATCH_H
#define LENO_SESSION_BATCH_H

#include "base/text_list.h"
#include "session/console.h"
#include "session/extras.h"
#include "session/grid.h"
#include "session/program.h"
#include "session/shard.h"
#include "session/workloads.h"

struct batch {
    const struct program *program;    /* commands are recorded by now */
    const struct grid_column *column; /* invalid ones are not run */
    size_t n_programs, n_columns;
    struct text_list set; /* for all machines */
    enum workload_size size;
    uint64_t seed, sms;  /* sms 0: all */
    int arch;            /* enum sass_arch; -1: each machine's */
    const char *folder;  /* of the workloads */
    const char *out;     /* folder of results */
    uint64_t jobs;       /* processes; 0: as jobs.h says */
    uint64_t threads;    /* of each; 0: the cores that they leave free */
    bool fresh;          /* cached results are ignored */
    struct extras extra; /* kept beside the statistics, for a report */
    struct shard
        shard; /* a slice, with a file of its own instead of the store; n 0: all */
    const char *study; /* of a slice: the file of the study, or another name */

    /* Filled in by the run. */
    struct facts *facts; /* as in struct grid; batch_free() frees both */
    char **why;
    int *exit_code;
    const char **name; /* by program, as in struct grid */
    char **extras;     /* as in struct grid */
    char **about;      /* by column */
    char *kept_in;     /* the store or the slice's file */
    size_t n_shared;   /* cells with the result of another of the same configuration */
    size_t n_distinct; /* the others, except those of invalid columns and other slices;
                        * of these: */
    size_t n_stored, n_run, n_failed;
    size_t n_unkept;   /* of n_run: not in the store, ... */
    struct err unkept; /* ... the first of them because of this */
    bool is_readonly;  /* the store: nothing was to be kept */
    int signal;        /* signal that stopped it; 0: none */
    char warning[200];
};

#define BATCH_FILE "results.db" /* in the folder */

/* -1 with err set: nothing could be run, or some cells failed (err has the kind of the
 * first; the others have facts). A signal that asks to stop ends the process, after a
 * message on what is cached. */
int batch_run(struct batch *b, struct console *console, struct err *err);
void batch_free(struct batch *b);

/* What batch_run() would run, over all slices. 0, or -1 with err set. */
int batch_study(const struct batch *b, struct console *console,
                struct shard_study *study, struct err *err);

/* Whether there is something to print. */
bool batch_has_results(const struct batch *b);
struct grid batch_grid(const struct batch *b);

#endif
