/* redundancy.c - which instructions give the same result in every warp of a block.
 *
 * A result is as redundant as the weakest of its sources and as the instruction itself
 * (a special register, a load); where paths meet, the weakest of the reaching
 * definitions counts. That is DARSIE's rule (ASPLOS 2020, section 4.2), over the
 * registers of all spaces, from the beginning of the kernel until nothing changes.
 *
 * The paper leaves open what happens to registers that both sides of a branch write,
 * each redundantly, when warps diverge there and reconverge. Here they are no more
 * redundant than the branch: between it and its post-dominator, wherever two paths
 * meet, at the post-dominator itself, and, for a branch in a loop, after the loop,
 * since warps may leave it in different iterations.
 *
 * A function is analysed once for all its calls: the weakest of their levels enter it. What
 * it writes is, after a call, as redundant as at the weakest of its returns. Functions that
 * are also entered otherwise (analysis/functions.h) are not analysed: after a call of one, and
 * in it, nothing is redundant.
 *
 * Within a block, threads for which a predicate holds and those for which it does not are
 * told apart: what is written under a guard and read under the same one is not mixed with
 * what was there before, nor is it where a branch with that guard leads.
 *
 * Local memory counts as one more register, which a store weakens: a load from it is as
 * redundant as its address and as everything the kernel has stored there. A kernel that
 * reads local memory it never wrote reads nothing of meaning.
 */
#include "analysis/redundancy.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/functions.h"
#include "analysis/internal.h"

enum { NO_LABEL = 0 }; /* labels are 1 + the number of a block */

/* Local memory has the place of RZ, which is in no set. */
enum { LOCAL_MEMORY = REGID_R + 255 };

struct levels {
    uint8_t of[N_REGID]; /* enum redundancy */
};

/* What a function's callers find. */
struct returned {
    struct levels out;                /* at the weakest of its returns */
    struct regset writes;             /* registers that it may write */
    struct regset tied[N_REDUNDANCY]; /* those no more redundant than a branch in it */
};

struct pass {
    const struct flow *f;
    const uint8_t *own;
    uint8_t *marks;
    struct flow_functions functions;
    struct returned *returned; /* by function */
    struct levels *in;         /* by block: before its first instruction */
    /* By block: registers that are no more redundant there than a branch was. */
    struct regset (*tied)[N_REDUNDANCY];
    uint64_t *post_dominators; /* by block, one bit each: its post-dominators */
    size_t words;              /* of a block in post_dominators */
    uint32_t *label; /* of the current branch, by block; NO_LABEL: not reached */
    bool *meets;     /* the same: paths from the branch meet there */
    bool *back;      /* the same: paths lead back to the branch */
    bool has_changed;
};

static uint8_t weaker_level(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint8_t weakest_source(const struct levels *l, const struct regset *set,
                              uint8_t level)
{
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = set->w[k]; m; m &= m - 1)
            level = weaker_level(level, l->of[k * 64 + (unsigned)__builtin_ctzll(m)]);
    return level;
}

static struct regset sources_of(const struct inst *i)
{
    struct regset set = i->reads;

    if (inst_is_load(i) && i->space == SPACE_LOCAL)
        regset_add(&set, LOCAL_MEMORY);
    return set;
}

static struct regset results_of(const struct inst *i)
{
    struct regset set = i->writes;

    if (inst_writes_memory(i) && (i->space == SPACE_LOCAL || i->space == SPACE_GENERIC))
        regset_add(&set, LOCAL_MEMORY);
    return set;
}

/* Levels while a block is walked through: of all threads, and apart of those for which a
 * predicate holds and does not, from its last write on. */
enum { N_PREDICATE = REGID_UP - REGID_P };
struct walk {
    struct levels all;
    struct levels under[N_PREDICATE][2]; /* holds, does not hold; only if settled */
    bool is_settled[N_PREDICATE];
};

static struct levels *levels_under(struct walk *w, int16_t guard)
{
    unsigned p = (unsigned)abs(guard) - 1u - REGID_P;

    if (!guard)
        return &w->all;
    if (!w->is_settled[p])
        w->under[p][0] = w->under[p][1] = w->all;
    w->is_settled[p] = true;
    return &w->under[p][guard < 0];
}

/* May a thread under the instruction's guard keep an old result? A load may have a predicate
 * of its own. */
static bool keeps_old_under(const struct flow_inst *i, unsigned r)
{
    struct inst unguarded = *i->inst;
    struct regset guard = { 0 };

    if (i->guard)
        regset_add(&guard, (unsigned)abs(i->guard) - 1u);
    regset_drop(&unguarded.reads, &guard);
    return r == LOCAL_MEMORY || flow_keeps_old(&unguarded, i->may_pass && !i->guard);
}

/* A result written under a guard: threads either have it or the old one. Those of a view by
 * another predicate may have either, but none that no thread has. */
static void write_under(struct walk *w, const struct flow_inst *i, unsigned r,
                        uint8_t level)
{
    struct levels *own = levels_under(w, i->guard);
    struct levels *other = levels_under(w, (int16_t)-i->guard);

    own->of[r] = keeps_old_under(i, r) ? weaker_level(level, own->of[r]) : level;
    w->all.of[r] = weaker_level(own->of[r], other->of[r]);
    for (unsigned p = 0; p < N_PREDICATE; p++) {
        for (unsigned k = 0; w->is_settled[p] && k < 2; k++) {
            struct levels *l = &w->under[p][k];

            if (l != own && l != other && weaker_level(level, l->of[r]) < w->all.of[r])
                l->of[r] = weaker_level(level, l->of[r]);
            else if (l != own && l != other)
                l->of[r] = w->all.of[r];
        }
    }
}

static void write_level(struct walk *w, const struct flow_inst *i, unsigned r,
                        uint8_t level)
{
    bool keeps = keeps_old_under(i, r);

    if (i->guard) {
        write_under(w, i, r, level);
        return;
    }
    w->all.of[r] = keeps ? weaker_level(level, w->all.of[r]) : level;
    for (unsigned p = 0; p < N_PREDICATE; p++)
        for (unsigned k = 0; w->is_settled[p] && k < 2; k++)
            w->under[p][k].of[r] =
                keeps ? weaker_level(level, w->under[p][k].of[r]) : level;
}

/* Advances the levels over one instruction; returns its own level. Calls leave them to
 * walk_call(). */
static uint8_t step_inst(struct walk *w, const struct flow_inst *i, uint8_t own)
{
    struct regset reads = sources_of(i->inst), writes = results_of(i->inst);
    uint8_t level = weakest_source(levels_under(w, i->guard), &reads, own);

    for (unsigned k = 0; i->kind != FLOW_CALL && k < N_REGID / 64; k++)
        for (uint64_t m = writes.w[k]; m; m &= m - 1)
            write_level(w, i, k * 64 + (unsigned)__builtin_ctzll(m), level);
    for (unsigned p = 0; p < N_PREDICATE; p++)
        w->is_settled[p] &= !regset_has(&writes, REGID_P + p);
    return level;
}

/* Weakens levels to those that arrive and to the branches that registers are tied to. */
static void join_levels(struct pass *p, struct levels *in, const struct levels *l,
                        const struct regset tied[N_REDUNDANCY])
{
    for (unsigned r = 0; r < N_REGID; r++) {
        uint8_t level = weaker_level(in->of[r], l->of[r]);

        for (unsigned k = level + 1u; k < N_REDUNDANCY; k++)
            if (regset_has(&tied[k], r))
                level = (uint8_t)k;
        p->has_changed |= level != in->of[r];
        in->of[r] = level;
    }
}

static void flow_levels(struct pass *p, uint32_t block, const struct levels *l)
{
    join_levels(p, &p->in[block], l, p->tied[block]);
}

/* Passes a call: its function is entered with the levels before it, and what the function
 * writes has the levels of its returns after it. mark: the call's own level. */
static void walk_call(struct pass *p, uint32_t block, uint8_t mark, struct levels *now)
{
    const struct flow_inst *call = &p->f->code[p->f->block[block].end - 1];
    uint32_t n = p->functions.called[block];
    const struct returned *from;

    if (n == NO_TARGET) {
        memset(now, NOT_REDUNDANT, sizeof *now);
        return;
    }
    from = &p->returned[n];
    flow_levels(p, p->functions.function[n].entry, now);
    for (unsigned r = 0; r < N_REGID; r++) {
        uint8_t level = weaker_level(from->out.of[r], mark);

        if (regset_has(&from->writes, r))
            now->of[r] = r == LOCAL_MEMORY || call->may_pass
                             ? weaker_level(level, now->of[r])
                             : level;
    }
}

static void walk_return(struct pass *p, uint32_t block, const struct levels *now)
{
    for (uint32_t k = 0; k < p->functions.n; k++)
        if (p->functions.function[k].has[block])
            join_levels(p, &p->returned[k].out, now, p->returned[k].tied);
}

/* The block's edge e; calls of known functions have only the one to after them. */
static uint32_t next_block(const struct pass *p, uint32_t block, unsigned e)
{
    return e && p->functions.called[block] != NO_TARGET ? NO_TARGET
                                                        : p->f->block[block].next[e];
}

static void walk_block(struct pass *p, uint32_t block)
{
    const struct flow_block *b = &p->f->block[block];
    const struct flow_inst *last = &p->f->code[b->end - 1];
    struct walk w = { .all = p->in[block] };

    for (uint32_t i = b->first; i < b->end; i++)
        p->marks[i] = step_inst(&w, &p->f->code[i], p->own[i]);
    if (last->kind == FLOW_CALL)
        walk_call(p, block, p->marks[b->end - 1], &w.all);
    if (last->kind == FLOW_RETURN)
        walk_return(p, block, &w.all);
    for (unsigned e = 0; e < 2; e++) {
        uint32_t to = next_block(p, block, e);
        int16_t guard = last->kind == FLOW_BRANCH ? last->guard : 0;

        if (to != NO_TARGET)
            flow_levels(p, to, levels_under(&w, e ? guard : (int16_t)-guard));
    }
}

static void walk_all(struct pass *p)
{
    do {
        p->has_changed = false;
        for (uint32_t k = 0; k < p->f->n_order; k++)
            walk_block(p, p->f->order[k]);
    } while (p->has_changed);
}

static bool is_post_dominator(const struct pass *p, uint32_t block, uint32_t other)
{
    return p->post_dominators[block * p->words + other / 64] >> other % 64 & 1;
}

static bool may_end_kernel(const struct pass *p, const struct flow_block *b)
{
    enum flow_kind kind = p->f->code[b->end - 1].kind;

    return kind == FLOW_END || kind == FLOW_RETURN ||
           (b->next[0] == NO_TARGET && b->next[1] == NO_TARGET);
}

/* Removes blocks that are no post-dominators. True if the set has changed. */
static bool narrow_post_dominators(struct pass *p, uint32_t block)
{
    const struct flow_block *b = &p->f->block[block];
    bool changed = false, ends = may_end_kernel(p, b);

    for (size_t w = 0; w < p->words; w++) {
        uint64_t all = ends ? 0 : UINT64_MAX,
                 *at = &p->post_dominators[block * p->words + w];

        for (unsigned e = 0; e < 2; e++)
            if (next_block(p, block, e) != NO_TARGET)
                all &= p->post_dominators[next_block(p, block, e) * p->words + w];
        if (w == block / 64)
            all |= (uint64_t)1 << block % 64;
        changed |= all != *at;
        *at = all;
    }
    return changed;
}

static void find_post_dominators(struct pass *p)
{
    bool again = true;

    memset(p->post_dominators, 0xff,
           p->f->n_blocks * p->words * sizeof *p->post_dominators);
    while (again) {
        again = false;
        for (uint32_t k = p->f->n_order; k-- > 0;)
            again |= narrow_post_dominators(p, p->f->order[k]);
    }
}

/* A path with this label enters a block. True if something has changed. */
static bool label_block(struct pass *p, uint32_t block, uint32_t label)
{
    if (p->label[block] == NO_LABEL) {
        p->label[block] = label;
        return true;
    }
    if (p->label[block] == label || p->meets[block])
        return false;
    p->label[block] = block + 1;
    p->meets[block] = true;
    return true;
}

/* Labels the blocks on the paths from a branch to its post-dominator. */
static void label_paths(struct pass *p, uint32_t branch)
{
    const struct flow *f = p->f;
    const uint32_t *next = f->block[branch].next;
    bool again = true;

    memset(p->label, 0, f->n_blocks * sizeof *p->label);
    memset(p->meets, 0, f->n_blocks * sizeof *p->meets);
    p->label[next[0]] = next[0] + 1;
    p->label[next[1]] = next[1] + 1;
    while (again) {
        again = false;
        for (uint32_t k = 0; k < f->n_order; k++) {
            uint32_t at = f->order[k];

            if (p->label[at] == NO_LABEL ||
                (at != branch && is_post_dominator(p, branch, at)))
                continue;
            for (unsigned e = 0; e < 2; e++)
                if (next_block(p, at, e) != NO_TARGET)
                    again |= label_block(p, next_block(p, at, e), p->label[at]);
        }
    }
}

/* Is the block on a path from the branch, before its post-dominator? */
static bool is_between(const struct pass *p, uint32_t branch, uint32_t block)
{
    return p->label[block] != NO_LABEL &&
           (block == branch || !is_post_dominator(p, branch, block));
}

/* For a branch in a loop: finds the blocks from which paths lead back to it. */
static void find_ways_back(struct pass *p, uint32_t branch)
{
    const struct flow *f = p->f;
    bool again = true;

    memset(p->back, 0, f->n_blocks * sizeof *p->back);
    p->back[branch] = true;
    while (again) {
        again = false;
        for (uint32_t k = f->n_order; k-- > 0;) {
            uint32_t at = f->order[k];

            if (p->back[at] || !is_between(p, branch, at))
                continue;
            for (unsigned e = 0; e < 2; e++)
                if (next_block(p, at, e) != NO_TARGET)
                    p->back[at] |= p->back[next_block(p, at, e)];
            again |= p->back[at];
        }
    }
}

/* Adds the registers that a block writes, and those of the function that it calls. */
static void add_written(const struct pass *p, uint32_t block, struct regset *set)
{
    uint32_t called = p->functions.called[block];

    for (uint32_t i = p->f->block[block].first; i < p->f->block[block].end; i++) {
        struct regset writes = results_of(p->f->code[i].inst);

        regset_join(set, &writes);
    }
    if (called != NO_TARGET)
        regset_join(set, &p->returned[called].writes);
}

static void tie_registers(struct pass *p, struct regset *to,
                          const struct regset *written)
{
    for (unsigned k = 0; k < N_REGID / 64; k++) {
        p->has_changed |= (written->w[k] & ~to->w[k]) != 0;
        to->w[k] |= written->w[k];
    }
}

/* Paths from a branch in a function meet after it if one of them returns there. */
static void tie_returns(struct pass *p, uint32_t block, uint8_t level,
                        const struct regset *written)
{
    if (p->f->code[p->f->block[block].end - 1].kind != FLOW_RETURN)
        return;
    for (uint32_t k = 0; k < p->functions.n; k++)
        if (p->functions.function[k].has[block])
            tie_registers(p, &p->returned[k].tied[level], written);
}

/* Ties the registers written between a branch and its post-dominator to the branch. */
static void tie_writes(struct pass *p, uint32_t branch, uint8_t level)
{
    struct regset written = { 0 };
    bool is_loop;

    label_paths(p, branch);
    is_loop = p->label[branch] != NO_LABEL;
    if (is_loop)
        find_ways_back(p, branch);
    for (uint32_t k = 0; k < p->f->n_blocks; k++)
        if (is_between(p, branch, k))
            add_written(p, k, &written);
    for (uint32_t k = 0; k < p->f->n_blocks; k++) {
        if (p->label[k] != NO_LABEL && (p->meets[k] || (is_loop && !p->back[k])))
            tie_registers(p, &p->tied[k][level], &written);
        if (is_between(p, branch, k))
            tie_returns(p, k, level, &written);
    }
}

/* Ties registers to every branch that is not redundant. */
static void tie_all_branches(struct pass *p)
{
    const struct flow *f = p->f;

    for (uint32_t k = 0; k < f->n_order; k++) {
        const struct flow_block *b = &f->block[f->order[k]];
        uint8_t level = p->marks[b->end - 1];

        if (f->code[b->end - 1].kind == FLOW_BRANCH && level != REDUNDANT &&
            b->next[0] != NO_TARGET && b->next[1] != NO_TARGET)
            tie_writes(p, f->order[k], level);
    }
}

/* Iterates, since registers get weaker with branches and branches with registers. */
static void solve_levels(struct pass *p)
{
    memset(p->marks, NOT_REDUNDANT, p->f->n_insts); /* unreachable code */
    memset(&p->in[0], NOT_REDUNDANT, sizeof p->in[0]);
    p->in[0].of[LOCAL_MEMORY] = REDUNDANT;
    find_post_dominators(p);
    do {
        walk_all(p);
        p->has_changed = false;
        tie_all_branches(p);
        for (uint32_t k = 0; p->has_changed && k < p->f->n_order; k++)
            flow_levels(p, p->f->order[k], &p->in[p->f->order[k]]);
    } while (p->has_changed);
}

/* A function that calls others writes what they write: their blocks are its own. */
static void find_function_writes(struct pass *p)
{
    for (uint32_t n = 0; n < p->functions.n; n++)
        for (uint32_t k = 0; k < p->f->n_blocks; k++)
            if (p->functions.function[n].has[k])
                add_written(p, k, &p->returned[n].writes);
}

int redundancy_mark(const struct flow *f, const uint8_t *own, uint8_t *marks,
                    struct err *err)
{
    size_t n = f->n_blocks;
    struct pass p = { .f = f, .own = own, .marks = marks, .words = (n + 63) / 64 };
    bool is_ready;

    if (flow_find_functions(f, &p.functions, err))
        return -1;
    p.returned = calloc((size_t)p.functions.n + 1, sizeof *p.returned);
    p.in = calloc(n, sizeof *p.in);
    p.tied = calloc(n, sizeof *p.tied);
    p.post_dominators = calloc(n * p.words, sizeof *p.post_dominators);
    p.label = calloc(n, sizeof *p.label);
    p.meets = calloc(2 * n, sizeof *p.meets);
    is_ready = p.returned && p.in && p.tied && p.post_dominators && p.label && p.meets;
    if (is_ready) {
        p.back = p.meets + n;
        find_function_writes(&p);
        solve_levels(&p);
    }
    flow_functions_free(&p.functions);
    free(p.returned);
    free(p.in);
    free(p.tied);
    free(p.post_dominators);
    free(p.label);
    free(p.meets);
    return is_ready ? 0 : err_memory(err, "the marks of redundant instructions");
}
