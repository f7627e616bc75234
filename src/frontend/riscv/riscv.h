/* riscv.h - RV32IMAF + Zicsr + Zicond with the SIMT extension of Vortex: programs, their
 * memory, and a launch as a struct kernel (isa/stream.h).
 *
 * How a Vortex processor looks through stream.h:
 *   kernel   one launch of a program, on all cores
 *   block    one core: block n is core n, and all of them must be open for a barrier
 *            between cores to be passed
 *   warp     one of the core's n_warps, all of which exist from the start: warp 0 runs
 *            at the start address with lane 0; the others are STREAM_WAIT until wspawn
 *            starts them, and again after tmc 0. STREAM_END is said of every warp when
 *            no warp of the core is left, or the program has ended (ecall, tohost).
 *   lanes    0 .. n_threads - 1; active and mask of a dyn are the same, for lanes have
 *            no guards here
 *
 * What a dyn says of the instructions that only this machine has:
 *   wspawn   bar_warps: how many warps run after it, the caller among them. It is given
 *            out at once; the caller's next instruction, and the first of those it
 *            starts, are STREAM_WAIT until the caller is the only warp of its core that
 *            has not ended in program order. A pipeline applies the same rule to its own
 *            idea of who has ended: what it sees is never early.
 *   tmc      next_pc 0: the mask is empty, the warp has ended, until somebody starts it
 *   bar      barrier: its number, BARRIER_GLOBAL added for one between cores; bar_warps:
 *            the count it was given (cores, for a global one); bar_kind: BAR_NONE if the
 *            count is 1, when it does not wait
 *   join     next_pc: elsewhere, when the other side has its turn now
 *   memory   addr: per lane; space: SPACE_SHARED if every lane's is in local memory;
 *            riscv_place() tells of any address where it leads
 *
 * Counters (CSRs mcycle, minstret and those after them): see riscv_launch.counter.
 */
#ifndef LENO_RISCV_RISCV_H
#define LENO_RISCV_RISCV_H

#include "base/err.h"
#include "isa/stream.h"

/* Where things are (Vortex 2.1 to 2.3, RV32). */
#define RISCV_IO_BASE 0x00000040u /* start of I/O addresses, which are not cached */
#define RISCV_IO_END  0x00010000u
#define RISCV_CONSOLE 0x00000040u /* one stream of bytes per address */
/* where programs leave counters: 32 u64 per core */
#define RISCV_COUNTERS    0x00000080u
#define RISCV_EXIT_STATUS 0x00000088u /* and their return value */
#define RISCV_HEAP        0x00010000u /* where hosts allocate from */
#define RISCV_START       0x80000000u /* where programs are linked to */
#define RISCV_LOCAL       0xffff0000u /* local memory; stacks lie below */

enum {
    RISCV_CONSOLES = 64,
    RISCV_MAX_CORES = 64,
    RISCV_MAX_WARPS = 32,
    RISCV_LOCAL_BYTES = 16384, /* of a core, unless a launch says otherwise */
    BARRIER_GLOBAL = 0x80,
};

/* Registers as the shared id space has them. x0 is none. */
enum { RISCV_REGID_X = REGID_R, RISCV_REGID_F = REGID_R + 32, RISCV_N_REGID = 64 };

/* Operations: inst.op. */
enum riscv_op {
#define OP(id, name, match, mask, operands, class, unit, flags) RISCV_##id,
#include "frontend/riscv/ops.def"
#undef OP
    N_RISCV_OP
};

/* The unit of a Vortex core that executes an operation. */
enum riscv_unit {
    UNIT_ALU,    /* integer; lui and auipc too */
    UNIT_BRANCH, /* in the ALU: jumps, branches, ecall and the like */
    UNIT_MUL,    /* in the ALU: products */
    UNIT_DIV,    /* in the ALU: quotients and remainders */
    UNIT_LSU,    /* loads, stores, atomics, fences */
    UNIT_FMA,    /* in the FPU: sums, products, both */
    UNIT_FDIV,   /* ... quotients */
    UNIT_FSQRT,  /* ... roots */
    UNIT_FCVT,   /* ... conversions between integer and float */
    UNIT_FNCP,   /* ... compare, minimum, sign, class, moves */
    UNIT_WCTL,   /* in the SFU: tmc, wspawn, split, join, bar, pred */
    UNIT_CSR,    /* in the SFU */
    N_RISCV_UNIT
};
extern const uint8_t riscv_op_units[N_RISCV_OP + 1];
static inline enum riscv_unit riscv_op_unit(unsigned op)
{
    return (enum riscv_unit)riscv_op_units[op < N_RISCV_OP ? op : N_RISCV_OP];
}
const char *riscv_op_name(unsigned op);

/* A CSR instruction on fflags, frm or fcsr, for which the pipeline drains. */
bool riscv_is_fp_csr(const struct inst *i);

/* Memory: all 4 GiB, zero at first, backed as it is touched. */
struct riscv_memory;
struct riscv_memory *riscv_memory_new(struct err *err);
void riscv_memory_free(struct riscv_memory *m);
/* A range that leaves the 32 bits is refused. */
int riscv_memory_write(struct riscv_memory *m, uint64_t addr, const void *bytes,
                       uint64_t n, struct err *err);
int riscv_memory_read(const struct riscv_memory *m, uint64_t addr, void *bytes,
                      uint64_t n, struct err *err);
int riscv_memory_clear(struct riscv_memory *m, uint64_t addr, uint64_t n,
                       struct err *err);

/* A program in memory. */
struct riscv_image {
    uint32_t start;               /* first instruction */
    uint32_t low, high;           /* the first byte and the one after the last */
    uint32_t code_low, code_high; /* the same of what is in the file to be executed */
    uint32_t tohost;              /* address of the symbol, 0: none; see riscv_launch */
};
/* Loads an ELF file or a .vxbin (told apart by their first bytes); name is for
 * messages. Without a memory it only describes the file. */
int riscv_load(struct riscv_memory *m, const char *name, const uint8_t *data,
               size_t size, struct riscv_image *image, struct err *err);

struct riscv_launch {
    struct riscv_memory *memory;
    const char *name;     /* of the program, for reports */
    uint32_t n_cores;     /* 1 .. RISCV_MAX_CORES */
    uint32_t n_warps;     /* of a core: 1 .. 32 */
    uint32_t n_threads;   /* of a warp: 1, 2, 4 .. 32 */
    uint32_t local_bytes; /* of a core, a power of two up to 32 KiB; 0: the default */
    uint32_t start,
        arguments; /* the address to begin at; what mscratch holds, 0: none */
    /* Programs of Vortex have no traps: ecall and ebreak end the run, machine CSRs read
     * zero. A program with a tohost (a bare-metal test) gets the traps of machine mode,
     * and ends by an odd number stored there: the upper 31 bits are the status. */
    uint32_t tohost;
    /* A line of the console, its end included, or what is left of it at the end. May be
     * NULL. */
    void (*print)(void *to, unsigned stream, const char *text, size_t n);
    void *print_to;
    /* The value of a counter, csr 0xb00 .. 0xb1f, as a timing model has it when it takes
     * the instruction that reads it. NULL, without timing: mcycle counts the core's warp
     * instructions, minstret its thread instructions, the rest are zero. */
    uint64_t (*counter)(void *from, unsigned core, unsigned csr);
    void *counter_from;
    struct watch *watch; /* of riscv_run(); may be NULL */
};

/* The launch is copied; its memory must live as long as the kernel. */
struct kernel *riscv_kernel_new(const struct riscv_launch *l, struct err *err);
void riscv_kernel_free(struct kernel *k);

/* The result, once the streams have ended; flushes the console. */
struct riscv_result {
    int32_t status; /* of the program: of ecall or tohost, else the word at 0x88 */
    uint64_t warp_insts, thread_insts;
    bool is_test;         /* it ended as ISA tests do: tohost or gp hold the result */
    uint32_t failed_test; /* the number of its test that failed, 0: none */
    bool is_trapped;      /* it gave up in a trap, of which these are mcause and mepc */
    uint32_t trap_cause, trap_pc;
};
void riscv_kernel_result(struct kernel *k, struct riscv_result *r);

/* Judges a result: 0, or ERR_WRONG with a message that begins with the name. */
int riscv_verdict(const struct riscv_result *r, const char *name, struct err *err);

/* Runs a launch without timing, warps taking turns. max_insts: warp instructions, 0: no
 * limit. ERR_DEADLOCK if warps wait for each other, ERR_LIMIT, ERR_UNSUPPORTED for an
 * instruction that is not known, ERR_FAULT, ERR_TRAP. */
int riscv_run(const struct riscv_launch *l, uint64_t max_insts, struct riscv_result *r,
              struct err *err);

enum riscv_place { PLACE_MEMORY, PLACE_LOCAL, PLACE_IO };
static inline enum riscv_place riscv_place(uint32_t addr, uint32_t local_bytes)
{
    if (addr - RISCV_LOCAL < local_bytes)
        return PLACE_LOCAL;
    return addr - RISCV_IO_BASE < RISCV_IO_END - RISCV_IO_BASE ? PLACE_IO
                                                               : PLACE_MEMORY;
}

/* The text of one instruction word, as assemblers write it; ".word" if it is none. */
void riscv_disasm(uint32_t word, uint32_t pc, struct buf *out);

#endif
