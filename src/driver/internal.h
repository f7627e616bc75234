/* internal.h - the driver's own state, seen only inside driver/.
 *
 * Every call begins with call_begin(), which finds the thread's driver and its current
 * context and reports an error that stayed with that context; calls that need no
 * context begin with call_begin_bare(). A call that fails returns call_fail(), which
 * keeps the message for driver_last_error().
 */
#ifndef LENO_DRIVER_INTERNAL_H
#define LENO_DRIVER_INTERNAL_H

#include <stdbool.h>

#include "base/file.h"
#include "base/shadow.h"
#include "base/space.h"
#include "driver/cuda.h"
#include "driver/device.h"
#include "driver/driver.h"
#include "driver/handle.h"
#include "driver/objects.h"
#include "driver/operation.h"
#include "frontend/sass/exec/exec.h"
#include "frontend/sass/exec/texture.h"
#include "frontend/sass/load/module.h"

enum { CONTEXT_STACK = 32 };

struct driver {
    struct driver_config config;
    const struct device *device;
    uint32_t n_sms;
    struct space space;
    bool is_identity; /* a device address is the host's address of the same byte */
    bool is_initialised;
    struct handles handles;
    struct context *stack[CONTEXT_STACK]; /* an entry may be NULL: no context */
    uint32_t n_stack;
    struct context *primary;
    uint32_t primary_refs;
    unsigned primary_flags;
    struct allocation *allocations; /* by address */
    size_t n_allocations, cap_allocations;
    struct pool *default_pool, *current_pool; /* NULL: not made yet; the default */
    struct mapping *mappings;
    size_t n_mappings, cap_mappings;
    struct texture *textures;               /* what kernels see; place 0 stays empty */
    struct texture_object *texture_objects; /* beside them */
    uint32_t n_textures, cap_textures;
    uint64_t clock;            /* nanoseconds of device time so far */
    uint64_t next_code;        /* code addresses are never used twice */
    struct jit_kept *jit_kept; /* compiled PTX */
    struct driver_totals totals;
    struct capture *captures;  /* that have begun and not ended */
    uint64_t n_captures;       /* begun so far */
    struct thread_mode *modes; /* of threads that do not have the default */
    uint32_t n_modes;
    struct graph_memory *graph_memory; /* of allocation nodes */
    uint64_t graph_mapped;  /* bytes that launched graphs keep until they are trimmed */
    uint64_t graph_high[2]; /* the most of it used, and reserved */
    void (*call_host)(CUhostFn f, void *data); /* NULL: f is called directly */
    const char *call;                          /* the current call, for messages */
    bool has_new_failure;                      /* of a kernel, not asked for yet */
    struct err last;
};

CUresult call_begin_bare(struct driver **d, const char *call);
CUresult call_begin(struct driver **d, struct context **c, const char *call);
CUresult call_fail(struct driver *d, CUresult code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* CUDA_ERROR_NOT_SUPPORTED for what a GPU's driver does not support either. */
CUresult call_decline(struct driver *d, const char *why);
/* With the message of an error; CUDA_ERROR_OUT_OF_MEMORY where the host is out of
 * memory. */
CUresult call_fail_as(struct driver *d, CUresult code, const struct err *err);
/* CUDA_ERROR_OUT_OF_MEMORY: the host has none left for what. */
CUresult call_memory(struct driver *d, const char *what);
CUresult call_bad_handle(struct driver *d, const char *what, const void *handle);
/* Begins a call on an object, which its handle names; NULL with the result set if there is
 * no such object. what: its kind, in messages. */
void *call_begin_on(struct driver **d, const char *call, enum handle_kind kind,
                    const char *what, const void *handle, CUresult *result);

/* Checks a stream argument: NULL and the reserved streams are good. */
CUresult call_check_stream(struct driver *d, CUstream stream);
CUresult call_check_device(struct driver *d, CUdevice dev);
/* Checks that the caller gave a place for the answer. */
CUresult call_check_place(struct driver *d, const void *place);

void module_destroy(struct driver *d, struct module *m);
/* Copies what the host wrote to constants into the module. */
void module_refresh_constants(struct driver *d, struct module *m);
/* Calls a function of the program, which may call the driver. */
void driver_call_host(struct driver *d, CUhostFn f, void *data);
/* The stream of a handle that call_check_stream() accepted. */
struct driver_stream *stream_of(struct driver *d, struct context *c, CUstream stream);
void stream_init(struct driver_stream *s, struct context *c, unsigned flags,
                 int priority);
int stream_clamp_priority(int priority);
void stream_free(struct driver *d, struct driver_stream *s);
void event_free(struct driver *d, struct driver_event *e);
/* Shared memory that a launch needs beside the system's share and dynamic memory. */
uint32_t function_static_shared(const struct driver *d, const struct function *f);
/* The common beginning of calls with a function. */
CUresult function_begin(struct driver **d, struct function **f, const char *call,
                        CUfunction function);

CUresult memory_alloc(struct driver *d, struct context *c, enum memory_kind kind,
                      uint64_t bytes, uint64_t *addr);
void memory_release(struct driver *d, uint64_t addr); /* the start of an allocation */
CUresult memory_free_device(struct driver *d,
                            uint64_t addr); /* of device or managed memory */
/* The allocation, variables of a module, or mapping that holds addr. */
bool memory_range(const struct driver *d, uint64_t addr, uint64_t *start,
                  uint64_t *size);
/* The host has written device memory: bytes at a host pointer, which may be elsewhere. */
void memory_note_write(struct driver *d, const void *at, uint64_t bytes);
struct allocation *memory_find(struct driver *d, uint64_t addr);
void memory_free_context(struct driver *d, const struct context *c);

/* An allocation of so many bytes from the pool is no more. */
void pool_note_free(struct driver *d, struct pool *p, uint64_t bytes);
void pool_free_all(struct driver *d);

const struct mapping *mapping_find(const struct driver *d, uint64_t addr);
CUresult mapping_add(struct driver *d, const struct mapping *m);
void mapping_remove(struct driver *d, const struct mapping *m);
struct physical *physical_find(struct driver *d, CUmemGenericAllocationHandle memory,
                               CUresult *result);
/* A handle of memory, which drops the memory's file if it fails. */
CUresult physical_give(struct driver *d, const struct physical *p,
                       CUmemGenericAllocationHandle *memory);
/* Gives a handle back; the memory goes with its last handle and its last mapping. */
void physical_release(struct driver *d, struct physical *p);
/* The common beginning of calls on a pool; NULL with *result set if it fails. */
struct pool *pool_begin(struct driver **d, const char *call, CUmemoryPool handle,
                        CUresult *result);
/* A pool of another process, by the file of its allocations, which is the pool's then. */
CUresult pool_import(struct driver *d, int file, CUmemoryPool *pool);
/* Closes memory of another process that is open at this address; false: none is. */
bool share_close(struct driver *d, uint64_t addr);
void mapping_free_all(struct driver *d);

/* One end of a copy; SIDE_EITHER: of the device if it lies in its space. */
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_EITHER };

struct place {
    enum side side;
    uint64_t addr; /* a host pointer for SIDE_HOST */
};

struct place place_host(const void *p);
/* The bytes there, NULL with the result set if they are not all allocated. */
void *place_bytes(struct driver *d, const char *what, struct place p, uint64_t bytes,
                  CUresult *result);

/* Format of a channel; false if it is not one that exists here. */
bool array_format(CUarray_format format, unsigned n_channels, struct texture_image *m);
/* Checks the description and fills in the image, all but its place. */
CUresult array_fill_image(struct driver *d, struct array *a);
void array_destroy(struct driver *d, struct array *a);
void mipmap_destroy(struct driver *d, struct mipmap *m);
void texture_free_context(struct driver *d, const struct context *c);

/* Frees everything that belongs to a context, and the context. */
void context_destroy(struct driver *d, struct context *c);

#endif
