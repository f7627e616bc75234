/* reference.h - runs compared with what a real GPU did; see hw_record.h for the files. */
#ifndef LENO_SESSION_REFERENCE_H
#define LENO_SESSION_REFERENCE_H

#include "session/counts.h"
#include "session/hw_record.h"
#include "session/workload_run.h"

struct reference {
    const char *folder;
    FILE *out;     /* takes a line for each difference */
    bool may_lack; /* a run without a record is told and counted, not an error */
    struct hw_record_list known;
    bool *seen; /* by known difference */
    uint64_t n_runs, n_outputs, n_insts, n_excused, n_known, n_polls, n_differences,
        n_lacking;
};

/* The folder's list of known differences is read at once, the records when needed. */
int reference_open(struct reference *ref, const char *folder, FILE *out,
                   struct err *err);
void reference_close(struct reference *ref);

/* Compares a run that went well. counts: NULL if instructions were not counted.
 * 0, or -1: ERR_WRONG if something differs, ERR_INPUT if there is no record to compare
 * with and there must be one. */
int reference_compare(struct reference *ref, const struct workload_run *run,
                      const struct inst_counts *counts, struct err *err);

/* One line about everything compared. */
void reference_summary(const struct reference *ref);

#endif
