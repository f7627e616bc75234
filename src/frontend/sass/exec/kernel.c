/* kernel.c - a launch of SASS code as a struct kernel: blocks are executed as their
 * instructions are taken.
 *
 * The blocks of a cluster find each other through the grid they share, whatever the
 * order in which they are opened; none may be closed while another one still reaches
 * into its shared memory.
 */
#include "frontend/sass/exec/kernel.h"

#include <stdlib.h>

#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/grid.h"
#include "frontend/sass/load/marks.h"
#include "frontend/sass/print/disasm.h"

struct sass_launched {
    struct kernel base; /* first */
    struct sass_grid *grid;
    struct sass_labels labels;
    struct sass_block **open;
    size_t n_open, cap_open;
    uint64_t next; /* block after the last one opened */
    bool is_cut;
    uint8_t *marks; /* NULL: nobody has asked */
};

static struct sass_launched *launched_of(struct kernel *k)
{
    return (struct sass_launched *)k;
}

static int reserve_block(struct sass_launched *l, struct err *err)
{
    size_t cap = l->cap_open ? 2 * l->cap_open : 16;
    struct sass_block **open;

    if (l->n_open < l->cap_open)
        return 0;
    open = realloc(l->open, cap * sizeof(struct sass_block *));
    if (!open)
        return err_memory(err, "the blocks in flight");
    l->open = open;
    l->cap_open = cap;
    return 0;
}

static struct stream *open_block(struct kernel *k, uint64_t block, struct err *err)
{
    struct sass_launched *l = launched_of(k);
    struct sass_block *b;

    if (block >= k->n_blocks) {
        err_set(err, "kernel %s: block %llu, expected below %llu", k->name,
                (unsigned long long)block, (unsigned long long)k->n_blocks);
        return NULL;
    }
    if (reserve_block(l, err))
        return NULL;
    b = sass_block_new(l->grid, block, err);
    if (!b)
        return NULL;
    l->open[l->n_open++] = b;
    l->next = block + 1 > l->next ? block + 1 : l->next;
    return sass_block_stream(b);
}

/* After a cut, blocks stay open: the rest of them is executed later. */
static void close_block(struct kernel *k, struct stream *s)
{
    struct sass_launched *l = launched_of(k);
    struct sass_block *b = (struct sass_block *)s;

    for (size_t n = 0; n < l->n_open && !l->is_cut; n++) {
        if (l->open[n] != b)
            continue;
        l->open[n] = l->open[--l->n_open];
        sass_block_free(b);
        return;
    }
}

static void print_text(const struct kernel *k, const struct inst *i, struct buf *out)
{
    const struct sass_launched *l = (const struct sass_launched *)k;
    const struct sass_inst *decoded = sass_module_inst(l->grid->launch.module, i->pc);

    if (decoded)
        sass_print(out, decoded, &l->labels);
}

static int mark_code(struct kernel *k, struct err *err)
{
    struct sass_launched *l = launched_of(k);
    uint32_t n;

    if (l->marks)
        return 0;
    l->marks = sass_marks(l->grid->launch.module, l->grid->launch.kernel, &n, err);
    if (!l->marks)
        return -1;
    k->marks = l->marks;
    k->n_marks = n;
    return 0;
}

static void cut_blocks(struct kernel *k)
{
    struct sass_launched *l = launched_of(k);

    l->is_cut = true;
    k->n_blocks = l->next;
    for (size_t n = 0; n < l->n_open; n++)
        sass_block_cut(l->open[n]);
}

static const struct kernel_ops launched_ops = { .open = open_block,
                                                .close = close_block,
                                                .text = print_text,
                                                .mark = mark_code,
                                                .cut = cut_blocks };

void sass_kernel_count(struct kernel *k, struct sass_run_stats *stats)
{
    launched_of(k)->grid->stats = stats;
}

bool sass_kernel_is_cut(const struct kernel *k)
{
    return ((const struct sass_launched *)k)->is_cut;
}

int sass_kernel_run_rest(struct kernel *k, const struct sass_time *reached,
                         struct sass_run_stats *stats, struct err *err)
{
    struct sass_launched *l = launched_of(k);
    struct sass_block **open = l->open;
    size_t n = l->n_open;

    l->open = NULL;
    l->n_open = l->cap_open = 0;
    l->grid->reached = *reached;
    l->grid->is_rest = true;
    return sass_run_rest(l->grid, open, n, l->next, stats, err);
}

struct kernel *sass_kernel_new(const struct sass_launch *launch, struct err *err)
{
    struct sass_launched *l = calloc(1, sizeof *l);
    const struct sass_grid *g;

    if (!l) {
        err_memory(err, "a launch");
        return NULL;
    }
    l->grid = sass_grid_new(launch, err);
    if (!l->grid) {
        free(l);
        return NULL;
    }
    g = l->grid;
    l->base = (struct kernel){ .ops = &launched_ops,
                               .name = launch->kernel->info->name,
                               .n_blocks = g->n_blocks,
                               .threads = g->n_threads,
                               .registers = launch->kernel->n_regs,
                               .shared = g->shared_size,
                               .resident = (uint32_t)sass_resident(g),
                               .cluster = g->cluster_size,
                               .first_pc = launch->kernel->text_base,
                               .number = launch->grid_id,
                               .watch = launch->watch };
    for (unsigned k = 0; k < 3; k++) {
        l->base.grid[k] = launch->grid[k];
        l->base.block[k] = launch->block[k];
    }
    cluster_size(launch, l->base.cluster_shape);
    l->labels.section_base = launch->kernel->text_base;
    return &l->base;
}

void sass_kernel_free(struct kernel *k)
{
    struct sass_launched *l = launched_of(k);

    if (!l)
        return;
    while (l->n_open)
        sass_block_free(l->open[--l->n_open]);
    free(l->open);
    free(l->marks);
    sass_grid_free(l->grid);
    free(l);
}
