/* stats.h - statistics of Vortex cores, including the thesis' performance counters. */
#ifndef LENO_VORTEX_STATS_H
#define LENO_VORTEX_STATS_H

#include "stats/stall.h"
#include "stats/stat.h"

#define VORTEX_STATS(STAT)                                                             \
    STAT(cycles, "cycle", "", "cycles from reset to the end of the last warp")         \
    STAT(host_cycles, "cycle", "",                                                     \
         "cycles until the program saves its counters, as Vortex's runtime shows")     \
    STAT(core_cycles, "cycle", "", "cycles, summed over all cores")                    \
    STAT(warp_cycles, "warp cycle", "", "cycles x active warps")                       \
    STAT(warp_insts, "warp inst", "", "instructions committed")                        \
    STAT(thread_insts, "thread inst", "", "the same, counted once per active lane")    \
    STAT(fetched, "warp inst", "", "instructions fetched")                             \
    STAT(issued, "warp inst", "", "instructions that left the window")                 \
    STAT(rf_reads, "read", "", "reads of the register file, one per warp operand")     \
    STAT(rf_writes, "write", "", "writes of the register file, one per packet")        \
    STAT(stall_alu, "cycle", "",                                                       \
         "an instruction with its operands waited for the ALU")                        \
    STAT(stall_lsu, "cycle", "", "... for the LSU")                                    \
    STAT(stall_sfu, "cycle", "", "... for the SFU: CSRs and warp control")             \
    STAT(stall_fpu, "cycle", "", "... for the FPU")                                    \
    STAT(stall_ibuffer, "cycle", "",                                                   \
         "a decoded instruction found the instruction buffer full")                    \
    STAT(icache_reads, "access", "", "fetches")                                        \
    STAT(icache_misses, "access", "", "fetches that missed")                           \
    STAT(loads, "warp inst", "", "loads taken by the LSU")                             \
    STAT(stores, "warp inst", "", "stores taken by the LSU")                           \
    STAT(local_reads, "warp inst", "", "loads of local memory")                        \
    STAT(local_writes, "warp inst", "", "stores to local memory")                      \
    STAT(local_conflicts, "cycle", "",                                                 \
         "accesses of local memory after an instruction's first")                      \
    STAT(dcache_reads, "access", "", "load requests, coalesced")                       \
    STAT(dcache_read_misses, "access", "", "of these, misses")                         \
    STAT(dcache_writes, "access", "", "store requests, coalesced")                     \
    STAT(dcache_write_misses, "access", "", "of these, misses")                        \
    STAT(l2_reads, "access", "", "reads of the second level")                          \
    STAT(l2_misses, "access", "", "of these, misses")                                  \
    STAT(mem_reads, "line", "", "lines read from memory")                              \
    STAT(mem_writes, "line", "", "writes to memory")                                   \
    STAT(mem_latency, "cycle", "", "latency of reads, from the port and back, summed") \
    STAT(barriers, "warp inst", "", "barriers executed")                               \
    STAT(branches, "warp inst", "", "jumps and branches committed")                    \
    STAT(divergent, "warp inst", "", "instructions committed with inactive lanes")
struct vortex_stats {
    VORTEX_STATS(STAT_FIELD)
    uint64_t slot[N_STALL]; /* cycles of the issue slot, by stall reason */
};
extern const struct stat_group vortex_stat_group;

#endif
