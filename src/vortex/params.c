/* params.c - the tables of vortex/params.h. */
#include "vortex/params.h"

#define PARAM_OF struct vortex_params
const struct param_group vortex_param_group =
    PARAM_GROUP("vortex", "Vortex: cores, their stages and units", VORTEX_PARAMS);
#undef PARAM_OF
#define PARAM_OF struct vxcache_params
const struct param_group vxcache_param_group =
    PARAM_GROUP("vxcache", "Vortex: caches", VXCACHE_PARAMS);
#undef PARAM_OF
#define PARAM_OF struct vxmem_params
const struct param_group vxmem_param_group =
    PARAM_GROUP("vxmem", "Vortex: memory", VXMEM_PARAMS);
#undef PARAM_OF
