/* run.h - the results of leno run, printed run by run: as text (the statistics of a single
 * run, or a table with one row per run), as CSV, or as one JSON document.
 */
#ifndef LENO_REPORT_RUN_H
#define LENO_REPORT_RUN_H

#include "session/console.h"
#include "session/series.h"
#include "session/timed.h"

enum run_format { RUN_TEXT, RUN_JSON, RUN_CSV };

struct run_print {
    struct console *console;
    enum run_format format;
    bool wants_energy; /* in text */
    bool has_head;     /* of the CSV; the printer's own */
};

/* Prints a run after it was noted in the series; a failure is explained on the log. */
void run_print(struct run_print *p, const struct series *runs,
               const struct timed_run *r, const struct err *err);

#endif
