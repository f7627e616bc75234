/* params.h - the parameters of an SM. Defaults are Accel-Sim's RTX 2060 Super model
 * (tested-cfgs SM75_RTX2060_S); presets say where their numbers come from.
 */
#ifndef LENO_CORE_PARAMS_H
#define LENO_CORE_PARAMS_H

#include "config/param.h"
#include "isa/inst.h"

enum { MAX_PIPE_LATENCY = 1000 };

#define CORE_PARAMS(NUM, ENUM, BOOL)                                                   \
    NUM(subcores, 4, 1, 4, "", "sub-cores, each with one warp scheduler")              \
    NUM(warps, 32, 1, 128, "", "resident warps per SM")                                \
    NUM(threads, 1024, 32, 4096, "", "resident threads per SM")                        \
    NUM(blocks, 32, 1, 64, "", "resident blocks per SM")                               \
    BOOL(own_slots, false,                                                             \
         "the warps of a block get neighbouring slots, as in Accel-Sim; off: each "    \
         "warp takes the first free slot, even among those of a block that has "       \
         "not ended")                                                                  \
    BOOL(turns, false,                                                                 \
         "sub-cores issue one after another within a cycle, as in Accel-Sim: who "     \
         "begins moves on while the SM has blocks, the LSU takes what issued first, "  \
         "and a barrier that one opens is open for the next; off: in one step")        \
    NUM(registers, 65536, 1024, 1048576, "", "32-bit registers per SM")                \
    NUM(register_unit, 4, 1, 512, "",                                                  \
        "registers per thread are rounded up to a multiple of this")                   \
    NUM(shared_unit, 256, 1, 4096, "B",                                                \
        "shared memory per block is rounded up to a multiple of this")                 \
    NUM(shared_reserved, 0, 0, 4096, "B",                                              \
        "shared memory that every block takes in addition")                            \
    NUM(result_buses, 8, 1, 64, "", "unit results written per cycle")                  \
    NUM(barrier_base, 0, 0, 1000, "cycle",                                             \
        "from the last arrival at a barrier to the next issue")                        \
    NUM(barrier_warp, 0, 0, 100, "cycle",                                              \
        "before that, per arriving warp, one after another")                           \
    NUM(converge_cycles, 0, 0, 100, "cycle",                                           \
        "from reconvergence (BSYNC) to the warp's next issue")                         \
    NUM(fence_gpu, 0, 0, 10000, "cycle",                                               \
        "MEMBAR.GPU, even if nothing is on its way; H200 measured")                    \
    NUM(fence_system, 0, 0, 10000, "cycle", "the same for MEMBAR.SYS")                 \
    BOOL(fma_halves, false,                                                            \
         "ports: sp has two halves that single precision uses in turn; fma is one "    \
         "of them, dual is both")                                                      \
    BOOL(wide_holds, false,                                                            \
         "ports: a wide integer product holds the issue port for its interval")        \
    NUM(sfu_queue, 0, 0, 8, "inst", "ports: instructions waiting before the sfu unit") \
    NUM(sfu_wide, 0, 0, 8, "cycle",                                                    \
        "ports: extra time in the sfu unit for a 64-bit source; H200 measured: 1")     \
    NUM(block_start, 0, 0, 10000, "cycle",                                             \
        "from the arrival of a block at an SM until its warps can issue")              \
    BOOL(atomic_blocks, true, "a warp waits for its atomics before it continues")      \
    BOOL(hazard_predicates, true, "predicates cause hazards")                          \
    BOOL(hazard_uniform, true, "uniform registers and predicates cause hazards")       \
    BOOL(hazard_convergence, true, "convergence barrier registers cause hazards")      \
    BOOL(hazard_wide, true,                                                            \
         "all registers of a wide operand cause hazards, not only the first")          \
    BOOL(hazard_rz, false,                                                             \
         "Accel-Sim's traces: R255, which reads as zero, causes hazards like "         \
         "other registers, as in Accel-Sim")                                           \
    BOOL(eager, false,                                                                 \
         "for tests: every stage works in every cycle and nothing sleeps; slower, "    \
         "same results")                                                               \
    NUM(chaos, 0, 0, 65535, "",                                                        \
        "for tests: seed of random refusals by units, memory and fetch; 0: none")

#define FETCH_PARAMS(NUM, ENUM, BOOL)                                                 \
    NUM(rounds, 4, 1, 16, "", "warps that fetch per cycle")                           \
    NUM(width, 0, 0, 64, "inst", "instructions decoded at a time; 0: as many as fit") \
    NUM(redirect, 1, 0, 100, "cycle", "from a branch's resolution to the next fetch") \
    BOOL(wait_branch, true, "fetch waits until a taken branch is resolved")           \
    BOOL(at_barrier, false,                                                           \
         "instructions after a barrier are fetched while the warp waits there, as "   \
         "in Accel-Sim; off: fetched when the barrier opens")                         \
    BOOL(follow_decode, false,                                                        \
         "a group of instructions goes on after a taken branch, as in Accel-Sim; "    \
         "the next fetch reads the address after the last decoded instruction, and "  \
         "a warp's first one the address before its code, as in GhOST's artifact; "   \
         "off: a group ends at a taken branch, and fetch reads its target")           \
    BOOL(perfect, true, "every fetch hits the instruction cache")                     \
    NUM(l0_bytes, 0, 0, 1048576, "B", "L0 instruction cache per sub-core; 0: none")   \
    NUM(l0_miss, 0, 0, 1000, "cycle", "extra for an L0 miss that hits L1")            \
    NUM(cache_sets, 64, 1, 65536, "", "sets of the instruction cache")                \
    NUM(cache_ways, 16, 1, 64, "", "lines per set")                                   \
    NUM(cache_mshrs, 2, 1, 64, "", "outstanding misses")                              \
    NUM(code_base, 0, 0, 1048576, "MiB",                                              \
        "address of PC 0 in memory, which decides on the slice of L2 of each line")   \
    NUM(l1_miss, 0, 0, 1000, "cycle", "fixed latency of a miss; 0: misses go to L2")  \
    BOOL(preload, false,                                                              \
         "with l1_miss: a launch preloads its code as long as there is room for it")  \
    NUM(start, 0, 0, 10000, "cycle",                                                  \
        "until the first SM has the first code and the constants of a launch, from "  \
        "its first fetch on; H200 measured: 229")                                     \
    NUM(branch_hundredths, 0, 0, 10000, "1/100 instruction",                          \
        "ports: how many fetches a taken branch wastes, in the mean, of a sub-core "  \
        "that fetches one instruction per cycle; H200 measured: 186")                 \
    NUM(start_quarters, 0, 0, 1000, "quarter cycle",                                  \
        "added to that for each SM before it; H200 measured: 10")

#define REGFILE_PARAMS(NUM, ENUM, BOOL)                                           \
    ENUM(model, 0, "collectors|ports",                                            \
         "how operands are read: by collectors after issue, or through ports at " \
         "issue")                                                                 \
    NUM(banks, 4, 1, 16, "", "banks per sub-core")                                \
    NUM(steps, 2, 1, 4, "",                                                       \
        "collector steps per cycle, each with one read per bank: 1, 2 or 4")      \
    NUM(collectors, 2, 1, 64, "", "collector units per sub-core")                 \
    BOOL(pipe_order, false,                                                       \
         "pipes get collectors in a fixed order, and instructions of a pipe in "  \
         "issue order over all sub-cores, as in Accel-Sim; off: in issue order "  \
         "per sub-core")                                                          \
    ENUM(choice, 0, "first|lowest",                                               \
         "pipe_order: who leaves for a pipe if several collectors of a sub-core " \
         "are ready: the one filled first, or the lowest-numbered, as in "        \
         "Accel-Sim")                                                             \
    BOOL(warp_skew, true,                                                         \
         "bank = (register + warp) mod banks, else register mod banks")           \
    BOOL(wide_reads, false, "each register of a wide operand is read separately") \
    BOOL(reuse, false, "the control word's reuse flags save reads")               \
    NUM(backlog, 2, 0, 16, "cycle",                                               \
        "ports: reads that may be queued at a bank when an instruction issues")   \
    NUM(cross, 0, 0, 32, "cycle",                                                 \
        "ports: extra latency to a reader in another of the pipes fma, dual and " \
        "int")                                                                    \
    NUM(to_dp, 0, 0, 32, "cycle", "ports: extra latency from those pipes to dp")  \
    NUM(from_dp, 0, 0, 32, "cycle",                                               \
        "ports: extra latency from dp to those pipes and to dp")                  \
    NUM(to_uniform, 0, 0, 32, "cycle",                                            \
        "ports: extra latency of a uniform register written by another pipe")     \
    NUM(from_uniform, 0, 0, 32, "cycle",                                          \
        "ports: extra latency of a uniform register read by another pipe")        \
    NUM(to_branch, 0, 0, 32, "cycle",                                             \
        "ports: extra latency of a predicate read by a branch or a vote")         \
    NUM(dp_to_branch, 0, 0, 32, "cycle",                                          \
        "ports: the same, of a predicate written by dp")                          \
    NUM(late_half, 0, 0, 32, "cycle",                                             \
        "ports: how much later than its other operands a wide integer product "   \
        "reads the upper half of its addend, and writes that of its result")

#define SCHED_PARAMS(NUM, ENUM, BOOL)                                                  \
    ENUM(                                                                              \
        policy, 1, "lrr|gto|gty|srr|two-level|oldest",                                 \
        "which ready warp issues: loose round robin, greedy then oldest, greedy then " \
        "youngest, strict round robin, two-level, oldest first")                       \
    NUM(active, 4, 1, 64, "warp", "two-level: warps per scheduler in the active set")  \
    BOOL(                                                                              \
        dual, false,                                                                   \
        "the warp that issues may issue its next offer in the same cycle, to another " \
        "pipe")                                                                        \
    BOOL(yield, false, "the control word's yield bit lets another warp go first")

enum regfile_choice { CHOICE_FIRST, CHOICE_LOWEST };

enum pipe {
    PIPE_none,
    PIPE_sp,
    PIPE_int,
    PIPE_sfu,
    PIPE_dp,
    PIPE_tensor,
    PIPE_branch,
    PIPE_texture,
    PIPE_uniform,
    PIPE_fma,  /* the half of the FMA pipe that multiplies integers */
    PIPE_dual, /* both halves of it at once */
    PIPE_mem,
    N_PIPE
};
#define PIPE_CHOICES "none|sp|int|sfu|dp|tensor|branch|texture|uniform|fma|dual|mem"

/* CLASS3(id, pipe, latency, interval): the unit of a class, from Accel-Sim's
 * trace.config and opcode maps; classes that they run on the integer pipe are there. */
#define CLASS_PARAMS(NUM, ENUM, BOOL)                    \
    CLASS3(none, PIPE_int, 2, 2, NUM, ENUM)              \
    CLASS3(int, PIPE_int, 2, 2, NUM, ENUM)               \
    CLASS3(imul, PIPE_int, 2, 2, NUM, ENUM)              \
    CLASS3(imul_wide, PIPE_int, 2, 2, NUM, ENUM)         \
    CLASS3(fp32, PIPE_sp, 2, 2, NUM, ENUM)               \
    CLASS3(fcmp, PIPE_sp, 2, 2, NUM, ENUM)               \
    CLASS3(fp64, PIPE_sfu, 64, 64, NUM, ENUM)            \
    CLASS3(half, PIPE_sp, 2, 1, NUM, ENUM)               \
    CLASS3(half_mma, PIPE_sp, 2, 1, NUM, ENUM)           \
    CLASS3(sfu, PIPE_sfu, 21, 8, NUM, ENUM)              \
    CLASS3(conv, PIPE_int, 2, 2, NUM, ENUM)              \
    CLASS3(tensor, PIPE_tensor, 16, 16, NUM, ENUM)       \
    CLASS3(tensor_small, PIPE_tensor, 16, 16, NUM, ENUM) \
    CLASS3(tensor_fp64, PIPE_tensor, 16, 16, NUM, ENUM)  \
    CLASS3(uniform, PIPE_uniform, 4, 1, NUM, ENUM)       \
    CLASS3(uniform_move, PIPE_uniform, 4, 1, NUM, ENUM)  \
    CLASS3(sreg, PIPE_int, 2, 2, NUM, ENUM)              \
    CLASS3(vote, PIPE_int, 2, 2, NUM, ENUM)              \
    CLASS3(shuffle, PIPE_int, 2, 2, NUM, ENUM)           \
    CLASS3(load, PIPE_mem, 1, 1, NUM, ENUM)              \
    CLASS3(store, PIPE_mem, 1, 1, NUM, ENUM)             \
    CLASS3(atomic, PIPE_mem, 1, 1, NUM, ENUM)            \
    CLASS3(ldc, PIPE_int, 2, 2, NUM, ENUM)               \
    CLASS3(texture, PIPE_texture, 200, 4, NUM, ENUM)     \
    CLASS3(branch, PIPE_branch, 4, 4, NUM, ENUM)         \
    CLASS3(exit, PIPE_branch, 4, 4, NUM, ENUM)           \
    CLASS3(barrier, PIPE_int, 2, 2, NUM, ENUM)           \
    CLASS3(fence, PIPE_int, 2, 2, NUM, ENUM)             \
    CLASS3(misc, PIPE_int, 2, 2, NUM, ENUM)
#define CLASS3(id, pipe, latency, interval, NUM, ENUM)                                \
    ENUM(id##_pipe, pipe, PIPE_CHOICES, "unit of class " #id)                         \
    NUM(id##_latency, latency, 1, MAX_PIPE_LATENCY, "cycle", "latency of class " #id) \
    NUM(id##_interval, interval, 1, 256, "cycle", "initiation interval of class " #id)

struct core_params {
    CORE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
struct fetch_params {
    FETCH_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
struct regfile_params {
    REGFILE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
struct sched_params {
    SCHED_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
struct class_params {
    CLASS_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};

extern const struct param_group core_param_group, fetch_param_group,
    regfile_param_group, sched_param_group, class_param_group;

enum regfile_model { REGFILE_COLLECTORS, REGFILE_PORTS };
enum sched_policy {
    SCHED_LRR,
    SCHED_GTO,
    SCHED_GTY,
    SCHED_SRR,
    SCHED_TWO_LEVEL,
    SCHED_OLDEST
};

/* The unit of a class, out of class_params. */
struct unit_timing {
    uint8_t pipe; /* enum pipe */
    uint16_t latency, interval;
};
void class_timing(const struct class_params *p, struct unit_timing t[N_INST_CLASS]);

#endif
