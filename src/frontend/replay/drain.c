/* drain.c - executes a kernel to its end, in the order of isa/wave.h.
 *
 * Blocks may wait for others. What is recorded of a spinning warp depends on the length of
 * its turns, as it would depend on timing; it is the same in every run.
 */
#include "frontend/replay/drain.h"

#include <stdlib.h>

#include "isa/spin.h"
#include "isa/wave.h"

enum { LOOK_INSTS = 1 << 17 }; /* between calls of the watch */

struct open_block {
    struct stream *stream;
    void *slot;
    uint64_t number;
};

struct drain {
    struct kernel *k;
    const struct drain_sink *sink;
    struct dyn dyn;
    uint64_t list[WARP_LANES]; /* lent to it */
    uint64_t n_insts, n_closed, look_at, most;
    bool is_stopped; /* by the watch */
};

/* Opens the stream of a block and a slot for it. */
static int open_stream(struct drain *d, struct open_block *o, struct err *err)
{
    o->stream = d->k->ops->open(d->k, o->number, err);
    if (!o->stream)
        return -1;
    if (o->stream->n_warps > WAVE_MAX_WARPS)
        err_set(err, "kernel %s: %u warps in a block, expected at most %u", d->k->name,
                o->stream->n_warps, (unsigned)WAVE_MAX_WARPS);
    else
        o->slot = d->sink->open(d->sink->to, o->number, o->stream->n_warps, err);
    if (!o->slot) {
        d->k->ops->close(d->k, o->stream);
        return -1;
    }
    o->stream->wants_values = d->sink->wants_values;
    o->stream->wants_async = d->sink->async;
    return 0;
}

static void *open_block(void *to, uint64_t cluster, uint32_t rank, unsigned *n_warps,
                        struct err *err)
{
    struct drain *d = to;
    struct open_block *o = calloc(1, sizeof *o);

    if (!o) {
        err_memory(err, "a block that is written");
        return NULL;
    }
    o->number = kernel_cluster_block(d->k, cluster, rank);
    if (open_stream(d, o, err)) {
        free(o);
        return NULL;
    }
    *n_warps = o->stream->n_warps;
    return o;
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

/* Tells what the instruction does asynchronously. */
static int drain_tell_async(struct drain *d, struct stream *s, unsigned warp,
                            struct err *err)
{
    const struct inst *i = d->dyn.inst;
    struct copy *c;

    if (!s->ops->take_copy)
        return err_kind(err, ERR_UNSUPPORTED,
                        "kernel %s: 0x%llx: traces, and recordings of earlier versions "
                        "of leno record, do not hold asynchronous work",
                        d->k->name, (unsigned long long)(i->pc - d->k->first_pc));
    c = s->ops->take_copy(s, warp, d->dyn.seq);
    d->sink->async(d->sink->to, c);
    return c ? s->ops->end_copy(s, c, err) : 0;
}

/* Takes one instruction. *turn: whether the warp's turn ends, and how. */
static int take_inst(struct drain *d, struct open_block *o, unsigned warp,
                     struct wave_turn *turn, struct err *err)
{
    static const uint32_t cycles[] = { [STREAM_NEAR] = WAVE_NEAR_CYCLES,
                                       [STREAM_FAR] = WAVE_FAR_CYCLES,
                                       [STREAM_SLEPT] = 0 };

    if (d->n_insts >= d->most) /* one more than there may be */
        return drain_ask_watch(d, err);
    d->n_insts++;
    turn->cycles += WAVE_INST_CYCLES + cycles[o->stream->turn];
    turn->wakes = turn->wakes || d->dyn.inst->flags & INST_SYNC;
    if (o->stream->turn == STREAM_SLEPT)
        turn->end = WAVE_SLEPT;
    if (d->sink->async && d->dyn.inst->flags & (INST_PHASE | INST_COPIES) &&
        drain_tell_async(d, o->stream, warp, err))
        return -1;
    return d->sink->inst(d->sink->to, o->slot, warp, &d->dyn, err);
}

static int run_turn(void *to, void *block, unsigned warp, struct wave_turn *turn,
                    struct err *err)
{
    struct drain *d = to;
    struct open_block *o = block;

    *turn = (struct wave_turn){ .end = WAVE_RAN };
    if (d->n_insts >= d->look_at && drain_ask_watch(d, err))
        return -1;
    for (unsigned n = 0; n < WAVE_TURN_INSTS; n++) {
        drain_clear_dyn(&d->dyn);
        o->stream->turn = STREAM_GOES_ON;
        switch (stream_next(o->stream, warp, &d->dyn, err)) {
        case STREAM_INST:
            if (take_inst(d, o, warp, turn, err))
                return -1;
            if (o->stream->turn != STREAM_GOES_ON)
                return 0;
            break;
        case STREAM_WAIT:
            turn->end = WAVE_WAITS;
            return 0;
        case STREAM_END:
            turn->end = WAVE_ENDED;
            turn->cycles += WAVE_INST_CYCLES;
            turn->wakes = true;
            return d->sink->warp_end(d->sink->to, o->slot, warp, err);
        case STREAM_ERROR:
            return -1;
        }
    }
    return 0;
}

static int pause_block(void *to, void *block, struct err *err)
{
    struct drain *d = to;
    const struct open_block *o = block;

    return d->sink->turn_end(d->sink->to, o->slot, err);
}

/* Frees a block; its slot has been closed or dropped. */
static void free_block(struct drain *d, struct open_block *o)
{
    d->k->ops->close(d->k, o->stream);
    free(o);
}

/* Not before its whole cluster has ended: others may still reach into it. */
static int close_block(void *to, void *block, struct err *err)
{
    struct drain *d = to;
    struct open_block *o = block;
    int failed = d->sink->closed(d->sink->to, o->slot, err);

    d->n_closed++;
    free_block(d, o);
    return failed;
}

static void report_deadlock(void *to, void *block, unsigned warp, struct err *err)
{
    const struct drain *d = to;
    const struct open_block *o = block;

    err_kind(err, ERR_DEADLOCK,
             "deadlock: kernel %s, block %llu: no warp can continue; warp %u waits",
             d->k->name, (unsigned long long)o->number, warp);
}

static const struct wave_ops drain_ops = { .open = open_block,
                                           .run = run_turn,
                                           .pause = pause_block,
                                           .close = close_block,
                                           .stuck = report_deadlock };

static void report_spins(const struct drain *d, const struct wave *v, struct err *err)
{
    const struct spin_launch l = { .kernel = d->k->name,
                                   .first_pc = d->k->first_pc,
                                   .blocks_done = d->n_closed,
                                   .blocks = d->k->n_blocks };
    struct spin_block *at = calloc(v->n + 1, sizeof *at);
    uint64_t n = 0;

    for (uint64_t k = 0; k < v->n && at; k++) {
        const struct open_block *o = wave_in_flight(v, k);

        if (o && !wave_has_ended(v, k))
            at[n++] = (struct spin_block){ o->stream, o->number, d->k };
    }
    spin_say(err, &l, at, n);
    free(at);
}

int drain_kernel(struct kernel *k, const struct drain_sink *sink, struct err *err)
{
    struct drain d = { .k = k, .sink = sink, .dyn.addr.list = d.list };
    struct wave v = { .ops = &drain_ops, .to = &d, .cluster = k->cluster };
    int failed;

    v.n_clusters = k->n_blocks / k->cluster;
    v.resident = k->resident / k->cluster;
    v.holds = k->holds / k->cluster;
    d.most = watch_most(k->watch);
    failed = wave_run(&v, err);
    if (k->watch)
        k->watch->insts += d.n_insts;
    if (d.is_stopped)
        report_spins(&d, &v, err);
    for (uint64_t n = 0; n < v.n; n++) {
        struct open_block *o = wave_in_flight(&v, n);

        if (!o)
            continue;
        sink->dropped(sink->to, o->slot);
        free_block(&d, o);
    }
    wave_free(&v);
    return failed;
}
