/* machine_cost.h - the storage that a machine's scheme and eliminator need. */
#ifndef LENO_SESSION_MACHINE_COST_H
#define LENO_SESSION_MACHINE_COST_H

#include "cost/cost.h"
#include "sim/machine.h"

/* 0, or -1 with err set: on a Vortex core the issue stage knows its own storage; of the
 * schemes that take the scoreboard's place there, only the baseline's is known. */
int machine_cost(const struct machine *m, struct cost *c, struct err *err);

#endif
