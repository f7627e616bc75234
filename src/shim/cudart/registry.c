/* registry.c - what the program registered, and how it is loaded into the device. */
#include "shim/cudart/registry.h"

#include <stdlib.h>
#include <string.h>

/* A copy of an element at the end of a table of pointers; NULL when memory runs out. */
static void *append_copy(void ***table, size_t *n, const void *element, size_t size)
{
    void *copy = malloc(size);
    void **grown = *n & (*n - 1) ? *table /* doubled at powers of two only */
                                 : realloc(*table, (*n ? 2 * *n : 1) * sizeof *grown);

    if (grown)
        *table = grown;
    if (!copy || !grown) {
        free(copy);
        return NULL;
    }
    memcpy(copy, element, size);
    grown[(*n)++] = copy;
    return copy;
}

struct image *registry_add_image(struct registry *r, const void *fatbin)
{
    struct image image = { .fatbin = fatbin };

    return append_copy((void ***)&r->images, &r->n_images, &image, sizeof image);
}

struct entry *registry_add_entry(struct registry *r, struct entry e)
{
    return append_copy((void ***)&r->entries, &r->n_entries, &e, sizeof e);
}

struct variable *registry_add_variable(struct registry *r, struct variable v)
{
    return append_copy((void ***)&r->variables, &r->n_variables, &v, sizeof v);
}

void registry_drop_image(struct registry *r, struct image *image)
{
    if (image->module)
        cuModuleUnload(image->module);
    image->module = NULL;
    image->is_closed = true;
    for (size_t i = 0; i < r->n_entries; i++) {
        if (r->entries[i]->image == image)
            r->entries[i]->function = NULL;
    }
}

void registry_forget(struct registry *r)
{
    for (size_t i = 0; i < r->n_images; i++)
        r->images[i]->module = NULL;
    for (size_t i = 0; i < r->n_entries; i++)
        r->entries[i]->function = NULL;
}

/* Managed variables live where kernels see them; the host reaches them through a
 * pointer of its own, which is set here. */
static CUresult place_managed(struct registry *r, const struct image *image)
{
    for (size_t i = 0; i < r->n_variables; i++) {
        struct variable *v = r->variables[i];
        CUdeviceptr at;
        CUresult result;

        if (v->image != image || !v->managed)
            continue;
        result = cuModuleGetGlobal(&at, NULL, image->module, v->name);
        if (result)
            return result;
        *v->managed = (void *)(uintptr_t)at;
    }
    return CUDA_SUCCESS;
}

CUresult registry_load(struct registry *r, struct image *image)
{
    CUresult result;

    if (image->module)
        return CUDA_SUCCESS;
    if (image->is_closed)
        return CUDA_ERROR_DEINITIALIZED;
    result = cuModuleLoadData(&image->module, image->fatbin);
    return result ? result : place_managed(r, image);
}

struct entry *runtime_entry(const void *host)
{
    struct registry *r = runtime_registry();

    for (size_t i = r->n_entries; i-- > 0;) {
        struct entry *e = r->entries[i];

        if ((e->host == host || (const void *)e == host) && !e->image->is_closed)
            return e;
    }
    return NULL;
}

const void *runtime_host_of(CUfunction f)
{
    const struct registry *r = runtime_registry();

    for (size_t i = 0; i < r->n_entries; i++)
        if (r->entries[i]->function == f)
            return r->entries[i]->host;
    return f;
}

struct variable *runtime_variable(const void *host)
{
    struct registry *r = runtime_registry();

    for (size_t i = r->n_variables; i-- > 0;) {
        struct variable *v = r->variables[i];
        bool is_it = v->host == host || (v->managed && *v->managed == host);

        if (is_it && !v->image->is_closed)
            return v;
    }
    return NULL;
}

cudaError_t runtime_function(const void *host, CUfunction *f)
{
    struct entry *e = runtime_entry(host);
    CUresult result = CUDA_SUCCESS;

    if (!e) /* or a kernel of a library */
        return cuKernelGetFunction(f, (CUkernel)(uintptr_t)host)
                   ? cudaErrorInvalidDeviceFunction
                   : cudaSuccess;
    if (!e->function) {
        result = registry_load(runtime_registry(), e->image);
        if (!result)
            result = cuModuleGetFunction(&e->function, e->image->module, e->name);
    }
    *f = e->function;
    return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction
                                          : runtime_error(result);
}

cudaError_t runtime_symbol(const void *host, CUdeviceptr *at, size_t *size)
{
    struct variable *v = runtime_variable(host);
    CUresult result;

    if (!v)
        return cudaErrorInvalidSymbol;
    result = registry_load(runtime_registry(), v->image);
    if (!result)
        result = cuModuleGetGlobal(at, size, v->image->module, v->name);
    return result == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol
                                          : runtime_error(result);
}
