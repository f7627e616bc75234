/* vx_spawn.h - kernels over grids of blocks, as Vortex 2.1 to 2.3 have them, and over
 * tasks, as before.
 */
#ifndef VX_SPAWN_H
#define VX_SPAWN_H

#include "vx_intrinsics.h"

typedef union {
    struct {
        uint32_t x, y, z;
    };
    uint32_t m[3];
} dim3_t;

extern __thread dim3_t blockIdx, threadIdx;
extern dim3_t gridDim, blockDim;

/* Of the block of this thread: its place among those that the core runs at a time, and
 * how many warps it has. */
extern __thread uint32_t __local_group_id;
extern uint32_t __warps_per_group;

#define __local_mem(bytes) \
    ((void *)(csr_read(VX_CSR_LOCAL_MEM_BASE) + __local_group_id * (bytes)))
#define __syncthreads() vx_barrier(__local_group_id, __warps_per_group)

typedef void (*vx_kernel_func_cb)(void *arg);
typedef void (*vx_task_func_cb)(uint32_t task, void *arg);

/* Runs a kernel for every thread of every block and waits for all of them; -1 if a block
 * does not fit into a core. block_dim NULL: blocks of one thread. */
int vx_spawn_threads(uint32_t dimension, const uint32_t *grid_dim,
                     const uint32_t *block_dim, vx_kernel_func_cb kernel,
                     const void *arg);

void vx_spawn_tasks(uint32_t n, vx_task_func_cb task, const void *arg);

/* Each thread of the warp in turn, alone. */
void vx_serial(vx_kernel_func_cb callback, const void *arg);

#endif
