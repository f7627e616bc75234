/* exec.c - the step: one instruction of one warp, and the loop that runs a grid.
 *
 * Not modelled functionally: asynchronous completion. Copies (LDGSTS) and barriers on
 * scoreboards complete at once, so DEPBAR and the like have nothing to wait for.
 */
#include "frontend/sass/exec/exec.h"

#include <stdlib.h>

#include "frontend/sass/exec/access.h"
#include "frontend/sass/exec/barrier.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/converge.h"
#include "frontend/sass/exec/grid.h"
#include "frontend/sass/exec/value.h"
#include "isa/spin.h"

enum {
    TURN = 20000,         /* instructions a warp runs before the next one's turn */
    LOOK_INSTS = 1 << 20, /* between looks at the watch */
};

/* Without a guard it is PT, which always holds. */
static uint32_t guard_mask(const struct sass_warp *w, const struct sass_inst *i)
{
    return w->active & (w->guards[i->guard_at] ^ i->guard_flip);
}

static void count_executed(struct sass_run_stats *s, uint64_t index, uint32_t active,
                           uint32_t on)
{
    uint32_t n =
        active == ALL_LANES ? WARP_LANES : (uint32_t)__builtin_popcount(active);

    s->warp_insts++;
    s->thread_insts += n;
    if (s->exec_counts)
        s->exec_counts[index]++;
    if (s->thread_counts)
        s->thread_counts[index] += n;
    if (s->on_counts)
        s->on_counts[index] += (uint32_t)__builtin_popcount(on);
}

/* The number of the instruction at an offset in the code; far too large, the odd bits
 * being the highest then, if the offset is not a multiple of 16. */
static uint64_t index_of(uint64_t offset)
{
    return offset >> 4 | offset << 60;
}

/* The instruction at w->pc; the one after all others, which cannot be executed, if there
 * is none. */
static const struct sass_inst *inst_at(const struct sass_warp *w)
{
    const struct sass_module *m = w->block->grid->launch.module;
    uint64_t index = index_of(w->pc - m->code_base);

    return &m->code[index < m->n_code ? index : m->n_code];
}

static enum exec_result cannot_run(struct sass_warp *w, const struct sass_inst *i)
{
    const struct sass_launch *l = &w->block->grid->launch;

    if (i < l->module->code + l->module->n_code)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported instruction");
    err_kind(w->block->err, ERR_FAULT,
             "kernel %s: jump to 0x%llx, which is not code of its module",
             l->kernel->info->name, (unsigned long long)w->pc);
    return EXEC_ERROR;
}

/* Executes an instruction for the lanes of a mask. */
static inline __attribute__((always_inline)) enum exec_result
sass_step(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
          struct sass_grid *g)
{
    if (!i->run)
        return cannot_run(w, i);
    w->seq++;
    g->time++;
    return i->run(w, i, mask);
}

/* What a warp that has jumped executes next; NULL: nothing for now. */
static const struct sass_inst *find_next(struct sass_warp *w)
{
    return converge_pick(w) ? inst_at(w) : NULL;
}

static inline void fill_dyn(struct dyn *d, const struct sass_warp *w,
                            const struct sass_inst *i, uint32_t mask)
{
    d->inst = &i->base;
    d->seq = w->seq;
    d->active = w->active;
    d->mask = mask;
    d->space = i->base.space;
    d->bar_kind = BAR_NONE;
}

static enum stream_status block_run(struct stream *s, unsigned warp,
                                    struct dyn *const *dyn, unsigned *n,
                                    struct err *err)
{
    struct sass_block *b = (struct sass_block *)s;
    struct sass_warp *w = &b->warps[warp];
    const struct sass_inst *i = find_next(w);
    struct dyn *const *end = dyn + *n, *const *at = dyn;

    *n = 0;
    if (!i)
        return w->exited == ALL_LANES ? STREAM_END : STREAM_WAIT;
    b->err = err;
    while (at < end) {
        struct dyn *d = w->dyn = *at++;
        uint32_t mask = guard_mask(w, i);
        enum exec_result r;

        fill_dyn(d, w, i, mask);
        r = sass_step(w, i++, mask, b->grid);
        if (s->wants_values && r != EXEC_ERROR)
            sass_value(w, d);
        if (r == EXEC_NEXT) {
            d->next_pc = w->pc += 16;
            continue;
        }
        if (r == EXEC_ERROR)
            return STREAM_ERROR;
        i = find_next(w);
        d->next_pc = i ? w->pc : 0;
        if (!i || dyn_waits(d) || d->inst->flags & INST_TIME)
            break;
    }
    w->dyn = NULL;
    *n = (unsigned)(at - dyn);
    return STREAM_INST;
}

static enum stream_status block_next(struct stream *s, unsigned warp, struct dyn *dyn,
                                     struct err *err)
{
    unsigned n = 1;

    return block_run(s, warp, &dyn, &n, err);
}

/* The instruction read an old time when it was executed, and nothing since then; it reads
 * the time again. */
static void block_tell_time(struct stream *s, unsigned warp, uint64_t seq,
                            uint64_t cycle, uint64_t ns)
{
    struct sass_block *b = (struct sass_block *)s;
    struct sass_warp *w = &b->warps[warp];
    const struct sass_inst *i = w->time_reader;

    (void)seq;
    b->told = (struct sass_time){ cycle, ns };
    i->run(w, i, guard_mask(w, i));
}

static const struct stream_ops block_ops = { .next = block_next,
                                             .run = block_run,
                                             .tell_time = block_tell_time };

/* For who counts executions. */
static enum stream_status block_run_counted(struct stream *s, unsigned warp,
                                            struct dyn *const *dyn, unsigned *n,
                                            struct err *err)
{
    const struct sass_grid *g = ((struct sass_block *)s)->grid;
    enum stream_status status = block_run(s, warp, dyn, n, err);

    for (unsigned k = 0; k < *n; k++) {
        const struct sass_inst *i = (const struct sass_inst *)dyn[k]->inst;

        count_executed(g->stats, (uint64_t)(i - g->launch.module->code), dyn[k]->active,
                       dyn[k]->mask);
    }
    return status;
}

static enum stream_status block_next_counted(struct stream *s, unsigned warp,
                                             struct dyn *dyn, struct err *err)
{
    unsigned n = 1;

    return block_run_counted(s, warp, &dyn, &n, err);
}

struct stream *sass_block_stream(struct sass_block *b)
{
    static const struct stream_ops counted_ops = { .next = block_next_counted,
                                                   .run = block_run_counted,
                                                   .tell_time = block_tell_time };

    b->stream.ops = b->grid->stats ? &counted_ops : &block_ops;
    b->stream.n_warps = b->n_warps;
    return &b->stream;
}

static enum stream_status cut_next(struct stream *s, unsigned warp, struct dyn *dyn,
                                   struct err *err)
{
    (void)s, (void)warp, (void)dyn, (void)err;
    return STREAM_END;
}

void sass_block_cut(struct sass_block *b)
{
    static const struct stream_ops ops = { .next = cut_next,
                                           .tell_time = block_tell_time };

    b->stream.ops = &ops;
}

/* Now and then, before an instruction: may the run go on? */
static int sass_ask_watch(struct sass_grid *g, struct err *err)
{
    const struct sass_launch *l = &g->launch;
    const struct watch_state s = { .kernel = l->kernel->info->name,
                                   .number = l->grid_id,
                                   .blocks_done = g->stats->blocks,
                                   .blocks = g->n_blocks,
                                   .warp_insts = g->time };

    g->is_stopped = watch_look(l->watch, &s, err);
    g->look_at = g->time + LOOK_INSTS;
    return g->is_stopped ? -1 : 0;
}

/* Runs one warp until it waits, ends, gives up its turn or has had it. */
static int run_warp(struct sass_warp *w, bool *progress)
{
    const struct sass_inst *i = find_next(w);
    struct sass_grid *g = w->block->grid;
    uint64_t turn;

    w->slept = false;
    if (i)
        *progress = true;
    if (i && (g->time >= g->look_at || g->time >= g->most) &&
        sass_ask_watch(g, w->block->err))
        return -1;
    turn = g->most - g->time < TURN ? g->most - g->time : TURN;
    for (uint64_t n = 0; i && n < turn && !w->slept; n++) {
        uint32_t mask = guard_mask(w, i);
        enum exec_result r;

        count_executed(g->stats, (uint64_t)(i - g->launch.module->code), w->active,
                       mask);
        r = sass_step(w, i, mask, g);
        if (r == EXEC_ERROR)
            return -1;
        if (r == EXEC_NEXT) {
            w->pc += 16;
            i++;
        } else {
            i = find_next(w);
        }
    }
    return 0;
}

/* One turn of every warp. *done: all have exited. */
static int run_block(struct sass_block *b, bool *progress, bool *done)
{
    *done = true;
    for (unsigned k = 0; k < b->n_warps; k++) {
        if (run_warp(&b->warps[k], progress))
            return -1;
        if (b->warps[k].exited != ALL_LANES)
            *done = false;
    }
    return 0;
}

static int report_deadlock(const struct sass_grid *g, const struct sass_block *b,
                           struct err *err)
{
    const struct sass_warp *w = b->warps;
    char place[256];

    for (unsigned k = 0; k < b->n_warps; k++)
        if (b->warps[k].exited != ALL_LANES)
            w = &b->warps[k];
    sass_module_place(g->launch.module,
                      w->rests ? w->pc : w->lane_pc[__builtin_ctz(~w->exited)], place,
                      sizeof place);
    return err_kind(err, ERR_DEADLOCK,
                    "deadlock: kernel %s, block (%u,%u,%u): no warp can go on; warp %u "
                    "waits after pc %s",
                    g->launch.kernel->info->name, b->id[0], b->id[1], b->id[2],
                    w->index, place);
}

/* Blocks in flight: one cluster at first, another whenever those there cannot finish. A
 * block without a cluster counts as one. */
struct flight {
    struct sass_block **blocks;
    uint64_t n, cap, next, n_clusters;
};

static int admit_block(struct sass_grid *g, struct flight *f, uint64_t index,
                       struct err *err)
{
    struct sass_block *b;

    if (f->n == f->cap) {
        uint64_t cap = f->cap ? 2 * f->cap : 4;
        struct sass_block **blocks = realloc(f->blocks, cap * sizeof *blocks);

        if (!blocks)
            return err_memory(err, "the blocks in flight");
        f->blocks = blocks;
        f->cap = cap;
    }
    b = sass_block_new(g, index, err);
    if (!b)
        return -1;
    b->err = err;
    f->blocks[f->n++] = b;
    return 0;
}

static int admit_cluster(struct sass_grid *g, struct flight *f, struct err *err)
{
    for (uint32_t rank = 0; rank < g->cluster_size; rank++)
        if (admit_block(g, f, cluster_block(g, f->next, rank), err))
            return -1;
    f->next++;
    return 0;
}

static int run_flight(struct sass_grid *g, struct flight *f, struct err *err)
{
    while (f->n || f->next < f->n_clusters) {
        bool progress = false, finished = false, done;

        if (!f->n && admit_cluster(g, f, err))
            return -1;
        for (uint64_t k = 0; k < f->n;) {
            if (run_block(f->blocks[k], &progress, &done))
                return -1;
            if (!done) {
                k++;
                continue;
            }
            sass_block_free(f->blocks[k]);
            f->blocks[k] = f->blocks[--f->n];
            g->stats->blocks++;
            finished = true;
        }
        if (finished || !f->n)
            continue;
        if (f->next < f->n_clusters) {
            if (admit_cluster(g, f, err))
                return -1;
        } else if (!progress) {
            return report_deadlock(g, f->blocks[0], err);
        }
    }
    return 0;
}

static uint64_t block_number(const struct sass_block *b)
{
    const uint32_t *grid = b->grid->launch.grid;

    return ((uint64_t)b->id[2] * grid[1] + b->id[1]) * grid[0] + b->id[0];
}

/* Where the warps of a stopped launch are, in its message. */
static void say_where(const struct sass_grid *g, const struct flight *f,
                      struct err *err)
{
    const struct spin_launch l = { .kernel = g->launch.kernel->info->name,
                                   .first_pc = g->launch.kernel->text_base,
                                   .blocks_done = g->stats->blocks,
                                   .blocks = g->n_blocks };
    struct spin_block *block = calloc(f->n + 1, sizeof *block);

    for (uint64_t k = 0; k < f->n && block; k++)
        block[k] = (struct spin_block){ .stream = sass_block_stream(f->blocks[k]),
                                        .number = block_number(f->blocks[k]) };
    spin_say(err, &l, block, block ? f->n : 0);
    free(block);
}

/* Executes a grid from where the flight is; frees the flight. */
static int run_grid(struct sass_grid *g, struct flight *f, struct sass_run_stats *stats,
                    struct err *err)
{
    struct watch *watch = g->launch.watch;
    struct sass_run_stats unasked = { 0 };
    int r;

    g->stats = stats ? stats : &unasked;
    g->most = watch_most(watch);
    f->n_clusters = g->n_blocks / g->cluster_size;
    r = run_flight(g, f, err);
    if (watch)
        watch->insts += g->time;
    if (g->is_stopped)
        say_where(g, f, err);
    while (f->n)
        sass_block_free(f->blocks[--f->n]);
    free(f->blocks);
    return r;
}

int sass_run(const struct sass_launch *l, struct sass_run_stats *stats, struct err *err)
{
    struct sass_grid *g = sass_grid_new(l, err);
    struct flight f = { 0 };
    int r = g ? run_grid(g, &f, stats, err) : -1;

    sass_grid_free(g);
    return r;
}

int sass_run_rest(struct sass_grid *g, struct sass_block **blocks, size_t n,
                  uint64_t next, struct sass_run_stats *stats, struct err *err)
{
    struct flight f = { .blocks = blocks, .n = n, .cap = n };

    f.next = next / g->cluster_size;
    for (size_t k = 0; k < n; k++) {
        sass_block_stream(blocks[k]);
        blocks[k]->err = err;
    }
    g->time = 0;
    return run_grid(g, &f, stats, err);
}
