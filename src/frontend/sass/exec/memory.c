/* memory.c - from the addresses of an instruction to host memory.
 *
 * Global memory is checked by granules of 256 bytes, which no aligned access crosses, and
 * where a granule is not allocated, by pages (memory_outside()); shared and local memory
 * by their sizes. A generic address means shared or local memory
 * if it lies in one of the two windows. On sm_90 a shared address carries the block's
 * rank in its cluster in bits 24 and up; generic addresses reach every block of the
 * cluster, instructions for shared memory only their own.
 */
#include "frontend/sass/exec/memory.h"

#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/grid.h"
#include "frontend/sass/exec/sanitize.h"
#include "frontend/sass/math/simd.h"

uint64_t memory_uniform_part(const struct sass_warp *w, const struct operand *o)
{
    uint64_t v;

    if (o->flags & OPD_DESC || o->ureg >= UREG_URZ)
        return 0;
    v = sass_uniform(w, o->ureg);
    if (o->flags & OPD_UWIDE)
        v |= (uint64_t)sass_uniform(w, o->ureg + 1) << 32;
    return v;
}

void memory_addresses(struct sass_warp *w, const struct operand *o, uint64_t *addr)
{
    uint64_t offset = memory_offset(w, o);
    const uint32_t *lo = reg_row(w, o->reg);

    if (o->reg == REG_RZ) {
        LANES(l)
            addr[l] = offset;
    } else if (o->flags & OPD_WIDE) {
        const uint32_t *hi = w->r[o->reg + 2];

        LANES(l)
            addr[l] = (((uint64_t)hi[l] << 32 | lo[l]) << o->scale) + offset;
    } else {
        LANES(l)
            addr[l] = ((uint64_t)lo[l] << o->scale) + offset;
    }
}

enum inst_space memory_space(uint64_t addr)
{
    if (addr >> 32 == SHARED_WINDOW >> 32)
        return SPACE_SHARED;
    if (addr >> 32 == LOCAL_WINDOW >> 32)
        return SPACE_LOCAL;
    return SPACE_GLOBAL;
}

void memory_note(struct sass_warp *w, enum inst_space space, const uint64_t *addr)
{
    if (!w->dyn)
        return;
    w->dyn->space = (uint8_t)space;
    addresses_set(&w->dyn->addr, addr, w->dyn->mask);
}

bool memory_is_remote(const struct sass_warp *w, uint64_t addr)
{
    return memory_space(addr) == SPACE_SHARED && w->block->grid->arch >= SM90 &&
           (uint32_t)addr >> RANK_SHIFT != w->block->rank;
}

uint64_t memory_cluster_offset(const struct sass_warp *w, uint32_t addr)
{
    uint32_t rank = addr >> RANK_SHIFT, offset = addr & ((1u << RANK_SHIFT) - 1);

    return rank == w->block->rank ? offset
                                  : (uint64_t)(rank + 1) << SHARED_OF_OTHERS | offset;
}

static uint32_t shared_offset(const struct sass_warp *w, uint64_t addr)
{
    return (uint32_t)addr & memory_shared_bits(w);
}

static uint8_t *shared_at(const struct sass_warp *w, uint32_t offset, unsigned bytes)
{
    uint32_t size = w->block->shared_size;

    if (offset >= size || size - offset < bytes)
        return NULL;
    return w->block->shared + offset;
}

static uint8_t *local_at(struct sass_warp *w, unsigned lane, uint32_t offset,
                         unsigned bytes)
{
    uint32_t size = w->block->grid->local_size;

    if (offset >= size || size - offset < bytes || !sass_warp_local(w))
        return NULL;
    return w->local + (size_t)lane * size + offset;
}

uint8_t *memory_seen(const struct sass_warp *w, uint64_t addr, uint8_t *memory,
                     unsigned bytes, bool is_write)
{
    struct view_sm *s = memory_view(w);
    struct view_line *l;

    if (!s || !memory)
        return memory;
    if (s->was_ordered)
        memory_order(w);
    l = is_write ? view_write(view_of_part(w->block->grid->views, s), addr, memory)
                 : view_find(s, addr);
    if (l)
        view_fill(l, addr, bytes);
    if (is_write)
        view_mark_range(l, addr, bytes);
    return l ? l->data + addr % VIEW_LINE : memory;
}

uint8_t *memory_lane(struct sass_warp *w, unsigned lane, uint64_t addr, unsigned bytes,
                     bool is_write)
{
    switch (memory_space(addr)) {
    case SPACE_SHARED:
        if (memory_is_remote(w, addr))
            return cluster_shared(w->block, (uint32_t)addr, bytes);
        return shared_at(w, shared_offset(w, addr), bytes);
    case SPACE_LOCAL:
        return local_at(w, lane, (uint32_t)addr, bytes);
    default:
        return memory_seen(w, addr,
                           space_reach(w->block->grid->launch.space, addr, bytes),
                           bytes, is_write);
    }
}

uint8_t *memory_outside(const struct sass_warp *w, const struct sass_inst *i,
                        uint64_t addr, unsigned bytes, bool is_write)
{
    const struct sass_launch *l = &w->block->grid->launch;
    struct sass_outside o = { .kernel = l->kernel->info->name,
                              .addr = addr,
                              .is_write = is_write };
    uint8_t *at;
    char place[512];

    if (addr >> 32 == BANK_WINDOW >> 32)
        return is_write ? NULL : sass_params_at(w->block->grid, addr);
    at = space_tail(l->space, addr, bytes);
    if (at)
        return at;
    at = space_near(l->space, addr, &o.near);
    if (!at || !l->outside)
        return at;
    memory_order(w);
    sass_module_place_line(l->module, i->base.pc, place, sizeof place);
    o.place = place;
    l->outside(l->outside_to, &o);
    return at;
}

/* Takes the space's offset of one lane's address and finds its memory. */
static uint8_t *resolve_lane(struct sass_warp *w, const struct sass_inst *i, unsigned l,
                             struct memory_access what, struct memory_place *p)
{
    enum inst_space space = (enum inst_space)what.space;

    if (space == SPACE_GENERIC) {
        space = memory_space(p->addr[l]);
        if (memory_is_remote(w, p->addr[l])) {
            uint32_t addr = (uint32_t)p->addr[l];

            p->addr[l] = memory_cluster_offset(w, addr);
            p->shared |= 1u << l;
            p->remote |= 1u << l;
            return cluster_shared(w->block, addr, what.bytes);
        }
    }
    switch (space) {
    case SPACE_SHARED:
        p->addr[l] = shared_offset(w, p->addr[l]);
        p->shared |= 1u << l;
        return shared_at(w, (uint32_t)p->addr[l], what.bytes);
    case SPACE_LOCAL:
        p->addr[l] = (uint32_t)p->addr[l];
        p->local |= 1u << l;
        return local_at(w, l, (uint32_t)p->addr[l], what.bytes);
    default:
        return memory_global(w, i, p->addr[l], what.bytes,
                             inst_writes_memory(&i->base));
    }
}

static enum exec_result resolve_slow(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask, struct memory_access what,
                                     struct memory_place *p)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint64_t written = p->addr[l];

        if (written & (what.bytes - 1u))
            return sass_fault(w, i, ERR_MISALIGNED,
                              "misaligned address 0x%llx (lane %u)",
                              (unsigned long long)written, l);
        p->at[l] = resolve_lane(w, i, l, what, p);
        if (p->at[l])
            continue;
        if (w->block->shared_set)
            sanitize_fault(w, i, l, what, written);
        return sass_fault(w, i, ERR_FAULT, "illegal address 0x%llx (lane %u)",
                          (unsigned long long)written, l);
    }
    return EXEC_NEXT;
}

struct shared_limits {
    uint32_t keep; /* bits of an address that count */
    uint32_t low;  /* bits that must be 0 */
    uint32_t last; /* offset that is still inside */
};

SIMD_BODY shared_offsets_body(const uint32_t *base, unsigned scale, uint32_t add,
                              struct shared_limits limits, struct memory_offsets *p)
{
    uint32_t bad = 0;

    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint32_t at = ((base[l] << scale) + add) & limits.keep;

        p->at[l] = at;
        bad |= (at & limits.low) | (at > limits.last);
    }
    p->bad = bad;
}

SIMD_KERNEL(shared_offsets,
            (const uint32_t *base, unsigned scale, uint32_t add,
             struct shared_limits limits, struct memory_offsets *p),
            (base, scale, add, limits, p))

/* The same for some of the lanes. */
static void mask_offsets(uint32_t mask, struct shared_limits limits,
                         struct memory_offsets *p)
{
    p->bad = 0;
    LANES(l) {
        p->at[l] &= -(uint32_t) !!(mask & sass_lane_bit[l]);
        p->bad |= (p->at[l] & limits.low) | (p->at[l] > limits.last);
    }
}

bool memory_shared(struct sass_warp *w, uint32_t mask, struct memory_access what,
                   struct memory_offsets *p)
{
    const struct operand *o = what.address;
    struct shared_limits limits = {
        .keep = memory_shared_bits(w),
        .low = what.bytes - 1u,
        .last = w->block->shared_size - what.bytes,
    };

    if (w->block->shared_size < what.bytes)
        return false;
    shared_offsets(reg_row(w, o->reg), o->scale, (uint32_t)memory_offset(w, o), limits,
                   p);
    if (mask != ALL_LANES)
        mask_offsets(mask, limits, p);
    return !p->bad;
}

/* All lanes in shared memory, aligned and inside; false if any is not. */
static bool resolve_shared(struct sass_warp *w, uint32_t mask,
                           struct memory_access what, struct memory_place *p)
{
    struct memory_offsets offsets;
    uint8_t *base = w->block->shared;

    if (!memory_shared(w, mask, what, &offsets))
        return false;
    LANES(l) {
        p->addr[l] = offsets.at[l];
        p->at[l] = base + offsets.at[l];
    }
    p->shared = mask;
    return true;
}

/* The same for global memory; neighbours mostly share a granule. */
static bool resolve_global(struct sass_warp *w, uint32_t mask, unsigned bytes,
                           struct memory_place *p)
{
    const struct space *s = w->block->grid->launch.space;
    uint64_t known = ~(uint64_t)0;
    uint8_t *base = NULL;

    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint64_t granule = p->addr[l] & ~(uint64_t)(SPACE_GRANULE - 1);

        if (granule != known) {
            base = space_at(s, granule);
            if (!base)
                return false;
            known = granule;
        }
        if (p->addr[l] & (bytes - 1))
            return false;
        p->at[l] = base + (p->addr[l] - granule);
    }
    return true;
}

/* Where lanes write that go to this view. */
static void write_lanes(struct view *v, const struct sass_inst *i, uint32_t lanes,
                        unsigned bytes, struct memory_place *p)
{
    struct view_line *line = NULL;

    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        if (!line || line->addr != view_line_of(p->addr[l])) /* neighbours share it */
            line = view_write(v, p->addr[l], p->at[l]);
        p->at[l] = line->data + p->addr[l] % VIEW_LINE;
        if (inst_is_atomic(&i->base))
            view_fill(line, p->addr[l], bytes);
        view_mark(line, p->addr[l], bytes);
    }
}

/* Where the SM sees the global memory of lanes. */
static void see_lanes(const struct sass_warp *w, const struct sass_inst *i,
                      uint32_t lanes, unsigned bytes, struct memory_place *p)
{
    struct view_sm *s = memory_view(w);
    struct view_line *line = NULL;
    uint64_t known = ~(uint64_t)0; /* the line of the last lane: neighbours share it */

    if (memory_is_ordered(i) || s->was_ordered)
        memory_order(w);
    if (inst_writes_memory(&i->base)) {
        write_lanes(view_of_part(w->block->grid->views, s), i, lanes, bytes, p);
        return;
    }
    for (uint32_t m = s->now ? lanes : 0; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint64_t addr = p->addr[l];

        if (view_line_of(addr) != known)
            line = view_find(s, addr);
        known = view_line_of(addr);
        if (!line)
            continue;
        view_fill(line, addr, bytes);
        p->at[l] = line->data + addr % VIEW_LINE;
    }
}

enum exec_result memory_resolve(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask, struct memory_access what,
                                struct memory_place *p)
{
    enum exec_result r = EXEC_NEXT;
    enum inst_space space = (enum inst_space)what.space;

    p->shared = p->local = p->remote = 0;
    if (space == SPACE_SHARED && resolve_shared(w, mask, what, p)) {
        memory_note(w, space, p->addr);
        return EXEC_NEXT;
    }
    memory_addresses(w, what.address, p->addr);
    if (mask != ALL_LANES) {
        memset(p->none, 0, sizeof p->none);
        LANES(l)
            p->at[l] = p->none;
    }
    if (space != SPACE_GLOBAL || !resolve_global(w, mask, what.bytes, p))
        r = resolve_slow(w, i, mask, what, p);
    if (memory_view(w) && r == EXEC_NEXT && mask & ~(p->shared | p->local))
        see_lanes(w, i, mask & ~(p->shared | p->local), what.bytes, p);
    if (space == SPACE_GENERIC)
        space = p->shared ? SPACE_SHARED : p->local ? SPACE_LOCAL : SPACE_GLOBAL;
    memory_note(w, space, p->addr);
    return r;
}
