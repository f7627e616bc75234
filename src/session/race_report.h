/* race_report.h - the races of a program's launches (isa/races.h), and with --sanitize what
 * else is wrong with them (frontend/sass/exec/sanitize.h), as lines of text. */
#ifndef LENO_SESSION_RACE_REPORT_H
#define LENO_SESSION_RACE_REPORT_H

#include "base/buf.h"
#include "frontend/sass/exec/exec.h"

struct race_report;
struct race_report *race_report_new(bool sanitizes);
void race_report_free(struct race_report *r);

/* What a driver that is made next tells of its memory (driver.h); NULL: races only. */
struct shadow *race_report_new_memory(struct race_report *r);

/* Executes a launch and keeps what raced in it. */
int race_report_run(struct race_report *r, const struct sass_launch *l,
                    struct sass_run_stats *stats, struct err *err);

/* Appends a line per pair of instructions, then a summary. */
void race_report_put(const struct race_report *r, struct buf *out);

#endif
