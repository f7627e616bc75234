/* params.c - the descriptors of mem/params.h. */
#include "mem/params.h"

#define PARAM_OF struct l2_params
const struct param_group l2_param_group = PARAM_GROUP(
    "l2", "the second-level cache, in slices at the memory channels", L2_PARAMS);
#undef PARAM_OF

#define PARAM_OF struct dram_params
const struct param_group dram_param_group =
    PARAM_GROUP("dram", "memory channels: address map, banks, timing", DRAM_PARAMS);
#undef PARAM_OF

#define PARAM_OF struct icnt_params
const struct param_group icnt_param_group =
    PARAM_GROUP("icnt", "the crossbar between SMs and slices of L2", ICNT_PARAMS);
#undef PARAM_OF

#define PARAM_OF struct tlb_params
const struct param_group tlb_param_group =
    PARAM_GROUP("tlb", "address translation, in two levels", TLB_PARAMS);
#undef PARAM_OF
