/* operation.h - stream-ordered work: launches, copies, fills, host functions, events.
 *
 * Every call that puts work into a stream describes it as an operation and submits it.
 * Submitted to a stream it is executed at once; submitted to a stream that is being
 * captured it becomes a node of the capture's graph. A node of a graph is an operation
 * with edges. What kinds differ in is in a table, one row per kind, which the file that
 * knows the kind defines.
 */
#ifndef LENO_DRIVER_OPERATION_H
#define LENO_DRIVER_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/cuda.h"

struct buf;
struct context;
struct driver;
struct driver_stream;
struct graph;
struct graph_memory;

struct kernel_work {
    CUfunction function;
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 = as compiled */
    uint32_t dynamic_shared;
    bool is_cooperative;
    const CUlaunchAttribute *attributes;
    uint32_t n_attributes;
    uint8_t *params; /* packed */
    uint32_t params_size;
    void **places; /* of each parameter in params, for who asks; only in nodes */
};

struct alloc_work {
    struct graph_memory *memory;
    CUDA_MEM_ALLOC_NODE_PARAMS params;
};

struct condition_work {
    CUgraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    uint32_t n_bodies;
    struct graph **bodies;
    CUgraph *handles; /* of the bodies, for the program */
};

struct operation {
    CUgraphNodeType type;
    union {
        struct kernel_work kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS fill;
        CUDA_HOST_NODE_PARAMS host;
        CUevent event;       /* to be recorded, or waited for */
        struct graph *child; /* of a node: its own clone */
        struct alloc_work alloc;
        CUdeviceptr address; /* to be freed */
        struct condition_work condition;
    };
};

/* One kind. Hooks that are NULL have nothing to do. */
struct operation_ops {
    const char *name;  /* as CUDA's DOT output has it */
    const char *shape; /* of its box there */
    bool can_disable;  /* in an executable graph */
    /* Judges the arguments, as far as that is possible before it is executed. */
    CUresult (*check)(struct driver *d, const struct operation *op);
    /* Replaces what a copied operation points to by copies of its own. On failure it
     * points to nothing. */
    CUresult (*adopt)(struct driver *d, struct operation *op);
    void (*release)(struct driver *d, struct operation *op);
    /* Finds out by itself what may have changed since it was checked: memory freed,
     * code unloaded. */
    CUresult (*execute)(struct driver *d, struct context *c,
                        const struct operation *op);
    /* Whether an executable graph may change from one to the other. NULL: it may not
     * change at all. */
    bool (*can_become)(const struct driver *d, const struct operation *from,
                       const struct operation *to);
    void (*describe)(const struct driver *d, const struct operation *op,
                     struct buf *out);
};

extern const struct operation_ops operation_kernel, operation_copy, operation_fill,
    operation_host, operation_child, operation_empty, operation_wait, operation_record,
    operation_alloc, operation_release, operation_condition;

/* NULL for kinds that are not offered. */
const struct operation_ops *operation_ops_of(CUgraphNodeType type);

/* A copy that owns what it points to. */
CUresult operation_clone(struct driver *d, struct operation *to,
                         const struct operation *from);
void operation_free(struct driver *d, struct operation *op);
CUresult operation_check(struct driver *d, const struct operation *op);
CUresult operation_execute(struct driver *d, struct context *c,
                           const struct operation *op);

/* Executes the operation, or makes it a node of the graph that the stream is captured
 * into. */
CUresult operation_submit(struct driver *d, struct context *c, CUstream stream,
                          const struct operation *op);

#endif
