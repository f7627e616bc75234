/* objects.h - what the handles of cuda.h stand for, seen only inside driver/. */
#ifndef LENO_DRIVER_OBJECTS_H
#define LENO_DRIVER_OBJECTS_H

#include <stdbool.h>

#include "driver/cuda.h"
#include "frontend/sass/exec/exec.h"
#include "frontend/sass/exec/texture.h"
#include "frontend/sass/load/module.h"

struct children;
struct jit;
struct jit_kept;
struct library;

enum { N_LIMITS = 10 };

/* Attributes of a stream that only affect the time of its work, which is over when a call
 * returns: kept for the program to read. */
struct stream_hints {
    CUaccessPolicyWindow window;
    int sync_policy;
    unsigned char domain_map[2];
    int domain;
};

/* Nodes of a graph, by their handles. */
struct node_set {
    CUgraphNode *list;
    uint32_t n, cap;
};

struct driver_stream {
    CUstream handle;
    struct context *context;
    unsigned flags;
    int priority;
    struct stream_hints hints;
    struct capture *capture; /* that it takes part in; NULL: work is executed */
    struct node_set tips;    /* that the next node of the capture depends on */
};

struct context {
    CUcontext handle;
    unsigned flags;
    bool is_primary;
    CUresult sticky; /* a kernel's failure: every later call returns it */
    uint64_t limits[N_LIMITS];
    struct sass_heap heap; /* of malloc() in kernels */
    struct sass_kept kept;
    uint64_t workspace;        /* of cooperative launches; 0: there was none yet */
    struct children *children; /* launched by kernels; NULL: there was none yet */
    struct driver_stream default_stream; /* the legacy stream */
    struct driver_stream thread_stream;  /* stands for every thread's own */
};

struct module {
    CUmodule handle;
    struct context *context;
    struct sass_module sass;
    struct function *functions; /* one per kernel; its handle is made when asked for */
    uint64_t constants;         /* device copy of bank 3, 0 until the first request */
    bool is_library;            /* of a library, which unloads it */
};

struct function {
    CUfunction handle;
    struct module *module;
    const struct sass_kernel *kernel;
    uint32_t max_dynamic; /* shared memory that a launch may ask for */
    int carveout;
    bool has_strayed;        /* outside of allocations, and a warning said so */
    bool has_large_clusters; /* more than 8 blocks, which not every GPU has */
};

struct driver_event {
    CUevent handle;
    struct context *context;
    bool has_timing, is_recorded, is_shared;
    uint64_t at;          /* nanoseconds of the device's clock */
    uint64_t capture;     /* number of the capture it was recorded in; 0: of none */
    struct node_set tips; /* of the stream when it was recorded there */
};

enum memory_kind { MEMORY_DEVICE, MEMORY_HOST, MEMORY_MANAGED };

struct allocation {
    uint64_t addr;
    struct context *context;
    enum memory_kind kind;
    unsigned flags;    /* of host memory */
    struct pool *pool; /* that it was taken from; NULL: none */
};

enum { POOL_REUSES = 3 };

/* A memory pool, of the device. */
struct pool {
    CUmemoryPool handle;
    CUmemPoolProps props;
    int reuse[POOL_REUSES];
    uint64_t threshold; /* bytes that it keeps when they are not in use */
    uint64_t used, used_high, reserved, reserved_high;
    uint32_t n_live;   /* allocations */
    bool is_destroyed; /* and goes with its last allocation */
    bool is_foreign;   /* another process's: gives access to its allocations */
    int file;          /* of it: that of the other process's space */
};

/* Memory without an address (cuMemCreate), or of another process. */
struct physical {
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp prop;
    uint64_t bytes;
    int file;
    uint64_t offset; /* in the file */
    uint32_t n_handles, n_mapped;
    bool is_foreign; /* another process's; the file is this one's */
    int owner;       /* of memory opened by an IPC handle or from a pool: the process */
    uint64_t start;  /* of it: offset of the allocation in the owner's file */
    uint32_t n_opened; /* of it: how often it was opened */
};

struct mapping {
    uint64_t addr, bytes;
    struct physical *physical;
    bool is_allowed;
};

struct array {
    CUarray handle;
    struct context *context;
    struct texture_image image;
    CUDA_ARRAY3D_DESCRIPTOR desc;
    struct mipmap *mipmap; /* that it is a level of; NULL: it is no level */
};

enum { MIPMAP_LEVELS = 16 };

struct mipmap {
    CUmipmappedArray handle;
    struct array base;                   /* the first level; it has no handle */
    struct array *levels[MIPMAP_LEVELS]; /* NULL until they are asked for */
};

/* The descriptions that a texture or surface object was made from. */
struct texture_object {
    struct context *context;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture; /* zeros for a surface */
};

#endif
