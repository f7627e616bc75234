/* distance.c - operands named by distance: reaching definitions forwards, last readers
 * backwards.
 *
 * Code is a sequence of runs, which are entered only at their first instruction and left
 * only at their last. Forwards, each run begins with the distance to the last write of
 * every register, if all ways into the run agree on it. Backwards, each run begins with
 * the place of each register's last reader.
 *
 * LIMIT: uniform registers are taken as each lane's own.
 */
#include "analysis/distance.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/internal.h"

enum {
    NO_RUN = 0,
    /* Of a register before a run: distance to the last write, ... */
    NOT_CONSTANT = 0,
    NOT_REACHED = 255,
    /* ... or how far after the first instruction its last reader is, counted from 1. */
    NO_READER = 0,
};

struct distances {
    uint8_t of[N_REGID];
};

struct pass {
    const struct code_line *code;
    size_t n;
    uint32_t *run;   /* by place: number of the run that begins there; NO_RUN */
    uint32_t n_runs; /* numbers begin at 1 */
    struct distances *before; /* by run: of the last writes */
    struct distances *after;  /* by run: of the last readers */
    bool *is_fixed;           /* by run: may be entered in ways that are not known */
    bool has_changed;
    unsigned n_named;
    uint16_t named[N_REGID]; /* registers that occur in the code */
};

static bool keeps_old(const struct code_line *line)
{
    return flow_keeps_old(line->inst, line->is_guarded);
}

/* Lanes stay at a return while others that return elsewhere run, and come to a BSYNC more
 * than once. */
bool distance_begins_run(const struct code_line *line)
{
    return !line->keeps_together &&
           (flow_may_go_anywhere(line->inst) || inst_converges(line->inst));
}

bool distance_ends_run(const struct inst *i)
{
    if (i->flags & (INST_CONTROL | INST_CONVERGE))
        return true;
    return inst_is_sync(i) && !inst_is_atomic(i) && i->class != CLASS_fence;
}

static bool is_end(const struct pass *p, size_t place)
{
    return place + 1 == p->n || p->run[place + 1] != NO_RUN;
}

static bool has_target(const struct pass *p, const struct code_line *line)
{
    return line->target >= 0 && (size_t)line->target < p->n;
}

static void number_runs(struct pass *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct code_line *line = &p->code[i];

        if (!i || line->is_entry || distance_begins_run(line) ||
            distance_ends_run(p->code[i - 1].inst))
            p->run[i] = 1;
        if (has_target(p, line))
            p->run[line->target] = 1;
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->run[i])
            p->run[i] = ++p->n_runs;
}

/* The runs that the last instruction of a run leads to; returns how many. */
static unsigned runs_after(const struct pass *p, size_t place, uint32_t next[2])
{
    const struct code_line *line = &p->code[place];
    unsigned n = 0;

    if (has_target(p, line))
        next[n++] = p->run[line->target];
    if (!line->stops && place + 1 < p->n)
        next[n++] = p->run[place + 1];
    return n;
}

/* Where distances are not constant, whatever else leads there. */
static void find_fixed_runs(struct pass *p)
{
    bool *is_reached = p->is_fixed; /* first as that */

    for (size_t i = 0; i < p->n; i++) {
        uint32_t next[2];

        for (unsigned k = is_end(p, i) ? runs_after(p, i, next) : 0; k-- > 0;)
            is_reached[next[k]] = true;
    }
    for (uint32_t k = 0; k <= p->n_runs; k++)
        p->is_fixed[k] = !is_reached[k];
    for (size_t i = 0; i < p->n; i++) {
        uint32_t next[2];

        if (p->code[i].is_entry || distance_begins_run(&p->code[i]))
            p->is_fixed[p->run[i]] = true;
        if (!is_end(p, i) || distance_crosses(&p->code[i]))
            continue;
        for (unsigned k = runs_after(p, i, next); k-- > 0;)
            p->is_fixed[next[k]] = true;
    }
}

/* The last write of each register while a run is walked through: as if at this place, which
 * may be before the run. */
struct writers {
    struct regset known;
    int64_t place[N_REGID];
};

static void writers_enter(const struct pass *p, struct writers *w, size_t place)
{
    const struct distances *d = &p->before[p->run[place]];

    memset(&w->known, 0, sizeof w->known);
    for (unsigned k = 0; k < p->n_named; k++) {
        unsigned r = p->named[k];

        if (d->of[r] == NOT_CONSTANT || d->of[r] == NOT_REACHED)
            continue;
        regset_add(&w->known, r);
        w->place[r] = (int64_t)place - d->of[r];
    }
}

/* A result that keeps its old value in some lanes is merged with it, in a register. */
static void writers_step(const struct pass *p, struct writers *w, size_t place)
{
    const struct inst *i = p->code[place].inst;

    regset_drop(&w->known, &i->writes);
    if (!i->list.is_whole || keeps_old(&p->code[place]))
        return;
    for (unsigned k = i->list.n_reads; k < i->list.n_reads + i->list.n_writes; k++) {
        regset_add(&w->known, i->list.reg[k]);
        w->place[i->list.reg[k]] = (int64_t)place;
    }
}

static uint8_t distance_to(const struct writers *w, unsigned reg, size_t place)
{
    int64_t d;

    if (!regset_has(&w->known, reg))
        return NOT_CONSTANT;
    d = (int64_t)place - w->place[reg];
    return d < DISTANCE_FAR ? (uint8_t)d : NOT_CONSTANT;
}

/* One more way into a run. */
static void join_writers(struct pass *p, uint32_t run, const struct writers *w,
                         size_t place)
{
    struct distances *d = &p->before[run];

    if (p->is_fixed[run])
        return;
    for (unsigned k = 0; k < p->n_named; k++) {
        unsigned r = p->named[k];
        uint8_t now = distance_to(w, r, place);

        if (d->of[r] == now || d->of[r] == NOT_CONSTANT)
            continue;
        d->of[r] = d->of[r] == NOT_REACHED ? now : NOT_CONSTANT;
        p->has_changed = true;
    }
}

/* Calls a function for every instruction, with the last writes before it. */
static void walk_forwards(struct pass *p,
                          void (*visit)(struct pass *p, const struct writers *w,
                                        size_t place))
{
    struct writers w;

    for (size_t i = 0; i < p->n; i++) {
        if (p->run[i] != NO_RUN)
            writers_enter(p, &w, i);
        visit(p, &w, i);
        writers_step(p, &w, i);
        if (is_end(p, i)) {
            uint32_t next[2];

            for (unsigned k = runs_after(p, i, next); k-- > 0;)
                join_writers(p, next[k], &w, i + 1);
        }
    }
}

static void visit_nothing(struct pass *p, const struct writers *w, size_t place)
{
    (void)p;
    (void)w;
    (void)place;
}

static void mark_sources(struct pass *p, const struct writers *w, size_t place)
{
    struct inst *i = p->code[place].inst;

    for (unsigned k = 0; i->list.is_whole && k < i->list.n_reads; k++)
        i->distance[k] = distance_to(w, i->list.reg[k], place);
}

static void find_writers(struct pass *p)
{
    for (uint32_t k = 0; k <= p->n_runs; k++)
        memset(&p->before[k], p->is_fixed[k] ? NOT_CONSTANT : NOT_REACHED,
               sizeof *p->before);
    do {
        p->has_changed = false;
        walk_forwards(p, visit_nothing);
    } while (p->has_changed);
    walk_forwards(p, mark_sources);
}

/* The last reader of each register while a run is walked through backwards: its place,
 * maybe after the run; by number counts as DISTANCE_FAR after. */
struct readers {
    size_t place[N_REGID]; /* 1 + the place; 0: none */
};
enum { READ_BY_NUMBER = -1 };

static void readers_enter(const struct pass *p, struct readers *s, size_t place)
{
    const struct code_line *line = &p->code[place];
    uint32_t next[2];

    memset(s, flow_may_go_anywhere(line->inst) ? 0xff : 0, sizeof *s);
    for (unsigned k = runs_after(p, place, next); k-- > 0;)
        for (unsigned j = 0; j < p->n_named; j++) {
            unsigned r = p->named[j];
            uint8_t to = p->after[next[k]].of[r];
            size_t at = place + 1 + to;

            if (to == NO_READER)
                continue;
            if (to == DISTANCE_FAR)
                at = (size_t)READ_BY_NUMBER;
            if (s->place[r] < at)
                s->place[r] = at;
        }
}

static uint8_t reach_from(const struct readers *s, unsigned reg, size_t place)
{
    size_t at = s->place[reg];

    if (!at)
        return NO_READER;
    return at - 1 - place < DISTANCE_FAR ? (uint8_t)(at - 1 - place) : DISTANCE_FAR;
}

static void read_by_number(struct readers *s, const struct regset *set)
{
    for (unsigned r = regset_next(set, 0); r < N_REGID; r = regset_next(set, r + 1))
        s->place[r] = (size_t)READ_BY_NUMBER;
}

/* A result that keeps its old value in some lanes is merged with it, in a register. The write
 * waits for the old value, even if nobody reads either. */
static void step_results(struct readers *s, const struct code_line *line, size_t place)
{
    struct inst *i = line->inst;
    unsigned n = i->list.n_reads;
    bool is_merged = keeps_old(line);

    for (unsigned k = n; i->list.is_whole && k < n + i->list.n_writes; k++)
        i->distance[k] =
            is_merged ? DISTANCE_FAR : reach_from(s, i->list.reg[k], place);
    for (unsigned r = regset_next(&i->writes, 0); r < N_REGID;
         r = regset_next(&i->writes, r + 1))
        s->place[r] = is_merged ? (size_t)READ_BY_NUMBER : 0;
}

static void readers_step(const struct pass *p, struct readers *s, size_t place)
{
    const struct code_line *line = &p->code[place];
    struct inst *i = line->inst;

    step_results(s, line, place);
    if (!i->list.is_whole)
        read_by_number(s, &i->reads);
    for (unsigned k = 0; i->list.is_whole && k < i->list.n_reads; k++) {
        size_t *at = &s->place[i->list.reg[k]];

        if (i->distance[k] == NOT_CONSTANT)
            *at = (size_t)READ_BY_NUMBER;
        else if (*at < place + 1)
            *at = place + 1;
    }
}

static void readers_leave(struct pass *p, const struct readers *s, size_t place)
{
    struct distances *d = &p->after[p->run[place]];

    for (unsigned k = 0; k < p->n_named; k++) {
        unsigned r = p->named[k];
        uint8_t to = s->place[r] ? reach_from(s, r, place - 1) : NO_READER;

        p->has_changed |= d->of[r] != to;
        d->of[r] = to;
    }
}

static void find_readers(struct pass *p)
{
    struct readers s;

    do {
        p->has_changed = false;
        for (size_t i = p->n; i-- > 0;) {
            if (is_end(p, i))
                readers_enter(p, &s, i);
            readers_step(p, &s, i);
            if (p->run[i] != NO_RUN)
                readers_leave(p, &s, i);
        }
    } while (p->has_changed);
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

static void list_named(struct pass *p)
{
    struct regset all = { 0 };

    for (size_t i = 0; i < p->n; i++)
        regset_join(&all, &p->code[i].inst->touches);
    for (unsigned r = regset_next(&all, 0); r < N_REGID; r = regset_next(&all, r + 1))
        p->named[p->n_named++] = (uint16_t)r;
}

static bool pass_allocate(struct pass *p)
{
    size_t n = (size_t)p->n_runs + 1;

    p->before = calloc(n, sizeof *p->before);
    p->after = calloc(n, sizeof *p->after);
    p->is_fixed = calloc(n, sizeof *p->is_fixed);
    return p->before && p->after && p->is_fixed;
}

int distance_mark(const struct code_line *code, size_t n, struct err *err)
{
    struct pass p = { .code = code, .n = n };
    bool is_ready;

    if (!clear_distances(&p) || !n)
        return 0;
    p.run = calloc(n, sizeof *p.run);
    if (p.run)
        number_runs(&p);
    is_ready = p.run && pass_allocate(&p);
    if (is_ready) {
        list_named(&p);
        find_fixed_runs(&p);
        find_writers(&p);
        find_readers(&p);
    }
    free(p.run);
    free(p.before);
    free(p.after);
    free(p.is_fixed);
    return is_ready ? 0 : err_memory(err, "the distances of a kernel");
}
