/* process.h - the one simulated GPU of a process, used by libcuda.so.1.
 *
 * Every exported call is process_enter(), the driver's own call, process_leave(): one
 * thread at a time. The GPU is made by the first call, as LENO_EXEC says.
 */
#ifndef LENO_SHIM_CUDA_PROCESS_H
#define LENO_SHIM_CUDA_PROCESS_H

#include "driver/cuda.h"

/* Takes the lock and makes the process's driver the thread's. Nests. */
void process_enter(void);
/* Releases the lock. A failure that the result code does not explain (a kernel's fault,
 * code that does not fit, a call that is not offered) is reported once on stderr. */
CUresult process_leave(CUresult result);
/* The same after a launch: it succeeds where only its kernel fails, as on a GPU, where the
 * kernel has hardly begun by then; every later call returns the kernel's failure. */
CUresult process_leave_launch(CUresult result);

/* For a call that is not offered: says so, once per name, and at the end of the run. */
CUresult process_refuse(const char *name);

/* The same for the runtime's calls; the one name of its own that libcuda.so.1 exports. */
void leno_refuse(const char *name);

#endif
