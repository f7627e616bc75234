/* test_replay.c - what is recorded comes back: every workload, every field. */
#include "replay_rig.h"

struct recorder {
    struct replay_writer *w;
    struct spies spies;
};

static int record_launch(void *to, const struct sass_launch *l,
                         struct driver_cost *cost, struct err *err)
{
    struct recorder *r = to;
    struct replay_counts counts;
    struct kernel *k = sass_kernel_new(l, err);
    struct spy *spy;
    int failed;

    assert_non_null(k);
    assert_true(r->spies.n < 64);
    spy = r->spies.at[r->spies.n++] = spy_new(k);
    failed = replay_record_kernel(r->w, &spy->base, &counts, err);
    *cost =
        (struct driver_cost){ .warp_insts = counts.warp_insts, .blocks = k->n_blocks };
    sass_kernel_free(k);
    return failed;
}

static void record(struct recorder *r, const char *path, const struct workload *w,
                   enum sass_arch arch)
{
    struct err err = { 0 };

    r->w = replay_writer_new(path, w->name, 75, &err);
    assert_non_null(r->w);
    run_workload(w, arch, record_launch, r);
    assert_int_equal(replay_writer_finish(r->w, &err), 0);
}

#define SAME(a, b, field)                                                          \
    do {                                                                           \
        if ((a)->field != (b)->field)                                              \
            fail_msg("seq %llu: " #field " %llx, recorded %llx",                   \
                     (unsigned long long)(a)->seq, (unsigned long long)(a)->field, \
                     (unsigned long long)(b)->field);                              \
    } while (0)

static void same_operands(const struct inst_operand *a, const struct inst_operand *b,
                          unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        assert_int_equal(a[k].reg, b[k].reg);
        assert_int_equal(a[k].n, b[k].n);
        assert_int_equal(a[k].slot, b[k].slot);
    }
}

static void same_inst(const struct inst *a, const struct inst *b)
{
    assert_int_equal(a->pc, b->pc);
    assert_int_equal(a->op, b->op);
    assert_int_equal(a->class, b->class);
    assert_int_equal(a->space, b->space);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->n_src, b->n_src);
    assert_int_equal(a->n_dst, b->n_dst);
    same_operands(a->src, b->src, a->n_src);
    same_operands(a->dst, b->dst, a->n_dst);
    assert_int_equal(a->control.stall, b->control.stall);
    assert_int_equal(a->control.yield, b->control.yield);
    assert_int_equal(a->control.write_barrier, b->control.write_barrier);
    assert_int_equal(a->control.read_barrier, b->control.read_barrier);
    assert_int_equal(a->control.wait_mask, b->control.wait_mask);
    assert_int_equal(a->control.reuse, b->control.reuse);
    assert_memory_equal(&a->reads, &b->reads, sizeof a->reads);
    assert_memory_equal(&a->writes, &b->writes, sizeof a->writes);
}

static void same_dyn(const struct dyn *a, const struct dyn *b, const struct inst *bi)
{
    SAME(a, b, seq);
    assert_int_equal(a->inst->pc, bi->pc);
    SAME(a, b, next_pc);
    SAME(a, b, active);
    SAME(a, b, mask);
    SAME(a, b, space);
    SAME(a, b, barrier);
    SAME(a, b, bar_kind);
    SAME(a, b, bar_warps);
    for (unsigned l = 0; l < WARP_LANES && a->space != SPACE_NONE; l++)
        if (a->mask >> l & 1)
            SAME(a, b, addr[l]);
}

static void same_warp(struct stream *s, unsigned warp, const struct kept_warp *w)
{
    struct dyn d;
    struct err err = { 0 };

    for (size_t n = 0; n < w->n; n++) {
        memset(&d, 0xee, sizeof d);
        if (stream_next(s, warp, &d, &err) != STREAM_INST)
            fail_msg("instruction %zu of %zu: %s", n, w->n, err.text);
        same_inst(d.inst, &w->inst[n]);
        same_dyn(&d, &w->at[n], &w->inst[n]);
    }
    assert_int_equal(stream_next(s, warp, &d, &err), STREAM_END);
    assert_int_equal(stream_next(s, warp, &d, &err), STREAM_END);
}

static void same_kernel(const struct kernel *a, const struct kernel *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->n_blocks, b->n_blocks);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_memory_equal(a->cluster_shape, b->cluster_shape, sizeof a->cluster_shape);
    assert_int_equal(a->threads, b->threads);
    assert_int_equal(a->registers, b->registers);
    assert_int_equal(a->shared, b->shared);
    assert_int_equal(a->cluster, b->cluster);
    assert_int_equal(a->first_pc, b->first_pc);
}

/* Blocks backwards, warps backwards: any order must do. */
static void same_blocks(struct kernel *k, const struct spy *spy)
{
    struct err err = { 0 };

    for (uint64_t b = k->n_blocks; b-- > 0;) {
        struct stream *s = k->ops->open(k, b, &err);

        assert_non_null(s);
        assert_int_equal(s->n_warps, kernel_warps(k));
        for (unsigned w = s->n_warps; w-- > 0;)
            same_warp(s, w, &spy->warps[b * s->n_warps + w]);
        k->ops->close(k, s);
    }
}

static void compare(const char *path, const struct spies *spies)
{
    struct err err = { 0 };
    struct replay *r = replay_open(path, NULL, &err);
    struct kernel *k;

    assert_non_null(r);
    assert_int_equal(replay_info(r)->n_kernels, spies->n);
    for (unsigned n = 0; n < spies->n; n++) {
        assert_int_equal(replay_next_kernel(r, &k, &err), 1);
        same_kernel(k, &spies->at[n]->base);
        same_blocks(k, spies->at[n]);
        replay_kernel_free(r, k);
    }
    assert_int_equal(replay_next_kernel(r, &k, &err), 0);
    replay_close(r);
}

static void every_workload_comes_back(void **state)
{
    char *path = scratch("replay.leno");

    (void)state;
    for (unsigned n = 0; n < N_WORKLOADS; n++) {
        struct recorder r = { 0 };

        record(&r, path, all_workloads[n], n % 2 ? SM86 : SM75);
        compare(path, &r.spies);
        spies_free(&r.spies);
    }
    unlink(path);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_comes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
