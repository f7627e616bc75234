/* drain.c - executes a kernel to its end, block after block.
 *
 * Blocks run in order, one cluster at a time, its warps in turns. Blocks may wait for
 * others: when no warp can continue, or after some turns in which no block has finished
 * (they may be spinning), the next cluster is opened as well. What is recorded of a
 * spinning warp depends on the length of a turn, as it would depend on timing; it is
 * the same in every run.
 */
#include "frontend/replay/drain.h"

#include <stdlib.h>
#include <string.h>

#include "isa/spin.h"

enum {
    TURN = 512,           /* instructions of a warp */
    PATIENCE = 8,         /* turns */
    LOOK_INSTS = 1 << 17, /* between calls of the watch */
};

struct open_block {
    struct stream *stream;
    void *slot;
    uint64_t number;
    uint64_t ended; /* warps, as bits */
};

struct drain {
    struct kernel *k;
    const struct drain_sink *sink;
    struct open_block *at;
    uint64_t n, cap, next, n_clusters;
    struct dyn dyn;
    uint64_t list[WARP_LANES]; /* lent to it */
    uint64_t n_insts, n_closed, look_at, most;
    bool is_stopped; /* by the watch */
};

static int open_block(struct drain *d, uint64_t block, struct err *err)
{
    struct open_block o = { .number = block };

    if (d->n == d->cap) {
        uint64_t cap = d->cap ? 2 * d->cap : 16;
        struct open_block *at = realloc(d->at, cap * sizeof *at);

        if (!at)
            return err_memory(err, "the blocks that are written");
        d->at = at;
        d->cap = cap;
    }
    o.stream = d->k->ops->open(d->k, block, err);
    if (!o.stream)
        return -1;
    if (o.stream->n_warps > 64) {
        d->k->ops->close(d->k, o.stream);
        return err_set(err, "kernel %s: %u warps in a block, expected at most 64",
                       d->k->name, o.stream->n_warps);
    }
    o.stream->wants_values = d->sink->wants_values;
    o.slot = d->sink->open(d->sink->to, block, o.stream->n_warps, err);
    if (!o.slot) {
        d->k->ops->close(d->k, o.stream);
        return -1;
    }
    d->at[d->n++] = o;
    return 0;
}

static int open_cluster(struct drain *d, struct err *err)
{
    for (uint32_t rank = 0; rank < d->k->cluster; rank++)
        if (open_block(d, kernel_cluster_block(d->k, d->next, rank), err))
            return -1;
    d->next++;
    return 0;
}

/* Clears fields that a stream may leave unset, so that no earlier instruction's values
 * remain. */
static void drain_clear_dyn(struct dyn *dyn)
{
    dyn->barrier = 0;
    dyn->bar_warps = 0;
    dyn->bar_kind = BAR_NONE;
    addresses_set_line(&dyn->addr, 0, 0);
    dyn->space = SPACE_NONE;
}

/* Asks the watch, from time to time, whether to continue. */
static int drain_ask_watch(struct drain *d, struct err *err)
{
    const struct watch_state s = { .kernel = d->k->name,
                                   .number = d->k->number,
                                   .blocks_done = d->n_closed,
                                   .blocks = d->k->n_blocks,
                                   .warp_insts = d->n_insts };

    d->look_at = d->n_insts + LOOK_INSTS;
    d->is_stopped = watch_look(d->k->watch, &s, err);
    return d->is_stopped ? -1 : 0;
}

static int run_warp(struct drain *d, struct open_block *o, unsigned warp,
                    bool *progress, struct err *err)
{
    const struct drain_sink *sink = d->sink;

    for (unsigned n = 0; n < TURN; n++) {
        drain_clear_dyn(&d->dyn);
        switch (stream_next(o->stream, warp, &d->dyn, err)) {
        case STREAM_INST:
            *progress = true;
            if (d->n_insts >= d->most) /* one more than there may be */
                return drain_ask_watch(d, err);
            d->n_insts++;
            if (sink->inst(sink->to, o->slot, warp, &d->dyn, err))
                return -1;
            break;
        case STREAM_WAIT:
            return 0;
        case STREAM_END:
            *progress = true;
            o->ended |= (uint64_t)1 << warp;
            return sink->warp_end(sink->to, o->slot, warp, err);
        case STREAM_ERROR:
            return -1;
        }
    }
    return 0;
}

static bool is_done(const struct open_block *o)
{
    unsigned n = o->stream->n_warps;

    return o->ended == (n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0);
}

static int run_block(struct drain *d, struct open_block *o, bool *progress,
                     struct err *err)
{
    for (unsigned w = 0; w < o->stream->n_warps; w++) {
        if (o->ended >> w & 1)
            continue;
        if (run_warp(d, o, w, progress, err))
            return -1;
    }
    return d->sink->turn_end(d->sink->to, o->slot, err);
}

/* Closes blocks whose whole cluster is done: others may still reach into them. */
static int close_done(struct drain *d, bool *finished, struct err *err)
{
    uint32_t size = d->k->cluster;

    for (uint64_t c = 0; c < d->n;) {
        bool done = true;

        for (uint64_t r = c; r < c + size; r++)
            done = done && is_done(&d->at[r]);
        if (!done) {
            c += size;
            continue;
        }
        for (uint64_t r = c; r < c + size; r++) {
            struct open_block o = d->at[r];

            d->at[r].slot = NULL;
            if (d->sink->closed(d->sink->to, o.slot, err))
                return -1;
        }
        for (uint64_t r = c; r < c + size; r++)
            d->k->ops->close(d->k, d->at[r].stream);
        memmove(&d->at[c], &d->at[c + size], (d->n - c - size) * sizeof *d->at);
        d->n -= size;
        d->n_closed += size;
        *finished = true;
    }
    return 0;
}

static int report_deadlock(const struct drain *d, struct err *err)
{
    const struct open_block *o = d->at;
    unsigned warp = 0;

    while (o + 1 < d->at + d->n && is_done(o))
        o++;
    while (o->ended >> warp & 1)
        warp++;
    return err_kind(
        err, ERR_DEADLOCK,
        "deadlock: kernel %s, block %llu: no warp can continue; warp %u waits",
        d->k->name, (unsigned long long)o->number, warp);
}

static int run_all(struct drain *d, struct err *err)
{
    unsigned turns = 0;

    while (d->n || d->next < d->n_clusters) {
        bool progress = false, finished = false;

        if (!d->n && open_cluster(d, err))
            return -1;
        if (d->n_insts >= d->look_at && drain_ask_watch(d, err))
            return -1;
        for (uint64_t k = 0; k < d->n; k++)
            if (!is_done(&d->at[k]) && run_block(d, &d->at[k], &progress, err))
                return -1;
        if (close_done(d, &finished, err))
            return -1;
        turns = finished ? 0 : turns + 1;
        if (finished || !d->n || (progress && turns < PATIENCE))
            continue;
        turns = 0;
        if (d->next < d->n_clusters) {
            if (open_cluster(d, err))
                return -1;
        } else if (!progress) {
            return report_deadlock(d, err);
        }
    }
    return 0;
}

static void report_spins(const struct drain *d, struct err *err)
{
    const struct spin_launch l = { .kernel = d->k->name,
                                   .first_pc = d->k->first_pc,
                                   .blocks_done = d->n_closed,
                                   .blocks = d->k->n_blocks };
    struct spin_block *block = calloc(d->n + 1, sizeof *block);
    uint64_t n = 0;

    for (uint64_t k = 0; k < d->n && block; k++)
        if (!is_done(&d->at[k]))
            block[n++] = (struct spin_block){ .stream = d->at[k].stream,
                                              .number = d->at[k].number };
    spin_say(err, &l, block, n);
    free(block);
}

int drain_kernel(struct kernel *k, const struct drain_sink *sink, struct err *err)
{
    struct drain d = { .k = k, .sink = sink, .dyn.addr.list = d.list };
    int failed;

    d.n_clusters = k->n_blocks / k->cluster;
    d.most = watch_most(k->watch);
    failed = run_all(&d, err);
    if (k->watch)
        k->watch->insts += d.n_insts;
    if (d.is_stopped)
        report_spins(&d, err);
    while (d.n) {
        struct open_block *o = &d.at[--d.n];

        if (o->slot)
            sink->dropped(sink->to, o->slot);
        k->ops->close(k, o->stream);
    }
    free(d.at);
    return failed;
}
