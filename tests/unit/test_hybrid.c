/* test_hybrid.c - where lanes are together, and what is inserted so that operands can be
 * named by distance.
 */
#include <stdlib.h>

#include "analysis/distance.h"
#include "analysis/hybrid.h"
#include "analysis/rewrite.h"
#include "analysis/together.h"
#include "check.h"
#include "code_rig.h"

static struct code_line *add_lanes(struct program *p, unsigned flags,
                                   enum code_lanes lanes)
{
    struct code_line *l =
        add(p, (struct inst){ .class = CLASS_branch, .flags = (uint16_t)flags });

    l->lanes = (uint8_t)lanes;
    l->barriers = 1;
    return l;
}

static struct code_line *jump(struct program *p, int64_t target, enum code_lanes lanes)
{
    struct code_line *l = add_lanes(p, INST_CONTROL, lanes);

    l->target = target;
    return l;
}

static void end(struct program *p)
{
    add_lanes(p, INST_EXIT | INST_CONTROL | INST_SYNC, LANES_STAY)->stops = true;
}

static void mark_together(struct program *p)
{
    struct err err = { 0 };

    for (size_t i = 0; i < p->n; i++)
        inst_index(&p->inst[i]);
    assert_int_equal(together_mark(p->line, p->n, &err), 0);
}

/* Noted, parted, met; the last of these decides what comes after it. */
static void meet_again(void **state)
{
    static const struct {
        enum code_lanes before, between;
        bool is_entry, are_together;
    } cases[] = {
        { LANES_SAVE, LANES_STAY, false, true },
        { LANES_STAY, LANES_STAY, false, false }, /* nobody was noted */
        { LANES_SAVE, LANES_LOSE, false, false }, /* the barrier was changed */
        { LANES_SAVE, LANES_WAIT, false, false }, /* one may be let pass */
        { LANES_SAVE, LANES_STAY, true, false },  /* who else comes is not known */
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct program p = { .n = 0 };

        add_lanes(&p, 0, cases[k].before);
        jump(&p, 3, LANES_PART);
        add_lanes(&p, 0, cases[k].between)->is_entry = cases[k].is_entry;
        add_lanes(&p, INST_CONTROL | INST_CONVERGE, LANES_MEET);
        jump(&p, 6, LANES_STAY);
        alu(&p, 1, 0, 0);
        end(&p);
        mark_together(&p);
        assert_true(p.line[0].keeps_together);
        assert_false(p.line[1].keeps_together || p.line[2].keeps_together ||
                     p.line[3].keeps_together);
        assert_int_equal(p.line[4].keeps_together, cases[k].are_together);
        assert_int_equal(p.line[5].keeps_together, cases[k].are_together);
    }
}

/* All come to a barrier together; what a call comes back with is not known. */
static void stay_together(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    add_lanes(&p, 0, LANES_SAVE);
    jump(&p, 3, LANES_STAY);
    add_lanes(&p, INST_SYNC, LANES_WAIT);
    add_lanes(&p, INST_CONTROL | INST_CONVERGE, LANES_MEET);
    add_lanes(&p, INST_CONTROL | INST_CONVERGE, LANES_MEET); /* notes nobody any more */
    add_lanes(&p, INST_CONTROL | INST_SYNC, LANES_PART);
    end(&p);
    mark_together(&p);
    for (size_t i = 0; i < 4; i++)
        assert_true(p.line[i].keeps_together);
    for (size_t i = 4; i < p.n; i++)
        assert_false(p.line[i].keeps_together);
}

/* A barrier that notes some of the lanes brings back only those; a call may change it. */
static void meet_some(void **state)
{
    (void)state;
    for (unsigned calls = 0; calls < 2; calls++) {
        struct program p = { .n = 0 };

        jump(&p, 1, calls ? LANES_STAY : LANES_PART);
        add_lanes(&p, 0, LANES_SAVE);
        add_lanes(&p, INST_CONTROL | (calls ? INST_SYNC : 0), LANES_PART);
        add_lanes(&p, INST_CONTROL | INST_CONVERGE, LANES_MEET);
        end(&p);
        mark_together(&p);
        assert_int_equal(p.line[1].keeps_together, calls);
        assert_false(p.line[4].keeps_together);
    }
}

static struct rewritten plan(struct program *p, struct naming naming,
                             struct insertions *s)
{
    struct rewritten r;
    struct err err = { 0 };

    naming.orders_writes = true;
    mark_together(p);
    assert_int_equal(hybrid_plan(p->line, p->n, &naming, s, &err), 0);
    assert_int_equal(rewrite_make(&r, p->line, p->n, s, &err), 0);
    assert_int_equal(distance_mark(r.line, r.n, &err), 0);
    return r;
}

static void plan_free(struct rewritten *r, struct insertions *s)
{
    rewrite_free(r);
    insertions_free(s);
}

static void nops(struct program *p, unsigned n)
{
    while (n--)
        add(p, (struct inst){ .class = CLASS_none });
}

/* A sum that a loop carries, from too far away before it. The loop begins at 10. */
static struct rewritten plan_sum_loop(unsigned within, enum naming_kind kind,
                                      struct insertions *s)
{
    struct program p = { .n = 0 };

    alu(&p, 1, 0, 0);
    nops(&p, 9);
    alu(&p, 1, 1, 0);
    for (unsigned k = 0; k < 4; k++)
        alu(&p, 2, 1, 0);
    alu(&p, 1, 1, 0);
    nops(&p, within);
    jump(&p, 10, LANES_STAY);
    end(&p);
    return plan(&p, (struct naming){ .kind = kind, .max_distance = 8 }, s);
}

/* The way in gets a move and what fills it up to the way back. */
static void loop_way_in(void **state)
{
    struct insertions s;
    struct rewritten r = plan_sum_loop(1, NAMING_MOVES, &s);

    (void)state;
    assert_int_equal(s.n, 3);
    for (size_t k = 0; k < 3; k++)
        assert_true(s.at[k].place == 10 && s.at[k].is_skipped);
    assert_int_equal(s.at[0].reg, 1);
    assert_int_equal(s.at[1].reg, NO_REG);
    assert_int_equal(r.line[r.at[10]].inst->distance[0], 3);
    plan_free(&r, &s);
}

/* A value that was made too early in the iteration is moved once more, before the way
 * back. */
static void loop_move(void **state)
{
    struct insertions s;
    struct rewritten r = plan_sum_loop(7, NAMING_MOVES, &s);

    (void)state;
    assert_int_equal(s.n, 3);
    assert_true(s.at[0].place == 10 && s.at[0].reg == 1 && s.at[0].is_skipped);
    assert_true(s.at[1].place == 10 && s.at[1].reg == NO_REG);
    assert_true(s.at[2].place == 23 && s.at[2].reg == 1 && !s.at[2].is_skipped);
    assert_int_equal(r.line[r.at[10]].inst->distance[0], 2);
    plan_free(&r, &s);
}

/* Several read a value that is far away: one move for all; for a single one, none. */
static void near_move(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 3; n++) {
        struct program p = { .n = 0 };
        struct insertions s;
        struct rewritten r;

        alu(&p, 1, 0, 0);
        nops(&p, 9);
        for (unsigned k = 0; k < n; k++)
            alu(&p, 2, 1, 0);
        end(&p);
        r = plan(&p, (struct naming){ .kind = NAMING_MOVES, .max_distance = 8 }, &s);
        assert_int_equal(s.n, n > 1);
        if (n > 1)
            assert_true(s.at[0].place == 10 && s.at[0].reg == 1);
        plan_free(&r, &s);
    }
}

enum { JOIN = 6 };
/* Two ways to JOIN, of which one is longer by two; after it, readers of what was made before
 * both. */
static struct rewritten plan_join(unsigned longer, unsigned n_readers,
                                  struct insertions *s)
{
    static struct program p;

    p = (struct program){ .n = 0 };
    alu(&p, 1, 0, 0);
    jump(&p, 3 + longer * 2, LANES_STAY);
    nops(&p, longer * 2);
    jump(&p, JOIN, LANES_STAY)->stops = true;
    nops(&p, (unsigned)(JOIN - p.n));
    for (unsigned k = 0; k < n_readers; k++)
        alu(&p, 2, 1, 0);
    end(&p);
    return plan(&p, (struct naming){ .kind = NAMING_MOVES, .max_distance = 12 }, s);
}

/* One reader: that and the producer would become free, for two that are inserted. */
static void join_not_worth_it(void **state)
{
    struct insertions s;
    struct rewritten r = plan_join(0, 1, &s);

    (void)state;
    assert_int_equal(s.n, 0);
    plan_free(&r, &s);
}

/* The shorter side is filled up, as what is read after both is made before them. */
static void join_filled(void **state)
{
    (void)state;
    for (unsigned longer = 0; longer < 2; longer++) {
        struct insertions s;
        struct rewritten r = plan_join(longer, 4, &s);

        assert_int_equal(s.n, 2);
        for (size_t k = 0; k < s.n; k++) {
            assert_int_equal(s.at[k].reg, NO_REG);
            assert_int_equal(s.at[k].place, longer ? JOIN : 2);
            assert_int_equal(s.at[k].is_skipped, longer);
        }
        assert_int_not_equal(r.line[r.at[JOIN]].inst->distance[0], 0);
        plan_free(&r, &s);
    }
}

/* Joins only: nothing is inserted. */
static void joins_only(void **state)
{
    struct insertions s;
    struct rewritten r = plan_sum_loop(1, NAMING_JOINS, &s);

    (void)state;
    assert_int_equal(s.n, 0);
    plan_free(&r, &s);
}

/* Random code with a loop: of an instruction that was there before, no operand has a
 * register number, unless a guard may keep the old value. */
static void random_code(struct program *p, unsigned n_regs)
{
    p->n = 0;
    for (unsigned r = 1; r <= n_regs; r++)
        alu(p, r, 0, 0);
    for (unsigned k = 0; k < 60; k++)
        alu(p, 1 + (unsigned)rand() % n_regs, 1 + (unsigned)rand() % n_regs,
            1 + (unsigned)rand() % n_regs)
            ->is_guarded = rand() % 16 == 0;
    jump(p, n_regs + (unsigned)rand() % 40, rand() % 2 ? LANES_STAY : LANES_PART);
    for (unsigned k = 0; k < 10; k++)
        alu(p, 1 + (unsigned)rand() % n_regs, 1 + (unsigned)rand() % n_regs, 0);
    end(p);
}

static void check_relayed(const struct program *p, const struct rewritten *r,
                          unsigned max_distance)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct inst *inst = r->line[i].inst;
        unsigned n = inst->list.n_reads + inst->list.n_writes;

        for (unsigned k = 0; !r->is_inserted[i] && k < n; k++)
            assert_true(inst_is_near(inst, k, max_distance) ||
                        (k >= inst->list.n_reads && p->line[r->origin[i]].is_guarded));
    }
}

static void all_relayed(void **state)
{
    size_t inserted = 0, was = 0;

    (void)state;
    srand(1);
    for (unsigned k = 0; k < 300; k++) {
        unsigned max_distance = 3 + k % 14;
        struct program p;
        struct insertions s;
        struct rewritten r;

        random_code(&p, 2 + k % 20);
        r = plan(&p,
                 (struct naming){ .kind = NAMING_RELAY, .max_distance = max_distance },
                 &s);
        check_relayed(&p, &r, max_distance);
        inserted += s.n;
        was += p.n;
        plan_free(&r, &s);
    }
    assert_true(inserted < 4 * was);
}

/* Relays as long as there is room for them: nothing goes through the register file. */
static void relays_only(void **state)
{
    struct program p = { .n = 0 };
    struct insertions s;
    struct rewritten r;

    (void)state;
    alu(&p, 1, 0, 0);
    nops(&p, 20);
    alu(&p, 2, 1, 0);
    end(&p);
    r = plan(&p, (struct naming){ .kind = NAMING_RELAY, .max_distance = 8 }, &s);
    assert_int_equal(s.n, 2);
    for (size_t i = 0; i < r.n; i++)
        for (unsigned k = 0; k < r.line[i].inst->list.n_reads; k++)
            assert_true(inst_is_near(r.line[i].inst, k, 8));
    plan_free(&r, &s);
}

/* Half of the distances are for values that are kept alive: more go through the register
 * file. */
static void relays_are_half(void **state)
{
    (void)state;
    for (unsigned n = 3; n <= 6; n++) {
        struct program p = { .n = 0 };
        struct insertions s;
        struct rewritten r;
        unsigned n_far = 0;

        for (unsigned k = 1; k <= n; k++)
            alu(&p, k, 0, 0);
        nops(&p, 20);
        for (unsigned k = 1; k <= n; k++)
            alu(&p, 10, k, 0);
        end(&p);
        r = plan(&p, (struct naming){ .kind = NAMING_RELAY, .max_distance = 8 }, &s);
        for (size_t i = 0; i < r.n; i++)
            for (unsigned k = 0; k < r.line[i].inst->list.n_reads; k++)
                n_far += !inst_is_near(r.line[i].inst, k, 8);
        assert_int_equal(n_far, n > 4 ? n - 4 : 0);
        plan_free(&r, &s);
    }
}

/* What is inserted depends on the largest distance, and for moves on the order of writes. */
static void same_naming(void **state)
{
    static const struct {
        struct naming a, b;
        bool is_same;
    } cases[] = {
        { { NAMING_RUNS, 8, true }, { NAMING_JOINS, 8, true }, false },
        { { NAMING_JOINS, 8, true }, { NAMING_JOINS, 9, false }, true },
        { { NAMING_MOVES, 8, true }, { NAMING_MOVES, 9, true }, false },
        { { NAMING_MOVES, 8, true }, { NAMING_MOVES, 8, false }, false },
        { { NAMING_MOVES, 8, true }, { NAMING_MOVES, 8, true }, true },
        { { NAMING_RELAY, 8, true }, { NAMING_RELAY, 8, false }, true },
        { { NAMING_RELAY, 8, true }, { NAMING_RELAY, 9, true }, false },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(naming_equals(&cases[k].a, &cases[k].b), cases[k].is_same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meet_again),  cmocka_unit_test(stay_together),
        cmocka_unit_test(meet_some),   cmocka_unit_test(loop_way_in),
        cmocka_unit_test(loop_move),   cmocka_unit_test(near_move),
        cmocka_unit_test(join_filled), cmocka_unit_test(join_not_worth_it),
        cmocka_unit_test(joins_only),  cmocka_unit_test(relays_are_half),
        cmocka_unit_test(all_relayed), cmocka_unit_test(relays_only),
        cmocka_unit_test(same_naming),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
