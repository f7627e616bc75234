/* launch.h - a launch of a registered kernel, whichever call it came through. */
#ifndef LENO_SHIM_CUDART_LAUNCH_H
#define LENO_SHIM_CUDART_LAUNCH_H

#include "shim/cudart/runtime.h"

/* func: the kernel's address on the host, or its handle. */
cudaError_t launch_kernel(const void *func, const struct launch_shape *s, void **args,
                          bool is_cooperative);
/* A result that stays with the context is a kernel's, not the launch's. */
cudaError_t launch_result(CUresult result);

#endif
