/* test_dram.c - bandwidth of DRAM and L2, rows, turning between reads and writes. */
#include <stdio.h>

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
                                     .cycle = cycle,
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
    struct flow s = { 34, 8 << 20, 0, 32, 0, 256 };
    struct outcome o = flow(&p, &s);

    (void)state;
    printf("read %g of the bus, %g B/cycle %llu\n", o.busy, o.per_cycle,
           (unsigned long long)o.cycles);
    s.every = 2;
    o = flow(&p, &s);
    printf("mixed %g of the bus, %g B/cycle %llu\n", o.busy, o.per_cycle,
           (unsigned long long)o.cycles);
    s.every = 0;
    s.span = 1 << 20;
    o = flow(&p, &s);
    printf("L2 %g of the bus, %g B/cycle %llu\n", o.busy, o.per_cycle,
           (unsigned long long)o.cycles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_saturate_dram),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
