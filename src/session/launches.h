/* launches.h - the launches of a run, added up by kernel and shape: what leno emu --launches
 * writes, and what workloads/facts.txt has of every workload.
 *
 * One line per kernel and shape of block, in the order of their first launches:
 *
 *     program,size,code_arch,kernel,launches,blocks,block,shared,warp_insts
 *     lud,tiny,sm_75,lud_perimeter,3,6,32x1x1,0,13122
 *
 * blocks: of the largest launch; shared: its dynamic shared memory in bytes.
 */
#ifndef LENO_SESSION_LAUNCHES_H
#define LENO_SESSION_LAUNCHES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct sass_launch;

struct launch_shape {
    char kernel[64];
    uint32_t block[3], shared;
    uint64_t launches, blocks, warp_insts;
};

struct launch_shapes {
    struct launch_shape *at;
    size_t n;
};

/* Adds one launch, once it has been executed. */
void launch_shapes_add(struct launch_shapes *l, const struct sass_launch *launch,
                       uint64_t warp_insts);
void launch_shapes_free(struct launch_shapes *l);

/* The first line of a CSV text; the lines of a finished run. */
void launch_shapes_title(struct buf *csv);
void launch_shapes_write(const struct launch_shapes *l, const char *program,
                         const char *size, const char *arch, struct buf *csv);

#endif
