/* test_async_bytes.c - what instructions do asynchronously, as bytes of a recording. */
#include <stdlib.h>

#include "base/hash.h"
#include "check.h"
#include "frontend/replay/async_bytes.h"

static const struct inst copies = { .flags = INST_COPIES };
static const struct inst phase = { .flags = INST_PHASE };

static uint64_t next(uint64_t *state)
{
    return hash_mix(++*state);
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(next(state) % limit);
}

static bool get(const struct buf *b, const struct inst *i, uint32_t cluster,
                struct copy *c)
{
    struct reader r = { (uint8_t *)b->data, (uint8_t *)b->data + b->len, false };

    return async_get(&r, i, cluster, c);
}

/* Is it taken? */
static bool is_good(const struct copy *c, const struct inst *i, uint32_t cluster)
{
    struct buf b = { 0 };
    struct copy back;
    bool good;

    async_put(c, &b);
    good = get(&b, i, cluster, &back);
    if (good)
        async_release(&back);
    buf_free(&b);
    return good;
}

static void assert_same_op(const struct barrier_op *a, const struct barrier_op *b)
{
    assert_int_equal(a->barrier, b->barrier);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->times, b->times);
    if (a->kind == BARRIER_SET)
        assert_int_equal(a->word, b->word);
    if (a->kind == BARRIER_WAIT)
        assert_int_equal(a->parity, b->parity);
    if (a->kind != BARRIER_CHANGE)
        return;
    assert_int_equal(a->change.arrivals, b->change.arrivals);
    assert_int_equal(a->change.bytes, b->change.bytes);
    assert_int_equal(a->change.drops, b->change.drops);
}

static struct barrier_op random_op(uint64_t *seed)
{
    struct barrier_op o = { .barrier = below(seed, 4) << BARRIER_RANK |
                                       below(seed, 1 << 15) * 8,
                            .kind = (uint8_t)below(seed, N_BARRIER_OP),
                            .times = (uint16_t)(1 + below(seed, 32)) };

    if (o.kind > BARRIER_WAIT)
        o.barrier %= 256;
    else if (o.kind == BARRIER_SET)
        o.word = next(seed);
    else if (o.kind == BARRIER_WAIT)
        o.parity = below(seed, 2);
    else
        o.change = (struct mbarrier_change){ below(seed, 1 << 20),
                                             (int32_t)below(seed, 1 << 21) - (1 << 20),
                                             below(seed, 2) };
    return o;
}

/* Everything comes back; no shorter bytes are taken. */
static void all_comes_back(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (unsigned n = 0; n < 500; n++) {
        struct barrier_op op[WARP_LANES];
        struct copy_run run[40];
        struct copy c = { .kind = COPY_PHASE, .op = op, .run = run }, back;
        struct buf b = { 0 };

        c.n_ops = below(&seed, WARP_LANES + 1);
        c.n_runs = below(&seed, 40);
        c.to = (uint16_t)below(&seed, 16);
        c.is_tensor = below(&seed, 2);
        c.gave_up = below(&seed, 2);
        c.map = below(&seed, 2) ? next(&seed) : 0;
        c.has_param = below(&seed, 2);
        for (uint32_t k = 0; k < c.n_ops; k++)
            op[k] = random_op(&seed);
        for (uint32_t k = 0; k < c.n_runs; k++)
            run[k] =
                k && below(&seed, 3)
                    ? (struct copy_run){ run[k - 1].addr + 256 * (1 + below(&seed, 2)),
                                         run[k - 1].bytes }
                    : (struct copy_run){ next(&seed), below(&seed, 1 << 20) };
        async_put(&c, &b);
        assert_true(get(&b, &phase, 4, &back));
        assert_int_equal(back.kind, c.kind);
        assert_int_equal(back.to, c.to);
        assert_int_equal(back.is_tensor, c.is_tensor);
        assert_int_equal(back.gave_up, c.gave_up);
        assert_int_equal(back.map, c.map);
        assert_int_equal(back.has_param, c.has_param);
        assert_int_equal(back.n_ops, c.n_ops);
        assert_int_equal(back.n_runs, c.n_runs);
        for (uint32_t k = 0; k < c.n_ops; k++)
            assert_same_op(&back.op[k], &op[k]);
        for (uint32_t k = 0; k < c.n_runs; k++) {
            assert_int_equal(back.run[k].addr, run[k].addr);
            assert_int_equal(back.run[k].bytes, run[k].bytes);
        }
        async_release(&back);
        for (size_t len = b.len - 1; len; len--) {
            b.len = len;
            assert_false(get(&b, &phase, 4, &back));
        }
        buf_free(&b);
    }
}

/* Lines of a box are evenly spaced: they take a few bytes. */
static void boxes_are_short(void **state)
{
    struct copy_run run[128];
    struct copy c = { .kind = COPY_LOAD, .run = run, .n_runs = 128 };
    struct buf b = { 0 };

    (void)state;
    for (uint32_t k = 0; k < 128; k++)
        run[k] = (struct copy_run){ 0x7f0000000000 + 4096 * k, 128 };
    async_put(&c, &b);
    assert_in_range(b.len, 1, 24);
    buf_free(&b);
}

/* What would lead the pipeline or the replay astray is refused. */
static void bounds_are_checked(void **state)
{
    struct barrier_op op = { .barrier = 8, .times = 1 };
    struct copy_run run = { 0, 16 };
    struct copy good = {
        .kind = COPY_LOAD, .n_ops = 1, .op = &op, .n_runs = 1, .run = &run
    };
    struct copy c = good;

    (void)state;
    assert_true(is_good(&c, &copies, 1));
    assert_false(is_good(&c, &phase, 1));
    c.kind = COPY_PHASE;
    assert_false(is_good(&c, &copies, 1));
    assert_true(is_good(&c, &phase, 1));
    c.kind = N_COPY_KIND;
    assert_false(is_good(&c, &copies, 1));
    c = good;
    c.to = 2;
    assert_false(is_good(&c, &copies, 1));
    assert_true(is_good(&c, &copies, 2));
    c = good;
    op.barrier = 1u << BARRIER_RANK;
    assert_false(is_good(&c, &copies, 1));
    assert_true(is_good(&c, &copies, 2));
    op.barrier = ASYNC_MAX_SHARED;
    assert_false(is_good(&c, &copies, 1));
    op.barrier = 4;
    assert_false(is_good(&c, &copies, 1));
    op.barrier = 8;
    op.kind = BARRIER_WAIT;
    assert_false(is_good(&c, &copies, 1));
    op.kind = REGISTERS_TAKE;
    c.kind = COPY_PHASE;
    op.barrier = 256;
    assert_true(is_good(&c, &phase, 1));
    op.barrier = 257;
    assert_false(is_good(&c, &phase, 1));
    op.barrier = 8;
    op.kind = N_BARRIER_OP;
    c.kind = COPY_PHASE;
    assert_false(is_good(&c, &phase, 1));
    op.kind = BARRIER_CHANGE;
    op.times = WARP_LANES + 1;
    assert_false(is_good(&c, &phase, 1));
    op.times = 1;
    run.bytes = ASYNC_MAX_RUN_BYTES + 1;
    assert_false(is_good(&c, &phase, 1));
}

/* A group of runs cannot be empty, nor longer than the copy. */
static void groups_are_checked(void **state)
{
    static const uint8_t empty[] = { COPY_LOAD, 0, 0, 2, 0, 0, 0 };
    static const uint8_t longer[] = { COPY_LOAD, 0, 0, 1, 2, 0, 16, 0 };
    struct copy c;
    struct reader r = { empty, empty + sizeof empty, false };

    (void)state;
    assert_false(async_get(&r, &copies, 1, &c));
    r = (struct reader){ longer, longer + sizeof longer, false };
    assert_false(async_get(&r, &copies, 1, &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_comes_back),
                                        cmocka_unit_test(boxes_are_short),
                                        cmocka_unit_test(bounds_are_checked),
                                        cmocka_unit_test(groups_are_checked) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
