/* test_vortex_host.c - Vortex's host interface: devices, buffers and their places,
 * launches, what is refused. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "frontend/riscv/machine.h"
#include "shim/vortex.h"
#include "shim/vortex_memory.h"
#include "tests/riscv/args.h"

static const char kernel_file[] = "tests/riscv/args.vxbin";

static vx_device_h open_device(const char *gpu)
{
    vx_device_h device = NULL;

    setenv("LENO_GPU", gpu, 1);
    assert_int_equal(vx_dev_open(&device), 0);
    return device;
}

static void capabilities(void **state)
{
    static const uint64_t expected[] = {
        0, 16, 8, 2, 64, (uint64_t)1 << 32, 16384, 0x1340901121, 2, (uint64_t)1 << 31
    };
    vx_device_h device = open_device("vortex-8x16x2");
    uint64_t value;

    (void)state;
    for (uint32_t id = 0; id < 10; id++) {
        assert_int_equal(vx_dev_caps(device, id, &value), 0);
        assert_int_equal(value, expected[id]);
    }
    assert_int_equal(vx_dev_caps(device, 10, &value), -1);
    assert_int_equal(vx_dev_caps(device, 0, NULL), -1);
    assert_int_equal(vx_dev_close(device), 0);
}

static void names_of_machines(void **state)
{
    static const char *const bad[] = { "vortex",         "vortex-",        "vortex-4",
                                       "vortex-4x",      "vortex-4x4x",    "vortex-x4",
                                       "vortex-4x-4",    "vortex-4x4x1x1", "rtx2060s",
                                       "vortex-4x70000", "vortex-4 x4",    "" };
    struct vortex_machine m;
    vx_device_h device;

    (void)state;
    assert_int_equal(vortex_shape("vortex-16x4", &m, NULL), 0);
    assert_int_equal(m.n_warps, 16);
    assert_int_equal(m.n_threads, 4);
    assert_int_equal(m.n_cores, 1);
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++)
        assert_int_equal(vortex_shape(bad[n], &m, NULL), -1);
    setenv("LENO_GPU", "vortex-4", 1);
    assert_int_equal(vx_dev_open(&device), -1);
}

static uint64_t alloc(struct vortex_allocator *a, uint64_t size)
{
    uint64_t addr;

    assert_int_equal(vortex_alloc(a, size, &addr, NULL), 0);
    return addr;
}

/* As Vortex's runtime: units of 64, pages of 4096, the newest page first. */
static void places_of_buffers(void **state)
{
    struct vortex_allocator a = { 0 };
    uint64_t addr;

    (void)state;
    assert_int_equal(alloc(&a, 1), 0x10000);
    assert_int_equal(alloc(&a, 65), 0x10040);
    assert_int_equal(alloc(&a, 4096), 0x11000); /* the first page has less */
    assert_int_equal(alloc(&a, 100), 0x100c0);
    assert_int_equal(alloc(&a, 5000), 0x12000);
    assert_int_equal(alloc(&a, 64), 0x133c0); /* what the newest page has left */
    assert_int_equal(vortex_used(&a), 64 + 128 + 4096 + 128 + 5056 + 64);
    assert_int_equal(alloc(&a, 3200), 0x10140); /* an older one has more */
    assert_true(vortex_release(&a, 0x10040));
    assert_int_equal(alloc(&a, 3072), 0x13400); /* all of the newest, to its end */
    assert_int_equal(alloc(&a, 64), 0x10040);   /* the smallest gap of the oldest */
    assert_false(vortex_release(&a, 0x10001));
    assert_int_equal(vortex_alloc(&a, 0, &addr, NULL), -1);
    assert_int_equal(vortex_alloc(&a, UINT64_MAX, &addr, NULL), -1);
    assert_int_equal(vortex_alloc(&a, 0x7fff0000, &addr, NULL), -1);
    vortex_allocator_free(&a);
}

static void pages_come_back(void **state)
{
    struct vortex_allocator a = { 0 };
    uint64_t first = alloc(&a, 4096), second = alloc(&a, 4096), third = alloc(&a, 8192);

    (void)state;
    assert_true(vortex_release(&a, second)); /* not the last: its page stays */
    assert_int_equal(alloc(&a, 8192), third + 8192);
    assert_int_equal(alloc(&a, 64), second);
    assert_true(vortex_release(&a, third + 8192));
    assert_true(vortex_release(&a, third));
    assert_int_equal(alloc(&a, 8192), third);
    assert_true(vortex_release(&a, third));
    assert_true(vortex_release(&a, second));
    assert_true(vortex_release(&a, first));
    assert_int_equal(alloc(&a, 64), first);
    assert_int_equal(vortex_used(&a), 64);
    vortex_allocator_free(&a);
}

static void reserved_places(void **state)
{
    struct vortex_allocator a = { 0 };

    (void)state;
    assert_int_equal(vortex_reserve(&a, 0x80000000, 0x3000, NULL), 0);
    assert_int_equal(vortex_reserve(&a, 0x80002fff, 1, NULL), -1);
    assert_int_equal(vortex_reserve(&a, 0x80003000, 1, NULL), 0);
    assert_int_equal(vortex_reserve(&a, 0x7fffffff, 2, NULL), -1);
    assert_int_equal(vortex_reserve(&a, 0xffffffff, 2, NULL), -1);
    assert_int_equal(vortex_reserve(&a, 0x1000, 0, NULL), -1);
    assert_int_equal(alloc(&a, 64), 0x10000);
    assert_int_equal(vortex_reserve(&a, 0x10fff, 1, NULL), -1); /* an open page */
    assert_true(vortex_release(&a, 0x80000000));
    assert_int_equal(vortex_reserve(&a, 0x80001000, 0x1000, NULL), 0);
    vortex_allocator_free(&a);
}

static void copies(void **state)
{
    vx_device_h device = open_device("vortex-4x4");
    uint8_t out[4] = { 1, 2, 3, 4 }, in[4] = { 0 };
    uint64_t addr, free_before, free_after, used;
    vx_buffer_h a, b;

    (void)state;
    assert_int_equal(vx_mem_info(device, &free_before, &used), 0);
    assert_int_equal(used, 0);
    assert_int_equal(vx_mem_alloc(device, 100, VX_MEM_READ_WRITE, &a), 0);
    assert_int_equal(vx_mem_info(device, &free_after, &used), 0);
    assert_int_equal(used, 128);
    assert_int_equal(free_before - free_after, 128);
    assert_int_equal(vx_mem_address(a, &addr), 0);
    assert_int_equal(addr, 0x10000);
    assert_int_equal(vx_copy_to_dev(a, out, 96, 4), 0);
    assert_int_equal(vx_copy_to_dev(a, out, 97, 4), -1);
    assert_int_equal(vx_copy_to_dev(a, out, UINT64_MAX, 4), -1);
    assert_int_equal(vx_copy_from_dev(in, a, 95, 4), 0);
    assert_memory_equal(in, ((uint8_t[]){ 0, 1, 2, 3 }), 4);
    assert_int_equal(vx_copy_from_dev(in, a, 97, 4), -1);
    assert_int_equal(vx_mem_access(a, 0, 100, VX_MEM_READ), 0);
    assert_int_equal(vx_mem_access(a, 1, 100, VX_MEM_READ), -1);
    assert_int_equal(vx_mem_reserve(device, 0x20000, 64, VX_MEM_READ, &b), 0);
    assert_int_equal(vx_mem_address(b, &addr), 0);
    assert_int_equal(addr, 0x20000);
    assert_int_equal(vx_mem_free(a), 0);
    assert_int_equal(vx_mem_free(NULL), 0);
    assert_int_equal(vx_dev_close(device), 0); /* with a buffer left */
}

static void registers(void **state)
{
    vx_device_h device = open_device("vortex-4x4");
    uint32_t value;

    (void)state;
    assert_int_equal(vx_dcr_read(device, 1, &value), 0);
    assert_int_equal(value, 0x80000000);
    assert_int_equal(vx_dcr_write(device, 5, 2), 0);
    assert_int_equal(vx_dcr_read(device, 5, &value), 0);
    assert_int_equal(value, 2);
    assert_int_equal(vx_dcr_write(device, 4096, 2), -1);
    assert_int_equal(vx_dcr_read(device, 4096, &value), -1);
    assert_int_equal(vx_dev_close(device), 0);
}

static void occupancy(void **state)
{
    vx_device_h device = open_device("vortex-8x4");
    uint32_t bytes;

    (void)state;
    assert_int_equal(vx_check_occupancy(device, 32, &bytes), 0);
    assert_int_equal(bytes, 16384);
    assert_int_equal(vx_check_occupancy(device, 9, &bytes),
                     0); /* three warps, two fit */
    assert_int_equal(bytes, 8192);
    assert_int_equal(vx_check_occupancy(device, 1, &bytes), 0);
    assert_int_equal(bytes, 2048);
    assert_int_equal(vx_check_occupancy(device, 33, &bytes), -1);
    assert_int_equal(vx_check_occupancy(device, 0, &bytes), -1);
    assert_int_equal(vx_dev_close(device), 0);
}

static void launches(void **state)
{
    enum { N = 50 };
    vx_device_h device = open_device("vortex-4x4");
    uint32_t a[N], b[N], sum[N], start;
    vx_buffer_h buffer, kernel, again, arguments;
    struct args args = { N, 0x10000, 0x10000 + 64 * 4, 0x10000 + 2 * 64 * 4 };
    uint64_t value;

    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        a[i] = 7 * i;
        b[i] = i ^ 21;
    }
    assert_int_equal(vx_mem_alloc(device, 3 * 64 * 4, VX_MEM_READ_WRITE, &buffer), 0);
    assert_int_equal(vx_copy_to_dev(buffer, a, 0, sizeof a), 0);
    assert_int_equal(vx_copy_to_dev(buffer, b, 64 * 4, sizeof b), 0);
    assert_int_equal(vx_upload_kernel_file(device, kernel_file, &kernel), 0);
    assert_int_equal(vx_upload_kernel_file(device, kernel_file, &again), -1);
    assert_int_equal(vx_upload_bytes(device, &args, sizeof args, &arguments), 0);
    assert_int_equal(vx_start(device, kernel, arguments), 0);
    assert_int_equal(vx_ready_wait(device, 1000), 0);
    assert_int_equal(vx_copy_from_dev(sum, buffer, 2 * 64 * 4, sizeof sum), 0);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(sum[i], a[i] + b[i]);
    assert_int_equal(vx_dcr_read(device, 1, &start), 0);
    assert_int_equal(start, 0x80000000);
    assert_int_equal(vx_mpm_query(device, 0xb00, 0, &value), 0);
    assert_true(value > 1000);
    assert_int_equal(vx_mpm_query(device, 0xb00, 1, &value), -1);
    assert_int_equal(vx_mpm_query(device, 0xb20, 0, &value), -1);
    assert_int_equal(vx_start(device, NULL, arguments), -1);
    assert_int_equal(vx_start(device, arguments, arguments), -1); /* no code there */
    assert_int_equal(vx_upload_kernel_file(device, "nowhere", &again), -1);
    assert_int_equal(vx_upload_kernel_bytes(device, "short", 5, &again), -1);
    assert_int_equal(vx_mem_free(kernel), 0);
    assert_int_equal(vx_upload_kernel_file(device, kernel_file, &again), 0);
    assert_int_equal(vx_start(device, again, arguments), 0);
    assert_int_equal(vx_dev_close(device), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capabilities),      cmocka_unit_test(names_of_machines),
        cmocka_unit_test(places_of_buffers), cmocka_unit_test(pages_come_back),
        cmocka_unit_test(reserved_places),   cmocka_unit_test(copies),
        cmocka_unit_test(registers),         cmocka_unit_test(occupancy),
        cmocka_unit_test(launches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
