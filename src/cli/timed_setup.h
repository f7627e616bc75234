/* timed_setup.h - what leno run and leno view do before programs run with timing: the
 * programs of the command line are prepared and their folder is found.
 */
#ifndef LENO_CLI_TIMED_SETUP_H
#define LENO_CLI_TIMED_SETUP_H

#include "cli/option_rows.h"
#include "session/timed_series.h"

struct timed_setup {
    struct console *console;
    const struct machine_options *machine;
    const struct program_values *programs;
    const struct operands *ops;
    const char *out, *folder; /* of results; of the workloads */
    bool all;                 /* every workload */
    int arch, size;           /* as the options have them */
    uint64_t seed;
    struct timed_run
        each; /* the rest of what all runs have in common, and the machine */
    uint64_t max_insts;
    /* Runs the programs of the series, all of which are ready. */
    int (*run)(void *to, struct timed_series *s, struct err *err);
    void *to;
};
int timed_setup_run(const struct timed_setup *t, struct err *err);

/* Calls `run` for each of the schemes "A,B", at most `most`; NULL or "" is the machine's own.
 * Stops at the first that fails. */
struct scheme_list {
    const char *text;
    unsigned most;
    const char *option; /* that too many are reported for */
    int (*run)(void *to, const char *scheme, unsigned number, struct err *err);
    void *to;
};
int timed_each_scheme(const struct scheme_list *l, struct err *err);

#endif
