/* test_idempotence.c - which instructions are marked as idempotent. */
#include <string.h>

#include "analysis/idempotence.h"
#include "check.h"
#include "code_rig.h"

static struct code_line *add_class(struct program *p, unsigned class, unsigned space)
{
    return add(p, (struct inst){ .class = (uint8_t) class, .space = (uint8_t)space });
}

static void load(struct program *p, unsigned space, unsigned d, unsigned a)
{
    struct code_line *l = add_class(p, CLASS_load, space);

    regset_add(&l->inst->writes, d);
    regset_add(&l->inst->reads, a);
}

static void store(struct program *p, unsigned space, unsigned a)
{
    regset_add(&add_class(p, CLASS_store, space)->inst->reads, a);
}

static void jump(struct program *p, int64_t target)
{
    struct code_line *l = add_class(p, CLASS_branch, SPACE_NONE);

    l->target = target;
    l->inst->flags = INST_CONTROL;
}

/* A surface instruction has a texture's class; what it does to memory is what counts. */
static void surface_store(struct program *p, unsigned a)
{
    struct code_line *l = add_class(p, CLASS_texture, SPACE_TEXTURE);

    l->inst->memory = INST_WRITES;
    regset_add(&l->inst->reads, a);
}

static void sync(struct program *p)
{
    add_class(p, CLASS_barrier, SPACE_NONE)->inst->flags = INST_SYNC;
}

static void expect(struct program *p, const char *marks)
{
    struct err err = { 0 };
    char found[MAX_CODE + 1] = { 0 };

    assert_int_equal(idempotence_mark(p->line, p->n, &err), 0);
    for (size_t i = 0; i < p->n; i++)
        found[i] = p->inst[i].flags & INST_REDO ? '1' : '0';
    assert_string_equal(found, marks);
}

/* The paper's figure 11: only the third is not. */
static void figure_11(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 6, 1, 17);
    alu(&p, 1, 6, 17);
    expect(&p, "110");
}

/* A register that is written before it is read may be written again. */
static void what_the_region_made_itself(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 6, 17, 0);
    alu(&p, 8, 6, 0);
    alu(&p, 6, 17, 0); /* 6 was written since the load */
    alu(&p, 7, 17, 0); /* the load's own address */
    expect(&p, "11110");
}

/* A load needs its address again, whoever made it; one of shared memory cannot fault. */
static void every_load_begins_anew(void **state)
{
    struct program p = { .n = 0 }, shared = { .n = 0 };

    (void)state;
    alu(&p, 7, 17, 0);
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 7, 17, 0);
    expect(&p, "110");
    alu(&shared, 7, 17, 0);
    load(&shared, SPACE_SHARED, 48, 7);
    alu(&shared, 7, 17, 0);
    expect(&shared, "111");
}

static void counting_up_is_not(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 1, 1, 0);
    alu(&p, 1, 1, 0);             /* behind the first, which has waited */
    load(&p, SPACE_GLOBAL, 9, 9); /* loses the address it came from */
    alu(&p, 1, 1, 0);
    expect(&p, "10100");
}

/* A guarded write leaves the old value in some lanes. */
static void a_guarded_write_does_not_close(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 6, 17, 0)->is_guarded = true;
    alu(&p, 8, 6, 0);
    alu(&p, 6, 17, 0);
    expect(&p, "1110");
}

static void exposed_over_branches(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 6, 1, 0);
    jump(&p, 4);
    alu(&p, 1, 17, 0); /* falls through */
    alu(&p, 1, 17, 0); /* jumped over the first */
    expect(&p, "11100");
}

/* A load in a loop is before everything in it. */
static void exposed_round_a_loop(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    alu(&p, 2, 3, 0);
    alu(&p, 1, 17, 0); /* 1 is read below, and the loop comes back */
    alu(&p, 5, 1, 0);
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 6, 1, 0);
    jump(&p, 1);
    expect(&p, "101111");
}

static void stores_clobber_their_space(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    store(&p, SPACE_SHARED, 1);
    store(&p, SPACE_GLOBAL, 1);
    load(&p, SPACE_SHARED, 49, 7);
    store(&p, SPACE_SHARED, 1);
    store(&p, SPACE_LOCAL, 1);
    store(&p, SPACE_GENERIC, 1); /* global: the store above has waited */
    load(&p, SPACE_LOCAL, 50, 7);
    store(&p, SPACE_GENERIC, 1);
    expect(&p, "110101110");
}

static void a_surface_store_clobbers(void **state)
{
    struct program p = { .n = 0 };
    struct code_line *read;

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    sync(&p);
    load(&p, SPACE_SHARED, 49, 7);
    read = add_class(&p, CLASS_texture, SPACE_TEXTURE);
    regset_add(&read->inst->writes, 50);
    surface_store(&p, 1);
    expect(&p, "10110");
}

static void sync_begins_anew(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    alu(&p, 6, 1, 0);
    sync(&p);
    alu(&p, 1, 17, 0);
    expect(&p, "1101");
}

static void unknown_jumps_leave_no_marks(void **state)
{
    struct program p = { .n = 0 };

    (void)state;
    load(&p, SPACE_GLOBAL, 48, 7);
    p.inst[0].flags = INST_REDO;
    jump(&p, CODE_ANY);
    alu(&p, 1, 2, 0);
    expect(&p, "000");
}

/* Each sweep carries what is exposed one jump back: a register that the first block writes
 * is read behind a load in the last. Some jumps are followed, a hundred are not. */
static void sweeps_have_an_end(void **state)
{
    static const int lengths[] = { 20, 100 };

    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct program p = { .n = 0 };
        struct err err = { 0 };

        alu(&p, 1, 2, 0);
        for (int n = 0; n < lengths[k]; n++)
            jump(&p, n);
        load(&p, SPACE_GLOBAL, 48, 7);
        alu(&p, 6, 1, 0);
        jump(&p, lengths[k]);
        assert_int_equal(idempotence_mark(p.line, p.n, &err), 0);
        assert_false(p.inst[0].flags & INST_REDO);
        assert_int_equal(p.inst[p.n - 2].flags & INST_REDO, k ? 0 : INST_REDO);
    }
}

/* Targets outside of the code, and none at all, are nobody's fault. */
static void odd_code(void **state)
{
    struct program p = { .n = 0 };
    struct err err = { 0 };

    (void)state;
    assert_int_equal(idempotence_mark(NULL, 0, &err), 0);
    jump(&p, 1000000);
    jump(&p, 0);
    expect(&p, "11");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_11),
        cmocka_unit_test(what_the_region_made_itself),
        cmocka_unit_test(every_load_begins_anew),
        cmocka_unit_test(counting_up_is_not),
        cmocka_unit_test(a_guarded_write_does_not_close),
        cmocka_unit_test(exposed_over_branches),
        cmocka_unit_test(exposed_round_a_loop),
        cmocka_unit_test(stores_clobber_their_space),
        cmocka_unit_test(a_surface_store_clobbers),
        cmocka_unit_test(sync_begins_anew),
        cmocka_unit_test(unknown_jumps_leave_no_marks),
        cmocka_unit_test(sweeps_have_an_end),
        cmocka_unit_test(odd_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
