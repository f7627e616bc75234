/* vortex.h - a Vortex processor with timing, for hosts (frontend/riscv/machine.h). */
#ifndef LENO_SIM_VORTEX_H
#define LENO_SIM_VORTEX_H

#include "frontend/riscv/machine.h"

/* A machine by name or file; a scheme, NULL: its baseline; and settings of parameters,
 * "key=value,...", NULL: none, which messages call LENO_SET. */
struct vortex_machine *vortex_timed_new(const char *gpu, const char *scheme,
                                        const char *settings, struct err *err);

#endif
