/* test_mem_coalesce.c - the coalescer and the banks of shared memory, against their
 * definitions written down byte by byte.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mem/banks.h"
#include "mem/coalesce.h"

static uint32_t rng(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*s >> 33);
}

/* Addresses of one warp, of several habits. */
static void make(uint64_t *addr, uint32_t *mask, unsigned bytes, uint64_t *seed)
{
    uint64_t base = 0x7f0000000000 + rng(seed) % 4096, stride = rng(seed) % 300;
    uint64_t half = rng(seed) % 600;
    unsigned habit = rng(seed) % 7;

    if (habit < 2)
        base = base / bytes * bytes;
    if (habit == 1 || (habit == 5 && half % 4))
        stride = bytes * (half % 4 != 3);
    for (unsigned i = 0; i < 32; i++) {
        addr[i] = base + i * stride;
        if (habit == 2)
            addr[i] = base + rng(seed) % 256;
        if (habit == 3)
            addr[i] = base + rng(seed) % 100000;
        if (habit == 4)
            addr[i] = base + (31 - i) * bytes;
        if (habit == 5)
            addr[i] = base + i % 16 * stride + i / 16 * half;
    }
    *mask = rng(seed) % 3 ? UINT32_MAX : rng(seed) << 1 ^ rng(seed);
}

/* The same in the form that the pipeline has them in. */
static struct addresses formed(const uint64_t *addr, uint32_t mask)
{
    static uint64_t list[32];
    struct addresses a = { .list = list };

    addresses_set(&a, addr, mask);
    return a;
}

static const unsigned widths[] = { 1, 2, 4, 8, 16 };

/* Every byte that a lane touches is in exactly one transaction, of its own sector or
 * line; nothing else is; they come by falling address. */
static void check_transactions(const struct lane_access *a, const uint64_t *addr)
{
    struct transaction t[MAX_TRANSACTIONS];
    unsigned n = coalesce_lanes(a, t), unit = a->lines ? 128 : 32;
    uint64_t seen[512];
    unsigned n_seen = 0;

    for (unsigned l = 0; l < 32; l++)
        for (unsigned b = 0; b < a->bytes && a->mask >> l & 1; b++) {
            uint64_t key = (addr[l] + b) / unit, i = 0;

            while (i < n_seen && seen[i] != key)
                i++;
            if (i == n_seen)
                seen[n_seen++] = key;
        }
    assert_int_equal(n, n_seen);
    for (unsigned i = 0; i < n; i++) {
        uint8_t touched[128] = { 0 }, sectors = 0;
        unsigned first = (unsigned)__builtin_ctz(t[i].sectors) * 32, bytes = 0;
        uint64_t key = (t[i].line + (a->lines ? 0 : first)) / unit;
        uint32_t words = 0;

        if (i)
            assert_true(t[i].line <= t[i - 1].line);
        for (unsigned l = 0; l < 32; l++)
            for (unsigned b = 0; b < a->bytes && a->mask >> l & 1; b++)
                if ((addr[l] + b) / unit == key)
                    touched[(addr[l] + b) % 128] = 1;
        for (unsigned b = 0; b < 128; b++) {
            bytes += touched[b];
            sectors |= (uint8_t)(touched[b] << b / 32);
        }
        for (unsigned w = 0; w < 32; w++)
            if (touched[w * 4] && touched[w * 4 + 1] && touched[w * 4 + 2] &&
                touched[w * 4 + 3])
                words |= 1u << w;
        assert_int_equal(t[i].bytes, bytes);
        assert_int_equal(t[i].sectors, sectors);
        assert_int_equal(t[i].words, words);
    }
}

static void transactions_are_the_distinct_sectors(void **state)
{
    uint64_t addr[32], seed = 1;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct lane_access a = { .bytes = widths[i % 5], .lines = i & 64 };
        struct addresses at;

        make(addr, &a.mask, a.bytes, &seed);
        at = formed(addr, a.mask);
        a.addr = &at;
        check_transactions(&a, addr);
    }
}

/* Takes the last sector out of an entry that has several. */
static struct transaction part_of(struct transaction *t)
{
    unsigned s = 31 - (unsigned)__builtin_clz(t->sectors);
    struct transaction part = *t;

    part.words = t->words & 0xffu << s * 8;
    part.bytes = (uint16_t)(4 * __builtin_popcount(part.words));
    part.sectors = (uint8_t)(1u << s);
    t->words -= part.words;
    t->bytes = (uint16_t)(t->bytes - part.bytes);
    t->sectors ^= part.sectors;
    return part;
}

/* Joined transactions have the sectors of separate ones, one for one; a whole line is one
 * entry. */
static void joined_entries_come_apart(void **state)
{
    struct transaction t[MAX_TRANSACTIONS], joined[MAX_TRANSACTIONS];
    uint64_t addr[32], seed = 3;
    unsigned n_all = 0, n_joined = 0;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct lane_access a = { .bytes = widths[i % 5] };
        struct addresses at;
        unsigned n, k = 0;

        make(addr, &a.mask, a.bytes, &seed);
        at = formed(addr, a.mask);
        a.addr = &at;
        n = coalesce_lanes(&a, t);
        a.join = true;
        n_joined += coalesce_lanes(&a, joined);
        n_all += n;
        for (unsigned j = 0; j < n; j++) {
            struct transaction *from = &joined[k], part = *from;

            if (from->sectors & (from->sectors - 1))
                part = part_of(from);
            else
                k++;
            assert_memory_equal(&part, &t[j], sizeof part);
        }
    }
    assert_true(n_joined < n_all - n_all / 32);
}

/* Words of a sector in which more than so many lanes meet. */
static uint32_t words_met(const uint64_t *addr, uint32_t mask, uint64_t sector,
                          unsigned n)
{
    uint32_t words = 0;

    for (unsigned w = 0; w < 8; w++) {
        unsigned met = 0;

        for (unsigned l = 0; l < 32; l++)
            met += (mask >> l & 1) && addr[l] == sector + w * 4;
        words |= (uint32_t)(met > n) << w;
    }
    return words;
}

/* The highest sector below a limit that a lane touches; 0: none. */
static uint64_t sector_below(const uint64_t *addr, uint32_t mask, uint64_t limit)
{
    uint64_t found = 0;

    for (unsigned l = 0; l < 32; l++) {
        uint64_t sector = addr[l] & ~(uint64_t)31;

        if (mask >> l & 1 && sector < limit && sector > found)
            found = sector;
    }
    return found;
}

/* In split atomics, a sector has as many transactions as lanes meet in one word, each with
 * the words that are met once more; otherwise one. They come by falling address. */
static void atomics_meet_once_a_transaction(void **state)
{
    uint64_t addr[32], seed = 5;
    struct transaction t[MAX_TRANSACTIONS];

    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        struct lane_access a = { .bytes = 4, .atomic = true, .split = i & 1 };
        uint64_t sector = UINT64_MAX;
        struct addresses at;
        unsigned n, k = 0;

        make(addr, &a.mask, 4, &seed);
        for (unsigned l = 0; l < 32; l++)
            addr[l] = i & 2 ? 0x7f0000000400u + rng(&seed) % (i % 600 + 1) * 4
                            : addr[l] & ~(uint64_t)3;
        at = formed(addr, a.mask);
        a.addr = &at;
        n = coalesce_lanes(&a, t);
        while ((sector = sector_below(addr, a.mask, sector))) {
            unsigned place = (unsigned)(sector / 32 % 4);
            uint32_t words;

            for (unsigned met = 0; (words = words_met(addr, a.mask, sector, met));
                 met++) {
                assert_true(k < n);
                assert_int_equal(t[k].line, sector & ~(uint64_t)127);
                assert_int_equal(t[k].words, words << place * 8);
                assert_int_equal(t[k].bytes, 4 * __builtin_popcount(words));
                assert_int_equal(t[k++].sectors, 1u << place);
                if (!a.split)
                    break;
            }
        }
        assert_int_equal(n, k);
    }
}

/* Whatever lanes touch, and however they meet, each has its bytes in a transaction. */
static void split_atomics_lose_no_lane(void **state)
{
    uint64_t addr[32], seed = 11;
    struct transaction t[MAX_TRANSACTIONS];

    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        struct lane_access a = {
            .bytes = widths[i % 4], .atomic = true, .split = true, .lines = i & 4
        };
        unsigned bytes = 0;
        struct addresses at;

        make(addr, &a.mask, a.bytes, &seed);
        at = formed(addr, a.mask);
        a.addr = &at;
        for (unsigned n = coalesce_lanes(&a, t); n > 0; n--)
            bytes += t[n - 1].bytes;
        assert_int_equal(bytes, a.bytes * (unsigned)__builtin_popcount(a.mask));
    }
}

static void split_atomics_go_by_sectors_or_lines(void **state)
{
    uint64_t addr[32] = { 0x1000, 0x1000, 0x1020, 0x1080 };
    struct transaction t[MAX_TRANSACTIONS];
    struct addresses at = formed(addr, 0xf);
    struct lane_access a = {
        .addr = &at, .mask = 0xf, .bytes = 4, .atomic = true, .split = true
    };

    (void)state;
    assert_int_equal(coalesce_lanes(&a, t), 4);
    a.lines = true;
    assert_int_equal(coalesce_lanes(&a, t), 3);
    assert_int_equal(t[1].sectors, 3);
    addresses_set_line(&at, 0x101e, 0);
    a.mask = 1;
    a.lines = false;
    assert_int_equal(coalesce_lanes(&a, t), 2);
}

static void merged_atomics_know_their_lanes(void **state)
{
    uint64_t addr[32];
    struct transaction t[MAX_TRANSACTIONS];
    struct addresses at = { .list = addr };
    struct lane_access a = { .addr = &at, .mask = 0xffff, .bytes = 4, .atomic = true };

    (void)state;
    for (unsigned i = 0; i < 32; i++)
        addresses_list(&at)[i] = 0x1000 + i % 3 * 4;
    assert_int_equal(coalesce_lanes(&a, t), 1);
    assert_int_equal(t[0].lanes, 6); /* lanes 0, 3 .. 15 */
}

/* Local memory: word w of lane l of a warp is at (w * threads + first + l) * 4. */
static void local_words_are_interleaved(void **state)
{
    struct local_layout layout = { 0xa000000000, 1024, 64 };
    struct transaction t[MAX_TRANSACTIONS];
    uint64_t addr[32];
    struct addresses at = { .list = addr };
    struct lane_access a = { .addr = &at, .mask = UINT32_MAX, .bytes = 8 };

    (void)state;
    addresses_set_line(&at, 0x7b0000000000 + 40, 0);
    assert_int_equal(coalesce_local(&layout, &a, t), 8);
    assert_int_equal(t[0].line, 0xa000000000 + (11 * 1024 + 64) * 4);
    assert_int_equal(t[0].sectors, 8);
    assert_int_equal(t[7].line, 0xa000000000 + (10 * 1024 + 64) * 4);
    assert_int_equal(t[7].sectors, 1);
    assert_int_equal(t[7].words, 0xff);
    a.bytes = 1; /* bytes of a word stay beside each other */
    addresses_spread(&at, addr);
    addresses_list(&at)[5] += 2;
    assert_int_equal(coalesce_local(&layout, &a, t), 4);
    assert_int_equal(t[3].bytes, 8);
    assert_int_equal(t[3].words, 0);
}

static unsigned slow_cycles(const struct shared_access *a, const uint64_t *addr)
{
    unsigned cycles = 0, n_words = a->phases || a->halves ? (a->bytes + 3) / 4 : 1;
    unsigned phases = n_words > 2 ? 4 : n_words;

    if (a->halves && phases > 1)
        phases /= 2;

    for (unsigned p = 0; p < phases; p++) {
        unsigned most = 0;

        for (unsigned bank = 0; bank < a->banks; bank++) {
            uint64_t words[128];
            unsigned n = 0;

            for (unsigned l = p * 32 / phases; l < (p + 1) * 32 / phases; l++)
                for (unsigned w = 0; w < n_words && a->mask >> l & 1; w++) {
                    uint64_t word = addr[l] / 4 + w;
                    unsigned i = 0;

                    if (word % a->banks != bank)
                        continue;
                    while (i < n && (a->atomic || words[i] != word))
                        i++;
                    if (i == n)
                        words[n++] = word;
                }
            most = n > most ? n : most;
        }
        cycles += most;
    }
    return cycles ? cycles : 1;
}

static void bank_conflicts_are_the_definition(void **state)
{
    uint64_t addr[32], seed = 3;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct addresses at;
        struct shared_access a = { .addr = &at,
                                   .bytes = widths[i % 5],
                                   .banks = i & 32 ? 32 : 16,
                                   .phases = (i & 192) == 64,
                                   .halves = i & 128,
                                   .atomic = i % 7 == 0 && i % 5 < 3 };

        make(addr, &a.mask, a.bytes, &seed);
        for (unsigned l = 0; l < 32; l++)
            addr[l] = addr[l] % 65536 / a.bytes * a.bytes;
        at = formed(addr, a.mask);
        assert_int_equal(shared_cycles(&a), slow_cycles(&a, addr));
    }
}

/* Numbers that can be looked up: strides of words, wide loads. */
static void known_conflicts(void **state)
{
    struct addresses at;
    struct shared_access a = { .addr = &at, .mask = UINT32_MAX, .banks = 32 };
    const unsigned expected[][3] = { { 4, 4, 1 },   { 8, 4, 2 }, { 128, 4, 32 },
                                     { 132, 4, 1 }, { 0, 4, 1 }, { 8, 8, 2 },
                                     { 16, 16, 4 } };

    (void)state;
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        a.bytes = expected[i][1];
        addresses_set_line(&at, 0, expected[i][0]);
        a.phases = false;
        assert_int_equal(shared_cycles(&a), expected[i][2]);
        a.phases = true;
        assert_int_equal(shared_cycles(&a), expected[i][2]);
        a.phases = false;
        a.halves = true;
        assert_int_equal(shared_cycles(&a), expected[i][2]);
        a.halves = false;
    }
}

/* All lanes read the same words: on an H200 one wavefront for 64 bits, two for 128. */
static void wide_broadcasts(void **state)
{
    struct addresses at;
    struct shared_access a = { .addr = &at, .mask = UINT32_MAX, .banks = 32 };

    (void)state;
    addresses_set_line(&at, 64, 0);
    for (unsigned i = 0; i < 3; i++) {
        a.bytes = 4u << i;
        a.phases = true;
        a.halves = false;
        assert_int_equal(shared_cycles(&a), 1u << i);
        a.phases = false;
        a.halves = true;
        assert_int_equal(shared_cycles(&a), i == 2 ? 2 : 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transactions_are_the_distinct_sectors),
        cmocka_unit_test(joined_entries_come_apart),
        cmocka_unit_test(atomics_meet_once_a_transaction),
        cmocka_unit_test(split_atomics_lose_no_lane),
        cmocka_unit_test(split_atomics_go_by_sectors_or_lines),
        cmocka_unit_test(merged_atomics_know_their_lanes),
        cmocka_unit_test(local_words_are_interleaved),
        cmocka_unit_test(bank_conflicts_are_the_definition),
        cmocka_unit_test(known_conflicts),
        cmocka_unit_test(wide_broadcasts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
