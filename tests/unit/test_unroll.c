/* test_unroll.c - every kernel of every cubin at hand, unrolled: branches lead to code,
 * the original stays as it was but for its branches back, and registers stay within what
 * was allowed. That results stay the same is shown by tests/cli/unroll.sh.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "frontend/sass/unroll/unroll.h"

#define SPACE_BASE 0x10000000ull

struct count {
    unsigned n[N_UNROLL_RESULT], renamed, copies;
};

static void check_targets(const struct sass_unrolled *u, uint64_t from)
{
    for (uint64_t n = from; n < u->module.n_code; n++) {
        const struct sass_inst *i = &u->module.code[n];

        for (unsigned k = 0; k < i->n_opds; k++) {
            const struct sass_inst *to;

            if (i->opd[k].kind != OPD_TARGET)
                continue;
            to = sass_module_inst(&u->module, (uint64_t)i->opd[k].imm);
            assert_non_null(to);
            assert_non_null(to->row);
        }
    }
}

/* Words and registers stay; only targets of branches back change, and with them what is
 * live where: distances are found anew. */
static void check_original(const struct sass_unrolled *u, const struct sass_module *m)
{
    uint64_t n_patched = 0;

    for (uint64_t n = 0; n < m->n_code; n++) {
        const struct sass_inst *a = &m->code[n], *b = &u->module.code[n];

        assert_memory_equal(&a->word, &b->word, sizeof a->word);
        assert_memory_equal(&a->base, &b->base, offsetof(struct inst, has_distances));
        n_patched += memcmp(a->opd, b->opd, sizeof a->opd) != 0;
        if (memcmp(a->opd, b->opd, sizeof a->opd))
            assert_true(a->base.op == OP_BRA || a->base.op == OP_JMP);
    }
    for (uint32_t k = 0; k < u->n_loops; k++)
        if (u->loop[k].result == UNROLL_done)
            assert_true(n_patched > 0);
}

static unsigned highest(const struct sass_unrolled *u, uint64_t from)
{
    unsigned high = 0;

    for (uint64_t n = from; n < u->module.n_code; n++)
        for (unsigned r = 0; r < 255; r++)
            if (regset_has(&u->module.code[n].base.touches, r) && r + 1 > high)
                high = r + 1;
    return high;
}

static void unroll_kernel(const struct sass_module *m, const struct sass_kernel *k,
                          unsigned factor, unsigned limit, struct count *c)
{
    struct sass_launch l = { .module = m, .kernel = k, .block = { 1, 1, 1 } };
    struct sass_unrolled u;
    struct err err = { 0 };
    unsigned most = limit > k->n_regs ? limit : k->n_regs;

    if (sass_unroll(&u, &l, factor, limit, &err))
        fail_msg("%s: %s", k->info->name, err.text);
    check_targets(&u, m->n_code);
    check_original(&u, m);
    assert_true(u.kernel.n_regs <= most);
    assert_true(highest(&u, m->n_code) <= u.kernel.n_regs);
    assert_true(u.module.n_regs >= u.kernel.n_regs || u.kernel.n_regs == k->n_regs);
    for (uint32_t n = 0; n < u.n_loops; n++) {
        c->n[u.loop[n].result]++;
        c->renamed += u.loop[n].n_private > 0;
        assert_true(u.loop[n].n_sets <= factor);
        if (u.loop[n].result == UNROLL_done)
            assert_true(u.module.n_code >= m->n_code + (factor - 1) * 2);
    }
    c->copies += u.module.n_code > m->n_code + 8;
    sass_unrolled_free(&u);
}

struct loaded {
    struct sass_module module;
    struct space *space;
};

/* Without kernels where the file is not a linked cubin. */
static struct loaded load(const char *path)
{
    struct loaded m = { .space = calloc(1, sizeof *m.space) };
    struct file f;
    struct err err = { 0 };

    if (file_read(path, 1 << 24, &f, &err) ||
        space_init(m.space, SPACE_BASE, 1 << 24, &err))
        fail_msg("%s", err.text);
    sass_module_load(&m.module, m.space, SASS_CODE_BASE,
                     &(struct sass_image){ path, f.data, f.size }, &err);
    file_free(&f);
    return m;
}

static void unload(struct loaded *m)
{
    sass_module_free(&m->module);
    space_free_all(m->space);
    free(m->space);
}

/* How a kernel is unrolled, and what came of it. */
struct plan {
    unsigned factor, limit;
    struct count count;
};

static void unroll_cubin(const char *path, struct plan *plans, unsigned n_plans)
{
    struct loaded m = load(path);

    for (uint32_t k = 0; k < m.module.n_kernels; k++)
        for (unsigned n = 0; n < n_plans; n++)
            unroll_kernel(&m.module, &m.module.kernels[k], plans[n].factor,
                          plans[n].limit, &plans[n].count);
    unload(&m);
}

static void unroll_all(const char *pattern, struct plan *plans, unsigned n_plans)
{
    glob_t g;

    if (glob(pattern, 0, NULL, &g))
        fail_msg("no file %s", pattern);
    for (size_t n = 0; n < g.gl_pathc; n += sample_step())
        unroll_cubin(g.gl_pathv[n], plans, n_plans);
    globfree(&g);
}

static void workloads_keep_their_shape(void **state)
{
    struct plan plans[] = { { .factor = 2, .limit = 0 },
                            { .factor = 4, .limit = 40 },
                            { .factor = 8, .limit = 64 },
                            { .factor = 16, .limit = 255 } };

    (void)state;
    unroll_all("workloads/*/sm_*.cubin", plans, 4);
    for (unsigned n = 0; n < 4; n++) {
        const struct count *c = &plans[n].count;

        assert_true(c->n[UNROLL_done] > 40);
        assert_int_equal(c->n[UNROLL_operand], 0);
        assert_int_equal(c->renamed > 0, plans[n].limit > 0);
        assert_true(c->copies > 0);
    }
}

/* reduce_float's loop, of 8 instructions from 0xa0 on, in three copies. */
static void copies_follow_each_other(void **state)
{
    enum { FIRST = 0xa0 / 16, N = 8, COPIES = 3 };
    struct loaded m = load("workloads/reduction/sm_75.cubin");
    const struct sass_kernel *k = sass_module_kernel(&m.module, "reduce_float");
    struct sass_launch l = { .module = &m.module, .kernel = k, .block = { 1, 1, 1 } };
    const struct sass_inst *was = sass_module_inst(&m.module, k->text_base) + FIRST,
                           *is;
    struct sass_unrolled u;
    struct err err = { 0 };
    uint64_t copy = m.module.code_base + (m.module.n_code + 7) / 8 * 8 * 16;

    (void)state;
    assert_int_equal(sass_unroll(&u, &l, COPIES, 255, &err), 0);
    is = sass_module_inst(&u.module, k->text_base) + FIRST + N - 1;
    assert_int_equal(is->opd[BRA_TARGET].imm, copy); /* the original enters the first */
    for (unsigned c = 0; c < COPIES; c++) {
        const struct sass_inst *i = sass_module_inst(&u.module, copy) + c * N;
        const struct sass_inst *bra = &i[N - 1];
        bool is_last = c + 1 == COPIES;

        for (unsigned n = 0; n < N; n++) {
            assert_int_equal(i[n].base.op, was[n].base.op);
            assert_int_equal(i[n].base.pc, copy + (c * N + n) * 16);
            assert_memory_equal(&i[n].base.control, &was[n].base.control,
                                sizeof i[n].base.control);
        }
        assert_int_equal(bra->guard, was[N - 1].guard);
        assert_int_equal(bra->guard_not == was[N - 1].guard_not, is_last);
        assert_int_equal(bra->opd[BRA_TARGET].imm, is_last ? copy : was[N].base.pc);
    }
    is = sass_module_inst(&u.module, copy) + COPIES * N; /* out of the last */
    assert_int_equal(is->base.op, OP_BRA);
    assert_int_equal(is->guard, PRED_PT);
    assert_int_equal(is->opd[BRA_TARGET].imm, was[N].base.pc);
    sass_unrolled_free(&u);
    unload(&m);
}

/* Kernels made to be hard: returns, calls through pointers, divergent loops. */
static void other_cubins_keep_their_shape(void **state)
{
    struct plan plan = { .factor = 3, .limit = 255 };
    unsigned left = 0;

    (void)state;
    unroll_all("tests/data/*/*.cubin", &plan, 1);
    for (unsigned k = 1; k < N_UNROLL_RESULT; k++)
        left += plan.count.n[k];
    assert_true(plan.count.n[UNROLL_done] > 0);
    assert_true(left > 0);
}

static void every_result_has_a_text(void **state)
{
    (void)state;
    for (unsigned k = 0; k < N_UNROLL_RESULT; k++)
        assert_true(strlen(unroll_result_text((enum unroll_result)k)) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workloads_keep_their_shape),
        cmocka_unit_test(other_cubins_keep_their_shape),
        cmocka_unit_test(copies_follow_each_other),
        cmocka_unit_test(every_result_has_a_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
