/* exec_memory.c - loads and stores of all spaces, constants, copies to shared memory.
 *
 * Sizes are the field at bit 73. The lanes of an instruction access memory in ascending
 * order, at once. The host is little-endian, as the device is.
 *
 * Not modelled: caches, memory order, and the predicate results of LDG.
 */
#include "frontend/sass/decode/special.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/exec/memory.h"

/* MEM_U128: loads of sm_75; as MEM_128. */
enum mem_size {
    MEM_U8,
    MEM_S8,
    MEM_U16,
    MEM_S16,
    MEM_32,
    MEM_64,
    MEM_128,
    MEM_U128,
    N_MEM_SIZE
};

static const uint8_t size_bytes[N_MEM_SIZE] = { 1, 1, 2, 2, 4, 8, 16, 16 };

/* Lanes that were not asked for are read too: they point to zeros. */
#define LOAD_NARROW(type)                                      \
    static void load_##type(uint8_t *const *at, uint32_t *out) \
    {                                                          \
        SIMD_UNROLL                                            \
        LANES(l) {                                             \
            type v;                                            \
                                                               \
            memcpy(&v, at[l], sizeof v);                       \
            out[l] = (uint32_t)v;                              \
        }                                                      \
    }
LOAD_NARROW(uint8_t)
LOAD_NARROW(int8_t)
LOAD_NARROW(uint16_t)
LOAD_NARROW(int16_t)

static void load_narrow(enum mem_size size, uint8_t *const *at, uint32_t *out)
{
    static void (*const loads[])(uint8_t *const *at, uint32_t *out) = {
        [MEM_U8] = load_uint8_t,
        [MEM_S8] = load_int8_t,
        [MEM_U16] = load_uint16_t,
        [MEM_S16] = load_int16_t,
    };

    loads[size](at, out);
}

static void load_word(uint8_t *const *at, unsigned part, uint32_t mask, uint32_t *out)
{
    if (mask == ALL_LANES)
        LANES(l)
            memcpy(&out[l], at[l] + 4 * part, sizeof out[l]);
    else
        for (uint32_t m = mask; m; m &= m - 1)
            memcpy(&out[__builtin_ctz(m)], at[__builtin_ctz(m)] + 4 * part, 4);
}

/* Loads the lanes into d. All words are read before any is written: d may hold the
 * addresses. */
static void load_lanes(struct sass_warp *w, const struct operand *d, enum mem_size size,
                       const struct memory_place *p, uint32_t mask)
{
    unsigned n = size > MEM_32 ? size_bytes[size] / 4u : 1;
    uint32_t out[4][WARP_LANES];

    if (size < MEM_32)
        load_narrow(size, p->at, out[0]);
    else
        for (unsigned k = 0; k < n; k++)
            load_word(p->at, k, mask, out[k]);
    for (unsigned k = 0; k < n; k++)
        sass_result(w, d, k, out[k], mask);
}

static bool is_true(const struct operand *p)
{
    return p->kind != OPD_PRED || (p->reg == PRED_PT && !(p->flags & OPD_NOT));
}

/* No lane takes part; a generic address has to be said to be somewhere all the same. */
static enum exec_result note_idle(struct sass_warp *w, enum inst_space space)
{
    if (w->dyn && space == SPACE_GENERIC)
        w->dyn->space = SPACE_GLOBAL;
    return EXEC_NEXT;
}

enum { ALL_OF_HALF = (1 << HALF_LANES) - 1 };

/* A word of each lane of a half warp, all side by side, from one place to another. */
static void copy_half(uint8_t *to, const uint8_t *from, uint32_t mask)
{
    if (mask == ALL_OF_HALF) {
        memcpy(to, from, 4 * HALF_LANES);
        return;
    }
    for (uint32_t run; mask; mask &= ~run) {
        unsigned first = (unsigned)__builtin_ctz(mask);

        run = mask & ~(mask + (mask & -mask));
        memcpy(to + 4 * first, from + 4 * first, 4 * (size_t)__builtin_popcount(run));
    }
}

/* A word of each lane of a half warp; neighbours and broadcasts are the usual patterns. */
static void load_half(uint32_t *out, uintptr_t at, int64_t stride, uint32_t mask)
{
    uint32_t v;

    if (stride == 4) {
        copy_half((uint8_t *)out, (const uint8_t *)at, mask);
    } else if (!stride && mask) {
        memcpy(&v, (const void *)at, sizeof v);
        for (unsigned l = 0; l < HALF_LANES; l++)
            out[l] = v;
    } else if (mask == ALL_OF_HALF) {
        SIMD_UNROLL
        for (unsigned l = 0; l < HALF_LANES; l++, at += (uint64_t)stride)
            memcpy(&out[l], (const void *)at, sizeof *out);
    } else {
        for (; mask; mask &= mask - 1) {
            unsigned l = (unsigned)__builtin_ctz(mask);

            memcpy(&out[l], (const void *)(at + l * (uint64_t)stride), sizeof *out);
        }
    }
}

static void store_half(uintptr_t at, int64_t stride, const uint32_t *v, uint32_t mask)
{
    if (stride == 4) {
        copy_half((uint8_t *)at, (const uint8_t *)v, mask);
        return;
    }
    if (mask == ALL_OF_HALF) {
        SIMD_UNROLL
        for (unsigned l = 0; l < HALF_LANES; l++, at += (uint64_t)stride)
            memcpy((void *)at, &v[l], sizeof *v);
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned l = (unsigned)__builtin_ctz(mask);

        memcpy((void *)(at + l * (uint64_t)stride), &v[l], sizeof *v);
    }
}

/* All words of a row side by side. */
static bool is_row(const struct memory_even *p, uint32_t mask)
{
    return mask == ALL_LANES && p->stride == 4 && p->half == 4 * HALF_LANES;
}

static void load_even(struct sass_warp *w, const struct operand *d, unsigned bytes,
                      const struct memory_even *p, uint32_t mask)
{
    if (is_row(p, mask)) { /* stride 4: a word each */
        sass_result(w, d, 0, (const uint32_t *)p->at, mask);
        return;
    }
    for (unsigned k = 0; k < bytes / 4; k++) {
        uint32_t tmp[WARP_LANES], *out = sass_target(w, d, k, tmp, mask);
        uintptr_t at = p->at + 4 * k, other = at + (uintptr_t)p->half;

        load_half(out, at, p->stride, mask & ALL_OF_HALF);
        load_half(out + HALF_LANES, other, p->stride, mask >> HALF_LANES);
        sass_result(w, d, k, out, mask);
    }
}

static void store_even(struct sass_warp *w, const struct operand *data, unsigned bytes,
                       const struct memory_even *p, uint32_t mask)
{
    if (is_row(p, mask)) {
        uint32_t tmp[WARP_LANES];

        memcpy((void *)p->at, sass_source(w, data, 0, SRC_BITS, tmp), ROW_BYTES);
        return;
    }
    for (unsigned k = 0; k < bytes / 4; k++) {
        uint32_t tmp[WARP_LANES];
        const uint32_t *v = sass_source(w, data, k, SRC_BITS, tmp);
        uintptr_t at = p->at + 4 * k, other = at + (uintptr_t)p->half;

        store_half(at, p->stride, v, mask & ALL_OF_HALF);
        store_half(other, p->stride, v + HALF_LANES, mask >> HALF_LANES);
    }
}

static void note_shared(struct sass_warp *w, const uint32_t *offset)
{
    if (w->dyn)
        LANES(l)
            addresses_list(&w->dyn->addr)[l] = offset[l];
}

/* LDS of whole words with good addresses; false if it is something else. */
static bool load_shared(struct sass_warp *w, const struct operand *d,
                        struct memory_access what, uint32_t mask)
{
    const uint8_t *base = w->block->shared;
    struct memory_offsets p;
    unsigned n = what.bytes / 4u;

    if (what.space != SPACE_SHARED || !n || !memory_shared(w, mask, what, &p))
        return false;
    note_shared(w, p.at);
    for (unsigned part = 0; part < n; part++) {
        uint32_t tmp[WARP_LANES], *out = sass_target(w, d, part, tmp, mask);

        SIMD_UNROLL
        LANES(l)
            memcpy(&out[l], base + p.at[l] + 4 * part, sizeof out[l]);
        sass_result(w, d, part, out, mask);
    }
    return true;
}

/* The places of even lanes, one by one. */
static void spread_even(const struct memory_even *e, uint32_t mask,
                        struct memory_place *p)
{
    memset(p->none, 0, sizeof p->none);
    LANES(l) {
        uintptr_t at = e->at + l % HALF_LANES * (uint64_t)e->stride +
                       l / HALF_LANES * (uintptr_t)e->half;

        p->at[l] = mask & sass_lane_bit[l] ? (uint8_t *)at : p->none;
    }
}

static ASIDE void load_even_narrow(struct sass_warp *w, const struct operand *d,
                                   enum mem_size size, const struct memory_even *e,
                                   uint32_t mask)
{
    struct memory_place p;

    spread_even(e, mask, &p);
    load_lanes(w, d, size, &p, mask);
}

static ASIDE enum exec_result load_uneven(struct sass_warp *w,
                                          const struct sass_inst *i, uint32_t mask,
                                          struct memory_access what,
                                          const struct operand *d)
{
    struct memory_place p;

    if (load_shared(w, d, what, mask))
        return EXEC_NEXT;
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    load_lanes(w, d, (enum mem_size)sass_field(i, LD_SIZE), &p, mask);
    return EXEC_NEXT;
}

_Static_assert(LD_D == LDS_D && LD_D == LDL_D && LD_ADDRESS == LDS_ADDRESS &&
                   LD_ADDRESS == LDL_ADDRESS && LD_SIZE == LDS_SIZE &&
                   LD_SIZE == LDL_SIZE && LD_SIZE == LDG_SIZE,
               "one exec_load()");

/* LD, LDG, LDS, LDL; the last two have no predicate. */
enum exec_result exec_load(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    bool is_global = i->base.op == OP_LDG;
    enum mem_size size = (enum mem_size)sass_field(i, LD_SIZE);
    const struct operand *d = &i->opd[is_global ? LDG_D : LD_D];
    struct memory_access what = { &i->opd[is_global ? LDG_ADDRESS : LD_ADDRESS],
                                  i->base.space, 0 };
    struct memory_even even;

    if (!is_true(&i->opd[is_global ? LDG_P : LD_P]) ||
        (is_global && !is_pt(&i->opd[LDG_PD])))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported predicate of a load");
    what.bytes = size_bytes[size];
    if (!mask)
        return note_idle(w, (enum inst_space)what.space);
    if (!memory_even(w, i, mask, what, &even))
        return load_uneven(w, i, mask, what, d);
    if (size >= MEM_32)
        load_even(w, d, what.bytes, &even, mask);
    else
        load_even_narrow(w, d, size, &even, mask);
    return EXEC_NEXT;
}

static void store_lanes(struct sass_warp *w, const struct operand *data,
                        enum mem_size size, const struct memory_place *p, uint32_t mask)
{
    unsigned n = size > MEM_32 ? size_bytes[size] / 4u : 1;
    unsigned bytes = size > MEM_32 ? 4 : size_bytes[size];

    for (unsigned k = 0; k < n; k++) {
        uint32_t tmp[WARP_LANES];
        const uint32_t *v = sass_source(w, data, k, SRC_BITS, tmp);

        if (bytes == 4)
            for (uint32_t m = mask; m; m &= m - 1)
                memcpy(p->at[__builtin_ctz(m)] + 4 * k, &v[__builtin_ctz(m)], 4);
        else
            for (uint32_t m = mask; m; m &= m - 1)
                memcpy(p->at[__builtin_ctz(m)], &v[__builtin_ctz(m)], bytes);
    }
}

/* STS of words with good addresses; false if it is something else. */
static bool store_shared(struct sass_warp *w, const struct operand *data,
                         struct memory_access what, uint32_t mask)
{
    struct memory_offsets p;
    uint32_t tmp[WARP_LANES];
    uint8_t *base = w->block->shared;
    const uint32_t *v;

    if (what.space != SPACE_SHARED || what.bytes != 4 ||
        !memory_shared(w, mask, what, &p))
        return false;
    note_shared(w, p.at);
    v = sass_source(w, data, 0, SRC_BITS, tmp);
    if (mask != ALL_LANES)
        for (uint32_t m = mask; m; m &= m - 1)
            memcpy(base + p.at[__builtin_ctz(m)], &v[__builtin_ctz(m)], sizeof *v);
    else
        LANES(l)
            memcpy(base + p.at[l], &v[l], sizeof v[l]);
    return true;
}

static ASIDE void store_even_narrow(struct sass_warp *w, const struct operand *data,
                                    enum mem_size size, const struct memory_even *e,
                                    uint32_t mask)
{
    struct memory_place p;

    spread_even(e, mask, &p);
    store_lanes(w, data, size, &p, mask);
}

_Static_assert(ST_ADDRESS == STS_ADDRESS && ST_ADDRESS == STL_ADDRESS &&
                   ST_DATA == STS_DATA && ST_DATA == STL_DATA && ST_SIZE == STS_SIZE &&
                   ST_SIZE == STL_SIZE,
               "one exec_store()");

static ASIDE enum exec_result store_uneven(struct sass_warp *w,
                                           const struct sass_inst *i, uint32_t mask,
                                           struct memory_access what)
{
    const struct operand *data = &i->opd[ST_DATA];
    struct memory_place p;

    if (store_shared(w, data, what, mask))
        return EXEC_NEXT;
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    store_lanes(w, data, (enum mem_size)sass_field(i, ST_SIZE), &p, mask);
    return EXEC_NEXT;
}

enum exec_result exec_store(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    enum mem_size size = (enum mem_size)sass_field(i, ST_SIZE);
    struct memory_access what = { &i->opd[ST_ADDRESS], i->base.space, 0 };
    struct memory_even even;

    if (size > MEM_128)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported access size");
    what.bytes = size_bytes[size];
    if (!mask)
        return note_idle(w, (enum inst_space)what.space);
    if (!memory_even(w, i, mask, what, &even))
        return store_uneven(w, i, mask, what);
    if (size >= MEM_32)
        store_even(w, &i->opd[ST_DATA], what.bytes, &even, mask);
    else
        store_even_narrow(w, &i->opd[ST_DATA], size, &even, mask);
    return EXEC_NEXT;
}

/* One value of a constant bank, extended to 32 bits if it is shorter. */
static uint64_t read_constant(const struct sass_warp *w, enum mem_size size,
                              unsigned bank, uint64_t offset)
{
    uint64_t v = sass_constant(w, bank, offset, size >= MEM_64 ? 8 : size_bytes[size]);

    if (size == MEM_S8)
        return (uint64_t)(uint32_t)(int8_t)v;
    if (size == MEM_S16)
        return (uint64_t)(uint32_t)(int16_t)v;
    return v;
}

/* How LDC finds bank and offset: the register is added to the offset, or (.IS) its upper
 * half counts banks and its lower half is the offset. */
enum ldc_mode { LDC_INDEXED, LDC_LINEAR, LDC_SEGMENTED, LDC_SEGMENTED_LINEAR };

_Static_assert(LDC_D == ULDC_D && LDC_CONSTANT == ULDC_CONSTANT &&
                   LDC_SIZE == ULDC_SIZE,
               "one exec_ldc()");

static enum exec_result load_constant(struct sass_warp *w, const struct sass_inst *i,
                                      uint32_t mask, const uint32_t *index,
                                      enum ldc_mode mode)
{
    const struct operand *c = &i->opd[LDC_CONSTANT];
    enum mem_size size = (enum mem_size)sass_field(i, LDC_SIZE);
    uint64_t low[WARP_LANES], high[WARP_LANES], addr[WARP_LANES] = { 0 };

    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        bool segmented = mode == LDC_SEGMENTED;
        unsigned bank = c->bank + (segmented ? index[l] >> 16 : 0);
        uint32_t offset = (segmented ? index[l] & 0xffff : index[l]) + (uint32_t)c->imm;

        if (offset & (size_bytes[size] - 1u))
            return sass_fault(w, i, ERR_MISALIGNED,
                              "misaligned constant 0x%x (lane %u)", offset, l);
        addr[l] = offset;
        low[l] = read_constant(w, size, bank, offset);
        high[l] = size == MEM_128 ? read_constant(w, size, bank, offset + 8u) : 0;
    }
    memory_note(w, SPACE_CONST, addr);
    for (unsigned k = 0; k < (size < MEM_64 ? 1u : size_bytes[size] / 4u); k++) {
        uint32_t out[WARP_LANES];

        for (uint32_t m = mask; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            out[l] = (uint32_t)((k < 2 ? low[l] : high[l]) >> 32 * (k & 1));
        }
        sass_result(w, &i->opd[LDC_D], k, out, mask);
    }
    return EXEC_NEXT;
}

/* Not indexed: one value for all lanes. */
static enum exec_result load_one_constant(struct sass_warp *w,
                                          const struct sass_inst *i, uint32_t mask,
                                          enum mem_size size, uint64_t offset)
{
    unsigned n = size < MEM_64 ? 1 : size_bytes[size] / 4u;

    /* If the guard holds for no lane, the index may be anything. */
    if (mask != 0 && offset & (size_bytes[size] - 1u))
        return sass_fault(w, i, ERR_MISALIGNED, "misaligned constant 0x%llx",
                          (unsigned long long)offset);
    for (unsigned k = 0; k < n; k++) {
        uint64_t v = read_constant(w, size < MEM_32 ? size : MEM_32,
                                   i->opd[LDC_CONSTANT].bank, offset + 4 * k);
        uint32_t out[WARP_LANES];

        LANES(l)
            out[l] = (uint32_t)v;
        sass_result(w, &i->opd[LDC_D], k, out, mask);
    }
    if (w->dyn) {
        w->dyn->space = SPACE_CONST;
        addresses_set_line(&w->dyn->addr, offset, 0);
    }
    return EXEC_NEXT;
}

/* LDC, ULDC. */
enum exec_result exec_ldc(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    const struct operand *c = &i->opd[LDC_CONSTANT];
    enum mem_size size = (enum mem_size)sass_field(i, LDC_SIZE);
    uint64_t offset = (uint64_t)c->imm;
    enum ldc_mode mode;

    if (c->kind != OPD_CONST || size > MEM_128)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported constant access");
    if (c->flags & OPD_UINDEXED && c->reg != UREG_URZ)
        offset = (uint32_t)(offset + sass_uniform(w, c->reg));
    if (!(c->flags & OPD_INDEXED) || c->reg == REG_RZ)
        return load_one_constant(w, i, mask, size, offset);
    mode = (enum ldc_mode)sass_field(i, LDC_MODE);
    if (mode != LDC_INDEXED && mode != LDC_SEGMENTED)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported constant addressing");
    return load_constant(w, i, mask, reg_row(w, c->reg), mode);
}

/* LDGSTS. Where P does not hold the shared memory is filled with zeros. Address bits below
 * the size count bytes at the end that are filled with zeros: so the compiler passes on a
 * source size. */
enum exec_result exec_ldgsts(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    enum mem_size size = (enum mem_size)special_copy_size(i);
    struct memory_access to = { &i->opd[LDGSTS_TO], SPACE_SHARED, 0 };
    struct memory_place shared;
    uint64_t from[WARP_LANES];
    uint32_t load_mask = mask & sass_predicate(w, &i->opd[LDGSTS_P]);

    if (size < MEM_32 || size > MEM_128)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported access size");
    to.bytes = size_bytes[size];
    if (memory_resolve(w, i, mask, to, &shared) == EXEC_ERROR)
        return EXEC_ERROR;
    memory_addresses(w, &i->opd[LDGSTS_FROM], from);
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        unsigned fill = (unsigned)from[l] & (to.bytes - 1u);
        const uint8_t *source = NULL;

        memset(shared.at[l], 0, to.bytes);
        if (!(load_mask >> l & 1))
            continue;
        from[l] -= fill;
        source = memory_seen(w, from[l], memory_global(w, i, from[l], to.bytes, false),
                             to.bytes, false);
        if (!source)
            return sass_fault(w, i, ERR_FAULT, "illegal address 0x%llx (lane %u)",
                              (unsigned long long)from[l], l);
        memcpy(shared.at[l], source, to.bytes - fill);
    }
    memory_note(w, SPACE_GLOBAL, from);
    return EXEC_NEXT;
}

/* Does a generic address lie in the space the field names? S is the block's shared memory,
 * D that of all blocks of the cluster. */
enum exec_result exec_qspc(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const enum inst_space spaces[4] = { SPACE_GLOBAL, SPACE_LOCAL, SPACE_SHARED,
                                               SPACE_SHARED };
    unsigned field = sass_field(i, QSPC_SPACE);
    enum inst_space space = spaces[field];
    struct operand address = i->opd[QSPC_ADDRESS];
    uint64_t addr[WARP_LANES];
    uint8_t is_there[WARP_LANES];

    if (!is_rz(&i->opd[QSPC_D]))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported result of a space query");
    address.flags |= OPD_UWIDE;
    memory_addresses(w, &address, addr);
    LANES(l)
        is_there[l] = memory_space(addr[l]) == space &&
                      (field == 3 || !memory_is_remote(w, addr[l]));
    set_predicate_bits(w, &i->opd[QSPC_PD], gather_bits(is_there), mask);
    return EXEC_NEXT;
}
