/* test_repeats.c - what a limit study calls redundant in a warp, a block and a grid.
 *
 * Instructions are put together by hand: what they read and write, and a number that stands
 * for the value.
 */
#include "analysis/repeats.h"
#include "check.h"

enum { LANES = -1, HALF = 0xffff, R1 = 1, R2, R3 };

/* A grid of two blocks of two warps, and what they execute. */
struct study {
    struct kernel kernel;
    struct repeats *repeats;
    struct repeats_block *block[2];
    struct err err;
};

static void begin(struct study *s)
{
    memset(s, 0, sizeof *s);
    s->kernel = (struct kernel){ .name = "k", .n_blocks = 2, .threads = 64 };
    s->repeats = repeats_new(&s->kernel, &s->err);
    assert_non_null(s->repeats);
    for (unsigned b = 0; b < 2; b++)
        assert_non_null(s->block[b] = repeats_open(s->repeats, 2, &s->err));
}

static struct repeats_counts end(struct study *s)
{
    struct repeats_counts c = { 0 };

    for (unsigned b = 0; b < 2; b++)
        repeats_close(s->repeats, s->block[b]);
    repeats_add(s->repeats, &c);
    repeats_free(s->repeats);
    return c;
}

/* An instruction d = f(a), registers; 0: none. */
struct code {
    unsigned pc, d, a;
    enum inst_class class;
};

/* A warp, 0 to 3, executes it with a result and a shape. */
static void some_lanes(struct study *s, unsigned warp, struct code c, uint32_t active,
                       uint32_t mask, struct value v)
{
    struct inst i = { .pc = c.pc, .length = 1, .class = (uint8_t)c.class };
    struct dyn d = { .inst = &i, .active = active, .mask = mask, .value = v };

    if (c.d)
        regset_add(&i.writes, c.d);
    if (c.a)
        regset_add(&i.reads, c.a);
    inst_index(&i);
    assert_int_equal(
        repeats_note(s->repeats, s->block[warp / 2], warp % 2, &d, &s->err), 0);
}

static void does(struct study *s, unsigned warp, struct code c, uint64_t value,
                 enum value_shape shape)
{
    some_lanes(s, warp, c, (uint32_t)LANES, (uint32_t)LANES,
               (struct value){ .digest = value, .shape = (uint8_t)shape });
}

static const struct code special = { 0, R1, 0, CLASS_sreg };
static const struct code add = { 1, R2, R1, CLASS_int };
static const struct code add_2 = { 2, R3, R2, CLASS_int };
static const struct code load = { 3, R3, R1, CLASS_load };
static const struct code store = { 4, 0, R1, CLASS_store };

#define EXPECT(s, insts_, warp_, block_, grid_)                              \
    do {                                                                     \
        struct repeats_counts found = end(s);                                \
                                                                             \
        assert_int_equal(found.insts, insts_);                               \
        assert_int_equal(found.warp, warp_);                                 \
        assert_int_equal(found.block, block_);                               \
        assert_int_equal(found.grid, grid_);                                 \
        assert_int_equal(found.block,                                        \
                         found.uniform + found.affine + found.unstructured); \
    } while (0)

static void all_the_same(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++) {
        does(&s, w, special, 7, VALUE_UNIFORM);
        does(&s, w, add, 8, VALUE_UNIFORM);
    }
    EXPECT(&s, 8, 8, 8, 8);
}

static void each_block_its_own(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++)
        does(&s, w, special, 7 + w / 2, VALUE_AFFINE);
    EXPECT(&s, 4, 0, 4, 0);
}

static void one_warp_differs(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++)
        does(&s, w, special, w == 3, VALUE_OTHER);
    EXPECT(&s, 4, 0, 2, 0);
}

/* The same result of other operands is not the same, and not uniform either. */
static void operands_count(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++) {
        does(&s, w, special, w, VALUE_AFFINE);
        does(&s, w, add, 8, VALUE_UNIFORM);
        does(&s, w, add_2, 9, VALUE_UNIFORM);
    }
    EXPECT(&s, 12, 4, 4, 4); /* add_2 */
}

/* Memory may hold something else by the time that another warp looks. */
static void loads_by_what_they_load(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++) {
        does(&s, w, special, 7, VALUE_UNIFORM);
        does(&s, w, load, w, VALUE_UNIFORM);
    }
    EXPECT(&s, 8, 8, 4, 4);
}

static void effects_are_not_redundant(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++)
        does(&s, w, store, 0, VALUE_UNIFORM);
    EXPECT(&s, 4, 0, 0, 0);
}

static void not_all_warps(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 3; w++)
        does(&s, w, special, 7, VALUE_UNIFORM);
    EXPECT(&s, 3, 3, 2, 0);
}

/* A loop: the second round is compared with second rounds. */
static void time_after_time(void **state)
{
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++)
        for (unsigned round = 0; round < 20; round++)
            does(&s, w, special, round, VALUE_UNIFORM);
    EXPECT(&s, 80, 80, 80, 80);
}

static void parts_of_warps(void **state)
{
    static const struct value v = { .digest = 5, .shape = VALUE_OTHER };
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++) {
        does(&s, w, special, 7, VALUE_UNIFORM);
        some_lanes(&s, w, add, HALF, HALF, v); /* diverged */
    }
    EXPECT(&s, 8, 4, 4, 4);
}

/* Lanes that are off keep what they had: the register is the same only if that was. */
static void guards_keep(void **state)
{
    static const struct value v = { .digest = 5, .shape = VALUE_UNIFORM };
    struct study s;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++) {
        does(&s, w, special, w, VALUE_UNIFORM);
        some_lanes(&s, w, special, (uint32_t)LANES, HALF, v);
        does(&s, w, add, 8, VALUE_UNIFORM);
    }
    EXPECT(&s, 12, 8, 4,
           4); /* the second special; add has R1 of old in half its lanes */
}

static void shapes(void **state)
{
    struct study s;
    struct repeats_counts c;

    (void)state;
    begin(&s);
    for (unsigned w = 0; w < 4; w++) {
        does(&s, w, special, 7, VALUE_AFFINE);
        does(&s, w, add, 8, VALUE_OTHER); /* of affine operands */
        does(&s, w, add_2, 9, VALUE_UNIFORM);
    }
    c = end(&s);
    assert_int_equal(c.uniform, 0);
    assert_int_equal(c.affine, 8);
    assert_int_equal(c.unstructured, 4);
    assert_int_equal(c.warp, 0);
    assert_int_equal(c.thread_insts, 12 * 32);
}

static void code_too_far(void **state)
{
    struct inst i = { .pc = 1u << 24, .length = 1, .class = CLASS_int };
    struct dyn d = { .inst = &i, .active = 1, .mask = 1 };
    struct study s;

    (void)state;
    begin(&s);
    assert_int_equal(repeats_note(s.repeats, s.block[0], 0, &d, &s.err), -1);
    assert_non_null(strstr(s.err.text, "expected at most"));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_the_same),
        cmocka_unit_test(each_block_its_own),
        cmocka_unit_test(one_warp_differs),
        cmocka_unit_test(operands_count),
        cmocka_unit_test(loads_by_what_they_load),
        cmocka_unit_test(effects_are_not_redundant),
        cmocka_unit_test(not_all_warps),
        cmocka_unit_test(time_after_time),
        cmocka_unit_test(parts_of_warps),
        cmocka_unit_test(guards_keep),
        cmocka_unit_test(shapes),
        cmocka_unit_test(code_too_far),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
