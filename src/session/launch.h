/* launch.h - the launch hook: what happens to a kernel that a host launches.
 *
 * The same for every command that runs a host (leno run, emu, record, exec): its loops are
 * unrolled if the machine's unroll.factor says so; then it is timed on a GPU, executed
 * functionally, recorded, or executed to count redundant instructions.
 */
#ifndef LENO_SESSION_LAUNCH_H
#define LENO_SESSION_LAUNCH_H

#include "driver/driver.h"
#include "frontend/sass/exec/exec.h"
#include "session/choice.h"
#include "session/loops.h"
#include "session/sample.h"
#include "sim/gpu.h"

enum launch_mode { LAUNCH_FUNCTIONAL, LAUNCH_TIMED, LAUNCH_RECORDED, LAUNCH_STUDIED };

struct inst_counts;
struct race_report;
struct launch_shapes;
struct recording;
struct repeats_counts;

struct launch_hook {
    enum launch_mode mode;
    const struct launch_choice *choice; /* the others are executed; NULL: no choice */
    struct choice_count seen;
    struct sample *sample; /* says which of these are timed; NULL: all */
    bool
        is_sampled; /* launches that are not timed run the same code as those that are */
    /* Timed: clock and limits on registers; any mode: unroll.*. NULL: as it is. */
    const struct machine *machine;
    struct loop_list *loops;      /* notes which loops were unrolled; may be NULL */
    struct gpu *gpu;              /* LAUNCH_TIMED */
    struct watch *watch;          /* of the other modes; may be NULL */
    struct launch_shapes *shapes; /* adds every launch to it; may be NULL */
    struct inst_counts *counts;   /* adds executed instructions to it; may be NULL */
    struct race_report *races;    /* LAUNCH_FUNCTIONAL: adds races to it; may be NULL */
    struct recording *recording;  /* LAUNCH_RECORDED: open */
    struct repeats_counts *redundancy; /* LAUNCH_STUDIED: adds to it */
    double seconds;                    /* of the host, inside kernels; adds up */
    /* LAUNCH_TIMED, of the last launch: it reached its cap (gpu_limits), or was cut when its
     * rate was stable, and after that so many warp instructions were executed functionally,
     * which count as so many nanoseconds. */
    bool is_capped;
    uint64_t rest_insts, rest_ns, rest_longest; /* longest: of one warp */
    struct sample_launch sampled;               /* with is_sampled */
};

/* How the machine's scheme needs operands to be named, or as given if it does not care. */
struct naming launch_naming(const struct machine *m, enum naming_kind otherwise);

/* What launches of its group have in common. */
struct sample_shape launch_shape(const struct sass_launch *l);

/* What a sampled launch takes, after so many cycles on a GPU with a sample_goal. Its
 * warp_insts are given: all that it executes. */
void launch_estimate(const struct gpu *g, uint64_t cycles, struct sample_launch *l);

/* For struct driver_config: hook is a struct launch_hook. Launches that are not timed cost
 * one nanosecond per warp instruction, the driver's nominal time. */
int launch_hook_run(void *hook, const struct sass_launch *l, struct driver_cost *cost,
                    struct err *err);

#endif
