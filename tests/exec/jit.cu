/* jit.cu - PTX compiled and linked while the program runs, and libraries of kernels. What
 * is printed is what an H200 prints.
 */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#include <string>

static const char *good = R"(
.visible .global .align 4 .u32 var = 7;
.visible .entry triple(.param .u64 p, .param .u32 n)
{
    .reg .u64 a<4>; .reg .u32 r<8>; .reg .pred q;
    ld.param.u64 a0, [p]; ld.param.u32 r0, [n]; mov.u32 r1, %tid.x;
    setp.ge.u32 q, r1, r0;
    @q ret;
    cvta.to.global.u64 a0, a0; mul.wide.u32 a1, r1, 4; add.u64 a0, a0, a1;
    ld.global.u32 r2, [a0]; mul.lo.u32 r2, r2, 3; st.global.u32 [a0], r2;
    ret;
}
)";
static const char *caller = R"(
.extern .func (.param .u32 r) helper(.param .u32 x);
.visible .entry calls(.param .u64 p)
{
    .reg .u64 a; .reg .u32 r<2>;
    ld.param.u64 a, [p]; cvta.to.global.u64 a, a; ld.global.u32 r0, [a];
    {
        .param .u32 q; .param .u32 w;
        st.param.u32 [q], r0;
        call (w), helper, (q);
        ld.param.u32 r1, [w];
    }
    st.global.u32 [a], r1;
    ret;
}
)";
static const char *callee = R"(
.visible .func (.param .u32 r) helper(.param .u32 x)
{
    .reg .u32 a;
    ld.param.u32 a, [x]; add.u32 a, a, 1000; st.param.u32 [r], a;
    ret;
}
)";
static const char *bad = ".visible .entry triple()\n{\n    frob.u32 r0;\n    ret;\n}\n";

static std::string ptx(const char *target, const char *version, const char *body)
{
    return std::string(".version ") + version + "\n.target " + target +
           "\n.address_size 64\n" + body;
}

static const char *name_of(CUresult r)
{
    const char *name = "?";

    cuGetErrorName(r, &name);
    return name;
}

/* The first line of a log, up to where architectures differ, and whether its length is the one that was told. */
static void show_log(const char *what, const char *text, const void *told)
{
    printf("  %s: %.*s%s\n", what, (int)strcspn(text, *what == 'i' ? ",\n" : "\n"), text,
           strlen(text) == (size_t)told ? "" : ", another length");
}

/* The line of a log with a word in it, as far as architectures agree. */
static void show_line(const char *text, const char *word)
{
    const char *at = strstr(text, word);

    if (!at)
        return;
    while (at > text && at[-1] != '\n')
        at--;
    printf("  line: %.*s\n", (int)strcspn(at, "\n"), at);
}

static void load(const char *what, const std::string &text, CUjit_option more,
                 size_t value)
{
    static char info[4096], error[4096];
    CUjit_option options[] = { CU_JIT_INFO_LOG_BUFFER,
                               CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                               CU_JIT_ERROR_LOG_BUFFER,
                               CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, more };
    void *values[] = { info, (void *)sizeof info, error, (void *)sizeof error,
                       (void *)value };
    CUmodule module;
    CUfunction f;
    unsigned n = 0;
    CUresult r;

    *info = *error = '\0';
    r = cuModuleLoadDataEx(&module, text.c_str(), 5, options, values);
    printf("%s: %s\n", what, name_of(r));
    show_log("info", info, values[1]);
    show_log("error", error, values[3]);
    show_line(info, "stack frame");
    if (r)
        return;
    r = cuModuleGetFunction(&f, module, "triple");
    cuModuleGetFunctionCount(&n, module);
    printf("  kernel %s, %u in all\n", name_of(r), n);
    cuModuleUnload(module);
}

/* A log without a line is an empty string; an H200's driver compiles for sm_90a. */
static bool logs_are_good(CUdevice device)
{
    char info[1024];
    CUjit_option options[] = { CU_JIT_INFO_LOG_BUFFER,
                               CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE };
    void *values[] = { info, (void *)sizeof info, (void *)1 };
    std::string text = ptx("sm_75", "7.0", good);
    CUmodule module;
    int major = 0;

    memset(info, 'x', sizeof info);
    if (cuModuleLoadDataEx(&module, text.c_str(), 2, options, values) || *info)
        return false;
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    values[1] = (void *)sizeof info;
    return !cuModuleLoadDataEx(&module, text.c_str(), 3, options, values) &&
           (major != 9 || strstr(info, "for 'sm_90a'"));
}

static CUresult load_with(CUjit_option option)
{
    void *value = NULL;
    CUmodule module;

    return cuModuleLoadDataEx(&module, ptx("sm_75", "7.0", good).c_str(), 1, &option,
                              &value);
}

static int run(CUfunction f)
{
    CUdeviceptr p;
    unsigned n = 1;
    int x = 5;
    void *args[] = { &p, &n };

    cuMemAlloc(&p, 4);
    cuMemcpyHtoD(p, &x, 4);
    if (cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, NULL))
        return -1;
    cuMemcpyDtoH(&x, p, 4);
    cuMemFree(p);
    return x;
}

struct part {
    const char *name;
    std::string text;
    CUjitInputType type;
};

static void link(const char *what, const part *parts, int n)
{
    static char error[4096];
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER,
                               CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { error, (void *)sizeof error };
    CUlinkState state;
    CUmodule module;
    CUfunction f;
    void *cubin;
    size_t size = 0;
    CUresult r;

    *error = '\0';
    printf("link %s: %s\n", what, name_of(cuLinkCreate(2, options, values, &state)));
    for (int i = 0; i < n; i++)
        printf("  add %s: %s\n", parts[i].name,
               name_of(cuLinkAddData(state, parts[i].type, (void *)parts[i].text.c_str(),
                                     parts[i].text.size() + 1, parts[i].name, 0, NULL,
                                     NULL)));
    r = cuLinkComplete(state, &cubin, &size);
    printf("  complete: %s\n", name_of(r));
    if (*error)
        printf("  error: %.*s\n", (int)strcspn(error, "\n"), error);
    if (!r) {
        r = cuModuleLoadData(&module, cubin);
        printf("  load: %s\n", name_of(r));
        r = cuModuleGetFunction(&f, module, "calls");
        printf("  kernel: %s\n", name_of(r));
        if (!r)
            printf("  result: %d\n", run(f));
        printf("  again: %s\n", name_of(cuLinkComplete(state, &cubin, &size)));
    }
    printf("  destroy: %s\n", name_of(cuLinkDestroy(state)));
}

static void links(void)
{
    part use = { "uses.ptx", ptx("sm_75", "7.0", caller), CU_JIT_INPUT_PTX };
    part help = { "helper", ptx("sm_75", "7.0", callee), CU_JIT_INPUT_PTX };
    part none = { "none.ptx", "nothing", CU_JIT_INPUT_PTX };
    part cubin = { "none.cubin", "nothing", CU_JIT_INPUT_CUBIN };
    part both[] = { use, help };
    CUlinkState state;

    link("of two", both, 2);
    link("of one", both, 1);
    link("of none", both, 0);
    link("of a text", &none, 1);
    cuLinkCreate(0, NULL, NULL, &state);
    printf("a cubin of text: %s\n",
           name_of(cuLinkAddData(state, cubin.type, (void *)cubin.text.c_str(), 8,
                                 cubin.name, 0, NULL, NULL)));
    printf("no file: %s\n", name_of(cuLinkAddFile(state, CU_JIT_INPUT_PTX,
                                                  "/nowhere.ptx", 0, NULL, NULL)));
    printf("no kind: %s\n", name_of(cuLinkAddData(state, (CUjitInputType)77,
                                                  (void *)"x", 1, "n", 0, NULL, NULL)));
    printf("no data: %s\n", name_of(cuLinkAddData(state, CU_JIT_INPUT_PTX, NULL, 0, "n",
                                                  0, NULL, NULL)));
    printf("destroy: %s, %s\n", name_of(cuLinkDestroy(state)),
           name_of(cuLinkDestroy(NULL)));
}

static void libraries(CUdevice device)
{
    std::string text = ptx("sm_75", "7.0", good);
    CUlibrary library, of;
    CUkernel kernel, other, all[2] = {};
    CUmodule module;
    CUfunction f, same;
    CUdeviceptr at;
    size_t bytes, offset;
    unsigned n = 0;
    int value = 0;
    const char *name = NULL;

    printf("library: %s\n", name_of(cuLibraryLoadData(&library, text.c_str(), NULL,
                                                      NULL, 0, NULL, NULL, 0)));
    printf("kernel: %s", name_of(cuLibraryGetKernel(&kernel, library, "triple")));
    printf(", %s\n", name_of(cuLibraryGetKernel(&other, library, "nothing")));
    cuLibraryGetKernelCount(&n, library);
    printf("kernels: %s", name_of(cuLibraryEnumerateKernels(all, 2, library)));
    printf(", %u, the same %d\n", n, all[0] == kernel);
    printf("variable: %s", name_of(cuLibraryGetGlobal(&at, &bytes, library, "var")));
    printf(", %zu bytes\n", bytes);
    printf("module: %s\n", name_of(cuLibraryGetModule(&module, library)));
    cuModuleGetFunction(&same, module, "triple");
    printf("function: %s", name_of(cuKernelGetFunction(&f, kernel)));
    printf(", the same %d\n", f == same);
    printf("its library: %s", name_of(cuKernelGetLibrary(&of, kernel)));
    printf(", the same %d\n", of == library);
    printf("its name: %s", name_of(cuKernelGetName(&name, kernel)));
    printf(", %s\n", name);
    printf("set: %s", name_of(cuKernelSetAttribute(
                          CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000,
                          kernel, device)));
    cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f);
    printf(", %d", value);
    cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device);
    printf(", %d threads\n", value);
    printf("parameter: %s", name_of(cuKernelGetParamInfo(kernel, 1, &offset, &bytes)));
    printf(", %zu %zu\n", offset, bytes);
    printf("result: %d\n", run((CUfunction)kernel));
    printf("unload: %s", name_of(cuModuleUnload(module)));
    printf(", %s\n", name_of(cuLibraryUnload(library)));
    printf("no file: %s\n", name_of(cuLibraryLoadFromFile(&library, "/nowhere", NULL,
                                                          NULL, 0, NULL, NULL, 0)));
    text = ptx("sm_75", "7.0", bad);
    printf("bad: %s\n", name_of(cuLibraryLoadData(&library, text.c_str(), NULL, NULL, 0,
                                                  NULL, NULL, 0)));
}

/* The same by the runtime's calls. */
static void runtime_libraries(void)
{
    std::string text = ptx("sm_75", "7.0", good);
    cudaLibrary_t library;
    cudaKernel_t kernel, other, all[2] = {};
    unsigned n = 0;
    size_t bytes = 0;
    int *at, value = 5;
    unsigned one = 1;
    void *variable, *args[] = { &at, &one };
    cudaFuncAttributes attributes;

    printf("runtime: %s", cudaGetErrorName(cudaLibraryLoadData(
                              &library, text.c_str(), NULL, NULL, 0, NULL, NULL, 0)));
    printf(", %s", cudaGetErrorName(cudaLibraryGetKernel(&kernel, library, "triple")));
    printf(", %s\n",
           cudaGetErrorName(cudaLibraryGetKernel(&other, library, "nothing")));
    cudaLibraryGetKernelCount(&n, library);
    cudaLibraryEnumerateKernels(all, 2, library);
    cudaLibraryGetGlobal(&variable, &bytes, library, "var");
    printf("runtime: %u kernels, the same %d, variable of %zu bytes\n", n,
           all[0] == kernel, bytes);
    printf("runtime: %s",
           cudaGetErrorName(cudaFuncGetAttributes(&attributes, (const void *)kernel)));
    printf(", %d threads\n", attributes.maxThreadsPerBlock);
    cudaMalloc(&at, 4);
    cudaMemcpy(at, &value, 4, cudaMemcpyHostToDevice);
    printf("runtime: %s", cudaGetErrorName(cudaLaunchKernel(
                              (const void *)kernel, dim3(1), dim3(1), args, 0, 0)));
    cudaMemcpy(&value, at, 4, cudaMemcpyDeviceToHost);
    printf(", result %d\n", value);
    printf("runtime: %s", cudaGetErrorName(cudaLibraryUnload(library)));
    printf(", %s\n", cudaGetErrorName(cudaFuncGetAttributes(&attributes, &value)));
    cudaFree(at);
}

int main(void)
{
    CUjit_option none = CU_JIT_CACHE_MODE;
    CUdevice device;
    CUcontext context;
    CUmodule module;

    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    if (!logs_are_good(device))
        return 1;
    load("good", ptx("sm_75", "7.0", good), none, 0);
    load("good again", ptx("sm_75", "7.0", good), none, 0);
    load("verbose", ptx("sm_75", "7.0", good), CU_JIT_LOG_VERBOSE, 1);
    load("after a comment", "// text\n" + ptx("sm_75", "7.0", good), none, 0);
    load("few registers", ptx("sm_75", "7.0", good), CU_JIT_MAX_REGISTERS, 32);
    load("for another GPU", ptx("sm_75", "7.0", good), CU_JIT_TARGET, 100);
    load("target too high", ptx("sm_121", "8.8", good), none, 0);
    load("version too high", ptx("sm_75", "99.0", good), none, 0);
    load("bad instruction", ptx("sm_75", "7.0", bad), none, 0);
    load("unresolved", ptx("sm_75", "7.0", caller), none, 0);
    load("text", "hello, this is not PTX", none, 0);
    load("empty", "", none, 0);
    printf("unknown option: %s\n", name_of(load_with((CUjit_option)999)));
    printf("no file: %s\n", name_of(cuModuleLoad(&module, "/nowhere.ptx")));
    links();
    libraries(device);
    runtime_libraries();
    return 0;
}
