/* lanes.c - DRAM channels and their L2 slices on threads. */
#include "mem/lanes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/sparse.h"
#include "base/team.h"

enum { LEAST_CHANNELS = 8 }; /* with fewer, waking threads takes longer */

struct lane {
    _Alignas(64) struct l2 l2; /* shares slices and parameters with the memory's */
    struct xbar replies;       /* shares ports */
    struct packets packets;    /* shares the pool */
    struct memory_stats stats;
};

struct lanes {
    struct memory *m;
    struct team *team;
    unsigned n;
    struct lane *lane;             /* by member */
    struct team_lock lock;         /* for the memory's free packets */
    _Alignas(64) atomic_uint next; /* channel */
};

static size_t later_words(const struct xbar *x)
{
    return (size_t)XBAR_AHEAD * x->in_words;
}

/* One channel with this lane's share. */
static void run_channel(struct memory *m, struct lane *l, struct channel *c)
{
    c->packets = &l->packets;
    c->stats = &l->stats;
    channel_stretch(&l->l2, c, &m->stretch);
    c->packets = &m->packets;
    c->stats = &m->stats;
}

static void run_member(void *to, unsigned member)
{
    struct lanes *l = to;
    struct memory *m = l->m;
    unsigned i;

    while ((i = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed)) <
           m->map.n_channels)
        if (m->wakes.visit[i] < m->stretch.to)
            run_channel(m, &l->lane[member], &m->channels[i]);
}

static bool pays(const struct memory *m)
{
    unsigned n = 0;

    for (uint32_t i = 0; i < m->map.n_channels; i++)
        n += m->wakes.visit[i] < m->stretch.to;
    return n >= LEAST_CHANNELS;
}

/* What the lane's slices told the crossbar. */
static void join_replies(struct xbar *to, struct xbar *from)
{
    for (size_t k = 0, n = later_words(to); from->n_later && k < n; k++) {
        to->n_later += (uint32_t)__builtin_popcountll(from->later[k] & ~to->later[k]);
        to->later[k] |= from->later[k];
        from->later[k] = 0;
    }
    from->n_later = 0;
    to->n_packets += from->n_packets;
    from->n_packets = 0;
}

static void join_lane(struct memory *m, struct lane *l)
{
    join_replies(&m->replies, &l->replies);
    m->l2.refuses |= l->l2.refuses;
    l->l2.refuses = false;
    memcpy(m->packets.free + m->packets.n_free, l->packets.free,
           l->packets.n_free * sizeof *l->packets.free);
    m->packets.n_free += l->packets.n_free;
    l->packets.n_free = 0;
}

bool lanes_run(struct lanes *l)
{
    struct memory *m = l->m;

    if (!pays(m))
        return false;
    atomic_store_explicit(&l->next, 0, memory_order_relaxed);
    for (unsigned k = 0; k < l->n; k++)
        l->lane[k].replies.begun = m->replies.begun;
    team_run(l->team, run_member, l);
    for (unsigned k = 0; k < l->n; k++)
        join_lane(m, &l->lane[k]);
    return true;
}

void lanes_count(const struct lanes *l, struct memory_stats *to)
{
    uint64_t *sum = (uint64_t *)to;

    for (unsigned k = 0; k < l->n; k++) {
        const uint64_t *each = (const uint64_t *)&l->lane[k].stats;

        for (size_t n = 0; n < sizeof *to / sizeof *sum; n++)
            sum[n] += each[n];
        l2_count(&l->lane[k].l2, to);
    }
}

static int init_lane(struct lanes *all, struct lane *l, struct err *err)
{
    struct memory *m = all->m;

    memset(l, 0, sizeof *l);
    l->l2 = m->l2;
    memset(l->l2.outcomes, 0, sizeof l->l2.outcomes);
    l->l2.packets = &l->packets;
    l->l2.replies = &l->replies;
    l->l2.stats = &l->stats;
    l->replies = m->replies;
    l->replies.n_packets = l->replies.n_later = 0;
    l->replies.later = calloc(later_words(&m->replies), sizeof *l->replies.later);
    l->packets =
        (struct packets){ .pool = m->packets.pool,
                          .free = sparse_new(m->packets.n * sizeof *l->packets.free),
                          .n = m->packets.n,
                          .source = &m->packets,
                          .lock = &all->lock };
    return l->replies.later && l->packets.free ? 0
                                               : err_memory(err, "threads of memory");
}

struct lanes *lanes_new(struct memory *m, struct team *team, struct err *err)
{
    struct lanes *l = aligned_alloc(_Alignof(struct lanes), sizeof *l);
    unsigned n = team_size(team);
    int failed = 0;

    if (l) {
        *l = (struct lanes){ .m = m, .team = team, .n = n };
        l->lane = aligned_alloc(_Alignof(struct lane), n * sizeof *l->lane);
    }
    if (!l || !l->lane) {
        err_memory(err, "threads of memory");
        free(l);
        return NULL;
    }
    for (unsigned k = 0; k < n; k++)
        failed |= init_lane(l, &l->lane[k], err);
    if (!failed)
        return l;
    lanes_free(l);
    return NULL;
}

void lanes_free(struct lanes *l)
{
    if (!l)
        return;
    for (unsigned k = 0; k < l->n; k++) {
        free(l->lane[k].replies.later);
        sparse_free(l->lane[k].packets.free,
                    l->m->packets.n * sizeof *l->lane[k].packets.free);
    }
    free(l->lane);
    free(l);
}
