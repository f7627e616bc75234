/* grid.c - builds the state of a launch: constant bank 0, blocks, warps.
 *
 * Bank 0 begins with an area that the driver fills for every launch; where each value
 * sits was found by compiling one kernel for each special register. What a program
 * cannot observe is left zero.
 */
#include "frontend/sass/exec/grid.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/heap.h"
#include "frontend/sass/exec/scalars.h"
#include "frontend/sass/exec/unset.h"
#include "frontend/sass/exec/view.h"
#include "isa/races.h"

/* What code computes the numbers of clusters and of blocks in them from: 1 if there are
 * any, their size, its inverse (a float; never below it, for the quotient is cut), how
 * many there are, and blocks in each. All 0 = does not exist. */
struct cluster_layout {
    uint16_t is_there, size, inverse, count, blocks;
};

struct bank0_layout {
    uint16_t shared_window, local_window, stack, dynamic_shared, grid_id, n_sms;
    uint16_t workspace;       /* environment registers 1 and 2, the high word first */
    uint16_t reserved_shared; /* offsets of the reserved shared memory */
    uint16_t params;          /* where parameters lie in global memory; 0: not known */
    struct cluster_layout cluster;
    uint16_t block, grid; /* their sizes, of three words each */
    uint16_t param_base;
};

/* Ampere's, of all its architectures. */
#define LAYOUT_86                                                                   \
    {                                                                               \
        .shared_window = 0x18, .local_window = 0x20, .stack = 0x28,                 \
        .dynamic_shared = 0x2c, .grid_id = 0x30, .n_sms = 0x10c, .workspace = 0x8c, \
        .reserved_shared = 0x120, .block = 0, .grid = 0xc, .param_base = 0x160      \
    }
/* Blackwell's. */
#define LAYOUT_100                                                      \
    {                                                                   \
        .local_window = 0x2f8, .stack = 0x37c, .dynamic_shared = 0x2ac, \
        .grid_id = 0x140, .n_sms = 0x2d0, .workspace = 0x254,           \
        .reserved_shared = 0x278,                                       \
        .cluster = { .is_there = 0x36c,                                 \
                     .size = 0x2a0,                                     \
                     .inverse = 0x2b0,                                  \
                     .count = 0x2c0,                                    \
                     .blocks = 0x2cc },                                 \
        .block = 0x360, .grid = 0x370, .param_base = 0x380              \
    }

static const struct bank0_layout layouts[N_SASS_ARCH] = {
    [SM75] = { .shared_window = 0x18,
               .local_window = 0x20,
               .stack = 0x28,
               .dynamic_shared = 0x2c,
               .grid_id = 0x30,
               .n_sms = 0x10c,
               .workspace = 0x8c,
               .block = 0,
               .grid = 0xc,
               .param_base = 0x160 },
    [SM80] = LAYOUT_86,
    [SM86] = LAYOUT_86,
    [SM89] = LAYOUT_86,
    [SM90] = { .local_window = 0x20,
               .stack = 0x28,
               .dynamic_shared = 0x2c,
               .grid_id = 0x30,
               .n_sms = 0x10c,
               .workspace = 0x44,
               .reserved_shared = 0x68,
               .params = 0x198,
               .cluster = { .is_there = 0x140,
                            .size = 0x144,
                            .inverse = 0x150,
                            .count = 0x15c,
                            .blocks = 0x188 },
               .block = 0,
               .grid = 0xc,
               .param_base = 0x210 },
    [SM100] = LAYOUT_100,
    [SM120] = LAYOUT_100,
};

static void put32(struct sass_grid *g, uint32_t at, uint32_t v)
{
    memcpy(g->bank0 + at, &v, sizeof v);
}

static void put64(struct sass_grid *g, uint32_t at, uint64_t v)
{
    memcpy(g->bank0 + at, &v, sizeof v);
}

static void fill_cluster(struct sass_grid *g, const struct cluster_layout *at)
{
    uint32_t size[3];

    cluster_size(&g->launch, size);
    put32(g, at->is_there, g->launch.kernel->info->cluster[0] || g->cluster_size > 1);
    for (unsigned k = 0; k < 3; k++) {
        float inverse = 1.0f / (float)size[k];
        uint32_t bits;

        memcpy(&bits, &inverse, sizeof bits);
        bits += (double)inverse * size[k] < 1;
        put32(g, at->size + 4 * k, size[k]);
        put32(g, at->inverse + 4 * k, bits);
        put32(g, at->count + 4 * k, g->launch.grid[k] / size[k]);
    }
    put32(g, at->blocks, g->cluster_size);
}

static void fill_bank0(struct sass_grid *g)
{
    const struct sass_launch *l = &g->launch;
    const struct bank0_layout *at = &layouts[g->arch];

    for (unsigned k = 0; k < 3; k++) {
        put32(g, at->block + 4 * k, l->block[k]);
        put32(g, at->grid + 4 * k, l->grid[k]);
    }
    if (at->shared_window)
        put64(g, at->shared_window, SHARED_WINDOW);
    put64(g, at->local_window, LOCAL_WINDOW);
    put32(g, at->stack, g->local_size);
    put32(g, at->dynamic_shared, l->dynamic_shared);
    put64(g, at->grid_id, l->grid_id);
    put32(g, at->n_sms, l->n_sms);
    put64(g, sass_constant_window(g->arch), l->module->constants);
    if (at->params)
        put64(g, at->params, BANK_WINDOW + at->param_base);
    put32(g, at->workspace, (uint32_t)(l->workspace >> 32));
    put32(g, at->workspace + 4u, (uint32_t)l->workspace);
    if (at->cluster.size)
        fill_cluster(g, &at->cluster);
}

uint8_t *sass_params_at(const struct sass_grid *g, uint64_t addr)
{
    uint64_t offset = addr - BANK_WINDOW;

    if (!layouts[g->arch].params || offset < layouts[g->arch].param_base ||
        offset >= g->bank0_size)
        return NULL;
    return g->bank0 + offset;
}

static uint64_t cluster_blocks(const struct sass_launch *l)
{
    uint32_t size[3];

    cluster_size(l, size);
    if (size[0] > MAX_CLUSTER || size[1] > MAX_CLUSTER || size[2] > MAX_CLUSTER)
        return UINT64_MAX;
    return (uint64_t)size[0] * size[1] * size[2];
}

static int check_launch(const struct sass_launch *l, uint32_t param_size,
                        struct err *err)
{
    uint64_t n_threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];

    if (!n_threads || n_threads > 1024)
        return err_set(err,
                       "kernel %s: block of %u x %u x %u threads, expected 1 to 1024",
                       l->kernel->info->name, l->block[0], l->block[1], l->block[2]);
    if (!l->grid[0] || !l->grid[1] || !l->grid[2])
        return err_set(err, "kernel %s: empty grid", l->kernel->info->name);
    for (unsigned k = 0; k < 3; k++)
        if (l->cluster[k] && l->grid[k] % l->cluster[k])
            return err_set(err,
                           "kernel %s: %u blocks in %c, expected a multiple of the "
                           "cluster's %u",
                           l->kernel->info->name, l->grid[k], "xyz"[k],
                           l -> cluster[k]);
    if (cluster_blocks(l) > MAX_CLUSTER)
        return err_set(err, "kernel %s: clusters of %llu blocks, expected at most %u",
                       l->kernel->info->name, (unsigned long long)cluster_blocks(l),
                       (unsigned)MAX_CLUSTER);
    if (l->kernel->info->stack > MAX_LOCAL || l->kernel->info->frame > MAX_LOCAL)
        return err_set(err, "kernel %s: %u bytes of stack, expected at most %u",
                       l->kernel->info->name, l->kernel->info->stack,
                       (unsigned)MAX_LOCAL);
    if (l->params_size > param_size)
        return err_set(err, "kernel %s: %u bytes of parameters, expected %u",
                       l->kernel->info->name, l->params_size, param_size);
    if ((uint64_t)l->kernel->info->shared + l->dynamic_shared > 0x100000)
        return err_set(
            err, "kernel %s: %u + %u bytes of shared memory, expected at most 1 MiB",
            l->kernel->info->name, l->kernel->info->shared, l->dynamic_shared);
    return 0;
}

/* Bytes of local memory a lane has: what the kernel says, and at least the driver's
 * limit, which recursion and calls by pointer rely on. */
static uint32_t local_bytes(const struct sass_launch *l)
{
    const struct cubin_kernel *k = l->kernel->info;
    uint64_t need = k->stack > k->frame ? k->stack : k->frame;

    need = need > MIN_LOCAL ? need : MIN_LOCAL;
    need = need > l->stack_bytes ? need : l->stack_bytes;
    need = need < MAX_LOCAL ? need : MAX_LOCAL;
    return ((uint32_t)need + 15u) & ~15u;
}

/* Rows of a warp's register file: RZ and those that any instruction names, with spare
 * ones at the end: an operand can take sixteen. System functions take R4 to R13. Uniform
 * registers follow; of those an operand can take four. */
enum { SPARE_ROWS = 16, SPARE_UROWS = 4 };

/* The wide ones if they were built and the host can run them. */
exec_fn *const *sass_handlers_of_host(void)
{
#ifdef SASS_WIDE
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        return sass_handlers_wide;
#endif
    return sass_handlers;
}

struct sass_grid *sass_grid_new(const struct sass_launch *l, struct err *err)
{
    const struct cubin_kernel *info = l->kernel->info;
    uint32_t base = info->param_base, size = base + info->param_size;
    struct sass_grid *g;

    if (check_launch(l, info->param_size, err))
        return NULL;
    g = calloc(1, sizeof *g);
    if (g && size < layouts[l->module->arch].param_base)
        size = layouts[l->module->arch].param_base;
    if (g)
        g->bank0 = calloc(1, size + SPACE_GRANULE); /* see sass_params_at() */
    if (!g || !g->bank0) {
        free(g);
        err_memory(err, "a launch");
        return NULL;
    }
    g->launch = *l;
    pthread_mutex_init(&g->lock, NULL);
    g->kept = l->kept ? l->kept : &g->own;
    g->arch = l->module->arch;
    g->n_blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    g->n_threads = l->block[0] * l->block[1] * l->block[2];
    g->cluster_size = (uint32_t)cluster_blocks(l);
    g->shared_size = info->shared + l->dynamic_shared;
    g->local_size = local_bytes(l);
    g->n_rows = l->module->n_regs > 254 ? 255 : l->module->n_regs + 1;
    g->n_urows = l->module->n_uregs + SPARE_UROWS;
    g->bank0_size = size;
    sass_unset(l, &g->unset);
    memcpy(g->bank, l->kernel->bank, sizeof g->bank);
    g->bank[0] = (struct sass_bank){ g->bank0, size };
    g->bank[3] = l->module->bank3;
    g->bank[4] = l->module->bank4;
    fill_bank0(g);
    heap_open(g);
    if (l->params_size)
        memcpy(g->bank0 + base, l->params, l->params_size);
    g->spread = scalar_rows(g);
    if (!g->spread) {
        sass_grid_free(g);
        err_memory(err, "the constants of a launch");
        return NULL;
    }
    return g;
}

static void free_ended(struct sass_kept *k)
{
    while (k->ended) {
        struct sass_block *b = k->ended;

        k->ended = b->next_ended;
        free(b);
    }
    k->n = 0;
}

void sass_kept_free(struct sass_kept *k)
{
    free_ended(k);
    views_free(k->views);
    k->views = NULL;
}

void sass_grid_free(struct sass_grid *g)
{
    if (!g)
        return;
    heap_close(g);
    cluster_free_all(g);
    sass_kept_free(&g->own);
    pthread_mutex_destroy(&g->lock);
    free(g->tried);
    free(g->spread);
    free(g->bank0);
    free(g);
}

enum { RESIDENT_BYTES = 8 << 20 }; /* of blocks that run at once */
enum { KEPT_BYTES = 4 << 20 };     /* of blocks that have ended and do not fit */

/* What a GPU allocates for a block: all of it can be accessed, and ptxas counts on that. The
 * last 12 bytes of a kernel may be read as 16. */
static uint32_t allocated_shared(const struct sass_grid *g)
{
    uint32_t unit = g->arch >= SM80 ? 128 : 256;

    return (g->shared_size + unit - 1) / unit * unit;
}

/* What a block consists of, in bytes: itself and its warps, shared memory, registers. */
struct layout {
    size_t head, shared, regs; /* regs: of one warp */
    uint32_t n_warps;
};

static struct layout layout_of(const struct sass_grid *g)
{
    uint32_t n_warps = (g->n_threads + 31) / 32;
    size_t head = sizeof(struct sass_block) + n_warps * sizeof(struct sass_warp);

    return (struct layout){ .head = (head + 127) & ~(size_t)127,
                            .shared = allocated_shared(g),
                            .regs = (g->n_rows + SPARE_ROWS + g->n_urows) * ROW_BYTES,
                            .n_warps = n_warps };
}

/* As many as the device holds, but no more than the host has memory for. The barrier of a
 * cooperative launch needs all of them. */
uint64_t sass_resident(const struct sass_grid *g)
{
    const struct cubin_kernel *k = g->launch.kernel->info;
    struct layout l = layout_of(g);
    uint64_t local = k->stack || k->frame ? (uint64_t)WARP_LANES * g->local_size : 0;
    uint64_t fit = RESIDENT_BYTES / (l.head + l.shared + l.n_warps * (l.regs + local));

    return g->launch.workspace || g->launch.resident < fit ? g->launch.resident : fit;
}

/* Are the blocks that have ended too small, or much too large, as those of a kernel with few
 * large blocks are for one with many? */
static bool is_misfit(const struct sass_kept *k, size_t need)
{
    return need > k->bytes || (k->bytes > 2 * need && k->n * k->bytes > KEPT_BYTES);
}

/* Memory for a block: that of one which has ended, if there is any. */
static struct sass_block *take_memory(struct sass_grid *g, struct layout l,
                                      bool *is_fresh)
{
    size_t need = l.head + l.shared + l.n_warps * l.regs;
    struct sass_kept *k = g->kept;
    struct sass_block *b;

    pthread_mutex_lock(&g->lock);
    if (is_misfit(k, need)) {
        free_ended(k);
        k->bytes = need;
    }
    b = k->ended;
    *is_fresh = !b;
    if (b) {
        k->ended = b->next_ended;
        k->n--;
    } else {
        b = aligned_alloc(STATE_ALIGN, k->bytes);
    }
    pthread_mutex_unlock(&g->lock);
    return b;
}

static void start_warp(struct sass_warp *w, const struct sass_grid *g, uint32_t index)
{
    uint32_t n = g->n_threads - 32 * index;
    uint32_t lanes = n >= 32 ? ALL_LANES : (1u << n) - 1;

    memset(w, 0, offsetof(struct sass_warp, b));
    memset(w->b, 0, g->launch.module->n_bregs * sizeof w->b[0]);
    if (g->launch.module->reads_rpc)
        memset(w->rpc, 0, sizeof w->rpc);
    w->index = index;
    w->n_registers = (g->launch.kernel->n_regs + 7) & ~7u;
    w->exited = ~lanes;
    for (uint32_t m = w->exited; m; m &= m - 1)
        w->lane_state[__builtin_ctz(m)] = LANE_EXITED;
    w->active = lanes;
    w->pc = g->launch.kernel->entry;
    w->p[PRED_PT] = ALL_LANES;
    w->up[PRED_PT] = ALL_LANES;
}

/* Clears the rows of n registers from an id on, as far as they are in a set of ids, which
 * is mostly none of them. ids are counted from whole words of it. */
static void clear_set(uint32_t (*row)[WARP_LANES], unsigned n, const struct regset *set,
                      unsigned id)
{
    for (unsigned k = 0; k < n; k += 64)
        for (uint64_t m = set->w[(id + k) / 64]; m; m &= m - 1) {
            unsigned at = k + (unsigned)__builtin_ctzll(m);

            if (at < n)
                memset(row[at], 0, ROW_BYTES);
        }
}

/* Clears RZ and the registers that may be read as they are; all when their memory is
 * fresh, so that they hold the same in every run. */
static void clear_rows(struct sass_warp *w, const struct sass_grid *g, size_t fresh)
{
    if (fresh) {
        memset(w->r, 0, fresh);
        return;
    }
    memset(w->r[0], 0, ROW_BYTES);
    clear_set(w->r + 1, g->n_rows - 1, &g->unset, REGID_R);
    clear_set(w->u, g->n_urows < UR_LOW ? g->n_urows : UR_LOW, &g->unset, REGID_UR);
    if (g->n_urows > UR_LOW) /* seldom: whether they are in the set or not */
        memset(w->u[UR_LOW], 0, (g->n_urows - UR_LOW) * (size_t)ROW_BYTES);
}

struct sass_block *sass_block_new(struct sass_grid *g, uint64_t index, struct err *err)
{
    struct layout l = layout_of(g);
    bool is_fresh;
    struct sass_block *b = take_memory(g, l, &is_fresh);
    uint8_t *at;

    if (!b) {
        err_memory(err, "a block");
        return NULL;
    }
    at = (uint8_t *)b + l.head;
    memset(b, 0, offsetof(struct sass_block, barriers));
    memset(at, 0, l.shared);
    b->grid = g;
    b->bytes = g->kept->bytes;
    b->id[0] = (uint32_t)(index % g->launch.grid[0]);
    b->id[1] = (uint32_t)(index / g->launch.grid[0] % g->launch.grid[1]);
    b->id[2] = (uint32_t)(index / g->launch.grid[0] / g->launch.grid[1]);
    b->n_threads = g->n_threads;
    b->n_warps = l.n_warps;
    b->all_warps = l.n_warps < 32 ? (1u << l.n_warps) - 1 : ~0u;
    b->warps = (struct sass_warp *)(b + 1);
    b->shared = at;
    b->shared_size = allocated_shared(g);
    at += l.shared;
    for (uint32_t k = 0; k < l.n_warps; k++, at += l.regs) {
        struct sass_warp *w = &b->warps[k];

        start_warp(w, g, k);
        w->block = b;
        w->scalars = g->spread;
        w->r = (uint32_t(*)[WARP_LANES])at;
        w->u = w->r + g->n_rows + SPARE_ROWS;
        clear_rows(w, g, is_fresh ? l.regs : 0);
    }
    if (cluster_join(b, err)) {
        free(b);
        return NULL;
    }
    return b;
}

uint64_t sass_block_longest(const struct sass_block *b, uint64_t least)
{
    for (uint32_t k = 0; k < b->n_warps; k++)
        least = b->warps[k].seq > least ? b->warps[k].seq : least;
    return least;
}

void sass_block_free(struct sass_block *b)
{
    struct sass_grid *g;

    if (!b)
        return;
    g = b->grid;
    races_close(b->race);
    free(b->shared_set);
    copies_free(b);
    cluster_leave(b);
    for (uint32_t k = 0; k < b->n_warps; k++)
        free(b->warps[k].local);
    if (b->bytes < g->kept->bytes) { /* larger ones are in use by now */
        free(b);
        return;
    }
    pthread_mutex_lock(&g->lock);
    b->next_ended = g->kept->ended;
    g->kept->ended = b;
    g->kept->n++;
    pthread_mutex_unlock(&g->lock);
}

uint8_t *sass_warp_local(struct sass_warp *w)
{
    if (!w->local)
        w->local = calloc(WARP_LANES, w->block->grid->local_size);
    return w->local;
}
