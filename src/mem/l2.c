/* l2.c - one L2 slice: a fixed latency, queues, a cache, and its path to DRAM.
 *
 * A miss that evicts dirty sectors sends them as one write; on a write miss, reading
 * them out occupies the data port.
 *
 * Two halves (H200): every line has a home half, where atomics and writes are
 * performed. A read from the other half takes longer the first time; then the near half
 * keeps a copy of l2.copy_bytes, as it does of sectors that its SMs write completely.
 * LIMIT: copies are kept in a separate tag table and use no port of the slices.
 */
#include "mem/l2.h"

#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "stats/hot.h"

static int new_slice(struct l2 *l, struct slice *s, struct err *err)
{
    const struct l2_params *p = &l->p;
    struct cache_shape shape = { .sets = p->sets,
                                 .ways = p->ways,
                                 .write = p->write,
                                 .allocate = p->allocate,
                                 .write_allocate = p->write_allocate,
                                 .index = p->index,
                                 .mshrs = p->mshrs,
                                 .merges = p->merges,
                                 .line_bits = 7,
                                 .granule = l->granule };

    s->cache = cache_new(&shape, err);
    s->port.cache = s->cache;
    if (p->partials) {
        s->partial = calloc(p->partials + PARTIAL_SLACK, sizeof *s->partial);
        if (!s->partial)
            return err_memory(err, "partly written sectors");
    }
    return s->cache ? 0 : -1;
}

/* Sectors of a granule of so many bytes: 1, 2 or 4. */
static uint32_t sectors_in(uint32_t bytes)
{
    uint32_t n = bytes / SECTOR_BYTES;

    return n == 3 ? 2 : n;
}

static int new_copies(struct l2 *l, struct err *err)
{
    struct cache_shape shape = { .sets = 4096,
                                 .ways = l->p.copy_kb * 8 / 4096,
                                 .index = CACHE_INDEX_IPOLY,
                                 .mshrs = 1,
                                 .merges = 1,
                                 .line_bits = 7,
                                 .granule = l->copied };

    if (l->p.partitions < 2 || !l->p.far_copies || !shape.ways)
        return 0;
    for (unsigned h = 0; h < 2; h++) {
        l->copies[h] = cache_new(&shape, err);
        if (!l->copies[h])
            return -1;
    }
    return 0;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Extra latency of a slice (l2.spread). Slices that follow each other are not equally
 * far: their ranks are so many steps apart that any few neighbours are spread evenly. */
static uint32_t slice_away(const struct l2 *l, uint32_t slice)
{
    uint32_t n = l->n_slices, step = n * 5 / 8, rank;

    while (common_divisor(n, step) > 1)
        step--;
    rank = slice * step % n;
    return (2 * rank + 1) * l->p.spread / (2 * n);
}

int l2_init(struct l2 *l, struct err *err)
{
    l->granule = sectors_in(l->p.fill_bytes);
    l->copied = sectors_in(l->p.copy_bytes);
    l->fill_cycles =
        (l->granule * SECTOR_BYTES + l->p.port_bytes - 1) / l->p.port_bytes;
    l->write_room = l->p.write_allocate == CACHE_WRITE_ALLOCATE_PLAIN   ? 3
                    : l->p.write_allocate == CACHE_WRITE_ALLOCATE_FETCH ? 2
                                                                        : 1;
    l->crowd = l->p.queue_icnt_l2 > 4 ? l->p.queue_icnt_l2 - 3 : 1;
    l->n_ways = l->p.partitions > 1 || l->p.atomic_latency ? N_L2_WAYS : 1;
    l->delay[L2_NEAR] = l->p.latency;
    l->delay[L2_NEAR_ATOMIC] = l->p.latency + l->p.atomic_latency;
    l->delay[L2_FAR_READ] = l->p.latency + l->p.far_latency;
    l->delay[L2_FAR_WRITE] = l->p.latency + l->p.far_atomic;
    l->delay[L2_FAR_ATOMIC] = l->delay[L2_NEAR_ATOMIC] + l->p.far_atomic;
    l->slices = calloc(l->n_slices, sizeof *l->slices);
    l->tight = calloc(l->n_slices, sizeof *l->tight);
    if (!l->slices || !l->tight)
        return err_memory(err, "%u L2 slices", l->n_slices);
    for (uint32_t i = 0; i < l->n_slices; i++) {
        l->slices[i].id = i;
        l->slices[i].due = NEVER;
        l->slices[i].away = slice_away(l, i);
        for (unsigned w = 0; w < N_L2_WAYS; w++)
            l->slices[i].waiting[w].due = NEVER;
        if (new_slice(l, &l->slices[i], err) < 0)
            return -1;
    }
    return new_copies(l, err);
}

void l2_free(struct l2 *l)
{
    for (uint32_t i = 0; l->slices && i < l->n_slices; i++) {
        cache_free(l->slices[i].cache);
        free(l->slices[i].partial);
    }
    free(l->slices);
    free(l->tight);
    cache_free(l->copies[0]);
    cache_free(l->copies[1]);
}

/* A write or atomic from an SM of this half changes the copy of its line, which only the
 * half that is not its home may have: as measured, a write from there leaves a copy of the
 * sectors that it writes completely; any other write, and an atomic, drops the copy. */
static void change_copy(struct l2 *l, const struct packet *p, unsigned half,
                        bool is_near)
{
    struct cache *c = l->copies[is_near ? !half : half];
    uint8_t whole = whole_sectors(p->words) & p->sectors;
    uint32_t set;

    if (!c)
        return;
    set = cache_set(c, p->addr);
    if (is_near || p->kind == MEM_ATOMIC)
        cache_drop(c, p->addr, set, widen_sectors(p->sectors, l->copied));
    else if (whole)
        cache_install(c, p->addr, set, whole);
}

/* A write or atomic, performed at the line's home. */
static enum l2_way home_way(struct l2 *l, const struct packet *p, unsigned half,
                            bool is_near)
{
    if (l->p.partitions > 1)
        change_copy(l, p, half, is_near);
    l->stats->l2_far += !is_near;
    if (is_near && (p->kind == MEM_WRITE || !l->p.atomic_latency))
        return L2_NEAR; /* with one latency for all ways there is one queue */
    if (p->kind == MEM_ATOMIC)
        return is_near ? L2_NEAR_ATOMIC : L2_FAR_ATOMIC;
    return L2_FAR_WRITE;
}

/* The half that is the home of an address. */
static unsigned l2_home(const struct l2_params *p, uint64_t addr)
{
    return (unsigned)__builtin_parityll(addr / p->home_bytes & p->home_mask);
}

enum l2_way l2_way(struct l2 *l, const struct packet *p, unsigned half)
{
    bool is_near = l->p.partitions < 2 || l2_home(&l->p, p->addr) == half;
    uint32_t set;

    if (p->kind == MEM_WRITE || p->kind == MEM_ATOMIC)
        return home_way(l, p, half, is_near);
    if (is_near)
        return L2_NEAR;
    if (l->copies[half]) {
        set = cache_set(l->copies[half], p->addr);
        if (cache_has(l->copies[half], p->addr, set, p->sectors)) {
            l->stats->l2_copies++;
            return L2_NEAR;
        }
        cache_install(l->copies[half], p->addr, set,
                      widen_sectors(p->sectors, l->copied));
    }
    l->stats->l2_far++;
    return L2_FAR_READ;
}

/* Sends a packet that the slice itself makes. */
static struct packet *send_new_packet(struct l2 *l, struct slice *s, uint64_t line,
                                      uint8_t kind)
{
    struct packet *p = packet_take(l->packets);
    struct place at = address_place(l->map, line);

    *p = (struct packet){ .addr = line, .kind = kind, .row = at.row, .bank = at.bank };
    queue_push(&s->misses, p);
    return p;
}

/* Sends what an access needs from DRAM. A miss goes there itself and waits in its
 * MSHR. */
static void send_to_dram(struct l2 *l, struct slice *s, struct packet *p,
                         const struct cache_outcome *o)
{
    if (o->fetch) {
        struct packet *fetch = p;

        if (o->send_write)
            fetch = send_new_packet(l, s, p->addr, PACKET_FETCH);
        else
            queue_push(&s->misses, p);
        fetch->fetch = o->fetch;
        fetch->mshr = (uint16_t)o->mshr;
    }
    if (o->evict) {
        send_new_packet(l, s, o->victim, PACKET_WRITEBACK)->sectors = o->evict;
        l->stats->l2_write_backs++;
    }
    if (o->send_write) /* write-through: DRAM gets it, and the SM is answered here */
        send_new_packet(l, s, p->addr, PACKET_WRITEBACK)->sectors = p->sectors;
}

/* The ring of partly written sectors has a place for these, which were written now. */
static void note_partial(struct l2 *l, struct slice *s, const struct packet *p)
{
    uint32_t size = l->p.partials + PARTIAL_SLACK;
    uint8_t sectors = cache_partial(s->cache, p->addr, p->set) & p->sectors;

    if (!sectors)
        return;
    INVARIANT(s->n_partials < size);
    s->partial[(s->first_partial + s->n_partials++) % size] =
        (struct partial){ p->addr, p->set, sectors };
}

bool l2_complete_partial(struct l2 *l, struct slice *s)
{
    const struct partial *p = &s->partial[s->first_partial];
    uint8_t sectors;
    struct packet *fetch;
    uint32_t mshr;

    if (!l->p.partials || s->n_partials <= l->p.partials ||
        s->misses.n + 2 + l->write_room > l->p.miss_queue || !cache_can_miss(s->cache))
        return false;
    s->first_partial = (s->first_partial + 1) % (l->p.partials + PARTIAL_SLACK);
    s->n_partials--;
    sectors = cache_partial(s->cache, p->line, p->set) & p->sectors;
    mshr = cache_complete(s->cache, p->line, p->set, sectors);
    if (mshr == NO_MSHR) /* it is complete by now, or soon will be */
        return true;
    fetch = send_new_packet(l, s, p->line, PACKET_FETCH);
    fetch->fetch = sectors;
    fetch->mshr = (uint16_t)mshr;
    send_new_packet(l, s, p->line, PACKET_WRITEBACK)->sectors = sectors;
    l->stats->l2_write_backs++;
    return true;
}

void l2_count(const struct l2 *l, struct memory_stats *to)
{
    for (unsigned kind = 0; kind <= MEM_CONST; kind++) {
        const uint64_t *n = l->outcomes[kind];
        uint64_t all = n[CACHE_HIT] + n[CACHE_MISS] + n[CACHE_PENDING];

        if (kind == MEM_WRITE) {
            to->l2_writes += all;
            to->l2_write_hits += n[CACHE_HIT];
            continue;
        }
        to->l2_reads += all;
        to->l2_atomics += kind == MEM_ATOMIC ? all : 0;
        to->l2_read_hits += n[CACHE_HIT];
        to->l2_read_misses += n[CACHE_MISS];
        to->l2_read_pending += n[CACHE_PENDING];
    }
}

void l2_count_fail(struct l2 *l, uint8_t why)
{
    uint64_t *const row[N_CACHE_FAIL] = { &l->stats->l2_fail_line,
                                          &l->stats->l2_fail_queue,
                                          &l->stats->l2_fail_mshr,
                                          &l->stats->l2_fail_merge };

    ++*row[why];
}

static uint32_t atomic_quarters(const struct l2_params *p, const struct packet *a)
{
    uint32_t sector = a->lanes * p->atomic_sector;

    if (is_single_word(a->words))
        return a->lanes * p->atomic_word;
    return n_sectors(a->sectors) * (sector + (a->has_result ? p->atomic_result : 0));
}

/* Time that a write or atomic occupies its slice, in parts of a cycle: its share of the
 * request's flits, or the operation on them. */
static uint64_t data_time(const struct l2 *l, const struct packet *p)
{
    const struct packet *whole = p->parent ? p->parent : p;
    uint64_t atomic = 0, flits = 0;

    if (p->kind == MEM_ATOMIC)
        atomic = (uint64_t)atomic_quarters(&l->p, p) * l->tick / 4;
    if (l->p.flits)
        flits = (uint64_t)p->flits * l->tick * n_sectors(p->sectors) /
                n_sectors(whole->sectors);
    return later(atomic, flits);
}

/* Time that an access occupies the data port, in parts of a cycle. */
static uint64_t port_time(const struct l2 *l, const struct packet *p,
                          const struct cache_outcome *o)
{
    uint32_t bytes = 0, width = l->p.port_bytes;
    uint64_t time;

    if (o->result == CACHE_HIT)
        bytes = n_sectors(p->sectors) * SECTOR_BYTES;
    else if (p->kind == MEM_WRITE)
        bytes = n_sectors(o->evict) * SECTOR_BYTES;
    time = (bytes <= width ? 1 : (bytes + width - 1) / width) * (uint64_t)l->tick;
    if (p->kind == MEM_WRITE || p->kind == MEM_ATOMIC)
        time = later(time, data_time(l, p));
    return time;
}

/* True if the access in front, which failed, would fail again. A fill resets this. */
static bool would_fail_again(const struct l2 *l, const struct slice *s,
                             const struct packet *p)
{
    if (!s->is_blocked)
        return false;
    switch (s->why) {
    case CACHE_FAIL_QUEUE: /* a write needs one place, a read two (cache.c) */
        return s->misses.n + (p->kind == MEM_WRITE ? l->write_room : 2) >
               l->p.miss_queue;
    case CACHE_FAIL_MSHR:
        return !cache_can_miss(s->cache);
    default:
        return true;
    }
}

/* Counts an access for the instruction that made the request; others may count at the
 * same time, on other threads. */
static void count_hot(const struct l2 *l, const struct packet *p, uint8_t result)
{
    const struct hot_table *t = l->hot->table;
    uint32_t row = *l2_row_of(l, p->parent ? p->parent : p);
    uint64_t *count = t->row[row].count;
    bool writes = p->kind == MEM_WRITE;

    INVARIANT(row < t->cap);
    __atomic_fetch_add(&count[writes ? HOT_l2_writes : HOT_l2_reads], 1,
                       __ATOMIC_RELAXED);
    if (result == CACHE_HIT)
        __atomic_fetch_add(&count[writes ? HOT_l2_write_hits : HOT_l2_read_hits], 1,
                           __ATOMIC_RELAXED);
}

static inline __attribute__((always_inline)) bool
end_access(struct l2 *l, struct slice *s, struct packet *p,
           const struct cache_outcome *o, uint64_t cycle)
{
    uint64_t start = later(s->port_free, cycle * CYCLE_PARTS);

    l->outcomes[p->kind][o->result]++;
    if (l->hot->row)
        count_hot(l, p, o->result);
    s->port_free = start + port_time(l, p, o);
    queue_pop(&s->in);
    queue_expect(&s->in);
    send_to_dram(l, s, p, o);
    if (l->p.partials && p->kind == MEM_WRITE && o->result == CACHE_MISS)
        note_partial(l, s, p);
    INVARIANT(s->misses.n <= l->p.miss_queue);
    return !o->waits; /* a write may wait too, for the rest of its sector */
}

bool l2_end_access(struct l2 *l, struct slice *s, struct packet *p,
                   const struct cache_outcome *o, uint64_t cycle)
{
    return end_access(l, s, p, o, cycle);
}

void slice_access_cache(struct l2 *l, struct slice *s, uint64_t cycle)
{
    struct packet *p = s->in.head;
    struct cache_access a;
    struct cache_outcome o = { .result = CACHE_HIT };

    INVARIANT(s->in.n && s->in.n <= l->p.queue_icnt_l2);
    if (slice_n_replies(s, cycle) >= l->p.queue_l2_icnt || l2_port_is_busy(s, cycle))
        return;
    if (l2_complete_partial(l, s))
        s->is_blocked = false;
    if (l2_refuses_write(l, s, p)) {
        l2_count_fail(l, CACHE_FAIL_LINE);
        return;
    }
    if (would_fail_again(l, s, p)) {
        l2_count_fail(l, s->why);
        return;
    }
    a = l2_access_of(l, s, p);
    cache_access_to(s->cache, &a, cache_find(s->cache, p->addr, p->set), &o);
    s->is_blocked = o.result == CACHE_FAIL;
    if (s->is_blocked) {
        s->why = o.fail;
        l2_count_fail(l, o.fail);
        return;
    }
    if (end_access(l, s, p, &o, cycle))
        slice_send_reply(l, s, p, cycle);
}
