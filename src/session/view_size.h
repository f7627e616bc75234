/* view_size.h - how large a pipeline log will be, before it is written: from the instructions
 * of the program, where they are known without a run (workloads, recordings in .leno), and the
 * part of them that --view chooses.
 */
#ifndef LENO_SESSION_VIEW_SIZE_H
#define LENO_SESSION_VIEW_SIZE_H

#include "session/program.h"
#include "session/timed.h"
#include "trace/trace.h"

#define VIEW_SIZE_MOST 1e9 /* bytes that need no --large-view */

/* Bytes of a log per instruction, as measured, and as part of them if it is compressed. */
#define VIEW_KONATA_BYTES   330.0
#define VIEW_PERFETTO_BYTES 240.0
#define VIEW_ZST_SHARE      0.25

/* Instructions that a view shows; 0: not known. `run` has machine, size and folder. */
double view_size_insts(const struct program *p, const struct timed_run *run,
                       const struct trace *view);

/* Refuses a log of more than VIEW_SIZE_MOST bytes; the option names it. */
int view_size_check(double insts, double bytes_each, const char *option,
                    const char *path, struct err *err);

#endif
