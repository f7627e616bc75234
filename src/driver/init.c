/* init.c - cuInit and queries about the device. */
#include <stdio.h>
#include <string.h>

#include "driver/internal.h"

#define PCI_NAME "0000:00:00.0"

enum { MISSING = 0 }; /* for attributes.def: Leno does not implement the feature */

CUresult cuInit(unsigned int flags)
{
    struct driver *d = driver_current();

    if (!d)
        return CUDA_ERROR_NO_DEVICE;
    d->call = "cuInit";
    if (flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x: expected 0", flags);
    d->is_initialised = true;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* The common beginning of queries about a device. */
static CUresult device_begin(struct driver **d, const char *call, const void *out,
                             CUdevice dev)
{
    CUresult result = call_begin_bare(d, call);

    if (result || (result = call_check_place(*d, out)))
        return result;
    return call_check_device(*d, dev);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceGet", device, ordinal);

    if (!result)
        *device = 0;
    return result;
}

CUresult cuDeviceGetCount(int *count)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceGetCount", count, 0);

    if (!result)
        *count = 1;
    return result;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice dev)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceGetName", name, dev);

    if (result)
        return result;
    if (size <= 0)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "size %d", size);
    snprintf(name, (size_t)size, "%s", d->device->name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceGetUuid", uuid, dev);

    if (result)
        return result;
    memset(uuid->bytes, 0, sizeof uuid->bytes);
    snprintf(uuid->bytes, sizeof uuid->bytes, "leno-sm-%u", d->device->sm);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceTotalMem", bytes, dev);

    if (!result)
        *bytes = d->space.whole;
    return result;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice dev)
{
    struct driver *d;
    const struct device *s;
    int measured;
    CUresult result = device_begin(&d, "cuDeviceGetAttribute", value, dev);

    if (result)
        return result;
    s = d->device;
    switch (attribute) {
#define ATTRIBUTE(name, number, on_h200, expression) \
    case CU_DEVICE_ATTRIBUTE_##name:                 \
        measured = on_h200;                          \
        *value = (int)(expression);                  \
        return CUDA_SUCCESS;
#include "driver/attributes.def"
#undef ATTRIBUTE
    }
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "attribute %d is not known",
                     (int)attribute);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice dev, CUdevice peer)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceCanAccessPeer", can, dev);

    if (result || (result = call_check_device(d, peer)))
        return result;
    *can = 0; /* a device is no peer of its own */
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *name, int size, CUdevice dev)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceGetPCIBusId", name, dev);

    if (result)
        return result;
    if (size <= (int)strlen(PCI_NAME))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "size %d", size);
    snprintf(name, (size_t)size, PCI_NAME);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *name)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceGetByPCIBusId", dev, 0);

    if (result)
        return result;
    if (!name || strcmp(name, PCI_NAME) != 0)
        return call_fail(d, CUDA_ERROR_INVALID_DEVICE, "there is only " PCI_NAME);
    *dev = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    struct driver *d;
    CUresult result = device_begin(&d, "cuDeviceComputeCapability", major, dev);

    if (result || (result = call_check_place(d, minor)))
        return result;
    *major = (int)(d->device->sm / 10);
    *minor = (int)(d->device->sm % 10);
    return CUDA_SUCCESS;
}
