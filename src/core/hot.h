/* hot.h - counters per static instruction of an SM (stats/hot.h); call these only with
 * has_hot().
 *
 * A slot in which an instruction issues is charged to it. A lost slot is charged to one
 * warp that has the slot's cause: the one that issued last, if it has it, or else the
 * first; and to the instruction with which that warp waits: the oldest in its window, or,
 * where the cause is the effect of an instruction (branch, fence, barrier, end) or the
 * window is empty, the last one that it issued.
 */
#ifndef LENO_CORE_HOT_H
#define LENO_CORE_HOT_H

#include "core/scheme.h"
#include "stats/hot.h"

struct sm;
struct subcore;
struct uop;

struct sm_hot {
    struct hot_table *table; /* of the thread that runs the SM */
    struct hot_index *index; /* of the GPU */
    struct hot_known known;
    uint32_t charged[MAX_SUBCORES]; /* row that the sub-core's slots go to, from
                                     * issue.since on */
    uint32_t last[MAX_WARP_SLOTS];  /* row of the warp's last issue; HOT_NONE: none */
};

void hot_fetched(struct sm *s, struct uop *u);
void hot_issued(struct sm *s, struct subcore *c, struct uop *u, bool is_reordered);
/* Reads of register banks, and how long they waited. */
void hot_read(struct sm *s, const struct uop *u, uint64_t n, uint64_t waits);
void hot_written(struct sm *s, const struct uop *u);
/* Charges the slots up to a cycle, before the cause changes ... */
void hot_charge(struct sm *s, const struct subcore *c, uint64_t cycle);
/* ... and finds the row for those from now on. */
void hot_set_cause(struct sm *s, const struct subcore *c, enum stall cause);

#endif
