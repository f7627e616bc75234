/* stencil.c - a cube of points, each the sum of itself and its six neighbours; the
 * surface stays. */
#include "rig.h"

enum { SIZE = TINY ? 8 : 16, WIDTH = SIZE + 2, PLANE = WIDTH * WIDTH };

static float RIG_ARRAY in[WIDTH * PLANE], out[WIDTH * PLANE];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    in[i] = (float)rig_value(1, i);
}

static void stencil(void *arg)
{
    uint32_t x = blockIdx.x + 1, y = blockIdx.y + 1, z = blockIdx.z + 1;
    uint32_t i = z * PLANE + y * WIDTH + x;

    (void)arg;
    out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - WIDTH] + in[i + WIDTH] +
             in[i - PLANE] + in[i + PLANE];
}

static uint32_t is_wrong(uint32_t k)
{
    uint32_t x = k % SIZE + 1, y = k / SIZE % SIZE + 1, z = k / SIZE / SIZE + 1;
    uint32_t i = z * PLANE + y * WIDTH + x;
    uint32_t sum = rig_value(1, i) + rig_value(1, i - 1) + rig_value(1, i + 1) +
                   rig_value(1, i - WIDTH) + rig_value(1, i + WIDTH) +
                   rig_value(1, i - PLANE) + rig_value(1, i + PLANE);

    return (uint32_t)out[i] != sum;
}

int main(void)
{
    uint32_t grid[] = { SIZE, SIZE, SIZE };

    rig_each(WIDTH * PLANE, fill, NULL);
    vx_spawn_threads(3, grid, NULL, stencil, NULL);
    rig_sync();
    return rig_end("stencil", rig_sum(SIZE * SIZE * SIZE, is_wrong));
}
