/* distance.c - operands named by distance: reaching definitions within runs, and what is
 * live between them.
 *
 * LIMIT: no operand is named across the end of a run, even where all paths have the
 * same length and no lanes can diverge. Uniform registers are taken as each lane's own.
 */
#include "analysis/distance.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/internal.h"

enum {
    MAX_SWEEPS =
        /* passes; compiled code takes a few. After these everything counts as live */
    64,
    NO_RUN = 0,
};

struct pass {
    const struct code_line *code;
    size_t n;
    uint32_t *run;       /* by place: number of the run that begins there; NO_RUN */
    struct regset *live; /* by run: before it */
    bool has_changed;
};

static bool keeps_old(const struct code_line *line)
{
    return flow_keeps_old(line->inst, line->is_guarded);
}

/* May other lanes of the warp run between it and the next instruction? */
static bool ends_run(const struct inst *i)
{
    if (i->flags & (INST_CONTROL | INST_CONVERGE))
        return true;
    return inst_is_sync(i) && !inst_is_atomic(i) && i->class != CLASS_fence;
}

/* Calls and returns are not followed: any register may be read after one. */
static bool may_go_anywhere(const struct inst *i)
{
    return inst_is_branch(i) && inst_is_sync(i) && !(i->flags & INST_EXIT);
}

/* May other lanes of the warp run between it and the instruction before? Lanes stay at a
 * return while others that return elsewhere run, and come to a BSYNC more than once. */
static bool begins_run(const struct inst *i)
{
    return may_go_anywhere(i) || inst_converges(i);
}

static bool is_end(const struct pass *p, size_t place)
{
    return place + 1 == p->n || p->run[place + 1] != NO_RUN;
}

static uint32_t number_runs(struct pass *p)
{
    uint32_t n = NO_RUN;

    for (size_t i = 0; i < p->n; i++) {
        const struct code_line *line = &p->code[i];

        if (!i || line->is_entry || begins_run(line->inst) ||
            ends_run(p->code[i - 1].inst))
            p->run[i] = 1;
        if (line->target >= 0 && (size_t)line->target < p->n)
            p->run[line->target] = 1;
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->run[i])
            p->run[i] = ++n;
    return n;
}

static void join_live(const struct pass *p, struct regset *live, size_t place)
{
    if (place < p->n)
        regset_join(live, &p->live[p->run[place]]);
}

/* The registers that are live after the last instruction of a run. */
static struct regset live_after(const struct pass *p, size_t place)
{
    const struct code_line *line = &p->code[place];
    struct regset live = { 0 };

    if (may_go_anywhere(line->inst))
        memset(&live, 0xff, sizeof live);
    if (line->target >= 0)
        join_live(p, &live, (size_t)line->target);
    if (!line->stops)
        join_live(p, &live, place + 1);
    return live;
}

/* Walks a run backwards from its last instruction; returns where it begins. */
static size_t sweep_run(struct pass *p, size_t place)
{
    struct regset live = live_after(p, place), *before;

    for (;; place--) {
        const struct code_line *line = &p->code[place];

        if (keeps_old(line)) /* reads what it keeps */
            regset_join(&live, &line->inst->writes);
        else
            regset_drop(&live, &line->inst->writes);
        regset_join(&live, &line->inst->reads);
        if (p->run[place] != NO_RUN)
            break;
    }
    before = &p->live[p->run[place]];
    p->has_changed |= memcmp(before, &live, sizeof live) != 0;
    *before = live;
    return place;
}

static void find_live(struct pass *p, uint32_t n_runs)
{
    unsigned sweeps = 0;

    do {
        p->has_changed = false;
        for (size_t end = p->n; end;)
            end = sweep_run(p, end - 1);
    } while (p->has_changed && ++sweeps < MAX_SWEEPS);
    if (p->has_changed)
        memset(p->live, 0xff, ((size_t)n_runs + 1) * sizeof *p->live);
}

/* Walking a run forwards: the last instruction that wrote each register in all
 * lanes. */
struct writers {
    struct regset known;
    size_t place[N_REGID];
};

static uint8_t *reach_of(struct inst *i, unsigned reg)
{
    unsigned k = i->list.n_reads;

    while (i->list.reg[k] != reg)
        k++;
    return &i->distance[k];
}

/* Notes that the register is read at this place, by distance if possible. Returns the
 * distance, or 0. */
static uint8_t note_read(const struct pass *p, const struct writers *w, unsigned reg,
                         size_t place, bool by_distance)
{
    size_t far = DISTANCE_FAR;
    uint8_t *reach;

    if (!regset_has(&w->known, reg))
        return 0;
    if (by_distance && place - w->place[reg] < DISTANCE_FAR)
        far = place - w->place[reg];
    reach = reach_of(p->code[w->place[reg]].inst, reg);
    if (*reach < far)
        *reach = (uint8_t)far;
    return far == DISTANCE_FAR ? 0 : (uint8_t)far;
}

static void read_registers(const struct pass *p, const struct writers *w,
                           const struct regset *set, size_t place)
{
    for (unsigned r = 0; r < N_REGID; r++)
        if (regset_has(set, r))
            note_read(p, w, r, place, false);
}

/* A result that keeps its old value in some lanes is merged with it, so both are in a
 * register. */
static void mark_result(const struct pass *p, struct writers *w, unsigned k,
                        size_t place)
{
    struct inst *i = p->code[place].inst;
    unsigned reg = i->list.reg[k];

    if (keeps_old(&p->code[place])) {
        note_read(p, w, reg, place, false);
        i->distance[k] = DISTANCE_FAR;
        w->known.w[reg >> 6] &= ~((uint64_t)1 << (reg & 63));
        return;
    }
    i->distance[k] = 0;
    regset_add(&w->known, reg);
    w->place[reg] = place;
}

static void mark_inst(const struct pass *p, struct writers *w, size_t place)
{
    struct inst *i = p->code[place].inst;
    unsigned n = i->list.n_reads;

    if (!i->list.is_whole) { /* no room for distances: all operands in registers */
        read_registers(p, w, &i->reads, place);
        if (keeps_old(&p->code[place]))
            read_registers(p, w, &i->writes, place);
        regset_drop(&w->known, &i->writes);
        return;
    }
    for (unsigned k = 0; k < n; k++)
        i->distance[k] = note_read(p, w, i->list.reg[k], place, true);
    for (unsigned k = n; k < n + i->list.n_writes; k++)
        mark_result(p, w, k, place);
}

static void mark_all(const struct pass *p)
{
    struct writers w = { .known = { { { 0 } } } };

    for (size_t i = 0; i < p->n; i++) {
        mark_inst(p, &w, i);
        if (is_end(p, i)) {
            struct regset live = live_after(p, i);

            read_registers(p, &w, &live, i + 1);
            memset(&w.known, 0, sizeof w.known);
        }
    }
}

/* Names all operands by register. */
static bool clear_distances(const struct pass *p)
{
    bool is_known = true;

    for (size_t i = 0; i < p->n; i++) {
        struct inst *inst = p->code[i].inst;
        unsigned n = inst->list.n_reads;

        inst->has_distances = true;
        memset(inst->distance, 0, n);
        memset(inst->distance + n, DISTANCE_FAR, inst->list.n_writes);
        is_known &= p->code[i].target != CODE_ANY;
    }
    return is_known;
}

int distance_mark(const struct code_line *code, size_t n, struct err *err)
{
    struct pass p = { .code = code, .n = n };
    uint32_t n_runs;

    if (!clear_distances(&p) || !n)
        return 0;
    p.run = calloc(n, sizeof *p.run);
    n_runs = p.run ? number_runs(&p) : 0;
    p.live = p.run ? calloc((size_t)n_runs + 1, sizeof *p.live) : NULL;
    if (p.live) {
        find_live(&p, n_runs);
        mark_all(&p);
    }
    free(p.run);
    free(p.live);
    return p.live ? 0 : err_memory(err, "the distances of a kernel");
}
