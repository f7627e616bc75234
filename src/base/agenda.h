/* agenda.h - the cycles in which a part of the machine must act, by who asked for them.
 *
 * An SM, its LSU and a slice of memory sleep until the first cycle of their agenda. Each
 * entry has one owner, a named source such as "result on its way" or "reply from memory":
 * the code that changes what the source waits for also sets its entry, to the cycle or to
 * NEVER. A part that is woken asks its sources; waking early costs host time only, waking
 * late is a bug. Reports of deadlocks print the whole agenda.
 */
#ifndef LENO_BASE_AGENDA_H
#define LENO_BASE_AGENDA_H

#include "base/buf.h"
#include "base/cycles.h"

/* A cycle that never comes (perf: half of the range, so that vectors of cycles can be
 * compared as signed numbers). */
#define NEVER (UINT64_MAX / 2)

enum { AGENDA_SOURCES = 8 };
struct agenda {
    uint64_t at[AGENDA_SOURCES]; /* by source */
};

static inline void agenda_init(struct agenda *a)
{
    for (unsigned n = 0; n < AGENDA_SOURCES; n++)
        a->at[n] = NEVER;
}

/* The source has nothing to do before this cycle. */
static inline void agenda_set(struct agenda *a, unsigned source, uint64_t cycle)
{
    a->at[source] = cycle;
}

/* The source has something to do in this cycle, besides what it has asked for. */
static inline void agenda_add(struct agenda *a, unsigned source, uint64_t cycle)
{
    a->at[source] = earlier(a->at[source], cycle);
}

static inline uint64_t agenda_first(const struct agenda *a)
{
    uint64_t first = a->at[0];

    for (unsigned n = 1; n < AGENDA_SOURCES; n++)
        first = earlier(first, a->at[n]);
    return first;
}

/* "  wakes: result in cycle 12; reply never". names: as many as there are sources. */
void agenda_print(const struct agenda *a, const char *const *names, unsigned n,
                  struct buf *out);

#endif
