/* gpc.c - clusters of blocks on SMs of one GPC; see gpc.h.
 *
 * The front end has executed arrivals at the barrier of a cluster, and has opened it, before
 * the pipeline says when: a warp that waits is fetched for only when it is open here.
 *
 * LIMIT: messages do not wait for each other, and take the same time between any two SMs of
 * a GPC.
 */
#include "core/gpc.h"

#include <stdlib.h>

#include "base/invariant.h"
#include "core/stages.h"

#define PARAM_OF struct cluster_params
const struct param_group cluster_param_group = PARAM_GROUP(
    "cluster", "clusters of blocks, and the SMs that hold one", CLUSTER_PARAMS);
#undef PARAM_OF

uint64_t gpc_window(const struct cluster_params *p)
{
    return earlier(earlier(p->start, p->barrier), earlier(p->arrive, p->cast));
}

int gpc_init(struct sm *s, struct err *err)
{
    s->gpc.block = calloc(MAX_BLOCK_SLOTS, sizeof *s->gpc.block);
    return s->gpc.block ? 0 : err_memory(err, "SM %u", s->index);
}

void gpc_free(struct sm *s)
{
    free(s->gpc.block);
    free(s->gpc.inbox);
}

void gpc_forget(struct sm *s)
{
    s->gpc.n = 0;
    s->gpc.has_failed = false;
}

void sm_set_peers(struct sm *s, struct sm *const *peers)
{
    s->gpc.peers = peers;
}

/* A block without a cluster is one of its own. */
void gpc_start_block(struct sm *s, unsigned slot)
{
    struct cluster_block *c = &s->gpc.block[slot];

    *c = (struct cluster_block){ .members.n = 1 };
    c->members.sm[0] = (uint16_t)s->index;
    c->members.block[0] = s->blocks.at[slot].index;
}

/* The slot of a resident block; MAX_BLOCK_SLOTS: it is not here. */
static unsigned find_block(const struct sm *s, uint64_t block)
{
    unsigned k = 0;

    while (k < MAX_BLOCK_SLOTS &&
           (!s->blocks.at[k].is_used || s->blocks.at[k].index != block))
        k++;
    return k;
}

void sm_join_cluster(struct sm *s, uint64_t block, const struct cluster_members *m)
{
    unsigned slot = find_block(s, block);
    struct cluster_block *c = &s->gpc.block[slot];

    INVARIANT(slot < MAX_BLOCK_SLOTS);
    *c = (struct cluster_block){ .members = *m };
    while (m->block[c->rank] != block)
        c->rank++;
}

/* Does message a arrive after b? */
static bool is_later(const struct cluster_message *a, const struct cluster_message *b)
{
    if (a->at != b->at)
        return a->at > b->at;
    if (a->from != b->from)
        return a->from > b->from;
    return (int32_t)(a->order - b->order) > 0;
}

static bool has_place(struct sm_gpc *g)
{
    struct cluster_message *more;

    if (g->n < g->room)
        return true;
    more = realloc(g->inbox, (g->room ? 2 * g->room : 64) * sizeof *more);
    if (!more) {
        g->has_failed = true;
        return false;
    }
    g->inbox = more;
    g->room = g->room ? 2 * g->room : 64;
    return true;
}

static void post(struct sm *s, unsigned to, struct cluster_message m)
{
    struct sm *there = to == s->index ? s : s->gpc.peers[to];
    struct sm_gpc *g = &there->gpc;
    uint32_t k = g->n;

    INVARIANT(there == s ? m.at > s->cycle : m.at >= there->wake.next);
    m.from = (uint16_t)s->index;
    m.order = s->gpc.n_sent++;
    if (has_place(g)) {
        for (; k && is_later(&m, &g->inbox[k - 1]); k--)
            g->inbox[k] = g->inbox[k - 1];
        g->inbox[k] = m;
        g->n++;
    }
    there->async_at = earlier(there->async_at, m.at);
    agenda_add(&there->wake.agenda, SM_SCHEME, m.at);
}

uint64_t gpc_next(const struct sm *s)
{
    const struct sm_gpc *g = &s->gpc;

    return g->n ? g->inbox[g->n - 1].at : NEVER;
}

static void post_to_all(struct sm *s, const struct cluster_block *c,
                        enum cluster_message_kind kind)
{
    const struct cluster_members *m = &c->members;

    for (uint32_t k = 0; k < m->n; k++)
        post(s, m->sm[k],
             (struct cluster_message){ .at = s->cycle + s->config.cluster.barrier,
                                       .block = m->block[k],
                                       .kind = (uint8_t)kind,
                                       .rank = (uint8_t)c->rank });
}

/* All warps of the block that have not exited are at the barrier: others are told. */
static void check_arrived(struct sm *s, unsigned slot)
{
    struct cluster_block *c = &s->gpc.block[slot];
    uint32_t all = (uint32_t)(bit64(s->blocks.at[slot].n_warps) - 1);

    if ((c->came | c->exited) != all)
        return;
    if (c->came)
        post_to_all(s, c, CLUSTER_ARRIVED);
    if (c->exited == all)
        post_to_all(s, c, CLUSTER_LEFT);
    c->came = 0;
}

void gpc_exit(struct sm *s, unsigned warp)
{
    const struct warp *w = &s->warp[warp];
    struct cluster_block *c = &s->gpc.block[w->block];

    if (c->members.n < 2)
        return;
    c->exited |= 1u << w->index;
    check_arrived(s, w->block);
}

static void end_wait(struct sm *s, unsigned warp)
{
    warp_set_wait(s, warp, WAIT_NONE);
    fetch_go_on(s, warp);
    wake_warp(&s->wake, warp);
    wake_next(&s->wake);
}

void gpc_arrive(struct sm *s, const struct uop *u)
{
    const struct warp *w = &s->warp[u->warp];
    struct cluster_block *c = &s->gpc.block[w->block];
    struct async_warp *a = &s->async->warp[u->warp];

    if (u->dyn.bar_kind == BAR_ARRIVE) {
        a->n_arrivals++;
        c->came |= 1u << w->index;
        check_arrived(s, w->block);
    } else if (a->n_arrivals > c->n_open && !s->blocks.is_cut) {
        warp_set_wait(s, u->warp, WAIT_CLUSTER);
    } else {
        fetch_go_on(s, u->warp);
    }
}

/* Lets the warps of a block go on that wait for a phase that is over. */
static void release_block(struct sm *s, unsigned slot)
{
    for (struct warpset m = s->blocks.at[slot].warps; warpset_any(&m);) {
        unsigned k = warpset_take(&m);

        if (s->warp[k].wait == WAIT_CLUSTER &&
            (s->blocks.is_cut ||
             s->async->warp[k].n_arrivals <= s->gpc.block[slot].n_open))
            end_wait(s, k);
    }
}

static bool is_complete(const struct cluster_block *c)
{
    for (uint32_t k = 0; k < c->members.n; k++)
        if (c->heard[k] <= c->n_open && !(c->left >> k & 1))
            return false;
    return true;
}

static void hear_block(struct sm *s, unsigned slot, const struct cluster_message *m)
{
    struct cluster_block *c = &s->gpc.block[slot];

    if (m->kind == CLUSTER_ARRIVED)
        c->heard[m->rank]++;
    else
        c->left |= 1u << m->rank;
    if (c->left >> c->rank & 1 || !is_complete(c))
        return;
    c->n_open++;
    release_block(s, slot);
}

void gpc_send_copy(struct sm *s, unsigned slot, struct copy *c, uint64_t delay)
{
    const struct cluster_members *to = &s->gpc.block[slot].members;
    struct cluster_message m = { .at = s->cycle + delay,
                                 .kind = CLUSTER_TOLD,
                                 .stream = s->blocks.at[slot].stream,
                                 .copy = c };

    for (uint32_t left = c->to; left; left &= left - 1) {
        m.rank = (uint8_t)__builtin_ctz(left);
        m.block = to->block[m.rank];
        post(s, to->sm[m.rank], m);
    }
    m.kind = CLUSTER_SENT;
    m.block = s->blocks.at[slot].index;
    m.at += gpc_window(&s->config.cluster); /* when all SMs have passed delay */
    post(s, s->index, m);
}

/* Everybody has been told of a copy of this block. */
static int end_copy(struct sm *s, unsigned slot, const struct cluster_message *m,
                    struct err *err)
{
    struct block_slot *b = &s->blocks.at[slot];

    if (m->stream->ops->end_copy(m->stream, m->copy, err))
        return -1;
    b->n_copies--;
    wake_next(&s->wake);
    block_check_end(s, b);
    return 0;
}

/* A message for a block that has ended comes too late: nobody can see its effect. */
static int take_message(struct sm *s, const struct cluster_message *m, struct err *err)
{
    unsigned slot = find_block(s, m->block);

    if (slot == MAX_BLOCK_SLOTS)
        return 0;
    switch ((enum cluster_message_kind)m->kind) {
    case CLUSTER_ARRIVED:
    case CLUSTER_LEFT:
        hear_block(s, slot, m);
        return 0;
    case CLUSTER_TOLD:
        if (m->stream->ops->tell_copy(m->stream, m->copy, m->rank, err))
            return -1;
        async_wake_block(s, slot);
        return 0;
    case CLUSTER_SENT:
        return end_copy(s, slot, m, err);
    }
    return 0;
}

int gpc_tick(struct sm *s, struct err *err)
{
    struct sm_gpc *g = &s->gpc;

    if (g->has_failed)
        return err_memory(err, "messages between SMs");
    while (g->n && g->inbox[g->n - 1].at <= s->cycle) {
        struct cluster_message m = g->inbox[--g->n];

        if (take_message(s, &m, err))
            return -1;
    }
    return 0;
}

void gpc_cut(struct sm *s)
{
    for (unsigned k = 0; k < MAX_BLOCK_SLOTS; k++)
        if (s->blocks.at[k].is_used)
            release_block(s, k);
}
