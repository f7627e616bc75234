/* exec_tma.c - copies between global and shared memory that a tensor map describes:
 * UTMALDG, UTMASTG, UTMAREDG, UTMAPF; and UTMACCTL, which fetches such a map ahead or forgets it.
 *
 * A copy is a sequence of lines: elements that are neighbours in dimension 0, of a box of
 * dimensions or of a sequence of pixels (im2col). Lines follow each other in shared memory
 * without gaps, with a swizzle at its width's distance; it exchanges chunks of 16 bytes as in
 * exec_gmma.c. What lies outside of the tensor reads as 0 or as a special NaN, and is not
 * written. Elements of type TF32 are rounded on their way to shared memory; no type flushes
 * denormals there. An H200 takes a copy whose first coordinate is not that of a multiple of
 * 16 bytes, or that begins outside of the corners of an image, for an illegal instruction;
 * and so it does a store that begins before the tensor in any dimension, or to an image with
 * a corner before it.
 *
 * Like all that is asynchronous the copy is done when it is executed; exec_async.c.
 */
#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/atomic.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/exec/tensormap.h"
#include "frontend/sass/math/fpconv.h"

enum { CHUNK = 16, SHARED_ALIGN = 128, MAP_ALIGN = 64 };

enum direction { TO_SHARED, TO_GLOBAL, REDUCE };

struct tensor_copy {
    struct sass_warp *w;
    const struct sass_inst *i;
    struct tensor_map map;
    enum direction direction;
    struct atom_type type; /* of REDUCE */
    enum atom_op op;
    unsigned bytes;                  /* of an element */
    int64_t at[TENSOR_RANK];         /* coordinates of the first element */
    int64_t offset[TENSOR_RANK - 2]; /* im2col: added to those of each pixel */
    uint32_t shared;                 /* where the next line is there */
    uint32_t done;                   /* bytes */
    bool is_noted;                   /* its lines are known to who times it */
};

static uint32_t uniform(const struct sass_warp *w, unsigned reg)
{
    return reg < UREG_URZ ? sass_uniform(w, reg) : 0;
}

/* The memory of some bytes in one VIEW_LINE. */
static uint8_t *global_at(const struct tensor_copy *c, uint64_t addr, unsigned bytes)
{
    bool is_write = c->direction != TO_SHARED;

    return memory_seen(c->w, addr, memory_global(c->w, c->i, addr, bytes, is_write),
                       bytes, is_write);
}

/* One element of global memory combined with one of shared memory. */
static void reduce_element(const struct tensor_copy *c, uint8_t *to,
                           const uint8_t *from)
{
    uint64_t old = 0, v = 0;

    memcpy(&old, to, c->bytes);
    memcpy(&v, from, c->bytes);
    v = atomic_apply(c->type, c->op, old, v);
    memcpy(to, &v, c->bytes);
}

/* To the nearest TF32; of two, to the greater magnitude. */
static void round_tf32(uint8_t *chunk, unsigned bytes)
{
    const struct fp_mode mode = { .round = FP_RNA };

    for (unsigned k = 0; k < bytes; k += 4) {
        uint32_t v;

        memcpy(&v, chunk + k, sizeof v);
        v = fp_to_tf32(mode, v);
        memcpy(chunk + k, &v, sizeof v);
    }
}

/* Bytes at a global address, of a chunk in shared memory; false: they are not there. */
static bool move_bytes(const struct tensor_copy *c, uint8_t *shared, uint64_t addr,
                       unsigned bytes)
{
    while (bytes) {
        unsigned n = VIEW_LINE - (unsigned)(addr & (VIEW_LINE - 1));
        uint8_t *global;

        n = n < bytes ? n : bytes;
        global = global_at(c, addr, n);
        if (!global)
            return false;
        if (c->direction == TO_SHARED)
            memcpy(shared, global, n);
        if (c->direction == TO_SHARED && c->map.is_tf32)
            round_tf32(shared, n);
        else if (c->direction == TO_GLOBAL)
            memcpy(global, shared, n);
        for (unsigned k = 0; c->direction == REDUCE && k < n; k += c->bytes)
            reduce_element(c, global + k, shared + k);
        shared += n;
        addr += n;
        bytes -= n;
    }
    return true;
}

/* What a swizzle exchanges chunks in. */
static uint32_t swizzle_width(const struct tensor_map *m)
{
    return (uint32_t)CHUNK << m->swizzle;
}

static uint32_t swizzled(const struct tensor_map *m, uint32_t addr)
{
    return addr ^ (addr >> 3 & (swizzle_width(m) - CHUNK));
}

/* The same NaN for all types: 16 bits, repeated. */
static void fill_outside(const struct tensor_copy *c, uint8_t *chunk)
{
    uint16_t v = c->map.fills_nan ? 0x7ff7 : 0;

    for (unsigned k = 0; k < CHUNK; k += sizeof v)
        memcpy(chunk + k, &v, sizeof v);
}

/* The chunk where the next bytes in shared memory lie; NULL is a fault. */
static uint8_t *next_chunk(struct tensor_copy *c)
{
    uint32_t addr = swizzled(&c->map, c->shared);
    uint8_t *chunk = cluster_shared(c->w->block, addr, CHUNK);

    c->shared += CHUNK;
    if (!chunk)
        sass_fault(c->w, c->i, ERR_FAULT, "illegal shared address 0x%x", addr);
    return chunk;
}

static enum exec_result no_memory(const struct tensor_copy *c, uint64_t addr)
{
    return sass_fault(c->w, c->i, ERR_FAULT, "illegal address 0x%llx",
                      (unsigned long long)addr);
}

/* A chunk whose first element has coordinate x in dimension 0; `line` is the address of
 * coordinate 0. A store writes a chunk whole if any of it is inside. */
static enum exec_result copy_chunk(struct tensor_copy *c, int64_t x, uint64_t line,
                                   bool is_inside)
{
    uint8_t *chunk = next_chunk(c);
    int64_t per = CHUNK / c->bytes, size = (int64_t)c->map.size[0];
    int64_t end = size - x < per ? size - x : per;

    if (!chunk)
        return EXEC_ERROR;
    is_inside = is_inside && x >= 0 && end > 0;
    if (c->direction == TO_SHARED && (!is_inside || end < per))
        fill_outside(c, chunk);
    if (c->direction == TO_GLOBAL)
        end = per;
    line += (uint64_t)x * c->bytes;
    if (is_inside && !move_bytes(c, chunk, line, (unsigned)end * c->bytes))
        return no_memory(c, line);
    return EXEC_NEXT;
}

/* Bytes of what dimension 0 counts where channels are apart; see copy_slices(). */
static unsigned slice_bytes(const struct tensor_map *m)
{
    return (unsigned)CHUNK * m->interleave;
}

/* Where channels are interleaved, dimension 0 counts pixels of 16 or 32 bytes, and the last
 * but one the slices of channels that these are. */
static enum exec_result copy_slices(struct tensor_copy *c, const int64_t *at,
                                    uint64_t line, bool is_inside)
{
    for (uint32_t k = 0; k < c->map.box[0]; k += c->map.step[0]) {
        int64_t x = at[0] + k;
        bool here = is_inside && x >= 0 && (uint64_t)x < c->map.size[0];
        uint64_t addr = line + (uint64_t)x * slice_bytes(&c->map);

        for (unsigned n = 0; n < slice_bytes(&c->map); n += CHUNK) {
            uint8_t *chunk = next_chunk(c);

            if (!chunk)
                return EXEC_ERROR;
            if (!here && c->direction == TO_SHARED)
                fill_outside(c, chunk);
            if (here && !move_bytes(c, chunk, addr + n, CHUNK))
                return no_memory(c, addr);
            c->done += CHUNK;
        }
    }
    return EXEC_NEXT;
}

/* Tells who times the copy of a line, as far as it lies within the tensor. */
static enum exec_result note_line(const struct tensor_copy *c, int64_t x, uint64_t line,
                                  bool is_inside)
{
    uint64_t unit = c->map.interleave ? slice_bytes(&c->map) : c->bytes;
    int64_t first = x > 0 ? x : 0, end = x + c->map.box[0],
            size = (int64_t)c->map.size[0];
    bool is_empty;

    end = end < size ? end : size;
    is_empty = !is_inside || end <= first;
    if (c->is_noted)
        return EXEC_NEXT;
    return copies_add_run(c->w->block, line + (uint64_t)first * unit,
                          is_empty ? 0 : (uint32_t)((uint64_t)(end - first) * unit))
               ? EXEC_ERROR
               : EXEC_NEXT;
}

/* One line at coordinates of dimension 1 and up. */
static enum exec_result copy_line(struct tensor_copy *c, const int64_t *at)
{
    unsigned bytes = c->map.box[0] * c->bytes;
    uint64_t line = c->map.base;
    bool is_inside = true;

    for (unsigned k = 1; k < c->map.rank; k++) {
        is_inside = is_inside && at[k] >= 0 && (uint64_t)at[k] < c->map.size[k];
        line += (uint64_t)at[k] * c->map.stride[k - 1];
    }
    if (note_line(c, at[0], line, is_inside) == EXEC_ERROR)
        return EXEC_ERROR;
    if (c->map.interleave)
        return copy_slices(c, at, line, is_inside);
    for (unsigned k = 0; k < bytes; k += CHUNK)
        if (copy_chunk(c, at[0] + k / c->bytes, line, is_inside) == EXEC_ERROR)
            return EXEC_ERROR;
    if (c->map.swizzle && bytes < swizzle_width(&c->map))
        c->shared += swizzle_width(&c->map) - bytes;
    c->done += bytes;
    return EXEC_NEXT;
}

/* The next place in a box; false: it was the last. */
static bool next_in_box(const struct tensor_copy *c, int64_t *at)
{
    for (unsigned k = 1; k < c->map.rank; k++) {
        at[k] += c->map.step[k];
        if (at[k] - c->at[k] < c->map.box[k])
            return true;
        at[k] = c->at[k];
    }
    return false;
}

static enum exec_result copy_box(struct tensor_copy *c)
{
    int64_t at[TENSOR_RANK];

    memcpy(at, c->at, sizeof at);
    do {
        if (copy_line(c, at) == EXEC_ERROR)
            return EXEC_ERROR;
    } while (next_in_box(c, at));
    return EXEC_NEXT;
}

/* The next pixel: those of an image one by one within its corners, then the next image. */
static void next_pixel(const struct tensor_copy *c, int64_t *at)
{
    unsigned last = c->map.rank - 1u;

    for (unsigned k = 1; k < last; k++) {
        at[k] += c->map.step[k];
        if (at[k] < (int64_t)c->map.size[k] + c->map.upper[k - 1])
            return;
        at[k] = c->map.lower[k - 1];
    }
    at[last] += c->map.step[last];
}

static enum exec_result copy_pixels(struct tensor_copy *c)
{
    int64_t at[TENSOR_RANK];

    memcpy(at, c->at, sizeof at);
    for (uint32_t k = 0; k < c->map.pixels; k++) {
        int64_t pixel[TENSOR_RANK];

        memcpy(pixel, at, sizeof at);
        for (unsigned d = 1; d + 1u < c->map.rank; d++)
            pixel[d] += c->offset[d - 1];
        if (copy_line(c, pixel) == EXEC_ERROR)
            return EXEC_ERROR;
        next_pixel(c, at);
    }
    return EXEC_NEXT;
}

/* Reads the map; false is a fault. */
static bool read_map(struct tensor_copy *c, uint64_t addr)
{
    uint32_t words[TENSOR_WORDS] = { 0 };
    const uint8_t *at = NULL;

    if (!(addr & (MAP_ALIGN - 1)))
        at = memory_seen(c->w, addr, memory_global(c->w, c->i, addr, MAP_ALIGN, false),
                         MAP_ALIGN, false);
    if (!at) {
        sass_fault(c->w, c->i, ERR_FAULT, "no tensor map at 0x%llx",
                   (unsigned long long)addr);
        return false;
    }
    memcpy(words, at, MAP_ALIGN);
    if (!tensor_map_unpack(words, &c->map)) {
        sass_fault(c->w, c->i, ERR_FAULT, "what is at 0x%llx is no tensor map",
                   (unsigned long long)addr);
        return false;
    }
    c->bytes = tensor_type_bytes((enum tensor_type)c->map.type);
    return true;
}

/* Offsets of pixels in one word, as the rank permits. */
static void read_offsets(struct tensor_copy *c, uint32_t packed)
{
    unsigned n = c->map.rank - 2u, bits = n == 1 ? 16 : n == 2 ? 8 : 5;

    for (unsigned k = 0; k < n; k++)
        c->offset[k] = packed >> bits * k & ((1u << bits) - 1);
}

/* Does the copy begin before the tensor, or the image within its corners? */
static bool begins_before(const struct tensor_copy *c)
{
    for (unsigned k = 0; k < c->map.rank; k++)
        if (c->at[k] < 0)
            return true;
    for (unsigned k = 0; c->map.is_im2col && k + 2u < c->map.rank; k++)
        if (c->map.lower[k] < 0)
            return true;
    return false;
}

static bool can_begin(const struct tensor_copy *c)
{
    if (!c->map.interleave && c->at[0] * c->bytes % CHUNK)
        return false;
    if (c->direction != TO_SHARED && begins_before(c))
        return false;
    for (unsigned k = 1; c->map.is_im2col && k + 1u < c->map.rank; k++)
        if (c->at[k] < c->map.lower[k - 1] ||
            c->at[k] >= (int64_t)c->map.size[k] + c->map.upper[k - 1])
            return false;
    return true;
}

/* Takes the map and the coordinates, which begin in register reg. */
static bool begin(struct tensor_copy *c, uint64_t map, unsigned reg, bool is_im2col)
{
    unsigned shape = sass_field(c->i, UTMALDG_SHAPE);

    if (!read_map(c, map))
        return false;
    if (c->map.rank != shape + 1 || c->map.is_im2col != is_im2col) {
        sass_fault(c->w, c->i, ERR_ILLEGAL,
                   "the tensor map is for %s copies of %u dimensions",
                   c->map.is_im2col ? "im2col" : "tiled", c->map.rank);
        return false;
    }
    if (c->map.box[0] * c->bytes % CHUNK || (c->map.interleave && c->map.rank < 3)) {
        sass_fault(c->w, c->i, ERR_ILLEGAL, "a tensor map with lines of %u bytes",
                   c->map.box[0] * c->bytes);
        return false;
    }
    if (c->map.interleave && c->map.is_im2col) {
        sass_fault(c->w, c->i, ERR_UNSUPPORTED, "unsupported image in slices");
        return false;
    }
    if (c->map.interleave) { /* a box counts channels there */
        uint32_t *n = &c->map.box[c->map.rank - 2],
                 per = slice_bytes(&c->map) / c->bytes;

        *n = (*n + per - 1) / per;
    }
    for (unsigned k = 0; k < c->map.rank; k++)
        c->at[k] = (int32_t)uniform(c->w, reg + k);
    if (can_begin(c))
        return true;
    sass_fault(c->w, c->i, ERR_ILLEGAL, "a copy that begins at coordinate %lld, %lld",
               (long long)c->at[0], (long long)c->at[1]);
    return false;
}

static enum exec_result copy_all(struct tensor_copy *c, uint32_t shared)
{
    if (shared & (SHARED_ALIGN - 1))
        return sass_fault(c->w, c->i, ERR_MISALIGNED, "misaligned shared address 0x%x",
                          shared);
    c->shared = shared;
    c->done = 0;
    if ((c->map.is_im2col ? copy_pixels(c) : copy_box(c)) == EXEC_ERROR)
        return EXEC_ERROR;
    c->is_noted = true;
    return EXEC_NEXT;
}

/* TO: shared address, barrier, coordinates; EXTRA: offsets of pixels below, receiving
 * blocks above. */
static enum exec_result copy_in(struct sass_warp *w, const struct sass_inst *i)
{
    unsigned reg = i->opd[UTMALDG_TO].reg;
    uint32_t extra =
        uniform(w, i->opd[UTMALDG_EXTRA].kind == OPD_UREG ? i->opd[UTMALDG_EXTRA].reg
                                                          : UREG_URZ);
    bool multicast = sass_has(i, UTMALDG_MULTICAST);
    uint64_t to = async_uniform64(w, reg);
    uint64_t map = async_uniform64(w, i->opd[UTMALDG_FROM].reg);
    struct tensor_copy c = { .w = w, .i = i, .direction = TO_SHARED };

    if (!begin(&c, map, reg + 2, sass_has(i, UTMALDG_IM2COL)) ||
        copies_begin(w, i, COPY_LOAD))
        return EXEC_ERROR;
    copies_name_map(w->block, map);
    if (c.map.is_im2col)
        read_offsets(&c, extra & 0xffff);
    for (uint32_t m = multicast ? extra >> 16 : 1; m; m &= m - 1) {
        uint64_t there =
            multicast ? async_in_block(to, (uint32_t)__builtin_ctz(m)) : to;

        if (copy_all(&c, (uint32_t)there) == EXEC_ERROR ||
            async_complete(w, i, (uint32_t)(there >> 32), c.done) == EXEC_ERROR)
            return EXEC_ERROR;
    }
    return EXEC_NEXT;
}

/* Executed once for the warp. */
enum exec_result exec_utmaldg(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    enum exec_result r = mask ? copy_in(w, i) : EXEC_NEXT;

    copies_finish(w->block);
    return r;
}

_Static_assert(UTMASTG_TO == UTMAREDG_TO && UTMASTG_FROM == UTMAREDG_FROM &&
                   UTMASTG_IM2COL == UTMAREDG_IM2COL &&
                   UTMALDG_SHAPE == UTMASTG_SHAPE && UTMALDG_SHAPE == UTMAREDG_SHAPE,
               "copy_out() is for both, begin() for all three");

/* TO: shared address, coordinates. */
static enum exec_result copy_out(struct tensor_copy *c, uint32_t mask)
{
    enum copy_kind kind = c->direction == REDUCE ? COPY_REDUCE : COPY_STORE;
    unsigned reg = c->i->opd[UTMASTG_TO].reg;
    uint64_t map = async_uniform64(c->w, c->i->opd[UTMASTG_FROM].reg);
    enum exec_result r;

    if (!mask)
        return EXEC_NEXT;
    if (!begin(c, map, reg + 1, sass_has(c->i, UTMASTG_IM2COL)) ||
        copies_begin(c->w, c->i, kind))
        return EXEC_ERROR;
    copies_name_map(c->w->block, map);
    r = copy_all(c, uniform(c->w, reg));
    copies_finish(c->w->block);
    return r;
}

enum exec_result exec_utmastg(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    struct tensor_copy c = { .w = w, .i = i, .direction = TO_GLOBAL };

    return copy_out(&c, mask);
}

static struct atom_type reduced_type(enum tensor_type t)
{
    static const struct atom_type types[N_TENSOR_TYPE] = {
        [TENSOR_U32] = { .bytes = 4, .n = 1 },
        [TENSOR_S32] = { .bytes = 4, .n = 1, .is_signed = true },
        [TENSOR_U64] = { .bytes = 8, .n = 1 },
        [TENSOR_S64] = { .bytes = 8, .n = 1, .is_signed = true },
        [TENSOR_F16] = { .bytes = 4, .n = 1, .is_float = true, .fp = FP_ATOMIC_F16X2 },
        [TENSOR_F32] = { .bytes = 4, .n = 1, .is_float = true, .fp = FP_BULK_F32 },
        [TENSOR_F32_FTZ] = { .bytes = 4,
                             .n = 1,
                             .is_float = true,
                             .fp = FP_ATOMIC_F32 },
        [TENSOR_F64] = { .bytes = 8, .n = 1, .is_float = true, .fp = FP_ATOMIC_F64 },
        [TENSOR_BF16] = { .bytes = 4,
                          .n = 1,
                          .is_float = true,
                          .fp = FP_ATOMIC_BF16X2 },
    };

    return types[t];
}

static bool can_reduce(const struct tensor_copy *c)
{
    enum {
        LIMITS = 1 << ATOM_MIN | 1 << ATOM_MAX,
        SUM = 1 << ATOM_ADD,
        COUNT = 1 << ATOM_INC | 1 << ATOM_DEC,
        BITS = 1 << ATOM_AND | 1 << ATOM_OR | 1 << ATOM_XOR
    };
    static const uint16_t ops[N_TENSOR_TYPE] = {
        [TENSOR_U32] = SUM | LIMITS | COUNT | BITS,
        [TENSOR_S32] = SUM | LIMITS | BITS,
        [TENSOR_U64] = SUM | LIMITS | BITS,
        [TENSOR_S64] = LIMITS,
        [TENSOR_F16] = SUM | LIMITS,
        [TENSOR_F32] = SUM,
        [TENSOR_F32_FTZ] = SUM,
        [TENSOR_F64] = SUM,
        [TENSOR_BF16] = SUM | LIMITS,
    };

    return ops[c->map.type] >> c->op & 1;
}

enum exec_result exec_utmaredg(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    struct tensor_copy c = { .w = w, .i = i, .direction = REDUCE };

    if (!mask)
        return EXEC_NEXT;
    if (!read_map(&c, async_uniform64(w, i->opd[UTMAREDG_FROM].reg)))
        return EXEC_ERROR;
    c.type = reduced_type((enum tensor_type)c.map.type);
    c.op = (enum atom_op)sass_field(i, UTMAREDG_OP);
    if (!can_reduce(&c))
        return sass_fault(w, i, ERR_ILLEGAL, "no such reduction of the tensor's type");
    memory_order(w);
    return copy_out(&c, mask);
}

/* A prefetch: the map must be one. */
enum exec_result exec_utmapf(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    struct tensor_copy c = { .w = w, .i = i, .direction = TO_SHARED };

    if (!mask || begin(&c, async_uniform64(w, i->opd[UTMAPF_FROM].reg),
                       i->opd[UTMAPF_TO].reg, sass_has(i, UTMAPF_IM2COL)))
        return EXEC_NEXT;
    return EXEC_ERROR;
}

/* Only a pipeline knows whether an SM has a map. */
enum exec_result exec_utmacctl(struct sass_warp *w, const struct sass_inst *i,
                               uint32_t mask)
{
    enum copy_kind kind = sass_has(i, UTMACCTL_PF) ? COPY_MAP : COPY_NO_MAP;

    if (mask && i->base.flags & INST_COPIES && copies_begin(w, i, kind))
        return EXEC_ERROR;
    copies_name_map(w->block, async_uniform64(w, i->opd[UTMACCTL_DESCRIPTOR].reg));
    copies_finish(w->block);
    return EXEC_NEXT;
}
