/* params.h - the parameters of a Vortex processor.
 *
 * Defaults are the machine that LOOG-Vortex was compared with: vortex_base of
 * mariazerva/diploma, which is Vortex of June 2024 with an issue width of one. In a help
 * text "RTL" means that its source code says so, "measured" that its simulation showed it.
 */
#ifndef LENO_VORTEX_PARAMS_H
#define LENO_VORTEX_PARAMS_H

#include "config/param.h"

enum { VX_MAX_CORES = 64, VX_MAX_WARPS = 32, VX_MAX_THREADS = 32 };

#define VORTEX_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(cores, 1, 1, VX_MAX_CORES, "", "number of cores")                             \
    NUM(socket, 1, 1, VX_MAX_CORES, "core", "cores that share L1 caches and a port")  \
    NUM(warps, 4, 1, VX_MAX_WARPS, "", "warps per core")                              \
    NUM(threads, 4, 1, VX_MAX_THREADS, "", "threads per warp: 1, 2, 4 .. 32")         \
    NUM(fetches, 7, 1, 64, "inst",                                                    \
        "instructions that fit between the scheduler and a stalled decode stage")     \
    NUM(ibuffer, 4, 1, 32, "inst",                                                    \
        "decoded instructions that wait, per warp [IBUF_SIZE]")                       \
    NUM(load_queue, 2, 1, 6, "inst", "loads in flight in the LSU [LSUQ_IN_SIZE]")     \
    NUM(fpu_queue, 2, 1, 64, "inst", "instructions in flight in the FPU [FPUQ_SIZE]") \
    NUM(sfu_lanes, 4, 1, 32, "lane", "lanes that the SFU takes at a time")            \
    NUM(imul, 4, 1, 64, "cycle", "integer product [LATENCY_IMUL]")                    \
    NUM(idiv, 4, 1, 64, "cycle", "integer quotient, pipelined in simulation")         \
    NUM(fma, 4, 1, 64, "cycle", "float sum and product [LATENCY_FMA]")                \
    NUM(fdiv, 15, 1, 64, "cycle", "float quotient [LATENCY_FDIV]")                    \
    NUM(fsqrt, 10, 1, 64, "cycle", "square root [LATENCY_FSQRT]")                     \
    NUM(fcvt, 5, 1, 64, "cycle", "conversion between integer and float")              \
    NUM(fncp, 2, 1, 64, "cycle", "float compare, minimum, sign, move [LATENCY_FNCP]") \
    NUM(local_bytes, 16384, 1024, 32768, "B", "local memory per core")                \
    NUM(local_latency, 4, 1, 64, "cycle",                                             \
        "latency of local memory, from the LSU's switch; RTL")                        \
    NUM(watchdog, 100000, 1000, 1000000000, "cycle",                                  \
        "cycles without a commit on any core that count as a deadlock")               \
    BOOL(eager, false,                                                                \
         "for tests: every stage works in every cycle (src/vortex/plain.c); slower, " \
         "with the same results")

#define VXCACHE_PARAMS(NUM, ENUM, BOOL)                                               \
    NUM(icache_bytes, 16384, 64, 1048576, "B", "instruction cache, direct-mapped")    \
    NUM(icache_hit, 3, 1, 64, "cycle", "from request to response; measured")          \
    NUM(icache_out, 4, 1, 64, "cycle", "from the bus to the memory port, for a miss") \
    NUM(dcache_bytes, 16384, 64, 1048576, "B",                                        \
        "data cache, direct-mapped, write-through, no allocation by stores")          \
    NUM(dcache_hit, 6, 1, 64, "cycle",                                                \
        "from its bus to the LSU, including the switch of local memory; measured")    \
    NUM(dcache_out, 6, 1, 64, "cycle",                                                \
        "from the bus to the memory port, for a miss or a store")                     \
    NUM(io_out, 2, 1, 64, "cycle",                                                    \
        "from the bus to the memory port, for an I/O access, which bypasses the "     \
        "cache")                                                                      \
    NUM(word_bytes, 0, 0, 64, "B", "bytes per LSU request; 0: min(4 x threads, 64)")  \
    NUM(fill, 1, 1, 64, "cycle", "from memory's reply to the cache")                  \
    NUM(replay, 2, 1, 64, "cycle",                                                    \
        "from a line's arrival to the first waiting request's lookup")                \
    NUM(reset_lines, 1, 0, 64, "cycle", "to clear a line's tag after reset; RTL")     \
    NUM(l2_bytes, 0, 0, 16777216, "B", "cache shared by all sockets; 0: none")        \
    NUM(l2_ways, 4, 1, 16, "", "lines per set of it")                                 \
    NUM(l2_hit, 8, 1, 64, "cycle", "from its bus to its reply")

/* Times of DDR4-2400R in its ticks, as Ramulator has them (rtlsim's memory). */
#define VXMEM_PARAMS(NUM, ENUM, BOOL)                                               \
    NUM(channels, 2, 1, 16, "", "channels; lines are spread over them in turn")     \
    NUM(groups, 4, 1, 8, "", "bank groups per channel")                             \
    NUM(banks, 4, 1, 8, "", "banks per group")                                      \
    NUM(row_bytes, 8192, 64, 65536, "B", "bytes per row of a bank")                 \
    NUM(ticks, 2, 1, 16, "", "memory clock ticks per core cycle")                   \
    NUM(queue, 32, 1, 64, "",                                                       \
        "reads, and likewise writes, that a channel chooses among")                 \
    NUM(writes_high, 25, 0, 64, "", "more writes than this go before reads ...")    \
    NUM(writes_low, 6, 1, 64, "", "... until there are fewer than this")            \
    NUM(bl, 4, 1, 64, "tick", "ticks that a line occupies its channel")             \
    NUM(cl, 16, 1, 255, "tick", "from a read to its data")                          \
    NUM(cwl, 12, 1, 255, "tick", "from a write to its data")                        \
    NUM(rcd, 16, 1, 255, "tick", "from opening a row to reads and writes")          \
    NUM(rp, 16, 1, 255, "tick", "from closing a row to opening another")            \
    NUM(ras, 39, 1, 255, "tick", "from opening a row to closing it")                \
    NUM(rc, 55, 1, 255, "tick", "between openings of rows in one bank")             \
    NUM(rtp, 9, 1, 255, "tick", "from a read to closing its row")                   \
    NUM(wr, 18, 1, 255, "tick", "from a write's data to closing its row")           \
    NUM(ccd_s, 4, 1, 255, "tick", "between reads, or writes, of different groups")  \
    NUM(ccd_l, 6, 1, 255, "tick", "the same within one group")                      \
    NUM(wtr_s, 3, 1, 255, "tick", "from a write's data to a read of another group") \
    NUM(wtr_l, 9, 1, 255, "tick", "the same within its group")                      \
    NUM(rrd_s, 4, 1, 255, "tick", "between openings of different groups")           \
    NUM(rrd_l, 6, 1, 255, "tick", "the same within one group")                      \
    NUM(faw, 26, 1, 255, "tick", "from an opening to the fourth after it")          \
    NUM(rfc, 313, 1, 4095, "tick", "duration of a refresh")                         \
    NUM(refi, 9360, 0, 1000000, "tick", "between refreshes; 0: none")               \
    NUM(ahead, 30, 0, 1000000, "tick",                                              \
        "that memory has run before a launch's first cycle")

struct vortex_params {
    VORTEX_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
struct vxcache_params {
    VXCACHE_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
struct vxmem_params {
    VXMEM_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group vortex_param_group, vxcache_param_group,
    vxmem_param_group;

#endif
