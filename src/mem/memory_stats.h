/* memory_stats.h - statistics of the memory system outside the SMs. */
#ifndef LENO_MEM_MEMORY_STATS_H
#define LENO_MEM_MEMORY_STATS_H

#include "base/err.h"
#include "stats/stat.h"

#define MEMORY_STATS(STAT)                                                             \
    STAT(requests, "packet", "Req_Network_injected_packets_num",                       \
         "packets sent by SMs")                                                        \
    STAT(replies, "packet", "Reply_Network_injected_packets_num",                      \
         "packets sent by L2")                                                         \
    STAT(request_flits, "flit", "", "flits of requests")                               \
    STAT(reply_flits, "flit", "", "flits of replies")                                  \
    STAT(request_conflicts, "", "",                                                    \
         "times that more than one SM wanted the same slice")                          \
    STAT(reply_conflicts, "", "", "times that more than one slice wanted the same SM") \
    STAT(request_refused, "cycle", "gpu_stall_icnt2sh",                                \
         "cycles in which an SM's port was full")                                      \
    STAT(slice_full, "cycle", "gpu_stall_dramfull",                                    \
         "cycles in which a slice took no packet")                                     \
    STAT(latency_sum, "cycle", "", "latency of all requests, SM to SM")                \
    STAT(latency_count, "request", "", "requests counted in latency_sum")              \
    STAT(l2_reads, "sector", "", "read accesses of L2 that did not fail")              \
    STAT(l2_read_hits, "sector", "", "of these, found")                                \
    STAT(l2_read_misses, "sector", "", "of these, sent to DRAM")                       \
    STAT(l2_read_pending, "sector", "", "of these, waiting for an earlier miss")       \
    STAT(l2_writes, "sector", "", "write accesses of L2")                              \
    STAT(l2_write_hits, "sector", "", "of these, the sector was present")              \
    STAT(l2_atomics, "sector", "", "atomic accesses of L2, also counted in l2_reads")  \
    STAT(l2_fail_line, "cycle", "", "an access waited: all lines of its set pending")  \
    STAT(l2_fail_queue, "cycle", "", "an access waited: miss queue full")              \
    STAT(l2_fail_mshr, "cycle", "", "an access waited: no MSHR")                       \
    STAT(l2_fail_merge, "cycle", "", "an access waited: its MSHR was full")            \
    STAT(l2_write_backs, "line", "", "dirty lines evicted")                            \
    STAT(l2_far, "request", "", "requests that went to the other half of L2")          \
    STAT(l2_copies, "request", "",                                                     \
         "requests served from the near half's copy of a far line")                    \
    STAT(dram_reads, "burst", "gpgpu_n_dram_reads", "read commands")                   \
    STAT(dram_writes, "burst", "gpgpu_n_dram_writes", "write commands")                \
    STAT(dram_activates, "", "gpgpu_n_dram_activate", "rows opened")                   \
    STAT(dram_precharges, "", "gpgpu_n_dram_precharges", "rows closed")                \
    STAT(dram_requests, "request", "gpgpu_n_dram_requests", "requests scheduled")      \
    STAT(dram_row_hits, "request", "",                                                 \
         "of these, to the same row as the previous request")                          \
    STAT(dram_busy, "tick", "", "ticks in which a channel's data bus was in use")      \
    STAT(dram_ticks, "tick", "gpgpu_n_dram_commands", "ticks of all channels")         \
    STAT(tlb_lookups, "page", "", "second-level translations")                         \
    STAT(tlb_misses, "page", "", "of these, page walks")

struct memory_stats {
    MEMORY_STATS(STAT_FIELD)
};
extern const struct stat_group memory_stat_group;

/* What numbers of sectors are to be compared with: how many L2 holds, and how many ticks of
 * a channel's data bus one takes. */
struct memory;
uint64_t memory_l2_sectors(const struct memory *m);
double memory_sector_ticks(const struct memory *m);

/* Counts accesses of L2 per instruction, too: in these rows, which may grow while memory does
 * not run. Requests outlive the numbers that a kernel's end forgets: what is left of them
 * then counts for HOT_NONE. */
struct hot_table;
int memory_set_hot(struct memory *m, struct hot_table *t, struct err *err);

#endif
