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
 * After a call, and in the called function, nothing is redundant: functions are not
 * analysed.
 */
#include "analysis/redundancy.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/internal.h"

enum { NO_LABEL = 0 }; /* labels are 1 + the number of a block */

struct levels {
    uint8_t of[N_REGID]; /* enum redundancy */
};

struct pass {
    const struct flow *f;
    const uint8_t *own;
    uint8_t *marks;
    struct levels *in; /* by block: before its first instruction */
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

/* Advances the levels over one instruction; returns its own level. */
static uint8_t step_inst(const struct flow_inst *i, uint8_t own, struct levels *l)
{
    uint8_t level = weakest_source(l, &i->inst->reads, own);

    if (i->kind == FLOW_CALL) {
        memset(l, NOT_REDUNDANT, sizeof *l);
        return level;
    }
    for (unsigned k = 0; k < N_REGID / 64; k++)
        for (uint64_t m = i->inst->writes.w[k]; m; m &= m - 1) {
            uint8_t *to = &l->of[k * 64 + (unsigned)__builtin_ctzll(m)];

            *to =
                flow_keeps_old(i->inst, i->may_pass) ? weaker_level(level, *to) : level;
        }
    return level;
}

static void flow_levels(struct pass *p, uint32_t block, const struct levels *l)
{
    struct levels *in = &p->in[block];

    for (unsigned r = 0; r < N_REGID; r++) {
        uint8_t level = weaker_level(in->of[r], l->of[r]);

        for (unsigned k = level + 1u; k < N_REDUNDANCY; k++)
            if (regset_has(&p->tied[block][k], r))
                level = (uint8_t)k;
        p->has_changed |= level != in->of[r];
        in->of[r] = level;
    }
}

static void walk_block(struct pass *p, uint32_t block)
{
    const struct flow_block *b = &p->f->block[block];
    struct levels now = p->in[block];

    for (uint32_t i = b->first; i < b->end; i++)
        p->marks[i] = step_inst(&p->f->code[i], p->own[i], &now);
    for (unsigned e = 0; e < 2; e++)
        if (b->next[e] != NO_TARGET)
            flow_levels(p, b->next[e], &now);
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
            if (b->next[e] != NO_TARGET)
                all &= p->post_dominators[b->next[e] * p->words + w];
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
                if (f->block[at].next[e] != NO_TARGET)
                    again |= label_block(p, f->block[at].next[e], p->label[at]);
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
            const uint32_t *next = f->block[at].next;

            if (p->back[at] || !is_between(p, branch, at))
                continue;
            p->back[at] = (next[0] != NO_TARGET && p->back[next[0]]) ||
                          (next[1] != NO_TARGET && p->back[next[1]]);
            again |= p->back[at];
        }
    }
}

static void add_written(const struct pass *p, uint32_t block, struct regset *set)
{
    for (uint32_t i = p->f->block[block].first; i < p->f->block[block].end; i++)
        regset_join(set, &p->f->code[i].inst->writes);
}

static void tie_registers(struct pass *p, uint32_t block, uint8_t level,
                          const struct regset *written)
{
    struct regset *to = &p->tied[block][level];

    for (unsigned k = 0; k < N_REGID / 64; k++) {
        p->has_changed |= (written->w[k] & ~to->w[k]) != 0;
        to->w[k] |= written->w[k];
    }
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
    for (uint32_t k = 0; k < p->f->n_blocks; k++)
        if (p->label[k] != NO_LABEL && (p->meets[k] || (is_loop && !p->back[k])))
            tie_registers(p, k, level, &written);
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
    find_post_dominators(p);
    do {
        walk_all(p);
        p->has_changed = false;
        tie_all_branches(p);
        for (uint32_t k = 0; p->has_changed && k < p->f->n_order; k++)
            flow_levels(p, p->f->order[k], &p->in[p->f->order[k]]);
    } while (p->has_changed);
}

int redundancy_mark(const struct flow *f, const uint8_t *own, uint8_t *marks,
                    struct err *err)
{
    size_t n = f->n_blocks;
    struct pass p = { .f = f, .own = own, .marks = marks, .words = (n + 63) / 64 };
    bool is_ready;

    p.in = calloc(n, sizeof *p.in);
    p.tied = calloc(n, sizeof *p.tied);
    p.post_dominators = calloc(n * p.words, sizeof *p.post_dominators);
    p.label = calloc(n, sizeof *p.label);
    p.meets = calloc(2 * n, sizeof *p.meets);
    is_ready = p.in && p.tied && p.post_dominators && p.label && p.meets;
    if (is_ready) {
        p.back = p.meets + n;
        solve_levels(&p);
    }
    free(p.in);
    free(p.tied);
    free(p.post_dominators);
    free(p.label);
    free(p.meets);
    return is_ready ? 0 : err_memory(err, "the marks of redundant instructions");
}
