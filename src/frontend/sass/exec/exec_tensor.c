/* exec_tensor.c - the tensor instructions and the moves of matrix fragments.
 *
 * Shapes and types are read from the word; a form with any other bit set (sparse,
 * negated) is refused. All 32 lanes take part whatever the mask; results are
 * written under it.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/math/mma.h"

enum { MAX_FRAGMENT = 16 }; /* registers of one operand */

static void find_fragment(struct sass_warp *w, const struct operand *o, unsigned n,
                          const uint32_t **rows)
{
    for (unsigned k = 0; k < n; k++)
        rows[k] = is_rz(o) ? w->r[0] : w->r[o->reg + 1 + k];
}

/* Negated fragments and a uniform predicate exist in the encoding; nothing emits them. */
static bool has_modifiers(const struct sass_inst *i)
{
    unsigned flags = i->opd[HMMA_A].flags | i->opd[HMMA_B].flags | i->opd[HMMA_C].flags;

    return flags & (OPD_NEG | OPD_ABS);
}

_Static_assert(HMMA_D == IMMA_D && HMMA_A == IMMA_A && HMMA_B == IMMA_B &&
                   HMMA_C == IMMA_C && HMMA_D == DMMA_D && HMMA_A == DMMA_A &&
                   HMMA_B == DMMA_B && HMMA_C == DMMA_C,
               "run_mma() is for all three");

static enum exec_result run_mma(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask, const struct mma_op *op)
{
    const uint32_t *a[MAX_FRAGMENT], *b[MAX_FRAGMENT], *c[MAX_FRAGMENT];
    uint32_t out[MAX_FRAGMENT][WARP_LANES], *d[MAX_FRAGMENT];
    struct mma_regs n;

    if (!mma_is_valid(op) || has_modifiers(i))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    n = mma_regs_of(op);
    find_fragment(w, &i->opd[HMMA_A], n.a, a);
    find_fragment(w, &i->opd[HMMA_B], n.b, b);
    find_fragment(w, &i->opd[HMMA_C], n.c, c);
    for (unsigned k = 0; k < n.c; k++)
        d[k] = out[k];
    mma_run(op, d, a, b, c);
    for (unsigned k = 0; k < n.c; k++)
        sass_result(w, &i->opd[HMMA_D], k, out[k], mask);
    return EXEC_NEXT;
}

/* Are all modifiers but the given ones zero? */
static bool has_only(const struct sass_inst *i, uint32_t known)
{
    return !(sass_field(i, WORD_MODIFIERS) & ~known);
}

#define IN_WORD(field) SASS_FIELD_MASK(field, WORD_MODIFIERS)

enum exec_result exec_hmma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t types[4] = { MMA_F16, MMA_BF16, MMA_TF32, N_MMA_TYPE };
    unsigned type = sass_field(i, HMMA_TYPE);
    struct mma_op op = { .m = 16,
                         .k = sass_has(i, HMMA_K16)  ? 16
                              : sass_has(i, HMMA_K4) ? 4
                                                     : 8,
                         .a = types[type],
                         .b = types[type],
                         .f16_acc = !sass_has(i, HMMA_F32) };

    if (!has_only(i, IN_WORD(HMMA_K16) | IN_WORD(HMMA_F32) | IN_WORD(HMMA_K4) |
                         IN_WORD(HMMA_TYPE)) ||
        types[type] == N_MMA_TYPE)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    op.rounding = w->block->grid->launch.tensor;
    if (!op.rounding.group)
        op.rounding = mma_rounding_of(w->block->grid->arch, (enum mma_type)op.a);
    return run_mma(w, i, mask, &op);
}

/* One of the steps of a product of quads; f32 C needs f32 D. */
enum exec_result exec_hmma884(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    struct mma_quads op = { .col_a = sass_has(i, HMMA_884_COL_A),
                            .col_b = sass_has(i, HMMA_884_COL_B),
                            .f32_c = sass_has(i, HMMA_884_F32_C),
                            .f32_d = sass_has(i, HMMA_884_F32_D),
                            .step = (uint8_t)sass_field(i, HMMA_884_STEP),
                            .rounding = mma_rounding_of(SM75, MMA_F16) };
    const uint32_t *a[2], *b[2], *c[2];
    uint32_t out[2][WARP_LANES], *d[2] = { out[0], out[1] };

    if ((op.f32_c && !op.f32_d) || (!op.f32_d && op.step > 1))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    find_fragment(w, &i->opd[HMMA_884_A], 2, a);
    find_fragment(w, &i->opd[HMMA_884_B], 2, b);
    find_fragment(w, &i->opd[HMMA_884_C], 2, c);
    mma_quads(&op, d, a, b, c);
    for (unsigned k = 0; k < 2; k++)
        sass_result(w, &i->opd[HMMA_884_D], k, out[k], mask);
    return EXEC_NEXT;
}

enum exec_result exec_imma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const struct {
        uint8_t m, k;
    } shapes[8] = { { 8, 16 },  { 0, 0 },   { 8, 32 },  { 0, 0 },
                    { 16, 16 }, { 16, 32 }, { 16, 64 }, { 0, 0 } };
    unsigned shape = sass_field(i, IMMA_TALL) << 2 |
                     sass_field(i, IMMA_DEEP_NIBBLES) << 1 | sass_field(i, IMMA_DEEP);
    bool nibbles = sass_has(i, IMMA_NIBBLES_A);
    struct mma_op op = { .m = shapes[shape].m,
                         .k = shapes[shape].k,
                         .a = nibbles ? MMA_U4 : MMA_U8,
                         .b = nibbles ? MMA_U4 : MMA_U8,
                         .sat = sass_has(i, IMMA_SAT) };
    uint32_t known =
        IN_WORD(IMMA_IGNORED) | IN_WORD(IMMA_DEEP) | IN_WORD(IMMA_SIGNED_A) |
        IN_WORD(IMMA_SIGNED_B) | IN_WORD(IMMA_SAT) | IN_WORD(IMMA_NIBBLES_A) |
        IN_WORD(IMMA_NIBBLES_B) | IN_WORD(IMMA_DEEP_NIBBLES) | IN_WORD(IMMA_TALL);

    if (sass_has(i, IMMA_SIGNED_A))
        op.a = nibbles ? MMA_S4 : MMA_S8;
    if (sass_has(i, IMMA_SIGNED_B))
        op.b = nibbles ? MMA_S4 : MMA_S8;
    if (!has_only(i, known) || nibbles != sass_has(i, IMMA_NIBBLES_B) || !op.m)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    return run_mma(w, i, mask, &op);
}

enum exec_result exec_dmma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t depth[4] = { 4, 4, 8, 16 };
    unsigned shape = sass_field(i, DMMA_SHAPE);
    struct mma_op op = {
        .m = shape ? 16 : 8, .k = depth[shape], .a = MMA_F64, .b = MMA_F64
    };

    if (!has_only(i, IN_WORD(DMMA_SHAPE)))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    return run_mma(w, i, mask, &op);
}

enum exec_result exec_bmma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const struct mma_bits_op shapes[4] = {
        { 8, 128, false }, { 16, 128, false }, { 16, 256, false }, { 0, 0, false }
    };
    const uint32_t *a[4], *b[2], *c[4];
    uint32_t out[4][WARP_LANES], *d[4] = { out[0], out[1], out[2], out[3] };
    struct mma_bits_op op = shapes[sass_field(i, BMMA_SHAPE)];

    op.is_and = sass_has(i, BMMA_AND);
    if (!has_only(i, IN_WORD(BMMA_IGNORED) | IN_WORD(BMMA_SHAPE) | IN_WORD(BMMA_AND) |
                         IN_WORD(BMMA_POPC)) ||
        !op.m)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    find_fragment(w, &i->opd[BMMA_A], op.m * op.k / 1024u, a);
    find_fragment(w, &i->opd[BMMA_B], op.k / 128u, b);
    find_fragment(w, &i->opd[BMMA_C], op.m / 4u, c);
    mma_bits(&op, d, a, b, c);
    for (unsigned k = 0; k < op.m / 4u; k++)
        sass_result(w, &i->opd[BMMA_D], k, out[k], mask);
    return EXEC_NEXT;
}

_Static_assert(LDSM_COUNT == STSM_COUNT && LDSM_SHAPE == STSM_SHAPE,
               "resolve_rows() is for both");
enum { SHAPE_M88, SHAPE_MT88 };

/* Rows of the matrices: lanes 8 m .. 8 m + 7 give the addresses of matrix m. */
static enum exec_result resolve_rows(struct sass_warp *w, const struct sass_inst *i,
                                     const struct operand *address,
                                     struct memory_place *p)
{
    unsigned log = sass_field(i, LDSM_COUNT);
    uint32_t lanes = log >= 2 ? ALL_LANES : (1u << (8 << log)) - 1;
    struct memory_access what = { address, SPACE_SHARED, 16 };

    if (log == 3 || sass_field(i, LDSM_SHAPE) > SHAPE_MT88 ||
        (i->arch >= SM100 && (sass_has(i, LDSM_MT1616) || sass_field(i, LDSM_FORMAT))))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix load or store");
    return memory_resolve(w, i, lanes, what, p);
}

enum exec_result exec_ldsm(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned n = 1u << sass_field(i, LDSM_COUNT);
    bool transposed = sass_field(i, LDSM_SHAPE) == SHAPE_MT88;
    uint32_t out[4][WARP_LANES];
    struct memory_place p;

    if (resolve_rows(w, i, &i->opd[LDSM_ADDRESS], &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (unsigned k = 0; k < n; k++)
        LANES(l) {
            uint16_t half[2];

            for (unsigned h = 0; h < 2; h++) {
                struct mma_place at = mma_matrix_place(l, k, h, transposed);

                memcpy(&half[h], p.at[at.lane] + at.offset, sizeof half[h]);
            }
            out[k][l] = half[0] | (uint32_t)half[1] << 16;
        }
    for (unsigned k = 0; k < n; k++)
        sass_result(w, &i->opd[LDSM_D], k, out[k], mask);
    return EXEC_NEXT;
}

enum exec_result exec_stsm(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned n = 1u << sass_field(i, STSM_COUNT);
    bool transposed = sass_field(i, STSM_SHAPE) == SHAPE_MT88;
    struct memory_place p;

    if (resolve_rows(w, i, &i->opd[STSM_ADDRESS], &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (unsigned k = 0; k < n; k++) {
        uint32_t tmp[WARP_LANES];
        const uint32_t *v = sass_source(w, &i->opd[STSM_DATA], k, SRC_BITS, tmp);

        for (uint32_t m = mask; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            for (unsigned h = 0; h < 2; h++) {
                struct mma_place at = mma_matrix_place(l, k, h, transposed);
                uint16_t half = (uint16_t)(v[l] >> 16 * h);

                memcpy(p.at[at.lane] + at.offset, &half, sizeof half);
            }
        }
    }
    return EXEC_NEXT;
}

/* MOVM.16.MT88. */
enum exec_result exec_movm(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t out[WARP_LANES];

    if (sass_field(i, MOVM_SHAPE))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix move");
    SOURCE(a, MOVM_A, SRC_BITS);
    mma_transpose(out, a);
    sass_result(w, &i->opd[MOVM_D], 0, out, mask);
    return EXEC_NEXT;
}
