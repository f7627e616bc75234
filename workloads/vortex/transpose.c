/* transpose.c - a matrix turned over, by tiles in local memory. */
#include "rig.h"

enum { SIZE = TINY ? 16 : 64 };

static uint32_t RIG_ARRAY in[SIZE * SIZE], out[SIZE * SIZE];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    in[i] = i << 4 | rig_value(1, i);
}

static void transpose(void *arg)
{
    uint32_t tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    uint32_t left = blockIdx.x * tile, top = blockIdx.y * tile;
    uint32_t *local = __local_mem(tile * tile * sizeof(uint32_t));

    (void)arg;
    local[y * tile + x] = in[(top + y) * SIZE + left + x];
    __syncthreads();
    out[(left + y) * SIZE + top + x] = local[x * tile + y];
    __syncthreads();
}

static uint32_t is_wrong(uint32_t i)
{
    uint32_t from = i % SIZE * SIZE + i / SIZE;

    return out[i] != (from << 4 | rig_value(1, from));
}

int main(void)
{
    uint32_t threads = vx_num_warps() * vx_num_threads();
    uint32_t tile = threads >= 64 ? 8 : threads >= 16 ? 4 : threads >= 4 ? 2 : 1;
    uint32_t grid[] = { SIZE / tile, SIZE / tile }, block[] = { tile, tile };

    rig_each(SIZE * SIZE, fill, NULL);
    if (vx_spawn_threads(2, grid, block, transpose, NULL))
        return rig_end("transpose: a block does not fit", 1);
    rig_sync();
    return rig_end("transpose", rig_sum(SIZE * SIZE, is_wrong));
}
