/* library.c - cuLibrary*: code that is loaded once and used in any context, and its
 * kernels.
 *
 * All contexts of a device share its address space, so one module serves them all. It
 * belongs to the context in which it was first needed; if that one is destroyed, the next
 * use loads the module again.
 */
#include <stdlib.h>
#include <string.h>

#include "driver/jit.h"

struct library {
    CUlibrary handle;
    struct file image; /* a copy */
    struct jit jit;    /* the options without logs, for loading again */
    CUmodule module;   /* may be stale */
};

static void library_free(struct driver *d, struct library *l)
{
    struct kernel_handle *k;
    uint32_t at = 0;

    while ((k = handle_next(&d->handles, HANDLE_KERNEL, &at))) {
        if (k->library == l) {
            handle_drop(&d->handles, k->handle);
            free(k->name);
            free(k);
        }
    }
    handle_drop(&d->handles, l->handle);
    file_free(&l->image);
    free(l);
}

void library_free_all(struct driver *d)
{
    struct library *l;
    uint32_t at = 0;

    while ((l = handle_next(&d->handles, HANDLE_LIBRARY, &at)))
        library_free(d, l);
}

/* The library's module, loaded if need be. */
static struct module *library_module(struct driver *d, struct library *l, struct jit *j,
                                     CUresult *result)
{
    struct context *c = d->n_stack ? d->stack[d->n_stack - 1] : NULL;
    struct module *m = handle_find(&d->handles, HANDLE_MODULE, l->module);

    *result = CUDA_SUCCESS;
    if (m)
        return m;
    *result = c ? module_load_image(d, c, j, &l->module, "library", l->image)
                : call_fail(d, CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    if (*result)
        return NULL;
    m = handle_find(&d->handles, HANDLE_MODULE, l->module);
    m->is_library = true;
    return m;
}

static struct library *library_begin(struct driver **d, const char *call,
                                     CUlibrary library, struct module **m,
                                     CUresult *result)
{
    struct library *l =
        call_begin_on(d, call, HANDLE_LIBRARY, "library", library, result);

    if (!*result)
        *m = library_module(*d, l, &l->jit, result);
    return l;
}

struct function *library_function(struct driver *d, struct kernel_handle *k,
                                  CUresult *result)
{
    struct module *m = library_module(d, k->library, &k->library->jit, result);
    struct function *f = NULL;

    if (!*result)
        *result = module_function(d, m, k->name, &f);
    return f;
}

/* PTX that does not compile is reported by the first use, as the vendor's driver does. */
static CUresult load_early(struct driver *d, struct library *l, struct jit *j)
{
    CUresult result = CUDA_SUCCESS;

    if (d->n_stack && d->stack[d->n_stack - 1])
        library_module(d, l, j, &result);
    return result == CUDA_ERROR_INVALID_PTX ||
                   result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION
               ? CUDA_SUCCESS
               : result;
}

static CUresult load_library(struct driver *d, CUlibrary *library, struct file image,
                             struct jit *j)
{
    struct library *l = calloc(1, sizeof *l);
    CUresult result = CUDA_SUCCESS;

    if (l)
        l->image = (struct file){ malloc(image.size + 1), image.size };
    if (!l || !l->image.data) {
        free(l);
        return call_memory(d, "a library");
    }
    memcpy(l->image.data, image.data, image.size);
    l->jit = jit_silent(j);
    l->handle = handle_add(&d->handles, HANDLE_LIBRARY, l);
    if (!l->handle)
        result = call_memory(d, "the handle of a library");
    else
        result = load_early(d, l, j);
    *library = l->handle;
    if (result)
        library_free(d, l);
    return result;
}

/* Checks options of a library: they say who owns the image, which is copied here. */
static CUresult check_own_options(struct driver *d, const CUlibraryOption *options,
                                  unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!options || options[i] != CU_LIBRARY_BINARY_IS_PRESERVED)
            return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                             "library option %d is not supported",
                             options ? (int)options[i] : 0);
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options,
                           void **values, unsigned int n, CUlibraryOption *own_options,
                           void **own_values, unsigned int n_own)
{
    struct driver *d;
    struct jit j;
    CUresult result = call_begin_bare(&d, "cuLibraryLoadData");

    (void)own_values;
    jit_init(&j);
    if (result || (result = jit_read_options(d, &j, n, options, values)) ||
        (result = check_own_options(d, own_options, n_own)))
        return result;
    if (!library || !code)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no image, or no place for it");
    return load_library(d, library, module_image_at(code), &j);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path,
                               CUjit_option *options, void **values, unsigned int n,
                               CUlibraryOption *own_options, void **own_values,
                               unsigned int n_own)
{
    struct driver *d;
    struct file image;
    struct jit j;
    CUresult result = call_begin_bare(&d, "cuLibraryLoadFromFile");

    (void)own_values;
    jit_init(&j);
    if (result || (result = jit_read_options(d, &j, n, options, values)) ||
        (result = check_own_options(d, own_options, n_own)) ||
        (result = call_check_place(d, library)) ||
        (result = module_read_file(d, path, &image)))
        return result;
    result = load_library(d, library, image, &j);
    file_free(&image);
    return result;
}

CUresult cuLibraryUnload(CUlibrary library)
{
    struct driver *d;
    struct module *m;
    CUresult result;
    struct library *l = call_begin_on(&d, "cuLibraryUnload", HANDLE_LIBRARY, "library",
                                      library, &result);

    if (result)
        return result;
    m = handle_find(&d->handles, HANDLE_MODULE, l->module);
    if (m)
        module_destroy(d, m);
    library_free(d, l);
    return CUDA_SUCCESS;
}

/* The handle of a kernel: always the same for the same kernel. */
static CUresult open_kernel(struct driver *d, struct library *l, const char *name,
                            CUkernel *kernel)
{
    struct kernel_handle *k;
    uint32_t at = 0;

    while ((k = handle_next(&d->handles, HANDLE_KERNEL, &at)))
        if (k->library == l && !strcmp(k->name, name)) {
            *kernel = k->handle;
            return CUDA_SUCCESS;
        }
    k = calloc(1, sizeof *k);
    if (k)
        *k = (struct kernel_handle){ .library = l, .name = strdup(name) };
    if (k && k->name)
        k->handle = handle_add(&d->handles, HANDLE_KERNEL, k);
    if (!k || !k->handle) {
        free(k ? k->name : NULL);
        free(k);
        return call_memory(d, "the handle of a kernel");
    }
    *kernel = k->handle;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    struct driver *d;
    struct module *m;
    CUresult result;
    struct library *l = library_begin(&d, "cuLibraryGetKernel", library, &m, &result);

    if (result)
        return result;
    if (!kernel || !name)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no name, or no place");
    if (!sass_module_kernel(&m->sass, name))
        return call_fail(d, CUDA_ERROR_NOT_FOUND, "the library has no kernel %s", name);
    return open_kernel(d, l, name, kernel);
}

CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary library)
{
    struct driver *d;
    struct module *m;
    CUresult result;

    library_begin(&d, "cuLibraryGetKernelCount", library, &m, &result);
    if (result || (result = call_check_place(d, count)))
        return result;
    *count = m->sass.n_kernels;
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int n, CUlibrary library)
{
    struct driver *d;
    struct module *m;
    CUresult result;
    struct library *l =
        library_begin(&d, "cuLibraryEnumerateKernels", library, &m, &result);

    if (result || (result = call_check_place(d, kernels)))
        return result;
    for (uint32_t i = 0; i < n && i < m->sass.n_kernels && !result; i++)
        result = open_kernel(d, l, m->sass.kernels[i].info->name, &kernels[i]);
    return result;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    struct driver *d;
    struct module *m;
    CUresult result;

    library_begin(&d, "cuLibraryGetModule", library, &m, &result);
    if (result || (result = call_check_place(d, module)))
        return result;
    *module = m->handle;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *at, size_t *bytes, CUlibrary library,
                            const char *name)
{
    struct driver *d;
    struct module *m;
    CUresult result;

    library_begin(&d, "cuLibraryGetGlobal", library, &m, &result);
    return result ? result : module_variable(d, m, name, at, bytes);
}

static struct kernel_handle *kernel_begin(struct driver **d, const char *call,
                                          CUkernel kernel, CUresult *result)
{
    return call_begin_on(d, call, HANDLE_KERNEL, "kernel", kernel, result);
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    struct driver *d;
    struct function *f;
    CUresult result;
    struct kernel_handle *k = kernel_begin(&d, "cuKernelGetFunction", kernel, &result);

    if (result || (result = call_check_place(d, function)))
        return result;
    f = library_function(d, k, &result);
    if (!result)
        *function = f->handle;
    return result;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    struct driver *d;
    CUresult result;
    struct kernel_handle *k = kernel_begin(&d, "cuKernelGetLibrary", kernel, &result);

    if (result || (result = call_check_place(d, library)))
        return result;
    *library = k->library->handle;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    struct driver *d;
    CUresult result;
    struct kernel_handle *k = kernel_begin(&d, "cuKernelGetName", kernel, &result);

    if (result || (result = call_check_place(d, name)))
        return result;
    *name = k->name;
    return CUDA_SUCCESS;
}

/* Calls on functions that take kernels as well; there is one device. */
static CUresult check_device_of(CUdevice dev)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuKernel...");

    return result ? result : call_check_device(d, dev);
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute,
                              CUkernel kernel, CUdevice dev)
{
    CUresult result = check_device_of(dev);

    return result ? result : cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                              CUkernel kernel, CUdevice dev)
{
    CUresult result = check_device_of(dev);

    return result ? result : cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev)
{
    CUresult result = check_device_of(dev);

    return result ? result : cuFuncSetCacheConfig((CUfunction)kernel, config);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                              size_t *size)
{
    return cuFuncGetParamInfo((CUfunction)kernel, index, offset, size);
}
