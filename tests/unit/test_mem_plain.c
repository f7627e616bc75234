/* test_mem_plain.c - the fast form of memory against the plain one (mem/plain.c), which
 * simulates every part in every cycle: under random traffic every reply comes in the same
 * cycle, and all statistics agree after every window, on several GPUs and on machines
 * with little room.
 */
#include "mem_rig.h"
#include "sim/machine.h"

enum { N_WINDOWS = 48, WINDOW = 96, MAX_REPLIES = 1 << 16 };

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

struct arrival {
    uint64_t cycle;
    struct mem_reply reply;
};

/* What a memory does, as seen from outside. */
struct record {
    struct arrival arrivals[MAX_REPLIES];
    struct memory_stats stats[N_WINDOWS]; /* at the end of each window */
    uint32_t n, n_sent;
};

/* The requests of a test: how many, how often, and over how many lines. */
struct traffic {
    unsigned n_sms;
    unsigned lead;  /* 0: memory and SMs go cycle by cycle */
    uint32_t gap;   /* an SM sends every so many cycles, on average, ... */
    uint32_t burst; /* ... so many requests */
    uint32_t lines; /* most requests are for these, the others for any */
    uint64_t seed;
    uint64_t deaf; /* SMs take no replies before this cycle */
};

static struct mem_request make_request(const struct traffic *t, uint64_t *seed)
{
    struct mem_request r = { .kind = (uint8_t)(rng(seed) % (MEM_CONST + 1)) };

    r.addr = (uint64_t)(rng(seed) % 4 ? rng(seed) % t->lines : rng(seed) % 500000) *
             LINE_BYTES;
    r.sectors = (uint8_t)(1u << rng(seed) % 4);
    if (rng(seed) % 3 == 0 && r.kind != MEM_ATOMIC)
        r.sectors |= (uint8_t)(rng(seed) % 16);
    r.words = rng(seed) % 2 ? UINT32_MAX : rng(seed) | 1;
    r.lanes = (uint8_t)(1 + rng(seed) % 8);
    r.has_result = rng(seed) % 2;
    r.bytes = 32;
    return r;
}

static void pop_all(struct memory *m, unsigned sm, uint64_t cycle, struct record *out)
{
    struct mem_reply reply;

    while (memory_pop(m, sm, &reply) || memory_pop_inst(m, sm, &reply)) {
        assert_true(out->n < MAX_REPLIES);
        out->arrivals[out->n++] = (struct arrival){ cycle, reply };
    }
}

/* One SM in one cycle. Traffic comes in waves, and stops early enough to drain. */
static void run_sm(struct memory *m, const struct traffic *t, unsigned sm,
                   uint64_t cycle, struct record *out)
{
    uint64_t seed = t->seed + cycle * 1000003 + sm * 7919;

    rng(&seed);
    memory_now(m, sm, cycle);
    if (rng(&seed) % 4 && cycle >= t->deaf) /* otherwise the SM is busy */
        pop_all(m, sm, cycle, out);
    if (cycle > N_WINDOWS * WINDOW * 2 / 3 || cycle / 256 % 3 == 2 ||
        rng(&seed) % t->gap)
        return;
    for (uint32_t i = 0; i < t->burst; i++) {
        struct mem_request r = make_request(t, &seed);

        r.sm = (uint16_t)sm;
        r.cycle = (uint32_t)cycle;
        r.id = out->n_sent;
        out->n_sent += memory_push(m, &r);
    }
}

/* SMs run ahead of memory by its lead. */
static void run_ahead(struct memory *m, const struct traffic *t, uint64_t from,
                      struct record *out)
{
    uint64_t next, to = from + WINDOW;

    for (memory_run(m, from, from); from < to; from = next) {
        next = from + memory_lead(m) < to ? from + memory_lead(m) : to;
        for (unsigned sm = 0; sm < t->n_sms; sm++)
            for (uint64_t c = from; c < next; c++)
                run_sm(m, t, sm, c, out);
        memory_run(m, from, next);
    }
}

static void run_window(struct memory *m, const struct traffic *t, uint64_t from,
                       struct record *out)
{
    if (memory_lead(m)) {
        run_ahead(m, t, from, out);
        return;
    }
    for (uint64_t c = from; c < from + WINDOW; c++) {
        memory_tick(m, c);
        for (unsigned sm = 0; sm < t->n_sms; sm++)
            run_sm(m, t, sm, c, out);
    }
}

static struct record *run(const struct memory_params *p, const struct traffic *t,
                          bool is_plain)
{
    struct record *out = calloc(1, sizeof *out);
    struct err err = { 0 };
    struct memory *m = memory_new(p, t->n_sms, &err);

    assert_string_equal(err.text, "");
    assert_int_equal(memory_set_lead(m, t->lead, 32, &err), 0);
    if (is_plain)
        memory_set_plain(m);
    for (unsigned w = 0; w < N_WINDOWS; w++) {
        uint64_t gap = w < N_WINDOWS / 2 ? 0 : 700; /* as between kernels */

        run_window(m, t, 1 + w * WINDOW + gap, out);
        out->stats[w] = *memory_stats(m);
    }
    memory_free(m);
    return out;
}

static void compare_stats(const struct record *fast, const struct record *plain)
{
    for (unsigned w = 0; w < N_WINDOWS; w++)
        for (size_t i = 0; i < memory_stat_group.n_rows; i++) {
            size_t at = memory_stat_group.rows[i].offset;
            uint64_t a, b;

            memcpy(&a, (const char *)&fast->stats[w] + at, sizeof a);
            memcpy(&b, (const char *)&plain->stats[w] + at, sizeof b);
            if (a != b)
                fail_msg("window %u: %s is %llu, expected %llu", w,
                         memory_stat_group.rows[i].name, (unsigned long long)a,
                         (unsigned long long)b);
        }
}

static void compare_arrivals(const struct record *fast, const struct record *plain)
{
    for (uint32_t i = 0; i < fast->n && i < plain->n; i++) {
        const struct arrival *a = &fast->arrivals[i], *b = &plain->arrivals[i];

        if (a->cycle != b->cycle || memcmp(&a->reply, &b->reply, sizeof a->reply) != 0)
            fail_msg(
                "reply %u: %u to SM %u in cycle %llu, expected %u to SM %u in %llu", i,
                a->reply.id, a->reply.sm, (unsigned long long)a->cycle, b->reply.id,
                b->reply.sm, (unsigned long long)b->cycle);
    }
    assert_int_equal(fast->n, plain->n);
    assert_int_equal(fast->n_sent, plain->n_sent);
}

static void check(const struct memory_params *p, const struct traffic *t)
{
    struct record *fast = run(p, t, false), *plain = run(p, t, true);

    compare_arrivals(fast, plain);
    compare_stats(fast, plain);
    assert_true(fast->n > 20);
    free(fast);
    free(plain);
}

/* With SMs that run ahead and with SMs that do not, much and little traffic. */
static void check_all(const struct memory_params *p, unsigned n_sms)
{
    for (unsigned i = 0; i < 6; i++) {
        struct traffic t = { .n_sms = n_sms,
                             .lead = i & 1 ? WINDOW : 0,
                             .gap = (const uint32_t[]){ 1, 6, 40 }[i / 2],
                             .burst = 1 + i / 2,
                             .lines = i < 2 ? 6 : 3000,
                             .seed = i + n_sms };

        check(p, &t);
    }
}

static void check_gpu(const char *gpu, unsigned n_sms)
{
    struct err err = { 0 };
    struct machine *m = machine_new(gpu, NULL, &err);

    assert_non_null(m);
    check_all(&m->memory, n_sms);
    m->memory.dram.channels = 2; /* the same with queues that fill up */
    check_all(&m->memory, n_sms);
    machine_free(m);
}

static void same_on_rtx2060s(void **state)
{
    (void)state;
    check_gpu("rtx2060s", 12);
}

static void same_on_h200(void **state)
{
    (void)state;
    check_gpu("h200", 20);
}

static void same_on_v100(void **state)
{
    (void)state;
    check_gpu("v100", 12);
}

static void same_on_gtx1080ti(void **state)
{
    (void)state;
    check_gpu("gtx1080ti", 10);
}

static void same_on_rtx3070(void **state)
{
    (void)state;
    check_gpu("rtx3070", 70);
}

/* Slices that take one request per cycle, of up to three that come, and soon none. */
static void same_with_full_slices(void **state)
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
        check_all(&p, 6);
    }
}

/* Replies that leave one after the other, or wait for DRAM, L2 or the crossbar. */
static void same_with_waiting_replies(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.dram.channels = 1;
    p.l2.queue_l2_icnt = 2;
    p.l2.queue_l2_dram = 3;
    for (unsigned i = 0; i < 4; i++) {
        p.icnt.in_buffer = i & 1 ? 600 : 6;
        p.l2.queue_dram_l2 = i & 2 ? 64 : 2;
        check_all(&p, 6);
    }
}

/* Outputs of the crossbar that just hold, or do not hold, all that is in flight in them. */
static void same_with_full_outputs(void **state)
{
    struct memory_params p = rig_memory();

    (void)state;
    p.l2.queue_icnt_l2 = 1024;
    for (unsigned i = 0; i < 18; i++) {
        struct traffic t = {
            .n_sms = 2, .lead = WINDOW, .gap = 3, .burst = 12, .lines = 500, .seed = i
        };

        p.icnt.rate = 1 + i % 3;
        p.icnt.latency = i / 3 % 2;
        p.icnt.out_buffer = p.icnt.rate * (1 + p.icnt.latency) + i / 6;
        check(&p, &t);
    }
}

/* SMs that take no replies until the links to them are full. */
static void same_with_full_links(void **state)
{
    struct memory_params p = rig_memory();
    struct traffic t = { .n_sms = 2,
                         .lead = WINDOW,
                         .gap = 2,
                         .burst = 8,
                         .lines = 500,
                         .deaf = N_WINDOWS * WINDOW * 3 / 4 };

    (void)state;
    p.icnt.rate = 3;
    check(&p, &t);
}

/* One of these values. */
static uint32_t any_of(uint64_t *seed, const uint32_t values[4])
{
    return values[rng(seed) % 4];
}
#define ANY(...) any_of(&seed, (const uint32_t[4]){ __VA_ARGS__ })

static struct memory_params random_machine(uint64_t seed)
{
    struct memory_params p = rig_memory();

    p.l2.slices_per_channel = ANY(1, 2, 2, 2);
    p.l2.sets = ANY(1, 2, 16, 64);
    p.l2.ways = ANY(1, 2, 4, 16);
    p.l2.write = rng(&seed) % 3;
    p.l2.allocate = rng(&seed) % 2;
    p.l2.write_allocate = rng(&seed) % 4;
    p.l2.mshrs = ANY(1, 2, 8, 192);
    p.l2.merges = ANY(1, 2, 4, 4);
    p.l2.miss_queue = ANY(3, 4, 8, 32);
    p.l2.port_bytes = ANY(16, 32, 32, 64);
    p.l2.latency = ANY(0, 3, 110, 160);
    p.l2.queue_icnt_l2 = ANY(1, 6, 8, 64);
    p.l2.queue_l2_dram = ANY(1, 3, 8, 64);
    p.l2.queue_dram_l2 = ANY(1, 2, 8, 64);
    p.l2.queue_l2_icnt = ANY(1, 2, 8, 64);
    p.l2.partitions = ANY(1, 1, 2, 2);
    p.l2.far_latency = ANY(0, 3, 30, 100);
    p.l2.far_atomic = ANY(0, 5, 50, 100);
    p.l2.atomic_latency = ANY(0, 0, 7, 60);
    p.l2.atomic_word = ANY(0, 0, 5, 9);
    p.l2.atomic_sector = ANY(0, 0, 4, 9);
    p.l2.flits = rng(&seed) % 2;
    p.l2.fill_bytes = ANY(32, 32, 64, 128);
    p.dram.channels = ANY(1, 1, 2, 5);
    p.dram.dual_bus = rng(&seed) % 2;
    p.dram.scheduler = rng(&seed) % 2;
    p.dram.queue = ANY(1, 2, 8, 64);
    p.dram.return_queue = ANY(1, 2, 8, 192);
    p.dram.latency = ANY(0, 1, 10, 100);
    p.dram.rcd = ANY(0, 1, 12, 20);
    p.dram.wl = ANY(0, 2, 8, 8);
    p.dram.clock = ANY(400000, 850000, 1905000, 3500000);
    p.icnt.arbiter = rng(&seed) % 3;
    p.icnt.in_buffer = ANY(1, 2, 8, 512);
    p.icnt.out_buffer = ANY(1, 3, 8, 512);
    p.icnt.eject_buffer = ANY(1, 2, 8, 32);
    p.icnt.serialise = rng(&seed) % 3;
    p.icnt.latency = ANY(0, 0, 1, 5);
    p.icnt.rate = ANY(1, 1, 2, 3);
    p.icnt.chain = rng(&seed) % 2;
    p.dram.in_step = rng(&seed) % 2;
    p.l2.spread = ANY(0, 0, 7, 60);
    p.l2.partials = ANY(0, 0, 1, 5);
    return p;
}

static void same_on_random_machines(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sample_of(300); i++) {
        struct memory_params p = random_machine(i);
        struct traffic t = { .n_sms = i % 5 ? 1 + i % 7 : 66,
                             .lead = i % 3 ? WINDOW : 0,
                             .gap = 1 + i % 4 * 5,
                             .burst = 1 + i % 3,
                             .lines = i % 2 ? 8 : 2000,
                             .seed = i };

        check(&p, &t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_on_rtx2060s),
        cmocka_unit_test(same_on_h200),
        cmocka_unit_test(same_on_v100),
        cmocka_unit_test(same_on_gtx1080ti),
        cmocka_unit_test(same_on_rtx3070),
        cmocka_unit_test(same_with_full_slices),
        cmocka_unit_test(same_with_waiting_replies),
        cmocka_unit_test(same_with_full_outputs),
        cmocka_unit_test(same_with_full_links),
        cmocka_unit_test(same_on_random_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
