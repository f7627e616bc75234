/* extras.h - what a run of a batch keeps beside its statistics, for a report: its time series
 * and its counters per instruction, as the members "series" and "hot" of its result.
 */
#ifndef LENO_SESSION_EXTRAS_H
#define LENO_SESSION_EXTRAS_H

#include "session/hot_items.h"
#include "session/timed.h"

struct extras {
    uint64_t series; /* cycles per row; 0: none */
    bool has_hot;
};
bool extras_any(const struct extras *e);

/* The configuration of a run with these: another result than that of a run without. */
uint64_t extras_hash(const struct extras *e, uint64_t config);

/* Of one run. Not to be moved: the run has its address. */
struct extras_run {
    const struct extras *choice;
    struct intervals series;
    struct hot_runs hot;
};
void extras_attach(struct extras_run *x, struct timed_run *r);
/* After the run: adds them to its result, which is an object that ends with "}\n". */
void extras_put(struct extras_run *x, const struct timed_run *r, const char *spec,
                struct buf *result);
void extras_free(struct extras_run *x);

#endif
