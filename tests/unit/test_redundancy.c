/* test_redundancy.c - which instructions are marked as giving the same result in all warps
 * of a block.
 */
#include <string.h>

#include "analysis/redundancy.h"
#include "check.h"

enum { MAX_CODE = 24 };

/* An instruction: d = f(a, b), registers from 1 on, 0: none. */
struct row {
    uint8_t own; /* enum redundancy */
    uint8_t d, a, b;
    enum flow_kind kind;
    bool may_pass;
    uint32_t target;
};

#define SAME(d, a, b)                                   \
    {                                                   \
        REDUNDANT, d, a, b, FLOW_NEXT, false, NO_TARGET \
    }
#define SHAPE(d)                                                 \
    {                                                            \
        REDUNDANT_BY_SHAPE, d, 0, 0, FLOW_NEXT, false, NO_TARGET \
    }
#define VECTOR(d)                                           \
    {                                                       \
        NOT_REDUNDANT, d, 0, 0, FLOW_NEXT, false, NO_TARGET \
    }
#define GUARDED(d, a, guard)                               \
    {                                                      \
        REDUNDANT, d, a, guard, FLOW_NEXT, true, NO_TARGET \
    }
#define BRANCH(a, to)                             \
    {                                             \
        REDUNDANT, 0, a, 0, FLOW_BRANCH, true, to \
    }
#define JUMP(to)                                   \
    {                                              \
        REDUNDANT, 0, 0, 0, FLOW_BRANCH, false, to \
    }
#define CALL(to)                                 \
    {                                            \
        REDUNDANT, 0, 0, 0, FLOW_CALL, false, to \
    }
#define RETURN                                            \
    {                                                     \
        REDUNDANT, 0, 0, 0, FLOW_RETURN, false, NO_TARGET \
    }
#define END                                            \
    {                                                  \
        REDUNDANT, 0, 0, 0, FLOW_END, false, NO_TARGET \
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
        own[k] = r->own;
        code[k] = (struct flow_inst){ .inst = &inst[k],
                                      .kind = r->kind,
                                      .may_pass = r->may_pass,
                                      .target = r->target };
    }
    f = flow_new(code, n, &err);
    assert_non_null(f);
    assert_int_equal(redundancy_mark(f, own, marks, &err), 0);
    flow_free(f);
    for (uint32_t k = 0; k < n; k++)
        found[k] = rows[k].kind == FLOW_NEXT ? "DCV"[marks[k]] : '.';
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

/* Nor is anything known in a function: its callers are not told apart. */
static void calls(void **state)
{
    static const struct row rows[] = { SAME(1, 0, 0), CALL(4),       SAME(2, 1, 0),
                                       END,           SAME(3, 1, 0), RETURN };

    (void)state;
    EXPECT(rows, "D.V.V.");
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
        cmocka_unit_test(never_reached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
