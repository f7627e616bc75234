/* plain.c - memory, cycle by cycle: the specification of fast.c and stretch.c.
 *
 * A request and its reply pass through these queues:
 *
 *     SM's port -> crossbar output -> fixed latency (one queue per way) -> slice.in
 *         -> cache -> slice.misses -> port.to_dram -> DRAM (plain_dram.c)
 *     DRAM -> port.from_dram -> cache -> slice.out -> crossbar input
 *         -> crossbar output -> SM's arrivals
 *
 * In each cycle every slice takes a request from the crossbar, every channel runs the
 * DRAM ticks of the cycle and then its slices, replies reach the SMs, and packets move
 * through the crossbar, replies first; the SMs come after it. Within a part the last step
 * comes first, so that a packet takes one step per cycle. The order is GPGPU-Sim's.
 *
 * Nothing is done before its cycle, and no part is left out in any cycle.
 */
#include "mem/plain.h"

#include "base/invariant.h"
#include "mem/accept.h"
#include "mem/dram_rules.h"
#include "mem/memory_internal.h"

enum { NOWHERE = UINT16_MAX }; /* the destination of an input without a packet */

/* A slice takes the first request at its crossbar output, if it has room. The parts of a
 * request, which were made together, enter their fixed latency together. */
static void take_request(struct memory *m, struct slice *s)
{
    struct packet_queue *from = &m->requests.ports[s->id].out;

    if (!from->n || !cycle_has_come(from->head->ready, m->cycle))
        return;
    if (s->in.n >= m->l2.crowd) {
        m->stats.slice_full++;
        return;
    }
    for (struct packet *p = queue_pop(from), *child; p; p = child) {
        child = p->child;
        p->ready = (uint32_t)(m->cycle + m->l2.delay[p->way] + s->away);
        queue_push(&s->waiting[p->way].queue, p);
    }
}

/* The first reply of a slice enters the crossbar, if there is room. */
static void send_reply(struct memory *m, struct slice *s)
{
    if (!s->out.n || !xbar_has_room(&m->replies, s->id))
        return;
    memory_count_reply(m, &m->stats, s->out.head);
    queue_push(&m->replies.ports[s->id].in, queue_pop(&s->out));
}

/* Answers one request whose miss has been filled. */
static void answer_filled(const struct l2 *l, struct slice *s)
{
    if (cache_is_ready(s->cache) && s->out.n < l->p.queue_l2_icnt)
        queue_push(&s->out, packet_at(l->packets, cache_ready(s->cache)));
}

/* Data from DRAM fill the cache and hold its fill port. */
static void fill_cache(const struct l2 *l, struct slice *s, uint64_t cycle)
{
    slot_id i;

    if (!s->port.from_dram.n || s->fill_free > cycle)
        return;
    i = slot_pop(s->channel, &s->port.from_dram);
    cache_fill(s->cache, s->channel->slots[i].mshr);
    slot_free(s->channel, i);
    s->fill_free = cycle + l->fill_cycles;
}

static void send_miss(const struct l2 *l, struct slice *s)
{
    if (s->misses.n && s->port.to_dram.n < l->p.queue_l2_dram)
        queue_push(&s->port.to_dram, queue_pop(&s->misses));
}

/* The first request accesses the cache, if its reply and its misses would have room and
 * the data port is free. One that fails is tried again in the next cycle. */
static void access_cache(struct l2 *l, struct slice *s, uint64_t cycle)
{
    struct packet *p = s->in.head;
    struct cache_access a;
    struct cache_outcome o;

    if (!s->in.n || s->port.to_dram.n >= l->p.queue_l2_dram ||
        s->out.n >= l->p.queue_l2_icnt || l2_port_is_busy(s, cycle))
        return;
    l2_complete_partial(l, s);
    if (l2_refuses_write(l, s, p)) {
        l2_count_fail(l, CACHE_FAIL_LINE);
        return;
    }
    a = l2_access_of(l, s, p);
    o = cache_access(s->cache, &a);
    if (o.result == CACHE_FAIL)
        l2_count_fail(l, o.fail);
    else if (l2_end_access(l, s, p, &o, cycle))
        queue_push(&s->out, p);
}

/* One request per way whose fixed latency is over reaches the queue of the cache. */
static void end_latencies(const struct l2 *l, struct slice *s, uint64_t cycle)
{
    for (unsigned w = 0; w < l->n_ways; w++) {
        struct packet_queue *q = &s->waiting[w].queue;

        if (q->n && cycle_has_come(q->head->ready, cycle) &&
            s->in.n < l->p.queue_icnt_l2)
            queue_push(&s->in, queue_pop(q));
    }
}

static void run_slice(struct memory *m, struct slice *s)
{
    send_reply(m, s);
    answer_filled(&m->l2, s);
    fill_cache(&m->l2, s, m->cycle);
    send_miss(&m->l2, s);
    access_cache(&m->l2, s, m->cycle);
    end_latencies(&m->l2, s, m->cycle);
}

/* The DRAM ticks that fall into the cycle, then the slices of the channel. */
static void run_channel(struct memory *m, struct channel *c)
{
    uint64_t last = dram_ticks_until(&m->timing, m->cycle);

    for (uint64_t tick = m->tick + 1; tick <= last; tick++)
        plain_channel_tick(c, tick, m->cycle);
    for (uint32_t i = 0; i < c->n_ports; i++)
        run_slice(m, &m->l2.slices[c->first_slice + i]);
}

/* Replies at a crossbar output reach their SM, as many as it takes in a cycle. A request
 * that was split is answered with its last part. */
static void deliver_replies(struct memory *m, unsigned sm)
{
    struct packet_queue *out = &m->replies.ports[sm].out;

    for (unsigned n = 0; n < m->p.icnt.rate && out->n; n++) {
        const struct packet *p = out->head;
        struct packet *whole;

        if (!cycle_has_come(p->ready, m->cycle) ||
            memory_arrivals(m, sm, p->kind)->n >= m->p.icnt.eject_buffer)
            break;
        whole = memory_complete_part(m, queue_pop(out));
        if (whole)
            memory_arrive(m, sm, whole, m->cycle);
    }
}

/* The slice that the first request of an SM is for. It is at the crossbar in the cycle
 * after the one in which it left. */
static uint16_t request_goes_to(const struct memory *m, uint32_t sm)
{
    const struct lead_port *p = &m->lead.port[sm];

    if (!p->n || p->cycles[p->first] >= m->cycle)
        return NOWHERE;
    return (uint16_t)address_place(&m->map, memory_line_of(lead_first(p))).slice;
}

/* The SM that the first reply of a slice is for. */
static uint16_t reply_goes_to(const struct memory *m, uint32_t slice)
{
    const struct packet_queue *q = &m->replies.ports[slice].in;

    return q->n ? q->head->sm : NOWHERE;
}

static void move_request(struct memory *m, const struct xbar_move *i)
{
    struct xbar *x = &m->requests;
    struct lead_port *from = &m->lead.port[i->in];
    const struct mem_request *r = lead_first(from);
    struct packet *p;
    struct spot at;
    uint32_t flits = 1;

    memory_find_spot(m, memory_line_of(r), &at);
    p = memory_accept_request(m, r, &at);
    lead_taken(from);
    if (x->holds) {
        flits = request_held_cycles(p);
        xbar_hold(x, i, flits, m->cycle);
    }
    p->ready = (uint32_t)(m->cycle + flits + m->p.icnt.latency);
    queue_push(&x->ports[i->out].out, p);
}

/* An SM takes a reply from the crossbar one cycle later than a slice takes a request. */
static void move_reply(struct memory *m, const struct xbar_move *i)
{
    struct xbar *x = &m->replies;
    struct packet *p = queue_pop(&x->ports[i->in].in);

    if (x->holds)
        xbar_hold(x, i, memory_reply_flits(m, p), m->cycle);
    p->ready = (uint32_t)(m->cycle + 2 + m->p.icnt.latency);
    queue_push(&x->ports[i->out].out, p);
}

/* The input that may send to an output: the first one that wants to, from the one with
 * priority on. While its port is held by an earlier packet, none may. */
static uint16_t choose_input(const struct xbar *x, const uint16_t *to, uint32_t out,
                             uint64_t cycle)
{
    const struct xbar_port *o = &x->ports[out];
    uint32_t first = x->is_islip ? o->next : x->start;

    if (o->out.n >= x->out_limit || o->out_free > cycle)
        return NOWHERE;
    for (uint32_t n = 0; n < x->n_in; n++) {
        uint32_t in = first + n < x->n_in ? first + n : first + n - x->n_in;

        if (to[in] == out)
            return x->ports[in].in_free > cycle ? NOWHERE : (uint16_t)in;
    }
    return NOWHERE;
}

/* One packet moves to each output that can take one, at most one from each input; with
 * icnt.chain the next packet of an input is there at once for outputs that come later. */
static void run_crossbar(struct memory *m, struct xbar *x,
                         uint16_t (*goes_to)(const struct memory *, uint32_t),
                         void (*move)(struct memory *, const struct xbar_move *))
{
    uint16_t to[XBAR_MAX_PORTS];
    uint32_t n_want[XBAR_MAX_PORTS] = { 0 };
    bool is_wanted = false;

    for (uint32_t in = 0; in < x->n_in; in++) {
        to[in] = goes_to(m, in);
        if (to[in] == NOWHERE)
            continue;
        n_want[to[in]]++;
        is_wanted = true;
    }
    if (!is_wanted)
        return;
    for (uint32_t out = 0; out < x->n_out; out++) {
        uint16_t in = n_want[out] ? choose_input(x, to, out, m->cycle) : NOWHERE;

        if (in == NOWHERE)
            continue;
        x->n_conflicts += n_want[out] > 1;
        x->ports[out].next = in + x->step >= x->n_in ? 0 : in + x->step;
        move(m, &(struct xbar_move){ in, (uint16_t)out });
        to[in] = x->p->chain ? goes_to(m, in) : NOWHERE;
        if (to[in] != NOWHERE)
            n_want[to[in]]++;
    }
    x->start = x->start + 1 == x->n_in ? 0 : x->start + 1;
}

static void run_cycle(struct memory *m)
{
    for (uint32_t i = 0; i < m->map.n_slices; i++)
        take_request(m, &m->l2.slices[i]);
    for (uint32_t i = 0; i < m->map.n_channels; i++)
        run_channel(m, &m->channels[i]);
    for (unsigned sm = 0; sm < m->n_sms; sm++)
        deliver_replies(m, sm);
    for (uint32_t i = 0; i < m->p.icnt.rate; i++)
        run_crossbar(m, &m->replies, reply_goes_to, move_reply);
    for (unsigned sm = 0; sm < m->n_sms && m->lead.cycles; sm++)
        memory_send_off(m, sm);
    for (uint32_t i = 0; i < m->p.icnt.rate; i++)
        if (memory_has_packets(m))
            run_crossbar(m, &m->requests, request_goes_to, move_request);
    memory_count_ticks(m, m->cycle);
}

void plain_run(struct memory *m, uint64_t to)
{
    while (m->cycle + 1 < to) {
        m->cycle++;
        run_cycle(m);
    }
}

uint64_t plain_next(const struct memory *m)
{
    bool is_empty = m->packets.n_free == m->packets.n;

    for (unsigned sm = 0; sm < m->n_sms; sm++)
        is_empty &= !m->lead.port[sm].n;
    for (uint32_t i = 0; i < m->map.n_channels; i++)
        is_empty &= channel_is_idle(&m->channels[i]);
    return is_empty ? UINT64_MAX : m->cycle + 1;
}
