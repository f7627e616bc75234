/* issue.h - the contract between a Vortex core and its issue stage.
 *
 * An issue stage is all between decode and dispatch: instruction buffers, tracking of
 * dependences, reads of operands. It takes decoded instructions one by one and hands them
 * to the core when they have their operands. There are three:
 *   scoreboard   the baseline's; it hosts any scheme of core/scheme.h, which decides what
 *                each warp offers (inorder is src/scheme/inorder.c itself)
 *   ghost        an issue buffer for all warps before that
 *   loog         collector units that are reservation stations
 *
 * In one cycle the core calls written() for what has been written back, then tick(), then
 * accepts() and insert() for at most one decoded instruction.
 */
#ifndef LENO_VORTEX_ISSUE_H
#define LENO_VORTEX_ISSUE_H

#include "base/buf.h"
#include "core/scheme.h"
#include "vortex/params.h"

struct vx_core;
struct vx_issue;
struct vortex_config;

struct vx_issue_ops {
    const char *name, *summary, *paper;
    const struct param_group *params; /* NULL: none */
    const struct stat_group *stats;
    size_t state_size; /* of the struct that starts with struct vx_issue */
    bool bars_pass;    /* as in the RTL, a barrier may issue before an older memory
                        * operation of its warp: check.c does not object */

    int (*init)(struct vx_issue *s, struct err *err);
    void (*fini)(struct vx_issue *s);
    bool (*accepts)(const struct vx_issue *s, unsigned warp); /* there is room */
    void (*refused)(struct vx_issue *s); /* accepts() has said no; may be NULL */
    void (*insert)(struct vx_issue *s, struct uop *u);
    void (*written)(struct vx_issue *s, struct uop *u); /* its last packet */
    /* The LSU has taken a memory operation; called while wants_checks is set. */
    void (*checked)(struct vx_issue *s, struct uop *u);
    /* One cycle; the stall reason if nothing left the window, else STALL_issued. */
    enum stall (*tick)(struct vx_issue *s);
    /* Cycles slept through, in which tick() would have done the same as last time. */
    void (*slept)(struct vx_issue *s, uint64_t cycles);
    /* The next cycle in which tick() can do something on its own; NEVER: none. */
    uint64_t (*next)(const struct vx_issue *s);
    void (*dump)(const struct vx_issue *s, struct buf *out);
    /* Reads a performance counter of class 1 that belongs to the stage; false: it does
     * not. May be NULL. */
    bool (*counter)(const struct vx_issue *s, unsigned csr, uint64_t *value);
    /* Storage of a core, part by part, as in scheme_ops. */
    void (*parts)(const struct vortex_config *c, struct part *at);
};

/* The base of every issue stage's state. */
struct vx_issue {
    const struct vx_issue_ops *ops;
    struct vx_core *core;
    const void *params;
    void *stats;
    /* accepts() is sure to say no before this cycle, and for so many cycles after an
     * instruction has come from the cache (perf: ahead.c does not ask then). */
    uint64_t room_at, come_cycles;
    bool wants_checks;
};

/* What runs in the scoreboard stage: a scheme and its parameters. */
struct vx_hosted {
    const struct scheme_ops *scheme;
    const void *params;
};

/* parts.c: storage of n buffered instructions, and of the baseline; returns the end. */
struct part *vx_inst_parts(const struct vortex_config *c, const char *structure,
                           uint64_t n, struct part *at);
struct part *vx_scoreboard_parts(const struct vortex_config *c, struct part *at);

extern const struct vx_issue_ops vx_issue_scoreboard, vx_issue_ghost, vx_issue_loog,
    vx_issue_rrs;

#endif
