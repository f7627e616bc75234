/* managed.cu - memory that host and kernels share: managed, page-locked, variables. */
#include "check.h"

struct node {
    int value;
    node *next;
};

__managed__ int total = 3;
__managed__ float weights[4] = { 1, 2, 3, 4 };

__global__ void walk(const node *n)
{
    for (; n; n = n->next)
        total += n->value;
    weights[threadIdx.x] *= 2;
}

__global__ void increase(int *p, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;

    if (i < n)
        p[i] += i;
}

int main()
{
    node *list = NULL;
    int *p, *mapped, *device, *pinned, plain[16], *mapped_plain;
    cudaPointerAttributes a;
    unsigned flags;

    total += 4; /* the host first */
    for (int i = 1; i <= 10; i++) {
        node *n;

        GOOD(cudaMallocManaged(&n, sizeof *n));
        n->value = i;
        n->next = list;
        list = n;
    }
    walk<<<1, 1>>>(list);
    GOOD(cudaDeviceSynchronize());
    CHECK(total == 62 && weights[0] == 2 && weights[1] == 2);

    GOOD(cudaMallocManaged(&p, 1000 * sizeof(int)));
    for (int i = 0; i < 1000; i++)
        p[i] = 5;
#if CUDART_VERSION >= 13000
    cudaMemLocation where = { cudaMemLocationTypeDevice, 0 };
    GOOD(cudaMemPrefetchAsync(p, 1000 * sizeof(int), where, 0, 0));
    GOOD(cudaMemAdvise(p, 1000 * sizeof(int), cudaMemAdviseSetReadMostly, where));
#endif
    increase<<<4, 256>>>(p, 1000);
    GOOD(cudaDeviceSynchronize());
    for (int i = 0; i < 1000; i++)
        CHECK(p[i] == 5 + i);
    GOOD(cudaPointerGetAttributes(&a, p + 10));
    CHECK(a.type == cudaMemoryTypeManaged && a.devicePointer == p + 10);

    GOOD(cudaHostAlloc(&mapped, 64 * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < 64; i++)
        mapped[i] = i;
    GOOD(cudaHostGetDevicePointer(&device, mapped, 0));
    increase<<<1, 64>>>(device, 64);
    GOOD(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        CHECK(mapped[i] == 2 * i);
    GOOD(cudaPointerGetAttributes(&a, mapped));
    CHECK(a.type == cudaMemoryTypeHost && a.hostPointer == mapped);
    GOOD(cudaPointerGetAttributes(&a, plain));
    CHECK(a.type == cudaMemoryTypeUnregistered && a.devicePointer == NULL);
    GOOD(cudaMalloc(&device, 64));
    GOOD(cudaPointerGetAttributes(&a, device));
    CHECK(a.type == cudaMemoryTypeDevice && a.hostPointer == NULL && a.device == 0);
    GOOD(cudaMallocHost(&pinned, 64));
    GOOD(cudaMemcpy(device, pinned, 64, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy(plain, device, 64, cudaMemcpyDeviceToHost));
    memset(plain, 0, sizeof plain);
    GOOD(cudaHostRegister(plain, sizeof plain, cudaHostRegisterMapped));
    GIVES(cudaErrorHostMemoryAlreadyRegistered,
          cudaHostRegister(plain + 4, sizeof(int), cudaHostRegisterDefault));
    GOOD(cudaHostGetDevicePointer(&mapped_plain, plain, 0));
    increase<<<1, 16>>>(mapped_plain, 16);
    GOOD(cudaDeviceSynchronize());
    for (int i = 0; i < 16; i++)
        CHECK(plain[i] == i);
    GOOD(cudaPointerGetAttributes(&a, plain + 3));
    CHECK(a.type == cudaMemoryTypeHost && a.devicePointer == plain + 3);
    GOOD(cudaHostUnregister(plain));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(plain));
    GOOD(cudaGetDeviceFlags(&flags));
    GOOD(cudaFreeHost(pinned));
    GOOD(cudaFreeHost(mapped));
    GOOD(cudaFree(device));
    GOOD(cudaFree(p));
    while (list) {
        node *n = list->next;

        GOOD(cudaFree(list));
        list = n;
    }
    puts("managed: good");
    return 0;
}
