/* lsu.c - the load/store unit of an SM: one instruction at a time, one result per
 * cycle.
 *
 * Models Accel-Sim's ldst_unit. The order within a cycle is: a result is written and
 * the next one chosen among five clients (shared memory, textures, constants, loads
 * that bypassed L1, filled misses of L1); a reply from memory; a miss sent; lookups of
 * L1; the instruction in the latch.
 *
 * LIMIT: a result never waits for a bank of the register file.
 */
#include "core/lsu/lsu.h"

#include <stdlib.h>

#include "base/cycles.h"
#include "base/invariant.h"
#include "core/lsu/results.h"

/* Capacity = the longest latency in cycles. */
static uint32_t shared_limit(const struct lsu *l)
{
    const struct shared_params *p = &l->c.shared;
    uint32_t n =
        p->latency + p->atomic_latency + (WARP_LANES - 1) * p->conflict_latency;

    return n < LSU_PIPE ? n : LSU_PIPE;
}

/* Sets how far ahead events are known: the time that an instruction taken now needs to
 * get there. */
static void set_ahead(struct lsu *l)
{
    uint32_t pipe = l->c.shared.latency;

    pipe = pipe < l->c.lsu.shuffle_latency ? pipe : l->c.lsu.shuffle_latency;
    pipe = pipe < l->c.lsu.texture_latency ? pipe : l->c.lsu.texture_latency;
    l->chooses_ahead = l->c.lsu.writebacks == 1 && l->c.lsu.replies == 1 && pipe > 1;
    if (l->chooses_ahead && l->is_ahead)
        l->reach = pipe - 2 < l->c.l1.latency ? pipe - 2 : l->c.l1.latency;
}

static int new_parts(struct lsu *l, struct err *err)
{
    const struct const_params *k = &l->c.constant;
    struct cache_shape shape = { .sets = k->sets,
                                 .ways = k->ways,
                                 .allocate = CACHE_ALLOCATE_FILL,
                                 .mshrs = k->mshrs,
                                 .merges = k->merges,
                                 .line_bits = (uint32_t)__builtin_ctz(k->line),
                                 .granule = k->line / SECTOR_BYTES };

    if (k->line & (k->line - 1))
        return err_set(err, "const.line = %u: must be 32, 64 or 128", k->line);
    if (l->c.shared.banks & (l->c.shared.banks - 1))
        return err_set(err, "shared.banks = %u: must be a power of two",
                       l->c.shared.banks);
    if (l1_init(l, err) < 0)
        return -1;
    l->constant = cache_new(&shape, err);
    if (!l->constant)
        return -1;
    l->shared = (struct pipe){ .ring = l->pipe_ring[0], .limit = shared_limit(l) };
    l->misses.size = l->c.l1.miss_queue + 4;
    INVARIANT(l->misses.size <= LSU_MISSES);
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        l->fill_cycles[i] =
            (i * SECTOR_BYTES + l->c.l1.port_bytes - 1) / l->c.l1.port_bytes;
    l->texture = (struct pipe){ .ring = l->pipe_ring[1], .limit = LSU_PIPE };
    set_ahead(l);
    l->tlb_params = &memory_parameters(l->memory)->tlb;
    if (!l->tlb_params->enabled)
        return 0;
    return tlb_init(&l->tlb, l->tlb_params->l1_entries, l->tlb_params->l1_ways,
                    l->tlb_params->page_bits, err);
}

struct lsu *lsu_new(const struct lsu_config *c, unsigned sm, struct uop *pool,
                    struct memory *memory, struct err *err)
{
    struct lsu *l = calloc(1, sizeof *l);

    if (!l) {
        err_memory(err, "a load/store unit");
        return NULL;
    }
    l->c = *c;
    l->sm = (uint16_t)sm;
    l->pool = pool;
    l->memory = memory;
    l->link = memory_link(memory, sm);
    l->is_ahead = memory_lead(memory) != 0;
    l->front.events = l->events;
    l->latch = NO_UOP;
    l->next = l->pipes_at = UINT64_MAX;
    if (new_parts(l, err) < 0) {
        lsu_free(l);
        return NULL;
    }
    return l;
}

void lsu_free(struct lsu *l)
{
    if (!l)
        return;
    l1_free(l);
    cache_free(l->constant);
    tlb_free(&l->tlb);
    free(l);
}

void lsu_tell_checked(struct lsu *l)
{
    l->tell_checked = true;
}

/* The smallest size that shared memory may have to hold this much, in KB. */
static uint32_t carve_out(const struct shared_params *p, uint32_t bytes)
{
    const uint32_t sizes[] = { p->carve0_kb, p->carve1_kb, p->carve2_kb, p->carve3_kb,
                               p->carve4_kb, p->carve5_kb, p->carve6_kb, p->carve7_kb };
    uint32_t most = 0;

    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] * 1024 >= bytes && (sizes[i] || !i))
            return sizes[i];
        most = sizes[i] > most ? sizes[i] : most;
    }
    return most;
}

void lsu_kernel_start(struct lsu *l, uint32_t shared_per_sm)
{
    const struct l1_params *p = &l->c.l1;
    uint32_t ways = p->ways, kb = 0;

    INVARIANT(!l->n_open && l->latch == NO_UOP);
    if (p->unified_kb) {
        uint32_t taken = carve_out(&l->c.shared, shared_per_sm);

        kb = taken + p->reserved_kb < p->unified_kb
                 ? p->unified_kb - taken - p->reserved_kb
                 : 0;
        ways = kb * 8 / p->sets;
        /* Accel-Sim's streaming caches allocate lines on a miss when all of it is
         * L1. */
        if (p->allocate == CACHE_ALLOCATE_STREAMING)
            cache_set_allocate(l->l1,
                               taken ? CACHE_ALLOCATE_FILL : CACHE_ALLOCATE_MISS);
    }
    if (p->flush || ways != l->l1_ways)
        cache_reset(l->l1, ways);
    l->l1_ways = ways;
}

static void lsu_add_event(struct lsu *l, uop_id u, enum lsu_event_kind kind,
                          bool has_result)
{
    INVARIANT(l->front.n_events - l->front.n_taken < LSU_EVENTS);
    l->events[l->front.n_events++ % LSU_EVENTS] =
        (struct lsu_event){ u, (uint8_t)kind, has_result };
}

static bool has_result(const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    if (inst_is_copy(i))
        return false;
    return !inst_writes_memory(i) || (inst_is_atomic(i) && i->n_dst);
}

static void lsu_complete_inst(struct lsu *l, struct uop *u)
{
    bool with_result = has_result(u);

    if (with_result && u->dyn.inst->class == CLASS_load &&
        u->dyn.space != SPACE_SHARED) {
        l->stats.load_latency += l->cycle - u->taken;
        l->stats.load_results++;
    }
    INVARIANT(l->n_open && u->pending <= 1);
    lsu_add_event(l, u->id, LSU_DONE, with_result);
    l->n_open--;
}

void lsu_end_part_at(struct lsu *l, uop_id u, uint64_t cycle)
{
    uint32_t at = l->writeback.head + l->writeback.n;

    lsu_end_last_part(l, u, cycle);
    for (; at != l->writeback.head; at--) {
        struct late *x = &l->writeback_ring[(at - 1) % LSU_RESULTS];
        struct late *y = &l->writeback_ring[at % LSU_RESULTS], before = *x;

        if (x->at <= y->at)
            return;
        *x = *y;
        *y = before;
    }
}

/* True if a part that was completed early (decision 022) in fact ends later; then the
 * instruction ends there. */
static bool is_put_off(struct lsu *l, uop_id id)
{
    uint64_t at = 0;

    for (unsigned i = 0; i < 2; i++)
        if (l->early[i].uop == id)
            at = later(at, l->early[i].at);
    if (at <= l->cycle)
        return false;
    lsu_end_part_at(l, id, at);
    return true;
}

void lsu_part_done(struct lsu *l, uop_id id)
{
    struct uop *u = &l->pool[id];

    INVARIANT(u->pending || !u->dyn.mask);
    if (u->pending > 1)
        u->pending--;
    else if (l->early_until <= l->cycle || !is_put_off(l, id))
        lsu_complete_inst(l, u);
}

bool lsu_has_room(const struct lsu *l, unsigned subcore)
{
    if (!l->c.lsu.queue)
        return l->front.room_at <= l->cycle;
    return l->queue[subcore % LSU_SUBCORES].n < l->c.lsu.queue;
}

bool lsu_can_take(const struct lsu *l)
{
    if (!l->c.lsu.queue)
        return lsu_has_room(l, 0);
    for (unsigned i = 0; i < LSU_SUBCORES; i++)
        if (!lsu_has_room(l, i))
            return false;
    return true;
}

static void count_instruction(struct lsu *l, const struct uop *u)
{
    struct lsu_stats *s = &l->stats;
    uint8_t class = u->dyn.inst->class;
    bool store = class == CLASS_store;

    switch (u->dyn.space) {
    case SPACE_NONE:
        break;
    case SPACE_SHARED:
        store ? s->shared_stores++ : s->shared_loads++;
        break;
    case SPACE_CONST:
        s->constants++;
        break;
    case SPACE_TEXTURE:
        s->textures++;
        break;
    case SPACE_LOCAL:
        store ? s->local_stores++ : s->local_loads++;
        break;
    default:
        class == CLASS_atomic ? s->atomics++ : store ? s->stores++ : s->loads++;
        break;
    }
}

static bool is_bypassing(const struct lsu *l, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    return i->class == CLASS_atomic || !l->l1_ways ||
           (i->class == CLASS_load &&
            (i->flags & INST_BYPASS_L1 ||
             (l->c.l1.skip_global && u->dyn.space == SPACE_GLOBAL)));
}

static void make_transactions(struct lsu *l, struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    struct lane_access a = { .addr = &u->dyn.addr,
                             .mask = u->dyn.mask,
                             .bytes = i->bytes,
                             .lines = l->c.lsu.coalesce == 1,
                             .join = l->joins && !l->bypass,
                             .atomic = i->class == CLASS_atomic,
                             .split = l->c.lsu.atomics == 0 };

    if (u->dyn.space == SPACE_LOCAL) {
        struct local_layout layout = {
            .base = (uint64_t)l->c.lsu.local_base << 32,
            .threads = memory_sms(l->memory) * l->c.lsu.warps * WARP_LANES,
            .first = (l->sm * l->c.lsu.warps + u->warp) * WARP_LANES
        };

        l->n_tx = coalesce_local(&layout, &a, l->tx);
    } else {
        l->n_tx = coalesce_lanes(&a, l->tx);
    }
    l->tx_at = 0;
    u->pending = l->n_tx;
    if (a.join) {
        u->pending = 0;
        for (uint32_t n = 0; n < l->n_tx; n++)
            u->pending += n_sectors(l->tx[n].sectors);
    }
    l->stats.transactions += u->pending;
    l->stats.bypassed += l->bypass ? u->pending : 0;
}

static bool is_memory(const struct uop *u)
{
    return u->dyn.space != SPACE_NONE && u->dyn.space != SPACE_SHARED &&
           u->dyn.space != SPACE_CONST && u->dyn.space != SPACE_TEXTURE;
}

/* Sends one transaction past L1 in cycle `at`. */
static bool send_past(struct lsu *l, const struct uop *u, uint64_t at)
{
    const struct transaction *t = &l->tx[l->tx_at];
    uint8_t class = u->dyn.inst->class;
    bool reads = class == CLASS_load;
    struct mem_request r = { .addr = t->line,
                             .cycle = at,
                             .id = FOR_UOP | u->id,
                             .words = t->words,
                             .sm = l->sm,
                             .kind = class == CLASS_atomic ? MEM_ATOMIC
                                     : reads               ? MEM_READ
                                                           : MEM_WRITE,
                             .sectors = t->sectors,
                             .lanes = t->lanes,
                             .has_result = u->dyn.inst->n_dst != 0,
                             .bytes = reads ? 0 : t->bytes };

    return memory_push_at(l->memory, &r, at);
}

/* May a transaction be sent in cycle `at`, which is in the future? Only if no miss of a
 * lookup can come before it. */
static bool may_send_ahead(const struct lsu *l, uint64_t at)
{
    return l->is_ahead && !l->tell_checked && !l->misses.n && at <= l->lookup_at;
}

/* Sends one transaction per cycle. */
static bool bypass_access(struct lsu *l, const struct uop *u)
{
    for (;; l->latch_until++) {
        if (l->latch_until > l->cycle && !may_send_ahead(l, l->latch_until))
            return false;
        if (!send_past(l, u, l->latch_until)) {
            l->stats.icnt_stalls += l->latch_until == l->cycle;
            return false;
        }
        if (++l->tx_at == l->n_tx)
            return true;
    }
}

static bool memory_access(struct lsu *l, struct uop *u)
{
    if (l->latch_is_new)
        l->latch_until += lsu_translate_pages(l);
    if (l->n_tx)
        return l->bypass ? bypass_access(l, u) : l1_enter(l, u);
    if (l->cycle < l->latch_until)
        return false;
    lsu_part_done(l, u->id); /* no lane is active */
    return true;
}

/* Performs the instruction at the unit, starting in cycle latch_until. */
static bool lsu_access_inst(struct lsu *l, struct uop *u)
{
    switch (u->dyn.space) {
    case SPACE_NONE:
        return lsu_access_shuffle(l, u);
    case SPACE_SHARED:
        return lsu_access_shared(l, u);
    case SPACE_CONST:
        return lsu_access_constant(l, u);
    case SPACE_TEXTURE:
        return lsu_access_texture(l, u);
    default:
        return memory_access(l, u);
    }
}

static void run_latch(struct lsu *l)
{
    struct uop *u = &l->pool[l->latch];
    uint64_t cycles;
    bool has_gone;

    if (l->latch_until < l->cycle)
        l->latch_until = l->cycle;
    has_gone = lsu_access_inst(l, u);
    l->latch_is_new = false;
    if (!has_gone)
        return;
    cycles = l->latch_until - l->latch_since;
    if (l->tell_checked && is_memory(u) && l->n_tx)
        lsu_add_event(l, u->id, LSU_CHECKED, false);
    l->stats.latch_cycles += cycles + 1;
    l->stats.latch_stalls += cycles;
    l->latch = NO_UOP;
    l->front.room_at = l->c.lsu.queue ? 0 : l->latch_until;
}

/* An instruction can go on from this cycle, which may be the next. Its way is computed
 * at once as far as it is known; for constants and textures nothing is. */
static void load_latch(struct lsu *l, struct uop *u, uint64_t cycle)
{
    INVARIANT(l->latch == NO_UOP && cycle >= l->cycle);
    l->latch = u->id;
    l->front.room_at = l->c.lsu.queue ? 0 : UINT64_MAX;
    l->latch_is_stuck = false;
    l->latch_is_new = true;
    l->awaited = 0;
    l->latch_since = l->latch_until = cycle;
    u->pending = 1;
    if (is_memory(u)) {
        l->bypass = is_bypassing(l, u);
        make_transactions(l, u);
    }
    if (cycle == l->cycle ||
        (u->dyn.space != SPACE_CONST && u->dyn.space != SPACE_TEXTURE))
        run_latch(l);
}

/* The sub-cores' queues take turns. */
static void next_from_queue(struct lsu *l)
{
    for (unsigned i = 0; i < LSU_SUBCORES; i++) {
        unsigned q = (l->next_queue + i) % LSU_SUBCORES;

        if (!l->queue[q].n)
            continue;
        load_latch(l, &l->pool[l->queue[q].ring[l->queue[q].head]], l->cycle);
        l->queue[q].head = (l->queue[q].head + 1) % LSU_MAX_QUEUE;
        l->queue[q].n--;
        l->n_queued--;
        l->next_queue = (q + 1) % LSU_SUBCORES;
        return;
    }
}

struct mem_request *lsu_wait_to_send(struct lsu *l)
{
    uint32_t at = l->misses.head + l->misses.n++;

    INVARIANT(l->misses.n <= l->misses.size);
    return &l->miss_ring[at < l->misses.size ? at : at - l->misses.size];
}

/* Sends the first miss of the queue. */
static void send_miss(struct lsu *l)
{
    if (!memory_push_at(l->memory, &l->miss_ring[l->misses.head], l->cycle)) {
        l->stats.icnt_stalls++;
        return;
    }
    l->misses.head = l->misses.head + 1 == l->misses.size ? 0 : l->misses.head + 1;
    l->misses.n--;
}

/* Writes the results of this cycle, and of earlier ones in which nothing else had to be
 * done: those ended no instruction. */
static void write_back(struct lsu *l, uint64_t cycle)
{
    INVARIANT(cycle > l->cycle);
    l->cycle = cycle;
    if (l->results || l->pipes_at <= cycle)
        lsu_choose(l, cycle);
    l->chosen = later(l->chosen, cycle);
    while (l->writeback.n && l->writeback_ring[l->writeback.head].at <= cycle) {
        uop_id u = l->writeback_ring[l->writeback.head].uop;

        l->writeback.head = (l->writeback.head + 1) % LSU_RESULTS;
        l->writeback.n--;
        lsu_part_done(l, u);
    }
}

static void end_late(struct lsu *l)
{
    for (uint32_t i = 0; i < l->n_late;) {
        uop_id u = l->late[i].uop;

        if (l->late[i].at > l->cycle) {
            i++;
            continue;
        }
        l->late[i] = l->late[--l->n_late];
        lsu_part_done(l, u);
    }
}

void lsu_take(struct lsu *l, struct uop *u, uint64_t cycle)
{
    unsigned q = u->warp % LSU_SUBCORES;

    INVARIANT(cycle >= l->cycle && lsu_has_room(l, q));
    l->cycle = cycle;
    u->taken = cycle;
    l->n_open++;
    count_instruction(l, u);
    if (l->c.lsu.queue) {
        l->queue[q].ring[(l->queue[q].head + l->queue[q].n++) % LSU_MAX_QUEUE] = u->id;
        l->n_queued++;
    } else {
        load_latch(l, u, cycle + 1);
    }
    l->next = lsu_next_work(l);
}

/* The steps of a cycle that come after replies. */
static void run_accesses(struct lsu *l)
{
    bool has_looked_up = false;

    if (l->misses.n)
        send_miss(l);
    if (l->need_mshr || l->lookup_at <= l->cycle)
        has_looked_up = l1_lookups(l);
    if (l->latch == NO_UOP && l->n_queued && l->cycle > l->latch_until)
        next_from_queue(l);
    else if (l->latch != NO_UOP && l->cycle >= l->latch_until &&
             (has_looked_up || !l->latch_is_stuck))
        l->full & l->awaited ? l1_stay(l) : run_latch(l);
    l->next = lsu_next_work(l);
}

/* Many cycles have a reply and nothing else, unless a lookup has waited for it. */
void lsu_run_cycle(struct lsu *l, uint64_t cycle)
{
    write_back(l, cycle);
    if (l->n_late)
        end_late(l);
    if (l->has_reply || lsu_has_data(l))
        lsu_take_replies(l);
    if (cycle < l->next && !l->need_mshr && l->lookup_at > cycle)
        l->next = earlier(l->next, lsu_next_result(l));
    else
        run_accesses(l);
}

bool lsu_tick(struct lsu *l, uint64_t cycle)
{
    if (!l->is_ahead)
        l->cycle = cycle - 1; /* a reply that is present has arrived just now */
    for (;;) {
        uint64_t at = lsu_due(l);

        if (at > cycle)
            break;
        lsu_run_cycle(l, at);
    }
    l->cycle = cycle;
    return l->front.n_events != 0;
}

uint64_t lsu_next(const struct lsu *l)
{
    return lsu_due(l);
}

bool lsu_is_idle(const struct lsu *l)
{
    return !l->n_open && !lsu_misses(l) && !l->front.n_events && !l->has_reply;
}

const struct lsu_stats *lsu_stats(const struct lsu *l)
{
    return &l->stats;
}

void lsu_dump(const struct lsu *l, struct buf *out)
{
    buf_printf(out, "LSU of SM %u: %u instructions, %u transactions in L1, %u to L2\n",
               l->sm, l->n_open, l1_transactions(l), lsu_misses(l));
    if (l->latch != NO_UOP)
        buf_printf(out, "  latch: warp %u, uop %u, %u of %u transactions gone\n",
                   l->pool[l->latch].warp, l->latch, l->tx_at, l->n_tx);
    cache_dump(l->l1, "  L1", out);
}
