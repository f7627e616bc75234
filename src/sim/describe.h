/* describe.h - a machine as members of a JSON document. */
#ifndef LENO_SIM_DESCRIBE_H
#define LENO_SIM_DESCRIBE_H

#include "sim/machine.h"

/* "sm_75"; "rv32" for Vortex cores. */
const char *machine_arch(const struct machine *m);
unsigned machine_sms(const struct machine *m);          /* or cores */
unsigned machine_warps(const struct machine *m);        /* per SM or core */
const char *machine_core_name(const struct machine *m); /* "SM", "core" */

/* Code of another architecture runs, but was not scheduled for this machine's
 * latencies: then true, with a warning as text. code: "" if not known. Never for a kind
 * of machine that runs only one architecture. */
bool machine_warn_arch(const struct machine *m, const char *code, char *text,
                       size_t size);

/* Does a run that ended with err have statistics to show? A failed run does not, so
 * that nothing of it is taken for a result. A run that was stopped at a limit does, and
 * is partial. */
bool gpu_has_statistics(const struct err *err);
bool gpu_is_partial(const struct err *err);

/* "gpu", "gpu_arch", "sms", "scheme", "skip" and "settings", each after a comma. */
void machine_describe(const struct machine *m, struct buf *out);

#endif
