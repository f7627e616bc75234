/* product.c - a product of two 16 x 16 matrices, an element a thread: the sgemm of Vortex'
 * own tests, whose cycles on the RTL are known. */
#include "vx_spawn.h"

enum { SIZE = 16 };

struct args {
    uint32_t grid[2], size;
    const float *a, *b;
    float *c;
};

static float __attribute__((aligned(64), section(".data"))) a[SIZE * SIZE],
    b[SIZE * SIZE], c[SIZE * SIZE];

static void product(void *arg)
{
    const struct args *p = arg;
    const float *left = p->a, *right = p->b;
    uint32_t column = blockIdx.x, row = blockIdx.y, n = p->size;
    float *to = p->c, sum = 0;

    for (uint32_t k = 0; k < n; k++)
        sum += left[row * n + k] * right[k * n + column];
    to[row * n + column] = sum;
}

int main(void)
{
    static struct args args = { { SIZE, SIZE }, SIZE, a, b, c };

    return vx_spawn_threads(2, args.grid, NULL, product, &args);
}
