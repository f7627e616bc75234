/* mappings.cu - virtual memory management through the driver: reserve, create, map, allow.
 * The results of calls, right and wrong, are an H200's.
 */
#include <cuda.h>

#include "check.h"

#define DRIVER(result, call)                                                       \
    do {                                                                           \
        int result_ = (call);                                                      \
        if (result_ != (result)) {                                                 \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result_); \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

enum { OK = CUDA_SUCCESS, INVALID = CUDA_ERROR_INVALID_VALUE, PAGE = 2 << 20 };

__global__ void add(int *a)
{
    a[threadIdx.x] += 10;
}

static CUmemAllocationProp on_device(int id)
{
    CUmemAllocationProp p = {};

    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = id;
    return p;
}

static void wrong_arguments()
{
    CUmemAllocationProp p = on_device(0), elsewhere = on_device(4);
    CUmemGenericAllocationHandle h;
    CUdeviceptr at;
    size_t n;

    DRIVER(INVALID, cuMemGetAllocationGranularity(
                        &n, &p, (CUmemAllocationGranularity_flags)9));
    DRIVER(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&h, PAGE, &elsewhere, 0));
    DRIVER(INVALID, cuMemCreate(&h, PAGE / 2, &p, 0));
    DRIVER(INVALID, cuMemCreate(&h, 0, &p, 0));
    DRIVER(INVALID, cuMemCreate(&h, PAGE, &p, 1));
    DRIVER(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&h, 1ull << 40, &p, 0));
    DRIVER(INVALID, cuMemAddressReserve(&at, PAGE / 2, 0, 0, 0));
    DRIVER(INVALID, cuMemAddressReserve(&at, 0, 0, 0, 0));
    DRIVER(INVALID, cuMemAddressReserve(&at, PAGE, 3, 0, 0));
    DRIVER(INVALID, cuMemAddressReserve(&at, PAGE, 0, 0, 1));
}

static void allow(CUdeviceptr at, size_t bytes, int result)
{
    CUmemAccessDesc d = {};

    d.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    d.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    DRIVER(result, cuMemSetAccess(at, bytes, &d, 1));
}

/* Memory in two pieces at `at`, the first of them at `other` too. */
static void use(CUdeviceptr at, CUdeviceptr other)
{
    CUdeviceptr start;
    size_t n;
    int v[4] = { 1, 2, 3, 4 };

    DRIVER(OK, cuMemcpyHtoD(at + PAGE - 8, v, sizeof v));
    add<<<1, 4>>>((int *)(at + PAGE - 8));
    DRIVER(OK, cuMemcpyDtoH(v, at + PAGE - 8, sizeof v));
    printf("over both: %d %d %d %d\n", v[0], v[1], v[2], v[3]);
    add<<<1, 2>>>((int *)(other + PAGE - 8));
    DRIVER(OK, cuMemcpyDtoH(v, at + PAGE - 8, sizeof v));
    printf("by the other address: %d %d %d %d\n", v[0], v[1], v[2], v[3]);
    DRIVER(OK, cuMemsetD8(at, 1, 3 * PAGE));
    DRIVER(INVALID, cuMemsetD8(at, 1, 3 * PAGE + 1));
    DRIVER(OK, cuMemGetAddressRange(&start, &n, at + PAGE + 100));
    CHECK(start == at + PAGE && n == 2 * PAGE);
}

static void handles(CUdeviceptr at, CUmemGenericAllocationHandle h)
{
    CUmemGenericAllocationHandle again;
    CUmemAllocationProp p;

    DRIVER(OK, cuMemRetainAllocationHandle(&again, (void *)(at + 100)));
    CHECK(again == h);
    DRIVER(OK, cuMemRelease(again));
    DRIVER(INVALID, cuMemRetainAllocationHandle(&again, (void *)(at + 3 * PAGE)));
    DRIVER(OK, cuMemGetAllocationPropertiesFromHandle(&p, h));
    CHECK(p.type == CU_MEM_ALLOCATION_TYPE_PINNED && p.location.id == 0);
}

int main()
{
    CUmemAllocationProp p = on_device(0);
    CUmemGenericAllocationHandle one, two;
    CUmemLocation here = { CU_MEM_LOCATION_TYPE_DEVICE, 0 };
    CUdeviceptr at, other;
    unsigned long long flags = 9;
    cudaPointerAttributes a;
    size_t n;
    int v = 0;

    GOOD(cudaFree(0));
    DRIVER(OK, cuMemGetAllocationGranularity(&n, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(n == PAGE);
    wrong_arguments();
    DRIVER(OK, cuMemCreate(&one, PAGE, &p, 0));
    DRIVER(OK, cuMemCreate(&two, 2 * PAGE, &p, 0));
    DRIVER(OK, cuMemAddressReserve(&at, 4 * PAGE, 0, 0, 0));
    DRIVER(OK, cuMemAddressReserve(&other, 4 * PAGE, 8 * PAGE, 0, 0));
    CHECK(at % PAGE == 0 && other % (8 * PAGE) == 0);
    DRIVER(INVALID, cuMemMap(at + 4096, PAGE, 0, one, 0));
    DRIVER(INVALID, cuMemMap(0x100000000000ull, PAGE, 0, one, 0));
    DRIVER(OK, cuMemMap(at, PAGE, 0, one, 0));
    DRIVER(INVALID, cuMemMap(at, PAGE, 0, one, 0));
    DRIVER(OK, cuMemMap(at + PAGE, 2 * PAGE, 0, two, 0));
    DRIVER(OK, cuMemMap(other, PAGE, 0, one, 0));
    DRIVER(INVALID, cuMemcpyHtoD(at, &v, 4));
    DRIVER(OK, cuMemGetAccess(&flags, &here, at));
    CHECK(flags == 0);
    allow(at, 4 * PAGE, INVALID);
    allow(at, 3 * PAGE, OK);
    allow(other, PAGE, OK);
    DRIVER(OK, cuMemGetAccess(&flags, &here, at + 5));
    CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    use(at, other);
    handles(at, one);
    GOOD(cudaPointerGetAttributes(&a, (void *)at));
    CHECK(a.type == cudaMemoryTypeDevice);
    GOOD(cudaPointerGetAttributes(&a, (void *)(at + 3 * PAGE)));
    CHECK(a.type == cudaMemoryTypeUnregistered);
    DRIVER(INVALID, cuMemFree(at));
    DRIVER(INVALID, cuMemAddressFree(at, 4 * PAGE));
    DRIVER(INVALID, cuMemUnmap(at, PAGE / 2));
    DRIVER(OK, cuMemRelease(one));
    DRIVER(OK, cuMemUnmap(at, 3 * PAGE));
    DRIVER(OK, cuMemcpyDtoH(&v, other, 4)); /* there it is still mapped */
    printf("still there: %x\n", v);
    DRIVER(INVALID, cuMemcpyDtoH(&v, at, 4));
    DRIVER(OK, cuMemUnmap(other, PAGE));
    DRIVER(OK, cuMemRelease(two));
    DRIVER(INVALID, cuMemAddressFree(at, 2 * PAGE));
    DRIVER(OK, cuMemAddressFree(at, 4 * PAGE));
    DRIVER(INVALID, cuMemAddressFree(at, 4 * PAGE));
    DRIVER(OK, cuMemAddressFree(other, 4 * PAGE));
    return 0;
}
