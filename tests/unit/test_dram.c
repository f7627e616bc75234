/* test_dram.c - bandwidth of DRAM and L2, rows, turning between reads and writes. */
#include "mem_rig.h"

/* Each SM streams through its own part of memory, or all through one, a sector a
 * request, as many as the interconnect takes. */
struct flow {
    unsigned n_sms;
    uint64_t bytes;  /* in all */
    unsigned every;  /* every so many requests one is a write; 0: none */
    uint64_t stride; /* from request to request */
    uint64_t span;   /* addresses wrap after this; 0: never */
    uint32_t limit;  /* requests outstanding of an SM */
};

struct outcome {
    uint64_t cycles;
    double busy;      /* share of the data bus' time */
    double per_cycle; /* bytes answered */
    struct memory_stats stats;
};

static struct outcome flow(const struct memory_params *p, const struct flow *s)
{
    struct err err = { 0 };
    struct memory *m = memory_new(p, s->n_sms, &err);
    uint64_t sent = 0, back = 0, total = s->bytes / 32, cycle = 0;
    uint32_t open[RIG_SMS] = { 0 };
    struct outcome o;
    struct mem_reply reply;

    assert_string_equal(err.text, "");
    while (back < total) {
        memory_tick(m, ++cycle);
        for (unsigned sm = 0; sm < s->n_sms; sm++) {
            uint64_t addr = s->span ? sent * s->stride % s->span : sent * s->stride;
            struct mem_request r = { .addr = addr & ~(uint64_t)127,
                                     .id = (uint32_t)sent,
                                     .sm = (uint16_t)sm,
                                     .cycle = (uint32_t)cycle,
                                     .sectors = (uint8_t)(1u << (addr / 32 & 3)) };

            if (s->every && sent / 4 % s->every == 0) {
                r.kind = MEM_WRITE;
                r.words = UINT32_MAX;
                r.bytes = 32;
            }
            while (memory_pop(m, sm, &reply)) {
                back++;
                open[sm]--;
            }
            if (sent < total && open[sm] < s->limit && memory_push(m, &r)) {
                sent++;
                open[sm]++;
            }
        }
    }
    o.stats = *memory_stats(m);
    o.cycles = cycle;
    o.busy = (double)o.stats.dram_busy / (double)o.stats.dram_ticks;
    o.per_cycle = (double)s->bytes / (double)cycle;
    memory_free(m);
    return o;
}

static struct memory_params defaults(void)
{
    struct rig r;

    rig_defaults(&r, 1);
    return r.mp;
}

static void reads_saturate_dram(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 34, 4 << 20, 0, 32, 0, 256 };
    struct outcome o = flow(&p, &s);

    (void)state;
    /* 16 channels x 8 B per tick x 3500 / 1905 = 235 B per cycle */
    assert_true(o.busy > 0.85 && o.busy <= 1.0);
    assert_true(o.per_cycle > 200 && o.per_cycle <= 235.2);
    assert_int_equal(o.stats.dram_reads, s.bytes / 32);
    assert_int_equal(o.stats.l2_read_misses, s.bytes / 32);
    assert_true(o.stats.dram_row_hits > o.stats.dram_requests * 9 / 10);
}

static void few_requests_do_not_saturate(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 4, 1 << 20, 0, 32, 0, 16 };
    struct outcome o = flow(&p, &s);

    (void)state;
    assert_true(o.busy < 0.35);
}

/* Turning the bus between reads and writes costs time. */
static void writes_cost_turns(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 34, 4 << 20, 2, 32, 0, 256 };
    struct outcome o, slow;

    (void)state;
    p.l2.sets = 1; /* so that written lines are evicted at once */
    p.l2.ways = 8;
    o = flow(&p, &s);
    assert_true(o.stats.dram_writes > s.bytes / 32 / 3);
    assert_true(o.busy <= 1.0);
    p.dram.cdlr = 200;
    slow = flow(&p, &s);
    assert_true(slow.cycles > o.cycles * 5 / 4);
}

/* Every request in another row of one bank: a whole row cycle each. */
static void row_misses_take_a_row_cycle(void **state)
{
    struct memory_params p = defaults();
    /* bits 0-4 burst, 5-6 column, 7 bank, 8-11 channel, 12-15 column, 16-18 bank */
    struct flow s = { 4, 32 << 10, 0, 1 << 19, 0, 64 };
    struct outcome o = flow(&p, &s);
    double ticks = (double)o.stats.dram_ticks / 16 / (double)o.stats.dram_requests;

    (void)state;
    assert_int_equal(o.stats.dram_activates, 1024);
    assert_int_equal(o.stats.dram_precharges, 1023);
    assert_true(ticks > 70 && ticks < 78); /* RAS + RP, not RC = 62: 50 + 20 and hops */
}

/* Commands to one bank group are CCDL apart: with all banks in one, all are. */
static void bank_groups_space_columns(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 34, 1 << 20, 0, 32, 0, 256 };
    struct outcome o;

    (void)state;
    p.dram.ccdl = 16;
    p.dram.groups = 1;
    o = flow(&p, &s);
    assert_true(o.busy > 0.2 && o.busy <= 0.25); /* 4 ticks of 16 */
    p.dram.groups = 16;
    o = flow(&p, &s);
    assert_true(o.busy > 0.4);
}

/* 32 slices take one sector of 32 bytes per cycle each. */
static void l2_gives_a_sector_a_cycle_and_slice(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 60, 16 << 20, 0, 32, 1 << 20, 1000 };
    struct outcome o = flow(&p, &s);

    (void)state;
    assert_true(o.per_cycle > 32 * 32 * 0.55 && o.per_cycle <= 32 * 32);
    /* one slice alone: lines 8 KB apart */
    s = (struct flow){ 34, 1 << 20, 0, 8192, 1 << 18, 64 };
    p.dram.bank_low_bits = 1;
    o = flow(&p, &s);
    assert_true(o.per_cycle > 28 && o.per_cycle <= 32);
}

/* One SM has one port: one reply per cycle. */
static void an_sm_gets_a_sector_a_cycle(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 1, 1 << 20, 0, 32, 1 << 18, 1000 };
    struct outcome o = flow(&p, &s);

    (void)state;
    assert_true(o.per_cycle > 28 && o.per_cycle <= 32);
}

static void same_input_same_cycles(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 34, 1 << 20, 3, 160, 0, 200 };
    struct outcome a = flow(&p, &s), b = flow(&p, &s);

    (void)state;
    assert_int_equal(a.cycles, b.cycles);
    assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
}

/* With no place to share, each of the eight slices has one request in the channel, which
 * stays for the fixed wait at least. */
static void few_places_are_one_a_slice(void **state)
{
    struct memory_params p = defaults();
    struct flow s = { 8, 64 << 10, 0, 32, 0, 64 };
    struct outcome o;

    (void)state;
    p.dram.channels = 1;
    p.l2.slices_per_channel = 8;
    p.dram.bank_low_bits = 3; /* which tell the slices apart */
    p.dram.bank_high_bits = 1;
    p.dram.queue = p.dram.return_queue = 1;
    o = flow(&p, &s);
    assert_int_equal(o.stats.dram_reads, s.bytes / 32);
    assert_true(o.cycles >= s.bytes / 32 / 8 * p.dram.latency);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_saturate_dram),
        cmocka_unit_test(few_requests_do_not_saturate),
        cmocka_unit_test(writes_cost_turns),
        cmocka_unit_test(row_misses_take_a_row_cycle),
        cmocka_unit_test(bank_groups_space_columns),
        cmocka_unit_test(l2_gives_a_sector_a_cycle_and_slice),
        cmocka_unit_test(an_sm_gets_a_sector_a_cycle),
        cmocka_unit_test(same_input_same_cycles),
        cmocka_unit_test(few_places_are_one_a_slice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
