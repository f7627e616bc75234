/* exec_surface.c - surfaces: SULD, SUST, SURED.
 *
 * x is in bytes (.BA) or in texels, y and z in rows and slices; an array's layer comes
 * last. What happens outside is the instruction's: a fault (.TRAP), the nearest texel
 * (no suffix), or zeros read and nothing written (.IGN). Lanes act one after another in
 * ascending order.
 *
 * Not modelled: floating-point reductions.
 */
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/exec/texlane.h"
#include "frontend/sass/exec/texture.h"

enum bounds { BOUNDS_IGNORE, BOUNDS_CLAMP, BOUNDS_TRAP, N_BOUNDS };

struct surface_access {
    struct sass_warp *w;
    const struct sass_inst *i;
    struct texops ops;
    const struct texture *surface; /* of the lane at hand */
    unsigned bytes;
    uint64_t addr[WARP_LANES];
};

static uint32_t read_data(const struct surface_access *k, unsigned part, unsigned lane)
{
    return k->ops.data == REG_RZ ? 0 : texlane_read(k->w, k->ops.data + part, lane);
}

static bool find_surface(struct surface_access *k, unsigned lane)
{
    uint32_t handle = texlane_handle(k->w, k->i, &k->ops, lane);

    k->surface = texture_find(k->w->block->grid->launch.textures, handle, true);
    if (!k->surface)
        sass_fault(k->w, k->i, ERR_FAULT,
                   "0x%x is not the handle of a surface (lane %u)", handle, lane);
    return k->surface != NULL;
}

_Static_assert(SULD_CLAMP == SUST_CLAMP && SULD_CLAMP == SUST_P_CLAMP &&
                   SULD_CLAMP == SURED_CLAMP && SULD_SHAPE == SUST_SHAPE &&
                   SULD_SHAPE == SUST_P_SHAPE && SULD_SHAPE == SURED_SHAPE &&
                   SULD_BA == SUST_BA && SULD_BA == SURED_BA && SULD_SIZE == SUST_SIZE,
               "surface accesses have their fields in the same bits");

static bool shape_fits(const struct surface_access *k)
{
    enum { BUFFER = 1, ARRAY_1D, PLANE, ARRAY_2D, VOLUME };
    unsigned shape = sass_field(k->i, SULD_SHAPE);

    switch (k->surface->image.shape) {
    case TEXTURE_1D:
        return shape <= BUFFER;
    case TEXTURE_1D_ARRAY:
        return shape == ARRAY_1D;
    case TEXTURE_2D:
        return shape == PLANE;
    case TEXTURE_3D:
        return shape == VOLUME;
    default: /* faces of cubes are slices */
        return shape == ARRAY_2D;
    }
}

/* Brings v into 0 .. n - 1; *outside if it was not and must not be. */
static uint32_t bound_coordinate(uint32_t v, uint32_t n, enum bounds how, bool *outside)
{
    if (v < n)
        return v;
    if (how == BOUNDS_CLAMP)
        return (int32_t)v < 0 ? 0 : n - 1;
    *outside = true;
    return 0;
}

/* The address of a lane; 0 if the access is to be ignored, with *fault set if it is
 * wrong. */
static uint64_t locate_unit(struct surface_access *k, unsigned lane, const char **fault)
{
    const struct texture_image *m = &k->surface->image;
    enum bounds how = (enum bounds)sass_field(k->i, SULD_CLAMP);
    uint32_t texel = texture_texel_bytes(m), unit = k->bytes;
    bool is_formatted = k->i->base.op == OP_SUST_P || k->i->base.op == OP_SUST_P_B;
    bool in_bytes = !is_formatted && sass_has(k->i, SULD_BA), outside = false;
    uint32_t at[3] = { 0 }, x = texlane_read(k->w, k->ops.coord[0], lane), n;

    if (!in_bytes)
        unit = texel;
    else if (x & (unit - 1))
        *fault = "misaligned surface access";
    else
        x = (uint32_t)((int32_t)x / (int32_t)unit);
    n = m->width * texel / unit;
    if (!n || (!in_bytes && k->bytes > texel))
        *fault = "surface access wider than the surface";
    for (unsigned d = 1; d < k->ops.n_coords; d++)
        at[d] = texlane_read(k->w, k->ops.coord[d], lane);
    if (k->ops.layer != REG_RZ)
        at[2] = texlane_read(k->w, k->ops.layer, lane);
    at[0] = bound_coordinate(x, n, how, &outside);
    at[1] = bound_coordinate(at[1], m->height, how, &outside);
    at[2] = bound_coordinate(at[2], m->depth, how, &outside);
    if (outside && how == BOUNDS_TRAP)
        *fault = "surface access out of range";
    if (outside || *fault)
        return 0;
    return texture_texel(m, 0, at[1], at[2]) + (uint64_t)at[0] * unit;
}

typedef void surface_fn(struct surface_access *k, unsigned lane, uint8_t *at);

/* Bytes of a unit, at most. */
static unsigned unit_bytes(uint64_t addr)
{
    unsigned left = VIEW_LINE - (unsigned)(addr % VIEW_LINE);

    return left < 16 ? left : 16;
}

static enum exec_result run_access(struct surface_access *k, uint32_t mask,
                                   surface_fn *fn)
{
    const struct sass_inst *i = k->i;

    if (sass_field(i, SULD_CLAMP) >= N_BOUNDS || !k->ops.n_coords)
        return sass_fault(k->w, i, ERR_UNSUPPORTED, "unsupported surface access");
    if (!texlane_registers_exist(k->w, i))
        return sass_fault(k->w, i, ERR_FAULT,
                          "a register that the kernel does not have");
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        const char *fault = NULL;
        uint64_t addr;
        uint8_t *at;

        if (!find_surface(k, lane))
            return EXEC_ERROR;
        if (!shape_fits(k))
            return sass_fault(k->w, i, ERR_UNSUPPORTED,
                              "unsupported access to a surface of another shape");
        addr = locate_unit(k, lane, &fault);
        if (fault)
            return sass_fault(k->w, i, ERR_FAULT, "%s (lane %u)", fault, lane);
        at = addr ? space_reach(k->w->block->grid->launch.space, addr, 1) : NULL;
        if (addr && !at)
            return sass_fault(k->w, i, ERR_FAULT,
                              "surface at bad address 0x%llx (lane %u)",
                              (unsigned long long)addr, lane);
        k->addr[lane] = addr;
        memory_order(k->w);
        fn(k, lane, memory_seen(k->w, addr, at, unit_bytes(addr), true));
    }
    memory_note(k->w, SPACE_TEXTURE, k->addr);
    return EXEC_NEXT;
}

static unsigned access_bytes(const struct sass_inst *i)
{
    static const uint8_t sizes[8] = { 1, 1, 2, 2, 4, 8, 16, 0 };

    return sizes[sass_field(i, SULD_SIZE)];
}

static void load_lane(struct surface_access *k, unsigned lane, uint8_t *at)
{
    unsigned size = sass_field(k->i, SULD_SIZE);
    uint32_t word[4] = { 0 };

    if (at)
        memcpy(word, at, k->bytes);
    if (size == 1)
        word[0] = (uint32_t)(int8_t)word[0];
    else if (size == 3)
        word[0] = (uint32_t)(int16_t)word[0];
    for (unsigned part = 0; part < k->ops.n_data; part++)
        if (k->ops.data != REG_RZ)
            k->w->r[k->ops.data + 1 + part][lane] = word[part];
}

/* SULD.D. The result may lie over the coordinates: each lane reads its own first. */
enum exec_result exec_suld(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    struct surface_access k = { .w = w, .i = i, .bytes = access_bytes(i) };
    const struct operand *p = &i->opd[SULD_PD];
    enum exec_result r;

    texops_layout(i, &k.ops);
    if (!k.bytes)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported access size");
    r = run_access(&k, mask, load_lane);
    if (r == EXEC_NEXT && p->kind == OPD_PRED)
        set_predicate_bits(w, p, 0, mask);
    return r;
}

static void store_lane(struct surface_access *k, unsigned lane, uint8_t *at)
{
    uint32_t word[4] = { 0 };

    for (unsigned part = 0; part < k->ops.n_data; part++)
        word[part] = read_data(k, part, lane);
    if (at)
        memcpy(at, word, k->bytes);
}

enum exec_result exec_sust(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    struct surface_access k = { .w = w, .i = i, .bytes = access_bytes(i) };

    texops_layout(i, &k.ops);
    if (!k.bytes)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported access size");
    return run_access(&k, mask, store_lane);
}

/* A formatted store: each register becomes a channel. */
static void store_texel(struct surface_access *k, unsigned lane, uint8_t *at)
{
    const struct texture_image *m = &k->surface->image;

    for (unsigned c = 0; at && c < m->n_channels && c < k->ops.n_data; c++) {
        uint32_t v = texture_pack(m, read_data(k, c, lane));

        memcpy(at + c * m->channel_bytes, &v, m->channel_bytes);
    }
}

enum exec_result exec_sust_p(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct surface_access k = { .w = w, .i = i, .bytes = 1 };

    texops_layout(i, &k.ops);
    return run_access(&k, mask, store_texel);
}

enum { RED_ADD, RED_MIN, RED_MAX, RED_INC, RED_DEC, RED_AND, RED_OR, RED_XOR };

static uint64_t reduce_value(unsigned op, bool is_signed, uint64_t old, uint64_t v)
{
    bool less = is_signed ? (int64_t)v < (int64_t)old : v < old;

    switch (op) {
    case RED_ADD:
        return old + v;
    case RED_MIN:
        return less ? v : old;
    case RED_MAX:
        return less ? old : v;
    case RED_INC:
        return old >= v ? 0 : old + 1;
    case RED_DEC:
        return !old || old > v ? v : old - 1;
    case RED_AND:
        return old & v;
    case RED_OR:
        return old | v;
    default:
        return old ^ v;
    }
}

static void reduce_lane(struct surface_access *k, unsigned lane, uint8_t *at)
{
    unsigned type = sass_field(k->i, SURED_TYPE);
    bool is_signed = type == 1 || type == 5;
    uint64_t old = 0, v = read_data(k, 0, lane);

    if (!at)
        return;
    memcpy(&old, at, k->bytes);
    if (k->bytes == 8) {
        v |= (uint64_t)read_data(k, 1, lane) << 32;
    } else if (is_signed) {
        v = (uint64_t)(int32_t)v;
        old = (uint64_t)(int32_t)old;
    }
    v = reduce_value(sass_field(k->i, SURED_OP), is_signed, old, v);
    memcpy(at, &v, k->bytes);
}

/* SURED. Types: U32, S32, U64, three of floating point, and two of one texel. */
enum exec_result exec_sured(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    static const uint8_t bytes[8] = { 4, 4, 8, 0, 0, 8, 0, 0 };
    struct surface_access k = { .w = w,
                                .i = i,
                                .bytes = bytes[sass_field(i, SURED_TYPE)] };

    texops_layout(i, &k.ops);
    if (!k.bytes)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported type of reduction");
    return run_access(&k, mask, reduce_lane);
}
