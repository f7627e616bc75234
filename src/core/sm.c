/* sm.c - the SM as a whole: construction, kernels, statistics, reports. */
#include "core/sm.h"

#include <stdlib.h>
#include <string.h>

#include "base/cycles.h"
#include "base/sparse.h"
#include "core/icache.h"
#include "core/lsu/params.h"
#include "core/needs.h"
#include "core/stages.h"
#include "mem/memory_stats.h"
#include "stats/latency.h"

enum { POOL_PER_WARP = 24 + AHEAD, POOL_BASE = 256 + 1 /* one unused */ };

#define STAT_OF struct sm_stats
const struct stat_group sm_stat_group = STAT_GROUP("sm", "all SMs together", SM_STATS);
#undef STAT_OF

static int new_scheme(struct sm *s, struct err *err)
{
    const struct scheme_ops *from = s->config.scheme;
    struct scheme *sch = scheme_new(from, s->shape.n_warps);

    s->scheme = sch;
    if (!sch)
        return err_memory(err, "scheme %s", from->name);
    sch->ops = from;
    sch->params = s->config.scheme_params;
    sch->shape = &s->shape;
    sch->pool = s->pool;
    sch->pending = s->check.pending;
    sch->next_wake = NEVER;
    if (from->stats && !(sch->stats = calloc(1, from->stats->size)))
        return err_memory(err, "scheme %s", from->name);
    sch->renames = sch->wants_reads = from->dispatch != NULL;
    if (has_stations(s) && !(sch->capture = calloc(s->n_pool, sizeof *sch->capture)))
        return err_memory(err, "scheme %s", from->name);
    if (from->init && from->init(sch, err))
        return -1;
    INVARIANT(!sch->renames || from->may_rename || from->dispatch);
    INVARIANT(!sch->is_exposed || from->may_be_exposed);
    return 0;
}

static void skip_no_warp(struct skip *s, unsigned warp)
{
    (void)s;
    (void)warp;
}

static void skip_no_uop(struct skip *s, struct uop *u)
{
    (void)s;
    (void)u;
}

static int skip_no_kernel(struct skip *s, struct err *err)
{
    (void)s;
    (void)err;
    return 0;
}

/* Checks that the scheme and the eliminator can be combined. */
static int check_pair(const struct sm *s, const struct skip_ops *k, struct err *err)
{
    const char *scheme = s->scheme->ops->name;

    if (is_exposed(s) && k->renames)
        return err_kind(
            err, ERR_UNSUPPORTED,
            "%s+%s: %s drops instructions whose control words others rely on; set "
            "%s.interlock=on",
            scheme, k->name, k->name, scheme);
    if (has_stations(s) && k->reuses && !s->scheme->ops->takes_known)
        return err_kind(err, ERR_UNSUPPORTED,
                        "%s+%s: an instruction whose result is known cannot pass %s's "
                        "reservation stations; use another scheme",
                        scheme, k->name, scheme);
    return 0;
}

static int new_skip(struct sm *s, struct err *err)
{
    const struct skip_ops *from = s->config.skip;
    struct skip_ops *ops;

    if (!from)
        return 0;
    if (check_pair(s, from, err))
        return -1;
    s->skip = scheme_new_state(from->state_size);
    ops = malloc(sizeof *ops);
    if (!s->skip || !ops) {
        free(ops);
        return err_memory(err, "%s", from->name);
    }
    *ops = *from;
    if (!ops->warp_start)
        ops->warp_start = skip_no_warp;
    if (!ops->warp_end)
        ops->warp_end = skip_no_warp;
    if (!ops->written_back)
        ops->written_back = skip_no_uop;
    if (!ops->kernel_start)
        ops->kernel_start = skip_no_kernel;
    s->skip->ops = ops;
    s->skip->params = s->config.skip_params;
    s->skip->shape = &s->shape;
    s->skip->n_uops = s->n_pool;
    s->skip->next_wake = NEVER;
    s->skip->is_strict = has_stations(s);
    if (from->stats && !(s->skip->stats = calloc(1, from->stats->size)))
        return err_memory(err, "%s", from->name);
    if (from->init && from->init(s->skip, err))
        return -1;
    return check_skip_new(s, err);
}

static void free_skip(struct skip *k)
{
    if (!k)
        return;
    if (k->ops && k->ops->fini)
        k->ops->fini(k);
    free((void *)(uintptr_t)k->ops);
    free(k->stats);
    free(k->ledger);
    free(k);
}

/* With renaming: which versions are in flight. */
static int new_versions(struct sm *s, struct err *err)
{
    size_t words = (size_t)s->shape.n_warps * VERSION_WORDS;

    if (has_names(s) && !(s->check.versions = calloc(words, sizeof *s->check.versions)))
        return err_memory(err, "the versions of SM %u", s->index);
    return 0;
}

static int new_pool(struct sm *s, struct err *err)
{
    const struct core_params *p = &s->config.core;
    const struct scheme_ops *scheme = s->config.scheme;
    unsigned window = scheme->window ? scheme->window(s->config.scheme_params) : 0;

    s->n_pool = POOL_BASE + (POOL_PER_WARP + window) * p->warps;
    if (s->n_pool >= NO_UOP)
        return err_set(err,
                       "scheme %s: a window of %u instructions per warp is too large",
                       scheme->name, window);
    s->pool = sparse_new(s->n_pool * sizeof *s->pool);
    s->uops.lists = sparse_new(s->n_pool * sizeof *s->uops.lists);
    s->uops.free = calloc(s->n_pool, sizeof *s->uops.free);
    s->warp = aligned_alloc(WARP_ALIGN, p->warps * sizeof *s->warp);
    s->check.pending =
        aligned_alloc(PENDING_ALIGN, p->warps * sizeof *s->check.pending);
    if (!s->pool || !s->uops.lists || !s->uops.free || !s->warp || !s->check.pending)
        return err_memory(err, "SM %u", s->index);
    memset(s->warp, 0, p->warps * sizeof *s->warp);
    memset(s->check.pending, 0, p->warps * sizeof *s->check.pending);
    if (narrow_is_needed(p) &&
        !(s->fetch.narrow = narrow_new(&s->config.core, s->n_pool, err)))
        return -1;
    for (unsigned k = s->n_pool - 1; k != NO_EVENT; k--)
        s->uops.free[s->uops.n_free++] = (uop_id)k;
    s->uops.n_fresh = s->uops.n_free;
    return 0;
}

/* Every cycle that is computed in advance must lie within the wheel. */
static int check_times(const struct sm *s, struct err *err)
{
    unsigned interval = 0, latency = 0;

    for (unsigned k = 0; k < N_INST_CLASS; k++) {
        interval = s->timing[k].interval > interval ? s->timing[k].interval : interval;
        latency = s->timing[k].latency > latency ? s->timing[k].latency : latency;
    }
    if ((s->config.regfile.collectors + 2) * interval + latency + 64 < WHEEL)
        return 0;
    return err_set(
        err,
        "regfile.collectors = %u with a unit interval of %u and a latency of "
        "%u: (collectors + 2) x interval + latency, expected below %u",
        s->config.regfile.collectors, interval, latency, WHEEL - 64);
}

/* Sets the bank of each register. */
static void set_banks(struct sm_collect *to, const struct regfile_params *p)
{
    to->skew = p->warp_skew ? UINT32_MAX : 0;
    for (unsigned k = 0; k < sizeof to->bank_of; k++)
        to->bank_of[k] = (uint8_t)(k % p->banks);
}

static int new_collectors(struct sm *s, struct err *err)
{
    unsigned n = s->config.regfile.collectors, steps = s->config.regfile.steps;

    if (steps & (steps - 1))
        return err_set(err, "regfile.steps = %u, expected 1, 2 or 4", steps);
    s->collect.step_shift = (unsigned)__builtin_ctz(steps);
    set_banks(&s->collect, &s->config.regfile);
    s->collect.free = calloc((size_t)n * MAX_SUBCORES, sizeof *s->collect.free);
    s->collect.wait = calloc((size_t)n * MAX_SUBCORES, sizeof *s->collect.wait);
    if (!s->collect.free || !s->collect.wait)
        return err_memory(err, "SM %u", s->index);
    for (unsigned k = 0; k < MAX_SUBCORES; k++) {
        s->sub[k].collect.free = &s->collect.free[k * n];
        s->sub[k].memory.wait = &s->collect.wait[k * n];
        s->sub[k].memory.uop = NO_UOP;
        for (unsigned i = 0; i < n; i++)
            s->sub[k].memory.wait[i].uop = NO_UOP;
    }
    return check_times(s, err);
}

static void reset_warps(struct sm *s)
{
    for (unsigned k = 0; k < s->shape.n_warps; k++) {
        s->warp[k].filed = (struct filed){ .uop = NO_UOP, .key = STALL_idle };
    }
    for (unsigned k = 0; k < MAX_SUBCORES; k++) {
        s->sub[k].index = k;
        s->sub[k].self = 1u << k;
        s->sub[k].issue.slot = s->stats.slot[k];
        s->sub[k].issue.last = NOBODY;
        s->sub[k].issue.cause = STALL_idle;
        for (unsigned n = 0; n < 3; n++)
            s->sub[k].port.reuse[n] = 0xffff;
    }
}

struct sm *sm_new(const struct sm_config *c, unsigned index, struct memory *memory,
                  struct err *err)
{
    struct sm *s = aligned_alloc(SUBCORE_ALIGN, sizeof *s);

    if (!s) {
        err_memory(err, "SM %u", index);
        return NULL;
    }
    memset(s, 0, sizeof *s);
    s->config = *c;
    s->index = index;
    s->memory = memory;
    s->link = memory_link(memory, index);
    s->shape = (struct core_shape){ .n_warps = c->core.warps,
                                    .n_subcores = c->core.subcores,
                                    .has_ports = c->regfile.model == REGFILE_PORTS,
                                    .has_late_half = c->regfile.late_half != 0 };
    class_timing(&c->classes, s->timing);
    ports_init(s);
    wake_init(&s->wake);
    s->fetch.latch = NO_LATCH;
    s->fetch.has_icache = !c->fetch.perfect || c->fetch.l0_bytes;
    s->fetch.code_ahead = fetch_code_ahead(s);
    if (new_pool(s, err) || async_init(s, err) || gpc_init(s, err) ||
        new_collectors(s, err) || new_scheme(s, err) || new_skip(s, err) ||
        new_versions(s, err) ||
        !(s->lsu = (c->core.eager ? lsu_new_plain : lsu_new)(c->lsu, index, s->pool,
                                                             memory, err)) ||
        !(s->fetch.icache =
              icache_new(&s->config.fetch, index, c->core.warps, memory, err))) {
        sm_free(s);
        return NULL;
    }
    sm_set_trace(s, NULL);
    if (s->scheme->wants_checks)
        lsu_tell_checked(s->lsu);
    reset_warps(s);
    return s;
}

void sm_free(struct sm *s)
{
    if (!s)
        return;
    sm_kernel_end(s);
    if (s->scheme) {
        if (s->scheme->ops && s->scheme->ops->fini)
            s->scheme->ops->fini(s->scheme);
        free(s->scheme->stats);
        free(s->scheme->capture);
    }
    free(s->scheme);
    free_skip(s->skip);
    if (s->lsu)
        lsu_free(s->lsu);
    icache_free(s->fetch.icache);
    sparse_free(s->pool, s->n_pool * sizeof *s->pool);
    sparse_free(s->uops.lists, s->n_pool * sizeof *s->uops.lists);
    narrow_free(s->fetch.narrow);
    if (s->hot)
        hot_known_free(&s->hot->known);
    free(s->hot);
    async_free(s);
    gpc_free(s);
    free(s->check.pending);
    free(s->check.versions);
    free(s->collect.free);
    free(s->collect.wait);
    free(s->uops.free);
    free(s->warp);
    free(s);
}

static uint32_t round_up(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* limit, reduced to what `have` can hold at `need` each */
static uint32_t limit_to_fit(uint32_t limit, uint64_t have, uint64_t need)
{
    return need > 0 && have / need < limit ? (uint32_t)(have / need) : limit;
}

/* Asks the kernel for values, which claims are checked with. Without them, an
 * eliminator that does not use values can go on, unchecked. */
static int ask_for_values(struct sm *s, struct kernel *k, struct err *err)
{
    const struct skip_ops *ops = s->skip->ops;
    struct err why = { 0 };

    s->check.unchecked = ops->unchecked;
    s->check.has_values = ops->wants_values || !ops->unchecked;
    if (!s->check.has_values)
        return 0;
    if (!k->ops->mark)
        err_kind(&why, ERR_UNSUPPORTED,
                 "kernel %s: %s needs code and values, which this kind of program does "
                 "not provide; use a workload or a recording of one",
                 k->name, ops->name);
    if (k->ops->mark && !k->ops->mark(k, &why))
        return 0;
    if (ops->wants_values || why.code != ERR_UNSUPPORTED)
        return err_kind(err, why.code, "%s", why.text);
    s->check.has_values = false;
    s->check.unchecked = "the program shows no values";
    return 0;
}

/* Blocks of a launch that an SM holds at most: an equal share, if all are started at once. */
static uint32_t most_blocks(const struct sm *s, const struct kernel *k)
{
    uint64_t share = (k->n_blocks + s->config.n_sms - 1) / s->config.n_sms;

    if (!share)
        return 1;
    return share < s->blocks.max ? (uint32_t)share : s->blocks.max;
}

/* registers: per block. An eliminator may count on those that no block of the launch needs,
 * so the SM takes no more blocks than its share. */
static int start_skip(struct sm *s, struct kernel *k, uint64_t registers,
                      struct err *err)
{
    if (!s->skip)
        return 0;
    if (ask_for_values(s, k, err))
        return -1;
    if (s->check.unchecked)
        s->check.was_unchecked = s->check.unchecked;
    s->skip->kernel = k;
    s->blocks.max = most_blocks(s, k);
    s->skip->spare =
        (unsigned)(s->config.core.registers / s->blocks.max - registers) / WARP_LANES;
    return s->skip->ops->kernel_start(s->skip, err);
}

/* An SM calls every hook; what a kernel's instructions carry differs. */
static int check_kernel(const struct sm *s, const struct kernel *k, struct err *err)
{
    const struct scheme_host host = {
        .kind = "kernel",
        .name = k->name,
        .serves = ALL_SCHEME_NEEDS &
                  ~((uint32_t)k->lacks_control_words << NEED_CONTROL_WORDS),
        .instead = "use --scheme inorder, or a program with its machine code: a "
                   "workload, or a recording of one",
    };

    return scheme_fits(s->scheme, &host, err);
}

/* A block's registers and bytes of shared memory. */
static uint64_t block_registers(const struct core_params *p, const struct kernel *k)
{
    return (uint64_t)round_up(k->registers, p->register_unit) * kernel_warps(k) *
           WARP_LANES;
}

static uint32_t block_shared(const struct core_params *p, const struct kernel *k)
{
    return round_up(k->shared + p->shared_reserved, p->shared_unit);
}

unsigned sm_blocks_that_fit(const struct core_params *p, uint32_t shared,
                            const struct kernel *k)
{
    uint32_t warps = kernel_warps(k), limit = p->blocks;
    uint64_t registers = block_registers(p, k);

    limit = limit_to_fit(limit, p->warps, warps);
    limit = limit_to_fit(limit, p->threads, warps * WARP_LANES);
    limit = limit_to_fit(limit, p->registers, registers);
    return limit_to_fit(limit, shared, block_shared(p, k));
}

unsigned sm_kernel_start(struct sm *s, struct kernel *k, uint32_t number,
                         uint64_t cycle, struct err *err)
{
    const struct core_params *p = &s->config.core;
    uint32_t shared = s->config.lsu->shared.kb * 1024;
    uint32_t limit = sm_blocks_that_fit(p, shared, k);

    if (!limit) {
        err_set(
            err,
            "kernel %s: a block of %u threads with %u registers each and %u bytes of "
            "shared memory does not fit into an SM (%u warps, %u threads, %u "
            "registers, %u bytes)",
            k->name, k->threads, k->registers, k->shared, p->warps, p->threads,
            p->registers, shared);
        return 0;
    }
    if (check_kernel(s, k, err))
        return 0;
    s->launch.kernel = k;
    s->blocks.is_cut = false;
    wake_rest(&s->wake);
    s->wake.next = cycle;
    s->launch.number = number;
    s->launch.key = latency_key(k->name);
    s->blocks.max = limit;
    if (s->fetch.narrow)
        narrow_forget(s->fetch.narrow);
    icache_kernel_start(s->fetch.icache);
    lsu_kernel_start(s->lsu, &(struct lsu_kernel){ .shared = block_shared(p, k) * limit,
                                                   .block_warps = kernel_warps(k),
                                                   .blocks = limit,
                                                   .n_blocks = k->n_blocks,
                                                   .has_clusters = k->cluster > 1 });
    return start_skip(s, k, block_registers(p, k), err) ? 0 : limit;
}

void sm_kernel_end(struct sm *s)
{
    for (unsigned k = 0; k < MAX_BLOCK_SLOTS && s->launch.kernel; k++) {
        if (s->blocks.at[k].is_used)
            s->launch.kernel->ops->close(s->launch.kernel, s->blocks.at[k].stream);
        s->blocks.at[k].is_used = false;
    }
    s->launch.kernel = NULL;
    if (s->async)
        async_forget(s);
    gpc_forget(s);
}

void sm_go_on(struct sm *s, uint64_t end)
{
    if (s->blocks.n || lsu_is_settled(s->lsu))
        return;
    s->link->now = end - 1;
    lsu_tick(s->lsu, end - 1);
}

bool sm_is_settled(const struct sm *s)
{
    return lsu_is_settled(s->lsu);
}

void sm_hide(struct sm *s, uint64_t cycles)
{
    issue_account(s, s->accounted);
    s->accounted += cycles;
    for (unsigned k = 0; k < s->config.core.subcores; k++)
        s->sub[k].issue.since += cycles;
}

bool sm_has_room(const struct sm *s)
{
    return s->blocks.n < s->blocks.max &&
           s->blocks.n_warps + kernel_warps(s->launch.kernel) <= s->config.core.warps;
}

unsigned sm_blocks(const struct sm *s)
{
    return s->blocks.n;
}

uint64_t sm_insts(const struct sm *s)
{
    return s->stats.warp_insts;
}

void sm_account(struct sm *s, uint64_t cycle)
{
    uint64_t n = cycle - later(s->accounted, earlier(s->blocks.begins, cycle));

    if (cycle <= s->accounted)
        return;
    s->accounted = cycle;
    if (!s->blocks.n)
        return;
    s->stats.cycles += n;
    s->stats.warp_cycles += n * s->blocks.n_warps;
    s->stats.warp_slots += n * s->config.core.warps;
}

int sm_run(struct sm *s, uint64_t end, struct err *err)
{
    return s->core->run(s, end, err);
}

uint64_t sm_cycle(const struct sm *s)
{
    return s->cycle;
}

uint64_t sm_wakes(const struct sm *s)
{
    uint64_t reply = memory_reply_at(s->memory, s->index);

    return s->blocks.n ? earlier(reply, agenda_first(&s->wake.agenda)) : NEVER;
}

const struct sm_stats *sm_stats(struct sm *s)
{
    issue_account(s, s->accounted);
    s->stats.icache_hits = icache_hits(s->fetch.icache);
    s->stats.icache_misses = icache_misses(s->fetch.icache);
    return &s->stats;
}

const void *sm_scheme_stats(const struct sm *s)
{
    return s->scheme->stats;
}

const void *sm_skip_stats(const struct sm *s)
{
    return s->skip ? s->skip->stats : NULL;
}

const char *sm_unchecked(const struct sm *s)
{
    return s->check.was_unchecked;
}

struct lsu *sm_lsu(struct sm *s)
{
    return s->lsu;
}

static void choose_core(struct sm *s)
{
    const struct sm_core *fused = s->config.fused[s->shape.has_ports][s->hot != NULL];

    s->core = fused && is_common(s) ? fused : &sm_core_any;
}

void sm_set_trace(struct sm *s, struct trace *t)
{
    s->trace = t;
    s->is_plain = !t && !s->scheme->wants_reads && !has_stations(s);
    choose_core(s);
}

int sm_set_hot(struct sm *s, struct hot_index *index, struct err *err)
{
    s->hot = calloc(1, sizeof *s->hot);
    if (!s->hot)
        return err_memory(err, "counters per instruction");
    s->hot->index = index;
    hot_known_init(&s->hot->known);
    choose_core(s);
    return 0;
}

void sm_set_latency(struct sm *s, struct latency_table *t)
{
    s->latency = t;
}
