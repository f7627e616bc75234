/* register.c - the calls that nvcc puts into programs: registration before main, and
 * the steps from a <<<>>> launch to the kernel's stub. Their shapes are those of CUDA
 * 11 to 13.
 *
 * Texture and surface references, which CUDA 12 no longer has, are refused.
 */
#include "shim/cudart/api.h"
#include "shim/cudart/launch.h"
#include "shim/cudart/registry.h"

void **__cudaRegisterFatBinary(void *fatbin)
{
    struct image *image;

    runtime_lock();
    image = registry_add_image(runtime_registry(), fatbin);
    runtime_unlock();
    return (void **)image;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    runtime_lock();
    if (handle)
        registry_drop_image(runtime_registry(), (struct image *)handle);
    runtime_unlock();
}

void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int threads, void *tid, void *bid,
                            dim3 *block, dim3 *grid, int *warp)
{
    struct entry e = { .image = (struct image *)handle, .host = host, .name = name };

    (void)device, (void)threads, (void)tid, (void)bid;
    (void)block, (void)grid, (void)warp;
    if (!handle)
        return;
    runtime_lock();
    registry_add_entry(runtime_registry(), e);
    runtime_unlock();
}

static void add_variable(void **handle, struct variable v)
{
    v.image = (struct image *)handle;
    if (!handle)
        return;
    runtime_lock();
    registry_add_variable(runtime_registry(), v);
    runtime_unlock();
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                       int ext, size_t size, int constant, int global)
{
    (void)device, (void)ext, (void)constant, (void)global;
    add_variable(handle, (struct variable){ .host = host, .name = name, .size = size });
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device,
                              const char *name, int ext, size_t size, int constant,
                              int global)
{
    (void)device, (void)ext, (void)constant, (void)global;
    add_variable(
        handle,
        (struct variable){ .host = host, .name = name, .size = size, .managed = host });
}

void __cudaRegisterTexture(void **handle, const void *host, const void **device,
                           const char *name, int dim, int norm, int ext)
{
    (void)handle, (void)host, (void)device, (void)name, (void)dim, (void)norm,
        (void)ext;
    runtime_refuse("a texture reference (texture<...>; use texture objects)");
}

void __cudaRegisterSurface(void **handle, const void *host, const void **device,
                           const char *name, int dim, int ext)
{
    (void)handle, (void)host, (void)device, (void)name, (void)dim, (void)ext;
    runtime_refuse("a surface reference (surface<...>; use surface objects)");
}

/* Called before the host touches a managed variable. */
char __cudaInitModule(void **handle)
{
    CUresult result = runtime_begin();

    if (!result && handle)
        result = registry_load(runtime_registry(), (struct image *)handle);
    return runtime_end(result) == cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     cudaStream_t stream)
{
    struct thread *t = runtime_thread();

    if (t->n_shapes == MAX_SHAPES)
        return 1; /* the launch is then skipped, with an error */
    t->shapes[t->n_shapes++] = (struct launch_shape){ grid, block, shared, stream };
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       void *stream)
{
    struct thread *t = runtime_thread();
    struct launch_shape s;

    if (!t->n_shapes)
        return t->last = cudaErrorMissingConfiguration;
    s = t->shapes[--t->n_shapes];
    *grid = s.grid;
    *block = s.block;
    *shared = s.shared;
    *(cudaStream_t *)stream = s.stream;
    return cudaSuccess;
}

/* A kernel's handle is its row in the registry. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    runtime_lock();
    *kernel = (cudaKernel_t)runtime_entry(host);
    return runtime_end_error(*kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    struct launch_shape s = { grid, block, shared, stream };

    return launch_kernel(kernel, &s, args, false);
}

VARIANT(__cudaLaunchKernel_ptsz, __cudaLaunchKernel)
