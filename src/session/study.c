/* study.c - counts redundant instructions of every launch of a workload. */
#include "session/study.h"

#include <stddef.h>
#include <string.h>

#include "frontend/replay/drain.h"

#define SHARE(name, meaning)                                  \
    {                                                         \
#name, meaning, offsetof(struct repeats_counts, name) \
    }
const struct study_share study_shares[N_STUDY_SHARES] = {
    SHARE(grid, "all warps of the grid have the same operands"),
    SHARE(block, "all warps of the block have"),
    SHARE(warp, "all lanes of the warp have"),
    SHARE(uniform, "of block: operands are the same in all lanes"),
    SHARE(affine, "of block: they rise evenly from lane to lane"),
    SHARE(unstructured, "of block: neither"),
};

const struct study_share *study_share_find(const char *name)
{
    const struct study_share *s = study_shares;

    while (strcmp(s->name, name) != 0)
        s++;
    return s;
}

double study_share(const struct repeats_counts *c, const struct study_share *s)
{
    uint64_t n;

    memcpy(&n, (const char *)c + s->offset, sizeof n);
    return c->insts ? 100 * (double)n / (double)c->insts : 0;
}

static void *open_block(void *to, uint64_t block, unsigned n_warps, struct err *err)
{
    (void)block;
    return repeats_open(to, n_warps, err);
}

static int note_inst(void *to, void *slot, unsigned warp, const struct dyn *d,
                     struct err *err)
{
    return repeats_note(to, slot, warp, d, err);
}

static int pass_warp(void *to, void *slot, unsigned warp, struct err *err)
{
    (void)to, (void)slot, (void)warp, (void)err;
    return 0;
}

static int pass_turn(void *to, void *slot, struct err *err)
{
    (void)to, (void)slot, (void)err;
    return 0;
}

static int close_block(void *to, void *slot, struct err *err)
{
    (void)err;
    repeats_close(to, slot);
    return 0;
}

static void drop_block(void *to, void *slot)
{
    (void)to;
    repeats_drop(slot);
}

int study_count_kernel(struct repeats_counts *sum, struct kernel *k,
                       struct replay_counts *counts, struct err *err)
{
    struct drain_sink sink = { .open = open_block,
                               .inst = note_inst,
                               .warp_end = pass_warp,
                               .turn_end = pass_turn,
                               .closed = close_block,
                               .dropped = drop_block,
                               .wants_values = true };
    struct repeats_counts before = *sum;
    struct repeats *r = repeats_new(k, err);
    int failed;

    if (!r)
        return -1;
    sink.to = r;
    failed = drain_kernel(k, &sink, err);
    if (!failed)
        repeats_add(r, sum);
    repeats_free(r);
    counts->warp_insts = sum->insts - before.insts;
    counts->thread_insts = sum->thread_insts - before.thread_insts;
    return failed;
}

int study_run(struct workload_run *run, struct repeats_counts *counts, struct err *err)
{
    *counts = (struct repeats_counts){ 0 };
    run->hook = (struct launch_hook){ .mode = LAUNCH_STUDIED,
                                      .watch = run->hook.watch,
                                      .redundancy = counts };
    return workload_run(run, err);
}
