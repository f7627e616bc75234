/* test_energy.c - the energy of a run: every event once, parts that add up to the total. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/lsu/stats.h"
#include "cost/energy.h"
#include "isa/async.h"
#include "mem/memory_stats.h"
#include "session/energy.h"
#include "sim/gpu.h"

enum { N_GROUPS = 5 };

/* Statistics whose rows are all different, so that a wrong one is seen. */
struct counted {
    struct stat_binding bind[N_GROUPS];
    void *values[N_GROUPS];
    struct stat_report report;
};

static void counted_make(struct counted *c)
{
    static const struct stat_group *const groups[N_GROUPS] = {
        &gpu_stat_group, &sm_stat_group, &unit_stat_group, &lsu_stat_group,
        &memory_stat_group
    };
    uint64_t next = 1000;

    *c = (struct counted){ .report = { .groups = c->bind, .n_groups = N_GROUPS } };
    for (unsigned n = 0; n < N_GROUPS; n++) {
        c->values[n] = calloc(1, groups[n]->size);
        assert_non_null(c->values[n]);
        for (size_t r = 0; r < groups[n]->n_rows; r++)
            *(uint64_t *)((char *)c->values[n] + groups[n]->rows[r].offset) = next += 7;
        c->bind[n] = (struct stat_binding){ groups[n], c->values[n] };
    }
}

static void counted_free(struct counted *c)
{
    for (unsigned n = 0; n < N_GROUPS; n++)
        free(c->values[n]);
}

static double count_of(const struct counted *c, const char *name)
{
    uint64_t n = 0;

    assert_true(!name || stat_find(&c->report, name, &n));
    return (double)n;
}

static uint32_t *param_at(struct energy_params *p, size_t row)
{
    return (uint32_t *)(void *)((char *)p + energy_param_group.rows[row].offset);
}

static struct energy_input input_of(const struct counted *c,
                                    const struct energy_params *p)
{
    return (struct energy_input){
        .params = p,
        .stats = &c->report,
        .tables = { { 65, 300, 9, 11, { 13, 15 }, { 17, 19 } }, { .entry = 21 } },
        .cycles = 5000,
        .core_clock = 2e9,
        .n_sms = 4
    };
}

/* The energy with only the parameter of this row, which is 10. */
static double energy_by_row(const struct counted *c, size_t row)
{
    struct energy_params p = { 0 };
    struct energy_input in = input_of(c, &p);
    struct energy e;
    struct err err = { 0 };

    *param_at(&p, row) = 10;
    assert_int_equal(energy_compute(&e, &in, &err), 0);
    return e.joules;
}

static size_t row_named(const char *name)
{
    for (size_t r = 0; r < energy_param_group.n_rows; r++)
        if (!strcmp(energy_param_group.rows[r].name, name))
            return r;
    fail_msg("no parameter %s", name);
    return 0;
}

static void close_to(double got, double want)
{
    if (fabs(got - want) > 1e-9 * fabs(want))
        fail_msg("%g, expected %g", got, want);
}

static void events_are_the_statistics_named(void **state)
{
    static const struct {
        const char *param, *of, *and;
    } events[] = {
        { "icache", "sm.icache_hits", "sm.icache_misses" },
        { "decode", "sm.fetched", NULL },
        { "select", "sm.warp_insts", NULL },
        { "reg_read", "sm.bank_reads", NULL },
        { "reg_write", "sm.reg_writes", NULL },
        { "operand", "sm.bank_reads", "sm.reuses" },
        { "product", "sm.products", NULL },
        { "shared", "lsu.shared_cycles", "sm.copy_lines" },
        { "shared_word", "sm.shared_words", "sm.copy_words" },
        { "memory_word", "sm.memory_words", NULL },
        { "l1", "lsu.l1_reads", "lsu.l1_writes" },
        { "l1_fill", "lsu.l1_fills", NULL },
        { "constant", "lsu.const_reads", NULL },
        { "tlb", "lsu.tlb_lookups", "memory.tlb_lookups" },
        { "packet", "memory.requests", "memory.replies" },
        { "flit", "memory.request_flits", "memory.reply_flits" },
        { "l2_read", "memory.l2_reads", NULL },
        { "l2_write", "memory.l2_writes", NULL },
        { "l2_atomic", "memory.l2_atomics", NULL },
        { "dram_read", "memory.dram_reads", NULL },
        { "dram_write", "memory.dram_writes", NULL },
        { "dram_row", "memory.dram_activates", NULL },
        { "lane_fp32", "unit.fp32", NULL },
        { "lane_exit", "unit.exit", NULL },
    };
    struct counted c;

    (void)state;
    counted_make(&c);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        close_to(energy_by_row(&c, row_named(events[i].param)),
                 10e-15 * (count_of(&c, events[i].of) + count_of(&c, events[i].and)));
    counted_free(&c);
}

static void tables_cost_their_bits(void **state)
{
    struct counted c;
    double in, out, results, skipped, loads, stores;

    (void)state;
    counted_make(&c);
    in = count_of(&c, "sm.fetched");
    out = count_of(&c, "sm.warp_insts");
    results = count_of(&c, "sm.results");
    skipped = count_of(&c, "sm.skipped");
    loads = count_of(&c, "sm.loads");
    stores = count_of(&c, "sm.stores") + count_of(&c, "sm.atomics");
    close_to(energy_by_row(&c, row_named("table_write")),
             10e-15 * (in * 65 + results * (9 + 11) + skipped * 21 + loads * 13 +
                       stores * 17));
    close_to(energy_by_row(&c, row_named("table_read")),
             10e-15 * (out * 65 + in * 4 * 9 + (in + skipped) * 21 + results * 11 +
                       loads * 13 + stores * 17));
    close_to(energy_by_row(&c, row_named("table_search")),
             10e-15 * (300 * (in + results) + loads * 19 + stores * 15));
    counted_free(&c);
}

/* A register's bit of a scoreboard is read or written by its number. */
static void scoreboards_are_not_searched(void **state)
{
    struct cost c = { .part = { { "instruction buffer", "instruction", 8, 64 },
                                { "instruction buffer", "source data", 8, 4096 },
                                { "scoreboard", "pending write", 512, 1 } } };
    struct energy_table t;

    (void)state;
    cost_sum(&c);
    t = energy_table(&c, 2);
    close_to(t.entry, 64);
    close_to(t.searched, 8 * 64 / 2);
    close_to(t.indexed, 1);
}

/* Results and addresses are no part of what every instruction writes. */
static void queues_and_results_are_apart(void **state)
{
    struct cost c = { .part = { { "RRS", "mask", 4, 32 },
                                { "RRS", "result", 4, 1024 },
                                { "load queue", "addresses", 6, 100 },
                                { "store queue", "addresses", 8, 200 },
                                { "other", "result", 2, 3 } } };
    struct energy_table t;

    (void)state;
    cost_sum(&c);
    t = energy_table(&c, 2);
    close_to(t.entry, 32 + 3);
    close_to(t.searched, (4 * 32 + 2 * 3) / 2.0);
    close_to(t.result, 1024);
    close_to(t.loads.entry, 100);
    close_to(t.loads.searched, 6 * 100 / 2.0);
    close_to(t.stores.entry, 200);
    close_to(t.stores.searched, 8 * 200 / 2.0);
}

/* A multicast copy is written into each block's shared memory. */
static void copies_are_counted_per_shared_memory(void **state)
{
    (void)state;
    assert_int_equal(copy_memories(&(struct copy){ .kind = COPY_LOAD }), 1);
    assert_int_equal(copy_memories(&(struct copy){ .kind = COPY_LOAD, .to = 0xb }), 3);
    assert_int_equal(copy_memories(&(struct copy){ .kind = COPY_STORE, .to = 1 }), 1);
    assert_int_equal(copy_memories(&(struct copy){ .kind = COPY_NEAR, .to = 2 }), 2);
}

static void static_power_is_by_time(void **state)
{
    struct counted c;

    (void)state;
    counted_make(&c);
    close_to(energy_by_row(&c, row_named("idle")), 10e-3 * 4 * 5000 / 2e9);
    close_to(energy_by_row(&c, row_named("active")),
             10e-3 * count_of(&c, "sm.cycles") / 2e9);
    close_to(energy_by_row(&c, row_named("launch")),
             10e-9 * count_of(&c, "gpu.kernels"));
    counted_free(&c);
}

/* Every parameter has a part of its own, and nothing is counted by two of them. */
static void parts_add_up(void **state)
{
    struct energy_params p = { 0 };
    struct counted c;
    struct energy_input in = input_of(&c, &p);
    struct energy e;
    struct err err = { 0 };
    double sum = 0, components = 0, parts = 0;

    (void)state;
    counted_make(&c);
    for (size_t r = 0; r < energy_param_group.n_rows; r++) {
        double one = energy_by_row(&c, r);

        assert_true(one > 0);
        sum += one;
        *param_at(&p, r) = 10;
    }
    assert_int_equal(energy_compute(&e, &in, &err), 0);
    close_to(e.joules, sum);
    for (unsigned k = 0; k < N_ENERGY_COMPONENT; k++) {
        assert_true(e.component[k] > 0);
        components += e.component[k];
    }
    for (unsigned n = 0; n < e.n_parts; n++) {
        parts += e.part[n].joules;
        for (unsigned k = 0; k < n; k++)
            assert_string_not_equal(e.part[n].name, e.part[k].name);
    }
    close_to(components, e.joules);
    close_to(parts, e.joules);
    close_to(energy_watts(&e), e.joules / (5000 / 2e9));
    counted_free(&c);
}

static void a_machine_without_sms_is_refused(void **state)
{
    const struct energy_params p = { 0 };
    struct stat_report none = { 0 };
    struct energy_input in = { .params = &p, .stats = &none, .core_clock = 1 };
    struct energy e;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(energy_compute(&e, &in, &err), -1);
    assert_non_null(strstr(err.text, "sm.icache_hits"));
}

/* A profile that leaves a key out would silently make it 0. */
static void profiles_say_all(void **state)
{
    struct err err = { 0 };

    (void)state;
    for (size_t i = 0; energy_profile_at(i); i++) {
        struct energy_params p;

        assert_int_equal(energy_profile_read(energy_profile_at(i), &p, &err), 0);
        assert_true(p.idle > 0 && p.decode > 0 && p.reg_read > 0 && p.dram_read > 0);
        assert_true(p.lane[CLASS_fp32] > 0 && p.lane[CLASS_fp64] > p.lane[CLASS_fp32]);
    }
    assert_int_equal(energy_profile_read("no such", &(struct energy_params){ 0 }, &err),
                     -1);
    assert_non_null(strstr(err.text, "12nm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_the_statistics_named),
        cmocka_unit_test(tables_cost_their_bits),
        cmocka_unit_test(scoreboards_are_not_searched),
        cmocka_unit_test(queues_and_results_are_apart),
        cmocka_unit_test(copies_are_counted_per_shared_memory),
        cmocka_unit_test(static_power_is_by_time),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_machine_without_sms_is_refused),
        cmocka_unit_test(profiles_say_all),
    };

    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
