/* test_demangle.c - names of functions as in the source, and patterns of them. */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "session/choice.h"
#include "session/demangle.h"

static void is(const char *name, const char *plain)
{
    struct buf out = { 0 };

    demangle_put(&out, name, SIZE_MAX);
    assert_string_equal(buf_text(&out), plain);
    buf_free(&out);
}

static void names_are_as_in_the_source(void **state)
{
    (void)state;
    if (!dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL))
        skip();
    is("_Z4workPKfPfi", "work(float const*, float*, int)");
    is("_Z5scaleIiLi2EEvPKT_PS0_i", "scale<int, 2>(int const*, int*, int)");
    /* A kernel's own copy of a function has the function's name. */
    is("$_Z4workPKfPfi$_Z4slowPKfi", "slow(float const*, int)");
}

static void others_stay(void **state)
{
    (void)state;
    is("hotspot", "hotspot");
    is("$__internal_0_$__cuda_sm3x_div_rn_f32",
       "$__internal_0_$__cuda_sm3x_div_rn_f32");
    is("$", "$");
    is("", "");
}

static void patterns_match_a_whole_name(void **state)
{
    (void)state;
    assert_true(choice_matches("hot*", "hotspot"));
    assert_false(choice_matches("hot", "hotspot"));
    assert_true(choice_matches("_Z4work*", "_Z4workPKfPfi"));
    if (!dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL))
        skip();
    assert_true(choice_matches("work", "_Z4workPKfPfi"));
    assert_true(choice_matches("work(float const*, *", "_Z4workPKfPfi"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_as_in_the_source),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(patterns_match_a_whole_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
