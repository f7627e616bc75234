/* test_skip.c - the contract of core/skip.h: what a redundancy eliminator drops never
 * enters a window, what it holds back waits and is asked about again, and both are counted.
 * And a kernel that the machine cannot time is refused by name.
 */
#include <string.h>

#include "check.h"
#include "sim/gpu.h"

enum { N_INSTS = 40, HELD = 9 };

/* One block of one warp: additions, every fourth instruction a NOP, then the exit. */
struct program {
    struct kernel base;
    struct stream stream;
    struct inst inst[N_INSTS];
    unsigned next;
};

static struct program *program_of(struct stream *s)
{
    return (struct program *)((char *)s - offsetof(struct program, stream));
}

static enum stream_status next(struct stream *s, unsigned warp, struct dyn *d,
                               struct err *err)
{
    struct program *p = program_of(s);
    unsigned n = p->next;

    (void)warp;
    (void)err;
    if (n == N_INSTS)
        return STREAM_END;
    p->next++;
    memset(d, 0, offsetof(struct dyn, addr));
    d->inst = &p->inst[n];
    d->seq = n;
    d->next_pc = p->next < N_INSTS ? p->inst[p->next].pc : 0;
    d->active = d->mask = 0xffffffffu;
    return STREAM_INST;
}

static struct stream *open_block(struct kernel *k, uint64_t block, struct err *err)
{
    struct program *p = (struct program *)k;

    (void)block;
    (void)err;
    p->next = 0;
    return &p->stream;
}

static void close_block(struct kernel *k, struct stream *s)
{
    (void)k;
    (void)s;
}

static const struct stream_ops stream_ops = { .next = next };
static const struct kernel_ops kernel_ops = { .open = open_block,
                                              .close = close_block };

static void make_program(struct program *p)
{
    memset(p, 0, sizeof *p);
    p->base = (struct kernel){ .ops = &kernel_ops,
                               .name = "skip",
                               .n_blocks = 1,
                               .threads = 32,
                               .registers = 16,
                               .cluster = 1 };
    p->stream = (struct stream){ .ops = &stream_ops, .n_warps = 1 };
    for (unsigned n = 0; n < N_INSTS; n++) {
        struct inst *i = &p->inst[n];

        i->pc = 16 * n;
        i->length = 16;
        i->depbar = 7;
        i->class = n % 4 ? CLASS_int : CLASS_none;
        regset_add(&i->writes, REGID_R + 1 + n % 4);
        if (n + 1 == N_INSTS)
            i->flags = INST_EXIT;
        inst_index(i);
    }
}

/* Drops the NOPs; holds one instruction back until an older one has been written. */
struct dropper {
    struct skip base;
    unsigned n_asked; /* about the one held back */
};

static enum skip_verdict at_fetch(struct skip *s, const struct uop *u)
{
    struct dropper *d = (struct dropper *)s;

    if (u->dyn.inst->class == CLASS_none)
        return SKIP_DROP;
    if (u->dyn.seq == HELD && !d->n_asked++)
        return SKIP_WAIT;
    return SKIP_EXECUTE;
}

static void written_back(struct skip *s, struct uop *u)
{
    assert_int_not_equal(u->dyn.inst->class, CLASS_none);
    if (u->dyn.seq == HELD - 2)
        skip_wake(s, u->warp);
}

static const struct skip_ops dropper = { .name = "dropper",
                                         .summary = "a test's",
                                         .paper = "",
                                         .state_size = sizeof(struct dropper),
                                         .at_fetch = at_fetch,
                                         .written_back = written_back };

static struct sm_stats run(const struct skip_ops *skip, uint64_t *cycles)
{
    struct err err = { 0 };
    struct machine *m = machine_new("rtx2060s", "inorder", &err);
    struct gpu_result *result;
    struct sm_stats stats;
    struct program p;
    struct gpu *g;

    assert_non_null(m);
    assert_int_equal(machine_slice(m, 1, &err), 0);
    m->skip = skip;
    make_program(&p);
    g = gpu_new(m, &err);
    assert_non_null(g);
    if (gpu_run(g, &p.base, &err))
        fail_msg("%s", err.text);
    result = gpu_result_new(g, &err);
    stats = *gpu_result_sm(result);
    *cycles = gpu_cycle(g);
    gpu_result_free(result);
    gpu_free(g);
    machine_free(m);
    return stats;
}

static void dropped_and_held_back(void **state)
{
    uint64_t plain_cycles, skip_cycles;
    struct sm_stats plain = run(NULL, &plain_cycles);
    struct sm_stats with = run(&dropper, &skip_cycles);

    (void)state;
    assert_int_equal(plain.warp_insts, N_INSTS);
    assert_int_equal(plain.skipped, 0);
    assert_int_equal(plain.slot[0][STALL_skip], 0);
    assert_int_equal(with.skipped, N_INSTS / 4);
    assert_int_equal(with.warp_insts, N_INSTS - N_INSTS / 4);
    assert_int_equal(with.fetched, with.warp_insts);
    assert_true(with.slot[0][STALL_skip] > 0);
    assert_true(skip_cycles < plain_cycles);
}

static void clusters_are_refused(void **state)
{
    struct err err = { 0 };
    struct machine *m = machine_new("v100", NULL, &err);
    struct program p;
    struct gpu *g;

    (void)state;
    assert_non_null(m);
    assert_int_equal(machine_slice(m, 2, &err), 0);
    make_program(&p);
    p.base.cluster = 2;
    g = gpu_new(m, &err);
    assert_non_null(g);
    assert_int_equal(gpu_run(g, &p.base, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "clusters of 2 blocks need a machine with GPCs"));
    gpu_free(g);
    machine_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(dropped_and_held_back),
                                        cmocka_unit_test(clusters_are_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
