/* nearn.c - how far each place of a map is from a target. */
#include "maths.h"
#include "rig.h"

enum { N = TINY ? 256 : 4096, TARGET_X = 300, TARGET_Y = 200 };

struct place {
    float x, y;
};

static struct place RIG_ARRAY places[N];
static float RIG_ARRAY distances[N];

struct target {
    float x, y;
};

static uint32_t place_x(uint32_t i)
{
    return rig_value(1, i) << 5 | rig_value(3, i);
}

static uint32_t place_y(uint32_t i)
{
    return rig_value(2, i) << 4 | rig_value(4, i >> 1);
}

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    places[i] = (struct place){ (float)place_x(i), (float)place_y(i) };
}

static void nearn(void *arg)
{
    const struct target *t = arg;
    uint32_t i = blockIdx.x;
    float dx = places[i].x - t->x, dy = places[i].y - t->y;

    distances[i] = maths_sqrt(dx * dx + dy * dy);
}

/* Squares are whole numbers below 2^18: a root that is right squares to the nearest. */
static uint32_t is_wrong(uint32_t i)
{
    uint32_t dx = place_x(i) - TARGET_X, dy = place_y(i) - TARGET_Y;

    return (uint32_t)maths_round(distances[i] * distances[i]) != dx * dx + dy * dy;
}

int main(void)
{
    struct target target = { TARGET_X, TARGET_Y };
    uint32_t grid[] = { N };

    rig_each(N, fill, NULL);
    vx_spawn_threads(1, grid, NULL, nearn, &target);
    rig_sync();
    return rig_end("nearn", rig_sum(N, is_wrong));
}
