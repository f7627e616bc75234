/* sfilter.c - a 3 x 3 filter whose nine factors are arguments of the kernel; the picture's
 * border is read, not written. */
#include "rig.h"

enum { SIZE = TINY ? 16 : 32, WIDTH = SIZE + 2 };

static float RIG_ARRAY from[WIDTH * WIDTH], to[WIDTH * WIDTH];

struct filter {
    float m[9];
};

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    from[i] = (float)rig_value(1, i);
}

/* All nine products first, then their sum: nine loads that do not wait for each other. */
static void sfilter(void *arg)
{
    const struct filter *f = arg;
    uint32_t at = (blockIdx.y + 1) * WIDTH + blockIdx.x + 1;
    const float *above = from + at - WIDTH, *here = from + at,
                *below = from + at + WIDTH;
    float p0 = above[-1] * f->m[0], p1 = above[0] * f->m[1], p2 = above[1] * f->m[2];
    float p3 = here[-1] * f->m[3], p4 = here[0] * f->m[4], p5 = here[1] * f->m[5];
    float p6 = below[-1] * f->m[6], p7 = below[0] * f->m[7], p8 = below[1] * f->m[8];

    to[at] = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8;
}

static uint32_t is_wrong(uint32_t i)
{
    uint32_t first = i / SIZE * WIDTH + i % SIZE, sum = 0;

    for (uint32_t k = 0; k < 9; k++)
        sum += rig_value(1, first + k / 3 * WIDTH + k % 3) * rig_value(2, k);
    return (uint32_t)to[first + WIDTH + 1] != sum;
}

int main(void)
{
    uint32_t grid[] = { SIZE, SIZE };
    struct filter f;

    for (uint32_t k = 0; k < 9; k++)
        f.m[k] = (float)rig_value(2, k);
    rig_each(WIDTH * WIDTH, fill, NULL);
    vx_spawn_threads(2, grid, NULL, sfilter, &f);
    rig_sync();
    return rig_end("sfilter", rig_sum(SIZE * SIZE, is_wrong));
}
