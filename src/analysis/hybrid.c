/* hybrid.c - inserts moves and fillers where they free more instructions than they are.
 *
 * An instruction is free if it names no register by number. Every candidate is tried: the
 * program with it is marked anew, and it stays if the instructions that are not free, and
 * those inserted, become fewer. Instructions in a loop count more than those around it.
 *
 *   Loops. The way into a loop gets moves of the values that the loop carries, at the
 *   distances at which the way back has made them; a value that was made too early, or
 *   before the loop, is moved once more per iteration, before the way back.
 *   Joins. The shorter of two ways that meet is filled up.
 *   Near. A value that several instructions close to each other read by number is moved
 *   just before them.
 *
 * LIMIT: a way is filled up only where code falls through or where it ends in a jump of its
 * own; a jump that skips code gets no code of its own.
 */
#include "analysis/hybrid.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/distance.h"
#include "analysis/internal.h"
#include "analysis/rewrite.h"

enum {
    LOOP_WEIGHT = 8, /* an instruction of a loop counts as so many around it */
    MAX_DEPTH = 4,
    /* Instructions that may be marked in trials: the time that a plan may take. */
    MAX_TRIED = 1 << 19,
};

struct planner {
    const struct code_line *code;
    size_t n;
    const struct naming *naming;
    uint64_t *weight;       /* by place */
    struct insertions plan; /* so far */
    struct rewritten now;   /* the code with it, marked */
    uint64_t cost;          /* of that */
    size_t tried;
    bool failed; /* out of memory */
};

static bool is_near(const struct planner *p, const struct inst *i, unsigned k)
{
    return (k >= i->list.n_reads && !p->naming->orders_writes) ||
           inst_is_near(i, k, p->naming->max_distance);
}

static bool is_free(const struct planner *p, const struct inst *i)
{
    if (!i->list.is_whole || inst_writes_memory(i))
        return false;
    for (unsigned k = 0; k < i->list.n_reads + i->list.n_writes; k++)
        if (!is_near(p, i, k))
            return false;
    return true;
}

/* Marks the code with a plan; returns what it costs. */
static uint64_t try_plan(struct planner *p, const struct insertions *plan,
                         struct rewritten *r)
{
    struct err err = { 0 };
    uint64_t cost = 0;

    *r = (struct rewritten){ .n = 0 };
    p->tried += p->n + plan->n;
    if (rewrite_make(r, p->code, p->n, plan, &err) ||
        distance_mark(r->line, r->n, &err)) {
        p->failed = true;
        return UINT64_MAX;
    }
    for (size_t i = 0; i < r->n; i++)
        cost += p->weight[r->origin[i]] *
                (r->is_inserted[i] || !is_free(p, r->line[i].inst));
    return cost;
}

/* Takes the plan if it is better; in any case it is used up. */
static bool take_plan(struct planner *p, struct insertions *plan)
{
    struct rewritten r;
    uint64_t cost;

    insertions_sort(plan);
    cost = p->failed || p->tried > MAX_TRIED ? UINT64_MAX : try_plan(p, plan, &r);
    if (cost == UINT64_MAX) {
        insertions_free(plan);
        return false;
    }
    if (cost >= p->cost) {
        rewrite_free(&r);
        insertions_free(plan);
        return false;
    }
    rewrite_free(&p->now);
    insertions_free(&p->plan);
    p->now = r;
    p->plan = *plan;
    p->cost = cost;
    return true;
}

/* A copy of the plan, to be changed. */
static struct insertions copy_plan(struct planner *p)
{
    struct insertions s = { .n = 0 };

    for (size_t k = 0; k < p->plan.n; k++)
        p->failed |= insertions_add(&s, p->plan.at[k]) != 0;
    return s;
}

static void add_to(struct planner *p, struct insertions *s, size_t place, unsigned reg,
                   bool is_skipped)
{
    p->failed |= insertions_add(s, (struct insertion){ .place = (uint32_t)place,
                                                       .reg = (uint16_t)reg,
                                                       .is_skipped = is_skipped }) != 0;
}

/* How long ago a value was made before an instruction, looking back over straight code of
 * the rewritten program; 0: farther away, or not known. */
static unsigned made_before(const struct planner *p, size_t at, unsigned reg)
{
    for (unsigned d = 1; d <= p->naming->max_distance && at; d++) {
        const struct code_line *line = &p->now.line[at - 1];

        if (p->now.is_target[at] || line->stops ||
            (!line->keeps_together && line->inst->flags & INST_CONTROL))
            return 0;
        if (regset_has(&line->inst->writes, reg))
            return flow_keeps_old(line->inst, line->is_guarded) ||
                           !line->inst->list.is_whole
                       ? 0
                       : d;
        at--;
    }
    return 0;
}

/* The place in the rewritten program of an instruction of the original. */
static size_t place_now(const struct planner *p, size_t place)
{
    return p->now.at[place];
}

/* Removes the fillers and moves on the way into a loop. */
static void clear_way_in(struct insertions *s, const struct code_loop *l)
{
    size_t n = 0;

    for (size_t k = 0; k < s->n; k++)
        if (s->at[k].place != l->first || !s->at[k].is_skipped)
            s->at[n++] = s->at[k];
    s->n = n;
}

/* Is a register read by number in the loop? */
static bool is_obstacle(const struct planner *p, const struct code_loop *l,
                        unsigned reg)
{
    for (size_t i = place_now(p, l->first); i <= place_now(p, l->last); i++) {
        const struct inst *inst = p->now.line[i].inst;

        for (unsigned k = 0; inst->list.is_whole && k < inst->list.n_reads; k++)
            if (inst->list.reg[k] == reg && !is_near(p, inst, k))
                return true;
    }
    return false;
}

/* Moves on the way into a loop that put each value where the way back has made it, as the
 * program is now. */
static void add_way_in(struct planner *p, struct insertions *s,
                       const struct code_loop *l)
{
    uint16_t at[DISTANCE_FAR + 1]; /* by distance before the loop */
    unsigned longest = 0;

    for (unsigned d = 0; d <= DISTANCE_FAR; d++)
        at[d] = NO_REG;
    for (unsigned r = 0; r < REGID_B; r++) {
        unsigned d = made_before(p, place_now(p, l->last) + 1, r);

        if (!d || at[d] != NO_REG || !is_obstacle(p, l, r))
            continue;
        at[d] = (uint16_t)r;
        longest = longest < d ? d : longest;
    }
    for (unsigned d = longest; d > 0; d--)
        add_to(p, s, l->first, at[d], true);
}

static bool is_moved(const struct insertions *s, size_t place, unsigned reg)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->at[k].place == place && !s->at[k].is_skipped && s->at[k].reg == reg)
            return true;
    return false;
}

/* Tries the loop with one more value moved before the way back; NO_REG: with none. The way
 * in follows from the way back, so that is marked first. */
static void try_loop(struct planner *p, const struct code_loop *l, unsigned reg)
{
    struct insertions s = copy_plan(p);
    struct rewritten was = p->now;

    clear_way_in(&s, l);
    if (reg != NO_REG)
        add_to(p, &s, l->last, reg, false);
    insertions_sort(&s);
    if (p->failed || p->tried > MAX_TRIED || try_plan(p, &s, &p->now) == UINT64_MAX) {
        p->now = was;
        insertions_free(&s);
        return;
    }
    add_way_in(p, &s, l);
    rewrite_free(&p->now);
    p->now = was;
    take_plan(p, &s);
}

static void plan_loop(struct planner *p, const struct code_loop *l)
{
    if (!loop_can_align(p->code, p->n, l))
        return;
    try_loop(p, l, NO_REG);
    for (unsigned r = 0; r < REGID_B; r++)
        if (is_obstacle(p, l, r) && !is_moved(&p->plan, l->last, r))
            try_loop(p, l, r);
}

/* The innermost loops first: those that end first. */
static void plan_loops(struct planner *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->code[i].target >= 0 && (size_t)p->code[i].target <= i)
            plan_loop(p, &(struct code_loop){ (size_t)p->code[i].target, i });
}

/* Where two ways meet, the one that jumps there and the one that falls through, both from
 * the same branch. */
static bool find_ways(const struct planner *p, size_t jump, size_t *branch)
{
    int64_t join = p->code[jump].target;

    if (join <= (int64_t)jump || !p->code[jump].stops || jump + 1 >= p->n)
        return false;
    for (size_t i = jump; i-- > 0;) {
        if (p->code[i].target == (int64_t)jump + 1) {
            *branch = i;
            return true;
        }
        if (p->code[i].inst->flags & INST_CONTROL)
            return false;
    }
    return false;
}

static void plan_joins(struct planner *p)
{
    for (size_t jump = 0; jump < p->n; jump++) {
        size_t branch, one, other;
        struct insertions s;

        if (!find_ways(p, jump, &branch))
            continue;
        one = jump - branch;
        other = (size_t)p->code[jump].target - jump - 1;
        s = copy_plan(p);
        for (size_t k = one; k < other && k < one + DISTANCE_FAR; k++)
            add_to(p, &s, jump, NO_REG, false);
        for (size_t k = other; k < one && k < other + DISTANCE_FAR; k++)
            add_to(p, &s, (size_t)p->code[jump].target, NO_REG, true);
        take_plan(p, &s);
    }
}

/* The only register that keeps an instruction from being free, as a source; NO_REG. */
static unsigned sole_obstacle(const struct planner *p, const struct inst *i)
{
    unsigned reg = NO_REG;

    if (!i->list.is_whole || inst_writes_memory(i))
        return NO_REG;
    for (unsigned k = 0; k < i->list.n_reads + i->list.n_writes; k++) {
        if (is_near(p, i, k))
            continue;
        if (reg != NO_REG || k >= i->list.n_reads)
            return NO_REG;
        reg = i->list.reg[k];
    }
    return reg < REGID_B ? reg : NO_REG;
}

/* How many instructions from this one on a move of the register before it might free. */
static unsigned count_freed(const struct planner *p, size_t at, unsigned reg)
{
    unsigned n = 0;

    for (size_t i = at; i < p->now.n && i < at + p->naming->max_distance; i++) {
        if (i > at && p->now.is_target[i])
            break;
        n += sole_obstacle(p, p->now.line[i].inst) == reg;
        if (regset_has(&p->now.line[i].inst->writes, reg))
            break;
    }
    return n;
}

static void plan_near(struct planner *p)
{
    for (size_t place = 0; place < p->n; place++) {
        size_t at = place_now(p, place);
        unsigned reg = sole_obstacle(p, p->now.line[at].inst);
        struct insertions s;

        if (reg == NO_REG || count_freed(p, at, reg) < 2)
            continue;
        s = copy_plan(p);
        add_to(p, &s, place, reg, false);
        take_plan(p, &s);
    }
}

static void find_weights(struct planner *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->weight[i] = 1;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = p->code[i].target < 0 ? i + 1 : (size_t)p->code[i].target;
             k <= i; k++)
            if (p->weight[k] < 1 << 3 * MAX_DEPTH)
                p->weight[k] *= LOOP_WEIGHT;
}

static int plan_moves(struct planner *p, struct insertions *to, struct err *err)
{
    p->weight = calloc(p->n + 1, sizeof *p->weight);
    p->failed = !p->weight;
    if (!p->failed) {
        find_weights(p);
        p->cost = try_plan(p, &p->plan, &p->now);
    }
    if (!p->failed)
        plan_loops(p);
    if (!p->failed)
        plan_joins(p);
    if (!p->failed)
        plan_near(p);
    rewrite_free(&p->now);
    free(p->weight);
    *to = p->plan;
    if (!p->failed)
        return 0;
    insertions_free(to);
    return err_memory(err, "the distances of a kernel");
}

bool naming_equals(const struct naming *a, const struct naming *b)
{
    if (a->kind != b->kind || a->kind < NAMING_MOVES)
        return a->kind == b->kind;
    return a->max_distance == b->max_distance &&
           (a->kind == NAMING_RELAY || a->orders_writes == b->orders_writes);
}

int hybrid_plan(const struct code_line *code, size_t n, const struct naming *naming,
                struct insertions *to, struct err *err)
{
    struct planner p = { .code = code, .n = n, .naming = naming };

    *to = (struct insertions){ .n = 0 };
    if (naming->kind == NAMING_RELAY && n)
        return relay_plan(code, n, naming->max_distance, to, err);
    if (naming->kind != NAMING_MOVES || !n)
        return 0;
    return plan_moves(&p, to, err);
}
