/* params.h - the parameters of a Vortex processor.
 *
 * Defaults are the machine that LOOG-Vortex was compared with: vortex_base of
 * mariazerva/diploma, which is Vortex of June 2024 with an issue width of one. "RTL" in a
 * help text is its source, "measured" what its simulation showed.
 */
#ifndef LENO_VORTEX_PARAMS_H
#define LENO_VORTEX_PARAMS_H

#include "config/param.h"

enum { VX_MAX_CORES = 64, VX_MAX_WARPS = 32, VX_MAX_THREADS = 32 };

#define VORTEX_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(cores, 1, 1, VX_MAX_CORES, "", "cores")                                       \
    NUM(socket, 1, 1, VX_MAX_CORES, "core", "cores that share L1 caches and a port")  \
    NUM(warps, 4, 1, VX_MAX_WARPS, "", "warps of a core")                             \
    NUM(threads, 4, 1, VX_MAX_THREADS, "", "threads of a warp: 1, 2, 4 .. 32")        \
    NUM(fetches, 14, 1, 64, "inst",                                                   \
        "between the scheduler and a decode stage that waits; fitted to 16 warps")    \
    NUM(ibuffer, 4, 1, 32, "inst", "decoded and waiting, of a warp [IBUF_SIZE]")      \
    NUM(load_queue, 2, 1, 6, "inst", "loads under way in the LSU [LSUQ_IN_SIZE]")     \
    NUM(fpu_queue, 2, 1, 64, "inst", "instructions in the FPU [FPUQ_SIZE]")           \
    NUM(sfu_lanes, 4, 1, 32, "lane", "lanes that the SFU takes at a time")            \
    NUM(imul, 4, 1, 64, "cycle", "integer product [LATENCY_IMUL]")                    \
    NUM(idiv, 4, 1, 64, "cycle", "integer quotient, pipelined in simulation")         \
    NUM(fma, 4, 1, 64, "cycle", "float sum and product [LATENCY_FMA]")                \
    NUM(fdiv, 15, 1, 64, "cycle", "float quotient [LATENCY_FDIV]")                    \
    NUM(fsqrt, 10, 1, 64, "cycle", "square root [LATENCY_FSQRT]")                     \
    NUM(fcvt, 5, 1, 64, "cycle", "conversion between integer and float")              \
    NUM(fncp, 2, 1, 64, "cycle", "float compare, minimum, sign, move [LATENCY_FNCP]") \
    NUM(local_bytes, 16384, 1024, 32768, "B", "local memory of a core")               \
    NUM(local_latency, 5, 1, 64, "cycle", "local memory, from the LSU's switch; RTL") \
    NUM(watchdog, 100000, 1000, 1000000000, "cycle",                                  \
        "without a commit on any core that count as a deadlock")                      \
    BOOL(eager, false, "for tests: no cycle is passed over, with the same results")

#define VXCACHE_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(icache_bytes, 16384, 64, 1048576, "B", "instruction cache, direct-mapped")     \
    NUM(icache_hit, 3, 1, 64, "cycle", "from request to response; measured")           \
    NUM(dcache_bytes, 16384, 64, 1048576, "B",                                         \
        "data cache, direct-mapped, write-through, no allocation by stores")           \
    NUM(dcache_hit, 6, 1, 64, "cycle",                                                 \
        "from its bus to the LSU, the switch of local memory included; measured")      \
    NUM(word_bytes, 0, 0, 64, "B", "of a request of the LSU; 0: min(4 x threads, 64)") \
    NUM(miss_out, 4, 1, 64, "cycle",                                                   \
        "of a miss, from the bus to the memory port; RTL")                             \
    NUM(miss_in, 3, 1, 64, "cycle",                                                    \
        "from the memory's answer to a lookup that finds the line; RTL")               \
    NUM(reset_lines, 1, 0, 64, "cycle", "to clear a line's tag after reset; RTL")      \
    NUM(l2_bytes, 0, 0, 16777216, "B", "cache shared by all sockets; 0: none")         \
    NUM(l2_ways, 4, 1, 16, "", "lines of a set of it")                                 \
    NUM(l2_hit, 8, 1, 64, "cycle", "from its bus to its answer")

#define VXMEM_PARAMS(NUM, ENUM, BOOL)                                                \
    NUM(channels, 2, 1, 16, "", "channels; lines are spread over them in turn")      \
    NUM(banks, 16, 1, 64, "", "banks of a channel")                                  \
    NUM(row_bytes, 8192, 64, 65536, "B", "row of a bank")                            \
    NUM(hit, 15, 1, 1000, "cycle", "read of an open row, answer included")           \
    NUM(closed, 20, 1, 1000, "cycle", "the same, the row to be opened")              \
    NUM(conflict, 25, 1, 1000, "cycle", "the same, another one to be closed before") \
    NUM(row_cycle, 28, 0, 1000, "cycle", "between openings of a bank's rows [tRC]")  \
    NUM(burst, 2, 1, 64, "cycle",                                                    \
        "that a line holds its channel: BL8 at two ticks a "                         \
        "cycle")                                                                     \
    NUM(port, 1, 1, 64, "cycle", "between requests of a socket's port of 64 B")

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
