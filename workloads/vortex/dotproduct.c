/* dotproduct.c - products summed up by blocks: a tree in local memory, of whose threads
 * half are done after every step. */
#include "rig.h"

enum { N = TINY ? 256 : 4096, MAX_BLOCKS = N };

static float RIG_ARRAY x[N], y[N], sums[MAX_BLOCKS];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    x[i] = (float)rig_value(1, i);
    y[i] = (float)rig_value(2, i);
}

static void dotproduct(void *arg)
{
    uint32_t n = blockDim.x, me = threadIdx.x, i = blockIdx.x * n + me;
    float *local = __local_mem(n * sizeof(float));

    (void)arg;
    local[me] = x[i] * y[i];
    __syncthreads();
    for (uint32_t step = n / 2; step; step /= 2) {
        VX_IF(me < step)
        local[me] += local[me + step];
        VX_END
        __syncthreads();
    }
    VX_IF(me == 0)
    sums[blockIdx.x] = local[0];
    VX_END
}

static uint32_t product(uint32_t i)
{
    return rig_value(1, i) * rig_value(2, i);
}

int main(void)
{
    uint32_t threads = vx_num_warps() * vx_num_threads();
    uint32_t size = threads >= 16 ? 16 : threads >= 8 ? 8 : threads >= 4 ? 4 : 1;
    uint32_t grid[] = { N / size }, block[] = { size };
    float sum = 0;

    rig_each(N, fill, NULL);
    if (vx_spawn_threads(1, grid, block, dotproduct, NULL))
        return rig_end("dotproduct: a block does not fit", 1);
    rig_sync();
    for (uint32_t k = 0; k < N / size; k++)
        sum += sums[k];
    return rig_end("dotproduct", (uint32_t)sum != rig_sum(N, product));
}
