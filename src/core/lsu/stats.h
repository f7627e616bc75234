/* stats.h - statistics of an SM's load/store unit. */
#ifndef LENO_CORE_LSU_STATS_H
#define LENO_CORE_LSU_STATS_H

#include "stats/stat.h"

#define LSU_STATS(STAT)                                                                \
    STAT(loads, "warp inst", "", "global loads taken")                                 \
    STAT(stores, "warp inst", "", "global stores taken")                               \
    STAT(atomics, "warp inst", "", "global atomics taken")                             \
    STAT(local_loads, "warp inst", "", "local loads taken")                            \
    STAT(local_stores, "warp inst", "", "local stores taken")                          \
    STAT(shared_loads, "warp inst", "", "shared loads and atomics taken")              \
    STAT(shared_stores, "warp inst", "", "shared stores taken")                        \
    STAT(constants, "warp inst", "", "constant loads taken")                           \
    STAT(textures, "warp inst", "", "texture instructions taken")                      \
    STAT(transactions, "", "", "transactions of global and local instructions")        \
    STAT(bypassed, "", "", "of these, not looked up in L1")                            \
    STAT(latch_cycles, "cycle", "",                                                    \
         "cycles in which an instruction was at the front of the unit")                \
    STAT(latch_stalls, "cycle", "gpgpu_n_stall_shd_mem",                               \
         "of these, cycles in which it could not advance")                             \
    STAT(bank_conflicts, "cycle", "",                                                  \
         "cycles in which a transaction waited for its L1 bank")                       \
    STAT(icnt_stalls, "cycle", "", "cycles in which the interconnect took no request") \
    STAT(shared_cycles, "cycle", "gpgpu_n_shmem_bank_access",                          \
         "cycles in which shared memory was accessed")                                 \
    STAT(shared_conflicts, "cycle", "gpgpu_n_shmem_bkconflict",                        \
         "of these, beyond one per instruction")                                       \
    STAT(l1_reads, "transaction", "", "loads looked up in L1")                         \
    STAT(l1_read_hits, "transaction", "", "of these, found")                           \
    STAT(l1_read_misses, "transaction", "", "of these, sent to L2")                    \
    STAT(l1_read_pending, "transaction", "",                                           \
         "of these, waiting for an earlier miss of the sector")                        \
    STAT(l1_writes, "transaction", "", "stores looked up in L1")                       \
    STAT(l1_write_hits, "transaction", "", "of these, found")                          \
    STAT(l1_fail_line, "cycle", "", "a lookup waited: all lines of its set pending")   \
    STAT(l1_fail_queue, "cycle", "", "a lookup waited: miss queue full")               \
    STAT(l1_fail_mshr, "cycle", "", "a lookup waited: no MSHR")                        \
    STAT(l1_fail_merge, "cycle", "", "a lookup waited: its MSHR was full")             \
    STAT(l1_write_backs, "line", "", "dirty lines evicted from L1")                    \
    STAT(l1_fills, "", "", "replies that filled L1")                                   \
    STAT(const_reads, "line", "", "constant lines looked up")                          \
    STAT(const_misses, "line", "", "of these, not found")                              \
    STAT(tlb_lookups, "page", "", "first-level translations")                          \
    STAT(tlb_misses, "page", "", "of these, not found")                                \
    STAT(load_latency, "cycle", "",                                                    \
         "latency of global loads, from the unit to the result, summed")               \
    STAT(load_results, "warp inst", "", "loads counted in load_latency")

struct lsu_stats {
    LSU_STATS(STAT_FIELD)
};
extern const struct stat_group lsu_stat_group;

#endif
