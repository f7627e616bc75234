/* system.cu - a kernel that calls a system function of the vendor's which Leno does not
 * have: refused by its name when it is called.
 */
#include <cuda.h>

#include "check.h"

static const char text[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                           ".extern .func __cuda_syscall_frobnicate;\n"
                           ".visible .entry calls()\n"
                           "{ call.uni __cuda_syscall_frobnicate; ret; }\n"
                           ".visible .entry does_not()\n{ ret; }\n";

int main()
{
    CUmodule module;
    CUfunction f;

    GOOD(cudaFree(0));
    CHECK(!cuModuleLoadData(&module, text));
    CHECK(!cuModuleGetFunction(&f, module, "does_not"));
    CHECK(!cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    CHECK(!cuCtxSynchronize());
    CHECK(!cuModuleGetFunction(&f, module, "calls"));
    CHECK(!cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, NULL, NULL));
    CHECK(cuCtxSynchronize());
    return 0;
}
