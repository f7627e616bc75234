/* refuse.c - every name that libcuda.so.1 exports, refused by name. The definitions are
 * weak: calls.c and special.c take the place of those that are offered. Arguments are
 * ignored, so their types do not matter.
 */
#include "shim/cuda/process.h"

#define NAME(name)                                    \
    __attribute__((weak)) CUresult shim_##name(void); \
    CUresult shim_##name(void)                        \
    {                                                 \
        return process_refuse(#name);                 \
    }
#include "shim/cuda/names.def"
#undef NAME
