/* tma.c - the unit of an SM that moves bulk and tensor copies.
 *
 * It works on one copy after another, and sends one request per cycle: the bytes of a run
 * that lie in one line. A line to global memory takes as many cycles as its request has
 * flits: one per sector, and one more if a sector is not whole; for a reduction one more in
 * any case, unless it is less than a sector. Requests go past L1, and replies come over the
 * same link as those of loads.
 *
 * The first copy of a kernel that uses a tensor map on an SM, or an instruction that asks for
 * the map ahead (UTMACCTL.PF), fetches it: from L2, or, if it is a parameter of the kernel and
 * async.param_maps is on, from the second level of constants, where the launch has put it.
 * Copies that need it wait in the unit, and those after them.
 *
 * NOTE: the accesses of shared memory take no time of the LSU's.
 * LIMIT: how many maps an SM keeps was not measured: TMA_MAPS. A block stays until the maps
 * that it asked for are there.
 */
#include "base/invariant.h"
#include "core/lsu/base.h"
#include "core/stages.h"

enum { MAP_BYTES = 128 };

static void ring_push(struct tma_ring *r, unsigned op)
{
    INVARIANT(r->n < TMA_OPS);
    r->at[(r->first + r->n++) % TMA_OPS] = (uint16_t)op;
}

static unsigned ring_first(const struct tma_ring *r)
{
    return r->at[r->first];
}

static unsigned ring_pop(struct tma_ring *r)
{
    unsigned op = ring_first(r);

    INVARIANT(r->n);
    r->first = (r->first + 1) % TMA_OPS;
    r->n--;
    return op;
}

bool tma_has_room(const struct sm *s)
{
    return s->async->queue.n < s->config.async.queue && s->async->n_free;
}

/* The part of a run that the next request is for. */
static uint32_t request_bytes(const struct tma_op *o, uint64_t *addr)
{
    const struct copy_run *r = &o->copy->run[o->run];
    uint32_t left = r->bytes - o->done, in_line;

    *addr = r->addr + o->done;
    in_line = LINE_BYTES - (uint32_t)(*addr % LINE_BYTES);
    return left < in_line ? left : in_line;
}

static uint8_t sectors_of(uint32_t first, uint32_t bytes)
{
    uint32_t last = (first + bytes - 1) / SECTOR_BYTES;

    return (uint8_t)((2u << last) - (1u << first / SECTOR_BYTES));
}

static struct tma_map *find_map(struct sm_async *a, uint64_t addr)
{
    for (uint32_t k = 0; k < a->n_maps; k++)
        if (a->map[k].addr == addr)
            return &a->map[k];
    return NULL;
}

/* A place for a map: a new one, or of the oldest that memory does not owe; NULL: none. */
static struct tma_map *take_place(struct sm_async *a)
{
    if (a->n_maps < TMA_MAPS)
        return &a->map[a->n_maps++];
    for (unsigned k = 0; k < TMA_MAPS; k++) {
        struct tma_map *m = &a->map[a->next_map];

        a->next_map = (a->next_map + 1) % TMA_MAPS;
        if (m->ready != NEVER)
            return m;
    }
    return NULL;
}

void tma_fetch_map(struct sm *s, unsigned warp, const struct copy *c, uint32_t row)
{
    struct sm_async *a = s->async;
    unsigned block = s->warp[warp].block;
    struct tma_map *m = c->map && !find_map(a, c->map) ? take_place(a) : NULL;

    if (!m)
        return;
    *m = (struct tma_map){
        .addr = c->map, .ready = NEVER, .row = row, .block = (uint8_t)block
    };
    if (c->has_param && s->config.async.param_maps) {
        m->sent = MAP_BYTES;
        m->ready = s->cycle + s->config.lsu->constant.l2_latency;
        return;
    }
    a->n_unsent++;
    s->blocks.at[block].n_copies++;
    s->async_at = earlier(s->async_at, s->cycle + 1);
}

void tma_forget_map(struct sm *s, uint64_t addr)
{
    struct tma_map *m = find_map(s->async, addr);

    if (m && m->ready != NEVER)
        m->addr = 0;
}

/* Asks for the line of a map, or the next one; false: memory refuses it. */
static bool ask_for_line(struct sm *s, unsigned n)
{
    struct tma_map *m = &s->async->map[n];
    uint64_t addr = m->addr + m->sent;
    uint32_t first = (uint32_t)(addr % LINE_BYTES), in_line = LINE_BYTES - first;
    uint32_t left = MAP_BYTES - m->sent, bytes = left < in_line ? left : in_line;
    struct mem_request r = { .addr = addr - first,
                             .cycle = (uint32_t)s->cycle,
                             .row = m->row,
                             .id = (uint32_t)FOR_TMA | (TMA_OPS + n),
                             .sm = (uint16_t)s->index,
                             .kind = MEM_READ,
                             .sectors = sectors_of(first, bytes),
                             .lanes = 1 };

    if (!memory_push_at(s->memory, &r, s->cycle))
        return false;
    m->sent = (uint8_t)(m->sent + bytes);
    m->in_flight++;
    return true;
}

static void ask_for_maps(struct sm *s)
{
    struct sm_async *a = s->async;

    for (uint32_t k = 0; a->n_unsent && k < a->n_maps; k++) {
        struct tma_map *m = &a->map[k];

        if (m->sent == MAP_BYTES)
            continue;
        while (m->sent < MAP_BYTES && ask_for_line(s, k))
            ;
        a->n_unsent -= m->sent == MAP_BYTES;
    }
}

/* A reply with a line of a map. */
static void take_map(struct sm *s, struct tma_map *m)
{
    struct block_slot *b = &s->blocks.at[m->block];

    INVARIANT(m->in_flight);
    if (--m->in_flight || m->sent < MAP_BYTES)
        return;
    m->ready = s->cycle;
    b->n_copies--;
    block_check_end(s, b);
}

/* The cycle from which on a copy can send requests; NEVER: memory owes its map. */
static uint64_t op_ready(const struct sm *s, const struct tma_op *o)
{
    const struct tma_map *m = o->copy->map ? find_map(s->async, o->copy->map) : NULL;

    return m ? later(o->at, m->ready) : o->at;
}

void tma_take(struct sm *s, unsigned warp, struct copy *c, uint32_t row)
{
    struct sm_async *a = s->async;
    unsigned n = a->free[--a->n_free];
    const struct async_params *p = &s->config.async;
    unsigned block = s->warp[warp].block;

    INVARIANT(tma_has_room(s) || a->queue.n + 1 == p->queue);
    a->op[n] = (struct tma_op){ .copy = c,
                                .stream = s->blocks.at[block].stream,
                                .at = s->cycle + p->start + (c->is_tensor ? p->map : 0),
                                .row = row,
                                .warp = (uint16_t)warp,
                                .block = (uint8_t)block };
    ring_push(&a->queue, n);
    a->n_open++;
    s->blocks.at[block].n_copies++;
    tma_fetch_map(s, warp, c, row);
}

/* Words of the line that are written completely. */
static uint32_t words_of(uint32_t first, uint32_t bytes)
{
    uint64_t up_to = ((uint64_t)1 << (first + bytes) / 4) - 1;

    return (uint32_t)(up_to & ~(((uint64_t)1 << (first + 3) / 4) - 1));
}

/* Cycles that a request for so many bytes takes: one, and one more whenever what was asked
 * for exceeds async.rate by as much. */
static uint32_t load_cycles(struct sm *s, uint32_t bytes)
{
    uint32_t rate = s->config.async.rate, *debt = &s->async->debt;

    *debt = *debt + bytes > rate ? *debt + bytes - rate : 0;
    if (*debt < rate)
        return 1;
    *debt -= rate;
    return 2;
}

/* Cycles that a request to global memory takes at the unit. */
static uint32_t store_cycles(const struct copy *c, uint8_t sectors, uint32_t bytes)
{
    uint32_t n = n_sectors(sectors);

    if (c->kind == COPY_REDUCE)
        return bytes < SECTOR_BYTES ? 1 : n + 1;
    return n + (bytes < n * SECTOR_BYTES);
}

/* Sends a request, which takes so many cycles; 0: it is refused. */
static uint32_t send_request(struct sm *s, unsigned n)
{
    static const uint8_t kinds[] = {
        [COPY_LOAD] = MEM_READ, [COPY_STORE] = MEM_WRITE, [COPY_REDUCE] = MEM_ATOMIC
    };
    struct tma_op *o = &s->async->op[n];
    bool is_load = o->copy->kind == COPY_LOAD, is_near = o->copy->kind == COPY_NEAR;
    uint64_t addr;
    uint32_t bytes = request_bytes(o, &addr), first = (uint32_t)(addr % LINE_BYTES);
    struct mem_request r = { .addr = addr - first,
                             .cycle = (uint32_t)s->cycle,
                             .row = o->row,
                             .id = is_load ? FOR_TMA | n : (uint32_t)FOR_NOBODY,
                             .sm = (uint16_t)s->index,
                             .kind = kinds[o->copy->kind],
                             .lanes = 1 };

    if (!bytes)
        return 1;
    r.sectors = sectors_of(first, bytes);
    if (!is_load) {
        r.words = words_of(first, bytes);
        r.bytes = (uint16_t)bytes;
    }
    if (!is_near && !memory_push_at(s->memory, &r, s->cycle))
        return 0;
    sm_count_copy(&s->stats, (bytes + 3) / 4, copy_memories(o->copy));
    o->in_flight += is_load;
    o->done += bytes;
    return copy_is_load(o->copy) ? load_cycles(s, bytes)
                                 : store_cycles(o->copy, r.sectors, bytes);
}

/* All of a copy is sent, or answered too: when it ends. */
static void plan_end(struct sm *s, unsigned n)
{
    struct tma_op *o = &s->async->op[n];
    bool is_load = copy_is_load(o->copy);

    if (!o->is_sent || o->in_flight)
        return;
    o->at = is_load ? s->cycle + s->config.async.finish
                    : o->began + s->config.async.read_finish;
    ring_push(is_load ? &s->async->loads : &s->async->stores, n);
}

/* The last request of a store is sent: the unit goes on when that has left, but takes
 * some time for each copy. */
static void end_store(struct sm *s, struct tma_op *o)
{
    uint64_t least = o->began + s->config.async.least;

    o->began = s->async->send_at;
    s->async->send_at = later(s->async->send_at, least);
}

static void send_next(struct sm *s)
{
    struct sm_async *a = s->async;
    unsigned n = ring_first(&a->queue);
    struct tma_op *o = &a->op[n];
    uint32_t cycles = o->copy->n_runs ? send_request(s, n) : 1;

    a->send_at = s->cycle + (cycles ? cycles : 1);
    if (!cycles)
        return;
    if (!o->run && !o->began)
        o->began = s->cycle;
    if (o->run < o->copy->n_runs && o->done == o->copy->run[o->run].bytes) {
        o->run++;
        o->done = 0;
    }
    if (o->run < o->copy->n_runs)
        return;
    if (!copy_is_load(o->copy))
        end_store(s, o);
    o->is_sent = true;
    ring_pop(&a->queue);
    plan_end(s, n);
}

void tma_reply(struct sm *s, unsigned op)
{
    struct sm_async *a = s->async;

    s->async_at = s->cycle;
    if (op >= TMA_OPS) {
        take_map(s, &a->map[op - TMA_OPS]);
        return;
    }
    INVARIANT(a->op[op].in_flight);
    a->op[op].in_flight--;
    plan_end(s, op);
}

static int end_copy(struct sm *s, unsigned n, struct err *err)
{
    struct sm_async *a = s->async;
    struct tma_op *o = &a->op[n];
    struct block_slot *b = &s->blocks.at[o->block];
    bool is_load = copy_is_load(o->copy);

    a->free[a->n_free++] = (uint16_t)n;
    a->n_open--;
    wake_next(&s->wake);
    if (o->copy->to) {
        gpc_send_copy(s, o->block, o->copy, s->config.cluster.cast);
        return 0;
    }
    if (o->stream->ops->end_copy(o->stream, o->copy, err))
        return -1;
    b->n_copies--;
    if (is_load)
        async_wake_block(s, o->block);
    else
        async_end_store(s, o->warp);
    block_check_end(s, b);
    return 0;
}

static int end_copies(struct sm *s, struct tma_ring *r, struct err *err)
{
    while (r->n && s->async->op[ring_first(r)].at <= s->cycle)
        if (end_copy(s, ring_pop(r), err))
            return -1;
    return 0;
}

int tma_tick(struct sm *s, struct err *err)
{
    struct sm_async *a = s->async;

    if (end_copies(s, &a->loads, err) || end_copies(s, &a->stores, err))
        return -1;
    ask_for_maps(s);
    if (a->queue.n && a->send_at <= s->cycle &&
        op_ready(s, &a->op[ring_first(&a->queue)]) <= s->cycle)
        send_next(s);
    return 0;
}

uint64_t tma_next(const struct sm *s)
{
    const struct sm_async *a = s->async;
    uint64_t next = NEVER;

    if (a->queue.n)
        next = later(a->send_at, op_ready(s, &a->op[ring_first(&a->queue)]));
    if (a->loads.n)
        next = earlier(next, a->op[ring_first(&a->loads)].at);
    if (a->stores.n)
        next = earlier(next, a->op[ring_first(&a->stores)].at);
    return a->n_unsent ? s->cycle : next;
}
