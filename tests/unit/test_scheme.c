/* test_scheme.c - schemes as tables: complete, named, documented, of a size; and the two
 * in-order ones hook by hook.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "cost/cost.h"
#include "frontend/replay/replay.h"
#include "sim/gpu.h"
#include "sim/machine.h"

static const struct core_shape shape = { .n_warps = 32, .n_subcores = 4 };

static void every_table_is_complete(void **state)
{
    (void)state;
    assert_non_null(scheme_at(0));
    for (size_t i = 0; scheme_at(i); i++) {
        const struct scheme_ops *o = scheme_at(i);
        struct err err = { 0 };
        char page[128];

        assert_ptr_equal(scheme_find(o->name, &err), o);
        assert_true(strlen(o->summary) > 10);
        assert_non_null(o->paper);
        assert_true(o->state_size >= sizeof(struct scheme));
        assert_non_null(o->room);
        assert_non_null(o->insert);
        assert_non_null(o->candidate);
        assert_non_null(o->issued);
        assert_non_null(o->written_back);
        assert_non_null(o->parts);
        if (o->params)
            assert_string_equal(o->params->prefix, o->name);
        if (o->stats)
            assert_string_equal(o->stats->prefix, o->name);
        snprintf(page, sizeof page, "docs/schemes/%s.md", o->name);
        if (access(page, R_OK))
            fail_msg("scheme %s has no page %s", o->name, page);
    }
}

static void a_wrong_name_is_answered_with_the_nearest(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_null(scheme_find("inordr", &err));
    assert_non_null(strstr(err.text, "inordr"));
    assert_non_null(strstr(err.text, "inorder"));
    assert_null(scheme_find("", &err));
    assert_null(skip_find("nothing", &err));
}

static uint64_t bits_of(const struct machine *m)
{
    struct cost c;

    cost_of(&c, m->scheme, m->scheme_params, &shape);
    return c.bits;
}

static void storage_grows_with_entries(void **state)
{
    static const struct {
        const char *name;
        unsigned bits; /* from one entry of a warp to two */
    } schemes[] = {
        { "inorder", 65 },
        { "control", 65 },
        /* an entry, seniority of one bit in two of them, cells (0, 1) and (1, 0) */
        { "socgpu", 135 + 2 * 1 + 2 },
    };
    struct err err = { 0 };

    (void)state;
    for (unsigned n = 0; n < sizeof schemes / sizeof *schemes; n++) {
        struct machine *m = machine_new("rtx2060s", schemes[n].name, &err);
        char set[64];
        uint64_t one, two;

        assert_non_null(m);
        snprintf(set, sizeof set, "%s.entries=1", schemes[n].name);
        assert_int_equal(machine_set(m, set, &err), 0);
        one = bits_of(m);
        snprintf(set, sizeof set, "%s.entries=2", schemes[n].name);
        assert_int_equal(machine_set(m, set, &err), 0);
        two = bits_of(m);
        assert_int_equal(two - one, 32 * schemes[n].bits);
        machine_free(m);
    }
}

/* A scheme by itself, with a pool of a few instructions. */
struct bare {
    struct machine *machine;
    struct scheme *scheme;
    struct uop pool[4];
    struct inst inst[4];
    struct uop_list window[2]; /* of a warp, as the core keeps it */
    struct pending pending[2]; /* the same */
};

static struct bare *bare_new(const char *name)
{
    struct bare *b = lines_alloc(sizeof *b);
    struct err err = { 0 };
    const struct scheme_ops *o;

    b->machine = machine_new("rtx2060s", name, &err);
    assert_non_null(b->machine);
    o = b->machine->scheme;
    b->scheme = scheme_new(o, shape.n_warps);
    b->scheme->ops = o;
    b->scheme->params = b->machine->scheme_params;
    b->scheme->stats = o->stats ? calloc(1, o->stats->size) : NULL;
    b->scheme->shape = &shape;
    b->scheme->pool = b->pool;
    b->scheme->pending = b->pending;
    b->scheme->next_wake = UINT64_MAX;
    b->scheme->cycle = 100;
    if (o->init)
        assert_int_equal(o->init(b->scheme, &err), 0);
    o->warp_start(b->scheme, 0);
    b->window[0] = b->window[1] = (struct uop_list){ NO_UOP, NO_UOP };
    return b;
}

static void bare_free(struct bare *b)
{
    if (b->scheme->ops->fini)
        b->scheme->ops->fini(b->scheme);
    free(b->scheme->stats);
    free(b->scheme);
    machine_free(b->machine);
    free(b);
}

/* An instruction of class that reads one register and writes another. */
static struct uop *bare_uop(struct bare *b, unsigned n, unsigned reads, unsigned writes)
{
    struct inst *i = &b->inst[n];
    struct uop *u = &b->pool[n];

    i->class = CLASS_int;
    i->depbar = 7;
    i->control =
        (struct inst_control){ .stall = 1, .write_barrier = 7, .read_barrier = 7 };
    regset_add(&i->reads, reads);
    regset_add(&i->writes, writes);
    inst_index(i);
    u->id = (uop_id)n;
    u->dyn.inst = i;
    u->dyn.seq = n;
    u->dyn.mask = 0xffffffffu;
    return u;
}

static void insert(struct bare *b, struct uop *u)
{
    uop_list_add(&b->window[u->warp], b->pool, u);
    b->scheme->ops->insert(b->scheme, u);
}

static void issue(struct bare *b, struct uop *u)
{
    uop_list_drop(&b->window[u->warp], b->pool, u);
    pending_issued(&b->pending[u->warp], &u->dyn);
    b->scheme->ops->issued(b->scheme, u);
}

static void write_result(struct bare *b, struct uop *u)
{
    pending_written(&b->pending[u->warp], &u->dyn);
    b->scheme->ops->written_back(b->scheme, u);
}

static void expect_offer(struct bare *b, unsigned warp, unsigned id)
{
    struct offer o = b->scheme->ops->candidate(b->scheme, warp);

    assert_int_equal(o.hold, HOLD_nothing);
    assert_int_equal(o.uop, id);
}

static void a_reader_waits_for_its_writer(void **state)
{
    static const char *const names[] = { "inorder", "control" };

    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        struct bare *b = bare_new(names[n]);
        const struct scheme_ops *o = b->scheme->ops;
        struct uop *first = bare_uop(b, 0, 1, 4), *second = bare_uop(b, 1, 4, 5);
        unsigned room = o->room(b->scheme, 0);
        struct offer offer;

        assert_int_equal(o->candidate(b->scheme, 0).hold, HOLD_empty);
        assert_true(room >= 2);
        insert(b, first);
        insert(b, second);
        expect_offer(b, 0, 0);
        issue(b, first);
        b->scheme->cycle = 105;
        offer = o->candidate(b->scheme, 0); /* blocked before the write */
        assert_int_equal(offer.hold, HOLD_data);
        assert_int_equal(offer.uop, 1);
        assert_int_equal(scheme_hold_cause(b->scheme, &offer), STALL_compute);
        write_result(b, first);
        expect_offer(b, 0, 1); /* and not after it */
        issue(b, second);
        assert_int_equal(o->room(b->scheme, 0), room);
        bare_free(b);
    }
}

static void warps_do_not_see_each_other(void **state)
{
    struct bare *b = bare_new("inorder");
    const struct scheme_ops *o = b->scheme->ops;
    struct uop *first = bare_uop(b, 0, 1, 4), *other = bare_uop(b, 1, 4, 5);

    (void)state;
    o->warp_start(b->scheme, 1);
    other->warp = 1;
    insert(b, first);
    insert(b, other);
    issue(b, first);
    expect_offer(b, 1, 1);
    bare_free(b);
}

static void a_stall_count_asks_to_be_woken(void **state)
{
    struct bare *b = bare_new("control");
    const struct scheme_ops *o = b->scheme->ops;
    struct uop *first = bare_uop(b, 0, 1, 4), *second = bare_uop(b, 1, 2, 5);

    (void)state;
    b->inst[0].control.stall = 9;
    insert(b, first);
    insert(b, second);
    issue(b, first);
    b->scheme->cycle = 108;
    assert_int_equal(o->candidate(b->scheme, 0).hold, HOLD_stall_count);
    assert_int_equal(b->scheme->wake_at[0], 109);
    assert_true(b->scheme->next_wake <= 109);
    b->scheme->cycle = 109;
    expect_offer(b, 0, 1);
    bare_free(b);
}

/* In order, but for a warp that has nothing to offer: it offers what it issued last. */
static uop_id last[256];

static struct offer offer_again(struct scheme *s, unsigned warp)
{
    struct offer o = scheme_find("inorder", NULL)->candidate(s, warp);

    if (o.hold == HOLD_nothing)
        last[warp] = o.uop;
    return last[warp] == NO_UOP ? o : offer_uop(last[warp]);
}

/* Runs vecadd under inorder with a candidate() of its own; slots of a cause, all sub-cores
 * together. */
static uint64_t run_planted(struct offer (*candidate)(struct scheme *, unsigned),
                            struct err *err, enum stall cause)
{
    struct machine *m = machine_new("rtx2060s", "inorder", err);
    struct scheme_ops ops = *m->scheme;
    struct replay *r = replay_open("tests/data/replay/vecadd.leno", NULL, err);
    struct gpu_result *result;
    struct kernel *k;
    struct gpu *g;
    uint64_t sum = 0;

    if (candidate)
        ops.candidate = candidate;
    m->scheme = &ops;
    g = gpu_new(m, err);
    assert_non_null(g);
    assert_int_equal(replay_next_kernel(r, &k, err), 1);
    gpu_run(g, k, err);
    result = gpu_result_new(g, NULL);
    assert_non_null(result);
    for (unsigned n = 0; n < MAX_SUBCORES; n++)
        sum += gpu_result_sm(result)->slot[n][cause];
    gpu_result_free(result);
    replay_kernel_free(r, k);
    replay_close(r);
    gpu_free(g);
    m->scheme = scheme_find("inorder", NULL);
    machine_free(m);
    return sum;
}

static void what_is_issued_is_not_offered_again(void **state)
{
    struct err err = { 0 };

    (void)state;
    for (unsigned w = 0; w < 256; w++)
        last[w] = NO_UOP;
    run_planted(offer_again, &err, STALL_issued);
    assert_int_equal(err.code, ERR_WRONG);
    if (!strstr(err.text, "scheme inorder: window violation in cycle") ||
        !strstr(err.text, "is offered but is not in the window"))
        fail_msg("%s", err.text);
}

/* In order, but for the rules: whatever is oldest issues. */
static struct offer offer_oldest(struct scheme *s, unsigned warp)
{
    struct offer o = scheme_find("inorder", NULL)->candidate(s, warp);

    return o.hold == HOLD_data ? offer_uop(o.uop) : o;
}

static void a_violation_says_what_to_look_at(void **state)
{
    static const char *const parts[] = {
        "scheme inorder: RAW violation in cycle ",
        ", SM ",
        ", block ",
        ": #",
        "` (issued in cycle ",
        ") reads ",
        " before #",
        " has written it. To see it: leno run PROGRAM --scheme inorder ",
        " --konata FILE --view \"sm=",
    };
    struct err err = { 0 };

    (void)state;
    run_planted(offer_oldest, &err, STALL_issued);
    assert_int_equal(err.code, ERR_WRONG);
    for (unsigned n = 0; n < sizeof parts / sizeof *parts; n++)
        if (!strstr(err.text, parts[n]))
            fail_msg("'%s' is not in: %s", parts[n], err.text);
}

/* In order, but every instruction is held for a cycle in which it is said to wait for
 * registers. */
static struct offer hold_for_nothing(struct scheme *s, unsigned warp)
{
    struct offer o = scheme_find("inorder", NULL)->candidate(s, warp);

    if (o.hold != HOLD_nothing || s->cycle % 2)
        return o;
    scheme_wake_at(s, warp, s->cycle + 1);
    return offer_data(o.uop);
}

/* A wait for registers that nobody is going to write is the scheme's own. */
static void a_wait_for_nothing_is_the_schemes(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_int_equal(run_planted(NULL, &err, STALL_scheme), 0);
    assert_true(run_planted(hold_for_nothing, &err, STALL_scheme) > 0);
    assert_int_equal(err.code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_issued_is_not_offered_again),
        cmocka_unit_test(a_wait_for_nothing_is_the_schemes),
        cmocka_unit_test(a_violation_says_what_to_look_at),
        cmocka_unit_test(every_table_is_complete),
        cmocka_unit_test(a_wrong_name_is_answered_with_the_nearest),
        cmocka_unit_test(storage_grows_with_entries),
        cmocka_unit_test(a_reader_waits_for_its_writer),
        cmocka_unit_test(warps_do_not_see_each_other),
        cmocka_unit_test(a_stall_count_asks_to_be_woken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
