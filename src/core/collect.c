/* collect.c - operand collection through collector units and banks, as in Accel-Sim.
 *
 * An issued instruction sits in the latch of its pipe until one of the sub-core's
 * collectors is free; then each of its operands joins the queue of its bank, which
 * serves one read per step. A unit's result takes the first step of its bank in the
 * cycle in which it is written. With all its operands the instruction leaves for the
 * latch before its unit. A cycle has `regfile.steps` steps of: leave, read, enter.
 *
 * All of this is computed when the instruction issues: queues are in order, so the step
 * of each event follows from earlier issues, and nothing needs a second look until the
 * result is written. Only the LSU may refuse. An instruction that waits for it holds
 * its collector for an unknown time; if all collectors are held like this, later
 * instructions stay in their latches until the LSU takes one.
 *
 * regfile.pipe_order: instructions that find no free collector wait in their latches,
 * and the next one is chosen when a collector becomes free, as in Accel-Sim: pipes have
 * an order, and the instruction of a pipe that was issued first blocks those of all
 * other sub-cores. With regfile.choice=lowest collectors are not interchangeable, and when
 * an instruction leaves is decided in that step (choose.c).
 *
 * Three rules keep a warp in order, which Accel-Sim takes for granted: instructions
 * enter collectors in issue order, with regfile.pipe_order only if the later one writes
 * what the earlier one reads; none leaves while an earlier one of its warp that has
 * entered still waits for operands; memory operations leave in issue order. So a result
 * is never written before an earlier instruction has read the old value, and sources can
 * be checked at issue.
 *
 * LIMIT: a load's result, whose cycle is not known in advance, takes no step of its
 * bank.
 */
#include "base/invariant.h"
#include "core/stages.h"

/* The banks of a warp's registers in its sub-core. */
static const uint8_t *banks_of(const struct sm_collect *k, unsigned warp)
{
    return &k->bank_of[warp & k->skew];
}

/* Does a unit's result take the first step of a bank in this cycle? */
static bool is_bank_written(const struct sm_collect *k, unsigned subcore, unsigned bank,
                            uint64_t cycle)
{
    return k->writes[cycle % 64][subcore] >> bank & 1;
}

/* Queues a read of a bank after step `entry`; returns the step in which it is
 * served. */
static inline uint64_t read_bank(const struct sm *s, struct subcore *c, unsigned bank,
                                 uint64_t entry)
{
    unsigned shift = step_shift(s);
    uint64_t at = later(entry + 1, c->collect.read_free[bank]);

    INVARIANT(bank < s->config.regfile.banks);
    if (!(at & ((1u << shift) - 1)) &&
        is_bank_written(&s->collect, c->index, bank, at >> shift))
        at++;
    c->collect.read_free[bank] = at + 1;
    return at;
}

uint64_t collect_read(struct sm *s, struct subcore *c, const struct uop *u,
                      unsigned reg, uint64_t entry)
{
    uint64_t at = read_bank(s, c, banks_of(&s->collect, u->warp)[reg], entry);

    s->stats.bank_reads++;
    s->stats.bank_waits += at - entry - 1;
    if (has_hot(s))
        hot_read(s, u, 1, at - entry - 1);
    return at;
}

/* Reads every register of every operand. */
__attribute__((noinline)) static uint64_t read_wide(struct sm *s, struct subcore *c,
                                                    const struct uop *u, uint64_t entry)
{
    const struct inst *i = u->dyn.inst;
    uint64_t last = entry;

    for (unsigned n = 0; n < i->n_src; n++)
        for (unsigned r = 0; r < i->src[n].n && !i->src[n].again; r++)
            last = later(last, collect_read(s, c, u, i->src[n].reg + r, entry));
    return last;
}

/* Queues the reads after step `entry`; returns the step of the last one. A register
 * named twice is read once. */
static inline uint64_t read_operands(struct sm *s, struct subcore *c,
                                     const struct uop *u, uint64_t entry)
{
    const struct inst *i = u->dyn.inst;
    const uint8_t *banks = banks_of(&s->collect, u->warp);
    unsigned n = i->n_once;
    uint64_t last = entry, waits = 0;

    if (has_wide_reads(s))
        return read_wide(s, c, u, entry);
    for (unsigned k = 0; k < n; k++) {
        unsigned moved = has_skip(s) && s->skip->moved ? s->skip->moved[u->id][k] : 0;
        unsigned bank = moved ? s->collect.bank_of[moved - 1] : banks[i->once[k]];
        uint64_t at = read_bank(s, c, bank, entry);

        last = later(last, at);
        waits += at - entry - 1;
    }
    s->stats.bank_reads += n;
    s->stats.bank_waits += waits;
    if (has_hot(s))
        hot_read(s, u, n, waits);
    return last;
}

/* The banks that its results are written to. */
static inline uint16_t banks_written(const struct sm_collect *k, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;
    const uint8_t *banks = banks_of(k, u->warp);
    unsigned set = 0;

    for (unsigned n = 0; n < i->n_dst; n++)
        set |= 1u << banks[i->dst[n].reg];
    return (uint16_t)set;
}

/* Takes the unit: decides when it starts; returns the cycle in which the result is
 * written. */
static inline uint64_t take_unit(struct sm *s, struct subcore *c, struct uop *u,
                                 uint64_t leave)
{
    const struct inst *i = u->dyn.inst;
    const struct unit_timing *t = &s->timing[i->class];
    unsigned p = u->pipe;
    uint64_t start = later((leave >> step_shift(s)) + 1, c->units.free[p]), done;
    uint64_t latency = t->latency + UNIT_LATCHES;

    if (inst_is_on_mbarrier(i))
        latency += s->config.async.phase_latency;
    for (;; start++) {
        done = start + latency;
        if (s->events.results[done % WHEEL] < s->config.core.result_buses &&
            !chaos(s, c->index + (unsigned)start * 4))
            break;
    }
    INVARIANT(done > s->cycle && done - s->cycle < WHEEL);
    s->events.results[done % WHEEL]++;
    c->units.input_free[p] = start;
    c->units.free[p] = start + t->interval;
    if (!s->is_plain) {
        u->taken = start;
        u->done = done;
    }
    if (done - s->cycle < 64)
        s->collect.writes[done % 64][c->index] |= banks_written(&s->collect, u);
    return done;
}

uint64_t collect_take_unit(struct sm *s, struct subcore *c, struct uop *u,
                           uint64_t leave)
{
    return take_unit(s, c, u, leave);
}

void collect_unit(struct sm *s, struct subcore *c, struct uop *u, uint64_t leave)
{
    take_unit(s, c, u, leave);
}

/* A memory operation enters the latch before the LSU. */
void collect_lsu(struct sm *s, struct subcore *c, uop_id id, uint64_t issued,
                 uint64_t leave)
{
    INVARIANT(c->memory.uop == NO_UOP);
    c->memory.uop = id;
    c->memory.issued = issued;
    c->memory.at = (leave >> step_shift(s)) + 1;
    s->collect.memory_out |= c->self;
    wake_hand_over(&s->wake, c->memory.at);
}

/* The n collectors are interchangeable and kept as the steps in which they will be free,
 * in rising order. Holds one until this step: the first, ... */
static inline void hold_first(struct subcore_collect *q, unsigned n, uint64_t until)
{
    uint64_t *at = q->free;

    INVARIANT(at[0] <= until); /* it cannot be taken before it is free */
    for (; --n; at++) {
        at[0] = earlier(at[1], until);
        until = later(at[1], until);
    }
    at[0] = until;
}

/* ... or the first of those that wait for the LSU. */
static void hold_waiting(struct subcore_collect *q, unsigned first, uint64_t until)
{
    unsigned k = first;

    INVARIANT(q->free[k] == UINT64_MAX);
    for (; k && q->free[k - 1] > until; k--)
        q->free[k] = q->free[k - 1];
    q->free[k] = until;
}

/* The step in which a memory operation that is ready in this step leaves, if the latch
 * before the LSU is empty. */
static uint64_t leave_for_lsu(const struct sm *s, const struct subcore *c,
                              uint64_t ready)
{
    return later(ready, c->units.input_free[PIPE_mem] << step_shift(s));
}

static void enter_memory_latch(struct sm *s, struct subcore *c, const struct uop *u,
                               uint64_t ready)
{
    unsigned n = s->config.regfile.collectors;
    unsigned at = c->memory.first_wait + c->memory.n_wait;
    uint64_t leave = leave_for_lsu(s, c, ready);

    if (c->memory.uop == NO_UOP) {
        hold_first(&c->collect, n, leave);
        collect_lsu(s, c, u->id, u->issued, leave);
        return;
    }
    INVARIANT(c->memory.n_wait < n);
    c->memory.n_wait++;
    c->memory.wait[at < n ? at : at - n] =
        (struct mem_waiter){ u->id, u->issued, ready };
    hold_first(&c->collect, n, UINT64_MAX);
}

/* Moves an instruction from its latch into a collector and on, as far as its way is
 * known. (perf: a part of the issue; a call takes 25 of the host's instructions.) */
static inline __attribute__((always_inline)) int
enter_collector(struct sm *s, struct subcore *c, struct warp *w, struct uop *u,
                uint64_t entry, struct err *err)
{
    unsigned shift = step_shift(s);
    uint64_t read = read_operands(s, c, u, entry), leave, done = NEVER;

    c->collect.last_entry = entry;
    c->collect.latch_free[u->pipe] = entry >> shift;
    c->latches.all_free = later(c->latches.all_free, entry >> shift);
    leave = later(read, w->read_step) + 1;
    w->read_step = leave - 1;
    if (!s->is_plain) {
        u->entered = entry >> shift;
        u->read = read >> shift;
    }
    if (has_choice(s)) {
        choose_enter(s, c, u, leave);
        return 0;
    }
    if (u->pipe != PIPE_mem) {
        leave = later(leave, c->units.input_free[u->pipe] << shift);
        hold_first(&c->collect, s->config.regfile.collectors, leave);
        done = take_unit(s, c, u, leave);
    } else {
        enter_memory_latch(s, c, u, leave);
    }
    return uop_phase(s, u, done, err);
}

/* The step in which an instruction that issues in this cycle enters a collector, with
 * all before it in order. */
static uint64_t entry_step(const struct sm *s, const struct subcore *c, uint64_t issued)
{
    uint64_t entry = later((issued + 1) << step_shift(s), c->collect.last_entry);

    return later(entry, c->collect.free[0]);
}

/* Is the step in which it will enter known now? */
static bool is_entry_known(const struct sm *s, const struct subcore *c,
                           const struct uop *u)
{
    uint32_t latched = c->latches.waiting;

    if (has_choice(s))
        return false;
    if (latched || !has_pipe_order(s))
        return !latched && c->collect.free[0] != UINT64_MAX;
    for (unsigned k = 0; k < n_subcores(s) && s->collect.n_latched; k++)
        latched |= s->sub[k].latches.waiting;
    return !(latched >> u->pipe & 1) && c->collect.free[0] <= (s->cycle + 1)
                                                                  << step_shift(s);
}

/* perf: not inlined into the loop over schedulers, whose variables would be spilled. */
int collect_issue(struct sm *s, struct subcore *c, struct warp *w, struct uop *u,
                  struct err *err)
{
    if (check_issued(s, w, u, err))
        return -1;
    if (is_entry_known(s, c, u))
        return enter_collector(s, c, w, u, entry_step(s, c, s->cycle), err);
    INVARIANT(s->collect.n_latched < MAX_SUBCORES * N_PIPE &&
              !(c->latches.waiting >> u->pipe & 1));
    s->collect.latched[s->collect.n_latched++] =
        (struct latched){ u->id, (uint8_t)c->index, s->cycle };
    c->latches.waiting |= 1u << u->pipe;
    c->collect.latch_free[u->pipe] = NEVER;
    return 0;
}

/* One leaves its latch late; an offer may wait for the latch. */
static int leave_latch(struct sm *s, struct subcore *c, struct uop *u, uint64_t entry,
                       struct err *err)
{
    INVARIANT(c->latches.waiting >> u->pipe & 1);
    c->latches.waiting &= ~(1u << u->pipe);
    wake_subcore(&s->wake, c->self);
    return enter_collector(s, c, &s->warp[u->warp], u, entry, err);
}

/* Moves instructions of a sub-core that wait in latches, while collectors are free. */
static int enter_latched(struct sm *s, struct subcore *c, struct err *err)
{
    unsigned n = s->collect.n_latched;
    bool waits = false;

    s->collect.n_latched = 0;
    for (unsigned i = 0; i < n; i++) {
        struct latched l = s->collect.latched[i];

        waits |= c->collect.free[0] == UINT64_MAX;
        if (waits || l.subcore != c->index) {
            s->collect.latched[s->collect.n_latched++] = l;
            continue;
        }
        if (leave_latch(s, c, &s->pool[l.uop], entry_step(s, c, l.issued), err))
            return -1;
    }
    return 0;
}

int collect_taken(struct sm *s, struct subcore *c, struct err *err)
{
    unsigned n = s->config.regfile.collectors;
    struct mem_waiter first;
    uint64_t leave;

    INVARIANT(c->memory.uop != NO_UOP && s->collect.memory_out & c->self);
    c->units.input_free[PIPE_mem] = s->cycle;
    c->memory.uop = NO_UOP;
    s->collect.memory_out &= ~c->self;
    if (!c->memory.n_wait || has_choice(s))
        return 0;
    first = c->memory.wait[c->memory.first_wait];
    __builtin_prefetch(&s->pool[first.uop]); /* perf: it has waited, and is next */
    leave = leave_for_lsu(s, c, first.ready);
    hold_waiting(&c->collect, n - c->memory.n_wait, leave);
    collect_lsu(s, c, first.uop, first.issued, leave);
    if (++c->memory.first_wait == n)
        c->memory.first_wait = 0;
    c->memory.n_wait--;
    return c->latches.waiting && !has_pipe_order(s) ? enter_latched(s, c, err) : 0;
}

/* The order in which latches get a free collector: Accel-Sim's ports. */
static const uint8_t entry_order[N_PIPE] = { PIPE_sp,      PIPE_sfu,    PIPE_mem,
                                             PIPE_dp,      PIPE_int,    PIPE_branch,
                                             PIPE_texture, PIPE_tensor, PIPE_uniform,
                                             PIPE_fma,     PIPE_dual,   PIPE_none };

enum { NO_ENTRY = MAX_SUBCORES * N_PIPE };

/* Does this latched instruction write what an earlier one of its warp has yet to read? */
static bool must_follow(const struct sm *s, unsigned i)
{
    const struct uop *u = &s->pool[s->collect.latched[i].uop];

    for (unsigned k = 0; k < i; k++) {
        const struct uop *o = &s->pool[s->collect.latched[k].uop];

        if (o->warp == u->warp &&
            regset_meets(&o->dyn.inst->reads, &u->dyn.inst->writes))
            return true;
    }
    return false;
}

/* For each pipe the instruction that was issued first, unless it must follow another. */
static void find_first_latched(const struct sm *s, uint64_t step, uint8_t first[N_PIPE])
{
    uint32_t seen = 0;

    for (unsigned p = 0; p < N_PIPE; p++)
        first[p] = NO_ENTRY;
    for (unsigned i = 0; i < s->collect.n_latched; i++) {
        const struct uop *u = &s->pool[s->collect.latched[i].uop];

        if ((s->collect.latched[i].issued + 1) << step_shift(s) > step)
            return;
        if (!(seen >> u->pipe & 1) && !must_follow(s, i))
            first[u->pipe] = (uint8_t)i;
        seen |= 1u << u->pipe;
    }
}

/* Moves each pipe's first instruction into a collector of its sub-core. Returns how
 * many found one, or -1. */
static int enter_first_latched(struct sm *s, uint64_t step, struct err *err)
{
    uint8_t first[N_PIPE];
    unsigned n = 0, left = 0;

    find_first_latched(s, step, first);
    for (unsigned i = 0; i < N_PIPE; i++) {
        unsigned p = entry_order[i];
        struct subcore *c;
        struct uop *u;

        if (first[p] == NO_ENTRY)
            continue;
        u = &s->pool[s->collect.latched[first[p]].uop];
        c = subcore_of(s, u->warp);
        if (c->collect.free[0] > step)
            continue;
        s->collect.latched[first[p]].uop = NO_UOP;
        if (leave_latch(s, c, u, step, err))
            return -1;
        n++;
    }
    for (unsigned i = 0; i < s->collect.n_latched; i++)
        if (s->collect.latched[i].uop != NO_UOP)
            s->collect.latched[left++] = s->collect.latched[i];
    s->collect.n_latched = left;
    return (int)n;
}

int collect_tick(struct sm *s, struct err *err)
{
    uint64_t step = s->cycle << step_shift(s), end = (s->cycle + 1) << step_shift(s);
    int n;

    for (; step < end; step++) {
        if (has_choice(s) && choose_leave(s, step, err))
            return -1;
        while ((n = enter_first_latched(s, step, err)) != 0)
            if (n < 0)
                return -1;
    }
    return 0;
}

uint64_t collect_next(const struct sm *s, const struct subcore *c)
{
    uint64_t step = c->collect.free[0];

    return step == UINT64_MAX ? NEVER : later(step >> step_shift(s), s->cycle + 1);
}
