/* exec_system.c - CSRs, calls out of the program, traps.
 *
 * Vortex has no traps: ecall and ebreak end the run and machine CSRs are accepted but
 * read zero. Programs that report through tohost, bare-metal tests, are given as much of
 * machine mode as they use: mtvec, mepc, mcause, mtval, mstatus and mret. Interrupts,
 * protection, translation and supervisor mode do not exist; their CSRs may be written.
 */
#include "base/bits.h"
#include "frontend/riscv/state.h"

enum csr {
    CSR_FFLAGS = 0x001,
    CSR_FRM,
    CSR_FCSR,
    CSR_MSTATUS = 0x300,
    CSR_MISA = 0x301,
    CSR_MTVEC = 0x305,
    CSR_MSCRATCH = 0x340,
    CSR_MEPC = 0x341,
    CSR_MCAUSE = 0x342,
    CSR_MTVAL = 0x343,
    CSR_MHARTID = 0xf14,
    CSR_THREAD_ID = 0xcc0,
    CSR_WARP_ID,
    CSR_CORE_ID,
    CSR_ACTIVE_WARPS,
    CSR_ACTIVE_THREADS,
    CSR_NUM_THREADS = 0xfc0,
    CSR_NUM_WARPS,
    CSR_NUM_CORES,
    CSR_LOCAL_BASE,
    CSR_MCYCLE = 0xb00,
    CSR_MINSTRET = 0xb02,
};

enum cause { CAUSE_FETCH = 0, CAUSE_ILLEGAL = 2, CAUSE_BREAK = 3, CAUSE_ECALL = 8 };

#define MISA_RV32IMAF 0x40001121u
#define MSTATUS_MPP   0x1800u

static uint32_t *machine_csr(struct riscv_warp *w, unsigned csr)
{
    return &w->machine.csr[csr - MCSR_BASE];
}

static void enter_trap(struct riscv_warp *w, uint32_t cause, uint32_t pc,
                       uint32_t value)
{
    uint32_t *mstatus = machine_csr(w, CSR_MSTATUS);

    w->machine.is_trapped = cause < CAUSE_ECALL;
    *machine_csr(w, CSR_MCAUSE) = cause;
    *machine_csr(w, CSR_MEPC) = pc;
    *machine_csr(w, CSR_MTVAL) = value;
    *mstatus = (*mstatus & ~MSTATUS_MPP) | (uint32_t)w->machine.privilege << 11;
    w->machine.privilege = 3;
    w->pc = *machine_csr(w, CSR_MTVEC) & ~3u;
}

int riscv_illegal(struct riscv_warp *w, uint32_t pc, uint32_t word, struct err *err)
{
    if (riscv_has_traps(w) && *machine_csr(w, CSR_MTVEC)) {
        enter_trap(w, pc & 3 ? CAUSE_FETCH : CAUSE_ILLEGAL, pc, pc & 3 ? pc : word);
        return 0;
    }
    if (pc & 3)
        return err_kind(err, ERR_MISALIGNED,
                        "core %u, warp %u: jump to 0x%x, expected a multiple of 4",
                        w->core->index, w->index, pc);
    return err_kind(err, ERR_UNSUPPORTED,
                    "core %u, warp %u: no instruction 0x%08x at 0x%x (RV32IMAF, Zicsr, "
                    "Zicond and Vortex's are known)",
                    w->core->index, w->index, word, pc);
}

static uint32_t hart_id(const struct riscv_warp *w, unsigned lane)
{
    unsigned t = bits_for(w->n_lanes), k = bits_for(w->core->stream.n_warps);

    return (w->core->index << (t + k)) + (w->index << t) + lane;
}

static uint64_t read_counter(const struct riscv_warp *w, unsigned csr)
{
    const struct riscv_launch *l = &w->core->launched->launch;

    if (l->counter)
        return l->counter(l->counter_from, w->core->index, csr);
    if (csr == CSR_MCYCLE)
        return w->core->warp_insts;
    return csr == CSR_MINSTRET ? w->core->thread_insts : 0;
}

/* CSRs of modes and devices that do not exist. */
static bool is_ignored(unsigned csr)
{
    static const struct {
        uint16_t first, last;
    } ranges[] = {
        { 0x100, 0x1ff }, /* supervisor */
        { 0x300, 0x3ef }, /* machine: set-up, traps, protection */
        { 0x740, 0x744 }, /* machine: traps that cannot be masked */
        { 0x747, 0x757 }, /* machine: security */
        { 0x7a0, 0x7af }, /* triggers */
        { 0xf11, 0xf15 }, /* vendor and the like */
    };

    for (unsigned n = 0; n < sizeof ranges / sizeof *ranges; n++)
        if (csr >= ranges[n].first && csr <= ranges[n].last)
            return true;
    return false;
}

/* A machine CSR that holds what it was given. */
static bool is_kept(const struct riscv_warp *w, unsigned csr)
{
    return riscv_has_traps(w) && csr - MCSR_BASE < N_MCSR && csr != CSR_MSCRATCH;
}

/* Values that are the same in all lanes; false: there is no such CSR. */
static bool read_csr(struct riscv_warp *w, unsigned csr, uint32_t *value)
{
    const struct riscv_core *c = w->core;

    switch (csr) {
    case CSR_FFLAGS:
        *value = w->fflags;
        return true;
    case CSR_FRM:
        *value = w->frm;
        return true;
    case CSR_FCSR:
        *value = (uint32_t)w->frm << 5 | w->fflags;
        return true;
    case CSR_MSCRATCH:
        *value = c->mscratch;
        return true;
    case CSR_WARP_ID:
        *value = w->index;
        return true;
    case CSR_CORE_ID:
        *value = c->index;
        return true;
    case CSR_ACTIVE_WARPS:
        *value = c->active;
        return true;
    case CSR_ACTIVE_THREADS:
        *value = w->mask;
        return true;
    case CSR_NUM_THREADS:
        *value = w->n_lanes;
        return true;
    case CSR_NUM_WARPS:
        *value = c->stream.n_warps;
        return true;
    case CSR_NUM_CORES:
        *value = c->launched->launch.n_cores;
        return true;
    case CSR_LOCAL_BASE:
        *value = RISCV_LOCAL;
        return true;
    case CSR_THREAD_ID:
    case CSR_MHARTID: /* lanes differ: see access_csr() */
        *value = 0;
        return true;
    }
    if (riscv_is_counter(csr)) {
        uint64_t v = read_counter(w, CSR_MCYCLE + (csr & 0x1f));

        *value = (uint32_t)(csr & 0x80 ? v >> 32 : v);
        return true;
    }
    *value = is_kept(w, csr) ? *machine_csr(w, csr) : 0;
    if (csr == CSR_MISA && riscv_has_traps(w))
        *value = MISA_RV32IMAF;
    return is_ignored(csr);
}

static void write_csr(struct riscv_warp *w, unsigned csr, uint32_t value)
{
    switch (csr) {
    case CSR_FFLAGS:
        w->fflags = value & 31;
        break;
    case CSR_FRM:
        w->frm = value & 7;
        break;
    case CSR_FCSR:
        w->fflags = value & 31;
        w->frm = value >> 5 & 7;
        break;
    case CSR_MSCRATCH:
        w->core->mscratch = value;
        break;
    default:
        if (is_kept(w, csr))
            *machine_csr(w, csr) = value;
    }
}

/* mscratch holds the address of the arguments until the program writes it. */
static void note_arguments(struct riscv_core *c, const struct riscv_inst *i,
                           bool writes)
{
    if (i->rd != ROW_NOBODY && !c->is_scratch_written && !c->mscratch)
        c->lacks_arguments = true;
    c->is_scratch_written |= writes;
}

bool riscv_awaits_counter(const struct riscv_warp *w, const struct riscv_inst *i)
{
    const struct riscv_role *r = &i->role;
    bool waits = w->n_reads == RISCV_MAX_READS || i->inst.op == RISCV_ecall ||
                 i->inst.op == RISCV_ebreak;

    for (unsigned n = 0; n < w->n_reads && !waits; n++) {
        uint8_t rd = w->reads[n].inst->role.rd;

        waits = rd &&
                (rd == r->rd || rd == r->src[0] || rd == r->src[1] || rd == r->src[2]);
    }
    return waits;
}

void riscv_tell_time(struct stream *s, unsigned warp, uint64_t seq, uint64_t cycle,
                     uint64_t ns)
{
    struct riscv_warp *w = &((struct riscv_core *)s)->warp[warp];
    struct riscv_read *end = w->reads + w->n_reads, *at = w->reads;
    uint32_t value;

    (void)cycle; /* a counter of the timing model */
    (void)ns;
    while (at < end && at->seq != seq)
        at++;
    if (at == end || !read_csr(w, at->inst->imm, &value))
        return; /* the warp has ended since */
    for (uint32_t m = at->mask; m; m &= m - 1)
        w->r[at->inst->rd][__builtin_ctz(m)] = value;
    memmove(at, at + 1, (size_t)(end - at - 1) * sizeof *at);
    w->n_reads--;
}

/* The value of rs1 or of the field in its place. Lane 0's value is written, active or
 * not, as in the hardware. */
static int access_csr(struct riscv_warp *w, const struct riscv_inst *i, uint32_t clear,
                      uint32_t set, bool writes, struct err *err)
{
    uint32_t old, *d = w->r[i->rd];

    if (i->inst.flags & INST_TIME && w->core->stream.is_timed) {
        w->reads[w->n_reads++] = (struct riscv_read){ i, w->seq - 1, w->mask };
        return 0; /* counters cannot be written */
    }
    if (!read_csr(w, i->imm, &old)) {
        if (riscv_has_traps(w))
            return riscv_illegal(w, (uint32_t)i->inst.pc, i->word, err);
        return err_kind(err, ERR_UNSUPPORTED,
                        "core %u, warp %u: no CSR 0x%x, at 0x%llx", w->core->index,
                        w->index, i->imm, (unsigned long long)i->inst.pc);
    }
    if (i->imm == CSR_MSCRATCH && !riscv_has_traps(w))
        note_arguments(w->core, i, writes);
    for (uint32_t m = w->mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);

        d[l] = i->imm == CSR_THREAD_ID ? l
               : i->imm == CSR_MHARTID ? hart_id(w, l)
                                       : old;
    }
    if (writes)
        write_csr(w, i->imm, (old & ~clear) | set);
    return 0;
}

static uint32_t csr_immediate(const struct riscv_inst *i)
{
    return i->word >> 15 & 31;
}

/* CSR(id, what is cleared, what is set, whether it writes), of v, the operand. */
#define CSR(id, operand, clear, set, writes)                    \
    HANDLER(id)                                                 \
    {                                                           \
        uint32_t v = (operand);                                 \
                                                                \
        return access_csr(w, i, (clear), (set), (writes), err); \
    }

CSR(csrrw, w->r[i->rs1][0], ~0u, v, true)
CSR(csrrs, w->r[i->rs1][0], 0, v, i->rs1)
CSR(csrrc, w->r[i->rs1][0], v, 0, i->rs1)
CSR(csrrwi, csr_immediate(i), ~0u, v, true)
CSR(csrrsi, csr_immediate(i), 0, v, v != 0)
CSR(csrrci, csr_immediate(i), v, 0, v != 0)

/* The end of a program without traps. Its status is where its kind leaves it: in a0 if
 * a7 says exit, as in tests that run on any system; else in gp, where 1 is good. ISA
 * tests leave 1 in gp, or the number of the test that failed, twice and one. */
static void end_by_call(struct riscv_warp *w)
{
    unsigned l = reference_lane(w);
    uint32_t gp = w->r[3][l], a0 = w->r[10][l], a7 = w->r[17][l];
    uint32_t status = gp == 1 ? 0 : gp;
    bool is_test = gp & 1 && (a7 != 93 || a0 == status);

    riscv_end_program(w->core->launched,
                      &(struct riscv_result){
                          .status = (int32_t)(a7 == 93 ? a0 : status),
                          .is_test = is_test,
                          .failed_test = is_test ? gp >> 1 : 0,
                      });
}

/* The meaning of a value stored at tohost: an odd number ends it, the number of the
 * test that failed, twice and one. Zero means nothing; other values are requests to a
 * host, for which the program waits. */
int riscv_tell_host(struct riscv_warp *w, uint32_t value, struct err *err)
{
    if (value && !(value & 1))
        return err_kind(err, ERR_UNSUPPORTED,
                        "core %u, warp %u: 0x%x at tohost asks for a service of the "
                        "host, expected an odd number, which ends the program",
                        w->core->index, w->index, value);
    if (value)
        riscv_end_program(w->core->launched,
                          &(struct riscv_result){
                              .status = (int32_t)(value >> 1),
                              .is_test = true,
                              .failed_test = value >> 1,
                              .is_trapped = value >> 1 && w->machine.is_trapped,
                              .trap_cause = *machine_csr(w, CSR_MCAUSE),
                              .trap_pc = *machine_csr(w, CSR_MEPC),
                          });
    return 0;
}

static int raise_environment_call(struct riscv_warp *w, const struct riscv_inst *i,
                                  uint32_t cause)
{
    if (riscv_has_traps(w) && *machine_csr(w, CSR_MTVEC))
        enter_trap(w, cause, (uint32_t)i->inst.pc, 0);
    else
        end_by_call(w);
    return 0;
}

HANDLER(ecall)
{
    return raise_environment_call(w, i, CAUSE_ECALL + w->machine.privilege);
}

HANDLER(ebreak)
{
    return raise_environment_call(w, i, CAUSE_BREAK);
}

/* Without traps there is nothing to return from; the hardware continues. */
HANDLER(mret)
{
    uint32_t *mstatus = machine_csr(w, CSR_MSTATUS);
    if (!riscv_has_traps(w))
        return 0;
    w->machine.privilege = *mstatus >> 11 & 3;
    *mstatus &= ~MSTATUS_MPP;
    w->pc = *machine_csr(w, CSR_MEPC) & ~3u;
    return 0;
}

HANDLER(sret)
{
    return riscv_has_traps(w) ? riscv_illegal(w, (uint32_t)i->inst.pc, i->word, err)
                              : 0;
}

HANDLER(wfi)
{
    return 0;
}
