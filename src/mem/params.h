/* params.h - parameters of the memory system outside the SMs: L2, DRAM, interconnect,
 * TLB.
 *
 * Defaults are Accel-Sim's RTX 2060 Super (tested-cfgs/SM75_RTX2060_S) unless the help
 * says otherwise; Accel-Sim's option is in brackets. Latencies are in core cycles, DRAM
 * timing in cycles of the DRAM's own clock.
 */
#ifndef LENO_MEM_PARAMS_H
#define LENO_MEM_PARAMS_H

#include "config/param.h"

/* Values shared by the caches, in the order of their ENUM texts. */
#define CACHE_WRITE_CHOICES          "through|back|local_back"
#define CACHE_ALLOCATE_CHOICES       "miss|fill|streaming"
#define CACHE_WRITE_ALLOCATE_CHOICES "none|allocate|fetch|lazy"
#define CACHE_INDEX_CHOICES          "linear|xor|ipoly|fermi"
enum cache_write { CACHE_WRITE_THROUGH, CACHE_WRITE_BACK, CACHE_WRITE_LOCAL_BACK };
enum cache_allocate {
    CACHE_ALLOCATE_MISS,
    CACHE_ALLOCATE_FILL,
    CACHE_ALLOCATE_STREAMING /* on fill; on miss while all unified memory is L1 */
};
enum cache_write_allocate {
    CACHE_WRITE_ALLOCATE_NONE,
    CACHE_WRITE_ALLOCATE_PLAIN, /* write through, and fetch the sector too */
    CACHE_WRITE_ALLOCATE_FETCH, /* a partly written sector is fetched at once */
    CACHE_WRITE_ALLOCATE_LAZY   /* a partly written sector is fetched when it is read */
};
enum cache_index {
    CACHE_INDEX_LINEAR,
    CACHE_INDEX_XOR,
    CACHE_INDEX_IPOLY,
    CACHE_INDEX_FERMI
};

#define L2_PARAMS(NUM, ENUM, BOOL)                                                     \
    NUM(slices_per_channel, 2, 1, 8, "slice",                                          \
        "slices of L2 per memory channel [gpgpu_n_sub_partition_per_mchannel]")        \
    NUM(sets, 64, 1, 65536, "set", "sets per slice [gpgpu_cache:dl2]")                 \
    NUM(ways, 16, 1, 1024, "line", "lines per set [gpgpu_cache:dl2]")                  \
    ENUM(write, 1, CACHE_WRITE_CHOICES, "what a write hit does [dl2: B]")              \
    ENUM(allocate, 0, CACHE_ALLOCATE_CHOICES, "when a line is reserved [dl2: m]")      \
    ENUM(write_allocate, 3, CACHE_WRITE_ALLOCATE_CHOICES,                              \
         "what a write miss does [dl2: L]")                                            \
    ENUM(index, 2, CACHE_INDEX_CHOICES, "hash of the set index [dl2: P]")              \
    NUM(mshrs, 192, 1, 4096, "entry", "outstanding misses per slice [dl2]")            \
    NUM(merges, 4, 1, 4096, "request", "requests that share a miss [dl2]")             \
    NUM(miss_queue, 32, 3, 1024, "request", "misses waiting to leave a slice [dl2]")   \
    NUM(port_bytes, 32, 1, 1024, "B",                                                  \
        "bytes per cycle through a slice's data port [dl2]")                           \
    NUM(latency, 160, 0, 4096, "cycle",                                                \
        "fixed latency of every request before its slice [gpgpu_l2_rop_latency]")      \
    NUM(spread, 0, 0, 1024, "cycle",                                                   \
        "the farthest slice adds this to the latency, the nearest nothing, others "    \
        "something between; H200 measured: 60")                                        \
    NUM(queue_icnt_l2, 64, 1, 4096, "request",                                         \
        "requests waiting for the slice [gpgpu_dram_partition_queues]")                \
    NUM(queue_l2_dram, 64, 1, 4096, "request", "requests waiting for DRAM [the same]") \
    NUM(queue_dram_l2, 64, 1, 4096, "request",                                         \
        "DRAM replies waiting for the slice [the same]")                               \
    NUM(queue_l2_icnt, 64, 1, 4096, "request",                                         \
        "replies waiting for the interconnect [the same]")                             \
    ENUM(partition_hash, 0, "plain|xor|ipoly|mix",                                     \
         "how lines spread over channels [gpgpu_memory_partition_indexing]; mix: "     \
         "neighbours evenly over any number of slices, starting at a hashed one")      \
    NUM(fill_bytes, 32, 32, 128, "B",                                                  \
        "bytes fetched from DRAM on a miss; H200 measured: 64")                        \
    NUM(partials, 0, 0, 65536, "sector",                                               \
        "partly written sectors that a slice keeps; then it completes the oldest "     \
        "from DRAM and writes it there. 0: any number; H200 measured: 1120")           \
    NUM(clock, 0, 0, 100000000, "kHz",                                                 \
        "clock of the slices, for atomics and l2.flits; 0: the cores' clock")          \
    BOOL(flits, false,                                                                 \
         "a request's data holds the data port for one tick per flit, not by "         \
         "port_bytes; H200 measured")                                                  \
    NUM(atomic_word, 0, 0, 1024, "quarter tick",                                       \
        "slice time per lane of an atomic on a single word; "                          \
        "Accel-Sim: 0; H200 measured: 5")                                              \
    NUM(atomic_sector, 0, 0, 64, "quarter tick",                                       \
        "the same for several words: per sector, and per lane on the busiest "         \
        "word; H200 measured: 4")                                                      \
    NUM(atomic_result, 0, 0, 64, "quarter tick",                                       \
        "extra for a sector whose old words are wanted; H200 measured: 4")             \
    NUM(atomic_latency, 0, 0, 4096, "cycle",                                           \
        "extra for an atomic, compared with a read; Accel-Sim: 0; H200: about 60")     \
    NUM(partitions, 1, 1, 2, "", "halves of L2; H200 measured: 2")                     \
    NUM(home_bytes, 4096, 128, 1048576, "B",                                           \
        "consecutive bytes with their home in one half; H200 measured: 4096")          \
    NUM(home_mask, 1, 1, 0xffffffff, "",                                               \
        "bits of the number of such a piece of memory whose parity is its half; H200 " \
        "measured: 0x6ab, of 8 MB")                                                    \
    NUM(far_latency, 0, 0, 4096, "cycle",                                              \
        "extra for a read of a line whose home is the other half; H200: 175")          \
    NUM(far_atomic, 0, 0, 4096, "cycle",                                               \
        "the same for atomics and writes, performed at home; H200: 195")               \
    BOOL(far_copies, false,                                                            \
         "the near half keeps a copy of far sectors that its SMs have read, or "       \
         "written completely; H200 measured")                                          \
    NUM(copy_bytes, 32, 32, 128, "B",                                                  \
        "bytes that a copy is made of: 32, 64 or 128; H200 measured: 64")              \
    NUM(copy_kb, 15360, 0, 1048576, "KB",                                              \
        "room for copies in a half; H200: half of 30 MB")
struct l2_params {
    L2_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group l2_param_group;

#define DRAM_PARAMS(NUM, ENUM, BOOL)                                               \
    NUM(channels, 16, 1, 128, "channel", "memory channels [gpgpu_n_mem]")          \
    NUM(for_sms, 0, 0, 1024, "SM",                                                 \
        "SMs that these channels serve: fewer SMs get channels in proportion, at " \
        "least one; 0: never scaled")                                              \
    NUM(clock, 3500000, 1, 100000000, "kHz",                                       \
        "DRAM command clock "                                                      \
        "[gpgpu_clock_domains]")                                                   \
    NUM(core_clock, 1905000, 1, 100000000, "kHz",                                  \
        "clock of core, interconnect and L2 [gpgpu_clock_domains]")                \
    BOOL(in_step, false,                                                           \
         "the first tick of DRAM is in cycle 0 of the SMs, as in Accel-Sim; off: " \
         "in cycle 0 of memory, which works ahead of them")                        \
    NUM(bus_bytes, 2, 1, 1024, "B", "width of a channel [gpgpu_dram_buswidth]")    \
    NUM(burst, 16, 1, 128, "transfer",                                             \
        "transfers per command [gpgpu_dram_burst_length]")                         \
    NUM(data_rate, 4, 1, 16, "",                                                   \
        "transfers per cycle of the command clock [dram_data_command_freq_ratio]") \
    BOOL(dual_bus, false,                                                          \
         "row and column commands in one cycle "                                   \
         "[dual_bus_interface]")                                                   \
    NUM(banks, 16, 1, 64, "bank", "banks per channel [nbk]")                       \
    NUM(groups, 4, 1, 16, "group", "bank groups [nbkgrp]")                         \
    BOOL(group_low, true,                                                          \
         "the low bits of a bank are its group "                                   \
         "[dram_bnkgrp_indexing_policy 1]")                                        \
    ENUM(bank_hash, 0, "plain|xor|ipoly", "bank index [dram_bnk_indexing_policy]") \
    NUM(ccd, 4, 1, 256, "cycle", "column to column [CCD]")                         \
    NUM(rrd, 10, 0, 256, "cycle", "activate to activate of another bank [RRD]")    \
    NUM(rcd, 20, 0, 256, "cycle", "activate to read [RCD]")                        \
    NUM(rcdwr, 0, 0, 256, "cycle", "activate to write; 0: rcd - wl - 1 [RCDWR]")   \
    NUM(ras, 50, 0, 1024, "cycle", "activate to precharge [RAS]")                  \
    NUM(rp, 20, 0, 256, "cycle", "precharge to activate [RP]")                     \
    NUM(rc, 62, 0, 1024, "cycle", "activate to activate of one bank [RC]")         \
    NUM(cl, 20, 0, 256, "cycle", "read to data [CL]")                              \
    NUM(wl, 8, 0, 256, "cycle", "write to data [WL]")                              \
    NUM(cdlr, 9, 0, 256, "cycle", "last data of a write to read [CDLR]")           \
    NUM(wr, 20, 0, 256, "cycle", "last data of a write to precharge [WR]")         \
    NUM(ccdl, 4, 0, 256, "cycle", "column to column in a bank group [CCDL]")       \
    NUM(rtpl, 4, 0, 256, "cycle", "read to precharge [RTPL]")                      \
    ENUM(scheduler, 1, "fifo|frfcfs", "order of requests [gpgpu_dram_scheduler]")  \
    NUM(queue, 64, 1, 1024, "request",                                             \
        "requests that the scheduler sees [gpgpu_frfcfs_dram_sched_queue_size]")   \
    NUM(return_queue, 192, 1, 4096, "request",                                     \
        "replies waiting for L2 [gpgpu_dram_return_queue_size]")                   \
    NUM(latency, 100, 0, 8192, "cycle",                                            \
        "fixed latency of every request before the channel [dram_latency]")        \
    NUM(channel_bit, 8, 5, 20, "bit", "lowest bit of the channel [dramid@8]")      \
    NUM(burst_bits, 5, 5, 7, "bit", "address within a burst [mapping: S]")         \
    NUM(column_low_bits, 2, 0, 16, "bit", "columns above it [mapping: CC]")        \
    NUM(bank_low_bits, 1, 0, 6, "bit", "banks above that [mapping: B]")            \
    NUM(column_high_bits, 4, 0, 16, "bit", "columns above that [mapping: CCCC]")   \
    NUM(bank_high_bits, 3, 0, 6, "bit", "banks above that [mapping: BBB]")         \
    NUM(row_bits, 13, 1, 40, "bit", "rows above that [mapping: R...]")
struct dram_params {
    DRAM_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group dram_param_group;

#define ICNT_PARAMS(NUM, ENUM, BOOL)                                                 \
    ENUM(arbiter, 1, "round_robin|islip|islip_skip",                                 \
         "which input goes first [icnt_arbiter_algo]; islip_skip: the neighbour of " \
         "the one served last comes last")                                           \
    BOOL(chain, false,                                                               \
         "an input that has sent a packet sends the next one in the same cycle, if " \
         "the output of that one has a higher number, as in Accel-Sim")              \
    NUM(in_buffer, 512, 1, 65536, "packet",                                          \
        "packets waiting at an input port [icnt_in_buffer_limit]")                   \
    NUM(out_buffer, 512, 1, 65536, "packet",                                         \
        "packets waiting at an output port [icnt_out_buffer_limit]")                 \
    NUM(eject_buffer, 32, 1, 65536, "packet",                                        \
        "packets that have arrived at an SM "                                        \
        "[gpgpu_n_cluster_ejection_buffer_size]")                                    \
    NUM(flit_bytes, 40, 2, 1024, "B", "size of a flit [icnt_flit_size]")             \
    NUM(header_bytes, 8, 0, 64, "B",                                                 \
        "size of a packet without its data; used only to count flits [packet "       \
        "sizes 8]")                                                                  \
    ENUM(serialise, 0, "none|requests|both",                                         \
         "a packet holds its ports for one cycle per flit; requests: only requests " \
         "do, and only their SM's port; none: every packet takes one cycle, as in "  \
         "Accel-Sim's crossbar; H200: requests")                                     \
    NUM(mask_bytes, 0, 0, 64, "B",                                                   \
        "added to a request that writes parts of sectors, and to an atomic unless "  \
        "it adds one word without a result; H200 measured: 32")                      \
    NUM(latency, 0, 0, 1024, "cycle", "added to each crossing; Accel-Sim: 0")        \
    NUM(rate, 1, 1, 8, "packet",                                                     \
        "packets per port and cycle, and replies that an SM takes per cycle; "       \
        "H200: 2")
enum icnt_arbiter { ICNT_ROUND_ROBIN, ICNT_ISLIP, ICNT_ISLIP_SKIP };
enum icnt_serialise { ICNT_NONE, ICNT_REQUESTS, ICNT_BOTH };
struct icnt_params {
    ICNT_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group icnt_param_group;

#define TLB_PARAMS(NUM, ENUM, BOOL)                                               \
    BOOL(enabled, false, "addresses are translated; Accel-Sim does not model it") \
    NUM(page_bits, 21, 12, 30, "bit", "size of a page; H200 measured: 2 MB")      \
    NUM(l1_entries, 128, 1, 4096, "page",                                         \
        "first-level TLB per SM; H200 measured: 128 to 256")                      \
    NUM(l1_ways, 16, 1, 4096, "page", "entries per set")                          \
    NUM(l2_entries, 32768, 1, 1048576, "page",                                    \
        "second-level TLB of the GPU; H200 measured: 64 GB")                      \
    NUM(l2_ways, 16, 1, 4096, "page", "entries per set")                          \
    NUM(hit_cycles, 0, 0, 1024, "cycle", "latency of a first-level hit")          \
    NUM(l2_cycles, 9, 0, 4096, "cycle", "extra for a second-level hit; H200: 9")  \
    NUM(walk_cycles, 50, 0, 8192, "cycle", "extra for a page walk; H200: 50")     \
    NUM(serial_cycles, 16, 0, 1024, "cycle",                                      \
        "between first-level misses of one instruction; H200: about 16")
struct tlb_params {
    TLB_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group tlb_param_group;

struct memory_params {
    struct l2_params l2;
    struct dram_params dram;
    struct icnt_params icnt;
    struct tlb_params tlb;
};

#endif
