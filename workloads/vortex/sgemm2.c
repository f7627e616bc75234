/* sgemm2.c - a product of matrices in tiles: local memory and barriers. A block is one
 * tile of the result, as large as a core has room for. */
#include "matrix.h"

static void sgemm2(void *arg)
{
    uint32_t tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    uint32_t column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
    float *local = __local_mem(2 * tile * tile * sizeof(float));
    float *tile_a = local, *tile_b = local + tile * tile, sum = 0;

    (void)arg;
    for (uint32_t from = 0; from < SIZE; from += tile) {
        tile_a[y * tile + x] = a[row * SIZE + from + x];
        tile_b[y * tile + x] = b[(from + y) * SIZE + column];
        __syncthreads();
        for (uint32_t k = 0; k < tile; k++)
            sum += tile_a[y * tile + k] * tile_b[k * tile + x];
        __syncthreads();
    }
    c[row * SIZE + column] = sum;
}

int main(void)
{
    uint32_t threads = vx_num_warps() * vx_num_threads();
    uint32_t tile = threads >= 64 ? 8 : threads >= 16 ? 4 : threads >= 4 ? 2 : 1;
    uint32_t grid[] = { SIZE / tile, SIZE / tile }, block[] = { tile, tile };

    rig_each(SIZE * SIZE, fill, NULL);
    if (vx_spawn_threads(2, grid, block, sgemm2, NULL))
        return rig_end("sgemm2: a block does not fit", 1);
    rig_sync();
    return rig_end("sgemm2", wrong_rows());
}
