/* exec.h - functional execution of a kernel launch.
 *
 * sass_run() executes a whole grid, blocks and warps in turn as isa/wave.h says.
 * A pipeline takes blocks one by one instead: sass_grid_new(), sass_block_new(), then
 * stream_next() on the block's stream. The blocks of a cluster (cluster.h) need each
 * other: all of them must have been made before any can go past the cluster's barrier or
 * into another one's shared memory, and none freed before all are done with it.
 */
#ifndef LENO_SASS_EXEC_H
#define LENO_SASS_EXEC_H

#include <stdio.h>

#include "base/err.h"
#include "base/space.h"
#include "base/watch.h"
#include "frontend/sass/load/module.h"
#include "frontend/sass/math/mma.h"
#include "isa/stream.h"

struct races;
struct sanitizer;
struct sass_block;
struct texture_table;

enum { MAX_CLUSTER = 16 }; /* blocks */

/* The heap of malloc() in kernels, where it outlives a launch. */
struct sass_heap {
    uint64_t addr, bytes, used; /* addr 0: none was needed yet */
};

/* Memory of blocks that have ended, which later ones take, of other launches too: fresh
 * memory has to be cleared. All zero at first. */
struct sass_kept {
    struct sass_block *ended;
    size_t n;            /* of these */
    size_t bytes;        /* of each */
    struct views *views; /* NULL: none so far */
};
void sass_kept_free(struct sass_kept *k);

/* An access to global memory that a GPU allows, as the page is mapped, but that lies
 * outside of every allocation. */
struct sass_outside {
    const char *kernel;
    const char *place; /* of the instruction */
    uint64_t addr;
    bool is_write;
    struct space_neighbour near;
};

/* A grid that a kernel launches. */
struct sass_child {
    uint64_t kernel; /* code address */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared; /* bytes */
};

/* Results of the calls below, as the device runtime knows them. */
enum sass_answer {
    SASS_ANSWER_GOOD = 0,
    SASS_ANSWER_INVALID_VALUE = 1,
    SASS_ANSWER_NO_MEMORY = 4,
    SASS_ANSWER_NO_SUCH_LIMIT = 13
};

/* What the device runtime asks of the driver while a kernel runs. */
struct sass_runtime {
    void *to;
    /* A buffer in device memory for the parameters of a child; 0: it cannot be
     * launched. */
    uint64_t (*prepare)(void *to, const struct sass_child *child);
    /* Launches the child of a buffer, which is not used again. */
    enum sass_answer (*launch)(void *to, uint64_t params, uint64_t stream);
    /* Any other call: what is one of enum sass_syscall, arguments follow the place of the
     * result. */
    enum sass_answer (*query)(void *to, unsigned what, const uint64_t *arguments,
                              uint64_t *value);
    /* The place of a thread's last error; thread is its number in the grid. NULL: out of
     * memory. */
    uint32_t *(*last_error)(void *to, uint64_t thread);
};

struct sass_launch {
    const struct sass_module *module;
    const struct sass_kernel *kernel;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t dynamic_shared; /* bytes */
    const void *params;      /* packed as the kernel's parameter block */
    uint32_t params_size;
    struct space *space;                  /* device memory */
    const struct texture_table *textures; /* may be NULL */
    uint32_t n_sms;                       /* what the program is told */
    uint32_t resident; /* blocks that the device holds at once; 0: not known */
    uint64_t grid_id;
    struct mma_rounding tensor; /* of HMMA; group 0: as the architecture does it */
    uint64_t heap_bytes;        /* for malloc() in kernels */
    struct sass_heap *heap;     /* kept from launch to launch; NULL: one of its own */
    struct sass_kept *kept;     /* the same */
    uint64_t stack_bytes;       /* of a thread at least; 0: the driver's default */
    uint64_t workspace;         /* of a cooperative launch: its barrier; 0: none */
    void (*print)(void *to, const char *text, size_t n); /* kernel printf */
    void *print_to;
    void (*outside)(void *to, const struct sass_outside *o); /* may be NULL */
    void *outside_to;
    FILE *asserts; /* takes a line per thread whose assertion failed; may be NULL */
    const struct sass_runtime *runtime; /* may be NULL: no launches by kernels */
    struct watch *watch;                /* of the run; may be NULL */
    struct races *races;         /* sass_run() looks for races; NULL: it does not */
    struct sanitizer *sanitizer; /* with races: and for other faults; may be NULL */
};

struct sass_run_stats {
    uint64_t warp_insts, thread_insts, blocks;
    uint64_t longest; /* warp instructions of the longest warp */
    /* Optional, per index of module->code: warps that executed it, their active lanes,
     * and the lanes among them whose guard held. */
    uint64_t *exec_counts, *thread_counts, *on_counts;
};

/* 0, or -1: ERR_UNSUPPORTED, ERR_DEADLOCK, ERR_FAULT, ERR_MISALIGNED, ERR_TRAP,
 * ERR_ASSERT, ERR_ILLEGAL, ERR_PC, or ERR_LIMIT where the watch stopped it: then err says
 * where its warps are. */
int sass_run(const struct sass_launch *l, struct sass_run_stats *stats,
             struct err *err);

/* The time of a pipeline, since its cycle 0. */
struct sass_time {
    uint64_t cycle, ns;
};

struct sass_grid;
struct sass_grid *sass_grid_new(const struct sass_launch *l, struct err *err);
void sass_grid_free(struct sass_grid *g);
struct sass_block *sass_block_new(struct sass_grid *g, uint64_t index, struct err *err);
void sass_block_free(struct sass_block *b);
/* Warp instructions of its longest warp so far, or `least` if that is more. */
uint64_t sass_block_longest(const struct sass_block *b, uint64_t least);
struct stream *sass_block_stream(struct sass_block *b);
/* From now on its stream gives no more instructions. */
void sass_block_cut(struct sass_block *b);

#endif
