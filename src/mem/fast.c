/* fast.c - memory, the fast form: the cycles and statistics of plain.c with less work.
 *
 * For stretches of cycles each channel and its slices are simulated alone (stretch.c),
 * then replies in the crossbar, then requests (docs/decisions/020-stretches.md). Packets
 * that nothing can delay take several steps at once, marked with the cycle in which they
 * arrive (015-steps-at-once.md). Cycles in which nothing can happen are skipped.
 */
#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/accept.h"
#include "mem/lanes.h"

static inline const struct spot *spot_of_request(struct memory *m,
                                                 const struct mem_request *r)
{
    uint64_t line = memory_line_of(r);
    struct spot *at = memory_spot_of(m, line);

    if (at->line != line)
        memory_find_spot(m, line, at);
    return at;
}

/* Announces the first request of an SM, if any, to the crossbar, for the cycle after
 * the one in which it leaves. */
static inline void announce_request(struct memory *m, unsigned sm)
{
    struct lead_port *p = &m->lead.port[sm];

    if (!p->n || p->is_up)
        return;
    if (p->cycles[p->first] >= m->cycle) {
        xbar_await(&m->requests, sm, p->cycles[p->first] + 1);
        return;
    }
    p->is_up = true;
    xbar_want(&m->requests, sm, spot_of_request(m, lead_first(p))->slice);
}

/* A complete reply goes onto the link to its SM, which has room. */
static inline void put_on_link(struct memory *m, struct memory_link *link,
                               struct packet *p, uint64_t cycle)
{
    memory_count_latency(m, p, cycle);
    lead_send(&m->lead, link, p, cycle);
    packet_drop(&m->packets, p);
}

/* Hands a reply to its SM in this cycle. */
static void hand_over_reply(struct memory *m, unsigned sm, struct packet *p,
                            uint64_t cycle)
{
    struct memory_link *link = &m->front.link[sm];

    if (m->is_direct && !memory_arrivals(m, sm, p->kind)->n &&
        lead_has_room(&m->lead, link, p))
        put_on_link(m, link, p, cycle);
    else
        memory_arrive(m, sm, p, cycle);
}

static void deliver_replies(struct memory *m, unsigned sm)
{
    struct packet_queue *out = &m->replies.ports[sm].out;

    for (unsigned n = 0; n < m->p.icnt.rate && out->n; n++) {
        const struct packet *p = out->head;
        uint32_t here = memory_arrivals(m, sm, p->kind)->n;
        struct packet *whole;

        if (!cycle_has_come(p->ready, m->cycle) || here >= m->p.icnt.eject_buffer)
            break;
        whole = memory_complete_part(m, xbar_pop(&m->replies, sm));
        if (whole)
            hand_over_reply(m, sm, whole, m->cycle);
    }
}

static void deliver_all_replies(struct memory *m)
{
    for (unsigned w = 0; w < m->sm_words; w++)
        for (uint64_t bits = m->replies.full[w]; bits; bits &= bits - 1)
            deliver_replies(m, w * 64 + (unsigned)__builtin_ctzll(bits));
}

/* A slice takes a request from the crossbar in this cycle. */
static void enter_slice(struct memory *m, struct slice *s, struct packet *p,
                        uint64_t cycle)
{
    s->ahead.request = cycle;
    slice_take_request(s, p, cycle + m->l2.delay[p->way] + s->away);
}

/* Takes a request that was kept at the output of the crossbar. */
static void take_request(struct memory *m, struct slice *s)
{
    struct packet *p = m->requests.ports[s->id].out.head;

    __builtin_prefetch(p->next, 1);
    if (!cycle_has_come(p->ready, m->cycle) || s->ahead.request == m->cycle)
        return;
    if (slice_refuses(s, m->cycle - m->stretch.from)) {
        m->stats.slice_full++;
        return;
    }
    xbar_pop(&m->requests, s->id);
    enter_slice(m, s, p, m->cycle);
}

static void take_kept_requests(struct memory *m)
{
    for (unsigned w = 0; w < m->slice_words; w++)
        for (uint64_t bits = m->requests.full[w]; bits; bits &= bits - 1)
            take_request(m, &m->l2.slices[w * 64 + (unsigned)__builtin_ctzll(bits)]);
}

/* A slice takes one request per cycle. If it has room for this one then, everything up
 * to the end of the fixed latency is known now. */
static inline void send_request_on(struct memory *m, const struct xbar_move *i,
                                   struct packet *p)
{
    struct xbar *x = &m->requests;
    struct slice *s = &m->l2.slices[i->out];
    uint64_t ready = m->cycle + 1 + m->p.icnt.latency;
    uint32_t last = 0;

    if (x->holds) {
        last = request_held_cycles(p) - 1;
        xbar_hold(x, i, last + 1, m->cycle);
    }
    if (m->is_wide && !m->p.icnt.latency && !last && !x->ports[i->out].out.n &&
        s->ahead.request < ready && !slice_refuses(s, ready - m->stretch.from))
        enter_slice(m, s, p, ready);
    else
        xbar_keep(x, i->out, p, ready + last);
}

static inline __attribute__((always_inline)) void
move_request(struct memory *m, const struct xbar_move *i)
{
    struct lead_port *p = &m->lead.port[i->in];
    const struct mem_request *r = lead_first(p);

    INVARIANT(p->is_up);
    send_request_on(m, i, memory_accept_request(m, r, spot_of_request(m, r)));
    lead_taken(p);
    announce_request(m, i->in);
}

typedef void move_fn(struct memory *m, const struct xbar_move *i);

/* Moves packets through a crossbar whose outputs choose one after another. */
static void move_chain(struct memory *m, struct xbar *x, move_fn *move)
{
    struct xbar_move one;

    for (uint32_t out = 0; xbar_chain(x, m->cycle, &out, &one);)
        move(m, &one);
}

/* Moves packets through a crossbar, as they are chosen. Inline: with each kind of move, of
 * which there is one call, so that it is inline too. */
static inline __attribute__((always_inline)) void
move_all(struct memory *m, struct xbar *x, move_fn *move)
{
    if (x->p->chain) {
        move_chain(m, x, move);
        return;
    }
    xbar_tick(x, m->cycle);
    for (const struct xbar_move *i = x->moved, *end = i + x->n_moved; i < end; i++)
        move(m, i);
}

/* True if replies are on their way from the crossbar to the link. */
static inline bool has_replies_waiting(const struct memory *m, unsigned sm)
{
    return (m->replies.full[sm / 64] | m->arrived[sm / 64]) >> (sm & 63) & 1;
}

/* Announces the first reply of a slice, if any, to the crossbar. */
static inline void announce_reply(struct memory *m, unsigned slice)
{
    const struct packet_queue *q = &m->replies.ports[slice].in;

    if (!q->n)
        return;
    __builtin_prefetch(q->head->next,
                       1); /* perf: it is next, and may have waited for long */
    if (cycle_has_come(q->head->ready, m->cycle))
        xbar_want(&m->replies, slice, q->head->sm);
    else
        xbar_await(&m->replies, slice, cycle_from_low(q->head->ready, m->cycle));
}

/* Moves a reply through the crossbar and, if memory works ahead, in the same step onto
 * the link, with the cycle in which it arrives there. */
static inline void move_reply(struct memory *m, const struct xbar_move *i)
{
    struct xbar *x = &m->replies;
    uint64_t ready = m->cycle + 2 + m->p.icnt.latency;
    struct packet *p = xbar_take(x, i->in), *whole;
    struct memory_link *link = &m->front.link[i->out];

    announce_reply(m, i->in);
    memory_count_reply(m, &m->stats, p);
    if (x->holds)
        xbar_hold(x, i, memory_reply_flits(m, p), m->cycle);
    if (!m->is_direct || !m->is_wide || has_replies_waiting(m, i->out) ||
        !lead_has_room(&m->lead, link, p)) {
        xbar_keep(x, i->out, p, ready);
        return;
    }
    whole = memory_complete_part(m, p);
    if (whole)
        put_on_link(m, link, whole, ready);
}

static void send_off_replies(struct memory *m)
{
    for (unsigned w = 0; w < m->sm_words; w++)
        for (uint64_t bits = m->arrived[w]; bits; bits &= bits - 1)
            memory_send_off(m, w * 64 + (unsigned)__builtin_ctzll(bits));
}

/* The first channel at or after i that has something to do before cycle `to`. */
static uint32_t next_awake_channel(const struct memory *m, uint32_t i, uint64_t to)
{
    while (i < m->map.n_channels && m->wakes.visit[i] >= to)
        i++;
    return i;
}

/* One stretch, in three steps. First DRAM and L2 ... */
static void run_slices(struct memory *m)
{
    struct stretch *w = &m->stretch;
    uint32_t n = m->map.n_channels, i = next_awake_channel(m, 0, w->to);

    for (uint64_t t = w->from; i < n && t <= w->to; t++)
        w->last_tick[t - w->from] = dram_ticks_until(&m->timing, t);
    if (m->lanes && lanes_run(m->lanes))
        return;
    for (uint32_t next; i < n; i = next) {
        next = next_awake_channel(m, i + 1, w->to);
        if (next < n)
            channel_expect(&m->l2, &m->channels[next]);
        channel_stretch(&m->l2, &m->channels[i], w);
    }
}

static bool has_any_bit(const uint64_t *set, unsigned words)
{
    uint64_t any = 0;

    for (unsigned w = 0; w < words; w++)
        any |= set[w];
    return any != 0;
}

/* Begins a cycle of a crossbar: announces packets that have arrived at inputs. */
static inline void begin_xbar_cycle(struct memory *m, struct xbar *x,
                                    void (*announce)(struct memory *m, unsigned in))
{
    if (!xbar_begin(x, m->cycle))
        return;
    for (unsigned w = 0; w < x->in_words; w++) {
        for (uint64_t bits = x->due[w]; bits; bits &= bits - 1)
            announce(m, w * 64 + (unsigned)__builtin_ctzll(bits));
        x->due[w] = 0;
    }
}

/* ... then replies on their way back ... */
static void run_replies(struct memory *m)
{
    const struct stretch *w = &m->stretch;

    for (m->cycle = w->from; m->cycle < w->to;) {
        l2_run_tight(&m->l2, w, m->cycle);
        deliver_all_replies(m);
        begin_xbar_cycle(m, &m->replies, announce_reply);
        for (uint32_t i = 0; i < m->p.icnt.rate && m->replies.n_waiting; i++)
            move_all(m, &m->replies, move_reply);
        if (m->lead.cycles)
            send_off_replies(m);
        m->cycle++;
        if (!m->l2.n_tight && !m->replies.n_waiting &&
            !has_any_bit(m->replies.full, m->sm_words) &&
            !has_any_bit(m->arrived, m->sm_words))
            m->cycle = xbar_next(&m->replies);
    }
}

/* ... and last requests, which use packets that replies have freed. */
static void run_requests(struct memory *m)
{
    const struct stretch *w = &m->stretch;

    for (m->cycle = w->from; m->cycle < w->to;) {
        if (m->cycle > w->from)
            take_kept_requests(m);
        begin_xbar_cycle(m, &m->requests, announce_request);
        for (uint32_t i = 0; i < m->p.icnt.rate && m->requests.n_waiting; i++)
            if (memory_has_packets(m))
                move_all(m, &m->requests, move_request);
        m->cycle++;
        if (!m->requests.n_waiting && !has_any_bit(m->requests.full, m->slice_words))
            m->cycle = xbar_next(&m->requests);
    }
}

/* Simulates cycles from `from` on, before `to`; returns the first cycle not
 * simulated. */
static uint64_t run_stretch(struct memory *m, uint64_t from, uint64_t to)
{
    struct stretch *w = &m->stretch;
    uint64_t most = to - from < m->max_stretch ? to - from : m->max_stretch;

    INVARIANT(from >= m->cycle && to > from && most <= MAX_STRETCH);
    w->from = from;
    w->to = from + most;
    l2_begin_stretch(&m->l2, most);
    m->cycle = from;
    take_kept_requests(m);
    run_slices(m);
    run_replies(m);
    l2_end_stretch(&m->l2, w);
    run_requests(m);
    m->cycle = w->to - 1;
    memory_count_ticks(m, m->cycle);
    return w->to;
}

/* The first cycle in which a reply that has moved through the crossbar reaches its SM. */
static uint64_t next_arrival(const struct memory *m)
{
    uint64_t next = NEVER;

    for (unsigned w = 0; w < m->sm_words; w++)
        for (uint64_t bits = m->replies.full[w]; bits; bits &= bits - 1) {
            unsigned sm = w * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t at =
                cycle_from_low(m->replies.ports[sm].out.head->ready, m->cycle);

            next = earlier(next, at);
        }
    return next;
}

static uint64_t next_visit(const struct memory *m)
{
    uint64_t next = NEVER;

    for (uint32_t i = 0; i < m->map.n_channels; i++)
        next = earlier(next, m->wakes.visit[i]);
    return next;
}

/* Of the requests that the crossbar knows. */
static struct agenda known_agenda(const struct memory *m)
{
    bool has_moved = has_any_bit(m->requests.full, m->slice_words);
    struct agenda a;

    agenda_init(&a);
    agenda_set(&a, MEMORY_CHANNEL, next_visit(m));
    agenda_set(&a, MEMORY_REQUEST, xbar_next(&m->requests));
    agenda_set(&a, MEMORY_REQUEST_MOVED, has_moved ? m->cycle + 1 : NEVER);
    agenda_set(&a, MEMORY_REPLY, xbar_next(&m->replies));
    agenda_set(&a, MEMORY_REPLY_MOVED, next_arrival(m));
    return a;
}

struct agenda fast_agenda(const struct memory *m)
{
    struct agenda a = known_agenda(m);

    for (unsigned sm = 0; sm < m->n_sms; sm++) {
        const struct lead_port *p = &m->lead.port[sm];

        if (p->is_new)
            agenda_add(&a, MEMORY_REQUEST, p->cycles[p->first] + 1);
    }
    return a;
}

static uint64_t first_of(struct agenda a)
{
    uint64_t first = agenda_first(&a);

    return first < NEVER ? first : UINT64_MAX;
}

uint64_t fast_next(const struct memory *m)
{
    return first_of(fast_agenda(m));
}

/* Tells the crossbar when the first requests of SMs leave, of those that have come since
 * the last time. */
static void await_new_requests(struct memory *m)
{
    for (unsigned sm = 0; sm < m->n_sms; sm++) {
        struct lead_port *p = &m->lead.port[sm];

        if (p->is_new)
            xbar_await(&m->requests, sm, p->cycles[p->first] + 1);
        p->is_new = false;
    }
}

void fast_run(struct memory *m, uint64_t from, uint64_t to)
{
    await_new_requests(m);
    if (from > m->cycle + 1) /* memory goes on between kernels */
        from = later(earlier(first_of(known_agenda(m)), from), m->cycle + 1);
    while (from < to) {
        uint64_t end = run_stretch(m, from, to), next = first_of(known_agenda(m));

        from = later(next, end);
    }
    if (to > m->cycle + 1) {
        m->cycle = to - 1;
        memory_count_ticks(m, to - 1);
    }
}
