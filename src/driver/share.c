/* share.c - memory and events of other processes. Memory that is shared lies in a file of
 * the host's without a name: memory of cuMemCreate always, pages of other allocations as
 * soon as a handle to one is asked for. Another process opens the file, by a descriptor
 * that it was sent or by the owner's /proc entry, and maps it. An event is over once
 * recorded, so one of another process has nothing to tell.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/space_map.h"
#include "driver/internal.h"

enum { MAGIC_MEMORY = 0x4c6e4d31, MAGIC_EVENT = 0x4c6e4531 };

/* What a handle for other processes holds; the rest is zero. */
struct token {
    uint32_t magic;
    int32_t owner, file; /* the process, and its descriptor */
    uint32_t unused;
    uint64_t start, bytes; /* the allocation, in the file */
};

_Static_assert(sizeof(struct token) <= sizeof(CUipcMemHandle), "a handle's size");

static CUresult token_give(const struct token *t, void *handle, size_t bytes)
{
    memset(handle, 0, bytes);
    memcpy(handle, t, sizeof *t);
    return CUDA_SUCCESS;
}

static CUresult check_type(struct driver *d, CUmemAllocationHandleType type,
                           unsigned long long flags)
{
    if (type == CU_MEM_HANDLE_TYPE_FABRIC)
        return call_fail(d, CUDA_ERROR_NOT_SUPPORTED, "handles of a fabric");
    if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "handle of type %d, flags 0x%llx",
                         (int)type, flags);
    return CUDA_SUCCESS;
}

static CUresult copy_file(struct driver *d, int file, int *to)
{
    *to = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (*to < 0)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE, "descriptor %d is not open",
                         file);
    return CUDA_SUCCESS;
}

CUresult cuMemExportToShareableHandle(void *handle, CUmemGenericAllocationHandle memory,
                                      CUmemAllocationHandleType type,
                                      unsigned long long flags)
{
    struct driver *d;
    const struct physical *p;
    CUresult result = call_begin_bare(&d, "cuMemExportToShareableHandle");

    if (result || (result = call_check_place(d, handle)) ||
        (result = check_type(d, type, flags)))
        return result;
    p = physical_find(d, memory, &result);
    if (!p)
        return result;
    if (!((unsigned)p->prop.requestedHandleTypes & (unsigned)type))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the memory was not created for handles of type %d",
                         (int)type);
    return copy_file(d, p->file, handle);
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *memory,
                                        void *handle, CUmemAllocationHandleType type)
{
    struct driver *d;
    struct physical p = {
        .prop = { .type = CU_MEM_ALLOCATION_TYPE_PINNED,
                  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } },
        .n_handles = 1,
        .is_foreign = true,
    };
    struct stat s;
    CUresult result = call_begin_bare(&d, "cuMemImportFromShareableHandle");

    if (result || (result = call_check_place(d, memory)) ||
        (result = check_type(d, type, 0)) ||
        (result = copy_file(d, (int)(intptr_t)handle, &p.file)))
        return result;
    p.bytes = fstat(p.file, &s) ? 0 : (uint64_t)s.st_size;
    if (p.bytes && p.bytes % SPACE_PAGE == 0)
        return physical_give(d, &p, memory);
    close(p.file);
    return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                     "descriptor %d is not one of device memory",
                     (int)(intptr_t)handle);
}

/* Makes the allocation that holds an address one that other processes can map. */
static CUresult share_allocation(struct driver *d, uint64_t at, struct token *t)
{
    uint64_t start, bytes;
    struct err err;

    if (!space_find(&d->space, at, &start, &bytes))
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "0x%llx is not an address of device memory",
                         (unsigned long long)at);
    if (space_share(&d->space, start, bytes, &err))
        return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    *t = (struct token){ .magic = MAGIC_MEMORY,
                         .owner = getpid(),
                         .file = d->space.file,
                         .start = start - d->space.base,
                         .bytes = bytes };
    return CUDA_SUCCESS;
}

/* The mapping of this allocation of another process, if it is open. */
static const struct mapping *find_open(const struct driver *d, const struct token *t)
{
    for (size_t i = 0; i < d->n_mappings; i++) {
        const struct physical *p = d->mappings[i].physical;

        if (p->n_opened && p->owner == t->owner && p->start == t->start)
            return &d->mappings[i];
    }
    return NULL;
}

/* The address of the allocation in a mapping of its pages. */
static uint64_t open_address(const struct mapping *m)
{
    return m->addr + (m->physical->start - m->physical->offset);
}

/* Maps pages of another process's file; the file is the memory's from now on. */
static CUresult open_pages(struct driver *d, const struct token *t, int file,
                           CUdeviceptr *at)
{
    uint64_t offset = t->start - t->start % SPACE_PAGE;
    uint64_t end = (t->start + t->bytes + SPACE_PAGE - 1) / SPACE_PAGE * SPACE_PAGE;
    struct physical p = { .bytes = end - offset,
                          .file = file,
                          .offset = offset,
                          .n_handles = 1,
                          .is_foreign = true,
                          .owner = t->owner,
                          .start = t->start,
                          .n_opened = 1 };
    struct mapping m = { .bytes = p.bytes, .is_allowed = true };
    struct err err;
    CUresult result = physical_give(d, &p, &p.handle);

    if (result)
        return result;
    m.physical = physical_find(d, p.handle, &result);
    if (space_reserve(&d->space, m.bytes, SPACE_PAGE, 0, &m.addr, &err))
        result = call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    else if ((result = mapping_add(d, &m)))
        space_unreserve(&d->space, m.addr);
    physical_release(d, m.physical);
    if (result)
        return result;
    space_allow(&d->space, m.addr, m.bytes, true);
    *at = open_address(&m);
    return CUDA_SUCCESS;
}

bool share_close(struct driver *d, uint64_t addr)
{
    const struct mapping *m = mapping_find(d, addr);
    uint64_t pages;

    if (!m || !m->physical->n_opened || open_address(m) != addr)
        return false;
    if (--m->physical->n_opened)
        return true;
    pages = m->addr;
    mapping_remove(d, m);
    space_unreserve(&d->space, pages);
    return true;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr at)
{
    struct driver *d;
    struct context *c;
    struct token t;
    CUresult result = call_begin(&d, &c, "cuIpcGetMemHandle");

    if (result || (result = call_check_place(d, handle)) ||
        (result = share_allocation(d, at, &t)))
        return result;
    return token_give(&t, handle, sizeof *handle);
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *at, CUipcMemHandle handle, unsigned int flags)
{
    struct driver *d;
    struct context *c;
    struct token t;
    const struct mapping *m;
    char path[64];
    int file;
    CUresult result = call_begin(&d, &c, "cuIpcOpenMemHandle");

    if (result || (result = call_check_place(d, at)))
        return result;
    memcpy(&t, &handle, sizeof t);
    if (t.magic != MAGIC_MEMORY || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "not a handle of memory, or flags 0x%x", flags);
    if (t.owner == getpid())
        return call_fail(d, CUDA_ERROR_INVALID_CONTEXT, "the memory is this process's");
    m = find_open(d, &t);
    if (m) {
        m->physical->n_opened++;
        *at = open_address(m);
        return CUDA_SUCCESS;
    }
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)t.owner, (int)t.file);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return call_fail(d, CUDA_ERROR_INVALID_HANDLE, "process %d is gone",
                         (int)t.owner);
    return open_pages(d, &t, file, at);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr at)
{
    struct driver *d;
    struct context *c;
    CUresult result = call_begin(&d, &c, "cuIpcCloseMemHandle");

    if (result || share_close(d, at))
        return result;
    return call_fail(d, CUDA_ERROR_INVALID_VALUE, "nothing is open at 0x%llx", at);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    struct driver *d;
    CUresult result;
    const struct driver_event *e =
        call_begin_on(&d, "cuIpcGetEventHandle", HANDLE_EVENT, "event", event, &result);
    struct token t = { .magic = MAGIC_EVENT, .owner = getpid() };

    if (!e || (result = call_check_place(d, handle)))
        return result;
    if (!e->is_shared)
        return call_fail(d, CUDA_ERROR_INVALID_HANDLE,
                         "the event was not created for other processes");
    return token_give(&t, handle, sizeof *handle);
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    struct driver *d;
    struct context *c;
    struct token t;
    CUresult result = call_begin(&d, &c, "cuIpcOpenEventHandle");

    if (result)
        return result;
    memcpy(&t, &handle, sizeof t);
    if (t.magic != MAGIC_EVENT || t.owner == getpid())
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "not a handle of another process's event");
    return cuEventCreate(event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS);
}

/* A pool's descriptor is that of the file in which its allocations will lie. */
CUresult cuMemPoolExportToShareableHandle(void *handle, CUmemoryPool pool,
                                          CUmemAllocationHandleType type,
                                          unsigned long long flags)
{
    struct driver *d;
    struct err err;
    CUresult result;
    const struct pool *p =
        pool_begin(&d, "cuMemPoolExportToShareableHandle", pool, &result);

    if (!p || (result = call_check_place(d, handle)) ||
        (result = check_type(d, type, flags)))
        return result;
    if (!((unsigned)p->props.handleTypes & (unsigned)type) || p->is_foreign)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "the pool was not created for handles of type %d", (int)type);
    if (space_share(&d->space, d->space.base, 1, &err))
        return call_fail_as(d, CUDA_ERROR_OUT_OF_MEMORY, &err);
    return copy_file(d, d->space.file, handle);
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *handle,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags)
{
    struct driver *d;
    int file;
    CUresult result = call_begin_bare(&d, "cuMemPoolImportFromShareableHandle");

    if (result || (result = call_check_place(d, pool)) ||
        (result = check_type(d, type, flags)) ||
        (result = copy_file(d, (int)(intptr_t)handle, &file)))
        return result;
    return pool_import(d, file, pool);
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr at)
{
    struct driver *d;
    const struct allocation *a;
    struct token t;
    CUresult result = call_begin_bare(&d, "cuMemPoolExportPointer");

    if (result || (result = call_check_place(d, data)))
        return result;
    a = memory_find(d, at);
    if (!a || !a->pool || !a->pool->props.handleTypes)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "0x%llx is not of a pool for other processes", at);
    result = share_allocation(d, at, &t);
    return result ? result : token_give(&t, data, sizeof *data);
}

CUresult cuMemPoolImportPointer(CUdeviceptr *at, CUmemoryPool pool,
                                CUmemPoolPtrExportData *data)
{
    struct driver *d;
    struct token t;
    int file;
    CUresult result;
    const struct pool *p = pool_begin(&d, "cuMemPoolImportPointer", pool, &result);

    if (!p || (result = call_check_place(d, at)) ||
        (result = call_check_place(d, data)))
        return result;
    memcpy(&t, data, sizeof t);
    if (t.magic != MAGIC_MEMORY || !p->is_foreign)
        return call_fail(d, CUDA_ERROR_INVALID_VALUE,
                         "not a pointer of another process's pool");
    result = copy_file(d, p->file, &file);
    return result ? result : open_pages(d, &t, file, at);
}
