/* test_value.c - what an executed instruction has written, as a digest: what an eliminator
 * claims is compared with it (core/check/skip.c), so values that differ in any lane of any
 * result must have different ones.
 */
#include <stdlib.h>

#include "check.h"
#include "frontend/sass/exec/value.h"
#include "frontend/sass/math/fpcore.h"

enum { N_ROWS = 8 };
struct rig {
    struct sass_warp *w;
    struct inst inst;
};

static struct rig rig_new(unsigned n_regs, const unsigned *regs)
{
    struct rig r = { .w = lines_alloc(sizeof *r.w) };

    r.w->r = lines_alloc(N_ROWS * sizeof *r.w->r);
    for (unsigned k = 0; k < n_regs; k++)
        regset_add(&r.inst.writes, regs[k]);
    inst_index(&r.inst);
    return r;
}

static void rig_free(struct rig *r)
{
    free(r->w->r);
    free(r->w);
}

static struct value value_of(const struct rig *r, uint32_t mask)
{
    struct dyn d = { .inst = &r->inst, .active = ALL_LANES, .mask = mask };

    sass_value(r->w, &d);
    return d.value;
}

static void fill(struct rig *r, unsigned reg, uint32_t base, uint32_t stride)
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        r->w->r[reg + 1][l] = base + l * stride;
}

static void one_result_is_its_base_and_stride(void **state)
{
    const unsigned regs[] = { REGID_R + 4 };
    struct rig r = rig_new(1, regs);
    struct value v;

    (void)state;
    fill(&r, 4, 7, 0);
    v = value_of(&r, ALL_LANES);
    assert_int_equal(v.shape, VALUE_UNIFORM);
    assert_int_equal(v.form, VALUE_LINE);
    assert_int_equal(v.digest, value_line(7, 0));
    fill(&r, 4, 0xfffffff0, 4); /* around the end */
    v = value_of(&r, ALL_LANES);
    assert_int_equal(v.shape, VALUE_AFFINE);
    assert_int_equal(v.digest, value_line(0xfffffff0, 4));
    assert_int_equal(v.first, 0xfffffff0);
    rig_free(&r);
}

/* One lane that does not follow: neither its base and stride nor equal to others. */
static void every_lane_counts(void **state)
{
    const unsigned regs[] = { REGID_R + 4 };
    struct rig r = rig_new(1, regs);
    uint64_t seen[WARP_LANES];

    (void)state;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        struct value v;

        fill(&r, 4, 7, 4);
        r.w->r[5][l] ^= 64;
        v = value_of(&r, ALL_LANES);
        assert_int_equal(v.shape, VALUE_OTHER);
        assert_int_equal(v.form, VALUE_HASH);
        assert_int_not_equal(v.digest, value_line(7, 4));
        seen[l] = v.digest;
        for (unsigned k = 0; k < l; k++)
            assert_int_not_equal(seen[k], seen[l]);
    }
    rig_free(&r);
}

static void every_result_counts(void **state)
{
    const unsigned regs[] = { REGID_R + 4, REGID_R + 5, REGID_P + 1 };
    struct rig r = rig_new(3, regs);
    uint64_t expected = value_join(value_line(1, 2), 1, value_line(3, 0)), digest;

    (void)state;
    fill(&r, 4, 1, 2);
    fill(&r, 5, 3, 0);
    r.w->p[1] = ALL_LANES;
    expected = value_join(expected, 2, value_line(1, 0));
    digest = value_of(&r, ALL_LANES).digest;
    assert_int_equal(digest, expected);
    assert_int_equal(value_of(&r, ALL_LANES).shape, VALUE_AFFINE);
    assert_int_equal(value_of(&r, ALL_LANES).form, VALUE_HASH);
    fill(&r, 4, 3, 0); /* the same the other way round */
    fill(&r, 5, 1, 2);
    assert_int_not_equal(value_of(&r, ALL_LANES).digest, digest);
    fill(&r, 4, 1, 2);
    fill(&r, 5, 3, 0);
    r.w->p[1] = 1; /* lane 0 alone, as 1 in all lanes is */
    assert_int_not_equal(value_of(&r, ALL_LANES).digest, digest);
    assert_int_equal(value_of(&r, ALL_LANES).shape, VALUE_OTHER);
    rig_free(&r);
}

/* Lanes that wrote nothing: nothing is affine, and what they hold does not matter. */
static void lanes_that_are_off(void **state)
{
    const unsigned regs[] = { REGID_R + 4 };
    struct rig r = rig_new(1, regs);
    uint64_t digest;

    (void)state;
    fill(&r, 4, 7, 0);
    digest = value_of(&r, 0xffff).digest;
    assert_int_equal(value_of(&r, 0xffff).shape, VALUE_OTHER);
    r.w->r[5][20] = 99;
    assert_int_equal(value_of(&r, 0xffff).digest, digest);
    r.w->r[5][3] = 99;
    assert_int_not_equal(value_of(&r, 0xffff).digest, digest);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_result_is_its_base_and_stride),
        cmocka_unit_test(every_lane_counts),
        cmocka_unit_test(every_result_counts),
        cmocka_unit_test(lanes_that_are_off),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
