/* fetch.c - schedule, fetch and decode: warps in, instructions for the issue stage out.
 *
 * Every cycle the lowest-numbered warp that is active and not stalled is scheduled (RTL:
 * fixed priority). It is then stalled until decode has seen its instruction or, if the
 * instruction can change the warp's program counter or mask, until it has executed. A
 * register after the scheduler, one before the cache and the cache's pipeline make a fetch
 * of a single warp take six cycles. The front end executes an instruction as it is
 * scheduled.
 *
 * Decode takes one instruction per cycle, in the order in which they come from the cache;
 * an instruction without room holds up those after it (RTL: one response port). They wait
 * in seven places: after the scheduler, in a request buffer of two, in two stages of the
 * cache and in its response queue of two. When all are taken, nothing is scheduled. A
 * response that finds the queue full stops the cache (RTL: pipe_stall): whether the
 * requests after it hit is seen only when there is room again. Misses wait elsewhere.
 *
 * These are the steps; plain.c and ahead.c say in which cycle each of them is taken.
 */
#include <string.h>

#include "vortex/check.h"
#include "vortex/stages.h"

void vx_warp_set_ready(struct vx_core *k, unsigned warp, uint64_t cycle)
{
    k->warp[warp].ready_at = cycle;
    k->sched.next_ready = earlier(k->sched.next_ready, cycle);
}

void vx_fetch_wake_warps(struct vx_core *k)
{
    uint64_t next = NEVER;

    for (uint32_t m = k->sched.active & ~k->sched.ready; m; m &= m - 1) {
        unsigned w = (unsigned)__builtin_ctz(m);

        uint64_t at = k->warp[w].ready_at;
        bool is_ready = at <= k->cycle;

        k->sched.ready |= (uint32_t)is_ready << w;
        next = earlier(next, is_ready ? NEVER : at);
    }
    k->sched.next_ready = next;
}

/* Dispatch buffer by unit; the ALU by default. */
static const uint8_t ex_of[N_RISCV_UNIT] = {
    [UNIT_LSU] = VX_LSU,   [UNIT_FMA] = VX_FPU,  [UNIT_FDIV] = VX_FPU,
    [UNIT_FSQRT] = VX_FPU, [UNIT_FCVT] = VX_FPU, [UNIT_FNCP] = VX_FPU,
    [UNIT_WCTL] = VX_SFU,  [UNIT_CSR] = VX_SFU,
};

static void describe_uop(struct vx_core *k, struct uop *u)
{
    const struct riscv_role *r = riscv_role(u->dyn.inst);
    struct vx_flight *f = vx_flight(k, u);

    f->unit = r->unit;
    f->n_src = r->n_src;
    for (unsigned n = 0; n < 3; n++)
        f->src[n] = r->src[n];
    f->rd = r->rd;
    f->stalls = r->stalls & !(k->fetch.predicts & (r->unit == UNIT_BRANCH));
    f->ex = ex_of[r->unit];
    f->n_parts = f->n_commits = f->n_answers = 1;
    f->is_local = u->dyn.space == SPACE_SHARED;
    f->in_window = false;
    u->partial = u->dyn.mask != k->full;
    u->dyn.redirects =
        u->dyn.next_pc && u->dyn.next_pc != u->dyn.inst->pc + u->dyn.inst->length;
}

static const enum stall wait_for[N_RISCV_UNIT] = {
    [UNIT_BRANCH] = STALL_branch, [UNIT_WCTL] = STALL_branch, [UNIT_CSR] = STALL_branch
};

/* The warp's next instruction needs a counter that an older one has not read yet: the
 * warp is scheduled again when it has. LIMIT: in the RTL that instruction is fetched before
 * and waits for the register, which is written as long after the read as a fetch takes. */
static void hold_warp(struct vx_core *k, unsigned warp)
{
    k->warp[warp].is_held = true;
    k->warp[warp].wait = STALL_fetch;
    k->warp[warp].ready_at = NEVER;
    k->sched.ready &= ~(1u << warp);
}

void vx_fetch_tell_time(struct vx_core *k, const struct uop *u)
{
    struct vx_warp *w = &k->warp[u->warp];
    struct stream *s = k->launch.stream;

    INVARIANT(w->n_reads);
    w->n_reads--;
    s->ops->tell_time(s, u->warp, u->dyn.seq, k->cycle, 0);
    if (!w->is_held)
        return;
    w->is_held = false;
    vx_warp_set_ready(k, u->warp, k->cycle);
}

/* The warp's next instruction; NULL: there is none now, or the front end failed. */
static struct uop *take_instruction(struct vx_core *k, unsigned warp)
{
    struct uop *u = &k->pool[k->uops.free_list[k->uops.n_free - 1]];
    struct vx_warp *w = &k->warp[warp];

    INVARIANT(k->uops.n_free && u->stage == UOP_FREE);
    switch (stream_next(k->launch.stream, warp, &u->dyn, k->err)) {
    case STREAM_WAIT:
        if (w->n_reads)
            hold_warp(k, warp);
        return NULL;
    case STREAM_END:
        vx_set_active(k, k->sched.active & ~(1u << warp));
        k->sched.ready &= ~(1u << warp);
        return NULL;
    case STREAM_ERROR:
        k->failed = true;
        return NULL;
    case STREAM_INST:
        break;
    }
    k->uops.n_free--;
    u->warp = (uint8_t)warp;
    u->stage = UOP_WINDOW;
    u->fetched = k->cycle;
    describe_uop(k, u);
    vx_check_fetched(k, u);
    vx_view_stage(k, u, TRACE_FETCH);
    w->pending++;
    w->n_reads += (u->dyn.inst->flags & INST_TIME) != 0;
    k->n_pending++;
    k->stats.fetched++;
    k->sched.ready &= ~(1u << warp);
    w->ready_at = NEVER;
    w->wait = STALL_fetch;
    return u;
}

void vx_fetch_arrived(struct vx_core *k, uop_id id, uint64_t cycle)
{
    vx_queue_add(&k->fetch.arriving, id, cycle);
}

/* The places before the cache are taken, in a cycle whose lookups are done; the scheduler
 * sees in the next one that a request has left. */
static bool is_full(const struct vx_core *k)
{
    const struct vx_fetch *f = &k->fetch;
    unsigned n = k->p->fetches > VX_IN_CACHE ? k->p->fetches - VX_IN_CACHE : 1;

    return f->asked.n - f->is_staged + (f->left_at == k->cycle) >= n;
}

/* In that cycle, before or after decode has taken a response, the cache's stages stand still:
 * the queue of responses was full and one more is before it. (A queue from which decode took
 * one in the cycle before has room; then the stages stand still for a new request if they
 * are filled by older ones.) */
bool vx_fetch_is_stalled(const struct vx_core *k, uint64_t cycle)
{
    const struct vx_fetch *f = &k->fetch;
    unsigned is_taken = f->taken_at[cycle % 2] == cycle;
    unsigned n = f->arriving.n + is_taken, first = f->arriving.first - is_taken;

    if (n < VX_STALLED + (f->taken_at[(cycle - 1) % 2] == cycle - 1))
        return false;
    return f->arriving.p[(first + VX_RESPONSES - 1) % VX_OUT].at <= cycle &&
           f->arriving.p[(first + VX_RESPONSES) % VX_OUT].at <= cycle + 1;
}

/* The first request goes into the cache's first stage, unless that stands still or fills and
 * replays have the bank. Whether it hits is seen when it leaves that stage. */
void vx_fetch_look_up(struct vx_core *k)
{
    struct vx_fetch *f = &k->fetch;
    uop_id id;

    if (!f->is_staged) {
        if (vx_fetch_is_stalled(k, k->cycle) || vx_icache_free(k) > k->cycle)
            return;
        f->left_at = k->cycle;
        k->progress = true;
    }
    f->is_staged = vx_fetch_is_stalled(k, k->cycle + 1);
    if (f->is_staged)
        return;
    id = vx_queue_pop(&f->asked);
    vx_icache_read(k, (uint32_t)k->pool[id].dyn.inst->pc, id, k->cycle);
    k->progress = true;
}

VX_STEP struct uop *vx_fetch_schedule(struct vx_core *k)
{
    struct uop *u = NULL;

    if (is_full(k) || !k->uops.n_free)
        return NULL;
    for (uint32_t m = k->sched.ready; m && !u && !k->failed; m &= m - 1)
        u = take_instruction(k, (unsigned)__builtin_ctz(m));
    k->progress |= u != NULL;
    return u;
}

uint64_t vx_decode_waited(const struct vx_core *k)
{
    uint64_t since = later(k->fetch.arriving.at, k->fetch.counted);

    return since <= k->cycle ? k->cycle - since + 1 : 0;
}

VX_STEP bool vx_decode_insert(struct vx_core *k)
{
    struct uop *u = &k->pool[k->fetch.arriving.p[k->fetch.arriving.first].uop];
    const struct vx_issue_ops *ops = k->issue->ops;
    const struct vx_flight *f = vx_flight(k, u);
    enum stall *wait = &k->warp[u->warp].wait;

    INVARIANT(k->fetch.arriving.n && u->stage == UOP_WINDOW);
    if (!ops->accepts(k->issue, u->warp)) {
        if (ops->refused)
            ops->refused(k->issue);
        return false;
    }
    k->fetch.counted = k->cycle + 1;
    vx_queue_pop(&k->fetch.arriving);
    k->fetch.taken_at[k->cycle % 2] = k->cycle;
    vx_view_stage(k, u, TRACE_WINDOW);
    ops->insert(k->issue, u);
    *wait = f->stalls ? wait_for[f->unit] : *wait;
    k->sched.ready_next |= (uint32_t)!f->stalls << u->warp;
    k->progress = true; /* so that there is a next cycle */
    return true;
}

void vx_retire_uop(struct vx_core *k, struct uop *u)
{
    vx_view_stage(k, u, N_TRACE_STAGE);
    INVARIANT(u->stage != UOP_FREE && k->uops.n_free < k->uops.n);
    INVARIANT(k->warp[u->warp].pending && k->n_pending);
    u->stage = UOP_FREE;
    k->warp[u->warp].pending--;
    k->warp[u->warp].fewer_at = k->cycle;
    k->n_pending--;
    k->uops.free_list[k->uops.n_free++] = u->id;
}
