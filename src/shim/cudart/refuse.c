/* refuse.c - every name that libcudart exports, refused by name. The definitions are
 * weak: the other files take the place of those that are offered. Arguments are
 * ignored, so their types do not matter.
 */
#include "shim/cudart/runtime.h"

#define NAME(name)                                \
    __attribute__((weak)) cudaError_t name(void); \
    cudaError_t name(void)                        \
    {                                             \
        return runtime_refuse(#name);             \
    }
#include "shim/cudart/names.def"
#undef NAME
