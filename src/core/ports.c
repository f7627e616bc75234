/* ports.c - operands read at issue through the ports of a banked register file.
 *
 * As measured on an H200 (docs/validation.md): two banks per sub-core, for even and odd
 * registers; each serves one read per cycle; reads of neighbouring instructions queue
 * and overlap, so the busier bank sets the pace. A register named twice is one read, a
 * zero register none. The control word's reuse flags keep an operand for the next
 * instruction of the same warp in the same slot. Results are forwarded: a result can be
 * read when its latency, counted from issue to issue, has passed.
 *
 * A wide integer product takes its addend and gives its result in two halves, the upper
 * one `regfile.late_half` cycles after the lower. A predicate that a scoreboard announces is
 * announced when branches can read it.
 *
 * Units are taken at issue too. The FMA unit has two halves of 16 lanes
 * (ports_take_halves()); one more instruction can wait before the special function unit.
 *
 * NOTE: the reads themselves take no time of their own here; they only hold back issue
 * when a bank is more than `regfile.backlog` cycles behind.
 */
#include <string.h>

#include "base/invariant.h"
#include "core/stages.h"

enum { NO_REUSE = 0xffff };

static uint16_t reuse_key(const struct uop *u, unsigned reg)
{
    return (uint16_t)((unsigned)u->warp << 8 | reg);
}

/* Counts the reads of each bank that the instruction needs. */
static unsigned count_reads(const struct sm *s, const struct subcore *c,
                            const struct uop *u, unsigned reads[MAX_BANKS])
{
    const struct inst *i = u->dyn.inst;
    unsigned banks = s->config.regfile.banks, saved = 0;

    memset(reads, 0, MAX_BANKS * sizeof *reads); /* perf: of a known size */
    /* a product of a warpgroup reads registers as it goes on */
    for (unsigned n = 0; n < i->n_src && !i->product; n++) {
        const struct inst_operand *o = &i->src[n];
        bool again = false;

        for (unsigned j = 0; j < n; j++)
            again |= i->src[j].reg == o->reg;
        if (again)
            continue;
        if (s->config.regfile.reuse && o->slot < 3 &&
            c->port.reuse[o->slot] == reuse_key(u, o->reg)) {
            saved++;
            continue;
        }
        for (unsigned r = 0; r < o->n; r++)
            reads[(o->reg + r) % banks]++;
    }
    return saved;
}

static bool is_vector(unsigned pipe)
{
    return pipe == PIPE_sp || pipe == PIPE_fma || pipe == PIPE_dual ||
           pipe == PIPE_int || pipe == PIPE_dp;
}

/* The class that tells when an instruction reads its registers: operations on barriers in
 * shared memory read theirs as loads do. */
static unsigned reader_class(const struct inst *i)
{
    return inst_is_on_mbarrier(i) && i->class == CLASS_misc ? CLASS_load : i->class;
}

/* Extra latency of a result on its way to a reader of this class. */
static unsigned forward_time(const struct sm *s, unsigned writer, unsigned reader,
                             unsigned reg)
{
    const struct regfile_params *p = &s->config.regfile;
    unsigned from = s->timing[writer].pipe, to = s->timing[reader].pipe, time = 0;

    if (reg >= REGID_UR && reg < REGID_P) {
        if (from != PIPE_uniform)
            time += p->to_uniform;
        if (to != PIPE_uniform)
            time += p->from_uniform;
        return writer == CLASS_uniform_move ? 0 : time;
    }
    if (reg >= REGID_P) {
        if (reg >= REGID_UP || (reader != CLASS_branch && reader != CLASS_vote))
            return 0;
        return from == PIPE_dp ? p->dp_to_branch : p->to_branch;
    }
    if (!is_vector(from) || !is_vector(to))
        return 0;
    if (from == PIPE_dp)
        return p->from_dp;
    if (to == PIPE_dp)
        return p->to_dp;
    from = from == PIPE_sp ? PIPE_fma : from;
    to = to == PIPE_sp ? PIPE_fma : to;
    return from != to ? p->cross : 0;
}

/* The longest way of a result of this class, in this register, to any reader. */
static unsigned longest_way(const struct sm *s, unsigned writer, unsigned reg)
{
    unsigned longest = 0;

    for (unsigned reader = 0; reader < N_INST_CLASS; reader++) {
        unsigned time = forward_time(s, writer, reader, reg);

        longest = time > longest ? time : longest;
    }
    return longest;
}

void ports_init(struct sm *s)
{
    static const uint16_t example[N_WAYS] = { [WAY_VECTOR] = REGID_R,
                                              [WAY_UNIFORM] = REGID_UR,
                                              [WAY_PREDICATE] = REGID_P,
                                              [WAY_OTHER] = REGID_UP };

    for (unsigned class = 0; class < N_INST_CLASS; class ++)
        for (unsigned way = 0; way < N_WAYS; way++)
            s->longest_way[class][way] = (uint8_t)longest_way(s, class, example[way]);
}

static enum result_way way_of(unsigned reg)
{
    return reg < REGID_UR   ? WAY_VECTOR
           : reg < REGID_P  ? WAY_UNIFORM
           : reg < REGID_UP ? WAY_PREDICATE
                            : WAY_OTHER;
}

/* The same of a register that is the upper half of a wide product. */
static unsigned upper_half_time(const struct sm *s, const struct inst *i, unsigned reg)
{
    bool is_upper = i->class == CLASS_imul_wide && i->n_dst && i->dst[0].n > 1 &&
                    reg != i->dst[0].reg;

    return is_upper ? s->config.regfile.late_half : 0;
}

/* How long after its issue an instruction reads a source. */
static unsigned read_time(const struct sm *s, const struct uop *u, unsigned reg)
{
    unsigned late = s->config.regfile.late_half;

    return late && reg == inst_late_source(u->dyn.inst) ? late : 0;
}

/* Does a scoreboard tell when its results can be read? */
static bool is_announced(const struct sm *s, const struct uop *u)
{
    return s->scheme->needs_control_words &&
           u->dyn.inst->control.write_barrier < N_SCOREBOARDS;
}

void ports_wrote(struct sm *s, const struct uop *u)
{
    struct warp *w = &s->warp[u->warp];
    const struct inst *i = u->dyn.inst;
    const struct reglist *l = &i->list;
    bool announced = is_announced(s, u);
    unsigned longest = 0;

    for (unsigned k = l->n_reads; k < (unsigned)l->n_reads + l->n_writes; k++) {
        unsigned late = announced ? ANNOUNCED : upper_half_time(s, i, l->reg[k]);
        unsigned way = late + s->longest_way[i->class][way_of(l->reg[k])];

        w->wrote[l->reg[k]] =
            (struct reg_writer){ (uint32_t)s->cycle, i->class, (uint8_t)late };
        longest = way > longest ? way : longest;
    }
    if (!announced)
        w->forwarded = later(w->forwarded, s->cycle + longest);
}

/* The first of its sources that is written but not yet forwarded to it; N_REGID:
 * none. */
static unsigned find_unforwarded(const struct sm *s, const struct uop *u)
{
    const struct warp *w = &s->warp[u->warp];
    const struct reglist *l = &u->dyn.inst->list;

    if (s->cycle >= w->forwarded)
        return N_REGID;
    for (unsigned k = 0; k < l->n_reads; k++) {
        unsigned r = l->reg[k];
        const struct reg_writer *by = &w->wrote[r];

        if (by->late != ANNOUNCED &&
            (uint32_t)s->cycle + read_time(s, u, r) - by->cycle <
                by->late + forward_time(s, by->class, reader_class(u->dyn.inst), r))
            return r;
    }
    return N_REGID;
}

/* Is it known at issue when its result lands? */
static bool has_fixed_latency(const struct uop *u)
{
    return u->pipe != PIPE_mem && u->pipe != PIPE_texture;
}

/* Will the result of an instruction that has issued be there when another one reads it? */
static bool lands_before_read(const struct sm *s, const struct uop *from,
                              const struct uop *u, unsigned reg)
{
    return has_fixed_latency(from) &&
           from->done + upper_half_time(s, from->dyn.inst, reg) +
                   forward_time(s, from->dyn.inst->class, reader_class(u->dyn.inst),
                                reg) <=
               s->cycle + read_time(s, u, reg);
}

bool ports_reads_in_time(const struct sm *s, const struct uop *u, unsigned reg,
                         uint16_t version)
{
    if (!read_time(s, u, reg))
        return false;
    for (const struct uop *o = s->pool; o < sm_uops_end(s); o++)
        if (uop_is_in_flight(o) && o->warp == u->warp && o->version == version)
            return lands_before_read(s, o, u, reg);
    return false;
}

/* Would it write a register before the older instruction does, or with it? A result of a
 * variable latency takes longer than any of a fixed one, unless no lanes ask for it. */
static bool lands_too_early(const struct sm *s, const struct uop *older,
                            const struct uop *u)
{
    if (!regset_meets(&older->dyn.inst->writes, &u->dyn.inst->writes))
        return false;
    if (!has_fixed_latency(older))
        return true;
    if (!has_fixed_latency(u))
        return !u->dyn.mask;
    return s->cycle + s->timing[u->dyn.inst->class].latency <= older->done;
}

bool ports_lands_after(const struct sm *s, const struct uop *u, uint16_t version)
{
    for (const struct uop *o = s->pool; o < sm_uops_end(s); o++)
        if (uop_is_in_flight(o) && o->warp == u->warp && o->version == version)
            return !scheme_renames(s) && !lands_too_early(s, o, u);
    return false;
}

/* With pending writes of its registers: those it overwrites land first, and the one it
 * reads late lands in time. */
static bool ports_in_order(const struct sm *s, const struct uop *u)
{
    unsigned late = inst_late_source(u->dyn.inst);

    if (scheme_renames(s) ||
        !regset_meets(&u->dyn.inst->touches, &s->check.pending[u->warp].all))
        return true;
    for (const struct uop *o = s->pool; o < sm_uops_end(s); o++) {
        if (!uop_is_in_flight(o) || o->warp != u->warp || o->dyn.seq >= u->dyn.seq)
            continue;
        if (lands_too_early(s, o, u))
            return false;
        if (late < N_REGID && regset_has(&o->dyn.inst->writes, late) &&
            !lands_before_read(s, o, u, late))
            return false;
    }
    return true;
}

/* Fetch may lag by what one taken branch wastes: so much is in the buffers of warps. */
bool ports_have_code(const struct sm *s, const struct subcore *c)
{
    return c->port.fetched <= 100 * s->cycle + s->config.fetch.branch_hundredths;
}

/* Is a bank that it reads too far behind? Most often none is. */
static bool awaits_bank(const struct sm *s, const struct subcore *c,
                        const struct uop *u)
{
    uint64_t in_time = s->cycle + s->config.regfile.backlog;
    unsigned reads[MAX_BANKS];

    if (c->port.banks_free <= in_time)
        return false;
    count_reads(s, c, u, reads);
    for (unsigned b = 0; b < s->config.regfile.banks; b++)
        if (reads[b] && c->port.bank_free[b] > in_time)
            return true;
    return false;
}

bool ports_free(const struct sm *s, const struct subcore *c, const struct uop *u)
{
    if (u->pipe == PIPE_mem && c->memory.uop != NO_UOP)
        return false;
    if (awaits_bank(s, c, u))
        return false;
    return is_exposed(s) || (find_unforwarded(s, u) == N_REGID && ports_in_order(s, u));
}

static void keep_reused(const struct sm *s, struct subcore *c, const struct uop *u)
{
    const struct inst *i = u->dyn.inst;

    for (unsigned k = 0; k < 3; k++)
        c->port.reuse[k] = NO_REUSE;
    for (unsigned n = 0; n < i->n_src && s->config.regfile.reuse; n++)
        if (i->src[n].slot < 3 && i->control.reuse >> i->src[n].slot & 1)
            c->port.reuse[i->src[n].slot] = reuse_key(u, i->src[n].reg);
}

/* Single precision takes the half that was not taken last, integer products the half
 * that can multiply, packed halves take both. unit_free tells for each pipe when that
 * is possible. */
static void ports_take_halves(struct sm *s, struct subcore *c, const struct uop *u)
{
    uint64_t until = s->cycle + s->timing[u->dyn.inst->class].interval;
    unsigned half = u->pipe == PIPE_sp ? !c->port.last_half : 1;

    c->port.half_free[half] = until;
    if (u->pipe == PIPE_dual)
        c->port.half_free[0] = until;
    c->port.last_half = half;
    c->units.free[PIPE_sp] = c->port.half_free[!half];
    c->units.free[PIPE_fma] = c->port.half_free[1];
    c->units.free[PIPE_dual] = later(c->port.half_free[0], c->port.half_free[1]);
}

static bool reads_pair(const struct inst *i)
{
    return i->n_src && i->src[0].n > 1;
}

/* Takes the instruction's unit; returns the cycle in which it starts there. */
static uint64_t ports_take_unit(struct sm *s, struct subcore *c, const struct uop *u)
{
    const struct core_params *p = &s->config.core;
    uint8_t class = u->dyn.inst->class;
    unsigned interval = s->timing[class].interval;
    uint64_t start = s->cycle;

    if ((class == CLASS_branch || class == CLASS_exit) && !u->dyn.redirects)
        interval = 1; /* only taken branches hold their unit */
    if (class == CLASS_imul_wide && p->wide_holds)
        c->port.issue_free = s->cycle + interval;
    if (p->fma_halves &&
        (u->pipe == PIPE_sp || u->pipe == PIPE_fma || u->pipe == PIPE_dual)) {
        ports_take_halves(s, c, u);
        return start;
    }
    if (u->pipe == PIPE_sfu) {
        uint64_t waiting;

        interval += reads_pair(u->dyn.inst) ? p->sfu_wide : 0;
        waiting = (uint64_t)p->sfu_queue * interval;
        start = later(start, c->port.sfu_free);
        c->port.sfu_free = start + interval;
        c->units.free[PIPE_sfu] =
            c->port.sfu_free > waiting ? c->port.sfu_free - waiting : 0;
        return start;
    }
    if (u->dyn.inst->product)
        return async_take_product(s, u, &c->port.product_free,
                                  &c->units.free[PIPE_tensor]);
    c->units.free[u->pipe] = start + interval;
    return start;
}

/* The sub-core fetches one instruction per cycle: another one for each that issues. A taken
 * branch wastes some fetches. */
static void ports_refetch(const struct sm *s, struct subcore *c, const struct uop *u)
{
    unsigned wasted = u->dyn.redirects ? s->config.fetch.branch_hundredths : 0;

    c->port.fetched = later(c->port.fetched, 100 * s->cycle) + 100 + wasted;
}

static bool writes_predicate(const struct inst *i)
{
    const struct reglist *l = &i->list;

    for (unsigned k = l->n_reads; k < (unsigned)l->n_reads + l->n_writes; k++)
        if (l->reg[k] >= REGID_P && l->reg[k] < REGID_UP)
            return true;
    return false;
}

void ports_start(struct sm *s, struct subcore *c, struct uop *u)
{
    uint64_t start = ports_take_unit(s, c, u);

    if (has_view(s))
        u->taken = start;
    if (s->config.fetch.branch_hundredths)
        ports_refetch(s, c, u);
    u->done = start + s->timing[u->dyn.inst->class].latency;
    if (u->dyn.inst->product)
        u->done = s->cycle + 1;
    if (inst_is_on_mbarrier(u->dyn.inst))
        u->done = s->async->phase_done;
    if (is_announced(s, u) && writes_predicate(u->dyn.inst))
        u->done += s->config.regfile.to_branch;
    if (u->pipe == PIPE_mem) {
        INVARIANT(c->memory.uop == NO_UOP);
        c->memory.uop = u->id;
        c->memory.at = s->cycle + 1;
        s->collect.memory_out |= c->self;
        wake_hand_over(&s->wake, c->memory.at);
    }
}

void ports_pend_again(struct sm *s, const struct uop *u)
{
    struct pending *p = &s->check.pending[u->warp];

    for (const struct uop *o = s->pool; o < sm_uops_end(s); o++)
        if (uop_is_in_flight(o) && o->stage != UOP_WINDOW && o->warp == u->warp &&
            regset_meets(&o->dyn.inst->writes, &u->dyn.inst->writes))
            regset_join(&p->all, &o->dyn.inst->writes);
}

/* No result of a fixed latency lands later than the wheel of events reaches. */
static void note_overlap(struct sm *s, const struct uop *u)
{
    if (regset_meets(&u->dyn.inst->writes, &s->check.pending[u->warp].all))
        s->warp[u->warp].overlap_end = s->cycle + WHEEL;
}

static uint64_t sum_reads(const struct sm *s, const unsigned *reads)
{
    uint64_t sum = 0;

    for (unsigned b = 0; b < s->config.regfile.banks; b++)
        sum += reads[b];
    return sum;
}

/* A copy reads its operands when its unit takes it. */
static bool ports_reads_late(const struct uop *u)
{
    uint32_t flags = u->dyn.inst->flags;

    return flags & INST_COPIES && flags & INST_SYNC && u->pipe != PIPE_mem;
}

/* One whose stages are shown, or that reads its operands later. */
static int ports_go_on(struct sm *s, struct uop *u, struct err *err)
{
    u->entered = u->read = s->cycle;
    if (ports_reads_late(u))
        u->read = s->async->warp[u->warp].refused == u->id
                      ? NEVER
                      : s->cycle + s->config.async.operands;
    return uop_stages(s, u, err);
}

int ports_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err)
{
    unsigned reads[MAX_BANKS];

    note_overlap(s, u);
    if (check_issued(s, &s->warp[u->warp], u, err) ||
        (s->warp[u->warp].has_products && check_products(s, u, err)) ||
        (is_exposed(s) && check_forwarded(s, u, find_unforwarded(s, u), err)))
        return -1;
    s->stats.reuses += count_reads(s, c, u, reads);
    for (unsigned b = 0; b < s->config.regfile.banks; b++) {
        uint64_t from =
            c->port.bank_free[b] > s->cycle ? c->port.bank_free[b] : s->cycle;

        c->port.bank_free[b] = from + reads[b];
        c->port.banks_free = later(c->port.banks_free, from + reads[b]);
        s->stats.bank_reads += reads[b];
    }
    keep_reused(s, c, u);
    if (has_hot(s))
        hot_read(s, u, sum_reads(s, reads), 0);
    ports_start(s, c, u);
    if (has_view(s) || ports_reads_late(u))
        return ports_go_on(s, u, err);
    u->stage = UOP_READ;
    if (s->scheme->wants_reads)
        TELL(s, operands_read, u);
    return uop_await_result(s, u, u->done);
}
