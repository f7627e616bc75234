/* reproduce.h - leno reproduce: the figures of a paper, measured and printed with the
 * paper's numbers next to ours.
 */
#ifndef LENO_REPORT_REPRODUCE_H
#define LENO_REPORT_REPRODUCE_H

#include "base/text_list.h"
#include "report/figure.h"
#include "report/run.h"

struct reproduce_job {
    const struct paper *paper;
    const struct text_list *figures; /* their names; none: all that can be made */
    enum workload_size size;
    uint64_t seed, sms, jobs; /* as in struct batch */
    bool fresh;
    const char *folder; /* of the workloads; NULL: the default */
    const char *out;    /* folder of cached results */
    enum run_format format;
};

/* 0, or -1 with err set. */
int reproduce_run(const struct reproduce_job *job, struct console *console,
                  struct err *err);

/* The papers and their figures. */
void reproduce_list(struct console *console, bool is_json);

#endif
