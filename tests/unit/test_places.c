/* test_places.c - where instructions are in the source, in recordings. */
#include "frontend/replay/bytes.h"
#include "frontend/replay/places.h"
#include "replay_rig.h"

enum { N_INSTS = 40, FIRST_PC = 0x1000 };

/* Two functions of two files, lines in any order, and instructions of which nothing is
 * known. */
static void made_where(const struct kernel *k, const struct inst *i,
                       struct kernel_where *w)
{
    uint64_t n = (i->pc - k->first_pc) / 16;

    *w = (struct kernel_where){ .why = n == 3 ? "no room" : NULL };
    if (n % 8 == 7)
        return;
    w->function = n < 20 ? "first" : "second";
    w->offset = i->pc - k->first_pc;
    if (n % 4 == 2)
        return;
    w->file = n < 20 ? "/src/a.cu" : "b.cuh";
    w->line = n == 21 ? UINT32_MAX : (uint32_t)(2000 - 37 * n);
}

static const struct kernel_ops made_ops = { .where = made_where };
static const struct kernel made = { .ops = &made_ops, .first_pc = FIRST_PC };

/* The places of so many instructions, as bytes. */
static void put_made(struct inst_table *t, struct buf *out, unsigned n_insts)
{
    struct err err = { 0 };

    for (unsigned n = 0; n < n_insts; n++)
        assert_int_equal(table_add(t, &(struct inst){ .pc = FIRST_PC + 16 * n }, &err),
                         0);
    places_put(&made, t, out);
}

static void same_text(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_string_equal(a, b);
}

static void places_come_back(void **state)
{
    struct inst_table t = { 0 };
    struct buf bytes = { 0 };
    struct places p = { 0 };
    struct err err = { 0 };
    struct reader r;

    (void)state;
    put_made(&t, &bytes, N_INSTS);
    r = (struct reader){ (uint8_t *)bytes.data, (uint8_t *)bytes.data + bytes.len,
                         false };
    assert_int_equal(places_get(&p, &r, N_INSTS, &err), 0);
    assert_true(r.p == r.end);
    for (unsigned n = 0; n < N_INSTS; n++) {
        struct kernel_where is = { 0 }, was;

        made_where(&made, t.inst[n], &was);
        places_find(&p, n, &is);
        same_text(is.function, was.function);
        same_text(is.file, was.file);
        assert_int_equal(is.line, was.line);
        assert_int_equal(is.offset, was.offset);
        assert_string_equal(is.why, "no room");
    }
    places_free(&p);
    table_free(&t);
    buf_free(&bytes);
}

static void are_damaged(const char *bytes, size_t n, uint32_t n_insts)
{
    struct reader r = { (const uint8_t *)bytes, (const uint8_t *)bytes + n, false };
    struct places p = { 0 };
    struct err err = { 0 };

    assert_int_equal(places_get(&p, &r, n_insts, &err), -1);
    places_free(&p);
}

static void damage_is_found(void **state)
{
    static const char no_name[] = "\0\2\1a\1b\3\0", before_first[] = "\0\1\1a\0\1\1";
    struct inst_table t = { 0 };
    struct buf bytes = { 0 };

    (void)state;
    put_made(&t, &bytes, 2);
    for (size_t n = 0; n < bytes.len; n++)
        are_damaged(bytes.data, n, 2);
    are_damaged(no_name, sizeof no_name, 1);           /* function 3 of 2 */
    are_damaged(before_first, sizeof before_first, 1); /* line -1 */
    table_free(&t);
    buf_free(&bytes);
}

static int record_launch(void *to, const struct sass_launch *l,
                         struct driver_cost *cost, struct err *err)
{
    struct kernel *k = sass_kernel_new(l, err);
    struct replay_counts counts;
    int failed;

    assert_non_null(k);
    failed = replay_record_kernel(to, k, &counts, err);
    *cost =
        (struct driver_cost){ .warp_insts = counts.warp_insts, .blocks = k->n_blocks };
    sass_kernel_free(k);
    return failed;
}

/* The first kernel of a recording, and what it knows of its first instruction. */
static struct kernel_where first_place(const char *path, char **function)
{
    struct err err = { 0 };
    struct replay *r = replay_open(path, NULL, &err);
    struct kernel_where w = { 0 };
    struct kernel *k;

    assert_non_null(r);
    assert_int_equal(replay_next_kernel(r, &k, &err), 1);
    k->ops->where(k, &(struct inst){ .pc = k->first_pc }, &w);
    *function = w.function ? strdup(w.function) : NULL;
    replay_kernel_free(r, k);
    replay_close(r);
    return w;
}

static void recordings_have_them(void **state)
{
    struct replay_info info = { .program = "vecadd", .sm = 75 };
    char *path = scratch("places.leno"), *function;
    struct err err = { 0 };
    struct replay_writer *w = replay_writer_new(path, &info, &err);
    struct kernel_where at;

    (void)state;
    assert_non_null(w);
    run_workload(&workload_vecadd, SM75, record_launch, w);
    assert_int_equal(replay_writer_finish(w, &err), 0);
    at = first_place(path, &function);
    assert_non_null(function);
    assert_string_equal(function, "vecadd");
    assert_true(!at.file && !at.offset && !at.why); /* it has no line table */
    free(function);
    unlink(path);
    free(path);
}

/* Before version 5 there are none. */
static void older_recordings_have_none(void **state)
{
    static const char *const paths[] = { "tests/data/replay/vecadd.leno",
                                         "tests/data/replay/version-4.leno" };

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        char *function;
        struct kernel_where at = first_place(paths[n], &function);

        assert_true(!function && !at.file && !at.why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_come_back),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(recordings_have_them),
        cmocka_unit_test(older_recordings_have_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
