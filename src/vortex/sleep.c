/* sleep.c - the agenda of a Vortex core: in which cycle it must act, by source; and what it
 * counts until then.
 *
 * Only ahead.c sleeps, after a cycle in which nothing moved. Each source reads the times
 * that its stage keeps; the step that changes what a stage waits for also sets its time. A
 * time that has passed means that the stage waits for another one, which has an entry of
 * its own. Waking early costs host time only; waking late is a bug, which the comparison
 * with plain.c finds. What else wakes a core is a global barrier: vortex_wake_core().
 */
#include "base/agenda.h"
#include "vortex/memory.h"
#include "vortex/stages.h"

enum source {
    BY_COMMIT,
    BY_LSU,
    BY_DISPATCH,
    BY_ISSUE,
    BY_DECODE,
    BY_LOOKUP,
    BY_SCHEDULER,
    BY_MEMORY,
    N_SOURCES
};
static const char *const names[N_SOURCES] = {
    [BY_COMMIT] = "commit",       [BY_LSU] = "load/store unit",
    [BY_DISPATCH] = "dispatch",   [BY_ISSUE] = "issue stage",
    [BY_DECODE] = "decode",       [BY_LOOKUP] = "instruction cache",
    [BY_SCHEDULER] = "scheduler", [BY_MEMORY] = "memory",
};
_Static_assert((int)N_SOURCES <= (int)AGENDA_SOURCES, "an entry for every source");

/* A time that has passed is no reason to wake. */
static uint64_t if_to_come(const struct vx_core *k, uint64_t at)
{
    return at > k->cycle ? at : NEVER;
}

/* The issue stage hears of a commit, or a place at the commit stage becomes free. */
static uint64_t commit_wakes(const struct vx_core *k)
{
    return earlier(k->commit.settle_at, if_to_come(k, k->commit.out_at));
}

static uint64_t lsu_wakes(const struct vx_core *k)
{
    const struct vx_lsu *l = &k->lsu;

    return earlier(earlier(l->answers.at, l->bus.at),
                   earlier(if_to_come(k, l->send_at), l->take_at));
}

static uint64_t latch_wakes(const struct vx_core *k, const struct vx_latch *l)
{
    return if_to_come(k, l->uop != NO_UOP ? l->at : l->free_at);
}

static uint64_t dispatch_wakes(const struct vx_core *k)
{
    uint64_t at = latch_wakes(k, &k->dispatch.stage);

    for (unsigned ex = 0; ex < N_VX_EX; ex++)
        at = earlier(at, latch_wakes(k, &k->dispatch.buffer[ex]));
    return k->dispatch.fpu_freed == k->cycle ? k->cycle + 1 : at;
}

/* When an instruction comes, or its buffer has room. */
static uint64_t decode_wakes(const struct vx_core *k)
{
    return k->fetch.arriving.at > k->cycle ? k->fetch.arriving.at
                                           : vx_ahead_decode_at(k);
}

/* When a fetch comes to the cache, or the bank is free for it. Where the cache's stages stand
 * still, decode wakes. */
static uint64_t lookup_wakes(const struct vx_core *k)
{
    uint64_t at = k->fetch.asked.at;

    return if_to_come(k, later(at, k->fetch.is_staged ? 0 : vx_icache_free(k)));
}

/* A warp becomes ready, or there is a place for the fetch of one that is. */
static uint64_t scheduler_wakes(const struct vx_core *k)
{
    bool is_seen = k->sched.ready && k->fetch.left_at == k->cycle;

    return earlier(k->sched.next_ready, is_seen ? k->cycle + 1 : NEVER);
}

static void make_agenda(const struct vx_core *k, struct agenda *a)
{
    agenda_init(a);
    agenda_set(a, BY_COMMIT, commit_wakes(k));
    agenda_set(a, BY_LSU, lsu_wakes(k));
    agenda_set(a, BY_DISPATCH, dispatch_wakes(k));
    agenda_set(a, BY_ISSUE, k->issue->ops->next(k->issue));
    agenda_set(a, BY_DECODE, decode_wakes(k));
    agenda_set(a, BY_LOOKUP, lookup_wakes(k));
    agenda_set(a, BY_SCHEDULER, scheduler_wakes(k));
    agenda_set(a, BY_MEMORY, vx_memory_next(k->memory));
}

uint64_t vx_core_next(const struct vx_core *k)
{
    struct agenda a;

    make_agenda(k, &a);
    return later(agenda_first(&a), k->cycle + 1);
}

void vx_core_print_agenda(const struct vx_core *k, struct buf *out)
{
    struct agenda a;

    if (k->is_plain) {
        buf_puts(out, "  wakes: in every cycle\n");
        return;
    }
    make_agenda(k, &a);
    agenda_print(&a, names, N_SOURCES, out);
}

void vx_core_sleep(struct vx_core *k, uint64_t cycle)
{
    uint64_t n = cycle - k->cycle - 1;

    k->stats.slot[k->cause] += n;
    k->stats.warp_cycles += n * k->sched.n_active;
    if (k->dispatch.stage.uop != NO_UOP && k->dispatch.stage.at <= k->cycle)
        *vx_stage_stalls(k) += n;
    if (k->issue->ops->slept)
        k->issue->ops->slept(k->issue, n);
}
