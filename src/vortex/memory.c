/* memory.c - instruction and data caches, an optional second level, the path to memory.
 *
 * A bank of a cache looks up one request per cycle. The cycle of a hit's answer is known at
 * once. A miss is sent to memory, unless its line is already in flight, and waits. A line
 * that arrives occupies its bank for one cycle, and one more until it is seen; then the
 * requests that wait for it are looked up, one per cycle. Lines that have arrived and
 * requests that wait for them go before any new request, which waits at the bus as long as
 * there are such; so misses of one bank go out in bursts. Data caches write through and do
 * not allocate: every store is sent. I/O bypasses the cache; writes to the console end at
 * the port.
 *
 * One request per cycle passes the arbiter before memory, a fetch first: the first input of
 * an arbiter in turn that is idle in most cycles.
 *
 * Source: RTL VX_cache_bank, VX_cache_mshr, VX_cache_bypass, VX_mem_arb, with the numbers
 * of registers on the path as parameters. Their request queues (4 per bank) never fill, as
 * rtlsim's port always takes one per cycle; nor do the 16 miss registers of a bank, as the
 * LSU has no more requests in flight. Not modelled: merging of two misses of one line in
 * the second level; both go to memory.
 *
 * One form serves both models of a core: a request is answered with the cycle of its end.
 */
#include "vortex/memory.h"

#include <stdlib.h>
#include <string.h>

#include "vortex/stages.h"

enum { IO_IN = 2 }; /* from memory's arbiter to the LSU: bypass, switch */

/* ---- tables ---- */

static int cache_init(struct vx_cache *c, uint32_t bytes)
{
    c->n_lines = bytes / VX_LINE;
    c->mask = c->n_lines & (c->n_lines - 1) ? 0 : c->n_lines - 1;
    c->tag = calloc(c->n_lines, sizeof *c->tag);
    return c->tag ? 0 : -1;
}

int vx_memory_init(struct vx_memory *m, const struct vortex_config *c, struct err *err)
{
    unsigned n = (c->core.cores + c->core.socket - 1) / c->core.socket;
    bool ok;

    m->cache = &c->cache;
    m->n_banks = c->core.threads < VX_BANKS ? c->core.threads : VX_BANKS;
    m->n_l2 = c->cache.l2_bytes / VX_LINE / c->cache.l2_ways * c->cache.l2_ways;
    /* One fetch per warp; two batches of at most one word per lane. */
    m->n_pool = c->core.cores * (VX_MAX_WARPS + 2 * VX_MAX_THREADS);
    m->miss = calloc(m->n_pool, sizeof *m->miss);
    m->waiter = calloc(m->n_pool, sizeof *m->waiter);
    m->socket = calloc(n, sizeof *m->socket);
    m->l2 = calloc(m->n_l2 + 1, sizeof *m->l2);
    ok = m->miss && m->waiter && m->socket && m->l2;
    m->n_sockets = ok ? n : 0;
    for (unsigned i = 0; i < m->n_sockets; i++)
        ok = !cache_init(&m->socket[i].icache, c->cache.icache_bytes) &&
             !cache_init(&m->socket[i].dcache, c->cache.dcache_bytes) && ok;
    if (dram_init(&m->dram, &c->memory, err))
        return -1;
    return ok ? 0 : err_memory(err, "the caches");
}

void vx_memory_free(struct vx_memory *m)
{
    for (unsigned i = 0; i < m->n_sockets; i++) {
        free(m->socket[i].icache.tag);
        free(m->socket[i].dcache.tag);
    }
    dram_free(&m->dram);
    free(m->socket);
    free(m->miss);
    free(m->waiter);
    free(m->l2);
}

static void cache_reset(struct vx_cache *c)
{
    memset(c->tag, 0xff, c->n_lines * sizeof *c->tag);
    memset(c->free, 0, sizeof c->free);
    c->misses = VX_NO_MISS;
}

void vx_memory_reset(struct vx_memory *m)
{
    for (unsigned i = 0; i < m->n_sockets; i++) {
        cache_reset(&m->socket[i].icache);
        cache_reset(&m->socket[i].dcache);
    }
    memset(m->l2, 0xff, m->n_l2 * sizeof *m->l2);
    for (uint32_t i = 0; i < m->n_pool; i++)
        m->miss[i].next = m->waiter[i].next = i + 1 < m->n_pool ? i + 1 : VX_NO_MISS;
    m->free_miss = m->free_waiter = 0;
    m->held = VX_NO_MISS;
    dram_reset(&m->dram);
    m->reset = (uint64_t)m->socket->icache.n_lines * m->cache->reset_lines;
}

/* ---- the second level: a set's lines in the order of their last use ---- */

static uint32_t *l2_set(struct vx_memory *m, uint32_t line)
{
    uint32_t ways = m->cache->l2_ways;

    return &m->l2[line % (m->n_l2 / ways) * ways];
}

/* Makes the line its set's most recent; true: it was there. */
static bool l2_use(struct vx_memory *m, uint32_t line, bool allocates)
{
    uint32_t *set = l2_set(m, line), ways = m->cache->l2_ways, n = 0;

    while (n < ways && set[n] != line)
        n++;
    if (n == ways && !allocates)
        return false;
    memmove(set + 1, set, (n < ways ? n : ways - 1) * sizeof *set);
    set[0] = line;
    return n < ways;
}

/* ---- places of lines (perf: without a division where possible) ---- */

static uint32_t *tag_of(const struct vx_cache *c, uint32_t line)
{
    return &c->tag[c->mask ? line & c->mask : line % c->n_lines];
}

static unsigned data_bank(const struct vx_memory *m, uint32_t line)
{
    return line & (m->n_banks - 1);
}

/* ---- misses ---- */

static uint32_t miss_new(struct vx_memory *m, struct vx_core *k, struct vx_cache *c,
                         uint32_t line)
{
    uint32_t id = m->free_miss;
    struct vx_miss *s = &m->miss[id];

    INVARIANT(id != VX_NO_MISS);
    m->free_miss = s->next;
    *s = (struct vx_miss){
        .cache = c, .line = line, .next = VX_NO_MISS, .first = VX_NO_MISS, .core = k
    };
    if (c) {
        s->next = c->misses;
        c->misses = id;
    }
    return id;
}

static void miss_free(struct vx_memory *m, uint32_t id)
{
    struct vx_cache *c = m->miss[id].cache;

    if (c) {
        uint32_t *at = &c->misses;

        while (*at != id)
            at = &m->miss[*at].next;
        *at = m->miss[id].next;
    }
    m->miss[id].next = m->free_miss;
    m->free_miss = id;
}

static uint32_t miss_of(const struct vx_memory *m, const struct vx_cache *c,
                        uint32_t line)
{
    uint32_t id = c->misses;

    while (id != VX_NO_MISS && m->miss[id].line != line)
        id = m->miss[id].next;
    return id;
}

static void add_waiter(struct vx_memory *m, uint32_t id, struct vx_waiter w)
{
    struct vx_miss *s = &m->miss[id];
    uint32_t n = m->free_waiter;

    INVARIANT(n != VX_NO_MISS);
    m->free_waiter = m->waiter[n].next;
    w.next = VX_NO_MISS;
    m->waiter[n] = w;
    if (s->first == VX_NO_MISS)
        s->first = n;
    else
        m->waiter[s->last].next = n;
    s->last = n;
}

static void tell_waiter(const struct vx_miss *s, const struct vx_waiter *w, uint64_t at)
{
    if (s->is_fetch)
        vx_fetch_arrived(w->core, (uop_id)w->what, at);
    else
        vx_lsu_answered(w->core, w->what, at);
    vortex_wake_core(w->core->gpu, w->core->index, at);
}

/* Looks up the requests that wait, one per cycle from that cycle on; an answer takes
 * `latency` cycles. Returns the first cycle without a lookup. */
static uint64_t replay_waiters(struct vx_memory *m, struct vx_miss *s, uint64_t cycle,
                               uint64_t latency)
{
    for (uint32_t n = s->first, next; n != VX_NO_MISS; n = next) {
        struct vx_waiter *w = &m->waiter[n];

        cycle = later(cycle, w->at);
        tell_waiter(s, w, cycle + latency);
        cycle++;
        next = w->next;
        w->next = m->free_waiter;
        m->free_waiter = n;
    }
    return cycle + s->n_stores;
}

static unsigned bank_of(const struct vx_memory *m, const struct vx_miss *s)
{
    return s->is_fetch ? 0 : data_bank(m, s->line);
}

/* A line has arrived; it and the requests that wait for it have the bank to themselves. */
static void fill_line(struct vx_memory *m, uint32_t id, uint64_t cycle)
{
    struct vx_miss *s = &m->miss[id];
    struct vx_cache *c = s->cache;
    uint64_t at = cycle + m->cache->fill, *bank;

    if (!c) {
        replay_waiters(m, s, at, IO_IN);
    } else {
        bank = &c->free[bank_of(m, s)];
        at = later(at, *bank);
        *tag_of(c, s->line) = s->line;
        *bank =
            replay_waiters(m, s, at + m->cache->replay,
                           s->is_fetch ? m->cache->icache_hit : m->cache->dcache_hit);
    }
    miss_free(m, id);
}

static void hold_line(struct vx_memory *m, uint32_t id)
{
    m->miss[id].next_line = VX_NO_MISS;
    if (m->held == VX_NO_MISS)
        m->held = id;
    else
        m->miss[m->last_held].next_line = id;
    m->last_held = id;
}

/* A line of code waits while responses that decode does not take hold up the cache (RTL:
 * pipe_stall), and while requests that waited for another are looked up. In the cache's first
 * stage it can be held up once more: those that wait for it follow when it has left that. */
static void fill_code(struct vx_memory *m, uint64_t cycle)
{
    while (m->held != VX_NO_MISS) {
        struct vx_miss *s = &m->miss[m->held];
        uint64_t *bank = &s->cache->free[0];
        uint32_t id = m->held;

        if (vx_fetch_is_stalled(s->core, cycle))
            return;
        if (!s->staged_at && *bank <= cycle) {
            s->staged_at = cycle;
            *bank = cycle + m->cache->replay;
        }
        if (!s->staged_at || s->staged_at == cycle)
            return;
        m->held = s->next_line;
        *bank = 0;
        fill_line(m, id, cycle - 1 - m->cache->fill);
    }
}

void vx_memory_run(struct vx_memory *m, uint64_t cycle)
{
    struct dram_answer a;

    INVARIANT(cycle >= m->cache->fill);
    while (dram_run(&m->dram, cycle - m->cache->fill, &a)) {
        struct vx_core *k = m->miss[a.id].core;

        k->stats.mem_reads++;
        k->stats.mem_latency += a.latency;
        if (m->n_l2 && m->miss[a.id].cache)
            l2_use(m, m->miss[a.id].line, true);
        if (m->miss[a.id].is_fetch)
            hold_line(m, a.id);
        else
            fill_line(m, a.id, a.cycle);
    }
    fill_code(m, cycle);
}

/* Sends a miss of a first level. A line that the second level has arrives after its
 * latency and takes no turn of the bank. */
static void fetch_line(struct vx_core *k, uint32_t id, uint64_t cycle)
{
    struct vx_memory *m = k->memory;
    struct vx_cache *c = m->miss[id].cache;
    uint32_t line = m->miss[id].line;

    if (m->n_l2 && c) {
        k->stats.l2_reads++;
        if (l2_use(m, line, false)) {
            uint64_t free = c->free[bank_of(m, &m->miss[id])];

            fill_line(m, id, cycle + m->cache->l2_hit);
            c->free[bank_of(m, &m->miss[id])] = free;
            return;
        }
        k->stats.l2_misses++;
        cycle += m->cache->l2_hit;
    }
    (m->miss[id].is_fetch ? dram_fetch : dram_read)(&m->dram, line, id, cycle);
}

/* ---- requests ---- */

/* The bank takes a request in that cycle or as soon as it can. */
static uint64_t take_bank_turn(uint64_t *bank, uint64_t cycle)
{
    cycle = later(cycle, *bank);
    *bank = cycle + 1;
    return cycle;
}

/* Waits for a line, which is in flight already or is fetched now. */
static void miss_line(struct vx_core *k, struct vx_cache *c, uint32_t line,
                      struct vx_waiter w)
{
    struct vx_memory *m = k->memory;
    bool is_fetch = c == &k->socket->icache;
    uint32_t id = miss_of(m, c, line);

    if (id != VX_NO_MISS) {
        add_waiter(m, id, w);
        return;
    }
    id = miss_new(m, k, c, line);
    m->miss[id].is_fetch = is_fetch;
    add_waiter(m, id, w);
    fetch_line(k, id, w.at + (is_fetch ? m->cache->icache_out : m->cache->dcache_out));
}

void vx_icache_read(struct vx_core *k, uint32_t addr, uop_id what, uint64_t cycle)
{
    struct vx_memory *m = k->memory;
    struct vx_cache *c = &k->socket->icache;
    uint32_t line = addr / VX_LINE;

    k->stats.icache_reads++;
    cycle = take_bank_turn(&c->free[0], later(cycle, m->reset));
    if (*tag_of(c, line) == line) {
        vx_fetch_arrived(k, what, cycle + m->cache->icache_hit);
        return;
    }
    k->stats.icache_misses++;
    miss_line(k, c, line, (struct vx_waiter){ .core = k, .what = what, .at = cycle });
}

uint64_t vx_icache_free(const struct vx_core *k)
{
    return later(k->socket->icache.free[0], k->memory->reset);
}

bool vx_icache_will_hit(const struct vx_core *k, uint32_t addr)
{
    const struct vx_cache *c = &k->socket->icache;

    return (c->misses == VX_NO_MISS) & (*tag_of(c, addr / VX_LINE) == addr / VX_LINE);
}

uint64_t vx_dcache_free(const struct vx_core *k, uint32_t addr)
{
    return k->socket->dcache.free[data_bank(k->memory, addr / VX_LINE)];
}

void vx_dcache_read(struct vx_core *k, uint32_t addr, uint32_t what, uint64_t cycle)
{
    struct vx_memory *m = k->memory;
    struct vx_cache *c = &k->socket->dcache;
    uint32_t line = addr / VX_LINE;

    k->stats.dcache_reads++;
    cycle = take_bank_turn(&c->free[data_bank(m, line)], cycle);
    if (*tag_of(c, line) == line) {
        vx_lsu_answered(k, what, cycle + m->cache->dcache_hit);
        return;
    }
    k->stats.dcache_read_misses++;
    miss_line(k, c, line, (struct vx_waiter){ .core = k, .what = what, .at = cycle });
}

void vx_dcache_write(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    struct vx_memory *m = k->memory;
    struct vx_cache *c = &k->socket->dcache;
    uint32_t line = addr / VX_LINE, id = miss_of(m, c, line);

    k->stats.dcache_writes++;
    k->stats.mem_writes++;
    cycle = take_bank_turn(&c->free[data_bank(m, line)], cycle);
    k->stats.dcache_write_misses += *tag_of(c, line) != line;
    if (id != VX_NO_MISS)
        m->miss[id].n_stores++;
    dram_write(&m->dram, line, cycle + m->cache->dcache_out);
}

void vx_io_read(struct vx_core *k, uint32_t addr, uint32_t what, uint64_t cycle)
{
    struct vx_memory *m = k->memory;
    uint32_t id = miss_new(m, k, NULL, addr / VX_LINE);

    add_waiter(m, id, (struct vx_waiter){ .core = k, .what = what });
    fetch_line(k, id, cycle + m->cache->io_out);
}

void vx_io_write(struct vx_core *k, uint32_t addr, uint64_t cycle)
{
    struct vx_memory *m = k->memory;

    k->stats.mem_writes++;
    if (addr / VX_LINE != RISCV_CONSOLE / VX_LINE)
        dram_write(&m->dram, addr / VX_LINE, cycle + m->cache->io_out);
}
