/* exec_mbarrier.c - operations on barriers in shared memory.
 *
 * In timed runs they take effect when they issue: before that they are executed for their
 * addresses alone. Arrivals at a barrier of another block come when the pipeline says so
 * (copies.c). For who records, what each does to barriers is noted.
 *
 * Lanes of one instruction that arrive at the same barrier count together and all get
 * the upper half of the word as it was before them; with .TMASK the lower half is the
 * mask of those lanes, from which compiled code works out each one's own.
 */
#include <stdlib.h>

#include "frontend/sass/decode/special.h"
#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/converge.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/memory.h"

enum { BARRIER_BYTES = 8, TRIED_STEP = 16 };

static uint64_t load64(const uint8_t *at)
{
    uint64_t v;

    memcpy(&v, at, sizeof v);
    return v;
}

static void store64(uint8_t *at, uint64_t v)
{
    memcpy(at, &v, sizeof v);
}

enum exec_result async_bad_address(struct sass_warp *w, const struct sass_inst *i,
                                   uint64_t addr, uint64_t align)
{
    return sass_fault(w, i, ERR_FAULT, "%s 0x%llx",
                      addr & (align - 1) ? "misaligned address" : "illegal address",
                      (unsigned long long)addr);
}

/* The word of the barrier at a shared address, in any block of the cluster; NULL is a
 * fault. */
static uint8_t *barrier_at(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t addr)
{
    uint8_t *at = cluster_shared(w->block, addr, BARRIER_BYTES);

    if (!at || addr & (BARRIER_BYTES - 1)) {
        async_bad_address(w, i, addr, BARRIER_BYTES);
        return NULL;
    }
    return at;
}

enum exec_result async_complete(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t addr, uint32_t bytes)
{
    uint8_t *at = barrier_at(w, i, addr);

    if (!at)
        return EXEC_ERROR;
    if (copies_report(w->block, addr,
                      (struct mbarrier_change){ .bytes = -(int32_t)bytes }))
        return EXEC_NEXT;
    store64(at, mbarrier_update(load64(at),
                                (struct mbarrier_change){ .bytes = -(int32_t)bytes }));
    return EXEC_NEXT;
}

enum exec_result async_change(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t addr, struct mbarrier_change c)
{
    uint8_t *at = barrier_at(w, i, addr);

    if (!at)
        return EXEC_ERROR;
    store64(at, mbarrier_update(load64(at), c));
    return EXEC_NEXT;
}

/* Notes the barriers of lanes, with the rank of another block as memory.c does. */
static void note_barriers(struct sass_warp *w, const uint64_t *addr)
{
    uint64_t noted[WARP_LANES];

    LANES(l)
        noted[l] = memory_cluster_offset(w, (uint32_t)addr[l]);
    memory_note(w, SPACE_SHARED, noted);
}

int async_begin_note(struct sass_warp *w, const struct sass_inst *i)
{
    return w->block->stream.wants_async ? copies_begin(w, i, COPY_PHASE) : 0;
}

void async_note_op(struct sass_warp *w, uint64_t at, struct barrier_op op)
{
    op.barrier = (uint32_t)at;
    if (w->block->stream.wants_async)
        copies_note_op(w->block, op);
}

static void note_change(struct sass_warp *w, uint64_t addr, struct mbarrier_change c)
{
    async_note_op(w, addr, (struct barrier_op){ .kind = BARRIER_CHANGE, .change = c });
}

enum exec_result async_execute_late(struct sass_warp *w, const struct sass_inst *i)
{
    w->late = i;
    w->pc = i->base.pc + 16;
    return EXEC_JUMP;
}

/* It will be executed again, by the pipeline; now only its barriers are looked at. */
static enum exec_result execute_late(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask, const uint64_t *addr)
{
    for (uint32_t m = mask; m; m &= m - 1)
        if (!barrier_at(w, i, (uint32_t)addr[__builtin_ctz(m)]))
            return EXEC_ERROR;
    note_barriers(w, addr);
    return async_execute_late(w, i);
}

/* What the instruction asks of one lane; false if it is not known. */
static bool arrive_change(const struct sass_inst *i, uint32_t v,
                          struct mbarrier_change *c)
{
    enum mode { A1TR, A1T0, A0T1, A0TR, A0TX, ART0 };

    *c = (struct mbarrier_change){ .drops = sass_has(i, SYNCS_ARRIVE_OPTOUT) };
    switch ((enum mode)sass_field(i, SYNCS_ARRIVE_MODE)) {
    case A1TR:
        c->arrivals = 1;
        c->bytes = (int32_t)v;
        return true;
    case A1T0:
        c->arrivals = 1;
        return true;
    case A0T1:
        c->bytes = 1;
        return true;
    case A0TR:
        c->bytes = (int32_t)v;
        return true;
    case A0TX:
        c->bytes = -(int32_t)v;
        return true;
    case ART0:
        c->arrivals = v;
        return true;
    default:
        return false;
    }
}

/* Of mask, the lanes with the address of its first one. */
static uint32_t same_address(const uint64_t *addr, uint32_t mask)
{
    uint64_t first = addr[__builtin_ctz(mask)];
    uint32_t same = 0;

    for (uint32_t m = mask; m; m &= m - 1)
        if (addr[__builtin_ctz(m)] == first)
            same |= m & -m;
    return same;
}

/* In timed runs: is the barrier in another SM, so that arrivals take a while? */
static bool is_far(const struct sass_warp *w, uint32_t addr)
{
    return w->block->stream.is_timed && addr >> RANK_SHIFT != w->block->rank;
}

/* Arrivals of lanes at one barrier of another block: the pipeline says when they come. */
static enum exec_result arrive_far(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t lanes, uint32_t addr, const uint32_t *v)
{
    struct mbarrier_change c, one;

    if (!w->block->copying && copies_begin(w, i, COPY_SENT))
        return EXEC_ERROR;
    arrive_change(i, v[__builtin_ctz(lanes)], &c);
    for (uint32_t m = lanes & (lanes - 1); m; m &= m - 1) {
        arrive_change(i, v[__builtin_ctz(m)], &one);
        c.arrivals += one.arrivals;
        c.bytes += one.bytes;
    }
    copies_report(w->block, addr, c);
    return EXEC_NEXT;
}

/* SYNCS.ARRIVE.TRANS64; DATA is a count or bytes. The token's low half is the lanes that
 * arrived together with .TMASK, and otherwise what the register held. */
enum exec_result exec_syncs_arrive(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t mask)
{
    bool with_mask = sass_has(i, SYNCS_ARRIVE_TMASK);
    uint64_t addr[WARP_LANES], out[WARP_LANES] = { 0 };
    struct mbarrier_change c;

    SOURCE(v, SYNCS_ARRIVE_DATA, SRC_BITS);
    SOURCE(held, SYNCS_ARRIVE_D, SRC_BITS);
    if (!arrive_change(i, 0, &c))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported arrival");
    memory_addresses(w, &i->opd[SYNCS_ARRIVE_ADDRESS], addr);
    if (async_is_early(w))
        return execute_late(w, i, mask, addr);
    if (async_begin_note(w, i))
        return EXEC_ERROR;
    for (uint32_t left = mask; left;) {
        uint32_t group = same_address(addr, left);
        uint8_t *at = barrier_at(w, i, (uint32_t)addr[__builtin_ctz(left)]);
        uint64_t token;

        if (!at)
            return EXEC_ERROR;
        token = load64(at) & ~(uint64_t)UINT32_MAX;
        if (is_far(w, (uint32_t)addr[__builtin_ctz(left)])) {
            if (arrive_far(w, i, group, (uint32_t)addr[__builtin_ctz(left)], v) ==
                EXEC_ERROR)
                return EXEC_ERROR;
            left &= ~group;
            continue;
        }
        for (uint32_t m = group; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            arrive_change(i, v[l], &c);
            note_change(w, addr[l], c);
            store64(at, mbarrier_update(load64(at), c));
            out[l] = token | (with_mask ? group : held[l]);
        }
        left &= ~group;
    }
    copies_finish(w->block);
    note_barriers(w, addr);
    sass_result64(w, &i->opd[SYNCS_ARRIVE_D], out, mask);
    return EXEC_NEXT;
}

bool async_must_fail(struct sass_warp *w, const struct sass_inst *i)
{
    struct sass_grid *g = w->block->grid;
    const struct sass_inst **more = g->tried;

    if (!w->block->stream.wants_async)
        return false;
    for (uint32_t k = 0; k < g->n_tried; k++)
        if (g->tried[k] == i)
            return false;
    if (g->n_tried % TRIED_STEP == 0)
        more = realloc(g->tried, (g->n_tried + TRIED_STEP) * sizeof(*more));
    if (!more)
        err_memory_exit("the waits of a recording");
    g->tried = more;
    g->tried[g->n_tried++] = i;
    return true;
}

/* A wait for phases: gives up at its first try if somebody records. Returns the lanes whose
 * phase is over. */
static uint32_t note_wait(struct sass_warp *w, const struct sass_inst *i, uint32_t mask,
                          uint32_t over, const uint64_t *addr, const uint32_t *v)
{
    if (!w->block->stream.wants_async || !sass_has(i, SYNCS_CHECK_TRYWAIT))
        return over;
    if (mask && async_must_fail(w, i))
        over = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        async_note_op(
            w, addr[l],
            (struct barrier_op){ .kind = BARRIER_WAIT, .parity = v[l] >> 31 });
    }
    copies_give_up(w->block, over != mask);
    return over;
}

/* SYNCS.PHASECHK.TRANS64; bit 31 of DATA is the parity. A failed .TRYWAIT gives other warps
 * a turn, so that the arrivals it waits for can happen. */
enum exec_result exec_syncs_check(struct sass_warp *w, const struct sass_inst *i,
                                  uint32_t mask)
{
    uint64_t addr[WARP_LANES];
    uint32_t over = 0;

    SOURCE(v, SYNCS_CHECK_DATA, SRC_BITS);
    memory_addresses(w, &i->opd[SYNCS_CHECK_ADDRESS], addr);
    if (async_is_early(w))
        return execute_late(w, i, mask, addr);
    if (async_begin_note(w, i))
        return EXEC_ERROR;
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        const uint8_t *at = barrier_at(w, i, (uint32_t)addr[l]);

        if (!at)
            return EXEC_ERROR;
        if (mbarrier_is_over(load64(at), v[l] >> 31))
            over |= 1u << l;
    }
    over = note_wait(w, i, mask, over, addr, v);
    copies_finish(w->block);
    note_barriers(w, addr);
    w->block->phase_waits = w->block->phase == PHASE_TRY &&
                            sass_has(i, SYNCS_CHECK_TRYWAIT) && over != mask;
    if (w->block->phase_waits)
        return EXEC_NEXT;
    set_predicate_bits(w, &i->opd[SYNCS_CHECK_PD], over, mask);
    if (!sass_has(i, SYNCS_CHECK_TRYWAIT) || over == mask)
        return EXEC_NEXT;
    w->slept = true;
    if (!w->parked)
        return EXEC_NEXT;
    converge_turn(w, i->base.pc + 16);
    return EXEC_JUMP;
}

/* SYNCS.EXCH.64, how a barrier begins. */
enum exec_result exec_syncs_exch(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    uint64_t addr[WARP_LANES], value[WARP_LANES], old[WARP_LANES];
    uint8_t *at;

    memory_addresses(w, &i->opd[SYNCS_EXCH_ADDRESS], addr);
    if (async_is_early(w))
        return execute_late(w, i, mask & -mask, addr);
    if (!mask)
        return EXEC_NEXT;
    sass_source64(w, &i->opd[SYNCS_EXCH_DATA], value);
    at = barrier_at(w, i, (uint32_t)addr[0]);
    if (!at || async_begin_note(w, i))
        return EXEC_ERROR;
    async_note_op(w, addr[0],
                  (struct barrier_op){ .kind = BARRIER_SET, .word = value[0] });
    copies_finish(w->block);
    LANES(l)
        old[l] = load64(at);
    store64(at, value[0]);
    note_barriers(w, addr);
    sass_result64(w, &i->opd[SYNCS_EXCH_D], old, mask);
    return EXEC_NEXT;
}

/* ARRIVES.LDGSTSBAR.64: each lane's copies are done, which is an arrival, or (.TRANSCNT)
 * one byte of those expected. */
enum exec_result exec_arrives(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    enum { PLAIN, ARVCNT, TRANSCNT };
    bool is_90 = w->block->grid->arch >= SM90;
    unsigned mode = is_90 ? special_arrival(i) : PLAIN;
    struct mbarrier_change c = { .arrivals = mode == ARVCNT,
                                 .bytes = -(mode == TRANSCNT) };
    uint64_t addr[WARP_LANES];

    if (mode > TRANSCNT || (is_90 && mode == PLAIN))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported arrival");
    memory_addresses(w, &i->opd[ARRIVES_ADDRESS], addr);
    if (is_90 && async_is_early(w))
        return execute_late(w, i, mask, addr);
    if (is_90 && async_begin_note(w, i))
        return EXEC_ERROR;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint8_t *at = barrier_at(w, i, (uint32_t)addr[__builtin_ctz(m)]);

        if (!at)
            return EXEC_ERROR;
        if (is_90)
            note_change(w, addr[__builtin_ctz(m)], c);
        store64(at, is_90 ? mbarrier_update(load64(at), c)
                          : mbarrier_arrive_old(load64(at)));
    }
    copies_finish(w->block);
    note_barriers(w, addr);
    return EXEC_NEXT;
}

/* sm_86: ATOMS.ARRIVE.64, ATOM.ARRIVE.64. */
enum exec_result exec_atom_arrive(struct sass_warp *w, const struct sass_inst *i,
                                  uint32_t mask)
{
    bool is_generic = i->base.op == OP_ATOM_ARRIVE;
    const struct operand *d = &i->opd[is_generic ? ATOM_ARRIVE_D : ATOMS_POPC_D];
    struct memory_access what = {
        &i->opd[is_generic ? ATOM_ARRIVE_ADDRESS : ATOMS_POPC_ADDRESS],
        (uint8_t)(is_generic ? SPACE_GENERIC : SPACE_SHARED), BARRIER_BYTES
    };
    uint64_t out[WARP_LANES] = { 0 };
    struct memory_place p;

    if (!sass_is_ampere(w->block->grid->arch))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported arrival");
    if (memory_resolve(w, i, mask, what, &p) == EXEC_ERROR)
        return EXEC_ERROR;
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        out[l] = load64(p.at[l]);
        store64(p.at[l], mbarrier_arrive_old(out[l]));
    }
    sass_result64(w, d, out, mask);
    if (is_generic)
        set_predicate_bits(w, &i->opd[ATOM_ARRIVE_PD], ALL_LANES, mask);
    return EXEC_NEXT;
}
