/* test_mem_steps.c - packets that nothing stands in the way of go several steps at once,
 * and slices of L2 several cycles: packets arrive in the cycles, and are counted at the
 * times, of those that stop at each step, and of slices that stop in each cycle.
 */
#include "mem/memory_internal.h"
#include "mem_rig.h"

enum { N_SMS = 6, WINDOW = 128, N_WINDOWS = 60, MAX_REPLIES = 20000 };

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

struct arrival {
    uint64_t cycle;
    uint32_t sm, id;
};

/* What a memory does, as seen from outside. */
struct record {
    struct arrival arrivals[MAX_REPLIES];
    struct memory_stats stats[N_WINDOWS]; /* at the end of each window */
    uint32_t n, n_sent;
};

/* Bursts of requests, most of them for a few lines. */
static void push_some(struct memory *m, unsigned sm, uint64_t cycle, uint64_t *seed,
                      struct record *r)
{
    static const uint8_t kinds[] = { MEM_READ, MEM_READ, MEM_WRITE, MEM_ATOMIC };
    bool is_burst = cycle / 64 % 8 == 0;
    struct mem_request q = { .sm = (uint16_t)sm, .lanes = 1, .cycle = cycle };

    for (unsigned i = rng(seed) % 3; i && is_burst; i--) {
        q.addr = (uint64_t)rng(seed) % (rng(seed) % 8 ? 8 : 100000) * LINE_BYTES;
        q.kind = kinds[rng(seed) % 4];
        q.sectors = rng(seed) % 4 ? (uint8_t)(1u << rng(seed) % 4) : 15;
        q.id = r->n_sent;
        r->n_sent += memory_push(m, &q);
    }
}

enum way { AT_ONCE, BY_STEPS, BY_CYCLES };

static void run(const struct memory_params *p, enum way way, struct record *r)
{
    struct err err = { 0 };
    struct memory *m = memory_new(p, N_SMS, &err);
    uint64_t seed = 7;

    assert_non_null(m);
    assert_int_equal(memory_set_lead(m, WINDOW, 32, &err), 0);
    assert_int_equal(memory_lead(m), WINDOW);
    assert_true(m->is_wide);
    assert_int_equal(m->max_stretch, p->l2.latency - WINDOW + 1);
    m->is_wide = way != BY_STEPS;
    m->max_stretch = way == BY_CYCLES ? 1 : m->max_stretch;
    for (unsigned w = 0; w < N_WINDOWS; w++) {
        uint64_t from = 1 + (uint64_t)w * WINDOW;

        for (unsigned sm = 0; sm < N_SMS; sm++)
            for (uint64_t t = from; t < from + WINDOW; t++) {
                struct mem_reply reply;

                memory_now(m, sm, t);
                if (memory_pop(m, sm, &reply) && r->n < MAX_REPLIES)
                    r->arrivals[r->n++] = (struct arrival){ t, sm, reply.id };
                if (w < N_WINDOWS / 2)
                    push_some(m, sm, t, &seed, r);
            }
        memory_run(m, from, from + WINDOW);
        r->stats[w] = *memory_stats(m);
    }
    memory_free(m);
}

static void compare(const struct memory_params *p, enum way way, const struct record *a)
{
    struct record *b = calloc(1, sizeof *b);

    run(p, way, b);
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->arrivals, b->arrivals, sizeof a->arrivals);
    assert_memory_equal(a->stats, b->stats, sizeof a->stats);
    free(b);
}

static void check(const struct memory_params *p)
{
    struct record *a = calloc(1, sizeof *a);

    run(p, AT_ONCE, a);
    assert_true(a->n > 500 && a->n < MAX_REPLIES);
    compare(p, BY_STEPS, a);
    compare(p, BY_CYCLES, a);
    free(a);
}

static void nothing_in_the_way(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    check(&p);
}

/* Slices that take one request a cycle, of up to three that come, and soon none. */
static void slices_with_little_room(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.dram.channels = 1;
    p.l2.mshrs = 2;
    p.dram.latency = 10;
    p.l2.queue_icnt_l2 = 12;
    for (unsigned i = 0; i < 4; i++) {
        p.icnt.rate = i & 1 ? 3 : 1;
        p.icnt.latency = i & 2 ? 3 : 0;
        check(&p);
    }
}

static void requests_by_several_ways(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.l2.partitions = 2;
    p.l2.far_latency = 30;
    p.l2.far_atomic = 50;
    p.l2.atomic_latency = 20;
    p.l2.queue_icnt_l2 = 24;
    p.dram.channels = 2;
    p.icnt.latency = 2;
    p.icnt.rate = 2;
    check(&p);
}

/* Replies that leave one behind the other, or wait for DRAM, L2 or the crossbar. */
static void replies_with_little_room(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.dram.channels = 1;
    p.l2.queue_l2_icnt = 2;
    p.l2.queue_l2_dram = 3;
    for (unsigned i = 0; i < 4; i++) {
        p.icnt.in_buffer = i & 1 ? 600 : 6;
        p.l2.queue_dram_l2 = i & 2 ? 64 : 2;
        check(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_in_the_way),
        cmocka_unit_test(slices_with_little_room),
        cmocka_unit_test(requests_by_several_ways),
        cmocka_unit_test(replies_with_little_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
