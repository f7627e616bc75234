/* test_driver.c - the driver interface: results, handles, memory, modules, launches.
 * The expected results are those of an H200's driver, where they could be compared.
 * Kernels are not executed: the launch hook looks at what it is given. Run from the
 * root of the repository, where the test's cubins are found.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "driver/driver.h"
#include "frontend/sass/exec/exec.h"

#define CUBIN_90          "tests/data/driver/sm_90.cubin"
#define CUBIN_75          "tests/data/driver/sm_75.cubin"
#define OK(call)          assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal(call, CUDA_ERROR_##code)

struct rig {
    struct driver *driver;
    CUcontext context;
    int n_launches;
    enum err_code fail_with; /* ERR_NONE: succeed */
    struct sass_launch seen;
    uint8_t params[4096];
    int constants[4];
};

static int hook(void *to, const struct sass_launch *l, struct driver_cost *cost,
                struct err *err)
{
    struct rig *r = to;

    r->n_launches++;
    r->seen = *l;
    memcpy(r->params, l->params, l->params_size);
    if (l->module->bank3.size >= sizeof r->constants)
        memcpy(r->constants, l->module->bank3.data, sizeof r->constants);
    *cost = (struct driver_cost){ 10, 320, 1, 2000000 };
    return r->fail_with ? err_kind(err, r->fail_with, "kernel k: trouble") : 0;
}

static struct driver *new_driver(struct rig *r, enum sass_arch arch)
{
    struct driver_config config = { .arch = arch, .launch = hook, .launch_to = r };
    struct driver *d = driver_new(&config, NULL);

    assert_non_null(d);
    return d;
}

static int setup(void **state)
{
    struct rig *r = calloc(1, sizeof *r);

    r->driver = new_driver(r, SM90);
    driver_make_current(r->driver);
    OK(cuInit(0));
    OK(cuCtxCreate(&r->context, 0, 0));
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct rig *r = *state;

    driver_free(r->driver);
    assert_null(driver_current());
    free(r);
    return 0;
}

static const char *words(const struct rig *r)
{
    return driver_last_error(r->driver)->text;
}

static void calls_need_a_driver_and_cuinit(void **state)
{
    struct rig r = { 0 };
    struct driver *d;
    CUcontext c;
    int n;

    (void)state;
    driver_make_current(NULL);
    FAILS(NO_DEVICE, cuInit(0));
    FAILS(NOT_INITIALIZED, cuDeviceGetCount(&n));
    FAILS(NOT_INITIALIZED, cuCtxSynchronize());
    d = new_driver(&r, SM75);
    driver_make_current(d);
    FAILS(NOT_INITIALIZED, cuDeviceGetCount(&n));
    FAILS(INVALID_VALUE, cuInit(1));
    OK(cuInit(0));
    OK(cuDeviceGetCount(&n));
    assert_int_equal(n, 1);
    FAILS(INVALID_CONTEXT, cuCtxSynchronize());
    OK(cuCtxCreate(&c, 0, 0));
    OK(cuCtxSynchronize());
    driver_free(d);
}

static void results_have_names_and_words(void **state)
{
    const char *text = NULL;

    (void)state;
    OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    OK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    assert_non_null(strstr(text, "memory"));
    FAILS(INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
    assert_null(text);
}

static void contexts_are_a_stack(void **state)
{
    struct rig *r = *state;
    CUcontext a, b, got;

    OK(cuCtxCreate(&a, 0, 0));
    OK(cuCtxGetCurrent(&got));
    assert_ptr_equal(got, a);
    OK(cuCtxPopCurrent(&got));
    assert_ptr_equal(got, a);
    OK(cuCtxGetCurrent(&got));
    assert_ptr_equal(got, r->context);
    OK(cuCtxPushCurrent(a));
    OK(cuCtxSetCurrent(NULL));
    OK(cuCtxGetCurrent(&got));
    assert_ptr_equal(got, r->context);
    OK(cuCtxDestroy(a));
    FAILS(INVALID_CONTEXT, cuCtxSetCurrent(a));
    FAILS(INVALID_CONTEXT, cuCtxDestroy(a));
    OK(cuDevicePrimaryCtxRetain(&a, 0));
    OK(cuDevicePrimaryCtxRetain(&b, 0));
    assert_ptr_equal(a, b);
    FAILS(INVALID_CONTEXT, cuCtxDestroy(a));
    OK(cuDevicePrimaryCtxRelease(0));
    OK(cuCtxSetCurrent(a));
    OK(cuDevicePrimaryCtxRelease(0));
    FAILS(INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    FAILS(INVALID_CONTEXT, cuCtxPushCurrent(a));
    FAILS(INVALID_CONTEXT, cuCtxSynchronize());
    FAILS(INVALID_CONTEXT, cuCtxPopCurrent(&got));
}

static void limits_are_kept(void **state)
{
    size_t value;

    (void)state;
    OK(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    assert_int_equal(value, 8 << 20);
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
    OK(cuCtxGetLimit(&value, CU_LIMIT_MALLOC_HEAP_SIZE));
    assert_int_equal(value, 1 << 20);
    OK(cuCtxGetLimit(&value, CU_LIMIT_MAX_L2_FETCH_GRANULARITY));
    assert_int_equal(value, 64);
    OK(cuCtxGetLimit(&value, CU_LIMIT_SHMEM_SIZE));
    assert_int_equal(value, 232448);
    FAILS(NOT_PERMITTED, cuCtxSetLimit(CU_LIMIT_SHMEM_SIZE, 1024));
    FAILS(INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 1000));
    OK(cuCtxGetLimit(&value, CU_LIMIT_PERSISTING_L2_CACHE_SIZE));
    assert_int_equal(value, 11796480);
    OK(cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 1 << 20));
    OK(cuCtxGetLimit(&value, CU_LIMIT_PERSISTING_L2_CACHE_SIZE));
    assert_int_equal(value, 3932160);
    FAILS(UNSUPPORTED_LIMIT, cuCtxGetLimit(&value, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH));
    FAILS(INVALID_VALUE, cuCtxSetLimit((CUlimit)99, 1));
    FAILS(INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, SIZE_MAX));
}

static void stale_and_foreign_handles_are_refused(void **state)
{
    struct rig *r = *state, other = { 0 };
    struct driver *d;
    CUstream stream;
    CUevent event, again;
    CUcontext context;
    int on_stack = 0;

    OK(cuEventCreate(&event, 0));
    OK(cuEventDestroy(event));
    FAILS(INVALID_HANDLE, cuEventDestroy(event));
    FAILS(INVALID_HANDLE, cuEventRecord(event, NULL));
    OK(cuEventCreate(&again, 0));
    assert_ptr_not_equal(again, event);
    FAILS(INVALID_HANDLE, cuEventQuery(event));
    FAILS(INVALID_HANDLE, cuEventQuery((CUevent)&on_stack));
    FAILS(INVALID_HANDLE, cuEventQuery(NULL));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    FAILS(INVALID_HANDLE, cuEventRecord((CUevent)(void *)stream, NULL));
    FAILS(INVALID_HANDLE, cuEventRecord(again, (CUstream)(void *)again));
    OK(cuEventRecord(again, stream));
    FAILS(INVALID_HANDLE, cuStreamDestroy(NULL));
    FAILS(INVALID_HANDLE, cuModuleUnload((CUmodule)&on_stack));
    d = new_driver(&other, SM90);
    driver_make_current(d);
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuStreamCreate(&stream, 0)); /* a slot of the same number */
    FAILS(INVALID_HANDLE, cuEventQuery(again));
    FAILS(INVALID_CONTEXT, cuCtxSetCurrent(r->context));
    driver_free(d);
    driver_make_current(r->driver);
    OK(cuEventQuery(again));
    assert_non_null(strstr(words(r), "not a live"));
}

static void memory_is_checked_and_zeroed(void **state)
{
    struct rig *r = *state;
    CUdeviceptr a, b, start;
    size_t before, after, total, size;
    uint32_t word = 1;

    OK(cuMemGetInfo(&before, &total));
    FAILS(INVALID_VALUE, cuMemAlloc(&a, 0));
    FAILS(OUT_OF_MEMORY, cuMemAlloc(&a, (size_t)1 << 40));
    assert_int_equal(a, 0);
    OK(cuMemAlloc(&a, 1000));
    assert_int_equal(a % 256, 0);
    assert_true(a > UINT32_MAX);
    OK(cuMemcpyDtoH(&word, a + 996, 4));
    assert_int_equal(word, 0);
    OK(cuMemGetAddressRange(&start, &size, a + 5));
    assert_int_equal(start, a);
    assert_int_equal(size, 1000);
    FAILS(NOT_FOUND, cuMemGetAddressRange(&start, &size, a + 1000));
    FAILS(INVALID_VALUE, cuMemFree(a + 256));
    OK(cuMemFree(a));
    FAILS(INVALID_VALUE, cuMemFree(a));
    assert_non_null(strstr(words(r), "cuMemFree"));
    OK(cuMemFree(0));
    OK(cuMemAllocPitch(&b, &size, 100, 10, 4));
    assert_true(size >= 100 && size % 256 == 0);
    OK(cuMemFree(b));
    FAILS(INVALID_VALUE, cuMemAllocPitch(&b, &size, 100, 10, 3));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before);
}

static void host_and_managed_memory_share_addresses(void **state)
{
    CUdeviceptr managed, device;
    unsigned type;
    void *host;
    int *p;

    (void)state;
    OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    p = (int *)(uintptr_t)managed;
    *p = 42;
    OK(cuMemsetD8(managed + 4, 1, 4));
    assert_int_equal(p[0], 42);
    assert_int_equal(p[1], 0x01010101);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
    assert_int_equal(type, 1);
    OK(cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&device, host, 0));
    OK(cuMemsetD32(device, 5, 1));
    assert_int_equal(*(int *)host, 5);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    FAILS(INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                               (CUdeviceptr)(uintptr_t)&type));
    FAILS(INVALID_VALUE, cuMemFree(device));
    FAILS(INVALID_VALUE, cuMemFreeHost(p));
    OK(cuMemFreeHost(host));
    OK(cuMemFreeHost(NULL));
    OK(cuMemHostAlloc(&host, 0, 0));
    assert_null(host);
    FAILS(INVALID_VALUE, cuMemHostAlloc(&host, 64, 0x80));
    FAILS(INVALID_VALUE, cuMemAllocManaged(&device, 64, 0));
    OK(cuMemFree(managed));
}

static void copies_stay_in_allocations(void **state)
{
    CUdeviceptr a, b;
    int in[4] = { 1, 2, 3, 4 }, out[4] = { 0 };

    (void)state;
    OK(cuMemAlloc(&a, sizeof in));
    OK(cuMemAlloc(&b, sizeof in));
    OK(cuMemcpyHtoD(a, in, sizeof in));
    OK(cuMemcpyDtoD(b, a, sizeof in));
    OK(cuMemcpyDtoH(out, b, sizeof out));
    assert_memory_equal(in, out, sizeof in);
    OK(cuMemcpy((CUdeviceptr)(uintptr_t)out, a + 8, 8));
    assert_int_equal(out[0], 3);
    OK(cuMemcpyHtoDAsync(a, in, 4, CU_STREAM_PER_THREAD));
    OK(cuMemcpyHtoD(a, NULL, 0));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(a, NULL, 4));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(a, in, sizeof in + 1));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(a + 8, in, 9));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(out, a + 1, SIZE_MAX));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(out, 0, 4));
    FAILS(INVALID_VALUE, cuMemcpyDtoD(b, 64, 4));
    FAILS(INVALID_HANDLE, cuMemcpyDtoHAsync(out, a, 4, (CUstream)(void *)out));
}

static void copies_2d_take_rectangles(void **state)
{
    uint8_t in[6 * 8], out[6 * 8] = { 0 };
    CUdeviceptr a;
    size_t pitch;
    CUDA_MEMCPY2D m = { 0 };

    (void)state;
    for (unsigned i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)i;
    OK(cuMemAllocPitch(&a, &pitch, 8, 6, 4));
    m.srcMemoryType = CU_MEMORYTYPE_HOST;
    m.srcHost = in;
    m.srcPitch = 8;
    m.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    m.dstDevice = a;
    m.dstPitch = pitch;
    m.WidthInBytes = 8;
    m.Height = 6;
    OK(cuMemcpy2D(&m));
    m = (CUDA_MEMCPY2D){ .srcXInBytes = 2,
                         .srcY = 1,
                         .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                         .srcDevice = a,
                         .srcPitch = pitch,
                         .dstMemoryType = CU_MEMORYTYPE_HOST,
                         .dstHost = out,
                         .dstPitch = 8,
                         .WidthInBytes = 4,
                         .Height = 3 };
    OK(cuMemcpy2DAsync(&m, NULL));
    assert_memory_equal(out, in + 10, 4);
    assert_memory_equal(out + 16, in + 26, 4);
    assert_int_equal(out[4], 0);
    m.Height = 6;
    FAILS(INVALID_VALUE, cuMemcpy2D(&m));
    m.Height = 5;
    OK(cuMemcpy2D(&m));
    m.srcXInBytes = pitch - 3;
    FAILS(INVALID_VALUE, cuMemcpy2D(&m));
    m.srcXInBytes = 0;
    m.srcY = SIZE_MAX;
    FAILS(INVALID_VALUE, cuMemcpy2D(&m));
    m.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    FAILS(INVALID_HANDLE, cuMemcpy2D(&m)); /* not an array */
}

static void fills_write_elements(void **state)
{
    CUdeviceptr a;
    uint16_t half[8];
    uint8_t byte[16];

    (void)state;
    OK(cuMemAlloc(&a, 16));
    OK(cuMemsetD16(a, 0x1234, 8));
    OK(cuMemcpyDtoH(half, a, 16));
    assert_int_equal(half[0], 0x1234);
    assert_int_equal(half[7], 0x1234);
    OK(cuMemsetD2D8(a, 8, 0xee, 3, 2));
    OK(cuMemcpyDtoH(byte, a, 16));
    assert_int_equal(byte[2], 0xee);
    assert_int_equal(byte[3], 0x12);
    assert_int_equal(byte[10], 0xee);
    assert_int_equal(byte[11], 0x12);
    FAILS(INVALID_VALUE, cuMemsetD16(a, 1, 9));
    FAILS(INVALID_VALUE, cuMemsetD32(a + 2, 1, 1));
    FAILS(INVALID_VALUE, cuMemsetD32(a, 1, SIZE_MAX));
    FAILS(INVALID_VALUE, cuMemsetD2D8(a, 8, 0, 9, 2));
    FAILS(INVALID_VALUE, cuMemsetD2D8(a, SIZE_MAX / 2, 0, 1, 4));
    OK(cuMemsetD8(a, 1, 0));
}

static void modules_are_cubins_for_the_device(void **state)
{
    struct rig *r = *state;
    CUmodule m;
    CUfunction f;
    struct file image;

    FAILS(FILE_NOT_FOUND, cuModuleLoad(&m, "tests/data/driver/none.cubin"));
    FAILS(NO_BINARY_FOR_GPU, cuModuleLoad(&m, CUBIN_75));
    assert_non_null(strstr(words(r), "sm_75"));
    FAILS(NO_BINARY_FOR_GPU,
          cuModuleLoadData(&m, "\x50\xed\x55\xba\1\0\x10\0\0\0\0\0\0\0\0"));
    assert_non_null(strstr(words(r), "it holds nothing"));
    setenv("CUDA_HOME", "/nowhere", 1);
    FAILS(JIT_COMPILER_NOT_FOUND, cuModuleLoadData(&m, "//\n.version 8.0\n"));
    assert_non_null(strstr(words(r), "ptxas is not in /nowhere/bin (CUDA_HOME)"));
    unsetenv("CUDA_HOME");
    FAILS(INVALID_IMAGE, cuModuleLoadData(&m, "// no version"));
    FAILS(INVALID_IMAGE, cuModuleLoadData(&m, ""));
    FAILS(INVALID_VALUE, cuModuleLoadData(&m, NULL));
    assert_int_equal(file_read(CUBIN_90, 1 << 20, &image, NULL), 0);
    FAILS(INVALID_IMAGE, driver_module_load(&m, "cut", image.data, image.size / 2));
    OK(cuModuleLoadData(&m, image.data));
    memset(image.data, 0, image.size); /* the driver has its own copy */
    file_free(&image);
    OK(cuModuleGetFunction(&f, m, "mixed"));
    FAILS(NOT_FOUND, cuModuleGetFunction(&f, m, "mixd"));
    OK(cuModuleUnload(m));
    FAILS(INVALID_HANDLE, cuModuleUnload(m));
    FAILS(INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

static void variables_have_addresses(void **state)
{
    struct rig *r = *state;
    CUmodule m;
    CUfunction f;
    CUdeviceptr at, zeros;
    size_t bytes;
    int value, table[4] = { 0 };
    void *params[1];

    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetGlobal(&at, &bytes, m, "counter"));
    assert_int_equal(bytes, 4);
    OK(cuMemcpyDtoH(&value, at, 4));
    assert_int_equal(value, 7);
    OK(cuModuleGetGlobal(&zeros, &bytes, m, "zeros"));
    assert_int_equal(bytes, 256);
    FAILS(NOT_FOUND, cuModuleGetGlobal(&zeros, &bytes, m, "ones"));
    OK(cuModuleGetGlobal(&at, &bytes, m, "table"));
    assert_int_equal(bytes, 16);
    OK(cuMemcpyDtoH(table, at, 16));
    assert_int_equal(table[3], 4);
    table[2] = 99;
    OK(cuMemcpyHtoD(at, table, 16));
    params[0] = &zeros;
    OK(cuModuleGetFunction(&f, m, "bounded"));
    OK(cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    assert_memory_equal(r->constants, table, 16);
    OK(cuModuleUnload(m));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(&value, zeros, 4));
}

/* Two launches of the same kernel, parameters given both ways. */
static void parameters_are_packed(void **state)
{
    struct rig *r = *state;
    struct pair {
        char a;
        double b;
    } c = { 'c', 2.5 };
    char a = 'a';
    short b = 0x1234;
    CUdeviceptr out = 0x123456789a;
    void *params[] = { &a, &b, &c, &out };
    uint8_t first[32];
    size_t size = sizeof first;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, first,
                      CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };
    CUmodule m;
    CUfunction f;

    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetFunction(&f, m, "mixed"));
    OK(cuLaunchKernel(f, 7, 6, 5, 4, 3, 2, 16, NULL, params, NULL));
    assert_int_equal(r->seen.params_size, 32);
    assert_int_equal(r->params[0], 'a');
    assert_int_equal(r->params[2] | r->params[3] << 8, 0x1234);
    assert_int_equal(r->params[8], 'c');
    assert_memory_equal(r->params + 16, &c.b, 8);
    assert_memory_equal(r->params + 24, &out, 8);
    assert_int_equal(r->seen.grid[0] * 100 + r->seen.grid[1] * 10 + r->seen.grid[2],
                     765);
    assert_int_equal(r->seen.block[0] * 100 + r->seen.block[1] * 10 + r->seen.block[2],
                     432);
    assert_int_equal(r->seen.dynamic_shared, 16);
    assert_int_equal(r->seen.cluster[0], 1);
    assert_int_equal(r->seen.n_sms, 132);
    assert_string_equal(r->seen.kernel->info->name, "mixed");
    memcpy(first, r->params, 32);
    memset(r->params, 0, 32);
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    assert_memory_equal(r->params, first, 32);
    size = 33;
    FAILS(LAUNCH_OUT_OF_RESOURCES,
          cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    size = 24; /* the pointer is left out */
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    assert_memory_equal(r->params, first, 24);
    assert_memory_equal(r->params + 24, "\0\0\0\0\0\0\0", 8);
    size = 32;
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, extra));
    extra[2] = (void *)7;
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    params[2] = NULL;
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    assert_int_equal(r->n_launches, 3);
    assert_int_equal(driver_totals(r->driver)->launches, 3);
    assert_int_equal(driver_totals(r->driver)->cost.thread_insts, 960);
}

static CUresult shape(CUfunction f, unsigned gx, unsigned gz, unsigned bx, unsigned bz)
{
    return cuLaunchKernel(f, gx, 1, gz, bx, 1, bz, 0, NULL, NULL, NULL);
}

static void launches_are_checked(void **state)
{
    struct rig *r = *state;
    CUdeviceptr out = 0;
    void *params[] = { &out };
    CUmodule m;
    CUfunction nothing, bounded, shared;
    int value;

    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetFunction(&nothing, m, "nothing"));
    OK(cuModuleGetFunction(&bounded, m, "bounded"));
    OK(cuModuleGetFunction(&shared, m, "shared"));
    OK(shape(nothing, 0x7fffffff, 1, 1024, 1));
    FAILS(INVALID_VALUE, shape(nothing, 0, 1, 1, 1));
    FAILS(INVALID_VALUE, shape(nothing, 0x80000000, 1, 1, 1));
    FAILS(INVALID_VALUE, shape(nothing, 1, 65536, 1, 1));
    FAILS(INVALID_VALUE, shape(nothing, 1, 1, 1025, 1));
    FAILS(INVALID_VALUE, shape(nothing, 1, 1, 1, 65));
    FAILS(INVALID_VALUE, shape(nothing, 1, 1, 512, 3));
    FAILS(INVALID_VALUE, shape(nothing, 1, 1, 0, 1));
    OK(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE,
          cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, NULL, params, NULL));
    assert_non_null(strstr(words(r), "at most 64 threads"));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded));
    assert_int_equal(value, 64);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, shared));
    assert_int_equal(value, 4096);
    OK(cuLaunchKernel(shared, 1, 1, 1, 1024, 1, 1, 45056, NULL, params, NULL));
    FAILS(INVALID_VALUE,
          cuLaunchKernel(shared, 1, 1, 1, 1024, 1, 1, 45057, NULL, params, NULL));
    OK(cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          232448 - 4096));
    OK(cuLaunchKernel(shared, 1, 1, 1, 1024, 1, 1, 232448 - 4096, NULL, params, NULL));
    FAILS(INVALID_VALUE,
          cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             232449 - 4096));
    FAILS(INVALID_VALUE, cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_NUM_REGS, 3));
}

static void occupancy_follows_the_scarcest_resource(void **state)
{
    CUmodule m;
    CUfunction f, shared;
    int blocks;

    (void)state;
    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetFunction(&f, m, "nothing"));
    OK(cuModuleGetFunction(&shared, m, "shared"));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 0));
    assert_int_equal(blocks, 32); /* block slots */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 1024, 0));
    assert_int_equal(blocks, 2); /* warps */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 100000));
    assert_int_equal(blocks, 0); /* not without asking for it */
    OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 200000));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 100000));
    assert_int_equal(blocks, 2); /* shared memory */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 288, 0));
    assert_int_equal(blocks, 7); /* 9 warps each */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared, 32, 0));
    assert_int_equal(blocks, 32); /* 5 KB each: 45 would fit */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 300000));
    assert_int_equal(blocks, 0);
    OK(cuLaunchCooperativeKernel(f, 2 * 132, 1, 1, 1024, 1, 1, 0, NULL, NULL));
    FAILS(COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(f, 2 * 132 + 1, 1, 1, 1024, 1, 1, 0, NULL, NULL));
}

static void attributes_of_a_launch_count(void **state)
{
    struct rig *r = *state;
    CUlaunchAttribute a[2] = { { .id = CU_LAUNCH_ATTRIBUTE_PRIORITY } };
    CUlaunchConfig c = { 8, 2, 1, 32, 1, 1, 64, NULL, a, 2 };
    CUmodule m;
    CUfunction f;

    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetFunction(&f, m, "nothing"));
    a[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    a[1].value.clusterDim.x = 4;
    a[1].value.clusterDim.y = 2;
    a[1].value.clusterDim.z = 1;
    OK(cuLaunchKernelEx(&c, f, NULL, NULL));
    assert_int_equal(r->seen.grid[0] * 100 + r->seen.grid[1], 802);
    assert_int_equal(r->seen.cluster[0] * 100 + r->seen.cluster[1], 402);
    assert_int_equal(r->seen.dynamic_shared, 64);
    c.gridDimX = 9;
    FAILS(INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&c, f, NULL, NULL));
    c.gridDimX = a[1].value.clusterDim.x = 16;
    FAILS(INVALID_CLUSTER_SIZE, cuLaunchKernelEx(&c, f, NULL, NULL));
    a[1].value.clusterDim.x = 0;
    FAILS(INVALID_VALUE, cuLaunchKernelEx(&c, f, NULL, NULL));
    a[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    a[1].value.cooperative = 1;
    OK(cuLaunchKernelEx(&c, f, NULL, NULL));
    c.gridDimX = 132 * 32 + 1;
    FAILS(COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchKernelEx(&c, f, NULL, NULL));
    a[1].id = (CUlaunchAttributeID)7;
    FAILS(INVALID_VALUE, cuLaunchKernelEx(&c, f, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernelEx(NULL, f, NULL, NULL));
}

static void a_failed_kernel_stays_with_its_context(void **state)
{
    struct rig *r = *state;
    CUcontext fresh;
    CUdeviceptr at;
    CUmodule m;
    CUfunction f;
    CUevent event;
    int count;

    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetFunction(&f, m, "nothing"));
    OK(cuEventCreate(&event, 0));
    r->fail_with = ERR_FAULT;
    FAILS(ILLEGAL_ADDRESS, shape(f, 1, 1, 1, 1));
    FAILS(ILLEGAL_ADDRESS, cuEventDestroy(event));
    FAILS(ILLEGAL_ADDRESS, cuModuleUnload(m));
    OK(cuDeviceGetCount(&count));
    assert_int_equal(driver_last_error(r->driver)->code, ERR_FAULT);
    assert_non_null(strstr(words(r), "kernel k: trouble"));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    FAILS(ILLEGAL_ADDRESS, cuMemAlloc(&at, 4));
    FAILS(ILLEGAL_ADDRESS, shape(f, 1, 1, 1, 1));
    assert_int_equal(r->n_launches, 1);
    assert_non_null(strstr(words(r), "kernel k: trouble"));
    OK(cuCtxCreate(&fresh, 0, 0));
    OK(cuMemAlloc(&at, 4));
    OK(cuCtxDestroy(fresh));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    OK(cuCtxDestroy(r->context));
    FAILS(INVALID_CONTEXT, cuCtxSynchronize());
}

static void failures_have_their_kind(void **state)
{
    static const struct {
        enum err_code kind;
        CUresult result;
    } rows[] = { { ERR_UNSUPPORTED, CUDA_ERROR_ILLEGAL_INSTRUCTION },
                 { ERR_DEADLOCK, CUDA_ERROR_LAUNCH_TIMEOUT },
                 { ERR_INPUT, CUDA_ERROR_LAUNCH_FAILED } };
    struct rig *r = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CUcontext c;
        CUmodule m;
        CUfunction f;

        OK(cuCtxCreate(&c, 0, 0));
        OK(cuModuleLoad(&m, CUBIN_90));
        OK(cuModuleGetFunction(&f, m, "nothing"));
        r->fail_with = rows[i].kind;
        assert_int_equal(shape(f, 1, 1, 1, 1), rows[i].result);
        assert_int_equal(driver_last_error(r->driver)->code, rows[i].kind);
        OK(cuCtxDestroy(c));
        FAILS(INVALID_HANDLE, cuModuleUnload(m));
    }
}

static void events_read_the_device_clock(void **state)
{
    CUevent a, b, untimed;
    CUmodule m;
    CUfunction f;
    float ms = -1;

    (void)state;
    OK(cuModuleLoad(&m, CUBIN_90));
    OK(cuModuleGetFunction(&f, m, "nothing"));
    OK(cuEventCreate(&a, 0));
    OK(cuEventCreate(&b, 0));
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, a, b));
    OK(cuEventRecord(a, NULL));
    OK(shape(f, 1, 1, 1, 1));
    OK(shape(f, 1, 1, 1, 1));
    OK(cuEventRecord(b, NULL));
    OK(cuEventSynchronize(b));
    OK(cuEventElapsedTime(&ms, a, b));
    assert_true(ms > 3.999f && ms < 4.001f);
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(untimed, NULL));
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, a, untimed));
    FAILS(INVALID_VALUE, cuEventCreate(&untimed, 0x80));
    OK(cuStreamWaitEvent(NULL, b, 0));
    OK(cuStreamQuery(CU_STREAM_LEGACY));
}

#define WITH_RIG(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_need_a_driver_and_cuinit),
        cmocka_unit_test(results_have_names_and_words),
        WITH_RIG(contexts_are_a_stack),
        WITH_RIG(limits_are_kept),
        WITH_RIG(stale_and_foreign_handles_are_refused),
        WITH_RIG(memory_is_checked_and_zeroed),
        WITH_RIG(host_and_managed_memory_share_addresses),
        WITH_RIG(copies_stay_in_allocations),
        WITH_RIG(copies_2d_take_rectangles),
        WITH_RIG(fills_write_elements),
        WITH_RIG(modules_are_cubins_for_the_device),
        WITH_RIG(variables_have_addresses),
        WITH_RIG(parameters_are_packed),
        WITH_RIG(launches_are_checked),
        WITH_RIG(occupancy_follows_the_scarcest_resource),
        WITH_RIG(attributes_of_a_launch_count),
        WITH_RIG(a_failed_kernel_stays_with_its_context),
        WITH_RIG(failures_have_their_kind),
        WITH_RIG(events_read_the_device_clock),
    };

    return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
