/* test_vortex_hosted.c - schemes of core/scheme.h inside a Vortex core: every hook is
 * called, what is not served is refused by name, and a scheme that breaks an order is caught, with
 * the kind of violation and both instructions.
 *
 * The scheme is one of this file. Up to the last few instructions of a body (its tail) it
 * issues in order, with a scoreboard; these it offers as a test asks for.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/needs.h"
#include "rig.h"
#include "sim/machine.h"

enum { MAX_HELD = 64 };
enum how { IN_ORDER, EAGER, REVERSED, FIRST_LAST, AGAIN };

/* What a test asks for, and what the scheme has been told. */
struct order {
    const struct rig *rig;
    enum how how;
    unsigned n_tail;
    unsigned gate;         /* so many of all warps' tails are held before one issues */
    uint32_t needs;        /* enum scheme_need, as bits, to be asked for */
    const char *objection; /* of check() */
    unsigned inserted, issued, written, read, resolved, checked, started, ended;
    unsigned checks, partial, redirects;
    uint64_t ticks, tail_seen, tail_written;
};
struct params {
    struct order *order;
};

struct line {
    uop_id held[MAX_HELD]; /* oldest first */
    unsigned n;
    uop_id last; /* that issued */
    uint8_t under_way[N_REGID];
};
struct loose {
    struct scheme base;
    struct line line[];
};

static struct line *line_of(struct scheme *s, unsigned warp)
{
    return &((struct loose *)s)->line[warp];
}

static struct order *order_of(const struct scheme *s)
{
    return ((const struct params *)s->params)->order;
}

static bool asks(const struct order *o, enum scheme_need need)
{
    return o->needs >> need & 1;
}

static int loose_init(struct scheme *s, struct err *err)
{
    const struct order *o = order_of(s);

    (void)err;
    s->wants_tick = asks(o, NEED_TICK);
    s->wants_reads = asks(o, NEED_READS);
    s->wants_checks = asks(o, NEED_CHECKS);
    s->renames = asks(o, NEED_RENAMING);
    s->predicts = asks(o, NEED_PREDICTION);
    s->needs_control_words = asks(o, NEED_CONTROL_WORDS);
    s->needs_distances = asks(o, NEED_DISTANCES);
    return 0;
}

static unsigned loose_room(const struct scheme *s, unsigned warp)
{
    return MAX_HELD - ((const struct loose *)s)->line[warp].n;
}

static bool is_tail(const struct order *o, const struct uop *u)
{
    uint64_t pc = u->dyn.inst->pc, end = o->rig->mark[1];

    return pc < end && pc >= end - 4 * o->n_tail;
}

static void loose_insert(struct scheme *s, struct uop *u)
{
    struct line *l = line_of(s, u->warp);
    struct order *o = order_of(s);

    l->held[l->n++] = u->id;
    o->inserted++;
    o->tail_seen += is_tail(o, u);
    o->partial += u->partial;
    o->redirects += u->dyn.redirects;
    for (unsigned w = 0; o->tail_seen == o->gate && w < s->shape->n_warps; w++)
        scheme_wake(s, w);
}

/* Does it touch a register that is to be written? */
static bool waits(const struct line *l, const struct uop *u)
{
    for (unsigned r = 0; r < N_REGID; r++)
        if (l->under_way[r] && regset_has(&u->dyn.inst->touches, r))
            return true;
    return false;
}

static struct offer loose_candidate(struct scheme *s, unsigned warp)
{
    const struct line *l = line_of(s, warp);
    const struct order *o = order_of(s);
    const struct uop *u = l->n ? &s->pool[l->held[0]] : NULL;
    struct offer none = u ? offer_data(u->id) : offer_none(HOLD_empty);

    if (!u || (!is_tail(o, u) && waits(l, u)))
        return none;
    if (!is_tail(o, u) || o->how == EAGER)
        return offer_uop(u->id);
    if (o->how == IN_ORDER)
        return waits(l, u) ? none : offer_uop(u->id);
    if (o->how == FIRST_LAST && o->tail_written + 1 < o->n_tail)
        return l->n > 1 && is_tail(o, &s->pool[l->held[1]]) ? offer_uop(l->held[1])
                                                            : none;
    if (o->tail_seen < o->gate)
        return none;
    if (o->how == AGAIN)
        return offer_uop(l->last);
    for (unsigned n = l->n; n--;)
        if (is_tail(o, &s->pool[l->held[n]]))
            return offer_uop(l->held[n]);
    return none;
}

static void count(struct line *l, const struct uop *u, int by)
{
    for (unsigned r = 0; r < N_REGID; r++)
        if (regset_has(&u->dyn.inst->writes, r))
            l->under_way[r] = (uint8_t)(l->under_way[r] + by);
}

static void loose_issued(struct scheme *s, struct uop *u)
{
    struct line *l = line_of(s, u->warp);
    unsigned at = 0;

    while (l->held[at] != u->id)
        at++;
    l->n--;
    memmove(l->held + at, l->held + at + 1, (l->n - at) * sizeof *l->held);
    l->last = u->id;
    count(l, u, 1);
    order_of(s)->issued++;
}

static void loose_written_back(struct scheme *s, struct uop *u)
{
    count(line_of(s, u->warp), u, -1);
    order_of(s)->written++;
    order_of(s)->tail_written += is_tail(order_of(s), u);
}

static int loose_check(struct scheme *s, const struct uop *u, struct err *err)
{
    struct order *o = order_of(s);

    (void)u;
    o->checks++;
    return o->objection && o->checks > 20 ? err_kind(err, ERR_WRONG, "%s", o->objection)
                                          : 0;
}

static void loose_operands_read(struct scheme *s, struct uop *u)
{
    (void)u;
    order_of(s)->read++;
}

static void loose_resolved(struct scheme *s, struct uop *u)
{
    assert_true(u->dyn.inst->flags & INST_CONTROL);
    order_of(s)->resolved++;
}

static void loose_checked(struct scheme *s, struct uop *u)
{
    assert_true(inst_is_memory(u->dyn.inst));
    order_of(s)->checked++;
}

static void loose_tick(struct scheme *s, uint64_t cycle)
{
    assert_int_equal(cycle, s->cycle);
    order_of(s)->ticks++;
}

static void loose_warp_start(struct scheme *s, unsigned warp)
{
    assert_int_equal(line_of(s, warp)->n, 0);
    order_of(s)->started++;
}

static void loose_warp_end(struct scheme *s, unsigned warp)
{
    assert_int_equal(line_of(s, warp)->n, 0);
    order_of(s)->ended++;
}

static uop_id loose_dispatch(struct scheme *s, unsigned subcore, uint32_t pipes)
{
    (void)s;
    (void)subcore;
    (void)pipes;
    return NO_UOP;
}

/* With all hooks but dispatch(), which no test of these may need. */
static const struct scheme_ops scheme_loose = {
    .name = "loose",
    .state_size = sizeof(struct loose),
    .warp_size = sizeof(struct line),
    .init = loose_init,
    .room = loose_room,
    .insert = loose_insert,
    .candidate = loose_candidate,
    .issued = loose_issued,
    .written_back = loose_written_back,
    .check = loose_check,
    .operands_read = loose_operands_read,
    .resolved = loose_resolved,
    .checked = loose_checked,
    .tick = loose_tick,
    .warp_start = loose_warp_start,
    .warp_end = loose_warp_end,
};

/* A rig and a program on the heap: both are large. */
struct bench {
    struct rig rig;
    struct code code;
    struct order order;
    struct params params;
    const void *kept; /* parameters that the rig has made */
};

static struct bench *bench_new(unsigned warps, enum how how, unsigned n_tail)
{
    struct bench *b = calloc(1, sizeof *b);

    assert_non_null(b);
    rig_init(&b->rig, "inorder", warps, 4);
    b->kept = b->rig.config.hosted.params;
    b->order =
        (struct order){ .rig = &b->rig, .how = how, .n_tail = n_tail, .gate = n_tail };
    b->params.order = &b->order;
    b->rig.config.hosted = (struct vx_hosted){ &scheme_loose, &b->params };
    return b;
}

static void bench_free(struct bench *b)
{
    b->rig.config.hosted.params = b->kept;
    rig_free(&b->rig);
    free(b);
}

static void runs(struct bench *b, unsigned warps)
{
    if (rig_run(&b->rig, &b->code, warps))
        fail_msg("%s\n%s", b->rig.err.text, vortex_report(b->rig.vortex));
}

/* The run ends with a violation that is described in these words. */
static void breaks(struct bench *b, const char *kind, const char *words)
{
    const char *text = b->rig.err.text;
    char head[64];

    assert_int_equal(rig_run(&b->rig, &b->code, 1), -1);
    assert_int_equal(b->rig.err.code, ERR_WRONG);
    snprintf(head, sizeof head, "scheme loose on rig: %s violation in cycle ", kind);
    if (strncmp(text, head, strlen(head)) != 0 || !strstr(text, words) ||
        !strstr(text, ", core 0, block 0, warp 0: #") ||
        !strstr(text, "--gpu rig --scheme loose --konata FILE --view \"sm=0 warps=0 "))
        fail_msg("%s\nexpected: %s ... %s", text, head, words);
    bench_free(b);
}

/* Loads, stores, a fence, branches taken and not, lanes that part and meet again. */
static void mixed_body(struct code *c)
{
    for (unsigned n = 0; n < 6; n++) {
        put(c, op_i(OP_LW, 7, RIG_DATA, 4 * (int)n));
        put(c, op_r(OP_MUL, 8, 7, RIG_ONE));
        put(c, op_s(OP_SW, RIG_DATA, RIG_DATA, 4 * (int)n));
        put(c, op_r(OP_FDIV, 1, 2, 3));
        put(c, op_i(OP_CSRRS, 9, 0, 0xcc0)); /* number of the lane */
        put(c, op_r(OP_SPLIT, 10, 9, 0));
        put(c, op_i(OP_ADDI, 11, 9, 1));
        put(c, op_r(OP_JOIN, 0, 10, 0));
        put(c, op_b(OP_BNE, RIG_ONE, 0, 8));
        put(c, op_i(OP_ADDI, 12, 0, 1)); /* never */
        put(c, OP_FENCE | 0xffu << 20);
    }
}

static const uint32_t served = 1u << NEED_TICK | 1u << NEED_READS | 1u << NEED_CHECKS |
                               1u << NEED_RESOLVED | 1u << NEED_OWN_CHECK |
                               1u << NEED_RENAMING | 1u << NEED_PREDICTION;

static void every_hook_is_called(void **state)
{
    (void)state;
    for (unsigned eager = 0; eager < 2; eager++) {
        struct bench *b = bench_new(4, IN_ORDER, 0);
        const struct order *o = &b->order;
        const struct vortex_stats *t;

        b->rig.config.core.eager = eager;
        b->rig.is_alone = !eager;
        b->order.needs = 1u << NEED_READS | 1u << NEED_CHECKS | 1u << NEED_TICK;
        mixed_body(&b->code);
        runs(b, 4);
        t = vortex_stats(b->rig.vortex);
        assert_int_equal(o->inserted, t->warp_insts);
        assert_int_equal(o->issued, t->warp_insts);
        assert_int_equal(o->checks, t->warp_insts);
        assert_int_equal(o->read, t->warp_insts);
        assert_int_equal(o->written, t->warp_insts);
        assert_int_equal(o->checked, 4 * 6 * 2);
        /* Of each warp: in a turn split, join twice and a branch; a tmc, a branch and a
         * jump, at the end a tmc; once a wspawn. */
        assert_int_equal(o->resolved, 4 * (6 * 4 + 5) + 1);
        assert_true(o->redirects >= 4 * 6 * 2);
        assert_true(o->partial >= 4 * 6 * 2);
        assert_int_equal(o->ticks, t->cycles);
        assert_int_equal(o->ended, 4);
        assert_int_equal(o->started, 4 + o->ended);
        bench_free(b);
    }
}

/* What is served runs, one by one; the rest is refused, with names. */
static void needs_are_compared(void **state)
{
    (void)state;
    for (unsigned n = 0; n < N_SCHEME_NEED; n++) {
        struct bench *b = bench_new(4, IN_ORDER, 0);
        struct scheme_ops ops = scheme_loose;
        const char *text = b->rig.err.text;

        b->order.needs = 1u << n;
        ops.dispatch = n == NEED_STATIONS ? loose_dispatch : NULL;
        b->rig.config.hosted.scheme = &ops;
        mixed_body(&b->code);
        if (served >> n & 1) {
            runs(b, 4);
        } else {
            assert_int_equal(rig_run(&b->rig, &b->code, 4), -1);
            assert_int_equal(b->rig.err.code, ERR_UNSUPPORTED);
            assert_non_null(strstr(text, "scheme loose cannot run on machine rig: "));
            assert_non_null(strstr(text, "; use another scheme"));
            assert_int_equal(b->order.inserted, 0);
        }
        bench_free(b);
    }
}

/* A scheme's own check ends the run, before the instruction issues. */
static void own_checks_count(void **state)
{
    struct bench *b = bench_new(4, IN_ORDER, 0);

    (void)state;
    b->order.objection = "not like this";
    mixed_body(&b->code);
    assert_int_equal(rig_run(&b->rig, &b->code, 4), -1);
    assert_string_equal(b->rig.err.text, "not like this");
    assert_int_equal(b->order.issued, 20);
    bench_free(b);
}

/* Fetch does not wait for a branch that is predicted. */
static void predicted_branches_are_not_waited_for(void **state)
{
    uint64_t cycles[2];

    (void)state;
    for (unsigned predicts = 0; predicts < 2; predicts++) {
        struct bench *b = bench_new(1, IN_ORDER, 0);

        b->order.needs = predicts << NEED_PREDICTION;
        b->rig.passes = 2; /* the second finds its code in the cache */
        for (unsigned n = 0; n < 8; n++) {
            put(&b->code, op_b(OP_BNE, RIG_ONE, 0, 8));
            put(&b->code, op_i(OP_ADDI, 7, 0, 1)); /* never */
        }
        runs(b, 1);
        cycles[predicts] = rig_cycles(&b->rig, 0);
        bench_free(b);
    }
    assert_true(cycles[0] >= 8 * 15);
    assert_true(cycles[1] <= 9 * 6 + 6); /* one fetch in six cycles */
}

/* Until all results so far are written. */
static void pause(struct code *c)
{
    for (unsigned n = 0; n < 12; n++)
        put(c, op_i(OP_ADDI, 15, 0, 1));
}

static struct bench *tail(enum how how, unsigned n, uint32_t first, uint32_t second)
{
    struct bench *b = bench_new(1, how, n);

    put(&b->code, first);
    put(&b->code, second);
    return b;
}

/* Offered from its end on: the first reads what the last has written long before. */
static struct bench *late_read(void)
{
    struct bench *b = bench_new(1, REVERSED, 6);

    put(&b->code, op_r(OP_ADD, 8, 9, 10));
    for (unsigned n = 11; n < 15; n++)
        put(&b->code, op_r(OP_ADD, n, RIG_ONE, RIG_ONE));
    put(&b->code, op_i(OP_ADDI, 10, 0, 1));
    return b;
}

static void registers_are_checked(void **state)
{
    uint32_t div = op_r(OP_FDIV, 1, 2, 3);

    (void)state;
    breaks(tail(EAGER, 2, div, op_r(OP_FADD, 4, 1, 2)), "RAW",
           ") reads f1 before it is written by #");
    breaks(tail(EAGER, 2, div, op_r(OP_FADD, 1, 2, 2)), "WAW",
           ") writes f1 after it was written by #");
    breaks(late_read(), "WAR", ") reads x10 after it was overwritten by #");
}

/* Two lanes find a version one too old, because a load is in flight, and one lane finds a
 * version two too young: they do not make up for each other. */
static void every_lane_counts(void **state)
{
    struct bench *b = bench_new(1, FIRST_LAST, 3);

    (void)state;
    b->rig.config.cache.io_out = 64;
    put(&b->code, op_i(OP_ADDI, 8, 0, 6));
    pause(&b->code);
    put(&b->code, op_i(OP_ADDI, 9, 0, 1));
    put(&b->code, op_r(OP_TMC, 0, 8, 0)); /* lanes 1 and 2 */
    put(&b->code, op_i(OP_LW, 9, 0, RISCV_IO_BASE + 0x100));
    put(&b->code, op_r(OP_TMC, 0, RIG_ONES, 0));
    put(&b->code, op_s(OP_SW, RIG_DATA, 9, 0)); /* held until the last is written */
    put(&b->code, op_r(OP_TMC, 0, RIG_ONE, 0)); /* lane 0 */
    put(&b->code, op_i(OP_ADDI, 9, 0, 2));
    breaks(b, "WAR", ") reads x9 after it was overwritten by #");
}

/* Both instructions with their text, number, address and cycle of issue. */
static void both_are_named(void **state)
{
    struct bench *b = tail(EAGER, 2, op_r(OP_FDIV, 1, 2, 3), op_r(OP_FADD, 4, 1, 2));
    unsigned first, second, pc[2], issued[2];
    const char *text = b->rig.err.text, *found;

    (void)state;
    assert_int_equal(rig_run(&b->rig, &b->code, 1), -1);
    found = strstr(text, "warp 0: #");
    assert_non_null(found);
    assert_int_equal(
        sscanf(found, "warp 0: #%u at 0x%x `fadd.s ft4,ft1,ft2", &second, &pc[1]), 2);
    found = strstr(text, "by #");
    assert_non_null(found);
    assert_int_equal(sscanf(found, "by #%u at 0x%x `fdiv.s", &first, &pc[0]), 2);
    assert_int_equal(second, first + 1);
    assert_int_equal(pc[1], pc[0] + 4);
    assert_int_equal(pc[1], b->rig.mark[1] - 4);
    for (unsigned n = 0; n < 2; n++) {
        found = strstr(n ? found : text, "(issued in cycle ");
        assert_non_null(found);
        assert_int_equal(sscanf(found++, "(issued in cycle %u)", &issued[n]), 1);
    }
    assert_true(issued[1] < issued[0]); /* the producer's is the second in the text */
    bench_free(b);
}

/* With renaming only the write that is read must have come. */
static void renamed_registers_are_checked(void **state)
{
    uint32_t div = op_r(OP_FDIV, 1, 2, 3);
    struct bench *b[] = {
        tail(EAGER, 2, div, op_r(OP_FADD, 1, 2, 2)),
        late_read(),
        tail(EAGER, 2, div, op_r(OP_FADD, 4, 1, 2)),
    };

    (void)state;
    for (unsigned n = 0; n < 3; n++)
        b[n]->order.needs = 1u << NEED_RENAMING;
    for (unsigned n = 0; n < 2; n++) {
        runs(b[n], 1);
        bench_free(b[n]);
    }
    breaks(b[2], "RAW", ") needs f1, still to be written by #");
}

/* Some lanes are written, the others keep what another instruction has still to write. */
static struct bench *partial_write(enum how how)
{
    struct bench *b = bench_new(1, how, 1);

    b->order.needs = 1u << NEED_RENAMING;
    put(&b->code, op_i(OP_ADDI, 8, 0, 5));
    pause(&b->code);
    put(&b->code, op_i(OP_LW, 9, 0, RISCV_IO_BASE + 0x100)); /* from memory */
    put(&b->code, op_r(OP_TMC, 0, 8, 0));                    /* lanes 0 and 2 */
    put(&b->code, op_i(OP_ADDI, 9, 0, 1));
    return b;
}

static void renamed_lanes_are_merged(void **state)
{
    struct bench *b = partial_write(IN_ORDER);

    (void)state;
    runs(b, 1);
    bench_free(b);
    breaks(partial_write(EAGER), "RAW", ") needs x9, still to be written by #");
}

static void memory_is_checked(void **state)
{
    uint32_t store = op_s(OP_SW, RIG_DATA, RIG_ONE, 4),
             load = op_i(OP_LW, 7, RIG_DATA, 4), fence = OP_FENCE | 0xffu << 20;
    uint32_t other = op_i(OP_LW, 7, RIG_DATA, 8), next = op_i(OP_LW, 8, RIG_DATA, 4);
    struct bench *b;

    (void)state;
    breaks(tail(REVERSED, 2, store, load), "memory order",
           ") accesses memory before #");
    breaks(tail(REVERSED, 2, load, store), "memory order",
           ") accesses memory before #");
    breaks(tail(REVERSED, 2, store, store), "memory order",
           ") accesses memory before #");
    breaks(tail(REVERSED, 2, fence, store), "memory order",
           ") accesses memory before #");
    breaks(tail(REVERSED, 2, store, fence), "memory order", ") issues before #");
    breaks(tail(REVERSED, 2, store, op_r(OP_BAR, 0, 0, RIG_ONE)), "memory order",
           ") issues before #");
    b = tail(REVERSED, 2, store, other);
    runs(b, 1);
    bench_free(b);
    b = tail(REVERSED, 2, load, next);
    runs(b, 1);
    bench_free(b);
}

/* A lane reads what its neighbour writes. */
static void lanes_are_checked(void **state)
{
    struct bench *b = bench_new(1, REVERSED, 2);

    (void)state;
    put(&b->code, op_i(OP_CSRRS, 7, 0, 0xcc0)); /* number of the lane */
    put(&b->code, op_i(OP_SLLI, 7, 7, 2));
    put(&b->code, op_r(OP_ADD, 8, RIG_DATA, 7));
    pause(&b->code);
    put(&b->code, op_s(OP_SW, 8, RIG_ONE, 0));
    put(&b->code, op_i(OP_LW, 9, 8, 4));
    breaks(b, "memory order", ") accesses memory before #");
}

static void offers_are_checked(void **state)
{
    uint32_t add = op_r(OP_ADD, 8, 9, 10);

    (void)state;
    breaks(tail(AGAIN, 2, add, add), "window", "not in the window of warp 0");
}

static unsigned deep_window(const void *params)
{
    (void)params;
    return MAX_HELD;
}

/* Windows deeper than all buffers: every warp's is full at the same time. */
static void deep_windows_have_room(void **state)
{
    struct bench *b = bench_new(32, REVERSED, 48);
    struct scheme_ops ops = scheme_loose;

    (void)state;
    ops.window = deep_window;
    b->rig.config.hosted.scheme = &ops;
    b->order.gate = 48 * 32;
    b->order.needs = 1u << NEED_RENAMING;
    for (unsigned n = 0; n < 48; n++)
        put(&b->code, op_i(OP_ADDI, 7 + n % 8, 0, (int)n));
    runs(b, 32);
    assert_int_equal(b->order.tail_seen, 48 * 32);
    bench_free(b);
}

/* Schemes of src/scheme that no Vortex core can serve. */
static void schemes_are_refused(void **state)
{
    static const char *const names[][2] = {
        { "control",
          "scheme control cannot run on machine rig: it needs control words" },
        { "turbulence",
          "scheme turbulence cannot run on machine rig: it needs distances" },
    };

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct bench *b = bench_new(4, IN_ORDER, 0);
        struct vx_hosted *h = &b->rig.config.hosted;
        struct param_binding values;

        h->scheme = scheme_find(names[n][0], NULL);
        assert_non_null(h->scheme);
        values = (struct param_binding){ h->scheme->params,
                                         calloc(1, h->scheme->params->size) };
        param_defaults(&values, 1);
        h->params = values.values;
        mixed_body(&b->code);
        assert_int_equal(rig_run(&b->rig, &b->code, 4), -1);
        assert_int_equal(b->rig.err.code, ERR_UNSUPPORTED);
        assert_non_null(strstr(b->rig.err.text, names[n][1]));
        free(values.values);
        bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hook_is_called),
        cmocka_unit_test(needs_are_compared),
        cmocka_unit_test(own_checks_count),
        cmocka_unit_test(predicted_branches_are_not_waited_for),
        cmocka_unit_test(registers_are_checked),
        cmocka_unit_test(every_lane_counts),
        cmocka_unit_test(both_are_named),
        cmocka_unit_test(renamed_registers_are_checked),
        cmocka_unit_test(renamed_lanes_are_merged),
        cmocka_unit_test(memory_is_checked),
        cmocka_unit_test(lanes_are_checked),
        cmocka_unit_test(offers_are_checked),
        cmocka_unit_test(deep_windows_have_room),
        cmocka_unit_test(schemes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
