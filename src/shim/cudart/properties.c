/* properties.c - cudaDeviceProp, whose layout changed with CUDA 12 and 13: one table of
 * fields, laid out for the edition that the program was built with.
 */
#include <string.h>

#include "shim/cudart/api.h"
#include "shim/cudart/runtime.h"

enum {
    ALL = 1 << 11 | 1 << 12 | 1 << 13,
    OLD = 1 << 11 | 1 << 12,
    NEW = 1 << 12 | 1 << 13
};

static const struct field {
    int editions;
    size_t size, count;
    const char *name;
    int attributes[3]; /* 0: none */
} fields[] = {
#define UNPACK(...) __VA_ARGS__
#define FIELD(editions, type, name, count, attributes) \
    { editions, sizeof(type), count, #name, { UNPACK attributes } },
#include "shim/cudart/properties.def"
#undef FIELD
#undef UNPACK
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

static size_t round_up(size_t x, size_t unit)
{
    return (x + unit - 1) / unit * unit;
}

size_t properties_offset(int edition, const char *name)
{
    size_t at = 0;

    for (size_t i = 0; i < N_FIELDS; i++) {
        if (!(fields[i].editions & 1 << edition))
            continue;
        at = round_up(at, fields[i].size);
        if (name && !strcmp(fields[i].name, name))
            return at;
        at += fields[i].size * fields[i].count;
    }
    return name ? SIZE_MAX : round_up(at, sizeof(size_t));
}

static CUresult fill_field(char *at, const struct field *f)
{
    for (size_t i = 0; i < 3 && i < f->count && f->attributes[i]; i++) {
        int value = 0;
        CUresult result =
            cuDeviceGetAttribute(&value, (CUdevice_attribute)f->attributes[i], 0);
        size_t wide = (size_t)value;

        if (result)
            return result;
        if (f->size == sizeof wide)
            memcpy(at, &wide, sizeof wide);
        else
            memcpy(at + i * sizeof value, &value, sizeof value);
    }
    return CUDA_SUCCESS;
}

CUresult properties_fill(void *to, int edition)
{
    char *out = to;
    size_t total = 0;
    CUresult result;

    memset(out, 0, properties_offset(edition, NULL));
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (!(fields[i].editions & 1 << edition))
            continue;
        result =
            fill_field(out + properties_offset(edition, fields[i].name), &fields[i]);
        if (result)
            return result;
    }
    result = cuDeviceTotalMem(&total, 0);
    memcpy(out + properties_offset(edition, "totalGlobalMem"), &total, sizeof total);
    if (!result)
        result = cuDeviceGetName(out, 256, 0);
    if (!result)
        result = cuDeviceGetUuid(
            (CUuuid *)(void *)(out + properties_offset(edition, "uuid")), 0);
    return result;
}

static CUresult fill_properties(void *to, int device, int edition)
{
    if (!to)
        return CUDA_ERROR_INVALID_VALUE;
    return device ? CUDA_ERROR_INVALID_DEVICE : properties_fill(to, edition);
}

/* Programs of CUDA 12 call the second name; the first is then that of 11. */
cudaError_t cudaGetDeviceProperties(void *to, int device)
{
    RUNTIME(fill_properties(to, device, cudart_edition == 12 ? 11 : cudart_edition));
}

cudaError_t cudaGetDeviceProperties_v2(void *to, int device)
{
    RUNTIME(fill_properties(to, device, 12));
}
