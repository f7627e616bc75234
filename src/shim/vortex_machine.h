/* vortex_machine.h - the machine behind a device of libvortex.so.
 *
 * Environment: LENO_GPU, a machine (vortex-4x4); LENO_SCHEME, its issue scheme; LENO_SET,
 * parameters as "key=value key=value"; LENO_FUNCTIONAL=1, no timing.
 */
#ifndef LENO_SHIM_VORTEX_MACHINE_H
#define LENO_SHIM_VORTEX_MACHINE_H

#include "frontend/riscv/machine.h"

struct vortex_machine *vortex_machine_open(struct err *err);

#endif
