/* gpu.h - the parameters of a GPU as a whole; its parts have tables of their own. */
#ifndef LENO_CONFIG_GPU_H
#define LENO_CONFIG_GPU_H

#include "config/param.h"

#define GPU_PARAMS(NUM, ENUM, BOOL)                                                \
    ENUM(core, 0, "sm|vortex", "kind of core: SMs, or Vortex cores")               \
    ENUM(arch, 0, "sm_75|sm_80|sm_86|sm_89|sm_90|sm_100|sm_120",                   \
         "architecture of the machine code that it runs")                          \
    ENUM(baseline, 0, "inorder|control",                                           \
         "what keeps dependences when no scheme is named: a scoreboard, or the "   \
         "control words of the code")                                              \
    NUM(sms, 34, 1, 1024, "SM", "number of SMs")                                   \
    NUM(launch_cycles, 5000, 0, 1000000, "cycle",                                  \
        "from a kernel's launch to its first block [gpgpu_kernel_launch_latency]") \
    NUM(block_cycles, 1, 1, 1000, "cycle",                                         \
        "between blocks that start on one SM; Accel-Sim: one per cycle, as coded") \
    NUM(grid_hundredths, 0, 0, 100000, "0.01 cycle",                               \
        "between blocks that start on any SM, of all SMs of the chip; 0: none")    \
    NUM(block_gap, 0, 0, 10000, "cycle",                                           \
        "from the end of a block until one that takes its place can issue; H200 "  \
        "measured: 280")                                                           \
    ENUM(block_order, 0, "first|next",                                             \
         "SM that gets a kernel's first block: the first one, or the one after "   \
         "the SM that was given a block last, as Accel-Sim and GhOST's artifact "  \
         "do")                                                                     \
    NUM(watchdog, 1000000, 1000, 1000000000, "cycle",                              \
        "cycles without an issue on any SM that count as a deadlock")

struct gpu_params {
    GPU_PARAMS(PARAM_NUM, PARAM_ENUM, PARAM_BOOL)
};
extern const struct param_group gpu_param_group;

enum gpu_core { GPU_CORE_SM, GPU_CORE_VORTEX };
enum gpu_block_order { GPU_BLOCK_FIRST, GPU_BLOCK_NEXT };
enum gpu_baseline { GPU_BASELINE_INORDER, GPU_BASELINE_CONTROL };

#endif
