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

static void fragment(struct sass_warp *w, const struct operand *o, unsigned n,
                     const uint32_t **rows)
{
    for (unsigned k = 0; k < n; k++)
        rows[k] = is_rz(o) ? w->r[0] : w->r[o->reg + 1 + k];
}

/* Negated fragments and a uniform predicate exist in the encoding; nothing emits them. */
static bool has_modifiers(const struct sass_inst *i)
{
    unsigned flags = i->opd[1].flags | i->opd[2].flags | i->opd[3].flags;

    return flags & (OPD_NEG | OPD_ABS);
}

static enum exec_result run_mma(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask, const struct mma_op *op)
{
    const uint32_t *a[MAX_FRAGMENT], *b[MAX_FRAGMENT], *c[MAX_FRAGMENT];
    uint32_t out[MAX_FRAGMENT][WARP_LANES], *d[MAX_FRAGMENT];
    struct mma_regs n;

    if (!mma_is_valid(op) || has_modifiers(i))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    n = mma_regs_of(op);
    fragment(w, &i->opd[1], n.a, a);
    fragment(w, &i->opd[2], n.b, b);
    fragment(w, &i->opd[3], n.c, c);
    for (unsigned k = 0; k < n.c; k++)
        d[k] = out[k];
    mma_run(op, d, a, b, c);
    for (unsigned k = 0; k < n.c; k++)
        result(w, &i->opd[0], k, out[k], mask);
    return EXEC_NEXT;
}

/* Are all of bits 72..90 outside the given ones zero? */
static bool only_bits(const struct sass_inst *i, uint32_t allowed)
{
    return !(sass_bits(i, 72, 19) & ~allowed);
}

#define BIT72(n) (1u << ((n)-72))

enum exec_result exec_hmma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t types[4] = { MMA_F16, MMA_BF16, MMA_TF32, N_MMA_TYPE };
    unsigned type = sass_bits(i, 82, 2);
    struct mma_op op = { .m = 16,
                         .k = sass_bits(i, 75, 1)   ? 16
                              : sass_bits(i, 78, 1) ? 4
                                                    : 8,
                         .a = types[type],
                         .b = types[type],
                         .f16_acc = !sass_bits(i, 76, 1) };

    if (!only_bits(i, BIT72(75) | BIT72(76) | BIT72(78) | BIT72(82) | BIT72(83)) ||
        types[type] == N_MMA_TYPE)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    op.rounding = w->block->grid->launch.tensor;
    if (!op.rounding.group)
        op.rounding = mma_rounding_of(w->block->grid->arch, (enum mma_type)op.a);
    return run_mma(w, i, mask, &op);
}

enum exec_result exec_imma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const struct {
        uint8_t m, k;
    } shapes[8] = { { 8, 16 },  { 0, 0 },   { 8, 32 },  { 0, 0 },
                    { 16, 16 }, { 16, 32 }, { 16, 64 }, { 0, 0 } };
    unsigned shape = sass_bits(i, 85, 2) << 1 | sass_bits(i, 75, 1);
    bool nibbles = sass_bits(i, 83, 1);
    struct mma_op op = { .m = shapes[shape].m,
                         .k = shapes[shape].k,
                         .a = nibbles ? MMA_U4 : MMA_U8,
                         .b = nibbles ? MMA_U4 : MMA_U8,
                         .sat = sass_bits(i, 82, 1) };
    uint32_t known = BIT72(74) | BIT72(75) | BIT72(76) | BIT72(78) | BIT72(82) |
                     BIT72(83) | BIT72(84) | BIT72(85) | BIT72(86);

    if (sass_bits(i, 76, 1))
        op.a = nibbles ? MMA_S4 : MMA_S8;
    if (sass_bits(i, 78, 1))
        op.b = nibbles ? MMA_S4 : MMA_S8;
    if (!only_bits(i, known) || nibbles != sass_bits(i, 84, 1) || !op.m)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    return run_mma(w, i, mask, &op);
}

enum exec_result exec_dmma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t depth[4] = { 4, 4, 8, 16 };
    unsigned shape = sass_bits(i, 76, 2);
    struct mma_op op = {
        .m = shape ? 16 : 8, .k = depth[shape], .a = MMA_F64, .b = MMA_F64
    };

    if (!only_bits(i, BIT72(76) | BIT72(77)))
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
    struct mma_bits_op op = shapes[sass_bits(i, 75, 2)];

    op.is_and = sass_bits(i, 78, 1);
    if (!only_bits(i, BIT72(74) | BIT72(75) | BIT72(76) | BIT72(78) | BIT72(80)) ||
        !op.m)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    fragment(w, &i->opd[1], op.m * op.k / 1024u, a);
    fragment(w, &i->opd[2], op.k / 128u, b);
    fragment(w, &i->opd[3], op.m / 4u, c);
    mma_bits(&op, d, a, b, c);
    for (unsigned k = 0; k < op.m / 4u; k++)
        result(w, &i->opd[0], k, out[k], mask);
    return EXEC_NEXT;
}

/* Rows of the matrices: lanes 8 m .. 8 m + 7 give the addresses of matrix m. */
static enum exec_result resolve_rows(struct sass_warp *w, const struct sass_inst *i,
                                     unsigned slot, struct memory_place *p)
{
    unsigned n = 1u << sass_bits(i, 72, 2);
    uint32_t lanes = n >= 4 ? ALL_LANES : (1u << 8 * n) - 1;
    struct memory_access what = { &i->opd[slot], SPACE_SHARED, 16 };

    if (sass_bits(i, 72, 2) == 3 || sass_bits(i, 79, 1))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix load or store");
    return memory_resolve(w, i, lanes, what, p);
}

/* Slots: d, address. */
enum exec_result exec_ldsm(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned n = 1u << sass_bits(i, 72, 2);
    bool transposed = sass_bits(i, 78, 1);
    uint32_t out[4][WARP_LANES];
    struct memory_place p;

    if (resolve_rows(w, i, 1, &p) == EXEC_ERROR)
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
        result(w, &i->opd[0], k, out[k], mask);
    return EXEC_NEXT;
}

/* Slots: address, data. */
enum exec_result exec_stsm(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned n = 1u << sass_bits(i, 72, 2);
    bool transposed = sass_bits(i, 78, 1);
    struct memory_place p;

    if (resolve_rows(w, i, 0, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (unsigned k = 0; k < n; k++) {
        uint32_t tmp[WARP_LANES];
        const uint32_t *v = source(w, &i->opd[1], k, SRC_BITS, tmp);

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

/* MOVM.16.MT88. Slots: d, a. */
enum exec_result exec_movm(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint32_t out[WARP_LANES];

    if (sass_bits(i, 78, 2))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix move");
    SOURCE(a, 1, SRC_BITS);
    mma_transpose(out, a);
    result(w, &i->opd[0], 0, out, mask);
    return EXEC_NEXT;
}
