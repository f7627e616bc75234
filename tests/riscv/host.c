/* host.c - a host as one is written for Vortex: buffers, a kernel, its results. Built
 * against vortex.h and libvortex.so only.
 * usage: host KERNEL */
#include <vortex.h>

#include "args.h"

enum { N = 100 };

#define CHECK(call)                             \
    if (call) {                                 \
        fprintf(stderr, "failed: %s\n", #call); \
        return 1;                               \
    }

int main(int argc, char **argv)
{
    uint32_t a[N], b[N], sum[N];
    uint64_t at[3], cycles, instrs;
    vx_buffer_h buffers[3], kernel, arguments;
    vx_device_h device;
    struct args args;

    if (argc != 2)
        return 2;
    for (uint32_t i = 0; i < N; i++) {
        a[i] = i * i;
        b[i] = 1000 - i;
    }
    CHECK(vx_dev_open(&device));
    for (int k = 0; k < 3; k++) {
        CHECK(vx_mem_alloc(device, sizeof a, VX_MEM_READ_WRITE, &buffers[k]));
        CHECK(vx_mem_address(buffers[k], &at[k]));
    }
    CHECK(vx_copy_to_dev(buffers[0], a, 0, sizeof a));
    CHECK(vx_copy_to_dev(buffers[1], b, 0, sizeof b));
    args = (struct args){ N, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2] };
    CHECK(vx_upload_kernel_file(device, argv[1], &kernel));
    CHECK(vx_upload_bytes(device, &args, sizeof args, &arguments));
    for (int launch = 0; launch < 2; launch++) {
        CHECK(vx_start(device, kernel, arguments));
        CHECK(vx_ready_wait(device, VX_MAX_TIMEOUT));
    }
    CHECK(vx_copy_from_dev(sum, buffers[2], 0, sizeof sum));
    for (uint32_t i = 0; i < N; i++)
        if (sum[i] != a[i] + b[i]) {
            fprintf(stderr, "sum %u is %u, expected %u\n", i, sum[i], a[i] + b[i]);
            return 1;
        }
    CHECK(vx_mpm_query(device, 0xb00, 0, &cycles));
    CHECK(vx_mpm_query(device, 0xb02, 0, &instrs));
    CHECK(!cycles || !instrs);
    CHECK(vx_dump_perf(device, stdout));
    for (int k = 0; k < 3; k++)
        CHECK(vx_mem_free(buffers[k]));
    CHECK(vx_mem_free(kernel));
    CHECK(vx_mem_free(arguments));
    CHECK(vx_dev_close(device));
    return 0;
}
