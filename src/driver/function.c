/* function.c - attributes of kernels: queries and settings. */
#include "driver/jit.h"

/* The figure in the file includes the system's share where code addresses it. */
uint32_t function_static_shared(const struct driver *d, const struct function *f)
{
    uint32_t shared = f->kernel->info->shared;
    uint32_t reserved = d->device->sm >= 90 ? d->device->shared_reserved : 0;

    return shared > reserved ? shared - reserved : 0;
}

struct function *function_find(struct driver *d, CUfunction handle, CUresult *result)
{
    struct function *f = handle_find(&d->handles, HANDLE_FUNCTION, handle);
    struct kernel_handle *k =
        f ? NULL : handle_find(&d->handles, HANDLE_KERNEL, handle);

    if (k)
        return library_function(d, k, result);
    *result = f ? CUDA_SUCCESS : call_bad_handle(d, "function", handle);
    return f;
}

CUresult function_begin(struct driver **d, struct function **f, const char *call,
                        CUfunction function)
{
    struct context *c;
    CUresult result = call_begin(d, &c, call);

    if (!result)
        *f = function_find(*d, function, &result);
    return result;
}

/* The most threads a block may have: given by the program, or by registers. */
static uint32_t max_threads(const struct driver *d, const struct function *f)
{
    const struct cubin_kernel *info = f->kernel->info;
    const uint32_t *given =
        info->req_threads[0] ? info->req_threads : info->max_threads;
    uint32_t threads = 1024;

    if (given[0])
        threads = given[0] * (given[1] ? given[1] : 1) * (given[2] ? given[2] : 1);
    while (threads > 32 &&
           !device_blocks_per_sm(d->device, threads, f->kernel->n_regs, 0))
        threads -= 32;
    return threads;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction fn)
{
    struct driver *d;
    struct function *f;
    CUresult result = function_begin(&d, &f, "cuFuncGetAttribute", fn);
    uint32_t answer;

    if (result || (result = call_check_place(d, value)))
        return result;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        answer = max_threads(d, f);
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        answer = function_static_shared(d, f);
        break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        answer = f->module->sass.bank3.size;
        break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        answer = f->kernel->info->stack;
        break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        answer = f->kernel->n_regs;
        break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        answer = f->module->sass.cubin.sm;
        break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        answer = 0;
        break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        answer = f->max_dynamic;
        break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = f->carveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        answer = f->has_large_clusters;
        break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
        answer = 0; /* a cluster comes from the file or does not exist */
        break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
        answer = f->kernel->info
                     ->cluster[attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
        break;
    default:
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d is not known",
                         (int)attribute);
    }
    *value = (int)answer;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction fn, CUfunction_attribute attribute, int value)
{
    struct driver *d;
    struct function *f;
    CUresult result = function_begin(&d, &f, "cuFuncSetAttribute", fn);
    uint32_t room;

    if (result)
        return result;
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        if (value < -1 || value > 100)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "%d: expected -1 to 100",
                             value);
        f->carveout = value;
        return CUDA_SUCCESS;
    }
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        f->has_large_clusters = value != 0;
        return CUDA_SUCCESS;
    }
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d cannot be set",
                         (int)attribute);
    room = d->device->shared_optin - function_static_shared(d, f);
    if (value < 0 || (uint32_t)value > room)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%d bytes of dynamic shared memory: expected at most %u",
                         value, room);
    f->max_dynamic = (uint32_t)value;
    return CUDA_SUCCESS;
}

/* A preference that hardware may ignore; it is ignored here. */
CUresult cuFuncSetCacheConfig(CUfunction fn, CUfunc_cache config)
{
    struct driver *d;
    struct function *f;
    CUresult result = function_begin(&d, &f, "cuFuncSetCacheConfig", fn);

    if (result)
        return result;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "preference %d", (int)config);
    return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction fn)
{
    struct driver *d;
    struct function *f;
    CUresult result = function_begin(&d, &f, "cuFuncGetModule", fn);

    if (result || (result = call_check_place(d, module)))
        return result;
    *module = f->module->handle;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction fn)
{
    struct driver *d;
    struct function *f;
    CUresult result = function_begin(&d, &f, "cuFuncGetName", fn);

    if (result || (result = call_check_place(d, name)))
        return result;
    *name = f->kernel->info->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction fn, size_t index, size_t *offset, size_t *size)
{
    struct driver *d;
    struct function *f;
    CUresult result = function_begin(&d, &f, "cuFuncGetParamInfo", fn);

    if (result)
        return result;
    if (index >= f->kernel->info->n_params || !offset)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "parameter %zu of %u", index,
                         f->kernel->info->n_params);
    *offset = f->kernel->info->params[index].offset;
    if (size)
        *size = f->kernel->info->params[index].size;
    return CUDA_SUCCESS;
}
