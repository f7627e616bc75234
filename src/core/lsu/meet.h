/* meet.h - stores that meet another one of the same line on its way into L1, as measured
 * on an H200 (docs/h200.md).
 *
 * A store is on its way for l1.store_cycles, or until two further steps of stores to
 * other lines have followed it; one of up to 8 bytes a lane is one step, a wider one two.
 * The next store joins the last one if it is of the same line, of one step, and at most
 * l1.store_join cycles later. A store that does not join and finds one of its line on its
 * way replaces the line: only its own words stay readable.
 */
#ifndef LENO_CORE_LSU_MEET_H
#define LENO_CORE_LSU_MEET_H

#include <stdbool.h>
#include <stdint.h>

struct lsu;
struct l1_access;

/* A store to one line, in the cycle of its last step. */
struct l1_store {
    uint64_t line, cycle;
    uint32_t steps; /* with those of stores that joined it; 0: there is none */
};
struct l1_stores {
    struct l1_store last, before;
};

/* A store that is looked up in this cycle: does it replace its line? Once the cache has
 * accepted it, it is noted. */
bool lsu_store_replaces(const struct lsu *l, const struct l1_access *a);
void lsu_note_store(struct lsu *l, const struct l1_access *a);

#endif
