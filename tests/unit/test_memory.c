/* test_memory.c - the memory system under random traffic: every request is answered
 * exactly once, in every configuration; skipping idle cycles changes nothing; the same
 * input gives the same cycles.
 */
#include "mem_rig.h"

enum { N_REQUESTS = 6000 };

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* Requests with the cycles in which they are offered, and their answers. */
struct traffic {
    struct mem_request request[N_REQUESTS];
    uint64_t at[N_REQUESTS], answered[N_REQUESTS];
    uint32_t n_answers[N_REQUESTS];
};

static void make_traffic(struct traffic *t, unsigned n_sms, uint64_t seed, unsigned gap)
{
    uint64_t cycle = 10;

    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < N_REQUESTS; i++) {
        struct mem_request *r = &t->request[i];

        /* now and then a long pause */
        cycle += rng(&seed) % 500 ? rng(&seed) % gap : 3000;
        t->at[i] = cycle;
        r->id = i;
        r->cycle = (uint32_t)cycle;
        r->sm = (uint16_t)(rng(&seed) % n_sms);
        r->kind = (uint8_t)(rng(&seed) % (MEM_CONST + 1));
        r->addr =
            (uint64_t)(rng(&seed) % 2 ? rng(&seed) % 64 : rng(&seed) % 65536) * 128;
        r->sectors = (uint8_t)(1u << rng(&seed) % 4);
        if (rng(&seed) % 3 == 0 && r->kind != MEM_ATOMIC)
            r->sectors |= (uint8_t)(rng(&seed) % 16);
        r->words = rng(&seed) % 2 ? UINT32_MAX : rng(&seed);
        r->lanes = (uint8_t)(1 + rng(&seed) % 32);
        r->bytes = 32;
    }
}

static void take_answers(struct memory *m, struct traffic *t, unsigned n_sms,
                         uint64_t cycle)
{
    struct mem_reply reply;

    for (unsigned s = 0; s < n_sms; s++)
        while (memory_pop(m, s, &reply) || memory_pop_inst(m, s, &reply)) {
            assert_true(reply.id < N_REQUESTS);
            assert_int_equal(reply.sm, s);
            assert_int_equal(reply.kind, t->request[reply.id].kind);
            assert_int_equal(reply.sectors, t->request[reply.id].sectors);
            t->answered[reply.id] = cycle;
            t->n_answers[reply.id]++;
        }
}

/* Runs all of it; how many cycles were looked at. */
static uint64_t run(const struct memory_params *p, unsigned n_sms, struct traffic *t,
                    bool skips)
{
    struct err err = { 0 };
    struct memory *m = memory_new(p, n_sms, &err);
    unsigned next = 0;
    uint64_t cycle = 0, looked_at = 0;

    assert_string_equal(err.text, "");
    while (cycle < 4000000 && (next < N_REQUESTS || memory_next(m) != UINT64_MAX)) {
        uint64_t to = memory_next(m), wanted = next < N_REQUESTS ? t->at[next] : to;

        to = wanted < to ? wanted : to;
        cycle = skips && to > cycle + 1 ? to : cycle + 1;
        looked_at++;
        memory_tick(m, cycle);
        take_answers(m, t, n_sms, cycle);
        while (next < N_REQUESTS && t->at[next] <= cycle &&
               memory_push(m, &t->request[next]))
            next++;
    }
    assert_int_equal(next, N_REQUESTS);
    for (unsigned i = 0; i < N_REQUESTS; i++)
        assert_int_equal(t->n_answers[i], 1);
    assert_true(memory_stats(m)->dram_busy <= memory_stats(m)->dram_ticks);
    memory_free(m);
    return looked_at;
}

static void check(const struct memory_params *p, unsigned n_sms, unsigned gap)
{
    struct traffic *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    uint64_t all, some;

    make_traffic(a, n_sms, 7 * gap + n_sms, gap);
    memcpy(b, a, sizeof *a);
    all = run(p, n_sms, a, false);
    some = run(p, n_sms, b, true);
    assert_memory_equal(a->answered, b->answered, sizeof a->answered);
    assert_true(some <= all);
    if (gap > 100)
        assert_true(some < all * 3 / 4);
    free(a);
    free(b);
}

static void answered_once_and_skipping_is_exact(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    check(&p, 34, 2);
    check(&p, 34, 20);
    check(&p, 1, 300);
    check(&p, 5, 5);
}

/* Everything as small as it may be. */
static void answered_once_with_queues_of_one(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.l2.sets = p.l2.ways = 1;
    p.l2.mshrs = p.l2.merges = 1;
    p.l2.miss_queue = 3;
    p.l2.queue_icnt_l2 = p.l2.queue_l2_dram = 1;
    p.l2.queue_dram_l2 = p.l2.queue_l2_icnt = 1;
    p.dram.queue = p.dram.return_queue = 2;
    p.icnt.in_buffer = p.icnt.out_buffer = p.icnt.eject_buffer = 1;
    p.dram.channels = 2;
    check(&p, 3, 3);
    p.l2.ways = 2;
    p.dram.channels = 3;
    check(&p, 70, 3);
}

static void answered_once_under_every_policy(void **state)
{
    (void)state;
    for (uint32_t write = 0; write < 3; write++)
        for (uint32_t allocate = 0; allocate < 2; allocate++)
            for (uint32_t missed = 0; missed < 4; missed++) {
                struct memory_params p = rig_memory();

                p.l2.write = write;
                p.l2.allocate = allocate;
                p.l2.write_allocate = missed;
                p.l2.sets = 2;
                p.l2.ways = 4;
                p.l2.mshrs = 6;
                p.dram.channels = 4;
                check(&p, 4, 3);
            }
}

static void answered_once_on_other_machines(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.l2.partition_hash = 2; /* RTX 3070 */
    p.dram.core_clock = 1132000;
    check(&p, 46, 3);
    p.dram.dual_bus = true; /* V100 */
    p.dram.clock = 850000;
    p.dram.bus_bytes = 16;
    p.dram.burst = 2;
    p.dram.data_rate = 2;
    p.dram.channels = 32;
    p.dram.column_low_bits = 3;
    p.dram.column_high_bits = 3;
    check(&p, 80, 2);
    p = rig_memory(); /* H200: two halves, 47 channels, granules of 64 bytes */
    p.l2.partitions = 2;
    p.l2.far_copies = true;
    p.l2.far_latency = 175;
    p.l2.far_atomic = 195;
    p.l2.fill_bytes = 64;
    p.l2.port_bytes = 64;
    p.l2.atomic_word = p.l2.atomic_sector = 8;
    p.dram.channels = 47;
    p.icnt.serialise = 2;
    p.l2.atomic_latency = 60;
    p.icnt.latency = 3;
    check(&p, 132, 2);
}

static void slices_of_the_machine_have_fewer_channels(void **state)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };

    (void)state;
    p.dram.for_sms = 34;
    for (unsigned n = 1; n <= 34; n++) {
        struct memory *m = memory_new(&p, n, &err);
        unsigned channels = (16 * n + 17) / 34;

        assert_non_null(m);
        memory_tick(m, 1905000); /* so many cycles are so many ticks of each channel */
        assert_int_equal(memory_stats(m)->dram_ticks,
                         3500000ull * (channels ? channels : 1));
        memory_free(m);
    }
}

static void bad_parameters_are_refused(void **state)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };

    (void)state;
    p.l2.slices_per_channel = 3;
    assert_null(memory_new(&p, 1, &err));
    assert_non_null(strstr(err.text, "l2.slices_per_channel = 3"));
    p = rig_memory();
    p.dram.banks = 8;
    assert_null(memory_new(&p, 1, &err));
    assert_non_null(strstr(err.text, "dram.banks = 8"));
    p = rig_memory();
    p.dram.groups = 3;
    assert_null(memory_new(&p, 1, &err));
    assert_non_null(strstr(err.text, "dram.groups = 3"));
    p = rig_memory();
    assert_null(memory_new(&p, 0, &err));
}

static void warm_lines_hit(void **state)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct memory *m = memory_new(&p, 1, &err);
    struct mem_request r = { .addr = 0x1000, .kind = MEM_READ, .sectors = 15 };
    struct mem_reply reply;
    uint64_t cycle = 1;

    (void)state;
    memory_warm(m, 0x1010, 64); /* sectors 0, 1 and 2 */
    assert_true(memory_push(m, &r));
    while (!memory_pop(m, 0, &reply))
        memory_tick(m, cycle++);
    assert_int_equal(memory_stats(m)->l2_read_hits, 3);
    assert_int_equal(memory_stats(m)->l2_read_misses, 1);
    memory_free(m);
}

/* Four SMs wait for one sector: its slice answers one per cycle, even if the crossbar
 * would take more. */
static void replies_leave_one_a_cycle(void **state)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct mem_request r = { .addr = 0x1000, .kind = MEM_READ, .sectors = 1 };
    uint64_t at[4] = { 0 };
    struct mem_reply reply;
    struct memory *m;

    (void)state;
    p.icnt.rate = 3;
    m = memory_new(&p, 4, &err);
    for (r.sm = 0; r.sm < 4; r.sm++)
        assert_true(memory_push(m, &r));
    for (uint64_t cycle = 1; cycle < 2000; cycle++) {
        memory_tick(m, cycle);
        for (unsigned sm = 0; sm < 4; sm++)
            if (memory_pop(m, sm, &reply))
                at[sm] = cycle;
    }
    assert_int_equal(memory_stats(m)->l2_read_pending, 3);
    assert_true(at[0]);
    for (unsigned sm = 1; sm < 4; sm++)
        assert_int_equal(at[sm], at[0] + sm);
    memory_free(m);
}

/* Cycles from request to reply of a line in L2, with memory working ahead or not. */
static uint64_t hit_latency(uint32_t fixed_wait, unsigned lead)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct mem_request r = { .addr = 0x1000, .kind = MEM_READ, .sectors = 1 };
    uint64_t cycle = 1, at;
    struct memory *m;

    p.l2.latency = fixed_wait;
    m = memory_new(&p, 1, &err);
    assert_int_equal(memory_set_lead(m, lead, 64, &err), 0);
    memory_warm(m, 0x1000, 32);
    memory_now(m, 0, cycle);
    if (!memory_lead(m))
        memory_tick(m, cycle);
    assert_true(memory_push(m, &r));
    for (; cycle < 1000 && memory_reply_at(m, 0) > cycle; cycle++)
        if (memory_lead(m))
            memory_run(m, cycle, cycle + 1);
        else
            memory_tick(m, cycle + 1);
    at = memory_reply_at(m, 0);
    memory_free(m);
    return at - 1;
}

static void fixed_waits_may_be_none(void **state)
{
    uint64_t none = hit_latency(0, 0);

    (void)state;
    assert_true(none < 20);
    for (uint32_t wait = 0; wait < 200; wait += 1 + wait / 4) {
        assert_int_equal(hit_latency(wait, 0), none + wait);
        assert_int_equal(hit_latency(wait, 128), none + wait);
        assert_int_equal(hit_latency(wait, wait), none + wait);
    }
}

static void waiting_reply_is_of_the_present(void **state)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct memory *m = memory_new(&p, 1, &err);
    struct mem_request r = { .addr = 0x1000, .kind = MEM_READ, .sectors = 1 };
    struct mem_reply reply;
    uint64_t cycle = 1;

    (void)state;
    assert_true(memory_push(m, &r));
    for (; !memory_has_data(m, 0); cycle++) {
        assert_true(memory_reply_at(m, 0) == UINT64_MAX);
        memory_tick(m, cycle);
    }
    memory_tick(m, 5000); /* the SM did not take it */
    assert_int_equal(memory_reply_at(m, 0), 5000);
    assert_true(memory_pop(m, 0, &reply));
    assert_false(memory_has_data(m, 0));
    assert_true(memory_reply_at(m, 0) == UINT64_MAX);
    memory_free(m);
}

/* Requests of cycles to come, pushed in another order: each is taken in its own. */
static void pushed_in_advance(void **state)
{
    static const uint64_t at[] = { 40, 10, 25, 10 };
    static const uint32_t order[] = { 1, 3, 2, 0 };
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct memory *m = memory_new(&p, 1, &err);

    (void)state;
    assert_int_equal(memory_set_lead(m, 100, 64, &err), 0);
    memory_warm(m, 0x1000, 128);
    for (uint32_t i = 0; i < 4; i++) {
        struct mem_request r = {
            .addr = 0x1000, .id = i, .kind = MEM_READ, .sectors = 1
        };

        assert_true(memory_push_at(m, &r, at[i]));
    }
    assert_int_equal(memory_next(m), 11); /* the cycle after that of the first */
    memory_run(m, 1, 1000);
    assert_int_equal(memory_link(m, 0)->data.n, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct mem_arrival *a = memory_arrival(m, 0, i);

        assert_int_equal(a->reply.id, order[i]);
        if (i) /* the second of a cycle comes one later */
            assert_int_equal(a->cycle - memory_arrival(m, 0, 0)->cycle,
                             i == 1 ? 1 : at[order[i]] - 10);
    }
    memory_free(m);
}

static void dump_names_what_is_stuck(void **state)
{
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct memory *m = memory_new(&p, 1, &err);
    struct mem_request r = { .addr = 0x1000, .kind = MEM_READ, .sectors = 1 };
    struct buf out = { 0 };

    (void)state;
    memory_push(m, &r);
    memory_dump(m, &out);
    assert_non_null(strstr(buf_text(&out), "SM 0: 1 requests leaving"));
    assert_non_null(
        strstr(buf_text(&out), "a request before the crossbar in cycle 1;"));
    for (uint64_t c = 1; c < 200; c++)
        memory_tick(m, c);
    buf_clear(&out);
    memory_dump(m, &out);
    assert_non_null(strstr(buf_text(&out), "line 0x1000 sectors 1: 1 waiting"));
    assert_non_null(strstr(buf_text(&out), "channel 0: waiting 1"));
    assert_non_null(strstr(buf_text(&out), "end of a fixed latency in cycle 2"));
    buf_free(&out);
    memory_free(m);
}

/* While SMs run ahead, memory takes as many requests as they have, and in order. */
static void none_is_refused_in_advance(void **state)
{
    enum { MANY = 3 * 64 * 64 }; /* three rings of 64 warps */
    struct memory_params p = rig_memory();
    struct err err = { 0 };
    struct memory *m = memory_new(&p, 2, &err);
    struct mem_reply reply;
    unsigned n = 0;

    (void)state;
    assert_int_equal(memory_set_lead(m, 100, 64, &err), 0);
    memory_warm(m, 0x1000, 128);
    for (uint32_t i = 0; i < MANY; i++) {
        struct mem_request r = {
            .addr = 0x1000, .id = i, .sm = 1, .kind = MEM_READ, .sectors = 1
        };

        assert_true(memory_push_at(m, &r, 1 + i / 64));
    }
    for (uint64_t t = 1; t < 10 * MANY; t++) {
        memory_run(m, t, t + 1);
        memory_now(m, 1, t);
        while (memory_reply_at(m, 1) <= t && memory_pop(m, 1, &reply))
            assert_int_equal(reply.id, n++);
    }
    assert_int_equal(n, MANY);
    memory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answered_once_and_skipping_is_exact),
        cmocka_unit_test(answered_once_with_queues_of_one),
        cmocka_unit_test(answered_once_under_every_policy),
        cmocka_unit_test(answered_once_on_other_machines),
        cmocka_unit_test(slices_of_the_machine_have_fewer_channels),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(warm_lines_hit),
        cmocka_unit_test(replies_leave_one_a_cycle),
        cmocka_unit_test(fixed_waits_may_be_none),
        cmocka_unit_test(waiting_reply_is_of_the_present),
        cmocka_unit_test(pushed_in_advance),
        cmocka_unit_test(none_is_refused_in_advance),
        cmocka_unit_test(dump_names_what_is_stuck),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
