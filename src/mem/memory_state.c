/* memory_state.c - the rest of memory's interface, besides its cycles: translation, lines
 * that are in L2 from the start, statistics up to the current cycle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sparse.h"
#include "mem/lanes.h"
#include "stats/hot.h"

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

        cache_install(c, line, memory_set_of(m, at.within),
                      (uint8_t)(1u << a % LINE_SECTORS));
    }
}

int memory_set_team(struct memory *m, struct team *team, struct err *err)
{
    m->lanes = lanes_new(m, team, err);
    return m->lanes ? 0 : -1;
}

int memory_set_hot(struct memory *m, struct hot_table *t, struct err *err)
{
    m->hot = (struct l2_hot){ t, sparse_new(m->packets.n * sizeof *m->hot.row) };
    return m->hot.row ? 0 : err_memory(err, "counters per instruction");
}

/* Requests that have not been to L2 yet belong to no instruction of the next kernel. */
static void forget_rows(struct memory *m)
{
    if (m->packets.n_free < m->packets.n)
        memset(m->hot.row, 0, m->packets.n * sizeof *m->hot.row);
    for (unsigned sm = 0; sm < m->n_sms; sm++) {
        struct lead_port *p = &m->lead.port[sm];

        for (unsigned i = 0; i < p->n; i++)
            p->requests[(p->first + i) & (p->size - 1)].row = HOT_NONE;
    }
}

/* L2 keeps its lines, as with gpgpu_flush_l2_cache 0. */
void memory_kernel_end(struct memory *m)
{
    if (m->hot.row)
        forget_rows(m);
}

/* Removes from the statistics replies that are counted but leave after this cycle. */
static void discount_replies(struct memory *m, const struct lead_ring *ring)
{
    for (unsigned n = ring->n; n--;) {
        const struct mem_arrival *r =
            &ring->at[(ring->first + n) & (m->lead.links - 1)];

        if (r->cycle <= m->cycle + m->lead.cycles)
            return;
        m->shown.latency_sum -= r->latency;
        m->shown.latency_count--;
    }
}

/* Adds replies that wait for the crossbar; the fast form counts the others when they
 * move through it. */
static void count_waiting(struct memory *m)
{
    for (uint32_t i = 0; i < m->map.n_slices; i++) {
        const struct packet_queue *q = &m->replies.ports[i].in;
        const struct packet *p = q->head;

        for (uint32_t n = q->n; n-- && cycle_has_come(p->ready, m->cycle); p = p->next)
            memory_count_reply(m, &m->shown, p);
    }
}

const struct memory_stats *memory_stats(struct memory *m)
{
    m->shown = m->stats;
    m->shown.request_conflicts = m->requests.n_conflicts;
    m->shown.reply_conflicts = m->replies.n_conflicts;
    l2_count(&m->l2, &m->shown);
    if (m->lanes)
        lanes_count(m->lanes, &m->shown);
    if (!m->is_plain)
        count_waiting(m);
    for (unsigned i = 0; i < m->n_sms; i++)
        m->shown.request_refused += m->lead.port[i].n_refused;
    for (unsigned i = 0; i < m->n_sms && m->lead.cycles; i++) {
        discount_replies(m, &m->front.link[i].data);
        discount_replies(m, &m->front.link[i].inst);
    }
    return &m->shown;
}
