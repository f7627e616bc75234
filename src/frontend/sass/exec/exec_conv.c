/* exec_conv.c - conversions between number formats.
 *
 * F2F, F2I, I2F, FRND name their types by the logarithm of the bytes: the result's at
 * bit 75, the source's at bit 84. A source shorter than the register is the byte or
 * half that bits 60..61 count. A signed integer result shorter than the register is
 * extended; other short results leave the upper bits zero (not measured).
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/fpconv.h"
#include "frontend/sass/math/fpvec.h"

enum { LOG_8, LOG_16, LOG_32, LOG_64 };

static enum exec_result no_type(struct sass_warp *w, const struct sass_inst *i)
{
    return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported type of a conversion");
}

/* The raw source of 1 << log bytes. */
static void read_source(struct sass_warp *w, const struct sass_inst *i, unsigned log,
                        uint64_t *v)
{
    struct operand plain = i->opd[1];
    unsigned which = plain.kind == OPD_IMM ? 0 : sass_bits(i, 60, 2);
    uint32_t tmp[WARP_LANES];
    const uint32_t *x;

    plain.flags &= (uint16_t) ~(OPD_NEG | OPD_ABS | OPD_H0 | OPD_H1);
    if (log == LOG_64) {
        sass_source64(w, &plain, v);
        return;
    }
    x = source(w, &plain, 0, SRC_BITS, tmp);
    if (log == LOG_32)
        LANES(l)
            v[l] = x[l];
    else if (log == LOG_16)
        LANES(l)
            v[l] = x[l] >> 16 * (which & 1) & 0xffff;
    else
        LANES(l)
            v[l] = x[l] >> 8 * which & 0xff;
}

/* A floating-point source with its modifiers. */
static void read_float(struct sass_warp *w, const struct sass_inst *i, enum fp_format f,
                       unsigned log, uint64_t *v)
{
    bool negative = i->opd[1].flags & OPD_NEG, absolute = i->opd[1].flags & OPD_ABS;

    read_source(w, i, log, v);
    if (negative || absolute)
        LANES(l)
            v[l] = fp_modify(f, v[l], absolute, negative);
}

static void write_result(struct sass_warp *w, const struct sass_inst *i, bool is_64,
                         const uint64_t *v, uint32_t mask)
{
    uint32_t out[WARP_LANES];

    if (is_64) {
        sass_result64(w, &i->opd[0], v, mask);
        return;
    }
    LANES(l)
        out[l] = (uint32_t)v[l];
    result(w, &i->opd[0], 0, out, mask);
}

/* Format of a floating-point result: the field of three bits at 75. */
static bool result_format(const struct sass_inst *i, enum fp_format *f)
{
    static const uint8_t formats[5] = { 0, FP_F16, FP_F32, FP_F64, FP_BF16 };
    unsigned field = sass_bits(i, 75, 3);

    if (field < 1 || field > 4)
        return false;
    *f = (enum fp_format)formats[field];
    return true;
}

/* The same for a source: the field of three bits at 84. *log is its size. */
static bool source_format(const struct sass_inst *i, enum fp_format *f, unsigned *log)
{
    static const uint8_t formats[5] = { 0, FP_F16, FP_F32, FP_F64, FP_BF16 };
    unsigned field = sass_bits(i, 84, 3);

    if (field < 1 || field > 4)
        return false;
    *f = (enum fp_format)formats[field];
    *log = field == 4 ? LOG_16 : field;
    return true;
}

enum exec_result exec_f2f(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    struct fp_mode m = { .round = (uint8_t)sass_bits(i, 78, 2),
                         .ftz = sass_bits(i, 80, 1) };
    enum fp_format from, to;
    uint64_t v[WARP_LANES];
    unsigned log;

    if (!source_format(i, &from, &log) || !result_format(i, &to))
        return no_type(w, i);
    read_float(w, i, from, log, v);
    if (from == FP_F32 && to == FP_F64 && !m.ftz)
        fpv_f32_to_f64(v);
    else if (from == FP_F64 && to == FP_F32 && !m.ftz && m.round == FP_RN)
        fpv_f64_to_f32(v);
    else
        LANES(l)
            v[l] = fp_convert(from, to, m, v[l]);
    write_result(w, i, to == FP_F64, v, mask);
    return EXEC_NEXT;
}

enum exec_result exec_f2i(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    unsigned to = sass_bits(i, 75, 2), log;
    struct fp_int type = { .bits = (uint8_t)(8u << to),
                           .is_signed = sass_bits(i, 72, 1),
                           .ntz = sass_bits(i, 77, 1) };
    enum fp_round round = (enum fp_round)sass_bits(i, 78, 2);
    bool ftz = sass_bits(i, 80, 1);
    enum fp_format from;
    uint64_t v[WARP_LANES];

    if (!source_format(i, &from, &log))
        return no_type(w, i);
    if (from == FP_F32 && to == LOG_32) {
        uint32_t out[WARP_LANES];

        SOURCE(a, 1, SRC_F32);
        fpv_f2i32(type, round, ftz, out, a);
        result(w, &i->opd[0], 0, out, mask);
        return EXEC_NEXT;
    }
    read_float(w, i, from, log, v);
    LANES(l) {
        v[l] = fp_to_int(from, type, round, ftz, v[l]);
        if (type.is_signed && to == LOG_8)
            v[l] = (uint64_t)(int8_t)v[l];
        if (type.is_signed && to == LOG_16)
            v[l] = (uint64_t)(int16_t)v[l];
    }
    write_result(w, i, to == LOG_64, v, mask);
    return EXEC_NEXT;
}

/* I2F, I2FP. A minus sign or bars on the source act on the integer. */
enum exec_result exec_i2f(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    unsigned log = sass_bits(i, 84, 2);
    struct fp_int type = { .bits = (uint8_t)(8u << log),
                           .is_signed = sass_bits(i, 74, 1) };
    enum fp_round round = (enum fp_round)sass_bits(i, 78, 2);
    enum fp_format to;
    uint64_t v[WARP_LANES];

    if (!result_format(i, &to))
        return no_type(w, i);
    if (log == LOG_32 && to == FP_F32) {
        uint32_t out[WARP_LANES];

        SOURCE(a, 1, SRC_INT);
        fpv_i2f32(type, round, out, a);
        result(w, &i->opd[0], 0, out, mask);
        return EXEC_NEXT;
    }
    if (i->opd[1].flags & (OPD_NEG | OPD_ABS))
        return no_type(w, i);
    read_source(w, i, log, v);
    LANES(l)
        v[l] = fp_from_int(to, type, round, v[l]);
    write_result(w, i, to == FP_F64, v, mask);
    return EXEC_NEXT;
}

enum exec_result exec_frnd(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    enum fp_round round = (enum fp_round)sass_bits(i, 78, 2);
    bool ftz = sass_bits(i, 80, 1);
    enum fp_format f, to;
    uint64_t v[WARP_LANES];
    unsigned log;

    if (!source_format(i, &f, &log) || !result_format(i, &to) || f != to)
        return no_type(w, i);
    read_float(w, i, f, log, v);
    LANES(l)
        v[l] = fp_round_integral(f, round, ftz, v[l]);
    write_result(w, i, f == FP_F64, v, mask);
    return EXEC_NEXT;
}

/* F2FP: which conversion it is, by bits 72..90 without .RELU, rounding, and the half that
 * bits 72 or 88 choose; of the first four also without .SATFINITE. What a merge with c does to the eight-bit forms was not measured:
 * c must be RZ there. */
enum f2fp {
    F2FP_F16,
    F2FP_BF16,
    F2FP_F16_MERGE, /* b below a half of c */
    F2FP_BF16_MERGE,
    F2FP_F16_E4M3, /* from two bytes of b */
    F2FP_F16_E5M2,
    F2FP_TF32,
    F2FP_E4M3,
    F2FP_E5M2,
    F2FP_E4M3_F16, /* from two halves of b */
    F2FP_E5M2_F16,
    N_F2FP
};

static enum f2fp f2fp_of(const struct sass_inst *i)
{
    enum { H1_MERGE = 1, RELU = 8, BF16 = 16, FINITE = 32, MERGE = 64, ROUND = 3 << 7 };
    enum { H1_UNPACK = 1 << 16, UNPACK = 1 << 17 };
    static const uint32_t words[N_F2FP] = {
        [F2FP_F16] = 0,
        [F2FP_BF16] = 0x10,
        [F2FP_F16_MERGE] = 0x40,
        [F2FP_BF16_MERGE] = 0x50,
        [F2FP_F16_E4M3] = 0x20006,
        [F2FP_F16_E5M2] = 0x20004,
        [F2FP_TF32] = 0x24050,
        [F2FP_E4M3] = 0x48070,
        [F2FP_E5M2] = 0x48060,
        [F2FP_E4M3_F16] = 0x48032,
        [F2FP_E5M2_F16] = 0x48022,
    };
    uint32_t word = sass_bits(i, 72, 19) & ~(uint32_t)(RELU | ROUND);
    unsigned k = 0;

    if (!(word & ~(uint32_t)(H1_MERGE | BF16 | FINITE | MERGE)))
        word &= ~(uint32_t)(FINITE | (word & MERGE ? H1_MERGE : 0));
    if (word & UNPACK)
        word &= ~(uint32_t)H1_UNPACK;
    while (k < N_F2FP && words[k] != word)
        k++;
    return (enum f2fp)k;
}

static uint32_t pack_fp8(enum fp8_format f, bool relu, uint32_t high, uint32_t low)
{
    return (uint32_t)fp8_from_f32(f, relu, high) << 8 | fp8_from_f32(f, relu, low);
}

/* Two halves to two bytes: f16 fits into f32, so there is one rounding. */
static uint32_t pack_fp8_half(enum fp8_format f, bool relu, uint32_t x)
{
    const struct fp_mode exact = { 0 };

    return pack_fp8(f, relu, (uint32_t)fp_convert(FP_F16, FP_F32, exact, x >> 16),
                    (uint32_t)fp_convert(FP_F16, FP_F32, exact, x & 0xffff));
}

/* Two bytes to two halves; .RELU clears what is negative, a NaN (0x7fff) stays. */
static uint32_t unpack_fp8(enum fp8_format f, bool relu, uint32_t x)
{
    uint32_t high = fp8_to_f16(f, (uint8_t)(x >> 8)), low = fp8_to_f16(f, (uint8_t)x);

    if (relu && high & 0x8000)
        high = 0;
    if (relu && low & 0x8000)
        low = 0;
    return high << 16 | low;
}

/* The largest number in place of infinity, in both halves. */
static uint32_t finite(enum fp_format f, uint32_t x)
{
    uint32_t infinity = f == FP_BF16 ? 0x7f80 : 0x7c00;

    if ((x & 0x7fff) == infinity)
        x -= 1;
    if ((x >> 16 & 0x7fff) == infinity)
        x -= 1u << 16;
    return x;
}

/* a is the high value, b the low one, c what MERGE puts above. */
static uint32_t convert_pair(enum f2fp kind, struct fp_mode m, bool is_finite,
                             uint32_t a, uint32_t b, uint32_t c)
{
    enum fp_format f = kind & 1 ? FP_BF16 : FP_F16; /* of the first four */

    uint32_t v;

    switch (kind) {
    case F2FP_F16:
    case F2FP_BF16:
        v = fp_pack2(f, m, a, b);
        return is_finite ? finite(f, v) : v;
    case F2FP_F16_MERGE:
    case F2FP_BF16_MERGE:
        v = fp_pack2(f, m, 0, b);
        return (is_finite ? finite(f, v) : v) | c << 16;
    case F2FP_F16_E4M3:
        return unpack_fp8(FP8_E4M3, m.relu, b);
    case F2FP_F16_E5M2:
        return unpack_fp8(FP8_E5M2, m.relu, b);
    case F2FP_TF32:
        return fp_to_tf32(m, b);
    case F2FP_E4M3:
    case F2FP_E5M2:
        return pack_fp8(kind == F2FP_E4M3 ? FP8_E4M3 : FP8_E5M2, m.relu, a, b);
    default:
        return pack_fp8_half(kind == F2FP_E4M3_F16 ? FP8_E4M3 : FP8_E5M2, m.relu, b);
    }
}

/* Slots: d, a (high), b (low), c. */
enum exec_result exec_f2fp(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    enum f2fp kind = f2fp_of(i);
    struct fp_mode m = { .round = (uint8_t)sass_bits(i, 79, 2),
                         .relu = sass_bits(i, 75, 1) };
    unsigned b_shift =
        kind == F2FP_F16_E4M3 || kind == F2FP_F16_E5M2 ? 16 * sass_bits(i, 88, 1) : 0;
    unsigned c_shift = 16 * sass_bits(i, 72, 1);
    uint32_t out[WARP_LANES];

    if (kind == N_F2FP)
        return no_type(w, i);
    if (kind >= F2FP_TF32 && i->opd[3].kind != OPD_NONE && !is_rz(&i->opd[3]))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported merge of a conversion");
    SOURCE(a, 1, SRC_F32);
    SOURCE(b, 2, SRC_F32);
    SOURCE(c, 3, SRC_BITS);
    LANES(l)
        out[l] = convert_pair(kind, m, sass_bits(i, 77, 1), a[l], b[l] >> b_shift,
                              c[l] >> c_shift & 0xffff);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* F2IP.U8.F32.NTZ of b alone: the only shape the compiler makes. */
enum exec_result exec_f2ip(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    const struct fp_int type = { .bits = 8, .ntz = true };
    enum fp_round round = (enum fp_round)sass_bits(i, 78, 2);
    uint32_t out[WARP_LANES];

    if (sass_bits(i, 72, 6) != 4 || sass_bits(i, 80, 11) || !is_rz(&i->opd[1]) ||
        !is_rz(&i->opd[3]))
        return no_type(w, i);
    SOURCE(b, 2, SRC_F32);
    LANES(l)
        out[l] = (uint32_t)fp_to_int(FP_F32, type, round, false, b[l]);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* A signed word clamped to U8, S8, U16, S16, U2, S2, U4, S4: the field at 76. Upper bits
 * are zero. */
static uint32_t clamp(unsigned type, uint32_t x)
{
    static const uint8_t bits[4] = { 8, 16, 2, 4 };
    unsigned n = bits[type >> 1];
    int32_t low = type & 1 ? -(1 << (n - 1)) : 0;
    int32_t high = type & 1 ? (1 << (n - 1)) - 1 : (1 << n) - 1;
    int32_t v = (int32_t)x;

    v = v < low ? low : v > high ? high : v;
    return (uint32_t)v & ((1u << n) - 1);
}

enum exec_result exec_i2i(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    unsigned type = sass_bits(i, 76, 2);
    uint32_t out[WARP_LANES];

    SOURCE(a, 1, SRC_INT);
    LANES(l)
        out[l] = clamp(type, a[l]);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}

/* Slots: d, a, b, c: a above b, and above both what fits of c. */
enum exec_result exec_i2ip(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t bits[4] = { 8, 16, 2, 4 };
    unsigned type = sass_bits(i, 76, 3), n = bits[type >> 1];
    uint32_t out[WARP_LANES];

    if (sass_bits(i, 79, 12))
        return no_type(w, i);
    SOURCE(a, 1, SRC_INT);
    SOURCE(b, 2, SRC_INT);
    SOURCE(c, 3, SRC_BITS);
    LANES(l) {
        uint32_t above = n < 16 ? c[l] << 2 * n : 0;

        out[l] = clamp(type, a[l]) << n | clamp(type, b[l]) | above;
    }
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}
