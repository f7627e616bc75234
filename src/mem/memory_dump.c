/* memory_dump.c - memory's part of a deadlock report: what every part holds, and the
 * agenda of when it must act (wakes.h).
 */
#include "mem/memory_internal.h"

/* A DRAM tick as a core cycle. */
static uint64_t cycle_of(const struct memory *m, uint64_t tick)
{
    return tick < NEVER ? dram_cycle_of_tick(&m->timing, tick) : NEVER;
}

/* Prints the times of a part, by source. */
static void put_agenda(const uint64_t *at, const char *const *names, unsigned n,
                       struct buf *out)
{
    struct agenda a;

    agenda_init(&a);
    for (unsigned i = 0; i < n; i++)
        agenda_set(&a, i, at[i]);
    buf_puts(out, "  ");
    agenda_print(&a, names, n, out);
}

static void dump_whole(const struct memory *m, struct buf *out)
{
    static const char *const names[N_MEMORY_SOURCES] = {
        [MEMORY_CHANNEL] = "a channel or slice",
        [MEMORY_REQUEST] = "a request before the crossbar",
        [MEMORY_REQUEST_MOVED] = "a request after it",
        [MEMORY_REPLY] = "a reply before the crossbar",
        [MEMORY_REPLY_MOVED] = "a reply after it"
    };
    struct agenda a = fast_agenda(m);

    buf_printf(out, "memory, cycle %llu: %u of %u packets in use\n",
               (unsigned long long)m->cycle, m->packets.n - m->packets.n_free,
               m->packets.n);
    if (m->is_plain)
        buf_puts(out, "  wakes: every part in every cycle\n");
    else
        agenda_print(&a, names, N_MEMORY_SOURCES, out);
}

static void dump_sm(const struct memory *m, unsigned sm, struct buf *out)
{
    static const char *const names[] = { "data", "an instruction line" };
    const struct memory_link *link = &m->front.link[sm];
    uint32_t in = m->lead.port[sm].n, back = m->replies.ports[sm].out.n;
    uint32_t here = m->arrivals[sm].data.n + m->arrivals[sm].inst.n;

    if (!in && !back && !here && !link->data.n && !link->inst.n)
        return;
    buf_printf(out, "  SM %u: %u requests leaving, %u replies coming, %u here\n", sm,
               in, back, here);
    put_agenda((const uint64_t[]){ link->data_at, link->inst_at }, names, 2, out);
}

static void dump_slice(const struct memory *m, const struct slice *s, struct buf *out)
{
    static const char *const names[] = { "any work but a fill",
                                         "end of a fixed latency",
                                         "room in the queue to DRAM", "a fill" };
    const struct slice_wakes *w = s->wakes;

    if (!(s->in.n | s->misses.n | s->out.n | s->port.to_dram.n) &&
        !cache_pending(s->cache))
        return;
    buf_printf(out,
               "  slice %u: in %u, misses %u, to DRAM %u, from DRAM %u, out %u%s\n",
               s->id, s->in.n, s->misses.n, s->port.to_dram.n, s->port.from_dram.n,
               s->out.n, s->is_blocked ? ", blocked" : "");
    if (!m->is_plain)
        put_agenda(
            (const uint64_t[]){ w->first, w->latency, w->room, cycle_of(m, w->fill) },
            names, 4, out);
    cache_dump(s->cache, "  its cache", out);
}

static void dump_channel(const struct memory *m, uint32_t i, struct buf *out)
{
    static const char *const names[] = { "it or a slice of it", "a DRAM tick",
                                         "end of a fixed latency", "data in flight" };
    const struct channel *c = &m->channels[i];
    uint64_t latency = NEVER, landing = NEVER;

    if (channel_is_idle(c))
        return;
    if (c->latency.n)
        latency = cycle_from_low(c->wakes.latency, m->cycle);
    if (c->in_flight.n)
        landing = cycle_of(m, cycle_from_low(c->wakes.landing, m->tick));
    buf_printf(out, "  channel %u: waiting %u, queued %u, in flight %u, read %u\n", i,
               c->latency.n, c->n_queued, c->in_flight.n, c->returned.n);
    if (!m->is_plain)
        put_agenda((const uint64_t[]){ *c->visit, cycle_of(m, c->wakes.tick), latency,
                                       landing },
                   names, 4, out);
}

void memory_dump(const struct memory *m, struct buf *out)
{
    dump_whole(m, out);
    for (unsigned i = 0; i < m->n_sms; i++)
        dump_sm(m, i, out);
    for (uint32_t i = 0; i < m->map.n_slices; i++)
        dump_slice(m, &m->l2.slices[i], out);
    for (uint32_t i = 0; i < m->map.n_channels; i++)
        dump_channel(m, i, out);
}
