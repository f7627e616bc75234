/* sgemm.c - a product of matrices, an element a thread. */
#include "matrix.h"

static void sgemm(void *arg)
{
    uint32_t column = blockIdx.x, row = blockIdx.y;
    float sum = 0;

    (void)arg;
    for (uint32_t k = 0; k < SIZE; k++)
        sum += a[row * SIZE + k] * b[k * SIZE + column];
    c[row * SIZE + column] = sum;
}

int main(void)
{
    uint32_t grid[] = { SIZE, SIZE };

    rig_each(SIZE * SIZE, fill, NULL);
    vx_spawn_threads(2, grid, NULL, sgemm, NULL);
    rig_sync();
    return rig_end("sgemm", wrong_rows());
}
