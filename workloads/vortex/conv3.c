/* conv3.c - a picture under a 3 x 3 filter; it has a border that is not computed. */
#include "rig.h"

enum { SIZE = TINY ? 16 : 32, WIDTH = SIZE + 2 };

static float RIG_ARRAY image[WIDTH * WIDTH], filter[9], out[SIZE * SIZE];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    image[i] = (float)rig_value(1, i);
}

static void conv3(void *arg)
{
    uint32_t x = blockIdx.x, y = blockIdx.y;
    const float *from = image + y * WIDTH + x;
    float sum = 0;

    (void)arg;
    for (uint32_t dy = 0; dy < 3; dy++)
        for (uint32_t dx = 0; dx < 3; dx++)
            sum += from[dy * WIDTH + dx] * filter[dy * 3 + dx];
    out[y * SIZE + x] = sum;
}

static uint32_t is_wrong(uint32_t i)
{
    uint32_t first = i / SIZE * WIDTH + i % SIZE, sum = 0;

    for (uint32_t k = 0; k < 9; k++)
        sum += rig_value(1, first + k / 3 * WIDTH + k % 3) * rig_value(2, k);
    return (uint32_t)out[i] != sum;
}

int main(void)
{
    uint32_t grid[] = { SIZE, SIZE };

    for (uint32_t k = 0; k < 9; k++)
        filter[k] = (float)rig_value(2, k);
    rig_each(WIDTH * WIDTH, fill, NULL);
    vx_spawn_threads(2, grid, NULL, conv3, NULL);
    rig_sync();
    return rig_end("conv3", rig_sum(SIZE * SIZE, is_wrong));
}
