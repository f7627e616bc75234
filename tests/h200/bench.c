/* bench.c - compiled kernels on SMs of the h200 machine, run through the driver. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "frontend/sass/exec/kernel.h"

void bench_stop(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    abort();
}

static int launch(void *to, const struct sass_launch *l, struct driver_cost *cost,
                  struct err *err)
{
    struct bench *b = to;
    uint64_t before = gpu_cycle(b->rig->gpu);
    struct kernel *k = sass_kernel_new(l, err);
    int failed;

    if (!k)
        return -1;
    failed = gpu_run(b->rig->gpu, k, err);
    b->cycles = gpu_cycle(b->rig->gpu) - before;
    *cost = (struct driver_cost){ .nanoseconds = 1 };
    sass_kernel_free(k);
    return failed;
}

void bench_start(struct bench *b, const char *file, const char *scheme,
                 const char *setting)
{
    struct driver_config config = { .arch = SM90, .launch = launch, .launch_to = b };
    struct err err = { 0 };
    struct file image = { 0 };
    CUdevice device;

    b->rig = rig_new_scheme(b->sms ? b->sms : 1, scheme, &setting, setting != NULL);
    b->driver = driver_new(&config, &err);
    if (!b->driver || file_read(file, 1 << 24, &image, &err))
        bench_stop(file, err.text);
    driver_make_current(b->driver);
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&b->context, 0, device) ||
        driver_module_load(&b->module, "kernels", image.data, image.size))
        bench_stop(file, driver_last_error(b->driver)->text);
    file_free(&image);
}

void bench_end(struct bench *b)
{
    driver_make_current(NULL);
    driver_free(b->driver);
    rig_free(b->rig);
}
