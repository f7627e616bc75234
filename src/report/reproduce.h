/* reproduce.h - leno reproduce: the figures of papers, measured and printed with the
 * papers' numbers next to ours.
 */
#ifndef LENO_REPORT_REPRODUCE_H
#define LENO_REPORT_REPRODUCE_H

#include "base/text_list.h"
#include "report/paper.h"
#include "session/console.h"

enum reproduce_format {
    REPRODUCE_TEXT,
    REPRODUCE_MARKDOWN,
    REPRODUCE_JSON,
    REPRODUCE_CSV
};

struct reproduce_job {
    const struct paper *paper;       /* NULL: all of them */
    const struct text_list *figures; /* their names; none: all that can be made */
    struct program_request request; /* programs; none: the workloads that a paper has */
    bool all;                       /* every workload, also beside named programs */
    struct text_list set;           /* for all machines */
    enum workload_size size;
    uint64_t seed, sms, jobs; /* as in struct batch */
    bool fresh;
    const char *folder;    /* of the workloads; NULL: the default */
    const char *out;       /* folder of cached results */
    const char *libraries; /* as in struct exec_job */
    const char *report;    /* a page with charts; NULL: none */
    enum reproduce_format format;
};

/* 0, or -1 with err set. */
int reproduce_run(const struct reproduce_job *job, struct console *console,
                  struct err *err);

/* The papers and their figures. */
void reproduce_list(struct console *console, bool is_json);

#endif
