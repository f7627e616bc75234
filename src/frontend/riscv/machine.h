/* machine.h - a device that runs a launch to its end, for hosts (libvortex.so): without
 * timing here, with timing in sim/vortex.h.
 */
#ifndef LENO_RISCV_MACHINE_H
#define LENO_RISCV_MACHINE_H

#include "frontend/riscv/riscv.h"

struct vortex_machine;
struct vortex_machine_ops {
    /* Runs a launch whose memory, start, arguments and console are set; cores, warps,
     * threads, local memory and counters are the machine's own. */
    int (*run)(struct vortex_machine *m, const struct riscv_launch *l,
               struct riscv_result *r, struct err *err);
    /* Statistics of all launches so far, as text; NULL: there are none. */
    int (*print_stats)(struct vortex_machine *m, struct buf *out, struct err *err);
    void (*free)(struct vortex_machine *m);
};

struct vortex_machine {
    const struct vortex_machine_ops *ops;
    uint32_t n_cores, n_warps, n_threads;
    uint32_t local_bytes;   /* of a core */
    uint32_t counter_class; /* which counters CSRs 0xb03 on are: DCR MPM_CLASS */
};

/* Reads "vortex-WxT" or "vortex-WxTxC": warps, threads, cores (1). -1: it is no such
 * name. */
int vortex_shape(const char *name, struct vortex_machine *m, struct err *err);

/* A machine without timing, of a shape so named. */
struct vortex_machine *vortex_functional_new(const char *name, struct err *err);

#endif
