/* test_sweep.c - studies in a file: their points, what those are compared with, mistakes. */
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "report/sweep_put.h"
#include "session/workloads.h"

static int read_text(struct sweep *s, const char *text, struct err *err)
{
    *err = (struct err){ 0 };
    return sweep_read(s, "study.ini", text, strlen(text), err);
}

static const char *spec_of(const struct sweep *s, size_t column)
{
    return s->column[column].spec;
}

static void every_value_meets_every_other(void **state)
{
    static const char *const spec[][2] = {
        { "inorder:sched.policy=gto", "inorder:sched.policy=gto" },
        { "inorder:sched.policy=lrr", "inorder:sched.policy=lrr" },
        { "ghost:ghost.entries=4:sched.policy=gto", "inorder:sched.policy=gto" },
        { "ghost:ghost.entries=4:sched.policy=lrr", "inorder:sched.policy=lrr" },
        { "ghost:ghost.entries=8:sched.policy=gto", "inorder:sched.policy=gto" },
        { "ghost:ghost.entries=8:sched.policy=lrr", "inorder:sched.policy=lrr" },
    };
    struct sweep s;
    struct err err;

    (void)state;
    assert_int_equal(read_text(&s,
                               "schemes = inorder, ghost\n[sweep]\n"
                               "ghost.entries = 4, 8\nsched.policy = gto,lrr ; two\n",
                               &err),
                     0);
    assert_int_equal(s.n_points, 6);
    assert_int_equal(s.n_columns, 6); /* the baselines are points, too */
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(spec_of(&s, s.point[i].column), spec[i][0]);
        assert_string_equal(spec_of(&s, s.point[i].base), spec[i][1]);
    }
    assert_null(s.point[0].value[0]);
    assert_string_equal(s.point[5].value[0], "8");
    assert_string_equal(s.point[5].value[1], "lrr");
    sweep_free(&s);
}

/* A baseline of its own, on each GPU; without [sweep] a scheme is one point. */
static void a_point_stays_on_its_gpu(void **state)
{
    struct sweep s;
    struct err err;

    (void)state;
    assert_int_equal(read_text(&s,
                               "gpus = rtx2060s, v100\nschemes = ghost\nseed = 7\n"
                               "baseline = inorder:entries=4\nsms = 3\nsize = tiny\n"
                               "programs = nn, lud\n[set]\nl1.latency = 30\n",
                               &err),
                     0);
    assert_int_equal(s.n_points, 2);
    assert_int_equal(s.n_columns, 4);
    for (size_t i = 0; i < 2; i++) {
        const struct sweep_point *p = &s.point[i];

        assert_string_equal(p->gpu, i ? "v100" : "rtx2060s");
        assert_string_equal(s.column[p->column].gpu, p->gpu);
        assert_string_equal(s.column[p->base].gpu, p->gpu);
        assert_string_equal(spec_of(&s, p->base), "inorder:entries=4");
    }
    assert_int_equal(s.seed, 7);
    assert_int_equal(s.sms, 3);
    assert_int_equal(s.programs.n, 2);
    assert_string_equal(s.size.at[0], "tiny");
    assert_int_equal(s.n_set, 1);
    assert_string_equal(s.setting[0], "l1.latency=30");
    sweep_free(&s);
}

/* Texts and what is said of them. */
static const char *const wrong[][2] = {
    { "", "study.ini: expected schemes = NAME" },
    { "schemes = inorder, gost\n", "did you mean 'ghost'?" },
    { "schemes = inorder\nbaseline = in\n", "study.ini: baseline: no scheme" },
    { "scheme = inorder\n", "study.ini:1: no such key 'scheme' (did you mean" },
    { "schemes = ghost,,loog\n", "study.ini:1: expected a value before and after" },
    { "schemes = ghost, ghost\n", "study.ini:1: duplicate 'ghost'" },
    { "schemes = ghost\nschemes = loog\n", "study.ini:2: that is in line 1" },
    { "schemes = ghost\nbaseline = a, b\n", "study.ini:2: expected one baseline" },
    { "schemes = ghost\nseed = -1\n", "study.ini:2: seed = -1: expected a number" },
    { "schemes = ghost\nsms = 1x\n", "study.ini:2: sms = 1x: expected a number" },
    { "schemes = ghost\n[swep]\na = 1\n", "study.ini:3: no such section 'swep'" },
    { "schemes = ghost\n[sweep]\nghost.entrys = 4\n",
      "study.ini:3: no parameter 'ghost.entrys' (did you mean 'ghost.entries'?)" },
    { "schemes = ghost\n[set]\nghost.entries = 65\n",
      "study.ini:3: ghost.entries: expected a number from 1 to 64" },
    { "schemes = ghost\n[sweep]\nghost.entries = 65\n",
      "study.ini: its only point is invalid: ghost.entries: expected a number" },
    { "schemes = ghost\n[sweep]\nghost.entries = 65, 66\n",
      "study.ini: all points are invalid; the first: ghost.entries: expected" },
    { "schemes = ghost\nsms = 99\n[sweep]\nghost.entries = 4, 8\n",
      "--sms 99: expected 1 to 34" },
    { "schemes = ghost\n[sweep]\ncore.warps = 32:1024\n",
      "study.ini:3: value 1 has a ':'; parameters that vary together stand on one" },
    { "schemes = ghost\n[sweep]\ncore.warps, core.threads = 32:1024, 64\n",
      "study.ini:3: value 2: expected 2 values with ':' between them" },
    { "schemes = ghost\n[sweep]\ncore.warps, core.threads = 32:1024:1\n",
      "study.ini:3: value 1: expected 2 values" },
    { "schemes = ghost\n[sweep]\ncore.warps, core.threads = 32:\n",
      "study.ini:3: value 1: expected 2 values" },
    { "schemes = ghost\n[sweep]\ncore.warps, core.threads = :32, 1:2\n",
      "study.ini:3: value 1: expected 2 values" },
    { "schemes = ghost\n[sweep]\ncore.warps, = 32:1\n",
      "study.ini:3: expected a parameter before and after each comma" },
    { "schemes = ghost\n[sweep]\ncore.warps, core.warps = 32:1\n",
      "study.ini:3: core.warps is in line 3 already" },
    { "schemes = ghost\n[sweep]\ncore.warps = 32\nl1.latency, core.warps = 3:4\n",
      "study.ini:4: core.warps is in line 3 already" },
    { "schemes = ghost\n[sweep]\ncore.warps, core.thread = 32:1\n",
      "study.ini:3: no parameter 'core.thread' (did you mean 'core.threads'?)" },
    { "schemes = ghost\n[set]\ncore.warps, core.threads = 32:1024\n",
      "study.ini:3: core.warps, core.threads has several values; expected that in" },
    { "schemes = ghost\n[set]\nl1.latency = 3\nl1.latency = 4\n",
      "study.ini:4: l1.latency is in line 3 already" },
    { "schemes = inorder\n[sweep]\nghost.entries = 4\n",
      "study.ini:3: no parameter 'ghost.entries'" },
    { "schemes = ghost\n[sweep]\nl1.latency = 3\nl1.latency = 4\n",
      "study.ini:4: l1.latency is in line 3 already" },
    { "schemes = ghost\n[set]\nl1.latency = 3, 4\n",
      "study.ini:3: l1.latency has several values; expected that in [sweep]" },
    { "schemes = ghost\n[set]\nl1.latncy = 3\n",
      "study.ini:3: no parameter 'l1.latncy' (did you mean 'l1.latency'?)" },
    { "schemes = ghost\nwhat\n", "study.ini:2: expected [group], name = value" },
    { "schemes = ghost\nprograms = nn\nprograms = lud, nn\n",
      "study.ini:3: duplicate 'nn'" },
    { "schemes = ghost\n[columns]\na = inorder\n",
      "study.ini:3: [columns] lists all points; expected no schemes" },
    { "[columns]\na = inorder\n[sweep]\nl1.latency = 3\n",
      "study.ini:2: [columns] lists all points" },
    { "[columns]\na = inorder\na = ghost\n", "study.ini:3: a is in line 2 already" },
    { "[columns]\na =\n", "study.ini:2: expected a scheme after a =" },
    { "[columns]\na = gost\n", "study.ini:2: " },
    { "[columns]\na = inorder\nb = ghost over c\n",
      "study.ini:3: over c: there is no such column" },
    { "[columns]\na = ghost in v100\n",
      "study.ini:2: expected a = SCHEME [on GPU] [over COLUMN], not 'in'" },
    { "[columns]\na = ghost on\n", "study.ini:2: expected a = SCHEME" },
    { "[columns]\na = ghost on v100 on v100\n", "study.ini:2: expected a = SCHEME" },
};

static void mistakes_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sweep s;
        struct err err;

        assert_int_equal(read_text(&s, wrong[i][0], &err), -1);
        if (!strstr(err.text, wrong[i][1]))
            fail_msg("'%s': %s", wrong[i][0], err.text);
        sweep_free(&s);
    }
}

/* Parameters in one line: the values of each in step; a scheme that has only some of them
 * has a point for each of their values. */
static void coupled_parameters_vary_together(void **state)
{
    static const char *const spec[] = {
        "inorder:core.warps=16:core.threads=512",
        "inorder:core.warps=32:core.threads=1024",
        "ghost:core.warps=16:core.threads=512:ghost.entries=4",
        "ghost:core.warps=32:core.threads=1024:ghost.entries=4",
        "ghost:core.warps=32:core.threads=1024:ghost.entries=8",
    };
    static const size_t base[] = { 0, 1, 0, 1, 1 };
    struct sweep s;
    struct err err;

    (void)state;
    assert_int_equal(read_text(&s,
                               "schemes = inorder, ghost\n[sweep]\ncore.warps, "
                               "core.threads,ghost.entries=16:512:4,32 : 1024:4, "
                               "32:1024:8\n",
                               &err),
                     0);
    assert_int_equal(s.n_params, 3);
    assert_int_equal(s.n_combinations, 6);
    assert_int_equal(s.n_points, 5);
    assert_int_equal(s.n_invalid, 0);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(spec_of(&s, s.point[i].column), spec[i]);
        assert_string_equal(spec_of(&s, s.point[i].base), spec[base[i]]);
    }
    assert_string_equal(s.point[4].value[1], "1024");
    assert_null(s.point[1].value[2]);
    sweep_free(&s);
}

/* Values that cannot be, alone or together: each such point says why, the others stay. */
static void an_invalid_point_is_only_itself(void **state)
{
    struct sweep s;
    struct err err;

    (void)state;
    assert_int_equal(read_text(&s,
                               "schemes = inorder, ghost\n[sweep]\ncore.threads = 512, "
                               "4096\nghost.entries = 4, 65\n",
                               &err),
                     0);
    assert_int_equal(s.n_points, 6);
    assert_int_equal(s.n_invalid, 4);
    for (size_t i = 0; i < 6; i++) {
        const char *why = sweep_why_invalid(&s, i), *entries = s.point[i].value[1];

        if (entries && !strcmp(entries, "65"))
            assert_string_equal(why, "ghost.entries: expected a number from 1 to 64 "
                                     "(inst), got '65'");
        else if (!strcmp(s.point[i].value[0], "4096"))
            assert_non_null(strstr(why, "core.threads"));
        else
            assert_null(why);
    }
    sweep_free(&s);
}

/* Ten, sixteen and eight values of three parameters are more than a study has. */
static void too_much_is_refused(void **state)
{
    struct buf text = { 0 };
    struct sweep s;
    struct err err;

    (void)state;
    buf_puts(&text, "schemes = inorder\n[sweep]\nl1.latency = 1");
    for (unsigned n = 2; n <= 10; n++)
        buf_printf(&text, ", %u", n);
    buf_puts(&text, "\nshared.latency = 1");
    for (unsigned n = 2; n <= 16; n++)
        buf_printf(&text, ", %u", n);
    buf_puts(&text, "\nconst.latency = 1, 2, 3, 4, 5, 6");
    assert_int_equal(read_text(&s, buf_text(&text), &err), 0);
    assert_int_equal(s.n_points, 960);
    sweep_free(&s);
    buf_puts(&text, ", 7, 8");
    assert_int_equal(read_text(&s, buf_text(&text), &err), -1);
    assert_non_null(strstr(err.text, "study.ini: more than 1024 combinations"));
    sweep_free(&s);
    buf_clear(&text);
    buf_puts(&text, "schemes = inorder\n[sweep]\nl1.latency = 1");
    for (unsigned n = 2; n <= SWEEP_MAX_WORDS + 1; n++)
        buf_printf(&text, ",%u", n);
    assert_int_equal(read_text(&s, buf_text(&text), &err), -1);
    if (!strstr(err.text, "study.ini:3: "))
        fail_msg("%s", err.text);
    sweep_free(&s);
    buf_free(&text);
}

/* Points one by one, with names: on their GPU, over the first one there or another. */
static void columns_are_points(void **state)
{
    static const struct {
        const char *name, *spec, *gpu, *base;
    } expected[] = {
        { "IN", "inorder", "rtx2060s", "inorder" },
        { "L", "inorder:sched.policy=lrr", "rtx2060s", "inorder" },
        { "GL", "ghost:sched.policy=lrr", "rtx2060s", "inorder:sched.policy=lrr" },
        { "IN_V", "inorder:entries=3", "v100", "inorder:entries=3" },
        { "G_V", "ghost", "v100", "inorder:entries=3" },
        { "G_V2", "ghost", "v100", "inorder" }, /* over one of another GPU */
    };
    struct sweep s;
    struct err err;

    (void)state;
    assert_int_equal(read_text(&s,
                               "gpus = rtx2060s\nprograms = nn\nprograms = lud, fw\n"
                               "[columns]\nIN = inorder\nL = inorder:sched.policy=lrr\n"
                               "GL=ghost:sched.policy=lrr over L\n"
                               "IN_V = inorder:entries=3 on v100\nG_V = ghost on v100\n"
                               "G_V2 = ghost over IN on v100\n[set]\nl1.latency = 30\n",
                               &err),
                     0);
    assert_int_equal(s.n_points, 6);
    assert_int_equal(s.n_columns, 5); /* both of G_V are one */
    assert_int_equal(s.programs.n, 3);
    for (size_t i = 0; i < s.n_points; i++) {
        const struct sweep_point *p = &s.point[i];

        assert_string_equal(p->scheme, expected[i].name);
        assert_string_equal(p->gpu, expected[i].gpu);
        assert_string_equal(s.column[p->column].gpu, expected[i].gpu);
        assert_string_equal(spec_of(&s, p->column), expected[i].spec);
        assert_string_equal(spec_of(&s, p->base), expected[i].base);
    }
    sweep_free(&s);
}

/* Programs of the paper among the workloads; all of them are in the study. */
static size_t count_papers_programs(const struct sweep *s)
{
    const struct workload *w;
    size_t n = 0;

    for (size_t i = 0; (w = workload_at(i)); i++) {
        size_t at = 0;

        if (!w->papers || !strstr(w->papers, "ghost"))
            continue;
        n++;
        while (at < s->programs.n && strcmp(s->programs.at[at], w->name))
            at++;
        if (at == s->programs.n)
            fail_msg("%s is not in the study", w->name);
    }
    return n;
}

/* The artifact's 20 configurations on 28 programs: 15 of its RTX 2060 Super. */
static void the_artifact_is_a_study(void **state)
{
    static const char file_name[] = "configs/sweeps/ghost-artifact.ini";
    struct sweep s;
    struct err err = { 0 };
    struct file file;
    size_t n_turing = 0;

    (void)state;
    assert_int_equal(file_read(file_name, 1 << 16, &file, &err), 0);
    if (sweep_read(&s, file_name, (const char *)file.data, file.size, &err))
        fail_msg("%s", err.text);
    assert_int_equal(s.n_points, 20);
    assert_int_equal(s.n_columns, 20);
    assert_int_equal(s.n_invalid, 0);
    for (size_t i = 0; i < s.n_points; i++) {
        const struct sweep_point *p = &s.point[i];

        n_turing += !strcmp(p->gpu, "rtx2060s-ghost");
        assert_string_equal(s.column[p->base].gpu, p->gpu);
        assert_true(strstr(p->scheme, "RTX3070") || !strcmp(p->gpu, "rtx2060s-ghost"));
    }
    assert_int_equal(n_turing, 15);
    assert_int_equal(count_papers_programs(&s), 28);
    assert_int_equal(s.programs.n * s.n_columns, 560);
    sweep_free(&s);
    file_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_meets_every_other),
        cmocka_unit_test(a_point_stays_on_its_gpu),
        cmocka_unit_test(coupled_parameters_vary_together),
        cmocka_unit_test(an_invalid_point_is_only_itself),
        cmocka_unit_test(columns_are_points),
        cmocka_unit_test(the_artifact_is_a_study),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(too_much_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
