/* params.c - the tables of an SM's parameters. */
#include "core/params.h"

#define PARAM_OF struct core_params
const struct param_group core_param_group =
    PARAM_GROUP("core", "capacity of an SM; which hazards count", CORE_PARAMS);
#undef PARAM_OF
#define PARAM_OF struct fetch_params
const struct param_group fetch_param_group =
    PARAM_GROUP("fetch", "instruction fetch and its caches", FETCH_PARAMS);
#undef PARAM_OF
#define PARAM_OF struct regfile_params
const struct param_group regfile_param_group =
    PARAM_GROUP("regfile", "how operands are read", REGFILE_PARAMS);
#undef PARAM_OF
#define PARAM_OF struct sched_params
const struct param_group sched_param_group =
    PARAM_GROUP("sched", "the warp scheduler", SCHED_PARAMS);
#undef PARAM_OF
#define PARAM_OF struct class_params
const struct param_group class_param_group = PARAM_GROUP(
    "class", "unit, latency and initiation interval of each instruction class",
    CLASS_PARAMS);
#undef PARAM_OF

void class_timing(const struct class_params *p, struct unit_timing t[N_INST_CLASS])
{
#define CLASS(id, help)                                                         \
    t[CLASS_##id] =                                                             \
        (struct unit_timing){ (uint8_t)p->id##_pipe, (uint16_t)p->id##_latency, \
                              (uint16_t)p->id##_interval };
    INST_CLASSES(CLASS)
#undef CLASS
}
