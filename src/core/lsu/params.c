/* params.c - the descriptors of core/lsu/params.h. */
#include "core/lsu/params.h"

#define PARAM_OF struct l1_params
const struct param_group l1_param_group =
    PARAM_GROUP("l1", "the first-level data cache of an SM", L1_PARAMS);
#undef PARAM_OF

#define PARAM_OF struct shared_params
const struct param_group shared_param_group =
    PARAM_GROUP("shared", "shared memory of an SM", SHARED_PARAMS);
#undef PARAM_OF

#define PARAM_OF struct lsu_params
const struct param_group lsu_param_group =
    PARAM_GROUP("lsu", "the load/store unit of an SM", LSU_PARAMS);
#undef PARAM_OF

#define PARAM_OF struct const_params
const struct param_group const_param_group =
    PARAM_GROUP("const", "the constant cache of an SM", CONST_PARAMS);
#undef PARAM_OF
