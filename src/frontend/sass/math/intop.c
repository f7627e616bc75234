/* intop.c - the integer and bit instructions that do not fit on a line. */
#include "frontend/sass/math/intop.h"

static int32_t extend_bits(uint32_t v, unsigned bits, bool is_signed)
{
    v <<= 32 - bits;
    return is_signed ? (int32_t)v >> (32 - bits) : (int32_t)(v >> (32 - bits));
}

/* Which byte of c:a goes to place i of the result, but for the index mode. */
static unsigned prmt_byte(enum intop_prmt mode, unsigned s, unsigned i)
{
    switch (mode) {
    case PRMT_F4E:
        return s + i;
    case PRMT_B4E:
        return (s - i) & 7;
    case PRMT_RC8:
        return s;
    case PRMT_ECL:
        return i > s ? i : s;
    case PRMT_ECR:
        return i < s ? i : s;
    default:
        return 2 * (s & 1) + (i & 1);
    }
}

uint32_t intop_prmt(enum intop_prmt mode, uint32_t a, uint32_t selector, uint32_t c)
{
    uint64_t v = intop_pair(a, c);
    uint32_t r = 0;

    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = selector >> 4 * i & 15;
        unsigned from =
            mode == PRMT_INDEX ? nibble & 7 : prmt_byte(mode, selector & 3, i);
        uint32_t byte = (uint32_t)(v >> 8 * from) & 255;

        if (mode == PRMT_INDEX && nibble & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * i;
    }
    return r;
}

uint32_t intop_absdiff4(bool is_signed, uint32_t a, uint32_t b, uint32_t c)
{
    for (unsigned i = 0; i < 32; i += 8) {
        int32_t x = extend_bits(a >> i & 255, 8, is_signed);
        int32_t y = extend_bits(b >> i & 255, 8, is_signed);

        c += (uint32_t)(x > y ? x - y : y - x);
    }
    return c;
}

uint32_t intop_dp4a(struct intop_idp m, uint32_t a, uint32_t b, uint32_t c)
{
    for (unsigned i = 0; i < 32; i += 8)
        c += (uint32_t)(extend_bits(a >> i & 255, 8, m.signed_a) *
                        extend_bits(b >> i & 255, 8, m.signed_b));
    return c;
}

uint32_t intop_dp2a(struct intop_idp m, uint32_t a, uint32_t b, uint32_t c)
{
    if (m.high)
        b >>= 16;
    for (unsigned i = 0; i < 2; i++)
        c += (uint32_t)(extend_bits(a >> 16 * i & 0xffff, 16, m.signed_a) *
                        extend_bits(b >> 8 * i & 255, 8, m.signed_b));
    return c;
}

uint32_t intop_flo(bool is_signed, bool shift, uint32_t a)
{
    if (is_signed)
        a ^= intop_sign_word(a);
    if (!a)
        return ~0u;

    uint32_t zeros = (uint32_t)__builtin_clz(a);

    return shift ? zeros : 31 - zeros;
}

uint32_t intop_brev(uint32_t a)
{
    a = (a & 0x55555555) << 1 | (a >> 1 & 0x55555555);
    a = (a & 0x33333333) << 2 | (a >> 2 & 0x33333333);
    a = (a & 0x0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(a);
}

uint32_t intop_popc(uint32_t a)
{
    return (uint32_t)__builtin_popcount(a);
}
