/* driver.h - a simulated GPU and the state that the calls of cuda.h act on.
 *
 * A program makes a driver, makes it current for its thread, and then uses the cu*
 * calls. Any number of drivers may exist; each has one device of its own. Kernels are
 * executed by a hook, so that a timing model can replace the functional executor.
 */
#ifndef LENO_DRIVER_DRIVER_H
#define LENO_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "driver/cuda.h"
#include "frontend/sass/arch.h"
#include "frontend/sass/math/mma.h"

struct shadow;
struct driver;
struct device;
struct sass_launch;

/* The cost of a launch. */
struct driver_cost {
    uint64_t warp_insts, thread_insts, blocks;
    uint64_t nanoseconds; /* of the device's clock, which events read */
};

struct driver_config {
    enum sass_arch arch;
    uint64_t memory_bytes;       /* 0 = as much as the device has */
    uint32_t n_sms;              /* 0 = as many as the device has */
    const struct device *device; /* NULL: the architecture's own; must outlive it */

    /* How tensor products of floating point round; group 0 = as the architecture is
     * believed to (docs/decisions/005-tensor-rounding.md). */
    struct mma_rounding tensor;

    /* Executes a kernel; returns 0, or -1 with err set. NULL: the functional
     * executor, for which a warp instruction counts one nanosecond. */
    int (*launch)(void *to, const struct sass_launch *launch, struct driver_cost *cost,
                  struct err *err);
    void *launch_to;

    /* Memory is mapped in pages, as a GPU's is: accesses next to an allocation are
     * warned of, once per kernel, instead of failing. */
    bool is_paged;
    /* Allocations end with their last byte; else they are rounded up to 256 bytes. */
    bool is_exact;
    /* Told of allocations and of what the host writes (base/shadow.h); NULL: nobody is.
     * Memory is neither paged nor exact then. */
    struct shadow *shadow;
    void (*warn)(void *to, const char *text); /* takes a line; NULL: it is dropped */
    void *warn_to;

    /* Takes what kernels print. NULL: it is dropped. */
    void (*print)(void *to, const char *text, size_t n);
    void *print_to;
};

struct driver_totals {
    uint64_t launches;
    struct driver_cost cost; /* of all launches together */
};

struct driver *driver_new(const struct driver_config *config, struct err *err);
void driver_free(struct driver *d); /* also when it is some thread's current one */

/* The driver that the calling thread's cu* calls use; NULL for none. */
void driver_make_current(struct driver *d);
struct driver *driver_current(void);

/* The message of the last call that failed; code ERR_NONE if none did. */
const struct err *driver_last_error(const struct driver *d);
/* Whether a kernel has failed since the last time this was asked. */
bool driver_take_failure(struct driver *d);
const struct driver_totals *driver_totals(const struct driver *d);

/* How functions of the program that streams and graphs hold are called; by default
 * directly. Who holds a lock releases it meanwhile: the function may wait for another
 * thread. */
void driver_on_host_call(struct driver *d, void (*call)(CUhostFn f, void *data));

/* As cuModuleLoadData, with the size known and a name for messages. */
CUresult driver_module_load(CUmodule *module, const char *name, const void *image,
                            size_t size);

/* The functional executor as a launch hook; to is not used. */
int driver_run_functional(void *to, const struct sass_launch *launch,
                          struct driver_cost *cost, struct err *err);

#endif
