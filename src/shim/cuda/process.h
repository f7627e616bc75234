/* process.h - the one simulated GPU of a process, behind libcuda.so.1.
 *
 * Every exported call is process_enter(), the driver's own call, process_leave(): one
 * thread at a time. The GPU is made by the first call, as LENO_EXEC says.
 */
#ifndef LENO_SHIM_CUDA_PROCESS_H
#define LENO_SHIM_CUDA_PROCESS_H

#include "driver/cuda.h"

/* Takes the lock and makes the process's driver the thread's. Nests. */
void process_enter(void);
/* Gives the lock back. What went wrong in a way that only words can tell (a kernel's
 * fault, code that does not fit, something not offered) is said once on stderr. */
CUresult process_leave(CUresult result);

/* For a call that is not offered: says so, once a name. */
CUresult process_refuse(const char *name);

#endif
