/* kernel.c - a launch of SASS code as a struct kernel: blocks are executed as their
 * instructions are taken.
 *
 * The blocks of a cluster find each other through the grid they share, whatever the
 * order in which they are opened; none may be closed while another one still reaches
 * into its shared memory.
 */
#include "frontend/sass/exec/kernel.h"

#include <stdlib.h>

#include "analysis/nest.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/grid.h"
#include "frontend/sass/exec/view.h"
#include "frontend/sass/load/flow.h"
#include "frontend/sass/load/marks.h"
#include "frontend/sass/print/disasm.h"

struct sass_launched {
    struct kernel base; /* first */
    struct sass_grid *grid;
    struct sass_labels labels;
    struct sass_block **open;
    size_t n_open, cap_open;
    pthread_mutex_t lock; /* for the blocks that are open */
    uint64_t next;        /* block after the last one opened */
    uint64_t longest;     /* warp instructions of the longest warp so far */
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
    int failed;

    if (block >= k->n_blocks) {
        err_set(err, "kernel %s: block %llu, expected below %llu", k->name,
                (unsigned long long)block, (unsigned long long)k->n_blocks);
        return NULL;
    }
    b = sass_block_new(l->grid, block, err);
    if (!b)
        return NULL;
    pthread_mutex_lock(&l->lock);
    failed = reserve_block(l, err);
    if (!failed)
        l->open[l->n_open++] = b;
    l->next = block + 1 > l->next ? block + 1 : l->next;
    pthread_mutex_unlock(&l->lock);
    if (failed) {
        sass_block_free(b);
        return NULL;
    }
    return sass_block_stream(b);
}

/* After a cut, blocks stay open: the rest of them is executed later. */
static void close_block(struct kernel *k, struct stream *s)
{
    struct sass_launched *l = launched_of(k);
    struct sass_block *b = (struct sass_block *)s;
    size_t n = 0;

    if (l->is_cut)
        return;
    pthread_mutex_lock(&l->lock);
    while (l->open[n] != b)
        n++;
    l->open[n] = l->open[--l->n_open];
    l->longest = sass_block_longest(b, l->longest);
    pthread_mutex_unlock(&l->lock);
    sass_block_free(b);
}

static void print_text(const struct kernel *k, const struct inst *i, struct buf *out)
{
    const struct sass_launched *l = (const struct sass_launched *)k;
    const struct sass_inst *decoded = sass_module_inst(l->grid->launch.module, i->pc);

    if (decoded)
        sass_print(out, decoded, &l->labels);
}

static void find_source(const struct kernel *k, const struct inst *i,
                        struct kernel_where *w)
{
    const struct sass_launched *l = (const struct sass_launched *)k;
    const struct sass_module *m = l->grid->launch.module;
    const struct sass_line *line = sass_module_line(m, i->pc, &w->file);

    w->line = line ? line->line : 0;
    w->why = *m->lines.why ? m->lines.why : NULL;
    w->function = sass_module_function(m, i->pc, &w->offset);
}

static int find_loops(const struct kernel *k, struct kernel_loops *to, struct err *err)
{
    const struct sass_launch *l = &((const struct sass_launched *)k)->grid->launch;
    enum sass_flow_known known;
    struct sass_flow code;
    struct flow *flow = NULL;
    int failed = sass_flow_make(&code, l->module, l->kernel, &known, err);

    if (failed)
        return -1;
    if (known != FLOW_IS_KNOWN)
        failed =
            err_kind(err, ERR_UNSUPPORTED,
                     "kernel %s: its control flow is not known from the code", k->name);
    else if (!(flow = flow_new(code.flow, code.n, err)))
        failed = -1;
    else
        failed = nest_find(flow, to, err);
    flow_free(flow);
    sass_flow_free(&code);
    return failed;
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

/* With one SM blocks see memory as it is; so do those that take device memory, which needs
 * tables that all share. */
static int share_blocks(struct kernel *k, unsigned n_sms,
                        const struct kernel_turns *turns, struct err *err)
{
    struct sass_grid *g = launched_of(k)->grid;
    struct sass_kept *kept = g->kept;

    if (n_sms < 2 || g->launch.module->allocates)
        return 0;
    if (kept->views && views_sms(kept->views) != n_sms) {
        views_free(kept->views);
        kept->views = NULL;
    }
    if (!kept->views)
        kept->views = views_new(n_sms, err);
    if (!kept->views)
        return -1;
    views_begin(kept->views, turns);
    g->views = kept->views;
    g->view = views_each(g->views);
    return 0;
}

static void begin_part(struct kernel *k, unsigned sm, uint64_t number)
{
    struct sass_grid *g = launched_of(k)->grid;

    if (g->views)
        view_begin_part(g->views, sm, number);
}

static void end_window(struct kernel *k, uint64_t last)
{
    struct sass_grid *g = launched_of(k)->grid;

    if (g->views)
        views_end_window(g->views, last);
}

static const struct kernel_ops launched_ops = { .open = open_block,
                                                .close = close_block,
                                                .text = print_text,
                                                .where = find_source,
                                                .loops = find_loops,
                                                .mark = mark_code,
                                                .cut = cut_blocks,
                                                .share = share_blocks,
                                                .begin_part = begin_part,
                                                .end_window = end_window };

void sass_kernel_count(struct kernel *k, struct sass_run_stats *stats)
{
    launched_of(k)->grid->stats = stats;
    k->is_parallel = false;
}

bool sass_kernel_is_cut(const struct kernel *k)
{
    const struct sass_launched *l = (const struct sass_launched *)k;

    return l->is_cut || k->n_blocks < l->grid->n_blocks;
}

uint64_t sass_kernel_longest(const struct kernel *k)
{
    return ((const struct sass_launched *)k)->longest;
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
    l->grid->views = NULL;
    l->grid->view = NULL;
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
                               .holds = launch->resident,
                               .cluster = g->cluster_size,
                               .is_parallel = !launch->module->allocates,
                               .first_pc = launch->kernel->text_base,
                               .number = launch->grid_id,
                               .watch = launch->watch };
    for (unsigned k = 0; k < 3; k++) {
        l->base.grid[k] = launch->grid[k];
        l->base.block[k] = launch->block[k];
    }
    pthread_mutex_init(&l->lock, NULL);
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
    pthread_mutex_destroy(&l->lock);
    free(l->marks);
    sass_grid_free(l->grid);
    free(l);
}
