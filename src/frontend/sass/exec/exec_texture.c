/* exec_texture.c - lookups in textures: TEX, TLD, TLD4, TXD, and the query TXQ.
 *
 * Lanes may each have a texture of their own. The predicate result, which tells of texels
 * that are not resident, is always false. Where there is one level, its number, a bias and
 * derivatives change nothing.
 *
 * Not modelled: levels chosen by what the neighbouring lanes look up, derivatives in three
 * dimensions and cubes, half-precision results, comparison with a reference, multisampling,
 * offsets per texel, clamped levels; each is refused by name.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/exec/texlane.h"
#include "frontend/sass/exec/texmip.h"
#include "frontend/sass/exec/texture.h"

/* One instruction: its registers and, lane by lane, the object and the results. */
struct lookup {
    struct sass_warp *w;
    const struct sass_inst *i;
    struct texops ops;
    const struct texture *texture; /* of the lane before, with this handle */
    uint32_t handle;
    uint32_t out[4][WARP_LANES];
    uint64_t addr[WARP_LANES];
};

static uint32_t read_lane(const struct lookup *k, unsigned reg, unsigned lane)
{
    return texlane_read(k->w, reg, lane);
}

static float read_float(const struct lookup *k, unsigned reg, unsigned lane)
{
    uint32_t bits = read_lane(k, reg, lane);
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Finds the handle of a lane and its object. A query may be about a surface. */
static bool find_texture(struct lookup *k, unsigned lane)
{
    const struct texture_table *table = k->w->block->grid->launch.textures;
    uint32_t handle = texlane_handle(k->w, k->i, &k->ops, lane);

    if (k->texture && k->handle == handle)
        return true;
    k->texture = texture_find(table, handle, false);
    if (!k->texture && (k->i->base.op == OP_TXQ || k->i->base.op == OP_TXQ_B))
        k->texture = texture_find(table, handle, true);
    k->handle = handle;
    if (!k->texture)
        sass_fault(k->w, k->i, ERR_FAULT,
                   "0x%x is not the handle of a texture (lane %u)", handle, lane);
    return k->texture != NULL;
}

/* A lookup of a dimension in an object of another shape means something to hardware,
 * but nothing that a program relies on. */
static bool shape_fits(struct lookup *k, unsigned lane)
{
    static const uint8_t shapes[8] = { TEXTURE_1D,       TEXTURE_2D,
                                       TEXTURE_3D,       TEXTURE_CUBE,
                                       TEXTURE_1D_ARRAY, TEXTURE_2D_ARRAY,
                                       TEXTURE_NONE,     TEXTURE_CUBE_ARRAY };
    unsigned dim = sass_field(k->i, TEXTURE_SHAPE), shape = k->texture->image.shape;
    bool fetches = k->i->base.op == OP_TLD || k->i->base.op == OP_TLD_B;

    /* The compiler turns a 1D lookup into a 2D one with y = 0. */
    if (shape == shapes[dim] || (dim == TEXOPS_2D && shape == TEXTURE_1D) ||
        (dim == TEXOPS_1D && shape == TEXTURE_BUFFER && fetches))
        return true;
    sass_fault(k->w, k->i, ERR_UNSUPPORTED,
               "unsupported lookup in a texture of another shape (lane %u)", lane);
    return false;
}

static int32_t signed_bits(uint32_t v, unsigned at, unsigned bits)
{
    return (int32_t)(v << (32 - at - bits)) >> (32 - bits);
}

/* Layer and offsets of a lane. */
static void read_extras(const struct lookup *k, unsigned lane, struct texture_point *p)
{
    unsigned op = k->i->base.op;
    bool is_gather = op == OP_TLD4 || op == OP_TLD4_B;
    uint32_t v = read_lane(k, k->ops.offset, lane);

    p->layer = read_lane(k, k->ops.layer, lane);
    if (k->ops.is_packed) {
        p->layer &= 0xffff;
        v >>= 16;
    }
    if (k->ops.offset == REG_RZ)
        return;
    for (unsigned d = 0; d < 3; d++)
        p->offset[d] = is_gather ? signed_bits(v, 8 * d, 6) : signed_bits(v, 4 * d, 4);
}

/* The level of detail that the instruction names. */
static float read_lod(const struct lookup *k, unsigned lane)
{
    float slope[4];

    if (k->i->base.op != OP_TXD && k->i->base.op != OP_TXD_B)
        return k->ops.lod == REG_RZ ? 0 : read_float(k, k->ops.lod, lane);
    for (unsigned d = 0; d < 4; d++)
        slope[d] = k->ops.slope[d] == REG_RZ ? 0 : read_float(k, k->ops.slope[d], lane);
    return texmip_gradient(k->texture, slope);
}

/* Mipmaps need a level of detail that is known here. */
static bool level_is_known(const struct lookup *k)
{
    enum { BY_NEIGHBOURS = 0, ZERO = 1, GIVEN = 3 };
    unsigned op = k->i->base.op, mode;

    if (k->texture->image.n_levels <= 1)
        return true;
    if (op == OP_TEX || op == OP_TEX_B) {
        mode = sass_field(k->i, TEX_LOD);
        return mode == ZERO || mode == GIVEN;
    }
    return (op != OP_TXD && op != OP_TXD_B) || k->ops.n_coords < 3;
}

typedef void lookup_fn(const struct lookup *k, unsigned lane, struct texture_result *r);

static void sample_lane(const struct lookup *k, unsigned lane, struct texture_result *r)
{
    struct texture_point p = { .layer = 0 };

    for (unsigned d = 0; d < k->ops.n_coords; d++)
        p.at[d] = read_float(k, k->ops.coord[d], lane);
    read_extras(k, lane, &p);
    if (k->texture->image.n_levels > 1)
        p.lod = read_lod(k, lane);
    if (k->i->base.op == OP_TLD4 || k->i->base.op == OP_TLD4_B)
        texture_gather(k->texture, k->w->block->grid->launch.space, &p,
                       sass_field(k->i, TLD4_COMPONENT), r);
    else
        texture_sample(k->texture, k->w->block->grid->launch.space, &p, r);
}

static void clamp_inside(const struct texture_image *m, int32_t at[3])
{
    const uint32_t size[3] = { m->width, m->height, m->depth };

    for (unsigned d = 0; d < 3; d++) {
        int32_t last = (int32_t)size[d] - 1;

        at[d] = at[d] < 0 ? 0 : at[d] > last ? last : at[d];
    }
}

static void fetch_lane(const struct lookup *k, unsigned lane, struct texture_result *r)
{
    struct texture_point p = { .layer = 0 };
    struct texture t = *k->texture;
    uint32_t level = k->ops.lod == REG_RZ ? 0 : read_lane(k, k->ops.lod, lane);
    int32_t at[3] = { 0 };

    if (level && level < t.image.n_levels) {
        t.image = texmip_level(&t.image, level);
        level = 0;
    }
    read_extras(k, lane, &p);
    for (unsigned d = 0; d < k->ops.n_coords; d++)
        at[d] = (int32_t)(read_lane(k, k->ops.coord[d], lane) + (uint32_t)p.offset[d]);
    /* With a level, what lies outside is the nearest texel inside; a level that does not
     * exist has no texels. */
    if (k->ops.lod != REG_RZ)
        clamp_inside(&t.image, at);
    if (level)
        at[0] = -1;
    texture_fetch(&t, k->w->block->grid->launch.space, at, p.layer, r);
}

_Static_assert(TEX_PD == TEX_B_PD && TEX_PD == TLD_PD && TEX_PD == TLD_B_PD &&
                   TEX_PD == TLD4_PD && TEX_PD == TLD4_B_PD && TEX_PD == TXD_PD &&
                   TEX_PD == TXD_B_PD,
               "write_results() is for all of them");

/* A query has no predicate, but a register in its slot. */
static void write_results(struct lookup *k, uint32_t mask)
{
    const struct operand *p = &k->i->opd[TEX_PD];

    for (unsigned c = 0; c < 4; c++)
        if (k->ops.result[c] != REG_RZ)
            write_row(reg_row(k->w, k->ops.result[c]), k->out[c], mask);
    if (p->kind == OPD_PRED)
        set_predicate_bits(k->w, p, 0, mask);
}

static enum exec_result run_lookup(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t mask, lookup_fn *fn)
{
    struct lookup k = { .w = w, .i = i };

    texops_layout(i, &k.ops);
    if (!texlane_registers_exist(w, i))
        return sass_fault(w, i, ERR_FAULT, "a register that the kernel does not have");
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        struct texture_result r;

        if (!find_texture(&k, lane) || !shape_fits(&k, lane))
            return EXEC_ERROR;
        if (!level_is_known(&k))
            return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported level of a mipmap");
        fn(&k, lane, &r);
        if (r.bad)
            return sass_fault(w, i, ERR_FAULT, "texel at bad address 0x%llx (lane %u)",
                              (unsigned long long)r.bad, lane);
        k.addr[lane] = r.addr;
        for (unsigned c = 0; c < 4; c++)
            k.out[c][lane] = r.channel[c];
    }
    memory_note(w, SPACE_TEXTURE, k.addr);
    write_results(&k, mask);
    return EXEC_NEXT;
}

/* TEX. Level modes: 0 none, 1 LZ, 2 LB, 3 LL; others clamp. */
enum exec_result exec_tex(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (texops_lod(i) > 3)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported level mode");
    if (sass_has(i, TEX_DC))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported depth comparison");
    if (sass_field(i, TEXTURE_HALF))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported half results");
    return run_lookup(w, i, mask, sample_lane);
}

enum exec_result exec_tld4(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    if (sass_has(i, TLD4_PTP))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported offsets per texel");
    if (sass_has(i, TLD4_DC))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported depth comparison");
    if (sass_field(i, TEXTURE_HALF))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported half results");
    return run_lookup(w, i, mask, sample_lane);
}

enum exec_result exec_tld(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (texops_is_multisampled(i))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported multisampling");
    if (sass_field(i, TEXTURE_HALF))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported half results");
    return run_lookup(w, i, mask, fetch_lane);
}

enum exec_result exec_txd(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (sass_has(i, TXD_LC))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported clamped level");
    if (sass_field(i, TEXTURE_HALF))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported half results");
    return run_lookup(w, i, mask, sample_lane);
}

/* Sides that an image does not have are 0, but the height of a texture of one dimension
 * is 1. Layers come after the sides; the faces of a cube are layers of a surface only. */
static void sides_of(const struct texture *t, uint32_t side[3])
{
    const struct texture_image *m = &t->image;

    side[0] = m->width;
    side[1] = m->height;
    side[2] = 0;
    switch (m->shape) {
    case TEXTURE_BUFFER:
    case TEXTURE_1D:
        side[1] = t->is_surface ? 0 : 1;
        break;
    case TEXTURE_1D_ARRAY:
        side[1] = texture_layers(m);
        break;
    case TEXTURE_3D:
    case TEXTURE_2D_ARRAY:
        side[2] = m->depth;
        break;
    case TEXTURE_CUBE:
        side[2] = t->is_surface ? m->depth : 0;
        break;
    case TEXTURE_CUBE_ARRAY:
        side[2] = t->is_surface ? m->depth : texture_layers(m);
        break;
    default:
        break;
    }
}

/* Width, height, depth or layers, number of levels. */
enum exec_result exec_txq(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    struct lookup k = { .w = w, .i = i };

    if (sass_field(i, TXQ_WHAT))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported query");
    texops_layout(i, &k.ops);
    if (!texlane_registers_exist(w, i))
        return sass_fault(w, i, ERR_FAULT, "a register that the kernel does not have");
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        uint32_t side[3] = { 0 }, level, levels;
        struct texture t;

        if (!find_texture(&k, lane))
            return EXEC_ERROR;
        t = *k.texture;
        level = read_lane(&k, k.ops.lod, lane);
        levels = t.image.n_levels > 1 ? t.image.n_levels : 1;
        if (level && level < levels)
            t.image = texmip_level(&t.image, level);
        if (level < levels)
            sides_of(&t, side);
        for (unsigned d = 0; d < 3; d++)
            k.out[d][lane] = side[d];
        k.out[3][lane] = levels;
    }
    write_results(&k, mask);
    return EXEC_NEXT;
}
