/* launch.h - the launch hook: what happens to a kernel that a host launches.
 *
 * The same for every command that runs a host (leno run, emu, record, exec): its loops are
 * unrolled if the machine's unroll.factor says so; then it is timed on a GPU, executed
 * functionally, or its instructions are handed on as a stream, to be recorded or counted.
 */
#ifndef LENO_SESSION_LAUNCH_H
#define LENO_SESSION_LAUNCH_H

#include "driver/driver.h"
#include "frontend/replay/replay.h"
#include "frontend/sass/exec/exec.h"
#include "session/loops.h"
#include "sim/gpu.h"

enum launch_mode { LAUNCH_FUNCTIONAL, LAUNCH_TIMED, LAUNCH_STREAM };

struct launch_hook {
    enum launch_mode mode;
    /* Timed: clock and limits on registers; any mode: unroll.*. NULL: as it is. */
    const struct machine *machine;
    struct loop_list *loops; /* notes what became of loops; may be NULL */
    struct gpu *gpu;         /* LAUNCH_TIMED */
    struct watch *watch;     /* of the other modes; may be NULL */
    /* LAUNCH_STREAM: takes the kernel, which it drains; fills warp_insts, thread_insts. */
    int (*take)(void *to, struct kernel *k, struct replay_counts *counts,
                struct err *err);
    /* LAUNCH_FUNCTIONAL: gives counters for a launch; may be NULL. */
    void (*count)(void *to, const struct sass_launch *l, struct sass_run_stats *stats);
    void *to;
    double seconds; /* of the host, inside kernels; adds up */
};

/* For struct driver_config: hook is a struct launch_hook. Launches that are not timed cost
 * one nanosecond per warp instruction, the driver's nominal time. */
int launch_hook_run(void *hook, const struct sass_launch *l, struct driver_cost *cost,
                    struct err *err);

#endif
