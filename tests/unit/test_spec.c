/* test_spec.c - schemes with settings in one word: what they become, what is wrong. */
#include <string.h>

#include "check.h"
#include "session/spec.h"

static uint32_t value_of(const struct machine *m, const char *prefix, const char *name)
{
    for (size_t i = 0; i < m->n_bind; i++) {
        const struct param_group *g = m->bind[i].group;

        for (size_t r = 0; !strcmp(g->prefix, prefix) && r < g->n_rows; r++)
            if (!strcmp(g->rows[r].name, name))
                return *(
                    const uint32_t *)(const void *)((const char *)m->bind[i].values +
                                                    g->rows[r].offset);
    }
    fail_msg("no %s.%s", prefix, name);
    return 0;
}

static void settings_reach_the_machine(void **state)
{
    struct err err = { 0 };
    struct machine *m = spec_machine(
        "rtx2060s", "inorder:entries=12:refill=room:sched.policy=gto", NULL, 0, &err);

    (void)state;
    assert_non_null(m);
    assert_string_equal(m->scheme->name, "inorder");
    assert_int_equal(value_of(m, "inorder", "entries"), 12);
    assert_int_equal(value_of(m, "inorder", "refill"), 1);
    assert_int_equal(value_of(m, "sched", "policy"), 1);
    machine_free(m);
}

static void a_bare_name_has_the_presets_values(void **state)
{
    struct err err = { 0 };
    struct machine *m = spec_machine("rtx2060s-ghost", "inorder", NULL, 0, &err);

    (void)state;
    assert_non_null(m);
    assert_int_equal(value_of(m, "inorder", "entries"), 4);
    machine_free(m);
}

static void common_settings_come_first_and_pass_by_other_schemes(void **state)
{
    static const char *const set[] = { "inorder.entries=7", "l1.latency=33" };
    struct err err = { 0 };
    struct machine *m = spec_machine("rtx2060s", "inorder", set, 2, &err);

    (void)state;
    assert_non_null(m);
    assert_int_equal(value_of(m, "inorder", "entries"), 7);
    assert_int_equal(value_of(m, "l1", "latency"), 33);
    machine_free(m);
    m = spec_machine("rtx2060s", "inorder:entries=9", set, 2, &err);
    assert_non_null(m);
    assert_int_equal(value_of(m, "inorder", "entries"), 9);
    machine_free(m);
    m = spec_machine("rtx2060s", "control", set, 2, &err);
    assert_non_null(m);
    assert_int_equal(value_of(m, "l1", "latency"), 33);
    machine_free(m);
}

static void a_common_setting_of_nobody_is_an_error(void **state)
{
    static const char *const set[][1] = {
        { "inorder.entries=7" }, { "entries=7" }, { "" }, { "sched=1" }, { ".x=1" }
    };
    struct err err = { 0 };
    struct machine *m[] = { spec_machine("rtx2060s", "control", NULL, 0, &err),
                            spec_machine("rtx2060s", "inorder", NULL, 0, &err) };

    (void)state;
    assert_int_equal(spec_check_set(m, 2, set[0], 1, &err), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(spec_check_set(m, 1, set[i], 1, &err), -1);
    machine_free(m[0]);
    machine_free(m[1]);
}

/* A common setting that belongs here and is wrong is not passed by. */
static void a_wrong_common_setting_is_an_error(void **state)
{
    static const char *const set[] = { "inorder.entries=7000" };
    struct err err = { 0 };

    (void)state;
    assert_null(spec_machine("rtx2060s", "inorder", set, 1, &err));
    assert_non_null(strstr(err.text, "7000"));
}

static void mistakes_are_named(void **state)
{
    static const char *const wrong[][2] = {
        { "inordr", "did you mean 'inorder'" },
        { "", "no scheme named ''" },
        { "inorder:", "KEY=VALUE" },
        { "inorder:entries", "KEY=VALUE instead of 'entries'" },
        { "inorder:=4", "KEY=VALUE" },
        { "inorder::entries=4", "KEY=VALUE" },
        { "inorder:entry=4", "entries" },
        { "inorder:entries=0", "inorder:entries=0" },
        { "inorder:refill=often", "room" },
        { "inorder:sched.polcy=gto", "sched.policy" },
        { "inorder:control.entries=3", "control.entries" },
        { "inorder+nothing", "nothing" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = { 0 };

        assert_null(spec_machine("rtx2060s", wrong[i][0], NULL, 0, &err));
        if (!strstr(err.text, wrong[i][1]))
            fail_msg("'%s': '%s' lacks '%s'", wrong[i][0], err.text, wrong[i][1]);
    }
}

static void lists_are_split_at_commas(void **state)
{
    struct err err = { 0 };
    struct spec_list l;

    (void)state;
    assert_int_equal(spec_split(&l, "inorder,ghost:isb=4,control", &err), 0);
    assert_int_equal(l.n, 3);
    assert_string_equal(l.at[0], "inorder");
    assert_string_equal(l.at[1], "ghost:isb=4");
    assert_string_equal(l.at[2], "control");
    spec_free(&l);
}

static void bad_lists_are_refused(void **state)
{
    static const char *const wrong[] = { "",         ",",    "inorder,",
                                         ",inorder", "a,,b", "a,b,a" };
    struct buf many = { 0 };
    struct spec_list l;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = { 0 };

        assert_int_equal(spec_split(&l, wrong[i], &err), -1);
        assert_true(strlen(err.text) > 10);
        spec_free(&l);
    }
    for (int i = 0; i <= MAX_SPECS; i++)
        buf_printf(&many, "%sinorder:entries=%d", i ? "," : "", i);
    assert_int_equal(spec_split(&l, buf_text(&many), NULL), -1);
    spec_free(&l);
    buf_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_reach_the_machine),
        cmocka_unit_test(a_bare_name_has_the_presets_values),
        cmocka_unit_test(common_settings_come_first_and_pass_by_other_schemes),
        cmocka_unit_test(a_common_setting_of_nobody_is_an_error),
        cmocka_unit_test(a_wrong_common_setting_is_an_error),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(lists_are_split_at_commas),
        cmocka_unit_test(bad_lists_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
