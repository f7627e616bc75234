/* launch.c - kernel launches: checked as the hardware would, parameters packed, and
 * handed to the launch hook. A launch is over when the call returns. A kernel
 * that fails leaves its error with the context: every later call returns it.
 */
#include "driver/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "driver/children.h"
#include "driver/jit.h"

static CUresult check_shape(struct driver *d, const struct kernel_work *r)
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
static CUresult check_bounds(struct driver *d, const struct kernel_work *r,
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
static uint32_t cluster_of(const struct kernel_work *r, const struct cubin_kernel *k,
                           int axis)
{
    uint32_t n = r->cluster[axis] ? r->cluster[axis] : k->cluster[axis];

    return n ? n : 1;
}

static CUresult check_cluster(struct driver *d, const struct kernel_work *r,
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

/* Blocks of a launch that the device holds at once. */
static uint32_t blocks_resident(const struct driver *d, const struct kernel_work *r,
                                const struct function *f)
{
    uint32_t threads = r->block[0] * r->block[1] * r->block[2];
    uint32_t shared = function_static_shared(d, f) + r->dynamic_shared;

    return d->n_sms *
           device_blocks_per_sm(d->device, threads, f->kernel->n_regs, shared);
}

static CUresult check_resources(struct driver *d, const struct kernel_work *r,
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
static CUresult pack_list(struct driver *d, const struct cubin_kernel *k, void **params,
                          uint8_t *block)
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

CUresult launch_pack_params(struct driver *d, struct kernel_work *w, void **params,
                            void **extra)
{
    const struct cubin_kernel *k;
    CUresult result = CUDA_SUCCESS;
    const struct function *f = function_find(d, w->function, &result);

    if (!f)
        return result;
    k = f->kernel->info;
    if (params && extra)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "parameters given twice");
    w->params_size = k->param_size;
    w->params = calloc(1, k->param_size ? k->param_size : 1);
    if (!w->params)
        return call_memory(d, "the parameters of a launch");
    result =
        extra ? pack_extra(d, k, extra, w->params) : pack_list(d, k, params, w->params);
    if (result)
        free(w->params);
    return result;
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
    case ERR_ILLEGAL:
        return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case ERR_PC:
        return CUDA_ERROR_INVALID_PC;
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
    uint8_t *at;

    if (!c->workspace)
        result = memory_alloc(d, c, MEMORY_DEVICE, BYTES, &c->workspace);
    if (result)
        return result;
    at = d->space.bytes + (c->workspace - d->space.base);
    memory_note_write(d, memset(at, 0, BYTES), BYTES);
    return CUDA_SUCCESS;
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
                               const struct kernel_work *r, struct function *f,
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
        .resident = blocks_resident(d, r, f),
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

static CUresult check_work(struct driver *d, const struct kernel_work *w,
                           const struct function *f)
{
    const struct cubin_kernel *k = f->kernel->info;
    CUresult result;

    if ((result = check_shape(d, w)) || (result = check_bounds(d, w, k)) ||
        (result = check_cluster(d, w, k)))
        return result;
    return check_resources(d, w, f);
}

static struct kernel_work work_of_child(const struct child *child)
{
    const struct sass_child *s = &child->shape;

    return (struct kernel_work){ .grid = { s->grid[0], s->grid[1], s->grid[2] },
                                 .block = { s->block[0], s->block[1], s->block[2] },
                                 .dynamic_shared = s->dynamic_shared };
}

CUresult launch_check_child(struct driver *d, const struct child *child)
{
    struct kernel_work w = work_of_child(child);

    return check_work(d, &w, child->function);
}

CUresult launch_run_child(struct driver *d, struct context *c,
                          const struct child *child)
{
    struct kernel_work w = work_of_child(child);

    return execute_kernel(d, c, &w, child->function, child->params);
}

static CUresult check_kernel(struct driver *d, const struct operation *op)
{
    CUresult result = CUDA_SUCCESS;
    const struct function *f = function_find(d, op->kernel.function, &result);

    return f ? check_work(d, &op->kernel, f) : result;
}

static CUresult run_kernel(struct driver *d, struct context *c,
                           const struct operation *op)
{
    CUresult result = CUDA_SUCCESS;
    struct function *f = function_find(d, op->kernel.function, &result);

    if (!f)
        return result;
    if (f->kernel->info->param_size != op->kernel.params_size)
        return call_bad_handle(d, "function", op->kernel.function);
    if (op->kernel.is_cooperative)
        result = make_workspace(d, c);
    if (!result)
        result = execute_kernel(d, c, &op->kernel, f, op->kernel.params);
    if (!result)
        return children_run(d, c);
    children_drop(d, c);
    return result;
}

/* Of parameters and attributes; who reads a node's parameters gets a pointer to each. */
static CUresult adopt_kernel(struct driver *d, struct operation *op)
{
    struct kernel_work *w = &op->kernel;
    CUresult result;
    const struct function *f = function_find(d, w->function, &result);
    const struct cubin_kernel *k = f ? f->kernel->info : NULL;
    size_t head = k ? k->n_params * sizeof(void *) : 0;
    void **places = malloc(head + w->params_size + 1);
    CUlaunchAttribute *attributes =
        malloc((w->n_attributes + 1) * sizeof *w->attributes);

    if (!places || !attributes) {
        free(places);
        free(attributes);
        w->places = NULL;
        w->attributes = NULL;
        return call_memory(d, "the parameters of a node");
    }
    memcpy((char *)places + head, w->params, w->params_size);
    w->params = (uint8_t *)places + head;
    for (uint32_t i = 0; k && i < k->n_params; i++)
        places[i] = w->params + k->params[i].offset;
    if (w->n_attributes)
        memcpy(attributes, w->attributes, w->n_attributes * sizeof *attributes);
    w->places = places;
    w->attributes = attributes;
    return CUDA_SUCCESS;
}

static void release_kernel(struct driver *d, struct operation *op)
{
    (void)d;
    free(op->kernel.places);
    free((void *)(uintptr_t)op->kernel.attributes);
}

static bool kernel_can_become(const struct driver *d, const struct operation *from,
                              const struct operation *to)
{
    (void)d;
    (void)from;
    (void)to;
    return true;
}

static void describe_kernel(const struct driver *d, const struct operation *op,
                            struct buf *out)
{
    const struct kernel_work *w = &op->kernel;
    const struct function *f = handle_find(&d->handles, HANDLE_FUNCTION, w->function);

    buf_printf(out, "%s\n<<<(%u,%u,%u),(%u,%u,%u),%u>>>",
               f ? f->kernel->info->name : "unloaded", w->grid[0], w->grid[1],
               w->grid[2], w->block[0], w->block[1], w->block[2], w->dynamic_shared);
}

const struct operation_ops operation_kernel = {
    .name = "KERNEL",
    .shape = "octagon",
    .can_disable = true,
    .check = check_kernel,
    .adopt = adopt_kernel,
    .release = release_kernel,
    .execute = run_kernel,
    .can_become = kernel_can_become,
    .describe = describe_kernel,
};

/* What a call asks to be launched. */
struct request {
    struct kernel_work work;
    CUstream stream;
    void **params, **extra;
};

static CUresult launch_kernel(const char *call, const struct request *r)
{
    struct driver *d;
    struct context *c;
    struct operation op = { .type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = r->work };
    CUresult result = call_begin(&d, &c, call);

    if (result || (result = call_check_stream(d, r->stream)) ||
        (result = launch_pack_params(d, &op.kernel, r->params, r->extra)))
        return result;
    result = operation_submit(d, c, r->stream, &op);
    free(op.kernel.params);
    return result;
}

CUresult cuLaunchKernel(CUfunction f, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void **params, void **extra)
{
    struct request r = { .work = { .function = f,
                                   .grid = { gridX, gridY, gridZ },
                                   .block = { blockX, blockY, blockZ },
                                   .dynamic_shared = sharedBytes },
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
    struct request r = { .work = { .function = f,
                                   .grid = { gridX, gridY, gridZ },
                                   .block = { blockX, blockY, blockZ },
                                   .dynamic_shared = sharedBytes,
                                   .is_cooperative = true },
                         .stream = stream,
                         .params = params };

    return launch_kernel("cuLaunchCooperativeKernel", &r);
}

/* Attributes of a launch besides its shape. Those that only affect timing mean nothing
 * to a launch that is over when the call returns. */
bool launch_take_attribute(struct kernel_work *r, const CUlaunchAttribute *a)
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
        .work = { .function = f,
                  .grid = { config->gridDimX, config->gridDimY, config->gridDimZ },
                  .block = { config->blockDimX, config->blockDimY, config->blockDimZ },
                  .dynamic_shared = config->sharedMemBytes,
                  .attributes = config->attrs,
                  .n_attributes = config->numAttrs },
        .stream = config->hStream,
        .params = params,
        .extra = extra,
    };
    for (unsigned int i = 0; i < config->numAttrs; i++)
        if (!launch_take_attribute(&r.work, &config->attrs[i]))
            return call_fail(
                d, CUDA_ERROR_INVALID_VALUE,
                "attribute %d of the launch is unknown or has no value here",
                (int)config->attrs[i].id);
    return launch_kernel("cuLaunchKernelEx", &r);
}
