/* memory.c - instruction and data caches, an optional second level, DRAM.
 *
 * Everything behind a request is a chain of fixed times and queues in order, so that the
 * answer's cycle is known when the request is made. A miss goes out through the socket's
 * port, which takes one request a cycle; a line that is on its way is found by those who
 * ask for it meanwhile when it has come. Data caches write through and do not allocate.
 * Memory has channels with banks and open rows and answers in the order of requests (as
 * the RTL's simulation does around Ramulator); writes take their turn in the channel.
 *
 * Not modelled: limits of miss registers (16 a bank; the LSU has fewer requests under
 * way), bank conflicts between the two requests of a warp of 32, DRAM refresh.
 */
#include "vortex/memory.h"

#include <stdlib.h>
#include <string.h>

static struct vx_memory *memory_of(struct vx_core *k)
{
    return vortex_memory(k->gpu);
}

static struct vx_socket *socket_of(struct vx_core *k)
{
    return &memory_of(k)->socket[k->index / k->p->socket];
}

int vx_memory_init(struct vx_memory *m, const struct vortex_config *c, struct err *err)
{
    unsigned n = (c->core.cores + c->core.socket - 1) / c->core.socket;
    bool ok;

    m->cache = &c->cache;
    m->p = &c->memory;
    m->n_icache = c->cache.icache_bytes / VX_LINE;
    m->n_dcache = c->cache.dcache_bytes / VX_LINE;
    m->n_l2 = c->cache.l2_bytes / VX_LINE / c->cache.l2_ways * c->cache.l2_ways;
    m->socket = calloc(n, sizeof *m->socket);
    m->channel = calloc(c->memory.channels, sizeof *m->channel);
    m->l2 = calloc(m->n_l2 + 1, sizeof *m->l2);
    ok = m->socket && m->channel && m->l2;
    m->n_sockets = ok ? n : 0;
    for (unsigned i = 0; i < m->n_sockets; i++) {
        m->socket[i].icache = calloc(m->n_icache, sizeof(struct vx_line));
        m->socket[i].dcache = calloc(m->n_dcache, sizeof(struct vx_line));
        ok = ok && m->socket[i].icache && m->socket[i].dcache;
    }
    for (unsigned i = 0; ok && i < c->memory.channels; i++) {
        m->channel[i].bank = calloc(c->memory.banks, sizeof(struct vx_bank));
        ok = m->channel[i].bank != NULL;
    }
    return ok ? 0 : err_kind(err, ERR_LIMIT, "out of memory");
}

void vx_memory_free(struct vx_memory *m)
{
    for (unsigned i = 0; i < m->n_sockets; i++) {
        free(m->socket[i].icache);
        free(m->socket[i].dcache);
    }
    for (unsigned i = 0; m->channel && i < m->p->channels; i++)
        free(m->channel[i].bank);
    free(m->socket);
    free(m->channel);
    free(m->l2);
}

static void clear_lines(struct vx_line *l, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        l[i] = (struct vx_line){ ~0u, 0 };
}

void vx_memory_reset(struct vx_memory *m)
{
    for (unsigned i = 0; i < m->n_sockets; i++) {
        clear_lines(m->socket[i].icache, m->n_icache);
        clear_lines(m->socket[i].dcache, m->n_dcache);
        m->socket[i].port = 0;
    }
    clear_lines(m->l2, m->n_l2);
    for (unsigned i = 0; i < m->p->channels; i++) {
        m->channel[i].free = 0;
        for (unsigned b = 0; b < m->p->banks; b++)
            m->channel[i].bank[b] = (struct vx_bank){ ~0u, 0 };
    }
    m->answered = 0;
    m->reset = (uint64_t)m->n_icache * m->cache->reset_lines;
}

/* A line's turn in its channel: the cycle in which a read of it would be answered. Whoever
 * waits for a bank does not hold up the channel: others go first. */
static uint64_t dram(struct vx_memory *m, uint32_t line, uint64_t cycle)
{
    struct vx_channel *c = &m->channel[line % m->p->channels];
    uint32_t lines = m->p->row_bytes / VX_LINE, in = line / m->p->channels / lines;
    struct vx_bank *b = &c->bank[in % m->p->banks];
    uint64_t start = vx_later(cycle, c->free);
    uint32_t latency = m->p->hit;

    c->free = start + m->p->burst;
    if (b->row != in / m->p->banks) {
        start = vx_later(start, b->free);
        latency = b->row == ~0u ? m->p->closed : m->p->conflict;
        b->row = in / m->p->banks;
        b->free = start + m->p->row_cycle;
    }
    return start + latency;
}

/* A request at the socket's port: the cycle in which it gets through. */
static uint64_t through_port(struct vx_core *k, uint64_t cycle)
{
    struct vx_socket *s = socket_of(k);
    uint64_t at = vx_later(cycle, s->port);

    s->port = at + memory_of(k)->p->port;
    return at;
}

static uint64_t memory_read(struct vx_core *k, uint32_t line, uint64_t cycle)
{
    struct vx_memory *m = memory_of(k);
    uint64_t at = vx_later(dram(m, line, cycle), m->answered + 1);

    m->answered = at;
    k->stats.mem_reads++;
    k->stats.mem_latency += at - cycle;
    return at;
}

static void memory_write(struct vx_core *k, uint32_t line, uint64_t cycle)
{
    k->stats.mem_writes++;
    dram(memory_of(k), line, cycle);
}

/* The second level: a set's lines in the order of their last use. */
static uint64_t l2_read(struct vx_core *k, uint32_t line, uint64_t cycle)
{
    struct vx_memory *m = memory_of(k);
    uint32_t ways = m->cache->l2_ways;
    struct vx_line *set = &m->l2[line % (m->n_l2 / ways) * ways], found;
    uint32_t n = 0;

    k->stats.l2_reads++;
    while (n < ways && set[n].tag != line)
        n++;
    if (n < ways) {
        found = set[n];
    } else {
        n = ways - 1;
        k->stats.l2_misses++;
        found =
            (struct vx_line){ line, memory_read(k, line, cycle + m->cache->miss_out) +
                                        m->cache->miss_in };
    }
    memmove(set + 1, set, n * sizeof *set);
    set[0] = found;
    return vx_later(cycle, found.at) + m->cache->l2_hit;
}

/* A miss of a first level: the cycle from which a lookup finds the line. */
static uint64_t fill(struct vx_core *k, uint32_t line, uint64_t cycle)
{
    const struct vx_memory *m = memory_of(k);
    uint64_t at = through_port(k, cycle + m->cache->miss_out);

    at = m->n_l2 ? l2_read(k, line, at) : memory_read(k, line, at);
    return at + m->cache->miss_in;
}

/* A lookup in a first level: when the line is there, and whether it had to be fetched. */
static uint64_t look_up(struct vx_core *k, struct vx_line *l, uint32_t line,
                        uint64_t cycle, uint64_t *misses)
{
    if (l->tag != line) {
        ++*misses;
        l->tag = line;
        l->at = fill(k, line, cycle);
    }
    return vx_later(cycle, l->at);
}

uint64_t vx_icache_read(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    struct vx_memory *m = memory_of(k);
    uint32_t line = addr / VX_LINE;
    struct vx_line *l = &socket_of(k)->icache[line % m->n_icache];

    k->stats.icache_reads++;
    cycle = vx_later(cycle, m->reset);
    return look_up(k, l, line, cycle, &k->stats.icache_misses) + m->cache->icache_hit;
}

uint64_t vx_dcache_read(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    struct vx_memory *m = memory_of(k);
    uint32_t line = addr / VX_LINE;
    struct vx_line *l = &socket_of(k)->dcache[line % m->n_dcache];

    k->stats.dcache_reads++;
    return look_up(k, l, line, cycle, &k->stats.dcache_read_misses) +
           m->cache->dcache_hit;
}

void vx_dcache_write(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    struct vx_memory *m = memory_of(k);
    uint32_t line = addr / VX_LINE;

    k->stats.dcache_writes++;
    k->stats.dcache_write_misses +=
        socket_of(k)->dcache[line % m->n_dcache].tag != line;
    memory_write(k, line, through_port(k, cycle + m->cache->miss_out));
}

uint64_t vx_io_read(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    const struct vx_memory *m = memory_of(k);
    uint64_t at = through_port(k, cycle + m->cache->miss_out);

    return memory_read(k, addr / VX_LINE, at) + m->cache->miss_in;
}

void vx_io_write(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    memory_write(k, addr / VX_LINE,
                 through_port(k, cycle + memory_of(k)->cache->miss_out));
}
