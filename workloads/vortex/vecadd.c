/* vecadd.c - c = a + b. */
#include "rig.h"

enum { N = TINY ? 256 : 4096 };

static float RIG_ARRAY a[N], b[N], c[N];

static void fill(uint32_t i, void *arg)
{
    (void)arg;
    a[i] = (float)rig_value(1, i);
    b[i] = (float)rig_value(2, i);
}

static void vecadd(void *arg)
{
    uint32_t i = blockIdx.x;

    (void)arg;
    c[i] = a[i] + b[i];
}

static uint32_t is_wrong(uint32_t i)
{
    return (uint32_t)c[i] != rig_value(1, i) + rig_value(2, i);
}

int main(void)
{
    uint32_t grid[] = { N };

    rig_each(N, fill, NULL);
    vx_spawn_threads(1, grid, NULL, vecadd, NULL);
    rig_sync();
    return rig_end("vecadd", rig_sum(N, is_wrong));
}
