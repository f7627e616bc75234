/* test_distance.c - which operands are named by distance. */
#include "analysis/distance.h"
#include "check.h"
#include "code_rig.h"

static struct code_line *add_class(struct program *p, unsigned class, unsigned flags)
{
    return add(p, (struct inst){ .class = (uint8_t) class, .flags = (uint8_t)flags });
}

static void nops(struct program *p, unsigned n)
{
    while (n--)
        add_class(p, CLASS_none, 0);
}

static struct code_line *jump(struct program *p, int64_t target)
{
    struct code_line *l = add_class(p, CLASS_branch, INST_CONTROL);

    l->target = target;
    return l;
}

static void end(struct program *p)
{
    add_class(p, CLASS_exit, INST_EXIT | INST_CONTROL | INST_SYNC)->stops = true;
}

static void mark(struct program *p)
{
    struct err err = { 0 };

    for (size_t i = 0; i < p->n; i++)
        inst_index(&p->inst[i]);
    assert_int_equal(distance_mark(p->line, p->n, &err), 0);
    for (size_t i = 0; i < p->n; i++)
        assert_true(p->inst[i].has_distances);
}

/* Of the only result of an instruction, the farthest reader. */
static unsigned reach(const struct program *p, size_t place)
{
    assert_int_equal(p->inst[place].list.n_writes, 1);
    return p->inst[place].distance[p->inst[place].list.n_reads];
}

/* Of its first source, the distance. */
static unsigned back(const struct program *p, size_t place)
{
    assert_true(p->inst[place].list.n_reads >= 1);
    return p->inst[place].distance[0];
}

static void straight_line(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 1, 0);
    alu(&p, 3, 1, 2);
    alu(&p, 1, 1, 0); /* reads the old one, makes a new one */
    alu(&p, 4, 1, 9); /* R9 comes from elsewhere */
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 1), 1);
    assert_int_equal(back(&p, 2), 2);
    assert_int_equal(p.inst[2].distance[1], 1);
    assert_int_equal(back(&p, 3), 3);
    assert_int_equal(back(&p, 4), 1);
    assert_int_equal(p.inst[4].distance[1], 0);
    assert_int_equal(reach(&p, 0), 3);
    assert_int_equal(reach(&p, 3), 1);
    assert_int_equal(reach(&p, 4), 0);
}

/* Both sides write R1: whoever reads it behind them does not know how far that was. */
static void diamond(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 2, 0, 0);
    jump(&p, 4);
    alu(&p, 1, 2, 0);
    jump(&p, 5)->stops = true;
    alu(&p, 1, 0, 0);
    alu(&p, 3, 1, 0);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 5), 0);
    assert_int_equal(reach(&p, 2), DISTANCE_FAR);
    assert_int_equal(reach(&p, 4), DISTANCE_FAR);
    /* Lanes may part at the branch: the other side may come between. */
    assert_int_equal(back(&p, 2), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
}

/* Carried around a loop by register; within the body by distance. */
static void loop(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 1, 0); /* header */
    alu(&p, 1, 2, 0);
    jump(&p, 1);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 1), 0);
    assert_int_equal(back(&p, 2), 1);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    assert_int_equal(reach(&p, 1), 1);
    assert_int_equal(reach(&p, 2), DISTANCE_FAR);
}

/* Where all lanes go the same way, distances count over jumps. Both sides have written R1,
 * equally long ago; R2 is farther away on one of them. */
static void ways_agree(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 2, 0, 0);
    jump(&p, 4)->keeps_together = true;
    alu(&p, 1, 2, 0);
    jump(&p, 6)->keeps_together = true;
    p.line[3].stops = true;
    nops(&p, 1);
    alu(&p, 1, 2, 0);
    alu(&p, 3, 1, 2);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 2), 2);
    assert_int_equal(back(&p, 5), 3);
    assert_int_equal(back(&p, 6), 0); /* from 2 and 1 away */
    assert_int_equal(p.inst[6].distance[1], 4);
    assert_int_equal(reach(&p, 0), 4);
    assert_int_equal(reach(&p, 2), DISTANCE_FAR);
    p.n = 0;
    alu(&p, 2, 0, 0);
    jump(&p, 4)->keeps_together = true;
    alu(&p, 1, 2, 0);
    jump(&p, 6)->keeps_together = true;
    p.line[3].stops = true;
    alu(&p, 1, 2, 0);
    nops(&p, 1);
    alu(&p, 3, 1, 2);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 6), 2);
    assert_int_equal(reach(&p, 2), 2);
    assert_int_equal(reach(&p, 4), 2);
}

/* R1 is as far away on the way in as on the way back, R2 is not; R3 is made before. */
static void loop_carried(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 3, 0, 0);
    alu(&p, 2, 0, 0);
    alu(&p, 1, 0, 0);
    nops(&p, 1);
    alu(&p, 4, 1, 2); /* header */
    alu(&p, 2, 3, 0);
    alu(&p, 1, 4, 0);
    jump(&p, 4)->keeps_together = true;
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 4), 2);
    assert_int_equal(p.inst[4].distance[1], 3);
    assert_int_equal(back(&p, 5), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    assert_int_equal(reach(&p, 1), 3);
    assert_int_equal(reach(&p, 2), 2);
    assert_int_equal(reach(&p, 5), 3);
    assert_int_equal(reach(&p, 6), 2);
}

/* The same barrier, where all lanes are known to come to it together. */
static void barrier_together(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    add_class(&p, CLASS_barrier, INST_SYNC)->keeps_together = true;
    alu(&p, 2, 1, 0);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 2), 2);
    assert_int_equal(reach(&p, 0), 2);
}

/* What a guard may suppress is merged with the value before: both in a register. */
static void guarded_writer(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 1, 0);
    alu(&p, 1, 0, 0)->is_guarded = true;
    alu(&p, 3, 1, 0);
    alu(&p, 1, 0, 0); /* all lanes again */
    alu(&p, 4, 1, 0)->is_guarded = true;
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 1), 1);
    assert_int_equal(back(&p, 3), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    assert_int_equal(reach(&p, 2), DISTANCE_FAR);
    assert_int_equal(back(&p, 5), 1); /* a guarded reader is a reader like others */
    assert_int_equal(reach(&p, 4), 1);
}

/* The same over a branch, even if nobody reads either. */
static void guarded_elsewhere(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    jump(&p, CODE_NONE);
    alu(&p, 1, 0, 0)->is_guarded = true;
    end(&p);
    mark(&p);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    assert_int_equal(reach(&p, 2), DISTANCE_FAR);
}

/* A load under a predicate leaves lanes alone, too. */
static void load_with_predicate(void **state)
{
    struct program p = { .n = 0 };
    struct code_line *l;

    (void)state;
    l = add_class(&p, CLASS_load, 0);
    regset_add(&l->inst->writes, 1);
    regset_add(&l->inst->reads, REGID_P);
    alu(&p, 2, 1, 0);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 1), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
}

static void farthest(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    nops(&p, DISTANCE_FAR - 2);
    alu(&p, 2, 1, 0); /* the largest there is */
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, DISTANCE_FAR - 1), DISTANCE_FAR - 1);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR - 1);

    p.n = 0;
    alu(&p, 1, 0, 0);
    nops(&p, DISTANCE_FAR - 1);
    alu(&p, 2, 1, 0);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, DISTANCE_FAR), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
}

/* Where lanes may wait for each other or end, others may run in between. */
static void parting(void **state)
{
    static const struct {
        unsigned class, flags;
        bool parts;
    } between[] = {
        { CLASS_branch, INST_CONTROL, true },
        { CLASS_branch, INST_CONTROL | INST_CONVERGE, true },
        { CLASS_barrier, INST_SYNC, true },
        { CLASS_misc, INST_SYNC, true },
        { CLASS_exit, INST_EXIT | INST_CONTROL | INST_SYNC, true },
        { CLASS_atomic, INST_SYNC, false },
        { CLASS_fence, INST_SYNC, false },
        { CLASS_store, 0, false },
    };

    (void)state;
    for (size_t k = 0; k < sizeof between / sizeof *between; k++) {
        struct program p = { .n = 0 };

        alu(&p, 1, 0, 0);
        add_class(&p, between[k].class, between[k].flags);
        alu(&p, 2, 1, 0);
        end(&p);
        mark(&p);
        assert_int_equal(back(&p, 2), between[k].parts ? 0 : 2);
        assert_int_equal(reach(&p, 0), between[k].parts ? DISTANCE_FAR : 2);
    }
}

/* A return or a BSYNC may be executed by some lanes later than by others: by number. */
static void executed_later(void **state)
{
    static const unsigned flags[] = { INST_CONTROL | INST_SYNC,
                                      INST_CONTROL | INST_CONVERGE };

    (void)state;
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        struct program p = { .n = 0 };

        alu(&p, 1, 0, 0);
        regset_add(&add_class(&p, CLASS_branch, flags[k])->inst->reads, 1);
        end(&p);
        mark(&p);
        assert_int_equal(back(&p, 1), 0);
        assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    }
}

/* Code that is come to in ways that no jump shows begins anew. */
static void entry(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 1, 0)->is_entry = true;
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 1), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
}

/* A call may read anything; behind an exit nothing is read. */
static void live_out(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    add_class(&p, CLASS_branch, INST_CONTROL | INST_SYNC);
    alu(&p, 2, 0, 0);
    end(&p);
    alu(&p, 3, 2, 0); /* another function */
    end(&p);
    mark(&p);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    assert_int_equal(reach(&p, 2), 0);
}

static void jumps_not_known(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 1, 0);
    jump(&p, CODE_ANY);
    end(&p);
    mark(&p);
    assert_int_equal(back(&p, 1), 0);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
}

/* More registers than a list holds: all in the file, before and behind. */
static void unlisted(void **state)
{
    struct program p = { .n = 0 };
    struct code_line *l;

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 0, 0);
    l = alu(&p, 2, 1, 0);
    for (unsigned r = 10; r < 10 + MAX_LISTED; r++)
        regset_add(&l->inst->reads, r);
    alu(&p, 3, 2, 0);
    end(&p);
    mark(&p);
    assert_int_equal(reach(&p, 0), DISTANCE_FAR);
    assert_int_equal(reach(&p, 1), 0);
    assert_int_equal(back(&p, 3), 0);
}

/* A machine without some hazards sees fewer registers, with the same distances. */
static void fewer_registers(void **state)
{
    struct program p = { .n = 0 };
    struct inst less;

    (void)state;
    alu(&p, 1, 0, 0);
    alu(&p, 2, 0, 0);
    alu(&p, 3, 1, 2);
    alu(&p, 4, 3, 0);
    end(&p);
    mark(&p);
    less = p.inst[2];
    less.reads = (struct regset){ 0 };
    regset_add(&less.reads, 2);
    inst_index(&less);
    inst_take_distances(&less, &p.inst[2]);
    assert_true(less.has_distances);
    assert_int_equal(less.distance[0], 1);
    assert_int_equal(less.distance[1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_line),
        cmocka_unit_test(diamond),
        cmocka_unit_test(loop),
        cmocka_unit_test(ways_agree),
        cmocka_unit_test(loop_carried),
        cmocka_unit_test(barrier_together),
        cmocka_unit_test(guarded_writer),
        cmocka_unit_test(guarded_elsewhere),
        cmocka_unit_test(load_with_predicate),
        cmocka_unit_test(farthest),
        cmocka_unit_test(parting),
        cmocka_unit_test(executed_later),
        cmocka_unit_test(entry),
        cmocka_unit_test(live_out),
        cmocka_unit_test(jumps_not_known),
        cmocka_unit_test(unlisted),
        cmocka_unit_test(fewer_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
