/* test_check.c - the version check, in turn and out of it, and where registers are
 * renamed; and the bytes that memory operations share: core/check/check.c and isa/stream.c by
 * themselves.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/stages.h"

enum { N_UOPS = 8 };

struct bare {
    struct sm sm;
    struct scheme scheme;
    struct scheme_ops ops;
    struct kernel kernel;
    struct inst inst[N_UOPS];
    struct err err;
};

static struct bare *bare_new(bool renames)
{
    struct bare *b = lines_alloc(sizeof *b);

    b->ops.name = "bare";
    b->ops.may_rename = renames;
    b->scheme = (struct scheme){ .ops = &b->ops, .renames = renames };
    b->sm.scheme = &b->scheme;
    b->sm.launch.kernel = &b->kernel;
    b->sm.warp = lines_alloc(MAX_WARP_SLOTS * sizeof *b->sm.warp);
    b->sm.pool = lines_alloc(N_UOPS * sizeof *b->sm.pool);
    b->sm.check.versions =
        calloc((size_t)MAX_WARP_SLOTS * VERSION_WORDS, sizeof *b->sm.check.versions);
    b->sm.check.pending = lines_alloc(MAX_WARP_SLOTS * sizeof *b->sm.check.pending);
    b->sm.n_pool = N_UOPS;
    b->sm.warp[0].order_first = b->sm.warp[0].order_last = NO_UOP;
    b->sm.warp[0].window = (struct uop_list){ NO_UOP, NO_UOP };
    return b;
}

/* What a scheme with reservation stations has besides; never called here. */
static uop_id no_dispatch(struct scheme *s, unsigned subcore, uint32_t pipes)
{
    (void)s;
    (void)subcore;
    (void)pipes;
    return NO_UOP;
}

static void bare_stations(struct bare *b)
{
    b->ops.dispatch = no_dispatch;
    b->scheme.capture = calloc(N_UOPS, sizeof *b->scheme.capture);
}

static void bare_free(struct bare *b)
{
    free(b->scheme.capture);
    free(b->sm.warp);
    free(b->sm.pool);
    free(b->sm.check.versions);
    free(b->sm.check.pending);
    free(b);
}

/* Instruction `seq` arrives as uop n; it reads and writes one register each. */
static struct uop *arrive(struct bare *b, unsigned n, uint64_t seq, unsigned reads,
                          unsigned writes)
{
    struct uop *u = &b->sm.pool[n];
    struct inst *i = &b->inst[n];

    if (u->stage == UOP_DONE) /* it retires now at the latest */
        b->sm.warp[0].in_flight--;
    b->sm.warp[0].in_flight++;
    *i = (struct inst){ .class = CLASS_int };
    regset_add(&i->reads, reads);
    regset_add(&i->writes, writes);
    inst_index(i);
    *u = (struct uop){ .id = (uop_id)n, .stage = UOP_WINDOW };
    u->dyn = (struct dyn){ .inst = i, .seq = seq, .mask = 0xffffffffu };
    uop_list_add(&b->sm.warp[0].window, b->sm.pool, u);
    check_fetched(&b->sm, &b->sm.warp[u->warp], u);
    return u;
}

/* It leaves the window: 0, or -1 where its sources are not what they should be. */
static int issue(struct bare *b, struct uop *u)
{
    u->stage = UOP_ISSUED;
    uop_list_drop(&b->sm.warp[0].window, b->sm.pool, u);
    return check_issued(&b->sm, b->sm.warp, u, &b->err);
}

static void written(struct bare *b, struct uop *u)
{
    assert_int_equal(check_written(&b->sm, b->sm.warp, u, &b->err), 0);
    if (!b->scheme.renames)
        pending_written(&b->sm.check.pending[u->warp], &u->dyn);
    u->stage = UOP_DONE;
}

static void a_renamed_source_must_be_written(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *writer = arrive(b, 0, 0, 1, 4), *reader = arrive(b, 1, 1, 4, 5);

    (void)state;
    assert_int_equal(check_issued(&b->sm, b->sm.warp, reader, &b->err), -1);
    assert_non_null(strstr(b->err.text, "RAW violation"));
    assert_non_null(strstr(b->err.text, "reads R4 before #0"));
    written(b, writer);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, reader, &b->err), 0);
    bare_free(b);
}

/* WAR and WAW are no violations; the reader's version stays the older one. */
static void younger_versions_do_not_matter(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *old = arrive(b, 0, 0, 1, 4), *reader = arrive(b, 1, 1, 4, 5);
    struct uop *young = arrive(b, 2, 2, 1, 4), *last = arrive(b, 3, 3, 4, 6);

    (void)state;
    written(b, young);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, last, &b->err), 0);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, reader, &b->err), -1);
    written(b, old);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, reader, &b->err), 0);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, last, &b->err), 0);
    bare_free(b);
}

static void the_same_without_renaming_is_a_violation(void **state)
{
    struct bare *b = bare_new(false);
    struct uop *reader = arrive(b, 0, 0, 4, 5), *young = arrive(b, 1, 1, 1, 4);

    (void)state;
    assert_int_equal(issue(b, young), 0);
    written(b, young);
    assert_int_equal(issue(b, reader), -1);
    assert_non_null(strstr(b->err.text, "WAR violation"));
    assert_non_null(strstr(b->err.text, "reads R4 after it was overwritten by #1"));
    bare_free(b);
}

/* In program order versions are not looked at, but what is under way is known when they are:
 * of few results and of more. */
static void in_turn_versions_are_not_needed(void **state)
{
    for (unsigned n = 1; n <= 3; n++) {
        struct bare *b = bare_new(false);
        struct uop *first = arrive(b, 0, 0, 1, 4), *second;
        struct uop *reader;

        (void)state;
        for (unsigned k = 1; k < n; k++)
            regset_add(&b->inst[0].writes, 4 + k);
        inst_index(&b->inst[0]);
        assert_int_equal(issue(b, first), 0);
        written(b, first);
        assert_int_equal(issue(b, arrive(b, 1, 1, 4, 8)), 0);
        second = arrive(b, 2, 2, 1, 3 + n);
        reader = arrive(b, 3, 3, 3 + n, 5);
        assert_int_equal(issue(b, reader), -1);
        assert_non_null(strstr(b->err.text, "RAW violation"));
        assert_non_null(strstr(b->err.text, "before #2 at 0x0 (not issued) has"));
        assert_false(b->sm.warp[0].reg[8].held == b->sm.warp[0].reg[8].newest);
        assert_int_equal(issue(b, second), 0);
        bare_free(b);
    }
}

static void in_turn_a_source_must_be_written(void **state)
{
    struct bare *b = bare_new(false);
    struct uop *writer = arrive(b, 0, 0, 1, 4), *reader = arrive(b, 1, 1, 4, 5);
    struct uop *again = arrive(b, 2, 2, 4, 6);

    (void)state;
    assert_int_equal(issue(b, writer), 0);
    assert_int_equal(issue(b, reader), -1);
    assert_non_null(strstr(b->err.text, "reads R4 before #0"));
    written(b, writer);
    assert_int_equal(issue(b, again), 0);
    bare_free(b);
}

/* Whatever the order of issue, those before are named first. */
static void out_of_turn_names_are_the_same(void **state)
{
    struct bare *b = bare_new(false);
    struct uop *old = arrive(b, 0, 0, 1, 4), *reader = arrive(b, 1, 1, 4, 5);
    struct uop *second = arrive(b, 2, 2, 4, 6), *young = arrive(b, 3, 3, 1, 4);
    struct uop *last = arrive(b, 4, 4, 4, 7);

    (void)state;
    assert_int_equal(issue(b, old), 0);
    assert_int_equal(issue(b, young), 0);
    assert_int_equal(issue(b, reader), -1);
    written(b, old);
    assert_int_equal(issue(b, second), 0);
    assert_int_equal(issue(b, last), -1);
    written(b, young);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, last, &b->err), 0);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, second, &b->err), -1);
    bare_free(b);
}

static void writes_are_in_order(void **state)
{
    struct bare *b = bare_new(false);
    struct uop *old = arrive(b, 0, 0, 1, 4), *young = arrive(b, 1, 1, 2, 4);

    (void)state;
    assert_int_equal(issue(b, old), 0);
    assert_int_equal(issue(b, young), 0);
    assert_int_equal(check_written(&b->sm, b->sm.warp, young, &b->err), -1);
    written(b, old);
    written(b, young);
    bare_free(b);
}

/* The same of results that are too many for the uop's first line: from R8 on, the last of
 * which an older instruction writes too. */
static void many_writes_are_in_order(void **state)
{
    for (unsigned n = FEW_WRITES - 1; n <= FEW_WRITES + 1; n++) {
        struct bare *b = bare_new(false);
        struct uop *old = arrive(b, 0, 0, 1, 7 + n), *wide = arrive(b, 1, 1, 2, 8);
        struct uop *reader = arrive(b, 2, 2, 7 + n, 3);

        (void)state;
        for (unsigned k = 1; k < n; k++)
            regset_add(&b->inst[1].writes, 8 + k);
        inst_index(&b->inst[1]);
        assert_int_equal(issue(b, old), 0);
        assert_int_equal(issue(b, wide), 0);
        assert_int_equal(check_written(&b->sm, b->sm.warp, wide, &b->err), -1);
        written(b, old);
        for (unsigned k = 0; k < n - 1; k++) /* as they were before the violation */
            b->sm.warp[0].reg[8 + k].held = 0;
        written(b, wide);
        assert_int_equal(issue(b, reader), 0);
        bare_free(b);
    }
}

/* What is dropped is written at once; those before it keep the version they need. */
static void what_is_dropped_names_those_before(void **state)
{
    struct bare *b = bare_new(false);
    struct uop *reader = arrive(b, 0, 0, 4, 5), *dropped = &b->sm.pool[1];

    (void)state;
    *dropped = *reader;
    dropped->dyn.seq = 1;
    b->inst[1] = (struct inst){ .class = CLASS_int };
    regset_add(&b->inst[1].writes, 4);
    dropped->dyn.inst = &b->inst[1];
    check_dropped(&b->sm, dropped);
    assert_int_equal(issue(b, arrive(b, 2, 2, 4, 6)), 0);
    assert_int_equal(issue(b, reader), -1);
    bare_free(b);
}

static void some_lanes_need_the_version_before(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *old = arrive(b, 0, 0, 1, 4), *merge = arrive(b, 1, 1, 2, 4);

    (void)state;
    assert_int_equal(check_issued(&b->sm, b->sm.warp, merge, &b->err), 0);
    merge->partial = true;
    assert_int_equal(check_issued(&b->sm, b->sm.warp, merge, &b->err), -1);
    written(b, old);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, merge, &b->err), 0);
    bare_free(b);
}

/* Versions have 16 bits: one of long ago is not taken for one under way. */
static void an_old_version_is_not_a_young_one(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *reader;

    (void)state;
    written(b, arrive(b, 0, 7, 1, 4));
    arrive(b, 1, 7 + 65536, 1, 6);
    reader = arrive(b, 2, 8 + 65536, 4, 5);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, reader, &b->err), 0);
    reader = arrive(b, 3, 9 + 65536, 6, 5);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, reader, &b->err), -1);
    bare_free(b);
}

/* An instruction with too many registers for a list comes after all older writes of its sources;
 * of one with some lanes off, also those of its results. Others may be pending. */
static void what_is_not_listed_waits_for_its_writers(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *old = arrive(b, 0, 0, 1, 12), *wide = arrive(b, 2, 2, 100, 101);

    (void)state;
    arrive(b, 1, 1, 1, 4);
    for (unsigned r = 10; r < 10 + MAX_LISTED; r++)
        regset_add(&b->inst[2].reads, r);
    inst_index(&b->inst[2]);
    assert_false(b->inst[2].list.is_whole);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, wide, &b->err), -1);
    written(b, old);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, wide, &b->err), 0);
    regset_add(&b->inst[2].writes, 4);
    assert_int_equal(check_issued(&b->sm, b->sm.warp, wide, &b->err), 0);
    wide->partial = true;
    assert_int_equal(check_issued(&b->sm, b->sm.warp, wide, &b->err), -1);
    bare_free(b);
}

/* With stations: a source is in the register file, if the scheme put it there, ... */
static void a_source_is_where_it_is_said_to_be(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *old = arrive(b, 0, 0, 1, 4), *young = arrive(b, 1, 1, 1, 4);
    struct uop *reader = arrive(b, 2, 2, 4, 5);

    (void)state;
    bare_stations(b);
    b->scheme.capture[reader->id].from[0] = NO_UOP;
    assert_int_equal(check_captured(&b->sm, reader, &b->err), -1);
    assert_non_null(strstr(b->err.text, "reads R4 before #1"));
    written(b, young);
    check_filed(&b->sm, young); /* of which nothing is kept */
    assert_int_equal(check_captured(&b->sm, reader, &b->err), -1);
    b->scheme.capture[young->id].kept = 1;
    check_filed(&b->sm, young);
    assert_int_equal(check_captured(&b->sm, reader, &b->err), 0);
    written(b, old);
    b->scheme.capture[old->id].kept = 1;
    check_filed(&b->sm, old); /* too late: over the younger one */
    assert_int_equal(check_captured(&b->sm, reader, &b->err), -1);
    bare_free(b);
}

/* ... or to come from the youngest older writer. */
static void a_captured_source_has_the_right_name(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *old = arrive(b, 0, 0, 1, 4), *young = arrive(b, 1, 1, 1, 4);
    struct uop *reader = arrive(b, 2, 2, 4, 5), *merge = arrive(b, 3, 3, 2, 4);

    (void)state;
    bare_stations(b);
    b->scheme.capture[reader->id].from[0] = old->id;
    assert_int_equal(check_captured(&b->sm, reader, &b->err), -1);
    assert_non_null(strstr(b->err.text,
                           "captures R4 from #0; in program order its producer is #1"));
    b->scheme.capture[reader->id].from[0] = young->id;
    assert_int_equal(check_captured(&b->sm, reader, &b->err), 0);
    b->scheme.capture[merge->id].from[0] = NO_UOP;
    b->scheme.capture[merge->id].from[1] = old->id;
    assert_int_equal(check_captured(&b->sm, merge, &b->err), 0);
    merge->partial = true;
    assert_int_equal(check_captured(&b->sm, merge, &b->err), -1);
    b->scheme.capture[merge->id].from[1] = young->id;
    assert_int_equal(check_captured(&b->sm, merge, &b->err), 0);
    written(b, young); /* it is broadcast no more */
    assert_int_equal(check_captured(&b->sm, reader, &b->err), -1);
    bare_free(b);
}

/* A fence is not performed while an older memory operation waits in a station. */
static void a_fence_does_not_pass_a_station(void **state)
{
    struct bare *b = bare_new(true);
    struct uop *load = arrive(b, 0, 0, 1, 4), *fence = arrive(b, 1, 1, 1, 5);

    (void)state;
    bare_stations(b);
    b->inst[0].memory = INST_READS;
    b->inst[1].memory = INST_ORDERS;
    b->sm.warp[0].order_first = load->id;
    b->sm.warp[0].order_last = load->next_order = fence->id;
    fence->next_order = NO_UOP;
    fence->stage = UOP_ISSUED;
    load->stage = UOP_STATION;
    assert_int_equal(check_performed(&b->sm, fence, &b->err), -1);
    load->stage = UOP_READ;
    assert_int_equal(check_performed(&b->sm, fence, &b->err), 0);
    bare_free(b);
}

/* A load after a wait for a phase would read what a copy has yet to write; an arrival before a
 * load would let others overwrite what that reads. */
static void nothing_passes_a_phase(void **state)
{
    for (unsigned phase = 0; phase < 2; phase++) {
        struct bare *b = bare_new(false);
        struct uop *older = arrive(b, 0, 0, 1, 4), *younger = arrive(b, 1, 1, 1, 5);

        b->inst[0].memory = b->inst[1].memory = INST_READS;
        b->inst[phase].flags = INST_PHASE;
        b->sm.warp[0].order_first = older->id;
        b->sm.warp[0].order_last = older->next_order = younger->id;
        younger->next_order = NO_UOP;
        younger->stage = UOP_ISSUED;
        assert_int_equal(check_performed(&b->sm, younger, &b->err), -1);
        assert_non_null(strstr(b->err.text, "memory order violation"));
        assert_non_null(strstr(b->err.text, "#1"));
        assert_non_null(strstr(b->err.text, "accesses memory before #0"));
        older->stage = UOP_READ;
        assert_int_equal(check_performed(&b->sm, younger, &b->err), 0);
        bare_free(b);
    }
    (void)state;
}

/* A memory operation: lane l at base + step * l. */
static struct dyn access_at(const struct inst *i, uint64_t base, uint64_t step,
                            uint32_t mask)
{
    struct dyn d = { .inst = i, .mask = mask, .space = i->space };

    addresses_set_line(&d.addr, base, (int64_t)step);
    return d;
}

static void bytes_overlap_across_lanes(void **state)
{
    static const struct inst global = { .space = SPACE_GLOBAL, .bytes = 4 },
                             local = { .space = SPACE_LOCAL, .bytes = 4 },
                             shared = { .space = SPACE_SHARED, .bytes = 4 },
                             copy = { .space = SPACE_GLOBAL,
                                      .bytes = 4,
                                      .flags = INST_ASYNC };
    static const struct {
        const struct inst *a, *b;
        uint64_t base_a, step_a, base_b, step_b;
        uint32_t mask_a, mask_b;
        bool overlap;
    } rows[] = {
        { &global, &global, 0, 4, 0, 4, ~0u, ~0u, true },
        { &global, &global, 0, 4, 128, 4, ~0u, ~0u, false }, /* one behind the other */
        { &global, &global, 0, 4, 127, 4, ~0u, ~0u, true },  /* by a byte */
        { &global, &global, 0, 4, 4, 4, 1u << 1, 1, true },  /* lanes 1 and 0 */
        { &global, &global, 0, 4, 4, 4, 1, 1, false },
        { &global, &global, 0, 8, 4, 8, ~0u, ~0u, false }, /* between each other */
        { &global, &global, 0, 4, 0, 4, 0, ~0u, false },   /* no lane */
        { &local, &local, 0, 4, 4, 4, ~0u, ~0u, false },   /* each lane's own */
        { &local, &local, 0, 4, 3, 4, ~0u, ~0u, true },
        { &global, &shared, 0, 4, 0, 4, ~0u, ~0u, false },
        { &copy, &shared, 0, 4, 4096, 4, ~0u, ~0u, true },
        { &shared, &copy, 0, 4, 4096, 4, ~0u, ~0u, true },
        { &copy, &global, 0, 4, 4096, 4, ~0u, ~0u, false },
        { &copy, &copy, 0, 4, 4096, 4, ~0u, ~0u, true },
    };

    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct dyn a =
            access_at(rows[n].a, rows[n].base_a, rows[n].step_a, rows[n].mask_a);
        struct dyn b =
            access_at(rows[n].b, rows[n].base_b, rows[n].step_b, rows[n].mask_b);

        if (dyn_overlap(&a, &b) != rows[n].overlap ||
            dyn_overlap(&b, &a) != rows[n].overlap)
            fail_msg("row %u: expected %d", n, rows[n].overlap);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_renamed_source_must_be_written),
        cmocka_unit_test(younger_versions_do_not_matter),
        cmocka_unit_test(the_same_without_renaming_is_a_violation),
        cmocka_unit_test(in_turn_versions_are_not_needed),
        cmocka_unit_test(in_turn_a_source_must_be_written),
        cmocka_unit_test(out_of_turn_names_are_the_same),
        cmocka_unit_test(writes_are_in_order),
        cmocka_unit_test(many_writes_are_in_order),
        cmocka_unit_test(what_is_dropped_names_those_before),
        cmocka_unit_test(some_lanes_need_the_version_before),
        cmocka_unit_test(an_old_version_is_not_a_young_one),
        cmocka_unit_test(what_is_not_listed_waits_for_its_writers),
        cmocka_unit_test(a_source_is_where_it_is_said_to_be),
        cmocka_unit_test(a_captured_source_has_the_right_name),
        cmocka_unit_test(a_fence_does_not_pass_a_station),
        cmocka_unit_test(nothing_passes_a_phase),
        cmocka_unit_test(bytes_overlap_across_lanes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
