/* test_driver_calls.c - calls of the driver that programs reach through the runtime:
 * registered memory, streams' properties, occupancy, fat binaries, what a launch hands
 * over. Kernels are not executed: the launch hook looks at what it is given.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "driver/driver.h"
#include "frontend/sass/exec/exec.h"
#include "frontend/sass/load/fatbin.h"

#define CUBIN             "tests/data/driver/sm_75.cubin"
#define OK(call)          assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal(call, CUDA_ERROR_##code)

struct rig {
    struct driver *driver;
    CUcontext context;
    CUmodule module;
    struct sass_launch seen;
    uint32_t barrier; /* of a cooperative launch, as the kernel would find it */
    char *host;       /* what the kernel would look up */
    bool can_reach;
};

static int hook(void *to, const struct sass_launch *l, struct driver_cost *cost,
                struct err *err)
{
    struct rig *r = to;
    uint32_t *workspace = l->workspace ? space_at(l->space, l->workspace) : NULL;

    (void)err;
    r->seen = *l;
    r->can_reach = r->host && space_at(l->space, (uint64_t)(uintptr_t)r->host);
    r->barrier = workspace ? workspace[1]++ : 77;
    *cost = (struct driver_cost){ 10, 320, 1, 1000 };
    return 0;
}

static int setup(void **state)
{
    struct rig *r = calloc(1, sizeof *r);
    struct driver_config config = { .arch = SM75, .launch = hook, .launch_to = r };

    r->driver = driver_new(&config, NULL);
    driver_make_current(r->driver);
    OK(cuInit(0));
    OK(cuCtxCreate(&r->context, 0, 0));
    OK(cuModuleLoad(&r->module, CUBIN));
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct rig *r = *state;

    driver_free(r->driver);
    free(r);
    return 0;
}

static CUfunction function(struct rig *r, const char *name)
{
    CUfunction f;

    OK(cuModuleGetFunction(&f, r->module, name));
    return f;
}

static void registered_memory_is_where_it_was(void **state)
{
    struct rig *r = *state;
    char *memory = malloc(1000);
    CUfunction nothing = function(r, "nothing");
    CUdeviceptr at = 0;
    unsigned type;

    r->host = memory + 999;
    OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_false(r->can_reach);
    FAILS(INVALID_VALUE, cuMemHostGetDevicePointer(&at, memory, 0));
    OK(cuMemHostRegister(memory, 1000, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_true(r->can_reach);
    OK(cuMemHostGetDevicePointer(&at, memory + 5, 0));
    assert_true(at == (uintptr_t)memory + 5);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(memory + 900, 1000, 0));
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory + 1));
    OK(cuMemHostUnregister(memory));
    OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_false(r->can_reach);
    FAILS(INVALID_VALUE, cuMemHostRegister(NULL, 8, 0));
    FAILS(INVALID_VALUE, cuMemHostRegister(memory, 0, 0));
    FAILS(INVALID_VALUE, cuMemHostRegister(memory, 8, 0x100));
    free(memory);
}

static void a_cooperative_launch_has_a_barrier_of_zero(void **state)
{
    struct rig *r = *state;
    CUfunction nothing = function(r, "nothing");

    OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(r->seen.workspace, 0);
    for (int i = 0; i < 2; i++) { /* whatever the one before left there */
        OK(cuLaunchCooperativeKernel(nothing, 4, 1, 1, 32, 1, 1, 0, NULL, NULL));
        assert_int_not_equal(r->seen.workspace, 0);
        assert_int_equal(r->barrier, 0);
    }
}

static void limits_and_the_heap_go_with_a_launch(void **state)
{
    struct rig *r = *state;
    CUfunction nothing = function(r, "nothing");
    struct sass_heap *heap;

    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 5000));
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
    OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(r->seen.stack_bytes, 5000);
    assert_int_equal(r->seen.heap_bytes, 1 << 20);
    heap = r->seen.heap;
    assert_non_null(heap);
    OK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_ptr_equal(r->seen.heap,
                     heap); /* what one kernel allocates, the next frees */
}

static void streams_tell_how_they_were_made(void **state)
{
    unsigned long long number, other;
    CUcontext c, current;
    CUstream s;
    CUdevice dev;
    unsigned flags;
    int priority, least, greatest;

    (void)state;
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    OK(cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, greatest - 10));
    OK(cuStreamGetPriority(s, &priority));
    assert_int_equal(priority, greatest);
    OK(cuStreamGetFlags(s, &flags));
    assert_int_equal(flags, CU_STREAM_NON_BLOCKING);
    OK(cuStreamGetFlags(NULL, &flags));
    assert_int_equal(flags, 0);
    OK(cuCtxGetCurrent(&current));
    OK(cuStreamGetCtx(s, &c));
    assert_ptr_equal(c, current);
    OK(cuStreamGetCtx(NULL, &c));
    assert_ptr_equal(c, current);
    OK(cuStreamGetDevice(s, &dev));
    assert_int_equal(dev, 0);
    OK(cuStreamGetId(s, &number));
    OK(cuStreamGetId(NULL, &other));
    assert_true(number != other);
    OK(cuCtxGetId(current, &number));
    OK(cuCtxGetId(NULL, &other));
    assert_true(number == other);
    FAILS(INVALID_VALUE, cuCtxGetId(NULL, NULL));
    OK(cuStreamDestroy(s));
    FAILS(INVALID_HANDLE, cuStreamGetFlags(s, &flags));
    FAILS(INVALID_HANDLE, cuStreamGetId(s, &number));
    FAILS(INVALID_VALUE, cuStreamGetPriority(NULL, NULL));
}

static void occupancy_follows_from_resources(void **state)
{
    struct rig *r = *state;
    CUfunction f = function(r, "shared"), bounded = function(r, "bounded");
    int blocks, grid, block;
    size_t bytes, offset, size;
    const char *name;

    /* 4 KB of static shared memory, 64 KB and 32 warps an SM */
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, f, 32, 0, 0));
    assert_int_equal(blocks, 16);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 32, 12 << 10));
    assert_int_equal(blocks, 4);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 4, 32));
    assert_int_equal(bytes, 12 << 10);
    FAILS(INVALID_VALUE, cuOccupancyAvailableDynamicSMemPerBlock(&bytes, f, 17, 32));
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, bounded, NULL, 0, 0));
    assert_int_equal(block, 64);
    assert_int_equal(grid, 34 * 16);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
    assert_int_equal(block * (grid / 34), 1024);
    OK(cuFuncGetName(&name, f));
    assert_string_equal(name, "shared");
    OK(cuFuncGetParamInfo(function(r, "mixed"), 2, &offset, &size));
    assert_int_equal(offset, 8);
    assert_int_equal(size, 16);
    FAILS(INVALID_VALUE, cuFuncGetParamInfo(f, 1, &offset, &size));
}

static void a_fat_binary_gives_the_cubin_of_the_device(void **state)
{
    struct file cubin;
    struct buf fat = { 0 };
    uint64_t head[8] = { 0 };
    CUmodule m;
    CUfunction f;

    (void)state;
    assert_int_equal(file_read(CUBIN, 1 << 20, &cubin, NULL), 0);
    head[0] = 2 | 0x101 << 16 | (uint64_t)64 << 32;
    head[1] = cubin.size;
    head[3] = (uint64_t)75 << 32;
    buf_add(&fat, "\x50\xed\x55\xba\1\0\x10\0", 8);
    buf_add(&fat, &(uint64_t){ cubin.size + sizeof head }, 8);
    buf_add(&fat, head, sizeof head);
    buf_add(&fat, cubin.data, cubin.size);
    OK(cuModuleLoadData(&m, fat.data));
    OK(cuModuleGetFunction(&f, m, "mixed"));
    OK(cuModuleUnload(m));
    fat.data[FATBIN_HEADER + 28] = 86; /* for another device now */
    FAILS(NO_BINARY_FOR_GPU, cuModuleLoadFatBinary(&m, fat.data));
    fat.data[FATBIN_HEADER + 8] ^= 1; /* an entry longer than the rest */
    FAILS(INVALID_IMAGE, cuModuleLoadData(&m, fat.data));
    file_free(&cubin);
    buf_free(&fat);
}

static void advice_is_for_managed_memory(void **state)
{
    CUdeviceptr managed, plain;
    char name[32];
    int can;
    CUdevice dev;

    (void)state;
    OK(cuMemAllocManaged(&managed, 1000, CU_MEM_ATTACH_GLOBAL));
    OK(cuMemAllocAsync(&plain, 1000, NULL));
    OK(cuMemPrefetchAsync(managed, 1000, 0, NULL));
    OK(cuMemAdvise(managed + 10, 100, 1, 0));
    FAILS(INVALID_VALUE, cuMemPrefetchAsync(managed, 1001, 0, NULL));
    FAILS(INVALID_VALUE, cuMemAdvise(plain, 1000, 1, 0));
    OK(cuMemFreeAsync(plain, NULL));
    FAILS(INVALID_VALUE, cuMemFreeAsync(plain, NULL));
    OK(cuDeviceCanAccessPeer(&can, 0, 0));
    assert_int_equal(can, 0);
    FAILS(INVALID_DEVICE, cuDeviceCanAccessPeer(&can, 0, 1));
    OK(cuDeviceGetPCIBusId(name, sizeof name, 0));
    OK(cuDeviceGetByPCIBusId(&dev, name));
    FAILS(INVALID_VALUE, cuDeviceGetPCIBusId(name, 5, 0));
    FAILS(INVALID_DEVICE, cuDeviceGetByPCIBusId(&dev, "0000:01:00.0"));
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(registered_memory_is_where_it_was),
        TEST(a_cooperative_launch_has_a_barrier_of_zero),
        TEST(limits_and_the_heap_go_with_a_launch),
        TEST(streams_tell_how_they_were_made),
        TEST(occupancy_follows_from_resources),
        TEST(a_fat_binary_gives_the_cubin_of_the_device),
        TEST(advice_is_for_managed_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
