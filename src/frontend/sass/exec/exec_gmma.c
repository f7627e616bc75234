/* exec_gmma.c - warpgroup products: HGMMA, IGMMA, QGMMA, BGMMA.
 *
 * The four warps of a warpgroup multiply a matrix of 64 rows together. Each warp here
 * computes its 16 rows when it executes the instruction: the product is done at once, so
 * there is no group to wait for, and nobody waits for the other three warps. B, and A
 * unless it is in registers, lie in shared memory as a descriptor in uniform registers
 * says; accumulators are laid out in each 8 columns as those of HMMA.
 *
 * A descriptor holds a start address (bits 0..13), two distances (16..29 leading, 32..45
 * stride), all in units of 16 bytes, and a swizzle (62..63: none, 128, 64, 32 bytes).
 * Memory is read in chunks of 16 bytes, 8 of which make a core matrix:
 *   k-major   a chunk is a piece of a row. Rows of a core matrix follow each other at
 *             16 bytes, or at the swizzle's width; 8 rows further is stride, the next
 *             chunk in a row is leading away, or with a swizzle beside it.
 *   m-major   a chunk is 8 elements of a column. Columns follow each other likewise;
 *             8 columns further is leading, 8 rows further stride. With a swizzle 8
 *             columns further is stride, 8 rows further are beside it up to its width,
 *             and then leading away.
 * A swizzle exchanges chunks by the address: bits 4..6 (5, 4) with bits 7..9 (8, 7) by
 * exclusive or.
 *
 * A base offset in the descriptor, and sparse A, are refused.
 */
#include "frontend/sass/decode/operand.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/math/gmma.h"

enum { CHUNK = 16, CORE = 8, SLICE = 16 /* rows of a warp */ };

struct matrix {
    uint32_t start, leading, stride;
    uint32_t width; /* of the swizzle, in bytes; 0: none */
    bool k_major;
    unsigned bytes; /* of an element */
    unsigned depth; /* elements along k */
};

static bool read_descriptor(const struct sass_warp *w, unsigned reg, struct matrix *m)
{
    static const uint8_t widths[4] = { 0, 128, 64, 32 };
    uint64_t d = reg + 1 < UREG_URZ
                     ? (uint64_t)sass_uniform(w, reg + 1) << 32 | sass_uniform(w, reg)
                     : 0;

    m->start = (uint32_t)(d & 0x3fff) << 4;
    m->leading = (uint32_t)(d >> 16 & 0x3fff) << 4;
    m->stride = (uint32_t)(d >> 32 & 0x3fff) << 4;
    m->width = widths[d >> 62];
    return !(d >> 49 & 7);
}

/* Distance from the start of the chunk with row (or column of B) r, k counted in chunks
 * if k-major, else r counted in chunks. */
static uint32_t chunk_offset(const struct matrix *m, unsigned r, unsigned k)
{
    if (m->k_major) {
        uint32_t pitch = m->width ? m->width : CHUNK;

        return r % CORE * pitch + r / CORE * m->stride +
               k * (m->width ? CHUNK : m->leading);
    }
    if (!m->width)
        return r * m->stride + k % CORE * CHUNK + k / CORE * m->leading;
    return r % (m->width / CHUNK) * CHUNK + r / (m->width / CHUNK) * m->leading +
           k % CORE * m->width + k / CORE * m->stride;
}

/* The chunk in shared memory; NULL if it is not there. */
static const uint8_t *chunk_at(const struct sass_warp *w, const struct matrix *m,
                               unsigned r, unsigned k)
{
    uint32_t addr = m->start + chunk_offset(m, r, k);

    if (m->width)
        addr ^= addr >> 3 & (m->width - CHUNK);
    if (addr >= w->block->shared_size || w->block->shared_size - addr < CHUNK)
        return NULL;
    return w->block->shared + addr;
}

/* Elements of a chunk, step apart. */
static void spread_chunk(const uint8_t *chunk, unsigned bytes, uint32_t *to,
                         unsigned step)
{
    for (unsigned k = 0; k < CHUNK / bytes; k++) {
        uint32_t v = 0;

        memcpy(&v, chunk + k * bytes, bytes);
        to[k * step] = v;
    }
}

/* Where elements go: rows are `row` apart, elements along k `col`. */
struct table {
    uint32_t *at;
    unsigned row, col;
};

/* Reads n rows from row first on. */
static bool read_matrix(const struct sass_warp *w, const struct matrix *m,
                        unsigned first, unsigned n, struct table to)
{
    unsigned per = CHUNK / m->bytes;
    unsigned rows = m->k_major ? n : n / per,
             ks = m->k_major ? m->depth / per : m->depth;

    for (unsigned r = 0; r < rows; r++)
        for (unsigned k = 0; k < ks; k++) {
            const uint8_t *chunk =
                chunk_at(w, m, (m->k_major ? first : first / per) + r, k);

            if (!chunk)
                return false;
            if (m->k_major)
                spread_chunk(chunk, m->bytes, to.at + r * to.row + k * per * to.col,
                             to.col);
            else
                spread_chunk(chunk, m->bytes, to.at + r * per * to.row + k * to.col,
                             to.row);
        }
    return true;
}

/* A in registers, as for HMMA: see mmatile.h. */
static void read_registers(struct sass_warp *w, const struct operand *o, unsigned bytes,
                           unsigned depth, uint32_t *to)
{
    unsigned per = 4 / bytes, bits = 8 * bytes;
    uint32_t keep = ~0u >> (32 - bits);

    for (unsigned r = 0; r < 4; r++) {
        const uint32_t *v = is_rz(o) ? w->r[0] : w->r[o->reg + 1 + r];

        LANES(l) {
            uint32_t *at =
                to + (l / 4 + CORE * (r & 1)) * depth + per * (l % 4 + 4 * (r >> 1));

            for (unsigned h = 0; h < per; h++)
                at[h] = v[l] >> bits * h & keep;
        }
    }
}

/* Place in an 16 x 8 tile of the element in register r of a lane (f16: of its low
 * half; the high one follows). */
static unsigned place_in_tile(bool is_f16, unsigned l, unsigned r)
{
    unsigned row = l / 4 + CORE * (is_f16 ? r : r >> 1);

    return row * MMA_N + 2 * (l % 4) + (is_f16 ? 0 : r & 1);
}

static void read_tile(struct sass_warp *w, const struct operand *o, bool is_f16,
                      unsigned tile, uint32_t *c)
{
    unsigned n = is_f16 ? 2 : 4;

    for (unsigned r = 0; r < n; r++) {
        const uint32_t *v = w->r[o->reg + 1 + n * tile + r];

        LANES(l) {
            unsigned at = place_in_tile(is_f16, l, r);

            c[at] = is_f16 ? v[l] & 0xffff : v[l];
            if (is_f16)
                c[at + 1] = v[l] >> 16;
        }
    }
}

static void write_tile(struct sass_warp *w, const struct operand *o, bool is_f16,
                       unsigned tile, const uint32_t *c)
{
    unsigned n = is_f16 ? 2 : 4;

    for (unsigned r = 0; r < n; r++) {
        uint32_t *v = w->r[o->reg + 1 + n * tile + r];

        LANES(l) {
            unsigned at = place_in_tile(is_f16, l, r);

            v[l] = is_f16 ? c[at] | c[at + 1] << 16 : c[at];
        }
    }
}

/* Reads the types; false if the word has bits that are not known. */
static bool read_types(const struct sass_inst *i, struct gmma_op *op)
{
    enum { AND_POPC = 5, SIGNED_B = SASS_FIELD_MASK(WGMMA_S8_B, WGMMA_REST) };
    unsigned types = sass_span(i, WGMMA_F32, WGMMA_TF32);
    unsigned rest = sass_field(i, WGMMA_REST);
    bool is_negated, is_sparse = sass_field(i, WGMMA_REST_LOW);

    *op = (struct gmma_op){ .neg_a = sass_has(i, WGMMA_NEG_A),
                            .neg_b = sass_has(i, WGMMA_NEG_B) };
    is_negated = op->neg_a || op->neg_b;
    switch (i->base.op) {
    case OP_HGMMA:
        op->a = op->b = sass_has(i, WGMMA_BF16)   ? GMMA_BF16
                        : sass_has(i, WGMMA_TF32) ? GMMA_TF32
                                                  : GMMA_F16;
        op->f16_acc = !sass_has(i, WGMMA_F32);
        return !rest && !is_sparse &&
               !(sass_has(i, WGMMA_BF16) && sass_has(i, WGMMA_TF32)) &&
               (!op->f16_acc || op->a == GMMA_F16) &&
               sass_has(i, WGMMA_K8) == (op->a == GMMA_TF32);
    case OP_QGMMA:
        op->a = sass_has(i, WGMMA_E5M2_A) ? GMMA_E5M2 : GMMA_E4M3;
        op->b = sass_has(i, WGMMA_E5M2_B) ? GMMA_E5M2 : GMMA_E4M3;
        op->f16_acc = !sass_has(i, WGMMA_F32);
        return !rest && !is_sparse && !sass_has(i, WGMMA_K8);
    case OP_IGMMA:
        op->a = sass_has(i, WGMMA_S8_A) ? GMMA_S8 : GMMA_U8;
        op->b = sass_has(i, WGMMA_S8_B) ? GMMA_S8 : GMMA_U8;
        op->sat = sass_has(i, WGMMA_SAT);
        return !(rest & ~(unsigned)SIGNED_B) && !is_sparse &&
               !sass_has(i, WGMMA_TF32) && !is_negated;
    default: /* BGMMA.AND.POPC */
        op->a = op->b = GMMA_B1;
        return rest == AND_POPC && !is_sparse && !types && !is_negated;
    }
}

static bool has_registers(const struct operand *o, unsigned n)
{
    return o->kind != OPD_REG || is_rz(o) || o->reg + n <= REG_RZ;
}

/* A of this warp into e, from registers or shared memory. */
static bool read_a(struct sass_warp *w, const struct sass_inst *i,
                   const struct gmma_op *op, struct matrix m, struct mma_elements *e)
{
    m.k_major = !sass_has(i, WGMMA_TNSP_A);
    if (i->opd[HGMMA_A].kind == OPD_REG)
        read_registers(w, &i->opd[HGMMA_A], m.bytes, m.depth, e->a);
    else if (!read_matrix(w, &m, w->index % 4 * SLICE, SLICE,
                          (struct table){ e->a, m.depth, 1 }))
        return false;
    if (op->neg_a)
        gmma_negate((enum gmma_type)op->a, e->a, SLICE * m.depth);
    return true;
}

static enum exec_result run_gmma(struct sass_warp *w, const struct sass_inst *i,
                                 const struct gmma_op *op, const struct matrix *a,
                                 const struct matrix *b)
{
    unsigned n_tiles = operand_gmma_columns(i) / MMA_N;
    bool with_c = sass_predicate(w, &i->opd[HGMMA_P]) && !is_rz(&i->opd[HGMMA_C]);
    struct mma_elements e;

    if (!read_a(w, i, op, *a, &e))
        return sass_fault(w, i, ERR_FAULT, "matrix A is not in shared memory");
    for (unsigned tile = 0; tile < n_tiles; tile++) {
        uint32_t c[SLICE * MMA_N] = { 0 };

        if (!read_matrix(w, b, tile * MMA_N, MMA_N, (struct table){ e.b, 1, MMA_N }))
            return sass_fault(w, i, ERR_FAULT, "matrix B is not in shared memory");
        if (op->neg_b)
            gmma_negate((enum gmma_type)op->b, e.b, b->depth * MMA_N);
        if (with_c)
            read_tile(w, &i->opd[HGMMA_C], op->f16_acc, tile, c);
        gmma_tile(op, &e, c);
        write_tile(w, &i->opd[HGMMA_D], op->f16_acc, tile, c);
    }
    return EXEC_NEXT;
}

/* A is in registers, or in shared memory; then its slot has the uniform registers of both
 * descriptors. Otherwise B's descriptor is the upper half of four in its slot. P says
 * whether c counts. */
enum exec_result exec_gmma(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    bool a_in_registers = i->opd[HGMMA_A].kind == OPD_REG;
    unsigned n_columns = operand_gmma_columns(i), reg;
    struct matrix a = { 0 }, b;
    struct gmma_op op;

    if (!mask)
        return EXEC_NEXT;
    if (mask != ALL_LANES)
        return sass_fault(w, i, ERR_UNSUPPORTED,
                          "warpgroup product of a part of a warp");
    if (!read_types(i, &op) || n_columns > 256 ||
        !has_registers(&i->opd[HGMMA_D], n_columns / (op.f16_acc ? 4 : 2)) ||
        !has_registers(&i->opd[HGMMA_C], n_columns / (op.f16_acc ? 4 : 2)) ||
        !has_registers(&i->opd[HGMMA_A], 4) || is_rz(&i->opd[HGMMA_D]))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported matrix shape or type");
    reg = i->opd[a_in_registers ? HGMMA_B : HGMMA_A].reg;
    if ((!a_in_registers && !read_descriptor(w, reg, &a)) ||
        !read_descriptor(w, reg + 2, &b))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported base offset of a matrix");
    a.bytes = b.bytes = gmma_bytes((enum gmma_type)op.a);
    a.depth = b.depth = gmma_depth((enum gmma_type)op.a);
    b.k_major = !sass_has(i, WGMMA_TNSP_B);
    if ((!b.k_major || sass_has(i, WGMMA_TNSP_A)) && a.bytes != 2)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported transposition");
    return run_gmma(w, i, &op, &a, &b);
}
