/* vortex.h - the host interface of Vortex 2.1 to 2.3: devices, buffers, launches. Hosts
 * written for Vortex's own header run with libvortex.so unchanged.
 *
 * Every call returns 0, or -1 with a message on stderr. The device is chosen by
 * LENO_GPU (vortex-4x4), the class of its counters by VORTEX_PROFILING or register 5. A
 * launch is done when vx_start() returns. What a kernel prints goes to stdout, line by
 * line, each after the number of its stream; vx_dev_close() prints what vx_dump_perf()
 * does.
 */
#ifndef LENO_SHIM_VORTEX_H
#define LENO_SHIM_VORTEX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *vx_device_h;
typedef void *vx_buffer_h;

#define VX_CAPS_VERSION         0x0
#define VX_CAPS_NUM_THREADS     0x1
#define VX_CAPS_NUM_WARPS       0x2
#define VX_CAPS_NUM_CORES       0x3
#define VX_CAPS_CACHE_LINE_SIZE 0x4
#define VX_CAPS_GLOBAL_MEM_SIZE 0x5
#define VX_CAPS_LOCAL_MEM_SIZE  0x6
#define VX_CAPS_ISA_FLAGS       0x7
#define VX_CAPS_NUM_MEM_BANKS   0x8 /* from 2.3 on, as the next */
#define VX_CAPS_MEM_BANK_SIZE   0x9

/* Of the ISA flags: letters of the ISA from bit 0, its width at bit 30, and these. */
#define VX_ISA_EXT_ICACHE (1ull << 32)
#define VX_ISA_EXT_DCACHE (1ull << 33)
#define VX_ISA_EXT_LMEM   (1ull << 36)

#define VX_MAX_TIMEOUT (24 * 60 * 60 * 1000)

#define VX_MEM_READ       0x1
#define VX_MEM_WRITE      0x2
#define VX_MEM_READ_WRITE 0x3

int vx_dev_open(vx_device_h *device);
int vx_dev_close(vx_device_h device);
int vx_dev_caps(vx_device_h device, uint32_t id, uint64_t *value);

int vx_mem_alloc(vx_device_h device, uint64_t size, int flags, vx_buffer_h *buffer);
int vx_mem_reserve(vx_device_h device, uint64_t address, uint64_t size, int flags,
                   vx_buffer_h *buffer);
int vx_mem_free(vx_buffer_h buffer);
int vx_mem_access(vx_buffer_h buffer, uint64_t offset, uint64_t size, int flags);
int vx_mem_address(vx_buffer_h buffer, uint64_t *address);
int vx_mem_info(vx_device_h device, uint64_t *mem_free, uint64_t *mem_used);
int vx_copy_to_dev(vx_buffer_h buffer, const void *from, uint64_t offset,
                   uint64_t size);
int vx_copy_from_dev(void *to, vx_buffer_h buffer, uint64_t offset, uint64_t size);

int vx_start(vx_device_h device, vx_buffer_h kernel, vx_buffer_h arguments);
int vx_ready_wait(vx_device_h device, uint64_t timeout);

int vx_dcr_read(vx_device_h device, uint32_t address, uint32_t *value);
int vx_dcr_write(vx_device_h device, uint32_t address, uint32_t value);
int vx_mpm_query(vx_device_h device, uint32_t csr, uint32_t core, uint64_t *value);

int vx_upload_kernel_bytes(vx_device_h device, const void *bytes, uint64_t size,
                           vx_buffer_h *buffer);
int vx_upload_kernel_file(vx_device_h device, const char *name, vx_buffer_h *buffer);
int vx_upload_bytes(vx_device_h device, const void *bytes, uint64_t size,
                    vx_buffer_h *buffer);
int vx_upload_file(vx_device_h device, const char *name, vx_buffer_h *buffer);
int vx_check_occupancy(vx_device_h device, uint32_t group_size, uint32_t *max_localmem);
int vx_dump_perf(vx_device_h device, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
