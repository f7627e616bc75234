/* collect.c - operand collection through collector units and banks, as in Accel-Sim.
 *
 * An issued instruction sits in the latch of its pipe until one of the sub-core's
 * collectors is free; then each of its operands joins the queue of its bank, which
 * serves one read a step. A unit's result takes the first step of its bank in the cycle
 * it is written. With all operands there the instruction leaves for the latch before its
 * unit. A cycle has `regfile.steps` steps of: leave, read, enter.
 *
 * All of it is worked out when the instruction issues: queues are in order, so the step
 * of each of these follows from what was issued before, and nothing needs to be looked at
 * again until the result is written. Only the LSU may refuse. What waits for it holds its
 * collector for a time nobody knows; if all collectors are held so, later instructions
 * stay in their latches until it takes one.
 *
 * Three rules keep a warp in order, which Accel-Sim takes for granted: instructions enter
 * collectors in the order of issue; none leaves while an instruction of its warp that was
 * issued before still waits for operands; memory operations leave in the order of issue.
 * So a result is never written before an earlier instruction has read what it overwrites,
 * and sources can be checked at issue.
 *
 * LIMIT: a load's result, whose cycle is not known beforehand, takes no step of its bank.
 */
#include "core/stages.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A read of a bank behind step `entry`: the step in which it is served. */
static inline uint64_t read_bank(struct subcore *c, unsigned bank, unsigned shift,
                                 uint64_t entry)
{
    uint64_t at = later(entry + 1, c->read_free[bank]);

    if (!(at & ((1u << shift) - 1)) && c->writes[bank] >> (at >> shift & 63) & 1)
        at++;
    c->read_free[bank] = at + 1;
    return at;
}

uint64_t collect_read(struct sm *s, struct subcore *c, const struct uop *u,
                      unsigned reg, uint64_t entry)
{
    uint64_t at = read_bank(c, banks_of(s, u)[reg], s->step_shift, entry);

    s->stats.bank_reads++;
    s->stats.bank_waits += at - entry - 1;
    return at;
}

/* Queues the reads behind step `entry`; the step of the last one. The same register named
 * twice is read once. */
static uint64_t read_operands(struct sm *s, struct subcore *c, const struct uop *u,
                              uint64_t entry)
{
    const struct inst *i = u->dyn.inst;
    const uint8_t *banks = banks_of(s, u);
    bool wide = s->config.regfile.wide_reads;
    unsigned shift = s->step_shift, n_reads = 0;
    uint64_t last = entry, waits = 0;

    for (unsigned n = 0; n < i->n_src; n++) {
        const struct inst_operand *o = &i->src[n];
        unsigned reads = o->again ? 0 : wide ? o->n : 1;

        n_reads += reads;
        for (unsigned r = 0; r < reads; r++) {
            uint64_t at = read_bank(c, banks[o->reg + r], shift, entry);

            last = later(last, at);
            waits += at - entry - 1;
        }
    }
    s->stats.bank_reads += n_reads;
    s->stats.bank_waits += waits;
    return last;
}

/* The unit's part: when it starts, and when the result is written. */
void collect_unit(struct sm *s, struct subcore *c, struct uop *u, uint64_t leave)
{
    const struct unit_timing *t = &s->timing[u->dyn.inst->class];
    unsigned p = u->pipe;
    uint64_t start = later((leave >> s->step_shift) + 1, c->unit_free[p]), done;

    for (;; start++) {
        done = start + t->latency + UNIT_LATCHES;
        if (s->results[done % WHEEL] < s->config.core.result_buses &&
            !chaos(s, (unsigned)(c - s->sub) + (unsigned)start * 4))
            break;
    }
    s->results[done % WHEEL]++;
    c->exec_free[p] = start;
    c->unit_free[p] = start + t->interval;
    u->taken = start;
    u->done = done;
    for (unsigned n = 0; n < u->dyn.inst->n_dst && done - s->cycle < 64; n++)
        c->writes[banks_of(s, u)[u->dyn.inst->dst[n].reg]] |= bit64(done % 64);
}

/* A memory operation goes into the latch before the LSU. */
void collect_lsu(struct sm *s, struct subcore *c, uop_id id, uint64_t leave)
{
    c->mem_exec = id;
    c->mem_at = (leave >> s->step_shift) + 1;
    s->memory_out |= 1u << (c - s->sub);
}

/* The same from a collector, not before this step. */
static void reserve_lsu(struct sm *s, struct subcore *c, uop_id id, unsigned collector,
                        uint64_t leave)
{
    leave = later(leave, c->exec_free[PIPE_mem] << s->step_shift);
    c->collector_free[collector] = leave;
    collect_lsu(s, c, id, leave);
}

static void wait_for_lsu(struct sm *s, struct subcore *c, uop_id id, unsigned collector,
                         uint64_t ready)
{
    unsigned n = s->config.regfile.collectors;
    unsigned at = c->mem_first + c->n_mem_wait++;

    c->mem_wait[at < n ? at : at - n] =
        (struct mem_waiter){ id, (uint8_t)collector, ready };
    c->collector_free[collector] = UINT64_MAX;
}

/* From its latch into a collector and on, all the way that is known. */
static int enter(struct sm *s, struct subcore *c, struct uop *u, unsigned collector,
                 struct err *err)
{
    struct warp *w = &s->warp[u->warp];
    unsigned shift = s->step_shift;
    uint64_t entry = later((u->issued + 1) << shift, c->last_entry), read, leave;

    entry = later(entry, c->collector_free[collector]);
    c->last_entry = entry;
    c->latch_free[u->pipe] = entry >> shift;
    read = read_operands(s, c, u, entry);
    leave = later(read, w->read_step) + 1;
    w->read_step = later(w->read_step, read);
    u->entered = entry >> shift;
    u->read = read >> shift;
    if (u->pipe != PIPE_mem) {
        leave = later(leave, c->exec_free[u->pipe] << shift);
        c->collector_free[collector] = leave;
        collect_unit(s, c, u, leave);
    } else if (c->mem_exec == NO_UOP) {
        reserve_lsu(s, c, u->id, collector, leave);
    } else {
        wait_for_lsu(s, c, u->id, collector, leave);
    }
    return uop_phase(s, u, err);
}

/* The collector that is free first. */
static unsigned first_free(const struct sm *s, const struct subcore *c)
{
    unsigned first = 0;

    for (unsigned k = 1; k < s->config.regfile.collectors; k++)
        if (c->collector_free[k] < c->collector_free[first])
            first = k;
    return first;
}

int collect_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err)
{
    unsigned k = first_free(s, c);

    if (check_issued(s, u, err))
        return -1;
    if (!c->n_entry && c->collector_free[k] != UINT64_MAX)
        return enter(s, c, u, k, err);
    c->entry[c->n_entry++] = u->id;
    c->latched |= 1u << u->pipe;
    return 0;
}

int collect_taken(struct sm *s, struct subcore *c, struct err *err)
{
    unsigned n = 0;

    c->exec_free[PIPE_mem] = s->cycle;
    c->mem_exec = NO_UOP;
    s->touched |= 1u << (c - s->sub); /* latches may be free now */
    s->memory_out &= ~(1u << (c - s->sub));
    if (!c->n_mem_wait)
        return 0;
    reserve_lsu(s, c, c->mem_wait[c->mem_first].uop,
                c->mem_wait[c->mem_first].collector,
                later(c->mem_wait[c->mem_first].ready, s->cycle << s->step_shift));
    c->mem_first =
        c->mem_first + 1 < s->config.regfile.collectors ? c->mem_first + 1 : 0;
    c->n_mem_wait--;
    for (; n < c->n_entry; n++) {
        struct uop *u = &s->pool[c->entry[n]];
        unsigned k = first_free(s, c);

        if (c->collector_free[k] == UINT64_MAX)
            break;
        c->latched &= ~(1u << u->pipe);
        if (enter(s, c, u, k, err))
            return -1;
    }
    c->n_entry -= n;
    for (unsigned k = 0; k < c->n_entry; k++)
        c->entry[k] = c->entry[k + n];
    return 0;
}
