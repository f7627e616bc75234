/* driver.c - a simulated GPU: made, freed, and the first steps of every call.
 *
 * Device memory is placed so that a device address equals the host's address of the
 * same byte where the host allows it; managed and page-locked host memory are then
 * plain allocations. The first driver of a process always gets the same addresses.
 */
#include "driver/driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "driver/internal.h"
#include "driver/jit.h"

/* Above what programs and sanitizers occupy, below where the host maps libraries. */
#define MEMORY_BASE 0x200000000000ull
#define MEMORY_STEP 0x010000000000ull
#ifdef __SANITIZE_THREAD__ /* which has these addresses for itself */
#define MEMORY_TRIES 0
#else
#define MEMORY_TRIES 64
#endif
#define MEMORY_UNIT 0x10000ull

/* Moves the reserved range to one of the fixed places. A mapping that is already
 * there makes the first mmap fail, so that nothing is ever overwritten. */
static bool place_memory(struct space *s)
{
    for (uint64_t i = 0; i != MEMORY_TRIES; i++) {
        void *want = (void *)(uintptr_t)(MEMORY_BASE + i * MEMORY_STEP);
        void *got = mmap(
            want, s->size, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

        if (got == MAP_FAILED)
            continue;
        if (got == want && mremap(s->bytes, s->size, s->size,
                                  MREMAP_MAYMOVE | MREMAP_FIXED, want) == want) {
            s->bytes = want;
            s->base = (uint64_t)(uintptr_t)want;
            return true;
        }
        munmap(got, s->size);
    }
    return false;
}

struct driver *driver_new(const struct driver_config *config, struct err *err)
{
    struct driver *d;
    const struct device *device;
    uint64_t bytes;

    if ((unsigned)config->arch >= N_SASS_ARCH) {
        err_set(err, "architecture %d is not known", (int)config->arch);
        return NULL;
    }
    device = config->device ? config->device : device_of(config->arch);
    bytes = config->memory_bytes ? config->memory_bytes : device->memory_bytes;
    if (bytes > MEMORY_STEP || bytes % MEMORY_UNIT) {
        err_set(err,
                "device memory of %llu bytes: expected a multiple of 64 KB, at most "
                "1 TB",
                (unsigned long long)bytes);
        return NULL;
    }
    d = calloc(1, sizeof *d);
    if (!d) {
        err_memory(err, "a driver");
        return NULL;
    }
    if (space_init(&d->space, MEMORY_BASE, bytes, err)) {
        free(d);
        return NULL;
    }
    d->space.is_paged = config->is_paged && !config->shadow;
    d->space.is_exact = config->is_exact && !config->shadow;
    d->space.shadow = config->shadow;
    d->config = *config;
    d->device = device;
    d->n_sms = config->n_sms ? config->n_sms : d->device->n_sms;
    d->is_identity = place_memory(&d->space);
    d->handles.mark = (uint32_t)((uintptr_t)d >> 4);
    d->next_code = SASS_CODE_BASE;
    d->call = "";
    return d;
}

void driver_free(struct driver *d)
{
    struct context *c;
    uint32_t at = 0;

    if (!d)
        return;
    while ((c = handle_next(&d->handles, HANDLE_CONTEXT, &at)))
        context_destroy(d, c);
    pool_free_all(d);
    mapping_free_all(d);
    link_free_all(d);
    library_free_all(d);
    jit_kept_free(d->jit_kept);
    handle_free_all(&d->handles);
    free(d->allocations);
    free(d->textures);
    free(d->texture_objects);
    free(d->modes);
    space_free_all(&d->space);
    if (driver_current() == d)
        driver_make_current(NULL);
    free(d);
}

const struct err *driver_last_error(const struct driver *d)
{
    return &d->last;
}

bool driver_take_failure(struct driver *d)
{
    bool has_failed = d->has_new_failure;

    d->has_new_failure = false;
    return has_failed;
}

const struct driver_totals *driver_totals(const struct driver *d)
{
    return &d->totals;
}

void driver_on_host_call(struct driver *d, void (*call)(CUhostFn f, void *data))
{
    d->call_host = call;
}

void driver_call_host(struct driver *d, CUhostFn f, void *data)
{
    const char *call = d->call;

    if (d->call_host)
        d->call_host(f, data);
    else
        f(data);
    d->call = call;
}

CUresult call_fail(struct driver *d, CUresult code, const char *format, ...)
{
    char text[sizeof d->last.text];
    const char *name = "";
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cuGetErrorName(code, &name);
    err_set(&d->last, "%s: %.900s (%s)", d->call, text, name);
    if (code == CUDA_ERROR_NOT_SUPPORTED)
        d->last.code = ERR_UNSUPPORTED;
    return code;
}

CUresult call_decline(struct driver *d, const char *why)
{
    CUresult result = call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "%s", why);

    d->last.code = ERR_INPUT;
    return result;
}

CUresult call_fail_as(struct driver *d, CUresult code, const struct err *err)
{
    call_fail(d, code, "%s", err->text);
    if (err->code == ERR_MEMORY || err->code == ERR_LIMIT)
        d->last.code = err->code;
    return code;
}

CUresult call_memory(struct driver *d, const char *what)
{
    struct err err;

    err_memory(&err, "%s", what);
    return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
}

CUresult call_begin_bare(struct driver **d, const char *call)
{
    *d = driver_current();
    if (!*d)
        return CUDA_ERROR_NOT_INITIALIZED;
    (*d)->call = call;
    if (!(*d)->is_initialised)
        return call_fail(*d, CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
    return CUDA_SUCCESS;
}

CUresult call_begin(struct driver **d, struct context **c, const char *call)
{
    CUresult result = call_begin_bare(d, call);

    if (result)
        return result;
    *c = (*d)->n_stack ? (*d)->stack[(*d)->n_stack - 1] : NULL;
    if (!*c)
        return call_fail(*d, CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    /* The message of the first failure is more useful than a repetition. */
    return (*c)->sticky;
}

CUresult call_bad_handle(struct driver *d, const char *what, const void *handle)
{
    return call_fail(d, CUDA_ERROR_INVALID_HANDLE, "%p is not a live %s", handle, what);
}

void *call_begin_on(struct driver **d, const char *call, enum handle_kind kind,
                    const char *what, const void *handle, CUresult *result)
{
    struct context *c;
    void *object;

    *result = call_begin(d, &c, call);
    if (*result)
        return NULL;
    object = handle_find(&(*d)->handles, kind, handle);
    if (!object)
        *result = call_bad_handle(*d, what, handle);
    return object;
}

CUresult call_check_place(struct driver *d, const void *place)
{
    if (place)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "no place for the answer");
}

CUresult call_check_stream(struct driver *d, CUstream stream)
{
    if (!stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD ||
        handle_find(&d->handles, HANDLE_STREAM, stream))
        return CUDA_SUCCESS;
    return call_bad_handle(d, "stream", stream);
}

CUresult call_check_device(struct driver *d, CUdevice dev)
{
    if (!dev)
        return CUDA_SUCCESS;
    return call_fail(d, CUDA_ERROR_INVALID_DEVICE, "device %d: there is only 0", dev);
}
