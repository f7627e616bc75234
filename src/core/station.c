/* station.c - collectors as reservation stations: an issued instruction waits in one
 * until its scheme has all its operands.
 *
 * With a scheme that has dispatch() (scheme.h) there are no latches after issue: the
 * scheme knows whether a station is free. At issue an instruction queues for those of
 * its operands that the scheme does not capture: at banks as in collect.c, or at ports
 * as in ports.c. Where lanes keep the old value of a result, that is read as well. From
 * the next cycle on, one instruction per cycle can leave for each pipe whose unit has
 * room.
 *
 * As everywhere, reads of a warp finish in issue order, and nothing leaves before
 * earlier issued instructions have read: so no result can overwrite a value that an
 * older instruction has yet to read.
 *
 * LIMIT: a result that the scheme does not write into the register file takes its step
 * of the bank all the same. With ports, a captured result is available to all units at
 * once: no time is charged between pipes, and the reuse cache saves nothing.
 */
#include "base/invariant.h"
#include "core/stages.h"

enum { MAX_READS = MAX_SRC + MAX_DST };
_Static_assert((int)N_PIPE <= (int)MAX_PIPES, "a word has a bit for each pipe");

/* Is any register of this operand read from the register file? They are among these places
 * of the list, whose registers rise. */
static bool is_operand_read(const struct sm *s, const struct uop *u,
                            const struct inst_operand *o, unsigned first, unsigned end)
{
    const struct reglist *l = &u->dyn.inst->list;
    const uop_id *from = s->scheme->capture[u->id].from;

    for (unsigned k = first; k < end && l->reg[k] < o->reg + o->n; k++)
        if (l->reg[k] >= o->reg && from[k] == NO_UOP)
            return true;
    return !l->is_whole;
}

/* Lists the operands to be read: those, and results merged with their old value. A
 * register named twice is read once. */
static unsigned list_reads(const struct sm *s, const struct uop *u,
                           struct inst_operand at[MAX_READS])
{
    const struct inst *i = u->dyn.inst;
    unsigned n_reads = i->list.n_reads, n_dst = u->partial ? i->n_dst : 0, n = 0;

    for (const struct inst_operand *o = i->src; o < i->src + i->n_src; o++)
        if (!o->again && is_operand_read(s, u, o, o->at, n_reads))
            at[n++] = *o;
    for (const struct inst_operand *o = i->dst; o < i->dst + n_dst; o++) {
        bool again = false;

        for (unsigned j = 0; j < n; j++)
            again |= at[j].reg == o->reg && at[j].n >= o->n;
        if (!again && is_operand_read(s, u, o, n_reads, n_reads + i->list.n_writes))
            at[n++] = *o;
    }
    return n;
}

/* The number of reads for an operand of several registers. */
static unsigned count_operand_reads(const struct sm *s, const struct inst_operand *o)
{
    return has_ports(s) || has_wide_reads(s) ? o->n : 1;
}

/* A port serves one read per cycle; returns the last step of that cycle. */
static uint64_t read_port(struct sm *s, struct subcore *c, const struct uop *u,
                          unsigned reg)
{
    unsigned b = reg % s->config.regfile.banks;

    c->port.bank_free[b] = later(c->port.bank_free[b], s->cycle) + 1;
    s->stats.bank_reads++;
    if (has_hot(s))
        hot_read(s, u, 1, 0);
    return (c->port.bank_free[b] << step_shift(s)) - 1;
}

/* Reads the operands; returns the step of the last read. */
static uint64_t read_register_file(struct sm *s, struct subcore *c, const struct uop *u)
{
    struct inst_operand at[MAX_READS];
    unsigned n = list_reads(s, u, at);
    uint64_t entry = (s->cycle + 1) << step_shift(s);
    uint64_t last = has_ports(s) ? entry - 1 : entry;

    for (unsigned k = 0; k < n; k++)
        for (unsigned r = 0; r < count_operand_reads(s, &at[k]); r++)
            last =
                later(last, has_ports(s) ? read_port(s, c, u, at[k].reg + r)
                                         : collect_read(s, c, u, at[k].reg + r, entry));
    return last;
}

int station_issue(struct sm *s, struct subcore *c, struct uop *u, struct err *err)
{
    struct warp *w = &s->warp[u->warp];

    if (check_captured(s, u, err))
        return -1;
    w->read_step = later(w->read_step, read_register_file(s, c, u));
    uop_list_add(&w->held, s->pool, u);
    u->entered = s->cycle + 1;
    u->read = (w->read_step + 1) >> step_shift(s);
    if (has_view(s))
        return uop_stages(s, u, err);
    u->stage = UOP_STATION;
    wheel_add(&s->events, u, u->read, s->cycle);
    return 0;
}

/* Those of these pipes whose unit has room. */
static uint32_t find_free_pipes(const struct sm *s, const struct subcore *c,
                                uint32_t wanted)
{
    uint32_t pipes = 0;

    if (has_ports(s) && s->cycle < c->port.issue_free)
        return 0;
    for (uint32_t m = wanted; m; m &= m - 1) {
        unsigned p = (unsigned)__builtin_ctz(m);
        uint64_t free = has_ports(s) ? c->units.free[p] : c->units.input_free[p];

        pipes |= (uint32_t)(s->cycle >= free) << p;
    }
    return c->memory.uop == NO_UOP ? pipes : pipes & ~(1u << PIPE_mem);
}

static int station_leave(struct sm *s, struct subcore *c, struct uop *u,
                         struct err *err)
{
    struct warp *w = &s->warp[u->warp];
    uint64_t step = s->cycle << step_shift(s);
    bool is_reordered;

    INVARIANT(u->stage == UOP_STATION);
    if (check_issued(s, w, u, err))
        return -1;
    if (check_is_performed_in(s, u, PERFORMED_AT_DISPATCH) &&
        check_performed(s, u, err))
        return -1;
    u->stage = UOP_READ;
    is_reordered = uop_list_drop(&w->held, s->pool, u);
    s->stats.reordered += is_reordered;
    if (has_hot(s))
        hot_add(s->hot->table, u->hot, HOT_reordered, is_reordered);
    wake_next(&s->wake);
    if (has_ports(s))
        ports_start(s, c, u);
    else if (u->pipe == PIPE_mem)
        collect_lsu(s, c, u->id, u->issued, step);
    else
        collect_unit(s, c, u, step);
    return has_view(s) ? uop_stages(s, u, err) : uop_await_result(s, u, u->done);
}

int station_tick(struct sm *s, struct err *err)
{
    for (uint32_t m = s->scheme->ready; m; m &= m - 1) {
        unsigned n = (unsigned)__builtin_ctz(m);
        struct subcore *c = &s->sub[n];
        uint32_t pipes = find_free_pipes(s, c, s->scheme->ready_pipes[n]);
        uop_id id;

        while (pipes && (id = ops_of(s)->dispatch(s->scheme, n, pipes)) != NO_UOP) {
            if (station_leave(s, c, &s->pool[id], err))
                return -1;
            pipes &= ~(1u << s->pool[id].pipe);
            if (has_ports(s)) /* one unit may use two pipes, or all wait for it */
                pipes = find_free_pipes(s, c, pipes);
        }
    }
    return 0;
}
