/* exec_async.c - bulk copies, stores and reductions that report to a barrier, and the
 * barrier of a cluster.
 *
 * Everything asynchronous is done when it is executed: bytes are there and counted as come
 * at once, so groups of bulk copies have nothing to wait for. In timed runs bytes are counted
 * when the pipeline says that they have come (copies.c).
 *
 * exec_mbarrier.c has operations on barriers, exec_tma.c the copies that a tensor map
 * describes.
 */
#include "frontend/sass/exec/async.h"
#include "frontend/sass/exec/atomic.h"
#include "frontend/sass/exec/cluster.h"
#include "frontend/sass/exec/handlers.h"
#include "frontend/sass/exec/memory.h"
#include "frontend/sass/math/fp.h"

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
    return memory_seen(w, e.addr, memory_global(w, i, e.addr, bytes, is_write), bytes,
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
            return async_bad_address(w, i, d ? from.addr : to.addr, BULK_ALIGN);
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
    uint64_t addrs[WARP_LANES] = { 0 };
    uint32_t tmp[4][WARP_LANES];
    const uint32_t *v[4];

    if (!(a->flags & OPD_WIDE) || a->flags & OPD_HAS_UREG || a->reg == REG_RZ)
        return sass_fault(w, i, ERR_UNSUPPORTED, "unsupported address");
    for (unsigned k = 0; k < bytes / 4; k++)
        v[k] = sass_source(w, &i->opd[STAS_DATA], k, SRC_BITS, tmp[k]);
    if (mask && copies_begin(w, i, COPY_SENT))
        return EXEC_ERROR;
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t addr = to[l] + (uint32_t)a->imm;
        uint8_t *at = cluster_shared(w->block, addr, bytes), data[16];

        if (!at || addr & (bytes - 1))
            return async_bad_address(w, i, addr, bytes);
        for (unsigned k = 0; k < bytes / 4; k++)
            memcpy(data + 4 * k, &v[k][l], 4);
        merge_bytes(op, at, data, bytes);
        if (async_complete(w, i, barrier[l], bytes) == EXEC_ERROR)
            return EXEC_ERROR;
        addrs[l] = memory_cluster_offset(w, addr);
    }
    memory_note(w, SPACE_SHARED, addrs);
    copies_finish(w->block);
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
    bool is_whole = !(~w->exited & ~(w->cluster_lanes | mask));

    (void)i;
    if (!mask)
        return EXEC_NEXT;
    if (w->dyn) {
        w->dyn->barrier = BAR_CLUSTER;
        w->dyn->bar_warps = 0;
        w->dyn->bar_kind = is_whole ? BAR_ARRIVE : BAR_NONE;
    }
    cluster_arrive(w, mask);
    return EXEC_NEXT;
}

enum exec_result exec_cluster_wait(struct sass_warp *w, const struct sass_inst *i,
                                   uint32_t mask)
{
    bool is_whole = !w->cluster_lanes || !(~w->exited & ~w->cluster_lanes);

    if (!mask)
        return EXEC_NEXT;
    if (w->dyn) {
        w->dyn->barrier = BAR_CLUSTER;
        w->dyn->bar_warps = 0;
        w->dyn->bar_kind = is_whole ? BAR_SYNC : BAR_NONE;
    }
    if (!cluster_wait(w, mask, i->base.pc + 16))
        w->pc = i->base.pc + 16;
    return EXEC_JUMP;
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
