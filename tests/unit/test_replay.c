/* test_replay.c - what is recorded comes back: every workload, every field. */
#include "base/hash.h"
#include "frontend/replay/blocks.h"
#include "replay_all.h"
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
    struct spy *spy = spies_add(&r->spies, l, err);
    int failed = replay_record_kernel(r->w, &spy->base, &counts, err);

    spy_finish(spy, &counts, cost);
    return failed;
}

static void record(struct recorder *r, const char *path, const struct workload *w,
                   enum sass_arch arch)
{
    struct err err = { 0 };

    r->w = replay_writer_new(
        path, &(struct replay_info){ .program = w->name, .sm = 75 }, &err);
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

/* A recording has the opcode numbers of the version that made it. */
static bool has_own_numbers;

static void same_inst(const struct inst *a, const struct inst *b)
{
    assert_int_equal(a->pc, b->pc);
    if (!has_own_numbers)
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
    assert_int_equal(a->has_distances, b->has_distances);
    if (a->has_distances)
        assert_memory_equal(a->distance, b->distance,
                            a->list.n_reads + a->list.n_writes);
}

static void same_dyn(const struct dyn *a, const struct kept_warp *w, size_t n)
{
    const struct dyn *b = &w->at[n];

    SAME(a, b, seq);
    assert_int_equal(a->inst->pc, w->inst[n].pc);
    SAME(a, b, next_pc);
    SAME(a, b, active);
    SAME(a, b, mask);
    SAME(a, b, space);
    SAME(a, b, barrier);
    SAME(a, b, bar_kind);
    SAME(a, b, bar_warps);
    for (unsigned l = 0; l < WARP_LANES && a->space != SPACE_NONE; l++)
        if (a->mask >> l & 1)
            assert_int_equal(addresses_at(&a->addr, l), w->addr[n][l]);
}

/* ---- values: digests are others, but equal when they were ---- */

struct pair {
    uint64_t key, value;
};

/* Of one kernel, from either side to the other. */
struct pairs {
    struct pair *at;
    size_t n, cap;
};

/* What a key leads to; the value at first. */
static uint64_t pair_with(struct pairs *p, uint64_t key, uint64_t value)
{
    size_t at;

    if (2 * p->n >= p->cap) {
        struct pairs more = { .cap = p->cap ? 2 * p->cap : 1024 };

        more.at = calloc(more.cap, sizeof *more.at);
        assert_non_null(more.at);
        for (size_t k = 0; k < p->cap; k++)
            if (p->at[k].key)
                pair_with(&more, p->at[k].key, p->at[k].value);
        free(p->at);
        *p = more;
    }
    for (at = key & (p->cap - 1); p->at[at].key; at = (at + 1) & (p->cap - 1))
        if (p->at[at].key == key)
            return p->at[at].value;
    p->at[at] = (struct pair){ key, value };
    p->n++;
    return value;
}

static void same_value(struct pairs *p, const struct kernel *k, uint64_t block,
                       const struct dyn *a, const struct dyn *b)
{
    enum value_kind kind = value_kind(k, a->inst);
    bool is_computed = a->inst->class != CLASS_load && a->inst->class != CLASS_texture;
    uint64_t scope = hash_mix(a->inst->pc);

    if (!value_is_kept(a, kind))
        return;
    assert_int_equal(a->value.shape, b->value.shape);
    if (!value_has_name(kind, a->value.shape))
        return;
    if (a->value.shape != VALUE_UNIFORM || !is_computed)
        scope = hash_mix(scope ^ hash_mix(block + 1));
    assert_int_equal(pair_with(p, hash_mix(scope ^ a->value.digest), b->value.digest),
                     b->value.digest);
    assert_int_equal(pair_with(p, hash_mix(~scope ^ b->value.digest), a->value.digest),
                     a->value.digest);
}

static void same_warp(struct stream *s, unsigned warp, const struct kept_warp *w,
                      struct pairs *p, const struct kernel *k)
{
    const struct replayed_block *b = (const struct replayed_block *)s;
    uint64_t list[WARP_LANES];
    struct dyn d;
    struct err err = { 0 };

    for (size_t n = 0; n < w->n; n++) {
        memset(&d, 0xee, sizeof d);
        d.addr.list = list;
        if (stream_next(s, warp, &d, &err) != STREAM_INST)
            fail_msg("instruction %zu of %zu: %s", n, w->n, err.text);
        same_inst(d.inst, &w->inst[n]);
        same_dyn(&d, w, n);
        if (s->wants_values)
            same_value(p, k, b->number, &d, &w->at[n]);
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
    if (!b->marks)
        return;
    assert_non_null(a->marks);
    assert_int_equal(a->n_marks, b->n_marks);
}

static void same_marks(const struct kernel *a, const struct kernel *b,
                       const struct kept_warp *w)
{
    for (size_t n = 0; n < w->n; n++)
        assert_int_equal(kernel_mark(a, &w->inst[n]), kernel_mark(b, &w->inst[n]));
}

/* Does it wait for phases? Failed waits are left out of recordings: tests/cli/async.sh
 * compares what comes of them. */
static bool has_phases(const struct spy *spy)
{
    for (uint64_t w = 0; w < spy->base.n_blocks * kernel_warps(&spy->base); w++)
        for (size_t n = 0; n < spy->warps[w].n; n++)
            if (spy->warps[w].inst[n].flags & INST_PHASE)
                return true;
    return false;
}

/* Blocks backwards, warps backwards: any order must do. */
static void same_blocks(struct kernel *k, const struct spy *spy)
{
    struct pairs pairs = { 0 };
    struct err err = { 0 };

    for (uint64_t b = k->n_blocks; b-- > 0;) {
        struct stream *s = k->ops->open(k, b, &err);

        assert_non_null(s);
        assert_int_equal(s->n_warps, kernel_warps(k));
        s->wants_values = k->marks && spy->base.marks;
        for (unsigned w = s->n_warps; w-- > 0;) {
            const struct kept_warp *kept = &spy->warps[b * s->n_warps + w];

            same_warp(s, w, kept, &pairs, k);
            if (s->wants_values)
                same_marks(k, &spy->base, kept);
        }
        k->ops->close(k, s);
    }
    free(pairs.at);
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
        if (!has_phases(spies->at[n]))
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
    for (unsigned n = 0; n < N_WORKLOADS * N_SASS_ARCH; n += sample_step()) {
        const struct workload *w = all_workloads[n / N_SASS_ARCH];
        enum sass_arch arch = (enum sass_arch)(n % N_SASS_ARCH);
        struct recorder r = { 0 };

        if (!workload_has_code(w, arch))
            continue;
        record(&r, path, w, arch);
        compare(path, &r.spies);
        spies_free(&r.spies);
    }
    unlink(path);
    free(path);
}

/* ---- a kernel out of thin air ---- */

enum { MADE_INSTS = 40, MADE_WARPS = 3 };

/* Its warps do anything at all. A block waits in its middle until the one behind it has
 * begun, or runs on until then; the last one does not wait. */
struct made {
    struct kernel base; /* first */
    struct inst insts[MADE_INSTS];
    uint8_t marks[MADE_INSTS];
    uint64_t length; /* of a warp */
    bool waits, spins, is_stuck;
    bool has_begun[64];
    unsigned n_open, most_open;
};

struct made_stream {
    struct stream base; /* first */
    struct made *of;
    uint64_t block, at[MADE_WARPS], state[MADE_WARPS];
    uint32_t inst[MADE_WARPS];
};

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* One of the shapes that addresses have, or none. */
static void make_addresses(uint64_t *state, struct dyn *d)
{
    uint64_t base = draw(state) << 12, stride = draw(state) % 64 - 16;
    unsigned shape = (unsigned)(draw(state) % 6), log = 1 + (unsigned)draw(state) % 4;
    uint64_t range = 1ull << draw(state) % 40, addr[WARP_LANES];

    for (unsigned l = 0; l < WARP_LANES; l++) {
        switch (shape) {
        case 0:
            addr[l] = base + l * stride;
            break;
        case 1:
            addr[l] = base + (l & ((1u << log) - 1)) * stride + (l >> log) * range;
            break;
        case 2:
            addr[l] = base;
            break;
        case 3:
            addr[l] = draw(state) << 32 ^ draw(state);
            break;
        default:
            addr[l] = base + (draw(state) << 31 ^ draw(state)) % range * 4;
        }
    }
    addresses_set(&d->addr, addr, d->mask);
}

/* Constants, counters, numbers of blocks, anything. */
static void make_value(const struct made_stream *s, unsigned w, struct dyn *d)
{
    uint64_t seen[] = { 7, s->at[w] / 50, s->block, s->block % 2, s->state[w] };

    d->value.digest = hash_mix(seen[(d->inst->pc / 16 + s->at[w] / 300) % 5] + 1);
    d->value.shape = (uint8_t)(d->value.digest % 3);
}

static void make_dyn(struct made_stream *s, unsigned w, struct dyn *d)
{
    struct made *m = s->of;
    uint64_t *state = &s->state[w], kind = draw(state) % 8;
    uint32_t next =
        (s->inst[w] + (draw(state) % 8 ? 1 : (uint32_t)draw(state))) % MADE_INSTS;
    const struct inst *i = &m->insts[s->inst[w]];
    bool is_last = s->at[w] + 1 == m->length;

    d->inst = i;
    d->seq = s->at[w];
    d->active = kind == 0 ? (uint32_t)draw(state) << 1 ^ 1 : ~0u;
    d->mask = kind == 1   ? 0
              : kind == 2 ? d->active & (uint32_t)draw(state)
              : kind == 3 ? d->active & 0xf0f0f0f0u
                          : d->active;
    d->space = i->space;
    if (i->space == SPACE_GENERIC)
        d->space = (uint8_t)(SPACE_GLOBAL + draw(state) % 3);
    if (i->space != SPACE_NONE)
        make_addresses(state, d);
    if (i->class == CLASS_barrier) {
        d->bar_kind = (uint8_t)(draw(state) % 3);
        d->barrier = (uint8_t)(draw(state) % 16);
        d->bar_warps = (uint16_t)draw(state);
    }
    make_value(s, w, d);
    d->next_pc = is_last ? 0 : m->insts[next].pc;
    if (draw(state) % 50 == 0)
        d->next_pc = draw(state) % 2 ? 0 : 0x1234567890;
    s->inst[w] = next;
    s->at[w]++;
}

static enum stream_status made_next(struct stream *base, unsigned w, struct dyn *d,
                                    struct err *err)
{
    struct made_stream *s = (struct made_stream *)base;
    struct made *m = s->of;

    (void)err;
    if (s->at[w] >= m->length &&
        (!m->spins || s->block + 1 == m->base.n_blocks || m->has_begun[s->block + 1]))
        return STREAM_END;
    if (m->is_stuck && s->at[w] == 1)
        return STREAM_WAIT;
    if (m->waits && s->at[w] == m->length / 2 && s->block + 1 < m->base.n_blocks &&
        !m->has_begun[s->block + 1])
        return STREAM_WAIT;
    make_dyn(s, w, d);
    return STREAM_INST;
}

static const struct stream_ops made_stream_ops = { .next = made_next };

static struct stream *made_open(struct kernel *k, uint64_t block, struct err *err)
{
    struct made *m = (struct made *)k;
    struct made_stream *s = calloc(1, sizeof *s);

    (void)err;
    assert_non_null(s);
    s->base = (struct stream){ .ops = &made_stream_ops, .n_warps = MADE_WARPS };
    s->of = m;
    s->block = block;
    for (unsigned w = 0; w < MADE_WARPS; w++)
        s->state[w] = block * 1000 + w;
    m->has_begun[block] = true;
    if (++m->n_open > m->most_open)
        m->most_open = m->n_open;
    return &s->base;
}

static void made_close(struct kernel *k, struct stream *s)
{
    ((struct made *)k)->n_open--;
    free(s);
}

static int made_mark(struct kernel *k, struct err *err)
{
    (void)err;
    k->marks = ((struct made *)k)->marks;
    k->n_marks = MADE_INSTS - 3; /* the last ones are outside of the marked code */
    return 0;
}

static const struct kernel_ops made_ops = { .open = made_open,
                                            .close = made_close,
                                            .mark = made_mark };

static void make(struct made *m, uint32_t n_blocks, uint64_t length)
{
    memset(m, 0, sizeof *m);
    m->base = (struct kernel){ .ops = &made_ops,
                               .name = "made",
                               .n_blocks = n_blocks,
                               .grid = { n_blocks, 1, 1 },
                               .block = { 80, 1, 1 },
                               .threads = 80,
                               .registers = 7,
                               .cluster = 1,
                               .cluster_shape = { 1, 1, 1 },
                               .first_pc = 0x7f00001000 };
    m->length = length;
    for (unsigned n = 0; n < MADE_INSTS; n++) {
        m->insts[n] = (struct inst){ .pc = 0x7f00001000 + 16 * n, .length = 16 };
        m->insts[n].class = (uint8_t)(n % N_INST_CLASS);
        m->insts[n].flags = n % 4 ? 0 : n % 8 ? INST_TIME : INST_INSERTED;
        m->insts[n].flags |= n % 9 ? 0 : INST_COUNTS;
        if (n % 3 == 0)
            m->insts[n].space = (uint8_t)(1 + n % SPACE_TEXTURE);
        if (n % 7 == 0)
            m->insts[n].class = CLASS_barrier;
        regset_add(&m->insts[n].reads, n);
        if (n % 5)
            regset_add(&m->insts[n].writes, 2 * n);
        inst_index(&m->insts[n]);
        m->insts[n].has_distances = n % 2;
        m->insts[n].distance[0] = (uint8_t)n;
        m->insts[n].distance[1] = (uint8_t)(n * 7);
        m->marks[n] = (uint8_t)(n % N_REDUNDANCY);
    }
}

static const struct naming made_naming = { NAMING_MOVES, 12, true };

static void record_made(struct made *m, const char *path, struct spies *spies)
{
    struct err err = { 0 };
    struct replay_info info = { .program = "made", .naming = made_naming };
    struct replay_writer *w = replay_writer_new(path, &info, &err);
    struct spy *spy = spies->at[spies->n++] = spy_new(&m->base);

    assert_non_null(w);
    if (replay_record_kernel(w, &spy->base, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(replay_writer_finish(w, &err), 0);
    assert_int_equal(m->n_open, 0);
}

static void compare_naming(const char *path)
{
    struct err err = { 0 };
    struct replay *r = replay_open(path, NULL, &err);
    const struct naming *n = &replay_info(r)->naming;

    assert_int_equal(n->kind, made_naming.kind);
    assert_int_equal(n->max_distance, made_naming.max_distance);
    assert_int_equal(n->orders_writes, made_naming.orders_writes);
    replay_close(r);
}

static void anything_comes_back(void **state)
{
    char *path = scratch("made.leno");
    struct spies spies = { 0 };
    struct made m;

    (void)state;
    make(&m, 5, 1000);
    record_made(&m, path, &spies);
    assert_int_equal(m.most_open, 1);
    compare(path, &spies);
    compare_naming(path);
    spies_free(&spies);
    unlink(path);
    free(path);
}

/* Long enough that blocks are put away in pieces. */
static void pieces_come_back(void **state)
{
    char *path = scratch("made.leno");
    struct spies spies = { 0 };
    struct made m;

    (void)state;
    make(&m, 2, 12000);
    record_made(&m, path, &spies);
    compare(path, &spies);
    spies_free(&spies);
    unlink(path);
    free(path);
}

static void blocks_that_wait_get_company(void **state)
{
    char *path = scratch("made.leno");
    struct spies spies = { 0 };
    struct err err = { 0 };
    struct replay_writer *w;
    struct made m;

    (void)state;
    make(&m, 6, 100);
    m.waits = true;
    record_made(&m, path, &spies);
    assert_true(m.most_open >= 2);
    compare(path, &spies);
    spies_free(&spies);
    unlink(path);
    make(&m, 3, 100);
    m.spins = true;
    record_made(&m, path, &spies);
    assert_int_equal(m.most_open, 2);
    compare(path, &spies);
    spies_free(&spies);
    unlink(path);
    make(&m, 2, 100);
    m.is_stuck = true;
    w = replay_writer_new(path, &(struct replay_info){ .program = "made" }, &err);
    assert_non_null(w);
    assert_int_equal(replay_record_kernel(w, &m.base, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DEADLOCK);
    assert_non_null(strstr(err.text, "kernel made, block 0"));
    replay_writer_abandon(w);
    assert_int_equal(m.n_open, 0);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
}

static void clusters_are_open_together(void **state)
{
    char *path = scratch("made.leno");
    struct spies spies = { 0 };
    struct made m;

    (void)state;
    make(&m, 8, 50);
    m.base.grid[0] = 4;
    m.base.grid[1] = 2;
    m.base.cluster = 4;
    m.base.cluster_shape[0] = m.base.cluster_shape[1] = 2;
    assert_int_equal(kernel_cluster_block(&m.base, 0, 3), 5);
    assert_int_equal(kernel_cluster_block(&m.base, 1, 1), 3);
    assert_int_equal(kernel_cluster_block(&m.base, 1, 2), 6);
    record_made(&m, path, &spies);
    assert_int_equal(m.most_open, 4);
    compare(path, &spies);
    spies_free(&spies);
    unlink(path);
    free(path);
}

/* ---- damage ---- */

/* Replays all there is; returns what went wrong first. */
static struct err replay_hurt(const uint8_t *data, size_t size)
{
    uint64_t n;

    return replay_all("hurt", data, size, &n);
}

static void damage_is_found(void **state)
{
    char *path = scratch("made.leno");
    struct spies spies = { 0 };
    struct err err = { 0 };
    struct made m;
    struct file f;

    (void)state;
    make(&m, 3, 60);
    record_made(&m, path, &spies);
    spies_free(&spies);
    assert_int_equal(file_read(path, 1 << 20, &f, &err), 0);
    assert_int_equal(replay_hurt(f.data, f.size).code, 0);
    for (size_t n = 0; n < f.size; n++) {
        struct err e;

        f.data[n] ^= 0x10;
        e = replay_hurt(f.data, f.size);
        if (e.code != ERR_INPUT || !strstr(e.text, "hurt"))
            fail_msg("byte %zu of %zu changed: code %d '%s'", n, f.size, e.code,
                     e.text);
        if (n >= 16 && !strstr(e.text, "offset"))
            fail_msg("no offset: %s", e.text);
        f.data[n] ^= 0x10;
    }
    for (size_t n = 1; n < f.size; n++)
        assert_int_equal(replay_hurt(f.data, n).code, ERR_INPUT);
    f.data[8] = 9;
    assert_non_null(
        strstr(replay_hurt(f.data, f.size).text, "version 9, expected 1 to 7"));
    file_free(&f);
    unlink(path);
    free(path);
}

/* Recordings of version 1 stay readable: one was kept. This is what it does not have. */
static void forget_marks(struct spy *spy)
{
    for (uint64_t w = 0; w < spy->base.n_blocks * kernel_warps(&spy->base); w++)
        for (size_t i = 0; i < spy->warps[w].n; i++) {
            spy->warps[w].inst[i].flags &= (uint8_t)~INST_REDO;
            spy->warps[w].inst[i].has_distances = false;
        }
    spy->base.marks = NULL;
}

static void old_recordings_are_read(void **state)
{
    static const char path[] = "tests/data/replay/vecadd.leno";
    struct recorder r = { 0 };
    struct replay_counts counts;
    struct err err = { 0 };
    char *now = scratch("now.leno");
    struct replay *old = replay_open(path, NULL, &err);
    struct kernel *k;

    (void)state;
    assert_non_null(old);
    assert_string_equal(replay_info(old)->program,
                        "vecadd --arch sm_75 --size tiny --seed 1");
    assert_int_equal(replay_info(old)->sm, 75);
    assert_int_equal(replay_next_kernel(old, &k, &err), 1);
    assert_true(replay_kernel_counts(old, k, &counts));
    assert_int_equal(counts.warp_insts, 9417);
    assert_int_equal(counts.static_insts, 15);
    assert_int_equal(k->ops->mark(k, &err), -1);
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "this version of leno record"));
    replay_kernel_free(old, k);
    replay_close(old);
    record(&r, now, &workload_vecadd, SM75);
    for (unsigned n = 0; n < r.spies.n; n++)
        forget_marks(r.spies.at[n]);
    has_own_numbers = true;
    compare(path, &r.spies);
    has_own_numbers = false;
    spies_free(&r.spies);
    unlink(now);
    free(now);
}

static void no_such_file(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_null(replay_open("nowhere.leno", NULL, &err));
    assert_non_null(strstr(err.text, "nowhere.leno"));
    assert_null(replay_open("tests", NULL, &err));
    assert_null(replay_writer_new("nowhere/x.leno",
                                  &(struct replay_info){ .program = "" }, &err));
    assert_non_null(strstr(err.text, "nowhere/x.leno"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_comes_back),
        cmocka_unit_test(anything_comes_back),
        cmocka_unit_test(pieces_come_back),
        cmocka_unit_test(blocks_that_wait_get_company),
        cmocka_unit_test(clusters_are_open_together),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(old_recordings_are_read),
        cmocka_unit_test(no_such_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
