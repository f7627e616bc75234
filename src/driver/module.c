/* module.c - modules from cubins, and their functions and variables.
 *
 * From a fat binary, the cubin that suits the device is taken, or else PTX, which ptxas
 * compiles (jit.h). A __constant__ variable lives in a constant bank, which has no
 * device address; the first request for one makes a copy of the bank in device memory,
 * and every launch takes over what was written there.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/jit.h"
#include "frontend/sass/load/fatbin.h"

#define MAX_FILE ((size_t)1 << 30)

void module_destroy(struct driver *d, struct module *m)
{
    if (m->constants && m->constants != m->sass.constants)
        memory_release(d, m->constants);
    for (uint32_t i = 0; m->functions && i < m->sass.n_kernels; i++) {
        if (m->functions[i].handle)
            handle_drop(&d->handles, m->functions[i].handle);
    }
    handle_drop(&d->handles, m->handle);
    sass_module_free(&m->sass);
    free(m->functions);
    free(m);
}

static bool is_fat(struct file image)
{
    static const uint32_t magic = FATBIN_MAGIC;

    return image.size >= FATBIN_HEADER && !memcmp(image.data, &magic, sizeof magic);
}

static bool is_elf(struct file image)
{
    return image.size >= sizeof(Elf64_Ehdr) && !memcmp(image.data, ELFMAG, SELFMAG);
}

/* Code for x.y runs on devices x.z with z >= y. */
static bool runs_on(const struct driver *d, unsigned sm)
{
    return sm / 10 == d->device->sm / 10 && sm % 10 <= d->device->sm % 10;
}

static CUresult module_load(struct driver *d, struct context *c, CUmodule *out,
                            const char *name, struct file image)
{
    struct module *m = calloc(1, sizeof *m);
    struct err err;

    if (!m)
        return call_memory(d, "a module");
    if (sass_module_load(&m->sass, &d->space, d->next_code,
                         &(struct sass_image){ name, image.data, image.size }, &err)) {
        free(m);
        return call_fail_as(d,
                            err.code == ERR_LIMIT || err.code == ERR_MEMORY
                                ? CUDA_ERROR_OUT_OF_MEMORY
                                : CUDA_ERROR_INVALID_IMAGE,
                            &err);
    }
    m->context = c;
    m->constants = m->sass.constants;
    if (!runs_on(d, m->sass.cubin.sm)) {
        CUresult result = call_fail(d, CUDA_ERROR_NO_BINARY_FOR_GPU,
                                    "%s is for sm_%u, the device is sm_%u", name,
                                    m->sass.cubin.sm, d->device->sm);

        module_destroy(d, m);
        return result;
    }
    m->functions =
        calloc(m->sass.n_kernels ? m->sass.n_kernels : 1, sizeof *m->functions);
    if (m->functions)
        m->handle = handle_add(&d->handles, HANDLE_MODULE, m);
    if (!m->handle) {
        module_destroy(d, m);
        return call_memory(d, "the handle of a module");
    }
    d->next_code += (m->sass.n_code * 16 + 0xffff) & ~(uint64_t)0xffff;
    *out = m->handle;
    return CUDA_SUCCESS;
}

/* The machine code of an image: itself, or *made, which the caller frees. */
static CUresult take_code(struct driver *d, struct jit *j, const char *name,
                          struct file image, struct file *made, struct file *code)
{
    CUresult result = CUDA_SUCCESS;

    if (is_fat(image))
        result = jit_take_fat(d, j, name, image, false, made);
    else if (!is_elf(image) && jit_is_text(image))
        result = jit_compile(d, j, image, false, made);
    *code = made->data ? *made : image;
    return result || is_elf(*code) ? result : jit_not_recognised(d, j);
}

CUresult module_load_image(struct driver *d, struct context *c, struct jit *j,
                           CUmodule *module, const char *name, struct file image)
{
    struct file made = { 0 }, code;
    CUresult result;

    if (!module || !image.data)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no image, or no place for it");
    result = take_code(d, j, name, image, &made, &code);
    if (!result && j->target && j->target != d->device->sm)
        result = call_fail(d, CUDA_ERROR_INVALID_SOURCE,
                           "the options ask for sm_%u, the device is sm_%u", j->target,
                           d->device->sm);
    if (!result)
        result = module_load(d, c, module, name, code);
    file_free(&made);
    jit_finish(j);
    return result;
}

CUresult driver_module_load(CUmodule *module, const char *name, const void *image,
                            size_t size)
{
    struct driver *d;
    struct context *c;
    struct jit j;
    CUresult result = call_begin(&d, &c, "cuModuleLoadData");

    jit_init(&j);
    return result
               ? result
               : module_load_image(d, c, &j, module, name,
                                   (struct file){ (uint8_t *)(uintptr_t)image, size });
}

CUresult module_read_file(struct driver *d, const char *path, struct file *image)
{
    struct err err;

    if (!path)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no file name");
    if (file_read(path, MAX_FILE, image, &err))
        return call_fail(d, CUDA_ERROR_FILE_NOT_FOUND, "%s", err.text);
    return CUDA_SUCCESS;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    struct driver *d;
    struct context *c;
    struct file image;
    struct jit j;
    CUresult result = call_begin(&d, &c, "cuModuleLoad");

    if (result || (result = module_read_file(d, path, &image)))
        return result;
    jit_init(&j);
    result = module_load_image(d, c, &j, module, path, image);
    file_free(&image);
    return result;
}

/* The call does not say how long the image is; its own tables do. The caller vouches
 * for them, as with the vendor's driver. */
static size_t image_size(const uint8_t *image)
{
    Elf64_Ehdr head;
    Elf64_Shdr section;
    uint64_t end, at;

    if (fatbin_of(image))
        return fatbin_size(image);
    if (strncmp((const char *)image, ELFMAG, SELFMAG))
        return strlen((const char *)image);
    memcpy(&head, image, sizeof head);
    end = head.e_phoff + (uint64_t)head.e_phnum * head.e_phentsize;
    at = head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize;
    end = at > end ? at : end;
    if (head.e_shentsize != sizeof section)
        return end;
    for (unsigned i = 0; i < head.e_shnum; i++) {
        memcpy(&section, image + head.e_shoff + i * sizeof section, sizeof section);
        at = section.sh_offset + section.sh_size;
        if (section.sh_type != SHT_NOBITS && at > end)
            end = at;
    }
    return end;
}

struct file module_image_at(const void *image)
{
    const void *fat = image ? fatbin_of(image) : NULL;

    if (fat)
        image = fat; /* a wrapper is skipped */
    return (struct file){ (uint8_t *)(uintptr_t)image, image ? image_size(image) : 0 };
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    struct file file = module_image_at(image);

    return driver_module_load(module, "image", file.data, file.size);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n,
                            CUjit_option *options, void **values)
{
    struct driver *d;
    struct context *c;
    struct jit j;
    CUresult result = call_begin(&d, &c, "cuModuleLoadDataEx");

    jit_init(&j);
    if (result || (result = jit_read_options(d, &j, n, options, values)))
        return result;
    return module_load_image(d, c, &j, module, "image", module_image_at(image));
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module)
{
    struct driver *d;
    CUresult result;
    struct module *m =
        call_begin_on(&d, "cuModuleUnload", HANDLE_MODULE, "module", module, &result);

    if (result)
        return result;
    if (m->is_library)
        return call_fail(d, CUDA_ERROR_NOT_PERMITTED, "the module is a library's");
    module_destroy(d, m);
    return CUDA_SUCCESS;
}

/* The function of a kernel, with its handle. */
static CUresult open_function(struct driver *d, struct module *m,
                              const struct sass_kernel *k, struct function **out)
{
    struct function *f = &m->functions[k - m->sass.kernels];
    uint32_t used;

    *out = f;
    if (f->handle)
        return CUDA_SUCCESS;
    *f = (struct function){ .module = m, .kernel = k, .carveout = -1 };
    f->handle = handle_add(&d->handles, HANDLE_FUNCTION, f);
    if (!f->handle)
        return call_memory(d, "the handle of a kernel");
    used = function_static_shared(d, f);
    f->max_dynamic = used < 48 * 1024 ? 48 * 1024 - used : 0;
    return CUDA_SUCCESS;
}

CUresult module_function(struct driver *d, struct module *m, const char *name,
                         struct function **f)
{
    const struct sass_kernel *k = sass_module_kernel(&m->sass, name);

    if (!k)
        return call_fail(d, CUDA_ERROR_NOT_FOUND, "the module has no kernel %s", name);
    return open_function(d, m, k, f);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    struct driver *d;
    struct function *f;
    CUresult result;
    struct module *m = call_begin_on(&d, "cuModuleGetFunction", HANDLE_MODULE, "module",
                                     module, &result);

    if (result)
        return result;
    if (!function || !name)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no name, or no place");
    result = module_function(d, m, name, &f);
    if (!result)
        *function = f->handle;
    return result;
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule module)
{
    struct driver *d;
    CUresult result;
    struct module *m = call_begin_on(&d, "cuModuleGetFunctionCount", HANDLE_MODULE,
                                     "module", module, &result);

    if (result || (result = call_check_place(d, count)))
        return result;
    *count = m->sass.n_kernels;
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int n,
                                    CUmodule module)
{
    struct driver *d;
    struct function *f;
    CUresult result;
    struct module *m = call_begin_on(&d, "cuModuleEnumerateFunctions", HANDLE_MODULE,
                                     "module", module, &result);

    if (result || (result = call_check_place(d, functions)))
        return result;
    for (uint32_t i = 0; i < n && i < m->sass.n_kernels; i++) {
        if ((result = open_function(d, m, &m->sass.kernels[i], &f)))
            return result;
        functions[i] = f->handle;
    }
    return CUDA_SUCCESS;
}

static CUresult constant_copy(struct driver *d, struct module *m)
{
    CUresult result;

    if (m->constants)
        return CUDA_SUCCESS;
    result =
        memory_alloc(d, m->context, MEMORY_DEVICE, m->sass.bank3.size, &m->constants);
    if (!result)
        memcpy(d->space.bytes + (m->constants - d->space.base), m->sass.bank3.data,
               m->sass.bank3.size);
    return result;
}

void module_refresh_constants(struct driver *d, struct module *m)
{
    if (m->constants)
        memcpy(m->sass.bank3.data, d->space.bytes + (m->constants - d->space.base),
               m->sass.bank3.size);
}

CUresult module_variable(struct driver *d, struct module *m, const char *name,
                         CUdeviceptr *at, size_t *bytes)
{
    const struct sass_variable *v = name ? sass_module_variable(&m->sass, name) : NULL;
    CUresult result;

    if (!v)
        return call_fail(d, CUDA_ERROR_NOT_FOUND, "the module has no variable %s",
                         name ? name : "without a name");
    if (v->is_constant && (result = constant_copy(d, m)))
        return result;
    if (at)
        *at = v->addr + (v->is_constant ? m->constants : 0);
    if (bytes)
        *bytes = v->size;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule module,
                           const char *name)
{
    struct driver *d;
    CUresult result;
    struct module *m = call_begin_on(&d, "cuModuleGetGlobal", HANDLE_MODULE, "module",
                                     module, &result);

    return result ? result : module_variable(d, m, name, at, bytes);
}
