/* spawn.c - grids and tasks over the cores, warps and lanes there are.
 *
 * What a spawn is about lies in a struct on main()'s stack; its address goes to the
 * core's mscratch, where every warp finds it. Blocks of one thread: each warp has a run
 * of consecutive ones, lanes take neighbours. Larger blocks: as many warps as one needs,
 * next to each other; the core's slots take blocks in turn. A warp that is to be partly
 * filled switches lanes off for the rest of the spawn, from the highest down, so that
 * lane 0 is always on.
 */
#include "vx_spawn.h"

__thread dim3_t blockIdx, threadIdx;
__thread uint32_t __local_group_id;
dim3_t gridDim = { { 1, 1, 1 } }, blockDim = { { 1, 1, 1 } };
uint32_t __warps_per_group = 1;

struct spawn {
    vx_kernel_func_cb kernel;
    vx_task_func_cb task; /* instead of a kernel */
    const void *arg;
    uint32_t first, n;        /* blocks of this core */
    uint32_t warps_per_group; /* 0: blocks of one thread */
    uint32_t n_slots;
    uint32_t group_size;
};

void vx_run_warp(void);
void vx_start_spawned(void);
void vx_spawned(void);

static uint32_t low_lanes(uint32_t n)
{
    return n < 32 ? (1u << n) - 1 : ~0u;
}

static void set_dim(dim3_t *d, uint32_t linear, const dim3_t *size)
{
    d->x = linear % size->x;
    linear /= size->x;
    d->y = linear % size->y;
    d->z = linear / size->y;
}

static void run_single(const struct spawn *s, uint32_t block)
{
    if (s->task) {
        s->task(block, (void *)(uintptr_t)s->arg);
        return;
    }
    set_dim(&blockIdx, block, &gridDim);
    s->kernel((void *)(uintptr_t)s->arg);
}

static void run_singles(const struct spawn *s)
{
    uint32_t n_warps = vx_num_warps(), n_lanes = vx_num_threads();
    uint32_t batches = s->n / n_lanes, rest = s->n % n_lanes;
    uint32_t warp = vx_warp_id(), per_warp = batches / n_warps;
    uint32_t more = batches % n_warps;
    uint32_t first = warp * per_warp + (warp < more ? warp : more);
    uint32_t end = first + per_warp + (warp < more);

    __local_group_id = warp * n_lanes + vx_thread_id();
    threadIdx.x = threadIdx.y = threadIdx.z = 0;
    for (uint32_t batch = first; batch < end; batch++)
        run_single(s, s->first + batch * n_lanes + vx_thread_id());
    if (rest && warp == more) { /* the warp with the least to do */
        vx_tmc(low_lanes(rest));
        run_single(s, s->first + batches * n_lanes + vx_thread_id());
    }
}

static void run_groups(const struct spawn *s)
{
    uint32_t n_lanes = vx_num_threads(), warp = vx_warp_id();
    uint32_t slot = warp / s->warps_per_group, part = warp % s->warps_per_group;
    uint32_t left = s->group_size - part * n_lanes;

    if (slot >= s->n_slots)
        return;
    if (left < n_lanes)
        vx_tmc(low_lanes(left));
    __local_group_id = slot;
    set_dim(&threadIdx, part * n_lanes + vx_thread_id(), &blockDim);
    for (uint32_t group = slot; group < s->n; group += s->n_slots) {
        set_dim(&blockIdx, s->first + group, &gridDim);
        s->kernel((void *)(uintptr_t)s->arg);
    }
}

/* In all lanes of every warp of the spawn. */
void vx_spawned(void)
{
    const struct spawn *s = (const struct spawn *)csr_read(VX_CSR_MSCRATCH);

    if (s->warps_per_group)
        run_groups(s);
    else
        run_singles(s);
}

/* The blocks of this core, of n in all. */
static void share(struct spawn *s, uint32_t n)
{
    uint32_t n_cores = vx_num_cores(), core = vx_core_id();
    uint32_t each = n / n_cores, more = n % n_cores;

    s->first = core * each + (core < more ? core : more);
    s->n = each + (core < more);
}

static void run(struct spawn *s)
{
    uint32_t arguments = csr_read(VX_CSR_MSCRATCH);
    uint32_t n_warps = s->n_slots * s->warps_per_group;

    if (!s->warps_per_group)
        n_warps = (s->n + vx_num_threads() - 1) / vx_num_threads();
    if (!n_warps)
        return;
    csr_write(VX_CSR_MSCRATCH, s);
    vx_wspawn(n_warps < vx_num_warps() ? n_warps : vx_num_warps(), vx_start_spawned);
    vx_run_warp();
    vx_wspawn_wait();
    csr_write(VX_CSR_MSCRATCH, arguments);
}

int vx_spawn_threads(uint32_t dimension, const uint32_t *grid_dim,
                     const uint32_t *block_dim, vx_kernel_func_cb kernel,
                     const void *arg)
{
    struct spawn s = { .kernel = kernel, .arg = arg, .group_size = 1 };
    uint32_t n_groups = 1, slots;

    for (uint32_t k = 0; k < 3; k++) {
        gridDim.m[k] = grid_dim && k < dimension ? grid_dim[k] : 1;
        blockDim.m[k] = block_dim && k < dimension ? block_dim[k] : 1;
        n_groups *= gridDim.m[k];
        s.group_size *= blockDim.m[k];
    }
    share(&s, n_groups);
    __warps_per_group = 1;
    if (s.group_size > 1) {
        s.warps_per_group = (s.group_size + vx_num_threads() - 1) / vx_num_threads();
        slots = vx_num_warps() / s.warps_per_group;
        if (!slots)
            return -1;
        s.n_slots = s.n < slots ? s.n : slots;
        __warps_per_group = s.warps_per_group;
    }
    run(&s);
    return 0;
}

void vx_spawn_tasks(uint32_t n, vx_task_func_cb task, const void *arg)
{
    struct spawn s = { .task = task, .arg = arg, .group_size = 1 };

    share(&s, n);
    run(&s);
}

void vx_serial(vx_kernel_func_cb callback, const void *arg)
{
    uint32_t n_lanes = vx_num_threads(), mask = vx_thread_mask();

    for (uint32_t l = 0; l < n_lanes; l++) {
        if (!(mask >> l & 1))
            continue;
        VX_IF(vx_thread_id() == l)
        callback((void *)(uintptr_t)arg);
        VX_END
    }
}
