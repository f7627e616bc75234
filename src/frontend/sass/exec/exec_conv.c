/* exec_conv.c - conversions between number formats.
 *
 * F2F, F2I, I2F, FRND name their types by the logarithm of the bytes (TO, FROM). A source
 * shorter than the register is the byte or half that PART counts. A signed integer result
 * shorter than the register is extended; other short results leave the upper bits zero
 * (not measured).
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

_Static_assert(F2F_A == F2I_A && F2F_A == I2F_A && F2F_A == FRND_A && F2F_D == F2I_D &&
                   F2F_D == I2F_D && F2F_D == FRND_D,
               "one way to read sources and write results");
_Static_assert(F2F_PART == F2I_PART && F2F_PART == I2F_PART && F2F_PART == FRND_PART &&
                   F2F_TO == I2F_TO && F2F_TO == FRND_TO && F2F_FROM == F2I_FROM &&
                   F2F_FROM == FRND_FROM,
               "one way to read types");

/* The raw source of 1 << log bytes. */
static void read_source(struct sass_warp *w, const struct sass_inst *i, unsigned log,
                        uint64_t *v)
{
    struct operand plain = i->opd[F2F_A];
    unsigned which = plain.kind == OPD_IMM ? 0 : sass_field(i, F2F_PART);
    uint32_t tmp[WARP_LANES];
    const uint32_t *x;

    plain.flags &= (uint16_t) ~(OPD_NEG | OPD_ABS | OPD_H0 | OPD_H1);
    if (log == LOG_64) {
        sass_source64(w, &plain, v);
        return;
    }
    x = sass_source(w, &plain, 0, SRC_BITS, tmp);
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
    unsigned flags = i->opd[F2F_A].flags;
    bool negative = flags & OPD_NEG, absolute = flags & OPD_ABS;

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
        sass_result64(w, &i->opd[F2F_D], v, mask);
        return;
    }
    LANES(l)
        out[l] = (uint32_t)v[l];
    sass_result(w, &i->opd[F2F_D], 0, out, mask);
}

/* Format of a floating-point result. */
static bool result_format(const struct sass_inst *i, enum fp_format *f)
{
    static const uint8_t formats[5] = { 0, FP_F16, FP_F32, FP_F64, FP_BF16 };
    unsigned field = sass_field(i, F2F_TO);

    if (field < 1 || field > 4)
        return false;
    *f = (enum fp_format)formats[field];
    return true;
}

/* The same for a source. *log is its size. */
static bool source_format(const struct sass_inst *i, enum fp_format *f, unsigned *log)
{
    static const uint8_t formats[5] = { 0, FP_F16, FP_F32, FP_F64, FP_BF16 };
    unsigned field = sass_field(i, F2F_FROM);

    if (field < 1 || field > 4)
        return false;
    *f = (enum fp_format)formats[field];
    *log = field == 4 ? LOG_16 : field;
    return true;
}

enum exec_result exec_f2f(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    struct fp_mode m = { .round = (uint8_t)sass_field(i, F2F_RND),
                         .ftz = sass_has(i, F2F_FTZ) };
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
    unsigned to = sass_field(i, F2I_TO), log;
    struct fp_int type = { .bits = (uint8_t)(8u << to),
                           .is_signed = sass_has(i, F2I_SIGNED),
                           .ntz = sass_has(i, F2I_NTZ) };
    enum fp_round round = (enum fp_round)sass_field(i, F2I_RND);
    bool ftz = sass_has(i, F2I_FTZ);
    enum fp_format from;
    uint64_t v[WARP_LANES];

    if (!source_format(i, &from, &log))
        return no_type(w, i);
    if (from == FP_F32 && to == LOG_32) {
        uint32_t out[WARP_LANES];

        SOURCE(a, F2I_A, SRC_F32);
        fpv_f2i32(type, round, ftz, out, a);
        sass_result(w, &i->opd[F2I_D], 0, out, mask);
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
    unsigned log = sass_field(i, I2F_FROM);
    struct fp_int type = { .bits = (uint8_t)(8u << log),
                           .is_signed = sass_has(i, I2F_SIGNED) };
    enum fp_round round = (enum fp_round)sass_field(i, I2F_RND);
    enum fp_format to;
    uint64_t v[WARP_LANES];

    if (!result_format(i, &to))
        return no_type(w, i);
    if (log == LOG_32 && to == FP_F32) {
        uint32_t out[WARP_LANES];

        SOURCE(a, I2F_A, SRC_INT);
        fpv_i2f32(type, round, out, a);
        sass_result(w, &i->opd[I2F_D], 0, out, mask);
        return EXEC_NEXT;
    }
    if (i->opd[I2F_A].flags & (OPD_NEG | OPD_ABS))
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
    enum fp_round round = (enum fp_round)sass_field(i, FRND_RND);
    bool ftz = sass_has(i, FRND_FTZ);
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

/* F2FP: which conversion it is. The eight-bit results have the low half of c above them:
 * the compiler makes four bytes of two such instructions. */
enum pair_kind {
    PAIR_F16,
    PAIR_BF16,
    PAIR_F16_MERGE, /* b below a half of c */
    PAIR_BF16_MERGE,
    PAIR_F16_E4M3, /* from two bytes of b */
    PAIR_F16_E5M2,
    PAIR_TF32,
    PAIR_E4M3,
    PAIR_E5M2,
    PAIR_E4M3_F16, /* from two halves of b */
    PAIR_E5M2_F16,
    N_PAIR
};

#define IN_WORD(field) SASS_FIELD_MASK(field, WORD_MODIFIERS)

/* By the modifiers without .RELU, rounding, and the half that is taken of b or c; of the
 * first four also without .SATFINITE. */
static enum pair_kind pair_kind_of(const struct sass_inst *i)
{
    static const uint32_t words[N_PAIR] = {
        [PAIR_F16] = 0,
        [PAIR_BF16] = 0x10,
        [PAIR_F16_MERGE] = 0x40,
        [PAIR_BF16_MERGE] = 0x50,
        [PAIR_F16_E4M3] = 0x20006,
        [PAIR_F16_E5M2] = 0x20004,
        [PAIR_TF32] = 0x24050,
        [PAIR_E4M3] = 0x48070,
        [PAIR_E5M2] = 0x48060,
        [PAIR_E4M3_F16] = 0x48032,
        [PAIR_E5M2_F16] = 0x48022,
    };
    const uint32_t plain = IN_WORD(F2FP_HIGH_C) | IN_WORD(F2FP_BF16) |
                           IN_WORD(F2FP_SATFINITE) | IN_WORD(F2FP_MERGE);
    uint32_t word =
        sass_field(i, WORD_MODIFIERS) & ~(IN_WORD(F2FP_RELU) | IN_WORD(F2FP_RND));
    unsigned k = 0;

    if (!(word & ~plain))
        word &= ~(IN_WORD(F2FP_SATFINITE) |
                  (word & IN_WORD(F2FP_MERGE) ? IN_WORD(F2FP_HIGH_C) : 0));
    if (word & IN_WORD(F2FP_UNPACK))
        word &= ~IN_WORD(F2FP_HIGH_B);
    while (k < N_PAIR && words[k] != word)
        k++;
    return (enum pair_kind)k;
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
static uint32_t make_finite(enum fp_format f, uint32_t x)
{
    uint32_t infinity = f == FP_BF16 ? 0x7f80 : 0x7c00;

    if ((x & 0x7fff) == infinity)
        x -= 1;
    if ((x >> 16 & 0x7fff) == infinity)
        x -= 1u << 16;
    return x;
}

/* a is the high value, b the low one, c what a merge puts above. */
static uint32_t convert_pair(enum pair_kind kind, struct fp_mode m, bool is_finite,
                             uint32_t a, uint32_t b, uint32_t c)
{
    enum fp_format f = kind & 1 ? FP_BF16 : FP_F16; /* of the first four */
    uint32_t v;

    switch (kind) {
    case PAIR_F16:
    case PAIR_BF16:
        v = fp_pack2(f, m, a, b);
        return is_finite ? make_finite(f, v) : v;
    case PAIR_F16_MERGE:
    case PAIR_BF16_MERGE:
        v = fp_pack2(f, m, 0, b);
        return (is_finite ? make_finite(f, v) : v) | c << 16;
    case PAIR_F16_E4M3:
        return unpack_fp8(FP8_E4M3, m.relu, b);
    case PAIR_F16_E5M2:
        return unpack_fp8(FP8_E5M2, m.relu, b);
    case PAIR_TF32:
        return fp_to_tf32(m, b);
    case PAIR_E4M3:
    case PAIR_E5M2:
        return pack_fp8(kind == PAIR_E4M3 ? FP8_E4M3 : FP8_E5M2, m.relu, a, b) |
               c << 16;
    default:
        return pack_fp8_half(kind == PAIR_E4M3_F16 ? FP8_E4M3 : FP8_E5M2, m.relu, b) |
               c << 16;
    }
}

/* a is the high value, b the low one. */
enum exec_result exec_f2fp(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    enum pair_kind kind = pair_kind_of(i);
    struct fp_mode m = { .round = (uint8_t)sass_field(i, F2FP_RND),
                         .relu = sass_has(i, F2FP_RELU) };
    unsigned b_shift = kind == PAIR_F16_E4M3 || kind == PAIR_F16_E5M2
                           ? 16 * sass_field(i, F2FP_HIGH_B)
                           : 0;
    unsigned c_shift = 16 * sass_field(i, F2FP_HIGH_C);
    uint32_t out[WARP_LANES];

    if (kind == N_PAIR)
        return no_type(w, i);
    SOURCE(a, F2FP_A, SRC_F32);
    SOURCE(b, F2FP_B, SRC_F32);
    SOURCE(c, F2FP_C, SRC_BITS);
    LANES(l)
        out[l] = convert_pair(kind, m, sass_has(i, F2FP_SATFINITE), a[l],
                              b[l] >> b_shift, c[l] >> c_shift & 0xffff);
    sass_result(w, &i->opd[F2FP_D], 0, out, mask);
    return EXEC_NEXT;
}

/* F2IP.U8.F32.NTZ of b alone: the only shape the compiler makes. */
enum exec_result exec_f2ip(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    const struct fp_int type = { .bits = 8, .ntz = true };
    enum fp_round round = (enum fp_round)sass_field(i, F2IP_RND);
    uint32_t out[WARP_LANES];

    if ((sass_field(i, WORD_MODIFIERS) & ~IN_WORD(F2IP_RND)) != IN_WORD(F2IP_NTZ) ||
        !is_rz(&i->opd[F2IP_A]) || !is_rz(&i->opd[F2IP_C]))
        return no_type(w, i);
    SOURCE(b, F2IP_B, SRC_F32);
    LANES(l)
        out[l] = (uint32_t)fp_to_int(FP_F32, type, round, false, b[l]);
    sass_result(w, &i->opd[F2IP_D], 0, out, mask);
    return EXEC_NEXT;
}

/* A signed word clamped to U8, S8, U16, S16, U2, S2, U4, S4. Upper bits are zero. */
static uint32_t clamp_word(unsigned type, uint32_t x)
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
    unsigned type = sass_field(i, I2I_TYPE);
    uint32_t out[WARP_LANES];

    SOURCE(a, I2I_A, SRC_INT);
    LANES(l)
        out[l] = clamp_word(type, a[l]);
    sass_result(w, &i->opd[I2I_D], 0, out, mask);
    return EXEC_NEXT;
}

/* a above b, and above both what fits of c. */
enum exec_result exec_i2ip(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t bits[4] = { 8, 16, 2, 4 };
    unsigned type = sass_field(i, I2IP_TYPE), n = bits[type >> 1];
    uint32_t out[WARP_LANES];

    if (sass_field(i, I2IP_REST))
        return no_type(w, i);
    SOURCE(a, I2IP_A, SRC_INT);
    SOURCE(b, I2IP_B, SRC_INT);
    SOURCE(c, I2IP_C, SRC_BITS);
    LANES(l) {
        uint32_t above = n < 16 ? c[l] << 2 * n : 0;

        out[l] = clamp_word(type, a[l]) << n | clamp_word(type, b[l]) | above;
    }
    sass_result(w, &i->opd[I2IP_D], 0, out, mask);
    return EXEC_NEXT;
}
