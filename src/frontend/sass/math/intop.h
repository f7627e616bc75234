/* intop.h - integer and bit instructions that are more than a C operator.
 *
 * Inline so that a loop over lanes with constant modifiers vectorises. Compared with an
 * H200 unless a comment says otherwise.
 */
#ifndef LENO_SASS_INTOP_H
#define LENO_SASS_INTOP_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t intop_pair(uint32_t lo, uint32_t hi)
{
    return (uint64_t)hi << 32 | lo;
}

/* SHF: hi:lo shifted. The count is clamped to the type's width, or taken modulo it. */
struct intop_shf {
    bool is_64;     /* S64, U64: width 64; else 32 */
    bool is_signed; /* S32, S64: right shifts are arithmetic on the 64-bit value */
    bool wrap, right, high; /* .W, .R, .HI: the high word is the result */
};

static inline uint32_t intop_shf(struct intop_shf m, uint32_t lo, uint32_t count,
                                 uint32_t hi)
{
    uint32_t width = m.is_64 ? 64 : 32;
    uint32_t n = m.wrap ? count & (width - 1) : count < width ? count : width;
    uint64_t v = intop_pair(lo, hi), r;

    if (!m.right)
        r = n < 64 ? v << n : 0;
    else if (m.is_signed)
        r = (uint64_t)((int64_t)v >> (n < 64 ? n : 63));
    else
        r = n < 64 ? v >> n : 0;
    return (uint32_t)(m.high ? r >> 32 : r);
}

/* BMSK: count ones from bit start. */
static inline uint32_t intop_bmsk(bool wrap, uint32_t start, uint32_t count)
{
    if (wrap) {
        start &= 31;
        count &= 31;
    }
    if (start >= 32)
        return 0;
    return (count >= 32 ? ~0u : (1u << count) - 1) << start;
}

/* SGXT: the low bits of a, extended; none gives 0, 32 or more gives a. */
static inline uint32_t intop_sgxt(bool is_signed, bool wrap, uint32_t a, uint32_t bits)
{
    if (wrap)
        bits &= 31;
    if (bits >= 32)
        return a;
    if (bits == 0)
        return 0;
    a <<= 32 - bits;
    return is_signed ? (uint32_t)((int32_t)a >> (32 - bits)) : a >> (32 - bits);
}

/* LOP3: bit (4a + 2b + c) of the table for each bit of the operands. */
static inline uint32_t intop_lop3(uint8_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;

    for (unsigned i = 0; i < 8; i++) {
        uint32_t term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);

        r |= table >> i & 1 ? term : 0;
    }
    return r;
}

/* PRMT modes, as in the instruction's field. */
enum intop_prmt {
    PRMT_INDEX,
    PRMT_F4E,
    PRMT_B4E,
    PRMT_RC8,
    PRMT_ECL,
    PRMT_ECR,
    PRMT_RC16
};
uint32_t intop_prmt(enum intop_prmt mode, uint32_t a, uint32_t selector, uint32_t c);

/* IMAD.HI: the high word of a * b + the 64-bit c. */
static inline uint32_t intop_imad_hi(bool is_signed, uint32_t a, uint32_t b, uint64_t c)
{
    uint64_t p =
        is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;

    return (uint32_t)((p + c) >> 32);
}

/* IMAD.WIDE: a * b + c in 64 bits. */
static inline uint64_t intop_imad_wide(bool is_signed, uint32_t a, uint32_t b,
                                       uint64_t c)
{
    return c +
           (is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b);
}

/* Sums with carries. The word is the low half; P is sum >= 2^32, and for IADD3's second
 * predicate sum >= 2^33 (that one is not measured). A negated term is ~x with 1 added
 * to carry; with .X it is ~x alone. */
static inline uint64_t intop_add3(uint32_t a, uint32_t b, uint32_t c, uint32_t carry)
{
    return (uint64_t)a + b + c + carry;
}

/* The same a term at a time, in words: the carries are counted. */
static inline uint32_t intop_add(uint32_t a, uint32_t b, uint32_t *carried)
{
    uint32_t sum = a + b;

    *carried += sum < a ? 1u : 0;
    return sum;
}

/* LEA: (a << n) + b; bit 32 of the result is P. */
static inline uint64_t intop_lea(uint32_t a, uint32_t b, unsigned n, uint32_t carry)
{
    return (uint64_t)(uint32_t)(a << (n & 31)) + b + carry;
}

/* LEA.HI: the high word of (hi:a << n), + b. LEA.HI.SX32: hi is the sign of a. With the
 * carry (.X) it was not measured. */
static inline uint64_t intop_lea_hi(uint32_t a, uint32_t b, uint32_t hi, unsigned n,
                                    uint32_t carry)
{
    return (uint64_t)(uint32_t)(intop_pair(a, hi) << (n & 31) >> 32) + b + carry;
}

static inline uint32_t intop_sign_word(uint32_t a)
{
    return (uint32_t)((int32_t)a >> 31);
}

/* IABS: the most negative number stays. */
static inline uint32_t intop_abs(uint32_t a)
{
    uint32_t s = intop_sign_word(a);

    return (a ^ s) - s;
}

static inline uint32_t intop_minmax(bool is_max, bool is_signed, uint32_t a, uint32_t b)
{
    uint32_t flip = is_signed ? 0x80000000u : 0;

    return ((a ^ flip) < (b ^ flip)) != is_max ? a : b;
}

/* VABSDIFF: |a - b| + c. */
static inline uint32_t intop_absdiff(bool is_signed, uint32_t a, uint32_t b, uint32_t c)
{
    return intop_minmax(true, is_signed, a, b) - intop_minmax(false, is_signed, a, b) +
           c;
}

/* VABSDIFF4.ACC: the sum of the four byte differences, + c. The instruction exists for
 * unsigned bytes only. */
uint32_t intop_absdiff4(bool is_signed, uint32_t a, uint32_t b, uint32_t c);

/* IDP.4A; IDP.2A: the 16-bit halves of a by bytes 0, 1 (high: 2, 3) of b. */
struct intop_idp {
    bool signed_a, signed_b, high;
};
uint32_t intop_dp4a(struct intop_idp m, uint32_t a, uint32_t b, uint32_t c);
uint32_t intop_dp2a(struct intop_idp m, uint32_t a, uint32_t b, uint32_t c);

/* FLO: the index of the top one; of the top zero if signed and negative; .SH: 31 - index.
 * None: 0xffffffff. */
uint32_t intop_flo(bool is_signed, bool shift, uint32_t a);
uint32_t intop_brev(uint32_t a);
uint32_t intop_popc(uint32_t a);

/* SHFL: which lane's value a lane gets, and its predicate; !ok: its own. */
enum intop_shfl { SHFL_IDX, SHFL_UP, SHFL_DOWN, SHFL_BFLY };
struct intop_source {
    uint8_t lane;
    bool ok;
};
static inline struct intop_source intop_shfl(enum intop_shfl mode, unsigned lane,
                                             uint32_t b, uint32_t c)
{
    unsigned segment = c >> 8 & 31, n = b & 31, own = lane & segment;
    unsigned limit = own | (c & 31 & ~segment), j;
    bool ok;

    switch (mode) {
    case SHFL_IDX:
        j = own | (n & ~segment);
        break;
    case SHFL_UP:
        j = lane - n; /* may be negative */
        break;
    case SHFL_DOWN:
        j = lane + n;
        break;
    default:
        j = lane ^ n;
    }
    ok = mode == SHFL_UP ? (int)j >= (int)limit : j <= limit;
    return (struct intop_source){ (uint8_t)(ok ? j : lane), ok };
}

#endif
