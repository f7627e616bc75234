/* test_riscv_simt.c - Vortex's own instructions: masks, split and join, warps, barriers,
 * votes, shuffles; and whole programs. */
#include "riscv_rig.h"

static void set_lanes(struct riscv_warp *w, unsigned reg, const uint32_t *values)
{
    for (unsigned l = 0; l < w->n_lanes; l++)
        w->r[reg][l] = values[l];
}

static void set_all(struct riscv_warp *w, unsigned reg, uint32_t value)
{
    for (unsigned l = 0; l < w->n_lanes; l++)
        w->r[reg][l] = value;
}

static void tmc(void **state)
{
    struct riscv_warp *w;
    struct rig r;

    (void)state;
    rig_start(&r, 4, 4, 0);
    assert_int_equal(kernel_warps(r.kernel), 4);
    w = rig_warp(&r);
    w->mask = 0x7;
    set_lanes(w, A0, (uint32_t[]){ 1, 2, 0xfffffffa, 4 }); /* lane 2 counts */
    rig_do(&r, rig_r(RISCV_tmc, 0, A0, 0));
    assert_int_equal(r.dyn.active, 0x7);
    assert_int_equal(w->mask, 0xa);
    assert_int_equal(r.dyn.next_pc, w->pc);
    set_all(w, A0, 0);
    rig_do(&r, rig_r(RISCV_tmc, 0, A0, 0));
    assert_int_equal(r.dyn.next_pc, 0);
    assert_int_equal(rig_next(&r, 0, 0), STREAM_END);
    assert_int_equal(rig_next(&r, 0, 3), STREAM_END);
    assert_int_equal(rig_next(&r, 1, 1), STREAM_WAIT); /* the other core goes on */
    rig_end(&r);
}

struct split {
    uint32_t mask, predicate; /* lanes */
    bool negates;
    uint32_t first, second; /* 0: they stay together */
};

static const struct split splits[] = {
    { 0xf, 0x1, false, 0xe, 0x1 }, { 0xf, 0x7, false, 0x7, 0x8 },
    { 0xf, 0x3, false, 0x3, 0xc }, { 0xf, 0x3, true, 0xc, 0x3 }, /* ties: the taken */
    { 0xf, 0xe, true, 0xe, 0x1 },  { 0xf, 0x0, false, 0xf, 0 },
    { 0xf, 0xf, false, 0xf, 0 },   { 0xf, 0xf, true, 0xf, 0 },
    { 0x6, 0xb, false, 0x2, 0x4 }, { 0x8, 0x7, false, 0x8, 0 },
};

static void splits_and_joins(void **state)
{
    (void)state;
    for (unsigned n = 0; n < sizeof splits / sizeof *splits; n++) {
        const struct split *s = &splits[n];
        struct riscv_warp *w;
        struct rig r;
        uint32_t pc;

        rig_start(&r, 4, 4, 0);
        w = rig_warp(&r);
        w->mask = s->mask;
        for (unsigned l = 0; l < 4; l++)
            w->r[A0][l] = 6 | (s->predicate >> l & 1); /* only bit 0 counts */
        set_all(w, A1, 99);
        pc = rig_do(&r, rig_r(RISCV_split, A1, A0, s->negates));
        assert_int_equal(r.dyn.active, s->mask);
        assert_int_equal(w->mask, s->first);
        for (unsigned l = 0; l < 4; l++)
            assert_int_equal(w->r[A1][l], s->mask >> l & 1 ? 0 : 99);
        rig_do(&r, rig_r(RISCV_join, 0, A1, 0));
        if (s->second) { /* its turn, from behind the split */
            assert_int_equal(w->mask, s->second);
            assert_int_equal(w->pc, pc + 4);
            assert_int_equal(r.dyn.next_pc, pc + 4);
            pc = rig_do(&r, rig_r(RISCV_join, 0, A1, 0));
        } else {
            pc = r.next_pc - 4;
        }
        assert_int_equal(w->mask, s->mask);
        assert_int_equal(w->pc, pc + 4);
        rig_do(&r, rig_r(RISCV_join, 0, A1, 0)); /* nothing left: no effect */
        assert_int_equal(w->mask, s->mask);
        rig_end(&r);
    }
}

static void nested_splits(void **state)
{
    static const uint32_t outer[] = { 0, 0, 0, 1, 1, 1, 1, 1 };
    static const uint32_t inner[] = { 1, 0, 0, 1, 1, 0, 1, 1 };
    struct riscv_warp *w;
    struct rig r;

    (void)state;
    rig_start(&r, 1, 8, 0);
    w = rig_warp(&r);
    w->mask = 0xff;
    set_lanes(w, A0, outer);
    set_lanes(w, A2, inner);
    rig_do(&r, rig_r(RISCV_split, A1, A0, 0));
    assert_int_equal(w->mask, 0xf8);
    rig_do(&r, rig_r(RISCV_split, A3, A2, 0));
    assert_int_equal(w->r[A3][7], 1);
    assert_int_equal(w->mask, 0xd8);
    rig_do(&r, rig_r(RISCV_join, 0, A3, 0));
    assert_int_equal(w->mask, 0x20);
    rig_do(&r, rig_r(RISCV_join, 0, A3, 0));
    assert_int_equal(w->mask, 0xf8);
    rig_do(&r, rig_r(RISCV_join, 0, A1, 0));
    assert_int_equal(w->mask, 0x07);
    rig_do(&r, rig_r(RISCV_split, A3, A2, 0));
    assert_int_equal(w->mask, 0x06);
    rig_do(&r, rig_r(RISCV_join, 0, A3, 0));
    assert_int_equal(w->mask, 0x01);
    rig_do(&r, rig_r(RISCV_join, 0, A3, 0));
    rig_do(&r, rig_r(RISCV_join, 0, A1, 0));
    assert_int_equal(w->mask, 0xff);
    set_all(w, A1, 5); /* a pointer to nothing */
    assert_int_equal(rig_try_at(&r, 0, 0, rig_r(RISCV_join, 0, A1, 0)), STREAM_ERROR);
    assert_int_equal(r.err.code, ERR_FAULT);
    rig_end(&r);
}

static void pred(void **state)
{
    static const struct {
        uint32_t mask, predicate, restored;
        bool negates;
        uint32_t left;
    } rows[] = {
        { 0xf, 0x5, 0xf, false, 0x5 }, { 0xf, 0x5, 0xf, true, 0xa },
        { 0x3, 0xc, 0xf, false, 0xf }, { 0x3, 0xc, 0xffffff7b, false, 0xb },
        { 0x6, 0xf, 0xf, true, 0xf },  { 0x6, 0x2, 0xf, false, 0x2 },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct riscv_warp *w;
        struct rig r;

        rig_start(&r, 4, 4, 0);
        w = rig_warp(&r);
        w->mask = rows[n].mask;
        for (unsigned l = 0; l < 4; l++)
            w->r[A0][l] = rows[n].predicate >> l & 1;
        set_all(w, A1, rows[n].restored);
        rig_do(&r, rig_r(RISCV_pred, rows[n].negates, A0, A1));
        assert_int_equal(w->mask, rows[n].left);
        rig_end(&r);
    }
}

/* Warps wait until they are started; a wspawn until its caller is alone. */
static void wspawn(void **state)
{
    struct riscv_core *c;
    struct rig r;

    (void)state;
    rig_start(&r, 4, 4, 0);
    c = r.core[0];
    assert_int_equal(rig_next(&r, 0, 1), STREAM_WAIT);
    c->warp[0].r[A0][0] = 3;
    c->warp[0].r[A1][0] = 0x80000100;
    rig_do(&r, rig_r(RISCV_wspawn, 0, A0, A1));
    assert_int_equal(r.dyn.bar_warps, 3);
    assert_int_equal(c->active, 7);
    assert_int_equal(c->warp[1].pc, 0x80000100);
    assert_int_equal(c->warp[2].mask, 1);
    assert_int_equal(rig_next(&r, 0, 3), STREAM_WAIT);
    c->warp[0].r[A0][0] = 100; /* more than there are: all */
    assert_int_equal(rig_try_at(&r, 0, 0, rig_r(RISCV_wspawn, 0, A0, A1)), STREAM_INST);
    assert_int_equal(r.dyn.bar_warps, 4);
    assert_int_equal(rig_next(&r, 0, 0), STREAM_WAIT);
    assert_int_equal(rig_try_at(&r, 0, 1, rig_r(RISCV_tmc, 0, 0, 0)), STREAM_INST);
    assert_int_equal(rig_next(&r, 0, 0), STREAM_WAIT);
    assert_int_equal(rig_next(&r, 0, 1), STREAM_WAIT);
    assert_int_equal(rig_try_at(&r, 0, 2, rig_r(RISCV_tmc, 0, 0, 0)), STREAM_INST);
    assert_int_equal(r.dyn.next_pc, 0);
    assert_int_equal(c->active, 0xf);
    assert_int_equal(c->waiting, 0);
    assert_int_equal(rig_try_at(&r, 0, 3, rig_r(RISCV_add, A0, 0, 0)), STREAM_INST);
    assert_int_equal(r.dyn.active, 1);
    rig_end(&r);
}

/* Warps 0 .. 3 of a core, all on. */
static void start_all(struct rig *r, unsigned core)
{
    r->core[core]->active = 0xf;
    for (unsigned k = 0; k < 4; k++)
        r->core[core]->warp[k].mask = 1;
}

static enum stream_status bar(struct rig *r, unsigned core, unsigned warp, uint32_t id,
                              uint32_t n)
{
    r->core[core]->warp[warp].r[A0][0] = id;
    r->core[core]->warp[warp].r[A1][0] = n;
    return rig_try_at(r, core, warp, rig_r(RISCV_bar, 0, A0, A1));
}

static void barriers(void **state)
{
    struct riscv_core *c;
    struct rig r;

    (void)state;
    rig_start(&r, 4, 4, 0);
    c = r.core[0];
    start_all(&r, 0);
    assert_int_equal(bar(&r, 0, 0, 1, 3), STREAM_INST);
    assert_int_equal(r.dyn.barrier, 1);
    assert_int_equal(r.dyn.bar_warps, 3);
    assert_int_equal(r.dyn.bar_kind, BAR_SYNC);
    assert_int_equal(rig_next(&r, 0, 0), STREAM_WAIT);
    assert_int_equal(bar(&r, 0, 2, 1, 3), STREAM_INST);
    assert_int_equal(bar(&r, 0, 1, 0, 2), STREAM_INST); /* another one */
    assert_int_equal(c->waiting, 7);
    assert_int_equal(bar(&r, 0, 3, 1, 3), STREAM_INST);
    assert_int_equal(c->waiting, 2);
    assert_int_equal(bar(&r, 0, 3, 0, 2), STREAM_INST);
    assert_int_equal(c->waiting, 0);
    assert_int_equal(bar(&r, 0, 3, 0, 1), STREAM_INST); /* of one: no wait */
    assert_int_equal(r.dyn.bar_kind, BAR_NONE);
    assert_int_equal(c->waiting, 0);
    assert_int_equal(bar(&r, 0, 0, 1, 2), STREAM_INST); /* it can be used again */
    assert_int_equal(c->waiting, 1);
    rig_end(&r);
}

/* Between cores: all warps of both must have come. */
static void global_barriers(void **state)
{
    struct rig r;

    (void)state;
    rig_start(&r, 4, 4, 0);
    r.core[0]->active = 3;
    r.core[0]->warp[1].mask = 1;
    assert_int_equal(bar(&r, 1, 0, 0x80000001, 2), STREAM_INST);
    assert_int_equal(r.dyn.barrier, 1 | BARRIER_GLOBAL);
    assert_int_equal(r.core[1]->waiting, 1);
    assert_int_equal(bar(&r, 0, 1, 0x80000001, 2), STREAM_INST);
    assert_int_equal(r.core[0]->waiting, 2);
    assert_int_equal(r.core[1]->waiting, 1);
    assert_int_equal(bar(&r, 0, 0, 0x80000001, 2), STREAM_INST);
    assert_int_equal(r.core[0]->waiting, 0);
    assert_int_equal(r.core[1]->waiting, 0);
    rig_end(&r);
}

static void votes(void **state)
{
    static const struct {
        uint32_t predicate, all, any, uni, ballot;
    } rows[] = {
        { 0x0, 0, 0, 1, 0 }, { 0x9, 0, 0, 1, 0 }, { 0x2, 0, 1, 0, 2 },
        { 0x6, 1, 1, 1, 6 }, { 0xf, 1, 1, 1, 6 },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct riscv_warp *w;
        struct rig r;

        rig_start(&r, 4, 4, 0);
        w = rig_warp(&r);
        w->mask = 0x6;
        for (unsigned l = 0; l < 4; l++)
            w->r[A1][l] = rows[n].predicate >> l & 1;
        rig_do(&r, rig_r(RISCV_vote_all, A0, A1, 0));
        assert_int_equal(w->r[A0][1], rows[n].all);
        rig_do(&r, rig_r(RISCV_vote_any, A0, A1, 0));
        assert_int_equal(w->r[A0][1], rows[n].any);
        rig_do(&r, rig_r(RISCV_vote_uni, A0, A1, 0));
        assert_int_equal(w->r[A0][2], rows[n].uni);
        rig_do(&r, rig_r(RISCV_vote_ballot, A0, A1, 0));
        assert_int_equal(w->r[A0][2], rows[n].ballot);
        assert_int_equal(w->r[A0][0], 0);
        rig_end(&r);
    }
}

static void shuffles(void **state)
{
    /* distance, clamp, segment; then the lane each of eight takes its value from */
    static const struct {
        uint16_t op;
        uint8_t distance, clamp, segment;
        uint8_t from[8];
    } rows[] = {
        { RISCV_shfl_up, 1, 7, 0, { 0, 0, 1, 2, 3, 4, 5, 6 } },
        { RISCV_shfl_up, 2, 7, 4, { 0, 1, 0, 1, 4, 5, 4, 5 } },
        { RISCV_shfl_down, 1, 7, 0, { 1, 2, 3, 4, 5, 6, 7, 7 } },
        { RISCV_shfl_down, 1, 3, 4, { 1, 2, 3, 3, 5, 6, 7, 7 } },
        { RISCV_shfl_bfly, 1, 7, 0, { 1, 0, 3, 2, 5, 4, 7, 6 } },
        { RISCV_shfl_bfly, 4, 3, 4, { 0, 1, 2, 3, 0, 1, 2, 3 } },
        { RISCV_shfl_idx, 2, 7, 0, { 2, 2, 2, 2, 2, 2, 2, 2 } },
        { RISCV_shfl_idx, 2, 3, 4, { 2, 2, 2, 2, 6, 6, 6, 6 } },
        { RISCV_shfl_idx, 9, 15, 0, { 0, 1, 2, 3, 4, 5, 6, 7 } }, /* no such lane */
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct riscv_warp *w;
        struct rig r;

        rig_start(&r, 1, 8, 0);
        w = rig_warp(&r);
        w->mask = 0xfd; /* lane 1 is off: it keeps its own, others may read it */
        for (unsigned l = 0; l < 8; l++)
            w->r[A0][l] = 100 + l;
        set_all(w, A1,
                rows[n].distance | (uint32_t)rows[n].clamp << 6 |
                    (uint32_t)rows[n].segment << 12);
        rig_do(&r, rig_r(rows[n].op, A0, A0, A1));
        for (unsigned l = 0; l < 8; l++)
            assert_int_equal(w->r[A0][l], 100 + (l == 1 ? 1 : rows[n].from[l]));
        rig_end(&r);
    }
}

static void all_were_executed(void **state)
{
    (void)state;
    rig_check_executed(RISCV_tmc, RISCV_shfl_idx);
}

/* A program as words, run to its end. */
static int run_words(const uint32_t *words, size_t n, uint64_t limit,
                     struct riscv_result *result, struct err *err)
{
    struct riscv_launch l = { .memory = riscv_memory_new(err),
                              .name = "words",
                              .n_cores = 1,
                              .n_warps = 2,
                              .n_threads = 2,
                              .start = RIG_BASE };
    int failed;

    assert_non_null(l.memory);
    riscv_memory_write(l.memory, RIG_BASE, words, 4 * n, err);
    failed = riscv_run(&l, limit, result, err);
    riscv_memory_free(l.memory);
    return failed;
}

static void runs(void **state)
{
    const uint32_t ends[] = { rig_i(RISCV_addi, A0, 0, 42),
                              rig_s(RISCV_sw, A0, 0, RISCV_EXIT_STATUS),
                              rig_r(RISCV_tmc, 0, 0, 0) };
    const uint32_t hangs[] = { rig_i(RISCV_addi, A0, 0, 2),
                               rig_r(RISCV_bar, 0, 0, A0) };
    const uint32_t spins[] = { rig_match[RISCV_jal] };
    const uint32_t loops[] = { rig_i(RISCV_addi, A0, A0, 1),
                               rig_match[RISCV_jal] | 0xffdff000 }; /* back by 4 */
    struct riscv_result result;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_words(ends, 3, 0, &result, &err), 0);
    assert_int_equal(result.status, 42);
    assert_int_equal(result.warp_insts, 3);
    assert_int_equal(result.thread_insts, 3);
    assert_int_equal(run_words(hangs, 2, 0, &result, &err), -1);
    assert_int_equal(err.code, ERR_DEADLOCK);
    assert_non_null(strstr(err.text, "warp 0 of core 0 after 0x80000004"));
    assert_int_equal(run_words(spins, 1, 10000, &result, &err), -1);
    assert_int_equal(err.code, ERR_DEADLOCK);
    assert_non_null(strstr(err.text, "jumps to itself at 0x80000000"));
    assert_int_equal(run_words(loops, 2, 10000, &result, &err), -1);
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(run_words(ends, 1, 0, &result, &err), -1); /* runs into zeros */
    assert_int_equal(err.code, ERR_UNSUPPORTED);
}

static void launches_that_are_refused(void **state)
{
    static const struct riscv_launch bad[] = {
        { .n_cores = 0, .n_warps = 4, .n_threads = 4 },
        { .n_cores = 65, .n_warps = 4, .n_threads = 4 },
        { .n_cores = 1, .n_warps = 33, .n_threads = 4 },
        { .n_cores = 1, .n_warps = 0, .n_threads = 4 },
        { .n_cores = 1, .n_warps = 4, .n_threads = 3 },
        { .n_cores = 1, .n_warps = 4, .n_threads = 64 },
        { .n_cores = 1, .n_warps = 4, .n_threads = 4, .local_bytes = 1 << 16 },
        { .n_cores = 1, .n_warps = 4, .n_threads = 4, .local_bytes = 1000 },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct err err = { 0 };

        assert_null(riscv_kernel_new(&bad[n], &err));
        assert_int_equal(err.code, ERR_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tmc),
        cmocka_unit_test(splits_and_joins),
        cmocka_unit_test(nested_splits),
        cmocka_unit_test(pred),
        cmocka_unit_test(wspawn),
        cmocka_unit_test(barriers),
        cmocka_unit_test(global_barriers),
        cmocka_unit_test(votes),
        cmocka_unit_test(shuffles),
        cmocka_unit_test(all_were_executed),
        cmocka_unit_test(runs),
        cmocka_unit_test(launches_that_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
