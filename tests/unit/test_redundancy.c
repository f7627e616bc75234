/* test_redundancy.c - which instructions are marked as giving the same result in all warps
 * of a block.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/redundancy.h"
#include "check.h"

enum { MAX_CODE = 24 };

/* An instruction: d = f(a, b), registers from 1 on, 0: none. */
struct row {
    uint8_t own; /* enum redundancy */
    uint16_t d, a, b;
    enum flow_kind kind;
    bool may_pass;
    uint32_t target;
    uint8_t memory; /* enum inst_memory, of local memory */
    int8_t guard;   /* predicate from 1 on, negative if it must be false; 0: none */
};

#define SAME(d, a, b)                                         \
    {                                                         \
        REDUNDANT, d, a, b, FLOW_NEXT, false, NO_TARGET, 0, 0 \
    }
#define SHAPE(d)                                                       \
    {                                                                  \
        REDUNDANT_BY_SHAPE, d, 0, 0, FLOW_NEXT, false, NO_TARGET, 0, 0 \
    }
#define VECTOR(d)                                                 \
    {                                                             \
        NOT_REDUNDANT, d, 0, 0, FLOW_NEXT, false, NO_TARGET, 0, 0 \
    }
/* Local memory: d = [a]; [a] = b. */
#define LOAD(d, a)                                                     \
    {                                                                  \
        REDUNDANT, d, a, 0, FLOW_NEXT, false, NO_TARGET, INST_READS, 0 \
    }
#define STORE(a, b)                                                     \
    {                                                                   \
        REDUNDANT, 0, a, b, FLOW_NEXT, false, NO_TARGET, INST_WRITES, 0 \
    }
#define GUARDED(d, a, guard)                                     \
    {                                                            \
        REDUNDANT, d, a, guard, FLOW_NEXT, true, NO_TARGET, 0, 0 \
    }
#define BRANCH(a, to)                                   \
    {                                                   \
        REDUNDANT, 0, a, 0, FLOW_BRANCH, true, to, 0, 0 \
    }
#define JUMP(to)                                         \
    {                                                    \
        REDUNDANT, 0, 0, 0, FLOW_BRANCH, false, to, 0, 0 \
    }
#define CALL(to)                                       \
    {                                                  \
        REDUNDANT, 0, 0, 0, FLOW_CALL, false, to, 0, 0 \
    }
#define RETURN                                                  \
    {                                                           \
        REDUNDANT, 0, 0, 0, FLOW_RETURN, false, NO_TARGET, 0, 0 \
    }
#define END                                                  \
    {                                                        \
        REDUNDANT, 0, 0, 0, FLOW_END, false, NO_TARGET, 0, 0 \
    }

/* d = f(a), and a branch, under a predicate; a predicate from a register. */
#define UNDER(guard, d, a)                                       \
    {                                                            \
        REDUNDANT, d, a, 0, FLOW_NEXT, true, NO_TARGET, 0, guard \
    }
#define BRANCH_UNDER(guard, to)                             \
    {                                                       \
        REDUNDANT, 0, 0, 0, FLOW_BRANCH, true, to, 0, guard \
    }
#define PREDICATE(p, a)                                                     \
    {                                                                       \
        REDUNDANT, REGID_P + (p)-1, a, 0, FLOW_NEXT, false, NO_TARGET, 0, 0 \
    }

static int16_t guard_of(const struct row *r)
{
    int16_t id = (int16_t)(REGID_P + abs(r->guard));

    return (int16_t)(r->guard < 0 ? -id : r->guard ? id : 0);
}

/* Marks as letters: D redundant, C by shape, V not; jumps and ends are '.'. */
static void expect(const struct row *rows, uint32_t n, const char *expected)
{
    struct flow_inst code[MAX_CODE];
    struct inst inst[MAX_CODE];
    uint8_t own[MAX_CODE], marks[MAX_CODE];
    char found[MAX_CODE + 1] = { 0 };
    struct err err = { 0 };
    struct flow *f;

    memset(inst, 0, sizeof inst);
    assert_true(n <= MAX_CODE);
    for (uint32_t k = 0; k < n; k++) {
        const struct row *r = &rows[k];

        if (r->d)
            regset_add(&inst[k].writes, r->d);
        if (r->a)
            regset_add(&inst[k].reads, r->a);
        if (r->b)
            regset_add(&inst[k].reads, r->b);
        if (r->guard)
            regset_add(&inst[k].reads, REGID_P + (unsigned)abs(r->guard) - 1);
        inst[k].memory = r->memory;
        inst[k].space = r->memory ? SPACE_LOCAL : SPACE_NONE;
        own[k] = r->own;
        code[k] = (struct flow_inst){ .inst = &inst[k],
                                      .kind = r->kind,
                                      .may_pass = r->may_pass,
                                      .target = r->target,
                                      .guard = guard_of(r) };
    }
    f = flow_new(code, n, &err);
    assert_non_null(f);
    assert_int_equal(redundancy_mark(f, own, marks, &err), 0);
    flow_free(f);
    for (uint32_t k = 0; k < n; k++)
        found[k] = rows[k].kind == FLOW_NEXT ? "DCYV"[marks[k]] : '.';
    assert_string_equal(found, expected);
}
#define EXPECT(rows, marks) expect(rows, sizeof(rows) / sizeof *(rows), marks)

static void weakest_of_sources(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), SHAPE(2),      VECTOR(3),
                                       SAME(4, 1, 1), SAME(5, 1, 2), SAME(6, 2, 3),
                                       SAME(7, 4, 5), SAME(8, 6, 4), END };

    (void)state;
    EXPECT(rows, "DCVDCVCV.");
}

/* What the kernel does not write it does not know. */
static void nothing_is_known_at_first(void **state)
{
    static const struct row rows[] = { SAME(1, 2, 0), SAME(2, 0, 0), SAME(3, 2, 0),
                                       END };

    (void)state;
    EXPECT(rows, "VDD.");
}

static void overwritten(void **state)
{
    static const struct row rows[] = { VECTOR(1), SAME(2, 1, 0), SAME(1, 0, 0),
                                       SAME(2, 1, 0), END };

    (void)state;
    EXPECT(rows, "VVDD.");
}

/* A guard that may leave the old value: as weak as that, and as the guard. */
static void guarded(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), VECTOR(2),
                                       SAME(3, 0, 0), GUARDED(2, 1, 1),
                                       SAME(4, 2, 0), GUARDED(3, 1, 2),
                                       SAME(4, 3, 0), END };

    (void)state;
    EXPECT(rows, "DVDDVVV.");
}

/* Two definitions meet: the weaker one counts, whatever the branch is. */
static void definitions_meet(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), BRANCH(1, 4),  SHAPE(2), JUMP(5),
                                       SAME(2, 0, 0), SAME(3, 2, 0), END };

    (void)state;
    EXPECT(rows, "D.C.DC.");
}

/* Warps part and meet again: what either side wrote is as weak as the branch, what they
 * left alone is not; and nothing is weaker on the sides themselves. */
static void sides_of_a_branch(void **state)
{
    static const struct row rows[] = {
        VECTOR(1), SAME(4, 0, 0), BRANCH(1, 6),  SAME(2, 0, 0), SAME(3, 2, 0),
        JUMP(7),   SAME(2, 0, 0), SAME(3, 2, 0), SAME(5, 4, 0), END
    };
    static const struct row one_side[] = { SHAPE(1),      SAME(2, 0, 0), BRANCH(1, 4),
                                           SAME(2, 0, 0), SAME(3, 2, 0), END };
    static const struct row same[] = { SAME(1, 0, 0), SAME(2, 0, 0), BRANCH(1, 4),
                                       SAME(2, 0, 0), SAME(3, 2, 0), END };

    (void)state;
    EXPECT(rows, "VD.DD.DVD.");
    EXPECT(one_side, "CD.DC.");
    EXPECT(same, "DD.DD.");
}

/* Those who end do not come back. */
static void a_side_that_ends(void **state)
{
    static const struct row rows[] = { VECTOR(1), BRANCH(1, 4),  SAME(2, 0, 0),
                                       END,       SAME(2, 0, 0), SAME(3, 2, 0),
                                       END };

    (void)state;
    EXPECT(rows, "V.D.DD.");
}

/* if (a) { if (b) end; x = 1 } else x = 2; y = x: no way out of the first branch leads to
 * y always, but two of them meet there. */
static void meeting_before_the_end(void **state)
{
    static const struct row rows[] = { VECTOR(1),     BRANCH(1, 5), BRANCH(1, 8),
                                       SAME(2, 0, 0), JUMP(6),      SAME(2, 0, 0),
                                       SAME(3, 2, 0), END,          END };

    (void)state;
    EXPECT(rows, "V..D.DV..");
}

/* Warps that leave a loop in different rounds: its counter is the same in it, not behind
 * it. With an exit that all take in the same round it stays so. */
static void behind_a_loop(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), SAME(1, 1, 0), VECTOR(2),
                                       BRANCH(2, 1),  SAME(3, 1, 0), END };
    static const struct row same[] = { SAME(1, 0, 0), SAME(1, 1, 0), BRANCH(1, 1),
                                       SAME(3, 1, 0), END };

    (void)state;
    EXPECT(rows, "DDV.V.");
    EXPECT(same, "DD.D.");
}

/* The same with two ways out of the loop: behind either. */
static void two_ways_out(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), SAME(4, 0, 0), SAME(1, 1, 0),
                                       BRANCH(4, 7),  VECTOR(2),     BRANCH(2, 2),
                                       END,           SAME(3, 1, 0), END };

    (void)state;
    EXPECT(rows, "DDD.V..V.");
}

/* A loop that only some warps come to is the same to all that do. */
static void a_loop_on_one_side(void **state)
{
    static const struct row rows[] = {
        VECTOR(1),     BRANCH(1, 5), SAME(2, 0, 0), SAME(2, 2, 0), BRANCH(2, 3),
        SAME(3, 2, 0), END
    };

    (void)state;
    EXPECT(rows, "V.DD.V.");
}

/* A branch gets weaker only when its loop has come round. */
static void branches_get_weaker(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), SAME(4, 0, 0),
                                       BRANCH(1, 4),  SAME(4, 0, 0),
                                       SAME(3, 4, 0), VECTOR(1),
                                       BRANCH(3, 2),  END };

    (void)state;
    EXPECT(rows, "DD.DVV..");
}

/* A function leaves alone what it does not write, and knows what its callers know. */
static void calls(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), VECTOR(5),     CALL(6),
                                       SAME(2, 1, 0), SAME(6, 3, 0), END,
                                       SAME(3, 1, 0), RETURN };
    static const struct row vector[] = { SAME(1, 0, 0), CALL(5), SAME(2, 1, 0),
                                         SAME(6, 3, 0), END,     VECTOR(3),
                                         SAME(1, 1, 0), RETURN };

    (void)state;
    EXPECT(rows, "DV.DD.D.");
    EXPECT(vector, "D.DV.VD.");
}

/* Callers are not told apart: what one passes, all get back. */
static void calls_with_different_sources(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), CALL(7),       SAME(2, 3, 0),
                                       VECTOR(1),     CALL(7),       SAME(2, 3, 0),
                                       END,           SAME(3, 1, 0), RETURN };

    (void)state;
    EXPECT(rows, "D.VV.V.V.");
}

/* A function calls another one, which writes a register of its own. */
static void calls_in_a_function(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), SAME(4, 0, 0), CALL(6),
                                       SAME(2, 4, 0), SAME(5, 1, 0), END,
                                       CALL(8),       RETURN,        VECTOR(4),
                                       RETURN };

    (void)state;
    EXPECT(rows, "DD.VD...V.");
}

/* Warps that return from different places have gone different ways. */
static void two_returns(void **state)
{
    static const struct row rows[] = { VECTOR(1), CALL(4),       SAME(3, 2, 0),
                                       END,       BRANCH(1, 7),  SAME(2, 0, 0),
                                       RETURN,    SAME(2, 0, 0), RETURN };
    static const struct row same[] = { SAME(1, 0, 0), CALL(4),       SAME(3, 2, 0),
                                       END,           BRANCH(1, 7),  SAME(2, 0, 0),
                                       RETURN,        SAME(2, 0, 0), RETURN };

    (void)state;
    EXPECT(rows, "V.V..D.D.");
    EXPECT(same, "D.D..D.D.");
}

/* What a function writes on one side of a branch. */
static void a_call_on_one_side(void **state)
{
    static const struct row rows[] = { VECTOR(1),     SAME(2, 0, 0), SAME(4, 0, 0),
                                       BRANCH(1, 5),  CALL(8),       SAME(3, 2, 0),
                                       SAME(5, 4, 0), END,           SAME(2, 0, 0),
                                       RETURN };

    (void)state;
    EXPECT(rows, "VDD..VD.D.");
}

/* Nothing is known after code that is called and also jumped to, or that lies elsewhere, or
 * that may return early. */
static void calls_of_something_else(void **state)
{
    static const struct row shared[] = { SAME(1, 0, 0), CALL(3), SAME(2, 1, 0),
                                         SAME(3, 1, 0), RETURN };
    static const struct row elsewhere[] = { SAME(1, 0, 0), CALL(NO_TARGET),
                                            SAME(2, 1, 0), END };
    static const struct row early[] = {
        SAME(1, 0, 0), CALL(4),
        SAME(2, 1, 0), END,
        SAME(3, 1, 0), { REDUNDANT, 0, 1, 0, FLOW_RETURN, true, NO_TARGET, 0, 0 },
        RETURN
    };

    (void)state;
    EXPECT(shared, "D.VV.");
    EXPECT(elsewhere, "D.V.");
    EXPECT(early, "D.V.V..");
}

/* What is written under a guard and read under it is not mixed with the old value; where the
 * guard is not known it is. */
static void written_and_read_under_a_guard(void **state)
{
    static const struct row rows[] = {
        SAME(1, 0, 0),   VECTOR(2),     PREDICATE(1, 1), UNDER(1, 2, 1), UNDER(1, 3, 2),
        UNDER(-1, 4, 2), SAME(5, 2, 0), PREDICATE(1, 1), UNDER(1, 6, 2), END
    };
    static const struct row vector[] = { SAME(1, 0, 0),   VECTOR(2),
                                         PREDICATE(1, 2), UNDER(1, 3, 1),
                                         UNDER(1, 4, 3),  END };

    (void)state;
    EXPECT(rows, "DVDDDVVDV.");
    EXPECT(vector, "DVVVV.");
}

/* Written under a guard and under its opposite: nothing old is left. */
static void written_under_both(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0),   VECTOR(2),
                                       PREDICATE(1, 1), PREDICATE(2, 1),
                                       UNDER(2, 5, 1),  UNDER(1, 2, 1),
                                       UNDER(-1, 2, 1), SAME(3, 2, 0),
                                       UNDER(2, 4, 2),  END };

    (void)state;
    EXPECT(rows, "DVDDDDDDD.");
}

/* A branch with the same guard leads only those elsewhere that have the new value. */
static void a_branch_with_the_same_guard(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0),
                                       VECTOR(2),
                                       PREDICATE(1, 1),
                                       UNDER(1, 2, 1),
                                       BRANCH_UNDER(1, 7),
                                       SAME(3, 2, 0),
                                       END,
                                       SAME(4, 2, 0),
                                       END };
    static const struct row other[] = { SAME(1, 0, 0),
                                        VECTOR(2),
                                        PREDICATE(1, 1),
                                        UNDER(1, 2, 1),
                                        BRANCH_UNDER(-1, 7),
                                        SAME(3, 2, 0),
                                        END,
                                        SAME(4, 2, 0),
                                        END };

    (void)state;
    EXPECT(rows, "DVDD.V.D.");
    EXPECT(other, "DVDD.D.V.");
}

/* Local memory is as redundant as its address and as what the kernel stores there. */
static void local_memory(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), STORE(1, 1), LOAD(2, 1),
                                       VECTOR(3),     LOAD(4, 3),  END };
    static const struct row vector[] = {
        SAME(1, 0, 0), VECTOR(3), LOAD(2, 1), STORE(1, 3), STORE(1, 1), LOAD(4, 1), END
    };
    static const struct row address[] = { SAME(1, 0, 0), VECTOR(3), STORE(3, 1),
                                          LOAD(4, 1), END };

    (void)state;
    EXPECT(rows, "DDDVV.");
    EXPECT(vector, "DVDVDV.");
    EXPECT(address, "DVVV.");
}

/* Some warps store, others do not. */
static void local_memory_on_one_side(void **state)
{
    static const struct row rows[] = { VECTOR(1),   SAME(2, 0, 0), BRANCH(1, 4),
                                       STORE(2, 2), LOAD(3, 2),    END };

    (void)state;
    EXPECT(rows, "VD.DV.");
}

/* A round of the loop reads what the one before it stored. */
static void local_memory_in_a_loop(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), LOAD(2, 1),   VECTOR(3),
                                       STORE(1, 3),   BRANCH(1, 1), END };

    (void)state;
    EXPECT(rows, "DVVV..");
}

static void never_reached(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), END, SAME(1, 0, 0), END };

    (void)state;
    EXPECT(rows, "D.V.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weakest_of_sources),
        cmocka_unit_test(nothing_is_known_at_first),
        cmocka_unit_test(overwritten),
        cmocka_unit_test(guarded),
        cmocka_unit_test(definitions_meet),
        cmocka_unit_test(sides_of_a_branch),
        cmocka_unit_test(a_side_that_ends),
        cmocka_unit_test(meeting_before_the_end),
        cmocka_unit_test(behind_a_loop),
        cmocka_unit_test(two_ways_out),
        cmocka_unit_test(a_loop_on_one_side),
        cmocka_unit_test(branches_get_weaker),
        cmocka_unit_test(calls),
        cmocka_unit_test(calls_with_different_sources),
        cmocka_unit_test(calls_in_a_function),
        cmocka_unit_test(two_returns),
        cmocka_unit_test(a_call_on_one_side),
        cmocka_unit_test(calls_of_something_else),
        cmocka_unit_test(written_and_read_under_a_guard),
        cmocka_unit_test(written_under_both),
        cmocka_unit_test(a_branch_with_the_same_guard),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(local_memory_on_one_side),
        cmocka_unit_test(local_memory_in_a_loop),
        cmocka_unit_test(never_reached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
