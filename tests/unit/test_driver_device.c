/* test_driver_device.c - what the driver says about the device: an H200's answers as they
 * were measured, and the figures of the other architectures.
 */
#include <string.h>

#include "check.h"
#include "driver/device.h"
#include "driver/driver.h"

#define OK(call)          assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(code, call) assert_int_equal(call, CUDA_ERROR_##code)

static struct driver *new_driver(enum sass_arch arch)
{
    struct driver_config config = { .arch = arch };
    struct driver *d = driver_new(&config, NULL);

    assert_non_null(d);
    return d;
}

static int setup(void **state)
{
    CUcontext context;

    *state = new_driver(SM90);
    driver_make_current(*state);
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    return 0;
}

static int teardown(void **state)
{
    driver_free(*state);
    return 0;
}

static int attribute(CUdevice_attribute a)
{
    int value = -1;

    OK(cuDeviceGetAttribute(&value, a, 0));
    return value;
}

static void device_answers_by_architecture(void **state)
{
    static const int sms[] = { 34, 108, 46, 128, 132, 148, 170 };
    static const int shared[] = {
        65536, 166912, 101376, 101376, 232448, 232448, 101376
    };
    static const int capability[] = { 75, 80, 86, 89, 90, 100, 120 };
    static const int threads[] = { 1024, 2048, 1536, 1536, 2048, 2048, 1536 };
    static const int gib[] = { 16, 40, 16, 24, 0, 180, 32 };
    char name[8];
    size_t bytes;
    int major, minor, value;

    (void)state;
    for (int a = 0; a < N_SASS_ARCH; a++) {
        struct driver *d = new_driver((enum sass_arch)a);

        driver_make_current(d);
        OK(cuInit(0));
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT), sms[a]);
        assert_int_equal(
            attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            shared[a]);
        assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
                         threads[a]);
        OK(cuDeviceComputeCapability(&major, &minor, 0));
        assert_int_equal(10 * major + minor, capability[a]);
        OK(cuDeviceTotalMem(&bytes, 0));
        assert_int_equal(bytes, a == SM90 ? 150109880320 : (size_t)gib[a] << 30);
        OK(cuDeviceGetName(name, sizeof name, 0));
        assert_string_equal(name, a == SM90    ? "Leno H2"
                                  : a == SM80  ? "Leno A1"
                                  : a == SM100 ? "Leno B2"
                                               : "Leno RT");
        FAILS(INVALID_DEVICE, cuDeviceGetName(name, sizeof name, 1));
        FAILS(INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, 0));
        driver_free(d);
    }
}

/* What an H200 answered, and how the driver comes to its own answer. */
static const struct {
    CUdevice_attribute attribute;
    int measured;
    const char *value;
} on_h200[] = {
#define ATTRIBUTE(name, number, measured, value) \
    { CU_DEVICE_ATTRIBUTE_##name, measured, #value },
#include "driver/attributes.def"
#undef ATTRIBUTE
};

static void h200_answers_as_the_real_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof on_h200 / sizeof *on_h200; i++) {
        int value = attribute(on_h200[i].attribute);

        if (!strcmp(on_h200[i].value, "MISSING"))
            assert_int_equal(value, 0);
        else if (on_h200[i].attribute ==
                 CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES)
            assert_int_equal(value, on_h200[i].measured & ~CU_MEM_HANDLE_TYPE_FABRIC);
        else if (on_h200[i].attribute != CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID)
            assert_int_equal(value, on_h200[i].measured);
    }
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT), 3);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS), 1);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED), 1);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS), 1);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED), 1);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED), 1);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED), 0);
}

/* As much as an H200 has, of which the host backs only what is touched. */
static void memory_is_as_large_as_the_device(void **state)
{
    CUdeviceptr at;
    size_t free_bytes, total;

    (void)state;
    OK(cuMemGetInfo(&free_bytes, &total));
    assert_int_equal(total, 150109880320);
    OK(cuMemAlloc(&at, (size_t)20 << 30));
    OK(cuMemsetD8(at + ((size_t)19 << 30), 1, 4096));
    FAILS(OUT_OF_MEMORY, cuMemAlloc(&at, total - ((size_t)20 << 30)));
}

/* What an H200 accepts and refuses, for created and for default streams. */
static void streams_keep_attributes(void **state)
{
    static const CUlaunchAttributeID window = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                                     policy =
                                         CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
                                     priority = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    CUlaunchAttributeValue v = { 0 }, got;
    CUstream streams[] = { NULL, CU_STREAM_PER_THREAD, NULL };

    (void)state;
    OK(cuStreamCreateWithPriority(&streams[2], 0, -2));
    for (int i = 0; i < 3; i++) {
        memset(&v, 0, sizeof v);
        v.accessPolicyWindow = (CUaccessPolicyWindow){ &v, 1 << 20, 0.5f, 2, 1 };
        OK(cuStreamSetAttribute(streams[i], window, &v));
        OK(cuStreamGetAttribute(streams[i], window, &got));
        assert_int_equal(got.accessPolicyWindow.num_bytes, 1 << 20);
        v.accessPolicyWindow.hitRatio = 1.5f;
        FAILS(INVALID_VALUE, cuStreamSetAttribute(streams[i], window, &v));
        v.accessPolicyWindow = (CUaccessPolicyWindow){ &v, 1 << 20, 0.5f, 2, 2 };
        FAILS(INVALID_VALUE, cuStreamSetAttribute(streams[i], window, &v));
        v.accessPolicyWindow = (CUaccessPolicyWindow){ &v, 200 << 20, 1, 2, 1 };
        FAILS(INVALID_VALUE, cuStreamSetAttribute(streams[i], window, &v));
        v.syncPolicy = 9;
        FAILS(INVALID_VALUE, cuStreamSetAttribute(streams[i], policy, &v));
        v.syncPolicy = 2;
        OK(cuStreamSetAttribute(streams[i], policy, &v));
        FAILS(INVALID_VALUE,
              cuStreamGetAttribute(streams[i], (CUlaunchAttributeID)2, &v));
    }
    OK(cuStreamGetAttribute(streams[2], priority, &got));
    assert_int_equal(got.priority, -2);
    v.priority = -9;
    OK(cuStreamSetAttribute(streams[2], priority, &v));
    OK(cuStreamCopyAttributes(NULL, streams[2]));
    OK(cuStreamGetAttribute(NULL, priority, &got));
    assert_int_equal(got.priority, -5);
}

/* What cudaOccupancyMaxActiveClusters said on an H200. */
static void clusters_fit_as_on_the_real_one(void **state)
{
    static const uint32_t cluster[] = { 1, 2, 3, 4, 8, 12, 16 };
    static const struct {
        uint32_t blocks_per_sm, clusters[7];
    } rows[] = {
        { 1, { 132, 66, 39, 30, 15, 7, 7 } },
        { 2, { 264, 132, 79, 62, 30, 16, 14 } },
        { 3, { 396, 198, 124, 92, 45, 28, 21 } },
        { 8, { 1056, 528, 327, 248, 124, 74, 58 } },
        { 32, { 1056, 528, 327, 248, 124, 74, 58 } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 7; k++)
            assert_int_equal(device_clusters(132, rows[i].blocks_per_sm, cluster[k]),
                             rows[i].clusters[k]);
    assert_int_equal(device_clusters(4, 1, 8), 0);
    assert_int_equal(device_clusters(4, 2, 2), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_answers_by_architecture),
        cmocka_unit_test(clusters_fit_as_on_the_real_one),
        cmocka_unit_test_setup_teardown(h200_answers_as_the_real_one, setup, teardown),
        cmocka_unit_test_setup_teardown(streams_keep_attributes, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_is_as_large_as_the_device, setup,
                                        teardown),
    };

    return cmocka_run_group_tests_name("driver device", tests, NULL, NULL);
}
