/* fuzz_launch.c - libFuzzer: any bytes as a cubin of a program that launches each of its
 * kernels through the driver, with as many bytes for each parameter as the driver says it
 * has. The kernels are not executed (fuzz_exec does that).
 */
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "frontend/sass/exec/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_PARAMS = 256, MAX_KERNELS = 16 };

/* As far as a block with its registers and parameters. */
static int launch(void *to, const struct sass_launch *l, struct driver_cost *cost,
                  struct err *err)
{
    struct kernel *k = sass_kernel_new(l, err);
    struct stream *s = k ? k->ops->open(k, 0, err) : NULL;

    (void)to;
    *cost = (struct driver_cost){ 0 };
    if (s)
        k->ops->close(k, s);
    sass_kernel_free(k);
    return s ? 0 : -1;
}

static void launch_function(CUfunction f)
{
    void *params[MAX_PARAMS] = { 0 };
    size_t n = 0, offset, bytes;

    for (; n < MAX_PARAMS && !cuFuncGetParamInfo(f, n, &offset, &bytes); n++) {
        params[n] = malloc(bytes);
        if (!params[n])
            abort();
        memset(params[n], 1, bytes);
    }
    if (n < MAX_PARAMS)
        cuLaunchKernel(f, 2, 1, 1, 33, 1, 1, 0, NULL, params, NULL);
    while (n--)
        free(params[n]);
}

static void launch_all(const uint8_t *data, size_t size)
{
    struct cubin c;
    CUmodule module;
    CUcontext context;
    CUfunction f;

    if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
        abort();
    if (driver_module_load(&module, "fuzz", data, size) ||
        cubin_parse(&c, "fuzz", data, size, NULL))
        return;
    for (uint32_t i = 0; i < c.n_kernels && i < MAX_KERNELS; i++)
        if (!cuModuleGetFunction(&f, module, c.kernels[i].name))
            launch_function(f);
    cubin_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct driver_config config = { .arch = size > 49 && data[49] >= 90   ? SM90
                                            : size > 49 && data[49] >= 80 ? SM86
                                                                          : SM75,
                                    .memory_bytes = 16 << 20,
                                    .launch = launch };
    struct err err;
    struct driver *d = driver_new(&config, &err);

    if (!d)
        abort();
    driver_make_current(d);
    launch_all(data, size);
    driver_free(d);
    return 0;
}
