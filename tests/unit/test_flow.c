/* test_flow.c - control flow of small pieces of code: blocks, dominators, live registers,
 * loops, and names for the copies of a loop.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/unroll.h"
#include "check.h"

enum { MAX_CODE = 24, NONE = 255 };

/* One instruction: where it leads, and operands of general registers. */
struct row {
    enum flow_kind kind;
    uint32_t target;
    bool may_pass;
    uint8_t writes, n_writes, reads, n_reads, reads2;
};

struct piece {
    struct flow_inst code[MAX_CODE];
    struct inst inst[MAX_CODE];
    struct flow *flow;
    struct flow_loops loops;
    struct err err;
};

static void source(struct inst *i, unsigned reg, unsigned n)
{
    if (reg == NONE)
        return;
    i->src[i->n_src++] = (struct inst_operand){ .reg = (uint8_t)reg, .n = (uint8_t)n };
    for (unsigned k = 0; k < n; k++)
        regset_add(&i->reads, reg + k);
}

static struct piece *piece_new(const struct row *rows, uint32_t n)
{
    struct piece *p = calloc(1, sizeof *p);

    for (uint32_t k = 0; k < n; k++) {
        struct inst *i = &p->inst[k];
        unsigned n_writes = rows[k].n_writes ? rows[k].n_writes : 1;

        source(i, rows[k].reads, rows[k].n_reads ? rows[k].n_reads : 1);
        source(i, rows[k].reads2, 1);
        if (rows[k].writes != NONE)
            i->dst[i->n_dst++] =
                (struct inst_operand){ .reg = rows[k].writes, .n = (uint8_t)n_writes };
        for (unsigned r = 0; rows[k].writes != NONE && r < n_writes; r++)
            regset_add(&i->writes, rows[k].writes + r);
        inst_index(i);
        p->code[k] = (struct flow_inst){ .inst = i,
                                         .kind = rows[k].kind,
                                         .may_pass = rows[k].may_pass,
                                         .target = rows[k].target };
    }
    p->flow = flow_new(p->code, n, &p->err);
    assert_non_null(p->flow);
    assert_int_equal(flow_find_loops(p->flow, &p->loops, &p->err), 0);
    return p;
}

static void piece_free(struct piece *p)
{
    flow_loops_free(&p->loops);
    flow_free(p->flow);
    free(p);
}

#define PIECE(rows) piece_new(rows, sizeof(rows) / sizeof *(rows))
#define OP(w, a, b)                                \
    {                                              \
        FLOW_NEXT, NO_TARGET, false, w, 1, a, 1, b \
    }
#define JUMP(to)                                       \
    {                                                  \
        FLOW_BRANCH, to, false, NONE, 1, NONE, 1, NONE \
    }
#define IF(to)                                        \
    {                                                 \
        FLOW_BRANCH, to, true, NONE, 1, NONE, 1, NONE \
    }
#define END                                                \
    {                                                      \
        FLOW_END, NO_TARGET, false, NONE, 1, NONE, 1, NONE \
    }

static void a_diamond_has_four_blocks(void **state)
{
    static const struct row rows[] = {
        OP(1, 2, NONE),
        IF(4), /* 0: block 0 */
        OP(3, 1, NONE),
        JUMP(5),        /* 2: block 1 */
        OP(3, 2, NONE), /* 4: block 2 */
        OP(4, 3, NONE),
        END, /* 5: block 3 */
    };
    struct piece *p = PIECE(rows);
    const struct flow *f = p->flow;

    (void)state;
    assert_int_equal(f->n_blocks, 4);
    assert_int_equal(f->block[0].next[0], 1);
    assert_int_equal(f->block[0].next[1], 2);
    assert_int_equal(f->block[1].next[0], NO_TARGET);
    assert_int_equal(f->block[1].next[1], 3);
    assert_int_equal(f->block[2].next[0], 3);
    assert_int_equal(f->block[3].dominator, 0);
    assert_true(flow_dominates(f, 0, 3));
    assert_false(flow_dominates(f, 1, 3));
    assert_false(flow_dominates(f, 2, 3));
    assert_int_equal(p->loops.n, 0);
    assert_true(regset_has(&f->block[0].live_in, 2));
    assert_false(regset_has(&f->block[0].live_in, 1));
    assert_true(regset_has(&f->block[1].live_in, 1)); /* read on this side only */
    assert_false(regset_has(&f->block[2].live_in, 1));
    assert_true(regset_has(&f->block[3].live_in, 3));
    assert_false(regset_has(&f->block[2].live_in, 3)); /* both sides write it */
    piece_free(p);
}

static void a_guarded_write_does_not_end_a_life(void **state)
{
    struct row rows[] = { OP(3, NONE, NONE), OP(4, 3, NONE), END };
    struct piece *p;

    (void)state;
    for (unsigned guarded = 0; guarded < 2; guarded++) {
        rows[0].may_pass = guarded;
        p = PIECE(rows);
        assert_int_equal(regset_has(&p->flow->block[0].live_in, 3), guarded);
        piece_free(p);
    }
}

static void a_call_reads_what_is_called_reads(void **state)
{
    static const struct row rows[] = {
        { FLOW_CALL, 4, false, NONE, 1, NONE, 1, NONE }, /* 0 */
        OP(1, 7, NONE),                                  /* 1: behind the call */
        END,
        OP(9, 9, NONE), /* 3: reached by nobody */
        OP(6, 5, NONE), /* 4: what is called */
        { FLOW_RETURN, NO_TARGET, false, NONE, 1, NONE, 1, NONE },
    };
    struct piece *p = PIECE(rows);
    const struct flow *f = p->flow;

    (void)state;
    assert_true(regset_has(&f->block[0].live_in, 5));
    assert_true(regset_has(&f->block[0].live_in, 7));
    assert_false(regset_has(&f->block[0].live_in, 9));
    assert_true(regset_has(&f->block[f->block_of[4]].live_in, 7)); /* it returns */
    assert_false(f->block[f->block_of[3]].is_reached);
    piece_free(p);
}

static void an_unknown_call_reads_everything(void **state)
{
    static const struct row rows[] = {
        { FLOW_CALL, NO_TARGET, false, NONE, 1, NONE, 1, NONE },
        END,
    };
    struct piece *p = PIECE(rows);

    (void)state;
    assert_true(regset_has(&p->flow->block[0].live_in, 200));
    piece_free(p);
}

/* Two loops in one; the outer is not innermost. A loop at the entry, one of one block. */
static void innermost_loops_are_found(void **state)
{
    static const struct row rows[] = {
        OP(1, 1, NONE), /* 0: outer header */
        OP(2, 2, NONE),
        IF(1),          /* 1: inner, one block */
        OP(3, 3, NONE), /* 3: inner of two blocks */
        IF(6),
        OP(4, 4, NONE), /* 4 */
        IF(3),          /* 6 */
        IF(0),
        END, /* 7 */
    };
    struct piece *p = PIECE(rows);
    const struct flow *f = p->flow;

    (void)state;
    assert_int_equal(p->loops.n, 2);
    assert_int_equal(f->block[p->loops.loop[0].header].first, 1);
    assert_int_equal(p->loops.loop[0].n_blocks, 1);
    assert_int_equal(f->block[p->loops.loop[1].header].first, 3);
    assert_int_equal(p->loops.loop[1].n_blocks, 3);
    assert_true(flow_in_loop(&p->loops.loop[1], f->block_of[5]));
    assert_false(flow_in_loop(&p->loops.loop[1], f->block_of[7]));
    piece_free(p);
}

/* Entered in the middle: not a natural loop. */
static void a_loop_with_two_entries_is_none(void **state)
{
    static const struct row rows[] = {
        IF(3),
        OP(1, 1, NONE), /* 0 */
        OP(2, 2, NONE), /* 2 */
        OP(3, 3, NONE), /* 3 */
        IF(2),
        END, /* 4 */
    };
    struct piece *p = PIECE(rows);

    (void)state;
    assert_int_equal(p->loops.n, 0);
    piece_free(p);
}

static void a_target_outside_is_refused(void **state)
{
    struct flow_inst code[] = { { .kind = FLOW_BRANCH, .target = 1 } };
    struct err err = { 0 };

    (void)state;
    assert_null(flow_new(code, 1, &err));
    assert_non_null(strstr(err.text, "leads to 1"));
    assert_null(flow_new(code, 0, &err));
}

/* R4 and R5 are loaded together and used up: private. R8 is summed, R2 counts up, R6 is
 * read behind the loop, R7 only by what a guard may suppress. */
static const struct row sum[] = {
    OP(8, NONE, NONE),
    OP(2, NONE, NONE),                                 /* 0 */
    { FLOW_NEXT, NO_TARGET, false, 4, 2, 2, 1, NONE }, /* 2: pair R4 of [R2] */
    OP(6, 4, NONE),                                    /* 3 */
    OP(8, 5, 8),                                       /* 4 */
    OP(2, 2, NONE),                                    /* 5 */
    { FLOW_NEXT, NO_TARGET, true, 7, 1, 4, 1, NONE },  /* 6 */
    OP(9, 7, 6),                                       /* 7 */
    IF(2),                                             /* 8 */
    OP(1, 8, 6),
    END, /* 9 */
};

static void what_an_iteration_keeps_is_renamed(void **state)
{
    struct piece *p = PIECE(sum);
    struct unroll_names n;

    (void)state;
    assert_int_equal(p->loops.n, 1);
    unroll_names(p->flow, &p->loops.loop[0], 3, 10, 255, &n);
    assert_int_equal(n.n_sets, 3);
    assert_int_equal(n.n_private, 3); /* R4, R5 and R9 */
    for (unsigned k = 0; k < 3; k++) {
        assert_int_equal(n.to[k][2], 2);
        assert_int_equal(n.to[k][6], 6);
        assert_int_equal(n.to[k][7], 7);
        assert_int_equal(n.to[k][8], 8);
        assert_int_equal(n.to[k][5], n.to[k][4] + 1);
        assert_int_equal(n.to[k][4] % 4, 0);
        assert_int_equal(n.to[k][255], 255);
    }
    assert_int_equal(n.to[0][4], 4);
    for (unsigned k = 1; k < 3; k++)
        for (unsigned j = 0; j < k; j++) {
            assert_int_not_equal(n.to[k][4], n.to[j][4]);
            assert_int_not_equal(n.to[k][9], n.to[j][9]);
            assert_int_not_equal(n.to[k][9], n.to[j][5]);
        }
    assert_true(n.to[1][4] >= 10 && n.to[1][9] >= 10);
    assert_int_equal(n.n_regs, 12 + 4 + 3);
    piece_free(p);
}

static void the_budget_is_kept(void **state)
{
    struct piece *p = PIECE(sum);
    struct unroll_names n;

    (void)state;
    for (unsigned limit = 0; limit <= 40; limit++) {
        unroll_names(p->flow, &p->loops.loop[0], 8, 10, limit, &n);
        assert_true(n.n_regs <= (limit > 10 ? limit : 10));
        for (unsigned k = 1; k < n.n_sets; k++)
            for (unsigned r = 0; r < 10; r++)
                assert_true(n.to[k][r] == r || n.to[k][r] < limit);
        if (limit == 12)
            assert_int_equal(n.n_sets, 1);
        if (limit == 14) /* the pair alone */
            assert_int_equal(n.n_private, 2);
        if (limit == 15)
            assert_int_equal(n.n_sets, 2);
        if (limit == 19)
            assert_int_equal(n.n_sets, 3);
    }
    piece_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diamond_has_four_blocks),
        cmocka_unit_test(a_guarded_write_does_not_end_a_life),
        cmocka_unit_test(a_call_reads_what_is_called_reads),
        cmocka_unit_test(an_unknown_call_reads_everything),
        cmocka_unit_test(innermost_loops_are_found),
        cmocka_unit_test(a_loop_with_two_entries_is_none),
        cmocka_unit_test(a_target_outside_is_refused),
        cmocka_unit_test(what_an_iteration_keeps_is_renamed),
        cmocka_unit_test(the_budget_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
