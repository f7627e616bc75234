/* gpu.c - the table of config/gpu.h. */
#include "config/gpu.h"

#define PARAM_OF struct gpu_params
const struct param_group gpu_param_group =
    PARAM_GROUP("gpu", "the GPU as a whole", GPU_PARAMS);
#undef PARAM_OF
