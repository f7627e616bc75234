/* exec_vector.c - integer minima and maxima, and sums, products and differences of packed
 * bytes and halves.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/intop.h"

/* P holds: the smaller of the two. */
static void minmax_lanes(uint32_t *out, const uint32_t *a, const uint32_t *b,
                         bool is_signed, uint32_t min)
{
    uint32_t flip = is_signed ? 0x80000000u : 0;

    EACH_LANE(l) {
        bool less = (a[l] ^ flip) < (b[l] ^ flip);

        out[l] = less == lane_bit(min, l) ? a[l] : b[l];
    }
}

/* The low and the high halves of words, each where a word has its high one. */
static void split_halves(uint32_t *low, uint32_t *high, const uint32_t *v)
{
    LANES(l) {
        low[l] = v[l] << 16;
        high[l] = v[l] & 0xffff0000u;
    }
}

static void minmax_halves(uint32_t *out, const uint32_t *a, const uint32_t *b,
                          bool is_signed, uint32_t min)
{
    uint32_t lo[2][WARP_LANES], hi[2][WARP_LANES], low[WARP_LANES];

    split_halves(lo[0], hi[0], a);
    split_halves(lo[1], hi[1], b);
    minmax_lanes(low, lo[0], lo[1], is_signed, min);
    minmax_lanes(out, hi[0], hi[1], is_signed, min);
    LANES(l)
        out[l] |= low[l] >> 16;
}

ROWS_FN(imnmx_rows)
{
    minmax_lanes(out, a, b, !sass_has(i, IMNMX_U32),
                 sass_predicate(w, &i->opd[IMNMX_P]));
}

enum exec_result exec_imnmx(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    return run_rows(w, i, mask, imnmx_rows, ROWS_AB(IMNMX, SRC_INT));
}

/* The packed and signed variants of the V instructions of sm_90. */
struct vector_type {
    bool is_signed, halves, relu;
};

_Static_assert(VIMNMX_TYPE == VIMNMX3_TYPE && VIMNMX_TYPE == VIADDMNMX_TYPE &&
                   VIMNMX_RELU == VIMNMX3_RELU && VIMNMX_RELU == VIADDMNMX_RELU,
               "vector_type() is for all three");

static struct vector_type vector_type(const struct sass_inst *i)
{
    enum { IS_SIGNED = 1, HALVES = 2 };
    unsigned type = sass_field(i, VIMNMX_TYPE);

    return (struct vector_type){ .is_signed = type & IS_SIGNED,
                                 .halves = type & HALVES,
                                 .relu = sass_has(i, VIMNMX_RELU) };
}

static void vector_minmax(struct vector_type t, uint32_t *out, const uint32_t *a,
                          const uint32_t *b, uint32_t min)
{
    static const uint32_t zero[WARP_LANES];

    if (t.halves)
        minmax_halves(out, a, b, t.is_signed, min);
    else
        minmax_lanes(out, a, b, t.is_signed, min);
    if (!t.relu)
        return;
    if (t.halves)
        minmax_halves(out, out, zero, true, 0);
    else
        minmax_lanes(out, out, zero, true, 0);
}

static void vector_add(bool halves, uint32_t *out, const uint32_t *a, const uint32_t *b)
{
    if (halves)
        LANES(l)
            out[l] = ((a[l] + b[l]) & 0xffff) |
                     ((a[l] & 0xffff0000u) + (b[l] & 0xffff0000u));
    else
        LANES(l)
            out[l] = a[l] + b[l];
}

/* A minus sign on packed halves negates each. */
static const uint32_t *vector_source(struct sass_warp *w, const struct operand *o,
                                     bool halves, uint32_t *tmp)
{
    const uint32_t *x = sass_source(w, o, 0, halves ? SRC_BITS : SRC_INT, tmp);

    if (halves && o->flags & OPD_NEG) {
        LANES(l)
            tmp[l] = (-x[l] & 0xffff) | -(x[l] & 0xffff0000u);
        return tmp;
    }
    return x;
}

/* Lanes in which a is the result, of two words. */
static uint32_t takes_a(const uint32_t *a, const uint32_t *b, bool is_signed,
                        uint32_t min)
{
    uint32_t flip = is_signed ? 0x80000000u : 0;

    return (min & ~lanes_less(b, a, flip)) | (~min & ~lanes_less(a, b, flip));
}

/* The predicates of VIMNMX: is a the result? Of halves the first is the low one's. */
static void set_taken(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                      const uint32_t *a, const uint32_t *b)
{
    const struct operand *pd = &i->opd[VIMNMX_PD], *pd2 = &i->opd[VIMNMX_PD2];
    struct vector_type t = vector_type(i);
    uint32_t min = sass_predicate(w, &i->opd[VIMNMX_P]);
    uint32_t lo[2][WARP_LANES], hi[2][WARP_LANES];

    if (!t.halves) {
        set_predicate_bits(w, pd, takes_a(a, b, t.is_signed, min), mask);
        return;
    }
    split_halves(lo[0], hi[0], a);
    split_halves(lo[1], hi[1], b);
    set_predicate_bits(w, pd, takes_a(lo[0], lo[1], t.is_signed, min), mask);
    set_predicate_bits(w, pd2, takes_a(hi[0], hi[1], t.is_signed, min), mask);
}

enum exec_result exec_vimnmx(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct vector_type t = vector_type(i);
    uint32_t out[WARP_LANES];

    if (!is_pt(&i->opd[VIMNMX_PD2]) && !t.halves)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate result");
    SOURCE(a, VIMNMX_A, SRC_INT);
    SOURCE(b, VIMNMX_B, SRC_INT);
    if (!is_pt(&i->opd[VIMNMX_PD]) || !is_pt(&i->opd[VIMNMX_PD2]))
        set_taken(w, i, mask, a, b);
    vector_minmax(t, out, a, b, sass_predicate(w, &i->opd[VIMNMX_P]));
    sass_result(w, &i->opd[VIMNMX_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_vimnmx3(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    struct vector_type t = vector_type(i), first = t;
    uint32_t min = sass_predicate(w, &i->opd[VIMNMX3_P]), ab[WARP_LANES],
             out[WARP_LANES];

    SOURCE(a, VIMNMX3_A, SRC_INT);
    SOURCE(b, VIMNMX3_B, SRC_INT);
    SOURCE(c, VIMNMX3_C, SRC_INT);
    first.relu = false;
    vector_minmax(first, ab, a, b, min);
    vector_minmax(t, out, ab, c, min);
    sass_result(w, &i->opd[VIMNMX3_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_viadd(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    bool halves = sass_has(i, VIADD_16X2);
    uint32_t tmp[2][WARP_LANES], out[WARP_LANES];
    const uint32_t *a = vector_source(w, &i->opd[VIADD_A], halves, tmp[0]);
    const uint32_t *b = vector_source(w, &i->opd[VIADD_B], halves, tmp[1]);

    vector_add(halves, out, a, b);
    sass_result(w, &i->opd[VIADD_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_viaddmnmx(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    struct vector_type t = vector_type(i);
    uint32_t tmp[2][WARP_LANES], sum[WARP_LANES], out[WARP_LANES];
    const uint32_t *a = vector_source(w, &i->opd[VIADDMNMX_A], t.halves, tmp[0]);
    const uint32_t *b = vector_source(w, &i->opd[VIADDMNMX_B], t.halves, tmp[1]);

    SOURCE(c, VIADDMNMX_C, SRC_INT);
    vector_add(t.halves, sum, a, b);
    vector_minmax(t, out, sum, c, sass_predicate(w, &i->opd[VIADDMNMX_P]));
    sass_result(w, &i->opd[VIADDMNMX_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_idp(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    struct intop_idp m = { .signed_a = sass_has(i, IDP_SIGNED_A),
                           .signed_b = sass_has(i, IDP_SIGNED_B),
                           .high = sass_has(i, IDP_HI) };
    bool halves = sass_has(i, IDP_2A);
    uint32_t out[WARP_LANES];

    SOURCE(a, IDP_A, SRC_BITS);
    SOURCE(b, IDP_B, SRC_BITS);
    SOURCE(c, IDP_C, SRC_INT);
    LANES(l)
        out[l] =
            halves ? intop_dp2a(m, a[l], b[l], c[l]) : intop_dp4a(m, a[l], b[l], c[l]);
    sass_result(w, &i->opd[IDP_D], 0, out, mask);
    return EXEC_NEXT;
}

enum exec_result exec_vabsdiff(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    bool is_signed = !sass_has(i, VABSDIFF_U32);
    uint32_t out[WARP_LANES];

    SOURCE(a, VABSDIFF_A, SRC_INT);
    SOURCE(b, VABSDIFF_B, SRC_INT);
    SOURCE(c, VABSDIFF_C, SRC_INT);
    LANES(l)
        out[l] = intop_absdiff(is_signed, a[l], b[l], c[l]);
    sass_result(w, &i->opd[VABSDIFF_D], 0, out, mask);
    return EXEC_NEXT;
}

static uint32_t byte_differences(bool is_signed, uint32_t a, uint32_t b)
{
    uint32_t flip = is_signed ? 0x80 : 0, r = 0;

    for (unsigned k = 0; k < 32; k += 8)
        r |= intop_absdiff(false, (a >> k & 0xff) ^ flip, (b >> k & 0xff) ^ flip, 0)
             << k;
    return r;
}

/* .ACC: their sum, added to c; without it the four bytes, c not being used. */
enum exec_result exec_vabsdiff4(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    bool sum = sass_has(i, VABSDIFF4_ACC), is_signed = !sass_has(i, VABSDIFF4_U8);
    uint32_t out[WARP_LANES];

    if (sass_has(i, VABSDIFF4_UNKNOWN))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported byte differences");
    SOURCE(a, VABSDIFF4_A, SRC_BITS);
    SOURCE(b, VABSDIFF4_B, SRC_BITS);
    SOURCE(c, VABSDIFF4_C, SRC_INT);
    LANES(l)
        out[l] = sum ? intop_absdiff4(is_signed, a[l], b[l], c[l])
                     : byte_differences(is_signed, a[l], b[l]);
    sass_result(w, &i->opd[VABSDIFF4_D], 0, out, mask);
    return EXEC_NEXT;
}
