/* run.c - executes a whole grid without timing, in the order of isa/wave.h. */
#include <stdlib.h>

#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/grid.h"
#include "frontend/sass/exec/race.h"
#include "frontend/sass/exec/sanitize.h"
#include "frontend/sass/exec/step.h"
#include "isa/spin.h"
#include "isa/wave.h"

enum { LOOK_INSTS = 1 << 20 }; /* between looks at the watch */

/* Now and then, before an instruction: may the run go on? */
static int ask_watch(struct sass_grid *g, struct err *err)
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

static void count_threads(struct sass_grid *g, uint64_t since, uint32_t active)
{
    g->stats->thread_insts += (g->time - since) * (uint64_t)__builtin_popcount(active);
}

/* Executes up to n instructions that follow each other. *at is then the last of them, or
 * the one that jumped. */
static inline __attribute__((always_inline)) enum exec_result
run_line(struct sass_warp *w, const struct sass_inst **at, unsigned n, bool counts,
         struct sass_grid *g)
{
    const struct sass_inst *i = *at;
    uint64_t start = g->time;
    uint32_t active = w->active;
    enum exec_result r;

    for (;;) {
        uint32_t mask = sass_guard_mask(w, i);

        if (w->active != active) { /* lanes have joined at a BSYNC */
            count_threads(g, start, active);
            start = g->time;
            active = w->active;
        }
        if (counts)
            sass_count_inst(g->stats, (uint64_t)(i - g->launch.module->code),
                            active & ~w->repeats, mask & ~w->repeats);
        r = counts && w->block->race ? race_step(w, i, mask)
                                     : sass_step(w, i, mask, &g->time);
        if (r != EXEC_NEXT)
            break;
        w->pc += 16;
        if (!--n)
            break;
        i++;
    }
    *at = i;
    count_threads(g, start, active);
    return r;
}

/* Executes instructions until the turn ends. Returns the last; NULL: an error. *left: what
 * there may be. */
static inline __attribute__((always_inline)) const struct sass_inst *
run_lines(struct sass_warp *w, const struct sass_inst *i, uint64_t left, bool counts,
          struct sass_grid *g)
{
    for (;;) {
        const struct sass_inst *last = i;
        uint64_t n = i->to_turn_end < left ? i->to_turn_end : left, start = g->time;
        enum exec_result r = run_line(w, &last, (unsigned)n, counts, g);

        left -= g->time - start;
        if (r == EXEC_ERROR)
            return NULL;
        if (r == EXEC_NEXT || last->turn || w->slept || !left)
            return last;
        i = sass_find_next(w);
        if (!i)
            return last;
    }
}

static enum wave_end end_of(struct sass_warp *w)
{
    if (w->exited == ALL_LANES)
        return WAVE_ENDED;
    if (!converge_pick(w))
        return WAVE_WAITS;
    return w->slept ? WAVE_SLEPT : WAVE_RAN;
}

static const uint32_t wait_cycles[] = { [TURN_GOES_ON] = 0,
                                        [TURN_ENDS_NOW] = 0,
                                        [TURN_ENDS_NEAR] = WAVE_NEAR_CYCLES,
                                        [TURN_ENDS_FAR] = WAVE_FAR_CYCLES };

static int run_turn(void *to, void *block, unsigned warp, struct wave_turn *turn,
                    struct err *err)
{
    struct sass_grid *g = to;
    struct sass_block *b = block;
    struct sass_warp *w = &b->warps[warp];
    const struct sass_inst *i = sass_find_next(w);
    uint64_t start = g->time, left = WAVE_TURN_INSTS;
    uint32_t opened = b->n_opened;

    *turn = (struct wave_turn){ .end = WAVE_WAITS };
    if (!i) {
        turn->end = end_of(w);
        return 0;
    }
    if ((start >= g->look_at || start >= g->most) && ask_watch(g, err))
        return -1;
    if (g->most - start < left)
        left = g->most - start;
    w->slept = false;
    i = g->counts_each ? run_lines(w, i, left, true, g)
                       : run_lines(w, i, left, false, g);
    if (!i)
        return -1;
    turn->cycles =
        (uint32_t)(g->time - start) * WAVE_INST_CYCLES + wait_cycles[i->turn];
    turn->wakes = b->n_opened != opened;
    turn->end = end_of(w);
    return 0;
}

static uint64_t block_number(const struct sass_block *b)
{
    const uint32_t *grid = b->grid->launch.grid;

    return ((uint64_t)b->id[2] * grid[1] + b->id[1]) * grid[0] + b->id[0];
}

static void *open_block(void *to, uint64_t cluster, uint32_t rank, unsigned *n_warps,
                        struct err *err)
{
    struct sass_grid *g = to;
    struct sass_block *b = sass_block_new(g, cluster_block(g, cluster, rank), err);

    if (!b)
        return NULL;
    b->err = err;
    if (race_is_wanted(g))
        race_open(b, block_number(b));
    if (race_is_wanted(g) && g->launch.sanitizer)
        sanitize_open(b);
    *n_warps = b->n_warps;
    return b;
}

/* Before the others of its cluster: they cannot reach its shared memory any more. */
static void end_block(void *to, void *block)
{
    struct sass_grid *g = to;

    g->stats->longest = sass_block_longest(block, g->stats->longest);
    sass_block_free(block);
    g->stats->blocks++;
}

static int close_block(void *to, void *block, struct err *err)
{
    (void)to, (void)block, (void)err;
    return 0;
}

/* Where a lane waits: at the instruction before its program counter. */
static uint64_t waits_at(const struct sass_warp *w, unsigned lane)
{
    return (w->rests ? w->pc : w->lane_pc[lane]) - 16;
}

/* Of lanes that keep others at a barrier the first is looked at. */
static void sanitize_deadlock(struct sass_block *b)
{
    for (unsigned n = 0; n < b->n_warps; n++) {
        struct sass_warp *w = &b->warps[n];
        uint32_t absent = ~w->exited & ~b->barriers[0].lanes[n];
        unsigned lane = absent ? (unsigned)__builtin_ctz(absent) : 0;

        if (absent) {
            sanitize_stuck(w, lane, waits_at(w, lane));
            return;
        }
    }
}

static void report_deadlock(void *to, void *block, unsigned warp, struct err *err)
{
    const struct sass_grid *g = to;
    struct sass_block *b = block;
    const struct sass_warp *w = &b->warps[warp];
    unsigned lane = (unsigned)__builtin_ctz(~w->exited);
    char place[512];

    if (b->shared_set)
        sanitize_deadlock(b);
    sass_module_place_line(g->launch.module, waits_at(w, lane), place, sizeof place);
    err_kind(err, ERR_DEADLOCK,
             "deadlock: kernel %s, block (%u,%u,%u): no warp can go on; warp %u waits "
             "at pc %s",
             g->launch.kernel->info->name, b->id[0], b->id[1], b->id[2], w->index,
             place);
}

static const struct wave_ops grid_ops = { .open = open_block,
                                          .run = run_turn,
                                          .end = end_block,
                                          .close = close_block,
                                          .stuck = report_deadlock };

/* Where the warps of a stopped launch are, in its message. */
static void say_where(const struct sass_grid *g, const struct wave *v, struct err *err)
{
    const struct spin_launch l = { .kernel = g->launch.kernel->info->name,
                                   .first_pc = g->launch.kernel->text_base,
                                   .blocks_done = g->stats->blocks,
                                   .blocks = g->n_blocks };
    struct spin_block *at = calloc(v->n + 1, sizeof *at);
    size_t n = 0;

    for (uint64_t k = 0; k < v->n && at; k++) {
        struct sass_block *b = wave_in_flight(v, k);

        if (b)
            at[n++] = (struct spin_block){ .stream = sass_block_stream(b),
                                           .number = block_number(b) };
    }
    spin_say(err, &l, at, n);
    free(at);
}

/* Executes a grid from where the wave is. */
static int run_grid(struct sass_grid *g, struct wave *v, struct sass_run_stats *stats,
                    struct err *err)
{
    struct watch *watch = g->launch.watch;
    struct sass_run_stats unasked = { 0 };
    int r;

    g->stats = stats ? stats : &unasked;
    g->counts_each = g->stats->exec_counts || g->stats->thread_counts ||
                     g->stats->on_counts || race_is_wanted(g);
    g->most = watch_most(watch);
    v->n_clusters = g->n_blocks / g->cluster_size;
    v->resident = sass_resident(g) / g->cluster_size;
    v->holds = g->launch.resident / g->cluster_size;
    r = wave_run(v, err);
    g->stats->warp_insts += g->time;
    if (watch)
        watch->insts += g->time;
    if (g->is_stopped)
        say_where(g, v, err);
    for (uint64_t k = 0; k < v->n; k++)
        sass_block_free(wave_in_flight(v, k));
    wave_free(v);
    return r;
}

int sass_run(const struct sass_launch *l, struct sass_run_stats *stats, struct err *err)
{
    struct sass_grid *g = sass_grid_new(l, err);
    struct wave v = { .ops = &grid_ops, .to = g, .cluster = g ? g->cluster_size : 1 };
    int r = g ? run_grid(g, &v, stats, err) : -1;

    sass_grid_free(g);
    return r;
}

int sass_run_rest(struct sass_grid *g, struct sass_block **blocks, size_t n,
                  uint64_t next, struct sass_run_stats *stats, struct err *err)
{
    struct wave v = { .ops = &grid_ops, .to = g, .cluster = g->cluster_size };
    size_t k = 0;
    bool failed;

    v.next = next / g->cluster_size;
    for (; k < n && !wave_adopt(&v, blocks[k], blocks[k]->n_warps, err); k++) {
        sass_block_stream(blocks[k]);
        blocks[k]->err = err;
    }
    failed = k < n;
    for (k = 0; k < n && failed; k++)
        sass_block_free(blocks[k]);
    free(blocks);
    g->time = 0;
    if (!failed)
        return run_grid(g, &v, stats, err);
    wave_free(&v);
    return -1;
}
