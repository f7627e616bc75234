/* memory_new.c - creates and frees a memory. */
#include <stdlib.h>

#include "base/sparse.h"
#include "mem/lanes.h"

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
        return err_memory(err, "%u channels", m->map.n_channels);
    for (uint32_t i = 0; i < m->map.n_channels; i++) {
        struct channel *c = &m->channels[i];

        c->visit = &m->wakes.visit[i];
        c->slices = &m->wakes.slice[i * per];
        c->packets = &m->packets;
        c->first_slice = i * per;
        c->n_ports = per;
        c->stats = &m->stats;
        for (uint32_t k = 0; k < per; k++) {
            struct slice *s = &m->l2.slices[i * per + k];

            s->channel = c;
            s->wakes = &c->slices[k];
            s->visit = c->visit;
            c->port[k] = &s->port;
        }
        if (channel_init(c, &m->timing, err) < 0)
            return -1;
    }
    return 0;
}

/* Sets the longest stretch: a request that leaves the crossbar in the first cycle of a
 * stretch reaches its slice when the stretch is over. */
static void set_stretch(struct memory *m)
{
    uint32_t shortest = MAX_STRETCH - 1;

    for (unsigned w = 0; w < m->l2.n_ways; w++)
        shortest = m->l2.delay[w] < shortest ? m->l2.delay[w] : shortest;
    m->max_stretch = shortest + 1;
}

/* A tick of a clock, in parts of a core cycle; 0: the core's own clock. */
static uint32_t tick_of(uint32_t clock, uint32_t core_clock)
{
    return clock ? (uint32_t)((uint64_t)CYCLE_PARTS * core_clock / clock) : CYCLE_PARTS;
}

/* Packets for requests past the crossbar and their parts: more than the queues there
 * held in any run so far. If none were left, requests would wait before the
 * crossbar. */
enum { SLICE_PACKETS = 1 << 14 };

static int new_packets(struct memory *m, struct err *err)
{
    const struct l2_params *p = &m->p.l2;
    uint32_t credits = m->p.dram.queue + m->p.dram.return_queue;
    /* L2 makes a packet for every line on its way out and for some fetches; a request
     * may be one packet plus one per sector. */
    uint32_t slice = p->mshrs + p->miss_queue + p->queue_l2_dram + credits + 8;

    m->reserve = m->map.n_slices * (slice + 1 + LINE_SECTORS);
    return packets_init(&m->packets, m->reserve + m->map.n_slices * SLICE_PACKETS, err);
}

static int new_parts(struct memory *m, struct err *err)
{
    const struct memory_params *p = &m->p;
    uint32_t n_slices;

    if (address_map_init(&m->map, p, scaled_channels(p, m->n_sms), err) < 0)
        return -1;
    n_slices = m->map.n_slices;
    if (n_slices > MAX_SLICES || m->n_sms > XBAR_MAX_PORTS || !m->n_sms)
        return err_set(
            err, "%u SMs and %u L2 slices: expected 1 to %d SMs and at most %d slices",
            m->n_sms, n_slices, XBAR_MAX_PORTS, MAX_SLICES);
    if (new_packets(m, err) < 0 ||
        lead_init(&m->lead, m->n_sms, p->icnt.in_buffer, err) < 0)
        return -1;
    m->most_requests = p->icnt.in_buffer;
    m->l2 = (struct l2){ .p = m->p.l2,
                         .map = &m->map,
                         .packets = &m->packets,
                         .replies = &m->replies,
                         .stats = &m->stats,
                         .hot = &m->hot,
                         .tick = tick_of(p->l2.clock, p->dram.core_clock),
                         .n_slices = n_slices };
    m->arrivals = calloc(m->n_sms, sizeof *m->arrivals);
    m->front.link =
        aligned_alloc(_Alignof(struct memory_link), m->n_sms * sizeof *m->front.link);
    if (!m->arrivals || !m->front.link)
        return err_memory(err, "%u SMs", m->n_sms);
    for (unsigned i = 0; i < m->n_sms; i++)
        m->front.link[i] =
            (struct memory_link){ .data_at = UINT64_MAX, .inst_at = UINT64_MAX };
    if (xbar_init(&m->requests, &p->icnt, m->n_sms, n_slices, err) < 0 ||
        xbar_init(&m->replies, &p->icnt, n_slices, m->n_sms, err) < 0 ||
        l2_init(&m->l2, err) < 0 || new_channels(m, err) < 0)
        return -1;
    set_stretch(m);
    m->requests.holds = p->icnt.serialise >= ICNT_REQUESTS;
    m->replies.holds = p->icnt.serialise == ICNT_BOTH;
    m->is_wide = p->icnt.out_buffer >= p->icnt.rate * (2 + p->icnt.latency);
    m->sm_words = (m->n_sms + 63) / 64;
    m->slice_words = (n_slices + 63) / 64;
    for (uint32_t i = 0; i <= LINE_BYTES; i++)
        m->flits[i] = icnt_flits(&p->icnt, i);
    if (p->tlb.enabled)
        return tlb_init(&m->tlb, p->tlb.l2_entries, p->tlb.l2_ways, p->tlb.page_bits,
                        err);
    return 0;
}

struct memory *memory_new(const struct memory_params *p, unsigned n_sms,
                          struct err *err)
{
    struct memory *m = aligned_alloc(_Alignof(struct memory), sizeof *m);

    if (!m) {
        err_memory(err, "a memory system");
        return NULL;
    }
    *m = (struct memory){ .p = *p, .n_sms = n_sms };
    for (unsigned i = 0; i < N_SPOTS; i++)
        m->spots[i].line = NO_TAG;
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
    packets_free(&m->packets);
    tlb_free(&m->tlb);
    lead_free(&m->lead);
    for (uint32_t i = 0; i < m->map.n_channels && m->channels; i++)
        channel_free(&m->channels[i]);
    free(m->channels);
    free(m->arrivals);
    lanes_free(m->lanes);
    sparse_free(m->hot.row, m->packets.n * sizeof *m->hot.row);
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

uint64_t memory_l2_sectors(const struct memory *m)
{
    return (uint64_t)m->l2.n_slices * m->p.l2.sets * m->p.l2.ways * LINE_SECTORS;
}

double memory_sector_ticks(const struct memory *m)
{
    return (double)m->timing.burst_ticks * SECTOR_BYTES / m->timing.burst_bytes;
}

int memory_set_lead(struct memory *m, unsigned cycles, unsigned warps, struct err *err)
{
    if (cycles > m->p.l2.latency)
        cycles = m->p.l2.latency;
    if (!cycles)
        return 0;
    for (unsigned w = 0; w < N_L2_WAYS; w++)
        m->l2.delay[w] -= cycles;
    if (m->p.dram.in_step)
        m->timing.phase = (uint64_t)cycles * m->timing.clock % m->timing.core_clock;
    set_stretch(m);
    /* Otherwise the limit on replies that an SM has not taken may matter within a
     * cycle. */
    m->is_direct = m->p.icnt.eject_buffer >= m->p.icnt.rate;
    if (lead_start(&m->lead, m->front.link, cycles, warps, err) < 0)
        return -1;
    m->front.ring_mask = m->lead.links - 1;
    m->most_requests = m->lead.links;
    return 0;
}

unsigned memory_lead(const struct memory *m)
{
    return m->lead.cycles;
}
