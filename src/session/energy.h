/* energy.h - the energy of runs on a machine: its profile, its tables, its clock. */
#ifndef LENO_SESSION_ENERGY_H
#define LENO_SESSION_ENERGY_H

#include "cost/energy.h"
#include "sim/machine.h"

/* The energies that a machine has unless a profile is named; NULL: there are none. */
const char *energy_profile_of(const struct machine *m);

/* Can the energy of runs on this machine be computed? profile NULL: the machine's own. */
int energy_check(const struct machine *m, const char *profile, struct err *err);

/* The energy of what the statistics count. profile NULL: the machine's own. */
int energy_of_run(struct energy *e, const struct machine *m, const char *profile,
                  const struct stat_report *stats, struct err *err);

/* Joules of each access of its scheme's and its eliminator's tables. */
int energy_of_accesses(double joules[N_ENERGY_ACCESS], const struct machine *m,
                       const char *profile, struct err *err);

/* "energy": {...} after a comma and a line's end, if the machine has energies; else nothing. */
void energy_put_member(const struct machine *m, const char *profile,
                       const struct stat_report *stats, struct buf *out);

#endif
