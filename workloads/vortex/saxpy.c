/* saxpy.c - y = factor * x + y, through the older interface: tasks. */
#include "rig.h"

enum { N = TINY ? 256 : 4096, FACTOR = 3 };

static float RIG_ARRAY x[N], y[N];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    x[i] = (float)rig_value(1, i);
    y[i] = (float)rig_value(2, i);
}

static void saxpy(uint32_t i, void *arg)
{
    const float *factor = arg;

    y[i] = *factor * x[i] + y[i];
}

static uint32_t is_wrong(uint32_t i)
{
    return (uint32_t)y[i] != FACTOR * rig_value(1, i) + rig_value(2, i);
}

int main(void)
{
    float factor = FACTOR;

    rig_each(N, fill, NULL);
    vx_spawn_tasks(N, saxpy, &factor);
    rig_sync();
    return rig_end("saxpy", rig_sum(N, is_wrong));
}
