/* params.h - the parameters of an SM. Defaults are Accel-Sim's RTX 2060 Super model
 * (tested-cfgs SM75_RTX2060_S); presets say where their numbers come from.
 */
#ifndef LENO_CORE_PARAMS_H
#define LENO_CORE_PARAMS_H

#include "config/param.h"
#include "isa/inst.h"

enum { MAX_PIPE_LATENCY = 1000 };

#define CORE_PARAMS(NUM, ENUM, BOOL)                                                  \
    NUM(subcores, 4, 1, 4, "", "sub-cores, each with one warp scheduler")             \
    NUM(warps, 32, 1, 128, "", "warps resident at a time")                            \
    NUM(threads, 1024, 32, 4096, "", "threads resident at a time")                    \
    NUM(blocks, 32, 1, 64, "", "blocks resident at a time")                           \
    BOOL(own_slots, false,                                                            \
         "the warps of a block are neighbours, as in Accel-Sim; else each takes the " \
         "first slot that is free, of a block that is about to end too")              \
    NUM(registers, 65536, 1024, 1048576, "", "32-bit registers")                      \
    NUM(register_unit, 4, 1, 512, "", "registers a thread are rounded up to these")   \
    NUM(shared_unit, 256, 1, 4096, "B",                                               \
        "shared memory of a block is rounded up to this")                             \
    NUM(shared_reserved, 0, 0, 4096, "B",                                             \
        "shared memory that every block takes on top")                                \
    NUM(result_buses, 8, 1, 64, "", "unit results written per cycle")                 \
    NUM(barrier_base, 0, 0, 1000, "cycle", "from the last arrival to the next issue") \
    NUM(barrier_warp, 0, 0, 100, "cycle",                                             \
        "for each arrival, one after another, before that")                           \
    NUM(converge_cycles, 0, 0, 100, "cycle",                                          \
        "from the meeting of lanes (BSYNC) to its warp's next issue")                 \
    BOOL(fma_halves, false,                                                           \
         "ports: sp is two halves that single precision takes in turn; fma is one "   \
         "of them, dual both")                                                        \
    BOOL(wide_holds, false,                                                           \
         "ports: a wide integer product holds the issue port for its interval")       \
    NUM(sfu_queue, 0, 0, 8, "inst", "ports: waiting before the sfu unit")             \
    NUM(sfu_wide, 0, 0, 8, "cycle",                                                   \
        "ports: more of the sfu unit for a source of 64 bits; H200 measured: 1")      \
    BOOL(atomic_blocks, true, "a warp waits for its atomics before it goes on")       \
    BOOL(hazard_predicates, true, "predicates are registers that cause hazards")      \
    BOOL(hazard_uniform, true, "uniform registers and predicates cause hazards")      \
    BOOL(hazard_convergence, true, "convergence barrier registers cause hazards")     \
    BOOL(hazard_wide, true,                                                           \
         "all registers of a wide operand cause hazards, not only the first")         \
    BOOL(hazard_rz, false,                                                            \
         "Accel-Sim's traces: R255, which reads zero, is a register like others, as " \
         "in Accel-Sim")                                                              \
    BOOL(eager, false,                                                                \
         "for tests: every stage works in every cycle, nothing sleeps; slower, with " \
         "the same results")                                                          \
    NUM(chaos, 0, 0, 65535, "",                                                       \
        "for tests: a seed of refusals by units, memory and fetch; 0: none")

#define FETCH_PARAMS(NUM, ENUM, BOOL)                                                 \
    NUM(rounds, 4, 1, 16, "", "warps fetched for per cycle")                          \
    NUM(width, 0, 0, 64, "inst", "instructions decoded at a time; 0: as many as fit") \
    NUM(redirect, 1, 0, 100, "cycle", "from a branch's resolution to the next fetch") \
    BOOL(wait_branch, true, "fetch waits for branches that lead elsewhere")           \
    BOOL(at_barrier, false,                                                           \
         "warps have their next instructions as a barrier opens, fetched while they " \
         "waited, as in Accel-Sim; else they fetch then")                             \
    BOOL(perfect, true, "every fetch hits the instruction cache")                     \
    NUM(l0_bytes, 0, 0, 1048576, "B", "L0 instruction cache of a sub-core; 0: none")  \
    NUM(l0_miss, 0, 0, 1000, "cycle", "from an L0 miss to the instructions, in L1")   \
    NUM(cache_sets, 64, 1, 65536, "", "sets of the instruction cache")                \
    NUM(cache_ways, 16, 1, 64, "", "lines a set")                                     \
    NUM(cache_mshrs, 2, 1, 64, "", "outstanding misses")                              \
    NUM(l1_miss, 0, 0, 1000, "cycle", "fixed latency of a miss; 0: misses go to L2")  \
    BOOL(preload, false,                                                              \
         "with l1_miss: a launch brings its code while there is room for it")

#define REGFILE_PARAMS(NUM, ENUM, BOOL)                                                \
    ENUM(                                                                              \
        model, 0, "collectors|ports",                                                  \
        "operands gathered by collectors after issue, or read at issue through ports") \
    NUM(banks, 4, 1, 16, "", "banks of a sub-core")                                    \
    NUM(steps, 2, 1, 4, "", "collector steps (reads per bank) in a cycle: 1, 2 or 4")  \
    NUM(collectors, 2, 1, 64, "", "collector units of a sub-core")                     \
    BOOL(                                                                              \
        pipe_order, false,                                                             \
        "collectors are given to pipes in an order, and within a pipe in the order "   \
        "of issue over all sub-cores, as in Accel-Sim; else in the order of issue of " \
        "a sub-core")                                                                  \
    BOOL(warp_skew, true,                                                              \
         "bank = (register + warp) mod banks, else register mod banks")                \
    BOOL(wide_reads, false, "each register of a wide operand is a read of its own")    \
    BOOL(reuse, false, "the control word's reuse flags save reads")                    \
    NUM(backlog, 2, 0, 16, "cycle",                                                    \
        "ports: reads that may be queued at a bank when an instruction issues")        \
    NUM(cross, 0, 0, 32, "cycle",                                                      \
        "ports: more latency to a reader in another of fma, dual and int")             \
    NUM(to_dp, 0, 0, 32, "cycle", "ports: the same from those into dp")                \
    NUM(from_dp, 0, 0, 32, "cycle", "ports: the same from dp into those and dp")       \
    NUM(to_uniform, 0, 0, 32, "cycle",                                                 \
        "ports: extra for a uniform register written by another pipe")                 \
    NUM(from_uniform, 0, 0, 32, "cycle", "ports: extra for one read by another pipe")  \
    NUM(to_branch, 0, 0, 32, "cycle",                                                  \
        "ports: extra for a predicate read by a branch or a vote")

#define SCHED_PARAMS(NUM, ENUM, BOOL)                                                  \
    ENUM(                                                                              \
        policy, 1, "lrr|gto|gty|srr|two-level|oldest",                                 \
        "which ready warp issues: loose round robin, greedy then oldest, greedy then " \
        "youngest, strict round robin, two-level, oldest first")                       \
    NUM(active, 4, 1, 64, "warp", "two-level: warps of a scheduler in the active set") \
    BOOL(yield, false, "the control word's yield bit makes another warp come first")

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
#define CLASS3(id, pipe, latency, interval, NUM, ENUM)                      \
    ENUM(id##_pipe, pipe, PIPE_CHOICES, "unit of class " #id)               \
    NUM(id##_latency, latency, 1, MAX_PIPE_LATENCY, "cycle", "its latency") \
    NUM(id##_interval, interval, 1, 256, "cycle", "from one to the next in a unit")

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
