/* test_mem_cache.c - caches: replacement, sectors, write policies, MSHRs, and both
 * stores of tags against each other.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mem/cache.h"

static struct cache_shape shape(void)
{
    return (struct cache_shape){ .sets = 1,
                                 .ways = 2,
                                 .write = CACHE_WRITE_BACK,
                                 .allocate = CACHE_ALLOCATE_MISS,
                                 .write_allocate = CACHE_WRITE_ALLOCATE_LAZY,
                                 .mshrs = 8,
                                 .merges = 3,
                                 .line_bits = 7,
                                 .granule = 1 };
}

static struct cache *made(const struct cache_shape *s)
{
    struct err err = { 0 };
    struct cache *c = cache_new(s, &err);

    assert_non_null(c);
    return c;
}

static struct cache_outcome read_at(struct cache *c, uint64_t line, uint8_t sectors,
                                    uint32_t waiter)
{
    struct cache_access a = { .line = line * 128,
                              .set = cache_set(c, line * 128),
                              .sectors = sectors,
                              .waiter = waiter,
                              .room = 8 };

    return cache_access(c, &a);
}

static struct cache_outcome write_at(struct cache *c, uint64_t line, uint8_t sectors,
                                     uint32_t words, bool local)
{
    struct cache_access a = { .line = line * 128,
                              .set = cache_set(c, line * 128),
                              .sectors = sectors,
                              .words = words,
                              .waiter = 99,
                              .room = 8,
                              .write = true,
                              .local = local };

    return cache_access(c, &a);
}

static void fetch(struct cache *c, uint64_t line, uint8_t sectors)
{
    struct cache_outcome o = read_at(c, line, sectors, 7);

    assert_int_equal(o.result, CACHE_MISS);
    cache_fill(c, o.mshr);
    assert_int_equal(cache_ready(c), 7);
}

static void oldest_line_goes(void **state)
{
    for (uint32_t ways = 2; ways <= 64; ways *= 32) { /* both stores of tags */
        struct cache_shape s = shape();
        struct cache *c;

        (void)state;
        s.ways = ways;
        c = made(&s);
        for (uint64_t i = 0; i < ways; i++)
            fetch(c, i, 1);
        assert_int_equal(read_at(c, 0, 1, 1).result, CACHE_HIT);
        fetch(c, 1000, 1);
        assert_int_equal(read_at(c, 0, 1, 1).result, CACHE_HIT);
        assert_int_equal(read_at(c, 1, 1, 1).result, CACHE_MISS);
        cache_free(c);
    }
}

static void lines_to_be_filled_stay(void **state)
{
    struct cache_shape s = shape();
    struct cache *c = made(&s);
    struct cache_outcome a = read_at(c, 1, 1, 1);

    (void)state;
    assert_int_equal(read_at(c, 2, 1, 2).result, CACHE_MISS);
    assert_int_equal(read_at(c, 3, 1, 3).result, CACHE_FAIL);
    assert_int_equal(read_at(c, 3, 1, 3).fail, CACHE_FAIL_LINE);
    cache_fill(c, a.mshr);
    assert_int_equal(read_at(c, 3, 1, 3).result, CACHE_MISS);
    cache_free(c);
    /* on fill, none is reserved: as many misses as MSHRs */
    s.allocate = CACHE_ALLOCATE_FILL;
    c = made(&s);
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(read_at(c, i, 1, 1).result, CACHE_MISS);
    assert_int_equal(read_at(c, 9, 1, 1).fail, CACHE_FAIL_MSHR);
    cache_free(c);
}

static void sectors_are_fetched_alone(void **state)
{
    struct cache_shape s = shape();
    struct cache *c = made(&s);

    (void)state;
    fetch(c, 5, 2);
    assert_int_equal(read_at(c, 5, 2, 1).result, CACHE_HIT);
    assert_int_equal(read_at(c, 5, 1, 1).fetch, 1);
    assert_true(read_at(c, 5, 4, 1).was_sector);
    cache_free(c);
    s.granule = 2; /* H200: 64 bytes */
    c = made(&s);
    assert_int_equal(read_at(c, 5, 2, 1).fetch, 3);
    assert_int_equal(read_at(c, 5, 1, 1).result, CACHE_PENDING);
    assert_int_equal(read_at(c, 5, 8, 1).fetch, 12);
    cache_free(c);
}

static void misses_merge_up_to_the_limit(void **state)
{
    struct cache_shape s = shape();
    struct cache *c = made(&s);
    struct cache_outcome o = read_at(c, 5, 1, 10);

    (void)state;
    assert_int_equal(read_at(c, 5, 1, 11).result, CACHE_PENDING);
    assert_int_equal(read_at(c, 5, 1, 12).result, CACHE_PENDING);
    assert_int_equal(read_at(c, 5, 1, 13).fail, CACHE_FAIL_MERGE);
    assert_false(cache_is_ready(c));
    cache_fill(c, o.mshr);
    assert_int_equal(cache_pending(c), 1); /* until its waiters have left */
    for (uint32_t i = 10; i < 13; i++) {
        assert_true(cache_is_ready(c));
        assert_int_equal(cache_ready(c), i);
    }
    assert_false(cache_is_ready(c));
    assert_int_equal(cache_pending(c), 0);
    cache_free(c);
}

static void reads_need_two_places_in_the_queue(void **state)
{
    struct cache_shape s = shape();
    struct cache *c = made(&s);
    struct cache_access a = { .line = 0, .sectors = 1, .waiter = 1, .room = 1 };

    (void)state;
    assert_int_equal(cache_access(c, &a).fail, CACHE_FAIL_QUEUE);
    a.write = true;
    assert_int_equal(cache_access(c, &a).result, CACHE_MISS);
    a.room = 0;
    a.line = 128;
    assert_int_equal(cache_access(c, &a).fail, CACHE_FAIL_QUEUE);
    cache_free(c);
}

static void lazy_writes_fetch_when_read(void **state)
{
    struct cache_shape s = shape();
    struct cache *c = made(&s);
    struct cache_outcome o = write_at(c, 1, 1, 0x0f, false);

    (void)state;
    assert_int_equal(o.result, CACHE_MISS);
    assert_true(o.done && !o.fetch && !o.send_write);
    o = read_at(c, 1, 1, 1); /* half a sector is there */
    assert_int_equal(o.result, CACHE_MISS);
    assert_int_equal(o.fetch, 1);
    cache_fill(c, o.mshr);
    cache_ready(c);
    assert_int_equal(read_at(c, 1, 1, 1).result, CACHE_HIT);
    /* written in two halves it is readable without a fetch */
    write_at(c, 2, 2, 0x0f00, false);
    write_at(c, 2, 2, 0xf000, false);
    assert_int_equal(read_at(c, 2, 2, 1).result, CACHE_HIT);
    /* both are dirty, and evicted so */
    o = read_at(c, 3, 1, 1);
    assert_int_equal(o.evict, 1);
    assert_int_equal(o.victim, 128);
    cache_free(c);
}

static void fetch_on_write_waits_for_the_rest(void **state)
{
    struct cache_shape s = shape();
    struct cache *c;
    struct cache_outcome o;

    (void)state;
    s.write_allocate = CACHE_WRITE_ALLOCATE_FETCH;
    c = made(&s);
    o = write_at(c, 1, 1, 0x0f, false);
    assert_int_equal(o.fetch, 1);
    assert_false(o.done);
    cache_fill(c, o.mshr);
    assert_int_equal(cache_ready(c), 99);
    o = write_at(c, 2, 1, 0xff, false);
    assert_true(o.done && !o.fetch);
    assert_int_equal(read_at(c, 3, 1, 1).evict, 1);
    cache_free(c);
}

static void write_through_sends_everything_down(void **state)
{
    struct cache_shape s = shape();
    struct cache *c;
    struct cache_outcome o;

    (void)state;
    s.write = CACHE_WRITE_THROUGH;
    c = made(&s);
    o = write_at(c, 1, 1, 0xff, false);
    assert_true(o.send_write && !o.done);
    assert_int_equal(read_at(c, 1, 1, 1).result, CACHE_HIT);
    o = write_at(c, 1, 1, 0xff, false);
    assert_int_equal(o.result, CACHE_HIT);
    assert_true(o.send_write);
    fetch(c, 2, 1);
    assert_int_equal(read_at(c, 3, 1, 1).evict, 0); /* L2 has it */
    cache_free(c);
}

static void local_back_evicts_on_global_stores(void **state)
{
    struct cache_shape s = shape();
    struct cache *c;
    struct cache_outcome o;

    (void)state;
    s.write = CACHE_WRITE_LOCAL_BACK;
    s.allocate = CACHE_ALLOCATE_FILL;
    s.write_allocate = CACHE_WRITE_ALLOCATE_NONE;
    c = made(&s);
    fetch(c, 1, 3);
    o = write_at(c, 1, 1, 0xff, false);
    assert_int_equal(o.result, CACHE_HIT);
    assert_true(o.send_write && !o.done);
    assert_int_equal(read_at(c, 1, 2, 1).result, CACHE_HIT);
    assert_int_equal(read_at(c, 1, 1, 1).result, CACHE_MISS);
    o = write_at(c, 1, 2, 0xff00, true);
    assert_true(o.done && !o.send_write);
    o = write_at(c, 4, 1, 0xff, true); /* a miss allocates nothing */
    assert_true(o.send_write);
    assert_int_equal(read_at(c, 4, 1, 1).result, CACHE_MISS);
    cache_free(c);
}

/* H200: the stored words hit, the rest of their sector misses, whatever was there. */
static void stores_fill_their_words(void **state)
{
    struct cache_shape s = shape();
    struct cache_access a = { .line = 128, .sectors = 1, .waiter = 1, .room = 8 };
    struct cache *c;

    (void)state;
    s.write = CACHE_WRITE_THROUGH;
    s.store_fills = true;
    c = made(&s);
    fetch(c, 1, 1);
    assert_true(write_at(c, 1, 1, 0x3, false).send_write);
    a.words = 0x1;
    assert_int_equal(cache_access(c, &a).result, CACHE_HIT);
    a.words = 0x4; /* the rest of the sector stays readable */
    assert_int_equal(cache_access(c, &a).result, CACHE_HIT);
    a.line = 256;
    a.write = true;
    a.words = 0x80;
    cache_access(c, &a); /* and with no line there before */
    a.write = false;
    assert_int_equal(cache_access(c, &a).result, CACHE_HIT);
    a.words = 0x4;
    assert_int_equal(cache_access(c, &a).result, CACHE_MISS);
    cache_free(c);
}

static void atomics_leave_dirty_sectors(void **state)
{
    struct cache_shape s = shape();
    struct cache *c = made(&s);
    struct cache_access a = { .sectors = 1, .waiter = 1, .room = 8, .atomic = true };
    struct cache_outcome o = cache_access(c, &a);

    (void)state;
    cache_fill(c, o.mshr);
    cache_ready(c);
    fetch(c, 1, 1);
    assert_int_equal(read_at(c, 2, 1, 1).evict, 1);
    cache_free(c);
}

static void reset_empties_and_resizes(void **state)
{
    struct cache_shape s = shape();
    struct cache *c;
    struct cache_outcome o;

    (void)state;
    s.ways = 64;
    c = made(&s);
    fetch(c, 1, 1);
    o = read_at(c, 2, 1, 5);
    cache_reset(c, 2);
    assert_int_equal(read_at(c, 1, 1, 1).result, CACHE_MISS);
    cache_fill(c, o.mshr); /* of before: its waiter is told, no line is taken */
    assert_int_equal(cache_ready(c), 5);
    assert_int_equal(read_at(c, 2, 1, 1).result, CACHE_MISS);
    assert_int_equal(read_at(c, 3, 1, 1).fail, CACHE_FAIL_LINE);
    cache_reset(c, 0); /* no L1 at all */
    assert_int_equal(read_at(c, 9, 1, 1).fail, CACHE_FAIL_LINE);
    cache_free(c);
}

/* Reset to the same number of ways, empty or not, with both stores of tags. */
static void reset_empties_again(void **state)
{
    (void)state;
    for (uint32_t ways = 2; ways <= 64; ways += 62) {
        struct cache_shape s = shape();
        struct cache *c;

        s.ways = ways;
        c = made(&s);
        for (unsigned k = 0; k < 3; k++) {
            fetch(c, 2, 1); /* which misses */
            assert_int_equal(read_at(c, 2, 1, 1).result, CACHE_HIT);
            cache_reset(c, ways);
            cache_reset(c, ways);
        }
        cache_free(c);
    }
}

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* A model of one set: lines in order of use. */
static void both_stores_are_lru(void **state)
{
    for (uint32_t ways = 8; ways <= 40; ways += 32) {
        struct cache_shape s = shape();
        uint64_t order[40], seed = ways;
        unsigned n = 0;
        struct cache *c;

        (void)state;
        s.ways = ways;
        c = made(&s);
        for (unsigned i = 0; i < 20000; i++) {
            uint64_t line = rng(&seed) % (ways * 3 / 2);
            struct cache_outcome o = read_at(c, line, 1, 1);
            unsigned at = 0;

            while (at < n && order[at] != line)
                at++;
            assert_int_equal(o.result, at < n ? CACHE_HIT : CACHE_MISS);
            if (at == n) {
                cache_fill(c, o.mshr);
                cache_ready(c);
                at = n < ways ? n++ : n - 1;
            }
            memmove(order + 1, order, at * sizeof *order);
            order[0] = line;
        }
        cache_free(c);
    }
}

static void hashes_spread_over_all_sets(void **state)
{
    (void)state;
    for (uint32_t kind = CACHE_INDEX_LINEAR; kind <= CACHE_INDEX_FERMI; kind++) {
        struct cache_shape s = shape();
        struct cache *c;
        unsigned n[64] = { 0 };

        s.sets = 64;
        s.index = kind;
        c = made(&s);
        for (uint64_t i = 0; i < 4096; i++)
            n[cache_set(c, i * 128)]++;
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(n[i], 64);
        /* a stride of all sets: the linear index uses one, the others many */
        memset(n, 0, sizeof n);
        for (uint64_t i = 0; i < 64; i++)
            n[cache_set(c, i * 128 * 64)]++;
        if (kind == CACHE_INDEX_LINEAR)
            assert_int_equal(n[0], 64);
        else if (kind != CACHE_INDEX_FERMI)
            assert_int_equal(n[0], 1);
        cache_free(c);
    }
}

static void too_large_is_refused(void **state)
{
    struct cache_shape s = shape();
    struct err err = { 0 };

    (void)state;
    s.sets = 4096;
    s.ways = 64;
    assert_null(cache_new(&s, &err));
    assert_non_null(strstr(err.text, "4096 sets x 64 ways"));
    s = shape();
    s.mshrs = 70000;
    assert_null(cache_new(&s, &err));
    assert_non_null(strstr(err.text, "70000 MSHRs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oldest_line_goes),
        cmocka_unit_test(lines_to_be_filled_stay),
        cmocka_unit_test(sectors_are_fetched_alone),
        cmocka_unit_test(misses_merge_up_to_the_limit),
        cmocka_unit_test(reads_need_two_places_in_the_queue),
        cmocka_unit_test(lazy_writes_fetch_when_read),
        cmocka_unit_test(fetch_on_write_waits_for_the_rest),
        cmocka_unit_test(write_through_sends_everything_down),
        cmocka_unit_test(local_back_evicts_on_global_stores),
        cmocka_unit_test(stores_fill_their_words),
        cmocka_unit_test(atomics_leave_dirty_sectors),
        cmocka_unit_test(reset_empties_and_resizes),
        cmocka_unit_test(reset_empties_again),
        cmocka_unit_test(both_stores_are_lru),
        cmocka_unit_test(hashes_spread_over_all_sets),
        cmocka_unit_test(too_large_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
