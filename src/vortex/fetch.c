/* fetch.c - schedule, fetch and decode: warps in, instructions for the issue stage out.
 *
 * Every cycle the lowest-numbered warp that is active and not stalled is scheduled (RTL:
 * fixed priority). It is stalled then until decode has seen its instruction or, if that
 * can change its program counter or its mask, until that has been executed. A register
 * behind the scheduler, one before the cache and its pipeline make a fetch of a single
 * warp take six cycles. The front end executes an instruction as it is scheduled.
 *
 * Decode takes one instruction a cycle, in the order in which they come from the cache;
 * one without room holds up those behind it (RTL: one response port). They wait in seven
 * places: behind the scheduler, in a request buffer of two, in two stages of the cache
 * and in its response queue of two. Then nothing is scheduled. An answer that finds the
 * queue full stops the cache (RTL: pipe_stall): whether those behind it hit is seen only
 * when there is room again. What has missed waits elsewhere.
 *
 * Most requests find nothing before them that could stop them, and a line that will still
 * be there: they are looked up as they are scheduled, in the cycle in which they come to
 * the cache.
 */
#include <string.h>

#include "vortex/check.h"

enum {
    TO_CACHE = 2,     /* from the scheduler to the cache's bus */
    ANSWERS = 2,      /* that the cache holds for a decode stage that waits */
    TO_SCHEDULER = 2, /* until it sees that all have moved up by one */
    AHEAD = 6,        /* places of which those who go ahead never take the last */
};

/* Where cores share a cache, or somebody looks on, lookups keep the order of time. */
void vx_fetch_reset(struct vx_core *k)
{
    k->looks_ahead = k->p->socket == 1 && k->p->fetches >= AHEAD && !k->is_watched;
}

void vx_warp_ready(struct vx_core *k, unsigned warp, uint64_t cycle)
{
    k->warp[warp].ready_at = cycle;
    k->next_ready = earlier(k->next_ready, cycle);
}

/* Warps whose time has come. */
static void wake(struct vx_core *k)
{
    uint64_t next = VX_NEVER;

    for (uint32_t m = k->active & ~k->ready; m; m &= m - 1) {
        unsigned w = (unsigned)__builtin_ctz(m);

        uint64_t at = k->warp[w].ready_at;
        bool is_ready = at <= k->cycle;

        k->ready |= (uint32_t)is_ready << w;
        next = earlier(next, is_ready ? VX_NEVER : at);
    }
    k->next_ready = next;
}

/* Which of the four units has it; the ALU where nothing else is said. */
static const uint8_t ex_of[N_RISCV_UNIT] = {
    [UNIT_LSU] = VX_LSU,   [UNIT_FMA] = VX_FPU,  [UNIT_FDIV] = VX_FPU,
    [UNIT_FSQRT] = VX_FPU, [UNIT_FCVT] = VX_FPU, [UNIT_FNCP] = VX_FPU,
    [UNIT_WCTL] = VX_SFU,  [UNIT_CSR] = VX_SFU,
};

static void describe(struct vx_core *k, struct uop *u)
{
    const struct riscv_role *r = riscv_role(u->dyn.inst);
    struct vx_flight *f = vx_flight(k, u);

    f->unit = r->unit;
    f->n_src = r->n_src;
    for (unsigned n = 0; n < 3; n++)
        f->src[n] = r->src[n];
    f->rd = r->rd;
    f->stalls = r->stalls & !(k->predicts & (r->unit == UNIT_BRANCH));
    f->ex = ex_of[r->unit];
    f->n_parts = f->n_commits = f->n_answers = 1;
    f->is_local = u->dyn.space == SPACE_SHARED;
    f->in_window = false;
    u->partial = u->dyn.mask != k->full;
    u->redirects =
        u->dyn.next_pc && u->dyn.next_pc != u->dyn.inst->pc + u->dyn.inst->length;
}

static const enum stall wait_for[N_RISCV_UNIT] = {
    [UNIT_BRANCH] = STALL_branch, [UNIT_WCTL] = STALL_branch, [UNIT_CSR] = STALL_branch
};

/* To the cache. Of those who wait for decode there are only fewer until it comes there. */
static void ask(struct vx_core *k, const struct uop *u)
{
    uint32_t pc = (uint32_t)u->dyn.inst->pc;
    uint64_t cycle = k->cycle + TO_CACHE;

    if (k->looks_ahead & !k->asked.n & (k->fetches.n <= ANSWERS) &
        vx_icache_will_hit(k, pc)) {
        k->looked_at[cycle % 2] = cycle;
        vx_icache_read(k, pc, u->id, cycle);
    } else {
        vx_queue_add(&k->asked, u->id, cycle);
    }
}

/* The warp's next instruction goes on its way to decode; false: there is none now. */
static bool take(struct vx_core *k, unsigned warp)
{
    struct uop *u = &k->pool[k->free_list[k->n_free - 1]];
    struct vx_warp *w = &k->warp[warp];

    INVARIANT(k->n_free && u->stage == UOP_FREE);
    switch (stream_next(k->stream, warp, &u->dyn, k->err)) {
    case STREAM_WAIT:
        return false;
    case STREAM_END:
        vx_set_active(k, k->active & ~(1u << warp));
        k->ready &= ~(1u << warp);
        return false;
    case STREAM_ERROR:
        k->failed = true;
        return true;
    case STREAM_INST:
        break;
    }
    k->n_free--;
    u->warp = (uint16_t)warp;
    u->stage = UOP_WINDOW;
    u->fetched = k->cycle;
    describe(k, u);
    vx_check_fetched(k, u);
    vx_view(k, u, TRACE_FETCH);
    w->pending++;
    k->n_pending++;
    k->stats.fetched++;
    ask(k, u);
    k->ready &= ~(1u << warp);
    w->ready_at = VX_NEVER;
    w->wait = STALL_fetch;
    return true;
}

void vx_fetched(struct vx_core *k, uop_id id, uint64_t cycle)
{
    vx_queue_add(&k->fetches, id, cycle);
}

/* No place before the cache: what has missed comes back between them and its stages. */
static bool is_full(const struct vx_core *k)
{
    unsigned n = k->p->fetches > ANSWERS + 1 ? k->p->fetches - ANSWERS - 1 : 1;

    return k->asked.n + (k->fetches.n > ANSWERS + 1) >= n;
}

/* The cache looks up the next request, unless its queue and last stage are taken. */
void vx_lookup_tick(struct vx_core *k)
{
    uop_id id;

    if (k->fetches.n > ANSWERS)
        return;
    if (is_full(k))
        k->room_at = k->cycle + TO_SCHEDULER;
    id = vx_queue_pop(&k->asked);
    vx_icache_read(k, (uint32_t)k->pool[id].dyn.inst->pc, id, k->cycle);
    k->progress = true;
}

void vx_fetch_tick(struct vx_core *k)
{
    if (k->next_ready <= k->cycle)
        wake(k);
    if (!k->ready || is_full(k) || k->room_at > k->cycle || !k->n_free)
        return;
    for (uint32_t m = k->ready; m; m &= m - 1)
        if (take(k, (unsigned)__builtin_ctz(m))) {
            k->progress = true;
            return;
        }
}

uint64_t vx_decode_waited(const struct vx_core *k)
{
    uint64_t since = later(k->fetches.at, k->decode_free);

    return since <= k->cycle ? k->cycle - since + 1 : 0;
}

unsigned vx_fetches_ahead(const struct vx_core *k)
{
    unsigned n = k->looked_at[0] > k->cycle;

    return n + (k->looked_at[1] > k->cycle);
}

void vx_decode_tick(struct vx_core *k)
{
    struct uop *u = &k->pool[k->fetches.p[k->fetches.first].uop];
    const struct vx_flight *f = vx_flight(k, u);
    enum stall *wait = &k->warp[u->warp].wait;

    INVARIANT(k->fetches.n && u->stage == UOP_WINDOW);
    if (!k->issue->ops->accepts(k->issue, u->warp))
        return;
    k->stats.stall_ibuffer += vx_decode_waited(k) - 1;
    k->decode_free = k->cycle + 1;
    vx_queue_pop(&k->fetches);
    vx_view(k, u, TRACE_WINDOW);
    k->issue->ops->insert(k->issue, u);
    *wait = f->stalls ? wait_for[f->unit] : *wait;
    k->ready_next |= (uint32_t)!f->stalls << u->warp;
    k->progress = true; /* so that there is a next cycle */
}

void vx_retire(struct vx_core *k, struct uop *u)
{
    vx_view(k, u, N_TRACE_STAGE);
    INVARIANT(u->stage != UOP_FREE && k->n_free < k->n_pool);
    INVARIANT(k->warp[u->warp].pending && k->n_pending);
    u->stage = UOP_FREE;
    k->warp[u->warp].pending--;
    k->n_pending--;
    k->free_list[k->n_free++] = u->id;
}
