/* describe.h - a machine as members of a JSON document. */
#ifndef LENO_SIM_DESCRIBE_H
#define LENO_SIM_DESCRIBE_H

#include "sim/machine.h"

/* "sm_75"; "rv32" for Vortex cores. */
const char *machine_arch(const struct machine *m);
unsigned machine_sms(const struct machine *m);          /* or cores */
unsigned machine_warps(const struct machine *m);        /* per SM or core */
const char *machine_core_name(const struct machine *m); /* "SM", "core" */

/* Code of another architecture runs, but the machine's latencies are not those that it was
 * scheduled for: true, and a text that says so. code: "" if not known. Never of a kind of
 * machine that runs one architecture only. */
bool machine_warn_arch(const struct machine *m, const char *code, char *text,
                       size_t size);

/* Has a run that ended so numbers to show? Not one that failed: nothing of it could be taken
 * for a result. One that was stopped at a limit has got that far, and is partial. */
bool gpu_has_statistics(const struct err *err);
bool gpu_is_partial(const struct err *err);

/* "gpu", "gpu_arch", "sms", "scheme", "skip" and "settings", each after a comma. */
void machine_describe(const struct machine *m, struct buf *out);

#endif
