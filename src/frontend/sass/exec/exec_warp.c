/* exec_warp.c - lanes exchange values; special registers.
 *
 * Only executing lanes take part, except that SHFL reads whatever register an inactive
 * lane has. Special registers that tell where a warp runs are given as if every block
 * had the multiprocessor to itself. Without timing, clocks count executed
 * instructions.
 */
#include "frontend/sass/decode/sreg.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/lanes.h"
#include "frontend/sass/math/intop.h"

/* Inlined with mode constant. Returns the lanes whose source exists. */
static inline __attribute__((always_inline)) uint32_t
shuffle_by(enum intop_shfl mode, uint32_t *out, const uint32_t *a, const uint32_t *b,
           const uint32_t *c)
{
    uint32_t ok = 0;

    LANES(l) {
        struct intop_source from = intop_shfl(mode, l, b[l], c[l]);

        out[l] = a[from.lane];
        ok |= (uint32_t)from.ok << l;
    }
    return ok;
}

static uint32_t shuffle_lanes(enum intop_shfl mode, uint32_t *out, const uint32_t *a,
                              const uint32_t *b, const uint32_t *c)
{
    switch (mode) {
    case SHFL_IDX:
        return shuffle_by(SHFL_IDX, out, a, b, c);
    case SHFL_UP:
        return shuffle_by(SHFL_UP, out, a, b, c);
    case SHFL_DOWN:
        return shuffle_by(SHFL_DOWN, out, a, b, c);
    default:
        return shuffle_by(SHFL_BFLY, out, a, b, c);
    }
}

/* CLAMP also has the segment mask. */
enum exec_result exec_shfl(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    enum intop_shfl mode = (enum intop_shfl)sass_field(i, SHFL_RR_MODE);
    uint32_t out[WARP_LANES], ok;

    SOURCE(a, SHFL_RR_A, SRC_BITS);
    SOURCE(b, SHFL_RR_LANE, SRC_BITS);
    SOURCE(c, SHFL_RR_CLAMP, SRC_BITS);
    ok = shuffle_lanes(mode, out, a, b, c);
    sass_result(w, &i->opd[SHFL_RR_D], 0, out, mask);
    set_predicate_bits(w, &i->opd[SHFL_RR_PD], ok, mask);
    return EXEC_NEXT;
}

enum exec_result exec_vote(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    enum { ALL, ANY, EQ };
    unsigned mode = sass_field(i, VOTE_MODE);
    uint32_t ballot = mask & sass_predicate(w, &i->opd[VOTE_P]), out[WARP_LANES];
    bool holds;

    switch (mode) {
    case ALL:
        holds = ballot == mask;
        break;
    case ANY:
        holds = ballot != 0;
        break;
    case EQ:
        holds = ballot == mask || !ballot;
        break;
    default:
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported vote");
    }
    LANES(l)
        out[l] = ballot;
    sass_result(w, &i->opd[VOTE_D], 0, out, mask);
    set_predicate_bits(w, &i->opd[VOTE_PD], holds ? ALL_LANES : 0, mask);
    return EXEC_NEXT;
}

/* Lanes of mask with the same value as lane l. */
static uint32_t same_lanes(const uint64_t *v, uint64_t value, uint32_t mask)
{
    uint8_t same[WARP_LANES];

    LANES(l)
        same[l] = v[l] == value;
    return gather_bits(same) & mask;
}

enum exec_result exec_match(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    bool is_64 = sass_has(i, MATCH_U64), any = sass_has(i, MATCH_ANY);
    uint32_t out[WARP_LANES] = { 0 }, all;
    uint64_t v[WARP_LANES];

    if (!mask)
        return EXEC_NEXT;
    sass_source64(w, &i->opd[MATCH_A], v);
    if (!is_64)
        LANES(l)
            v[l] = (uint32_t)v[l];
    if (any) {
        for (uint32_t m = mask; m; m &= m - 1)
            out[__builtin_ctz(m)] = same_lanes(v, v[__builtin_ctz(m)], mask);
        sass_result(w, &i->opd[MATCH_D], 0, out, mask);
        return EXEC_NEXT;
    }
    all = same_lanes(v, v[__builtin_ctz(mask)], mask) == mask;
    LANES(l)
        out[l] = all ? mask : 0;
    sass_result(w, &i->opd[MATCH_D], 0, out, mask);
    set_predicate_bits(w, &i->opd[MATCH_PD], all ? ALL_LANES : 0, mask);
    return EXEC_NEXT;
}

enum redux { REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_SUM, REDUX_MIN, REDUX_MAX };

static uint32_t reduce_pair(enum redux op, bool is_signed, uint32_t a, uint32_t b)
{
    switch (op) {
    case REDUX_AND:
        return a & b;
    case REDUX_OR:
        return a | b;
    case REDUX_XOR:
        return a ^ b;
    case REDUX_SUM:
        return a + b;
    default:
        return intop_minmax(op == REDUX_MAX, is_signed, a, b);
    }
}

enum exec_result exec_redux(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    enum redux op = (enum redux)sass_field(i, REDUX_OP);
    bool is_signed = sass_has(i, REDUX_S32);
    uint32_t out[WARP_LANES], r;

    if (op > REDUX_MAX)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported reduction");
    if (!mask)
        return EXEC_NEXT;
    SOURCE(a, REDUX_A, SRC_BITS);
    r = a[__builtin_ctz(mask)];
    for (uint32_t m = mask & (mask - 1); m; m &= m - 1)
        r = reduce_pair(op, is_signed, r, a[__builtin_ctz(m)]);
    LANES(l)
        out[l] = r;
    sass_result(w, &i->opd[REDUX_D], 0, out, mask);
    return EXEC_NEXT;
}

/* The lowest lane is elected. */
enum exec_result exec_elect(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    uint32_t lanes = mask & sass_predicate(w, &i->opd[ELECT_P]), out[WARP_LANES];

    if (!lanes)
        return EXEC_NEXT;
    LANES(l)
        out[l] = (uint32_t)__builtin_ctz(lanes);
    sass_result(w, &i->opd[ELECT_D], 0, out, mask);
    set_predicate_bits(w, &i->opd[ELECT_PD], lanes & -lanes, mask);
    return EXEC_NEXT;
}

/* The first lane's value; Pd holds in lanes that have another
 * one, or (.OR) that held it before: compiled code goes on with those lanes in a loop. */
enum exec_result exec_r2ur(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    uint8_t differs[WARP_LANES];
    uint32_t before = 0;

    if (!mask)
        return EXEC_NEXT;
    if (sass_has(i, R2UR_OR))
        before = sass_predicate(w, &i->opd[R2UR_PD]);
    SOURCE(a, R2UR_A, SRC_BITS);
    LANES(l)
        differs[l] = a[l] != a[__builtin_ctz(mask)];
    sass_result(w, &i->opd[R2UR_D], 0, a, mask);
    set_predicate_bits(w, &i->opd[R2UR_PD], before | gather_bits(differs), mask);
    return EXEC_NEXT;
}

/* A block whose sizes are powers of two, as most have: a thread's place is in the bits of
 * its number. */
static bool read_tid_bits(const struct sass_warp *w, unsigned id, uint32_t *out)
{
    const uint32_t *size = w->block->grid->launch.block;
    unsigned shift[3] = { 0, (unsigned)__builtin_ctz(size[0]),
                          (unsigned)__builtin_ctz(size[0] * size[1]) };
    unsigned by = shift[(id - SREG_TID_X) % 3];
    uint32_t keep = id == SREG_TID_Z ? ~0u : size[(id - SREG_TID_X) % 3] - 1;

    if (id == SREG_TID || size[0] & (size[0] - 1) || size[1] & (size[1] - 1))
        return false;
    LANES(l)
        out[l] = (32 * w->index + l) >> by & keep;
    return true;
}

/* Counted from the first lane's, for divisions are slow. */
static void read_tid(const struct sass_warp *w, unsigned id, uint32_t *out)
{
    const uint32_t *size = w->block->grid->launch.block;
    uint32_t first = 32 * w->index, x = first % size[0];
    uint32_t y = first / size[0] % size[1], z = first / size[0] / size[1];

    LANES(l) {
        out[l] = id == SREG_TID_X ? x : id == SREG_TID_Y ? y : z;
        if (id == SREG_TID) /* x in bits 0..15, y from 16, z from 26 */
            out[l] = x | y << 16 | z << 26;
        if (++x < size[0])
            continue;
        x = 0;
        if (++y < size[1])
            continue;
        y = 0;
        z++;
    }
}

static uint32_t lane_mask(unsigned id, unsigned l)
{
    uint32_t eq = 1u << l, lt = eq - 1;

    switch (id) {
    case SREG_EQMASK:
        return eq;
    case SREG_LTMASK:
        return lt;
    case SREG_LEMASK:
        return lt | eq;
    case SREG_GTMASK:
        return ~(lt | eq);
    default:
        return ~lt;
    }
}

/* What the clocks of a block show: the time told last; without a pipeline, the number of
 * instructions executed since the time that one has reached. */
static struct sass_time read_time(const struct sass_block *b)
{
    const struct sass_grid *g = b->grid;

    if (b->stream.is_timed && !g->is_rest)
        return b->told;
    return (struct sass_time){ g->reached.cycle + g->time, g->reached.ns + g->time };
}

/* One value for the whole warp; false if the id is not known. */
static bool read_scalar(const struct sass_warp *w, unsigned id, uint32_t *v)
{
    static const uint8_t max_warps[N_SASS_ARCH] = { 32, 64, 48, 48, 64, 64, 48 };
    const struct sass_block *b = w->block;
    const struct sass_grid *g = b->grid;

    switch (id) {
    case SREG_VIRTCFG: /* bits 8..: warps a multiprocessor can hold */
        *v = (uint32_t)max_warps[g->arch] << 8;
        return true;
    case SREG_VIRTID: /* bits 8..: warp */
        *v = w->index << 8;
        return true;
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        *v = b->id[id - SREG_CTAID_X];
        return true;
    case SREG_SWINHI:
        *v = (uint32_t)(SHARED_WINDOW >> 32);
        return true;
    case SREG_LWINHI:
        *v = (uint32_t)(LOCAL_WINDOW >> 32);
        return true;
    case SREG_LMEMLOSZ:
        *v = g->local_size;
        return true;
    case SREG_SMEMSZ:
        *v = b->shared_size;
        return true;
    case SREG_VIRTUALSMID:
        *v = b->stream.is_timed
                 ? b->stream.sm
                 : (uint32_t)((b->id[0] + (uint64_t)g->launch.grid[0] * b->id[1]) %
                              (g->launch.n_sms ? g->launch.n_sms : 1));
        return true;
    case SREG_CLOCK:
    case SREG_CLOCKLO:
        *v = (uint32_t)read_time(b).cycle;
        return true;
    case SREG_CLOCKHI:
        *v = (uint32_t)(read_time(b).cycle >> 32);
        return true;
    case SREG_GLOBALTIMERLO:
        *v = (uint32_t)read_time(b).ns;
        return true;
    case SREG_GLOBALTIMERHI:
        *v = (uint32_t)(read_time(b).ns >> 32);
        return true;
    case SREG_SWINLO:
    case SREG_LWINLO:
    case SREG_LMEMHIOFF: /* the stack's lower end, which debug builds compare R1 with */
    case SREG_CGASIZE:   /* which of two sizes of clusters; there is one */
    case SREG_SRZ:
        *v = 0;
        return true;
    case SREG_CGACTAID:
        *v = b->rank;
        return true;
    default:
        return false;
    }
}

static bool read_special(const struct sass_warp *w, unsigned id, uint32_t *out)
{
    uint32_t v;

    switch (id) {
    case SREG_LANEID:
        LANES(l)
            out[l] = l;
        return true;
    case SREG_TID:
    case SREG_TID_X:
    case SREG_TID_Y:
    case SREG_TID_Z:
        if (!read_tid_bits(w, id, out))
            read_tid(w, id, out);
        return true;
    case SREG_EQMASK:
    case SREG_LTMASK:
    case SREG_LEMASK:
    case SREG_GTMASK:
    case SREG_GEMASK:
        LANES(l)
            out[l] = lane_mask(id, l);
        return true;
    default:
        if (!read_scalar(w, id, &v))
            return false;
        LANES(l)
            out[l] = v;
        return true;
    }
}

_Static_assert(S2R_D == CS2R_D, "read_to() is for both");

static enum exec_result read_to(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask, unsigned id, unsigned part)
{
    TARGET_PART(out, S2R_D, part);

    if (!read_special(w, id, out))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported special register 0x%x",
                          id);
    sass_result(w, &i->opd[S2R_D], part, out, mask);
    return EXEC_NEXT;
}

/* After an instruction that reads the time nothing is executed before it has issued
 * (block_tell_time()). */
static enum exec_result end_read(struct sass_warp *w, const struct sass_inst *i)
{
    if (!(i->base.flags & INST_TIME) || !w->block->stream.is_timed)
        return EXEC_NEXT;
    w->late = i;
    w->pc = i->base.pc + 16;
    return EXEC_JUMP;
}

/* S2R, S2UR. */
enum exec_result exec_s2r(struct sass_warp *w, const struct sass_inst *i, uint32_t mask)
{
    if (read_to(w, i, mask, (unsigned)i->opd[S2R_SREG].imm, 0) == EXEC_ERROR)
        return EXEC_ERROR;
    return end_read(w, i);
}

/* CS2R: a pair unless .32, the second word from the next special register. */
enum exec_result exec_cs2r(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    unsigned id = (unsigned)i->opd[CS2R_SREG].imm;

    if (read_to(w, i, mask, id, 0) == EXEC_ERROR)
        return EXEC_ERROR;
    if (!sass_has(i, CS2R_32) &&
        read_to(w, i, mask, id == SREG_SRZ ? SREG_SRZ : id + 1, 1) == EXEC_ERROR)
        return EXEC_ERROR;
    return end_read(w, i);
}
