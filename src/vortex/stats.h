/* stats.h - what a Vortex core counts, the thesis' performance counters among it. */
#ifndef LENO_VORTEX_STATS_H
#define LENO_VORTEX_STATS_H

#include "stats/stall.h"
#include "stats/stat.h"

#define VORTEX_STATS(STAT)                                                          \
    STAT(cycles, "cycle", "", "cycles from reset to the end of the last warp")      \
    STAT(host_cycles, "cycle", "",                                                  \
         "until the program saves its counters: what Vortex's runtime shows")       \
    STAT(core_cycles, "cycle", "", "those of all cores added up")                   \
    STAT(warp_cycles, "warp cycle", "", "cycles x active warps")                    \
    STAT(warp_insts, "warp inst", "", "instructions committed")                     \
    STAT(thread_insts, "thread inst", "", "the same, once for each active lane")    \
    STAT(fetched, "warp inst", "", "instructions fetched")                          \
    STAT(issued, "warp inst", "", "instructions that left the window")              \
    STAT(rf_reads, "read", "", "reads of the register file, a warp's operand each") \
    STAT(rf_writes, "write", "", "writes of the register file, a packet each")      \
    STAT(stall_alu, "cycle", "",                                                    \
         "an instruction with its operands waited for the ALU")                     \
    STAT(stall_lsu, "cycle", "", "... for the LSU")                                 \
    STAT(stall_sfu, "cycle", "", "... for the SFU: CSRs and warp control")          \
    STAT(stall_fpu, "cycle", "", "... for the FPU")                                 \
    STAT(stall_ibuffer, "cycle", "", "a decoded instruction found no room")         \
    STAT(icache_reads, "access", "", "fetches")                                     \
    STAT(icache_misses, "access", "", "fetches that missed")                        \
    STAT(loads, "warp inst", "", "loads taken by the LSU")                          \
    STAT(stores, "warp inst", "", "stores taken by the LSU")                        \
    STAT(local_reads, "warp inst", "", "loads of local memory")                     \
    STAT(local_writes, "warp inst", "", "stores to local memory")                   \
    STAT(local_conflicts, "cycle", "", "accesses of local memory after the first")  \
    STAT(dcache_reads, "access", "", "requests of loads, coalesced")                \
    STAT(dcache_read_misses, "access", "", "of them, misses")                       \
    STAT(dcache_writes, "access", "", "requests of stores, coalesced")              \
    STAT(dcache_write_misses, "access", "", "of them, misses")                      \
    STAT(l2_reads, "access", "", "reads of the second level")                       \
    STAT(l2_misses, "access", "", "of them, misses")                                \
    STAT(mem_reads, "line", "", "lines read from memory")                           \
    STAT(mem_writes, "line", "", "writes to memory")                                \
    STAT(mem_latency, "cycle", "", "of reads, from the port and back, added up")    \
    STAT(barriers, "warp inst", "", "barriers executed")                            \
    STAT(branches, "warp inst", "", "jumps and branches executed")                  \
    STAT(divergent, "warp inst", "", "instructions committed with some lane off")
struct vortex_stats {
    VORTEX_STATS(STAT_FIELD)
    uint64_t slot[N_STALL]; /* what the issue slot's cycles went to */
};
extern const struct stat_group vortex_stat_group;

#endif
