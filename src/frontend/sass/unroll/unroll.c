/* unroll.c - copies of loop bodies: laid out, renamed, linked.
 *
 * A copy is made by changing register fields of the words and decoding them again at
 * their new place. Which of the fields at bits 16, 24, 32 and 64 hold registers is found
 * by trying: if the new register turns up in what the instruction reads or writes, the
 * field was one. In the end the sets must be the old ones under their new names.
 * Targets are set in the decoded operands; the words keep their old displacements, which
 * nobody reads again.
 */
#include "frontend/sass/unroll/unroll.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/sass/load/flow.h"
#include "frontend/sass/load/passes.h"
#include "frontend/sass/load/turns.h"
#include "frontend/sass/unroll/copy.h"

enum { MAX_COPIED = 1 << 16 }; /* instructions */

const char *unroll_result_text(enum unroll_result r)
{
    static const char *const texts[] = {
#define WHY(id, text) text,
        UNROLL_RESULTS(WHY)
#undef WHY
    };

    return texts[r];
}

/* How a block of a copy ends, where that differs from the original. */
enum tail {
    TAIL_SAME,
    TAIL_JUMP,   /* what came after it is elsewhere: a branch leads there */
    TAIL_INVERT, /* its branch back becomes a branch out, the next copy comes after it */
    TAIL_DROP,   /* its branch back is not needed */
};

struct copier {
    struct sass_unrolled *u;
    const struct sass_flow *code;
    const struct flow *flow;
    const struct flow_loop *loop;
    struct unroll_names names;
    unsigned factor;
    uint64_t *start; /* address of block k of copy c: [c * n_blocks + k] */
    struct sass_inst *out;
    uint64_t pc; /* of the next to be written */
};

static const struct flow_block *block_at(const struct copier *c, uint32_t k)
{
    return &c->flow->block[c->loop->block[k]];
}

static uint32_t place_in_loop(const struct copier *c, uint32_t block)
{
    uint32_t k = 0;

    while (k < c->loop->n_blocks && c->loop->block[k] != block)
        k++;
    return k; /* n_blocks: outside */
}

static uint64_t original_address(const struct copier *c, uint32_t i)
{
    return c->code->base + (uint64_t)i * 16;
}

/* Where copy n goes to when the original goes to instruction i. */
static uint64_t target_in(const struct copier *c, unsigned n, uint32_t i)
{
    uint32_t block = c->flow->block_of[i], k = place_in_loop(c, block);

    if (k == c->loop->n_blocks)
        return original_address(c, i);
    if (i == c->flow->block[c->loop->header].first)
        n = (n + 1) % c->factor;
    return c->start[n * c->loop->n_blocks + k] +
           (uint64_t)(i - c->flow->block[block].first) * 16;
}

static const struct sass_inst *last_of(const struct copier *c, uint32_t k)
{
    return &c->code->inst[block_at(c, k)->end - 1];
}

static bool leads_back(const struct copier *c, uint32_t k)
{
    const struct flow_inst *last = &c->flow->code[block_at(c, k)->end - 1];

    return last->kind == FLOW_BRANCH &&
           c->flow->block_of[last->target] == c->loop->header;
}

/* A branch on its guard alone. */
static bool can_invert(const struct sass_inst *i)
{
    const struct operand *p = &i->opd[BRA_P];

    return i->base.op == OP_BRA && i->guard != PRED_PT && !i->guard_uniform &&
           p->kind == OPD_PRED && p->reg == PRED_PT && !(p->flags & OPD_NOT) &&
           i->opd[BRA_CONDITION].kind == OPD_NONE && !sass_field(i, BRA_TEST);
}

static enum tail tail_of(const struct copier *c, unsigned n, uint32_t k)
{
    const struct flow_block *b = block_at(c, k);
    bool is_last = k + 1 == c->loop->n_blocks;
    bool header_follows =
        is_last && n + 1 < c->factor && c->loop->block[0] == c->loop->header;

    if (header_follows && leads_back(c, k)) {
        if (b->next[0] == NO_TARGET)
            return TAIL_DROP;
        if (can_invert(last_of(c, k)) && !flow_in_loop(c->loop, b->next[0]))
            return TAIL_INVERT;
    }
    if (b->next[0] == NO_TARGET)
        return TAIL_SAME;
    if (b->next[0] == c->loop->header)
        return header_follows ? TAIL_SAME : TAIL_JUMP;
    return !is_last && c->loop->block[k + 1] == b->next[0] ? TAIL_SAME : TAIL_JUMP;
}

static uint32_t size_of(const struct copier *c, unsigned n, uint32_t k)
{
    const struct flow_block *b = block_at(c, k);
    enum tail t = tail_of(c, n, k);

    return b->end - b->first + (t == TAIL_JUMP) - (t == TAIL_DROP);
}

static uint64_t lay_out(struct copier *c)
{
    uint64_t at = c->pc;

    for (unsigned n = 0; n < c->factor; n++)
        for (uint32_t k = 0; k < c->loop->n_blocks; k++) {
            c->start[n * c->loop->n_blocks + k] = at;
            at += (uint64_t)size_of(c, n, k) * 16;
        }
    return (at - c->pc) / 16;
}

/* Are these the old registers under their new names? */
static bool is_renamed(const struct regset *old, const struct regset *now,
                       const uint8_t to[256])
{
    struct regset expected = { 0 };

    for (unsigned r = 0; r < N_REGID; r++)
        if (regset_has(old, r))
            regset_add(&expected, r < N_NAMES ? to[r] : r);
    return !memcmp(&expected, now, sizeof expected);
}

/* The instruction under new names, at another place. False: it cannot be done. */
static bool rename_inst(const struct sass_inst *i, const uint8_t to[256], uint64_t pc,
                        struct sass_inst *out)
{
    static const enum sass_field fields[] = { WORD_RD, WORD_RA, WORD_RB, WORD_RC };
    struct word w = i->word;

    for (unsigned k = 0; k < sizeof fields / sizeof *fields; k++) {
        unsigned r = sass_field(i, fields[k]);
        struct word tried = i->word; /* each field by itself */

        if (to[r] == r)
            continue;
        word_set_field(&tried, fields[k], to[r]);
        if (sass_decode(out, (enum sass_arch)i->arch, tried, pc) &&
            out->base.op == i->base.op && regset_has(&out->base.touches, to[r]) &&
            !regset_has(&i->base.touches, to[r]))
            word_set_field(&w, fields[k], to[r]);
    }
    return sass_decode(out, (enum sass_arch)i->arch, w, pc) &&
           out->base.op == i->base.op && out->n_opds == i->n_opds &&
           is_renamed(&i->base.reads, &out->base.reads, to) &&
           is_renamed(&i->base.writes, &out->base.writes, to);
}

static void set_targets(struct sass_inst *i, const struct copier *c, unsigned n,
                        const struct sass_inst *from)
{
    for (unsigned k = 0; k < from->n_opds; k++) {
        uint64_t to = (uint64_t)from->opd[k].imm;
        uint64_t at = (to - c->code->base) / 16;

        if (from->opd[k].kind == OPD_TARGET)
            i->opd[k].imm =
                (int64_t)(at < c->flow->n_insts ? target_in(c, n, (uint32_t)at) : to);
    }
}

/* An unconditional branch, with the control bits that compilers give one. */
static void put_branch(struct copier *c, uint64_t to)
{
    enum { PLAIN_FORM = 4 };
    struct word w = sass_copy_word(OP_BRA, PLAIN_FORM);

    word_set_field(&w, BRA_P_NUMBER, PRED_PT);
    sass_decode(c->out, c->u->module.arch, w, c->pc);
    c->out->opd[BRA_TARGET].imm = (int64_t)to;
    c->out++;
    c->pc += 16;
}

static bool put_inst(struct copier *c, unsigned n, uint32_t i)
{
    const struct sass_inst *from = &c->code->inst[i];
    const uint8_t *to = c->names.to[(n + 1) % c->names.n_sets];

    if (!rename_inst(from, to, c->pc, c->out))
        return false;
    set_targets(c->out, c, n, from);
    for (unsigned k = 0; k < from->n_opds; k++)
        if (from->opd[k].way == WAY_SPREAD) {
            c->out->opd[k].way = WAY_SPREAD;
            c->out->opd[k].row = from->opd[k].row;
        }
    c->out->is_bound = from->is_bound;
    c->out++;
    c->pc += 16;
    return true;
}

static void invert_branch(struct copier *c, uint32_t block)
{
    struct sass_inst *i = c->out - 1;
    struct word w = i->word;
    uint64_t pc = i->base.pc;

    word_set_field(&w, WORD_GUARD_NOT, !i->guard_not);
    sass_decode(i, c->u->module.arch, w, pc);
    i->opd[BRA_TARGET].imm = (int64_t)original_address(c, c->flow->block[block].first);
}

static bool put_block(struct copier *c, unsigned n, uint32_t k)
{
    const struct flow_block *b = block_at(c, k);
    enum tail t = tail_of(c, n, k);

    for (uint32_t i = b->first; i < b->end - (t == TAIL_DROP); i++)
        if (!put_inst(c, n, i))
            return false;
    if (t == TAIL_INVERT)
        invert_branch(c, b->next[0]);
    else if (t == TAIL_JUMP)
        put_branch(c, target_in(c, n, c->flow->block[b->next[0]].first));
    return true;
}

/* The branches back of the original lead to the first copy. */
static void enter_copies(struct copier *c)
{
    uint64_t header =
        target_in(c, c->factor - 1, c->flow->block[c->loop->header].first);

    for (uint32_t k = 0; k < c->loop->n_blocks; k++) {
        uint64_t at =
            (original_address(c, block_at(c, k)->end - 1) - c->u->module.code_base) /
            16;
        struct sass_inst *i = &c->u->module.code[at];

        if (leads_back(c, k))
            i->opd[flow_target_opd(i)].imm = (int64_t)header;
    }
}

static enum unroll_result why_left(const struct copier *c, uint32_t *n_insts)
{
    bool has_back = false;

    for (uint32_t k = 0; k < c->loop->n_blocks; k++) {
        const struct flow_block *b = block_at(c, k);

        *n_insts += b->end - b->first;
        has_back |= leads_back(c, k);
        for (uint32_t i = b->first; i < b->end; i++) {
            const struct sass_inst *s = &c->code->inst[i];

            if (!s->row)
                return UNROLL_unknown;
            if (s->base.op == OP_LEPC || s->base.op == OP_LEPC_TARGET)
                return UNROLL_address;
            if (c->flow->code[i].kind == FLOW_CALL ||
                c->flow->code[i].kind == FLOW_RETURN)
                return UNROLL_call;
        }
    }
    if (!has_back)
        return UNROLL_falls;
    return *n_insts * c->factor > MAX_COPIED ? UNROLL_large : UNROLL_done;
}

static int copy_loop(struct copier *c, struct unrolled_loop *r, struct err *err)
{
    struct sass_module *m = &c->u->module;
    uint64_t n;
    bool ok = true;

    c->pc = m->code_base + m->n_code * 16;
    n = lay_out(c);
    if (sass_copy_reserve(m, n, err))
        return -1;
    c->out = &m->code[m->n_code];
    for (unsigned k = 0; ok && k < c->factor * c->loop->n_blocks; k++)
        ok = put_block(c, k / c->loop->n_blocks, k % c->loop->n_blocks);
    if (!ok) {
        r->result = UNROLL_operand;
        return 0;
    }
    m->n_code += n;
    enter_copies(c);
    r->n_private = c->names.n_sets > 1 ? c->names.n_private : 0;
    r->n_sets = c->names.n_sets;
    if (c->names.n_regs > c->u->kernel.n_regs)
        c->u->kernel.n_regs = c->names.n_regs;
    if (c->names.n_regs > m->n_regs)
        m->n_regs = c->names.n_regs;
    return 0;
}

static int unroll_loop(struct copier *c, unsigned max_regs, struct err *err)
{
    struct unrolled_loop *r = &c->u->loop[c->u->n_loops++];
    uint32_t n_regs = c->u->launch.kernel->n_regs;
    int failed;

    *r = (struct unrolled_loop){
        .offset = (uint64_t)c->flow->block[c->loop->header].first * 16
    };
    r->result = why_left(c, &r->n_insts);
    if (r->result != UNROLL_done)
        return 0;
    unroll_names(c->flow, c->loop, c->factor, n_regs, max_regs, &c->names);
    c->start = calloc((size_t)c->factor * c->loop->n_blocks, sizeof *c->start);
    if (!c->start)
        return err_memory(err, "an unrolled kernel");
    failed = copy_loop(c, r, err);
    free(c->start);
    return failed;
}

static int unroll_all(struct sass_unrolled *u, const struct sass_flow *code,
                      unsigned factor, unsigned max_regs, struct err *err)
{
    struct flow *flow = flow_new(code->flow, code->n, err);
    struct flow_loops loops;
    int failed;

    if (!flow)
        return -1;
    failed = flow_find_loops(flow, &loops, err);
    if (!failed && loops.n) {
        u->loop = calloc(loops.n, sizeof *u->loop);
        failed = u->loop ? 0 : err_memory(err, "an unrolled kernel");
    }
    for (uint32_t k = 0; !failed && k < loops.n; k++) {
        struct copier c = {
            .u = u, .code = code, .flow = flow, .loop = &loops.loop[k], .factor = factor
        };

        failed = unroll_loop(&c, max_regs, err);
    }
    flow_loops_free(&loops);
    flow_free(flow);
    return failed;
}

/* The kernel as a whole is left. */
static int leave_kernel(struct sass_unrolled *u, enum sass_flow_known known,
                        struct err *err)
{
    static const uint8_t results[] = { [FLOW_HAS_INDIRECT] = UNROLL_indirect,
                                       [FLOW_NOT_AT_START] = UNROLL_entry,
                                       [FLOW_LEAVES] = UNROLL_section };

    u->loop = calloc(1, sizeof *u->loop);
    if (!u->loop)
        return err_memory(err, "an unrolled kernel");
    u->n_loops = 1;
    u->loop->result = results[known];
    return 0;
}

int sass_unroll(struct sass_unrolled *u, const struct sass_launch *l, unsigned factor,
                unsigned max_regs, struct err *err)
{
    struct sass_flow code;
    enum sass_flow_known known = FLOW_IS_KNOWN;
    int failed;

    *u = (struct sass_unrolled){ .launch = *l, .kernel = *l->kernel };
    if (sass_copy_code(&u->module, l->module, err) ||
        sass_flow_make(&code, l->module, l->kernel, &known, err)) {
        sass_unrolled_free(u);
        return -1;
    }
    failed = known == FLOW_IS_KNOWN ? unroll_all(u, &code, factor, max_regs, err)
                                    : leave_kernel(u, known, err);
    sass_flow_free(&code);
    if (!failed)
        failed = sass_mark_distances(u->module.code, u->module.n_code,
                                     u->module.code_base, err);
    if (failed) {
        sass_unrolled_free(u);
        return -1;
    }
    sass_mark_turns(u->module.code, u->module.n_code);
    u->launch.module = &u->module;
    u->launch.kernel = &u->kernel;
    return 0;
}

void sass_unrolled_free(struct sass_unrolled *u)
{
    free(u->module.code);
    free(u->loop);
    memset(u, 0, sizeof *u);
}
