/* idempotence.h - which instructions may be executed again after a fault.
 *
 * A load that faults is executed again, and with it all that follows in program order,
 * some of which a machine that reorders has executed already. That does no harm to an
 * instruction that overwrites nothing that any instruction since the load has read: it
 * is idempotent (INST_REDO). The others must not issue before all older loads are
 * translated. The marks are what GhOST-Precise (ISCA 2024, section IV.F, after iGPU) has
 * a compiler find.
 */
#ifndef LENO_ANALYSIS_IDEMPOTENCE_H
#define LENO_ANALYSIS_IDEMPOTENCE_H

#include "analysis/code.h"

/* Sets or clears INST_REDO of every instruction. Code with unknown jump targets gets no
 * marks; an instruction without a mark waits. -1: no memory. */
int idempotence_mark(const struct code_line *code, size_t n, struct err *err);

#endif
