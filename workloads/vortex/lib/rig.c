/* rig.c - what the workloads share. */
#include "rig.h"

enum { MAX_PARTS = 1024 };

static uint32_t counts[MAX_PARTS];

struct count {
    uint32_t n, n_parts;
    uint32_t (*is_wrong)(uint32_t i);
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

/* A part counts every n_parts-th; those past the end count others again, so that all
 * lanes loop equally often, and leave them out. */
static void count_part(uint32_t part, void *arg)
{
    const struct count *c = arg;
    uint32_t wrong = 0;

    for (uint32_t first = 0; first < c->n; first += c->n_parts) {
        uint32_t i = first + part;

        wrong += c->is_wrong(i & (c->n - 1)) & -(uint32_t)(i < c->n);
    }
    counts[part] = wrong;
}

uint32_t rig_count(uint32_t n, uint32_t (*is_wrong)(uint32_t i))
{
    struct count c = { n, vx_num_cores() * vx_num_warps() * vx_num_threads(),
                       is_wrong };
    uint32_t sum = 0;

    if (c.n_parts > MAX_PARTS)
        c.n_parts = MAX_PARTS;
    rig_each(c.n_parts, count_part, &c);
    for (uint32_t k = 0; k < c.n_parts; k++)
        sum += counts[k];
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
