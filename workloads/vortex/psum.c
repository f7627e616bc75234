/* psum.c - a sum in passes: a block adds up its numbers in local memory, two per thread,
 * and the next pass the blocks' sums, until one is left. The last block of a pass has
 * fewer numbers. */
#include "rig.h"

enum { N = TINY ? 500 : 8000, POWER = TINY ? 512 : 8192 };

static float RIG_ARRAY numbers[N], sums[2][N];

struct pass {
    const float *from;
    float *to;
    uint32_t n;
};

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    numbers[i] = (float)rig_value(1, i);
}

static void psum(void *arg)
{
    const struct pass *p = arg;
    uint32_t n = blockDim.x, me = threadIdx.x, i = blockIdx.x * 2 * n + me;
    float *local = __local_mem(n * sizeof(float));

    VX_IF(i + n < p->n)
    local[me] = p->from[i] + p->from[i + n];
    VX_ELSE
    VX_IF(i < p->n)
    local[me] = p->from[i];
    VX_ELSE
    local[me] = 0;
    VX_END
    VX_END
    __syncthreads();
    for (uint32_t step = n / 2; step; step /= 2) {
        VX_IF(me < step)
        local[me] += local[me + step];
        VX_END
        __syncthreads();
    }
    VX_IF(me == 0)
    p->to[blockIdx.x] = local[0];
    VX_END
}

static uint32_t number(uint32_t i)
{
    return rig_value(1, i) & -(uint32_t)(i < N);
}

/* Where the sum is, or NULL if a block does not fit into a core. */
static const float *sum_up(uint32_t size)
{
    struct pass p = { numbers, sums[0], N };

    while (p.n > 1) {
        uint32_t grid[] = { (p.n + 2 * size - 1) / (2 * size) }, block[] = { size };

        if (vx_spawn_threads(1, grid, block, psum, &p))
            return NULL;
        rig_sync();
        p.from = p.to;
        p.to = p.to == sums[0] ? sums[1] : sums[0];
        p.n = grid[0];
    }
    return p.from;
}

int main(void)
{
    uint32_t threads = vx_num_warps() * vx_num_threads();
    const float *sum;

    rig_each(N, fill, NULL);
    sum = sum_up(threads >= 16 ? 16 : threads >= 8 ? 8 : threads >= 4 ? 4 : 1);
    if (!sum)
        return rig_end("psum: a block does not fit", 1);
    return rig_end("psum", (uint32_t)*sum != rig_sum(POWER, number));
}
