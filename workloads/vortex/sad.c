/* sad.c - where blocks of a picture were in the one before: sums of absolute differences
 * for every block and displacement. One kernel sums up blocks of 4 x 4 pixels; a second
 * makes those of 8 x 8 from four of them, and once more those of 16 x 16. */
#include "rig.h"

enum {
    SIZE = TINY ? 16 : 32,
    RANGE = 4, /* displacements per axis, from 0 on */
    N_MOVES = RANGE * RANGE,
    WIDTH = SIZE + RANGE,
    SMALL = SIZE / 4, /* blocks per axis */
    MIDDLE = SIZE / 8,
    LARGE = SIZE / 16,
};

static uint8_t RIG_ARRAY before[WIDTH * WIDTH], now[SIZE * SIZE];
static uint16_t RIG_ARRAY small[SMALL * SMALL * N_MOVES];
static uint16_t RIG_ARRAY middle[MIDDLE * MIDDLE * N_MOVES];
static uint16_t RIG_ARRAY large[LARGE * LARGE * N_MOVES];

struct merge {
    const uint16_t *from;
    uint16_t *to;
    uint32_t width; /* blocks per axis in from */
};

static void fill_before(uint32_t i, void *arg)
{
    (void)arg;
    before[i] = (uint8_t)(rig_value(1, i) << 4 | rig_value(2, i >> 2));
}

static void fill_now(uint32_t i, void *arg)
{
    (void)arg;
    now[i] = (uint8_t)(rig_value(3, i >> 1) << 4 | rig_value(4, i));
}

static uint32_t difference(uint32_t a, uint32_t b)
{
    return (uint32_t)__builtin_abs((int32_t)(a - b));
}

/* Threads: displacements, blocks across, blocks down. */
static void sum_blocks(void *arg)
{
    uint32_t move = blockIdx.x, x = blockIdx.y * 4, y = blockIdx.z * 4, sum = 0;
    const uint8_t *here = now + y * SIZE + x;
    const uint8_t *there = before + (y + move / RANGE) * WIDTH + x + move % RANGE;

    (void)arg;
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 4; column++)
            sum += difference(here[row * SIZE + column], there[row * WIDTH + column]);
    small[(blockIdx.z * SMALL + blockIdx.y) * N_MOVES + move] = (uint16_t)sum;
}

static void merge_blocks(void *arg)
{
    const struct merge *m = arg;
    uint32_t move = blockIdx.x, x = blockIdx.y, y = blockIdx.z;
    const uint16_t *top = m->from + (2 * y * m->width + 2 * x) * N_MOVES + move;
    const uint16_t *bottom = top + m->width * N_MOVES;
    uint32_t sum = top[0] + top[N_MOVES] + bottom[0] + bottom[N_MOVES];

    m->to[(y * (m->width / 2) + x) * N_MOVES + move] = (uint16_t)sum;
}

/* A block of 8 x 8 from its pixels, and the one of 16 x 16 around it from four of these. */
static uint32_t is_wrong(uint32_t i)
{
    uint32_t move = i % N_MOVES, x = i / N_MOVES % MIDDLE, y = i / N_MOVES / MIDDLE;
    const uint8_t *there =
        before + (y * 8 + move / RANGE) * WIDTH + x * 8 + move % RANGE;
    const uint8_t *here = now + y * 8 * SIZE + x * 8;
    const uint16_t *corner = middle + i - (y % 2 * MIDDLE + x % 2) * N_MOVES;
    uint32_t sum = 0, larger = large[(y / 2 * LARGE + x / 2) * N_MOVES + move];

    for (uint32_t p = 0; p < 64; p++)
        sum += difference(here[p / 8 * SIZE + p % 8], there[p / 8 * WIDTH + p % 8]);
    for (uint32_t p = 0; p < 4; p++)
        larger -= corner[(p / 2 * MIDDLE + p % 2) * N_MOVES];
    return (middle[i] != sum) | (larger != 0);
}

int main(void)
{
    uint32_t smalls[] = { N_MOVES, SMALL, SMALL };
    uint32_t middles[] = { N_MOVES, MIDDLE, MIDDLE },
             larges[] = { N_MOVES, LARGE, LARGE };
    struct merge to_middle = { small, middle, SMALL },
                 to_large = { middle, large, MIDDLE };

    rig_each(WIDTH * WIDTH, fill_before, NULL);
    rig_each(SIZE * SIZE, fill_now, NULL);
    vx_spawn_threads(3, smalls, NULL, sum_blocks, NULL);
    rig_sync();
    vx_spawn_threads(3, middles, NULL, merge_blocks, &to_middle);
    rig_sync();
    vx_spawn_threads(3, larges, NULL, merge_blocks, &to_large);
    rig_sync();
    return rig_end("sad", rig_sum(MIDDLE * MIDDLE * N_MOVES, is_wrong));
}
