/* test_mem_traffic.c - load/store units and memory together under random instructions:
 * each is done exactly once, skipping idle cycles changes nothing, nor does leaving a unit
 * alone while memory works ahead, in machines of every kind down to one MSHR and queues of
 * one.
 */
#include "mem_rig.h"

enum { N_INSTS = 600 };

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* An instruction, and when an SM has it ready. */
struct work {
    uint64_t at, addr;
    int64_t stride;
    uint32_t mask;
    uint8_t op, space, sm, warp;
};

struct record {
    uint64_t taken[N_INSTS], done[N_INSTS];
};

static void make_work(struct work *w, unsigned n_sms, uint64_t seed)
{
    static const uint8_t spaces[] = { SPACE_GLOBAL, SPACE_GLOBAL, SPACE_GLOBAL,
                                      SPACE_LOCAL,  SPACE_SHARED, SPACE_CONST,
                                      SPACE_TEXTURE };
    uint64_t at = 10;

    for (unsigned i = 0; i < N_INSTS; i++) {
        at += rng(&seed) % 200 ? rng(&seed) % 12 : 2500;
        w[i] =
            (struct work){ .at = at,
                           .addr = rng(&seed) % 2 ? rng(&seed) % 4096
                                                  : rng(&seed) % 10000000,
                           .stride = rng(&seed) % 4 ? 4 : rng(&seed) % 400,
                           .mask = rng(&seed) % 4 ? UINT32_MAX : rng(&seed) & 0xff00ff,
                           .space = spaces[rng(&seed) % 7],
                           .sm = (uint8_t)(rng(&seed) % n_sms),
                           .warp = (uint8_t)(rng(&seed) % 32) };
        w[i].op = (uint8_t)(rng(&seed) % 5);
        if (w[i].space == SPACE_CONST || w[i].space == SPACE_TEXTURE)
            w[i].op = RIG_LOAD;
        if (w[i].space == SPACE_LOCAL && w[i].op != RIG_STORE)
            w[i].op = RIG_LOAD;
        if (w[i].op == RIG_ATOMIC || w[i].op == RIG_RED)
            w[i].addr &= ~(uint64_t)3;
    }
}

static void run(struct rig *r, const struct work *w, struct record *out)
{
    int of[RIG_SMS][RIG_UOPS];
    unsigned next = 0, done = 0, seen = 0;
    uint64_t limit = 3000000;

    memset(of, -1, sizeof of);
    while (done < N_INSTS && r->cycle < limit) {
        r->stop = next < N_INSTS ? w[next].at : UINT64_MAX - 1;
        if (r->stop <= r->cycle)
            r->stop = r->cycle + 1;
        rig_step(r);
        for (unsigned s = 0; s < r->n_sms && seen != r->n_done; s++)
            for (unsigned u = 0; u < RIG_UOPS; u++)
                if (of[s][u] >= 0 && !r->busy[s][u]) {
                    out->done[of[s][u]] = r->done_at[s][u];
                    of[s][u] = -1;
                    done++;
                }
        seen = r->n_done;
        while (next < N_INSTS && w[next].at <= r->cycle &&
               lsu_has_room(r->lsu[w[next].sm], w[next].warp % 4)) {
            struct uop *u = rig_uop(r, w[next].sm, w[next].op, w[next].space,
                                    w[next].addr, w[next].stride);

            if (!u)
                break;
            u->dyn.mask = w[next].mask;
            u->warp = w[next].warp;
            out->taken[next] = r->cycle;
            of[w[next].sm][u->id] = (int)next;
            rig_take(r, w[next].sm, u);
            next++;
        }
    }
    assert_int_equal(done, N_INSTS);
    r->stop = UINT64_MAX - 1;
    rig_drain(r, 100000); /* what nobody waits for */
    for (unsigned s = 0; s < r->n_sms; s++)
        assert_true(lsu_is_idle(r->lsu[s]));
}

static void check(void (*change)(struct rig *r), unsigned n_sms)
{
    struct work *w = calloc(N_INSTS, sizeof *w);
    struct record *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    struct lsu_stats one, other;

    make_work(w, n_sms, n_sms);
    for (unsigned pass = 0; pass < 2; pass++) {
        struct rig *r = malloc(sizeof *r);

        rig_defaults(r, n_sms);
        change(r);
        r->skips = pass;
        rig_build(r);
        run(r, w, pass ? b : a);
        *(pass ? &other : &one) = *lsu_stats(r->lsu[0]);
        rig_free(r);
        free(r);
    }
    assert_memory_equal(a->taken, b->taken, sizeof a->taken);
    assert_memory_equal(a->done, b->done, sizeof a->done);
    assert_memory_equal(&one, &other, sizeof one);
    free(w);
    free(a);
    free(b);
}

/* One SM through a window of cycles: hands over what is ready. If it may, the unit goes
 * on alone between the cycles in which it is given something or has something to say. */
static void run_window(struct rig *r, const struct work *w, struct record *out,
                       unsigned *next, uint64_t end)
{
    while (r->cycle < end) {
        uint64_t ready, at;

        memory_now(r->memory, 0, r->cycle);
        rig_tick_lsus(r);
        while (*next < N_INSTS && w[*next].at <= r->cycle &&
               lsu_has_room(r->lsu[0], w[*next].warp % 4)) {
            struct uop *u = rig_uop(r, 0, w[*next].op, w[*next].space, w[*next].addr,
                                    w[*next].stride);

            if (!u)
                break;
            u->dyn.mask = w[*next].mask;
            u->warp = w[*next].warp;
            out->taken[(*next)++] = r->cycle;
            rig_take(r, 0, u);
        }
        ready = *next < N_INSTS ? w[*next].at : UINT64_MAX;
        at = ready > r->cycle && ready < end ? ready : end;
        memory_now(r->memory, 0, end - 1);
        if (r->skips) {
            uint64_t own = lsu_run(r->lsu[0], at, ready <= r->cycle);

            r->cycle = own < at ? own : at;
        } else {
            r->cycle++;
        }
    }
}

/* The same work with memory ahead of it, by the window. */
static void check_ahead(void (*change)(struct rig *r))
{
    struct work *w = calloc(N_INSTS, sizeof *w);
    struct record *out = calloc(2, sizeof *out);
    struct rig *r = calloc(2, sizeof *r);

    make_work(w, 1, 7);
    for (unsigned pass = 0; pass < 2; pass++) {
        unsigned next = 0;

        rig_defaults(&r[pass], 1);
        change(&r[pass]);
        r[pass].skips = pass;
        r[pass].lead = 100;
        rig_build(&r[pass]);
        while (r[pass].n_done < N_INSTS && r[pass].cycle < 10000000) {
            uint64_t from = r[pass].cycle, end = from + memory_lead(r[pass].memory);

            run_window(&r[pass], w, &out[pass], &next, end);
            memory_run(r[pass].memory, from, end);
        }
        assert_int_equal(r[pass].n_done, N_INSTS);
    }
    assert_memory_equal(out[0].taken, out[1].taken, sizeof out[0].taken);
    assert_memory_equal(r[0].done_at, r[1].done_at, sizeof r[0].done_at);
    assert_memory_equal(lsu_stats(r[0].lsu[0]), lsu_stats(r[1].lsu[0]),
                        sizeof(struct lsu_stats));
    for (unsigned pass = 0; pass < 2; pass++)
        rig_free(&r[pass]);
    free(w);
    free(out);
    free(r);
}

static void plain(struct rig *r)
{
    (void)r;
}

static void hostile(struct rig *r)
{
    r->lc.l1.mshrs = r->lc.l1.merges = 1;
    r->lc.l1.miss_queue = 3;
    r->lc.l1.ways = 2;
    r->lc.l1.latency = 1;
    r->lc.shared.latency = 1;
    r->lc.constant.perfect = false;
    r->lc.constant.mshrs = r->lc.constant.merges = 1;
    r->mp.l2.mshrs = r->mp.l2.merges = 1;
    r->mp.l2.miss_queue = 3;
    r->mp.l2.sets = r->mp.l2.ways = 1;
    r->mp.l2.queue_icnt_l2 = r->mp.l2.queue_l2_dram = 1;
    r->mp.l2.queue_dram_l2 = r->mp.l2.queue_l2_icnt = 1;
    r->mp.icnt.in_buffer = r->mp.icnt.out_buffer = r->mp.icnt.eject_buffer = 1;
    r->mp.dram.channels = 1;
    r->mp.dram.queue = r->mp.dram.return_queue = 2;
}

/* RTX 3070: write-through L1 that allocates on misses, IPOLY partitions. */
static void ampere(struct rig *r)
{
    r->lc.l1.sets = 4;
    r->lc.l1.ways = 64;
    r->lc.l1.write = CACHE_WRITE_THROUGH;
    r->lc.l1.allocate = CACHE_ALLOCATE_MISS;
    r->lc.l1.write_allocate = CACHE_WRITE_ALLOCATE_LAZY;
    r->lc.l1.latency = 39;
    r->lc.l1.port_bytes = 8;
    r->lc.l1.mshrs = 384;
    r->lc.l1.merges = 48;
    r->mp.l2.partition_hash = 2;
}

static void small_write_back(struct rig *r)
{
    r->lc.l1.sets = 2;
    r->lc.l1.ways = 2;
    r->lc.l1.write = CACHE_WRITE_BACK;
    r->lc.l1.allocate = CACHE_ALLOCATE_MISS;
    r->lc.l1.write_allocate = CACHE_WRITE_ALLOCATE_FETCH;
    r->lc.l1.mshrs = 3;
}

static void hopper(struct rig *r)
{
    r->lc.l1.banks = 1;
    r->lc.l1.unified_kb = 256;
    r->lc.l1.reserved_kb = 40;
    r->lc.l1.sets = 4;
    r->lc.l1.write = CACHE_WRITE_THROUGH;
    r->lc.l1.store_fills = true;
    r->lc.l1.line_quarters = 4;
    r->lc.shared.wide = 1;
    r->lc.shared.conflict_latency = 1;
    r->lc.lsu.coalesce = 1;
    r->lc.lsu.queue = 9;
    r->lc.lsu.atomics = 1;
    r->lc.lsu.writebacks = r->lc.lsu.replies = 2;
    r->lc.constant.perfect = false;
    r->lc.constant.latency = 24;
    r->lc.constant.l2_latency = 94;
    r->mp.l2.partitions = 2;
    r->mp.l2.far_copies = true;
    r->mp.l2.far_latency = 175;
    r->mp.l2.far_atomic = 195;
    r->mp.l2.fill_bytes = r->mp.l2.port_bytes = 64;
    r->mp.dram.channels = 47;
    r->mp.icnt.rate = 2;
    r->mp.tlb.enabled = true;
}

static void accel_sims_machine(void **state)
{
    (void)state;
    check(plain, 1);
    check(plain, 6);
}

static void machine_of_queues_of_one(void **state)
{
    (void)state;
    check(hostile, 1);
    check(hostile, 3);
}

static void other_machines(void **state)
{
    (void)state;
    check(ampere, 4);
    check(small_write_back, 3);
    check(hopper, 4);
}

static void units_left_alone(void **state)
{
    (void)state;
    check_ahead(plain);
    check_ahead(hostile);
    check_ahead(ampere);
    check_ahead(small_write_back);
    check_ahead(hopper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accel_sims_machine),
        cmocka_unit_test(machine_of_queues_of_one),
        cmocka_unit_test(other_machines),
        cmocka_unit_test(units_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
