/* memory.c - everything behind the SMs: interconnect, sliced L2, DRAM, in order.
 *
 * One core cycle goes as in GPGPU-Sim: replies to SMs, replies into the crossbar, DRAM
 * ticks that fall into the cycle, slices of L2, the crossbar; the SMs come after it.
 * Only parts with something to do are looked at: slices by a set of bits, the ends of
 * fixed waits by one queue for each length of wait, channels by their next tick.
 */
#include "mem/memory.h"

#include <stdlib.h>

#include "mem/address.h"
#include "mem/dram.h"
#include "mem/icnt.h"
#include "mem/l2.h"
#include "mem/lead.h"
#include "mem/memory_stats.h"
#include "mem/packet.h"
#include "mem/params.h"
#include "mem/tlb.h"

enum { MAX_SLICES = 256, SLICE_WORDS = MAX_SLICES / 64, PACKETS_PER_SM = 1024 };

/* The slices for which a fixed wait ends, by cycle: a ring of sets, and the cycles of
 * it that are not empty. */
struct alarms {
    uint64_t (*slices)[SLICE_WORDS];
    uint64_t *some;
    uint32_t mask; /* of the ring, a power of two longer than any wait */
    uint32_t n;    /* cycles that are not empty */
};

struct memory {
    struct memory_front front; /* first: see memory.h */
    struct memory_params p;
    unsigned n_sms, sm_words, slice_words; /* words: of 64 bits, one for each */
    bool is_direct; /* replies go onto the links to SMs with no stop */
    uint64_t cycle, tick;
    struct packets packets;
    uint32_t reserve; /* packets kept for L2's own traffic */
    struct address_map map;
    struct xbar requests, replies;
    struct l2 l2;
    struct dram_timing timing;
    struct channel *channels;
    uint64_t first_channel_tick; /* the earliest next tick of a channel */
    uint64_t awake[SLICE_WORDS];
    struct alarms alarms;
    struct arrivals {
        struct packet_queue data, inst;
    } * arrivals;
    uint64_t arrived[XBAR_WORDS];
    struct tlb tlb;
    struct lead lead;
    uint32_t reply_flits[LINE_SECTORS + 1]; /* by sectors of data */
    struct memory_stats stats;
};

static uint32_t scaled_channels(const struct memory_params *p, unsigned n_sms)
{
    uint64_t n = p->dram.channels;

    if (!p->dram.for_sms || n_sms >= p->dram.for_sms)
        return (uint32_t)n;
    n = (n * n_sms + p->dram.for_sms / 2) / p->dram.for_sms;
    return n ? (uint32_t)n : 1;
}

static int new_channels(struct memory *m, struct err *err)
{
    uint32_t per = m->map.per_channel;

    dram_timing_init(&m->timing, &m->p);
    m->channels = calloc(m->map.n_channels, sizeof *m->channels);
    if (!m->channels)
        return err_set(err, "no memory for %u channels", m->map.n_channels);
    for (uint32_t i = 0; i < m->map.n_channels; i++) {
        struct channel *c = &m->channels[i];

        c->packets = &m->packets;
        c->awake = m->awake;
        c->first_slice = i * per;
        c->n_ports = per;
        c->stats = &m->stats;
        for (uint32_t k = 0; k < per; k++) {
            m->l2.slices[i * per + k].channel = c;
            c->port[k] = &m->l2.slices[i * per + k].port;
        }
        if (channel_init(c, &m->timing, err) < 0)
            return -1;
    }
    m->first_channel_tick = UINT64_MAX;
    return 0;
}

static int new_alarms(struct memory *m, struct err *err)
{
    uint32_t n = 64, longest = 0;

    for (unsigned w = 0; w < N_L2_WAYS; w++)
        longest = m->l2.delay[w] > longest ? m->l2.delay[w] : longest;
    while (n < longest + 2)
        n *= 2;
    m->alarms.mask = n - 1;
    m->alarms.slices = calloc(n, sizeof *m->alarms.slices);
    m->alarms.some = calloc(n / 64, sizeof *m->alarms.some);
    if (!m->alarms.slices || !m->alarms.some)
        return err_set(err, "no memory for waits of %u cycles", n);
    return 0;
}

/* A tick of a clock, in parts of a core's cycle; 0: it is the core's own. */
static uint32_t tick_of(uint32_t clock, uint32_t core_clock)
{
    return clock ? (uint32_t)((uint64_t)CYCLE_PARTS * core_clock / clock) : CYCLE_PARTS;
}

static int new_parts(struct memory *m, struct err *err)
{
    const struct memory_params *p = &m->p;
    uint32_t credits = p->dram.queue + p->dram.return_queue;
    uint32_t n_slices;

    if (address_map_init(&m->map, p, scaled_channels(p, m->n_sms), err) < 0)
        return -1;
    n_slices = m->map.n_slices;
    if (n_slices > MAX_SLICES || m->n_sms > XBAR_MAX_PORTS || !m->n_sms)
        return err_set(err, "%u SMs and %u slices of L2: 1 to %d and at most %d",
                       m->n_sms, n_slices, XBAR_MAX_PORTS, MAX_SLICES);
    /* L2 makes a packet for every line on its way out, and some fetches. */
    m->reserve =
        n_slices * (p->l2.mshrs + p->l2.miss_queue + p->l2.queue_l2_dram + credits + 8);
    if (packets_init(&m->packets, m->reserve + (m->n_sms + 1) * PACKETS_PER_SM, err) <
        0)
        return -1;
    m->l2 = (struct l2){ .p = &m->p.l2,
                         .map = &m->map,
                         .packets = &m->packets,
                         .stats = &m->stats,
                         .tick = tick_of(p->l2.clock, p->dram.core_clock),
                         .n_slices = n_slices };
    m->arrivals = calloc(m->n_sms, sizeof *m->arrivals);
    m->front.link = calloc(m->n_sms, sizeof *m->front.link);
    if (!m->arrivals || !m->front.link)
        return err_set(err, "no memory for %u SMs", m->n_sms);
    for (unsigned i = 0; i < m->n_sms; i++) {
        m->front.link[i].data_at = m->front.link[i].inst_at = UINT64_MAX;
        queue_init(&m->arrivals[i].data);
        queue_init(&m->arrivals[i].inst);
    }
    if (xbar_init(&m->requests, &p->icnt, &m->packets, m->n_sms, n_slices, err) < 0 ||
        xbar_init(&m->replies, &p->icnt, &m->packets, n_slices, m->n_sms, err) < 0 ||
        l2_init(&m->l2, err) < 0 || new_channels(m, err) < 0 || new_alarms(m, err) < 0)
        return -1;
    m->replies.is_reply = true;
    m->requests.holds = p->icnt.serialise >= ICNT_REQUESTS;
    m->replies.holds = p->icnt.serialise == ICNT_BOTH;
    m->sm_words = (m->n_sms + 63) / 64;
    m->slice_words = (n_slices + 63) / 64;
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        m->reply_flits[i] = icnt_flits(&p->icnt, i * SECTOR_BYTES);
    if (p->tlb.enabled)
        return tlb_init(&m->tlb, p->tlb.l2_entries, p->tlb.l2_ways, p->tlb.page_bits,
                        err);
    return 0;
}

struct memory *memory_new(const struct memory_params *p, unsigned n_sms,
                          struct err *err)
{
    struct memory *m = calloc(1, sizeof *m);

    if (!m) {
        err_set(err, "no memory for a memory system");
        return NULL;
    }
    m->p = *p;
    m->n_sms = n_sms;
    m->lead.next_request = UINT64_MAX;
    if (new_parts(m, err) < 0) {
        memory_free(m);
        return NULL;
    }
    return m;
}

void memory_free(struct memory *m)
{
    if (!m)
        return;
    xbar_free(&m->requests);
    xbar_free(&m->replies);
    l2_free(&m->l2);
    free(m->alarms.slices);
    free(m->alarms.some);
    packets_free(&m->packets);
    tlb_free(&m->tlb);
    lead_free(&m->lead);
    for (uint32_t i = 0; i < m->map.n_channels && m->channels; i++)
        channel_free(&m->channels[i]);
    free(m->channels);
    free(m->arrivals);
    free(m->front.link);
    free(m);
}

unsigned memory_sms(const struct memory *m)
{
    return m->n_sms;
}

const struct memory_params *memory_parameters(const struct memory *m)
{
    return &m->p;
}

/* The parts of a request that L2 handles one by one, as sectors; how many. */
static unsigned split(const struct memory *m, uint8_t sectors,
                      uint8_t part[LINE_SECTORS])
{
    unsigned n = 0, g = m->l2.granule;

    if (!(sectors & (sectors - 1))) { /* mostly it is one sector */
        part[0] = sectors;
        return sectors != 0;
    }
    for (unsigned s = 0; s < LINE_SECTORS; s += g) {
        uint8_t mask = (uint8_t)(((1u << g) - 1) << s);

        if (sectors & mask)
            part[n++] = sectors & mask;
    }
    return n;
}

/* Makes packets for the parts of a request that is to be their parent; the first. */
static packet_id make_parts(struct memory *m, packet_id parent, const uint8_t *part,
                            unsigned n)
{
    struct packet *whole = packet_at(&m->packets, parent);
    packet_id first = NO_PACKET;

    for (unsigned i = n; i-- > 0;) {
        packet_id child = packet_take(&m->packets);
        struct packet *p = packet_at(&m->packets, child);

        *p = *whole;
        p->parent = parent;
        p->child = first;
        p->sectors = part[i];
        first = child;
    }
    whole->parts = (uint8_t)n;
    return first;
}

/* A request enters the interconnect; false if it is full. */
static bool take_in(struct memory *m, const struct mem_request *r)
{
    uint8_t part[LINE_SECTORS];
    uint64_t addr = r->addr & ~(uint64_t)(LINE_BYTES - 1);
    unsigned n = 0;
    struct place at;
    struct packet *p;
    packet_id i;

    if (xbar_has_room(&m->requests, r->sm))
        n = split(m, r->sectors, part);
    if (!n || m->packets.n_free < m->reserve + n + 1) {
        m->stats.request_refused++;
        return false;
    }
    at = address_place(&m->map, addr);
    i = packet_take(&m->packets);
    p = packet_at(&m->packets, i);
    *p = (struct packet){ .addr = addr,
                          .born = (uint32_t)r->cycle,
                          .parent = NO_PACKET,
                          .child = NO_PACKET,
                          .id = r->id,
                          .words = r->words,
                          .sm = r->sm,
                          .slice = (uint16_t)at.slice,
                          .set = (uint16_t)cache_set(m->l2.slices[0].cache, at.within),
                          .kind = r->kind,
                          .sectors = r->sectors,
                          .lanes = r->lanes ? r->lanes : 1,
                          .has_result = r->has_result };
    if (m->requests.holds)
        p->flits = request_flits(&m->p.icnt, r);
    if (m->l2.n_ways > 1)
        p->way = l2_way(&m->l2, p, r->sm & 1) & 127;
    cache_expect_access(m->l2.slices[at.slice].cache, p->addr, p->set);
    m->stats.requests++;
    m->stats.request_flits +=
        r->bytes ? icnt_flits(&m->p.icnt, r->bytes) : m->reply_flits[0];
    xbar_push(&m->requests, r->sm, n > 1 ? make_parts(m, i, part, n) : i, at.slice);
    return true;
}

bool memory_push(struct memory *m, const struct mem_request *r)
{
    return m->lead.cycles ? lead_push(&m->lead, r) : take_in(m, r);
}

/* A packet that has come back; the request it completes, or NO_PACKET. */
static packet_id complete(struct memory *m, packet_id p)
{
    packet_id parent = packet_at(&m->packets, p)->parent;

    if (parent == NO_PACKET)
        return p;
    packet_drop(&m->packets, p);
    return --packet_at(&m->packets, parent)->parts ? NO_PACKET : parent;
}

/* A reply that has come whole goes to its SM, or onto the link to it. */
static void hand_over(struct memory *m, unsigned sm, packet_id i)
{
    const struct packet *p = packet_at(&m->packets, i);
    struct arrivals *a = &m->arrivals[sm];
    struct packet_queue *to = p->kind == MEM_INST ? &a->inst : &a->data;

    m->stats.latency_sum += (uint32_t)m->cycle - p->born;
    m->stats.latency_count++;
    if (m->is_direct && !to->n && lead_send(&m->lead, m->cycle, sm, p)) {
        packet_drop(&m->packets, i);
        return;
    }
    queue_push(&m->packets, to, i);
    m->arrived[sm / 64] |= (uint64_t)1 << (sm & 63);
    if (!m->lead.cycles)
        *(to == &a->inst ? &m->front.link[sm].inst_at : &m->front.link[sm].data_at) = 0;
}

static void deliver(struct memory *m, unsigned sm)
{
    struct packet_queue *out = &m->replies.ports[sm].out;
    struct arrivals *a = &m->arrivals[sm];

    for (unsigned n = 0; n < m->p.icnt.rate && out->n; n++) {
        const struct packet *p = packet_at(&m->packets, out->head);
        uint32_t here = p->kind == MEM_INST ? a->inst.n : a->data.n;
        packet_id whole;

        if (!has_come(p->ready, m->cycle) || here >= m->p.icnt.eject_buffer)
            break;
        whole = complete(m, xbar_pop(&m->replies, sm));
        if (whole != NO_PACKET)
            hand_over(m, sm, whole);
    }
}

static void deliver_all(struct memory *m)
{
    for (unsigned w = 0; w < m->sm_words; w++)
        for (uint64_t bits = m->replies.full[w]; bits; bits &= bits - 1)
            deliver(m, w * 64 + (unsigned)__builtin_ctzll(bits));
}

/* Takes the first of a queue of arrivals; there is one. */
static struct mem_reply pop(struct memory *m, unsigned sm, struct packet_queue *q)
{
    struct arrivals *a = &m->arrivals[sm];
    packet_id i = queue_pop(&m->packets, q);
    const struct packet *p = packet_at(&m->packets, i);
    struct mem_reply r = {
        .id = p->id, .sm = p->sm, .kind = p->kind, .sectors = p->sectors
    };

    packet_drop(&m->packets, i);
    if (!a->data.n && !a->inst.n)
        m->arrived[sm / 64] &= ~((uint64_t)1 << (sm & 63));
    return r;
}

bool memory_pop(struct memory *m, unsigned sm, struct mem_reply *r)
{
    struct packet_queue *q = &m->arrivals[sm].data;

    if (m->lead.cycles)
        return lead_pop_data(&m->lead, sm, r);
    if (!q->n)
        return false;
    *r = pop(m, sm, q);
    m->front.link[sm].data_at = q->n ? 0 : UINT64_MAX;
    return true;
}

const struct mem_reply *memory_new_reply(const struct memory *m, unsigned sm,
                                         unsigned i)
{
    const struct lead_ring *ring = &m->lead.port[sm].data;
    unsigned at = ring->first + ring->n - m->front.link[sm].n_new + i;

    return &ring->at[at & (m->lead.size - 1)].reply;
}

bool memory_pop_inst(struct memory *m, unsigned sm, struct mem_reply *r)
{
    struct packet_queue *q = &m->arrivals[sm].inst;

    if (m->lead.cycles)
        return lead_pop_inst(&m->lead, sm, r);
    if (!q->n)
        return false;
    *r = pop(m, sm, q);
    m->front.link[sm].inst_at = q->n ? 0 : UINT64_MAX;
    return true;
}

/* A reply that the slice finished in an earlier cycle. */
static void send_reply(struct memory *m, struct slice *s)
{
    const struct packet *p;
    packet_id i;

    if (!xbar_has_room(&m->replies, s->id))
        return;
    i = queue_pop(&m->packets, &s->out);
    p = packet_at(&m->packets, i);
    m->stats.replies++;
    m->stats.reply_flits +=
        m->reply_flits[p->kind == MEM_WRITE ? 0 : n_sectors(p->sectors)];
    xbar_push(&m->replies, s->id, i, p->sm);
}

static void run_dram(struct memory *m, uint64_t last)
{
    uint64_t next = UINT64_MAX;

    if (m->first_channel_tick > last)
        return;
    for (uint32_t i = 0; i < m->map.n_channels; i++) {
        struct channel *c = &m->channels[i];

        if (c->next <= last)
            channel_run(c, last, m->cycle);
        if (c->next < next)
            next = c->next;
    }
    m->first_channel_tick = next;
}

static void ring_alarms(struct memory *m)
{
    uint32_t at = (uint32_t)m->cycle & m->alarms.mask;

    if (!(m->alarms.some[at / 64] >> (at & 63) & 1))
        return;
    for (unsigned w = 0; w < m->slice_words; w++) {
        for (uint64_t bits = m->alarms.slices[at][w]; bits; bits &= bits - 1)
            m->l2.slices[w * 64 + (unsigned)__builtin_ctzll(bits)].is_due = true;
        m->awake[w] |= m->alarms.slices[at][w];
        m->alarms.slices[at][w] = 0;
    }
    m->alarms.some[at / 64] &= ~((uint64_t)1 << (at & 63));
    m->alarms.n--;
}

static void set_alarm(struct memory *m, unsigned way, uint32_t slice)
{
    uint32_t at = (uint32_t)(m->cycle + m->l2.delay[way]) & m->alarms.mask;
    uint64_t bit = (uint64_t)1 << (at & 63);

    m->alarms.slices[at][slice / 64] |= (uint64_t)1 << (slice & 63);
    m->alarms.n += !(m->alarms.some[at / 64] & bit);
    m->alarms.some[at / 64] |= bit;
}

/* The cycle of the next alarm; there is one. */
static uint64_t next_alarm(const struct memory *m)
{
    uint64_t cycle = m->cycle + 1;

    for (;;) {
        uint32_t at = (uint32_t)cycle & m->alarms.mask;
        uint64_t bits = m->alarms.some[at / 64] >> (at & 63);

        if (bits)
            return cycle + (uint64_t)__builtin_ctzll(bits);
        cycle += 64 - (at & 63);
    }
}

static void take_request(struct memory *m, struct slice *s)
{
    packet_id p = m->requests.ports[s->id].out.head;
    const struct packet *at = packet_at(&m->packets, p);

    packet_expect_next(&m->packets, at);
    if (!has_come(at->ready, m->cycle))
        return;
    if (!slice_has_room(&m->l2, s)) {
        m->stats.slice_full++;
        return;
    }
    xbar_pop(&m->requests, s->id);
    set_alarm(m, at->way, s->id);
    slice_take(&m->l2, s, p, m->cycle);
}

/* A channel looks at its slices in its next tick. */
static void wake_channel(struct memory *m, struct channel *c)
{
    if (c->next > m->tick + 1)
        c->next = m->tick + 1;
    if (c->next < m->first_channel_tick)
        m->first_channel_tick = c->next;
}

static void run_slices(struct memory *m)
{
    for (unsigned w = 0; w < m->slice_words; w++) {
        uint64_t todo = m->awake[w] | m->requests.full[w], busy = 0;

        for (; todo; todo &= todo - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(todo);
            struct slice *s = &m->l2.slices[w * 64 + bit];

            if (s->out.n)
                send_reply(m, s);
            if (m->requests.full[w] >> bit & 1)
                take_request(m, s);
            if (slice_tick(&m->l2, s, m->cycle))
                wake_channel(m, s->channel);
            busy |= (uint64_t)slice_is_busy(s) << bit;
        }
        m->awake[w] = busy;
    }
}

/* DRAM's clock at the end of this core cycle. */
static uint64_t count_ticks(struct memory *m, uint64_t cycle)
{
    uint64_t last = ticks_until(&m->timing, cycle);

    m->stats.dram_ticks += (last - m->tick) * m->map.n_channels;
    m->tick = last;
    return last;
}

void memory_tick(struct memory *m, uint64_t cycle)
{
    uint64_t last = count_ticks(m, cycle);

    m->cycle = cycle;
    if (!m->lead.cycles)
        m->front.cycle = cycle;
    deliver_all(m);
    run_dram(m, last);
    if (m->alarms.n)
        ring_alarms(m);
    run_slices(m);
    for (uint32_t i = 0; i < m->p.icnt.rate; i++) {
        if (m->requests.n_waiting)
            xbar_tick(&m->requests, cycle, cycle + 1 + m->p.icnt.latency);
        if (m->replies.n_waiting)
            xbar_tick(&m->replies, cycle, cycle + 2 + m->p.icnt.latency);
    }
}

/* The first core cycle that a DRAM tick falls into. */
static uint64_t cycle_of_tick(const struct memory *m, uint64_t tick)
{
    uint64_t c = (tick * m->p.dram.core_clock + m->p.dram.clock - 1) / m->p.dram.clock;

    return c;
}

static uint64_t next_arrival(const struct memory *m)
{
    uint64_t next = UINT64_MAX;

    for (unsigned w = 0; w < m->sm_words; w++)
        for (uint64_t bits = m->replies.full[w]; bits; bits &= bits - 1) {
            unsigned sm = w * 64 + (unsigned)__builtin_ctzll(bits);
            uint64_t at = whole_cycle(
                packet_at(&m->packets, m->replies.ports[sm].out.head)->ready, m->cycle);

            next = at < next ? at : next;
        }
    return next;
}

uint64_t memory_next(const struct memory *m)
{
    uint64_t next;

    if (m->requests.n_waiting || m->replies.n_waiting)
        return m->cycle + 1;
    for (unsigned w = 0; w < m->slice_words; w++)
        if (m->awake[w] | m->requests.full[w])
            return m->cycle + 1;
    next = next_arrival(m);
    if (m->alarms.n) {
        uint64_t at = next_alarm(m);

        next = at < next ? at : next;
    }
    if (m->first_channel_tick != UINT64_MAX) {
        uint64_t at = cycle_of_tick(m, m->first_channel_tick);

        next = at < next ? at : next;
    }
    return next;
}

unsigned memory_translate(struct memory *m, uint64_t addr)
{
    if (!m->p.tlb.enabled)
        return 0;
    m->stats.tlb_lookups++;
    if (tlb_look_up(&m->tlb, addr))
        return m->p.tlb.l2_cycles;
    m->stats.tlb_misses++;
    return m->p.tlb.l2_cycles + m->p.tlb.walk_cycles;
}

void memory_warm(struct memory *m, uint64_t addr, uint64_t bytes)
{
    for (uint64_t a = addr / SECTOR_BYTES; a <= (addr + bytes - 1) / SECTOR_BYTES;
         a++) {
        uint64_t line = a / LINE_SECTORS * LINE_BYTES;
        struct place at = address_place(&m->map, line);
        struct cache *c = m->l2.slices[at.slice].cache;

        cache_install(c, line, cache_set(c, at.within),
                      (uint8_t)(1u << a % LINE_SECTORS));
    }
}

void memory_kernel_end(struct memory *m)
{
    (void)m; /* L2 keeps its lines, as gpgpu_flush_l2_cache 0 */
}

const struct memory_stats *memory_stats(struct memory *m)
{
    m->stats.request_conflicts = m->requests.n_conflicts;
    m->stats.reply_conflicts = m->replies.n_conflicts;
    return &m->stats;
}

void memory_dump(const struct memory *m, struct buf *out)
{
    buf_printf(out, "memory, cycle %llu: %u of %u packets in use\n",
               (unsigned long long)m->cycle, m->packets.n - m->packets.n_free,
               m->packets.n);
    for (unsigned i = 0; i < m->n_sms; i++) {
        uint32_t in = m->requests.ports[i].in.n, back = m->replies.ports[i].out.n;

        if (in || back || m->arrivals[i].data.n || m->arrivals[i].inst.n)
            buf_printf(out,
                       "  SM %u: %u requests leaving, %u replies coming, %u here\n", i,
                       in, back, m->arrivals[i].data.n + m->arrivals[i].inst.n);
    }
    for (uint32_t i = 0; i < m->map.n_slices; i++) {
        const struct slice *s = &m->l2.slices[i];

        if (!slice_is_busy(s) && !cache_pending(s->cache))
            continue;
        buf_printf(out,
                   "  slice %u: in %u, misses %u, to DRAM %u, from DRAM %u, out %u%s\n",
                   i, s->in.n, s->misses.n, s->port.to_dram.n, s->port.from_dram.n,
                   s->out.n, s->is_blocked ? ", blocked" : "");
        cache_dump(s->cache, "  its cache", out);
    }
    for (uint32_t i = 0; i < m->map.n_channels; i++) {
        const struct channel *c = &m->channels[i];

        if (!channel_is_idle(c))
            buf_printf(out,
                       "  channel %u: waiting %u, queued %u, in flight %u, read %u\n",
                       i, c->latency.n, c->n_queued, c->in_flight.n, c->returned.n);
    }
}

/* ---- working ahead of the SMs: mem/lead.h ---- */

int memory_set_lead(struct memory *m, unsigned cycles, unsigned warps, struct err *err)
{
    if (cycles > m->p.l2.latency)
        cycles = m->p.l2.latency;
    if (!cycles)
        return 0;
    for (unsigned w = 0; w < N_L2_WAYS; w++)
        m->l2.delay[w] -= cycles;
    /* Else the limit of what an SM has not taken may be felt within a cycle. */
    m->is_direct = m->p.icnt.eject_buffer >= m->p.icnt.rate;
    m->lead.link = m->front.link;
    return lead_init(&m->lead, m->n_sms, cycles, warps, err);
}

unsigned memory_lead(const struct memory *m)
{
    return m->lead.cycles;
}

/* Replies go onto the link to their SM, as far as it takes them. */
static void send_off(struct memory *m, unsigned sm)
{
    struct arrivals *a = &m->arrivals[sm];

    while (a->data.n &&
           lead_send(&m->lead, m->cycle, sm, packet_at(&m->packets, a->data.head)))
        pop(m, sm, &a->data);
    while (a->inst.n &&
           lead_send(&m->lead, m->cycle, sm, packet_at(&m->packets, a->inst.head)))
        pop(m, sm, &a->inst);
}

/* Requests that an SM has made up to this cycle, as far as there is room. */
static void take_from(struct memory *m, unsigned sm)
{
    const struct lead_port *p = &m->lead.port[sm];

    while (m->lead.request_at[sm] <= m->cycle &&
           take_in(m, &p->requests[p->first].request))
        lead_taken(&m->lead, sm);
}

/* The same for all, SM by SM. */
static void take_requests(struct memory *m)
{
    const uint64_t *at = m->lead.request_at, *end = at + m->lead.n_sms;
    uint64_t next = UINT64_MAX, now = m->cycle;

    if (m->lead.next_request > now)
        return;
    for (const uint64_t *i = at; i < end; i++) {
        if (*i <= now)
            take_from(m, (unsigned)(i - at));
        next = *i < next ? *i : next;
    }
    m->lead.next_request = next;
}

void memory_run(struct memory *m, uint64_t from, uint64_t to)
{
    uint64_t t = from;

    while (t < to) {
        uint64_t next;

        memory_tick(m, t);
        for (unsigned w = 0; w < m->sm_words; w++)
            for (uint64_t bits = m->arrived[w]; bits; bits &= bits - 1)
                send_off(m, w * 64 + (unsigned)__builtin_ctzll(bits));
        take_requests(m);
        next = memory_next(m);
        if (m->lead.next_request < next)
            next = m->lead.next_request;
        t = next > t ? next : t + 1;
    }
    if (to > from)
        count_ticks(m, to - 1);
}

uint64_t memory_wants(const struct memory *m)
{
    uint64_t next = memory_next(m);

    return m->lead.next_request < next ? m->lead.next_request : next;
}
