/* base.c - what the two forms of the load/store unit share; see base.h. */
#include "core/lsu/base.h"

#include "base/cycles.h"
#include "base/invariant.h"
#include "mem/banks.h"

/* Constants have an address space of their own, placed where no program has memory. */
#define CONST_WINDOW 0x00007a0000000000ull

static uint32_t max_ways(const struct l1_params *p)
{
    uint32_t ways = p->unified_kb * 8 / p->sets;

    return p->unified_kb && ways > p->ways ? ways : p->ways;
}

static int new_l1(struct lsu *l, struct err *err)
{
    const struct l1_params *p = &l->c.l1;
    struct cache_shape shape = { .sets = p->sets,
                                 .ways = max_ways(p),
                                 .write = p->write,
                                 .allocate = p->allocate,
                                 .write_allocate = p->write_allocate,
                                 .index = p->index,
                                 .mshrs = p->mshrs,
                                 .merges = p->merges,
                                 .line_bits = 7,
                                 .granule = 1,
                                 .store_fills = p->store_fills };

    l->l1 = cache_new(&shape, err);
    l->l1_ways = p->ways;
    if (!l->l1)
        return -1;
    cache_reset(l->l1, p->ways);
    return 0;
}

static int new_constant(struct lsu *l, struct err *err)
{
    const struct const_params *k = &l->c.constant;
    struct cache_shape shape = { .sets = k->sets,
                                 .ways = k->ways,
                                 .allocate = CACHE_ALLOCATE_FILL,
                                 .mshrs = k->mshrs,
                                 .merges = k->merges,
                                 .line_bits = (uint32_t)__builtin_ctz(k->line),
                                 .granule = k->line / SECTOR_BYTES };

    l->constant = cache_new(&shape, err);
    return l->constant ? 0 : -1;
}

static int check_powers(const struct lsu_config *c, struct err *err)
{
    if (c->constant.line & (c->constant.line - 1))
        return err_set(err, "const.line = %u: must be 32, 64 or 128", c->constant.line);
    if (c->shared.banks & (c->shared.banks - 1))
        return err_set(err, "shared.banks = %u: must be a power of two",
                       c->shared.banks);
    if (c->l1.banks & (c->l1.banks - 1) || c->l1.bank_bytes & (c->l1.bank_bytes - 1))
        return err_set(err, "l1.banks = %u, l1.bank_bytes = %u: must be powers of two",
                       c->l1.banks, c->l1.bank_bytes);
    return 0;
}

int lsu_init(struct lsu *l, const struct lsu_made_from *from, struct err *err)
{
    l->c = *from->c;
    l->sm = (uint16_t)from->sm;
    l->pool = from->pool;
    l->memory = from->memory;
    l->link = memory_link(l->memory, l->sm);
    l->front.events = l->events;
    l->bank_shift = (uint32_t)__builtin_ctz(l->c.l1.bank_bytes);
    for (uint32_t i = 0; i <= LINE_SECTORS; i++)
        l->fill_cycles[i] =
            (i * SECTOR_BYTES + l->c.l1.port_bytes - 1) / l->c.l1.port_bytes;
    if (check_powers(&l->c, err) || new_l1(l, err) || new_constant(l, err))
        return -1;
    l->tlb_params = &memory_parameters(l->memory)->tlb;
    if (!l->tlb_params->enabled)
        return 0;
    return tlb_init(&l->tlb, l->tlb_params->l1_entries, l->tlb_params->l1_ways,
                    l->tlb_params->page_bits, err);
}

void lsu_fini(struct lsu *l)
{
    cache_free(l->l1);
    cache_free(l->constant);
    tlb_free(&l->tlb);
}

void lsu_tell_checked(struct lsu *l)
{
    l->tell_checked = true;
}

bool lsu_can_take(const struct lsu *l)
{
    for (unsigned i = 1; l->c.lsu.queue && i < LSU_SUBCORES; i++)
        if (!lsu_has_room(l, i))
            return false;
    return lsu_has_room(l, 0);
}

void lsu_dump_counts(const struct lsu *l, unsigned in_l1, unsigned misses,
                     struct buf *out)
{
    buf_printf(out, "LSU of SM %u: %u instructions, %u transactions in L1, %u to L2\n",
               l->sm, l->n_open, in_l1, misses);
}

void lsu_dump_latch(const struct lsu *l, uop_id u, unsigned gone, unsigned n,
                    struct buf *out)
{
    buf_printf(out, "  latch: warp %u, uop %u, %u of %u transactions gone\n",
               l->pool[u].warp, u, gone, n);
}

void lsu_set_hot(struct lsu *l, struct hot_table *t)
{
    l->hot = t;
}

const struct lsu_stats *lsu_stats(const struct lsu *l)
{
    return &l->stats;
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

/* Blocks per SM that local memory has room for: as many as fit, or as the grid has for
 * each SM if that is less. */
static uint32_t local_blocks(const struct lsu *l, const struct lsu_kernel *k)
{
    unsigned sms = memory_sms(l->memory);
    uint64_t share = (k->n_blocks + sms - 1) / sms;

    return share < k->blocks ? (uint32_t)share : k->blocks;
}

void lsu_kernel_start(struct lsu *l, const struct lsu_kernel *k)
{
    const struct l1_params *p = &l->c.l1;
    uint32_t ways = p->ways, kb = 0;

    INVARIANT(!l->n_open);
    l->block_warps = k->block_warps;
    l->local_blocks = local_blocks(l, k);
    l->remote = (struct lsu_remote){ .is_used = k->has_clusters };
    if (p->unified_kb) {
        uint32_t taken = carve_out(&l->c.shared, k->shared);

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

void lsu_empty_l1(struct lsu *l)
{
    if (l->c.l1.fences)
        cache_reset(l->l1, l->l1_ways);
}

void lsu_add_event(struct lsu *l, uop_id u, enum lsu_event_kind kind, bool has_result)
{
    INVARIANT(l->front.n_events - l->front.n_taken < LSU_EVENTS);
    l->events[l->front.n_events++ % LSU_EVENTS] =
        (struct lsu_event){ u, (uint8_t)kind, has_result };
}

void lsu_settle_store(struct lsu *l, unsigned warp)
{
    struct lsu_posted *p = &l->posted;

    INVARIANT(p->n && p->of_warp[warp]);
    p->n--;
    if (--p->of_warp[warp] || !p->is_awaited[warp])
        return;
    p->is_awaited[warp] = false;
    lsu_add_event(l, (uop_id)warp, LSU_SETTLED, false);
}

bool lsu_await_stores(struct lsu *l, unsigned warp)
{
    l->posted.is_awaited[warp] = l->posted.of_warp[warp] != 0;
    return l->posted.is_awaited[warp];
}

bool lsu_is_settled(const struct lsu *l)
{
    return !l->posted.n;
}

static bool has_result(const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    if (inst_is_copy(i))
        return false;
    return !inst_writes_memory(i) || (inst_is_atomic(i) && i->n_dst);
}

void lsu_complete_inst(struct lsu *l, const struct uop *u)
{
    bool with_result = has_result(u);

    if (with_result && u->dyn.inst->class == CLASS_load &&
        u->dyn.space != SPACE_SHARED) {
        l->stats.load_latency += (uint32_t)l->cycle - u->lsu_took;
        l->stats.load_results++;
    }
    INVARIANT(l->n_open && u->pending <= 1);
    lsu_add_event(l, u->id, LSU_DONE, with_result);
    l->n_open--;
}

void lsu_count_inst(struct lsu *l, struct uop *u, uint64_t cycle)
{
    struct lsu_stats *s = &l->stats;
    uint8_t class = u->dyn.inst->class;
    bool store = class == CLASS_store;

    u->lsu_took = (uint32_t)cycle;
    l->n_open++;
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

/* Where local memory of a warp is. Blocks: those in the same place of all SMs are
 * neighbours, as GPGPU-Sim's shader_core_ctx::translate_local_memaddr() has it. */
static struct local_layout local_layout_of(const struct lsu *l, unsigned warp)
{
    unsigned sms = memory_sms(l->memory), warps = l->c.lsu.warps;
    unsigned first = l->sm * warps + warp;

    if (l->c.lsu.local_map == LSU_LOCAL_BLOCKS) {
        unsigned place = warp / l->block_warps;

        warps = l->block_warps * l->local_blocks;
        first = (l->sm + sms * place) * l->block_warps + warp % l->block_warps;
    }
    return (struct local_layout){ .base = (uint64_t)l->c.lsu.local_base << 16,
                                  .threads = sms * warps * WARP_LANES,
                                  .first = first * WARP_LANES };
}

unsigned lsu_make_transactions(struct lsu *l, struct uop *u, bool bypass, bool join,
                               struct transaction *tx)
{
    const struct inst *i = u->dyn.inst;
    struct lane_access a = { .addr = &u->dyn.addr,
                             .mask = u->dyn.mask,
                             .bytes = i->bytes,
                             .lines = l->c.lsu.coalesce == 1,
                             .join = join,
                             .atomic = i->class == CLASS_atomic,
                             .split = l->c.lsu.atomics == 0 };
    unsigned n;

    if (u->dyn.space == SPACE_LOCAL) {
        struct local_layout layout = local_layout_of(l, u->warp);

        n = coalesce_local(&layout, &a, tx);
    } else {
        n = coalesce_lanes(&a, tx);
    }
    u->pending = n;
    if (join) {
        u->pending = 0;
        for (unsigned k = 0; k < n; k++)
            u->pending += n_sectors(tx[k].sectors);
    }
    l->stats.transactions += u->pending;
    l->stats.bypassed += bypass ? u->pending : 0;
    if (l->hot)
        hot_add(l->hot, u->hot, HOT_sectors, u->pending);
    return n;
}

/* Different addresses that the lanes of an instruction read, or different lines of them. */
static unsigned find_constants(const struct uop *u, uint32_t unit,
                               struct transaction *tx)
{
    const struct addresses *at = &u->dyn.addr;
    uint32_t bits = u->dyn.mask;
    unsigned n = 0;

    if (!at->stride && !at->half) /* usually one for all lanes */
        bits &= -bits;
    for (; bits; bits &= bits - 1) {
        uint64_t line = addresses_at(at, (unsigned)__builtin_ctz(bits)) / unit;
        unsigned i = 0;

        while (i < n && tx[i].line != line)
            i++;
        if (i == n)
            tx[n++].line = line;
    }
    return n;
}

unsigned lsu_make_constants(const struct lsu *l, struct uop *u, struct transaction *tx,
                            unsigned *later)
{
    const struct const_params *p = &l->c.constant;
    unsigned n_addresses = p->address_cycles ? find_constants(u, 1, tx) : 0;
    unsigned n = find_constants(u, p->line, tx);

    *later = n_addresses ? (n_addresses - 1) * p->address_cycles : 0;
    *later -= *later < n ? *later : n - 1;
    u->pending = n;
    return n;
}

/* Pages that the first level misses are looked up one after the other. */
static uint64_t lsu_translate_pages(struct lsu *l, const struct transaction *tx,
                                    unsigned n)
{
    const struct tlb_params *p = l->tlb_params;
    uint64_t page = UINT64_MAX, serial = 0, longest = 0;

    if (!p->enabled)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t delay;

        /* Transactions are sorted, so those of a page are together. */
        if (tx[i].line >> p->page_bits == page)
            continue;
        page = tx[i].line >> p->page_bits;
        l->stats.tlb_lookups++;
        if (tlb_look_up(&l->tlb, tx[i].line))
            continue;
        l->stats.tlb_misses++;
        delay = serial + memory_translate(l->memory, tx[i].line);
        serial += p->serial_cycles;
        longest = later(longest, delay);
    }
    return p->hit_cycles + longest;
}

uint64_t lsu_enter_at(struct lsu *l, const struct uop *u, const struct transaction *tx,
                      unsigned n, uint64_t cycle)
{
    const struct inst *i = u->dyn.inst;

    cycle += lsu_translate_pages(l, tx, n);
    if (n != 1 || !inst_writes_memory(i))
        return cycle;
    cycle = later(cycle, l->lone_free);
    l->lone_free = cycle + 1 + l->c.l1.lone_store;
    return cycle;
}

/* Does each lane of an atomic access its word by itself, even if others want the same? */
static bool takes_turns(const struct shared_params *p, const struct inst *i)
{
    return i->class == CLASS_atomic && !p->atomics && !(i->flags & INST_COUNTS);
}

unsigned lsu_count_shared(struct lsu *l, const struct uop *u)
{
    const struct shared_params *p = &l->c.shared;
    struct shared_access a = { .addr = &u->dyn.addr,
                               .mask = u->dyn.mask,
                               .bytes = u->dyn.inst->bytes,
                               .banks = p->banks,
                               .phases = p->wide == SHARED_WIDE_PHASES,
                               .halves = p->wide == SHARED_WIDE_HALVES,
                               .atomic = takes_turns(p, u->dyn.inst) };
    unsigned n = shared_cycles(&a);

    l->stats.shared_cycles += n;
    l->stats.shared_conflicts += n - 1;
    if (l->hot) {
        hot_add(l->hot, u->hot, HOT_shared_cycles, n);
        hot_add(l->hot, u->hot, HOT_shared_conflicts, n - 1);
    }
    return n;
}

/* An atomic with a register besides its address. */
static bool brings_data(const struct inst *i)
{
    return i->class == CLASS_atomic && i->n_src > 1;
}

uint64_t lsu_shared_latency(const struct lsu *l, const struct uop *u, unsigned n)
{
    const struct shared_params *p = &l->c.shared;

    return p->latency + (n - 1) * p->conflict_latency +
           (brings_data(u->dyn.inst) ? p->atomic_latency : 0);
}

/* Capacity = the longest latency in cycles. */
uint32_t lsu_shared_limit(const struct lsu *l)
{
    const struct shared_params *p = &l->c.shared;
    uint32_t n =
        p->latency + p->atomic_latency + (WARP_LANES - 1) * p->conflict_latency;

    return n < LSU_PIPE_SLOTS ? n : LSU_PIPE_SLOTS;
}

void lsu_look_up_constant(struct lsu *l, const struct uop *u, uint64_t line,
                          struct constant_lookup *o)
{
    const struct const_params *p = &l->c.constant;
    uint64_t addr = CONST_WINDOW + line * p->line;
    unsigned first = (unsigned)(addr & (LINE_BYTES - 1)) / SECTOR_BYTES;
    unsigned sectors = (1u << p->line / SECTOR_BYTES) - 1;
    struct cache_access a = { .line = addr,
                              .set = cache_set(l->constant, addr),
                              .waiter = u->id,
                              .room = LSU_MISSES,
                              .sectors = (uint8_t)sectors };
    struct cache_outcome got = cache_access(l->constant, &a);

    *o = (struct constant_lookup){ .has_failed = got.result == CACHE_FAIL };
    if (o->has_failed)
        return;
    l->stats.const_reads++;
    l->stats.const_misses += got.result != CACHE_HIT;
    if (got.result == CACHE_HIT) {
        o->latency = p->latency - 1;
    } else if (got.fetch && p->l2_latency) {
        cache_fill(l->constant, got.mshr);
        cache_ready(l->constant);
        o->latency = p->l2_latency;
    } else {
        o->waits = true;
        o->is_sent = got.fetch;
    }
    o->request = (struct mem_request){ .addr = addr & ~(uint64_t)(LINE_BYTES - 1),
                                       .cycle = (uint32_t)l->cycle,
                                       .row = u->hot,
                                       .id = FOR_CONST | got.mshr,
                                       .sm = l->sm,
                                       .kind = MEM_CONST,
                                       .sectors = (uint8_t)(sectors << first),
                                       .lanes = 1 };
}

void l1_count_hot(struct lsu *l, const struct l1_access *a, bool hits, unsigned n)
{
    uint32_t row = l->pool[a->uop].hot;

    hot_add(l->hot, row, a->write ? HOT_l1_writes : HOT_l1_reads, n);
    if (hits)
        hot_add(l->hot, row, a->write ? HOT_l1_write_hits : HOT_l1_read_hits, n);
}

void l1_count_lookup(struct lsu *l, const struct l1_access *a, uint8_t result,
                     unsigned n)
{
    struct lsu_stats *s = &l->stats;

    if (l->hot)
        l1_count_hot(l, a, result == CACHE_HIT, n);
    if (a->write) {
        s->l1_writes += n;
        s->l1_write_hits += result == CACHE_HIT ? n : 0;
        return;
    }
    s->l1_reads += n;
    s->l1_read_hits += result == CACHE_HIT ? n : 0;
    s->l1_read_misses += result == CACHE_MISS ? n : 0;
    s->l1_read_pending += result == CACHE_PENDING ? n : 0;
}

uint64_t *l1_fail_counter(struct lsu *l, uint8_t why)
{
    uint64_t *const row[N_CACHE_FAIL] = { &l->stats.l1_fail_line,
                                          &l->stats.l1_fail_queue,
                                          &l->stats.l1_fail_mshr,
                                          &l->stats.l1_fail_merge };

    INVARIANT(why < N_CACHE_FAIL);
    return row[why];
}
