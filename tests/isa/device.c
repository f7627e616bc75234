/* device.c - one launch: buffers in, kernel, buffers out; on a GPU or in the simulator.
 *
 * Built with SUITE_LENO the thread first gets a simulated driver; everything else is
 * the same source. The output buffer is followed by a guard that must stay as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

#ifdef SUITE_LENO
#include "driver/device.h"
#include "driver/driver.h"

static void device_print(void *to, const char *text, size_t n)
{
    (void)to;
    fwrite(text, 1, n, stdout);
}

static int device_setup(const struct suite_options *o)
{
    struct err err = { 0 };
    struct driver_config config = { .print = device_print };
    static struct device device;
    int arch = sass_arch_of(o->arch);
    if (arch < 0)
        return -1;
    device = *device_of((enum sass_arch)arch);
    device.sm = o->arch;
    config.arch = (enum sass_arch)arch;
    config.device = &device;
    struct driver *d = driver_new(&config, &err);
    if (!d)
        return -1;
    driver_make_current(d);
    return 0;
}

static const char *device_detail(void)
{
    const struct err *e = driver_last_error(driver_current());
    return e ? e->text : "";
}

void suite_device_close(void)
{
    driver_free(driver_current());
}
#else
static int device_setup(const struct suite_options *o)
{
    (void)o;
    return 0;
}

static const char *device_detail(void)
{
    return "";
}

void suite_device_close(void) {}
#endif

#define GUARD_WORDS 64
#define GUARD_WORD  0xa5c3a5c3u

void *suite_file_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *data = n > 0 ? malloc((size_t)n + 1) : NULL;
    if (data && fread(data, 1, (size_t)n, f) != (size_t)n) {
        free(data);
        data = NULL;
    }
    fclose(f);
    if (data)
        data[n] = 0;
    *size = data ? (size_t)n : 0;
    return data;
}

int suite_device_open(const struct suite_options *o)
{
    CUdevice dev;
    CUcontext ctx;
    CUresult r;
    if (device_setup(o))
        return -1;
    if ((r = cuInit(0)) || (r = cuDeviceGet(&dev, 0)) ||
        (r = cuDevicePrimaryCtxRetain(&ctx, dev)) || (r = cuCtxSetCurrent(ctx)) ||
        (r = cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16 << 10))) {
        fprintf(stderr, "no device: %s\n", suite_device_message(r));
        return -1;
    }
    return 0;
}

const char *suite_device_message(CUresult r)
{
    static _Thread_local char text[1200];
    const char *name = NULL;
    if (cuGetErrorName(r, &name) || !name)
        name = "unknown error";
    snprintf(text, sizeof text, "%s %s", name, device_detail());
    return text;
}

static CUresult device_guard(CUdeviceptr at)
{
    uint32_t guard[GUARD_WORDS];
    CUresult r = cuMemcpyDtoH(guard, at, sizeof guard);
    for (int i = 0; !r && i < GUARD_WORDS; i++)
        if (guard[i] != GUARD_WORD) {
            printf("guard word %d after the output was overwritten with %08x\n", i,
                   guard[i]);
            return CUDA_ERROR_UNKNOWN;
        }
    return r;
}

static CUresult device_launch(const struct suite_launch *l, CUdeviceptr out,
                              CUdeviceptr in, struct suite_texture *x)
{
    unsigned int n = l->n;
    uint32_t params[16] = { 0 };
    void *plain[6] = { &out, &in, &n, &x->t, &x->t2, &x->s };
    void *forms[5] = { &in, &out, &in, &in, params };
    CUresult r = CUDA_SUCCESS;
    if (l->form)
        memcpy(params, l->form, sizeof params);
    if (l->smem > 48 << 10)
        r = cuFuncSetAttribute(l->f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               (int)l->smem);
    if (!r)
        r = cuLaunchKernel(l->f, l->grid[0], l->grid[1], l->grid[2], l->block[0],
                           l->block[1], l->block[2], l->smem, NULL,
                           l->form ? forms : plain, NULL);
    return r ? r : cuCtxSynchronize();
}

CUresult suite_device_run(const struct suite_launch *l)
{
    CUdeviceptr out = 0, in = 0;
    struct suite_texture x = { 0 };
    size_t in_bytes = l->in_bytes ? l->in_bytes : 4;
    /* The guard follows the output at once, so an overrun by one word is seen. */
    size_t out_bytes = (l->out_bytes + 3) & ~(size_t)3;
    CUresult r = cuMemAlloc(&out, out_bytes + GUARD_WORDS * 4);
    if (!r)
        r = cuMemAlloc(&in, in_bytes);
    if (!r)
        r = cuMemsetD8(out, 0, out_bytes);
    if (!r)
        r = cuMemsetD32(out + out_bytes, GUARD_WORD, GUARD_WORDS);
    if (!r && l->in_bytes)
        r = cuMemcpyHtoD(in, l->in, l->in_bytes);
    if (!r && l->image)
        r = suite_texture_make(&x, l->image, (void *)(uintptr_t)l->in);
    if (!r)
        r = device_launch(l, out, in, &x);
    if (!r)
        r = cuMemcpyDtoH(l->out, out, l->out_bytes);
    if (!r && l->image)
        r = suite_texture_back(&x, l->out, l->out_bytes);
    if (!r)
        r = device_guard(out + out_bytes);
    if (l->image)
        suite_texture_free(&x);
    if (in)
        cuMemFree(in);
    if (out)
        cuMemFree(out);
    return r;
}
