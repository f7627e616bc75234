/* test_races.c - which accesses race, and which are ordered. */
#include "check.h"
#include "isa/races.h"

enum { BYTES = 64, WARPS = 3 };

struct rig {
    struct races *races;
    struct race_block *block[2];
    uint8_t memory[BYTES]; /* shared and global */
};

static uint8_t read_byte(const void *from, uint64_t addr, bool is_shared)
{
    const struct rig *r = from;

    (void)is_shared;
    return r->memory[addr % BYTES];
}

static struct rig *make_rig(void)
{
    struct rig *r = calloc(1, sizeof *r);

    assert_non_null(r);
    r->races = races_new();
    races_begin(r->races);
    for (unsigned k = 0; k < 2; k++)
        r->block[k] = races_open(r->races, &(struct race_shape){ .number = k,
                                                                 .n_warps = WARPS,
                                                                 .shared_bytes = BYTES,
                                                                 .byte = read_byte,
                                                                 .from = r });
    return r;
}

/* Frees it; how many pairs raced. */
static size_t end_rig(struct rig *r)
{
    size_t n = races_found(r->races);

    races_close(r->block[0]);
    races_close(r->block[1]);
    races_free(r->races);
    free(r);
    return n;
}

enum what { LOAD, STRONG_LOAD, STORE, ATOMIC, FENCE };

static const struct inst insts[] = {
    [LOAD] = { .pc = 0x10, .class = CLASS_load, .memory = INST_READS },
    [STRONG_LOAD] = { .pc = 0x20,
                      .class = CLASS_load,
                      .memory = INST_READS,
                      .flags = INST_BYPASS_L1 },
    [STORE] = { .pc = 0x30, .class = CLASS_store, .memory = INST_WRITES },
    [ATOMIC] = { .pc = 0x40,
                 .class = CLASS_atomic,
                 .memory = INST_READS | INST_WRITES | INST_ATOMIC },
    [FENCE] = { .pc = 0x50, .class = CLASS_fence, .memory = INST_ORDERS },
};

struct who {
    unsigned block, warp;
};
#define WHO(block, warp) ((struct who){ block, warp })

/* One lane of a warp does something; a store leaves another value than all before. */
static void act(struct rig *r, struct who who, enum what what, enum inst_space space,
                uint64_t addr, unsigned bytes)
{
    struct inst i = insts[what];
    struct dyn d = { .inst = &i, .mask = 1, .space = (uint8_t)space };

    i.bytes = (uint8_t)bytes;
    addresses_set_line(&d.addr, addr, 0);
    for (unsigned k = 0; k < bytes && what >= STORE; k++)
        r->memory[(addr + k) % BYTES]++;
    races_note(r->block[who.block], who.warp, &d, inst_is_atomic(d.inst));
}

#define SHARED(block, warp, what) act(r, WHO(block, warp), what, SPACE_SHARED, 8, 4)
#define GLOBAL(block, warp, what) act(r, WHO(block, warp), what, SPACE_GLOBAL, 8, 4)

static void unordered_accesses_race(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    SHARED(0, 0, STORE);
    SHARED(0, 1, LOAD);
    assert_int_equal(races_found(r->races), 1);
    SHARED(0, 2, LOAD); /* the same pair */
    assert_int_equal(races_found(r->races), 1);
    assert_int_equal(races_at(r->races, 0)->times, 2);
    assert_int_equal(races_at(r->races, 0)->side[0].pc, 0x30);
    assert_int_equal(races_at(r->races, 0)->side[1].pc, 0x10);
    assert_int_equal(races_at(r->races, 0)->side[1].thread, WARP_LANES);
    assert_true(races_at(r->races, 0)->is_shared);
    assert_int_equal(races_at(r->races, 0)->addr, 8);
    SHARED(0, 0, STORE); /* after both reads */
    assert_int_equal(end_rig(r), 2);
}

static void reads_and_one_warp_do_not(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    SHARED(0, 0, LOAD);
    SHARED(0, 1, LOAD);
    act(r, WHO(0, 2), STORE, SPACE_SHARED, 16, 4);
    act(r, WHO(0, 2), LOAD, SPACE_SHARED, 16, 4);
    act(r, WHO(0, 2), STORE, SPACE_SHARED, 16, 4);
    SHARED(1, 0, STORE); /* another block's shared memory */
    assert_int_equal(end_rig(r), 0);
}

static void bytes_count(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    act(r, WHO(0, 0), STORE, SPACE_SHARED, 8, 1);
    act(r, WHO(0, 1), STORE, SPACE_SHARED, 9, 1);
    assert_int_equal(races_found(r->races), 0);
    act(r, WHO(0, 0), LOAD, SPACE_SHARED, 4, 8); /* the second word */
    assert_int_equal(end_rig(r), 1);
}

static void equal_stores_do_not_race(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    GLOBAL(0, 0, STORE);
    memset(r->memory, 0, sizeof r->memory);
    GLOBAL(1, 0, STORE);
    assert_int_equal(races_found(r->races), 0);
    GLOBAL(0, 1, STORE);
    assert_int_equal(end_rig(r), 1);
}

static void barriers_order(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    SHARED(0, 0, STORE);
    races_meet(r->block[0], 7, 7);
    SHARED(0, 1, LOAD);
    races_meet(r->block[0], 6, 2); /* warp 2 arrives, warp 1 waits */
    races_meet(r->block[0], 3, 3);
    SHARED(0, 0, STORE); /* after the load, by the last barrier */
    assert_int_equal(races_found(r->races), 0);
    SHARED(0, 2, LOAD); /* was not at that barrier */
    assert_int_equal(end_rig(r), 1);
}

static void who_only_arrives_sees_nothing(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    SHARED(0, 0, STORE);
    races_meet(r->block[0], 3, 1); /* warp 1 does not wait */
    SHARED(0, 1, LOAD);
    assert_int_equal(end_rig(r), 1);
}

static void barriers_in_memory_order(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    SHARED(0, 0, STORE);
    races_pass(r->block[0], 0);
    races_pass(r->block[0], 1);
    SHARED(0, 1, LOAD);
    assert_int_equal(races_found(r->races), 0);
    SHARED(0, 2, LOAD);
    assert_int_equal(end_rig(r), 1);
}

/* Data, a fence, then a counter by atomics: the second block reads the data. */
static size_t passed_on(bool fences, enum what reads)
{
    struct rig *r = make_rig();

    act(r, WHO(0, 0), STORE, SPACE_GLOBAL, 32, 4);
    if (fences)
        GLOBAL(0, 0, FENCE);
    GLOBAL(0, 0, ATOMIC);
    GLOBAL(1, 0, reads);
    act(r, WHO(1, 0), LOAD, SPACE_GLOBAL, 32, 4);
    return end_rig(r);
}

static void fences_and_atomics_order(void **state)
{
    (void)state;
    assert_int_equal(passed_on(true, ATOMIC), 0);
    assert_int_equal(passed_on(true, STRONG_LOAD), 0);
    assert_int_equal(passed_on(false, ATOMIC), 1);
    assert_int_equal(passed_on(true, LOAD), 2); /* the counter too */
}

static void launches_are_ordered(void **state)
{
    struct rig *r = make_rig();

    (void)state;
    GLOBAL(0, 0, STORE);
    races_begin(r->races);
    GLOBAL(1, 0, STORE);
    assert_int_equal(races_found(r->races), 0);
    GLOBAL(0, 0, LOAD);
    assert_int_equal(end_rig(r), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(unordered_accesses_race),
                                        cmocka_unit_test(reads_and_one_warp_do_not),
                                        cmocka_unit_test(bytes_count),
                                        cmocka_unit_test(equal_stores_do_not_race),
                                        cmocka_unit_test(barriers_order),
                                        cmocka_unit_test(who_only_arrives_sees_nothing),
                                        cmocka_unit_test(barriers_in_memory_order),
                                        cmocka_unit_test(fences_and_atomics_order),
                                        cmocka_unit_test(launches_are_ordered) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
