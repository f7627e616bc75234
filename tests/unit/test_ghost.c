/* test_ghost.c - GhOST's structures hook by hook: turns of the GhOST scheduler and of the
 * checkers, places in the issue buffer, load counters, storage.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/ghost.h"
#include "sim/machine.h"

enum { POOL = 32 };

static const struct core_shape shape = { .n_warps = 32, .n_subcores = 4 };

/* A scheme by itself, with a pool of a few instructions. */
struct bare {
    struct machine *machine;
    struct ghost *g;
    struct uop pool[POOL];
    struct inst inst[POOL];
    struct pending pending[MAX_WARP_SLOTS]; /* as the core keeps it */
    struct uop_list window[MAX_WARP_SLOTS]; /* the same */
    unsigned n;
};

static struct bare *bare_new(const char *name, const char *setting)
{
    struct bare *b = lines_alloc(sizeof *b);
    struct err err = { 0 };
    struct scheme *s;

    b->machine = machine_new("rtx2060s", name, &err);
    assert_non_null(b->machine);
    if (setting)
        assert_int_equal(machine_set(b->machine, setting, &err), 0);
    s = scheme_new(b->machine->scheme, shape.n_warps);
    b->g = (struct ghost *)s;
    s->ops = b->machine->scheme;
    s->params = b->machine->scheme_params;
    s->stats = calloc(1, s->ops->stats->size);
    s->shape = &shape;
    s->pool = b->pool;
    s->pending = b->pending;
    s->cycle = 100;
    assert_int_equal(s->ops->init(s, &err), 0);
    for (unsigned w = 0; w < shape.n_warps; w++) {
        b->window[w] = (struct uop_list){ NO_UOP, NO_UOP };
        s->ops->warp_start(s, w);
    }
    return b;
}

static void bare_free(struct bare *b)
{
    free(b->g->base.stats);
    free(b->g);
    machine_free(b->machine);
    free(b);
}

/* Writes register d, reads a; a class and a space of their own for loads. */
static struct uop *insert(struct bare *b, unsigned warp, unsigned d, unsigned a)
{
    struct inst *i = &b->inst[b->n];
    struct uop *u = &b->pool[b->n];

    i->class = CLASS_int;
    regset_add(&i->writes, d);
    regset_add(&i->reads, a);
    inst_index(i);
    *u = (struct uop){ .id = (uop_id)b->n, .warp = (uint8_t)warp };
    u->dyn = (struct dyn){ .inst = i, .seq = b->n, .mask = 0xffffffffu };
    b->n++;
    uop_list_add(&b->window[warp], b->pool, u);
    b->g->base.ops->insert(&b->g->base, u);
    return u;
}

static struct uop *insert_load(struct bare *b, unsigned warp, unsigned d, unsigned a)
{
    struct uop *u = insert(b, warp, d, a);

    b->inst[u->id].class = CLASS_load;
    b->inst[u->id].memory = INST_READS;
    u->dyn.space = SPACE_GLOBAL;
    return u;
}

static void ticks(struct bare *b, unsigned n)
{
    while (n--) {
        b->g->base.cycle++;
        b->g->base.ops->tick(&b->g->base, b->g->base.cycle);
    }
}

static uop_id offered(struct bare *b, unsigned warp)
{
    struct offer o = b->g->base.ops->candidate(&b->g->base, warp);

    return o.hold == HOLD_nothing ? o.uop : NO_UOP;
}

/* Instructions of a warp in the ITab, and in the IsB. */
static int shown(const struct bare *b, unsigned warp)
{
    return __builtin_popcountll(b->g->warp[warp].itab);
}

static int in_isb(const struct bare *b, unsigned warp)
{
    return __builtin_popcountll(b->g->warp[warp].used);
}

static void issue(struct bare *b, struct uop *u)
{
    pending_issued(&b->pending[u->warp], &u->dyn);
    uop_list_drop(&b->window[u->warp], b->pool, u);
    b->g->base.ops->issued(&b->g->base, u);
}

/* Warps 0, 4, 8 and 12 share a scheduler: their first instruction is stalled, the second
 * is ready. */
static void one_warp_a_cycle(void **state)
{
    static const unsigned warps[] = { 0, 4, 8, 12 };
    struct bare *b = bare_new("ghost", NULL);
    struct uop *first[4];

    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        first[k] = insert(b, warps[k], 1, 2);
        insert(b, warps[k], 3, 1);
        insert(b, warps[k], 4, 5);
    }
    ticks(b, 2);
    for (unsigned k = 0; k < 4; k++)
        issue(b, first[k]);
    ticks(b, 12);
    for (unsigned k = 0; k < 4; k++) {
        assert_int_equal(shown(b, warps[k]), 1);
        issue(b, &b->pool[offered(b, warps[k])]);
    }
    ticks(b, 12);
    for (unsigned k = 0; k < 4; k++) {
        pending_written(&b->pending[warps[k]], &first[k]->dyn);
        b->g->base.ops->written_back(&b->g->base, first[k]);
    }
    for (unsigned k = 0; k < 4; k++) {
        unsigned n = 0;

        ticks(b, 1);
        for (unsigned j = 0; j < 4; j++)
            n += shown(b, warps[j]) != 0;
        assert_int_equal(n, k); /* what is picked now is seen in the next cycle */
    }
    ticks(b, 1);
    assert_int_equal(shown(b, 0), 1);
    assert_false(b->g->base.wants_tick);
    bare_free(b);
}

/* A warp with new results comes before one with room in its ITab, whoever's turn it is. */
static void results_come_first(void **state)
{
    struct bare *b = bare_new("ghost", NULL);

    (void)state;
    insert(b, 0, 1, 2);
    insert(b, 8, 1, 2);
    ticks(b, 4);
    b->g->sub[0].last_picked = 12 / 4;
    b->g->sub[0].ite = shape_bit(b->g->base.shape, 0);
    b->g->sub[0].wwb = shape_bit(b->g->base.shape, 8);
    ticks(b, 1);
    assert_int_equal(b->g->sub[0].last_picked, 8 / 4);
    ticks(b, 1);
    assert_int_equal(b->g->sub[0].last_picked, 0);
    bare_free(b);
}

/* Checkers: four warps of a scheduler in a cycle, one instruction of each. */
static void four_checkers(void **state)
{
    struct bare *b = bare_new("ghost", NULL);

    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        insert(b, 4 * k, 1, 2);
        insert(b, 4 * k, 3, 4);
    }
    ticks(b, 1);
    assert_int_equal(b->g->sub[0].checking, 0xf);
    ticks(b, 1);
    assert_int_equal(b->g->sub[0].checking, 0x33); /* 16 and 20, then it is 0's turn */
    assert_int_equal(in_isb(b, 0), 1);
    assert_int_equal(in_isb(b, 16), 0);
    bare_free(b);
}

/* The ITab shows the two oldest ready ones, the warp scheduler sees the first. */
static void two_are_shown(void **state)
{
    struct bare *b = bare_new("ghost", "ghost.buffer=8");
    struct uop *u[5];

    (void)state;
    for (unsigned k = 0; k < 5; k++)
        u[k] = insert(b, 0, 10 + k, 1 + (k == 1 ? 9 : 0)); /* the second reads R10 */
    ticks(b, 7);
    assert_int_equal(shown(b, 0), 2);
    issue(b, u[0]);
    ticks(b, 2);
    assert_int_equal(offered(b, 0), u[2]->id);
    assert_int_equal(b->g->warp[0].itab, bit64(u[2]->tag) | bit64(u[3]->tag));
    issue(b, u[2]);
    assert_int_equal(offered(b, 0), u[3]->id);
    issue(b, u[3]); /* nothing is shown: the oldest, which waits for R10 */
    assert_int_equal(offered(b, 0), NO_UOP);
    ticks(b, 2);
    assert_int_equal(offered(b, 0), u[4]->id);
    bare_free(b);
}

/* The paper's figure 12. (a): 1 has issued, 2 waits for it, the ITab shows 3 and 4; 6 is in
 * the checker, and 3 issues. (b): 6 is in the IsB, 7 in the checker, and 4 issues. */
static void figure_12(void **state)
{
    struct bare *b = bare_new("ghost", "ghost.buffer=8");
    const struct ghost_warp *w = &b->g->warp[0];
    struct uop *u[8];

    (void)state;
    for (unsigned k = 1; k < 8; k++)
        u[k] = insert(b, 0, 10 + k, k == 2 ? 11 : 1);
    ticks(b, 2);
    issue(b, u[1]);
    ticks(b, 4);
    assert_int_equal(w->checking, u[6]->id);
    assert_int_equal(in_isb(b, 0), 4);
    assert_int_equal(w->itab, bit64(u[3]->tag) | bit64(u[4]->tag));
    assert_int_equal(offered(b, 0), u[3]->id);
    issue(b, u[3]);
    ticks(b, 1);
    assert_true(w->used & bit64(u[6]->tag));
    assert_int_equal(w->checking, u[7]->id);
    assert_int_equal(offered(b, 0), u[4]->id);
    bare_free(b);
}

/* The lowest free place is taken; the order of ages is another. */
static void places(void **state)
{
    struct bare *b = bare_new("ghost", "ghost.entries=4");
    const struct ghost_warp *w = &b->g->warp[0];
    struct uop *u[4], *more;

    (void)state;
    for (unsigned k = 0; k < 4; k++)
        u[k] = insert(b, 0, 10 + k, 1);
    ticks(b, 6);
    assert_int_equal(in_isb(b, 0), 4);
    issue(b, u[2]);
    issue(b, u[0]);
    more = insert(b, 0, 20, 1);
    ticks(b, 2);
    assert_int_equal(more->tag, 0);
    more = insert(b, 0, 21, 1);
    ticks(b, 2);
    assert_int_equal(more->tag, 2);
    assert_int_equal(w->oldest, 1); /* ages: places 1, 3, 0, 2 */
    issue(b, u[1]);
    issue(b, u[3]);
    assert_int_equal(w->oldest, 0);
    bare_free(b);
}

/* Counters go up at the checker and down with each translation; 16 is the most. */
static void load_counters(void **state)
{
    struct bare *b = bare_new("ghost.precise", "ghost.precise.entries=64");
    struct uop *load[18], *last;

    (void)state;
    for (unsigned k = 0; k < 18; k++) {
        load[k] = insert_load(b, 0, 40 + k, 1);
        ticks(b, 2);
        issue(b, load[k]);
        if (k == 15)
            break;
    }
    assert_int_equal(b->g->warp[0].loads, 16);
    last = insert_load(b, 0, 100, 1);
    ticks(b, 4);
    assert_int_equal(in_isb(b, 0), 0); /* it waits for a place in the counters */
    b->g->base.ops->checked(&b->g->base, load[0]);
    ticks(b, 2);
    assert_int_equal(b->g->warp[0].entry[last->tag].loads, 15);
    assert_int_equal(offered(b, 0), NO_UOP); /* not marked as idempotent */
    for (unsigned k = 1; k < 16; k++)
        b->g->base.ops->checked(&b->g->base, load[k]);
    assert_int_equal(b->g->warp[0].loads, 1); /* itself */
    assert_int_equal(offered(b, 0), last->id);
    bare_free(b);
}

/* The bits of one entry of a structure, over its fields, and how many there are. */
static uint64_t bits_of(const struct machine *m, const char *structure, uint64_t *n)
{
    struct part p[MAX_PARTS] = { 0 };
    uint64_t bits = 0;

    m->scheme->parts(m->scheme_params, &shape, p);
    for (unsigned k = 0; p[k].structure; k++)
        if (!strcmp(p[k].structure, structure)) {
            bits += p[k].bits;
            *n = p[k].count;
        }
    return bits;
}

/* Table II: 111 bits; in an SM 32 warps x 8 entries and 4 x 4 checkers. */
static void table_2(void **state)
{
    struct bare *b = bare_new("ghost", NULL);
    struct machine *m = b->machine;
    struct err err = { 0 };
    uint64_t n;

    (void)state;
    assert_int_equal(bits_of(m, "issue buffer", &n), 111);
    assert_int_equal(n, 256);
    assert_int_equal(bits_of(m, "dependence checker", &n), 111);
    assert_int_equal(n, 16);
    assert_int_equal(machine_set(m, "ghost.entries=32", &err), 0);
    assert_int_equal(bits_of(m, "issue buffer", &n), 111 + 2 + 24);
    bare_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_a_cycle), cmocka_unit_test(results_come_first),
        cmocka_unit_test(four_checkers),    cmocka_unit_test(two_are_shown),
        cmocka_unit_test(figure_12),        cmocka_unit_test(places),
        cmocka_unit_test(load_counters),    cmocka_unit_test(table_2),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
