/* check.h - checks of registers and memory against program order, and their reports. */
#ifndef LENO_VORTEX_CHECK_H
#define LENO_VORTEX_CHECK_H

#include "vortex/state.h"

/* check.c: a violation fails the core */
void vx_check_fetched(struct vx_core *k, struct uop *u);
/* Source n is read from the register file; all sources are; source n is captured from the
 * result of its producer. */
void vx_check_read(struct vx_core *k, const struct uop *u, unsigned n);
void vx_check_reads(struct vx_core *k, const struct uop *u);
void vx_check_caught(struct vx_core *k, const struct uop *u, unsigned n,
                     const struct uop *producer);
void vx_check_written(struct vx_core *k, const struct uop *u);
void vx_check_performed(struct vx_core *k, struct uop *u);
/* An offer that needs no further check: it is in the warp's window, and the LSU keeps its
 * order in memory. For others call vx_check_offer(). */
static inline bool vx_offer_is_plain(const struct vx_core *k, const struct uop *u,
                                     unsigned warp)
{
    return k->flight[u->id].in_window & (u->warp == warp) &
           !inst_orders_memory(u->dyn.inst);
}
void vx_check_offer(struct vx_core *k, const struct uop *u, unsigned warp);

/* violation.c */
struct vx_party vx_party_of(const struct uop *u);

/* The scheme to blame: the one that a scoreboard stage hosts, or the stage itself. */
const char *vx_scheme_name(const struct vx_core *k);

/* Fails the core, unless it has failed before: "#7 at 0x80000070 `add ...` (issued in cycle
 * 12) FORMAT #6 at ...". other may be NULL. */
void vx_report_violation(struct vx_core *k, const char *kind, const struct uop *u,
                         const struct vx_party *other, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
