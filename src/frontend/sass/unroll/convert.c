/* convert.c - a kernel with inserted moves, laid out and linked anew. */
#include "frontend/sass/unroll/convert.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/distance.h"
#include "frontend/sass/load/flow.h"
#include "frontend/sass/load/passes.h"
#include "frontend/sass/load/turns.h"
#include "frontend/sass/unroll/copy.h"

/* Forms of words: the second source is a register, absent or an immediate, a uniform
 * register. */
enum { FORM_REG = 1, FORM_PLAIN = 4, FORM_UREG = 6 };

/* P, PT = a function of three predicates that is the first of them. */
static struct word predicate_move(unsigned op, unsigned p)
{
    enum { FIRST = 0xf0, LOW_BITS = 3 };
    struct word w = sass_copy_word(op, FORM_PLAIN);

    word_set_field(&w, PLOP3_TO, p);
    word_set_field(&w, PLOP3_TO2, PRED_PT);
    word_set_field(&w, PLOP3_FIRST, p);
    word_set_field(&w, PLOP3_SECOND, PRED_PT);
    word_set_field(&w, PLOP3_C_NUMBER, PRED_PT);
    word_set_field(&w, PLOP3_TABLE_LOW, FIRST);
    word_set_field(&w, PLOP3_TABLE_HIGH, FIRST >> LOW_BITS);
    return w;
}

static struct word register_move(unsigned op, unsigned form, unsigned r)
{
    enum { ALL_BYTES = 0xf };
    struct word w = sass_copy_word(op, form);

    word_set_field(&w, WORD_RD, r);
    word_set_field(&w, WORD_RB, r);
    if (op == OP_MOV)
        word_set_field(&w, MOV_BYTES, ALL_BYTES);
    return w;
}

/* The word that moves a register to itself, or does nothing. */
static struct word inserted_word(unsigned reg)
{
    if (reg == NO_REG)
        return sass_copy_word(OP_NOP, FORM_PLAIN);
    if (reg < REGID_UR)
        return register_move(OP_MOV, FORM_REG, reg);
    if (reg >= REGID_P && reg < REGID_UP)
        return predicate_move(OP_PLOP3, reg - REGID_P);
    if (reg >= REGID_UP && reg < REGID_B)
        return predicate_move(OP_UPLOP3, reg - REGID_UP);
    if (reg < REGID_P)
        return register_move(OP_UMOV, FORM_UREG, reg - REGID_UR);
    return register_move(OP_UMOV, FORM_UREG, reg - REGID_UR_HIGH + UR_LOW);
}

struct writer {
    struct sass_converted *c;
    const struct sass_launch *from;
    const struct insertions *plan;
    size_t next; /* in the plan */
    struct sass_inst *out;
    uint64_t pc;
};

/* Where jumps to each instruction of the section lead. */
static void lay_out(struct writer *w, uint64_t base)
{
    const struct insertions *plan = w->plan;
    uint64_t n = w->from->kernel->n_code;
    size_t before = 0;

    for (uint64_t i = 0; i <= n; i++) {
        size_t all = before;

        while (before < plan->n && plan->at[before].place == i &&
               plan->at[before].is_skipped)
            before++;
        w->c->moved[i] = base + (i + before) * 16;
        for (all = before; all < plan->n && plan->at[all].place == i;)
            all++;
        before = all;
    }
}

static bool put_inserted(struct writer *w, unsigned reg)
{
    bool ok = sass_decode(w->out, w->c->module.arch, inserted_word(reg), w->pc);
    struct regset moved = { 0 };

    if (reg != NO_REG)
        regset_add(&moved, reg);
    w->out->base.flags |= INST_INSERTED;
    w->out++;
    w->pc += 16;
    return ok && !memcmp(&w->out[-1].base.writes, &moved, sizeof moved) &&
           !memcmp(&w->out[-1].base.reads, &moved, sizeof moved);
}

/* Are its targets places to go to, and not what an address in a register is relative to? */
static bool has_places(const struct sass_inst *i)
{
    switch (i->base.op) {
    case OP_RET:
    case OP_CALL_ABS_REG:
    case OP_CALL_REL_REG:
    case OP_LEPC:
    case OP_LEPC_TARGET:
        return false;
    default:
        return true;
    }
}

static void put_copy(struct writer *w, const struct sass_inst *i)
{
    const struct sass_kernel *k = w->from->kernel;

    *w->out = *i;
    w->out->base.pc = w->pc;
    for (unsigned n = 0; n < i->n_opds && has_places(i); n++) {
        uint64_t at = ((uint64_t)i->opd[n].imm - k->text_base) / 16;

        if (i->opd[n].kind == OPD_TARGET && at < k->n_code)
            w->out->opd[n].imm = (int64_t)w->c->moved[at];
    }
    w->out++;
    w->pc += 16;
}

static int put_code(struct writer *w, struct err *err)
{
    const struct sass_kernel *k = w->from->kernel;
    const struct sass_inst *code = sass_module_inst(w->from->module, k->text_base);

    for (uint64_t i = 0; i < k->n_code; i++) {
        for (; w->next < w->plan->n && w->plan->at[w->next].place == i; w->next++)
            if (!put_inserted(w, w->plan->at[w->next].reg))
                return err_set(err, "kernel %s: register %u cannot be moved to itself",
                               k->info->name, w->plan->at[w->next].reg);
        put_copy(w, &code[i]);
    }
    return 0;
}

static int mark_kernel(const struct sass_converted *c, struct err *err)
{
    struct code_line *code = sass_kernel_lines(&c->module, &c->kernel, err);
    int rc = code ? distance_mark(code, c->kernel.n_code, err) : -1;

    free(code);
    return rc;
}

/* Writes the kernel after its module, with what the plan inserts. */
static int write_kernel(struct sass_converted *c, const struct sass_launch *l,
                        const struct insertions *plan, struct err *err)
{
    struct sass_module *m = &c->module;
    uint64_t base = m->code_base + m->n_code * 16, n = l->kernel->n_code + plan->n;
    struct writer w = { .c = c, .from = l, .plan = plan, .pc = base };

    c->moved = calloc(l->kernel->n_code + 1, sizeof *c->moved);
    if (!c->moved)
        return err_memory(err, "a rewritten kernel");
    lay_out(&w, base);
    if (sass_copy_reserve(m, n, err))
        return -1;
    w.out = &m->code[m->n_code];
    if (put_code(&w, err))
        return -1;
    m->moved = c->moved;
    m->moved_base = l->kernel->text_base;
    m->n_moved = l->kernel->n_code;
    m->n_code += n;
    c->kernel.text_base = c->kernel.entry = base;
    c->kernel.n_code = n;
    c->n_inserted = plan->n;
    sass_mark_turns(&m->code[m->n_code - n], n);
    return 0;
}

static int convert_kernel(struct sass_converted *c, const struct sass_launch *l,
                          const struct naming *naming, struct err *err)
{
    struct code_line *code = sass_kernel_lines(l->module, l->kernel, err);
    struct insertions plan = { .n = 0 };
    int rc = code ? hybrid_plan(code, l->kernel->n_code, naming, &plan, err) : -1;

    free(code);
    if (!rc && plan.n)
        rc = write_kernel(c, l, &plan, err);
    insertions_free(&plan);
    return rc ? rc : mark_kernel(c, err);
}

static int refuse_kernel(const struct sass_launch *l, enum sass_flow_known known,
                         struct err *err)
{
    static const char *const texts[] = {
        [FLOW_HAS_INDIRECT] = "it has indirect branches",
        [FLOW_NOT_AT_START] = "it does not begin its section",
        [FLOW_LEAVES] = "it branches out of its section (unrolled loops do)",
    };

    return err_kind(err, ERR_UNSUPPORTED,
                    "kernel %s cannot be rewritten with relays: %s",
                    l->kernel->info->name, texts[known]);
}

int sass_convert(struct sass_converted *c, const struct sass_launch *l,
                 const struct naming *naming, struct err *err)
{
    enum sass_flow_known known = FLOW_IS_KNOWN;
    struct sass_flow flow;
    int failed = 0;

    *c = (struct sass_converted){ .launch = *l, .kernel = *l->kernel };
    if (sass_flow_make(&flow, l->module, l->kernel, &known, err))
        return -1;
    sass_flow_free(&flow);
    if (known != FLOW_IS_KNOWN)
        return naming->kind == NAMING_RELAY ? refuse_kernel(l, known, err) : 0;
    if (sass_copy_code(&c->module, l->module, err))
        return -1;
    failed = convert_kernel(c, l, naming, err);
    if (failed) {
        sass_converted_free(c);
        return -1;
    }
    c->launch.module = &c->module;
    c->launch.kernel = &c->kernel;
    return 0;
}

void sass_converted_free(struct sass_converted *c)
{
    free(c->module.code);
    free(c->moved);
    memset(c, 0, sizeof *c);
}
