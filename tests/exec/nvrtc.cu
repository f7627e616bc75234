/* nvrtc.cu - the vendor's NVRTC, which needs no GPU, and Leno's driver: a kernel compiled
 * from source, named by an expression.
 */
#include <cuda.h>
#include <nvrtc.h>

#include <string>

#include "check.h"

int main(void)
{
    const char *source = "#include \"factor.h\"\n"
                         "template <int N> __global__ void scale(float *p)\n"
                         "{ p[threadIdx.x] *= N * FACTOR; }\n";
    const char *header = "#define FACTOR 2\n", *header_name = "factor.h";
    const char *option = "--gpu-architecture=compute_75", *name = NULL;
    float h[2] = { 1, 2 };
    nvrtcProgram program;
    std::string ptx;
    size_t n = 0;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUdeviceptr d;
    void *args[] = { &d };

    CHECK(!nvrtcCreateProgram(&program, source, "s.cu", 1, &header, &header_name));
    CHECK(!nvrtcAddNameExpression(program, "scale<3>"));
    CHECK(!nvrtcCompileProgram(program, 1, &option));
    CHECK(!nvrtcGetLoweredName(program, "scale<3>", &name));
    CHECK(!nvrtcGetPTXSize(program, &n));
    ptx.resize(n);
    CHECK(!nvrtcGetPTX(program, &ptx[0]));
    CHECK(!cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(!cuCtxSetCurrent(context));
    CHECK(!cuModuleLoadDataEx(&module, ptx.c_str(), 0, NULL, NULL));
    CHECK(!cuModuleGetFunction(&f, module, name));
    CHECK(!nvrtcDestroyProgram(&program));
    CHECK(!cuMemAlloc(&d, sizeof h) && !cuMemcpyHtoD(d, h, sizeof h));
    CHECK(!cuLaunchKernel(f, 1, 1, 1, 2, 1, 1, 0, 0, args, NULL));
    CHECK(!cuMemcpyDtoH(h, d, sizeof h));
    CHECK(h[0] == 6 && h[1] == 12);
    puts("nvrtc: good");
    return 0;
}
