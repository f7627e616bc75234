/* view_data.h - instructions of a few warps, kept cycle by cycle for the pipeline viewer
 * (leno view): a listener of the core's events (trace/trace.h).
 */
#ifndef LENO_SESSION_VIEW_DATA_H
#define LENO_SESSION_VIEW_DATA_H

#include "base/buf.h"
#include "trace/trace.h"

enum { VIEW_MOST = 50000 }; /* instructions of a run; later ones are only counted */

/* What is kept: of one launch. */
struct view_choice {
    const char
        *kernel; /* number of the launch, from 1, or a name (choice.h); NULL: 1 */
    uint64_t block;
    struct trace_set warps;
    struct trace_range cycles; /* from the start of the kernel; in flight then */
};

struct view_data;
/* NULL: out of memory. */
struct view_data *view_data_new(const struct view_choice *choice, struct err *err);
void view_data_free(struct view_data *v);
/* For gpu_set_trace(); trace_finish() leaves the data as they are. */
struct trace *view_data_trace(struct view_data *v);

/* Was the kernel launched, and were instructions kept? */
bool view_data_found(const struct view_data *v);
uint32_t view_data_count(const struct view_data *v);
/* Members of a JSON object: the kernel and its instructions in program order. */
void view_data_json(struct view_data *v, struct buf *out);

#endif
