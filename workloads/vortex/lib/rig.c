/* rig.c - what the workloads share. */
#include "rig.h"

enum { MAX_PARTS = 1024 };

static uint32_t RIG_ARRAY sums[MAX_PARTS];

struct sum {
    uint32_t n, n_parts;
    uint32_t (*value)(uint32_t i);
};

void rig_sync(void)
{
    vx_fence();
    if (vx_num_cores() > 1)
        vx_barrier(VX_GLOBAL, vx_num_cores());
}

void rig_each(uint32_t n, vx_task_func_cb task, const void *arg)
{
    vx_spawn_tasks(n, task, arg);
    rig_sync();
}

/* A part takes every n_parts-th; those past the end take others again, so that all lanes
 * loop equally often, and leave them out. */
static void sum_part(uint32_t part, void *arg)
{
    const struct sum *s = arg;
    uint32_t sum = 0;

    for (uint32_t first = 0; first < s->n; first += s->n_parts) {
        uint32_t i = first + part;

        sum += s->value(i & (s->n - 1)) & -(uint32_t)(i < s->n);
    }
    sums[part] = sum;
}

uint32_t rig_sum(uint32_t n, uint32_t (*value)(uint32_t i))
{
    struct sum s = { n, vx_num_cores() * vx_num_warps() * vx_num_threads(), value };
    uint32_t sum = 0;

    if (s.n_parts > MAX_PARTS)
        s.n_parts = MAX_PARTS;
    rig_each(s.n_parts, sum_part, &s);
    for (uint32_t k = 0; k < s.n_parts; k++)
        sum += sums[k];
    return sum;
}

int rig_end(const char *name, uint32_t n_wrong)
{
    if (vx_core_id())
        return 0;
    if (n_wrong)
        vx_printf("%s: %u wrong\n", name, (unsigned)n_wrong);
    else
        vx_printf("%s: ok\n", name);
    return n_wrong != 0;
}
