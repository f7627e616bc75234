/* des.h - DES with the tables of its standard: boxes and keys for the kernel, and the
 * cipher for the check. Bits are numbered from 1 at the top, as the standard does.
 */
#ifndef PG_DES_H
#define PG_DES_H

#include <stdint.h>

enum { DES_BOXES = 8, DES_ENTRIES = 64, DES_ROUNDS = 16, DES_STAGES = 3 };
enum { DES_KEY_WORDS = 2 * DES_ROUNDS };

struct des {
    uint32_t boxes[DES_BOXES][DES_ENTRIES];
    uint32_t to_code[DES_STAGES][DES_KEY_WORDS], to_plain[DES_STAGES][DES_KEY_WORDS];
};

/* A row of 16 entries per value of the outer bits, for each box. */
static const char *const des_box_rows[DES_BOXES][4] = {
    { "e4d12fb83a6c5907", "0f74e2d1a6cb9538", "41e8d62bfc973a50", "fc8249175b3ea06d" },
    { "f18e6b34972dc05a", "3d47f28ec01a69b5", "0e7ba4d158c6932f", "d8a13f42b67c05e9" },
    { "a09e63f51dc7b428", "d709346a285ecbf1", "d6498f30b12c5ae7", "1ad069874fe3b52c" },
    { "7de3069a1285bc4f", "d8b56f03472c1ae9", "a690cb7df13e5284", "3f06a1d8945bc72e" },
    { "2c417ab6853fd0e9", "eb2c47d150fa3986", "421bad78f9c5630e", "b8c71e2d6f09a453" },
    { "c1af92680d34e75b", "af427c9561de0b38", "9ef528c3704a1db6", "432c95fabe17608d" },
    { "4b2ef08d3c975a61", "d0b7491ae35c2f86", "14bdc37eaf680592", "6bd814a7950fe23c" },
    { "d2846fb1a93e50c7", "1fd8a374c56b0e92", "7b419ce206adf358", "21e74a8dfc90356b" },
};

static const uint8_t des_after_boxes[32] = {
    16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
    2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25,
};

static const uint8_t des_key_bits[56] = {
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4,
};

static const uint8_t des_round_bits[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
    26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
    51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
};

/* The n bits of a number of width bits that the table names, the first one on top. */
static inline uint64_t des_pick(uint64_t from, int width, const uint8_t *table, int n)
{
    uint64_t to = 0;

    for (int i = 0; i < n; i++)
        to = to << 1 | (from >> (width - table[i]) & 1);
    return to;
}

static inline uint32_t des_hex(char digit)
{
    return (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static inline void des_make_boxes(uint32_t boxes[DES_BOXES][DES_ENTRIES])
{
    for (int box = 0; box < DES_BOXES; box++) {
        for (int i = 0; i < DES_ENTRIES; i++) {
            int row = (i >> 4 & 2) | (i & 1), column = i >> 1 & 15;
            uint32_t value = des_hex(des_box_rows[box][row][column]);

            boxes[box][i] =
                (uint32_t)des_pick(value << (28 - 4 * box), 32, des_after_boxes, 32);
        }
    }
}

static inline uint32_t des_turn(uint32_t half, int by)
{
    return (half << by | half >> (28 - by)) & 0x0fffffff;
}

/* Keys of all rounds, in the order in which one direction needs them. */
static inline void des_make_keys(uint64_t key, int is_backward, uint32_t *to)
{
    uint64_t chosen = des_pick(key, 64, des_key_bits, 56);
    uint32_t c = (uint32_t)(chosen >> 28), d = (uint32_t)chosen & 0x0fffffff;

    for (int round = 0; round < DES_ROUNDS; round++) {
        int by = round < 2 || round == 8 || round == 15 ? 1 : 2;
        int place = is_backward ? DES_ROUNDS - 1 - round : round;
        uint32_t odd = 0, even = 0;
        uint64_t bits;

        c = des_turn(c, by);
        d = des_turn(d, by);
        bits = des_pick((uint64_t)c << 28 | d, 56, des_round_bits, 48);
        for (int box = 0; box < DES_BOXES; box += 2) {
            odd = odd << 8 | (uint32_t)(bits >> (42 - 6 * box) & 63);
            even = even << 8 | (uint32_t)(bits >> (36 - 6 * box) & 63);
        }
        to[2 * place] = odd;
        to[2 * place + 1] = even;
    }
}

/* Encrypts with the first key, decrypts with the second, encrypts with the third. */
static inline void des_make(struct des *d, const uint64_t keys[DES_STAGES])
{
    des_make_boxes(d->boxes);
    for (int stage = 0; stage < DES_STAGES; stage++) {
        des_make_keys(keys[stage], stage == 1, d->to_code[stage]);
        des_make_keys(keys[DES_STAGES - 1 - stage], stage != 1, d->to_plain[stage]);
    }
}

/* The standard's first permutation, or its inverse: bit i of the result is bit 58, 50, ...
 * of the group. */
static inline uint64_t des_permute(uint64_t group, int is_inverse)
{
    uint64_t to = 0;

    for (int i = 0; i < 64; i++) {
        int row = i / 8, from = 8 * (7 - i % 8) + (row < 4 ? 2 * row + 1 : 2 * row - 8);

        if (is_inverse)
            to |= (group >> (63 - i) & 1) << (63 - from);
        else
            to |= (group >> (63 - from) & 1) << (63 - i);
    }
    return to;
}

static inline uint32_t des_mangle(const struct des *d, uint32_t half,
                                  const uint32_t *key)
{
    uint32_t word[2] = { (half >> 3 | half << 29) ^ key[0],
                         (half << 1 | half >> 31) ^ key[1] };
    uint32_t to = 0;

    for (int box = 0; box < DES_BOXES; box++)
        to ^= d->boxes[box][word[box % 2] >> (24 - 8 * (box / 2)) & 63];
    return to;
}

static inline uint64_t des_crypt(const struct des *d, const uint32_t *keys,
                                 uint64_t group)
{
    uint64_t first = des_permute(group, 0);
    uint32_t left = (uint32_t)(first >> 32), right = (uint32_t)first;

    for (int stage = 0; stage < DES_STAGES; stage++) {
        for (int round = 0; round < DES_ROUNDS; round++, keys += 2) {
            uint32_t next = left ^ des_mangle(d, right, keys);

            left = right;
            right = next;
        }
        uint32_t swap = left;

        left = right;
        right = swap;
    }
    return des_permute((uint64_t)left << 32 | right, 1);
}

#endif
