/* relay.c - a program whose operands are all named by distance: values are relayed by moves
 * before they get too far away (figure 2 (a) of TURBULENCE).
 *
 * Straight code is walked through with the slots that instructions and moves take. Before an
 * instruction, values with a later reader are relayed if their time is running out, the most
 * urgent first. Half of the distances can be kept alive like this, the others have to do
 * work; values beyond that, with the farthest readers, and values that cross a place where
 * distances are not known, are in the register file: a move puts them there after their
 * producer, and another fetches them before their reader. Only these moves name registers.
 *
 * A loop that all lanes run together carries the values that it reads first: they are
 * relayed in a fixed order before the way back, and in the same order on the way in.
 *
 * LIMIT: results that keep an old value in some lanes, convergence barriers, and sources of
 * instructions with more of them than there are distances still have register numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/distance.h"
#include "analysis/internal.h"
#include "analysis/rewrite.h"

enum { NEVER = -1 };

struct relayer {
    const struct code_line *code;
    size_t n;
    unsigned max_distance, n_kept;
    bool *starts;           /* by place: nothing is known of distances before it */
    bool *is_kept;          /* by place: its results are put into the register file */
    size_t end;             /* of the straight code walked through */
    int64_t slot;           /* of the next instruction */
    int64_t made[N_REGID];  /* slot of the last copy; NEVER far below 0 */
    struct regset has_copy; /* that could be named */
    struct insertions *to;
    bool failed;
};

static bool is_relayed(unsigned reg)
{
    return reg < REGID_B || reg >= REGID_UR_HIGH;
}

static void find_starts(struct relayer *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct code_line *line = &p->code[i];

        if (!i || line->is_entry || distance_begins_run(line) || p->code[i - 1].stops ||
            !distance_crosses(&p->code[i - 1]))
            p->starts[i] = true;
        if (line->target >= 0 && (size_t)line->target < p->n)
            p->starts[line->target] = true;
    }
}

/* The last slot in which the register can be named. */
static int64_t deadline_of(const struct relayer *p, unsigned reg)
{
    return regset_has(&p->has_copy, reg) ? p->made[reg] + (int64_t)p->max_distance
                                         : NEVER;
}

static void set_copy(struct relayer *p, unsigned reg, int64_t slot)
{
    regset_add(&p->has_copy, reg);
    p->made[reg] = slot;
}

/* Where a register is read next, from a place on; the end of the straight code if it is
 * not. */
static size_t next_reader(const struct relayer *p, size_t place, unsigned reg)
{
    for (; place < p->end; place++) {
        const struct inst *i = p->code[place].inst;

        if (regset_has(&i->reads, reg))
            return place;
        if (regset_has(&i->writes, reg))
            break;
    }
    return p->end;
}

static void insert(struct relayer *p, size_t place, unsigned reg, bool is_skipped)
{
    p->failed |= insertions_add(p->to, (struct insertion){ .place = (uint32_t)place,
                                                           .reg = (uint16_t)reg,
                                                           .is_skipped = is_skipped });
}

/* A relay if the value can still be named, else fetched from the register file. */
static void move(struct relayer *p, size_t place, unsigned reg)
{
    insert(p, place, reg, false);
    set_copy(p, reg, p->slot++);
}

/* The values that are to be kept alive after an instruction, at most so many: those with
 * the nearest readers. Returns how many. */
static unsigned choose_kept(const struct relayer *p, size_t place, unsigned most,
                            uint16_t *kept)
{
    size_t reader[DISTANCE_FAR];
    unsigned n = 0;

    for (unsigned r = 0; most && r < N_REGID; r++) {
        size_t next, at;

        if (!is_relayed(r) || deadline_of(p, r) < p->slot ||
            regset_has(&p->code[place].inst->writes, r))
            continue;
        next = next_reader(p, place + 1, r);
        if (next == p->end || (n == most && reader[n - 1] <= next))
            continue;
        n -= n == most;
        for (at = n++; at && reader[at - 1] > next; at--) {
            reader[at] = reader[at - 1];
            kept[at] = kept[at - 1];
        }
        reader[at] = next;
        kept[at] = (uint16_t)r;
    }
    return n;
}

/* The value among these that must be relayed now, if the next instruction is to take
 * `before` slots; NO_REG: none. Those with equal deadlines need a slot each. */
static unsigned most_urgent(const struct relayer *p, const uint16_t *regs, unsigned n,
                            unsigned before)
{
    unsigned first = NO_REG;
    bool is_late = false;

    for (unsigned k = 0; k < n; k++) {
        int64_t deadline = deadline_of(p, regs[k]);
        unsigned sooner = 0;

        for (unsigned j = 0; j < n; j++)
            sooner += deadline_of(p, regs[j]) < deadline ||
                      (deadline_of(p, regs[j]) == deadline && j < k);
        is_late |= deadline < p->slot + (int64_t)before + (int64_t)sooner;
        if (first == NO_REG || deadline < deadline_of(p, first))
            first = regs[k];
    }
    return is_late ? first : NO_REG;
}

/* Sources that can be relayed; returns how many of the list. */
static unsigned list_sources(const struct inst *i, uint16_t *sources)
{
    unsigned n = 0;

    for (unsigned k = 0; i->list.is_whole && k < i->list.n_reads; k++)
        if (is_relayed(i->list.reg[k]))
            sources[n++] = i->list.reg[k];
    return n;
}

/* A source that cannot be named from the slot `after` slots on; NO_REG: all can. */
static unsigned out_of_reach(const struct relayer *p, const uint16_t *sources,
                             unsigned n, unsigned after)
{
    for (unsigned k = 0; k < n; k++)
        if (deadline_of(p, sources[k]) < p->slot + (int64_t)after)
            return sources[k];
    return NO_REG;
}

/* Moves before an instruction until it can name its sources `after` slots from now, and
 * later ones theirs: as many as all of them find room in front of it. */
static void prepare(struct relayer *p, size_t place, unsigned after)
{
    uint16_t sources[MAX_LISTED], kept[DISTANCE_FAR];
    unsigned n = list_sources(p->code[place].inst, sources), most = p->n_kept;

    if (n + after >= p->max_distance)
        most = 0;
    else if (most > p->max_distance - n - after - 1)
        most = p->max_distance - n - after - 1;
    if (n + after > p->max_distance)
        return;
    for (unsigned moves = 0; moves <= 2 * p->max_distance; moves++) {
        unsigned n_kept = choose_kept(p, place, most, kept);
        unsigned reg = most_urgent(p, kept, n_kept, 1 + after);

        if (reg == NO_REG)
            reg = out_of_reach(p, sources, n, after);
        if (reg == NO_REG)
            return;
        move(p, place, reg);
    }
}

/* The instruction takes its slot; so does a move of each result into the register file. */
static void pass(struct relayer *p, size_t place)
{
    const struct code_line *line = &p->code[place];
    const struct inst *i = line->inst;
    int64_t slot = p->slot++;

    regset_drop(&p->has_copy, &i->writes);
    if (!i->list.is_whole || flow_keeps_old(i, line->is_guarded))
        return;
    for (unsigned k = i->list.n_reads; k < i->list.n_reads + i->list.n_writes; k++)
        if (is_relayed(i->list.reg[k]))
            set_copy(p, i->list.reg[k], slot);
    for (unsigned k = i->list.n_reads;
         p->is_kept[place] && k < i->list.n_reads + i->list.n_writes; k++)
        if (is_relayed(i->list.reg[k])) {
            insert(p, place + 1, i->list.reg[k], true);
            set_copy(p, i->list.reg[k], p->slot++);
        }
}

/* The loop whose jump back this is, if its values can be carried. */
static bool find_loop(const struct relayer *p, size_t place, struct code_loop *l)
{
    *l = (struct code_loop){ .first = (size_t)p->code[place].target, .last = place };
    return p->code[place].target >= 0 && l->first <= place &&
           loop_can_align(p->code, p->n, l);
}

/* The registers that a loop carries: those that it reads first, before it writes them.
 * Returns how many. */
static unsigned list_carried(const struct relayer *p, const struct code_loop *l,
                             uint16_t *carried)
{
    struct regset seen = { 0 };
    unsigned n = 0;

    for (size_t i = l->first; i <= l->last && n < p->n_kept; i++) {
        const struct inst *inst = p->code[i].inst;

        if (i > l->first && p->starts[i])
            break;
        for (unsigned r = 0; r < N_REGID && n < p->n_kept; r++)
            if (regset_has(&inst->reads, r) && is_relayed(r) && !regset_has(&seen, r)) {
                regset_add(&seen, r);
                carried[n++] = (uint16_t)r;
            }
        regset_join(&seen, &inst->writes);
    }
    return n;
}

/* Before the jump back: what it reads, then what the loop carries. */
static void close_loop(struct relayer *p, const struct code_loop *l)
{
    uint16_t carried[DISTANCE_FAR];
    unsigned n = list_carried(p, l, carried);

    prepare(p, l->last, n);
    for (unsigned k = 0; k < n; k++)
        move(p, l->last, carried[k]);
}

/* On the way into the loop that begins here: the same, and one for the jump. */
static void open_loop(struct relayer *p, size_t place)
{
    uint16_t carried[DISTANCE_FAR];
    struct code_loop l;

    for (size_t i = place; i < p->n; i++) {
        unsigned n;

        if (p->code[i].target != (int64_t)place || !find_loop(p, i, &l))
            continue;
        n = list_carried(p, &l, carried);
        for (unsigned k = 0; k < n; k++) {
            insert(p, place, carried[k], true);
            set_copy(p, carried[k], p->slot - 1 - (int64_t)(n - k));
        }
        if (n)
            insert(p, place, NO_REG, true);
    }
}

static void start(struct relayer *p, size_t place)
{
    memset(&p->has_copy, 0, sizeof p->has_copy);
    p->end = place + 1;
    while (p->end < p->n && !p->starts[p->end])
        p->end++;
    open_loop(p, place);
}

static void walk(struct relayer *p)
{
    p->to->n = 0;
    p->slot = DISTANCE_FAR + 1;
    for (size_t i = 0; i < p->n; i++) {
        struct code_loop l;

        if (p->starts[i])
            start(p, i);
        if (find_loop(p, i, &l))
            close_loop(p, &l);
        else
            prepare(p, i, 0);
        pass(p, i);
    }
    insertions_sort(p->to);
}

/* Results that are now read by number have to be put into the register file. True if there
 * is one more. */
static bool find_kept(struct relayer *p, const struct rewritten *r)
{
    bool again = false;

    for (size_t i = 0; i < r->n; i++) {
        const struct inst *inst = r->line[i].inst;
        size_t place = r->origin[i];

        if (r->is_inserted[i] || p->is_kept[place] ||
            !distance_crosses(&p->code[place]) || p->code[place].stops ||
            flow_keeps_old(inst, p->code[place].is_guarded))
            continue;
        for (unsigned k = inst->list.n_reads;
             k < inst->list.n_reads + inst->list.n_writes; k++)
            if (is_relayed(inst->list.reg[k]) &&
                !inst_is_near(inst, k, p->max_distance))
                again = p->is_kept[place] = true;
    }
    return again;
}

static int solve(struct relayer *p, struct err *err)
{
    bool again = true;

    find_starts(p);
    while (again) {
        struct rewritten r = { .n = 0 };

        walk(p);
        if (p->failed)
            return err_memory(err, "the relays of a kernel");
        if (rewrite_make(&r, p->code, p->n, p->to, err) ||
            distance_mark(r.line, r.n, err)) {
            rewrite_free(&r);
            return -1;
        }
        again = find_kept(p, &r);
        rewrite_free(&r);
    }
    return 0;
}

int relay_plan(const struct code_line *code, size_t n, unsigned max_distance,
               struct insertions *to, struct err *err)
{
    struct relayer p = { .code = code,
                         .n = n,
                         .max_distance = max_distance,
                         .n_kept = max_distance / 2,
                         .to = to };
    int rc;

    p.starts = calloc(n + 1, sizeof *p.starts);
    p.is_kept = calloc(n + 1, sizeof *p.is_kept);
    rc = p.starts && p.is_kept ? solve(&p, err)
                               : err_memory(err, "the relays of a kernel");
    free(p.starts);
    free(p.is_kept);
    if (rc)
        insertions_free(to);
    return rc;
}
