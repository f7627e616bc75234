/* team.h - threads that work together for a moment, again and again.
 *
 * A team of n has n - 1 threads of its own; the caller is the n-th. Between two calls they
 * wait: first awake, because calls usually follow each other within microseconds, then
 * asleep.
 */
#ifndef LENO_BASE_TEAM_H
#define LENO_BASE_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/err.h"

struct team;

/* NULL with err set. */
struct team *team_new(unsigned n, struct err *err);
void team_free(struct team *t);           /* t may be NULL */
unsigned team_size(const struct team *t); /* 1 for NULL: the caller alone */

/* The caller calls work(to, 0), and so does each member with its number that the host runs
 * before the caller has returned from it: the work is given out, not divided beforehand.
 * Returns when all that began have returned. What was written before is seen by all, and what
 * they wrote afterwards. */
void team_run(struct team *t, void (*work)(void *to, unsigned member), void *to);

/* One more look at something that another member changes soon. *looks begins with 0. */
void team_pause(unsigned *looks);

/* For a few instructions at a time; all zero is unlocked. */
struct team_lock {
    atomic_bool is_taken;
};
static inline void team_lock(struct team_lock *l)
{
    unsigned looks = 0;

    while (atomic_exchange_explicit(&l->is_taken, true, memory_order_acquire))
        team_pause(&looks);
}
static inline void team_unlock(struct team_lock *l)
{
    atomic_store_explicit(&l->is_taken, false, memory_order_release);
}

#endif
