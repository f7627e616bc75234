/* launch_report.h - the statistics of each launch under leno exec, as text or JSON.
 *
 * The machine's statistics only ever add up, so a launch's own are the difference of
 * two tallies. As JSON a launch is a document on one line, written at once, so that a
 * program that crashes leaves complete lines.
 */
#ifndef LENO_SESSION_LAUNCH_REPORT_H
#define LENO_SESSION_LAUNCH_REPORT_H

#include "driver/driver.h"
#include "frontend/sass/exec/exec.h"
#include "session/loops.h"
#include "session/sample.h"
#include "sim/gpu.h"

enum { TALLY_GROUPS = 8 };

/* The statistics of a GPU at one moment. It points into itself: not to be copied. */
struct tally {
    struct stat_binding bind[TALLY_GROUPS];
    void *values[TALLY_GROUPS]; /* copies */
    struct stat_report report;
    uint64_t slots[MAX_SUBCORES][N_STALL];
    const char *unchecked; /* why not everything was checked; NULL: it was */
};

int tally_take(struct tally *t, struct gpu *g, struct err *err);
void tally_subtract(struct tally *t, const struct tally *earlier);
void tally_free(struct tally *t);

struct launch_report {
    const char *about; /* members of launch_report_about() */
    const struct machine *machine;
    uint64_t number; /* of the launch, from 1 */
    const struct sass_launch *launch;
    const struct driver_cost *cost;
    const char *mode; /* "timed", "functional", "recorded" */
    uint64_t cycles;
    struct tally *tally;          /* NULL unless it was timed */
    bool is_capped;               /* timed only at first, and then ... */
    uint64_t rest_insts, rest_ns; /* ... so many warp instructions were executed */
    const struct sample_launch *sampled; /* what all of it takes; NULL: nothing else */
    const struct loop_list *loops;       /* NULL unless unroll.factor says so */
    const struct err *err;               /* code ERR_NONE: it went well */
};

/* Of what was timed, or else of all of it: see driver_cost. */
static inline uint64_t launch_report_ns(const struct launch_report *r)
{
    return r->cost->nanoseconds - r->rest_ns;
}

/* The program, its arguments and the machine, which all launches of a process have in
 * common, as members of a JSON document, each after a comma. */
void launch_report_about(const char *program, const struct machine *m, struct buf *out);

/* What its line of JSON begins with, up to the mode. */
void launch_report_head(const struct launch_report *r, struct buf *out);
void launch_report_json(const struct launch_report *r, struct buf *out);
void launch_report_text(const struct launch_report *r, struct buf *out);

#endif
