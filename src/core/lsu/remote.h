/* remote.h - accesses of the load/store unit to shared memory of other SMs of the cluster. */
#ifndef LENO_CORE_LSU_REMOTE_H
#define LENO_CORE_LSU_REMOTE_H

#include "core/uop.h"

enum { LSU_REMOTE = 64 }; /* most of shared.remote_queue */

/* The way to other SMs of the cluster. */
struct lsu_remote {
    bool is_used;  /* by this kernel */
    uint64_t sent; /* bytes that can have been sent when it is free */
    uint64_t
        left_at[LSU_REMOTE]; /* cycles in which the last instructions leave, a ring */
    uint32_t next;
};

struct lsu;
/* Does any of its lanes access shared memory of another SM? */
bool lsu_is_remote(const struct lsu *l, const struct uop *u);
/* The cycle in which such an instruction, with n accesses, has its result or is acknowledged,
 * if it goes in this one; 0: the way is full. */
uint64_t lsu_remote_ready(struct lsu *l, const struct uop *u, unsigned n,
                          uint64_t cycle);

#endif
