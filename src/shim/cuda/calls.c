/* calls.c - the calls that libcuda.so.1 offers: the driver's, one thread at a time.
 *
 * Definitions begin with shim_, since the driver's own have the vendor's names; the
 * linker's names are given when the library is made (Makefile).
 */
#include "shim/cuda/process.h"

#define CALL(name, parameters, arguments)     \
    CUresult shim_##name parameters;          \
    CUresult shim_##name parameters           \
    {                                         \
        process_enter();                      \
        return process_leave(name arguments); \
    }
#define LAUNCH(name, parameters, arguments)          \
    CUresult shim_##name parameters;                 \
    CUresult shim_##name parameters                  \
    {                                                \
        process_enter();                             \
        return process_leave_launch(name arguments); \
    }
#define ALIAS(name, call) \
    extern __typeof__(shim_##call) shim_##name __attribute__((alias("shim_" #call)));
#include "shim/cuda/calls.def"
#undef CALL
#undef LAUNCH
#undef ALIAS
