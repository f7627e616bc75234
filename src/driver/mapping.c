/* mapping.c - virtual memory management: addresses reserved, memory created, and one mapped
 * into the other. Memory that is mapped twice is the same at both addresses. Memory is
 * that of the device, also of another process (share.c).
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/space_map.h"
#include "driver/internal.h"

enum { EXPORTABLE = 9 };

const struct mapping *mapping_find(const struct driver *d, uint64_t addr)
{
    for (size_t i = 0; i < d->n_mappings; i++) {
        if (addr - d->mappings[i].addr < d->mappings[i].bytes)
            return &d->mappings[i];
    }
    return NULL;
}

static void drop_file(struct driver *d, const struct physical *p)
{
    if (p->is_foreign)
        close(p->file);
    else
        space_memory_free(&d->space, p->bytes, p->file);
}

/* The memory goes with its last handle and its last mapping. */
static void drop_physical(struct driver *d, struct physical *p)
{
    void *handle = (void *)(uintptr_t)p->handle;

    if (!p->n_handles)
        handle_drop(&d->handles, handle);
    if (p->n_handles || p->n_mapped)
        return;
    drop_file(d, p);
    free(p);
}

static void remove_mapping(struct driver *d, size_t i)
{
    struct mapping m = d->mappings[i];

    space_unmap(&d->space, m.addr, m.bytes);
    d->mappings[i] = d->mappings[--d->n_mappings];
    m.physical->n_mapped--;
    drop_physical(d, m.physical);
}

void mapping_remove(struct driver *d, const struct mapping *m)
{
    remove_mapping(d, (size_t)(m - d->mappings));
}

void mapping_free_all(struct driver *d)
{
    struct physical *p;
    uint32_t at = 0;

    while (d->n_mappings)
        remove_mapping(d, d->n_mappings - 1);
    while ((p = handle_next(&d->handles, HANDLE_PHYSICAL, &at))) {
        p->n_handles = 0;
        drop_physical(d, p);
    }
    free(d->mappings);
}

static bool is_whole(uint64_t bytes)
{
    return bytes && bytes % SPACE_PAGE == 0;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                       CUmemAllocationGranularity_flags which)
{
    struct driver *d;
    CUresult result = call_begin_bare(&d, "cuMemGetAllocationGranularity");

    if (result)
        return result;
    if (!bytes || !prop || (unsigned)which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "granularity %d", (int)which);
    *bytes = SPACE_PAGE;
    return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *at, size_t bytes, size_t align,
                             CUdeviceptr wanted, unsigned long long flags)
{
    struct driver *d;
    struct err err;
    uint64_t addr;
    CUresult result = call_begin_bare(&d, "cuMemAddressReserve");

    if (result)
        return result;
    if (!at || !is_whole(bytes) || align & (align - 1) || flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes, aligned to %zu: expected multiples of %d", bytes,
                         align, SPACE_PAGE);
    if (space_reserve(&d->space, bytes, align, wanted, &addr, &err))
        return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    *at = addr;
    return CUDA_SUCCESS;
}

/* Does a mapping overlap the range? */
static bool is_mapped(const struct driver *d, uint64_t at, uint64_t bytes)
{
    for (size_t i = 0; i < d->n_mappings; i++) {
        const struct mapping *m = &d->mappings[i];

        if (m->addr < at + bytes && at < m->addr + m->bytes)
            return true;
    }
    return false;
}

CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes)
{
    struct driver *d;
    uint64_t start, size;
    CUresult result = call_begin_bare(&d, "cuMemAddressFree");

    if (result)
        return result;
    if (!space_find_reserved(&d->space, at, &start, &size) || start != at ||
        size != bytes || is_mapped(d, at, bytes))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx are not reserved, or memory is mapped",
                         bytes, at);
    space_unreserve(&d->space, at);
    return CUDA_SUCCESS;
}

static CUresult check_prop(struct driver *d, const CUmemAllocationProp *prop)
{
    if (prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
        (unsigned)prop->requestedHandleTypes & ~(unsigned)EXPORTABLE)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "memory of type %d",
                         (int)prop->type);
    if (prop->location.type >= CU_MEM_LOCATION_TYPE_HOST &&
        prop->location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "memory of the host");
    if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "location of type %d",
                         (int)prop->location.type);
    return call_check_device(d, prop->location.id);
}

CUresult physical_give(struct driver *d, const struct physical *p,
                       CUmemGenericAllocationHandle *memory)
{
    struct physical *copy = malloc(sizeof *copy);

    if (copy) {
        *copy = *p;
        copy->handle = (uintptr_t)handle_add(&d->handles, HANDLE_PHYSICAL, copy);
    }
    if (!copy || !copy->handle) {
        drop_file(d, p);
        free(copy);
        return call_memory(d, "a handle of memory");
    }
    *memory = copy->handle;
    return CUDA_SUCCESS;
}

/* Compression is accepted, as on an H200, and changes nothing. */
CUresult cuMemCreate(CUmemGenericAllocationHandle *memory, size_t bytes,
                     const CUmemAllocationProp *prop, unsigned long long flags)
{
    struct driver *d;
    struct physical p;
    struct err err;
    CUresult result = call_begin_bare(&d, "cuMemCreate");

    if (result)
        return result;
    if (!memory || !prop || !is_whole(bytes) || flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes: expected a multiple of %d", bytes, SPACE_PAGE);
    result = check_prop(d, prop);
    if (result)
        return result;
    p = (struct physical){ .prop = *prop, .bytes = bytes, .n_handles = 1 };
    if (space_memory_new(&d->space, bytes, &p.file, &err))
        return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    return physical_give(d, &p, memory);
}

struct physical *physical_find(struct driver *d, CUmemGenericAllocationHandle memory,
                               CUresult *result)
{
    struct physical *p =
        handle_find(&d->handles, HANDLE_PHYSICAL, (void *)(uintptr_t)memory);

    if (!p)
        *result = call_fail(d, CUDA_ERROR_INVALID_VALUE,
                            "0x%llx is not a live handle of memory", memory);
    return p;
}

void physical_release(struct driver *d, struct physical *p)
{
    p->n_handles--;
    drop_physical(d, p);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle memory)
{
    struct driver *d;
    struct physical *p;
    CUresult result = call_begin_bare(&d, "cuMemRelease");

    if (result)
        return result;
    p = physical_find(d, memory, &result);
    if (p)
        physical_release(d, p);
    return result;
}

CUresult mapping_add(struct driver *d, const struct mapping *m)
{
    struct err err;

    if (d->n_mappings == d->cap_mappings) {
        size_t cap = d->cap_mappings ? 2 * d->cap_mappings : 16;
        struct mapping *mappings = realloc(d->mappings, cap * sizeof *mappings);

        if (!mappings)
            return call_memory(d, "the list of mappings");
        d->mappings = mappings;
        d->cap_mappings = cap;
    }
    if (space_map(&d->space, m->addr, m->bytes, m->physical->file, m->physical->offset,
                  &err))
        return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    d->mappings[d->n_mappings++] = *m;
    m->physical->n_mapped++;
    return CUDA_SUCCESS;
}

/* All of the memory is mapped, never a part of it, as an H200's driver wants it. */
CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle memory, unsigned long long flags)
{
    struct driver *d;
    struct mapping m = { .addr = at, .bytes = bytes };
    uint64_t start, size;
    CUresult result = call_begin_bare(&d, "cuMemMap");

    if (result)
        return result;
    m.physical = physical_find(d, memory, &result);
    if (!m.physical)
        return result;
    if (at % SPACE_PAGE || flags || !space_find_reserved(&d->space, at, &start, &size))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "0x%llx is not a reserved page",
                         at);
    if (offset || bytes != m.physical->bytes)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                         "%zu bytes from %zu on: expected all %llu bytes of the memory",
                         bytes, offset, (unsigned long long)m.physical->bytes);
    if (bytes > size - (at - start) || is_mapped(d, at, bytes))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx are not reserved, or memory is mapped",
                         bytes, at);
    return mapping_add(d, &m);
}

/* Nothing need be mapped there, but what is must lie in the range as a whole. */
CUresult cuMemUnmap(CUdeviceptr at, size_t bytes)
{
    struct driver *d;
    uint64_t start, size;
    CUresult result = call_begin_bare(&d, "cuMemUnmap");
    const struct mapping *first, *last;

    if (result)
        return result;
    if (at % SPACE_PAGE || !is_whole(bytes) ||
        !space_find_reserved(&d->space, at, &start, &size) ||
        bytes > size - (at - start))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx are not reserved", bytes, at);
    first = mapping_find(d, at);
    last = mapping_find(d, at + bytes - 1);
    if ((first && first->addr < at) || (last && last->addr + last->bytes > at + bytes))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "a part of a mapping");
    for (size_t i = d->n_mappings; i-- > 0;) {
        if (d->mappings[i].addr - at < bytes)
            remove_mapping(d, i);
    }
    return CUDA_SUCCESS;
}

/* Are all bytes of the range mapped, and is each mapping in it as a whole? */
static bool is_covered(const struct driver *d, uint64_t at, uint64_t bytes)
{
    uint64_t end = at + bytes;

    while (at < end) {
        const struct mapping *m = mapping_find(d, at);

        if (!m || m->addr != at || m->bytes > end - at)
            return false;
        at += m->bytes;
    }
    return true;
}

static CUresult check_access(struct driver *d, const CUmemAccessDesc *access, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            access[i].location.id)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "location %d of type %d",
                             access[i].location.id, (int)access[i].location.type);
        if (access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
            return call_fail(d, CUDA_ERROR_NOT_SUPPORTED,
                             "memory that can only be read");
        if (access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
            access[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return call_fail(d, CUDA_ERROR_INVALID_VALUE, "flags 0x%x of an access",
                             (unsigned)access[i].flags);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access,
                        size_t n)
{
    struct driver *d;
    bool is_allowed;
    CUresult result = call_begin_bare(&d, "cuMemSetAccess");

    if (result)
        return result;
    if (!access || !n || !is_whole(bytes) || bytes > space_end(&d->space) - at ||
        !is_covered(d, at, bytes))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx are not all mapped, or no description",
                         bytes, at);
    result = check_access(d, access, n);
    if (result)
        return result;
    is_allowed = access[n - 1].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    space_allow(&d->space, at, bytes, is_allowed);
    for (size_t i = 0; i < d->n_mappings; i++) {
        if (d->mappings[i].addr - at < bytes)
            d->mappings[i].is_allowed = is_allowed;
    }
    return CUDA_SUCCESS;
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr at)
{
    struct driver *d;
    const struct mapping *m;
    CUresult result = call_begin_bare(&d, "cuMemGetAccess");

    if (result)
        return result;
    m = mapping_find(d, at);
    if (!flags || !location || !m || location->type != CU_MEM_LOCATION_TYPE_DEVICE ||
        location->id)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "nothing is mapped at 0x%llx",
                         at);
    *flags = m->is_allowed ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                           : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *memory, void *at)
{
    struct driver *d;
    const struct mapping *m;
    CUresult result = call_begin_bare(&d, "cuMemRetainAllocationHandle");

    if (result)
        return result;
    m = mapping_find(d, (uint64_t)(uintptr_t)at);
    if (!memory || !m)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "nothing is mapped at %p", at);
    if (!m->physical->n_handles)
        m->physical->handle =
            (uintptr_t)handle_add(&d->handles, HANDLE_PHYSICAL, m->physical);
    if (!m->physical->handle)
        return call_memory(d, "a handle of memory");
    m->physical->n_handles++;
    *memory = m->physical->handle;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
                                                CUmemGenericAllocationHandle memory)
{
    struct driver *d;
    const struct physical *p;
    CUresult result = call_begin_bare(&d, "cuMemGetAllocationPropertiesFromHandle");

    if (result || (result = call_check_place(d, prop)))
        return result;
    p = physical_find(d, memory, &result);
    if (p)
        *prop = p->prop;
    return result;
}
