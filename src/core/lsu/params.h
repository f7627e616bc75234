/* params.h - parameters of an SM's memory side: L1, shared memory, constants, the
 * load/store unit itself.
 *
 * Defaults are Accel-Sim's RTX 2060 Super (tested-cfgs/SM75_RTX2060_S) unless the help
 * says otherwise; Accel-Sim's option is in brackets.
 */
#ifndef LENO_CORE_LSU_PARAMS_H
#define LENO_CORE_LSU_PARAMS_H

#include "config/param.h"
#include "mem/params.h"

#define L1_PARAMS(NUM, ENUM, BOOL)                                                       \
    NUM(sets, 1, 1, 4096, "set", "sets [gpgpu_cache:dl1]")                               \
    NUM(ways, 512, 1, 4096, "line", "lines per set [gpgpu_cache:dl1]")                   \
    ENUM(write, 2, CACHE_WRITE_CHOICES, "what a store hit does [dl1: L]")                \
    ENUM(allocate, 2, CACHE_ALLOCATE_CHOICES, "when a line is reserved [dl1: s]")        \
    ENUM(write_allocate, 0, CACHE_WRITE_ALLOCATE_CHOICES,                                \
         "what a store miss does [dl1: N]")                                              \
    ENUM(index, 0, CACHE_INDEX_CHOICES, "hash of the set index [dl1: L]")                \
    NUM(mshrs, 256, 1, 65536, "entry", "outstanding misses [dl1]")                       \
    NUM(merges, 8, 1, 65536, "request", "requests that share a miss [dl1]")              \
    NUM(miss_queue, 16, 3, 1024, "request", "misses waiting for the interconnect")       \
    NUM(port_bytes, 32, 1, 1024, "B",                                                    \
        "bytes per cycle through the data port that fills use [dl1]")                    \
    NUM(banks, 4, 1, 32, "bank",                                                         \
        "transactions that may start per cycle [gpgpu_l1_banks]")                        \
    NUM(bank_bytes, 32, 4, 128, "B",                                                     \
        "consecutive bytes per bank [gpgpu_l1_banks_byte_interleaving]")                 \
    NUM(latency, 20, 1, 255, "cycle", "hit latency [gpgpu_l1_latency]")                  \
    NUM(line_quarters, 0, 0, 256, "quarter cycle",                                       \
        "extra latency of an instruction per further line; H200 measured: 5")            \
    BOOL(fill_first, false, "a fill takes the cycle of a lookup; H200 measured")         \
    BOOL(skip_global, false, "global loads bypass L1 [gpgpu_gmem_skip_L1D]")             \
    ENUM(bypass, 0, "beside|through",                                                    \
         "loads and atomics that bypass L1: sent to L2 at once, as in Accel-Sim, "       \
         "or after the time of a lookup, like a miss, and L1 drops their line; "         \
         "H200 measured: through")                                                       \
    BOOL(flush, true, "emptied when a kernel starts [gpgpu_flush_l1_cache]")             \
    NUM(posted, 0, 0, 65535, "request",                                                  \
        "stores and reductions of an SM that are done when L1 has passed them "          \
        "on, before their answers come, for which only fences wait; others wait")        \
    BOOL(fences, false,                                                                  \
         "emptied by CCTL.IVALL, with which fences and acquires of the GPU's "           \
         "scope end; H200 measured")                                                     \
    BOOL(store_fills, false,                                                             \
         "a store that finds no line makes its own words readable; a sector that "       \
         "was readable stays so; a load that misses in a sector stored in part "         \
         "leaves nothing else of the line; H200 measured")                               \
    NUM(store_cycles, 0, 0, 255, "cycle",                                                \
        "how long a store is on its way into L1; another one to its line then "          \
        "takes the line's place, except if it joins; 0: not modelled; H200 "             \
        "measured: 17")                                                                  \
    NUM(store_join, 0, 0, 255, "cycle",                                                  \
        "with store_cycles: the next store joins one to the same line within so "        \
        "many cycles, if it has at most 8 bytes a lane; H200 measured: 10")              \
    NUM(lone_store, 0, 0, 255, "cycle",                                                  \
        "between two stores or atomics of one line each, beside that of the line; H200 " \
        "measured: 1")                                                                   \
    NUM(unified_kb, 0, 0, 1024, "KB",                                                    \
        "array that L1 and shared memory share: L1 has what the carve-out "              \
        "leaves; 0: always sets x ways [gpgpu_unified_l1d_size]")                        \
    NUM(reserved_kb, 0, 0, 256, "KB", "part of it that neither uses; H200 measured: 40")
enum l1_bypass { L1_BYPASS_BESIDE, L1_BYPASS_THROUGH };
struct l1_params {
    L1_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group l1_param_group;

#define SHARED_PARAMS(NUM, ENUM, BOOL)                                              \
    NUM(kb, 64, 0, 1024, "KB", "shared memory per SM [gpgpu_shmem_size]")           \
    NUM(banks, 32, 1, 32, "bank", "banks of 4 bytes [gpgpu_shmem_num_banks]")       \
    NUM(latency, 20, 1, 255, "cycle", "latency of an access [gpgpu_smem_latency]")  \
    NUM(conflict_latency, 0, 0, 16, "cycle",                                        \
        "extra latency per further access of a conflict; H200 measured: 1, "        \
        "besides the unit's own cycle")                                             \
    NUM(atomic_latency, 0, 0, 64, "cycle",                                          \
        "extra latency of an atomic whose operand is in a register; H200 "          \
        "measured: 3")                                                              \
    ENUM(wide, 0, "one|phases|halves",                                              \
         "64- and 128-bit accesses: one access by the banks of each lane's first "  \
         "word, as Accel-Sim counts; phases of 16 and 8 lanes; or 64 bits by the "  \
         "banks of all their words, 128 bits in two halves of the warp, as "        \
         "measured on an H200")                                                     \
    ENUM(atomics, 0, "conflict|plain",                                              \
         "lanes on the same word: one conflict each, or a broadcast, as Accel-Sim " \
         "counts")                                                                  \
    NUM(carve0_kb, 0, 0, 1024, "KB",                                                \
        "with unified_kb: first of the sizes that shared memory may have, in "      \
        "rising order [gpgpu_shmem_option]")                                        \
    NUM(carve1_kb, 8, 0, 1024, "KB", "second")                                      \
    NUM(carve2_kb, 16, 0, 1024, "KB", "third")                                      \
    NUM(carve3_kb, 32, 0, 1024, "KB", "fourth")                                     \
    NUM(carve4_kb, 64, 0, 1024, "KB", "fifth")                                      \
    NUM(carve5_kb, 0, 0, 1024, "KB", "sixth; 0: no such size")                      \
    NUM(carve6_kb, 0, 0, 1024, "KB", "seventh")                                     \
    NUM(carve7_kb, 0, 0, 1024, "KB", "eighth")                                      \
    NUM(remote_latency, 180, 1, 1000, "cycle",                                      \
        "extra latency of an access to another SM of the cluster")                  \
    NUM(remote_atomic, 0, 0, 1000, "cycle", "the same of an atomic, in addition")   \
    NUM(remote_rate, 32, 1, 128, "B",                                               \
        "to and from other SMs of the cluster, per "                                \
        "cycle")                                                                    \
    NUM(remote_queue, 64, 1, 64, "inst", "that wait for the way to other SMs")
enum shared_wide { SHARED_WIDE_ONE, SHARED_WIDE_PHASES, SHARED_WIDE_HALVES };
struct shared_params {
    SHARED_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group shared_param_group;

#define LSU_PARAMS(NUM, ENUM, BOOL)                                               \
    ENUM(coalesce, 0, "sectors|lines",                                            \
         "one transaction per 32 B sector [gpgpu_coalesce_arch >= 40], or per "   \
         "line with any of its sectors; H200 measured: lines")                    \
    NUM(queue, 0, 0, 64, "inst",                                                  \
        "instructions waiting before the unit, per sub-core; H200 measured: 9; "  \
        "Accel-Sim: 0")                                                           \
    NUM(writebacks, 1, 1, 8, "", "instructions written back per cycle")           \
    NUM(replies, 1, 1, 8, "", "memory replies taken per cycle")                   \
    ENUM(atomics, 0, "split|merge",                                               \
         "lanes on the same word: one transaction each, as in Accel-Sim, or one " \
         "for all")                                                               \
    NUM(shuffle_latency, 20, 1, 255, "cycle",                                     \
        "latency of exchanges between lanes, where their class is in pipe mem")   \
    NUM(texture_latency, 200, 1, 8192, "cycle",                                   \
        "latency of a texture instruction [spec 2]")                              \
    NUM(texture_interval, 4, 1, 1024, "cycle", "between texture instructions")    \
    NUM(local_base, 0xa00000, 0, UINT32_MAX, "64 KB",                             \
        "where local memory is mapped, as bits 16 and up of an address; "         \
        "Accel-Sim: LOCAL_GENERIC_START")                                         \
    ENUM(local_map, 0, "slots|blocks",                                            \
         "layout of local memory: by warp slot, SM after SM; or by block, with "  \
         "those of successive SMs as neighbours [gpgpu_local_mem_map]")           \
    NUM(warps, 64, 1, 128, "warp",                                                \
        "warps per SM, for local_map = slots; at least core.warps")
enum lsu_local_map { LSU_LOCAL_SLOTS, LSU_LOCAL_BLOCKS };
struct lsu_params {
    LSU_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group lsu_param_group;

#define CONST_PARAMS(NUM, ENUM, BOOL)                                                   \
    BOOL(perfect, true, "always hits [gpgpu_perfect_inst_const_cache]")                 \
    NUM(sets, 128, 1, 4096, "set", "sets [gpgpu_const_cache:l1]")                       \
    NUM(ways, 8, 1, 4096, "line", "lines per set [gpgpu_const_cache:l1]")               \
    NUM(line, 64, 32, 128, "B", "size of a line [gpgpu_const_cache:l1]")                \
    NUM(mshrs, 2, 1, 256, "entry", "outstanding misses [gpgpu_const_cache:l1]")         \
    NUM(merges, 64, 1, 4096, "request",                                                 \
        "requests that share a miss [gpgpu_const_cache:l1]")                            \
    NUM(latency, 1, 1, 255, "cycle", "hit latency; H200 measured: 28 issue to issue")   \
    NUM(l2_latency, 0, 0, 1024, "cycle",                                                \
        "fixed latency of a miss, as if a second constant cache always hit; 0: misses " \
        "go to L2; H200 measured: 98 issue to issue")                                   \
    NUM(address_cycles, 0, 0, 64, "cycle",                                              \
        "of the unit for each further address that lanes of an instruction read; 0: "   \
        "lines are looked up, one per cycle")
struct const_params {
    CONST_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group const_param_group;

struct lsu_config {
    struct l1_params l1;
    struct shared_params shared;
    struct lsu_params lsu;
    struct const_params constant;
};

#endif
