/* exec_async.c - mbarriers, bulk copies, stores and reductions that report to a barrier,
 * and the barrier of a cluster.
 *
 * Everything asynchronous is done when it is executed: bytes are there and counted as come
 * at once, so groups of bulk copies have nothing to wait for. In timed runs bytes are counted
 * when the pipeline says that they have come (copies.c), and operations on barriers take
 * effect when they issue: before that they are executed for their addresses alone.
 *
 * Lanes of one instruction that arrive at the same barrier count together and all get
 * the upper half of the word as it was before them; with .TMASK the lower half is the
 * mask of those lanes, from which compiled code works out each one's own.
 *
 * exec_tma.c has the copies that a tensor map describes.
 */
#include "frontend/sass/decode/special.h"
#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/atomic.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/converge.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/mbarrier.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/math/fp.h"

enum { BARRIER_BYTES = 8 };

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

static enum exec_result bad_address(struct sass_warp *w, const struct sass_inst *i,
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
        bad_address(w, i, addr, BARRIER_BYTES);
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
    if (copies_report(w->block, addr, bytes))
        return EXEC_NEXT;
    store64(at, mbarrier_update(load64(at),
                                (struct mbarrier_change){ .bytes = -(int32_t)bytes }));
    return EXEC_NEXT;
}

/* Does the operation take effect only when it issues? */
static bool is_early(const struct sass_warp *w)
{
    return w->block->stream.is_timed && w->block->phase == PHASE_EARLY;
}

/* It will be executed again, by the pipeline; now only its barriers are looked at. */
static enum exec_result execute_late(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask, const uint64_t *addr)
{
    for (uint32_t m = mask; m; m &= m - 1)
        if (!barrier_at(w, i, (uint32_t)addr[__builtin_ctz(m)]))
            return EXEC_ERROR;
    memory_note(w, SPACE_SHARED, addr);
    w->late = i;
    w->pc = i->base.pc + 16;
    return EXEC_JUMP;
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
    if (is_early(w))
        return execute_late(w, i, mask, addr);
    for (uint32_t left = mask; left;) {
        uint32_t group = same_address(addr, left);
        uint8_t *at = barrier_at(w, i, (uint32_t)addr[__builtin_ctz(left)]);
        uint64_t token;

        if (!at)
            return EXEC_ERROR;
        token = load64(at) & ~(uint64_t)UINT32_MAX;
        for (uint32_t m = group; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);

            arrive_change(i, v[l], &c);
            store64(at, mbarrier_update(load64(at), c));
            out[l] = token | (with_mask ? group : held[l]);
        }
        left &= ~group;
    }
    memory_note(w, SPACE_SHARED, addr);
    sass_result64(w, &i->opd[SYNCS_ARRIVE_D], out, mask);
    return EXEC_NEXT;
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
    if (is_early(w))
        return execute_late(w, i, mask, addr);
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        const uint8_t *at = barrier_at(w, i, (uint32_t)addr[l]);

        if (!at)
            return EXEC_ERROR;
        if (mbarrier_is_over(load64(at), v[l] >> 31))
            over |= 1u << l;
    }
    memory_note(w, SPACE_SHARED, addr);
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
    if (is_early(w))
        return execute_late(w, i, mask & -mask, addr);
    if (!mask)
        return EXEC_NEXT;
    sass_source64(w, &i->opd[SYNCS_EXCH_DATA], value);
    at = barrier_at(w, i, (uint32_t)addr[0]);
    if (!at)
        return EXEC_ERROR;
    LANES(l)
        old[l] = load64(at);
    store64(at, value[0]);
    memory_note(w, SPACE_SHARED, addr);
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
    if (is_90 && is_early(w))
        return execute_late(w, i, mask, addr);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint8_t *at = barrier_at(w, i, (uint32_t)addr[__builtin_ctz(m)]);

        if (!at)
            return EXEC_ERROR;
        store64(at, is_90 ? mbarrier_update(load64(at), c)
                          : mbarrier_arrive_old(load64(at)));
    }
    memory_note(w, SPACE_SHARED, addr);
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

uint64_t async_uniform64(const struct sass_warp *w, unsigned reg)
{
    if (reg >= UREG_URZ)
        return 0;
    return (uint64_t)sass_uniform(w, reg + 1) << 32 | sass_uniform(w, reg);
}

enum { BULK_ALIGN = 16 };

/* One end of a bulk copy. */
struct bulk_end {
    bool is_shared;
    uint64_t addr;
};

/* Bytes from the address up to the end of its line: the memory in one piece. */
static uint32_t bytes_in_line(struct bulk_end e, uint32_t left)
{
    uint32_t n = VIEW_LINE - (uint32_t)(e.addr & (VIEW_LINE - 1));

    return n < left ? n : left;
}

static uint8_t *bulk_at(struct sass_warp *w, const struct sass_inst *i,
                        struct bulk_end e, uint32_t bytes, bool is_write)
{
    if (e.addr & (BULK_ALIGN - 1))
        return NULL;
    if (e.is_shared)
        return cluster_shared(w->block, (uint32_t)e.addr, bytes);
    return memory_seen(w, e.addr, memory_global(w, i, e.addr, is_write), bytes,
                       is_write);
}

/* The type of UBLKRED's elements by its field; n = 0: none. */
static struct atom_type bulk_type(unsigned field)
{
    static const struct atom_type types[16] = {
        { .bytes = 4, .n = 1 },
        { .bytes = 4, .n = 1, .is_signed = true },
        { .bytes = 8, .n = 1 },
        { .bytes = 8, .n = 1, .is_signed = true },
        { .bytes = 4, .n = 1, .is_float = true, .fp = FP_ATOMIC_F16X2 },
        { .bytes = 4, .n = 1, .is_float = true, .fp = FP_BULK_F32 },
        { .n = 0 },
        { .bytes = 8, .n = 1, .is_float = true, .fp = FP_ATOMIC_F64 },
        { .bytes = 4, .n = 1, .is_float = true, .fp = FP_ATOMIC_BF16X2 },
    };

    return types[field];
}

/* What is done with the bytes: copied, or, with a type, combined. */
struct bulk_op {
    struct atom_type type; /* n = 0: copied */
    enum atom_op op;
};

static void merge_bytes(const struct bulk_op *op, uint8_t *to, const uint8_t *from,
                        uint32_t bytes)
{
    if (!op->type.n) {
        memmove(to, from, bytes);
        return;
    }
    for (uint32_t k = 0; k < bytes; k += op->type.bytes) {
        uint64_t old = 0, v = 0;

        memcpy(&old, to + k, op->type.bytes);
        memcpy(&v, from + k, op->type.bytes);
        v = atomic_apply(op->type, op->op, old, v);
        memcpy(to + k, &v, op->type.bytes);
    }
}

static enum exec_result bulk_run(struct sass_warp *w, const struct sass_inst *i,
                                 const struct bulk_op *op, struct bulk_end to,
                                 struct bulk_end from, uint32_t bytes)
{
    if (op->type.n && !to.is_shared)
        memory_order(w);
    while (bytes) {
        uint32_t n = bytes_in_line(to, bytes_in_line(from, bytes));
        uint8_t *d = bulk_at(w, i, to, n, true);
        const uint8_t *s = bulk_at(w, i, from, n, false);

        if (!d || !s)
            return bad_address(w, i, d ? from.addr : to.addr, BULK_ALIGN);
        merge_bytes(op, d, s, n);
        to.addr += n;
        from.addr += n;
        bytes -= n;
    }
    return EXEC_NEXT;
}

/* Copies to one block and reports to the barrier beside the destination. */
static enum exec_result bulk_report(struct sass_warp *w, const struct sass_inst *i,
                                    const struct bulk_op *op, struct bulk_end to,
                                    struct bulk_end from, uint32_t bytes)
{
    uint32_t barrier = (uint32_t)(to.addr >> 32);

    to.addr = (uint32_t)to.addr;
    if (bulk_run(w, i, op, to, from, bytes) == EXEC_ERROR)
        return EXEC_ERROR;
    return async_complete(w, i, barrier, bytes);
}

uint64_t async_in_block(uint64_t to, uint32_t rank)
{
    const uint64_t offsets = (1u << RANK_SHIFT) - 1;
    uint64_t both = (uint64_t)rank << RANK_SHIFT;

    return (to & (offsets | offsets << 32)) | both | both << 32;
}

_Static_assert(UBLKCP_TO == UBLKRED_TO && UBLKCP_FROM == UBLKRED_FROM &&
                   UBLKCP_SIZE == UBLKRED_SIZE &&
                   UBLKCP_TO_SHARED == UBLKRED_TO_SHARED &&
                   UBLKCP_FROM_SHARED == UBLKRED_FROM_SHARED,
               "copy_bulk() is for both");

static enum copy_kind bulk_kind(const struct bulk_op *op, struct bulk_end to,
                                struct bulk_end from)
{
    if (to.is_shared)
        return from.is_shared ? COPY_NEAR : COPY_LOAD;
    return op->type.n ? COPY_REDUCE : COPY_STORE;
}

/* UBLKCP, UBLKRED. TO in shared memory comes with a barrier; SIZE has 16-byte units below
 * and the mask of receiving blocks above. Executed once for the warp. */
static enum exec_result copy_bulk(struct sass_warp *w, const struct sass_inst *i,
                                  const struct bulk_op *op)
{
    uint32_t size = (uint32_t)async_uniform64(w, i->opd[UBLKCP_SIZE].reg);
    uint32_t bytes = (size & 0xffff) << 4;
    struct bulk_end to = { sass_has(i, UBLKCP_TO_SHARED),
                           async_uniform64(w, i->opd[UBLKCP_TO].reg) };
    struct bulk_end from = { sass_has(i, UBLKCP_FROM_SHARED),
                             async_uniform64(w, i->opd[UBLKCP_FROM].reg) };
    bool multicast = i->base.op == OP_UBLKCP && sass_has(i, UBLKCP_MULTICAST);

    if ((!to.is_shared && !from.is_shared) || (multicast && !to.is_shared))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported bulk copy");
    if (from.is_shared)
        from.addr = (uint32_t)from.addr;
    if (copies_begin(w, i, bulk_kind(op, to, from)) ||
        copies_add_run(w->block, to.is_shared ? from.addr : to.addr, bytes))
        return EXEC_ERROR;
    if (!to.is_shared)
        return bulk_run(w, i, op, to, from, bytes);
    if (!multicast)
        return bulk_report(w, i, op, to, from, bytes);
    for (uint32_t m = size >> 16; m; m &= m - 1) {
        struct bulk_end there = { true,
                                  async_in_block(to.addr, (uint32_t)__builtin_ctz(m)) };

        if (bulk_report(w, i, op, there, from, bytes) == EXEC_ERROR)
            return EXEC_ERROR;
    }
    return EXEC_NEXT;
}

static enum exec_result run_bulk(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask, const struct bulk_op *op)
{
    enum exec_result r = mask ? copy_bulk(w, i, op) : EXEC_NEXT;

    copies_finish(w->block);
    return r;
}

/* UTMACMDFLUSH, LDGDEPBAR: only a pipeline knows of groups. */
enum exec_result exec_tma_commit(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    if (mask && i->base.flags & INST_COPIES && copies_begin(w, i, COPY_COMMIT))
        return EXEC_ERROR;
    copies_finish(w->block);
    return EXEC_NEXT;
}

enum exec_result exec_ublkcp(struct sass_warp *w, const struct sass_inst *i,
                             uint32_t mask)
{
    const struct bulk_op copy = { .op = ATOM_EXCH };

    return run_bulk(w, i, mask, &copy);
}

enum exec_result exec_ublkred(struct sass_warp *w, const struct sass_inst *i,
                              uint32_t mask)
{
    struct bulk_op op = { bulk_type(sass_field(i, UBLKRED_TYPE)),
                          (enum atom_op)sass_field(i, UBLKRED_OP) };

    if (!atomic_can(op.type, op.op))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported bulk reduction");
    return run_bulk(w, i, mask, &op);
}

_Static_assert(STAS_ADDRESS == REDAS_ADDRESS && STAS_DATA == REDAS_DATA,
               "async_store() is for both");

/* STAS and REDAS. The address is a register pair: where to, and the barrier. */
static enum exec_result async_store(struct sass_warp *w, const struct sass_inst *i,
                                    uint32_t mask, unsigned bytes,
                                    const struct bulk_op *op)
{
    const struct operand *a = &i->opd[STAS_ADDRESS];
    const uint32_t *to = reg_row(w, a->reg), *barrier = w->r[a->reg + 2];
    uint32_t tmp[4][WARP_LANES];
    const uint32_t *v[4];

    if (!(a->flags & OPD_WIDE) || a->flags & OPD_HAS_UREG || a->reg == REG_RZ)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported address");
    for (unsigned k = 0; k < bytes / 4; k++)
        v[k] = sass_source(w, &i->opd[STAS_DATA], k, SRC_BITS, tmp[k]);
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t addr = to[l] + (uint32_t)a->imm;
        uint8_t *at = cluster_shared(w->block, addr, bytes), data[16];

        if (!at || addr & (bytes - 1))
            return bad_address(w, i, addr, bytes);
        for (unsigned k = 0; k < bytes / 4; k++)
            memcpy(data + 4 * k, &v[k][l], 4);
        merge_bytes(op, at, data, bytes);
        if (async_complete(w, i, barrier[l], bytes) == EXEC_ERROR)
            return EXEC_ERROR;
    }
    return EXEC_NEXT;
}

enum exec_result exec_stas(struct sass_warp *w, const struct sass_inst *i,
                           uint32_t mask)
{
    static const uint8_t sizes[8] = { 0, 0, 0, 0, 4, 8, 16, 0 };
    const struct bulk_op copy = { .op = ATOM_EXCH };
    unsigned bytes = sizes[sass_field(i, STAS_SIZE)];

    if (!bytes)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported access size");
    return async_store(w, i, mask, bytes, &copy);
}

enum exec_result exec_redas(struct sass_warp *w, const struct sass_inst *i,
                            uint32_t mask)
{
    struct bulk_op op = { atomic_int_type(sass_field(i, REDAS_TYPE)),
                          (enum atom_op)sass_field(i, REDAS_OP) };

    if (op.type.n != 1 || !atomic_can(op.type, op.op))
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported atomic operation");
    return async_store(w, i, mask, op.type.bytes, &op);
}

enum exec_result exec_cluster_arrive(struct sass_warp *w, const struct sass_inst *i,
                                     uint32_t mask)
{
    (void)i;
    if (mask)
        cluster_arrive(w, mask);
    return EXEC_NEXT;
}

enum exec_result exec_cluster_wait(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t mask)
{
    return cluster_wait(w, mask, i->base.pc + 16) ? EXEC_JUMP : EXEC_NEXT;
}

/* RPCMOV.32, to and from the return address register. */
enum exec_result exec_rpcmov_to(struct sass_warp *w, const struct sass_inst *i,
                                uint32_t mask)
{
    SOURCE(v, RPCMOV_TO_A, SRC_BITS);

    write_row(w->rpc[sass_has(i, RPCMOV_TO_HI)], v, mask);
    return EXEC_NEXT;
}

enum exec_result exec_rpcmov_from(struct sass_warp *w, const struct sass_inst *i,
                                  uint32_t mask)
{
    sass_result(w, &i->opd[RPCMOV_FROM_D], 0, w->rpc[sass_has(i, RPCMOV_FROM_HI)],
                mask);
    return EXEC_NEXT;
}

/* USETMAXREG: there are always registers. */
enum exec_result exec_usetmaxreg(struct sass_warp *w, const struct sass_inst *i,
                                 uint32_t mask)
{
    set_predicate_bits(w, &i->opd[USETMAXREG_PD], ALL_LANES, mask);
    return EXEC_NEXT;
}
