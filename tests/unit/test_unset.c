/* Registers that a kernel may read before it has written them, and that a block which
 * takes the memory of another finds cleared. */
#include "exec_rig.h"
#include "frontend/sass/exec/unset.h"

enum { CODE = 0x1000, N_CODE = 5 };

struct program {
    struct sass_module module;
    struct cubin_kernel info;
    struct sass_kernel kernel;
    struct sass_inst code[N_CODE];
};

/* Writes a register from another one. */
static struct sass_inst move(uint16_t op, uint8_t class, unsigned to, unsigned from)
{
    static const struct op_row row;
    struct sass_inst i = { .row = &row,
                           .guard = PRED_PT,
                           .base = { .op = op, .class = class } };

    regset_add(&i.base.writes, REGID_R + to);
    regset_add(&i.base.reads, REGID_R + from);
    return i;
}

static struct sass_launch launch_of(struct program *p)
{
    p->module =
        (struct sass_module){ .code_base = CODE, .n_code = N_CODE, .code = p->code };
    p->kernel =
        (struct sass_kernel){ .info = &p->info, .text_base = CODE, .n_code = N_CODE };
    return (struct sass_launch){ .module = &p->module, .kernel = &p->kernel };
}

static void assert_unset(struct program *p, unsigned n, const unsigned *regs)
{
    struct sass_launch l = launch_of(p);
    struct regset unset, expected = { 0 };

    for (unsigned k = 0; k < n; k++)
        regset_add(&expected, REGID_R + regs[k]);
    sass_unset(&l, &unset);
    assert_memory_equal(&unset, &expected, sizeof unset);
}

/* R3 is not written where the guard does not hold, R2 is read of lanes that do not take
 * part; R4 is written first, R6 never read. */
static void test_found(void **state)
{
    struct program p = {
        .code = { move(OP_MOV, CLASS_int, 2, 1), move(OP_MOV, CLASS_int, 3, 2),
                  move(OP_MOV, CLASS_int, 4, 3), move(OP_SHFL_RR, CLASS_shuffle, 6, 2),
                  move(OP_EXIT, CLASS_exit, 6, 4) }
    };
    static const unsigned guarded[] = { 1, 2, 3 }, whole[] = { 1, 2 }, alone[] = { 1 };

    (void)state;
    p.code[1].guard = 0;
    assert_unset(&p, 3, guarded);
    p.code[1].guard = PRED_PT;
    assert_unset(&p, 2, whole);
    p.code[3] = move(OP_MOV, CLASS_int, 6, 2);
    assert_unset(&p, 1, alone);
}

/* Where code goes on is not known: it may read anything. */
static void test_unknown(void **state)
{
    struct program p = { .code = { move(OP_MOV, CLASS_int, 2, 1) } };
    struct sass_launch l = launch_of(&p);
    struct regset unset;

    (void)state;
    for (unsigned k = 1; k < N_CODE; k++)
        p.code[k] = move(OP_BRX, CLASS_branch, 2, 1);
    sass_unset(&l, &unset);
    for (unsigned k = 0; k < N_REGID / 64; k++)
        assert_int_equal(unset.w[k], UINT64_MAX);
}

static void test_cleared(void **state)
{
    struct rig *r = *state;
    struct sass_grid *g = &r->grid;
    struct sass_block *b;

    g->n_threads = 32;
    g->n_rows = 5;
    g->cluster_size = 1;
    g->kept = &g->own;
    regset_add(&g->unset, REGID_R + 2);
    regset_add(&g->unset, REGID_UR + 3);
    b = sass_block_new(g, 0, &r->err);
    assert_non_null(b);
    memset(b->warps[0].r[1], 0xff, 4 * ROW_BYTES);
    memset(b->warps[0].u, 0xff, g->n_urows * ROW_BYTES);
    sass_block_free(b);
    b = sass_block_new(g, 1, &r->err);
    assert_non_null(b);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(b->warps[0].r[0][lane], 0);
        assert_int_equal(b->warps[0].r[3][lane], 0);
        assert_int_equal(b->warps[0].u[3][lane], 0);
    }
    sass_block_free(b);
    sass_kept_free(g->kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_found),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test_setup_teardown(test_cleared, rig_setup, rig_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
