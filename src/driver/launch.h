/* launch.h - the parameters of kernels, for launches and for nodes of graphs. */
#ifndef LENO_DRIVER_LAUNCH_H
#define LENO_DRIVER_LAUNCH_H

#include "driver/internal.h"

/* Packs parameters, given one by one or as a buffer, into memory that the caller frees;
 * w->function says what they are for. */
CUresult launch_pack_params(struct driver *d, struct kernel_work *w, void **params,
                            void **extra);

/* Applies an attribute to a launch; false if it is unknown or cannot have its value. */
bool launch_take_attribute(struct kernel_work *w, const CUlaunchAttribute *a);

#endif
