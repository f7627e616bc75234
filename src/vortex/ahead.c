/* ahead.c - one cycle of a Vortex core, as in plain.c, with fewer questions.
 *
 * A stage is asked only in the cycles that its registers and queues name, and some steps
 * are taken before or after their cycle where the difference cannot be seen:
 *   - a fetch that nothing can delay, of a line that will still be there, is looked up as
 *     it is scheduled;
 *   - an instruction that nothing can hold up before its unit goes there as it leaves the
 *     operands, in the cycle in which the unit would take it;
 *   - commits are processed when the issue stage hears of them, two cycles later, unless
 *     a place at the commit stage, the FPU's queue or a counter is needed before;
 *   - waits at decode are counted when the instruction leaves;
 *   - the LSU works out in which cycle it can take its next instruction.
 * Cycles and statistics are those of plain.c, always (perf: decisions 021 and 034).
 */
#include "vortex/stages.h"

enum {
    TO_UNIT = 2, /* from the operands: staging register, dispatch buffer */
    AHEAD = 7,   /* places for fetches, of which lookups ahead never take the last */
};

/* Where cores share a cache, lookups keep the order of time. */
void vx_ahead_reset(struct vx_core *k)
{
    k->fetch.looks_ahead = k->p->socket == 1 && k->p->fetches >= AHEAD;
}

/* ---- commit ---- */

void vx_ahead_catch_up(struct vx_core *k, uint64_t cycle)
{
    while (k->commit.out_at <= cycle)
        vx_commit_packet(k, vx_commit_choose(k, k->commit.out_at), k->commit.out_at);
}

/* The issue stage hears of a commit; and when it will hear of the next one, which may have
 * been processed already. */
static void ahead_settle(struct vx_core *k)
{
    vx_ahead_catch_up(k, k->cycle - VX_SETTLE);
    vx_commit_settle(k);
    k->commit.settle_at = k->commit.out_at + VX_SETTLE;
    for (uint64_t next = k->cycle + VX_SETTLE; k->commit.n_written && next > k->cycle;
         next--)
        if (k->commit.written[next % 4] != NO_UOP)
            k->commit.settle_at = earlier(k->commit.settle_at, next);
}

/* ---- the load/store unit ---- */

/* There is a place before commit, once commits up to now are processed. */
static bool has_place(struct vx_core *k)
{
    if (!vx_lsu_has_place(k))
        vx_ahead_catch_up(k, k->cycle);
    return vx_lsu_has_place(k);
}

/* The first cycle in which the LSU can take its instruction, this one or a later one;
 * NEVER: some time after the next answer, or after the next request has been sent. */
static uint64_t find_take_cycle(struct vx_core *k, const struct uop *u)
{
    const struct vx_lsu *l = &k->lsu;
    uint64_t sent = l->sent[l->oldest], entry = l->entry_at,
             at = later(l->fence_until, sent + 1);

    entry = l->n_loads + 1 < k->p->load_queue ? 0 : entry;
    entry = l->n_loads < k->p->load_queue ? entry : NEVER;
    entry = vx_lsu_answers(u->dyn.inst) ? entry : 0;
    at = later(at, entry);
    return at <= k->cycle && !has_place(k) ? k->cycle + 1 : at;
}

static void ahead_lsu(struct vx_core *k)
{
    struct vx_lsu *l = &k->lsu;

    if (l->answers.at <= k->cycle && has_place(k))
        vx_lsu_answer(k);
    if (l->bus.at <= k->cycle)
        vx_lsu_access(k);
    if (l->send_at <= k->cycle && vx_lsu_can_send(k))
        vx_lsu_send(k);
    if (l->take_at > k->cycle)
        return;
    l->take_at = find_take_cycle(k, &k->pool[l->exec.uop]);
    if (l->take_at <= k->cycle)
        vx_lsu_take(k);
}

/* ---- dispatch ---- */

static void ahead_units(struct vx_core *k)
{
    for (uint32_t m = k->dispatch.held & ~VX_STAGED; m; m &= m - 1) {
        unsigned ex = (unsigned)__builtin_ctz(m);

        if (k->dispatch.buffer[ex].at > k->cycle)
            continue;
        if (ex == VX_FPU || k->commit.out[ex].n >= VX_RESULTS)
            vx_ahead_catch_up(k, k->cycle);
        if (vx_unit_accepts(k, ex))
            vx_unit_take(k, ex);
    }
}

static void ahead_dispatch(struct vx_core *k)
{
    ahead_units(k);
    if (k->dispatch.held & VX_STAGED && k->dispatch.stage.at <= k->cycle)
        vx_stage_dispatch(k);
}

/* Nothing is before it, and what its unit holds now only becomes less until it comes: the
 * next instruction comes two cycles later. (Packets of the LSU are never as many as hold it
 * up.) */
static bool can_go_straight(const struct vx_core *k, unsigned ex)
{
    const struct vx_latch *d = &k->dispatch.buffer[ex];
    const bool has_room[N_VX_EX] = {
        [VX_ALU] = true,
        [VX_LSU] = k->lsu.exec.uop == NO_UOP,
        [VX_FPU] = k->dispatch.n_fpu < k->p->fpu_queue,
    };

    INVARIANT(ex == VX_SFU || d->free_at <= k->cycle + 1);
    return has_room[ex] & (d->uop == NO_UOP) & (k->commit.out[ex].n < VX_RESULTS);
}

bool vx_ahead_go_straight(struct vx_core *k, struct uop *u)
{
    unsigned ex = k->flight[u->id].ex;

    if (!can_go_straight(k, ex))
        return false;
    k->dispatch.stage.free_at = k->cycle + 2;
    if (ex == VX_LSU)
        vx_lsu_start(k, u, k->cycle + TO_UNIT);
    else
        vx_unit_start(k, u, k->cycle + TO_UNIT);
    return true;
}

/* ---- decode and fetch ---- */

uint64_t vx_ahead_decode_at(const struct vx_core *k)
{
    const struct vx_issue *s = k->issue;
    uint64_t comes = k->fetch.arriving.at;

    return later(comes + s->come_cycles, s->room_at);
}

static void ahead_decode(struct vx_core *k)
{
    uint64_t waited = vx_decode_waited(k);

    if (vx_decode_insert(k))
        k->stats.stall_ibuffer += waited - 1;
}

/* To the cache. The fetches that wait for decode only become fewer until it comes there. */
static void ahead_ask(struct vx_core *k, const struct uop *u)
{
    uint32_t pc = (uint32_t)u->dyn.inst->pc;
    uint64_t cycle = k->cycle + VX_TO_CACHE;

    if (k->fetch.looks_ahead & !k->fetch.asked.n &
        (k->fetch.arriving.n <= VX_RESPONSES) & vx_icache_will_hit(k, pc)) {
        k->fetch.looked_at[cycle % 2] = cycle;
        vx_icache_read(k, pc, u->id, cycle);
    } else {
        vx_queue_add(&k->fetch.asked, u->id, cycle);
    }
}

static void ahead_schedule(struct vx_core *k)
{
    struct uop *u;

    if (k->sched.next_ready <= k->cycle)
        vx_fetch_wake_warps(k);
    if (!k->sched.ready)
        return;
    u = vx_fetch_schedule(k);
    if (u)
        ahead_ask(k, u);
}

unsigned vx_ahead_lookups(const struct vx_core *k, uint64_t cycle)
{
    unsigned n = k->fetch.looked_at[0] >= cycle;

    return n + (k->fetch.looked_at[1] >= cycle);
}

void vx_ahead_tick(struct vx_core *k, uint64_t cycle)
{
    vx_core_begin_cycle(k, cycle);
    if (k->commit.settle_at <= cycle)
        ahead_settle(k);
    ahead_lsu(k);
    if (k->dispatch.held)
        ahead_dispatch(k);
    vx_core_issue(k);
    if (vx_ahead_decode_at(k) <= cycle)
        ahead_decode(k);
    if (k->fetch.asked.at <= cycle)
        vx_fetch_look_up(k);
    if (earlier(-(uint64_t)!k->sched.ready, k->sched.next_ready) <= cycle)
        ahead_schedule(k);
}
