/* module.c - modules from cubins, and their functions and variables.
 *
 * From a fat binary, the cubin that suits the device is taken. PTX is recognised and
 * refused by name. A __constant__ variable lives in a constant bank, which has no
 * device address; the first request for one makes a copy of the bank in device memory,
 * and every launch takes over what was written there.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/internal.h"
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

/* Refuses kinds of images that are recognised but not supported. */
static CUresult check_kind(struct driver *d, const void *image, size_t size)
{
    const char *text = image;

    if (size >= 2 && (!strncmp(text, "//", 2) || text[0] == '.' || text[0] == '\n'))
        return call_fail(d, CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                         "PTX; expected a cubin (ptxas compiles it)");
    if (size < sizeof(Elf64_Ehdr) || memcmp(image, ELFMAG, SELFMAG))
        return call_fail(d, CUDA_ERROR_INVALID_IMAGE, "not an ELF file");
    return CUDA_SUCCESS;
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

/* The cubin in a fat binary that runs on the device. */
static CUresult load_fat(struct driver *d, struct context *c, CUmodule *out,
                         const char *name, struct file image)
{
    struct file cubin;
    struct err err;
    CUresult result;

    if (fatbin_pick(image.data, image.size, d->device->sm, &cubin, &err))
        return call_fail(d,
                         err.code == ERR_UNSUPPORTED ? CUDA_ERROR_NO_BINARY_FOR_GPU
                                                     : CUDA_ERROR_INVALID_IMAGE,
                         "%s: %s", name, err.text);
    result = check_kind(d, cubin.data, cubin.size);
    if (!result)
        result = module_load(d, c, out, name, cubin);
    file_free(&cubin);
    return result;
}

static CUresult load_checked(const char *call, CUmodule *module, const char *name,
                             struct file image)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, call);

    if (result)
        return result;
    if (!module || !image.data)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no image, or no place for it");
    if (is_fat(image))
        return load_fat(d, c, module, name, image);
    result = check_kind(d, image.data, image.size);
    return result ? result : module_load(d, c, module, name, image);
}

CUresult driver_module_load(CUmodule *module, const char *name, const void *image,
                            size_t size)
{
    return load_checked("cuModuleLoadData", module, name,
                        (struct file){ (uint8_t *)(uintptr_t)image, size });
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    struct driver *d;
    struct context *c;
    struct file image;
    struct err err;
    CUresult result = call_begin(&d, &c, "cuModuleLoad");

    if (result)
        return result;
    if (!path)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no file name");
    if (file_read(path, MAX_FILE, &image, &err))
        return call_fail(d, CUDA_ERROR_FILE_NOT_FOUND, "%s", err.text);
    result = load_checked("cuModuleLoad", module, path, image);
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
        return 4; /* enough to tell what it is instead */
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

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    const void *fat = image ? fatbin_of(image) : NULL;

    if (fat)
        image = fat; /* a wrapper is skipped */
    return driver_module_load(module, "image", image, image ? image_size(image) : 0);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n,
                            CUjit_option *options, void **values)
{
    (void)n; /* all options are the PTX compiler's */
    (void)options;
    (void)values;
    return cuModuleLoadData(module, image);
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

    if (!result)
        module_destroy(d, m);
    return result;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    struct driver *d;
    struct function *f;
    const struct sass_kernel *k;
    CUresult result;
    struct module *m = call_begin_on(&d, "cuModuleGetFunction", HANDLE_MODULE, "module",
                                     module, &result);

    if (result)
        return result;
    if (!function || !name)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no name, or no place");
    k = sass_module_kernel(&m->sass, name);
    if (!k)
        return call_fail(d, CUDA_ERROR_NOT_FOUND, "the module has no kernel %s", name);
    f = &m->functions[k - m->sass.kernels];
    if (!f->handle) {
        uint32_t used;

        *f = (struct function){ .module = m, .kernel = k, .carveout = -1 };
        f->handle = handle_add(&d->handles, HANDLE_FUNCTION, f);
        if (!f->handle)
            return call_memory(d, "the handle of a kernel");
        used = function_static_shared(d, f);
        f->max_dynamic = used < 48 * 1024 ? 48 * 1024 - used : 0;
    }
    *function = f->handle;
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

CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule module,
                           const char *name)
{
    struct driver *d;
    const struct sass_variable *v;
    CUresult result;
    struct module *m = call_begin_on(&d, "cuModuleGetGlobal", HANDLE_MODULE, "module",
                                     module, &result);

    if (result)
        return result;
    v = name ? sass_module_variable(&m->sass, name) : NULL;
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
