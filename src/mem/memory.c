/* memory.c - the two ends of memory, where requests enter and replies leave it, and the
 * choice between its two forms.
 *
 * plain.c simulates every part in every cycle: it is the specification. fast.c gives the
 * same cycles and statistics with less work (docs/decisions/039-plain-memory.md).
 */
#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/memory_internal.h"
#include "mem/plain.h"

void memory_find_spot(const struct memory *m, uint64_t line, struct spot *spot)
{
    struct place at = address_place(&m->map, line);
    uint32_t set = memory_set_of(m, at.within);

    INVARIANT(at.slice < m->map.n_slices);
    cache_expect_access(m->l2.slices[at.slice].cache, line, set);
    *spot = (struct spot){ .line = line,
                           .row = at.row,
                           .set = (uint16_t)set,
                           .bank = at.bank,
                           .slice = (uint8_t)at.slice };
}

/* Is there room beyond the usual? While SMs run ahead there always is, since how many
 * requests they have depends on how far they have run. */
static bool memory_make_room(const struct memory *m, struct lead_port *p)
{
    struct err err;

    return m->lead.cycles && (p->n < p->size || !lead_grow(p, &err));
}

struct mem_request *memory_place(struct memory *m, unsigned sm, uint64_t cycle)
{
    struct lead_port *p = &m->lead.port[sm];
    struct mem_request *place;

    if (p->n >= m->most_requests && !memory_make_room(m, p)) {
        p->n_refused++;
        return NULL;
    }
    if (!m->lead.cycles)
        cycle = m->cycle;
    place = lead_place(p, cycle);
    if (place == lead_first(p))
        p->is_new = true;
    return place;
}

bool memory_push(struct memory *m, const struct mem_request *r)
{
    return memory_push_at(m, r, m->front.link[r->sm].now);
}

void memory_arrive(struct memory *m, unsigned sm, struct packet *p, uint64_t cycle)
{
    struct packet_queue *to = memory_arrivals(m, sm, p->kind);
    struct memory_link *link = &m->front.link[sm];

    memory_count_latency(m, p, cycle);
    queue_push(to, p);
    m->arrived[sm / 64] |= (uint64_t)1 << (sm & 63);
    if (!m->lead.cycles)
        *(p->kind == MEM_INST ? &link->inst_at : &link->data_at) = 0;
}

/* Takes the first of a queue of arrivals; there must be one. */
static struct mem_reply memory_pop_arrival(struct memory *m, unsigned sm,
                                           struct packet_queue *q)
{
    struct arrivals *a = &m->arrivals[sm];
    struct packet *p = queue_pop(q);
    struct mem_reply r = {
        .id = p->id, .sm = p->sm, .kind = p->kind, .sectors = p->sectors
    };

    packet_drop(&m->packets, p);
    if (!a->data.n && !a->inst.n)
        m->arrived[sm / 64] &= ~((uint64_t)1 << (sm & 63));
    return r;
}

bool memory_pop_queue(struct memory *m, unsigned sm, bool is_inst, struct mem_reply *r)
{
    struct memory_link *l = &m->front.link[sm];
    struct packet_queue *q = is_inst ? &m->arrivals[sm].inst : &m->arrivals[sm].data;

    if (!q->n)
        return false;
    *r = memory_pop_arrival(m, sm, q);
    *(is_inst ? &l->inst_at : &l->data_at) = q->n ? 0 : UINT64_MAX;
    return true;
}

/* Sends replies onto the link to their SM, as far as it takes them. */
static void send_off_queue(struct memory *m, unsigned sm, struct packet_queue *q)
{
    struct memory_link *link = &m->front.link[sm];

    while (q->n && lead_has_room(&m->lead, link, q->head)) {
        lead_send(&m->lead, link, q->head, m->cycle);
        memory_pop_arrival(m, sm, q);
    }
}

void memory_send_off(struct memory *m, unsigned sm)
{
    send_off_queue(m, sm, &m->arrivals[sm].data);
    send_off_queue(m, sm, &m->arrivals[sm].inst);
}

void memory_count_ticks(struct memory *m, uint64_t cycle)
{
    uint64_t last = dram_ticks_until(&m->timing, cycle);

    INVARIANT(last >= m->tick);
    m->stats.dram_ticks += (last - m->tick) * m->map.n_channels;
    m->tick = last;
}

void memory_set_plain(struct memory *m)
{
    INVARIANT(!m->cycle && m->packets.n_free == m->packets.n);
    m->is_plain = true;
}

uint64_t memory_next(const struct memory *m)
{
    return m->is_plain ? plain_next(m) : fast_next(m);
}

void memory_run(struct memory *m, uint64_t from, uint64_t to)
{
    if (m->is_plain)
        plain_run(m, to);
    else
        fast_run(m, from, to);
}

void memory_tick(struct memory *m, uint64_t cycle)
{
    memory_run(m, cycle, cycle + 1);
    if (!m->lead.cycles)
        m->front.cycle = cycle;
}
