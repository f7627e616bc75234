/* launch.c - kernel launches: checked as the hardware would, parameters packed, and
 * handed to the launch hook. A launch is over when the call returns. A kernel
 * that fails leaves its error with the context: every later call returns it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/children.h"
#include "driver/jit.h"

struct request {
    CUfunction function;
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 = as compiled */
    uint32_t dynamic_shared;
    CUstream stream;
    void **params, **extra;
    bool is_cooperative;
};

static CUresult check_shape(struct driver *d, const struct request *r)
{
    static const uint32_t most_grid[3] = { 0x7fffffff, 65535, 65535 };
    static const uint32_t most_block[3] = { 1024, 1024, 64 };

    for (int i = 0; i < 3; i++) {
        if (!r->grid[i] || r->grid[i] > most_grid[i])
            return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                             "grid %u x %u x %u: expected 1 to %u in %c", r->grid[0],
                             r->grid[1], r->grid[2], most_grid[i], "xyz"[i]);
        if (!r->block[i] || r->block[i] > most_block[i])
            return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                             "block %u x %u x %u: expected 1 to %u in %c", r->block[0],
                             r->block[1], r->block[2], most_block[i], "xyz"[i]);
    }
    if (r->block[0] * r->block[1] * r->block[2] > 1024)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "block %u x %u x %u: more than 1024 threads", r->block[0],
                         r->block[1], r->block[2]);
    return CUDA_SUCCESS;
}

/* Checks a launch against the bounds that the program was compiled with. */
static CUresult check_bounds(struct driver *d, const struct request *r,
                             const struct cubin_kernel *k)
{
    const uint32_t *most = k->max_threads, *must = k->req_threads;
    uint32_t bound = 1;

    for (int i = 0; i < 3; i++)
        bound *= most[i] ? most[i] : 1;
    if (most[0] && r->block[0] * r->block[1] * r->block[2] > bound)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "kernel %s is compiled for blocks of at most %u threads",
                         k->name, bound);
    for (int i = 0; i < 3; i++) {
        if (must[0] && r->block[i] != (must[i] ? must[i] : 1))
            return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                             "kernel %s is compiled for blocks of %u x %u x %u",
                             k->name, must[0], must[1], must[2]);
    }
    return CUDA_SUCCESS;
}

/* The blocks of a cluster along one axis. */
static uint32_t cluster_of(const struct request *r, const struct cubin_kernel *k,
                           int axis)
{
    uint32_t n = r->cluster[axis] ? r->cluster[axis] : k->cluster[axis];

    return n ? n : 1;
}

static CUresult check_cluster(struct driver *d, const struct request *r,
                              const struct cubin_kernel *k)
{
    uint64_t blocks = 1;

    for (int i = 0; i < 3; i++) {
        uint32_t grid = r->grid[i], cluster = cluster_of(r, k, i);

        if (grid % cluster)
            return call_fail(d, CUDA_ERROR_INVALID_CLUSTER_SIZE,
                             "kernel %s has clusters of %u blocks in %c, the grid %u",
                             k->name, cluster, "xyz"[i], grid);
        if (k->cluster[i] && cluster != k->cluster[i])
            return call_fail(d, CUDA_ERROR_INVALID_CLUSTER_SIZE,
                             "kernel %s is compiled for clusters of %u x %u x %u",
                             k->name, k->cluster[0], k->cluster[1], k->cluster[2]);
        if (cluster > MAX_CLUSTER || (blocks *= cluster) > MAX_CLUSTER)
            return call_fail(d, CUDA_ERROR_INVALID_CLUSTER_SIZE,
                             "kernel %s: clusters of more than %u blocks", k->name,
                             (unsigned)MAX_CLUSTER);
    }
    if (blocks > 1 && d->device->sm < 90)
        return call_fail(d, CUDA_ERROR_INVALID_CLUSTER_SIZE,
                         "kernel %s: sm_%u has no clusters", k->name, d->device->sm);
    return CUDA_SUCCESS;
}

static CUresult check_resources(struct driver *d, const struct request *r,
                                const struct function *f)
{
    uint32_t threads = r->block[0] * r->block[1] * r->block[2];
    uint32_t n_regs = f->kernel->n_regs, blocks, shared;
    uint64_t grid = (uint64_t)r->grid[0] * r->grid[1] * r->grid[2];

    if (r->dynamic_shared > f->max_dynamic)
        return call_fail(
            d, CUDA_ERROR_INVALID_VALUE,
            "%u bytes of dynamic shared memory: kernel %s may have %u (see "
            "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)",
            r->dynamic_shared, f->kernel->info->name, f->max_dynamic);
    shared = function_static_shared(d, f) + r->dynamic_shared;
    blocks = device_blocks_per_sm(d->device, threads, n_regs, shared);
    if (!blocks)
        return call_fail(d, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                         "a block of %u threads with %u registers each and %u bytes of "
                         "shared memory does not fit an SM",
                         threads, n_regs, shared);
    if (r->is_cooperative && grid > (uint64_t)blocks * d->n_sms)
        return call_fail(d, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                         "%llu blocks: %u SMs hold %u each", (unsigned long long)grid,
                         d->n_sms, blocks);
    return CUDA_SUCCESS;
}

/* Parameters one by one, each copied to its place. */
static CUresult pack_params(struct driver *d, const struct cubin_kernel *k,
                            void **params, uint8_t *block)
{
    for (uint32_t i = 0; i < k->n_params; i++) {
        const struct cubin_param *p = &k->params[i];

        if (!params || !params[i])
            return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                             "kernel %s takes %u parameters; number %u is missing",
                             k->name, k->n_params, i);
        memcpy(block + p->offset, params[i], p->size);
    }
    return CUDA_SUCCESS;
}

/* Parameters as one buffer, named by a list of pairs. A short buffer leaves the rest
 * zero, a long one is refused, as an H200's driver does. */
static CUresult pack_extra(struct driver *d, const struct cubin_kernel *k, void **extra,
                           uint8_t *block)
{
    const void *from = NULL;
    const size_t *size = NULL;

    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            from = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            size = extra[1];
        else
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "unknown entry %p in extra",
                             *extra);
    }
    if ((!from || !size) && k->param_size)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "extra names no parameter buffer or no size");
    if (size && *size > k->param_size)
        return call_fail(d, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                         "kernel %s takes %u bytes of parameters, the buffer has %zu",
                         k->name, k->param_size, *size);
    if (k->param_size)
        memcpy(block, from, *size);
    return CUDA_SUCCESS;
}

/* The result that stays with the context after a kernel has failed. */
static CUresult result_of_failure(const struct err *err)
{
    switch (err->code) {
    case ERR_FAULT:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case ERR_MISALIGNED:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case ERR_ASSERT:
        return CUDA_ERROR_ASSERT;
    case ERR_TRAP:
        return CUDA_ERROR_LAUNCH_FAILED;
    case ERR_DEADLOCK:
    case ERR_LIMIT:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    case ERR_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case ERR_UNSUPPORTED:
        return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    default:
        return CUDA_ERROR_LAUNCH_FAILED;
    }
}

static void discard_text(void *to, const char *text, size_t n)
{
    (void)to;
    (void)text;
    (void)n;
}

int driver_run_functional(void *to, const struct sass_launch *launch,
                          struct driver_cost *cost, struct err *err)
{
    struct sass_run_stats stats = { 0 };
    int failed = sass_run(launch, &stats, err);

    (void)to;
    *cost = (struct driver_cost){ .warp_insts = stats.warp_insts,
                                  .thread_insts = stats.thread_insts,
                                  .blocks = stats.blocks,
                                  .nanoseconds = stats.warp_insts };
    return failed;
}

/* The barrier of a cooperative grid: a size and a counter that starts at 0. */
static CUresult make_workspace(struct driver *d, struct context *c)
{
    enum { BYTES = 256 };
    CUresult result = CUDA_SUCCESS;

    if (!c->workspace)
        result = memory_alloc(d, c, MEMORY_DEVICE, BYTES, &c->workspace);
    if (!result)
        memset(d->space.bytes + (c->workspace - d->space.base), 0, BYTES);
    return result;
}

/* A function whose accesses outside of allocations are warned of. */
struct stray {
    struct driver *driver;
    struct function *function;
};

/* Warns of the first such access of a kernel. */
static void warn_outside(void *to, const struct sass_outside *o)
{
    struct stray *s = to;
    const struct driver_config *config = &s->driver->config;
    char text[1024];

    if (s->function->has_strayed || !config->warn)
        return;
    s->function->has_strayed = true;
    snprintf(
        text, sizeof text,
        "kernel %s, pc %s, %s 0x%llx, %llu bytes %s an allocation of %llu bytes at "
        "0x%llx: a GPU allows it, as its pages have 2 MiB; use --strict to make it "
        "a fault",
        o->kernel, o->place, o->is_write ? "writes to" : "reads from",
        (unsigned long long)o->addr, (unsigned long long)o->near.distance,
        o->near.is_before ? "before the start of" : "past the end of",
        (unsigned long long)o->near.size, (unsigned long long)o->near.start);
    config->warn(config->warn_to, text);
}

static CUresult execute_kernel(struct driver *d, struct context *c,
                               const struct request *r, struct function *f,
                               const uint8_t *params)
{
    const struct cubin_kernel *k = f->kernel->info;
    struct texture_table textures = { d->textures, d->n_textures };
    struct stray stray = { d, f };
    struct driver_cost cost = { 0 };
    struct err err = { 0 };
    struct sass_launch l = {
        .module = &f->module->sass,
        .kernel = f->kernel,
        .dynamic_shared = r->dynamic_shared,
        .params = params,
        .params_size = k->param_size,
        .space = &d->space,
        .textures = &textures,
        .n_sms = d->n_sms,
        .tensor = d->config.tensor,
        .grid_id = ++d->totals.launches,
        .heap_bytes = c->limits[CU_LIMIT_MALLOC_HEAP_SIZE],
        .heap = &c->heap,
        .kept = &c->kept,
        .stack_bytes = c->limits[CU_LIMIT_STACK_SIZE],
        .workspace = r->is_cooperative ? c->workspace : 0,
        .print = d->config.print ? d->config.print : discard_text,
        .print_to = d->config.print_to,
        .runtime = children_begin(d, c, f->module),
        .outside = warn_outside,
        .outside_to = &stray,
        .asserts = stderr,
    };
    int failed;

    for (int i = 0; i < 3; i++) {
        l.grid[i] = r->grid[i];
        l.block[i] = r->block[i];
        l.cluster[i] = cluster_of(r, k, i);
    }
    module_refresh_constants(d, f->module);
    failed = d->config.launch ? d->config.launch(d->config.launch_to, &l, &cost, &err)
                              : driver_run_functional(NULL, &l, &cost, &err);
    d->totals.cost.warp_insts += cost.warp_insts;
    d->totals.cost.thread_insts += cost.thread_insts;
    d->totals.cost.blocks += cost.blocks;
    d->totals.cost.nanoseconds += cost.nanoseconds;
    d->clock += cost.nanoseconds;
    if (!failed)
        return CUDA_SUCCESS;
    c->sticky = result_of_failure(&err);
    d->has_new_failure = true;
    if (err.code == ERR_LIMIT) { /* nothing is wrong with the program */
        d->last = err;
        return c->sticky;
    }
    call_fail(d, c->sticky, "%s", err.text);
    d->last.code = err.code;
    return c->sticky;
}

static struct request request_of_child(const struct child *child)
{
    const struct sass_child *s = &child->shape;

    return (struct request){ .grid = { s->grid[0], s->grid[1], s->grid[2] },
                             .block = { s->block[0], s->block[1], s->block[2] },
                             .dynamic_shared = s->dynamic_shared };
}

static CUresult check_request(struct driver *d, const struct request *r,
                              const struct function *f)
{
    const struct cubin_kernel *k = f->kernel->info;
    CUresult result;

    if ((result = check_shape(d, r)) || (result = check_bounds(d, r, k)) ||
        (result = check_cluster(d, r, k)))
        return result;
    return check_resources(d, r, f);
}

CUresult launch_check_child(struct driver *d, const struct child *child)
{
    struct request r = request_of_child(child);

    return check_request(d, &r, child->function);
}

CUresult launch_run_child(struct driver *d, struct context *c,
                          const struct child *child)
{
    struct request r = request_of_child(child);

    return execute_kernel(d, c, &r, child->function, child->params);
}

static CUresult launch_kernel(const char *call, const struct request *r)
{
    struct driver *d;
    struct context *c;
    struct function *f;
    const struct cubin_kernel *k;
    uint8_t *params;
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, r->stream)))
        return result;
    f = function_find(d, r->function, &result);
    if (!f)
        return result;
    k = f->kernel->info;
    if ((result = check_request(d, r, f)))
        return result;
    if (r->params && r->extra)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "parameters given twice");
    params = calloc(1, k->param_size ? k->param_size : 1);
    if (!params)
        return call_memory(d, "the parameters of a launch");
    result = r->extra ? pack_extra(d, k, r->extra, params)
                      : pack_params(d, k, r->params, params);
    if (!result && r->is_cooperative)
        result = make_workspace(d, c);
    if (!result)
        result = execute_kernel(d, c, r, f, params);
    if (!result)
        result = children_run(d, c);
    else
        children_drop(d, c);
    free(params);
    return result;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void **params, void **extra)
{
    struct request r = { .function = f,
                         .grid = { gridX, gridY, gridZ },
                         .block = { blockX, blockY, blockZ },
                         .dynamic_shared = sharedBytes,
                         .stream = stream,
                         .params = params,
                         .extra = extra };

    return launch_kernel("cuLaunchKernel", &r);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridX, unsigned int gridY,
                                   unsigned int gridZ, unsigned int blockX,
                                   unsigned int blockY, unsigned int blockZ,
                                   unsigned int sharedBytes, CUstream stream,
                                   void **params)
{
    struct request r = { .function = f,
                         .grid = { gridX, gridY, gridZ },
                         .block = { blockX, blockY, blockZ },
                         .dynamic_shared = sharedBytes,
                         .stream = stream,
                         .params = params,
                         .is_cooperative = true };

    return launch_kernel("cuLaunchCooperativeKernel", &r);
}

/* Attributes of a launch besides its shape. Those that only affect timing mean nothing
 * to a launch that is over when the call returns. */
static bool take_attribute(struct request *r, const CUlaunchAttribute *a)
{
    switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        r->is_cooperative = a->value.cooperative;
        return true;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        r->cluster[0] = a->value.clusterDim.x;
        r->cluster[1] = a->value.clusterDim.y;
        r->cluster[2] = a->value.clusterDim.z;
        return r->cluster[0] && r->cluster[1] && r->cluster[2];
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return true;
    default:
        return false;
    }
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **params,
                          void **extra)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuLaunchKernelEx");

    if (result)
        return result;
    if (!config || (config->numAttrs && !config->attrs))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no configuration");

    struct request r = {
        .function = f,
        .grid = { config->gridDimX, config->gridDimY, config->gridDimZ },
        .block = { config->blockDimX, config->blockDimY, config->blockDimZ },
        .dynamic_shared = config->sharedMemBytes,
        .stream = config->hStream,
        .params = params,
        .extra = extra,
    };
    for (unsigned int i = 0; i < config->numAttrs; i++)
        if (!take_attribute(&r, &config->attrs[i]))
            return call_fail(
                d, CUDA_ERROR_INVALID_VALUE,
                "attribute %d of the launch is unknown or has no value here",
                (int)config->attrs[i].id);
    return launch_kernel("cuLaunchKernelEx", &r);
}
